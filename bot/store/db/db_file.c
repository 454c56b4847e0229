/* See db_file.h. SQLite opens a file of no bytes as an empty store and deletes the log beside it.
 * After a power cut such a file may be all that is left of one that was just made, so it gets its
 * name when it is whole. The lock is on the file, not on the name, and goes along. */
#include "db_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "file.h"

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

static bool fill(const char *part, struct err *err)
{
    sqlite3 *file = NULL;
    int code = sqlite3_open_v2(part, &file, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(file, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    int end = sqlite3_close(file);
    code = code == SQLITE_OK ? end : code;
    return code == SQLITE_OK || err_set(err, "%s: cannot be made: %s", part, sqlite3_errstr(code));
}

bool db_sqlite_new(const char *path, int *ret_lock, struct err *err)
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
    if (good && !file_keep(part, path))
        good = err_set(err, "%s: cannot be made: %s", path, strerror(errno));
    if (good)
        *ret_lock = lock;
    else
        close(lock);
    return good;
}
