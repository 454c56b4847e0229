/* See store_vault.h. */
#include "store_vault.h"

#include "store_sql.h"

static void rows_of(struct arena *a, const struct db_table *t, struct vault_rows *ret)
{
    ret->n = t->rows;
    ret->at = arena_array(a, struct vault_row, (size_t)t->rows + 1);
    for (int i = 0; i < t->rows; i++)
        ret->at[i] = (struct vault_row){t->at[2 * i].s, t->at[2 * i + 1].s};
}

bool store_vault(struct store *s, struct arena *a, int64_t account, struct str from, struct str to,
                 struct vault_rows *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a,
                   "SELECT name, sealed FROM vault WHERE account = $1 AND name >= $2 AND name < $3 "
                   "ORDER BY name",
                   VALUES(db_int(account), db_text(from), db_text(to)), &t, err))
        return false;
    rows_of(a, &t, ret);
    return true;
}

bool store_vault_one(struct store *s, struct arena *a, int64_t account, struct str name,
                     struct vault_rows *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, a, "SELECT name, sealed FROM vault WHERE account = $1 AND name = $2",
                   VALUES(db_int(account), db_text(name)), &t, err))
        return false;
    rows_of(a, &t, ret);
    return true;
}

bool store_set_vault(struct store *s, int64_t account, struct str name, struct str sealed,
                     struct err *err)
{
    if (sealed.n == 0)
        return store_run(s, "DELETE FROM vault WHERE account = $1 AND name = $2",
                         VALUES(db_int(account), db_text(name)), NULL, err);
    return store_run(s,
                     "INSERT INTO vault (account, name, sealed) VALUES ($1, $2, $3) "
                     "ON CONFLICT (account, name) DO UPDATE SET sealed = excluded.sealed",
                     VALUES(db_int(account), db_text(name), db_bytes(sealed)), NULL, err);
}

bool store_vault_empty(struct store *s, bool *ret, struct err *err)
{
    struct db_table t;
    if (!store_ask(s, NULL, "SELECT name FROM vault LIMIT 1", 0, NULL, &t, err))
        return false;
    *ret = t.rows == 0;
    return true;
}
