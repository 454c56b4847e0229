/* What watches the daemon from outside: the service manager, which wants to hear that it is ready,
 * that it is alive and that it stops, and the host's commands (loop_question.c). The loop itself
 * answers both, so that one that hangs is found out. And other daemons on the same store of a
 * server: each has some of the accounts, or stands by (bot/store/db).
 *
 * A daemon that stands by, or waits for a server that is away, has opened no network; it sleeps in
 * http_wait() as the loop does, answers questions and obeys SIGTERM. One that plays asks the
 * store four times a second whether its accounts are still its own, and so before it sends or polls
 * after the machine or the process was stopped. */
#include "loop_internal.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>

enum { ASK_AGAIN_MS = 250, SOCKET_LOOK_MS = 5000 };

/* Without its socket `koikoi health` fails, and the daemon plays on. */
static void open_socket(struct loop *l, bool tell)
{
    const struct str folder = l->parts.config->state_dir;
    char path[PATH_MAX];
    struct err err = {""};
    if (folder.n == 0)
        return;
    snprintf(path, sizeof path, "%.*s/" HEALTH_SOCKET, STR_ARG(folder));
    if (!health_open(path, &l->supervised.health, &err) && tell)
        log_line(LOG_WARN, "health_failed", "why", err.text, NULL);
}

static void supervise_open(struct loop *l)
{
    l->supervised.watchdog_ms = health_watchdog_ms();
    l->supervised.look_at = clock_awake_ms() + SOCKET_LOOK_MS;
    open_socket(l, true);
}

/* The loop turns each minute at least, so that a socket whose file was removed is missed no longer. */
static void keep_socket(struct loop *l, int64_t now)
{
    struct supervised *s = &l->supervised;
    if (now < s->look_at)
        return;
    s->look_at = now + SOCKET_LOOK_MS;
    if (s->health && health_reachable(s->health))
        return;
    bool stood = s->health != NULL;
    health_close(s->health);
    s->health = NULL;
    open_socket(l, stood);
}

void supervise_tell(const struct loop *l, const char *message)
{
    if (!l->parts.no_signals) /* a loop inside of a test is no service */
        (void)health_tell(message);
}

void supervise_beat(struct loop *l, int64_t now)
{
    keep_socket(l, now);
    if (l->supervised.watchdog_ms == 0 || now < l->supervised.beat_at)
        return;
    supervise_tell(l, "WATCHDOG=1");
    l->supervised.beat_at = now + l->supervised.watchdog_ms;
}

/* ---- other daemons ---- */

/* Of the machine, also where the loop runs on a simulated clock: the server's does not stop. */
static int64_t machine_ms(void)
{
    return clock_mono(&clock_of_machine);
}

static bool wait_for_turn(void *arg, const char *holder, const char *away)
{
    struct loop *l = arg;
    struct pollfd fds[2];
    struct signalfd_siginfo info;
    struct health_question asked;
    int n = 0;
    if (!l->standby.waited) {
        l->standby.waited = true;
        supervise_open(l);
        supervise_tell(l, "READY=1");
    }
    if (!away && !l->standby.told)
        log_line(LOG_INFO, "standing_by", "store", store_shown(l->turn, l->parts.config->store).p,
                 "holder", holder, NULL);
    l->standby.told |= !away;
    supervise_beat(l, clock_awake_ms());
    if (l->signals >= 0)
        fds[n++] = (struct pollfd){.fd = l->signals, .events = POLLIN};
    if (l->supervised.health)
        fds[n++] = (struct pollfd){.fd = health_fd(l->supervised.health), .events = POLLIN};
    http_wait(l->http, fds, n, STORE_LOOK_MS);
    while (l->supervised.health && health_next(l->supervised.health, &asked))
        question_answer_waiting(l, &asked, holder, away);
    if (l->signals < 0 || read(l->signals, &info, sizeof info) != sizeof info)
        return true;
    l->standby.reload |= info.ssi_signo == SIGHUP;
    l->stopping = info.ssi_signo != SIGHUP;
    return !l->stopping;
}

static bool still_ours(void *arg)
{
    struct loop *l = arg;
    (void)standby_keep(l);
    return !store_stale(l->store);
}

bool standby_open(struct loop *l, struct err *err)
{
    const struct config *c = l->parts.config;
    struct str *names = arena_array(l->parts.process, struct str, (size_t)c->n_accounts + 1);
    struct str *bots = arena_array(l->parts.process, struct str, (size_t)c->n_accounts + 1);
    for (int i = 0; i < c->n_accounts; i++) {
        const struct account *a = &c->accounts[i];
        names[i] = a->name;
        bots[i] = a->adapter->bot ? a->adapter->bot(a->state) : STR("");
    }
    bool useless = false;
    const struct store_turn turn = {c->n_accounts, names, wait_for_turn, l, bots, &useless};
    if (!l->store && !store_open_in_turn(c->store, &turn, &l->store, err)) {
        if (l->stopping)
            err->text[0] = '\0';
        return useless ? loop_fails(l, LOOP_WITHOUT_STORE) : false;
    }
    if (!l->standby.waited)
        supervise_open(l);
    http_set_may(l->http, still_ours, l);
    return true;
}

bool standby_again(struct loop *l, struct err *err)
{
    if (!l->store || !store_is_server(l->parts.config->store) || !store_faltered(l->store))
        return false;
    if (wait_for_turn(l, "", err->text))
        return true;
    err->text[0] = '\0';
    return false;
}

bool standby_keep(struct loop *l)
{
    struct err err = {""};
    int64_t now = machine_ms();
    int ms;
    if (now < l->standby.ask_at)
        return l->standby.ours;
    bool failed = l->standby.ask_at > 0 && !l->standby.ours;
    l->standby.ours = store_keep(l->store, &ms, &err);
    l->standby.ask_at = machine_ms() + (l->standby.ours ? ms : ASK_AGAIN_MS);
    if (!l->standby.ours && !failed && !l->waiting.failures && !store_stale(l->store))
        log_line(LOG_ERROR, "store_failed", "why", err.text, NULL);
    if (l->standby.ours && failed && l->waiting.retry_at)
        l->waiting.retry_at = loop_mono(l);
    if (l->standby.ours && failed && !l->waiting.failures)
        log_line(LOG_INFO, "store_works_again", NULL);
    if (l->standby.ours && store_regroup(l->store) && !l->standby.regroup && !l->stopping) {
        log_line(LOG_INFO, "regroups", "why", "daemons came or went", NULL);
        l->standby.regroup = true;
    }
    if (l->standby.ours && store_is_server(l->parts.config->store))
        attempt_look(l); /* a command on another machine has no other way to be heard */
    return l->standby.ours;
}

void loop_look_soonest(struct loop *l)
{
    int64_t soonest = store_soonest_due(l->store);
    if (!store_failed(l->store))
        l->waiting.soonest = soonest;
}

void standby_look(struct loop *l)
{
    l->standby.look |= store_foreign(l->store);
    if (!l->standby.look)
        return;
    outbox_look(l->outbox);
    if (l->serving.web)
        web_look(l->serving.web);
    loop_look_soonest(l);
    l->standby.look = store_failed(l->store);
}

int supervise_wait(const struct loop *l, int wait_ms)
{
    int64_t left = l->standby.ask_at - machine_ms();
    if (l->supervised.watchdog_ms > 0 && l->supervised.watchdog_ms < wait_ms)
        wait_ms = (int)l->supervised.watchdog_ms;
    return left >= wait_ms ? wait_ms : left > 0 ? (int)left : 0;
}
