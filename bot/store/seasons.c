/* See store_season.h: sums by season, one against another, seasons that run, and the tables of
 * those that have ended. */
#include "store_season.h"

#include "store_played.h"
#include "store_table.h"

#include <limits.h>
#include <stdlib.h>

/* Columns of a tally in a struct; the first four are in both tables of sums. */
#define SUM_OF(row, member, name) COLUMN_OF(row, member, name, COLUMN_SUM)
#define SCORE_OF(row)                                                                              \
    SUM_OF(row, tally.won, "won"), SUM_OF(row, tally.drawn, "drawn"),                              \
        SUM_OF(row, tally.lost, "lost"), SUM_OF(row, tally.points, "points")
#define TALLY_OF(row)                                                                              \
    SCORE_OF(row), SUM_OF(row, tally.gave_up, "gave_up"), SUM_OF(row, tally.rounds, "rounds"),     \
        SUM_OF(row, tally.rounds_won, "rounds_won"), SUM_OF(row, tally.calls, "calls"),            \
        SUM_OF(row, tally.calls_won, "calls_won"), SUM_OF(row, tally.calls_paid, "calls_paid")
#define BEST_OF(row)                                                                               \
    COLUMN(row, best), COLUMN(row, streak), COLUMN(row, longest), COLUMN(row, best_hand)

/* ---- sums ---- */

#define RESULT(member) COLUMN(struct result_row, member)
static const struct sql_column result_columns[] = {RESULT(chat),
                                                   RESULT(season),
                                                   RESULT(person),
                                                   RESULT(account),
                                                   TALLY_OF(struct result_row),
                                                   BEST_OF(struct result_row)};
static const struct sql_table results = {"result", .n_keys = 4,
                                         ROWS(struct result_row, result_columns)};

struct result_row store_result(struct store *s, struct arena *a, int64_t chat, struct str season,
                               int64_t handle)
{
    const struct result_row *row = store_find(
        s, a, &results, "WHERE account = $1 AND chat = $2 AND season = $3 AND person = $4",
        VALUES(db_int(store_home_of_result(s, chat, handle)), db_int(chat), db_text(season),
               db_int(handle)));
    return row ? *row : (struct result_row){.chat = chat, .season = season, .person = handle};
}

void store_set_result(struct store *s, const struct result_row *row)
{
    struct result_row r = *row;
    r.account = store_home_of_result(s, r.chat, r.person);
    store_upsert(s, &results, &r);
}

static const struct sql_column standing_columns[] = {
    COLUMN_NAMED(struct standing, person, "o.id"), COLUMN_NAMED(struct standing, name, "o.name"),
    TALLY_OF(struct standing), BEST_OF(struct standing)};
static const struct sql_table view_of_standings = {ROWS(struct standing, standing_columns)};

/* Rows of handles, or of matches, become rows of persons; they are sorted by person. Returns their number. */
static int join_handles(int n_rows, struct standing *at)
{
    int n = 0;
    for (int i = 0; i < n_rows; i++) {
        const struct standing *from = &at[i];
        if (n == 0 || at[n - 1].person != from->person) {
            at[n++] = *from;
            continue;
        }
        struct standing *to = &at[n - 1];
        tally_add(&to->tally, &from->tally);
        if (from->best > to->best) {
            to->best = from->best;
            to->best_hand = from->best_hand;
        }
        to->streak = from->streak > to->streak ? from->streak : to->streak;
        to->longest = from->longest > to->longest ? from->longest : to->longest;
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

/* In their order, with their places. */
static struct standings placed(struct rows rows, int n, int most)
{
    struct standing *at = rows.at;
    if (n > 0)
        qsort(at, (size_t)n, sizeof *at, by_place);
    for (int i = 0; i < n; i++)
        at[i].place = i > 0 && by_figures(&at[i - 1], &at[i]) == 0 ? at[i - 1].place : i + 1;
    return (struct standings){n < most ? n : most, at};
}

#define STANDINGS(of)                                                                              \
    "FROM result AS r" JOIN_PERSON("r.person") "WHERE r.season = $1 AND " of " ORDER BY o.id, "    \
                                               "p.id"

struct standings store_standings(struct store *s, struct arena *a, int64_t chat, struct str season,
                                 int most)
{
    const struct db_value args[] = {db_text(season), db_int(chat),
                                    db_int(store_home_of_result(s, chat, 0))};
    struct rows rows =
        chat == EVERY_CHAT
            ? store_select(s, a, &view_of_standings, STANDINGS("r.chat = 0"), 1, args)
            : store_select(s, a, &view_of_standings, STANDINGS("r.chat = $2 AND r.account = $3"), 3,
                           args);
    return placed(rows, join_handles(rows.n, rows.at), most);
}

/* The score, summed over the rows of a table. */
#define SUMS_OF(row, of)                                                                           \
    COLUMN_NAMED(row, tally.won, "SUM(" of ".won)"),                                               \
        COLUMN_NAMED(row, tally.drawn, "SUM(" of ".drawn)"),                                       \
        COLUMN_NAMED(row, tally.lost, "SUM(" of ".lost)"),                                         \
        COLUMN_NAMED(row, tally.points, "SUM(" of ".points)")
#define DAYS(member, name) COLUMN_NAMED(struct standing, member, name)
static const struct sql_column days_columns[] = {
    DAYS(person, "o.id"),         DAYS(name, "o.name"),          DAYS(tally.won, "x.won"),
    DAYS(tally.drawn, "x.drawn"), DAYS(tally.lost, "x.lost"),    DAYS(tally.points, "x.points"),
    DAYS(best, "x.best"),         DAYS(best_hand, "x.best_hand")};
static const struct sql_table view_of_days = {ROWS(struct standing, days_columns)};

struct standings store_standings_of_days(struct store *s, struct arena *a, int64_t chat,
                                         int64_t from, int64_t to, int most)
{
    struct rows rows = store_select(
        s, a, &view_of_days,
        "FROM played AS x" JOIN_PERSON(
            "x.person") "WHERE x.account = $1 AND x.chat = $2 AND x.casual = 0 AND x.day >= $3 AND "
                        "x.day < $4 AND o.banned = 0 ORDER BY o.id, x.id",
        VALUES(db_int(store_home(s, HOME_OF_CHAT, chat)), db_int(chat), db_int(from), db_int(to)));
    return placed(rows, join_handles(rows.n, rows.at), most);
}

const struct standing *store_standing(struct store *s, struct arena *a, int64_t chat,
                                      struct str season, int64_t person)
{
    struct standings all = store_standings(s, a, chat, season, INT_MAX);
    for (int i = 0; i < all.n; i++)
        if (all.at[i].person == person)
            return all.at + i;
    return NULL;
}

/* ---- one against another ---- */

struct pairing_row {
    int64_t chat, account;
    struct str season;
    int64_t person, other;
    struct tally tally;
};
#define PAIRING(member) COLUMN(struct pairing_row, member)
static const struct sql_column pairing_columns[] = {PAIRING(chat),    PAIRING(season),
                                                    PAIRING(person),  PAIRING(other),
                                                    PAIRING(account), SCORE_OF(struct pairing_row)};
static const struct sql_table all_pairings = {"pairing", .n_keys = 5,
                                              ROWS(struct pairing_row, pairing_columns)};

void store_add_pairing(struct store *s, int64_t chat, struct str season, int64_t handle,
                       int64_t other, struct tally add)
{
    const int64_t account = store_home_of_result(s, chat, handle ? handle : other);
    store_add(s, &all_pairings, &(struct pairing_row){chat, account, season, handle, other, add});
}

#define MET(member, name) COLUMN_NAMED(struct pairing, member, name)
static const struct sql_column met_columns[] = {MET(other, "o.id"), MET(name, "o.name"),
                                                SUMS_OF(struct pairing, "x")};
static const struct sql_table view_of_met = {ROWS(struct pairing, met_columns)};

struct pairings store_pairings(struct store *s, struct arena *a, int64_t chat, struct str season,
                               int64_t who, int64_t other, int most)
{
    return pairings_of(store_select(
        s, a, &view_of_met,
        "FROM (SELECT r.other, r.won, r.drawn, r.lost, r.points FROM " RESULTS_OF(
            "pairing", "r", "h", 1, 2,
            3) " AND r.season = $4) AS x" JOIN_PERSON("x.other") "WHERE $5 = 0 OR o.id = $5 GROUP "
                                                                 "BY o.id, o.name ORDER BY "
                                                                 "SUM(x.won + x.drawn + x.lost) "
                                                                 "DESC, o.name LIMIT $6",
        VALUES(db_int(who), db_int(chat), db_int(store_home_of_result(s, chat, 0)), db_text(season),
               db_int(other), db_int(most))));
}

/* ---- seasons that run ---- */

#define OPEN(member) COLUMN(struct season_due, member)
static const struct sql_column open_columns[] = {OPEN(chat), OPEN(season), OPEN(due)};
static const struct sql_table open_seasons = {"season_open", .n_keys = 2,
                                              ROWS(struct season_due, open_columns)};

void store_open_season(struct store *s, const struct season_due *season)
{
    store_upsert(s, &open_seasons, season);
}

void store_drop_season(struct store *s, int64_t chat, struct str season)
{
    store_run(s, "DELETE FROM season_open WHERE chat = $1 AND season = $2",
              VALUES(db_int(chat), db_text(season)));
}

const struct season_due *store_season_due(struct store *s, struct arena *a, int64_t now)
{
    return store_find(s, a, &open_seasons,
                      "WHERE due > 0 AND due <= $1 ORDER BY due, chat, season LIMIT 1",
                      VALUES(db_int(now)));
}

/* ---- closed ---- */

#define ROW(member)          COLUMN(struct season_row, member)
#define ROW_OF(member, name) COLUMN_NAMED(struct season_row, s.member, name)
#define KEY_OF_ROW           ROW(chat), ROW(season), ROW(row)
#define REST_OF_ROW                                                                                \
    ROW_OF(place, "place"), ROW_OF(person, "person"), ROW(closed), ROW_OF(tally.won, "won"),       \
        ROW_OF(tally.drawn, "drawn"), ROW_OF(tally.lost, "lost"), ROW_OF(tally.points, "points"),  \
        ROW_OF(tally.calls, "calls"), ROW_OF(tally.calls_won, "calls_won"), ROW_OF(best, "best"),  \
        ROW_OF(longest, "longest"), ROW(rating), ROW(deviation), ROW_OF(best_hand, "best_hand")
static const struct sql_column row_columns[] = {KEY_OF_ROW, ROW(account), REST_OF_ROW},
                               named_columns[] = {KEY_OF_ROW, REST_OF_ROW, ROW_OF(name, "p.name")};
static const struct sql_table closed_rows = {"season_row", .n_keys = 4,
                                             ROWS(struct season_row, row_columns)};
static const struct sql_table view_of_rows = {ROWS(struct season_row, named_columns)};

void store_add_season_row(struct store *s, const struct season_row *row)
{
    struct season_row r = *row;
    r.account = store_home(s, HOME_OF_CHAT, r.chat);
    store_insert(s, &closed_rows, &r);
}

struct season_rows store_season_rows(struct store *s, struct arena *a, int64_t chat,
                                     struct str season)
{
    return season_rows_of(store_select(
        s, a, &view_of_rows,
        "FROM season_row AS r JOIN person AS p ON p.id = r.person "
        "WHERE r.account = $1 AND chat = $2 AND season = $3 ORDER BY row",
        VALUES(db_int(store_home(s, HOME_OF_CHAT, chat)), db_int(chat), db_text(season))));
}

#define CHAMPION(member, name) COLUMN_NAMED(struct champion, member, name)
static const struct sql_column champion_columns[] = {
    CHAMPION(season, "r.season"), CHAMPION(name, "p.name"), CHAMPION(person, "p.id")};
static const struct sql_table view_of_champions = {ROWS(struct champion, champion_columns)};

struct champions store_champions(struct store *s, struct arena *a, int64_t chat, int most)
{
    return champions_of(store_select(
        s, a, &view_of_champions,
        "FROM season_row AS r JOIN person AS p ON p.id = r.person "
        "WHERE r.account = $1 AND r.chat = $2 AND r.place = 1 ORDER BY r.closed DESC, "
        "r.row LIMIT $3",
        VALUES(db_int(store_home(s, HOME_OF_CHAT, chat)), db_int(chat), db_int(most))));
}

/* ---- with other rows ---- */

/* Results of a chat that goes count for the other: sums are added; of what cannot be added (a
 * streak) that of the other stays if it has one. A recount makes all of it from the matches. */
const struct store_feature feature_seasons = {
    .soonest = "SELECT MIN(due) FROM season_open WHERE due > 0",
    .forget = {"DELETE FROM season_open WHERE chat IN (SELECT c.id FROM chat AS c JOIN person AS p "
               "ON p.account = c.account AND p.direct_chat = c.key WHERE p.id = $1 AND "
               "p.direct_chat <> '')"},
    .join = {"DELETE FROM season_row WHERE " ACCOUNT_OF_CHAT(
        1) " AND chat = $2 AND season IN "
           "(SELECT season FROM season_row WHERE " ACCOUNT_OF_CHAT(1) " AND chat = $1)"},
    .counted = {&results, &all_pairings, &open_seasons, &closed_rows},
    .sums = {SUMS("result"), SUMS("pairing")}};

/* ---- the champion of the week, who is looked for each day ---- */

const struct sql_table week_posts = DAILY_POSTS("week_post");
const struct store_feature feature_week = {
    DAILY_DATES("week_post"),
    .counted = {&week_posts},
};
