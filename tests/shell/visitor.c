/* See visitor.h. */
#include "shell/visitor.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void visitor_comes(struct visitor *v, int port, const char *request)
{
    struct sockaddr_in there = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    *v = (struct visitor){.fd = socket(AF_INET, SOCK_STREAM, 0)};
    assert(v->fd >= 0 && connect(v->fd, (struct sockaddr *)&there, sizeof there) == 0);
    ssize_t n = send(v->fd, request, strlen(request), MSG_NOSIGNAL);
    assert(n == (ssize_t)strlen(request));
}

bool visitor_hears(struct visitor *v)
{
    ssize_t n = recv(v->fd, v->text + v->n, sizeof v->text - 1 - (size_t)v->n, MSG_DONTWAIT);
    if (n == 0)
        return true;
    if (n > 0)
        v->n += (int)n;
    const char *body = strstr(v->text, "\r\n\r\n"),
               *length = strcasestr(v->text, "content-length:");
    return body && length && strlen(body + 4) >= strtoul(length + 15, NULL, 10);
}

int visitor_status(const struct visitor *v)
{
    return v->n > 12 ? (int)strtol(v->text + 9, NULL, 10) : 0;
}

void visitor_goes(struct visitor *v)
{
    close(v->fd);
}
