/* Asking for news. One question at a time per account; the next goes out when the answer is stored.
 * An account that fails is asked again after 1, 2, 4 ... 60 s (or as long as it says), and each
 * change from well to failing and back is said once. One that answers at once with nothing new,
 * again and again, is slowed down too: no answer may turn the loop into a mill. */
#include "loop_parts.h"

enum {
    WAIT_MS = 1000,
    WAIT_MOST_MS = 60 * 1000,
    QUICK_MS = 50,
    EMPTY_FREE = 3,
    EMPTY_WAIT_MS = 100
};

static int64_t doubled(int64_t ms, int times, int64_t most)
{
    while (times-- > 0 && ms < most)
        ms *= 2;
    return ms < most ? ms : most;
}

void poll_start(struct loop *l, struct poller *p)
{
    struct request request = {0};
    const struct account *a = p->account;
    a->adapter->poll(a->state, l->turn, str_of(p->cursor), &request);
    p->asked = loop_now(l);
    switch (request.kind) {
    case REQUEST_HTTP:
        p->flying = true;
        http_start(l->http, &request, &p->kind);
        break;
    case REQUEST_WATCH:
        p->flying = true;
        p->fd = request.fd;
        p->patient = request.patient;
        break;
    case REQUEST_NONE:
    case REQUEST_DONE:
        p->not_before = p->asked + WAIT_MS;
        break;
    }
}

static void failed(struct loop *l, struct poller *p, const struct batch *b,
                   const struct reply *reply, const char *why)
{
    int64_t asked = b->wait_ms > reply->retry_after_ms ? b->wait_ms : reply->retry_after_ms;
    p->not_before = loop_now(l) + (asked > 0 ? asked : doubled(WAIT_MS, p->errors, WAIT_MOST_MS));
    p->errors++;
    if (b->fatal) {
        p->dead = true;
        log_line(LOG_ERROR, "account_refused", "account", p->account->adapter->name, "why", why,
                 NULL);
    } else if (!p->failing) {
        p->failing = true;
        log_line(LOG_WARN, "poll_failed", "account", p->account->adapter->name, "why", why, NULL);
    }
}

static void went_well(struct loop *l, struct poller *p, const struct batch *b)
{
    int64_t now = loop_now(l);
    if (p->failing)
        log_line(LOG_INFO, "poll_works_again", "account", p->account->adapter->name, NULL);
    if (b->note.n)
        log_line(LOG_WARN, "told", "account", p->account->adapter->name, "what",
                 arena_str(l->turn, b->note).p, NULL);
    p->failing = false;
    p->errors = 0;
    p->heard = now;
    bool moved = b->cursor.n && !str_is(b->cursor, str_of(p->cursor));
    bool nothing = !moved && (b->n == 0 || p->cursor) && now - p->asked < QUICK_MS && p->fd < 0;
    p->empty = nothing ? p->empty + 1 : 0;
    if (b->wait_ms > 0)
        p->not_before = now + b->wait_ms;
    else if (p->empty > EMPTY_FREE)
        p->not_before = now + doubled(EMPTY_WAIT_MS, p->empty - EMPTY_FREE, WAIT_MS);
}

void poll_read(struct loop *l, struct poller *p, const struct reply *reply)
{
    struct err err = {""};
    struct news *n = arena_new(l->turn, struct news);
    const struct account *a = p->account;
    struct reply kept = *reply;
    kept.body = arena_str(l->turn, reply->body); /* updates may point into it */
    if (!a->adapter->read(a->state, l->turn, &kept, &n->batch, &err) || n->batch.fatal) {
        failed(l, p, &n->batch, reply, err.text);
        p->flying = false;
        return;
    }
    went_well(l, p, &n->batch);
    p->over = n->batch.over;
    if (n->batch.n == 0 && (n->batch.cursor.n == 0 || str_is(n->batch.cursor, str_of(p->cursor)))) {
        p->flying = false;
        return;
    }
    n->from = p; /* still flying: until poll_taken() */
    *l->news_end = n;
    l->news_end = &n->next;
}

void poll_taken(struct loop *l, struct poller *p, const struct batch *b)
{
    (void)l;
    p->flying = false;
    if (b->cursor.n) {
        free(p->cursor);
        p->cursor = strndup(b->cursor.p, b->cursor.n);
    }
}

void poll_stop(struct loop *l, struct poller *p)
{
    if (p->flying)
        http_cancel(l->http, &p->kind);
    p->flying = false;
    p->fd = -1;
}

int64_t poll_next(const struct loop *l)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < l->n_pollers; i++) {
        const struct poller *p = &l->poller[i];
        if (!p->flying && !p->dead && !p->over && !l->stopping &&
            !outbox_long(l->outbox, p->account) && p->not_before < next)
            next = p->not_before;
    }
    return next;
}
