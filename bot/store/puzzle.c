/* See store_puzzle.h. */
#include "store_puzzle.h"

#include "store_table.h"

#define POST(member) COLUMN(struct puzzle_post, member)
static const struct sql_column post_columns[] = {POST(chat), POST(due), POST(day)};
static const struct sql_table posts = {"puzzle_post", .n_keys = 1,
                                       ROWS(struct puzzle_post, post_columns)};

struct puzzle_post store_puzzle_post(struct store *s, int64_t chat)
{
    const struct puzzle_post *post =
        store_find(s, NULL, &posts, "WHERE chat = $1", VALUES(db_int(chat)));
    return post ? *post : (struct puzzle_post){.chat = chat};
}

void store_set_puzzle_post(struct store *s, const struct puzzle_post *post)
{
    store_upsert(s, &posts, post);
}

struct puzzle_post store_puzzle_due(struct store *s, int64_t now)
{
    const struct puzzle_post *post =
        store_find(s, NULL, &posts, "WHERE due > 0 AND due <= $1 ORDER BY due, chat LIMIT 1",
                   VALUES(db_int(now)));
    return post ? *post : (struct puzzle_post){0};
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

const struct store_feature feature_puzzle = {
    .soonest = "SELECT MIN(due) FROM puzzle_post WHERE due > 0",
    .forget = {"DELETE FROM puzzle_answer WHERE person = $1"}};
