/* Migrations: what is there stays, a new step is applied once, in a store that is new and in one
 * that has rows; and what is refused. The linker lets a step follow those of the program. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "db_open.h"
#include "embedded.h"
#include "store.h"
#include "store_host.h"

#include <stdio.h>

static const char *step; /* of the next version; NULL: there is none */
static struct arena *arena;
static struct err err;

int __wrap_embedded_count(void);
int __real_embedded_count(void);
struct embedded __wrap_embedded_at(int i);
struct embedded __real_embedded_at(int i);

int __wrap_embedded_count(void)
{
    return __real_embedded_count() + (step != NULL);
}

struct embedded __wrap_embedded_at(int i)
{
    return i < __real_embedded_count() ? __real_embedded_at(i)
                                       : (struct embedded){"schema/901_next.sql", str_of(step)};
}

static const char next_step[] =
    "ALTER TABLE chat ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';\n"
    "UPDATE chat SET mood = 'merry' WHERE direct = 1;\n"
    "CREATE INDEX chat_mood ON chat (mood);\n"
    "CREATE TABLE pet (id KEY_COUNTED, name TEXT NOT NULL, picture BYTES);\n"
    "INSERT INTO pet (name) VALUES ('cat')";

FIXTURE(setup)
{
    step = NULL;
    arena = arena_open(1 << 24);
    return !scratch_open();
}

FIXTURE(teardown)
{
    arena_close(arena);
    scratch_close();
    return 0;
}

static void open_and_close(void)
{
    struct store *store;
    OK(store_open(scratch_store(), &store, &err));
    store_close(store);
}

static void is_refused(const char *why)
{
    struct store *store;
    assert_false(store_open(scratch_store(), &store, &err));
    if (!strstr(err.text, why))
        fail_msg("wanted \"%s\", found \"%s\"", why, err.text);
}

static void put_rows(struct buf *b, struct db *db, const char *sql, const struct db_value *arg)
{
    struct db_table t;
    OK(db->verbs->query(db, arena, sql, arg ? 1 : 0, arg, &t, &err));
    for (int i = 0; i < t.rows * t.cols; i++)
        if (t.at[i].kind == DB_INT)
            buf_print(b, "%lld%s", (long long)t.at[i].i, (i + 1) % t.cols ? " " : "\n");
        else
            buf_print(b, "%.*s%s", STR_ARG(t.at[i].s), (i + 1) % t.cols ? " " : "\n");
}

/* Tables with their columns and keys, in order, indexes, the first rows. */
static const char *schema(void)
{
    enum { MOST = 64 * 1024 };
    struct buf b = {arena_alloc(arena, MOST), 0, MOST - 1, false};
    struct db *db;
    struct db_table t;
    OK(db_open(scratch_store(), &db, &err));
    OK(db->verbs->query(db, arena, db->verbs->tables, 0, NULL, &t, &err));
    for (int i = 0; i < t.rows; i++) {
        buf_print(&b, "table %.*s\n", STR_ARG(t.at[i].s));
        put_rows(&b, db, db->verbs->columns, &t.at[i]);
        buf_print(&b, "key\n");
        put_rows(&b, db, db->verbs->keys, &t.at[i]);
    }
    put_rows(&b, db,
             db->is_server ? "SELECT indexdef::text FROM pg_indexes WHERE schemaname = "
                             "current_schema() ORDER BY indexname"
                           : "SELECT sql FROM sqlite_schema WHERE type = 'index' ORDER BY name",
             NULL);
    put_rows(&b, db, "SELECT name, value, sum FROM meta ORDER BY name", NULL);
    put_rows(&b, db, "SELECT number, name FROM migration ORDER BY number", NULL);
    db->verbs->close(db);
    assert_false(b.cut);
    return b.p;
}

static const char *rows(const char *sql)
{
    enum { MOST = 4096 };
    struct buf b = {arena_alloc(arena, MOST), 0, MOST - 1, false};
    struct db *db;
    OK(db_open(scratch_store(), &db, &err));
    put_rows(&b, db, sql, NULL);
    db->verbs->close(db);
    return b.p;
}

static void put_chats(void)
{
    scratch_store_sql("INSERT INTO chat (account, key, name, direct) VALUES (1, 'c1', 'tea', 0)");
    scratch_store_sql("INSERT INTO chat (account, key, name, direct) VALUES (1, 'c2', 'Ann', 1)");
}

TEST_WITH(an_older_store_is_brought_up_to_date_once, setup, teardown)
{
    open_and_close();
    put_chats();
    step = next_step;
    for (int i = 0; i < 3; i++) {
        open_and_close();
        assert_string_equal(rows("SELECT key, name, mood FROM chat ORDER BY id"),
                            "c1 tea calm\nc2 Ann merry\n");
        assert_string_equal(rows("SELECT id, name FROM pet"), "1 cat\n");
        assert_string_equal(rows("SELECT name FROM migration WHERE number = 901"),
                            "schema/901_next.sql\n");
    }
}

TEST_WITH(a_new_store_and_an_older_one_become_the_same, setup, teardown)
{
    open_and_close();
    const char *before = schema();
    step = next_step;
    open_and_close();
    const char *older = schema();
    assert_string_not_equal(before, older);
    scratch_store_remove();
    open_and_close();
    assert_string_equal(schema(), older);
}

static bool is_note(const char *line)
{
    return strstr(line, "schema/") != NULL;
}

/* Without the notes of the steps that were applied. */
static const char *tables_of(const char *text)
{
    struct buf b = {arena_alloc(arena, strlen(text) + 2), 0, strlen(text) + 1, false};
    struct str rest = str_of(text), line;
    while (rest.n > 0) {
        line = str_cut(rest, '\n', &rest);
        if (!is_note(arena_str(arena, line).p))
            buf_print(&b, "%.*s\n", STR_ARG(line));
    }
    return b.p;
}

/* tests/store/041_tables.sql is what a new store was when there were no steps. */
static void make_old_store(void)
{
    static char old[64 * 1024];
    struct db *db;
    FILE *f = fopen("tests/store/041_tables.sql", "r");
    assert_non_null(f);
    size_t n = fread(old, 1, sizeof old, f);
    fclose(f);
    OK(db_open(scratch_store(), &db, &err));
    OK(db->verbs->script(db, (struct str){old, n}, &err));
    OK(db->verbs->script(
        db,
        STR("CREATE TABLE migration (number BIGINT PRIMARY KEY, name TEXT NOT NULL);"
            "INSERT INTO migration VALUES (41, 'schema/041_tables.sql')"),
        &err));
    db->verbs->close(db);
}

TEST_WITH(tables_of_a_new_store_are_those_that_the_steps_make, setup, teardown)
{
    open_and_close();
    const char *whole = tables_of(schema());
    scratch_store_remove();
    make_old_store();
    open_and_close();
    assert_string_equal(tables_of(schema()), whole);
}

/* Whoever has put a new version in place copies the store before its first start, or puts a backup of
 * the old one back. */
TEST_WITH(an_older_store_is_examined_copied_and_restored, setup, teardown)
{
    struct store_health health;
    struct str aside, copy = scratch_file("copy");
    make_old_store();
    OK(store_examine(scratch_store(), arena, &health, &err));
    assert_true(health.exists);
    assert_int_equal(health.schema, 41);
    if (scratch_on_server())
        return; /* its own tools copy it */
    OK(store_backup(scratch_store(), copy, &err));
    OK(store_restore(copy, scratch_store(), arena, &aside, &err));
    OK(store_examine(scratch_store(), arena, &health, &err));
    assert_int_equal(health.schema, store_schema_newest());
    OK(store_examine(copy, arena, &health, &err));
    assert_int_equal(health.schema, 41);
}

/* A row of an older store; columns that are not named are 1. */
static void put_old(const char *table, const char *columns, const char *values)
{
    struct db *db;
    struct db_table all;
    struct str more = STR(""), ones = STR("");
    const struct db_value name = db_text(str_of(table));
    OK(db_open(scratch_store(), &db, &err));
    OK(db->verbs->query(db, arena, db->verbs->columns, 1, &name, &all, &err));
    for (int i = 0; i < all.rows; i++) {
        struct str list = arena_print(arena, ", %s,", columns),
                   column = arena_print(arena, ", %.*s,", STR_ARG(all.at[i].s));
        if (strstr(list.p, column.p) || str_is(all.at[i].s, STR("id")))
            continue;
        more = arena_print(arena, "%.*s, %.*s", STR_ARG(more), STR_ARG(all.at[i].s));
        ones = arena_print(arena, "%.*s, 1", STR_ARG(ones));
    }
    db->verbs->close(db);
    scratch_store_sql(arena_print(arena, "INSERT INTO %s (%s%.*s) VALUES (%s%.*s)", table, columns,
                                  STR_ARG(more), values, STR_ARG(ones))
                          .p);
}

/* Chat 1 is of the account 2. The people 1 and 2 are of the accounts 1 and 2. */
TEST_WITH(results_of_an_older_store_get_their_accounts, setup, teardown)
{
    static const char *const sums[] = {"result", "pairing",    "counted",
                                       "rating", "rated_pair", "season_row"};
    make_old_store();
    scratch_store_sql("INSERT INTO chat (account, key, name, direct) VALUES (2, 'c1', 'tea', 0)");
    scratch_store_sql("INSERT INTO person (account, name, handle, handle_key, language) VALUES "
                      "(1, 'Ann', '', '', ''), (2, 'Bo', '', '', '')");
    put_old("played", "chat, session, seat, person", "1, 7, 0, 1");
    put_old("played", "chat, session, seat, person", "1, 7, 1, 0");
    put_old("played", "chat, session, seat, person", "0, 7, 0, 0");
    put_old("played", "chat, session, seat, person", "0, 7, 1, 2");
    put_old("played", "chat, session, seat, person", "0, 7, 2, 1");
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        put_old(sums[i], "chat, person", "1, 1");
        put_old(sums[i], "chat, person", "0, 2");
    }
    put_old("pairing", "chat, person, other", "0, 0, 2");
    put_old("duel_try", "chat, person", "1, 1");
    put_old("puzzle_answer", "chat, person", "1, 1");
    put_old("puzzle_answer", "chat, person", "1, 2");
    open_and_close();
    assert_string_equal(
        rows("SELECT chat, person, account, at FROM duel_try WHERE account IN (0, 1, 2)"),
        "1 1 2 1\n");
    assert_string_equal(rows("SELECT person, account, answer FROM puzzle_answer WHERE account IN "
                             "(0, 1, 2) ORDER BY person"),
                        "1 1 1\n2 2 1\n");
    assert_string_equal(
        rows("SELECT chat, seat, account FROM played WHERE account IN (0, 1, 2) ORDER BY id"),
        "1 0 2\n1 1 2\n0 0 2\n0 1 2\n0 2 1\n");
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        assert_string_equal(rows(arena_print(arena,
                                             "SELECT chat, person, account FROM %s WHERE account "
                                             "IN (0, 1, 2) AND person > 0 ORDER BY chat",
                                             sums[i])
                                     .p),
                            "0 2 2\n1 1 2\n");
    assert_string_equal(
        rows("SELECT other, account FROM pairing WHERE account IN (0, 1, 2) AND person = 0"),
        "2 2\n");
}

TEST_WITH(a_step_that_fails_leaves_the_store_as_it_was, setup, teardown)
{
    open_and_close();
    put_chats();
    const char *before = schema();
    step = "ALTER TABLE chat ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';\n"
           "UPDATE chat SET temper = 'merry'";
    is_refused("schema/901_next.sql");
    step = NULL;
    open_and_close();
    assert_string_equal(schema(), before);
    assert_string_equal(rows("SELECT key FROM chat ORDER BY id"), "c1\nc2\n");
}

TEST_WITH(a_store_from_before_the_first_step_is_refused, setup, teardown)
{
    struct store_health health;
    open_and_close();
    int back = store_schema_newest() - 1;
    scratch_store_sql(arena_print(arena, "UPDATE migration SET number = number - %d", back).p);
    is_refused("early koikoi");
    assert_non_null(strstr(err.text, scratch_store_named()));
    assert_false(store_examine(scratch_store(), arena, &health, &err));
    scratch_store_sql(arena_print(arena, "UPDATE migration SET number = number + %d", back).p);
    open_and_close();
}

static void put_letter(int i)
{
    scratch_store_sql(
        arena_print(arena,
                    "INSERT INTO letter (account, chat, reader, slot, said, at) VALUES "
                    "(%d, 'tea', '', '', 'letter %d', 0)",
                    i % 2 + 1, i)
            .p);
}

/* Tables that were whole become those that a new store would have in parts, with all that they had. */
TEST_IF(scratch_on_server(), an_older_store_is_cut_into_parts, setup, teardown)
{
    static const char parts[] = "SELECT COUNT(*), COUNT(DISTINCT inhparent) FROM pg_inherits WHERE "
                                "inhparent = 'letter'::regclass";
    open_and_close();
    if (strcmp(rows(parts), "0 0\n") != 0)
        skip(); /* the database asks for parts from the beginning */
    for (int i = 1; i < 10; i++)
        put_letter(i);
    scratch_store_sql("DELETE FROM letter WHERE id = 9");
    const char *before =
                   rows("SELECT id, account, said FROM letter WHERE account IN (1, 2) ORDER BY id"),
               *columns = rows("SELECT column_name::text, data_type::text, "
                               "COALESCE(collation_name::text, '') FROM information_schema.columns "
                               "WHERE table_name = 'letter' ORDER BY ordinal_position");
    step = "SET LOCAL koikoi.partitions = 3; IN_PARTS";
    open_and_close();
    assert_string_equal(rows(parts), "3 1\n");
    assert_string_equal(
        rows("SELECT id, account, said FROM letter WHERE account IN (1, 2) ORDER BY id"), before);
    assert_string_equal(rows("SELECT column_name::text, data_type::text, "
                             "COALESCE(collation_name::text, '') FROM information_schema.columns "
                             "WHERE table_name = 'letter' ORDER BY ordinal_position"),
                        columns);
    put_letter(10);
    assert_string_equal(rows("SELECT MAX(id) FROM letter WHERE account = 1"), "10\n");
    step = NULL;
}

TEST_IF(scratch_on_server(), a_senseless_number_of_parts_is_refused, setup, teardown)
{
    open_and_close();
    step = "SET LOCAL koikoi.partitions = 5000; IN_PARTS";
    is_refused("koikoi.partitions: expected 1 to 1024, got 5000");
    step = NULL;
    open_and_close();
}
