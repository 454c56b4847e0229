/* Queue of updates, getUpdates and the webhook: see api.h. Updates are delivered, to one poll at a
 * time, until an offset confirms them. Answers are made once per round of the server, so that
 * updates of one round leave together. */
#include "api.h"

#include "bot.h"

#define SECOND 1000000000LL

static const char *const kinds[] = {"message",      "callback_query",       "my_chat_member",
                                    "inline_query", "chosen_inline_result", "guest_message",
                                    "chat_member"};
enum {
    KINDS = sizeof kinds / sizeof *kinds,
    OLD_KINDS = 2,
    CHAT_MEMBER = KINDS - 1,
    FIRST_ID = 700001
};

struct tg_update {
    int64_t id, at;
    char *json;
    uint32_t tag;
    int kind;
    /* webhook delivery: its line (0: not yet known); under way; accepted; time of the next
     * attempt */
    int64_t line, rest_until;
    bool under_way, taken;
};

char *updates_webhook;

static struct {
    uint64_t from;
    int64_t limit, turn;
    bool on;
} asker;
static struct tg_update *queue;
static size_t head, tail, cap;
static int64_t next_id = FIRST_ID, turns, last_offset = -1, last_asked, last_conflict;
static unsigned wanted = (1u << CHAT_MEMBER) - 1;
static bool twisted_twice, twisted_backwards;

int64_t updates_waiting(void)
{
    return (int64_t)(tail - head);
}

int64_t updates_confirmed(void)
{
    return head < tail ? queue[head].id : next_id;
}

void updates_age(int64_t seconds)
{
    for (size_t i = head; i < tail; i++)
        queue[i].at -= seconds * SECOND;
}

void updates_twist(bool twice, bool backwards)
{
    twisted_twice = twice;
    twisted_backwards = backwards;
}

static void room(void)
{
    if (tail < cap)
        return;
    if (tail > head)
        memmove(queue, queue + head, (tail - head) * sizeof *queue);
    tail -= head;
    head = 0;
    if (tail * 2 < cap)
        return;
    cap = cap ? cap * 2 : 1024;
    queue = must(realloc(queue, cap * sizeof *queue));
}

int64_t updates_push(const char *kind, uint32_t tag, struct text_buffer body)
{
    int k = 0;
    while (k < KINDS && strcmp(kinds[k], kind) != 0)
        k++;
    bool known = k < OLD_KINDS || (k < KINDS && !world_old);
    if (!known || !(wanted & 1u << k)) {
        txt_free(&body);
        return -1;
    }
    room();
    queue[tail++] =
        (struct tg_update){.id = next_id, .at = serve_now(), .json = body.p, .tag = tag, .kind = k};
    return next_id++;
}

static void confirm(int64_t below)
{
    while (head < tail && queue[head].id < below)
        free(queue[head++].json);
}

/* Forgets updates that are older than their kind may be. */
static void expire(void)
{
    static const int seconds[KINDS] = {86400, 150, 86400, 30, 600, 86400, 86400};
    int64_t now = serve_now();
    while (head < tail && now - queue[head].at > seconds[queue[head].kind] * SECOND)
        free(queue[head++].json);
}

static void put_update(struct text_buffer *t, const struct tg_update *u)
{
    js_put(t, "%-s{'update_id':%lld,'%-s':%-s}", t->n > 0 && t->p[t->n - 1] == '}' ? "," : "",
           (long long)u->id, kinds[u->kind], u->json);
}

static void answer_asker(void)
{
    struct text_buffer t = {0};
    expire();
    size_t n = tail - head;
    n = n < (size_t)asker.limit ? n : (size_t)asker.limit;
    asker.on = false;
    enum serve_harm harm = SERVE_WHOLE;
    if (n > 0 && api_faults(asker.from, &harm))
        return;
    bool swapped = n > 1 && world_chance() < opt.p_swap;
    bool backwards = swapped || twisted_backwards;
    counts.swapped_polls += swapped;
    txt_put(&t, "{\"ok\":true,\"result\":[");
    for (size_t i = 0; i < n; i++)
        put_update(&t, &queue[backwards ? head + n - 1 - i : head + i]);
    bool once_more = n > 0 && world_chance() < opt.p_double;
    for (size_t i = 0; i < n && (twisted_twice || (once_more && i == 0)); i++)
        put_update(&t, &queue[head + i]);
    counts.doubled_updates += once_more;
    if (n > 0)
        twisted_twice = twisted_backwards = false;
    txt_put(&t, "]}");
    int64_t now = serve_now();
    for (size_t i = 0; i < n && harm == SERVE_WHOLE && hooks.handed; i++)
        hooks.handed(queue[head + i].tag, now);
    counts.full_polls += n > 0;
    counts.handed += (int64_t)n;
    serve_reply(server, asker.from, 200, "", t.p, harm);
    txt_free(&t);
    if (n > 0)
        crash_handed(queue[head + n - 1].id);
}

struct conflict {
    uint64_t from;
    const char *why;
};

static void conflict_now(void *with)
{
    struct conflict *c = with;
    api_refuse(c->from, 409, c->why, "");
    free(c);
}

/* Answers 409: at most once in 3 s, else after 3 s. */
static void refuse_409(uint64_t from, const char *why)
{
    struct conflict *c = must(malloc(sizeof *c));
    *c = (struct conflict){from, why};
    int64_t now = serve_now();
    bool soon = last_conflict && now - last_conflict < 3 * SECOND;
    last_conflict = now;
    if (soon)
        serve_at(server, now + 3 * SECOND, conflict_now, c);
    else
        conflict_now(c);
}

/* ---- the webhook: updates of one line are delivered one after another, many lines at once ---- */

enum { CONNECTIONS = 40, LINES = 256 };

const char *updates_webhook_fault;
time_t updates_webhook_fault_at;
static char *hook_secret;
static int hook_port;
static int64_t hook_turn; /* number of the current webhook */

struct carrier {
    int64_t turn, id;
};

/* Messages and memberships stand in the line of their chat, taps and queries in that of their
 * person. */
static int64_t line_of(const struct tg_update *u)
{
    cJSON *tree = cJSON_Parse(u->json);
    bool of_chat = strcmp(kinds[u->kind], "message") == 0 || strstr(kinds[u->kind], "chat_member");
    int64_t line = js_number(tree, of_chat ? "chat/id" : "from/id");
    cJSON_Delete(tree);
    return of_chat ? line : line ^ INT64_MIN;
}

static struct tg_update *update_of(int64_t id)
{
    for (size_t i = head; i < tail; i++)
        if (queue[i].id == id)
            return &queue[i];
    return NULL;
}

/* Removes accepted updates from the queue. */
static void drop_taken(void)
{
    size_t kept = head;
    for (size_t i = head; i < tail; i++) {
        if (queue[i].taken)
            free(queue[i].json);
        else
            queue[kept++] = queue[i];
    }
    tail = kept;
}

/* The next round delivers. */
static void wake(void *unused)
{
    (void)unused;
}

static void webhook_read(void *with, int status)
{
    struct carrier c = *(struct carrier *)with;
    struct tg_update *u = update_of(c.id);
    free(with);
    if (!updates_webhook || hook_turn != c.turn || !u)
        return;
    u->under_way = false;
    if (status / 100 != 2) {
        updates_webhook_fault = status == 0     ? "Connection refused"
                                : status == 403 ? "Wrong response from the webhook: 403 Forbidden"
                                                : "Wrong response from the webhook";
        updates_webhook_fault_at = time(NULL);
        u->rest_until = serve_now() + SECOND;
        counts.refused_hooks++;
        serve_at(server, u->rest_until, wake, NULL);
        return;
    }
    counts.brought++;
    if (twisted_twice) { /* as if the answer was lost */
        twisted_twice = false;
        counts.doubled_updates++;
    } else {
        if (hooks.handed)
            hooks.handed(u->tag, serve_now());
        u->taken = true;
        drop_taken();
    }
}

static void bring(struct tg_update *u)
{
    struct text_buffer body = {0}, t = {0};
    put_update(&body, u);
    const char *path = strstr(updates_webhook, "://");
    path = path ? strchr(path + 3, '/') : NULL;
    txt_print(&t, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n",
              path ? path : "/");
    if (hook_secret)
        txt_print(&t, "X-Telegram-Bot-Api-Secret-Token: %s\r\n", hook_secret);
    txt_print(&t, "Connection: close\r\nContent-Length: %zu\r\n\r\n%s", body.n, body.p);
    txt_free(&body);
    struct carrier *c = must(malloc(sizeof *c));
    *c = (struct carrier){hook_turn, u->id};
    u->under_way = true;
    counts.handed++;
    serve_ask(server, hook_port, t, webhook_read, c);
}

/* Delivers the first update of each line, unless it waits for its next attempt. */
static void bring_all(void)
{
    int64_t lines[LINES];
    int n_lines = 0, n_under_way = 0;
    expire();
    for (size_t i = head; i < tail && n_lines < LINES; i++)
        n_under_way += queue[i].under_way;
    for (size_t i = head; i < tail && n_lines < LINES && n_under_way < CONNECTIONS; i++) {
        struct tg_update *u = &queue[i];
        u->line = u->line ? u->line : line_of(u);
        int known = 0;
        while (known < n_lines && lines[known] != u->line)
            known++;
        if (known < n_lines)
            continue;
        lines[n_lines++] = u->line;
        if (u->under_way || u->rest_until > serve_now())
            continue;
        bring(u);
        n_under_way++;
        counts.side_by_side += n_under_way > 1;
    }
}

void updates_set_webhook(const char *url, const char *secret, bool drop)
{
    free(updates_webhook);
    free(hook_secret);
    updates_webhook = url && *url ? must(strdup(url)) : NULL;
    hook_secret = secret && *secret ? must(strdup(secret)) : NULL;
    updates_webhook_fault = NULL;
    hook_turn++;
    for (size_t i = head; i < tail; i++)
        queue[i].under_way = false, queue[i].rest_until = 0;
    if (drop)
        confirm(next_id);
    const char *port = updates_webhook ? strchr(updates_webhook + 8, ':') : NULL;
    hook_port = port ? (int)strtol(port + 1, NULL, 10) : 443;
    if (updates_webhook && asker.on && serve_alive(server, asker.from))
        refuse_409(asker.from, "Conflict: terminated by setWebhook request");
    asker.on &= !updates_webhook;
}

void updates_hand_out(void *unused)
{
    (void)unused;
    if (updates_webhook && head < tail)
        bring_all();
    if (asker.on && !serve_alive(server, asker.from))
        asker.on = false;
    if (asker.on && head < tail)
        answer_asker();
}

static void patience_over(void *turn)
{
    if (asker.on && asker.turn == (int64_t)(intptr_t)turn)
        answer_asker();
}

/* ---- getUpdates ---- */

static const char terminated[] = "Conflict: terminated by other getUpdates request; make sure that "
                                 "only one bot instance is running";
static const char webhook_active[] =
    "Conflict: can't use getUpdates method while webhook is active; "
    "use deleteWebhook to delete the webhook first";

bool updates_choose_kinds(struct params *p)
{
    bool bad;
    const cJSON *list = param_json(p, "allowed_updates", &bad), *one;
    if (bad || (list && !cJSON_IsArray(list) && !cJSON_IsNull(list)))
        return false;
    if (!cJSON_IsArray(list))
        return true;
    wanted = list->child ? 0 : (1u << CHAT_MEMBER) - 1;
    cJSON_ArrayForEach(one, list)
    {
        for (int k = 0; k < KINDS; k++)
            if (cJSON_IsString(one) && strcmp(kinds[k], one->valuestring) == 0)
                wanted |= 1u << k;
    }
    return true;
}

void updates_ask(struct serve_request *r, struct params *p)
{
    int64_t offset = param_int(p, "offset", 0), limit = param_int(p, "limit", 100);
    int64_t timeout = param_int(p, "timeout", 0), now = serve_now();
    if (updates_webhook) {
        refuse_409(r->from, webhook_active);
        return;
    }
    if (!updates_choose_kinds(p)) {
        api_refuse(r->from, 400, "Bad Request: can't parse allowed_updates JSON array", "");
        return;
    }
    if (asker.on && serve_alive(server, asker.from))
        refuse_409(asker.from, terminated);
    timeout = timeout < 0 ? 0 : timeout > 50 ? 50 : timeout;
    limit = limit < 1 ? 1 : limit > 100 ? 100 : limit;
    if (offset == last_offset && now - last_asked < 3 * SECOND && timeout < 3)
        timeout = 3;
    if (offset == last_offset && now - last_asked < SECOND / 2)
        limit = 1;
    last_offset = offset;
    last_asked = now;
    if (offset < 0)
        confirm(next_id + offset);
    else if (offset <= next_id) /* an offset beyond the newest counts as none */
        confirm(offset);
    asker.from = r->from;
    asker.limit = limit;
    asker.turn = ++turns;
    asker.on = true;
    counts.polls++;
    if (hooks.polled)
        hooks.polled();
    if (timeout == 0)
        answer_asker();
    else
        serve_at(server, now + timeout * SECOND, patience_over, (void *)(intptr_t)turns);
}
