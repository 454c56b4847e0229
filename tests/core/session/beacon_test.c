/* Rounds of a public beacon by the clock: round 1 is published at the genesis, the next ones a
 * period apart; a seal names the first that is published after it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "chance.h"

static const struct beacon_chain chain = {.genesis = 1692803367000, .period = 3000};

static void the_first_round_after_a_moment(void **state)
{
    (void)state;
    assert_int_equal(beacon_round_after(&chain, 5), 1);
    assert_int_equal(beacon_round_after(&chain, chain.genesis - 1), 1);
    assert_int_equal(beacon_round_after(&chain, chain.genesis), 2);
    assert_int_equal(beacon_round_after(&chain, chain.genesis + 2999), 2);
    assert_int_equal(beacon_round_after(&chain, chain.genesis + 3000), 3);
    assert_int_equal(beacon_round_after(&chain, 1795262400000), 34153013);
}

static void a_round_is_published_after_its_seal(void **state)
{
    (void)state;
    for (int64_t at = chain.genesis - 7000; at < chain.genesis + 20000; at += 100) {
        int64_t published = beacon_published(&chain, beacon_round_after(&chain, at));
        assert_true(published > at);
        assert_true(published <= at + 3000 || at < chain.genesis - 3000);
    }
}

static void an_unknown_chain_names_no_round(void **state)
{
    const struct beacon_chain unknown = {.url = "https://b.example"};
    (void)state;
    assert_int_equal(beacon_round_after(&unknown, 1795262400000), 0);
    assert_int_equal(beacon_published(&unknown, 77), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_round_after_a_moment),
        cmocka_unit_test(a_round_is_published_after_its_seal),
        cmocka_unit_test(an_unknown_chain_names_no_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
