/* Messages between daemons that share a store: what is pushed for an account that another one has
 * waits in the store, and that one says it when it looks. Here one outbox is both in turn: `away`
 * says which of them it is. */
#include "fixture/outbox_fixture.h"

static struct account account;
static struct err err;
static char said[64];

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
    (void)state, (void)a, (void)out, (void)reply;
    *ret = (struct receipt){.kind = SENT, .post = STR("1")};
}

static const struct adapter mouth = {.name = "mouth", .send = note, .receipt = take};

static int setup(void **state)
{
    (void)state;
    said[0] = '\0';
    account = (struct account){.name = STR("mouth"), .adapter = &mouth};
    if (outbox_fixture_begin() != 0)
        return 1;
    outbox_fixture_open(&account, false, false);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
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

static void what_others_push_is_said_at_the_next_look(void **state)
{
    (void)state;
    push(true, "first");
    push(true, "second");
    says("");
    outbox_look(outbox_fixture);
    says("first;second;");
    outbox_look(outbox_fixture);
    says("");
}

/* In the order in which they were committed, and our own once. */
static void between_what_we_push_ourselves(void **state)
{
    (void)state;
    push(false, "ours");
    push(true, "theirs");
    outbox_look(outbox_fixture);
    push(false, "ours again");
    says("ours;theirs;ours again;");
}

static void a_look_finds_what_came_while_we_spoke(void **state)
{
    (void)state;
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

static void a_restart_finds_all(void **state)
{
    (void)state;
    push(true, "first");
    outbox_fixture_close();
    outbox_fixture_open(&account, false, false);
    says("first;");
}

/* Nothing of another daemon's is touched, though it is in our store. */
static void what_waits_for_another_is_not_said_by_us(void **state)
{
    (void)state;
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

static void an_undone_part_of_a_transaction_says_nothing(void **state)
{
    (void)state;
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

static void a_newer_board_of_theirs_replaces_an_older_one(void **state)
{
    (void)state;
    push_board(true, "old");
    push(true, "talk");
    push_board(true, "new");
    outbox_look(outbox_fixture);
    says("talk;new;");
}

static void also_if_we_have_loaded_the_older_one(void **state)
{
    (void)state;
    push_board(true, "old");
    outbox_look(outbox_fixture);
    push_board(true, "new");
    outbox_look(outbox_fixture);
    assert_int_equal(outbox_waiting(outbox_fixture), 1);
    says("new;");
}

static void also_if_we_are_about_to_mark_it(void **state)
{
    (void)state;
    push_board(true, "old");
    outbox_look(outbox_fixture);
    outbox_pump(outbox_fixture, outbox_fixture_turn);
    assert_true(outbox_unsettled(outbox_fixture));
    assert_string_equal(said, "");
    push_board(true, "new");
    outbox_look(outbox_fixture);
    says("new;");
}

static void and_ours_replaces_theirs(void **state)
{
    (void)state;
    push_board(true, "old");
    outbox_look(outbox_fixture);
    push_board(false, "new");
    says("new;");
}

/* It may have arrived: its receipt says where the newer one is to go. */
static void what_is_marked_as_attempted_stays(void **state)
{
    (void)state;
    push_board(false, "old");
    push_board(true, "new");
    outbox_look(outbox_fixture);
    says("old;new;");
}

static void an_edit_of_what_was_never_sent_is_a_new_message(void **state)
{
    (void)state;
    struct outgoing edit = board("new");
    edit.replace_only = true;
    push_board(true, "old");
    push_out(true, &edit);
    outbox_look(outbox_fixture);
    says("new;");
}

static void other_slots_and_other_chats_are_left_alone(void **state)
{
    (void)state;
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

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(what_others_push_is_said_at_the_next_look),
        T(between_what_we_push_ourselves),
        T(a_look_finds_what_came_while_we_spoke),
        T(a_restart_finds_all),
        T(what_waits_for_another_is_not_said_by_us),
        T(an_undone_part_of_a_transaction_says_nothing),
        T(a_newer_board_of_theirs_replaces_an_older_one),
        T(also_if_we_have_loaded_the_older_one),
        T(also_if_we_are_about_to_mark_it),
        T(and_ours_replaces_theirs),
        T(what_is_marked_as_attempted_stays),
        T(an_edit_of_what_was_never_sent_is_a_new_message),
        T(other_slots_and_other_chats_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
