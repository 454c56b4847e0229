/* What a pile is worth, named yaku by yaku, and what a round pays. Sources: README.md, "Yaku",
 * "What a round pays". The groups below are written once: score_pile() asks them for names and
 * worths, ruleset_make() fills the tables of the fast path from them. A new yaku belongs to a
 * group: extend the group's function, and its table follows. */
#include "score.h"
#include "group.h"
#include "pay.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define BITS_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#endif

#define FOUR_DRY (CARD(CRANE) | CARD(CURTAIN) | CARD(MOON) | CARD(PHOENIX))

/* The yaku of one named kind where it counts, dearest first by worth; N_YAKU if none. */
static int bright_yaku(const struct rules *r, cardset pile)
{
    cardset lacks = FOUR_DRY & ~pile;
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

void group_brights(const struct rules *r, cardset pile, struct score *s)
{
    int bright = bright_yaku(r, pile);
    bool rained = (r->rain_cancels != RAIN_NONE && (pile & CARD(RAINMAN)) != 0) ||
                  (r->rain_cancels == RAIN_RAINMAN_OR_LIGHTNING && (pile & CARD(LIGHTNING)) != 0);
    bool cup = (pile & CARD(SAKE)) != 0 && !rained;
    int moon = cup && (pile & CARD(MOON)) != 0 ? r->yaku[YAKU_TSUKIMI] : 0;
    int curtain = cup && (pile & CARD(CURTAIN)) != 0 ? r->yaku[YAKU_HANAMI] : 0;

    if (moon > 0 && curtain > 0 && r->viewing_both > 0)
        moon = curtain = r->viewing_both;
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

/* A count yaku: `need` cards are worth w, each further one 1 more. */
static uint16_t counted(int n, int need, int w)
{
    return (uint16_t)(w > 0 && n >= need ? w + n - need : 0);
}

/* Trios of one kind and the count yaku beside them, as trio_extra says. n: cards of the kind
 * held. */
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
    const bool held[] = {(pile & INOSHIKACHO) == INOSHIKACHO};

    trios(r, held, (const uint8_t[]){YAKU_INOSHIKACHO}, 1, set_count(pile & set_animals), YAKU_TANE,
          s);
}

void group_ribbons(const struct rules *r, cardset pile, struct score *s)
{
    const bool held[] = {(pile & POETRY) == POETRY, (pile & BLUE) == BLUE};

    trios(r, held, (const uint8_t[]){YAKU_AKATAN, YAKU_AOTAN}, 2, set_count(pile & set_ribbons),
          YAKU_TANZAKU, s);
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

/* ---- Many piles ------------------------------------------------------------------------------ */

static void bases_plainly(const struct ruleset *g, const cardset *piles, size_t n, uint16_t *ret)
{
    for (size_t i = 0; i < n; i++)
        ret[i] = (uint16_t)pile_base_by(false, g, piles[i]);
}

#if defined(__x86_64__)
/* Of four piles, plains + 32 * whole months: where plain_value[0] has what they are worth. A
 * month is half a byte, and both of its numbers are read from a row of sixteen. */
BITS_AVX2 static inline __m256i plain_places(__m256i s, __m256i plains, bool hiki)
{
    const __m256i half = _mm256_set1_epi8(15);
    const __m256i count =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const __m256i whole =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32));
    __m256i p = _mm256_and_si256(s, plains);
    __m256i low = _mm256_and_si256(p, half), high = _mm256_and_si256(_mm256_srli_epi64(p, 4), half);
    __m256i sum =
        _mm256_add_epi8(_mm256_shuffle_epi8(count, low), _mm256_shuffle_epi8(count, high));

    if (hiki) {
        low = _mm256_and_si256(s, half);
        high = _mm256_and_si256(_mm256_srli_epi64(s, 4), half);
        sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(whole, low));
        sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(whole, high));
    }
    return _mm256_sad_epu8(sum, _mm256_setzero_si256());
}

/* One port of the usual processor extracts and counts bits, one a cycle: so plains are counted
 * beside it, for some piles at once. They are few, and the loop over them stays a loop, so
 * that the work of both overlaps. */
BITS_AVX2 static inline void bases_by_eight(const struct ruleset *restrict g,
                                            const cardset *restrict piles, size_t n, bool hiki,
                                            uint16_t *restrict ret)
{
    enum { BLOCK = 8 };
    const uint16_t *value = g->plain_value[0];
    const __m256i plains = _mm256_set1_epi64x((long long)g->plains);

    for (; n >= BLOCK; n -= BLOCK, piles += BLOCK, ret += BLOCK) {
        uint64_t at[BLOCK];
        for (size_t i = 0; i < BLOCK; i += 4) {
            __m256i four = _mm256_loadu_si256((const __m256i *)(piles + i));
            _mm256_storeu_si256((__m256i *)(at + i), plain_places(four, plains, hiki));
        }
#pragma GCC unroll 2
        for (size_t i = 0; i < BLOCK; i++)
            ret[i] = (uint16_t)pile_base_of(true, g, piles[i], value[at[i]]);
    }
    for (size_t i = 0; i < n; i++)
        ret[i] = (uint16_t)pile_base_by(true, g, piles[i]);
}

BITS_AVX2 static void bases_bmi2(const struct ruleset *g, const cardset *piles, size_t n,
                                 uint16_t *ret)
{
    if (g->hiki > 0)
        bases_by_eight(g, piles, n, true, ret);
    else
        bases_by_eight(g, piles, n, false, ret);
}
#else
static void bases_bmi2(const struct ruleset *g, const cardset *piles, size_t n, uint16_t *ret)
{
    bases_plainly(g, piles, n, ret);
}
#endif

void score_bases(const struct ruleset *g, const cardset *piles, size_t n, uint16_t *ret)
{
    if (g->bmi2)
        bases_bmi2(g, piles, n, ret);
    else
        bases_plainly(g, piles, n, ret);
}

/* A group whose table says 0 has no yaku to name, and most have none. */
void score_pile(const struct ruleset *g, cardset taken, struct score *ret)
{
    const struct rules *r = &g->rules;
    int plains = pile_count(g, taken & g->plains);
    struct score s = {0};

    if (g->bright_value[pile_brights(g->bmi2, taken)] > 0)
        group_brights(r, taken, &s);
    if (g->animal_value[pile_animals(g->bmi2, taken)] > 0)
        group_animals(r, taken, &s);
    if (g->ribbon_value[pile_ribbons(g->bmi2, taken)] > 0)
        group_ribbons(r, taken, &s);
    if (g->plain_value[0][plains] > 0)
        group_plains(r, plains, &s);
    for (int y = 0; y < YAKU_HIKI; y++) {
        s.base = (uint16_t)(s.base + s.worth[y]);
        s.n_yaku = (uint16_t)(s.n_yaku + (s.worth[y] > 0));
    }
    if (g->hiki > 0) {
        int months = pile_count(g, pile_months(taken));
        s.worth[YAKU_HIKI] = (uint16_t)(g->hiki * months);
        s.base = (uint16_t)(s.base + s.worth[YAKU_HIKI]);
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

void score_pay(const struct ruleset *g, const struct calls *calls, int winner,
               const struct score *score, bool multiplied, struct round_result *ret)
{
    int own = calls->koikoi[winner], all = 0;

    for (int p = 0; p < calls->players; p++)
        all += calls->koikoi[p];
    ret->winner = (int8_t)winner;
    ret->score = *score;
    ret->points = score->base;
    for (int m = 0; m < N_MULTIPLIERS; m++)
        ret->x[m] = 1;
    if (multiplied)
        ret->points = pay_points(&g->rules, score->base, score->n_yaku, own, all,
                                 calls->table_brights, ret->x);
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
    static const char *const keys[] = {"seven_plus", "own_koikoi", "opponent_koikoi", "any_koikoi",
                                       "table_brights"};
    return keys[m];
}
