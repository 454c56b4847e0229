/* A running match: deals, and what a move or a leaving leads to. Rules are the engine's; this file
 * decides what is told to whom, what goes into the record, and what happens next. What people ask
 * for is read in play_move.c and play_sit.c. */
#include "choice.h"
#include "note.h"
#include "search.h"
#include "stepping.h"

#include <assert.h>

static const struct ruleset *rules_of(struct step *st, const struct session *s)
{
    return made_ruleset(st->w->made, &s->rules);
}

static const struct session *as_it_is(struct step *st, const struct session *s)
{
    struct session *copy = arena_new(st->fx->arena, struct session);
    *copy = *s;
    return copy;
}

/* ---- the record ---- */

static struct record_effect *record(struct step *st, enum record_kind kind,
                                    const struct session *before, const struct session *after)
{
    assert(st->fx->n_records < MAX_RECORDS);
    struct record_effect *r = &st->fx->record[st->fx->n_records++];
    *r = (struct record_effect){.kind = (uint8_t)kind, .before = before, .after = after};
    for (int i = 0; i < st->fx->n_saves; i++)
        if (strcmp(st->fx->save[i]->id, after->id) == 0)
            r->session = (uint8_t)i;
    return r;
}

/* ---- what is said ---- */

static void board(struct step *st, const struct session *s)
{
    effect_say(st->fx, SAY_BOARD, TO_TABLE)->table = step_table(st, s, SEAT_PUBLIC);
}

void play_hand(struct step *st, const struct session *s, int seat, bool fresh, bool asked)
{
    if (s->player[seat].computer)
        return;
    struct say *say = effect_say(st->fx, SAY_HAND, TO_SEAT);
    say->seat = (int8_t)seat;
    say->fresh = fresh;
    say->n = asked;
    say->table = step_table(st, s, seat);
}

/* The message that waits for an answer is taken away. */
static void quiet(struct step *st, struct session *s)
{
    if (s->ping == 0)
        return;
    struct say *say = effect_say(st->fx, SAY_QUIET, TO_TABLE);
    say->only = (int8_t)s->ping_venue;
    say->seat = (int8_t)s->ping_seat;
    say->table = step_table(st, s, SEAT_PUBLIC);
    s->ping = 0;
    s->ping_venue = s->ping_seat = 0;
}

/* It is another player's turn: everybody sees the board, that player is told. */
static void hand_over(struct step *st, struct session *s)
{
    int seat = session_turn(s);
    quiet(st, s);
    board(st, s);
    knock_turn(st, s);
    if (s->player[seat].computer)
        return;
    const struct player *p = &s->player[seat];
    if (!session_venue(s, p->venue)->direct || !session_with_computer(s)) {
        s->ping = s->version;
        s->ping_venue = p->venue;
        s->ping_seat = (uint8_t)seat;
        struct say *ping = effect_say(st->fx, SAY_PING, TO_TABLE);
        ping->seat = (int8_t)seat;
        ping->only = (int8_t)p->venue;
        ping->notify = true;
        ping->table = step_table(st, s, SEAT_PUBLIC);
    }
    play_hand(st, s, seat, true, false);
}

/* ---- ends ---- */

/* A match counts in the season of every chat that it was played in. */
static void results_at(struct step *st, const struct session *s, int venue)
{
    const struct venue *v = session_venue(s, venue);
    struct season_key season, also[N_SEASON_LENGTHS - 1] = {{""}};
    season_at(st->e->now, v->utc_offset, (enum season_length)v->season, &season);
    for (int n = 0, length = 0; length < N_SEASON_LENGTHS; length++)
        if (length != v->season)
            season_at(st->e->now, v->utc_offset, (enum season_length)length, &also[n++]);
    for (int i = 0; i < s->players; i++) {
        const struct player *p = &s->player[i];
        struct result_effect *r = &st->fx->result[st->fx->n_results++];
        *r = (struct result_effect){
            .chat = v->chat, .venue = (uint8_t)venue, .seat = (uint8_t)i, .season = season};
        memcpy(r->also, also, sizeof also);
        r->who = (struct handle){.account = p->account,
                                 .id = arena_str(st->fx->arena, str_of(p->id)),
                                 .name = arena_str(st->fx->arena, str_of(p->name))};
        r->won = s->match.winner == i;
        r->drawn = s->match.winner < 0;
        r->lost = s->match.winner >= 0 && s->match.winner != i;
        r->points = s->match.scores[i] - rules_start_score(&s->rules);
    }
}

static void results(struct step *st, const struct session *s)
{
    for (int i = 0; i <= s->n_more && !session_with_computer(s); i++)
        results_at(st, s, i);
}

static void between(struct step *st, struct session *s)
{
    seed_from(st->e, CHANCE_NEXT, &s->next_seed);
    for (int i = 0; i < s->players; i++) {
        s->player[i].ready = s->player[i].computer;
        memset(s->player[i].event, 0, sizeof s->player[i].event);
        memset(s->player[i].cut, 0, sizeof s->player[i].cut);
    }
    s->due = st->e->now + PAUSE_MS;
    s->knock = KNOCK_READY;
}

static void tell_end(struct step *st, struct session *s, int mover, bool was_void)
{
    bool over = s->match.stage == MATCH_OVER;
    if (over) {
        results(st, s);
        knock_close(s, END_PLAYED);
    } else {
        between(st, s);
    }
    quiet(st, s);
    if (mover >= 0 && !session_venue(s, s->player[mover].venue)->direct)
        play_hand(st, s, mover, false, false);
    board(st, s);
    struct say *say = effect_say(st->fx,
                                 over       ? SAY_MATCH
                                 : was_void ? SAY_VOID
                                            : SAY_ROUND,
                                 TO_TABLE);
    say->table = step_table(st, s, SEAT_PUBLIC);
    say->n_results = st->fx->n_results;
    say->results = st->fx->result;
    say->notify = true;
}

/* What this player has to choose or decide stands on the board: nothing else reaches them. */
static bool asked_in_open(const struct session *s, int seat)
{
    const struct venue *v = session_venue(s, s->player[seat].venue);
    return v->one_post || (s->player[seat].channel == CHANNEL_POPUP && !v->direct);
}

/* After any change of the match. `mover` made it, -1 for a deal. */
static void settle(struct step *st, const struct session *before, struct session *s, int mover,
                   const struct round_log *log)
{
    if (log->n > 0)
        record(st, RECORD_LOG, before, as_it_is(st, s))->log = *log;
    bool was_void = log->n > 0 && log->at[log->n - 1].kind == LOG_VOID;
    s->version++;
    s->moved = st->e->now;
    s->overdue = false;
    s->nudged = 0;
    s->resign_asked = -1;
    memset(s->thought, 0, sizeof s->thought);
    memset(s->hint, 0, sizeof s->hint);
    s->hinted = false;
    s->asked = 0;
    if (s->match.stage != MATCH_PLAYING) {
        tell_end(st, s, mover, was_void);
        return;
    }
    int seat = session_turn(s);
    if (seat == mover) { /* still to choose: for that player alone */
        knock_turn(st, s);
        play_hand(st, s, seat, true, false);
        if (asked_in_open(s, seat))
            board(st, s);
        if (s->match.round.phase == PHASE_DECIDE && teach_casual(s) && !s->player[seat].computer)
            teach_think(st, s);
        return;
    }
    if (mover >= 0)
        play_hand(st, s, mover, false, false);
    hand_over(st, s);
}

/* ---- deals ---- */

static void client_seeds(struct step *st, struct session *s)
{
    char fallback[CUT_SIZE];
    NAME_PUT(fallback, st->e->id);
    for (int i = 0; i < s->players; i++) {
        struct player *p = &s->player[i];
        struct str given = p->cut[0] ? str_of(p->cut) : str_of(p->event);
        if (given.n == 0) {
            char made[CUT_SIZE];
            struct buf b = {made, 0, CUT_SIZE - 1, false};
            size_t n = strlen(fallback);
            buf_put(&b, (struct str){fallback, n < CUT_SIZE - 4 ? n : CUT_SIZE - 4});
            buf_char(&b, '.');
            buf_int(&b, i);
            NAME_PUT(p->seed, buf_str(&b));
        } else {
            NAME_PUT(p->seed, given);
        }
    }
}

static void deck_of(const struct session *s, const struct seed *seed, int round, int attempt,
                    uint8_t *ret)
{
    struct str client[MAX_PLAYERS];
    for (int i = 0; i < s->players; i++)
        client[i] = str_of(s->player[i].seed);
    chance_shuffle(seed, str_of(s->id), round, attempt, s->players, client, ret);
}

void play_deal(struct step *st, struct session *s)
{
    static const struct seed none;
    const struct ruleset *g = rules_of(st, s);
    struct round_log log = {0};
    if (s->match.round_no > 1 || s->match.attempt > 1)
        client_seeds(st, s);
    s->deal_seed = s->next_seed;
    s->next_seed = none;
    for (int i = 0; i < s->players; i++)
        s->player[i].hand_no++; /* a new message for each deal */
    const struct session *before = as_it_is(st, s);
    struct record_effect *r = record(st, RECORD_DEAL, before, before);
    deck_of(s, &s->deal_seed, s->match.round_no, s->match.attempt, r->deck);
    match_deal(g, &s->match, r->deck, &log);
    settle(st, before, s, -1, &log);
}

/* Chats that the challenge was brought to, and from which nobody plays. */
static void leave_empty_venues(struct step *st, struct session *s)
{
    for (int i = s->n_more; i > 0; i--) {
        bool empty = true;
        for (int p = 0; p < s->players; p++)
            empty &= s->player[p].venue != i;
        if (!empty)
            continue;
        struct say *say = say_line(st, TO_TABLE, T_OFFER_ELSEWHERE, ARGS(a_seat(s, 0)));
        say->only = (int8_t)i;
        say->table = step_table(st, s, SEAT_PUBLIC);
        session_drop_venue(s, i);
    }
}

void play_start(struct step *st, struct session *s)
{
    uint8_t deck[N_CARDS] = {0};
    struct seats seats;
    struct player joined[MAX_PLAYERS];
    client_seeds(st, s);
    if (session_has_lots(s))
        deck_of(s, &s->lots_seed, 0, 1, deck);
    chance_seats((enum first_dealer)s->rules.first_dealer, s->players, deck, &seats);
    for (int i = 0; s->again && i < s->players; i++)
        seats.joined[i] = (uint8_t)((s->first + i) % s->players);
    s->first = seats.dealer;
    leave_empty_venues(st, s);
    memcpy(joined, s->player, sizeof joined);
    for (int i = 0; i < s->players; i++) {
        s->player[i] = joined[seats.joined[i]];
        s->player[i].lot = seats.has_lots ? seats.lots[i] : CARD_NONE;
        s->player[i].seat_joined = seats.joined[i];
    }
    s->phase = SESSION_PLAYING;
    match_start(&s->rules, s->players, seats.dealer, &s->match);
    const struct session *seated = as_it_is(st, s);
    record(st, RECORD_MATCH, seated, seated);
    struct say *say = effect_say(st->fx, SAY_START, TO_TABLE);
    say->table = step_table(st, s, SEAT_PUBLIC);
    play_deal(st, s);
}

/* ---- moves ---- */

/* A drawn card that can only take one of two equal plains: nobody is asked. */
static void draw_alike(const struct ruleset *g, struct session *s, struct round_log *log)
{
    struct move legal[MAX_MOVES];
    struct round_log more = {0};
    if (s->match.stage != MATCH_PLAYING || s->match.round.phase != PHASE_DRAW)
        return;
    int seat = s->match.round.turn, n = round_legal(g, &s->match.round, seat, legal);
    if (!choice_is_one(legal, n))
        return;
    (void)match_apply(g, &s->match, seat, legal[0], &more);
    for (int i = 0; i < more.n && log->n < MAX_LOG; i++)
        log->at[log->n++] = more.at[i];
}

void play_make(struct step *st, struct session *s, int seat, struct move m)
{
    const struct ruleset *g = rules_of(st, s);
    const struct session *before = as_it_is(st, s);
    struct round_log log = {0};
    enum illegal no = match_apply(g, &s->match, seat, m, &log);
    assert(no == LEGAL);
    (void)no;
    draw_alike(g, s, &log);
    settle(st, before, s, seat, &log);
}

void play_leave(struct step *st, struct session *s, int seat, bool timeout)
{
    const struct ruleset *g = rules_of(st, s);
    const struct session *before = as_it_is(st, s);
    struct round_log log = {0};
    match_leave(g, &s->match, seat, &log);
    s->left = (int8_t)seat;
    s->left_timeout = timeout;
    settle(st, before, s, -1, &log);
}
