/* See home.h. Table of endpoints: a request is looked up, then answered or made to fail. */
#include "home_internal.h"

#include <assert.h>
#include <signal.h>

enum { LIMIT_MS = 2000, LOOK_NS = 20 * 1000 * 1000 };

static const char API[] = "/_matrix/client/v3/";

/* In `path` "*" matches one part. Paths without a leading slash are below API. */
static const struct {
    const char *method, *path;
    endpoint *call;
    bool open; /* needs no token */
} endpoints[] = {
    {"GET", "/_matrix/client/v1/auth_metadata", do_metadata, true},
    {"POST", "/oauth2/register", do_register, true},
    {"POST", "/oauth2/device", do_device, true},
    {"POST", "/oauth2/token", do_token, true},
    {"GET", "/_matrix/client/versions", do_versions, true},
    {"GET", "login", do_flows, true},
    {"POST", "login", do_login, true},
    {"POST", "refresh", do_refresh, true},
    {"GET", "account/whoami", do_whoami, false},
    {"POST", "logout", do_logout, false},
    {"GET", "user/*/account_data/*", do_account_data, false},
    {"PUT", "user/*/account_data/*", do_set_account_data, false},
    {"GET", "sync", do_sync, false},
    {"POST", "createRoom", do_create, false},
    {"POST", "join/*", do_join, false},
    {"POST", "rooms/*/invite", do_invite, false},
    {"PUT", "rooms/*/typing/*", do_typing, false},
    {"POST", "rooms/*/leave", do_leave, false},
    {"POST", "rooms/*/kick", do_kick, false},
    {"POST", "rooms/*/forget", do_forget, false},
    {"PUT", "rooms/*/send/*/*", do_send, false},
    {"PUT", "rooms/*/redact/*/*", do_redact, false},
    {"GET", "rooms/*/state/*/*", do_state, false},
    {"GET", "rooms/*/members", do_members, false},
    {"GET", "rooms/*/messages", do_messages, false},
    {"POST", "/_matrix/media/v1/create", do_reserve, false},
    {"POST", "/_matrix/media/v3/upload", do_upload, false},
    {"PUT", "/_matrix/media/v3/upload/*/*", do_upload, false},
    {"GET", "profile/*", do_profile, false},
    {"PUT", "profile/*/*", do_set_profile, false},
};

int64_t home_now(const struct home *h)
{
    struct timespec t;
    if (h->clock)
        return *h->clock;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

const char *home_keep(struct home *h, const char *text)
{
    return arena_str(h->arena, str_of(text)).p;
}

const char *home_print(struct home *h, const char *format, ...)
{
    char text[2048];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return home_keep(h, text);
}

/* `head` and 43 letters that follow from the number `of` alone, so that the names of one person's
 * events do not depend on what others do. */
const char *home_name(struct home *h, const char *head, uint64_t of)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    char text[44] = "";
    uint64_t x = of;
    for (int i = 0; i < 43; i++) {
        x = (x + of) * 6364136223846793005u + 1442695040888963407u;
        text[i] = letters[x >> 58];
    }
    return home_print(h, "%s%s", head, text);
}

const char *home_secret(struct home *h, const char *head)
{
    return home_name(h, head, ++h->serial);
}

void home_problem(struct home *h, const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    buf_print(&h->problems, "%s\n", text);
}

void call_refuse(struct mx_call *c, int status, const char *code, const char *why)
{
    cJSON_Delete(c->answer);
    c->status = status;
    c->answer = js_make("{'errcode':%s,'error':%s}", code, why);
}

const char *call_decode(struct home *h, const char *text, size_t n)
{
    char *out = arena_alloc(h->arena, n + 1), hex[3] = "";
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '%' && i + 2 < n) {
            memcpy(hex, text + i + 1, 2);
            out[k++] = (char)strtol(hex, NULL, 16);
            i += 2;
        } else {
            out[k++] = text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

const char *call_field(struct mx_call *c, const char *form, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = form; *p; p += strcspn(p, "&"), p += *p == '&')
        if (strncmp(p, name, n) == 0 && p[n] == '=')
            return call_decode(c->h, p + n + 1, strcspn(p + n + 1, "&"));
    return NULL;
}

/* ---- which endpoint ---- */

/* Matches a path against a pattern. The call gets the decoded parts that "*" matched. */
static bool path_matches(struct mx_call *c, const char *pattern, const char *path)
{
    int parts = 0;
    while (*pattern) {
        if (*pattern != '*') {
            if (*pattern++ != *path++)
                return false;
            continue;
        }
        size_t n = strcspn(path, "/");
        c->part[parts++] = call_decode(c->h, path, n);
        path += n;
        pattern++;
    }
    return *path == '\0';
}

static void dispatch(struct mx_call *c)
{
    const char *path = c->asked->path;
    for (size_t i = 0; i < sizeof endpoints / sizeof *endpoints; i++) {
        const char *pattern = endpoints[i].path;
        const char *rest = pattern[0] == '/'                         ? path
                           : strncmp(path, API, sizeof API - 1) == 0 ? path + sizeof API - 1
                                                                     : "";
        if (strcmp(endpoints[i].method, c->asked->method) != 0 || !path_matches(c, pattern, rest))
            continue;
        if (endpoints[i].open || login_check(c))
            endpoints[i].call(c);
        return;
    }
    home_problem(c->h, "no such endpoint: %s %s", c->asked->method, path);
    call_refuse(c, 404, "M_UNRECOGNIZED", "Unrecognized request");
}

/* ---- transient errors ---- */

static struct fault *next_fault(struct home *h, const char *path)
{
    struct fault *now = NULL;
    for (int i = 0; i < h->n_faults; i++) {
        struct fault *f = &h->fault[i];
        if (f->times == 0 || !strstr(path, f->part))
            continue;
        if (f->in > 0)
            f->in--;
        if (f->in == 0 && !now) {
            f->times--;
            now = f;
        }
    }
    return now;
}

static void refuse_limited(struct mx_call *c, bool by_header)
{
    int64_t now = home_now(c->h);
    call_refuse(c, 429, "M_LIMIT_EXCEEDED", "Too Many Requests");
    if (by_header)
        snprintf(c->header, sizeof c->header, "Retry-After: 2\r\n");
    else
        cJSON_AddNumberToObject(c->answer, "retry_after_ms", LIMIT_MS);
    c->h->count.limited++;
    if (strstr(c->asked->path, "/send/") || strstr(c->asked->path, "/redact/"))
        for (int i = 0; i < c->h->n_users; i++) {
            c->h->user[i].events.refused_at = now;
            c->h->user[i].events.until = now + LIMIT_MS;
        }
}

static void send_answer(struct mx_call *c, const struct fault *fault_now)
{
    struct serve *serve = c->h->serve;
    uint64_t from = c->asked->from;
    enum home_fault kind = fault_now ? fault_now->kind : HOME_LIMITS_BODY;
    char *text = cJSON_PrintUnformatted(c->answer);
    if (kind <= HOME_LIMITS_HEADER || kind == HOME_HALVES)
        serve_reply(serve, from, c->status, c->header, text,
                    kind == HOME_HALVES ? SERVE_HALF : SERVE_WHOLE);
    else if (kind == HOME_BABBLES)
        serve_reply(serve, from, 200, "", "[what is this]", SERVE_WHOLE);
    else if (kind == HOME_FALLS)
        serve_reply(serve, from, 502, "", "<html>Bad Gateway</html>", SERVE_WHOLE);
    else
        serve_end(serve, from);
    cJSON_free(text);
}

static void begin(struct mx_call *c)
{
    const struct serve_request *asked = c->asked;
    char type[64];
    c->h->count.requests += !c->again;
    if (call_field(c, asked->query, "access_token"))
        home_problem(c->h, "a token in the query of %s", asked->path);
    (void)serve_header(asked, "Content-Type", type, sizeof type);
    if (strcmp(type, "application/json") == 0) {
        c->body = cJSON_Parse(asked->body);
        if (!cJSON_IsObject(c->body))
            home_problem(c->h, "%s %s: the body is no JSON object", asked->method, asked->path);
    }
    if (!c->body)
        c->body = cJSON_CreateObject();
}

/* Carries a request out, and answers it unless the answer may wait. Returns true if it waits. */
static bool carry_out(struct mx_call *c, const struct fault *fault_now, bool unanswered)
{
    begin(c);
    if (fault_now && fault_now->kind <= HOME_LIMITS_HEADER)
        refuse_limited(c, fault_now->kind == HOME_LIMITS_HEADER);
    else if (!fault_now || fault_now->kind != HOME_FALLS)
        dispatch(c);
    if (!c->answer)
        c->answer = cJSON_CreateObject();
    if (!unanswered && !c->later)
        send_answer(c, fault_now);
    cJSON_Delete(c->answer);
    cJSON_Delete(c->body);
    return c->later;
}

/* Takes a request that waits: what it points to goes with its connection's buffer. */
static void put_off(struct home *h, const struct mx_call *c)
{
    const struct serve_request *r = c->asked;
    assert(h->n_held < MOST_HELD);
    struct held *held = &h->held[h->n_held++];
    *held = (struct held){*r, c->hold_until};
    held->request.method = home_keep(h, r->method);
    held->request.path = home_keep(h, r->path);
    held->request.query = (char *)home_keep(h, r->query);
    held->request.head = home_keep(h, r->head);
    held->request.body = (char *)home_keep(h, r->body);
}

/* Does its work with the lock held. Returns true if a request was answered. */
static bool take_locked(struct home *h, struct serve_request *r)
{
    HOLD(&h->lock);
    struct mx_call c = {.h = h, .asked = r, .status = 200};
    struct fault *fault_now = next_fault(h, r->path);
    bool kill_now = h->kill_in > 0 && strstr(r->path, h->kill_part) && --h->kill_in == 0;
    bool dropped = h->outage_until > home_now(h) || (kill_now && !h->kill_done) ||
                   (fault_now && fault_now->kind == HOME_CUTS);
    if (!dropped && carry_out(&c, fault_now, kill_now))
        put_off(h, &c);
    if (kill_now)
        kill(h->kill_pid, SIGKILL);
    if (dropped || kill_now)
        serve_end(h->serve, r->from);
    return !dropped && !c.later;
}

static void take(void *arg, struct serve_request *r)
{
    struct home *h = arg;
    if (take_locked(h, r) && h->watch)
        h->watch(h->watch_arg);
}

/* The next round looks again at the requests that wait. */
static void look_again(void *arg)
{
    ((struct home *)arg)->looking = false;
}

/* Tries the requests that wait again. Returns true if one of them was answered. */
static bool look_locked(struct home *h)
{
    HOLD(&h->lock);
    int n = h->n_held;
    h->n_held = 0;
    for (int i = 0; i < n; i++) {
        struct held held = h->held[i];
        struct mx_call c = {
            .h = h, .asked = &held.request, .status = 200, .again = true, .hold_until = held.until};
        if (serve_alive(h->serve, held.request.from) && carry_out(&c, NULL, false))
            h->held[h->n_held++] = held;
    }
    if (h->n_held > 0 && !h->looking)
        serve_at(h->serve, serve_now() + LOOK_NS, look_again, h);
    h->looking = h->n_held > 0;
    return h->n_held < n;
}

static void round_over(void *arg)
{
    struct home *h = arg;
    if (look_locked(h) && h->watch)
        h->watch(h->watch_arg);
}

/* ---- for the test ---- */

struct home *home_open(const _Atomic int64_t *now, int port)
{
    struct home *h = calloc(1, sizeof *h);
    assert(h);
    h->arena = arena_open((size_t)4 << 30);
    h->clock = now;
    h->setup.version = "12";
    h->problems = (struct buf){h->problem_text, 0, sizeof h->problem_text - 1, false};
    pthread_mutex_init(&h->lock, NULL);
    HOLD(&h->lock);
    h->serve = serve_open(port, take, round_over, h);
    snprintf(h->root, sizeof h->root, "http://127.0.0.1:%d", serve_port(h->serve));
    return h;
}

void home_close(struct home *h)
{
    serve_close(h->serve);
    for (int i = 0; i < h->n_events; i++)
        cJSON_Delete(h->event[i].content);
    arena_close(h->arena);
    free(h);
}

const char *home_root(const struct home *h)
{
    return h->root;
}

void home_on_answer(struct home *h, void (*watch)(void *), void *arg)
{
    HOLD(&h->lock);
    h->watch_arg = arg;
    h->watch = watch;
}

struct home_setup *home_setup(struct home *h)
{
    return &h->setup;
}

struct home_counts home_counts(struct home *h)
{
    HOLD(&h->lock);
    return h->count;
}

const char *home_problems(struct home *h)
{
    HOLD(&h->lock);
    return home_keep(h, h->problem_text);
}

void home_fails(struct home *h, enum home_fault fault, const char *part, int n, int times)
{
    HOLD(&h->lock);
    assert(h->n_faults < MOST_FAULTS);
    h->fault[h->n_faults++] = (struct fault){fault, home_keep(h, part), n, times};
}

bool home_failed(struct home *h)
{
    bool all = true;
    HOLD(&h->lock);
    for (int i = 0; i < h->n_faults; i++)
        all &= h->fault[i].times == 0;
    return all;
}

void home_kills(struct home *h, const char *part, int n, int pid, bool done)
{
    HOLD(&h->lock);
    h->kill_part = home_keep(h, part);
    h->kill_in = n;
    h->kill_pid = pid;
    h->kill_done = done;
}

void home_outage(struct home *h, int64_t until)
{
    HOLD(&h->lock);
    h->outage_until = until;
    serve_hang_up(h->serve);
}
