/* A message for one person never becomes visible to all, whatever the server supports. */
#include "adapters/telegram/telegram_exchange.h"

#define BACK "\xf0\x9f\x8e\xb4"

static void first_ephemeral_message_is_a_probe(void **state)
{
    struct tg_exchange *tg = *state;
    struct button move = {.label = STR("1 crane"), .data = STR("p1.0.0.x")};
    struct outgoing out = whisper("hand: crane");
    out.picture_bytes = STR("\x89PNG...");
    out.buttons = &move;
    out.n_buttons = 1;
    assert_sends(
        tg, out, "sendMessage",
        "{\"chat_id\":-1001234567890,\"ephemeral_message_parameters\":{\"receiver_user_id\":11,"
        "\"callback_query_id\":\"9\"},\"text\":\"" BACK "\",\"parse_mode\":\"HTML\"" NO_PREVIEW
        "}");
    struct receipt r = receipt_of(tg, &out, 200, HIDDEN_29);
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    struct request then = send_request(tg, &out);
    assert_is(then.what, "editEphemeralMessageMedia");
    assert_part(then.parts[2], "ephemeral_message_id", "29");
    r = receipt_of(tg, &out, 400, NO(400, "Bad Request: IMAGE_PROCESS_FAILED"));
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    assert_is(send_request(tg, &out).what, "editEphemeralMessageText");
    assert_holds(send_request(tg, &out).body,
                 "\"ephemeral_message_id\":29,\"text\":\"hand: crane\"");
    assert_holds(send_request(tg, &out).body, "1 crane");
    r = receipt_of(tg, &out, 200, "{\"ok\":true,\"result\":true}");
    assert_int_equal(r.kind, SENT);
    assert_is(r.post, "e29");
    out = whisper("hand: curtain"); /* from now on support is known */
    assert_holds(send_request(tg, &out).body, "hand: curtain");
}

static void server_without_ephemeral_messages_sees_no_hand(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = whisper("hand: crane");
    assert_true(T->can_in(tg->account, out.chat, T->can) & CAN_WHISPER);
    send_request(tg, &out);
    struct receipt r = receipt_of(tg, &out, 200, SENT_41);
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    assert_sends(tg, out, "deleteMessage", "{\"chat_id\":-1001234567890,\"message_id\":41}");
    assert_int_equal(receipt_of(tg, &out, 500, "{}").kind, LATER);
    assert_sends(tg, out, "deleteMessage", "{\"chat_id\":-1001234567890,\"message_id\":41}");
    r = receipt_of(tg, &out, 200, "{\"ok\":true,\"result\":true}");
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
    assert_false(T->can_in(tg->account, out.chat, T->can) & CAN_WHISPER);
    out = whisper("hand: curtain"); /* no second probe */
    assert_int_equal(send_request(tg, &out).kind, REQUEST_NONE);
    assert_int_equal(receipt_of(tg, &out, 0, "").why, NEVER_UNREACHABLE);
    struct outgoing unseen = {.kind = OUT_ANSWER,
                              .chat = STR("-5"),
                              .to = STR("11"),
                              .press = STR("e345"),
                              .text = STR("hand: moon")};
    assert_int_equal(send_request(tg, &unseen).kind, REQUEST_NONE);
    assert_int_equal(receipt_of(tg, &unseen, 0, "").why, NEVER_UNREACHABLE);
}

static void failed_retraction_sends_no_hand(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = whisper("hand: crane");
    send_request(tg, &out);
    out.progress = receipt_of(tg, &out, 200, SENT_41).progress;
    assert_int_equal(
        receipt_of(tg, &out, 400, NO(400, "Bad Request: message can't be deleted")).why,
        NEVER_UNREACHABLE);
}

static void other_rows_wait_for_the_probe(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing first = whisper("hand: crane"), second = whisper("hand: moon");
    second.row = 2;
    send_request(tg, &first);
    assert_int_equal(send_request(tg, &second).kind, REQUEST_NONE);
    struct receipt waits = receipt_of(tg, &second, 0, "");
    assert_int_equal(waits.kind, LATER);
    assert_true(waits.wait_ms > 0); /* no busy loop */
    assert_int_equal(receipt_of(tg, &first, 0, "").kind,
                     LATER); /* no answer: the next row probes */
    assert_holds(send_request(tg, &second).body, "\"text\":\"" BACK "\"");
    assert_int_equal(receipt_of(tg, &second, 400, NO(400, "Bad Request: BOT_NOT_ADMIN")).why,
                     NEVER_UNREACHABLE);
    assert_holds(send_request(tg, &first).body, "\"text\":\"" BACK "\"");
    first.progress = receipt_of(tg, &first, 200, HIDDEN_29).progress;
    assert_holds(send_request(tg, &first).body, "hand: crane");
    assert_holds(send_request(tg, &second).body, "hand: moon");
}

static void vanished_probe_is_sent_anew(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = whisper("hand: crane");
    send_request(tg, &out);
    out.progress = receipt_of(tg, &out, 200, HIDDEN_29).progress;
    struct receipt r = receipt_of(tg, &out, 400, NO(400, "Bad Request: message to edit not found"));
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    assert_is(send_request(tg, &out).what, "sendMessage");
    assert_holds(send_request(tg, &out).body, "hand: crane");
}

/* Telegram may refuse to turn a hidden text into a picture, in words that we do not know. */
static void hand_that_cannot_replace_the_probe_is_sent_anew(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = whisper("hand: crane");
    out.picture_bytes = STR("\x89PNG...");
    send_request(tg, &out);
    out.progress = receipt_of(tg, &out, 200, HIDDEN_29).progress;
    assert_is(send_request(tg, &out).what, "editEphemeralMessageMedia");
    struct receipt r = receipt_of(tg, &out, 400, NO(400, "Bad Request: MESSAGE_TYPE_STRANGE"));
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    assert_sends(tg, out, "deleteEphemeralMessage",
                 "{\"chat_id\":-1001234567890,\"receiver_user_id\":11,"
                 "\"ephemeral_message_id\":29}");
    assert_int_equal(receipt_of(tg, &out, 500, "{}").kind, LATER);
    r = receipt_of(tg, &out, 200, "{\"ok\":true,\"result\":true}");
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    struct request anew = send_request(tg, &out);
    assert_is(anew.what, "sendPhoto");
    assert_part(anew.parts[1], "ephemeral_message_parameters",
                "{\"receiver_user_id\":11,\"callback_query_id\":\"9\"}");
    r = receipt_of(tg, &out, 400, NO(400, "Bad Request: PHOTO_INVALID_DIMENSIONS"));
    assert_int_equal(r.kind, MORE); /* in words, then */
    out.progress = r.progress;
    assert_holds(send_request(tg, &out).body, "hand: crane");
    assert_int_equal(receipt_of(tg, &out, 200, HIDDEN_29).kind, SENT);
}

static void back_that_cannot_be_deleted_holds_up_no_hand(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = whisper("hand: crane");
    send_request(tg, &out);
    out.progress = receipt_of(tg, &out, 200, HIDDEN_29).progress;
    out.progress = receipt_of(tg, &out, 403, NO(403, "Forbidden: of some kind")).progress;
    out.progress = receipt_of(tg, &out, 400, NO(400, "Bad Request: of some kind")).progress;
    assert_is(send_request(tg, &out).what, "sendMessage");
    assert_holds(send_request(tg, &out).body, "hand: crane");
}

static void exposed_message_starts_a_new_probe(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = whisper("hand: crane");
    confirm_ephemeral(tg);
    send_request(tg, &out);
    out.progress = receipt_of(tg, &out, 200, SENT_41).progress;
    assert_sends(tg, out, "deleteMessage", "{\"chat_id\":-1001234567890,\"message_id\":41}");
    out = whisper("hand: moon");
    assert_holds(send_request(tg, &out).body, "\"text\":\"" BACK "\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(first_ephemeral_message_is_a_probe),
        RUNNING(server_without_ephemeral_messages_sees_no_hand),
        RUNNING(failed_retraction_sends_no_hand),
        RUNNING(other_rows_wait_for_the_probe),
        RUNNING(vanished_probe_is_sent_anew),
        RUNNING(hand_that_cannot_replace_the_probe_is_sent_anew),
        RUNNING(back_that_cannot_be_deleted_holds_up_no_hand),
        RUNNING(exposed_message_starts_a_new_probe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
