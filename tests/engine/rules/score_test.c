/* Yaku and payment: the examples and ambiguities of the rules page by name, then two scorers
 * compared on millions of piles. KOIKOI_PILES sets how many (default 300000). */
#include "naive.h"
#include "presets.h"
#include "stride.h"
#include "table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct score pile(const struct ruleset *g, const char *codes)
{
    struct score s;
    score_pile(g, set_of(codes), false, &s);
    assert_int_equal(pile_base(g, set_of(codes), false), s.base);
    return s;
}

static int base(int which, const char *codes)
{
    return pile(preset(which), codes).base;
}

/* ---- The table of yaku ----------------------------------------------------------------------- */

static void each_yaku_has_the_worth_its_column_says(void **state)
{
    static const struct {
        enum yaku y;
        const char *codes;
        int worth[N_PRESETS];
    } rows[] = {
        {YAKU_GOKO, "1b 3b 8b 11b 12b", {10, 10, 10, 10, 10, 10}},
        {YAKU_SHIKO, "1b 3b 8b 12b", {8, 8, 8, 8, 8, 8}},
        {YAKU_AME_SHIKO, "1b 3b 8b 11b", {7, 7, 7, 7, 7, 7}},
        {YAKU_SANKO, "1b 3b 12b", {5, 6, 6, 5, 5, 5}},
        {YAKU_TSUKIMI, "8b 9a", {5, 3, 3, 5, 5, 1}},
        {YAKU_HANAMI, "3b 9a", {5, 3, 3, 5, 5, 1}},
        {YAKU_INOSHIKACHO, "6a 7a 10a", {5, 5, 5, 5, 5, 5}},
        {YAKU_AKATAN, "1r 2r 3r", {5, 5, 5, 5, 5, 5}},
        {YAKU_AOTAN, "6r 9r 10r", {5, 5, 5, 5, 5, 5}},
        {YAKU_TANE, "2a 4a 5a 6a 8a", {1, 1, 1, 1, 1, 1}},
        {YAKU_TANZAKU, "1r 2r 4r 5r 7r", {1, 1, 1, 1, 1, 1}},
        {YAKU_KASU, "1p1 2p1 3p1 4p1 5p1 6p1 7p1 8p1 10p1 12p1", {1, 1, 1, 1, 1, 1}},
        {YAKU_HIKI, "7a 7r 7p1 7p2", {0, 4, 0, 0, 0, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int p = 0; p < N_PRESETS; p++) {
            struct score s = pile(preset(p), rows[i].codes);
            assert_int_equal(s.worth[rows[i].y], rows[i].worth[p]);
            assert_int_equal(s.base, rows[i].worth[p]);
            assert_int_equal(s.n_yaku, rows[i].worth[p] > 0);
        }
}

static void one_card_short_is_nothing(void **state)
{
    static const char *const almost[] = {
        "1b 3b",
        "1b 3b 11b",
        "1b 11b 12b",
        "8b",
        "9a",
        "6a 7a",
        "1r 2r",
        "6r 9r",
        "2a 4a 5a 8a",
        "1r 2r 4r 5r",
        "1p1 2p1 3p1 4p1 5p1 6p1 7p1 8p1 10p1",
        "7a 7r 7p1",
        "",
    };
    (void)state;
    for (size_t i = 0; i < sizeof almost / sizeof almost[0]; i++)
        for (int p = 0; p < N_PRESETS; p++)
            assert_int_equal(base(p, almost[i]), 0);
}

static void rain_man_makes_no_sanko(void **state)
{
    (void)state;
    assert_int_equal(base(PRESET_STANDARD, "1b 8b 11b"), 0);
}

static void only_the_dearest_bright_yaku_counts(void **state)
{
    struct score s = pile(preset(PRESET_STANDARD), "1b 3b 8b 11b 12b");
    (void)state;
    assert_int_equal(s.worth[YAKU_GOKO], 10);
    assert_int_equal(s.worth[YAKU_SHIKO] + s.worth[YAKU_AME_SHIKO] + s.worth[YAKU_SANKO], 0);
}

static void without_ame_shiko_rain_man_and_three_dry_are_sanko(void **state)
{
    struct rules r = presets[PRESET_STANDARD];
    (void)state;
    r.yaku[YAKU_AME_SHIKO] = 0;
    assert_int_equal(pile(ready(0, &r), "1b 3b 8b 11b").worth[YAKU_SANKO], 5);
    r.yaku[YAKU_GOKO] = 0;
    assert_int_equal(pile(ready(0, &r), "1b 3b 8b 11b 12b").worth[YAKU_SHIKO], 8);
}

static void of_equal_worth_the_first_bright_yaku_is_named(void **state)
{
    struct rules r = presets[PRESET_STANDARD];
    struct score s;
    (void)state;
    r.yaku[YAKU_GOKO] = r.yaku[YAKU_SHIKO] = r.yaku[YAKU_AME_SHIKO] = r.yaku[YAKU_SANKO] = 6;
    s = pile(ready(0, &r), "1b 3b 8b 11b 12b");
    assert_int_equal(s.worth[YAKU_GOKO], 6);
    assert_int_equal(s.base, 6);
    assert_int_equal(pile(ready(0, &r), "1b 3b 8b 12b").worth[YAKU_SHIKO], 6);
    assert_int_equal(pile(ready(0, &r), "1b 3b 8b 11b").worth[YAKU_AME_SHIKO], 6);
    assert_int_equal(pile(ready(0, &r), "1b 3b 8b").worth[YAKU_SANKO], 6);
}

static void all_others_add_up_and_a_card_may_serve_several(void **state)
{
    struct score s = pile(preset(PRESET_SENSEI), "1b 3b 8b 9a 6a 7a 10a 8a");
    (void)state;
    assert_int_equal(s.worth[YAKU_SANKO], 5);
    assert_int_equal(s.worth[YAKU_TSUKIMI], 5);
    assert_int_equal(s.worth[YAKU_HANAMI], 5);
    assert_int_equal(s.worth[YAKU_INOSHIKACHO], 5);
    assert_int_equal(s.worth[YAKU_TANE], 1);
    assert_int_equal(s.base, 21);
    assert_int_equal(s.n_yaku, 5);
}

static void the_sake_cup_is_a_plain_too_but_not_in_okoshki(void **state)
{
    const char *nine = "1p1 2p1 3p1 4p1 5p1 6p1 7p1 8p1 10p1 9a";
    (void)state;
    assert_int_equal(base(PRESET_SENSEI, nine), 1);
    assert_int_equal(base(PRESET_MONGOLOPEDIA, nine), 1);
    assert_int_equal(base(PRESET_STANDARD, nine), 1);
    assert_int_equal(base(PRESET_OKOSHKI, nine), 0);
    for (int p = 0; p < N_PRESETS; p++)
        assert_int_equal(base(p, "2a 4a 5a 6a 9a"), 1);
}

static void lightning_is_a_plain_everywhere(void **state)
{
    (void)state;
    for (int p = 0; p < N_PRESETS; p++)
        assert_int_equal(base(p, "1p1 2p1 3p1 4p1 5p1 6p1 7p1 8p1 10p1 11p"), 1);
}

/* ---- Further cards --------------------------------------------------------------------------- */

static void okoshki_seven_cats_three_ginger_are_eight(void **state)
{
    struct score s = pile(preset(PRESET_OKOSHKI), "1r 2r 3r 4r 5r 7r 6r");
    (void)state;
    assert_int_equal(s.worth[YAKU_TANZAKU], 1 + 2);
    assert_int_equal(s.worth[YAKU_AKATAN], 5);
    assert_int_equal(s.base, 8);
}

static void polish_five_ribbons_three_blue_hold_by_the_table(void **state)
{
    struct rules r = presets[PRESET_MONGOLOPEDIA];
    (void)state;
    struct score s = pile(preset(PRESET_MONGOLOPEDIA), "6r 9r 10r 4r 5r");
    assert_int_equal(s.worth[YAKU_AOTAN], 7);
    assert_int_equal(s.worth[YAKU_TANZAKU], 1);
    r.trio_extra = TRIO_NONE; /* as in the source's running example */
    assert_int_equal(pile(ready(0, &r), "6r 9r 10r 4r 5r").base, 6);
}

static void with_add_each_trio_grows_by_every_card_beyond_its_three(void **state)
{
    struct score s = pile(preset(PRESET_MONGOLOPEDIA), "1r 2r 3r 6r 9r 10r");
    (void)state;
    assert_int_equal(s.worth[YAKU_AKATAN], 8);
    assert_int_equal(s.worth[YAKU_AOTAN], 8);
    assert_int_equal(s.worth[YAKU_TANZAKU], 2);
    s = pile(preset(PRESET_MONGOLOPEDIA), "6a 7a 10a 2a 4a");
    assert_int_equal(s.worth[YAKU_INOSHIKACHO], 7);
    assert_int_equal(s.worth[YAKU_TANE], 1);
}

static void with_absorb_a_trio_takes_the_further_cards_and_tane_is_gone(void **state)
{
    struct score s = pile(preset(PRESET_STANDARD), "6a 7a 10a 2a 4a 5a");
    (void)state;
    assert_int_equal(s.worth[YAKU_INOSHIKACHO], 8);
    assert_int_equal(s.worth[YAKU_TANE], 0);
    assert_int_equal(s.n_yaku, 1);
}

static void with_absorb_and_both_ribbon_trios_the_further_cards_go_to_akatan_once(void **state)
{
    struct score s = pile(preset(PRESET_STANDARD), "1r 2r 3r 6r 9r 10r 4r 5r");
    (void)state;
    assert_int_equal(s.worth[YAKU_AKATAN], 7);
    assert_int_equal(s.worth[YAKU_AOTAN], 5);
    assert_int_equal(s.worth[YAKU_TANZAKU], 0);
    s = pile(preset(PRESET_STANDARD), "1r 2r 6r 9r 10r 4r");
    assert_int_equal(s.worth[YAKU_AOTAN], 8);
}

static void a_trio_that_is_off_absorbs_nothing(void **state)
{
    struct rules r = presets[PRESET_STANDARD];
    (void)state;
    r.yaku[YAKU_INOSHIKACHO] = 0;
    assert_int_equal(pile(ready(0, &r), "6a 7a 10a 2a 4a 5a").worth[YAKU_TANE], 2);
}

static void hiki_counts_once_per_month(void **state)
{
    struct score s = pile(preset(PRESET_MONGOLOPEDIA), "7a 7r 7p1 7p2 12b 12p1 12p2 12p3");
    (void)state;
    assert_int_equal(s.worth[YAKU_HIKI], 8);
    assert_int_equal(s.n_yaku, 2);
    assert_int_equal(s.base, 8);
}

/* ---- Viewings -------------------------------------------------------------------------------- */

static void rain_makes_the_polish_viewings_worth_nothing(void **state)
{
    struct rules r = presets[PRESET_MONGOLOPEDIA];
    (void)state;
    assert_int_equal(base(PRESET_MONGOLOPEDIA, "8b 3b 9a"), 6);
    assert_int_equal(base(PRESET_MONGOLOPEDIA, "8b 3b 9a 11b"), 0);
    assert_int_equal(base(PRESET_MONGOLOPEDIA, "8b 3b 9a 11p"), 0);
    assert_int_equal(base(PRESET_STANDARD, "8b 3b 9a 11b"), 10);
    r.rain_cancels = RAIN_RAINMAN;
    assert_int_equal(pile(ready(0, &r), "8b 3b 9a 11p").base, 6);
    assert_int_equal(pile(ready(0, &r), "8b 3b 9a 11b").base, 0);
}

static void both_viewings_have_their_own_worth(void **state)
{
    struct rules r = presets[PRESET_STANDARD];
    struct score s;
    (void)state;
    r.viewing_both = 8;
    s = pile(ready(0, &r), "8b 3b 9a");
    assert_int_equal(s.worth[YAKU_TSUKIMI], 8);
    assert_int_equal(s.worth[YAKU_HANAMI], 8);
    assert_int_equal(pile(ready(0, &r), "8b 9a").base, 5);
    r.yaku[YAKU_HANAMI] = 0; /* needs both switched on */
    assert_int_equal(pile(ready(0, &r), "8b 3b 9a").base, 5);
}

static void viewings_that_do_not_combine_leave_the_dearer_side(void **state)
{
    struct rules r = presets[PRESET_STANDARD];
    struct score s;
    (void)state;
    r.viewing_with_brights = false;
    s = pile(ready(0, &r), "1b 3b 8b 9a"); /* sanko 5, viewings 10 */
    assert_int_equal(s.worth[YAKU_SANKO], 0);
    assert_int_equal(s.base, 10);
    s = pile(ready(0, &r), "1b 3b 12b 9a"); /* sanko 5, hanami 5: brights on a tie */
    assert_int_equal(s.worth[YAKU_SANKO], 5);
    assert_int_equal(s.worth[YAKU_HANAMI], 0);
    s = pile(ready(0, &r), "1b 3b 8b 11b 12b 9a"); /* goko 10 against 10 */
    assert_int_equal(s.worth[YAKU_GOKO], 10);
    assert_int_equal(s.base, 10);
}

/* ---- Hand yaku ------------------------------------------------------------------------------- */

static void hand_yaku_by_preset(void **state)
{
    const cardset four = set_of("1b 1r 1p1 1p2 2a 3b 4a 5a"),
                  pairs = set_of("1b 1r 2a 2r 3b 3r 4a 4r"),
                  fours = set_of("1b 1r 1p1 1p2 7a 7r 7p1 7p2"),
                  mixed = set_of("1b 1r 1p1 1p2 2a 2r 4a 4r");
    (void)state;
    assert_int_equal(hand_yaku_of(preset(PRESET_SENSEI), four), HAND_FOUR);
    assert_int_equal(hand_yaku_of(preset(PRESET_SENSEI), pairs), HAND_PAIRS);
    assert_int_equal(hand_yaku_of(preset(PRESET_SENSEI), fours), HAND_DOUBLE_FOUR);
    assert_int_equal(hand_yaku_of(preset(PRESET_SENSEI), mixed),
                     HAND_FOUR); /* also pairs, equal worth */
    assert_int_equal(hand_yaku_of(preset(PRESET_STANDARD), fours),
                     HAND_FOUR); /* double_four is off: one four */
    assert_int_equal(hand_yaku_of(preset(PRESET_OKOSHKI), fours), HAND_NONE);
    assert_int_equal(hand_yaku_of(preset(PRESET_SENSEI), set_of("1b 1r 1p1 2a 2r 3b 3r 4a")),
                     HAND_NONE);
    assert_int_equal(hand_yaku_of(preset(PRESET_SENSEI), set_of("1b 1r 2a 2r 3b 3r")), HAND_NONE);
}

static void the_dearest_hand_yaku_counts_then_the_first(void **state)
{
    struct rules r = presets[PRESET_SENSEI];
    const cardset fours = set_of("1b 1r 1p1 1p2 7a 7r 7p1 7p2");
    (void)state;
    r.hand_yaku[HAND_PAIRS] = 20;
    assert_int_equal(hand_yaku_of(ready(0, &r), fours), HAND_PAIRS);
    r.hand_yaku[HAND_PAIRS] = r.hand_yaku[HAND_FOUR] = r.hand_yaku[HAND_DOUBLE_FOUR] = 9;
    assert_int_equal(hand_yaku_of(ready(0, &r), fours), HAND_DOUBLE_FOUR);
    r.hand_yaku[HAND_DOUBLE_FOUR] = 0;
    assert_int_equal(hand_yaku_of(ready(0, &r), fours), HAND_FOUR);
    r.hand_yaku[HAND_FOUR] = 0;
    assert_int_equal(hand_yaku_of(ready(0, &r), fours), HAND_PAIRS);
}

/* ---- What a round pays ----------------------------------------------------------------------- */

static struct round_result paid(const struct ruleset *g, int points, int n_yaku, struct calls calls)
{
    struct score s = {.base = (uint16_t)points, .n_yaku = (uint16_t)n_yaku};
    struct round_result r = {0};
    score_pay(g, &calls, 0, &s, true, &r);
    return r;
}

static void sensei_doublings(void **state)
{
    const struct ruleset *g = preset(PRESET_SENSEI);
    struct round_result r = paid(g, 7, 1, (struct calls){.players = 2, .koikoi = {2, 1}});
    (void)state;
    assert_int_equal(r.x[X_SEVEN_PLUS], 2);
    assert_int_equal(r.x[X_OWN_KOIKOI], 4);
    assert_int_equal(r.x[X_OPPONENT_KOIKOI], 2);
    assert_int_equal(r.x[X_ANY_KOIKOI], 1);
    assert_int_equal(r.x[X_TABLE_BRIGHTS], 1);
    assert_int_equal(r.points, 7 * 16);
    assert_int_equal(paid(g, 6, 3, (struct calls){.players = 2}).points, 6);
    assert_int_equal(paid(g, 6, 3, (struct calls){.players = 2, .koikoi = {0, 3}}).points, 12);
}

static void seven_plus_compares_the_base_before_any_multiplier(void **state)
{
    (void)state;
    struct round_result r =
        paid(preset(PRESET_SENSEI), 5, 1, (struct calls){.players = 2, .koikoi = {1, 0}});
    assert_int_equal(r.x[X_SEVEN_PLUS], 1);
    assert_int_equal(r.points, 10);
}

static void mongolopedia_needs_two_yaku_for_seven_plus(void **state)
{
    const struct ruleset *g = preset(PRESET_MONGOLOPEDIA);
    (void)state;
    assert_int_equal(paid(g, 7, 1, (struct calls){.players = 2}).points, 7);
    assert_int_equal(paid(g, 7, 2, (struct calls){.players = 2}).points, 14);
}

static void mongolopedia_doubles_for_another_and_counts_all_calls(void **state)
{
    struct round_result r =
        paid(preset(PRESET_MONGOLOPEDIA), 3, 1, (struct calls){.players = 3, .koikoi = {1, 2, 1}});
    (void)state;
    assert_int_equal(r.x[X_OPPONENT_KOIKOI], 2);
    assert_int_equal(r.x[X_ANY_KOIKOI], 5);
    assert_int_equal(r.x[X_OWN_KOIKOI], 1);
    assert_int_equal(r.points, 30);
}

static void okoshki_doubles_once_for_any_call(void **state)
{
    const struct ruleset *g = preset(PRESET_OKOSHKI);
    (void)state;
    assert_int_equal(paid(g, 8, 2, (struct calls){.players = 2}).points, 8);
    assert_int_equal(paid(g, 8, 2, (struct calls){.players = 2, .koikoi = {2, 1}}).points, 16);
}

static void double_each_of_opponents_counts_every_call_of_every_other(void **state)
{
    struct rules r = presets[PRESET_MONGOLOPEDIA];
    (void)state;
    r.opponent_koikoi = DOUBLING_EACH;
    assert_int_equal(paid(ready(0, &r), 1, 1, (struct calls){.players = 3, .koikoi = {1, 2, 1}})
                         .x[X_OPPONENT_KOIKOI],
                     8);
}

static void table_brights_multiply_by_one_more_than_their_number(void **state)
{
    struct rules r = presets[PRESET_SENSEI];
    (void)state;
    r.table_brights = true;
    assert_int_equal(
        paid(ready(0, &r), 5, 1, (struct calls){.players = 2, .table_brights = 2}).points, 15);
    assert_int_equal(paid(ready(0, &r), 5, 1, (struct calls){.players = 2}).x[X_TABLE_BRIGHTS], 1);
    assert_int_equal(
        paid(preset(PRESET_SENSEI), 5, 1, (struct calls){.players = 2, .table_brights = 2}).points,
        5);
}

static void points_have_a_ceiling(void **state)
{
    struct rules r = presets[PRESET_SENSEI];
    (void)state;
    r.any_koikoi = DOUBLING_PLUS_ONE_EACH;
    assert_int_equal(
        paid(ready(0, &r), 100, 1, (struct calls){.players = 2, .koikoi = {23, 23}}).points,
        POINTS_MAX);
}

static void a_yaku_is_new_or_dearer_or_nothing(void **state)
{
    struct score then = {.base = 6, .worth = {[YAKU_TANE] = 1, [YAKU_SANKO] = 5}}, now = then;
    (void)state;
    assert_false(score_is_new(&now, &then));
    now.worth[YAKU_SANKO] = 0;
    assert_false(score_is_new(&now, &then));
    now.worth[YAKU_KASU] = 1; /* though the sum fell */
    assert_true(score_is_new(&now, &then));
}

/* ---- Two scorers ----------------------------------------------------------------------------- */

static struct naive_score named(const struct rules *r, cardset s, bool called)
{
    bool names[N_CARDS];

    for (int c = 0; c < N_CARDS; c++)
        names[c] = (s >> c & 1) != 0;
    return naive_score(r, names, called);
}

static void compare(const struct ruleset *g, const struct rules *r, cardset s, bool called)
{
    struct naive_score want = named(r, s, called);
    struct score have;

    score_pile(g, s, called, &have);
    if (have.base != want.base || have.n_yaku != want.n_yaku ||
        pile_base(g, s, called) != want.base)
        fail_msg("pile %llx: base %d, %d yaku; expected %d, %d", (unsigned long long)s, have.base,
                 have.n_yaku, want.base, want.n_yaku);
    for (int y = 0; y < N_YAKU; y++)
        if (have.worth[y] != want.worth[y])
            fail_msg("pile %llx: %s is %d, expected %d", (unsigned long long)s,
                     yaku_key((enum yaku)y), have.worth[y], want.worth[y]);
}

static void naive_and_fast_scorer_agree(void **state)
{
    enum { PER_RULES = 4000 };
    struct rng c = rng_seed(20);
    const char *wanted = getenv("KOIKOI_PILES");
    long piles = wanted != NULL ? strtol(wanted, NULL, 10) : stride(600000, 2000000);
    (void)state;
    for (long i = 0; i < piles; i += PER_RULES) {
        struct rules r =
            i % (4 * PER_RULES) == 0 ? presets[i / PER_RULES / 4 % N_PRESETS] : random_rules(&c);
        struct ruleset g;
        assert_null(rules_check(&r));
        ruleset_make(&r, &g);
        for (int k = 0; k < PER_RULES; k++) {
            cardset s = rng_next(&c) & ALL_CARDS;
            for (uint64_t thin = rng_next(&c) % 3; thin > 0; thin--)
                s &= rng_next(&c);
            compare(&g, &r, s, k & 1);
        }
    }
}

static void set_count_counts_every_bit(void **state)
{
    struct rng c = rng_seed(21);
    (void)state;
    for (int i = 0; i < 20000; i++) {
        cardset s = rng_next(&c) & rng_next(&c) & ALL_CARDS;
        assert_int_equal(set_count(s), __builtin_popcountll(s));
    }
}

static cardset brights_at(cardset s)
{
    return pile_brights(s);
}
static cardset animals_at(cardset s)
{
    return pile_animals(s);
}
static cardset ribbons_at(cardset s)
{
    return pile_ribbons(s);
}

/* Every subset of a group must have an index of its own, or two piles would share a worth. */
static void every_subset_has_its_own_index(void **state)
{
    static const struct {
        cardset mask;
        cardset (*index)(cardset);
        unsigned size;
    } groups[] = {{PILE_BRIGHTS, brights_at, 128},
                  {PILE_ANIMALS, animals_at, 512},
                  {PILE_RIBBONS, ribbons_at, 1024}};
    (void)state;
    assert_true(PILE_BRIGHTS == (set_brights | CARD(SAKE) | CARD(LIGHTNING)));
    assert_true(PILE_ANIMALS == set_animals && PILE_RIBBONS == set_ribbons);
    for (int i = 0; i < 3; i++) {
        bool used[1024] = {false};
        cardset s = 0;
        do {
            cardset at = groups[i].index(s | (~groups[i].mask & ALL_CARDS));
            assert_true(at < groups[i].size && !used[at]);
            used[at] = true;
            s = (s - groups[i].mask) & groups[i].mask;
        } while (s != 0);
    }
}

static void naive_and_fast_payment_agree(void **state)
{
    struct rng c = rng_seed(22);
    (void)state;
    for (int i = 0; i < 20000; i++) {
        struct rules r = random_rules(&c);
        struct ruleset g = {.rules = r};
        uint64_t x = rng_next(&c);
        int players = 2 + (int)(x & 1), winner = (int)(x >> 1 & 1), calls[MAX_PLAYERS],
            points = (int)(x >> 8 & 31), yaku = (int)(x >> 16 & 3);
        struct calls k = {.players = (uint8_t)players, .table_brights = (uint8_t)(x >> 20 & 3)};
        struct score s = {.base = (uint16_t)points, .n_yaku = (uint16_t)yaku};
        struct round_result have = {0};
        for (int p = 0; p < MAX_PLAYERS; p++)
            k.koikoi[p] = (uint8_t)(calls[p] = p < players ? (int)(x >> (24 + 3 * p) & 7) : 0);
        score_pay(&g, &k, winner, &s, true, &have);
        long want = naive_pay(&r, points, yaku, players, winner, calls, k.table_brights);
        assert_int_equal(have.points, want < POINTS_MAX ? want : POINTS_MAX);
        assert_int_equal(have.winner, winner);
    }
}

static void naive_and_fast_hand_yaku_agree(void **state)
{
    struct rng c = rng_seed(23);
    (void)state;
    for (int i = 0; i < 20000; i++) {
        struct rules r = random_rules(&c);
        struct ruleset g = {.rules = r};
        bool names[N_CARDS] = {false};
        cardset hand = 0;
        for (int n = 0; n < 4; n++) { /* two neighbours at a time: fours and pairs come often */
            int at = 2 * (int)(rng_next(&c) % (i % 2 ? 4 : 24));
            hand |= CARD(at) | CARD(at + (int)(rng_next(&c) % 8 > 0));
        }
        for (int k = 0; k < N_CARDS; k++)
            names[k] = (hand >> k & 1) != 0;
        assert_int_equal(hand_yaku_of(&g, hand), naive_hand_yaku(&r, names));
    }
}

static void keys_are_those_of_the_formats(void **state)
{
    (void)state;
    assert_string_equal(multiplier_key(X_SEVEN_PLUS), "seven_plus");
    assert_string_equal(multiplier_key(X_OWN_KOIKOI), "own_koikoi");
    assert_string_equal(multiplier_key(X_OPPONENT_KOIKOI), "opponent_koikoi");
    assert_string_equal(multiplier_key(X_ANY_KOIKOI), "any_koikoi");
    assert_string_equal(multiplier_key(X_TABLE_BRIGHTS), "table_brights");
    assert_string_equal(multiplier_key(X_CALL_BONUS), "call_bonus");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_yaku_has_the_worth_its_column_says),
        cmocka_unit_test(one_card_short_is_nothing),
        cmocka_unit_test(rain_man_makes_no_sanko),
        cmocka_unit_test(only_the_dearest_bright_yaku_counts),
        cmocka_unit_test(without_ame_shiko_rain_man_and_three_dry_are_sanko),
        cmocka_unit_test(of_equal_worth_the_first_bright_yaku_is_named),
        cmocka_unit_test(all_others_add_up_and_a_card_may_serve_several),
        cmocka_unit_test(the_sake_cup_is_a_plain_too_but_not_in_okoshki),
        cmocka_unit_test(lightning_is_a_plain_everywhere),
        cmocka_unit_test(okoshki_seven_cats_three_ginger_are_eight),
        cmocka_unit_test(polish_five_ribbons_three_blue_hold_by_the_table),
        cmocka_unit_test(with_add_each_trio_grows_by_every_card_beyond_its_three),
        cmocka_unit_test(with_absorb_a_trio_takes_the_further_cards_and_tane_is_gone),
        cmocka_unit_test(with_absorb_and_both_ribbon_trios_the_further_cards_go_to_akatan_once),
        cmocka_unit_test(a_trio_that_is_off_absorbs_nothing),
        cmocka_unit_test(hiki_counts_once_per_month),
        cmocka_unit_test(rain_makes_the_polish_viewings_worth_nothing),
        cmocka_unit_test(both_viewings_have_their_own_worth),
        cmocka_unit_test(viewings_that_do_not_combine_leave_the_dearer_side),
        cmocka_unit_test(hand_yaku_by_preset),
        cmocka_unit_test(the_dearest_hand_yaku_counts_then_the_first),
        cmocka_unit_test(sensei_doublings),
        cmocka_unit_test(seven_plus_compares_the_base_before_any_multiplier),
        cmocka_unit_test(mongolopedia_needs_two_yaku_for_seven_plus),
        cmocka_unit_test(mongolopedia_doubles_for_another_and_counts_all_calls),
        cmocka_unit_test(okoshki_doubles_once_for_any_call),
        cmocka_unit_test(double_each_of_opponents_counts_every_call_of_every_other),
        cmocka_unit_test(table_brights_multiply_by_one_more_than_their_number),
        cmocka_unit_test(points_have_a_ceiling),
        cmocka_unit_test(a_yaku_is_new_or_dearer_or_nothing),
        cmocka_unit_test(naive_and_fast_scorer_agree),
        cmocka_unit_test(set_count_counts_every_bit),
        cmocka_unit_test(every_subset_has_its_own_index),
        cmocka_unit_test(naive_and_fast_payment_agree),
        cmocka_unit_test(naive_and_fast_hand_yaku_agree),
        cmocka_unit_test(keys_are_those_of_the_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
