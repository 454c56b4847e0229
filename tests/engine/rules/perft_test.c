/* Perft: the number of move sequences to a depth, from fixed deals of every preset and of options
 * that no preset uses. perft.txt holds the counts; a generator that shares nothing with the engine
 * (naive.c) counts them again here, so the table cannot be a copy of the engine's output. */
#include "test.h"
#include "naive.h"
#include "presets.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP_ENOUGH = 3, DEALS = 5 }; /* most sequences of the naive generator: it is slow */

static long perft(const struct ruleset *g, const struct round *r, int depth)
{
    struct move moves[MAX_MOVES];
    long sum = 0;
    if (depth == 0)
        return 1;
    for (int seat = 0; seat < r->players; seat++) {
        int n = round_legal(g, r, seat, moves);
        for (int i = 0; i < n; i++) {
            struct round next = *r;
            assert_int_equal(round_apply(g, &next, seat, moves[i], NULL), LEGAL);
            sum += perft(g, &next, depth - 1);
        }
    }
    return sum;
}

struct perft_line {
    char rules[32];
    int players, deal, depth;
    long nodes;
};

/* The rule sets of the table by name: presets, and presets with one option changed. */
static struct rules rules_named(const char *name)
{
    struct rules r;
    if (preset_named(name) < N_PRESETS)
        return presets[preset_named(name)];
    r = presets[PRESET_SENSEI];
    if (strcmp(name, "optional") == 0) {
        r.capture = CAPTURE_OPTIONAL;
    } else if (strcmp(name, "wild_optional") == 0) {
        r = presets[PRESET_MONGOLOPEDIA];
        r.capture = CAPTURE_OPTIONAL;
        r.has_hand_yaku = false;
        memset(r.hand_yaku, 0, sizeof r.hand_yaku);
        r.claim = CLAIM_DECLARED;
    } else {
        fail_msg("no rule set called %s", name);
    }
    return r;
}

/* Fixed deal number n, shuffled by a generator of this file, so that it never changes. */
static void fixed_deal(int n, uint8_t *deck)
{
    uint32_t x = 2463534242u + (uint32_t)n * 7919u;
    for (int i = 0; i < N_CARDS; i++)
        deck[i] = (uint8_t)i;
    for (int i = N_CARDS - 1; i > 0; i--) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        int j = (int)(x % (uint32_t)(i + 1));
        uint8_t card = deck[i];
        deck[i] = deck[j];
        deck[j] = card;
    }
}

static long count(const struct perft_line *l, bool naive)
{
    struct rules r = rules_named(l->rules);
    const struct ruleset *g = ready(0, &r);
    uint8_t deck[N_CARDS];
    fixed_deal(l->deal, deck);
    if (naive) {
        struct naive_round n;
        int order[N_CARDS];
        for (int i = 0; i < N_CARDS; i++)
            order[i] = deck[i];
        naive_deal(&r, l->players, l->deal % l->players, order, &n);
        return naive_perft(&r, &n, l->depth);
    }
    struct round round;
    round_deal(g, l->players, l->deal % l->players, deck, &round, NULL);
    return perft(g, &round, l->depth);
}

TEST(the_table_holds_for_both_generators)
{
    FILE *in = fopen("tests/engine/perft.txt", "r");
    char text[200];
    int lines = 0;
    assert_non_null(in);
    while (fgets(text, sizeof text, in) != NULL) {
        struct perft_line l;
        if (text[0] == '#')
            continue;
        assert_int_equal(
            sscanf(text, "%31s %d %d %d %ld", l.rules, &l.players, &l.deal, &l.depth, &l.nodes), 5);
        if (count(&l, false) != l.nodes)
            fail_msg("%s, %d players, deal %d, depth %d: %ld nodes, the table has %ld", l.rules,
                     l.players, l.deal, l.depth, count(&l, false), l.nodes);
        if (l.depth <= DEEP_ENOUGH)
            assert_int_equal(count(&l, true), l.nodes);
        lines++;
    }
    fclose(in);
    assert_true(lines >= 6 * DEALS);
}

/* Beyond table and presets: random options, 2 and 3 players, few moves deep. */
TEST(both_generators_agree_under_random_options)
{
    struct rng c = rng_seed(31);
    for (int i = 0; i < 400; i++) {
        struct rules r = random_rules(&c);
        const struct ruleset *g = ready(0, &r);
        int players = (r.players_allowed >> 3 & 1) != 0 && i % 2 ? 3 : 2, order[N_CARDS];
        uint8_t deck[N_CARDS];
        struct round round;
        struct naive_round n;
        shuffle(&c, deck);
        for (int k = 0; k < N_CARDS; k++)
            order[k] = deck[k];
        round_deal(g, players, i % players, deck, &round, NULL);
        naive_deal(&r, players, i % players, order, &n);
        for (int depth = 1; depth <= 3; depth++)
            assert_int_equal(perft(g, &round, depth), naive_perft(&r, &n, depth));
    }
}

/* A position of the engine in the form of the naive generator. */
static struct naive_round as_naive(const struct round *r)
{
    struct naive_round n = {.players = r->players,
                            .dealer = r->dealer,
                            .turn = r->turn,
                            .next = r->next,
                            .drawn = r->drawn == CARD_NONE ? -1 : r->drawn,
                            .asked = r->phase == PHASE_DECIDE,
                            .over = r->phase == PHASE_OVER};
    for (int i = 0; i < N_CARDS; i++) {
        n.deck[i] = r->deck[i];
        n.place[i] = (r->field >> i & 1) != 0 ? NAIVE_FIELD : NAIVE_STOCK;
        for (int p = 0; p < r->players; p++) {
            n.place[i] = (r->hand[p] >> i & 1) != 0 ? NAIVE_HAND + p : n.place[i];
            n.place[i] = (r->taken[p] >> i & 1) != 0 ? NAIVE_PILE + p : n.place[i];
        }
    }
    for (int p = 0; p < r->players; p++) {
        n.played[p] = r->played[p];
        n.four[p] = r->may_redeal[p];
        n.calls[p] = r->koikoi[p];
        for (int y = 0; y < N_YAKU; y++)
            n.at_call[p].worth[y] = r->last_decision[p].worth[y];
    }
    return n;
}

/* Every position of whole random rounds: the moves from it, and the moves after each. */
TEST(both_generators_agree_along_whole_rounds)
{
    struct rng c = rng_seed(32);
    for (int i = 0; i < 300; i++) {
        struct rules r = random_rules(&c);
        const struct ruleset *g = ready(0, &r);
        int players = (r.players_allowed >> 3 & 1) != 0 && i % 2 ? 3 : 2;
        uint8_t deck[N_CARDS];
        struct round round;
        struct move moves[MAX_MOVES];
        shuffle(&c, deck);
        round_deal(g, players, i % players, deck, &round, NULL);
        while (round.phase != PHASE_OVER) {
            struct naive_round n = as_naive(&round);
            assert_int_equal(perft(g, &round, 1), naive_perft(&r, &n, 1));
            assert_int_equal(perft(g, &round, 2), naive_perft(&r, &n, 2));
            int count = round_legal(g, &round, round.turn, moves);
            int last = count > 2 &&
                       moves[0].kind == MOVE_DECLARE; /* a round that ends at once tests little */
            assert_int_equal(
                round_apply(g, &round, round.turn,
                            moves[last + (int)(rng_next(&c) % (uint64_t)(count - last))], NULL),
                LEGAL);
        }
    }
}
