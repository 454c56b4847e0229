/* Nothing is tried again without a wait: the real adapters on a network that gives one strange answer
 * to one method, for two minutes, beside its usual ones. Whatever follows from an answer, no method is
 * asked without a pause. The methods are those that were asked, so that a new one is tried as well.
 * Where people play, nothing is lost for good: when the network answers as usual again, so does the
 * bot. */
#include "engine/test.h"
#include "engine/stride.h"
#include "adapters/account.h"
#include "fake/fake_json.h"
#include "fixture/loop_fixture.h"

#include <limits.h>
#include <unistd.h>

#include "log.h"
#include "row.h"

extern const struct adapter telegram_adapter, matrix_adapter;

static const struct strange {
    const char *name;
    int status;
    const char *header, *body;
    enum peer_fault fault;
} answers[] = {
    {"the usual ones", 0, NULL, NULL, PEER_ANSWERS},
    {"another echo", 200, NULL,
     "{\"ok\":true,\"result\":{\"url\":\"https://other.example/x\",\"user_id\":\"@x:y\"}}",
     PEER_ANSWERS},
    {"nothing", 200, NULL, "", PEER_ANSWERS},
    {"a list", 200, NULL, "[]", PEER_ANSWERS},
    {"a number", 200, NULL, "{\"ok\":true,\"result\":7}", PEER_ANSWERS},
    {"400", 400, NULL, "{\"ok\":false,\"error_code\":400,\"description\":\"?\"}", PEER_ANSWERS},
    {"404", 404, NULL, "{\"ok\":false,\"error_code\":404,\"errcode\":\"M_UNRECOGNIZED\"}",
     PEER_ANSWERS},
    {"401", 401, NULL,
     "{\"ok\":false,\"error_code\":401,\"description\":\"Unauthorized\",\"errcode\":"
     "\"M_UNKNOWN_TOKEN\"}",
     PEER_ANSWERS},
    {"403", 403, NULL,
     "{\"ok\":false,\"error_code\":403,\"description\":\"Forbidden: bot was blocked by the "
     "user\",\"errcode\":\"M_FORBIDDEN\"}",
     PEER_ANSWERS},
    {"409", 409, NULL, "{\"ok\":false,\"error_code\":409,\"description\":\"Conflict\"}",
     PEER_ANSWERS},
    {"429 without a time", 429, NULL, "{\"ok\":false,\"error_code\":429}", PEER_ANSWERS},
    {"500", 500, NULL, "<html>", PEER_ANSWERS},
    {"a redirection", 302, "Location: /elsewhere", "", PEER_ANSWERS},
    {"half of it", 0, NULL, NULL, PEER_CUTS},
    {"an end", 0, NULL, NULL, PEER_HANGS_UP},
    {"no HTTP", 0, NULL, NULL, PEER_BABBLES},
};

enum {
    METHODS = 64,
    NAME = 40,
    MINUTE_MS = 60 * 1000,
    MOST_A_MINUTE = 90,
    MOST_LINES = 12,
    ENOUGH = 800,
    LINES = 4096
};

static int stderr_was;
static struct {
    size_t n;
    char *rest, bytes[1 << 20];
} logged;

/* ---- networks ---- */

/* `ROOT` in the body of a rule is the address of the peer, `NTH` another number each time that a person
 * asks. */
struct played_network {
    const char *name;
    const struct adapter *adapter;
    const char *const *options;
    const char *first; /* it asks this first */
    const struct peer_rule *usual;
    int n_usual;
    int chats;             /* in which it says something at once; 0: one */
    struct peer_rule asks; /* what a person types at the end, and what the answer says */
    const char *answer;
};
static const struct played_network *network_now;

static struct str root_of_peer(void)
{
    struct str root = peer_root(loop_fixture_peer);
    return (struct str){root.p, root.n - 4 /* "/bot" */};
}

static const struct account *open_account(struct arena *process)
{
    static struct account account;
    const bool named = strncmp(network_now->options[0], "homeserver=", 11) == 0;
    struct str root = root_of_peer();
    const char *all[12] = {
        arena_print(process, "%s=%.*s",
                    network_now->adapter == &matrix_adapter ? "homeserver" : "api_root",
                    STR_ARG(root))
            .p};
    for (int i = 0; network_now->options[i]; i++)
        all[i + !named] = network_now->options[i];
    account = (struct account){.name = str_of(network_now->adapter->name),
                               .adapter = network_now->adapter,
                               .state = test_account(process, network_now->adapter, all),
                               .can = network_now->adapter->can,
                               .limits = network_now->adapter->limits};
    return &account;
}

/* A name of a server is looked up with the peer. */
void __wrap_wire_request_find(const void *m, struct arena *a, struct request *ret);
void __real_wire_request_find(const void *m, struct arena *a, struct request *ret);

void __wrap_wire_request_find(const void *m, struct arena *a, struct request *ret)
{
    struct str root = root_of_peer();
    __real_wire_request_find(m, a, ret);
    ret->url = arena_print(a, "%.*s/.well-known/matrix/client", STR_ARG(root));
}

static int nth;

static const char *replaced(const char *body, const char *name, struct str by)
{
    for (const char *at = strstr(body, name); at; at = strstr(body, name))
        body = arena_print(loop_fixture_process, "%.*s%.*s%s", (int)(at - body), body, STR_ARG(by),
                           at + strlen(name))
                   .p;
    return body;
}

static void add_rule(struct peer_rule rule)
{
    if (rule.body) {
        rule.body = replaced(rule.body, "ROOT", root_of_peer());
        rule.body = replaced(rule.body, "NTH", arena_print(loop_fixture_process, "%d", nth));
    }
    peer_rule(loop_fixture_peer, rule);
}

/* The last one is the answer that says nothing new. */
static void add_usual(bool asks)
{
    for (int i = 0; i < network_now->n_usual; i++) {
        if (asks && i == network_now->n_usual - 1)
            add_rule(network_now->asks);
        add_rule(network_now->usual[i]);
    }
}

/* No clock of a test waits for a drawing: each picture is drawn at once, and the same. */
bool __wrap_outbox_picture(struct outbox *o, struct row *r, struct arena *turn,
                           struct outgoing *out, bool *ret_wait, struct err *err);

bool __wrap_outbox_picture(struct outbox *o, struct row *r, struct arena *turn,
                           struct outgoing *out, bool *ret_wait, struct err *err)
{
    static const char png[] = "\x89PNG\r\n\x1a\n, and so on";
    (void)o, (void)turn, (void)err;
    *ret_wait = false;
    out->picture_file = (struct str){0};
    if (out->picture.n == 0)
        return true;
    row_set(&r->picture, STR("a picture"));
    row_set(&r->png, str_of(png));
    r->n_png = sizeof png - 1;
    out->picture_bytes = (struct str){r->png, r->n_png};
    return true;
}

/* ---- one minute ---- */

static int asked(void)
{
    return peer_count(loop_fixture_peer) + peer_polls(loop_fixture_peer);
}

/* An account that its network refuses for good may end the daemon: returns false then. Ends early
 * after so many requests. */
static bool run_minute(int most)
{
    struct err err;
    bool runs = true;
    fflush(stderr);
    FILE *lines = tmpfile();
    assert_non_null(lines);
    stderr_was = dup(STDERR_FILENO);
    dup2(fileno(lines), STDERR_FILENO);
    log_open(LOG_INFO);
    loop_fixture_until = loop_fixture_now + MINUTE_MS;
    while (runs && loop_fixture_now < loop_fixture_until && asked() < most)
        runs = loop_turn(loop_fixture, 1000, &err);
    log_open(LOG_NOTHING);
    dup2(stderr_was, STDERR_FILENO);
    close(stderr_was);
    rewind(lines);
    logged.n = fread(logged.bytes, 1, sizeof logged.bytes - 1, lines);
    logged.bytes[logged.n] = '\0';
    fclose(lines);
    return runs;
}

/* Of a line the time does not count, nor what it counts itself. */
static struct str without_numbers(char *line)
{
    size_t n = 0;
    char *p = strchr(line, ' ');
    for (p = p ? p : line; *p; p++)
        if (*p < '0' || *p > '9')
            line[n++] = *p;
    return (struct str){line, n};
}

static int count_repeated_lines(const char *method, const struct strange *answer)
{
    static struct str line[LINES];
    int n = 0, hasty = 0;
    for (char *p = strtok_r(logged.bytes, "\n", &logged.rest); p && n < LINES;
         p = strtok_r(NULL, "\n", &logged.rest))
        line[n++] = without_numbers(p);
    for (int i = 0; i < n; i++) {
        int same = 0;
        bool first = true;
        for (int k = 0; k < n; k++) {
            same += str_is(line[k], line[i]);
            first &= k >= i || !str_is(line[k], line[i]);
        }
        if (!first || same <= MOST_LINES * (network_now->chats ? network_now->chats : 1))
            continue;
        print_error("%s: %d lines a minute while %s is answered with %s:%.*s\n", network_now->name,
                    same, method, answer->name, STR_ARG(line[i]));
        hasty++;
    }
    return hasty;
}

struct methods {
    int n;
    char name[METHODS][NAME];
};

static void add_method(struct methods *all, const char *name)
{
    for (int i = 0; i < all->n; i++)
        if (strcmp(all->name[i], name) == 0)
            return;
    assert_true(all->n < METHODS);
    snprintf(all->name[all->n++], NAME, "%s", name);
}

static int times_in(int from, const char *method)
{
    int times = 0;
    for (int i = from, n = peer_count(loop_fixture_peer); i < n; i++)
        times += strcmp(peer_request(loop_fixture_peer, i).method, method) == 0;
    return times;
}

static bool is_answered(int from)
{
    for (int i = from, n = peer_count(loop_fixture_peer); i < n; i++) {
        struct peer_request r = peer_request(loop_fixture_peer, i);
        if (r.done && strstr(r.body, network_now->answer))
            return true;
    }
    return false;
}

/* The network answers as usual again: what a person asks then is answered, whatever was before. A
 * refusal may count for an hour, and people ask again. */
static bool comes_back(void)
{
    enum { MOST_MINUTES = 90, ASKED_EACH = 15 };
    const int from = peer_count(loop_fixture_peer);
    bool runs = true, answered = false;
    for (int i = 0; i < MOST_MINUTES && runs && !answered; i++) {
        if (i % ASKED_EACH == 0) {
            nth = 90 + i;
            peer_no_rules(loop_fixture_peer);
            add_usual(true);
        }
        runs = run_minute(INT_MAX);
        answered = is_answered(from);
    }
    return answered || !runs;
}

/* A first minute, in which much may be asked once, and a second one, by which all has its pace. Returns
 * how many methods were asked too often, and lines repeated. */
static int two_minutes(struct methods *all, const char *method, const struct strange *answer)
{
    int hasty = 0;
    bool runs;
    loop_fixture_begin(&(struct loop_fixture_options){
        .account = open_account,
        .listen =
            strcmp(network_now->first, "getWebhookInfo") == 0 ? STR("127.0.0.1:0") : STR("")});
    loop_fixture_config.key_file = scratch_file("koikoi.key");
    loop_fixture_start();
    if (answer->status || answer->fault != PEER_ANSWERS)
        peer_rule(loop_fixture_peer, (struct peer_rule){.method = method,
                                                        .fault = answer->fault,
                                                        .status = answer->status,
                                                        .header = answer->header,
                                                        .body = answer->body});
    add_usual(false);
    runs = run_minute(ENOUGH);
    hasty += count_repeated_lines(method, answer);
    if (asked() >= ENOUGH) {
        print_error("%s: %d requests in the first minute while %s is answered with %s\n",
                    network_now->name, asked(), method, answer->name);
        hasty++;
    }
    const int from = peer_count(loop_fixture_peer), polls = peer_polls(loop_fixture_peer);
    runs = runs && run_minute(ENOUGH);
    for (int i = 0, n = peer_count(loop_fixture_peer); i < n; i++)
        add_method(all, peer_request(loop_fixture_peer, i).method);
    for (int i = 0; i < all->n; i++)
        if (times_in(from, all->name[i]) > MOST_A_MINUTE) {
            print_error("%s: %s is asked %d times a minute while %s is answered with %s\n",
                        network_now->name, all->name[i], times_in(from, all->name[i]), method,
                        answer->name);
            hasty++;
        }
    if (peer_polls(loop_fixture_peer) - polls > MOST_A_MINUTE) {
        print_error("%s: %d polls a minute while %s is answered with %s\n", network_now->name,
                    peer_polls(loop_fixture_peer) - polls, method, answer->name);
        hasty++;
    }
    if (hasty == 0 && runs && network_now->answer && !comes_back()) {
        print_error("%s: mute after %s was answered with %s\n", network_now->name, method,
                    answer->name);
        hasty++;
    }
    loop_fixture_teardown(NULL);
    return hasty;
}

static void try_all(const struct played_network *network)
{
    static struct methods all;
    int hasty = 0, tried = 0;
    network_now = network;
    all.n = 0;
    add_method(&all, network->first);
    const int step = stride(network->answer ? 11 : 3, 1), n = sizeof answers / sizeof *answers;
    for (int m = 0; m < all.n; m++)
        for (int i = m % step; i < n; i += step, tried++)
            hasty += two_minutes(&all, all.name[m], &answers[i]);
    print_message("%s: %d methods, %d stories:", network->name, all.n, tried);
    for (int m = 0; m < all.n; m++)
        print_message(" %s", all.name[m]);
    print_message("\n");
    assert_int_equal(hasty, 0);
}

/* ---- Telegram ---- */

#define RULES_OF(rules) .usual = rules, .n_usual = (int)(sizeof(rules) / sizeof *(rules))
#define GOOD(m, text)                                                                              \
    {                                                                                              \
        .method = m, .status = 200, .body = text, .but_done = true                                 \
    }
#define ONCE(m, text)                                                                              \
    {                                                                                              \
        .method = m, .status = 200, .body = text, .times = 1                                       \
    }

#define ME                                                                                         \
    GOOD("getMe", "{\"ok\":true,\"result\":{\"id\":123456,\"is_bot\":true,\"first_name\":"         \
                  "\"Koi\",\"username\":\"koikoi_bot\"}}")
#define NO_HOOK GOOD("getWebhookInfo", "{\"ok\":true,\"result\":{\"url\":\"\"}}")

#define ANN     "\"from\":{\"id\":5001,\"is_bot\":false,\"first_name\":\"Ann\"}"
#define PRIVATE "\"chat\":{\"id\":5001,\"type\":\"private\",\"first_name\":\"Ann\"}"
#define GROUP   "\"chat\":{\"id\":-100,\"type\":\"group\",\"title\":\"Tea\"}"
#define TYPED(id, chat, text)                                                                      \
    "{\"update_id\":" id ",\"message\":{\"message_id\":" id ",\"date\":1000," ANN "," chat         \
    ",\"text\":\"" text "\"}}"
#define PRESSED(id, chat)                                                                          \
    "{\"update_id\":" id ",\"callback_query\":{\"id\":\"q" id "\"," ANN                            \
    ",\"chat_instance\":\"1\",\"data\":\"old\",\"message\":{\"message_id\":1,\"date\":1000," chat  \
    "}}}"
#define UPDATES(...) "{\"ok\":true,\"result\":[" __VA_ARGS__ "]}"

/* They play four cards each; a card that is not there is refused. */
static const struct peer_rule telegram_usual[] = {
    ME,
    NO_HOOK,
    GOOD("sendMessage", "{\"ok\":true,\"result\":{\"message_id\":7}}"),
    GOOD("sendPhoto",
         "{\"ok\":true,\"result\":{\"message_id\":8,\"photo\":[{\"file_id\":\"p\"}]}}"),
    GOOD("editMessageText", "{\"ok\":true,\"result\":{\"message_id\":7}}"),
    GOOD("editMessageMedia",
         "{\"ok\":true,\"result\":{\"message_id\":8,\"photo\":[{\"file_id\":\"p\"}]}}"),
    ONCE("getUpdates", UPDATES(TYPED("3", PRIVATE, "/challenge computer okoshki 3") "," TYPED(
                           "4", GROUP, "/challenge computer okoshki 3"))),
    ONCE("getUpdates",
         UPDATES(TYPED("5", PRIVATE, "/accept 1") "," TYPED("6", GROUP, "/accept 2"))),
    ONCE("getUpdates", UPDATES(PRESSED("7", GROUP) "," TYPED("8", PRIVATE, "/play 1") "," TYPED(
                           "9", GROUP, "/play 1"))),
    ONCE("getUpdates", UPDATES(TYPED("10", PRIVATE, "/play 1") "," TYPED("11", GROUP, "/play 1"))),
    ONCE("getUpdates", UPDATES(TYPED("12", PRIVATE, "/play 1") "," TYPED("13", GROUP, "/hand"))),
};

TEST(telegram_by_polling)
{
    static const char *const options[] = {"token=123456:TEST", NULL};
    static const struct peer_rule usual[] = {ME, NO_HOOK};
    try_all(&(struct played_network){.name = "telegram",
                                     .adapter = &telegram_adapter,
                                     .options = options,
                                     .first = "getUpdates",
                                     RULES_OF(usual)});
}

TEST(telegram_by_webhook)
{
    static const char *const options[] = {"token=123456:TEST",
                                          "webhook_url=https://koikoi.example/telegram",
                                          "webhook_secret=0123456789abcdefABCDEF", NULL};
    static const struct peer_rule usual[] = {ME, NO_HOOK};
    try_all(&(struct played_network){.name = "telegram, by webhook",
                                     .adapter = &telegram_adapter,
                                     .options = options,
                                     .first = "getWebhookInfo",
                                     RULES_OF(usual)});
}

TEST(telegram_sends)
{
    static const char *const options[] = {"token=123456:TEST", NULL};
    try_all(&(struct played_network){
        .name = "telegram, sends",
        .chats = 2,
        .adapter = &telegram_adapter,
        .options = options,
        .first = "sendMessage",
        RULES_OF(telegram_usual),
        .asks = ONCE("getUpdates", UPDATES(TYPED("NTH", PRIVATE, "/rules"))),
        .answer = "How a turn goes"});
}

/* ---- Matrix ---- */

#define WHOAMI   GOOD("whoami", "{\"user_id\":\"@koikoi:localhost\",\"device_id\":\"KOIKOI-DAEMON\"}")
#define VERSIONS GOOD("versions", "{\"versions\":[\"v1.11\"]}")
#define MEMBER(id, user)                                                                           \
    "{\"type\":\"m.room.member\",\"event_id\":\"$" id "\",\"sender\":\"" user                      \
    "\",\"state_key\":\"" user "\",\"content\":{\"membership\":\"join\"}}"
#define PAIR  MEMBER("m1", "@koikoi:localhost") "," MEMBER("m2", "@ann:localhost")
#define CROWD PAIR "," MEMBER("m3", "@bo:localhost")
#define SYNC(next, rooms)                                                                          \
    ONCE("sync", "{\"next_batch\":\"" next "\",\"rooms\":{\"join\":{" rooms "}}}")
/* Asked for once more with the names of all members. */
#define NEWS(next, rooms)                                                                          \
    {                                                                                              \
        .method = "sync", .status = 200, .times = 2,                                               \
        .body = "{\"next_batch\":\"" next "\",\"rooms\":{\"join\":{" rooms "}}}"                   \
    }
#define WITH(room, state) "\"" room ":localhost\":{\"state\":{\"events\":[" state "]}}"
#define SAYS(room, event) "\"" room ":localhost\":{\"timeline\":{\"events\":[" event "]}}"
#define EVENT(id, type, content)                                                                   \
    "{\"type\":\"" type "\",\"event_id\":\"$" id "\",\"sender\":\"@ann:localhost\","               \
    "\"origin_server_ts\":1000,\"content\":" content "}"
#define PLAIN(id, words)                                                                           \
    EVENT(id, "m.room.message", "{\"msgtype\":\"m.text\",\"body\":\"" words "\"}")
#define SEALED(id, words)                                                                          \
    EVENT(id, "m.room.encrypted",                                                                  \
          "{\"algorithm\":\"m.megolm.v1.aes-sha2\",\"session_id\":\"s\",\"ciphertext\":\"" words   \
          "\"}")
#define ENCRYPTED                                                                                  \
    ",{\"type\":\"m.room.encryption\",\"event_id\":\"$e\",\"sender\":\"@ann:localhost\","          \
    "\"state_key\":\"\",\"content\":{\"algorithm\":\"m.megolm.v1.aes-sha2\"}}"

#define MATRIX_ANSWERS                                                                             \
    WHOAMI, VERSIONS, GOOD("m.direct", "{\"@ann:localhost\":[\"!dm:localhost\"]}"),                \
        GOOD("send", "{\"event_id\":\"$new\"}"), GOOD("redact", "{\"event_id\":\"$gone\"}"),       \
        GOOD("upload", "{\"content_uri\":\"mxc://localhost/a\"}"),                                 \
        GOOD("create",                                                                             \
             "{\"content_uri\":\"mxc://localhost/b\",\"unused_expires_at\":9999999999}"),          \
        GOOD("createRoom", "{\"room_id\":\"!new:localhost\"}"),                                    \
        {.method = "members", .under = "tea", .status = 200, .body = "{\"chunk\":[" CROWD "]}"},   \
        GOOD("members", "{\"chunk\":[" PAIR "]}")

TEST(matrix)
{
    static const char *const options[] = {"user=@koikoi:localhost", "token=secret", "e2ee=no",
                                          NULL};
    static const struct peer_rule usual[] = {
        WHOAMI, VERSIONS,
        GOOD("sync",
             "{\"next_batch\":\"s1\",\"rooms\":{\"invite\":{\"!a:localhost\":{\"invite_state\":"
             "{\"events\":[{\"type\":\"m.room.member\",\"state_key\":\"@koikoi:localhost\","
             "\"sender\":\"@ann:localhost\",\"content\":{\"membership\":\"invite\"}}]}}}}}")};
    try_all(&(struct played_network){.name = "matrix",
                                     .adapter = &matrix_adapter,
                                     .options = options,
                                     .first = "sync",
                                     RULES_OF(usual)});
}

TEST(matrix_sends)
{
    static const char *const options[] = {"user=@koikoi:localhost", "token=secret", "e2ee=no",
                                          NULL};
    static const struct peer_rule usual[] = {
        MATRIX_ANSWERS,
        SYNC("s1", WITH("!dm", PAIR) "," WITH("!tea", CROWD)),
        NEWS("s2", SAYS("!dm", PLAIN("t1", "challenge computer okoshki 3")) "," SAYS(
                       "!tea", PLAIN("t2", "!koi challenge computer okoshki 3"))),
        NEWS("s3", SAYS("!dm", PLAIN("t3", "accept")) "," SAYS("!tea", PLAIN("t4", "!koi accept"))),
        NEWS("s4", SAYS("!dm", PLAIN("t5", "1")) "," SAYS("!tea", PLAIN("t6", "!koi 1"))),
        NEWS("s5", SAYS("!dm", PLAIN("t7", "1")) "," SAYS("!tea", PLAIN("t8", "!koi 1"))),
        GOOD("sync", "{\"next_batch\":\"s9\"}")};
    try_all(&(struct played_network){.name = "matrix, sends",
                                     .chats = 2,
                                     .adapter = &matrix_adapter,
                                     .options = options,
                                     .first = "send",
                                     RULES_OF(usual),
                                     .asks = NEWS("s20", SAYS("!dm", PLAIN("tNTH", "!koi rules"))),
                                     .answer = "How a turn goes"});
}

/* A name of a server, a password, tokens that live for forty seconds. */
TEST(matrix_logs_in)
{
    static const char *const options[] = {"homeserver=localhost", "user=@koikoi:localhost",
                                          "password=secret", "e2ee=no", NULL};
    static const struct peer_rule usual[] = {
        MATRIX_ANSWERS,
        GOOD("client", "{\"m.homeserver\":{\"base_url\":\"ROOT\"}}"),
        GOOD("login", "{\"flows\":[{\"type\":\"m.login.password\"}],\"access_token\":\"a\","
                      "\"refresh_token\":\"r\",\"expires_in_ms\":40000,\"user_id\":"
                      "\"@koikoi:localhost\",\"device_id\":\"KOIKOI-DAEMON\"}"),
        GOOD("refresh", "{\"access_token\":\"a2\",\"refresh_token\":\"r2\",\"expires_in_ms\":"
                        "40000}"),
        SYNC("s1", WITH("!dm", PAIR)),
        GOOD("sync", "{\"next_batch\":\"s9\"}")};
    try_all(&(struct played_network){.name = "matrix, login",
                                     .adapter = &matrix_adapter,
                                     .options = options,
                                     .first = "client",
                                     RULES_OF(usual),
                                     .asks = NEWS("s20", SAYS("!dm", PLAIN("tNTH", "!koi rules"))),
                                     .answer = "How a turn goes"});
}

/* The page that a person opens was opened. */
TEST(matrix_logs_in_by_a_page)
{
    static const char *const options[] = {"user=@koikoi:localhost", "oauth=yes", "e2ee=no", NULL};
    static const struct peer_rule usual[] = {
        MATRIX_ANSWERS,
        GOOD("auth_metadata", "{\"token_endpoint\":\"ROOT/token\",\"registration_endpoint\":"
                              "\"ROOT/register\",\"device_authorization_endpoint\":"
                              "\"ROOT/device\"}"),
        GOOD("register", "{\"client_id\":\"c\"}"),
        GOOD("device", "{\"device_code\":\"d\",\"user_code\":\"ABC\",\"verification_uri\":"
                       "\"https://hs.example/link\",\"expires_in\":600,\"interval\":5}"),
        GOOD("token", "{\"access_token\":\"a\",\"refresh_token\":\"r\",\"expires_in\":40}"),
        SYNC("s1", WITH("!dm", PAIR)),
        GOOD("sync", "{\"next_batch\":\"s9\"}")};
    try_all(&(struct played_network){.name = "matrix, login by a page",
                                     .adapter = &matrix_adapter,
                                     .options = options,
                                     .first = "auth_metadata",
                                     RULES_OF(usual),
                                     .asks = NEWS("s20", SAYS("!dm", PLAIN("tNTH", "!koi rules"))),
                                     .answer = "How a turn goes"});
}

/* ---- Matrix, encrypted: the library is played. It wants its keys uploaded and asked for, and, ahead
 * of what is encrypted first, keys of a device claimed and one sent to it. ---- */

enum { KEYS_UPLOAD, KEYS_QUERY, KEYS_CLAIM, TO_DEVICE, SIGNING, SIGNATURES, N_WANTED };
static const struct {
    const char *kind, *method, *path;
} wanted[N_WANTED] = {
    [KEYS_UPLOAD] = {"keys_upload", "POST", "keys/upload"},
    [KEYS_QUERY] = {"keys_query", "POST", "keys/query"},
    [KEYS_CLAIM] = {"keys_claim", "POST", "keys/claim"},
    [TO_DEVICE] = {"to_device", "PUT", "sendToDevice/m.room.encrypted/t1"},
    [SIGNING] = {"signing_keys", "POST", "keys/device_signing/upload"},
    [SIGNATURES] = {"signatures", "POST", "keys/signatures/upload"},
};
static bool answered[N_WANTED];

static uint32_t olm_version(void)
{
    return 1;
}

static char *olm_open(const void *keep, const char *user, const char *device, void **ret)
{
    static char machine;
    (void)keep, (void)user, (void)device;
    memset(answered, 0, sizeof answered);
    *ret = &machine;
    return strdup("{}");
}

static void olm_close(void *olm)
{
    (void)olm;
}

/* Those between the two that have no answer yet. */
static char *wants(int first, int last)
{
    char all[2048];
    struct buf b = BUF(all);
    buf_put(&b, STR("{\"able\":true,\"requests\":["));
    for (int i = first; i <= last; i++)
        if (!answered[i])
            buf_print(&b,
                      "%s{\"id\":\"%s\",\"kind\":\"%s\",\"method\":\"%s\",\"path\":"
                      "\"/_matrix/client/v3/%s\",\"body\":{}}",
                      b.p[b.n - 1] == '[' ? "" : ",", wanted[i].kind, wanted[i].kind,
                      wanted[i].method, wanted[i].path);
    buf_put(&b, STR("]}"));
    buf_char(&b, '\0');
    return strdup(all);
}

/* What is encrypted can be read here. */
static char *opened(cJSON *args)
{
    cJSON *event = cJSON_DetachItemFromObject(args, "event"), *all = cJSON_CreateObject(),
          *content = cJSON_CreateObject();
    cJSON_AddStringToObject(content, "msgtype", "m.text");
    cJSON_AddStringToObject(content, "body",
                            js_text(cJSON_GetObjectItem(event, "content"), "ciphertext"));
    cJSON_ReplaceItemInObject(event, "type", cJSON_CreateString("m.room.message"));
    cJSON_ReplaceItemInObject(event, "content", content);
    cJSON_AddItemToObject(all, "event", event);
    char *text = cJSON_PrintUnformatted(all);
    cJSON_Delete(all);
    return text;
}

static char *sealed(cJSON *args)
{
    cJSON *all = cJSON_CreateObject(), *content = cJSON_AddObjectToObject(all, "content");
    cJSON_AddItemToObject(content, "ciphertext", cJSON_DetachItemFromObject(args, "content"));
    char *text = cJSON_PrintUnformatted(all);
    cJSON_Delete(all);
    return text;
}

static char *olm_call(void *olm, const char *what, const char *json)
{
    cJSON *args = cJSON_Parse(json);
    char *text = NULL;
    (void)olm;
    assert_non_null(args);
    for (int i = 0; strcmp(what, "answered") == 0 && i < N_WANTED; i++)
        answered[i] |= strcmp(js_text(args, "id"), wanted[i].kind) == 0;
    if (strcmp(what, "requests") == 0)
        text = wants(KEYS_UPLOAD, KEYS_QUERY);
    else if (strcmp(what, "share") == 0)
        text = wants(KEYS_QUERY, TO_DEVICE);
    else if (strcmp(what, "able") == 0)
        text = wants(KEYS_QUERY, KEYS_QUERY);
    else if (strcmp(what, "identity") == 0)
        text = wants(SIGNING, SIGNATURES);
    else if (strcmp(what, "open") == 0)
        text = opened(args);
    else if (strcmp(what, "seal") == 0)
        text = sealed(args);
    cJSON_Delete(args);
    return text ? text : strdup("{}");
}

static char *olm_seal_file(const char *bytes, size_t n, char *ret)
{
    memcpy(ret, bytes, n);
    return strdup("{}");
}

static void olm_free(char *text)
{
    free(text);
}

void *__real_dlopen(const char *name, int flags);
void *__real_dlsym(void *library, const char *name);
void *__wrap_dlopen(const char *name, int flags);
void *__wrap_dlsym(void *library, const char *name);

void *__wrap_dlopen(const char *name, int flags)
{
    static char library;
    return strstr(name, "koikoi_olm") ? &library : __real_dlopen(name, flags);
}

void *__wrap_dlsym(void *library, const char *name)
{
    static const struct {
        const char *name;
        void (*call)(void);
    } calls[] = {{"koikoi_olm_version", (void (*)(void))olm_version},
                 {"koikoi_olm_open", (void (*)(void))olm_open},
                 {"koikoi_olm_close", (void (*)(void))olm_close},
                 {"koikoi_olm_call", (void (*)(void))olm_call},
                 {"koikoi_olm_seal_file", (void (*)(void))olm_seal_file},
                 {"koikoi_olm_free", (void (*)(void))olm_free}};
    void *found = NULL;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0)
            memcpy(&found, &calls[i].call, sizeof found);
    return found ? found : __real_dlsym(library, name);
}

TEST(matrix_encrypted)
{
    static const char *const options[] = {"user=@koikoi:localhost", "token=secret", "e2ee=auto",
                                          NULL};
    static const struct peer_rule usual[] = {
        MATRIX_ANSWERS,
        GOOD("keys/query", "{}"),
        GOOD("keys/upload", "{}"),
        GOOD("keys/claim", "{}"),
        GOOD("keys/device_signing/upload", "{}"),
        GOOD("keys/signatures/upload", "{}"),
        GOOD("sendToDevice", "{}"),
        SYNC("s1", WITH("!dm", PAIR ENCRYPTED) "," WITH("!tea", CROWD ENCRYPTED)),
        NEWS("s2", SAYS("!dm", SEALED("t1", "challenge computer okoshki 3")) "," SAYS(
                       "!tea", SEALED("t2", "!koi challenge computer okoshki 3"))),
        NEWS("s3",
             SAYS("!dm", SEALED("t3", "accept")) "," SAYS("!tea", SEALED("t4", "!koi accept"))),
        NEWS("s4", SAYS("!dm", SEALED("t5", "1")) "," SAYS("!tea", SEALED("t6", "!koi 1"))),
        GOOD("sync", "{\"next_batch\":\"s9\"}")};
    try_all(
        &(struct played_network){.name = "matrix, encrypted",
                                 .chats = 2,
                                 .adapter = &matrix_adapter,
                                 .options = options,
                                 .first = "keys/query",
                                 RULES_OF(usual),
                                 .asks = NEWS("s20", SAYS("!dm", SEALED("tNTH", "!koi rules NTH"))),
                                 .answer = "How a turn goes"});
}
