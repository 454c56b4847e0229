/* koikoi doctor on Telegram. */
#include "adapters/telegram/telegram_exchange.h"

/* All findings, one a line, for these answers of getMe and getWebhookInfo. */
static struct str examined(struct tg_exchange *tg, const char *bot, const char *webhook,
                           int64_t fast_ms)
{
    static char lines[4096];
    struct buf b = BUF(lines);
    struct request next;
    struct reply reply = {
        .status = 200, .retry_after_ms = -1, .now = 1700000000000 + fast_ms, .date = 1700000000000};
    const char *answers[] = {bot, webhook};
    T->examine(tg->account, tg->a, NULL, &next, &(struct findings){0});
    assert_true(str_is(next.what, STR("getMe")));
    for (int i = 0; i < 2; i++) {
        struct findings found = {0};
        next = (struct request){.kind = REQUEST_NONE};
        reply.body = str_of(answers[i]);
        T->examine(tg->account, tg->a, &reply, &next, &found);
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

static void healthy_bot(void **state)
{
    struct str found = examined(*state, HEALTHY, NO_HOOK, 2000);
    assert_int_equal(count(found, "0 "), 5);
    assert_int_equal(count(found, "\n1 ") + count(found, "\n2 "), 0);
    assert_holds(found, "@koikoi_bot");
}

static void doctor_names_the_remedy(void **state)
{
    struct str found = examined(
        *state,
        "{\"ok\":true,\"result\":{\"id\":123456,\"username\":\"koikoi_bot\",\"can_join_groups\":"
        "false,"
        "\"can_read_all_group_messages\":true,\"supports_inline_queries\":true,"
        "\"supports_guest_queries\":true}}",
        "{\"ok\":true,\"result\":{\"url\":\"https://a.example/x\",\"pending_update_count\":4000}}",
        -90000);
    assert_holds(found, "2 it may not be added to groups: /setjoingroups");
    assert_holds(found, "/setprivacy");
    assert_holds(found, "/setinlinefeedback");
    assert_holds(found, "guest mode is on");
    assert_holds(found, "2 the clock of this machine is 90 s slow");
    assert_holds(found, "1 a webhook of another program is set");
    assert_holds(found, "1 4000 updates wait");
    assert_int_equal(count(found, "a.example"), 0);
}

/* Other servers in place of the Bot API: the doctor tells them apart. */
static void doctor_recognises_a_proxy(void **state)
{
    static const struct {
        int status;
        const char *body, *finding;
        enum found found;
    } cases[] = {
        {0, "", "no answer from", FOUND_WRONG},
        {200, "<html>log in</html>", "is no Bot API", FOUND_WRONG},
        {302, "", "is no Bot API", FOUND_WRONG},
        {403, "<html>Forbidden</html>", "is no Bot API", FOUND_WRONG},
        {401, NO(401, "Unauthorized"), "the token is refused", FOUND_WRONG},
        {200, NO(401, "Unauthorized"), "the token is refused", FOUND_WRONG},
        {404, NO(404, "Not Found"), "the token is refused", FOUND_WRONG},
        {429, "{\"ok\":false,\"error_code\":429,\"parameters\":{\"retry_after\":5}}",
         "a pause of 5 s", FOUND_ADVICE},
        {499, "", "is no Bot API", FOUND_WRONG},
        {500, "<html>", "answers 500", FOUND_WRONG},
        {502, "<html>", "answers 502", FOUND_WRONG},
    };
    struct tg_exchange *tg = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct findings found = {0};
        struct request next;
        struct reply reply = reply_of(cases[i].status, cases[i].body);
        T->examine(tg->account, tg->a, NULL, &next, &found);
        next = (struct request){.kind = REQUEST_NONE};
        T->examine(tg->account, tg->a, &reply, &next, &found);
        assert_int_equal(found.n, 1);
        assert_int_equal(found.at[0].found, cases[i].found);
        assert_holds(found.at[0].text, cases[i].finding);
        assert_int_equal(next.kind, REQUEST_NONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        START(healthy_bot),
        START(doctor_names_the_remedy),
        START(doctor_recognises_a_proxy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
