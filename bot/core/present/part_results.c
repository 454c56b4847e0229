/* Results in words: ratings, seasons, hands that won. */
#include "part.h"

#include "seasons.h"

struct str part_rating(const struct draft *d, const struct rating *r)
{
    int64_t unit = RATING_UNIT, half = unit / 2;
    return arena_print(d->a, "%lld ±%lld%s", (long long)((r->points + half) / unit),
                       (long long)((r->deviation + half) / unit),
                       rating_provisional(r) ? " ?" : "");
}

struct str part_season(const struct draft *d, const struct season_key *key)
{
    int year, part;
    if (season_is_all(key))
        return TX(d, T_SEASON_ALL);
    enum season_length length = season_parts(key, &year, &part);
    if (length == SEASON_HAND)
        return TX(d, T_SEASON_NUMBER, draft_int(d, part));
    if (length == SEASON_YEAR)
        return draft_int(d, year);
    return TX(d, (enum text)((length == SEASON_MONTH ? T_SEASON_M1 : T_SEASON_Q1) + part - 1),
              draft_int(d, year));
}

struct str part_hand_won(const struct draft *d, struct str hand)
{
    struct round_summary n;
    struct str list = {0};
    hand_won_read(hand, &n);
    if (n.hand)
        list = d->words->hand_yaku[n.hand];
    for (int y = 0; y < N_YAKU; y++)
        if (n.worth[y] > 0)
            draft_add(d, &list, T_PLUS, d->words->yaku[y]);
    return n.x[0] > 1 ? TX(d, T_HAND_TIMES, list, draft_int(d, n.x[0])) : list;
}
