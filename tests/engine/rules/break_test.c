/* Breaks in a match: the first of three leaves and the others play on, a draw by agreement, and
 * moves that are taken back. */
#include "test.h"
#include "presets.h"
#include "rounds.h"
#include "table.h"
#include "notation.h"

#include <string.h>

static const struct ruleset *three(int rounds)
{
    struct rules r = presets[PRESET_MONGOLOPEDIA];
    r.rounds = (uint8_t)rounds;
    r.n_rounds_allowed = 1;
    r.rounds_allowed[0] = (uint8_t)rounds;
    return ready(0, &r);
}

/* What is stored of the match reads back as the same. */
static void check_line(const struct ruleset *g, const struct match *m)
{
    char line[NOTATION_MAX], again[NOTATION_MAX];
    struct match back;
    int n = notation_match(m, line), bad = notation_read_match(g, line, (size_t)n, &back);
    if (bad >= 0)
        fail_msg("refused at %d: %s", bad, line);
    notation_match(&back, again);
    assert_string_equal(line, again);
}

static struct move some_move(const struct ruleset *g, const struct match *m, struct rng *c)
{
    struct move moves[MAX_MOVES];
    int n = round_legal(g, &m->round, m->round.turn, moves);
    return moves[rng_next(c) % (uint64_t)n];
}

static void play_to_the_end(const struct ruleset *g, struct match *m, struct rng *c)
{
    while (m->stage != MATCH_OVER) {
        check_line(g, m);
        if (m->stage == MATCH_READY) {
            deal_next(g, m, c);
        } else {
            assert_int_equal(match_apply(g, m, m->round.turn, some_move(g, m, c), NULL), LEGAL);
        }
    }
    check_line(g, m);
}

TEST(the_left_seat_plays_on_and_cannot_win)
{
    struct rng c = rng_seed(5);
    int best_cannot = 0;
    for (int i = 0; i < 60; i++) {
        const struct ruleset *g = three(1 + i % 4);
        struct round_log log;
        struct match m;
        match_start(&g->rules, 3, 0, &m);
        if (i % 2) {
            deal_next(g, &m, &c);
        }
        enum match_stage stage = m.stage;
        if (stage == MATCH_OVER)
            continue;
        match_go_on(&m, i % 3, &log);
        assert_int_equal(m.stage, stage);
        assert_int_equal(log.n, 1);
        assert_int_equal(log.at[0].kind, LOG_LEAVE);
        assert_int_equal(log.at[0].what, 1);
        assert_int_equal(match_contenders(&m), 7 & ~(1 << i % 3));
        play_to_the_end(g, &m, &c);
        int other = (i + 1) % 3, third = (i + 2) % 3;
        assert_int_equal(m.why, MATCH_ROUNDS);
        assert_int_equal(m.winner, m.scores[other] > m.scores[third]   ? other
                                   : m.scores[other] < m.scores[third] ? third
                                                                       : -1);
        best_cannot += m.scores[i % 3] > m.scores[other] && m.scores[i % 3] > m.scores[third];
    }
    assert_true(best_cannot > 5);
}

TEST(a_second_leaver_makes_the_last_one_the_winner)
{
    const struct ruleset *g = three(3);
    struct match m;
    match_start(&g->rules, 3, 0, &m);
    memcpy(m.scores, (int32_t[]){30, 20, 10}, sizeof m.scores);
    match_go_on(&m, 0, NULL);
    match_leave(g, &m, 1, NULL);
    assert_int_equal(m.why, MATCH_LEAVE);
    assert_int_equal(m.winner, 2);
}

/* At level scores of the others extra rounds go on, whatever the left seat has. */
TEST(extra_rounds_are_between_those_who_stayed)
{
    struct rules r = three(1)->rules;
    struct rng c = rng_seed(9);
    struct match m;
    r.tie_break = TIE_EXTRA_ROUND;
    const struct ruleset *g = ready(1, &r);
    for (int i = 0; i < 40; i++) {
        match_start(&g->rules, 3, 0, &m);
        match_go_on(&m, 0, NULL);
        m.scores[0] = 50;
        while (m.stage == MATCH_READY) {
            deal_next(g, &m, &c);
            while (m.stage == MATCH_PLAYING)
                match_apply(g, &m, m.round.turn, some_move(g, &m, &c), NULL);
            assert_int_equal(m.stage == MATCH_OVER,
                             m.round.void_why == VOID_NONE && m.scores[1] != m.scores[2]);
        }
        assert_int_equal(m.winner, m.scores[1] > m.scores[2] ? 1 : 2);
    }
}

TEST(an_agreed_draw_has_no_winner_and_pays_nothing)
{
    const struct ruleset *g = preset(PRESET_SENSEI);
    struct rng c = rng_seed(3);
    struct round_log log;
    struct match m;
    match_start(&g->rules, 2, 0, &m);
    memcpy(m.scores, (int32_t[]){130, 70}, 2 * sizeof m.scores[0]);
    match_agree(g, &m, 1, &log); /* between rounds */
    assert_int_equal(m.stage, MATCH_OVER);
    assert_int_equal(m.why, MATCH_AGREED);
    assert_int_equal(m.winner, -1);
    logged(&log, 1, LOG_AGREE);
    check_line(g, &m);
    match_start(&g->rules, 2, 0, &m);
    do {
        deal_next(g, &m, &c);
    } while (m.stage != MATCH_PLAYING);
    match_agree(g, &m, 0, &log);
    assert_int_equal(m.why, MATCH_AGREED);
    assert_int_equal(m.winner, -1);
    assert_int_equal(m.last.why, WHY_LEAVE);
    assert_int_equal(m.last.winner, -1);
    assert_int_equal(m.scores[0], 100);
    assert_int_equal(log.n, 2);
    assert_int_equal(log.at[0].kind, LOG_AGREE);
    assert_int_equal(log.at[0].seat, 0);
    assert_int_equal(log.at[1].kind, LOG_END);
    check_line(g, &m);
}

/* Taking back leads to exactly the states in which a player was to act, and nowhere else. */
TEST(every_decision_can_be_taken_back)
{
    static struct match was[MAX_SEEN + 1];
    struct rng c = rng_seed(77);
    int back = 0, nowhere = 0;
    for (int i = 0; i < 80; i++) {
        struct rules r = i < 2 * N_PRESETS ? presets[i % N_PRESETS] : random_rules(&c);
        const struct ruleset *g = ready(0, &r);
        bool decided[MAX_SEEN + 1] = {false};
        struct match m;
        match_start(&r, (r.players_allowed >> 3 & 1) != 0 && i % 2 ? 3 : 2, 0, &m);
        deal_next(g, &m, &c);
        while (m.stage == MATCH_PLAYING) {
            was[m.round.n_seen] = m;
            decided[m.round.n_seen] = true;
            struct move mv = some_move(g, &m, &c);
            if (mv.kind != MOVE_STOP && mv.kind != MOVE_DECLARE && mv.kind != MOVE_REDEAL)
                assert_int_equal(match_apply(g, &m, m.round.turn, mv, NULL), LEGAL);
            else
                break;
            if (m.stage != MATCH_PLAYING)
                break;
            for (int n = 0; n < m.round.n_seen; n++) {
                char wanted[NOTATION_MAX], got[NOTATION_MAX];
                struct match old = m;
                struct round_log log;
                assert_int_equal(match_take_back(g, &old, 1, n, &log), decided[n]);
                nowhere += !decided[n];
                if (!decided[n]) {
                    assert_memory_equal(&old, &m, sizeof m);
                    continue;
                }
                back++;
                assert_int_equal(log.at[0].kind, LOG_TAKEBACK);
                assert_int_equal(log.at[0].what, m.round.n_seen - n);
                notation_match(&was[n], wanted);
                notation_match(&old, got);
                assert_string_equal(wanted, got);
                assert_true(
                    old.round.turn == was[n].round.turn && old.round.phase == was[n].round.phase &&
                    old.round.field == was[n].round.field && old.round.drawn == was[n].round.drawn);
                assert_memory_equal(old.round.hand, was[n].round.hand, sizeof old.round.hand);
                assert_memory_equal(old.round.taken, was[n].round.taken, sizeof old.round.taken);
                assert_memory_equal(old.round.koikoi, was[n].round.koikoi, sizeof old.round.koikoi);
                assert_memory_equal(old.round.may_redeal, was[n].round.may_redeal,
                                    sizeof old.round.may_redeal);
            }
        }
    }
    assert_true(back > 1000);
    assert_true(nowhere > 1000);
}

TEST(lines_that_no_match_could_have_are_refused)
{
    static const char *const wrong[] = {";gone=3", ";gone=8", ";gone=0"};
    const struct ruleset *g = three(3);
    char line[NOTATION_MAX], hurt[NOTATION_MAX];
    struct match m, back;
    struct rng c = rng_seed(1);
    match_start(&g->rules, 3, 0, &m);
    deal_next(g, &m, &c);
    match_go_on(&m, 1, NULL);
    notation_match(&m, line);
    char *at = strstr(line, ";gone=2");
    assert_non_null(at);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(hurt, line, sizeof hurt);
        memcpy(hurt + (at - line), wrong[i], strlen(wrong[i]));
        assert_true(notation_read_match(g, hurt, strlen(hurt), &back) >= at - line);
    }
    g = preset(PRESET_SENSEI); /* two players: nobody can play on */
    match_start(&g->rules, 2, 0, &m);
    notation_match(&m, line);
    size_t n = strlen(line);
    memcpy(line + n, ";gone=1", 8);
    assert_int_equal(notation_read_match(g, line, n + 7, &back), n);
}
