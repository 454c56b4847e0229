/* Updates that come again: the same one is taken once, an id with another content is a new one, as
 * from a server put back from a backup; also if the daemon dies at any database call. */
#include "fixture/daemon_run.h"
#include "stride.h"

static void give(void)
{
    peer_types(daemon_run_peer, "tea", "ann", "/ping one");
    peer_goes_back(daemon_run_peer, 1);
    peer_types(daemon_run_peer, "den", "ann", "/ping two"); /* with the id of the first */
    peer_goes_back(daemon_run_peer, 0);
    peer_types(daemon_run_peer, "lair", "ann", "/ping three");
}

static void all_are_answered(void)
{
    static const char *const words[] = {"one", "two", "three"};
    int ignored;
    for (int i = 0; i < 2; i++)
        assert_true(daemon_run_whole(STR(""), DB_FAILS, 0, 0, &ignored));
    for (int i = 0; i < 3; i++) {
        int sure = 0, all = 0;
        for (int k = 0; k < peer_count(daemon_run_peer); k++) {
            struct peer_request r = peer_request(daemon_run_peer, k);
            bool said = strcmp(r.method, "sendMessage") == 0 && strstr(r.body, words[i]);
            all += said;
            sure += said && !strstr(r.body, "maybe_sent\":true");
        }
        assert_true(all > 0 && sure <= 1); /* what was attempted before a death says so */
    }
}

DAEMON_TEST(an_id_with_another_content_is_taken)
{
    give();
    all_are_answered();
}

static void dying(enum db_fault fault)
{
    bool died = true;
    int n = 1;
    for (; died; n += stride(11, 1)) {
        if (n > 1)
            daemon_run_end(), daemon_run_begin();
        give();
        died = daemon_run_dies(STR(""), fault, n);
        all_are_answered();
    }
    assert_true(n > 10);
}

DAEMON_TEST(dying_before_a_call_each_is_taken_once)
{
    dying(DB_DIES);
}

DAEMON_TEST(dying_after_a_call_each_is_taken_once)
{
    dying(DB_DIES_AFTER);
}
