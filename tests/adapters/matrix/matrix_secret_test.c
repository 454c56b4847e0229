/* What is for one person alone, on every way by which the bot may have come to believe in a private
 * chat: a small homeserver that knows the truth is asked and told, and judges each request. A hand
 * goes where its row has asked who is there and found its reader alone, and never in the clear into a
 * room that is encrypted. Ways × truths × progress of the row, some ten thousand sends. */
#include "engine/test.h"
#include "engine/stride.h"

#include "adapters/account.h"
#include "json.h"

#include <string.h>

extern const struct adapter matrix_adapter;

#define SECRET  "SECRET HAND"
#define PICTURE "\x89PNG of a hand"
#define MEMBER(who, in)                                                                            \
    "{\"type\":\"m.room.member\",\"state_key\":\"@" who ":hs\",\"sender\":\"@" who                 \
    ":hs\",\"event_id\":\"$m" who "\",\"content\":{\"membership\":\"" in "\"}}"
#define ENCRYPTION                                                                                 \
    "{\"type\":\"m.room.encryption\",\"state_key\":\"\",\"sender\":\"@ann:hs\",\"event_id\":"      \
    "\"$enc\",\"content\":{\"algorithm\":\"m.megolm.v1.aes-sha2\"}}"
#define CREATION(who)                                                                              \
    "{\"type\":\"m.room.create\",\"state_key\":\"\",\"sender\":\"@" who ":hs\",\"event_id\":"      \
    "\"$make\",\"content\":{\"room_version\":\"10\"}}"

/* How the bot has heard of the room !r, after m.direct did or did not name it. */
enum telling {
    WAY_NONE,      /* no sync yet */
    WAY_ELSEWHERE, /* a first sync without it */
    WAY_FULL,      /* a first sync with its state */
    WAY_TIMELINE,  /* ... which is in the timeline */
    WAY_LATER,     /* its state, then what has changed */
    WAY_GAP,       /* its state, then a gap in which all changed */
    WAY_FLOOD,     /* its state behind more events than are read */
    WAY_CAME,      /* it appears in a later sync */
    WAYS
};

/* The truth, and what the row knows. */
struct truth {
    enum telling way;
    bool named;                    /* in m.direct */
    bool encrypted, third, by_bot; /* !r now; made by the bot */
    bool forced;                   /* the server encrypts rooms that the bot makes */
    bool chat;                     /* a match in the chat itself, not a message to Ann */
    bool known;                    /* the store knows !r as Ann's private chat */
    bool poll, pictured;
    const char *progress;
};

static struct arena *arena;
static void *account;
static struct str cursor;
static struct truth world;
static int made;                /* rooms that the bot has made: !new1 ... */
static bool asked_r, asked_new; /* who is in !r, in the last of those, since the row began */
static int n_sent, n_worlds;

static struct str answer_to(const struct request *r, int *ret_status);

static bool has(struct str text, const char *part)
{
    return text.n > 0 && memmem(text.p, text.n, part, strlen(part)) != NULL;
}

FIXTURE(setup)
{
    arena = arena_open(256 << 20);
    return 0;
}

FIXTURE(teardown)
{
    arena_close(arena);
    return 0;
}

static struct reply reply_of(int status, struct str body)
{
    return (struct reply){
        .status = status, .body = body, .retry_after_ms = -1, .now = 1790856000000};
}

/* One poll, whatever it asks, answered with `sync` if that is what it asks. */
static void polled(struct str sync)
{
    struct request r = {.kind = REQUEST_NONE};
    struct batch batch;
    struct err err;
    int status = 200;
    matrix_adapter.poll(account, arena, cursor, &r);
    struct str body = has(r.url, "/sync?") ? sync : answer_to(&r, &status);
    struct reply reply = reply_of(status, body);
    if (!matrix_adapter.read(account, arena, &reply, &batch, &err))
        fail_msg("%.*s: %s", STR_ARG(r.url), err.text);
    cursor = arena_str(arena, batch.cursor);
}

/* A sync that tells of these rooms, asked for as often as the bot wants it. */
static void hears(const char *rooms)
{
    const char *token = "\"s1\"";
    if (has(cursor, token))
        token = "\"s2\"";
    struct str sync =
        arena_print(arena, "{\"next_batch\":%s,\"rooms\":{\"join\":{%s}}}", token, rooms);
    for (int i = 0; i < 8 && !has(cursor, token); i++)
        polled(sync);
    assert_true(has(cursor, token));
}

/* The state of !r as a list of events; before something changed, if `early`. */
static const char *state(bool early)
{
    return arena_print(arena, "%s,%s,%s%s%s", world.by_bot ? CREATION("koi") : CREATION("ann"),
                       MEMBER("koi", "join"), MEMBER("ann", "join"),
                       world.third && !early ? "," MEMBER("eve", "join") : "",
                       world.encrypted && !early ? "," ENCRYPTION : "")
        .p;
}

static const char *whole_state(bool early)
{
    return arena_print(arena, "\"!r:hs\":{\"state\":{\"events\":[%s]}}", state(early)).p;
}

static const char *flood(void)
{
    enum { EVENTS = 51000 };
    static char text[EVENTS * 64];
    struct buf b = BUF(text);
    for (int i = 0; i < EVENTS; i++)
        buf_print(&b, "%s{\"type\":\"x\",\"state_key\":\"%d\"}", i > 0 ? "," : "", i);
    return arena_str(arena, buf_str(&b)).p;
}

static void learns(void)
{
    const char *changed =
        arena_print(arena, "%s%s%s", world.third ? MEMBER("eve", "join") : "",
                    world.third && world.encrypted ? "," : "", world.encrypted ? ENCRYPTION : "")
            .p;
    static const char elsewhere[] =
        "\"!x:hs\":{\"state\":{\"events\":[" MEMBER("ann", "join") "]}}";
    polled(STR("")); /* whoami */
    polled(STR("")); /* m.direct */
    switch (world.way) {
    case WAY_NONE:
        return;
    case WAY_ELSEWHERE:
        hears(elsewhere);
        return;
    case WAY_FULL:
        hears(whole_state(false));
        return;
    case WAY_TIMELINE:
        hears(arena_print(arena, "\"!r:hs\":{\"timeline\":{\"events\":[%s]}}", state(false)).p);
        return;
    case WAY_LATER:
    case WAY_GAP:
        hears(whole_state(true));
        hears(arena_print(arena, "\"!r:hs\":{\"timeline\":{\"limited\":%s,\"events\":[%s]}}",
                          world.way == WAY_GAP ? "true" : "false", changed)
                  .p);
        return;
    case WAY_FLOOD:
        hears(
            arena_print(arena, "\"!r:hs\":{\"state\":{\"events\":[%s,%s]}}", flood(), state(false))
                .p);
        return;
    default:
        hears(elsewhere);
        hears(whole_state(false));
    }
}

/* ---- the homeserver ---- */

static bool about(const struct request *r, const char *part)
{
    return has(r->url, part);
}

static struct str members(bool r)
{
    return arena_print(arena, "{\"chunk\":[%s,%s%s]}", MEMBER("koi", "join"), MEMBER("ann", "join"),
                       r && world.third ? "," MEMBER("eve", "join") : "");
}

/* Fails if the request must not be made. */
static void judge(const struct request *r, bool in_r)
{
    if (!has(r->body, SECRET) && !has(r->body, PICTURE))
        return;
    bool asked = in_r ? asked_r : asked_new, upload = about(r, "/upload");
    const char *wrong = NULL;
    if (!(upload ? asked_r || asked_new : asked))
        wrong = "it is not known who is there";
    else if (!upload && in_r && world.third)
        wrong = "others are there";
    else if (!upload && in_r && world.encrypted && !world.by_bot)
        wrong = "it is in the clear in an encrypted room";
    if (wrong)
        fail_msg("%s: way %d named %d encrypted %d third %d by_bot %d chat %d known %d progress "
                 "%s: %.*s",
                 wrong, world.way, world.named, world.encrypted, world.third, world.by_bot,
                 world.chat, world.known, world.progress, STR_ARG(r->url));
    n_sent += !upload;
}

static struct str answer_to(const struct request *r, int *ret_status)
{
    bool in_r = about(r, "%21r%3Ahs") || about(r, "!r:hs");
    *ret_status = 200;
    judge(r, in_r);
    if (about(r, "whoami"))
        return STR("{\"user_id\":\"@koi:hs\",\"device_id\":\"D\"}");
    if (about(r, "m.direct") && strcmp(r->method, "GET") == 0)
        return world.named ? STR("{\"@ann:hs\":[\"!r:hs\"]}") : STR("{}");
    if (about(r, "createRoom"))
        return arena_print(arena, "{\"room_id\":\"!new%d:hs\"}", ++made);
    if (about(r, "/members")) {
        *(in_r ? &asked_r : &asked_new) = true;
        return members(in_r);
    }
    if (about(r, "m.room.encryption")) {
        bool yes = in_r ? world.encrypted : world.forced;
        *ret_status = yes ? 200 : 404;
        return yes ? STR("{\"algorithm\":\"m.megolm.v1.aes-sha2\"}")
                   : STR("{\"errcode\":\"M_NOT_FOUND\"}");
    }
    bool reserved = world.known && about(r, "/media/v1/create");
    if (about(r, "/upload") || reserved)
        return STR("{\"content_uri\":\"mxc://hs/1\"}");
    return about(r, "/send/") ? STR("{\"event_id\":\"$new\"}") : STR("{}");
}

/* ---- the message ---- */

static struct outgoing hand(void)
{
    static struct button cards[] = {{.label = {"Pine", 4}, .data = {"1", 1}},
                                    {.label = {"Plum", 4}, .data = {"2", 1}}};
    return (struct outgoing){.where = world.chat ? TO_CHAT : TO_DIRECT,
                             .alone = world.chat,
                             .chat = world.chat || world.known ? STR("!r:hs") : STR(""),
                             .direct_chat = !world.chat && world.known ? STR("!r:hs") : STR(""),
                             .to = STR("@ann:hs"),
                             .text = STR(SECRET),
                             .picture_bytes = world.pictured ? STR(PICTURE) : STR(""),
                             .n_buttons = world.poll ? 2 : 0,
                             .buttons = cards,
                             .progress = str_of(world.progress),
                             .row = 7};
}

static void send_it(void)
{
    enum { STEPS = 40 };
    struct outgoing out = hand();
    asked_r = asked_new = false;
    for (int i = 0; i < STEPS; i++) {
        struct request r = {.kind = REQUEST_NONE};
        struct receipt receipt;
        struct reply reply = reply_of(0, STR(""));
        matrix_adapter.send(account, arena, &out, &r);
        if (r.kind == REQUEST_HTTP)
            reply.body = answer_to(&r, &reply.status);
        matrix_adapter.receipt(account, arena, &out, &reply, &receipt);
        if (receipt.kind != MORE)
            return;
        out.progress = arena_str(arena, receipt.progress);
        if (out.where == TO_DIRECT && receipt.direct_chat.n > 0)
            out.direct_chat = arena_str(arena, receipt.direct_chat);
    }
    fail_msg("no end: way %d encrypted %d by_bot %d progress %s", world.way, world.encrypted,
             world.by_bot, world.progress);
}

static void try_world(void)
{
    static const char *const options[] = {"homeserver=https://hs", "token=t", "e2ee=no", NULL};
    account = test_account_open(arena, &matrix_adapter, options);
    cursor = STR("");
    made = 0;
    learns();
    send_it();
    matrix_adapter.close(account);
    arena_reset(arena);
    n_worlds++;
}

/* Each truth, and each progress that a row may have brought from an earlier process. */
static void try_truths(enum telling way)
{
    static const char *const words[] = {
        "",
        "on room=!r:hs",
        "on room=!r:hs noted in",
        "on room=!r:hs made",
        "on room=!r:hs made open noted",
        "on room=!r:hs made open noted in other",
        "on room=!r:hs picture=mxc://hs/1#8,8,90 made open noted in",
        "on room=!r:hs picture=mxc://hs/1 image=$i in",
        "on room=!r:hs picture=mxc://hs/1#8,8,90 in reserved",
        "on room=!r:hs in anew",
        "on renew",
        "on other renew",
    };
    enum { BITS = 8 };
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        for (int bits = 0; bits < 1 << BITS; bits++) {
            bool made_by_us = strstr(words[w], "made") != NULL;
            world = (struct truth){.way = way,
                                   .named = bits & 1,
                                   .encrypted = bits & 2,
                                   .third = bits & 4,
                                   .by_bot = bits & 8,
                                   .chat = bits & 16,
                                   .known = bits & 32,
                                   .poll = bits & 64,
                                   .pictured = bits & 128,
                                   .forced = bits & 8,
                                   .progress = words[w]};
            if (!(made_by_us && !world.by_bot) &&
                !(way == WAY_FLOOD && (bits >= 64 || w > 0 || bits % stride(3, 1) != 0)))
                try_world();
        }
}

#define WAY_TEST(name, way)                                                                        \
    TEST_WITH(name, setup, teardown)                                                               \
    {                                                                                              \
        n_sent = n_worlds = 0;                                                                     \
        try_truths(way);                                                                           \
        print_message("%d hands went in %d worlds\n", n_sent, n_worlds);                           \
        assert_true(n_sent > 0);                                                                   \
    }
WAY_TEST(a_hand_before_the_first_sync_goes_only_where_it_may, WAY_NONE)
WAY_TEST(a_hand_to_a_room_of_which_no_sync_tells, WAY_ELSEWHERE)
WAY_TEST(a_hand_to_a_room_of_the_first_sync, WAY_FULL)
WAY_TEST(a_hand_to_a_room_whose_state_is_in_the_timeline, WAY_TIMELINE)
WAY_TEST(a_hand_to_a_room_that_has_changed, WAY_LATER)
WAY_TEST(a_hand_to_a_room_that_has_changed_within_a_gap, WAY_GAP)
WAY_TEST(a_hand_to_a_room_whose_state_was_not_read_to_its_end, WAY_FLOOD)
WAY_TEST(a_hand_to_a_room_that_came_later, WAY_CAME)
