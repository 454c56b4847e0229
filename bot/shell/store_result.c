/* What matches leave behind: their records, and the scoreboards of chats. */
#include "store_sql.h"

/* ---- records ---- */

bool store_append_record(struct store *s, int64_t session, struct str lines, struct err *err)
{
    return store_run(s, "INSERT INTO record (session, lines) VALUES ($1, $2)",
                     VALUES(db_int(session), db_text(lines)), NULL, err);
}

bool store_record(struct store *s, struct arena *a, int64_t session, struct str *ret,
                  struct err *err)
{
    struct db_table t;
    size_t n = 0, at = 0;
    if (!store_ask(s, a, "SELECT lines FROM record WHERE session = $1 ORDER BY id",
                   VALUES(db_int(session)), &t, err))
        return false;
    for (int i = 0; i < t.rows; i++)
        n += t.at[i].s.n;
    char *whole = arena_alloc(a, n + 1);
    for (int i = 0; i < t.rows; i++) {
        if (t.at[i].s.n)
            memcpy(whole + at, t.at[i].s.p, t.at[i].s.n);
        at += t.at[i].s.n;
    }
    *ret = (struct str){whole, n};
    return true;
}

/* ---- seasons ---- */

bool store_add_result(struct store *s, int64_t chat, struct str season, int64_t person,
                      struct tally add, struct err *err)
{
    return store_run(
        s,
        "INSERT INTO result (chat, season, person, won, drawn, lost, points) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (chat, season, person) DO UPDATE SET "
        "won = result.won + excluded.won, drawn = result.drawn + excluded.drawn, "
        "lost = result.lost + excluded.lost, points = result.points + excluded.points",
        VALUES(db_int(chat), db_text(season), db_int(person), db_int(add.won), db_int(add.drawn),
               db_int(add.lost), db_int(add.points)),
        NULL, err);
}

static struct standing standing_of(const struct db_value *v)
{
    return (struct standing){v[0].i, v[1].s, {v[2].i, v[3].i, v[4].i, v[5].i}, v[6].i};
}

/* Results of a chat's season by person: $1 the chat, $2 the season. */
#define BY_PERSON                                                                                  \
    "WITH total AS (SELECT CASE p.owner WHEN 0 THEN p.id ELSE p.owner END AS person, "             \
    "SUM(r.won) AS won, SUM(r.drawn) AS drawn, SUM(r.lost) AS lost, SUM(r.points) AS points "      \
    "FROM result AS r JOIN person AS p ON p.id = r.person WHERE r.chat = $1 AND r.season = $2 "    \
    "GROUP BY 1) "
#define STANDING "t.person, p.name, t.won, t.drawn, t.lost, t.points"

bool store_standings(struct store *s, struct arena *a, int64_t chat, struct str season, int most,
                     struct standings *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   BY_PERSON "SELECT " STANDING
                             ", RANK() OVER (ORDER BY t.won DESC, t.points DESC, t.lost) "
                             "FROM total AS t JOIN person AS p ON p.id = t.person "
                             "ORDER BY t.won DESC, t.points DESC, t.lost, p.name, t.person "
                             "LIMIT $3",
                   VALUES(db_int(chat), db_text(season), db_int(most)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct standing, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = standing_of(t.at + i * t.cols);
    return true;
}

bool store_standing(struct store *s, struct arena *a, int64_t chat, struct str season,
                    int64_t person, struct standing *ret, bool *ret_found, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   BY_PERSON
                   "SELECT " STANDING
                   ", 1 + (SELECT COUNT(*) FROM total AS o WHERE o.won > t.won OR (o.won = "
                   "t.won AND (o.points > t.points OR (o.points = t.points AND o.lost < "
                   "t.lost)))) FROM total AS t JOIN person AS p ON p.id = t.person WHERE "
                   "t.person = $3",
                   VALUES(db_int(chat), db_text(season), db_int(person)), &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = standing_of(t.at);
    return true;
}
