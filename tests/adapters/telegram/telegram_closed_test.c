/* A way that Telegram refused for somebody is not tried again each time. */
#include "adapters/telegram/telegram_exchange.h"

#define NOT_ADMIN NO(400, "Bad Request: BOT_NOT_ADMIN")
#define BLOCKED   NO(403, "Forbidden: bot can't initiate conversation with a user")

static struct outgoing typed(const char *to)
{
    struct outgoing out = whisper("your hand");
    out.to = str_of(to);
    out.press = STR("");
    return out;
}

static struct outgoing in_private(const char *to)
{
    return (struct outgoing){
        .kind = OUT_POST, .where = TO_DIRECT, .to = str_of(to), .text = STR("your hand")};
}

static bool is_sent(struct tg_exchange *tg, struct outgoing out)
{
    return send_request(tg, &out).kind == REQUEST_HTTP;
}

static void refuse(struct tg_exchange *tg, struct outgoing out, int status, const char *body)
{
    assert_true(is_sent(tg, out));
    assert_int_equal(receipt_of(tg, &out, status, body).why, NEVER_UNREACHABLE);
}

/* It is refused without a call, so that the next way is taken. */
static void assert_closed(struct tg_exchange *tg, struct outgoing out)
{
    assert_false(is_sent(tg, out));
    struct receipt r = receipt_of(tg, &out, 0, "");
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
}

static void a_hand_for_typed_words_is_refused_once(void **state)
{
    struct tg_exchange *tg = *state;
    confirm_ephemeral(tg);
    refuse(tg, typed("11"), 400, NOT_ADMIN);
    assert_closed(tg, typed("11"));
    assert_true(is_sent(tg, whisper("your hand"))); /* a tap is a right of its own */
    assert_true(is_sent(tg, typed("12")));
    struct outgoing elsewhere = typed("11");
    elsewhere.chat = STR("-1009");
    assert_true(is_sent(tg, elsewhere));
}

/* Both were on their way; the second one's answer is its own. */
static void what_is_under_way_counts_by_its_own_answer(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing second = typed("11");
    confirm_ephemeral(tg);
    assert_true(is_sent(tg, second));
    refuse(tg, typed("11"), 400, NOT_ADMIN);
    assert_int_equal(receipt_of(tg, &second, 200, HIDDEN_29).kind, SENT);
}

static void new_rights_open_it_again(void **state)
{
    struct tg_exchange *tg = *state;
    confirm_ephemeral(tg);
    refuse(tg, typed("11"), 400, NOT_ADMIN);
    struct update u = read_one(tg, "\"my_chat_member\":{\"chat\":" TEA ",\"from\":" ANN
                                   ",\"date\":1700000001,\"old_chat_member\":{\"status\":"
                                   "\"member\"},\"new_chat_member\":{\"status\":"
                                   "\"administrator\"}}");
    assert_int_equal(u.kind, UPDATE_RIGHTS);
    assert_true(is_sent(tg, typed("11")));
}

static void a_day_opens_it_again(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing other = post("board");
    struct receipt r;
    confirm_ephemeral(tg);
    refuse(tg, typed("11"), 400, NOT_ADMIN);
    struct reply reply = reply_of(200, SENT_41);
    reply.now = NOW + 24 * 3600 * 1000 - 1;
    T->receipt(tg->account, tg->a, &other, &reply, &r);
    assert_closed(tg, typed("11"));
    refuse(tg, in_private("11"), 403, BLOCKED);
    reply.now = NOW + 24 * 3600 * 1000;
    T->receipt(tg->account, tg->a, &other, &reply, &r);
    assert_true(is_sent(tg, typed("11")));
}

static void a_private_chat_is_closed_until_its_person_writes(void **state)
{
    struct tg_exchange *tg = *state;
    refuse(tg, in_private("11"), 403, BLOCKED);
    assert_closed(tg, in_private("11"));
    assert_true(is_sent(tg, in_private("12")));
    read_one(tg, "\"message\":{\"message_id\":9,\"from\":" ANN ",\"chat\":{\"id\":-5,\"type\":"
                 "\"group\",\"title\":\"Tea\"},\"date\":1700000001,\"text\":\"/help\"}");
    assert_closed(tg, in_private("11"));
    read_one(tg, "\"message\":{\"message_id\":1,\"from\":" ANN ",\"chat\":{\"id\":11,\"type\":"
                 "\"private\",\"first_name\":\"Ann\"},\"date\":1700000002,\"text\":\"/start\"}");
    assert_true(is_sent(tg, in_private("11")));
}

static void another_refusal_closes_nothing(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = typed("11");
    confirm_ephemeral(tg);
    assert_true(is_sent(tg, out));
    assert_int_equal(receipt_of(tg, &out, 429, NO(429, "Too Many Requests")).kind, LATER);
    assert_true(is_sent(tg, out));
    assert_int_equal(receipt_of(tg, &out, 400, NO(400, "Bad Request: message is too long")).kind,
                     NEVER);
    assert_true(is_sent(tg, out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(a_hand_for_typed_words_is_refused_once),
        RUNNING(what_is_under_way_counts_by_its_own_answer),
        RUNNING(new_rights_open_it_again),
        RUNNING(a_day_opens_it_again),
        RUNNING(a_private_chat_is_closed_until_its_person_writes),
        RUNNING(another_refusal_closes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
