/* Reference loop: the smallest bot that never loses an accepted update, as a measure of the
 * machine. It answers "/ping N" with "pong N", over libcurl's multi interface on epoll, with cJSON,
 * and with SQLite as the daemon uses it: one transaction (synchronous=FULL) for each answer of
 * getUpdates, with the offset, a session a chat and the answers to send; only then is it sent. It
 * has no game, no pace, and one kind of retry. The daemon's figures are quoted as a share of this
 * program's in the same run.
 *
 *     BOT_API_ROOT=... BOT_TOKEN=... reference FILE [SENDS]      FILE "-": stores nothing
 */
#include <cjson/cJSON.h>
#include <curl/curl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

enum { SESSION_BYTES = 400, MAX_SETTLED = 1 << 16, LINE = 512 };

struct grown {
    char *p;
    size_t n, cap;
};
struct answer {
    struct answer *next;
    int64_t update;
    char *body;
};
struct transfer {
    CURL *easy;
    struct grown in;
    struct answer *answer;
    struct transfer *next;
};

static CURLM *multi;
static struct transfer poll_lane, *idle;
static struct answer *queue, **queue_end = &queue;
static struct curl_slist *json_header;
static char root[LINE], send_url[LINE + 32];
static int64_t offset, wake_at = INT64_MAX;
static int ep;
static sqlite3 *db;
static sqlite3_stmt *put_session, *put_answer, *put_offset, *settle;
static int64_t settled[MAX_SETTLED];
static int n_settled;

static _Noreturn void die(const char *why)
{
    fprintf(stderr, "reference: %s\n", why);
    exit(1);
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* ---- the store ---- */

static sqlite3_stmt *prepare(const char *sql)
{
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        die(sqlite3_errmsg(db));
    return s;
}

static void run(sqlite3_stmt *s)
{
    if (sqlite3_step(s) != SQLITE_DONE)
        die(sqlite3_errmsg(db));
    sqlite3_reset(s);
}

static void say(const char *sql)
{
    if (db && sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        die(sqlite3_errmsg(db));
}

static void enqueue(int64_t update, char *body)
{
    struct answer *a = calloc(1, sizeof *a);
    if (!a || !body)
        die("no memory");
    *a = (struct answer){NULL, update, body};
    *queue_end = a;
    queue_end = &a->next;
}

static void open_store(const char *file)
{
    if (sqlite3_open(file, &db) != SQLITE_OK)
        die("cannot open the store");
    say("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        "CREATE TABLE IF NOT EXISTS session(chat INTEGER PRIMARY KEY, state BLOB);"
        "CREATE TABLE IF NOT EXISTS answer(id INTEGER PRIMARY KEY, body TEXT);"
        "CREATE TABLE IF NOT EXISTS place(one INTEGER PRIMARY KEY, offset INTEGER)");
    put_session =
        prepare("INSERT INTO session VALUES(?,?) ON CONFLICT DO UPDATE SET state=excluded.state");
    put_answer = prepare("INSERT INTO answer VALUES(?,?)");
    put_offset =
        prepare("INSERT INTO place VALUES(1,?) ON CONFLICT DO UPDATE SET offset=excluded.offset");
    settle = prepare("DELETE FROM answer WHERE id=?");
    sqlite3_stmt *s = prepare("SELECT offset FROM place");
    if (sqlite3_step(s) == SQLITE_ROW)
        offset = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    s = prepare("SELECT id, body FROM answer ORDER BY id");
    while (sqlite3_step(s) == SQLITE_ROW)
        enqueue(sqlite3_column_int64(s, 0), strdup((const char *)sqlite3_column_text(s, 1)));
    sqlite3_finalize(s);
}

static void note_settled(void)
{
    for (int i = 0; i < n_settled; i++) {
        sqlite3_bind_int64(settle, 1, settled[i]);
        run(settle);
    }
    n_settled = 0;
}

static void keep(int64_t update, int64_t chat, const char *body)
{
    static char state[SESSION_BYTES];
    sqlite3_bind_int64(put_session, 1, chat);
    sqlite3_bind_blob(put_session, 2, state, sizeof state, SQLITE_STATIC);
    run(put_session);
    sqlite3_bind_int64(put_answer, 1, update);
    sqlite3_bind_text(put_answer, 2, body, -1, SQLITE_STATIC);
    run(put_answer);
}

/* ---- transfers ---- */

static size_t take_in(char *p, size_t size, size_t n, void *with)
{
    struct grown *in = with;
    (void)size;
    if (in->n + n > in->cap && !(in->p = realloc(in->p, in->cap = (in->n + n) * 2)))
        die("no memory");
    memcpy(in->p + in->n, p, n);
    in->n += n;
    return n;
}

static void open_lane(struct transfer *l)
{
    l->easy = curl_easy_init();
    curl_easy_setopt(l->easy, CURLOPT_WRITEFUNCTION, take_in);
    curl_easy_setopt(l->easy, CURLOPT_WRITEDATA, &l->in);
    curl_easy_setopt(l->easy, CURLOPT_HTTPHEADER, json_header);
    curl_easy_setopt(l->easy, CURLOPT_PRIVATE, l);
    curl_easy_setopt(l->easy, CURLOPT_NOSIGNAL, 1L);
}

static void begin(struct transfer *l, const char *url, const char *body)
{
    l->in.n = 0;
    curl_easy_setopt(l->easy, CURLOPT_URL, url);
    curl_easy_setopt(l->easy, CURLOPT_COPYPOSTFIELDS, body);
    curl_multi_add_handle(multi, l->easy);
}

static void ask(void)
{
    char url[LINE + 32], body[128];
    snprintf(url, sizeof url, "%s/getUpdates", root);
    snprintf(body, sizeof body, "{\"offset\":%" PRId64 ",\"timeout\":30,\"limit\":100}", offset);
    begin(&poll_lane, url, body);
}

static void send_queued(void)
{
    while (queue && idle) {
        struct transfer *l = idle;
        idle = l->next;
        l->answer = queue;
        queue = queue->next;
        if (!queue)
            queue_end = &queue;
        begin(l, send_url, l->answer->body);
    }
}

static const cJSON *item(const cJSON *o, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(o, name);
}

static void hear(const cJSON *update)
{
    int64_t id = (int64_t)cJSON_GetNumberValue(item(update, "update_id"));
    const cJSON *message = item(update, "message");
    const char *text = cJSON_GetStringValue(item(message, "text"));
    if (id < offset)
        return;
    offset = id + 1;
    if (!text || strncmp(text, "/ping ", 6) != 0)
        return;
    double chat = cJSON_GetNumberValue(item(item(message, "chat"), "id"));
    char words[LINE];
    snprintf(words, sizeof words, "pong %.200s", text + 6);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "chat_id", chat);
    cJSON_AddStringToObject(o, "text", words);
    char *body = cJSON_PrintUnformatted(o);
    cJSON_Delete(o);
    if (db)
        keep(id, (int64_t)chat, body);
    enqueue(id, body);
}

static void news(void)
{
    cJSON *tree = cJSON_ParseWithLength(poll_lane.in.p, poll_lane.in.n);
    const cJSON *list = item(tree, "result"), *update;
    bool any = cJSON_IsArray(list) && list->child;
    if (any || n_settled > 0) {
        say("BEGIN");
        note_settled();
        cJSON_ArrayForEach(update, list) hear(update);
        if (db && any) {
            sqlite3_bind_int64(put_offset, 1, offset);
            run(put_offset);
        }
        say("COMMIT");
    }
    cJSON_Delete(tree);
}

static void sent(struct transfer *l, bool good)
{
    cJSON *tree = good ? cJSON_ParseWithLength(l->in.p, l->in.n) : NULL;
    struct answer *a = l->answer;
    if (cJSON_IsTrue(item(tree, "ok"))) {
        if (db)
            settled[n_settled++] = a->update;
        free(a->body);
        free(a);
    } else {
        a->next = NULL;
        *queue_end = a;
        queue_end = &a->next;
    }
    cJSON_Delete(tree);
    l->next = idle;
    idle = l;
    if (n_settled == MAX_SETTLED) {
        say("BEGIN");
        note_settled();
        say("COMMIT");
    }
}

static void finish(void)
{
    CURLMsg *m;
    int left;
    while ((m = curl_multi_info_read(multi, &left))) {
        struct transfer *l = NULL;
        long status = 0;
        bool good = m->data.result == CURLE_OK;
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&l);
        curl_easy_getinfo(m->easy_handle, CURLINFO_RESPONSE_CODE, &status);
        curl_multi_remove_handle(multi, m->easy_handle);
        if (l != &poll_lane) {
            sent(l, good);
            continue;
        }
        if (good && status == 200)
            news();
        ask();
    }
    send_queued();
}

/* ---- the loop ---- */

static int watch(CURL *easy, curl_socket_t fd, int what, void *with, void *known)
{
    (void)easy, (void)with;
    struct epoll_event e = {.data.fd = fd};
    e.events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    if (what == CURL_POLL_REMOVE)
        epoll_ctl(ep, EPOLL_CTL_DEL, fd, &e);
    else if (epoll_ctl(ep, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &e) == 0 && !known)
        curl_multi_assign(multi, fd, &ep);
    return 0;
}

static int set_wake(CURLM *m, long ms, void *with)
{
    (void)m, (void)with;
    wake_at = ms < 0 ? INT64_MAX : now_ms() + ms;
    return 0;
}

static void once(void)
{
    struct epoll_event events[256];
    int running;
    int64_t wait = wake_at == INT64_MAX ? 1000 : wake_at - now_ms();
    int n = epoll_wait(ep, events, 256, wait < 0 ? 0 : (int)wait);
    for (int i = 0; i < n; i++) {
        uint32_t e = events[i].events;
        int bits = (e & EPOLLIN ? CURL_CSELECT_IN : 0) | (e & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                   (e & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
        curl_multi_socket_action(multi, events[i].data.fd, bits, &running);
    }
    if (wake_at <= now_ms()) {
        wake_at = INT64_MAX;
        curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    finish();
}

int main(int argc, char **argv)
{
    const char *api = getenv("BOT_API_ROOT"), *token = getenv("BOT_TOKEN");
    long lanes = argc > 2 ? strtol(argv[2], NULL, 10) : 1000;
    if (argc < 2 || !api || !token || lanes < 1)
        die("usage: BOT_API_ROOT=... BOT_TOKEN=... reference FILE|- [SENDS]");
    curl_global_init(CURL_GLOBAL_DEFAULT);
    multi = curl_multi_init();
    ep = epoll_create1(EPOLL_CLOEXEC);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, lanes + 8);
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_wake);
    json_header = curl_slist_append(NULL, "Content-Type: application/json");
    snprintf(root, sizeof root, "%s/bot%s", api, token);
    snprintf(send_url, sizeof send_url, "%s/sendMessage", root);
    open_lane(&poll_lane);
    for (long i = 0; i < lanes; i++) {
        struct transfer *l = calloc(1, sizeof *l);
        if (!l)
            die("no memory");
        open_lane(l);
        l->next = idle;
        idle = l;
    }
    if (strcmp(argv[1], "-") != 0)
        open_store(argv[1]);
    ask();
    send_queued();
    for (;;)
        once();
}
