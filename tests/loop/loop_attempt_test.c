/* An update that ends the daemon whenever it is handled: after a few starts it is in quarantine,
 * and every other one was answered once. Each start is a process of its own on the same store. */
#include "engine/test.h"
#include "fixture/loop_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

#include "db_open.h"
#include "store.h"
#include "store_quarantine.h"

enum { DEATH = 77, STARTS = 12 };

static struct err err;
static struct adapter fragile;

/* One request a start beside the polls; while it is under way whatever "tea" says ends the daemon.
 */
static bool asked, asking;

static bool ask_beside(void *account, struct arena *turn, struct request *ret)
{
    const struct wire *w = account;
    if (asked)
        return false;
    wire_adapter.poll(account, turn, STR("0"), ret);
    ret->url = arena_print(turn, "%.*s/setMyCommands", STR_ARG(w->root));
    ret->what = STR("setMyCommands");
    ret->timeout_ms = 500;
    ret->no_news = true;
    return asked = asking = true;
}

static bool beside_told(void *account, struct arena *turn, const struct reply *reply,
                        struct batch *ret, struct err *why)
{
    (void)account, (void)turn, (void)reply, (void)ret, (void)why;
    asking = false;
    return true;
}

/* Called by the daemon while it handles an update of that chat. */
static uint32_t dies_in_one_chat(const void *account, struct str chat, uint32_t can)
{
    (void)account;
    if (str_is(chat, STR("boom")) || (asking && str_is(chat, STR("tea"))))
        _exit(DEATH);
    return can;
}

static void run_daemon(int64_t ms)
{
    struct loop *loop;
    if (!loop_fixture_try(&loop, &err))
        _exit(1);
    loop_fixture_until = loop_fixture_now + ms;
    while (loop_fixture_now < loop_fixture_until)
        if (!loop_turn(loop, 1000, &err))
            _exit(2);
    loop_close(loop);
}

/* One start; returns how it ended: 0 or DEATH. */
static int start(void)
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        run_daemon(8000);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    scratch_store_give_back();
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int64_t number_of(const char *sql)
{
    struct db *db;
    struct db_table t;
    struct arena *a = arena_open(1 << 20);
    OK(db_open(scratch_store(), &db, &err));
    OK(db->verbs->query(db, a, sql, 0, NULL, &t, &err));
    int64_t n = t.at[0].i;
    db->verbs->close(db);
    arena_close(a);
    return n;
}

FIXTURE(setup)
{
    fragile = wire_adapter;
    fragile.can_in = dies_in_one_chat;
    loop_fixture_begin(&(struct loop_fixture_options){.adapter = &fragile});
    return 0;
}

static int deaths_until_it_lives(void)
{
    int deaths = 0;
    while (deaths < STARTS && start() == DEATH)
        deaths++;
    return deaths;
}

TEST_WITH(the_update_that_kills_is_quarantined, setup, loop_fixture_teardown)
{
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    peer_types(loop_fixture_peer, "boom", "bo", "/ping two");
    peer_types(loop_fixture_peer, "salon", "cy", "/ping three");
    int64_t last = peer_types(loop_fixture_peer, "tea", "ann", "/ping four");
    assert_in_range(deaths_until_it_lives(), 2, 6);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong one"), 1);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong two"), 0);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong three"), 1);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong four"), 1);
    assert_int_equal(peer_confirmed(loop_fixture_peer), last + 1);
    assert_int_equal(number_of("SELECT COUNT(*) FROM quarantine"), 1);
    assert_int_equal(
        number_of(
            scratch_on_server()
                ? "SELECT COUNT(*) FROM quarantine WHERE position('ping two'::bytea IN raw) > 0"
                : "SELECT COUNT(*) FROM quarantine WHERE instr(raw, 'ping two') > 0"),
        1);
    peer_types(loop_fixture_peer, "tea", "ann", "/ping five");
    assert_int_equal(start(), 0);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong five"), 1);
    assert_int_equal(number_of("SELECT COUNT(*) FROM quarantine"), 1);
}

TEST_WITH(two_such_updates_in_one_batch, setup, loop_fixture_teardown)
{
    peer_types(loop_fixture_peer, "boom", "bo", "/ping one");
    peer_types(loop_fixture_peer, "tea", "ann", "/ping two");
    peer_types(loop_fixture_peer, "boom", "bo", "/ping three");
    assert_in_range(deaths_until_it_lives(), 2, 10);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong two"), 1);
    assert_int_equal(number_of("SELECT COUNT(*) FROM quarantine"), 2);
}

/* As `koikoi quarantine again` does it. */
static void want_again(int64_t row)
{
    struct store *beside;
    OK(store_open_beside(scratch_store(), &beside, &err));
    bool found = store_want_again(beside, row);
    assert_true(found);
    store_close(beside);
}

TEST_WITH(it_is_handled_again_once_it_ends_nothing, setup, loop_fixture_teardown)
{
    peer_types(loop_fixture_peer, "boom", "bo", "/ping two");
    assert_in_range(deaths_until_it_lives(), 2, 6);
    want_again(1);
    fragile.can_in = wire_adapter.can_in;
    assert_int_equal(start(), 0);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong two"), 1);
    assert_int_equal(number_of("SELECT COUNT(*) FROM quarantine"), 0);
    assert_int_equal(start(), 0);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong two"), 1);
}

TEST_WITH(one_that_still_kills_goes_back, setup, loop_fixture_teardown)
{
    peer_types(loop_fixture_peer, "boom", "bo", "/ping two");
    assert_in_range(deaths_until_it_lives(), 2, 6);
    want_again(1);
    peer_types(loop_fixture_peer, "tea", "ann", "/ping three");
    assert_in_range(deaths_until_it_lives(), 2, 6);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong two"), 0);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong three"), 1);
    assert_int_equal(number_of("SELECT COUNT(*) FROM quarantine WHERE again = 0"), 1);
    assert_int_equal(start(), 0);
}

/* Starts that found nothing to do do not count against the next update. */
TEST_WITH(starts_without_updates_do_not_count_as_attempts, setup, loop_fixture_teardown)
{
    for (int i = 0; i < 5; i++)
        assert_int_equal(start(), 0);
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    peer_types(loop_fixture_peer, "salon", "bo", "/ping two");
    assert_int_equal(start(), 0);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong one"), 1);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong two"), 1);
    assert_int_equal(number_of("SELECT COUNT(*) FROM quarantine"), 0);
}

/* A start that is careful is so with its first batch alone: an update that kills later counts from
 * its first death on. */
TEST_WITH(care_ends_with_the_first_batch, setup, loop_fixture_teardown)
{
    char mark[64];
    struct store *store;
    snprintf(mark, sizeof mark, "%lld 2 0 0", (long long)str_hash(STR("")));
    OK(store_open(scratch_store(), &store, &err));
    store_begin(store);
    store_set_meta(store, STR("attempt:1"), str_of(mark));
    OK(store_commit(store, &err));
    store_close(store);
    peer_hands_out(loop_fixture_peer, 1);
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    peer_types(loop_fixture_peer, "boom", "bo", "/ping two");
    assert_int_equal(deaths_until_it_lives(), 1 + 2 + 4);
}

/* While a start is careful nothing is asked beside the update that is handled: who kills at such a
 * request takes no press away. */
TEST_WITH(a_kill_at_a_request_beside_it_is_not_held_against_an_update, setup, loop_fixture_teardown)
{
    fragile.beside = ask_beside;
    fragile.beside_read = beside_told;
    peer_rule(loop_fixture_peer,
              (struct peer_rule){"setMyCommands", NULL, 9, .fault = PEER_IS_SILENT});
    peer_types(loop_fixture_peer, "tea", "ann", "/ping one");
    assert_in_range(deaths_until_it_lives(), 2, 3);
    assert_int_equal(number_of("SELECT COUNT(*) FROM quarantine"), 0);
    assert_int_equal(peer_asked(loop_fixture_peer, "sendMessage", "pong one"), 1);
    assert_in_range(peer_asked(loop_fixture_peer, "setMyCommands", NULL), 2, 4);
}
