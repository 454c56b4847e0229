/* Captures: the ways to play a card, with Wild Lightning and without. Each test sets up its own
 * deal; expectations come from the rules page. */
#include "presets.h"
#include "rounds.h"
#include "table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* ---- Captures -------------------------------------------------------------------------------- */

static void no_match_lies_down_and_one_match_is_taken(void **state)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = dealt(g, calm0, calm1, "1p1 9r 9p1 10a 10r 11r 11a 12b", "12p1");
    (void)state;
    assert_int_equal(does(g, &r, "1b"), ILLEGAL_TAKE); /* a card that matches must capture */
    assert_int_equal(does(g, &r, "2a=1p1"), ILLEGAL_TAKE);
    assert_int_equal(does(g, &r, "1b=1p1"), LEGAL);
    assert_true(r.taken[0] == set_of("1b 1p1 12b 12p1")); /* the drawn card captured, too */
    assert_int_equal(r.turn, 1);
    assert_int_equal(does(g, &r, "2r"), LEGAL);
    assert_true((r.field & set_of("2r")) != 0);
}

static void of_two_matches_one_is_chosen(void **state)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = dealt(g, calm0, calm1, "1p1 1p2 9p1 10a 10r 11r 11a 12b", "9a");
    (void)state;
    assert_true(is_legal(g, &r, 0, "1b=1p1"));
    assert_true(is_legal(g, &r, 0, "1b=1p2"));
    assert_int_equal(does(g, &r, "1b=1p1+1p2"), ILLEGAL_TAKE);
    assert_int_equal(does(g, &r, "1b"), ILLEGAL_TAKE);
    assert_int_equal(does(g, &r, "1b=1p2"), LEGAL);
    assert_true((r.field & set_of("1p1")) != 0);
}

static void three_matches_are_taken_all(void **state)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r =
        dealt(g, calm0, "2r 3r 4r 5r 6r 7r 8b 9r", "1r 1p1 1p2 10a 10r 11r 11a 12b", "9a");
    (void)state;
    assert_int_equal(does(g, &r, "1b=1r"), ILLEGAL_TAKE);
    assert_int_equal(does(g, &r, "1b=1r+1p1+1p2"), LEGAL);
    assert_true(r.taken[0] == set_of("1b 1r 1p1 1p2"));
}

static void a_drawn_card_with_two_matches_waits_for_a_choice(void **state)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = dealt(g, calm0, calm1, "1p1 9r 9p1 10a 10r 11r 12b 12p2", "12p1 9p2");
    (void)state;
    assert_int_equal(does(g, &r, "1b=1p1"), LEGAL);
    assert_int_equal(r.phase, PHASE_DRAW);
    assert_true(CARD(r.drawn) == set_of("12p1"));
    assert_int_equal(r.turn, 0);
    assert_true(((r.field | r.taken[0]) & set_of("12p1")) == 0); /* in neither table nor stock */
    assert_int_equal(r.next, 25);
    assert_int_equal(count_legal(g, &r), 2);
    assert_int_equal(does(g, &r, "2a"), ILLEGAL_PHASE);
    assert_int_equal(does(g, &r, "/12p1"), ILLEGAL_TAKE);
    assert_int_equal(does(g, &r, "/12p1=9r"), ILLEGAL_TAKE);
    assert_int_equal(does(g, &r, "/9p2=9r"), ILLEGAL_NOT_IN_HAND);
    assert_int_equal(does(g, &r, "/12p1=12b"), LEGAL);
    assert_int_equal(r.drawn, CARD_NONE);
    assert_int_equal(r.turn, 1);
}

static void with_optional_capture_a_hand_card_may_lie_down_unless_three_match(void **state)
{
    struct rules o = presets[PRESET_SENSEI];
    (void)state;
    o.capture = CAPTURE_OPTIONAL;
    const struct ruleset *g = ready(0, &o);
    struct round r = dealt(g, "1b 2a 3b 4a 5a 6a 7a 8a", "1r 2r 3r 4r 5r 6r 10r 8b",
                           "1p1 9r 9p1 10a 7r 7p1 7p2 12b", "12p1");
    assert_true(is_legal(g, &r, 0, "1b"));
    assert_true(is_legal(g, &r, 0, "1b=1p1"));
    assert_false(is_legal(g, &r, 0, "7a"));
    assert_int_equal(does(g, &r, "7a"), ILLEGAL_TAKE);
    assert_int_equal(does(g, &r, "1b"), LEGAL);
    assert_true(r.taken[0] == set_of("12b 12p1")); /* the drawn card always captures if it can */
}

/* ---- Wild Lightning -------------------------------------------------------------------------- */

/* Compares the ways to play `card` onto `field` with the expected ones: their number and each of
 * them. */
static void expect_takes(const struct rules *r, const char *field, const char *card, bool drawn,
                         const char *const *takes, int n)
{
    cardset have[N_CARDS];
    int found = 0, count = round_takes(r, set_of(field), set_first(set_of(card)), drawn, have);

    assert_int_equal(count, n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < count; k++)
            found += have[k] == set_of(takes[i]);
    assert_int_equal(found, n);
}
#define TAKES(r, field, card, drawn, ...)                                                          \
    expect_takes(r, field, card, drawn, (const char *const[]){__VA_ARGS__},                        \
                 (int)(sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *)))

static void lightning_takes_any_card_and_must(void **state)
{
    struct rules r = wild();
    (void)state;
    for (int drawn = 0; drawn < 2; drawn++) {
        TAKES(&r, "1b 3r 8b", "11p", drawn, "1b", "3r", "8b");
        TAKES(&r, "", "11p", drawn, "");
        TAKES(&r, "1b 11r", "11p", drawn, "1b", "11r");
        TAKES(&r, "1b 11b 11r", "11p", drawn, "1b", "11b", "11r");
        TAKES(&r, "1b 11b 11a 11r", "11p", drawn, "1b", "11b 11a 11r");
    }
}

static void lightning_on_the_table_is_one_more_choice(void **state)
{
    struct rules r = wild();
    (void)state;
    for (int drawn = 0; drawn < 2; drawn++) {
        TAKES(&r, "11p 8b", "1b", drawn, "11p"); /* its only match: it must capture */
        TAKES(&r, "11p 1p1", "1b", drawn, "11p", "1p1");
        TAKES(&r, "11p 1p1 1p2", "1b", drawn, "11p", "1p1", "1p2");
    }
}

static void three_of_the_month_and_lightning_are_a_choice_between_them(void **state)
{
    struct rules r = wild();
    (void)state;
    TAKES(&r, "11p 1r 1p1 1p2", "1b", false, "11p", "1r 1p1 1p2");
    TAKES(&r, "11p 1r 1p1 1p2", "1b", true, "11p", "1r 1p1 1p2");
}

static void among_november_cards_lightning_is_ordinary(void **state)
{
    struct rules r = wild();
    (void)state;
    TAKES(&r, "11p 1r", "11a", false, "11p");
    TAKES(&r, "11p 11b", "11a", false, "11p", "11b");
    TAKES(&r, "11p 11b 11r 5a", "11a", false, "11p 11b 11r");
}

static void optional_capture_lets_lightning_lie_down_too(void **state)
{
    struct rules r = wild();
    (void)state;
    r.capture = CAPTURE_OPTIONAL;
    TAKES(&r, "1b 8b", "11p", false, "1b", "8b", "");
    TAKES(&r, "1b 8b", "11p", true, "1b", "8b");
    TAKES(&r, "1b 11b 11a 11r", "11p", false, "1b", "11b 11a 11r");
    TAKES(&r, "11p 8b", "1b", false, "11p", "");
    TAKES(&r, "11p 1r 1p1 1p2", "1b", false, "11p", "1r 1p1 1p2");
}

static void a_drawn_lightning_is_a_choice_of_the_whole_table(void **state)
{
    struct rules w = wild();
    (void)state;
    const struct ruleset *g = ready(0, &w);
    struct round r = dealt(g, calm0, calm1, "1p1 9r 9p1 10a 10r 11r 12b 12p2", "11p");
    assert_int_equal(does(g, &r, "1b=1p1"), LEGAL);
    assert_int_equal(r.phase, PHASE_DRAW);
    assert_int_equal(count_legal(g, &r), 7);
    assert_int_equal(does(g, &r, "/11p=12b"), LEGAL);
    assert_true((r.taken[0] & set_of("11p 12b")) == set_of("11p 12b"));
    assert_true(seen_take(r.seen[1]) == set_of("12b"));
}

static void elsewhere_lightning_is_one_card_of_november(void **state)
{
    struct rules r = presets[PRESET_STANDARD];
    (void)state;
    TAKES(&r, "1b 11r", "11p", false, "11r");
    TAKES(&r, "1b 8b", "11p", false, "");
    TAKES(&r, "11p", "1b", false, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_match_lies_down_and_one_match_is_taken),
        cmocka_unit_test(of_two_matches_one_is_chosen),
        cmocka_unit_test(three_matches_are_taken_all),
        cmocka_unit_test(a_drawn_card_with_two_matches_waits_for_a_choice),
        cmocka_unit_test(with_optional_capture_a_hand_card_may_lie_down_unless_three_match),
        cmocka_unit_test(lightning_takes_any_card_and_must),
        cmocka_unit_test(lightning_on_the_table_is_one_more_choice),
        cmocka_unit_test(three_of_the_month_and_lightning_are_a_choice_between_them),
        cmocka_unit_test(among_november_cards_lightning_is_ordinary),
        cmocka_unit_test(optional_capture_lets_lightning_lie_down_too),
        cmocka_unit_test(a_drawn_lightning_is_a_choice_of_the_whole_table),
        cmocka_unit_test(elsewhere_lightning_is_one_card_of_november),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
