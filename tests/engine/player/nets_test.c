/* Trained numbers against the rule sets they were learned from. A preset whose rules changed fails
 * here until `make nets` has learned it anew. */
#include "test.h"
#include "nets.h"
#include "equity.h"
#include "presets.h"
#include "search_call.h"
#include "search_policy.h"

#include <string.h>

static uint64_t hash_of(int p)
{
    return net_rules_hash(&presets[p]);
}

TEST(calls_are_learned_from_the_preset_as_it_is)
{
    for (int p = 0; p < N_PRESETS; p++) {
        const struct call_net *net = call_net_for(preset(p), 2);
        if (net->learned_from != hash_of(p))
            fail_msg("nets/%s.inc: learned from rules %016llx, the preset is %016llx: make nets",
                     presets[p].name, (unsigned long long)net->learned_from,
                     (unsigned long long)hash_of(p));
    }
}

TEST(rounds_are_counted_under_the_preset_as_it_is)
{
    for (int p = 0; p < N_PRESETS; p++)
        for (int players = MIN_PLAYERS; players <= MAX_PLAYERS; players++) {
            const struct equity_rounds *e = equity_nearest(&presets[p], players);
            if (!(presets[p].players_allowed >> players & 1))
                continue;
            if (e->learned_from != hash_of(p) || e->players != players)
                fail_msg("nets/rounds.inc: no rounds of %s for %d as it is now: make nets",
                         presets[p].name, players);
        }
}

TEST(the_policy_is_tuned_under_the_first_presets_as_they_are)
{
    for (int p = 0; p < N_FIRST_PRESETS; p++) {
        bool found = false;
        for (int i = 0; i < N_POLICY_RULES; i++)
            found = found || policy_learned_from[i] == hash_of(p);
        if (!found)
            fail_msg("nets/policy.inc: not tuned under %s as it is now: make nets",
                     presets[p].name);
    }
}

TEST(presets_have_different_hashes)
{
    for (int p = 0; p < N_PRESETS; p++)
        for (int q = 0; q < p; q++)
            assert_true(hash_of(p) != hash_of(q));
}

/* Payment, captures and the deal: the net depends on each. */
TEST(a_rule_of_the_round_changes_the_hash)
{
    struct rules r[16];
    for (int i = 0; i < 16; i++)
        r[i] = presets[PRESET_STANDARD];
    r[1].yaku[YAKU_SANKO]++;
    r[2].seven_x++;
    r[3].own_koikoi = DOUBLING_ONCE;
    r[4].capture = CAPTURE_OPTIONAL;
    r[5].table[2]++;
    r[6].sake_is_plain = !r[6].sake_is_plain;
    r[7].hand_yaku[HAND_PAIRS]++;
    r[8].exhausted = EXHAUSTED_OYA_KAN;
    r[9].trio_extra = TRIO_NONE;
    r[10].koikoi_limit = 1;
    r[11].koikoi_limit = 2;
    r[12].call_bonus = CALL_BONUS_STEPS;
    r[13].both_ribbons = 1;
    r[14].viewing_after_koikoi = 1;
    r[15].hand_four = HAND_FOUR_REDEAL;
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < i; k++)
            assert_true(net_rules_hash(&r[i]) != net_rules_hash(&r[k]));
}

TEST(name_words_and_the_match_around_do_not_change_it)
{
    struct rules r = presets[PRESET_STANDARD];
    memcpy(r.name, "ours", 5);
    memcpy(r.words, "sensei", 7);
    r.rounds = 3;
    r.rounds_allowed[0] = 3;
    r.scoring = SCORING_COINS;
    r.has_purse = true;
    r.n_purse = 1;
    r.purse[0] = 77;
    r.first_dealer = FIRST_RANDOM;
    r.tie_break = TIE_EXTRA_ROUND;
    r.drawn_dealer = DRAWN_CHANGES;
    assert_true(net_rules_hash(&r) == hash_of(PRESET_STANDARD));
}

/* House rules beside a preset use the preset's net; a preset under another name uses its own. */
TEST(other_rules_take_the_nearest_net)
{
    struct rules r = presets[PRESET_SENSEI];
    struct ruleset g;
    memcpy(r.name, "house", 6);
    ruleset_make(&r, &g);
    assert_ptr_equal(call_net_for(&g, 2), call_net_for(preset(PRESET_SENSEI), 2));
    r.yaku[YAKU_KASU]++;
    memcpy(r.name, "okoshki", 8);
    ruleset_make(&r, &g);
    assert_ptr_equal(call_net_for(&g, 2), call_net_for(preset(PRESET_SENSEI), 2));
}
