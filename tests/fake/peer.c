/* See peer.h. */
#include "peer.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "serve.h"

enum { MOST = 40000, RULES = 32 };

struct said {
    char *method, *body;
    int64_t at, post;
    bool done;
};
struct queued {
    int64_t id;
    char *json;
};

struct peer {
    pthread_mutex_t lock;
    struct serve *serve;
    char root[64];
    const _Atomic int64_t *now;
    int n_rules, n_said, n_queued, polls, at_once;
    struct peer_rule rule[RULES];
    bool used_up[RULES];
    struct said said[MOST];
    struct queued queued[MOST];
    int64_t next_update, next_post, confirmed;
    int kill_in, kill_pid; /* 0: no kill */
    bool kill_after;
    int fail_in; /* 0: no failure */
    struct peer_rule failure;
};

/* ---- answers ---- */

static char *updates_from(struct peer *p, int64_t offset)
{
    size_t n = 64;
    int first = 0, last;
    while (first < p->n_queued && p->queued[first].id < offset)
        first++;
    last = p->n_queued - first > p->at_once ? first + p->at_once : p->n_queued;
    for (int i = first; i < last; i++)
        n += strlen(p->queued[i].json) + 1;
    char *body = malloc(n);
    struct buf b = {body, 0, n - 1, false};
    buf_put(&b, STR("{\"ok\":true,\"result\":["));
    for (int i = first; i < last; i++)
        buf_print(&b, "%s%s", i > first ? "," : "", p->queued[i].json);
    buf_put(&b, STR("]}"));
    body[b.n] = '\0';
    return body;
}

static int64_t number_in(const char *json, const char *key)
{
    cJSON *o = cJSON_Parse(json);
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    int64_t n = cJSON_IsNumber(v) ? (int64_t)v->valuedouble : 0;
    if (cJSON_IsString(v) && !str_int(str_of(v->valuestring), &n))
        n = 0;
    cJSON_Delete(o);
    return n;
}

static char *usual_answer(struct peer *p, const char *method, const char *body)
{
    char text[128];
    if (strcmp(method, "getUpdates") == 0) {
        int64_t offset = number_in(body, "offset");
        if (offset > p->confirmed)
            p->confirmed = offset;
        return updates_from(p, offset);
    }
    if (strcmp(method, "sendMessage") == 0)
        snprintf(text, sizeof text, "{\"ok\":true,\"result\":{\"message_id\":%lld}}",
                 (long long)++p->next_post);
    else if (strcmp(method, "openDirect") == 0)
        snprintf(text, sizeof text, "{\"ok\":true,\"result\":{\"chat_id\":\"d%lld\"}}",
                 (long long)++p->next_post);
    else if (strcmp(method, "editMessageText") == 0)
        snprintf(text, sizeof text, "{\"ok\":true,\"result\":{\"message_id\":%lld}}",
                 (long long)number_in(body, "message_id"));
    else
        snprintf(text, sizeof text, "{\"ok\":true,\"result\":true}");
    return strdup(text);
}

static struct peer_rule *rule_for(struct peer *p, const char *method, const char *body)
{
    if (p->fail_in > 0 && --p->fail_in == 0)
        return &p->failure;
    for (int i = 0; i < p->n_rules; i++) {
        struct peer_rule *r = &p->rule[i];
        if (p->used_up[i] || strcmp(r->method, method) != 0 ||
            (r->contains && !strstr(body, r->contains)))
            continue;
        if (r->times > 0 && --r->times == 0)
            p->used_up[i] = true;
        return r;
    }
    return NULL;
}

/* Returns false if the connection is to be closed. */
static bool answer(struct peer *p, int fd, const char *method, const char *body)
{
    struct peer_rule usual = {.method = method}, *r = rule_for(p, method, body);
    bool done = !r || (r->fault == PEER_ANSWERS && r->status == 0) || r->but_done;
    bool poll = strcmp(method, "getUpdates") == 0;
    if (!r)
        r = &usual;
    char *made = done ? usual_answer(p, method, body) : strdup("{\"ok\":false}");
    if (poll) {
        p->polls++;
    } else {
        assert(p->n_said < MOST);
        p->said[p->n_said++] =
            (struct said){strdup(method), strdup(body), *p->now, done ? p->next_post : 0, done};
    }
    const char *text = r->body ? r->body : made;
    if (r->fault == PEER_ANSWERS)
        serve_send(fd, r->status ? r->status : 200, r->header, text, false);
    else if (r->fault == PEER_CUTS)
        serve_send(fd, 200, NULL, text, true);
    else if (r->fault == PEER_BABBLES)
        serve_bytes(fd, "\x01\x02 what is this?\r\n\r\n", 20);
    free(made);
    for (int i = 0; i < 2 && r->signal[i]; i++)
        kill(r->pid, r->signal[i]);
    return r->fault == PEER_ANSWERS || r->fault == PEER_IS_SILENT;
}

static enum served take(void *arg, const struct asked *asked)
{
    struct peer *p = arg;
    const char *name = strrchr(asked->path, '/');
    pthread_mutex_lock(&p->lock);
    bool kill_now = p->kill_in > 0 && --p->kill_in == 0, more = false;
    if (kill_now && !p->kill_after)
        kill(p->kill_pid, SIGKILL);
    else
        more = answer(p, asked->fd, name ? name + 1 : asked->path, asked->body);
    if (kill_now && p->kill_after)
        kill(p->kill_pid, SIGKILL);
    pthread_mutex_unlock(&p->lock);
    return more ? SERVED : SERVED_OVER;
}

struct peer *peer_open(const _Atomic int64_t *now)
{
    struct peer *p = calloc(1, sizeof *p);
    assert(p);
    p->now = now;
    p->next_update = 1;
    p->next_post = 100;
    p->at_once = 100;
    pthread_mutex_init(&p->lock, NULL);
    p->serve = serve_open(0, take, p);
    snprintf(p->root, sizeof p->root, "http://127.0.0.1:%d/bot", serve_port(p->serve));
    return p;
}

void peer_close(struct peer *p)
{
    serve_close(p->serve);
    for (int i = 0; i < p->n_said; i++) {
        free(p->said[i].method);
        free(p->said[i].body);
    }
    for (int i = 0; i < p->n_queued; i++)
        free(p->queued[i].json);
    free(p);
}

/* ---- for the test ---- */

struct str peer_root(const struct peer *p)
{
    return str_of(p->root);
}

void peer_rule(struct peer *p, struct peer_rule rule)
{
    pthread_mutex_lock(&p->lock);
    assert(p->n_rules < RULES);
    p->rule[p->n_rules++] = rule;
    pthread_mutex_unlock(&p->lock);
}

void peer_kills(struct peer *p, int n, int pid, bool after)
{
    pthread_mutex_lock(&p->lock);
    p->kill_in = n;
    p->kill_pid = pid;
    p->kill_after = after;
    pthread_mutex_unlock(&p->lock);
}

void peer_fails(struct peer *p, int n, enum peer_fault fault, int status, bool but_done)
{
    pthread_mutex_lock(&p->lock);
    p->fail_in = n;
    p->failure = (struct peer_rule){.fault = fault, .status = status, .but_done = but_done};
    pthread_mutex_unlock(&p->lock);
}

bool peer_failed(struct peer *p)
{
    pthread_mutex_lock(&p->lock);
    bool done = p->fail_in == 0;
    p->fail_in = 0;
    pthread_mutex_unlock(&p->lock);
    return done;
}

void peer_hands_out(struct peer *p, int n)
{
    pthread_mutex_lock(&p->lock);
    p->at_once = n;
    pthread_mutex_unlock(&p->lock);
}

static int64_t queue(struct peer *p, const char *chat, const char *from, const char *text,
                     bool press)
{
    char json[1024], who[256], where[256];
    snprintf(who, sizeof who, "\"from\":{\"id\":\"%s\",\"first_name\":\"%s\",\"username\":\"%s\"}",
             from, from, from);
    snprintf(where, sizeof where, "\"chat\":{\"id\":\"%s\",\"type\":\"%s\",\"title\":\"Room %s\"}",
             chat, chat[0] == '@' ? "private" : "group", chat);
    pthread_mutex_lock(&p->lock);
    int64_t id = p->next_update++;
    long long n = id;
    if (press)
        snprintf(json, sizeof json,
                 "{\"update_id\":%lld,\"callback_query\":{\"id\":\"q%lld\",%s,\"data\":\"%s\","
                 "\"message\":{\"message_id\":1,%s}}}",
                 n, n, who, text, where);
    else
        snprintf(json, sizeof json,
                 "{\"update_id\":%lld,\"message\":{\"message_id\":%lld,%s,%s,\"text\":\"%s\"}}", n,
                 n, where, who, text);
    assert(p->n_queued < MOST);
    p->queued[p->n_queued++] = (struct queued){id, strdup(json)};
    pthread_mutex_unlock(&p->lock);
    return id;
}

int64_t peer_types(struct peer *p, const char *chat, const char *from, const char *text)
{
    return queue(p, chat, from, text, false);
}

int64_t peer_presses(struct peer *p, const char *chat, const char *from, const char *data)
{
    return queue(p, chat, from, data, true);
}

int peer_count(struct peer *p)
{
    pthread_mutex_lock(&p->lock);
    int n = p->n_said;
    pthread_mutex_unlock(&p->lock);
    return n;
}

struct peer_request peer_request(struct peer *p, int i)
{
    pthread_mutex_lock(&p->lock);
    assert(i < p->n_said);
    struct said s = p->said[i];
    pthread_mutex_unlock(&p->lock);
    return (struct peer_request){s.method, s.body, s.at, s.post, s.done};
}

int peer_asked(struct peer *p, const char *method, const char *contains)
{
    int n = 0, all = peer_count(p);
    for (int i = 0; i < all; i++) {
        struct peer_request r = peer_request(p, i);
        n += strcmp(r.method, method) == 0 && (!contains || strstr(r.body, contains));
    }
    return n;
}

int peer_polls(struct peer *p)
{
    pthread_mutex_lock(&p->lock);
    int n = p->polls;
    pthread_mutex_unlock(&p->lock);
    return n;
}

int64_t peer_confirmed(struct peer *p)
{
    pthread_mutex_lock(&p->lock);
    int64_t n = p->confirmed;
    pthread_mutex_unlock(&p->lock);
    return n;
}
