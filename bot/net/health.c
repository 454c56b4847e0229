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

/* ---- the socket for the host's commands ---- */

bool health_open(const char *path, struct health **ret, struct err *err)
{
    struct sockaddr_un at;
    if (!socket_address(path, &at, err))
        return false;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool good = fd >= 0 && (unlink(path) == 0 || errno == ENOENT);
    mode_t was = umask(0177);
    good = good && bind(fd, (const struct sockaddr *)&at, sizeof at) == 0;
    umask(was);
    if (!good) {
        err_set(err, "%s: no socket: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    *ret = alloc_zeroed(sizeof **ret);
    **ret = (struct health){.fd = fd, .at = at};
    return true;
}

bool health_reachable(const struct health *h)
{
    struct stat st;
    return lstat(h->at.sun_path, &st) == 0 || errno != ENOENT;
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

/* A datagram and the room for one descriptor that comes with it. */
struct packet {
    _Alignas(struct cmsghdr) char with[CMSG_SPACE(sizeof(int))];
    struct iovec bytes;
    struct msghdr message;
};

static struct msghdr *packet_of(struct packet *p, char *text, size_t n)
{
    memset(p, 0, sizeof *p);
    p->bytes = (struct iovec){text, n};
    p->message = (struct msghdr){.msg_iov = &p->bytes,
                                 .msg_iovlen = 1,
                                 .msg_control = p->with,
                                 .msg_controllen = sizeof p->with};
    return &p->message;
}

bool health_next(struct health *h, struct health_question *ret)
{
    struct packet p;
    for (;;) {
        struct msghdr *m = packet_of(&p, ret->text, sizeof ret->text - 1);
        ssize_t n = recvmsg(h->fd, m, MSG_CMSG_CLOEXEC);
        if (n < 0)
            return false;
        const struct cmsghdr *c = CMSG_FIRSTHDR(m);
        if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS ||
            c->cmsg_len != CMSG_LEN(sizeof ret->to))
            continue; /* it wants no answer */
        memcpy(&ret->to, CMSG_DATA(c), sizeof ret->to);
        ret->text[n] = '\0';
        return true;
    }
}

void health_answer(const struct health_question *q, struct str answer)
{
    (void)!send(q->to, answer.p, answer.n, MSG_NOSIGNAL | MSG_DONTWAIT);
    close(q->to);
}

/* Sends the question with one end of a pair. Returns the other, or -1. */
static int sent(int fd, const char *question, int ms)
{
    struct timeval most = {ms / 1000, ms % 1000 * 1000};
    struct packet p;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    struct msghdr *m = packet_of(&p, (char *)(uintptr_t)question, strlen(question));
    struct cmsghdr *c = CMSG_FIRSTHDR(m);
    *c = (struct cmsghdr){
        .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof ends[1])};
    memcpy(CMSG_DATA(c), &ends[1], sizeof ends[1]);
    bool good = setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most) == 0 &&
                setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most) == 0 &&
                sendmsg(fd, m, MSG_NOSIGNAL) >= 0;
    close(ends[1]);
    if (!good)
        close(ends[0]);
    return good ? ends[0] : -1;
}

static bool read_answer(int fd, struct arena *a, struct str *ret, struct err *err)
{
    char *text = arena_alloc(a, HEALTH_ANSWER);
    ssize_t n = 0, got;
    while ((got = recv(fd, text + n, (size_t)(HEALTH_ANSWER - n), 0)) > 0)
        n += got;
    struct str answer = {text, (size_t)n};
    if (got < 0 || n == 0)
        return err_set(err, "the daemon does not answer");
    bool good = str_starts(answer, STR(HEALTH_GOOD));
    *ret = good ? str_skip(answer, strlen(HEALTH_GOOD)) : str_trim(answer);
    return good || err_set(err, "%.*s", STR_ARG(*ret));
}

bool health_ask(const char *path, int ms, const char *question, struct arena *a, struct str *ret,
                bool *ret_absent, struct err *err)
{
    struct sockaddr_un at;
    *ret_absent = false;
    *ret = STR("");
    if (!socket_address(path, &at, err))
        return false;
    int from = -1, fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        err_set(err, "no socket: %s", strerror(errno));
    } else if (connect(fd, (const struct sockaddr *)&at, sizeof at) != 0) {
        *ret_absent = errno == ENOENT || errno == ECONNREFUSED;
        err_set(err, "no daemon at %s: %s", path, strerror(errno));
    } else if (strlen(question) >= HEALTH_QUESTION) {
        err_set(err, "expected a question below %d bytes, got %zu", HEALTH_QUESTION,
                strlen(question));
    } else if ((from = sent(fd, question, ms)) < 0) {
        err_set(err, "the daemon does not answer: %s", strerror(errno));
    }
    bool good = from >= 0 && read_answer(from, a, ret, err);
    if (from >= 0)
        close(from);
    if (fd >= 0)
        close(fd);
    return good;
}
