/* What passes between the library of encryption and the server: what a room's state says of its keys,
 * the signing of the device, requests of the library and their answers. A library is played that writes
 * down what it is asked. What a host is told about keys can be done with their kind of login.
 * Beside it: the cancel of a comparison of emoji. */
#include "engine/test.h"

#include "adapters/account.h"
#include "json.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

extern const struct adapter matrix_adapter;
void *__real_dlopen(const char *name, int flags);
void *__real_dlsym(void *library, const char *name);
void *__wrap_dlopen(const char *name, int flags);
void *__wrap_dlsym(void *library, const char *name);

/* ---- the library ---- */

static char shared[4096]; /* what it was last asked to share a key for */
static int n_shared;
static const char *status;   /* its own keys, and whether it has the seeds of the identity */
static int wants, answers;   /* requests that it has; answers that it was given */
static char recovery[1024];  /* what it was asked to take an identity over by */
static const char *readable; /* the id of the encrypted event that it has a key for */

static uint32_t version(void)
{
    return 1;
}

static char *copy(const char *text)
{
    size_t n = strlen(text) + 1;
    char *all = malloc(n);
    assert_non_null(all);
    return memcpy(all, text, n);
}

static char *open_machine(const void *keep, const char *user, const char *device, void **ret)
{
    static char machine;
    (void)keep, (void)user, (void)device;
    *ret = &machine;
    return copy("{}");
}

static void close_machine(void *olm)
{
    (void)olm;
}

#define REQUEST(kind)                                                                              \
    "{\"id\":\"i\",\"kind\":\"" kind "\",\"method\":\"POST\",\"path\":\"/olm/" kind                \
    "\",\"body\":{}}"
#define IDENTITY                                                                                   \
    "{\"requests\":[" REQUEST("device") "," REQUEST("signing_keys") "," REQUEST("signature") "]}"

static char *called(void *olm, const char *what, const char *json)
{
    (void)olm;
    if (strcmp(what, "share") == 0) {
        snprintf(shared, sizeof shared, "%s", json);
        n_shared++;
    }
    if (strcmp(what, "answered") == 0)
        answers++;
    if (strcmp(what, "recover") == 0) {
        snprintf(recovery, sizeof recovery, "%s", json);
        return copy("{\"identity\":true}");
    }
    return copy(strcmp(what, "seal") == 0     ? "{\"content\":{\"ciphertext\":\"x\"}}"
                : strcmp(what, "status") == 0 ? status
                : strcmp(what, "open") == 0
                    ? (strstr(json, readable) ? "{\"event\":{\"type\":\"m.any\",\"content\":{}}}"
                                              : "{\"wait\":true}")
                : strcmp(what, "identity") == 0 ? IDENTITY
                : strcmp(what, "requests") == 0 && wants > 0
                    ? "{\"requests\":[" REQUEST("wanted") "]}"
                    : "{}");
}

static char *sealed_file(const char *bytes, size_t n, char *ret)
{
    memcpy(ret, bytes, n);
    return copy("{}");
}

static void free_text(char *text)
{
    free(text);
}

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
    } calls[] = {{"koikoi_olm_version", (void (*)(void))version},
                 {"koikoi_olm_open", (void (*)(void))open_machine},
                 {"koikoi_olm_close", (void (*)(void))close_machine},
                 {"koikoi_olm_call", (void (*)(void))called},
                 {"koikoi_olm_seal_file", (void (*)(void))sealed_file},
                 {"koikoi_olm_free", (void (*)(void))free_text}};
    void *found = NULL;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0)
            memcpy(&found, &calls[i].call, sizeof found);
    return found ? found : __real_dlsym(library, name);
}

/* ---- the account ---- */

/* What is stored: a device, perhaps signed, and what is put there since. */
static struct {
    struct str name, value;
} kept[16];
static int n_kept;
static struct arena *arena;

static int place_of(struct str name)
{
    int i = 0;
    while (i < n_kept && !str_is(kept[i].name, name))
        i++;
    return i;
}

static void put(struct vault *v, struct str name, struct str value)
{
    int i = place_of(name);
    (void)v;
    assert_true(i < (int)(sizeof kept / sizeof *kept));
    kept[i].name = arena_str(arena, name);
    kept[i].value = arena_str(arena, value);
    n_kept += i == n_kept;
}
static void drop(struct vault *v, struct str name)
{
    int i = place_of(name);
    (void)v;
    if (i < n_kept)
        kept[i] = kept[--n_kept];
}
static bool lost; /* whatever is put there */
static bool get(struct vault *v, struct str name, void *to, vault_each *each, struct err *err)
{
    int i = place_of(name);
    (void)v, (void)err;
    if (!lost && i < n_kept)
        each(to, name, kept[i].value);
    return true;
}
static bool list(struct vault *v, struct str prefix, void *to, vault_each *each, struct err *err)
{
    (void)v, (void)err;
    for (int i = 0; i < n_kept; i++)
        if (str_starts(kept[i].name, prefix))
            each(to, kept[i].name, kept[i].value);
    return true;
}
static bool stored(const struct vault *v)
{
    (void)v;
    return false;
}

#define OWN "@koi:hs\tD\t"
static struct vault vault = {get, list, put, drop, stored};
static void *account;
static struct str cursor;

static bool has(struct str text, const char *part)
{
    return text.n > 0 && memmem(text.p, text.n, part, strlen(part)) != NULL;
}

/* A name in the vault has that part. */
static bool keeps(const char *part)
{
    bool found = false;
    for (int i = 0; i < n_kept; i++)
        found |= has(kept[i].name, part);
    return found;
}

static bool asks(const struct request *r, const char *what)
{
    return *what == '\0' || has(r->url, what);
}

static int64_t now;

static struct reply reply_of(struct str body)
{
    return (struct reply){.status = 200, .body = body, .retry_after_ms = -1, .now = now};
}

/* What the account asks next; and its answer, of which it must make something. */
static struct request asks_next(void)
{
    struct request r = {.kind = REQUEST_NONE};
    matrix_adapter.poll(account, arena, cursor, &r);
    return r;
}

static struct batch reads(struct reply reply)
{
    struct batch batch;
    struct err err;
    assert_true(matrix_adapter.read(account, arena, &reply, &batch, &err));
    cursor = arena_str(arena, batch.cursor);
    return batch;
}

/* A sync with these events in the room !r. Returns how often it says that one cannot be read. */
static int hears_what(int turn, const char *state, const char *events)
{
    bool heard = false;
    int unread = 0;
    struct str news = arena_print(arena,
                                  "{\"next_batch\":\"s%d\",\"rooms\":{\"join\":{\"!r:hs\":{"
                                  "\"state\":{\"events\":[%s]},"
                                  "\"timeline\":{\"events\":[%s]}}}}}",
                                  turn, state, events);
    for (int i = 0; i < 8 && !heard; i++) {
        struct request r = asks_next();
        heard = asks(&r, "/sync?");
        struct batch batch = reads(
            reply_of(heard                 ? news
                     : asks(&r, "/whoami") ? STR("{\"user_id\":\"@koi:hs\",\"device_id\":\"D\"}")
                                           : STR("{}")));
        for (int k = 0; k < batch.n; k++)
            unread += str_starts(batch.at[k].id, STR("unread:"));
    }
    assert_true(heard);
    return unread;
}

static void hears(int turn, const char *state)
{
    (void)hears_what(turn, state, "");
}

struct key_rules {
    int64_t period, messages;
    char visibility[32]; /* "": none */
};

/* Says something there, and returns what the library was asked to share its key by. */
static struct key_rules rules_of_a_message(int64_t row)
{
    struct outgoing out = {
        .chat = STR("!r:hs"), .text = STR("hello"), .row = row, .progress = STR("")};
    enum receipt_kind kind = MORE;
    for (int i = 0; i < 8 && kind == MORE; i++) {
        struct request r = {.kind = REQUEST_NONE};
        struct receipt receipt;
        matrix_adapter.send(account, arena, &out, &r);
        struct reply reply = reply_of(
            asks(&r, "/members") ? STR("{\"chunk\":[{\"type\":\"m.room.member\",\"state_key\":"
                                       "\"@ann:hs\",\"content\":{\"membership\":\"join\"}}]}")
                                 : STR("{\"event_id\":\"$new\"}"));
        matrix_adapter.receipt(account, arena, &out, &reply, &receipt);
        kind = receipt.kind;
        out.progress = arena_str(arena, receipt.progress);
    }
    assert_int_equal(kind, SENT);
    struct json all = json_open(str_of(shared), JSON_LOOSE), o = json_at(all, "rules");
    struct key_rules rules = {.period = json_number(o, "period"),
                              .messages = json_number(o, "messages")};
    if (json_at(o, "visibility").at)
        snprintf(rules.visibility, sizeof rules.visibility, "%.*s",
                 STR_ARG(json_str(o, "visibility")));
    json_free(all);
    return rules;
}

static void open_account(const char *const *options)
{
    uint32_t can = matrix_adapter.can;
    struct limits limits = matrix_adapter.limits;
    struct err err;
    account = test_account(arena, &matrix_adapter, options);
    cursor = STR("");
    matrix_adapter.keep(account, &vault);
    assert_true(matrix_adapter.open(account, arena, &can, &limits, &err));
}

FIXTURE(setup)
{
    static const char *const options[] = {"homeserver=https://hs", "token=t", "recovery_key=EsT1",
                                          NULL};
    arena = arena_open(64 << 20);
    n_shared = wants = answers = n_kept = 0;
    status = "{\"ed25519\":\"ours\"}";
    readable = "$b\"";
    now = 1790856000000;
    lost = false;
    put(&vault, STR(OWN "account"), STR("yes"));
    put(&vault, STR(OWN "own\tsigned"), STR("yes"));
    open_account(options);
    return 0;
}

FIXTURE(teardown)
{
    matrix_adapter.close(account);
    arena_close(arena);
    return 0;
}

#define STATE(type, content)                                                                       \
    "{\"type\":\"m.room." type                                                                     \
    "\",\"state_key\":\"\",\"sender\":\"@ann:hs\",\"event_id\":\"$" type "\",\"content\":" content \
    "}"
#define ENCRYPTION(more) STATE("encryption", "{\"algorithm\":\"m.megolm.v1.aes-sha2\"" more "}")

#define ENCRYPTED(id)                                                                              \
    "{\"type\":\"m.room.encrypted\",\"sender\":\"@ann:hs\",\"event_id\":\"$" id                    \
    "\",\"content\":{\"ciphertext\":\"x\"}}"

#define ANN                                                                                        \
    "{\"type\":\"m.room.member\",\"state_key\":\"@ann:hs\",\"sender\":\"@ann:hs\",\"event_id\":"   \
    "\"$m\","                                                                                      \
    "\"content\":{\"membership\":\"join\",\"displayname\":\"Ann\"}}"

/* For a minute the key may come. Then people are told, once, that there is none, even if another
 * message of the sender could be read since. After an hour the event is given up. */
TEST_WITH(an_event_without_its_key_is_said_once_after_a_minute, setup, teardown)
{
    enum { S = 1000, MINUTE = 60 * S };
    static const struct {
        int64_t later;
        const char *events;
        int said;
        bool waits;
    } rows[] = {
        {0, ENCRYPTED("a"), 0, true}, /* its key may come */
        {30 * S, "", 0, true},
        {30 * S, "", 0, true},
        {1, "", 1, true},
        {S, "", 0, true},
        {S, ENCRYPTED("b"), 0, true}, /* read; of "a" all has been said */
        {S, ENCRYPTED("c"), 0, true},
        {2 * MINUTE, "", 1, true},
        {60 * MINUTE - 2 * MINUTE - 2 * S, "", 0, true},
        {2 * S, "", 0, true},
        {1, "", 0, false},
    };
    hears(1, ENCRYPTION(""));
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        now += rows[i].later;
        int said = hears_what(2 + i, ANN, rows[i].events);
        if (said != rows[i].said || keeps("wait\t") != rows[i].waits)
            fail_msg("row %d: said %d times, %s", i, said, keeps("wait\t") ? "waits" : "is over");
    }
}

TEST_WITH(the_rotation_and_visibility_of_a_room_reach_the_library, setup, teardown)
{
    static const char *const visibilities[] = {"shared", "invited", "joined", "world_readable"};
    hears(1, ENCRYPTION(",\"rotation_period_ms\":86400000,\"rotation_period_msgs\":7"));
    struct key_rules rules = rules_of_a_message(1);
    assert_int_equal(rules.period, 86400000);
    assert_int_equal(rules.messages, 7);
    assert_string_equal(rules.visibility, "");
    for (int i = 0; i < 4; i++) {
        hears(2 + i,
              arena_print(arena, STATE("history_visibility", "{\"history_visibility\":\"%s\"}"),
                          visibilities[i])
                  .p);
        rules = rules_of_a_message(2 + i);
        assert_string_equal(rules.visibility, visibilities[i]);
    }
    assert_int_equal(n_shared, 5);
}

/* A room that says nothing has the library's own rules; what is no number or no known word is nothing. */
TEST_WITH(a_room_without_rules_leaves_them_to_the_library, setup, teardown)
{
    hears(1, ENCRYPTION(",\"rotation_period_ms\":\"soon\",\"rotation_period_msgs\":-1") "," STATE(
                 "history_visibility", "{\"history_visibility\":\"everybody\"}"));
    struct key_rules rules = rules_of_a_message(1);
    assert_int_equal(rules.period, 0);
    assert_int_equal(rules.messages, 0);
    assert_string_equal(rules.visibility, "");
}

/* ---- requests of the library ---- */

/* Polls once; the request is answered so. Returns what was asked of the library's; empty: nothing of it. */
static struct str polled(int http, const char *body)
{
    struct request r = asks_next();
    static const struct {
        const char *of, *body;
    } others[] = {{"/whoami", "{\"user_id\":\"@koi:hs\",\"device_id\":\"D\"}"},
                  {"/sync?", "{\"next_batch\":\"s\"}"},
                  {"/m.secret_storage.default_key", "{\"key\":\"K1\"}"},
                  {"/m.secret_storage.key.K1", "{\"is\":\"the key\"}"},
                  {"/m.cross_signing.master", "{\"is\":1}"},
                  {"/m.cross_signing.self_signing", "{\"is\":2}"},
                  {"/m.cross_signing.user_signing", "{\"is\":3}"}};
    struct reply reply = reply_of(str_of(body));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (asks(&r, others[i].of))
            reply.body = str_of(others[i].body);
    reply.status = asks(&r, "/olm/") ? http : 200;
    reads(reply);
    const char *of_it = r.url.n > 0 ? memmem(r.url.p, r.url.n, "/olm/", 5) : NULL;
    return of_it ? str_skip(r.url, (size_t)(of_it + 5 - r.url.p)) : STR("");
}

#define KEYS_OF_DEVICE "\"device_keys\":{\"@koi:hs\":{\"D\":{\"keys\":{\"ed25519:D\":\"K\"}}}}"

/* What a device that is not signed yet asks for until it runs. */
static const char *started(const char *server)
{
    struct str asked = STR("");
    drop(&vault, STR(OWN "own\tsigned"));
    for (int k = 0; k < 12; k++) {
        struct str one = polled(200, server);
        if (one.n > 0)
            asked = arena_print(arena, "%.*s %.*s", STR_ARG(asked), STR_ARG(one));
    }
    return arena_str(arena, asked).p;
}

/* An identity that the server has, and whose seeds are here, signs the device; it is not uploaded again,
 * for that would ask for the password. One that the server lacks is uploaded in between. */
TEST_WITH(a_new_device_is_signed_by_the_identity_that_is_there, setup, teardown)
{
    static const struct {
        const char *status, *server, *asked;
    } cases[] = {
        {"{\"ed25519\":\"K\",\"identity\":true}",
         "{" KEYS_OF_DEVICE ",\"master_keys\":{\"@koi:hs\":{}}}", " device signature"},
        {"{\"ed25519\":\"K\",\"identity\":true}", "{" KEYS_OF_DEVICE "}",
         " device signing_keys signature"},
        {"{\"ed25519\":\"K\"}", "{}", " device signing_keys signature"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (i > 0) {
            teardown(NULL);
            setup(NULL);
        }
        status = cases[i].status;
        assert_string_equal(started(cases[i].server), cases[i].asked);
    }
}

/* One that was made in a client is taken over by the recovery key, from the account's secret storage;
 * its secrets stay with the library alone. */
TEST_WITH(an_identity_of_a_client_is_recovered_and_signs, setup, teardown)
{
    status = "{\"ed25519\":\"K\"}";
    assert_string_equal(started("{" KEYS_OF_DEVICE ",\"master_keys\":{\"@koi:hs\":{}}}"),
                        " device signature");
    assert_string_equal(
        recovery, "{\"secrets\":{\"m.cross_signing.master\":{\"is\":1},"
                  "\"m.cross_signing.self_signing\":{\"is\":2},"
                  "\"m.cross_signing.user_signing\":{\"is\":3}},"
                  "\"recovery_key\":\"EsT1\",\"key_id\":\"K1\",\"key\":{\"is\":\"the key\"}}");
    assert_false(keeps("cross_signing"));
}

/* The library learns what the server has answered; of a refusal nothing, and until the next sync it
 * asks no more. */
TEST_WITH(answers_reach_the_library_and_refusals_wait_for_a_sync, setup, teardown)
{
    int asked = 0;
    wants = 1;
    for (int i = 0; i < 4 && asked < 2; i++)
        asked += str_is(polled(200, "{}"), STR("wanted"));
    assert_int_equal(asked, 2);
    assert_int_equal(answers, 2);
    assert_true(str_is(polled(400, "{\"errcode\":\"M_UNKNOWN\"}"), STR("wanted")));
    assert_int_equal(answers, 2);
    assert_true(str_is(polled(200, "{}"), STR(""))); /* the sync */
    assert_true(str_is(polled(200, "{}"), STR("wanted")));
    assert_int_equal(answers, 3);
}

/* ---- what the host is told ---- */

/* What the server knows of @koi:hs: keys of the device D, which the store does not have, or an
 * identity that it has no key of, or neither, but it wants a password before it takes an identity;
 * or all is well with the device E. */
enum trouble { DEVICE_LOST, IDENTITY_UNKNOWN, SIGNING_REFUSED, TROUBLES, NONE = TROUBLES };
static enum trouble trouble;
static const char *own_device; /* of the token, or of the login */
static struct str said;        /* notes of the log, or findings of the doctor */
static struct str asked;       /* requests, with their bodies */

static struct reply answer_to(const struct request *r)
{
    static const struct {
        const char *part, *body;
    } usual[] = {{"/versions", "{\"versions\":[\"v1.11\"]}"},
                 {"/profile/", "{\"displayname\":\"Koi\",\"avatar_url\":\"mxc://hs/koi\"}"},
                 {"/auth_metadata", "{\"device_authorization_endpoint\":\"https://as/device\","
                                    "\"token_endpoint\":\"https://as/token\","
                                    "\"registration_endpoint\":\"https://as/register\"}"},
                 {"/register", "{\"client_id\":\"c\"}"},
                 {"/as/device", "{\"device_code\":\"x\",\"user_code\":\"Y\",\"interval\":1,"
                                "\"verification_uri\":\"https://as/page\",\"expires_in\":600}"},
                 {"/as/token", "{\"access_token\":\"a\",\"refresh_token\":\"r\"}"},
                 {"/sync?", "{\"next_batch\":\"s1\"}"},
                 {"", "{}"}};
    static const char *const known[] = {
        [DEVICE_LOST] =
            "{\"device_keys\":{\"@koi:hs\":{\"D\":{\"keys\":{\"ed25519:D\":\"theirs\"}}}}}",
        [IDENTITY_UNKNOWN] = "{\"master_keys\":{\"@koi:hs\":{}}}",
        [SIGNING_REFUSED] = "{}",
        [NONE] = "{\"device_keys\":{\"@koi:hs\":{\"E\":{\"signatures\":{\"@koi:hs\":{"
                 "\"ed25519:i\":\"x\"}}}}},\"self_signing_keys\":{\"@koi:hs\":{\"keys\":{"
                 "\"ed25519:i\":\"i\"}}}}"};
    if (asks(r, "/whoami"))
        return reply_of(
            arena_print(arena, "{\"user_id\":\"@koi:hs\",\"device_id\":\"%s\"}", own_device));
    if (asks(r, "/keys/query"))
        return reply_of(str_of(known[trouble]));
    if (asks(r, "/login") && strcmp(r->method, "GET") == 0)
        return reply_of(STR("{\"flows\":[{\"type\":\"m.login.password\"}]}"));
    if (asks(r, "/login"))
        return reply_of(arena_print(
            arena, "{\"access_token\":\"a\",\"user_id\":\"@koi:hs\",\"device_id\":\"%s\"}",
            own_device));
    if (asks(r, "/olm/signing_keys")) {
        struct reply reply = reply_of(STR("{\"session\":\"s\"}"));
        reply.status = 401;
        return reply;
    }
    size_t i = 0;
    while (!asks(r, usual[i].part))
        i++;
    return reply_of(str_of(usual[i].body));
}

static void note_request(const struct request *r)
{
    asked = arena_print(arena, "%.*s%s %.*s %.*s\n", STR_ARG(asked), r->method ? r->method : "",
                        STR_ARG(r->url), STR_ARG(r->body));
}

/* The daemon, from its start to its first sync, or until it ends. */
static void run(const char *const *options)
{
    bool over = false;
    matrix_adapter.close(account);
    open_account(options);
    said = asked = STR("");
    for (int i = 0; i < 24 && !over; i++) {
        struct request r = asks_next();
        struct batch batch;
        struct err err;
        note_request(&r);
        over = asks(&r, "/sync?");
        struct reply reply = answer_to(&r);
        bool good = matrix_adapter.read(account, arena, &reply, &batch, &err);
        said = arena_print(arena, "%.*s%.*s%s\n", STR_ARG(said), good ? (int)batch.note.n : 0,
                           good ? batch.note.p : "", good ? "" : err.text);
        if (good)
            cursor = arena_str(arena, batch.cursor);
        if (asks(&r, "/login") && has(r.body, "KOIKOI-DAEMON-"))
            own_device = "E";
    }
    assert_true(over);
}

static void examine(const char *const *options)
{
    struct exam exam = {.cursor = cursor, .has_keys = trouble == NONE};
    struct reply reply;
    matrix_adapter.close(account);
    open_account(options);
    said = asked = STR("");
    matrix_adapter.exam(account, &exam);
    for (int i = 0; i < 24; i++) {
        struct request r = {.kind = REQUEST_NONE};
        struct findings found = {0};
        matrix_adapter.examine(account, arena, i > 0 ? &reply : NULL, &r, &found);
        for (int k = 0; k < found.n; k++)
            said = arena_print(arena, "%.*s%.*s\n", STR_ARG(said), STR_ARG(found.at[k].text));
        if (r.kind != REQUEST_HTTP)
            break;
        note_request(&r);
        reply = answer_to(&r);
    }
}

#define HOST     "homeserver=https://hs", "user=@koi:hs"
#define BY_TOKEN HOST, "token=t"
static const struct login_way {
    const char *name, *options[6];
    const char *other; /* an option that changes nothing with it */
    const char *told[TROUBLES];
} logins[] = {
    {"a token",
     {BY_TOKEN},
     "[matrix] device",
     {"in [matrix] token, and the key of the account's identity in [matrix] recovery_key, or the "
      "account's password",
      "give it in [matrix] recovery_key, or the account's password", "or the account's password"}},
    {"a token, with the identity's key",
     {BY_TOKEN, "recovery_key=EsT"},
     "[matrix] device",
     {"give the token of another device, from a login of its own, in [matrix] token\n", NULL,
      "give its key"}},
    {"OAuth",
     {HOST, "oauth=yes"},
     "[matrix] token",
     {"give another device in [matrix] device, and the key of the account's identity in [matrix] "
      "recovery_key\n",
      "give it in [matrix] recovery_key; if nobody has it",
      "give its key in [matrix] recovery_key\n"}},
    {"a password",
     {HOST, "password=p"},
     "[matrix] device",
     {"logging in as another one", NULL, NULL}},
};
enum { LOGINS = sizeof logins / sizeof *logins };

TEST_WITH(what_a_host_is_told_can_be_done_with_their_login, setup, teardown)
{
    lost = true;
    for (int i = 0; i < LOGINS; i++)
        for (trouble = 0; trouble < TROUBLES; trouble++) {
            const struct login_way *l = &logins[i];
            own_device = "D";
            run(l->options);
            if (l->told[trouble] && !has(said, l->told[trouble]))
                fail_msg("%s, %d: does not say \"%s\": %.*s", l->name, (int)trouble,
                         l->told[trouble], STR_ARG(said));
            if (has(said, l->other))
                fail_msg("%s, %d: \"%s\" changes nothing: %.*s", l->name, (int)trouble, l->other,
                         STR_ARG(said));
        }
}

/* The doctor says the same; with OAuth it does not log in. */
TEST_WITH(the_doctor_says_the_same, setup, teardown)
{
    lost = true;
    own_device = "D";
    for (int i = 0; i < 2; i++)
        for (trouble = 0; trouble < SIGNING_REFUSED; trouble++) {
            examine(logins[i].options);
            if (logins[i].told[trouble] && !has(said, logins[i].told[trouble]))
                fail_msg("%s, %d: %.*s", logins[i].name, (int)trouble, STR_ARG(said));
            assert_false(has(said, logins[i].other));
        }
}

/* And it helps: the token of another device finds none of its keys lost; the identity's key is looked
 * for; a password beside the token replaces the identity, in place of it makes another device. */
TEST_WITH(what_a_host_is_told_helps, setup, teardown)
{
    static const char *const key[] = {BY_TOKEN, "recovery_key=EsT", NULL};
    static const char *const password[] = {BY_TOKEN, "password=p", NULL};
    lost = true;
    own_device = "E";
    trouble = DEVICE_LOST;
    run(key);
    assert_false(has(said, "was lost"));
    assert_true(has(asked, "/olm/signing_keys"));
    own_device = "D";
    trouble = IDENTITY_UNKNOWN;
    run(key);
    assert_true(has(asked, "m.secret_storage.default_key"));
    run(password);
    assert_true(has(asked, "\"password\":\"p\""));
    trouble = DEVICE_LOST;
    run(logins[LOGINS - 1].options);
    assert_true(has(asked, "\"device_id\":\"KOIKOI-DAEMON-1790856000\""));
    trouble = NONE; /* the doctor looks at that one */
    examine(logins[LOGINS - 1].options);
    assert_true(has(said, "the device E is signed"));
}

/* ---- comparisons of emoji ---- */

/* This sync, asked for until it is read, then what is asked until the next one. Returns the first
 * request that cancels something; its method is NULL if there is none. */
static struct request cancel_after(const char *news)
{
    struct request found = {0};
    struct str before = cursor;
    for (int i = 0; i < 8; i++) {
        struct request r = asks_next();
        bool sync = asks(&r, "/sync?");
        if (sync && !str_is(cursor, before))
            break;
        if (asks(&r, "m.key.verification.cancel") && !found.method)
            found = r;
        reads(reply_of(sync ? str_of(news) : STR("{}")));
    }
    return found;
}

/* In a room the event is named, from device to device the transaction; each goes once. */
TEST_WITH(a_request_to_compare_emoji_is_cancelled_at_once, setup, teardown)
{
    static const struct {
        const char *news, *path, *body;
    } cases[] = {
        {"{\"next_batch\":\"s8\",\"rooms\":{\"join\":{\"!r:hs\":{\"timeline\":{\"events\":[{"
         "\"type\":"
         "\"m.room.message\",\"sender\":\"@ann:hs\",\"event_id\":\"$v\",\"content\":{\"msgtype\":"
         "\"m.key.verification.request\",\"to\":\"@koi:hs\",\"from_device\":\"A\",\"methods\":[],"
         "\"body\":\"?\"}}]}}}}}",
         "/rooms/%21r%3Ahs/send/m.key.verification.cancel/", "\"event_id\":\"$v\""},
        {"{\"next_batch\":\"s9\",\"to_device\":{\"events\":[{\"type\":\"m.key.verification."
         "request\","
         "\"sender\":\"@ann:hs\",\"content\":{\"from_device\":\"A\",\"transaction_id\":\"t7\","
         "\"methods\":[],\"timestamp\":1790856000000}}]}}",
         "/sendToDevice/m.key.verification.cancel/", "\"transaction_id\":\"t7\""},
    };
    hears(1, "{\"type\":\"m.room.member\",\"state_key\":\"@ann:hs\",\"sender\":\"@ann:hs\","
             "\"event_id\":\"$j\",\"content\":{\"membership\":\"join\","
             "\"displayname\":\"Ann\"}}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct request r = cancel_after(cases[i].news);
        assert_true(r.method && asks(&r, cases[i].path));
        assert_true(has(r.body, cases[i].body));
        assert_false(keeps("cancel\t"));
        assert_null(cancel_after("{\"next_batch\":\"s10\"}").method);
    }
}
