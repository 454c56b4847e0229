/* Messages between daemons that share a store: what is pushed for an account that another one has
 * waits in the store, and that one says it when it looks. Here one outbox is both in turn: `away`
 * says which of them it is. */
#include "engine/test.h"
#include "fixture/outbox_fixture.h"

static struct account account;
static struct err err;
static char said[64];
enum { PAUSE_MS = 3000 * 1000 };
static struct str paused; /* a chat that asks for a pause */

static void note(void *state, struct arena *a, const struct outgoing *out, struct request *ret)
{
    (void)state, (void)a;
    size_t n = strlen(said);
    snprintf(said + n, sizeof said - n, "%.*s;", STR_ARG(out->text));
    *ret = (struct request){.kind = REQUEST_DONE};
}

static void take(void *state, struct arena *a, const struct outgoing *out,
                 const struct reply *reply, struct receipt *ret)
{
    (void)state, (void)a, (void)reply;
    *ret = (struct receipt){.kind = SENT, .post = STR("1")};
    if (str_is(out->chat, paused))
        *ret = (struct receipt){.kind = LATER, .wait_ms = PAUSE_MS};
}

static const struct adapter mouth = {.name = "mouth", .send = note, .receipt = take};

FIXTURE(setup)
{
    said[0] = '\0';
    paused = STR("");
    account = (struct account){.name = STR("mouth"), .adapter = &mouth};
    if (outbox_fixture_begin() != 0)
        return 1;
    outbox_fixture_open(&account, false, false);
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

static void push_out(bool away, const struct outgoing *out)
{
    account.away = away;
    outbox_fixture_push(&account, out);
    account.away = false;
}

static void push(bool away, const char *text)
{
    push_out(away, &(struct outgoing){.kind = OUT_POST, .chat = STR("tea"), .text = str_of(text)});
}

static struct outgoing board(const char *text)
{
    return (struct outgoing){
        .kind = OUT_POST, .chat = STR("tea"), .slot = STR("board"), .text = str_of(text)};
}

static void push_board(bool away, const char *text)
{
    const struct outgoing out = board(text);
    push_out(away, &out);
}

static void says(const char *expected)
{
    outbox_fixture_run(never);
    assert_string_equal(said, expected);
    said[0] = '\0';
}

TEST_WITH(what_others_push_is_said_at_the_next_look, setup, teardown)
{
    push(true, "first");
    push(true, "second");
    says("");
    outbox_look(outbox_fixture);
    says("first;second;");
    outbox_look(outbox_fixture);
    says("");
}

/* In the order in which they were committed, and our own once. */
TEST_WITH(between_what_we_push_ourselves, setup, teardown)
{
    push(false, "ours");
    push(true, "theirs");
    outbox_look(outbox_fixture);
    push(false, "ours again");
    says("ours;theirs;ours again;");
}

TEST_WITH(a_look_finds_what_came_while_we_spoke, setup, teardown)
{
    push(false, "a");
    says("a;");
    push(true, "b");
    says("");
    outbox_look(outbox_fixture);
    push(false, "c");
    push(true, "d");
    says("b;c;");
    outbox_look(outbox_fixture);
    says("d;");
}

TEST_WITH(a_restart_finds_all, setup, teardown)
{
    push(true, "first");
    outbox_fixture_close();
    outbox_fixture_open(&account, false, false);
    says("first;");
}

/* Whoever must learn it does not wait for a chat that asks us for a pause. */
TEST_WITH(what_others_push_into_a_chat_that_is_held_up_is_passed_on, setup, teardown)
{
    const struct outgoing turn = {
        .kind = OUT_POST, .chat = STR("tea"), .learners = STR("ann\n"), .text = STR("turn")};
    paused = STR("tea");
    push(false, "first");
    says("first;");
    for (int i = 0; i < 3; i++)
        push_out(true, &turn);
    outbox_look(outbox_fixture);
    says("turn;turn;turn;"); /* in private */
    paused = STR("");
    outbox_fixture_now += PAUSE_MS + 1;
    says("first;turn;turn;turn;");
}

/* Nothing of another daemon's is touched, though it is in our store. */
TEST_WITH(what_waits_for_another_is_not_said_by_us, setup, teardown)
{
    push(true, "first");
    account.away = true;
    outbox_look(outbox_fixture);
    outbox_fixture_run(never);
    outbox_fixture_close();
    outbox_fixture_open(&account, false, false);
    outbox_fixture_run(never);
    assert_string_equal(said, "");
    account.away = false;
    outbox_fixture_close();
    outbox_fixture_open(&account, false, false);
    says("first;");
}

TEST_WITH(an_undone_part_of_a_transaction_says_nothing, setup, teardown)
{
    const struct outgoing out = {.kind = OUT_POST, .chat = STR("tea"), .text = STR("undone")};
    account.away = true;
    store_begin(outbox_fixture_store);
    store_savepoint(outbox_fixture_store);
    int mark = outbox_savepoint(outbox_fixture);
    outbox_push(outbox_fixture, &account, &out);
    outbox_rollback(outbox_fixture, mark);
    store_rollback_to(outbox_fixture_store);
    OK(store_commit(outbox_fixture_store, &err));
    outbox_commit(outbox_fixture);
    account.away = false;
    outbox_look(outbox_fixture);
    says("");
}

/* ---- a newer message of a slot ---- */

TEST_WITH(a_newer_board_of_theirs_replaces_an_older_one, setup, teardown)
{
    push_board(true, "old");
    push(true, "talk");
    push_board(true, "new");
    outbox_look(outbox_fixture);
    says("talk;new;");
}

TEST_WITH(also_if_we_have_loaded_the_older_one, setup, teardown)
{
    push_board(true, "old");
    outbox_look(outbox_fixture);
    push_board(true, "new");
    outbox_look(outbox_fixture);
    assert_int_equal(outbox_waiting(outbox_fixture), 1);
    says("new;");
}

TEST_WITH(also_if_we_are_about_to_mark_it, setup, teardown)
{
    push_board(true, "old");
    outbox_look(outbox_fixture);
    outbox_pump(outbox_fixture, outbox_fixture_turn);
    assert_true(outbox_unsettled(outbox_fixture));
    assert_string_equal(said, "");
    push_board(true, "new");
    outbox_look(outbox_fixture);
    says("new;");
}

TEST_WITH(and_ours_replaces_theirs, setup, teardown)
{
    push_board(true, "old");
    outbox_look(outbox_fixture);
    push_board(false, "new");
    says("new;");
}

/* It may have arrived: its receipt says where the newer one is to go. */
TEST_WITH(what_is_marked_as_attempted_stays, setup, teardown)
{
    push_board(false, "old");
    push_board(true, "new");
    outbox_look(outbox_fixture);
    says("old;new;");
}

TEST_WITH(an_edit_of_what_was_never_sent_is_a_new_message, setup, teardown)
{
    struct outgoing edit = board("new");
    edit.replace_only = true;
    push_board(true, "old");
    push_out(true, &edit);
    outbox_look(outbox_fixture);
    says("new;");
}

TEST_WITH(other_slots_and_other_chats_are_left_alone, setup, teardown)
{
    struct outgoing slot = board("slot"), chat = board("chat");
    slot.slot = STR("hand");
    chat.chat = STR("sake");
    push_out(true, &slot);
    push_out(true, &chat);
    push_board(true, "board");
    outbox_look(outbox_fixture);
    outbox_fixture_run(never);
    assert_non_null(strstr(said, "slot;"));
    assert_non_null(strstr(said, "chat;"));
    assert_non_null(strstr(said, "board;"));
}
