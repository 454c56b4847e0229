/* Lessons: every prepared deal can be played by the engine's rules, deals what its row says, and
 * asks a question that has one right answer and at least one wrong one. What each lesson is about
 * holds in its position, counted here by the rules and not by the rows. */
#include "engine/test.h"
#include "fixture/session_fixture.h"

#include "choice.h"
#include "lesson.h"

struct lesson_position {
    const struct ruleset *g;
    struct match m, after;
    struct view v;
    uint8_t option[MAX_MOVES];
    int n, right; /* options; the index of the right one */
};

static struct lesson_position ask(int place)
{
    static struct ruleset made;
    struct rules r;
    struct lesson_position a = {.g = &made, .right = -1};
    lesson_rules(session_fixture_rules("standard"), &r);
    assert_null(rules_check(&r));
    ruleset_make(&r, &made);
    assert_true(lesson_position(a.g, place, false, &a.m));
    assert_true(lesson_position(a.g, place, true, &a.after));
    view_of(a.g, &a.m, 0, &a.v);
    a.n = choice_options(a.v.legal, a.v.n_legal, a.option);
    for (int i = 0; i < a.n; i++)
        if (lesson_is_answer(place, &a.v.legal[a.option[i]])) {
            assert_int_equal(a.right, -1);
            a.right = a.option[i];
        }
    return a;
}

static const struct move *right_move(const struct lesson_position *a)
{
    assert_true(a->right >= 0);
    return &a->v.legal[a->right];
}

TEST(every_question_has_one_right_answer_and_a_wrong_one)
{
    for (int place = 1; place <= LESSON_PLACES; place++) {
        struct lesson_position a = ask(place);
        assert_int_equal(a.v.turn, 0);
        assert_true(a.right >= 0);
        assert_true(a.n >= 2);
        struct match played = a.m;
        struct round_log log = {0};
        assert_int_equal(match_apply(a.g, &played, 0, *right_move(&a), &log), LEGAL);
        assert_memory_equal(&played.round.taken, &a.after.round.taken, sizeof played.round.taken);
    }
}

TEST(deals_are_as_their_rows_say)
{
    for (int place = 1; place <= LESSON_PLACES; place++) {
        const struct lesson *l = lesson_at(place);
        cardset named = 0;
        const char *const rows[] = {l->learner, l->other, l->field, l->stock};
        for (int i = 0; i < 4; i++)
            for (struct str rest = str_of(rows[i]), word = str_word(&rest); word.n > 0;
                 word = str_word(&rest)) {
                int card = card_read(word.p, word.n);
                assert_int_not_equal(card, CARD_NONE);
                assert_false(named & CARD(card)); /* no card twice */
                named |= CARD(card);
            }
        struct lesson_position a = ask(place);
        cardset seen = a.m.round.hand[0] | a.m.round.hand[1] | a.m.round.field |
                       a.m.round.taken[0] | a.m.round.taken[1];
        if (a.m.round.drawn != CARD_NONE)
            seen |= CARD(a.m.round.drawn);
        assert_int_equal(seen & ~named, 0); /* what is drawn by now is named, too */
    }
}

/* A card of the hand and what it takes share the month: the rule of lesson 1. */
TEST(the_first_answers_take_one_of_one_one_of_two_and_three)
{
    const int of_month[] = {1, 2, 3}, taken[] = {1, 1, 3};
    for (int place = 1; place <= 3; place++) {
        struct lesson_position a = ask(place);
        const struct move *m = right_move(&a);
        assert_int_equal(set_count(a.v.field & card_month_set(m->card)), of_month[place - 1]);
        assert_int_equal(set_count(m->take), taken[place - 1]);
    }
    struct lesson_position two = ask(2);
    assert_true(right_move(&two)->take & set_brights);
}

TEST(the_draw_asks_which_of_two)
{
    struct lesson_position a = ask(5);
    assert_int_equal(a.v.phase, PHASE_DRAW);
    assert_int_equal(a.n, 2);
    assert_int_equal(right_move(&a)->take, CARD(BUTTERFLIES));
}

/* Worths by the table of the rules: moon viewing 5, flower viewing 5; 7 or more counts twice. */
TEST(sets_and_stops_pay_what_the_rules_say)
{
    struct lesson_position set = ask(6);
    struct score score;
    score_pile(set.g, set.after.round.taken[0], false, &score);
    assert_int_equal(score.worth[YAKU_TSUKIMI], 5);
    assert_int_equal(score.base, 5);
    struct lesson_position call = ask(7);
    assert_int_equal(call.v.phase, PHASE_DECIDE);
    assert_int_equal(right_move(&call)->kind, MOVE_KOIKOI);
    assert_int_equal(call.v.taken[1], 0); /* "has taken nothing so far" */
    assert_true(call.v.field & CARD(CURTAIN));

    struct lesson_position stop = ask(9);
    assert_int_equal(right_move(&stop)->kind, MOVE_STOP);
    assert_int_equal(set_count(stop.v.hand), 1);
    assert_int_equal(stop.after.last.points, (5 + 5) * 2);
    assert_int_equal(stop.after.last.x[X_SEVEN_PLUS], 2);
}

TEST(the_other_players_call_doubles)
{
    struct lesson_position a = ask(11);
    assert_int_equal(a.v.koikoi[1], 1);
    assert_int_equal(right_move(&a)->kind, MOVE_STOP);
    assert_int_equal(a.after.last.points, 5 * 2);
    assert_int_equal(a.after.last.x[X_OPPONENT_KOIKOI], 2);
    assert_int_equal(a.after.last.x[X_SEVEN_PLUS], 1);
}

/* The other player lacks one card of boar, deer, butterflies; the wrong capture leaves it there. */
TEST(the_last_answer_takes_what_the_other_player_needs)
{
    struct lesson_position a = ask(LESSON_PLACES);
    cardset trio = CARD(BOAR) | CARD(DEER) | CARD(BUTTERFLIES);
    assert_int_equal(set_count(a.v.taken[1] & trio), 2);
    assert_true(a.after.round.taken[0] & trio & ~a.v.taken[1]);
}

/* Where a host has no preset `standard`, the usual rules take its place. */
TEST(every_preset_can_stand_in_for_standard)
{
    for (int i = 0; i < SESSION_FIXTURE_PRESETS; i++) {
        struct rules r;
        static struct ruleset g;
        struct match m;
        struct move moves[MAX_MOVES];
        lesson_rules(&session_fixture_presets[i], &r);
        assert_null(rules_check(&r));
        ruleset_make(&r, &g);
        for (int place = 1; place <= LESSON_PLACES; place++) {
            assert_true(lesson_position(&g, place, true, &m));
            assert_true(lesson_position(&g, place, false, &m));
            int n = round_legal(&g, &m.round, 0, moves), right = 0;
            for (int k = 0; k < n; k++) {
                assert_int_not_equal(moves[k].kind, MOVE_DECLARE);
                assert_int_not_equal(moves[k].kind, MOVE_REDEAL);
                right += lesson_is_answer(place, &moves[k]);
            }
            assert_int_equal(right, 1);
        }
    }
}

TEST(rules_without_the_sets_are_noticed)
{
    struct rules r;
    static struct ruleset g;
    struct match m;
    lesson_rules(session_fixture_rules("standard"), &r);
    r.yaku[YAKU_TSUKIMI] = 0;
    ruleset_make(&r, &g);
    assert_false(lesson_position(&g, 7, false, &m));
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
