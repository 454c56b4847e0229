/* See store_rating.h. */
#include "store_rating.h"

#include "store_played.h"
#include "store_table.h"

#define RATING(member) COLUMN(struct rating_row, member)
static const struct sql_column columns[] = {RATING(chat),    RATING(person),    RATING(account),
                                            RATING(points),  RATING(deviation), RATING(volatility),
                                            RATING(matches), RATING(season),    RATING(at)};
static const struct sql_table ratings = {"rating", .n_keys = 3, ROWS(struct rating_row, columns)};

const struct rating_row *store_rating(struct store *s, struct arena *a, int64_t chat,
                                      int64_t handle)
{
    return store_find(
        s, a, &ratings, "WHERE account = $1 AND chat = $2 AND person = $3",
        VALUES(db_int(store_home_of_result(s, chat, handle)), db_int(chat), db_int(handle)));
}

void store_set_rating(struct store *s, const struct rating_row *row)
{
    struct rating_row r = *row;
    r.account = store_home_of_result(s, r.chat, r.person);
    store_upsert(s, &ratings, &r);
}

const struct rating_row *store_rating_of(struct store *s, struct arena *a, int64_t chat,
                                         int64_t who)
{
    return store_find(
        s, a, &ratings,
        "JOIN (SELECT r.account AS account, r.chat AS chat, r.person AS person FROM " RESULTS_OF(
            "rating", "r", "h", 1, 2,
            3) " ORDER BY r.matches DESC, r.person LIMIT 1) AS x ON rating.account = x.account AND "
               "rating.chat = x.chat AND rating.person = x.person",
        VALUES(db_int(who), db_int(chat), db_int(store_home_of_result(s, chat, 0))));
}

/* A low and a high one, so that the pair has one row. */
int64_t store_add_rated_pair(struct store *s, int64_t chat, int64_t one, int64_t other, int64_t day)
{
    int64_t low = one < other ? one : other, high = one < other ? other : one;
    return store_number(
               s,
               "INSERT INTO rated_pair (account, chat, person, other, day, n) VALUES ($1, $2, $3, "
               "$4, $5, 1) ON "
               "CONFLICT (chat, person, other, account) DO UPDATE SET n = CASE rated_pair.day WHEN "
               "excluded.day THEN rated_pair.n + 1 ELSE 1 END, day = excluded.day RETURNING n",
               VALUES(db_int(store_home_of_result(s, chat, low ? low : high)), db_int(chat),
                      db_int(low), db_int(high), db_int(day))) -
           1;
}

/* A pair's matches of a day are not added up: of the chat that goes they are lost. */
const struct store_feature feature_rating = {
    .join = {"DELETE FROM rated_pair WHERE " ACCOUNT_OF_CHAT(1) " AND chat = $2"},
    .counted = {&ratings},
    .sums = {SUMS("rating"), SUMS("rated_pair")}};
