/* Polls: the start, and polls that fail. */
#include "adapters/telegram/telegram_exchange.h"

/* ---- the start ---- */

static void token_and_api_root_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *token, *root;
    } bad[] = {{"abc", "https://x"},  {"12", "https://x"},     {"12:", "https://x"},
               {":abc", "https://x"}, {"12:a b", "https://x"}, {"12:a/b", "https://x"},
               {"12:abc", "ftp://x"}, {"12:abc", ""}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct tg_exchange tg;
        struct err err = {""};
        assert_false(tg_exchange_open(&tg, bad[i].token, bad[i].root, "18", &err));
        assert_true(strlen(err.text) > 10);
        assert_null(strstr(err.text, "abc"));
        arena_close(tg.a);
    }
}

static void not_configured_without_a_token(void **state)
{
    struct tg_exchange *tg = *state;
    assert_true(T->configured(tg->account));
    tg_exchange_set(tg, "token", "");
    assert_false(T->configured(tg->account));
}

static void the_pace_is_an_option(void **state)
{
    (void)state;
    struct tg_exchange tg;
    struct err err = {""};
    assert_true(tg_exchange_open(&tg, "1:a", "https://x/", "0", &err));
    assert_int_equal(tg.limits.per_chat_minute, 0);
    assert_int_equal(tg.limits.account_per_second_x100, 0);
    assert_is(poll_request(&tg, "").url, "https://x/bot1:a/getMe");
    arena_close(tg.a);
    assert_true(tg_exchange_open(&tg, "1:a", "https://x", "18", &err));
    assert_int_equal(tg.limits.per_chat_minute, 18);
    assert_int_equal(tg.limits.account_per_second_x100, 3000);
    arena_close(tg.a);
}

/* Polls getMe, then for the first updates. */
static struct request start(struct tg_exchange *tg, const char *cursor)
{
    poll_request(tg, cursor);
    read_batch(tg, get_me);
    return poll_request(tg, cursor);
}

/* An update with a text of Ann, of this second. */
static struct batch read_text_of_ann(struct tg_exchange *tg, int update, int when)
{
    return read_batch(tg,
                      arena_print(tg->a,
                                  "{\"ok\":true,\"result\":[{\"update_id\":%d,\"message\":{"
                                  "\"message_id\":5,\"from\":{\"id\":7,\"is_bot\":false,"
                                  "\"first_name\":\"Ann\"},\"chat\":{\"id\":7,\"type\":\"private\","
                                  "\"first_name\":\"Ann\"},\"date\":%d,\"text\":\"hello\"}}]}",
                                  update, when)
                          .p);
}

static void first_start_skips_older_updates(void **state)
{
    struct tg_exchange *tg = *state;
    assert_is(poll_request(tg, "").url, "http://127.0.0.1:9/bot123456:abc-DEF_7/getMe");
    read_batch(tg, get_me);
    struct request r = poll_request(tg, "");
    assert_is(r.url, "http://127.0.0.1:9/bot123456:abc-DEF_7/getUpdates");
    assert_is(r.body, "{\"offset\":-1,\"limit\":100,\"timeout\":0,\"allowed_updates\":"
                      "[\"message\",\"callback_query\",\"my_chat_member\",\"inline_query\","
                      "\"chosen_inline_result\",\"guest_message\"]}");
    struct batch b = read_text_of_ann(tg, 88, NOW_S - 6);
    assert_int_equal(b.n, 0);
    assert_is(b.cursor, "89");
    r = poll_request(tg, "89");
    assert_holds(r.body, "{\"offset\":89,\"limit\":100,\"timeout\":50,");
    assert_true(r.timeout_ms > 50000);
}

static void first_start_without_updates_is_stored(void **state)
{
    start(*state, "");
    assert_is(read_batch(*state, no_updates).cursor, "0");
}

static void first_start_reads_new_updates(void **state)
{
    start(*state, "");
    assert_int_equal(read_text_of_ann(*state, 88, NOW_S).n, 1);
}

/* Telegram dates a message by its own clock and cuts it to the second. */
static void first_start_tolerates_clock_skew(void **state)
{
    start(*state, "");
    assert_int_equal(read_text_of_ann(*state, 88, NOW_S - 5).n, 1);
}

static void restart_reads_missed_updates(void **state)
{
    assert_holds(start(*state, "41").body, "{\"offset\":41,");
    struct batch b = read_text_of_ann(*state, 41, 1600000000);
    assert_int_equal(b.n, 1);
    assert_is(b.cursor, "42");
}

static void the_list_of_commands_is_set_by_language_and_scope(void **state)
{
    struct tg_exchange *tg = *state;
    static const struct menu_entry menu[] = {
        {STR(""), STR("hand"), STR("Your hand"), true, false, false},
        {STR(""), STR("board"), STR("Scores"), false, false, false},
        {STR(""), STR("k"), STR(""), true, false, false}, /* understood, not listed */
        {STR(""), STR("link"), STR("Link"), false, false, true},
        {STR("pl"), STR("hand"), STR("Twoja r\xc4\x99ka"), true, false, false}};
    T->menu(tg->account, menu, 5);
    start(tg, "");
    read_batch(tg, no_updates);
    assert_is(poll_request(tg, "0").body,
              "{\"commands\":[{\"command\":\"hand\",\"description\":\"Your "
              "hand\"},{\"command\":\"board\",\"description\":"
              "\"Scores\"},{\"command\":\"link\",\"description\":\"Link\"}],"
              "\"scope\":{\"type\":\"all_private_chats\"}}");
    read_batch(tg, "{\"ok\":true,\"result\":true}");
    assert_is(poll_request(tg, "0").body,
              "{\"commands\":[{\"command\":\"hand\",\"description\":\"Your "
              "hand\",\"is_ephemeral\":true},{\"command\":"
              "\"board\",\"description\":\"Scores\"}],\"scope\":{\"type\":\"all_group_chats\"}}");
    read_batch(tg, "{\"ok\":true,\"result\":true}");
    assert_holds(poll_request(tg, "0").body,
                 "\"scope\":{\"type\":\"all_private_chats\"},\"language_code\":\"pl\"}");
    read_batch(tg, "{\"ok\":true,\"result\":true}");
    assert_holds(poll_request(tg, "0").url, "/setMyCommands");
    read_batch(tg, "{\"ok\":true,\"result\":true}");
    assert_holds(poll_request(tg, "0").url, "/getUpdates");
}

/* ---- polls that fail ---- */

struct trouble {
    struct batch batch;
    struct err err;
};

static struct trouble troubled(struct tg_exchange *tg, int status, const char *body)
{
    struct trouble t = {0};
    struct reply reply = reply_of(status, body);
    assert_false(T->read(tg->account, tg->a, &reply, &t.batch, &t.err));
    assert_int_equal(t.batch.n, 0);
    assert_true(strlen(t.err.text) > 5);
    assert_null(strstr(t.err.text, "abc-DEF"));
    return t;
}

static void back_off_doubles(void **state)
{
    struct tg_exchange *tg = *state;
    int64_t before = 0, wait = 0;
    for (int i = 0; i < 12; i++) {
        poll_request(tg, "7");
        wait = troubled(tg, i % 2 ? 502 : 0, "<html>502</html>").batch.wait_ms;
        assert_true(wait >= before);
        before = wait;
    }
    assert_int_equal(wait, 60000);
    poll_request(tg, "7");
    read_batch(tg, no_updates);
    poll_request(tg, "7");
    assert_true(
        troubled(tg, 500,
                 "{\"ok\":false,\"error_code\":500,\"description\":\"Internal Server Error: "
                 "restart\"}")
            .batch.wait_ms <= 1000);
}

static void retry_after_is_obeyed(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "7");
    assert_int_equal(
        troubled(tg, 429,
                 "{\"ok\":false,\"error_code\":429,\"description\":\"Too Many Requests: retry "
                 "after 7\",\"parameters\":{\"retry_after\":7}}")
            .batch.wait_ms,
        7000);
    poll_request(tg, "7"); /* without a time: a second */
    assert_int_equal(troubled(tg, 429, NO(429, "Too Many Requests")).batch.wait_ms, 1000);
}

/* 404 at the first poll means a wrong token or api_root; later it is transient. */
static void not_found_is_fatal_only_at_the_start(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "7");
    struct batch later = troubled(tg, 404, NO(404, "Not Found")).batch;
    assert_false(later.fatal);
    assert_true(later.wait_ms > 0);
}

/* A rate limit on the list of commands does not drop the list. */
static void rate_limited_menu_is_set_again(void **state)
{
    struct tg_exchange *tg = *state;
    static const struct menu_entry menu[] = {
        {STR(""), STR("hand"), STR("Your hand"), true, false, false}};
    T->menu(tg->account, menu, 1);
    poll_request(tg, "7");
    read_batch(tg, no_updates);
    struct request first = poll_request(tg, "7");
    assert_is(first.what, "setMyCommands");
    assert_int_equal(troubled(tg, 429, NO(429, "Too Many Requests")).batch.wait_ms, 1000);
    struct request again = poll_request(tg, "7");
    assert_is(again.what, "setMyCommands");
    assert_true(str_is(again.body, first.body));
}

static void refused_token_is_fatal(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "7");
    assert_true(
        troubled(tg, 401, "{\"ok\":false,\"error_code\":401,\"description\":\"Unauthorized\"}")
            .batch.fatal);
}

static void foreign_webhook_is_deleted(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "7");
    troubled(
        tg, 409,
        "{\"ok\":false,\"error_code\":409,\"description\":\"Conflict: can't use getUpdates method "
        "while webhook is active; use deleteWebhook to delete the webhook first\"}");
    struct request r = poll_request(tg, "7");
    assert_holds(r.url, "/deleteWebhook");
    assert_is(r.body, "{\"drop_pending_updates\":false}");
    read_batch(tg, "{\"ok\":true,\"result\":true}");
    assert_holds(poll_request(tg, "7").url, "/getUpdates");
}

static void second_instance_gives_up_after_five_minutes(void **state)
{
    struct tg_exchange *tg = *state;
    static const char body[] =
        "{\"ok\":false,\"error_code\":409,\"description\":\"Conflict: terminated by other "
        "getUpdates request; make sure that only one bot instance is running\"}";
    struct batch b;
    struct err err;
    for (int s = 0; s <= 300; s += 100) {
        struct reply reply = reply_of(409, body);
        reply.now += s * 1000;
        poll_request(tg, "7");
        assert_false(T->read(tg->account, tg->a, &reply, &b, &err));
        assert_true(b.wait_ms >= 1000);
        assert_int_equal(b.fatal, s == 300);
    }
}

/* Two conflicts more than five minutes apart with updates between them are two short ones. */
static void conflict_time_restarts_after_a_good_answer(void **state)
{
    struct tg_exchange *tg = *state;
    struct batch b;
    struct err err;
    for (int s = 0; s <= 600; s += 200) {
        struct reply reply =
            reply_of(409, NO(409, "Conflict: terminated by other getUpdates request"));
        reply.now += s * 1000;
        poll_request(tg, "7");
        assert_false(T->read(tg->account, tg->a, &reply, &b, &err));
        assert_false(b.fatal);
        poll_request(tg, "7");
        read_batch(tg, no_updates);
    }
}

static void truncated_updates_confirm_nothing(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "7");
    troubled(
        tg, 200,
        "{\"ok\":true,\"result\":[{\"update_id\":7,\"message\":{\"message_id\":1,\"text\":\"/ca");
    assert_holds(poll_request(tg, "7").body, "{\"offset\":7,");
}

static void unknown_update_is_skipped(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "7");
    struct batch b =
        read_batch(tg, "{\"ok\":true,\"result\":[{\"update_id\":7,\"telepathy\":{\"text\":\"]}\"}},"
                       "{\"update_id\":8,\"message\":17},{\"update_id\":\"9\"},[],"
                       "{\"update_id\":10,\"callback_query\":{\"id\":\"1\"}}]}");
    assert_int_equal(b.n, 0);
    assert_is(b.cursor, "11");
}

/* A person who writes right after a start must not wait for a back-off between the questions of it. */
static void questions_of_the_start_are_no_empty_polls(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "7");
    assert_true(read_batch(tg, get_me).busy);
    poll_request(tg, "7");
    assert_false(read_batch(tg, no_updates).busy);
}

static void the_name_is_known_once_the_network_said_it(void **state)
{
    struct tg_exchange *tg = *state;
    struct str name, link;
    assert_false(T->self(tg->account, tg->a, &name, &link));
    poll_request(tg, "7");
    read_batch(tg, get_me);
    assert_true(T->self(tg->account, tg->a, &name, &link));
    assert_true(str_is(name, STR("@koikoi_bot")));
    assert_true(str_is(link, STR("https://t.me/koikoi_bot?startgroup")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(token_and_api_root_are_checked),
        START(not_configured_without_a_token),
        START(the_name_is_known_once_the_network_said_it),
        START(questions_of_the_start_are_no_empty_polls),
        cmocka_unit_test(the_pace_is_an_option),
        START(first_start_skips_older_updates),
        START(first_start_without_updates_is_stored),
        START(first_start_reads_new_updates),
        START(first_start_tolerates_clock_skew),
        START(restart_reads_missed_updates),
        START(the_list_of_commands_is_set_by_language_and_scope),
        RUNNING(back_off_doubles),
        RUNNING(retry_after_is_obeyed),
        RUNNING(rate_limited_menu_is_set_again),
        RUNNING(not_found_is_fatal_only_at_the_start),
        RUNNING(refused_token_is_fatal),
        RUNNING(foreign_webhook_is_deleted),
        RUNNING(second_instance_gives_up_after_five_minutes),
        RUNNING(conflict_time_restarts_after_a_good_answer),
        RUNNING(truncated_updates_confirm_nothing),
        RUNNING(unknown_update_is_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
