/* bot_step(): when a bare number is a move, which season words name, what follows when a network has
 * placed a table beside a room's messages. */
#include "engine/test.h"
#include "fixture/session_fixture.h"

#include "seasons.h"
#include "step.h"

/* Ann is to move, in the group "tea" or elsewhere. */
static struct session running_match(void)
{
    uint8_t deck[N_CARDS];
    struct session s = session_fixture_match(session_fixture_rules("standard"), 2);
    deck_shuffled(1, deck);
    session_fixture_deal(&s, deck);
    return s;
}

static struct world world_of(int64_t me, uint32_t can, const struct session *s)
{
    struct world w = {.bot = &session_fixture_bot,
                      .can = can,
                      .chat = {.id = 3, .can = can},
                      .me = {.person = me},
                      .here = {s ? 1 : 0, {s}}};
    chat_settings_default(&w.chat.settings);
    return w;
}

/* A person types "1". */
static enum verdict number(int64_t me, uint32_t can, bool direct, bool for_us)
{
    struct session s = running_match();
    struct world w = world_of(me, can, &s);
    struct event e = {.verb = VERB_NUMBER,
                      .account = 1,
                      .chat = STR("tea"),
                      .direct = direct,
                      .for_us = for_us,
                      .words = STR("1"),
                      .from = {.id = STR("a"), .name = STR("Ann")},
                      .now = 1000,
                      .version = -1,
                      .index = -1};
    struct effects *fx = arena_new(session_fixture_arena, struct effects);
    fx->arena = session_fixture_arena;
    enum verdict verdict = bot_step(&w, &e, fx);
    if (verdict == IGNORED)
        assert_true(fx->n_saves == 0 && fx->n_notices == 0);
    return verdict;
}

enum { ANN = 1, BO = 2, STRANGER = 9, BUTTONS = CAN_BUTTONS | CAN_DIRECT | CAN_EDIT };

TEST(number_in_a_group_with_buttons_is_talk)
{
    assert_int_equal(number(ANN, BUTTONS, false, false), IGNORED);
    assert_int_equal(number(BO, BUTTONS, false, false), IGNORED);
    assert_int_equal(number(STRANGER, BUTTONS, false, false), IGNORED);
}

TEST(number_in_a_group_without_buttons_is_a_move)
{
    assert_int_equal(number(ANN, CAN_DIRECT, false, false), TAKEN);
}

/* Where commands carry a prefix of this bot's own, a number in its group is meant for it. */
TEST(number_for_the_bot_alone_is_a_move)
{
    assert_int_equal(number(ANN, BUTTONS, false, true), TAKEN);
}

TEST(number_in_a_group_out_of_turn_is_talk)
{
    assert_int_equal(number(BO, CAN_DIRECT, false, false), IGNORED);
    assert_int_equal(number(BO, BUTTONS, false, true), IGNORED);
    assert_int_equal(number(STRANGER, CAN_DIRECT, false, false), IGNORED);
}

TEST(number_in_private_is_always_answered)
{
    assert_int_equal(number(ANN, BUTTONS, true, true), TAKEN);
    assert_int_equal(number(BO, BUTTONS, true, true), TAKEN); /* kept for their turn */
    assert_int_equal(number(STRANGER, BUTTONS, true, true), REFUSED);
}

/* ---- jumps of the clock ---- */

/* Ann was asked "sure?" just before the clock went back by an hour: the question is as old as
 * before, else her next /resign would end the match an hour later. */
TEST(question_before_a_resignation_moves_with_the_clock)
{
    enum { HOUR = 3600 * 1000, ASKED = 10 * HOUR };
    struct session s = running_match();
    s.due = 20 * HOUR;
    s.player[0].resign_asked = ASKED;
    struct world w = world_of(0, BUTTONS, &s);
    w.chat.id = s.venue[0].chat;
    struct event e = {.verb = VERB_DOWNTIME, .now = ASKED - HOUR, .shift = -HOUR};
    struct effects *fx = arena_new(session_fixture_arena, struct effects);
    fx->arena = session_fixture_arena;
    assert_int_equal(bot_step(&w, &e, fx), TAKEN);
    assert_int_equal(fx->n_saves, 1);
    assert_int_equal(fx->save[0]->player[0].resign_asked, ASKED - HOUR);
    assert_int_equal(fx->save[0]->player[1].resign_asked, 0);
}

/* ---- seasons ---- */

/* The season that `/board WORDS` names on 2026-11-22 in a chat with seasons of a quarter, or "". */
static const char *season_of(const char *words)
{
    static struct season_key key;
    struct world w = world_of(ANN, BUTTONS, NULL);
    struct event e = {.verb = VERB_BOARD,
                      .alias = STR("board"),
                      .words = str_of(words),
                      .now = date_ms(2026, 11, 22, 0)};
    key = (struct season_key){"untouched"};
    bool found = seasons_asked(&w, &e, session_fixture_arena, &key);
    if (!found)
        assert_string_equal(key.text, "untouched");
    return found ? key.text : "";
}

TEST(season_is_this_one_by_default)
{
    assert_string_equal(season_of(""), "2026-Q4");
}

TEST(season_may_be_named_by_its_key)
{
    assert_string_equal(season_of("2025-q2"), "2025-Q2");
    assert_string_equal(season_of("2026-07"), "2026-07");
    assert_string_equal(season_of("2024"), "2024");
}

TEST(season_before_is_called_last)
{
    assert_string_equal(season_of("last"), "2026-Q3");
    assert_string_equal(season_of(" LAST "), "2026-Q3");
}

TEST(other_words_name_no_season)
{
    assert_string_equal(season_of("yesterday"), "");
    assert_string_equal(season_of("2026-13"), "");
    assert_string_equal(season_of("computer"), "");
}

TEST(answer_of_the_network_to_a_widget_is_passed_on)
{
    static const struct {
        const char *words;
        enum placed placed;
        struct lacking lacking;
        enum text key;
    } cases[] = {{"", PLACED_YES, {0}, T_PAGE_WIDGET_PLACED},
                 {"off", PLACED_YES, {0}, T_PAGE_WIDGET_GONE},
                 {"", PLACED_NO, {0}, T_PAGE_WIDGET_FAILED},
                 {"off", PLACED_NO, {0}, T_PAGE_WIDGET_FAILED},
                 {"", PLACED_NO, {.needs = 50, .has = 0}, T_PAGE_WIDGET_POWER},
                 {"", PLACED_NO, {50, 0, .theirs = true}, T_PAGE_WIDGET_POWER_THEIRS}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world w = world_of(ANN, BUTTONS | CAN_WIDGET, NULL);
        struct event e = {.verb = VERB_WIDGET,
                          .account = 1,
                          .chat = STR("tea"),
                          .words = str_of(cases[i].words),
                          .from = {.id = STR("a"), .name = STR("Ann")},
                          .now = 1000,
                          .placed = cases[i].placed,
                          .lacking = cases[i].lacking};
        struct effects *fx = arena_new(session_fixture_arena, struct effects);
        fx->arena = session_fixture_arena;
        bool done = cases[i].placed == PLACED_YES;
        assert_int_equal(bot_step(&w, &e, fx), done ? TAKEN : REFUSED);
        assert_int_equal(fx->n_notices, 1);
        assert_int_equal(fx->notice[0]->key, cases[i].key);
        assert_int_equal(fx->widget, WIDGET_STAYS);
    }
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
