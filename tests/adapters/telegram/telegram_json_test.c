/* JSON in any layout: white space anywhere, members in any order. Updates and receipts are the
 * same. */
#include "adapters/telegram/telegram_exchange.h"

#include <unistd.h>

static const char pressed[] =
    "{\n  \"ok\" : true,\n  \"result\" : [ {\n    \"update_id\" : 7,\n    \"callback_query\" : {\n"
    "      \"from\" : { \"first_name\" : \"Ann\", \"is_bot\" : false, \"id\" : 11 },\n"
    "      \"message\" : { \"chat\" : { \"type\" : \"supergroup\", \"id\" : -1005 },\n"
    "        \"text\" : \"a \\\"result\\\" : [ 1 ]\", \"message_id\" : 41, \"entities\" : [ { } "
    "],\n"
    "        \"reply_markup\" : { \"inline_keyboard\" : [ [ ] ] } },\n"
    "      \"data\" : \"xyz\", \"id\" : \"99\" }\n  } ,\n"
    "  { \"update_id\" : 8, \"unheard_of\" : { \"result\" : [ ] } }\n ] }\n";

static void updates_with_any_white_space(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "7");
    struct batch b = read_batch(tg, pressed);
    assert_int_equal(b.n, 1);
    assert_is(b.cursor, "9");
    assert_is(b.at[0].text, "xyz");
    assert_is(b.at[0].post, "41");
    assert_is(b.at[0].chat, "-1005");
    assert_is(b.at[0].press, "q99");
}

static void updates_with_members_in_any_order(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "7");
    struct batch b = read_batch(
        tg, "{\"description\": \"result\", \"result\": [{\"message\": {\"text\": \"/ping\", "
            "\"date\": 1, \"message_id\": 3, \"chat\": {\"id\": 11, \"type\": \"private\"}, "
            "\"from\": {\"id\": 11, \"first_name\": \"Ann\"}}, \"update_id\": 7}], \"ok\": true}");
    assert_int_equal(b.n, 1);
    assert_is(b.at[0].text, "/ping");
    poll_request(tg, "8");
    assert_int_equal(read_batch(tg, "{\"ok\": true, \"result\": [ ]}").n, 0);
}

static void post_id_with_any_layout(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = post("board");
    struct receipt r =
        receipt_of(tg, &out, 200,
                   "{ \"ok\" : true, \"result\" : { \"chat\" : { \"id\" : -5, \"photo\" : { } },"
                   " \"message_id\" : 42, \"photo\" : [ { \"file_id\" : \"small\" },"
                   " { \"file_id\" : \"large\" } ] } }");
    assert_int_equal(r.kind, SENT);
    assert_is(r.post, "42p");
    assert_is(r.picture_file, "large");
    r = receipt_of(tg, &out, 200,
                   "{\"ok\": true, \"result\": {\"message_id\": 41, \"chat\": {\"id\": -");
    assert_int_equal(r.kind, SENT);
    assert_is(r.post, "41");
}

static void ephemeral_id_with_any_layout(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = whisper("hand");
    send_request(tg, &out);
    struct receipt r =
        receipt_of(tg, &out, 200,
                   "{\"ok\": true, \"result\": {\"message_id\": 0, \"ephemeral_message_id\": 29}}");
    assert_int_equal(r.kind, MORE); /* the text follows the card's back */
    out.progress = r.progress;
    r = receipt_of(tg, &out, 200, "{\"ok\": true, \"result\": true}");
    assert_int_equal(r.kind, SENT);
    assert_is(r.post, "e29");
}

/* The adapter refuses each of these, scans none for ever, and reads the next good answer. */
static void unbalanced_answers_are_refused(void **state)
{
    static const char *const bodies[] = {
        "{\"ok\":true,\"result\":[}]}",
        "{\"ok\":true,\"result\":[{\"update_id\":7},}]}",
        "{\"ok\":true,\"result\":[ } , { \"update_id\" : 8 } ]}",
        "{\"ok\":true,\"result\":[{\"update_id\":7}",
        "{\"ok\":true,\"result\":[\"",
        "{\"ok\":true,\"result\":[",
        "{\"ok\":true,\"result\":",
    };
    struct tg_exchange *tg = *state;
    alarm(20); /* ends this program if the scanner makes no progress */
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct reply reply = reply_of(200, bodies[i]);
        struct batch b = {0};
        struct err err = {""};
        poll_request(tg, "7");
        if (T->read(tg->account, tg->a, &reply, &b, &err))
            fail_msg("read: %s", bodies[i]);
        assert_int_equal(b.n, 0);
        assert_int_equal(b.cursor.n, 0);
        assert_true(b.wait_ms > 0);
        assert_false(b.fatal);
    }
    poll_request(tg, "7");
    assert_int_equal(read_batch(tg, pressed).n, 1);
    alarm(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(updates_with_any_white_space),   RUNNING(updates_with_members_in_any_order),
        RUNNING(post_id_with_any_layout),        RUNNING(ephemeral_id_with_any_layout),
        RUNNING(unbalanced_answers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
