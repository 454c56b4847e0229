/* Requests of the public beacon's client, if one is configured. A value that came is handled as a
 * finished job is. */
#include "loop_internal.h"

void beacon_start(struct loop *l)
{
    struct request request;
    void *tag;
    while (l->beacon && !l->stopping &&
           (tag = beacon_client_ask(l->beacon, loop_mono(l), l->turn, &request)))
        http_start(l->http, &request, tag);
}

void beacon_read(struct loop *l, void *tag, const struct reply *reply)
{
    struct err err = {""};
    bool good = beacon_client_reply(l->beacon, tag, loop_mono(l), reply, &err);
    if (good && l->beacon_failing)
        log_line(LOG_INFO, "beacon_works_again", NULL);
    if (!good && !l->beacon_failing)
        log_line(LOG_WARN, "beacon_failed", "why", err.text, NULL);
    l->beacon_failing = !good;
    struct job_done done;
    while (beacon_client_next(l->beacon, l->turn, &done)) {
        struct finished *f = arena_new(l->turn, struct finished);
        f->done = done;
        *l->finished_end = f;
        l->finished_end = &f->next;
    }
}

int64_t beacon_next(const struct loop *l)
{
    return l->beacon && !l->stopping ? beacon_client_due(l->beacon) : INT64_MAX;
}
