/* See texts.h. Words, commands and options of a catalogue, and the search for catalogues. */
#include "texts.h"

#include "command.h"
#include "keyword.h"
#include "embedded.h"
#include "file.h"
#include "sentences.h"
#include "utf8.h"

#include <dirent.h>

/* ---- words ---- */

static bool word_read(const struct texts_reading *r, const cJSON *object, const char *key,
                      struct str *ret)
{
    const cJSON *v = json_member(object, key);
    struct err why = {""};
    struct str s;
    if (!v)
        return ret->n > 0 || texts_fault(r, "%s: missing", key);
    if (!json_text(v, key, &s, &why))
        return texts_fault(r, "%s", why.text);
    *ret = arena_str(r->a, s);
    return s.n > 0 || texts_fault(r, "%s: expected a word, got \"\"", key);
}

/* The catalogue's fields of this object, and no other. */
static bool only(const struct texts_reading *r, const cJSON *object, const char *const keys[])
{
    struct err why = {""};
    return json_only(object, keys, &why) || texts_fault(r, "%s", why.text);
}

static bool coins_read(const struct texts_reading *of, const cJSON *v, struct words *w)
{
    struct texts_reading r = *of;
    r.where = arena_print(r.a, "%scoins.", of->where).p;
    unsigned set = plural_set(r.t->language);
    for (int p = 0; v && p < N_PLURALS; p++) {
        if (!(set >> p & 1))
            continue;
        w->coins[p] = (struct str){0};
        if (!word_read(&r, v, plural_names[p], &w->coins[p]))
            return false;
        if (w->coins[p].n > 0 && !sentences_have_placeholder(w->coins[p], STR("n")) &&
            !texts_fault(&r, "%s: expected the placeholder {n}", plural_names[p]))
            return false;
    }
    return true;
}

static bool months_read(const struct texts_reading *r, const cJSON *months, struct words *w)
{
    struct err why = {""};
    int n = cJSON_GetArraySize(months);
    if ((months || w->month[0].n == 0) && (!cJSON_IsArray(months) || n != N_MONTHS))
        return texts_fault(r, "months: expected a list of %d words", N_MONTHS);
    for (int m = 0; months && m < N_MONTHS; m++) {
        struct str s;
        if (!json_text(cJSON_GetArrayItem(months, m), "months", &s, &why) || s.n == 0)
            return texts_fault(r, "months: expected %d words, got fewer", N_MONTHS);
        w->month[m] = arena_str(r->a, s);
    }
    return true;
}

static bool set_read(const struct texts_reading *r, const cJSON *v, struct words *w)
{
    static const char *const keys[] = {"months", "cards", "yaku", "hand_yaku",
                                       "words",  "coins", NULL};
    char code[CARD_CODE_SIZE];
    if (!only(r, v, keys) || !months_read(r, json_member(v, "months"), w))
        return false;
    for (int c = 0; c < N_CARDS; c++) {
        card_code(c, code);
        if (!word_read(r, json_member(v, "cards"), code, &w->card[c]))
            return false;
    }
    for (int y = 0; y < N_YAKU; y++)
        if (!word_read(r, json_member(v, "yaku"), yaku_key((enum yaku)y), &w->yaku[y]))
            return false;
    for (int h = 1; h < N_HAND_YAKU; h++)
        if (!word_read(r, json_member(v, "hand_yaku"), hand_yaku_key((enum hand_yaku)h),
                       &w->hand_yaku[h]))
            return false;
    for (int k = 0; k < N_WORDS; k++)
        if (!word_read(r, json_member(v, "words"), word_names[k], &w->word[k]))
            return false;
    return coins_read(r, json_member(v, "coins"), w);
}

static bool words_read(const struct texts_reading *of, const cJSON *words)
{
    const cJSON *standard = json_member(words, "standard"), *v = NULL;
    struct texts_reading r = *of;
    struct texts *t = r.t;
    if (!standard || !json_member(standard, "coins"))
        return texts_fault(of, "words.standard: missing, or without coins");
    t->n_words = 1;
    t->words[0].name = STR("standard");
    r.where = "words.standard.";
    if (!set_read(&r, standard, &t->words[0]))
        return false;
    cJSON_ArrayForEach(v, words)
    {
        if (v == standard)
            continue;
        if (t->n_words == MAX_WORDS)
            return texts_fault(of, "words: expected at most %d sets, got more", MAX_WORDS);
        struct words *w = &t->words[t->n_words++];
        *w = t->words[0];
        w->name = arena_str(r.a, str_of(v->string));
        r.where = arena_print(r.a, "words.%s.", v->string).p;
        if (!set_read(&r, v, w))
            return false;
    }
    return true;
}

/* ---- commands ---- */

static bool aliases_read(const struct texts_reading *r, const cJSON *list, const char *key,
                         struct str ret[MAX_ALIASES])
{
    struct err why = {""};
    int n = cJSON_GetArraySize(list);
    if (!cJSON_IsArray(list) || n < 1 || n > MAX_ALIASES)
        return texts_fault(r, "%s: expected a list of 1 to %d words", key, MAX_ALIASES);
    for (int i = 0; i < n; i++) {
        struct str s;
        if (!json_text(cJSON_GetArrayItem(list, i), key, &s, &why))
            return texts_fault(r, "%s", why.text);
        ret[i] = text_fold(r->a, s);
        if (ret[i].n == 0)
            return texts_fault(r, "%s: expected a word, got \"\"", key);
    }
    return true;
}

/* Examples are optional. */
static bool examples_read(const struct texts_reading *r, const cJSON *list,
                          struct str ret[MAX_EXAMPLES])
{
    struct err why = {""};
    int n = cJSON_GetArraySize(list);
    if (list && (!cJSON_IsArray(list) || n > MAX_EXAMPLES))
        return texts_fault(r, "examples: expected a list of at most %d", MAX_EXAMPLES);
    for (int i = 0; i < n; i++) {
        struct str s;
        if (!json_text(cJSON_GetArrayItem(list, i), "examples", &s, &why))
            return texts_fault(r, "%s", why.text);
        ret[i] = arena_str(r->a, s);
    }
    return true;
}

static bool brief_read(const struct texts_reading *r, const cJSON *v, struct str *ret)
{
    struct err why = {""};
    struct str s;
    if (!json_text(v, "brief", &s, &why))
        return texts_fault(r, "%s", why.text);
    *ret = arena_str(r->a, s);
    return (s.n > 0 && utf8_count(s, false) <= BRIEF_CHARS) ||
           texts_fault(r, "brief: expected 1 to %d characters, got \"%.*s\"", BRIEF_CHARS,
                       STR_ARG(s));
}

static bool command_row_read(const struct texts_reading *r, const cJSON *row, int v)
{
    static const char *const keys[] = {"names", "brief", "about", "examples", NULL};
    struct err why = {""};
    struct str about = {0};
    if (!only(r, row, keys) ||
        !aliases_read(r, json_member(row, "names"), "names", r->t->alias[v]) ||
        !brief_read(r, json_member(row, "brief"), &r->t->brief[v]) ||
        !examples_read(r, json_member(row, "examples"), r->t->example[v]))
        return false;
    if (json_member(row, "about") && !json_text(json_member(row, "about"), "about", &about, &why))
        return texts_fault(r, "%s", why.text);
    r->t->about[v] = arena_str(r->a, about);
    return true;
}

/* No word belongs to two commands. */
static bool words_of_their_own(const struct texts_reading *r)
{
    const struct texts *all[] = {r->t};
    for (int v = 1; v < N_COMMANDS; v++)
        for (int i = 0; i < MAX_ALIASES && r->t->alias[v][i].n > 0; i++)
            if (command_find(all, 1, true, r->t->alias[v][i]) != (enum verb)v &&
                !texts_fault(r,
                             "commands.%s: expected words of its own, got \"%.*s\" of another "
                             "command",
                             commands[v].name, STR_ARG(r->t->alias[v][i])))
                return false;
    return true;
}

static bool commands_read(const struct texts_reading *of, const cJSON *object)
{
    struct texts_reading r = *of;
    const cJSON *v = NULL;
    for (int c = 1; c < N_COMMANDS; c++) {
        const cJSON *row = json_member(object, commands[c].name);
        r.where = arena_print(r.a, "commands.%s.", commands[c].name).p;
        if (row ? !command_row_read(&r, row, c)
                : !texts_fault(of, "commands.%s: missing", commands[c].name))
            return false;
    }
    cJSON_ArrayForEach(v, object)
    {
        bool known = false;
        for (int c = 1; c < N_COMMANDS && !known; c++)
            known = strcmp(v->string, commands[c].name) == 0;
        if (!known && !texts_fault(of, "commands.%s: unknown command", v->string))
            return false;
    }
    return words_of_their_own(of);
}

static bool options_read(const struct texts_reading *of, const cJSON *object)
{
    struct texts_reading r = *of;
    r.where = "options.";
    for (int o = 1; o < N_KEYWORDS; o++) {
        const cJSON *list = json_member(object, keyword_names[o]);
        if (list ? !aliases_read(&r, list, keyword_names[o], r.t->option[o])
                 : !texts_fault(&r, "%s: missing", keyword_names[o]))
            return false;
    }
    return true;
}

/* ---- whole catalogues ---- */

static bool tree_read(const struct texts_reading *r, const cJSON *v)
{
    static const char *const keys[] = {"language", "title",   "texts",     "words",
                                       "commands", "options", "arguments", NULL};
    struct str language, title;
    if (!json_only(v, keys, r->err) ||
        !json_text(json_member(v, "language"), "language", &language, r->err) ||
        !json_text(json_member(v, "title"), "title", &title, r->err))
        return false;
    r->t->language = arena_str(r->a, language);
    r->t->title = arena_str(r->a, title);
    return sentences_read(r, json_member(v, "texts")) && words_read(r, json_member(v, "words")) &&
           commands_read(r, json_member(v, "commands")) &&
           options_read(r, json_member(v, "options"));
}

static bool catalogue_read(struct str bytes, struct arena *a, struct texts_faults *faults,
                           struct texts *ret, struct err *err)
{
    struct texts *t = arena_new(a, struct texts);
    struct texts_reading r = {a, t, "", faults, err};
    cJSON *tree = json_parse(bytes, err);
    if (!tree)
        return false;
    bool good = tree_read(&r, tree);
    cJSON_Delete(tree);
    if (good)
        *ret = *t;
    return good;
}

bool texts_read(struct str bytes, struct arena *process, struct texts *ret, struct err *err)
{
    return catalogue_read(bytes, process, NULL, ret, err);
}

struct str texts_check(struct str bytes, struct arena *a, int *ret_n)
{
    enum { FAULTS_BYTES = 256 * 1024 };
    struct texts_faults faults = {{arena_alloc(a, FAULTS_BYTES), 0, FAULTS_BYTES, false}, 0};
    struct texts *t = arena_new(a, struct texts);
    struct err err = {""};
    if (!catalogue_read(bytes, a, &faults, t, &err)) {
        buf_print(&faults.lines, "%s\n", err.text);
        faults.n++;
    }
    *ret_n = faults.n;
    return buf_str(&faults.lines);
}

static bool take(struct str name, struct str bytes, struct arena *process, struct languages *all,
                 struct err *err)
{
    struct texts *t = arena_new(process, struct texts);
    if (!texts_read(bytes, process, t, err))
        return err_wrap(err, "%.*s", STR_ARG(name));
    for (int i = 0; i < all->n; i++)
        if (str_is(all->at[i]->language, t->language)) {
            all->at[i] = t;
            return true;
        }
    if (all->n == MAX_LANGUAGES)
        return err_set(err, "%.*s: expected at most %d languages, got more", STR_ARG(name),
                       MAX_LANGUAGES);
    all->at[all->n++] = t;
    return true;
}

static bool folder_load(struct str folder, struct arena *process, struct languages *all,
                        struct err *err)
{
    enum { CATALOGUE_MAX = 1024 * 1024 };
    struct str path = arena_str(process, folder);
    DIR *dir = opendir(path.p);
    bool good = true;
    if (!dir)
        return err_set(err, "texts: cannot read the folder %s", path.p);
    for (struct dirent *e; good && (e = readdir(dir));) {
        struct str name = str_of(e->d_name), bytes;
        if (name.n < 6 || strcmp(name.p + name.n - 5, ".json") != 0)
            continue;
        struct str file = arena_print(process, "%s/%s", path.p, e->d_name);
        good = file_read(file.p, CATALOGUE_MAX, &bytes, err);
        if (good) {
            good = take(file, bytes, process, all, err);
            file_free(bytes);
        }
    }
    closedir(dir);
    return good;
}

bool texts_load(struct str folder, struct str fallback, struct arena *process,
                struct languages *ret, struct err *err)
{
    struct languages all = {0};
    for (int i = 0; i < embedded_count(); i++) {
        struct embedded e = embedded_at(i);
        if (str_starts(str_of(e.name), STR("texts/")) &&
            !take(str_of(e.name), e.bytes, process, &all, err))
            return false;
    }
    if (folder.n > 0 && !folder_load(folder, process, &all, err))
        return false;
    for (int i = 0; i < all.n; i++)
        if (str_is(all.at[i]->language, fallback)) {
            const struct texts *first = all.at[i];
            all.at[i] = all.at[0];
            all.at[0] = first;
            *ret = all;
            return true;
        }
    return err_set(err, "texts: no catalogue of the language \"%.*s\"", STR_ARG(fallback));
}
