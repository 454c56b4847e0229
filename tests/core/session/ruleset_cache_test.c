/* A rule set's tables are made once, are the right ones, and stand as long as made.h says. */
#include "shell/scratch.h"

#include "made.h"
#include "ruleset_file.h"

#include <string.h>

enum { MANY = MADE_SLOTS + 20 };

static struct made made;
static struct rules standard;

static int open_all(void **state)
{
    struct err err;
    (void)state;
    return ruleset_file_find(STR(""), STR("standard"), &standard, &err) ? 0 : -1;
}

static int empty(void **state)
{
    (void)state;
    made = (struct made){0};
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

static void every_answer_is_the_right_one(void **state)
{
    (void)state;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 1; i <= MANY; i++) {
            struct rules r = variant(pass == 1 ? MANY + 1 - i : i);
            assert_right(made_ruleset(&made, &r), &r);
        }
}

static void the_same_rules_are_made_once(void **state)
{
    (void)state;
    struct rules r = variant(7), again = variant(7);
    const struct ruleset *g = made_ruleset(&made, &r);
    assert_ptr_equal(made_ruleset(&made, &again), g);
    assert_ptr_equal(made_ruleset(&made, &g->rules), g);
}

/* Also one that was made long ago and asked for again just now. */
static void an_answer_stands_while_others_are_asked_for(void **state)
{
    (void)state;
    struct rules r = variant(1);
    const struct ruleset *g = made_ruleset(&made, &r);
    for (int i = 2; i <= MADE_SLOTS; i++) {
        struct rules other = variant(i);
        made_ruleset(&made, &other);
    }
    assert_ptr_equal(made_ruleset(&made, &r), g);
    for (int i = 1; i < MADE_SLOTS; i++) {
        struct rules other = variant(MADE_SLOTS + i);
        made_ruleset(&made, &other);
        assert_right(g, &r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_answer_is_the_right_one, empty),
        cmocka_unit_test_setup(the_same_rules_are_made_once, empty),
        cmocka_unit_test_setup(an_answer_stands_while_others_are_asked_for, empty),
    };
    return cmocka_run_group_tests(tests, open_all, NULL);
}
