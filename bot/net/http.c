/* HTTP client over libcurl's multi interface; see http.h. Only this file and http_slot.h include
 * curl.h.
 *
 * A transfer is a slot whose easy handle is used again, so that a busy daemon makes neither handles
 * nor, since libcurl keeps them open, connections. libcurl names the sockets and the timer it waits
 * for; ready.h reports events on those sockets, so that an idle transfer costs nothing. */
#include "http.h"
#include "clock.h"

#include <assert.h>
#include <errno.h>

#include "alloc.h"
#include "http_slot.h"

enum {
    CONNECTIONS = 1024, /* kept open at most */
    FDS = 65,
    RETRY_AFTER_S = 24 * 3600, /* a longer wait that a server asks for counts as this */
    EVENTS = 256               /* taken at once */
};

struct http {
    CURLM *multi;
    struct ready *ready; /* the sockets of transfers */
    int64_t wake_at;     /* when libcurl wants to be called, by clock_awake_ms() */
    struct http_slot *idle, *busy, *taken;
    int running;
    int connections; /* how many libcurl keeps now */
    bool proxied;    /* the environment names a proxy, for some requests at least */
    /* the last Date header that was parsed, and its value: mostly the next is the same */
    char date[64];
    int64_t date_seconds;
    bool (*may)(void *arg); /* NULL: transfers always go on */
    void *may_arg;
};

/* ---- what libcurl waits for ---- */

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

static int on_timer(CURLM *multi, long ms, void *arg)
{
    (void)multi;
    ((struct http *)arg)->wake_at = ms < 0 ? INT64_MAX : clock_awake_ms() + ms;
    return 0;
}

/* libcurl would ask the environment for a proxy before each request, under five names: it does not
 * change, so it is asked once. */
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
    struct http *h = alloc_zeroed(sizeof *h);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) || !(h->multi = curl_multi_init())) {
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

static void slots_free(struct http *h, struct http_slot *s, bool busy)
{
    for (struct http_slot *next; s; s = next) {
        next = s->next;
        if (busy)
            curl_multi_remove_handle(h->multi, s->easy);
        http_slot_free(s);
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

static void link_busy(struct http *h, struct http_slot *s)
{
    s->before = NULL;
    s->next = h->busy;
    if (h->busy)
        h->busy->before = s;
    h->busy = s;
    h->running++;
}

static void unlink_busy(struct http *h, struct http_slot *s)
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
    struct http_slot *s = h->idle;
    if (s)
        h->idle = s->next;
    else
        s = http_slot_make(h->ready, h->proxied);
    http_slot_fill(s, r, tag);
    link_busy(h, s);
    if (h->running > h->connections && h->connections < CONNECTIONS) {
        h->connections = h->running * 2 < CONNECTIONS ? h->running * 2 + 8 : CONNECTIONS;
        curl_multi_setopt(h->multi, CURLMOPT_MAXCONNECTS, (long)h->connections);
    }
    CURLMcode code = curl_multi_add_handle(h->multi, s->easy);
    assert(code == CURLM_OK);
}

static void release_slot(struct http *h, struct http_slot *s)
{
    http_slot_clear(s);
    s->next = h->idle;
    h->idle = s;
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

static struct reply reply_of(struct http *h, const struct http_slot *s, CURLcode code)
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
            r.retry_after_ms = (after < RETRY_AFTER_S ? after : RETRY_AFTER_S) * 1000;
        if (curl_easy_header(s->easy, "Date", 0, CURLH_HEADER, -1, &date) == CURLHE_OK)
            r.date = date_of(h, date->value);
        return r;
    }
    curl_easy_getinfo(s->easy, CURLINFO_REQUEST_SIZE, &sent);
    r.cut = sent > 0 && may_have_arrived(code);
    r.too_large = s->over;
    return r;
}

bool http_take(struct http *h, struct http_done *ret)
{
    CURLMsg *m;
    int left;
    if (h->taken) {
        release_slot(h, h->taken);
        h->taken = NULL;
    }
    do {
        if (!(m = curl_multi_info_read(h->multi, &left)))
            return false;
    } while (m->msg != CURLMSG_DONE);
    CURLcode code = m->data.result;
    struct http_slot *s = NULL;
    curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&s);
    *ret = (struct http_done){s->tag, reply_of(h, s, code),
                              s->refused ? s->refused : curl_easy_strerror(code)};
    curl_multi_remove_handle(h->multi, s->easy);
    unlink_busy(h, s);
    s->next = NULL;
    h->taken = s;
    return true;
}

void http_cancel(struct http *h, const void *tag)
{
    for (struct http_slot *s = h->busy; s; s = s->next)
        if (s->tag == tag) {
            curl_multi_remove_handle(h->multi, s->easy);
            unlink_busy(h, s);
            release_slot(h, s);
            return;
        }
}

int http_running(const struct http *h)
{
    return h->running;
}

/* ---- the one place where the daemon sleeps ---- */

/* Calls libcurl if its timer is due. Returns true if a transfer has ended. */
static bool on_time(struct http *h)
{
    int running = h->running;
    if (h->wake_at <= clock_awake_ms()) {
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

void http_set_may(struct http *h, bool (*may)(void *arg), void *arg)
{
    h->may = may;
    h->may_arg = arg;
}

void http_wait(struct http *h, struct pollfd *fds, int n, int ms)
{
    struct pollfd all[FDS + 1] = {{.fd = ready_fd(h->ready), .events = POLLIN}};
    assert(n <= FDS);
    for (int i = 0; i < n; i++)
        all[i + 1] = fds[i];
    if (on_time(h))
        ms = 0; /* a transfer has ended: do not sleep */
    int64_t left = h->wake_at == INT64_MAX ? ms : h->wake_at - clock_awake_ms();
    int ready = poll(all, (nfds_t)n + 1, left >= ms ? ms : left > 0 ? (int)left : 0);
    for (int i = 0; i < n; i++)
        fds[i].revents = ready > 0 ? all[i + 1].revents : 0;
    if (h->may && !h->may(h->may_arg))
        return;
    if (ready > 0 && all[0].revents)
        on_ready(h);
    on_time(h);
}
