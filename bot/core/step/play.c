/* A running match: start, deals, moves, resignations, ends. The rules are the engine's; this file
 * decides which notices follow, what the record gets, and what comes next. play_move.c and
 * play_sit.c read what players ask for. */
#include "choice.h"
#include "notation.h"
#include "session.h"
#include "play.h"
#include "search.h"

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
    if (s->ping.version == 0)
        return;
    struct notice *notice = effect_notice(st->fx, NOTICE_QUIET, TO_TABLE);
    notice->only = (int8_t)s->ping.venue;
    notice->seat = (int8_t)s->ping.seat;
    notice->table = step_table(st, s, SEAT_PUBLIC);
    s->ping = (struct ping){0};
}

static void ping(struct step *st, const struct session *s)
{
    struct notice *notice = effect_notice(st->fx, NOTICE_PING, TO_TABLE);
    notice->seat = (int8_t)s->ping.seat;
    notice->only = (int8_t)s->ping.venue;
    notice->notify = true;
    notice->table = step_table(st, s, SEAT_PUBLIC);
}

static void mark_as_told(struct session *s, int seat)
{
    s->ping = (struct ping){s->version, s->player[seat].venue, (uint8_t)seat};
}

/* Another player is to move: a board for everyone, a ping for that player if they are away. */
static void pass_turn(struct step *st, struct session *s)
{
    int seat = session_turn(s);
    play_quiet(st, s);
    if (timer_tells(s, seat) && timer_away_at(st, s, seat) <= st->e->now)
        mark_as_told(s, seat);
    struct notice *board = play_board(st, s);
    board->notify = s->ping.version > 0;
    board->seat = (int8_t)seat;
    timer_turn(st, s);
    if (s->ping.version > 0)
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
    board->notify = s->ping.version > 0 && s->ping.venue == venue;
    board->seat = (int8_t)s->ping.seat;
    if (board->notify)
        ping(st, s);
    for (int i = 0; i < s->players && s->match.stage == MATCH_PLAYING; i++)
        if (s->player[i].venue == venue)
            play_hand(st, s, i, false, false);
}

/* ---- moves that follow by themselves ---- */

static void add_log(struct round_log *log, const struct round_log *more)
{
    for (int i = 0; i < more->n && log->n < MAX_LOG; i++)
        log->at[log->n++] = more->at[i];
}

/* Plays a drawn card that can only take one of two equal plains, which is no choice. */
static void resolve_equal_draw(const struct ruleset *g, struct session *s, struct round_log *log)
{
    struct move legal[MAX_MOVES];
    struct round_log more = {0};
    if (s->match.stage != MATCH_PLAYING || s->match.round.phase != PHASE_DRAW)
        return;
    int seat = s->match.round.turn, n = round_legal(g, &s->match.round, seat, legal);
    if (!choice_is_one(legal, n))
        return;
    (void)match_apply(g, &s->match, seat, legal[0], &more);
    add_log(log, &more);
}

/* Stops for a player who has a yaku and no call left (koikoi_limit), or no card: calling can bring
 * them nothing then. Only a dealer under oya-kan is paid if no player stops, and decides. */
static void stop_without_choice(const struct ruleset *g, struct session *s, struct round_log *log)
{
    const struct round *r = &s->match.round;
    struct round_log more = {0};
    struct move legal[MAX_MOVES];
    if (s->match.stage != MATCH_PLAYING || r->phase != PHASE_DECIDE)
        return;
    bool may_call = round_legal(g, r, r->turn, legal) > 1;
    bool oya_kan = s->rules.exhausted == EXHAUSTED_OYA_KAN && r->turn == r->dealer;
    if (may_call && (r->hand[r->turn] || oya_kan))
        return;
    (void)match_apply(g, &s->match, r->turn, (struct move){.kind = MOVE_STOP}, &more);
    add_log(log, &more);
}

void play_auto(const struct ruleset *g, struct session *s, struct round_log *log)
{
    resolve_equal_draw(g, s, log);
    stop_without_choice(g, s, log);
}

bool play_auto_kept(struct step *st, struct session *s, struct move *ret)
{
    int seat = session_turn(s);
    struct player *p = &s->player[seat];
    struct move legal[MAX_MOVES], m;
    if (!p->ahead[0])
        return false;
    bool good = notation_read_move(p->ahead, strlen(p->ahead), &m) < 0;
    memset(p->ahead, 0, sizeof p->ahead);
    if (!good)
        return false;
    int n = round_legal(step_ruleset(st, s), &s->match.round, seat, legal);
    for (int i = 0; i < n; i++)
        if (legal[i].kind == m.kind && legal[i].card == m.card && legal[i].take == m.take) {
            *ret = m;
            return true;
        }
    st->lost[seat] = (uint8_t)(m.card + 1);
    return false;
}

/* ---- ends ---- */

/* A match counts in the season of every chat it was played in, unless it is casual. */
static void add_results_at(struct step *st, const struct session *s, int venue)
{
    const struct venue *v = &s->venue[venue];
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
            if (i == mover && !s->venue[s->player[i].venue].direct)
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
    notice->results.n = session_casual(s) ? 0 : st->fx->n_results;
    notice->results.at = st->fx->result;
    show_dealt_yaku(st, s, notice);
    notice->notify = true;
    if (!over)
        step_posts_add(st, s, POSTED_PAUSE, notice);
}

/* The player chooses and decides on the board: no private message reaches them. */
static bool decides_on_board(const struct session *s, int seat)
{
    const struct venue *v = &s->venue[s->player[seat].venue];
    return v->one_post || (s->player[seat].channel == CHANNEL_POPUP && !v->direct);
}

/* What was seen and asked of the position before does not hold any more. */
static void begin_position(struct step *st, const struct session *before, struct session *s)
{
    session_spend(s, before, st->e->now);
    s->version++;
    s->moved = st->e->now;
    s->move = (struct awaited_move){0};
    s->ask = (struct open_question){0};
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
    const struct venue *v = &s->venue[s->player[seat].venue];
    if (v->direct && !v->one_post) /* the hand is the board there */
        play_hand(st, s, seat, false, false);
    play_make(st, s, seat, kept);
}

/* ---- seals, and the beacon ----
 *
 * The round is asked for as soon as it is published, and again and again until it comes (event
 * BEACON) or the wait is over; the timer of the session does that, so that a restart changes
 * nothing. */

enum {
    WAIT_MS = 10 * 1000, /* from the moment in which the last player is ready */
    AGAIN_MS = 2000,
    SPREAD_MS = 300 /* what a round needs to reach the servers that hand it out */
};

void beacon_seal(struct step *st, struct session *s)
{
    const struct beacon_chain *chain = st->w->bot->beacon;
    step_seed(st->e, CHANCE_NEXT, &s->next_seed);
    s->beacon.next = chain ? beacon_round_after(chain, st->e->now) : 0;
    s->beacon.until = 0;
    if (s->beacon.next)
        NAME_PUT(s->beacon.url, str_of(chain->url));
}

/* Orders the look-up of the round; its value comes back as an event. */
static void order_round(struct step *st, const struct session *s)
{
    st->fx->job = STEP_NEW(st, struct job_effect, .kind = JOB_BEACON, .no = s->no,
                           .version = s->version, .round = s->beacon.next);
}

bool beacon_wait(struct step *st, struct session *s)
{
    const struct beacon_chain *chain = st->w->bot->beacon;
    struct beacon_rounds *b = &s->beacon;
    int64_t now = st->e->now;
    if (b->next == 0 || !chain || strcmp(chain->url, b->url) != 0)
        return false;
    if (b->until == 0)
        b->until = now + WAIT_MS;
    int64_t ask = beacon_published(chain, b->next) + SPREAD_MS;
    if (now >= b->until || ask >= b->until)
        return false;
    for (int i = 0; i < s->players; i++)
        s->player[i].ready = true;
    if (ask > now) {
        timer_set(s, ask, TIMER_BEACON);
        return true;
    }
    order_round(st, s);
    timer_set(s, now + AGAIN_MS < b->until ? now + AGAIN_MS : b->until, TIMER_BEACON);
    return true;
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
        s->player[i].time_left = s->time.total_ms;
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

/* ---- breaks: a seat is left, a draw is agreed on, moves are taken back; play_ask.c asks first ---- */

void play_leave(struct step *st, struct session *s, int seat, bool timeout)
{
    const struct session *before = step_snapshot(st, s);
    struct round_log log = {0};
    match_leave(step_ruleset(st, s), &s->match, seat, &log);
    s->left = (int8_t)seat;
    s->left_timeout = timeout;
    play_follow(st, before, s, -1, &log);
}

void play_agree(struct step *st, struct session *s, int seat)
{
    const struct session *before = step_snapshot(st, s);
    struct round_log log = {0};
    match_agree(step_ruleset(st, s), &s->match, seat, &log);
    play_follow(st, before, s, -1, &log);
}

void play_stop_for_choice(struct step *st, struct session *s)
{
    play_quiet(st, s);
    s->move.overdue = false;
    s->move.nudged = 0;
    s->beacon.until = 0; /* a deal that waits for it waits anew */
    play_board(st, s);
}

/* Between rounds the sealed seed of the next deal stays, and only the pause begins anew. */
void play_go_on(struct step *st, struct session *s, int seat)
{
    const struct session *before = step_snapshot(st, s);
    struct round_log log = {0};
    match_go_on(&s->match, seat, &log);
    memset(s->player[seat].ahead, 0, sizeof s->player[seat].ahead);
    if (s->match.stage == MATCH_PLAYING) {
        play_follow(st, before, s, -1, &log);
        return;
    }
    play_log(st, before, s, &log);
    s->ask.what = ASK_NONE;
    s->player[seat].ready = true;
    timer_set(s, st->e->now + PAUSE_MS, TIMER_READY);
    play_board(st, s);
}

void play_take_back(struct step *st, struct session *s, int seat, int n_seen)
{
    const struct session *before = step_snapshot(st, s);
    struct round_log log = {0};
    bool done = match_take_back(step_ruleset(st, s), &s->match, seat, n_seen, &log);
    assert(done);
    (void)done;
    st->taken_back = true;
    for (int i = 0; i < s->players; i++) { /* they were kept for another position */
        struct move kept;
        char *ahead = s->player[i].ahead;
        if (ahead[0] && notation_read_move(ahead, strlen(ahead), &kept) < 0)
            st->lost[i] = (uint8_t)(kept.card + 1);
        memset(ahead, 0, sizeof s->player[i].ahead);
    }
    play_follow(st, before, s, -1, &log);
    for (int i = 0; i < s->players; i++)
        if (i != seat)
            play_hand(st, s, i, false, false);
}
