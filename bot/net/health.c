/* See health.h. */
#include "health.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"
#include "str.h"

enum { WAITING = 16 };

struct health {
    int fd;
    struct sockaddr_un at;
};

static bool socket_address(const char *path, struct sockaddr_un *ret, struct err *err)
{
    *ret = (struct sockaddr_un){.sun_family = AF_UNIX};
    size_t n = strlen(path);
    if (n >= sizeof ret->sun_path)
        return err_set(err, "%s: expected a path below %zu bytes, got %zu", path,
                       sizeof ret->sun_path, n);
    memcpy(ret->sun_path, path, n);
    return true;
}

/* ---- the service manager ---- */

bool health_tell(const char *message)
{
    struct sockaddr_un to;
    struct err err;
    const char *name = getenv("NOTIFY_SOCKET");
    if (!name || (name[0] != '/' && name[0] != '@') || !socket_address(name, &to, &err))
        return false;
    size_t n = offsetof(struct sockaddr_un, sun_path) + strlen(name) + (name[0] == '/');
    if (name[0] == '@') /* abstract: no file, its first byte is NUL */
        to.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return false;
    bool told = sendto(fd, message, strlen(message), MSG_NOSIGNAL, (const struct sockaddr *)&to,
                       (socklen_t)n) >= 0;
    close(fd);
    return told;
}

bool health_tell_reloading(void)
{
    char message[64];
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    snprintf(message, sizeof message, "RELOADING=1\nMONOTONIC_USEC=%lld",
             (long long)t.tv_sec * 1000000 + t.tv_nsec / 1000);
    return health_tell(message);
}

int64_t health_watchdog_ms(void)
{
    const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    int64_t us, whose = getpid();
    if (!usec || !str_int(str_of(usec), &us) || us <= 0 || (pid && !str_int(str_of(pid), &whose)) ||
        whose != getpid())
        return 0;
    return us < 2000 ? 1 : us / 2000;
}

/* ---- the socket of `koikoi health` ---- */

bool health_open(const char *path, struct health **ret, struct err *err)
{
    struct sockaddr_un at;
    if (!socket_address(path, &at, err))
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool good = fd >= 0 && (unlink(path) == 0 || errno == ENOENT);
    mode_t was = umask(0177);
    good = good && bind(fd, (const struct sockaddr *)&at, sizeof at) == 0;
    umask(was);
    if (!good || listen(fd, WAITING) != 0) {
        err_set(err, "%s: no socket: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    *ret = alloc_zeroed(sizeof **ret);
    **ret = (struct health){.fd = fd, .at = at};
    return true;
}

void health_close(struct health *h)
{
    if (!h)
        return;
    unlink(h->at.sun_path);
    close(h->fd);
    free(h);
}

int health_fd(const struct health *h)
{
    return h->fd;
}

void health_answer(struct health *h, const char *line)
{
    for (int fd; (fd = accept4(h->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0; close(fd))
        (void)!send(fd, line, strlen(line), MSG_NOSIGNAL);
}

bool health_ask(const char *path, int ms, char ret[static HEALTH_LINE], struct err *err)
{
    struct sockaddr_un at;
    struct timeval most = {ms / 1000, ms % 1000 * 1000};
    char line[HEALTH_LINE];
    ssize_t n = 0, got = 0;
    bool connected = false;
    if (!socket_address(path, &at, err))
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most) != 0)
        err_set(err, "no socket: %s", strerror(errno));
    else if (connect(fd, (const struct sockaddr *)&at, sizeof at) != 0 && errno != EAGAIN)
        err_set(err, "no daemon at %s: %s", path, strerror(errno));
    else
        connected = true;
    while (connected && (got = recv(fd, line + n, sizeof line - 1 - (size_t)n, 0)) > 0)
        n += got;
    if (fd >= 0)
        close(fd);
    if (!connected)
        return false;
    if (got < 0 || n == 0)
        return err_set(err, "the daemon does not answer");
    line[n] = '\0';
    line[strcspn(line, "\n")] = '\0';
    memcpy(ret, line, sizeof line);
    return true;
}
