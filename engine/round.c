/* A round as a state machine: hand phase, draw phase, decision, over.
 *
 * round_legal() and round_apply() are the hot pair of the engine. Where the rule set lets cards take in
 * their own month only and says they must (forced_own_month, see take.h), takes come straight from the
 * field's bits; every other knob goes through round_takes(), which lists them. A new kind of move is a
 * row in enum move_kind, its legal moves in round_legal(), its effect in round_apply().
 */
#include "round.h"
#include "end.h"
#include "take.h"

#include <assert.h>
#include <string.h>

/* ---- What a card takes ------------------------------------------------------------------------------ */

int round_takes(const struct rules *r, cardset field, int card, bool drawn, cardset ret[static N_CARDS])
{
    cardset same = field & card_month_set(card), other = 0;
    bool whole = set_count(same) >= 3;
    int n = 0;

    if (r->wild_lightning && card == LIGHTNING)
        other = field & ~same;
    else if (r->wild_lightning && (same & CARD(LIGHTNING)) == 0)
        other = field & CARD(LIGHTNING);
    for (cardset left = same | other; left != 0; left = set_rest(left)) {
        cardset one = left & -left;
        if (!whole || (one & other) != 0)
            ret[n++] = one;
        else if (one == (same & -same))
            ret[n++] = same;
    }
    if (n == 0 || (r->capture == CAPTURE_OPTIONAL && !drawn && !whole))
        ret[n++] = 0;
    return n;
}

static bool takes_allow(const struct rules *r, cardset field, int card, cardset take)
{
    cardset takes[N_CARDS];
    int n = round_takes(r, field, card, false, takes);

    for (int i = 0; i < n; i++)
        if (takes[i] == take)
            return true;
    return false;
}

/* ---- Ends ------------------------------------------------------------------------------------------- */

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
    struct calls calls = { .players = r->players, .table_brights = r->table_brights };

    for (int p = 0; p < r->players; p++)
        calls.koikoi[p] = r->koikoi[p];
    round_end(r, why);
    score_pay(g, &calls, seat, score, multiplied, &r->result);
}

void round_win_by_hand(const struct ruleset *g, struct round *r, int seat)
{
    enum hand_yaku h = hand_yaku_of(g, r->hand[seat]);
    struct score score = { .base = g->rules.hand_yaku[h], .n_yaku = 1 };

    win(g, r, seat, WHY_HAND_YAKU, &score, g->rules.hand_yaku_multiplied);
    r->result.hand = (uint8_t)h;
    r->result.score.n_yaku = 0;
}

static void exhaust(const struct ruleset *g, struct round *r)
{
    bool called = false;

    for (int p = 0; p < r->players; p++)
        called = called || r->koikoi[p] > 0;
    if (g->rules.exhausted == EXHAUSTED_OYA_KAN && called)
        win(g, r, r->dealer, WHY_OYA_KAN, &(struct score){ .base = OYA_KAN_POINTS }, false);
    else
        round_end(r, WHY_EXHAUSTED);
}

/* ---- Legal moves ------------------------------------------------------------------------------------ */

static inline struct move bare(enum move_kind kind) { return (struct move){ .kind = (uint8_t)kind, .card = CARD_NONE }; }

static bool may_declare(const struct ruleset *g, const struct round *r, int seat)
{
    return g->rules.has_hand_yaku && g->rules.claim == CLAIM_DECLARED && r->phase == PHASE_HAND &&
           r->turn == seat && !r->played[seat] && hand_yaku_of(g, r->hand[seat]) != HAND_NONE;
}

/* Plays where cards take in their own month only, and must. Both halves of a possible choice are
 * written every time and the second kept only where there is one: cheaper than a branch. */
static inline int plays(cardset hand, cardset field, struct move *ret)
{
    int n = 0;

    for (; hand != 0; hand = set_rest(hand)) {
        int card = set_first(hand);
        cardset same = field & card_month_set(card), low = same & -same;
        bool two = take_is_choice(same);
        ret[n] = (struct move){ .kind = MOVE_PLAY, .card = (uint8_t)card, .take = two ? low : same };
        ret[n + 1] = (struct move){ .kind = MOVE_PLAY, .card = (uint8_t)card, .take = same ^ low };
        n += 1 + two;
    }
    return n;
}

static int moves_of(const struct rules *r, enum move_kind kind, cardset field, int card, struct move *ret)
{
    cardset takes[N_CARDS];
    int n = round_takes(r, field, card, kind == MOVE_CHOOSE, takes);

    for (int i = 0; i < n; i++)
        ret[i] = (struct move){ .kind = (uint8_t)kind, .card = (uint8_t)card, .take = takes[i] };
    return n;
}

static int hand_moves(const struct ruleset *g, const struct round *r, struct move *ret)
{
    int n = 0;

    if (g->forced_own_month)
        return plays(r->hand[r->turn], r->field, ret);
    for (cardset hand = r->hand[r->turn]; hand != 0; hand = set_rest(hand))
        n += moves_of(&g->rules, MOVE_PLAY, r->field, set_first(hand), ret + n);
    return n;
}

int round_legal(const struct ruleset *g, const struct round *r, int seat, struct move ret[static MAX_MOVES])
{
    int n = 0;

    if (r->phase == PHASE_OVER)
        return 0;
    if (!r->played[seat]) {
        if (may_declare(g, r, seat))
            ret[n++] = bare(MOVE_DECLARE);
        if (r->may_redeal[seat])
            ret[n++] = bare(MOVE_REDEAL);
    }
    if (r->turn != seat)
        return n;
    switch ((enum phase)r->phase) {
    case PHASE_HAND:
        return n + hand_moves(g, r, ret + n);
    case PHASE_DRAW:
        return n + moves_of(&g->rules, MOVE_CHOOSE, r->field, r->drawn, ret + n);
    case PHASE_DECIDE:
        ret[n++] = bare(MOVE_KOIKOI);
        ret[n++] = bare(MOVE_STOP);
        return n;
    case PHASE_OVER:
        break;
    }
    return n;
}

/* ---- Moves ------------------------------------------------------------------------------------------ */

static inline void log_take(struct round_log *log, enum log_kind kind, int seat, int card, cardset take)
{
    if (log != NULL)
        log->at[log->n++] = (struct log_line){ .kind = (uint8_t)kind, .seat = (int8_t)seat,
                                               .card = (uint8_t)card, .take = take };
}

static void log_bare(struct round_log *log, enum log_kind kind, int seat, int what)
{
    if (log != NULL)
        log->at[log->n++] = (struct log_line){ .kind = (uint8_t)kind, .seat = (int8_t)seat,
                                               .card = CARD_NONE, .what = (uint8_t)what };
}

/* Puts `card` on the field, or takes with it; which of the two no processor could predict, so there is
 * no branch. */
static inline void lay(struct round *r, int seat, enum seen_kind kind, int card, cardset take)
{
    cardset won = take | CARD(card);

    r->field ^= take != 0 ? take : won;
    r->taken[seat] |= take != 0 ? won : 0;
    r->seen[r->n_seen++] = (struct seen){ .seat_kind = (uint8_t)(seat << 4 | kind), .card = (uint8_t)card,
                                          .took = take_seen(card, take) };
}

static inline void next_turn(const struct ruleset *g, struct round *r)
{
    int next = r->turn + 1;

    r->turn = (uint8_t)(next == r->players ? 0 : next);
    r->phase = PHASE_HAND;
    if (r->hand[r->turn] == 0)
        exhaust(g, r);
}

/* True if the seat to move may decide, both its phases done: where the sum has grown, some yaku has;
 * where it has not, only some rule sets need a closer look. */
static inline bool decides(const struct ruleset *g, const struct round *r)
{
    const struct score *then = &r->last_decision[r->turn];
    struct score now;

    int base = pile_base(g, r->taken[r->turn]);

    if (base > then->base)
        return true;
    if (g->base_decides || base == 0)
        return false;
    score_pile(g, r->taken[r->turn], &now);
    return score_is_new(&now, then);
}

/* After the draw phase: the question, or the next seat. A pile that did not grow has nothing new. */
static inline void settle(const struct ruleset *g, struct round *r, struct round_log *log)
{
    if (decides(g, r)) {
        r->phase = PHASE_DECIDE;
        return;
    }
    next_turn(g, r);
    if (r->phase == PHASE_OVER)
        log_bare(log, LOG_END, -1, 0);
}

/* Turns up the top of the stock; true if the draw phase is done with. */
static inline bool draw(const struct ruleset *g, struct round *r, struct round_log *log)
{
    if (r->next == N_CARDS)
        return true;
    int card = r->deck[r->next++];
    cardset take = r->field & card_month_set(card);
    bool choice = take_is_choice(take);

    if (!g->forced_own_month) {
        cardset takes[N_CARDS];
        choice = round_takes(&g->rules, r->field, card, true, takes) > 1;
        take = takes[0];
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

static inline enum illegal play(const struct ruleset *g, struct round *r, struct move m, struct round_log *log)
{
    int seat = r->turn;

    if (r->phase != PHASE_HAND)
        return ILLEGAL_PHASE;
    if (m.card >= N_CARDS || (r->hand[seat] & CARD(m.card)) == 0)
        return ILLEGAL_NOT_IN_HAND;
    if (g->forced_own_month ? !take_fits(r->field & card_month_set(m.card), m.take)
                            : !takes_allow(&g->rules, r->field, m.card, m.take))
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

static inline enum illegal choose(const struct ruleset *g, struct round *r, struct move m, struct round_log *log)
{
    int card = r->drawn;

    if (r->phase != PHASE_DRAW)
        return ILLEGAL_PHASE;
    if (m.card != CARD_NONE && m.card != card)
        return ILLEGAL_NOT_IN_HAND;
    if (m.take == 0 || (g->forced_own_month ? !take_fits(r->field & card_month_set(card), m.take)
                                            : !takes_allow(&g->rules, r->field, card, m.take)))
        return ILLEGAL_TAKE;
    if (log != NULL)
        log->n = 0;
    log_take(log, LOG_DRAW, r->turn, card, m.take);
    r->drawn = CARD_NONE;
    lay(r, r->turn, SEEN_DRAW, card, m.take);
    settle(g, r, log);
    return LEGAL;
}

static enum illegal decide(const struct ruleset *g, struct round *r, enum move_kind what, struct round_log *log)
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
        r->seen[r->n_seen++] = (struct seen){ .seat_kind = (uint8_t)(seat << 4 | SEEN_KOIKOI), .card = CARD_NONE };
        next_turn(g, r);
    }
    if (r->phase == PHASE_OVER)
        log_bare(log, LOG_END, -1, 0);
    return LEGAL;
}

static enum illegal declare(const struct ruleset *g, struct round *r, int seat, struct round_log *log)
{
    if (r->phase != PHASE_HAND)
        return ILLEGAL_PHASE;
    if (!may_declare(g, r, seat))
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

enum illegal round_apply(const struct ruleset *g, struct round *r, int seat, struct move m,
                         struct round_log *ret_log)
{
    assert(seat >= 0 && seat < r->players);
    if (r->phase == PHASE_OVER)
        return ILLEGAL_OVER;
    if (seat != r->turn && m.kind != MOVE_REDEAL && m.kind != MOVE_RESIGN)
        return ILLEGAL_NOT_YOUR_TURN;
    switch ((enum move_kind)m.kind) {
    case MOVE_PLAY:    return play(g, r, m, ret_log);
    case MOVE_CHOOSE:  return choose(g, r, m, ret_log);
    case MOVE_KOIKOI:
    case MOVE_STOP:    return decide(g, r, (enum move_kind)m.kind, ret_log);
    case MOVE_DECLARE: return declare(g, r, seat, ret_log);
    case MOVE_REDEAL:  return redeal(r, seat, ret_log);
    case MOVE_RESIGN:  return resign(r, seat, ret_log);
    }
    return ILLEGAL_PHASE;
}

enum illegal round_complete(const struct ruleset *g, const struct round *r, int seat, bool take_given,
                            struct move *m)
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
