/* JSON may be laid out in any way: with blanks around what separates, on lines of its own, with its
 * names in any order. What is heard and what was sent is the same. */
#include "adapters/telegram_line.h"

static const char pressed[] =
    "{\n  \"ok\" : true,\n  \"result\" : [ {\n    \"update_id\" : 7,\n    \"callback_query\" : {\n"
    "      \"from\" : { \"first_name\" : \"Ann\", \"is_bot\" : false, \"id\" : 11 },\n"
    "      \"message\" : { \"chat\" : { \"type\" : \"supergroup\", \"id\" : -1005 },\n"
    "        \"text\" : \"a \\\"result\\\" : [ 1 ]\", \"message_id\" : 41, \"entities\" : [ { } "
    "],\n"
    "        \"reply_markup\" : { \"inline_keyboard\" : [ [ ] ] } },\n"
    "      \"data\" : \"xyz\", \"id\" : \"99\" }\n  } ,\n"
    "  { \"update_id\" : 8, \"unheard_of\" : { \"result\" : [ ] } }\n ] }\n";

static void an_answer_on_many_lines_is_heard(void **state)
{
    struct line *l = *state;
    asked(l, "7");
    struct batch b = heard(l, pressed);
    assert_int_equal(b.n, 1);
    is(b.cursor, "9");
    is(b.at[0].text, "xyz");
    is(b.at[0].post, "41");
    is(b.at[0].chat, "-1005");
    is(b.at[0].press, "q99");
}

static void an_answer_with_its_result_ahead_is_heard(void **state)
{
    struct line *l = *state;
    asked(l, "7");
    struct batch b = heard(
        l, "{\"description\": \"result\", \"result\": [{\"message\": {\"text\": \"/ping\", "
           "\"date\": 1, \"message_id\": 3, \"chat\": {\"id\": 11, \"type\": \"private\"}, "
           "\"from\": {\"id\": 11, \"first_name\": \"Ann\"}}, \"update_id\": 7}], \"ok\": true}");
    assert_int_equal(b.n, 1);
    is(b.at[0].text, "/ping");
    asked(l, "8");
    assert_int_equal(heard(l, "{\"ok\": true, \"result\": [ ]}").n, 0);
}

static void what_was_sent_has_its_post_however_it_is_told(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("board");
    struct receipt r =
        became(l, &out, 200,
               "{ \"ok\" : true, \"result\" : { \"chat\" : { \"id\" : -5, \"photo\" : { } },"
               " \"message_id\" : 42, \"photo\" : [ { \"file_id\" : \"small\" },"
               " { \"file_id\" : \"large\" } ] } }");
    assert_int_equal(r.kind, SENT);
    is(r.post, "42p");
    is(r.picture_file, "large");
    r = became(l, &out, 200,
               "{\"ok\": true, \"result\": {\"message_id\": 41, \"chat\": {\"id\": -");
    assert_int_equal(r.kind, SENT);
    is(r.post, "41");
}

static void what_was_hidden_is_known_however_it_is_told(void **state)
{
    struct line *l = *state;
    struct outgoing out = whisper("hand");
    said(l, &out);
    struct receipt r =
        became(l, &out, 200,
               "{\"ok\": true, \"result\": {\"message_id\": 0, \"ephemeral_message_id\": 29}}");
    assert_int_equal(r.kind, MORE); /* the words follow the card's back */
    out.progress = r.progress;
    r = became(l, &out, 200, "{\"ok\": true, \"result\": true}");
    assert_int_equal(r.kind, SENT);
    is(r.post, "e29");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(an_answer_on_many_lines_is_heard),
        RUNNING(an_answer_with_its_result_ahead_is_heard),
        RUNNING(what_was_sent_has_its_post_however_it_is_told),
        RUNNING(what_was_hidden_is_known_however_it_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
