/* See db_sqlite_copy.h. SQLite's backup API copies page by page in one read transaction: a writer
 * in WAL mode goes on beside it. */
#include "db_sqlite_copy.h"
#include "file.h"

#include "db.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BUSY_MS = 10000 };

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
        code = sqlite3_busy_timeout(source, BUSY_MS);
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
    if (!db_sqlite_open_to_read(str_of(path), &db, err))
        return false;
    bool sound = db->verbs->check(db, err);
    db->verbs->close(db);
    return sound;
}

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
