/* See db_sqlite_log.h. A sync takes milliseconds, in which the processor has nothing to do, and a
 * busy daemon spends half of its time there. SQLite asks for it by a method of the log's file
 * (https://sqlite.org/c3ref/io_methods.html): here that one alone is another. What it returns is what
 * the system's own returned, so a sync that fails is to SQLite what it was. */
#include "db_sqlite_log.h"

#include "alloc.h"
#include "work.h"

#include <poll.h>

struct db_log {
    sqlite3_io_methods methods; /* the system's, but for the sync */
    const sqlite3_io_methods *real;
    const struct db *db;
    struct work *work; /* one thread, from the first sync that something goes on beside; or NULL */
    struct arena *results;
};

enum { RESULTS = 64 * 1024, LOOK_MS = 60 * 1000 };

struct sync {
    sqlite3_file *file;
    const sqlite3_io_methods *real;
    int how, code;
};

static void sync_now(struct str input, const struct job_pace *pace, struct buf *ret)
{
    struct sync *s;
    (void)pace, (void)ret;
    memcpy(&s, input.p, sizeof s);
    s->code = s->real->xSync(s->file, s->how);
}

/* False if there is no thread. */
static bool sync_beside(struct db_log *log, struct sync *s)
{
    const struct sync *input = s;
    struct job_done done;
    struct err err;
    if (!log->work && !work_open(1, 0, &log->work, &err))
        return false;
    work_push(log->work,
              &(struct job){.run = sync_now, .input = {(const char *)&input, sizeof input}});
    work_commit(log->work);
    struct pollfd over = {.fd = work_fd(log->work), .events = POLLIN};
    do
        log->db->meanwhile(log->db->meanwhile_arg, &over, LOOK_MS);
    while (!work_next(log->work, log->results, &done));
    while (work_next(log->work, log->results, &done)) {} /* none: it is readable no more */
    arena_reset(log->results);
    return true;
}

static int file_sync(sqlite3_file *file, int how)
{
    struct db_log *log = (struct db_log *)(uintptr_t)file->pMethods; /* its first member */
    struct sync s = {file, log->real, how, SQLITE_OK};
    if (log->db->meanwhile && sync_beside(log, &s))
        return s.code;
    return log->real->xSync(file, how);
}

struct db_log *db_log_open(sqlite3 *file, const struct db *db)
{
    sqlite3_file *at = NULL;
    (void)sqlite3_file_control(file, "main", SQLITE_FCNTL_JOURNAL_POINTER, &at);
    if (!at || !at->pMethods)
        return NULL; /* a file system without shared memory has no log */
    struct db_log *log = alloc_zeroed(sizeof *log);
    *log = (struct db_log){
        .methods = *at->pMethods, .real = at->pMethods, .db = db, .results = arena_open(RESULTS)};
    log->methods.xSync = file_sync;
    at->pMethods = &log->methods;
    return log;
}

void db_log_close(struct db_log *log)
{
    if (!log)
        return;
    work_close(log->work);
    arena_close(log->results);
    free(log);
}
