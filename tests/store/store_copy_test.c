/* Backup and restore of a store's file. Beside a running daemon: tests/terminal/backup.sh. */
#include "fixture/store_fixture.h"

#include "store_host.h"

#include <unistd.h>

static struct err err;

static bool is_there(const char *name)
{
    return access(scratch_file(name).p, F_OK) == 0;
}

static void name_value(struct str value)
{
    store_set_meta(store_fixture, STR("mark"), value);
}

static void value_is(const char *value)
{
    struct str got = store_meta(store_fixture, store_fixture_arena, STR("mark"));
    assert_string_equal(arena_str(store_fixture_arena, got).p, value);
}

static bool restores(const char *from, struct str *ret_aside)
{
    return store_restore(scratch_file(from), scratch_file("store.db"), store_fixture_arena,
                         ret_aside, &err);
}

STORE_TEST(a_backup_has_what_was_committed_and_not_what_came_later)
{
    SQLITE_ALONE();
    struct str aside;
    name_value(STR("early"));
    store_begin(store_fixture);
    name_value(STR("in a transaction"));
    OK(store_backup(scratch_file("store.db"), scratch_file("copy"), &err));
    OK(store_commit(store_fixture, &err));
    assert_false(restores("copy", &aside)); /* the store is open */
    assert_non_null(strstr(err.text, "another koikoi"));
    value_is("in a transaction");
    store_close(store_fixture);
    OK(restores("copy", &aside));
    OK(store_open(scratch_store(), &store_fixture, &err));
    value_is("early");
    store_close(store_fixture);
    OK(store_restore(arena_str(store_fixture_arena, aside), scratch_file("store.db"),
                     store_fixture_arena, &aside, &err));
    OK(store_open(scratch_store(), &store_fixture, &err));
    value_is("in a transaction");
}

STORE_TEST(a_backup_of_a_newer_program_is_refused_and_changes_nothing)
{
    SQLITE_ALONE();
    struct str aside;
    name_value(STR("here"));
    OK(store_backup(scratch_file("store.db"), scratch_file("copy"), &err));
    scratch_sql("copy",
                "INSERT INTO migration (number, name) VALUES (999, 'schema/999_later.sql')");
    store_close(store_fixture);
    assert_false(restores("copy", &aside));
    assert_non_null(strstr(err.text, "newer"));
    assert_false(is_there("store.db.restored"));
    assert_false(is_there("store.db.before-1"));
    OK(store_open(scratch_store(), &store_fixture, &err));
    value_is("here");
}

STORE_TEST(what_a_server_keeps_is_left_to_its_own_tools)
{
    struct str aside, url = STR("postgresql://koi:sesame@127.0.0.1:1/koikoi");
    assert_false(store_backup(url, scratch_file("copy"), &err));
    assert_non_null(strstr(err.text, "pg_dump"));
    assert_null(strstr(err.text, "sesame"));
    assert_false(store_restore(scratch_file("copy"), url, store_fixture_arena, &aside, &err));
    assert_non_null(strstr(err.text, "pg_restore"));
    assert_null(strstr(err.text, "sesame"));
}
