/* Catalogues and their faults, as a translator meets them. */
#include "fixture/scratch.h"

#include "embedded.h"
#include "json_tree.h"
#include "texts.h"

#include <string.h>

static struct arena *arena;
static cJSON *tree; /* the English catalogue, to be spoiled */

static int open_tree(void **state)
{
    struct err err;
    (void)state;
    arena = arena_open((size_t)1 << 26);
    tree = json_parse(embedded_find(STR("texts/en.json")), &err);
    return tree ? 0 : -1;
}

static int close_tree(void **state)
{
    (void)state;
    cJSON_Delete(tree);
    arena_close(arena);
    return 0;
}

static cJSON *part(const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(tree, name);
}

static struct str faults_of_tree(int *ret_n)
{
    char *bytes = cJSON_PrintUnformatted(tree);
    struct str faults = texts_check(str_of(bytes), arena, ret_n);
    free(bytes);
    return faults;
}

static void finds(const char *const wanted[])
{
    int n = 0, want = 0;
    struct str faults = faults_of_tree(&n);
    for (; wanted[want]; want++)
        if (!memmem(faults.p, faults.n, wanted[want], strlen(wanted[want])))
            fail_msg("wanted \"%s\" in:\n%.*s", wanted[want], STR_ARG(faults));
    if (n != want)
        fail_msg("wanted %d faults, found %d:\n%.*s", want, n, STR_ARG(faults));
}

static void set(cJSON *object, const char *key, const char *value)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    if (value)
        cJSON_AddStringToObject(object, key, value);
}

static void catalogues_of_the_program_have_no_fault(void **state)
{
    (void)state;
    int n, catalogues = 0;
    for (int i = 0; i < embedded_count(); i++) {
        struct embedded e = embedded_at(i);
        if (!str_starts(str_of(e.name), STR("texts/")))
            continue;
        struct str faults = texts_check(e.bytes, arena, &n);
        if (n > 0)
            fail_msg("%s:\n%.*s", e.name, STR_ARG(faults));
        catalogues++;
    }
    assert_true(catalogues > 0);
}

static void every_fault_of_a_sentence_is_named(void **state)
{
    (void)state;
    cJSON *texts = part("texts");
    set(texts, "ping", NULL);
    set(texts, "button_start", "Start the match now, please");
    set(texts, "did_lay", "{name} lays down {something}.");
    set(texts, "bankrupt", "{name} has **nothing left.");
    set(texts, "pingg", "{name}!");
    finds(
        (const char *[]){"texts.pingg: unknown sentence\n", "texts.ping: missing\n",
                         "texts.button_start: expected at most 24 characters on a button, got 27\n",
                         "texts.did_lay: expected a placeholder of (name card), got {something}\n",
                         "texts.bankrupt: expected ** and ` in pairs\n", NULL});
}

static void a_placeholder_that_is_left_out_is_named(void **state)
{
    (void)state;
    set(part("texts"), "did_take", "{name} takes {cards}.");
    finds((const char *[]){"texts.did_take: expected the placeholder {card}\n", NULL});
}

/* English has one and other. */
static void plural_forms_are_those_of_the_language(void **state)
{
    (void)state;
    cJSON *days = cJSON_GetObjectItemCaseSensitive(part("texts"), "days");
    set(days, "one", NULL);
    set(days, "few", "{n} days");
    set(days, "amny", "{n} days");
    finds((const char *[]){"texts.days: the form \"one\" is missing\n",
                           "texts.days: the language has no form \"few\"\n",
                           "texts.days: expected plural forms, got \"amny\"\n", NULL});
}

static void words_commands_and_options_are_checked(void **state)
{
    (void)state;
    cJSON *standard = cJSON_GetObjectItemCaseSensitive(part("words"), "standard");
    cJSON *hint = cJSON_GetObjectItemCaseSensitive(part("commands"), "hint");
    set(cJSON_GetObjectItemCaseSensitive(standard, "cards"), "8b", NULL);
    set(cJSON_GetObjectItemCaseSensitive(standard, "coins"), "other", "points");
    set(hint, "brief",
        "shows what the computer would do in your place, and the reason, in many words");
    cJSON_ReplaceItemInObjectCaseSensitive(hint, "names", cJSON_Parse("[\"hand\"]"));
    set(part("commands"), "fold", NULL);
    cJSON_AddItemToObject(part("commands"), "fold", cJSON_Duplicate(hint, true));
    cJSON_DeleteItemFromObjectCaseSensitive(part("options"), "later");
    finds((const char *[]){
        "words.standard.8b: missing\n", /* and in two sets that take it from there */
        "words.sensei.8b: missing\n", "words.mongolopedia.8b: missing\n",
        "words.standard.coins.other: expected the placeholder {n}\n",
        "commands.hint.brief: expected 1 to 60 characters", "commands.fold: unknown command\n",
        "expected words of its own, got \"hand\" of another command\n", "options.later: missing\n",
        NULL});
}

/* At start the first fault is the error. */
static void a_catalogue_with_a_fault_is_not_read(void **state)
{
    (void)state;
    struct texts texts;
    struct err err = {""};
    set(part("texts"), "ping", NULL);
    char *bytes = cJSON_PrintUnformatted(tree);
    assert_false(texts_read(str_of(bytes), arena, &texts, &err));
    assert_string_equal(err.text, "texts.ping: missing");
    free(bytes);
}

static void what_is_no_catalogue_is_one_fault(void **state)
{
    (void)state;
    int n = 0;
    struct str faults = texts_check(STR("{\"language\": \"pl\""), arena, &n);
    assert_int_equal(n, 1);
    assert_true(faults.n > 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_tree, close_tree)
    const struct CMUnitTest tests[] = {
        TEST(catalogues_of_the_program_have_no_fault), TEST(every_fault_of_a_sentence_is_named),
        TEST(a_placeholder_that_is_left_out_is_named), TEST(plural_forms_are_those_of_the_language),
        TEST(words_commands_and_options_are_checked),  TEST(a_catalogue_with_a_fault_is_not_read),
        TEST(what_is_no_catalogue_is_one_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
