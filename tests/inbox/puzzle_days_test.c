/* Runs of days of puzzles. */
#include "fixture/store_fixture.h"
#include "inbox_puzzle.h"
#include "store_season.h"

static int64_t newcomer(const char *id)
{
    const struct sender who = {.id = str_of(id), .name = str_of(id)};
    struct person p = store_person(store_fixture, store_fixture_arena, 1, &who);
    return p.id;
}

static void answers(int64_t handle, int64_t day, bool solved)
{
    const struct puzzle_answer a = {
        .day = day, .handle = handle, .answer = 1, .at = day * 1000 + handle, .solved = solved};
    store_add_puzzle_answer(store_fixture, &a);
}

static struct puzzle_record record_before(int64_t who, int64_t day)
{
    return puzzle_record_load(store_fixture, store_fixture_arena, who, day);
}

static void record_is(struct puzzle_record r, int64_t answered, int64_t solved, int64_t run,
                      int64_t longest)
{
    assert_int_equal(r.answered, answered);
    assert_int_equal(r.solved, solved);
    assert_int_equal(r.run, run);
    assert_int_equal(r.longest, longest);
}

STORE_TEST(a_run_counts_days_in_a_row_without_the_open_one)
{
    int64_t ann = newcomer("ann");
    record_is(record_before(ann, 100), 0, 0, 0, 0);
    for (int64_t day = 90; day <= 94; day++)
        answers(ann, day, true);
    answers(ann, 95, false);
    answers(ann, 97, true);
    answers(ann, 98, true);
    answers(ann, 99, true);
    record_is(record_before(ann, 99), 8, 7, 2, 5); /* 99 is open: it gives nothing away */
    record_is(record_before(ann, 100), 9, 8, 3, 5);
    record_is(record_before(ann, 101), 9, 8, 0, 5); /* 100 was missed */
    record_is(record_before(ann, 96), 6, 5, 0, 5);  /* 95 was wrong */
    record_is(record_before(ann, 95), 5, 5, 5, 5);
}

STORE_TEST(linked_handles_are_one_person_and_the_first_answer_counts)
{
    int64_t bo = newcomer("bo"), other = newcomer("bo-elsewhere");
    answers(bo, 50, true);
    answers(other, 51, true);
    store_link(store_fixture, bo, other);
    record_is(record_before(bo, 52), 2, 2, 2, 2);
    answers(bo, 52, true);
    answers(other, 52, false); /* later */
    record_is(record_before(bo, 53), 3, 3, 3, 3);
}

STORE_TEST(an_answer_is_one_a_day)
{
    const struct puzzle_answer again = {.day = 7, .answer = 2, .at = 8};
    struct puzzle_answer a = again;
    a.handle = newcomer("cy");
    answers(a.handle, 7, true);
    store_add_puzzle_answer(store_fixture, &a);
    store_fixture_fails("");
}

STORE_TEST(posts_of_puzzles_are_no_others)
{
    store_set_daily_post(store_fixture, &week_posts, &(struct daily_post){7, 500, 0});
    assert_int_equal(store_daily_due(store_fixture, &puzzle_posts, 500).chat, 0);
    store_set_daily_post(store_fixture, &puzzle_posts, &(struct daily_post){8, 400, 0});
    assert_int_equal(store_daily_due(store_fixture, &puzzle_posts, 500).chat, 8);
    assert_int_equal(store_daily_due(store_fixture, &week_posts, 500).chat, 7);
}
