/* PostgreSQL under the verbs of db.h.
 *
 * Everything goes through a pipeline: within a transaction a statement whose result is not asked
 * for is sent and forgotten, and the next one that is asked for reads the answers of all before it.
 * A transaction of a move so costs about as many round trips as it has queries. Statements are
 * prepared, under the number of their place in a table by address; through a pooler they are not,
 * since the next transaction may meet another session of the server.
 *
 * A connection that is lost spoils the transaction; the next one begins on a new connection
 * (db_postgres_link.c).
 */
#include "db_file.h"
#include "db_postgres_lease.h"

#include "alloc.h"
#include "clock.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- values on the wire ---- */

enum {
    EAGER = 16,    /* statements that go out together */
    HEELS_MS = 250 /* since the answers of one transaction until the commit of the next */
};

/* Arguments in the binary form of int8, text, bytea and text[]; they point into the values. */
struct pg_values {
    Oid types[PG_COLUMNS];
    const char *at[PG_COLUMNS];
    int lengths[PG_COLUMNS], formats[PG_COLUMNS];
    char numbers[PG_COLUMNS][8];
    struct pg_list list; /* of a DB_LIST, to be freed; a statement has one at most */
};

static void put_list(const struct db_value *v, struct pg_values *ret, int at)
{
    pg_list_clear(&ret->list);
    for (int64_t i = 0; i < v->i; i++)
        pg_list_put(&ret->list, &(struct db_value){.kind = DB_TEXT, .s = v->list[i]});
    ret->types[at] = pg_list_end(&ret->list);
    ret->at[at] = ret->list.at;
    ret->lengths[at] = (int)ret->list.n;
}

static void put_number(int64_t n, struct pg_values *ret, int at)
{
    pg_put_number(n, 8, ret->numbers[at]);
    ret->types[at] = PG_INT8;
    ret->at[at] = ret->numbers[at];
    ret->lengths[at] = 8;
    ret->formats[at] = 1;
}

static void pg_values(int n, const struct db_value *args, struct pg_values *ret)
{
    assert(n <= PG_COLUMNS);
    ret->list = (struct pg_list){0};
    for (int i = 0; i < n; i++) {
        const struct db_value *v = &args[i];
        ret->formats[i] = 1;
        ret->types[i] = v->kind == DB_BYTES ? PG_BYTEA : PG_TEXT;
        ret->at[i] = v->s.n ? v->s.p : "";
        ret->lengths[i] = (int)v->s.n;
        if (v->kind == DB_INT) {
            put_number(v->i, ret, i);
        } else if (v->kind == DB_NULL) {
            ret->types[i] = 0; /* the server knows */
            ret->at[i] = NULL;
        } else if (v->kind == DB_LIST) {
            assert(!ret->list.at);
            put_list(v, ret, i);
        }
    }
}

/* "\x48693f" */
static struct str bytes_of(struct str hex, struct arena *a)
{
    size_t n = hex.n >= 2 ? (hex.n - 2) / 2 : 0;
    char *p = arena_alloc(a, n + 1);
    (void)str_hex(str_skip(hex, 2), p, n);
    return (struct str){p, n};
}

static struct db_value value_of(const PGresult *r, int row, int col, struct arena *a)
{
    struct str s = {PQgetvalue(r, row, col), (size_t)PQgetlength(r, row, col)};
    if (PQgetisnull(r, row, col))
        return db_null();
    switch (PQftype(r, col)) {
    case PG_INT8:
    case PG_INT4:
    case PG_INT2:
    case PG_NUMERIC:
        return db_int(strtoll(s.p, NULL, 10));
    case PG_BOOL:
        return db_int(str_is(s, STR("t")));
    case PG_BYTEA:
        return db_bytes(bytes_of(s, a));
    default:
        return db_text(arena_str(a, s));
    }
}

/* Copies a result into the arena. Results come as text: numbers of five types read the same that
 * way. */
static void pg_table(const PGresult *r, struct arena *a, struct db_table *ret)
{
    struct db_table t = {.rows = PQntuples(r), .cols = PQnfields(r)};
    (void)str_int(str_of(PQcmdTuples((PGresult *)(uintptr_t)r)), &t.changed);
    if (t.rows > 0) {
        assert(a);
        t.at = arena_array(a, struct db_value, (size_t)t.rows * (size_t)t.cols);
    }
    for (int i = 0; i < t.rows; i++)
        for (int k = 0; k < t.cols; k++)
            t.at[i * t.cols + k] = value_of(r, i, k, a);
    *ret = t;
}

/* ---- sending ---- */

static struct pg *of(struct db *db)
{
    return (struct pg *)db;
}

static bool sent(struct pg *q, int good, enum pg_sent kind, int statement, struct err *err)
{
    if (good != 1)
        return link_failed(q, NULL, err);
    assert(q->n_pending < PG_PENDING);
    q->pending[q->n_pending++] = (struct pg_pending){kind, statement, -1};
    if (q->n_pending % EAGER == 0)
        (void)PQflush(q->conn); /* the server begins; a failure shows when answers are read */
    return true;
}

static struct pg_statement *statement_of(struct pg *q, const char *sql)
{
    size_t at = ((uintptr_t)sql >> 3) * 0x9e3779b97f4a7c15u >> 32 & (PG_STATEMENTS - 1);
    for (size_t i = 0; i < PG_STATEMENTS; i++, at = (at + 1) & (PG_STATEMENTS - 1))
        if (!q->statement[at].sql || q->statement[at].sql == sql)
            return &q->statement[at];
    assert(!"too many statements");
    return NULL;
}

static bool send_prepared(struct pg *q, const char *sql, int n, const struct pg_values *v,
                          struct err *err)
{
    struct pg_statement *s = statement_of(q, sql);
    int at = (int)(s - q->statement);
    char name[16];
    snprintf(name, sizeof name, "k%d", at);
    s->sql = sql;
    if (!s->sent && !s->known) {
        if (!sent(q, PQsendPrepare(q->conn, name, sql, n, v->types), PG_PREPARES, at, err))
            return false;
        s->sent = true;
    }
    return sent(q, PQsendQueryPrepared(q->conn, name, n, v->at, v->lengths, v->formats, 0),
                PG_PLAIN, 0, err);
}

static bool send_values(struct pg *q, const char *sql, int n, const struct pg_values *v,
                        struct err *err)
{
    return q->pooled ? sent(q,
                            PQsendQueryParams(q->conn, sql, n, v->types, v->at, v->lengths,
                                              v->formats, 0),
                            PG_PLAIN, 0, err)
                     : send_prepared(q, sql, n, v, err);
}

/* The rows that were kept back. */
static bool send_rows(struct pg *q, struct err *err)
{
    const int n = q->n_rows;
    bool good = true;
    q->n_rows = 0;
    for (int i = 0; i < n && good; i++) {
        struct pg_rows *r = &q->rows[i];
        struct pg_values v;
        for (int k = 0; k < r->n_columns; k++) {
            v.types[k] = pg_list_end(&r->column[k]);
            v.at[k] = r->column[k].at;
            v.lengths[k] = (int)r->column[k].n;
            v.formats[k] = 1;
        }
        if (r->changed)
            put_number(r->account, &v, r->n_columns);
        good = send_values(q, r->sql, r->n_columns + r->changed, &v, err);
    }
    return good;
}

/* A statement that inserts or changes the rows of lists is given one row at a time. */
static enum pg_together together(struct pg *q, const char *sql)
{
    struct pg_statement *s = statement_of(q, sql);
    if (!s->looked) {
        s->sql = sql;
        s->looked = true;
        s->together = strncmp(sql, "INSERT", 6) == 0 && strstr(sql, DB_ROWS)      ? PG_INSERTS
                      : strncmp(sql, "UPDATE", 6) == 0 && strstr(sql, DB_CHANGES) ? PG_UPDATES
                                                                                  : PG_ALONE;
    }
    return s->together;
}

static bool put_row(struct pg *q, const char *sql, bool changed, int n, const struct db_value *args,
                    struct err *err)
{
    if (pg_rows_put(q, sql, changed, n, args))
        return true;
    if (!send_rows(q, err))
        return false;
    (void)PQflush(q->conn); /* as in sent() */
    return pg_rows_put(q, sql, changed, n, args) != NULL;
}

static bool send(struct pg *q, const char *sql, int n, const struct db_value *args, struct err *err)
{
    struct pg_values v;
    if (!send_rows(q, err))
        return false;
    const enum pg_together rows = together(q, sql);
    if (rows)
        return put_row(q, sql, rows == PG_UPDATES, n, args, err) && send_rows(q, err);
    pg_values(n, args, &v);
    bool good = send_values(q, sql, n, &v, err);
    pg_list_free(&v.list);
    return good;
}

/* The same for a statement whose rows are asked for: they become q->answer[at]. */
static bool send_question(struct pg *q, int at, const char *sql, int n, const struct db_value *args,
                          struct err *err)
{
    assert(at < PG_QUESTIONS);
    if (!send(q, sql, n, args, err))
        return false;
    q->pending[q->n_pending - 1].question = at;
    return true;
}

/* ---- answers ---- */

static bool is_good(const PGresult *r)
{
    ExecStatusType status = PQresultStatus(r);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

/* The next result, and the end that follows it. */
static PGresult *next_result(struct pg *q)
{
    PGresult *r = link_result(q), *more;
    while (r && PQresultStatus(r) != PGRES_PIPELINE_SYNC && (more = link_result(q))) {
        PQclear(more);
        if (PQstatus(q->conn) == CONNECTION_BAD)
            break;
    }
    if (!q->silent)
        return r;
    PQclear(r);
    return NULL;
}

/* Also behind a failure of ours, after which the server has gone on. */
static void note_prepared(struct pg *q, int statement, const PGresult *r)
{
    q->statement[statement].sent = false;
    q->statement[statement].known = is_good(r);
}

/* What a result means besides its rows. Returns false after a failure. */
static bool take_result(struct pg *q, struct pg_pending what, const PGresult *r, struct arena *a,
                        struct err *err)
{
    if (what.kind == PG_PREPARES)
        note_prepared(q, what.statement, r);
    if (!is_good(r))
        return link_failed(q, r, err);
    if (what.question >= 0)
        pg_table(r, a, &q->answer[what.question]);
    if (what.kind == PG_TURN)
        snprintf(q->xid, sizeof q->xid, "%s", PQntuples(r) == 1 ? PQgetvalue(r, 0, 0) : "");
    /* COMMIT of a transaction that has failed is a rollback, and says so */
    if (what.kind == PG_COMMIT && strcmp(PQcmdStatus((PGresult *)(uintptr_t)r), "COMMIT") != 0)
        return err_set(err, "database: the transaction had failed");
    return what.kind != PG_STATE || lease_read_state(q, r, err);
}

/* Reads the answers of all that was sent, in one round trip; rows that were asked for go to `a`. The
 * first failure is the one that counts; the server skips what was sent behind it. */
static bool read_answers(struct pg *q, struct arena *a, struct err *err)
{
    struct pg_pending pending[PG_PENDING];
    int n = q->n_pending;
    bool good = PQpipelineSync(q->conn) == 1;
    memcpy(pending, q->pending, (size_t)n * sizeof *pending);
    q->n_pending = 0;
    q->db.waits++;
    if (!good)
        return link_failed(q, NULL, err);
    for (int i = 0; i <= n && q->conn; i++) {
        PGresult *r = next_result(q);
        if (!r)
            return link_failed(q, NULL, err);
        if (i < n && good)
            good = take_result(q, pending[i], r, a, err);
        else if (i < n && pending[i].kind == PG_PREPARES)
            note_prepared(q, pending[i].statement, r);
        PQclear(r);
    }
    if (q->conn)
        q->heard_at = clock_mono(&clock_of_machine);
    return good;
}

/* ---- verbs ---- */

static bool ready(struct pg *q, struct err *err)
{
    if (q->db.damage.text[0])
        return err_set(err, "%s", q->db.damage.text);
    if (q->conn || !q->inside)
        return link_ready(q, err);
    q->db.broken = true;
    return err_set(err, "database: the connection to %s was lost", q->shown);
}

/* A statement whose result is more than good or bad. */
static bool send_lease(struct pg *q, const char *sql, enum pg_sent kind, int n,
                       const struct db_value *args, struct err *err)
{
    if (!send(q, sql, n, args, err))
        return false;
    q->pending[q->n_pending - 1].kind = kind;
    return true;
}

/* A transaction with the store to itself says so to those that run beside others; one that is alone
 * in the world says once that it will not. */
static bool count_writing(struct pg *q, struct err *err)
{
    const struct db_value own = db_text(str_of(q->row)),
                          all[] = {db_text(str_of(q->holder)), db_int(!q->db.shared)};
    q->counts = !q->beside && (q->db.shared || !q->uncounted);
    return q->beside ? send(q, LEASE_COUNT_BESIDE, 1, &own, err)
                     : !q->counts || send(q, LEASE_COUNT_ALL, 2, all, err);
}

/* While others write, what they did must be known before anything remembered is used. */
static bool take_turn(struct pg *q, struct err *err)
{
    const struct db_value who[] = {db_text(str_of(q->holder)), db_text(str_of(q->row))};
    q->beside = q->db.beside && q->db.shared && q->n_accounts > 0 && !q->uncounted;
    q->waited = q->beside ? !q->calm : q->db.shared;
    return (!q->db.shared || send(q, LEASE_PATIENCE, 0, NULL, err)) &&
           send_lease(q, q->beside ? LEASE_BESIDE : LEASE_ALONE, PG_TURN, 0, NULL, err) &&
           send_lease(q, LEASE_STATE, PG_STATE, 2, who, err) &&
           (!q->waited || read_answers(q, NULL, err)) && count_writing(q, err);
}

/* What this transaction has counted is known to us. */
static void note_counted(struct pg *q)
{
    q->seen_all += q->counts;
    if (q->counts)
        q->uncounted = !q->db.shared;
}

static bool begin_transaction(struct db *db, struct err *err)
{
    struct pg *q = of(db);
    if (!ready(q, err) || (q->blocked && !lease_end_sleepers(q, err)) ||
        !send(q, "BEGIN ISOLATION LEVEL READ COMMITTED", 0, NULL, err))
        return false;
    q->inside = true;
    q->xid[0] = '\0';
    return q->to_read || take_turn(q, err);
}

static bool asks_for_turn(const struct pg *q)
{
    for (int i = 0; i < q->n_pending; i++)
        if (q->pending[i].kind == PG_STATE)
            return true;
    return false;
}

/* Of a daemon, one transaction on the heels of another. If its connection is lost before the server
 * has said which transaction it is, the store must be opened anew: so a server is not trusted so far
 * that may have been stopped since it last spoke. */
static bool goes_at_once(const struct pg *q)
{
    return q->n_accounts > 0 && !q->counts &&
           clock_mono(&clock_of_machine) < q->heard_at + HEELS_MS;
}

/* Whether the store is still ours is known before COMMIT is sent; or the server looks, and fails
 * what is no longer as we know it. */
static bool make_sure(struct pg *q, struct arena *a, struct err *err)
{
    const struct db_value known[] = {db_text(str_of(q->holder)), db_text(str_of(q->row)),
                                     db_int(q->fence),           db_int(q->seen_all),
                                     db_int(q->seen_others),     db_int(q->beside)};
    if (!asks_for_turn(q))
        return true;
    return goes_at_once(q) ? send(q, LEASE_HOLDS, 6, known, err) : read_answers(q, a, err);
}

/* All that was sent and the commit are one round trip. */
static bool commit(struct db *db, struct arena *a, struct db_question *last, struct err *err)
{
    struct pg *q = of(db);
    q->answer[0] = (struct db_table){0};
    if (!ready(q, err) || (last && !send_question(q, 0, last->sql, last->n, last->args, err)) ||
        !make_sure(q, a, err) || !send(q, "COMMIT", 0, NULL, err))
        return false;
    q->pending[q->n_pending - 1].kind = PG_COMMIT;
    q->doubt = q->to_read ? 0 : q->timeline;
    bool good = read_answers(q, a, err);
    if (!q->conn && q->doubt)
        good = link_committed(q, err);
    else
        q->doubt = 0;
    if (good && last)
        last->answer = q->answer[0];
    q->inside = !good;
    if (good && !q->to_read)
        note_counted(q);
    if (good && q->patience_ms > 0)
        q->patience_ms = PATIENCE_MS;
    return good;
}

static void rollback(struct db *db)
{
    struct pg *q = of(db);
    struct err ignored;
    pg_rows_forget(q);
    bool good = !q->inside || !q->conn ||
                (send(q, "ROLLBACK", 0, NULL, &ignored) && read_answers(q, NULL, &ignored));
    if (!good && q->conn && PQtransactionStatus(q->conn) != PQTRANS_IDLE &&
        !(send(q, "ROLLBACK", 0, NULL, &ignored) && read_answers(q, NULL, &ignored)))
        link_drop(q);
    q->inside = false;
    db->broken = false;
}

static bool is_reading(const char *sql)
{
    return strncmp(sql, "SELECT", 6) == 0;
}

static bool run(struct pg *q, struct arena *a, const char *sql, int n, const struct db_value *args,
                struct db_table *ret, struct err *err)
{
    if (q->to_read && !q->edits && !is_reading(sql))
        return err_set(err, "database: it was opened to be read only");
    if (!ready(q, err))
        return false;
    const enum pg_together waits = !ret && q->inside ? together(q, sql) : PG_ALONE;
    if (!(ret     ? send_question(q, 0, sql, n, args, err)
          : waits ? put_row(q, sql, waits == PG_UPDATES, n, args, err)
                  : send(q, sql, n, args, err)))
        return false;
    if (!ret && q->inside && q->n_pending < PG_PENDING / 2)
        return true;
    if (!read_answers(q, a, err))
        return false;
    if (ret)
        *ret = q->answer[0];
    return true;
}

static bool ask(struct db *db, struct arena *a, int n, struct db_question *asked, struct err *err)
{
    struct pg *q = of(db);
    if (!ready(q, err))
        return false;
    for (int i = 0; i < n; i++)
        if (!send_question(q, i, asked[i].sql, asked[i].n, asked[i].args, err))
            return false;
    if (!read_answers(q, a, err))
        return false;
    for (int i = 0; i < n; i++)
        asked[i].answer = q->answer[i];
    return true;
}

/* A statement that writes is a transaction of its own, which finds out first whether the store is
 * still ours. */
static bool query(struct db *db, struct arena *a, const char *sql, int n,
                  const struct db_value *args, struct db_table *ret, struct err *err)
{
    struct pg *q = of(db);
    bool alone = !q->inside && !q->to_read && !is_reading(sql);
    if (!alone)
        return run(q, a, sql, n, args, ret, err);
    struct db_table t;
    bool good = begin_transaction(db, err) && run(q, a, sql, n, args, ret ? ret : &t, err) &&
                commit(db, NULL, NULL, err);
    if (!good) {
        bool broken = db->broken;
        rollback(db);
        db->broken = broken;
    }
    return good;
}

/* Each table that is whole and has the account in its key is made anew in partitions, with its rows
 * and the numbers that it counts, if the database asks for more than one. */
static const char in_parts[] =
    "DO $$ DECLARE t RECORD; counted TEXT; last BIGINT;"
    " parts INT := COALESCE(NULLIF(current_setting('koikoi.partitions', true), ''), '1');"
    "BEGIN"
    " IF parts NOT BETWEEN 1 AND 1024 THEN"
    " RAISE EXCEPTION 'koikoi.partitions: expected 1 to 1024, got %', parts; END IF;"
    " FOR t IN SELECT c.relname AS name FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid JOIN "
    "pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey) WHERE parts > 1 AND "
    "c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND NOT c.relispartition "
    "AND i.indisprimary AND a.attname = 'account' ORDER BY 1 LOOP"
    " EXECUTE format('ALTER TABLE %I RENAME TO whole', t.name);"
    " EXECUTE format('CREATE TABLE %I (LIKE whole INCLUDING ALL) PARTITION BY HASH (account)',"
    " t.name);"
    " FOR i IN 0 .. parts - 1 LOOP"
    " EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',"
    " t.name || '_' || i, t.name, parts, i); END LOOP;"
    " EXECUTE format('INSERT INTO %I SELECT * FROM whole', t.name);"
    " SELECT pg_get_serial_sequence('whole', attname) INTO counted FROM pg_attribute WHERE attrelid"
    " = 'whole'::regclass AND attidentity <> '';"
    " last := pg_sequence_last_value(counted::regclass);"
    " IF last > 0 THEN PERFORM setval(pg_get_serial_sequence(t.name, 'id'), last); END IF;"
    " DROP TABLE whole;"
    " END LOOP; END $$";

static bool script(struct db *db, struct str sql, struct err *err)
{
    static const char *const words[] = {
        "KEY_COUNTED", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
        "KEY_GIVEN",   "BIGINT PRIMARY KEY",
        "BY_ITS_KEY",  "",
        "BYTES",       "BYTEA",
        "ON_SERVER",   "",
        "IN_PARTS",    in_parts,
        "AS TEXT",     "AS TEXT",
        " TEXT",       " TEXT COLLATE \"C\"",
        NULL};
    struct pg *q = of(db);
    if (!ready(q, err) || (q->n_pending && !read_answers(q, NULL, err)))
        return false;
    if (PQexitPipelineMode(q->conn) != 1)
        return link_failed(q, NULL, err);
    char *text = db_words_put(sql, words);
    int patience = q->patience_ms;
    q->patience_ms = 0; /* a step of the schema may write every row */
    bool good = link_run(q, text, NULL, err);
    q->patience_ms = patience;
    free(text);
    return q->conn && PQenterPipelineMode(q->conn) == 1 ? good : good && link_failed(q, NULL, err);
}

/* Reads every page of every table; the server checks those that have checksums. */
static bool check_tables(struct db *db, struct err *err)
{
    enum { ROOM = 1 << 20 };
    struct pg *q = of(db);
    struct arena *a = arena_open(ROOM);
    struct db_table t;
    int patience = q->patience_ms;
    q->patience_ms = 0;
    bool good = query(db, a, db->verbs->tables, 0, NULL, &t, err);
    for (int i = 0; good && i < t.rows; i++) {
        struct str sql = arena_print(a, "SELECT COUNT(*) FROM \"%.*s\"", STR_ARG(t.at[i].s));
        good = PQsendQueryParams(q->conn, sql.p, 0, NULL, NULL, NULL, NULL, 0) == 1
                   ? sent(q, 1, PG_PLAIN, 0, err) && read_answers(q, NULL, err)
                   : link_failed(q, NULL, err);
        good = good && (!q->leased || link_held(q) > 0 || lease_renew(q, err));
    }
    q->patience_ms = patience;
    arena_close(a);
    return good;
}

static bool set_counter(struct db *db, struct str table, int64_t last, struct err *err)
{
    const struct db_value args[] = {db_text(table), db_int(last)};
    return query(db, NULL, "SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", 2, args, NULL,
                 err);
}

static void idle(struct db *db)
{
    (void)db; /* the server tidies up by itself */
}

static bool keep(struct db *db, int *ret_ms, struct err *err)
{
    struct pg *q = of(db);
    if (link_held(q) == 0 && (!ready(q, err) || (link_held(q) == 0 && !lease_renew(q, err))))
        return false;
    *ret_ms = link_held(q);
    return true;
}

static void close_db(struct db *db)
{
    rollback(db);
    lease_release(of(db));
    link_free(of(db));
}

static const struct db_verbs verbs = {
    .query = query,
    .ask = ask,
    .script = script,
    .begin = begin_transaction,
    .commit = commit,
    .check = check_tables,
    .rollback = rollback,
    .idle = idle,
    .keep = keep,
    .close = close_db,
    .tables = "SELECT relname::text FROM pg_class WHERE relnamespace = "
              "current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND "
              "relname <> 'koikoi_lease' ORDER BY relname",
    .keys =
        "SELECT a.attname::text FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (at, no), "
        "pg_attribute a WHERE i.indrelid = $1::regclass AND i.indisprimary AND "
        "a.attrelid = i.indrelid AND a.attnum = k.at ORDER BY k.no",
    .columns = "SELECT attname::text FROM pg_attribute WHERE attrelid = $1::regclass AND "
               "attnum > 0 AND NOT attisdropped ORDER BY attnum",
    .counters = "SELECT c.relname::text, COALESCE(pg_sequence_last_value(pg_get_serial_sequence("
                "c.relname::text, a.attname::text)::regclass), 0) FROM pg_class c JOIN "
                "pg_attribute a ON a.attrelid = c.oid WHERE c.relnamespace = "
                "current_schema()::regnamespace AND NOT c.relispartition AND a.attidentity <> '' "
                "ORDER BY 1",
    .set_counter = set_counter,
};

/* ---- opening: with leases for a daemon or a tool; without them beside a daemon ---- */

static struct pg *make(struct str url, bool to_read, struct err *err)
{
    /* OFFSET keeps the planner from joining: while it takes a table that grows for a small one, it
     * would read all of it */
    static const char *const words[] = {
        "LIST", "unnest($1) AS l (value)", "EACH", "CROSS JOIN LATERAL (SELECT * FROM",
        "DONE", "OFFSET 0) AS found",      NULL};
    struct pg *q = link_make(url, to_read, err);
    if (!q)
        return NULL;
    q->db.verbs = &verbs;
    q->db.words = words;
    q->db.numbers = "SELECT nextval(counted.by) FROM (SELECT pg_get_serial_sequence($1, "
                    "'id')::regclass AS by OFFSET 0) AS counted, generate_series(1, $2)";
    return q;
}

/* A small store is read as a whole, as a small file is. */
static bool check_small(struct pg *q, struct err *err)
{
    enum { ROOM = 1 << 16 };
    struct arena *a = arena_open(ROOM);
    struct db_table t;
    bool good = query(&q->db, a,
                      "SELECT COALESCE(SUM(pg_total_relation_size(oid)), 0) FROM pg_class WHERE "
                      "relnamespace = current_schema()::regnamespace AND relkind = 'r'",
                      0, NULL, &t, err);
    q->db.checked = good && t.at[0].i <= DB_CHECK_BYTES;
    arena_close(a);
    return good && (!q->db.checked || check_tables(&q->db, err));
}

/* By this process: one that opens it anew need not wait for that; nor need one that follows another,
 * which checked it: people wait. */
static bool has_checked;

/* *ret_anew, if it fails: the server was there, and went away. */
static bool open_leased(struct str url, const struct db_turn *turn, struct db **ret, bool *ret_anew,
                        struct err *err)
{
    struct pg *q = make(url, false, err);
    if (!q)
        return false;
    bool leased = lease_await(q, turn, err);
    if (!leased || (!has_checked && !q->follows && !check_small(q, err))) {
        *ret_anew = leased && q->db.faltered;
        close_db(&q->db);
        return false;
    }
    has_checked = turn->wait != NULL;
    *ret = &q->db;
    return true;
}

bool db_postgres_open(struct str url, const struct db_turn *turn, struct db **ret, struct err *err)
{
    bool good, anew;
    do {
        anew = false;
        good = open_leased(url, turn, ret, &anew, err);
    } while (anew && turn->wait && turn->wait(turn->arg, "", err->text));
    return good;
}

bool db_postgres_open_beside(struct str url, bool to_write, struct db **ret, struct err *err)
{
    struct pg *q = make(url, true, err);
    if (!q)
        return false;
    q->edits = to_write;
    q->any &= !to_write;
    if (!link_ready(q, err)) {
        link_free(q);
        return false;
    }
    *ret = &q->db;
    return true;
}
