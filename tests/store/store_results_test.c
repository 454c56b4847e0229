/* What matches leave behind, with people and chats of several accounts: a row of a chat is kept under
 * the chat's account, one of all chats together under its handle's, and found by every handle of the
 * person. */
#include "fixture/store_fixture.h"

#include "store_played.h"

static struct person ann, anna, bo, zoe;
static int64_t sessions;

/* Ann has a handle on each of two accounts, Bo and Zoe one on the first and the second. */
static void people(void)
{
    sessions = 0;
    (void)store_account(store_fixture, STR("one"));
    (void)store_account(store_fixture, STR("two"));
    ann = store_fixture_person(1, "ann");
    anna = store_fixture_person(2, "anna");
    bo = store_fixture_person(1, "bo");
    zoe = store_fixture_person(2, "zoe");
    store_link(store_fixture, ann.id, anna.id);
}

/* Of the next session; 0 is the computer. */
static void match(int64_t chat, int64_t one, int64_t other)
{
    const struct played rows[2] = {{.chat = chat,
                                    .session = ++sessions,
                                    .seat = 0,
                                    .person = one,
                                    .won = 1,
                                    .accuracy = NO_ACCURACY},
                                   {.chat = chat,
                                    .session = sessions,
                                    .seat = 1,
                                    .person = other,
                                    .lost = 1,
                                    .accuracy = NO_ACCURACY}};
    store_add_played(store_fixture, rows, 2);
}

/* "3 2 1": the sessions in which the person has rows. */
static const char *found(int64_t chat, int64_t who, int64_t other)
{
    static char text[64];
    struct buf b = BUF(text);
    struct played_rows rows =
        store_played_of(store_fixture, store_fixture_arena, chat, who, other, INT64_MAX, 10);
    for (int i = 0; i < rows.n; i++)
        buf_print(&b, "%s%lld", i ? " " : "", (long long)rows.at[i].session);
    buf_char(&b, '\0');
    return text;
}

STORE_TEST(matches_of_all_chats_are_found_by_every_handle)
{
    people();
    match(EVERY_CHAT, ann.id, zoe.id);
    match(EVERY_CHAT, anna.id, zoe.id);
    match(EVERY_CHAT, 0, ann.id);
    match(EVERY_CHAT, bo.id, zoe.id);
    match(EVERY_CHAT, anna.id, bo.id);
    assert_string_equal(found(EVERY_CHAT, ann.id, 0), "5 3 2 1");
    assert_string_equal(found(EVERY_CHAT, ann.id, zoe.id), "2 1");
    assert_string_equal(found(EVERY_CHAT, zoe.id, ann.id), "2 1");
    assert_string_equal(found(EVERY_CHAT, bo.id, 0), "5 4");
    store_part(store_fixture, anna.id);
    assert_string_equal(found(EVERY_CHAT, ann.id, 0), "3 1");
    assert_string_equal(found(EVERY_CHAT, anna.id, 0), "5 2");
}

STORE_TEST(a_match_between_accounts_is_whole)
{
    people();
    match(EVERY_CHAT, ann.id, zoe.id);
    match(EVERY_CHAT, 0, zoe.id);
    for (int session = 1; session <= 2; session++) {
        struct played_rows rows =
            store_played_match(store_fixture, store_fixture_arena, EVERY_CHAT, session);
        assert_int_equal(rows.n, 2);
        for (int i = 0; i < 2; i++) {
            rows.at[i].accuracy = 100 * session + i;
            store_set_accuracy(store_fixture, &rows.at[i]);
        }
    }
    struct played_rows all =
        store_played_after(store_fixture, store_fixture_arena, EVERY_CHAT, 0, 10);
    assert_int_equal(all.n, 4);
    for (int i = 0; i < all.n; i++)
        assert_int_equal(all.at[i].accuracy, 100 * all.at[i].session + all.at[i].seat);
}

/* Chats of two accounts, each with a match of the same people. */
STORE_TEST(matches_of_a_chat_are_its_own)
{
    int64_t chat[2];
    people();
    for (int i = 0; i < 2; i++) {
        chat[i] =
            store_chat(store_fixture, store_fixture_arena, i + 1, STR("tea"), STR("Tea"), false).id;
        match(chat[i], ann.id, zoe.id);
        match(chat[i], anna.id, 0);
    }
    assert_string_equal(found(chat[0], ann.id, 0), "2 1");
    assert_string_equal(found(chat[1], ann.id, 0), "4 3");
    assert_string_equal(found(chat[1], zoe.id, ann.id), "3");
    for (int i = 0; i < 2; i++) {
        struct played_rows rows =
            store_played_after(store_fixture, store_fixture_arena, chat[i], 0, 10);
        assert_int_equal(rows.n, 4);
        rows = store_played_match(store_fixture, store_fixture_arena, chat[i], 2 * i + 2);
        assert_int_equal(rows.n, 2);
        rows = store_played_match(store_fixture, store_fixture_arena, chat[i], 2 * (1 - i) + 2);
        assert_int_equal(rows.n, 0);
    }
}
