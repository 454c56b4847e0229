/* The daemon on a damaged store: bits flipped, blocks zeroed, files cut short, in the store or in
 * its log, while three matches run in three groups. Each trial must end in one of these ways:
 *
 *     the daemon ends, or does not start, with an error that names the file and what to do;
 *     a match is set aside, and its group gets a message;
 *     a match goes on: the next press is a move, and its record replays;
 *     the end of the log is damaged, as by a power cut: matches go on from an earlier commit.
 *
 * DAMAGE_TRIALS=200 tries so many of each kind; the default is 10.
 */
#include "fixture/daemon_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "replay.h"
#include "rng.h"
#include "store_quarantine.h"

enum {
    USUAL = 16,
    MATCHES = 3,
    MOVES = 8,
    FILE_MOST = 4 << 20,
    PATIENCE_S = 60, /* real time limit of a trial */
    BLOCK = 512,
    FLIPS = 8
};

enum damage_kind { FLIPPED, ZEROED, CUT, KINDS };
static const char *const kind_names[] = {"flipped", "zeroed", "cut"};

/* Outcome of a trial, as the exit status of its process. */
enum { ALL_PLAY, WENT_BACK, SOME_ASIDE, ENDED, WRONG };

struct bytes {
    size_t n;
    char at[FILE_MOST];
};
static const struct damage_place {
    const char *chat, *first, *second;
} places[MATCHES] = {{"tea", "ann", "bo"}, {"den", "cy", "di"}, {"isle", "ed", "flo"}};

static struct bytes closed, killed, killed_log, damaged;
static int64_t version[MATCHES]; /* in the sound store */
static struct rng rng;
static int trials;
static int requests; /* of the network, before the trial */
static struct err err;

/* ---- files ---- */

static void load(const char *name, struct bytes *ret)
{
    FILE *f = fopen(scratch_file(name).p, "rb");
    assert_non_null(f);
    ret->n = fread(ret->at, 1, FILE_MOST, f);
    assert_in_range(ret->n, 1, FILE_MOST - 1);
    fclose(f);
}

static void write_file(const char *name, const struct bytes *bytes)
{
    FILE *f = fopen(scratch_file(name).p, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes->at, 1, bytes->n, f), bytes->n);
    assert_int_equal(fclose(f), 0);
}

static size_t below(size_t n)
{
    return (size_t)rng_below(rng_next(&rng), (unsigned)n);
}

static void damage(enum damage_kind kind, struct bytes *b)
{
    size_t at;
    switch (kind) {
    case FLIPPED:
        for (size_t i = 0, n = 1 + below(FLIPS); i < n; i++) {
            at = below(b->n);
            b->at[at] = (char)(b->at[at] ^ 1 << below(8));
        }
        break;
    case ZEROED:
        at = below(b->n) / BLOCK * BLOCK;
        for (size_t i = 0, n = BLOCK << below(4); i < n && at + i < b->n; i++)
            b->at[at + i] = 0;
        break;
    case CUT:
        b->n = below(b->n);
        break;
    case KINDS:
        break;
    }
}

/* ---- the matches ---- */

static void press_a_move(struct store *store, int match)
{
    static const uint8_t key[PRESS_KEY_BYTES] = {[0 ... PRESS_KEY_BYTES - 1] = FAKE_CLOCK_CHANCE};
    struct session s;
    daemon_run_session(store, match + 1, &s);
    struct press p = {VERB_MOVE, match + 1, s.version, 0};
    peer_presses(daemon_run_peer, places[match].chat, s.player[session_turn(&s)].id,
                 press_write(key, p, daemon_run_arena).p);
}

static void play(struct daemon_run *l)
{
    for (int i = 0; i < MATCHES; i++) {
        char text[64];
        snprintf(text, sizeof text, "/challenge @%s standard 3 clock=none", places[i].second);
        peer_types(daemon_run_peer, places[i].chat, places[i].second, "/ping");
        peer_types(daemon_run_peer, places[i].chat, places[i].first, text);
        peer_types(daemon_run_peer, places[i].chat, places[i].second, "/accept");
        daemon_run_for(l, 5000);
    }
    for (int move = 0; move < MOVES; move++)
        for (int i = 0; i < MATCHES; i++) {
            press_a_move(daemon_run_store(l), i);
            daemon_run_for(l, 3000);
        }
}

/* The store in mid-match with its log, as a kill would leave them, and the next press of each
 * match, for the next daemon. */
FIXTURE(set_up)
{
    assert_true(daemon_run_setup());
    daemon_run_begin();
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    assert_non_null(l);
    play(l);
    load("store.db", &killed);
    load("store.db-wal", &killed_log);
    for (int i = 0; i < MATCHES; i++) {
        struct session s;
        daemon_run_session(daemon_run_store(l), i + 1, &s);
        assert_true(session_live(&s) && s.version > MOVES);
        version[i] = s.version;
    }
    daemon_run_close(l);
    load("store.db", &closed);
    l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    for (int i = 0; i < MATCHES; i++)
        press_a_move(daemon_run_store(l), i);
    daemon_run_close(l);
    return 0;
}

FIXTURE(tear_down)
{
    print_message("%d trials\n", trials);
    daemon_run_end();
    daemon_run_teardown();
    return 0;
}

/* ---- a trial, in a process of its own ---- */

static int wrong(int match, const char *what)
{
    fprintf(stderr, "match %d: %s\n", match + 1, what);
    return WRONG;
}

static int ended_well(void)
{
    const char *why = daemon_run_why();
    if (strstr(why, "store.db") && strstr(why, "backup"))
        return ENDED;
    fprintf(stderr, "it ended: %s\n", why);
    return WRONG;
}

static bool group_was_told(int match)
{
    char sentence[64];
    snprintf(sentence, sizeof sentence, "stored of match #%d is damaged", match + 1);
    for (int i = requests; i < peer_count(daemon_run_peer); i++) {
        struct peer_request r = peer_request(daemon_run_peer, i);
        if (r.done && strstr(r.body, sentence) && strstr(r.body, places[match].chat))
            return true;
    }
    return false;
}

/* A record that stops early is right as far as it goes. */
static bool replays(struct store *store, int match)
{
    int line, lines = 0;
    struct str record = store_record(store, daemon_run_arena, match + 1);
    for (size_t i = 0; i < record.n; i++)
        lines += record.p[i] == '\n';
    return lines > 0 && (replay_record(record, NULL, &line, &err) || line == lines + 1);
}

static int look(struct store *store, int match)
{
    static struct ruleset_cache rulesets;
    static struct session s;
    const struct session_row *row = store_session(store, daemon_run_arena, match + 1);
    if (store_take_failure(store, &err))
        return wrong(match, err.text);
    if (row && row->due == DUE_QUARANTINED)
        return SOME_ASIDE; /* the parent asks the group: it has the network */
    if (!row || row->damaged || session_read(row->line, &rulesets, &s))
        return wrong(match, "lost without a word");
    if (!replays(store, match))
        return wrong(match, "its record does not replay");
    return row->version > version[match] ? ALL_PLAY : WENT_BACK;
}

/* Exit status: as above; for SOME_ASIDE 128 plus a bit for each match that was set aside. */
static int trial(void)
{
    int asides = 0, back = 0;
    alarm(PATIENCE_S);
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    if (!l)
        return ended_well();
    if (!daemon_run_unless_ended(l, DAEMON_RUN_MS))
        return ended_well();
    for (int i = 0; i < MATCHES; i++) {
        int how = look(daemon_run_store(l), i);
        if (how == WRONG)
            return WRONG;
        asides |= (how == SOME_ASIDE) << i;
        back |= how == WENT_BACK;
    }
    return asides ? 128 | asides : back ? WENT_BACK : ALL_PLAY;
}

static int run_trial(void)
{
    int status;
    fflush(NULL);
    requests = peer_count(daemon_run_peer);
    pid_t pid = fork();
    if (pid == 0)
        _exit(trial());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status)) {
        fprintf(stderr, "it died of signal %d\n", WTERMSIG(status));
        return WRONG;
    }
    int how = WEXITSTATUS(status);
    if (!(how & 128))
        return how;
    for (int i = 0; i < MATCHES; i++)
        if ((how & 1 << i) && !group_was_told(i))
            return wrong(i, "set aside without a word");
    return SOME_ASIDE;
}

/* Damages a store that was closed in good order, or the log that a kill leaves. */
static void try_all(enum damage_kind kind, bool in_log)
{
    const struct bytes *of = in_log ? &killed_log : &closed;
    const char *text = getenv("DAMAGE_TRIALS");
    int n = text ? (int)strtol(text, NULL, 10) : USUAL, count[WRONG + 1] = {0};
    rng = rng_seed(2026 + (uint64_t)kind * 2 + in_log);
    for (int i = 0; i < n; i++, trials++) {
        damaged = *of;
        damage(kind, &damaged);
        write_file("store.db", in_log ? &killed : &damaged);
        unlink(scratch_file("store.db-wal").p);
        unlink(scratch_file("store.db-shm").p);
        if (in_log)
            write_file("store.db-wal", &damaged);
        int how = run_trial();
        assert_in_range(how, ALL_PLAY, WRONG);
        count[how]++;
        if (how == WRONG || (how == WENT_BACK && !in_log))
            fprintf(stderr, "^ trial %d of %s\n", i, kind_names[kind]);
    }
    print_message("%s %s: %d played on, %d from an earlier commit, %d with a match set aside, %d "
                  "ended with the sentence\n",
                  in_log ? "log" : "store", kind_names[kind], count[ALL_PLAY], count[WENT_BACK],
                  count[SOME_ASIDE], count[ENDED]);
    assert_int_equal(count[WRONG], 0);
    assert_true(in_log || count[WENT_BACK] == 0);
    assert_true(n < USUAL || count[ENDED] > 0 || in_log);
}

TEST(a_store_with_flipped_bits)
{
    try_all(FLIPPED, false);
}

TEST(a_store_with_blocks_of_zeros)
{
    try_all(ZEROED, false);
}

TEST(a_store_that_was_cut)
{
    try_all(CUT, false);
}

TEST(a_log_with_flipped_bits)
{
    try_all(FLIPPED, true);
}

TEST(a_log_with_blocks_of_zeros)
{
    try_all(ZEROED, true);
}

TEST(a_log_that_was_cut)
{
    try_all(CUT, true);
}

/* Trials without damage: the test itself must cause none of the outcomes. */
TEST(an_undamaged_store_plays_on)
{
    write_file("store.db", &closed);
    unlink(scratch_file("store.db-wal").p);
    assert_int_equal(run_trial(), ALL_PLAY);
    write_file("store.db", &killed);
    write_file("store.db-wal", &killed_log);
    unlink(scratch_file("store.db-shm").p);
    assert_int_equal(run_trial(), ALL_PLAY);
}

/* No retry, whichever call meets the damage. */
TEST(damage_that_is_met_later_ends_it)
{
    int ended = 0;
    for (int call = 40; call < 400; call += 40) {
        write_file("store.db", &closed);
        unlink(scratch_file("store.db-wal").p);
        struct daemon_run *l = daemon_run_open(STR(""), DB_IS_DAMAGED, call, 1);
        if (!l)
            continue; /* there are more calls before it starts */
        if (daemon_run_db_calls(l) >= call || daemon_run_unless_ended(l, 30000)) {
            daemon_run_close(l);
            continue;
        }
        assert_int_equal(ended_well(), ENDED);
        daemon_run_close_ended(l);
        ended++;
    }
    assert_true(ended > 0);
}

/* Limit of `ulimit -f`: a write beyond it raises SIGXFSZ, which ends a process by default. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static int trial_without_room(void)
{
    alarm(PATIENCE_S);
    struct daemon_run *l = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    if (!l)
        return WRONG;
    limit_files(4096);
    if (!daemon_run_unless_ended(l, 5000))
        return wrong(0, daemon_run_why());
    const struct session_row *row = store_session(daemon_run_store(l), daemon_run_arena, 1);
    if (store_take_failure(daemon_run_store(l), &err) || row->version != version[0])
        return wrong(0, "stored without room");
    limit_files(RLIM_INFINITY);
    if (!daemon_run_unless_ended(l, DAEMON_RUN_MS))
        return wrong(0, daemon_run_why());
    return look(daemon_run_store(l), 0);
}

TEST(a_file_that_may_not_grow_is_a_full_disk)
{
    int status;
    write_file("store.db", &closed);
    unlink(scratch_file("store.db-wal").p);
    unlink(scratch_file("store.db-shm").p);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(trial_without_room());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), ALL_PLAY);
}

TESTS_WITH(set_up, tear_down)
