/* SQLite under the verbs of db.h.
 *
 * Write-ahead log with synchronous=FULL: a commit is one sync of the log. Moving the log into the
 * file (a checkpoint) costs several syncs, so SQLite's own habit of doing it inside some unlucky
 * commit is switched off; it is done when the loop is idle, and otherwise only when the log has
 * grown large.
 *
 * The file is locked with flock() while it is open: two daemons on one file would each send the
 * other's messages. SQLite's own locks do not interfere with this one.
 */
#include "db_file.h"
#include "db_sqlite_log.h"

#include "alloc.h"
#include "file.h"
#include "json.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    STATEMENTS = 256, /* a power of two, well above the number of statements in store.c */
    BUSY_MS = 2000,   /* who waits for another program that reads, or closes as the last */
    COPY_BUSY_MS = 10000,
    CHECK_ROOM = 1 << 20,
    CALM_PAGES = 1000, /* a log of this many pages is moved at the next idle moment */
    FULL_PAGES = 16000 /* and one of this many at once (64 MB) */
};

/* In the file's header, as "KoiK": it is a store of koikoi. */
#define APPLICATION         1265592651
#define SET_APPLICATION(n)  "PRAGMA application_id = " #n
#define MARK_APPLICATION(n) SET_APPLICATION(n)

struct prepared {
    const char *sql;
    sqlite3_stmt *s;
};

struct sqlite {
    struct db db;
    sqlite3 *file;
    int lock;
    struct db_log *log; /* of the daemon alone */
    int log_pages;
    bool unmarked; /* the transaction has changed the schema */
    char path[4096];
    struct prepared prepared[STATEMENTS];
};

static struct sqlite *of(struct db *db)
{
    return (struct sqlite *)db;
}

/* True if a failure is transient: the same work may succeed later. */
static bool is_transient(int code)
{
    switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_NOMEM:
    case SQLITE_READONLY:
    case SQLITE_INTERRUPT:
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_PROTOCOL:
        return true;
    default:
        return false;
    }
}

static bool failed(struct sqlite *q, int code, struct err *err)
{
    code &= 0xff;
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) {
        db_damaged(&q->db, sqlite3_errmsg(q->file));
        return err_set(err, "%s", q->db.damage.text);
    }
    if (is_transient(code))
        q->db.broken = true;
    if (code == SQLITE_READONLY)
        return err_set(err,
                       "database: %s; whoever runs koikoi must be allowed to write %s, its folder "
                       "and the files beside it",
                       sqlite3_errmsg(q->file), q->path);
    return err_set(err, "database: %s", sqlite3_errmsg(q->file));
}

static bool prepare(struct sqlite *q, const char *sql, sqlite3_stmt **ret, struct err *err)
{
    size_t at = ((uintptr_t)sql >> 3) * 0x9e3779b97f4a7c15u >> 32 & (STATEMENTS - 1);
    for (size_t i = 0; i < STATEMENTS; i++, at = (at + 1) & (STATEMENTS - 1)) {
        struct prepared *p = &q->prepared[at];
        if (p->sql == sql) {
            *ret = p->s;
            return true;
        }
        if (!p->sql) {
            int code = sqlite3_prepare_v3(q->file, sql, -1, SQLITE_PREPARE_PERSISTENT, &p->s, NULL);
            if (code)
                return failed(q, code, err);
            p->sql = sql;
            *ret = p->s;
            return true;
        }
    }
    assert(!"too many statements");
    return false;
}

/* As JSON. */
static void bind_list(sqlite3_stmt *s, int at, const struct db_value *v)
{
    enum { ESCAPED = 6 }; /* "\u001f" */
    size_t cap = 2;
    for (int64_t i = 0; i < v->i; i++)
        cap += v->list[i].n * ESCAPED + 3;
    struct buf b = {alloc_room(cap), 0, cap, false};
    buf_char(&b, '[');
    for (int64_t i = 0; i < v->i; i++)
        json_put_str(&b, NULL, v->list[i]);
    buf_char(&b, ']');
    assert(!b.cut);
    sqlite3_bind_text64(s, at, b.p, b.n, free, SQLITE_UTF8);
}

static void bind(sqlite3_stmt *s, int at, const struct db_value *v)
{
    switch (v->kind) {
    case DB_NULL:
        sqlite3_bind_null(s, at);
        break;
    case DB_INT:
        sqlite3_bind_int64(s, at, v->i);
        break;
    case DB_TEXT:
        sqlite3_bind_text64(s, at, v->s.n ? v->s.p : "", v->s.n, SQLITE_STATIC, SQLITE_UTF8);
        break;
    case DB_BYTES:
        sqlite3_bind_blob64(s, at, v->s.n ? v->s.p : "", v->s.n, SQLITE_STATIC);
        break;
    case DB_LIST:
        bind_list(s, at, v);
        break;
    }
}

static struct db_value column(sqlite3_stmt *s, int at, struct arena *a)
{
    const void *p;
    switch (sqlite3_column_type(s, at)) {
    case SQLITE_NULL:
        return db_null();
    case SQLITE_INTEGER:
        return db_int(sqlite3_column_int64(s, at));
    case SQLITE_BLOB:
        p = sqlite3_column_blob(s, at);
        return db_bytes(arena_str(a, (struct str){p, (size_t)sqlite3_column_bytes(s, at)}));
    default:
        p = sqlite3_column_text(s, at);
        return db_text(arena_str(a, (struct str){p, (size_t)sqlite3_column_bytes(s, at)}));
    }
}

/* Appends the current row to the table, which grows by doubling inside the arena. */
static void append_row(sqlite3_stmt *s, struct arena *a, struct db_table *t)
{
    assert(a);
    if (t->rows == 0 || (t->rows >= 4 && (t->rows & (t->rows - 1)) == 0)) {
        size_t cap = t->rows ? (size_t)t->rows * 2 : 4;
        struct db_value *more = arena_array(a, struct db_value, cap * (size_t)t->cols);
        if (t->rows)
            memcpy(more, t->at, (size_t)t->rows * (size_t)t->cols * sizeof *more);
        t->at = more;
    }
    for (int i = 0; i < t->cols; i++)
        t->at[t->rows * t->cols + i] = column(s, i, a);
    t->rows++;
}

static bool query(struct db *db, struct arena *a, const char *sql, int n,
                  const struct db_value *args, struct db_table *ret, struct err *err)
{
    struct sqlite *q = of(db);
    sqlite3_stmt *s = NULL;
    if (!prepare(q, sql, &s, err))
        return false;
    assert(n == sqlite3_bind_parameter_count(s));
    for (int i = 0; i < n; i++) /* $1 comes before $2 in every statement of store.c */
        bind(s, i + 1, &args[i]);
    struct db_table t = {.cols = sqlite3_column_count(s)};
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        append_row(s, a, &t);
    bool ok = code == SQLITE_DONE || failed(q, code, err);
    sqlite3_reset(s);
    if (ok && ret) {
        t.changed = sqlite3_changes64(q->file);
        t.given = sqlite3_last_insert_rowid(q->file);
        *ret = t;
    }
    return ok;
}

static bool ask(struct db *db, struct arena *a, int n, struct db_question *q, struct err *err)
{
    bool ok = true;
    for (int i = 0; i < n && ok; i++)
        ok = query(db, a, q[i].sql, q[i].n, q[i].args, &q[i].answer, err);
    return ok;
}

/* ---- damage ---- */

/* The quick check of SQLite does not compare indexes with their tables: a match that is missing in
 * one would be gone without a word. */
static bool check(struct db *db, struct err *err)
{
    struct arena *a = arena_open(CHECK_ROOM);
    struct db_table t;
    bool ok = query(db, a, "PRAGMA integrity_check(1)", 0, NULL, &t, err);
    if (ok && !(t.rows == 1 && str_is(t.at[0].s, STR("ok")))) {
        struct str what = t.rows ? t.at[0].s : STR("the check found no file");
        if (str_starts(what, STR("***"))) /* a line that names the database */
            str_cut(what, '\n', &what);
        db_damaged(db, arena_str(a, what).p);
        ok = err_set(err, "%s", db->damage.text);
    }
    arena_close(a);
    return ok;
}

/* A number for the text of all tables and indexes, kept in the file's user_version; a file in which
 * that is 0 is from before. Order does not matter. Tools that recover a file add tables of their own, whose names begin with
 * "lost". */
static bool schema_sum(struct db *db, int32_t *ret, struct err *err)
{
    struct arena *a = arena_open(CHECK_ROOM);
    struct db_table t;
    uint64_t sum = 0;
    bool ok = query(db, a,
                    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'lost%' "
                    "AND name NOT LIKE 'sqlite%'",
                    0, NULL, &t, err);
    for (int i = 0; ok && i < t.rows; i++)
        sum += str_hash(t.at[i].s);
    arena_close(a);
    *ret = (int32_t)((sum ^ sum >> 32) & 0x7fffffff);
    return ok;
}

static bool schema_sound(struct db *db, struct err *err)
{
    struct arena *a = arena_open(CHECK_ROOM);
    struct db_table kept;
    int32_t is;
    bool ok = query(db, a, "PRAGMA user_version", 0, NULL, &kept, err) && schema_sum(db, &is, err);
    if (ok && kept.rows > 0 && kept.at[0].i != 0 && kept.at[0].i != is) {
        db_damaged(db, "the text of a table or index");
        ok = err_set(err, "%s", db->damage.text);
    }
    arena_close(a);
    return ok;
}

/* Another program's database is not touched. Stores from before the mark are known by their tables;
 * a file without tables is free to take. */
static bool is_ours(struct sqlite *q, struct err *err)
{
    struct arena *a = arena_open(CHECK_ROOM);
    struct db_table mark, t;
    bool ok = query(&q->db, a, "PRAGMA application_id", 0, NULL, &mark, err) &&
              query(&q->db, a,
                    "SELECT COUNT(*), COUNT(*) FILTER (WHERE name = 'migration') FROM "
                    "sqlite_schema",
                    0, NULL, &t, err);
    bool marked = ok && mark.rows == 1 && mark.at[0].i == APPLICATION;
    bool another = ok && mark.rows == 1 && mark.at[0].i != 0;
    bool older = ok && t.rows == 1 && (t.at[0].i == 0 || t.at[1].i > 0);
    if (ok && !marked && (another || !older))
        ok = err_set(err, "%s: expected a store of koikoi, got the database of another program",
                     q->path);
    arena_close(a);
    return ok;
}

/* ---- verbs ---- */

static bool mark_schema(struct sqlite *q, struct err *err)
{
    char sql[96];
    int32_t sum;
    if (!schema_sum(&q->db, &sum, err))
        return false;
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d; " MARK_APPLICATION(APPLICATION), (int)sum);
    int code = sqlite3_exec(q->file, sql, NULL, NULL, NULL);
    q->unmarked = false;
    return code == SQLITE_OK || failed(q, code, err);
}

static bool script(struct db *db, struct str sql, struct err *err)
{
    static const char *const words[] = {"KEY_COUNTED", "INTEGER PRIMARY KEY AUTOINCREMENT",
                                        "KEY_GIVEN",   "INTEGER PRIMARY KEY",
                                        "BY_ITS_KEY",  "WITHOUT ROWID",
                                        "BYTES",       "BLOB",
                                        "ON_SERVER",   "--",
                                        "IN_PARTS",    "",
                                        NULL};
    char *text = db_words_put(sql, words);
    int code = sqlite3_exec(of(db)->file, text, NULL, NULL, NULL);
    free(text);
    if (code != SQLITE_OK)
        return failed(of(db), code, err);
    of(db)->unmarked = true;
    return !sqlite3_get_autocommit(of(db)->file) || mark_schema(of(db), err);
}

static bool run_plain(struct sqlite *q, const char *sql, struct err *err)
{
    return query(&q->db, NULL, sql, 0, NULL, NULL, err);
}

static bool begin(struct db *db, struct err *err)
{
    return run_plain(of(db), "BEGIN IMMEDIATE", err);
}

static void checkpoint(struct sqlite *q)
{
    sqlite3_wal_checkpoint_v2(q->file, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    q->log_pages = 0; /* if it could not be done the next commit tells the length again */
}

static bool commit(struct db *db, struct arena *a, struct db_question *last, struct err *err)
{
    if (last && !ask(db, a, 1, last, err))
        return false;
    if (of(db)->unmarked && !mark_schema(of(db), err))
        return false;
    if (!run_plain(of(db), "COMMIT", err))
        return false;
    if (of(db)->log_pages >= FULL_PAGES)
        checkpoint(of(db));
    return true;
}

static void rollback(struct db *db)
{
    struct err ignored;
    if (!sqlite3_get_autocommit(of(db)->file) && !run_plain(of(db), "ROLLBACK", &ignored))
        sqlite3_exec(of(db)->file, "ROLLBACK", NULL, NULL, NULL);
    of(db)->unmarked = false;
    db->broken = false;
}

static bool set_counter(struct db *db, struct str table, int64_t last, struct err *err)
{
    const struct db_value args[] = {db_text(table), db_int(last)};
    return query(db, NULL, "DELETE FROM sqlite_sequence WHERE name = $1", 1, args, NULL, err) &&
           query(db, NULL, "INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)", 2, args, NULL,
                 err);
}

static void idle(struct db *db)
{
    if (of(db)->log_pages >= CALM_PAGES)
        checkpoint(of(db));
}

static void close_db(struct db *db)
{
    struct sqlite *q = of(db);
    for (size_t i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(q->prepared[i].s);
    sqlite3_close(q->file);
    db_log_close(q->log);
    if (q->lock >= 0)
        close(q->lock);
    free(q);
}

/* What is written into a file that was moved away or replaced is lost. */
static bool keep(struct db *db, int *ret_ms, struct err *err)
{
    enum { KEEP_MS = 60 * 1000 };
    struct sqlite *q = (struct sqlite *)db;
    int moved = 0;
    *ret_ms = KEEP_MS;
    sqlite3_file_control(q->file, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return !moved ||
           err_set(err,
                   "%s: the file that this process writes was moved away or replaced. Put it back, "
                   "or stop the process first",
                   q->path);
}

static const struct db_verbs verbs = {
    .query = query,
    .ask = ask,
    .script = script,
    .begin = begin,
    .commit = commit,
    .check = check,
    .rollback = rollback,
    .idle = idle,
    .keep = keep,
    .close = close_db,
    .tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND "
              "name NOT LIKE 'lost%' ORDER BY name",
    .keys = "SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk",
    /* a column of bytes may hold what was written as text */
    .columns = "SELECT CASE type WHEN 'BLOB' THEN 'CAST(' || name || ' AS BLOB)' ELSE name END "
               "FROM pragma_table_info($1) ORDER BY cid",
    .counters = "SELECT name, seq FROM sqlite_sequence ORDER BY name",
    .set_counter = set_counter,
};

/* ---- files ---- */

int db_lock(const char *path, int flags, struct err *err)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | flags, 0600);
    if (fd < 0) {
        err_set(err, "%s: cannot be opened: %s", path, strerror(errno));
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (errno == EWOULDBLOCK)
        err_set(err, "%s: another koikoi is running on this file", path);
    else
        err_set(err, "%s: cannot be locked: %s", path, strerror(errno));
    close(fd);
    return -1;
}

/* The system lists who has locked which file, by its number: "7: FLOCK ADVISORY WRITE PID
 * fe:01:NUMBER 0 EOF". */
static struct str lock_holder(struct arena *a, ino_t file)
{
    enum { LINE = 256 };
    char line[LINE], number[32];
    struct str found = STR("another process");
    FILE *locks = fopen("/proc/locks", "re");
    int n = snprintf(number, sizeof number, ":%llu", (unsigned long long)file);
    while (locks && fgets(line, sizeof line, locks)) {
        struct str part[6], rest = str_of(line);
        for (int i = 0; i < 6; i++)
            part[i] = str_word(&rest);
        if (str_is(part[1], STR("FLOCK")) && part[5].n > (size_t)n &&
            str_is(str_skip(part[5], part[5].n - (size_t)n), str_of(number)))
            found = arena_print(a, "process %.*s", STR_ARG(part[4]));
    }
    if (locks)
        fclose(locks);
    return found;
}

struct str db_sqlite_holders(struct arena *a, struct str path)
{
    struct stat st;
    int fd = open(arena_str(a, path).p, O_RDONLY | O_CLOEXEC);
    bool held = fd >= 0 && fstat(fd, &st) == 0 && flock(fd, LOCK_SH | LOCK_NB) != 0;
    if (fd >= 0)
        close(fd);
    return held ? lock_holder(a, st.st_ino) : STR("");
}

/* SQLite opens a file of no bytes as an empty store and deletes the log beside it. After a power cut
 * such a file may be all that is left of one that was just made, so it gets its name when it is
 * whole and synced, once: SQLite's own nine syncs on the way are for a file that has a name. The
 * lock is on the file, not on the name, and goes along. */
static bool fill(const char *part, struct err *err)
{
    sqlite3 *file = NULL;
    int code = sqlite3_open_v2(part, &file, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(
            file,
            "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; " MARK_APPLICATION(
                APPLICATION) "; PRAGMA journal_mode = WAL",
            NULL, NULL, NULL);
    int end = sqlite3_close(file);
    code = code == SQLITE_OK ? end : code;
    return code == SQLITE_OK || err_set(err, "%s: cannot be made: %s", part, sqlite3_errstr(code));
}

/* Makes it without a table, in WAL mode, with mode 0600, and synced. *ret_lock is its lock, or -1 if
 * another process made the file meanwhile. */
static bool make_new(const char *path, int *ret_lock, struct err *err)
{
    char part[PATH_MAX];
    *ret_lock = -1;
    if ((size_t)snprintf(part, sizeof part, "%s.new", path) >= sizeof part)
        return err_set(err, "store: expected a shorter path than %s", path);
    int lock = db_lock(part, O_CREAT, err);
    if (lock < 0)
        return false;
    if (file_exists(path)) {
        unlink(part);
        close(lock);
        return true;
    }
    bool good = ftruncate(lock, 0) == 0 && fill(part, err);
    file_hand_over(part, path);
    if (good && !file_keep(part, path))
        good = err_set(err, "%s: cannot be made: %s", path, strerror(errno));
    if (good)
        *ret_lock = lock;
    else
        close(lock);
    return good;
}

/* ---- opening ---- */

static int on_log(void *arg, sqlite3 *file, const char *name, int pages)
{
    (void)file, (void)name;
    ((struct sqlite *)arg)->log_pages = pages;
    return SQLITE_OK;
}

static bool lock_file(struct sqlite *q, struct err *err)
{
    if (q->lock < 0)
        q->lock = db_lock(q->path, 0, err);
    return q->lock >= 0;
}

static bool set_up(struct sqlite *q, struct err *err)
{
    int code = sqlite3_exec(
        q->file,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -4000;"
        "PRAGMA temp_store = MEMORY",
        NULL, NULL, NULL);
    /* else a statement whose plan could depend on a value is planned anew for each */
    if (code == SQLITE_OK)
        code = sqlite3_db_config(q->file, SQLITE_DBCONFIG_ENABLE_QPSG, 1, NULL);
    return code == SQLITE_OK || failed(q, code, err);
}

static struct sqlite *make(struct str where, struct err *err)
{
    static const char *const words[] = {
        "LIST", "(SELECT value FROM json_each($1)) AS l", "EACH", "CROSS JOIN", "DONE", "", NULL};
    struct sqlite *q = alloc_zeroed(sizeof *q);
    if (where.n >= sizeof q->path) {
        err_set(err, "store: expected a path of at most %zu bytes, got %zu", sizeof q->path - 1,
                where.n);
        free(q);
        return NULL;
    }
    memcpy(q->path, where.p, where.n);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* refused if a file is open already: no harm */
    q->db.verbs = &verbs;
    q->db.words = words;
    q->db.path = q->path;
    q->lock = -1;
    return q;
}

/* Of a folder SQLite says "disk I/O error". */
static bool open_file(struct sqlite *q, int how, struct err *err)
{
    struct stat file;
    if (stat(q->path, &file) == 0 && S_ISDIR(file.st_mode))
        return err_set(err, "%s: expected a store, got a folder", q->path);
    if (sqlite3_open_v2(q->path, &q->file, how | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        sqlite3_busy_timeout(q->file, BUSY_MS) == SQLITE_OK)
        return true;
    int why = q->file ? sqlite3_system_errno(q->file) : 0;
    return err_set(err, "%s: %s%s%s", q->path, q->file ? sqlite3_errmsg(q->file) : "out of memory",
                   why ? ": " : "", why ? strerror(why) : "");
}

/* SQLite would write the log of a file that was taken away into the new one. */
static bool is_log_alone(const struct sqlite *q, struct err *err)
{
    char log[PATH_MAX + 4];
    struct stat file;
    snprintf(log, sizeof log, "%s-wal", q->path);
    return stat(log, &file) == 0 && file.st_size > 0 &&
           !err_set(err,
                    "%s: expected a store, got its log alone, %s. Put the store back beside it, or "
                    "the last backup in its place with koikoi restore, or remove the log to begin "
                    "anew",
                    q->path, log);
}

/* An empty file has been cut: SQLite would begin anew without a word. */
static bool open_to_write(struct sqlite *q, bool *ret_useless, struct err *err)
{
    struct stat file = {0};
    bool there = file_exists(q->path);
    if (!there && is_log_alone(q, err)) {
        *ret_useless = true;
        return false;
    }
    if (!there && !make_new(q->path, &q->lock, err))
        return false;
    if (stat(q->path, &file) == 0 && file.st_size == 0) {
        *ret_useless = true;
        return err_set(err,
                       "%s: expected a store, got an empty file. Put the last backup in its place, "
                       "or remove it to begin anew",
                       q->path);
    }
    q->db.checked = file.st_size <= DB_CHECK_BYTES;
    if (!lock_file(q, err) || !open_file(q, SQLITE_OPEN_READWRITE, err))
        return false;
    bool good = is_ours(q, err) && set_up(q, err) && schema_sound(&q->db, err) &&
                (!q->db.checked || check(&q->db, err));
    *ret_useless = !good && (q->db.damage.text[0] || !q->db.broken);
    return good;
}

bool db_sqlite_open(struct str where, struct db **ret, struct err *err)
{
    bool useless;
    return db_sqlite_open_or_say(where, ret, &useless, err);
}

bool db_sqlite_open_or_say(struct str where, struct db **ret, bool *ret_useless, struct err *err)
{
    struct sqlite *q = make(where, err);
    if (!q)
        return false;
    *ret_useless = false;
    if (!open_to_write(q, ret_useless, err)) {
        close_db(&q->db);
        return false;
    }
    sqlite3_wal_hook(q->file, on_log, q);
    q->log = db_log_open(q->file, &q->db);
    *ret = &q->db;
    return true;
}

bool db_sqlite_open_beside(struct str where, bool to_write, struct db **ret, struct err *err)
{
    struct sqlite *q = make(where, err);
    if (!q)
        return false;
    if (!open_file(q, to_write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, err)) {
        close_db(&q->db);
        return false;
    }
    *ret = &q->db;
    return true;
}

/* ---- a copy beside a daemon ---- */

/* A file of mode 0600 that was not there before. */
static bool make_file(const char *path, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_set(err, "%s: cannot be made: %s", path, strerror(errno));
    close(fd);
    return true;
}

/* The copy is one file, without a log beside it. */
static bool copy_pages(const char *from, const char *to, struct err *err)
{
    sqlite3 *source = NULL, *copy = NULL;
    int code = sqlite3_open_v2(from, &source, SQLITE_OPEN_READONLY, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_busy_timeout(source, COPY_BUSY_MS);
    if (code == SQLITE_OK)
        code = sqlite3_open_v2(to, &copy, SQLITE_OPEN_READWRITE, NULL);
    sqlite3_backup *backup =
        code == SQLITE_OK ? sqlite3_backup_init(copy, "main", source, "main") : NULL;
    if (backup) {
        code = sqlite3_backup_step(backup, -1);
        int end = sqlite3_backup_finish(backup);
        code = code == SQLITE_DONE ? end : code;
    } else if (code == SQLITE_OK) {
        code = sqlite3_errcode(copy);
    }
    if (code == SQLITE_OK)
        code = sqlite3_exec(copy, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        err_set(err, "%s: cannot be copied to %s: %s", from, to, sqlite3_errstr(code));
    sqlite3_close(source);
    sqlite3_close(copy);
    return code == SQLITE_OK;
}

static bool check_copy(const char *path, struct err *err)
{
    struct db *db;
    if (!db_sqlite_open_beside(str_of(path), false, &db, err))
        return false;
    bool sound = db->verbs->check(db, err);
    db->verbs->close(db);
    return sound;
}

/* SQLite's backup API copies page by page in one read transaction: a writer in WAL mode goes on
 * beside it. */
bool db_sqlite_copy(struct str from, struct str to, struct err *err)
{
    char source[PATH_MAX], path[PATH_MAX - 8], part[PATH_MAX];
    if (from.n >= sizeof source || to.n >= sizeof path)
        return err_set(err, "expected paths of at most %zu bytes", sizeof path - 1);
    snprintf(source, sizeof source, "%.*s", STR_ARG(from));
    snprintf(path, sizeof path, "%.*s", STR_ARG(to));
    snprintf(part, sizeof part, "%s.part", path);
    if (!file_exists(source))
        return err_set(err, "%s: there is no such file", source);
    if (file_is_same(source, path))
        return err_set(err, "%s: expected a new file, got the store itself", path);
    if (file_exists(path))
        return err_set(err, "%s: expected a new file, got one that exists", path);
    if (!make_file(part, err))
        return false;
    bool good = copy_pages(source, part, err) && check_copy(part, err);
    if (good && !file_keep(part, path))
        good = err_set(err, "%s: cannot be kept: %s", path, strerror(errno));
    if (!good)
        unlink(part);
    return good;
}
