/* Contract test: the promises of adapter.h, checked on every row of the registry.
 *
 * No network is named here. An adapter is opened with good options from tests/adapters/NAME.options
 * (lines "key = value"; without that file its fallbacks) and then gets what the world sends:
 * garbage instead of updates, strangers' texts in messages, refusals and silence as answers. For a
 * new adapter that file is enough. notebook.c is the smallest that keeps the promises.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <ctype.h>
#include <fcntl.h>
#include <unistd.h>

#include "adapters/account.h"
#include "utf8.h"

#define ADAPTER(name) extern const struct adapter name##_adapter;
#include "adapters.inc"
ADAPTER(notebook)
#undef ADAPTER

static const struct {
    const char *file;
    const struct adapter *row;
} rows[] = {
#define ADAPTER(name) {#name, &name##_adapter},
#include "adapters.inc"
    ADAPTER(notebook)
#undef ADAPTER
};
enum { N_ROWS = sizeof rows / sizeof *rows, NOWHERE = 100 };

/* The sentence about which check and which row failed. */
#define check(row, what, condition)                                                                \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s: %s", (row)->name, (what));                                               \
    } while (0)

/* ---- accounts ---- */

struct opened {
    const struct adapter *row;
    void *account;
    struct arena *process, *turn;
    uint32_t can;
    struct limits limits;
};

static struct str option_from_file(struct arena *a, const char *adapter, const char *key)
{
    char line[1024];
    FILE *f = fopen(arena_print(a, "tests/adapters/%s.options", adapter).p, "r");
    struct str found = {NULL, 0};
    while (f && fgets(line, sizeof line, f)) {
        struct str value, name = str_trim(str_cut(str_of(line), '=', &value));
        if (str_is(name, str_of(key)))
            found = arena_str(a, str_trim(value));
    }
    if (f)
        fclose(f);
    return found;
}

/* Options set as koikoi.conf would set them; not yet opened. */
static struct opened prepare(const struct adapter *row)
{
    struct opened it = {.row = row,
                        .process = arena_open(16 << 20),
                        .turn = arena_open(64 << 20),
                        .can = row->can,
                        .limits = row->limits};
    it.account = arena_alloc(it.process, row->account_size);
    for (const struct option *o = row->options; o && o->key; o++) {
        struct str value = option_from_file(it.process, row->name, o->key);
        test_account_set(it.account, row, str_of(o->key),
                         value.p ? value : str_of(o->fallback ? o->fallback : ""));
    }
    return it;
}

static struct opened open_good(const struct adapter *row)
{
    struct opened it = prepare(row);
    struct err err = {""};
    if (!row->open(it.account, it.process, &it.can, &it.limits, &err))
        fail_msg("%s: does not open with the options of its test: %s", row->name, err.text);
    return it;
}

static void done(struct opened *it, bool was_open)
{
    if (was_open)
        it->row->close(it->account);
    arena_close(it->turn);
    arena_close(it->process);
}

/* True if a secret option's value stands in the text. */
static bool leaks(const struct opened *it, struct str text)
{
    for (const struct option *o = it->row->options; o && o->key; o++) {
        struct str secret;
        if (o->kind != OPTION_SECRET)
            continue;
        memcpy(&secret, (const char *)it->account + o->offset, sizeof secret);
        if (secret.n > 3 && text.n > 0 && memmem(text.p, text.n, secret.p, secret.n))
            return true;
    }
    return false;
}

/* ---- the row itself ---- */

static void row_is_complete(const struct adapter *row)
{
    assert_true(N_ROWS > 0);
    for (int i = 0; i < N_ROWS; i++)
        if (rows[i].row == row)
            check(row, "is named as its file", strcmp(row->name, rows[i].file) == 0);
    check(row, "has a title", row->title && *row->title);
    check(row, "has all verbs",
          row->configured && row->open && row->poll && row->read && row->send && row->receipt &&
              row->close);
    check(row, "sends something at once", row->limits.in_flight >= 1);
    if (row->can & CAN_BUTTONS)
        check(row, "has room in its buttons",
              row->limits.buttons >= 8 && row->limits.buttons_a_row >= 1);
    for (const char *p = row->name; *p; p++)
        check(row, "has a name of lower-case letters", islower((unsigned char)*p));
}

static void options_are_described_and_fit(const struct adapter *row)
{
    for (const struct option *o = row->options; o && o->key; o++) {
        int64_t n = 0;
        size_t size = o->kind == OPTION_INT    ? sizeof n
                      : o->kind == OPTION_BOOL ? sizeof(bool)
                                               : sizeof(struct str);
        check(row, o->key, o->offset + size <= row->account_size);
        check(row, o->key,
              o->about && strlen(o->about) > 10 && o->about[strlen(o->about) - 1] == '.');
        for (const char *p = o->key; *p; p++)
            check(row, o->key,
                  islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '_');
        if (o->kind == OPTION_INT && o->fallback)
            check(row, o->key, str_int(str_of(o->fallback), &n) && n >= o->min && n <= o->max);
        if (o->kind == OPTION_SECRET)
            check(row, o->key, !o->fallback || !*o->fallback);
    }
}

/* ---- open ---- */

static void bad_option_is_one_clear_error(const struct adapter *row)
{
    char *flood = malloc(20001);
    memset(flood, 'x', 20000);
    flood[20000] = 0;
    const char *const nonsense[] = {
        "", " ", "\xFF\xFE", "\x01\x02", "://", "no such thing", "line\nbreak", flood};
    for (const struct option *o = row->options; o && o->key; o++)
        for (size_t k = 0; k < sizeof nonsense / sizeof *nonsense; k++) {
            struct opened it = prepare(row);
            struct err err = {""};
            test_account_set(it.account, row, str_of(o->key), str_of(nonsense[k]));
            bool good = row->open(it.account, it.process, &it.can, &it.limits, &err);
            if (!good) {
                check(row, "says why it does not open", strlen(err.text) > 5);
                check(row, "says it in one line", !strchr(err.text, '\n'));
                check(row, "keeps secrets to itself",
                      o->kind != OPTION_SECRET || strlen(nonsense[k]) < 4 ||
                          !strstr(err.text, nonsense[k]));
            }
            done(&it, good);
        }
    free(flood);
}

static void open_adds_no_ability(struct opened *it)
{
    check(it->row, "grows no ability by opening", (it->can & ~it->row->can) == 0);
    check(it->row, "keeps room for buttons", it->limits.buttons == it->row->limits.buttons);
}

/* ---- requests ---- */

static void check_request(const struct opened *it, const struct request *r)
{
    check(it->row, "asks in a known way", r->kind <= REQUEST_KEEP);
    check(it->row, "keeps secrets out of logs", !leaks(it, r->what));
    if (r->kind == REQUEST_NONE)
        return;
    check(it->row, "names its request", r->what.n > 0 && r->what.n < 64);
    if (r->kind != REQUEST_HTTP)
        return;
    check(it->row, "has a method",
          r->method && (strcmp(r->method, "GET") == 0 || strcmp(r->method, "POST") == 0 ||
                        strcmp(r->method, "PUT") == 0));
    check(it->row, "asks a web address",
          str_starts(r->url, STR("http://")) || str_starts(r->url, STR("https://")));
    for (size_t i = 0; i < r->url.n; i++)
        check(it->row, "escapes its address", r->url.p[i] > ' ' && r->url.p[i] < 0x7f);
    check(it->row, "waits for a sane time", r->timeout_ms >= 0 && r->timeout_ms <= 10 * 60 * 1000);
    check(it->row, "has few headers", r->n_headers >= 0 && r->n_headers <= MAX_HEADERS);
    check(it->row, "has few parts", r->n_parts >= 0 && r->n_parts <= MAX_PARTS);
    for (int i = 0; i < r->n_headers; i++) {
        struct header h = r->headers[i];
        check(it->row, "breaks no header",
              h.name.n > 0 && !memchr(h.name.p, '\n', h.name.n) &&
                  (h.value.n == 0 || !memchr(h.value.p, '\n', h.value.n)));
        if (h.value.n >= 16 && memmem(h.value.p, h.value.n, "application/json", 16)) {
            cJSON *json = cJSON_ParseWithLength(r->body.p, r->body.n);
            check(it->row, "sends JSON that is JSON", json != NULL);
            cJSON_Delete(json);
            check(it->row, "sends UTF-8", utf8_ok(r->body));
        }
    }
    for (int i = 0; i < r->n_parts; i++)
        check(it->row, "names its parts", r->parts[i].name.n > 0);
}

static void poll_makes_a_valid_request(const struct adapter *row)
{
    static const char *const cursors[] = {
        "", "1", "nonsense", "\xFF", "999999999999999999999999", "s72594_4483 a b c"};
    for (size_t c = 0; c < sizeof cursors / sizeof *cursors; c++) {
        struct opened it = open_good(row);
        struct request request = {0};
        it.row->poll(it.account, it.turn, str_of(cursors[c]), &request);
        check(it.row, "asks for news",
              request.kind == REQUEST_HTTP || request.kind == REQUEST_WATCH);
        check_request(&it, &request);
        done(&it, true);
    }
}

/* ---- news ---- */

static void check_batch(const struct opened *it, const struct batch *b)
{
    check(it->row, "counts its news", b->n >= 0 && (b->n == 0 || b->at));
    check(it->row, "waits for a sane time",
          b->wait_ms >= 0 && b->wait_ms <= INT64_C(24) * 3600 * 1000);
    for (int i = 0; i < b->n; i++) {
        const struct update *u = &b->at[i];
        check(it->row, "hands on valid text",
              utf8_ok(u->text) && utf8_ok(u->from.name) && utf8_ok(u->chat));
        check(it->row, "knows who spoke", u->kind > UPDATE_PRESS || u->from.id.n > 0);
        check(it->row, "counts mentions", u->n_mentions >= 0 && u->n_mentions <= MAX_MENTIONS);
    }
}

/* Reads one reply with a fresh turn; returns how many updates came of it. */
static int read_once(struct opened *it, int status, struct str body)
{
    struct reply reply = {
        .status = status, .body = body, .retry_after_ms = -1, .now = INT64_C(1700000000000)};
    struct request request = {0};
    struct batch batch = {0};
    struct err err = {""};
    arena_reset(it->turn);
    it->row->poll(it->account, it->turn, STR(""), &request);
    bool good = it->row->read(it->account, it->turn, &reply, &batch, &err);
    if (!good || batch.fatal)
        check(it->row, "says what was wrong with the news", err.text[0] != 0);
    check(it->row, "keeps secrets out of errors", !leaks(it, str_of(err.text)));
    if (!good)
        return 0;
    check_batch(it, &batch);
    return batch.n;
}

static void garbage_gives_no_updates(struct opened *it)
{
    static const struct str garbage[] = {
        {"", 0},
        {"\0\0\0\0", 4},
        {"{", 1},
        {"null", 4},
        {"[]", 2},
        {"{}", 2},
        {"true", 4},
        {"\"a", 2},
        {"1e999", 5},
        {"<html><body>Bad gateway</body></html>", 38},
        {"{\"ok\":true}", 11},
        {"{\"ok\":true,\"result\":7}", 22},
        {"{\"ok\":true,\"result\":[1,null,\"a\",[],{}]}", 40},
        {"{\"rooms\":[],\"next_batch\":5}", 27},
        {"{\"next_batch\":\"s1\",\"rooms\":{\"join\":[1]}}", 41},
        {"\xFF\xFE\xFD", 3},
    };
    static const int statuses[] = {0, 200, 302, 400, 401, 404, 409, 429, 500, 502, 999, -1};
    for (size_t g = 0; g < sizeof garbage / sizeof *garbage; g++)
        for (size_t s = 0; s < sizeof statuses / sizeof *statuses; s++)
            check(it->row, "hears nothing in garbage", read_once(it, statuses[s], garbage[g]) == 0);
}

static void deep_and_large_answers_are_harmless(struct opened *it)
{
    enum { BIG = 1 << 20 };
    char *bytes = malloc(BIG);
    memset(bytes, '[', BIG);
    check(it->row, "hears nothing in brackets", read_once(it, 200, (struct str){bytes, BIG}) == 0);
    memset(bytes, '{', BIG);
    check(it->row, "hears nothing in braces", read_once(it, 200, (struct str){bytes, BIG}) == 0);
    memset(bytes, 'a', BIG);
    bytes[0] = bytes[BIG - 1] = '"';
    check(it->row, "hears nothing in a long word",
          read_once(it, 200, (struct str){bytes, BIG}) == 0);
    free(bytes);
}

/* ---- said ---- */

/* Letters of every width, marks opened and left open, controls, a right-to-left name, markup. */
static struct str hostile(struct arena *a, size_t least)
{
    static const char pattern[] =
        "A<b>&\"'*_[x](y)`\\ \xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xE2\x80\xAE"
        "\xF0\x9F\x8E\xB4 e\xCC\x81 \x01"
        "bold\x07 \x05"
        "id7\x05"
        "Name\x07 \x04"
        "1790856000\x07 \x08"
        "fold\nmore\x07 \x03quiet\n";
    size_t n = 0;
    char *p = arena_alloc(a, least + sizeof pattern);
    while (n < least) {
        memcpy(p + n, pattern, sizeof pattern - 1);
        n += sizeof pattern - 1;
    }
    return (struct str){p, n};
}

static struct outgoing message(struct opened *it, enum out_kind kind, enum out_where where,
                               size_t length)
{
    struct outgoing out = {.kind = kind, .where = where, .chat = STR("chat 1"), .row = 77};
    out.text = length > 0 ? hostile(it->turn, length) : STR("x");
    out.to = where == TO_CHAT && kind != OUT_ANSWER ? STR("") : STR("12345");
    out.press = kind == OUT_ANSWER ? STR("press1") : STR("");
    out.slot = STR("board");
    out.direct_chat = where == TO_DIRECT ? STR("12345") : STR("");
    out.post = kind == OUT_ERASE || kind == OUT_CLOSE ? STR("42") : STR("");
    out.n_buttons =
        kind == OUT_POST ? it->limits.buttons < MAX_BUTTONS ? it->limits.buttons : MAX_BUTTONS : 0;
    out.buttons = arena_array(it->turn, struct button, MAX_BUTTONS);
    for (int i = 0; i < out.n_buttons; i++) {
        char *data = arena_alloc(it->turn, BUTTON_DATA);
        memset(data, 'd', BUTTON_DATA);
        out.buttons[i] = (struct button){.label = STR("\xF0\x9F\x8E\xB4 <b>\"&"),
                                         .style = (uint8_t)(i % BUTTON_LINK),
                                         .data = {data, BUTTON_DATA},
                                         .row_end = i % 4 == 3};
    }
    return out;
}

static void every_message_makes_a_valid_request(struct opened *it)
{
    static const size_t lengths[] = {0, 100, 1023, 4096, 5000, 70000};
    for (int kind = OUT_POST; kind <= OUT_ANSWER; kind++)
        for (int where = TO_CHAT; where <= TO_DIRECT; where++)
            for (size_t k = 0; k < 4 * sizeof lengths / sizeof *lengths; k++) {
                arena_reset(it->turn);
                struct outgoing out = message(it, kind, where, lengths[k / 4]);
                struct request request = {0};
                if (k % 4 == 1)
                    out.post = STR("42"); /* an edit */
                if (k % 4 == 2)
                    out.picture_bytes = STR("\x89PNG not really"), out.picture = STR("p");
                if (k % 4 == 3 && kind == OUT_POST && where == TO_DIRECT)
                    out.file_name = STR("a.koikoi"), out.file = STR("{}");
                if (k % 4 == 3)
                    out.n_buttons = 0, out.maybe_sent = true, out.direct_chat = STR("");
                it->row->send(it->account, it->turn, &out, &request);
                check_request(it, &request);
                check(it->row, "does not blow up what it is given", request.body.n <= 2 << 20);
            }
}

/* ---- answers ---- */

static struct receipt answer(struct opened *it, const struct outgoing *out, struct reply reply)
{
    struct request request = {0};
    struct receipt receipt = {0};
    reply.now = INT64_C(1700000000000);
    it->row->send(it->account, it->turn, out, &request);
    bool at_once = request.kind != REQUEST_HTTP; /* no line can fail */
    if (at_once)
        reply = (struct reply){.retry_after_ms = -1, .now = reply.now};
    it->row->receipt(it->account, it->turn, out, &reply, &receipt);
    check(it->row, "knows what became of it", receipt.kind <= NEVER && receipt.why <= NEVER_LATE);
    check(it->row, "keeps secrets out of notes", !leaks(it, receipt.note));
    check(it->row, "waits for a sane time", receipt.wait_ms >= 0);
    if (receipt.kind == MORE)
        check(it->row, "says how far it came", receipt.progress.n > 0);
    if (receipt.kind == NEVER || receipt.kind == LATER)
        check(it->row, "notes why", receipt.note.n > 0 && utf8_ok(receipt.note));
    return at_once ? (struct receipt){.kind = SENT, .wait_ms = -1} : receipt;
}

static void transient_errors_are_answered_later(struct opened *it)
{
    static const struct reply transient[] = {
        {.status = 0, .retry_after_ms = -1},
        {.status = 0, .retry_after_ms = -1, .cut = true},
        {.status = 500, .retry_after_ms = -1, .body = {"<html>", 6}},
        {.status = 502, .retry_after_ms = -1},
        {.status = 503, .retry_after_ms = 3000},
        {.status = 504, .retry_after_ms = -1, .body = {"{}", 2}},
    };
    struct outgoing out = message(it, OUT_POST, TO_CHAT, 100);
    for (size_t w = 0; w < sizeof transient / sizeof *transient; w++) {
        struct receipt r = answer(it, &out, transient[w]);
        check(it->row, "tries again after weather", r.wait_ms < 0 || r.kind == LATER);
        check(it->row, "waits as long as it was asked to",
              r.wait_ms < 0 || r.wait_ms >= transient[w].retry_after_ms);
    }
}

static void retry_after_is_passed_on(struct opened *it)
{
    struct outgoing out = message(it, OUT_POST, TO_CHAT, 100);
    struct receipt r = answer(it, &out, (struct reply){.status = 429, .retry_after_ms = 7000});
    check(it->row, "waits as long as the header says",
          r.wait_ms < 0 || (r.kind == LATER && r.wait_ms >= 7000));
    r = answer(it, &out,
               (struct reply){.status = 429, .retry_after_ms = -1, .body = STR("slow down")});
    check(it->row, "waits when told to slow down", r.wait_ms < 0 || r.kind == LATER);
}

static void refusal_is_final(struct opened *it)
{
    static const int refusals[] = {400, 403, 404, 405, 413};
    struct outgoing out = message(it, OUT_POST, TO_CHAT, 100);
    for (size_t s = 0; s < sizeof refusals / sizeof *refusals; s++) {
        struct receipt r = answer(it, &out,
                                  (struct reply){.status = refusals[s],
                                                 .retry_after_ms = -1,
                                                 .body = STR("{\"unexpected\":[1,2]}")});
        check(it->row, "does not repeat what was refused", r.wait_ms < 0 || r.kind == NEVER);
    }
}

static void receipt_survives_any_answer(struct opened *it)
{
    static const char *const bodies[] = {"",
                                         "{",
                                         "null",
                                         "[]",
                                         "{}",
                                         "\xFF",
                                         "{\"ok\":false}",
                                         "{\"ok\":\"yes\",\"result\":[]}",
                                         "{\"event_id\":7}",
                                         "{\"ok\":true,\"result\":{\"message_id\":\"x\"}}"};
    static const int statuses[] = {-1,  0,   100, 200, 201, 301, 400, 401, 403,
                                   404, 409, 413, 418, 429, 500, 503, 999};
    for (int kind = OUT_POST; kind <= OUT_ANSWER; kind++)
        for (int where = TO_CHAT; where <= TO_DIRECT; where++)
            for (size_t s = 0; s < sizeof statuses / sizeof *statuses; s++)
                for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
                    arena_reset(it->turn);
                    struct outgoing out = message(it, kind, where, 0);
                    struct receipt r = answer(it, &out,
                                              (struct reply){.status = statuses[s],
                                                             .retry_after_ms = -1,
                                                             .body = str_of(bodies[b])});
                    if (kind == OUT_POST && (statuses[s] < 200 || statuses[s] >= 300))
                        check(it->row, "believes no failure to be a success",
                              r.wait_ms < 0 || r.kind != SENT);
                }
}

#define OF_ROW(name)                                                                               \
    {                                                                                              \
#name, name, NULL                                                                          \
    }
#define OF_ACCOUNT(name)                                                                           \
    {                                                                                              \
#name, NULL, name                                                                          \
    }

static const struct promise {
    const char *name;
    void (*of_row)(const struct adapter *row);
    void (*of_account)(struct opened *it);
} promises[] = {
    OF_ROW(row_is_complete),
    OF_ROW(options_are_described_and_fit),
    OF_ROW(bad_option_is_one_clear_error),
    OF_ROW(poll_makes_a_valid_request),
    OF_ACCOUNT(open_adds_no_ability),
    OF_ACCOUNT(garbage_gives_no_updates),
    OF_ACCOUNT(deep_and_large_answers_are_harmless),
    OF_ACCOUNT(every_message_makes_a_valid_request),
    OF_ACCOUNT(transient_errors_are_answered_later),
    OF_ACCOUNT(retry_after_is_passed_on),
    OF_ACCOUNT(refusal_is_final),
    OF_ACCOUNT(receipt_survives_any_answer),
};
enum { N_PROMISES = sizeof promises / sizeof *promises };

struct kept {
    const struct adapter *row;
    const struct promise *promise;
};

static void keeps(void **state)
{
    const struct kept *k = *state;
    if (k->promise->of_row) {
        k->promise->of_row(k->row);
        return;
    }
    struct opened it = open_good(k->row);
    k->promise->of_account(&it);
    done(&it, true);
}

int main(void)
{
    static struct kept kept[N_ROWS][N_PROMISES];
    static struct CMUnitTest tests[N_ROWS][N_PROMISES];
    int null = open("/dev/null", O_RDWR); /* where an adapter without a network is pointed to */
    if (null < 0 || dup2(null, NOWHERE) < 0)
        return 1;
    for (int i = 0; i < N_ROWS; i++)
        for (int k = 0; k < N_PROMISES; k++) {
            char *name = NULL;
            if (asprintf(&name, "%s: %s", rows[i].file, promises[k].name) < 0)
                return 1;
            kept[i][k] = (struct kept){rows[i].row, &promises[k]};
            tests[i][k] = (struct CMUnitTest){name, keeps, NULL, NULL, &kept[i][k]};
        }
    return _cmocka_run_group_tests("contract", tests[0], N_ROWS * N_PROMISES, NULL, NULL);
}
