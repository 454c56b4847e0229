/* What is said, as exact requests; and what a homeserver's answers mean for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "matrix_hs.h"

#define DONE   "{\"event_id\":\"$new\"}"
#define CLIENT "https://hs.example.org/_matrix/client/v3"

extern const struct adapter matrix_adapter;

static struct outgoing board(const char *text)
{
    return (struct outgoing){
        .kind = OUT_POST, .chat = STR("!tea"), .row = 77, .text = str_of(text)};
}

/* The account is 1790856000000 old, the row is 77: together with the part they name the event for
 * ever. */
static void a_board_is_a_notice(void **state)
{
    struct hs *p = *state;
    struct outgoing out = board("\001Round 1\007 <of> 6\n\006a  1\nb  2\007");
    struct receipt r = hs_says(
        p, &out, "PUT", CLIENT "/rooms/%21tea/send/m.room.message/k1790856000000.77e", 200, DONE);
    assert_int_equal(r.kind, SENT);
    assert_str(r.post, "$new");
    assert_true(hs_header(&p->request, "Authorization", "Bearer tok"));
    hs_body(p, "{\"msgtype\":\"m.notice\",\"body\":\"Round 1 <of> 6\\na  1\\nb  "
               "2\",\"format\":\"org.matrix.custom.html\","
               "\"formatted_body\":\"<strong>Round 1</strong> &lt;of&gt; 6<br><pre><code>a  1\\nb  "
               "2</code></pre>\",\"m.mentions\":{}}");
}

static void a_repeated_request_is_the_same_event(void **state)
{
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=tok", NULL};
    struct hs *p = *state;
    struct outgoing out = board("hello");
    assert_int_equal(hs_says(p, &out, "PUT", "/k1790856000000.77e", 0, "").kind, LATER);
    p->now += 3600 * 1000;
    hs_restart(p, options);
    hs_asks(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    hs_asks(p, "GET", "/m.direct", 404, "{}");
    hs_sync(p, "s2", "{}");
    out.unknown = true;
    assert_int_equal(hs_says(p, &out, "PUT", "/k1790856000000.77e", 200, DONE).kind, SENT);
}

static void your_turn_notifies_its_person(void **state)
{
    struct hs *p = *state;
    struct outgoing out = board("\005@ann:example.org\005Ann & co\007, your move");
    out.notify = true;
    hs_says(p, &out, "PUT", "/rooms/%21tea/send/m.room.message/", 200, DONE);
    hs_body(
        p,
        "{\"msgtype\":\"m.text\",\"body\":\"Ann & co, your "
        "move\",\"format\":\"org.matrix.custom.html\",\"formatted_body\":"
        "\"<a href=\\\"https://matrix.to/#/%40ann%3Aexample.org\\\">Ann &amp; co</a>, your move\","
        "\"m.mentions\":{\"user_ids\":[\"@ann:example.org\"]}}");
}

static void an_edit_replaces_the_first_event_and_pings_nobody(void **state)
{
    struct hs *p = *state;
    struct outgoing out = board("now");
    out.post = STR("$first");
    struct receipt r =
        hs_says(p, &out, "PUT", "/send/m.room.message/", 200, "{\"event_id\":\"$second\"}");
    assert_str(r.post, "$first");
    hs_body(p,
            "{\"msgtype\":\"m.notice\",\"body\":\"* "
            "now\",\"m.mentions\":{},\"m.new_content\":{\"msgtype\":\"m.notice\",\"body\":\"now\","
            "\"m.mentions\":{}},\"m.relates_to\":{\"rel_type\":\"m.replace\",\"event_id\":\"$"
            "first\"}}");
}

/* An edit would make no sound: what shall be heard is an event of its own, and later edits are of
 * that. */
static void what_notifies_is_never_an_edit(void **state)
{
    struct hs *p = *state;
    struct outgoing out = board("your move");
    out.post = STR("$first");
    out.to = STR("@ann:example.org");
    out.notify = true;
    struct receipt r = hs_says(p, &out, "PUT", "/send/m.room.message/", 200, DONE);
    assert_str(r.post, "$new");
    hs_body(p, "{\"msgtype\":\"m.text\",\"body\":\"your move\","
               "\"m.mentions\":{\"user_ids\":[\"@ann:example.org\"]}}");
}

static void replies_and_threads(void **state)
{
    struct hs *p = *state;
    struct outgoing out = board("yes");
    out.reply_to = STR("$asked");
    hs_says(p, &out, "PUT", "/send/", 200, DONE);
    hs_body(p, "{\"msgtype\":\"m.notice\",\"body\":\"yes\",\"m.mentions\":{},\"m.relates_to\":{\"m."
               "in_reply_to\":{\"event_id\":\"$asked\"}}}");
    out.reply_to = STR("");
    out.chat = STR("!tea $root");
    hs_says(p, &out, "PUT", "/rooms/%21tea/send/", 200, DONE);
    hs_body(p, "{\"msgtype\":\"m.notice\",\"body\":\"yes\",\"m.mentions\":{},\"m.relates_to\":{"
               "\"rel_type\":\"m.thread\",\"event_id\":\"$root\","
               "\"is_falling_back\":true,\"m.in_reply_to\":{\"event_id\":\"$root\"}}}");
}

static void erasing_is_a_redaction(void **state)
{
    struct hs *p = *state;
    struct outgoing out = {
        .kind = OUT_ERASE, .chat = STR("!tea"), .row = 78, .post = STR("poll:$a/b")};
    assert_int_equal(
        hs_says(p, &out, "PUT", "/rooms/%21tea/redact/%24a%2Fb/k1790856000000.78r", 200, DONE).kind,
        SENT);
    hs_body(p, "{}");
}

static struct button moves[] = {{.label = {"1 crane", 7}, .data = {"d1", 2}},
                                {.label = {"2 moon", 6}, .data = {"d2", 2}}};

/* Two moves for Ann, in her private chat. */
static struct outgoing hand(const char *text)
{
    return (struct outgoing){.kind = OUT_POST,
                             .where = TO_DIRECT,
                             .to = STR("@ann:example.org"),
                             .direct_chat = STR("!dm"),
                             .row = 5,
                             .text = str_of(text),
                             .n_buttons = 2,
                             .buttons = moves};
}

static void moves_are_one_poll_event(void **state)
{
    struct hs *p = *state;
    struct outgoing out = hand("\001Your hand\007\nYour move?");
    out.notify = true;
    out.post = STR("poll:$last");
    struct receipt r = hs_says(
        p, &out, "PUT", CLIENT "/rooms/%21dm/send/org.matrix.msc3381.poll.start/k1790856000000.5p",
        200, DONE);
    assert_str(r.post, "poll:$new");
    assert_str(r.direct_chat, "!dm");
    hs_body(p, "{\"org.matrix.msc3381.poll.start\":{\"question\":{\"org.matrix.msc1767.text\":"
               "\"Your hand.\\nYour move?\"},\"kind\":\"org.matrix.msc3381.poll.disclosed\","
               "\"max_selections\":1,\"answers\":[{\"id\":\"d1\",\"org.matrix.msc1767.text\":\"1 "
               "crane\"},{\"id\":\"d2\",\"org.matrix.msc1767.text\":\"2 moon\"}]},"
               "\"org.matrix.msc1767.text\":\"Your hand.\\nYour move?\\n- 1 crane\\n- 2 "
               "moon\",\"m.mentions\":{\"user_ids\":[\"@ann:example.org\"]}}");
    out.n_buttons = 0; /* a text cannot take a poll's place: a new message */
    out.notify = false;
    r = hs_says(p, &out, "PUT", "/rooms/%21dm/send/m.room.message/", 200, DONE);
    assert_str(r.post, "$new");
}

static void buttons_in_a_room_are_no_poll(void **state)
{
    struct hs *p = *state;
    struct outgoing out = board("Accept?");
    out.n_buttons = 2;
    out.buttons = moves;
    hs_says(p, &out, "PUT", "/rooms/%21tea/send/m.room.message/", 200, DONE);
    hs_body(p, "{\"msgtype\":\"m.notice\",\"body\":\"Accept?\",\"m.mentions\":{}}");
}

static struct outgoing hand_for(const char *who)
{
    return (struct outgoing){.kind = OUT_POST,
                             .where = TO_DIRECT,
                             .to = str_of(who),
                             .row = 9,
                             .text = STR("Your hand")};
}

/* Says what is left to say after MORE. */
static struct receipt goes_on(struct hs *p, struct outgoing *out, struct receipt before,
                              const char *method, const char *part, int status, const char *answer)
{
    assert_int_equal(before.kind, MORE);
    out->progress = arena_str(p->process, before.progress);
    return hs_says(p, out, method, part, status, answer);
}

static void a_private_chat_is_made_noted_and_used_again(void **state)
{
    struct hs *p = *state;
    struct outgoing out = hand_for("@bo:example.org");
    struct receipt r = hs_says(p, &out, "POST", CLIENT "/createRoom", 200, "{\"room_id\":\"!bo\"}");
    hs_body(p, "{\"preset\":\"private_chat\",\"visibility\":\"private\",\"name\":\"Koi-Koi\",\"is_"
               "direct\":true,\"invite\":[\"@bo:example.org\"]}");
    assert_str(r.direct_chat, "!bo");
    r = goes_on(p, &out, r, "GET", "/rooms/%21bo/state/m.room.encryption", 404,
                "{\"errcode\":\"M_NOT_FOUND\"}");
    r = goes_on(p, &out, r, "PUT", "/user/%40koi%3Aexample.org/account_data/m.direct", 200, "{}");
    hs_body(p, "{\"@ann:example.org\":[\"!dm\"],\"@bo:example.org\":[\"!bo\"]}");
    r = goes_on(p, &out, r, "PUT", "/rooms/%21bo/send/m.room.message/k1790856000000.9e", 200, DONE);
    assert_int_equal(r.kind, SENT);
    assert_str(r.direct_chat, "!bo");
    struct outgoing next = hand_for("@bo:example.org"); /* even if nobody remembers it */
    hs_says(p, &next, "PUT", "/rooms/%21bo/send/", 200, DONE);
}

/* The answer to createRoom was lost; the next sync shows the room, and no second one is made. */
/* The list of private chats is written as a whole: of two written at once the server could keep the
 * shorter. */
static void private_chats_are_noted_one_after_the_other(void **state)
{
    struct hs *p = *state;
    struct outgoing bo = hand_for("@bo:example.org"), kei = hand_for("@kei:example.org");
    struct request request;
    struct reply none = {.retry_after_ms = -1}, done = {.status = 200, .body = STR("{}")};
    struct receipt r;
    kei.row = 10;
    r = hs_says(p, &bo, "POST", "/createRoom", 200, "{\"room_id\":\"!bo\"}");
    r = goes_on(p, &bo, r, "GET", "/state/m.room.encryption", 404, "{}");
    bo.progress = arena_str(p->process, r.progress);
    r = hs_says(p, &kei, "POST", "/createRoom", 200, "{\"room_id\":\"!kei\"}");
    r = goes_on(p, &kei, r, "GET", "/state/m.room.encryption", 404, "{}");
    kei.progress = arena_str(p->process, r.progress);
    matrix_adapter.send(p->account, p->turn, &bo, &request);
    assert_int_equal(request.kind, REQUEST_HTTP);
    matrix_adapter.send(p->account, p->turn, &kei, &request);
    assert_int_equal(request.kind, REQUEST_NONE);
    matrix_adapter.receipt(p->account, p->turn, &kei, &none, &r);
    assert_true(r.kind == LATER && r.wait_ms > 0 && !r.all_chats);
    matrix_adapter.receipt(p->account, p->turn, &bo, &done, &r);
    assert_int_equal(r.kind, MORE);
    hs_says(p, &kei, "PUT", "/account_data/m.direct", 200, "{}");
    hs_body(p, "{\"@ann:example.org\":[\"!dm\"],\"@bo:example.org\":[\"!bo\"],"
               "\"@kei:example.org\":[\"!kei\"]}");
}

static void a_lost_answer_makes_no_second_room(void **state)
{
    struct hs *p = *state;
    struct outgoing out = hand_for("@bo:example.org");
    assert_int_equal(hs_says(p, &out, "POST", "/createRoom", 0, "").kind, LATER);
    hs_sync(p, "s2",
            "{\"join\":{\"!bo\":{\"timeline\":{\"events\":["
            "{\"type\":\"m.room.member\",\"state_key\":\"@koi:example.org\",\"sender\":\"@koi:"
            "example.org\",\"event_id\":\"$1\",\"content\":{\"membership\":\"join\"}},"
            "{\"type\":\"m.room.member\",\"state_key\":\"@bo:example.org\",\"sender\":\"@koi:"
            "example.org\",\"event_id\":\"$2\","
            "\"content\":{\"membership\":\"invite\",\"is_direct\":true}}]}}}}");
    out.unknown = true;
    assert_int_equal(hs_says(p, &out, "PUT", "/rooms/%21bo/send/", 200, DONE).kind, SENT);
}

static void who_left_the_private_chat_is_asked_back(void **state)
{
    struct hs *p = *state;
    hs_hears(p, "s2", "!dm",
             "{\"type\":\"m.room.member\",\"state_key\":\"@ann:example.org\",\"sender\":\"@ann:"
             "example.org\",\"event_id\":\"$l\",\"content\":{\"membership\":\"leave\"}}");
    struct outgoing out = hand_for("@ann:example.org");
    out.direct_chat = STR("!dm");
    struct receipt r = hs_says(p, &out, "POST", "/rooms/%21dm/invite", 200, "{}");
    hs_body(p, "{\"user_id\":\"@ann:example.org\"}");
    r = goes_on(p, &out, r, "PUT", "/rooms/%21dm/send/", 200, DONE);
    assert_int_equal(r.kind, SENT);
}

static void a_private_chat_we_lost_is_made_anew(void **state)
{
    struct hs *p = *state;
    struct outgoing out = hand_for("@kei:example.org");
    out.direct_chat = STR("!gone");
    struct receipt r =
        hs_says(p, &out, "GET", "/rooms/%21gone/state/m.room.member/%40kei%3Aexample.org", 403,
                "{\"errcode\":\"M_FORBIDDEN\"}");
    r = goes_on(p, &out, r, "POST", "/createRoom", 200, "{\"room_id\":\"!kei\"}");
    assert_str(r.direct_chat, "!kei");
}

static void an_invitation_that_is_blocked_is_final(void **state)
{
    struct hs *p = *state;
    struct outgoing out = hand_for("@bo:example.org");
    struct receipt r =
        hs_says(p, &out, "POST", "/createRoom", 403, "{\"errcode\":\"M_INVITE_BLOCKED\"}");
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
}

static void a_server_that_encrypts_private_chats(void **state)
{
    struct hs *p = *state;
    struct outgoing out = hand_for("@bo:example.org");
    struct receipt r = hs_says(p, &out, "POST", "/createRoom", 200, "{\"room_id\":\"!closed\"}");
    r = goes_on(p, &out, r, "GET", "/rooms/%21closed/state/m.room.encryption", 200,
                "{\"algorithm\":\"m.megolm.v1.aes-sha2\"}");
    r = goes_on(p, &out, r, "POST", "/rooms/%21closed/leave", 200, "{}");
    r = goes_on(p, &out, r, "POST", "/createRoom", 200, "{\"room_id\":\"!open\"}");
    hs_body(p, "{\"preset\":\"public_chat\",\"visibility\":\"private\",\"name\":\"Koi-Koi\",\"is_"
               "direct\":true,\"invite\":[\"@bo:example.org\"],\"initial_state\":["
               "{\"type\":\"m.room.join_rules\",\"state_key\":\"\",\"content\":{\"join_rule\":"
               "\"invite\"}},"
               "{\"type\":\"m.room.guest_access\",\"state_key\":\"\",\"content\":{\"guest_access\":"
               "\"forbidden\"}},"
               "{\"type\":\"m.room.history_visibility\",\"state_key\":\"\",\"content\":{\"history_"
               "visibility\":\"invited\"}}]}");
    r = goes_on(p, &out, r, "GET", "/rooms/%21open/state/m.room.encryption", 200,
                "{\"algorithm\":\"m.megolm.v1.aes-sha2\"}");
    r = goes_on(p, &out, r, "PUT", "/m.direct", 200, "{}");
    r = goes_on(p, &out, r, "PUT", "/rooms/%21open/send/m.room.message/", 200, DONE);
    assert_int_equal(r.kind, SENT); /* closed as well: written in all the same */
}

static const char PNG[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\0\x80rest";

static void a_picture_is_uploaded_once(void **state)
{
    struct hs *p = *state;
    struct outgoing out = board("Field");
    out.picture_bytes = (struct str){PNG, sizeof PNG - 1};
    struct receipt r = hs_says(p, &out, "POST",
                               "https://hs.example.org/_matrix/media/v3/upload?filename=koikoi.png",
                               200, "{\"content_uri\":\"mxc://example.org/abc\"}");
    assert_true(hs_header(&p->request, "Content-Type", "image/png"));
    assert_int_equal(p->request.body.n, sizeof PNG - 1);
    assert_int_equal(r.kind, MORE);
    assert_str(r.picture_file, "mxc://example.org/abc#256,128,28");
    r = goes_on(p, &out, r, "PUT", "/send/m.room.message/k1790856000000.77e", 200, DONE);
    hs_body(p, "{\"msgtype\":\"m.image\",\"filename\":\"koikoi.png\",\"url\":\"mxc://example.org/"
               "abc\",\"info\":{\"mimetype\":\"image/png\",\"w\":256,\"h\":128,\"size\":28},"
               "\"body\":\"Field\",\"m.mentions\":{}}");
    assert_str(r.picture_file, "mxc://example.org/abc#256,128,28");
    assert_str(r.post, "image:$new");
    out.progress = STR("");
    out.picture_bytes = STR("");
    out.picture_file = r.picture_file;
    out.post = r.post;
    hs_says(p, &out, "PUT", "/send/m.room.message/", 200, "{\"event_id\":\"$edit\"}");
    assert_non_null(strstr(arena_str(p->turn, p->request.body).p,
                           "\"rel_type\":\"m.replace\",\"event_id\":\"$new\""));
    assert_non_null(strstr(arena_str(p->turn, p->request.body).p,
                           "\"url\":\"mxc://example.org/abc\",\"info\":{\"mimetype\":\"image/png\","
                           "\"w\":256,\"h\":128,\"size\":28}"));
}

static void where_uploads_are_limited_the_text_goes_at_once(void **state)
{
    struct hs *p = *state;
    struct outgoing out = board("Field");
    out.picture_bytes = (struct str){PNG, sizeof PNG - 1};
    struct receipt r = hs_says(p, &out, "POST", "/upload", 429,
                               "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":90000}");
    assert_int_equal(r.kind, MORE);
    goes_on(p, &out, r, "PUT", "/send/m.room.message/", 200, DONE);
    hs_body(p, "{\"msgtype\":\"m.notice\",\"body\":\"Field\",\"m.mentions\":{}}");
}

static void what_cannot_be_replaced_is_not_uploaded(void **state)
{
    struct hs *p = *state;
    struct outgoing out = board("Field");
    out.picture_bytes = (struct str){PNG, sizeof PNG - 1};
    out.post = STR("poll:$old");
    out.replace_only = true;
    struct request r = {0};
    matrix_adapter.send(p->account, p->turn, &out, &r);
    assert_int_equal(r.kind, REQUEST_DONE);
}

static void a_picture_that_is_too_large_leaves_its_text(void **state)
{
    struct hs *p = *state;
    struct outgoing out = board("Field");
    out.picture_bytes = STR("png");
    struct receipt r = hs_says(p, &out, "POST", "/upload", 413, "{\"errcode\":\"M_TOO_LARGE\"}");
    goes_on(p, &out, r, "PUT", "/send/m.room.message/", 200, DONE);
    hs_body(p, "{\"msgtype\":\"m.notice\",\"body\":\"Field\",\"m.mentions\":{}}");
}

static void a_picture_goes_ahead_of_a_poll(void **state)
{
    struct hs *p = *state;
    struct outgoing out = hand("Your hand");
    out.picture_bytes = STR("png");
    out.picture_file = STR("mxc://example.org/abc");
    struct receipt r =
        hs_says(p, &out, "PUT", "/rooms/%21dm/send/m.room.message/k1790856000000.5i", 200, DONE);
    r = goes_on(p, &out, r, "PUT",
                "/rooms/%21dm/send/org.matrix.msc3381.poll.start/k1790856000000.5p", 200, DONE);
    assert_str(r.post, "poll:$new");
}

static void what_answers_mean(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *body;
        enum receipt_kind kind;
        int64_t wait;
        bool all;
    } ANSWERS[] = {
        {429, "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":4500}", LATER, 4500, true},
        {429, "", LATER, 0, true},
        {500, "<html>", LATER, 0, false},
        {504, "", LATER, 0, false},
        {0, "", LATER, 0, false},
        {413, "{\"errcode\":\"M_TOO_LARGE\"}", NEVER, 0, false},
        {400, "{\"errcode\":\"M_BAD_JSON\"}", NEVER, 0, false},
        {401, "{\"errcode\":\"M_USER_LOCKED\",\"soft_logout\":true}", LATER, 300000, true},
        {401, "{\"errcode\":\"M_UNKNOWN_TOKEN\"}", LATER, 0, true},
        {200, "{}", LATER, 0, false},
        /* not the homeserver's words, but those of a gate in between */
        {403, "<html>403 Forbidden</html>", LATER, 0, false},
        {302, "", LATER, 0, false},
        {401, "<html>401</html>", LATER, 0, false},
        {407, "", LATER, 0, false},
        {200, "<html>log in</html>", LATER, 0, false},
    };
    for (size_t i = 0; i < sizeof ANSWERS / sizeof *ANSWERS; i++) {
        struct hs *p = hs_ready();
        struct outgoing out = board("x");
        struct receipt r = hs_says(p, &out, "PUT", "/send/", ANSWERS[i].status, ANSWERS[i].body);
        assert_int_equal(r.kind, ANSWERS[i].kind);
        assert_int_equal(r.wait_ms, ANSWERS[i].wait);
        assert_int_equal(r.all_chats, ANSWERS[i].all);
        hs_close(p);
    }
}

/* A closed room may be one that was replaced: the news of it gets a moment to arrive. */
static void a_closed_room_is_given_up_after_a_moment(void **state)
{
    static const char closed[] = "{\"errcode\":\"M_FORBIDDEN\"}";
    struct hs *p = *state;
    struct outgoing out = board("x");
    assert_int_equal(hs_says(p, &out, "PUT", "/send/", 403, closed).kind, LATER);
    p->now += 60 * 1000;
    struct receipt r = hs_says(p, &out, "PUT", "/send/", 403, closed);
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
}

static void a_replaced_room_names_its_successor(void **state)
{
    static const char closed[] = "{\"errcode\":\"M_FORBIDDEN\"}";
    struct hs *p = *state;
    struct outgoing out = board("x");
    hs_hears(p, "s2", "!tea",
             "{\"type\":\"m.room.tombstone\",\"state_key\":\"\",\"sender\":\"@ann:example.org\","
             "\"event_id\":\"$t\","
             "\"content\":{\"body\":\"up\",\"replacement_room\":\"!tea2\"}}");
    hs_asks(p, "POST", "/join/%21tea2", 200, "{\"room_id\":\"!tea2\"}");
    assert_int_equal(hs_says(p, &out, "PUT", "/rooms/%21tea/send/", 403, closed).kind, LATER);
    hs_asks(p, "GET", "/state/m.room.create/", 200, "{\"predecessor\":{\"room_id\":\"!tea\"}}");
    struct receipt r = hs_says(p, &out, "PUT", "/rooms/%21tea/send/", 403, closed);
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_MOVED);
    assert_str(r.chat, "!tea2");
}

/* After a refused token nothing is sent until poll() has found out what is wrong. */
static void nothing_is_said_without_a_session(void **state)
{
    struct hs *p = *state;
    struct outgoing out = board("x");
    hs_says(p, &out, "PUT", "/send/", 401,
            "{\"errcode\":\"M_UNKNOWN_TOKEN\",\"soft_logout\":true}");
    struct request request;
    struct reply none = {.retry_after_ms = -1};
    struct receipt r;
    matrix_adapter.send(p->account, p->turn, &out, &request);
    assert_int_equal(request.kind, REQUEST_NONE);
    matrix_adapter.receipt(p->account, p->turn, &out, &none, &r);
    assert_int_equal(r.kind, LATER);
    assert_true(r.all_chats && r.wait_ms > 0);
    hs_asks(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    hs_says(p, &out, "PUT", "/send/", 200, DONE);
}

#define T(name) cmocka_unit_test_setup_teardown(name, hs_setup, hs_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_board_is_a_notice),
        T(a_repeated_request_is_the_same_event),
        T(your_turn_notifies_its_person),
        T(an_edit_replaces_the_first_event_and_pings_nobody),
        T(what_notifies_is_never_an_edit),
        T(replies_and_threads),
        T(erasing_is_a_redaction),
        T(moves_are_one_poll_event),
        T(buttons_in_a_room_are_no_poll),
        T(a_private_chat_is_made_noted_and_used_again),
        T(private_chats_are_noted_one_after_the_other),
        T(a_lost_answer_makes_no_second_room),
        T(who_left_the_private_chat_is_asked_back),
        T(a_private_chat_we_lost_is_made_anew),
        T(an_invitation_that_is_blocked_is_final),
        T(a_server_that_encrypts_private_chats),
        T(a_picture_is_uploaded_once),
        T(where_uploads_are_limited_the_text_goes_at_once),
        T(what_cannot_be_replaced_is_not_uploaded),
        T(a_picture_that_is_too_large_leaves_its_text),
        T(a_picture_goes_ahead_of_a_poll),
        cmocka_unit_test(what_answers_mean),
        T(a_closed_room_is_given_up_after_a_moment),
        T(a_replaced_room_names_its_successor),
        T(nothing_is_said_without_a_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
