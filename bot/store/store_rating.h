/* Ratings in the store, by handle and chat. See store.h. */
#ifndef KOIKOI_STORE_RATING_H
#define KOIKOI_STORE_RATING_H

#include "adapter.h"

struct store;

struct rating_row {
    int64_t chat, account;
    int64_t person; /* handle */
    int64_t points, deviation, volatility, matches, at;
    struct str season;
};
const struct rating_row *store_rating(struct store *s, struct arena *a, int64_t chat,
                                      int64_t handle);
void store_set_rating(struct store *s, const struct rating_row *row);
/* Of a person's handles the row with the most matches. */
const struct rating_row *store_rating_of(struct store *s, struct arena *a, int64_t chat,
                                         int64_t who);
/* Adds a rated match of the two on that day; the number of those before it. */
int64_t store_add_rated_pair(struct store *s, int64_t chat, int64_t one, int64_t other,
                             int64_t day);

#endif
