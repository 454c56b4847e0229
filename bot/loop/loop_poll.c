/* Polling, and the requests of the public beacon's client, if one is configured: a value that came is
 * handled as a finished job is. Each account has one request at a time; the next starts when the answer is stored. After
 * an error the back-off is 1, 2, 4 ... 60 s, or what the network asks for (an hour at most); each
 * change from working to failing and back is logged once. An account that keeps answering at once
 * with nothing new, or asks one thing after another in between, is slowed down too, so that no
 * answer makes the loop spin. One that has nothing to
 * ask is asked again after a second, or as soon as what its vault has is stored. */
#include "loop_internal.h"

#include "alloc.h"

enum {
    WAIT_MS = 1000,
    STORE_MS = 10,
    WAIT_MOST_MS = 60 * 1000,
    ASKED_MOST_MS = 5 * 60 * 1000, /* no word of a server makes the bot deaf for longer */
    QUICK_MS = 50,
    WAITED_MS = 5000, /* so long only a poll takes */
    EMPTY_FREE = 3,
    EMPTY_WAIT_MS = 100,
    LATE_POLLS = 32,   /* after an early one that brought less */
    BETWEEN_FREE = 256 /* questions in between, in a row */
};

bool poll_may(const struct loop *l, const struct poller *p)
{
    return !p->in_flight && !p->dead && !p->over && (!p->account->away || p->has_webhook) &&
           !l->stopping;
}

static void take_beside(struct loop *l, struct poller *p);

static void start_beside(struct loop *l, struct poller *p)
{
    struct request request = {0};
    const struct account *a = p->account;
    struct beside *b = &p->beside;
    /* a kill at such a request must not be held against the update that is handled beside it */
    if (b->in_flight || p->dead || p->careful || l->stopping || !a->adapter->beside ||
        loop_mono(l) < b->not_before || !a->adapter->beside(a->state, l->turn, &request))
        return;
    b->of = p;
    b->in_flight = true;
    b->no_news = request.no_news;
    b->kind = FLIGHT_BESIDE;
    http_start(l->http, &request, &b->kind);
}

void poll_start(struct loop *l, struct poller *p)
{
    struct request request = {0};
    const struct account *a = p->account;
    if (p->beside.answered) {
        take_beside(l, p);
        return;
    }
    a->adapter->poll(a->state, l->turn, str_of(p->cursor), &request);
    p->asked = loop_mono(l);
    switch (request.kind) {
    case REQUEST_HTTP:
        p->in_flight = true;
        p->idle = request.idle;
        (p->early ? http_start_first : http_start)(l->http, &request, &p->kind);
        start_beside(l, p);
        break;
    case REQUEST_WATCH:
        p->in_flight = true;
        p->fd = request.fd;
        p->patient = request.patient;
        break;
    case REQUEST_NONE:
    case REQUEST_DONE:
    case REQUEST_KEEP:
        p->not_before = p->asked + (vaults_unstored(l->vaults) ? STORE_MS : WAIT_MS);
        break;
    }
}

/* When what has failed is tried again; *errors: in a row. */
static int64_t later(const struct loop *l, const struct batch *b, const struct reply *reply,
                     int *errors)
{
    int64_t asked = b->wait_ms > reply->retry_after_ms ? b->wait_ms : reply->retry_after_ms;
    if (asked <= 0)
        asked = clock_doubled(WAIT_MS, *errors, WAIT_MOST_MS);
    (*errors)++;
    return loop_mono(l) + (asked < ASKED_MOST_MS ? asked : ASKED_MOST_MS);
}

static void poll_failed(struct loop *l, struct poller *p, const struct batch *b,
                        const struct reply *reply, const char *why)
{
    p->not_before = later(l, b, reply, &p->errors);
    p->early = false;
    if (b->fatal) {
        p->dead = true;
        log_line(LOG_ERROR, "account_refused", "account", p->account->name.p, "why", why, NULL);
    } else if (!p->failing) {
        p->failing = true;
        log_line(LOG_WARN, "poll_failed", "account", p->account->name.p, "why", why, NULL);
    }
}

/* Once after a start, for the host: all is well, who the bot is, and the link for its users. */
static void introduce(struct loop *l, struct poller *p)
{
    const struct adapter *adapter = p->account->adapter;
    struct str name, link;
    if (p->introduced || !adapter->self || !adapter->self(p->account->state, l->turn, &name, &link))
        return;
    p->introduced = true;
    log_line(LOG_INFO, "logged_in", "account", p->account->name.p, "as", arena_str(l->turn, name).p,
             "add_to_a_group", arena_str(l->turn, link).p, "version", KOIKOI_VERSION, "store",
             store_shown(l->turn, l->parts.config->store).p, NULL);
}

static void poll_succeeded(struct loop *l, struct poller *p, const struct batch *b)
{
    int64_t now = loop_mono(l);
    bool between = b->busy && b->wait_ms == 0; /* the answer to a question that may help */
    if (p->failing && !between)
        log_line(LOG_INFO, "poll_works_again", "account", p->account->name.p, NULL);
    if (b->note.n)
        log_line(LOG_WARN, "told", "account", p->account->name.p, "what",
                 arena_str(l->turn, b->note).p, NULL);
    introduce(l, p);
    if (!between) {
        p->failing = false;
        p->errors = 0;
    }
    p->heard = now;
    if (p->early && !b->more)
        p->late = LATE_POLLS;
    p->early = b->more && p->late == 0;
    if (b->more && p->late > 0)
        p->late--;
    bool moved = b->cursor.n && !str_is(b->cursor, str_of(p->cursor));
    bool nothing =
        !moved && !b->busy && (b->n == 0 || p->cursor) && now - p->asked < QUICK_MS && p->fd < 0;
    if (b->n == 0 && !b->busy && now - p->asked >= WAITED_MS)
        p->careful = false; /* it waited for updates: none is left that could end a start */
    p->empty = nothing ? p->empty + 1 : 0;
    p->between = between && !moved ? p->between + 1 : 0;
    if (b->wait_ms > 0)
        p->not_before = now + b->wait_ms;
    else if (p->between > BETWEEN_FREE)
        p->not_before = now + WAIT_MS;
    else if (p->empty > EMPTY_FREE)
        p->not_before = now + clock_doubled(EMPTY_WAIT_MS, p->empty - EMPTY_FREE, WAIT_MS);
}

static void read_answer(struct loop *l, struct poller *p, const struct reply *reply, bool beside)
{
    struct err err = {""};
    struct news *n = arena_new(l->turn, struct news);
    const struct account *a = p->account;
    struct reply kept = *reply;
    kept.body = arena_str(l->turn, reply->body); /* updates may point into it */
    p->idle = false;
    bool good = beside ? a->adapter->beside_read(a->state, l->turn, &kept, &n->batch, &err)
                       : a->adapter->read(a->state, l->turn, &kept, &n->batch, &err);
    if (!good || n->batch.fatal) {
        poll_failed(l, p, &n->batch, reply, err.text);
        p->in_flight = false;
        return;
    }
    poll_succeeded(l, p, &n->batch);
    p->over = n->batch.over;
    if (n->batch.n == 0 && (n->batch.cursor.n == 0 || n->batch.may_wait ||
                            str_is(n->batch.cursor, str_of(p->cursor)))) {
        poll_handled(p, &n->batch);
        return;
    }
    n->from = p; /* in flight until poll_handled() */
    n->heard = loop_mono(l);
    gather_news(&l->gathered, n);
}

void poll_read(struct loop *l, struct poller *p, const struct reply *reply)
{
    read_answer(l, p, reply, false);
}

/* In the place of a poll. */
static void take_beside(struct loop *l, struct poller *p)
{
    struct beside *b = &p->beside;
    b->answered = false;
    p->in_flight = true;
    p->asked = loop_mono(l);
    read_answer(l, p, &b->reply, true);
    free(b->body);
    b->body = NULL;
}

static void read_no_news(struct loop *l, struct beside *b, const struct reply *reply)
{
    const struct account *a = b->of->account;
    struct batch batch = {0};
    struct err err = {""};
    if (a->adapter->beside_read(a->state, l->turn, reply, &batch, &err)) {
        b->errors = 0;
    } else {
        if (b->errors == 0)
            log_line(LOG_WARN, "poll_failed", "account", a->name.p, "why", err.text, NULL);
        b->not_before = later(l, &batch, reply, &b->errors);
    }
    start_beside(l, b->of);
}

void poll_read_beside(struct loop *l, struct beside *b, const struct reply *reply)
{
    struct poller *p = b->of;
    b->in_flight = false;
    if (b->no_news) {
        read_no_news(l, b, reply);
        return;
    }
    b->answered = true;
    b->reply = *reply;
    b->body = alloc_text(reply->body);
    b->reply.body.p = b->body;
    if (p->in_flight && p->idle) {
        http_cancel(l->http, &p->kind);
        p->in_flight = p->idle = false;
    }
    if (!p->in_flight)
        p->not_before = 0;
}

void poll_handled(struct poller *p, const struct batch *b)
{
    p->in_flight = false;
    if (b->cursor.n) {
        free(p->cursor);
        p->cursor = alloc_text(b->cursor);
    }
}

void poll_stop(struct loop *l, struct poller *p)
{
    struct beside *b = &p->beside;
    if (p->in_flight)
        http_cancel(l->http, &p->kind);
    if (b->in_flight)
        http_cancel(l->http, &b->kind);
    free(b->body);
    *b = (struct beside){0};
    p->in_flight = p->idle = false;
    p->fd = -1;
}

int64_t poll_next(const struct loop *l)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < l->polling.n; i++) {
        const struct poller *p = &l->polling.at[i];
        if (poll_may(l, p) && p->not_before < next)
            next = p->not_before;
    }
    if (l->polling.beacon && !l->stopping && beacon_client_due(l->polling.beacon) < next)
        next = beacon_client_due(l->polling.beacon);
    return next;
}

/* ---- the beacon ---- */

void beacon_start(struct loop *l)
{
    struct request request;
    void *tag;
    while (l->polling.beacon && !l->stopping &&
           (tag = beacon_client_ask(l->polling.beacon, loop_mono(l), l->turn, &request)))
        http_start(l->http, &request, tag);
}

void beacon_read(struct loop *l, void *tag, const struct reply *reply)
{
    struct polling *p = &l->polling;
    struct err err = {""};
    struct job_done done;
    bool good = beacon_client_reply(p->beacon, tag, loop_mono(l), reply, &err);
    if (good && p->beacon_failing)
        log_line(LOG_INFO, "beacon_works_again", NULL);
    if (!good && !p->beacon_failing)
        log_line(LOG_WARN, "beacon_failed", "why", err.text, NULL);
    p->beacon_failing = !good;
    while (beacon_client_next(p->beacon, l->turn, &done))
        gather_job(&l->gathered, l->turn, &done);
}
