/* Worlds behind a view: complete, possible, and likelier where they explain the play seen. */
#include "test.h"
#include "search_world.h"
#include "positions.h"
#include "presets.h"
#include "table.h"

#include <string.h>

/* Each card is in one place, and the visible ones stay, whatever is dealt to the hidden places. */
TEST(a_world_is_a_whole_deck)
{
    static struct belief b;
    struct rng rng = rng_seed(1);
    for (int t = 0; t < N_RULE_CASES; t++)
        for (int moves = 0; moves < 12; moves++) {
            struct match m;
            struct view v;
            struct round r;
            if (!position(&rule_case(t)->g, rule_case(t)->players, (uint64_t)moves, moves, &m))
                continue;
            view_of(&rule_case(t)->g, &m, m.round.turn, &v);
            belief_make(&rule_case(t)->g, &v, 1, &rng, &b);
            world_draw(&v, &b, rng_fraction(&rng), &rng, &r);
            cardset all = r.field | (r.drawn < N_CARDS ? CARD(r.drawn) : 0);
            int n = set_count(all);
            for (int s = 0; s < r.players; s++) {
                all |= r.hand[s] | r.taken[s];
                n += set_count(r.hand[s]) + set_count(r.taken[s]);
                assert_int_equal(set_count(r.hand[s]), set_count(m.round.hand[s]));
                assert_true(r.taken[s] == m.round.taken[s]);
            }
            for (int i = r.next; i < N_CARDS; i++, n++)
                all |= CARD(r.deck[i]);
            assert_true(all == ALL_CARDS && n == N_CARDS);
            assert_true(r.hand[v.seat] == v.hand && r.field == v.field && r.next == m.round.next);

            struct move want[MAX_MOVES], have[MAX_MOVES];
            int n_want = round_legal(&rule_case(t)->g, &m.round, v.seat, want);
            assert_int_equal(round_legal(&rule_case(t)->g, &r, v.seat, have), n_want);
            for (int i = 0; i < n_want; i++)
                assert_true(want[i].kind == have[i].kind && want[i].card == have[i].card &&
                            want[i].take == have[i].take);
        }
}

/* With one card hidden among ten unseen ones there are ten hands, each there once. */
TEST(few_hidden_cards_are_all_counted)
{
    static struct belief b;
    struct rng rng = rng_seed(1);
    int found = 0;
    for (uint64_t seed = 0; seed < 300 && found < 5; seed++) {
        struct match m;
        struct view v;
        if (!position(preset(PRESET_STANDARD), 2, seed, 17, &m))
            continue;
        view_of(preset(PRESET_STANDARD), &m, m.round.turn, &v);
        if (v.hand_size[1 - v.seat] != 1)
            continue;
        found++;
        belief_make(preset(PRESET_STANDARD), &v, 0, &rng, &b);
        cardset all = 0;
        assert_true(b.whole);
        for (int i = 0; i < b.n; i++) {
            assert_int_equal(set_count(b.hand[i][1 - v.seat]), 1);
            all |= b.hand[i][1 - v.seat];
        }
        assert_int_equal(b.n, set_count(b.unseen));
        assert_true(all == b.unseen);
    }
    assert_int_equal(found, 5);
}

/* Seat 0 is to play, of two; seat 1 deals. */
static struct view to_play(void)
{
    return (struct view){.rules = presets[PRESET_STANDARD],
                         .players = 2,
                         .seat = 0,
                         .dealer = 1,
                         .drawn = CARD_NONE,
                         .phase = PHASE_HAND};
}

/* Weight of the hands of seat 1 with one of these cards. */
static double share(const struct view *v, float inference, cardset some)
{
    static struct belief b;
    struct rng rng = rng_seed(1);
    double sum = 0;
    belief_make(preset(PRESET_STANDARD), v, inference, &rng, &b);
    for (int i = 0; i < b.n; i++)
        if (b.hand[i][1] & some)
            sum += (double)b.upto[i] - (i > 0 ? (double)b.upto[i - 1] : 0);
    return sum;
}

/* The full moon was the only possible capture (the seat itself holds the matches of the other field
 * cards), and the opponent laid a plain wisteria beside it: that hand hardly has a pampas card. */
TEST(leaving_the_moon_shows_a_hand_without_pampas)
{
    const cardset pampas = month_set(7) & ~CARD(MOON);
    struct view v = to_play();
    v.hand =
        CARD(0) | CARD(1) | CARD(12) | CARD(13) | CARD(SAKE) | CARD(33) | CARD(DEER) | CARD(37);
    v.hand_size[0] = 8;
    v.hand_size[1] = 7;
    v.stock_size = 24;
    v.played[1] = true;
    v.n_seen = 2;
    v.seen[0] = (struct seen){1 << 4 | SEEN_PLAY, 14, 0};
    v.seen[1] = (struct seen){1 << 4 | SEEN_DRAW, 18, 0};
    v.field = CARD(MOON) | CARD(14) | CARD(18) | CARD(2) | CARD(3) | CARD(34) | CARD(35) |
              CARD(38) | CARD(39);
    assert_true(share(&v, 0, pampas) > 0.3);
    assert_true(share(&v, 1, pampas) < 0.75 * share(&v, 0, pampas));
}

/* The opponent has called koi-koi with flower viewing and two brights; a pampas card lies on the
 * field: who holds the moon would complete three brights, and calls rather than others. */
TEST(a_call_shows_a_hand_that_has_something_to_win)
{
    struct view v = to_play();
    v.hand = set_of("2p2 5p1 6p1 7p1 10p2");
    v.field = set_of("8p1 2p1 12p1 10p1 11r 12p2");
    v.taken[0] = set_of("2a 2r 5a 5r 6a 6r");
    v.taken[1] = set_of("1b 1r 3b 3r 9a 9p1 4a 4r");
    v.koikoi[1] = 1;
    v.hand_size[0] = v.hand_size[1] = 5;
    v.stock_size = 18;
    v.n_seen = 1;
    v.seen[0] = (struct seen){1 << 4 | SEEN_KOIKOI, CARD_NONE, 0};
    assert_true(share(&v, 1, CARD(MOON)) > 1.2 * share(&v, 0, CARD(MOON)));
}
