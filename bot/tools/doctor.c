/* `koikoi check-config`, which opens no store and sends nothing; see tool.h.
 *
 * `koikoi doctor`: check of the configuration and of every network in it. Prints one line a check,
 * and what to do about each fault. The adapter gives the requests (adapter.examine); this file
 * sends them one at a time and prints the findings. It changes no row and takes no updates, so it
 * may run beside the daemon. */
#include "tool.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "account_vault.h"
#include "clock.h"
#include "embedded.h"
#include "http.h"
#include "loop.h"
#include "server.h"
#include "ruleset_file.h"
#include "store_host.h"
#include "texts.h"

enum { QUESTIONS = 64, WAIT_MOST_MS = 60000 };

static struct reply asked(struct http *http, const struct request *question, int64_t wait_ms)
{
    struct http_done done;
    int64_t due = clock_mono(&clock_of_machine) + wait_ms, now;
    while ((now = clock_mono(&clock_of_machine)) < due)
        http_wait(http, NULL, 0, (int)(due - now));
    http_start(http, question, http);
    while (!http_take(http, &done))
        http_wait(http, NULL, 0, 1000);
    done.reply.now = clock_now(&clock_of_machine);
    return done.reply;
}

static bool examine_account(const struct account *a, const struct exam *exam, struct http *http,
                            struct arena *arena)
{
    static const char *const words[] = {
        [FOUND_FINE] = "fine  ", [FOUND_ADVICE] = "advice", [FOUND_WRONG] = "wrong "};
    struct reply reply;
    bool well = true;
    if (a->adapter->exam)
        a->adapter->exam(a->state, exam);
    else if (exam->set_profile)
        printf("  advice  name and picture of this account cannot be set from here\n");
    for (int i = 0; i < QUESTIONS; i++) {
        struct request next = {.kind = REQUEST_NONE};
        struct findings found = {0};
        a->adapter->examine(a->state, arena, i > 0 ? &reply : NULL, &next, &found);
        for (int k = 0; k < found.n; k++) {
            printf("  %s  %.*s\n", words[found.at[k].found], STR_ARG(found.at[k].text));
            well &= found.at[k].found != FOUND_WRONG;
        }
        if (next.kind != REQUEST_HTTP)
            break;
        reply = asked(http, &next, found.wait_ms < WAIT_MOST_MS ? found.wait_ms : WAIT_MOST_MS);
        reply.body = arena_str(arena, reply.body);
        reply.why = arena_str(arena, reply.why);
    }
    return well;
}

static struct str cursor_of(const struct store_health *health, struct str account)
{
    for (int i = 0; i < health->n_cursors; i++)
        if (str_is(health->cursor[i].account, account))
            return health->cursor[i].cursor;
    return STR("");
}

/* Whether the daemon could begin to listen there; while one has the store, it is that one that does. */
static bool can_listen(struct tool *t, const char *option, struct str listen, struct err *err)
{
    struct server *server;
    if (listen.n == 0 || store_holders(t->a, t->config.store).n > 0)
        return true;
    if (!server_open(listen, &server_usual, NULL, NULL, &server, err))
        return err_wrap(err, "%s", option);
    server_close(server);
    return true;
}

/* What its news and its pages are heard at, as the daemon judges it once the account is open. */
static bool can_hear(const struct config *c, const struct account *account, struct err *err)
{
    struct pages pages;
    const struct adapter *row = account->adapter;
    if (!config_hears(c, account, err))
        return false;
    return !row->pages || !row->pages(account->state, &pages) ||
           ((server_check_address(pages.listen, err) || err_wrap(err, "[web] listen")) &&
            (server_check_proxies(pages.proxies, err) || err_wrap(err, "[web] trusted_proxy")));
}

static bool examine_all(struct tool *t, const struct exam *asked, const struct store_health *health,
                        struct err *err)
{
    const struct config *config = &t->config;
    struct arena *arena = t->a;
    struct http *http;
    bool well = true;
    if (!http_open(&http, err))
        return false;
    if (!http_use(http, config->ca_file, config->proxy, err)) {
        http_close(http);
        return false;
    }
    for (int i = 0; i < config->n_accounts; i++) {
        struct account *a = &t->config.accounts[i];
        struct str own;
        struct exam exam = *asked;
        exam.cursor = cursor_of(health, a->name);
        (void)str_cut(a->name, '.', &own);
        printf("%s%s%.*s\n", a->adapter->title, own.n ? " " : "", STR_ARG(own));
        if (!registry_open(a, arena, err)) {
            printf("  wrong   %s\n", err->text);
            well = false;
            continue;
        }
        struct pages pages;
        bool shows = a->adapter->pages && a->adapter->pages(a->state, &pages);
        if (!can_hear(config, a, err) || (shows && !config->terminal_unasked &&
                                          !can_listen(t, "[web] listen", pages.listen, err))) {
            printf("  wrong   %s\n", err->text);
            well = false;
        }
        if (a->adapter->examine)
            well &= examine_account(a, &exam, http, arena);
        else
            printf("  fine    the options can be used\n");
        a->adapter->close(a->state);
    }
    http_close(http);
    return well;
}

/* A store needs files beside it; folders that are missing are made. On failure errno is set. */
static bool can_write(struct str store, struct arena *a)
{
    if (store_is_server(store))
        return true;
    do {
        while (store.n > 0 && store.p[store.n - 1] != '/')
            store.n--;
        while (store.n > 1 && store.p[store.n - 1] == '/')
            store.n--;
        const char *folder = store.n > 0 ? arena_str(a, store).p : ".";
        if (access(folder, W_OK | X_OK) == 0)
            return true;
    } while (errno == ENOENT && store.n > 1);
    return false;
}

static bool say_version(int64_t schema)
{
    bool older = schema < store_schema_newest();
    printf("  %s  its schema is %lld, that of this program %d: %s\n", older ? "fine  " : "wrong ",
           (long long)schema, store_schema_newest(),
           older ? "the next start brings it up to date" : "it belongs to a newer koikoi");
    return older;
}

/* Beside a daemon that has the store open, too. */
static bool examine_store(const struct config *config, struct arena *arena,
                          struct store_health *ret)
{
    struct err err;
    printf("store\n");
    bool readable = store_examine(config->store, arena, ret, &err);
    for (int i = 0; i < ret->n_hosts; i++)
        printf("  %s  %.*s\n", ret->host[i].well ? "fine  " : "advice", STR_ARG(ret->host[i].is));
    if (!readable) {
        printf("  wrong   %s\n", err.text);
        return false;
    }
    if (!can_write(config->store, arena)) {
        printf("  wrong   its folder cannot be written: %s\n", strerror(errno));
        return false;
    }
    if (!ret->exists) {
        printf("  fine    there is none yet\n");
        return true;
    }
    if (ret->schema != store_schema_newest())
        return say_version(ret->schema);
    for (int i = 0; i < ret->damaged.n; i++)
        printf("  wrong   match %lld is damaged: the checksum of its row or record does not hold\n",
               (long long)ret->damaged.at[i]);
    if (ret->quarantined)
        printf("  advice  %lld damaged matches were set aside: `koikoi quarantine`\n",
               (long long)ret->quarantined);
    bool open, locked = ret->sealed > 0 && !vault_key_exists(config->key_file.p, &open);
    if (locked)
        printf("  wrong   %.*s is missing: without it the keys in the store cannot be opened\n",
               STR_ARG(config->key_file));
    if (ret->damaged.n == 0)
        printf("  fine    it is sound: %lld matches\n", (long long)ret->sessions);
    return ret->damaged.n == 0 && !locked;
}

static void print_advice(struct tool *t, const char *head)
{
    struct str advice[CONFIG_ADVICE];
    int n = config_advice(&t->config, t->a, advice);
    for (int i = 0; i < n; i++)
        printf("%s%.*s\n", head, STR_ARG(advice[i]));
}

/* The way out, as the daemon will open it. */
static bool check_way(const struct config *c, struct err *err)
{
    struct http *http;
    if (!http_open(&http, err))
        return false;
    bool good = http_use(http, c->ca_file, c->proxy, err);
    http_close(http);
    return good;
}

/* Files of rules and texts, as the daemon will read them. */
static bool check_files(const struct tool *t, struct err *err)
{
    const struct config *c = &t->config;
    struct rules rules[RULESETS_MOST];
    struct languages texts;
    return ruleset_file_all(c->rules_dir, c->rules, rules, err) > 0 &&
           texts_load(c->texts_dir, c->language, true, t->a, &texts, err);
}

enum tool_status doctor_main(struct tool *t)
{
    struct exam exam = {.name = STR("Koi-Koi"), .picture = embedded_find(STR("decks/profile.png"))};
    const struct tool_option option = {"--set-profile", .flag = &exam.set_profile};
    struct err err = {""};
    if (!tool_options(t, &option, 1) || t->argc > 0)
        return TOOL_USAGE;
    if (!config_load(t->config_file, STR(""), t->a, &t->config, &err)) {
        printf("configuration\n  wrong   %s\n", err.text);
        return TOOL_BAD;
    }
    printf("configuration\n  fine    it can be read\n");
    const char *files[CONFIG_EXPOSED];
    int n = config_exposed(&t->config, t->a, files);
    for (int i = 0; i < n; i++)
        printf("  advice  anybody on this machine may read or change %s: chmod o-rwx %s\n",
               files[i], files[i]);
    if (n == 0)
        printf("  fine    others cannot read its secrets\n");
    print_advice(t, "  advice  ");
    bool files_good = check_files(t, &err);
    if (!files_good)
        printf("  wrong   %s\n", err.text);
    bool listens = loop_check_listen(&t->config, &err) &&
                   can_listen(t, "listen", t->config.listen, &err) &&
                   can_listen(t, "metrics_listen", t->config.metrics_listen, &err);
    if (!listens)
        printf("  wrong   %s\n", err.text);
    struct store_health health = {.exists = false};
    bool store = examine_store(&t->config, t->a, &health);
    exam.has_keys = health.sealed > 0;
    bool well = examine_all(t, &exam, &health, &t->err);
    return well && store && listens && files_good ? TOOL_GOOD : TOOL_BAD;
}

enum tool_status check_config_main(struct tool *t)
{
    const struct config *c = &t->config;
    if (!check_files(t, &t->err) || !check_way(c, &t->err) || !loop_check_listen(c, &t->err))
        return TOOL_BAD;
    for (int i = 0; i < c->n_accounts; i++) { /* a network checks its options as it opens */
        struct account *account = &c->accounts[i];
        if (!registry_open(account, t->a, &t->err))
            return TOOL_BAD;
        bool heard = can_hear(c, account, &t->err);
        account->adapter->close(account->state);
        if (!heard)
            return TOOL_BAD;
    }
    struct str shown = store_shown(t->a, c->store);
    printf("store     %.*s\nnetworks  ", STR_ARG(shown));
    for (int i = 0; i < c->n_accounts; i++)
        printf("%s%.*s", i ? ", " : "", STR_ARG(c->accounts[i].name));
    printf("\nrules     %.*s\nlanguage  %.*s\n", STR_ARG(c->rules), STR_ARG(c->language));
    print_advice(t, "advice    ");
    return TOOL_GOOD;
}
