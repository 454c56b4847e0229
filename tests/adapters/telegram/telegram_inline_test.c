/* Chats that the bot is not in: inline queries, chosen articles, guest queries, and the one inline
 * message. */
#include "adapters/telegram/telegram_exchange.h"

static void inline_query(void **state)
{
    struct update u =
        read_one(*state, "\"inline_query\":{\"id\":\"99\",\"from\":" ANN
                         ",\"query\":\"hand 12\",\"offset\":\"\",\"chat_type\":\"group\"}");
    assert_int_equal(u.kind, UPDATE_QUERY);
    assert_is(u.press, "i99");
    assert_is(u.text, "hand 12");
    assert_is(u.from.id, "11");
    assert_is(u.from.language, "pl");
    assert_false(u.direct);
}

static void chosen_article_is_a_press(void **state)
{
    struct update u = read_one(
        *state, "\"chosen_inline_result\":{\"result_id\":\"I7.1.0.hhhhhhhhhhh\",\"from\":" ANN
                ",\"inline_message_id\":\"AbC-9_z\",\"query\":\"\"}");
    assert_int_equal(u.kind, UPDATE_PRESS);
    assert_is(u.chat, "iAbC-9_z");
    assert_is(u.text, "I7.1.0.hhhhhhhhhhh");
    assert_int_equal(u.press.n, 0);
}

static void chosen_article_without_inline_id_is_skipped(void **state)
{
    read_none(*state,
              "\"chosen_inline_result\":{\"result_id\":\"h1\",\"from\":" ANN ",\"query\":\"\"}");
}

static void press_on_an_inline_message(void **state)
{
    struct update u = read_one(
        *state, "\"callback_query\":{\"id\":\"55\",\"from\":" ANN
                ",\"inline_message_id\":\"AbC\",\"chat_instance\":\"-3\",\"data\":\"a1\"}");
    assert_int_equal(u.kind, UPDATE_PRESS);
    assert_is(u.chat, "iAbC");
    assert_is(u.press, "q55");
    assert_is(u.text, "a1");
    assert_false(u.direct);
    assert_false(u.admin);
}

static void guest_query_by_mention(void **state)
{
    struct update u = read_one(
        *state, "\"guest_message\":{\"message_id\":5,\"from\":" ANN
                ",\"chat\":{\"id\":-5,\"type\":\"group\",\"title\":\"Club\"},\"date\":1700000000,"
                "\"guest_query_id\":\"g-1\",\"text\":\"@koikoi_bot  hand 12\"}");
    assert_int_equal(u.kind, UPDATE_QUERY);
    assert_is(u.press, "gg-1");
    assert_is(u.text, "hand 12");
}

/* In a chat that the bot is in too, it receives the message posted by way of it. */
static void message_via_the_bot_is_no_command(void **state)
{
    read_none(*state,
              "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":{\"id\":-5,\"type\":"
              "\"group\",\"title\":\"Club\"},\"date\":1700000000,\"via_bot\":{\"id\":123456,"
              "\"is_bot\":true,\"first_name\":\"K\"},\"text\":\"/play 3\"}");
}

/* ---- answers and edits ---- */

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

static void inline_answer_is_personal_and_uncached(void **state)
{
    struct outgoing out = offer("i99", 2);
    struct request r = send_request(*state, &out);
    assert_is(r.what, "answerInlineQuery");
    assert_is(r.body,
              "{\"inline_query_id\":\"99\",\"results\":[" CHALLENGE
              ",{\"type\":\"article\",\"id\":\"h1\",\"title\":\"Ann to move\","
              "\"input_message_content\":{\"message_text\":\"Ann looks\",\"parse_mode\":\"HTML\","
              "\"link_preview_options\":{\"is_disabled\":true}}}],\"cache_time\":0,\"is_personal\":"
              "true}");
}

static void guest_query_gets_one_article(void **state)
{
    struct outgoing out = offer("gg-1", 2);
    struct request r = send_request(*state, &out);
    assert_is(r.what, "answerGuestQuery");
    assert_is(r.body, "{\"guest_query_id\":\"g-1\",\"result\":" CHALLENGE "}");
}

static struct receipt told(struct tg_exchange *tg, const struct outgoing *out, int status,
                           const char *body)
{
    struct reply reply = reply_of(status, body);
    struct receipt r = {0};
    T->receipt(tg->account, tg->a, out, &reply, &r);
    return r;
}

static void late_inline_answer_is_never_sent(void **state)
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

static void inline_message_is_edited_by_its_id(void **state)
{
    struct button button = {.label = STR("Cards"), .data = STR("hand 12"), .style = BUTTON_QUERY};
    struct outgoing out = {.kind = OUT_POST,
                           .where = TO_CHAT,
                           .chat = STR("iAbC-9_z"),
                           .text = STR("Ann to move"),
                           .notify = true,
                           .n_buttons = 1,
                           .buttons = &button};
    struct request r = send_request(*state, &out);
    assert_is(r.what, "editMessageText");
    assert_is(
        r.body,
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
    /* The message is gone, and the bot cannot send another. */
    struct receipt r2 = told(*state, &out, 400,
                             "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: "
                             "MESSAGE_ID_INVALID\"}");
    assert_int_equal(r2.kind, NEVER);
    assert_int_equal(r2.why, NEVER_UNREACHABLE);
}

/* A whisper never goes into the message that all see. */
static void no_whisper_in_an_inline_chat(void **state)
{
    struct outgoing out = {.kind = OUT_POST,
                           .where = TO_WHISPER,
                           .chat = STR("iAbC"),
                           .to = STR("11"),
                           .text = STR("1 pine crane")};
    assert_int_equal(send_request(*state, &out).kind, REQUEST_NONE);
    struct reply read_none = {.retry_after_ms = -1};
    struct receipt r = {0};
    T->receipt(((struct tg_exchange *)*state)->account, ((struct tg_exchange *)*state)->a, &out,
               &read_none, &r);
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
    out = (struct outgoing){
        .kind = OUT_ERASE, .where = TO_CHAT, .chat = STR("iAbC"), .post = STR("5")};
    assert_int_equal(send_request(*state, &out).kind, REQUEST_NONE);
}

static void abilities_in_an_inline_chat(void **state)
{
    struct tg_exchange *tg = *state;
    uint32_t here = T->can_in(tg->account, STR("iAbC"), T->can);
    assert_true(here & CAN_ONE_POST);
    assert_false(here & (CAN_WHISPER | CAN_ERASE | CAN_PICTURE));
    assert_true(here & CAN_POPUP);
    assert_int_equal(T->can_in(tg->account, STR("-1001"), T->can), T->can); /* inline mode is off */
}

static void inline_mode_adds_can_query(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "7");
    read_batch(tg,
               "{\"ok\":true,\"result\":{\"id\":123456,\"is_bot\":true,\"first_name\":\"Koi-Koi\","
               "\"username\":\"koikoi_bot\",\"supports_inline_queries\":true}}");
    assert_int_equal(T->can_in(tg->account, STR("-1001"), T->can), T->can | CAN_QUERY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(inline_query),
        RUNNING(chosen_article_is_a_press),
        RUNNING(chosen_article_without_inline_id_is_skipped),
        RUNNING(press_on_an_inline_message),
        RUNNING(guest_query_by_mention),
        RUNNING(message_via_the_bot_is_no_command),
        RUNNING(inline_answer_is_personal_and_uncached),
        RUNNING(guest_query_gets_one_article),
        RUNNING(late_inline_answer_is_never_sent),
        RUNNING(inline_message_is_edited_by_its_id),
        RUNNING(no_whisper_in_an_inline_chat),
        RUNNING(abilities_in_an_inline_chat),
        cmocka_unit_test_setup_teardown(inline_mode_adds_can_query, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
