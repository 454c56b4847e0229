/* See home.h. Table of endpoints: a request is looked up, then answered or made to fail. */
#include "home_internal.h"

#include <assert.h>
#include <signal.h>
#include <stdarg.h>

enum { LIMIT_MS = 2000 };

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
    {"POST", "rooms/*/leave", do_leave, false},
    {"POST", "rooms/*/kick", do_kick, false},
    {"POST", "rooms/*/forget", do_forget, false},
    {"PUT", "rooms/*/send/*/*", do_send, false},
    {"PUT", "rooms/*/redact/*/*", do_redact, false},
    {"GET", "rooms/*/state/*/*", do_state, false},
    {"GET", "rooms/*/messages", do_messages, false},
    {"POST", "/_matrix/media/v3/upload", do_upload, false},
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

const char *home_text(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsString(v) ? v->valuestring : "";
}

void call_refuse(struct mx_call *c, int status, const char *code, const char *why)
{
    cJSON_Delete(c->answer);
    c->status = status;
    c->answer = cJSON_CreateObject();
    cJSON_AddStringToObject(c->answer, "errcode", code);
    cJSON_AddStringToObject(c->answer, "error", why);
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

const char *call_query(struct mx_call *c, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = c->asked->query; *p; p += strcspn(p, "&"), p += *p == '&')
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

static void count_refusal(struct mx_bucket *b, int64_t now)
{
    b->refused_at = now;
    b->until = now + LIMIT_MS;
}

static void refuse_limited(struct mx_call *c, bool by_header)
{
    call_refuse(c, 429, "M_LIMIT_EXCEEDED", "Too Many Requests");
    if (by_header)
        snprintf(c->header, sizeof c->header, "Retry-After: 2");
    else
        cJSON_AddNumberToObject(c->answer, "retry_after_ms", LIMIT_MS);
    c->h->count.limited++;
    if (strstr(c->asked->path, "/send/") || strstr(c->asked->path, "/redact/"))
        for (int i = 0; i < c->h->n_users; i++)
            count_refusal(&c->h->user[i].events, home_now(c->h));
}

static enum served send_answer(struct mx_call *c, const struct fault *fault_now)
{
    int fd = c->asked->fd;
    char *text = cJSON_PrintUnformatted(c->answer);
    enum served served = SERVED;
    if (!fault_now || fault_now->kind <= HOME_LIMITS_HEADER) {
        serve_send(fd, c->status, c->header[0] ? c->header : NULL, text, false);
    } else if (fault_now->kind == HOME_HALVES) {
        serve_send(fd, c->status, NULL, text, true);
        served = SERVED_OVER;
    } else if (fault_now->kind == HOME_BABBLES) {
        serve_send(fd, 200, NULL, "[what is this]", false);
    } else if (fault_now->kind == HOME_FALLS) {
        serve_send(fd, 502, NULL, "<html>Bad Gateway</html>", false);
    } else {
        served = SERVED_OVER;
    }
    cJSON_free(text);
    return served;
}

/* True if this request is to kill the process that sent it. */
static bool kills_sender(struct home *h, const char *path)
{
    return h->kill_in > 0 && strstr(path, h->kill_part) && --h->kill_in == 0;
}

static void begin(struct mx_call *c)
{
    struct home *h = c->h;
    const struct asked *asked = c->asked;
    char type[64] = "";
    h->count.requests++;
    if (call_query(c, "access_token"))
        home_problem(h, "a token in the query of %s", asked->path);
    (void)serve_header(asked, "Content-Type", type, sizeof type);
    if (strcmp(type, "application/json") == 0) {
        cJSON *body = cJSON_Parse(asked->body);
        if (!cJSON_IsObject(body))
            home_problem(h, "%s %s: the body is no JSON object", asked->method, asked->path);
        c->body = body ? body : cJSON_CreateObject();
    } else {
        c->body = cJSON_CreateObject();
    }
}

static enum served take(void *arg, const struct asked *asked)
{
    struct home *h = arg;
    pthread_mutex_lock(&h->lock);
    struct mx_call c = {.h = h, .asked = asked, .status = 200};
    enum served served = SERVED_OVER;
    struct fault *fault_now = asked->again ? NULL : next_fault(h, asked->path);
    bool kill_now = !asked->again && kills_sender(h, asked->path);
    if (h->outage_until > home_now(h) || (kill_now && !h->kill_done) ||
        (fault_now && fault_now->kind == HOME_CUTS)) {
        if (kill_now)
            kill(h->kill_pid, SIGKILL);
        pthread_mutex_unlock(&h->lock);
        return SERVED_OVER;
    }
    begin(&c);
    if (asked->again)
        h->count.requests--;
    if (fault_now && fault_now->kind <= HOME_LIMITS_HEADER)
        refuse_limited(&c, fault_now->kind == HOME_LIMITS_HEADER);
    else if (!fault_now || fault_now->kind != HOME_FALLS)
        dispatch(&c);
    if (!c.answer)
        c.answer = cJSON_CreateObject();
    if (kill_now)
        kill(h->kill_pid, SIGKILL);
    else
        served = c.later ? SERVED_LATER : send_answer(&c, fault_now);
    cJSON_Delete(c.answer);
    cJSON_Delete((cJSON *)c.body);
    pthread_mutex_unlock(&h->lock);
    if (h->watch && !c.later)
        h->watch(h->watch_arg);
    return served;
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
    pthread_mutex_lock(&h->lock);
    h->serve = serve_open(port, take, h);
    snprintf(h->root, sizeof h->root, "http://127.0.0.1:%d", serve_port(h->serve));
    pthread_mutex_unlock(&h->lock);
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
    pthread_mutex_lock(&h->lock);
    h->watch_arg = arg;
    h->watch = watch;
    pthread_mutex_unlock(&h->lock);
}

struct home_setup *home_setup(struct home *h)
{
    return &h->setup;
}

struct home_counts home_counts(struct home *h)
{
    pthread_mutex_lock(&h->lock);
    struct home_counts count = h->count;
    pthread_mutex_unlock(&h->lock);
    return count;
}

const char *home_problems(struct home *h)
{
    pthread_mutex_lock(&h->lock);
    const char *text = home_keep(h, h->problem_text);
    pthread_mutex_unlock(&h->lock);
    return text;
}

void home_fails(struct home *h, enum home_fault fault, const char *part, int n, int times)
{
    pthread_mutex_lock(&h->lock);
    assert(h->n_faults < MOST_FAULTS);
    h->fault[h->n_faults++] = (struct fault){fault, home_keep(h, part), n, times};
    pthread_mutex_unlock(&h->lock);
}

bool home_failed(struct home *h)
{
    bool all = true;
    pthread_mutex_lock(&h->lock);
    for (int i = 0; i < h->n_faults; i++)
        all &= h->fault[i].times == 0;
    pthread_mutex_unlock(&h->lock);
    return all;
}

void home_kills(struct home *h, const char *part, int n, int pid, bool done)
{
    pthread_mutex_lock(&h->lock);
    h->kill_part = home_keep(h, part);
    h->kill_in = n;
    h->kill_pid = pid;
    h->kill_done = done;
    pthread_mutex_unlock(&h->lock);
}

void home_outage(struct home *h, int64_t until)
{
    pthread_mutex_lock(&h->lock);
    h->outage_until = until;
    pthread_mutex_unlock(&h->lock);
    serve_hang_up(h->serve);
}
