/* What finished matches leave behind: results, ratings, counts.
 *
 *     results_add(store, arena, rows, n)         a match has ended: its rows of one chat
 *     results_count(...)                         the same for rows that are stored already
 *     results_recount(store)                     all sums and ratings anew
 *
 * Rows of matches (store_played.h) are the facts; everything else is counted from them in their
 * order, by results_count() alone, so that counting anew gives the same.
 */
#ifndef KOIKOI_INBOX_RESULTS_H
#define KOIKOI_INBOX_RESULTS_H

#include "inbox_rating.h"

/* Completes rows[].rated, stores the rows and counts them. n: seats, 2 or 3, in order. */
struct results_news results_add(struct store *s, struct arena *a, struct played *rows, int n);
/* Counts the rows of one match in one chat. */
struct results_news results_count(struct store *s, struct arena *a, const struct played *rows,
                                  int n);
/* Empties what was counted and counts all rows again. Returns the number of matches, once for each
 * of their chats. */
int64_t results_recount(struct store *s);

#endif
