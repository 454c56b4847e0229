/* See texts.h. A catalogue is read part by part, each a tree of its own: what is typed when a word
 * is looked up in that language, the rest when somebody reads it, but each sentence when it is made
 * for the first time. Reading goes on over what is wrong and notes it.
 *
 * **bold** and `code` become marks here, once; a name that is filled in later cannot bring marks
 * along. */
#include "texts.h"

#include "adapter.h"
#include "character.h"
#include "command.h"
#include "embedded.h"
#include "file.h"
#include "json.h"
#include "keyword.h"
#include "log.h"
#include "rules_field.h"
#include "rules_option.h"
#include "texts_style.h"
#include "utf8.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>

enum { CATALOGUE_MAX = 1024 * 1024, FOUND_BYTES = 256 * 1024, BUTTON_CHARS = 24 };

struct texts_reading {
    struct arena *a;
    struct texts *t;           /* language and english are known */
    const char *where;         /* the part being read, put before what is found: "words.sensei." */
    struct texts_found *found; /* NULL: nothing is looked for */
};

enum severity { FAULT, WARNING };

__attribute__((format(printf, 3, 4))) static void note(const struct texts_reading *r,
                                                       enum severity what, const char *format, ...)
{
    char line[sizeof(struct err)];
    va_list args;
    if (!r->found)
        return;
    struct texts_lines *to = what == FAULT ? &r->found->faults : &r->found->warnings;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    buf_print(&to->text, "%s%s\n", r->where, line);
    to->n++;
}

/* ---- values ---- */

/* NULL if not found; or no object, which is a fault. */
static struct json read_object(const struct texts_reading *r, struct json parent, const char *name)
{
    struct json v = json_at(parent, name);
    if (!v.at || json_kind(v) == JSON_OBJECT)
        return v;
    note(r, FAULT, "%s: expected an object", name);
    return (struct json){v.text, NULL};
}

/* Reads a string; NULL for another kind of value, which is a fault. */
static struct str read_str(const struct texts_reading *r, struct json v, const char *name)
{
    if (json_kind(v) == JSON_STRING)
        return arena_str(r->a, json_str(v, NULL));
    note(r, FAULT, "%s: expected a string, got %.48s", name, json_print(r->a, v).p);
    return (struct str){0};
}

/* A word of an object, if it has that name. `needed`: else it is lacking. */
static void read_word(const struct texts_reading *r, struct json object, const char *name,
                      bool needed, struct str *ret)
{
    struct json v = json_at(object, name);
    if (!v.at && needed)
        note(r, WARNING, "%s: missing", name);
    if (!v.at)
        return;
    *ret = read_str(r, v, name);
    if (ret->p && ret->n == 0)
        note(r, FAULT, "%s: expected a word, got \"\"", name);
}

/* A list of words, least to most of them. */
static void read_list(const struct texts_reading *r, struct json list, const char *name, int least,
                      int most, struct str *ret)
{
    int n = json_kind(list) == JSON_LIST ? json_count(list) : -1;
    if (n < least || n > most) {
        note(r, FAULT,
             least == most ? "%s: expected a list of %d words"
                           : "%s: expected a list of %d to %d words",
             name, least, most);
        return;
    }
    for (struct json m = json_first(list); m.at; m = json_next(m), ret++) {
        *ret = read_str(r, m, name);
        if (ret->p && ret->n == 0)
            note(r, FAULT, "%s: expected a word, got \"\"", name);
    }
}

/* What may be typed, folded. */
static void read_aliases(const struct texts_reading *r, struct json list, const char *name,
                         struct str ret[MAX_ALIASES])
{
    read_list(r, list, name, 1, MAX_ALIASES, ret);
    for (int i = 0; i < MAX_ALIASES && ret[i].n > 0; i++)
        ret[i] = text_fold(r->a, ret[i]);
}

/* The members of an object have some of these names. */
static void check_names(const struct texts_reading *r, struct json object, int n,
                        const char *const names[], const char *what)
{
    for (struct json m = json_first(object); r->found && m.at; m = json_next(m)) {
        int i = 0;
        while (i < n && !(names[i] && str_is(json_name(m), str_of(names[i]))))
            i++;
        if (i == n)
            note(r, FAULT, "%.*s: unknown %s", STR_ARG(json_name(m)), what);
    }
}
#define CHECK_NAMES(r, object, names, what)                                                        \
    check_names(r, object, sizeof(names) / sizeof *(names), names, what)

/* ---- sentences ---- */

/* Returns false if a mark has no end. */
static bool put_marks(struct arena *a, struct str s, struct str *ret)
{
    struct buf b = {arena_room(a, s.n + 1), 0, s.n, false};
    bool bold = false, code = false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '*' && i + 1 < s.n && s.p[i + 1] == '*') {
            buf_char(&b, bold ? MARK_END : MARK_BOLD);
            bold = !bold;
            i++;
        } else if (s.p[i] == '`') {
            buf_char(&b, code ? MARK_END : MARK_CODE);
            code = !code;
        } else {
            buf_char(&b, s.p[i]);
        }
    }
    b.p[b.n] = '\0';
    *ret = buf_str(&b);
    return !bold && !code;
}

/* The place of a placeholder among those of the sentence; -1 if it has none of that name. */
static int place_of(struct str name, enum text key)
{
    struct str rest = str_of(text_args(key));
    int i = 0;
    for (struct str arg = str_word(&rest); arg.n > 0; arg = str_word(&rest), i++)
        if (str_is(arg, name))
            return i;
    return -1;
}

/* Each {word} must be a placeholder of the sentence, and is noted as used. A button is short
 * without them. */
static void check_pattern(const struct texts_reading *r, struct str pattern, enum text key,
                          unsigned *used)
{
    const char *name = text_name(key), *end = pattern.p + pattern.n;
    size_t own = 0;
    for (struct str rest = pattern; rest.n > 0;) {
        struct str before = str_cut(rest, '{', &rest);
        own += utf8_count(before, false);
        if (before.p + before.n == end)
            break;
        struct str inner = str_cut(rest, '}', &rest);
        int place = place_of(inner, key);
        if (inner.p + inner.n == end)
            note(r, FAULT, "%s: expected a } behind {", name);
        else if (place < 0)
            note(r, FAULT, "%s: expected a placeholder of (%s), got {%.*s}", name, text_args(key),
                 STR_ARG(inner));
        else
            *used |= 1u << place;
    }
    if (str_starts(str_of(name), STR("button_")) && own > BUTTON_CHARS)
        note(r, FAULT, "%s: expected at most %d characters on a button, got %zu", name,
             BUTTON_CHARS, own);
}

static void read_pattern(const struct texts_reading *r, struct json v, enum text key,
                         struct str *ret, unsigned *used)
{
    struct str s = read_str(r, v, text_name(key));
    if (!s.p)
        return;
    if (r->found)
        check_pattern(r, s, key, used);
    if (!put_marks(r->a, s, ret))
        note(r, FAULT, "%s: expected ** and ` in pairs", text_name(key));
}

static void read_forms(const struct texts_reading *r, struct json v, enum text key, unsigned *used)
{
    const char *name = text_name(key);
    if (json_kind(v) != JSON_OBJECT) {
        note(r, FAULT, "%s: expected an object of plural forms", name);
        return;
    }
    for (int p = 0; p < N_PLURALS; p++) {
        struct json form = json_at(v, plural_names[p]);
        bool needed = plural_set(r->t->language) >> p & 1;
        if (!form.at && needed)
            note(r, FAULT, "%s: the form \"%s\" is missing", name, plural_names[p]);
        if (form.at && !needed)
            note(r, FAULT, "%s: the language has no form \"%s\"", name, plural_names[p]);
        if (form.at)
            read_pattern(r, form, key, &r->t->text[key][p], used);
    }
    CHECK_NAMES(r, v, plural_names, "plural form");
}

static void read_sentence(const struct texts_reading *r, struct json v, enum text key)
{
    int faults = r->found ? r->found->faults.n : 0, place = 0;
    unsigned used = 0;
    if (text_is_plural(key))
        read_forms(r, v, key, &used);
    else
        read_pattern(r, v, key, &r->t->text[key][PLURAL_OTHER], &used);
    if (!r->found || r->found->faults.n > faults) /* a placeholder may lack for that reason */
        return;
    struct str rest = str_of(text_args(key));
    for (struct str arg = str_word(&rest); arg.n > 0; arg = str_word(&rest), place++)
        if (!(used >> place & 1))
            note(r, FAULT, "%s: expected the placeholder {%.*s}", text_name(key), STR_ARG(arg));
}

/* The value of some JSON, open until json_free(). */
static struct json open_value(struct arena *a, struct str raw)
{
    return json_at(json_open(arena_print(a, "{\"is\": %.*s}", STR_ARG(raw)), JSON_LOOSE), "is");
}

static void read_written(const struct texts_reading *r, enum text key)
{
    struct json v = open_value(r->a, r->t->written[key]);
    read_sentence(r, v, key);
    r->t->written[key] = (struct str){0};
    json_free(v);
}

static void read_text(struct texts *t, enum text key)
{
    read_written(&(struct texts_reading){t->arena, t, "", NULL}, key);
}

struct sentence_place {
    const struct texts_reading *r;
    int next;
};

static bool find_sentence(void *arg, struct str name, struct str raw)
{
    struct sentence_place *f = arg;
    int left = N_TEXTS; /* mostly the next one is the next in English, too */
    for (; left > 0 && !str_is(name, str_of(text_name((enum text)(f->next % N_TEXTS)))); left--)
        f->next++;
    if (left == 0)
        note(f->r, FAULT, "%.*s: unknown sentence", STR_ARG(name));
    else
        f->r->t->written[f->next++ % N_TEXTS] = raw;
    return true;
}

static void find_sentences(struct texts_reading *r, struct str raw)
{
    struct sentence_place f = {r, 0};
    r->t->text = arena_alloc_array(r->a, sizeof *r->t->text, N_TEXTS);
    r->t->written = arena_array(r->a, struct str, N_TEXTS);
    r->t->read_text = read_text;
    json_members(raw, find_sentence, &f);
    for (int k = 0; r->found && k < N_TEXTS; k++)
        if (r->t->written[k].n > 0)
            read_written(r, (enum text)k);
        else
            note(r, WARNING, "%s: missing", text_name((enum text)k));
}

/* ---- words of rule sets ---- */

/* The words of an object by card: by its code, else by its kind; else *ret stays. */
static void read_card_word(const struct texts_reading *r, struct json object, int card,
                           struct str *ret)
{
    char code[CARD_CODE_SIZE];
    card_code(card, code);
    read_word(r, object, word_names[WORD_BRIGHT + card_kind(card)], false, ret);
    read_word(r, object, code, false, ret);
}

/* How each card is called with its month, alone (in lists) and as what somebody plays or takes. A
 * word that has no form of its own for that place is the plain one. */
static void name_cards(const struct texts_reading *r, struct json v, struct words *w)
{
    const struct json names = read_object(r, v, "names"), beside = read_object(r, v, "beside"),
                      taken = read_object(r, v, "taken");
    struct str month[N_MONTHS], month_taken[N_MONTHS], pattern[] = {STR("{plant} {card}"), {0}};
    memcpy(month, w->month, sizeof month);
    if (json_at(v, "months_beside").at)
        read_list(r, json_at(v, "months_beside"), "months_beside", N_MONTHS, N_MONTHS, month);
    memcpy(month_taken, month, sizeof month);
    if (json_at(v, "months_taken").at)
        read_list(r, json_at(v, "months_taken"), "months_taken", N_MONTHS, N_MONTHS, month_taken);
    read_word(r, names, "card", false, &pattern[false]);
    pattern[true] = pattern[false];
    read_word(r, names, "plain", false, &pattern[true]);
    for (int c = 0; c < N_CARDS; c++) {
        const struct str how = pattern[card_kind(c) == CARD_PLAIN];
        struct str args[] = {month[card_month(c)], w->card[c]};
        read_card_word(r, beside, c, &args[1]);
        w->named[c] = text_fill(r->a, how, "plant card", args, 2);
        args[0] = month_taken[card_month(c)];
        read_card_word(r, taken, c, &args[1]);
        w->taken[c] = text_fill(r->a, how, "plant card", args, 2);
    }
}

static void read_synonyms(const struct texts_reading *r, struct json also, struct words *w)
{
    struct rule_word *list = arena_array(r->a, struct rule_word, json_count(also));
    w->n_also = 0;
    for (struct json m = json_first(also); m.at; m = json_next(m)) {
        struct str typed = text_fold(r->a, json_name(m)), shown = {0};
        read_word(r, also, arena_str(r->a, json_name(m)).p, false, &shown);
        list[w->n_also++] = (struct rule_word){typed, text_fold(r->a, shown)};
    }
    w->also = list;
}

/* A set of words, which has those of another already: of the standard one, or of English. */
static void read_set(const struct texts_reading *r, struct json v, struct words *w)
{
    static const char *const fields[] = {"months",    "months_beside", "months_taken", "names",
                                         "cards",     "beside",        "taken",        "yaku",
                                         "hand_yaku", "words",         "coins",        "also"};
    const bool needed = w == &r->t->words[0];
    const struct json months = json_at(v, "months"), cards = read_object(r, v, "cards"),
                      yaku = read_object(r, v, "yaku"), hands = read_object(r, v, "hand_yaku"),
                      words = read_object(r, v, "words"), coins = read_object(r, v, "coins"),
                      also = read_object(r, v, "also");
    const unsigned forms = coins.at ? plural_set(r->t->language) : 0;
    char code[CARD_CODE_SIZE];
    CHECK_NAMES(r, v, fields, "field");
    if (months.at)
        read_list(r, months, "months", N_MONTHS, N_MONTHS, w->month);
    else if (needed)
        note(r, WARNING, "months: missing");
    for (int c = 0; c < N_CARDS; c++) {
        card_code(c, code);
        read_word(r, cards, code, needed, &w->card[c]);
    }
    if (needed || months.at || cards.at)
        name_cards(r, v, w);
    for (int y = 0; y < N_YAKU; y++)
        read_word(r, yaku, yaku_key((enum yaku)y), needed, &w->yaku[y]);
    for (int h = 1; h < N_HAND_YAKU; h++)
        read_word(r, hands, hand_yaku_key((enum hand_yaku)h), needed, &w->hand_yaku[h]);
    for (int k = 0; k < N_WORDS; k++)
        read_word(r, words, word_names[k], needed, &w->word[k]);
    if (also.at)
        read_synonyms(r, also, w);
    if (needed && !coins.at)
        note(r, WARNING, "coins: missing");
    for (int p = 0; p < N_PLURALS; p++) { /* all forms of the language, or none */
        if (coins.at)
            w->coins[p] = (struct str){0};
        if (forms >> p & 1)
            read_word(r, coins, plural_names[p], false, &w->coins[p]);
        bool numbered = w->coins[p].n > 0 && memmem(w->coins[p].p, w->coins[p].n, "{n}", 3) != NULL;
        if (forms >> p & 1 && !numbered)
            note(r, FAULT, "coins.%s: expected the placeholder {n}", plural_names[p]);
    }
}

static void read_words(struct texts_reading *r, struct json words)
{
    struct texts *t = r->t;
    t->words[0].name = STR("standard");
    if (t->english) { /* its coins in each form, also those that English does not have */
        t->n_words = t->english->n_words;
        memcpy(t->words, t->english->words, sizeof t->words);
    }
    for (int i = 0; t->english && i < t->n_words; i++)
        for (int p = 0; p < N_PLURALS; p++)
            if (t->words[i].coins[p].n == 0)
                t->words[i].coins[p] = t->words[i].coins[PLURAL_OTHER];
    if (!words.at)
        return;
    struct json standard = read_object(r, words, "standard");
    r->where = "words.standard.";
    read_set(r, standard, &t->words[0]);
    t->n_words = 1;
    for (struct json v = json_first(words); v.at; v = json_next(v)) {
        if (str_is(json_name(v), STR("standard")))
            continue;
        r->where = "words.";
        if (t->n_words == MAX_WORDS) {
            note(r, FAULT, "expected at most %d sets, got more", MAX_WORDS);
            return;
        }
        struct words *w = &t->words[t->n_words++];
        *w = t->words[0];
        w->name = arena_str(r->a, json_name(v));
        struct json set = read_object(r, words, w->name.p);
        r->where = arena_print(r->a, "words.%s.", w->name.p).p;
        read_set(r, set, w);
    }
}

/* ---- what is typed ---- */

static void read_characters(struct texts_reading *r, struct json names)
{
    for (int c = 1; c < N_CHARACTERS; c++) {
        if (r->t->english)
            r->t->character[c] = r->t->english->character[c];
        read_word(r, names, characters[c].key, true, &r->t->character[c]);
    }
}

static void read_command(const struct texts_reading *r, struct json row, enum verb v)
{
    static const char *const fields[] = {"names", "brief", "about", "examples"};
    struct texts *t = r->t;
    struct json names = json_at(row, "names"), examples = json_at(row, "examples");
    CHECK_NAMES(r, row, fields, "field");
    if (names.at)
        read_aliases(r, names, "names", t->alias[v]);
    else
        note(r, WARNING, "names: missing");
    read_word(r, row, "brief", true, &t->brief[v]);
    size_t n = utf8_count(t->brief[v], false);
    if (n > BRIEF_CHARS)
        note(r, FAULT, "brief: expected 1 to %d characters, got \"%.*s\"", BRIEF_CHARS,
             STR_ARG(t->brief[v]));
    if (json_at(row, "about").at)
        t->about[v] = read_str(r, json_at(row, "about"), "about");
    if (examples.at)
        read_list(r, examples, "examples", 0, MAX_EXAMPLES, t->example[v]);
}

/* No word belongs to two commands. */
static void check_own_words(const struct texts_reading *r)
{
    const struct texts *all[] = {r->t};
    for (int v = 1; v < N_COMMANDS; v++)
        for (int i = 0; i < MAX_ALIASES && r->t->alias[v][i].n > 0; i++)
            if (command_find(all, 1, true, r->t->alias[v][i]) != (enum verb)v)
                note(r, FAULT, "%s: expected words of its own, got \"%.*s\" of another command",
                     commands[v].name, STR_ARG(r->t->alias[v][i]));
}

static void read_commands(struct texts_reading *r, struct json object)
{
    const char *names[N_COMMANDS] = {NULL};
    struct texts *t = r->t;
    for (int v = 1; v < N_COMMANDS; v++) {
        struct json row = read_object(r, object, names[v] = commands[v].name);
        if (t->english)
            t->brief[v] = t->english->brief[v];
        if (row.at) {
            r->where = arena_print(r->a, "commands.%s.", commands[v].name).p;
            read_command(r, row, (enum verb)v);
            r->where = "commands.";
            continue;
        }
        note(r, WARNING, "%s: missing", commands[v].name);
        if (t->english) {
            t->about[v] = t->english->about[v];
            memcpy(t->example[v], t->english->example[v], sizeof t->example[v]);
        }
    }
    CHECK_NAMES(r, object, names, "command");
    command_index(t);
    if (r->found)
        check_own_words(r);
}

static void read_options(struct texts_reading *r, struct json object)
{
    for (int o = 1; o < N_KEYWORDS; o++) {
        struct json list = json_at(object, keyword_names[o]);
        if (list.at)
            read_aliases(r, list, keyword_names[o], r->t->option[o]);
        else
            note(r, WARNING, "%s: missing", keyword_names[o]);
    }
}

enum { RULE_NAMES = 2 * MAX_RULES_FIELDS };

/* Names and values of rule options, once each: those that English has words for already, or all. */
static int rule_names(const struct texts *english, const char *ret[RULE_NAMES])
{
    const char *name;
    int n = 0;
    for (; english && n < english->n_rule_words; n++)
        ret[n] = english->rule_word[n].key.p;
    for (int i = 0; !english && (name = rules_option_word(i)) != NULL; i++) {
        int same = 0;
        while (same < n && strcmp(ret[same], name) != 0)
            same++;
        assert(same < RULE_NAMES);
        ret[same] = name;
        n += same == n;
    }
    return n;
}

/* Words of rule options; without any, the English names and values are shown. */
static void read_rules(struct texts_reading *r, struct json object)
{
    const char *names[RULE_NAMES] = {NULL};
    struct rule_word *words = arena_array(r->a, struct rule_word, RULE_NAMES);
    int n_names = rule_names(r->t->english, names), n = 0;
    while (n < n_names) {
        const char *name = names[n];
        struct rule_word w = {str_of(name), {0}};
        read_word(r, object, name, !str_is(r->t->language, STR("en")), &w.word);
        for (int k = 0; r->found && w.word.n > 0 && k < n; k++)
            if (str_is(words[k].word, w.word))
                note(r, FAULT, "%s: expected a word of its own, got that of %s", name, names[k]);
        if (r->found && w.word.n > 0 &&
            (memchr(w.word.p, ' ', w.word.n) || memchr(w.word.p, '=', w.word.n) ||
             !str_is(text_fold(r->a, w.word), w.word)))
            note(r, FAULT, "%s: expected one word in small letters, got \"%.*s\"", name,
                 STR_ARG(w.word));
        words[n++] = w;
    }
    r->t->rule_word = words;
    r->t->n_rule_words = n;
    CHECK_NAMES(r, object, names, "rule option or value");
}

/* ---- whole catalogues ---- */

static const struct {
    const char *name;
    bool typed; /* in any language, so it is read by itself */
    void (*read)(struct texts_reading *r, struct json part);
    void (*find)(struct texts_reading *r, struct str raw); /* the members, to be read later */
} parts[] = {
    {"characters", true, read_characters, NULL}, {"options", true, read_options, NULL},
    {"rules", true, read_rules, NULL},           {"commands", true, read_commands, NULL},
    {"texts", false, NULL, find_sentences},      {"words", false, read_words, NULL},
};

/* Those that may be typed in any language, the rest, or both in one pass. */
static void read_parts(struct texts_reading *r, struct str bytes, bool typed, bool rest)
{
    enum { N_PARTS = sizeof parts / sizeof *parts };
    const char *names[N_PARTS] = {NULL};
    struct str raw[N_PARTS];
    int of[N_PARTS] = {0}, n = 0;
    for (int i = 0; i < N_PARTS; i++)
        if (parts[i].typed ? typed : rest) {
            names[n] = parts[i].name;
            raw[n] = STR("{}");
            of[n++] = i;
        }
    (void)json_raws(bytes, n, names, raw);
    for (int i = 0; i < n; i++) {
        struct json part = {0};
        if (parts[of[i]].read)
            part = json_open(raw[i], JSON_LOOSE);
        r->where = "";
        if (parts[of[i]].read ? !part.at : raw[i].p[0] != '{')
            note(r, FAULT, "%s: expected an object", names[i]);
        r->where = arena_print(r->a, "%s.", names[i]).p;
        if (parts[of[i]].read)
            parts[of[i]].read(r, part);
        else
            parts[of[i]].find(r, raw[i]);
        json_free(part);
    }
}

/* The value of "language" or "title". */
static struct str read_heading(const struct texts_reading *r, struct str bytes, const char *name)
{
    struct str raw;
    if (!json_raw(bytes, name, &raw)) {
        note(r, FAULT, "%s: missing", name);
        return STR("");
    }
    struct json v = open_value(r->a, raw);
    struct str s = read_str(r, v, name);
    json_free(v);
    return s;
}

static void read_rest(struct texts *t)
{
    read_parts(&(struct texts_reading){t->arena, t, "", NULL}, t->bytes, false, true);
    t->read = NULL;
}

static void read_typed(struct texts *t)
{
    read_parts(&(struct texts_reading){t->arena, t, "", NULL}, t->bytes, true, false);
    t->typed = true;
    t->read = read_rest;
}

/* Reads what it is called; `english` is NULL for English itself. */
static struct texts *open_catalogue(struct str bytes, const struct texts *english, struct arena *a,
                                    struct texts_found *found)
{
    struct texts *t = arena_new(a, struct texts);
    struct texts_reading r = {a, t, "", found};
    t->english = english;
    t->language = read_heading(&r, bytes, "language");
    t->title = read_heading(&r, bytes, "title");
    t->read = read_typed;
    t->unread = t;
    t->arena = a;
    t->bytes = bytes;
    return t;
}

static struct texts *open_english(struct arena *a)
{
    struct texts *t = open_catalogue(embedded_find(STR("texts/en.json")), NULL, a, NULL);
    read_parts(&(struct texts_reading){a, t, "", NULL}, t->bytes, true, true);
    t->typed = true;
    t->read = NULL;
    return t;
}

static void note_style(void *to, const char *where, const char *what, struct str found)
{
    struct texts_reading r = {NULL, NULL, "", to};
    note(&r, FAULT, "%s: %s \"%.*s\"", where, what, STR_ARG(utf8_cut(found, 60, false)));
}

static struct texts *check_catalogue(struct str bytes, const struct texts *english, struct arena *a,
                                     struct texts_found *ret)
{
    static const char *const members[] = {"language",   "title",    "style",     "glossary",
                                          "characters", "commands", "options",   "rules",
                                          "texts",      "words",    "arguments", NULL};
    struct texts *t = arena_new(a, struct texts);
    struct err err;
    struct buf faults = {arena_room(a, FOUND_BYTES), 0, FOUND_BYTES, false};
    struct buf warnings = {arena_room(a, FOUND_BYTES), 0, FOUND_BYTES, false};
    *ret = (struct texts_found){{faults, 0}, {warnings, 0}};
    struct json v = json_open(bytes, JSON_FILE);
    json_allow(v, members);
    if (json_close(v, &err)) {
        t = open_catalogue(bytes, english, a, ret);
        struct texts_reading r = {a, t, "", ret};
        t->read = NULL;
        read_parts(&r, bytes, true, true);
        texts_style_check(bytes, t, note_style, ret);
    } else {
        note(&(struct texts_reading){a, t, "", ret}, FAULT, "%s", err.text);
    }
    return t;
}

const struct texts *texts_check(struct str bytes, struct arena *a, struct texts_found *ret)
{
    return check_catalogue(bytes, open_english(a), a, ret);
}

/* all->n if it has no such language. */
static int place_in(const struct languages *all, struct str language)
{
    int i = 0;
    while (i < all->n && !str_is(all->at[i]->language, language))
        i++;
    return i;
}

/* In the place of the same language, or behind all others. */
static bool put(struct languages *all, struct texts *t, struct err *err)
{
    int i = place_in(all, t->language);
    if (i == MAX_LANGUAGES)
        return err_set(err, "expected at most %d languages, got more", MAX_LANGUAGES);
    all->at[i] = t;
    all->n += i == all->n;
    return true;
}

static bool load_file(const char *path, const struct texts *english, struct arena *process,
                      struct languages *all, struct err *err)
{
    struct texts_found found;
    struct str bytes, rest;
    if (!file_read(path, CATALOGUE_MAX, &bytes, err))
        return false;
    struct texts *t = check_catalogue(bytes, english, process, &found);
    file_free(bytes);
    if (found.faults.n == 0)
        return put(all, t, err) || err_wrap(err, "%s", path);
    return err_set(err, "%s: %.*s", path,
                   STR_ARG(str_cut(buf_str(&found.faults.text), '\n', &rest)));
}

/* *ret_left: some file was left out. */
static bool load_folder(struct str folder, const struct texts *english, bool strict,
                        struct arena *process, struct languages *all, bool *ret_left,
                        struct err *err)
{
    const char *path = arena_str(process, folder).p;
    DIR *dir = opendir(path);
    bool good = true;
    if (!dir)
        return err_set(err, "texts: cannot read the folder %s", path);
    for (struct dirent *e; good && (e = readdir(dir));) {
        struct str name = str_of(e->d_name);
        if (name.n < 6 || strcmp(name.p + name.n - 5, ".json") != 0)
            continue;
        const char *file = arena_print(process, "%s/%s", path, e->d_name).p;
        good = load_file(file, english, process, all, err);
        if (!good && !strict) {
            log_line(LOG_WARN, "texts_left_out", "why", err->text, NULL);
            *ret_left = good = true;
        }
    }
    closedir(dir);
    return good;
}

bool texts_load(struct str folder, struct str fallback, bool strict, struct arena *process,
                struct languages *ret, struct err *err)
{
    struct texts *english = open_english(process);
    struct languages all = {0};
    bool left = false;
    for (int i = 0; i < embedded_count(); i++) {
        struct embedded e = embedded_at(i);
        bool other = !str_is(str_of(e.name), STR("texts/en.json"));
        if (str_starts(str_of(e.name), STR("texts/")) &&
            !put(&all, other ? open_catalogue(e.bytes, english, process, NULL) : english, err))
            return false;
    }
    if (folder.n > 0 && !load_folder(folder, english, strict, process, &all, &left, err))
        return false;
    int first = place_in(&all, fallback);
    if (first == all.n && left) /* it may have been that one */
        first = place_in(&all, STR("en"));
    if (first == all.n)
        return err_set(err, "texts: no catalogue of the language \"%.*s\"", STR_ARG(fallback));
    struct texts *t = all.at[first];
    all.at[first] = all.at[0];
    all.at[0] = t;
    *ret = all;
    return true;
}
