/* See loop.h. A turn: send, poll, sleep, gather what came, handle it in one transaction. It sleeps
 * in one place (http_wait); a step of more than 50 ms without sleeping is logged.
 *
 * loop_open.c opens and closes all parts, loop_poll.c polls, loop_beacon.c carries the requests of
 * the beacon's client, loop_webhook.c is the server, loop_supervise.c tells what watches the daemon
 * that it lives and knows of other daemons, loop_handle.c has the transaction and loop_event.c one
 * event of it, loop_attempt.c isolates updates that end the process, loop_away.c follows long stops
 * and jumps of the wall clock, loop_prune.c deletes old rows. */
#include "loop_internal.h"
#include "clock.h"

#include "alloc.h"

#include <signal.h>
#include <sys/signalfd.h>

enum {
    SLOW_MS = 50,
    DRAIN_MS = 5000,
    REGROUP_MS =
        2000, /* the longest that sends in flight are waited for before accounts change hands */
    DUE_AT_ONCE = 100,
    SOON_MS = 5000,
    TRIM_ABOVE = 1024 * 1024 /* bytes of an answer */
};

static void poll_networks(struct loop *l)
{
    int64_t now = loop_mono(l);
    beacon_start(l);
    for (int i = 0; i < l->n_pollers; i++) {
        struct poller *p = &l->poller[i];
        if (!p->in_flight && !p->dead && !p->over && poll_is_ours(p) && p->not_before <= now &&
            !l->stopping && !outbox_long(l->outbox, p->account))
            poll_start(l, p);
    }
}

static void gather_due(struct loop *l)
{
    struct err err;
    int64_t now = loop_wall(l);
    if (l->due.n || l->soonest == 0 || l->soonest > now || l->stopping || away_pending(l))
        return;
    l->dates_due = true;
    l->due = store_due(l->store, l->turn, now, DUE_AT_ONCE);
    if (store_take_failure(l->store, &err)) {
        l->soonest = now + 1000;
        log_line(LOG_ERROR, "deadlines_failed", "why", err.text, NULL);
    }
}

/* What others have left for us must not wait for the next thing that happens here. */
static void look_around(struct loop *l)
{
    struct err err;
    standby_look(l);
    if (!store_take_failure(l->store, &err))
        return;
    l->dates_due = true; /* the transaction looks again */
    log_line(LOG_ERROR, "look_failed", "why", err.text, NULL);
}

static void gather_replies(struct loop *l)
{
    struct http_done done;
    while (http_take(l->http, &done)) {
        enum flight *kind = done.tag;
        l->trim |= done.reply.body.n > TRIM_ABOVE;
        done.reply.now = loop_wall(l);
        if (*kind == FLIGHT_POLL)
            poll_read(l, (struct poller *)kind, &done.reply);
        else if (*kind == FLIGHT_BEACON)
            beacon_read(l, kind, &done.reply);
        else
            outbox_reply(l->outbox, l->turn, kind, &done.reply);
    }
}

static void gather_jobs(struct loop *l)
{
    struct job_done done;
    while (work_next(l->work, l->turn, &done)) {
        struct finished *f = arena_new(l->turn, struct finished);
        f->done = done;
        *l->finished_end = f;
        l->finished_end = &f->next;
    }
    while (l->drawing && work_next(l->drawing, l->turn, &done))
        outbox_drawn(l->outbox, &done);
}

static void read_signal(struct loop *l)
{
    struct signalfd_siginfo info;
    sigset_t set;
    if (read(l->signals, &info, sizeof info) != sizeof info)
        return;
    if (info.ssi_signo == SIGHUP) {
        reload_config(l);
        return;
    }
    log_line(LOG_INFO, "stopping", NULL);
    signal(SIGTERM, SIG_DFL); /* the second one ends the process at once */
    signal(SIGINT, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    loop_stop(l);
}

/* True if only the clock or an event from outside can lead to work. */
static bool nothing_under_way(const struct loop *l)
{
    if (l->retry_at > loop_mono(l))
        return http_running(l->http) == 0; /* the store is broken: all waits for it */
    return http_running(l->http) == 0 && !outbox_unsettled(l->outbox) && !handle_wanted(l) &&
           work_waiting(l->work) == 0 && (!l->drawing || work_waiting(l->drawing) == 0);
}

/* True if, besides, no deadline is near: the computer takes a moment before it moves. */
static bool at_rest(const struct loop *l)
{
    return nothing_under_way(l) && (l->soonest == 0 || l->soonest > loop_wall(l) + SOON_MS);
}

static bool all_over(const struct loop *l)
{
    for (int i = 0; i < l->n_pollers; i++)
        if (!l->poller[i].over && !l->poller[i].account->away)
            return false;
    return true;
}

/* Descriptors to watch: workers, signals, accounts, the server. */
static int fill_fds(const struct loop *l, struct pollfd *fds, struct poller **who)
{
    int n = 0;
    fds[n++] = (struct pollfd){.fd = work_fd(l->work), .events = POLLIN};
    fds[n++] =
        (struct pollfd){.fd = l->signals >= 0 ? l->signals : work_fd(l->work), .events = POLLIN};
    who[n] = NULL;
    fds[n++] = (struct pollfd){.fd = work_fd(l->drawing ? l->drawing : l->work), .events = POLLIN};
    for (int i = 0; i < l->n_pollers && n < FEW - 1; i++)
        if (l->poller[i].in_flight && l->poller[i].fd >= 0 &&
            (!l->poller[i].patient || at_rest(l))) {
            who[n] = &l->poller[i];
            fds[n++] = (struct pollfd){.fd = l->poller[i].fd, .events = POLLIN};
        }
    const struct server *servers[] = {l->server, l->questions};
    for (int i = 0; i < 2; i++)
        if (servers[i]) {
            who[n] = NULL;
            fds[n++] = (struct pollfd){.fd = server_fd(servers[i]), .events = POLLIN};
        }
    if (l->health) {
        who[n] = NULL;
        fds[n++] = (struct pollfd){.fd = health_fd(l->health), .events = POLLIN};
    }
    return n;
}

static void sleep_and_gather(struct loop *l, int wait_ms)
{
    struct pollfd fds[FEW + 2];
    struct poller *who[FEW + 2];
    const struct server *servers[] = {l->server, l->questions};
    int n = fill_fds(l, fds, who);
    for (int i = 0; i < 2; i++)
        if (servers[i] && server_wait(servers[i]) < wait_ms)
            wait_ms = server_wait(servers[i]);
    http_wait(l->http, fds, n, wait_ms);
    if (l->signals >= 0 && fds[1].revents)
        read_signal(l);
    for (int i = 2; i < n; i++)
        if (fds[i].revents && who[i] && who[i]->in_flight) {
            struct reply ready = {.retry_after_ms = -1, .now = loop_wall(l)};
            poll_read(l, who[i], &ready);
        }
    gather_replies(l);
    webhook_gather(l);
    if (l->health && fds[n - 1].revents)
        supervise_answer(l);
    if (fds[0].revents || fds[2].revents)
        gather_jobs(l);
}

/* Monotonic ms; INT64_MAX: nothing waits for the clock. */
static int64_t next_moment(const struct loop *l)
{
    if (l->retry_at)
        return l->retry_at;
    int64_t next = outbox_next(l->outbox), polls = poll_next(l), beacon = beacon_next(l);
    if (polls < next)
        next = polls;
    if (beacon < next)
        next = beacon;
    if (l->soonest && !l->stopping && l->soonest - loop_wall(l) + loop_mono(l) < next)
        next = l->soonest - loop_wall(l) + loop_mono(l);
    return next;
}

/* The same by the wall clock; 0: nothing waits for the clock. */
static int64_t next_wall_moment(const struct loop *l)
{
    int64_t next = next_moment(l);
    return next == INT64_MAX ? 0 : next - loop_mono(l) + loop_wall(l);
}

static int time_to_wait(struct loop *l, int wait_ms)
{
    int64_t now = loop_mono(l), next = next_moment(l);
    if ((!l->retry_at && handle_wanted(l)) || prune_forgetting(l))
        return 0;
    return next <= now ? 0 : next - now < wait_ms ? (int)(next - now) : wait_ms;
}

static void log_slow(int64_t since, const char *what)
{
    int64_t ms = clock_awake_ms() - since;
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)ms);
    if (ms > SLOW_MS)
        log_line(LOG_WARN, "slow_step", "what", what, "ms", text, NULL);
}

static bool some_account_lives(const struct loop *l)
{
    for (int i = 0; i < l->n_pollers; i++)
        if (!l->poller[i].dead && !l->poller[i].account->away)
            return true;
    return false;
}

bool loop_turn(struct loop *l, int wait_ms, struct err *err)
{
    int64_t since = clock_awake_ms();
    supervise_beat(l, since);
    away_watch(l, INT64_MAX);
    if (standby_keep(l) && !l->retry_at && !l->standby.regroup) {
        look_around(l);
        gather_due(l);
        outbox_pump(l->outbox, l->turn);
        poll_networks(
            l); /* last: earlier, the answer would be what the first of many messages causes */
    }
    log_slow(since, "send");
    int wait = time_to_wait(l, standby_wait(l, supervise_wait(l, wait_ms)));
    if (wait > 0 && outbox_quiet(l->outbox) && !l->retry_at) {
        store_idle(l->store);
        prune_idle(l);
    }
    int64_t until = loop_mono(l) + wait;
    if (wait > 0 && l->parts.idle && nothing_under_way(l)) {
        sleep_and_gather(l, 0);
        until = next_moment(l) > until ? next_moment(l) : until;
        if (nothing_under_way(l) && !l->stopping)
            l->parts.idle(l->parts.idle_arg, next_wall_moment(l));
    } else {
        sleep_and_gather(l, wait);
    }
    away_watch(l, until);
    since = clock_awake_ms();
    bool settle = l->parts.idle && outbox_unsettled(l->outbox) && http_running(l->http) == 0;
    if ((handle_wanted(l) || settle) && l->retry_at <= loop_mono(l))
        handle_gathered(l);
    log_slow(since, "handle");
    since = clock_awake_ms();
    prune_forget_step(l);
    log_slow(since, "forget");
    if (!l->news && !l->finished && l->due.n == 0) {
        arena_reset(l->turn);
        if (l->trim)
            alloc_trim(); /* a parsed answer takes many times its bytes */
        l->trim = false;
    }
    if (all_over(l) && at_rest(l))
        loop_stop(l);
    if (store_damaged(l->store, err))
        return false;
    return some_account_lives(l) || err_set(err, "no account is left that works");
}

bool loop_wants_again(const struct loop *l)
{
    return store_stale(l->store) || (l->standby.regroup && !l->stopping);
}

void loop_stop(struct loop *l)
{
    if (l->stopping)
        return;
    l->stopping = true;
    supervise_tell(l, "STOPPING=1");
    l->give_up_at = clock_awake_ms() + DRAIN_MS;
    for (int i = 0; i < l->n_pollers; i++)
        poll_stop(l, &l->poller[i]);
}

bool loop_run(struct loop *l, struct err *err)
{
    bool ok = true;
    supervise_tell(l, "READY=1");
    while (ok && !l->stopping && !l->standby.regroup)
        ok = loop_turn(l, 60 * 1000, err);
    for (int64_t until = clock_awake_ms() + REGROUP_MS;
         ok && !l->stopping && clock_awake_ms() < until &&
         (outbox_in_flight(l->outbox) > 0 || outbox_unsettled(l->outbox));)
        ok = loop_turn(l, 20, err);
    while (ok && clock_awake_ms() < l->give_up_at &&
           !(outbox_quiet(l->outbox) && !handle_wanted(l)))
        ok = loop_turn(l, 100, err);
    if (ok)
        handle_gathered(l);
    return ok;
}
