/* See results.h. */
#include "results.h"

#include "store.h"

#include <assert.h>

/* ---- sums ---- */

static struct tally tally_of(const struct played *p)
{
    return (struct tally){.won = p->won,
                          .drawn = p->drawn,
                          .lost = p->lost,
                          .points = p->points,
                          .gave_up = p->gave_up,
                          .rounds = p->rounds,
                          .rounds_won = p->rounds_won,
                          .calls = p->calls,
                          .calls_won = p->calls_won,
                          .calls_paid = p->calls_paid};
}

static bool add_to_season(struct store *s, struct arena *a, const struct played *p,
                          struct str season, struct err *err)
{
    struct result_row row;
    struct tally add = tally_of(p);
    if (!store_result(s, a, p->chat, season, p->person, &row, err))
        return false;
    tally_add(&row.tally, &add);
    row.streak = p->won ? row.streak + 1 : 0;
    row.longest = row.streak > row.longest ? row.streak : row.longest;
    if (p->best > row.best) {
        row.best = p->best;
        row.best_hand = p->best_hand;
    }
    return store_set_result(s, p->chat, season, p->person, &row, err);
}

/* 2 if one did better than the other in their match, 1 if as well, 0 if worse: who gave up did
 * worst, then the result counts, then the points of two losers. A draw is one whatever the points:
 * it may have been agreed. */
static int halves_of(const struct played *one, const struct played *other)
{
    enum { GAVE_UP, LOST, DRAWN, WON };
    int64_t a = one->gave_up ? GAVE_UP : one->won ? WON : one->drawn ? DRAWN : LOST;
    int64_t b = other->gave_up ? GAVE_UP : other->won ? WON : other->drawn ? DRAWN : LOST;
    if (a == b && a != DRAWN) {
        a = one->points;
        b = other->points;
    }
    return a > b ? 2 : a == b ? 1 : 0;
}

static bool add_pairings(struct store *s, const struct played *rows, int n, int seat,
                         struct str season, struct err *err)
{
    const struct played *p = &rows[seat];
    for (int i = 0; i < n; i++) {
        if (i == seat)
            continue;
        int halves = halves_of(p, &rows[i]);
        struct tally t = {.won = halves == 2,
                          .drawn = halves == 1,
                          .lost = halves == 0,
                          .points = p->points - rows[i].points};
        if (!store_add_pairing(s, p->chat, season, p->person, rows[i].person, t, err))
            return false;
    }
    return true;
}

static bool add_to_seasons(struct store *s, struct arena *a, const struct played *rows, int n,
                           int seat, struct err *err)
{
    const struct played *p = &rows[seat];
    struct str rest = p->also, season = p->season;
    for (; season.n > 0; season = str_word(&rest))
        if (!add_to_season(s, a, p, season, err) || !add_pairings(s, rows, n, seat, season, err))
            return false;
    return add_to_season(s, a, p, STR(SEASON_ALL), err) &&
           add_pairings(s, rows, n, seat, STR(SEASON_ALL), err);
}

static bool add_review(struct store *s, const struct played *p, struct err *err)
{
    return p->accuracy < 0 ||
           (store_count(s, p->chat, p->person, STR("review/matches"), 1, err) &&
            store_count(s, p->chat, p->person, STR("review/accuracy"), p->accuracy, err));
}

static bool add_counts(struct store *s, struct arena *a, const struct played *p, struct err *err)
{
    const char *result = p->won ? "won" : p->drawn ? "drawn" : "lost";
    if (!store_count(s, p->chat, p->person, arena_print(a, "%s/%.*s", result, STR_ARG(p->rules)), 1,
                     err))
        return false;
    for (struct str rest = p->yaku, word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        int64_t n;
        struct str value, name = str_cut(word, '=', &value);
        if (str_int(value, &n) &&
            !store_count(s, p->chat, p->person, arena_print(a, "yaku/%.*s", STR_ARG(name)), n, err))
            return false;
    }
    return add_review(s, p, err);
}

bool results_reviewed(struct store *s, struct arena *a, int64_t chat, int64_t session,
                      const int64_t *accuracy, struct err *err)
{
    struct played_rows rows;
    if (!store_played_match(s, a, chat, session, &rows, err))
        return false;
    for (int i = 0; i < rows.n; i++) {
        struct played *p = &rows.at[i];
        if (p->casual || p->accuracy >= 0)
            continue;
        p->accuracy = accuracy[p->seat];
        if (!store_set_accuracy(s, p->id, p->accuracy, err) || !add_review(s, p, err))
            return false;
    }
    return true;
}

/* ---- ratings ---- */

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

bool results_rating(struct store *s, struct arena *a, int64_t chat, int64_t who, struct str season,
                    int64_t now, struct rating *ret, int64_t *ret_matches, bool *ret_found,
                    struct err *err)
{
    struct rating_row row;
    if (!store_rating_of(s, a, chat, who, &row, ret_found, err))
        return false;
    *ret_matches = *ret_found ? row.matches : 0;
    if (*ret_found)
        *ret = rating_at(&row, season, now);
    return true;
}

static bool count_pairs(struct store *s, const struct played *rows, int n, bool *ret_over,
                        struct err *err)
{
    int64_t before;
    *ret_over = false;
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            if (!store_add_rated_pair(s, rows[i].chat, rows[i].rated, rows[k].rated, rows[i].day,
                                      &before, err))
                return false;
            *ret_over |= before >= RATED_PAIR_DAY;
        }
    return true;
}

/* All games of the match are one rating period: everybody's new rating follows from the old
 * ones. */
static bool count_ratings(struct store *s, struct arena *a, const struct played *rows, int n,
                          struct results_news *ret, struct err *err)
{
    struct rating was[RESULT_SEATS];
    struct rating_row row[RESULT_SEATS];
    bool rateable = n > 1;
    *ret = (struct results_news){0};
    for (int i = 0; i < n; i++)
        rateable &= rows[i].rateable != 0;
    if (!rateable)
        return true;
    if (!count_pairs(s, rows, n, &ret->over_limit, err))
        return false;
    for (int i = 0; i < n; i++) {
        bool found;
        if (!store_rating(s, a, rows[i].chat, rows[i].rated, &row[i], &found, err))
            return false;
        rating_new(&was[i]);
        if (!found)
            row[i] = (struct rating_row){.person = rows[i].rated};
        else
            was[i] = rating_at(&row[i], rows[i].season, rows[i].at);
        ret->rating[i] = was[i];
    }
    ret->rated = !ret->over_limit;
    for (int i = 0; i < n && ret->rated; i++) {
        struct rating_game games[RESULT_SEATS];
        int n_games = 0;
        for (int k = 0; k < n; k++)
            if (k != i)
                games[n_games++] = (struct rating_game){was[k], halves_of(&rows[i], &rows[k])};
        rating_games(&was[i], games, n_games, &ret->rating[i]);
        const struct rating *r = &ret->rating[i];
        row[i] = (struct rating_row){row[i].person,      r->points,  r->deviation,  r->volatility,
                                     row[i].matches + 1, rows[i].at, rows[i].season};
        if (!store_set_rating(s, rows[i].chat, &row[i], err))
            return false;
    }
    return true;
}

/* ---- matches ---- */

bool results_count(struct store *s, struct arena *a, const struct played *rows, int n,
                   struct results_news *ret, struct err *err)
{
    *ret = (struct results_news){0};
    assert(n > 0 && n <= RESULT_SEATS);
    if (rows[0].casual)
        return true;
    for (int i = 0; i < n; i++)
        if (!add_to_seasons(s, a, rows, n, i, err) || !add_counts(s, a, &rows[i], err))
            return false;
    return count_ratings(s, a, rows, n, ret, err);
}

/* Of a person with several handles the rating of the handle with the most matches moves, so that
 * there is one for all. */
static bool find_rated(struct store *s, struct arena *a, struct played *p, struct err *err)
{
    struct person who;
    struct rating_row row;
    bool found;
    if (!store_person_by_id(s, a, p->person, &who, &found, err))
        return false;
    p->rated = p->person;
    if (!found)
        return true;
    if (!store_rating_of(s, a, p->chat, who.who, &row, &found, err))
        return false;
    if (found)
        p->rated = row.person;
    return true;
}

bool results_add(struct store *s, struct arena *a, struct played *rows, int n,
                 struct results_news *ret, struct err *err)
{
    for (int i = 0; i < n; i++)
        if ((rows[i].person > 0 && !find_rated(s, a, &rows[i], err)) ||
            !store_add_played(s, &rows[i], err))
            return false;
    return results_count(s, a, rows, n, ret, err);
}

bool results_recount(struct store *s, int64_t *ret, struct err *err)
{
    enum { AT_ONCE = 600, ARENA_BYTES = 64 << 20 };
    struct arena *a = arena_open(ARENA_BYTES);
    struct played_rows rows = {0};
    struct results_news news;
    bool good = store_uncount(s, err);
    int64_t after = 0;
    *ret = 0;
    do {
        arena_reset(a);
        good = good && store_played_after(s, a, after, AT_ONCE, &rows, err);
        for (int i = 0, n; good && i < rows.n; i += n) {
            const struct played *p = &rows.at[i];
            for (n = 1; i + n < rows.n && p[n].chat == p->chat && p[n].session == p->session;)
                n++;
            if (i + n == rows.n && rows.n == AT_ONCE) /* the match may go on behind this page */
                break;
            good = results_count(s, a, p, n, &news, err);
            after = p[n - 1].id;
            ++*ret;
        }
    } while (good && rows.n == AT_ONCE);
    arena_close(a);
    return good;
}
