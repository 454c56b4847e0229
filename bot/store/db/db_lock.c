/* See db_lock.h. */
#include "db_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

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
