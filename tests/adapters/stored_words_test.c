/* What Telegram's server once named, and we keep: messages, pictures, topics, chats. A server that
 * was put back from a backup, or another one that the bot has moved to, may not know it any more, and
 * says so in one of many ways. Each stored word is refused in each of them, wherever it stands in a
 * request: then the message arrives without the word, or, if the word is the place itself, takes the
 * next way; and the next message does not bring the word again.
 *
 * The rest of the stored words is in telegram/poll.exchange (cursor, our own name) and in
 * telegram/ephemeral.exchange (what a server can do). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "adapters/account.h"

extern const struct adapter telegram_adapter;

#define GROUP "-1001234567890"
#define POST  "\"message_id\":41"

/* Letters of `of`: which refusals a word may meet. */
static const struct refused {
    const char *of;
    int code;
    const char *why;
} refusals[] = {
    {"m", 400, "Bad Request: message to edit not found"},
    {"m", 400, "Bad Request: message can't be edited"},
    {"m", 400, "Bad Request: message to delete not found"},
    {"m", 400, "Bad Request: message can't be deleted for everyone"},
    {"m", 400, "Bad Request: there is no text in the message to edit"},
    {"m", 400, "Bad Request: MESSAGE_EDIT_TIME_EXPIRED"},
    {"m", 403, "Forbidden: MESSAGE_AUTHOR_REQUIRED"},
    {"mr", 400, "Bad Request: MESSAGE_ID_INVALID"},
    {"r", 400, "Bad Request: message to be replied not found"},
    {"r", 400, "Bad Request: REPLY_MESSAGE_ID_INVALID"},
    {"f", 400, "Bad Request: wrong file identifier/HTTP URL specified"},
    {"f", 400, "Bad Request: wrong remote file identifier specified: can't unserialize it"},
    {"f", 400, "Bad Request: wrong file_id or the file is temporarily unavailable"},
    {"f", 400, "Bad Request: can't use file of type Document as Photo"},
    {"f", 400, "Bad Request: FILE_REFERENCE_EXPIRED"},
    {"f", 400, "Bad Request: MEDIA_EMPTY"},
    {"t", 400, "Bad Request: message thread not found"},
    {"t", 400, "Bad Request: TOPIC_DELETED"},
    {"t", 400, "Bad Request: TOPIC_CLOSED"},
    {"t", 400, "Bad Request: TOPIC_ID_INVALID"},
    {"t", 400, "Bad Request: the chat is not a forum"},
    {"cm", 400, "Bad Request: chat not found"},
    {"cm", 400, "Bad Request: PEER_ID_INVALID"},
    {"c", 400, "Bad Request: CHANNEL_PRIVATE"},
    {"c", 400, "Bad Request: not enough rights to send text messages to the chat"},
    {"c", 400, "Bad Request: need administrator rights in the channel chat"},
    {"cm", 403, "Forbidden: bot was kicked from the supergroup chat"},
    {"c", 403, "Forbidden: the group chat was deleted"},
    {"c", 403, "Forbidden: bot was blocked by the user"},
    {"c", 403, "Forbidden: user is deactivated"},
    {"mrf", 400, "Bad Request: SOMETHING_NEW"},
    {"mrf", 404, "Not Found"},
};

/* `word` as it stands in a request. */
static const struct stored {
    const char *name, *of, *word;
    struct outgoing out;
} words[] = {
#define WORD(name, of, word, ...)                                                                  \
    {                                                                                              \
        name, of, word,                                                                            \
        {                                                                                          \
            .text = {"board", 5}, .row = 2, __VA_ARGS__                                            \
        }                                                                                          \
    }
#define IS(field, text) .field = {text, sizeof text - 1}
#define HIDDEN          .where = TO_WHISPER, IS(chat, GROUP), IS(to, "11"), IS(press, "q9")
#define PRIVATE         .where = TO_DIRECT, IS(to, "11")
    WORD("a board", "m", POST, IS(chat, GROUP), IS(post, "41")),
    WORD("a board in a picture", "m", POST, IS(chat, GROUP), IS(post, "41p"),
         IS(picture_file, "AgAC")),
    WORD("a picture that a text replaces", "m", POST, IS(chat, GROUP), IS(post, "41p")),
    WORD("a hand in the group", "m", "\"ephemeral_message_id\":29", HIDDEN, IS(post, "e29")),
    WORD("a picture of it", "m", "\"ephemeral_message_id\":29", HIDDEN, IS(post, "e29p"),
         IS(picture_file, "AgAC")),
    WORD("a hand in private", "m", POST, PRIVATE, IS(post, "41")),
    WORD("a message to erase", "m", POST, .kind = OUT_ERASE, IS(chat, GROUP), IS(post, "41")),
    WORD("the message that is answered", "r", "\"message_id\":12", IS(chat, GROUP),
         IS(reply_to, "12")),
    WORD("a picture sent before", "f", "AgAC", IS(chat, GROUP), IS(picture_file, "AgAC")),
    WORD("a picture in an edit", "f", "AgAC", IS(chat, GROUP), IS(post, "41p"),
         IS(picture_file, "AgAC")),
    WORD("a picture in private", "f", "AgAC", PRIVATE, IS(picture_file, "AgAC")),
    WORD("a hidden picture", "f", "AgAC", HIDDEN, IS(picture_file, "AgAC")),
    WORD("a topic of a private chat", "t", "\"message_thread_id\":7", PRIVATE,
         IS(direct_chat, "11/7")),
    WORD("a match in such a topic", "t", "\"message_thread_id\":7", IS(chat, "11/7")),
    WORD("a topic of a group", "Tt", "\"message_thread_id\":7", IS(chat, GROUP "/7")),
    WORD("a group", "Tc", GROUP, IS(chat, GROUP)),
    WORD("a group with a board", "Tc", GROUP, IS(chat, GROUP), IS(post, "41")),
    WORD("a group with a picture", "Tc", GROUP, IS(chat, GROUP), IS(post, "41p")),
    WORD("a group for a hidden hand", "Tc", GROUP, HIDDEN),
    WORD("a private chat", "Tc", "\"chat_id\":11", PRIVATE),
};
enum { N_WORDS = sizeof words / sizeof *words, N_REFUSALS = sizeof refusals / sizeof *refusals };

static struct arena *process;
static void *account;

/* The whole request, a form's parts one after another. */
static struct str request_text(struct arena *a, const struct request *r)
{
    struct str all = r->body;
    for (int i = 0; i < r->n_parts; i++)
        all = arena_print(a, "%.*s\"%.*s\":%.*s,", STR_ARG(all), STR_ARG(r->parts[i].name),
                          STR_ARG(r->parts[i].bytes));
    return all;
}

static struct reply answer_to(struct arena *a, const struct request *r, const struct stored *w,
                              const struct refused *no)
{
    struct str said = request_text(a, r);
    struct reply reply = {.status = 200, .retry_after_ms = -1, .now = 1700000000000};
    if (w && memmem(said.p, said.n, w->word, strlen(w->word))) {
        reply.status = no->code;
        reply.body = arena_print(a, "{\"ok\":false,\"error_code\":%d,\"description\":\"%s\"}",
                                 no->code, no->why);
    } else if (memmem(said.p, said.n, "ephemeral_message_parameters", 28)) {
        reply.body = STR("{\"ok\":true,\"result\":{\"message_id\":0,\"ephemeral_message_id\":30}}");
    } else if (memmem(r->url.p, r->url.n, "editEphemeral", 13)) {
        reply.body = STR("{\"ok\":true,\"result\":true}");
    } else {
        reply.body = STR("{\"ok\":true,\"result\":{\"message_id\":99}}");
    }
    return reply;
}

/* What the outbox does with a message, until it has arrived or cannot. */
static struct receipt deliver(struct arena *a, struct outgoing out, const struct stored *w,
                              const struct refused *no, struct outgoing *ret_next)
{
    enum { CALLS = 5 };
    struct receipt got = {0};
    for (int i = 0; i < CALLS; i++) {
        struct request request = {0};
        struct reply reply = {.retry_after_ms = -1};
        telegram_adapter.send(account, a, &out, &request);
        if (request.kind == REQUEST_HTTP)
            reply = answer_to(a, &request, w, no);
        telegram_adapter.receipt(account, a, &out, &reply, &got);
        test_remember(ret_next, &got);
        if (!test_goes_on(&out, &got))
            return got;
    }
    fail_msg("%s: \"%s\" is tried again without end", w ? w->name : "", no ? no->why : "");
    return got;
}

static void *fresh_account(struct arena *a)
{
    static const char *const options[] = {"token=123456:abc-DEF_7", "api_root=http://127.0.0.1:9",
                                          NULL};
    return test_account_open(a, &telegram_adapter, options);
}

/* A server that lacks a call may still know the picture; what is answered is stored nowhere. */
static bool brings_again(struct arena *a, const struct stored *w, const struct refused *no,
                         const struct outgoing *next)
{
    struct request request = {0};
    if (!strpbrk(w->of, "mft") || no->code == 404 || w->out.kind == OUT_ERASE)
        return false;
    telegram_adapter.send(account, a, next, &request);
    struct str said = request_text(a, &request);
    return said.n == 0 || memmem(said.p, said.n, w->word, strlen(w->word));
}

static void no_stored_word_is_for_ever(void **state)
{
    (void)state;
    const struct outgoing whisper = {HIDDEN, .text = STR("hand"), .row = 1};
    int tried = 0;
    for (int i = 0; i < N_WORDS; i++)
        for (int k = 0; k < N_REFUSALS; k++) {
            const struct stored *w = &words[i];
            struct outgoing next = {0};
            if (!strpbrk(refusals[k].of, w->of))
                continue;
            process = arena_open(16 << 20);
            account = fresh_account(process);
            assert_int_equal(deliver(process, whisper, NULL, NULL, &next).kind, SENT);
            next = w->out;
            struct receipt got = deliver(process, w->out, w, &refusals[k], &next);
            bool place = w->of[0] == 'T';
            if (w->out.kind == OUT_ERASE) /* it is gone, or stays: nothing is said by it */
                assert_int_not_equal(got.kind, LATER);
            else if (place ? got.kind != NEVER || got.why != NEVER_UNREACHABLE : got.kind != SENT)
                fail_msg("%s: after \"%s\": receipt %d %d, \"%.*s\"", w->name, refusals[k].why,
                         got.kind, got.why, STR_ARG(got.note));
            else if (!place && brings_again(process, w, &refusals[k], &next))
                fail_msg("%s: after \"%s\" the next message brings it again", w->name,
                         refusals[k].why);
            telegram_adapter.close(account);
            arena_close(process);
            tried++;
        }
    assert_in_range(tried, 120, 400);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(no_stored_word_is_for_ever)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
