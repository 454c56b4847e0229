/* The fast road: worlds of two players, known card by card.
 *
 * A seat's turn draws one number of chance and cuts it up (playout_turn.h). Everything is kept in
 * a few words, has next to no branch that a random card could mispredict, and is compiled twice,
 * for machines with BMI2 and for all others (pile.h); the plain road (playout_plain.c) asks the
 * same questions of the same bits, which is how the test holds them together.
 */
#include "playout.h"
#include "pay.h"
#include "playout_turn.h"
#include "take.h"

#include <assert.h>
#include <string.h>

/* ---- What a card takes, which card is played ------------------------------------------------- */

/* Of ways told by their first cards (take.h), at least one: the heaviest, or by chance. */
BITS_INLINE cardset one_of(bool bmi2, const struct playout_policy *p, cardset same, cardset firsts,
                           uint64_t bits, int at)
{
    unsigned n = (unsigned)pile_count_by(bmi2, firsts);

    if (!p->greedy)
        return take_from(
            same,
            pile_nth_by(bmi2, firsts, n == 2 ? bits >> at & 1 : luck_below(bits >> AT_MANY, n)));
    cardset best = take_from(same, firsts & -firsts);
    for (cardset left = set_rest(firsts); left != 0; left = set_rest(left)) {
        cardset take = take_from(same, left & -left);
        best = weigh(p, take) > weigh(p, best) ? take : best;
    }
    return best;
}

/* The same with Lightning wild; 0 if there is no way. */
BITS_INLINE cardset wild_take(bool bmi2, const struct playout_policy *p, cardset field, int card,
                              uint64_t bits, int at)
{
    cardset same = field & card_month_set(card),
            firsts = take_firsts(same, take_other(field, card));

    return firsts != 0 ? one_of(bmi2, p, same, firsts, bits, at) : 0;
}

BITS_BMI2 static cardset wild_take_bmi2(const struct playout_policy *p, cardset field, int card,
                                        uint64_t bits, int at)
{
    return wild_take(true, p, field, card, bits, at);
}

BITS_APART cardset wild_take_plainly(const struct playout_policy *p, cardset field, int card,
                                     uint64_t bits, int at)
{
    return wild_take(false, p, field, card, bits, at);
}

/* What `card` takes. wild: Lightning if it is, else nothing. */
BITS_INLINE cardset take_of(bool bmi2, const struct playout_policy *p, cardset wild, cardset field,
                            int card, uint64_t bits, int at)
{
    cardset same = field & card_month_set(card), low = same & -same;

    if (__builtin_expect(((field | CARD(card)) & wild) != 0, 0))
        return bmi2 ? wild_take_bmi2(p, field, card, bits, at)
                    : wild_take_plainly(p, field, card, bits, at);
    if (p->greedy)
        return take_is_choice(same) ? one_of(false, p, same, same, bits, at) : same;
    cardset one = (bits >> at & 1) != 0 ? same ^ low : low;
    return take_is_choice_by(bmi2, same) ? one : same;
}

/* The hand card of the greedy policy: the heaviest take with the card that takes, else the
 * lightest card. */
static int greedy_pick(const struct playout_policy *p, cardset wild, cardset field, cardset hand,
                       uint64_t bits)
{
    int best = set_first(hand), best_value = INT32_MIN;

    for (; hand != 0; hand = set_rest(hand)) {
        int card = set_first(hand),
            value =
                worth_playing(p, card, take_of(false, p, wild, field, card, bits, AT_HAND_CHOICE));
        if (value > best_value) {
            best = card;
            best_value = value;
        }
    }
    return best;
}

BITS_INLINE int pick(bool bmi2, const struct playout_policy *p, cardset wild, cardset field,
                     cardset hand, uint64_t bits)
{
    if (p->greedy && !coin(bits, AT_BLUNDER, p->blunder))
        return greedy_pick(p, wild, field, hand, bits);
    return set_first(
        pile_nth_by(bmi2, hand, luck_below(bits, (unsigned)pile_count_by(bmi2, hand))));
}

/* ---- The fast road --------------------------------------------------------------------------- */

/* True if a seat may still declare a hand yaku: the fast path knows of none. */
static bool may_declare(const struct ruleset *g, const struct round *r)
{
    if (!g->rules.has_hand_yaku || g->rules.claim != CLAIM_DECLARED)
        return false;
    for (int s = 0; s < r->players; s++)
        if (!r->played[s] && hand_yaku_of(g, r->hand[s]) != HAND_NONE)
            return true;
    return false;
}

bool playout_is_fast(const struct ruleset *g, const struct round *r)
{
    if (r->players != 2 || !g->rest_decides || may_declare(g, r))
        return false;
    for (int s = 0; s < 2 && !g->base_decides; s++)
        if (r->last_decision[s].base > 0 && r->decided[s] == 0)
            return false;
    return true;
}

void playout_from(const struct round *r, struct playout *ret)
{
    struct playout *w = ret;

    assert(r->players == 2 && r->phase != PHASE_OVER);
    w->field = r->field;
    w->phase = r->phase;
    w->turn = r->turn;
    w->dealer = r->dealer;
    w->drawn = r->drawn;
    w->table_brights = r->table_brights;
    w->next = r->next;
    memcpy(w->deck, r->deck, N_CARDS);
    for (int p = 0; p < 2; p++) {
        w->hand[p] = r->hand[p];
        w->taken[p] = r->taken[p];
        w->koikoi[p] = r->koikoi[p];
        w->decided[p] = r->decided[p];
        w->called_base[p] = r->last_decision[p].base;
    }
}

/* Without a branch: taken cards leave the field and join the pile with `card`, or `card` joins
 * the field. */
BITS_INLINE cardset lay(struct playout *w, int seat, cardset field, int card, cardset take)
{
    w->taken[seat] |= take_wins(CARD(card), take);
    return field ^ take_moves(CARD(card), take);
}

BITS_APART void stop(const struct ruleset *g, const struct playout *w, int seat, int base,
                     struct playout_end *ret)
{
    uint32_t x[N_MULTIPLIERS];
    int n_yaku = base > 0;

    if (g->rules.seven_min_yaku > 1) {
        struct score s;
        score_pile(g, w->taken[seat], &s);
        n_yaku = s.n_yaku;
    }
    ret->why = WHY_STOP;
    ret->winner = (int8_t)seat;
    ret->points = pay_points(&g->rules, base, n_yaku, w->koikoi[seat], w->koikoi[0] + w->koikoi[1],
                             w->table_brights, x);
}

static void exhaust(const struct ruleset *g, const struct playout *w, struct playout_end *ret)
{
    bool oya_kan = g->rules.exhausted == EXHAUSTED_OYA_KAN && w->koikoi[0] + w->koikoi[1] > 0;

    ret->why = oya_kan ? WHY_OYA_KAN : WHY_EXHAUSTED;
    ret->winner = (int8_t)(oya_kan ? w->dealer : -1);
    ret->points = oya_kan ? OYA_KAN_POINTS : 0;
}

/* After both phases: true if the seat stopped and the round is over. A yaku may be new though the
 * sum has not grown, where rain or a dearer side ends another. called: the parts of each seat's
 * pile at its last koi-koi. */
BITS_INLINE bool settle(bool bmi2, const struct ruleset *g, const struct playout_policy *p,
                        struct playout *w, int seat, uint64_t *called, uint64_t bits,
                        struct playout_end *ret)
{
    int base = pile_base_by(bmi2, g, w->taken[seat]);

    if (base <= w->called_base[seat] &&
        (g->base_decides ||
         !pile_part_is_new(pile_parts_by(bmi2, g, w->taken[seat], base), called[seat])))
        return false;
    if (calls(p, base, pile_count_by(bmi2, w->hand[seat]), bits)) {
        w->koikoi[seat]++;
        w->called_base[seat] = (uint16_t)base;
        called[seat] = pile_parts_by(bmi2, g, w->taken[seat], base);
        return false;
    }
    stop(g, w, seat, base, ret);
    return true;
}

/* A world that stands in the middle of a turn: the rest of it. */
static bool finish_turn(const struct ruleset *g, const struct playout_policy *p, struct playout *w,
                        uint64_t *called, uint64_t bits, struct playout_end *ret)
{
    int seat = w->turn;

    if (w->phase == PHASE_DRAW)
        w->field = lay(w, seat, w->field, w->drawn,
                       take_of(false, p, g->wild, w->field, w->drawn, bits, AT_DRAW_CHOICE));
    return settle(g->bmi2, g, p, w, seat, called, bits, ret);
}

BITS_INLINE void play_on(bool bmi2, const struct ruleset *g, const struct playout_policy *p,
                         struct luck *c, struct playout *w, uint64_t *called,
                         struct playout_end *ret)
{
    cardset field = w->field, wild = g->wild;
    int seat = w->turn, next = w->next;
    bool over = false;

    for (; w->hand[seat] != 0 && !over; seat ^= 1) {
        uint64_t bits = luck_next(c);
        int card = pick(bmi2, p, wild, field, w->hand[seat], bits);
        w->hand[seat] ^= CARD(card);
        field =
            lay(w, seat, field, card, take_of(bmi2, p, wild, field, card, bits, AT_HAND_CHOICE));
        if (next < N_CARDS) {
            card = w->deck[next++];
            field = lay(w, seat, field, card,
                        take_of(bmi2, p, wild, field, card, bits, AT_DRAW_CHOICE));
        }
        over = settle(bmi2, g, p, w, seat, called, bits, ret);
    }
    w->field = field;
    w->next = (uint8_t)next;
    if (!over)
        exhaust(g, w, ret);
}

/* Each kind of policy has a loop of its own: what a constant leaves of the other is nothing. */
BITS_INLINE void run(bool bmi2, const struct ruleset *g, const struct playout_policy *p,
                     struct luck *c, struct playout *w, uint64_t *called, struct playout_end *ret)
{
    if (p->greedy) {
        play_on(bmi2, g, p, c, w, called, ret);
    } else {
        struct playout_policy random = {.koikoi = p->koikoi, .cheap = p->cheap, .early = p->early};
        play_on(bmi2, g, &random, c, w, called, ret);
    }
}

BITS_BMI2 static void run_bmi2(const struct ruleset *g, const struct playout_policy *p,
                               struct luck *c, struct playout *w, uint64_t *called,
                               struct playout_end *ret)
{
    run(true, g, p, c, w, called, ret);
}

void playout_run(const struct ruleset *g, const struct playout_policy *p, struct luck *c,
                 struct playout *world, struct playout_end *ret)
{
    struct luck own = *c;
    uint64_t called[2] = {pile_parts_by(g->bmi2, g, world->decided[0], world->called_base[0]),
                          pile_parts_by(g->bmi2, g, world->decided[1], world->called_base[1])};
    bool over =
        world->phase != PHASE_HAND && finish_turn(g, p, world, called, luck_next(&own), ret);

    world->turn ^= world->phase != PHASE_HAND;
    world->phase = PHASE_HAND;
    if (!over && g->bmi2)
        run_bmi2(g, p, &own, world, called, ret);
    else if (!over)
        run(false, g, p, &own, world, called, ret);
    *c = own;
}

/* ---- Worlds by chance ------------------------------------------------------------------------ */

BITS_INLINE cardset cards(const uint8_t *deck, int n)
{
    cardset s = 0;

    for (int i = 0; i < n; i++)
        s |= CARD(deck[i]);
    return s;
}

BITS_INLINE void put_out(struct playout *w, int size, int table)
{
    w->hand[0] = cards(w->deck, size);
    w->hand[1] = cards(w->deck + size, size);
    w->field = cards(w->deck + 2 * size, table);
}

/* Who gets which packet does not matter to chance: hands and table come one after the other. */
BITS_INLINE void deal(const struct ruleset *g, int dealer, struct luck *c, struct playout *w)
{
    static const uint8_t sorted[N_CARDS] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                            12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                                            24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
                                            36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47};
    int size = g->rules.hand[2], table = g->rules.table[2], seen = 4 * size + table;
    uint8_t *deck = w->deck;
    struct luck own = *c;

    memcpy(deck, sorted, N_CARDS);
    for (int i = 0; i < seen && i < N_CARDS; i += 4) {
        uint64_t bits = luck_next(&own);
        for (int k = i; k < i + 4; k++, bits >>= 16) {
            int j = k + (int)luck_below(bits, (unsigned)(N_CARDS - k));
            uint8_t card = deck[j];
            deck[j] = deck[k];
            deck[k] = card;
        }
    }
    *c = own;
    memset(w, 0, offsetof(struct playout, deck));
    if (size == 8 && table == 8)
        put_out(w, 8, 8);
    else
        put_out(w, size, table);
    w->turn = w->dealer = (uint8_t)dealer;
    w->drawn = CARD_NONE;
    w->next = (uint8_t)(2 * size + table);
    w->table_brights = (uint8_t)pile_count(g, w->field & set_brights & ~CARD(RAINMAN));
}

BITS_BMI2 static void deal_bmi2(const struct ruleset *g, int dealer, struct luck *c,
                                struct playout *w)
{
    deal(g, dealer, c, w);
}

void playout_deal(const struct ruleset *g, int dealer, struct luck *c, struct playout *ret)
{
    if (g->bmi2)
        deal_bmi2(g, dealer, c, ret);
    else
        deal(g, dealer, c, ret);
}
