/* Webhook: the exact calls that set it up, and the updates of deliveries. */
#include "adapters/telegram/telegram_exchange.h"

#define URL    "https://play.example.org/telegram/x"
#define SECRET "a-secret-of-the-test"
#define DONE   "{\"ok\":true,\"result\":true}"

static int set_up_hooked(void **state)
{
    static struct tg_exchange tg;
    struct err err = {""};
    if (!tg_exchange_open_with(&tg, &err, "webhook_url", URL, "webhook_secret", SECRET, NULL))
        fail_msg("%s", err.text);
    *state = &tg;
    return 0;
}

static int set_up_arranged(void **state)
{
    set_up_hooked(state);
    poll_request(*state, "");
    read_batch(*state, get_me);
    poll_request(*state, "");
    read_batch(*state, DONE);
    return 0;
}

static struct batch webhook_read(struct tg_exchange *tg, const char *body)
{
    struct reply reply = reply_of(200, body);
    struct batch b = {0};
    struct err err = {""};
    if (!T->webhook_read(tg->account, tg->a, &reply, &b, &err))
        fail_msg("%s", err.text);
    return b;
}

static void options_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *url, *secret, *about;
    } bad[] = {{"play.example.org", SECRET, "webhook_url"},
               {"ftp://play.example.org/x", SECRET, "webhook_url"},
               {URL "?a=b", SECRET, "webhook_url"},
               {URL, "", "webhook_secret"},
               {URL, "too-short", "webhook_secret"},
               {URL, "a secret with blanks in it", "webhook_secret"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct tg_exchange tg;
        struct err err = {""};
        assert_false(tg_exchange_open_with(&tg, &err, "webhook_url", bad[i].url, "webhook_secret",
                                           bad[i].secret, NULL));
        assert_non_null(strstr(err.text, bad[i].about));
        if (*bad[i].secret)
            assert_null(strstr(err.text, bad[i].secret));
        arena_close(tg.a);
    }
}

static void webhook_path_comes_from_the_url(void **state)
{
    struct tg_exchange *tg = *state;
    struct webhook webhook = {0};
    assert_true(T->webhook(tg->account, &webhook));
    assert_is(webhook.path, "/telegram/x");
    assert_is(webhook.secret, SECRET);
    assert_string_equal(webhook.header, "X-Telegram-Bot-Api-Secret-Token");
}

static void no_webhook_without_a_url(void **state)
{
    struct tg_exchange *tg = *state;
    struct webhook webhook;
    assert_false(T->webhook(tg->account, &webhook));
}

static void first_start_drops_pending_updates(void **state)
{
    struct tg_exchange *tg = *state;
    assert_holds(poll_request(tg, "").url, "/getMe");
    read_batch(tg, get_me);
    struct request r = poll_request(tg, "");
    assert_is(r.url, "http://127.0.0.1:9/bot123456:abc-DEF_7/setWebhook");
    assert_is(r.body, "{\"url\":\"" URL "\",\"max_connections\":40,\"allowed_updates\":"
                      "[\"message\",\"callback_query\",\"my_chat_member\",\"inline_query\","
                      "\"chosen_inline_result\",\"guest_message\"],"
                      "\"drop_pending_updates\":true,\"secret_token\":\"" SECRET "\"}");
    assert_is(read_batch(tg, DONE).cursor, "0");
}

static void restart_keeps_pending_updates(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "0");
    read_batch(tg, get_me);
    assert_holds(poll_request(tg, "0").body, "\"drop_pending_updates\":false");
}

static void webhook_is_checked_regularly(void **state)
{
    struct tg_exchange *tg = *state;
    assert_is(poll_request(tg, "0").url, "http://127.0.0.1:9/bot123456:abc-DEF_7/getWebhookInfo");
    struct batch b =
        read_batch(tg, "{\"ok\":true,\"result\":{\"url\":\"" URL "\","
                       "\"has_custom_certificate\":false,\"pending_update_count\":0}}");
    assert_int_equal(b.wait_ms, 300000);
    assert_int_equal(b.note.n, 0);
    assert_holds(poll_request(tg, "0").url, "/getWebhookInfo");
}

static void recent_webhook_error_is_logged(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "0");
    struct batch b = read_batch(tg, "{\"ok\":true,\"result\":{\"url\":\"" URL "\","
                                    "\"has_custom_certificate\":false,\"pending_update_count\":3,"
                                    "\"last_error_date\":1699999990,"
                                    "\"last_error_message\":\"Connection refused\"}}");
    assert_holds(b.note, "Connection refused");
    poll_request(tg, "0");
    b = read_batch(
        tg, "{\"ok\":true,\"result\":{\"url\":\"" URL "\","
            "\"has_custom_certificate\":false,\"pending_update_count\":0,"
            "\"last_error_date\":1699990000,\"last_error_message\":\"Connection refused\"}}");
    assert_int_equal(b.note.n, 0); /* long ago */
}

static void removed_webhook_is_set_again(void **state)
{
    struct tg_exchange *tg = *state;
    poll_request(tg, "0");
    struct batch b =
        read_batch(tg, "{\"ok\":true,\"result\":{\"url\":\"\","
                       "\"has_custom_certificate\":false,\"pending_update_count\":0}}");
    assert_int_equal(b.wait_ms, 0);
    assert_true(b.note.n > 0);
    struct request r = poll_request(tg, "0");
    assert_holds(r.url, "/setWebhook");
    assert_holds(r.body, "\"drop_pending_updates\":false");
}

static void delivered_update_is_read(void **state)
{
    struct tg_exchange *tg = *state;
    struct batch b = webhook_read(
        tg, "{\"update_id\":88,\"message\":{\"message_id\":5,\"from\":{\"id\":7,\"is_bot\":false,"
            "\"first_name\":\"Ann\"},\"chat\":{\"id\":7,\"type\":\"private\",\"first_name\":"
            "\"Ann\"},\"date\":1700000000,\"text\":\"/hand\"}}");
    assert_int_equal(b.n, 1);
    assert_false(b.ask_first);
    assert_is(b.at[0].id, "88");
    assert_is(b.at[0].text, "/hand");
    assert_holds(b.at[0].raw, "\"update_id\":88");
}

static void unknown_delivery_is_accepted_and_skipped(void **state)
{
    struct tg_exchange *tg = *state;
    struct batch b = webhook_read(tg, "{\"update_id\":88,\"some_news\":{\"of\":\"tomorrow\"}}");
    assert_int_equal(b.n, 0);
    assert_false(b.ask_first);
}

static void delivery_without_update_id_is_refused(void **state)
{
    struct tg_exchange *tg = *state;
    static const char *const bad[] = {
        "", "nonsense", "[]", "{}", "{\"update_id\":\"x\"}", "{\"update_id\":8"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct reply reply = reply_of(200, bad[i]);
        struct batch b = {0};
        struct err err = {""};
        assert_false(T->webhook_read(tg->account, tg->a, &reply, &b, &err));
        assert_true(strlen(err.text) > 5);
    }
}

static void settings_command_waits_for_the_admin_check(void **state)
{
    struct tg_exchange *tg = *state;
    static const struct menu_entry menu[] = {
        {STR(""), STR("settings"), STR(""), false, true, false}};
    static const char settings[] =
        "{\"update_id\":88,\"message\":{\"message_id\":5,\"from\":{\"id\":7,\"is_bot\":false,"
        "\"first_name\":\"Ann\"},\"chat\":{\"id\":-5,\"type\":\"group\",\"title\":\"Tea\"},"
        "\"date\":1700000000,\"text\":\"/settings rounds=6\"}}";
    T->menu(tg->account, menu, 1);
    struct batch b = webhook_read(tg, settings);
    assert_int_equal(b.n, 0);
    assert_true(b.ask_first);
    struct request r = poll_request(tg, "0");
    assert_holds(r.url, "/getChatMember");
    assert_is(r.body, "{\"chat_id\":-5,\"user_id\":7}");
    webhook_read(
        tg, "{\"update_id\":89,\"message\":{\"message_id\":6,\"from\":{\"id\":8,\"is_bot\":false,"
            "\"first_name\":\"Bo\"},\"chat\":{\"id\":-6,\"type\":\"group\",\"title\":\"Club\"},"
            "\"date\":1700000000,\"text\":\"/settings rounds=6\"}}");
    read_batch(tg, "{\"ok\":true,\"result\":{\"user\":{\"id\":7,\"is_bot\":false,\"first_name\":"
                   "\"Ann\"},\"status\":\"creator\"}}");
    b = webhook_read(tg, settings);
    assert_int_equal(b.n, 1);
    assert_true(b.at[0].admin); /* the answer is about Ann, not about the later sender */
    assert_holds(poll_request(tg, "0").url, "/setMyCommands");
}

/* Without a question to ask, the polls are five minutes apart again. */
static void polls_rest_after_the_admin_check(void **state)
{
    struct tg_exchange *tg = *state;
    static const struct menu_entry menu[] = {
        {STR(""), STR("settings"), STR(""), false, true, false}};
    T->menu(tg->account, menu, 1);
    webhook_read(tg,
                 "{\"update_id\":88,\"message\":{\"message_id\":5,\"from\":{\"id\":7,\"is_bot\":"
                 "false,\"first_name\":\"Ann\"},\"chat\":{\"id\":-5,\"type\":\"group\","
                 "\"title\":\"Tea\"},\"date\":1700000000,\"text\":\"/settings rounds=6\"}}");
    assert_holds(poll_request(tg, "0").url, "/getChatMember");
    read_batch(tg, "{\"ok\":true,\"result\":{\"user\":{\"id\":7,\"is_bot\":false,\"first_name\":"
                   "\"Ann\"},\"status\":\"member\"}}");
    for (int lists = 0; lists < 50; lists++) {
        struct str url = poll_request(tg, "0").url;
        if (!memmem(url.p, url.n, "/setMyCommands", 14))
            break;
        read_batch(tg, "{\"ok\":true,\"result\":true}");
    }
    struct batch b =
        read_batch(tg, "{\"ok\":true,\"result\":{\"url\":\"" URL "\","
                       "\"has_custom_certificate\":false,\"pending_update_count\":0}}");
    assert_int_equal(b.wait_ms, 300000);
}

static void deliveries_wait_for_our_name(void **state)
{
    struct tg_exchange *tg = *state;
    struct batch b = webhook_read(tg, "{\"update_id\":88,\"some_news\":{}}");
    assert_true(b.ask_first);
}

#define HOOKED(f)   cmocka_unit_test_setup_teardown(f, set_up_hooked, teardown)
#define ARRANGED(f) cmocka_unit_test_setup_teardown(f, set_up_arranged, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_checked),
        HOOKED(webhook_path_comes_from_the_url),
        cmocka_unit_test_setup_teardown(no_webhook_without_a_url, setup, teardown),
        HOOKED(first_start_drops_pending_updates),
        HOOKED(restart_keeps_pending_updates),
        ARRANGED(webhook_is_checked_regularly),
        ARRANGED(recent_webhook_error_is_logged),
        ARRANGED(removed_webhook_is_set_again),
        ARRANGED(delivered_update_is_read),
        ARRANGED(unknown_delivery_is_accepted_and_skipped),
        ARRANGED(delivery_without_update_id_is_refused),
        ARRANGED(settings_command_waits_for_the_admin_check),
        ARRANGED(polls_rest_after_the_admin_check),
        HOOKED(deliveries_wait_for_our_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
