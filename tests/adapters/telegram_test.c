/* Telegram at the wire: updates as the Bot API sends them in, calls as it wants them out, and what
 * each of its refusals means for a message. No network: replies are handed to the adapter by hand.
 */
#include "adapters/telegram_line.h"

/* ---- the start ---- */

static void the_token_and_the_address_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *token, *root;
    } bad[] = {{"abc", "https://x"},  {"12", "https://x"},     {"12:", "https://x"},
               {":abc", "https://x"}, {"12:a b", "https://x"}, {"12:a/b", "https://x"},
               {"12:abc", "ftp://x"}, {"12:abc", ""}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct line l;
        struct err err = {""};
        assert_false(open_with(&l, bad[i].token, bad[i].root, "18", &err));
        assert_true(strlen(err.text) > 10);
        assert_null(strstr(err.text, "abc"));
        arena_close(l.a);
    }
}

static void without_a_token_it_is_not_wanted(void **state)
{
    struct line *l = *state;
    assert_true(T->configured(l->account));
    line_set(l, "token", "");
    assert_false(T->configured(l->account));
}

static void the_pace_is_an_option(void **state)
{
    (void)state;
    struct line l;
    struct err err = {""};
    assert_true(open_with(&l, "1:a", "https://x/", "0", &err));
    assert_int_equal(l.limits.per_chat_minute, 0);
    assert_int_equal(l.limits.account_per_second_x100, 0);
    is(asked(&l, "").url, "https://x/bot1:a/getMe");
    arena_close(l.a);
    assert_true(open_with(&l, "1:a", "https://x", "18", &err));
    assert_int_equal(l.limits.per_chat_minute, 18);
    assert_int_equal(l.limits.account_per_second_x100, 3000);
    arena_close(l.a);
}

static void the_first_start_passes_over_what_is_older(void **state)
{
    struct line *l = *state;
    is(asked(l, "").url, "http://127.0.0.1:9/bot123456:abc-DEF_7/getMe");
    heard(l, me);
    struct request r = asked(l, "");
    is(r.url, "http://127.0.0.1:9/bot123456:abc-DEF_7/getUpdates");
    is(r.body, "{\"offset\":-1,\"limit\":100,\"timeout\":0,\"allowed_updates\":"
               "[\"message\",\"callback_query\",\"my_chat_member\",\"inline_query\","
               "\"chosen_inline_result\",\"guest_message\"]}");
    struct batch b = heard(
        l, "{\"ok\":true,\"result\":[{\"update_id\":88,\"message\":{\"message_id\":5,"
           "\"from\":{\"id\":7,\"is_bot\":false,\"first_name\":\"Ann\"},\"chat\":{\"id\":7,"
           "\"type\":\"private\",\"first_name\":\"Ann\"},\"date\":1699999994,\"text\":\"old\"}}]}");
    assert_int_equal(b.n, 0);
    is(b.cursor, "89");
    r = asked(l, "89");
    holds(r.body, "{\"offset\":89,\"limit\":100,\"timeout\":50,");
    assert_true(r.timeout_ms > 50000);
}

static void a_first_start_with_nothing_waiting_is_remembered(void **state)
{
    struct line *l = *state;
    asked(l, "");
    heard(l, me);
    asked(l, "");
    is(heard(l, nothing).cursor, "0");
}

static void what_is_said_during_the_first_start_is_heard(void **state)
{
    struct line *l = *state;
    asked(l, "");
    heard(l, me);
    asked(l, "");
    struct batch b = heard(
        l, "{\"ok\":true,\"result\":[{\"update_id\":88,\"message\":{\"message_id\":5,"
           "\"from\":{\"id\":7,\"is_bot\":false,\"first_name\":\"Ann\"},\"chat\":{\"id\":7,"
           "\"type\":\"private\",\"first_name\":\"Ann\"},\"date\":1700000000,\"text\":\"new\"}}]}");
    assert_int_equal(b.n, 1);
}

/* Telegram dates a message by its own clock and cuts it to the second. */
static void a_clock_that_is_a_little_behind_loses_nothing(void **state)
{
    struct line *l = *state;
    asked(l, "");
    heard(l, me);
    asked(l, "");
    struct batch b = heard(
        l, "{\"ok\":true,\"result\":[{\"update_id\":88,\"message\":{\"message_id\":5,"
           "\"from\":{\"id\":7,\"is_bot\":false,\"first_name\":\"Ann\"},\"chat\":{\"id\":7,"
           "\"type\":\"private\",\"first_name\":\"Ann\"},\"date\":1699999995,\"text\":\"new\"}}]}");
    assert_int_equal(b.n, 1);
}

static void a_restart_hears_what_came_in_between(void **state)
{
    struct line *l = *state;
    asked(l, "41");
    heard(l, me);
    holds(asked(l, "41").body, "{\"offset\":41,");
    struct batch b = heard(
        l, "{\"ok\":true,\"result\":[{\"update_id\":41,\"message\":{\"message_id\":5,"
           "\"from\":{\"id\":7,\"is_bot\":false,\"first_name\":\"Ann\"},\"chat\":{\"id\":7,"
           "\"type\":\"private\",\"first_name\":\"Ann\"},\"date\":1600000000,\"text\":\"old\"}}]}");
    assert_int_equal(b.n, 1);
    is(b.cursor, "42");
}

static void the_list_of_commands_is_set_by_language_and_scope(void **state)
{
    struct line *l = *state;
    static const struct menu_entry menu[] = {
        {STR(""), STR("hand"), STR("Your hand"), true, false},
        {STR(""), STR("board"), STR("Scores"), false, false},
        {STR("pl"), STR("hand"), STR("Twoja r\xc4\x99ka"), true, false}};
    T->menu(l->account, menu, 3);
    asked(l, "");
    heard(l, me);
    asked(l, "");
    heard(l, nothing);
    is(asked(l, "0").body, "{\"commands\":[{\"command\":\"hand\",\"description\":\"Your "
                           "hand\"},{\"command\":\"board\",\"description\":"
                           "\"Scores\"}],\"scope\":{\"type\":\"all_private_chats\"}}");
    heard(l, "{\"ok\":true,\"result\":true}");
    is(asked(l, "0").body,
       "{\"commands\":[{\"command\":\"hand\",\"description\":\"Your "
       "hand\",\"is_ephemeral\":true},{\"command\":"
       "\"board\",\"description\":\"Scores\"}],\"scope\":{\"type\":\"all_group_chats\"}}");
    heard(l, "{\"ok\":true,\"result\":true}");
    holds(asked(l, "0").body,
          "\"scope\":{\"type\":\"all_private_chats\"},\"language_code\":\"pl\"}");
    heard(l, "{\"ok\":true,\"result\":true}");
    holds(asked(l, "0").url, "/setMyCommands");
    heard(l, "{\"ok\":true,\"result\":true}");
    holds(asked(l, "0").url, "/getUpdates");
}

/* ---- weather ---- */

struct trouble {
    struct batch batch;
    struct err err;
};

static struct trouble troubled(struct line *l, int status, const char *body)
{
    struct trouble t = {0};
    struct reply reply = replied(status, body);
    assert_false(T->read(l->account, l->a, &reply, &t.batch, &t.err));
    assert_int_equal(t.batch.n, 0);
    assert_true(strlen(t.err.text) > 5);
    assert_null(strstr(t.err.text, "abc-DEF"));
    return t;
}

static void silence_is_waited_out_longer_each_time(void **state)
{
    struct line *l = *state;
    int64_t before = 0, wait = 0;
    for (int i = 0; i < 12; i++) {
        asked(l, "7");
        wait = troubled(l, i % 2 ? 502 : 0, "<html>502</html>").batch.wait_ms;
        assert_true(wait >= before);
        before = wait;
    }
    assert_int_equal(wait, 60000);
    asked(l, "7");
    heard(l, nothing);
    asked(l, "7");
    assert_true(
        troubled(l, 500,
                 "{\"ok\":false,\"error_code\":500,\"description\":\"Internal Server Error: "
                 "restart\"}")
            .batch.wait_ms <= 1000);
}

static void a_pause_is_kept_as_long_as_asked(void **state)
{
    struct line *l = *state;
    asked(l, "7");
    assert_int_equal(
        troubled(l, 429,
                 "{\"ok\":false,\"error_code\":429,\"description\":\"Too Many Requests: retry "
                 "after 7\",\"parameters\":{\"retry_after\":7}}")
            .batch.wait_ms,
        7000);
}

static void a_refused_token_is_the_end(void **state)
{
    struct line *l = *state;
    asked(l, "7");
    assert_true(
        troubled(l, 401, "{\"ok\":false,\"error_code\":401,\"description\":\"Unauthorized\"}")
            .batch.fatal);
}

static void a_webhook_in_the_way_is_deleted(void **state)
{
    struct line *l = *state;
    asked(l, "7");
    troubled(
        l, 409,
        "{\"ok\":false,\"error_code\":409,\"description\":\"Conflict: can't use getUpdates method "
        "while webhook is active; use deleteWebhook to delete the webhook first\"}");
    struct request r = asked(l, "7");
    holds(r.url, "/deleteWebhook");
    is(r.body, "{\"drop_pending_updates\":false}");
    heard(l, "{\"ok\":true,\"result\":true}");
    holds(asked(l, "7").url, "/getUpdates");
}

static void another_copy_is_waited_for_and_in_the_end_given_way(void **state)
{
    struct line *l = *state;
    static const char body[] =
        "{\"ok\":false,\"error_code\":409,\"description\":\"Conflict: terminated by other "
        "getUpdates request; make sure that only one bot instance is running\"}";
    struct batch b;
    struct err err;
    for (int s = 0; s <= 300; s += 100) {
        struct reply reply = replied(409, body);
        reply.now += s * 1000;
        asked(l, "7");
        assert_false(T->read(l->account, l->a, &reply, &b, &err));
        assert_true(b.wait_ms >= 1000);
        assert_int_equal(b.fatal, s == 300);
    }
}

static void an_answer_that_breaks_off_confirms_nothing(void **state)
{
    struct line *l = *state;
    asked(l, "7");
    troubled(
        l, 200,
        "{\"ok\":true,\"result\":[{\"update_id\":7,\"message\":{\"message_id\":1,\"text\":\"/ca");
    holds(asked(l, "7").body, "{\"offset\":7,");
}

static void an_update_that_nobody_knows_is_passed_over(void **state)
{
    struct line *l = *state;
    asked(l, "7");
    struct batch b =
        heard(l, "{\"ok\":true,\"result\":[{\"update_id\":7,\"telepathy\":{\"text\":\"]}\"}},"
                 "{\"update_id\":8,\"message\":17},{\"update_id\":\"9\"},[],"
                 "{\"update_id\":10,\"callback_query\":{\"id\":\"1\"}}]}");
    assert_int_equal(b.n, 0);
    is(b.cursor, "11");
}

/* ---- what is heard ---- */

/* One update with this inside; exactly one must come out. */
static struct update one(struct line *l, const char *inside)
{
    asked(l, "7");
    struct batch b =
        heard(l, arena_print(l->a, "{\"ok\":true,\"result\":[{\"update_id\":900,%s}]}", inside).p);
    assert_int_equal(b.n, 1);
    is(b.cursor, "901");
    is(b.at[0].id, "900");
    return b.at[0];
}

static void none(struct line *l, const char *inside)
{
    asked(l, "7");
    assert_int_equal(
        heard(l, arena_print(l->a, "{\"ok\":true,\"result\":[{\"update_id\":900,%s}]}", inside).p)
            .n,
        0);
}

#define ANN                                                                                        \
    "{\"id\":11,\"is_bot\":false,\"first_name\":\"Ann\",\"last_name\":\"Lee\",\"username\":"       \
    "\"ann\",\"language_code\":\"pl\"}"
#define TEA "{\"id\":-1001234567890,\"type\":\"supergroup\",\"title\":\"Tea room\"}"

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
    assert_int_equal(u.n_mentions, 2);
    is(u.mention[0].handle, "bo");
    is(u.mention[0].id, "");
    is(u.mention[0].name, "");
    is(u.mention[1].id, "13");
    is(u.mention[1].name, "Kei");
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

/* Of the message that was pressed on, buttons and formatting are passed over, whatever stands in them; what
 * stands before, between and behind them is heard, and so are people who write of such things. */
static void the_buttons_of_a_message_are_not_read(void **state)
{
    struct update u = one(
        *state, "\"callback_query\":{\"id\":\"9\",\"from\":" ANN ",\"message\":{\"message_id\":51,"
                "\"text\":\"\\\"reply_markup\\\":{ and \\\"entities\\\":[\","
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

/* ---- what is said ---- */

static void a_message(void **state)
{
    struct outgoing out = post("pong 7");
    says(*state, out, "sendMessage",
         "{\"chat_id\":-1001234567890,\"text\":\"pong 7\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
    out.notify = false;
    out.chat = STR("-1001234567890/77");
    out.reply_to = STR("41");
    says(*state, out, "sendMessage",
         "{\"chat_id\":-1001234567890,\"message_thread_id\":77,\"reply_parameters\":{\"message_"
         "id\":41,"
         "\"allow_sending_without_reply\":true},\"text\":\"pong "
         "7\",\"parse_mode\":\"HTML\"" NO_PREVIEW ",\"disable_notification\":true}");
}

static void marks_become_html_and_all_else_is_escaped(void **state)
{
    says(*state,
         post("\001A<b>&\"\007 \003q\007 \006x  y\007 \0051"
              "2\005Bo <3\007 \0041700000000\007"),
         "sendMessage",
         "{\"chat_id\":-1001234567890,\"text\":\"<b>A&lt;b&gt;&amp;&quot;</b> <i>q</i> <pre>x  "
         "y</pre> "
         "<a href=\\\"tg://user?id=12\\\">Bo &lt;3</a> <tg-time unix=\\\"1700000000\\\" "
         "format=\\\"wt\\\">"
         "2023-11-14 22:13 UTC</tg-time> <tg-time unix=\\\"1700000000\\\" "
         "format=\\\"r\\\">⏳</tg-time>\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void marks_inside_code_and_marks_left_open_do_no_harm(void **state)
{
    says(*state, post("\002a\001b\007c\007\007 \001open"), "sendMessage",
         "{\"chat_id\":-1001234567890,\"text\":\"<code>abc</code> "
         "<b>open</b>\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
    says(*state, post("\005@evil:x\005Eve\007 \004soon\007 \004-5\007!"), "sendMessage",
         "{\"chat_id\":-1001234567890,\"text\":\"Eve  !\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

/* n characters of two UTF-16 units each. */
static struct str cards(struct arena *a, size_t n)
{
    char *p = arena_alloc(a, n * 4);
    for (size_t i = 0; i < n; i++)
        memcpy(p + i * 4, "\xf0\x9f\x8e\xb4", 4);
    return (struct str){p, n * 4};
}

static size_t count(struct str s, const char *part)
{
    size_t n = 0;
    for (size_t i = 0; i + strlen(part) <= s.n; i++)
        n += memcmp(s.p + i, part, strlen(part)) == 0;
    return n;
}

static void a_text_is_cut_at_4096_units(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("");
    out.text = cards(l->a, 2048);
    struct request r = said(l, &out);
    assert_int_equal(count(r.body, "\xf0\x9f\x8e\xb4"), 2048);
    assert_int_equal(count(r.body, "…"), 0);
    out.text = arena_print(l->a, "\001%.*s", STR_ARG(cards(l->a, 2049)));
    r = said(l, &out);
    assert_int_equal(count(r.body, "\xf0\x9f\x8e\xb4"), 2047);
    holds(r.body, "…</b>\"");
}

static void buttons_have_rows_styles_and_links(void **state)
{
    struct button b[] = {{STR("3 sake"), STR("a1"), BUTTON_TAKE, false},
                         {STR("4"), STR("a2"), BUTTON_PLAIN, true},
                         {STR("tsukimi \"5\""), STR("a3"), BUTTON_YAKU, false},
                         {STR("Resign"), STR("a4"), BUTTON_DANGER, true},
                         {STR("Open"), STR("h_7"), BUTTON_LINK, true}};
    struct outgoing out = post("hand");
    out.buttons = b;
    out.n_buttons = 5;
    says(*state, out, "sendMessage",
         "{\"chat_id\":-1001234567890,\"text\":\"hand\",\"parse_mode\":\"HTML\"" NO_PREVIEW
         ",\"reply_markup\":"
         "{\"inline_keyboard\":[[{\"text\":\"3 "
         "sake\",\"callback_data\":\"a1\",\"style\":\"success\"},{\"text\":\"4\","
         "\"callback_data\":\"a2\"}],[{\"text\":\"tsukimi "
         "\\\"5\\\"\",\"callback_data\":\"a3\",\"style\":\"primary\"},"
         "{\"text\":\"Resign\",\"callback_data\":\"a4\",\"style\":\"danger\"}],[{\"text\":\"Open\","
         "\"url\":"
         "\"https://t.me/koikoi_bot?start=h_7\"}]]}}");
}

/* ---- the doctor ---- */

/* All that is found, one line each, for what getMe and getWebhookInfo answer. */
static struct str examined(struct line *l, const char *bot, const char *hook, int64_t fast_ms)
{
    static char lines[4096];
    struct buf b = BUF(lines);
    struct request next;
    struct reply reply = {
        .status = 200, .retry_after_ms = -1, .now = 1700000000000 + fast_ms, .date = 1700000000000};
    const char *answers[] = {bot, hook};
    T->examine(l->account, l->a, NULL, &next, &(struct findings){0});
    assert_true(str_is(next.what, STR("getMe")));
    for (int i = 0; i < 2; i++) {
        struct findings found = {0};
        next = (struct request){.kind = REQUEST_NONE};
        reply.body = str_of(answers[i]);
        T->examine(l->account, l->a, &reply, &next, &found);
        for (int k = 0; k < found.n; k++)
            buf_print(&b, "%d %.*s\n", found.at[k].found, STR_ARG(found.at[k].text));
    }
    assert_int_equal(next.kind, REQUEST_NONE);
    buf_char(&b, 0);
    return buf_str(&b);
}

#define HEALTHY                                                                                    \
    "{\"ok\":true,\"result\":{\"id\":123456,\"is_bot\":true,\"first_name\":\"K\","                 \
    "\"username\":\"koikoi_bot\",\"can_join_groups\":true,"                                        \
    "\"can_read_all_group_messages\":false,\"supports_inline_queries\":false}}"
#define NO_HOOK "{\"ok\":true,\"result\":{\"url\":\"\",\"pending_update_count\":0}}"

static void a_healthy_bot_has_nothing_to_do(void **state)
{
    struct str found = examined(*state, HEALTHY, NO_HOOK, 2000);
    assert_int_equal(count(found, "0 "), 5);
    assert_int_equal(count(found, "\n1 ") + count(found, "\n2 "), 0);
    holds(found, "@koikoi_bot");
}

static void a_doctor_says_what_to_do(void **state)
{
    struct str found = examined(
        *state,
        "{\"ok\":true,\"result\":{\"id\":123456,\"username\":\"koikoi_bot\",\"can_join_groups\":"
        "false,"
        "\"can_read_all_group_messages\":true,\"supports_inline_queries\":true,"
        "\"supports_guest_queries\":true}}",
        "{\"ok\":true,\"result\":{\"url\":\"https://a.example/x\",\"pending_update_count\":4000}}",
        -90000);
    holds(found, "2 it may not be added to groups: /setjoingroups");
    holds(found, "/setprivacy");
    holds(found, "/setinlinefeedback");
    holds(found, "guest mode is on");
    holds(found, "2 the clock of this machine is 90 s slow");
    holds(found, "1 a webhook of another program is set");
    holds(found, "1 4000 updates wait");
    assert_int_equal(count(found, "a.example"), 0);
}

static void a_hand_in_private_leads_back_to_the_board(void **state)
{
    struct button b[] = {{STR("1 crane"), STR("a1"), BUTTON_TAKE, true},
                         {STR("Back"), STR(""), BUTTON_BACK, false}};
    struct outgoing out = {
        .where = TO_DIRECT, .to = STR("77"), .text = STR("hand"), .group_post = STR("41")};
    out.buttons = b;
    out.n_buttons = 2;
    out.group = STR("-1001234567890");
    says(*state, out, "sendMessage",
         "{\"chat_id\":77,\"text\":\"hand\",\"parse_mode\":\"HTML\"" NO_PREVIEW
         ",\"disable_notification\":true,\"reply_markup\":{\"inline_keyboard\":[[{\"text\":\"1 "
         "crane\","
         "\"callback_data\":\"a1\",\"style\":\"success\"}],[{\"text\":\"Back\","
         "\"url\":\"https://t.me/c/1234567890/41\"}]]}}");
    out.group = STR("-1001234567890/7");
    struct request r = said(*state, &out);
    holds(r.body, "\"https://t.me/c/1234567890/7/41\"");
    out.group = STR("-55"); /* a basic group has no address */
    r = said(*state, &out);
    assert_int_equal(count(r.body, "Back"), 0);
    holds(r.body, "}]]}}");
}

static void a_link_waits_for_our_name(void **state)
{
    struct line *l = *state;
    struct button b = {STR("Open"), STR("h_7"), BUTTON_LINK, true};
    struct outgoing out = post("x");
    struct receipt ret;
    struct reply none_yet = {.retry_after_ms = -1};
    out.buttons = &b;
    out.n_buttons = 1;
    assert_int_equal(said(l, &out).kind, REQUEST_NONE);
    T->receipt(l->account, l->a, &out, &none_yet, &ret);
    assert_int_equal(ret.kind, LATER);
}

static void an_edit(void **state)
{
    struct outgoing out = post("board");
    out.post = STR("41");
    says(*state, out, "editMessageText",
         "{\"chat_id\":-1001234567890,\"message_id\":41,\"text\":\"board\","
         "\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void erasing(void **state)
{
    struct outgoing out = {.kind = OUT_ERASE, .chat = STR("-5"), .post = STR("41p")};
    says(*state, out, "deleteMessage", "{\"chat_id\":-5,\"message_id\":41}");
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.post = STR("e29");
    says(*state, out, "deleteEphemeralMessage",
         "{\"chat_id\":-5,\"receiver_user_id\":11,\"ephemeral_message_id\":29}");
}

static void a_whisper(void **state)
{
    struct outgoing out = post("hand");
    proves_to_hide(*state);
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.press = STR("q9");
    says(*state, out, "sendMessage",
         "{\"chat_id\":-1001234567890,\"ephemeral_message_parameters\":{\"receiver_user_id\":11,"
         "\"callback_query_id\":"
         "\"9\"},\"text\":\"hand\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
    out.press = STR("e345");
    says(*state, out, "sendMessage",
         "{\"chat_id\":-1001234567890,\"ephemeral_message_parameters\":{\"receiver_user_id\":11},"
         "\"reply_parameters\":"
         "{\"ephemeral_message_id\":345},\"text\":\"hand\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
    out.post = STR("e29");
    says(*state, out, "editEphemeralMessageText",
         "{\"chat_id\":-1001234567890,\"receiver_user_id\":11,\"ephemeral_message_id\":29,\"text\":"
         "\"hand\","
         "\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void who_is_nobody_is_answered_before_all(void **state)
{
    struct outgoing out = post("You are anonymous.");
    out.where = TO_WHISPER;
    out.to = STR("1087968824");
    says(*state, out, "sendMessage",
         "{\"chat_id\":-1001234567890,\"text\":\"You are "
         "anonymous.\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void in_a_private_chat_a_whisper_is_a_message(void **state)
{
    struct outgoing out = post("hand");
    out.where = TO_WHISPER;
    out.chat = out.to = STR("11");
    says(*state, out, "sendMessage",
         "{\"chat_id\":11,\"text\":\"hand\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void a_direct_message_goes_to_the_persons_number(void **state)
{
    struct outgoing out = post("hand");
    out.where = TO_DIRECT;
    out.chat = STR("");
    out.to = STR("11");
    says(*state, out, "sendMessage",
         "{\"chat_id\":11,\"text\":\"hand\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void answers_to_presses(void **state)
{
    struct outgoing out = {.kind = OUT_ANSWER,
                           .to = STR("11"),
                           .press = STR("q9"),
                           .text = STR("\001Old <board>\007")};
    says(*state, out, "answerCallbackQuery",
         "{\"callback_query_id\":\"9\",\"text\":\"Old <board>\"}");
    out.alert = true;
    out.text = STR("");
    says(*state, out, "answerCallbackQuery", "{\"callback_query_id\":\"9\",\"show_alert\":true}");
    out.text = cards(((struct line *)*state)->a, 150);
    assert_int_equal(count(said(*state, &out).body, "\xf0\x9f\x8e\xb4"), 99);
}

static void an_answer_to_an_unseen_command_is_unseen(void **state)
{
    struct outgoing out = {.kind = OUT_ANSWER,
                           .chat = STR("-5"),
                           .to = STR("11"),
                           .press = STR("e345"),
                           .text = STR("No match here.")};
    proves_to_hide(*state);
    says(*state, out, "sendMessage",
         "{\"chat_id\":-5,\"ephemeral_message_parameters\":{\"receiver_user_id\":11},\"reply_"
         "parameters\":"
         "{\"ephemeral_message_id\":345},\"text\":\"No match "
         "here.\",\"parse_mode\":\"HTML\"" NO_PREVIEW "}");
}

static void a_picture_is_sent_once_and_named_from_then_on(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("board");
    out.picture = STR("table 1");
    out.picture_bytes = STR("\x89PNG...");
    struct request r = said(l, &out);
    is(r.what, "sendPhoto");
    assert_int_equal(r.n_parts, 5);
    part_is(l, r.parts[0], "chat_id", "-1001234567890");
    part_is(l, r.parts[1], "photo", "attach://picture");
    part_is(l, r.parts[2], "caption", "board");
    part_is(l, r.parts[3], "parse_mode", "HTML");
    part_is(l, r.parts[4], "picture", "\x89PNG...");
    is(r.parts[4].file, "picture.png");
    is(r.parts[4].type, "image/png");
    out.picture_file = STR("AgAC");
    says(l, out, "sendPhoto",
         "{\"chat_id\":-1001234567890,\"photo\":\"AgAC\",\"caption\":\"board\",\"parse_mode\":"
         "\"HTML\"}");
    out.post = STR("41p");
    says(l, out, "editMessageMedia",
         "{\"chat_id\":-1001234567890,\"message_id\":41,\"media\":{\"type\":\"photo\",\"media\":"
         "\"AgAC\",\"caption\":"
         "\"board\",\"parse_mode\":\"HTML\"}}");
    out.picture_file = STR("");
    r = said(l, &out);
    is(r.what, "editMessageMedia");
    part_is(l, r.parts[2], "media",
            "{\"type\":\"photo\",\"media\":\"attach://picture\",\"caption\":\"board\","
            "\"parse_mode\":\"HTML\"}");
}

static void a_text_stays_a_text(void **state)
{
    struct outgoing out = post("board");
    out.post = STR("41");
    out.picture_file = STR("AgAC");
    says(*state, out, "editMessageText",
         "{\"chat_id\":-1001234567890,\"message_id\":41,\"text\":\"board\",\"parse_mode\":"
         "\"HTML\"" NO_PREVIEW "}");
}

/* The limit is 1024 UTF-16 units as they are seen: marks are none, and 🎴 is two. */
static void a_text_too_long_for_a_caption_goes_alone(void **state)
{
    struct line *l = *state;
    static char text[2 * 1024 + 8];
    struct outgoing out = post(text);
    out.picture_file = STR("AgAC");
    memset(text, 'x', 1022);
    memcpy(text, "\001xx\007", 4);
    memcpy(text + 1022, "🎴", 5);
    out.text = str_of(text);
    is(said(l, &out).what, "sendPhoto"); /* 1020 letters, the pair */
    memset(text, 'x', 1023);
    memcpy(text + 1023, "🎴", 5);
    out.text = str_of(text);
    is(said(l, &out).what, "sendMessage");
    out.post = STR("40p");
    is(said(l, &out).what, "deleteMessage");
}

static void a_picture_for_one_person_is_not_passed_on(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("hand");
    out.where = TO_DIRECT;
    out.to = STR("11");
    out.picture_file = STR("AgAC");
    says(l, out, "sendPhoto",
         "{\"chat_id\":11,\"photo\":\"AgAC\",\"protect_content\":true,\"caption\":\"hand\","
         "\"parse_mode\":\"HTML\"}");
}

static void pictures_can_be_switched_off(void **state)
{
    struct line *l = *state;
    static const char *const values[] = {"yes", "no"};
    for (int no = 0; no < 2; no++) {
        uint32_t can = T->can;
        struct err err;
        line_set(l, "pictures", values[no]);
        assert_true(T->open(l->account, l->a, &can, &l->limits, &err));
        assert_int_equal(can & CAN_PICTURE, no ? 0 : CAN_PICTURE);
    }
}

/* ---- what becomes of it ---- */

static void what_was_sent_has_a_post(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("board");
    struct receipt r = became(l, &out, 200, SENT_41);
    assert_int_equal(r.kind, SENT);
    is(r.post, "41");
    r = became(l, &out, 200,
               "{\"ok\":true,\"result\":{\"message_id\":42,\"photo\":[{\"file_id\":\"small\"},{"
               "\"file_id\":"
               "\"large\"}],\"caption\":\"x\"}}");
    is(r.post, "42p");
    is(r.picture_file, "large");
    out.where = TO_WHISPER;
    out.to = STR("11");
    proves_to_hide(l);
    r = became(
        l, &out, 200,
        "{\"ok\":true,\"result\":{\"message_id\":0,\"ephemeral_message_id\":29,\"text\":\"x\"}}");
    is(r.post, "e29");
    out.where = TO_DIRECT;
    r = became(l, &out, 200, SENT_41);
    is(r.direct_chat, "11");
}

static void an_answer_cut_short_was_sent_all_the_same(void **state)
{
    struct outgoing out = post("board");
    struct receipt r =
        became(*state, &out, 200, "{\"ok\":true,\"result\":{\"message_id\":41,\"chat\":{\"id\":-");
    assert_int_equal(r.kind, SENT);
    is(r.post, "41");
}

static void a_hidden_edit_keeps_its_post(void **state)
{
    struct outgoing out = post("hand");
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.post = STR("e29");
    struct receipt r = became(*state, &out, 200, "{\"ok\":true,\"result\":true}");
    assert_int_equal(r.kind, SENT);
    is(r.post, "e29");
    out.picture_file = STR("AgAC");
    out.post = STR("e29p");
    is(became(*state, &out, 200, "{\"ok\":true,\"result\":true}").post, "e29p");
}

static void each_refusal_has_its_meaning(void **state)
{
    static const struct {
        int status;
        const char *body;
        enum receipt_kind kind;
        enum never_why why;
    } cases[] = {
        {400, NO(400, "Bad Request: message to edit not found"), NEVER, NEVER_GONE},
        {400, NO(400, "Bad Request: message can't be edited"), NEVER, NEVER_GONE},
        {400,
         NO(400, "Bad Request: message is not modified: specified new message content and reply "
                 "markup are "
                 "exactly the same as a current content and reply markup of the message"),
         SENT, NEVER_OTHER},
        {400, NO(400, "Bad Request: chat not found"), NEVER, NEVER_UNREACHABLE},
        {400, NO(400, "Bad Request: not enough rights to send text messages to the chat"), NEVER,
         NEVER_UNREACHABLE},
        {400, NO(400, "Bad Request: something new"), NEVER, NEVER_OTHER},
        {403, NO(403, "Forbidden: bot was blocked by the user"), NEVER, NEVER_UNREACHABLE},
        {403, NO(403, "Forbidden: user is deactivated"), NEVER, NEVER_UNREACHABLE},
        {403, NO(403, "Forbidden: bot was kicked from the supergroup chat"), NEVER,
         NEVER_UNREACHABLE},
        {403, NO(403, "Forbidden: bot can't initiate conversation with a user"), NEVER,
         NEVER_UNREACHABLE},
        {403, NO(403, "Forbidden: bot is not a member of the group chat"), NEVER,
         NEVER_UNREACHABLE},
        {400, NO(400, "Bad Request: message thread not found"), NEVER, NEVER_UNREACHABLE},
        {421, NO(421, "Misdirected Request"), LATER, NEVER_OTHER},
        {500, NO(500, "Internal Server Error: restart"), LATER, NEVER_OTHER},
        {502, "<html>Bad Gateway</html>", LATER, NEVER_OTHER},
        {0, "", LATER, NEVER_OTHER},
    };
    struct outgoing out = post("board");
    out.post = STR("41");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct receipt r = became(*state, &out, cases[i].status, cases[i].body);
        if (r.kind != cases[i].kind || (r.kind == NEVER && r.why != cases[i].why))
            fail_msg("%s became %d, %d", cases[i].body, r.kind, r.why);
        if (r.kind == SENT)
            is(r.post, "41");
    }
}

static void a_moved_chat_says_where(void **state)
{
    struct outgoing out = post("board");
    struct receipt r = became(*state, &out, 400,
                              "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: "
                              "group chat was upgraded to a supergroup chat\","
                              "\"parameters\":{\"migrate_to_chat_id\":-1009876543210}}");
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_MOVED);
    is(r.chat, "-1009876543210");
}

static void a_limit_holds_the_chat_or_everything(void **state)
{
    static const char body[] =
        "{\"ok\":false,\"error_code\":429,\"description\":\"Too Many Requests: retry after 3\","
        "\"parameters\":{\"retry_after\":3}}";
    struct outgoing out = post("board");
    struct receipt r = became(*state, &out, 429, body);
    assert_int_equal(r.kind, LATER);
    assert_int_equal(r.wait_ms, 3000);
    assert_false(r.all_chats);
    struct reply header = {.status = 429, .body = STR("<html>"), .retry_after_ms = 9000};
    T->receipt(((struct line *)*state)->account, ((struct line *)*state)->a, &out, &header, &r);
    assert_int_equal(r.wait_ms, 9000);
    out = (struct outgoing){.kind = OUT_ANSWER, .press = STR("q9"), .text = STR("x")};
    assert_true(became(*state, &out, 429, body).all_chats);
}

static void a_press_too_old_to_answer(void **state)
{
    static const char old[] = NO(
        400, "Bad Request: query is too old and response timeout expired or query ID is invalid");
    struct outgoing out = {.kind = OUT_ANSWER, .press = STR("q9"), .text = STR("x")};
    struct receipt r = became(*state, &out, 400, old);
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_LATE);
    out = post("hand"); /* the hand itself has to go another way then */
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.press = STR("q9");
    assert_int_equal(became(*state, &out, 400, old).why, NEVER_UNREACHABLE);
    assert_int_equal(became(*state, &out, 400, NO(400, "Bad Request: BOT_NOT_ADMIN")).why,
                     NEVER_UNREACHABLE);
}

static void what_is_erased_already_is_erased(void **state)
{
    struct outgoing out = {.kind = OUT_ERASE, .chat = STR("-5"), .post = STR("41")};
    assert_int_equal(
        became(*state, &out, 400, NO(400, "Bad Request: message to delete not found")).kind, SENT);
}

/* ---- several steps ---- */

static void a_picture_that_is_refused_gives_way_to_the_text(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("board");
    out.picture_bytes = STR("\x89PNG...");
    out.picture_file = STR("AgAC");
    struct receipt r =
        became(l, &out, 400, NO(400, "Bad Request: wrong file identifier/HTTP URL specified"));
    assert_int_equal(r.kind, MORE);
    assert_true(r.picture_refused);
    out.progress = r.progress;
    out.picture_file = STR("");                 /* forgotten */
    assert_int_equal(said(l, &out).n_parts, 5); /* the bytes instead */
    r = became(l, &out, 400, NO(400, "Bad Request: PHOTO_INVALID_DIMENSIONS"));
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    is(said(l, &out).what, "sendMessage");
    r = became(l, &out, 200, SENT_41);
    assert_int_equal(r.kind, SENT);
    is(r.post, "41");
}

static void whatever_is_wrong_with_a_picture_the_board_is_said(void **state)
{
    static const struct {
        int status;
        const char *why;
    } cases[] = {{400, "Bad Request: file is too big"},
                 {413, "Request Entity Too Large"},
                 {400, "Bad Request: IMAGE_PROCESS_FAILED"},
                 {400, "Bad Request: PHOTO_INVALID_DIMENSIONS"},
                 {400, "Bad Request: FILE_REFERENCE_EXPIRED"},
                 {400, "Bad Request: not enough rights to send photos to the chat"},
                 {400, "Bad Request: message caption is too long"}};
    struct line *l = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outgoing out = post("board");
        out.picture_bytes = STR("\x89PNG...");
        struct receipt r =
            became(l, &out, cases[i].status,
                   arena_print(l->a, "{\"ok\":false,\"error_code\":%d,\"description\":\"%s\"}",
                               cases[i].status, cases[i].why)
                       .p);
        if (r.kind != MORE)
            fail_msg("%s became %d", cases[i].why, r.kind);
        out.progress = r.progress;
        is(said(l, &out).what, "sendMessage");
    }
}

static void a_text_takes_the_place_of_a_picture_in_two_steps(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("board");
    out.post = STR("40p");
    is(said(l, &out).what, "deleteMessage");
    struct receipt r = became(l, &out, 200, "{\"ok\":true,\"result\":true}");
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    is(said(l, &out).what, "sendMessage");
    r = became(l, &out, 200, SENT_41);
    assert_int_equal(r.kind, SENT);
    is(r.post, "41");
}

static void a_formatting_it_does_not_know_is_left_out(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("\001board\007 <x>");
    struct receipt r =
        became(l, &out, 400, NO(400, "Bad Request: can't parse entities: Unsupported start tag"));
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    says(l, out, "sendMessage",
         "{\"chat_id\":-1001234567890,\"text\":\"board <x>\"" NO_PREVIEW "}");
}

static void a_formatting_refused_twice_is_left_out_where_a_picture_stood(void **state)
{
    static const char unread[] =
        NO(400, "Bad Request: can't parse entities: Unsupported start tag");
    struct line *l = *state;
    struct outgoing out = post("\001board\007");
    out.post = STR("40p");
    out.progress = became(l, &out, 200, "{\"ok\":true,\"result\":true}").progress;
    out.progress = became(l, &out, 400, unread).progress;
    says(l, out, "sendMessage", "{\"chat_id\":-1001234567890,\"text\":\"board\"" NO_PREVIEW "}");
    assert_int_equal(became(l, &out, 200, SENT_41).kind, SENT);
}

static void a_server_without_the_call_for_pictures_gets_the_text(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("board");
    out.post = STR("41");
    out.picture_file = STR("AgAC");
    out.picture_bytes = STR("\x89PNG...");
    struct receipt r = became(l, &out, 404, NO(404, "Not Found: method not found"));
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    is(said(l, &out).what, "editMessageText");
    r = became(l, &out, 200, SENT_41);
    assert_int_equal(r.kind, SENT);
    is(r.post, "41");
}

static void what_only_replaces_says_nothing_where_nothing_stands(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("gone");
    struct receipt r = {0};
    struct reply none_needed = {.retry_after_ms = -1};
    out.replace_only = true;
    assert_int_equal(said(l, &out).kind, REQUEST_NONE);
    T->receipt(l->account, l->a, &out, &none_needed, &r);
    assert_int_equal(r.kind, SENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_token_and_the_address_are_checked),
        START(without_a_token_it_is_not_wanted),
        cmocka_unit_test(the_pace_is_an_option),
        START(the_first_start_passes_over_what_is_older),
        START(a_first_start_with_nothing_waiting_is_remembered),
        START(what_is_said_during_the_first_start_is_heard),
        START(a_clock_that_is_a_little_behind_loses_nothing),
        START(a_restart_hears_what_came_in_between),
        START(the_list_of_commands_is_set_by_language_and_scope),
        RUNNING(silence_is_waited_out_longer_each_time),
        RUNNING(a_pause_is_kept_as_long_as_asked),
        RUNNING(a_refused_token_is_the_end),
        RUNNING(a_webhook_in_the_way_is_deleted),
        RUNNING(another_copy_is_waited_for_and_in_the_end_given_way),
        RUNNING(an_answer_that_breaks_off_confirms_nothing),
        RUNNING(an_update_that_nobody_knows_is_passed_over),
        RUNNING(a_text_in_a_group),
        RUNNING(another_bots_command_is_not_ours),
        RUNNING(a_private_chat),
        RUNNING(a_topic_is_a_chat_of_its_own),
        RUNNING(a_thread_of_replies_is_no_topic),
        RUNNING(people_are_found_behind_utf16_offsets),
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
        RUNNING(a_message),
        RUNNING(marks_become_html_and_all_else_is_escaped),
        RUNNING(marks_inside_code_and_marks_left_open_do_no_harm),
        RUNNING(a_text_is_cut_at_4096_units),
        RUNNING(buttons_have_rows_styles_and_links),
        START(a_healthy_bot_has_nothing_to_do),
        START(a_doctor_says_what_to_do),
        START(a_hand_in_private_leads_back_to_the_board),
        START(a_link_waits_for_our_name),
        RUNNING(an_edit),
        RUNNING(erasing),
        RUNNING(a_whisper),
        RUNNING(who_is_nobody_is_answered_before_all),
        RUNNING(in_a_private_chat_a_whisper_is_a_message),
        RUNNING(a_direct_message_goes_to_the_persons_number),
        RUNNING(answers_to_presses),
        RUNNING(an_answer_to_an_unseen_command_is_unseen),
        RUNNING(a_picture_is_sent_once_and_named_from_then_on),
        RUNNING(a_text_stays_a_text),
        RUNNING(a_text_too_long_for_a_caption_goes_alone),
        RUNNING(a_picture_for_one_person_is_not_passed_on),
        RUNNING(pictures_can_be_switched_off),
        RUNNING(what_was_sent_has_a_post),
        RUNNING(an_answer_cut_short_was_sent_all_the_same),
        RUNNING(a_hidden_edit_keeps_its_post),
        RUNNING(each_refusal_has_its_meaning),
        RUNNING(a_moved_chat_says_where),
        RUNNING(a_limit_holds_the_chat_or_everything),
        RUNNING(a_press_too_old_to_answer),
        RUNNING(what_is_erased_already_is_erased),
        RUNNING(a_picture_that_is_refused_gives_way_to_the_text),
        RUNNING(whatever_is_wrong_with_a_picture_the_board_is_said),
        RUNNING(a_text_takes_the_place_of_a_picture_in_two_steps),
        RUNNING(a_formatting_it_does_not_know_is_left_out),
        RUNNING(a_formatting_refused_twice_is_left_out_where_a_picture_stood),
        RUNNING(a_server_without_the_call_for_pictures_gets_the_text),
        RUNNING(what_only_replaces_says_nothing_where_nothing_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
