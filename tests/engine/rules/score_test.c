/* Yaku and payment: the examples and ambiguities of the rules page as rows of tables, then two
 * scorers compared on millions of piles. KOIKOI_PILES sets how many (default 2000000). */
#include "test.h"
#include "naive.h"
#include "presets.h"
#include "stride.h"
#include "table.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static struct score pile(const struct ruleset *g, const char *codes, bool called)
{
    struct score s;
    score_pile(g, set_of(codes), called, &s);
    assert_int_equal(pile_base(g, set_of(codes), called), s.base);
    return s;
}

#define NINE "1p1 2p1 3p1 4p1 5p1 6p1 7p1 8p1 10p1"

/* ---- The table of yaku ----------------------------------------------------------------------- */

TEST(each_yaku_has_the_worth_its_column_says)
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
        {YAKU_KASU, NINE " 12p1", {1, 1, 1, 1, 1, 1}},
        {YAKU_HIKI, "7a 7r 7p1 7p2", {0, 4, 0, 0, 0, 0}},
        /* the sake cup is a plain too, but not in okoshki; Lightning is one everywhere */
        {YAKU_KASU, NINE " 9a", {1, 1, 0, 1, 1, 1}},
        {YAKU_TANE, "2a 4a 5a 6a 9a", {1, 1, 1, 1, 1, 1}},
        {YAKU_KASU, NINE " 11p", {1, 1, 1, 1, 1, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int p = 0; p < N_PRESETS; p++) {
            struct score s = pile(preset(p), rows[i].codes, false);
            assert_same(s.worth[rows[i].y], rows[i].worth[p], rows[i].codes);
            assert_same(s.base, rows[i].worth[p], rows[i].codes);
            assert_same(s.n_yaku, rows[i].worth[p] > 0, rows[i].codes);
        }
}

TEST(one_card_short_is_nothing)
{
    static const char *const almost[] = {
        "1b 3b", "1b 3b 11b",   "1b 11b 12b",  "8b", "9a",        "6a 7a", "1r 2r",
        "6r 9r", "2a 4a 5a 8a", "1r 2r 4r 5r", NINE, "7a 7r 7p1", "",
    };
    for (size_t i = 0; i < sizeof almost / sizeof almost[0]; i++)
        for (int p = 0; p < N_PRESETS; p++)
            assert_same(pile(preset(p), almost[i], false).base, 0, almost[i]);
}

/* ---- Yaku beside each other ------------------------------------------------------------------ */

#define ALIKE "standard yaku.goko=6 yaku.shiko=6 yaku.ame_shiko=6 yaku.sanko=6"

struct pile_row {
    const char *rules, *codes, *worth; /* of each yaku that counts */
};
static const struct pile_row pile_rows[] = {
    /* The rain man makes no sanko; the dearest bright yaku counts alone. */
    {"standard", "1b 8b 11b", ""},
    {"standard", "1b 3b 8b 11b 12b", "goko=10"},
    {"standard yaku.ame_shiko=0", "1b 3b 8b 11b", "sanko=5"},
    {"standard yaku.ame_shiko=0 yaku.goko=0", "1b 3b 8b 11b 12b", "shiko=8"},
    /* Of equal worth the first is named. */
    {ALIKE, "1b 3b 8b 11b 12b", "goko=6"},
    {ALIKE, "1b 3b 8b 12b", "shiko=6"},
    {ALIKE, "1b 3b 8b 11b", "ame_shiko=6"},
    {ALIKE, "1b 3b 8b", "sanko=6"},
    /* All others add up, and a card may serve several. */
    {"sensei", "1b 3b 8b 9a 6a 7a 10a 8a", "sanko=5 tsukimi=5 hanami=5 inoshikacho=5 tane=1"},
    /* Okoshki: seven cats, three of them ginger, are eight. */
    {"okoshki", "1r 2r 3r 4r 5r 7r 6r", "akatan=5 tanzaku=3"},
    /* Five ribbons, three of them blue, by the Polish table; and as in the source's running example. */
    {"mongolopedia", "6r 9r 10r 4r 5r", "aotan=7 tanzaku=1"},
    {"mongolopedia trio_extra=none", "6r 9r 10r 4r 5r", "aotan=5 tanzaku=1"},
    /* With "add" each trio grows by every card beyond its three. */
    {"mongolopedia", "1r 2r 3r 6r 9r 10r", "akatan=8 aotan=8 tanzaku=2"},
    {"mongolopedia", "6a 7a 10a 2a 4a", "inoshikacho=7 tane=1"},
    /* With "absorb" a trio takes the further cards, and their count is gone; of two ribbon trios
     * akatan does, once. */
    {"standard", "6a 7a 10a 2a 4a 5a", "inoshikacho=8"},
    {"standard", "1r 2r 3r 6r 9r 10r 4r 5r", "akatan=7 aotan=5"},
    {"standard", "1r 2r 6r 9r 10r 4r", "aotan=8"},
    {"standard yaku.inoshikacho=0", "6a 7a 10a 2a 4a 5a", "tane=2"},
    /* Hiki counts once a month. */
    {"mongolopedia", "7a 7r 7p1 7p2 12b 12p1 12p2 12p3", "hiki=8"},
    /* Both ribbons: twenty in steam, with the ribbons beside them; ten in console, and one more for
     * each beyond six. They need both trios switched on. */
    {"steam", "1r 2r 3r 6r 9r 10r", "akatan=15 aotan=5 tanzaku=2"},
    {"steam", "1r 2r 3r 6r 9r", "akatan=5 tanzaku=1"},
    {"steam", "6a 7a 10a 2a 4a", "inoshikacho=5 tane=1"},
    {"steam yaku.aotan=0", "1r 2r 3r 6r 9r 10r", "akatan=5 tanzaku=2"},
    {"console", "1r 2r 3r 6r 9r 10r", "akatan=5 aotan=5"},
    {"console", "1r 2r 3r 6r 9r 10r 4r", "akatan=6 aotan=5"},
    {"console", "1r 2r 3r 4r 5r", "akatan=7"},
    {"console", "6a 7a 10a 2a 4a", "inoshikacho=7"},
    /* Rain makes the Polish viewings worth nothing. */
    {"mongolopedia", "8b 3b 9a", "tsukimi=3 hanami=3"},
    {"mongolopedia", "8b 3b 9a 11b", ""},
    {"mongolopedia", "8b 3b 9a 11p", ""},
    {"standard", "8b 3b 9a 11b", "tsukimi=5 hanami=5"},
    {"mongolopedia viewing.rain_cancels=rainman", "8b 3b 9a 11p", "tsukimi=3 hanami=3"},
    {"mongolopedia viewing.rain_cancels=rainman", "8b 3b 9a 11b", ""},
    /* Both viewings may have a worth of their own; that needs both switched on. */
    {"standard viewing.both=8", "8b 3b 9a", "tsukimi=8 hanami=8"},
    {"standard viewing.both=8", "8b 9a", "tsukimi=5"},
    {"standard viewing.both=8 yaku.hanami=0", "8b 3b 9a", "tsukimi=5"},
    /* Viewings that do not combine with brights leave the dearer side, the brights on a tie. */
    {"standard viewing.with_brights=off", "1b 3b 8b 9a", "tsukimi=5 hanami=5"},
    {"standard viewing.with_brights=off", "1b 3b 12b 9a", "sanko=5"},
    {"standard viewing.with_brights=off", "1b 3b 8b 11b 12b 9a", "goko=10"},
    /* Viewings may be dearer after the own call: see below. */
    {"steam", "8b 9a", "tsukimi=1"},
    {"steam", "8b 3b 9a", "tsukimi=1 hanami=1"},
};

/* After the own call of koi-koi; a yaku that is off stays off. */
static const struct pile_row called_rows[] = {
    {"steam", "8b 9a", "tsukimi=3"},
    {"steam", "8b 3b 9a", "tsukimi=3 hanami=3"},
    {"steam", "1r 2r 3r", "akatan=5"},
    {"console", "8b 9a", "tsukimi=5"},
    {"steam yaku.tsukimi=0", "8b 3b 9a", "hanami=3"},
};

/* "sanko=5" in such a list; 0 if it is not there. */
static int listed(const char *list, const char *key)
{
    size_t n = strlen(key);
    for (const char *at = list; (at = strstr(at, key)); at += n)
        if ((at == list || at[-1] == ' ') && at[n] == '=')
            return (int)strtol(at + n + 1, NULL, 10);
    return 0;
}

static void check_piles(const struct pile_row *rows, size_t n, bool called)
{
    for (const struct pile_row *row = rows; row < rows + n; row++) {
        const struct ruleset *g = under(row->rules);
        struct score s = pile(g, row->codes, called);
        int base = 0, n_yaku = 0;
        char where[160];
        for (int y = 0; y < N_YAKU; y++) {
            int want = listed(row->worth, yaku_key((enum yaku)y));
            snprintf(where, sizeof where, "%s, %s, %s", row->rules, row->codes,
                     yaku_key((enum yaku)y));
            assert_same(s.worth[y], want, where);
            base += want;
            n_yaku += y == YAKU_HIKI && want > 0 ? want / g->rules.yaku[y] : want > 0;
        }
        assert_same(s.base, base, row->codes);
        assert_same(s.n_yaku, n_yaku, row->codes);
    }
}

TEST(piles_are_worth_what_the_rules_say)
{
    check_piles(pile_rows, sizeof pile_rows / sizeof *pile_rows, false);
    check_piles(called_rows, sizeof called_rows / sizeof *called_rows, true);
}

/* ---- Hand yaku ------------------------------------------------------------------------------- */

TEST(the_dearest_hand_yaku_counts_then_the_first)
{
    static const char fours[] = "1b 1r 1p1 1p2 7a 7r 7p1 7p2";
    static const struct {
        const char *rules, *codes;
        enum hand_yaku want;
    } rows[] = {
        {"sensei", "1b 1r 1p1 1p2 2a 3b 4a 5a", HAND_FOUR},
        {"sensei", "1b 1r 2a 2r 3b 3r 4a 4r", HAND_PAIRS},
        {"sensei", fours, HAND_DOUBLE_FOUR},
        {"sensei", "1b 1r 1p1 1p2 2a 2r 4a 4r", HAND_FOUR}, /* also pairs, equal worth */
        {"standard", fours, HAND_FOUR},                     /* double_four is off: one four */
        {"okoshki", fours, HAND_NONE},
        {"sensei", "1b 1r 1p1 2a 2r 3b 3r 4a", HAND_NONE},
        {"sensei", "1b 1r 2a 2r 3b 3r", HAND_NONE},
        {"sensei hand_yaku.pairs=20", fours, HAND_PAIRS},
        {"sensei hand_yaku.pairs=9 hand_yaku.four=9 hand_yaku.double_four=9", fours,
         HAND_DOUBLE_FOUR},
        {"sensei hand_yaku.pairs=9 hand_yaku.four=9 hand_yaku.double_four=0", fours, HAND_FOUR},
        {"sensei hand_yaku.pairs=9 hand_yaku.four=0 hand_yaku.double_four=0", fours, HAND_PAIRS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_same(hand_yaku_of(under(rows[i].rules), set_of(rows[i].codes)), rows[i].want,
                    rows[i].rules);
}

/* ---- What a round pays ----------------------------------------------------------------------- */

/* Seat 0 wins. Factors that are not 1, and what calls add before them. */
static const struct {
    const char *rules;
    int base, n_yaku, players, koikoi[MAX_PLAYERS], table_brights, points;
    const char *factors;
} payments[] = {
    {"sensei", 7, 1, 2, {2, 1}, 0, 7 * 16, "seven_plus=2 own_koikoi=4 opponent_koikoi=2"},
    {"sensei", 6, 3, 2, {0}, 0, 6, ""},
    {"sensei", 6, 3, 2, {0, 3}, 0, 12, "opponent_koikoi=2"},
    /* Seven and more compares the base, before any multiplier. */
    {"sensei", 5, 1, 2, {1, 0}, 0, 10, "own_koikoi=2"},
    /* Mongolopedia needs two yaku for it, doubles for another's call and counts all. */
    {"mongolopedia", 7, 1, 2, {0}, 0, 7, ""},
    {"mongolopedia", 7, 2, 2, {0}, 0, 14, "seven_plus=2"},
    {"mongolopedia", 3, 1, 3, {1, 2, 1}, 0, 30, "opponent_koikoi=2 any_koikoi=5"},
    {"mongolopedia multipliers.opponent_koikoi=double_each",
     1,
     1,
     3,
     {1, 2, 1},
     0,
     40,
     "opponent_koikoi=8 any_koikoi=5"},
    /* Okoshki doubles once for any call. */
    {"okoshki", 8, 2, 2, {0}, 0, 8, ""},
    {"okoshki", 8, 2, 2, {2, 1}, 0, 16, "any_koikoi=2"},
    /* Bright cards of the table multiply by one more than their number. */
    {"sensei multipliers.table_brights=on", 5, 1, 2, {0}, 2, 15, "table_brights=3"},
    {"sensei multipliers.table_brights=on", 5, 1, 2, {0}, 0, 5, ""},
    {"sensei", 5, 1, 2, {0}, 2, 5, ""},
    {"sensei multipliers.any_koikoi=plus_one_each",
     100,
     1,
     2,
     {23, 23},
     0,
     POINTS_MAX,
     "seven_plus=2 own_koikoi=8388608 opponent_koikoi=2 any_koikoi=47"},
    /* Steam: three calls add, the fourth multiplies; seven and more double nothing. */
    {"steam", 6, 1, 2, {0, 2}, 0, 6, ""},
    {"steam", 6, 1, 2, {1, 2}, 0, 7, "added=1"},
    {"steam", 6, 1, 2, {2, 2}, 0, 8, "added=2"},
    {"steam", 6, 1, 2, {3, 2}, 0, 9, "added=3"},
    {"steam", 6, 1, 2, {4, 2}, 0, 12, "call_bonus=2"},
    {"steam", 6, 1, 2, {5, 2}, 0, 18, "call_bonus=3"},
    {"steam", 6, 1, 2, {6, 2}, 0, 24, "call_bonus=4"},
    {"steam", 12, 1, 2, {0}, 0, 12, ""},
    /* Console doubles for seven and for the opponent's call. */
    {"console", 6, 1, 2, {1, 0}, 0, 6, ""},
    {"console", 7, 1, 2, {1, 0}, 0, 14, "seven_plus=2"},
    {"console", 6, 1, 2, {0, 1}, 0, 12, "opponent_koikoi=2"},
    {"console", 7, 1, 2, {0, 1}, 0, 28, "seven_plus=2 opponent_koikoi=2"},
    /* An addition comes before the factors, and seven and more compares the base alone. */
    {"standard call_bonus=steps", 6, 1, 2, {2, 1}, 0, (6 + 2) * 2, "added=2 opponent_koikoi=2"},
};

TEST(rounds_pay_what_the_rules_say)
{
    struct round_result r;
    for (size_t i = 0; i < sizeof payments / sizeof *payments; i++) {
        struct score s = {.base = (uint16_t)payments[i].base,
                          .n_yaku = (uint16_t)payments[i].n_yaku};
        struct calls calls = {.players = (uint8_t)payments[i].players,
                              .table_brights = (uint8_t)payments[i].table_brights};
        for (int p = 0; p < MAX_PLAYERS; p++)
            calls.koikoi[p] = (uint8_t)payments[i].koikoi[p];
        score_pay(under(payments[i].rules), &calls, 0, &s, true, &r);
        assert_same(r.points, payments[i].points, payments[i].rules);
        assert_same(r.added, listed(payments[i].factors, "added"), payments[i].rules);
        for (int m = 0; m < N_MULTIPLIERS; m++) {
            int x = listed(payments[i].factors, multiplier_key((enum multiplier)m));
            assert_same(r.x[m], x ? x : 1, payments[i].rules);
        }
        score_pay(under(payments[i].rules), &calls, 0, &s, false, &r); /* nothing is multiplied */
        assert_same(r.points, payments[i].base, payments[i].rules);
        assert_same(r.added, 0, payments[i].rules);
    }
}

TEST(a_yaku_is_new_or_dearer_or_nothing)
{
    struct score then = {.base = 6, .worth = {[YAKU_TANE] = 1, [YAKU_SANKO] = 5}}, now = then;
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

TEST(naive_and_fast_scorer_agree)
{
    enum { PER_RULES = 4000 };
    struct rng c = rng_seed(20);
    const char *wanted = getenv("KOIKOI_PILES");
    long piles = wanted != NULL ? strtol(wanted, NULL, 10) : stride(600000, 2000000);
    for (long i = 0; i < piles; i += PER_RULES) {
        struct rules r =
            i % (4 * PER_RULES) == 0 ? presets[i / PER_RULES / 4 % N_PRESETS] : random_rules(&c);
        struct ruleset g;
        assert_null(rules_check(&r));
        rules_in_round(&r, 1 + (int)(i / PER_RULES % N_MONTHS));
        ruleset_make(&r, &g);
        for (int k = 0; k < PER_RULES; k++) {
            cardset s = rng_next(&c) & ALL_CARDS;
            for (uint64_t thin = rng_next(&c) % 3; thin > 0; thin--)
                s &= rng_next(&c);
            compare(&g, &r, s, k & 1);
        }
    }
}

TEST(set_count_counts_every_bit)
{
    struct rng c = rng_seed(21);
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
TEST(every_subset_has_its_own_index)
{
    static const struct {
        cardset mask;
        cardset (*index)(cardset);
        unsigned size;
    } groups[] = {{PILE_BRIGHTS, brights_at, 128},
                  {PILE_ANIMALS, animals_at, 512},
                  {PILE_RIBBONS, ribbons_at, 1024}};
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

TEST(naive_and_fast_payment_agree)
{
    struct rng c = rng_seed(22);
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

TEST(naive_and_fast_hand_yaku_agree)
{
    struct rng c = rng_seed(23);
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

TEST(keys_are_those_of_the_formats)
{
    assert_string_equal(multiplier_key(X_SEVEN_PLUS), "seven_plus");
    assert_string_equal(multiplier_key(X_OWN_KOIKOI), "own_koikoi");
    assert_string_equal(multiplier_key(X_OPPONENT_KOIKOI), "opponent_koikoi");
    assert_string_equal(multiplier_key(X_ANY_KOIKOI), "any_koikoi");
    assert_string_equal(multiplier_key(X_TABLE_BRIGHTS), "table_brights");
    assert_string_equal(multiplier_key(X_CALL_BONUS), "call_bonus");
}
