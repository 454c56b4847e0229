/* See supervisor.h. */
#include "supervisor.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "str.h"

/* A name that begins with '@' is abstract: no file, its first byte is NUL. */
static socklen_t address_of(const char *name, struct sockaddr_un *ret)
{
    size_t n = strlen(name);
    if ((name[0] != '/' && name[0] != '@') || n >= sizeof ret->sun_path)
        return 0;
    *ret = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(ret->sun_path, name, n);
    if (name[0] == '@')
        ret->sun_path[0] = '\0';
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n + (name[0] == '/'));
}

bool supervisor_tell(const char *message)
{
    struct sockaddr_un to;
    const char *name = getenv("NOTIFY_SOCKET");
    socklen_t n = name ? address_of(name, &to) : 0;
    int fd = n ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;
    if (fd < 0)
        return false;
    bool told =
        sendto(fd, message, strlen(message), MSG_NOSIGNAL, (const struct sockaddr *)&to, n) >= 0;
    close(fd);
    return told;
}

bool supervisor_tell_reloading(void)
{
    char message[64];
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    snprintf(message, sizeof message, "RELOADING=1\nMONOTONIC_USEC=%lld",
             (long long)t.tv_sec * 1000000 + t.tv_nsec / 1000);
    return supervisor_tell(message);
}

int64_t supervisor_watchdog_ms(void)
{
    const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    int64_t us, whose = getpid();
    if (!usec || !str_int(str_of(usec), &us) || us <= 0 || (pid && !str_int(str_of(pid), &whose)) ||
        whose != getpid())
        return 0;
    return us < 2000 ? 1 : us / 2000;
}
