/* See config.h. Three steps: all rows that exist (the daemon's and each adapter's), then raw values
 * from the file and the environment with the place they came from, then each value checked against
 * its row, and the accounts as a whole. */
#include "config.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "embedded.h"
#include "file.h"
#include "log.h"
#include "store.h"
#include "utf8.h"

enum {
    MAX_FILE = 256 * 1024,
    MAX_VALUE = 8192,
    MAX_FIELDS = 1024,
    MAX_ACCOUNTS = 48,
    ACCOUNT_NAME = 32,
    VARIABLE_SIZE = 128,
    PLACE_SIZE = 256
};
#define CREDENTIAL_OF_KEY "koikoi_key" /* the file that key_file would name */

/* One option and its raw value. */
struct field {
    const char *section; /* "" for the daemon's own */
    const struct option *o;
    void *base;
    bool set;
    struct str value;
    const char *file;       /* NULL: not from a file */
    char place[PLACE_SIZE]; /* "koikoi.conf:7" or "KOIKOI_THREADS" */
};

/* Configuration while it is loaded. */
struct loading {
    struct arena *process;
    bool store_alone; /* no networks; options that do not concern the store are passed over */
    int n;
    struct field at[MAX_FIELDS];
    int n_accounts;
    /* one of each network, then those of the file's sections */
    struct account account[MAX_ACCOUNTS];
};

#define AT(field) offsetof(struct config, field)
static const struct option own[] = {
    {"state_dir", OPTION_TEXT, "", 0, 0,
     "Where the store and what belongs to it lives; empty: $STATE_DIRECTORY (of systemd), "
     "$XDG_STATE_HOME/koikoi or ~/.local/state/koikoi.",
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
     "LANG), or en.",
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
    {"ca_file", OPTION_TEXT, "", 0, 0,
     "A file of certificates (PEM) that sign servers of your own, such as a Bot API server or a "
     "homeserver; those of the system stay trusted; empty: these alone.",
     AT(ca_file)},
    {"proxy", OPTION_SECRET, "", 0, 0,
     "The way out to all networks: http://HOST:PORT, https://HOST:PORT or socks5h://HOST:PORT, "
     "with "
     "USER:PASSWORD@ before HOST if it asks; none: no proxy; empty: what https_proxy, http_proxy "
     "and all_proxy name, but for hosts in no_proxy.",
     AT(proxy)},
    {NULL, OPTION_TEXT, NULL, 0, 0, NULL, 0},
};

/* Those that a running daemon can take over. */
static const char *const reloaded[] = {"rules_dir", "texts_dir",      "rules",
                                       "language",  "operators",      "think_ms",
                                       "log_level", "retention_days", "log_format"};

/* Those that say which store it is, and how a command that opens it speaks. */
static const char *const of_store[] = {"state_dir", "store", "key_file", "texts_dir", "language"};

static bool is_of_store(const char *key)
{
    for (size_t i = 0; i < sizeof of_store / sizeof *of_store; i++)
        if (strcmp(of_store[i], key) == 0)
            return true;
    return false;
}

int config_adopt(struct config *c, const struct config *fresh, const char *ret[static CONFIG_OWN])
{
    int n = 0;
    for (const struct option *o = own; o->key; o++) {
        void *at = (char *)c + o->offset;
        const void *from = (const char *)fresh + o->offset;
        bool text = o->kind != OPTION_INT && o->kind != OPTION_BOOL, taken = false;
        size_t size = text                     ? sizeof(struct str)
                      : o->kind == OPTION_BOOL ? sizeof(bool)
                                               : sizeof(int64_t);
        bool same = text ? str_is(*(struct str *)at, *(const struct str *)from)
                         : memcmp(at, from, size) == 0;
        for (size_t i = 0; i < sizeof reloaded / sizeof *reloaded; i++)
            taken |= strcmp(reloaded[i], o->key) == 0;
        if (taken)
            memcpy(at, from, size);
        else if (!same && n < CONFIG_OWN)
            ret[n++] = o->key;
    }
    return n;
}

/* ---- rows: the daemon's, and those of each account ---- */

static void add_fields(struct loading *l, const char *section, const struct option *o, void *base)
{
    for (; o && o->key && l->n < MAX_FIELDS; o++)
        if (!l->store_alone || is_of_store(o->key))
            l->at[l->n++] = (struct field){.section = section, .o = o, .base = base};
}

static void add_account(struct loading *l, const char *name, const struct adapter *adapter)
{
    void *state = arena_alloc(l->process, adapter->account_size + 1);
    l->account[l->n_accounts++] = (struct account){.name = str_of(name),
                                                   .adapter = adapter,
                                                   .can = adapter->can,
                                                   .limits = adapter->limits,
                                                   .state = state};
    add_fields(l, name, adapter->options, state);
}

/* An account of each network that is built in; values of the daemon's own options go to *c. */
static struct loading *begin(struct arena *process, bool store_alone, struct config *c)
{
    struct loading *l = arena_new(process, struct loading);
    l->process = process;
    l->store_alone = store_alone;
    add_fields(l, "", own, c);
    for (int i = 0; registry[i] && !store_alone; i++)
        add_account(l, registry[i]->name, registry[i]);
    return l;
}

/* ---- raw values ---- */

static bool read_bytes(const char *path, struct arena *a, struct str *ret, struct err *err)
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
    if (str_starts(*ret, STR("\xEF\xBB\xBF"))) /* the mark of byte order that editors leave */
        *ret = str_skip(*ret, 3);
    return true;
}

/* Adds the account if the section is one of its own, [NETWORK.NAME], and this is its first line. */
static bool enter_section(struct loading *l, const char *place, struct str section, struct err *err)
{
    struct str name, network = str_cut(section, '.', &name);
    const struct adapter *adapter = registry_find(network);
    for (int i = 0; i < l->n_accounts; i++)
        if (str_is(section, l->account[i].name))
            return true;
    if (l->store_alone)
        return true;
    bool good = adapter && name.n > 0 && name.n <= ACCOUNT_NAME;
    for (size_t i = 0; i < name.n; i++)
        good &= (name.p[i] >= 'a' && name.p[i] <= 'z') || (name.p[i] >= '0' && name.p[i] <= '9');
    if (!good)
        return err_set(err, "%s: there is no section [%.*s]", place, STR_ARG(section));
    if (l->n_accounts == MAX_ACCOUNTS)
        return err_set(err, "%s: there are more than %d accounts", place, MAX_ACCOUNTS);
    add_account(l, arena_str(l->process, section).p, adapter);
    return true;
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
        return enter_section(l, place, *section, err);
    }
    if (!memchr(line.p, '=', line.n))
        return err_set(err, "%s:%d: neither [section] nor key = value", path, number);
    key = str_trim(str_cut(line, '=', &value));
    value = str_trim(value);
    struct field *f = NULL;
    for (int i = 0; i < l->n; i++)
        if (str_is(*section, str_of(l->at[i].section)) && str_is(key, str_of(l->at[i].o->key)))
            f = &l->at[i];
    if (!f && l->store_alone)
        return true;
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

static bool read_text(struct loading *l, const char *path, struct str text, struct err *err)
{
    struct str section = STR("");
    for (int number = 1; text.n; number++) {
        struct str line = str_trim(str_cut(text, '\n', &text));
        if (!utf8_ok(line) || memchr(line.p, 0, line.n))
            return err_set(err, "%s:%d: not UTF-8 text", path, number);
        if (!read_line(l, path, number, line, &section, err))
            return false;
    }
    return true;
}

/* KOIKOI_NETWORK_NAME_KEY, if it is an option of the network, begins the account NETWORK.NAME. */
static bool begins_account(struct loading *l, struct str name)
{
    bool file = name.n > 5 && str_is(str_skip(name, name.n - 5), STR("_FILE"));
    char low[VARIABLE_SIZE] = "";
    snprintf(low, sizeof low, "%.*s", (int)name.n - (file ? 5 : 0), name.p);
    for (char *p = low; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    struct str key, account, network, rest = str_skip(str_of(low), strlen("koikoi_"));
    network = str_cut(rest, '_', &rest);
    account = str_cut(rest, '_', &key);
    const struct adapter *adapter = registry_find(network);
    for (const struct option *o = adapter ? adapter->options : NULL; o && o->key; o++)
        if (str_is(key, str_of(o->key))) {
            struct str section =
                arena_print(l->process, "%.*s.%.*s", STR_ARG(network), STR_ARG(account));
            struct err none;
            int had = l->n_accounts;
            return enter_section(l, "", section, &none) && l->n_accounts > had;
        }
    return false;
}

static bool read_variable(struct loading *l, struct str name, struct str value, struct err *err)
{
    for (int i = 0; i < l->n; i++) {
        struct field *f = &l->at[i];
        char variable[VARIABLE_SIZE], from_file[VARIABLE_SIZE + 8];
        snprintf(variable, sizeof variable, "KOIKOI_%s%s%s", f->section, *f->section ? "_" : "",
                 f->o->key);
        for (char *p = variable; *p; p++)
            *p = (char)(*p == '-' || *p == '.' ? '_' : toupper((unsigned char)*p));
        snprintf(from_file, sizeof from_file, "%s_FILE", variable);
        bool direct = str_is(name, str_of(variable));
        if (!direct && !str_is(name, str_of(from_file)))
            continue;
        if (f->set && str_starts(str_of(f->place), STR("KOIKOI_")))
            return err_set(err, "%s and %s_FILE are both set", variable, variable);
        if (!direct) {
            f->file = arena_str(l->process, value).p;
            if (!read_bytes(f->file, l->process, &value, err))
                return err_wrap(err, "%s", from_file);
            value = str_trim(value);
        }
        f->set = true;
        f->value = arena_str(l->process, value);
        snprintf(f->place, sizeof f->place, "%.*s", STR_ARG(name));
        return true;
    }
    if (l->store_alone)
        return true;
    return begins_account(l, name) ? read_variable(l, name, value, err)
                                   : err_set(err, "%.*s: there is no such option", STR_ARG(name));
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

static bool read_environment(struct loading *l, struct err *err)
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

/* ---- checked values ---- */

/* How much of a value an error shows. */
static int shown(struct str v)
{
    return v.n < 60 ? (int)v.n : 60;
}

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

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Why a value is not what it was meant to be, if its look tells; else empty. */
static const char *mistaken(struct str v)
{
    for (size_t i = 1; i < v.n; i++)
        if ((v.p[i] == '#' || v.p[i] == ';') && is_blank(v.p[i - 1]))
            return ": comments stand on lines of their own";
    return "";
}

/* The whole of a file that the option KEY_FILE names. */
static bool is_whole_file(const struct field *f)
{
    struct str place = str_of(f->place);
    return place.n > 5 && str_is(str_skip(place, place.n - 5), STR("_FILE"));
}

/* What a line holds besides the value that its writer wants; NULL: nothing. */
static const char *beside_value(const struct field *f)
{
    static const struct {
        const char *open, *close;
    } quotes[] = {{"\"", "\""}, {"'", "'"}, {"“", "”"}, {"„", "“"},
                  {"„", "”"},   {"‘", "’"}, {"«", "»"}, {"「", "」"}};
    struct str v = f->value;
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
        struct str open = str_of(quotes[i].open), close = str_of(quotes[i].close);
        if (v.n >= open.n + close.n && str_starts(v, open) &&
            str_is(str_skip(v, v.n - close.n), close))
            return "the quotes would be part of the value: leave them out";
    }
    bool text = f->o->kind == OPTION_TEXT || f->o->kind == OPTION_SECRET;
    for (size_t i = 1; text && i + 1 < v.n; i++)
        if ((v.p[i] == '#' || v.p[i] == ';') && is_blank(v.p[i - 1]) && is_blank(v.p[i + 1]))
            return "the comment would be part of the value: comments stand on lines of their own";
    return NULL;
}

static bool apply(const struct field *f, struct arena *process, struct err *err)
{
    const struct option *o = f->o;
    struct str v = f->set ? f->value : str_of(o->fallback);
    void *at = (char *)f->base + o->offset;
    struct stat st;
    if (v.n > MAX_VALUE || !utf8_ok(v) || (v.n && memchr(v.p, 0, v.n)))
        return err_set(err, "%s: %s: not a text of at most %d bytes", f->place, o->key, MAX_VALUE);
    const char *beside = f->set && !is_whole_file(f) ? beside_value(f) : NULL;
    if (beside)
        return err_set(err, "%s: %s: %s", f->place, o->key, beside);
    switch (o->kind) {
    case OPTION_FOLDER:
        if (v.n && (stat(arena_str(process, v).p, &st) != 0 || !S_ISDIR(st.st_mode)))
            return err_set(err, "%s: %s: there is no folder %.*s%s", f->place, o->key, STR_ARG(v),
                           mistaken(v));
        /* fall through */
    case OPTION_TEXT:
    case OPTION_SECRET:
        *(struct str *)at = arena_str(process, v);
        return true;
    case OPTION_INT:
        return (str_int(v, at) && *(int64_t *)at >= o->min && *(int64_t *)at <= o->max) ||
               err_set(err, "%s: %s: expected a whole number from %ld to %ld, got %.*s%s", f->place,
                       o->key, o->min, o->max, shown(v), v.p, mistaken(v));
    case OPTION_BOOL:
        return bool_of(v, at) || err_set(err, "%s: %s: expected yes or no, got %.*s%s", f->place,
                                         o->key, shown(v), v.p, mistaken(v));
    }
    return true;
}

/* ---- accounts as a whole ---- */

/* "terminal,telegram.second": accounts by their names. The name of a network stands for all
 * accounts of it that are configured; without any, for the one that is called like it. */
static bool is_among(const struct loading *l, struct str list, const struct account *a)
{
    bool named = false, network = false, any = false;
    for (struct str rest = list; rest.n > 0;) {
        struct str word = str_cut(rest, ',', &rest);
        named |= str_is(word, a->name);
        network |= str_is(word, str_of(a->adapter->name));
    }
    for (int i = 0; i < l->n_accounts; i++)
        any |= l->account[i].adapter == a->adapter && a->adapter->configured(l->account[i].state);
    return network && any ? a->adapter->configured(a->state) : named;
}

static struct field *field_of(struct loading *l, const struct account *a, const char *key)
{
    for (int i = 0; i < l->n; i++)
        if (str_is(a->name, str_of(l->at[i].section)) &&
            (!key || strcmp(l->at[i].o->key, key) == 0) && l->at[i].set)
            return &l->at[i];
    return NULL;
}

static bool check_account(struct loading *l, int i, struct err *err)
{
    const struct account *a = &l->account[i];
    const struct field *set = field_of(l, a, NULL), *token = field_of(l, a, "token");
    /* Something is set, but not what its network needs: a token that did not arrive must not end in
     * a quiet terminal. */
    if (set && a->adapter->needs && !a->adapter->configured(a->state))
        return err_set(err, "[%s] is half set up (%s): %s is missing or empty", a->name.p,
                       set->place, a->adapter->needs);
    /* A token is one account's: two that ask for its news would take them from each other. */
    for (int k = 0; k < i && token && token->value.n > 0; k++) {
        const struct field *other = field_of(l, &l->account[k], "token");
        if (l->account[k].adapter == a->adapter && other && str_is(other->value, token->value))
            return err_set(err, "%s: token: the same as that of [%s]", token->place,
                           l->account[k].name.p);
    }
    return true;
}

/* Checks those that are asked for, or all, and takes those that are asked for or configured. */
static bool choose_accounts(struct loading *l, struct str only, struct config *c, struct err *err)
{
    c->n_accounts = 0;
    c->accounts = arena_array(l->process, struct account, (size_t)l->n_accounts + 1);
    for (int i = 0; i < l->n_accounts; i++) {
        const struct account *a = &l->account[i];
        bool asked = only.n && is_among(l, only, a);
        if ((asked || !only.n) && !check_account(l, i, err))
            return false;
        if (asked || (!only.n && a->adapter->configured(a->state)))
            c->accounts[c->n_accounts++] = *a;
    }
    c->terminal_unasked = c->n_accounts == 0 && only.n == 0;
    for (int i = 0; i < l->n_accounts && c->terminal_unasked; i++)
        if (str_is(l->account[i].name, STR("terminal")) || l->account[i].adapter->pages)
            c->accounts[c->n_accounts++] = l->account[i];
    return c->n_accounts > 0 || (only.n ? err_set(err, "there is no adapter %.*s", STR_ARG(only))
                                        : err_set(err, "no network is configured: nothing to do"));
}

/* ---- the whole ---- */

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
    struct stat st;
    return (stat(p, &st) == 0 && S_ISDIR(st.st_mode)) ||
           err_set(err, "state_dir: expected a folder, got %s", p);
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

static bool is_proxy(struct str s)
{
    static const char *const schemes[] = {"http://",    "https://",  "socks4://",
                                          "socks4a://", "socks5://", "socks5h://"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (str_starts(s, str_of(schemes[i])) && s.n > strlen(schemes[i]))
            return true;
    return str_is(s, STR("none"));
}

/* Where the store is, and its key. */
static bool settle_store(struct config *c, struct arena *process, struct err *err)
{
    if (c->state_dir.n == 0) {
        const char *service = getenv("STATE_DIRECTORY"); /* of systemd: with ':' between several */
        const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
        struct str others;
        if (service && *service == '/')
            c->state_dir = arena_str(process, str_cut(str_of(service), ':', &others));
        else if (state && *state == '/')
            c->state_dir = arena_print(process, "%s/koikoi", state);
        else if (home && *home == '/')
            c->state_dir = arena_print(process, "%s/.local/state/koikoi", home);
        else
            return err_set(err, "state_dir is not set, and there is no HOME to put it in");
    }
    if (c->store.n == 0)
        c->store = arena_print(process, "%.*s/koikoi.db", STR_ARG(c->state_dir));
    const char *credentials = getenv("CREDENTIALS_DIRECTORY");
    struct str key =
        credentials ? arena_print(process, "%s/" CREDENTIAL_OF_KEY, credentials) : STR("");
    if (c->key_file.n == 0 && key.n > 0 && file_exists(key.p))
        c->key_file = key;
    if (c->key_file.n == 0 && store_is_server(c->store))
        c->key_file = arena_print(process, "%.*s/koikoi.key", STR_ARG(c->state_dir));
    if (c->key_file.n == 0)
        c->key_file = arena_print(process, "%.*s.key", STR_ARG(c->store));
    if (c->language.n == 0)
        c->language = language_of_system(process);
    return store_check_name(c->store, err);
}

static bool settle(struct config *c, struct arena *process, struct err *err)
{
    if (!settle_store(c, process, err) || !make_folder(c->state_dir, process, err))
        return false;
    bool web = str_starts(c->beacon, STR("https://")) || str_starts(c->beacon, STR("http://"));
    if (c->beacon.n && (!web || c->beacon.n >= BEACON_MAX))
        return err_set(err, "beacon: expected an address https://... of at most %d bytes, got %.*s",
                       BEACON_MAX, STR_ARG(c->beacon));
    if (c->proxy.n > 0 && !is_proxy(c->proxy))
        return err_set(err, "proxy: expected http://HOST:PORT, https://HOST:PORT, "
                            "socks5h://HOST:PORT or none, got something else");
    bool answered = c->listen.n > 0 || c->metrics_listen.n > 0;
    for (int i = 0; i < c->n_accounts; i++)
        answered |= c->accounts[i].adapter->pages != NULL; /* beside these */
    if (c->metrics && !answered)
        return err_set(err,
                       "metrics: expected listen or metrics_listen beside it, the ADDRESS:PORT "
                       "where they are answered");
    if (c->metrics_listen.n > 0 && !c->metrics)
        return err_set(err, "metrics_listen: expected metrics = yes beside it");
    enum log_level level;
    enum log_format format;
    if (!log_format_of(c->log_format, &format))
        return err_set(err, "log_format: expected text, logfmt or json, got %.*s",
                       STR_ARG(c->log_format));
    return log_level_of(c->log_level, &level) ||
           err_set(err, "log_level: %.*s is none of error, warn, info, debug",
                   STR_ARG(c->log_level));
}

bool config_hears(const struct config *c, const struct account *account, struct err *err)
{
    const struct adapter *row = account->adapter;
    struct webhook hook;
    return c->listen.n > 0 || !row->webhook || !row->webhook(account->state, &hook) ||
           err_set(err, "listen: expected the ADDRESS:PORT where the webhook of [%.*s] is heard",
                   STR_ARG(account->name));
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

static bool parse(const char *path, struct str text, struct str only, bool store_alone,
                  struct arena *process, struct config *ret, struct err *err)
{
    struct config c = {0};
    struct loading *l = begin(process, store_alone, &c);
    if ((path && !read_text(l, path, text, err)) || !read_environment(l, err))
        return false;
    for (int i = 0; i < l->n; i++) {
        const struct field *f = &l->at[i];
        bool secret = f->o->kind == OPTION_SECRET || store_is_server(f->value);
        bool noted = !f->file || !secret || f->value.n == 0;
        if (!apply(f, process, err))
            return false;
        for (int k = 0; k < c.n_secret_files; k++)
            noted |= strcmp(c.secret_files[k], f->file ? f->file : "") == 0;
        if (!noted && c.n_secret_files < CONFIG_SECRET_FILES)
            c.secret_files[c.n_secret_files++] = f->file;
    }
    if (store_alone ? !settle_store(&c, process, err)
                    : !choose_accounts(l, only, &c, err) || !check_operators(&c, err) ||
                          !settle(&c, process, err))
        return false;
    *ret = c;
    return true;
}

bool config_parse(const char *path, struct str text, struct str only, struct arena *process,
                  struct config *ret, struct err *err)
{
    return parse(path, text, only, false, process, ret, err);
}

static bool load(struct str file, struct str only, bool store_alone, struct arena *process,
                 struct config *ret, struct err *err)
{
    static const char usual[] = "/etc/koikoi/koikoi.conf";
    struct str text = {0};
    const char *named = getenv("KOIKOI_CONFIG"), *path = file.n ? arena_str(process, file).p
                                                         : named && *named    ? named
                                                         : file_exists(usual) ? usual
                                                                              : NULL;
    return (!path || read_bytes(path, process, &text, err)) &&
           parse(path, text, only, store_alone, process, ret, err);
}

bool config_load(struct str file, struct str only, struct arena *process, struct config *ret,
                 struct err *err)
{
    return load(file, only, false, process, ret, err);
}

bool config_load_store(struct str file, struct arena *process, struct config *ret, struct err *err)
{
    return load(file, STR(""), true, process, ret, err);
}

struct str config_example(struct arena *a)
{
    struct config none;
    const struct loading *l = begin(a, false, &none);
    size_t cap = 64 * 1024;
    struct buf b = {arena_alloc(a, cap), 0, cap, false};
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

/* ---- secrets that others may read ---- */

/* A folder closed to others protects its files, whatever their own modes. */
static bool is_open_to_others(const char *path, struct arena *a)
{
    struct stat file, folder;
    struct str s = str_of(path);
    while (s.n && s.p[s.n - 1] != '/')
        s.n--;
    return stat(path, &file) == 0 && (file.st_mode & (S_IROTH | S_IWOTH)) != 0 &&
           stat(s.n ? arena_str(a, s).p : ".", &folder) == 0 && (folder.st_mode & S_IXOTH) != 0;
}

int config_exposed(const struct config *c, struct arena *a, const char *ret[static CONFIG_EXPOSED])
{
    const char *files[CONFIG_EXPOSED];
    int n = 0, found = 0;
    for (int i = 0; i < c->n_secret_files; i++)
        files[n++] = c->secret_files[i];
    if (!store_is_server(c->store)) {
        files[n++] = arena_str(a, c->store).p;
        files[n++] = arena_print(a, "%.*s-wal", STR_ARG(c->store)).p;
    }
    files[n++] = arena_str(a, c->key_file).p;
    for (int i = 0; i < n; i++)
        if (is_open_to_others(files[i], a))
            ret[found++] = files[i];
    return found;
}
