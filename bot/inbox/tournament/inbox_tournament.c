/* Tournaments: the facts of an event about one, how it is stored, and the result of a match that
 * has ended, which is an event of its own in the same transaction. */
#include "inbox_internal.h"

#include "log.h"
#include "notation.h"
#include "rating.h"
#include "store_played.h"
#include "store_tournament.h"
#include "zone.h"

/* ---- reading ---- */

void tournament_chat_settings(struct turn *t, const struct chat *chat,
                              struct chat_settings *ret_settings, int32_t *ret_offset)
{
    chat_settings_default(ret_settings);
    chat_settings_read(chat->settings, ret_settings);
    if (!zone_offset_cached(t->in->zone_cache, str_of(ret_settings->zone), t->event.now,
                            ret_offset))
        *ret_offset = 0;
}

static bool add_chat(struct turn *t, struct tournament_run *run, int64_t id)
{
    struct chat chat;
    struct chat_settings settings;
    bool found;
    for (int i = 0; i < run->n_chats; i++)
        if (run->chat_id[i] == id)
            return true;
    if (run->n_chats == TOURNAMENT_CHATS)
        return true;
    if (!store_chat_by_id(t->in->parts.store, t->in->turn, id, &chat, &found, t->err))
        return false;
    if (!found)
        return true;
    struct seen_from *at = &run->at[run->n_chats];
    tournament_chat_settings(t, &chat, &settings, &at->utc_offset);
    const struct account *account = turn_account(t->in, chat.account);
    at->account = chat.account;
    at->chat = chat.key;
    at->chat_name = chat.name;
    at->language = arena_str(t->in->turn, str_of(settings.language));
    at->direct = chat.direct;
    at->one_post = account && (account_can(account, chat.key) & CAN_ONE_POST);
    run->chat_id[run->n_chats++] = id;
    return true;
}

/* A new player's, before the first rated match. */
static bool rating_load(struct turn *t, int64_t chat, int64_t who, int64_t *ret)
{
    struct rating_row row;
    struct rating fresh;
    bool found;
    if (!store_rating_of(t->in->parts.store, t->in->turn, chat, who, &row, &found, t->err))
        return false;
    rating_new(&fresh);
    *ret = (found ? row.points : fresh.points) / RATING_UNIT;
    return true;
}

static bool players_load(struct turn *t, struct tournament_run *run, int64_t chat)
{
    struct store *store = t->in->parts.store;
    struct tournament_player_rows rows;
    struct person p;
    bool found;
    if (!store_tournament_players(store, t->in->turn, run->t.no, &rows, t->err))
        return false;
    for (int i = 0; i < rows.n && i < ENTRANTS_MOST; i++) {
        struct tournament_entrant *e = &run->t.entrant[run->t.n_entrants++];
        const struct tournament_player_row *row = &rows.at[i];
        *e = (struct tournament_entrant){
            .handle = row->handle, .chat = row->chat, .rating = row->rating, .out = row->gone != 0};
        if (!store_person_by_id(store, t->in->turn, row->handle, &p, &found, t->err) ||
            !add_chat(t, run, row->chat))
            return false;
        if (!found)
            continue;
        e->person = p.who;
        e->name = text_clean(t->in->turn, p.name, NAME_COLUMNS);
        if (run->t.stage == STAGE_OPEN && !rating_load(t, chat, p.who, &e->rating))
            return false;
    }
    return true;
}

static bool games_load(struct turn *t, struct tournament *to)
{
    struct tournament_game_rows rows;
    if (!store_tournament_games(t->in->parts.store, t->in->turn, to->no, &rows, t->err))
        return false;
    for (int i = 0; i < rows.n && i < GAMES_MOST; i++) {
        const struct tournament_game_row *r = &rows.at[i];
        to->game[to->n_games++] = (struct tournament_game){.round = (uint8_t)r->round,
                                                           .board = (uint8_t)r->board,
                                                           .first = (uint8_t)r->first,
                                                           .second = (uint8_t)r->second,
                                                           .result = (uint8_t)r->result,
                                                           .unplayed = r->unplayed != 0,
                                                           .session = r->session};
    }
    return true;
}

static bool host_load(struct turn *t, struct tournament_run *run)
{
    struct person p;
    bool found;
    if (!store_person_by_id(t->in->parts.store, t->in->turn, run->host_handle, &p, &found, t->err))
        return false;
    run->host = found ? p.who : 0;
    run->host_name = found ? text_clean(t->in->turn, p.name, NAME_COLUMNS) : (struct str){0};
    return true;
}

bool tournament_load(struct turn *t, int64_t no, struct tournament_run **ret)
{
    struct tournament_row row;
    bool found;
    *ret = NULL;
    if (!store_tournament(t->in->parts.store, t->in->turn, no, &row, &found, t->err))
        return false;
    struct tournament_run *run = arena_new(t->in->turn, struct tournament_run);
    if (!found || row.format >= N_FORMATS || row.stage >= N_STAGES)
        return true;
    run->t.no = row.id;
    run->t.format = (uint8_t)row.format;
    run->t.stage = (uint8_t)row.stage;
    run->t.rounds = (int)row.rounds;
    run->t.round = (int)row.round;
    run->chat = row.chat;
    run->host_handle = row.host;
    run->round_ms = row.round_ms;
    run->time.move_ms = row.clock_ms;
    run->time.total_ms = row.total_ms;
    run->time.gain_ms = row.gain_ms;
    run->ends = row.ends;
    run->due = row.due;
    run->reminded = row.reminded != 0;
    run->by_code = row.by_code != 0;
    if (notation_read_rules(row.rules.p, row.rules.n, &run->rules) >= 0) {
        log_line(LOG_ERROR, "tournament_unreadable", "field", "rules", NULL);
        return true;
    }
    if (!add_chat(t, run, row.chat) || !players_load(t, run, row.chat) || !games_load(t, &run->t) ||
        !host_load(t, run))
        return false;
    *ret = run;
    return true;
}

/* ---- the one that is meant ---- */

static bool belongs(const struct turn *t, const struct tournament_run *run)
{
    for (int i = 0; i < run->n_chats; i++)
        if (run->chat_id[i] == t->chat.id)
            return true;
    return tournament_find(&run->t, t->me.who) >= 0;
}

/* The code of "/tournament join 3-k7qfm2xa", which is taken out of the words. */
static bool take_code(struct turn *t, int64_t *ret)
{
    struct event *e = &t->event;
    for (struct str rest = e->words, w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (rest.n == 0 && join_code_read(t->in->key, VERB_TOURNAMENT, w, t->in->turn, ret)) {
            e->words = str_trim((struct str){e->words.p, (size_t)(w.p - e->words.p)});
            return true;
        }
    return false;
}

/* The match that the sender, or the one they name, plays in it now; 0 if not found. */
static int64_t running_match(const struct turn *t, struct tournament_run *run)
{
    int64_t who = t->event.n_mentions ? t->world.mention[0].person : t->me.who;
    int at = tournament_find(&run->t, who);
    const struct tournament_game *g = at >= 0 ? tournament_game_of(&run->t, at) : NULL;
    return g ? g->session : 0;
}

bool facts_tournament(struct turn *t, int64_t *ret_match)
{
    struct store *store = t->in->parts.store;
    struct tournament_run *run;
    int64_t no = t->event.no, code = 0;
    bool by_code = take_code(t, &code);
    *ret_match = 0;
    if (!facts_mentions(t))
        return false;
    if (by_code)
        no = code;
    else if (no == 0 && !store_tournament_of_chat(store, t->chat.id, false, &no, t->err))
        return false;
    if (no == 0 && t->event.direct && t->me.who &&
        !store_tournament_of_person(store, t->me.who, &no, t->err))
        return false;
    if (no == 0)
        return true;
    if (!tournament_load(t, no, &run))
        return false;
    if (!run || (!belongs(t, run) && !(by_code && run->by_code)))
        return true;
    t->world.tournament = run;
    *ret_match = running_match(t, run);
    return true;
}

/* ---- storing ---- */

static struct tournament_row tournament_row_of(struct turn *t, const struct tournament_run *run)
{
    char *rules = arena_alloc(t->in->turn, NOTATION_MAX);
    notation_rules(&run->rules, rules);
    return (struct tournament_row){.id = run->t.no,
                                   .chat = run->chat,
                                   .host = run->host_handle,
                                   .format = run->t.format,
                                   .stage = run->t.stage,
                                   .rounds = run->t.rounds,
                                   .round = run->t.round,
                                   .round_ms = run->round_ms,
                                   .clock_ms = run->time.move_ms,
                                   .total_ms = run->time.total_ms,
                                   .gain_ms = run->time.gain_ms,
                                   .ends = run->ends,
                                   .due = run->due,
                                   .reminded = run->reminded,
                                   .by_code = run->by_code,
                                   .rules = str_of(rules)};
}

static bool players_changed(const struct tournament *was, const struct tournament *is)
{
    bool changed = was->n_entrants != is->n_entrants || was->stage != is->stage;
    for (int i = 0; i < is->n_entrants && !changed; i++)
        changed = was->entrant[i].handle != is->entrant[i].handle ||
                  was->entrant[i].out != is->entrant[i].out;
    return changed;
}

static bool players_save(struct turn *t, const struct tournament *to)
{
    struct tournament_player_rows rows = {
        to->n_entrants, arena_array(t->in->turn, struct tournament_player_row, ENTRANTS_MOST)};
    for (int i = 0; i < to->n_entrants; i++) {
        const struct tournament_entrant *e = &to->entrant[i];
        rows.at[i] = (struct tournament_player_row){i, e->handle, e->chat, e->rating, e->out};
    }
    return store_set_tournament_players(t->in->parts.store, to->no, &rows, t->err);
}

static bool same_game(const struct tournament_game *a, const struct tournament_game *b)
{
    return a->result == b->result && a->session == b->session && a->unplayed == b->unplayed;
}

static bool games_save(struct turn *t, const struct tournament *was, const struct tournament *is)
{
    for (int i = 0; i < is->n_games; i++) {
        const struct tournament_game *g = &is->game[i];
        const struct tournament_game_row row = {g->round,  g->board,    g->first,  g->second,
                                                g->result, g->unplayed, g->session};
        if ((i >= was->n_games || !same_game(&was->game[i], g)) &&
            !store_set_tournament_game(t->in->parts.store, is->no, &row, t->err))
            return false;
    }
    return true;
}

bool settle_tournament(struct turn *t, const struct effects *fx)
{
    static const struct tournament none;
    struct tournament_run *run = fx->tournament;
    if (!run)
        return true;
    const struct tournament *was =
        run->t.no && t->world.tournament ? &t->world.tournament->t : &none;
    if (run->begins)
        run->t.game[run->begins - 1].session = fx->save[0]->no;
    struct tournament_row row = tournament_row_of(t, run);
    if (run->t.no == 0) {
        if (!store_new_tournament(t->in->parts.store, &row, t->err))
            return false;
        run->t.no = row.id;
    } else if (!store_save_tournament(t->in->parts.store, &row, t->err)) {
        return false;
    }
    return (!players_changed(was, &run->t) || players_save(t, &run->t)) &&
           games_save(t, was, &run->t);
}

/* ---- the result of a match ---- */

bool tournament_result_turn(struct turn *t, const struct session *s, struct turn **ret)
{
    struct tournament_run *run;
    *ret = NULL;
    if (!tournament_load(t, s->tournament, &run))
        return false;
    if (!run)
        return true;
    struct turn *next = *ret = arena_new(t->in->turn, struct turn);
    *next = *t;
    next->event = (struct event){.verb = VERB_TOURNAMENT_RESULT,
                                 .account = t->event.account,
                                 .chat = t->event.chat,
                                 .chat_name = t->event.chat_name,
                                 .direct = t->event.direct,
                                 .now = t->event.now,
                                 .version = -1,
                                 .index = -1,
                                 .no = s->no};
    t->in->parts.clock->chance(t->in->parts.clock->arg, next->event.chance,
                               sizeof next->event.chance);
    next->world.me.person = next->world.me.handle = 0;
    next->world.here.n = next->world.mine.n = 0;
    next->world.tournament = run;
    next->world.named = s;
    return true;
}
