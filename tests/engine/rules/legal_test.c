/* Captures: the ways to play a card, with Wild Lightning and without. Each test sets up its own
 * deal; expectations come from the rules page. */
#include "test.h"
#include "presets.h"
#include "rounds.h"
#include "table.h"

#include <string.h>

/* ---- Captures -------------------------------------------------------------------------------- */

TEST(no_match_lies_down_and_one_match_is_taken)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = dealt(g, calm0, calm1, "1p1 9r 9p1 10a 10r 11r 11a 12b", "12p1");
    assert_int_equal(does(g, &r, "1b"), ILLEGAL_TAKE); /* a card that matches must capture */
    assert_int_equal(does(g, &r, "2a=1p1"), ILLEGAL_TAKE);
    plays(g, &r, "1b=1p1");
    assert_true(r.taken[0] == set_of("1b 1p1 12b 12p1")); /* the drawn card captured, too */
    assert_int_equal(r.turn, 1);
    plays(g, &r, "2r");
    assert_true((r.field & set_of("2r")) != 0);
}

TEST(of_two_matches_one_is_chosen)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = dealt(g, calm0, calm1, "1p1 1p2 9p1 10a 10r 11r 11a 12b", "9a");
    assert_true(is_legal(g, &r, 0, "1b=1p1"));
    assert_true(is_legal(g, &r, 0, "1b=1p2"));
    assert_int_equal(does(g, &r, "1b=1p1+1p2"), ILLEGAL_TAKE);
    assert_int_equal(does(g, &r, "1b"), ILLEGAL_TAKE);
    plays(g, &r, "1b=1p2");
    assert_true((r.field & set_of("1p1")) != 0);
}

TEST(three_matches_are_taken_all)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r =
        dealt(g, calm0, "2r 3r 4r 5r 6r 7r 8b 9r", "1r 1p1 1p2 10a 10r 11r 11a 12b", "9a");
    assert_int_equal(does(g, &r, "1b=1r"), ILLEGAL_TAKE);
    plays(g, &r, "1b=1r+1p1+1p2");
    assert_true(r.taken[0] == set_of("1b 1r 1p1 1p2"));
}

TEST(a_drawn_card_with_two_matches_waits_for_a_choice)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = dealt(g, calm0, calm1, "1p1 9r 9p1 10a 10r 11r 12b 12p2", "12p1 9p2");
    plays(g, &r, "1b=1p1");
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
    plays(g, &r, "/12p1=12b");
    assert_int_equal(r.drawn, CARD_NONE);
    assert_int_equal(r.turn, 1);
}

TEST(with_optional_capture_a_hand_card_may_lie_down_unless_three_match)
{
    const struct ruleset *g = under("sensei capture=optional");
    struct round r = dealt(g, "1b 2a 3b 4a 5a 6a 7a 8a", "1r 2r 3r 4r 5r 6r 10r 8b",
                           "1p1 9r 9p1 10a 7r 7p1 7p2 12b", "12p1");
    assert_true(is_legal(g, &r, 0, "1b"));
    assert_true(is_legal(g, &r, 0, "1b=1p1"));
    assert_false(is_legal(g, &r, 0, "7a"));
    assert_int_equal(does(g, &r, "7a"), ILLEGAL_TAKE);
    plays(g, &r, "1b");
    assert_true(r.taken[0] == set_of("12b 12p1")); /* the drawn card always captures if it can */
}

/* ---- Wild Lightning -------------------------------------------------------------------------- */

/* The ways to play a card from the hand or from the stock, each with the cards that it captures; "-":
 * it is laid down. */
TEST(lightning_takes_and_is_taken_as_the_rules_say)
{
    enum { HAND = 1, STOCK = 2, BOTH = 3 };
    static const char *const optional = "mongolopedia capture=optional";
    const struct {
        const char *rules, *field, *card;
        int from;
        const char *takes;
    } rows[] = {
        /* it takes any card, and must */
        {"mongolopedia", "1b 3r 8b", "11p", BOTH, "1b, 3r, 8b"},
        {"mongolopedia", "", "11p", BOTH, "-"},
        {"mongolopedia", "1b 11r", "11p", BOTH, "1b, 11r"},
        {"mongolopedia", "1b 11b 11r", "11p", BOTH, "1b, 11b, 11r"},
        {"mongolopedia", "1b 11b 11a 11r", "11p", BOTH, "1b, 11b 11a 11r"},
        /* on the table it is one more choice; as the only match it must be captured */
        {"mongolopedia", "11p 8b", "1b", BOTH, "11p"},
        {"mongolopedia", "11p 1p1", "1b", BOTH, "11p, 1p1"},
        {"mongolopedia", "11p 1p1 1p2", "1b", BOTH, "11p, 1p1, 1p2"},
        {"mongolopedia", "11p 1r 1p1 1p2", "1b", BOTH, "11p, 1r 1p1 1p2"},
        /* among November cards it is ordinary */
        {"mongolopedia", "11p 1r", "11a", HAND, "11p"},
        {"mongolopedia", "11p 11b", "11a", HAND, "11p, 11b"},
        {"mongolopedia", "11p 11b 11r 5a", "11a", HAND, "11p 11b 11r"},
        /* where captures are optional it may lie down, too */
        {optional, "1b 8b", "11p", HAND, "1b, 8b, -"},
        {optional, "1b 8b", "11p", STOCK, "1b, 8b"},
        {optional, "1b 11b 11a 11r", "11p", HAND, "1b, 11b 11a 11r"},
        {optional, "11p 8b", "1b", HAND, "11p, -"},
        {optional, "11p 1r 1p1 1p2", "1b", HAND, "11p, 1r 1p1 1p2"},
        /* elsewhere it is one card of November */
        {"standard", "1b 11r", "11p", HAND, "11r"},
        {"standard", "1b 8b", "11p", HAND, "-"},
        {"standard", "11p", "1b", HAND, "-"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int from = HAND; from <= STOCK; from++) {
            cardset have[N_CARDS];
            int n = 0, count = round_takes(&under(rows[i].rules)->rules, set_of(rows[i].field),
                                           set_first(set_of(rows[i].card)), from == STOCK, have);
            for (const char *at = rows[i].takes; (rows[i].from & from) && *at; n++) {
                char take[64] = "";
                size_t length = strcspn(at, ",");
                memcpy(take, at, length);
                cardset want = take[0] == '-' ? 0 : set_of(take);
                int found = 0;
                for (int k = 0; k < count; k++)
                    found += have[k] == want;
                assert_same(found, 1, rows[i].takes);
                at += length + strspn(at + length, ", ");
            }
            assert_same(rows[i].from & from ? count : 0, n, rows[i].takes);
        }
}

TEST(a_drawn_lightning_is_a_choice_of_the_whole_table)
{
    struct rules w = wild();
    const struct ruleset *g = ready(0, &w);
    struct round r = dealt(g, calm0, calm1, "1p1 9r 9p1 10a 10r 11r 12b 12p2", "11p");
    plays(g, &r, "1b=1p1");
    assert_int_equal(r.phase, PHASE_DRAW);
    assert_int_equal(count_legal(g, &r), 7);
    plays(g, &r, "/11p=12b");
    assert_true((r.taken[0] & set_of("11p 12b")) == set_of("11p 12b"));
    assert_true(seen_take(r.seen[1]) == set_of("12b"));
}
