/* See serve.h. Connections lie in an array by descriptor; a generation number in the handle tells a
 * closed connection from the next one with the same descriptor. */
#include "serve.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

enum { MAX_REQUEST = 64 << 20, EVENTS = 512 };

struct serve_connection {
    uint32_t generation;
    bool open, answering, inside, last, reset, silent, over;
    struct text_buffer in, out;
    size_t sent;
    void (*answered)(void *, int); /* of serve_ask(); NULL for clients */
    void *with;
};

struct alarm {
    int64_t at;
    void (*call)(void *);
    void *with;
};

struct serve {
    struct serve_connection *at;
    int ep, listener, wake, port;
    uint64_t accepted;
    atomic_bool stopped, hang_up;
    serve_answer *answer;
    serve_round *round;
    void *arg;
    struct alarm *heap;
    size_t n_heap, heap_cap;
    bool threaded;
    pthread_t thread;
    sem_t begun;
};

static _Noreturn void fatal(const char *what)
{
    perror(what);
    exit(2);
}

/* ---- time ---- */

static int64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int64_t serve_now(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

int64_t serve_cpu(void)
{
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void serve_at(struct serve *s, int64_t ns, void (*call)(void *), void *with)
{
    if (s->n_heap == s->heap_cap) {
        s->heap_cap = s->heap_cap ? s->heap_cap * 2 : 256;
        s->heap = must(realloc(s->heap, s->heap_cap * sizeof *s->heap));
    }
    size_t i = s->n_heap++;
    for (; i > 0 && ns < s->heap[(i - 1) / 2].at; i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = (struct alarm){ns, call, with};
}

static struct alarm alarm_pop(struct serve *s)
{
    struct alarm first = s->heap[0], last = s->heap[--s->n_heap];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < s->n_heap) {
        if (child + 1 < s->n_heap && s->heap[child + 1].at < s->heap[child].at)
            child++;
        if (s->heap[child].at >= last.at)
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    return first;
}

/* ---- connections ---- */

static struct serve_connection *find(struct serve *s, uint64_t from)
{
    struct serve_connection *c = &s->at[from & (SERVE_MOST - 1)];
    return c->open && c->generation == from >> 32 ? c : NULL;
}

bool serve_alive(struct serve *s, uint64_t from)
{
    return find(s, from) != NULL;
}

void serve_silence(struct serve *s, uint64_t from)
{
    struct serve_connection *c = find(s, from);
    if (c)
        c->silent = true;
}

static void watch(struct serve *s, int fd, uint32_t events)
{
    struct epoll_event e = {.events = events, .data.fd = fd};
    epoll_ctl(s->ep, EPOLL_CTL_ADD, fd, &e);
}

static struct serve_connection *connection_new(struct serve *s, int fd)
{
    struct serve_connection *c = &s->at[fd];
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    *c = (struct serve_connection){.generation = c->generation + 1, .open = true};
    watch(s, fd, EPOLLIN | EPOLLOUT | EPOLLET);
    return c;
}

/* While its request is being answered a connection stays, as the request lies in its buffer. */
static void shut(struct serve *s, struct serve_connection *c)
{
    int fd = (int)(c - s->at);
    c->over = true;
    if (c->inside)
        return;
    if (c->reset)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
    epoll_ctl(s->ep, EPOLL_CTL_DEL, fd, NULL); /* a forked process may hold it, too */
    close(fd);
    txt_free(&c->in);
    txt_free(&c->out);
    c->open = false;
    c->generation++;
    void (*answered)(void *, int) = c->answered;
    c->answered = NULL;
    if (answered)
        answered(c->with, 0);
}

void serve_end(struct serve *s, uint64_t from)
{
    struct serve_connection *c = find(s, from);
    if (c)
        shut(s, c);
}

static void flush(struct serve *s, struct serve_connection *c)
{
    while (c->sent < c->out.n) {
        ssize_t n = send((int)(c - s->at), c->out.p + c->sent, c->out.n - c->sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n < 0) {
            shut(s, c);
            return;
        }
        c->sent += (size_t)n;
    }
    c->out.n = c->sent = 0;
    if (!c->answering && (c->last || c->reset))
        shut(s, c);
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
static const char *value_of(const char *head, const char *name)
{
    size_t n = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, n) == 0 && line[2 + n] == ':')
            return line + 3 + n + strspn(line + 3 + n, " ");
    return NULL;
}

bool serve_header(const struct serve_request *r, const char *name, char *ret, size_t size)
{
    const char *value = value_of(r->head, name);
    snprintf(ret, size, "%.*s", value ? (int)strcspn(value, "\r\n") : 0, value ? value : "");
    return value != NULL;
}

struct frame {
    size_t head, body, used;
}; /* used: head and raw body */

/* Returns 1 if the input holds a whole request, 0 if more is needed, -1 if it is malformed. */
static int frame_request(struct serve *s, struct serve_connection *c, struct frame *f)
{
    char *end = c->in.n > 0 ? memmem(c->in.p, c->in.n, "\r\n\r\n", 4) : NULL;
    if (!end)
        return 0;
    f->head = (size_t)(end + 4 - c->in.p);
    char kept = end[2];
    end[2] = 0;
    size_t raw = 0;
    int whole = 1;
    const char *v;
    if ((v = value_of(c->in.p, "transfer-encoding")) && strncasecmp(v, "chunked", 7) == 0) {
        whole = join_chunks(c->in.p + f->head, c->in.n - f->head, &f->body, &raw);
    } else if ((v = value_of(c->in.p, "content-length"))) {
        raw = f->body = strtoul(v, NULL, 10);
        whole = raw > MAX_REQUEST ? -1 : c->in.n - f->head >= raw;
    }
    if (whole == 0 && c->in.n == f->head && (v = value_of(c->in.p, "expect")) &&
        strncasecmp(v, "100", 3) == 0) {
        txt_put(&c->out, "HTTP/1.1 100 Continue\r\n\r\n");
        flush(s, c);
    }
    f->used = f->head + raw;
    if (whole <= 0 && c->open)
        end[2] = kept;
    return whole;
}

/* Parses "GET /path?query HTTP/1.1\r\nName: value..." in place. */
static struct serve_request read_head(char *head)
{
    static char none[1];
    char *path = head + strcspn(head, " \r"), *end, *query;
    struct serve_request r = {.method = head, .query = none};
    path += *path == ' ';
    end = path + strcspn(path, " \r");
    r.head = end + strcspn(end, "\r");
    r.path = path;
    path[-1] = *end = 0;
    if ((query = strchr(path, '?'))) {
        *query = 0;
        r.query = query + 1;
    }
    return r;
}

static bool next_request(struct serve *s, struct serve_connection *c)
{
    struct frame f = {0};
    int whole = frame_request(s, c, &f);
    if (whole < 0) {
        c->reset = true;
        shut(s, c);
    }
    if (whole <= 0)
        return false;
    const char *v = value_of(c->in.p, "connection");
    c->last = v && strncasecmp(v, "close", 5) == 0;
    struct serve_request r = read_head(c->in.p);
    r.from = (uint64_t)c->generation << 32 | (unsigned)(c - s->at);
    r.body = c->in.p + f.head;
    r.n = f.body;
    char kept = r.body[r.n];
    r.body[r.n] = 0;
    c->answering = c->inside = true;
    s->answer(s->arg, &r);
    c->inside = false;
    if (c->over) {
        shut(s, c);
        return false;
    }
    r.body[r.n] = kept;
    c->in.n -= f.used;
    memmove(c->in.p, c->in.p + f.used, c->in.n);
    c->in.p[c->in.n] = 0;
    return true;
}

static void work(struct serve *s, struct serve_connection *c)
{
    while (c->open && !c->answering && next_request(s, c))
        ;
}

/* The answer to serve_ask(): only its status matters; the connection is closed. */
static void hear_answer(struct serve *s, struct serve_connection *c)
{
    if (!memmem(c->in.p, c->in.n, "\r\n\r\n", 4))
        return;
    void (*answered)(void *, int) = c->answered;
    int status = (int)strtol(c->in.p + strcspn(c->in.p, " "), NULL, 10);
    c->answered = NULL;
    shut(s, c);
    answered(c->with, status);
}

/* Reads until nothing is left: epoll reports new input only. */
static void receive(struct serve *s, struct serve_connection *c)
{
    while (c->open) {
        txt_room(&c->in, 16384);
        ssize_t n = recv((int)(c - s->at), c->in.p + c->in.n, c->in.cap - c->in.n - 1, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0 || c->in.n > MAX_REQUEST) {
            shut(s, c);
            return;
        }
        c->in.n += (size_t)n;
        c->in.p[c->in.n] = 0;
        if (c->answered)
            hear_answer(s, c);
        else
            work(s, c);
    }
}

/* ---- answering ---- */

void serve_reply(struct serve *s, uint64_t from, int status, const char *headers, const char *body,
                 enum serve_harm harm)
{
    struct serve_connection *c = find(s, from);
    if (!c || c->silent)
        return;
    size_t n = strlen(body), sent = harm == SERVE_WHOLE || harm == SERVE_CLOSE ? n : n / 2;
    txt_print(&c->out, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\n%sContent-Length: %zu\r\n\r\n",
              status, status == 200 ? "OK" : "Error",
              *body == '<' ? "text/html" : "application/json", headers,
              harm == SERVE_CUT ? sent : n);
    txt_add(&c->out, body, sent);
    c->reset = harm == SERVE_RESET;
    c->last |= harm == SERVE_HALF || harm == SERVE_CLOSE;
    c->answering = false;
    flush(s, c);
    if (!c->inside)
        work(s, c); /* input that arrived meanwhile */
}

void serve_bytes(struct serve *s, uint64_t from, const char *bytes, size_t n)
{
    struct serve_connection *c = find(s, from);
    if (!c)
        return;
    txt_add(&c->out, bytes, n);
    flush(s, c);
}

void serve_ask(struct serve *s, int port, struct text_buffer request,
               void (*answered)(void *with, int status), void *with)
{
    struct sockaddr_in there = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || fd >= SERVE_MOST)
        fatal("fake network: socket");
    struct serve_connection *c = connection_new(s, fd);
    c->out = request;
    c->answered = answered;
    c->with = with;
    connect(fd, (struct sockaddr *)&there, sizeof there); /* epoll reports the result */
}

/* ---- the loop ---- */

static void accept_all(struct serve *s)
{
    int fd;
    while ((fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        if (fd >= SERVE_MOST) {
            close(fd);
            continue;
        }
        connection_new(s, fd);
        s->accepted++;
    }
}

static void take_event(struct serve *s, const struct epoll_event *e)
{
    struct serve_connection *c = &s->at[e->data.fd];
    uint64_t n;
    if (e->data.fd == s->wake && read(s->wake, &n, sizeof n) != sizeof n)
        return;
    if (e->data.fd == s->listener)
        accept_all(s);
    if (c->open && (e->events & EPOLLOUT))
        flush(s, c);
    if (c->open && (e->events & (EPOLLIN | EPOLLHUP | EPOLLERR)))
        receive(s, c);
}

/* Held while a server's thread works, and by callers of fork(): the child has one thread only, and
 * would wait for ever on an allocator's lock that another thread held at that moment. */
static pthread_mutex_t working = PTHREAD_MUTEX_INITIALIZER;

static void work_begins(void)
{
    pthread_mutex_lock(&working);
}
static void work_ends(void)
{
    pthread_mutex_unlock(&working);
}
static void mind_forks(void)
{
    pthread_atfork(work_begins, work_ends, work_ends);
}

void serve_run(struct serve *s)
{
    while (!s->stopped) {
        struct epoll_event events[EVENTS];
        int64_t wait = s->n_heap > 0 ? s->heap[0].at - serve_now() : 1000000000;
        wait = wait < 0 ? 0 : wait;
        struct timespec t = {wait / 1000000000, wait % 1000000000};
        if (s->threaded)
            work_ends();
        int n = epoll_pwait2(s->ep, events, EVENTS, &t, NULL);
        if (s->threaded)
            work_begins();
        if (atomic_exchange(&s->hang_up, false))
            for (int fd = 0; fd < SERVE_MOST; fd++)
                if (s->at[fd].open)
                    shut(s, &s->at[fd]);
        for (int i = 0; i < n; i++)
            take_event(s, &events[i]);
        for (int64_t now = serve_now(); s->n_heap > 0 && s->heap[0].at <= now;) {
            struct alarm a = alarm_pop(s);
            a.call(a.with);
        }
        if (s->round)
            s->round(s->arg);
    }
}

struct serve *serve_listen(int port, serve_answer *answer, serve_round *round, void *arg)
{
    struct serve *s = must(calloc(1, sizeof *s));
    struct sockaddr_in here = {.sin_family = AF_INET,
                               .sin_port = htons((uint16_t)port),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof here;
    s->answer = answer;
    s->round = round;
    s->arg = arg;
    s->at = must(calloc(SERVE_MOST, sizeof *s->at));
    s->ep = epoll_create1(EPOLL_CLOEXEC);
    s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (bind(s->listener, (struct sockaddr *)&here, n) != 0 || listen(s->listener, 4096) != 0 ||
        getsockname(s->listener, (struct sockaddr *)&here, &n) != 0)
        fatal("fake network: listen");
    s->port = ntohs(here.sin_port);
    watch(s, s->wake, EPOLLIN);
    watch(s, s->listener, EPOLLIN);
    return s;
}

static void *run_thread(void *arg)
{
    struct serve *s = arg;
    work_begins();
    sem_post(&s->begun);
    serve_run(s);
    work_ends();
    return NULL;
}

struct serve *serve_open(int port, serve_answer *answer, serve_round *round, void *arg)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct serve *s = serve_listen(port, answer, round, arg);
    pthread_once(&once, mind_forks);
    s->threaded = true;
    if (sem_init(&s->begun, 0, 0) || pthread_create(&s->thread, NULL, run_thread, s))
        fatal("fake network: thread");
    while (sem_wait(&s->begun)) {} /* a starting thread allocates memory, too */
    return s;
}

void serve_close(struct serve *s)
{
    serve_stop(s);
    if (pthread_join(s->thread, NULL))
        abort();
    for (int fd = 0; fd < SERVE_MOST; fd++)
        if (s->at[fd].open)
            shut(s, &s->at[fd]);
    close(s->listener);
    close(s->wake);
    close(s->ep);
    sem_destroy(&s->begun);
    free(s->heap);
    free(s->at);
    free(s);
}

void serve_stop(struct serve *s)
{
    s->stopped = true;
    serve_wake(s);
}

int serve_port(const struct serve *s)
{
    return s->port;
}

uint64_t serve_connections(const struct serve *s)
{
    return s->accepted;
}

void serve_wake(struct serve *s)
{
    if (write(s->wake, &(uint64_t){1}, sizeof(uint64_t)) != sizeof(uint64_t))
        abort();
}

void serve_hang_up(struct serve *s)
{
    s->hang_up = true;
    serve_wake(s);
}
