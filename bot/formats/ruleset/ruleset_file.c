/* See ruleset_file.h. Where rule sets are found, and how one extends another. */
#include "ruleset_file.h"

#include "embedded.h"
#include "ruleset_fields.h"

#include <dirent.h>

enum { MAX_EXTENDS = 8, PATH_SIZE = 64 };

/* A text to be resolved. A file that extends its own name means the built-in rule set behind it. */
struct source {
    struct str folder, name; /* name: of its file; empty if it comes from elsewhere */
    bool built_in;
    int depth; /* how many rule sets extend one another down to this one */
};

static cJSON *load(const struct source *from, struct err *err);

/* Objects are merged field by field, all else replaces. */
static void merge(cJSON *base, const cJSON *own)
{
    for (const cJSON *m = own->child; m; m = m->next) {
        cJSON *old = json_member(base, m->string);
        if (cJSON_IsObject(m) && cJSON_IsObject(old))
            merge(old, m);
        else if (old)
            cJSON_ReplaceItemInObjectCaseSensitive(base, m->string, cJSON_Duplicate(m, true));
        else
            cJSON_AddItemToObject(base, m->string, cJSON_Duplicate(m, true));
    }
}

/* Takes `own` and returns a tree that extends nothing; NULL on failure, `own` is gone in any
 * case. */
static cJSON *expand(const struct source *from, cJSON *own, struct err *err)
{
    struct source base = {.folder = from->folder, .depth = from->depth + 1};
    cJSON *tree = NULL;

    if (!json_member(own, "extends"))
        return own;
    if (json_text(json_member(own, "extends"), "extends", &base.name, err)) {
        base.built_in = from->built_in || str_is(base.name, from->name);
        tree = load(&base, err);
        if (!tree)
            (void)err_wrap(err, "extends");
    }
    if (tree) {
        cJSON_DeleteItemFromObjectCaseSensitive(own, "extends");
        merge(tree, own);
    }
    cJSON_Delete(own);
    return tree;
}

/* Puts the line of the field, which is what the text begins with, in front. */
static bool at_line(struct str bytes, struct err *err)
{
    struct str rest, field = str_cut(str_of(err->text), ':', &rest);
    char path[PATH_SIZE];

    if (str_starts(field, STR("line ")))
        return false;
    snprintf(path, sizeof path, "%.*s", STR_ARG(field));
    return err_wrap(err, "line %d", json_line(bytes, path));
}

/* A file's own name is its field `name`; one that extends another may leave the field out. */
static bool named_as_file(struct str name, cJSON *own, struct err *err)
{
    cJSON *v = json_member(own, "name");

    if (!v && json_member(own, "extends")) {
        char text[RULES_NAME_SIZE];
        snprintf(text, sizeof text, "%.*s", STR_ARG(name));
        cJSON_AddItemToObject(own, "name", cJSON_CreateString(text));
        return true;
    }
    if (!v || !cJSON_IsString(v) || !str_is(str_of(v->valuestring), name))
        return err_set(err, "name: must be \"%.*s\", as its file is called", STR_ARG(name));
    return true;
}

static cJSON *parse(const struct source *from, struct str bytes, struct err *err)
{
    if (bytes.n > RULESET_FILE_MAX) {
        (void)err_set(err, "longer than %d bytes", RULESET_FILE_MAX);
        return NULL;
    }
    cJSON *own = json_parse(bytes, err);
    if (own && !cJSON_IsObject(own)) {
        (void)err_set(err, "must be an object");
    } else if (own && (from->name.n == 0 || named_as_file(from->name, own, err))) {
        cJSON *tree = expand(from, own, err);
        if (!tree)
            (void)at_line(bytes, err);
        return tree;
    }
    (void)at_line(bytes, err);
    cJSON_Delete(own);
    return NULL;
}

/* The bytes of a named rule set: the folder's file, read into room, or the built-in one. */
static bool find_bytes(const struct source *from, char room[static RULESET_FILE_MAX + 1],
                       struct str *ret, struct err *err)
{
    char path[512];
    FILE *f = NULL;

    if (!ruleset_word(from->name) || from->name.n >= RULES_NAME_SIZE)
        return err_set(err, "\"%.*s\" is no name of a rule set",
                       (int)(from->name.n < 40 ? from->name.n : 40), from->name.p);
    if (from->depth > MAX_EXTENDS)
        return err_set(err, "more than %d rule sets extend one another", MAX_EXTENDS);
    if (!from->built_in && from->folder.n > 0 && from->folder.n + from->name.n + 8 < sizeof path) {
        snprintf(path, sizeof path, "%.*s/%.*s.json", STR_ARG(from->folder), STR_ARG(from->name));
        f = fopen(path, "rb");
    }
    if (f) {
        *ret = (struct str){room, fread(room, 1, RULESET_FILE_MAX + 1, f)};
        fclose(f);
        return true;
    }
    snprintf(path, sizeof path, "rules/%.*s.json", STR_ARG(from->name));
    struct str bytes = embedded_find(str_of(path));
    if (!bytes.p)
        return err_set(err, "there is no rule set \"%.*s\"", STR_ARG(from->name));
    *ret = bytes;
    return true;
}

static cJSON *load(const struct source *from, struct err *err)
{
    char room[RULESET_FILE_MAX + 1];
    struct str bytes = {NULL, 0};

    if (!find_bytes(from, room, &bytes, err))
        return NULL;
    cJSON *tree = parse(from, bytes, err);
    if (!tree)
        (void)err_wrap(err, "%.*s.json", STR_ARG(from->name));
    return tree;
}

/* Takes the tree. */
static bool read_tree(cJSON *tree, struct rules *ret, struct err *err)
{
    struct rules r = {.rounds = 0};
    bool ok = tree && ruleset_read(tree, &r, err);

    cJSON_Delete(tree);
    if (ok)
        *ret = r;
    return ok;
}

static bool read_source(const struct source *from, struct str bytes, struct rules *ret,
                        struct err *err)
{
    cJSON *tree = parse(from, bytes, err);

    return tree && (read_tree(tree, ret, err) || at_line(bytes, err));
}

bool ruleset_file_find(struct str folder, struct str name, struct rules *ret, struct err *err)
{
    char room[RULESET_FILE_MAX + 1];
    struct source from = {.folder = folder, .name = name};
    struct str bytes = {NULL, 0};

    if (!find_bytes(&from, room, &bytes, err))
        return false;
    return read_source(&from, bytes, ret, err) || err_wrap(err, "%.*s.json", STR_ARG(name));
}

bool ruleset_file_read(struct str folder, struct str bytes, struct rules *ret, struct err *err)
{
    return read_source(&(struct source){.folder = folder}, bytes, ret, err);
}

bool ruleset_file_value(struct str folder, const cJSON *value, struct rules *ret, struct err *err)
{
    if (cJSON_IsString(value))
        return ruleset_file_find(folder, str_of(value->valuestring), ret, err);
    if (!cJSON_IsObject(value))
        return err_set(err, "must be the name of a rule set or an object");
    cJSON *tree = expand(&(struct source){.folder = folder}, cJSON_Duplicate(value, true), err);
    return read_tree(tree, ret, err);
}

void ruleset_file_write(struct buf *b, const struct rules *r)
{
    ruleset_write(b, r);
}

static bool add_name(struct str file, int max, char ret[][RULES_NAME_SIZE], int *n)
{
    int at = 0;

    if (file.n <= 5 || !str_is(str_skip(file, file.n - 5), STR(".json")))
        return true;
    file.n -= 5;
    if (!ruleset_word(file) || file.n >= RULES_NAME_SIZE)
        return true;
    char name[RULES_NAME_SIZE] = {0};
    memcpy(name, file.p, file.n);
    while (at < *n && strcmp(ret[at], name) < 0)
        at++;
    if (at < *n && strcmp(ret[at], name) == 0)
        return true;
    if (*n == max)
        return false;
    memmove(ret[at + 1], ret[at], (size_t)(*n - at) * RULES_NAME_SIZE);
    memcpy(ret[at], name, sizeof name);
    ++*n;
    return true;
}

int ruleset_file_names(struct str folder, int max, char ret[][RULES_NAME_SIZE])
{
    char path[512];
    int n = 0;

    for (int i = 0; i < embedded_count(); i++)
        if (str_starts(str_of(embedded_at(i).name), STR("rules/")))
            (void)add_name(str_of(embedded_at(i).name + 6), max, ret, &n);
    snprintf(path, sizeof path, "%.*s", STR_ARG(folder));
    DIR *d = folder.n > 0 ? opendir(path) : NULL;
    for (struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (!add_name(str_of(e->d_name), max, ret, &n))
            break;
    if (d)
        closedir(d);
    return n;
}
