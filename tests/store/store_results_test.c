/* What matches leave behind, with people and chats of several accounts: a row of a chat is kept under
 * the chat's account, one of all chats together under its handle's, and found by every handle of the
 * person. */
#include "fixture/store_fixture.h"

#include "store_played.h"
#include "store_rating.h"
#include "store_season.h"

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
                                    .tally.won = 1,
                                    .accuracy = NO_ACCURACY},
                                   {.chat = chat,
                                    .session = sessions,
                                    .seat = 1,
                                    .person = other,
                                    .tally.lost = 1,
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

/* ---- what is counted from them ---- */

static int64_t counted(int64_t chat, int64_t who)
{
    struct count_rows rows = store_counts(store_fixture, store_fixture_arena, chat, who);
    int64_t n = 0;
    for (int i = 0; i < rows.n; i++)
        n += rows.at[i].n;
    return n;
}

static int64_t met(int64_t chat, int64_t who, int64_t other)
{
    struct pairings rows =
        store_pairings(store_fixture, store_fixture_arena, chat, STR("all"), who, other, 10);
    int64_t n = 0;
    for (int i = 0; i < rows.n; i++)
        n += rows.at[i].tally.won;
    return n;
}

static int64_t rated_matches(int64_t chat, int64_t who)
{
    const struct rating_row *row = store_rating_of(store_fixture, store_fixture_arena, chat, who);
    return row ? row->matches : 0;
}

/* Wins of n by a handle against the other. */
static void wins(int64_t chat, int64_t handle, int64_t other, int64_t n)
{
    const struct tally t = {.won = n};
    store_fixture_result(chat, "all", handle, t);
    store_add_pairing(store_fixture, chat, STR("all"), handle, other, t);
    store_count(store_fixture, chat, handle, STR("won/standard"), n);
    const struct rating_row *row = store_rating(store_fixture, store_fixture_arena, chat, handle);
    struct rating_row now =
        row ? *row : (struct rating_row){.chat = chat, .person = handle, .season = STR("all")};
    now.matches += n;
    store_set_rating(store_fixture, &now);
}

static int64_t won(int64_t chat, int64_t who)
{
    const struct standing *own =
        store_standing(store_fixture, store_fixture_arena, chat, STR("all"), who);
    return own ? own->tally.won : 0;
}

/* All four of the same wins; of a rating that of the handle with the most matches counts. */
static void have(int64_t chat, int64_t who, int64_t n, int64_t rated)
{
    assert_int_equal(won(chat, who), n);
    assert_int_equal(met(chat, who, 0), n);
    assert_int_equal(counted(chat, who), n);
    assert_int_equal(rated_matches(chat, who), rated);
}

STORE_TEST(sums_of_all_chats_are_those_of_every_handle)
{
    people();
    for (int time = 0; time < 2; time++) {
        wins(EVERY_CHAT, ann.id, zoe.id, 1);
        wins(EVERY_CHAT, anna.id, bo.id, 2);
        wins(EVERY_CHAT, bo.id, 0, 4);
        wins(EVERY_CHAT, 0, bo.id, 8);
    }
    have(EVERY_CHAT, ann.id, 6, 4);
    assert_int_equal(won(EVERY_CHAT, bo.id), 8); /* of the computer, which nobody meets */
    assert_int_equal(met(EVERY_CHAT, bo.id, 0), 0);
    assert_int_equal(met(EVERY_CHAT, ann.id, bo.id), 4);
    assert_int_equal(store_add_rated_pair(store_fixture, EVERY_CHAT, zoe.id, ann.id, 7), 0);
    assert_int_equal(store_add_rated_pair(store_fixture, EVERY_CHAT, ann.id, zoe.id, 7), 1);
    store_part(store_fixture, anna.id);
    have(EVERY_CHAT, ann.id, 2, 2);
    have(EVERY_CHAT, anna.id, 4, 4);
    store_uncount(store_fixture, EVERY_CHAT);
    have(EVERY_CHAT, ann.id, 0, 0);
    have(EVERY_CHAT, anna.id, 0, 0);
}

/* A chat of the second account, and one that it takes over. */
STORE_TEST(sums_of_a_chat_that_goes_are_those_of_the_other)
{
    people();
    int64_t to =
                store_chat(store_fixture, store_fixture_arena, 2, STR("tea"), STR("Tea"), false).id,
            from =
                store_chat(store_fixture, store_fixture_arena, 2, STR("den"), STR("Den"), false).id;
    store_begin(store_fixture);
    wins(to, ann.id, zoe.id, 1);
    wins(from, ann.id, zoe.id, 2);
    wins(from, zoe.id, bo.id, 4);
    match(from, ann.id, zoe.id);
    have(to, ann.id, 1, 1);
    have(from, ann.id, 2, 2);
    assert_true(store_move_chat(store_fixture, 2, STR("tea"), STR("den")));
    have(to, zoe.id, 4, 4);
    assert_int_equal(won(to, ann.id), 3);
    assert_int_equal(met(to, ann.id, zoe.id), 3);
    assert_int_equal(counted(to, ann.id), 3);
    assert_string_equal(found(to, ann.id, 0), "1");
    have(from, ann.id, 0, 0);
    store_uncount(store_fixture, to);
    have(to, ann.id, 0, 0);
    struct err err;
    OK(store_commit(store_fixture, &err));
}
