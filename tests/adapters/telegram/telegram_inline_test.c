/* Telegram in chats that the bot is not in: inline queries, what is chosen, guests' mentions, and
 * the one message that stands there. */
#include "adapters/telegram_line.h"

static void an_inline_query(void **state)
{
    struct update u =
        one(*state, "\"inline_query\":{\"id\":\"99\",\"from\":" ANN
                    ",\"query\":\"hand 12\",\"offset\":\"\",\"chat_type\":\"group\"}");
    assert_int_equal(u.kind, UPDATE_QUERY);
    is(u.press, "i99");
    is(u.text, "hand 12");
    is(u.from.id, "11");
    is(u.from.language, "pl");
    assert_false(u.direct);
}

static void what_was_chosen_is_a_press_without_a_tap(void **state)
{
    struct update u =
        one(*state, "\"chosen_inline_result\":{\"result_id\":\"I7.1.0.hhhhhhhhhhh\",\"from\":" ANN
                    ",\"inline_message_id\":\"AbC-9_z\",\"query\":\"\"}");
    assert_int_equal(u.kind, UPDATE_PRESS);
    is(u.chat, "iAbC-9_z");
    is(u.text, "I7.1.0.hhhhhhhhhhh");
    assert_int_equal(u.press.n, 0);
}

static void what_was_chosen_and_cannot_be_edited_is_passed_over(void **state)
{
    none(*state, "\"chosen_inline_result\":{\"result_id\":\"h1\",\"from\":" ANN ",\"query\":\"\"}");
}

static void a_press_on_the_one_message(void **state)
{
    struct update u =
        one(*state, "\"callback_query\":{\"id\":\"55\",\"from\":" ANN
                    ",\"inline_message_id\":\"AbC\",\"chat_instance\":\"-3\",\"data\":\"a1\"}");
    assert_int_equal(u.kind, UPDATE_PRESS);
    is(u.chat, "iAbC");
    is(u.press, "q55");
    is(u.text, "a1");
    assert_false(u.direct);
    assert_false(u.admin);
}

static void a_guest_is_asked_by_its_name(void **state)
{
    struct update u = one(
        *state, "\"guest_message\":{\"message_id\":5,\"from\":" ANN
                ",\"chat\":{\"id\":-5,\"type\":\"group\",\"title\":\"Club\"},\"date\":1700000000,"
                "\"guest_query_id\":\"g-1\",\"text\":\"@koikoi_bot  hand 12\"}");
    assert_int_equal(u.kind, UPDATE_QUERY);
    is(u.press, "gg-1");
    is(u.text, "hand 12");
}

/* It is in the chat, too, and hears what is said by way of it. */
static void what_is_said_through_us_is_no_command(void **state)
{
    none(*state, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":{\"id\":-5,\"type\":"
                 "\"group\",\"title\":\"Club\"},\"date\":1700000000,\"via_bot\":{\"id\":123456,"
                 "\"is_bot\":true,\"first_name\":\"K\"},\"text\":\"/play 3\"}");
}

/* ---- what is said ---- */

static struct article articles[] = {
    {STR("I7.1.0.h"), STR("Challenge: sensei"), STR("12 <rounds>"), STR("\1Ann\7 & you"),
     STR("Accept")},
    {STR("h1"), STR("Ann to move"), STR(""), STR("Ann looks"), STR("")}};

static struct outgoing offer(const char *press, int n)
{
    return (struct outgoing){.kind = OUT_ANSWER,
                             .where = TO_CHAT,
                             .chat = STR("i"),
                             .press = str_of(press),
                             .to = STR("11"),
                             .articles = articles,
                             .n_articles = n};
}

#define CHALLENGE                                                                                  \
    "{\"type\":\"article\",\"id\":\"I7.1.0.h\",\"title\":\"Challenge: sensei\","                   \
    "\"description\":\"12 <rounds>\",\"input_message_content\":{\"message_text\":"                 \
    "\"<b>Ann</b> &amp; you\",\"parse_mode\":\"HTML\",\"link_preview_options\":"                   \
    "{\"is_disabled\":true}},\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"Accept\","        \
    "\"callback_data\":\"I7.1.0.h\",\"style\":\"success\"}]]}}"

static void a_query_is_answered_for_one_person_alone_and_never_kept(void **state)
{
    struct outgoing out = offer("i99", 2);
    struct request r = said(*state, &out);
    is(r.what, "answerInlineQuery");
    is(r.body,
       "{\"inline_query_id\":\"99\",\"results\":[" CHALLENGE
       ",{\"type\":\"article\",\"id\":\"h1\",\"title\":\"Ann to move\","
       "\"input_message_content\":{\"message_text\":\"Ann looks\",\"parse_mode\":\"HTML\","
       "\"link_preview_options\":{\"is_disabled\":true}}}],\"cache_time\":0,\"is_personal\":true}");
}

static void a_guest_answers_once(void **state)
{
    struct outgoing out = offer("gg-1", 2);
    struct request r = said(*state, &out);
    is(r.what, "answerGuestQuery");
    is(r.body, "{\"guest_query_id\":\"g-1\",\"result\":" CHALLENGE "}");
}

static struct receipt told(struct line *l, const struct outgoing *out, int status, const char *body)
{
    struct reply reply = replied(status, body);
    struct receipt r = {0};
    T->receipt(l->account, l->a, out, &reply, &r);
    return r;
}

static void an_answer_that_comes_too_late_is_given_up(void **state)
{
    struct outgoing out = offer("i99", 1);
    assert_int_equal(told(*state, &out, 200, "{\"ok\":true,\"result\":true}").kind, SENT);
    struct receipt r =
        told(*state, &out, 400,
             "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: query is "
             "too old and response timeout expired or query ID is invalid\"}");
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_LATE);
}

static void the_one_message_is_edited_by_its_own_id(void **state)
{
    struct button button = {.label = STR("Cards"), .data = STR("hand 12"), .style = BUTTON_QUERY};
    struct outgoing out = {.kind = OUT_POST,
                           .where = TO_CHAT,
                           .chat = STR("iAbC-9_z"),
                           .text = STR("Ann to move"),
                           .notify = true,
                           .n_buttons = 1,
                           .buttons = &button};
    struct request r = said(*state, &out);
    is(r.what, "editMessageText");
    is(r.body,
       "{\"inline_message_id\":\"AbC-9_z\",\"text\":\"Ann to move\",\"parse_mode\":\"HTML\","
       "\"link_preview_options\":{\"is_disabled\":true},\"reply_markup\":{\"inline_keyboard\":"
       "[[{\"text\":\"Cards\",\"switch_inline_query_current_chat\":\"hand 12\"}]]}}");
    assert_int_equal(told(*state, &out, 200, "{\"ok\":true,\"result\":true}").kind, SENT);
    assert_int_equal(
        told(*state, &out, 400,
             "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: message is "
             "not modified: specified new message content\"}")
            .kind,
        SENT);
    /* It is gone, and nothing can be said anew there. */
    struct receipt r2 = told(*state, &out, 400,
                             "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: "
                             "MESSAGE_ID_INVALID\"}");
    assert_int_equal(r2.kind, NEVER);
    assert_int_equal(r2.why, NEVER_UNREACHABLE);
}

/* What is meant for one person is never put where all see it. */
static void nobody_is_whispered_to_there(void **state)
{
    struct outgoing out = {.kind = OUT_POST,
                           .where = TO_WHISPER,
                           .chat = STR("iAbC"),
                           .to = STR("11"),
                           .text = STR("1 pine crane")};
    assert_int_equal(said(*state, &out).kind, REQUEST_NONE);
    struct reply none = {.retry_after_ms = -1};
    struct receipt r = {0};
    T->receipt(((struct line *)*state)->account, ((struct line *)*state)->a, &out, &none, &r);
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
    out = (struct outgoing){
        .kind = OUT_ERASE, .where = TO_CHAT, .chat = STR("iAbC"), .post = STR("5")};
    assert_int_equal(said(*state, &out).kind, REQUEST_NONE);
}

static void what_can_be_done_there(void **state)
{
    struct line *l = *state;
    uint32_t here = T->can_in(l->account, STR("iAbC"), T->can);
    assert_true(here & CAN_ONE_POST);
    assert_false(here & (CAN_WHISPER | CAN_ERASE | CAN_PICTURE));
    assert_true(here & CAN_POPUP);
    assert_int_equal(T->can_in(l->account, STR("-1001"), T->can), T->can); /* inline mode is off */
}

static void with_inline_mode_people_can_ask(void **state)
{
    struct line *l = *state;
    asked(l, "7");
    heard(l, "{\"ok\":true,\"result\":{\"id\":123456,\"is_bot\":true,\"first_name\":\"Koi-Koi\","
             "\"username\":\"koikoi_bot\",\"supports_inline_queries\":true}}");
    assert_int_equal(T->can_in(l->account, STR("-1001"), T->can), T->can | CAN_QUERY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(an_inline_query),
        RUNNING(what_was_chosen_is_a_press_without_a_tap),
        RUNNING(what_was_chosen_and_cannot_be_edited_is_passed_over),
        RUNNING(a_press_on_the_one_message),
        RUNNING(a_guest_is_asked_by_its_name),
        RUNNING(what_is_said_through_us_is_no_command),
        RUNNING(a_query_is_answered_for_one_person_alone_and_never_kept),
        RUNNING(a_guest_answers_once),
        RUNNING(an_answer_that_comes_too_late_is_given_up),
        RUNNING(the_one_message_is_edited_by_its_own_id),
        RUNNING(nobody_is_whispered_to_there),
        RUNNING(what_can_be_done_there),
        cmocka_unit_test_setup_teardown(with_inline_mode_people_can_ask, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
