/* What a homeserver once named, and we keep: messages, polls, pictures, threads, rooms, private chats,
 * the position of a sync, what is to be done in a room. A server that was put back from a backup, or
 * another one that the bot has moved to, may not know it any more, and says so in one of many ways.
 * Each word is refused in each of them, wherever it stands in a request: then the message arrives
 * without the word or, if the word is the place itself, takes the next way, and the next message does
 * not bring the word again; and what is heard is heard on. What passes (a limit, a token, a server in repair) is waited for, and then all is as
 * before. */
#include "engine/test.h"

#include "adapters/account.h"
#include "json.h"

#include <string.h>

extern const struct adapter matrix_adapter;

#define MEMBER(who)                                                                                \
    "{\"type\":\"m.room.member\",\"state_key\":\"@" who ":hs\",\"sender\":\"@" who                 \
    ":hs\",\"content\":{\"membership\":\"join\"}}"
#define ROOM(id, who) "\"" id "\":{\"state\":{\"events\":[" MEMBER("koi") "," MEMBER(who) "]}}"
#define SYNC(at)                                                                                   \
    "{\"next_batch\":\"" at                                                                        \
    "\",\"rooms\":{\"join\":{" ROOM("!tea", "bo") "," ROOM("!dm", "ann") "}}}"

enum { DAY_MS = 24 * 3600 * 1000, SHORT_MS = 2 * 60 * 1000 };

/* `passes`: the server has no objection to the word, and takes it the next time. */
static const struct denial {
    int status;
    const char *body;
    bool passes;
} refusals[] = {
    {404, "{\"errcode\":\"M_NOT_FOUND\",\"error\":\"x\"}", false},
    {403, "{\"errcode\":\"M_FORBIDDEN\",\"error\":\"x\"}", false},
    {400, "{\"errcode\":\"M_UNKNOWN\",\"error\":\"x\"}", false},
    {400, "{\"errcode\":\"M_INVALID_PARAM\",\"error\":\"x\"}", false},
    {400, "{\"errcode\":\"M_BAD_JSON\"}", false},
    {404, "{\"errcode\":\"M_UNRECOGNIZED\",\"error\":\"x\"}", false},
    {410, "{\"errcode\":\"ORG.SOMETHING.NEW\"}", false},
    {404, "<html>Not Found</html>", false},
    {400, "", false},
    {429, "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":86400000}", true},
    {429, "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":2000}", true},
    {429, "", true},
    {401, "{\"errcode\":\"M_UNKNOWN_TOKEN\"}", true},
    {401, "{\"errcode\":\"M_UNKNOWN_TOKEN\",\"soft_logout\":true}", true},
    {403, "<html>log in here</html>", true},
    {500, "{\"errcode\":\"M_UNKNOWN\"}", true},
    {502, "<html>Bad Gateway</html>", true},
    {504, "", true},
    {0, "", true},
};
enum { N_REFUSALS = sizeof refusals / sizeof *refusals };

enum word_is { IS_WORD, IS_PLACE, IS_GONE /* nothing is left to say */ };

/* `word` as it stands in a request, without the sigil, which a path writes otherwise. */
static const struct kept_word {
    const char *name;
    enum word_is is;
    const char *word;
    struct outgoing out;
} words[] = {
#define WORD(name, is, word, ...)                                                                  \
    {                                                                                              \
        name, is, word,                                                                            \
        {                                                                                          \
            .text = {"board", 5}, .row = 2, __VA_ARGS__                                            \
        }                                                                                          \
    }
#define IS(field, text) .field = {text, sizeof text - 1}
#define GROUP           .where = TO_CHAT, IS(chat, "!tea")
#define PRIVATE         .where = TO_DIRECT, IS(to, "@ann:hs")
#define POLL            .buttons = hand, .n_buttons = 1
#define PICTURE         IS(picture_file, "mxc://hs/sent#800,600,4000")
#define hand            ((struct button[]){{.label = {"Crane", 5}, .data = {"p1", 2}}})
    WORD("a board", IS_WORD, "old42", GROUP, IS(post, "$old42")),
    WORD("a board in a picture", IS_WORD, "old42", GROUP, IS(post, "image:$old42 $old42"), PICTURE),
    WORD("a board that a picture replaces", IS_WORD, "old42", GROUP, IS(post, "$old42"), PICTURE),
    WORD("a hand in private", IS_WORD, "old42", PRIVATE, IS(post, "$old42")),
    WORD("a poll that another replaces", IS_WORD, "old42", PRIVATE, IS(post, "poll:$old42 $old42"),
         POLL),
    WORD("a poll that is over", IS_GONE, "old42", .kind = OUT_CLOSE, GROUP,
         IS(post, "poll:$old42 $old42")),
    WORD("a message to erase", IS_GONE, "old42", .kind = OUT_ERASE, GROUP, IS(post, "$old42")),
    WORD("the message that is answered", IS_WORD, "ask7", GROUP, IS(reply_to, "$ask7")),
    WORD("the thread that it is in", IS_WORD, "thread7", GROUP, IS(reply_to, "$ask $thread7")),
    WORD("a picture sent before", IS_WORD, "mxc://hs/sent", GROUP, PICTURE),
    WORD("a picture in an edit", IS_WORD, "mxc://hs/sent", GROUP, IS(post, "image:$old42 $old42"),
         PICTURE),
    WORD("a picture in private", IS_WORD, "mxc://hs/sent", PRIVATE, PICTURE),
    WORD("a picture above a poll", IS_WORD, "mxc://hs/sent", PRIVATE, PICTURE, POLL),
    WORD("a private chat", IS_WORD, "dm", PRIVATE),
    WORD("a private chat with a board", IS_WORD, "dm", PRIVATE, IS(post, "$old42")),
    WORD("a private chat with a poll", IS_WORD, "dm", PRIVATE, POLL),
    WORD("a private chat that the store knows", IS_WORD, "dm", PRIVATE, IS(direct_chat, "!dm")),
    WORD("one that it alone knows", IS_WORD, "lost9", PRIVATE, IS(direct_chat, "!lost9")),
    WORD("one that another row has made", IS_WORD, "lost9", PRIVATE, POLL,
         IS(progress, "on room=!lost9 open noted in")),
    WORD("a private chat whose person has left", IS_WORD, "alone8/invite", .where = TO_DIRECT,
         IS(to, "@ann:hs"), IS(direct_chat, "!alone8")),
    WORD("a room", IS_PLACE, "tea", GROUP),
    WORD("a room with a board", IS_PLACE, "tea", GROUP, IS(post, "$old42")),
    WORD("a room with a picture", IS_PLACE, "tea", GROUP, PICTURE),
    WORD("a thread's room", IS_PLACE, "tea", .where = TO_CHAT, IS(chat, "!tea $thread7")),
    WORD("a private chat with a match in it", IS_PLACE, "dm", .where = TO_CHAT, IS(chat, "!dm"),
         .alone = true),
    WORD("the person themselves", IS_PLACE, "kei", .where = TO_DIRECT, IS(to, "@kei:hs")),
};
enum { N_WORDS = sizeof words / sizeof *words };

static struct arena *process;
static void *account;
static struct str cursor;
static int64_t now;
static int n_wrong; /* of one test: all of them are printed */

static void wrong(const char *name, const struct denial *no, const char *what)
{
    print_error("%s: after %d \"%s\": %s\n", name, no->status, no->body, what);
    n_wrong++;
}

static bool has(struct str text, const char *part)
{
    return text.n > 0 && memmem(text.p, text.n, part, strlen(part)) != NULL;
}

/* A homeserver in which all is well. */
static struct reply well(const struct request *r)
{
    static const struct {
        const char *part, *body;
    } answers[] = {
        {"/account/whoami", "{\"user_id\":\"@koi:hs\",\"device_id\":\"D\"}"},
        {"/account_data/m.direct", "{\"@ann:hs\":[\"!dm\"]}"},
        {"/sync?", SYNC("s1")},
        {"alone8/members", "{\"chunk\":[" MEMBER("koi") "]}"},
        {"kei/members", "{\"chunk\":[" MEMBER("koi") "," MEMBER("kei") "]}"},
        {"/members", "{\"chunk\":[" MEMBER("koi") "," MEMBER("ann") "]}"},
        {"/createRoom", "{\"room_id\":\"!new\"}"},
        {"/media/v1/create", "{\"content_uri\":\"mxc://hs/new\"}"},
        {"/messages?", "{\"chunk\":[],\"start\":\"a\"}"},
        {"/send/", "{\"event_id\":\"$new\"}"},
        {"/redact/", "{\"event_id\":\"$new\"}"},
    };
    struct reply reply = {.status = 200, .retry_after_ms = -1, .now = now, .body = STR("{}")};
    if (has(r->url, "/state/m.room.encryption")) {
        reply.status = 404;
        reply.body = STR("{\"errcode\":\"M_NOT_FOUND\"}");
        return reply;
    }
    if (has(r->url, "/createRoom") && has(r->body, "@kei:hs")) {
        reply.body = STR("{\"room_id\":\"!kei\"}");
        return reply;
    }
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (has(r->url, answers[i].part)) {
            reply.body = str_of(answers[i].body);
            break;
        }
    return reply;
}

static struct reply answer(const struct request *r, const char *word, const struct denial *no)
{
    struct reply reply = well(r);
    if (word && (has(r->url, word) || has(r->body, word))) {
        reply.status = no->status;
        reply.body = str_of(no->body);
    }
    return reply;
}

/* One poll, and what runs beside it. Returns false with an error. */
static bool hears(const char *word, const struct denial *no, struct batch *ret, struct err *err)
{
    struct request r = {.kind = REQUEST_NONE};
    matrix_adapter.poll(account, process, cursor, &r);
    assert_int_equal(r.kind, REQUEST_HTTP);
    struct reply reply = answer(&r, word, no);
    *ret = (struct batch){0};
    bool good = matrix_adapter.read(account, process, &reply, ret, err);
    if (good)
        cursor = arena_str(process, ret->cursor);
    now += ret->wait_ms > 0 ? ret->wait_ms : 1;
    return good;
}

static void arrives(void)
{
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=tok",
                                          "pace=0", NULL};
    struct batch batch;
    struct err err;
    process = arena_open(64 << 20);
    now = 1790856000000;
    cursor = STR("");
    account = test_account_open(process, &matrix_adapter, options);
    for (int i = 0; i < 8; i++)
        if (!hears(NULL, NULL, &batch, &err))
            fail_msg("%s", err.text);
    assert_true(has(cursor, "s1"));
}

static void leaves(void)
{
    matrix_adapter.close(account);
    arena_close(process);
}

/* What the outbox does with a message until it has arrived or cannot. */
static struct receipt deliver(const struct kept_word *w, const struct denial *no,
                              struct outgoing *ret_next)
{
    enum { CALLS = 40, REFUSED = 3 };
    struct outgoing out = *ret_next = w->out;
    struct receipt got = {0};
    int refused = 0;
    for (int i = 0; i < CALLS; i++) {
        struct request r = {.kind = REQUEST_NONE};
        struct reply reply = {.retry_after_ms = -1, .now = now};
        struct batch batch;
        struct err err;
        const char *word = no->passes && refused >= REFUSED ? NULL : w->word;
        matrix_adapter.send(account, process, &out, &r);
        if (r.kind == REQUEST_HTTP)
            reply = answer(&r, word, no);
        if (r.kind == REQUEST_HTTP && reply.status == no->status && reply.body.p == no->body)
            refused++;
        matrix_adapter.receipt(account, process, &out, &reply, &got);
        test_remember(ret_next, &got);
        if (got.kind == LATER) {
            assert_in_range(got.wait_ms, 0, DAY_MS);
            if (got.all_chats && got.wait_ms > SHORT_MS)
                wrong(w->name, no, "all chats wait");
            now += got.wait_ms + 1000;
            (void)hears(NULL, NULL, &batch, &err);
        } else if (!test_goes_on(&out, &got)) {
            return got;
        }
    }
    got.note = STR("is tried again without end");
    return got;
}

/* What is answered, and what a row has done so far, is stored nowhere. */
static bool brings_again(const struct kept_word *w, const struct outgoing *next)
{
    struct request r = {.kind = REQUEST_NONE};
    if (w->is != IS_WORD || w->out.reply_to.n > 0 || w->out.progress.n > 0)
        return false;
    struct outgoing out = *next;
    out.row++;
    matrix_adapter.send(account, process, &out, &r);
    if (has(r.url, "/account_data/m.direct")) /* a list of all private chats */
        return false;
    return has(r.url, w->word) || has(r.body, w->word);
}

TEST(no_stored_word_of_a_message_is_for_ever)
{
    n_wrong = 0;
    for (int i = 0; i < N_WORDS; i++)
        for (int k = 0; k < N_REFUSALS; k++) {
            const struct kept_word *w = &words[i];
            const struct denial *no = &refusals[k];
            arrives();
            struct outgoing next;
            struct receipt got = deliver(w, no, &next);
            bool shut = w->is == IS_PLACE && !no->passes;
            bool as_it_should =
                shut ? got.kind == NEVER && got.why == NEVER_UNREACHABLE : got.kind == SENT;
            if (w->is == IS_GONE) /* nothing is said by it */
                as_it_should = got.kind != LATER && got.why != NEVER_UNREACHABLE;
            if (!as_it_should)
                wrong(w->name, no,
                      arena_print(process, "receipt %d %d, %.*s", got.kind, got.why,
                                  STR_ARG(got.note))
                          .p);
            else if (!no->passes && brings_again(w, &next))
                wrong(w->name, no, "the next message brings it again");
            leaves();
        }
    assert_int_equal(n_wrong, 0);
}

/* What the cursor holds. `is`: the words of an action in it; NULL: of the position. */
static const struct {
    const char *name, *word, *action;
} heard[] = {
    {"the position of a sync", "since=s1", NULL},
    {"the private chats of the account", "account_data/m.direct", NULL},
    {"a room to look at", "look4", "{\"do\":\"look\",\"room\":\"!look4\",\"who\":\"@bo:hs\"}"},
    {"a room that replaces another", "next4",
     "{\"do\":\"prove\",\"room\":\"!tea\",\"to\":\"!next4\"}"},
    {"a room that is replaced", "old4", "{\"do\":\"trace\",\"room\":\"!old4\",\"to\":\"!tea\"}"},
    {"an invitation to a private chat", "pair4",
     "{\"do\":\"pair\",\"room\":\"!pair4\",\"who\":\"@bo:hs\"}"},
    {"a private chat to be noted", "note4",
     "{\"do\":\"direct\",\"room\":\"!note4\",\"who\":\"@bo:hs\"}"},
    {"a gap", "gap4", "{\"do\":\"fill\",\"room\":\"!tea\",\"at\":\"gap4\",\"to\":\"s1\"}"},
};
enum { N_HEARD = sizeof heard / sizeof *heard };

/* The process starts again with its cursor. */
static void starts_again(void)
{
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=tok", NULL};
    matrix_adapter.close(account);
    account = test_account_open(process, &matrix_adapter, options);
}

/* What is said in a room an hour after the first refusal at the latest is heard. A refusal without a
 * code is not a homeserver's: while a gate answers in its place, the account waits. */
static void hears_on(const char *name, const char *word, bool of_all, const struct denial *no)
{
    enum { POLLS = 60, HOUR_MS = 3600 * 1000 };
    int64_t began = now;
    bool limited = no->status == 429 && strstr(no->body, "86400000") != NULL;
    for (int i = 0; i < POLLS; i++) {
        struct batch batch;
        struct err err = {.text = ""};
        struct request r = {.kind = REQUEST_NONE};
        if (no->passes && i >= 3)
            word = NULL;
        matrix_adapter.poll(account, process, cursor, &r);
        bool sync = has(r.url, "/sync?") && !(word && has(r.url, word));
        (void)hears(word, no, &batch, &err);
        if (batch.fatal)
            break;
        /* the account waits as it is asked to */
        if (sync && now - began <= HOUR_MS + (limited && of_all ? 3 * (int64_t)DAY_MS : 0))
            return;
    }
    wrong(name, no, "nothing is heard for an hour");
}

TEST(no_stored_word_of_what_is_heard_is_for_ever)
{
    n_wrong = 0;
    for (int i = 0; i < N_HEARD; i++)
        for (int k = 0; k < N_REFUSALS; k++) {
            const struct denial *no = &refusals[k];
            bool gate = !no->passes && !strstr(no->body, "errcode");
            if (no->status == 401 || (gate && !heard[i].action))
                continue; /* the account's one token: login.exchange */
            arrives();
            const char *at = memmem(cursor.p, cursor.n, "\"born\"", 6);
            assert_non_null(at);
            size_t before = (size_t)(at - cursor.p);
            if (heard[i].action)
                cursor = arena_print(process, "%.*s\"todo\":[%s],%.*s", (int)before, cursor.p,
                                     heard[i].action, (int)(cursor.n - before), at);
            starts_again();
            hears_on(heard[i].name, heard[i].word, !heard[i].action, no);
            leaves();
        }
    assert_int_equal(n_wrong, 0);
}
