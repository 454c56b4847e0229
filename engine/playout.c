/* The fast road and the plain one, with the same choices.
 *
 * A seat's turn draws one number of chance and cuts it up: which card, which of two field cards for the
 * hand card, which for the drawn one, and the koi-koi coin. The fast path keeps everything in a few
 * words and has next to no branch that a random card could mispredict; the plain road (playing through
 * round.h) asks the same questions of the same bits, which is how the test holds them together.
 */
#include "playout.h"
#include "pay.h"
#include "take.h"

#include <assert.h>
#include <string.h>

/* ---- One turn's chance ------------------------------------------------------------------------------- */

/* bits 0-15 the card, 16 the hand choice, 17 the draw choice, 24-31 the koi-koi coin, 32-39 a blunder. */
static inline bool coin(uint64_t bits, int at, unsigned of_256) { return ((bits >> at) & 255) < of_256; }

static inline int weigh(const struct playout_policy *p, cardset s)
{
    int sum = 0;

    for (; s != 0; s = set_rest(s))
        sum += p->weight[set_first(s)];
    return sum;
}

/* One of two: the heavier, or by a bit of chance. low is the first. */
static inline cardset one_of(const struct playout_policy *p, cardset low, cardset high, bool second)
{
    if (p->greedy) {
        int a = p->weight[set_first(low)], b = p->weight[set_first(high)];
        return a >= b ? low : high;
    }
    return second ? high : low;
}

/* What `card` takes of its own month on the field. */
static inline cardset take_of(const struct playout_policy *p, cardset field, int card, bool second)
{
    cardset same = field & card_month_set(card), low = same & -same;

    if (p->greedy)
        return take_is_choice(same) ? one_of(p, low, same ^ low, second) : same;
    cardset one = second ? same ^ low : low;
    return take_is_choice(same) ? one : same;
}

/* Greedy: the more a card takes, itself with it, the better; laid down, the less it weighs. */
static inline int worth_playing(const struct playout_policy *p, int card, cardset take)
{
    return take != 0 ? weigh(p, take) + p->weight[card] : -1 - p->weight[card];
}

/* The hand card of the greedy policy: the heaviest take with the card that takes, else the lightest card. */
static int greedy_pick(const struct playout_policy *p, cardset field, const uint8_t *hand, int n)
{
    int best = 0, best_value = -1000;

    for (int i = 0; i < n; i++) {
        int value = worth_playing(p, hand[i], take_of(p, field, hand[i], false));
        if (value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}

static inline int pick(const struct playout_policy *p, cardset field, const uint8_t *hand, int n, uint64_t bits)
{
    if (p->greedy && !coin(bits, 32, p->blunder))
        return greedy_pick(p, field, hand, n);
    return (int)luck_below(bits, (unsigned)n);
}

static inline bool calls(const struct playout_policy *p, int base, int left, uint64_t bits)
{
    return (base < p->cheap && left >= p->early) || coin(bits, 24, p->koikoi);
}

/* ---- The fast road ----------------------------------------------------------------------------------- */

bool playout_is_fast(const struct ruleset *g, int players)
{
    return players == 2 && g->forced_own_month && g->base_decides && g->rules.hand[2] <= PLAYOUT_HAND_MAX;
}

void playout_from(const struct round *r, struct playout *ret)
{
    struct playout *w = ret;

    assert(r->players == 2 && r->phase != PHASE_OVER);
    memset(w, 0, sizeof *w);
    w->field = r->field;
    w->phase = r->phase;
    w->turn = r->turn;
    w->dealer = r->dealer;
    w->drawn = r->drawn;
    w->table_brights = r->table_brights;
    w->next = r->next;
    memcpy(w->deck, r->deck, N_CARDS);
    for (int p = 0; p < 2; p++) {
        w->taken[p] = r->taken[p];
        w->koikoi[p] = r->koikoi[p];
        w->called_base[p] = r->last_decision[p].base;
        for (cardset h = r->hand[p]; h != 0; h = set_rest(h))
            w->hand[p][w->hand_n[p]++] = (uint8_t)set_first(h);
    }
}

/* Without a branch: taken cards leave the field and join the pile with `card`, or `card` joins the field. */
static inline void lay(struct playout *w, int seat, int card, cardset take)
{
    cardset one = CARD(card);

    w->field ^= take != 0 ? take : one;
    w->taken[seat] |= take != 0 ? take | one : 0;
}

static void stop(const struct ruleset *g, const struct playout *w, int seat, int base, struct playout_end *ret)
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

/* After both phases: true if the seat stopped and the round is over. */
static inline bool settle(const struct ruleset *g, const struct playout_policy *p, struct playout *w, int seat,
                          uint64_t bits, struct playout_end *ret)
{
    int base = score_base(g, w->taken[seat]);

    if (base <= w->called_base[seat])
        return false;
    if (calls(p, base, w->hand_n[seat], bits)) {
        w->koikoi[seat]++;
        w->called_base[seat] = (uint16_t)base;
        return false;
    }
    stop(g, w, seat, base, ret);
    return true;
}

static inline void draw(const struct playout_policy *p, struct playout *w, int seat, uint64_t bits)
{
    if (w->next == N_CARDS)
        return;
    int card = w->deck[w->next++];
    lay(w, seat, card, take_of(p, w->field, card, (bits >> 17 & 1) != 0));
}

/* A world that stands in the middle of a turn: the rest of it. */
static bool finish_turn(const struct ruleset *g, const struct playout_policy *p, struct playout *w, uint64_t bits,
                        struct playout_end *ret)
{
    int seat = w->turn;

    if (w->phase == PHASE_DRAW)
        lay(w, seat, w->drawn, take_of(p, w->field, w->drawn, (bits >> 17 & 1) != 0));
    return settle(g, p, w, seat, bits, ret);
}

static inline void play_on(const struct ruleset *g, const struct playout_policy *p, struct luck *c,
                           struct playout *w, struct playout_end *ret)
{
    int seat = w->turn;

    if (w->phase != PHASE_HAND) {
        if (finish_turn(g, p, w, luck_next(c), ret))
            return;
        seat ^= 1;
    }
    for (; w->hand_n[seat] > 0; seat ^= 1) {
        uint64_t bits = luck_next(c);
        uint8_t *hand = w->hand[seat];
        int at = pick(p, w->field, hand, w->hand_n[seat], bits), card = hand[at];
        hand[at] = hand[--w->hand_n[seat]];
        lay(w, seat, card, take_of(p, w->field, card, (bits >> 16 & 1) != 0));
        draw(p, w, seat, bits);
        if (settle(g, p, w, seat, bits, ret))
            return;
    }
    exhaust(g, w, ret);
}

void playout_run(const struct ruleset *g, const struct playout_policy *p, struct luck *c,
                 struct playout *world, struct playout_end *ret)
{
    struct luck own = *c;

    if (p->greedy) {
        play_on(g, p, &own, world, ret);
    } else {
        struct playout_policy random = { .koikoi = p->koikoi, .cheap = p->cheap, .early = p->early };
        play_on(g, &random, &own, world, ret);
    }
    *c = own;
}

void playout_deal(const struct ruleset *g, int dealer, struct luck *c, struct playout *ret)
{
    struct playout *w = ret;
    const uint8_t *slot = g->slot[2];
    int dealt = 2 * g->rules.hand[2] + g->rules.table[2], seen = dealt + 2 * g->rules.hand[2];
    uint64_t bits = 0;

    assert(g->rules.hand[2] <= PLAYOUT_HAND_MAX);
    memset(w, 0, offsetof(struct playout, hand));
    for (int i = 0; i < N_CARDS; i++)
        w->deck[i] = (uint8_t)i;
    for (int i = 0; i < seen && i < N_CARDS; i++) {
        bits = i % 4 == 0 ? luck_next(c) : bits >> 16;
        int j = i + (int)luck_below(bits, (unsigned)(N_CARDS - i));
        uint8_t card = w->deck[j];
        w->deck[j] = w->deck[i];
        w->deck[i] = card;
        int seat = (dealer + (i < dealt ? slot[i] : 0)) & 1;
        if (i < dealt && slot[i] == SLOT_TABLE)
            w->field |= CARD(card);
        else if (i < dealt)
            w->hand[seat][w->hand_n[seat]++] = card;
    }
    w->phase = PHASE_HAND;
    w->turn = w->dealer = (uint8_t)dealer;
    w->drawn = CARD_NONE;
    w->next = (uint8_t)dealt;
    w->table_brights = (uint8_t)set_count(w->field & set_brights & ~CARD(RAINMAN));
}

/* ---- The plain road ---------------------------------------------------------------------------------- */

/* The hands as lists, kept in the order the fast path would have them. */
struct hands { uint8_t n[MAX_PLAYERS], card[MAX_PLAYERS][N_CARDS]; };

static void apply(const struct ruleset *g, struct round *r, struct move m)
{
    enum illegal no = round_apply(g, r, r->turn, m, NULL);

    assert(no == LEGAL);
    (void)no;
}

/* The take for `card` among all the rules allow: by the fast path's bit where there are two, else by chance
 * or weight. Laying down is chosen only where nothing can be taken. */
static cardset choose(const struct ruleset *g, const struct playout_policy *p, const struct round *r, int card,
                      bool drawn, uint64_t bits)
{
    cardset takes[N_CARDS];
    int n = round_takes(&g->rules, r->field, card, drawn, takes), best = 0;

    n -= n > 1 && takes[n - 1] == 0;
    if (!p->greedy)
        return takes[n == 2 ? (bits >> (drawn ? 17 : 16) & 1) : luck_below(bits >> 40, (unsigned)n)];
    for (int i = 1; i < n; i++)
        if (weigh(p, takes[i]) > weigh(p, takes[best]))
            best = i;
    return takes[best];
}

/* The same question as pick(), for every way of taking. */
static int plain_pick(const struct ruleset *g, const struct playout_policy *p, const struct round *r,
                      const uint8_t *hand, int n, uint64_t bits)
{
    int best = 0, best_value = -1000;

    if (!p->greedy || coin(bits, 32, p->blunder))
        return (int)luck_below(bits, (unsigned)n);
    for (int i = 0; i < n; i++) {
        int value = worth_playing(p, hand[i], choose(g, p, r, hand[i], false, bits));
        if (value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}

static void plain_turn(const struct ruleset *g, const struct playout_policy *p, struct luck *c, struct round *r,
                       struct hands *h)
{
    uint64_t bits = luck_next(c);
    int seat = r->turn;

    if (r->phase == PHASE_HAND) {
        int at = plain_pick(g, p, r, h->card[seat], h->n[seat], bits), card = h->card[seat][at];
        h->card[seat][at] = h->card[seat][--h->n[seat]];
        apply(g, r, (struct move){ MOVE_PLAY, (uint8_t)card, choose(g, p, r, card, false, bits) });
    }
    if (r->phase == PHASE_DRAW)
        apply(g, r, (struct move){ MOVE_CHOOSE, r->drawn, choose(g, p, r, r->drawn, true, bits) });
    if (r->phase == PHASE_DECIDE) {
        bool on = calls(p, score_base(g, r->taken[seat]), h->n[seat], bits);
        apply(g, r, (struct move){ on ? MOVE_KOIKOI : MOVE_STOP, CARD_NONE, 0 });
    }
}

static bool declares(const struct ruleset *g, const struct round *r)
{
    return g->rules.has_hand_yaku && g->rules.claim == CLAIM_DECLARED && r->phase == PHASE_HAND &&
           !r->played[r->turn] && hand_yaku_of(g, r->hand[r->turn]) != HAND_NONE;
}

static void play_plainly(const struct ruleset *g, const struct playout_policy *p, struct luck *c, struct round *r)
{
    struct hands h = { 0 };

    for (int s = 0; s < r->players; s++)
        for (cardset left = r->hand[s]; left != 0; left = set_rest(left))
            h.card[s][h.n[s]++] = (uint8_t)set_first(left);
    while (r->phase != PHASE_OVER) {
        if (declares(g, r))
            apply(g, r, (struct move){ MOVE_DECLARE, CARD_NONE, 0 });
        else
            plain_turn(g, p, c, r, &h);
    }
}

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

void playout_round(const struct ruleset *g, const struct playout_policy *p, struct luck *c,
                   const struct round *r, struct playout_end *ret)
{
    assert(r->phase != PHASE_OVER);
    if (playout_is_fast(g, r->players) && !may_declare(g, r)) {
        struct playout world;
        playout_from(r, &world);
        playout_run(g, p, c, &world, ret);
        return;
    }
    struct round copy = *r;
    play_plainly(g, p, c, &copy);
    ret->winner = copy.result.winner;
    ret->why = copy.result.why;
    ret->points = copy.result.points;
}
