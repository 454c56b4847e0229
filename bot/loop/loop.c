/* See loop.h. A turn is: speak, ask, sleep, gather what came, write it down in one transaction. It
 * sleeps in one place (http_wait), and a turn that took more than 50 ms without sleeping is logged.
 *
 * loop_poll.c asks for news, loop_take.c writes down what was gathered, loop_away.c tells of a long
 * stop. */
#include "loop_parts.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>

enum {
    TURN_BYTES = 512 * 1024 * 1024,
    SLOW_MS = 50,
    DRAIN_MS = 5000,
    DUE_AT_ONCE = 100,
    SOON_MS = 5000,
    PRUNE_MS = 60 * 1000,
    SEARCH_BEHIND = 10,
    DRAWING_BEHIND = 2, /* somebody waits for it */
    PRUNE_MOST = 5000
};
static const int64_t HEARD_MS = 3 * 24 * 3600 * (int64_t)1000,
                     PICTURE_MS = 7 * 24 * 3600 * (int64_t)1000;

static int64_t machine_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- opening ---- */

static bool open_accounts(struct loop *l, struct err *err)
{
    const struct config *c = l->parts.config;
    l->poller = arena_array(l->parts.process, struct poller, (size_t)c->n_accounts + 1);
    for (int i = 0; i < c->n_accounts; i++) {
        struct account *a = &c->accounts[i];
        struct str cursor;
        if (!store_account(l->store, a->name, &a->id, err) ||
            !store_cursor(l->store, l->turn, a->id, &cursor, err))
            return false;
        if (!a->adapter->open(a->state, l->parts.process, &a->can, &a->limits, err))
            return false;
        l->poller[l->n_pollers++] =
            (struct poller){.kind = FLIGHT_POLL,
                            .account = a,
                            .fd = -1,
                            .cursor = cursor.n ? strndup(cursor.p, cursor.n) : NULL};
    }
    return true;
}

/* Pictures have a thread of their own: a search must not hold up a hand. */
static bool open_drawing(struct loop *l, struct err *err)
{
    const struct config *c = l->parts.config;
    bool any = false;
    for (int i = 0; i < c->n_accounts; i++)
        any |= (c->accounts[i].can & CAN_PICTURE) != 0;
    l->decks = decks_open(c->decks_dir);
    return !any || work_open(1, DRAWING_BEHIND, &l->drawing, err);
}

static bool open_parts(struct loop *l, struct err *err)
{
    const struct config *c = l->parts.config;
    if (!l->store && !store_open(c->store, &l->store, err))
        return false;
    if (!http_open(&l->http, err) || !work_open((int)c->threads, SEARCH_BEHIND, &l->work, err))
        return false;
    /* What a first start has to write down (accounts, the key of buttons) costs one commit. */
    if (!store_begin(l->store, err) || !open_accounts(l, err) || !open_drawing(l, err))
        return false;
    struct outbox_parts out = {.store = l->store,
                               .http = l->http,
                               .work = l->work,
                               .drawing = l->drawing,
                               .decks = l->decks,
                               .clock = l->clock,
                               .n_accounts = c->n_accounts,
                               .accounts = c->accounts};
    if (!outbox_open(&out, &l->outbox, err))
        return false;
    struct inbox_parts in = {.store = l->store,
                             .outbox = l->outbox,
                             .work = l->work,
                             .clock = l->clock,
                             .n_accounts = c->n_accounts,
                             .accounts = c->accounts,
                             .rules_dir = c->rules_dir,
                             .texts_dir = c->texts_dir,
                             .default_rules = c->rules,
                             .default_language = c->language,
                             .think_ms = c->think_ms};
    return hook_open(l, err) && inbox_open(&in, &l->inbox, err) && away_open(l, err) &&
           store_soonest_due(l->store, &l->soonest, err) && store_commit(l->store, err);
}

/* SIGTERM and SIGINT are read from a descriptor; a broken pipe and a lost terminal are no reason to
 * die. */
static bool watch_signals(struct loop *l, struct err *err)
{
    sigset_t set;
    signal(SIGPIPE, SIG_IGN);
    if (l->parts.no_signals)
        return true;
    signal(SIGHUP, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL); /* before the workers start: they inherit it */
    l->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return l->signals >= 0 || err_set(err, "signals: %s", strerror(errno));
}

bool loop_open(const struct loop_parts *parts, struct loop **ret, struct err *err)
{
    struct loop *l = calloc(1, sizeof *l);
    assert(l);
    l->parts = *parts;
    l->clock = parts->clock ? parts->clock : &clock_of_machine;
    l->store = parts->store;
    l->turn = arena_open(TURN_BYTES);
    l->news_end = &l->news;
    l->finished_end = &l->finished;
    l->signals = -1;
    if (!watch_signals(l, err) || !open_parts(l, err)) {
        loop_close(l);
        return false;
    }
    arena_reset(l->turn);
    *ret = l;
    return true;
}

void loop_close(struct loop *l)
{
    if (!l)
        return;
    server_close(l->server);
    inbox_close(l->inbox);
    outbox_close(l->outbox);
    work_close(l->work);
    work_close(l->drawing);
    decks_close(l->decks);
    for (int i = 0; i < l->n_pollers; i++) {
        l->poller[i].account->adapter->close(l->poller[i].account->state);
        free(l->poller[i].cursor);
    }
    http_close(l->http);
    store_close(l->store);
    arena_close(l->turn);
    if (l->signals >= 0)
        close(l->signals);
    free(l);
}

/* ---- a turn ---- */

static void ask(struct loop *l)
{
    int64_t now = loop_now(l);
    for (int i = 0; i < l->n_pollers; i++) {
        struct poller *p = &l->poller[i];
        if (!p->flying && !p->dead && !p->over && p->not_before <= now && !l->stopping &&
            !outbox_long(l->outbox, p->account))
            poll_start(l, p);
    }
}

static void gather_due(struct loop *l)
{
    struct err err;
    int64_t now = loop_now(l);
    if (l->due.n || l->soonest == 0 || l->soonest > now || l->stopping || l->away_ms)
        return;
    if (!store_due(l->store, l->turn, now, DUE_AT_ONCE, &l->due, &err)) {
        l->due.n = 0;
        l->soonest = now + 1000;
        log_line(LOG_ERROR, "deadlines_failed", "why", err.text, NULL);
    }
}

static void gather_replies(struct loop *l)
{
    struct http_done done;
    while (http_take(l->http, &done)) {
        enum flight *kind = done.tag;
        done.reply.now = loop_now(l);
        if (*kind == FLIGHT_POLL)
            poll_read(l, (struct poller *)kind, &done.reply);
        else
            outbox_reply(l->outbox, l->turn, kind, &done.reply);
    }
}

static void gather_jobs(struct loop *l)
{
    struct job_done done;
    while (work_take(l->work, l->turn, &done)) {
        struct finished *f = arena_new(l->turn, struct finished);
        f->done = done;
        *l->finished_end = f;
        l->finished_end = &f->next;
    }
    while (l->drawing && work_take(l->drawing, l->turn, &done))
        outbox_drawn(l->outbox, &done);
}

static void take_signal(struct loop *l)
{
    struct signalfd_siginfo info;
    sigset_t set;
    if (read(l->signals, &info, sizeof info) != sizeof info)
        return;
    log_line(LOG_INFO, "stopping", NULL);
    signal(SIGTERM, SIG_DFL); /* the second one ends the process at once */
    signal(SIGINT, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    loop_stop(l);
}

/* True if nothing but the clock, or somebody outside, can make anything happen. */
static bool nothing_under_way(const struct loop *l)
{
    if (l->retry_at > loop_now(l))
        return http_running(l->http) == 0; /* the store is ill: all waits for it */
    return http_running(l->http) == 0 && !outbox_unsettled(l->outbox) && !take_wanted(l) &&
           work_waiting(l->work) == 0 && (!l->drawing || work_waiting(l->drawing) == 0);
}

/* True if, besides, nothing will happen soon: the computer takes a moment before it moves. */
static bool at_rest(const struct loop *l)
{
    return nothing_under_way(l) && (l->soonest == 0 || l->soonest > loop_now(l) + SOON_MS);
}

static bool all_over(const struct loop *l)
{
    for (int i = 0; i < l->n_pollers; i++)
        if (!l->poller[i].over)
            return false;
    return true;
}

/* Descriptors to watch: workers, signals, and what accounts asked for. */
static int fill_fds(const struct loop *l, struct pollfd *fds, struct poller **who)
{
    int n = 0;
    fds[n++] = (struct pollfd){.fd = work_fd(l->work), .events = POLLIN};
    fds[n++] =
        (struct pollfd){.fd = l->signals >= 0 ? l->signals : work_fd(l->work), .events = POLLIN};
    who[n] = NULL;
    fds[n++] = (struct pollfd){.fd = work_fd(l->drawing ? l->drawing : l->work), .events = POLLIN};
    for (int i = 0; i < l->n_pollers && n < FEW; i++)
        if (l->poller[i].flying && l->poller[i].fd >= 0 && (!l->poller[i].patient || at_rest(l))) {
            who[n] = &l->poller[i];
            fds[n++] = (struct pollfd){.fd = l->poller[i].fd, .events = POLLIN};
        }
    if (l->server) {
        who[n] = NULL;
        fds[n++] = (struct pollfd){.fd = server_fd(l->server), .events = POLLIN};
    }
    return n;
}

static void sleep_and_gather(struct loop *l, int wait_ms)
{
    struct pollfd fds[FEW + 1];
    struct poller *who[FEW + 1];
    int n = fill_fds(l, fds, who);
    if (l->server && server_wait(l->server) < wait_ms)
        wait_ms = server_wait(l->server);
    http_wait(l->http, fds, n, wait_ms);
    if (l->signals >= 0 && fds[1].revents)
        take_signal(l);
    for (int i = 2; i < n; i++)
        if (fds[i].revents && who[i] && who[i]->flying) {
            struct reply ready = {.retry_after_ms = -1, .now = loop_now(l)};
            poll_read(l, who[i], &ready);
        }
    gather_replies(l);
    hook_gather(l);
    if (fds[0].revents || fds[2].revents)
        gather_jobs(l);
}

static int64_t next_moment(const struct loop *l)
{
    if (l->retry_at)
        return l->retry_at;
    int64_t next = outbox_next(l->outbox), polls = poll_next(l);
    if (polls < next)
        next = polls;
    if (l->soonest && !l->stopping && l->soonest < next)
        next = l->soonest;
    return next;
}

static void prune(struct loop *l)
{
    struct err err;
    int64_t now = loop_now(l);
    if (now < l->pruned + PRUNE_MS)
        return;
    l->pruned = now;
    if (!store_forget_heard(l->store, now - HEARD_MS, PRUNE_MOST, &err) ||
        !store_forget_pictures(l->store, now - PICTURE_MS, &err) || !away_stamp(l, &err)) {
        log_line(LOG_WARN, "prune_failed", "why", err.text, NULL);
        store_rollback(l->store);
    }
}

static int time_to_wait(struct loop *l, int wait_ms)
{
    int64_t now = loop_now(l), next = next_moment(l);
    if (!l->retry_at && take_wanted(l))
        return 0;
    return next <= now ? 0 : next - now < wait_ms ? (int)(next - now) : wait_ms;
}

static void say_slow(int64_t since, const char *what)
{
    int64_t ms = machine_ms() - since;
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)ms);
    if (ms > SLOW_MS)
        log_line(LOG_WARN, "slow_step", "what", what, "ms", text, NULL);
}

static bool some_account_lives(const struct loop *l)
{
    for (int i = 0; i < l->n_pollers; i++)
        if (!l->poller[i].dead)
            return true;
    return false;
}

bool loop_turn(struct loop *l, int wait_ms, struct err *err)
{
    int64_t since = machine_ms();
    if (!l->retry_at) {
        gather_due(l);
        outbox_pump(l->outbox, l->turn);
        ask(l); /* last: asked before them, it would be answered with what the first of many
                   brings */
    }
    say_slow(since, "send");
    int wait = time_to_wait(l, wait_ms);
    if (wait > 0 && outbox_quiet(l->outbox) && !l->retry_at) {
        store_idle(l->store);
        prune(l);
    }
    if (wait > 0 && l->parts.idle && nothing_under_way(l)) {
        sleep_and_gather(l, 0);
        if (nothing_under_way(l) && !l->stopping)
            l->parts.idle(l->parts.idle_arg, next_moment(l) == INT64_MAX ? 0 : next_moment(l));
    } else {
        sleep_and_gather(l, wait);
    }
    since = machine_ms();
    bool settle = l->parts.idle && outbox_unsettled(l->outbox) && http_running(l->http) == 0;
    if ((take_wanted(l) || settle) && l->retry_at <= loop_now(l))
        take_gathered(l);
    say_slow(since, "take");
    if (!l->news && !l->finished && l->due.n == 0)
        arena_reset(l->turn);
    if (all_over(l) && at_rest(l))
        loop_stop(l);
    return some_account_lives(l) || err_set(err, "no account is left that works");
}

void loop_stop(struct loop *l)
{
    if (l->stopping)
        return;
    l->stopping = true;
    l->give_up_at = machine_ms() + DRAIN_MS;
    for (int i = 0; i < l->n_pollers; i++)
        poll_stop(l, &l->poller[i]);
}

bool loop_run(struct loop *l, struct err *err)
{
    bool ok = true;
    while (ok && !l->stopping)
        ok = loop_turn(l, 60 * 1000, err);
    while (ok && machine_ms() < l->give_up_at && !(outbox_quiet(l->outbox) && !take_wanted(l)))
        ok = loop_turn(l, 100, err);
    if (ok)
        take_gathered(l);
    return ok;
}
