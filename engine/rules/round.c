/* A round as a state machine: the deal, which may be void or over at once; hand phase, draw phase,
 * decision, over.
 *
 * To add a kind of move: a row in enum move_kind, its legal moves in round_legal() (legal.c), its
 * effect in round_apply(). These two are the hot pair of the engine (card.h: HOT_CLONES).
 */
#include "capture.h"

#include <assert.h>
#include <string.h>

HOT_INLINE bool allows(const struct ruleset *g, cardset field, int card, bool drawn, cardset take)
{
    cardset same = field & card_month_set(card);
    if (g->rules.capture == CAPTURE_FORCED && ((field | CARD(card)) & g->wild) == 0)
        return take_fits(same, take);
    return take_allowed(same, take_wild(&g->rules, field, card),
                        g->rules.capture == CAPTURE_OPTIONAL && !drawn, take);
}

void round_log_one(struct round_log *log, enum log_kind kind, int seat, int what)
{
    if (log == NULL)
        return;
    log->n = 1;
    log->at[0] = (struct log_line){
        .kind = (uint8_t)kind, .seat = (int8_t)seat, .card = CARD_NONE, .what = (uint8_t)what};
}

static void log_end(struct round_log *log)
{
    if (log != NULL)
        log->at[log->n++] = (struct log_line){.kind = LOG_END, .seat = -1, .card = CARD_NONE};
}

/* ---- Ends ------------------------------------------------------------------------------------ */

static void end_round(struct round *r, enum round_why why)
{
    r->phase = PHASE_OVER;
    memset(&r->result, 0, sizeof r->result);
    r->result.why = (uint8_t)why;
    r->result.winner = -1;
    for (int m = 0; m < N_MULTIPLIERS; m++)
        r->result.x[m] = 1;
}

static void win(const struct ruleset *g, struct round *r, int seat, enum round_why why,
                const struct score *score, bool multiplied)
{
    struct calls calls = {.players = r->players, .table_brights = r->table_brights};
    for (int p = 0; p < r->players; p++)
        calls.koikoi[p] = r->koikoi[p];
    end_round(r, why);
    score_pay(g, &calls, seat, score, multiplied, &r->result);
}

static void win_by_hand(const struct ruleset *g, struct round *r, int seat)
{
    enum hand_yaku h = hand_yaku_of(g, r->hand[seat]);
    struct score score = {.base = g->rules.hand_yaku[h], .n_yaku = 1};
    win(g, r, seat, WHY_HAND_YAKU, &score, g->rules.hand_yaku_multiplied);
    r->result.hand = (uint8_t)h;
    r->result.score.n_yaku = 0;
}

/* The one player with the dearest sets wins as if they had stopped. */
static void pay_best(const struct ruleset *g, struct round *r)
{
    struct score best = {0}, now;
    int winner = -1;
    for (int p = 0; p < r->players; p++) {
        score_pile(g, r->taken[p], r->koikoi[p] > 0, &now);
        if (now.base == best.base)
            winner = -1;
        if (now.base <= best.base)
            continue;
        best = now;
        winner = p;
    }
    if (winner >= 0)
        win(g, r, winner, WHY_BEST_YAKU, &best, true);
    else
        end_round(r, WHY_EXHAUSTED);
}

static void exhaust(const struct ruleset *g, struct round *r)
{
    bool called = false;
    for (int p = 0; p < r->players; p++)
        called = called || r->koikoi[p] > 0;
    if (g->rules.exhausted == EXHAUSTED_OYA_KAN && called)
        win(g, r, r->dealer, WHY_OYA_KAN, &(struct score){.base = OYA_KAN_POINTS}, false);
    else if (g->rules.exhausted == EXHAUSTED_BEST_YAKU)
        pay_best(g, r);
    else if (g->rules.exhausted == EXHAUSTED_DEALER_POINT)
        win(g, r, r->dealer, WHY_DEALER_POINT, &(struct score){.base = DEALER_POINTS}, false);
    else
        end_round(r, WHY_EXHAUSTED);
}

/* ---- Deal ------------------------------------------------------------------------------------ */

void deal_order(const struct rules *r, int players, int dealer, const uint8_t deck[static N_CARDS],
                uint8_t ret_hands[MAX_PLAYERS][N_CARDS], uint8_t ret_table[N_CARDS])
{
    uint8_t slots[N_CARDS];
    int n[SLOT_STOCK] = {0};
    deal_slots(r, players, slots);
    for (int i = 0; i < N_CARDS && slots[i] != SLOT_STOCK; i++) {
        int slot = slots[i], at = n[slot]++;
        if (slot == SLOT_TABLE && ret_table != NULL)
            ret_table[at] = deck[i];
        if (slot != SLOT_TABLE && ret_hands != NULL)
            ret_hands[(dealer + slot) % players][at] = deck[i];
    }
}

/* Automatic hand yaku: one owner wins, several leave the round undecided. */
static void automatic(const struct ruleset *g, struct round *r)
{
    int owners = 0, owner = 0;
    for (int p = 0; p < r->players; p++)
        if (hand_yaku_of(g, r->hand[p]) != HAND_NONE) {
            owners++;
            owner = p;
        }
    if (owners == 1)
        win_by_hand(g, r, owner);
    else if (owners > 1)
        end_round(r, WHY_HAND_YAKU_TIE);
}

/* Checks the rare ends of a deal. Returns true if it is over. */
static bool over_at_once(const struct ruleset *g, struct round *r)
{
    if (g->rules.table_four == TABLE_FOUR_REDEAL && pile_months(r->field) != 0)
        r->void_why = VOID_TABLE_FOUR;
    /* A month in one hand, by the first seat from the dealer that has one. */
    bool redealt = g->rules.hand_four == HAND_FOUR_REDEAL;
    for (int i = 0; i < r->players && redealt && r->void_why == VOID_NONE; i++) {
        int seat = (r->dealer + i) % r->players;
        if (pile_months(r->hand[seat]) == 0)
            continue;
        r->void_why = VOID_HAND_FOUR;
        r->void_by = (int8_t)seat;
    }
    if (r->void_why != VOID_NONE)
        r->phase = PHASE_OVER;
    else if (g->rules.has_hand_yaku && g->rules.claim == CLAIM_AUTOMATIC)
        automatic(g, r);
    return r->phase == PHASE_OVER;
}

HOT_INLINE cardset gather(const uint8_t *deck, const uint8_t *place, int n)
{
    cardset s = 0;
    for (int i = 0; i < n; i++)
        s |= CARD(deck[place[i]]);
    return s;
}

/* The cards at n places of the deck; the loop for eight, the usual number, is unrolled. */
HOT_INLINE cardset cards_at(const uint8_t *deck, const uint8_t *place, int n)
{
    return n == 8 ? gather(deck, place, 8) : gather(deck, place, n);
}

HOT_INLINE void deal(const struct ruleset *g, int players, int dealer, const uint8_t *deck,
                     struct round *r)
{
    const uint8_t *place = g->place[players];
    int size = g->rules.hand[players], table = g->rules.table[players];
    memset(r, 0, sizeof *r);
    memcpy(r->deck, deck, N_CARDS);
    r->turn = r->dealer = (uint8_t)dealer;
    r->players = (uint8_t)players;
    r->next = (uint8_t)(players * size + table);
    r->drawn = CARD_NONE;
    r->void_by = -1;
    for (int i = 0, seat = dealer; i < players; i++, place += size) {
        cardset hand = cards_at(deck, place, size);
        r->hand[seat] = hand;
        r->may_redeal[seat] = g->rules.hand_four == HAND_FOUR_MAY_REDEAL && pile_months(hand) != 0;
        seat = seat + 1 == players ? 0 : seat + 1;
    }
    r->field = cards_at(deck, place, table);
    r->table_brights = (uint8_t)set_count(r->field & set_brights & ~CARD(RAINMAN));
}

HOT_CLONES void round_deal(const struct ruleset *g, int players, int dealer,
                           const uint8_t deck[static N_CARDS], struct round *ret,
                           struct round_log *ret_log)
{
    deal(g, players, dealer, deck, ret);
    if (ret_log != NULL)
        ret_log->n = 0;
    if (over_at_once(g, ret))
        round_log_one(ret_log, ret->void_why != VOID_NONE ? LOG_VOID : LOG_END, ret->void_by,
                      ret->void_why);
}

/* ---- Moves ----------------------------------------------------------------------------------- */

static inline void log_take(struct round_log *log, enum log_kind kind, int seat, int card,
                            cardset take)
{
    if (log != NULL)
        log->at[log->n++] = (struct log_line){
            .kind = (uint8_t)kind, .seat = (int8_t)seat, .card = (uint8_t)card, .take = take};
}

/* Adds `card` to the field, or captures with it. The two are unpredictable, so there is no
 * branch. */
HOT_INLINE void lay(struct round *r, int seat, enum seen_kind kind, int card, cardset take)
{
    r->field ^= take_moves(CARD(card), take);
    r->taken[seat] |= take_wins(CARD(card), take);
    r->seen[r->n_seen++] = (struct seen){.seat_kind = (uint8_t)(seat << 4 | kind),
                                         .card = (uint8_t)card,
                                         .took = take_seen(card, take)};
}

static inline void next_turn(const struct ruleset *g, struct round *r)
{
    int next = r->turn + 1;
    r->turn = (uint8_t)(next == r->players ? 0 : next);
    r->phase = PHASE_HAND;
    if (r->hand[r->turn] == 0)
        exhaust(g, r);
}

static bool has_new_yaku(const struct ruleset *g, const struct round *r)
{
    struct score now;
    score_pile(g, r->taken[r->turn], r->koikoi[r->turn] > 0, &now);
    return score_is_new(&now, &r->last_decision[r->turn]);
}

/* True if the seat to move may decide after both its phases. A sum that has grown means a new yaku;
 * if it has not, most rule sets need no closer look, and a few need a look at every yaku. */
HOT_INLINE bool decides(const struct ruleset *g, const struct round *r)
{
    cardset pile = r->taken[r->turn], decided = r->decided[r->turn];
    bool called = r->koikoi[r->turn] > 0;
    int base = pile_base(g, pile, called), then = r->last_decision[r->turn].base;
    if (base > then)
        return true;
    if (g->base_decides || then == 0)
        return false;
    return g->rest_decides && decided != 0 ? pile_part_is_new(pile_parts(g, pile, called, base),
                                                              pile_parts(g, decided, called, then))
                                           : has_new_yaku(g, r);
}

/* After the draw phase: the decision, or the next seat. */
HOT_INLINE void settle(const struct ruleset *g, struct round *r, struct round_log *log)
{
    if (decides(g, r)) {
        r->phase = PHASE_DECIDE;
        return;
    }
    next_turn(g, r);
    if (r->phase == PHASE_OVER)
        log_end(log);
}

/* Turns up the top card of the stock. Returns true if the draw phase is complete. */
HOT_INLINE bool draw(const struct ruleset *g, struct round *r, struct round_log *log)
{
    if (r->next == N_CARDS)
        return true;
    int card = r->deck[r->next++];
    cardset take = r->field & card_month_set(card);
    bool choice = take_is_choice(take);

    if (__builtin_expect(((r->field | CARD(card)) & g->wild) != 0, 0)) {
        cardset firsts = take_firsts(take, take_other(r->field, card));
        choice = set_rest(firsts) != 0;
        take = take_from(take, firsts);
    }
    if (choice) {
        r->drawn = (uint8_t)card;
        r->phase = PHASE_DRAW;
        return false;
    }
    log_take(log, LOG_DRAW, r->turn, card, take);
    lay(r, r->turn, SEEN_DRAW, card, take);
    return true;
}

HOT_INLINE enum illegal play(const struct ruleset *g, struct round *r, struct move m,
                             struct round_log *log)
{
    int seat = r->turn;
    if (m.card >= N_CARDS || (r->hand[seat] & CARD(m.card)) == 0)
        return ILLEGAL_NOT_IN_HAND;
    if (!allows(g, r->field, m.card, false, m.take))
        return ILLEGAL_TAKE;
    if (log != NULL)
        log->n = 0;
    log_take(log, LOG_PLAY, seat, m.card, m.take);
    r->hand[seat] &= ~CARD(m.card);
    r->played[seat] = true;
    r->may_redeal[seat] = false;
    lay(r, seat, SEEN_PLAY, m.card, m.take);
    if (draw(g, r, log))
        settle(g, r, log);
    return LEGAL;
}

HOT_INLINE enum illegal choose(const struct ruleset *g, struct round *r, struct move m,
                               struct round_log *log)
{
    int card = r->drawn;
    if (m.card != CARD_NONE && m.card != card)
        return ILLEGAL_NOT_IN_HAND;
    if (m.take == 0 || !allows(g, r->field, card, true, m.take))
        return ILLEGAL_TAKE;
    if (log != NULL)
        log->n = 0;
    log_take(log, LOG_DRAW, r->turn, card, m.take);
    r->drawn = CARD_NONE;
    lay(r, r->turn, SEEN_DRAW, card, m.take);
    settle(g, r, log);
    return LEGAL;
}

static enum illegal decide(const struct ruleset *g, struct round *r, enum move_kind what,
                           struct round_log *log)
{
    int seat = r->turn;
    struct score now;
    if (r->phase != PHASE_DECIDE)
        return ILLEGAL_PHASE;
    if (what == MOVE_KOIKOI && !round_may_call(&g->rules, r))
        return ILLEGAL_NO_CALL;
    score_pile(g, r->taken[seat], r->koikoi[seat] > 0, &now);
    round_log_one(log, LOG_DECIDE, seat, what);
    if (log != NULL)
        log->at[0].score = now;
    if (what == MOVE_STOP) {
        win(g, r, seat, WHY_STOP, &now, true);
    } else {
        r->koikoi[seat]++;
        score_pile(g, r->taken[seat], true, &r->last_decision[seat]);
        r->decided[seat] = r->taken[seat];
        r->seen[r->n_seen++] =
            (struct seen){.seat_kind = (uint8_t)(seat << 4 | SEEN_KOIKOI), .card = CARD_NONE};
        next_turn(g, r);
    }
    if (r->phase == PHASE_OVER)
        log_end(log);
    return LEGAL;
}

static enum illegal other_move(const struct ruleset *g, struct round *r, int seat,
                               enum move_kind kind, struct round_log *log)
{
    if (r->phase == PHASE_OVER)
        return ILLEGAL_OVER;
    if (seat != r->turn && kind != MOVE_REDEAL && kind != MOVE_RESIGN)
        return ILLEGAL_NOT_YOUR_TURN;
    switch (kind) {
    case MOVE_KOIKOI:
    case MOVE_STOP:
        return decide(g, r, kind, log);
    case MOVE_DECLARE:
        if (r->phase != PHASE_HAND)
            return ILLEGAL_PHASE;
        if (!round_may_declare(g, r, seat))
            return ILLEGAL_NO_HAND_YAKU;
        win_by_hand(g, r, seat);
        r->declared = true;
        round_log_one(log, LOG_DECLARE, seat, r->result.hand);
        log_end(log);
        return LEGAL;
    case MOVE_REDEAL:
        if (!r->may_redeal[seat])
            return ILLEGAL_NO_REDEAL;
        r->phase = PHASE_OVER;
        r->void_why = VOID_HAND_FOUR;
        r->void_by = (int8_t)seat;
        round_log_one(log, LOG_VOID, seat, VOID_HAND_FOUR);
        return LEGAL;
    case MOVE_RESIGN:
        end_round(r, WHY_LEAVE);
        round_log_one(log, LOG_LEAVE, seat, 0);
        log_end(log);
        return LEGAL;
    default:
        return ILLEGAL_PHASE;
    }
}

/* plays first: they are most moves */
HOT_CLONES enum illegal round_apply(const struct ruleset *g, struct round *r, int seat,
                                    struct move m, struct round_log *ret_log)
{
    assert((unsigned)seat < r->players);
    if (m.kind == MOVE_PLAY && r->phase == PHASE_HAND && seat == r->turn)
        return play(g, r, m, ret_log);
    if (m.kind == MOVE_CHOOSE && r->phase == PHASE_DRAW && seat == r->turn)
        return choose(g, r, m, ret_log);
    return other_move(g, r, seat, (enum move_kind)m.kind, ret_log);
}

enum illegal round_complete(const struct ruleset *g, const struct round *r, int seat,
                            bool take_given, struct move *m)
{
    cardset takes[N_CARDS];
    bool choosing = m->kind == MOVE_CHOOSE;
    if (m->kind != MOVE_PLAY && !choosing)
        return LEGAL;
    if (r->phase == PHASE_OVER)
        return ILLEGAL_OVER;
    if (seat != r->turn)
        return ILLEGAL_NOT_YOUR_TURN;
    if (r->phase != (choosing ? PHASE_DRAW : PHASE_HAND))
        return ILLEGAL_PHASE;
    int card = choosing ? r->drawn : m->card;
    if (!choosing && (card >= N_CARDS || (r->hand[seat] & CARD(card)) == 0))
        return ILLEGAL_NOT_IN_HAND;
    if (!take_given && round_takes(&g->rules, r->field, card, choosing, takes) > 1)
        return ILLEGAL_MUST_CHOOSE;
    m->card = (uint8_t)card;
    m->take = take_given ? m->take : takes[0];
    return LEGAL;
}

/* ---- Back ------------------------------------------------------------------------------------ */

struct move round_seen_move(struct seen s)
{
    static const uint8_t kinds[] = {
        [SEEN_PLAY] = MOVE_PLAY, [SEEN_DRAW] = MOVE_CHOOSE, [SEEN_KOIKOI] = MOVE_KOIKOI};
    int kind = s.seat_kind & 15;
    return (struct move){
        .kind = kinds[kind], .card = s.card, .take = kind == SEEN_KOIKOI ? 0 : seen_take(s)};
}

bool round_rewind(const struct ruleset *g, struct round *r, int n_seen)
{
    struct round again;
    assert(n_seen >= 0 && n_seen <= r->n_seen);
    round_deal(g, r->players, r->dealer, r->deck, &again, NULL);
    while (again.n_seen < n_seen) {
        enum illegal no =
            round_apply(g, &again, again.turn, round_seen_move(r->seen[again.n_seen]), NULL);
        assert(no == LEGAL);
        (void)no;
    }
    if (again.n_seen != n_seen)
        return false;
    *r = again;
    return true;
}
