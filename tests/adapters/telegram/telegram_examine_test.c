/* What koikoi doctor finds at Telegram. */
#include "adapters/telegram_line.h"

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

/* What stands where the Bot API should: each is told apart from the others. */
static void a_doctor_knows_what_answers_instead(void **state)
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
        {502, "<html>", "answers 502", FOUND_WRONG},
    };
    struct line *l = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct findings found = {0};
        struct request next;
        struct reply reply = replied(cases[i].status, cases[i].body);
        T->examine(l->account, l->a, NULL, &next, &found);
        next = (struct request){.kind = REQUEST_NONE};
        T->examine(l->account, l->a, &reply, &next, &found);
        assert_int_equal(found.n, 1);
        assert_int_equal(found.at[0].found, cases[i].found);
        holds(found.at[0].text, cases[i].finding);
        assert_int_equal(next.kind, REQUEST_NONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        START(a_healthy_bot_has_nothing_to_do),
        START(a_doctor_says_what_to_do),
        START(a_doctor_knows_what_answers_instead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
