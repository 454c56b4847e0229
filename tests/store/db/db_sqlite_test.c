/* The SQLite database keeps the promises of db.h: every commit is synced, in WAL mode, in a file
 * that only its owner may read and no second process opens. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "arena.h"
#include "db_file.h"
#include "file.h"

#include <poll.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct arena *arena;
static struct err err;

FIXTURE(setup)
{
    arena = arena_open(1 << 20);
    return !scratch_open();
}

FIXTURE(teardown)
{
    scratch_close();
    arena_close(arena);
    return 0;
}

static struct db *open_file(void)
{
    struct db *db;
    OK(db_sqlite_open(scratch_file("store.db"), &db, &err));
    return db;
}

static struct db_value ask(struct db *db, const char *sql)
{
    struct db_table t;
    OK(db->verbs->query(db, arena, sql, 0, NULL, &t, &err));
    assert_int_equal(t.rows, 1);
    return t.at[0];
}

static void assert_synced(struct db *db)
{
    enum { FULL = 2 }; /* as https://sqlite.org/pragma.html#pragma_synchronous numbers it */
    assert_int_equal(ask(db, "PRAGMA synchronous").i, FULL);
    assert_true(str_is(ask(db, "PRAGMA journal_mode").s, STR("wal")));
}

static void run(struct db *db, const char *sql)
{
    struct db_table none;
    OK(db->verbs->query(db, NULL, sql, 0, NULL, &none, &err));
}

/* A text of a list is one text, whatever is in it. */
TEST_WITH(each_text_of_a_list_finds_its_rows, setup, teardown)
{
    const struct str texts[] = {STR("a"),         STR(""),         STR("\"],["),
                                STR("\\u0041\n"), STR("\x1f\x7f"), STR("\xE9\xB6\xB4")};
    enum { N = sizeof texts / sizeof *texts };
    struct db *db = open_file();
    char *sql =
        db_words_put(STR("SELECT t.n FROM LIST EACH t WHERE t.word = value DONE"), db->words);
    struct db_table none, t;
    run(db, "CREATE TABLE t (n INTEGER, word TEXT)");
    for (int n = 0; n <= N; n++) {
        const struct db_value list = db_list(n, texts), row[] = {db_int(n), db_text(texts[n % N])};
        OK(db->verbs->query(db, arena, sql, 1, &list, &t, &err));
        assert_int_equal(t.rows, n);
        for (int i = 0, seen = 0; i < n; i++) {
            seen |= 1 << t.at[i].i;
            assert_true(i < n - 1 || seen == (1 << n) - 1);
        }
        if (n < N)
            OK(db->verbs->query(db, NULL, "INSERT INTO t VALUES ($1, $2)", 2, row, &none, &err));
    }
    db->verbs->close(db);
    free(sql);
}

/* Not a byte of it changes, whether it has a mark of its own or none, and says so to its owner. */
TEST_WITH(another_programs_database_is_never_touched, setup, teardown)
{
    static const char *const foreign[][2] = {
        {"PRAGMA application_id = 0", "CREATE TABLE t (n INTEGER)"},
        {"PRAGMA application_id = 252006673", "CREATE TABLE migration (number INTEGER)"},
        {"PRAGMA application_id = 252006673", "PRAGMA user_version = 1"},
    };
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        struct str before, after;
        const char *const path = scratch_file("other.db").p;
        struct db *db;
        OK(db_sqlite_open(str_of(path), &db, &err));
        (void)ask(db, "PRAGMA journal_mode = DELETE");
        run(db, foreign[i][0]);
        run(db, foreign[i][1]);
        db->verbs->close(db);
        OK(file_read(path, 1 << 20, &before, &err));
        assert_false(db_sqlite_open(str_of(path), &db, &err));
        assert_non_null(strstr(err.text, "the database of another program"));
        OK(file_read(path, 1 << 20, &after, &err));
        assert_true(str_is(before, after));
        assert_int_equal(scratch_mode("other.db-wal"), -1);
        file_free(before);
        file_free(after);
        remove(path);
    }
}

static void *leave_soon(void *file)
{
    poll(NULL, 0, 100);
    sqlite3_close(file);
    return NULL;
}

/* The last of other programs that leaves a store has it for itself while it tidies up. */
TEST_WITH(who_opens_waits_for_another_program_to_leave, setup, teardown)
{
    pthread_t leaving;
    sqlite3 *other;
    struct db *db = open_file();
    db->verbs->close(db);
    assert_int_equal(sqlite3_open(scratch_file("store.db").p, &other), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(other, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(pthread_create(&leaving, NULL, leave_soon, other), 0);
    db = open_file();
    pthread_join(leaving, NULL);
    db->verbs->close(db);
}

/* A store of a version without the mark gets it. */
TEST_WITH(a_store_without_the_mark_is_taken_and_marked, setup, teardown)
{
    struct db *db;
    OK(db_sqlite_open(scratch_file("old.db"), &db, &err));
    run(db, "CREATE TABLE migration (number INTEGER)");
    run(db, "PRAGMA application_id = 0");
    db->verbs->close(db);
    OK(db_sqlite_open(scratch_file("old.db"), &db, &err));
    OK(db->verbs->script(db, STR("CREATE TABLE t (n INTEGER)"), &err));
    assert_int_equal(ask(db, "PRAGMA application_id").i, 0x4b6f694b);
    db->verbs->close(db);
}

TEST_WITH(who_has_a_file_open_is_named, setup, teardown)
{
    struct db *db = open_file();
    struct str self = arena_print(arena, "process %d", (int)getpid());
    assert_string_equal(db_holders(arena, scratch_file("store.db")).p, self.p);
    db->verbs->close(db);
    assert_int_equal(db_holders(arena, scratch_file("store.db")).n, 0);
    assert_int_equal(db_holders(arena, scratch_file("absent")).n, 0);
}

/* A new file is set up without syncs first: they must be on when the open returns. */
TEST_WITH(commits_are_synced_in_a_new_file_and_in_an_old_one, setup, teardown)
{
    struct db *db = open_file();
    assert_synced(db);
    OK(db->verbs->begin(db, &err));
    run(db, "CREATE TABLE t (n INTEGER)");
    OK(db->verbs->commit(db, NULL, NULL, &err));
    assert_synced(db);
    db->verbs->close(db);
    db = open_file();
    assert_synced(db);
    OK(db->verbs->begin(db, &err));
    run(db, "INSERT INTO t VALUES (1)");
    db->verbs->rollback(db);
    assert_synced(db);
    db->verbs->idle(db);
    assert_synced(db);
    assert_int_equal(ask(db, "SELECT count(*) FROM t").i, 0);
    db->verbs->close(db);
}

TEST_WITH(a_file_that_another_made_with_a_rollback_journal_is_synced_too, setup, teardown)
{
    scratch_sql("store.db", "PRAGMA journal_mode = DELETE; CREATE TABLE t (n INTEGER)");
    struct db *db = open_file();
    assert_synced(db);
    db->verbs->close(db);
}

TEST_WITH(its_owner_alone_may_read_it, setup, teardown)
{
    struct db *db = open_file();
    run(db, "CREATE TABLE t (n INTEGER)");
    assert_int_equal(scratch_mode("store.db"), 0600);
    assert_int_equal(scratch_mode("store.db-wal"), 0600);
    assert_int_equal(scratch_mode("store.db-shm"), 0600);
    db->verbs->close(db);
}

TEST_WITH(a_second_opening_is_refused_until_the_first_closes, setup, teardown)
{
    struct db *db = open_file(), *second = NULL;
    assert_false(db_sqlite_open(scratch_file("store.db"), &second, &err));
    assert_null(second);
    assert_non_null(strstr(err.text, "another koikoi is running on this file"));
    db->verbs->close(db);
    db = open_file();
    db->verbs->close(db);
}

TEST_WITH(a_file_whose_making_was_cut_short_is_made_anew, setup, teardown)
{
    scratch_write("store.db.new", "SQLite format 3, but no more of it");
    struct db *db = open_file();
    assert_synced(db);
    assert_int_equal(ask(db, "SELECT count(*) FROM sqlite_master").i, 0);
    assert_int_equal(scratch_mode("store.db.new"), -1);
    db->verbs->close(db);
}

TEST_WITH(a_file_that_was_emptied_is_refused, setup, teardown)
{
    struct db *db;
    scratch_write("store.db", "");
    assert_false(db_sqlite_open(scratch_file("store.db"), &db, &err));
    assert_non_null(strstr(err.text, "backup"));
}

static void fill(struct db *db)
{
    OK(db->verbs->script(db,
                         STR("CREATE TABLE t (n INTEGER, text TEXT); CREATE INDEX i ON t (n);"
                             "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT "
                             "2000) INSERT INTO t SELECT n, 'some text' FROM c"),
                         &err));
}

static void overwrite(long at, const char *bytes, size_t n)
{
    FILE *f = fopen(scratch_file("store.db").p, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, at, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void assert_refused_as_damaged(void)
{
    scratch_store_damaged();
    struct db *db;
    assert_false(db_sqlite_open(scratch_file("store.db"), &db, &err));
    assert_non_null(strstr(err.text, "store.db is damaged"));
    assert_non_null(strstr(err.text, "backup"));
    assert_non_null(strstr(err.text, "store.db .dump | sed"));
}

TEST_WITH(a_damaged_page_is_found_when_the_file_is_opened, setup, teardown)
{
    static const char zeros[4096];
    struct db *db = open_file();
    fill(db);
    db->verbs->close(db);
    db = open_file();
    db->verbs->close(db);
    overwrite(2 * 4096, zeros, sizeof zeros);
    assert_refused_as_damaged();
}

TEST_WITH(a_damaged_text_of_a_table_is_found_when_the_file_is_opened, setup, teardown)
{
    static char page[4096];
    struct db *db = open_file();
    fill(db);
    db->verbs->close(db);
    FILE *f = fopen(scratch_file("store.db").p, "rb");
    assert_int_equal(fread(page, 1, sizeof page, f), sizeof page);
    fclose(f);
    for (long i = 0; i + 9 <= (long)sizeof page; i++)
        if (memcmp(page + i, "text TEXT", 9) == 0)
            overwrite(i, "tex2", 4);
    assert_refused_as_damaged();
}

TEST_WITH(damage_that_is_met_later_stays_known, setup, teardown)
{
    scratch_store_damaged();
    struct db_table t;
    struct db *db = open_file();
    fill(db);
    assert_true(db->verbs->check(db, &err));
    db->verbs->close(db);
    db = open_file();
    static char noise[4096];
    memset(noise, 7, sizeof noise);
    overwrite(2 * 4096, noise, sizeof noise);
    overwrite(3 * 4096, noise, sizeof noise);
    run(db, "PRAGMA shrink_memory");
    assert_false(
        db->verbs->check(db, &err) &&
        db->verbs->query(db, arena, "SELECT count(*) FROM t WHERE text > ''", 0, NULL, &t, &err));
    assert_non_null(strstr(db->damage.text, ".dump"));
    db->verbs->rollback(db);
    assert_false(db->broken);
    assert_non_null(strstr(db->damage.text, ".dump"));
    db->verbs->close(db);
}

/* ---- what goes on while a commit waits for the disk ---- */

/* The system's files, but for the sync of a log: it ends with `ends`. */
static struct {
    sqlite3_vfs *under, vfs;
    sqlite3_io_methods methods;
    const sqlite3_io_methods *real;
    int ends;
} disk;

static int disk_sync(sqlite3_file *f, int how)
{
    return disk.ends == SQLITE_OK ? disk.real->xSync(f, how) : disk.ends;
}

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *f, int flags, int *ret)
{
    int code = disk.under->xOpen(disk.under, path, f, flags, ret);
    (void)vfs;
    if (code != SQLITE_OK || !(flags & SQLITE_OPEN_WAL))
        return code;
    disk.real = f->pMethods;
    disk.methods = *f->pMethods;
    disk.methods.xSync = disk_sync;
    f->pMethods = &disk.methods;
    return code;
}

FIXTURE(setup_disk)
{
    disk.under = sqlite3_vfs_find(NULL);
    disk.vfs = *disk.under;
    disk.vfs.zName = "ends";
    disk.vfs.xOpen = disk_open;
    disk.ends = SQLITE_OK;
    sqlite3_vfs_register(&disk.vfs, 1);
    return setup(state);
}

FIXTURE(teardown_disk)
{
    sqlite3_vfs_unregister(&disk.vfs);
    sqlite3_vfs_register(disk.under, 1);
    return teardown(state);
}

static int64_t rows_seen_by_others(void)
{
    struct db *db;
    OK(db_sqlite_open_beside(scratch_file("store.db"), false, &db, &err));
    int64_t n = ask(db, "SELECT count(*) FROM t").i;
    db->verbs->close(db);
    return n;
}

/* Looks at the store once the commit has begun to wait. */
static void look(void *arg, struct pollfd *fd, int ms)
{
    int64_t *seen = arg;
    (void)ms;
    *seen = rows_seen_by_others();
    assert_int_equal(poll(fd, 1, -1), 1);
}

/* One that is not over has not happened; one whose sync fails has not either, and may be repeated. */
TEST_WITH(a_commit_happens_when_its_sync_is_over, setup_disk, teardown_disk)
{
    int64_t seen = -1;
    struct db *db = open_file();
    run(db, "CREATE TABLE t (n INTEGER)");
    db->meanwhile = look;
    db->meanwhile_arg = &seen;
    for (int n = 0; n < 3; n++) {
        for (int failing = 1; failing >= 0; failing--) {
            disk.ends = failing ? SQLITE_IOERR_FSYNC : SQLITE_OK;
            seen = -1;
            OK(db->verbs->begin(db, &err));
            run(db, "INSERT INTO t VALUES (1)");
            assert_int_equal(db->verbs->commit(db, NULL, NULL, &err), !failing);
            assert_int_equal(seen, n);
            assert_int_equal(db->broken, failing);
            db->verbs->rollback(db);
            assert_int_equal(rows_seen_by_others(), n + !failing);
        }
    }
    db->meanwhile = NULL;
    db->verbs->close(db);
}

/* What a process writes into a file that no name leads to is lost. */
TEST_WITH(a_file_that_was_moved_away_or_replaced_is_not_ours_to_write, setup, teardown)
{
    const char *path = arena_str(arena, scratch_file("store.db")).p;
    const char *aside = arena_str(arena, scratch_file("aside.db")).p;
    struct db *db = open_file();
    int ms = 0;
    OK(db->verbs->keep(db, &ms, &err));
    assert_true(ms > 0);
    assert_int_equal(rename(path, aside), 0);
    assert_false(db->verbs->keep(db, &ms, &err));
    assert_non_null(strstr(err.text, "moved away or replaced"));
    FILE *another = fopen(path, "wb");
    assert_non_null(another);
    fclose(another);
    assert_false(db->verbs->keep(db, &ms, &err));
    assert_int_equal(rename(aside, path), 0);
    OK(db->verbs->keep(db, &ms, &err));
    db->verbs->close(db);
}

TEST_WITH(a_log_without_its_file_begins_no_store, setup, teardown)
{
    const char *log = arena_str(arena, scratch_file("store.db-wal")).p;
    struct db *db;
    bool useless;
    FILE *left = fopen(log, "wb");
    assert_non_null(left);
    fputs("log", left);
    fclose(left);
    assert_false(db_sqlite_open_or_say(scratch_file("store.db"), &db, &useless, &err));
    assert_true(useless);
    assert_non_null(strstr(err.text, "its log alone"));
    assert_int_equal(unlink(log), 0);
    db = open_file();
    db->verbs->close(db);
}

TEST_WITH(a_folder_is_no_store, setup, teardown)
{
    struct str folder = scratch_file("folder");
    struct db *db;
    assert_int_equal(mkdir(arena_str(arena, folder).p, 0700), 0);
    assert_false(db_sqlite_open_beside(folder, false, &db, &err));
    assert_non_null(strstr(err.text, "got a folder"));
    assert_false(db_sqlite_open(folder, &db, &err));
    assert_int_equal(rmdir(arena_str(arena, folder).p), 0);
}
