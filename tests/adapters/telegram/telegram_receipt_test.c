/* Answers of Telegram as receipts. */
#include "adapters/telegram/telegram_exchange.h"

static void sent_message_has_a_post_id(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = post("board");
    struct receipt r = receipt_of(tg, &out, 200, SENT_41);
    assert_int_equal(r.kind, SENT);
    assert_is(r.post, "41");
    r = receipt_of(tg, &out, 200,
                   "{\"ok\":true,\"result\":{\"message_id\":42,\"photo\":[{\"file_id\":\"small\"},{"
                   "\"file_id\":"
                   "\"large\"}],\"caption\":\"x\"}}");
    assert_is(r.post, "42p");
    assert_is(r.picture_file, "large");
    out.where = TO_WHISPER;
    out.to = STR("11");
    confirm_ephemeral(tg);
    r = receipt_of(
        tg, &out, 200,
        "{\"ok\":true,\"result\":{\"message_id\":0,\"ephemeral_message_id\":29,\"text\":\"x\"}}");
    assert_is(r.post, "e29");
    out.where = TO_DIRECT;
    r = receipt_of(tg, &out, 200, SENT_41);
    assert_is(r.direct_chat, "11");
}

static void truncated_ok_counts_as_sent(void **state)
{
    struct outgoing out = post("board");
    struct receipt r = receipt_of(*state, &out, 200,
                                  "{\"ok\":true,\"result\":{\"message_id\":41,\"chat\":{\"id\":-");
    assert_int_equal(r.kind, SENT);
    assert_is(r.post, "41");
}

static void ephemeral_edit_keeps_its_post_id(void **state)
{
    struct outgoing out = post("hand");
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.post = STR("e29");
    struct receipt r = receipt_of(*state, &out, 200, "{\"ok\":true,\"result\":true}");
    assert_int_equal(r.kind, SENT);
    assert_is(r.post, "e29");
    out.picture_file = STR("AgAC");
    out.post = STR("e29p");
    assert_is(receipt_of(*state, &out, 200, "{\"ok\":true,\"result\":true}").post, "e29p");
}

static void meaning_of_each_refusal(void **state)
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
        {413, NO(413, "Request Entity Too Large"), NEVER,
         NEVER_OTHER}, /* no picture to leave out */
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
        struct receipt r = receipt_of(*state, &out, cases[i].status, cases[i].body);
        if (r.kind != cases[i].kind || (r.kind == NEVER && r.why != cases[i].why))
            fail_msg("%s became %d, %d", cases[i].body, r.kind, r.why);
        if (r.kind == SENT)
            assert_is(r.post, "41");
    }
}

static void migrated_chat_names_its_successor(void **state)
{
    struct outgoing out = post("board");
    struct receipt r = receipt_of(*state, &out, 400,
                                  "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: "
                                  "group chat was upgraded to a supergroup chat\","
                                  "\"parameters\":{\"migrate_to_chat_id\":-1009876543210}}");
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_MOVED);
    assert_is(r.chat, "-1009876543210");
}

static void rate_limit_pauses_the_chat_or_the_account(void **state)
{
    static const char body[] =
        "{\"ok\":false,\"error_code\":429,\"description\":\"Too Many Requests: retry after 3\","
        "\"parameters\":{\"retry_after\":3}}";
    struct outgoing out = post("board");
    struct receipt r = receipt_of(*state, &out, 429, body);
    assert_int_equal(r.kind, LATER);
    assert_int_equal(r.wait_ms, 3000);
    assert_false(r.all_chats);
    struct reply header = {.status = 429, .body = STR("<html>"), .retry_after_ms = 9000};
    T->receipt(((struct tg_exchange *)*state)->account, ((struct tg_exchange *)*state)->a, &out,
               &header, &r);
    assert_int_equal(r.wait_ms, 9000);
    out = (struct outgoing){.kind = OUT_ANSWER, .press = STR("q9"), .text = STR("x")};
    assert_true(receipt_of(*state, &out, 429, body).all_chats);
    out = post("board"); /* a pause without a time: a second */
    assert_int_equal(receipt_of(*state, &out, 429, NO(429, "Too Many Requests")).wait_ms, 1000);
}

/* A whisper that is refused for a reason of any kind goes another way. */
static void unknown_refusal_of_a_whisper_is_unreachable(void **state)
{
    struct tg_exchange *tg = *state;
    confirm_ephemeral(tg);
    struct outgoing out = whisper("hand"), board = post("board");
    send_request(tg, &out);
    struct receipt r = receipt_of(tg, &out, 400, NO(400, "Bad Request: SOMETHING_NEW"));
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
    assert_int_equal(receipt_of(tg, &board, 400, NO(400, "Bad Request: SOMETHING_NEW")).why,
                     NEVER_OTHER);
}

/* A send that meets a revoked token waits: the next poll ends the account. */
static void refused_token_pauses_all_sends(void **state)
{
    struct outgoing out = post("board");
    struct receipt r = receipt_of(*state, &out, 401, NO(401, "Unauthorized"));
    assert_int_equal(r.kind, LATER);
    assert_true(r.all_chats);
    assert_true(r.wait_ms >= 60000);
}

static void expired_press(void **state)
{
    static const char old[] = NO(
        400, "Bad Request: query is too old and response timeout expired or query ID is invalid");
    struct outgoing out = {.kind = OUT_ANSWER, .press = STR("q9"), .text = STR("x")};
    struct receipt r = receipt_of(*state, &out, 400, old);
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_LATE);
    out = post("hand"); /* then the hand itself goes another way */
    out.where = TO_WHISPER;
    out.to = STR("11");
    out.press = STR("q9");
    assert_int_equal(receipt_of(*state, &out, 400, old).why, NEVER_UNREACHABLE);
    assert_int_equal(receipt_of(*state, &out, 400, NO(400, "Bad Request: BOT_NOT_ADMIN")).why,
                     NEVER_UNREACHABLE);
}

static void erasing_twice_succeeds(void **state)
{
    struct outgoing out = {.kind = OUT_ERASE, .chat = STR("-5"), .post = STR("41")};
    assert_int_equal(
        receipt_of(*state, &out, 400, NO(400, "Bad Request: message to delete not found")).kind,
        SENT);
}

/* ---- several steps ---- */

/* The receipt is MORE, with this progress. */
static struct receipt goes_on(struct tg_exchange *tg, struct outgoing *out, int status,
                              const char *body)
{
    struct receipt r = receipt_of(tg, out, status, body);
    if (r.kind != MORE)
        fail_msg("%s became %d", body, r.kind);
    out->progress = r.progress;
    return r;
}

static void is_sent(struct tg_exchange *tg, const struct outgoing *out)
{
    struct receipt r = receipt_of(tg, out, 200, SENT_41);
    assert_int_equal(r.kind, SENT);
    assert_is(r.post, "41");
}

static void refused_picture_falls_back_to_text(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = post("board");
    out.picture_bytes = STR("\x89PNG...");
    out.picture_file = STR("AgAC");
    struct receipt r =
        goes_on(tg, &out, 400, NO(400, "Bad Request: wrong file identifier/HTTP URL specified"));
    assert_true(r.picture_refused);
    out.picture_file = STR("");                          /* the server forgot the file */
    assert_int_equal(send_request(tg, &out).n_parts, 5); /* the bytes instead */
    goes_on(tg, &out, 400, NO(400, "Bad Request: PHOTO_INVALID_DIMENSIONS"));
    assert_is(send_request(tg, &out).what, "sendMessage");
    is_sent(tg, &out);
}

static void every_picture_error_falls_back_to_text(void **state)
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
    struct tg_exchange *tg = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct outgoing out = post("board");
        out.picture_bytes = STR("\x89PNG...");
        goes_on(tg, &out, cases[i].status,
                arena_print(tg->a, "{\"ok\":false,\"error_code\":%d,\"description\":\"%s\"}",
                            cases[i].status, cases[i].why)
                    .p);
        assert_is(send_request(tg, &out).what, "sendMessage");
    }
}

static void text_replaces_a_picture_in_two_steps(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = post("board");
    out.post = STR("40p");
    assert_is(send_request(tg, &out).what, "deleteMessage");
    goes_on(tg, &out, 200, "{\"ok\":true,\"result\":true}");
    assert_is(send_request(tg, &out).what, "sendMessage");
    is_sent(tg, &out);
}

static void refused_formatting_falls_back_to_plain(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = post("\001board\007 <x>");
    goes_on(tg, &out, 400, NO(400, "Bad Request: can't parse entities: Unsupported start tag"));
    assert_sends(tg, out, "sendMessage",
                 "{\"chat_id\":-1001234567890,\"text\":\"board <x>\"" NO_PREVIEW "}");
}

static void refused_formatting_after_an_erased_picture(void **state)
{
    static const char unread[] =
        NO(400, "Bad Request: can't parse entities: Unsupported start tag");
    struct tg_exchange *tg = *state;
    struct outgoing out = post("\001board\007");
    out.post = STR("40p");
    out.progress = receipt_of(tg, &out, 200, "{\"ok\":true,\"result\":true}").progress;
    out.progress = receipt_of(tg, &out, 400, unread).progress;
    assert_sends(tg, out, "sendMessage",
                 "{\"chat_id\":-1001234567890,\"text\":\"board\"" NO_PREVIEW "}");
    assert_int_equal(receipt_of(tg, &out, 200, SENT_41).kind, SENT);
}

static void server_without_send_photo_gets_text(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = post("board");
    out.post = STR("41");
    out.picture_file = STR("AgAC");
    out.picture_bytes = STR("\x89PNG...");
    goes_on(tg, &out, 404, NO(404, "Not Found: method not found"));
    assert_is(send_request(tg, &out).what, "editMessageText");
    is_sent(tg, &out);
}

static void replace_only_without_a_message_is_done(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = post("gone");
    struct receipt r = {0};
    struct reply none_needed = {.retry_after_ms = -1};
    out.replace_only = true;
    assert_int_equal(send_request(tg, &out).kind, REQUEST_NONE);
    T->receipt(tg->account, tg->a, &out, &none_needed, &r);
    assert_int_equal(r.kind, SENT);
}

/* Only a refusal in the form of the Bot API is Telegram's. One from a gate in between (a proxy, a
 * login page, a firewall) is transient. */
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

static void proxy_refusals_are_transient_for_sends(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing board = post("board"), hand = whisper("hand");
    confirm_ephemeral(tg);
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
        struct receipt r = receipt_of(tg, &board, gates[i].status, gates[i].body);
        struct receipt s = receipt_of(tg, &hand, gates[i].status, gates[i].body);
        if (r.kind != LATER || s.kind != LATER || r.note.n == 0)
            fail_msg("%d %s became %d, %d", gates[i].status, gates[i].body, r.kind, s.kind);
    }
}

static void proxy_refusals_are_transient_for_polls(void **state)
{
    struct tg_exchange *tg = *state;
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
        struct batch b;
        struct err err;
        struct reply reply = reply_of(gates[i].status, gates[i].body);
        poll_request(tg, "7");
        assert_false(T->read(tg->account, tg->a, &reply, &b, &err));
        assert_false(b.fatal);
        assert_true(b.wait_ms >= 500);
    }
    assert_holds(poll_request(tg, "7").body, "{\"offset\":7,");
}

static void refusal_with_status_200(void **state)
{
    struct tg_exchange *tg = *state;
    struct outgoing out = post("board");
    struct receipt r =
        receipt_of(tg, &out, 200, NO(403, "Forbidden: bot was kicked from the supergroup chat"));
    assert_int_equal(r.kind, NEVER);
    assert_int_equal(r.why, NEVER_UNREACHABLE);
    r = receipt_of(
        tg, &out, 200,
        "{\"ok\": false, \"error_code\": 429, \"description\": \"Too Many Requests: retry "
        "after 3\", \"parameters\": {\"retry_after\": 3}}");
    assert_int_equal(r.kind, LATER);
    assert_int_equal(r.wait_ms, 3000);
    assert_int_equal(receipt_of(tg, &out, 200, NO(500, "Internal Server Error")).kind, LATER);
    assert_int_equal(receipt_of(tg, &out, 200, "{\"ok\":false}").kind, LATER);
    struct batch b;
    struct err err;
    struct reply reply = reply_of(200, NO(401, "Unauthorized"));
    poll_request(tg, "7");
    assert_false(T->read(tg->account, tg->a, &reply, &b, &err));
    assert_true(b.fatal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(sent_message_has_a_post_id),
        RUNNING(truncated_ok_counts_as_sent),
        RUNNING(ephemeral_edit_keeps_its_post_id),
        RUNNING(meaning_of_each_refusal),
        RUNNING(migrated_chat_names_its_successor),
        RUNNING(rate_limit_pauses_the_chat_or_the_account),
        RUNNING(refused_token_pauses_all_sends),
        RUNNING(unknown_refusal_of_a_whisper_is_unreachable),
        RUNNING(expired_press),
        RUNNING(erasing_twice_succeeds),
        RUNNING(refused_picture_falls_back_to_text),
        RUNNING(every_picture_error_falls_back_to_text),
        RUNNING(text_replaces_a_picture_in_two_steps),
        RUNNING(refused_formatting_falls_back_to_plain),
        RUNNING(refused_formatting_after_an_erased_picture),
        RUNNING(server_without_send_photo_gets_text),
        RUNNING(replace_only_without_a_message_is_done),
        RUNNING(proxy_refusals_are_transient_for_sends),
        RUNNING(proxy_refusals_are_transient_for_polls),
        RUNNING(refusal_with_status_200),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
