/* The deck of the rules page: 48 codes in canonical order, kinds, points. */
#include "test.h"
#include "card.h"
#include "naive.h"

#include <string.h>

TEST(codes_go_both_ways_in_canonical_order)
{
    for (int c = 0; c < N_CARDS; c++) {
        char code[CARD_CODE_SIZE];
        assert_int_equal(card_code(c, code), strlen(naive_codes[c]));
        assert_string_equal(code, naive_codes[c]);
        assert_int_equal(card_read(code, strlen(code)), c);
    }
}

TEST(nothing_else_is_a_code)
{
    static const char *const bad[] = {"",    "1",    "b",    "0b",   "1a",  "1p",   "1p3", "1p0",
                                      "8r",  "11p1", "11p2", "12p4", "12p", "12a",  "13b", "1B",
                                      "01b", " 1b",  "1b ",  "1bb",  "10b", "111p", "2b"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(card_read(bad[i], strlen(bad[i])), CARD_NONE);
    assert_int_equal(card_read("1p12", 3), 2); /* exactly n bytes */
    assert_int_equal(card_read("1b\0x", 3), CARD_NONE);
}

TEST(five_brights_nine_animals_ten_ribbons_and_plains)
{
    assert_int_equal(set_count(set_brights), 5);
    assert_int_equal(set_count(set_animals), 9);
    assert_int_equal(set_count(set_ribbons), 10);
    assert_int_equal(set_count(set_plains), 24);
    assert_true((set_brights | set_animals | set_ribbons | set_plains) == ALL_CARDS);
    for (int c = 0; c < N_CARDS; c++) {
        const char *code = naive_codes[c];
        char message = code[strcspn(code, "barp")];
        enum card_kind kind = message == 'b'   ? CARD_BRIGHT
                              : message == 'a' ? CARD_ANIMAL
                              : message == 'r' ? CARD_RIBBON
                                               : CARD_PLAIN;
        int points = message == 'b' ? 20 : message == 'a' ? 10 : message == 'r' ? 5 : 1;
        const cardset sets[] = {set_brights, set_animals, set_ribbons, set_plains};
        assert_int_equal(card_kind(c), kind);
        assert_int_equal(card_points(c), points);
        assert_true((sets[kind] & CARD(c)) != 0);
    }
}

TEST(named_cards_are_where_their_names_say)
{
    static const struct {
        int card;
        const char *code;
    } named[] = {{CRANE, "1b"},      {CURTAIN, "3b"}, {BUTTERFLIES, "6a"}, {BOAR, "7a"},
                 {MOON, "8b"},       {SAKE, "9a"},    {DEER, "10a"},       {RAINMAN, "11b"},
                 {LIGHTNING, "11p"}, {PHOENIX, "12b"}};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        assert_string_equal(naive_codes[named[i].card], named[i].code);
}

TEST(sets_by_month)
{
    cardset all = 0;
    for (int m = 0; m < N_MONTHS; m++) {
        assert_int_equal(set_count(month_set(m)), 4);
        assert_int_equal(card_month(set_first(month_set(m))), m);
        assert_true(card_month_set(set_first(month_set(m)) + 3) == month_set(m));
        all |= month_set(m);
    }
    assert_true(all == ALL_CARDS);
    assert_true(set_rest(CARD(3) | CARD(9)) == CARD(9));
    assert_int_equal(set_count(0), 0);
}
