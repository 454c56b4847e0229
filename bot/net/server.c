/* libmicrohttpd, run on the loop's thread with epoll; see server.h. The only file that includes
 * microhttpd.h. A request that was handed out is suspended, which costs nothing until it is
 * answered. */
#include "server.h"
#include "clock.h"

#include "alloc.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <netinet/in.h>
#include <sys/socket.h>

enum {
    BODY_MOST = 1024 * 1024,
    HEAD_MOST = 32 * 1024,
    CONNECTIONS = 256,
    PER_ADDRESS = 32,  /* of them, at one address other than the loopback */
    FOR_LOOPBACK = 16, /* of them, kept free for it */
    SILENCE_S = 60,
    HEAD_MS = 15 * 1000, /* to send the first head of a connection, */
    BODY_MS = 30 * 1000, /* a body, or to read an answer */
    TOO_LARGE = 413
};

struct server {
    struct MHD_Daemon *daemon;
    server_gate *gate;
    void *arg;
    struct server_request *first, **end; /* complete, not yet taken by server_next() */
    struct connection *connections;
    int head_ms, body_ms;
    struct exchange *open; /* all requests */
    bool dirty;            /* answers wait to be written */
};

/* A connection and how long it may take. A byte now and then keeps it from being silent, so each
 * step has a deadline of its own. */
struct connection {
    struct connection *after;
    int fd;
    int64_t deadline; /* by clock_awake_ms(); 0 = none: it is our turn */
    struct in6_addr address;
};

/* A request, its connection and its answer. */
struct exchange {
    struct server_request request; /* first: a pointer to it is one to the exchange */
    struct exchange *after;
    struct server *server;
    struct MHD_Connection *connection;
    char *body, *text; /* bodies of the request and of the answer */
    size_t n, cap, n_text;
    int status; /* of the answer; 0 = not answered */
    const char *type;
    bool whole;
};

/* ---- connections ---- */

/* An IPv4 address as an IPv6 one, ::ffff:1.2.3.4. */
static struct in6_addr address_of(const struct sockaddr *a)
{
    struct in6_addr ret = {.s6_addr = {[10] = 0xff, [11] = 0xff}};
    if (a->sa_family == AF_INET6)
        return ((const struct sockaddr_in6 *)a)->sin6_addr;
    memcpy(ret.s6_addr + 12, &((const struct sockaddr_in *)a)->sin_addr, 4);
    return ret;
}

/* ::1 and 127.0.0.1, where a proxy and the operator connect from; the rest of 127/8 is as any
 * other address. */
static bool is_loopback(const struct in6_addr *a)
{
    static const struct in6_addr v4 = {.s6_addr = {[10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1}};
    return IN6_IS_ADDR_LOOPBACK(a) || memcmp(a, &v4, sizeof v4) == 0;
}

static enum MHD_Result admit(void *arg, const struct sockaddr *from, socklen_t n)
{
    const struct server *s = arg;
    struct in6_addr address = address_of(from);
    int same = 0, others = 0;
    (void)n;
    if (is_loopback(&address))
        return MHD_YES;
    for (const struct connection *c = s->connections; c; c = c->after) {
        same += memcmp(&c->address, &address, sizeof address) == 0;
        others += !is_loopback(&c->address);
    }
    return same < PER_ADDRESS && others < CONNECTIONS - FOR_LOOPBACK ? MHD_YES : MHD_NO;
}

static void on_connection(void *arg, struct MHD_Connection *library, void **at,
                          enum MHD_ConnectionNotificationCode code)
{
    struct server *s = arg;
    struct connection *c = *at;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *at = c = alloc_zeroed(sizeof *c);
        c->fd = MHD_get_connection_info(library, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        c->address = address_of(
            MHD_get_connection_info(library, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr);
        c->deadline = clock_awake_ms() + s->head_ms;
        c->after = s->connections;
        s->connections = c;
        return;
    }
    struct connection **link = &s->connections;
    while (*link != c)
        link = &(*link)->after;
    *link = c->after;
    free(c);
}

/* `ms` from now; 0 = none. */
static void set_deadline(struct MHD_Connection *library, int64_t ms)
{
    struct connection *c =
        MHD_get_connection_info(library, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    if (c)
        c->deadline = ms ? clock_awake_ms() + ms : 0;
}

/* ---- requests ---- */

static void exchange_free(void *arg, struct MHD_Connection *c, void **at,
                          enum MHD_RequestTerminationCode how)
{
    struct server *s = arg;
    struct exchange *x = *at;
    (void)how;
    if (!x)
        return;
    set_deadline(c, SILENCE_S * 1000 + s->head_ms); /* it may stay open for another request */
    struct exchange **link = &s->open;
    while (*link != x)
        link = &(*link)->after;
    *link = x->after;
    free(x->body);
    free(x->text);
    free(x);
    *at = NULL;
}

static enum MHD_Result reply(struct MHD_Connection *c, const struct exchange *x)
{
    struct MHD_Response *r =
        MHD_create_response_from_buffer(x->n_text, x->text ? x->text : "", MHD_RESPMEM_MUST_COPY);
    if (!r)
        return MHD_NO;
    if (x->type)
        MHD_add_response_header(r, "Content-Type", x->type);
    enum MHD_Result done = MHD_queue_response(c, (unsigned)x->status, r);
    MHD_destroy_response(r);
    return done;
}

static bool take_bytes(struct exchange *x, const char *p, size_t n)
{
    if (x->n + n > BODY_MOST)
        return false;
    if (x->n + n > x->cap) {
        x->cap = (x->n + n) * 2;
        x->body = alloc_grow(x->body, x->cap);
    }
    memcpy(x->body + x->n, p, n);
    x->n += n;
    return true;
}

/* The library calls this with the head, then with each piece of the body, then with none: the
 * request is complete; and once more when its answer is to be written. */
static enum MHD_Result on_request(void *arg, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version, const char *piece,
                                  size_t *n, void **at)
{
    struct server *s = arg;
    struct exchange *x = *at;
    (void)version;
    if (!x) {
        *at = x = alloc_zeroed(sizeof *x);
        *x = (struct exchange){.request = {.method = str_of(method), .path = str_of(url)},
                               .after = s->open,
                               .server = s,
                               .connection = c};
        s->open = x;
        set_deadline(c, s->body_ms);
        x->status = s->gate(s->arg, &x->request);
        const char *length = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Content-Length");
        int64_t bytes = 0;
        if (!x->status && length && (!str_int(str_of(length), &bytes) || bytes > BODY_MOST))
            x->status = TOO_LARGE;
        return x->status ? reply(c, x) : MHD_YES;
    }
    if (*n > 0) {
        bool fits = take_bytes(x, piece, *n);
        *n = 0;
        return fits ? MHD_YES : MHD_NO; /* without a Content-Length */
    }
    if (x->status)
        return reply(c, x);
    if (!x->whole) {
        x->whole = true;
        x->request.body = (struct str){x->body, x->n};
        *s->end = &x->request;
        s->end = &x->request.next;
        set_deadline(c, 0);
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
        return err_set(err, "listen: expected ADDRESS:PORT in numbers, got %.*s", STR_ARG(listen));
    struct server *s = alloc_zeroed(sizeof *s);
    s->gate = gate;
    s->arg = arg;
    s->end = &s->first;
    server_set_deadlines(s, HEAD_MS, BODY_MS);
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
                     (address.ss_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    errno = 0;
    s->daemon =
        MHD_start_daemon(flags, 0, admit, s, on_request, s, MHD_OPTION_NOTIFY_CONNECTION,
                         on_connection, s, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
                         MHD_OPTION_NOTIFY_COMPLETED, exchange_free, s, MHD_OPTION_CONNECTION_LIMIT,
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

/* Returns false if there was nothing to refuse. */
static bool refuse_open(struct server *s)
{
    bool any = false;
    for (struct exchange *x = s->open; x; x = x->after)
        if (x->whole && !x->status) {
            x->status = MHD_HTTP_SERVICE_UNAVAILABLE;
            MHD_resume_connection(x->connection);
            any = true;
        }
    return any;
}

void server_close(struct server *s)
{
    if (!s)
        return;
    while (refuse_open(s))
        MHD_run(s->daemon); /* writes the answers; a request may become whole meanwhile */
    MHD_stop_daemon(s->daemon);
    free(s);
}

void server_set_deadlines(struct server *s, int head_ms, int body_ms)
{
    s->head_ms = head_ms;
    s->body_ms = body_ms;
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
    int64_t now = clock_awake_ms(), wait = INT_MAX;
    if (s->dirty)
        return 0;
    if (MHD_get_timeout(s->daemon, &ms) == MHD_YES && ms < INT_MAX)
        wait = (int64_t)ms;
    for (const struct connection *c = s->connections; c; c = c->after)
        if (c->deadline && c->deadline - now < wait)
            wait = c->deadline > now ? c->deadline - now : 0;
    return (int)wait;
}

void server_run(struct server *s)
{
    int64_t now = clock_awake_ms();
    s->dirty = false;
    for (struct connection *c = s->connections; c; c = c->after)
        if (c->deadline && c->deadline <= now) {
            shutdown(c->fd, SHUT_RDWR); /* the library finds it so, and closes it */
            c->deadline = 0;
        }
    MHD_run(s->daemon);
}

struct server_request *server_next(struct server *s)
{
    struct server_request *r = s->first;
    if (!r)
        return NULL;
    s->first = r->next;
    if (!s->first)
        s->end = &s->first;
    r->next = NULL;
    return r;
}

struct str server_header(const struct server_request *r, const char *name)
{
    const struct exchange *x = (const struct exchange *)r;
    return str_of(MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, name));
}

void server_answer(struct server_request *r, int status, const char *type, struct str body)
{
    struct exchange *x = (struct exchange *)r;
    assert(x->whole && !x->status);
    x->status = status;
    x->type = type;
    x->text = body.n > 0 ? alloc_text(body) : NULL;
    x->n_text = body.n;
    x->server->dirty = true;
    set_deadline(x->connection, x->server->body_ms);
    MHD_resume_connection(x->connection);
}
