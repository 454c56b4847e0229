/* Every kind of fault of style is found in every language it applies to: each entry of a language's
 * own lists (signs, refused words, genders, options) is planted once, in a sentence of its own. */
#include "engine/stride.h"
#include "engine/test.h"

#include "embedded.h"
#include "texts.h"
#include "utf8.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLANTS = 2048 };

static const char *const languages[] = {"de", "en", "es", "fr", "ja", "pl", "pt", "ru", "zh"};

enum hole { PLAIN, NAME, CARD, N_HOLES };
static const char *const needs[N_HOLES] = {"", "{name}", "{card}"};

static struct plant {
    enum hole hole;
    const char *words, *found;
} plants[MAX_PLANTS];
static int n_plants;
static struct arena *arena, *words;

FIXTURE(open_arenas)
{
    arena = arena_open((size_t)1 << 28);
    words = arena_open((size_t)1 << 24);
    return 0;
}

FIXTURE(close_arenas)
{
    arena_close(arena);
    arena_close(words);
    return 0;
}

static cJSON *catalogue(const char *language)
{
    struct str bytes = embedded_find(arena_print(words, "texts/%s.json", language));
    return cJSON_ParseWithLength(bytes.p, bytes.n);
}

static const cJSON *at(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *string_at(const cJSON *object, const char *name)
{
    const char *s = cJSON_GetStringValue(at(object, name));
    return s ? s : "";
}

static struct str check(const cJSON *tree)
{
    struct texts_found found;
    char *bytes = cJSON_PrintUnformatted(tree);
    arena_reset(arena);
    (void)texts_check(str_of(bytes), arena, &found);
    free(bytes);
    return buf_str(&found.faults.text);
}

__attribute__((format(printf, 3, 4))) static void plant(enum hole hole, const char *found,
                                                        const char *format, ...)
{
    char s[256];
    va_list args;
    va_start(args, format);
    vsnprintf(s, sizeof s, format, args);
    va_end(args);
    assert_true(n_plants < MAX_PLANTS);
    plants[n_plants++] = (struct plant){hole, arena_print(words, "%s", s).p, found};
}

/* A sentence that may be replaced by a planted one of that hole. */
static bool takes(const cJSON *text, enum hole hole)
{
    const char *s = cJSON_GetStringValue(text);
    return s && strncmp(text->string, "button_", 7) != 0 &&
           (hole == PLAIN ? !strchr(s, '{') : strstr(s, needs[hole]) != NULL);
}

/* A line that begins so and has what is found. */
static bool is_found(struct str lines, const char *begin, const char *found)
{
    struct str head = str_of(begin);
    while (lines.n > 0) {
        struct str line = str_cut(lines, '\n', &lines);
        if (str_starts(line, head) && memmem(line.p, line.n, found, strlen(found)))
            return true;
    }
    return false;
}

static const char *place_of(const char *key)
{
    return arena_print(words, "texts.%s: ", key).p;
}

/* Plants all, as many at once as there are sentences for them, and lists the faults that were missed. */
static void expect_all_found(const char *language)
{
    int missed = 0;
    for (int hole = 0; hole < N_HOLES; hole++)
        for (int next = 0; next < n_plants;) {
            cJSON *tree = catalogue(language);
            const cJSON *texts = at(tree, "texts");
            const char *keys[MAX_PLANTS];
            int from = next;
            memset(keys, 0, sizeof keys);
            for (cJSON *text = texts->child; text && next < n_plants; text = text->next) {
                while (next < n_plants && plants[next].hole != (enum hole)hole)
                    next++;
                if (next < n_plants && takes(text, (enum hole)hole)) {
                    keys[next] = text->string;
                    cJSON_SetValuestring(text, plants[next++].words);
                }
            }
            struct str lines = check(tree);
            for (int i = from; i < next; i++)
                if (keys[i] && !is_found(lines, place_of(keys[i]), plants[i].found)) {
                    print_message("%s: \"%s\" (%s): wanted \"%s\"\n", language, plants[i].words,
                                  keys[i], plants[i].found);
                    missed++;
                }
            cJSON_Delete(tree);
        }

    assert_int_equal(missed, 0);
    n_plants = 0;
}

/* Calls it with each word of a list between blanks. */
static void each_word(const char *list, void (*call)(struct str word, void *with), void *with)
{
    struct str rest = str_of(list);
    for (struct str word = str_word(&rest); word.n > 0; word = str_word(&rest))
        call(word, with);
}

/* ---- what is planted ---- */

static bool among(const char *set, const char *sign)
{
    return strstr(set, sign) != NULL;
}

static void plant_signs(const cJSON *style)
{
    static const char *const quotes[] = {"\"", "'", "“", "”", "„",  "‟",  "‘",  "’", "‚",
                                         "«",  "»", "‹", "›", "「", "」", "『", "』"};
    static const char *const dashes[] = {"-", "–", "—"}, *const ends[] = {"!", "?", ";", ":"};
    static const char *const percents[] = {"%", " %", "\u00A0%", "\u202F%", "  %"};
    const char *tight = string_at(style, "tight"), *before = string_at(style, "before");
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++)
        if (!among(string_at(style, "quotes"), quotes[i]))
            plant(PLAIN, "a foreign quote or apostrophe", "x%sx", quotes[i]);
    for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++)
        if (string_at(style, "dash")[0] == '\0' || !among(string_at(style, "dash"), dashes[i]))
            plant(PLAIN, "a foreign dash", "x %s x", dashes[i]);
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++)
        if (strcmp(string_at(style, "percent"), percents[i]) != 0)
            plant(PLAIN, "expected percents as in", "47%s", percents[i]);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        plant(PLAIN, before[0] != '\0' ? "a narrow blank before" : "a blank before", "xx %s",
              ends[i]);
        if (before[0] != '\0')
            plant(PLAIN, "a narrow blank before", "xx%s", ends[i]);
    }
    plant(PLAIN, "two blanks before", "xx  xx");
    plant(PLAIN, "two blanks before", "xx.  xx");
    for (struct str rest = str_of(tight); rest.n > 0;) {
        struct str sign = rest;
        (void)utf8_next(&rest);
        sign.n -= rest.n;
        plant(PLAIN, "a blank beside", "札%.*s 札", STR_ARG(sign));
        plant(PLAIN, "a blank beside", "札 %.*s札", STR_ARG(sign));
    }
}

static void plant_glossary(const cJSON *glossary)
{
    for (const cJSON *row = glossary->child; row; row = row->next)
        for (const cJSON *m = row->child ? row->child->next : NULL; m; m = m->next) {
            struct str word = str_of(m->valuestring);
            bool head = word.p[0] == '-', tail = word.p[word.n - 1] == '-';
            plant(PLAIN, "a second word", "(%s%.*s%s)", head ? "x" : "", (int)word.n - head - tail,
                  word.p + head, tail ? "x" : "");
        }
}

static void plant_before(struct str word, void *with)
{
    (void)with;
    plant(NAME, "declined behind", "%.*s {name}", STR_ARG(word));
}

static void plant_after(struct str word, void *with)
{
    (void)with;
    bool end = word.p[0] == '-';
    plant(NAME, "a gender behind a name", "{name} %s%.*s", end ? "x" : "", (int)word.n - end,
          word.p + end);
}

/* Each noun beside an adjective of another gender, and the other way round. */
struct gender {
    const char *other;
    bool nouns;
};

static void plant_gender(struct str word, void *with)
{
    const struct gender *g = with;
    struct str rest = str_of(g->other), other = str_word(&rest);
    if (g->nouns) /* an adjective stands on either side */
        plant(CARD, "two genders in", "{card}: %.*s %.*s", STR_ARG(other), STR_ARG(word));
    else
        plant(CARD, "two genders in", "{card}: %.*s %.*s", STR_ARG(word), STR_ARG(other));
    plant(CARD, "two genders in", g->nouns ? "{card}: %.*s %.*s" : "{card}. %.*s %.*s",
          STR_ARG(g->nouns ? word : other), STR_ARG(g->nouns ? other : word));
}

/* Beside the cards themselves: some card is of another gender. */
static void plant_beside_cards(struct str word, void *with)
{
    (void)with;
    plant(CARD, "two genders in", "{card} %.*s", STR_ARG(word));
    plant(CARD, "two genders in", "%.*s {card}", STR_ARG(word));
}

static void plant_genders(const cJSON *genders)
{
    for (const cJSON *one = genders ? genders->child : NULL; one; one = one->next)
        for (const cJSON *other = genders->child; other; other = other->next)
            if (one != other) {
                each_word(string_at(one, "nouns"), plant_gender,
                          &(struct gender){string_at(other, "adjectives"), true});
                each_word(string_at(one, "adjectives"), plant_gender,
                          &(struct gender){string_at(other, "nouns"), false});
            }
    for (const cJSON *one = genders ? genders->child : NULL; one; one = one->next)
        each_word(string_at(one, "adjectives"), plant_beside_cards, NULL);
}

static bool has_name(const cJSON *list)
{
    for (const cJSON *m = list->child; m; m = m->next)
        if (strcmp(m->valuestring, list->string) == 0)
            return true;
    return cJSON_IsString(list) && strcmp(list->valuestring, list->string) == 0;
}

/* English names and values, where the language has others. */
static void plant_options(const cJSON *tree)
{
    const cJSON *option = at(at(tree, "options"), "rules"), *rule = at(tree, "rules");
    for (; option; option = option->next)
        if (!has_name(option)) {
            plant(PLAIN, "an English option", "(%s=7)", option->string);
            plant(PLAIN, "an English option", "(x=%s)", option->string);
        }
    for (rule = rule ? rule->child : NULL; rule; rule = rule->next)
        if (!has_name(rule)) {
            plant(PLAIN, "an English option", "(%s=7)", rule->string);
            plant(PLAIN, "an English option", "(x=%s)", rule->string);
        }
}

TEST_WITH(every_kind_of_fault_is_found_in_every_language, open_arenas, close_arenas)
{
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i += (size_t)stride(7, 1)) {
        cJSON *tree = catalogue(languages[i]);
        const cJSON *style = at(tree, "style");
        plant_signs(style);
        plant_glossary(at(tree, "glossary"));
        each_word(string_at(at(style, "names"), "before"), plant_before, NULL);
        each_word(string_at(at(style, "names"), "after"), plant_after, NULL);
        plant_genders(at(style, "genders"));
        if (strcmp(languages[i], "en") != 0)
            plant_options(tree);
        expect_all_found(languages[i]);
        cJSON_Delete(tree);
    }
}

/* ---- a catalogue that is still English ---- */

/* True if each word of a sentence may stand in the language: code, placeholders, loans. */
static bool may_stand(const char *sentence, const char *loans)
{
    char word[64];
    size_t n = 0;
    bool code = false, digits = false;
    for (const char *p = sentence;; p++) {
        code = *p == '{' || (*p == '`' ? !code : code && *p != '}');
        bool letter = !code && ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
                                (n > 0 && strchr("-'", *p) && *p));
        digits |= !code && *p >= '0' && *p <= '9';
        if (letter && n < sizeof word - 4) {
            word[1 + n++] = (char)(*p | (*p == '-' || *p == '\'' ? 0 : 0x20));
            continue;
        }
        word[0] = word[1 + n] = ' ';
        word[2 + n] = '\0';
        if (n > 2 && !digits && !strstr(arena_print(words, " %s ", loans).p, word))
            return false;
        n = 0;
        digits = false;
        if (*p == '\0')
            return true;
    }
}

TEST_WITH(a_sentence_left_in_english_is_found_in_every_language, open_arenas, close_arenas)
{
    cJSON *english = catalogue("en");
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i += (size_t)stride(7, 1)) {
        if (strcmp(languages[i], "en") == 0)
            continue;
        cJSON *own = catalogue(languages[i]);
        const char *loans = string_at(at(own, "style"), "loans");
        int missed = 0, planted = 0;
        for (const cJSON *e = at(english, "texts")->child; e;) {
            const cJSON *first = e;
            cJSON *tree = catalogue(languages[i]), *texts = cJSON_GetObjectItem(tree, "texts");
            for (int n = 0; n < 300 && e; n++, e = e->next) /* what is found has a bound */
                cJSON_ReplaceItemInObjectCaseSensitive(texts, e->string, cJSON_Duplicate(e, true));
            struct str lines = check(tree);
            for (; first != e; first = first->next) {
                const char *s = string_at(cJSON_IsObject(first) ? first : NULL, "other");
                s = cJSON_IsString(first) ? first->valuestring : s;
                if (may_stand(s, loans))
                    continue;
                planted++;
                if (!is_found(lines, place_of(first->string), "an English word")) {
                    print_message("%s: %s: \"%s\"\n", languages[i], first->string, s);
                    missed++;
                }
            }
            cJSON_Delete(tree);
        }
        assert_int_equal(missed, 0);
        assert_true(planted > 900);
        cJSON_Delete(own);
    }
    cJSON_Delete(english);
}

/* ---- places other than sentences ---- */

TEST_WITH(a_command_in_english_is_found_in_every_language, open_arenas, close_arenas)
{
    static const char *const members[] = {"brief", "about"};
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i += (size_t)stride(7, 1))
        for (size_t k = 0; k < 2 && strcmp(languages[i], "en") != 0; k++) {
            cJSON *tree = catalogue(languages[i]),
                  *hint = cJSON_GetObjectItem(cJSON_GetObjectItem(tree, "commands"), "hint");
            cJSON_ReplaceItemInObject(hint, members[k], cJSON_CreateString("Shows the rounds"));
            struct str lines = check(tree);
            assert_true(is_found(lines, "commands: ", "an English word \"shows\""));
            cJSON_Delete(tree);
        }
}

TEST_WITH(a_wide_button_a_strange_label_and_an_unused_word_are_found, open_arenas, close_arenas)
{
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i += (size_t)stride(7, 1)) {
        cJSON *tree = catalogue(languages[i]), *texts = cJSON_GetObjectItem(tree, "texts"),
              *row = cJSON_CreateStringArray((const char *[]){"qqq"}, 1);
        cJSON_ReplaceItemInObject(texts, "button_start", cJSON_CreateString("wwwwwwwwwwwwwwwwww"));
        cJSON_ReplaceItemInObject(texts, "set_rounds", cJSON_CreateString("xx"));
        cJSON_AddItemToObject(cJSON_GetObjectItem(tree, "glossary"), "giver", row);
        struct str lines = check(tree);
        assert_true(is_found(lines, place_of("button_start"), "a shorter label"));
        assert_true(is_found(lines, place_of("set_rounds"), "expected the option's word"));
        assert_true(is_found(lines, "glossary: ", "does not use \"qqq\""));
        cJSON_Delete(tree);
    }
}
