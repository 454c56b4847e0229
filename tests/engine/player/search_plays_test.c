/* The likelihood of plays: chances of one hand add up to one by each style, the play that players
 * make is the likelier, a style heeds what its players do, and a belief that heeds it finds the hand
 * that explains what was seen. */
#include "test.h"
#include "search_plays.h"
#include "exact_math.h"
#include "nets.h"
#include "positions.h"
#include "presets.h"
#include "table.h"
#include "table_value.h"

/* The plays of a hand on a field, in the order of round_legal(). */
static int plays(const struct ruleset *g, const struct sight *at, struct move *ret)
{
    cardset takes[N_CARDS];
    int n = 0;
    for (cardset left = at->hand; left; left = set_rest(left)) {
        int card = set_first(left), ways = round_takes(&g->rules, at->field, card, false, takes);
        for (int i = 0; i < ways; i++)
            ret[n++] = (struct move){.kind = MOVE_PLAY, .card = (uint8_t)card, .take = takes[i]};
    }
    return n;
}

static float chance_of(const struct sight *at, const char *card)
{
    struct move moves[MAX_MOVES];
    int n = plays(preset(PRESET_STANDARD), at, moves);
    float sum = 0, by_style[N_STYLES];
    for (int i = 0; i < n; i++) {
        if (CARD(moves[i].card) != set_of(card))
            continue;
        plays_log_chance(preset(PRESET_STANDARD), at, moves, n, i, NULL, by_style);
        sum += (float)exact_exp((double)by_style[STYLE_POLICY]);
    }
    return sum;
}

TEST(chances_of_a_hand_add_up_to_one)
{
    int asked = 0;
    for (int p = 0; p < N_PRESETS; p++)
        for (uint64_t seed = 0; seed < 30; seed++) {
            const struct value_net *net = value_net_for(net_rules_hash(&presets[p]));
            struct move moves[MAX_MOVES];
            float worth[MAX_MOVES], by_style[N_STYLES];
            struct match m;
            double sum[N_STYLES] = {0};
            if (!position(preset(p), 2, seed, (int)(seed % 14), &m) || m.round.phase != PHASE_HAND)
                continue;
            const struct sight at = policy_sight(&m.round);
            const struct value_voids voids = {.of = {0}};
            int n = plays(preset(p), &at, moves);
            if (net != NULL)
                value_of_each(net, preset(p), &m.round, &voids, 0, moves, n, worth);
            for (int i = 0; i < n; i++) {
                plays_log_chance(preset(p), &at, moves, n, i, net ? worth : NULL, by_style);
                for (int s = 0; s < N_STYLES; s++) {
                    assert_true(by_style[s] <= 0);
                    sum[s] += exact_exp((double)by_style[s]);
                }
            }
            for (int s = 0; s < N_STYLES; s++)
                assert_true(sum[s] > 0.9999 && sum[s] < 1.0001);
            asked++;
        }
    assert_true(asked > 60);
}

/* Of two plays that are otherwise alike the one that leaves the table worth more is likelier, most of
 * all by those who look at it; the policy's style does not see it. */
TEST(a_style_heeds_what_the_table_is_worth)
{
    const struct sight at = {.hand = set_of("5p1 5p2"), .field = set_of("3r 8p1 12p1 1p1")};
    const float even[] = {1, 1}, first[] = {2, 1};
    float before[N_STYLES], after[N_STYLES];
    struct move moves[MAX_MOVES];
    int n = plays(preset(PRESET_STANDARD), &at, moves);
    assert_int_equal(n, 2);
    plays_log_chance(preset(PRESET_STANDARD), &at, moves, n, 0, even, before);
    plays_log_chance(preset(PRESET_STANDARD), &at, moves, n, 0, first, after);
    assert_true(after[STYLE_VALUE] > before[STYLE_VALUE] + 0.1f);
    assert_true(after[STYLE_PLAIN] > before[STYLE_PLAIN]);
    assert_true(after[STYLE_VALUE] > after[STYLE_PLAIN]);
    assert_true(after[STYLE_POLICY] == before[STYLE_POLICY]);
}

TEST(features_are_few_and_in_range)
{
    bool used[N_PLAY_FEATURES] = {false};
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct move moves[MAX_MOVES];
        uint8_t feature[MAX_PLAY_FEATURES];
        struct match m;
        if (!position(preset(PRESET_STANDARD), 2, seed, (int)(seed % 14), &m))
            continue;
        const struct sight at = policy_sight(&m.round);
        int n = plays(preset(PRESET_STANDARD), &at, moves);
        for (int i = 0; i < n; i++)
            for (int k = play_features(&at, &moves[i], feature) - 1; k >= 0; k--) {
                assert_true(feature[k] < N_PLAY_FEATURES);
                used[feature[k]] = true;
            }
    }
    /* Three unseen cards of the month of a capture leave no card on the field to capture. */
    for (int k = 0; k < N_PLAY_FEATURES; k++)
        assert_true(used[k] != (k == PLAY_LEAVES + PLAY_UNSEEN - 1));
}

/* A bright captures a ribbon: whoever can do that hardly lays down a plain card. */
TEST(a_capture_of_worth_is_likelier_than_a_card_laid_down)
{
    const struct sight at = {.hand = set_of("3b 5p1 7p1 9p1"), .field = set_of("3r 8p1 12p1 1p1")};
    assert_true(chance_of(&at, "3b") > 0.5f);
    assert_true(chance_of(&at, "3b") > 4 * chance_of(&at, "5p1"));
}

/* The sake cup laid down invites the opponent to a viewing; a plain card of a month of which two
 * are in the hand gives nothing away. */
TEST(who_must_lay_down_a_card_keeps_the_sake_cup)
{
    const struct sight at = {.hand = set_of("9a 5p1 5p2"), .field = set_of("3r 8p1 12p1 1p1")};
    assert_true(chance_of(&at, "5p1") > 2 * chance_of(&at, "9a"));
}
