/* See store_puzzle.h. */
#include "store_puzzle.h"

#include "store_table.h"

const struct sql_table puzzle_posts = DAILY_POSTS("puzzle_post");

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

struct named_rows store_puzzle_solvers(struct store *s, struct arena *a, int64_t day, int64_t chat,
                                       int most)
{
    return store_named(
        s, a,
        "FROM puzzle_answer AS x" JOIN_PERSON(
            "x.person") "WHERE x.day = $1 AND x.solved = 1 AND "
                        "(x.chat = $2 OR EXISTS (SELECT 1 FROM result "
                        "AS r JOIN person AS h ON h.id = r.person "
                        "WHERE r.account = $3 AND r.chat = $2 AND r.season = 'all' AND "
                        "(h.id = o.id OR h.owner = o.id))) ORDER BY "
                        "x.at, x.person LIMIT $4",
        VALUES(db_int(day), db_int(chat), db_int(store_home(s, HOME_OF_CHAT, chat)), db_int(most)));
}

/* Those who answered there, and those who have played there and answered elsewhere: in private. */
#define PLAYERS "SELECT r.person FROM result AS r" JOIN_PERSON("r.person")
static const char people[] =
    "SELECT person FROM puzzle_answer WHERE chat = $1 AND day >= $2 UNION " PLAYERS
    "JOIN person AS h ON (h.id = o.id OR (h.owner > 0 AND h.owner = o.id)) JOIN puzzle_answer AS x "
    "ON x.person = h.id WHERE r." ACCOUNT_OF_CHAT(
        1) " AND r.chat = $1 AND r.season = 'all' AND x.day >= $2";

const struct store_feature feature_puzzle = {
    .soonest = "SELECT MIN(due) FROM puzzle_post WHERE due > 0",
    .people = people,
    .forget = {"DELETE FROM puzzle_answer WHERE person = $1"},
    .join = {"UPDATE puzzle_answer SET chat = $1 WHERE chat = $2"},
    .counted = {&puzzle_posts}};
