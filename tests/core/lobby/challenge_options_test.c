/* What a chat has set once, when the operator has taken its rule set away since. */
#include "core/sitting.h"

#include "step.h"

/* One step of a daemon that has `standard` alone, in a chat that once chose a rule set now gone. */
static enum verdict step_without(enum verb verb, struct str words, struct effects *fx)
{
    struct world w = {.languages = &sitting_languages,
                      .n_presets = 1,
                      .presets = sitting_rules("standard"),
                      .default_rules = STR("standard"),
                      .default_language = STR("en"),
                      .me = 1,
                      .chat = 1,
                      .zone_ok = true,
                      .can = CAN_BUTTONS | CAN_DIRECT | CAN_WHISPER};
    chat_settings_default(&w.settings);
    NAME_PUT(w.settings.rules, STR("gone"));
    struct event e = {.verb = verb,
                      .account = 1,
                      .chat = STR("#tea"),
                      .admin = true,
                      .words = words,
                      .from = {.id = STR("ann"), .name = STR("Ann")},
                      .now = 1000,
                      .index = -1,
                      .version = -1};
    *fx = (struct effects){.arena = sitting_arena};
    return bot_step(&w, &e, fx);
}

static void settings_go_on(void **state)
{
    (void)state;
    struct effects *fx = arena_new(sitting_arena, struct effects);
    assert_int_equal(step_without(VERB_SETTINGS, STR("rounds=3"), fx), TAKEN);
    assert_true(fx->set_chat);
    assert_int_equal(fx->chat.rounds, 3);
}

static void rules_are_those_of_the_daemon(void **state)
{
    (void)state;
    struct effects *fx = arena_new(sitting_arena, struct effects);
    assert_int_equal(step_without(VERB_RULES, STR(""), fx), TAKEN);
    assert_int_equal(fx->n_says, 1);
    assert_string_equal(fx->say[0]->rules->name, "standard");
}

static void a_challenge_is_by_those_too(void **state)
{
    (void)state;
    struct effects *fx = arena_new(sitting_arena, struct effects);
    assert_int_equal(step_without(VERB_CHALLENGE, STR("open"), fx), TAKEN);
    assert_int_equal(fx->n_saves, 1);
    assert_string_equal(fx->save[0]->rules.name, "standard");
}

/* People write as they speak: the small words around what counts are no mistakes. */
static void small_words_are_no_mistakes(void **state)
{
    (void)state;
    static const char *const ways[] = {"anyone with standard rules for 6 rounds",
                                       "open 6 round match", "A game of 6 rounds, against anyone!"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct effects *fx = arena_new(sitting_arena, struct effects);
        assert_int_equal(step_without(VERB_CHALLENGE, str_of(ways[i]), fx), TAKEN);
        assert_int_equal(fx->n_saves, 1);
        assert_int_equal(fx->save[0]->rules.rounds, 6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_go_on),
        cmocka_unit_test(rules_are_those_of_the_daemon),
        cmocka_unit_test(a_challenge_is_by_those_too),
        cmocka_unit_test(small_words_are_no_mistakes),
    };
    return cmocka_run_group_tests(tests, sitting_open, sitting_close);
}
