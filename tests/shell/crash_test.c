/* The daemon fails or dies at every single point where it touches the database or the network, and is
 * started again: whatever was typed is answered, and nothing is answered twice but what the network may
 * or may not have got already, which is said to it.
 */
#include "shell/scratch.h"

#include <sys/wait.h>

#include "db_faulty.h"
#include "log.h"
#include "loop.h"
#include "peer.h"
#include "wire_adapter.h"

enum { CHATS = 2, EACH = 3, TYPED = CHATS * EACH, MOMENT = 40 * 1000, ENDLESS = 3000 };

static _Atomic int64_t now;
static int64_t until;
static struct err err;
static struct peer *peer;

static int64_t read_now(void *arg)
{
    (void)arg;
    return now;
}

static void chance(void *arg, uint8_t *ret, size_t n)
{
    (void)arg;
    memset(ret, 7, n);
}

static const struct clock test_clock = {.now_ms = read_now, .chance = chance};

static void idle(void *arg, int64_t next_due)
{
    (void)arg;
    now = next_due && next_due < until ? next_due : until;
}

static int setup(void **state)
{
    (void)state;
    now = 1000000;
    return !scratch_open();
}

static int teardown(void **state)
{
    (void)state;
    scratch_close();
    return 0;
}

static void begin_story(void)
{
    char text[32], chat[8];
    peer = peer_open(&now);
    for (int i = 0; i < TYPED; i++) {
        snprintf(chat, sizeof chat, "c%d", i % CHATS);
        snprintf(text, sizeof text, "/ping no%d.", i);
        peer_types(peer, chat, "ann", text);
    }
}

static void end_story(void)
{
    static const char *const files[] = {"store.db", "store.db-wal", "store.db-shm"};
    peer_close(peer);
    for (int i = 0; i < 3; i++)
        unlink(scratch_file(files[i]).p);
}

/* The life of one process. False: it could not start (the fault came that early). *ret_calls: how often it
 * asked the database. */
static bool live(enum db_fault fault, int first, int times, int *ret_calls)
{
    struct wire wire = {.root = peer_root(peer), .limits = wire_adapter.limits};
    struct account account = wire_account(&wire);
    struct arena *process = arena_open(1 << 24);
    struct config config = {.threads = 1, .rules = STR("sensei"), .language = STR("en"), .n_accounts = 1,
                            .accounts = &account};
    struct store *store;
    struct loop *loop;
    struct db *db;
    OK(db_sqlite_open(scratch_file("store.db"), &db, &err));
    db = db_faulty(db, fault, first, times);
    bool ok = store_open_db(db, &store, &err) &&
              loop_open(&(struct loop_parts){.config = &config, .process = process, .clock = &test_clock,
                                             .store = store, .idle = idle, .no_signals = true}, &loop, &err);
    if (ok) {
        until = now + MOMENT;
        while (now < until)
            OK(loop_turn(loop, 1000, &err));
        *ret_calls = db_faulty_calls(db);
        loop_stop(loop);
        OK(loop_run(loop, &err));
        loop_close(loop);
    }
    arena_close(process);
    return ok;
}

/* How often a ping was answered: as something new, and as something that may have arrived already. */
static void count(int i, int *ret_new, int *ret_again)
{
    char text[32];
    snprintf(text, sizeof text, "pong no%d.", i);
    *ret_new = *ret_again = 0;
    for (int k = 0; k < peer_count(peer); k++) {
        struct peer_request r = peer_request(peer, k);
        if (strstr(r.body, text))
            ++*(strstr(r.body, "\"unknown\":true") ? ret_again : ret_new);
    }
}

static void a_failing_database_delays_and_nothing_else(int times)
{
    int calls = 0, n = 1;
    for (; n < ENDLESS && n <= calls + 1; n++) {
        begin_story();
        if (!live(DB_FAILS, n, times, &calls)) {
            calls = n;                               /* too early to start: the next time goes well */
            int ignored;
            assert_true(live(DB_FAILS, 0, 0, &ignored));
        }
        for (int i = 0; i < TYPED; i++) {
            int new, again;
            count(i, &new, &again);
            if (new != 1 || again != 0)
                fail_msg("call %d failing: ping %d answered %d times, %d times again", n, i, new, again);
        }
        end_story();
    }
    assert_in_range(n, 50, ENDLESS - 1);
}

static void one_failing_call(void **state)
{
    (void)state;
    a_failing_database_delays_and_nothing_else(1);
}

static void a_disk_that_is_full_for_a_while(void **state)
{
    (void)state;
    a_failing_database_delays_and_nothing_else(6);
}

/* After a death every ping is answered; a second answer says that the first may have arrived. */
static void check_after_death(int n, const char *how)
{
    for (int i = 0; i < TYPED; i++) {
        int new, again;
        count(i, &new, &again);
        if (new > 1 || new + again < 1)
            fail_msg("%s %d: ping %d answered %d times, %d times again", how, n, i, new, again);
    }
}

/* True if the child was killed on its way. */
static bool child_dies(enum db_fault fault, int first)
{
    int ignored, status;
    pid_t pid = fork();
    if (pid == 0) {
        live(fault, first, 1, &ignored);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) == 9;
}

static void dying_at_each_call_of_the_database(enum db_fault fault)
{
    int ignored, n = 1;
    for (bool died = true; died && n < ENDLESS; n++) {
        begin_story();
        died = child_dies(fault, n);
        assert_true(live(DB_FAILS, 0, 0, &ignored));
        check_after_death(n, "dead at call");
        end_story();
    }
    assert_in_range(n, 50, ENDLESS - 1);
}

static void dying_before_a_call(void **state)
{
    (void)state;
    dying_at_each_call_of_the_database(DB_DIES);
}

static void dying_after_a_call(void **state)
{
    (void)state;
    dying_at_each_call_of_the_database(DB_DIES_AFTER);
}

static bool child_is_killed(int n, bool after)
{
    int ignored, status, start[2];
    char go;
    assert_int_equal(pipe(start), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (read(start[0], &go, 1) == 1)
            live(DB_FAILS, 0, 0, &ignored);
        _exit(0);
    }
    peer_kills(peer, n, pid, after);
    assert_int_equal(write(start[1], "", 1), 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    peer_kills(peer, 0, 0, false);
    close(start[0]);
    close(start[1]);
    return WIFSIGNALED(status);
}

static void dying_at_each_request(bool after)
{
    int ignored, n = 1, died = 0;
    for (bool killed = true; killed && n <= 40; n++) {
        begin_story();
        killed = child_is_killed(n, after);
        died += killed;
        assert_true(live(DB_FAILS, 0, 0, &ignored));
        check_after_death(n, "killed at request");
        end_story();
    }
    assert_in_range(died, TYPED, 40);
}

static void killed_when_a_request_is_sent(void **state)
{
    (void)state;
    dying_at_each_request(false);
}

static void killed_when_a_request_is_answered(void **state)
{
    (void)state;
    dying_at_each_request(true);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    log_open(LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(one_failing_call),
        T(a_disk_that_is_full_for_a_while),
        T(dying_before_a_call),
        T(dying_after_a_call),
        T(killed_when_a_request_is_sent),
        T(killed_when_a_request_is_answered),
    };
    return cmocka_run_group_tests_name("crash", tests, NULL, NULL);
}
