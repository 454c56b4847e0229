/* See http_slot.h. */
#include "http_slot.h"
#include "clock.h"

#include "alloc.h"

#include <assert.h>
#include <unistd.h>

enum {
    BODY_MOST = 4 * 1024 * 1024, /* of an answer, unless the request allows another size */
    HEAD_MOST = 64 * 1024,       /* of all headers of one transfer, with those of redirects */
    DRIP_MS = 10 * 1000,         /* from the first byte of a body on, it may be slower ... */
    DRIP_BYTES = 1024,           /* ... than this in a second for that long */
    BODY_KEEP =
        8 * 1024, /* a larger buffer is freed: each slot carries a batch of updates at some time */
    USUAL_MS = 30 * 1000,
    CONNECT_MS = 10 * 1000
};

/* ---- what libcurl asks for ---- */

/* True if the body comes in drops that would hold the transfer up to its time limit. */
static bool drips(struct http_slot *s, size_t n)
{
    int64_t now = clock_awake_ms();
    if (s->n == 0)
        s->begun = now;
    int64_t ms = now - s->begun;
    return ms > DRIP_MS && (int64_t)n < ms / 1000 * DRIP_BYTES;
}

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
    struct http_slot *s = arg;
    n *= size;
    if (s->n + n > s->most) {
        s->over = true;
        s->refused = "the answer is too large";
        return 0;
    }
    if (drips(s, s->n + n)) {
        s->refused = "the answer comes too slowly";
        return 0;
    }
    if (s->n + n > s->cap) {
        s->cap = (s->n + n) * 2;
        s->body = alloc_grow(s->body, s->cap);
    }
    memcpy(s->body + s->n, p, n);
    s->n += n;
    return n;
}

/* Interim answers (1xx) and redirects count too, so that none of them goes on for ever. */
static size_t on_head(char *p, size_t size, size_t n, void *arg)
{
    struct http_slot *s = arg;
    (void)p;
    n *= size;
    s->n_head += n;
    if (s->n_head <= HEAD_MOST)
        return n;
    s->refused = "the headers of the answer are too large";
    return 0;
}

/* libcurl sends a request again by itself if a reused connection closes without an answer. The
 * server may have acted on it: the outbox has to mark it and try again. */
static int on_send(void *arg, char *to, char *from, int to_port, int from_port)
{
    struct http_slot *s = arg;
    (void)to, (void)from, (void)to_port, (void)from_port;
    return s->sent++ > 0 && s->once ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

static curl_socket_t on_open(void *arg, curlsocktype purpose, struct curl_sockaddr *address)
{
    int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    (void)purpose;
    if (fd < 0)
        return CURL_SOCKET_BAD;
    ready_begins(arg, fd);
    return fd;
}

static int on_close(void *arg, curl_socket_t fd)
{
    ready_ends(arg, fd);
    return close(fd);
}

/* ---- made and freed ---- */

struct http_slot *http_slot_make(struct ready *ready, bool proxied)
{
    struct http_slot *s = alloc_zeroed(sizeof *s);
    s->easy = curl_easy_init();
    s->parts = curl_url();
    assert(s->easy && s->parts);
    curl_easy_setopt(s->easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(s->easy, CURLOPT_WRITEDATA, s);
    curl_easy_setopt(s->easy, CURLOPT_HEADERFUNCTION, on_head);
    curl_easy_setopt(s->easy, CURLOPT_HEADERDATA, s);
    curl_easy_setopt(s->easy, CURLOPT_PRIVATE, s);
    curl_easy_setopt(s->easy, CURLOPT_PREREQFUNCTION, on_send);
    curl_easy_setopt(s->easy, CURLOPT_PREREQDATA, s);
    curl_easy_setopt(s->easy, CURLOPT_OPENSOCKETFUNCTION, on_open);
    curl_easy_setopt(s->easy, CURLOPT_OPENSOCKETDATA, ready);
    curl_easy_setopt(s->easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    curl_easy_setopt(s->easy, CURLOPT_CLOSESOCKETDATA, ready);
    curl_easy_setopt(s->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(s->easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(s->easy, CURLOPT_MAXREDIRS, 5L);
    curl_easy_setopt(s->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(s->easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(s->easy, CURLOPT_PATH_AS_IS, 1L);
    if (!proxied) {
        curl_easy_setopt(s->easy, CURLOPT_PROXY, "");
        curl_easy_setopt(s->easy, CURLOPT_NOPROXY, "");
    }
    curl_easy_setopt(s->easy, CURLOPT_USERAGENT, "koikoi/" KOIKOI_VERSION);
    return s;
}

void http_slot_free(struct http_slot *s)
{
    curl_easy_cleanup(s->easy);
    curl_url_cleanup(s->parts);
    curl_slist_free_all(s->headers);
    curl_mime_free(s->mime);
    free(s->body);
    free(s);
}

/* ---- the request ---- */

/* libcurl takes C strings, which live on the stack during the call. A string that does not fit
 * refuses the request: ids from outside are part of URLs. */
static const char *zero_ended(struct http_slot *s, struct str text, char *array, size_t cap)
{
    if (text.n >= cap) {
        s->refused = "the request has a URL or header that is too long";
        text.n = 0;
    }
    if (text.n > 0)
        memcpy(array, text.p, text.n);
    array[text.n] = '\0';
    return array;
}

/* The offset of the path in a URL; its length if it has no path. */
static size_t path_of(const char *url)
{
    const char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : NULL;
    return path ? (size_t)(path - url) : strlen(url);
}

/* Sets s->parts to the URL's; false if it cannot be parsed. Most have the host of the one before:
 * then only the path is parsed. */
static bool parse_url(struct http_slot *s, const char *url)
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

/* With a URL as text libcurl would parse and join it in each transfer: it gets the parts. */
static void set_url(struct http_slot *s, const struct request *r)
{
    char url[8192];
    curl_easy_setopt(s->easy, CURLOPT_URL, zero_ended(s, r->url, url, sizeof url));
    curl_easy_setopt(s->easy, CURLOPT_CURLU, parse_url(s, url) ? s->parts : NULL);
}

static void set_headers(struct http_slot *s, const struct request *r)
{
    char line[8192];
    for (int i = 0; i < r->n_headers; i++) {
        struct buf b = {line, 0, sizeof line - 1, false};
        buf_print(&b, "%.*s: %.*s", STR_ARG(r->headers[i].name), STR_ARG(r->headers[i].value));
        if (b.cut)
            s->refused = "the request has a URL or header that is too long";
        line[b.n] = '\0';
        s->headers = curl_slist_append(s->headers, line);
    }
    if (r->n_parts == 0 && r->body.n > 1024 * 1024 - 1)
        s->headers = curl_slist_append(s->headers, "Expect:");
    curl_easy_setopt(s->easy, CURLOPT_HTTPHEADER, s->headers);
}

static void set_parts(struct http_slot *s, const struct request *r)
{
    char text[1024];
    s->mime = curl_mime_init(s->easy);
    for (int i = 0; i < r->n_parts; i++) {
        const struct part *p = &r->parts[i];
        curl_mimepart *m = curl_mime_addpart(s->mime);
        curl_mime_name(m, zero_ended(s, p->name, text, sizeof text));
        if (p->file.n)
            curl_mime_filename(m, zero_ended(s, p->file, text, sizeof text));
        if (p->type.n)
            curl_mime_type(m, zero_ended(s, p->type, text, sizeof text));
        curl_mime_data(m, p->bytes.n ? p->bytes.p : "", p->bytes.n);
    }
    curl_easy_setopt(s->easy, CURLOPT_MIMEPOST, s->mime);
}

static void set_body(struct http_slot *s, const struct request *r)
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

void http_slot_fill(struct http_slot *s, const struct request *r, void *tag)
{
    s->tag = tag;
    s->n = 0;
    s->n_head = 0;
    s->most = r->answer_bytes > 0 ? (size_t)r->answer_bytes : BODY_MOST;
    s->over = false;
    s->refused = NULL;
    s->sent = 0;
    s->once = strcmp(r->method, "POST") == 0;
    set_url(s, r);
    curl_easy_setopt(s->easy, CURLOPT_TIMEOUT_MS,
                     (long)(r->timeout_ms > 0 ? r->timeout_ms : USUAL_MS));
    curl_easy_setopt(s->easy, CURLOPT_FOLLOWLOCATION, r->follow ? 1L : 0L);
    set_body(s, r);
    set_headers(s, r);
    if (s->refused) { /* libcurl ends a transfer without a URL at once */
        curl_easy_setopt(s->easy, CURLOPT_CURLU, NULL);
        curl_easy_setopt(s->easy, CURLOPT_URL, "");
    }
}

void http_slot_clear(struct http_slot *s)
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
}
