/* See store_puzzle.h: what comes daily, puzzles and duels. */
#include "store_puzzle.h"

#include "store_table.h"

#define POST(member) COLUMN(struct daily_post, member)
static const struct sql_column post_columns[] = {POST(chat), POST(due), POST(day)};
static const struct sql_table posts[N_DAILY] = {
    [DAILY_PUZZLE] = {"puzzle_post", .n_keys = 1, ROWS(struct daily_post, post_columns)},
    [DAILY_WEEK] = {"week_post", .n_keys = 1, ROWS(struct daily_post, post_columns)}};

struct daily_post store_daily_post(struct store *s, enum daily kind, int64_t chat)
{
    const struct daily_post *post =
        store_find(s, NULL, &posts[kind], "WHERE chat = $1", VALUES(db_int(chat)));
    return post ? *post : (struct daily_post){.chat = chat};
}

void store_set_daily_post(struct store *s, enum daily kind, const struct daily_post *post)
{
    store_upsert(s, &posts[kind], post);
}

struct daily_post store_daily_due(struct store *s, enum daily kind, int64_t now)
{
    const struct daily_post *post =
        store_find(s, NULL, &posts[kind], "WHERE due > 0 AND due <= $1 ORDER BY due, chat LIMIT 1",
                   VALUES(db_int(now)));
    return post ? *post : (struct daily_post){0};
}

/* ---- answers ---- */

#define ANSWER(member) COLUMN(struct puzzle_answer, member)
static const struct sql_column answer_columns[] = {
    ANSWER(day),    COLUMN_NAMED(struct puzzle_answer, handle, "person"),
    ANSWER(answer), ANSWER(chat),
    ANSWER(at),     ANSWER(solved)};
static const struct sql_table answers = {"puzzle_answer", .n_keys = 2,
                                         ROWS(struct puzzle_answer, answer_columns)};

void store_add_puzzle_answer(struct store *s, const struct puzzle_answer *answer)
{
    store_insert(s, &answers, answer);
}

const struct puzzle_answer *store_puzzle_answer(struct store *s, struct arena *a, int64_t day,
                                                int64_t who)
{
    return store_find(s, a, &answers,
                      "WHERE day = $1 AND person IN " HANDLES_OF(2) " ORDER BY at LIMIT 1",
                      VALUES(db_int(day), db_int(who)));
}

struct puzzle_count store_puzzle_count(struct store *s, int64_t day)
{
    struct db_table t = store_ask(
        s, NULL, "SELECT COUNT(*), COALESCE(SUM(solved), 0) FROM puzzle_answer WHERE day = $1",
        VALUES(db_int(day)));
    return t.rows ? (struct puzzle_count){t.at[0].i, t.at[1].i} : (struct puzzle_count){0};
}

struct puzzle_answers store_puzzle_answers(struct store *s, struct arena *a, int64_t who,
                                           int64_t before)
{
    struct rows rows = store_select(
        s, a, &answers, "WHERE day < $1 AND person IN " HANDLES_OF(2) " ORDER BY day DESC, at",
        VALUES(db_int(before), db_int(who)));
    return (struct puzzle_answers){rows.n, rows.at};
}

static const struct sql_column solver_columns[] = {COLUMN_NAMED(struct solver_row, who, "o.id"),
                                                   COLUMN_NAMED(struct solver_row, name, "o.name")};
static const struct sql_table solvers = {ROWS(struct solver_row, solver_columns)};

struct solver_rows store_puzzle_solvers(struct store *s, struct arena *a, int64_t day, int64_t chat,
                                        int most)
{
    struct rows rows = store_select(s, a, &solvers,
                                    "FROM puzzle_answer AS x" JOIN_PERSON(
                                        "x.person") "WHERE x.day = $1 AND x.solved = 1 AND "
                                                    "(x.chat = $2 OR EXISTS (SELECT 1 FROM result "
                                                    "AS r JOIN person AS h ON h.id = r.person "
                                                    "WHERE r.chat = $2 AND r.season = 'all' AND "
                                                    "(h.id = o.id OR h.owner = o.id))) ORDER BY "
                                                    "x.at, x.person LIMIT $3",
                                    VALUES(db_int(day), db_int(chat), db_int(most)));
    return (struct solver_rows){rows.n, rows.at};
}

struct solver_rows store_daily_people(struct store *s, struct arena *a, int64_t chat, int64_t since)
{
    struct rows rows =
        store_select(s, a, &solvers,
                     "FROM (SELECT person FROM puzzle_answer WHERE chat = $1 AND day >= $2 UNION "
                     "SELECT person FROM duel_try WHERE chat = $1 AND day >= $2) AS x" JOIN_PERSON(
                         "x.person") "WHERE o.banned = 0 GROUP BY o.id, o.name ORDER BY o.id",
                     VALUES(db_int(chat), db_int(since)));
    return (struct solver_rows){rows.n, rows.at};
}

/* ---- duels ---- */

#define DUEL(member) COLUMN(struct duel_row, member)
static const struct sql_column duel_columns[] = {DUEL(chat), DUEL(due), DUEL(day), DUEL(seed),
                                                 DUEL(rules)};
static const struct sql_table duels = {"duel", .n_keys = 1, ROWS(struct duel_row, duel_columns)};

struct duel_row store_duel(struct store *s, struct arena *a, int64_t chat)
{
    const struct duel_row *row = store_find(s, a, &duels, "WHERE chat = $1", VALUES(db_int(chat)));
    return row ? *row : (struct duel_row){.chat = chat};
}

void store_set_duel(struct store *s, const struct duel_row *row)
{
    store_upsert(s, &duels, row);
}

struct duel_row store_duel_due(struct store *s, struct arena *a, int64_t now)
{
    const struct duel_row *row =
        store_find(s, a, &duels, "WHERE due > 0 AND due <= $1 ORDER BY due, chat LIMIT 1",
                   VALUES(db_int(now)));
    return row ? *row : (struct duel_row){0};
}

int64_t store_duel_of_person(struct store *s, int64_t who)
{
    return store_number(
        s,
        "SELECT d.chat FROM duel AS d WHERE d.day > 0 AND d.chat IN (SELECT chat FROM duel_try "
        "WHERE person IN " HANDLES_OF(
            1) " UNION SELECT chat FROM result WHERE season = 'all' AND "
               "person IN " HANDLES_OF(
                   1) ") ORDER BY (SELECT COUNT(*) FROM duel_try AS x WHERE x.chat = "
                      "d.chat AND x.day = d.day AND x.person IN " HANDLES_OF(
                          1) "), d.due, d.chat LIMIT 1",
        VALUES(db_int(who)));
}

#define TRY(member) COLUMN(struct duel_try_row, member)
static const struct sql_column try_columns[] = {
    TRY(chat),    TRY(day),   COLUMN_NAMED(struct duel_try_row, handle, "person"),
    TRY(session), TRY(state), TRY(points),
    TRY(at)};
static const struct sql_table tries = {"duel_try", .n_keys = 3,
                                       ROWS(struct duel_try_row, try_columns)};

void store_add_duel_try(struct store *s, const struct duel_try_row *row)
{
    store_insert(s, &tries, row);
}

void store_end_duel_try(struct store *s, int64_t session, int64_t state, int64_t points)
{
    store_run(s, "UPDATE duel_try SET state = $1, points = $2 WHERE session = $3",
              VALUES(db_int(state), db_int(points), db_int(session)));
}

#define SEEN(member, name) COLUMN_NAMED(struct duel_try_row, member, name)
static const struct sql_column seen_columns[] = {SEEN(who, "o.id"),          SEEN(name, "o.name"),
                                                 SEEN(session, "x.session"), SEEN(state, "x.state"),
                                                 SEEN(points, "x.points"),   SEEN(at, "x.at")};
static const struct sql_table tries_seen = {ROWS(struct duel_try_row, seen_columns)};

struct duel_try_rows store_duel_tries(struct store *s, struct arena *a, int64_t chat, int64_t day)
{
    struct rows rows = store_select(
        s, a, &tries_seen,
        "FROM duel_try AS x" JOIN_PERSON(
            "x.person") "WHERE x.chat = $1 AND x.day = $2 AND o.banned = 0 ORDER BY CASE x.state "
                        "WHEN 1 THEN 0 ELSE 1 END, x.points DESC, x.at, x.person",
        VALUES(db_int(chat), db_int(day)));
    return (struct duel_try_rows){rows.n, rows.at};
}

struct duel_try_rows store_duel_tries_of(struct store *s, struct arena *a, int64_t chat,
                                         int64_t who, int64_t day)
{
    struct rows rows = store_select(
        s, a, &tries,
        "WHERE person IN " HANDLES_OF(1) " AND ($2 = 0 OR chat = $2) AND day <= $3 ORDER BY day "
                                         "DESC, chat, at",
        VALUES(db_int(who), db_int(chat), db_int(day)));
    return (struct duel_try_rows){rows.n, rows.at};
}

int64_t store_duel_chat(struct store *s, int64_t session)
{
    return store_number(s, "SELECT chat FROM duel_try WHERE session = $1", VALUES(db_int(session)));
}

int64_t store_duel_open_try(struct store *s, int64_t chat)
{
    return store_number(
        s, "SELECT session FROM duel_try WHERE chat = $1 AND state = 0 ORDER BY session LIMIT 1",
        VALUES(db_int(chat)));
}

/* Where both chats that become one have a day, that of the chat that stays goes on; tries at the
 * other one count with it. */
const struct store_feature feature_puzzle = {
    .soonest =
        "SELECT MIN(due) FROM (SELECT due FROM puzzle_post UNION ALL SELECT due FROM duel UNION "
        "ALL SELECT due FROM week_post) AS d WHERE due > 0",
    .forget = {"DELETE FROM puzzle_answer WHERE person = $1",
               "DELETE FROM duel_try WHERE person = $1"},
    .join = {"UPDATE puzzle_answer SET chat = $1 WHERE chat = $2"},
    .counted = {&posts[DAILY_PUZZLE], &posts[DAILY_WEEK], &duels, &tries}};
