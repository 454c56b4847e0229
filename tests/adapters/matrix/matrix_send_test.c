/* Messages as exact requests, and the receipts of a homeserver's answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "adapters/matrix/matrix_exchange.h"

#define DONE   "{\"event_id\":\"$new\"}"
#define CLIENT "https://hs.example.org/_matrix/client/v3"

extern const struct adapter matrix_adapter;

static struct outgoing board(const char *text)
{
    return (struct outgoing){
        .kind = OUT_POST, .chat = STR("!tea"), .row = 77, .text = str_of(text)};
}

/* The birth of the account is 1790856000000, the row 77: with the part they are the transaction
 * id. */
static void a_board_is_a_notice(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("\001Round 1\007 <of> 6\n\006a  1\nb  2\007");
    struct receipt r = exchange_send(
        p, &out, "PUT", CLIENT "/rooms/%21tea/send/m.room.message/k1790856000000.77e", 200, DONE);
    assert_int_equal(r.kind, SENT);
    assert_str(r.post, "$new");
    assert_true(exchange_header(&p->request, "Authorization", "Bearer tok"));
    exchange_body(
        p, "{\"msgtype\":\"m.notice\",\"body\":\"Round 1 <of> 6\\na  1\\nb  "
           "2\",\"format\":\"org.matrix.custom.html\","
           "\"formatted_body\":\"<strong>Round 1</strong> &lt;of&gt; 6<br><pre><code>a  1\\nb  "
           "2</code></pre>\",\"m.mentions\":{}}");
}

/* Bytes that mean nothing to a reader do not travel. */
static void control_characters_are_left_out(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("Bo\x1b[2J \x0e\001wins\007\t!");
    exchange_send(p, &out, "PUT", "/rooms/%21tea/send/m.room.message/", 200, DONE);
    exchange_body(p, "{\"msgtype\":\"m.notice\",\"body\":\"Bo[2J wins!\",\"format\":"
                     "\"org.matrix.custom.html\",\"formatted_body\":\"Bo[2J <strong>wins"
                     "</strong>!\",\"m.mentions\":{}}");
}

static void a_fold_has_its_first_line_as_summary(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("Deal\n\010Proof\nseal \002ab\007\n2\007");
    exchange_send(p, &out, "PUT", "/rooms/%21tea/send/m.room.message/", 200, DONE);
    exchange_body(
        p, "{\"msgtype\":\"m.notice\",\"body\":\"Deal\\nProof\\nseal ab\\n2\","
           "\"format\":\"org.matrix.custom.html\",\"formatted_body\":\"Deal<br><details>"
           "<summary>Proof</summary>seal <code>ab</code><br>2</details>\",\"m.mentions\":{}}");
}

static void a_repeated_request_is_the_same_event(void **state)
{
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=tok", NULL};
    struct matrix_exchange *p = *state;
    struct outgoing out = board("hello");
    assert_int_equal(exchange_send(p, &out, "PUT", "/k1790856000000.77e", 0, "").kind, LATER);
    p->now += 3600 * 1000;
    exchange_restart(p, options);
    exchange_poll(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    exchange_poll(p, "GET", "/m.direct", 404, "{}");
    exchange_sync(p, "s2", "{}");
    out.maybe_sent = true;
    assert_int_equal(exchange_send(p, &out, "PUT", "/k1790856000000.77e", 200, DONE).kind, SENT);
}

static void notify_mentions_the_person(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("\005@ann:example.org\005Ann & co\007, your move");
    out.notify = true;
    exchange_send(p, &out, "PUT", "/rooms/%21tea/send/m.room.message/", 200, DONE);
    exchange_body(
        p,
        "{\"msgtype\":\"m.text\",\"body\":\"Ann & co, your "
        "move\",\"format\":\"org.matrix.custom.html\",\"formatted_body\":"
        "\"<a href=\\\"https://matrix.to/#/%40ann%3Aexample.org\\\">Ann &amp; co</a>, your move\","
        "\"m.mentions\":{\"user_ids\":[\"@ann:example.org\"]}}");
}

static void edit_replaces_the_first_event_and_mentions_no_one(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("now");
    out.post = STR("$first");
    struct receipt r =
        exchange_send(p, &out, "PUT", "/send/m.room.message/", 200, "{\"event_id\":\"$second\"}");
    assert_str(r.post, "$first");
    exchange_body(
        p, "{\"msgtype\":\"m.notice\",\"body\":\"* "
           "now\",\"m.mentions\":{},\"m.new_content\":{\"msgtype\":\"m.notice\",\"body\":\"now\","
           "\"m.mentions\":{}},\"m.relates_to\":{\"rel_type\":\"m.replace\",\"event_id\":\"$"
           "first\"}}");
}

/* An edit notifies no one, so a notifying message is a new event, and later edits are of that. */
static void notifying_message_is_never_an_edit(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("your move");
    out.post = STR("$first");
    out.to = STR("@ann:example.org");
    out.notify = true;
    struct receipt r = exchange_send(p, &out, "PUT", "/send/m.room.message/", 200, DONE);
    assert_str(r.post, "$new");
    exchange_body(p, "{\"msgtype\":\"m.text\",\"body\":\"your move\","
                     "\"m.mentions\":{\"user_ids\":[\"@ann:example.org\"]}}");
}

static void replies_and_threads(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("yes");
    out.reply_to = STR("$asked");
    exchange_send(p, &out, "PUT", "/send/", 200, DONE);
    exchange_body(
        p, "{\"msgtype\":\"m.notice\",\"body\":\"yes\",\"m.mentions\":{},\"m.relates_to\":{\"m."
           "in_reply_to\":{\"event_id\":\"$asked\"}}}");
    out.reply_to = STR("");
    out.chat = STR("!tea $root");
    exchange_send(p, &out, "PUT", "/rooms/%21tea/send/", 200, DONE);
    exchange_body(p,
                  "{\"msgtype\":\"m.notice\",\"body\":\"yes\",\"m.mentions\":{},\"m.relates_to\":{"
                  "\"rel_type\":\"m.thread\",\"event_id\":\"$root\","
                  "\"is_falling_back\":true,\"m.in_reply_to\":{\"event_id\":\"$root\"}}}");
}

static void erasing_is_a_redaction(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = {
        .kind = OUT_ERASE, .chat = STR("!tea"), .row = 78, .post = STR("poll:$a/b")};
    assert_int_equal(
        exchange_send(p, &out, "PUT", "/rooms/%21tea/redact/%24a%2Fb/k1790856000000.78r", 200, DONE)
            .kind,
        SENT);
    exchange_body(p, "{}");
}

/* Votes for dead moves end with their poll; what is no poll has no buttons. */
static void closing_ends_a_poll(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = {.kind = OUT_CLOSE,
                           .where = TO_DIRECT,
                           .to = STR("@ann:example.org"),
                           .direct_chat = STR("!dm"),
                           .row = 79,
                           .post = STR("poll:$p")};
    assert_int_equal(
        exchange_send(p, &out, "PUT",
                      "/rooms/%21dm/send/org.matrix.msc3381.poll.end/k1790856000000.79c", 200, DONE)
            .kind,
        SENT);
    exchange_body(p, "{\"m.relates_to\":{\"rel_type\":\"m.reference\",\"event_id\":\"$p\"},"
                     "\"org.matrix.msc3381.poll.end\":{},\"org.matrix.msc1767.text\":\"\u23F9\","
                     "\"m.mentions\":{}}");
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
    struct matrix_exchange *p = *state;
    struct outgoing out = hand("\001Your hand\007\nYour move?");
    out.notify = true;
    out.post = STR("poll:$last $last $picture");
    struct receipt r = exchange_send(
        p, &out, "PUT", CLIENT "/rooms/%21dm/send/org.matrix.msc3381.poll.start/k1790856000000.5p",
        200, DONE);
    assert_str(r.post, "poll:$new $new");
    assert_str(r.direct_chat, "!dm");
    exchange_body(
        p, "{\"org.matrix.msc3381.poll.start\":{\"question\":{\"org.matrix.msc1767.text\":"
           "\"Your hand.\\nYour move?\"},\"kind\":\"org.matrix.msc3381.poll.disclosed\","
           "\"max_selections\":1,\"answers\":[{\"id\":\"d1\",\"org.matrix.msc1767.text\":\"1 "
           "crane\"},{\"id\":\"d2\",\"org.matrix.msc1767.text\":\"2 moon\"}]},"
           "\"org.matrix.msc1767.text\":\"Your hand.\\nYour move?\\n- 1 crane\\n- 2 "
           "moon\",\"m.mentions\":{\"user_ids\":[\"@ann:example.org\"]}}");
    out.n_buttons = 0; /* a text cannot replace a poll: a new message */
    out.notify = false;
    r = exchange_send(p, &out, "PUT", "/rooms/%21dm/send/m.room.message/", 200, DONE);
    assert_str(r.post, "$new");
}

static void buttons_in_a_room_are_no_poll(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("Accept?");
    out.n_buttons = 2;
    out.buttons = moves;
    exchange_send(p, &out, "PUT", "/rooms/%21tea/send/m.room.message/", 200, DONE);
    exchange_body(p, "{\"msgtype\":\"m.notice\",\"body\":\"Accept?\",\"m.mentions\":{}}");
}

static struct outgoing hand_for(const char *who)
{
    return (struct outgoing){.kind = OUT_POST,
                             .where = TO_DIRECT,
                             .to = str_of(who),
                             .row = 9,
                             .text = STR("Your hand")};
}

/* Sends the steps after MORE. */
static struct receipt goes_on(struct matrix_exchange *p, struct outgoing *out,
                              struct receipt before, const char *method, const char *part,
                              int status, const char *answer)
{
    assert_int_equal(before.kind, MORE);
    out->progress = arena_str(p->process, before.progress);
    return exchange_send(p, out, method, part, status, answer);
}

static void private_chat_is_created_once_and_reused(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = hand_for("@bo:example.org");
    struct receipt r =
        exchange_send(p, &out, "POST", CLIENT "/createRoom", 200, "{\"room_id\":\"!bo\"}");
    exchange_body(
        p, "{\"preset\":\"private_chat\",\"visibility\":\"private\",\"name\":\"Koi-Koi\",\"is_"
           "direct\":true,\"power_level_content_override\":{\"invite\":100},\"invite\":[\"@bo:"
           "example.org\"]}");
    assert_str(r.direct_chat, "!bo");
    r = goes_on(p, &out, r, "GET", "/rooms/%21bo/state/m.room.encryption", 404,
                "{\"errcode\":\"M_NOT_FOUND\"}");
    r = goes_on(p, &out, r, "PUT", "/user/%40koi%3Aexample.org/account_data/m.direct", 200, "{}");
    exchange_body(p, "{\"@ann:example.org\":[\"!dm\"],\"@bo:example.org\":[\"!bo\"]}");
    r = goes_on(p, &out, r, "PUT", "/rooms/%21bo/send/m.room.message/k1790856000000.9e", 200, DONE);
    assert_int_equal(r.kind, SENT);
    assert_str(r.direct_chat, "!bo");
    struct outgoing next = hand_for("@bo:example.org"); /* even if no one remembers it */
    exchange_send(p, &next, "PUT", "/rooms/%21bo/send/", 200, DONE);
}

/* m.direct is written as a whole: of two writes at once the server could keep the shorter. */
static void m_direct_is_written_by_one_row_at_a_time(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing bo = hand_for("@bo:example.org"), kei = hand_for("@kei:example.org");
    struct request request;
    struct reply none = {.retry_after_ms = -1}, done = {.status = 200, .body = STR("{}")};
    struct receipt r;
    kei.row = 10;
    r = exchange_send(p, &bo, "POST", "/createRoom", 200, "{\"room_id\":\"!bo\"}");
    r = goes_on(p, &bo, r, "GET", "/state/m.room.encryption", 404, "{}");
    bo.progress = arena_str(p->process, r.progress);
    r = exchange_send(p, &kei, "POST", "/createRoom", 200, "{\"room_id\":\"!kei\"}");
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
    exchange_send(p, &kei, "PUT", "/account_data/m.direct", 200, "{}");
    exchange_body(p, "{\"@ann:example.org\":[\"!dm\"],\"@bo:example.org\":[\"!bo\"],"
                     "\"@kei:example.org\":[\"!kei\"]}");
}

/* The answer to createRoom was lost; the next sync shows the room, and no second one is made. */
static void lost_answer_creates_no_second_room(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = hand_for("@bo:example.org");
    assert_int_equal(exchange_send(p, &out, "POST", "/createRoom", 0, "").kind, LATER);
    exchange_sync(
        p, "s2",
        "{\"join\":{\"!bo\":{\"timeline\":{\"events\":["
        "{\"type\":\"m.room.member\",\"state_key\":\"@koi:example.org\",\"sender\":\"@koi:"
        "example.org\",\"event_id\":\"$1\",\"content\":{\"membership\":\"join\"}},"
        "{\"type\":\"m.room.member\",\"state_key\":\"@bo:example.org\",\"sender\":\"@koi:"
        "example.org\",\"event_id\":\"$2\","
        "\"content\":{\"membership\":\"invite\",\"is_direct\":true}}]}}}}");
    out.maybe_sent = true;
    assert_int_equal(exchange_send(p, &out, "PUT", "/rooms/%21bo/send/", 200, DONE).kind, SENT);
}

static void departed_person_is_invited_again(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_events(
        p, "s2", "!dm",
        "{\"type\":\"m.room.member\",\"state_key\":\"@ann:example.org\",\"sender\":\"@ann:"
        "example.org\",\"event_id\":\"$l\",\"content\":{\"membership\":\"leave\"}}");
    struct outgoing out = hand_for("@ann:example.org");
    out.direct_chat = STR("!dm");
    struct receipt r = exchange_send(p, &out, "POST", "/rooms/%21dm/invite", 200, "{}");
    exchange_body(p, "{\"user_id\":\"@ann:example.org\"}");
    r = goes_on(p, &out, r, "PUT", "/rooms/%21dm/send/", 200, DONE);
    assert_int_equal(r.kind, SENT);
}

static void lost_private_chat_is_created_anew(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = hand_for("@kei:example.org");
    out.direct_chat = STR("!gone");
    struct receipt r =
        exchange_send(p, &out, "GET", "/rooms/%21gone/state/m.room.member/%40kei%3Aexample.org",
                      403, "{\"errcode\":\"M_FORBIDDEN\"}");
    r = goes_on(p, &out, r, "POST", "/createRoom", 200, "{\"room_id\":\"!kei\"}");
    assert_str(r.direct_chat, "!kei");
}

static void blocked_invite_is_final(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = hand_for("@bo:example.org");
    struct receipt r =
        exchange_send(p, &out, "POST", "/createRoom", 403, "{\"errcode\":\"M_INVITE_BLOCKED\"}");
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
}

static void a_server_that_encrypts_private_chats(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = hand_for("@bo:example.org");
    struct receipt r =
        exchange_send(p, &out, "POST", "/createRoom", 200, "{\"room_id\":\"!closed\"}");
    r = goes_on(p, &out, r, "GET", "/rooms/%21closed/state/m.room.encryption", 200,
                "{\"algorithm\":\"m.megolm.v1.aes-sha2\"}");
    r = goes_on(p, &out, r, "POST", "/rooms/%21closed/kick", 200, "{}");
    exchange_body(p, "{\"user_id\":\"@bo:example.org\"}");
    r = goes_on(p, &out, r, "POST", "/rooms/%21closed/leave", 200, "{}");
    r = goes_on(p, &out, r, "POST", "/createRoom", 200, "{\"room_id\":\"!open\"}");
    exchange_body(
        p, "{\"preset\":\"public_chat\",\"visibility\":\"private\",\"name\":\"Koi-Koi\",\"is_"
           "direct\":true,\"power_level_content_override\":{\"invite\":100},\"invite\":[\"@bo:"
           "example.org\"],\"initial_state\":["
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
    assert_int_equal(r.kind, SENT); /* encrypted as well: used all the same */
}

/* Bo's chat shows that the server encrypts while Kei's is being created: it is left as well. */
static void two_chats_at_once_on_a_server_that_encrypts(void **state)
{
    static const char SEAL[] = "{\"algorithm\":\"m.megolm.v1.aes-sha2\"}";
    struct matrix_exchange *p = *state;
    struct outgoing bo = hand_for("@bo:example.org"), kei = hand_for("@kei:example.org");
    struct reply created = {.status = 200, .body = STR("{\"room_id\":\"!kei\"}")};
    struct request request;
    struct receipt r;
    kei.row = 10;
    matrix_adapter.send(p->account, p->turn, &kei, &request);
    assert_int_equal(request.kind, REQUEST_HTTP);
    r = exchange_send(p, &bo, "POST", "/createRoom", 200, "{\"room_id\":\"!bo\"}");
    r = goes_on(p, &bo, r, "GET", "/rooms/%21bo/state/m.room.encryption", 200, SEAL);
    matrix_adapter.receipt(p->account, p->turn, &kei, &created, &r);
    r = goes_on(p, &kei, r, "GET", "/rooms/%21kei/state/m.room.encryption", 200, SEAL);
    goes_on(p, &kei, r, "POST", "/rooms/%21kei/kick", 200, "{}");
}

static const char PNG[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\0\x80rest";

static void a_picture_is_uploaded_once(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("Field");
    out.picture_bytes = (struct str){PNG, sizeof PNG - 1};
    struct receipt r = exchange_send(
        p, &out, "POST", "https://hs.example.org/_matrix/media/v3/upload?filename=koikoi.png", 200,
        "{\"content_uri\":\"mxc://example.org/abc\"}");
    assert_true(exchange_header(&p->request, "Content-Type", "image/png"));
    assert_int_equal(p->request.body.n, sizeof PNG - 1);
    assert_true(p->request.unpaced); /* a picture and its message are one for the limits */
    assert_int_equal(r.kind, MORE);
    assert_str(r.picture_file, "mxc://example.org/abc#256,128,28");
    r = goes_on(p, &out, r, "PUT", "/send/m.room.message/k1790856000000.77e", 200, DONE);
    exchange_body(
        p, "{\"msgtype\":\"m.image\",\"filename\":\"koikoi.png\",\"url\":\"mxc://example.org/"
           "abc\",\"info\":{\"mimetype\":\"image/png\",\"w\":256,\"h\":128,\"size\":28},"
           "\"body\":\"Field\",\"m.mentions\":{}}");
    assert_str(r.picture_file, "mxc://example.org/abc#256,128,28");
    assert_str(r.post, "image:$new $new");
    out.progress = STR("");
    out.picture_bytes = STR("");
    out.picture_file = r.picture_file;
    out.post = r.post;
    exchange_send(p, &out, "PUT", "/send/m.room.message/", 200, "{\"event_id\":\"$edit\"}");
    assert_non_null(strstr(arena_str(p->turn, p->request.body).p,
                           "\"rel_type\":\"m.replace\",\"event_id\":\"$new\""));
    assert_non_null(strstr(arena_str(p->turn, p->request.body).p,
                           "\"url\":\"mxc://example.org/abc\",\"info\":{\"mimetype\":\"image/png\","
                           "\"w\":256,\"h\":128,\"size\":28}"));
}

static void a_file_is_uploaded_with_its_name(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("The record");
    out.file_name = STR("unk9nreq3d.koikoi");
    out.file = STR("{\"t\":\"match\"}\n");
    struct receipt r =
        exchange_send(p, &out, "POST",
                      "https://hs.example.org/_matrix/media/v3/upload?filename=unk9nreq3d.koikoi",
                      200, "{\"content_uri\":\"mxc://example.org/abc\"}");
    assert_true(exchange_header(&p->request, "Content-Type", "application/octet-stream"));
    assert_str(p->request.body, "{\"t\":\"match\"}\n");
    assert_int_equal(r.kind, MORE);
    assert_int_equal(r.picture_file.n, 0);
    r = goes_on(p, &out, r, "PUT", "/send/m.room.message/k1790856000000.77e", 200, DONE);
    exchange_body(
        p, "{\"msgtype\":\"m.file\",\"filename\":\"unk9nreq3d.koikoi\",\"url\":\"mxc://example.org/"
           "abc\",\"info\":{\"mimetype\":\"application/octet-stream\",\"size\":14},"
           "\"body\":\"The record\",\"m.mentions\":{}}");
    assert_int_equal(r.kind, SENT);
}

/* A message about a file is nothing without it. */
static void a_file_waits_for_its_upload(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("The record");
    out.file_name = STR("unk9nreq3d.koikoi");
    out.file = STR("{\"t\":\"match\"}\n");
    struct receipt r = exchange_send(p, &out, "POST", "/upload", 429,
                                     "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":90000}");
    assert_int_equal(r.kind, LATER);
    r = exchange_send(p, &out, "POST", "/upload", 413, "{\"errcode\":\"M_TOO_LARGE\"}");
    assert_int_equal(r.kind, NEVER);
}

static void limited_upload_sends_the_text_alone(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("Field");
    out.picture_bytes = (struct str){PNG, sizeof PNG - 1};
    struct receipt r = exchange_send(p, &out, "POST", "/upload", 429,
                                     "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":90000}");
    assert_int_equal(r.kind, MORE);
    goes_on(p, &out, r, "PUT", "/send/m.room.message/", 200, DONE);
    exchange_body(p, "{\"msgtype\":\"m.notice\",\"body\":\"Field\",\"m.mentions\":{}}");
}

static void no_upload_without_a_message_to_replace(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("Field");
    out.picture_bytes = (struct str){PNG, sizeof PNG - 1};
    out.post = STR("poll:$old");
    out.replace_only = true;
    struct request r = {0};
    matrix_adapter.send(p->account, p->turn, &out, &r);
    assert_int_equal(r.kind, REQUEST_DONE);
}

static void refused_upload_sends_the_text_alone(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("Field");
    out.picture_bytes = STR("png");
    struct receipt r =
        exchange_send(p, &out, "POST", "/upload", 413, "{\"errcode\":\"M_TOO_LARGE\"}");
    goes_on(p, &out, r, "PUT", "/send/m.room.message/", 200, DONE);
    exchange_body(p, "{\"msgtype\":\"m.notice\",\"body\":\"Field\",\"m.mentions\":{}}");
}

static void a_picture_goes_ahead_of_a_poll(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = hand("Your hand");
    out.notify = true;
    out.picture_bytes = STR("png");
    out.picture_file = STR("mxc://example.org/abc");
    struct receipt r =
        exchange_send(p, &out, "PUT", "/rooms/%21dm/send/m.room.message/k1790856000000.5i", 200,
                      "{\"event_id\":\"$picture\"}");
    assert_non_null(strstr(arena_str(p->turn, p->request.body).p,
                           "\"m.mentions\":{\"user_ids\":[\"@ann:example.org\"]}"));
    r = goes_on(p, &out, r, "PUT",
                "/rooms/%21dm/send/org.matrix.msc3381.poll.start/k1790856000000.5p", 200, DONE);
    assert_str(r.post, "poll:$new $new $picture");
    const char *poll = arena_str(p->turn, p->request.body).p;
    assert_non_null(strstr(poll, "\"msgtype\":\"m.notice\",\"m.mentions\":{}}"));
    assert_null(strstr(poll, "user_ids"));
}

static void meaning_of_each_answer(void **state)
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
        {408, "", LATER, 0, false},
        {0, "", LATER, 0, false},
        {413, "{\"errcode\":\"M_TOO_LARGE\"}", NEVER, 0, false},
        {400, "{\"errcode\":\"M_BAD_JSON\"}", NEVER, 0, false},
        {401, "{\"errcode\":\"M_USER_LOCKED\",\"soft_logout\":true}", LATER, 300000, true},
        {401, "{\"errcode\":\"M_UNKNOWN_TOKEN\"}", LATER, 0, true},
        {200, "{}", LATER, 0, false},
        /* without an errcode: from a gate in between */
        {403, "<html>403 Forbidden</html>", LATER, 0, false},
        {302, "", LATER, 0, false},
        {401, "<html>401</html>", LATER, 0, false},
        {407, "", LATER, 0, false},
        {200, "<html>log in</html>", LATER, 0, false},
    };
    for (size_t i = 0; i < sizeof ANSWERS / sizeof *ANSWERS; i++) {
        struct matrix_exchange *p = exchange_ready();
        struct outgoing out = board("x");
        struct receipt r =
            exchange_send(p, &out, "PUT", "/send/", ANSWERS[i].status, ANSWERS[i].body);
        assert_int_equal(r.kind, ANSWERS[i].kind);
        assert_int_equal(r.wait_ms, ANSWERS[i].wait);
        assert_int_equal(r.all_chats, ANSWERS[i].all);
        exchange_close(p);
    }
}

/* A room that the server does not know is out of reach for good. */
static void unknown_room_is_unreachable(void **state)
{
    struct outgoing out = board("x");
    struct receipt r =
        exchange_send(*state, &out, "PUT", "/send/", 404, "{\"errcode\":\"M_NOT_FOUND\"}");
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
}

/* A closed room may have been replaced: the tombstone gets a moment to arrive. */
static void closed_room_fails_after_a_moment(void **state)
{
    static const char closed[] = "{\"errcode\":\"M_FORBIDDEN\"}";
    struct matrix_exchange *p = *state;
    struct outgoing out = board("x");
    assert_int_equal(exchange_send(p, &out, "PUT", "/send/", 403, closed).kind, LATER);
    p->now += 60 * 1000;
    struct receipt r = exchange_send(p, &out, "PUT", "/send/", 403, closed);
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
}

static void closed_room_fails_after_a_moment_though_the_clock_is_set_back(void **state)
{
    static const char closed[] = "{\"errcode\":\"M_FORBIDDEN\"}";
    struct matrix_exchange *p = *state;
    struct outgoing out = board("x");
    assert_int_equal(exchange_send(p, &out, "PUT", "/send/", 403, closed).kind, LATER);
    p->now -= 10 * 24 * 3600 * INT64_C(1000);
    assert_int_equal(exchange_send(p, &out, "PUT", "/send/", 403, closed).kind, LATER);
    p->now += 60 * 1000;
    assert_int_equal(exchange_send(p, &out, "PUT", "/send/", 403, closed).kind, NEVER);
}

static void a_replaced_room_names_its_successor(void **state)
{
    static const char closed[] = "{\"errcode\":\"M_FORBIDDEN\"}";
    struct matrix_exchange *p = *state;
    struct outgoing out = board("x");
    exchange_events(
        p, "s2", "!tea",
        "{\"type\":\"m.room.tombstone\",\"state_key\":\"\",\"sender\":\"@ann:example.org\","
        "\"event_id\":\"$t\","
        "\"content\":{\"body\":\"up\",\"replacement_room\":\"!tea2\"}}");
    exchange_poll(p, "POST", "/join/%21tea2", 200, "{\"room_id\":\"!tea2\"}");
    assert_int_equal(exchange_send(p, &out, "PUT", "/rooms/%21tea/send/", 403, closed).kind, LATER);
    exchange_poll(p, "GET", "/state/m.room.create/", 200,
                  "{\"predecessor\":{\"room_id\":\"!tea\"}}");
    struct receipt r = exchange_send(p, &out, "PUT", "/rooms/%21tea/send/", 403, closed);
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_MOVED);
    assert_str(r.chat, "!tea2");
}

/* After a refused token the bot sends nothing until a poll has asked whoami. */
static void no_send_without_a_session(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing out = board("x");
    exchange_send(p, &out, "PUT", "/send/", 401,
                  "{\"errcode\":\"M_UNKNOWN_TOKEN\",\"soft_logout\":true}");
    struct request request;
    struct reply none = {.retry_after_ms = -1};
    struct receipt r;
    matrix_adapter.send(p->account, p->turn, &out, &request);
    assert_int_equal(request.kind, REQUEST_NONE);
    matrix_adapter.receipt(p->account, p->turn, &out, &none, &r);
    assert_int_equal(r.kind, LATER);
    assert_true(r.all_chats && r.wait_ms > 0);
    exchange_poll(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    exchange_send(p, &out, "PUT", "/send/", 200, DONE);
}

#define T(name) cmocka_unit_test_setup_teardown(name, exchange_setup, exchange_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_board_is_a_notice),
        T(control_characters_are_left_out),
        T(a_fold_has_its_first_line_as_summary),
        T(a_repeated_request_is_the_same_event),
        T(notify_mentions_the_person),
        T(edit_replaces_the_first_event_and_mentions_no_one),
        T(notifying_message_is_never_an_edit),
        T(replies_and_threads),
        T(erasing_is_a_redaction),
        T(closing_ends_a_poll),
        T(moves_are_one_poll_event),
        T(buttons_in_a_room_are_no_poll),
        T(private_chat_is_created_once_and_reused),
        T(m_direct_is_written_by_one_row_at_a_time),
        T(lost_answer_creates_no_second_room),
        T(departed_person_is_invited_again),
        T(lost_private_chat_is_created_anew),
        T(blocked_invite_is_final),
        T(a_server_that_encrypts_private_chats),
        T(two_chats_at_once_on_a_server_that_encrypts),
        T(a_picture_is_uploaded_once),
        T(a_file_is_uploaded_with_its_name),
        T(a_file_waits_for_its_upload),
        T(limited_upload_sends_the_text_alone),
        T(no_upload_without_a_message_to_replace),
        T(refused_upload_sends_the_text_alone),
        T(a_picture_goes_ahead_of_a_poll),
        cmocka_unit_test(meaning_of_each_answer),
        T(unknown_room_is_unreachable),
        T(closed_room_fails_after_a_moment),
        T(closed_room_fails_after_a_moment_though_the_clock_is_set_back),
        T(a_replaced_room_names_its_successor),
        T(no_send_without_a_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
