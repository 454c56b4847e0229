/* Validity of rule sets, and the field that an error names. */
#include "test.h"
#include "presets.h"

#include <string.h>

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

/* Changes one field of a preset; expects an error that names the field. */
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

TEST(presets_are_good)
{
    for (int p = 0; p < N_PRESETS; p++)
        GOOD(p, (void)0);
}

TEST(words)
{
    BAD(0, r.name[0] = '\0', "name");
    BAD(0, r.name[1] = ' ', "name");
    BAD(0, memset(r.name, 'a', sizeof r.name), "name");
    BAD(0, r.words[0] = ';', "words");
    BAD(0, r.deck[0] = '\0', "deck");
    GOOD(0, memcpy(r.name, "my-rules_2", 11));
}

TEST(players_and_rounds)
{
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

TEST(purses)
{
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

TEST(deals)
{
    BAD(0, r.hand[2] = 0, "hand.2");
    BAD(0, r.hand[2] = 21, "hand"); /* 42 and 8 are more than the deck */
    BAD(0, r.hand[3] = 49, "hand.3");
    BAD(0, r.table[2] = 0, "table.2");
    BAD(0, r.table[0] = 60, "table");
    BAD(0, r.deal_packet = 0, "deal.packet");
    GOOD(PRESET_MONGOLOPEDIA, r.table[3] = 6);
    GOOD(PRESET_STANDARD, r.table[2] = MAX_TABLE_REDEALT);
    BAD(PRESET_STANDARD, r.table[2] = MAX_TABLE_REDEALT + 1, "table");
    GOOD(PRESET_STANDARD, (r.table_four = TABLE_FOUR_KEEP, r.table[2] = 30));
    GOOD(0, r.hand[2] = 20);
}

TEST(named_values)
{
    BAD(0, r.scoring = 2, "scoring");
    BAD(0, r.deal_order = 3, "deal.order");
    BAD(0, r.first_dealer = 3, "first_dealer");
    BAD(0, r.tie_break = 2, "tie_break");
    BAD(0, r.table_four = 2, "table_four");
    BAD(0, r.hand_four = 3, "hand_four");
    BAD(0, r.claim = 2, "hand_yaku.claim");
    BAD(0, r.capture = 2, "capture");
    BAD(0, r.exhausted = 4, "exhausted");
    BAD(0, r.own_koikoi = DOUBLING_PLUS_ONE_EACH, "multipliers.own_koikoi");
    BAD(0, r.opponent_koikoi = DOUBLING_PLUS_ONE_EACH, "multipliers.opponent_koikoi");
    BAD(0, r.any_koikoi = DOUBLING_EACH, "multipliers.any_koikoi");
    BAD(0, r.any_koikoi = 4, "multipliers.any_koikoi");
    BAD(0, r.rain_cancels = 4, "viewing.rain_cancels");
    BAD(0, r.viewing_both = MAX_WORTH + 1, "viewing.both");
    BAD(0, r.trio_extra = 3, "trio_extra");
    BAD(0, r.drawn_dealer = 2, "drawn_dealer");
    BAD(0, r.call_bonus = 2, "call_bonus");
    BAD(0, r.koikoi_limit = N_CARDS + 1, "koikoi_limit");
    BAD(0, r.both_ribbons = MAX_WORTH + 1, "both_ribbons");
    BAD(0, r.viewing_after_koikoi = MAX_WORTH + 1, "viewing.after_koikoi");
    BAD(0, r.viewing_season = 3, "viewing.season");
    BAD(0, r.month_of_round = MAX_WORTH + 1, "yaku.month_of_round");
}

TEST(worths_and_seven_plus)
{
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
    BAD(PRESET_OKOSHKI, r.hand_yaku_multiplied = true, "hand_yaku.multiplied");
    BAD(PRESET_OKOSHKI, r.seven_x = 2, "multipliers.seven_plus.x");
    BAD(PRESET_SENSEI, r.seven_points = 0, "multipliers.seven_plus.points");
    BAD(PRESET_SENSEI, r.seven_min_yaku = 0, "multipliers.seven_plus.min_yaku");
    BAD(PRESET_SENSEI, r.seven_x = 1, "multipliers.seven_plus.x");
}

TEST(keys_are_those_of_the_formats)
{
    static const char *const keys[] = {"goko",    "shiko",       "ame_shiko", "sanko", "tsukimi",
                                       "hanami",  "inoshikacho", "akatan",    "aotan", "tane",
                                       "tanzaku", "kasu",        "hiki"};
    for (int y = 0; y < N_YAKU; y++)
        assert_string_equal(yaku_key((enum yaku)y), keys[y]);
    assert_string_equal(hand_yaku_key(HAND_FOUR), "four");
    assert_string_equal(hand_yaku_key(HAND_PAIRS), "pairs");
    assert_string_equal(hand_yaku_key(HAND_DOUBLE_FOUR), "double_four");
    assert_string_equal(hand_yaku_key(HAND_NONE), "none");
}

/* Where a further card never lowers a worth, a sum that rose is enough to detect a new yaku. */
TEST(sums_decide_where_no_card_costs_anything)
{
    static struct ruleset g;
    ruleset_make(&presets[PRESET_SENSEI], &g);
    assert_true(g.base_decides && g.rest_decides);
    ruleset_make(&presets[PRESET_OKOSHKI], &g);
    assert_true(g.base_decides && g.rest_decides);
    ruleset_make(&presets[PRESET_STANDARD], &g);
    assert_true(g.base_decides && g.rest_decides);
    ruleset_make(&presets[PRESET_MONGOLOPEDIA], &g); /* the rain man ends the viewings */
    assert_true(!g.base_decides && g.rest_decides);
}

static bool rest_decides_with(int akatan, int tanzaku)
{
    static struct ruleset g;
    r = presets[PRESET_STANDARD];
    r.yaku[YAKU_AKATAN] = r.yaku[YAKU_AOTAN] = (uint8_t)akatan;
    r.yaku[YAKU_TANZAKU] = (uint8_t)tanzaku;
    ruleset_make(&r, &g);
    return g.rest_decides;
}

/* Two blue ribbons beside the poetry ribbons add 2; the third ends those 2 and adds its trio. Five
 * ribbons are worth tanzaku; a sixth that makes a trio ends that and adds the trio and 3. */
TEST(absorbing_trio_must_be_worth_more_than_it_ends)
{
    assert_true(rest_decides_with(3, 1));
    assert_false(rest_decides_with(2, 1));
    assert_true(rest_decides_with(5, 7));
    assert_false(rest_decides_with(5, 8));
    assert_true(rest_decides_with(0, 8)); /* switched off */
}
