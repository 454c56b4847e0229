/* Preferences of a person as a line, both ways. */
#include "fixture/scratch.h"

#include "chat_settings.h"

static struct str line_of(const struct person_prefs *p, char memory[static PREFS_LINE])
{
    struct buf b = {memory, 0, PREFS_LINE, false};
    return person_prefs_write(p, &b);
}

static void a_line_is_read_as_it_was_written(void **state)
{
    (void)state;
    char memory[PREFS_LINE];
    struct person_prefs p = {.language = "pt-BR",
                             .lesson = 7,
                             .lesson_shown = 1785000000000,
                             .tips = 5,
                             .lesson_message = 65535},
                        back;
    person_prefs_read(line_of(&p, memory), &back);
    assert_string_equal(back.language, "pt-BR");
    assert_int_equal(back.lesson, 7);
    assert_true(back.lesson_shown == 1785000000000);
    assert_int_equal(back.tips, 5);
    assert_int_equal(back.lesson_message, 65535);
}

static void without_preferences_the_line_is_empty(void **state)
{
    (void)state;
    char memory[PREFS_LINE];
    struct person_prefs p = {.language = ""};
    assert_int_equal(line_of(&p, memory).n, 0);
    person_prefs_read(STR(""), &p);
    assert_string_equal(p.language, "");
    assert_int_equal(p.lesson, 0);
}

static void a_word_without_its_value_is_no_language(void **state)
{
    (void)state;
    struct person_prefs p;
    person_prefs_read(STR("language=pl tips= lesson="), &p);
    assert_string_equal(p.language, "pl");
    person_prefs_read(STR("tips="), &p);
    assert_string_equal(p.language, "");
}

static void an_older_line_is_the_language_alone(void **state)
{
    (void)state;
    struct person_prefs p;
    person_prefs_read(STR("pl"), &p);
    assert_string_equal(p.language, "pl");
}

static void what_cannot_be_read_keeps_its_default(void **state)
{
    (void)state;
    struct person_prefs p;
    person_prefs_read(STR("language=ja lesson=x lesson_message=-1 lesson=300 new=1"), &p);
    assert_string_equal(p.language, "ja");
    assert_int_equal(p.lesson, 0);
    assert_int_equal(p.lesson_message, 0);
}

static void the_language_of_an_app_is_not_stored(void **state)
{
    (void)state;
    char memory[PREFS_LINE];
    struct person_prefs p = {.language = "pl", .language_of_app = true, .lesson = 2};
    assert_true(str_is(line_of(&p, memory), STR("lesson=2")));
}

static void two_people_become_one(void **state)
{
    (void)state;
    struct person_prefs p = {.language = "", .lesson = 5, .tips = 1},
                        other = {.language = "ja", .lesson = 3, .tips = 6};
    person_prefs_join(&p, &other);
    assert_string_equal(p.language, "ja");
    assert_int_equal(p.lesson, 5);
    assert_int_equal(p.tips, 7);
    struct person_prefs named = {.language = "pl"};
    person_prefs_join(&named, &other);
    assert_string_equal(named.language, "pl");
    assert_int_equal(named.lesson, 3);
}

static void settings_of_a_chat_read_back(void **state)
{
    (void)state;
    char memory[512];
    struct buf b = BUF(memory);
    struct chat_settings c, back;
    chat_settings_default(&c);
    assert_false(c.tips_off);
    c.tips_off = true;
    chat_settings_read(chat_settings_write(&c, &b), &back);
    assert_true(back.tips_off);
    chat_settings_read(STR("rules=sensei"), &back); /* an older line */
    assert_false(back.tips_off);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_read_as_it_was_written),
        cmocka_unit_test(without_preferences_the_line_is_empty),
        cmocka_unit_test(an_older_line_is_the_language_alone),
        cmocka_unit_test(a_word_without_its_value_is_no_language),
        cmocka_unit_test(what_cannot_be_read_keeps_its_default),
        cmocka_unit_test(the_language_of_an_app_is_not_stored),
        cmocka_unit_test(settings_of_a_chat_read_back),
        cmocka_unit_test(two_people_become_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
