/* What finished matches leave behind: results, ratings, seasons, people's figures.
 *
 *     results_add(store, arena, rows, n, &news, &err)    a match has ended: its rows of one chat
 *     results_count(...)                                 the same for rows that are stored already
 *     results_recount(store, &matches, &err)             all sums and ratings anew
 *
 * Rows of matches (store_played.h) are the facts; everything else is counted from them in their
 * order, by results_count() alone, so that counting anew gives the same.
 */
#ifndef KOIKOI_RESULTS_H
#define KOIKOI_RESULTS_H

#include "rating.h"
#include "season.h"
#include "store_played.h"
#include "store_season.h"

enum { RESULT_SEATS = 3 };

/* What a match did to the ratings, by seat. */
struct results_news {
    bool rated;
    bool over_limit; /* the pair had RATED_PAIR_DAY rated matches that day */
    struct rating rating[RESULT_SEATS];
};

/* Completes rows[].rated, stores the rows and counts them. n: seats, 2 or 3, in order. */
bool results_add(struct store *s, struct arena *a, struct played *rows, int n,
                 struct results_news *ret, struct err *err) MUST_CHECK;
/* Counts the rows of one match in one chat. */
bool results_count(struct store *s, struct arena *a, const struct played *rows, int n,
                   struct results_news *ret, struct err *err) MUST_CHECK;
/* Notes how well each seat of a match played, in thousandths, once: a second review changes
 * nothing. */
bool results_reviewed(struct store *s, struct arena *a, int64_t chat, int64_t session,
                      const int64_t *accuracy, struct err *err) MUST_CHECK;
/* Empties what was counted and counts all rows again. *ret: matches, once for each of their
 * chats. */
bool results_recount(struct store *s, int64_t *ret, struct err *err) MUST_CHECK;

/* The rating in a chat, as it is at `now` in a season; false if there is none. */
bool results_rating(struct store *s, struct arena *a, int64_t chat, int64_t who, struct str season,
                    int64_t now, struct rating *ret, int64_t *ret_matches, bool *ret_found,
                    struct err *err) MUST_CHECK;

#endif
