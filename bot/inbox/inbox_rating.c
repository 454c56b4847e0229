/* Ratings of people in a chat, or over all chats. See inbox_results.h. */
#include "inbox_results.h"

#include "season.h"

/* Who gave up did worst, then the result counts, then the points of two losers. A draw is one
 * whatever the points: it may have been agreed. */
int rating_halves(const struct played *one, const struct played *other)
{
    enum { GAVE_UP, LOST, DRAWN, WON };
    int64_t a = one->tally.gave_up ? GAVE_UP
                : one->tally.won   ? WON
                : one->tally.drawn ? DRAWN
                                   : LOST;
    int64_t b = other->tally.gave_up ? GAVE_UP
                : other->tally.won   ? WON
                : other->tally.drawn ? DRAWN
                                     : LOST;
    if (a == b && a != DRAWN) {
        a = one->tally.points;
        b = other->tally.points;
    }
    return a > b ? 2 : a == b ? 1 : 0;
}

static int64_t month_of(int64_t unix_ms)
{
    struct date d = date_at(unix_ms, 0);
    return (int64_t)d.year * 12 + d.month;
}

/* The rating of a row as it is at `now`: in another season it has rested since its last match. */
static struct rating rating_at(const struct rating_row *row, struct str season, int64_t now)
{
    struct rating r = {row->points, row->deviation, row->volatility};
    if (!str_is(row->season, season))
        rating_rest(&r, month_of(now) - month_of(row->at));
    return r;
}

bool rating_of(struct store *s, struct arena *a, int64_t chat, int64_t who, struct str season,
               int64_t now, struct rating *ret)
{
    const struct rating_row *row = store_rating_of(s, a, chat, who);
    if (row)
        *ret = rating_at(row, season, now);
    return row != NULL;
}

struct results_news rating_count(struct store *s, struct arena *a, const struct played *rows, int n)
{
    struct rating was[RESULT_SEATS];
    struct rating_row row[RESULT_SEATS];
    struct results_news news = {0};
    bool rateable = n > 1;
    for (int i = 0; i < n; i++)
        rateable &= rows[i].rateable != 0;
    if (!rateable)
        return news;
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            news.over_limit |= store_add_rated_pair(s, rows[i].chat, rows[i].rated, rows[k].rated,
                                                    rows[i].day) >= RATED_PAIR_DAY;
    for (int i = 0; i < n; i++) {
        const struct rating_row *known = store_rating(s, a, rows[i].chat, rows[i].rated);
        row[i] =
            known ? *known : (struct rating_row){.chat = rows[i].chat, .person = rows[i].rated};
        rating_new(&was[i]);
        if (known)
            was[i] = rating_at(known, rows[i].season, rows[i].at);
        news.rating[i] = was[i];
    }
    news.rated = !news.over_limit;
    for (int i = 0; i < n && news.rated; i++) {
        struct rating_game games[RESULT_SEATS];
        struct rating *r = &news.rating[i];
        int n_games = 0;
        for (int k = 0; k < n; k++)
            if (k != i)
                games[n_games++] = (struct rating_game){was[k], rating_halves(&rows[i], &rows[k])};
        rating_games(&was[i], games, n_games, r);
        row[i].points = r->points;
        row[i].deviation = r->deviation;
        row[i].volatility = r->volatility;
        row[i].matches++;
        row[i].at = rows[i].at;
        row[i].season = rows[i].season;
        store_set_rating(s, &row[i]);
    }
    return news;
}
