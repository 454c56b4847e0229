/* See http.h: libcurl's multi interface, and the only file that knows curl.h.
 *
 * A transfer is a slot with an easy handle that is used again and again, so a busy daemon makes no
 * handles and, as libcurl keeps connections open, no connections. libcurl says which sockets it waits
 * for and when it wants to be woken; ready.h says on which of them something happens, so that a transfer that
 * waits costs nothing while others move. */
#include "http.h"

#include <assert.h>
#include <curl/curl.h>
#include <errno.h>
#include <unistd.h>

#include "ready.h"

enum {
    BODY_MOST = 32 * 1024 * 1024, /* of an answer */
    BODY_KEEP = 8 * 1024, /* a slot gives back a larger buffer: each brings news at some time */
    USUAL_MS = 30 * 1000,
    CONNECT_MS = 10 * 1000,
    CONNECTIONS = 1024, /* kept open at most */
    FDS = 65,
    EVENTS = 256 /* taken at once */
};

struct slot {
    struct slot *next, *before; /* of those under way, or next idle one */
    CURL *easy;
    void *tag;
    CURLU *parts;  /* of the last address */
    size_t n_host; /* of its beginning, up to the path; in host */
    char host[256];
    struct curl_slist *headers;
    curl_mime *mime;
    char *body;
    size_t n, cap;
    bool over; /* more came than may come */
    bool once; /* a POST: what may have arrived is not sent again from here */
    int sent;  /* how often libcurl began to send it */
};

struct http {
    CURLM *multi;
    struct ready *ready; /* the sockets of transfers */
    int64_t wake_at;     /* when libcurl wants to be called, by now_ms() */
    struct slot *idle, *busy, *taken;
    int running;
    int connections; /* what libcurl was last told to keep */
    bool proxied;    /* the environment names a proxy, for some requests at least */
    char date
        [64]; /* the last that was read, and what it is in seconds: mostly the next is the same */
    int64_t date_seconds;
};

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
    struct slot *s = arg;
    n *= size;
    if (s->n + n > BODY_MOST) {
        s->over = true;
        return 0;
    }
    if (s->n + n > s->cap) {
        size_t cap = (s->n + n) * 2;
        char *more = realloc(s->body, cap);
        if (!more)
            return 0;
        s->body = more;
        s->cap = cap;
    }
    memcpy(s->body + s->n, p, n);
    s->n += n;
    return n;
}

/* libcurl sends a request again by itself if a connection that was used before closes without an answer.
 * Whoever took it may have acted on it: then it is for the outbox to say so and try again. */
static int on_send(void *arg, char *to, char *from, int to_port, int from_port)
{
    struct slot *s = arg;
    (void)to, (void)from, (void)to_port, (void)from_port;
    return s->sent++ > 0 && s->once ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/* ---- what libcurl waits for ---- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *known)
{
    struct http *h = arg;
    (void)easy, (void)known;
    ready_want(h->ready, fd,
               what == CURL_POLL_REMOVE ? 0
                                        : (short)((what & CURL_POLL_IN ? POLLIN : 0) |
                                                  (what & CURL_POLL_OUT ? POLLOUT : 0)));
    return 0;
}

static curl_socket_t on_open(void *arg, curlsocktype purpose, struct curl_sockaddr *address)
{
    int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    (void)purpose;
    if (fd < 0)
        return CURL_SOCKET_BAD;
    ready_begins(((struct http *)arg)->ready, fd);
    return fd;
}

static int on_close(void *arg, curl_socket_t fd)
{
    ready_ends(((struct http *)arg)->ready, fd);
    return close(fd);
}

static int on_timer(CURLM *multi, long ms, void *arg)
{
    (void)multi;
    ((struct http *)arg)->wake_at = ms < 0 ? INT64_MAX : now_ms() + ms;
    return 0;
}

/* libcurl asks the environment for a proxy before each request, under five names; it does not change. */
static bool names_a_proxy(void)
{
    static const char *const names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
                                        "ALL_PROXY"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return true;
    return false;
}

bool http_open(struct http **ret, struct err *err)
{
    struct http *h = calloc(1, sizeof *h);
    if (!h || curl_global_init(CURL_GLOBAL_DEFAULT) || !(h->multi = curl_multi_init())) {
        free(h);
        return err_set(err, "HTTP cannot be started");
    }
    h->wake_at = INT64_MAX;
    h->proxied = names_a_proxy();
    if (!ready_open(&h->ready)) {
        http_close(h);
        return err_set(err, "HTTP cannot be started: %s", strerror(errno));
    }
    curl_multi_setopt(h->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(h->multi, CURLMOPT_SOCKETDATA, h);
    curl_multi_setopt(h->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(h->multi, CURLMOPT_TIMERDATA, h);
    *ret = h;
    return true;
}

static void slot_free(struct slot *s)
{
    curl_easy_cleanup(s->easy);
    curl_url_cleanup(s->parts);
    curl_slist_free_all(s->headers);
    curl_mime_free(s->mime);
    free(s->body);
    free(s);
}

static void slots_free(struct http *h, struct slot *s, bool busy)
{
    for (struct slot *next; s; s = next) {
        next = s->next;
        if (busy)
            curl_multi_remove_handle(h->multi, s->easy);
        slot_free(s);
    }
}

void http_close(struct http *h)
{
    if (!h)
        return;
    slots_free(h, h->busy, true);
    slots_free(h, h->taken, false);
    slots_free(h, h->idle, false);
    curl_multi_cleanup(h->multi);
    curl_global_cleanup();
    ready_close(h->ready);
    free(h);
}

static struct slot *slot_make(struct http *h)
{
    struct slot *s = calloc(1, sizeof *s);
    assert(s);
    s->easy = curl_easy_init();
    s->parts = curl_url();
    assert(s->easy && s->parts);
    curl_easy_setopt(s->easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(s->easy, CURLOPT_WRITEDATA, s);
    curl_easy_setopt(s->easy, CURLOPT_PRIVATE, s);
    curl_easy_setopt(s->easy, CURLOPT_PREREQFUNCTION, on_send);
    curl_easy_setopt(s->easy, CURLOPT_PREREQDATA, s);
    curl_easy_setopt(s->easy, CURLOPT_OPENSOCKETFUNCTION, on_open);
    curl_easy_setopt(s->easy, CURLOPT_OPENSOCKETDATA, h);
    curl_easy_setopt(s->easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    curl_easy_setopt(s->easy, CURLOPT_CLOSESOCKETDATA, h);
    curl_easy_setopt(s->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(s->easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(s->easy, CURLOPT_MAXREDIRS, 5L);
    curl_easy_setopt(s->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(s->easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(s->easy, CURLOPT_PATH_AS_IS, 1L);
    if (!h->proxied)
        curl_easy_setopt(s->easy, CURLOPT_PROXY, "");
    curl_easy_setopt(s->easy, CURLOPT_USERAGENT, "koikoi/" KOIKOI_VERSION);
    return s;
}

/* libcurl takes C strings; these live on the stack for as long as the call. */
static const char *zero_ended(struct str s, char *array, size_t cap)
{
    assert(s.n < cap);
    memcpy(array, s.p, s.n);
    array[s.n] = '\0';
    return array;
}

/* Where the path of an address begins; its length if there is none. */
static size_t path_of(const char *url)
{
    const char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : NULL;
    return path ? (size_t)(path - url) : strlen(url);
}

/* True if `parts` are those of the address. Most are of the same host as the one before: then it is not
 * taken apart again. */
static bool take_apart(struct slot *s, const char *url)
{
    size_t n = path_of(url);
    bool same =
        s->n_host > 0 && n == s->n_host && memcmp(url, s->host, n) == 0 && !strpbrk(url + n, "?#");
    if (same)
        return !curl_url_set(s->parts, CURLUPART_PATH, url + n, 0);
    s->n_host = 0;
    if (curl_url_set(s->parts, CURLUPART_URL, url, 0))
        return false;
    if (n < sizeof s->host && !strpbrk(url + n, "?#")) {
        memcpy(s->host, url, n);
        s->n_host = n;
    }
    return true;
}

/* libcurl takes an address apart and puts it together again each time it is used, unless it gets the parts. */
static void set_url(struct slot *s, const struct request *r)
{
    char url[8192];
    curl_easy_setopt(s->easy, CURLOPT_URL, zero_ended(r->url, url, sizeof url));
    curl_easy_setopt(s->easy, CURLOPT_CURLU, take_apart(s, url) ? s->parts : NULL);
}

static void set_headers(struct slot *s, const struct request *r)
{
    char line[8192];
    for (int i = 0; i < r->n_headers; i++) {
        struct buf b = {line, 0, sizeof line - 1, false};
        buf_print(&b, "%.*s: %.*s", STR_ARG(r->headers[i].name), STR_ARG(r->headers[i].value));
        assert(!b.cut);
        line[b.n] = '\0';
        s->headers = curl_slist_append(s->headers, line);
    }
    if (r->n_parts == 0 && r->body.n > 1024 * 1024 - 1)
        s->headers = curl_slist_append(s->headers, "Expect:");
    curl_easy_setopt(s->easy, CURLOPT_HTTPHEADER, s->headers);
}

static void set_parts(struct slot *s, const struct request *r)
{
    char text[1024];
    s->mime = curl_mime_init(s->easy);
    for (int i = 0; i < r->n_parts; i++) {
        const struct part *p = &r->parts[i];
        curl_mimepart *m = curl_mime_addpart(s->mime);
        curl_mime_name(m, zero_ended(p->name, text, sizeof text));
        if (p->file.n)
            curl_mime_filename(m, zero_ended(p->file, text, sizeof text));
        if (p->type.n)
            curl_mime_type(m, zero_ended(p->type, text, sizeof text));
        curl_mime_data(m, p->bytes.n ? p->bytes.p : "", p->bytes.n);
    }
    curl_easy_setopt(s->easy, CURLOPT_MIMEPOST, s->mime);
}

static void set_body(struct slot *s, const struct request *r)
{
    bool get = strcmp(r->method, "GET") == 0;
    curl_easy_setopt(s->easy, CURLOPT_CUSTOMREQUEST, NULL);
    if (r->n_parts) {
        set_parts(s, r);
    } else if (get) {
        curl_easy_setopt(s->easy, CURLOPT_HTTPGET, 1L);
    } else {
        curl_easy_setopt(s->easy, CURLOPT_POSTFIELDSIZE, (long)r->body.n);
        curl_easy_setopt(s->easy, CURLOPT_COPYPOSTFIELDS, r->body.n ? r->body.p : "");
    }
    if (!get && strcmp(r->method, "POST") != 0)
        curl_easy_setopt(s->easy, CURLOPT_CUSTOMREQUEST, r->method);
}

static void link_busy(struct http *h, struct slot *s)
{
    s->before = NULL;
    s->next = h->busy;
    if (h->busy)
        h->busy->before = s;
    h->busy = s;
    h->running++;
}

static void unlink_busy(struct http *h, struct slot *s)
{
    if (s->before)
        s->before->next = s->next;
    else
        h->busy = s->next;
    if (s->next)
        s->next->before = s->before;
    h->running--;
}

void http_start(struct http *h, const struct request *r, void *tag)
{
    struct slot *s = h->idle;
    if (s)
        h->idle = s->next;
    else
        s = slot_make(h);
    s->tag = tag;
    s->n = 0;
    s->over = false;
    s->sent = 0;
    s->once = strcmp(r->method, "POST") == 0;
    long ms = r->timeout_ms > 0 ? r->timeout_ms : USUAL_MS;
    set_url(s, r);
    curl_easy_setopt(s->easy, CURLOPT_TIMEOUT_MS, ms);
    curl_easy_setopt(s->easy, CURLOPT_FOLLOWLOCATION, r->follow ? 1L : 0L);
    set_body(s, r);
    set_headers(s, r);
    link_busy(h, s);
    if (h->running > h->connections && h->connections < CONNECTIONS) {
        h->connections = h->running * 2 < CONNECTIONS ? h->running * 2 + 8 : CONNECTIONS;
        curl_multi_setopt(h->multi, CURLMOPT_MAXCONNECTS, (long)h->connections);
    }
    CURLMcode code = curl_multi_add_handle(h->multi, s->easy);
    assert(code == CURLM_OK);
}

static void slot_rest(struct http *h, struct slot *s)
{
    curl_easy_setopt(s->easy, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(s->headers);
    s->headers = NULL;
    if (s->mime) {
        curl_easy_setopt(s->easy, CURLOPT_MIMEPOST, NULL);
        curl_mime_free(s->mime);
        s->mime = NULL;
    }
    if (s->cap > BODY_KEEP) {
        free(s->body);
        s->body = NULL;
        s->cap = 0;
    }
    s->next = h->idle;
    h->idle = s;
}

/* True if the other side may have acted on the request although no whole answer came. */
static bool may_have_arrived(CURLcode code)
{
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_URL_MALFORMAT:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_OUT_OF_MEMORY:
        return false;
    default:
        return true;
    }
}

static int64_t date_of(struct http *h, const char *text)
{
    if (strlen(text) >= sizeof h->date)
        return 0;
    if (strcmp(text, h->date) != 0) {
        memcpy(h->date, text, strlen(text) + 1);
        h->date_seconds = (int64_t)curl_getdate(text, NULL);
    }
    return h->date_seconds > 0 ? h->date_seconds * 1000 : 0;
}

static struct reply reply_of(struct http *h, const struct slot *s, CURLcode code)
{
    long status = 0, sent = 0;
    curl_off_t after = 0;
    struct curl_header *date = NULL;
    struct reply r = {.retry_after_ms = -1};
    if (code == CURLE_OK) {
        curl_easy_getinfo(s->easy, CURLINFO_RESPONSE_CODE, &status);
        curl_easy_getinfo(s->easy, CURLINFO_RETRY_AFTER, &after);
        r.status = (int)status;
        r.body = (struct str){s->body, s->n};
        if (after > 0)
            r.retry_after_ms = after * 1000;
        if (curl_easy_header(s->easy, "Date", 0, CURLH_HEADER, -1, &date) == CURLHE_OK)
            r.date = date_of(h, date->value);
        return r;
    }
    curl_easy_getinfo(s->easy, CURLINFO_REQUEST_SIZE, &sent);
    r.cut = sent > 0 && may_have_arrived(code);
    return r;
}

bool http_take(struct http *h, struct http_done *ret)
{
    CURLMsg *m;
    int left;
    if (h->taken) {
        slot_rest(h, h->taken);
        h->taken = NULL;
    }
    do {
        if (!(m = curl_multi_info_read(h->multi, &left)))
            return false;
    } while (m->msg != CURLMSG_DONE);
    CURLcode code = m->data.result;
    struct slot *s = NULL;
    curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&s);
    *ret = (struct http_done){s->tag, reply_of(h, s, code),
                              s->over ? "the answer is too large" : curl_easy_strerror(code)};
    curl_multi_remove_handle(h->multi, s->easy);
    unlink_busy(h, s);
    s->next = NULL;
    h->taken = s;
    return true;
}

void http_cancel(struct http *h, const void *tag)
{
    for (struct slot *s = h->busy; s; s = s->next)
        if (s->tag == tag) {
            curl_multi_remove_handle(h->multi, s->easy);
            unlink_busy(h, s);
            slot_rest(h, s);
            return;
        }
}

int http_running(const struct http *h)
{
    return h->running;
}

/* ---- the one place where the daemon sleeps ---- */

/* Calls libcurl if its moment has come. True: a transfer has ended. */
static bool on_time(struct http *h)
{
    int running = h->running;
    if (h->wake_at <= now_ms()) {
        h->wake_at = INT64_MAX;
        curl_multi_socket_action(h->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    return running < h->running;
}

static void on_ready(struct http *h)
{
    struct pollfd fds[EVENTS];
    int running, n = ready_take(h->ready, fds, EVENTS);
    for (int i = 0; i < n; i++) {
        int e = fds[i].revents;
        int what = (e & POLLIN ? CURL_CSELECT_IN : 0) | (e & POLLOUT ? CURL_CSELECT_OUT : 0) |
                   (e & POLLERR ? CURL_CSELECT_ERR : 0);
        curl_multi_socket_action(h->multi, fds[i].fd, what, &running);
    }
}

void http_wait(struct http *h, struct pollfd *fds, int n, int ms)
{
    struct pollfd all[FDS + 1] = {{.fd = ready_fd(h->ready), .events = POLLIN}};
    assert(n <= FDS);
    for (int i = 0; i < n; i++)
        all[i + 1] = fds[i];
    if (on_time(h))
        ms = 0; /* there is something to take: no time to sleep */
    int64_t left = h->wake_at == INT64_MAX ? ms : h->wake_at - now_ms();
    int ready = poll(all, (nfds_t)n + 1, left >= ms ? ms : left > 0 ? (int)left : 0);
    for (int i = 0; i < n; i++)
        fds[i].revents = ready > 0 ? all[i + 1].revents : 0;
    if (ready > 0 && all[0].revents)
        on_ready(h);
    on_time(h);
}
