/* Lists of values on the wire, and new rows that are kept back: see db_postgres.h.
 *
 * A statement costs a server several times what a row does, more so where tables are in partitions,
 * all of which it opens. So rows that a transaction inserts or changes one by one go together, a
 * list for each column; they go before any other statement, which may ask for them.
 */
#include "db_postgres.h"

#include "alloc.h"

#include <assert.h>

/* An array on the wire: dimensions, whether it has NULLs, type; length, first index; each value behind
 * its length. */
enum { HEAD = 20, NULL_LENGTH = -1, KEPT = 64 * 1024 };

void pg_put_number(int64_t v, int bytes, char *ret)
{
    for (int i = bytes - 1; i >= 0; i--, v >>= 8)
        ret[i] = (char)(v & 0xff);
}

/* ---- lists ---- */

void pg_list_clear(struct pg_list *l)
{
    if (l->cap > KEPT)
        pg_list_free(l);
    *l = (struct pg_list){.at = l->at, .cap = l->cap, .n = HEAD};
}

void pg_list_free(struct pg_list *l)
{
    free(l->at);
    *l = (struct pg_list){0};
}

static char *room(struct pg_list *l, size_t n)
{
    if (l->n + n > l->cap)
        l->at = alloc_grow(l->at, l->cap = (l->n + n) * 2);
    l->n += n;
    return l->at + l->n - n;
}

void pg_list_put(struct pg_list *l, const struct db_value *v)
{
    const bool number = v->kind == DB_INT, null = v->kind == DB_NULL;
    const size_t n = number ? 8 : null ? 0 : v->s.n;
    char *p = room(l, 4 + n);
    pg_put_number(null ? NULL_LENGTH : (int64_t)n, 4, p);
    if (number)
        pg_put_number(v->i, 8, p + 4);
    else if (n > 0)
        memcpy(p + 4, v->s.p, n);
    l->count++;
    l->nulls |= null;
    if (!null)
        l->type = number ? PG_INT8 : v->kind == DB_BYTES ? PG_BYTEA : PG_TEXT;
}

unsigned pg_list_end(struct pg_list *l)
{
    const unsigned type = l->type ? l->type : PG_TEXT;
    const int64_t head[] = {1, l->nulls, type, l->count, 1};
    if (l->n == HEAD)
        (void)room(l, 0);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        pg_put_number(head[i], 4, l->at + 4 * i);
    return type == PG_INT8 ? PG_INT8S : type == PG_BYTEA ? PG_BYTEAS : PG_TEXTS;
}

/* ---- rows ---- */

static bool changes(const struct pg_rows *r, int64_t account, int64_t key)
{
    bool found = false;
    for (int i = 0; r->changed && r->account == account && i < r->column[0].count; i++)
        found |= r->key[i] == key;
    return found;
}

static void begin_rows(struct pg_rows *r, const char *sql, bool changed, int n)
{
    r->sql = sql;
    r->changed = changed;
    r->n_columns = n;
    for (int k = 0; k < n; k++)
        pg_list_clear(&r->column[k]);
}

struct pg_rows *pg_rows_put(struct pg *q, const char *sql, bool changed, int n,
                            const struct db_value *args)
{
    const int64_t account = changed ? args[n - 1].i : 0, key = changed ? args[n - 2].i : 0;
    int at = 0;
    assert(n > 2 * changed && n <= PG_COLUMNS);
    for (int i = 0; changed && i < q->n_rows; i++)
        if (changes(&q->rows[i], account, key))
            return NULL;
    while (at < q->n_rows && q->rows[at].sql != sql)
        at++;
    struct pg_rows *r = &q->rows[at];
    if (at == PG_TABLES ||
        (at < q->n_rows && (r->column[0].count == PG_TOGETHER || r->account != account)))
        return NULL;
    if (at == q->n_rows) {
        q->n_rows++;
        begin_rows(r, sql, changed, n - changed);
    }
    r->account = account;
    r->key[r->column[0].count] = key;
    for (int k = 0; k < r->n_columns; k++)
        pg_list_put(&r->column[k], &args[k]);
    return r;
}

void pg_rows_forget(struct pg *q)
{
    q->n_rows = 0;
}
