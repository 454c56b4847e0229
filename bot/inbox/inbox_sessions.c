/* Sessions as they are stored: the cache of parsed ones, those that an event may mean, and damaged
 * ones, whose checksum, or that of their record, does not hold. */
#include "inbox_features.h"

#include "lobby.h"
#include "store_quarantine.h"

#include <assert.h>

/* ---- the cache ---- */

enum { MOST_SESSIONS = 1024, MOST_BYTES = 8 * 1024 * 1024 };

struct cache *session_cache_open(void)
{
    return cache_open(MOST_SESSIONS, MOST_BYTES);
}

/* A value is the session, then its line. */
bool session_cache_find(struct cache *c, int64_t no, struct str line, struct session *ret)
{
    const struct cache_key key = {.no = no};
    struct str value;
    if (!cache_find(c, key, &value))
        return false;
    if (!str_is(line, str_skip(value, sizeof *ret))) {
        cache_reject(c, key);
        return false;
    }
    memcpy(ret, value.p, sizeof *ret);
    return true;
}

/* Zeroes the parts that a line does not hold, as reading does. */
void session_cache_put(struct cache *c, int64_t no, struct str line, const struct session *s)
{
    struct session *kept = cache_put(c, (struct cache_key){.no = no}, sizeof *kept + line.n);
    if (!kept)
        return;
    *kept = *s;
    for (int i = s->players; i < MAX_PLAYERS; i++)
        memset(&kept->player[i], 0, sizeof kept->player[i]);
    for (int i = s->n_more; i < MAX_VENUES - 1; i++)
        memset(&kept->venue[1 + i], 0, sizeof kept->venue[1 + i]);
    memcpy(kept + 1, line.p, line.n);
}

/* ---- damage ---- */

void damage_note(struct inbox *in, int64_t session)
{
    if (!damage_noted(in, session) && in->n_damaged < DAMAGED_MOST)
        in->damaged[in->n_damaged++] = session; /* others will be met again */
}

bool damage_noted(const struct inbox *in, int64_t session)
{
    for (int i = 0; i < in->n_damaged; i++)
        if (in->damaged[i] == session)
            return true;
    return false;
}

void damage_look(struct inbox *in)
{
    enum { AT_ONCE = 100 };
    struct session_rows rows = {.n = AT_ONCE};
    for (int64_t after = 0; rows.n == AT_ONCE;) {
        arena_reset(in->turn);
        rows = store_live_sessions(in->parts.store, in->turn, after, AT_ONCE);
        for (int i = 0; i < rows.n; i++) {
            after = rows.at[i].id;
            if (rows.at[i].damaged || !store_record_sound(in->parts.store, after))
                damage_note(in, after);
        }
    }
}

/* ---- a row becomes a session ---- */

/* Who has now the handle by which a seat is kept. What the sender of the event is called has been
 * learnt by then. */
static void seat_whose_handle(struct turn *t, struct player *p)
{
    struct sender named = {.handle = arena_str(t->arena, str_of(p->handle))};
    struct person now = store_person(t->store, t->arena, p->account, &named);
    named.id = now.network_id;
    named.name = turn_name(t, now.name);
    lobby_sit(p, now.who, &named);
    p->by_handle = true;
}

/* Returns NULL if the row is damaged, which is noted, or if its line cannot be read, which is
 * logged, so that the chat goes on. */
static const struct session *session_of(struct turn *t, const struct session_row *row)
{
    for (int i = 0; i < t->n_rows; i++)
        if (t->row[i]->no == row->id)
            return t->row[i];
    if (row->damaged) {
        if (row->due != DUE_QUARANTINED)
            damage_note(t->in, row->id);
        return NULL;
    }
    struct session *s = (void *)arena_room(t->arena, sizeof *s);
    if (!session_cache_find(t->in->session_cache, row->id, row->line, s)) {
        const char *wrong = session_read(row->line, &t->in->rulesets, s);
        if (wrong) {
            struct str no = arena_print(t->arena, "%lld", (long long)row->id);
            log_line(LOG_ERROR, "session_unreadable", "#session", no.p, "field", wrong, NULL);
            return NULL;
        }
        session_cache_put(t->in->session_cache, row->id, row->line, s);
    }
    s->no = row->id;
    /* brought up to date: a chat that moved has a new key, or is another one if it was merged;
     * persons may have been linked after the match ended; a seat without an account (from the time
     * of one network) is on the home's; a handle may have changed hands */
    for (int i = 0; i < row->n_chats && i <= s->n_more; i++) {
        struct venue *v = &s->venue[i];
        int64_t id = row->chat[i];
        const struct chat *chat =
            id == t->chat.id ? &t->chat : store_chat_by_id(t->store, t->arena, id);
        v->chat = id;
        v->account = chat ? chat->account : v->account;
        if (chat && chat->key.n < sizeof v->chat_key)
            NAME_PUT(v->chat_key, chat->key);
    }
    for (int i = 0; i < s->players; i++) {
        struct player *p = &s->player[i];
        p->account = p->account ? p->account : s->venue[0].account;
        if (p->by_handle && !p->joined && s->phase == SESSION_OFFERED && row->live)
            seat_whose_handle(t, p);
        if (row->live || p->person == 0)
            continue;
        const struct person *now = store_person_by_id(t->store, t->arena, p->person);
        p->person = now ? now->who : p->person;
    }
    assert(t->n_rows < (int)(sizeof t->row / sizeof *t->row));
    t->row_version[t->n_rows] = row->version;
    t->row[t->n_rows++] = s;
    return s;
}

static struct session_list sessions_of(struct turn *t, struct session_rows rows)
{
    struct session_list found = {0};
    for (int i = 0; i < rows.n && found.n < MAX_CANDIDATES; i++) {
        found.at[found.n] = session_of(t, &rows.at[i]);
        found.n += found.at[found.n] != NULL;
    }
    return found;
}

const struct session *facts_session(struct turn *t, int64_t no)
{
    for (int i = 0; i < t->n_rows; i++)
        if (t->row[i]->no == no)
            return t->row[i];
    const struct session_row *row = store_session(t->store, t->arena, no);
    return row ? session_of(t, row) : NULL;
}

const struct session *facts_named(struct turn *t, int64_t no)
{
    return t->world.named = facts_session(t, no);
}

/* ---- those that an event may mean ---- */

/* The newest ended match of the chat: for a command about ended ones the newest that was played to
 * its end, else the newest that began. A chat in which none began has its newest challenge. */
static const struct session *last_here(struct turn *t)
{
    enum { MOST_TRIED = 4 };
    bool ended = commands[t->event.verb].scope == SCOPE_ENDED;
    const struct session *newest = NULL;
    const struct session_row *row;
    int64_t below = INT64_MAX;
    for (int i = 0; i < MOST_TRIED; i++, below = row->id) {
        row = store_last_begun_of_chat(t->store, t->arena, t->chat.id, below);
        if (!row)
            break;
        const struct session *s = session_of(t, row);
        if (s && (!ended || s->end == END_PLAYED))
            return s;
        newest = newest ? newest : s;
    }
    if (newest)
        return newest;
    row = store_last_session_of_chat(t->store, t->arena, t->chat.id);
    return row ? session_of(t, row) : NULL;
}

void facts_lists(struct turn *t, unsigned facts)
{
    struct world *w = &t->world;
    if (facts & FACT_HERE)
        w->here =
            sessions_of(t, store_sessions_of_chat(t->store, t->arena, t->chat.id, MAX_CANDIDATES));
    if ((facts & FACT_MINE) && t->me.who)
        w->mine =
            sessions_of(t, store_sessions_of_person(t->store, t->arena, t->me.who, MAX_CANDIDATES));
    if (facts & FACT_LAST) {
        /* in private these are about the sender's own last match, wherever it was played */
        enum verb v = t->event.verb;
        bool own = v == VERB_SCORE || v == VERB_EXPORT || v == VERB_REVIEW || v == VERB_VERIFY ||
                   v == VERB_REPLAY;
        w->last = last_here(t);
        int64_t no =
            own && t->event.direct && t->me.who ? store_last_of_person(t->store, t->me.who) : 0;
        const struct session *s = no > (w->last ? w->last->no : 0) ? facts_session(t, no) : NULL;
        w->last = s ? s : w->last;
    }
    if (t->event.no)
        facts_named(t, t->event.no);
}
