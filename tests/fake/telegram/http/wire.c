/* See wire.h. Connections lie in an array by descriptor; a generation number in the handle tells a
 * closed connection from the next one with the same descriptor. */
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_FD = 1 << 16, MAX_REQUEST = 64 << 20 };

struct wire_connection {
    uint32_t generation;
    bool open, answering, inside, last, reset, watched, silent;
    struct text_buffer in, out;
    size_t sent;
    void (*answered)(void *, int); /* of wire_ask(); NULL for clients */
    void *with;
};

struct alarm {
    int64_t at;
    uint64_t order;
    void (*call)(void *);
    void *with;
};

static struct wire_connection *all;
static int ep, listener;
static uint64_t accepted;
static bool stopped;
static void (*request_cb)(struct wire_request *);
static struct alarm *heap;
static size_t n_heap, heap_cap;
static uint64_t heap_order;

/* ---- time ---- */

static int64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int64_t wire_now(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

int64_t wire_cpu(void)
{
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static bool sooner(const struct alarm *a, const struct alarm *b)
{
    return a->at != b->at ? a->at < b->at : a->order < b->order;
}

void wire_at(int64_t ns, void (*call)(void *), void *with)
{
    if (n_heap == heap_cap)
        heap = must(realloc(heap, (heap_cap = heap_cap ? heap_cap * 2 : 256) * sizeof *heap));
    struct alarm a = {ns, heap_order++, call, with};
    size_t i = n_heap++;
    for (; i > 0 && sooner(&a, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = a;
}

static struct alarm alarm_pop(void)
{
    struct alarm first = heap[0], last = heap[--n_heap];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < n_heap) {
        if (child + 1 < n_heap && sooner(&heap[child + 1], &heap[child]))
            child++;
        if (!sooner(&heap[child], &last))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return first;
}

/* ---- connections ---- */

static int fd_of(const struct wire_connection *c)
{
    return (int)(c - all);
}

static struct wire_connection *find(uint64_t from)
{
    struct wire_connection *c = &all[from & (MAX_FD - 1)];
    return c->open && c->generation == from >> 32 ? c : NULL;
}

bool wire_alive(uint64_t from)
{
    return find(from) != NULL;
}

void wire_silence(uint64_t from)
{
    struct wire_connection *c = find(from);
    if (c)
        c->silent = true;
}

uint64_t wire_connections(void)
{
    return accepted;
}

static void shut(struct wire_connection *c)
{
    if (c->reset)
        setsockopt(fd_of(c), SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
    close(fd_of(c));
    text_free(&c->in);
    text_free(&c->out);
    c->open = false;
    c->generation++;
    void (*answered)(void *, int) = c->answered;
    c->answered = NULL;
    if (answered)
        answered(c->with, 0);
}

static void flush(struct wire_connection *c)
{
    while (c->sent < c->out.n) {
        ssize_t n = send(fd_of(c), c->out.p + c->sent, c->out.n - c->sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            break;
        if (n < 0) {
            shut(c);
            return;
        }
        c->sent += (size_t)n;
    }
    bool more = c->sent < c->out.n;
    if (!more) {
        c->out.n = c->sent = 0;
        if (!c->answering && (c->last || c->reset)) {
            shut(c);
            return;
        }
    }
    if (more != c->watched) {
        c->watched = more;
        struct epoll_event e = {.events = EPOLLIN | (more ? EPOLLOUT : 0), .data.fd = fd_of(c)};
        epoll_ctl(ep, EPOLL_CTL_MOD, fd_of(c), &e);
    }
}

/* ---- reading requests ---- */

/* Joins the chunks of a chunked body in place: *ret_n bytes, from `used` bytes of input. Returns 1
 * if complete, 0 if more input is needed, -1 if malformed. */
static int join_chunks(char *p, size_t n, size_t *ret_n, size_t *used)
{
    size_t at = 0, whole = 0;
    for (int moving = 0; moving < 2; moving++) /* first check that it is complete */
        for (at = whole = 0;;) {
            char *line_end = memchr(p + at, '\n', n - at), *digits_end;
            if (!line_end)
                return 0;
            size_t size = strtoul(p + at, &digits_end, 16);
            if (digits_end == p + at || size > MAX_REQUEST)
                return -1;
            at = (size_t)(line_end + 1 - p);
            if (n - at < size + 2)
                return 0;
            if (size == 0)
                break;
            if (moving)
                memmove(p + whole, p + at, size);
            whole += size;
            at += size + 2;
        }
    *ret_n = whole;
    *used = at + 2;
    return 1;
}

/* Value of a header. The CRLF of the head's last line has been replaced by a NUL. */
static char *header(char *head, const char *name)
{
    size_t n = strlen(name);
    for (char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, n) == 0 && line[2 + n] == ':')
            return line + 3 + n + strspn(line + 3 + n, " ");
    return NULL;
}

struct frame {
    size_t head, body, used;
}; /* used: head and raw body */

/* Returns 1 if the input holds a whole request, 0 if more is needed, -1 if it is malformed. */
static int frame_request(struct wire_connection *c, struct frame *f)
{
    char *end = c->in.n > 0 ? memmem(c->in.p, c->in.n, "\r\n\r\n", 4) : NULL;
    if (!end)
        return 0;
    f->head = (size_t)(end + 4 - c->in.p);
    char kept = end[2];
    end[2] = 0;
    size_t raw = 0;
    int whole = 1;
    char *v;
    if ((v = header(c->in.p, "transfer-encoding")) && strncasecmp(v, "chunked", 7) == 0) {
        whole = join_chunks(c->in.p + f->head, c->in.n - f->head, &f->body, &raw);
    } else if ((v = header(c->in.p, "content-length"))) {
        raw = f->body = strtoul(v, NULL, 10);
        whole = raw > MAX_REQUEST ? -1 : c->in.n - f->head >= raw;
    }
    if (whole == 0 && c->in.n == f->head && (v = header(c->in.p, "expect")) &&
        strncasecmp(v, "100", 3) == 0) {
        text_put(&c->out, "HTTP/1.1 100 Continue\r\n\r\n");
        flush(c);
    }
    f->used = f->head + raw;
    if (whole <= 0 && c->open)
        end[2] = kept;
    return whole;
}

static bool next_request(struct wire_connection *c)
{
    struct frame f = {0};
    int whole = frame_request(c, &f);
    if (whole < 0) {
        c->reset = true;
        shut(c);
    }
    if (whole <= 0)
        return false;
    char *v = header(c->in.p, "connection"), *type = header(c->in.p, "content-type");
    c->last = v && strncasecmp(v, "close", 5) == 0;
    if (type)
        type[strcspn(type, "\r\n")] = 0;
    char *path = strchr(c->in.p, ' ');
    path = path ? path + 1 : c->in.p;
    path[strcspn(path, " \r\n")] = 0;
    char *query = strchr(path, '?');
    if (query)
        *query++ = 0;
    char *body = c->in.p + f.head, kept = body[f.body], none[1] = "";
    body[f.body] = 0;
    uint32_t generation = c->generation;
    struct wire_request r = {path,
                             query ? query : none,
                             type ? type : none,
                             body,
                             f.body,
                             (uint64_t)generation << 32 | (unsigned)fd_of(c)};
    c->answering = c->inside = true;
    request_cb(&r);
    if (!c->open || c->generation != generation)
        return false;
    c->inside = false;
    body[f.body] = kept;
    c->in.n -= f.used;
    memmove(c->in.p, c->in.p + f.used, c->in.n);
    c->in.p[c->in.n] = 0;
    return true;
}

static void work(struct wire_connection *c)
{
    uint32_t generation = c->generation;
    while (c->open && c->generation == generation && !c->answering && next_request(c))
        ;
}

/* The answer to wire_ask(): only its status matters; the connection is closed. */
static void hear_answer(struct wire_connection *c)
{
    char *end = memmem(c->in.p, c->in.n, "\r\n\r\n", 4);
    if (!end)
        return;
    void (*answered)(void *, int) = c->answered;
    int status = (int)strtol(c->in.p + strcspn(c->in.p, " "), NULL, 10);
    c->answered = NULL;
    shut(c);
    answered(c->with, status);
}

static void receive(struct wire_connection *c)
{
    text_room(&c->in, 16384);
    ssize_t n = recv(fd_of(c), c->in.p + c->in.n, c->in.cap - c->in.n - 1, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return; /* level-triggered: epoll reports it again */
    if (n <= 0 || c->in.n > MAX_REQUEST) {
        shut(c);
        return;
    }
    c->in.n += (size_t)n;
    c->in.p[c->in.n] = 0;
    if (c->answered)
        hear_answer(c);
    else
        work(c);
}

/* ---- answering ---- */

void wire_reply(uint64_t from, int status, const char *headers, const char *body, size_t n,
                enum harm harm)
{
    struct wire_connection *c = find(from);
    if (!c || c->silent)
        return;
    text_put(&c->out, status == 200 ? "HTTP/1.1 200 OK\r\nContent-Type: " : "HTTP/1.1 ");
    if (status != 200)
        text_print(&c->out, "%d Error\r\nContent-Type: ", status);
    text_put(&c->out, n > 0 && body[0] == '{' ? "application/json\r\n" : "text/html\r\n");
    text_put(&c->out, headers);
    size_t said = harm == HARM_CUT ? n / 2 : n;
    char date[64];
    time_t now = time(NULL);
    struct tm tm;
    strftime(date, sizeof date, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", gmtime_r(&now, &tm));
    text_put(&c->out, date);
    text_put(&c->out, "Content-Length: ");
    text_int(&c->out, (int64_t)said);
    text_put(&c->out, "\r\n\r\n");
    text_add(&c->out, body, harm == HARM_NONE ? n : n / 2);
    c->reset = harm == HARM_RESET;
    c->answering = false;
    uint32_t generation = c->generation;
    flush(c);
    if (c->open && c->generation == generation && !c->inside && c->in.n > 0)
        work(c); /* input that arrived meanwhile */
}

/* ---- requests of our own ---- */

void wire_ask(int port, struct text_buffer request, void (*answered)(void *with, int status),
              void *with)
{
    struct sockaddr_in there = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || fd >= MAX_FD) {
        perror("fake telegram: socket");
        exit(2);
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    struct wire_connection *c = &all[fd];
    *c = (struct wire_connection){.generation = c->generation + 1,
                                  .open = true,
                                  .watched = true,
                                  .out = request,
                                  .answered = answered,
                                  .with = with};
    struct epoll_event e = {.events = EPOLLIN | EPOLLOUT, .data.fd = fd};
    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e);
    connect(fd, (struct sockaddr *)&there, sizeof there); /* epoll reports the result */
}

/* ---- the loop ---- */

void wire_listen(int port)
{
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max < MAX_FD ? files.rlim_max : MAX_FD;
    setrlimit(RLIMIT_NOFILE, &files);
    all = must(calloc(MAX_FD, sizeof *all));
    ep = epoll_create1(EPOLL_CLOEXEC);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    struct sockaddr_in here = {.sin_family = AF_INET,
                               .sin_port = htons((uint16_t)port),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)&here, sizeof here) != 0 || listen(listener, 4096) != 0) {
        perror("fake telegram: listen");
        exit(2);
    }
    struct epoll_event e = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(ep, EPOLL_CTL_ADD, listener, &e);
}

int wire_port(void)
{
    struct sockaddr_in here;
    socklen_t n = sizeof here;
    getsockname(listener, (struct sockaddr *)&here, &n);
    return ntohs(here.sin_port);
}

static void welcome(void)
{
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        if (fd >= MAX_FD) {
            close(fd);
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
        all[fd] = (struct wire_connection){.generation = all[fd].generation + 1, .open = true};
        struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};
        epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e);
        accepted++;
    }
}

static void serve(const struct epoll_event *e)
{
    struct wire_connection *c = &all[e->data.fd];
    if (e->data.fd == listener) {
        welcome();
        return;
    }
    if (c->open && (e->events & EPOLLOUT))
        flush(c);
    if (c->open && (e->events & (EPOLLIN | EPOLLHUP | EPOLLERR)))
        receive(c);
}

void wire_run(void (*on_request)(struct wire_request *), void (*after_events)(void))
{
    request_cb = on_request;
    while (!stopped) {
        struct epoll_event events[512];
        int64_t wait = n_heap > 0 ? heap[0].at - wire_now() : 1000000000;
        wait = wait < 0 ? 0 : wait;
        struct timespec t = {wait / 1000000000, wait % 1000000000};
        int n = epoll_pwait2(ep, events, 512, &t, NULL);
        for (int i = 0; i < n; i++)
            serve(&events[i]);
        for (int64_t now = wire_now(); n_heap > 0 && heap[0].at <= now;) {
            struct alarm a = alarm_pop();
            a.call(a.with);
        }
        after_events();
    }
}

void wire_stop(void)
{
    stopped = true;
}
