/* Options of challenges, and chats whose rule set no longer exists. */
#include "engine/test.h"
#include "fixture/session_fixture.h"

#include "step.h"

/* One step of a daemon with the rule set `standard` alone, in a chat whose settings name a rule set
 * that was removed. */
static bool newcomer;
static const struct bot *bot = &session_fixture_bot;

static enum verdict step_without(enum verb verb, struct str words, struct effects *fx)
{
    struct world w = {.bot = bot,
                      .me = {.person = 1, .newcomer = newcomer},
                      .chat = {.id = 1},
                      .zone_ok = true,
                      .can = CAN_BUTTONS | CAN_DIRECT | CAN_WHISPER};
    chat_settings_default(&w.chat.settings);
    NAME_PUT(w.chat.settings.rules, STR("gone"));
    struct event e = {.verb = verb,
                      .account = 1,
                      .chat = STR("#tea"),
                      .admin = true,
                      .words = words,
                      .from = {.id = STR("ann"), .name = STR("Ann")},
                      .now = 1000,
                      .index = -1,
                      .version = -1};
    *fx = (struct effects){.arena = session_fixture_arena};
    return bot_step(&w, &e, fx);
}

TEST(settings_work_without_the_chats_rule_set)
{
    struct effects *fx = arena_new(session_fixture_arena, struct effects);
    assert_int_equal(step_without(VERB_SETTINGS, STR("rounds=3"), fx), TAKEN);
    assert_non_null(fx->chat);
    assert_int_equal(fx->chat->rounds, 3);
}

TEST(rules_fall_back_to_the_daemons_default)
{
    struct effects *fx = arena_new(session_fixture_arena, struct effects);
    assert_int_equal(step_without(VERB_RULES, STR(""), fx), TAKEN);
    assert_int_equal(fx->n_notices, 1);
    assert_string_equal(fx->notice[0]->rules->name, "standard");
}

TEST(challenge_falls_back_to_the_daemons_default)
{
    struct effects *fx = arena_new(session_fixture_arena, struct effects);
    assert_int_equal(step_without(VERB_CHALLENGE, STR("open"), fx), TAKEN);
    assert_int_equal(fx->n_saves, 1);
    assert_string_equal(fx->save[0]->rules.name, "standard");
}

static int rounds_of(const char *words)
{
    struct effects *fx = arena_new(session_fixture_arena, struct effects);
    assert_int_equal(step_without(VERB_CHALLENGE, str_of(words), fx), TAKEN);
    assert_int_equal(fx->n_saves, 1);
    return fx->save[0]->rules.rounds;
}

/* Three rounds for newcomers, unless they ask for more or a host's own rule set has even fewer. */
TEST(newcomers_have_few_rounds)
{
    struct rules own = session_fixture_presets[SESSION_FIXTURE_PRESETS - 1]; /* standard */
    struct bot with_own = session_fixture_bot;
    const int usual = own.rounds;
    assert_int_equal(rounds_of("open"), usual);
    newcomer = true;
    assert_int_equal(rounds_of("open"), FEW_ROUNDS);
    assert_int_equal(rounds_of("open 6"), 6);
    assert_int_equal(rounds_of("open standard"), usual);
    own.rounds = own.rounds_allowed[0] = 1;
    own.n_rounds_allowed = 1;
    with_own.presets = &own;
    with_own.n_presets = 1;
    bot = &with_own;
    assert_int_equal(rounds_of("open"), 1);
    assert_int_equal(rounds_of("open 3"), FEW_ROUNDS);
    bot = &session_fixture_bot;
    newcomer = false;
}

/* Players write as they speak: words without a meaning are no errors. */
TEST(filler_words_are_accepted)
{
    static const char *const ways[] = {"anyone with standard rules for 6 rounds",
                                       "open 6 round match", "A game of 6 rounds, against anyone!"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct effects *fx = arena_new(session_fixture_arena, struct effects);
        assert_int_equal(step_without(VERB_CHALLENGE, str_of(ways[i]), fx), TAKEN);
        assert_int_equal(fx->n_saves, 1);
        assert_int_equal(fx->save[0]->rules.rounds, 6);
    }
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
