/* Records of matches. */
#include "log.h"
#include "store_sql.h"
#include "sum.h"

bool store_append_record(struct store *s, int64_t session, struct str lines, struct err *err)
{
    return store_run(s, "INSERT INTO record (session, lines, sum) VALUES ($1, $2, $3)",
                     VALUES(db_int(session), db_text(lines), db_int(sum_record(session, lines))),
                     NULL, err);
}

/* The pieces of a record, and whether all checksums hold. */
static bool pieces(struct store *s, struct arena *a, int64_t session, struct db_table *ret,
                   bool *ret_sound, struct err *err)
{
    if (!store_ask(s, a, "SELECT lines, sum FROM record WHERE session = $1 ORDER BY id",
                   VALUES(db_int(session)), ret, err))
        return false;
    *ret_sound = true;
    for (int i = 0; i < ret->rows; i++)
        *ret_sound &= sum_holds(ret->at[2 * i + 1].i, sum_record(session, ret->at[2 * i].s));
    return true;
}

bool store_record_sound(struct store *s, int64_t session, bool *ret_sound, struct err *err)
{
    struct db_table t;
    return pieces(s, NULL, session, &t, ret_sound, err);
}

bool store_record(struct store *s, struct arena *a, int64_t session, struct str *ret,
                  struct err *err)
{
    struct db_table t;
    size_t n = 0, at = 0;
    bool sound;
    if (!pieces(s, a, session, &t, &sound, err))
        return false;
    for (int i = 0; sound && i < t.rows; i++)
        n += t.at[2 * i].s.n;
    char *whole = arena_alloc(a, n + 1);
    for (int i = 0; sound && i < t.rows; i++) {
        struct str lines = t.at[2 * i].s;
        if (lines.n)
            memcpy(whole + at, lines.p, lines.n);
        at += lines.n;
    }
    if (!sound)
        log_line(LOG_ERROR, "record_damaged", "session",
                 arena_print(a, "%lld", (long long)session).p, NULL);
    *ret = (struct str){whole, n};
    return true;
}
