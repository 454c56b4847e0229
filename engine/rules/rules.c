/* Rule sets: what a good one is, and the tables made from it. A new knob is a field in rules.h,
 * a row or a condition here, and its page in README.md. */
#include "rules.h"
#include "end.h"
#include "group.h"
#include "pile.h"

#include <string.h>

const char *yaku_key(enum yaku y)
{
    static const char *const keys[N_YAKU] = {
        "goko",   "shiko", "ame_shiko", "sanko",   "tsukimi", "hanami", "inoshikacho",
        "akatan", "aotan", "tane",      "tanzaku", "kasu",    "hiki"};
    return keys[y];
}

const char *hand_yaku_key(enum hand_yaku h)
{
    static const char *const keys[N_HAND_YAKU] = {"none", "double_four", "four", "pairs"};
    return keys[h];
}

/* A name made of lower-case letters, digits, _ and -, not empty, ended inside its array. */
static bool is_word(const char *s, size_t size)
{
    size_t n = 0;

    while (n < size && ((s[n] >= 'a' && s[n] <= 'z') || (s[n] >= '0' && s[n] <= '9') ||
                        s[n] == '_' || s[n] == '-'))
        n++;
    return n > 0 && n < size && s[n] == '\0';
}

static bool has(const uint8_t *list, int n, int value)
{
    for (int i = 0; i < n; i++)
        if (list[i] == value)
            return true;
    return false;
}

static int purse_for(const struct rules *r, int rounds)
{
    for (int i = 0; i < r->n_purse; i++)
        if (r->purse_rounds[i] == rounds)
            return r->purse[i];
    return -1;
}

static const char *check_rounds(const struct rules *r)
{
    bool listed = false;

    if (r->n_rounds_allowed < 1 || r->n_rounds_allowed > MAX_ROUND_CHOICES)
        return "rounds_allowed";
    for (int i = 0; i < r->n_rounds_allowed; i++) {
        int n = r->rounds_allowed[i];
        if (n < 1 || n > MAX_ROUNDS || has(r->rounds_allowed, i, n))
            return "rounds_allowed";
        listed = listed || n == r->rounds;
    }
    return listed ? NULL : "rounds";
}

static const char *check_purse(const struct rules *r)
{
    if (!r->has_purse)
        return r->scoring == SCORING_COINS || r->n_purse != 0 ? "purse" : NULL;
    if (r->n_purse < 1 || r->n_purse > MAX_ROUND_CHOICES)
        return "purse";
    for (int i = 0; i < r->n_purse; i++) {
        int lowest = r->scoring == SCORING_COINS ? 1 : 0;
        if (r->purse_rounds[i] < 1 || r->purse_rounds[i] > MAX_ROUNDS || r->purse[i] < lowest ||
            r->purse[i] > MAX_PURSE || has(r->purse_rounds, i, r->purse_rounds[i]))
            return "purse";
    }
    if (r->scoring == SCORING_COINS)
        for (int i = 0; i < r->n_rounds_allowed; i++)
            if (purse_for(r, r->rounds_allowed[i]) < 0)
                return "purse";
    return NULL;
}

static const char *check_deal(const struct rules *r)
{
    for (int n = 0; n <= MAX_PLAYERS; n++) {
        bool allowed = (r->players_allowed >> n & 1) != 0;
        if (allowed ? r->hand[n] < 1 : r->hand[n] > N_CARDS)
            return "hand";
        if (allowed ? r->table[n] < 1 : r->table[n] > N_CARDS)
            return "table";
        if (allowed && n * r->hand[n] + r->table[n] > N_CARDS)
            return "hand";
    }
    return r->deal_packet < 1 || r->deal_packet > N_CARDS ? "deal.packet" : NULL;
}

/* A knob with named values: its field, and the greatest value. */
struct choice {
    const char *field;
    uint8_t value, last;
};

static const char *check_choices(const struct rules *r)
{
    const struct choice choices[] = {
        {"scoring", r->scoring, SCORING_POINTS},
        {"deal.order", r->deal_order, DEAL_DEALER_OTHERS_TABLE},
        {"first_dealer", r->first_dealer, FIRST_RANDOM},
        {"tie_break", r->tie_break, TIE_EXTRA_ROUND},
        {"table_four", r->table_four, TABLE_FOUR_KEEP},
        {"hand_four", r->hand_four, HAND_FOUR_MAY_REDEAL},
        {"hand_yaku.claim", r->claim, CLAIM_AUTOMATIC},
        {"capture", r->capture, CAPTURE_OPTIONAL},
        {"exhausted", r->exhausted, EXHAUSTED_OYA_KAN},
        {"multipliers.own_koikoi", r->own_koikoi, DOUBLING_EACH},
        {"multipliers.opponent_koikoi", r->opponent_koikoi, DOUBLING_EACH},
        {"multipliers.any_koikoi", r->any_koikoi, DOUBLING_PLUS_ONE_EACH},
        {"viewing.rain_cancels", r->rain_cancels, RAIN_RAINMAN_OR_LIGHTNING},
        {"viewing.both", r->viewing_both, MAX_WORTH},
        {"trio_extra", r->trio_extra, TRIO_ABSORB},
    };

    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (choices[i].value > choices[i].last)
            return choices[i].field;
    return r->any_koikoi == DOUBLING_EACH ? "multipliers.any_koikoi" : NULL;
}

static const char *check_worths(const struct rules *r)
{
    static const char *const yaku[N_YAKU] = {
        "yaku.goko",    "yaku.shiko",       "yaku.ame_shiko", "yaku.sanko", "yaku.tsukimi",
        "yaku.hanami",  "yaku.inoshikacho", "yaku.akatan",    "yaku.aotan", "yaku.tane",
        "yaku.tanzaku", "yaku.kasu",        "yaku.hiki"};
    static const char *const hand[N_HAND_YAKU] = {"hand_yaku", "hand_yaku.double_four",
                                                  "hand_yaku.four", "hand_yaku.pairs"};

    for (int y = 0; y < N_YAKU; y++)
        if (r->yaku[y] > MAX_WORTH)
            return yaku[y];
    for (int h = 0; h < N_HAND_YAKU; h++)
        if (r->hand_yaku[h] > (r->has_hand_yaku && h != HAND_NONE ? MAX_WORTH : 0))
            return hand[h];
    if (!r->has_hand_yaku && (r->claim != CLAIM_DECLARED || r->hand_yaku_multiplied))
        return "hand_yaku";
    if (!r->has_seven_plus)
        return r->seven_points + r->seven_min_yaku + r->seven_x > 0 ? "multipliers.seven_plus"
                                                                    : NULL;
    if (r->seven_points < 1 || r->seven_points > MAX_WORTH)
        return "multipliers.seven_plus.points";
    if (r->seven_min_yaku < 1 || r->seven_min_yaku > N_CARDS)
        return "multipliers.seven_plus.min_yaku";
    return r->seven_x < 2 || r->seven_x > MAX_WORTH ? "multipliers.seven_plus.x" : NULL;
}

const char *rules_check(const struct rules *r)
{
    const uint8_t two = 1 << 2, three = 1 << 3;
    const char *bad;

    if (!is_word(r->name, sizeof r->name))
        return "name";
    if (r->players_allowed == 0 || (r->players_allowed & ~(two | three)) != 0)
        return "players";
    if ((bad = check_rounds(r)) != NULL || (bad = check_choices(r)) != NULL ||
        (bad = check_purse(r)) != NULL)
        return bad;
    if (r->scoring == SCORING_COINS && r->players_allowed != two)
        return "players";
    if ((bad = check_deal(r)) != NULL || (bad = check_worths(r)) != NULL)
        return bad;
    if (!is_word(r->words, sizeof r->words))
        return "words";
    return is_word(r->deck, sizeof r->deck) ? NULL : "deck";
}

int rules_start_score(const struct rules *r)
{
    int purse = r->has_purse ? purse_for(r, r->rounds) : -1;

    return purse < 0 ? 0 : purse;
}

/* The next subset of mask after s, in counting order; 0 after the last. */
static cardset next_subset(cardset s, cardset mask)
{
    return (s - mask) & mask;
}

_Static_assert((int)MAX_WORTH < 128 && 8 * ((int)YAKU_HANAMI + 1) <= (int)PILE_OTHERS,
               "see pile_part_is_new()");

static void fill(const struct rules *r, void group(const struct rules *, cardset, struct score *),
                 cardset index(bool, cardset), bool bmi2, cardset mask, uint16_t *ret_table)
{
    cardset pile = 0;

    do {
        struct score s = {0};
        group(r, pile, &s);
        group_sum(&s);
        ret_table[index(bmi2, pile)] = s.base;
        pile = next_subset(pile, mask);
    } while (pile != 0);
}

static cardset index_brights(bool bmi2, cardset s)
{
    return pile_brights(bmi2, s);
}
static cardset index_animals(bool bmi2, cardset s)
{
    return pile_animals(bmi2, s);
}
static cardset index_ribbons(bool bmi2, cardset s)
{
    return pile_ribbons(bmi2, s);
}

/* The same for a group whose worth is decided by the number of its cards and by which of two trios
 * are whole: each such class is scored once. */
static void fill_by_trios(const struct rules *r,
                          void group(const struct rules *, cardset, struct score *),
                          cardset index(bool, cardset), bool bmi2, const cardset mask[static 3],
                          uint16_t *ret_table)
{
    uint16_t worth[64] = {0};
    uint64_t known = 0;
    cardset pile = 0;

    do {
        unsigned class = (unsigned)set_count(pile) | ((pile & mask[1]) == mask[1]) << 4 |
                         ((pile & mask[2]) == mask[2]) << 5;
        if (!(known >> class & 1)) {
            struct score s = {0};
            group(r, pile, &s);
            group_sum(&s);
            worth[class] = s.base;
            known |= (uint64_t)1 << class;
        }
        ret_table[index(bmi2, pile)] = worth[class];
        pile = next_subset(pile, mask[0]);
    } while (pile != 0);
}

/* The worths of brights and viewings, a byte each; and their sum taken from the others'. */
static void fill_parts(const struct rules *r, bool bmi2, uint64_t *ret_table)
{
    cardset pile = 0;

    do {
        struct score s = {0};
        uint64_t parts = 0;
        group_brights(r, pile, &s);
        group_sum(&s);
        for (int y = YAKU_GOKO; y <= YAKU_HANAMI; y++)
            parts |= (uint64_t)s.worth[y] << 8 * y;
        ret_table[pile_brights(bmi2, pile)] = parts - ((uint64_t)s.base << PILE_OTHERS);
        pile = next_subset(pile, PILE_BRIGHTS);
    } while (pile != 0);
}

/* True if a card more never lowers the worth of brights and viewings, and lets it stand only
 * where no yaku is new. Then comparing sums is enough to know whether a player may decide. */
static bool brights_decide(const struct rules *r)
{
    struct score of[128] = {0};
    cardset pile = 0;

    do {
        struct score *s = &of[pile_brights(false, pile)];
        group_brights(r, pile, s);
        group_sum(s);
        for (cardset less = pile; less != 0; less = set_rest(less)) {
            const struct score *before = &of[pile_brights(false, pile ^ (less & -less))];
            if (s->base < before->base || (s->base == before->base && score_is_new(s, before)))
                return false;
        }
        pile = next_subset(pile, PILE_BRIGHTS);
    } while (pile != 0);
    return true;
}

/* The same for animals and ribbons, which needs no search: a trio that absorbs must be worth
 * more than the count yaku, or the trio's extra, that it ends. */
static bool trios_decide(const struct rules *r)
{
    const uint8_t *w = r->yaku;
    const uint8_t pairs[][2] = {
        {YAKU_INOSHIKACHO, YAKU_TANE}, {YAKU_AKATAN, YAKU_TANZAKU}, {YAKU_AOTAN, YAKU_TANZAKU}};

    if (r->trio_extra != TRIO_ABSORB)
        return true;
    for (int i = 0; i < 3; i++)
        if (w[pairs[i][0]] != 0 && (w[pairs[i][0]] < 3 || w[pairs[i][0]] + 2 < w[pairs[i][1]]))
            return false;
    return true;
}

bool bits_are_fast(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("avx2") && !__builtin_cpu_is("znver1") &&
           !__builtin_cpu_is("znver2") && !__builtin_cpu_is("bdver4");
#else
    return false;
#endif
}

void ruleset_make(const struct rules *r, struct ruleset *ret)
{
    ruleset_make_by(bits_are_fast(), r, ret);
}

void ruleset_make_by(bool bmi2, const struct rules *r, struct ruleset *ret)
{
    const cardset animals[] = {PILE_ANIMALS, INOSHIKACHO, INOSHIKACHO};
    const cardset ribbons[] = {PILE_RIBBONS, POETRY, BLUE};
    struct ruleset *g = ret;

    memset(g, 0, sizeof *g);
    g->rules = *r;
    g->bmi2 = bmi2;
    g->forced_own_month = !r->wild_lightning && r->capture == CAPTURE_FORCED;
    g->wild = r->wild_lightning ? CARD(LIGHTNING) : 0;
    g->hiki = r->yaku[YAKU_HIKI];
    g->plains = set_plains | (r->sake_is_plain ? CARD(SAKE) : 0);
    for (int n = 0; n < 32; n++) {
        struct score s = {0};
        group_plains(r, n, &s);
        for (int months = 0; months < 16; months++)
            g->plain_value[months][n] = (uint16_t)(s.worth[YAKU_KASU] + g->hiki * months);
    }
    fill(r, group_brights, index_brights, bmi2, PILE_BRIGHTS, g->bright_value);
    fill_parts(r, bmi2, g->bright_parts);
    fill_by_trios(r, group_animals, index_animals, bmi2, animals, g->animal_value);
    fill_by_trios(r, group_ribbons, index_ribbons, bmi2, ribbons, g->ribbon_value);
    g->rest_decides = trios_decide(r);
    g->base_decides = g->rest_decides && brights_decide(r);
    for (int n = MIN_PLAYERS; n <= MAX_PLAYERS; n++)
        if (r->players_allowed >> n & 1)
            deal_places(r, n, g->place[n]);
}
