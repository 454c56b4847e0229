/* See health.h. */
#include "health.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
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

static bool listen_at(int fd, const struct sockaddr_un *at)
{
    if (unlink(at->sun_path) != 0 && errno != ENOENT)
        return false;
    mode_t was = umask(0177);
    bool good = bind(fd, (const struct sockaddr *)at, sizeof *at) == 0;
    umask(was);
    return good && listen(fd, WAITING) == 0;
}

bool health_open(const char *path, struct health **ret, struct err *err)
{
    struct sockaddr_un at;
    if (!socket_address(path, &at, err))
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || !listen_at(fd, &at)) {
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
