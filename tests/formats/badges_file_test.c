/* The table of badges: what it says, and that a fault in it is named. */
#include "engine/test.h"
#include <string.h>

#include "badges_file.h"

TEST(every_badge_can_be_earned)
{
    struct badge_rules rules;
    struct err err;
    assert_true(badges_load(&rules, &err));
    for (int b = 0; b < N_BADGES; b++)
        assert_int_not_equal(rules.rule[b].kind, BADGE_NEVER);
    assert_int_equal(rules.rule[BADGE_GOKO].kind, BADGE_BY_YAKU);
    assert_int_equal(rules.rule[BADGE_GOKO].n, YAKU_GOKO);
    assert_int_equal(rules.rule[BADGE_RUN].n, 10);
}

TEST(a_fault_is_named_and_changes_nothing)
{
    static const struct {
        const char *json, *says;
    } rows[] = {{"{\"fish\":{\"streak\":1}}", "fish: there is no such badge"},
                {"{\"run\":{}}", "run: expected one condition"},
                {"{\"run\":{\"points\":1,\"streak\":2}}", "run: expected one condition"},
                {"{\"run\":{\"luck\":1}}", "run: there is no condition \"luck\""},
                {"{\"goko\":{\"yaku\":\"gokko\"}}", "goko.yaku: there is no \"gokko\""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct badge_rules rules = {.rule[0].n = 77};
        struct err err;
        assert_false(badges_read(str_of(rows[i].json), &rules, &err));
        assert_string_equal(err.text, rows[i].says);
        assert_int_equal(rules.rule[0].n, 77);
    }
    struct badge_rules rules;
    struct err err;
    assert_false(badges_read(STR("{\"run\":{\"streak\":0}}"), &rules, &err));
    assert_false(badges_read(STR("{"), &rules, &err));
    assert_false(badges_read(STR("[{\"streak\":1}]"), &rules, &err));
    assert_string_equal(err.text, "expected an object, got [{\"streak\":1}]");
    assert_false(badges_read(STR("5"), &rules, &err));
    assert_string_equal(err.text, "expected an object, got 5");
}
