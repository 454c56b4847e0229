/* See peer.h. */
#include "peer.h"

#include <assert.h>
#include <signal.h>

#include "serve.h"

enum { MOST = 40000, RULES = 32 };

struct said {
    char *method, *body;
    int64_t at, post;
    bool done;
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
    char *queued[MOST]; /* the i-th has the id i + 1 */
    int64_t next_post, confirmed, back;
    int kill_in, kill_pid; /* 0: no kill */
    bool kill_after;
    int fail_in; /* 0: no failure */
    struct peer_rule failure;
};

/* ---- answers ---- */

static void put_updates(struct peer *p, int64_t offset, struct text_buffer *t)
{
    int first = offset > 1 ? (int)offset - 1 : 0, n = p->n_queued - first;
    txt_put(t, "{\"ok\":true,\"result\":[");
    for (int i = 0; i < n && i < p->at_once; i++)
        js_put(t, "%-s%-s", i ? "," : "", p->queued[first + i]);
    txt_put(t, "]}");
}

/* A number, also one that is written as a text. */
static int64_t number_in(const char *json, const char *key)
{
    cJSON *o = cJSON_Parse(json);
    int64_t n = js_number(o, key);
    (void)str_int(str_of(js_text(o, key)), &n);
    cJSON_Delete(o);
    return n;
}

static void put_usual(struct peer *p, const char *method, const char *body, struct text_buffer *t)
{
    if (strcmp(method, "getUpdates") == 0) {
        int64_t offset = number_in(body, "offset");
        if (offset > p->confirmed)
            p->confirmed = offset;
        put_updates(p, offset, t);
    } else if (strcmp(method, "sendMessage") == 0) {
        js_put(t, "{'ok':true,'result':{'message_id':%lld}}", (long long)++p->next_post);
    } else if (strcmp(method, "openDirect") == 0) {
        js_put(t, "{'ok':true,'result':{'chat_id':'d%lld'}}", (long long)++p->next_post);
    } else if (strcmp(method, "editMessageText") == 0) {
        js_put(t, "{'ok':true,'result':{'message_id':%lld}}",
               (long long)number_in(body, "message_id"));
    } else {
        js_put(t, "{'ok':true,'result':true}");
    }
}

static struct peer_rule *rule_for(struct peer *p, const char *path, const char *method,
                                  const char *body)
{
    if (p->fail_in > 0 && --p->fail_in == 0)
        return &p->failure;
    for (int i = 0; i < p->n_rules; i++) {
        struct peer_rule *r = &p->rule[i];
        if (p->used_up[i] || (r->method && strcmp(r->method, method) != 0) ||
            (r->contains && !strstr(body, r->contains)) || (r->under && !strstr(path, r->under)))
            continue;
        if (r->times > 0 && --r->times == 0)
            p->used_up[i] = true;
        return r;
    }
    return NULL;
}

static void answer(struct peer *p, uint64_t from, const char *path, const char *method,
                   const char *body)
{
    static const char babble[] = "\x01\x02 what is this?\r\n\r\n";
    struct peer_rule usual = {.method = method}, *r = rule_for(p, path, method, body);
    bool done = !r || (r->fault == PEER_ANSWERS && r->status == 0) || r->but_done;
    struct text_buffer made = {0}, header = {0};
    if (!r)
        r = &usual;
    if (done)
        put_usual(p, method, body, &made);
    else
        txt_put(&made, "{\"ok\":false}");
    if (strcmp(method, "getUpdates") == 0) {
        p->polls++;
    } else {
        assert(p->n_said < MOST);
        p->said[p->n_said++] =
            (struct said){strdup(method), strdup(body), *p->now, done ? p->next_post : 0, done};
    }
    txt_print(&header, "%s%s", r->header ? r->header : "", r->header ? "\r\n" : "");
    if (r->fault == PEER_BABBLES)
        serve_bytes(p->serve, from, babble, sizeof babble - 1);
    if (r->fault == PEER_ANSWERS || r->fault == PEER_CUTS)
        serve_reply(p->serve, from, r->status ? r->status : 200, header.p,
                    r->body ? r->body : made.p, r->fault == PEER_CUTS ? SERVE_HALF : SERVE_WHOLE);
    else if (r->fault != PEER_IS_SILENT)
        serve_end(p->serve, from);
    txt_free(&made);
    txt_free(&header);
    for (int i = 0; i < 2 && r->signal[i]; i++)
        kill(r->pid, r->signal[i]);
}

static const char *method_of(const char *path)
{
    static const char *const done[] = {"send", "redact", "sendToDevice", "state", "join"};
    const char *keys = strstr(path, "/keys/"), *name = strrchr(path, '/');
    for (size_t i = 0; i < sizeof done / sizeof *done; i++) {
        char part[32];
        snprintf(part, sizeof part, "/%s/", done[i]);
        if (strstr(path, part))
            return done[i];
    }
    return keys ? keys + 1 : name ? name + 1 : path;
}

static void take(void *arg, struct serve_request *r)
{
    struct peer *p = arg;
    HOLD(&p->lock);
    bool kill_now = p->kill_in > 0 && --p->kill_in == 0;
    if (!kill_now || p->kill_after)
        answer(p, r->from, r->path, method_of(r->path), r->body);
    if (!kill_now)
        return;
    kill(p->kill_pid, SIGKILL);
    serve_end(p->serve, r->from);
}

struct peer *peer_open(const _Atomic int64_t *now)
{
    struct peer *p = calloc(1, sizeof *p);
    assert(p);
    p->now = now;
    p->next_post = 100;
    p->at_once = 100;
    pthread_mutex_init(&p->lock, NULL);
    p->serve = serve_open(0, take, NULL, p);
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
        free(p->queued[i]);
    free(p);
}

/* ---- for the test ---- */

struct str peer_root(const struct peer *p)
{
    return str_of(p->root);
}

void peer_rule(struct peer *p, struct peer_rule rule)
{
    HOLD(&p->lock);
    assert(p->n_rules < RULES);
    p->rule[p->n_rules++] = rule;
}

void peer_no_rules(struct peer *p)
{
    HOLD(&p->lock);
    p->n_rules = 0;
    memset(p->used_up, 0, sizeof p->used_up);
}

void peer_kills(struct peer *p, int n, int pid, bool after)
{
    HOLD(&p->lock);
    p->kill_in = n;
    p->kill_pid = pid;
    p->kill_after = after;
}

void peer_fails(struct peer *p, int n, enum peer_fault fault, int status, bool but_done)
{
    HOLD(&p->lock);
    p->fail_in = n;
    p->failure = (struct peer_rule){.fault = fault, .status = status, .but_done = but_done};
}

bool peer_failed(struct peer *p)
{
    HOLD(&p->lock);
    bool done = p->fail_in == 0;
    p->fail_in = 0;
    return done;
}

void peer_hands_out(struct peer *p, int n)
{
    HOLD(&p->lock);
    p->at_once = n;
}

void peer_goes_back(struct peer *p, int64_t ids)
{
    HOLD(&p->lock);
    p->back = ids;
}

static int64_t queue(struct peer *p, const char *chat, const char *from, const char *text,
                     bool press)
{
    struct text_buffer t = {0};
    HOLD(&p->lock);
    long long id = p->n_queued + 1, given = id - p->back;
    assert(p->n_queued < MOST);
    js_put(&t, "{'update_id':%lld,", given);
    if (press)
        js_put(&t, "'callback_query':{'id':'q%lld','data':%s,", id, text);
    else
        js_put(&t, "'message':{'text':%s,'message_id':%lld,", text, id);
    js_put(&t, "'from':{'id':%s,'first_name':%s,'username':%s},", from, from, from);
    js_put(&t, "%-s'chat':{'id':%s,'type':%s,'title':'Room %-s'}}%-s}",
           press ? "\"message\":{\"message_id\":1," : "", chat,
           chat[0] == '@' ? "private" : "group", chat, press ? "}" : "");
    p->queued[p->n_queued++] = t.p;
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
    HOLD(&p->lock);
    return p->n_said;
}

struct peer_request peer_request(struct peer *p, int i)
{
    HOLD(&p->lock);
    assert(i < p->n_said);
    const struct said *s = &p->said[i];
    return (struct peer_request){s->method, s->body, s->at, s->post, s->done};
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
    HOLD(&p->lock);
    return p->polls;
}

int64_t peer_confirmed(struct peer *p)
{
    HOLD(&p->lock);
    return p->confirmed;
}
