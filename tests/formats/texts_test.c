/* Catalogues and their faults, as a translator meets them. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "embedded.h"
#include "event.h"
#include "keyword.h"
#include "log.h"
#include "texts.h"

#include <cjson/cJSON.h>
#include <string.h>
#include <sys/stat.h>

static struct arena *arena;
static cJSON *tree; /* the English catalogue, to be spoiled */

FIXTURE(open_tree)
{
    struct str english = embedded_find(STR("texts/en.json"));
    log_open(LOG_NOTHING);
    arena = arena_open((size_t)1 << 26);
    tree = cJSON_ParseWithLength(english.p, english.n);
    return tree && scratch_open() ? 0 : -1;
}

FIXTURE(close_tree)
{
    cJSON_Delete(tree);
    arena_close(arena);
    scratch_close();
    return 0;
}

static cJSON *part(const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(tree, name);
}

static void finds_lines(struct texts_lines found, const char *what, const char *const wanted[])
{
    int want = 0;
    for (; wanted[want]; want++)
        if (!memmem(found.text.p, found.text.n, wanted[want], strlen(wanted[want])))
            fail_msg("wanted \"%s\" in:\n%.*s", wanted[want], STR_ARG(buf_str(&found.text)));
    if (found.n != want)
        fail_msg("wanted %d %s, found %d:\n%.*s", want, what, found.n,
                 STR_ARG(buf_str(&found.text)));
}

/* What the spoilt catalogue has, and nothing else. */
static void finds(const char *const faults[], const char *const warnings[])
{
    struct texts_found found;
    char *bytes = cJSON_PrintUnformatted(tree);
    (void)texts_check(str_of(bytes), arena, &found);
    free(bytes);
    finds_lines(found.faults, "faults", faults);
    finds_lines(found.warnings, "warnings", warnings);
}
#define LINES(...) ((const char *[]){__VA_ARGS__, NULL})
#define NO_LINES   ((const char *[]){NULL})

static void set(cJSON *object, const char *key, const char *value)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    if (value)
        cJSON_AddStringToObject(object, key, value);
}

/* A sentence may be missing while it is new; the lint demands all. */
TEST_WITH(catalogues_of_the_program_have_no_fault, open_tree, close_tree)
{
    struct texts_found found;
    int catalogues = 0;
    for (int i = 0; i < embedded_count(); i++) {
        struct embedded e = embedded_at(i);
        if (!str_starts(str_of(e.name), STR("texts/")))
            continue;
        (void)texts_check(e.bytes, arena, &found);
        if (found.faults.n > 0)
            fail_msg("%s:\n%.*s", e.name, STR_ARG(buf_str(&found.faults.text)));
        if (strcmp(e.name, "texts/en.json") == 0 && found.warnings.n > 0)
            fail_msg("%s:\n%.*s", e.name, STR_ARG(buf_str(&found.warnings.text)));
        catalogues++;
    }
    assert_true(catalogues > 0);
}

TEST_WITH(every_fault_of_a_sentence_is_named, open_tree, close_tree)
{
    cJSON *texts = part("texts");
    set(texts, "ping", NULL);
    set(texts, "button_start", "Start the match now, please");
    set(texts, "did_lay", "{name} lays down {something}.");
    set(texts, "did_take", "{name} takes {card, {cards}.");
    set(texts, "bankrupt", "{name} has **nothing left.");
    set(texts, "pingg", "{name}!");
    cJSON_DeleteItemFromObjectCaseSensitive(texts, "plus");
    cJSON_AddNumberToObject(texts, "plus", 5);
    finds(LINES("texts.pingg: unknown sentence\n",
                "texts.button_start: expected at most 24 characters on a button, got 27\n",
                "texts.did_lay: expected a placeholder of (name card), got {something}\n",
                "texts.did_take: expected a placeholder of (name card cards), got {card, {cards}\n",
                "texts.bankrupt: expected ** and ` in pairs\n",
                "texts.plus: expected a string, got 5\n"),
          LINES("texts.ping: missing\n"));
}

TEST_WITH(a_placeholder_that_is_left_out_is_named, open_tree, close_tree)
{
    set(part("texts"), "did_take", "{name} takes {cards}.");
    finds(LINES("texts.did_take: expected the placeholder {card}\n"), NO_LINES);
}

/* English has one and other. */
TEST_WITH(plural_forms_are_those_of_the_language, open_tree, close_tree)
{
    cJSON *days = cJSON_GetObjectItemCaseSensitive(part("texts"), "days");
    set(days, "one", NULL);
    set(days, "few", "{n} days");
    set(days, "amny", "{n} days");
    finds(LINES("texts.days: the form \"one\" is missing\n",
                "texts.days: the language has no form \"few\"\n", "amny: unknown plural form\n"),
          NO_LINES);
}

TEST_WITH(words_commands_and_options_are_checked, open_tree, close_tree)
{
    cJSON *standard = cJSON_GetObjectItemCaseSensitive(part("words"), "standard");
    cJSON *hint = cJSON_GetObjectItemCaseSensitive(part("commands"), "hint");
    set(cJSON_GetObjectItemCaseSensitive(standard, "cards"), "8b", NULL);
    set(cJSON_GetObjectItemCaseSensitive(standard, "coins"), "other", "points");
    set(hint, "brief",
        "shows what the computer would do in your place, and the reason, in many words");
    cJSON_ReplaceItemInObjectCaseSensitive(hint, "names", cJSON_Parse("[\"hand\"]"));
    set(part("commands"), "stop", NULL);
    cJSON_AddItemToObject(part("commands"), "fold", cJSON_Duplicate(hint, true));
    cJSON_DeleteItemFromObjectCaseSensitive(part("options"), "later");
    set(part("characters"), "mei", "");
    set(part("commands"), "table", "table");
    set(part("words"), "okoshki", "words");
    set(standard, "hand_yaku", "yaku");
    cJSON_ReplaceItemInObjectCaseSensitive(standard, "months", cJSON_Parse("[\"pine\"]"));
    finds(LINES("words.standard.coins.other: expected the placeholder {n}\n",
                "words.standard.months: expected a list of 12 words\n",
                "commands.hint.brief: expected 1 to 60 characters",
                "commands.fold: unknown command\n",
                "commands.hand: expected words of its own, got \"hand\" of another command\n",
                "commands.table: expected an object\n", "words.okoshki: expected an object\n",
                "words.standard.hand_yaku: expected an object\n",
                "characters.mei: expected a word, got \"\"\n"),
          LINES("words.standard.8b: missing\n", "options.later: missing\n",
                "commands.stop: missing\n", "commands.table: missing\n",
                "words.standard.double_four: missing\n", "words.standard.four: missing\n",
                "words.standard.pairs: missing\n"));
}

TEST_WITH(words_of_rule_options_are_checked, open_tree, close_tree)
{
    cJSON *rules = cJSON_AddObjectToObject(tree, "rules");
    set(rules, "capture", "the taking");
    set(rules, "forced", "Must");
    set(rules, "optional", "may");
    set(rules, "add", "may");
    set(rules, "viewing.both", "both=seen");
    set(rules, "viewing", "seen");
    finds(LINES("rules.capture: expected one word in small letters, got \"the taking\"\n",
                "rules.forced: expected one word in small letters, got \"Must\"\n",
                "rules.add: expected a word of its own, got that of optional\n",
                "rules.viewing.both: expected one word in small letters",
                "rules.viewing: unknown rule option or value\n"),
          NO_LINES);
}

/* What people read in one language they may type in any: no word is another option's elsewhere. */
TEST_WITH(a_word_of_a_rule_option_means_it_in_every_language, open_tree, close_tree)
{
    struct languages all;
    struct err err;
    assert_true(texts_load(STR(""), STR("en"), true, arena, &all, &err));
    for (int t = 0; t < all.n; t++)
        for (int i = 0; i < texts_typed(all.at[t])->n_rule_words; i++) {
            struct rule_word w = all.at[t]->rule_word[i];
            struct str found = keyword_option(&all, arena, w.word);
            if (w.word.n > 0 && !str_is(found, w.key))
                fail_msg("%.*s: \"%.*s\" is %.*s, but also %.*s", STR_ARG(all.at[t]->language),
                         STR_ARG(w.word), STR_ARG(w.key), STR_ARG(found));
        }
}

static bool names_a_card(const struct words *w, struct str folded)
{
    bool found = false;
    for (int c = 0; c < N_CARDS; c++) {
        const struct str names[] = {w->card[c], w->month[card_month(c)],
                                    w->word[WORD_BRIGHT + card_kind(c)]};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            for (struct str rest = text_fold(arena, names[i]), word = str_word(&rest); word.n > 0;
                 word = str_word(&rest))
                found |= str_is(word, folded);
    }
    return found;
}

TEST_WITH(another_word_for_a_card_leads_to_one_that_is_shown, open_tree, close_tree)
{
    struct languages all;
    struct err err;
    assert_true(texts_load(STR(""), STR("en"), true, arena, &all, &err));
    for (int t = 0; t < all.n; t++) {
        const struct words *w = words_for(texts_find(&all, all.at[t]->language), STR("standard"));
        assert_true(w->n_also >= 10);
        for (int i = 0; i < w->n_also; i++)
            if (!names_a_card(w, w->also[i].word) || names_a_card(w, w->also[i].key))
                fail_msg("%.*s: \"%.*s\" for \"%.*s\"", STR_ARG(all.at[t]->language),
                         STR_ARG(w->also[i].key), STR_ARG(w->also[i].word));
    }
}

TEST_WITH(what_is_no_catalogue_is_one_fault, open_tree, close_tree)
{
    static const char *const wrong[] = {"{\"language\": \"pl\"",
                                        "[]",
                                        "",
                                        "{\"language\": \"pl\"}",
                                        "{\"language\": \"a\", \"title\": \"A\", \"text\": {}}",
                                        "{\"language\": \"a\", \"title\": \"A\", \"texts\": []}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct texts_found found;
        (void)texts_check(str_of(wrong[i]), arena, &found);
        if (found.faults.n != 1)
            fail_msg("%s:\n%.*s", wrong[i], STR_ARG(buf_str(&found.faults.text)));
    }
}

/* ---- what English stands in for ---- */

static void says(const struct texts *t, enum text key, int64_t n, const char *wanted)
{
    char number[24];
    struct str arg = {number, (size_t)snprintf(number, sizeof number, "%lld", (long long)n)};
    struct str found = text_make(t, arena, key, n, &arg, 1);
    if (!str_is(found, str_of(wanted)))
        fail_msg("wanted \"%s\", found \"%.*s\"", wanted, STR_ARG(found));
}

/* Polish has the forms one, few and many; English one and other. */
TEST_WITH(a_language_of_a_few_words_is_completed_in_english, open_tree, close_tree)
{
    struct texts_found found;
    const struct texts *t =
        texts_check(STR("{\"language\": \"pl\", \"title\": \"Polski\","
                        " \"texts\": {\"days\": {\"one\": \"{n} dzień\", \"few\": \"{n} dni\","
                        "                       \"many\": \"{n} dni\"}},"
                        " \"words\": {\"sensei\": {\"words\": {\"stop\": \"dość\"}}},"
                        " \"commands\": {\"accept\": {\"names\": [\"przyjmij\"]}}}"),
                    arena, &found);
    assert_int_equal(found.faults.n, 0);
    assert_true(found.warnings.n > 900);
    says(t, T_DAYS, 3, "3 dni");
    says(t, T_HOURS, 1, "1 hour");
    says(t, T_HOURS, 3, "3 hours");
    says(t, T_ANYONE, 0, "anyone here");
    const struct words *w = words_for(t, STR("sensei"));
    assert_true(str_is(w->word[WORD_STOP], STR("dość")));
    assert_true(str_is(w->card[0], words_for(t->english, STR("standard"))->card[0]));
    for (int p = 0; p < N_PLURALS; p++)
        assert_true(plural_set(t->language) >> p & 1 ? w->coins[p].n > 0 : true);
    assert_true(str_is(t->alias[VERB_ACCEPT][0], STR("przyjmij")));
    assert_true(str_is(t->brief[VERB_ACCEPT], t->english->brief[VERB_ACCEPT]));
    assert_true(str_is(t->about[VERB_HINT], t->english->about[VERB_HINT]));
    assert_true(str_is(t->character[1], t->english->character[1]));
}

/* ---- languages of the program and of a folder ---- */

static bool loads(const char *folder, const char *fallback, bool strict, struct languages *ret,
                  struct err *err)
{
    struct str path = *folder ? scratch_file(folder) : STR("");
    return texts_load(path, str_of(fallback), strict, arena, ret, err);
}

TEST_WITH(a_language_is_read_when_it_is_asked_for, open_tree, close_tree)
{
    struct languages all;
    struct err err;
    OK(loads("", "en", true, &all, &err));
    assert_true(all.n > 1);
    for (int i = 0; i < all.n; i++) {
        struct texts *t = all.at[i];
        bool english = str_is(t->language, STR("en"));
        assert_true(english == (t->read == NULL));
        assert_true(english == (t->text != NULL));
        assert_true(t->title.n > 0 && english == (t->alias[VERB_ACCEPT][0].n > 0));
        assert_ptr_equal(texts_typed(t), t);
        assert_true(t->alias[VERB_ACCEPT][0].n > 0 && t->option[1][0].n > 0);
        assert_true(english == (t->text != NULL));
        assert_ptr_equal(texts_find(&all, t->language), t);
        assert_true(t->read == NULL && t->n_words > 1);
        for (int k = 0; k < N_TEXTS; k++)
            assert_true(text_is_plural((enum text)k) ||
                        text_form(t, (enum text)k, PLURAL_OTHER).p || t->english);
    }
    OK(loads("", "pt", true, &all, &err));
    assert_ptr_equal(texts_for(&all, STR("xx")), all.at[0]);
    assert_true(str_is(all.at[0]->language, STR("pt")) && !all.at[0]->read);
    assert_false(loads("", "xx", false, &all, &err));
}

#define HEAD(language) "{\"language\": \"" language "\", \"title\": \"Other\", "

TEST_WITH(a_fault_in_a_file_costs_that_file, open_tree, close_tree)
{
    struct languages all;
    struct err err;
    mkdir(scratch_file("texts").p, 0700);
    scratch_write("texts/eo.json", HEAD("eo") "\"texts\": {\"ping\": \"{nome}\"}}");
    scratch_write("texts/pl.json", HEAD("pl") "\"texts\": {\"anyone\": 7}}");
    scratch_write("texts/ru.json", HEAD("ru") "\"texts\": {\"anyone\": \"wszyscy\"}}");
    scratch_write("texts/tr.json", "{");
    OK(loads("texts", "en", false, &all, &err));
    assert_null(texts_find(&all, STR("eo")));
    assert_null(texts_find(&all, STR("tr")));
    assert_true(str_is(texts_find(&all, STR("pl"))->title, STR("Polski")));
    says(texts_find(&all, STR("ru")), T_ANYONE, 0, "wszyscy");
    OK(loads("texts", "eo", false, &all, &err)); /* the daemon's own language: English */
    assert_true(str_is(all.at[0]->language, STR("en")));
    assert_false(loads("texts", "en", true, &all, &err));
    assert_non_null(strstr(err.text, ".json: "));
    remove(scratch_file("texts/pl.json").p);
    remove(scratch_file("texts/tr.json").p);
    assert_false(loads("texts", "en", true, &all, &err));
    assert_non_null(strstr(err.text, "eo.json: texts.ping: expected a placeholder of ("));
}
