/* libmicrohttpd, run on the loop's thread with epoll; see server.h. The only file that includes
 * microhttpd.h. A request that was handed out is suspended, which costs nothing until it is
 * answered. */
#include "server.h"

#include "arena.h"
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
#include <zlib.h>

enum {
    FOR_LOOPBACK = 16, /* connections kept free for it */
    BUCKETS = 256,     /* of connections, by address */
    SILENCE_S = 60,
    HEAD_MS = 15 * 1000,   /* to send the first head of a connection, */
    BODY_MS = 30 * 1000,   /* a body, or to read an answer */
    WALKED_A_MS = 48,      /* open requests: see next_resumption() */
    SEND_BYTES = 4 * 1024, /* of a stream, that the kernel keeps until its reader takes them */
    TOO_LARGE = 413
};

const struct server_limits server_usual = {256, 32, 32 * 1024, 1024 * 1024};

struct server {
    struct MHD_Daemon *daemon;
    struct server_limits limits;
    server_gate *gate;
    void *arg;
    struct server_request *first, **end; /* complete, not yet taken by server_next() */
    struct connection *connections[BUCKETS];
    int others;      /* connections from elsewhere than the loopback */
    int64_t soonest; /* no deadline is sooner; INT64_MAX: none is known */
    int head_ms, body_ms;
    struct exchange *open; /* all requests */
    struct exchange *due;  /* to be resumed: they have something to write */
    int64_t resumed_at;    /* when some were, by clock_awake_ms() */
    int n_open;
    bool closing;
};

/* A connection and how long it may take. A byte now and then keeps it from being silent, so each
 * step has a deadline of its own. */
struct connection {
    struct connection *after, **link; /* of its bucket; what points to it */
    int fd;
    int64_t deadline; /* by clock_awake_ms(); 0 = none: it is our turn */
    struct in6_addr address;
};

/* A request, its connection and its answer. */
struct exchange {
    struct server_request request;  /* first: a pointer to it is one to the exchange */
    struct exchange *after, **link; /* what points to it */
    struct exchange *due;           /* the next one of server.due */
    struct server *server;
    struct MHD_Connection *connection;
    char *body, *text; /* bodies of the request and of the answer */
    size_t n, cap, n_text;
    int status; /* of the answer; 0 = not answered */
    const char *type;
    bool whole;
    struct MHD_Response *response; /* made by server_reply(); NULL: of the fields above */
    struct server_stream *stream;
};

/* Its bytes wait in the exchange's text. */
struct server_stream {
    struct exchange *exchange;
    struct stream_source source;
    size_t sent;
    bool asleep; /* the connection is suspended */
    bool woken;  /* the source may have something to say */
    bool over;   /* it has said its last */
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

static struct connection **bucket_of(struct server *s, const struct in6_addr *a)
{
    return &s->connections[str_hash((struct str){(const char *)a, sizeof *a}) % BUCKETS];
}

static enum MHD_Result admit(void *arg, const struct sockaddr *from, socklen_t n)
{
    struct server *s = arg;
    struct in6_addr address = address_of(from);
    int same = 0;
    (void)n;
    if (is_loopback(&address))
        return MHD_YES;
    for (const struct connection *c = *bucket_of(s, &address); c; c = c->after)
        same += memcmp(&c->address, &address, sizeof address) == 0;
    return same < s->limits.per_address && s->others < s->limits.connections - FOR_LOOPBACK
               ? MHD_YES
               : MHD_NO;
}

/* `ms` from now; 0 = none. */
static void connection_deadline(struct server *s, struct connection *c, int64_t ms)
{
    c->deadline = ms ? clock_awake_ms() + ms : 0;
    if (ms && c->deadline < s->soonest)
        s->soonest = c->deadline;
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
        c->link = bucket_of(s, &c->address);
        c->after = *c->link;
        if (c->after)
            c->after->link = &c->after;
        *c->link = c;
        s->others += !is_loopback(&c->address);
        connection_deadline(s, c, s->head_ms);
        return;
    }
    s->others -= !is_loopback(&c->address);
    *c->link = c->after;
    if (c->after)
        c->after->link = c->link;
    free(c);
}

static struct connection *connection_of(struct MHD_Connection *library)
{
    return MHD_get_connection_info(library, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void set_deadline(struct server *s, struct MHD_Connection *library, int64_t ms)
{
    struct connection *c = connection_of(library);
    if (c)
        connection_deadline(s, c, ms);
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
    set_deadline(s, c, SILENCE_S * 1000 + s->head_ms); /* it may stay open for another request */
    *x->link = x->after;
    if (x->after)
        x->after->link = x->link;
    s->n_open--;
    if (x->stream)
        x->stream->source.gone(x->stream->source.arg);
    if (x->response)
        MHD_destroy_response(x->response);
    free(x->stream);
    free(x->body);
    free(x->text);
    free(x);
    *at = NULL;
}

static enum MHD_Result reply(struct MHD_Connection *c, const struct exchange *x)
{
    if (x->response)
        return MHD_queue_response(c, (unsigned)x->status, x->response);
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
    if (x->n + n > (size_t)x->server->limits.body_bytes)
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
        x->link = &s->open;
        if (x->after)
            x->after->link = &x->after;
        s->open = x;
        s->n_open++;
        set_deadline(s, c, s->body_ms);
        x->status = s->gate(s->arg, &x->request);
        const char *length = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Content-Length");
        int64_t bytes = 0;
        if (!x->status && length &&
            (!str_int(str_of(length), &bytes) || bytes > s->limits.body_bytes))
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
        if (!s->closing) { /* else nobody takes it, and refuse_open() answers */
            *s->end = &x->request;
            s->end = &x->request.next;
        }
        set_deadline(s, c, 0);
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

static bool address_or_why(struct str listen, struct sockaddr_storage *ret, struct err *err)
{
    return address_read(listen, ret) ||
           err_set(err, "expected ADDRESS:PORT in numbers, such as 127.0.0.1:8080, got %.*s",
                   STR_ARG(listen));
}

bool server_check_address(struct str listen, struct err *err)
{
    struct sockaddr_storage address;
    return address_or_why(listen, &address, err);
}

bool server_check_proxies(struct str proxies, struct err *err)
{
    unsigned char room[sizeof(struct in6_addr)];
    for (struct str word = str_word(&proxies); word.n > 0; word = str_word(&proxies)) {
        char text[INET6_ADDRSTRLEN] = "";
        memcpy(text, word.p, word.n < sizeof text ? word.n : 0);
        if (inet_pton(AF_INET, text, room) != 1 && inet_pton(AF_INET6, text, room) != 1)
            return err_set(err,
                           "expected addresses in numbers, such as 127.0.0.1 ::1, and no ranges");
    }
    return true;
}

/* [::] hears IPv4, too; an address of IPv6 hears that alone. */
static unsigned family_of(const struct sockaddr_storage *address)
{
    if (address->ss_family != AF_INET6)
        return 0;
    return IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)address)->sin6_addr)
               ? MHD_USE_DUAL_STACK
               : MHD_USE_IPv6;
}

bool server_open(struct str listen, const struct server_limits *limits, server_gate *gate,
                 void *arg, struct server **ret, struct err *err)
{
    struct sockaddr_storage address;
    if (!address_or_why(listen, &address, err))
        return false;
    struct server *s = alloc_zeroed(sizeof *s);
    s->limits = *limits;
    s->soonest = INT64_MAX;
    s->gate = gate;
    s->arg = arg;
    s->end = &s->first;
    server_set_deadlines(s, HEAD_MS, BODY_MS);
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | family_of(&address);
    errno = 0;
    s->daemon = MHD_start_daemon(
        flags, 0, admit, s, on_request, s, MHD_OPTION_NOTIFY_CONNECTION, on_connection, s,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED,
        exchange_free, s, MHD_OPTION_CONNECTION_LIMIT, (unsigned)limits->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)limits->head_bytes, MHD_OPTION_END);
    if (!s->daemon) {
        free(s);
        return err_set(err, "%.*s: %s", STR_ARG(listen),
                       errno ? strerror(errno) : "cannot be listened on");
    }
    *ret = s;
    return true;
}

static void resume(struct exchange *x)
{
    x->due = x->server->due;
    x->server->due = x;
}

/* The library walks all suspended connections at each turn that resumes one: with a thousand
 * streams answers are gathered for 20 ms, with forty for none. */
static int64_t next_resumption(const struct server *s)
{
    return s->resumed_at + s->n_open / WALKED_A_MS;
}

static void resume_due(struct server *s)
{
    for (struct exchange *x = s->due; x; x = x->due)
        MHD_resume_connection(x->connection);
    s->due = NULL;
}

/* Ends what is open: a suspended connection must not outlive the daemon of the library. Returns
 * false if nothing is. */
static bool refuse_open(struct server *s)
{
    bool any = false;
    for (struct exchange *x = s->open; x; x = x->after)
        if (x->stream) {
            server_wake(x->stream);
            any = true;
        } else if (x->whole && !x->status) {
            x->status = MHD_HTTP_SERVICE_UNAVAILABLE;
            resume(x);
            any = true;
        }
    resume_due(s);
    return any;
}

void server_close(struct server *s)
{
    enum { TURNS = 64 }; /* a client that takes nothing is not waited for */
    if (!s)
        return;
    s->closing = true;
    for (int i = 0; i < TURNS && refuse_open(s); i++)
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
    if (s->due)
        wait = next_resumption(s) > now ? next_resumption(s) - now : 0;
    if (MHD_get_timeout(s->daemon, &ms) == MHD_YES && ms < (uint64_t)wait)
        wait = (int64_t)ms;
    if (s->soonest - now < wait)
        wait = s->soonest > now ? s->soonest - now : 0;
    return (int)wait;
}

/* A deadline that was moved leaves `soonest` too early: then all are looked at once more. */
static void cut_late(struct server *s)
{
    int64_t now = clock_awake_ms();
    if (s->soonest > now)
        return;
    s->soonest = INT64_MAX;
    for (int i = 0; i < BUCKETS; i++)
        for (struct connection *c = s->connections[i]; c; c = c->after) {
            if (c->deadline && c->deadline <= now) {
                shutdown(c->fd, SHUT_RDWR); /* the library finds it so, and closes it */
                c->deadline = 0;
            }
            if (c->deadline && c->deadline < s->soonest)
                s->soonest = c->deadline;
        }
}

void server_run(struct server *s)
{
    int64_t now = clock_awake_ms();
    cut_late(s);
    if (s->due && now >= next_resumption(s)) {
        s->resumed_at = now;
        resume_due(s);
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

struct str server_query(const struct server_request *r, const char *name)
{
    const struct exchange *x = (const struct exchange *)r;
    return str_of(MHD_lookup_connection_value(x->connection, MHD_GET_ARGUMENT_KIND, name));
}

static bool is_among(struct str word, struct str list)
{
    for (struct str w = str_word(&list); w.n > 0; w = str_word(&list))
        if (str_is(w, word))
            return true;
    return false;
}

struct str server_client(const struct server_request *r, struct str proxies, struct arena *a)
{
    const struct exchange *x = (const struct exchange *)r;
    const struct connection *c = connection_of(x->connection);
    char text[INET6_ADDRSTRLEN] = "";
    if (c && IN6_IS_ADDR_V4MAPPED(&c->address))
        inet_ntop(AF_INET, c->address.s6_addr + 12, text, sizeof text);
    else if (c)
        inet_ntop(AF_INET6, &c->address, text, sizeof text);
    struct str rest = server_header(r, "X-Forwarded-For"), last = STR("");
    while (is_among(str_of(text), proxies) && rest.n > 0)
        last = str_trim(str_cut(rest, ',', &rest));
    return arena_str(a, last.n > 0 ? last : str_of(text));
}

static void begin_answer(struct exchange *x, int status)
{
    assert(x->whole && !x->status);
    x->status = status;
    set_deadline(x->server, x->connection, x->server->body_ms);
    resume(x);
}

static void add_headers(struct exchange *x, const struct server_reply *reply)
{
    for (int i = 0; x->response && i < reply->n; i++)
        MHD_add_response_header(x->response, reply->at[i].name.p, reply->at[i].value.p);
}

void server_reply(struct server_request *r, const struct server_reply *reply)
{
    struct exchange *x = (struct exchange *)r;
    union {
        const char *in;
        void *out;
    } body = {reply->body.n ? reply->body.p : ""}; /* the library only reads it */
    x->response = MHD_create_response_from_buffer(
        reply->body.n, body.out, reply->constant ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_COPY);
    add_headers(x, reply);
    begin_answer(x, reply->status);
}

/* ---- streams ---- */

/* The library asks for bytes. The connection sleeps while there are none. */
static ssize_t feed(void *arg, uint64_t at, char *ret, size_t most)
{
    struct server_stream *t = arg;
    struct exchange *x = t->exchange;
    (void)at;
    if (t->sent == x->n_text && t->woken && !t->over) {
        struct buf b = {x->text ? x->text : alloc_room(STREAM_BYTES), 0, STREAM_BYTES, false};
        x->text = b.p;
        t->woken = false;
        t->sent = 0;
        t->over = !t->source.more(t->source.arg, &b);
        x->n_text = b.n;
    }
    size_t n = x->n_text - t->sent < most ? x->n_text - t->sent : most;
    if (n > 0) {
        memcpy(ret, x->text + t->sent, n);
        t->sent += n;
        set_deadline(x->server, x->connection, x->server->body_ms);
        return (ssize_t)n;
    }
    free(x->text);
    x->text = NULL;
    x->n_text = t->sent = 0;
    if (t->over || x->server->closing)
        return MHD_CONTENT_READER_END_OF_STREAM;
    t->asleep = true;
    set_deadline(x->server, x->connection, 0);
    MHD_suspend_connection(x->connection);
    return 0;
}

struct server_stream *server_stream(struct server_request *r, const struct server_reply *reply,
                                    const struct stream_source *source)
{
    enum { BLOCK = 2048 };
    struct exchange *x = (struct exchange *)r;
    struct server_stream *t = x->stream = alloc_zeroed(sizeof *t);
    *t = (struct server_stream){.exchange = x, .source = *source, .woken = true};
    x->response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, feed, t, NULL);
    add_headers(x, reply);
    /* The kernel would keep megabytes for a reader who takes nothing, who costs as much as one who
     * reads until these are full, and is cut off no sooner. */
    const struct connection *c = connection_of(x->connection);
    if (c)
        (void)setsockopt(c->fd, SOL_SOCKET, SO_SNDBUF, &(int){SEND_BYTES}, sizeof(int));
    begin_answer(x, reply->status);
    return t;
}

void server_wake(struct server_stream *t)
{
    t->woken = true;
    if (!t->asleep)
        return;
    t->asleep = false;
    resume(t->exchange);
}

void server_answer(struct server_request *r, int status, const char *type, struct str body)
{
    struct exchange *x = (struct exchange *)r;
    x->type = type;
    x->text = body.n > 0 ? alloc_text(body) : NULL;
    x->n_text = body.n;
    begin_answer(x, status);
}

enum { GZIP = 15 + 16 }; /* windowBits: the largest window, and gzip's head */

struct str server_gzip(struct arena *a, struct str bytes)
{
    enum { LEVEL = 9, MEMORY = 9 };
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes.p, .avail_in = (unsigned)bytes.n};
    int begun = deflateInit2(&z, LEVEL, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY);
    assert(begun == Z_OK);
    size_t most = deflateBound(&z, bytes.n);
    char *to = arena_room(a, most);
    z.next_out = (unsigned char *)to;
    z.avail_out = (unsigned)most;
    int done = deflate(&z, Z_FINISH);
    assert(done == Z_STREAM_END);
    deflateEnd(&z);
    return (struct str){to, most - z.avail_out};
}

struct str server_gunzip(struct arena *a, struct str gzip)
{
    uint32_t n = 0; /* the last four bytes, the lowest first (RFC 1952, 2.3.1) */
    for (size_t i = gzip.n, k = 0; k < sizeof n && i > 0; k++)
        n = n << 8 | (uint8_t)gzip.p[--i];
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)gzip.p, .avail_in = (unsigned)gzip.n};
    int begun = inflateInit2(&z, GZIP);
    assert(begun == Z_OK);
    char *to = arena_room(a, (size_t)n + 1);
    z.next_out = (unsigned char *)to;
    z.avail_out = n + 1;
    int done = inflate(&z, Z_FINISH);
    assert(done == Z_STREAM_END);
    inflateEnd(&z);
    return (struct str){to, n};
}
