/* Any bytes sent to the server: a request that passes its gate has a path without a query or a
 * control byte, and the server serves the next one. */
#include <stdint.h>

#include "server.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int gate(void *arg, const struct server_request *r)
{
    (void)arg;
    assert(!memchr(r->path.p, '?', r->path.n) && !memchr(r->path.p, '\0', r->path.n));
    return str_is(r->path, STR("/refused")) ? 404 : 0;
}

/* A connection: the fuzzer's clock is a signal, which may interrupt it. */
static int connected(const struct sockaddr_in *at)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0), failed = 0;
    socklen_t size = sizeof failed;
    assert(fd >= 0);
    if (connect(fd, (const struct sockaddr *)at, sizeof *at) != 0) {
        struct pollfd fds = {.fd = fd, .events = POLLOUT};
        failed = errno;
        while (failed == EINTR && poll(&fds, 1, -1) < 0)
            assert(errno == EINTR);
        if (failed == EINTR)
            assert(getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &size) == 0);
    }
    if (failed != 0)
        fprintf(stderr, "connect: %s\n", strerror(failed));
    assert(failed == 0);
    return fd;
}

/* Sends, reads what comes until nothing does for so many milliseconds, and hangs up with a reset: an
 * end that came with the bytes is seen at the next event alone, so that 256 of them would fill the
 * server until their deadline. Returns true if the answer is a 200; requests of earlier connections
 * may be answered meanwhile. `ends`: no byte follows, which the library may take for a hang-up. */
static bool ask(struct server *s, struct str bytes, bool ends, int patience)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)server_port(s)),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    static const char ok[] = "HTTP/1.1 200 ";
    char heard[4096];
    size_t n = 0;
    const struct linger reset = {.l_onoff = 1};
    int fd = connected(&at);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    (void)!send(fd, bytes.p, bytes.n, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (ends)
        shutdown(fd, SHUT_WR);
    for (int idle = 0; idle < patience;) {
        struct pollfd fds = {.fd = server_fd(s), .events = POLLIN};
        idle += poll(&fds, 1, 1) == 0;
        server_run(s);
        for (struct server_request *r; (r = server_next(s));)
            server_answer(r, 200, "text/plain", r->path);
        ssize_t got = recv(fd, heard + n, sizeof heard - n, MSG_DONTWAIT);
        if (got == 0)
            break;
        n += got > 0 ? (size_t)got : 0;
    }
    close(fd);
    server_run(s);
    return n >= sizeof ok - 1 && memcmp(heard, ok, sizeof ok - 1) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct server *server;
    struct err err;
    if (!server && !server_open(STR("127.0.0.1:0"), &server_usual, gate, NULL, &server, &err))
        assert(!"the server cannot listen");
    ask(server, (struct str){(const char *)data, size}, true, 3);
    const struct str health = STR("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    bool served = ask(server, health, false, 5000);
    assert(served);
    return 0;
}
