/* Jobs on worker threads: one answer a question, in order for a session, dropped on request. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include <poll.h>
#include <stdatomic.h>

#include "work.h"

static struct err err;
static struct arena *a;
static struct work *w;
static atomic_int at_once, most_at_once;

FIXTURE(setup)
{
    a = arena_open(1 << 26);
    return !work_open(3, 0, &w, &err);
}

FIXTURE(teardown)
{
    work_close(w);
    arena_close(a);
    return 0;
}

/* The answer is the question's bytes reversed; counts concurrent runs. */
static void turn_round(struct str input, const struct job_pace *pace, struct buf *ret)
{
    (void)pace;
    int n = atomic_fetch_add(&at_once, 1) + 1;
    if (n > most_at_once)
        most_at_once = n;
    for (size_t i = input.n; i > 0; i--)
        buf_char(ret, input.p[i - 1]);
    atomic_fetch_sub(&at_once, 1);
}

static struct job_done next(void)
{
    struct job_done done;
    while (!work_next(w, a, &done)) {
        struct pollfd fd = {.fd = work_fd(w), .events = POLLIN};
        assert_int_equal(poll(&fd, 1, 10000), 1);
    }
    return done;
}

static void push(int64_t session, int64_t version, const char *text)
{
    work_push(w, &(struct job){turn_round, 5, session, version, str_of(text), 0, false});
}

TEST_WITH(a_job_comes_back_with_its_answer, setup, teardown)
{
    push(7, 3, "abc");
    work_commit(w);
    struct job_done done = next();
    assert_int_equal(done.session, 7);
    assert_int_equal(done.version, 3);
    assert_int_equal(done.tag, 5);
    assert_true(str_is(done.output, STR("cba")));
    assert_int_equal(work_waiting(w), 0);
}

TEST_WITH(nothing_runs_before_the_commit_or_after_a_rollback, setup, teardown)
{
    struct job_done done;
    push(1, 1, "no");
    assert_int_equal(work_waiting(w), 0);
    int mark = work_savepoint(w);
    push(2, 1, "never");
    work_rollback(w, mark);
    push(3, 1, "yes");
    work_commit(w);
    int64_t seen = 0;
    for (int i = 0; i < 2; i++)
        seen += next().session;
    assert_int_equal(seen, 1 + 3);
    push(4, 1, "gone");
    work_rollback(w, 0);
    work_commit(w);
    assert_int_equal(work_waiting(w), 0);
    assert_false(work_next(w, a, &done));
}

TEST_WITH(a_session_gets_its_answers_in_order, setup, teardown)
{
    enum { SESSIONS = 5, EACH = 200 };
    int64_t last[SESSIONS] = {0};
    for (int v = 1; v <= EACH; v++)
        for (int s = 0; s < SESSIONS; s++)
            push(s, v, "x");
    work_commit(w);
    for (int i = 0; i < SESSIONS * EACH; i++) {
        struct job_done done = next();
        assert_int_equal(done.version, last[done.session] + 1);
        last[done.session] = done.version;
    }
    assert_int_equal(work_waiting(w), 0);
}

TEST_WITH(a_cancelled_session_answers_no_more, setup, teardown)
{
    for (int v = 1; v <= 100; v++) {
        push(1, v, "x");
        push(2, v, "x");
    }
    work_commit(w);
    work_cancel(w, 1);
    for (int v = 1; v <= 100; v++) {
        struct job_done done = next();
        assert_int_equal(done.session, 2);
        assert_int_equal(done.version, v);
    }
}

/* A job holds the only thread until the test releases it; the jobs behind it are then in queue
 * order. */
static atomic_bool held;

static void hold(struct str input, const struct job_pace *pace, struct buf *ret)
{
    (void)input;
    (void)ret;
    while (atomic_load(&held) && !pace->spent(pace->arg))
        ;
}

static void hold_the_thread(int64_t session)
{
    OK(work_open(1, 0, &w, &err));
    atomic_store(&held, true);
    work_push(w, &(struct job){.run = hold, .session = session});
    work_commit(w);
}

/* One session asks for much, others for little: they take turns. */
TEST_WITH(a_session_with_many_jobs_delays_only_itself, setup, teardown)
{
    work_close(w);
    hold_the_thread(9);
    for (int v = 1; v <= 50; v++)
        push(1, v, "x");
    work_commit(w);
    for (int64_t s = 2; s <= 4; s++)
        for (int v = 1; v <= 2; v++)
            push(s, v, "x");
    work_commit(w);
    atomic_store(&held, false);
    assert_int_equal(next().session, 9);
    int others = 0;
    for (int i = 0; i < 8; i++)
        others += next().session != 1;
    assert_int_equal(others, 6);
    for (int v = 3; v <= 50; v++) {
        struct job_done done = next();
        assert_int_equal(done.session, 1);
        assert_int_equal(done.version, v);
    }
}

TEST_WITH(patient_jobs_wait_for_all_others, setup, teardown)
{
    work_close(w);
    hold_the_thread(9);
    for (int64_t s = 1; s <= 3; s++)
        work_push(w, &(struct job){.run = turn_round, .session = s, .patient = true});
    push(4, 1, "x");
    push(4, 2, "x");
    work_commit(w);
    atomic_store(&held, false);
    static const int64_t order[] = {9, 4, 4, 1, 2, 3};
    for (int i = 0; i < 6; i++)
        assert_int_equal(next().session, order[i]);
}

static void tell_crowd(struct str input, const struct job_pace *pace, struct buf *ret)
{
    (void)input;
    buf_print(ret, "%d", pace->crowd);
}

/* Twenty sessions wait for one thread: a job learns how many wait, 20 at first and 1 in the end. */
TEST_WITH(a_job_knows_how_many_wait, setup, teardown)
{
    char text[16];
    work_close(w);
    hold_the_thread(99);
    for (int64_t s = 1; s <= 20; s++)
        for (int v = 1; v <= 2; v++)
            work_push(w, &(struct job){.run = tell_crowd, .session = s, .version = v});
    work_commit(w);
    atomic_store(&held, false);
    assert_int_equal(next().session, 99);
    for (int i = 0; i < 40; i++) {
        struct job_done done = next();
        assert_int_equal(done.version, i < 20 ? 1 : 2);
        snprintf(text, sizeof text, "%d", i < 20 ? 20 : 40 - i);
        assert_true(str_is(done.output, str_of(text)));
    }
}

/* The loop waits for the lock under which a worker looks for its next job: each look is short, however
 * many wait. One whose length grew with the square of the crowd would keep this busy for hours. */
TEST_WITH(a_crowd_of_sessions_is_served_in_turn, setup, teardown)
{
    enum { CROWD = 10000 };
    work_close(w);
    hold_the_thread(0);
    for (int64_t s = 1; s <= CROWD; s++) {
        push(s, 1, "x");
        if (s % 100 == 0)
            work_commit(w);
    }
    push(1, 2, "x");
    work_commit(w);
    assert_int_equal(work_waiting(w), CROWD + 2);
    atomic_store(&held, false);
    for (int64_t s = 0; s <= CROWD; s++)
        assert_int_equal(next().session, s);
    struct job_done last = next();
    assert_int_equal(last.session, 1);
    assert_int_equal(last.version, 2);
}

static atomic_bool begun, went;

static void go_first(struct str input, const struct job_pace *pace, struct buf *ret)
{
    (void)input;
    (void)pace;
    atomic_store(&went, true);
    buf_put(ret, STR("first"));
}

static void go_on(struct str input, const struct job_pace *pace, struct buf *ret)
{
    (void)input;
    atomic_store(&begun, true);
    while (!atomic_load(&went) && !pace->spent(pace->arg))
        ;
    buf_put(ret, atomic_load(&went) ? STR("after the other") : STR("alone"));
}

/* A review takes seconds: where there is one thread, the computer moves in between. */
TEST_WITH(a_patient_job_that_runs_lets_others_go_first, setup, teardown)
{
    enum { PATIENCE_MS = 10 * 1000 };
    work_close(w);
    OK(work_open(1, 0, &w, &err));
    atomic_store(&begun, false);
    atomic_store(&went, false);
    work_push(w, &(struct job){.run = go_on, .session = 1, .patient = true, .ms = PATIENCE_MS});
    work_commit(w);
    while (!atomic_load(&begun))
        ;
    work_push(w, &(struct job){.run = go_first, .session = 2});
    work_commit(w);
    struct job_done done = next();
    assert_int_equal(done.session, 2);
    done = next();
    assert_int_equal(done.session, 1);
    assert_true(str_is(done.output, STR("after the other")));
    assert_int_equal(work_waiting(w), 0);
}

TEST_WITH(a_cancelled_job_sees_that_it_must_end, setup, teardown)
{
    struct job_done done;
    work_close(w);
    hold_the_thread(1); /* and no one releases it */
    push(1, 2, "never");
    push(2, 1, "yes");
    work_commit(w);
    work_push(w, &(struct job){.session = 1});
    int mark = work_savepoint(w);
    work_push(w, &(struct job){.session = 2});
    work_rollback(w, mark);
    work_commit(w);
    assert_int_equal(next().session, 2);
    assert_false(work_next(w, a, &done));
    assert_int_equal(work_waiting(w), 0);
}

TEST_WITH(a_job_sees_the_end_of_its_time, setup, teardown)
{
    work_close(w);
    OK(work_open(1, 0, &w, &err));
    atomic_store(&held, true);
    work_push(w, &(struct job){.run = hold, .session = 1, .ms = 1});
    work_commit(w);
    assert_int_equal(next().session, 1);
    work_close(w);
    hold_the_thread(2); /* closing releases running jobs */
}

TEST_WITH(closing_with_work_left_ends, setup, teardown)
{
    for (int v = 1; v <= 1000; v++)
        push(v, v, "x");
    work_commit(w);
    work_close(w);
    OK(work_open(1, 0, &w, &err));
}
