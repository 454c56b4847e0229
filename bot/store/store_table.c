/* See store_table.h. */
#include "store_table.h"

#include "store_chat.h"

#include <assert.h>

enum { COLUMNS_MOST = 40, SQL_MOST = 4096, NUMBERS_AT_ONCE = 128 };

/* Forms beside the tails of SELECT, known by their address. */
static const char insert[] = "insert", insert_numbered[] = "insert numbered", upsert[] = "upsert",
                  add[] = "add", update[] = "update", move[] = "move", remove_moved[] = "remove";

/* "a, b, c", "$1, $2, $3", "a = excluded.a, b = excluded.b", and the like: the pattern for each of
 * some columns, in which ? is the name, % the table and # the place. */
static void put_columns(struct buf *b, const struct sql_table *t, int from, int to,
                        const char *pattern)
{
    for (int i = from; i < to; i++) {
        if (i > from)
            buf_put(b, STR(", "));
        for (const char *p = pattern; *p; p++)
            if (*p == '?')
                buf_put(b, str_of(t->column[i].name));
            else if (*p == '%')
                buf_put(b, str_of(t->name));
            else if (*p == '#')
                buf_int(b, i - from + 1);
            else
                buf_char(b, *p);
    }
}

/* What becomes of a row whose key is there. */
static void put_conflict(struct buf *b, const struct sql_table *t, bool adds)
{
    int n = 0;
    buf_put(b, STR(" ON CONFLICT ("));
    put_columns(b, t, 0, t->n_keys, "?");
    buf_put(b, STR(") DO "));
    for (int i = t->n_keys; i < t->n; i++)
        if (!adds || t->column[i].kind == COLUMN_SUM) {
            buf_put(b, n++ ? STR(", ") : STR("UPDATE SET "));
            put_columns(b, t, i, i + 1, adds ? "? = %.? + excluded.?" : "? = excluded.?");
        }
    if (n == 0)
        buf_put(b, STR("NOTHING"));
}

static void put_insert(struct buf *b, const struct sql_table *t, int from)
{
    buf_print(b, "INSERT INTO %s (", t->name);
    put_columns(b, t, from, t->n, "?");
    buf_char(b, ')');
}

/* Of rows of chats, whose account is the last of their key if it is in it. */
static const char *of_account(const struct sql_table *t)
{
    return strcmp(t->column[t->n_keys - 1].name, "account") == 0 ? ACCOUNT_OF_CHAT(1) " AND " : "";
}

static void compose(struct buf *b, const struct sql_table *t, const char *form, bool on_server)
{
    if (form == insert || form == insert_numbered || form == upsert || form == add) {
        int from = form != insert_numbered && t->counted;
        put_insert(b, t, from);
        bool together = on_server && !from && (form == insert || form == insert_numbered);
        buf_print(b, " %s", together ? DB_ROWS : "VALUES (");
        put_columns(b, t, from, t->n, "$#");
        buf_char(b, ')');
        if (from && on_server) /* a file gives the number without, at half the cost */
            buf_print(b, " RETURNING %s", t->column[0].name);
        if (form == upsert || form == add)
            put_conflict(b, t, form == add);
    } else if (form == update && t->changes_together && on_server) {
        buf_print(b, "UPDATE %s SET ", t->name);
        put_columns(b, t, t->n_keys, t->n, "? = r.?");
        buf_put(b, STR(" " DB_CHANGES));
        put_columns(b, t, 1, t->n, "$#");
        buf_put(b, STR(") AS r ("));
        put_columns(b, t, t->n_keys, t->n, "?");
        put_columns(b, t, 0, 1, ", ?) WHERE %.? = r.? AND ");
        put_columns(b, t, 1, 2, "%.? = $");
        buf_int(b, t->n);
    } else if (form == update) {
        buf_print(b, "UPDATE %s SET ", t->name);
        put_columns(b, t, t->n_keys, t->n, "? = $#");
        for (int i = 0; i < t->n_keys; i++)
            buf_print(b, "%s%s = $%d", i ? " AND " : " WHERE ", t->column[i].name,
                      t->n - t->n_keys + i + 1);
    } else if (form == move) {
        put_insert(b, t, 0);
        buf_put(b, STR(" SELECT $1, "));
        put_columns(b, t, 1, t->n, "?");
        buf_print(b, " FROM %s WHERE %s%s = $2", t->name, of_account(t), t->column[0].name);
        put_conflict(b, t, true);
    } else if (form == remove_moved) {
        buf_print(b, "DELETE FROM %s WHERE %s%s = $1", t->name, of_account(t), t->column[0].name);
    } else {
        buf_put(b, STR("SELECT "));
        put_columns(b, t, 0, t->n, t->name ? "%.?" : "?");
        buf_print(b, "%s%s %s", t->name ? " FROM " : "", t->name ? t->name : "", form);
    }
}

const char *store_statement(struct store *s, const struct sql_table *t, const char *form)
{
    size_t at = (((uintptr_t)t >> 3) * 31 + (uintptr_t)form) * 0x9e3779b97f4a7c15u >> 32;
    for (size_t i = 0; i < COMPOSED; i++, at++) {
        struct composed *c = &s->composed[at & (COMPOSED - 1)];
        if (!c->table) {
            char text[SQL_MOST];
            struct buf b = BUF(text);
            compose(&b, t, form, s->db->is_server);
            assert(!b.cut);
            *c = (struct composed){t, form, arena_str(s->statements, buf_str(&b)).p};
        }
        if (c->table == t && c->form == form)
            return c->sql;
    }
    assert(!"too many statements");
    return NULL;
}

static struct db_value value_of(const struct sql_table *t, int i, const char *row)
{
    const struct sql_column *c = &t->column[i];
    const void *at = row + c->at;
    switch (c->kind) {
    case COLUMN_FLAG:
        return db_int(*(const bool *)at);
    case COLUMN_TEXT:
        return db_text(*(const struct str *)at);
    case COLUMN_TEXT_OR_NULL:
        return ((const struct str *)at)->n ? db_text(*(const struct str *)at) : db_null();
    case COLUMN_BYTES:
        return db_bytes(*(const struct str *)at);
    case COLUMN_CHECKSUM:
        return db_int(t->checksum(row));
    case COLUMN_NUMBER:
    case COLUMN_SUM:
        break;
    }
    return db_int(*(const int64_t *)at);
}

static void read_row(const struct sql_table *t, const struct db_value *v, char *row)
{
    for (int i = 0; i < t->n; i++) {
        void *at = row + t->column[i].at;
        switch (t->column[i].kind) {
        case COLUMN_NUMBER:
        case COLUMN_SUM:
        case COLUMN_CHECKSUM:
            *(int64_t *)at = v[i].i;
            break;
        case COLUMN_FLAG:
            *(bool *)at = v[i].i != 0;
            break;
        case COLUMN_TEXT:
        case COLUMN_TEXT_OR_NULL:
        case COLUMN_BYTES:
            *(struct str *)at = v[i].s;
            break;
        }
    }
    if (t->finish)
        t->finish(row);
}

struct rows store_rows(struct arena *a, const struct sql_table *t, const struct db_table *found)
{
    char *at = arena_alloc_array(a, t->size, (size_t)found->rows);
    for (int i = 0; i < found->rows; i++)
        read_row(t, found->at + i * found->cols, at + (size_t)i * t->size);
    return (struct rows){found->rows, at};
}

struct rows store_select(struct store *s, struct arena *a, const struct sql_table *t,
                         const char *tail, int n, const struct db_value *args)
{
    struct db_table found = store_ask(s, a, store_statement(s, t, tail), n, args);
    return store_rows(a ? a : s->scratch, t, &found);
}

void *store_find(struct store *s, struct arena *a, const struct sql_table *t, const char *tail,
                 int n, const struct db_value *args)
{
    struct rows rows = store_select(s, a, t, tail, n, args);
    return rows.n ? rows.at : NULL;
}

static struct numbers *numbers_of(struct store *s, const struct sql_table *t)
{
    int i = 0;
    while (i < TABLES_COUNTED - 1 && s->numbers[i].table && s->numbers[i].table != t)
        i++;
    struct numbers *of = &s->numbers[i];
    if (of->table != t)
        *of = (struct numbers){.table = t};
    return of;
}

bool store_numbers(struct store *s, const struct sql_table *t, int n,
                   struct db_value args[static 2], struct db_question *ret)
{
    const int have = numbers_of(s, t)->n, most = NUMBERS_MOST - have;
    int more = n - have > NUMBERS_AT_ONCE ? n - have : NUMBERS_AT_ONCE;
    if (!s->db->numbers || n <= have || most == 0)
        return false;
    args[0] = db_text(str_of(t->name));
    args[1] = db_int(more < most ? more : most);
    *ret = (struct db_question){.sql = s->db->numbers, .n = 2, .args = args};
    return true;
}

void store_keep_numbers(struct store *s, const struct sql_table *t, const struct db_table *found)
{
    struct numbers *of = numbers_of(s, t);
    assert(of->n + found->rows <= NUMBERS_MOST);
    memmove(of->at + found->rows, of->at, (size_t)of->n * sizeof *of->at);
    of->n += found->rows;
    for (int i = 0; i < found->rows; i++)
        of->at[found->rows - 1 - i] = found->at[i].i;
}

/* A number that no row of the table has, above all that were given out before. They are fetched some
 * at a time, so that a new row on a server is written without a wait for its number. */
static int64_t fresh_number(struct store *s, const struct sql_table *t)
{
    struct db_value args[2];
    struct db_question q;
    if (store_numbers(s, t, 1, args, &q)) {
        q.answer = store_ask(s, NULL, q.sql, q.n, q.args);
        store_keep_numbers(s, t, &q.answer);
    }
    struct numbers *of = numbers_of(s, t);
    return of->n > 0 ? of->at[--of->n] : 0;
}

int64_t store_insert(struct store *s, const struct sql_table *t, const void *row)
{
    struct db_value values[COLUMNS_MOST];
    bool numbered = t->gaps && s->db->numbers;
    int n = 0;
    if (numbered)
        values[n++] = db_int(fresh_number(s, t));
    for (int i = t->counted; i < t->n; i++)
        values[n++] = value_of(t, i, row);
    if (t->counted && !numbered)
        return store_given(s, store_statement(s, t, insert), n, values);
    store_run(s, store_statement(s, t, numbered ? insert_numbered : insert), n, values);
    return numbered && !s->failed ? values[0].i : 0;
}

static void put_row(struct store *s, const struct sql_table *t, const char *form, const void *row)
{
    struct db_value values[COLUMNS_MOST];
    int first = form == update ? t->n_keys : 0;
    for (int i = 0; i < t->n; i++)
        values[i] = value_of(t, (first + i) % t->n, row);
    store_run(s, store_statement(s, t, form), t->n, values);
}

void store_upsert(struct store *s, const struct sql_table *t, const void *row)
{
    put_row(s, t, upsert, row);
}

void store_add(struct store *s, const struct sql_table *t, const void *row)
{
    put_row(s, t, add, row);
}

void store_update(struct store *s, const struct sql_table *t, const void *row)
{
    put_row(s, t, update, row);
}

void store_move_rows(struct store *s, const struct sql_table *t, int64_t to, int64_t from)
{
    store_run(s, store_statement(s, t, move), VALUES(db_int(to), db_int(from)));
    store_run(s, store_statement(s, t, remove_moved), VALUES(db_int(from)));
}

/* ---- whole rows in the cache ---- */

static bool is_text(const struct sql_column *c)
{
    return c->kind >= COLUMN_TEXT;
}

void row_keep_whole(struct store *s, struct cache_key key, const struct sql_table *t,
                    const void *row)
{
    struct str parts[COLUMNS_MOST] = {{row, t->size}};
    int n = 1;
    for (int i = 0; i < t->n; i++)
        if (is_text(&t->column[i]))
            parts[n++] = *(const struct str *)(const void *)((const char *)row + t->column[i].at);
    row_keep(s, key, n, parts);
}

void *row_cached(struct store *s, struct arena *a, struct cache_key key, const struct sql_table *t)
{
    struct str value;
    if (s->failed || !cache_find(s->rows, key, &value))
        return NULL;
    char *row = (char *)(uintptr_t)arena_str(a, value).p, *at = row + t->size;
    for (int i = 0; i < t->n; i++) {
        if (!is_text(&t->column[i]))
            continue;
        struct str *text = (struct str *)(void *)(row + t->column[i].at);
        text->p = at;
        at += text->n;
    }
    return row;
}

/* ---- what is missing ---- */

static struct cache_key key_of(enum absent kind, int64_t account, struct str key)
{
    return (struct cache_key){(int)kind, account, key};
}

bool row_absent(const struct store *s, enum absent kind, int64_t account, struct str key)
{
    struct str ignored;
    return s->n_looked > 0 && cache_find(s->absent, key_of(kind, account, key), &ignored);
}

void row_set_absent(struct store *s, enum absent kind, int64_t account, struct str key)
{
    (void)cache_put(s->absent, key_of(kind, account, key), 0);
}

void row_appears(struct store *s, enum absent kind, int64_t account, struct str key)
{
    if (s->n_looked > 0)
        cache_drop(s->absent, key_of(kind, account, key));
    for (int i = 0; kind == ABSENT_KNOWN && i < s->n_looked; i++)
        cache_drop(s->absent, key_of(kind, s->looked[i], key));
}

/* ---- what comes daily ---- */

#define POST(member) COLUMN(struct daily_post, member)
const struct sql_column daily_columns[] = {POST(chat), POST(due), POST(day)};

struct daily_post store_daily_post(struct store *s, const struct sql_table *posts, int64_t chat)
{
    const struct daily_post *post =
        store_find(s, NULL, posts, "WHERE chat = $1", VALUES(db_int(chat)));
    return post ? *post : (struct daily_post){.chat = chat};
}

void store_set_daily_post(struct store *s, const struct sql_table *posts,
                          const struct daily_post *post)
{
    store_upsert(s, posts, post);
}

struct daily_post store_daily_due(struct store *s, const struct sql_table *posts, int64_t now)
{
    const struct daily_post *post =
        store_find(s, NULL, posts, "WHERE due > 0 AND due <= $1 ORDER BY due, chat LIMIT 1",
                   VALUES(db_int(now)));
    return post ? *post : (struct daily_post){0};
}
