/* A message for one person alone is never shown to all, whatever the server knows of such
 * things. */
#include "adapters/telegram_line.h"

#define BACK "\xf0\x9f\x8e\xb4"

static void the_first_hidden_message_goes_ahead_without_its_words(void **state)
{
    struct line *l = *state;
    struct button move = {.label = STR("1 crane"), .data = STR("p1.0.0.x")};
    struct outgoing out = whisper("hand: crane");
    out.picture_bytes = STR("\x89PNG...");
    out.buttons = &move;
    out.n_buttons = 1;
    says(l, out, "sendMessage",
         "{\"chat_id\":-1001234567890,\"ephemeral_message_parameters\":{\"receiver_user_id\":11,"
         "\"callback_query_id\":\"9\"},\"text\":\"" BACK "\",\"parse_mode\":\"HTML\"" NO_PREVIEW
         "}");
    struct receipt r = became(l, &out, 200, HIDDEN_29);
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    struct request then = said(l, &out);
    is(then.what, "editEphemeralMessageMedia");
    part_is(then.parts[2], "ephemeral_message_id", "29");
    r = became(l, &out, 400, NO(400, "Bad Request: IMAGE_PROCESS_FAILED"));
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    is(said(l, &out).what, "editEphemeralMessageText");
    holds(said(l, &out).body, "\"ephemeral_message_id\":29,\"text\":\"hand: crane\"");
    holds(said(l, &out).body, "1 crane");
    r = became(l, &out, 200, "{\"ok\":true,\"result\":true}");
    assert_int_equal(r.kind, SENT);
    is(r.post, "e29");
    out = whisper("hand: curtain"); /* from now on it is known */
    holds(said(l, &out).body, "hand: curtain");
}

static void a_server_that_hides_nothing_shows_a_back_and_no_hand(void **state)
{
    struct line *l = *state;
    struct outgoing out = whisper("hand: crane");
    assert_true(T->can_in(l->account, out.chat, T->can) & CAN_WHISPER);
    said(l, &out);
    struct receipt r = became(l, &out, 200, SENT_41);
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    says(l, out, "deleteMessage", "{\"chat_id\":-1001234567890,\"message_id\":41}");
    assert_int_equal(became(l, &out, 500, "{}").kind, LATER);
    says(l, out, "deleteMessage", "{\"chat_id\":-1001234567890,\"message_id\":41}");
    r = became(l, &out, 200, "{\"ok\":true,\"result\":true}");
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
    assert_false(T->can_in(l->account, out.chat, T->can) & CAN_WHISPER);
    out = whisper("hand: curtain"); /* and nothing is tried again */
    assert_int_equal(said(l, &out).kind, REQUEST_NONE);
    assert_int_equal(became(l, &out, 0, "").why, NEVER_UNREACHABLE);
    struct outgoing unseen = {.kind = OUT_ANSWER,
                              .chat = STR("-5"),
                              .to = STR("11"),
                              .press = STR("e345"),
                              .text = STR("hand: moon")};
    assert_int_equal(said(l, &unseen).kind, REQUEST_NONE);
    assert_int_equal(became(l, &unseen, 0, "").why, NEVER_UNREACHABLE);
}

static void what_cannot_be_taken_back_is_no_hand_either(void **state)
{
    struct line *l = *state;
    struct outgoing out = whisper("hand: crane");
    said(l, &out);
    out.progress = became(l, &out, 200, SENT_41).progress;
    assert_int_equal(became(l, &out, 400, NO(400, "Bad Request: message can't be deleted")).why,
                     NEVER_UNREACHABLE);
}

static void while_it_is_tried_others_wait(void **state)
{
    struct line *l = *state;
    struct outgoing first = whisper("hand: crane"), second = whisper("hand: moon");
    second.row = 2;
    said(l, &first);
    assert_int_equal(said(l, &second).kind, REQUEST_NONE);
    assert_int_equal(became(l, &second, 0, "").kind, LATER);
    assert_int_equal(became(l, &first, 0, "").kind,
                     LATER); /* no answer: whoever comes next tries */
    holds(said(l, &second).body, "\"text\":\"" BACK "\"");
    assert_int_equal(became(l, &second, 400, NO(400, "Bad Request: BOT_NOT_ADMIN")).why,
                     NEVER_UNREACHABLE);
    holds(said(l, &first).body, "\"text\":\"" BACK "\"");
    first.progress = became(l, &first, 200, HIDDEN_29).progress;
    holds(said(l, &first).body, "hand: crane");
    holds(said(l, &second).body, "hand: moon");
}

static void what_went_ahead_and_vanished_is_said_at_once(void **state)
{
    struct line *l = *state;
    struct outgoing out = whisper("hand: crane");
    said(l, &out);
    out.progress = became(l, &out, 200, HIDDEN_29).progress;
    struct receipt r = became(l, &out, 400, NO(400, "Bad Request: message to edit not found"));
    assert_int_equal(r.kind, MORE);
    out.progress = r.progress;
    is(said(l, &out).what, "sendMessage");
    holds(said(l, &out).body, "hand: crane");
}

static void another_server_in_mid_run_is_found_out(void **state)
{
    struct line *l = *state;
    struct outgoing out = whisper("hand: crane");
    proves_to_hide(l);
    said(l, &out);
    out.progress = became(l, &out, 200, SENT_41).progress;
    says(l, out, "deleteMessage", "{\"chat_id\":-1001234567890,\"message_id\":41}");
    out = whisper("hand: moon");
    holds(said(l, &out).body, "\"text\":\"" BACK "\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(the_first_hidden_message_goes_ahead_without_its_words),
        RUNNING(a_server_that_hides_nothing_shows_a_back_and_no_hand),
        RUNNING(what_cannot_be_taken_back_is_no_hand_either),
        RUNNING(while_it_is_tried_others_wait),
        RUNNING(what_went_ahead_and_vanished_is_said_at_once),
        RUNNING(another_server_in_mid_run_is_found_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
