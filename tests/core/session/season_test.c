/* Seasons: their keys as people type them, their order and their ends in local time. */
#include "engine/test.h"
#include <string.h>

#include "season.h"

TEST(typed_keys)
{
    static const struct {
        const char *typed, *key;
    } good[] = {{"2026-q3", "2026-Q3"}, {"2026-Q1", "2026-Q1"}, {"2026-Q4", "2026-Q4"},
                {"2026-07", "2026-07"}, {"2026-12", "2026-12"}, {"2026-01", "2026-01"},
                {"2026", "2026"},       {"s1", "S1"},           {"S12", "S12"}};
    static const char *const bad[] = {
        "",        "202",     "0926",    "2026-",   "2026-7",  "2026-00",  "2026-13", "2026-q0",
        "2026-q5", "2026/07", "2026 q3", "20261q3", "2026-x1", "2026-071", "a026",    "s",
        "s0",      "s-1",     "S10000",  "sx",      "20x6",    "2026-1a",  "2026-q33"};
    struct season_key key;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(season_read(str_of(good[i].typed), &key));
        assert_string_equal(key.text, good[i].key);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(&key, 'z', sizeof key);
        if (season_read(str_of(bad[i]), &key))
            fail_msg("accepted: %s", bad[i]);
        assert_int_equal(key.text[0], 'z'); /* untouched */
    }
}

TEST(every_key_has_a_number)
{
    static const char *const keys[] = {"2026-Q1", "2026-Q4", "2026-01", "2026-12", "2026",
                                       "1000",    "9999-12", "S1",      "S9999"};
    struct season_key key, back;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        assert_true(season_read(str_of(keys[i]), &key));
        assert_true(season_code(&key) > 0);
        assert_true(season_of_code(season_code(&key), &back));
        assert_string_equal(back.text, keys[i]);
    }
    season_all(&key);
    assert_true(season_of_code(season_code(&key), &back));
    assert_true(season_is_all(&back));
    static const int64_t none[] = {-1, 0, 2, 202613, 202625, 202620, 99999, 10000000, 10010000};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(season_of_code(none[i], &back));
}

static void before_is(const char *key, const char *before)
{
    struct season_key at, had;
    assert_true(season_read(str_of(key), &at));
    season_before(&at, &had);
    assert_string_equal(had.text, before);
}

TEST(the_season_before)
{
    before_is("S3", "S2");
    before_is("S1", "S1");
    before_is("2026-Q4", "2026-Q3");
    before_is("2026-Q1", "2025-Q4");
    before_is("2026-02", "2026-01");
    before_is("2026-01", "2025-12");
    before_is("2026", "2025");
    struct season_key all, had;
    season_all(&all);
    season_before(&all, &had);
    assert_true(season_is_all(&had));
}

/* New Year's Eve, 23:30 UTC: an hour further east it is 2027 already. */
TEST(a_season_ends_at_midnight_there)
{
    const int64_t new_year = 1798761600000, half_before = new_year - 1800 * 1000;
    struct season_key key;
    season_at(half_before, 0, SEASON_QUARTER, &key);
    assert_string_equal(key.text, "2026-Q4");
    assert_true(season_end(&key, 0) == new_year);
    assert_true(season_end(&key, 3600) == new_year - 3600 * 1000);
    season_at(half_before, 3600, SEASON_MONTH, &key);
    assert_string_equal(key.text, "2027-01");
    season_at(half_before, 0, SEASON_YEAR, &key);
    assert_string_equal(key.text, "2026");
    assert_true(season_end(&key, 0) == new_year);
    season_at(half_before, 0, SEASON_MONTH, &key);
    assert_string_equal(key.text, "2026-12");
    assert_true(season_end(&key, 0) == new_year);
}
