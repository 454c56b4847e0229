/* See store_puzzle.h. */
#include "store_puzzle.h"

#include "store_table.h"

const struct sql_table puzzle_posts = DAILY_POSTS("puzzle_post");

#define ANSWER(member) COLUMN(struct puzzle_answer, member)
#define KEY_OF_ANSWER  ANSWER(day), COLUMN_NAMED(struct puzzle_answer, handle, "person")
#define REST_OF_ANSWER ANSWER(answer), ANSWER(chat), ANSWER(at), ANSWER(solved)
static const struct sql_column answer_columns[] = {KEY_OF_ANSWER, ANSWER(account), REST_OF_ANSWER},
                               seen_columns[] = {KEY_OF_ANSWER, REST_OF_ANSWER};
static const struct sql_table answers = {"puzzle_answer", .n_keys = 3,
                                         ROWS(struct puzzle_answer, answer_columns)};
static const struct sql_table view_of_answers = {ROWS(struct puzzle_answer, seen_columns)};

void store_add_puzzle_answer(struct store *s, const struct puzzle_answer *answer)
{
    struct puzzle_answer row = *answer;
    row.account = store_home(s, HOME_OF_PERSON, row.handle);
    store_insert(s, &answers, &row);
}

/* Of the person $1. CROSS: a file begins with the handles. */
#define OF_PERSON                                                                                  \
    "FROM person AS h CROSS JOIN puzzle_answer AS x WHERE (h.id = $1 OR (h.owner > 0 AND h.owner " \
    "= $1)) AND x.account = h.account AND x.person = h.id "

const struct puzzle_answer *store_puzzle_answer(struct store *s, struct arena *a, int64_t day,
                                                int64_t who)
{
    return store_find(s, a, &view_of_answers, OF_PERSON "AND x.day = $2 ORDER BY x.at LIMIT 1",
                      VALUES(db_int(who), db_int(day)));
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
    return puzzle_answers_of(store_select(s, a, &view_of_answers,
                                          OF_PERSON "AND x.day < $2 ORDER BY x.day DESC, x.at",
                                          VALUES(db_int(who), db_int(before))));
}

/* Answers y of those who have played in the chat $1, wherever they answered: in private. */
#define OF_PLAYERS                                                                                 \
    "FROM result AS r" JOIN_PERSON("r.person") "JOIN person AS h ON (h.id = o.id OR (h.owner > 0 " \
                                               "AND h.owner = o.id)) CROSS JOIN puzzle_answer AS " \
                                               "y WHERE r." ACCOUNT_OF_CHAT(                       \
                                                   1) " AND r.chat = $1 AND r.season = 'all' AND " \
                                                      "y.account = h.account AND y.person = h.id "
#define IN_CHAT "FROM puzzle_answer WHERE " ACCOUNT_OF_CHAT(1) " AND chat = $1 "

struct named_rows store_puzzle_solvers(struct store *s, struct arena *a, int64_t day, int64_t chat,
                                       int most)
{
    return store_named(
        s, a,
        "FROM (SELECT person, at " IN_CHAT
        "AND day = $2 AND solved = 1 UNION SELECT y.person, y.at " OF_PLAYERS
        "AND y.day = $2 AND y.solved = 1) AS x" JOIN_PERSON("x.person") "ORDER BY x.at, x.person "
                                                                        "LIMIT $3",
        VALUES(db_int(chat), db_int(day), db_int(most)));
}

static const char people[] =
    "SELECT person " IN_CHAT "AND day >= $2 UNION SELECT y.person " OF_PLAYERS "AND y.day >= $2";

const struct store_feature feature_puzzle = {
    DAILY_DATES("puzzle_post"), .people = people,
    .forget =
        {"DELETE FROM puzzle_answer WHERE account = (SELECT account FROM person WHERE id = $1) "
         "AND person = $1"},
    .join = {"UPDATE puzzle_answer SET chat = $1 WHERE " ACCOUNT_OF_CHAT(1) " AND chat = $2"},
    .counted = {&puzzle_posts}};
