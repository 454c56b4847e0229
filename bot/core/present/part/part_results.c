/* Results in words: ratings, seasons, hands that won. */
#include "part.h"

#include "hand_won.h"

struct str part_rating(const struct body *body, const struct rating *r)
{
    int64_t unit = RATING_UNIT, half = unit / 2;
    return arena_print(body->a, "%lld ±%lld%s", (long long)((r->points + half) / unit),
                       (long long)((r->deviation + half) / unit),
                       rating_provisional(r) ? " ?" : "");
}

struct str part_season(const struct body *body, const struct season_key *key)
{
    int year, part;
    if (season_is_all(key))
        return TX0(body, T_SEASON_ALL);
    enum season_length length = season_parts(key, &year, &part);
    if (length == SEASON_HAND)
        return TX(body, T_SEASON_NUMBER, body_int(body, part));
    if (length == SEASON_YEAR)
        return body_int(body, year);
    return TX(body, (enum text)((length == SEASON_MONTH ? T_SEASON_M1 : T_SEASON_Q1) + part - 1),
              body_int(body, year));
}

struct str part_hand_won(const struct body *body, struct str hand)
{
    struct round_summary n;
    struct str list = {0};
    hand_won_read(hand, &n);
    if (n.hand)
        list = body->words->hand_yaku[n.hand];
    for (int y = 0; y < N_YAKU; y++)
        if (n.worth[y] > 0)
            list = body_join(body, list, TX0(body, T_PLUS), body->words->yaku[y]);
    return n.x[0] > 1 ? TX(body, T_HAND_TIMES, list, body_int(body, n.x[0])) : list;
}
