/* Messages with a picture in the outbox: drawn before they are said, holding up nobody else, once
 * for each account; and where that cannot be, said without. The network here takes everything on
 * the spot. */
#include "shell/mailing.h"
#include "shell/paper_deck.h"
#include "shell/scratch.h"
#include "shell/still.h"

#include <poll.h>

#include "http.h"
#include "log.h"
#include "outbox.h"
#include "peer.h"
#include "picture.h"

#define LINE  "hand paper 3b,3r||1b#1,3p1#2!"
#define OTHER "hand paper 3b,3r||1b#1,3p2#2!"

static _Atomic int64_t now;
static struct err err;
static struct arena *turn;
static struct store *store;
static struct work *work, *drawing;
static struct decks *decks;
static struct outbox *outbox;
static struct account account;
static struct limits limits;

static struct peer *peer; /* messages are requests to it; NULL: they are taken on the spot */
static struct http *http;

static const struct clock test_clock = {.now_ms = still_now, .arg = &now};

/* ---- the network ---- */

struct said {
    char text[64], file[64];
    size_t png; /* bytes; 0: none */
    bool whole; /* they are a picture */
};
static struct said said[256];
static int n_said;
static int refuse_files; /* so many ids are of no use */

static void note(void *state, struct arena *a, const struct outgoing *out, struct request *ret)
{
    (void)state;
    struct said *s = &said[n_said++];
    snprintf(s->text, sizeof s->text, "%.*s", STR_ARG(out->text));
    snprintf(s->file, sizeof s->file, "%.*s", STR_ARG(out->picture_file));
    s->png = out->picture_bytes.n;
    s->whole = str_starts(out->picture_bytes, STR("\x89PNG\r\n\x1a\n"));
    *ret = (struct request){.kind = REQUEST_DONE};
    if (peer)
        *ret = (struct request){.kind = REQUEST_HTTP,
                                .method = "POST",
                                .url = arena_print(a, "%.*s/sendMessage", STR_ARG(peer_root(peer))),
                                .body = STR("{}")};
}

static void take(void *state, struct arena *a, const struct outgoing *out,
                 const struct reply *reply, struct receipt *ret)
{
    (void)state, (void)reply;
    if (out->picture_file.n > 0 && refuse_files > 0) {
        refuse_files--;
        *ret = (struct receipt){.kind = MORE, .progress = STR("bytes"), .picture_refused = true};
        return;
    }
    *ret = (struct receipt){.kind = SENT, .post = STR("1")};
    if (out->picture_bytes.n > 0)
        ret->picture_file = arena_print(a, "file-%d", n_said);
    else
        ret->picture_file = out->picture_file;
}

static const struct adapter easel = {.name = "easel", .send = note, .receipt = take};

/* ---- the outbox ---- */

static void open_all(void)
{
    account = (struct account){.name = STR("easel"), .adapter = &easel, .limits = limits};
    OK(store_open(scratch_file("store.db"), &store, &err));
    OK(store_account(store, account.name, &account.id, &err));
    OK(work_open(1, 0, &work, &err));
    OK(work_open(1, 0, &drawing, &err));
    decks = decks_open(scratch_file("decks"));
    struct outbox_parts parts = {.store = store,
                                 .http = http,
                                 .work = work,
                                 .drawing = drawing,
                                 .decks = decks,
                                 .clock = &test_clock,
                                 .n_accounts = 1,
                                 .accounts = &account};
    OK(outbox_open(&parts, &outbox, &err));
}

static void close_all(void)
{
    outbox_close(outbox);
    work_close(work);
    work_close(drawing);
    decks_close(decks);
    store_close(store);
}

static int setup(void **state)
{
    (void)state;
    now = 1000000;
    n_said = refuse_files = 0;
    limits = (struct limits){0};
    turn = arena_open(1 << 26);
    if (!scratch_open())
        return 1;
    paper_deck("paper");
    open_all();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    close_all();
    arena_close(turn);
    scratch_close();
    return 0;
}

static bool never(void *arg, const struct account *on, const struct outgoing *out,
                  const struct receipt *receipt, struct err *e)
{
    (void)arg, (void)on, (void)out, (void)receipt, (void)e;
    return true;
}

static struct mailing mailing(void)
{
    return (struct mailing){outbox, store, http, turn, &test_clock, never};
}

/* All that can be said without a picture that is still being drawn. */
static void speak(void)
{
    struct mailing m = mailing();
    mailing_go(&m);
}

/* One picture is done, and the outbox hears of it. */
static void drawn(void)
{
    struct job_done done;
    struct pollfd ready = {.fd = work_fd(drawing), .events = POLLIN};
    while (!work_take(drawing, turn, &done))
        assert_int_equal(poll(&ready, 1, 60000), 1);
    outbox_drawn(outbox, &done);
}

/* All that can happen at this moment. */
static void go(void)
{
    speak();
    while (work_waiting(drawing) > 0) {
        drawn();
        speak();
    }
}

static struct outgoing hand(const char *chat, const char *text, const char *line)
{
    return (struct outgoing){.kind = OUT_POST,
                             .where = TO_CHAT,
                             .chat = str_of(chat),
                             .text = str_of(text),
                             .picture = str_of(line)};
}

static void push(const struct outgoing *out)
{
    OK(store_begin(store, &err));
    OK(outbox_push(outbox, &account, out, &err));
    OK(store_commit(store, &err));
    outbox_commit(outbox);
}

static void push_hand(const char *chat, const char *text, const char *line)
{
    struct outgoing out = hand(chat, text, line);
    push(&out);
}

static void said_is(int i, const char *text, bool picture, const char *file)
{
    assert_in_range(i, 0, n_said - 1);
    assert_string_equal(said[i].text, text);
    assert_int_equal(said[i].whole, picture);
    assert_int_equal(said[i].png > 0, picture);
    assert_string_equal(said[i].file, file);
}

/* ---- waiting for it ---- */

static void a_hand_is_said_with_its_picture(void **state)
{
    (void)state;
    struct picture_ask ask;
    static char bytes[JOB_RESULT];
    struct buf b = BUF(bytes);
    push_hand("tea", "Your hand", LINE);
    go();
    assert_int_equal(n_said, 1);
    said_is(0, "Your hand", true, "");
    OK(picture_ask(decks, STR(LINE), &ask, &err));
    OK(picture_draw(&ask, &b, &err));
    assert_int_equal(said[0].png, b.n);
    assert_true(outbox_quiet(outbox));
}

static void nobody_else_waits_for_it(void **state)
{
    (void)state;
    push_hand("tea", "Your hand", LINE);
    push_hand("tea", "after it", "");
    push_hand("inn", "elsewhere", "");
    struct outgoing popup = {
        .kind = OUT_ANSWER, .chat = STR("tea"), .press = STR("q1"), .text = STR("done")};
    push(&popup);
    speak();
    assert_int_equal(n_said, 2);
    said_is(0, "done", false, "");
    said_is(1, "elsewhere", false, "");
    assert_false(outbox_quiet(outbox));
    go();
    assert_int_equal(n_said, 4);
    said_is(2, "Your hand", true, "");
    said_is(3, "after it", false, "");
}

static void many_hands_at_once_all_come(void **state)
{
    enum { MANY = 100 };
    (void)state;
    for (int i = 0; i < MANY; i++) {
        char chat[24], line[64];
        snprintf(chat, sizeof chat, "chat %d", i);
        snprintf(line, sizeof line, "hand paper ||1b#%d,2a#%d", i % 48 + 1, i / 48 + 1);
        push_hand(chat, chat, line);
    }
    for (int turns = 0; n_said < MANY && turns < MANY; turns++) {
        go();
        now += 20; /* there was no room for some */
    }
    assert_int_equal(n_said, MANY);
    for (int i = 0; i < MANY; i++)
        assert_true(said[i].whole);
    assert_true(outbox_quiet(outbox));
}

/* ---- once ---- */

static void what_a_network_has_is_named(void **state)
{
    (void)state;
    push_hand("tea", "first", LINE);
    go();
    push_hand("inn", "second", LINE);
    push_hand("inn", "another", OTHER);
    speak();
    assert_int_equal(n_said, 2); /* the known one at once */
    said_is(1, "second", false, "file-1");
    go();
    said_is(2, "another", true, "");
    close_all();
    open_all();
    push_hand("tea", "third", LINE);
    speak();
    said_is(3, "third", false, "file-1");
}

static void a_name_that_is_refused_is_forgotten(void **state)
{
    (void)state;
    push_hand("tea", "first", LINE);
    go();
    refuse_files = 1;
    push_hand("tea", "second", LINE);
    go();
    assert_int_equal(n_said, 3);
    said_is(1, "second", false, "file-1");
    said_is(2, "second", true, "");
    push_hand("tea", "third", LINE);
    go();
    said_is(3, "third", false, "file-3");
}

/* An id is asked for by what is drawn: a deck that was painted over is sent anew. */
static void another_drawing_is_another_picture(void **state)
{
    (void)state;
    push_hand("tea", "first", LINE);
    go();
    close_all();
    paper_card("paper", 0,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 160 256\">"
               "<rect width=\"160\" height=\"256\" fill=\"white\"/></svg>");
    open_all();
    push_hand("tea", "second", LINE);
    go();
    said_is(1, "second", true, "");
}

static void old_ids_are_forgotten(void **state)
{
    (void)state;
    push_hand("tea", "first", LINE);
    go();
    OK(store_forget_pictures(store, now, &err));
    push_hand("tea", "second", LINE);
    speak();
    said_is(1, "second", false, "file-1");
    OK(store_forget_pictures(store, now + 1, &err));
    push_hand("tea", "third", LINE);
    go();
    said_is(2, "third", true, "");
}

/* ---- without ---- */

static void what_cannot_be_drawn_is_said_in_words(void **state)
{
    (void)state;
    push_hand("tea", "no deck", "hand cardboard 1b||");
    push_hand("tea", "no line", "a duck");
    paper_card("paper", 8, "<svg");
    close_all();
    open_all();
    push_hand("tea", "no card", LINE);
    go();
    assert_int_equal(n_said, 3);
    said_is(0, "no deck", false, "");
    said_is(1, "no line", false, "");
    said_is(2, "no card", false, "");
    assert_true(outbox_quiet(outbox));
}

static void what_takes_too_long_is_said_in_words(void **state)
{
    (void)state;
    push_hand("tea", "Your hand", LINE);
    speak();
    assert_int_equal(n_said, 0);
    int64_t next = outbox_next(outbox);
    assert_in_range(next, now + 500, now + 3000);
    now = next - 1;
    speak();
    assert_int_equal(n_said, 0);
    now = next;
    speak();
    assert_int_equal(n_said, 1);
    said_is(0, "Your hand", false, "");
    push_hand("tea", "the next",
              LINE); /* the first one's drawing, if it comes, is not taken for this one's */
    go();
    said_is(1, "the next", true, "");
}

/* Six may go at once, and then one a second. With half of that gone, words go alone, and none of
 * them waits for a picture. */
static void a_picture_that_costs_a_message_is_left_out_in_a_hurry(void **state)
{
    static const char *const chats[] = {"a", "b", "c", "d", "e", "f"};
    (void)state;
    limits =
        (struct limits){.account_per_second_x100 = 100, .account_burst = 6, .picture_apart = true};
    close_all();
    peer = peer_open(&now);
    OK(http_open(&http, &err));
    open_all();
    for (int i = 0; i < 6; i++) {
        char line[64];
        snprintf(line, sizeof line, "hand paper ||1b#%d", i + 1);
        push_hand(chats[i], chats[i], line);
    }
    go();
    assert_int_equal(n_said, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(said[i].whole, i <= 3);
    now += 6000;
    push_hand("a", "calm again", LINE);
    go();
    said_is(6, "calm again", true, "");
    close_all();
    peer_close(peer);
    http_close(http);
    peer = NULL;
    http = NULL;
    open_all();
}

/* ---- what comes between ---- */

/* However fast newer ones come: what is being drawn is said, and of those behind it the newest. */
static void a_hail_of_newer_hands_does_not_silence_any(void **state)
{
    (void)state;
    struct outgoing hands[] = {hand("tea", "first", LINE), hand("tea", "second", OTHER),
                               hand("tea", "third", LINE)};
    for (int i = 0; i < 3; i++) {
        hands[i].slot = STR("hand:1");
        push(&hands[i]);
        speak();
    }
    assert_int_equal(n_said, 0);
    go();
    assert_int_equal(n_said, 2);
    said_is(0, "first", true, "");
    said_is(1, "third", false, "file-1");
    assert_true(outbox_quiet(outbox));
}

static void a_restart_draws_anew(void **state)
{
    (void)state;
    push_hand("tea", "Your hand", LINE);
    speak();
    assert_int_equal(n_said, 0);
    close_all();
    open_all();
    go();
    assert_int_equal(n_said, 1);
    said_is(0, "Your hand", true, "");
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_hand_is_said_with_its_picture),
        T(nobody_else_waits_for_it),
        T(many_hands_at_once_all_come),
        T(what_a_network_has_is_named),
        T(a_name_that_is_refused_is_forgotten),
        T(another_drawing_is_another_picture),
        T(old_ids_are_forgotten),
        T(what_cannot_be_drawn_is_said_in_words),
        T(what_takes_too_long_is_said_in_words),
        T(a_picture_that_costs_a_message_is_left_out_in_a_hurry),
        T(a_hail_of_newer_hands_does_not_silence_any),
        T(a_restart_draws_anew),
    };
    log_open(LOG_ERROR);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
