/* See config.h. Three steps: all rows that exist (the daemon's and each adapter's), then raw values
 * from the file and the environment with the place they came from, then each value checked against
 * its row. */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>

#include "log.h"
#include "utf8.h"

enum { MAX_FIELDS = 128, MAX_FILE = 256 * 1024, MAX_VALUE = 8192 };

#define AT(field) offsetof(struct config, field)
static const struct option own[] = {
    {"state_dir", OPTION_TEXT, "", 0, 0,
     "Where the store and what belongs to it lives; empty: $XDG_STATE_HOME/koikoi or "
     "~/.local/state/koikoi.",
     AT(state_dir)},
    {"store", OPTION_TEXT, "", 0, 0, "The SQLite file of all state; empty: koikoi.db in state_dir.",
     AT(store)},
    {"rules_dir", OPTION_FOLDER, "", 0, 0,
     "A folder of rule sets (NAME.json) that win over the built-in ones.", AT(rules_dir)},
    {"texts_dir", OPTION_FOLDER, "", 0, 0,
     "A folder of texts (LANGUAGE.json) that win over the built-in ones.", AT(texts_dir)},
    {"decks_dir", OPTION_FOLDER, "", 0, 0,
     "A folder of drawings of cards (DECK/CARD.svg) that win over the built-in ones.",
     AT(decks_dir)},
    {"rules", OPTION_TEXT, "sensei", 0, 0, "The rule set of chats that have chosen none.",
     AT(rules)},
    {"language", OPTION_TEXT, "en", 0, 0, "The language of chats that have chosen none.",
     AT(language)},
    {"threads", OPTION_INT, "1", 1, 64, "How many threads compute for the computer player.",
     AT(threads)},
    {"think_ms", OPTION_INT, "300", 1, 60000,
     "How long the best computer player thinks about a move at most, in milliseconds of one "
     "thread.",
     AT(think_ms)},
    {"log_level", OPTION_TEXT, "info", 0, 0, "What is logged: error, warn, info or debug.",
     AT(log_level)},
    {"listen", OPTION_TEXT, "", 0, 0,
     "ADDRESS:PORT to listen on, for networks that bring their news (webhooks) and for metrics; "
     "empty: none.",
     AT(listen)},
    {"metrics", OPTION_BOOL, "no", 0, 0, "Answer /health and /metrics there, to whoever asks.",
     AT(metrics)},
    {NULL, OPTION_TEXT, NULL, 0, 0, NULL, 0},
};

struct field {
    const char *section; /* "" for the daemon's own */
    const struct option *o;
    void *base;
    bool set;
    struct str value;
    char place[256]; /* "koikoi.conf:7" or "KOIKOI_THREADS" */
};

struct loading {
    struct arena *process;
    int n;
    struct field at[MAX_FIELDS];
};

static void add_fields(struct loading *l, const char *section, const struct option *o, void *base)
{
    for (; o && o->key && l->n < MAX_FIELDS; o++)
        l->at[l->n++] = (struct field){.section = section, .o = o, .base = base};
}

static struct field *find(struct loading *l, struct str section, struct str key)
{
    for (int i = 0; i < l->n; i++)
        if (str_is(section, str_of(l->at[i].section)) && str_is(key, str_of(l->at[i].o->key)))
            return &l->at[i];
    return NULL;
}

/* ---- raw values ---- */

static bool read_file(const char *path, struct arena *a, struct str *ret, struct err *err)
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

static bool has_section(const struct loading *l, struct str section)
{
    for (int i = 0; i < l->n; i++)
        if (str_is(section, str_of(l->at[i].section)))
            return true;
    return registry_find(section) != NULL;
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
        *section = str_trim((struct str){line.p + 1, line.n - 2});
        return (section->n && has_section(l, *section)) ||
               err_set(err, "%s:%d: there is no section [%.*s]", path, number, STR_ARG(*section));
    }
    if (!memchr(line.p, '=', line.n))
        return err_set(err, "%s:%d: neither [section] nor key = value", path, number);
    key = str_trim(str_cut(line, '=', &value));
    value = str_trim(value);
    struct field *f = find(l, *section, key);
    if (!f)
        return err_set(err, "%s:%d: %s%.*s%s there is no option %.*s", path, number,
                       section->n ? "in [" : "", STR_ARG(*section),
                       section->n ? "]" : "outside a section", STR_ARG(key));
    if (f->set)
        return err_set(err, "%s:%d: %s is set a second time (first at %s)", path, number, f->o->key,
                       f->place);
    f->set = true;
    f->value = value;
    snprintf(f->place, sizeof f->place, "%s:%d", path, number);
    return true;
}

static bool take_file(struct loading *l, const char *path, struct err *err)
{
    struct str text, section = STR("");
    if (!read_file(path, l->process, &text, err))
        return false;
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

/* KOIKOI_STATE_DIR, KOIKOI_TELEGRAM_TOKEN */
static void variable_of(const struct field *f, char *ret, size_t n)
{
    snprintf(ret, n, "KOIKOI_%s%s%s", f->section, *f->section ? "_" : "", f->o->key);
    for (char *p = ret; *p; p++)
        *p = (char)(*p == '-' ? '_' : toupper((unsigned char)*p));
}

static bool take_variable(struct loading *l, struct str name, struct str value, struct err *err)
{
    for (int i = 0; i < l->n; i++) {
        struct field *f = &l->at[i];
        char variable[128], from_file[136];
        variable_of(f, variable, sizeof variable);
        snprintf(from_file, sizeof from_file, "%s_FILE", variable);
        bool direct = str_is(name, str_of(variable));
        if (!direct && !str_is(name, str_of(from_file)))
            continue;
        if (f->set && str_starts(str_of(f->place), STR("KOIKOI_")))
            return err_set(err, "%s and %s_FILE are both set", variable, variable);
        if (!direct) {
            if (!read_file(arena_str(l->process, value).p, l->process, &value, err))
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

static bool take_environment(struct loading *l, struct err *err)
{
    for (char **e = environ; e && *e; e++) {
        struct str value, name = str_cut(str_of(*e), '=', &value);
        if (str_starts(name, STR("KOIKOI_")) && !str_is(name, STR("KOIKOI_CONFIG")) &&
            !take_variable(l, name, value, err))
            return false;
    }
    return true;
}

/* ---- checked values ---- */

static bool bool_of(struct str s, bool *ret)
{
    static const char *const yes[] = {"yes", "true", "on", "1"}, *const no[] = {"no", "false",
                                                                                "off", "0"};
    for (int i = 0; i < 4; i++)
        if (str_is(s, str_of(yes[i])) || str_is(s, str_of(no[i]))) {
            *ret = str_is(s, str_of(yes[i]));
            return true;
        }
    return false;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool apply(const struct field *f, struct arena *process, struct err *err)
{
    const struct option *o = f->o;
    struct str v = f->set ? f->value : str_of(o->fallback);
    void *at = (char *)f->base + o->offset;
    int64_t i = 0;
    bool b = false;
    if (v.n > MAX_VALUE || !utf8_ok(v) || (v.n && memchr(v.p, 0, v.n)))
        return err_set(err, "%s: %s: not a text of at most %d bytes", f->place, o->key, MAX_VALUE);
    switch (o->kind) {
    case OPTION_FOLDER:
        if (v.n && !is_folder(arena_str(process, v).p))
            return err_set(err, "%s: %s: there is no folder %.*s", f->place, o->key, STR_ARG(v));
        *(struct str *)at = arena_str(process, v);
        return true;
    case OPTION_TEXT:
    case OPTION_SECRET:
        *(struct str *)at = arena_str(process, v);
        return true;
    case OPTION_INT:
        if (!str_int(v, &i) || i < o->min || i > o->max)
            return err_set(err, "%s: %s: not a whole number from %ld to %ld", f->place, o->key,
                           o->min, o->max);
        *(int64_t *)at = i;
        return true;
    case OPTION_BOOL:
        if (!bool_of(v, &b))
            return err_set(err, "%s: %s: neither yes nor no", f->place, o->key);
        *(bool *)at = b;
        return true;
    }
    return true;
}

/* Makes a folder and those above it. */
static bool make_folder(struct str path, struct arena *a, struct err *err)
{
    char *p = (char *)(uintptr_t)arena_str(a, path).p;
    for (size_t i = 1; i <= path.n; i++) {
        if (i < path.n && p[i] != '/')
            continue;
        char was = p[i];
        p[i] = '\0';
        if (mkdir(p, 0700) && errno != EEXIST)
            return err_set(err, "state_dir: %s cannot be made: %s", p, strerror(errno));
        p[i] = was;
    }
    return true;
}

static bool settle_paths(struct config *c, struct arena *process, struct err *err)
{
    if (c->state_dir.n == 0) {
        const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
        if (state && *state == '/')
            c->state_dir = arena_print(process, "%s/koikoi", state);
        else if (home && *home == '/')
            c->state_dir = arena_print(process, "%s/.local/state/koikoi", home);
        else
            return err_set(err, "state_dir is not set, and there is no HOME to put it in");
    }
    if (!make_folder(c->state_dir, process, err))
        return false;
    if (c->store.n == 0)
        c->store = arena_print(process, "%.*s/koikoi.db", STR_ARG(c->state_dir));
    enum log_level level;
    return log_level_of(c->log_level, &level) ||
           err_set(err, "log_level: %.*s is none of error, warn, info, debug",
                   STR_ARG(c->log_level));
}

/* ---- which networks ---- */

/* "terminal,telegram" */
static bool is_among(struct str list, struct str name)
{
    for (struct str rest = list; rest.n > 0;)
        if (str_is(str_cut(rest, ',', &rest), name))
            return true;
    return false;
}

static bool choose_accounts(struct config *c, struct account *all, int n, struct str only,
                            struct err *err)
{
    c->n_accounts = 0;
    c->accounts = all;
    for (int i = 0; i < n; i++)
        if (only.n ? is_among(only, all[i].name) : all[i].adapter->configured(all[i].state))
            all[c->n_accounts++] = all[i];
    for (int i = 0; i < n && c->n_accounts == 0 && only.n == 0; i++)
        if (str_is(all[i].name, STR("terminal")))
            all[c->n_accounts++] = all[i];
    return c->n_accounts > 0 || (only.n ? err_set(err, "there is no adapter %.*s", STR_ARG(only))
                                        : err_set(err, "no network is configured: nothing to do"));
}

static struct account *make_accounts(struct loading *l, int *ret_n)
{
    int n = 0;
    while (registry[n])
        n++;
    struct account *all = arena_array(l->process, struct account, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        const struct adapter *row = registry[i];
        all[i] = (struct account){.name = str_of(row->name),
                                  .adapter = row,
                                  .can = row->can,
                                  .limits = row->limits,
                                  .state = arena_alloc(l->process, row->account_size + 1)};
        add_fields(l, row->name, row->options, all[i].state);
    }
    *ret_n = n;
    return all;
}

static const char *file_of(struct str file, struct arena *a)
{
    static const char usual[] = "/etc/koikoi/koikoi.conf";
    struct stat st;
    const char *named = getenv("KOIKOI_CONFIG");
    if (file.n)
        return arena_str(a, file).p;
    if (named && *named)
        return named;
    return stat(usual, &st) == 0 ? usual : NULL;
}

bool config_load(struct str file, struct str only, struct arena *process, struct config *ret,
                 struct err *err)
{
    struct config c = {0};
    int n = 0;
    struct loading *l = arena_new(process, struct loading);
    l->process = process;
    add_fields(l, "", own, &c);
    struct account *all = make_accounts(l, &n);
    const char *path = file_of(file, process);
    if ((path && !take_file(l, path, err)) || !take_environment(l, err))
        return false;
    for (int i = 0; i < l->n; i++)
        if (!apply(&l->at[i], process, err))
            return false;
    if (!choose_accounts(&c, all, n, only, err) || !settle_paths(&c, process, err))
        return false;
    *ret = c;
    return true;
}

struct str config_example(struct arena *a)
{
    struct config none;
    int n = 0;
    struct loading *l = arena_new(a, struct loading);
    size_t cap = 64 * 1024;
    struct buf b = {arena_alloc(a, cap), 0, cap, false};
    l->process = a;
    add_fields(l, "", own, &none);
    make_accounts(l, &n);
    buf_put(&b, STR("# Every option of koikoi with its default. A line without the # in front sets "
                    "it. The variable\n"
                    "# KOIKOI_SECTION_KEY (KOIKOI_KEY for those outside a section) wins over this "
                    "file, and\n"
                    "# KOIKOI_SECTION_KEY_FILE names a file that holds the value.\n"));
    for (int i = 0; i < l->n; i++) {
        const struct field *f = &l->at[i];
        if (i && f->section != l->at[i - 1].section)
            buf_print(&b, "\n[%s]\n", f->section);
        buf_print(&b, "\n# %s\n#%s =%s%s\n", f->o->about, f->o->key,
                  f->o->fallback && *f->o->fallback ? " " : "",
                  f->o->fallback ? f->o->fallback : "");
    }
    return buf_str(&b);
}
