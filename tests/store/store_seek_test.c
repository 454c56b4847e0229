/* Searches in the store: the nearest points first, terms that agree; and watchers, each at most
 * once an hour. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "store.h"
#include "store_seek.h"

static struct arena *arena;
static struct store *store;
static struct err err;

FIXTURE(open_all)
{
    arena = arena_open(1 << 22);
    if (!scratch_open())
        return 1;
    OK(store_open(scratch_file("seek.db"), &store, &err));
    return 0;
}

FIXTURE(close_all)
{
    store_close(store);
    arena_close(arena);
    scratch_close();
    return 0;
}

static void put(int64_t no, int64_t person, int64_t points, const char *rules, const char *clock)
{
    const struct seek_row row = {no, person, points, 1000 - no, str_of(rules), str_of(clock)};
    store_put_seek(store, &row);
}

static void expect(const struct seek_row *like, int n, const int64_t *wanted)
{
    struct ids ids = store_seeks(store, arena, like, 16);
    assert_int_equal(ids.n, n);
    for (int i = 0; i < n; i++)
        assert_int_equal(ids.at[i], wanted[i]);
}

TEST(the_nearest_whose_terms_agree)
{
    put(1, 11, 1500, "", "");
    put(2, 12, 1700, "standard 6", "");
    put(3, 13, 1540, "okoshki 6", "24h");
    put(4, 14, 1460, "standard 6", "10m");
    put(4, 14, 1461, "standard 6", "10m");
    expect(&(struct seek_row){.points = 1510}, 4, (int64_t[]){1, 3, 4, 2});
    expect(&(struct seek_row){.points = 1510, .person = 11}, 3, (int64_t[]){3, 4, 2});
    expect(&(struct seek_row){.points = 1510, .session = 3}, 3, (int64_t[]){1, 4, 2});
    expect(&(struct seek_row){.points = 1510, .rules = STR("standard 6")}, 3, (int64_t[]){1, 4, 2});
    expect(&(struct seek_row){.points = 1510, .rules = STR("standard 6"), .clock = STR("24h")}, 2,
           (int64_t[]){1, 2});
    store_drop_seek(store, 1);
    store_drop_seek(store, 1);
    expect(&(struct seek_row){.points = 1510}, 3, (int64_t[]){3, 4, 2});
}

static void watchers_of(int64_t chat, bool any, int64_t without, int64_t before, int n,
                        const int64_t *wanted)
{
    struct ids ids = store_watchers(store, arena, chat, any, without, before, 8);
    assert_int_equal(ids.n, n);
    for (int i = 0; i < n; i++)
        assert_int_equal(ids.at[i], wanted[i]);
}

TEST(watchers_wait_their_turn)
{
    store_watch(store, 21, 5, true);
    store_watch(store, 21, 5, true);
    store_watch(store, 22, ANY_CHAT, true);
    store_watch(store, 21, ANY_CHAT, true);
    store_watch(store, 23, 6, true);
    watchers_of(5, true, 0, 1000, 2, (int64_t[]){21, 22});
    watchers_of(5, false, 0, 1000, 1, (int64_t[]){21});
    watchers_of(5, true, 21, 1000, 1, (int64_t[]){22});
    store_watcher_read(store, 21, 500);
    watchers_of(5, true, 0, 499, 1, (int64_t[]){22});
    watchers_of(5, true, 0, 500, 2, (int64_t[]){22, 21});
    store_watch(store, 22, ANY_CHAT, false);
    watchers_of(6, true, 0, 1000, 2, (int64_t[]){23, 21});
}

TEST(two_people_that_become_one_watch_what_each_watched)
{
    store_watch(store, 31, 7, true);
    store_watch(store, 32, 7, true);
    store_watch(store, 32, 8, true);
    store_join_watches(store, 31, 32);
    struct ids ids = store_watches(store, arena, 31);
    assert_true(ids.n == 2 && ids.at[0] == 7 && ids.at[1] == 8);
    ids = store_watches(store, arena, 32);
    assert_int_equal(ids.n, 0);
}

TESTS_WITH(open_all, close_all)
