/* What was read must have been read: a message on the strength of a read that failed ends the
 * process before anything is stored, in every build. */
#include "engine/test.h"
#include "fixture/outbox_fixture.h"

#include "db_open.h"
#include "wire_adapter.h"

#include <sys/wait.h>
#include <unistd.h>

static struct err err;
static struct wire wire;
static struct account account;

static int setup(void **state)
{
    (void)state;
    if (outbox_fixture_begin() != 0)
        return 1;
    wire = (struct wire){.limits = wire_adapter.limits};
    account = wire_account(&wire);
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

/* The exit status of a process that reads a chat and then pushes a message. */
static int read_and_push(void)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct outgoing out = {
            .kind = OUT_POST, .where = TO_CHAT, .chat = STR("c1"), .text = STR("it was read")};
        (void)!freopen("/dev/null", "w", stderr);
        store_begin(outbox_fixture_store);
        (void)store_chat_by_id(outbox_fixture_store, outbox_fixture_turn, 1);
        outbox_push(outbox_fixture, &account, &out);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

TEST_WITH(nothing_is_pushed_on_the_strength_of_a_read_that_failed, setup, teardown)
{
    struct db *db;
    int status = read_and_push();
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    OK(db_open_beside(scratch_store(), true, &db, &err));
    OK(db->verbs->script(db, STR("DROP TABLE chat"), &err));
    db->verbs->close(db);
    status = read_and_push();
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}
