/* What tables elsewhere play and the first four presets do not: a limit on koi-koi, the deal that
 * changes hands, the dealer's point, calls that add, both ribbons, dearer viewings, four in a hand.
 * Expectations come from the rules page and from `console` and `steam` as people play them. */
#include "notation.h"
#include "presets.h"
#include "rounds.h"
#include "table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct score pile(int which, const char *codes, bool called)
{
    struct score s;
    score_pile(preset(which), set_of(codes), called, &s);
    assert_int_equal(pile_base(preset(which), set_of(codes), called), s.base);
    return s;
}

/* ---- What a pile is worth -------------------------------------------------------------------- */

static void steam_both_ribbons_are_twenty_and_ribbons_count_beside(void **state)
{
    struct score s = pile(PRESET_STEAM, "1r 2r 3r 6r 9r 10r", false);
    (void)state;
    assert_int_equal(s.worth[YAKU_AKATAN] + s.worth[YAKU_AOTAN], 20);
    assert_int_equal(s.worth[YAKU_TANZAKU], 2);
    assert_int_equal(s.base, 22);
    assert_int_equal(pile(PRESET_STEAM, "1r 2r 3r 6r 9r", false).base, 5 + 1);
    assert_int_equal(pile(PRESET_STEAM, "6a 7a 10a 2a 4a", false).base, 5 + 1);
}

static void console_both_ribbons_are_ten_and_one_more_for_each_beyond_six(void **state)
{
    (void)state;
    assert_int_equal(pile(PRESET_CONSOLE, "1r 2r 3r 6r 9r 10r", false).base, 10);
    assert_int_equal(pile(PRESET_CONSOLE, "1r 2r 3r 6r 9r 10r 4r", false).base, 11);
    assert_int_equal(pile(PRESET_CONSOLE, "1r 2r 3r 4r 5r", false).base, 7);
    assert_int_equal(pile(PRESET_CONSOLE, "6a 7a 10a 2a 4a", false).base, 7);
}

static void both_ribbons_need_both_trios_switched_on(void **state)
{
    struct rules r = presets[PRESET_STEAM];
    struct score s;
    (void)state;
    r.yaku[YAKU_AOTAN] = 0;
    score_pile(ready(0, &r), set_of("1r 2r 3r 6r 9r 10r"), false, &s);
    assert_int_equal(s.base, 5 + 2);
}

static void steam_viewings_are_one_and_three_after_the_own_call(void **state)
{
    struct rules r = presets[PRESET_STEAM];
    struct score s;
    (void)state;
    assert_int_equal(pile(PRESET_STEAM, "8b 9a", false).base, 1);
    assert_int_equal(pile(PRESET_STEAM, "8b 9a", true).base, 3);
    assert_int_equal(pile(PRESET_STEAM, "8b 3b 9a", false).base, 2);
    assert_int_equal(pile(PRESET_STEAM, "8b 3b 9a", true).base, 6);
    assert_int_equal(pile(PRESET_STEAM, "1r 2r 3r", true).base, 5);
    assert_int_equal(pile(PRESET_CONSOLE, "8b 9a", true).base, 5);
    r.yaku[YAKU_TSUKIMI] = 0; /* off stays off */
    score_pile(ready(0, &r), set_of("8b 3b 9a"), true, &s);
    assert_int_equal(s.base, 3);
}

/* ---- What a round pays ----------------------------------------------------------------------- */

static struct round_result paid(int which, int base, int own, int others)
{
    struct calls calls = {.players = 2, .koikoi = {(uint8_t)own, (uint8_t)others}};
    struct score s = {.base = (uint16_t)base, .n_yaku = 1};
    struct round_result r = {0};
    score_pay(preset(which), &calls, 0, &s, true, &r);
    return r;
}

static void three_calls_add_and_the_fourth_multiplies(void **state)
{
    static const int want[] = {6, 7, 8, 9, 12, 18, 24};
    (void)state;
    for (int calls = 0; calls < 7; calls++) {
        struct round_result r = paid(PRESET_STEAM, 6, calls, 2);
        assert_int_equal(r.points, want[calls]);
        assert_int_equal(r.added, calls < 4 ? calls : 0);
        assert_int_equal(r.x[X_CALL_BONUS], calls < 4 ? 1 : calls - 2);
    }
    assert_int_equal(paid(PRESET_STEAM, 12, 0, 0).points, 12); /* seven and more double nothing */
}

static void console_doubles_for_seven_and_for_the_opponents_call(void **state)
{
    (void)state;
    assert_int_equal(paid(PRESET_CONSOLE, 6, 1, 0).points, 6);
    assert_int_equal(paid(PRESET_CONSOLE, 7, 1, 0).points, 14);
    assert_int_equal(paid(PRESET_CONSOLE, 6, 0, 1).points, 12);
    assert_int_equal(paid(PRESET_CONSOLE, 7, 0, 1).points, 28);
}

/* A call adds before any factor, as it adds to the sum. */
static void an_addition_comes_before_the_factors(void **state)
{
    struct rules r = presets[PRESET_STANDARD];
    struct calls calls = {.players = 2, .koikoi = {2, 1}};
    struct score s = {.base = 6, .n_yaku = 1};
    struct round_result won = {0};
    (void)state;
    r.call_bonus = CALL_BONUS_STEPS;
    score_pay(ready(0, &r), &calls, 0, &s, true, &won);
    assert_int_equal(won.x[X_SEVEN_PLUS], 1); /* compares the base */
    assert_int_equal(won.points, (6 + 2) * 2);
    score_pay(ready(0, &r), &calls, 0, &s, false, &won);
    assert_int_equal(won.points, 6);
    assert_int_equal(won.added, 0);
}

/* ---- A round --------------------------------------------------------------------------------- */

/* Seat 0 takes the moon with its sake cup in the first turn; seat 1 can take the curtain later. */
static struct round moon_at_once(const struct ruleset *g)
{
    struct round r = dealt(g, "9a 2a 4a 5a 6a 7a 10a 12b", "3r 1r 2r 4r 5r 6r 7r 12p1",
                           "9p1 8a 3b 10r 10p1 11r 11a 12p2", "8b 1p2 2p1 4p1 5p1 6p1 7p1 1p1");
    assert_int_equal(does(g, &r, "9a=9p1"), LEGAL); /* and draws the moon onto the geese */
    return r;
}

static void after_the_only_call_a_yaku_must_be_stopped_with(void **state)
{
    const struct ruleset *g = preset(PRESET_CONSOLE);
    struct round r = moon_at_once(g);
    struct round_log log;
    (void)state;
    assert_int_equal(r.phase, PHASE_DECIDE);
    assert_true(is_legal(g, &r, 0, "koikoi"));
    assert_int_equal(does(g, &r, "koikoi"), LEGAL);
    r.taken[1] = set_of("2p2 3p1 4p2 5p2 6p2 7p2 8p1 8p2 10p2");
    assert_int_equal(does(g, &r, "1r"), LEGAL);
    assert_int_equal(r.phase, PHASE_DECIDE); /* ten plains with the drawn pine */
    assert_int_equal(r.turn, 1);
    assert_int_equal(count_legal(g, &r), 1);
    assert_true(is_legal(g, &r, 1, "stop"));
    assert_int_equal(does(g, &r, "koikoi"), ILLEGAL_NO_CALL);
    assert_int_equal(round_apply(g, &r, 1, move_of("stop"), &log), LEGAL);
    assert_int_equal(r.result.winner, 1);
    assert_int_equal(r.result.x[X_OPPONENT_KOIKOI], 2);
}

static void a_limit_of_two_counts_the_calls_of_both(void **state)
{
    struct rules two = presets[PRESET_CONSOLE];
    struct round r;
    (void)state;
    two.koikoi_limit = 2;
    const struct ruleset *g = ready(0, &two);
    r = moon_at_once(g);
    r.koikoi[1] = 1;
    assert_int_equal(count_legal(g, &r), 2);
    r.koikoi[1] = 2;
    assert_int_equal(count_legal(g, &r), 1);
    r.koikoi[1] = r.koikoi[0] = 1;
    assert_int_equal(count_legal(g, &r), 1);
    assert_int_equal(does(g, &r, "koikoi"), ILLEGAL_NO_CALL);
    two.koikoi_limit = 0;
    g = ready(0, &two);
    assert_int_equal(count_legal(g, &r), 2);
}

/* The call makes the moon viewing worth 3; that is nothing new at the next turn. */
static void what_a_call_makes_dearer_is_not_asked_about(void **state)
{
    const struct ruleset *g = preset(PRESET_STEAM);
    struct round r = moon_at_once(g);
    struct round_log log;
    (void)state;
    assert_int_equal(round_apply(g, &r, 0, move_of("koikoi"), &log), LEGAL);
    assert_int_equal(log.at[0].score.base, 1); /* as counted at that moment */
    assert_int_equal(r.last_decision[0].worth[YAKU_TSUKIMI], 3);
    assert_int_equal(does(g, &r, "1r=1p2"), ILLEGAL_TAKE); /* not on the table yet */
    assert_int_equal(does(g, &r, "1r"), LEGAL);
    assert_int_equal(r.turn, 0);
    assert_int_equal(does(g, &r, "2a"), LEGAL);
    assert_int_equal(r.turn, 1); /* not asked */
    assert_int_equal(r.koikoi[0], 1);
}

static void a_stop_after_the_call_pays_the_dearer_viewing_and_one_more(void **state)
{
    const struct ruleset *g = preset(PRESET_STEAM);
    struct round r = moon_at_once(g);
    (void)state;
    assert_int_equal(does(g, &r, "koikoi"), LEGAL);
    assert_int_equal(does(g, &r, "1r"), LEGAL);
    r.taken[0] |= set_of("3b 3p1"); /* the other viewing */
    assert_int_equal(does(g, &r, "2a"), LEGAL);
    assert_int_equal(r.phase, PHASE_DECIDE);
    assert_int_equal(does(g, &r, "stop"), LEGAL);
    assert_int_equal(r.result.score.base, 6);
    assert_int_equal(r.result.added, 1);
    assert_int_equal(r.result.points, 7);
}

/* A deal of one card each that nobody can do anything with. */
static struct match exhausted_once(const struct ruleset *g, int dealer)
{
    struct match m;
    uint8_t deck[N_CARDS];
    match_start(&g->rules, 2, dealer, &m);
    deck_of(&g->rules, 2, dealer, (const char *const[]){"1r", "2r"}, "9a 3b 4p1 10a 10r 5r 6a 12p2",
            "7a 8p1", deck);
    match_deal(g, &m, deck, NULL);
    assert_int_equal(match_apply(g, &m, dealer, move_of(dealer ? "2r" : "1r"), NULL), LEGAL);
    assert_int_equal(match_apply(g, &m, 1 - dealer, move_of(dealer ? "1r" : "2r"), NULL), LEGAL);
    assert_int_equal(m.round.phase, PHASE_OVER);
    return m;
}

static void steam_exhaustion_gives_the_dealer_one_and_keeps_the_deal(void **state)
{
    struct rules one = presets[PRESET_STEAM];
    (void)state;
    one.hand[2] = 1;
    for (int dealer = 0; dealer < 2; dealer++) {
        struct match m = exhausted_once(ready(0, &one), dealer);
        assert_int_equal(m.last.why, WHY_DEALER_POINT);
        assert_int_equal(m.last.winner, dealer);
        assert_int_equal(m.last.score.base, 1);
        assert_int_equal(m.last.score.n_yaku, 0);
        assert_int_equal(m.last.points, 1);
        for (int x = 0; x < N_MULTIPLIERS; x++)
            assert_int_equal(m.last.x[x], 1);
        assert_int_equal(m.scores[dealer], 31);
        assert_int_equal(m.scores[1 - dealer], 29);
        assert_int_equal(m.dealer, dealer);
    }
}

static void console_exhaustion_pays_nobody_and_the_other_deals(void **state)
{
    struct rules one = presets[PRESET_CONSOLE];
    (void)state;
    one.hand[2] = 1;
    for (int dealer = 0; dealer < 2; dealer++) {
        struct match m = exhausted_once(ready(0, &one), dealer);
        assert_int_equal(m.last.why, WHY_EXHAUSTED);
        assert_int_equal(m.last.winner, -1);
        assert_int_equal(m.scores[0] + m.scores[1], 0);
        assert_int_equal(m.dealer, 1 - dealer);
        assert_int_equal(m.round_no, 2);
    }
}

static void of_three_the_deal_goes_to_the_next_seat(void **state)
{
    struct rules r = presets[PRESET_MONGOLOPEDIA];
    struct match m;
    uint8_t deck[N_CARDS];
    (void)state;
    r.drawn_dealer = DRAWN_CHANGES;
    const struct ruleset *g = ready(0, &r);
    for (int dealer = 0; dealer < 3; dealer++) {
        match_start(&r, 3, dealer, &m); /* two hands of four of a month: undecided */
        deck_of(&r, 3, dealer,
                (const char *const[]){"1b 1r 1p1 1p2 3b 4a 5a", "2a 2r 2p1 2p2 3r 4r 5r", NULL},
                NULL, NULL, deck);
        match_deal(g, &m, deck, NULL);
        assert_int_equal(m.last.why, WHY_HAND_YAKU_TIE);
        assert_int_equal(m.dealer, (dealer + 1) % 3);
    }
}

/* ---- Four of a month in a hand --------------------------------------------------------------- */

static void four_in_a_hand_void_the_deal_at_once(void **state)
{
    const struct ruleset *g = preset(PRESET_STEAM);
    struct round_log log;
    struct match m, back;
    uint8_t deck[N_CARDS];
    char line[NOTATION_MAX];
    (void)state;
    match_start(&g->rules, 2, 0, &m);
    deck_of(&g->rules, 2, 0,
            (const char *const[]){"1b 2a 3b 4a 5a 6a 7a 8a", "2r 2p1 4r 5r 9p1 9p2 9r 9a"},
            "8b 10a 10r 11b 11a 12p1 3p1 4p1", NULL, deck);
    match_deal(g, &m, deck, &log);
    assert_int_equal(m.stage, MATCH_READY);
    assert_int_equal(m.attempt, 2);
    assert_int_equal(m.round_no, 1);
    assert_int_equal(m.dealer, 0);
    assert_int_equal(m.round.void_why, VOID_HAND_FOUR);
    assert_int_equal(m.round.void_by, 1);
    assert_int_equal(log.n, 1);
    assert_int_equal(log.at[0].kind, LOG_VOID);
    assert_int_equal(log.at[0].seat, 1);
    int n = notation_match(&m, line);
    assert_int_equal(notation_read_match(g, line, (size_t)n, &back), -1);
    assert_int_equal(back.round.void_by, 1);
}

static void the_table_and_the_dealer_come_first(void **state)
{
    const struct ruleset *g = preset(PRESET_CONSOLE);
    struct round r = dealt(g, "1b 1r 1p1 1p2 3b 4a 5a 6a", "2a 2r 2p1 2p2 3r 4r 5r 6r",
                           "8b 8a 8p1 8p2 11b 11a 12p1 7a", NULL);
    (void)state;
    assert_int_equal(r.void_why, VOID_TABLE_FOUR);
    assert_int_equal(r.void_by, -1);
    r = dealt(g, "1b 1r 1p1 1p2 3b 4a 5a 6a", "2a 2r 2p1 2p2 3r 4r 5r 6r",
              "8b 8a 8p1 9r 11b 11a 12p1 7a", NULL);
    assert_int_equal(r.void_why, VOID_HAND_FOUR);
    assert_int_equal(r.void_by, 0);
}

/* ---- Notation -------------------------------------------------------------------------------- */

static void a_line_of_today_has_none_of_the_new_fields(void **state)
{
    static const char *const names[] = {"koikoi_limit", "drawn_dealer", "call_bonus",
                                        "both_ribbons", "after_koikoi"};
    char line[NOTATION_MAX];
    struct rules back;
    (void)state;
    for (int p = 0; p < N_FIRST_PRESETS; p++) {
        notation_rules(&presets[p], line);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            assert_null(strstr(line, names[i]));
    }
    for (int p = N_FIRST_PRESETS; p < N_PRESETS; p++) {
        int n = notation_rules(&presets[p], line);
        assert_int_equal(notation_read_rules(line, (size_t)n, &back), -1);
        assert_memory_equal(&back, &presets[p], sizeof back);
    }
    notation_rules(&presets[PRESET_STEAM], line);
    assert_non_null(strstr(line, ";viewing.after_koikoi=3;"));
    assert_non_null(strstr(line, ";call_bonus=1;both_ribbons=10;"));
}

/* A last result with an addition, with a factor, and with neither. */
static void a_result_keeps_what_calls_added(void **state)
{
    const struct ruleset *g = preset(PRESET_STEAM);
    struct match m, back;
    char line[NOTATION_MAX], again[NOTATION_MAX];
    (void)state;
    for (int calls = 0; calls < 6; calls++) {
        match_start(&g->rules, 2, 0, &m);
        m.last = paid(PRESET_STEAM, 5, calls, 0);
        m.last.why = WHY_STOP;
        m.round_no = 2;
        m.rounds_won[0] = 1;
        uint8_t deck[N_CARDS];
        deck_shuffled(5, deck);
        match_deal(g, &m, deck, NULL);
        assert_int_equal(m.stage, MATCH_PLAYING);
        int n = notation_match(&m, line);
        assert_int_equal(notation_read_match(g, line, (size_t)n, &back), -1);
        assert_memory_equal(&back.last, &m.last, sizeof m.last);
        notation_match(&back, again);
        assert_string_equal(line, again);
    }
}

static void numbers_that_say_nothing_are_refused(void **state)
{
    const struct ruleset *g = preset(PRESET_STEAM);
    struct match m, back;
    char line[NOTATION_MAX], longer[NOTATION_MAX + 8];
    (void)state;
    match_start(&g->rules, 2, 0, &m);
    int n = notation_match(&m, line);
    memcpy(longer, line, (size_t)n);
    memcpy(longer + n, ",1,0", 5);
    assert_int_equal(notation_read_match(g, longer, (size_t)n + 4, &back), n);
    memcpy(longer + n, ",2", 3);
    assert_int_equal(notation_read_match(g, longer, (size_t)n + 2, &back), n + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steam_both_ribbons_are_twenty_and_ribbons_count_beside),
        cmocka_unit_test(console_both_ribbons_are_ten_and_one_more_for_each_beyond_six),
        cmocka_unit_test(both_ribbons_need_both_trios_switched_on),
        cmocka_unit_test(steam_viewings_are_one_and_three_after_the_own_call),
        cmocka_unit_test(three_calls_add_and_the_fourth_multiplies),
        cmocka_unit_test(console_doubles_for_seven_and_for_the_opponents_call),
        cmocka_unit_test(an_addition_comes_before_the_factors),
        cmocka_unit_test(after_the_only_call_a_yaku_must_be_stopped_with),
        cmocka_unit_test(a_limit_of_two_counts_the_calls_of_both),
        cmocka_unit_test(what_a_call_makes_dearer_is_not_asked_about),
        cmocka_unit_test(a_stop_after_the_call_pays_the_dearer_viewing_and_one_more),
        cmocka_unit_test(steam_exhaustion_gives_the_dealer_one_and_keeps_the_deal),
        cmocka_unit_test(console_exhaustion_pays_nobody_and_the_other_deals),
        cmocka_unit_test(of_three_the_deal_goes_to_the_next_seat),
        cmocka_unit_test(four_in_a_hand_void_the_deal_at_once),
        cmocka_unit_test(the_table_and_the_dealer_come_first),
        cmocka_unit_test(a_line_of_today_has_none_of_the_new_fields),
        cmocka_unit_test(a_result_keeps_what_calls_added),
        cmocka_unit_test(numbers_that_say_nothing_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
