/* Raw values of the configuration, from the file and the environment. See config_internal.h. */
#include "config_internal.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>

#include "utf8.h"

enum { MAX_FILE = 256 * 1024 };

static struct field *find_field(struct loading *l, struct str section, struct str key)
{
    for (int i = 0; i < l->n; i++)
        if (str_is(section, str_of(l->at[i].section)) && str_is(key, str_of(l->at[i].o->key)))
            return &l->at[i];
    return NULL;
}

bool config_read_bytes(const char *path, struct arena *a, struct str *ret, struct err *err)
{
    FILE *f = fopen(path, "re");
    if (!f)
        return err_set(err, "%s: cannot be read: %s", path, strerror(errno));
    char *bytes = arena_alloc(a, MAX_FILE + 1);
    size_t n = fread(bytes, 1, MAX_FILE + 1, f);
    bool bad = ferror(f) != 0;
    int why = errno;
    fclose(f);
    if (bad)
        return err_set(err, "%s: cannot be read: %s", path, strerror(why));
    if (n > MAX_FILE)
        return err_set(err, "%s: larger than %d bytes", path, MAX_FILE);
    *ret = (struct str){bytes, n};
    return true;
}

/* Adds the account if the section is one of its own, and this is its first line. */
static bool enter_section(struct loading *l, const char *place, struct str section, struct err *err)
{
    bool added = false;
    for (int i = 0; i < l->n; i++)
        if (str_is(section, str_of(l->at[i].section)))
            return true;
    if (registry_find(section))
        return true;
    if (!config_add_account(l, section, &added, err))
        return err_wrap(err, "%s", place);
    return added || err_set(err, "%s: there is no section [%.*s]", place, STR_ARG(section));
}

static bool read_line(struct loading *l, const char *path, int number, struct str line,
                      struct str *section, struct err *err)
{
    struct str value, key;
    if (line.n == 0 || line.p[0] == '#' || line.p[0] == ';')
        return true;
    if (line.p[0] == '[') {
        if (line.p[line.n - 1] != ']')
            return err_set(err, "%s:%d: a section is [name]", path, number);
        char place[PLACE_SIZE];
        snprintf(place, sizeof place, "%s:%d", path, number);
        *section = str_trim((struct str){line.p + 1, line.n - 2});
        return section->n ? enter_section(l, place, *section, err)
                          : err_set(err, "%s: there is no section []", place);
    }
    if (!memchr(line.p, '=', line.n))
        return err_set(err, "%s:%d: neither [section] nor key = value", path, number);
    key = str_trim(str_cut(line, '=', &value));
    value = str_trim(value);
    struct field *f = find_field(l, *section, key);
    if (!f)
        return err_set(err, "%s:%d: %s%.*s%s there is no option %.*s", path, number,
                       section->n ? "in [" : "", STR_ARG(*section),
                       section->n ? "]" : "outside a section", STR_ARG(key));
    if (f->set)
        return err_set(err, "%s:%d: %s is set a second time (first at %s)", path, number, f->o->key,
                       f->place);
    f->set = true;
    f->value = value;
    f->file = path;
    snprintf(f->place, sizeof f->place, "%s:%d", path, number);
    return true;
}

bool config_read_text(struct loading *l, const char *path, struct str text, struct err *err)
{
    struct str section = STR("");
    if (str_starts(text, STR("\xEF\xBB\xBF")))
        text = str_skip(text, 3);
    for (int number = 1; text.n; number++) {
        struct str line = str_trim(str_cut(text, '\n', &text));
        if (!utf8_ok(line) || memchr(line.p, 0, line.n))
            return err_set(err, "%s:%d: not UTF-8 text", path, number);
        if (!read_line(l, path, number, line, &section, err))
            return false;
    }
    return true;
}

void config_variable(const struct field *f, char ret[static VARIABLE_SIZE])
{
    snprintf(ret, VARIABLE_SIZE, "KOIKOI_%s%s%s", f->section, *f->section ? "_" : "", f->o->key);
    for (char *p = ret; *p; p++)
        *p = (char)(*p == '-' || *p == '.' ? '_' : toupper((unsigned char)*p));
}

static bool read_variable(struct loading *l, struct str name, struct str value, struct err *err)
{
    for (int i = 0; i < l->n; i++) {
        struct field *f = &l->at[i];
        char variable[VARIABLE_SIZE], from_file[VARIABLE_SIZE + 8];
        config_variable(f, variable);
        snprintf(from_file, sizeof from_file, "%s_FILE", variable);
        bool direct = str_is(name, str_of(variable));
        if (!direct && !str_is(name, str_of(from_file)))
            continue;
        if (f->set && str_starts(str_of(f->place), STR("KOIKOI_")))
            return err_set(err, "%s and %s_FILE are both set", variable, variable);
        if (!direct) {
            f->file = arena_str(l->process, value).p;
            if (!config_read_bytes(f->file, l->process, &value, err))
                return err_wrap(err, "%s", from_file);
            value = str_trim(value);
        }
        f->set = true;
        f->value = arena_str(l->process, value);
        snprintf(f->place, sizeof f->place, "%.*s", STR_ARG(name));
        return true;
    }
    return err_set(err, "%.*s: there is no such option", STR_ARG(name));
}

/* A file koikoi_telegram_token there is what KOIKOI_TELEGRAM_TOKEN_FILE would name; koikoi_key is
 * the key itself, which config.c takes. */
static bool read_credentials(struct loading *l, const char *folder, struct err *err)
{
    DIR *dir = opendir(folder);
    bool good = true;
    for (const struct dirent *e; dir && good && (e = readdir(dir));) {
        char variable[sizeof e->d_name + 8];
        snprintf(variable, sizeof variable, "%s_FILE", e->d_name);
        if (!str_starts(str_of(variable), STR("koikoi_")) ||
            strcmp(e->d_name, CREDENTIAL_OF_KEY) == 0)
            continue;
        for (char *p = variable; *p; p++)
            *p = (char)toupper((unsigned char)*p);
        good = read_variable(l, str_of(variable),
                             arena_print(l->process, "%s/%s", folder, e->d_name), err);
    }
    if (dir)
        closedir(dir);
    return good || err_wrap(err, "credentials");
}

bool config_read_environment(struct loading *l, struct err *err)
{
    const char *credentials = getenv("CREDENTIALS_DIRECTORY");
    for (char **e = environ; e && *e; e++) {
        struct str value, name = str_cut(str_of(*e), '=', &value);
        if (str_starts(name, STR("KOIKOI_")) && !str_is(name, STR("KOIKOI_CONFIG")) &&
            !read_variable(l, name, value, err))
            return false;
    }
    return !credentials || read_credentials(l, credentials, err);
}
