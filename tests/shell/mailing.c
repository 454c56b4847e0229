/* See mailing.h. */
#include "shell/mailing.h"

#include "shell/scratch.h"

void mailing_replies(const struct mailing *m)
{
    struct http_done done;
    http_wait(m->http, NULL, 0, 1000);
    while (http_take(m->http, &done)) {
        done.reply.now = clock_now(m->clock);
        outbox_reply(m->outbox, m->turn, done.tag, &done.reply);
    }
}

void mailing_settle(const struct mailing *m)
{
    struct err err;
    OK(store_begin(m->store, &err));
    OK(outbox_settle(m->outbox, m->never, NULL, m->turn, &err));
    OK(store_commit(m->store, &err));
    outbox_commit(m->outbox);
}

void mailing_go(const struct mailing *m)
{
    for (;;) {
        outbox_pump(m->outbox, m->turn);
        if (m->http && http_running(m->http))
            mailing_replies(m);
        else if (outbox_unsettled(m->outbox))
            mailing_settle(m);
        else
            break;
        arena_reset(m->turn);
    }
}
