/* Rounds of a public beacon by the clock: round 1 is published at the genesis, the next ones a
 * period apart; a seal names the first that is published after it. */
#include "engine/test.h"
#include "chance.h"

static const struct beacon_chain chain = {.genesis = 1692803367000, .period = 3000};

TEST(the_first_round_after_a_moment)
{
    assert_int_equal(beacon_round_after(&chain, 5), 1);
    assert_int_equal(beacon_round_after(&chain, chain.genesis - 1), 1);
    assert_int_equal(beacon_round_after(&chain, chain.genesis), 2);
    assert_int_equal(beacon_round_after(&chain, chain.genesis + 2999), 2);
    assert_int_equal(beacon_round_after(&chain, chain.genesis + 3000), 3);
    assert_int_equal(beacon_round_after(&chain, 1795262400000), 34153013);
}

TEST(a_round_is_published_after_its_seal)
{
    for (int64_t at = chain.genesis - 7000; at < chain.genesis + 20000; at += 100) {
        int64_t published = beacon_published(&chain, beacon_round_after(&chain, at));
        assert_true(published > at);
        assert_true(published <= at + 3000 || at < chain.genesis - 3000);
    }
}

TEST(an_unknown_chain_names_no_round)
{
    const struct beacon_chain unknown = {.url = "https://b.example"};
    assert_int_equal(beacon_round_after(&unknown, 1795262400000), 0);
    assert_int_equal(beacon_published(&unknown, 77), 0);
}
