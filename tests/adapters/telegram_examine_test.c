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

int main(void)
{
    const struct CMUnitTest tests[] = {
        START(a_healthy_bot_has_nothing_to_do),
        START(a_doctor_says_what_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
