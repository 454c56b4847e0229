/* See store_season.h: sums by season, and one against another. */
#include "store_season.h"
#include "store_sql.h"

#include <limits.h>
#include <stdlib.h>

#define TALLY "won, drawn, lost, points, gave_up, rounds, rounds_won, calls, calls_won, calls_paid"
enum { TALLY_COLUMNS = 10 };

static struct tally tally_of(const struct db_value *v)
{
    return (struct tally){v[0].i, v[1].i, v[2].i, v[3].i, v[4].i,
                          v[5].i, v[6].i, v[7].i, v[8].i, v[9].i};
}

/* ---- sums ---- */

bool store_result(struct store *s, struct arena *a, int64_t chat, struct str season, int64_t handle,
                  struct result_row *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT " TALLY ", best, streak, longest, best_hand FROM result WHERE chat = $1 "
                   "AND season = $2 AND person = $3",
                   VALUES(db_int(chat), db_text(season), db_int(handle)), &t, err))
        return false;
    *ret = (struct result_row){0};
    if (t.rows == 0)
        return true;
    const struct db_value *rest = t.at + TALLY_COLUMNS;
    *ret = (struct result_row){tally_of(t.at), rest[0].i, rest[1].i, rest[2].i, rest[3].s};
    return true;
}

bool store_set_result(struct store *s, int64_t chat, struct str season, int64_t handle,
                      const struct result_row *row, struct err *err)
{
    const struct tally *t = &row->tally;
    return store_run(
        s,
        "INSERT INTO result (chat, season, person, " TALLY ", best, streak, longest, best_hand) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) ON "
        "CONFLICT (chat, season, person) DO UPDATE SET won = excluded.won, "
        "drawn = excluded.drawn, lost = excluded.lost, points = excluded.points, "
        "gave_up = excluded.gave_up, rounds = excluded.rounds, "
        "rounds_won = excluded.rounds_won, calls = excluded.calls, "
        "calls_won = excluded.calls_won, calls_paid = excluded.calls_paid, "
        "best = excluded.best, streak = excluded.streak, longest = excluded.longest, "
        "best_hand = excluded.best_hand",
        VALUES(db_int(chat), db_text(season), db_int(handle), db_int(t->won), db_int(t->drawn),
               db_int(t->lost), db_int(t->points), db_int(t->gave_up), db_int(t->rounds),
               db_int(t->rounds_won), db_int(t->calls), db_int(t->calls_won), db_int(t->calls_paid),
               db_int(row->best), db_int(row->streak), db_int(row->longest),
               db_text(row->best_hand)),
        NULL, err);
}

bool store_add_result(struct store *s, int64_t chat, struct str season, int64_t handle,
                      struct tally add, struct err *err)
{
    struct result_row row;
    if (!store_result(s, NULL, chat, season, handle, &row, err))
        return false;
    tally_add(&row.tally, &add);
    return store_set_result(s, chat, season, handle, &row, err);
}

#define STANDING                                                                                   \
    "SELECT p.id, p.owner, o.name, " TALLY                                                         \
    ", r.best, r.streak, r.longest, r.best_hand FROM result "                                      \
    "AS r JOIN person AS p ON p.id = r.person JOIN person AS o ON o.id = CASE p.owner WHEN 0 "     \
    "THEN p.id ELSE p.owner END WHERE r.chat = $1 AND r.season = $2 "

/* Rows of handles become rows of persons; t is sorted by person. */
static int standings_of(const struct db_table *t, struct standing *ret)
{
    int n = 0;
    for (int i = 0; i < t->rows; i++) {
        const struct db_value *v = t->at + i * t->cols, *rest = v + 3 + TALLY_COLUMNS;
        struct tally add = tally_of(v + 3);
        int64_t person = v[1].i ? v[1].i : v[0].i;
        if (n == 0 || ret[n - 1].person != person)
            ret[n++] = (struct standing){.person = person, .name = v[2].s, .best = -1};
        struct standing *to = &ret[n - 1];
        tally_add(&to->tally, &add);
        if (rest[0].i > to->best) {
            to->best = rest[0].i;
            to->best_hand = rest[3].s;
        }
        to->streak = rest[1].i > to->streak ? rest[1].i : to->streak;
        to->longest = rest[2].i > to->longest ? rest[2].i : to->longest;
    }
    return n;
}

/* -1, 0, 1 */
static int higher(int64_t a, int64_t b)
{
    return (a < b) - (a > b);
}

static int by_figures(const struct standing *a, const struct standing *b)
{
    int order = higher(a->tally.won, b->tally.won);
    order = order ? order : higher(a->tally.points, b->tally.points);
    return order ? order : -higher(a->tally.lost, b->tally.lost);
}

static int by_place(const void *left, const void *right)
{
    const struct standing *a = left, *b = right;
    int order = by_figures(a, b);
    size_t n = a->name.n < b->name.n ? a->name.n : b->name.n;
    if (order == 0 && n > 0)
        order = memcmp(a->name.p, b->name.p, n);
    if (order == 0)
        order = -higher((int64_t)a->name.n, (int64_t)b->name.n);
    return order ? order : -higher(a->person, b->person);
}

bool store_standings(struct store *s, struct arena *a, int64_t chat, struct str season, int most,
                     struct standings *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, STANDING "ORDER BY o.id, p.id", VALUES(db_int(chat), db_text(season)), &t,
                   err))
        return false;
    struct standing *at = arena_array(a, struct standing, (size_t)t.rows);
    int n = standings_of(&t, at);
    if (n > 0)
        qsort(at, (size_t)n, sizeof *at, by_place);
    for (int i = 0; i < n; i++)
        at[i].place = i > 0 && by_figures(&at[i - 1], &at[i]) == 0 ? at[i - 1].place : i + 1;
    *ret = (struct standings){n < most ? n : most, at};
    return true;
}

bool store_standing(struct store *s, struct arena *a, int64_t chat, struct str season,
                    int64_t person, struct standing *ret, bool *ret_found, struct err *err)
{
    struct standings all;
    if (!store_standings(s, a, chat, season, INT_MAX, &all, err))
        return false;
    *ret_found = false;
    for (int i = 0; i < all.n && !*ret_found; i++) {
        *ret_found = all.at[i].person == person;
        *ret = all.at[i];
    }
    return true;
}

/* ---- one against another ---- */

bool store_add_pairing(struct store *s, int64_t chat, struct str season, int64_t handle,
                       int64_t other, struct tally add, struct err *err)
{
    return store_run(
        s,
        "INSERT INTO pairing (chat, season, person, other, won, drawn, lost, points) VALUES ($1, "
        "$2, $3, $4, $5, $6, $7, $8) ON CONFLICT (chat, season, person, other) DO UPDATE SET "
        "won = pairing.won + excluded.won, drawn = pairing.drawn + excluded.drawn, "
        "lost = pairing.lost + excluded.lost, points = pairing.points + excluded.points",
        VALUES(db_int(chat), db_text(season), db_int(handle), db_int(other), db_int(add.won),
               db_int(add.drawn), db_int(add.lost), db_int(add.points)),
        NULL, err);
}

bool store_pairings(struct store *s, struct arena *a, int64_t chat, struct str season, int64_t who,
                    int64_t other, int most, struct pairings *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT o.id, o.name, SUM(r.won), SUM(r.drawn), SUM(r.lost), SUM(r.points) FROM "
                   "pairing AS r JOIN person AS p ON p.id = r.other JOIN person AS o ON o.id = "
                   "CASE p.owner WHEN 0 THEN p.id ELSE p.owner END WHERE r.chat = $1 AND "
                   "r.season = $2 AND r.person IN (SELECT id FROM person WHERE id = $3 OR owner = "
                   "$3) AND ($4 = 0 OR o.id = $4) GROUP BY o.id, o.name ORDER BY SUM(r.won + "
                   "r.drawn + r.lost) DESC, o.name LIMIT $5",
                   VALUES(db_int(chat), db_text(season), db_int(who), db_int(other), db_int(most)),
                   &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct pairing, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++) {
        const struct db_value *v = t.at + i * t.cols;
        ret->at[i] = (struct pairing){
            v[0].i, v[1].s, {.won = v[2].i, .drawn = v[3].i, .lost = v[4].i, .points = v[5].i}};
    }
    return true;
}

/* ---- counting anew ---- */

bool store_uncount(struct store *s, struct err *err)
{
    static const char *const steps[] = {
        "DELETE FROM result",
        ("INSERT INTO result (chat, season, person, won, drawn, lost, points) "
         "SELECT chat, season, person, won, drawn, lost, points FROM result_before"),
        "DELETE FROM pairing",
        "DELETE FROM counted",
        "DELETE FROM rating",
        "DELETE FROM rated_pair",
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (!store_run(s, steps[i], 0, NULL, NULL, err))
            return false;
    return true;
}
