/* What people do in rooms, as a homeserver tells it, and what becomes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "matrix_hs.h"

#define BY(user, id)                                                                               \
    "\"sender\":\"@" user ":example.org\",\"event_id\":\"$" id                                     \
    "\",\"origin_server_ts\":1790856000123"
#define TEXT(user, id, body)                                                                       \
    "{\"type\":\"m.room.message\"," BY(                                                            \
        user, id) ",\"content\":{\"msgtype\":\"m.text\",\"body\":\"" body "\"}}"

/* What one event in a room that was joined before becomes; NULL: nothing. */
static const struct update *heard(struct hs *p, const char *room, const char *event)
{
    hs_hears(p, "s2", room, event);
    assert_in_range(p->batch.n, 0, 1);
    return p->batch.n > 0 ? &p->batch.at[0] : NULL;
}

static void a_command_in_a_room(void **state)
{
    struct hs *p = *state;
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
    struct hs *p = *state;
    assert_str(heard(p, "!tea", TEXT("bo", "e1", "!koi 3"))->text, "/play 3");
    assert_str(heard(p, "!tea", TEXT("bo", "e2", "!koi"))->text, "/help");
    assert_str(heard(p, "!dm", TEXT("ann", "e3", "3"))->text, "3");
    assert_str(heard(p, "!dm", TEXT("ann", "e4", "!koi stop"))->text, "/stop");
}

static void chatter_is_not_ours(void **state)
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
        struct hs *p = hs_ready();
        assert_null(heard(p, "!tea", chatter[i]));
        hs_close(p);
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
        struct hs *p = hs_ready();
        assert_null(heard(p, "!tea", garbled[i]));
        assert_non_null(heard(p, "!tea", TEXT("bo", "e9", "!koi hand")));
        hs_close(p);
    }
}

static void a_pill_stands_for_its_person(void **state)
{
    struct hs *p = *state;
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

static void speaking_to_the_bot_by_name(void **state)
{
    struct hs *p = *state;
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

/* "challenge @koi" asks for the computer, whoever was called first. */
static void the_bot_can_be_challenged_by_name(void **state)
{
    struct hs *p = *state;
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

static void an_answer_to_the_bot(void **state)
{
    struct hs *p = *state;
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
        struct hs *p = hs_ready();
        const struct update *u = heard(p, "!dm", votes[i]);
        assert_non_null(u);
        assert_int_equal(u->kind, UPDATE_PRESS);
        assert_str(u->text, "k7.3");
        assert_str(u->post, "poll:$poll");
        assert_true(u->direct);
        hs_close(p);
    }
}

static void a_number_as_reaction(void **state)
{
    (void)state;
    static const char *const keys[] = {"3\\ufe0f\\u20e3", "3\\u20e3", "3"};
    for (int i = 0; i < 3; i++) {
        struct hs *p = hs_ready();
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
        hs_close(p);
    }
    struct hs *p = hs_ready();
    assert_null(heard(
        p, "!dm",
        "{\"type\":\"m.reaction\"," BY(
            "ann", "e1") ",\"content\":{\"m.relates_to\":{\"rel_type\":"
                         "\"m.annotation\",\"event_id\":\"$hand\",\"key\":\"\\ud83d\\udc4d\"}}}"));
    hs_close(p);
}

static void an_encrypted_room_is_told_once(void **state)
{
    struct hs *p = *state;
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

static void power_is_known(void **state)
{
    struct hs *p = *state;
    assert_true(heard(p, "!tea", TEXT("ann", "e1", "!koi settings"))->admin);
    assert_false(heard(p, "!tea", TEXT("bo", "e2", "!koi settings"))->admin);
    assert_null(heard(p, "!tea",
                      "{\"type\":\"m.room.power_levels\",\"state_key\":\"\"," BY(
                          "ann", "e3") ",\"content\":{\"users\":{\"@bo:example.org\":50}}}"));
    assert_true(heard(p, "!tea", TEXT("bo", "e4", "!koi settings"))->admin);
    assert_false(heard(p, "!tea", TEXT("ann", "e5", "!koi settings"))->admin);
}

/* Levels that are no levels: a list for users, texts and huge numbers for numbers. */
static void power_in_a_strange_form_does_no_harm(void **state)
{
    struct hs *p = *state;
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

/* An event is at most 64 KiB, and a news of ours may bring many. */
static void a_crowd_of_creators_takes_no_more_room_than_it_has(void **state)
{
    enum { CROWD = 7000, ROOMS = 12 };
    struct hs *p = *state;
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
    hs_sync(p, "s2", b.p);
    assert_true(heard(p, "!c3", TEXT("bo", "e1", "!koi settings"))->admin);
    assert_true(heard(p, "!c3", TEXT("ann", "e2", "!koi settings"))->admin);
    assert_false(heard(p, "!c3", TEXT("kei", "e3", "!koi settings"))->admin);
}

#define INVITE(user, direct)                                                                       \
    "{\"invite\":{\"!new\":{\"invite_state\":{\"events\":[{\"type\":\"m.room.member\",\"state_"    \
    "key\":\"@koi:example.org\","                                                                  \
    "\"sender\":\"@" user "\",\"content\":{\"membership\":\"invite\",\"is_direct\":" direct        \
    "}}]}}}}"

static void an_invite_is_accepted_and_history_is_not_acted_on(void **state)
{
    struct hs *p = *state;
    hs_sync(p, "s2", INVITE("bo:far.example", "false"));
    assert_int_equal(p->batch.n, 0);
    hs_asks(p, "POST", "/_matrix/client/v3/join/%21new?via=far.example", 200,
            "{\"room_id\":\"!new\"}");
    hs_hears(
        p, "s3", "!new",
        TEXT("bo", "e1", "!koi challenge") ",{\"type\":\"m.room.name\",\"state_key\":\"\"," BY(
            "bo", "e2") ",\"content\":{\"name\":\"Den\"}},"
                        "{\"type\":\"m.room.member\",\"state_key\":\"@koi:example.org\"," BY(
                            "koi",
                            "e3") ",\"content\":{\"membership\":\"join\"}}," TEXT("bo", "e4",
                                                                                  "!koi hand"));
    assert_int_equal(p->batch.n, 2);
    assert_int_equal(p->batch.at[0].kind, UPDATE_JOINED);
    assert_str(p->batch.at[0].chat_name, "Den");
    assert_str(p->batch.at[1].text, "/hand");
}

static void a_private_chat_somebody_made_is_noted(void **state)
{
    struct hs *p = *state;
    hs_sync(p, "s2", INVITE("bo:example.org", "true"));
    hs_asks(p, "POST", "/join/%21new", 200, "{\"room_id\":\"!new\"}");
    hs_asks(p, "PUT", "/user/%40koi%3Aexample.org/account_data/m.direct", 200, "{}");
    hs_body(p, "{\"@ann:example.org\":[\"!dm\"],\"@bo:example.org\":[\"!new\"]}");
    hs_hears(p, "s3", "!new",
             "{\"type\":\"m.room.member\",\"state_key\":\"@koi:example.org\"," BY(
                 "koi", "e3") ",\"content\":{\"membership\":\"join\"}}," TEXT("bo", "e4", "hand"));
    assert_int_equal(p->batch.n, 2);
    assert_true(p->batch.at[1].direct);
    assert_str(p->batch.at[1].text, "hand");
}

static void strangers_are_refused_where_a_list_says_so(void **state)
{
    (void)state;
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=t",
                                          "allow=friend.example, @bo:example.org", NULL};
    struct hs *p = hs_open(options);
    hs_asks(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    hs_asks(p, "GET", "/m.direct", 404, "{}");
    hs_sync(p, "s1", INVITE("eve:example.org", "false"));
    hs_asks(p, "POST", "/rooms/%21new/leave", 200, "{}");
    hs_asks(p, "POST", "/rooms/%21new/forget", 200, "{}");
    hs_sync(p, "s2", INVITE("ann:friend.example", "false"));
    hs_asks(p, "POST", "/join/%21new", 200, "{\"room_id\":\"!new\"}");
    hs_close(p);
}

static void a_limit_on_joining_is_waited_out_and_a_refusal_given_up(void **state)
{
    struct hs *p = *state;
    hs_sync(p, "s2", INVITE("bo:example.org", "false"));
    hs_asks(p, "POST", "/join/", 429, "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":7000}");
    assert_true(p->batch.wait_ms >= 7000);
    hs_asks(p, "POST", "/join/", 403, "{\"errcode\":\"M_FORBIDDEN\"}");
    hs_sync(p, "s3", "{}");
}

/* A gap: nothing of the room is passed on before it is closed, and then all of it, in order. */
static void a_gap_is_read_in_order_before_anything_else(void **state)
{
    struct hs *p = *state;
    hs_sync(p, "s9",
            "{\"join\":{\"!tea\":{\"timeline\":{\"limited\":true,\"prev_batch\":\"p8\",\"events\":"
            "[" TEXT("bo", "e4", "!koi 4") "]}},"
                                           "\"!dm\":{\"timeline\":{\"events\":[" TEXT(
                                               "ann", "d1", "hand") "]}}}}");
    assert_int_equal(p->batch.n, 1);
    assert_str(p->batch.at[0].id, "$d1");
    hs_asks(p, "GET", "/rooms/%21tea/messages?dir=f&limit=100&from=s1&to=s9&", 200,
            "{\"chunk\":[" TEXT("bo", "e1", "!koi 1") "," TEXT(
                "bo", "e2", "!koi 2") "],\"start\":\"s1\",\"end\":\"s5\"}");
    assert_int_equal(p->batch.n, 2);
    assert_str(p->batch.at[1].text, "/play 2");
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=tok", NULL};
    hs_restart(p, options); /* killed in the middle of the gap */
    hs_asks(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    hs_asks(p, "GET", "/m.direct", 404, "{}");
    hs_asks(p, "GET", "/rooms/%21tea/messages?dir=f&limit=100&from=s5&to=s9&", 502, "<html>");
    assert_int_equal(p->batch.n, 0);
    hs_asks(p, "GET", "/rooms/%21tea/messages?dir=f&limit=100&from=s5&to=s9&", 200,
            "{\"chunk\":[" TEXT("bo", "e3", "!koi 3") "," TEXT("bo", "e4",
                                                               "!koi 4") "],\"start\":\"s5\"}");
    assert_int_equal(p->batch.n, 2);
    assert_str(p->batch.at[1].text, "/play 4");
    hs_asks(p, "GET", "since=s9&full_state=true", 200, "{\"next_batch\":\"s10\"}");
}

/* What the server hides from us leaves a page empty, and there may be more behind it; but not for
 * ever. */
static void an_empty_page_is_not_the_end(void **state)
{
    struct hs *p = *state;
    hs_sync(p, "s9",
            "{\"join\":{\"!tea\":{\"timeline\":{\"limited\":true,\"prev_batch\":\"p8\",\"events\":"
            "[]}}}}");
    hs_asks(p, "GET", "from=s1&to=s9&", 200, "{\"chunk\":[],\"start\":\"s1\",\"end\":\"s2\"}");
    hs_asks(p, "GET", "from=s2&to=s9&", 200,
            "{\"chunk\":[" TEXT("bo", "e1", "!koi 1") "],\"start\":\"s2\",\"end\":\"s3\"}");
    assert_int_equal(p->batch.n, 1);
    static const char *const from[] = {"from=s3&", "from=s4&", "from=s5&", "from=s6&", "from=s7&"};
    static const char *const empty[] = {
        "{\"chunk\":[],\"end\":\"s4\"}", "{\"chunk\":[],\"end\":\"s5\"}",
        "{\"chunk\":[],\"end\":\"s6\"}", "{\"chunk\":[],\"end\":\"s7\"}",
        "{\"chunk\":[],\"end\":\"s8\"}"};
    for (int i = 0; i < 5; i++)
        hs_asks(p, "GET", from[i], 200, empty[i]);
    hs_asks(p, "GET", "since=s9", 200, "{\"next_batch\":\"s10\"}");
}

static void the_initial_sync_is_not_acted_on(void **state)
{
    (void)state;
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=t", NULL};
    struct hs *p = hs_open(options);
    hs_asks(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    hs_asks(p, "GET", "/m.direct", 404, "{}");
    hs_sync(p, "s1",
            "{\"join\":{\"!tea\":{\"timeline\":{\"limited\":true,\"prev_batch\":\"p\",\"events\":"
            "[" TEXT("bo", "e1", "!koi hand") "]}}}}");
    assert_int_equal(p->batch.n, 0);
    hs_asks(p, "GET", "since=s1", 200, "{\"next_batch\":\"s2\"}");
    assert_true(p->request.timeout_ms > 30000);
    hs_close(p);
}

#define TOMBSTONE(user)                                                                            \
    "{\"type\":\"m.room.tombstone\",\"state_key\":\"\"," BY(                                       \
        user, "e1") ",\"content\":{\"body\":\"up\",\"replacement_room\":\"!tea2\"}}"

static void an_upgraded_room_is_followed(void **state)
{
    struct hs *p = *state;
    hs_hears(p, "s2", "!tea", TOMBSTONE("ann"));
    assert_int_equal(p->batch.n, 0);
    hs_asks(p, "POST", "/join/%21tea2?via=example.org", 200, "{\"room_id\":\"!tea2\"}");
    assert_int_equal(p->batch.n, 0);
    hs_asks(p, "GET", "/rooms/%21tea2/state/m.room.create", 200,
            "{\"room_version\":\"12\",\"predecessor\":{\"room_id\":\"!tea\"}}");
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_MOVED);
    assert_str(p->batch.at[0].chat, "!tea");
    assert_str(p->batch.at[0].text, "!tea2");
    hs_asks(p, "POST", "/rooms/%21tea/leave", 200, "{}");
}

static void a_false_successor_is_not_followed(void **state)
{
    struct hs *p = *state;
    hs_hears(p, "s2", "!tea", TOMBSTONE("bo")); /* has no power to do so */
    hs_hears(p, "s3", "!tea", TOMBSTONE("ann"));
    hs_asks(p, "POST", "/join/%21tea2", 200, "{\"room_id\":\"!tea2\"}");
    hs_asks(p, "GET", "/state/m.room.create", 200, "{\"predecessor\":{\"room_id\":\"!other\"}}");
    assert_int_equal(p->batch.n, 0);
    hs_asks(p, "POST", "/rooms/%21tea2/leave", 200, "{}");
}

static void being_removed_and_being_alone(void **state)
{
    (void)state;
    struct hs *p = hs_ready();
    hs_sync(
        p, "s2",
        "{\"leave\":{\"!tea\":{\"timeline\":{\"events\":[{\"type\":\"m.room.member\",\"state_key\":"
        "\"@koi:example.org\"," BY("ann", "e1") ",\"content\":{\"membership\":\"leave\"}}]}}}}");
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_LEFT);
    hs_asks(p, "POST", "/rooms/%21tea/forget", 200, "{}");
    hs_close(p);

    p = hs_ready();
    hs_sync(p, "s2",
            "{\"join\":{\"!tea\":{\"summary\":{\"m.joined_member_count\":1,\"m.invited_member_"
            "count\":0},\"timeline\":{\"events\":["
            "{\"type\":\"m.room.member\",\"state_key\":\"@ann:example.org\"," BY(
                "ann", "e1") ",\"content\":{\"membership\":\"leave\"}}]}}}}");
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_LEFT);
    hs_asks(p, "POST", "/rooms/%21tea/leave", 200, "{}");
    hs_close(p);

    p = hs_ready();
    const struct update *u =
        heard(p, "!dm",
              "{\"type\":\"m.room.member\",\"state_key\":\"@ann:example.org\"," BY(
                  "ann", "e1") ",\"content\":{\"membership\":\"leave\"}}");
    assert_non_null(u);
    assert_int_equal(u->kind, UPDATE_BLOCKED);
    assert_str(u->from.id, "@ann:example.org");
    hs_close(p);
}

static void threads_are_chats_where_it_is_wished(void **state)
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
    struct hs *p = *state;
    assert_str(heard(p, "!tea", event)->chat, "!tea");
    assert_int_equal(p->batch.at[0].post.n, 0);
    for (int i = 0; i < 2; i++) {
        hs_restart(p, i == 0 ? everywhere : there);
        p->cursor = STR("");
        hs_asks(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
        hs_asks(p, "GET", "/m.direct", 404, "{}");
        hs_sync(p, "s1", "{\"join\":{\"!tea\":{},\"!bar\":{}}}");
        assert_str(heard(p, "!tea", event)->chat, "!tea $root");
        assert_str(heard(p, "!bar", event)->chat, i == 0 ? "!bar $root" : "!bar");
    }
}

#define T(name) cmocka_unit_test_setup_teardown(name, hs_setup, hs_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_command_in_a_room),
        T(numbers_and_bare_prefixes),
        cmocka_unit_test(chatter_is_not_ours),
        cmocka_unit_test(garbled_events_are_skipped),
        T(a_pill_stands_for_its_person),
        T(speaking_to_the_bot_by_name),
        T(the_bot_can_be_challenged_by_name),
        T(an_answer_to_the_bot),
        cmocka_unit_test(votes_are_presses),
        cmocka_unit_test(a_number_as_reaction),
        T(an_encrypted_room_is_told_once),
        T(power_is_known),
        T(power_in_a_strange_form_does_no_harm),
        T(a_crowd_of_creators_takes_no_more_room_than_it_has),
        T(an_invite_is_accepted_and_history_is_not_acted_on),
        T(a_private_chat_somebody_made_is_noted),
        cmocka_unit_test(strangers_are_refused_where_a_list_says_so),
        T(a_limit_on_joining_is_waited_out_and_a_refusal_given_up),
        T(a_gap_is_read_in_order_before_anything_else),
        T(an_empty_page_is_not_the_end),
        cmocka_unit_test(the_initial_sync_is_not_acted_on),
        T(an_upgraded_room_is_followed),
        T(a_false_successor_is_not_followed),
        cmocka_unit_test(being_removed_and_being_alone),
        T(threads_are_chats_where_it_is_wished),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
