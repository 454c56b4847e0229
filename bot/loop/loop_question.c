/* Questions of the host's commands to the running daemon, a row each: a word and what follows it
 * (health.h). Some ask how it is; others ask for a change of the store, which it has open, and get
 * a transaction of their own between two turns of the loop. Counting anew holds up the loop for as
 * long as it takes.
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

static void answer_recount(struct loop *l, struct str rest, struct buf *b)
{
    (void)rest;
    int64_t matches = inbox_recount(l->inbox);
    buf_print(b, HEALTH_GOOD "counted %lld results of matches anew\n", (long long)matches);
}

static const struct question {
    const char *word;
    void (*answer)(struct loop *l, struct str rest, struct buf *b);
    bool changes; /* it asks for a transaction */
} questions[] = {
    {"health", answer_health, false},
    {"status", answer_status, false},
    {"forget", answer_forget, true},
    {"recount", answer_recount, true},
};

static void answer(struct loop *l, const struct question *q, struct str rest, struct buf *b)
{
    struct err err;
    if (!q->changes) {
        q->answer(l, rest, b);
    } else if (l->waiting.retry_at || !l->standby.ours) {
        buf_put(b, STR("the store takes nothing now: try again later\n"));
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
        for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
            if (str_is(word, str_of(questions[i].word)))
                answer(l, &questions[i], rest, &b);
        if (b.n == 0)
            buf_put(&b, STR("the running daemon does not know this question: is it older?\n"));
        health_answer(&asked, buf_str(&b));
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
