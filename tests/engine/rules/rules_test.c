/* Which rule sets are good, and which field is named where one is not. */
#include "presets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct rules r;

static void good(void)
{
    assert_null(rules_check(&r));
}

static void bad(const char *field)
{
    const char *have = rules_check(&r);
    assert_non_null(have);
    assert_string_equal(have, field);
}

/* Starts from a preset, does one thing to it, expects the field to be named. */
#define BAD(preset_no, change, field)                                                              \
    do {                                                                                           \
        r = presets[preset_no];                                                                    \
        change;                                                                                    \
        bad(field);                                                                                \
    } while (0)
#define GOOD(preset_no, change)                                                                    \
    do {                                                                                           \
        r = presets[preset_no];                                                                    \
        change;                                                                                    \
        good();                                                                                    \
    } while (0)

static void presets_are_good(void **state)
{
    (void)state;
    for (int p = 0; p < N_PRESETS; p++)
        GOOD(p, (void)0);
}

static void words(void **state)
{
    (void)state;
    BAD(0, r.name[0] = '\0', "name");
    BAD(0, r.name[1] = ' ', "name");
    BAD(0, memset(r.name, 'a', sizeof r.name), "name");
    BAD(0, r.words[0] = ';', "words");
    BAD(0, r.deck[0] = '\0', "deck");
    GOOD(0, memcpy(r.name, "my-rules_2", 11));
}

static void players_and_rounds(void **state)
{
    (void)state;
    BAD(0, r.players_allowed = 0, "players");
    BAD(0, r.players_allowed = 1 << 4, "players");
    BAD(PRESET_SENSEI, r.players_allowed = 3 << 2, "players"); /* coins are for two */
    BAD(0, r.n_rounds_allowed = 0, "rounds_allowed");
    BAD(0, r.n_rounds_allowed = 9, "rounds_allowed");
    BAD(0, r.rounds_allowed[0] = 0, "rounds_allowed");
    BAD(0, r.rounds_allowed[0] = MAX_ROUNDS + 1, "rounds_allowed");
    BAD(0, r.rounds_allowed[1] = 3, "rounds_allowed"); /* twice */
    BAD(0, r.rounds = 5, "rounds");
}

static void purses(void **state)
{
    (void)state;
    BAD(PRESET_SENSEI, r.has_purse = false; r.n_purse = 0, "purse"); /* coins need one */
    BAD(PRESET_SENSEI, r.purse[1] = 0, "purse");
    BAD(PRESET_SENSEI, r.purse[1] = MAX_PURSE + 1, "purse");
    BAD(PRESET_SENSEI, r.purse_rounds[1] = 4, "purse"); /* none for 6 rounds */
    BAD(PRESET_SENSEI, r.purse_rounds[1] = 3, "purse");
    BAD(PRESET_SENSEI, r.n_purse = 0, "purse");
    BAD(PRESET_SENSEI, r.purse_rounds[0] = 0, "purse");
    BAD(PRESET_STANDARD, r.n_purse = 1, "purse");
    GOOD(PRESET_STANDARD, r.has_purse = true; r.n_purse = 1; r.purse_rounds[0] = 12;
         r.purse[0] = 0);
}

static void deals(void **state)
{
    (void)state;
    BAD(0, r.hand[2] = 0, "hand");
    BAD(0, r.hand[2] = 21, "hand"); /* 42 and 8 are more than the deck */
    BAD(0, r.hand[3] = 49, "hand");
    BAD(0, r.table[2] = 0, "table");
    BAD(0, r.table[0] = 60, "table");
    BAD(0, r.deal_packet = 0, "deal.packet");
    GOOD(PRESET_MONGOLOPEDIA, r.table[3] = 6);
    GOOD(0, r.hand[2] = 20);
}

static void named_values(void **state)
{
    (void)state;
    BAD(0, r.scoring = 2, "scoring");
    BAD(0, r.deal_order = 3, "deal.order");
    BAD(0, r.first_dealer = 3, "first_dealer");
    BAD(0, r.tie_break = 2, "tie_break");
    BAD(0, r.table_four = 2, "table_four");
    BAD(0, r.hand_four = 2, "hand_four");
    BAD(0, r.claim = 2, "hand_yaku.claim");
    BAD(0, r.capture = 2, "capture");
    BAD(0, r.exhausted = 2, "exhausted");
    BAD(0, r.own_koikoi = DOUBLING_PLUS_ONE_EACH, "multipliers.own_koikoi");
    BAD(0, r.opponent_koikoi = DOUBLING_PLUS_ONE_EACH, "multipliers.opponent_koikoi");
    BAD(0, r.any_koikoi = DOUBLING_EACH, "multipliers.any_koikoi");
    BAD(0, r.any_koikoi = 4, "multipliers.any_koikoi");
    BAD(0, r.rain_cancels = 3, "viewing.rain_cancels");
    BAD(0, r.viewing_both = MAX_WORTH + 1, "viewing.both");
    BAD(0, r.trio_extra = 3, "trio_extra");
}

static void worths_and_seven_plus(void **state)
{
    (void)state;
    for (int y = 0; y < N_YAKU; y++) {
        char field[32] = "yaku.";
        memcpy(field + 5, yaku_key((enum yaku)y), strlen(yaku_key((enum yaku)y)) + 1);
        BAD(0, r.yaku[y] = MAX_WORTH + 1, field);
        GOOD(0, r.yaku[y] = MAX_WORTH);
    }
    BAD(PRESET_SENSEI, r.hand_yaku[HAND_FOUR] = MAX_WORTH + 1, "hand_yaku.four");
    BAD(PRESET_SENSEI, r.hand_yaku[HAND_PAIRS] = MAX_WORTH + 1, "hand_yaku.pairs");
    BAD(PRESET_SENSEI, r.hand_yaku[HAND_DOUBLE_FOUR] = MAX_WORTH + 1, "hand_yaku.double_four");
    BAD(PRESET_SENSEI, r.hand_yaku[HAND_NONE] = 1, "hand_yaku");
    BAD(PRESET_OKOSHKI, r.hand_yaku[HAND_FOUR] = 1, "hand_yaku.four"); /* null has no worths */
    BAD(PRESET_OKOSHKI, r.hand_yaku_multiplied = true, "hand_yaku");
    BAD(PRESET_OKOSHKI, r.seven_x = 2, "multipliers.seven_plus");
    BAD(PRESET_SENSEI, r.seven_points = 0, "multipliers.seven_plus.points");
    BAD(PRESET_SENSEI, r.seven_min_yaku = 0, "multipliers.seven_plus.min_yaku");
    BAD(PRESET_SENSEI, r.seven_x = 1, "multipliers.seven_plus.x");
}

static void keys_are_those_of_the_formats(void **state)
{
    static const char *const keys[] = {"goko",    "shiko",       "ame_shiko", "sanko", "tsukimi",
                                       "hanami",  "inoshikacho", "akatan",    "aotan", "tane",
                                       "tanzaku", "kasu",        "hiki"};
    (void)state;
    for (int y = 0; y < N_YAKU; y++)
        assert_string_equal(yaku_key((enum yaku)y), keys[y]);
    assert_string_equal(hand_yaku_key(HAND_FOUR), "four");
    assert_string_equal(hand_yaku_key(HAND_PAIRS), "pairs");
    assert_string_equal(hand_yaku_key(HAND_DOUBLE_FOUR), "double_four");
    assert_string_equal(hand_yaku_key(HAND_NONE), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_are_good),
        cmocka_unit_test(words),
        cmocka_unit_test(players_and_rounds),
        cmocka_unit_test(purses),
        cmocka_unit_test(deals),
        cmocka_unit_test(named_values),
        cmocka_unit_test(worths_and_seven_plus),
        cmocka_unit_test(keys_are_those_of_the_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
