/* A running match: start, deals, moves, breaks, ends. The rules are the engine's; this file decides
 * which notices follow, what the record gets, and what comes next. play_move.c and play_sit.c
 * read what players ask for. */
#include "play.h"

#include "choice.h"
#include "equity.h"
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

static void record_log(struct step *st, const struct session *before, const struct session *s,
                       const struct round_log *log)
{
    if (log->n > 0)
        add_record(st, RECORD_LOG, before, step_snapshot(st, s))->log = *log;
}

/* ---- notices ---- */

/* Before the first deal there is no board, but a sentence. */
struct notice *play_board(struct step *st, const struct session *s)
{
    return session_dealt(s) ? notice_show(st, NOTICE_BOARD, TO_TABLE, s, SEAT_PUBLIC)
                            : announce(st, s, 0, T_BETWEEN_ROUNDS, arg_command(VERB_READY));
}

void play_hand(struct step *st, const struct session *s, int seat, bool fresh, bool asked)
{
    if (session_by_computer(s, seat))
        return;
    struct notice *notice = notice_show(st, NOTICE_HAND, TO_SEAT, s, seat);
    notice->fresh = fresh;
    notice->n = asked;
}

void play_hand_anew(struct step *st, struct session *s, int seat)
{
    step_posts_close_hand(st, s, seat);
    step_new_hand(&s->player[seat], 0);
    play_hand(st, s, seat, true, false);
}

static void mark_pinged(struct session *s, int seat)
{
    s->ping = (struct ping){s->version, s->player[seat].venue, (uint8_t)seat};
}

void play_ping(struct step *st, struct session *s)
{
    mark_pinged(s, session_turn(s));
    step_ping(st, s, NOTICE_PING)->fresh = true; /* some minutes after the hand */
    timer_turn(st, s);
}

void play_show_again(struct step *st, const struct session *s, int venue)
{
    struct notice *board = play_board(st, s);
    board->only = (int8_t)venue;
    board->notify = s->ping.version > 0 && s->ping.venue == venue;
    board->seat = (int8_t)s->ping.seat;
    if (board->notify)
        step_ping(st, s, NOTICE_PING);
    for (int i = 0; i < s->players && s->match.stage == MATCH_PLAYING; i++)
        if (s->player[i].venue == venue)
            play_hand(st, s, i, false, false);
}

/* ---- moves that follow by themselves ---- */

static void move_by_itself(const struct ruleset *g, struct session *s, struct move m,
                           struct round_log *log)
{
    struct round_log more = {0};
    (void)match_apply(g, &s->match, s->match.round.turn, m, &more);
    for (int i = 0; i < more.n && log->n < MAX_LOG; i++)
        log->at[log->n++] = more.at[i];
}

/* Takes the move that the player to move has kept. Returns false without one, or if it can no
 * longer be made. */
static bool take_kept(struct step *st, struct session *s, struct move *ret)
{
    int seat = session_turn(s);
    char *ahead = s->player[seat].ahead;
    struct move legal[MAX_MOVES];
    bool kept = choice_read(ahead, ret);
    memset(ahead, 0, sizeof s->player[seat].ahead);
    if (!kept)
        return false;
    int n = round_legal(step_ruleset(st, s), &s->match.round, seat, legal);
    if (choice_find(legal, n, *ret) < n)
        return true;
    st->lost[seat] = (uint8_t)(ret->card + 1);
    return false;
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

void play_seal(struct step *st, struct session *s)
{
    const struct beacon_chain *chain = st->w->bot->beacon;
    memcpy(s->next_seed.at, st->e->chance + CHANCE_NEXT, sizeof s->next_seed.at);
    s->beacon.next = chain ? beacon_round_after(chain, st->e->now) : 0;
    s->beacon.until = 0;
    struct seed day;
    if (chance_read_seed(str_of(s->duel), &day)) { /* the same for all who play it */
        bool begun = s->phase == SESSION_PLAYING;
        chance_duel(&day, begun ? s->match.round_no : 1, begun ? s->match.attempt : 1,
                    &s->next_seed);
        s->beacon.next = 0;
    }
    if (s->beacon.next)
        NAME_PUT(s->beacon.url, str_of(chain->url));
}

/* ---- what follows a change ---- */

/* Points of a seat in the season. A forfeit pays its winner at least what a win brings on average;
 * where points are coins, the one who left pays it. */
static int64_t season_points(const struct session *s, int seat, const struct match_outcome *o)
{
    int64_t points = s->match.scores[seat] - rules_start_score(&s->rules);
    int64_t win = o->forfeit ? equity_win_points(&s->rules, s->players) : 0;
    if (o->forfeit && o->won && points < win)
        return win;
    bool pays = o->forfeit && o->lost && s->rules.scoring == SCORING_COINS;
    return pays && points > -win ? -win : points;
}

/* A match counts in the season of every chat it was played in, unless it is casual. A daily duel
 * has a table of its own, which is hidden until its day ends; one that goes on from another match is
 * a study. */
static void add_results(struct step *st, const struct session *s)
{
    if (s->duel[0] || s->from.match)
        return;
    for (int venue = 0; venue <= s->n_more; venue++)
        for (int i = 0; i < s->players; i++) {
            const struct player *p = &s->player[i];
            struct match_outcome o = outcome_of(s, i);
            struct result_effect *r = &st->fx->result[st->fx->n_results++];
            *r = (struct result_effect){
                .no = s->no,
                .chat = s->venue[venue].chat,
                .venue = (uint8_t)venue,
                .seat = (uint8_t)i,
                .casual = session_casual(s),
                .forfeit = o.forfeit,
                .tally = {.won = o.won,
                          .drawn = o.drawn,
                          .lost = o.lost,
                          .gave_up = o.lost && o.forfeit,
                          .points = season_points(s, i, &o)},
            };
            if (p->computer)
                continue;
            r->person = p->person;
            r->who = (struct handle){.account = p->account,
                                     .id = arena_str(st->fx->arena, str_of(p->id)),
                                     .name = arena_str(st->fx->arena, str_of(p->name))};
        }
}

static void begin_pause(struct step *st, struct session *s)
{
    play_seal(st, s);
    for (int i = 0; i < s->players; i++) {
        s->player[i].ready = session_by_computer(s, i);
        memset(s->player[i].cut, 0, sizeof s->player[i].cut);
        memset(s->player[i].ahead, 0, sizeof s->player[i].ahead);
    }
    timer_set(s, st->e->now + PAUSE_MS, TIMER_READY);
}

/* The end of a round or of the match. A hand that ends the round as it was dealt is laid open. */
static void show_end(struct step *st, struct session *s, bool is_void)
{
    const struct round *r = &s->match.round;
    bool over = s->match.stage == MATCH_OVER;
    if (over) {
        add_results(st, s);
        timer_close(s, END_PLAYED);
    } else {
        begin_pause(st, s);
    }
    step_quiet(st, s);
    if (session_dealt(s))
        play_board(st, s);
    enum notice_kind kind = over ? NOTICE_MATCH : is_void ? NOTICE_VOID : NOTICE_ROUND;
    struct notice *notice = notice_show(st, kind, TO_TABLE, s, SEAT_PUBLIC);
    notice->results = (struct results){session_casual(s) ? 0 : st->fx->n_results, st->fx->result};
    for (int i = 0; i < s->players; i++)
        if (r->result.why == WHY_HAND_YAKU ? r->result.winner == i
                                           : r->result.why == WHY_HAND_YAKU_TIE &&
                                                 hand_yaku_of(step_ruleset(st, s), r->hand[i]))
            notice->shown[i] = r->hand[i];
    notice->notify = true;
    if (!over)
        step_posts_add(st, s, POSTED_PAUSE, notice);
}

/* After any change of the match: the record, what is shown, what comes next. `mover` made a move,
 * -1 for anything else. */
static enum verdict follow(struct step *st, const struct session *before, struct session *s,
                           int mover, const struct round_log *log)
{
    record_log(st, before, s, log);
    session_spend(s, before, st->e->now);
    s->version++;
    s->moved = st->e->now;
    s->move = (struct awaited_move){0};
    s->ask = (struct open_question){0};
    if (s->match.stage != MATCH_PLAYING) {
        show_end(st, s, log->n > 0 && log->at[log->n - 1].kind == LOG_VOID);
        return TAKEN;
    }
    int seat = session_turn(s);
    const struct player *p = &s->player[seat];
    const struct venue *v = &s->venue[p->venue];
    if (seat == mover) { /* a choice is still open, for that player alone */
        timer_turn(st, s);
        play_hand(st, s, seat, true, false);
        if (v->one_post || (p->channel == CHANNEL_POPUP && !v->direct)) /* chosen on the board */
            play_board(st, s);
        if (s->match.round.phase == PHASE_DECIDE && session_with_computer(s) && !s->duel[0] &&
            !session_by_computer(s, seat))
            job_hint(st, s);
        return TAKEN;
    }
    if (mover >= 0)
        play_hand(st, s, mover, false, false);
    struct move kept;
    step_quiet(st, s);
    if (!take_kept(st, s, &kept)) {
        /* a poll calls with its hand, and in plain words some minutes later */
        if (timer_pings(s, seat) && timer_idle_at(st, s, seat) <= st->e->now &&
            !(st->w->can & CAN_POLL))
            mark_pinged(s, seat);
        struct notice *board = play_board(st, s);
        board->notify = s->ping.version > 0;
        board->seat = (int8_t)seat;
        timer_turn(st, s);
        if (s->ping.version > 0)
            step_ping(st, s, NOTICE_PING);
        if (session_apart(s, seat)) /* a new hand calls them */
            play_hand_anew(st, s, seat);
        else
            play_hand(st, s, seat, true, false);
        return TAKEN;
    }
    play_board(st, s);             /* what the mover did; the next board shows the kept move */
    if (v->direct && !v->one_post) /* the hand is the board there */
        play_hand(st, s, seat, false, false);
    return play_make(st, s, seat, kept);
}

/* After the move the bot plays a drawn card that can only take one of two equal plains, which is no choice, and
 * stops for a player who has a yaku and no call left (koikoi_limit), or no card: calling can bring them
 * nothing. A dealer under oya-kan, and anybody where the best sets are paid, may be paid if no
 * player stops, and decides. */
enum verdict play_make(struct step *st, struct session *s, int seat, struct move m)
{
    const struct ruleset *g = step_ruleset(st, s);
    const struct session *before = step_snapshot(st, s);
    const struct round *r = &s->match.round;
    struct move legal[MAX_MOVES];
    struct round_log log = {0};
    enum illegal no = match_apply(g, &s->match, seat, m, &log);
    assert(no == LEGAL);
    (void)no;
    if (s->match.stage == MATCH_PLAYING && r->phase == PHASE_DRAW &&
        choice_is_one(legal, round_legal(g, r, r->turn, legal)))
        move_by_itself(g, s, legal[0], &log);
    if (s->match.stage == MATCH_PLAYING && r->phase == PHASE_DECIDE) {
        bool may_call = round_legal(g, r, r->turn, legal) > 1;
        bool paid = s->rules.exhausted == EXHAUSTED_BEST_YAKU ||
                    (s->rules.exhausted == EXHAUSTED_OYA_KAN && r->turn == r->dealer);
        if (!may_call || (!r->hand[r->turn] && !paid))
            move_by_itself(g, s, (struct move){.kind = MOVE_STOP}, &log);
    }
    return follow(st, before, s, seat, &log);
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

/* A hand that is hidden in the group can be shown anew only to who has just pressed: for the others the
 * one of the last round becomes that of the next. */
static bool keeps_hand(const struct step *st, const struct session *s, int seat)
{
    const struct player *p = &s->player[seat];
    return p->channel == CHANNEL_WHISPER && p->hand_message > 0 && step_seat(st, s) != seat;
}

enum verdict play_deal_mixed(struct step *st, struct session *s, struct str beacon)
{
    struct round_log log = {0};
    fix_client_seeds(s);
    s->deal_seed = s->next_seed;
    s->next_seed = (struct seed){{0}};
    s->beacon.deal = s->beacon.next;
    s->beacon.next = s->beacon.until = 0;
    NAME_PUT(s->beacon.value, beacon);
    for (int i = 0; i < s->players; i++)
        if (!keeps_hand(st, s, i))
            step_new_hand(&s->player[i], 0);
    const struct session *before = step_snapshot(st, s);
    struct record_effect *r = add_record(st, RECORD_DEAL, before, before);
    shuffle_deck(s, &s->deal_seed, s->match.round_no, s->match.attempt, str_of(s->beacon.value),
                 r->deck);
    match_deal(step_ruleset(st, s), &s->match, r->deck, &log);
    return follow(st, before, s, -1, &log);
}

/* Without a beacon, or after the wait, the deal is its own seed's; else all are ready and the timer
 * is set. */
enum verdict play_deal(struct step *st, struct session *s)
{
    const struct beacon_chain *chain = st->w->bot->beacon;
    struct beacon_rounds *b = &s->beacon;
    int64_t now = st->e->now;
    bool waits = b->next && chain && strcmp(chain->url, b->url) == 0;
    int64_t ask = waits ? beacon_published(chain, b->next) + SPREAD_MS : 0;
    if (waits && b->until == 0)
        b->until = now + WAIT_MS;
    if (!waits || now >= b->until || ask >= b->until)
        return play_deal_mixed(st, s, NO_BEACON);
    for (int i = 0; i < s->players; i++)
        s->player[i].ready = true;
    if (ask > now) {
        timer_set(s, ask, TIMER_BEACON);
        return TAKEN;
    }
    st->fx->job = STEP_NEW(st, struct job_effect, .kind = JOB_BEACON, .no = s->no,
                           .version = s->version, .round = b->next);
    timer_set(s, now + AGAIN_MS < b->until ? now + AGAIN_MS : b->until, TIMER_BEACON);
    return TAKEN;
}

/* Draws the lots, and seats the players. Venues besides the home in which no player sits are
 * left. */
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
    for (int venue = s->n_more; venue > 0; venue--) {
        bool empty = true;
        for (int i = 0; i < s->players; i++)
            empty &= s->player[i].venue != venue;
        if (!empty)
            continue;
        inform(st, s, T_OFFER_INLINE, arg_seat(s, 0))->only = (int8_t)venue;
        session_drop_venue(s, venue);
    }
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

enum verdict play_start(struct step *st, struct session *s)
{
    seat_players(st, s);
    notice_show(st, NOTICE_START, TO_TABLE, s, SEAT_PUBLIC);
    return play_deal(st, s);
}

enum verdict play_from(struct step *st, struct session *s, int lines, const struct seed *anew)
{
    struct round_log none = {0};
    const struct session *seated = step_snapshot(st, s);
    struct record_effect *r = add_record(st, RECORD_FROM, seated, seated);
    r->lines = lines;
    r->anew = anew;
    for (int i = 0; i < s->players; i++)
        step_new_hand(&s->player[i], 0);
    inform(st, s, anew ? T_PLAY_ON_ANEW : T_PLAY_ON_DEALT, arg_int(s->match.round_no),
           arg_int(s->from.match));
    return follow(st, seated, s, -1, &none);
}

void play_open(struct step *st, struct session *s)
{
    seat_players(st, s);
    begin_pause(st, s);
    struct notice *notice = notice_show(st, NOTICE_START, TO_TABLE, s, SEAT_PUBLIC);
    notice->notify = true;
    step_posts_add(st, s, POSTED_PAUSE, notice); /* its button waits for the first deal */
}

/* ---- breaks: play_sit.c asks the others first ---- */

enum verdict play_leave(struct step *st, struct session *s, int seat, bool timeout)
{
    const struct session *before = step_snapshot(st, s);
    struct round_log log = {0};
    match_leave(step_ruleset(st, s), &s->match, seat, &log);
    s->left = (int8_t)seat;
    s->left_timeout = timeout;
    return follow(st, before, s, -1, &log);
}

enum verdict play_agree(struct step *st, struct session *s, int seat)
{
    const struct session *before = step_snapshot(st, s);
    struct round_log log = {0};
    match_agree(step_ruleset(st, s), &s->match, seat, &log);
    return follow(st, before, s, -1, &log);
}

/* Between rounds the sealed seed of the next deal stays, and only the pause begins anew. */
void play_go_on(struct step *st, struct session *s, int seat)
{
    const struct session *before = step_snapshot(st, s);
    struct round_log log = {0};
    match_go_on(&s->match, seat, &log);
    memset(s->player[seat].ahead, 0, sizeof s->player[seat].ahead);
    if (s->match.stage == MATCH_PLAYING) {
        follow(st, before, s, -1, &log);
        return;
    }
    record_log(st, before, s, &log);
    s->ask.what = ASK_NONE;
    s->player[seat].ready = true;
    timer_set(s, st->e->now + PAUSE_MS, TIMER_READY);
    play_board(st, s);
}

enum verdict play_take_back(struct step *st, struct session *s, int seat, int n_seen)
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
        if (choice_read(ahead, &kept))
            st->lost[i] = (uint8_t)(kept.card + 1);
        memset(ahead, 0, sizeof s->player[i].ahead);
    }
    follow(st, before, s, -1, &log);
    for (int i = 0; i < s->players; i++)
        if (i != seat)
            play_hand(st, s, i, false, false);
    return TAKEN;
}
