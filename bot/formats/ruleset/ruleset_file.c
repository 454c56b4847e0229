/* Search for rule sets by name, and `extends`. See ruleset_file.h. */
#include "ruleset_file.h"

#include "embedded.h"
#include "rules_field.h"
#include "ruleset_fields.h"

#include <dirent.h>

enum { MAX_EXTENDS = 8, PATH_SIZE = 64 };

/* Origin of a text. A file that extends its own name means the built-in rule set of that name. */
struct ruleset_source {
    struct str folder, name; /* name: of its file, or empty */
    bool built_in;
    int depth; /* how many rule sets extend one another up to this one */
};

static cJSON *load(const struct ruleset_source *from, struct err *err);

/* Merges objects field by field; any other value replaces. */
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

/* Returns a tree without `extends`, or NULL on failure. Owns and frees `own`. */
static cJSON *expand(const struct ruleset_source *from, cJSON *own, struct err *err)
{
    struct ruleset_source base = {.folder = from->folder, .depth = from->depth + 1};
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

/* Adds the line of the field, which the error begins with. */
static bool at_line(struct str bytes, struct err *err)
{
    struct str rest, field = str_cut(str_of(err->text), ':', &rest);
    char path[PATH_SIZE];
    if (str_starts(field, STR("line ")))
        return false;
    snprintf(path, sizeof path, "%.*s", STR_ARG(field));
    return err_wrap(err, "line %d", json_line(bytes, path));
}

/* `name` must be the name of the file; a file that extends another may leave it out. */
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
        return err_set(err, "name: expected \"%.*s\", the name of its file, got %s", STR_ARG(name),
                       v && cJSON_IsString(v) ? v->valuestring
                       : v                    ? "no string"
                                              : "nothing");
    return true;
}

static cJSON *parse(const struct ruleset_source *from, struct str bytes, struct err *err)
{
    if (bytes.n > RULESET_FILE_MAX) {
        (void)err_set(err, "expected at most %d bytes, got more", RULESET_FILE_MAX);
        return NULL;
    }
    cJSON *own = json_parse(bytes, err);
    if (own && json_object(own, "", false, err) &&
        (from->name.n == 0 || named_as_file(from->name, own, err))) {
        cJSON *tree = expand(from, own, err);
        if (!tree)
            (void)at_line(bytes, err);
        return tree;
    }
    (void)at_line(bytes, err);
    cJSON_Delete(own);
    return NULL;
}

/* Finds the bytes of a named rule set: the folder's file, read into room, or the built-in one. */
static bool find_bytes(const struct ruleset_source *from, char room[static RULESET_FILE_MAX + 1],
                       struct str *ret, struct err *err)
{
    char path[512];
    FILE *f = NULL;
    if (!rules_is_word(from->name.p, from->name.n, RULES_NAME_SIZE - 1))
        return err_set(err, "expected the name of a rule set, got \"%.*s\"",
                       (int)(from->name.n < 40 ? from->name.n : 40), from->name.p);
    if (from->depth > MAX_EXTENDS)
        return err_set(err, "expected at most %d rule sets that extend one another, got more",
                       MAX_EXTENDS);
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
        return err_set(err, "no rule set is called \"%.*s\"", STR_ARG(from->name));
    *ret = bytes;
    return true;
}

static cJSON *load(const struct ruleset_source *from, struct err *err)
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

/* Owns and frees the tree. */
static bool read_tree(cJSON *tree, struct rules *ret, struct err *err)
{
    struct rules r = {.rounds = 0};
    bool ok = tree && ruleset_read(tree, &r, err);
    cJSON_Delete(tree);
    if (ok)
        *ret = r;
    return ok;
}

static bool read_source(const struct ruleset_source *from, struct str bytes, struct rules *ret,
                        struct err *err)
{
    cJSON *tree = parse(from, bytes, err);
    return tree && (read_tree(tree, ret, err) || at_line(bytes, err));
}

bool ruleset_file_find(struct str folder, struct str name, struct rules *ret, struct err *err)
{
    char room[RULESET_FILE_MAX + 1];
    struct ruleset_source from = {.folder = folder, .name = name};
    struct str bytes = {NULL, 0};
    if (!find_bytes(&from, room, &bytes, err))
        return false;
    return read_source(&from, bytes, ret, err) || err_wrap(err, "%.*s.json", STR_ARG(name));
}

bool ruleset_file_read(struct str folder, struct str bytes, struct rules *ret, struct err *err)
{
    return read_source(&(struct ruleset_source){.folder = folder}, bytes, ret, err);
}

bool ruleset_file_value(struct str folder, const cJSON *value, struct rules *ret, struct err *err)
{
    if (cJSON_IsString(value))
        return ruleset_file_find(folder, str_of(value->valuestring), ret, err);
    if (!json_object(value, "", false, err))
        return false;
    cJSON *tree =
        expand(&(struct ruleset_source){.folder = folder}, cJSON_Duplicate(value, true), err);
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
    if (!rules_is_word(file.p, file.n, RULES_NAME_SIZE - 1))
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
    for (struct dirent *e; d && (e = readdir(d));)
        if (!add_name(str_of(e->d_name), max, ret, &n))
            break;
    if (d)
        closedir(d);
    return n;
}
