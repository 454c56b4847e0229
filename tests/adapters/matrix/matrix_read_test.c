/* Events of rooms, as a homeserver sends them, and the updates they become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "adapters/matrix/matrix_exchange.h"

#define BY(user, id)                                                                               \
    "\"sender\":\"@" user ":example.org\",\"event_id\":\"$" id                                     \
    "\",\"origin_server_ts\":1790856000123"
#define TEXT(user, id, body)                                                                       \
    "{\"type\":\"m.room.message\"," BY(                                                            \
        user, id) ",\"content\":{\"msgtype\":\"m.text\",\"body\":\"" body "\"}}"

/* The update of one event in a joined room; NULL if there is none. */
static const struct update *heard(struct matrix_exchange *p, const char *room, const char *event)
{
    exchange_events(p, "s2", room, event);
    assert_in_range(p->batch.n, 0, 1);
    return p->batch.n > 0 ? &p->batch.at[0] : NULL;
}

static void a_command_in_a_room(void **state)
{
    struct matrix_exchange *p = *state;
    const struct update *u =
        heard(p, "!tea", TEXT("bo", "e1", " !KOI  Challenge @ann:example.org sensei "));
    assert_non_null(u);
    assert_int_equal(u->kind, UPDATE_TEXT);
    assert_str(u->text, "/Challenge @ann:example.org sensei");
    assert_str(u->id, "$e1");
    assert_str(u->chat, "!tea");
    assert_str(u->chat_name, "Tea room");
    assert_str(u->from.id, "@bo:example.org");
    assert_str(u->from.handle, "bo:example.org");
    assert_int_equal(u->when, INT64_C(1790856000123));
    assert_int_equal(u->n_mentions, 1);
    assert_str(u->mention[0].id, "@ann:example.org");
    assert_false(u->direct || u->admin);
}

static void numbers_and_bare_prefixes(void **state)
{
    struct matrix_exchange *p = *state;
    assert_str(heard(p, "!tea", TEXT("bo", "e1", "!koi 3"))->text, "/play 3");
    assert_str(heard(p, "!tea", TEXT("bo", "e2", "!koi"))->text, "/help");
    assert_str(heard(p, "!dm", TEXT("ann", "e3", "3"))->text, "3");
    assert_str(heard(p, "!dm", TEXT("ann", "e4", "!koi stop"))->text, "/stop");
}

static void messages_between_people_are_ignored(void **state)
{
    (void)state;
    static const char *const chatter[] = {
        TEXT("bo", "e1", "shall we play?"),
        TEXT("bo", "e2", "!koikoi is a game"),
        TEXT("koi", "e3", "!koi hand"),
        "{\"type\":\"m.room.message\"," BY(
            "bo", "e4") ",\"content\":{\"msgtype\":\"m.notice\",\"body\":\"!koi hand\"}}",
        "{\"type\":\"m.room.message\"," BY(
            "bo", "e5") ",\"content\":{\"msgtype\":\"m.text\",\"body\":\"* !koi hand\","
                        "\"m.new_content\":{\"msgtype\":\"m.text\",\"body\":\"!koi hand\"},"
                        "\"m.relates_to\":{\"rel_type\":\"m.replace\",\"event_id\":\"$e1\"}}}",
        "{\"type\":\"m.room.message\"," BY("bo", "e6") ",\"content\":{}}",
    };
    for (size_t i = 0; i < sizeof chatter / sizeof *chatter; i++) {
        struct matrix_exchange *p = exchange_ready();
        assert_null(heard(p, "!tea", chatter[i]));
        exchange_close(p);
    }
}

static void garbled_events_are_skipped(void **state)
{
    (void)state;
    static const char *const garbled[] = {
        "7",
        "null",
        "[]",
        "{}",
        "{\"type\":7}",
        "{\"type\":\"m.room.message\",\"sender\":\"bo\",\"event_id\":\"$x\",\"content\":{"
        "\"msgtype\":\"m.text\",\"body\":\"!koi x\"}}",
        "{\"type\":\"m.room.message\",\"sender\":\"@bo:example.org\",\"content\":{\"msgtype\":\"m."
        "text\",\"body\":\"!koi x\"}}",
        "{\"type\":\"m.room.message\"," BY(
            "bo", "e1") ",\"content\":{\"msgtype\":\"m.text\",\"body\":[\"!koi x\"]}}",
        "{\"type\":\"m.reaction\"," BY("bo", "e2") ",\"content\":{\"m.relates_to\":7}}",
        "{\"type\":\"org.matrix.msc3381.poll.response\"," BY(
            "bo", "e3") ",\"content\":{\"org.matrix.msc3381.poll.response\":{\"answers\":[7]}}}",
        "{\"type\":\"m.room.tombstone\",\"state_key\":\"\"," BY(
            "bo", "e4") ",\"content\":{\"replacement_room\":\"no room\"}}",
    };
    for (size_t i = 0; i < sizeof garbled / sizeof *garbled; i++) {
        struct matrix_exchange *p = exchange_ready();
        assert_null(heard(p, "!tea", garbled[i]));
        assert_non_null(heard(p, "!tea", TEXT("bo", "e9", "!koi hand")));
        exchange_close(p);
    }
}

static void pill_becomes_its_user_id(void **state)
{
    struct matrix_exchange *p = *state;
    const struct update *u = heard(
        p, "!tea",
        "{\"type\":\"m.room.message\"," BY(
            "bo",
            "e1") ",\"content\":{\"msgtype\":\"m.text\",\"body\":\"!koi challenge Ann <3 okoshki\","
                  "\"format\":\"org.matrix.custom.html\",\"formatted_body\":\"!koi challenge <a "
                  "href=\\\"https://matrix.to/#/%40ann%3Aexample.org\\\">"
                  "Ann &lt;3</a> "
                  "okoshki\",\"m.mentions\":{\"user_ids\":[\"@kei:example.org\",\"@ann:example."
                  "org\"]}}}");
    assert_non_null(u);
    assert_str(u->text, "/challenge @ann:example.org okoshki");
    assert_int_equal(u->n_mentions, 2);
    assert_str(u->mention[0].id, "@ann:example.org");
    assert_str(u->mention[1].id, "@kei:example.org");
}

static void mention_addresses_the_bot(void **state)
{
    struct matrix_exchange *p = *state;
    const struct update *u = heard(
        p, "!tea",
        "{\"type\":\"m.room.message\"," BY(
            "bo", "e1") ",\"content\":{\"msgtype\":\"m.text\",\"body\":\"koi: hand\",\"format\":"
                        "\"org.matrix.custom.html\",\"formatted_body\":\"<a "
                        "href='https://matrix.to/#/@koi:example.org'>koi</a>: hand\"}}");
    assert_non_null(u);
    assert_str(u->text, "/hand");
    assert_int_equal(u->n_mentions, 0);
}

/* "challenge @koi" means the computer, whoever is mentioned first. */
static void mention_as_opponent_means_the_computer(void **state)
{
    struct matrix_exchange *p = *state;
    static const char *const ways[] = {"!koi challenge @koi:example.org hard",
                                       "@koi:example.org: challenge @koi:example.org hard"};
    for (int i = 0; i < 2; i++) {
        char event[512];
        snprintf(event, sizeof event,
                 "{\"type\":\"m.room.message\"," BY(
                     "bo", "e%d") ",\"content\":{\"msgtype\":\"m.text\",\"body\":\"%s\","
                                  "\"m.mentions\":{\"user_ids\":[\"@koi:example.org\"]}}}",
                 i, ways[i]);
        const struct update *u = heard(p, "!tea", event);
        assert_non_null(u);
        assert_str(u->text, "/challenge @koi:example.org hard");
        assert_int_equal(u->n_mentions, 1);
        assert_true(u->mention[0].bot);
    }
}

static void reply_to_the_bot(void **state)
{
    struct matrix_exchange *p = *state;
    const struct update *u =
        heard(p, "!tea",
              "{\"type\":\"m.room.message\"," BY(
                  "bo", "e1") ",\"content\":{\"msgtype\":\"m.text\",\"body\":\"> "
                              "<@koi:example.org> board\\n\\nstop\","
                              "\"m.mentions\":{\"user_ids\":[\"@koi:example.org\"]},\"m.relates_"
                              "to\":{\"m.in_reply_to\":{\"event_id\":\"$board\"}}}}");
    assert_non_null(u);
    assert_str(u->text, "stop");
    assert_str(u->post, "$board");
}

static void votes_are_presses(void **state)
{
    (void)state;
    static const char *const votes[] = {
        "{\"type\":\"org.matrix.msc3381.poll.response\"," BY(
            "ann", "e1") ",\"content\":{\"m.relates_to\":{\"rel_type\":\"m.reference\","
                         "\"event_id\":\"$poll\"},\"org.matrix.msc3381.poll.response\":{"
                         "\"answers\":[\"k7.3\"]}}}",
        "{\"type\":\"m.poll.response\"," BY(
            "ann", "e2") ",\"content\":{\"m.relates_to\":{\"rel_type\":\"m.reference\","
                         "\"event_id\":\"$poll\"},\"m.selections\":[\"k7.3\"]}}",
    };
    for (int i = 0; i < 2; i++) {
        struct matrix_exchange *p = exchange_ready();
        const struct update *u = heard(p, "!dm", votes[i]);
        assert_non_null(u);
        assert_int_equal(u->kind, UPDATE_PRESS);
        assert_str(u->text, "k7.3");
        assert_str(u->post, "poll:$poll");
        assert_true(u->direct);
        exchange_close(p);
    }
}

static void a_number_as_reaction(void **state)
{
    (void)state;
    static const char *const keys[] = {"3\\ufe0f\\u20e3", "3\\u20e3", "3"};
    for (int i = 0; i < 3; i++) {
        struct matrix_exchange *p = exchange_ready();
        char event[400];
        snprintf(event, sizeof event,
                 "{\"type\":\"m.reaction\"," BY(
                     "ann", "e1") ",\"content\":{\"m.relates_to\":{\"rel_type\":\"m.annotation\","
                                  "\"event_id\":\"$hand\",\"key\":\"%s\"}}}",
                 keys[i]);
        const struct update *u = heard(p, "!dm", event);
        assert_non_null(u);
        assert_int_equal(u->kind, UPDATE_TEXT);
        assert_str(u->text, "3");
        assert_str(u->post, "$hand");
        exchange_close(p);
    }
    struct matrix_exchange *p = exchange_ready();
    assert_null(heard(
        p, "!dm",
        "{\"type\":\"m.reaction\"," BY(
            "ann", "e1") ",\"content\":{\"m.relates_to\":{\"rel_type\":"
                         "\"m.annotation\",\"event_id\":\"$hand\",\"key\":\"\\ud83d\\ude02\"}}}"));
    exchange_close(p);
}

/* A thumb of any colour, a mark with or without U+FE0F. */
static void a_sign_as_reaction(void **state)
{
    (void)state;
    static const struct {
        const char *key, *text;
    } rows[] = {{"\\ud83d\\udc4d", "yes"},  {"\\ud83d\\udc4d\\ud83c\\udffd", "yes"},
                {"\\u2705", "yes"},         {"\\u2714\\ufe0f", "yes"},
                {"\\ud83d\\udc4e", "no"},   {"\\u274c", "no"},
                {"\\ud83d\\udd01", "again"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct matrix_exchange *p = exchange_ready();
        char event[400];
        snprintf(event, sizeof event,
                 "{\"type\":\"m.reaction\"," BY(
                     "ann", "e1") ",\"content\":{\"m.relates_to\":{\"rel_type\":\"m.annotation\","
                                  "\"event_id\":\"$offer\",\"key\":\"%s\"}}}",
                 rows[i].key);
        const struct update *u = heard(p, "!tea", event);
        assert_non_null(u);
        assert_true(u->kind == UPDATE_TEXT && u->reacted);
        assert_str(u->text, rows[i].text);
        assert_str(u->post, "$offer");
        exchange_close(p);
    }
}

static void encrypted_room_is_reported_once(void **state)
{
    struct matrix_exchange *p = *state;
    static const char closed[] = "{\"type\":\"m.room.encrypted\"," BY(
        "bo", "e1") ",\"content\":{\"algorithm\":\"m.megolm.v1.aes-sha2\"}}";
    const struct update *u = heard(p, "!tea", closed);
    assert_non_null(u);
    assert_int_equal(u->kind, UPDATE_RIGHTS);
    assert_str(u->text, "encrypted");
    assert_str(u->id, "encrypted:!tea");
    assert_str(u->from.id, "@bo:example.org");
    assert_null(heard(p, "!tea", closed));
}

static void power_levels(void **state)
{
    struct matrix_exchange *p = *state;
    assert_true(heard(p, "!tea", TEXT("ann", "e1", "!koi settings"))->admin);
    assert_false(heard(p, "!tea", TEXT("bo", "e2", "!koi settings"))->admin);
    assert_null(heard(p, "!tea",
                      "{\"type\":\"m.room.power_levels\",\"state_key\":\"\"," BY(
                          "ann", "e3") ",\"content\":{\"users\":{\"@bo:example.org\":50}}}"));
    assert_true(heard(p, "!tea", TEXT("bo", "e4", "!koi settings"))->admin);
    assert_false(heard(p, "!tea", TEXT("ann", "e5", "!koi settings"))->admin);
}

/* Malformed levels: a list in place of users, strings and huge numbers in place of numbers. */
static void malformed_power_levels(void **state)
{
    struct matrix_exchange *p = *state;
    static const char *const CONTENTS[] = {
        "{\"users\":[1,{\"@bo:example.org\":100}]}",
        "{\"users\":\"@bo:example.org\",\"events\":[7],\"state_default\":{}}",
        "{\"users\":{\"@bo:example.org\":[100],\"\":100,\"bo\":100},\"users_default\":null}",
        "[]",
    };
    for (size_t i = 0; i < sizeof CONTENTS / sizeof *CONTENTS; i++) {
        assert_null(heard(p, "!tea",
                          arena_print(p->turn,
                                      "{\"type\":\"m.room.power_levels\",\"state_key\":\"\"," BY(
                                          "ann", "l%zu") ",\"content\":%s}",
                                      i, CONTENTS[i])
                              .p));
        assert_false(
            heard(p, "!tea", arena_print(p->turn, TEXT("bo", "t%zu", "!koi settings"), i).p)
                ->admin);
    }
    heard(p, "!tea",
          "{\"type\":\"m.room.power_levels\",\"state_key\":\"\"," BY(
              "ann", "e8") ",\"content\":{\"users\":{\"@bo:example.org\":1e300,"
                           "\"@ann:example.org\":\"100\",\"@kei:example.org\":-1e300}}}");
    assert_true(heard(p, "!tea", TEXT("bo", "e9", "!koi settings"))->admin);
    assert_true(heard(p, "!tea", TEXT("ann", "e10", "!koi settings"))->admin);
    assert_false(heard(p, "!tea", TEXT("kei", "e11", "!koi settings"))->admin);
}

/* An event has at most 64 KiB; a sync may bring many. */
static void many_additional_creators(void **state)
{
    enum { CROWD = 7000, ROOMS = 12 };
    struct matrix_exchange *p = *state;
    size_t cap = ROOMS * (CROWD * 9 + 512);
    struct buf b = {arena_alloc(p->process, cap), 0, cap, false};
    buf_put(&b, STR("{\"join\":{"));
    for (int i = 0; i < ROOMS; i++) {
        buf_print(
            &b,
            "%s\"!c%d\":{\"state\":{\"events\":[{\"type\":\"m.room.create\",\"state_key\":\"\","
            "\"sender\":\"@ann:example.org\",\"event_id\":\"$c%d\",\"content\":{"
            "\"room_version\":\"12\",\"additional_creators\":[7",
            i ? "," : "", i, i);
        for (int k = 0; k < CROWD; k++)
            buf_put(&b, STR(",\"@a:b\""));
        buf_put(&b, STR(",\"@bo:example.org\"]}}]}}"));
    }
    buf_put(&b, STR("}}"));
    assert_false(b.cut);
    buf_char(&b, 0);
    exchange_sync(p, "s2", b.p);
    assert_true(heard(p, "!c3", TEXT("bo", "e1", "!koi settings"))->admin);
    assert_true(heard(p, "!c3", TEXT("ann", "e2", "!koi settings"))->admin);
    assert_false(heard(p, "!c3", TEXT("kei", "e3", "!koi settings"))->admin);
}

#define INVITE(user, direct)                                                                       \
    "{\"invite\":{\"!new\":{\"invite_state\":{\"events\":[{\"type\":\"m.room.member\",\"state_"    \
    "key\":\"@koi:example.org\","                                                                  \
    "\"sender\":\"@" user "\",\"content\":{\"membership\":\"invite\",\"is_direct\":" direct        \
    "}}]}}}}"

static void invite_is_accepted_and_history_ignored(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_sync(p, "s2", INVITE("bo:far.example", "false"));
    assert_int_equal(p->batch.n, 0);
    exchange_poll(p, "POST", "/_matrix/client/v3/join/%21new?via=far.example", 200,
                  "{\"room_id\":\"!new\"}");
    exchange_poll(p, "GET", "/rooms/%21new/state/m.room.create/", 200, "{}");
    exchange_events(
        p, "s3", "!new",
        TEXT("bo", "e1", "!koi challenge") ",{\"type\":\"m.room.name\",\"state_key\":\"\"," BY(
            "bo", "e2") ",\"content\":{\"name\":\"Den\"}},"
                        "{\"type\":\"m.room.member\",\"state_key\":\"@koi:example.org\"," BY(
                            "koi",
                            "e3") ",\"content\":{\"membership\":\"join\"}}," TEXT("bo", "e4",
                                                                                  "!koi hand"));
    assert_int_equal(p->batch.n, 2);
    assert_int_equal(p->batch.at[0].kind, UPDATE_JOINED);
    assert_str(p->batch.at[0].chat, "!new");
    assert_str(p->batch.at[0].chat_name, "Den");
    assert_str(p->batch.at[1].text, "/hand");
}

static void invite_to_a_private_chat_is_written_to_m_direct(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_sync(p, "s2", INVITE("bo:example.org", "true"));
    exchange_poll(p, "POST", "/join/%21new", 200, "{\"room_id\":\"!new\"}");
    exchange_poll(p, "GET", "/rooms/%21new/state/m.room.create/", 200, "{}");
    exchange_poll(p, "PUT", "/user/%40koi%3Aexample.org/account_data/m.direct", 200, "{}");
    exchange_body(p, "{\"@ann:example.org\":[\"!dm\"],\"@bo:example.org\":[\"!new\"]}");
    exchange_events(
        p, "s3", "!new",
        "{\"type\":\"m.room.member\",\"state_key\":\"@koi:example.org\"," BY(
            "koi", "e3") ",\"content\":{\"membership\":\"join\"}}," TEXT("bo", "e4", "hand"));
    assert_int_equal(p->batch.n, 2);
    assert_true(p->batch.at[1].direct);
    assert_str(p->batch.at[1].text, "hand");
}

static void allow_list_refuses_others(void **state)
{
    (void)state;
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=t",
                                          "allow=friend.example, @bo:example.org", NULL};
    struct matrix_exchange *p = exchange_open(options);
    exchange_poll(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    exchange_poll(p, "GET", "/m.direct", 404, "{}");
    exchange_sync(p, "s1", INVITE("eve:example.org", "false"));
    exchange_poll(p, "POST", "/rooms/%21new/leave", 200, "{}");
    exchange_poll(p, "POST", "/rooms/%21new/forget", 200, "{}");
    exchange_sync(p, "s2", INVITE("ann:friend.example", "false"));
    exchange_poll(p, "POST", "/join/%21new", 200, "{\"room_id\":\"!new\"}");
    exchange_close(p);
}

static void join_waits_for_limits_and_gives_up_on_refusal(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_sync(p, "s2", INVITE("bo:example.org", "false"));
    exchange_poll(p, "POST", "/join/", 429,
                  "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":7000}");
    assert_true(p->batch.wait_ms >= 7000);
    exchange_poll(p, "POST", "/join/", 403, "{\"errcode\":\"M_FORBIDDEN\"}");
    exchange_sync(p, "s3", "{}");
}

/* A gap: no update of the room comes before the gap is read, then all of them in order. */
static void gap_is_read_in_order_before_the_next_sync(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_sync(
        p, "s9",
        "{\"join\":{\"!tea\":{\"timeline\":{\"limited\":true,\"prev_batch\":\"p8\",\"events\":"
        "[" TEXT("bo", "e4", "!koi 4") "]}},"
                                       "\"!dm\":{\"timeline\":{\"events\":[" TEXT("ann", "d1",
                                                                                  "hand") "]}}}}");
    assert_int_equal(p->batch.n, 1);
    assert_str(p->batch.at[0].id, "$d1");
    exchange_poll(p, "GET", "/rooms/%21tea/messages?dir=f&limit=100&from=s1&to=s9&", 200,
                  "{\"chunk\":[" TEXT("bo", "e1", "!koi 1") "," TEXT(
                      "bo", "e2", "!koi 2") "],\"start\":\"s1\",\"end\":\"s5\"}");
    assert_int_equal(p->batch.n, 2);
    assert_str(p->batch.at[1].text, "/play 2");
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=tok", NULL};
    exchange_restart(p, options); /* killed in the middle of the gap */
    exchange_poll(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    exchange_poll(p, "GET", "/m.direct", 404, "{}");
    exchange_poll(p, "GET", "/rooms/%21tea/messages?dir=f&limit=100&from=s5&to=s9&", 502, "<html>");
    assert_int_equal(p->batch.n, 0);
    exchange_poll(p, "GET", "/rooms/%21tea/messages?dir=f&limit=100&from=s5&to=s9&", 200,
                  "{\"chunk\":[" TEXT("bo", "e3", "!koi 3") "," TEXT(
                      "bo", "e4", "!koi 4") "],\"start\":\"s5\"}");
    assert_int_equal(p->batch.n, 2);
    assert_str(p->batch.at[1].text, "/play 4");
    exchange_poll(p, "GET", "since=s9&full_state=true", 200, "{\"next_batch\":\"s10\"}");
}

/* A page may be empty because the server hides its events, and have others behind it; MAX_TRIES
 * empty ones end the reading. */
static void empty_page_is_not_the_end(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_sync(
        p, "s9",
        "{\"join\":{\"!tea\":{\"timeline\":{\"limited\":true,\"prev_batch\":\"p8\",\"events\":"
        "[]}}}}");
    exchange_poll(p, "GET", "from=s1&to=s9&", 200,
                  "{\"chunk\":[],\"start\":\"s1\",\"end\":\"s2\"}");
    exchange_poll(p, "GET", "from=s2&to=s9&", 200,
                  "{\"chunk\":[" TEXT("bo", "e1", "!koi 1") "],\"start\":\"s2\",\"end\":\"s3\"}");
    assert_int_equal(p->batch.n, 1);
    static const char *const from[] = {"from=s3&", "from=s4&", "from=s5&", "from=s6&", "from=s7&"};
    static const char *const empty[] = {
        "{\"chunk\":[],\"end\":\"s4\"}", "{\"chunk\":[],\"end\":\"s5\"}",
        "{\"chunk\":[],\"end\":\"s6\"}", "{\"chunk\":[],\"end\":\"s7\"}",
        "{\"chunk\":[],\"end\":\"s8\"}"};
    for (int i = 0; i < 5; i++)
        exchange_poll(p, "GET", from[i], 200, empty[i]);
    exchange_poll(p, "GET", "since=s9", 200, "{\"next_batch\":\"s10\"}");
}

static void initial_sync_is_ignored(void **state)
{
    (void)state;
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=t", NULL};
    struct matrix_exchange *p = exchange_open(options);
    exchange_poll(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    exchange_poll(p, "GET", "/m.direct", 404, "{}");
    exchange_sync(
        p, "s1",
        "{\"join\":{\"!tea\":{\"timeline\":{\"limited\":true,\"prev_batch\":\"p\",\"events\":"
        "[" TEXT("bo", "e1", "!koi hand") "]}}}}");
    assert_int_equal(p->batch.n, 0);
    exchange_poll(p, "GET", "since=s1", 200, "{\"next_batch\":\"s2\"}");
    assert_true(p->request.timeout_ms > 30000);
    exchange_close(p);
}

#define TOMBSTONE(user)                                                                            \
    "{\"type\":\"m.room.tombstone\",\"state_key\":\"\"," BY(                                       \
        user, "e1") ",\"content\":{\"body\":\"up\",\"replacement_room\":\"!tea2\"}}"

static void upgraded_room_is_followed(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_events(p, "s2", "!tea", TOMBSTONE("ann"));
    assert_int_equal(p->batch.n, 0);
    exchange_poll(p, "POST", "/join/%21tea2?via=example.org", 200, "{\"room_id\":\"!tea2\"}");
    assert_int_equal(p->batch.n, 0);
    exchange_poll(p, "GET", "/rooms/%21tea2/state/m.room.create", 200,
                  "{\"room_version\":\"12\",\"predecessor\":{\"room_id\":\"!tea\"}}");
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_MOVED);
    assert_str(p->batch.at[0].id, "moved:!tea"); /* heard again after a crash, it counts once */
    assert_str(p->batch.at[0].chat, "!tea");
    assert_str(p->batch.at[0].text, "!tea2");
    exchange_poll(p, "POST", "/rooms/%21tea/leave", 200, "{}");
}

static void unproven_successor_is_left(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_events(p, "s2", "!tea", TOMBSTONE("bo")); /* lacks the power */
    exchange_events(p, "s3", "!tea", TOMBSTONE("ann"));
    exchange_poll(p, "POST", "/join/%21tea2", 200, "{\"room_id\":\"!tea2\"}");
    exchange_poll(p, "GET", "/state/m.room.create", 200,
                  "{\"predecessor\":{\"room_id\":\"!other\"}}");
    assert_int_equal(p->batch.n, 0);
    exchange_poll(p, "POST", "/rooms/%21tea2/leave", 200, "{}");
}

static void removed_from_a_room_or_alone_in_it(void **state)
{
    (void)state;
    struct matrix_exchange *p = exchange_ready();
    exchange_sync(
        p, "s2",
        "{\"leave\":{\"!tea\":{\"timeline\":{\"events\":[{\"type\":\"m.room.member\",\"state_key\":"
        "\"@koi:example.org\"," BY("ann", "e1") ",\"content\":{\"membership\":\"leave\"}}]}}}}");
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_LEFT);
    assert_str(p->batch.at[0].chat, "!tea");
    exchange_poll(p, "POST", "/rooms/%21tea/forget", 200, "{}");
    exchange_close(p);

    p = exchange_ready();
    exchange_sync(
        p, "s2",
        "{\"join\":{\"!tea\":{\"summary\":{\"m.joined_member_count\":1,\"m.invited_member_"
        "count\":0},\"timeline\":{\"events\":["
        "{\"type\":\"m.room.member\",\"state_key\":\"@ann:example.org\"," BY(
            "ann", "e1") ",\"content\":{\"membership\":\"leave\"}}]}}}}");
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_LEFT);
    assert_str(p->batch.at[0].chat, "!tea");
    exchange_poll(p, "POST", "/rooms/%21tea/leave", 200, "{}");
    exchange_close(p);

    p = exchange_ready();
    const struct update *u =
        heard(p, "!dm",
              "{\"type\":\"m.room.member\",\"state_key\":\"@ann:example.org\"," BY(
                  "ann", "e1") ",\"content\":{\"membership\":\"leave\"}}");
    assert_non_null(u);
    assert_int_equal(u->kind, UPDATE_BLOCKED);
    assert_str(u->from.id, "@ann:example.org");
    exchange_close(p);
}

static void threads_option(void **state)
{
    static const char *const everywhere[] = {"homeserver=https://hs.example.org", "token=t",
                                             "threads=yes", NULL};
    static const char *const there[] = {"homeserver=https://hs.example.org", "token=t",
                                        "threads=!den !tea", NULL};
    static const char event[] = "{\"type\":\"m.room.message\"," BY(
        "bo", "e1") ",\"content\":{\"msgtype\":\"m.text\",\"body\":\"!koi "
                    "hand\",\"m.relates_to\":{\"rel_type\":\"m.thread\","
                    "\"event_id\":\"$root\",\"is_falling_back\":true,\"m.in_reply_to\":{\"event_"
                    "id\":\"$last\"}}}}";
    struct matrix_exchange *p = *state;
    assert_str(heard(p, "!tea", event)->chat, "!tea");
    assert_int_equal(p->batch.at[0].post.n, 0);
    for (int i = 0; i < 2; i++) {
        exchange_restart(p, i == 0 ? everywhere : there);
        p->cursor = STR("");
        exchange_poll(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
        exchange_poll(p, "GET", "/m.direct", 404, "{}");
        exchange_sync(p, "s1", "{\"join\":{\"!tea\":{},\"!bar\":{}}}");
        assert_str(heard(p, "!tea", event)->chat, "!tea $root");
        assert_str(heard(p, "!bar", event)->chat, i == 0 ? "!bar $root" : "!bar");
    }
}

/* Others are still invited: the room may fill again. */
static void room_with_open_invites_is_kept(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_sync(
        p, "s2",
        "{\"join\":{\"!tea\":{\"summary\":{\"m.joined_member_count\":1,\"m.invited_member_"
        "count\":1},\"timeline\":{\"events\":["
        "{\"type\":\"m.room.member\",\"state_key\":\"@ann:example.org\"," BY(
            "ann", "e1") ",\"content\":{\"membership\":\"leave\"}}]}}}}");
    assert_int_equal(p->batch.n, 0);
    exchange_poll(p, "GET", "since=s2", 200, "{\"next_batch\":\"s3\"}");
}

static void rooms_option_limits_invites(void **state)
{
    (void)state;
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=t", "rooms=1",
                                          NULL};
    struct matrix_exchange *p = exchange_open(options);
    exchange_poll(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    exchange_poll(p, "GET", "/m.direct", 404, "{}");
    exchange_sync(p, "s1", "{\"join\":{\"!tea\":{}}}");
    exchange_sync(p, "s2", INVITE("ann:example.org", "false"));
    exchange_poll(p, "POST", "/rooms/%21new/leave", 200, "{}");
    exchange_close(p);
}

/* A room that stays out of reach must not keep the bot from all others. */
static void action_is_dropped_after_five_failures(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_sync(p, "s2", INVITE("bo:example.org", "false"));
    for (int i = 0; i < 5; i++)
        exchange_poll(p, "POST", "/join/", 500, "");
    exchange_sync(p, "s3", "{}");
}

static void back_off_ends_at_about_a_minute(void **state)
{
    struct matrix_exchange *p = *state;
    int64_t last = 0;
    for (int i = 0; i < 40; i++) {
        exchange_poll(p, "GET", "since=s1", 502, "");
        assert_true(p->batch.wait_ms >= last && p->batch.wait_ms >= 1000);
        assert_true(p->batch.wait_ms <= 65000);
        last = p->batch.wait_ms;
    }
    assert_true(last >= 30000);
}

/* A text over 4,096 bytes is no command, and an answer id over 255 bytes none of ours. */
static void overlong_commands_and_votes_are_ignored(void **state)
{
    struct matrix_exchange *p = *state;
    char text[4098];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    const char *start = "{\"type\":\"m.room.message\"," BY("ann", "e1");
    assert_null(
        heard(p, "!dm",
              arena_print(p->turn, "%s,\"content\":{\"msgtype\":\"m.text\",\"body\":\"%s\"}}",
                          start, text)
                  .p));
    text[256] = '\0';
    start = "{\"type\":\"m.poll.response\"," BY("ann", "e2");
    assert_null(
        heard(p, "!dm",
              arena_print(p->turn, "%s,\"content\":{\"m.selections\":[\"%s\"]}}", start, text).p));
}

/* A next_batch that would not fit into a URL is refused; the bot goes on from the old position. */
static void overlong_sync_token_is_refused(void **state)
{
    struct matrix_exchange *p = *state;
    char token[2501], answer[4096];
    memset(token, '%', sizeof token - 1);
    token[sizeof token - 1] = '\0';
    snprintf(answer, sizeof answer, "{\"next_batch\":\"%s\"}", token);
    exchange_poll(p, "GET", "since=s1", 200, answer);
    assert_false(p->good);
    assert_true(p->batch.wait_ms > 0);
    assert_false(p->batch.fatal);
    exchange_poll(p, "GET", "since=s1", 200, "{\"next_batch\":\"s2\"}");
    assert_true(p->good);
    exchange_poll(p, "GET", "since=s2", 200, "{\"next_batch\":\"s3\"}");
}

/* The end of a page of a gap likewise: the gap counts as read. */
static void overlong_page_token_ends_the_gap(void **state)
{
    struct matrix_exchange *p = *state;
    char token[2501], answer[4096];
    memset(token, '%', sizeof token - 1);
    token[sizeof token - 1] = '\0';
    exchange_sync(p, "s2", "{\"join\":{\"!tea\":{\"timeline\":{\"limited\":true,\"events\":[]}}}}");
    snprintf(answer, sizeof answer, "{\"chunk\":[],\"end\":\"%s\"}", token);
    exchange_poll(p, "GET", "/messages?dir=f", 200, answer);
    assert_true(p->good);
    exchange_poll(p, "GET", "since=s2", 200, "{\"next_batch\":\"s3\"}");
}

/* A cursor that an older program stored may hold such a token: the next start begins with an
 * initial sync, whose URL fits. */
static void overlong_stored_token_is_dropped(void **state)
{
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=tok", NULL};
    struct matrix_exchange *p = *state;
    char token[2501];
    memset(token, '%', sizeof token - 1);
    token[sizeof token - 1] = '\0';
    struct str rest, head = p->cursor;
    char *at = strstr(arena_str(p->process, head).p, "\"s1\"");
    assert_non_null(at);
    rest = str_of(at + 4);
    *at = '\0';
    head = str_of(arena_str(p->process, (struct str){p->cursor.p, p->cursor.n - rest.n - 4}).p);
    p->cursor = arena_print(p->process, "%.*s\"%s\"%.*s", STR_ARG(head), token, STR_ARG(rest));
    exchange_restart(p, options);
    exchange_poll(p, "GET", "/v3/account/whoami", 200,
                  "{\"user_id\":\"@koi:example.org\",\"device_id\":\"D\"}");
    exchange_poll(p, "GET", "/account_data/m.direct", 200, "{}");
    exchange_poll(p, "GET", "/v3/sync?", 200, "{\"next_batch\":\"s2\"}");
    assert_true(p->request.url.n < 4096);
    assert_true(p->good);
    exchange_poll(p, "GET", "since=s2", 200, "{\"next_batch\":\"s3\"}");
}

/* A string longer than any event (64 KiB) counts as missing, whatever its place. */
static void overlong_strings_are_dropped(void **state)
{
    enum { LENGTH = 1 << 20 };
    struct matrix_exchange *p = *state;
    char *text = arena_alloc(p->turn, LENGTH + 1);
    memset(text, 'x', LENGTH);
#define EVENT(type, id, state, more)                                                               \
    "{\"type\":\"" type "\"," state "\"sender\":\"@ann:example.org\",\"event_id\":\"$" id          \
    "\",\"content\":{" more "\"%s\"}}"
    struct str name =
        arena_print(p->turn, EVENT("m.room.name", "1", "\"state_key\":\"\",", "\"name\":"), text);
    struct str body = arena_print(
        p->turn, EVENT("m.room.message", "2", "", "\"msgtype\":\"m.text\",\"body\":"), text);
    struct str good = arena_print(
        p->turn, EVENT("m.room.message", "3", "", "\"msgtype\":\"m.text\",\"body\":"), "!koi hand");
#undef EVENT
    exchange_events(
        p, "s2", "!tea",
        arena_print(p->turn, "%.*s,%.*s,%.*s", STR_ARG(name), STR_ARG(body), STR_ARG(good)).p);
    assert_int_equal(p->batch.n, 1);
    assert_str(p->batch.at[0].text, "/hand");
    assert_true(p->batch.at[0].chat_name.n < 1000);
}

#define T(name) cmocka_unit_test_setup_teardown(name, exchange_setup, exchange_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_command_in_a_room),
        T(numbers_and_bare_prefixes),
        cmocka_unit_test(messages_between_people_are_ignored),
        cmocka_unit_test(garbled_events_are_skipped),
        T(pill_becomes_its_user_id),
        T(mention_addresses_the_bot),
        T(mention_as_opponent_means_the_computer),
        T(reply_to_the_bot),
        cmocka_unit_test(votes_are_presses),
        cmocka_unit_test(a_number_as_reaction),
        cmocka_unit_test(a_sign_as_reaction),
        T(encrypted_room_is_reported_once),
        T(power_levels),
        T(malformed_power_levels),
        T(many_additional_creators),
        T(invite_is_accepted_and_history_ignored),
        T(invite_to_a_private_chat_is_written_to_m_direct),
        cmocka_unit_test(allow_list_refuses_others),
        T(join_waits_for_limits_and_gives_up_on_refusal),
        T(gap_is_read_in_order_before_the_next_sync),
        T(empty_page_is_not_the_end),
        cmocka_unit_test(initial_sync_is_ignored),
        T(upgraded_room_is_followed),
        T(unproven_successor_is_left),
        cmocka_unit_test(removed_from_a_room_or_alone_in_it),
        T(threads_option),
        T(room_with_open_invites_is_kept),
        cmocka_unit_test(rooms_option_limits_invites),
        T(action_is_dropped_after_five_failures),
        T(back_off_ends_at_about_a_minute),
        T(overlong_commands_and_votes_are_ignored),
        T(overlong_sync_token_is_refused),
        T(overlong_page_token_ends_the_gap),
        T(overlong_stored_token_is_dropped),
        T(overlong_strings_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
