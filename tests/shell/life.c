/* See life.h. */
#include "shell/life.h"

#include <sys/wait.h>
#include <unistd.h>

#include "wire_adapter.h"

struct peer *life_peer, *life_far;
struct arena *life_turn;

static _Atomic int64_t now;
static life_account *make_account; /* NULL: on the scripted network */
static struct str decks;
static int64_t until;
static struct err err;

struct life {
    struct wire wire[2];
    struct account account[2];
    struct config config;
    struct arena *process;
    struct db *db;
    struct store *store;
    struct loop *loop;
};

static const struct clock test_clock = {.now_ms = still_now, .chance = still_chance, .arg = &now};

static void idle(void *arg, int64_t next_due)
{
    (void)arg;
    now = next_due && next_due < until ? next_due : until;
}

bool life_setup(void)
{
    life_turn = arena_open(1 << 26);
    return scratch_open();
}

void life_teardown(void)
{
    arena_close(life_turn);
    scratch_close();
}

int life_test_begins(void **state)
{
    (void)state;
    if (!life_setup())
        return 1;
    life_begin();
    return 0;
}

int life_test_ends(void **state)
{
    (void)state;
    life_end();
    life_teardown();
    return 0;
}

void life_begin(void)
{
    now = 1000000;
    life_peer = peer_open(&now);
    make_account = NULL;
}

void life_begin_on(life_account *make)
{
    now = 1000000;
    life_peer = NULL;
    make_account = make;
}

void life_decks(struct str decks_dir)
{
    decks = decks_dir;
}

const _Atomic int64_t *life_clock(void)
{
    return &now;
}

void life_begin_two(void)
{
    life_begin();
    life_far = peer_open(&now);
}

void life_waits(int64_t ms)
{
    now += ms;
}

void life_end(void)
{
    static const char *const files[] = {"store.db", "store.db-wal", "store.db-shm"};
    if (life_peer)
        peer_close(life_peer);
    if (life_far)
        peer_close(life_far);
    life_far = NULL;
    decks = (struct str){0};
    for (int i = 0; i < 3; i++)
        unlink(scratch_file(files[i]).p);
}

static void wire_open(struct life *l, int i, const struct peer *peer)
{
    if (!peer)
        return;
    l->wire[i] = (struct wire){.root = peer_root(peer), .limits = wire_adapter.limits};
    l->account[i] = wire_account(&l->wire[i]);
}

struct life *life_open(struct str rules_dir, enum db_fault fault, int first, int times)
{
    struct life *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->process = arena_open(1 << 24);
    wire_open(l, 0, life_peer);
    wire_open(l, 1, life_far);
    l->account[1].name = STR("far");
    if (!life_peer)
        l->account[0] = make_account(l->process);
    l->config = (struct config){.threads = 1,
                                .rules = STR("sensei"),
                                .language = STR("en"),
                                .rules_dir = rules_dir,
                                .decks_dir = decks,
                                .n_accounts = life_far ? 2 : 1,
                                .accounts = l->account};
    OK(db_sqlite_open(scratch_file("store.db"), &l->db, &err));
    l->db = db_faulty(l->db, fault, first, times);
    const struct loop_parts parts = {.config = &l->config,
                                     .process = l->process,
                                     .clock = &test_clock,
                                     .idle = idle,
                                     .no_signals = true};
    bool ok = store_open_db(l->db, &l->store, &err);
    if (ok) {
        struct loop_parts with = parts;
        with.store = l->store;
        ok = loop_open(&with, &l->loop, &err);
    }
    if (ok)
        return l;
    arena_close(l->process);
    free(l);
    return NULL;
}

void life_turns(struct life *l, int64_t ms)
{
    until = now + ms;
    while (now < until)
        OK(loop_turn(l->loop, 1000, &err));
}

struct store *life_store(struct life *l)
{
    return l->store;
}

void life_session(struct store *store, int64_t no, struct session *ret)
{
    static struct made made;
    struct session_row row;
    bool found = false;
    arena_reset(life_turn);
    OK(store_session(store, life_turn, no, &row, &found, &err));
    assert_true(found);
    assert_null(session_read(row.line, &made, ret));
}

int life_calls(const struct life *l)
{
    return db_faulty_calls(l->db);
}

void life_close(struct life *l)
{
    loop_stop(l->loop);
    OK(loop_run(l->loop, &err));
    loop_close(l->loop);
    arena_close(l->process);
    free(l);
}

bool life_run(struct str rules_dir, enum db_fault fault, int first, int times, int *ret_calls)
{
    struct life *l = life_open(rules_dir, fault, first, times);
    if (!l)
        return false;
    life_turns(l, LIFE_MS);
    *ret_calls = life_calls(l);
    life_close(l);
    return true;
}

bool life_dies(struct str rules_dir, enum db_fault fault, int first)
{
    int ignored, status;
    pid_t pid = fork();
    if (pid == 0) {
        life_run(rules_dir, fault, first, 1, &ignored);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_true(WEXITSTATUS(status) == 9 || WEXITSTATUS(status) == 0);
    return WEXITSTATUS(status) == 9;
}

bool life_ends_by(struct str rules_dir, life_arm *arm, void *arg)
{
    int ignored, status, start[2];
    char go;
    assert_int_equal(pipe(start), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (read(start[0], &go, 1) == 1)
            life_run(rules_dir, DB_FAILS, 0, 0, &ignored);
        _exit(0);
    }
    arm(arg, pid);
    assert_int_equal(write(start[1], "", 1), 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    close(start[0]);
    close(start[1]);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
}

void life_sleeps(int64_t ms)
{
    now += ms;
}

struct killing {
    struct peer *by;
    int request;
    bool after;
};

static void arm_peer(void *arg, int pid)
{
    const struct killing *k = arg;
    peer_kills(k->by, k->request, pid, k->after);
}

bool life_is_killed(struct peer *by, struct str rules_dir, int request, bool after)
{
    struct killing k = {by, request, after};
    bool killed = life_ends_by(rules_dir, arm_peer, &k);
    peer_kills(by, 0, 0, false);
    return killed;
}
