/* See texts.h. This file reads the words, commands and options of a catalogue, and finds the
 * catalogues. */
#include "texts.h"

#include "command.h"
#include "embedded.h"
#include "file.h"
#include "sentences.h"

#include <dirent.h>

/* ---- words ---- */

static bool word_read(const struct reading *r, const cJSON *object, const char *key,
                      struct str *ret)
{
    const cJSON *v = json_member(object, key);
    struct str s;
    if (!v)
        return ret->n > 0 || err_set(r->err, "words: \"%s\" is missing", key);
    if (!json_text(v, key, &s, r->err))
        return false;
    *ret = arena_str(r->a, s);
    return s.n > 0 || err_set(r->err, "words: \"%s\" is empty", key);
}

static bool coins_read(const struct reading *r, const cJSON *v, struct words *w)
{
    unsigned set = plural_set(r->t->language);
    for (int p = 0; v && p < N_PLURALS; p++) {
        if (!(set >> p & 1))
            continue;
        w->coins[p] = (struct str){0};
        if (!word_read(r, v, plural_names[p], &w->coins[p]))
            return err_wrap(r->err, "coins");
        if (!sentence_says(w->coins[p], STR("n")))
            return err_set(r->err, "coins: \"%s\" does not say {n}", plural_names[p]);
    }
    return true;
}

static bool set_read(const struct reading *r, const cJSON *v, struct words *w)
{
    static const char *const keys[] = {"months", "cards", "yaku", "hand_yaku",
                                       "words",  "coins", NULL};
    char code[CARD_CODE_SIZE];
    if (!json_only(v, keys, r->err))
        return false;
    const cJSON *months = json_member(v, "months");
    if (months && cJSON_GetArraySize(months) != N_MONTHS)
        return err_set(r->err, "months: must be 12");
    for (int m = 0; m < N_MONTHS; m++) {
        struct str s = w->month[m];
        if (months && !json_text(cJSON_GetArrayItem(months, m), "months", &s, r->err))
            return false;
        if (s.n == 0)
            return err_set(r->err, "months: are missing");
        w->month[m] = arena_str(r->a, s);
    }
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

static bool words_read(const struct reading *r, const cJSON *words)
{
    const cJSON *standard = json_member(words, "standard"), *v = NULL;
    struct texts *t = r->t;
    if (!standard || !json_member(standard, "coins"))
        return err_set(r->err, "words.standard: is missing or has no coins");
    t->n_words = 1;
    t->words[0].name = STR("standard");
    if (!set_read(r, standard, &t->words[0]))
        return err_wrap(r->err, "words.standard");
    cJSON_ArrayForEach(v, words)
    {
        if (v == standard)
            continue;
        if (t->n_words == MAX_WORDS)
            return err_set(r->err, "words: at most %d sets", MAX_WORDS);
        struct words *w = &t->words[t->n_words++];
        *w = t->words[0];
        w->name = arena_str(r->a, str_of(v->string));
        if (!set_read(r, v, w))
            return err_wrap(r->err, "words.%s", v->string);
    }
    return true;
}

/* ---- commands ---- */

static bool aliases_read(const struct reading *r, const cJSON *list, const char *key,
                         struct str ret[MAX_ALIASES])
{
    int n = cJSON_GetArraySize(list);
    if (!cJSON_IsArray(list) || n < 1 || n > MAX_ALIASES)
        return err_set(r->err, "%s: 1 to %d words", key, MAX_ALIASES);
    for (int i = 0; i < n; i++) {
        struct str s;
        if (!json_text(cJSON_GetArrayItem(list, i), key, &s, r->err))
            return false;
        ret[i] = text_fold(r->a, s);
        if (ret[i].n == 0)
            return err_set(r->err, "%s: an empty word", key);
    }
    return true;
}

static bool commands_read(const struct reading *r, const cJSON *object)
{
    static const char *const keys[] = {"names", "about", NULL};
    for (int v = 1; v < N_COMMANDS; v++) {
        const char *name = commands[v].name;
        const cJSON *row = json_member(object, name);
        struct str about;
        if (!row)
            return err_set(r->err, "commands.%s: is missing", name);
        if (!json_only(row, keys, r->err) ||
            !aliases_read(r, json_member(row, "names"), "names", r->t->alias[v]) ||
            !json_text(json_member(row, "about"), "about", &about, r->err))
            return err_wrap(r->err, "commands.%s", name);
        r->t->about[v] = arena_str(r->a, about);
    }
    for (int v = 1; v < N_COMMANDS; v++) /* no word for two commands */
        for (int i = 0; i < MAX_ALIASES && r->t->alias[v][i].n > 0; i++)
            if (command_find((const struct texts *[]){r->t}, 1, r->t->alias[v][i]) != (enum verb)v)
                return err_set(r->err, "commands.%s: \"%.*s\" is another command's",
                               commands[v].name, STR_ARG(r->t->alias[v][i]));
    return true;
}

static bool options_read(const struct reading *r, const cJSON *object)
{
    for (int o = 1; o < N_OPTIONS; o++) {
        const cJSON *list = json_member(object, option_names[o]);
        if (!list)
            return err_set(r->err, "options.%s: is missing", option_names[o]);
        if (!aliases_read(r, list, option_names[o], r->t->option[o]))
            return err_wrap(r->err, "options");
    }
    return true;
}

/* ---- whole catalogues ---- */

static bool tree_read(const struct reading *r, const cJSON *v)
{
    static const char *const keys[] = {"language", "title",   "texts", "words",
                                       "commands", "options", NULL};
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

bool texts_read(struct str bytes, struct arena *process, struct texts *ret, struct err *err)
{
    struct texts *t = arena_new(process, struct texts);
    struct reading r = {process, t, err};
    cJSON *tree = json_parse(bytes, err);
    if (!tree)
        return false;
    bool good = tree_read(&r, tree);
    cJSON_Delete(tree);
    if (good)
        *ret = *t;
    return good;
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
        return err_set(err, "%.*s: at most %d languages", STR_ARG(name), MAX_LANGUAGES);
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
        return err_set(err, "texts: the folder %s cannot be read", path.p);
    for (struct dirent *e; good && (e = readdir(dir)) != NULL;) {
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
    return err_set(err, "texts: there is no catalogue of the language \"%.*s\"", STR_ARG(fallback));
}
