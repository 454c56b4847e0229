/* What an event needs to know: its chat, who sent it, the matches it may mean, scoreboards and
 * records. Read from the store before the core runs; the core itself reads nothing. A new fact is a
 * bit in enum fact, a row of the command table that asks for it, and a few lines here. */
#include "inbox_parts.h"

#include "log.h"
#include "notebook.h"
#include "zone.h"

#include <assert.h>

enum { BOARD_ROWS = 10 };

/* ---- sessions ---- */

/* A chat that moves keeps its row and gets a new key, or is joined to another: what is played in it
 * follows when it is read next, and only then. */
static bool follow_chat(struct taking *t, int64_t id, struct venue *v)
{
    struct chat chat = t->chat;
    bool found = true;
    if (id != t->chat.id &&
        !store_chat_by_id(t->in->parts.store, t->in->turn, id, &chat, &found, t->err))
        return false;
    v->chat = id;
    if (found)
        v->account = chat.account;
    if (found && chat.key.n < sizeof v->chat_key)
        NAME_PUT(v->chat_key, chat.key);
    return true;
}

/* What the line alone does not say: keys of chats that moved, and who of an ended match has been
 * linked to whom since. A seat of a match from before there were several networks is played from
 * the home's. */
static bool follow(struct taking *t, const struct session_row *row, struct session *s)
{
    struct person p;
    bool found;
    for (int i = 0; i < row->n_chats && i <= s->n_more; i++)
        if (!follow_chat(t, row->chat[i], i ? &s->more[i - 1] : &s->home))
            return false;
    for (int i = 0; i < s->players; i++) {
        if (s->player[i].account == 0)
            s->player[i].account = s->home.account;
        if (row->live || s->player[i].person == 0)
            continue;
        if (!store_person_by_id(t->in->parts.store, t->in->turn, s->player[i].person, &p, &found,
                                t->err))
            return false;
        s->player[i].person = found ? p.who : s->player[i].person;
    }
    return true;
}

static bool read_line(struct taking *t, const struct session_row *row, struct session *ret)
{
    if (recall_find(t->in->recall, row->id, row->line, ret))
        return true;
    const char *wrong = session_read(row->line, &t->in->made, ret);
    if (wrong) {
        struct str no = arena_print(t->in->turn, "%lld", (long long)row->id);
        log_line(LOG_ERROR, "session_unreadable", "session", no.p, "field", wrong, NULL);
        return false;
    }
    recall_keep(t->in->recall, row->id, row->line, ret);
    return true;
}

/* A row as a session; NULL if it cannot be read, which is logged: the chat must go on. NULL too if
 * the database failed: store_ill() tells. */
static const struct session *session_of(struct taking *t, const struct session_row *row)
{
    struct session *s = (void *)arena_room(t->in->turn, sizeof *s);
    if (!read_line(t, row, s))
        return NULL;
    s->no = row->id;
    if (!follow(t, row, s))
        return NULL;
    assert(t->n_rows < (int)(sizeof t->row / sizeof *t->row));
    t->row_version[t->n_rows] = row->version;
    t->row[t->n_rows++] = s;
    return s;
}

static const struct session *already(const struct taking *t, int64_t no)
{
    for (int i = 0; i < t->n_rows; i++)
        if (t->row[i]->no == no)
            return t->row[i];
    return NULL;
}

/* What cannot be read is left out; false if the database failed. */
static bool sessions_of(struct taking *t, const struct session_rows *rows,
                        const struct session **ret, int *ret_n)
{
    int n = 0;
    for (int i = 0; i < rows->n && n < MAX_CANDIDATES; i++) {
        const struct session *s = already(t, rows->at[i].id);
        if (!s)
            s = session_of(t, &rows->at[i]);
        if (store_ill(t->in->parts.store))
            return false;
        if (s)
            ret[n++] = s;
    }
    *ret_n = n;
    return true;
}

bool facts_named(struct taking *t, int64_t no, bool *ret_found)
{
    struct session_row row;
    t->world.named = already(t, no);
    *ret_found = t->world.named != NULL;
    if (t->world.named)
        return true;
    if (!store_session(t->in->parts.store, t->in->turn, no, &row, ret_found, t->err))
        return false;
    if (*ret_found)
        t->world.named = session_of(t, &row);
    *ret_found = t->world.named != NULL;
    return !store_ill(t->in->parts.store);
}

bool facts_chat(struct taking *t, struct str key, struct str name, bool direct)
{
    if (!store_chat(t->in->parts.store, t->in->turn, t->account->id, key, name, direct, &t->chat,
                    t->err))
        return false;
    t->world.chat = t->chat.id;
    t->world.can_here = account_can(t->account, key);
    t->event.chat_name = t->chat.name;
    chat_settings_read(t->chat.settings, &t->world.settings);
    if (!t->world.settings.language[0])
        NAME_PUT(t->world.settings.language, t->in->parts.default_language);
    if (!zone_offset(str_of(t->world.settings.zone), t->event.now, &t->world.utc_offset))
        t->world.utc_offset = 0;
    return true;
}

bool facts_person(struct taking *t)
{
    struct event *e = &t->event;
    if (e->from.id.n == 0 || e->from.anonymous)
        return true;
    if (!store_person(t->in->parts.store, t->in->turn, t->account->id, &e->from, &t->me, t->err))
        return false;
    struct person person = t->me;
    bool found = true;
    if (t->me.who != t->me.id &&
        !store_person_by_id(t->in->parts.store, t->in->turn, t->me.who, &person, &found, t->err))
        return false;
    t->world.me = t->me.who;
    t->world.handle = t->me.id;
    t->world.reachable = t->me.reachable;
    if (found && person.prefs.n > 0)
        NAME_PUT(t->world.prefs.language, person.prefs);
    return !e->direct || (t->me.reachable && str_is(t->me.direct_chat, e->chat)) ||
           store_set_direct(t->in->parts.store, t->me.id, e->chat, true, t->err);
}

/* "/challenge @bo" where the network itself does not mark names. */
static void mentions_from_words(struct taking *t)
{
    struct event *e = &t->event;
    for (struct str rest = e->words, w = str_word(&rest); w.n > 0 && e->n_mentions < MAX_MENTIONS;
         w = str_word(&rest))
        if (w.n > 1 && w.p[0] == '@' && (t->account->can & CAN_HANDLES))
            e->mention[e->n_mentions++] = (struct sender){.handle = str_skip(w, 1)};
}

static bool mentions_load(struct taking *t)
{
    struct event *e = &t->event;
    struct person p;
    if (e->n_mentions == 0)
        mentions_from_words(t);
    for (int i = 0; i < e->n_mentions; i++) {
        struct sender *who = &e->mention[i];
        if (who->bot || (who->id.n == 0 && who->handle.n == 0))
            continue;
        if (!store_person(t->in->parts.store, t->in->turn, t->account->id, who, &p, t->err))
            return false;
        t->world.mention[i] = p.who;
        who->name = text_clean(t->in->turn, p.name, NAME_COLUMNS);
        who->id = p.network_id;
        who->handle = p.handle;
    }
    return true;
}

/* Who said the challenge whose button was pressed: mention[0], if they are known. */
static bool inviter_load(struct taking *t)
{
    struct person p;
    bool found;
    if (!store_person_by_id(t->in->parts.store, t->in->turn, t->event.index, &p, &found, t->err))
        return false;
    if (!found || p.account != t->account->id)
        return true;
    t->world.mention[0] = p.who;
    t->event.n_mentions = 1;
    t->event.mention[0] = (struct sender){.id = p.network_id,
                                          .handle = p.handle,
                                          .name = text_clean(t->in->turn, p.name, NAME_COLUMNS)};
    return true;
}

bool facts_lists(struct taking *t, unsigned facts)
{
    struct store *store = t->in->parts.store;
    struct session_rows rows;
    struct session_row last;
    bool found = true;
    if (facts & FACT_HERE) {
        if (!store_sessions_of_chat(store, t->in->turn, t->chat.id, MAX_CANDIDATES, &rows, t->err))
            return false;
        if (!sessions_of(t, &rows, t->world.here, &t->world.n_here))
            return false;
    }
    if ((facts & FACT_MINE) && t->me.who) {
        if (!store_sessions_of_person(store, t->in->turn, t->me.who, MAX_CANDIDATES, &rows, t->err))
            return false;
        if (!sessions_of(t, &rows, t->world.mine, &t->world.n_mine))
            return false;
    }
    if (facts & FACT_LAST) {
        if (!store_last_session_of_chat(store, t->in->turn, t->chat.id, &last, &found, t->err))
            return false;
        t->world.last = !found                ? NULL
                        : already(t, last.id) ? already(t, last.id)
                                              : session_of(t, &last);
        if (store_ill(store))
            return false;
    }
    return t->event.no == 0 || facts_named(t, t->event.no, &found);
}

/* ---- the scoreboard ---- */

static struct stand stand_of(const struct standing *s)
{
    return (struct stand){s->place,      s->person,       s->tally.won, s->tally.drawn,
                          s->tally.lost, s->tally.points, s->name};
}

static bool board_load(struct taking *t)
{
    struct board_facts *f = arena_new(t->in->turn, struct board_facts);
    struct standings rows;
    struct standing own;
    bool found, listed = false;
    struct season_key asked;
    t->world.board = NULL;
    if (!step_season(&t->world, &t->event, &asked))
        return true;
    f->season = asked;
    struct str key = str_of(f->season.text);
    f->ends = season_end(&f->season, t->world.utc_offset);
    f->last = f->ends <= t->event.now;
    if (f->last)
        f->ends = 0;
    if (!store_standings(t->in->parts.store, t->in->turn, t->chat.id, key, BOARD_ROWS, &rows,
                         t->err))
        return false;
    struct stand *at = arena_array(t->in->turn, struct stand, (size_t)rows.n + 1);
    for (int i = 0; i < rows.n; i++) {
        at[i] = stand_of(&rows.at[i]);
        listed |= at[i].person == t->me.who;
    }
    if (t->me.who && !listed) {
        if (!store_standing(t->in->parts.store, t->in->turn, t->chat.id, key, t->me.who, &own,
                            &found, t->err))
            return false;
        if (found) {
            at[rows.n] = stand_of(&own);
            f->own = &at[rows.n];
        }
    }
    f->n = rows.n;
    f->at = at;
    f->asker = t->me.who;
    t->world.board = f;
    return true;
}

static bool record_load(struct taking *t, unsigned facts)
{
    struct str record;
    const struct session *s = facts & FACT_RECORD ? t->event.no ? t->world.named : t->world.last
                                                  : step_pick(&t->world, &t->event);
    if (!s)
        return true;
    if (!store_record(t->in->parts.store, t->in->turn, s->no, &record, t->err))
        return false;
    if (facts & FACT_RECORD)
        t->world.record = record;
    if (facts & FACT_NOTEBOOK)
        t->world.n_notes = notebook_read(t->in->turn, record, &t->world.notes);
    return true;
}

static void zone_check(struct taking *t)
{
    int32_t offset;
    for (struct str rest = t->event.words, w = str_word(&rest); w.n > 0; w = str_word(&rest)) {
        struct str value, name = str_cut(w, '=', &value);
        if (str_is(text_fold(t->in->turn, name), STR("zone")))
            t->world.zone_ok = value.n > 0 && value.n < sizeof t->world.settings.zone &&
                               zone_offset(value, t->event.now, &offset);
    }
}

bool facts_load(struct taking *t)
{
    unsigned facts = commands[t->event.verb].facts;
    if (t->event.verb == VERB_CHALLENGE && !mentions_load(t))
        return false;
    if (t->event.verb == VERB_INVITE && !inviter_load(t))
        return false;
    if (t->event.verb == VERB_SETTINGS)
        zone_check(t);
    if ((t->event.verb == VERB_LINK || t->event.verb == VERB_UNLINK) && !facts_link(t))
        return false;
    if (!facts_lists(t, facts))
        return false;
    const struct session *ended = t->event.no ? t->world.named : t->world.last;
    if ((facts & FACT_LESSON) && ended)
        t->world.lesson =
            lessons_find(&t->in->lessons, ended->no, t->event.now, &t->world.lesson_coming);
    if ((facts & FACT_STANDINGS) && !board_load(t))
        return false;
    return !(facts & (FACT_NOTEBOOK | FACT_RECORD)) || record_load(t, facts);
}
