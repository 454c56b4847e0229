/* HTTP client over libcurl's multi interface; see http.h.
 *
 * Transfers are used again, so that a busy daemon makes neither handles nor, since libcurl keeps
 * them open, connections. libcurl names the sockets and the timer it waits for; epoll watches the
 * sockets, so that an idle transfer costs nothing.
 *
 * A request waits in a line until http_wait(), which begins some at a time: while a hundred messages
 * are written, the answer to a poll that was begun before them may come, and is not held up. Those
 * that remain are begun while its updates are being stored, or else before the next poll's answer. */
#include "http_transfer.h"
#include "clock.h"

#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "address.h"
#include "alloc.h"

enum {
    BODY_MOST = 4 * 1024 * 1024, /* of an answer, unless the request allows another size */
    HEAD_MOST = 64 * 1024,       /* of all headers of one transfer, with those of redirects */
    DRIP_MS = 10 * 1000,         /* from the first byte of a body on, it may be slower ... */
    DRIP_BYTES = 1024,           /* ... than this in a second for that long */
    /* a larger buffer is freed: each slot carries a batch of updates at some time */
    BODY_KEEP = 8 * 1024,
    /* libcurl takes and gives back as much for each transfer: memory that malloc has at hand. A page
     * of many kilobytes for each of a hundred sends would go back to the system, and come anew. */
    READ_ROOM = 1024,
    READ_ROOM_OF_POLL = 16 * 1024,
    USUAL_MS = 30 * 1000,
    CONNECT_MS = 10 * 1000,
    RETRY_AFTER_S = 24 * 3600, /* a longer wait that a server asks for counts as this */
    CONNECTIONS = 1024,        /* kept open at most */
    FDS = 65,
    EVENTS = 256, /* taken at once */
    BEGIN_AT_ONCE = 16,
    TOGETHER_MS = 1 /* what arrives while something else is waited for is read so often */
};

struct http {
    CURLM *multi;
    struct watch watch;
    int64_t wake_at; /* when libcurl wants to be called, by clock_awake_ms() */
    struct http_transfer *idle, *busy, *taken;
    struct http_line waiting, done; /* not begun yet; ended and not taken */
    int n_overdue;                  /* of those that wait: they did when the first was started */
    struct http_transfer *first;    /* of http_start_first(), until it is taken */
    int running;
    int connections; /* how many libcurl keeps now */
    struct egress egress;
    /* the last Date header that was parsed, and its value: mostly the next is the same */
    char date[64];
    int64_t date_seconds;
    bool (*may)(void *arg); /* NULL: transfers always go on */
    void *may_arg;
};

/* ---- what libcurl asks for ---- */

/* True if the body comes in drops that would hold the transfer up to its time limit. */
static bool drips(struct http_transfer *t, size_t n)
{
    int64_t now = clock_awake_ms();
    if (t->n == 0)
        t->begun = now;
    int64_t ms = now - t->begun;
    return ms > DRIP_MS && (int64_t)n < ms / 1000 * DRIP_BYTES;
}

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
    struct http_transfer *t = arg;
    n *= size;
    if (t->n + n > t->most) {
        t->over = true;
        t->refused = "the answer is too large";
        return 0;
    }
    if (drips(t, t->n + n)) {
        t->refused = "the answer comes too slowly";
        return 0;
    }
    if (t->n + n > t->cap) {
        t->cap = (t->n + n) * 2;
        t->body = alloc_grow(t->body, t->cap);
    }
    memcpy(t->body + t->n, p, n);
    t->n += n;
    return n;
}

/* Interim answers (1xx) and redirects count too, so that none of them goes on for ever. */
static size_t on_head(char *p, size_t size, size_t n, void *arg)
{
    struct http_transfer *t = arg;
    (void)p;
    n *= size;
    t->n_head += n;
    if (t->n_head <= HEAD_MOST)
        return n;
    t->refused = "the headers of the answer are too large";
    return 0;
}

/* libcurl sends a request again by itself if a reused connection closes without an answer. The
 * server may have acted on it: the outbox has to mark it and try again. */
static int on_send(void *arg, char *to, char *from, int to_port, int from_port)
{
    struct http_transfer *t = arg;
    (void)to, (void)from, (void)to_port, (void)from_port;
    if (t->issuing)
        return CURL_PREREQFUNC_ABORT;
    return t->sent++ > 0 && t->once ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/* The address that is looked at is the one that is connected to. */
static curl_socket_t on_open(void *arg, curlsocktype purpose, struct curl_sockaddr *to)
{
    struct http_transfer *t = arg;
    int fd = -1;
    if (t->outside && !(purpose == CURLSOCKTYPE_IPCXN && address_is_public(&to->addr)))
        t->inside = true;
    else
        fd = socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
    if (fd >= 0)
        watch_opened(t->watch, fd);
    return fd >= 0 ? fd : CURL_SOCKET_BAD;
}

static int on_close(void *arg, curl_socket_t fd)
{
    watch_closed(arg, fd);
    return close(fd);
}

/* ---- made and freed ---- */

/* A host that came from outside gets a connection of its own: open ones may lead anywhere. */
static void set_egress(const struct http *h, struct http_transfer *t, bool outside)
{
    bool direct = outside || !h->egress.proxied;
    t->outside = outside;
    curl_easy_setopt(t->easy, CURLOPT_PROXY, direct ? "" : h->egress.proxy);
    curl_easy_setopt(t->easy, CURLOPT_NOPROXY, direct ? "" : h->egress.no_proxy);
    curl_easy_setopt(t->easy, CURLOPT_FRESH_CONNECT, outside ? 1L : 0L);
    curl_easy_setopt(t->easy, CURLOPT_FORBID_REUSE, outside ? 1L : 0L);
}

static struct http_transfer *transfer_make(struct http *h)
{
    struct curl_blob trusted = {(void *)(uintptr_t)h->egress.trusted.p, h->egress.trusted.n,
                                CURL_BLOB_NOCOPY};
    struct http_transfer *t = alloc_zeroed(sizeof *t);
    t->watch = &h->watch;
    t->easy = curl_easy_init();
    t->parts = curl_url();
    assert(t->easy && t->parts);
    curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(t->easy, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_HEADERFUNCTION, on_head);
    curl_easy_setopt(t->easy, CURLOPT_HEADERDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_PRIVATE, t);
    curl_easy_setopt(t->easy, CURLOPT_PREREQFUNCTION, on_send);
    curl_easy_setopt(t->easy, CURLOPT_PREREQDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_ERRORBUFFER, t->detail);
    curl_easy_setopt(t->easy, CURLOPT_OPENSOCKETFUNCTION, on_open);
    curl_easy_setopt(t->easy, CURLOPT_OPENSOCKETDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    curl_easy_setopt(t->easy, CURLOPT_CLOSESOCKETDATA, &h->watch);
    curl_easy_setopt(t->easy, CURLOPT_MAXREDIRS, 5L);
    curl_easy_setopt(t->easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(t->easy, CURLOPT_PATH_AS_IS, 1L);
    if (h->egress.trusted.n > 0)
        curl_easy_setopt(t->easy, CURLOPT_CAINFO_BLOB, &trusted);
    curl_easy_setopt(t->easy, CURLOPT_NOSIGNAL, 1L);
    /* Without it the end of a transfer waits for the thread that still looks up its host's name. */
    curl_easy_setopt(t->easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(t->easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(t->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(t->easy, CURLOPT_USERAGENT, "koikoi/" KOIKOI_VERSION);
    set_egress(h, t, false);
    return t;
}

/* ---- the request ---- */

/* libcurl takes C strings, which live on the stack during the call. A string that does not fit
 * refuses the request: ids from outside are part of URLs. */
static const char *zero_ended(struct http_transfer *t, struct str text, char *array, size_t cap)
{
    if (text.n >= cap) {
        t->refused = "the request has a URL or header that is too long";
        text.n = 0;
    }
    if (text.n > 0)
        memcpy(array, text.p, text.n);
    array[text.n] = '\0';
    return array;
}

/* Sets t->parts to the URL's; false if it cannot be parsed. Most are the one before, or have its host:
 * then nothing, or only the path, is parsed. */
static bool parse_url(struct http_transfer *t, const char *url)
{
    const char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : NULL;
    size_t all = strlen(url), n = path ? (size_t)(path - url) : all;
    if (t->n_host > 0 && strcmp(url, t->address) == 0)
        return true;
    bool plain = all < sizeof t->address && !strpbrk(url + n, "?#");
    bool same = plain && t->n_host > 0 && n == t->n_host && memcmp(url, t->address, n) == 0;
    t->n_host = 0;
    if (same ? curl_url_set(t->parts, CURLUPART_PATH, url + n, 0)
             : curl_url_set(t->parts, CURLUPART_URL, url, 0))
        return false;
    if (plain) {
        memcpy(t->address, url, all + 1);
        t->n_host = n;
    }
    return true;
}

/* Mostly those of the request before. */
static void set_headers(struct http_transfer *t, const struct request *r)
{
    char text[8192], *end;
    struct buf b = BUF(text);
    for (int i = 0; i < r->n_headers; i++)
        buf_print(&b, "%.*s: %.*s\n", STR_ARG(r->headers[i].name), STR_ARG(r->headers[i].value));
    if (r->n_parts == 0 && r->body.n > 1024 * 1024 - 1)
        buf_put(&b, STR("Expect:\n"));
    if (b.cut)
        t->refused = "the request has a URL or header that is too long";
    if (b.cut || str_is(buf_str(&b), t->header_text))
        return;
    free((char *)(uintptr_t)t->header_text.p);
    t->header_text = (struct str){alloc_text(buf_str(&b)), b.n};
    curl_slist_free_all(t->headers);
    t->headers = NULL;
    for (size_t n = 0; (end = memchr(text + n, '\n', b.n - n)); n = (size_t)(end - text) + 1) {
        *end = '\0';
        t->headers = curl_slist_append(t->headers, text + n);
    }
    curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->headers);
}

static void set_parts(struct http_transfer *t, const struct request *r)
{
    char text[1024];
    t->mime = curl_mime_init(t->easy);
    for (int i = 0; i < r->n_parts; i++) {
        const struct part *p = &r->parts[i];
        curl_mimepart *m = curl_mime_addpart(t->mime);
        curl_mime_name(m, zero_ended(t, p->name, text, sizeof text));
        if (p->file.n)
            curl_mime_filename(m, zero_ended(t, p->file, text, sizeof text));
        if (p->type.n)
            curl_mime_type(m, zero_ended(t, p->type, text, sizeof text));
        curl_mime_data(m, p->bytes.n ? p->bytes.p : "", p->bytes.n);
    }
    curl_easy_setopt(t->easy, CURLOPT_MIMEPOST, t->mime);
}

static void set_body(struct http_transfer *t, const struct request *r)
{
    bool get = strcmp(r->method, "GET") == 0;
    curl_easy_setopt(t->easy, CURLOPT_CUSTOMREQUEST, NULL);
    if (r->n_parts) {
        set_parts(t, r);
    } else if (get) {
        curl_easy_setopt(t->easy, CURLOPT_HTTPGET, 1L);
    } else {
        curl_easy_setopt(t->easy, CURLOPT_POSTFIELDSIZE, (long)r->body.n);
        curl_easy_setopt(t->easy, CURLOPT_COPYPOSTFIELDS, r->body.n ? r->body.p : "");
    }
    if (!get && strcmp(r->method, "POST") != 0)
        curl_easy_setopt(t->easy, CURLOPT_CUSTOMREQUEST, r->method);
}

/* Copies what it needs. */
static void transfer_fill(const struct http *h, struct http_transfer *t, const struct request *r,
                          void *tag)
{
    char url[8192];
    t->tag = tag;
    t->n = 0;
    t->n_head = 0;
    t->most = r->answer_bytes > 0 ? (size_t)r->answer_bytes : BODY_MOST;
    t->over = false;
    t->refused = NULL;
    t->detail[0] = '\0';
    t->sent = 0;
    t->inside = false;
    t->once = strcmp(r->method, "POST") == 0;
    if (r->outside != t->outside)
        set_egress(h, t, r->outside);
    /* With a URL as text libcurl would parse and join it in each transfer: it gets the parts. */
    bool parsed = parse_url(t, zero_ended(t, r->url, url, sizeof url));
    curl_easy_setopt(t->easy, CURLOPT_CURLU, parsed ? t->parts : NULL);
    if (!parsed)
        curl_easy_setopt(t->easy, CURLOPT_URL, url);
    curl_easy_setopt(t->easy, CURLOPT_TIMEOUT_MS,
                     (long)(r->timeout_ms > 0 ? r->timeout_ms : USUAL_MS));
    curl_easy_setopt(t->easy, CURLOPT_BUFFERSIZE,
                     (long)(r->timeout_ms > 0 ? READ_ROOM_OF_POLL : READ_ROOM));
    curl_easy_setopt(t->easy, CURLOPT_FOLLOWLOCATION, r->follow ? 1L : 0L);
    set_body(t, r);
    set_headers(t, r);
    if (t->refused) { /* libcurl ends a transfer without a URL at once */
        curl_easy_setopt(t->easy, CURLOPT_CURLU, NULL);
        curl_easy_setopt(t->easy, CURLOPT_URL, "");
    }
}

/* ---- what libcurl waits for ---- */

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *known)
{
    struct http *h = arg;
    uint32_t in = what == CURL_POLL_IN || what == CURL_POLL_INOUT ? EPOLLIN : 0;
    uint32_t out = what == CURL_POLL_OUT || what == CURL_POLL_INOUT ? EPOLLOUT : 0;
    (void)easy, (void)known;
    watch_set(&h->watch, fd, in | out); /* 0: CURL_POLL_REMOVE */
    return 0;
}

static int on_timer(CURLM *multi, long ms, void *arg)
{
    (void)multi;
    ((struct http *)arg)->wake_at = ms < 0 ? INT64_MAX : clock_awake_ms() + ms;
    return 0;
}

bool http_open(struct http **ret, struct err *err)
{
    struct http *h = alloc_zeroed(sizeof *h);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) || !(h->multi = curl_multi_init())) {
        free(h);
        return err_set(err, "HTTP cannot be started");
    }
    h->wake_at = INT64_MAX;
    h->waiting.end = &h->waiting.first;
    h->done.end = &h->done.first;
    /* libcurl would ask the environment for a proxy before each request: it does not change. */
    egress_open(&h->egress);
    if (!watch_open(&h->watch)) {
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

bool http_use(struct http *h, struct str ca_file, struct str proxy, struct err *err)
{
    assert(!h->idle && !h->busy);
    return egress_use(&h->egress, ca_file, proxy, curl_version_info(CURLVERSION_NOW)->cainfo, err);
}

static void transfers_free(struct http *h, struct http_transfer *t, bool busy)
{
    for (struct http_transfer *next; t; t = next) {
        next = t->next;
        if (busy)
            curl_multi_remove_handle(h->multi, t->easy);
        curl_easy_cleanup(t->easy);
        curl_url_cleanup(t->parts);
        curl_slist_free_all(t->headers);
        free((char *)(uintptr_t)t->header_text.p);
        curl_mime_free(t->mime);
        free(t->body);
        free(t);
    }
}

void http_close(struct http *h)
{
    if (!h)
        return;
    transfers_free(h, h->busy, true);
    transfers_free(h, h->taken, false);
    transfers_free(h, h->idle, false);
    curl_multi_cleanup(h->multi);
    curl_global_cleanup();
    watch_close(&h->watch);
    egress_close(&h->egress);
    free(h);
}

static void line_add(struct http_line *line, struct http_transfer *t)
{
    t->after = NULL;
    t->line = line;
    *line->end = t;
    line->end = &t->after;
}

static void line_remove(struct http_transfer *t)
{
    assert(t->line);
    struct http_transfer **at = &t->line->first;
    while (*at != t)
        at = &(*at)->after;
    *at = t->after;
    if (t->line->end == &t->after)
        t->line->end = at;
    t->line = NULL;
}

static void begin(struct http *h, struct http_transfer *t)
{
    CURLMcode code = curl_multi_add_handle(h->multi, t->easy);
    assert(code == CURLM_OK);
}

static void unlink_busy(struct http *h, struct http_transfer *t)
{
    if (t->before)
        t->before->next = t->next;
    else
        h->busy = t->next;
    if (t->next)
        t->next->before = t->before;
    h->running--;
}

static void collect(struct http *h);

/* Calls libcurl if its timer is due. */
static void on_time(struct http *h)
{
    int running;
    if (h->wake_at > clock_awake_ms())
        return;
    h->wake_at = INT64_MAX;
    curl_multi_socket_action(h->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    collect(h);
}

static struct http_transfer *start(struct http *h, const struct request *r, void *tag)
{
    struct http_transfer *t = h->idle;
    if (t)
        h->idle = t->next;
    else
        t = transfer_make(h);
    transfer_fill(h, t, r, tag);
    t->before = NULL;
    t->next = h->busy;
    if (h->busy)
        h->busy->before = t;
    h->busy = t;
    h->running++;
    if (h->running > h->connections && h->connections < CONNECTIONS) {
        h->connections = h->running * 2 < CONNECTIONS ? h->running * 2 + 8 : CONNECTIONS;
        curl_multi_setopt(h->multi, CURLMOPT_MAXCONNECTS, (long)h->connections);
    }
    return t;
}

void http_start(struct http *h, const struct request *r, void *tag)
{
    line_add(&h->waiting, start(h, r, tag));
}

void http_start_first(struct http *h, const struct request *r, void *tag)
{
    h->first = start(h, r, tag);
    h->n_overdue = 0;
    for (const struct http_transfer *t = h->waiting.first; t; t = t->after)
        h->n_overdue++;
    begin(h, h->first);
    on_time(h);
}

/* A certificate that was not trusted leaves no trace in libcurl: a second handshake, which trusts
 * every certificate and ends before the request is sent, has its issuer. */
static void trust_all(struct http_transfer *t, bool all)
{
    curl_easy_setopt(t->easy, CURLOPT_SSL_VERIFYPEER, all ? 0L : 1L);
    curl_easy_setopt(t->easy, CURLOPT_SSL_VERIFYHOST, all ? 0L : 2L);
    curl_easy_setopt(t->easy, CURLOPT_CERTINFO, all ? 1L : 0L);
    if (all)
        curl_easy_setopt(t->easy, CURLOPT_TIMEOUT_MS, (long)CONNECT_MS);
    t->issuing = all;
}

/* Frees what it held of the request but its headers, and a large answer. */
static void release(struct http *h, struct http_transfer *t)
{
    if (t->mime) {
        curl_easy_setopt(t->easy, CURLOPT_MIMEPOST, NULL);
        curl_mime_free(t->mime);
        t->mime = NULL;
    }
    if (t->issuing)
        trust_all(t, false);
    if (t->cap > BODY_KEEP) {
        free(t->body);
        t->body = NULL;
        t->cap = 0;
    }
    t->next = h->idle;
    h->idle = t;
}

/* True if the server may have acted on the request although no complete answer came. */
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

static struct reply reply_of(struct http *h, struct http_transfer *t, CURLcode code)
{
    long status = 0, sent = 0;
    curl_off_t after = 0;
    struct curl_header *date = NULL;
    struct reply r = {.retry_after_ms = -1};
    if (code == CURLE_OK && !t->issuing) {
        curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
        curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &after);
        r.status = (int)status;
        r.body = (struct str){t->body, t->n};
        if (after > 0)
            r.retry_after_ms = (after < RETRY_AFTER_S ? after : RETRY_AFTER_S) * 1000;
        if (curl_easy_header(t->easy, "Date", 0, CURLH_HEADER, -1, &date) != CURLHE_OK ||
            strlen(date->value) >= sizeof h->date)
            return r;
        if (strcmp(date->value, h->date) != 0) {
            memcpy(h->date, date->value, strlen(date->value) + 1);
            h->date_seconds = (int64_t)curl_getdate(date->value, NULL);
        }
        r.date = h->date_seconds > 0 ? h->date_seconds * 1000 : 0;
        return r;
    }
    curl_easy_getinfo(t->easy, CURLINFO_REQUEST_SIZE, &sent);
    r.cut = sent > 0 && !t->issuing && may_have_arrived(code);
    r.too_large = t->over;
    if (t->issuing)
        http_explain_issuer(t);
    else
        http_explain(t, &h->egress, code);
    r.why = str_of(t->why);
    return r;
}

/* Takes the transfers that have ended out of libcurl's hands. */
static void collect(struct http *h)
{
    struct http_transfer *t = NULL;
    int left;
    for (CURLMsg *m; (m = curl_multi_info_read(h->multi, &left));) {
        if (m->msg != CURLMSG_DONE)
            continue;
        CURLcode code = m->data.result;
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&t);
        curl_multi_remove_handle(h->multi, t->easy);
        if (code == CURLE_PEER_FAILED_VERIFICATION && !t->issuing) {
            http_explain(t, &h->egress, code);
            trust_all(t, true);
            begin(h, t);
            continue;
        }
        t->code = code;
        line_add(&h->done, t);
    }
}

bool http_take(struct http *h, struct http_done *ret)
{
    struct http_transfer *t = h->done.first;
    if (h->taken) {
        release(h, h->taken);
        h->taken = NULL;
    }
    if (!t)
        return false;
    line_remove(t);
    if (t == h->first)
        h->first = NULL;
    *ret = (struct http_done){t->tag, reply_of(h, t, t->code)};
    unlink_busy(h, t);
    t->next = NULL;
    h->taken = t;
    return true;
}

void http_cancel(struct http *h, const void *tag)
{
    for (struct http_transfer *t = h->busy; t; t = t->next)
        if (t->tag == tag) {
            if (t == h->first)
                h->first = NULL;
            if (t->line)
                line_remove(t);
            else
                curl_multi_remove_handle(h->multi, t->easy);
            unlink_busy(h, t);
            release(h, t);
            return;
        }
}

int http_running(const struct http *h)
{
    return h->running;
}

/* ---- the one place where the daemon sleeps ---- */

/* Begins some of the transfers that wait. */
static void begin_some(struct http *h)
{
    for (int i = 0; i < BEGIN_AT_ONCE && h->waiting.first; i++) {
        struct http_transfer *t = h->waiting.first;
        line_remove(t);
        h->n_overdue -= h->n_overdue > 0;
        begin(h, t);
    }
    on_time(h);
}

static bool first_is_done(const struct http *h)
{
    return h->first && h->first->line;
}

/* `all`, or no more once the first has ended. */
static void on_ready(struct http *h, bool all)
{
    struct epoll_event events[EVENTS];
    int running, n = epoll_wait(h->watch.epoll, events, EVENTS, 0);
    for (int i = 0; i < n && (all || !first_is_done(h)); i++) {
        uint32_t e = events[i].events;
        int what = (e & EPOLLIN ? CURL_CSELECT_IN : 0) | (e & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                   (e & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
        if (watch_wanted(&h->watch, events[i].data.fd))
            curl_multi_socket_action(h->multi, events[i].data.fd, what, &running);
        if (h->first || i == n - 1)
            collect(h);
    }
}

void http_set_may(struct http *h, bool (*may)(void *arg), void *arg)
{
    h->may = may;
    h->may_arg = arg;
}

/* Sleeps until a socket or one of `all` (n, behind the first) is ready. */
static int sleep_for(struct http *h, struct pollfd *all, int n, int ms)
{
    all[0] = (struct pollfd){.fd = h->watch.epoll, .events = POLLIN};
    if (h->done.first || h->waiting.first)
        ms = 0;
    int64_t left = h->wake_at == INT64_MAX ? ms : h->wake_at - clock_awake_ms();
    return poll(all, (nfds_t)n + 1, left >= ms ? ms : left > 0 ? (int)left : 0);
}

void http_wait(struct http *h, struct pollfd *fds, int n, int ms)
{
    struct pollfd all[FDS + 1];
    assert(n <= FDS);
    for (int i = 0; i < n; i++)
        all[i + 1] = fds[i];
    do {
        begin_some(h);
        if (h->first)
            on_ready(h, false);
    } while (h->waiting.first && (h->n_overdue > 0 || !first_is_done(h)));
    int ready = sleep_for(h, all, n, ms);
    for (int i = 0; i < n; i++)
        fds[i].revents = ready > 0 ? all[i + 1].revents : 0;
    if (h->may && !h->may(h->may_arg))
        return;
    if (ready > 0 && all[0].revents)
        on_ready(h, false);
    on_time(h);
}

void http_meanwhile(void *arg, struct pollfd *fd, int ms)
{
    struct http *h = arg;
    const int64_t until = clock_mono(&clock_of_machine) + ms;
    do {
        begin_some(h);
        on_ready(h, true);
    } while (poll(fd, 1, h->waiting.first ? 0 : TOGETHER_MS) == 0 &&
             clock_mono(&clock_of_machine) < until);
}
