/* Nothing is tried again without a wait: the real adapters on a network that gives one strange answer
 * to one method, for two minutes, beside its usual ones. Whatever follows from an answer, no method is
 * asked without a pause. The methods are those that were asked, so that a new one is tried as well. */
#include "engine/test.h"
#include "adapters/account.h"
#include "fixture/loop_fixture.h"

#include <unistd.h>

#include "log.h"

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

/* ---- accounts ---- */

static const char *const *options_now;
static const struct adapter *adapter_now;

static const struct account *open_account(struct arena *process)
{
    static struct account account;
    struct str root = peer_root(loop_fixture_peer);
    const char *all[8] = {arena_print(process, "%s=%.*s",
                                      adapter_now == &matrix_adapter ? "homeserver" : "api_root",
                                      (int)root.n - 4 /* "/bot" */, root.p)
                              .p};
    for (int i = 0; options_now[i]; i++)
        all[i + 1] = options_now[i];
    account = (struct account){.name = str_of(adapter_now->name),
                               .adapter = adapter_now,
                               .state = test_account(process, adapter_now, all),
                               .can = adapter_now->can,
                               .limits = adapter_now->limits};
    return &account;
}

/* ---- one minute ---- */

/* What these networks answer, beside the peer's own. */
static const struct peer_rule usual[] = {
    {.method = "getMe",
     .status = 200,
     .body = "{\"ok\":true,\"result\":{\"id\":123456,\"is_bot\":true,\"first_name\":\"Koi\","
             "\"username\":\"koikoi_bot\"}}"},
    {.method = "getWebhookInfo", .status = 200, .body = "{\"ok\":true,\"result\":{\"url\":\"\"}}"},
    {.method = "whoami",
     .status = 200,
     .body = "{\"user_id\":\"@koikoi:localhost\",\"device_id\":\"KOIKOI-DAEMON\"}"},
    {.method = "versions", .status = 200, .body = "{\"versions\":[\"v1.11\"]}"},
    {.method = "sync",
     .status = 200,
     .body = "{\"next_batch\":\"s1\",\"rooms\":{\"invite\":{\"!a:localhost\":{\"invite_state\":"
             "{\"events\":[{\"type\":\"m.room.member\",\"state_key\":\"@koikoi:localhost\","
             "\"sender\":\"@ann:localhost\",\"content\":{\"membership\":\"invite\"}}]}}}}}"},
};

static int asked(void)
{
    return peer_count(loop_fixture_peer) + peer_polls(loop_fixture_peer);
}

/* An account that its network refuses for good may end the daemon. */
static void run_minute(void)
{
    struct err err;
    fflush(stderr);
    FILE *lines = tmpfile();
    assert_non_null(lines);
    stderr_was = dup(STDERR_FILENO);
    dup2(fileno(lines), STDERR_FILENO);
    log_open(LOG_INFO);
    loop_fixture_until = loop_fixture_now + MINUTE_MS;
    while (loop_fixture_now < loop_fixture_until && asked() < ENOUGH &&
           loop_turn(loop_fixture, 1000, &err))
        ;
    log_open(LOG_NOTHING);
    dup2(stderr_was, STDERR_FILENO);
    close(stderr_was);
    rewind(lines);
    logged.n = fread(logged.bytes, 1, sizeof logged.bytes - 1, lines);
    logged.bytes[logged.n] = '\0';
    fclose(lines);
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
        if (!first || same <= MOST_LINES)
            continue;
        print_error("%s: %d lines a minute while %s is answered with %s:%.*s\n", adapter_now->name,
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

/* A first minute, in which much may be asked once, and a second one, by which all has its pace. Returns
 * how many methods were asked too often, and lines repeated. */
static int two_minutes(struct methods *all, const char *method, const struct strange *answer)
{
    int hasty = 0;
    const bool hooked = adapter_now == &telegram_adapter && options_now[1] != NULL;
    (void)loop_fixture_open(&(struct loop_fixture_options){
        .account = open_account, .listen = hooked ? STR("127.0.0.1:0") : STR("")});
    if (answer->status || answer->fault != PEER_ANSWERS)
        peer_rule(loop_fixture_peer, (struct peer_rule){.method = method,
                                                        .fault = answer->fault,
                                                        .status = answer->status,
                                                        .header = answer->header,
                                                        .body = answer->body});
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        peer_rule(loop_fixture_peer, usual[i]);
    run_minute();
    hasty += count_repeated_lines(method, answer);
    if (asked() >= ENOUGH) {
        print_error("%s: %d requests in the first minute while %s is answered with %s\n",
                    adapter_now->name, asked(), method, answer->name);
        hasty++;
    }
    const int from = peer_count(loop_fixture_peer), polls = peer_polls(loop_fixture_peer);
    run_minute();
    for (int i = 0, n = peer_count(loop_fixture_peer); i < n; i++)
        add_method(all, peer_request(loop_fixture_peer, i).method);
    for (int i = 0; i < all->n; i++)
        if (times_in(from, all->name[i]) > MOST_A_MINUTE) {
            print_error("%s: %s is asked %d times a minute while %s is answered with %s\n",
                        adapter_now->name, all->name[i], times_in(from, all->name[i]), method,
                        answer->name);
            hasty++;
        }
    if (peer_polls(loop_fixture_peer) - polls > MOST_A_MINUTE) {
        print_error("%s: %d polls a minute while %s is answered with %s\n", adapter_now->name,
                    peer_polls(loop_fixture_peer) - polls, method, answer->name);
        hasty++;
    }
    loop_fixture_teardown(NULL);
    return hasty;
}

static void try_all(const struct adapter *adapter, const char *const *options, const char *first)
{
    static struct methods all;
    int hasty = 0, tried = 0;
    adapter_now = adapter;
    options_now = options;
    all.n = 0;
    add_method(&all, first);
    for (int m = 0; m < all.n; m++)
        for (size_t i = 0; i < sizeof answers / sizeof *answers; i++, tried++)
            hasty += two_minutes(&all, all.name[m], &answers[i]);
    print_message("%s: %d methods, %d stories\n", adapter->name, all.n, tried);
    assert_int_equal(hasty, 0);
}

TEST(telegram_by_polling)
{
    static const char *const options[] = {"token=123456:TEST", NULL};
    try_all(&telegram_adapter, options, "getUpdates");
}

TEST(telegram_by_webhook)
{
    static const char *const options[] = {"token=123456:TEST",
                                          "webhook_url=https://koikoi.example/telegram",
                                          "webhook_secret=0123456789abcdefABCDEF", NULL};
    try_all(&telegram_adapter, options, "getWebhookInfo");
}

TEST(matrix)
{
    static const char *const options[] = {"user=@koikoi:localhost", "token=secret", "e2ee=no",
                                          NULL};
    try_all(&matrix_adapter, options, "sync");
}
