/* See store.h. Here: opening, accounts, heard marks, what is read ahead, named values. The rest is by
 * subject, one file each; below all of them store_sql.c: statements, transactions, the row cache. */
#include "store_host.h"
#include "store_played.h"
#include "store_table.h"

#include "db_open.h"
#include "embedded.h"
#include "sum.h"

#include "alloc.h"

#include <assert.h>

enum {
    SCRATCH = 64 * 1024 * 1024,
    CACHED_ROWS = 32768, /* of 10,000 people who speak in turn */
    CACHED_BYTES = 12 * 1024 * 1024,
    WRITTEN = 8192,
    WRITTEN_BYTES = 4 * 1024 * 1024,
    ABSENT_MOST = 4096,
    ABSENT_BYTES = 1024 * 1024,
    HOMES = 8192,
    HOME_BYTES = 160
};

/* ---- what a batch of updates will ask for, read ahead ---- */

/* One round trip: marks, people and chats, and numbers for those that are new. Rows go to the row
 * cache; what is missing is kept as missing. So a batch costs a server two answers, this one and that
 * of the commit, however many updates it has; one of known people waits for the commit alone
 * (believe_fresh()). To read more ahead: a question here, and the key that its answer is kept under. */
enum look { LOOK_MARKS, LOOK_PEOPLE, LOOK_KNOWN, LOOK_HANDLES, LOOK_CHATS, N_LOOKS };
enum { COUNTED = 2 /* people and chats */ };

/* An update's mark. A fresh one is written, and store_hear() has not said so yet. */
struct mark {
    int64_t account, what;
    struct str id;
    bool fresh;
};
struct ahead {
    int64_t of; /* transaction */
    struct arena *arena;
    struct mark *mark;
    int n, cap, next; /* they are mostly asked for in their order */
    const char *sql[N_LOOKS];
    const char *new_marks;          /* in good faith: fails if one of them was there */
    struct sql_table view[N_LOOKS]; /* of the rows that are read whole */
};

static struct ahead *ahead_open(void)
{
    struct ahead *w = alloc_zeroed(sizeof *w);
    w->arena = arena_open(SCRATCH);
    return w;
}

static void ahead_close(struct ahead *w)
{
    arena_close(w->arena);
    free(w->mark);
    free(w);
}

/* Empty in a new transaction. */
static struct ahead *ahead(struct store *s)
{
    struct ahead *w = s->ahead;
    if (w->of != s->transactions) {
        arena_reset(w->arena);
        w->n = w->next = 0;
        w->of = s->transactions;
    }
    return w;
}

static struct mark *mark_of(struct ahead *w, int64_t account, struct str id, int64_t what)
{
    for (int i = 0; i < w->n; i++) {
        int at = (w->next + i) % w->n;
        struct mark *m = &w->mark[at];
        if ((m->what == what || m->what == 0) && m->account == account && str_is(m->id, id)) {
            w->next = at;
            return m;
        }
    }
    return NULL;
}

static void put_mark(struct ahead *w, struct mark m)
{
    if (w->n == w->cap) {
        w->cap = w->cap ? w->cap * 2 : 128;
        w->mark = alloc_grow(w->mark, (size_t)w->cap * sizeof *w->mark);
    }
    m.id = arena_str(w->arena, m.id);
    w->mark[w->n++] = m;
}

/* ---- opening ---- */

struct store *store_over(struct db *db)
{
    struct store *s = alloc_zeroed(sizeof *s);
    s->db = db;
    s->scratch = arena_open(SCRATCH);
    s->statements = arena_open(SCRATCH);
    s->rows = cache_open(CACHED_ROWS, CACHED_BYTES);
    s->written = cache_open(WRITTEN, WRITTEN_BYTES);
    s->absent = cache_open(ABSENT_MOST, ABSENT_BYTES);
    s->homes = cache_open(HOMES, HOMES * HOME_BYTES);
    s->ahead = ahead_open();
    return s;
}

/* *ret_broken, if it fails: the same may succeed later. */
static bool open_with(struct db *db, bool (*prepare)(struct store *s, struct err *err),
                      struct store **ret, bool *ret_broken, struct err *err)
{
    struct store *s = store_over(db);
    if (!prepare(s, err)) {
        *ret_broken = store_faltered(s);
        store_close(s);
        return false;
    }
    *ret = s;
    return true;
}

bool store_open_db(struct db *db, struct store **ret, struct err *err)
{
    bool broken;
    return open_with(db, store_migrate, ret, &broken, err);
}

bool store_open_to_read(struct str where, struct store **ret, struct err *err)
{
    struct db *db;
    bool broken;
    return db_open_beside(where, false, &db, err) &&
           open_with(db, store_is_current, ret, &broken, err);
}

bool store_open_beside(struct str where, struct store **ret, struct err *err)
{
    struct db *db;
    bool broken;
    return db_open_beside(where, true, &db, err) &&
           open_with(db, store_is_current, ret, &broken, err);
}

bool store_open(struct str where, struct store **ret, struct err *err)
{
    return store_open_in_turn(where, &(struct store_turn){0}, ret, err);
}

bool store_open_in_turn(struct str where, const struct store_turn *turn, struct store **ret,
                        struct err *err)
{
    bool useless = false;
    const struct db_turn for_db = {turn->n, turn->accounts, turn->wait, turn->arg,
                                   NULL,    turn->bots,     &useless};
    struct db *db;
    struct arena *a = arena_open(1 << 16);
    struct str shown = db_shown(a, where);
    bool good, broken, opened;
    do {
        broken = useless = false;
        opened = db_open_in_turn(where, &for_db, &db, err);
        good = opened && (open_with(db, store_migrate, ret, &broken, err) ||
                          err_wrap(err, "%.*s", STR_ARG(shown)));
    } while (!good && broken && db_is_server(where) && turn->wait &&
             turn->wait(turn->arg, "", err->text));
    if (turn->ret_useless)
        *turn->ret_useless = !good && (useless || (opened && !broken));
    arena_close(a);
    return good;
}

bool store_is_server(struct str where)
{
    return db_is_server(where);
}

bool store_on_server(const struct store *s)
{
    return s->db->is_server;
}

bool store_check_name(struct str where, struct err *err)
{
    return db_check_name(where, err);
}

struct str store_shown(struct arena *a, struct str where)
{
    return db_shown(a, where);
}

struct str store_holders(struct arena *a, struct str where)
{
    return db_holders(a, where);
}

void store_close(struct store *s)
{
    if (!s)
        return;
    assert(!s->failed || s->inside); /* somebody did not ask */
    s->db->verbs->close(s->db);
    arena_close(s->scratch);
    arena_close(s->statements);
    cache_close(s->rows);
    cache_close(s->written);
    cache_close(s->absent);
    cache_close(s->homes);
    ahead_close(s->ahead);
    free(s);
}

void store_set_meanwhile(struct store *s, void (*meanwhile)(void *arg, struct pollfd *fd, int ms),
                         void *arg)
{
    s->db->meanwhile = meanwhile;
    s->db->meanwhile_arg = arg;
}

void store_idle(struct store *s)
{
    s->db->verbs->idle(s->db);
}

bool store_damaged(const struct store *s, struct err *err)
{
    return s->db->damage.text[0] && !err_set(err, "%s", s->db->damage.text);
}

bool store_faltered(const struct store *s)
{
    return s->db->faltered || s->db->stale;
}

const char *store_host(const struct store *s)
{
    return s->db->host;
}

bool store_stale(const struct store *s)
{
    return s->db->stale;
}

bool store_keep(struct store *s, int *ret_ms, struct err *err)
{
    return s->db->verbs->keep(s->db, ret_ms, err);
}

bool store_holds(const struct store *s, int account)
{
    return !s->db->holder || (s->db->held >> account & 1) > 0;
}

bool store_foreign(struct store *s)
{
    bool foreign = s->foreign || s->db->foreign;
    if (s->db->foreign) { /* else the transaction has done so */
        store_forget_cached(s);
        s->row_old = true;
    }
    s->foreign = s->db->foreign = false;
    return foreign;
}

bool store_beside(const struct store *s)
{
    return s->beside;
}

bool store_regroup(const struct store *s)
{
    return s->db->regroup;
}

bool store_checked(const struct store *s)
{
    return s->db->checked;
}

struct cache_counts store_cache(const struct store *s)
{
    return cache_counts(s->rows);
}

/* ---- features ---- */

#define STORE_LISTED(name) &feature_##name,
const struct store_feature *const store_features[] = {STORE_FEATURES(STORE_LISTED) NULL};

void store_uncount(struct store *s, int64_t chat)
{
    for (int i = 0; store_features[i]; i++)
        for (const char *const *sql = store_features[i]->sums; *sql; sql += 2)
            store_run(s, sql[1], VALUES(db_int(chat)));
}

/* Made once: a statement is known by its address. */
static const char *chat_of_sums(struct store *s)
{
    struct str sql =
        STR("SELECT COALESCE(MIN(chat), -1) FROM (SELECT MIN(chat) AS chat FROM played "
            "WHERE chat > $1");
    for (int i = 0; store_features[i]; i++)
        for (const char *const *next = store_features[i]->sums; *next; next += 2)
            sql = arena_print(s->statements, "%s UNION ALL %s", sql.p, *next);
    return arena_print(s->statements, "%s) AS x", sql.p).p;
}

int64_t store_next_counted(struct store *s, int64_t after)
{
    if (!s->next_counted)
        s->next_counted = chat_of_sums(s);
    return store_number(s, s->next_counted, VALUES(db_int(after)));
}

/* ---- accounts ---- */

int64_t store_account(struct store *s, struct str name)
{
    const struct db_value called = db_text(name);
    int64_t id = store_number(s, "SELECT id FROM account WHERE name = $1", 1, &called);
    if (id)
        return id;
    memset(s->soonest, 0, sizeof s->soonest);
    return store_number(s, "INSERT INTO account (name) VALUES ($1) RETURNING id", 1, &called);
}

void store_run_by_account(struct store *s, const char *sql, int n, const struct db_value *more)
{
    enum { MOST = 4 };
    struct db_value args[1 + MOST];
    assert(n <= MOST);
    memcpy(args + 1, more, (size_t)n * sizeof *more);
    arena_reset(s->scratch);
    struct ids all = store_ids(s, s->scratch, "SELECT id FROM account ORDER BY id", 0, NULL);
    for (int i = 0; i < all.n; i++) {
        args[0] = db_int(all.at[i]);
        store_run(s, sql, n + 1, args);
    }
}

struct str store_cursor(struct store *s, struct arena *a, int64_t account)
{
    return store_text(s, a, "SELECT cursor FROM account WHERE id = $1", VALUES(db_int(account)));
}

void store_set_cursor(struct store *s, int64_t account, struct str cursor)
{
    store_writes_ours(s, account);
    store_run(s, "UPDATE account SET cursor = $1 WHERE id = $2",
              VALUES(db_text(cursor), db_int(account)));
}

bool store_hear(struct store *s, int64_t account, struct str id, int64_t what, int64_t now)
{
    struct ahead *w = ahead(s);
    struct mark *m = mark_of(w, account, id, what);
    if (m) { /* it was read ahead, and is written */
        bool fresh = m->fresh;
        m->fresh = false;
        w->next++;
        return fresh;
    }
    store_writes_ours(s, account);
    return store_changed(
               s,
               "INSERT INTO heard (account, id, what, at) VALUES ($1, $2, $3, $4) ON CONFLICT "
               "DO NOTHING",
               VALUES(db_int(account), db_text(id), db_int(what), db_int(now))) > 0;
}

void store_forget_heard(struct store *s, int64_t account, int64_t before, int most)
{
    static const char old[] =
        "DELETE FROM heard WHERE account = $1 AND at <= (SELECT MAX(at) FROM (SELECT at "
        "FROM heard WHERE account = $1 AND at < $2 ORDER BY at LIMIT $3) AS old)";
    if (account == 0) {
        store_run_by_account(s, old, VALUES(db_int(before), db_int(most)));
        return;
    }
    store_writes_ours(s, account);
    store_run(s, old, VALUES(db_int(account), db_int(before), db_int(most)));
}

/* ---- reading ahead ---- */

/* A mark as a text: its content in WHAT_DIGITS signs, and the id. */
enum { WHAT_DIGITS = 20 };

static struct str mark_text(struct arena *a, const struct mark *m)
{
    struct buf b = {arena_room(a, m->id.n + WHAT_DIGITS), 0, m->id.n + WHAT_DIGITS, false};
    buf_int(&b, m->what);
    while (b.n < WHAT_DIGITS)
        buf_char(&b, ' ');
    buf_put(&b, m->id);
    return buf_str(&b);
}

#define HEARD_OF_MARKS                                                                             \
    "WITH mark AS (SELECT value FROM LIST) INSERT INTO heard (account, id, what, at) SELECT $2, "  \
    "substr(value, 21), CAST(substr(value, 1, 20) AS BIGINT), $3 FROM mark"

/* In the words of db->words. Marks are written, and the new ones come back: an insert finds the old
 * ones by the key, while a plan that was made when there were few of them would read all. Of people
 * and chats all columns. */
static const char *const looks[N_LOOKS] = {
    [LOOK_MARKS] = HEARD_OF_MARKS " WHERE TRUE ON CONFLICT DO NOTHING RETURNING id, what",
    [LOOK_PEOPLE] = "FROM LIST EACH person WHERE account = $2 AND network_id = value DONE",
    [LOOK_KNOWN] =
        "SELECT value FROM LIST WHERE (SELECT COUNT(*) FROM account other WHERE "
        "other.id <> $2 AND " NETWORK_OF("other") " = " NETWORK_NAME(
            2) " AND (SELECT COUNT(*) FROM person WHERE account = other.id AND network_id = "
               "value) > 0) > 0 OR (SELECT COUNT(*) FROM ban WHERE network = " NETWORK_NAME(
                   2) " AND network_id = value) > 0",
    [LOOK_HANDLES] = ("SELECT handle_key FROM LIST EACH person WHERE account = $2 AND "
                      "handle_key = value AND handle_key <> '' DONE"),
    [LOOK_CHATS] = "FROM LIST EACH chat WHERE account = $2 AND key = value DONE",
};

static const char *in_its_words(struct store *s, const char *sql)
{
    char *text = db_words_put(str_of(sql), s->db->words);
    const char *kept = arena_str(s->statements, str_of(text)).p;
    free(text);
    return kept;
}

/* A table as a view, whose tail begins with FROM. */
static const char *all_columns(struct store *s, const struct sql_table *t, struct sql_table *view,
                               const char *tail)
{
    *view = *t;
    view->name = NULL;
    return store_statement(s, view, tail);
}

/* What an answer tells of the keys that were asked for. */
static const struct told {
    enum absent missing;
    const struct sql_table *table; /* rows of it are found, and kept; NULL: keys */
    enum row_kind kind;
    size_t key; /* the row's member */
} all_told[N_LOOKS] = {
    [LOOK_PEOPLE] = {ABSENT_PERSON, &table_person, ROW_PERSON, offsetof(struct person, network_id)},
    [LOOK_KNOWN] = {.missing = ABSENT_KNOWN},
    [LOOK_HANDLES] = {.missing = ABSENT_HANDLE},
    [LOOK_CHATS] = {ABSENT_CHAT, &table_chat, ROW_CHAT, offsetof(struct chat, key)}};

static void compose(struct store *s)
{
    struct ahead *w = ahead(s);
    for (int i = 0; i < N_LOOKS; i++) {
        w->sql[i] = in_its_words(s, looks[i]);
        if (all_told[i].table)
            w->sql[i] = all_columns(s, all_told[i].table, &w->view[i], w->sql[i]);
    }
    w->new_marks = in_its_words(s, HEARD_OF_MARKS);
}

/* Texts to look for. */
struct sought {
    struct str *at;
    int n;
};

static bool is_cached(struct store *s, enum row_kind kind, int64_t account, struct str key)
{
    struct str ignored;
    return cache_find(s->rows, row_key(kind, account, key), &ignored);
}

/* By the question that asks for them: the marks, and the keys that the row cache lacks. */
static void list_texts(struct store *s, int64_t account, int n, const struct foreseen *at,
                       struct sought ret[static N_LOOKS])
{
    struct ahead *w = ahead(s);
    struct arena *a = w->arena;
    for (int k = 0; k < N_LOOKS; k++)
        ret[k].at = arena_array(a, struct str, (size_t)n);
    for (int i = 0; i < n; i++) {
        const struct foreseen *f = &at[i];
        const bool asks_for_person =
            f->person.n > 0 && !is_cached(s, ROW_PERSON, account, f->person);
        const struct mark m = {account, f->what, f->id, false};
        if (m.id.n > 0 && !mark_of(w, account, m.id, m.what)) {
            put_mark(w, m);
            ret[LOOK_MARKS].at[ret[LOOK_MARKS].n++] = mark_text(a, &m);
        }
        if (asks_for_person)
            ret[LOOK_PEOPLE].at[ret[LOOK_PEOPLE].n++] = f->person;
        if (asks_for_person && f->handle.n > 0)
            ret[LOOK_HANDLES].at[ret[LOOK_HANDLES].n++] = handle_key(a, f->handle);
        if (f->chat.n > 0 && !is_cached(s, ROW_CHAT, account, f->chat))
            ret[LOOK_CHATS].at[ret[LOOK_CHATS].n++] = f->chat;
    }
    ret[LOOK_KNOWN] = ret[LOOK_PEOPLE];
}

/* Keys that were asked for are missing, but for those that were found. */
static void keep_answer(struct store *s, int64_t account, const struct told *of,
                        const struct sought *asked, const struct db_table *found)
{
    struct rows rows = {0};
    for (int i = 0; i < asked->n; i++)
        row_set_absent(s, of->missing, account, asked->at[i]);
    for (int i = 0; !of->table && i < found->rows; i++)
        row_appears(s, of->missing, account, found->at[i].s);
    if (of->table)
        rows = store_rows(s->ahead->arena, of->table, found);
    for (int i = 0; i < rows.n; i++) {
        const char *row = (const char *)rows.at + (size_t)i * of->table->size;
        const struct str *key = (const void *)(row + of->key);
        row_appears(s, of->missing, account, *key);
        row_keep_whole(s, row_key(of->kind, account, *key), of->table, row);
    }
}

static void keep_fresh(struct store *s, int64_t account, const struct db_table *found)
{
    struct ahead *w = ahead(s);
    for (int i = 0; i < found->rows; i++) {
        const struct db_value *row = &found->at[2 * i];
        struct mark *m = mark_of(w, account, row[0].s, row[1].i);
        if (m)
            m->fresh = true;
    }
    w->next = 0;
}

/* Updates come twice after a start or a failure, and hardly ever else. So once a batch has proved to be
 * new, the next one for which a server would be asked nothing else counts as new at once. If one of its
 * updates was heard before, the commit fails (store_again()), and the repetition asks. */
static void believe_fresh(struct store *s, const struct db_value *args)
{
    struct ahead *w = ahead(s);
    s->in_good_faith = true;
    for (int i = w->n - (int)args[0].i; i < w->n; i++)
        w->mark[i].fresh = true;
    w->next = 0;
    store_run(s, w->new_marks, 3, args);
}

void store_look_ahead(struct store *s, int64_t account, int n, const struct foreseen *at,
                      int64_t now)
{
    struct ahead *w = ahead(s);
    struct sought texts[N_LOOKS] = {{0}};
    struct db_question asked[N_LOOKS + COUNTED];
    struct db_value args[N_LOOKS + COUNTED][3];
    enum look of[N_LOOKS];
    const enum look counted[COUNTED] = {LOOK_PEOPLE, LOOK_CHATS};
    const struct sql_table *counts[COUNTED];
    int n_asked = 0, n_counts = 0;
    if (s->failed || s->n_looked == ACCOUNTS_MOST || !store_ours(s, account))
        return;
    if (!w->sql[0])
        compose(s);
    s->looked[s->n_looked++] = account;
    list_texts(s, account, n, at, texts);
    for (int k = 0; k < N_LOOKS; k++) {
        if (texts[k].n == 0)
            continue;
        args[k][0] = db_list(texts[k].n, texts[k].at);
        args[k][1] = db_int(account);
        args[k][2] = db_int(now);
        asked[n_asked] =
            (struct db_question){.sql = w->sql[k], .n = k == LOOK_MARKS ? 3 : 2, .args = args[k]};
        of[n_asked++] = (enum look)k;
    }
    if (texts[LOOK_MARKS].n > 0)
        store_writes_ours(s, account);
    for (int i = 0; i < COUNTED; i++)
        if (store_numbers(s, all_told[counted[i]].table, texts[counted[i]].n, args[N_LOOKS + i],
                          &asked[n_asked + n_counts]))
            counts[n_counts++] = all_told[counted[i]].table;
    if (s->trusts && n_asked == 1 && n_counts == 0 && of[0] == LOOK_MARKS) {
        believe_fresh(s, args[LOOK_MARKS]);
        return;
    }
    if (n_asked > 0)
        store_ask_all(s, w->arena, n_asked + n_counts, asked);
    if (s->failed)
        return;
    for (int i = 0; i < n_counts; i++)
        store_keep_numbers(s, counts[i], &asked[n_asked + i].answer);
    for (int i = 0; i < n_asked; i++)
        if (of[i] == LOOK_MARKS) {
            keep_fresh(s, account, &asked[i].answer);
            s->trusts = s->db->is_server && asked[i].answer.rows == texts[LOOK_MARKS].n;
        } else {
            keep_answer(s, account, &all_told[of[i]], &texts[of[i]], &asked[i].answer);
        }
}

/* ---- the schema ---- */

/* The numbered files config/schema/NNN_name.sql. NNN_tables.sql makes all tables of a new store, as the
 * steps up to that number leave those of an older one; the other files are the steps, never edited once
 * released. New ones are applied in order, with a note of each, in one transaction. A store is refused
 * that stands before the first step, or at a number that this program does not know: it belongs to a
 * newer one. */

/* The number of "schema/012_name.sql"; 0 if it is no such file. */
static int number_of(const char *name)
{
    struct str s = str_of(name);
    int64_t n = 0;
    if (!str_starts(s, STR("schema/")) || s.n < 11)
        return 0;
    return str_int((struct str){s.p + 7, 3}, &n) && n > 0 ? (int)n : 0;
}

static bool makes_all(const char *name)
{
    return strstr(name, "_tables.sql") != NULL;
}

/* The first number that a store may stand at, and the newest. */
static void known_numbers(int *ret_first, int *ret_newest)
{
    *ret_first = *ret_newest = 0;
    for (int i = 0; i < embedded_count(); i++) {
        int number = number_of(embedded_at(i).name);
        int before = makes_all(embedded_at(i).name) ? number : number - 1;
        if (number > 0 && (*ret_first == 0 || before < *ret_first))
            *ret_first = before;
        if (number > *ret_newest)
            *ret_newest = number;
    }
}

int store_schema_newest(void)
{
    int first, newest;
    known_numbers(&first, &newest);
    return newest;
}

struct str store_program(struct arena *a)
{
    struct str commit = embedded_commit();
    return arena_print(a, KOIKOI_VERSION "%s%.*s%s, schema %d", commit.n ? " (" : "",
                       STR_ARG(commit), commit.n ? ")" : "", store_schema_newest());
}

int64_t store_schema(struct store *s)
{
    int first, newest;
    known_numbers(&first, &newest);
    int64_t have = store_number(s, "SELECT COALESCE(MAX(number), 0) FROM migration", 0, NULL);
    if (have > 0 && have < first)
        store_fail(s,
                   "schema: expected at least %d, got %d: the store is of an early koikoi. "
                   "Version 0.1 brings it up to date",
                   first, (int)have);
    return have;
}

static bool apply(struct store *s, struct embedded file, int number, struct err *err)
{
    if (!s->db->verbs->script(s->db, file.bytes, err))
        return false;
    store_run(s, "INSERT INTO migration (number, name) VALUES ($1, $2)",
              VALUES(db_int(number), db_text(str_of(file.name))));
    return !store_take_failure(s, err);
}

static bool apply_new(struct store *s, struct err *err)
{
    int first, newest;
    known_numbers(&first, &newest);
    if (!s->db->verbs->script(
            s->db,
            STR("CREATE TABLE IF NOT EXISTS migration (number BIGINT PRIMARY KEY, "
                "name TEXT NOT NULL)"),
            err))
        return false;
    int64_t have = store_schema(s);
    if (have > newest)
        store_fail(s, "schema: expected at most %d, got %d: the store belongs to a newer koikoi",
                   newest, (int)have);
    if (store_take_failure(s, err))
        return false;
    for (int all = have == 0; all >= 0; all--) /* all tables, then the steps behind them */
        for (int i = 0; i < embedded_count(); i++) {
            struct embedded file = embedded_at(i);
            int number = number_of(file.name);
            if (number <= have || makes_all(file.name) != (bool)all)
                continue;
            if (!apply(s, file, number, err))
                return err_wrap(err, "%s", file.name);
            have = all ? number : have;
        }
    return true;
}

bool store_migrate(struct store *s, struct err *err)
{
    store_begin(s);
    if (!store_take_failure(s, err) && apply_new(s, err) && store_commit(s, err))
        return true;
    store_rollback(s);
    return false;
}

bool store_is_current(struct store *s, struct err *err)
{
    int first, newest;
    known_numbers(&first, &newest);
    int64_t have = store_schema(s);
    if (have != newest)
        store_fail(s, "schema: expected %d, got %d: the store is of another version of koikoi",
                   newest, (int)have);
    return !store_take_failure(s, err);
}

/* ---- values by name ---- */

struct meta_row {
    struct str name, value;
    int64_t sum;
};

static int64_t checksum(const void *at)
{
    const struct meta_row *row = at;
    return sum_meta(row->name, row->value);
}

#define META(member) COLUMN(struct meta_row, member)
static const struct sql_column meta_columns[] = {
    META(name), META(value), COLUMN_OF(struct meta_row, sum, "sum", COLUMN_CHECKSUM)};
static const struct sql_table metas = {"meta", .n_keys = 1, .checksum = checksum,
                                       ROWS(struct meta_row, meta_columns)};

/* A damaged value is damage of the store: no daemon can do without one of them. */
struct str store_meta(struct store *s, struct arena *a, struct str name)
{
    const struct meta_row *row = store_find(s, a, &metas, "WHERE name = $1", VALUES(db_text(name)));
    if (!row)
        return STR("");
    if (row->sum != checksum(row) && written_here(s, 0, name)) {
        store_fail(s, "the value %.*s: %s", STR_ARG(name), WRITTEN_WRONG);
    } else if (row->sum != checksum(row)) {
        db_damaged(s->db, "a checksum in the table meta");
        store_fail(s, "%s", s->db->damage.text);
    }
    return row->value;
}

void store_set_meta(struct store *s, struct str name, struct str value)
{
    write_here(s, 0, name);
    store_upsert(s, &metas, &(struct meta_row){.name = name, .value = value});
}
