/* Preferences of a person as a line, both ways. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "chat_settings.h"

static struct str line_of(const struct person_prefs *p, char memory[static PREFS_LINE])
{
    struct buf b = {memory, 0, PREFS_LINE, false};
    return person_prefs_write(p, &b);
}

TEST(a_line_is_read_as_it_was_written)
{
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

TEST(without_preferences_the_line_is_empty)
{
    char memory[PREFS_LINE];
    struct person_prefs p = {.language = ""};
    assert_int_equal(line_of(&p, memory).n, 0);
    person_prefs_read(STR(""), &p);
    assert_string_equal(p.language, "");
    assert_int_equal(p.lesson, 0);
}

TEST(a_word_without_its_value_is_no_language)
{
    struct person_prefs p;
    person_prefs_read(STR("language=pl tips= lesson="), &p);
    assert_string_equal(p.language, "pl");
    person_prefs_read(STR("tips="), &p);
    assert_string_equal(p.language, "");
}

TEST(what_cannot_be_read_keeps_its_default)
{
    struct person_prefs p;
    person_prefs_read(STR("language=ja lesson=x lesson_message=-1 lesson=300 new=1"), &p);
    assert_string_equal(p.language, "ja");
    assert_int_equal(p.lesson, 0);
    assert_int_equal(p.lesson_message, 0);
}

TEST(the_language_of_an_app_is_not_stored)
{
    char memory[PREFS_LINE];
    struct person_prefs p = {.language = "pl", .language_of_app = true, .lesson = 2};
    assert_true(str_is(line_of(&p, memory), STR("lesson=2")));
}

TEST(two_people_become_one)
{
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

TEST(settings_of_a_chat_read_back)
{
    char memory[512];
    struct buf b = BUF(memory);
    struct chat_settings c, back;
    chat_settings_default(&c);
    assert_false(c.tips_off);
    c.tips_off = true;
    chat_settings_read(chat_settings_write(&c, &b), &back);
    assert_true(back.tips_off);
    chat_settings_read(STR("rules=sensei"), &back);
    assert_false(back.tips_off);
}
