/* Text: cleaning of names, folding, cutting, plurals; and the calendar of seasons. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "adapter.h"
#include "season.h"
#include "text.h"

static struct arena *arena;

FIXTURE(open_arena)
{
    arena = arena_open((size_t)1 << 24);
    return 0;
}

FIXTURE(close_arena)
{
    arena_close(arena);
    return 0;
}

static void assert_text(struct str s, const char *wanted)
{
    if (!str_is(s, str_of(wanted)))
        fail_msg("wanted \"%s\", found \"%.*s\"", wanted, STR_ARG(s));
}

TEST(clean_removes_invisible_characters)
{
    assert_text(text_clean(arena, STR("Ann"), 32), "Ann");
    assert_text(text_clean(arena, STR("  A \n\t b  "), 32), "A b");
    assert_text(text_clean(arena,
                           STR("\xE2\x80\xAE"
                               "evil"
                               "\xE2\x81\xA6"),
                           32),
                "evil"); /* overrides */
    assert_text(text_clean(arena,
                           STR("\x01"
                               "bold\x07\x05x\x05y\x07"),
                           32),
                "boldxy");                                                    /* mark bytes */
    assert_text(text_clean(arena, STR("\xE2\x80\x8B\xE2\x80\x8B"), 32), "?"); /* nothing visible */
    assert_text(text_clean(arena, STR(""), 32), "?");
    assert_text(text_clean(arena, STR("\xE3\x85\xA4\xE2\xA0\x80 \xEF\xBE\xA0"), 32), "?");
    assert_text(text_clean(arena, STR("\xEF\xBF\xBC \xF0\x9D\x85\x99"), 32), "?");
    assert_text(text_clean(arena, STR("\xCC\x81\xE0\xA4\xBE"), 32), "?"); /* marks alone */
    assert_text(text_clean(arena,
                           STR("a\xFF"
                               "b"),
                           32),
                "a\xEF\xBF\xBD"
                "b"); /* no UTF-8 */
}

/* What letters and emoji are spelled with stays; the same signs where they only hide do not. */
TEST(clean_keeps_the_spelling_of_names)
{
    static const char *const same[] = {
        "علی\xE2\x80\x8Cرضا",
        "می\xE2\x80\x8Cترا",
        "ශ්\xE2\x80\x8Dරී",
        "क्\xE2\x80\x8Dष",
        "क्\xE2\x80\x8Cष",
        "👨\xE2\x80\x8D👩\xE2\x80\x8D👧",
        "José",
        "🏴\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xA5\xF3\xA0\x81\xAE\xF3\xA0\x81\xA7\xF3"
        "\xA0\x81\xBF "
        "Tom",
        "🏴\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xB7\xF3\xA0\x81\xAC\xF3\xA0\x81\xB3\xF3"
        "\xA0\x81\xBF",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_text(text_clean(arena, str_of(same[i]), 32), same[i]);
    assert_text(text_clean(arena, STR("An\xE2\x80\x8Cn"), 32), "Ann");
    assert_text(text_clean(arena, STR("Ann\xF3\xA0\x81\xA7"), 32), "Ann");
    assert_text(text_clean(arena, STR("رضا\xE2\x80\x8C"), 32), "رضا");
    assert_text(text_clean(arena, STR("\xE2\x80\x8C"), 32), "?");
}

TEST(clean_cuts_between_characters)
{
    assert_text(text_clean(arena, STR("abcdef"), 3), "abc");
    assert_text(text_clean(arena, STR("日本語"), 5), "日本"); /* two columns each */
    assert_text(text_clean(arena,
                           STR("ab"
                               "e\xCC\x81"
                               "f"),
                           3),
                "ab"
                "e\xCC\x81");                                     /* accent stays on */
    assert_text(text_clean(arena, STR("a👩‍👧b"), 2), "a"); /* a family is one */
    struct str piled =
        text_clean(arena, STR("a\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81"), 8);
    assert_int_equal(piled.n, 1 + 3 * 2); /* accents piled up */
}

TEST(fold_makes_forms_equal)
{
    assert_text(text_fold(arena, STR("  ＰＬＡＹ　Sake \xC2\xA0 Moon ")), "play sake moon");
    assert_text(text_fold(arena, STR("STRASSE Straße")), "strasse strasse");
    assert_text(text_fold(arena, STR("\xFF")), "\xEF\xBF\xBD");
}

/* Two code paths, with the same result: pure ASCII, and text with any other letter. */
TEST(fold_of_ascii_equals_fold_beside_other_letters)
{
    uint32_t r = 1;
    for (int round = 0; round < 5000; round++) {
        char plain[24], mixed[32];
        size_t n = 0;
        for (size_t most = round % 20; n < most; n++) {
            r = r * 1664525u + 1013904223u;
            plain[n] = round % 3 ? (char)(r >> 25) : "  \t\n\v\f\rAz0"[(r >> 25) % 10];
        }
        memcpy(mixed, plain, n);
        memcpy(mixed + n, " \xCF\x80", 3);
        struct str folded = text_fold(arena, (struct str){plain, n});
        struct str with = text_fold(arena, (struct str){mixed, n + 3});
        struct str expected =
            folded.n ? arena_print(arena, "%.*s \xCF\x80", STR_ARG(folded)) : STR("\xCF\x80");
        assert_int_equal(with.n, expected.n);
        assert_memory_equal(with.p, expected.p, with.n);
    }
}

TEST(cut_closes_marks)
{
    assert_text(text_cut(arena, STR("short"), 10, false), "short");
    assert_text(text_cut(arena, STR("🎴🎴🎴"), 3, false), "🎴🎴🎴"); /* an exact fit */
    assert_text(text_cut(arena,
                         STR("\x01"
                             "abcdef"
                             "\x07"),
                         4, false),
                "\x01"
                "abc…"
                "\x07");
    assert_text(text_cut(arena, STR("abc🎴def"), 5, true), "abc…"); /* two units */
    assert_text(text_cut(arena, STR("abc🎴def"), 5, false), "abc🎴…");
    assert_text(text_cut(arena, STR("one\ntwo\nthree\nfour"), 16, false),
                "one\ntwo\nthree\n…"); /* between lines */
    assert_text(text_cut(arena,
                         STR("\x06"
                             "one\ntwo\nthree\x07"),
                         10, false),
                "\x06"
                "one\ntwo\n…"
                "\x07");
    assert_int_equal(text_units(STR("\x01"
                                    "a🎴"
                                    "\x07"),
                                true),
                     3);
    assert_int_equal(text_units(STR("\x01"
                                    "a🎴"
                                    "\x07"),
                                false),
                     2);
}

TEST(plural_follows_the_language)
{
    assert_int_equal(plural_of(STR("en"), 1), PLURAL_ONE);
    assert_int_equal(plural_of(STR("en-GB"), 0), PLURAL_OTHER);
    assert_int_equal(plural_of(STR("ru"), 21), PLURAL_ONE);
    assert_int_equal(plural_of(STR("ru"), 11), PLURAL_MANY);
    assert_int_equal(plural_of(STR("ru"), 3), PLURAL_FEW);
    assert_int_equal(plural_of(STR("ru"), 5), PLURAL_MANY);
    assert_int_equal(plural_of(STR("pl"), 22), PLURAL_FEW);
    assert_int_equal(plural_of(STR("pl"), 21), PLURAL_MANY);
    assert_int_equal(plural_of(STR("pl"), 112), PLURAL_MANY);
    assert_int_equal(plural_of(STR("ja"), 1), PLURAL_OTHER);
    assert_int_equal(plural_of(STR("xx"), 1), PLURAL_OTHER);
    assert_int_equal(plural_set(STR("pl")),
                     1u << PLURAL_ONE | 1u << PLURAL_FEW | 1u << PLURAL_MANY);
}

/* Samples of the Unicode CLDR's plural rules: numbers of each form, by language. */
TEST(plural_matches_cldr_samples)
{
    static const struct {
        const char *language;
        enum plural form;
        int64_t numbers[8]; /* ended by -1 */
    } samples[] = {
        {"de", PLURAL_ONE, {1, -1}},
        {"de", PLURAL_OTHER, {0, 2, 11, 101, 1000000, -1}},
        {"fr", PLURAL_ONE, {0, 1, -1}},
        {"fr", PLURAL_MANY, {1000000, 2000000, -1}},
        {"fr-CA", PLURAL_MANY, {1000000, -1}},
        {"fr", PLURAL_OTHER, {2, 21, 100, 1000, 1000001, -1}},
        {"es", PLURAL_ONE, {1, -1}},
        {"es", PLURAL_MANY, {1000000, 2000000, -1}},
        {"es", PLURAL_OTHER, {0, 2, 16, 100, 1000, 1000001, -1}},
        {"it", PLURAL_ONE, {1, -1}},
        {"it", PLURAL_MANY, {1000000, -1}},
        {"it", PLURAL_OTHER, {0, 2, 1000001, -1}},
        {"hi", PLURAL_ONE, {0, 1, -1}},
        {"hi", PLURAL_OTHER, {2, 17, 100, 1000000, -1}},
        {"hy", PLURAL_ONE, {0, 1, -1}},
        {"hy", PLURAL_OTHER, {2, 17, 100, 1000000, -1}},
        {"pt", PLURAL_ONE, {0, 1, -1}},
        {"pt-BR", PLURAL_ONE, {0, 1, -1}},
        {"pt", PLURAL_MANY, {1000000, 2000000, -1}},
        {"pt", PLURAL_OTHER, {2, 17, 100, 1000, 1000001, -1}},
        {"pt-PT", PLURAL_ONE, {1, -1}},
        {"pt-PT", PLURAL_MANY, {1000000, -1}},
        {"pt-PT", PLURAL_OTHER, {0, 2, 100, -1}},
        {"uk", PLURAL_ONE, {1, 21, 101, -1}},
        {"uk", PLURAL_FEW, {2, 4, 23, 104, -1}},
        {"uk", PLURAL_MANY, {0, 5, 11, 14, 20, 112, -1}},
        {"pl", PLURAL_ONE, {1, -1}},
        {"pl", PLURAL_FEW, {2, 4, 24, 102, -1}},
        {"pl", PLURAL_MANY, {0, 5, 12, 14, 21, 101, -1}},
        {"cs", PLURAL_ONE, {1, -1}},
        {"cs", PLURAL_FEW, {2, 3, 4, -1}},
        {"cs", PLURAL_OTHER, {0, 5, 22, 102, -1}},
        {"ar", PLURAL_ZERO, {0, -1}},
        {"ar", PLURAL_ONE, {1, -1}},
        {"ar", PLURAL_TWO, {2, -1}},
        {"ar", PLURAL_FEW, {3, 10, 103, 110, -1}},
        {"ar", PLURAL_MANY, {11, 26, 99, 111, -1}},
        {"ar", PLURAL_OTHER, {100, 102, 200, 1000, -1}},
        {"lt", PLURAL_ONE, {1, 21, 101, -1}},
        {"lt", PLURAL_FEW, {2, 9, 22, 102, -1}},
        {"lt", PLURAL_OTHER, {0, 10, 11, 19, 20, 111, -1}},
        {"sl", PLURAL_ONE, {1, 101, -1}},
        {"sl", PLURAL_TWO, {2, 102, -1}},
        {"sl", PLURAL_FEW, {3, 4, 103, -1}},
        {"sl", PLURAL_OTHER, {0, 5, 11, 100, -1}},
        {"ro", PLURAL_ONE, {1, -1}},
        {"ro", PLURAL_FEW, {0, 2, 19, 101, 119, -1}},
        {"ro", PLURAL_OTHER, {20, 35, 100, 120, -1}},
        {"ko", PLURAL_OTHER, {0, 1, 2, 100, -1}},
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        for (const int64_t *n = samples[i].numbers; *n >= 0; n++) {
            struct str language = str_of(samples[i].language);
            if (plural_of(language, *n) != samples[i].form)
                fail_msg("%s %d: %s, expected %s", samples[i].language, (int)*n,
                         plural_names[plural_of(language, *n)], plural_names[samples[i].form]);
            assert_true(plural_set(language) >> samples[i].form & 1);
        }
}

TEST(season_follows_local_time)
{
    struct season_key key;
    int64_t new_year = date_ms(2027, 1, 1, 0);
    season_at(new_year - 1, 0, SEASON_QUARTER, &key);
    assert_string_equal(key.text, "2026-Q4");
    season_at(new_year - 1, 3600, SEASON_QUARTER, &key); /* east of there it is January already */
    assert_string_equal(key.text, "2027-Q1");
    assert_true(season_end(&key, 0) == date_ms(2027, 4, 1, 0));
    season_before(&key, &key);
    assert_string_equal(key.text, "2026-Q4");
    season_at(new_year, 0, SEASON_MONTH, &key);
    assert_string_equal(key.text, "2027-01");
    season_before(&key, &key);
    assert_string_equal(key.text, "2026-12");
    assert_true(season_end(&key, 0) == new_year);
    assert_true(season_read(STR("2026-q3"), &key) && season_read(STR("2026"), &key) &&
                season_read(STR("2026-07"), &key));
    assert_false(season_read(STR("2026-Q5"), &key) || season_read(STR("2026-13"), &key) ||
                 season_read(STR("026-Q1"), &key) || season_read(STR("2026-Q"), &key) ||
                 season_read(STR(""), &key));
}

TEST(date_is_gregorian)
{
    struct date d = date_at(INT64_C(951782400000), 0); /* 29 February 2000, a Tuesday */
    assert_true(d.year == 2000 && d.month == 2 && d.day == 29 && d.weekday == 2 && d.hour == 0);
    d = date_at(-1, 0);
    assert_true(d.year == 1969 && d.month == 12 && d.day == 31 && d.hour == 23 && d.minute == 59);
    for (int64_t day = -800000; day < 800000; day += 977) {
        d = date_at(day * 86400000, 0);
        assert_true(date_ms(d.year, d.month, d.day, 0) == day * 86400000);
    }
}

TESTS_WITH(open_arena, close_arena)
