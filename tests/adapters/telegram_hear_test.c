/* What Telegram brings, and what is heard in it. */
#include "adapters/telegram_line.h"

static void a_text_in_a_group(void **state)
{
    struct update u =
        one(*state,
            "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA ",\"date\":1700000001,"
            "\"text\":\"/play@KoiKoi_bot 3\",\"entities\":[{\"offset\":0,\"length\":16,"
            "\"type\":\"bot_command\"}]}");
    assert_int_equal(u.kind, UPDATE_TEXT);
    is(u.chat, "-1001234567890");
    is(u.chat_name, "Tea room");
    assert_false(u.direct);
    assert_false(u.admin);
    is(u.from.id, "11");
    is(u.from.name, "Ann Lee");
    is(u.from.handle, "ann");
    is(u.from.language, "pl");
    is(u.text, "/play 3");
    assert_int_equal(u.when, NOW + 1000);
    is(u.press, "");
    is(u.post, "");
}

static void another_bots_command_is_not_ours(void **state)
{
    none(*state,
         "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA ",\"date\":1700000001,"
         "\"text\":\"/play@uno_bot 3\"}");
}

static void a_private_chat(void **state)
{
    struct update u = one(
        *state, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":{\"id\":11,\"type\":"
                "\"private\",\"first_name\":\"Ann\"},\"date\":1700000001,\"text\":\"/start h_7\"}");
    is(u.chat, "11");
    assert_true(u.direct);
    assert_true(u.admin);
    is(u.text, "/start h_7");
}

static void a_topic_is_a_chat_of_its_own(void **state)
{
    struct update u = one(
        *state, "\"message\":{\"message_id\":5,\"message_thread_id\":77,\"is_topic_message\":true,"
                "\"from\":" ANN ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/games\"}");
    is(u.chat, "-1001234567890/77");
}

static void a_thread_of_replies_is_no_topic(void **state)
{
    struct update u =
        one(*state, "\"message\":{\"message_id\":5,\"message_thread_id\":77,\"from\":" ANN
                    ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/games\"}");
    is(u.chat, "-1001234567890");
}

static void people_are_found_behind_utf16_offsets(void **state)
{
    struct update u =
        one(*state,
            "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA ",\"date\":1700000001,"
            "\"text\":\"\xf0\x9f\x8e\xb4 \xc5\xbc @bo Kei @KoiKoi_bot\",\"entities\":["
            "{\"offset\":5,\"length\":3,\"type\":\"mention\"},"
            "{\"offset\":9,\"length\":3,\"type\":\"text_mention\",\"user\":{\"id\":13,\"is_bot\":"
            "false,\"first_name\":\"Kei\"}},"
            "{\"offset\":13,\"length\":11,\"type\":\"mention\"},{\"offset\":22,\"length\":500,"
            "\"type\":\"mention\"}]}");
    assert_int_equal(u.n_mentions, 3);
    is(u.mention[0].handle, "bo");
    is(u.mention[0].id, "");
    is(u.mention[0].name, "");
    is(u.mention[1].id, "13");
    is(u.mention[1].name, "Kei");
    assert_false(u.mention[0].bot || u.mention[1].bot);
    assert_true(u.mention[2].bot);
}

/* "@koikoi_bot /challenge @koikoi_bot": called first, then challenged. */
static void our_own_name_is_an_address_or_the_computer(void **state)
{
    struct update u =
        one(*state, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
                    ",\"date\":1700000001,\"text\":\"@KoiKoi_bot /challenge @bo\",\"entities\":["
                    "{\"offset\":0,\"length\":11,\"type\":\"mention\"},"
                    "{\"offset\":23,\"length\":3,\"type\":\"mention\"}]}");
    assert_int_equal(u.n_mentions, 1);
    is(u.mention[0].handle, "bo");
    u = one(*state, "\"message\":{\"message_id\":6,\"from\":" ANN ",\"chat\":" TEA
                    ",\"date\":1700000001,\"text\":\"/challenge Koi hard\",\"entities\":["
                    "{\"offset\":11,\"length\":3,\"type\":\"text_mention\",\"user\":{\"id\":123456,"
                    "\"is_bot\":true,\"first_name\":\"Koi\"}}]}");
    assert_int_equal(u.n_mentions, 1);
    assert_true(u.mention[0].bot);
    is(u.mention[0].name, "Koi");
}

static void a_reply_names_whom_it_answers(void **state)
{
    struct update u = one(*state, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
                                  ",\"date\":1700000001,"
                                  "\"reply_to_message\":{\"message_id\":4,\"from\":{\"id\":12,\"is_"
                                  "bot\":false,\"first_name\":\"Bo\"},\"chat\":" TEA
                                  ",\"date\":1700000000,\"text\":\"hi\"},\"text\":\"/challenge\"}");
    is(u.post, "4");
    assert_int_equal(u.n_mentions, 1);
    is(u.mention[0].id, "12");
}

static void a_command_typed_unseen_says_so(void **state)
{
    struct update u =
        one(*state, "\"message\":{\"message_id\":0,\"ephemeral_message_id\":345,\"from\":" ANN
                    ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/hand\"}");
    is(u.press, "e345");
    is(u.text, "/hand");
}

static void who_posts_as_the_group_is_anonymous(void **state)
{
    struct update u = one(
        *state, "\"message\":{\"message_id\":5,\"from\":{\"id\":1087968824,\"is_bot\":true,"
                "\"first_name\":\"Group\",\"username\":\"GroupAnonymousBot\"},\"sender_chat\":" TEA
                ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/settings\"}");
    assert_true(u.from.anonymous);
    assert_true(u.admin);
}

static void strange_names_are_harmless(void **state)
{
    struct line *l = *state;
    struct update u =
        one(l, "\"message\":{\"message_id\":5,\"from\":{\"id\":14,\"is_bot\":false,\"first_name\":"
               "\"\\u202e<b>x</b>\\u0000\\u0001 "
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"},\"chat\":" TEA
               ",\"date\":1700000001,\"text\":\"x\"}");
    assert_true(u.from.name.n > 0 && u.from.name.n <= 80);
    assert_null(memmem(u.from.name.p, u.from.name.n, "\xe2\x80\xae", 3));
    assert_null(memchr(u.from.name.p, 1, u.from.name.n));
    u = one(l, "\"message\":{\"message_id\":5,\"from\":{\"id\":14,\"is_bot\":false,\"first_name\":"
               "\"\\u202e\"},\"chat\":" TEA ",\"date\":1700000001,\"text\":\"x\"}");
    is(u.from.name, "14");
}

static void a_press(void **state)
{
    struct update u = one(*state, "\"callback_query\":{\"id\":\"4382bfdwdsb323b2d9\",\"from\":" ANN
                                  ",\"chat_instance\":"
                                  "\"1\",\"message\":{\"message_id\":50,\"chat\":" TEA
                                  ",\"date\":1700000000,\"photo\":[{\"file_id\":\"f\"}],"
                                  "\"caption\":\"b\"},\"data\":\"k.17.3\"}");
    assert_int_equal(u.kind, UPDATE_PRESS);
    is(u.text, "k.17.3");
    is(u.press, "q4382bfdwdsb323b2d9");
    is(u.post, "50p");
    is(u.chat, "-1001234567890");
    assert_int_equal(u.when, 0);
}

static void a_press_on_what_one_alone_sees(void **state)
{
    struct update u = one(*state, "\"callback_query\":{\"id\":\"9\",\"from\":" ANN
                                  ",\"chat_instance\":\"1\",\"message\":"
                                  "{\"message_id\":0,\"ephemeral_message_id\":29,\"chat\":" TEA
                                  ",\"date\":1700000000,\"text\":\"h\"},\"data\":\"d\"}");
    is(u.post, "e29");
}

static void a_press_on_a_message_too_old_to_see(void **state)
{
    struct update u =
        one(*state,
            "\"callback_query\":{\"id\":\"9\",\"from\":" ANN ",\"chat_instance\":\"1\",\"message\":"
            "{\"message_id\":50,\"chat\":" TEA ",\"date\":0},\"data\":\"d\"}");
    is(u.post, "50");
}

/* Of the message that was pressed on, buttons and words are passed over, whatever stands in them;
 * what stands before, between and behind them is heard, and so are people who write of such
 * things. */
static void the_buttons_of_a_message_are_not_read(void **state)
{
    struct update u = one(
        *state, "\"callback_query\":{\"id\":\"9\",\"from\":" ANN ",\"message\":{\"message_id\":51,"
                "\"text\":\"\\\"reply_markup\\\":{ and \\\"entities\\\":[ \\\\\","
                "\"entities\":[{\"type\":\"bold\",\"offset\":0,\"length\":[1,\"]\"]}],"
                "\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"}]\\\"{\","
                "\"callback_data\":\"x\"}],[{\"text\":\"b\"}]]},"
                "\"chat\":" TEA "},\"data\":\"k.17.3\"}");
    assert_int_equal(u.kind, UPDATE_PRESS);
    is(u.text, "k.17.3");
    is(u.post, "51");
    is(u.chat, "-1001234567890");
    holds(u.raw, "\"callback_data\":\"x\"");
    u = one(*state,
            "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
            ",\"date\":1700000001,\"text\":\"\\\"reply_markup\\\":{ @bo \\\"callback_query\\\":\","
            "\"entities\":[{\"offset\":17,\"length\":3,\"type\":\"mention\"}],"
            "\"reply_to_message\":{\"message_id\":4,\"reply_markup\":{\"inline_keyboard\":[]}}}");
    is(u.text, "\"reply_markup\":{ @bo \"callback_query\":");
    is(u.post, "4");
    assert_int_equal(u.n_mentions, 1);
    is(u.mention[0].handle, "bo");
}

#define STANDING(old, new)                                                                         \
    "\"my_chat_member\":{\"chat\":" TEA ",\"from\":" ANN                                           \
    ",\"date\":1700000001,\"old_chat_member\":"                                                    \
    "{\"user\":{\"id\":123456,\"is_bot\":true,\"first_name\":\"K\"},\"status\":\"" old             \
    "\"},\"new_chat_member\":{\"user\":"                                                           \
    "{\"id\":123456,\"is_bot\":true,\"first_name\":\"K\"},\"status\":\"" new "\"}}"

static void our_own_standing(void **state)
{
    struct line *l = *state;
    assert_int_equal(one(l, STANDING("left", "member")).kind, UPDATE_JOINED);
    assert_int_equal(one(l, STANDING("member", "kicked")).kind, UPDATE_LEFT);
    struct update u = one(l, STANDING("member", "administrator"));
    assert_int_equal(u.kind, UPDATE_RIGHTS);
    is(u.text, "administrator");
    none(l, STANDING("left", "kicked"));
    u = one(l, "\"my_chat_member\":{\"chat\":{\"id\":11,\"type\":\"private\",\"first_name\":"
               "\"Ann\"},\"from\":" ANN ",\"date\":1700000001,\"old_chat_member\":{\"status\":"
               "\"member\"},\"new_chat_member\":{\"status\":\"kicked\"}}");
    assert_int_equal(u.kind, UPDATE_BLOCKED);
    is(u.from.id, "11");
}

static void a_group_that_becomes_a_supergroup(void **state)
{
    struct line *l = *state;
    struct update u = one(
        l, "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":{\"id\":-55,\"type\":\"group\","
           "\"title\":\"T\"},\"date\":1700000001,\"migrate_to_chat_id\":-1001234567890}");
    assert_int_equal(u.kind, UPDATE_MOVED);
    is(u.chat, "-55");
    is(u.text, "-1001234567890");
    u = one(l,
            "\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA ",\"date\":1700000001,"
            "\"migrate_from_chat_id\":-55}");
    assert_int_equal(u.kind, UPDATE_MOVED);
    is(u.chat, "-55");
    is(u.text, "-1001234567890");
}

/* ---- who may change settings ---- */

static void it_is_asked_whether_somebody_is_an_administrator(void **state)
{
    struct line *l = *state;
    static const struct menu_entry menu[] = {
        {STR(""), STR("settings"), STR("Settings"), false, true}};
    static const char news[] =
        "{\"ok\":true,\"result\":[{\"update_id\":7,\"message\":{\"message_id\":4,\"from\":" ANN
        ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/"
        "games\"}},{\"update_id\":8,\"message\":{\"message_id\":5,\"from\":" ANN ",\"chat\":" TEA
        ",\"date\":1700000001,\"text\":\"/settings@koikoi_bot rounds 3\"}}]}";
    static const char rest[] =
        "{\"ok\":true,\"result\":[{\"update_id\":8,\"message\":{\"message_id\":5,\"from\":" ANN
        ",\"chat\":" TEA ",\"date\":1700000001,\"text\":\"/settings@koikoi_bot rounds 3\"}}]}";
    T->menu(l->account, menu, 1);
    asked(l, "7");
    struct batch b = heard(l, news);
    assert_int_equal(b.n, 1);
    is(b.cursor, "8");
    struct request r = asked(l, "8");
    holds(r.url, "/getChatMember");
    is(r.body, "{\"chat_id\":-1001234567890,\"user_id\":11}");
    heard(l, "{\"ok\":true,\"result\":{\"status\":\"administrator\",\"user\":{\"id\":11}}}");
    holds(asked(l, "8").body, "{\"offset\":8,\"limit\":100,\"timeout\":0,");
    b = heard(l, rest);
    assert_int_equal(b.n, 1);
    assert_true(b.at[0].admin);
    is(b.cursor, "9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(a_text_in_a_group),
        RUNNING(another_bots_command_is_not_ours),
        RUNNING(a_private_chat),
        RUNNING(a_topic_is_a_chat_of_its_own),
        RUNNING(a_thread_of_replies_is_no_topic),
        RUNNING(people_are_found_behind_utf16_offsets),
        RUNNING(our_own_name_is_an_address_or_the_computer),
        RUNNING(a_reply_names_whom_it_answers),
        RUNNING(a_command_typed_unseen_says_so),
        RUNNING(who_posts_as_the_group_is_anonymous),
        RUNNING(strange_names_are_harmless),
        RUNNING(a_press),
        RUNNING(a_press_on_what_one_alone_sees),
        RUNNING(the_buttons_of_a_message_are_not_read),
        RUNNING(a_press_on_a_message_too_old_to_see),
        RUNNING(our_own_standing),
        RUNNING(a_group_that_becomes_a_supergroup),
        RUNNING(it_is_asked_whether_somebody_is_an_administrator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
