/* See config.h. Three steps: all rows that exist (the daemon's and each adapter's), then raw values
 * from the file and the environment with the place they came from (config_read.c), then each value
 * checked against its row, and the accounts as a whole (config_accounts.c). */
#include "config_internal.h"

#include <errno.h>
#include <sys/stat.h>

#include "embedded.h"
#include "log.h"
#include "store.h"
#include "utf8.h"

enum { MAX_VALUE = 8192 };

#define AT(field) offsetof(struct config, field)
static const struct option own[] = {
    {"state_dir", OPTION_TEXT, "", 0, 0,
     "Where the store and what belongs to it lives; empty: $XDG_STATE_HOME/koikoi or "
     "~/.local/state/koikoi.",
     AT(state_dir)},
    {"store", OPTION_TEXT, "", 0, 0,
     "Where all state is kept: the path of an SQLite file, or a PostgreSQL server: "
     "postgresql://USER:PASSWORD@HOST:PORT/DATABASE; empty: koikoi.db in state_dir.",
     AT(store)},
    {"key_file", OPTION_TEXT, "", 0, 0,
     "The file with the key that seals secrets in the store; empty: the store's path with .key "
     "behind it, or koikoi.key in state_dir if the store is no file.",
     AT(key_file)},
    {"rules_dir", OPTION_FOLDER, "", 0, 0,
     "A folder of rule sets (NAME.json) that win over the built-in ones.", AT(rules_dir)},
    {"texts_dir", OPTION_FOLDER, "", 0, 0,
     "A folder of texts (LANGUAGE.json) that win over the built-in ones.", AT(texts_dir)},
    {"decks_dir", OPTION_FOLDER, "", 0, 0,
     "A folder of drawings of cards (DECK/CARD.svg) that win over the built-in ones.",
     AT(decks_dir)},
    {"rules", OPTION_TEXT, "sensei", 0, 0, "The rule set of chats that have chosen none.",
     AT(rules)},
    {"language", OPTION_TEXT, "", 0, 0,
     "The language of chats that have chosen none; empty: the system's (LC_ALL, LC_MESSAGES, "
     "LANG), "
     "or en.",
     AT(language)},
    {"operators", OPTION_TEXT, "", 0, 0,
     "Who may use /status, /drain, /announce, /ban, /unban and /end in chats, as NETWORK:ID with "
     "blanks between: telegram:123456789 matrix:@you:example.org",
     AT(operators)},
    {"threads", OPTION_INT, "1", 1, 64, "How many threads compute for the computer player.",
     AT(threads)},
    {"think_ms", OPTION_INT, "300", 1, 60000,
     "How long the best computer player thinks about a move at most, in milliseconds of one "
     "thread.",
     AT(think_ms)},
    {"beacon", OPTION_TEXT, "", 0, 0,
     "The address of a drand chain, such as https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1"
     "f5477735fd3f661792ba94600c84e971, whose next round is mixed into each deal; empty: none.",
     AT(beacon)},
    {"retention_days", OPTION_INT, "0", 0, 36500,
     "How many days matches, their records and tournaments are kept after their end; 0: for ever. "
     "Scoreboards stay.",
     AT(retention_days)},
    {"log_level", OPTION_TEXT, "info", 0, 0, "What is logged: error, warn, info or debug.",
     AT(log_level)},
    {"log_format", OPTION_TEXT, "text", 0, 0,
     "What a line of the log looks like: text for people, logfmt or json for programs.",
     AT(log_format)},
    {"listen", OPTION_TEXT, "", 0, 0,
     "ADDRESS:PORT to listen on, for networks that bring their news (webhooks) and for metrics; "
     "empty: none.",
     AT(listen)},
    {"metrics", OPTION_BOOL, "no", 0, 0, "Answer /health and /metrics there, to whoever asks.",
     AT(metrics)},
    {"metrics_listen", OPTION_TEXT, "", 0, 0,
     "ADDRESS:PORT on which /health and /metrics are answered instead, apart from webhooks; empty: "
     "that of listen.",
     AT(metrics_listen)},
    {NULL, OPTION_TEXT, NULL, 0, 0, NULL, 0},
};

/* Those that a running daemon can take over. */
static const char *const reloaded[] = {"rules_dir", "texts_dir",      "rules",
                                       "language",  "operators",      "think_ms",
                                       "log_level", "retention_days", "log_format"};

static bool is_reloaded(const char *key)
{
    for (size_t i = 0; i < sizeof reloaded / sizeof *reloaded; i++)
        if (strcmp(reloaded[i], key) == 0)
            return true;
    return false;
}

static bool same_value(enum option_kind kind, const void *a, const void *b)
{
    switch (kind) {
    case OPTION_INT:
        return *(const int64_t *)a == *(const int64_t *)b;
    case OPTION_BOOL:
        return *(const bool *)a == *(const bool *)b;
    default:
        return str_is(*(const struct str *)a, *(const struct str *)b);
    }
}

int config_adopt(struct config *c, const struct config *fresh, const char *ret[static CONFIG_OWN])
{
    int n = 0;
    for (const struct option *o = own; o->key; o++) {
        void *at = (char *)c + o->offset;
        const void *from = (const char *)fresh + o->offset;
        if (!is_reloaded(o->key)) {
            if (!same_value(o->kind, at, from) && n < CONFIG_OWN)
                ret[n++] = o->key;
        } else if (o->kind == OPTION_INT) {
            *(int64_t *)at = *(const int64_t *)from;
        } else {
            *(struct str *)at = *(const struct str *)from;
        }
    }
    return n;
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

/* Empty if the service manager hands over none. */
static struct str credential_of_key(struct arena *process)
{
    const char *folder = getenv("CREDENTIALS_DIRECTORY");
    struct str path =
        folder ? arena_print(process, "%s/" CREDENTIAL_OF_KEY, folder) : (struct str){0};
    struct stat st;
    return folder && stat(path.p, &st) == 0 ? path : (struct str){0};
}

/* The language that the system is set to, if there are texts in it. */
static struct str language_of_system(struct arena *process)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !(set && *set); i++)
        set = getenv(names[i]);
    struct str base = {set, set ? strspn(set, "abcdefghijklmnopqrstuvwxyz") : 0};
    struct str file = arena_print(process, "texts/%.*s.json", STR_ARG(base));
    return embedded_find(file).n > 0 ? arena_str(process, base) : STR("en");
}

static bool settle(struct config *c, struct arena *process, struct err *err)
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
    if (c->key_file.n == 0 && store_is_server(c->store))
        c->key_file = arena_print(process, "%.*s/koikoi.key", STR_ARG(c->state_dir));
    if (c->key_file.n == 0)
        c->key_file = credential_of_key(process);
    if (c->key_file.n == 0)
        c->key_file = arena_print(process, "%.*s.key", STR_ARG(c->store));
    bool web = str_starts(c->beacon, STR("https://")) || str_starts(c->beacon, STR("http://"));
    if (c->beacon.n && (!web || c->beacon.n >= BEACON_MAX))
        return err_set(err, "beacon: expected an address https://... of at most %d bytes, got %.*s",
                       BEACON_MAX, STR_ARG(c->beacon));
    if (c->language.n == 0)
        c->language = language_of_system(process);
    enum log_level level;
    enum log_format format;
    if (!log_format_of(c->log_format, &format))
        return err_set(err, "log_format: expected text, logfmt or json, got %.*s",
                       STR_ARG(c->log_format));
    return log_level_of(c->log_level, &level) ||
           err_set(err, "log_level: %.*s is none of error, warn, info, debug",
                   STR_ARG(c->log_level));
}

/* Each is NETWORK:ID of a network that there is. */
static bool check_operators(const struct config *c, struct err *err)
{
    struct str rest = c->operators;
    for (struct str word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        struct str id, network = str_cut(word, ':', &id);
        if (!registry_find(network) || id.n == 0)
            return err_set(err,
                           "operators: expected NETWORK:ID, such as telegram:123456789, got "
                           "%.*s",
                           STR_ARG(word));
    }
    return true;
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

static void note_secret_file(struct config *c, const struct field *f)
{
    bool secret = f->o->kind == OPTION_SECRET || store_is_server(f->value);
    bool noted = !f->file || !secret || f->value.n == 0;
    for (int i = 0; i < c->n_secret_files; i++)
        noted |= strcmp(c->secret_files[i], f->file ? f->file : "") == 0;
    if (!noted && c->n_secret_files < CONFIG_SECRET_FILES)
        c->secret_files[c->n_secret_files++] = f->file;
}

bool config_parse(const char *path, struct str text, struct str only, struct arena *process,
                  struct config *ret, struct err *err)
{
    struct config c = {0};
    struct loading *l = arena_new(process, struct loading);
    l->process = process;
    config_add_fields(l, "", own, &c);
    config_make_accounts(l);
    if ((path && !config_read_text(l, path, text, err)) || !config_read_environment(l, err))
        return false;
    for (int i = 0; i < l->n; i++)
        if (!apply(&l->at[i], process, err))
            return false;
    for (int i = 0; i < l->n; i++)
        note_secret_file(&c, &l->at[i]);
    if (!config_check_accounts(l, only, err) || !config_choose_accounts(l, only, &c, err) ||
        !check_operators(&c, err) || !settle(&c, process, err))
        return false;
    *ret = c;
    return true;
}

bool config_load(struct str file, struct str only, struct arena *process, struct config *ret,
                 struct err *err)
{
    struct str text = {0};
    const char *path = file_of(file, process);
    return (!path || config_read_bytes(path, process, &text, err)) &&
           config_parse(path, text, only, process, ret, err);
}

struct str config_example(struct arena *a)
{
    struct config none;
    struct loading *l = arena_new(a, struct loading);
    size_t cap = 64 * 1024;
    struct buf b = {arena_alloc(a, cap), 0, cap, false};
    l->process = a;
    config_add_fields(l, "", own, &none);
    config_make_accounts(l);
    buf_put(&b, STR("# Every option of koikoi with its default. A line without the # in front sets "
                    "it. The variable\n"
                    "# KOIKOI_SECTION_KEY (KOIKOI_KEY for those outside a section) wins over this "
                    "file, and\n"
                    "# KOIKOI_SECTION_KEY_FILE names a file that holds the value. A section "
                    "[NETWORK.NAME] is one more\n"
                    "# account of a network.\n"));
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
