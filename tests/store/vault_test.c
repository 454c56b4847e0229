/* A vault keeps what was put, shows it at once, stores it with the next transaction, sealed, and
 * opens only with its own key file. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "account_vault.h"
#include "arena.h"

enum { ACCOUNT = 7 };

static struct arena *arena;
static struct err err;
static struct store *store;
static struct vaults *vaults;
static struct vault *vault;
static char key_path[4096];

static void open_all(void)
{
    OK(store_open(scratch_store(), &store, &err));
    snprintf(key_path, sizeof key_path, "%.*s", STR_ARG(scratch_file("store.key")));
    vaults = vaults_open(store, key_path, 1);
    vault = vaults_of(vaults, 0, ACCOUNT);
}

static void close_all(void)
{
    vaults_close(vaults);
    store_close(store);
}

FIXTURE(setup)
{
    arena = arena_open(1 << 20);
    if (!scratch_open())
        return 1;
    open_all();
    return 0;
}

FIXTURE(teardown)
{
    close_all();
    scratch_close();
    arena_close(arena);
    return 0;
}

static void store_all(void)
{
    store_begin(store);
    vaults_store(vaults);
    OK(store_commit(store, &err));
    vaults_stored(vaults);
}

static void take(void *to, struct str name, struct str value)
{
    struct str *all = to;
    *all = arena_print(arena, "%.*s%.*s=%.*s;", STR_ARG(*all), STR_ARG(name), STR_ARG(value));
}

static const char *got(struct str name)
{
    struct str all = STR("");
    OK(vault->get(vault, name, &all, take, &err));
    return arena_str(arena, all).p;
}

static const char *listed(struct str prefix)
{
    struct str all = STR("");
    OK(vault->list(vault, prefix, &all, take, &err));
    return arena_str(arena, all).p;
}

/* The first of all: a limit that is lowered stays so for the whole process. */
TEST_WITH(a_process_that_has_read_the_key_leaves_no_core_dump, setup, teardown)
{
    struct rlimit core;
    assert_int_equal(getrlimit(RLIMIT_CORE, &core), 0);
    if (core.rlim_max == 0)
        skip(); /* none could be had anyway */
    core.rlim_cur = core.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_CORE, &core), 0);
    vault->put(vault, STR("a"), STR("one"));
    store_all();
    assert_int_equal(getrlimit(RLIMIT_CORE, &core), 0);
    assert_true(core.rlim_cur == 0);
    assert_true(core.rlim_max == 0);
}

TEST_WITH(what_is_put_is_there_at_once_and_after_a_restart, setup, teardown)
{
    assert_string_equal(got(STR("a")), "");
    vault->put(vault, STR("a"), STR("one"));
    assert_string_equal(got(STR("a")), "a=one;");
    assert_true(vault->unstored(vault));
    store_all();
    assert_false(vault->unstored(vault));
    close_all();
    open_all();
    assert_string_equal(got(STR("a")), "a=one;");
}

TEST_WITH(what_no_transaction_stored_is_gone_after_a_restart, setup, teardown)
{
    vault->put(vault, STR("a"), STR("one"));
    store_all();
    vault->put(vault, STR("a"), STR("two"));
    vault->put(vault, STR("b"), STR("new"));
    close_all();
    open_all();
    assert_string_equal(listed(STR("")), "a=one;");
}

/* After a rollback the changes are still there, for the next attempt. */
TEST_WITH(a_transaction_that_failed_is_made_up_for, setup, teardown)
{
    vault->put(vault, STR("a"), STR("one"));
    store_begin(store);
    vaults_store(vaults);
    store_rollback(store);
    assert_true(vault->unstored(vault));
    store_all();
    close_all();
    open_all();
    assert_string_equal(got(STR("a")), "a=one;");
}

TEST_WITH(a_list_merges_what_is_stored_with_what_is_not, setup, teardown)
{
    vault->put(vault, STR("k\tb"), STR("2"));
    vault->put(vault, STR("k\td"), STR("4"));
    vault->put(vault, STR("k\te"), STR("5"));
    vault->put(vault, STR("kz"), STR("other"));
    store_all();
    vault->put(vault, STR("k\ta"), STR("1"));
    vault->put(vault, STR("k\tb"), STR("two"));
    vault->remove(vault, STR("k\td"));
    vault->put(vault, STR("k\tf"), STR("6"));
    const char *all = "k\ta=1;k\tb=two;k\te=5;k\tf=6;";
    assert_string_equal(listed(STR("k\t")), all);
    assert_string_equal(got(STR("k\td")), "");
    store_all();
    assert_string_equal(listed(STR("k\t")), all);
}

TEST_WITH(an_empty_value_is_a_value, setup, teardown)
{
    vault->put(vault, STR("a"), STR(""));
    store_all();
    assert_string_equal(got(STR("a")), "a=;");
}

TEST_WITH(no_secret_is_readable_in_the_file, setup, teardown)
{
    SQLITE_ALONE();
    vault->put(vault, STR("a"), STR("a-secret-that-is-easy-to-find"));
    store_all();
    close_all();
    FILE *f = fopen(scratch_file("store.db").p, "rb");
    static char bytes[1 << 22];
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_true(n > 0);
    assert_null(memmem(bytes, n, "easy-to-find", 12));
    open_all();
}

TEST_WITH(the_key_file_is_for_its_owner_alone, setup, teardown)
{
    bool open = true;
    vault->put(vault, STR("a"), STR("one"));
    store_all();
    assert_true(vault_key_exists(key_path, &open));
    assert_false(open);
    assert_int_equal(chmod(key_path, 0644), 0);
    assert_true(vault_key_exists(key_path, &open));
    assert_true(open);
}

TEST_WITH(nothing_opens_without_the_key_file_or_with_another, setup, teardown)
{
    struct str all = STR("");
    vault->put(vault, STR("a"), STR("one"));
    store_all();
    close_all();
    assert_int_equal(unlink(key_path), 0);
    open_all();
    assert_false(vault->get(vault, STR("a"), &all, take, &err));
    assert_non_null(strstr(err.text, key_path));
    bool open;
    assert_false(vault_key_exists(key_path, &open)); /* no other was made in its place */
    unsigned char other[VAULT_KEY_BYTES];
    OK(vault_key_read(key_path, true, other, &err));
    assert_false(vault->get(vault, STR("a"), &all, take, &err));
    assert_int_equal(all.n, 0);
}
