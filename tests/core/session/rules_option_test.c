/* Rule options as typed in chat: each must change a rule set as the same field in a file does. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "rules_option.h"
#include "ruleset_file.h"

static const char *const presets[] = {"sensei",   "mongolopedia", "okoshki",
                                      "standard", "console",      "steam"};

static struct rules preset_named(const char *name)
{
    struct rules r;
    struct err err;
    assert_true(ruleset_file_find(STR(""), str_of(name), &r, &err));
    return r;
}

/* {"extends":"sensei","yaku":{"tane":2}} for yaku.tane and 2. quoted: the value is a word. */
static struct rules from_file(const char *preset, const char *field, const char *value)
{
    char text[400];
    struct buf b = BUF(text);
    struct rules r;
    struct err err = {""};
    bool quoted = !strchr("0123456789", *value) && strcmp(value, "true") != 0 &&
                  strcmp(value, "false") != 0 && strcmp(value, "null") != 0;
    int depth = 1;
    struct str rest = str_of(field);
    buf_print(&b, "{\"extends\":\"%s\",", preset);
    for (struct str part = str_cut(rest, '.', &rest);; part = str_cut(rest, '.', &rest)) {
        buf_print(&b, "\"%.*s\":", STR_ARG(part));
        if (rest.n == 0)
            break;
        buf_char(&b, '{');
        depth++;
    }
    buf_print(&b, quoted ? "\"%s\"" : "%s", value);
    while (depth-- > 0)
        buf_char(&b, '}');
    if (!ruleset_file_read(STR(""), buf_str(&b), &r, &err))
        fail_msg("%.*s: %s", STR_ARG(buf_str(&b)), err.text);
    return r;
}

static struct rules turned(const char *preset, const char *field, const char *value)
{
    struct rules r = preset_named(preset);
    char room[RULES_ALLOWED_SIZE];
    struct buf allowed = BUF(room);
    if (rules_option_set(&r, str_of(field), str_of(value), &allowed) != RULES_OPTION_OK)
        fail_msg("%s: %s=%s is refused", preset, field, value);
    return r;
}

static void same(const struct rules *a, const struct rules *b, const char *field)
{
    char text[2][RULESET_TEXT_MAX];
    struct buf out[2] = {BUF(text[0]), BUF(text[1])};
    ruleset_file_write(&out[0], a);
    ruleset_file_write(&out[1], b);
    if (!str_is(buf_str(&out[0]), buf_str(&out[1])))
        fail_msg("%s:\n%.*s\n%.*s", field, STR_ARG(buf_str(&out[0])), STR_ARG(buf_str(&out[1])));
}

/* Every field a challenge may name, with every named value and numbers from its range. */
TEST(each_option_equals_the_field_of_a_file)
{
    static const struct {
        const char *field, *values;
    } options[] = {
        {"deal.packet", "1 2 8 24"},
        {"deal.order", "others_dealer_table players_table dealer_others_table"},
        {"hand.2", "5 7 10"},
        {"table.2", "1 6 10"},
        {"first_dealer", "lots challenger random"},
        {"tie_break", "none extra_round"},
        {"table_four", "redeal keep"},
        {"hand_four", "none may_redeal"},
        {"hand_yaku", "null"},
        {"capture", "forced optional"},
        {"wild_lightning", "true false"},
        {"exhausted", "draw oya_kan"},
        {"multipliers.seven_plus", "null"},
        {"multipliers.own_koikoi", "none double_once double_each"},
        {"multipliers.opponent_koikoi", "none double_once double_each"},
        {"multipliers.any_koikoi", "none double_once plus_one_each"},
        {"multipliers.table_brights", "true false"},
        {"yaku.goko", "0 1 100"},
        {"yaku.shiko", "0 15"},
        {"yaku.ame_shiko", "0 8"},
        {"yaku.sanko", "0 6"},
        {"yaku.tsukimi", "0 3"},
        {"yaku.hanami", "0 3"},
        {"yaku.inoshikacho", "0 7"},
        {"yaku.akatan", "0 6"},
        {"yaku.aotan", "0 6"},
        {"yaku.tane", "0 2"},
        {"yaku.tanzaku", "0 2"},
        {"yaku.kasu", "0 2"},
        {"yaku.hiki", "0 4"},
        {"viewing.rain_cancels", "none rainman rainman_or_lightning"},
        {"viewing.both", "0 8"},
        {"viewing.with_brights", "true false"},
        {"sake_is_plain", "true false"},
        {"trio_extra", "none add absorb"},
        {"words", "okoshki standard"},
        {"deck", "hanafuda okoshki"},
    };
    for (size_t p = 0; p < sizeof presets / sizeof presets[0]; p++)
        for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
            char values[80], *rest = NULL;
            snprintf(values, sizeof values, "%s", options[i].values);
            for (char *v = strtok_r(values, " ", &rest); v; v = strtok_r(NULL, " ", &rest)) {
                struct rules typed = turned(presets[p], options[i].field, v),
                             written = from_file(presets[p], options[i].field, v);
                same(&typed, &written, options[i].field);
                assert_null(rules_check(&typed));
            }
        }
}

/* Where the object stands already its fields can be named one by one. */
TEST(fields_of_objects)
{
    static const char *const in_sensei[][2] = {{"hand_yaku.four", "4"},
                                               {"hand_yaku.pairs", "0"},
                                               {"hand_yaku.double_four", "20"},
                                               {"hand_yaku.claim", "automatic"},
                                               {"hand_yaku.multiplied", "false"},
                                               {"multipliers.seven_plus.points", "10"},
                                               {"multipliers.seven_plus.x", "3"},
                                               {"multipliers.seven_plus.x", "100"},
                                               {"multipliers.seven_plus.min_yaku", "2"},
                                               {"multipliers.seven_plus.min_yaku", "48"}};
    for (size_t i = 0; i < sizeof in_sensei / sizeof in_sensei[0]; i++) {
        struct rules typed = turned("sensei", in_sensei[i][0], in_sensei[i][1]),
                     written = from_file("sensei", in_sensei[i][0], in_sensei[i][1]);
        same(&typed, &written, in_sensei[i][0]);
    }
}

/* okoshki has neither object: naming one of their fields brings it, ready to play. */
TEST(a_field_brings_its_object)
{
    struct rules r = turned("okoshki", "multipliers.seven_plus.x", "3");
    assert_true(r.has_seven_plus);
    assert_int_equal(r.seven_points, 7);
    assert_int_equal(r.seven_min_yaku, 1);
    assert_int_equal(r.seven_x, 3);
    assert_null(rules_check(&r));
    r = turned("okoshki", "hand_yaku.four", "6");
    assert_true(r.has_hand_yaku);
    assert_int_equal(r.hand_yaku[HAND_FOUR], 6);
    assert_int_equal(r.hand_yaku[HAND_PAIRS], 0);
    assert_null(rules_check(&r));
    r = turned("okoshki", "hand_yaku.multiplied", "true");
    assert_true(r.has_hand_yaku && r.hand_yaku_multiplied);
    assert_null(rules_check(&r));
}

TEST(one_purse_for_any_number_of_rounds)
{
    struct rules r = turned("sensei", "purse", "80");
    char room[RULES_ALLOWED_SIZE];
    struct buf allowed = BUF(room);
    for (int i = 0; i < r.n_rounds_allowed; i++) {
        r.rounds = r.rounds_allowed[i];
        assert_int_equal(rules_start_score(&r), 80);
    }
    assert_null(rules_check(&r));
    r = turned("standard", "purse", "30"); /* points may start above 0, and with it become coins */
    assert_int_equal(rules_start_score(&r), 30);
    assert_int_equal(rules_option_set(&r, STR("scoring"), STR("coins"), &allowed), RULES_OPTION_OK);
    assert_null(rules_check(&r));
    r = turned("standard", "purse", "null");
    assert_int_equal(rules_start_score(&r), 0);
    assert_null(rules_check(&r));
}

TEST(wrong_values_are_answered_with_the_allowed_ones)
{
    static const char *const wrong[][3] = {
        {"yaku.tane", "101", "0-100"},
        {"yaku.tane", "-1", "0-100"},
        {"yaku.tane", "many", "0-100"},
        {"table.2", "0", "1-48"},
        {"deal.packet", "0", "1-48"},
        {"multipliers.seven_plus.x", "1", "2-100"},
        {"multipliers.seven_plus.x", "101", "2-100"},
        {"multipliers.seven_plus.min_yaku", "49", "1-48"},
        {"rounds", "49", "1-48"},
        {"trio_extra", "", "none|add|absorb"},
        {"trio_extra", "adds", "none|add|absorb"},
        {"multipliers.any_koikoi", "double_each", "none|double_once|plus_one_each"},
        {"wild_lightning", "perhaps", "true|false"},
        {"hand_yaku", "true", "null"},
        {"purse", "0", "1-10000|null"},
        {"purse", "10001", "1-10000|null"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct rules r = preset_named("sensei"), before = r;
        char text[RULES_ALLOWED_SIZE];
        struct buf allowed = BUF(text);
        if (rules_option_set(&r, str_of(wrong[i][0]), str_of(wrong[i][1]), &allowed) !=
            RULES_OPTION_VALUE)
            fail_msg("%s=%s is taken", wrong[i][0], wrong[i][1]);
        if (!str_is(buf_str(&allowed), str_of(wrong[i][2])))
            fail_msg("%s: %.*s is given", wrong[i][0], STR_ARG(buf_str(&allowed)));
        assert_memory_equal(&r, &before, sizeof r);
    }
    struct rules r = preset_named("sensei");
    char room[RULES_ALLOWED_SIZE];
    struct buf allowed = BUF(room);
    assert_int_equal(rules_option_set(&r, STR("yaku.poker"), STR("1"), &allowed),
                     RULES_OPTION_UNKNOWN);
    assert_int_equal(rules_option_set(&r, STR("words"), STR(""), &allowed), RULES_OPTION_VALUE);
    assert_int_equal(
        rules_option_set(&r, STR("words"), STR("abcdefghijklmnopqrstuvwxyz"), &allowed),
        RULES_OPTION_VALUE);
}

/* The value shown for an option can be typed back, and makes the same rule set. */
TEST(shown_values_can_be_typed)
{
    for (size_t p = 0; p < sizeof presets / sizeof presets[0]; p++) {
        struct rules from = preset_named(presets[p]), to = preset_named("standard");
        struct str name;
        char room[RULES_ALLOWED_SIZE];
        struct buf allowed = BUF(room);
        int told = 0;
        for (int i = 0;; i++) {
            char text[64];
            struct buf b = BUF(text);
            if (!rules_option_at(&from, i, &name, &b))
                break;
            bool many_purses = memchr(b.p, '/', b.n) != NULL, on = str_is(buf_str(&b), STR("true")),
                 object =
                     str_is(name, STR("hand_yaku")) || str_is(name, STR("multipliers.seven_plus")),
                 three = str_is(name, STR("hand.3")) || str_is(name, STR("table.3"));
            if (b.n == 0 || many_purses || (on && object) || three)
                continue;
            if (rules_option_set(&to, name, buf_str(&b), &allowed) != RULES_OPTION_OK)
                fail_msg("%.*s=%.*s is refused", STR_ARG(name), STR_ARG(buf_str(&b)));
            told++;
        }
        assert_true(told > 30);
        assert_memory_equal(to.yaku, from.yaku, sizeof to.yaku);
        assert_memory_equal(to.hand_yaku, from.hand_yaku, sizeof to.hand_yaku);
        assert_int_equal(to.any_koikoi, from.any_koikoi);
        assert_int_equal(to.rain_cancels, from.rain_cancels);
        assert_int_equal(to.has_seven_plus, from.has_seven_plus);
        assert_int_equal(to.deal_order, from.deal_order);
    }
}

/* The button of an inline challenge holds the rounds and up to three options. */
TEST(three_changes_go_through_a_number)
{
    static const char *const changes[][2] = {{"yaku.tsukimi", "0"},
                                             {"purse", "50"},
                                             {"capture", "optional"},
                                             {"koikoi_limit", "2"},
                                             {"hand_yaku", "null"},
                                             {"multipliers.own_koikoi", "double_once"},
                                             {"multipliers.seven_plus", "null"}};
    enum { N = sizeof changes / sizeof *changes, MOST = 3 };
    for (size_t p = 0; p < sizeof presets / sizeof *presets; p++)
        for (int i = 0; i + MOST <= N; i++) {
            struct rules preset = preset_named(presets[p]), r = preset, back;
            char list[RULES_ALLOWED_SIZE];
            struct buf allowed = BUF(list);
            int64_t packed;
            for (int k = i; k < i + MOST; k++)
                assert_int_equal(
                    rules_option_set(&r, str_of(changes[k][0]), str_of(changes[k][1]), &allowed),
                    RULES_OPTION_OK);
            r.rounds = 6;
            if (!rules_option_pack(&r, &preset, &packed))
                fail_msg("%s: %s and two more do not fit", presets[p], changes[i][0]);
            assert_true(packed > 0 && packed < RULES_PACKED_END);
            assert_true(rules_option_unpack(packed, &preset, &back));
            assert_memory_equal(&r, &back, sizeof r);
        }
}

TEST(numbers_that_are_no_rules_are_refused)
{
    struct rules preset = preset_named("standard"), r = preset, back;
    int64_t packed;
    char list[RULES_ALLOWED_SIZE];
    struct buf allowed = BUF(list);
    static const char *const four[] = {"yaku.tane", "yaku.tanzaku", "yaku.kasu", "yaku.goko"};
    for (int i = 0; i < 4; i++)
        assert_int_equal(rules_option_set(&r, str_of(four[i]), STR("9"), &allowed),
                         RULES_OPTION_OK);
    assert_false(rules_option_pack(&r, &preset, &packed));
    assert_false(rules_option_unpack(0, &preset, &back));
    assert_false(rules_option_unpack(-1, &preset, &back));
    assert_false(rules_option_unpack(RULES_PACKED_END, &preset, &back));
    assert_false(rules_option_unpack(RULES_PACKED_END - 1, &preset, &back));
    assert_false(rules_option_unpack(63, &preset, &back)); /* rounds */
    assert_true(rules_option_unpack(6, &preset, &back));   /* of an older button */
    assert_int_equal(back.rounds, 6);
}
