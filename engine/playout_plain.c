/* The plain road: any rule set, any number of players, through round.h; and the choice between
 * the two roads. Slower, and so simple that the fast road is held against it. */
#include "end.h"
#include "playout.h"
#include "playout_turn.h"

#include <assert.h>

static void apply(const struct ruleset *g, struct round *r, struct move m)
{
    enum illegal no = round_apply(g, r, r->turn, m, NULL);

    assert(no == LEGAL);
    (void)no;
}

/* The take for `card` among all the rules allow: by the fast path's bit where there are two,
 * else by chance or weight. Laying down is chosen only where nothing can be taken. */
static cardset choose(const struct ruleset *g, const struct playout_policy *p,
                      const struct round *r, int card, bool drawn, uint64_t bits)
{
    cardset takes[N_CARDS];
    int n = round_takes(&g->rules, r->field, card, drawn, takes), best = 0;

    n -= n > 1 && takes[n - 1] == 0;
    if (!p->greedy)
        return takes[n == 2 ? bits >> (drawn ? AT_DRAW_CHOICE : AT_HAND_CHOICE) & 1
                            : luck_below(bits >> AT_MANY, (unsigned)n)];
    for (int i = 1; i < n; i++)
        if (weigh(p, takes[i]) > weigh(p, takes[best]))
            best = i;
    return takes[best];
}

/* The same question as pick(), for every way of taking. */
static int plain_pick(const struct ruleset *g, const struct playout_policy *p,
                      const struct round *r, uint64_t bits)
{
    cardset hand = r->hand[r->turn];
    int best = CARD_NONE, best_value = 0;

    if (!p->greedy || coin(bits, AT_BLUNDER, p->blunder))
        return set_first(pile_nth_by(false, hand, luck_below(bits, (unsigned)set_count(hand))));
    for (; hand != 0; hand = set_rest(hand)) {
        int card = set_first(hand),
            value = worth_playing(p, card, choose(g, p, r, card, false, bits));
        if (best == CARD_NONE || value > best_value) {
            best = card;
            best_value = value;
        }
    }
    return best;
}

static void plain_turn(const struct ruleset *g, const struct playout_policy *p, struct luck *c,
                       struct round *r)
{
    uint64_t bits = luck_next(c);
    int seat = r->turn;

    if (r->phase == PHASE_HAND) {
        int card = plain_pick(g, p, r, bits);
        apply(g, r, (struct move){MOVE_PLAY, (uint8_t)card, choose(g, p, r, card, false, bits)});
    }
    if (r->phase == PHASE_DRAW)
        apply(g, r, (struct move){MOVE_CHOOSE, r->drawn, choose(g, p, r, r->drawn, true, bits)});
    if (r->phase == PHASE_DECIDE) {
        bool on = calls(p, score_base(g, r->taken[seat]), set_count(r->hand[seat]), bits);
        apply(g, r, (struct move){on ? MOVE_KOIKOI : MOVE_STOP, CARD_NONE, 0});
    }
}

static void play_plainly(const struct ruleset *g, const struct playout_policy *p, struct luck *c,
                         struct round *r)
{
    while (r->phase != PHASE_OVER) {
        if (round_may_declare(g, r, r->turn))
            apply(g, r, (struct move){MOVE_DECLARE, CARD_NONE, 0});
        else
            plain_turn(g, p, c, r);
    }
}

void playout_round(const struct ruleset *g, const struct playout_policy *p, struct luck *c,
                   const struct round *r, struct playout_end *ret)
{
    assert(r->phase != PHASE_OVER);
    if (playout_is_fast(g, r)) {
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
