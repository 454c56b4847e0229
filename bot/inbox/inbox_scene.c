/* What pages read of the inbox: the scene of a table for one person, the list of their tables, popups
 * that answer a press, tables that have changed. See inbox.h. */
#include "inbox_features.h"

#include "inbox_shown.h"

/* ---- tables ---- */

struct table *page_table(struct turn *t, const struct session *s, int seat, struct arena *a)
{
    struct effects *fx = arena_new(a, struct effects);
    fx->arena = a;
    return effect_table(fx, &t->in->rulesets, s, seat);
}

struct scene_reader page_reader(struct turn *t, struct str language, struct arena *a)
{
    return (struct scene_reader){.bot = &t->in->bot,
                                 .language = language,
                                 .key = t->in->key,
                                 .now = t->event.now,
                                 .arena = a};
}

/* The session and their seat there, with all of *ret but the JSON; NULL if they have none. */
static const struct session *seat_find(struct turn *t, const struct inbox_reader *reader,
                                       int64_t session, struct arena *a, int *ret_seat,
                                       struct inbox_scene *ret)
{
    const struct session *s = reader->who > 0 && session > 0 ? facts_named(t, session) : NULL;
    int seat = s ? session_seat(s, reader->who) : -1;
    if (seat < 0 || store_failed(t->store))
        return NULL;
    const struct venue *v = &s->venue[s->player[seat].venue];
    *ret = (struct inbox_scene){.version = t->row_version[0],
                                .account = v->account,
                                .chat = arena_str(a, str_of(v->chat_key)),
                                .direct = v->direct,
                                .live = session_live(s)};
    *ret_seat = seat;
    return s;
}

bool inbox_seat(struct inbox *in, const struct inbox_reader *reader, int64_t session,
                struct arena *a, struct inbox_scene *ret)
{
    int seat;
    return seat_find(turn_begin(in, reader->account), reader, session, a, &seat, ret) != NULL;
}

/* The answer to a press and each stream of that seat show the same document, which holds the hour: it
 * is written once a second and version. */
bool inbox_scene(struct inbox *in, const struct inbox_reader *reader, int64_t session,
                 struct arena *a, struct inbox_scene *ret)
{
    enum { FRESH_MS = 1000 };
    struct turn *t = turn_begin(in, reader->account);
    int64_t made, now = t->event.now;
    struct str found;
    int seat;
    const struct session *s = seat_find(t, reader, session, a, &seat, ret);
    if (!s)
        return false;
    const struct cache_key key = {
        seat, session,
        arena_print(t->arena, "%lld %.*s", (long long)ret->version, STR_ARG(reader->language))};
    if (cache_find(in->scenes, key, &found)) {
        memcpy(&made, found.p, sizeof made);
        ret->json = arena_str(a, str_skip(found, sizeof made));
        if (made <= now && now < made + FRESH_MS)
            return true;
        cache_reject(in->scenes, key);
    }
    struct scene_reader r = page_reader(t, reader->language, t->arena);
    struct table *table = page_table(t, s, seat, t->arena);
    effect_times(table, s, now);
    r.table = table;
    r.version = ret->version;
    ret->json = arena_str(a, scene_write(&r));
    CACHE_KEEP(in->scenes, key, BYTES_OF(now), ret->json);
    return true;
}

int inbox_tables(struct inbox *in, const struct inbox_reader *reader, struct arena *a, int most,
                 struct inbox_table *ret)
{
    struct turn *t = turn_begin(in, reader->account);
    struct session_rows rows = store_sessions_of_person(t->store, t->arena, reader->who, most);
    int n = 0;
    for (int i = 0; i < rows.n; i++) {
        const struct session *s = facts_session(t, rows.at[i].id);
        int seat = s ? session_seat(s, reader->who) : -1, turn = s ? session_turn(s) : -1;
        struct str names = STR("");
        bool here = false;
        for (int v = 0; s && v <= s->n_more && reader->chat.n > 0; v++)
            here |= s->venue[v].account == reader->account->id &&
                    str_is(str_of(s->venue[v].chat_key), reader->chat);
        for (int p = 0; seat >= 0 && p < s->players; p++) {
            const struct texts *texts = texts_for(&in->languages, reader->language);
            const struct player *at = &s->player[p];
            struct str name = at->character  ? texts->character[at->character]
                              : at->computer ? text_make(texts, a, T_COMPUTER, 0, NULL, 0)
                                             : str_of(at->name);
            if (name.n > 0)
                names = arena_print(a, "%.*s%s%.*s", STR_ARG(names),
                                    names.n ? " \xE2\x80\x93 " : "", STR_ARG(name));
        }
        if (seat >= 0)
            ret[n++] = (struct inbox_table){rows.at[i].id,
                                            names,
                                            arena_str(a, str_of(s->rules.deck)),
                                            turn == seat,
                                            s->phase == SESSION_PLAYING,
                                            here};
    }
    return n;
}

/* ---- words ---- */

void inbox_set_pages(struct inbox *in, struct str link)
{
    in->pages = link;
}

const struct texts *inbox_texts(const struct inbox *in, struct str language)
{
    return texts_for(&in->languages, language.n ? language : in->parts.default_language);
}

struct str inbox_language(struct inbox *in, const struct person *p)
{
    struct person_prefs prefs = {0};
    if (p->prefs.n > 0)
        person_prefs_read(p->prefs, &prefs);
    return arena_str(in->turn, prefs.language[0] ? str_of(prefs.language) : p->language);
}

/* ---- popups, and what has changed ---- */

/* A popup is plain words: its times, which clients show by their own clock, too. */
static struct str with_times(struct arena *a, struct str s)
{
    enum { TIME_BYTES = 40 };
    size_t most = s.n + TIME_BYTES;
    for (size_t i = 0; i < s.n; i++)
        most += s.p[i] == MARK_TIME ? TIME_BYTES : 0;
    struct buf b = {arena_room(a, most), 0, most, false};
    while (s.n > 0) {
        int64_t at;
        buf_put(&b, str_cut(s, MARK_TIME, &s));
        if (s.n == 0 || !str_int(str_cut(s, MARK_END, &s), &at))
            continue;
        struct date d = date_at(at * 1000, 0);
        buf_print(&b, "%04d-%02d-%02d %02d:%02d UTC", d.year, d.month, d.day, d.hour, d.minute);
    }
    return buf_str(&b);
}

void popup_keep(struct inbox *in, struct str press, struct str text)
{
    text = text_unmarked(in->turn, with_times(in->turn, text));
    if (text.n > 0)
        CACHE_KEEP(in->popups, (struct cache_key){.text = press}, text);
}

struct str inbox_popup(struct inbox *in, struct str press)
{
    struct str found;
    return cache_find(in->popups, (struct cache_key){.text = press}, &found) ? found : STR("");
}

void changed_note(struct inbox *in, int64_t session)
{
    if (session > 0 && in->changed.n < INBOX_CHANGED)
        in->changed.at[in->changed.n++] = session;
    else
        in->changed.all = true;
}

struct inbox_changed inbox_take_changed(struct inbox *in)
{
    struct inbox_changed taken = in->changed;
    in->changed = (struct inbox_changed){0};
    return taken;
}
