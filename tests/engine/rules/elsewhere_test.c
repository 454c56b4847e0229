/* What tables elsewhere play and the first four presets do not: a limit on koi-koi, the deal that
 * changes hands, the dealer's point, calls that add, four in a hand; what that pays is in score_test.c.
 * Expectations come from the rules page and from `console` and `steam` as people play them. */
#include "test.h"
#include "notation.h"
#include "presets.h"
#include "rounds.h"
#include "table.h"

#include <string.h>

static struct round_result paid(int which, int base, int own, int others)
{
    struct calls calls = {.players = 2, .koikoi = {(uint8_t)own, (uint8_t)others}};
    struct score s = {.base = (uint16_t)base, .n_yaku = 1};
    struct round_result r = {0};
    score_pay(preset(which), &calls, 0, &s, true, &r);
    return r;
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

TEST(after_the_only_call_a_yaku_must_be_stopped_with)
{
    const struct ruleset *g = preset(PRESET_CONSOLE);
    struct round r = moon_at_once(g);
    struct round_log log;
    assert_int_equal(r.phase, PHASE_DECIDE);
    assert_true(is_legal(g, &r, 0, "koikoi"));
    plays(g, &r, "koikoi");
    r.taken[1] = set_of("2p2 3p1 4p2 5p2 6p2 7p2 8p1 8p2 10p2");
    plays(g, &r, "1r");
    assert_int_equal(r.phase, PHASE_DECIDE); /* ten plains with the drawn pine */
    assert_int_equal(r.turn, 1);
    assert_int_equal(count_legal(g, &r), 1);
    assert_true(is_legal(g, &r, 1, "stop"));
    assert_int_equal(does(g, &r, "koikoi"), ILLEGAL_NO_CALL);
    assert_int_equal(round_apply(g, &r, 1, move_of("stop"), &log), LEGAL);
    assert_int_equal(r.result.winner, 1);
    assert_int_equal(r.result.x[X_OPPONENT_KOIKOI], 2);
}

TEST(a_limit_of_two_counts_the_calls_of_both)
{
    const struct ruleset *g = under("console koikoi_limit=2");
    struct round r = moon_at_once(g);
    r.koikoi[1] = 1;
    assert_int_equal(count_legal(g, &r), 2);
    r.koikoi[1] = 2;
    assert_int_equal(count_legal(g, &r), 1);
    r.koikoi[1] = r.koikoi[0] = 1;
    assert_int_equal(count_legal(g, &r), 1);
    assert_int_equal(does(g, &r, "koikoi"), ILLEGAL_NO_CALL);
    assert_int_equal(count_legal(under("console koikoi_limit=0"), &r), 2);
}

/* The call makes the moon viewing worth 3; that is nothing new at the next turn. */
TEST(what_a_call_makes_dearer_is_not_asked_about)
{
    const struct ruleset *g = preset(PRESET_STEAM);
    struct round r = moon_at_once(g);
    struct round_log log;
    assert_int_equal(round_apply(g, &r, 0, move_of("koikoi"), &log), LEGAL);
    assert_int_equal(log.at[0].score.base, 1); /* as counted at that moment */
    assert_int_equal(r.last_decision[0].worth[YAKU_TSUKIMI], 3);
    assert_int_equal(does(g, &r, "1r=1p2"), ILLEGAL_TAKE); /* not on the table yet */
    plays(g, &r, "1r");
    assert_int_equal(r.turn, 0);
    plays(g, &r, "2a");
    assert_int_equal(r.turn, 1); /* not asked */
    assert_int_equal(r.koikoi[0], 1);
}

TEST(a_stop_after_the_call_pays_the_dearer_viewing_and_one_more)
{
    const struct ruleset *g = preset(PRESET_STEAM);
    struct round r = moon_at_once(g);
    plays(g, &r, "koikoi 1r");
    r.taken[0] |= set_of("3b 3p1"); /* the other viewing */
    plays(g, &r, "2a");
    assert_int_equal(r.phase, PHASE_DECIDE);
    plays(g, &r, "stop");
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

TEST(steam_exhaustion_gives_the_dealer_one_and_keeps_the_deal)
{
    for (int dealer = 0; dealer < 2; dealer++) {
        struct match m = exhausted_once(under("steam hand.2=1"), dealer);
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

/* ---- Worths that depend on more than the pile ------------------------------------------------- */

static struct score in_round(const char *rules, int round_no, const char *taken)
{
    struct ruleset room;
    struct score s;
    score_pile(ruleset_in_round(under(rules), round_no, &room), set_of(taken), false, &s);
    return s;
}

TEST(any_card_of_november_may_end_viewings)
{
    static const char *const willow[] = {"11b", "11a", "11r", "11p"};
    assert_int_equal(in_round("standard viewing.rain_cancels=willow", 1, "8b 9a 3b").base, 10);
    for (int i = 0; i < 4; i++) {
        char taken[16];
        snprintf(taken, sizeof taken, "8b 9a %s", willow[i]);
        assert_int_equal(in_round("standard viewing.rain_cancels=willow", 1, taken).base, 0);
        assert_int_equal(in_round("standard", 1, taken).base, 5);
    }
}

TEST(a_viewing_may_need_another_set)
{
    const char *rules = "standard viewing.alone=0";
    assert_int_equal(in_round(rules, 1, "8b 9a").base, 0);
    assert_int_equal(in_round(rules, 1, "8b 9a 3b").base,
                     0); /* two viewings are company for neither */
    assert_int_equal(in_round(rules, 1, "8b 9a 1r 2r 3r").base, 10);
    assert_int_equal(in_round(rules, 1, "8b 9a 3b 1b").base, 15);
}

TEST(a_viewing_may_have_its_season)
{
    assert_int_equal(in_round("standard viewing.season=only", 8, "8b 9a 3b").base, 5);
    assert_int_equal(in_round("standard viewing.season=only", 8, "8b 9a").worth[YAKU_TSUKIMI], 5);
    assert_int_equal(in_round("standard viewing.season=only", 3, "8b 9a").base, 0);
    assert_int_equal(in_round("standard viewing.season=double", 3, "8b 9a 3b").base, 15);
    assert_int_equal(in_round("standard viewing.season=double", 15, "3b 9a").base, 10);
    assert_int_equal(in_round("standard viewing.season=double", 4, "3b 9a").base, 5);
}

TEST(the_month_of_the_round_may_be_a_set)
{
    const char *rules = "standard yaku.month_of_round=4";
    assert_int_equal(in_round(rules, 1, "1b 1r 1p1 1p2").base, 4);
    assert_int_equal(in_round(rules, 13, "1b 1r 1p1 1p2").n_yaku, 1);
    assert_int_equal(in_round(rules, 2, "1b 1r 1p1 1p2").base, 0);
    assert_int_equal(
        in_round("standard yaku.month_of_round=4 yaku.hiki=3", 1, "1b 1r 1p1 1p2").base, 7);
}

TEST(rainy_four_has_three_worths)
{
    const char *taken = "1b 3b 8b 11b";
    assert_int_equal(in_round("standard yaku.ame_shiko=7", 1, taken).base, 7);
    assert_int_equal(in_round("standard yaku.ame_shiko=8", 1, taken).base, 8);
    assert_int_equal(in_round("standard yaku.ame_shiko=0", 1, taken).base, 5);
}

/* Seat 0 has called koi-koi with a viewing, and nobody stops. */
static struct round_result run_out(const char *rules, const char *other)
{
    const struct ruleset *g = under(rules);
    struct round r = moon_at_once(g);
    plays(g, &r, "koikoi");
    r.taken[1] = set_of(other);
    r.hand[0] = 0;
    r.hand[1] = set_of("1r");
    r.last_decision[1].base = 100; /* whatever it takes now is not new */
    for (int y = 0; y < N_YAKU; y++)
        r.last_decision[1].worth[y] = 100;
    plays(g, &r, "1r");
    assert_int_equal(r.phase, PHASE_OVER);
    return r.result;
}

TEST(the_dearest_sets_may_be_paid_when_the_cards_run_out)
{
    const char *rules = "standard exhausted=best_yaku";
    struct round_result paid_for = run_out(rules, "");
    assert_int_equal(paid_for.why, WHY_BEST_YAKU);
    assert_int_equal(paid_for.winner, 0);
    assert_int_equal(paid_for.points, 5);
    assert_int_equal(run_out(rules, "6a 7a 10a 3p1 3p2").winner, -1); /* 5 each */
    struct round_result other = run_out(rules, "6a 7a 10a 2r 3r 3p1 3p2");
    assert_int_equal(other.winner, 1);
    assert_int_equal(other.x[X_OPPONENT_KOIKOI], 2);
    assert_int_equal(run_out("standard", "").why, WHY_EXHAUSTED);
}

TEST(console_exhaustion_pays_nobody_and_the_other_deals)
{
    for (int dealer = 0; dealer < 2; dealer++) {
        struct match m = exhausted_once(under("console hand.2=1"), dealer);
        assert_int_equal(m.last.why, WHY_EXHAUSTED);
        assert_int_equal(m.last.winner, -1);
        assert_int_equal(m.scores[0] + m.scores[1], 0);
        assert_int_equal(m.dealer, 1 - dealer);
        assert_int_equal(m.round_no, 2);
    }
}

TEST(of_three_the_deal_goes_to_the_next_seat)
{
    const struct ruleset *g = under("mongolopedia drawn_dealer=changes");
    struct match m;
    uint8_t deck[N_CARDS];
    for (int dealer = 0; dealer < 3; dealer++) {
        match_start(&g->rules, 3, dealer, &m); /* two hands of four of a month: undecided */
        deck_of(&g->rules, 3, dealer,
                (const char *const[]){"1b 1r 1p1 1p2 3b 4a 5a", "2a 2r 2p1 2p2 3r 4r 5r", NULL},
                NULL, NULL, deck);
        match_deal(g, &m, deck, NULL);
        assert_int_equal(m.last.why, WHY_HAND_YAKU_TIE);
        assert_int_equal(m.dealer, (dealer + 1) % 3);
    }
}

/* ---- Four of a month in a hand --------------------------------------------------------------- */

TEST(four_in_a_hand_void_the_deal_at_once)
{
    const struct ruleset *g = preset(PRESET_STEAM);
    struct round_log log;
    struct match m, back;
    uint8_t deck[N_CARDS];
    char line[NOTATION_MAX];
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
    logged(&log, 1, LOG_VOID);
    assert_int_equal(log.at[0].seat, 1);
    int n = notation_match(&m, line);
    assert_int_equal(notation_read_match(g, line, (size_t)n, &back), -1);
    assert_int_equal(back.round.void_by, 1);
}

TEST(the_table_and_the_dealer_come_first)
{
    const struct ruleset *g = preset(PRESET_CONSOLE);
    struct round r = dealt(g, "1b 1r 1p1 1p2 3b 4a 5a 6a", "2a 2r 2p1 2p2 3r 4r 5r 6r",
                           "8b 8a 8p1 8p2 11b 11a 12p1 7a", NULL);
    assert_int_equal(r.void_why, VOID_TABLE_FOUR);
    assert_int_equal(r.void_by, -1);
    r = dealt(g, "1b 1r 1p1 1p2 3b 4a 5a 6a", "2a 2r 2p1 2p2 3r 4r 5r 6r",
              "8b 8a 8p1 9r 11b 11a 12p1 7a", NULL);
    assert_int_equal(r.void_why, VOID_HAND_FOUR);
    assert_int_equal(r.void_by, 0);
}

/* ---- Notation -------------------------------------------------------------------------------- */

TEST(a_line_of_today_has_none_of_the_new_fields)
{
    static const char *const names[] = {"koikoi_limit", "drawn_dealer", "call_bonus",
                                        "both_ribbons", "after_koikoi"};
    char line[NOTATION_MAX];
    struct rules back;
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
TEST(a_result_keeps_what_calls_added)
{
    const struct ruleset *g = preset(PRESET_STEAM);
    struct match m, back;
    char line[NOTATION_MAX], again[NOTATION_MAX];
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

TEST(numbers_that_say_nothing_are_refused)
{
    const struct ruleset *g = preset(PRESET_STEAM);
    struct match m, back;
    char line[NOTATION_MAX], longer[NOTATION_MAX + 8];
    match_start(&g->rules, 2, 0, &m);
    int n = notation_match(&m, line);
    memcpy(longer, line, (size_t)n);
    memcpy(longer + n, ",1,0", 5);
    assert_int_equal(notation_read_match(g, longer, (size_t)n + 4, &back), n);
    memcpy(longer + n, ",2", 3);
    assert_int_equal(notation_read_match(g, longer, (size_t)n + 2, &back), n + 2);
}
