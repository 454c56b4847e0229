/* The daemon's server: news that a network brings by itself, and /health and /metrics.
 *
 * What is brought is answered 200 only when it is stored; whoever brings it tries again otherwise,
 * and de-duplication deals with what comes twice. Whoever does not hold the secret gets no further
 * than the door. Visits wait while too much is left to be sent, or while something has to be asked
 * first; one that has waited too long is told to come again. */
#include "loop_parts.h"

#include "metrics.h"

#include <assert.h>

enum { HOLD_MS = 30 * 1000 };

/* Takes as long for a wrong secret as for the right one of its length. */
static bool same_secret(struct str a, struct str b)
{
    unsigned char differ = 0;
    for (size_t i = 0; i < a.n && a.n == b.n; i++)
        differ |= (unsigned char)(a.p[i] ^ b.p[i]);
    return a.n == b.n && a.n > 0 && differ == 0;
}

static struct poller *poller_at(const struct loop *l, struct str path)
{
    for (int i = 0; i < l->n_pollers; i++)
        if (l->poller[i].hooked && str_is(l->poller[i].hook.path, path))
            return &l->poller[i];
    return NULL;
}

static bool is_question(const struct loop *l, const struct visit *v)
{
    return l->parts.config->metrics &&
           (str_is(v->path, STR("/health")) || str_is(v->path, STR("/metrics")));
}

static int gate(void *arg, const struct visit *v)
{
    const struct loop *l = arg;
    const struct poller *p = poller_at(l, v->path);
    if (!p && !is_question(l, v))
        return 404;
    if (!str_is(v->method, p ? STR("POST") : STR("GET")))
        return 405;
    if (!p)
        return 0;
    struct str secret = visit_header(v, p->hook.header);
    if (secret.n == 0)
        return 401;
    return same_secret(secret, p->hook.secret) ? 0 : 403;
}

bool hook_open(struct loop *l, struct err *err)
{
    const struct config *c = l->parts.config;
    for (int i = 0; i < l->n_pollers; i++) {
        struct poller *p = &l->poller[i];
        const struct adapter *row = p->account->adapter;
        p->hooked = row->hook && row->hook(p->account->state, &p->hook);
        if (!p->hooked)
            continue;
        if (c->listen.n == 0)
            return err_set(err, "[%s] brings its news to us: listen must say where", row->name);
        if (poller_at(l, p->hook.path) != p ||
            (c->metrics &&
             (str_is(p->hook.path, STR("/health")) || str_is(p->hook.path, STR("/metrics")))))
            return err_set(err, "[%s] the path %.*s is taken", row->name, STR_ARG(p->hook.path));
    }
    return c->listen.n == 0 || server_open(c->listen, gate, l, &l->server, err);
}

/* ---- questions ---- */

static void count(const struct loop *l, struct metrics *ret)
{
    int64_t now = loop_now(l);
    *ret = (struct metrics){.updates = l->n_updates,
                            .store_failures = l->n_failures,
                            .store_well = l->retry_at == 0,
                            .waiting = outbox_waiting(l->outbox),
                            .in_flight = outbox_flying(l->outbox),
                            .jobs = work_waiting(l->work)};
    for (int i = 0; i < l->n_pollers && i < METRICS_ACCOUNTS; i++) {
        const struct poller *p = &l->poller[i];
        ret->account[ret->n_accounts++] =
            (struct metrics_account){.name = p->account->adapter->name,
                                     .well = !p->dead && !p->failing,
                                     .silent_ms = p->heard ? now - p->heard : -1};
    }
}

static void answer_question(struct loop *l, struct visit *v)
{
    struct metrics m;
    count(l, &m);
    if (str_is(v->path, STR("/metrics"))) {
        server_answer(v, 200, "text/plain; version=0.0.4", metrics_write(&m, l->turn));
        return;
    }
    const char *ill = metrics_ill(&m);
    server_answer(v, ill ? 503 : 200, "text/plain", ill ? str_of(ill) : STR("ok\n"));
}

/* ---- news ---- */

static void answer_empty(struct visit *v, int status)
{
    server_answer(v, status, NULL, STR(""));
}

static void hold(struct loop *l, struct visit *v)
{
    struct visit **end = &l->held;
    if (!v->came)
        v->came = loop_now(l);
    if (loop_now(l) >= v->came + HOLD_MS) {
        answer_empty(v, 503);
        return;
    }
    while (*end)
        end = &(*end)->next;
    v->next = NULL;
    *end = v;
}

static void take(struct loop *l, struct poller *p, struct visit *v)
{
    struct err err = {""};
    struct news *n = arena_new(l->turn, struct news);
    struct reply brought = {.status = 200, .retry_after_ms = -1, .now = loop_now(l)};
    const struct account *a = p->account;
    brought.body = arena_str(l->turn, v->body); /* updates may point into it */
    if (!a->adapter->brought(a->state, l->turn, &brought, &n->batch, &err)) {
        log_line(LOG_WARN, "brought_unreadable", "account", a->adapter->name, "why", err.text,
                 NULL);
        answer_empty(v, 400);
    } else if (n->batch.ask_first) {
        if (!v->came)
            p->not_before = 0;
        hold(l, v);
    } else if (n->batch.n == 0) {
        answer_empty(v, 200);
    } else {
        n->from = p;
        n->visit = v;
        *l->news_end = n;
        l->news_end = &n->next;
    }
}

static void visit(struct loop *l, struct visit *v)
{
    struct poller *p = poller_at(l, v->path);
    if (!p)
        answer_question(l, v);
    else if (l->stopping || p->dead)
        answer_empty(v, 503);
    else if (outbox_long(l->outbox, p->account))
        hold(l, v);
    else
        take(l, p, v);
}

void hook_gather(struct loop *l)
{
    struct visit *v, *held = l->held;
    if (!l->server)
        return;
    server_run(l->server);
    l->held = NULL;
    while ((v = held)) {
        held = v->next;
        visit(l, v);
    }
    while ((v = server_next(l->server)))
        visit(l, v);
}

void hook_taken(struct visit *v)
{
    answer_empty(v, 200);
}
