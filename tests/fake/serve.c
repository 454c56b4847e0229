/* See serve.h. One thread polls all connections. */
#include "serve.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/socket.h>

enum { CONNECTIONS = 256, ROOM = 64 * 1024, MOST = 64 << 20, NOW_AND_THEN_MS = 20 };

struct serve_connection {
    int fd;
    size_t n, cap;
    char *in;
    bool put_off;
};

struct serve {
    pthread_t thread;
    sem_t begun;
    int listener, wake[2], port;
    atomic_bool ending, hang_up;
    serve_answer *answer;
    void *arg;
    struct serve_connection at[CONNECTIONS];
};

/* Held while a server works, and by callers of fork(): the child has one thread only, and would
 * wait for ever on an allocator's lock that another thread held at that moment. */
static pthread_mutex_t work = PTHREAD_MUTEX_INITIALIZER;

static void work_begins(void)
{
    pthread_mutex_lock(&work);
}
static void work_ends(void)
{
    pthread_mutex_unlock(&work);
}
static void mind_forks(void)
{
    pthread_atfork(work_begins, work_ends, work_ends);
}

void serve_bytes(int fd, const char *bytes, size_t n)
{
    for (ssize_t k; n > 0 && (k = send(fd, bytes, n, MSG_NOSIGNAL)) > 0; bytes += k)
        n -= (size_t)k;
}

void serve_send(int fd, int status, const char *header, const char *body, bool part)
{
    size_t cap = strlen(body) + 512;
    char *text = malloc(cap);
    struct buf b = {text, 0, cap, false};
    buf_print(
        &b, "HTTP/1.1 %d Said\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n%s%s\r\n",
        status, strlen(body), header ? header : "", header ? "\r\n" : "");
    buf_put(&b, str_of(body));
    serve_bytes(fd, text, part ? b.n - strlen(body) / 2 - 1 : b.n);
    free(text);
}

bool serve_header(const struct asked *asked, const char *name, char *ret, size_t size)
{
    size_t n = strlen(name);
    for (const char *line = asked->head; line; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, n) == 0 && line[2 + n] == ':') {
            line += 3 + n + strspn(line + 3 + n, " ");
            snprintf(ret, size, "%.*s", (int)strcspn(line, "\r\n"), line);
            return true;
        }
    return false;
}

static void hang_up(struct serve_connection *c)
{
    close(c->fd);
    c->fd = -1;
    c->n = 0;
    c->put_off = false;
}

/* Parses "GET /path?query HTTP/1.1\r\nName: value..." in place. */
static struct asked read_head(char *head)
{
    struct asked asked = {.method = head, .query = ""};
    char *path = strchr(head, ' '), *end = path ? strpbrk(path + 1, " \r") : NULL;
    if (!end)
        abort();
    asked.head = strstr(end, "\r\n");
    *path++ = '\0';
    *end = '\0';
    char *query = strchr(path, '?');
    if (query) {
        *query = '\0';
        asked.query = query + 1;
    }
    asked.path = path;
    return asked;
}

/* Passes on the first whole request of the input. Returns false if there is nothing more to do for
 * now. */
static bool take_request(struct serve *s, struct serve_connection *c)
{
    char *end = memmem(c->in, c->n, "\r\n\r\n", 4), length[24] = "0";
    if (!end)
        return false;
    size_t head = (size_t)(end - c->in) + 4;
    char *copy = strndup(c->in, head - 2);
    struct asked asked = read_head(copy);
    (void)serve_header(&asked, "Content-Length", length, sizeof length);
    size_t n = strtoul(length, NULL, 10);
    if (c->n < head + n) {
        free(copy);
        return false;
    }
    char *body = malloc(n + 1);
    memcpy(body, c->in + head, n);
    body[n] = '\0';
    asked.fd = c->fd;
    asked.body = body;
    asked.n = n;
    asked.again = c->put_off;
    enum served served = s->answer(s->arg, &asked);
    free(copy);
    free(body);
    c->put_off = served == SERVED_LATER;
    if (served == SERVED_OVER)
        hang_up(c);
    if (served != SERVED)
        return false;
    c->n -= head + n;
    memmove(c->in, c->in + head + n, c->n);
    return c->n > 0;
}

static void receive(struct serve *s, struct serve_connection *c)
{
    if (c->cap - c->n < ROOM)
        c->in = realloc(c->in, c->cap += 2 * ROOM);
    ssize_t n = recv(c->fd, c->in + c->n, c->cap - c->n - 1, 0);
    if (n <= 0 || c->n > MOST) {
        hang_up(c);
        return;
    }
    c->n += (size_t)n;
    while (c->fd >= 0 && !c->put_off && take_request(s, c)) {}
}

static void welcome(struct serve *s)
{
    int fd = accept(s->listener, NULL, NULL), yes = 1;
    for (int i = 0; i < CONNECTIONS && fd >= 0; i++)
        if (s->at[i].fd < 0) {
            s->at[i].fd = fd;
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            return;
        }
    close(fd);
}

static void take_put_off(struct serve *s)
{
    for (int i = 0; i < CONNECTIONS; i++)
        if (s->at[i].fd >= 0 && s->at[i].put_off)
            while (s->at[i].fd >= 0 && take_request(s, &s->at[i])) {}
}

static void *run(void *arg)
{
    struct serve *s = arg;
    struct pollfd fds[CONNECTIONS + 2];
    char byte;
    work_begins();
    sem_post(&s->begun);
    while (!s->ending) {
        bool waiting = false;
        fds[0] = (struct pollfd){.fd = s->listener, .events = POLLIN};
        fds[1] = (struct pollfd){.fd = s->wake[0], .events = POLLIN};
        for (int i = 0; i < CONNECTIONS; i++) {
            fds[i + 2] = (struct pollfd){.fd = s->at[i].fd, .events = POLLIN};
            waiting |= s->at[i].fd >= 0 && s->at[i].put_off;
        }
        work_ends();
        poll(fds, CONNECTIONS + 2, waiting ? NOW_AND_THEN_MS : -1);
        work_begins();
        if (fds[1].revents && read(s->wake[0], &byte, 1) != 1)
            abort();
        bool all = s->hang_up;
        s->hang_up = false;
        for (int i = 0; i < CONNECTIONS; i++)
            if (s->at[i].fd >= 0 && all)
                hang_up(&s->at[i]);
            else if (fds[i + 2].revents && s->at[i].fd >= 0)
                receive(s, &s->at[i]);
        take_put_off(s);
        if (fds[0].revents)
            welcome(s);
    }
    work_ends();
    return NULL;
}

struct serve *serve_open(int port, serve_answer *answer, void *arg)
{
    struct serve *s = calloc(1, sizeof *s);
    struct sockaddr_in where = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof where;
    int yes = 1;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    assert(s);
    pthread_once(&once, mind_forks);
    s->answer = answer;
    s->arg = arg;
    for (int i = 0; i < CONNECTIONS; i++)
        s->at[i].fd = -1;
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(s->listener, (struct sockaddr *)&where, n) || listen(s->listener, 64) ||
        getsockname(s->listener, (struct sockaddr *)&where, &n) || pipe(s->wake) ||
        sem_init(&s->begun, 0, 0) || pthread_create(&s->thread, NULL, run, s))
        abort();
    while (sem_wait(&s->begun)) {} /* a starting thread allocates memory, too */
    s->port = ntohs(where.sin_port);
    return s;
}

void serve_close(struct serve *s)
{
    s->ending = true;
    serve_wake(s);
    if (pthread_join(s->thread, NULL))
        abort();
    for (int i = 0; i < CONNECTIONS; i++) {
        if (s->at[i].fd >= 0)
            close(s->at[i].fd);
        free(s->at[i].in);
    }
    close(s->listener);
    sem_destroy(&s->begun);
    close(s->wake[0]);
    close(s->wake[1]);
    free(s);
}

int serve_port(const struct serve *s)
{
    return s->port;
}

void serve_wake(struct serve *s)
{
    if (write(s->wake[1], "", 1) != 1)
        abort();
}

void serve_hang_up(struct serve *s)
{
    s->hang_up = true;
    serve_wake(s);
}
