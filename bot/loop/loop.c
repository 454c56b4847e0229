/* See loop.h. A turn: send, poll, sleep, gather what came, handle it in one transaction. It sleeps
 * in one place (http_wait); a step of more than 50 ms without sleeping is logged. The other files,
 * in the order of calls: loop_internal.h. */
#include "loop_internal.h"
#include "clock.h"

#include "alloc.h"

#include <signal.h>
#include <sys/signalfd.h>

enum {
    SLOW_MS = 50,
    DRAIN_MS = 5000,
    AWAY_MS = 3000,    /* so much of it a store that is away does not get */
    REGROUP_MS = 2000, /* sends in flight are waited for so long before accounts change hands */
    DUE_AT_ONCE = 100,
    FDS_MOST = 64, /* descriptors to watch; three more at the end */
    SOON_MS = 5000,
    TRIM_ABOVE = 1024 * 1024 /* bytes of an answer */
};

static void gather_replies(struct loop *l)
{
    struct http_done done;
    while (http_take(l->http, &done)) {
        enum flight *kind = done.tag;
        l->trim |= done.reply.body.n > TRIM_ABOVE;
        done.reply.now = loop_wall(l);
        if (*kind == FLIGHT_POLL)
            poll_read(l, (struct poller *)kind, &done.reply);
        else if (*kind == FLIGHT_BESIDE)
            poll_read_beside(l, (struct beside *)kind, &done.reply);
        else if (*kind == FLIGHT_BEACON)
            beacon_read(l, kind, &done.reply);
        else if (*kind == FLIGHT_PROOF)
            web_proved(l->serving.web, kind, &done.reply);
        else
            outbox_reply(l->outbox, l->turn, kind, &done.reply);
    }
}

static void gather_jobs(struct loop *l)
{
    struct job_done done;
    while (work_next(l->work, l->turn, &done))
        gather_job(&l->gathered, l->turn, &done);
    while (l->drawing && work_next(l->drawing, l->turn, &done))
        if (done.tag == WEB_JOB)
            web_drawn(l->serving.web, &done);
        else
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
    if (l->waiting.retry_at > loop_mono(l))
        return http_running(l->http) == 0; /* the store is broken: all waits for it */
    return http_running(l->http) == 0 && !outbox_unsettled(l->outbox) && !handle_wanted(l) &&
           work_waiting(l->work) == 0 && (!l->drawing || work_waiting(l->drawing) == 0);
}

/* True if, besides, no deadline is near: the computer takes a moment before it moves. */
static bool at_rest(const struct loop *l)
{
    return nothing_under_way(l) &&
           (l->waiting.soonest == 0 || l->waiting.soonest > loop_wall(l) + SOON_MS);
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
    for (int i = 0; i < l->polling.n && n < FDS_MOST - 1; i++)
        if (l->polling.at[i].in_flight && l->polling.at[i].fd >= 0 &&
            (!l->polling.at[i].patient || at_rest(l))) {
            who[n] = &l->polling.at[i];
            fds[n++] = (struct pollfd){.fd = l->polling.at[i].fd, .events = POLLIN};
        }
    const struct server *servers[] = {l->serving.server, l->serving.questions,
                                      l->serving.web ? web_server(l->serving.web) : NULL};
    for (int i = 0; i < 3; i++)
        if (servers[i]) {
            who[n] = NULL;
            fds[n++] = (struct pollfd){.fd = server_fd(servers[i]), .events = POLLIN};
        }
    if (l->supervised.health) {
        who[n] = NULL;
        fds[n++] = (struct pollfd){.fd = health_fd(l->supervised.health), .events = POLLIN};
    }
    return n;
}

static void log_slow(const struct loop *l, int64_t since, const char *what)
{
    int64_t ms = clock_awake_ms() - since;
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)ms);
    if (ms > SLOW_MS && l->standby.ours && !l->waiting.failures)
        log_line(LOG_WARN, "slow_step", "what", what, "#ms", text, NULL);
}

static void sleep_and_gather(struct loop *l, int wait_ms)
{
    struct pollfd fds[FDS_MOST + 3];
    struct poller *who[FDS_MOST + 3];
    const struct server *servers[] = {l->serving.server, l->serving.questions};
    int n = fill_fds(l, fds, who);
    for (int i = 0; i < 2; i++)
        if (servers[i] && server_wait(servers[i]) < wait_ms)
            wait_ms = server_wait(servers[i]);
    if (l->serving.web && web_wait(l->serving.web) < wait_ms)
        wait_ms = web_wait(l->serving.web);
    http_wait(l->http, fds, n, wait_ms);
    if (l->signals >= 0 && fds[1].revents)
        read_signal(l);
    for (int i = 2; i < n; i++)
        if (fds[i].revents && who[i] && who[i]->in_flight) {
            struct reply ready = {.retry_after_ms = -1, .now = loop_wall(l)};
            poll_read(l, who[i], &ready);
        }
    int64_t since = clock_awake_ms();
    gather_replies(l);
    webhook_gather(l);
    log_slow(l, since, "gather");
    if (l->supervised.health && fds[n - 1].revents)
        question_answer_all(l);
    if (fds[0].revents || fds[2].revents)
        gather_jobs(l);
}

/* Monotonic ms; INT64_MAX: nothing waits for the clock. */
static int64_t next_moment(const struct loop *l)
{
    if (l->waiting.retry_at)
        return l->waiting.retry_at;
    int64_t next = outbox_next(l->outbox), polls = poll_next(l);
    if (polls < next)
        next = polls;
    if (l->waiting.soonest && !l->stopping &&
        l->waiting.soonest - loop_wall(l) + loop_mono(l) < next)
        next = l->waiting.soonest - loop_wall(l) + loop_mono(l);
    return next;
}

/* A server that is away is logged once, by whoever keeps its store. */
static void log_failed(const struct loop *l, const char *event, const struct err *err)
{
    if (!store_is_server(l->parts.config->store) || !store_broken(l->store))
        log_line(LOG_ERROR, event, "why", err->text, NULL);
}

/* Where more waits, the answer comes while we send; elsewhere polls are last: earlier, the answer would
 * be what the first of many messages causes. Returns true if one of these is under way. */
static bool start_polls(struct loop *l, bool early)
{
    bool asked = false;
    for (int i = 0; i < l->polling.n; i++) {
        struct poller *p = &l->polling.at[i];
        if (p->early != early)
            continue;
        if (poll_may(l, p) && p->not_before <= loop_mono(l))
            poll_start(l, p);
        asked |= p->in_flight;
    }
    return asked;
}

/* Looks for what is due here, or was left for us by others, and starts what may be sent. */
static void look_and_send(struct loop *l)
{
    struct err err;
    int64_t now = loop_wall(l);
    standby_look(l);
    if (store_take_failure(l->store, &err)) {
        l->gathered.dates = true; /* the transaction looks again */
        log_failed(l, "look_failed", &err);
    }
    if (l->gathered.due.n == 0 && l->waiting.soonest > 0 && l->waiting.soonest <= now &&
        !l->stopping && !downtime_pending(&l->downtime)) {
        l->gathered.dates = true;
        l->gathered.due = store_due(l->store, l->turn, now, DUE_AT_ONCE);
    }
    if (store_take_failure(l->store, &err)) {
        l->waiting.soonest = now + 1000;
        log_failed(l, "deadlines_failed", &err);
    }
    outbox_expect(l->outbox, start_polls(l, true));
    outbox_pump(l->outbox, l->turn);
    beacon_start(l);
    (void)start_polls(l, false);
}

bool loop_turn(struct loop *l, int wait_ms, struct err *err)
{
    int64_t since = clock_awake_ms();
    supervise_beat(l, since);
    downtime_watch(&l->downtime, l->clock, INT64_MAX);
    if (standby_keep(l) && !l->waiting.retry_at && !l->standby.regroup)
        look_and_send(l);
    log_slow(l, since, "send");
    int64_t now = loop_mono(l), next = next_moment(l);
    int wait = supervise_wait(l, wait_ms);
    if (next - now < wait)
        wait = next > now ? (int)(next - now) : 0;
    if ((!l->waiting.retry_at && handle_wanted(l)) || prune_forgetting(l) || question_recounting(l))
        wait = 0;
    if (wait > 0 && outbox_quiet(l->outbox) && !l->waiting.retry_at) {
        store_idle(l->store);
        prune_idle(l);
    }
    int64_t until = loop_mono(l) + wait;
    if (wait > 0 && l->parts.idle && nothing_under_way(l)) {
        sleep_and_gather(l, 0);
        next = next_moment(l);
        until = next > until ? next : until;
        if (nothing_under_way(l) && !l->stopping)
            l->parts.idle(l->parts.idle_arg,
                          next == INT64_MAX ? 0 : next - loop_mono(l) + loop_wall(l));
    } else {
        sleep_and_gather(l, wait);
    }
    downtime_watch(&l->downtime, l->clock, until);
    since = clock_awake_ms();
    bool settle = l->parts.idle && outbox_unsettled(l->outbox) && http_running(l->http) == 0;
    if ((handle_wanted(l) || settle) && l->standby.ours && l->waiting.retry_at <= loop_mono(l))
        handle_gathered(l);
    log_slow(l, since, "handle");
    since = clock_awake_ms();
    prune_forget_step(l);
    log_slow(l, since, "forget");
    since = clock_awake_ms();
    question_recount_step(l);
    log_slow(l, since, "recount");
    if (l->warm_at && since >= l->warm_at) {
        pictures_warm(l->decks, l->drawing, l->turn);
        l->warm_at = 0;
    }
    if (!l->gathered.news && !l->gathered.finished && l->gathered.due.n == 0) {
        arena_reset(l->turn);
        if (l->trim)
            alloc_trim(); /* a parsed answer takes many times its bytes */
        l->trim = false;
    }
    bool over = true, rests = false, lives = false;
    for (int i = 0; i < l->polling.n; i++)
        if (!l->polling.at[i].account->away) {
            bool serves = l->polling.at[i].account->adapter->pages; /* it brings no news */
            over &= l->polling.at[i].over || serves;
            rests |= serves;
            lives |= !l->polling.at[i].dead;
        }
    if (over && (!rests || l->parts.config->terminal_unasked) && at_rest(l))
        loop_stop(l);
    if (store_damaged(l->store, err))
        return store_stale(l->store) ? false : loop_fails(l, LOOP_WITHOUT_STORE);
    if (lives)
        return true;
    err_set(err, "no account is left that works: the log says why each was refused");
    return loop_fails(l, LOOP_REFUSED);
}

bool loop_wants_again(const struct loop *l)
{
    return !l->stopping && (store_stale(l->store) || l->standby.regroup);
}

void loop_stop(struct loop *l)
{
    if (l->stopping)
        return;
    l->stopping = true;
    supervise_tell(l, "STOPPING=1");
    l->give_up_at = clock_awake_ms() + DRAIN_MS;
    for (int i = 0; i < l->polling.n; i++)
        poll_stop(l, &l->polling.at[i]);
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
    while (ok && clock_awake_ms() + (l->standby.ours ? 0 : AWAY_MS) < l->give_up_at &&
           !(outbox_quiet(l->outbox) && !handle_wanted(l)))
        ok = loop_turn(l, 100, err);
    if (ok && l->standby.ours)
        handle_gathered(l);
    return ok || (l->stopping && store_stale(l->store)); /* another daemon goes on with it */
}
