/* Ratings, counts by name and badges: see store_played.h. */
#include "store_played.h"
#include "store_sql.h"

#define RATING "person, points, deviation, volatility, matches, at, season"

static struct rating_row rating_of(const struct db_value *v)
{
    return (struct rating_row){v[0].i, v[1].i, v[2].i, v[3].i, v[4].i, v[5].i, v[6].s};
}

static bool one_rating(struct store *s, struct arena *a, const char *sql, int64_t chat,
                       int64_t person, struct rating_row *ret, bool *ret_found, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, sql, VALUES(db_int(chat), db_int(person)), &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = rating_of(t.at);
    return true;
}

bool store_rating(struct store *s, struct arena *a, int64_t chat, int64_t handle,
                  struct rating_row *ret, bool *ret_found, struct err *err)
{
    return one_rating(s, a, "SELECT " RATING " FROM rating WHERE chat = $1 AND person = $2", chat,
                      handle, ret, ret_found, err);
}

bool store_rating_of(struct store *s, struct arena *a, int64_t chat, int64_t who,
                     struct rating_row *ret, bool *ret_found, struct err *err)
{
    return one_rating(s, a,
                      "SELECT " RATING " FROM rating WHERE chat = $1 AND person IN (SELECT id FROM "
                      "person WHERE id = $2 OR owner = $2) ORDER BY matches DESC, person LIMIT 1",
                      chat, who, ret, ret_found, err);
}

bool store_set_rating(struct store *s, int64_t chat, const struct rating_row *row, struct err *err)
{
    return store_run(
        s,
        "INSERT INTO rating (chat, person, points, deviation, volatility, matches, at, season) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (chat, person) DO UPDATE SET "
        "points = excluded.points, deviation = excluded.deviation, "
        "volatility = excluded.volatility, matches = excluded.matches, at = excluded.at, "
        "season = excluded.season",
        VALUES(db_int(chat), db_int(row->person), db_int(row->points), db_int(row->deviation),
               db_int(row->volatility), db_int(row->matches), db_int(row->at),
               db_text(row->season)),
        NULL, err);
}

bool store_ratings(struct store *s, struct arena *a, int64_t chat, struct rating_rows *ret,
                   struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT CASE p.owner WHEN 0 THEN p.id ELSE p.owner END, r.points, r.deviation, "
                   "r.volatility, r.matches, r.at, r.season FROM rating AS r JOIN person AS p ON "
                   "p.id = r.person WHERE r.chat = $1 ORDER BY 1, r.matches DESC, r.person",
                   VALUES(db_int(chat)), &t, err))
        return false;
    ret->n = 0;
    ret->at = arena_array(a, struct rating_row, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++) {
        struct rating_row row = rating_of(t.at + i * t.cols);
        if (ret->n == 0 || ret->at[ret->n - 1].person != row.person)
            ret->at[ret->n++] = row;
    }
    return true;
}

bool store_add_rated_pair(struct store *s, int64_t chat, int64_t one, int64_t other, int64_t day,
                          int64_t *ret, struct err *err)
{
    struct db_table t;
    int64_t low = one < other ? one : other, high = one < other ? other : one;
    if (!store_change(
            s, NULL,
            "INSERT INTO rated_pair (chat, person, other, day, n) VALUES ($1, $2, $3, $4, 1) ON "
            "CONFLICT (chat, person, other) DO UPDATE SET n = CASE rated_pair.day WHEN "
            "excluded.day THEN rated_pair.n + 1 ELSE 1 END, day = excluded.day RETURNING n",
            VALUES(db_int(chat), db_int(low), db_int(high), db_int(day)), &t, err))
        return false;
    *ret = t.at[0].i - 1;
    return true;
}

/* ---- counts by name ---- */

bool store_count(struct store *s, int64_t chat, int64_t handle, struct str what, int64_t n,
                 struct err *err)
{
    return store_run(s,
                     "INSERT INTO counted (chat, person, what, n) VALUES ($1, $2, $3, $4) ON "
                     "CONFLICT (chat, person, what) DO UPDATE SET n = counted.n + excluded.n",
                     VALUES(db_int(chat), db_int(handle), db_text(what), db_int(n)), NULL, err);
}

bool store_counts(struct store *s, struct arena *a, int64_t chat, int64_t who,
                  struct count_rows *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT what, SUM(n) FROM counted WHERE chat = $1 AND person IN (SELECT id FROM "
                   "person WHERE id = $2 OR owner = $2) GROUP BY what ORDER BY what",
                   VALUES(db_int(chat), db_int(who)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct count_row, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = (struct count_row){t.at[2 * i].s, t.at[2 * i + 1].i};
    return true;
}

/* ---- badges ---- */

bool store_add_badge(struct store *s, int64_t who, const struct badge_row *badge, bool *ret_new,
                     struct err *err)
{
    int64_t added = 0;
    if (!store_run(s,
                   "INSERT INTO badge (person, name, chat, session, at) VALUES ($1, $2, $3, $4, "
                   "$5) ON CONFLICT DO NOTHING",
                   VALUES(db_int(who), db_text(badge->name), db_int(badge->chat),
                          db_int(badge->session), db_int(badge->at)),
                   &added, err))
        return false;
    *ret_new = added > 0;
    return true;
}

bool store_badges(struct store *s, struct arena *a, int64_t who, struct badge_rows *ret,
                  struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT name, MIN(chat), MIN(session), MIN(at) FROM badge WHERE person "
                   "IN " HANDLES_OF_WHO " GROUP BY name ORDER BY "
                   "MIN(at), name",
                   VALUES(db_int(who)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct badge_row, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++) {
        const struct db_value *v = t.at + i * t.cols;
        ret->at[i] = (struct badge_row){v[0].s, v[1].i, v[2].i, v[3].i};
    }
    return true;
}
