/* Seasons that run, and the tables of those that have ended: see store_season.h. */
#include "store_season.h"
#include "store_sql.h"

bool store_open_season(struct store *s, const struct season_due *season, struct err *err)
{
    return store_run(s,
                     "INSERT INTO season_open (chat, season, due) VALUES ($1, $2, $3) ON CONFLICT "
                     "(chat, season) DO UPDATE SET due = excluded.due",
                     VALUES(db_int(season->chat), db_text(season->season), db_int(season->due)),
                     NULL, err);
}

bool store_drop_season(struct store *s, int64_t chat, struct str season, struct err *err)
{
    return store_run(s, "DELETE FROM season_open WHERE chat = $1 AND season = $2",
                     VALUES(db_int(chat), db_text(season)), NULL, err);
}

bool store_season_due(struct store *s, struct arena *a, int64_t now, struct season_due *ret,
                      bool *ret_found, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT chat, due, season FROM season_open WHERE due > 0 AND due <= $1 ORDER BY "
                   "due, chat, season LIMIT 1",
                   VALUES(db_int(now)), &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = (struct season_due){t.at[0].i, t.at[1].i, t.at[2].s};
    return true;
}

/* ---- closed ---- */

#define ROW                                                                                        \
    "row, place, person, closed, won, drawn, lost, points, calls, calls_won, best, longest, "      \
    "rating, deviation, best_hand"

bool store_add_season_row(struct store *s, int64_t chat, struct str season,
                          const struct season_row *r, struct err *err)
{
    const struct tally *t = &r->s.tally;
    return store_run(s,
                     "INSERT INTO season_row (chat, season, " ROW
                     ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, "
                     "$16, $17)",
                     VALUES(db_int(chat), db_text(season), db_int(r->row), db_int(r->s.place),
                            db_int(r->s.person), db_int(r->closed), db_int(t->won),
                            db_int(t->drawn), db_int(t->lost), db_int(t->points), db_int(t->calls),
                            db_int(t->calls_won), db_int(r->s.best), db_int(r->s.longest),
                            db_int(r->rating), db_int(r->deviation), db_text(r->s.best_hand)),
                     NULL, err);
}

static struct season_row season_row_of(const struct db_value *v)
{
    return (struct season_row){.row = v[0].i,
                               .closed = v[3].i,
                               .rating = v[12].i,
                               .deviation = v[13].i,
                               .s = {.place = v[1].i,
                                     .person = v[2].i,
                                     .tally = {.won = v[4].i,
                                               .drawn = v[5].i,
                                               .lost = v[6].i,
                                               .points = v[7].i,
                                               .calls = v[8].i,
                                               .calls_won = v[9].i},
                                     .best = v[10].i,
                                     .longest = v[11].i,
                                     .best_hand = v[14].s,
                                     .name = v[15].s}};
}

bool store_season_rows(struct store *s, struct arena *a, int64_t chat, struct str season,
                       struct season_rows *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT " ROW ", p.name FROM season_row AS r JOIN person AS p ON p.id = "
                   "r.person WHERE chat = $1 AND season = $2 ORDER BY row",
                   VALUES(db_int(chat), db_text(season)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct season_row, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = season_row_of(t.at + i * t.cols);
    return true;
}

bool store_champions(struct store *s, struct arena *a, int64_t chat, int most,
                     struct champions *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT r.season, p.name, p.id FROM season_row AS r JOIN person AS p ON p.id = "
                   "r.person WHERE r.chat = $1 AND r.place = 1 ORDER BY r.closed DESC, r.row LIMIT "
                   "$2",
                   VALUES(db_int(chat), db_int(most)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct champion, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = (struct champion){t.at[3 * i].s, t.at[3 * i + 1].s, t.at[3 * i + 2].i};
    return true;
}
