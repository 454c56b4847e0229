/* The deal and the checks before the first card: packets, four of a month, hand yaku and the right
 * to a redeal. Expectations come from the rules page. */
#include "test.h"
#include "presets.h"
#include "rounds.h"
#include "table.h"

#include <string.h>

/* ---- Deals ----------------------------------------------------------------------------------- */

TEST(packets_go_round_as_each_rule_set_says)
{
    uint8_t deck[N_CARDS], hands[MAX_PLAYERS][N_CARDS], table[N_CARDS];
    for (int i = 0; i < N_CARDS; i++)
        deck[i] = (uint8_t)i;
    deal_order(&presets[PRESET_SENSEI], 2, 0, deck, hands,
               table); /* opponent, dealer, table, twice */
    assert_memory_equal(hands[1], ((uint8_t[]){0, 1, 2, 3, 12, 13, 14, 15}), 8);
    assert_memory_equal(hands[0], ((uint8_t[]){4, 5, 6, 7, 16, 17, 18, 19}), 8);
    assert_memory_equal(table, ((uint8_t[]){8, 9, 10, 11, 20, 21, 22, 23}), 8);
    deal_order(&presets[PRESET_OKOSHKI], 2, 1, deck, hands, table); /* dealer 8, other 8, table 8 */
    assert_memory_equal(hands[1], ((uint8_t[]){0, 1, 2, 3, 4, 5, 6, 7}), 8);
    assert_memory_equal(hands[0], ((uint8_t[]){8, 9, 10, 11, 12, 13, 14, 15}), 8);
    deal_order(&presets[PRESET_MONGOLOPEDIA], 3, 2, deck, hands,
               table); /* twos: 2, 0, 1, table; 7 each */
    assert_memory_equal(hands[2], ((uint8_t[]){0, 1, 8, 9, 16, 17, 24}), 7);
    assert_memory_equal(hands[0], ((uint8_t[]){2, 3, 10, 11, 18, 19, 25}), 7);
    assert_memory_equal(hands[1], ((uint8_t[]){4, 5, 12, 13, 20, 21, 26}), 7);
    assert_memory_equal(table, ((uint8_t[]){6, 7, 14, 15, 22, 23, 27, 28}), 8);
    deal_order(&presets[PRESET_SENSEI], 2, 0, deck, NULL, NULL);
}

TEST(dealer_starts_and_the_dry_brights_on_the_table_are_counted)
{
    struct round r = dealt(preset(PRESET_SENSEI), NULL, NULL, "1b 3b 11b 8b", NULL);
    assert_int_equal(r.turn, 0);
    assert_int_equal(r.phase, PHASE_HAND);
    assert_int_equal(r.table_brights, 3);
    assert_int_equal(r.next, 24);
}

TEST(four_of_a_month_on_the_table_voids_the_deal)
{
    struct round_log log;
    uint8_t deck[N_CARDS];
    struct round r;
    for (int p = 0; p < N_PRESETS; p++) {
        deck_of(&presets[p], 2, 0, NULL, "1b 1r 1p1 1p2", NULL, deck);
        round_deal(preset(p), 2, 0, deck, &r, &log);
        assert_int_equal(r.phase, PHASE_OVER);
        assert_int_equal(r.void_why, VOID_TABLE_FOUR);
        assert_int_equal(r.void_by, -1);
        assert_int_equal(r.result.why, WHY_NONE);
        assert_int_equal(log.n, 1);
        assert_int_equal(log.at[0].kind, LOG_VOID);
        assert_int_equal(log.at[0].what, VOID_TABLE_FOUR);
    }
    r = dealt(under("standard table_four=keep"), "2a 3b 4a 5a 6a 7a 8a 9a",
              "2r 3r 4r 5r 6r 7r 8b 9r", "1b 1r 1p1 1p2", NULL);
    assert_int_equal(r.phase, PHASE_HAND);
}

TEST(the_table_is_checked_before_the_hands)
{
    struct round r = dealt(preset(PRESET_STANDARD), "2a 2r 2p1 2p2", NULL, "1b 1r 1p1 1p2", NULL);
    assert_int_equal(r.void_why, VOID_TABLE_FOUR);
}

/* Rules that may be chosen can be played: whatever is dealt anew, some deal stands before long. */
TEST(no_rules_that_may_be_chosen_void_every_deal)
{
    enum { DEALS = 500 };
    struct rng c = rng_seed(48);
    uint8_t deck[N_CARDS];
    int sizes = 0;
    for (int hand = 1; hand <= N_CARDS; hand++)
        for (int table = 1; table <= N_CARDS; table++)
            for (int four = HAND_FOUR_NONE; four <= HAND_FOUR_REDEAL; four++) {
                struct rules rules = presets[PRESET_STANDARD];
                static struct ruleset g;
                struct round r = {.void_why = VOID_TABLE_FOUR};
                rules.hand[2] = (uint8_t)hand;
                rules.table[2] = (uint8_t)table;
                rules.hand_four = (uint8_t)four;
                if (rules_check(&rules))
                    continue;
                ruleset_make(&rules, &g);
                for (int i = 0; i < DEALS && r.void_why != VOID_NONE; i++) {
                    shuffle(&c, deck);
                    round_deal(&g, 2, 0, deck, &r, NULL);
                }
                assert_int_equal(r.void_why, VOID_NONE);
                sizes++;
            }
    assert_in_range(sizes, 3 * 23 * 8, 3 * 23 * N_CARDS);
}

/* ---- Hand yaku ------------------------------------------------------------------------------- */

static const char *const four_pines = "1b 1r 1p1 1p2 2a 3b 4a 5a",
                         *const two_fours = "1b 1r 1p1 1p2 2a 2r 2p1 2p2",
                         *const nothing = "3r 4r 5r 6r 7r 8b 9r 12b";

TEST(tenho_counts_only_if_declared_on_the_first_turn)
{
    const struct ruleset *g = preset(PRESET_SENSEI);
    struct round r = dealt(g, four_pines, nothing, "8p1 9a 10a 10r 11b 11a 12p1 6a", NULL);
    struct round_log log;
    assert_int_equal(r.phase, PHASE_HAND);
    assert_true(is_legal(g, &r, 0, "declare"));
    struct round late = r;
    assert_int_equal(does(g, &late, "3b"), LEGAL); /* another move came first: missed */
    assert_int_equal(round_apply(g, &late, 1, move_of("9r=9a"), NULL), LEGAL);
    assert_false(is_legal(g, &late, 0, "declare"));
    assert_int_equal(does(g, &late, "declare"),
                     late.phase == PHASE_HAND ? ILLEGAL_NO_HAND_YAKU : ILLEGAL_PHASE);
    assert_int_equal(round_apply(g, &r, 0, move_of("declare"), &log), LEGAL);
    assert_int_equal(r.result.why, WHY_HAND_YAKU);
    assert_int_equal(r.result.hand, HAND_FOUR);
    assert_int_equal(r.result.winner, 0);
    assert_int_equal(r.result.points, 6);
    assert_int_equal(log.n, 2);
    assert_int_equal(log.at[0].kind, LOG_DECLARE);
    assert_int_equal(log.at[0].what, HAND_FOUR);
    assert_int_equal(log.at[1].kind, LOG_END);
}

TEST(the_second_player_declares_on_their_own_first_turn)
{
    const struct ruleset *g = preset(PRESET_SENSEI);
    struct round r = dealt(g, nothing, four_pines, "8p1 9a 10a 10r 11b 11a 12p1 6a", "10p1");
    assert_false(is_legal(g, &r, 1, "declare"));
    assert_int_equal(round_apply(g, &r, 1, move_of("declare"), NULL), ILLEGAL_NOT_YOUR_TURN);
    assert_int_equal(does(g, &r, "declare"), ILLEGAL_NO_HAND_YAKU);
    plays(g, &r, "3r");
    if (r.phase == PHASE_DRAW)
        plays(g, &r, "/10p1=10a");
    assert_int_equal(r.turn, 1);
    assert_true(is_legal(g, &r, 1, "declare"));
    plays(g, &r, "declare");
    assert_int_equal(r.result.winner, 1);
}

TEST(double_four_is_fourteen_in_sensei_and_seven_plus_doubles_it)
{
    const struct ruleset *g = preset(PRESET_SENSEI);
    struct round r = dealt(g, two_fours, nothing, "8p1 9a 10a 10r 11b 11a 12p1 6a", NULL);
    plays(g, &r, "declare");
    assert_int_equal(r.result.hand, HAND_DOUBLE_FOUR);
    assert_int_equal(r.result.score.base, 14);
    assert_int_equal(r.result.x[X_SEVEN_PLUS], 2);
    assert_int_equal(r.result.points, 28);
}

TEST(two_fours_are_one_four_worth_six_elsewhere)
{
    for (int p = PRESET_MONGOLOPEDIA; p <= PRESET_STANDARD;
         p += PRESET_STANDARD - PRESET_MONGOLOPEDIA) {
        struct round r =
            dealt(preset(p), two_fours, nothing, "8p1 9a 10a 10r 11b 11a 12p1 6a", NULL);
        assert_int_equal(r.phase, PHASE_OVER);
        assert_int_equal(r.result.why, WHY_HAND_YAKU);
        assert_int_equal(r.result.hand, HAND_FOUR);
        assert_int_equal(r.result.points, 6);
        assert_int_equal(r.result.x[X_SEVEN_PLUS], 1);
        assert_false(r.declared);
    }
}

TEST(a_declared_hand_is_multiplied_by_the_dealers_earlier_call)
{
    const struct ruleset *g = preset(PRESET_SENSEI);
    struct round r = dealt(g, "9p1 3b 4a 5a 6a 7a 12b 10a", "1b 1r 1p1 1p2 2a 3r 4r 5r",
                           "9a 8b 10r 11r 11a 12p2 6r 7r", "8p1");
    plays(g, &r, "9p1=9a koikoi declare");
    assert_int_equal(r.result.x[X_OPPONENT_KOIKOI], 2);
    assert_int_equal(r.result.points, 12);
}

TEST(table_brights_multiply_a_hand_yaku_where_it_is_multiplied)
{
    const struct ruleset *g = under("sensei multipliers.table_brights=on");
    struct round r =
        dealt(g, two_fours, "3r 4r 5r 6r 7r 8a 9r 12p2", "8b 9a 10a 10r 12b 11a 12p1 6a", NULL);
    assert_int_equal(does(g, &r, "declare"), LEGAL);
    assert_int_equal(r.result.x[X_TABLE_BRIGHTS], 3);
    assert_int_equal(r.result.points, 14 * 2 * 3);
}

TEST(several_automatic_owners_leave_the_round_undecided)
{
    struct round_log log;
    uint8_t deck[N_CARDS];
    struct round r;
    deck_of(&presets[PRESET_STANDARD], 2, 1,
            (const char *const[]){"1b 1r 1p1 1p2 3b 4a 5a 6a", "2a 2r 2p1 2p2 3r 4r 5r 6r"},
            "8b 9a 10a 10r 11b 11a 12p1 7a", NULL, deck);
    round_deal(preset(PRESET_STANDARD), 2, 1, deck, &r, &log);
    ended(&r.result, WHY_HAND_YAKU_TIE, -1, 0);
    assert_int_equal(r.void_why, VOID_NONE);
    logged(&log, 1, LOG_END);
}

TEST(okoshki_has_no_hand_yaku_but_a_redeal_out_of_turn)
{
    const struct ruleset *g = preset(PRESET_OKOSHKI);
    struct round r = dealt(g, nothing, four_pines, "8p1 9a 10a 10r 11b 11a 12p1 6a", "10p1");
    struct round_log log;
    struct move moves[MAX_MOVES];
    assert_int_equal(r.phase, PHASE_HAND);
    assert_int_equal(round_legal(g, &r, 1, moves), 1);
    assert_int_equal(moves[0].kind, MOVE_REDEAL);
    assert_false(is_legal(g, &r, 0, "redeal"));
    assert_int_equal(does(g, &r, "redeal"), ILLEGAL_NO_REDEAL);
    assert_int_equal(does(g, &r, "3r"), LEGAL); /* still in the middle of the dealer's turn */
    assert_int_equal(r.phase, PHASE_DRAW);
    assert_true(is_legal(g, &r, 1, "redeal"));
    struct round own = r;
    assert_int_equal(round_apply(g, &r, 1, move_of("redeal"), &log), LEGAL);
    assert_int_equal(r.phase, PHASE_OVER);
    assert_int_equal(r.void_why, VOID_HAND_FOUR);
    assert_int_equal(r.void_by, 1);
    assert_int_equal(r.result.why, WHY_NONE);
    assert_int_equal(log.n, 1);
    assert_int_equal(log.at[0].seat, 1);
    assert_int_equal(does(g, &own, "/10p1=10a"),
                     LEGAL); /* until they have played their own first card */
    assert_true(is_legal(g, &own, 1, "redeal"));
    plays(g, &own, "2a");
    assert_false(is_legal(g, &own, 1, "redeal"));
    assert_int_equal(round_apply(g, &own, 1, move_of("redeal"), NULL), ILLEGAL_NO_REDEAL);
}
