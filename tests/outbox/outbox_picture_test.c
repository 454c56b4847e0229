/* Messages with a picture in the outbox: drawn before they are said, holding up nobody else, once
 * for each account; and where that cannot be, said without. The network here takes everything on
 * the spot. */
#include "engine/test.h"
#include "fixture/outbox_fixture.h"
#include "fixture/paper_deck.h"

#include <poll.h>

#include "peer.h"
#include "picture.h"

#define LINE  "paper\nfield 3b,3r\nhand 1b#1,3p1#2!"
#define OTHER "paper\nfield 3b,3r\nhand 1b#1,3p2#2!"

static struct err err;
static struct account account;
static struct limits limits;

static struct peer *peer; /* messages are requests to it; NULL: they are taken on the spot */

/* ---- the network ---- */

struct sent_text {
    char text[64], file[64];
    size_t png; /* bytes; 0: none */
    bool whole; /* they are a picture */
};
static struct sent_text said[256];
static int n_said;
static int refuse_files; /* so many ids are of no use */
static int steps;        /* calls before the one that says the message ... */
static bool repeats;     /* ... each of which comes to the same if it is done again */
static bool follows; /* the bytes go in a call of their own, after the one that says the message */
static bool pictured[64]; /* by row: the last call had them */
static int n_drawn;
static bool busy;   /* the network asks for a pause of a minute */
static bool firm;   /* nothing that was said can be changed */
static bool stalls; /* it asks once for a pause of a second, in the middle of a message */

static void note(void *state, struct arena *a, const struct outgoing *out, struct request *ret)
{
    (void)state;
    struct sent_text *s = &said[n_said++];
    snprintf(s->text, sizeof s->text, "%.*s", STR_ARG(out->text));
    snprintf(s->file, sizeof s->file, "%.*s", STR_ARG(out->picture_file));
    s->png = out->picture_bytes.n;
    pictured[out->row % 64] = s->png > 0;
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
    if (busy) {
        *ret = (struct receipt){.kind = LATER, .wait_ms = 60000};
        return;
    }
    if (stalls && out->progress.n > 0) {
        stalls = false;
        *ret = (struct receipt){.kind = LATER, .wait_ms = 1000};
        return;
    }
    if (out->picture_bytes.n > 0 && steps > 0) {
        steps--;
        *ret = (struct receipt){.kind = MORE, .progress = STR("step"), .repeats = repeats};
        return;
    }
    if (pictured[out->row % 64] && follows && out->progress.n == 0) {
        *ret = (struct receipt){.kind = MORE, .progress = STR("said"), .post = STR("1")};
        return;
    }
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

static bool edits(void *state, const struct outgoing *out)
{
    (void)state, (void)out;
    return !firm;
}

static const struct adapter easel = {
    .name = "easel", .edits = edits, .send = note, .receipt = take};

/* ---- the outbox ---- */

static void open_all(void)
{
    account = (struct account){.name = STR("easel"), .adapter = &easel, .limits = limits};
    outbox_fixture_open(&account, peer, true);
}

FIXTURE(setup)
{
    n_said = refuse_files = steps = n_drawn = 0;
    busy = firm = follows = repeats = stalls = false;
    limits = (struct limits){0};
    if (outbox_fixture_begin() != 0)
        return 1;
    paper_deck("paper");
    open_all();
    return 0;
}

FIXTURE(teardown)
{
    outbox_fixture_close();
    outbox_fixture_end();
    return 0;
}

static void never(void *arg, const struct account *on, const struct outgoing *out,
                  const struct receipt *receipt)
{
    (void)arg, (void)on, (void)out, (void)receipt;
}

/* All that can be said without a picture that is still being drawn. */
static void speak(void)
{
    outbox_fixture_run(never);
}

/* One picture is done, and the outbox hears of it. */
static void drawn(void)
{
    struct job_done done;
    struct pollfd ready = {.fd = work_fd(outbox_fixture_drawing), .events = POLLIN};
    while (!work_next(outbox_fixture_drawing, outbox_fixture_turn, &done))
        assert_int_equal(poll(&ready, 1, 60000), 1);
    outbox_drawn(outbox_fixture, &done);
    n_drawn++;
}

/* All that can happen at this moment. */
static void go(void)
{
    speak();
    while (work_waiting(outbox_fixture_drawing) > 0) {
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
    outbox_fixture_push(&account, out);
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

TEST_WITH(hand_is_sent_with_its_picture, setup, teardown)
{
    struct picture_ask ask;
    static char bytes[JOB_RESULT];
    struct buf b = BUF(bytes);
    push_hand("tea", "Your hand", LINE);
    go();
    assert_int_equal(n_said, 1);
    said_is(0, "Your hand", true, "");
    OK(picture_ask(outbox_fixture_decks, STR(LINE), &ask, &err));
    OK(picture_draw(&ask, &b, &err));
    assert_int_equal(said[0].png, b.n);
    assert_true(outbox_quiet(outbox_fixture));
}

TEST_WITH(message_of_many_calls_is_drawn_once, setup, teardown)
{
    steps = 3;
    push_hand("tea", "Your hand", LINE);
    go();
    assert_int_equal(n_said, 4);
    for (int i = 0; i < n_said; i++)
        said_is(i, "Your hand", true, "");
    assert_int_equal(n_drawn, 1);
    assert_true(outbox_quiet(outbox_fixture));
}

/* A transaction between two calls is a sync of the disk; a crash does again what was not stored. */
TEST_WITH(calls_that_repeat_wait_for_no_transaction, setup, teardown)
{
    for (int crash = 0; crash < 2; crash++) {
        n_said = 0;
        steps = 3;
        repeats = true;
        push_hand("tea", "Your hand", crash ? OTHER : LINE);
        speak();
        drawn();
        outbox_pump(outbox_fixture, outbox_fixture_turn);
        assert_int_equal(n_said, 4);
        if (crash) {
            steps = 3;
            outbox_fixture_close();
            open_all();
        }
        go();
        assert_int_equal(n_said, crash ? 8 : 4);
        for (int i = 0; i < n_said; i++)
            said_is(i, "Your hand", true, "");
        assert_true(outbox_quiet(outbox_fixture));
    }
}

TEST_WITH(other_chats_do_not_wait_for_a_picture, setup, teardown)
{
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
    assert_false(outbox_quiet(outbox_fixture));
    go();
    assert_int_equal(n_said, 4);
    said_is(2, "Your hand", true, "");
    said_is(3, "after it", false, "");
}

/* The group's board goes while a hidden hand is drawn; what concerns that hand keeps its order. */
TEST_WITH(a_group_does_not_wait_for_a_hidden_hand, setup, teardown)
{
    struct outgoing whisper = hand("tea", "Your hand", LINE), newer = hand("tea", "Newer", ""),
                    erase = {.kind = OUT_ERASE, .where = TO_WHISPER, .chat = STR("tea")};
    struct outgoing *hidden[] = {&whisper, &newer, &erase};
    for (int i = 0; i < 3; i++) {
        hidden[i]->where = TO_WHISPER;
        hidden[i]->to = STR("bo");
        hidden[i]->slot = STR("hand:1");
    }
    erase.slot = STR("hand:0");
    push(&whisper);
    speak();
    push(&newer);
    push(&erase);
    push_hand("tea", "the board", "");
    speak();
    assert_int_equal(n_said, 1);
    said_is(0, "the board", false, "");
    go();
    assert_int_equal(n_said, 3);
    said_is(1, "Your hand", true, "");
    said_is(2, "Newer", false, "");
    assert_true(outbox_quiet(outbox_fixture));
}

TEST_WITH(many_hands_at_once_all_come, setup, teardown)
{
    enum { MANY = 100 };
    for (int i = 0; i < MANY; i++) {
        char chat[24], line[64];
        snprintf(chat, sizeof chat, "chat %d", i);
        snprintf(line, sizeof line, "paper\nhand 1b#%d,2a#%d", i % 48 + 1, i / 48 + 1);
        push_hand(chat, chat, line);
    }
    for (int turns = 0; n_said < MANY && turns < MANY; turns++) {
        go();
        outbox_fixture_now += 20; /* there was no room for some */
    }
    assert_int_equal(n_said, MANY);
    for (int i = 0; i < MANY; i++)
        assert_true(said[i].whole);
    assert_true(outbox_quiet(outbox_fixture));
}

/* ---- once ---- */

TEST_WITH(known_picture_is_sent_by_its_id, setup, teardown)
{
    push_hand("tea", "first", LINE);
    go();
    push_hand("inn", "second", LINE);
    push_hand("inn", "another", OTHER);
    speak();
    assert_int_equal(n_said, 2); /* the known one at once */
    said_is(1, "second", false, "file-1");
    go();
    said_is(2, "another", true, "");
    outbox_fixture_close();
    open_all();
    push_hand("tea", "third", LINE);
    speak();
    said_is(3, "third", false, "file-1");
}

/* A picture that was sent is refused by its id, and sent anew. */
static void an_id_is_refused(void)
{
    push_hand("tea", "first", LINE);
    go();
    refuse_files = 1;
    push_hand("tea", "second", LINE);
    go();
    assert_int_equal(n_said, 3);
    said_is(1, "second", false, "file-1");
    said_is(2, "second", true, "");
}

TEST_WITH(refused_picture_id_is_forgotten, setup, teardown)
{
    an_id_is_refused();
    push_hand("tea", "third", LINE);
    go();
    said_is(3, "third", false, "file-3");
}

/* An id is asked for by what is drawn: a deck that was painted over is sent anew. */
TEST_WITH(changed_drawing_is_another_picture, setup, teardown)
{
    push_hand("tea", "first", LINE);
    go();
    outbox_fixture_close();
    paper_card("paper", 0,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 160 256\">"
               "<rect width=\"160\" height=\"256\" fill=\"white\"/></svg>");
    open_all();
    push_hand("tea", "second", LINE);
    go();
    said_is(1, "second", true, "");
}

TEST_WITH(a_picture_that_can_take_no_place_is_not_drawn, setup, teardown)
{
    struct outgoing out = hand("tea", "Your hand", LINE);
    out.slot = STR("hand");
    push(&out);
    go();
    for (int i = 0; i < 2; i++) {
        firm = i == 0;
        out.text = firm ? STR("cannot be") : STR("can be");
        out.picture = STR(OTHER);
        out.replace_only = true;
        push(&out);
        go();
        assert_int_equal(n_said, firm ? 1 : 2);
        assert_int_equal(n_drawn, n_said);
        assert_true(outbox_quiet(outbox_fixture));
    }
    said_is(1, "can be", true, "");
}

TEST_WITH(old_ids_are_forgotten, setup, teardown)
{
    push_hand("tea", "first", LINE);
    go();
    store_forget_pictures(outbox_fixture_store, outbox_fixture_now);
    push_hand("tea", "second", LINE);
    speak();
    said_is(1, "second", false, "file-1");
    store_forget_pictures(outbox_fixture_store, outbox_fixture_now + 1);
    push_hand("tea", "third", LINE);
    go();
    said_is(2, "third", true, "");
}

/* ---- without ---- */

TEST_WITH(failed_drawing_sends_text_alone, setup, teardown)
{
    push_hand("tea", "no deck", "cardboard\nfield 1b");
    push_hand("tea", "no line", "a duck");
    paper_card("paper", 8, "<svg");
    outbox_fixture_close();
    open_all();
    push_hand("tea", "no card", LINE);
    go();
    assert_int_equal(n_said, 3);
    said_is(0, "no deck", false, "");
    said_is(1, "no line", false, "");
    said_is(2, "no card", false, "");
    assert_true(outbox_quiet(outbox_fixture));
}

TEST_WITH(late_drawing_sends_text_alone, setup, teardown)
{
    push_hand("tea", "Your hand", LINE);
    speak();
    assert_int_equal(n_said, 0);
    int64_t next = outbox_next(outbox_fixture);
    assert_in_range(next, outbox_fixture_now + 500, outbox_fixture_now + 3000);
    outbox_fixture_now = next - 1;
    speak();
    assert_int_equal(n_said, 0);
    outbox_fixture_now = next;
    speak();
    assert_int_equal(n_said, 1);
    said_is(0, "Your hand", false, "");
    push_hand("tea", "the next",
              LINE); /* the first one's drawing, if it comes, is not taken for this one's */
    go();
    said_is(1, "the next", true, "");
}

/* A message that has to be sent again has its picture drawn again; late, it goes without. */
TEST_WITH(second_attempt_has_a_picture_of_its_own_or_none, setup, teardown)
{
    busy = true;
    push_hand("tea", "Your hand", LINE);
    go();
    said_is(0, "Your hand", true, "");
    outbox_fixture_now = outbox_next(outbox_fixture);
    go();
    said_is(1, "Your hand", true, "");
    busy = false;
    outbox_fixture_now = outbox_next(outbox_fixture);
    speak();
    assert_int_equal(n_said, 2); /* it is being drawn */
    outbox_fixture_now = outbox_next(outbox_fixture);
    speak();
    assert_int_equal(n_said, 3);
    said_is(2, "Your hand", false, "");
    assert_true(outbox_quiet(outbox_fixture));
}

static void six_hands_at_once(void)
{
    static const char *const chats[] = {"a", "b", "c", "d", "e", "f"};
    limits =
        (struct limits){.account_per_second_x100 = 100, .account_burst = 6, .picture_apart = true};
    outbox_fixture_close();
    peer = peer_open(&outbox_fixture_now);
    open_all();
    for (int i = 0; i < 6; i++) {
        char line[64];
        snprintf(line, sizeof line, "paper\nhand 1b#%d", i + 1);
        push_hand(chats[i], chats[i], line);
    }
    go();
}

static void close_peer(void)
{
    outbox_fixture_close();
    peer_close(peer);
    peer = NULL;
    open_all();
}

/* Six may go at once, and then one a second. With half of that gone, words go alone, and none of
 * them waits for a picture. */
TEST_WITH(picture_that_counts_as_a_message_is_left_out_under_load, setup, teardown)
{
    six_hands_at_once();
    assert_int_equal(n_said, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(said[i].whole, i <= 3);
    outbox_fixture_now += 6000;
    push_hand("a", "calm again", LINE);
    go();
    said_is(6, "calm again", true, "");
    close_peer();
}

/* They count as nothing, and go though less than half is left by then. */
TEST_WITH(bytes_that_follow_their_message_cost_no_other, setup, teardown)
{
    int whole = 0;
    follows = true;
    six_hands_at_once();
    for (int i = 0; i < n_said; i++)
        whole += said[i].whole;
    assert_int_equal(whole, 2 * 4);
    assert_int_equal(n_said, 6 + 4);
    close_peer();
}

/* Nor do they if they go a second time, after a pause: the words were said once. */
TEST_WITH(bytes_that_are_sent_again_cost_no_other, setup, teardown)
{
    enum { A_MINUTE = 8 };
    limits = (struct limits){.per_chat_minute = A_MINUTE};
    outbox_fixture_close();
    peer = peer_open(&outbox_fixture_now);
    open_all();
    outbox_fixture_now += 60001; /* nothing is known to have been sent */
    follows = stalls = true;
    push_hand("tea", "Your hand", LINE);
    go();
    outbox_fixture_now += 1001;
    go();
    assert_int_equal(n_said, 3);
    for (int i = 1; i < A_MINUTE; i++)
        push_hand("tea", "a word", "");
    go();
    assert_int_equal(n_said, 3 + A_MINUTE - 1);
    close_peer();
}

/* What was asked for is known when the answer comes, though the network has long forgotten it. */
TEST_WITH(an_id_refused_by_a_later_answer_is_forgotten, setup, teardown)
{
    outbox_fixture_close();
    peer = peer_open(&outbox_fixture_now);
    open_all();
    an_id_is_refused();
    close_peer();
}

/* ---- what comes between ---- */

/* However fast newer ones come: what is being drawn is said, and of those behind it the newest. */
TEST_WITH(newer_hands_do_not_starve_the_one_being_drawn, setup, teardown)
{
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
    assert_true(outbox_quiet(outbox_fixture));
}

TEST_WITH(a_restart_draws_anew, setup, teardown)
{
    push_hand("tea", "Your hand", LINE);
    speak();
    assert_int_equal(n_said, 0);
    outbox_fixture_close();
    open_all();
    go();
    assert_int_equal(n_said, 1);
    said_is(0, "Your hand", true, "");
}
