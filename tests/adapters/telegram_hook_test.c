/* Telegram brings its news: the exact calls that arrange it, and what is made of what is
 * brought. */
#include "adapters/telegram_line.h"

#define URL    "https://play.example.org/telegram/x"
#define SECRET "a-secret-of-the-test"
#define DONE   "{\"ok\":true,\"result\":true}"

static int set_up_hooked(void **state)
{
    static struct line l;
    struct err err = {""};
    if (!open_with_options(&l, &err, "webhook_url", URL, "webhook_secret", SECRET, NULL))
        fail_msg("%s", err.text);
    *state = &l;
    return 0;
}

static int set_up_arranged(void **state)
{
    set_up_hooked(state);
    asked(*state, "");
    heard(*state, me);
    asked(*state, "");
    heard(*state, DONE);
    return 0;
}

static struct batch brought(struct line *l, const char *body)
{
    struct reply reply = replied(200, body);
    struct batch b = {0};
    struct err err = {""};
    if (!T->brought(l->account, l->a, &reply, &b, &err))
        fail_msg("%s", err.text);
    return b;
}

static void the_options_are_checked(void **state)
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
        struct line l;
        struct err err = {""};
        assert_false(open_with_options(&l, &err, "webhook_url", bad[i].url, "webhook_secret",
                                       bad[i].secret, NULL));
        assert_non_null(strstr(err.text, bad[i].about));
        if (*bad[i].secret)
            assert_null(strstr(err.text, bad[i].secret));
        arena_close(l.a);
    }
}

static void where_news_are_brought_is_the_path_of_the_url(void **state)
{
    struct line *l = *state;
    struct hook hook = {0};
    assert_true(T->hook(l->account, &hook));
    is(hook.path, "/telegram/x");
    is(hook.secret, SECRET);
    assert_string_equal(hook.header, "X-Telegram-Bot-Api-Secret-Token");
}

static void without_a_url_nothing_is_brought(void **state)
{
    struct line *l = *state;
    struct hook hook;
    assert_false(T->hook(l->account, &hook));
}

static void the_first_start_drops_what_is_older(void **state)
{
    struct line *l = *state;
    holds(asked(l, "").url, "/getMe");
    heard(l, me);
    struct request r = asked(l, "");
    is(r.url, "http://127.0.0.1:9/bot123456:abc-DEF_7/setWebhook");
    is(r.body, "{\"url\":\"" URL "\",\"max_connections\":40,\"allowed_updates\":"
               "[\"message\",\"callback_query\",\"my_chat_member\",\"inline_query\","
               "\"chosen_inline_result\",\"guest_message\"],"
               "\"drop_pending_updates\":true,\"secret_token\":\"" SECRET "\"}");
    is(heard(l, DONE).cursor, "0");
}

static void a_restart_drops_nothing(void **state)
{
    struct line *l = *state;
    asked(l, "0");
    heard(l, me);
    holds(asked(l, "0").body, "\"drop_pending_updates\":false");
}

static void a_webhook_that_stands_is_looked_after(void **state)
{
    struct line *l = *state;
    is(asked(l, "0").url, "http://127.0.0.1:9/bot123456:abc-DEF_7/getWebhookInfo");
    struct batch b = heard(l, "{\"ok\":true,\"result\":{\"url\":\"" URL "\","
                              "\"has_custom_certificate\":false,\"pending_update_count\":0}}");
    assert_int_equal(b.wait_ms, 300000);
    assert_int_equal(b.note.n, 0);
    holds(asked(l, "0").url, "/getWebhookInfo");
}

static void what_went_wrong_with_it_lately_is_told(void **state)
{
    struct line *l = *state;
    asked(l, "0");
    struct batch b = heard(l, "{\"ok\":true,\"result\":{\"url\":\"" URL "\","
                              "\"has_custom_certificate\":false,\"pending_update_count\":3,"
                              "\"last_error_date\":1699999990,"
                              "\"last_error_message\":\"Connection refused\"}}");
    holds(b.note, "Connection refused");
    asked(l, "0");
    b = heard(l, "{\"ok\":true,\"result\":{\"url\":\"" URL "\","
                 "\"has_custom_certificate\":false,\"pending_update_count\":0,"
                 "\"last_error_date\":1699990000,\"last_error_message\":\"Connection refused\"}}");
    assert_int_equal(b.note.n, 0); /* long ago */
}

static void a_webhook_that_was_taken_away_is_set_again(void **state)
{
    struct line *l = *state;
    asked(l, "0");
    struct batch b = heard(l, "{\"ok\":true,\"result\":{\"url\":\"\","
                              "\"has_custom_certificate\":false,\"pending_update_count\":0}}");
    assert_int_equal(b.wait_ms, 0);
    assert_true(b.note.n > 0);
    struct request r = asked(l, "0");
    holds(r.url, "/setWebhook");
    holds(r.body, "\"drop_pending_updates\":false");
}

static void an_update_is_brought_by_itself(void **state)
{
    struct line *l = *state;
    struct batch b = brought(
        l, "{\"update_id\":88,\"message\":{\"message_id\":5,\"from\":{\"id\":7,\"is_bot\":false,"
           "\"first_name\":\"Ann\"},\"chat\":{\"id\":7,\"type\":\"private\",\"first_name\":"
           "\"Ann\"},\"date\":1700000000,\"text\":\"/hand\"}}");
    assert_int_equal(b.n, 1);
    assert_false(b.ask_first);
    is(b.at[0].id, "88");
    is(b.at[0].text, "/hand");
    holds(b.at[0].raw, "\"update_id\":88");
}

static void what_nobody_knows_is_taken_and_passed_over(void **state)
{
    struct line *l = *state;
    struct batch b = brought(l, "{\"update_id\":88,\"some_news\":{\"of\":\"tomorrow\"}}");
    assert_int_equal(b.n, 0);
    assert_false(b.ask_first);
}

static void what_is_no_update_is_refused(void **state)
{
    struct line *l = *state;
    static const char *const bad[] = {
        "", "nonsense", "[]", "{}", "{\"update_id\":\"x\"}", "{\"update_id\":8"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct reply reply = replied(200, bad[i]);
        struct batch b = {0};
        struct err err = {""};
        assert_false(T->brought(l->account, l->a, &reply, &b, &err));
        assert_true(strlen(err.text) > 5);
    }
}

static void who_changes_settings_is_asked_about_first(void **state)
{
    struct line *l = *state;
    static const struct menu_entry menu[] = {{STR(""), STR("settings"), STR(""), false, true}};
    static const char settings[] =
        "{\"update_id\":88,\"message\":{\"message_id\":5,\"from\":{\"id\":7,\"is_bot\":false,"
        "\"first_name\":\"Ann\"},\"chat\":{\"id\":-5,\"type\":\"group\",\"title\":\"Tea\"},"
        "\"date\":1700000000,\"text\":\"/settings rounds=6\"}}";
    T->menu(l->account, menu, 1);
    struct batch b = brought(l, settings);
    assert_int_equal(b.n, 0);
    assert_true(b.ask_first);
    struct request r = asked(l, "0");
    holds(r.url, "/getChatMember");
    is(r.body, "{\"chat_id\":-5,\"user_id\":7}");
    brought(l,
            "{\"update_id\":89,\"message\":{\"message_id\":6,\"from\":{\"id\":8,\"is_bot\":false,"
            "\"first_name\":\"Bo\"},\"chat\":{\"id\":-6,\"type\":\"group\",\"title\":\"Club\"},"
            "\"date\":1700000000,\"text\":\"/settings rounds=6\"}}");
    heard(l, "{\"ok\":true,\"result\":{\"user\":{\"id\":7,\"is_bot\":false,\"first_name\":"
             "\"Ann\"},\"status\":\"creator\"}}");
    b = brought(l, settings);
    assert_int_equal(b.n, 1);
    assert_true(b.at[0].admin); /* it was she who was asked about, not who came later */
    holds(asked(l, "0").url, "/setMyCommands");
}

static void until_our_name_is_known_news_wait(void **state)
{
    struct line *l = *state;
    struct batch b = brought(l, "{\"update_id\":88,\"some_news\":{}}");
    assert_true(b.ask_first);
}

#define HOOKED(f)   cmocka_unit_test_setup_teardown(f, set_up_hooked, tear_down)
#define ARRANGED(f) cmocka_unit_test_setup_teardown(f, set_up_arranged, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_options_are_checked),
        HOOKED(where_news_are_brought_is_the_path_of_the_url),
        cmocka_unit_test_setup_teardown(without_a_url_nothing_is_brought, set_up, tear_down),
        HOOKED(the_first_start_drops_what_is_older),
        HOOKED(a_restart_drops_nothing),
        ARRANGED(a_webhook_that_stands_is_looked_after),
        ARRANGED(what_went_wrong_with_it_lately_is_told),
        ARRANGED(a_webhook_that_was_taken_away_is_set_again),
        ARRANGED(an_update_is_brought_by_itself),
        ARRANGED(what_nobody_knows_is_taken_and_passed_over),
        ARRANGED(what_is_no_update_is_refused),
        ARRANGED(who_changes_settings_is_asked_about_first),
        HOOKED(until_our_name_is_known_news_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
