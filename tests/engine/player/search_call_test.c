/* The koi-koi nets: their features depend on visible cards alone, and their answers are right where
 * a good player is sure. */
#include "test.h"
#include "search_call.h"
#include "positions.h"
#include "presets.h"
#include "search_policy.h"
#include "table.h"

#include <math.h>
#include <string.h>

/* Each card is in one place, each group has one value, no feature appears twice. */
TEST(features_are_complete_and_unique)
{
    uint16_t feature[MAX_CALL_FEATURES];
    int asked = 0;
    for (int p = 0; p < N_PRESETS; p++)
        for (uint64_t seed = 0; seed < 40; seed++) {
            struct match m;
            bool there[N_CALL_FEATURES] = {false};
            if (!position(preset(p), 2, seed, (int)(seed % 14), &m))
                continue;
            int n = call_features(preset(p), &m.round, feature);
            bool dealer = m.round.dealer == m.round.turn;
            assert_int_equal(n, N_CARDS + 2 * 8 + 5 + dealer);
            for (int i = 0; i < n; i++) {
                assert_true(feature[i] < N_CALL_FEATURES && !there[feature[i]]);
                there[feature[i]] = true;
            }
            for (int c = 0; c < N_CARDS; c++)
                assert_int_equal(feature[c] / CALL_PLACES, c);
            asked++;
        }
    assert_true(asked > 60);
}

/* Exchanges the opponent's hand and the stock. */
TEST(features_ignore_hidden_cards)
{
    uint16_t one[MAX_CALL_FEATURES], two[MAX_CALL_FEATURES];
    int compared = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct match m;
        if (!position(preset(PRESET_STANDARD), 2, seed, (int)(seed % 10), &m))
            continue;
        struct round r = m.round;
        int other = 1 - r.turn;
        for (cardset h = m.round.hand[other]; h && r.next < N_CARDS; h = set_rest(h), compared++) {
            int place = N_CARDS - 1 - compared % (N_CARDS - r.next), card = r.deck[place];
            r.hand[other] = (r.hand[other] & ~(h & -h)) | CARD(card);
            r.deck[place] = (uint8_t)set_first(h);
        }
        int n = call_features(preset(PRESET_STANDARD), &m.round, one);
        assert_int_equal(call_features(preset(PRESET_STANDARD), &r, two), n);
        assert_memory_equal(one, two, sizeof *one * (size_t)n);
    }
    assert_true(compared > 100);
}

/* One card in hand, four brights and a viewing in the pile, the opponent near a yaku: no good
 * player goes on. */
TEST(call_net_stops_on_a_huge_pile)
{
    for (int p = 0; p < N_PRESETS; p++) {
        struct round r = {.phase = PHASE_DECIDE, .players = 2, .drawn = CARD_NONE, .next = 40};
        r.taken[0] = set_of("1b 1r 3b 3r 8b 8a 9a 9r 12b 12p1 6r 6p1 10r 10p1");
        r.taken[1] = set_of("2a 2r 4a 4r 5a 5r 7a 7r 11a 11r");
        r.hand[0] = set_of("4p1");
        r.hand[1] = set_of("11p");
        r.field = set_of("11b 5p1");
        assert_false(call_is_better(call_net_for(preset(p), 2), preset(p), &r));
    }
}

/* Three players: the order of the opponents and their hidden cards must not matter, only who
 * threatens what. */
TEST(call_net_treats_both_opponents_alike)
{
    const struct ruleset *g = preset(PRESET_MONGOLOPEDIA);
    const struct call_net *net = call_net_for(g, 3);
    int said[2] = {0};
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct match m;
        if (!position(g, 3, seed, (int)(6 + seed % 12), &m) || m.round.hand[m.round.turn] == 0)
            continue;
        struct round r = m.round;
        int a = (r.turn + 1) % 3, b = (r.turn + 2) % 3;
        r.taken[a] = m.round.taken[b];
        r.taken[b] = m.round.taken[a];
        r.koikoi[a] = m.round.koikoi[b];
        r.koikoi[b] = m.round.koikoi[a];
        r.last_decision[a] = m.round.last_decision[b];
        r.last_decision[b] = m.round.last_decision[a];
        bool better = call_is_better(net, g, &m.round);
        assert_int_equal(call_is_better(net, g, &r), better);
        said[better]++;
    }
    assert_true(said[false] > 20 && said[true] > 20);
}

/* Aotan, and a last card that captures nothing; one opponent needs one more card. In either seat,
 * and though the third player has nothing, it is time to stop. */
TEST(call_net_heeds_the_nearer_opponent)
{
    const struct ruleset *g = preset(PRESET_MONGOLOPEDIA);
    const struct call_net *net = call_net_for(g, 3);
    struct round r = {.phase = PHASE_DECIDE, .players = 3, .drawn = CARD_NONE, .next = 40};
    r.taken[0] = set_of("6r 6p1 9r 9p1 10r 10p1");
    r.hand[0] = set_of("4p1");
    r.field = set_of("2a 5p1");
    for (int near = 1; near < 3; near++) {
        r.taken[near] = set_of("1b 1p1 3b 3p1 7a 7p1 8a 8p1 11a 11p 12p1 12p2");
        r.taken[3 - near] = 0;
        assert_false(call_is_better(net, g, &r));
    }
}

/* Stakes of seat 0 for a seat 0 that wins up to `most` points and nothing beyond, less `needs`. */
static struct stakes stakes_between(int needs, int most)
{
    struct stakes s = {.no_winner = .5f};
    for (int p = 0; p < STAKE_POINTS; p++) {
        int counts = p < most ? p : most;
        s.win[0][p] = .5f + (counts > needs ? .001f * (float)(counts - needs) : 0);
        s.win[1][p] = .5f - .001f * (float)p;
    }
    return s;
}

/* Where each point is worth the same, a call is for the match what it is for the round, whichever
 * seat the stakes are of. A purse that the stop empties is no reason to go on. Who needs more than
 * a stop brings goes on where there is any hope. */
TEST(calls_heed_what_the_match_needs)
{
    int said[2] = {0};
    for (int p = 0; p < N_PRESETS; p++)
        for (uint64_t seed = 0; seed < 1500; seed++) {
            const struct ruleset *g = preset(p);
            const struct call_net *net = call_net_for(g, 2);
            struct match m;
            if (!position(g, 2, seed, (int)(4 + seed % 10), &m) || m.round.turn != 0)
                continue;
            const struct round *r = &m.round;
            int pays = policy_pays(g, r);
            float gain = call_gain(net, g, r);
            if (pays == 0 || r->hand[0] == 0 || gain == 0)
                continue;
            struct stakes mine = stakes_between(0, STAKE_POINTS), theirs = mine;
            for (int k = 0; k < STAKE_POINTS; k++) {
                theirs.win[0][k] = 1 - mine.win[0][k];
                theirs.win[1][k] = 1 - mine.win[1][k];
            }
            bool better = call_wins_more(net, g, r, pays, &mine, 0);
            assert_int_equal(call_wins_more(net, g, r, pays, &theirs, 1), better);
            if (fabsf(gain) > 1)
                assert_int_equal(better, gain > 0);
            said[better]++;
            struct stakes purse = stakes_between(0, pays), behind = stakes_between(pays, 200);
            assert_false(call_wins_more(net, g, r, pays, &purse, 0));
            for (int k = 0; k < STAKE_POINTS; k++)
                behind.win[1][k] = behind.no_winner; /* nothing is left to lose */
            assert_true(gain + (float)pays < 0 || call_wins_more(net, g, r, pays, &behind, 0));
        }
    assert_true(said[false] > 50 && said[true] > 50);
}

TEST(each_preset_has_its_own_call_net)
{
    for (int p = 0; p < N_PRESETS; p++) {
        assert_non_null(call_net_for(preset(p), 2));
        for (int q = 0; q < p; q++)
            assert_ptr_not_equal(call_net_for(preset(p), 2), call_net_for(preset(q), 2));
    }
}
