/* Facts of an event, read from the store before the core runs: its chat, its sender, the matches it
 * may mean, scoreboards and records. The core itself reads nothing. To add a fact: a bit in enum
 * fact, a row of the command table that asks for it, and a few lines here. */
#include "inbox_operator.h"

#include "log.h"
#include "replay.h"
#include "record_rounds.h"
#include "season_table.h"
#include "zone.h"

#include <assert.h>

/* ---- sessions ---- */

/* A chat that moves keeps its row and gets a new key, or is merged into another: its sessions
 * follow when they are read next. */
static bool follow_chat(struct turn *t, int64_t id, struct venue *v)
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

/* Brings a parsed session up to date: keys of chats that moved, and persons that were linked after
 * the match ended. A seat without an account (from the time of one network) is on the home's. */
static bool follow(struct turn *t, const struct session_row *row, struct session *s)
{
    struct person p;
    bool found;
    for (int i = 0; i < row->n_chats && i <= s->n_more; i++)
        if (!follow_chat(t, row->chat[i], i ? &s->venue[i] : &s->venue[0]))
            return false;
    for (int i = 0; i < s->players; i++) {
        if (s->player[i].account == 0)
            s->player[i].account = s->venue[0].account;
        if (row->live || s->player[i].person == 0)
            continue;
        if (!store_person_by_id(t->in->parts.store, t->in->turn, s->player[i].person, &p, &found,
                                t->err))
            return false;
        s->player[i].person = found ? p.who : s->player[i].person;
    }
    return true;
}

static bool parse_line(struct turn *t, const struct session_row *row, struct session *ret)
{
    if (session_cache_find(t->in->session_cache, row->id, row->line, ret))
        return true;
    const char *wrong = session_read(row->line, &t->in->rulesets, ret);
    if (wrong) {
        struct str no = arena_print(t->in->turn, "%lld", (long long)row->id);
        log_line(LOG_ERROR, "session_unreadable", "session", no.p, "field", wrong, NULL);
        return false;
    }
    session_cache_put(t->in->session_cache, row->id, row->line, ret);
    return true;
}

/* A row as a session. Returns NULL if it is damaged, which is noted; if the line cannot be read,
 * which is logged, so that the chat goes on; and if the database failed: then store_broken() is
 * true. */
static const struct session *session_of(struct turn *t, const struct session_row *row)
{
    if (row->damaged) {
        if (row->due != DUE_ASIDE)
            turn_note_damaged(t->in, row->id);
        return NULL;
    }
    struct session *s = (void *)arena_room(t->in->turn, sizeof *s);
    if (!parse_line(t, row, s))
        return NULL;
    s->no = row->id;
    if (!follow(t, row, s))
        return NULL;
    assert(t->n_rows < (int)(sizeof t->row / sizeof *t->row));
    t->row_version[t->n_rows] = row->version;
    t->row[t->n_rows++] = s;
    return s;
}

static const struct session *already(const struct turn *t, int64_t no)
{
    for (int i = 0; i < t->n_rows; i++)
        if (t->row[i]->no == no)
            return t->row[i];
    return NULL;
}

/* Leaves out sessions that cannot be read. Returns false if the database failed. */
static bool sessions_of(struct turn *t, const struct session_rows *rows, const struct session **ret,
                        int *ret_n)
{
    int n = 0;
    for (int i = 0; i < rows->n && n < MAX_CANDIDATES; i++) {
        const struct session *s = already(t, rows->at[i].id);
        if (!s)
            s = session_of(t, &rows->at[i]);
        if (store_broken(t->in->parts.store))
            return false;
        if (s)
            ret[n++] = s;
    }
    *ret_n = n;
    return true;
}

bool facts_named(struct turn *t, int64_t no, bool *ret_found)
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
    return !store_broken(t->in->parts.store);
}

bool facts_chat(struct turn *t, struct str key, struct str name, bool direct)
{
    if (!store_chat(t->in->parts.store, t->in->turn, t->account->id, key, name, direct, &t->chat,
                    t->err))
        return false;
    t->world.chat.id = t->chat.id;
    t->world.chat.can = account_can(t->account, key);
    t->world.chat.said_at = turn_said_at(t, key);
    t->event.chat_name = t->chat.name;
    chat_settings_read(t->chat.settings, &t->world.chat.settings);
    if (!zone_offset_cached(t->in->zone_cache, str_of(t->world.chat.settings.zone), t->event.now,
                            &t->world.chat.utc_offset))
        t->world.chat.utc_offset = 0;
    return true;
}

/* A private chat speaks its person's language. */
static void language_of_person(struct turn *t)
{
    facts_language(t, t->event.from.language, &t->world.me.prefs);
    if (t->event.direct && !t->world.chat.settings.language[0])
        NAME_PUT(t->world.chat.settings.language, str_of(t->world.me.prefs.language));
}

bool facts_person(struct turn *t)
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
    t->world.me.person = t->me.who;
    t->world.me.handle = t->me.id;
    t->world.me.reachable = t->me.reachable;
    if (found)
        person_prefs_read(person.prefs, &t->world.me.prefs);
    t->banned = person.banned;
    t->ban_told = person.ban_told;
    facts_offsets(t, &t->world.me.prefs);
    language_of_person(t);
    return !e->direct || (t->me.reachable && str_is(t->me.direct_chat, e->chat)) ||
           store_set_direct(t->in->parts.store, t->me.id, e->chat, true, t->err);
}

/* The session of a row that was found. Returns false if the database failed. */
static bool found_session(struct turn *t, const struct session_row *row, bool found,
                          const struct session **ret)
{
    *ret = NULL;
    if (found)
        *ret = already(t, row->id) ? already(t, row->id) : session_of(t, row);
    return !store_broken(t->in->parts.store);
}

/* The newest ended match of the chat: for a command about ended ones the newest that was played to
 * its end, else the newest that began. A chat in which none began has its newest challenge. */
static bool last_load(struct turn *t)
{
    enum { MOST_TRIED = 4 };
    struct store *store = t->in->parts.store;
    bool ended = commands[t->event.verb].scope == SCOPE_ENDED, found = true;
    const struct session *s, *newest = NULL;
    struct session_row row;
    int64_t below = INT64_MAX;
    for (int i = 0; i < MOST_TRIED && found && !t->world.last; i++) {
        if (!store_last_begun_of_chat(store, t->in->turn, t->chat.id, below, &row, &found,
                                      t->err) ||
            !found_session(t, &row, found, &s))
            return false;
        newest = newest ? newest : s;
        if (s && (!ended || s->end == END_PLAYED))
            t->world.last = s;
        below = found ? row.id : below;
    }
    if (!t->world.last)
        t->world.last = newest;
    if (t->world.last)
        return true;
    return store_last_session_of_chat(store, t->in->turn, t->chat.id, &row, &found, t->err) &&
           found_session(t, &row, found, &t->world.last);
}

/* In private these are about the sender's own last match, wherever it was played. */
static bool own_last_load(struct turn *t)
{
    enum verb v = t->event.verb;
    bool own = v == VERB_SCORE || v == VERB_EXPORT || v == VERB_REVIEW || v == VERB_VERIFY ||
               v == VERB_REPLAY,
         found;
    struct session_row row;
    const struct session *s = t->world.last;
    int64_t no = 0;
    if (own && t->event.direct && t->me.who &&
        !store_last_of_person(t->in->parts.store, t->me.who, &no, t->err))
        return false;
    if (no > (s ? s->no : 0) &&
        (!store_session(t->in->parts.store, t->in->turn, no, &row, &found, t->err) ||
         !found_session(t, &row, found, &s)))
        return false;
    t->world.last = s ? s : t->world.last;
    return true;
}

bool facts_seeks(struct turn *t)
{
    struct session_row row;
    struct ids ids;
    bool found;
    if (!facts_seek_ids(t, &ids))
        return false;
    for (int i = 0; i < ids.n && t->seek.n < MAX_SEEKS; i++) {
        const struct session *s = NULL;
        if (!store_session(t->in->parts.store, t->in->turn, ids.at[i], &row, &found, t->err) ||
            !found_session(t, &row, found, &s))
            return false;
        if (s)
            t->seek.at[t->seek.n++] = s;
    }
    return true;
}

bool facts_lists(struct turn *t, unsigned facts)
{
    struct store *store = t->in->parts.store;
    struct session_rows rows;
    bool found = true;
    if (facts & FACT_HERE) {
        if (!store_sessions_of_chat(store, t->in->turn, t->chat.id, MAX_CANDIDATES, &rows, t->err))
            return false;
        if (!sessions_of(t, &rows, t->world.here.at, &t->world.here.n))
            return false;
    }
    if ((facts & FACT_MINE) && t->me.who) {
        if (!store_sessions_of_person(store, t->in->turn, t->me.who, MAX_CANDIDATES, &rows, t->err))
            return false;
        if (!sessions_of(t, &rows, t->world.mine.at, &t->world.mine.n))
            return false;
    }
    if ((facts & FACT_LAST) && (!last_load(t) || !own_last_load(t)))
        return false;
    return t->event.no == 0 || facts_named(t, t->event.no, &found);
}

/* ---- the scoreboard ---- */

static bool board_load(struct turn *t)
{
    struct board_facts *f = arena_new(t->in->turn, struct board_facts);
    struct season_running running;
    struct season_asked asked = {.chat = t->chat.id,
                                 .asker = t->me.who,
                                 .now = t->event.now,
                                 .page = t->event.pressed ? (int)t->event.index : 0};
    t->seasons.board = NULL;
    if (!seasons_asked(&t->world, &t->event, t->in->turn, &asked.key))
        return true;
    season_now(&t->world.chat.settings, t->event.now, &running);
    asked.running = running.key;
    asked.ends = season_end_in(str_of(t->world.chat.settings.zone), &asked.key);
    t->seasons.board = f;
    return season_table_load(t->in->parts.store, t->in->turn, &asked, f, t->err);
}

/* The step of /replay: a button's, or the number behind the command. */
static int64_t step_asked(const struct event *e)
{
    int64_t step = 0;
    return e->pressed ? e->index : str_int(e->words, &step) ? step : 0;
}

static bool record_load(struct turn *t, unsigned facts)
{
    struct err ignored;
    struct str record;
    const struct session *s = step_pick(&t->world, &t->event);
    if (!s)
        return true;
    if (!store_record(t->in->parts.store, t->in->turn, s->no, &record, t->err))
        return false;
    if (facts & FACT_RECORD)
        t->world.record = record;
    if ((facts & FACT_POSITION) && s->phase == SESSION_OVER && s->end == END_PLAYED &&
        !replay_position(record, step_asked(&t->event), t->in->turn, &t->world.position, &ignored))
        t->world.position = NULL; /* an unreadable record is no reason to stop */
    if (facts & FACT_ROUNDS)
        t->world.rounds.n = record_rounds_read(t->in->turn, record, &t->world.rounds.at);
    return true;
}

static void zone_check(struct turn *t)
{
    int32_t offset;
    for (struct str rest = t->event.words, w = str_word(&rest); w.n > 0; w = str_word(&rest)) {
        struct str value, name = str_cut(w, '=', &value);
        if (str_is(text_fold(t->in->turn, name), STR("zone")))
            t->world.zone_ok = value.n > 0 && value.n < sizeof t->world.chat.settings.zone &&
                               zone_offset(value, t->event.now, &offset);
    }
}

static bool tournament_facts(struct turn *t)
{
    int64_t match;
    bool found;
    if (!facts_tournament(t, &match))
        return false;
    t->world.named = NULL; /* the number is that of the tournament */
    return match == 0 || facts_named(t, match, &found);
}

bool facts_load(struct turn *t)
{
    unsigned facts = commands[t->event.verb].facts;
    if (t->event.verb == VERB_CHALLENGE && !facts_mentions(t))
        return false;
    if (t->event.verb == VERB_INVITE && !facts_inviter(t))
        return false;
    if (t->event.verb == VERB_SETTINGS)
        zone_check(t);
    if (t->event.verb == VERB_QUIET)
        facts_quiet(t);
    if ((t->event.verb == VERB_LINK || t->event.verb == VERB_UNLINK) && !facts_link(t))
        return false;
    if (((facts & FACT_OPEN) && !facts_open(t)) ||
        ((facts & FACT_OPERATOR) && !facts_operator(t)) || !facts_lists(t, facts))
        return false;
    const struct session *ended = facts & FACT_REVIEW ? step_pick(&t->world, &t->event) : NULL;
    if (ended)
        t->world.review = review_cache_find(t->in->review_cache, ended->no, t->event.now,
                                            &t->world.review_coming);
    if ((facts & FACT_STANDINGS) && !board_load(t))
        return false;
    if ((facts & FACT_FIGURES) && !facts_figures(t))
        return false;
    if (((facts & FACT_SEEKS) && !facts_seeks(t)) ||
        ((facts & FACT_WATCHERS) && !facts_watchers(t)))
        return false;
    if ((facts & FACT_PUZZLE) && !facts_puzzle(t))
        return false;
    if ((facts & FACT_KEPT) && !facts_kept(t))
        return false;
    if ((facts & FACT_TOURNAMENT) && !tournament_facts(t))
        return false;
    return !(facts & (FACT_ROUNDS | FACT_RECORD | FACT_POSITION)) || record_load(t, facts);
}
