/* Ratings of people in a chat, or over all chats: Glicko-2 (bot/core/rating), one period a
 * match. */
#ifndef KOIKOI_INBOX_RATING_H
#define KOIKOI_INBOX_RATING_H

#include "rating.h"
#include "store_played.h"

enum { RESULT_SEATS = 3 };

/* What a match did to the ratings, by seat. */
struct results_news {
    bool rated;
    bool over_limit; /* the pair had RATED_PAIR_DAY rated matches that day */
    struct rating rating[RESULT_SEATS];
};

/* 2 if one did better than the other in their match, 1 if as well, 0 if worse. */
int rating_halves(const struct played *one, const struct played *other);
/* Counts the rows of one match in one chat. All its games are one rating period: everybody's new
 * rating follows from the old ones. */
struct results_news rating_count(struct store *s, struct arena *a, const struct played *rows,
                                 int n);
/* The rating of a person as it is at `now` in a season. Returns false if there is none. */
bool rating_of(struct store *s, struct arena *a, int64_t chat, int64_t who, struct str season,
               int64_t now, struct rating *ret);

#endif
