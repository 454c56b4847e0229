/* A running match: start, deals, moves, resignations, ends. The rules are the engine's; this file
 * decides which notices follow, what the record gets, and what comes next. play_move.c and
 * play_sit.c read what players ask for. */
#include "beacon_wait.h"
#include "choice.h"
#include "notation.h"
#include "outcome.h"
#include "play.h"
#include "search.h"
#include "step_posts.h"

#include <assert.h>

/* ---- the record ---- */

static struct record_effect *add_record(struct step *st, enum record_kind kind,
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

void play_log(struct step *st, const struct session *before, const struct session *s,
              const struct round_log *log)
{
    if (log->n > 0)
        add_record(st, RECORD_LOG, before, step_snapshot(st, s))->log = *log;
}

/* ---- notices ---- */

struct notice *play_board(struct step *st, const struct session *s)
{
    struct notice *notice = effect_notice(st->fx, NOTICE_BOARD, TO_TABLE);
    notice->table = step_table(st, s, SEAT_PUBLIC);
    return notice;
}

void play_hand(struct step *st, const struct session *s, int seat, bool fresh, bool asked)
{
    if (session_by_computer(s, seat))
        return;
    struct notice *notice = effect_notice(st->fx, NOTICE_HAND, TO_SEAT);
    notice->seat = (int8_t)seat;
    notice->fresh = fresh;
    notice->n = asked;
    notice->table = step_table(st, s, seat);
}

void play_quiet(struct step *st, struct session *s)
{
    if (s->ping == 0)
        return;
    struct notice *notice = effect_notice(st->fx, NOTICE_QUIET, TO_TABLE);
    notice->only = (int8_t)s->ping_venue;
    notice->seat = (int8_t)s->ping_seat;
    notice->table = step_table(st, s, SEAT_PUBLIC);
    s->ping = 0;
    s->ping_venue = s->ping_seat = 0;
}

static void ping(struct step *st, const struct session *s)
{
    struct notice *notice = effect_notice(st->fx, NOTICE_PING, TO_TABLE);
    notice->seat = (int8_t)s->ping_seat;
    notice->only = (int8_t)s->ping_venue;
    notice->notify = true;
    notice->table = step_table(st, s, SEAT_PUBLIC);
}

static void mark_as_told(struct session *s, int seat)
{
    s->ping = s->version;
    s->ping_venue = s->player[seat].venue;
    s->ping_seat = (uint8_t)seat;
}

/* Another player is to move: a board for everyone, a ping for that player if they are away. */
static void pass_turn(struct step *st, struct session *s)
{
    int seat = session_turn(s);
    play_quiet(st, s);
    if (timer_tells(s, seat) && timer_away_at(st, s, seat) <= st->e->now)
        mark_as_told(s, seat);
    struct notice *board = play_board(st, s);
    board->notify = s->ping > 0;
    board->seat = (int8_t)seat;
    timer_turn(st, s);
    if (s->ping > 0)
        ping(st, s);
    play_hand(st, s, seat, true, false);
}

void play_tell(struct step *st, struct session *s)
{
    mark_as_told(s, session_turn(s));
    ping(st, s);
    timer_turn(st, s);
}

void play_show_again(struct step *st, const struct session *s, int venue)
{
    struct notice *board = play_board(st, s);
    board->only = (int8_t)venue;
    board->notify = s->ping > 0 && s->ping_venue == venue;
    board->seat = (int8_t)s->ping_seat;
    if (board->notify)
        ping(st, s);
    for (int i = 0; i < s->players && s->match.stage == MATCH_PLAYING; i++)
        if (s->player[i].venue == venue)
            play_hand(st, s, i, false, false);
}

/* ---- ends ---- */

/* A match counts in the season of every chat it was played in, unless it is casual. */
static void add_results_at(struct step *st, const struct session *s, int venue)
{
    const struct venue *v = session_venue(s, venue);
    for (int i = 0; i < s->players; i++) {
        const struct player *p = &s->player[i];
        struct result_effect *r = &st->fx->result[st->fx->n_results++];
        *r = (struct result_effect){.no = s->no,
                                    .chat = v->chat,
                                    .venue = (uint8_t)venue,
                                    .seat = (uint8_t)i,
                                    .casual = session_casual(s)};
        if (!p->computer) {
            r->person = p->person;
            r->who = (struct handle){.account = p->account,
                                     .id = arena_str(st->fx->arena, str_of(p->id)),
                                     .name = arena_str(st->fx->arena, str_of(p->name))};
        }
        struct match_outcome o = outcome_of(s, i);
        r->won = o.won;
        r->drawn = o.drawn;
        r->lost = o.lost;
        r->forfeit = o.forfeit;
        r->gave_up = o.lost && o.forfeit;
        r->points = s->match.scores[i] - rules_start_score(&s->rules);
    }
}

static void add_results(struct step *st, const struct session *s)
{
    for (int i = 0; i <= s->n_more; i++)
        add_results_at(st, s, i);
}

static void begin_pause(struct step *st, struct session *s)
{
    beacon_seal(st, s);
    for (int i = 0; i < s->players; i++) {
        s->player[i].ready = session_by_computer(s, i);
        memset(s->player[i].cut, 0, sizeof s->player[i].cut);
        memset(s->player[i].ahead, 0, sizeof s->player[i].ahead);
    }
    timer_set(s, st->e->now + PAUSE_MS, TIMER_READY);
}

/* A hand that ends the round as it was dealt is laid open. */
static void show_dealt_yaku(struct step *st, const struct session *s, struct notice *notice)
{
    const struct round *r = &s->match.round;
    for (int i = 0; i < s->players; i++)
        if (r->result.why == WHY_HAND_YAKU ? r->result.winner == i
                                           : r->result.why == WHY_HAND_YAKU_TIE &&
                                                 hand_yaku_of(step_ruleset(st, s), r->hand[i]))
            notice->shown[i] = r->hand[i];
}

static void show_end(struct step *st, struct session *s, int mover, bool is_void)
{
    bool over = s->match.stage == MATCH_OVER;
    if (over) {
        add_results(st, s);
        timer_close(s, END_PLAYED);
    } else {
        begin_pause(st, s);
    }
    play_quiet(st, s);
    for (int i = 0; i < s->players; i++)
        if (!session_by_computer(s, i)) {
            if (i == mover && !session_venue(s, s->player[i].venue)->direct)
                play_hand(st, s, i, false, false);
            step_posts_close_hand(st, s, i);
        }
    play_board(st, s);
    struct notice *notice = effect_notice(st->fx,
                                          over      ? NOTICE_MATCH
                                          : is_void ? NOTICE_VOID
                                                    : NOTICE_ROUND,
                                          TO_TABLE);
    notice->table = step_table(st, s, SEAT_PUBLIC);
    notice->n_results = session_casual(s) ? 0 : st->fx->n_results;
    notice->results = st->fx->result;
    show_dealt_yaku(st, s, notice);
    notice->notify = true;
    if (!over)
        step_posts_add(st, s, POSTED_PAUSE, notice);
}

/* The player chooses and decides on the board: no private message reaches them. */
static bool decides_on_board(const struct session *s, int seat)
{
    const struct venue *v = session_venue(s, s->player[seat].venue);
    return v->one_post || (s->player[seat].channel == CHANNEL_POPUP && !v->direct);
}

/* What was seen and asked of the position before does not hold any more. */
static void begin_position(struct step *st, const struct session *before, struct session *s)
{
    session_spend(s, before, st->e->now);
    s->version++;
    s->moved = st->e->now;
    s->nudged = 0;
    s->overdue = s->hinted = false;
    s->asked = s->ask = s->ask_seat = s->agreed = 0;
    memset(s->thought, 0, sizeof s->thought);
    memset(s->hint, 0, sizeof s->hint);
}

void play_follow(struct step *st, const struct session *before, struct session *s, int mover,
                 const struct round_log *log)
{
    play_log(st, before, s, log);
    bool is_void = log->n > 0 && log->at[log->n - 1].kind == LOG_VOID;
    begin_position(st, before, s);
    if (s->match.stage != MATCH_PLAYING) {
        show_end(st, s, mover, is_void);
        return;
    }
    int seat = session_turn(s);
    if (seat == mover) { /* a choice is still open, for that player alone */
        timer_turn(st, s);
        play_hand(st, s, seat, true, false);
        if (decides_on_board(s, seat))
            play_board(st, s);
        if (s->match.round.phase == PHASE_DECIDE && session_with_computer(s) &&
            !session_by_computer(s, seat))
            job_hint(st, s);
        return;
    }
    if (mover >= 0)
        play_hand(st, s, mover, false, false);
    struct move kept;
    if (!play_auto_kept(st, s, &kept)) {
        pass_turn(st, s);
        return;
    }
    play_quiet(st, s);
    play_board(st, s); /* what the mover did; the next board shows the kept move */
    const struct venue *v = session_venue(s, s->player[seat].venue);
    if (v->direct && !v->one_post) /* the hand is the board there */
        play_hand(st, s, seat, false, false);
    play_make(st, s, seat, kept);
}

/* ---- deals ---- */

/* A player's own words, else a fixed text: it leaves the host nothing to choose, nor the
 * network. */
static void fix_client_seeds(struct session *s)
{
    for (int i = 0; i < s->players; i++) {
        struct player *p = &s->player[i];
        char fixed[CUT_SIZE];
        struct buf b = BUF(fixed);
        buf_print(&b, "seat %d", i);
        NAME_PUT(p->seed, p->cut[0] ? str_of(p->cut) : buf_str(&b));
    }
}

static void shuffle_deck(const struct session *s, const struct seed *seed, int round, int attempt,
                         struct str beacon, uint8_t *ret)
{
    struct str client[MAX_PLAYERS];
    for (int i = 0; i < s->players; i++)
        client[i] = str_of(s->player[i].seed);
    chance_shuffle(seed, str_of(s->id), round, attempt, s->players, client, beacon, ret);
}

void play_deal_mixed(struct step *st, struct session *s, struct str beacon)
{
    static const struct seed none;
    const struct ruleset *g = step_ruleset(st, s);
    struct round_log log = {0};
    fix_client_seeds(s);
    s->deal_seed = s->next_seed;
    s->next_seed = none;
    s->beacon.deal = s->beacon.next;
    s->beacon.next = s->beacon.until = 0;
    NAME_PUT(s->beacon.value, beacon);
    for (int i = 0; i < s->players; i++)
        step_new_hand(&s->player[i], 0);
    const struct session *before = step_snapshot(st, s);
    struct record_effect *r = add_record(st, RECORD_DEAL, before, before);
    shuffle_deck(s, &s->deal_seed, s->match.round_no, s->match.attempt, str_of(s->beacon.value),
                 r->deck);
    match_deal(g, &s->match, r->deck, &log);
    play_follow(st, before, s, -1, &log);
}

void play_deal(struct step *st, struct session *s)
{
    if (!beacon_wait(st, s))
        play_deal_mixed(st, s, NO_BEACON);
}

/* Removes the venues, besides the home, in which no player sits. */
static void leave_empty_venues(struct step *st, struct session *s)
{
    for (int i = s->n_more; i > 0; i--) {
        bool empty = true;
        for (int p = 0; p < s->players; p++)
            empty &= s->player[p].venue != i;
        if (!empty)
            continue;
        struct notice *notice = notice_line(st, TO_TABLE, T_OFFER_INLINE, ARGS(arg_seat(s, 0)));
        notice->only = (int8_t)i;
        notice->table = step_table(st, s, SEAT_PUBLIC);
        session_drop_venue(s, i);
    }
}

/* Draws the lots, and seats the players. */
static void seat_players(struct step *st, struct session *s)
{
    uint8_t deck[N_CARDS] = {0};
    struct seats seats;
    struct player joined[MAX_PLAYERS];
    fix_client_seeds(s); /* by the order of joining */
    if (session_has_lots(s))
        shuffle_deck(s, &s->lots_seed, 0, 1, NO_BEACON, deck);
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
        s->player[i].time_left = s->total_ms;
    }
    s->phase = SESSION_PLAYING;
    match_start(&s->rules, s->players, seats.dealer, &s->match);
    const struct session *seated = step_snapshot(st, s);
    add_record(st, RECORD_MATCH, seated, seated);
}

void play_start(struct step *st, struct session *s)
{
    seat_players(st, s);
    struct notice *notice = effect_notice(st->fx, NOTICE_START, TO_TABLE);
    notice->table = step_table(st, s, SEAT_PUBLIC);
    play_deal(st, s);
}

void play_open(struct step *st, struct session *s)
{
    seat_players(st, s);
    begin_pause(st, s);
    struct notice *notice = effect_notice(st->fx, NOTICE_START, TO_TABLE);
    notice->table = step_table(st, s, SEAT_PUBLIC);
    notice->notify = true;
}

/* ---- moves ---- */

void play_make(struct step *st, struct session *s, int seat, struct move m)
{
    const struct ruleset *g = step_ruleset(st, s);
    const struct session *before = step_snapshot(st, s);
    struct round_log log = {0};
    enum illegal no = match_apply(g, &s->match, seat, m, &log);
    assert(no == LEGAL);
    (void)no;
    play_auto(g, s, &log);
    play_follow(st, before, s, seat, &log);
}
