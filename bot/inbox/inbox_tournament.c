/* Tournaments: the facts of an event about one, how it is stored, the result of a match that has
 * ended, which is an event of its own in the same transaction, and the timer. */
#include "inbox_features.h"

#include "notation.h"
#include "rating.h"
#include "store_tournament.h"

/* ---- reading ---- */

void facts_seen_from(struct turn *t, const struct chat *chat, struct seen_from *ret)
{
    struct chat_settings settings = facts_settings_of(t, chat, &ret->utc_offset);
    const struct account *account = turn_account(t->in, chat->account);
    ret->account = chat->account;
    ret->chat = chat->key;
    ret->chat_name = chat->name;
    ret->language = arena_str(t->arena, str_of(settings.language));
    ret->direct = chat->direct;
    ret->one_post = account && (account_can(account, chat->key) & CAN_ONE_POST);
}

static void add_chat(struct turn *t, struct tournament_run *run, int64_t id)
{
    for (int i = 0; i < run->n_chats; i++)
        if (run->chat_id[i] == id)
            return;
    const struct chat *chat =
        run->n_chats < TOURNAMENT_CHATS ? store_chat_by_id(t->store, t->arena, id) : NULL;
    if (!chat)
        return;
    facts_seen_from(t, chat, &run->at[run->n_chats]);
    run->chat_id[run->n_chats++] = id;
}

static void players_load(struct turn *t, struct tournament_run *run)
{
    struct tournament_player_rows rows = store_tournament_players(t->store, t->arena, run->t.no);
    struct rating fresh; /* a new player's, before the first rated match */
    rating_new(&fresh);
    for (int i = 0; i < rows.n && i < ENTRANTS_MOST; i++) {
        struct tournament_entrant *e = &run->t.entrant[run->t.n_entrants++];
        const struct tournament_player_row *row = &rows.at[i];
        const struct person *p = store_person_by_id(t->store, t->arena, row->handle);
        *e = (struct tournament_entrant){
            .handle = row->handle, .chat = row->chat, .rating = row->rating, .out = row->gone != 0};
        add_chat(t, run, row->chat);
        if (!p)
            continue;
        e->person = p->who;
        e->account = p->account;
        e->id = p->network_id;
        e->name = turn_name(t, p->name);
        e->left_chat = person_has_left(p, row->chat);
        if (e->left_chat) {
            struct person_prefs prefs = facts_prefs_of(t, p->who);
            facts_offsets(t, &prefs);
            e->quiet = absence_quiet_end(&prefs.absence, t->event.now) > 0;
        }
        if (run->t.stage == STAGE_OPEN) {
            const struct rating_row *rated = store_rating_of(t->store, t->arena, run->chat, p->who);
            e->rating = (rated ? rated->points : fresh.points) / RATING_UNIT;
        }
    }
}

/* Returns NULL if there is no such tournament, or its rules cannot be read. */
static struct tournament_run *tournament_load(struct turn *t, int64_t no)
{
    const struct tournament_row *row = store_tournament(t->store, t->arena, no);
    if (!row || row->format >= N_FORMATS || row->stage >= N_STAGES)
        return NULL;
    struct tournament_run *run = arena_new(t->arena, struct tournament_run);
    run->t.no = row->id;
    run->t.format = (uint8_t)row->format;
    run->t.stage = (uint8_t)row->stage;
    run->t.rounds = (int)row->rounds;
    run->t.round = (int)row->round;
    run->chat = row->chat;
    run->host_handle = row->host;
    run->round_ms = row->round_ms;
    run->time.move_ms = row->clock_ms;
    run->time.total_ms = row->total_ms;
    run->time.gain_ms = row->gain_ms;
    run->ends = row->ends;
    run->due = row->due;
    run->reminded = row->reminded != 0;
    run->by_code = row->by_code != 0;
    if (notation_read_rules(row->rules.p, row->rules.n, &run->rules) >= 0) {
        log_line(LOG_ERROR, "tournament_unreadable", "field", "rules", NULL);
        return NULL;
    }
    add_chat(t, run, row->chat);
    players_load(t, run);
    struct tournament_game_rows games = store_tournament_games(t->store, t->arena, run->t.no);
    for (int i = 0; i < games.n && i < GAMES_MOST; i++) {
        const struct tournament_game_row *r = &games.at[i];
        run->t.game[run->t.n_games++] = (struct tournament_game){.round = (uint8_t)r->round,
                                                                 .board = (uint8_t)r->board,
                                                                 .first = (uint8_t)r->first,
                                                                 .second = (uint8_t)r->second,
                                                                 .result = (uint8_t)r->result,
                                                                 .unplayed = r->unplayed != 0,
                                                                 .session = r->session};
    }
    const struct person *host = store_person_by_id(t->store, t->arena, run->host_handle);
    if (host) {
        run->host = host->who;
        run->host_name = turn_name(t, host->name);
    }
    return run;
}

/* ---- the one that is meant ---- */

/* The code of "/tournament join 3-k7qfm2xa", which is taken out of the words. */
static bool take_code(struct turn *t, int64_t *ret)
{
    struct event *e = &t->event;
    for (struct str rest = e->words, w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (rest.n == 0 && join_code_read(t->in->key, VERB_TOURNAMENT, w, t->arena, ret)) {
            e->words = str_trim((struct str){e->words.p, (size_t)(w.p - e->words.p)});
            return true;
        }
    return false;
}

/* Returns the match that the sender, or the one they name, plays in it now; 0: none. */
static int64_t load_meant(struct turn *t)
{
    int64_t no = t->event.no, code = 0;
    bool by_code = take_code(t, &code);
    facts_mentions(t);
    if (by_code)
        no = code;
    else if (no == 0)
        no = store_tournament_of_chat(t->store, t->chat.id, false);
    if (no == 0 && t->event.direct && t->me.who)
        no = store_tournament_of_person(t->store, t->me.who);
    struct tournament_run *run = no ? tournament_load(t, no) : NULL;
    if (!run)
        return 0;
    bool belongs = tournament_find(&run->t, t->me.who) >= 0 || (by_code && run->by_code);
    for (int i = 0; i < run->n_chats; i++)
        belongs |= run->chat_id[i] == t->chat.id;
    if (!belongs)
        return 0;
    t->world.tournament = run;
    int at = tournament_find(&run->t, t->event.n_mentions ? t->world.mention[0].person : t->me.who);
    const struct tournament_game *g = at >= 0 ? tournament_game_of(&run->t, at) : NULL;
    return g ? g->session : 0;
}

/* ---- storing ---- */

static void settle(struct turn *t, struct effects *fx)
{
    static const struct tournament none;
    struct tournament_run *run = fx->tournament;
    if (!run)
        return;
    const struct tournament *was =
        run->t.no && t->world.tournament ? &t->world.tournament->t : &none;
    char rules[NOTATION_MAX];
    notation_rules(&run->rules, rules);
    const struct tournament_row row = {.id = run->t.no,
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
    if (run->begins)
        run->t.game[run->begins - 1].session = fx->save[0]->no;
    if (run->t.no)
        store_save_tournament(t->store, &row);
    else
        run->t.no = store_new_tournament(t->store, &row);
    const struct tournament *is = &run->t;
    struct tournament_player_rows rows = {
        is->n_entrants, arena_array(t->arena, struct tournament_player_row, ENTRANTS_MOST)};
    bool changed = was->n_entrants != is->n_entrants || was->stage != is->stage;
    for (int i = 0; i < is->n_entrants; i++) {
        const struct tournament_entrant *e = &is->entrant[i], *before = &was->entrant[i];
        changed = changed || before->handle != e->handle || before->out != e->out;
        rows.at[i] = (struct tournament_player_row){
            .place = i, .handle = e->handle, .chat = e->chat, .rating = e->rating, .gone = e->out};
    }
    if (changed)
        store_set_tournament_players(t->store, is->no, &rows);
    for (int i = 0; i < is->n_games; i++) {
        const struct tournament_game *g = &is->game[i], *before = &was->game[i];
        if (i >= was->n_games || before->result != g->result || before->session != g->session ||
            before->unplayed != g->unplayed)
            store_set_tournament_game(t->store, &(struct tournament_game_row){
                                                    is->no, g->round, g->board, g->first, g->second,
                                                    g->result, g->unplayed, g->session});
    }
}

/* ---- the result of a match ---- */

static struct turn *result_turn(struct turn *t, const struct session *s)
{
    struct tournament_run *run = s->tournament ? tournament_load(t, s->tournament) : NULL;
    if (!run)
        return NULL;
    struct turn *next = arena_new(t->arena, struct turn);
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
    return next;
}

/* ---- the timer ---- */

bool facts_seat(struct turn *t, int64_t chat_id, int64_t handle, int64_t person,
                struct tournament_seat *ret)
{
    const struct chat *chat = store_chat_by_id(t->store, t->arena, chat_id);
    const struct person *p = store_person_by_id(t->store, t->arena, handle);
    const struct account *account = chat ? turn_account(t->in, chat->account) : NULL;
    if (!account || !p)
        return false;
    *ret = (struct tournament_seat){.can = account_can(account, chat->key)};
    struct venue *v = &ret->venue;
    struct chat_settings settings = facts_settings_of(t, chat, &v->utc_offset);
    v->chat = chat->id;
    v->account = chat->account;
    v->board_picture = settings.board_picture;
    v->direct = chat->direct;
    v->one_post = (ret->can & CAN_ONE_POST) != 0;
    NAME_PUT(v->chat_key, chat->key);
    NAME_PUT(v->chat_name, chat->name);
    NAME_PUT(v->language, str_of(settings.language));
    struct player *player = &ret->player;
    struct person_prefs prefs = facts_prefs_of(t, person);
    facts_offsets(t, &prefs);
    player->person = person;
    player->account = p->account;
    NAME_PUT(player->id, p->network_id);
    NAME_PUT(player->name, turn_name(t, p->name));
    NAME_PUT(player->handle, p->handle);
    player->left_chat = !chat->direct && person_has_left(p, chat->id);
    player->absence = prefs.absence;
    NAME_PUT(player->language, str_of(prefs.language));
    return true;
}

/* A player of the game that begins next. */
static bool load_player(struct turn *t, const struct tournament_entrant *e,
                        struct tournament_seat *ret)
{
    return facts_seat(t, e->chat, e->handle, e->person, ret);
}

struct turn *tournament_banned_turn(struct inbox *in, int64_t no, int64_t person)
{
    arena_reset(in->turn);
    const struct tournament_row *row = store_tournament(in->parts.store, in->turn, no);
    struct turn *t = row && row->stage <= STAGE_RUNNING ? turn_begin_in(in, row->chat) : NULL;
    struct tournament_run *run = t ? tournament_load(t, no) : NULL;
    if (!run)
        return NULL;
    t->event.verb = VERB_BANNED_ENTRANT;
    t->world.tournament = run;
    t->world.mention[0].person = person;
    return t;
}

void inbox_move_tournaments(struct inbox *in, int64_t ms)
{
    store_move_tournaments(in->parts.store, ms);
}

static struct turn *due_turn(struct inbox *in, int64_t put_off)
{
    int64_t now = clock_now(in->parts.clock), no = store_tournament_due(in->parts.store, now);
    if (no == 0)
        return NULL;
    arena_reset(in->turn);
    const struct tournament_row *row = store_tournament(in->parts.store, in->turn, no);
    struct turn *t = row && !put_off ? turn_begin_in(in, row->chat) : NULL;
    struct tournament_run *run = t ? tournament_load(t, no) : NULL;
    if (!run) { /* its network is not configured now, or it cannot be read */
        store_set_tournament_due(in->parts.store, no, now + (put_off ? put_off : DAY_MS));
        return NULL;
    }
    const struct tournament_game *open = tournament_next_open(&run->t);
    const struct tournament_game *g = tournament_next_to_begin(&run->t);
    struct tournament_seat *seat = arena_array(t->arena, struct tournament_seat, 2);
    if (g && load_player(t, &run->t.entrant[g->first], &seat[0]) &&
        load_player(t, &run->t.entrant[g->second], &seat[1]))
        run->next = seat;
    if (open && open->session)
        facts_named(t, open->session); /* the match of the game that is decided next */
    t->event.verb = VERB_TOURNAMENT_DUE;
    t->world.tournament = run;
    return t;
}

static void load(struct turn *t)
{
    int64_t match = load_meant(t);
    t->world.named = NULL; /* the number is that of the tournament */
    if (match)
        facts_named(t, match);
}

static void list(struct store *s, struct arena *a, int64_t who, struct buf *b)
{
    struct ids all = store_tournaments_of_person(s, a, who);
    for (int i = 0; i < all.n; i++)
        buf_print(b, "{\"t\":\"tournament\",\"no\":%lld}\n", (long long)all.at[i]);
}

const struct inbox_feature inbox_tournament = {.facts = FACT_TOURNAMENT,
                                               .load = load,
                                               .settle = settle,
                                               .ended = result_turn,
                                               .date = "tournament",
                                               .due = due_turn,
                                               .list = list};
