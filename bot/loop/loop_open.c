/* Opens the parts of the loop in their order, reads their options again, and closes them. */
#include "loop_internal.h"

#include "alloc.h"
#include "embedded.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>

enum {
    TURN_BYTES = 512 * 1024 * 1024,
    RELOAD_BYTES = 64 * 1024 * 1024,
    SEARCH_BEHIND = 10, /* niceness of the threads that search, and of the one that draws: */
    DRAWING_BEHIND = 2, /* a person waits for the picture */
    WARM_MS = 2000      /* after a start */
};

static bool open_accounts(struct loop *l, struct err *err)
{
    const struct config *c = l->parts.config;
    l->polling.at = arena_array(l->parts.process, struct poller, (size_t)c->n_accounts + 1);
    l->vaults = vaults_open(l->store, arena_str(l->turn, c->key_file).p, c->n_accounts);
    for (int i = 0; i < c->n_accounts; i++) {
        struct account *a = &c->accounts[i];
        a->id = store_account(l->store, a->name);
        struct str cursor = store_cursor(l->store, l->turn, a->id);
        if (store_take_failure(l->store, err))
            return false;
        a->away = !store_holds(l->store, i);
        if (a->adapter->keep && !a->away)
            a->adapter->keep(a->state, vaults_of(l->vaults, i, a->id));
        if (!registry_open(a, l->parts.process, err))
            return loop_fails(l, LOOP_MISCONFIGURED);
        l->polling.at[l->polling.n++] =
            (struct poller){.kind = FLIGHT_POLL,
                            .account = a,
                            .fd = -1,
                            .cursor = cursor.n ? alloc_text(cursor) : NULL};
        if (!a->away)
            attempt_open(l, &l->polling.at[l->polling.n - 1]);
    }
    return true;
}

static struct inbox_parts inbox_parts_of(const struct loop *l, const struct config *c)
{
    return (struct inbox_parts){.store = l->store,
                                .outbox = l->outbox,
                                .work = l->work,
                                .clock = l->clock,
                                .n_accounts = c->n_accounts,
                                .accounts = c->accounts,
                                .rules_dir = c->rules_dir,
                                .texts_dir = c->texts_dir,
                                .default_rules = c->rules,
                                .default_language = c->language,
                                .operators = c->operators,
                                .think_ms = c->think_ms,
                                .beacon = l->polling.beacon};
}

static bool open_parts(struct loop *l, struct err *err)
{
    const struct config *c = l->parts.config;
    if (!http_open(&l->http, err))
        return false;
    if (!http_use(l->http, c->ca_file, c->proxy, err))
        return loop_fails(l, LOOP_MISCONFIGURED);
    if (!standby_open(l, err) || !work_open((int)c->threads, SEARCH_BEHIND, &l->work, err))
        return false;
    store_set_meanwhile(l->store, http_meanwhile, l->http);
    /* A first start writes accounts and the key of buttons in one commit. */
    store_begin(l->store);
    if (!open_accounts(l, err))
        return false;
    bool shown = false, paged = false;
    for (int i = 0; i < c->n_accounts; i++) {
        shown |= (c->accounts[i].can & CAN_PICTURE) != 0;
        paged |= c->accounts[i].adapter->pages != NULL;
    }
    l->decks = decks_open(c->decks_dir);
    /* on a thread of their own, so that a search does not delay a hand */
    if ((shown || paged) && !work_open(1, DRAWING_BEHIND, &l->drawing, err))
        return false;
    l->warm_at = shown ? clock_awake_ms() + WARM_MS : 0;
    struct outbox_parts out = {.store = l->store,
                               .http = l->http,
                               .work = l->work,
                               .drawing = l->drawing,
                               .decks = l->decks,
                               .clock = l->clock,
                               .n_accounts = c->n_accounts,
                               .accounts = c->accounts};
    l->outbox = outbox_open(&out);
    l->polling.beacon = c->beacon.n ? beacon_client_open(c->beacon) : NULL;
    struct inbox_parts in = inbox_parts_of(l, c);
    if (!webhook_open(l, err))
        return false;
    if (!inbox_open(&in, &l->inbox, err)) /* a file of rules or texts */
        return store_failed(l->store) ? false : loop_fails(l, LOOP_MISCONFIGURED);
    downtime_open(l);
    loop_look_soonest(l);
    /* a start that cannot listen leaves no mark: it is no update that ended it */
    return pages_open(l, err) && store_commit(l->store, err);
}

/* SIGTERM, SIGINT and SIGHUP are read from a descriptor; SIGPIPE is ignored. So is SIGXFSZ: a file
 * that may not grow is a full disk, and the write fails. */
static bool watch_signals(struct loop *l, struct err *err)
{
    sigset_t set;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (l->parts.no_signals)
        return true;
    sigemptyset(&set);
    if (l->parts.reload)
        sigaddset(&set, SIGHUP);
    else
        signal(SIGHUP, SIG_IGN);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL); /* before the workers start: they inherit it */
    l->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return l->signals >= 0 || err_set(err, "signals: %s", strerror(errno));
}

/* ---- options, again ---- */

static bool take_over(struct loop *l, struct arena *a, struct err *err)
{
    struct config fresh = {0}, next = *l->parts.config;
    const char *kept[CONFIG_OWN];
    enum log_level level;
    enum log_format format;
    if (!l->parts.reload(l->parts.reload_arg, a, &fresh, err))
        return false;
    int n = config_adopt(&next, &fresh, kept);
    struct inbox_parts parts = inbox_parts_of(l, &next);
    if (!inbox_reload(l->inbox, &parts, err))
        return false;
    l->config = next;
    l->parts.config = &l->config;
    /* the log is the process's, not the loop's: its level changes with the configuration */
    if (log_level_of(next.log_level, &level))
        log_open(level);
    if (log_format_of(next.log_format, &format))
        log_set_format(format);
    for (int i = 0; i < n; i++)
        log_line(LOG_WARN, "restart_needed", "option", kept[i], NULL);
    return true;
}

void reload_config(struct loop *l)
{
    struct err err = {""};
    struct arena *a = arena_open(RELOAD_BYTES);
    (void)health_tell_reloading();
    if (take_over(l, a, &err)) {
        arena_close(l->config_arena);
        l->config_arena = a;
        log_line(LOG_INFO, "reloaded", NULL);
    } else {
        arena_close(a);
        log_line(LOG_ERROR, "reload_failed", "why", err.text, NULL);
    }
    supervise_tell(l, "READY=1");
}

/* ---- all of it ---- */

bool loop_open(const struct loop_parts *parts, struct loop **ret, struct err *err)
{
    struct loop *l = alloc_zeroed(sizeof *l);
    l->parts = *parts;
    l->clock = parts->clock ? parts->clock : &clock_of_machine;
    l->store = parts->store;
    l->turn = arena_open(TURN_BYTES);
    l->scratch = arena_open(TURN_BYTES);
    l->signals = -1;
    l->started = loop_wall(l);
    if (!watch_signals(l, err) || !open_parts(l, err)) {
        if (parts->ret_again)
            *parts->ret_again = standby_again(l, err);
        loop_close(l);
        return false;
    }
    struct str networks = STR("");
    for (int i = 0; i < l->polling.n; i++)
        if (!l->polling.at[i].account->away)
            networks = arena_print(l->turn, "%.*s%s%.*s", STR_ARG(networks), networks.n ? "," : "",
                                   STR_ARG(l->polling.at[i].account->name));
    log_line(LOG_INFO, "started", "version", KOIKOI_VERSION, "commit",
             arena_str(l->turn, embedded_commit()).p, "#schema",
             arena_print(l->turn, "%d", store_schema_newest()).p, "store",
             store_shown(l->turn, l->parts.config->store).p, "networks", networks.p, NULL);
    arena_reset(l->turn);
    if (l->standby.reload)
        reload_config(l);
    *ret = l;
    return true;
}

void loop_close(struct loop *l)
{
    if (!l)
        return;
    web_close(l->serving.web);
    server_close(l->serving.server);
    server_close(l->serving.questions);
    question_close(l);
    health_close(l->supervised.health);
    inbox_close(l->inbox);
    beacon_client_close(l->polling.beacon);
    outbox_close(l->outbox);
    work_close(l->work);
    work_close(l->drawing);
    decks_close(l->decks);
    for (int i = 0; i < l->polling.n; i++) {
        l->polling.at[i].account->adapter->close(l->polling.at[i].account->state);
        free(l->polling.at[i].cursor);
    }
    if (l->store)
        store_set_meanwhile(l->store, NULL, NULL);
    http_close(l->http);
    vaults_close(l->vaults);
    store_close(l->store);
    arena_close(l->turn);
    arena_close(l->scratch);
    arena_close(l->config_arena);
    if (l->signals >= 0)
        close(l->signals);
    free(l);
}
