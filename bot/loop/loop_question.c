/* Questions of the host's commands to the running daemon, a row each: a word and what follows it
 * (health.h). Some ask how it is; others ask for a change of the store, which it has open, and get
 * a transaction of their own between two turns of the loop. Counting anew takes one for each chat,
 * whose sums are its own: a reader finds the old ones or the new ones, a match that ends meanwhile
 * counts in either, and a count that is broken off leaves nothing half done.
 *
 * To add one: a function, and its row. */
#include "loop_internal.h"

#include "metrics.h"

#include <stdio.h>

/* "12 s", "3 min", "5 h", "2 d" */
static void put_span(struct buf *b, int64_t ms)
{
    enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR };
    long long s = ms / 1000;
    if (s < 2 * MINUTE)
        buf_print(b, "%lld s", s);
    else if (s < 2 * HOUR)
        buf_print(b, "%lld min", s / MINUTE);
    else
        buf_print(b, "%lld %s", s / (s < 2 * DAY ? HOUR : DAY), s < 2 * DAY ? "h" : "d");
}

static void put_account(struct buf *b, const struct metrics_account *a)
{
    buf_print(b, "account   %s: %s", a->name, a->up ? "up" : "down");
    if (a->silent_ms < 0) {
        buf_put(b, STR(", has not answered yet"));
    } else {
        buf_put(b, STR(", answered "));
        put_span(b, a->silent_ms);
        buf_put(b, STR(" ago"));
    }
    buf_print(b, ", sent %lld, refused %lld\n", (long long)a->sent, (long long)a->never);
}

static void answer_status(struct loop *l, struct str rest, struct buf *b)
{
    const struct str error = log_last_error();
    struct metrics m;
    (void)rest;
    metrics_count(l, &m);
    const char *broken = metrics_trouble(&m);
    buf_print(b, HEALTH_GOOD "koikoi    %s, runs for ", store_program(l->scratch).p);
    put_span(b, loop_wall(l) - m.started);
    buf_print(b, "\nhealth    %s", broken ? broken : "ok\n");
    const char *host = store_host(l->store);
    buf_print(b, "store     %s%s%s\n", store_shown(l->scratch, l->parts.config->store).p,
              host ? ", written at " : "", host ? host : "");
    for (int i = 0; i < m.n_accounts; i++)
        put_account(b, &m.account[i]);
    if (m.running >= 0)
        buf_print(b, "matches   %lld run", (long long)m.running);
    buf_print(b, "%s%lld ended since the start\n", m.running >= 0 ? ", " : "matches   ",
              (long long)m.finished);
    buf_print(b, "messages  %d wait, %d of them under way\n", m.waiting, m.in_flight);
    buf_print(b, "error     %.*s\n", STR_ARG(error.n ? error : STR("none since the start")));
}

static void answer_health(struct loop *l, struct str rest, struct buf *b)
{
    struct metrics m;
    (void)rest;
    metrics_count(l, &m);
    const char *broken = metrics_trouble(&m);
    attempt_look(l);
    buf_print(b, "%s", broken ? broken : HEALTH_GOOD);
}

/* Changes of the store for the host, in a transaction of their own. */
static void answer_forget(struct loop *l, struct str rest, struct buf *b)
{
    inbox_forget_called(l->inbox, rest);
    buf_print(b, HEALTH_GOOD "forgot %.*s; the name leaves old matches step by step\n",
              STR_ARG(rest));
}

static bool takes_changes(const struct loop *l)
{
    return !l->waiting.retry_at && l->standby.ours;
}

static const char TAKES_NOTHING[] = "the store takes nothing now: try again later\n";

static void end_recount(struct loop *l, struct str said)
{
    l->recounting.on = false;
    health_answer(&l->recounting.asked, said);
}

static void begin_recount(struct loop *l, const struct health_question *asked)
{
    struct recounting *r = &l->recounting;
    if (r->on || !takes_changes(l))
        health_answer(asked, r->on ? STR("it counts already\n") : str_of(TAKES_NOTHING));
    else
        *r = (struct recounting){.on = true, .asked = *asked, .chat = -1};
}

bool question_recounting(const struct loop *l)
{
    return l->recounting.on;
}

void question_close(struct loop *l)
{
    if (l->recounting.on)
        end_recount(l, STR("the daemon ended before all was counted: ask again\n"));
}

void question_recount_step(struct loop *l)
{
    struct recounting *r = &l->recounting;
    struct err err;
    if (!r->on)
        return;
    if (l->stopping || !takes_changes(l)) {
        end_recount(l, str_of(TAKES_NOTHING));
        return;
    }
    store_begin(l->store);
    bool more = inbox_recount_step(l->inbox, &r->chat, &r->matches);
    if (!store_commit(l->store, &err)) {
        store_rollback(l->store);
        end_recount(l, arena_print(l->scratch, "%s\n", err.text));
    } else if (!more) {
        log_line(LOG_INFO, "host_asked", "for", "recount", NULL);
        end_recount(l, arena_print(l->scratch, HEALTH_GOOD "counted %lld results of matches anew\n",
                                   (long long)r->matches));
    }
    arena_reset(l->scratch);
}

static const struct question {
    const char *word;
    void (*answer)(struct loop *l, struct str rest, struct buf *b);
    bool changes; /* it asks for a transaction */
    /* or it takes turns of the loop, and answers at their end */
    void (*begin)(struct loop *l, const struct health_question *asked);
} questions[] = {
    {"health", .answer = answer_health},
    {"status", .answer = answer_status},
    {"forget", .answer = answer_forget, .changes = true},
    {"recount", .begin = begin_recount},
};

static void answer(struct loop *l, const struct question *q, struct str rest, struct buf *b)
{
    struct err err;
    if (!q->changes) {
        q->answer(l, rest, b);
    } else if (!takes_changes(l)) {
        buf_put(b, str_of(TAKES_NOTHING));
    } else {
        store_begin(l->store);
        q->answer(l, rest, b);
        if (store_commit(l->store, &err)) {
            log_line(LOG_INFO, "host_asked", "for", q->word, NULL);
            return;
        }
        store_rollback(l->store);
        b->n = 0;
        buf_print(b, "%s\n", err.text);
    }
}

void question_answer_all(struct loop *l)
{
    struct health_question asked;
    while (health_next(l->supervised.health, &asked)) {
        struct buf b = {arena_room(l->scratch, HEALTH_ANSWER), 0, HEALTH_ANSWER, false};
        struct str rest, word = str_cut(str_of(asked.text), ' ', &rest);
        const struct question *q = questions, *end = q + sizeof questions / sizeof *questions;
        while (q < end && !str_is(word, str_of(q->word)))
            q++;
        if (q < end && q->begin) {
            q->begin(l, &asked);
        } else {
            if (q < end)
                answer(l, q, rest, &b);
            if (b.n == 0)
                buf_put(&b, STR("the running daemon does not know this question: is it older?\n"));
            health_answer(&asked, buf_str(&b));
        }
        arena_reset(l->scratch);
    }
}

void question_answer_waiting(struct loop *l, const struct health_question *asked,
                             const char *holder, const char *away)
{
    bool looks = strcmp(asked->text, "health") == 0 || strcmp(asked->text, "status") == 0;
    struct str said =
        away ? arena_print(l->scratch, "waits for the store: %s\n", away)
             : arena_print(l->scratch, "%sstands by: %s plays\n", looks ? HEALTH_GOOD : "", holder);
    health_answer(asked, said);
    arena_reset(l->scratch);
}
