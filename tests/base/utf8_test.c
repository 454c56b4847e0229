/* UTF-8 from strangers: cut and cleaned without breaking a character. */
#include "engine/test.h"
#include "utf8.h"

TEST(good_and_bad_bytes)
{
    static const char *const good[] = {"",
                                       "a",
                                       "\xC3\xA9",
                                       "\xE6\x9C\x88",
                                       "\xF0\x9F\x8E\xB4",
                                       "\xEF\xBF\xBD",
                                       "\xF4\x8F\xBF\xBF"};
    static const char *const bad[] = {"\x80",
                                      "\xC0\xAF",
                                      "\xC3",
                                      "\xE0\x80\x80",
                                      "\xED\xA0\x80",
                                      "\xF0\x9F\x8E",
                                      "\xF4\x90\x80\x80",
                                      "\xFF",
                                      "a\xFE"
                                      "b"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(utf8_ok(str_of(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(utf8_ok(str_of(bad[i])));
}

TEST(every_point_survives_a_round_trip)
{
    for (uint32_t point = 0; point <= 0x10FFFF; point++) {
        if (point >= 0xD800 && point < 0xE000)
            continue;
        char bytes[UTF8_LONGEST];
        struct str s = {bytes, utf8_put(point, bytes)};
        assert_int_equal(utf8_next(&s), point);
        assert_int_equal(s.n, 0);
    }
}

TEST(cleaning_drops_terminal_control_codes)
{
    struct arena *a = arena_open(1 << 20);
    struct str s = utf8_clean(a, STR("a\x1b[2Jb\x07\nc\x7f\xC2\x9B"
                                     "d\xE2\x80\xAE"
                                     "e\xFFz"));
    assert_true(str_is(s, STR("a[2Jb\ncde\xEF\xBF\xBDz")));
    arena_close(a);
}

/* Both ends of each range, and the points beside them. */
TEST(controls_are_these_and_no_others)
{
    static const struct {
        uint32_t first, last;
    } controls[] = {{0, 0x09}, {0x0B, 0x1F}, {0x7F, 0x9F}, {0x202A, 0x202E}, {0x2066, 0x2069}};
    size_t at = 0;
    for (uint32_t point = 0; point < 0x2100; point++) {
        bool in = at < sizeof controls / sizeof *controls && point >= controls[at].first;
        if (utf8_is_control(point) != in)
            fail_msg("U+%04X", point);
        at += in && point == controls[at].last;
    }
}

TEST(what_clings_is_cut_with_what_it_clings_to)
{
    static const struct {
        uint32_t first, last;
    } rows[] = {{0x0300, 0x036F}, {0x200D, 0x200D},   {0x20D0, 0x20FF},
                {0xFE00, 0xFE0F}, {0x1F3FB, 0x1F3FF}, {0xE0020, 0xE007F}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 4; k++) {
            uint32_t point = k == 0   ? rows[i].first - 1
                             : k == 1 ? rows[i].first
                             : k == 2 ? rows[i].last
                                      : rows[i].last + 1;
            char text[2 + UTF8_LONGEST] = "ab";
            struct str s = {text, 2 + utf8_put(point, text + 2)};
            bool clings = k == 1 || k == 2;
            if (utf8_cut(s, 2, false).n != (clings ? 1 : 2))
                fail_msg("U+%04X", point);
        }
}

TEST(counts_as_the_networks_do)
{
    assert_int_equal(utf8_count(STR("moon \xF0\x9F\x8C\x95"), false), 6);
    assert_int_equal(utf8_count(STR("moon \xF0\x9F\x8C\x95"), true), 7);
}

TEST(cuts_between_characters)
{
    struct str accent = STR("cafe\xCC\x81s"); /* e and an accent: one character */
    assert_true(str_is(utf8_cut(accent, 4, false), STR("caf")));
    assert_true(str_is(utf8_cut(accent, 5, false), STR("cafe\xCC\x81")));
    struct str moon = STR("a\xF0\x9F\x8C\x95"
                          "b");
    assert_true(str_is(utf8_cut(moon, 2, true), STR("a"))); /* half a moon is not one */
    assert_true(str_is(utf8_cut(moon, 3, true), STR("a\xF0\x9F\x8C\x95")));
    assert_true(str_is(utf8_cut(moon, 2, false), STR("a\xF0\x9F\x8C\x95")));
    struct str family =
        STR("x\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA6"); /* two people, one emoji */
    assert_true(str_is(utf8_cut(family, 3, false), STR("x")));
    assert_true(str_is(utf8_cut(family, 4, false), family));
    assert_int_equal(utf8_cut(family, 0, false).n, 0);
}

/* A letter under more accents than there is room for: something of it is left. */
TEST(cuts_a_character_that_fits_nowhere)
{
    struct str heaped = STR("Z\xCC\xB6\xCC\xB6\xCC\xB6\xCC\xB6");
    assert_true(str_is(utf8_cut(heaped, 3, false), STR("Z\xCC\xB6\xCC\xB6")));
    assert_true(str_is(utf8_cut(heaped, 1, false), STR("Z")));
    assert_int_equal(utf8_cut(STR("\xF0\x9F\x8C\x95"), 1, true).n, 0); /* never half a point */
}
