/* Row cache of the store: it equals the database after every change, by any call, inside a
 * transaction, and after one that was undone, rolled back or failed to commit. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "db_file.h"
#include "db_faulty.h"
#include "rng.h"
#include "store_sql.h"

enum { ACCOUNTS = 2, NAMES = 4, MOST = 3, DEEDS = 4000 };

static struct err err;
static struct arena *arena;
static struct db *db;
static struct store *store;
static uint64_t rng;

static int by_chance(int n)
{
    struct rng l = rng_seed(++rng);
    return (int)rng_below(rng_next(&l), (unsigned)n);
}

/* "k0" ... "k3" */
static struct str some(char message)
{
    return arena_print(arena, "%c%d", message, by_chance(NAMES));
}

static struct db_table told(const char *sql, int n, const struct db_value *args)
{
    struct db_table t;
    OK(db->verbs->query(db, arena, sql, n, args, &t, &err));
    return t;
}
#define TOLD(sql, ...)                                                                             \
    told(sql, (int)(sizeof((struct db_value[]){__VA_ARGS__}) / sizeof(struct db_value)),           \
         (struct db_value[]){__VA_ARGS__})

static void same_text(struct str known, struct db_value stored)
{
    if (!str_is(known, stored.s))
        fail_msg("known: \"%.*s\", stored: \"%.*s\"", STR_ARG(known), STR_ARG(stored.s));
}

/* ---- reads ---- */

static void look_at_person(int64_t account, struct str id)
{
    struct person p;
    struct db_table t =
        TOLD("SELECT id, owner, name, handle, language, prefs, direct_chat, reachable FROM person "
             "WHERE account = $1 AND network_id = $2",
             db_int(account), db_text(id));
    bool found = GOT(p, store_person_by_network_id(store, arena, account, id));
    assert_int_equal(found, t.rows);
    if (!found)
        return;
    assert_int_equal(p.id, t.at[0].i);
    assert_int_equal(p.account, account);
    assert_int_equal(p.who, t.at[1].i ? t.at[1].i : p.id);
    assert_true(str_is(p.network_id, id));
    same_text(p.name, t.at[2]);
    same_text(p.handle, t.at[3]);
    same_text(p.language, t.at[4]);
    same_text(p.prefs, t.at[5]);
    same_text(p.direct_chat, t.at[6]);
    assert_int_equal(p.reachable, t.at[7].i);
}

/* Of a stored chat: a lookup of another one would create it. */
static void look_at_chat(int64_t account, struct str key)
{
    struct db_table t =
        TOLD("SELECT id, name, direct, settings FROM chat WHERE account = $1 AND key = $2",
             db_int(account), db_text(key));
    if (t.rows == 0)
        return;
    struct chat c = store_chat(store, arena, account, key, STR(""), false);
    assert_int_equal(c.id, t.at[0].i);
    assert_int_equal(c.account, account);
    assert_true(str_is(c.key, key));
    same_text(c.name, t.at[1]);
    assert_int_equal(c.direct, t.at[2].i);
    same_text(c.settings, t.at[3]);
}

/* By number, where the row may have moved to another key, or be gone. */
static void look_at_chat_numbers(void)
{
    enum { NEWEST = 8 };
    struct db_table last = told("SELECT coalesce(max(id), 0) FROM chat", 0, NULL);
    int64_t to = last.at[0].i;
    for (int64_t id = to > NEWEST ? to - NEWEST : 1; id <= to; id++) {
        struct db_table t =
            TOLD("SELECT account, key, name, settings FROM chat WHERE id = $1", db_int(id));
        const struct chat *c = store_chat_by_id(store, arena, id);
        assert_int_equal(c != NULL, t.rows);
        if (!c)
            continue;
        assert_int_equal(c->id, id);
        assert_int_equal(c->account, t.at[0].i);
        same_text(c->key, t.at[1]);
        same_text(c->name, t.at[2]);
        same_text(c->settings, t.at[3]);
    }
}

static struct str list(int n, const int64_t *id)
{
    struct str s = {0};
    for (int i = 0; i < n; i++)
        s = i ? arena_print(arena, "%.*s %lld", STR_ARG(s), (long long)id[i])
              : arena_print(arena, "%lld", (long long)id[i]);
    return s;
}

static void same_session(const struct session_row *row)
{
    struct db_table t =
        TOLD("SELECT version, due, live, people, chats, line FROM session WHERE id = $1",
             db_int(row->id));
    assert_int_equal(t.rows, 1);
    assert_int_equal(row->version, t.at[0].i);
    assert_int_equal(row->due, t.at[1].i);
    assert_int_equal(row->live, t.at[2].i);
    same_text(list(row->n_people, row->person), t.at[3]);
    same_text(list(row->n_chats, row->chat), t.at[4]);
    same_text(row->line, t.at[5]);
}

static void same_list(const struct session_rows *rows, const struct db_table *t)
{
    assert_int_equal(rows->n, t->rows);
    for (int i = 0; i < rows->n; i++) {
        assert_int_equal(rows->at[i].id, t->at[i].i);
        same_session(&rows->at[i]);
    }
}

static void look_at_sessions(void)
{
    struct db_table ids = TOLD("SELECT id FROM session WHERE id > $1", db_int(0));
    for (int i = 0; i < ids.rows; i++) {
        struct session_row row;
        bool found = GOT(row, store_session(store, arena, ids.at[i].i));
        assert_true(found);
        same_session(&row);
    }
    for (int64_t of = 1; of <= 2 * ACCOUNTS * NAMES; of++) {
        struct db_table t = TOLD("SELECT session FROM session_chat WHERE chat = $1 AND live = 1 "
                                 "ORDER BY session DESC LIMIT $2",
                                 db_int(of), db_int(MOST));
        struct session_rows rows = store_sessions_of_chat(store, arena, of, MOST);
        same_list(&rows, &t);
        t = TOLD("SELECT session FROM session_person WHERE person = $1 ORDER BY session DESC "
                 "LIMIT $2",
                 db_int(of), db_int(MOST));
        rows = store_sessions_of_person(store, arena, of, MOST);
        same_list(&rows, &t);
    }
}

static void look_at_post(int64_t account, struct str place, struct str slot)
{
    struct str post;
    struct db_table t =
        TOLD("SELECT post FROM post WHERE account = $1 AND place = $2 AND slot = $3",
             db_int(account), db_text(place), db_text(slot));
    post = store_post(store, arena, account, place, slot);
    same_text(post, t.rows ? t.at[0] : db_text(STR("")));
}

static void look(void)
{
    for (int64_t account = 1; account <= ACCOUNTS; account++)
        for (int i = 0; i < NAMES; i++) {
            look_at_person(account, arena_print(arena, "p%d", i));
            look_at_chat(account, arena_print(arena, "k%d", i));
            for (int k = 0; k < NAMES; k++)
                look_at_post(account, arena_print(arena, "k%d", i), arena_print(arena, "s%d", k));
        }
    look_at_chat_numbers();
    look_at_sessions();
}

/* ---- changes ---- */

/* The id of a random row; 0 if there is none. */
static int64_t some_id(const char *sql)
{
    struct db_table t = told(sql, 0, NULL);
    return t.rows ? t.at[by_chance(t.rows)].i : 0;
}
static int64_t some_person(void)
{
    return some_id("SELECT id FROM person WHERE owner = 0");
}
static int64_t some_chat(void)
{
    return some_id("SELECT id FROM chat");
}

static void somebody_speaks(int64_t account)
{
    struct sender who = {.language = by_chance(2) ? STR("en") : STR("pl")};
    if (by_chance(4))
        who.id = some('p');
    if (by_chance(3) || !who.id.n)
        who.handle = some('h');
    if (by_chance(3))
        who.name = some('n');
    (void)store_person(store, arena, account, &who);
}

static void updates_are_looked_at(int64_t account)
{
    struct foreseen all[MOST];
    int n = 1 + by_chance(MOST);
    for (int i = 0; i < n; i++)
        all[i] = (struct foreseen){.person = by_chance(4) ? some('p') : STR(""),
                                   .handle = by_chance(3) ? some('h') : STR(""),
                                   .chat = by_chance(4) ? some('k') : STR("")};
    store_look_ahead(store, account, n, all, 0);
}

static void fill(struct session_row *row)
{
    row->due = by_chance(3) * 1000;
    row->live = by_chance(4) > 0;
    row->line = some('l');
    row->n_people = row->n_chats = 0;
    for (int i = by_chance(SESSION_SEATS); i >= 0; i--) {
        int64_t id = some_person();
        bool twice = false;
        for (int k = 0; k < row->n_people; k++)
            twice |= row->person[k] == id;
        if (id && !twice)
            row->person[row->n_people++] = id;
    }
    if (some_chat())
        row->chat[row->n_chats++] = some_chat();
}

static void a_match_begins(void)
{
    struct session_row row = {.version = 1};
    fill(&row);
    row.id = store_new_session(store, &row);
}

static void a_match_goes_on(void)
{
    int64_t id = some_id("SELECT id FROM session");
    const struct session_row *was = id ? store_session(store, arena, id) : NULL;
    if (!was)
        return;
    struct session_row row = *was;
    if (by_chance(2))
        fill(&row);
    else
        row.line = some('l'); /* mostly no one comes or goes */
    row.version = was->version + 1;
    store_save(store, &row, was->version);
}

/* Returns true if there is a match to spoil the transaction with, or the part behind its
 * savepoint. */
static bool a_match_was_at_another_version(void)
{
    int64_t id = some_id("SELECT id FROM session");
    const struct session_row *was = id ? store_session(store, arena, id) : NULL;
    if (!was)
        return false;
    struct session_row row = *was;
    row.line = some('l');
    store_save(store, &row, was->version + 7);
    assert_true(store_failed(store));
    return true;
}

static void something_happens(void)
{
    int64_t account = 1 + by_chance(ACCOUNTS), person = some_person(), other = some_person();
    switch (by_chance(14)) {
    case 0:
    case 1:
        somebody_speaks(account);
        break;
    case 2:
        (void)store_chat(store, arena, account, some('k'), by_chance(2) ? some('n') : STR(""),
                         false);
        break;
    case 3:
        store_set_settings(store, some_chat(), some('s'));
        break;
    case 4:
        (void)store_move_chat(store, account, some('k'), some('k'));
        break;
    case 5:
        store_set_prefs(store, person, some('w'));
        break;
    case 6:
        if (person)
            store_set_direct(store, store_person_by_id(store, arena, person),
                             by_chance(2) ? some('k') : STR(""), by_chance(2));
        break;
    case 7:
        if (person != other)
            store_link(store, person, other);
        break;
    case 8:
        store_part(store, some_id("SELECT id FROM person"));
        break;
    case 9:
        a_match_begins();
        break;
    case 10:
    case 11:
        a_match_goes_on();
        store_set_due(store, some_id("SELECT id FROM session"), by_chance(5) * 500);
        break;
    case 12:
        updates_are_looked_at(account);
        look();
        somebody_speaks(by_chance(3) ? account : 1 + by_chance(ACCOUNTS));
        break;
    default:
        store_set_post(store, account, some('k'), some('s'), by_chance(3) ? some('m') : STR(""));
    }
}

/* Random changes in a transaction, some undone; it is committed or rolled back. */
static void a_transaction(void)
{
    store_begin(store);
    for (int i = by_chance(4); i >= 0; i--) {
        store_savepoint(store);
        something_happens();
        look();
        bool spoilt = by_chance(4) == 0 && a_match_was_at_another_version();
        if (!spoilt && by_chance(3))
            store_release(store);
        else
            store_rollback_to(store);
        look();
    }
    if (by_chance(3))
        OK(store_commit(store, &err));
    else
        store_rollback(store);
    look();
    arena_reset(arena);
}

FIXTURE(open_all)
{
    arena = arena_open((size_t)1 << 28);
    return !scratch_open();
}

FIXTURE(close_all)
{
    store_close(store);
    store = NULL;
    arena_close(arena);
    scratch_close();
    return 0;
}

TEST_WITH(cached_rows_equal_stored_rows_after_any_change, open_all, close_all)
{
    OK(db_open(scratch_store(), &db, &err));
    OK(store_open_db(db, &store, &err));
    for (int i = 0; i < DEEDS / 10; i++) {
        a_transaction();
        something_happens(); /* on its own */
        look();
        if (a_match_was_at_another_version())
            assert_true(store_take_failure(store, &err));
        look();
        arena_reset(arena);
    }
    assert_true(some_id("SELECT id FROM session WHERE live = 1") > 0);
}

/* The commit itself fails: the cache forgets everything written in the transaction. */
TEST_WITH(a_failed_commit_clears_the_cache, open_all, close_all)
{
    int failures = 0;
    OK(db_sqlite_open(scratch_file("faulty.db"), &db, &err));
    OK(store_open_db(db, &store, &err));
    store_close(store);
    for (int failing = 1;; failing++) {
        struct db *real;
        OK(db_sqlite_open(scratch_file("faulty.db"), &real, &err));
        db = db_faulty(real, DB_FAILS, failing, 1);
        store = NULL;
        if (!store_open_db(db, &store, &err))
            continue; /* the failure closed it */
        struct str name = arena_print(arena, "n%d", failing);
        store_begin(store);
        struct chat c = store_chat(store, arena, 1, STR("k1"), name, false);
        store_set_settings(store, c.id, name);
        store_set_post(store, 1, STR("k1"), STR("s1"), name);
        bool ok = store_commit(store, &err);
        if (ok)
            break; /* the n-th call is yet to come */
        look();
        failures++;
        store_close(store);
        arena_reset(arena);
    }
    assert_true(failures >= 5);
}

/* ---- its keys and its ceiling ---- */

static bool is_kept(enum row_kind kind, int64_t no, struct str key, struct str *ret)
{
    return cache_find(store->rows, row_key(kind, no, key), ret);
}

TEST_WITH(a_row_is_found_under_its_own_key_alone, open_all, close_all)
{
    int found = 0;
    OK(store_open(scratch_file("keys.db"), &store, &err));
    for (int64_t no = 1; no <= 50000; no++) {
        const struct str parts[] = {{(const char *)&no, sizeof no}, STR("x")};
        row_keep(store, row_key(ROW_SESSION, no, STR("")), 2, parts);
    }
    for (int64_t no = 1; no <= 50000; no++) {
        struct str value;
        if (!is_kept(ROW_SESSION, no, STR(""), &value))
            continue;
        found++;
        assert_int_equal(value.n, sizeof no + 1);
        assert_memory_equal(value.p, &no, sizeof no);
        assert_false(is_kept(ROW_SESSION, no, STR("x"), &value));
        assert_false(is_kept(ROW_HERE, no, STR(""), &value));
    }
    assert_true(found > 1000);
}

TEST_WITH(the_cache_has_a_ceiling, open_all, close_all)
{
    static char big[64 * 1024];
    struct str value = {big, sizeof big}, read;
    int found = 0;
    OK(store_open(scratch_file("ceiling.db"), &store, &err));
    for (int64_t no = 1; no <= 2000; no++)
        row_keep(store, row_key(ROW_SESSION, no, STR("")), 1, &value);
    for (int64_t no = 1; no <= 2000; no++)
        found += is_kept(ROW_SESSION, no, STR(""), &read);
    assert_true(found >= 1 && found <= 192);
    assert_true(is_kept(ROW_SESSION, 2000, STR(""), &read));
    cache_drop(store->rows, row_key(ROW_SESSION, 2000, STR("")));
    assert_false(is_kept(ROW_SESSION, 2000, STR(""), &read));
}
