/* See server.h: libmicrohttpd without threads of its own, and the only file that knows
 * microhttpd.h. It waits with epoll; a request that was handed out is suspended, which costs
 * nothing until it is answered. */
#include "server.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <sys/socket.h>

enum {
    BODY_MOST = 1024 * 1024,
    HEAD_MOST = 32 * 1024,
    CONNECTIONS = 256,
    SILENCE_S = 60,
    TOO_LARGE = 413
};

struct server {
    struct MHD_Daemon *daemon;
    server_gate *gate;
    void *arg;
    struct visit *first, **end; /* whole, and not yet taken */
    struct guest *guests;       /* all that are open */
    bool stirred;               /* answers wait to be written */
};

/* A request and what the library knows of it. */
struct guest {
    struct visit visit; /* the first: a visit is a guest */
    struct guest *before, *after;
    struct server *server;
    struct MHD_Connection *connection;
    char *body, *text; /* its own, and that of the answer */
    size_t n, cap, n_text;
    int status; /* of the answer; 0: none yet */
    const char *type;
    bool whole;
};

/* ---- requests ---- */

static struct guest *welcome(struct server *s, struct MHD_Connection *c, const char *url,
                             const char *method)
{
    struct guest *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->server = s;
    g->connection = c;
    g->visit.method = str_of(method);
    g->visit.path = str_of(url);
    g->after = s->guests;
    if (s->guests)
        s->guests->before = g;
    s->guests = g;
    return g;
}

static void farewell(void *arg, struct MHD_Connection *c, void **at,
                     enum MHD_RequestTerminationCode how)
{
    struct server *s = arg;
    struct guest *g = *at;
    (void)c, (void)how;
    if (!g)
        return;
    if (g->after)
        g->after->before = g->before;
    if (g->before)
        g->before->after = g->after;
    else
        s->guests = g->after;
    free(g->body);
    free(g->text);
    free(g);
    *at = NULL;
}

static bool too_long(struct MHD_Connection *c)
{
    const char *length = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Content-Length");
    int64_t n = 0;
    return length && (!str_int(str_of(length), &n) || n > BODY_MOST);
}

static enum MHD_Result reply(struct MHD_Connection *c, const struct guest *g)
{
    struct MHD_Response *r =
        MHD_create_response_from_buffer(g->n_text, g->text ? g->text : "", MHD_RESPMEM_MUST_COPY);
    if (!r)
        return MHD_NO;
    if (g->type)
        MHD_add_response_header(r, "Content-Type", g->type);
    enum MHD_Result done = MHD_queue_response(c, (unsigned)g->status, r);
    MHD_destroy_response(r);
    return done;
}

static bool take_bytes(struct guest *g, const char *p, size_t n)
{
    if (g->n + n > BODY_MOST)
        return false;
    if (g->n + n > g->cap) {
        size_t cap = (g->n + n) * 2;
        char *more = realloc(g->body, cap);
        if (!more)
            return false;
        g->body = more;
        g->cap = cap;
    }
    memcpy(g->body + g->n, p, n);
    g->n += n;
    return true;
}

/* Called with the head, then with each piece of the body, then without any: all is there; and once
 * more when an answer waits to be written. */
static enum MHD_Result on_request(void *arg, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version, const char *piece,
                                  size_t *n, void **at)
{
    struct server *s = arg;
    struct guest *g = *at;
    (void)version;
    if (!g) {
        if (!(*at = g = welcome(s, c, url, method)))
            return MHD_NO;
        g->status = s->gate(s->arg, &g->visit);
        if (!g->status && too_long(c))
            g->status = TOO_LARGE;
        return g->status ? reply(c, g) : MHD_YES;
    }
    if (*n > 0) {
        bool fits = take_bytes(g, piece, *n);
        *n = 0;
        return fits ? MHD_YES : MHD_NO; /* it never said how long it would be */
    }
    if (g->status)
        return reply(c, g);
    if (!g->whole) {
        g->whole = true;
        g->visit.body = (struct str){g->body, g->n};
        *s->end = &g->visit;
        s->end = &g->visit.next;
        MHD_suspend_connection(c);
    }
    return MHD_YES;
}

/* ---- opening ---- */

/* "127.0.0.1:8080", "[::1]:8080" */
static bool address_read(struct str listen, struct sockaddr_storage *ret)
{
    char host[INET6_ADDRSTRLEN];
    struct sockaddr_in *v4 = (struct sockaddr_in *)ret;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)ret;
    int64_t port;
    size_t colon = listen.n;
    while (colon > 0 && listen.p[colon - 1] != ':')
        colon--;
    struct str name = {listen.p, colon > 0 ? colon - 1 : 0};
    bool six = name.n > 2 && name.p[0] == '[' && name.p[name.n - 1] == ']';
    if (six)
        name = (struct str){name.p + 1, name.n - 2};
    if (name.n == 0 || name.n >= sizeof host || !str_int(str_skip(listen, colon), &port) ||
        port < 0 || port > 65535)
        return false;
    memcpy(host, name.p, name.n);
    host[name.n] = '\0';
    *ret = (struct sockaddr_storage){.ss_family = six ? AF_INET6 : AF_INET};
    if (six)
        v6->sin6_port = htons((uint16_t)port);
    else
        v4->sin_port = htons((uint16_t)port);
    return inet_pton(ret->ss_family, host, six ? (void *)&v6->sin6_addr : (void *)&v4->sin_addr) ==
           1;
}

bool server_open(struct str listen, server_gate *gate, void *arg, struct server **ret,
                 struct err *err)
{
    struct sockaddr_storage address;
    if (!address_read(listen, &address))
        return err_set(err, "listen: %.*s is not ADDRESS:PORT in numbers", STR_ARG(listen));
    struct server *s = calloc(1, sizeof *s);
    assert(s);
    s->gate = gate;
    s->arg = arg;
    s->end = &s->first;
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
                     (address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    errno = 0;
    s->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, on_request, s, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_NOTIFY_COMPLETED, farewell, s, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_MOST, MHD_OPTION_END);
    if (!s->daemon) {
        free(s);
        return err_set(err, "listen: %.*s: %s", STR_ARG(listen),
                       errno ? strerror(errno) : "cannot be listened on");
    }
    *ret = s;
    return true;
}

void server_close(struct server *s)
{
    if (!s)
        return;
    for (struct guest *g = s->guests; g; g = g->after)
        if (g->whole && !g->status) {
            g->status = MHD_HTTP_SERVICE_UNAVAILABLE;
            MHD_resume_connection(g->connection);
        }
    MHD_run(s->daemon); /* what was answered is written */
    MHD_stop_daemon(s->daemon);
    free(s);
}

int server_port(const struct server *s)
{
    return MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

int server_fd(const struct server *s)
{
    return MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

/* ---- running ---- */

int server_wait(const struct server *s)
{
    MHD_UNSIGNED_LONG_LONG ms;
    if (s->stirred)
        return 0;
    return MHD_get_timeout(s->daemon, &ms) == MHD_YES && ms < INT_MAX ? (int)ms : INT_MAX;
}

void server_run(struct server *s)
{
    s->stirred = false;
    MHD_run(s->daemon);
}

struct visit *server_next(struct server *s)
{
    struct visit *v = s->first;
    if (!v)
        return NULL;
    s->first = v->next;
    if (!s->first)
        s->end = &s->first;
    v->next = NULL;
    return v;
}

struct str visit_header(const struct visit *v, const char *name)
{
    const struct guest *g = (const struct guest *)v;
    return str_of(MHD_lookup_connection_value(g->connection, MHD_HEADER_KIND, name));
}

void server_answer(struct visit *v, int status, const char *type, struct str body)
{
    struct guest *g = (struct guest *)v;
    assert(g->whole && !g->status);
    g->status = status;
    g->type = type;
    g->text = body.n > 0 ? malloc(body.n) : NULL;
    if (g->text) {
        memcpy(g->text, body.p, body.n);
        g->n_text = body.n;
    }
    g->server->stirred = true;
    MHD_resume_connection(g->connection);
}
