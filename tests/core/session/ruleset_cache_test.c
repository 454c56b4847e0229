/* Cache of prepared rule sets: each is made once, is the right one, and stays valid as long as
 * ruleset_cache.h says. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "rules_option.h"
#include "ruleset_file.h"

#include <string.h>

enum { MANY = RULESET_CACHE_SLOTS + 20 };

static struct ruleset_cache rulesets;
static struct rules standard;

FIXTURE(open_all)
{
    struct err err;
    return ruleset_file_find(STR(""), STR("standard"), &standard, &err) ? 0 : -1;
}

FIXTURE(empty)
{
    rulesets = (struct ruleset_cache){0};
    return 0;
}

/* The preset with plains worth 1 ... MAX_WORTH. */
static struct rules variant(int worth)
{
    struct rules r = standard;
    r.yaku[YAKU_KASU] = (uint8_t)worth;
    assert_null(rules_check(&r));
    return r;
}

static void assert_right(const struct ruleset *g, const struct rules *r)
{
    static struct ruleset own;
    ruleset_make(r, &own);
    assert_memory_equal(g, &own, sizeof own);
}

TEST_WITH(cached_tables_equal_new_ones, empty, NULL)
{
    for (int pass = 0; pass < 3; pass++)
        for (int i = 1; i <= MANY; i++) {
            struct rules r = variant(pass == 1 ? MANY + 1 - i : i);
            assert_right(ruleset_cache_get(&rulesets, &r), &r);
        }
}

TEST_WITH(the_same_rules_are_made_once, empty, NULL)
{
    struct rules r = variant(7), again = variant(7);
    const struct ruleset *g = ruleset_cache_get(&rulesets, &r);
    assert_ptr_equal(ruleset_cache_get(&rulesets, &again), g);
    assert_ptr_equal(ruleset_cache_get(&rulesets, &g->rules), g);
}

/* Also an old one, requested again just now. */
TEST_WITH(an_answer_stands_while_others_are_asked_for, empty, NULL)
{
    struct rules r = variant(1);
    const struct ruleset *g = ruleset_cache_get(&rulesets, &r);
    for (int i = 2; i <= RULESET_CACHE_SLOTS; i++) {
        struct rules other = variant(i);
        ruleset_cache_get(&rulesets, &other);
    }
    assert_ptr_equal(ruleset_cache_get(&rulesets, &r), g);
    for (int i = 1; i < RULESET_CACHE_SLOTS; i++) {
        struct rules other = variant(RULESET_CACHE_SLOTS + i);
        ruleset_cache_get(&rulesets, &other);
        assert_right(g, &r);
    }
}

TESTS_WITH(open_all, NULL)
