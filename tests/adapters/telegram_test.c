/* How Telegram is asked for news: the start, and what may go wrong with it. */
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

/* Asks for its name, and then for the first news. */
static struct request starts(struct line *l, const char *cursor)
{
    asked(l, cursor);
    heard(l, me);
    return asked(l, cursor);
}

/* News: Ann has written at this second. */
static struct batch ann_wrote(struct line *l, int update, int when)
{
    return heard(l, arena_print(l->a,
                                "{\"ok\":true,\"result\":[{\"update_id\":%d,\"message\":{"
                                "\"message_id\":5,\"from\":{\"id\":7,\"is_bot\":false,"
                                "\"first_name\":\"Ann\"},\"chat\":{\"id\":7,\"type\":\"private\","
                                "\"first_name\":\"Ann\"},\"date\":%d,\"text\":\"hello\"}}]}",
                                update, when)
                        .p);
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
    struct batch b = ann_wrote(l, 88, NOW_S - 6);
    assert_int_equal(b.n, 0);
    is(b.cursor, "89");
    r = asked(l, "89");
    holds(r.body, "{\"offset\":89,\"limit\":100,\"timeout\":50,");
    assert_true(r.timeout_ms > 50000);
}

static void a_first_start_with_nothing_waiting_is_remembered(void **state)
{
    starts(*state, "");
    is(heard(*state, nothing).cursor, "0");
}

static void what_is_said_during_the_first_start_is_heard(void **state)
{
    starts(*state, "");
    assert_int_equal(ann_wrote(*state, 88, NOW_S).n, 1);
}

/* Telegram dates a message by its own clock and cuts it to the second. */
static void a_clock_that_is_a_little_behind_loses_nothing(void **state)
{
    starts(*state, "");
    assert_int_equal(ann_wrote(*state, 88, NOW_S - 5).n, 1);
}

static void a_restart_hears_what_came_in_between(void **state)
{
    holds(starts(*state, "41").body, "{\"offset\":41,");
    struct batch b = ann_wrote(*state, 41, 1600000000);
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
    starts(l, "");
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
