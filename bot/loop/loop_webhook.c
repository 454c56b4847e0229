/* The daemon's HTTP server: webhooks, /health and /metrics.
 *
 * A webhook request is answered 200 once its updates are stored; otherwise the network sends it
 * again, and de-duplication drops what comes twice. A request without the secret is refused before
 * its body is read. Requests wait while the account has to ask its network something first; one that
 * has waited too long is told to come again. While the store is broken KEPT_MOST requests wait for
 * it and the next are told to come again, so that the daemon does not grow. */
#include "loop_internal.h"

#include "metrics.h"

enum { HOLD_MS = 30 * 1000, KEPT_MOST = 16 };

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
    for (int i = 0; i < l->polling.n; i++)
        if (l->polling.at[i].has_webhook && str_is(l->polling.at[i].webhook.path, path))
            return &l->polling.at[i];
    return NULL;
}

static bool is_question(const struct loop *l, const struct server_request *v)
{
    return l->parts.config->metrics &&
           (str_is(v->path, STR("/health")) || str_is(v->path, STR("/metrics")));
}

/* Of the server for questions alone. */
static int question_gate(void *arg, const struct server_request *v)
{
    return !is_question(arg, v) ? 404 : str_is(v->method, STR("GET")) ? 0 : 405;
}

static int gate(void *arg, const struct server_request *v)
{
    const struct loop *l = arg;
    const struct poller *p = poller_at(l, v->path);
    if (!p && (l->serving.questions || !is_question(l, v)))
        return 404;
    if (!str_is(v->method, p ? STR("POST") : STR("GET")))
        return 405;
    if (!p)
        return 0;
    struct str secret = server_header(v, p->webhook.header);
    if (secret.n == 0)
        return 401;
    return same_secret(secret, p->webhook.secret) ? 0 : 403;
}

bool loop_check_listen(const struct config *c, struct err *err)
{
    if (c->listen.n > 0 && !server_check_address(c->listen, err))
        return err_wrap(err, "listen");
    return c->metrics_listen.n == 0 || server_check_address(c->metrics_listen, err) ||
           err_wrap(err, "metrics_listen");
}

bool webhook_open(struct loop *l, struct err *err)
{
    const struct config *c = l->parts.config;
    for (int i = 0; i < l->polling.n; i++) {
        struct poller *p = &l->polling.at[i];
        const struct adapter *row = p->account->adapter;
        p->has_webhook = row->webhook && row->webhook(p->account->state, &p->webhook);
        if (!p->has_webhook)
            continue;
        if (!config_hears(c, p->account, err))
            return loop_fails(l, LOOP_MISCONFIGURED);
        if (poller_at(l, p->webhook.path) != p ||
            (c->metrics &&
             (str_is(p->webhook.path, STR("/health")) || str_is(p->webhook.path, STR("/metrics")))))
            return err_set(err, "[%s] the path %.*s is taken", row->name, STR_ARG(p->webhook.path));
    }
    if (!loop_check_listen(c, err))
        return loop_fails(l, LOOP_MISCONFIGURED);
    if (c->metrics_listen.n && !server_open(c->metrics_listen, &server_usual, question_gate, l,
                                            &l->serving.questions, err))
        return err_wrap(err, "metrics_listen");
    return c->listen.n == 0 ||
           server_open(c->listen, &server_usual, gate, l, &l->serving.server, err) ||
           err_wrap(err, "listen");
}

/* ---- questions ---- */

static void answer_question(struct loop *l, struct server_request *v)
{
    struct metrics m;
    arena_reset(l->scratch);
    metrics_count(l, &m);
    if (str_is(v->path, STR("/metrics"))) {
        server_answer(v, 200, "text/plain; version=0.0.4", metrics_write(&m, l->scratch));
        return;
    }
    const char *broken = metrics_trouble(&m);
    server_answer(v, broken ? 503 : 200, "text/plain", broken ? str_of(broken) : STR("ok\n"));
}

/* ---- news ---- */

static void answer_empty(struct server_request *v, int status)
{
    server_answer(v, status, NULL, STR(""));
}

static void hold(struct loop *l, struct server_request *v)
{
    struct server_request **end = &l->serving.held;
    if (!v->came)
        v->came = loop_mono(l);
    if (loop_mono(l) >= v->came + HOLD_MS) {
        answer_empty(v, 503);
        return;
    }
    while (*end)
        end = &(*end)->next;
    v->next = NULL;
    *end = v;
}

static void take(struct loop *l, struct poller *p, struct server_request *v)
{
    struct err err = {""};
    struct news *n = arena_new(l->turn, struct news);
    struct reply webhook_read = {.status = 200, .retry_after_ms = -1, .now = loop_wall(l)};
    const struct account *a = p->account;
    webhook_read.body = arena_str(l->turn, v->body); /* updates may point into it */
    if (!a->adapter->webhook_read(a->state, l->turn, &webhook_read, &n->batch, &err)) {
        log_line(LOG_WARN, "brought_unreadable", "account", a->name.p, "why", err.text, NULL);
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
        n->heard = v->came ? v->came : loop_mono(l);
        gather_news(&l->gathered, n);
    }
}

/* While the store is broken updates fill memory until it works again. */
static int kept_by_store(const struct loop *l)
{
    int kept = 0;
    for (const struct news *n = l->gathered.news; n && l->waiting.retry_at; n = n->next)
        kept++;
    return kept;
}

static void visit(struct loop *l, struct server_request *v)
{
    struct poller *p = poller_at(l, v->path);
    if (!p)
        answer_question(l, v);
    else if (l->stopping || p->dead || kept_by_store(l) >= KEPT_MOST)
        answer_empty(v, 503);
    else
        take(l, p, v);
}

void webhook_handled(struct loop *l, const struct news *n)
{
    int64_t since = clock_cpu_us();
    if (n->page)
        web_handled(l->serving.web, l->turn, n->visit, n->page);
    else
        answer_empty(n->visit, 200);
    l->serving.pages_us += n->page ? clock_cpu_us() - since : 0;
}

/* ---- pages ---- */

static struct poller *poller_of(const struct loop *l, const struct account *a)
{
    int i = 0;
    while (l->polling.at[i].account != a)
        i++;
    return &l->polling.at[i];
}

static void take_act(struct loop *l, const struct web_act *act)
{
    struct poller *p = poller_of(l, act->account);
    if (l->stopping || kept_by_store(l) >= KEPT_MOST) {
        answer_empty(act->visit, 503);
        return;
    }
    struct news *n = arena_new(l->turn, struct news);
    struct update *u = arena_new(l->turn, struct update);
    *u = act->update;
    *n = (struct news){.from = p,
                       .batch = {.n = 1, .at = u},
                       .heard = loop_mono(l),
                       .visit = act->visit,
                       .page = act->asked};
    gather_news(&l->gathered, n);
}

static void pages_gather(struct loop *l)
{
    struct web_act act;
    int64_t since = clock_cpu_us();
    while (web_next(l->serving.web, l->turn, &act))
        take_act(l, &act);
    l->serving.pages_us += clock_cpu_us() - since;
}

void pages_committed(struct loop *l)
{
    int64_t since = clock_cpu_us();
    if (!l->serving.web)
        return;
    web_committed(l->serving.web);
    l->serving.pages_us += clock_cpu_us() - since;
}

/* Beside a terminal that stands in for a network a port that is taken is no fault. */
bool pages_open(struct loop *l, struct err *err)
{
    const struct config *c = l->parts.config;
    struct web_parts parts = {.store = l->store,
                              .inbox = l->inbox,
                              .outbox = l->outbox,
                              .http = l->http,
                              .clock = l->clock,
                              .decks = l->decks,
                              .drawing = l->drawing,
                              .n_accounts = c->n_accounts,
                              .accounts = c->accounts};
    for (int i = 0; i < c->n_accounts && !parts.own; i++) {
        const struct account *a = &c->accounts[i];
        if (a->adapter->pages && a->adapter->pages(a->state, &parts.pages))
            parts.own = a;
    }
    if (!parts.own)
        return true;
    if (!server_check_address(parts.pages.listen, err))
        return !err_wrap(err, "[web] listen") && loop_fails(l, LOOP_MISCONFIGURED);
    if (web_open(&parts, &l->serving.web, err)) {
        inbox_set_pages(l->inbox, web_link(l->serving.web));
        log_line(LOG_INFO, "pages", "at", arena_str(l->turn, web_link(l->serving.web)).p, NULL);
        return true;
    }
    return c->terminal_unasked;
}

struct str loop_pages(const struct loop *l)
{
    return l->serving.web ? web_link(l->serving.web) : STR("");
}

/* ---- all of it ---- */

void webhook_gather(struct loop *l)
{
    struct server_request *v, *held = l->serving.held;
    if (l->serving.web)
        pages_gather(l);
    if (l->serving.questions)
        server_run(l->serving.questions);
    while (l->serving.questions && (v = server_next(l->serving.questions)))
        visit(l, v);
    if (!l->serving.server)
        return;
    server_run(l->serving.server);
    l->serving.held = NULL;
    while ((v = held)) {
        held = v->next;
        visit(l, v);
    }
    while ((v = server_next(l->serving.server)))
        visit(l, v);
}
