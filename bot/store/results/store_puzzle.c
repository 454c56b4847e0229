/* See store_puzzle.h. */
#include "store_puzzle.h"
#include "store_sql.h"

bool store_puzzle_post(struct store *s, int64_t chat, struct puzzle_post *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL, "SELECT due, day FROM puzzle_post WHERE chat = $1",
                   VALUES(db_int(chat)), &t, err))
        return false;
    *ret = (struct puzzle_post){.chat = chat};
    if (t.rows) {
        ret->due = t.at[0].i;
        ret->day = t.at[1].i;
    }
    return true;
}

bool store_set_puzzle_post(struct store *s, const struct puzzle_post *post, struct err *err)
{
    return store_run(s,
                     "INSERT INTO puzzle_post (chat, due, day) VALUES ($1, $2, $3) ON CONFLICT "
                     "(chat) DO UPDATE SET due = excluded.due, day = excluded.day",
                     VALUES(db_int(post->chat), db_int(post->due), db_int(post->day)), NULL, err);
}

bool store_puzzle_due(struct store *s, int64_t now, struct puzzle_post *ret, bool *ret_found,
                      struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL,
                   "SELECT chat, due, day FROM puzzle_post WHERE due > 0 AND due <= $1 ORDER BY "
                   "due, chat LIMIT 1",
                   VALUES(db_int(now)), &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = (struct puzzle_post){t.at[0].i, t.at[1].i, t.at[2].i};
    return true;
}

/* ---- answers ---- */

#define ANSWER       "day, person, answer, chat, at, solved"
#define OF_PERSON(n) "person IN (SELECT id FROM person WHERE id = $" #n " OR owner = $" #n ")"

static struct puzzle_answer answer_of(const struct db_value *v)
{
    return (struct puzzle_answer){v[0].i, v[1].i, v[2].i, v[3].i, v[4].i, v[5].i != 0};
}

bool store_add_puzzle_answer(struct store *s, const struct puzzle_answer *answer, struct err *err)
{
    return store_run(s, "INSERT INTO puzzle_answer (" ANSWER ") VALUES ($1, $2, $3, $4, $5, $6)",
                     VALUES(db_int(answer->day), db_int(answer->handle), db_int(answer->answer),
                            db_int(answer->chat), db_int(answer->at), db_int(answer->solved)),
                     NULL, err);
}

bool store_puzzle_answer(struct store *s, int64_t day, int64_t who, struct puzzle_answer *ret,
                         bool *ret_found, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL,
                   "SELECT " ANSWER
                   " FROM puzzle_answer WHERE day = $1 AND " OF_PERSON(2) " ORDER BY at LIMIT 1",
                   VALUES(db_int(day), db_int(who)), &t, err))
        return false;
    *ret_found = t.rows > 0;
    if (t.rows)
        *ret = answer_of(t.at);
    return true;
}

bool store_puzzle_count(struct store *s, int64_t day, int64_t *ret_answered, int64_t *ret_solved,
                        struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL,
                   "SELECT COUNT(*), COALESCE(SUM(solved), 0) FROM puzzle_answer WHERE day = $1",
                   VALUES(db_int(day)), &t, err))
        return false;
    *ret_answered = t.rows ? t.at[0].i : 0;
    *ret_solved = t.rows ? t.at[1].i : 0;
    return true;
}

bool store_puzzle_answers(struct store *s, struct arena *a, int64_t who, int64_t before,
                          struct puzzle_answers *ret, struct err *err)
{
    enum { COLUMNS = 6 };
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT " ANSWER
                   " FROM puzzle_answer WHERE day < $1 AND " OF_PERSON(2) " ORDER BY day DESC, at",
                   VALUES(db_int(before), db_int(who)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct puzzle_answer, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = answer_of(t.at + COLUMNS * i);
    return true;
}

bool store_puzzle_solvers(struct store *s, struct arena *a, int64_t day, int64_t chat, int most,
                          struct solver_rows *ret, struct err *err)
{
    enum { COLUMNS = 2 };
    struct db_table t;
    if (!store_ask(
            s, a,
            "SELECT o.id, o.name FROM puzzle_answer AS x JOIN person AS p ON p.id = x.person JOIN "
            "person AS o ON o.id = CASE WHEN p.owner = 0 THEN p.id ELSE p.owner END WHERE x.day = "
            "$1 AND x.solved = 1 AND (x.chat = $2 OR EXISTS (SELECT 1 FROM result AS r JOIN person "
            "AS h ON h.id = r.person WHERE r.chat = $2 AND r.season = 'all' AND (h.id = o.id OR "
            "h.owner = o.id))) ORDER BY x.at, x.person LIMIT $3",
            VALUES(db_int(day), db_int(chat), db_int(most)), &t, err))
        return false;
    ret->n = t.rows;
    ret->at = arena_array(a, struct solver_row, (size_t)t.rows);
    for (int i = 0; i < t.rows; i++)
        ret->at[i] = (struct solver_row){t.at[COLUMNS * i].i, t.at[COLUMNS * i + 1].s};
    return true;
}
