/* What the operator asks and orders: figures, announcements, bans that each reading sees. */
#include "fixture/store_fixture.h"

#include "store_forget.h"
#include "store_operator.h"
#include "store_quarantine.h"

static void match(int64_t chat, bool live, int64_t ended)
{
    struct session_row row = {.version = 1,
                              .due = live ? 5 : 0,
                              .live = true,
                              .n_chats = 1,
                              .chat = {chat},
                              .line = STR("a match")};
    row.id = store_new_session(store_fixture, &row);
    row.version = 2;
    row.live = live;
    row.ended = ended;
    store_save(store_fixture, &row, 1);
}

/* Chats 1 and 2 play, 2 has two matches; 3 has played lately, 4 long ago. */
static void play(void)
{
    match(1, true, 0);
    match(2, true, 0);
    match(2, true, 0);
    match(3, false, 5000);
    match(4, false, 1000);
}

STORE_TEST(figures_count_what_runs)
{
    play();
    store_quarantine(store_fixture, 1, 1, STR("{}"), STR(""), STR("why"));
    store_set_ban(store_fixture, store_fixture_person(1, "ann").id, 7);
    struct store_status status = store_status(store_fixture, 5000);
    assert_int_equal(status.running, 3);
    assert_int_equal(status.chats, 2);
    assert_int_equal(status.waiting, 0);
    assert_int_equal(status.quarantined, 1);
    assert_int_equal(status.banned, 1);
    assert_int_equal(status.recent, 3);
}

STORE_TEST(an_announcement_reaches_each_chat_once)
{
    struct announcement next;
    bool found;
    play();
    store_announce(store_fixture, STR("Tea"), 9000, 5000);
    int64_t soonest = store_soonest_due(store_fixture);
    assert_int_equal(soonest, 5); /* the matches' own */
    for (int64_t chat = 1; chat <= 3; chat++) {
        found = GOT(next, store_announcement(store_fixture, store_fixture_arena, 9000));
        assert_true(found && next.chat == chat && str_is(next.text, STR("Tea")));
        store_drop_announcement(store_fixture, &next);
    }
    found = GOT(next, store_announcement(store_fixture, store_fixture_arena, 9000));
    assert_false(found);
}

STORE_TEST(one_that_is_put_off_comes_later)
{
    struct announcement next;
    match(3, false, 5000);
    store_announce(store_fixture, STR("Tea"), 9000, 5000);
    bool found = GOT(next, store_announcement(store_fixture, store_fixture_arena, 9000));
    assert_true(found);
    store_put_off_announcement(store_fixture, &next, 100);
    found = GOT(next, store_announcement(store_fixture, store_fixture_arena, 9099));
    assert_false(found);
    int64_t soonest = store_soonest_due(store_fixture);
    assert_int_equal(soonest, 9100);
    found = GOT(next, store_announcement(store_fixture, store_fixture_arena, 9100));
    assert_true(found && next.chat == 3);
}

/* People are kept in a cache: a ban is in it at once, and told once. */
STORE_TEST(a_ban_is_seen_at_once)
{
    struct person ann = store_fixture_person(1, "ann");
    struct people banned;
    assert_int_equal(ann.banned, 0);
    store_set_ban(store_fixture, ann.id, 7000);
    assert_int_equal(store_fixture_person(1, "ann").banned, 7000);
    store_set_ban_told(store_fixture, ann.id, 8000);
    assert_int_equal(store_fixture_person(1, "ann").ban_told, 8000);
    banned = store_banned(store_fixture, store_fixture_arena, 10);
    assert_true(banned.n == 1 && banned.at[0].id == ann.id);
    store_fixture_reopen();
    assert_int_equal(store_fixture_person(1, "ann").banned, 7000);
    store_set_ban(store_fixture, ann.id, 0);
    ann = store_fixture_person(1, "ann");
    assert_true(ann.banned == 0 && ann.ban_told == 0);
}

/* As seen by account: 1 telegram, 2 telegram.second, 3 matrix. */
static bool is_banned(int64_t account, const char *id)
{
    return store_fixture_person(account, id).banned > 0;
}

static void name_accounts(void)
{
    assert_int_equal(store_account(store_fixture, STR("telegram")), 1);
    assert_int_equal(store_account(store_fixture, STR("telegram.second")), 2);
    assert_int_equal(store_account(store_fixture, STR("matrix")), 3);
    assert_int_equal(store_account(store_fixture, STR("telegram.third")), 4);
}

STORE_TEST(a_ban_holds_for_the_id_on_every_account_of_the_network)
{
    name_accounts();
    struct person ann = store_fixture_person(1, "ann"), twin = store_fixture_person(2, "ann"),
                  anna = store_fixture_person(3, "anna");
    assert_int_equal(twin.who, ann.id);
    store_part(store_fixture, twin.id); /* unlinked before the ban */
    store_link(store_fixture, twin.id, anna.id);
    store_set_ban(store_fixture, ann.id, 7000);
    store_fixture_reopen();
    assert_true(is_banned(1, "ann") && is_banned(2, "ann"));
    assert_true(is_banned(3, "anna")); /* linked to that id */
    assert_true(is_banned(4, "ann"));  /* an account that is new */
    assert_false(is_banned(3, "ann")); /* another network's */
    store_set_ban(store_fixture, store_fixture_person(4, "ann").who, 0);
    assert_int_equal(store_account(store_fixture, STR("telegram.fourth")), 5); /* new again */
    for (int64_t account = 1; account <= 5; account++)
        assert_false(is_banned(account, "ann") || is_banned(account, "anna"));
}

STORE_TEST(a_ban_outlives_a_person_who_is_forgotten)
{
    name_accounts();
    struct person ann = store_fixture_person(1, "ann");
    store_set_ban(store_fixture, ann.id, 7000);
    struct people handles = store_handles(store_fixture, store_fixture_arena, ann.id);
    store_forget_handles(store_fixture, ann.id, &handles, STR("somebody"));
    assert_int_equal(store_status(store_fixture, 0).banned,
                     0); /* nobody whom the list could name */
    struct person back = store_fixture_person(1, "ann");
    assert_int_not_equal(back.id, ann.id);
    assert_int_equal(back.banned, 7000);
    assert_true(is_banned(2, "ann"));
    store_set_ban(store_fixture, back.id, 0);
    assert_false(is_banned(1, "ann") || is_banned(2, "ann"));
}

STORE_TEST(a_ban_of_a_handle_holds_for_the_id_it_gets)
{
    name_accounts();
    const struct sender named = {.handle = STR("ann")},
                        heard = {.id = STR("7"), .name = STR("Ann"), .handle = STR("ann")};
    struct person ann = store_person(store_fixture, store_fixture_arena, 1, &named);
    store_set_ban(store_fixture, ann.id, 7000);
    ann = store_person(store_fixture, store_fixture_arena, 1, &heard);
    assert_int_equal(ann.banned, 7000);
    assert_true(is_banned(2, "7"));
}
