/* A round as a state machine: hand phase, draw phase, decision, over.
 *
 * round_legal() (legal.c) and round_apply() are the hot pair of the engine, and so each is
 * compiled twice, for machines with BMI2 and for all others (pile.h); which one runs is asked
 * once a call. A new kind of move is a row in enum move_kind, its legal moves in round_legal(),
 * its effect in round_apply().
 */
#include "round.h"
#include "end.h"
#include "take.h"

#include <assert.h>
#include <string.h>

BITS_INLINE bool allows(bool bmi2, const struct ruleset *g, cardset field, int card, bool drawn,
                        cardset take)
{
    cardset same = field & card_month_set(card);

    if (g->rules.capture == CAPTURE_FORCED && ((field | CARD(card)) & g->wild) == 0)
        return take_fits(bmi2, same, take);
    return take_allowed(same, take_wild(&g->rules, field, card),
                        g->rules.capture == CAPTURE_OPTIONAL && !drawn, take);
}

/* ---- Ends ------------------------------------------------------------------------------------ */

void round_end(struct round *r, enum round_why why)
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
    round_end(r, why);
    score_pay(g, &calls, seat, score, multiplied, &r->result);
}

void round_win_by_hand(const struct ruleset *g, struct round *r, int seat)
{
    enum hand_yaku h = hand_yaku_of(g, r->hand[seat]);
    struct score score = {.base = g->rules.hand_yaku[h], .n_yaku = 1};

    win(g, r, seat, WHY_HAND_YAKU, &score, g->rules.hand_yaku_multiplied);
    r->result.hand = (uint8_t)h;
    r->result.score.n_yaku = 0;
}

BITS_APART void exhaust(const struct ruleset *g, struct round *r)
{
    bool called = false;

    for (int p = 0; p < r->players; p++)
        called = called || r->koikoi[p] > 0;
    if (g->rules.exhausted == EXHAUSTED_OYA_KAN && called)
        win(g, r, r->dealer, WHY_OYA_KAN, &(struct score){.base = OYA_KAN_POINTS}, false);
    else
        round_end(r, WHY_EXHAUSTED);
}

/* ---- Moves ----------------------------------------------------------------------------------- */

static inline void log_take(struct round_log *log, enum log_kind kind, int seat, int card,
                            cardset take)
{
    if (log != NULL)
        log->at[log->n++] = (struct log_line){
            .kind = (uint8_t)kind, .seat = (int8_t)seat, .card = (uint8_t)card, .take = take};
}

static void log_bare(struct round_log *log, enum log_kind kind, int seat, int what)
{
    if (log != NULL)
        log->at[log->n++] = (struct log_line){
            .kind = (uint8_t)kind, .seat = (int8_t)seat, .card = CARD_NONE, .what = (uint8_t)what};
}

/* Puts `card` on the field, or takes with it; which of the two no processor could predict, so
 * there is no branch. */
BITS_INLINE void lay(struct round *r, int seat, enum seen_kind kind, int card, cardset take)
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

BITS_APART bool has_new_yaku(const struct ruleset *g, const struct round *r)
{
    struct score now;

    score_pile(g, r->taken[r->turn], &now);
    return score_is_new(&now, &r->last_decision[r->turn]);
}

/* True if the seat to move may decide, both its phases done: where the sum has grown, some yaku
 * has; where it has not, most rule sets need no closer look, and few a look at every yaku. */
BITS_INLINE bool decides(bool bmi2, const struct ruleset *g, const struct round *r)
{
    cardset pile = r->taken[r->turn], decided = r->decided[r->turn];
    int base = pile_base_by(bmi2, g, pile), then = r->last_decision[r->turn].base;

    if (base > then)
        return true;
    if (g->base_decides || then == 0)
        return false;
    return g->rest_decides && decided != 0 ? pile_part_is_new(pile_parts_by(bmi2, g, pile, base),
                                                              pile_parts_by(bmi2, g, decided, then))
                                           : has_new_yaku(g, r);
}

/* After the draw phase: the question, or the next seat. */
BITS_INLINE void settle(bool bmi2, const struct ruleset *g, struct round *r, struct round_log *log)
{
    if (decides(bmi2, g, r)) {
        r->phase = PHASE_DECIDE;
        return;
    }
    next_turn(g, r);
    if (r->phase == PHASE_OVER)
        log_bare(log, LOG_END, -1, 0);
}

/* Turns up the top of the stock; true if the draw phase is done with. */
BITS_INLINE bool draw(bool bmi2, const struct ruleset *g, struct round *r, struct round_log *log)
{
    if (r->next == N_CARDS)
        return true;
    int card = r->deck[r->next++];
    cardset take = r->field & card_month_set(card);
    bool choice = take_is_choice_by(bmi2, take);

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

BITS_INLINE enum illegal play(bool bmi2, const struct ruleset *g, struct round *r, struct move m,
                              struct round_log *log)
{
    int seat = r->turn;

    if (m.card >= N_CARDS || (r->hand[seat] & CARD(m.card)) == 0)
        return ILLEGAL_NOT_IN_HAND;
    if (!allows(bmi2, g, r->field, m.card, false, m.take))
        return ILLEGAL_TAKE;
    if (log != NULL)
        log->n = 0;
    log_take(log, LOG_PLAY, seat, m.card, m.take);
    r->hand[seat] &= ~CARD(m.card);
    r->played[seat] = true;
    r->may_redeal[seat] = false;
    lay(r, seat, SEEN_PLAY, m.card, m.take);
    if (draw(bmi2, g, r, log))
        settle(bmi2, g, r, log);
    return LEGAL;
}

BITS_INLINE enum illegal choose(bool bmi2, const struct ruleset *g, struct round *r, struct move m,
                                struct round_log *log)
{
    int card = r->drawn;

    if (m.card != CARD_NONE && m.card != card)
        return ILLEGAL_NOT_IN_HAND;
    if (m.take == 0 || !allows(bmi2, g, r->field, card, true, m.take))
        return ILLEGAL_TAKE;
    if (log != NULL)
        log->n = 0;
    log_take(log, LOG_DRAW, r->turn, card, m.take);
    r->drawn = CARD_NONE;
    lay(r, r->turn, SEEN_DRAW, card, m.take);
    settle(bmi2, g, r, log);
    return LEGAL;
}

BITS_APART enum illegal decide(const struct ruleset *g, struct round *r, enum move_kind what,
                               struct round_log *log)
{
    int seat = r->turn;
    struct score now;

    if (r->phase != PHASE_DECIDE)
        return ILLEGAL_PHASE;
    score_pile(g, r->taken[seat], &now);
    if (log != NULL) {
        log->n = 0;
        log_bare(log, LOG_DECIDE, seat, what);
        log->at[0].score = now;
    }
    if (what == MOVE_STOP) {
        win(g, r, seat, WHY_STOP, &now, true);
    } else {
        r->koikoi[seat]++;
        r->last_decision[seat] = now;
        r->decided[seat] = r->taken[seat];
        r->seen[r->n_seen++] =
            (struct seen){.seat_kind = (uint8_t)(seat << 4 | SEEN_KOIKOI), .card = CARD_NONE};
        next_turn(g, r);
    }
    if (r->phase == PHASE_OVER)
        log_bare(log, LOG_END, -1, 0);
    return LEGAL;
}

BITS_APART enum illegal declare(const struct ruleset *g, struct round *r, int seat,
                                struct round_log *log)
{
    if (r->phase != PHASE_HAND)
        return ILLEGAL_PHASE;
    if (!round_may_declare(g, r, seat))
        return ILLEGAL_NO_HAND_YAKU;
    round_win_by_hand(g, r, seat);
    r->declared = true;
    if (log != NULL) {
        log->n = 0;
        log_bare(log, LOG_DECLARE, seat, r->result.hand);
        log_bare(log, LOG_END, -1, 0);
    }
    return LEGAL;
}

static enum illegal redeal(struct round *r, int seat, struct round_log *log)
{
    if (!r->may_redeal[seat])
        return ILLEGAL_NO_REDEAL;
    r->phase = PHASE_OVER;
    r->void_why = VOID_HAND_FOUR;
    r->void_by = (int8_t)seat;
    if (log != NULL) {
        log->n = 0;
        log_bare(log, LOG_VOID, seat, VOID_HAND_FOUR);
    }
    return LEGAL;
}

static enum illegal resign(struct round *r, int seat, struct round_log *log)
{
    round_end(r, WHY_LEAVE);
    if (log != NULL) {
        log->n = 0;
        log_bare(log, LOG_LEAVE, seat, 0);
        log_bare(log, LOG_END, -1, 0);
    }
    return LEGAL;
}

BITS_APART enum illegal other_move(const struct ruleset *g, struct round *r, int seat,
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
        return declare(g, r, seat, log);
    case MOVE_REDEAL:
        return redeal(r, seat, log);
    case MOVE_RESIGN:
        return resign(r, seat, log);
    default:
        return ILLEGAL_PHASE;
    }
}

/* Cards first: they are most of all moves. */
BITS_INLINE enum illegal apply(bool bmi2, const struct ruleset *g, struct round *r, int seat,
                               struct move m, struct round_log *log)
{
    assert((unsigned)seat < r->players);
    if (m.kind == MOVE_PLAY && r->phase == PHASE_HAND && seat == r->turn)
        return play(bmi2, g, r, m, log);
    if (m.kind == MOVE_CHOOSE && r->phase == PHASE_DRAW && seat == r->turn)
        return choose(bmi2, g, r, m, log);
    return other_move(g, r, seat, (enum move_kind)m.kind, log);
}

BITS_BMI2 static enum illegal apply_bmi2(const struct ruleset *g, struct round *r, int seat,
                                         struct move m, struct round_log *log)
{
    return apply(true, g, r, seat, m, log);
}

BITS_APART enum illegal apply_plainly(const struct ruleset *g, struct round *r, int seat,
                                      struct move m, struct round_log *log)
{
    return apply(false, g, r, seat, m, log);
}

enum illegal round_apply(const struct ruleset *g, struct round *r, int seat, struct move m,
                         struct round_log *ret_log)
{
    return g->bmi2 ? apply_bmi2(g, r, seat, m, ret_log) : apply_plainly(g, r, seat, m, ret_log);
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
