/* What Telegram answers, and what becomes of a message by it. */
#include "adapters/telegram_line.h"

static void what_was_sent_has_a_post(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("board");
    struct receipt r = became(l, &out, 200, SENT_41);
    assert_int_equal(r.kind, SENT);
    is(r.post, "41");
    r = became(l, &out, 200,
               "{\"ok\":true,\"result\":{\"message_id\":42,\"photo\":[{\"file_id\":\"small\"},{"
               "\"file_id\":"
               "\"large\"}],\"caption\":\"x\"}}");
    is(r.post, "42p");
    is(r.picture_file, "large");
    out.where = TO_WHISPER;
    out.to = STR("11");
    proves_to_hide(l);
    r = became(
        l, &out, 200,
        "{\"ok\":true,\"result\":{\"message_id\":0,\"ephemeral_message_id\":29,\"text\":\"x\"}}");
    is(r.post, "e29");
    out.where = TO_DIRECT;
    r = became(l, &out, 200, SENT_41);
    is(r.direct_chat, "11");
}

static void an_answer_cut_short_was_sent_all_the_same(void **state)
{
    struct outgoing out = post("board");
    struct receipt r =
        became(*state, &out, 200, "{\"ok\":true,\"result\":{\"message_id\":41,\"chat\":{\"id\":-");
    assert_int_equal(r.kind, SENT);
    is(r.post, "41");
}

static void a_hidden_edit_keeps_its_post(void **state)
{
    struct outgoing out = post("hand");
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.post = STR("e29");
    struct receipt r = became(*state, &out, 200, "{\"ok\":true,\"result\":true}");
    assert_int_equal(r.kind, SENT);
    is(r.post, "e29");
    out.picture_file = STR("AgAC");
    out.post = STR("e29p");
    is(became(*state, &out, 200, "{\"ok\":true,\"result\":true}").post, "e29p");
}

static void each_refusal_has_its_meaning(void **state)
{
    static const struct {
        int status;
        const char *body;
        enum receipt_kind kind;
        enum never_why why;
    } cases[] = {
        {400, NO(400, "Bad Request: message to edit not found"), NEVER, NEVER_GONE},
        {400, NO(400, "Bad Request: message can't be edited"), NEVER, NEVER_GONE},
        {400,
         NO(400, "Bad Request: message is not modified: specified new message content and reply "
                 "markup are "
                 "exactly the same as a current content and reply markup of the message"),
         SENT, NEVER_OTHER},
        {400, NO(400, "Bad Request: chat not found"), NEVER, NEVER_UNREACHABLE},
        {400, NO(400, "Bad Request: not enough rights to send text messages to the chat"), NEVER,
         NEVER_UNREACHABLE},
        {400, NO(400, "Bad Request: something new"), NEVER, NEVER_OTHER},
        {403, NO(403, "Forbidden: bot was blocked by the user"), NEVER, NEVER_UNREACHABLE},
        {403, NO(403, "Forbidden: user is deactivated"), NEVER, NEVER_UNREACHABLE},
        {403, NO(403, "Forbidden: bot was kicked from the supergroup chat"), NEVER,
         NEVER_UNREACHABLE},
        {403, NO(403, "Forbidden: bot can't initiate conversation with a user"), NEVER,
         NEVER_UNREACHABLE},
        {403, NO(403, "Forbidden: bot is not a member of the group chat"), NEVER,
         NEVER_UNREACHABLE},
        {400, NO(400, "Bad Request: message thread not found"), NEVER, NEVER_UNREACHABLE},
        {421, NO(421, "Misdirected Request"), LATER, NEVER_OTHER},
        {500, NO(500, "Internal Server Error: restart"), LATER, NEVER_OTHER},
        {502, "<html>Bad Gateway</html>", LATER, NEVER_OTHER},
        {0, "", LATER, NEVER_OTHER},
    };
    struct outgoing out = post("board");
    out.post = STR("41");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct receipt r = became(*state, &out, cases[i].status, cases[i].body);
        if (r.kind != cases[i].kind || (r.kind == NEVER && r.why != cases[i].why))
            fail_msg("%s became %d, %d", cases[i].body, r.kind, r.why);
        if (r.kind == SENT)
            is(r.post, "41");
    }
}

static void a_moved_chat_says_where(void **state)
{
    struct outgoing out = post("board");
    struct receipt r = became(*state, &out, 400,
                              "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: "
                              "group chat was upgraded to a supergroup chat\","
                              "\"parameters\":{\"migrate_to_chat_id\":-1009876543210}}");
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_MOVED);
    is(r.chat, "-1009876543210");
}

static void a_limit_holds_the_chat_or_everything(void **state)
{
    static const char body[] =
        "{\"ok\":false,\"error_code\":429,\"description\":\"Too Many Requests: retry after 3\","
        "\"parameters\":{\"retry_after\":3}}";
    struct outgoing out = post("board");
    struct receipt r = became(*state, &out, 429, body);
    assert_int_equal(r.kind, LATER);
    assert_int_equal(r.wait_ms, 3000);
    assert_false(r.all_chats);
    struct reply header = {.status = 429, .body = STR("<html>"), .retry_after_ms = 9000};
    T->receipt(((struct line *)*state)->account, ((struct line *)*state)->a, &out, &header, &r);
    assert_int_equal(r.wait_ms, 9000);
    out = (struct outgoing){.kind = OUT_ANSWER, .press = STR("q9"), .text = STR("x")};
    assert_true(became(*state, &out, 429, body).all_chats);
}

static void a_press_too_old_to_answer(void **state)
{
    static const char old[] = NO(
        400, "Bad Request: query is too old and response timeout expired or query ID is invalid");
    struct outgoing out = {.kind = OUT_ANSWER, .press = STR("q9"), .text = STR("x")};
    struct receipt r = became(*state, &out, 400, old);
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_LATE);
    out = post("hand"); /* the hand itself has to go another way then */
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.press = STR("q9");
    assert_int_equal(became(*state, &out, 400, old).why, NEVER_UNREACHABLE);
    assert_int_equal(became(*state, &out, 400, NO(400, "Bad Request: BOT_NOT_ADMIN")).why,
                     NEVER_UNREACHABLE);
}

static void what_is_erased_already_is_erased(void **state)
{
    struct outgoing out = {.kind = OUT_ERASE, .chat = STR("-5"), .post = STR("41")};
    assert_int_equal(
        became(*state, &out, 400, NO(400, "Bad Request: message to delete not found")).kind, SENT);
}

/* ---- several steps ---- */

/* What it became is not the end: there is one more thing to say. */
static struct receipt goes_on(struct line *l, struct outgoing *out, int status, const char *body)
{
    struct receipt r = became(l, out, status, body);
    if (r.kind != MORE)
        fail_msg("%s became %d", body, r.kind);
    out->progress = r.progress;
    return r;
}

static void is_sent(struct line *l, const struct outgoing *out)
{
    struct receipt r = became(l, out, 200, SENT_41);
    assert_int_equal(r.kind, SENT);
    is(r.post, "41");
}

static void a_picture_that_is_refused_gives_way_to_the_text(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("board");
    out.picture_bytes = STR("\x89PNG...");
    out.picture_file = STR("AgAC");
    struct receipt r =
        goes_on(l, &out, 400, NO(400, "Bad Request: wrong file identifier/HTTP URL specified"));
    assert_true(r.picture_refused);
    out.picture_file = STR("");                 /* forgotten */
    assert_int_equal(said(l, &out).n_parts, 5); /* the bytes instead */
    goes_on(l, &out, 400, NO(400, "Bad Request: PHOTO_INVALID_DIMENSIONS"));
    is(said(l, &out).what, "sendMessage");
    is_sent(l, &out);
}

static void whatever_is_wrong_with_a_picture_the_board_is_said(void **state)
{
    static const struct {
        int status;
        const char *why;
    } cases[] = {{400, "Bad Request: file is too big"},
                 {413, "Request Entity Too Large"},
                 {400, "Bad Request: IMAGE_PROCESS_FAILED"},
                 {400, "Bad Request: PHOTO_INVALID_DIMENSIONS"},
                 {400, "Bad Request: FILE_REFERENCE_EXPIRED"},
                 {400, "Bad Request: not enough rights to send photos to the chat"},
                 {400, "Bad Request: message caption is too long"}};
    struct line *l = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outgoing out = post("board");
        out.picture_bytes = STR("\x89PNG...");
        goes_on(l, &out, cases[i].status,
                arena_print(l->a, "{\"ok\":false,\"error_code\":%d,\"description\":\"%s\"}",
                            cases[i].status, cases[i].why)
                    .p);
        is(said(l, &out).what, "sendMessage");
    }
}

static void a_text_takes_the_place_of_a_picture_in_two_steps(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("board");
    out.post = STR("40p");
    is(said(l, &out).what, "deleteMessage");
    goes_on(l, &out, 200, "{\"ok\":true,\"result\":true}");
    is(said(l, &out).what, "sendMessage");
    is_sent(l, &out);
}

static void a_formatting_it_does_not_know_is_left_out(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("\001board\007 <x>");
    goes_on(l, &out, 400, NO(400, "Bad Request: can't parse entities: Unsupported start tag"));
    says(l, out, "sendMessage",
         "{\"chat_id\":-1001234567890,\"text\":\"board <x>\"" NO_PREVIEW "}");
}

static void a_formatting_refused_twice_is_left_out_where_a_picture_stood(void **state)
{
    static const char unread[] =
        NO(400, "Bad Request: can't parse entities: Unsupported start tag");
    struct line *l = *state;
    struct outgoing out = post("\001board\007");
    out.post = STR("40p");
    out.progress = became(l, &out, 200, "{\"ok\":true,\"result\":true}").progress;
    out.progress = became(l, &out, 400, unread).progress;
    says(l, out, "sendMessage", "{\"chat_id\":-1001234567890,\"text\":\"board\"" NO_PREVIEW "}");
    assert_int_equal(became(l, &out, 200, SENT_41).kind, SENT);
}

static void a_server_without_the_call_for_pictures_gets_the_text(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("board");
    out.post = STR("41");
    out.picture_file = STR("AgAC");
    out.picture_bytes = STR("\x89PNG...");
    goes_on(l, &out, 404, NO(404, "Not Found: method not found"));
    is(said(l, &out).what, "editMessageText");
    is_sent(l, &out);
}

static void what_only_replaces_says_nothing_where_nothing_stands(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("gone");
    struct receipt r = {0};
    struct reply none_needed = {.retry_after_ms = -1};
    out.replace_only = true;
    assert_int_equal(said(l, &out).kind, REQUEST_NONE);
    T->receipt(l->account, l->a, &out, &none_needed, &r);
    assert_int_equal(r.kind, SENT);
}

/* A refusal is Telegram's only in the words of the Bot API. What a gate in between says (a proxy, a
 * page to log in, a firewall) is weather: nothing is given up for it. */
static const struct {
    int status;
    const char *body;
} gates[] = {
    {301, ""},
    {302, "<html>Found</html>"},
    {307, "{\"location\": \"elsewhere\""},
    {403, "<html><h1>403 Forbidden</h1></html>"},
    {403, ""},
    {407, "Proxy Authentication Required"},
    {408, ""},
    {401, "<html>401 Authorization Required</html>"},
    {200, "<html>Welcome to our network: log in</html>"},
    {200, ""},
};

static void a_gate_in_between_refuses_nothing_for_good(void **state)
{
    struct line *l = *state;
    struct outgoing board = post("board"), hand = whisper("hand");
    proves_to_hide(l);
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
        struct receipt r = became(l, &board, gates[i].status, gates[i].body);
        struct receipt s = became(l, &hand, gates[i].status, gates[i].body);
        if (r.kind != LATER || s.kind != LATER || r.note.n == 0)
            fail_msg("%d %s became %d, %d", gates[i].status, gates[i].body, r.kind, s.kind);
    }
}

static void a_gate_in_between_is_waited_for(void **state)
{
    struct line *l = *state;
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
        struct batch b;
        struct err err;
        struct reply reply = replied(gates[i].status, gates[i].body);
        asked(l, "7");
        assert_false(T->read(l->account, l->a, &reply, &b, &err));
        assert_false(b.fatal);
        assert_true(b.wait_ms >= 500);
    }
    holds(asked(l, "7").body, "{\"offset\":7,");
}

static void a_refusal_under_a_good_status_is_one(void **state)
{
    struct line *l = *state;
    struct outgoing out = post("board");
    struct receipt r =
        became(l, &out, 200, NO(403, "Forbidden: bot was kicked from the supergroup chat"));
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
    r = became(l, &out, 200,
               "{\"ok\": false, \"error_code\": 429, \"description\": \"Too Many Requests: retry "
               "after 3\", \"parameters\": {\"retry_after\": 3}}");
    assert_int_equal(r.kind, LATER);
    assert_int_equal(r.wait_ms, 3000);
    assert_int_equal(became(l, &out, 200, NO(500, "Internal Server Error")).kind, LATER);
    assert_int_equal(became(l, &out, 200, "{\"ok\":false}").kind, LATER);
    struct batch b;
    struct err err;
    struct reply reply = replied(200, NO(401, "Unauthorized"));
    asked(l, "7");
    assert_false(T->read(l->account, l->a, &reply, &b, &err));
    assert_true(b.fatal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(what_was_sent_has_a_post),
        RUNNING(an_answer_cut_short_was_sent_all_the_same),
        RUNNING(a_hidden_edit_keeps_its_post),
        RUNNING(each_refusal_has_its_meaning),
        RUNNING(a_moved_chat_says_where),
        RUNNING(a_limit_holds_the_chat_or_everything),
        RUNNING(a_press_too_old_to_answer),
        RUNNING(what_is_erased_already_is_erased),
        RUNNING(a_picture_that_is_refused_gives_way_to_the_text),
        RUNNING(whatever_is_wrong_with_a_picture_the_board_is_said),
        RUNNING(a_text_takes_the_place_of_a_picture_in_two_steps),
        RUNNING(a_formatting_it_does_not_know_is_left_out),
        RUNNING(a_formatting_refused_twice_is_left_out_where_a_picture_stood),
        RUNNING(a_server_without_the_call_for_pictures_gets_the_text),
        RUNNING(what_only_replaces_says_nothing_where_nothing_stands),
        RUNNING(a_gate_in_between_refuses_nothing_for_good),
        RUNNING(a_gate_in_between_is_waited_for),
        RUNNING(a_refusal_under_a_good_status_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
