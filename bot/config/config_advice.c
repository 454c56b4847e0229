/* What a configuration that can be used does not say aloud: options that work, and that their host
 * would hardly want, a row each. For doctor and check-config. */
#include "config.h"

#include "store.h"

#include <stdlib.h>
#include <sys/stat.h>

struct advising {
    const struct config *c;
    struct arena *a;
    struct str *at;
    int n;
};

static void __attribute__((format(printf, 2, 3)))
advise(struct advising *to, const char *format, ...)
{
    va_list args;
    if (to->n == CONFIG_ADVICE)
        return;
    va_start(args, format);
    to->at[to->n++] = arena_print_args(to->a, format, args);
    va_end(args);
}

/* Also the path of a socket. */
static bool is_this_machine(struct str host)
{
    return host.n == 0 || host.p[0] == '/' || str_starts(host, STR("127.")) ||
           str_starts(host, STR("%2F")) || str_is(host, STR("localhost")) ||
           str_is(host, STR("::1"));
}

static struct str text_of(const struct account *account, const struct option *o)
{
    bool text = o->kind != OPTION_INT && o->kind != OPTION_BOOL;
    return text ? *(const struct str *)((const char *)account->state + o->offset) : STR("");
}

static void plain_http(struct advising *to)
{
    for (int i = 0; i < to->c->n_accounts; i++) {
        const struct account *account = &to->c->accounts[i];
        for (const struct option *o = account->adapter->options; o && o->key; o++) {
            struct str url = text_of(account, o), host = str_url_host(url);
            if (str_starts(url, STR("http://")) && !is_this_machine(host))
                advise(to,
                       "[%.*s] %s: tokens and hands go to %.*s in the clear, for whoever is on the "
                       "way: https://, or the same machine",
                       STR_ARG(account->name), o->key, STR_ARG(host));
        }
    }
}

static void weak_secret(struct advising *to)
{
    enum { DIFFERENT = 8 };
    for (int i = 0; i < to->c->n_accounts; i++) {
        const struct account *account = &to->c->accounts[i];
        for (const struct option *o = account->adapter->options; o && o->key; o++) {
            struct str secret = text_of(account, o);
            int n = 0;
            for (size_t k = 0; k < secret.n; k++)
                n += !memchr(secret.p, secret.p[k], k);
            if (strcmp(o->key, "webhook_secret") == 0 && secret.n > 0 && n < DIFFERENT)
                advise(to,
                       "[%.*s] webhook_secret: easy to guess, and whoever knows it speaks for "
                       "everybody: openssl rand -hex 32 makes one",
                       STR_ARG(account->name));
        }
    }
}

static void open_metrics(struct advising *to)
{
    struct str at = to->c->metrics_listen.n > 0 ? to->c->metrics_listen : to->c->listen;
    if (to->c->metrics && (str_starts(at, STR("0.0.0.0:")) || str_starts(at, STR("[::]:"))))
        advise(to, "metrics: answered at every address of this machine, to whoever asks: "
                   "metrics_listen = 127.0.0.1:PORT keeps them here");
}

static void plain_database(struct advising *to)
{
    struct str store = to->c->store;
    const char *mode = getenv("PGSSLMODE");
    bool named = memmem(store.p, store.n, "sslmode=", 8) || (mode && *mode);
    bool here = true;
    for (struct str rest = str_url_hosts(store); rest.n > 0;)
        here = is_this_machine(str_url_host(str_cut(rest, ',', &rest))) && here;
    if (store_is_server(store) && !named && !here)
        advise(to,
               "store: without sslmode= the password and all hands may cross the network in the "
               "clear: add ?sslmode=verify-full (or require, if its certificate is its own)");
}

/* What everybody shares, as /tmp, must stay open: the store needs a folder of its own. */
static void open_folder(struct advising *to)
{
    struct stat st;
    struct str dir = to->c->state_dir;
    if (stat(arena_str(to->a, dir).p, &st) != 0 || (st.st_mode & S_IWOTH) == 0)
        return;
    if (st.st_mode & S_ISVTX)
        advise(to,
               "state_dir: %.*s is everybody's, and anybody may put another store there first: "
               "name a folder of its own, such as /var/lib/koikoi",
               STR_ARG(dir));
    else
        advise(to,
               "state_dir: anybody on this machine may write into %.*s, and put another store "
               "there: chmod o-w %.*s",
               STR_ARG(dir), STR_ARG(dir));
}

/* A network that is not set up, or no person of it. */
static void vain_operators(struct advising *to)
{
    struct str rest = to->c->operators;
    for (struct str word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        struct str id, network = str_cut(word, ':', &id);
        const struct adapter *adapter = NULL;
        for (int i = 0; i < to->c->n_accounts; i++)
            if (str_is(network, str_of(to->c->accounts[i].adapter->name)))
                adapter = to->c->accounts[i].adapter;
        if (!adapter)
            advise(to, "operators: %.*s is never met, since no account of %.*s is set up",
                   STR_ARG(word), STR_ARG(network));
        else if (adapter->person && !adapter->person(id))
            advise(to, "operators: %.*s is never met: expected an id such as %s:%s", STR_ARG(word),
                   adapter->name, adapter->person_like);
    }
}

int config_advice(const struct config *c, struct arena *a, struct str ret[static CONFIG_ADVICE])
{
    static void (*const rows[])(struct advising * to) = {
        plain_http, weak_secret, open_metrics, plain_database, open_folder, vain_operators};
    struct advising to = {.c = c, .a = a, .at = ret};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        rows[i](&to);
    return to.n;
}
