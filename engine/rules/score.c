/* See score.h. The worth of a pile yaku by yaku, and the pay of a round. Sources: README.md,
 * "Yaku", "What a round pays". score_pile() takes names and worths from the groups below,
 * ruleset_make() fills its tables from them. To add a yaku, extend the function of its group; the
 * table follows. */
#include "score.h"

/* The winning yaku of one named kind, the most valuable first; N_YAKU if not found. */
static int bright_yaku(const struct rules *r, cardset pile)
{
    cardset lacks = SET_DRY_BRIGHTS & ~pile;
    bool four = lacks == 0, three = set_rest(lacks) == 0;
    bool rain = (pile & CARD(RAINMAN)) != 0;
    const bool held[] = {[YAKU_GOKO] = four && rain,
                         [YAKU_SHIKO] = four,
                         [YAKU_AME_SHIKO] = three && rain,
                         [YAKU_SANKO] = three};
    int best = N_YAKU;
    for (int y = YAKU_GOKO; y <= YAKU_SANKO; y++)
        if (held[y] && r->yaku[y] > 0 && (best == N_YAKU || r->yaku[y] > r->yaku[best]))
            best = y;
    return best;
}

void group_brights(const struct rules *r, cardset pile, bool called, struct score *s)
{
    int bright = bright_yaku(r, pile);
    bool cup = (pile & CARD(SAKE)) != 0 && !score_rained(r, pile);
    int in_august = score_season(r, YAKU_TSUKIMI), in_march = score_season(r, YAKU_HANAMI);
    int moon = cup && (pile & CARD(MOON)) != 0 ? score_viewing(r, YAKU_TSUKIMI, called) : 0;
    int curtain = cup && (pile & CARD(CURTAIN)) != 0 ? score_viewing(r, YAKU_HANAMI, called) : 0;
    if (moon * in_august > 0 && curtain * in_march > 0 && r->viewing_both > 0)
        moon = curtain = r->viewing_both;
    moon *= in_august;
    curtain *= in_march;
    if (!r->viewing_with_brights && bright != N_YAKU) {
        if (moon + curtain > r->yaku[bright])
            bright = N_YAKU;
        else
            moon = curtain = 0;
    }
    if (bright != N_YAKU)
        s->worth[bright] = r->yaku[bright];
    s->worth[YAKU_TSUKIMI] = (uint16_t)moon;
    s->worth[YAKU_HANAMI] = (uint16_t)curtain;
}

/* A count yaku: `need` cards are worth w, each further card 1 more. */
static uint16_t counted(int n, int need, int w)
{
    return (uint16_t)(w > 0 && n >= need ? w + n - need : 0);
}

/* Trios of one kind and their count yaku, combined by trio_extra. n: cards of the kind held. */
static void trios(const struct rules *r, const bool *held, const uint8_t *trio, int n_trios, int n,
                  enum yaku count, struct score *s)
{
    int formed = 0, first = N_YAKU;
    for (int i = 0; i < n_trios; i++) {
        if (!held[i] || r->yaku[trio[i]] == 0)
            continue;
        int extra = r->trio_extra == TRIO_ADD ? n - 3 : 0;
        s->worth[trio[i]] = (uint16_t)(r->yaku[trio[i]] + extra);
        first = formed++ == 0 ? trio[i] : first;
    }
    if (formed > 0 && r->trio_extra == TRIO_ABSORB)
        s->worth[first] = (uint16_t)(s->worth[first] + n - 3 * formed);
    else
        s->worth[count] = counted(n, 5, r->yaku[count]);
}

void group_animals(const struct rules *r, cardset pile, struct score *s)
{
    const bool held[] = {(pile & SET_INOSHIKACHO) == SET_INOSHIKACHO};
    trios(r, held, (const uint8_t[]){YAKU_INOSHIKACHO}, 1, set_count(pile & set_animals), YAKU_TANE,
          s);
}

void group_ribbons(const struct rules *r, cardset pile, struct score *s)
{
    const bool held[] = {(pile & SET_POETRY) == SET_POETRY, (pile & SET_BLUE) == SET_BLUE};
    trios(r, held, (const uint8_t[]){YAKU_AKATAN, YAKU_AOTAN}, 2, set_count(pile & set_ribbons),
          YAKU_TANZAKU, s);
    if (s->worth[YAKU_AKATAN] > 0 && s->worth[YAKU_AOTAN] > 0)
        s->worth[YAKU_AKATAN] = (uint16_t)(s->worth[YAKU_AKATAN] + r->both_ribbons);
}

void group_plains(const struct rules *r, int n, struct score *s)
{
    s->worth[YAKU_KASU] = counted(n, 10, r->yaku[YAKU_KASU]);
}

void group_sum(struct score *s)
{
    s->base = 0;
    for (int y = 0; y < N_YAKU; y++)
        s->base = (uint16_t)(s->base + s->worth[y]);
}

/* What the tables cannot say: viewings that need another set beside them, and the month of the
 * round, which is counted with hiki. */
static void score_by_name(const struct ruleset *g, cardset taken, bool called, struct score *s)
{
    const struct rules *r = &g->rules;
    group_brights(r, taken, called, s);
    group_animals(r, taken, s);
    group_ribbons(r, taken, s);
    group_plains(r, set_count(taken & g->plains), s);
    bool month = r->month > 0 && r->month_of_round > 0 && (taken >> 4 * (r->month - 1) & 15) == 15;
    bool beside = month || (g->hiki > 0 && pile_months(taken) != 0);
    for (int y = 0; y < YAKU_HIKI; y++)
        beside |= y != YAKU_TSUKIMI && y != YAKU_HANAMI && s->worth[y] > 0;
    if (r->viewing_beside && !beside)
        s->worth[YAKU_TSUKIMI] = s->worth[YAKU_HANAMI] = 0;
    s->worth[YAKU_HIKI] = month ? r->month_of_round : 0;
    s->base = s->worth[YAKU_HIKI];
    s->n_yaku = month;
}

int pile_base_by_name(const struct ruleset *g, cardset s, bool called)
{
    struct score score;
    score_pile(g, s, called, &score);
    return score.base;
}

/* A group whose table has 0 has no yaku to name, as most have. */
static void score_by_group(const struct ruleset *g, cardset taken, bool called, struct score *s)
{
    const struct rules *r = &g->rules;
    int plains = set_count(taken & g->plains);
    if (g->bright_value[called][pile_brights(taken)] > 0)
        group_brights(r, taken, called, s);
    if (g->animal_value[pile_animals(taken)] > 0)
        group_animals(r, taken, s);
    if (g->ribbon_value[pile_ribbons(taken)] > 0)
        group_ribbons(r, taken, s);
    if (g->plain_value[0][plains] > 0)
        group_plains(r, plains, s);
}

void score_pile(const struct ruleset *g, cardset taken, bool called, struct score *ret)
{
    struct score s = {0};
    if (g->by_name)
        score_by_name(g, taken, called, &s);
    else
        score_by_group(g, taken, called, &s);
    for (int y = 0; y < YAKU_HIKI; y++) {
        s.base = (uint16_t)(s.base + s.worth[y]);
        s.n_yaku = (uint16_t)(s.n_yaku + (s.worth[y] > 0));
    }
    if (g->hiki > 0) {
        int months = set_count(pile_months(taken));
        s.worth[YAKU_HIKI] = (uint16_t)(s.worth[YAKU_HIKI] + g->hiki * months);
        s.base = (uint16_t)(s.base + g->hiki * months);
        s.n_yaku = (uint16_t)(s.n_yaku + months);
    }
    *ret = s;
}

bool score_is_new(const struct score *now, const struct score *then)
{
    for (int y = 0; y < N_YAKU; y++)
        if (now->worth[y] > then->worth[y])
            return true;
    return false;
}

/* Factor of one koi-koi multiplier for this many calls; 1 if it does not apply. It stops growing at
 * 2^24: points are capped long before. */
static uint32_t pay_factor(enum doubling d, int calls)
{
    switch (d) {
    case DOUBLING_ONCE:
        return calls > 0 ? 2 : 1;
    case DOUBLING_EACH:
        return (uint32_t)1 << (calls < 24 ? calls : 24);
    case DOUBLING_PLUS_ONE_EACH:
        return 1 + (uint32_t)calls;
    default:
        return 1;
    }
}

/* The first three calls of the winner add 1 each; from the fourth the sum is multiplied instead. */
enum { MOST_STEPS = 3 };

/* own, all: koi-koi calls of the winner and of all seats. n_yaku is computed only if a rule needs
 * it. */
static int32_t pay_points(const struct rules *r, int base, int n_yaku, int own, int all,
                          int table_brights, uint16_t *ret_added,
                          uint32_t ret_x[static N_MULTIPLIERS])
{
    bool steps = r->call_bonus == CALL_BONUS_STEPS;
    uint16_t added = (uint16_t)(steps && own <= MOST_STEPS ? own : 0);
    uint64_t points = (uint64_t)base + added;
    ret_x[X_SEVEN_PLUS] =
        r->has_seven_plus && base >= r->seven_points && n_yaku >= r->seven_min_yaku ? r->seven_x
                                                                                    : 1;
    ret_x[X_OWN_KOIKOI] = pay_factor((enum doubling)r->own_koikoi, own);
    ret_x[X_OPPONENT_KOIKOI] = pay_factor((enum doubling)r->opponent_koikoi, all - own);
    ret_x[X_ANY_KOIKOI] = pay_factor((enum doubling)r->any_koikoi, all);
    ret_x[X_TABLE_BRIGHTS] = r->table_brights ? 1 + (uint32_t)table_brights : 1;
    ret_x[X_CALL_BONUS] = steps && own > MOST_STEPS ? (uint32_t)own - 2 : 1;
    *ret_added = added;
    for (int m = 0; m < N_MULTIPLIERS; m++) {
        points *= ret_x[m];
        points = points < POINTS_MAX ? points : POINTS_MAX;
    }
    return (int32_t)points;
}

void score_pay(const struct ruleset *g, const struct calls *calls, int winner,
               const struct score *score, bool multiplied, struct round_result *ret)
{
    int own = calls->koikoi[winner], all = 0;
    for (int p = 0; p < calls->players; p++)
        all += calls->koikoi[p];
    ret->winner = (int8_t)winner;
    ret->score = *score;
    ret->points = score->base;
    ret->added = 0;
    for (int m = 0; m < N_MULTIPLIERS; m++)
        ret->x[m] = 1;
    if (multiplied)
        ret->points = pay_points(&g->rules, score->base, score->n_yaku, own, all,
                                 calls->table_brights, &ret->added, ret->x);
}

enum hand_yaku hand_yaku_of(const struct ruleset *g, cardset hand)
{
    const struct rules *r = &g->rules;
    cardset odd = hand ^ (hand >> 1);
    cardset months = pile_months(hand);
    odd = (odd ^ (odd >> 2)) & EACH_MONTH;
    if (!r->has_hand_yaku || (months == 0 && odd != 0))
        return HAND_NONE;
    int fours = set_count(months);
    const bool held[] = {[HAND_DOUBLE_FOUR] = fours >= 2,
                         [HAND_FOUR] = fours >= 1,
                         [HAND_PAIRS] = odd == 0 && set_count(hand) == 8};
    enum hand_yaku best = HAND_NONE;
    for (enum hand_yaku h = HAND_DOUBLE_FOUR; h < N_HAND_YAKU; h++)
        if (held[h] && r->hand_yaku[h] > 0 &&
            (best == HAND_NONE || r->hand_yaku[h] > r->hand_yaku[best]))
            best = h;
    return best;
}

const char *multiplier_key(enum multiplier m)
{
    static const char *const keys[] = {"seven_plus", "own_koikoi",    "opponent_koikoi",
                                       "any_koikoi", "table_brights", "call_bonus"};
    return keys[m];
}
