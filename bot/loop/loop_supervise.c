/* See loop_supervise.h. */
#include "loop_internal.h"

#include "metrics.h"
#include "supervisor.h"

void supervise_open(struct loop *l)
{
    const struct str folder = l->parts.config->state_dir;
    struct err err = {""};
    l->watchdog_ms = supervisor_watchdog_ms();
    if (folder.n > 0 && !health_open(arena_print(l->turn, "%.*s/" HEALTH_SOCKET, STR_ARG(folder)).p,
                                     &l->health, &err))
        log_line(LOG_WARN, "health_failed", "why", err.text, NULL);
}

void supervise_tell(const struct loop *l, const char *message)
{
    if (!l->parts.no_signals) /* a loop inside of a test is no service */
        (void)supervisor_tell(message);
}

void supervise_beat(struct loop *l, int64_t now)
{
    if (l->watchdog_ms == 0 || now < l->beat_at)
        return;
    supervise_tell(l, "WATCHDOG=1");
    l->beat_at = now + l->watchdog_ms;
}

int supervise_wait(const struct loop *l, int wait_ms)
{
    return l->watchdog_ms > 0 && l->watchdog_ms < wait_ms ? (int)l->watchdog_ms : wait_ms;
}

void supervise_answer(struct loop *l)
{
    struct metrics m;
    char line[HEALTH_LINE];
    metrics_count(l, &m);
    const char *broken = metrics_trouble(&m);
    snprintf(line, sizeof line, "%s", broken ? broken : "ok\n");
    health_answer(l->health, line);
}
