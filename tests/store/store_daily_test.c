/* What comes daily: posts of a chat, duels and the tries at them, the matches of a week. */
#include "fixture/store_fixture.h"

#include "store_chat.h"
#include "store_duel.h"
#include "store_forget.h"
#include "store_played.h"
#include "store_people.h"
#include "store_puzzle.h"
#include "store_season.h"

enum { TEA = 1, DEN = 2, PLAYED = 1, GAVE_UP = 2 };

/* Chats of the first and the second account. */
static void two_chats(void)
{
    static const char *const names[] = {"tea", "den"};
    for (int i = 0; i < 2; i++) {
        int64_t account = store_account(store_fixture, str_of(names[i]));
        assert_int_equal(account, i + 1);
        assert_int_equal(store_chat(store_fixture, store_fixture_arena, account, str_of(names[i]),
                                    STR(""), false)
                             .id,
                         i ? DEN : TEA);
    }
}

static int64_t person(const char *id)
{
    return store_fixture_person(1, id).id;
}

static void add_try(int64_t chat, int64_t day, int64_t who, int64_t session)
{
    store_add_duel_try(
        store_fixture,
        &(struct duel_try_row){.chat = chat, .day = day, .handle = who, .session = session});
}

STORE_TEST(a_duel_is_due_until_it_is_over)
{
    struct duel_row row = {
        .chat = TEA, .due = 500, .day = 20, .seed = STR("ab"), .rules = STR("r")};
    assert_int_equal(store_duel(store_fixture, store_fixture_arena, TEA).day, 0);
    store_set_duel(store_fixture, &row);
    store_fixture_reopen();
    assert_int_equal(store_duel_due(store_fixture, store_fixture_arena, 499).chat, 0);
    row = store_duel_due(store_fixture, store_fixture_arena, 500);
    assert_int_equal(row.chat, TEA);
    assert_string_equal(arena_str(store_fixture_arena, row.seed).p, "ab");
    row.due = 0;
    store_set_duel(store_fixture, &row);
    assert_int_equal(store_duel_due(store_fixture, store_fixture_arena, 9999).chat, 0);
}

STORE_TEST(tries_stand_best_first_without_banned_people)
{
    two_chats();
    int64_t ann = person("ann"), bo = person("bo"), kei = person("kei"), dee = person("dee");
    const int64_t who[] = {ann, bo, kei, dee};
    for (int i = 0; i < 4; i++)
        add_try(TEA, 20, who[i], 100 + i);
    add_try(TEA, 19, ann, 90);
    add_try(DEN, 20, ann, 110);
    assert_int_equal(store_duel_open_try(store_fixture, TEA), 90);
    store_end_duel_try(store_fixture, 90, PLAYED, 3);
    store_end_duel_try(store_fixture, 100, PLAYED, -4);
    store_end_duel_try(store_fixture, 101, GAVE_UP, 50);
    store_end_duel_try(store_fixture, 102, PLAYED, 12);
    store_end_duel_try(store_fixture, 103, PLAYED, 30);
    assert_int_equal(store_duel_open_try(store_fixture, TEA), 0);
    assert_int_equal(store_duel_chat(store_fixture, 110), DEN);
    store_set_ban(store_fixture, dee, 1);
    struct duel_try_rows rows = store_duel_tries(store_fixture, store_fixture_arena, TEA, 20);
    assert_int_equal(rows.n, 3);
    assert_int_equal(rows.at[0].who, kei);
    assert_int_equal(rows.at[1].who, ann);
    assert_int_equal(rows.at[2].who, bo);
    rows = store_duel_tries_of(store_fixture, store_fixture_arena, TEA, ann, 20);
    assert_int_equal(rows.n, 2);
    assert_int_equal(rows.at[0].day, 20);
    assert_int_equal(store_duel_tries_of(store_fixture, store_fixture_arena, 0, ann, 20).n, 3);
    assert_int_equal(store_daily_people(store_fixture, store_fixture_arena, TEA, 20).n, 3);
}

/* On a network where a puzzle is answered in private, the solvers of a chat are those who play
 * there, by whichever of their handles. */
STORE_TEST(who_plays_here_and_answers_elsewhere_is_of_the_chat)
{
    enum { PRIVATE = 9 };
    const int64_t
        tea = store_chat(store_fixture, store_fixture_arena, 1, STR("tea"), STR("Tea"), false).id,
        den = store_chat(store_fixture, store_fixture_arena, 1, STR("den"), STR("Den"), false).id;
    int64_t ann = person("ann"), bo = person("bo"), kei = person("kei"), dee = person("dee");
    const int64_t who[] = {ann, bo, kei, dee};
    for (int i = 0; i < 4; i++) /* dee's is too old */
        store_add_puzzle_answer(store_fixture, &(struct puzzle_answer){.day = i < 3 ? 20 : 19,
                                                                       .handle = who[i],
                                                                       .answer = 1,
                                                                       .solved = 1,
                                                                       .chat = PRIVATE});
    store_fixture_result(tea, "all", ann, (struct tally){.won = 1});
    store_fixture_result(den, "all", bo, (struct tally){.won = 1});
    store_fixture_result(tea, "all", dee, (struct tally){.won = 1});
    struct named_rows rows = store_daily_people(store_fixture, store_fixture_arena, tea, 20);
    assert_int_equal(rows.n, 1);
    assert_int_equal(rows.at[0].who, ann);
    store_link(store_fixture, dee, kei); /* kei's answer is dee's now */
    rows = store_daily_people(store_fixture, store_fixture_arena, tea, 20);
    assert_int_equal(rows.n, 2);
    assert_int_equal(rows.at[1].who, dee);
    rows = store_puzzle_solvers(store_fixture, store_fixture_arena, 20, tea, 10);
    assert_int_equal(rows.n, 2);
}

/* Kei has a handle on each account: each has its answers, and tries are in chats of either. */
STORE_TEST(answers_and_tries_of_a_person_are_those_of_every_handle)
{
    two_chats();
    const int64_t kei = person("kei"), other = store_fixture_person(2, "kei").id;
    store_link(store_fixture, kei, other);
    const int64_t handle[] = {other, kei, other};
    for (int i = 0; i < 3; i++) {
        store_add_puzzle_answer(store_fixture,
                                &(struct puzzle_answer){.day = 20 + i / 2,
                                                        .handle = handle[i],
                                                        .answer = 1 + i,
                                                        .solved = 1,
                                                        .chat = handle[i] == kei ? TEA : DEN,
                                                        .at = 100 + i});
        add_try(TEA, 20 + i, handle[i], 200 + i);
    }
    assert_int_equal(store_puzzle_answer(store_fixture, store_fixture_arena, 20, kei)->answer, 1);
    assert_int_equal(store_puzzle_answer(store_fixture, store_fixture_arena, 21, kei)->answer, 3);
    assert_int_equal(store_puzzle_answers(store_fixture, store_fixture_arena, kei, 22).n, 3);
    assert_int_equal(store_puzzle_count(store_fixture, 20).solved, 2);
    for (int i = 0; i < 3; i++) { /* of matches that are kept elsewhere */
        store_end_duel_try(store_fixture, 200 + i, PLAYED, i);
        assert_int_equal(store_duel_chat(store_fixture, 200 + i), TEA);
    }
    assert_int_equal(store_duel_open_try(store_fixture, TEA), 0);
    assert_int_equal(store_duel_tries_of(store_fixture, store_fixture_arena, TEA, kei, 22).n, 3);
    assert_int_equal(store_duel_tries_of(store_fixture, store_fixture_arena, DEN, kei, 22).n, 0);
    store_part(store_fixture, other);
    assert_int_equal(store_puzzle_answers(store_fixture, store_fixture_arena, kei, 22).n, 1);
    assert_int_equal(store_duel_tries_of(store_fixture, store_fixture_arena, 0, other, 22).n, 2);
    const struct people forgotten = {
        1, (struct person[]){*store_person_by_id(store_fixture, store_fixture_arena, other)}};
    store_forget_handles(store_fixture, other, &forgotten, STR("somebody"));
    assert_int_equal(store_puzzle_answers(store_fixture, store_fixture_arena, other, 22).n, 0);
    assert_int_equal(store_duel_tries_of(store_fixture, store_fixture_arena, 0, other, 22).n, 0);
    assert_int_equal(store_puzzle_answers(store_fixture, store_fixture_arena, kei, 22).n, 1);
    assert_int_equal(store_duel_tries(store_fixture, store_fixture_arena, TEA, 21).n, 1);
}

/* Where they have no try yet comes first. */
STORE_TEST(a_person_finds_the_duel_of_their_chat)
{
    two_chats();
    int64_t ann = person("ann");
    struct duel_row row = {
        .chat = TEA, .due = 500, .day = 20, .seed = STR("ab"), .rules = STR("r")};
    store_set_duel(store_fixture, &row);
    assert_int_equal(store_duel_of_person(store_fixture, ann), 0);
    store_fixture_result(TEA, "all", ann, (struct tally){.won = 1});
    assert_int_equal(store_duel_of_person(store_fixture, ann), TEA);
    row.chat = DEN;
    row.due = 900;
    store_set_duel(store_fixture, &row);
    add_try(DEN, 19, ann, 1);
    assert_int_equal(store_duel_of_person(store_fixture, ann), TEA);
    add_try(TEA, 20, ann, 2);
    assert_int_equal(store_duel_of_person(store_fixture, ann), DEN);
}

STORE_TEST(a_week_counts_its_own_days)
{
    int64_t ann = person("ann"), bo = person("bo");
    for (int day = 10; day < 20; day++)
        for (int seat = 0; seat < 2; seat++)
            store_add_played(store_fixture,
                             &(struct played){.chat = TEA,
                                              .session = day,
                                              .seat = seat,
                                              .person = seat ? bo : ann,
                                              .day = day,
                                              .casual = day == 15,
                                              .tally.won = (day % 3 == 0) != seat,
                                              .tally.lost = (day % 3 == 0) == seat,
                                              .tally.points = seat ? -2 : 2},
                             1);
    struct standings week =
        store_standings_of_days(store_fixture, store_fixture_arena, TEA, 12, 19, 10);
    assert_int_equal(week.n, 2);
    assert_int_equal(week.at[0].person, bo); /* ann won on 12 and 18; 15 was casual */
    assert_int_equal(week.at[0].tally.won, 4);
    assert_int_equal(week.at[1].tally.won, 2);
    assert_int_equal(week.at[1].tally.points, 12);
    assert_int_equal(week.at[1].place, 2);
}

STORE_TEST(a_post_is_due_at_its_time)
{
    store_set_daily_post(store_fixture, &week_posts, &(struct daily_post){TEA, 500, 0});
    assert_int_equal(store_daily_due(store_fixture, &week_posts, 499).chat, 0);
    assert_int_equal(store_daily_due(store_fixture, &week_posts, 500).chat, TEA);
}
