/* The ceiling on one person's commands in one chat: it is reached once a minute, others do not
 * reach it, and what is forgiven does not count. */
#include "engine/test.h"
#include "inbox_features.h"

static struct cache *c;

FIXTURE(setup)
{
    c = cache_open(CEILING_PEOPLE, 1 << 20);
    return 0;
}

FIXTURE(teardown)
{
    cache_close(c);
    return 0;
}

TEST_WITH(it_is_reached_once_a_minute, setup, teardown)
{
    for (int64_t minute = 5000; minute < 5000 + 3 * CEILING_MS; minute += CEILING_MS) {
        for (int i = 0; i < CEILING_COMMANDS; i++)
            assert_int_equal(ceiling_count(c, 7, 1, minute + i), CEILING_BELOW);
        assert_int_equal(ceiling_count(c, 7, 1, minute + 900), CEILING_REACHED);
        for (int i = 0; i < 1000; i++)
            assert_int_equal(ceiling_count(c, 7, 1, minute + 1000 + i), CEILING_ABOVE);
        assert_int_equal(ceiling_count(c, 8, 1, minute + 3000), CEILING_BELOW);
    }
}

TEST_WITH(what_posts_counts_as_several, setup, teardown)
{
    for (int i = 0; i < CEILING_COMMANDS / CEILING_POST; i++)
        assert_int_equal(ceiling_count(c, 7, CEILING_POST, i), CEILING_BELOW);
    assert_int_equal(ceiling_count(c, 7, CEILING_POST, 100), CEILING_REACHED);
    assert_int_equal(ceiling_count(c, 7, CEILING_POST, 101), CEILING_ABOVE);
    assert_int_equal(ceiling_count(c, 7, 1, 102), CEILING_ABOVE);
}

TEST_WITH(legal_moves_do_not_count, setup, teardown)
{
    for (int i = 0; i < 5000; i++) {
        assert_int_equal(ceiling_count(c, 7, 1, i), CEILING_BELOW);
        ceiling_forgive(c, 7, 1);
    }
    assert_int_equal(ceiling_count(c, 7, 1, 6000), CEILING_BELOW);
}

/* More people than there are rows: the newest are counted, and an old row gives way. */
TEST_WITH(a_crowd_does_not_fill_it, setup, teardown)
{
    for (uint64_t who = 1; who < 100000; who++)
        assert_int_equal(ceiling_count(c, who * 0x9e3779b97f4a7c15u, 1, (int64_t)who),
                         CEILING_BELOW);
    for (int i = 0; i < CEILING_COMMANDS; i++)
        assert_int_equal(ceiling_count(c, 7, 1, 200000), CEILING_BELOW);
    assert_int_equal(ceiling_count(c, 7, 1, 200000), CEILING_REACHED);
}
