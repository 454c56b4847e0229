/* See seasons.h. */
#include "seasons.h"

const struct badge_row_of badges[N_BADGES] = {
    [BADGE_GOKO] = {"goko", T_BADGE_GOKO},
    [BADGE_SHIKO] = {"shiko", T_BADGE_SHIKO},
    [BADGE_HUNDRED] = {"hundred", T_BADGE_HUNDRED},
    [BADGE_RUN] = {"run", T_BADGE_RUN},
    [BADGE_CHAMPION] = {"champion", T_BADGE_CHAMPION},
};

enum badge badge_find(struct str key)
{
    int b = 0;
    while (b < N_BADGES && !str_is(key, str_of(badges[b].key)))
        b++;
    return (enum badge)b;
}

struct str hand_won_write(const struct round_summary *round, struct buf *ret)
{
    size_t start = ret->n;
    int64_t x = 1;
    if (round->why == WHY_HAND_YAKU)
        buf_print(ret, "%s=%d ", hand_yaku_key((enum hand_yaku)round->hand), (int)round->base);
    for (int y = 0; y < N_YAKU; y++)
        if (round->worth[y] > 0)
            buf_print(ret, "%s=%d ", yaku_key((enum yaku)y), round->worth[y]);
    for (int m = 0; m < N_MULTIPLIERS; m++)
        x *= round->x[m] > 1 ? round->x[m] : 1;
    if (x > 1)
        buf_print(ret, "x=%lld ", (long long)x);
    return str_trim((struct str){ret->p + start, ret->n - start});
}

void hand_won_read(struct str s, struct round_summary *ret)
{
    *ret = (struct round_summary){.winner = -1};
    for (struct str rest = s, word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        struct str value, name = str_cut(word, '=', &value);
        int64_t n = 0;
        if (!str_int(value, &n) || n < 0 || n > UINT16_MAX)
            continue;
        if (str_is(name, STR("x")))
            ret->x[0] = (uint32_t)n;
        for (int y = 0; y < N_YAKU; y++)
            if (str_is(name, str_of(yaku_key((enum yaku)y))))
                ret->worth[y] = (uint16_t)n;
        for (int h = 1; h < N_HAND_YAKU; h++)
            if (str_is(name, str_of(hand_yaku_key((enum hand_yaku)h)))) {
                ret->hand = (uint8_t)h;
                ret->base = (uint16_t)n;
            }
    }
}
