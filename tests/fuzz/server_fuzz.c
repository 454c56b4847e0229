/* Any bytes sent to the server: a request that passes its gate has a path without a query or a
 * control byte, and the server serves the next one. */
#include <stdint.h>

#include "server.h"

#include <arpa/inet.h>
#include <assert.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int seen;

static int gate(void *arg, const struct server_request *r)
{
    (void)arg;
    assert(!memchr(r->path.p, '?', r->path.n) && !memchr(r->path.p, '\0', r->path.n));
    return str_is(r->path, STR("/refused")) ? 404 : 0;
}

/* Sends, reads what comes until nothing does for so many milliseconds, and hangs up. */
static void ask(struct server *s, struct str bytes, int patience)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)server_port(s)),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    char heard[4096];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
    (void)!send(fd, bytes.p, bytes.n, MSG_NOSIGNAL | MSG_DONTWAIT);
    shutdown(fd, SHUT_WR);
    for (int idle = 0; idle < patience;) {
        struct pollfd fds = {.fd = server_fd(s), .events = POLLIN};
        idle += poll(&fds, 1, 1) == 0;
        server_run(s);
        for (struct server_request *r; (r = server_next(s)); seen++)
            server_answer(r, 200, "text/plain", r->path);
        if (recv(fd, heard, sizeof heard, MSG_DONTWAIT) == 0)
            break;
    }
    close(fd);
    server_run(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct server *server;
    struct err err;
    if (!server && !server_open(STR("127.0.0.1:0"), &server_usual, gate, NULL, &server, &err))
        assert(!"the server cannot listen");
    ask(server, (struct str){(const char *)data, size}, 3);
    int before = seen;
    ask(server, STR("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), 5000);
    assert(seen == before + 1);
    return 0;
}
