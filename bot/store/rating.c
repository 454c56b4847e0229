/* See store_rating.h. */
#include "store_rating.h"

#include "store_table.h"

#define RATING(member) COLUMN(struct rating_row, member)
static const struct sql_column columns[] = {RATING(chat),      RATING(person),     RATING(points),
                                            RATING(deviation), RATING(volatility), RATING(matches),
                                            RATING(season),    RATING(at)};
static const struct sql_table ratings = {"rating", .n_keys = 2, ROWS(struct rating_row, columns)};

const struct rating_row *store_rating(struct store *s, struct arena *a, int64_t chat,
                                      int64_t handle)
{
    return store_find(s, a, &ratings, "WHERE chat = $1 AND person = $2",
                      VALUES(db_int(chat), db_int(handle)));
}

void store_set_rating(struct store *s, const struct rating_row *row)
{
    store_upsert(s, &ratings, row);
}

const struct rating_row *store_rating_of(struct store *s, struct arena *a, int64_t chat,
                                         int64_t who)
{
    return store_find(
        s, a, &ratings,
        "WHERE chat = $1 AND person IN " HANDLES_OF(2) " ORDER BY matches DESC, person LIMIT 1",
        VALUES(db_int(chat), db_int(who)));
}

/* A low and a high one, so that the pair has one row. */
int64_t store_add_rated_pair(struct store *s, int64_t chat, int64_t one, int64_t other, int64_t day)
{
    int64_t low = one < other ? one : other, high = one < other ? other : one;
    return store_number(
               s,
               "INSERT INTO rated_pair (chat, person, other, day, n) VALUES ($1, $2, $3, $4, 1) ON "
               "CONFLICT (chat, person, other) DO UPDATE SET n = CASE rated_pair.day WHEN "
               "excluded.day THEN rated_pair.n + 1 ELSE 1 END, day = excluded.day RETURNING n",
               VALUES(db_int(chat), db_int(low), db_int(high), db_int(day))) -
           1;
}

/* A pair's matches of a day are not added up: of the chat that goes they are lost. */
const struct store_feature feature_rating = {
    .join = {"DELETE FROM rated_pair WHERE chat <> $1 AND chat = $2"},
    .counted = {&ratings},
    .sums = {SUMS("rating"), SUMS("rated_pair")}};
