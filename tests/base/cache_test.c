/* Cache: a key finds its own value or nothing; the cache stays within its bounds, and the least
 * recently used entry goes first. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include <stdio.h>
#include <stdlib.h>

#include "cache.h"

static struct cache_key number(int64_t no)
{
    return (struct cache_key){.no = no};
}

static void put(struct cache *c, struct cache_key key, const char *text)
{
    char *room = cache_put(c, key, strlen(text));
    assert_non_null(room);
    memcpy(room, text, strlen(text));
}

static bool holds(struct cache *c, struct cache_key key, const char *text)
{
    struct str value;
    return cache_find(c, key, &value) && str_is(value, str_of(text));
}

static bool has(struct cache *c, struct cache_key key)
{
    struct str ignored;
    return cache_find(c, key, &ignored);
}

TEST(a_value_is_found_until_it_is_dropped)
{
    struct cache *c = cache_open(8, 10000);
    struct str value = STR("untouched");
    assert_false(cache_find(c, number(1), &value));
    assert_true(str_is(value, STR("untouched")));
    put(c, number(1), "crane");
    put(c, number(2), "");
    assert_true(holds(c, number(1), "crane") && holds(c, number(2), ""));
    put(c, number(1), "moon");
    assert_true(holds(c, number(1), "moon"));
    cache_drop(c, number(1));
    cache_drop(c, number(3));
    assert_false(has(c, number(1)));
    assert_true(holds(c, number(2), ""));
    cache_clear(c);
    assert_false(has(c, number(2)));
    cache_close(c);
}

TEST(a_value_is_kept_by_its_parts_and_read_by_its_size)
{
    struct cache *c = cache_open(8, 1000);
    int64_t head = 12, found = 0;
    CACHE_KEEP(c, number(1), BYTES_OF(head), STR("crane"), STR(""), STR("moon"));
    assert_true(cache_read(c, number(1), &found, sizeof found));
    assert_int_equal(found, 12);
    struct str value;
    assert_true(cache_find(c, number(1), &value));
    assert_int_equal(value.n, sizeof head + 9);
    assert_memory_equal(value.p + sizeof head, "cranemoon", 9);
    found = 7;
    assert_false(cache_read(c, number(2), &found, sizeof found));
    assert_int_equal(found, 7);
    static const char large[2000];
    CACHE_KEEP(c, number(1), BYTES_OF(large));
    assert_false(has(c, number(1)));
    cache_close(c);
}

TEST(keys_differ_in_each_of_their_parts)
{
    static const struct cache_key keys[] = {
        {0, 0, {"", 0}},         {1, 0, {"", 0}},          {0, 1, {"", 0}},
        {1, 1, {"", 0}},         {0, INT64_MAX, {0}},      {0, INT64_MIN, {0}},
        {0, -1, {"", 0}},        {0, 0, {"a", 1}},         {0, 0, {"a\0", 2}},
        {0, 0, {"\0", 1}},       {1, 0, {"a", 1}},         {0, 1, {"a", 1}},
        {0, 0, {"12345678", 8}}, {0, 0, {"123456789", 9}}, {0, 0, {"1234567812345678", 16}},
    };
    enum { N = sizeof keys / sizeof *keys };
    struct cache *c = cache_open(N, 10000);
    for (int i = 0; i < N; i++) {
        char text[24];
        snprintf(text, sizeof text, "value %d", i);
        put(c, keys[i], text);
    }
    for (int i = 0; i < N; i++) {
        char text[24];
        snprintf(text, sizeof text, "value %d", i);
        assert_true(holds(c, keys[i], text));
    }
    cache_close(c);
}

TEST(the_entry_not_used_for_longest_goes_first)
{
    struct cache *c = cache_open(3, 10000);
    put(c, number(1), "a");
    put(c, number(2), "b");
    put(c, number(3), "c");
    assert_true(has(c, number(1)));
    put(c, number(2), "b again");
    put(c, number(4), "d");
    assert_false(has(c, number(3)));
    assert_true(holds(c, number(1), "a") && holds(c, number(2), "b again") &&
                holds(c, number(4), "d"));
    put(c, number(5), "e");
    assert_false(has(c, number(1)));
    assert_int_equal(cache_counts(c).entries, 3);
    assert_int_equal(cache_counts(c).evictions, 2);
    cache_close(c);
}

TEST(bytes_are_bounded)
{
    enum { MOST = 20000 };
    static char large[MOST];
    struct cache *c = cache_open(1000, MOST);
    memset(large, 'x', sizeof large);
    for (int i = 0; i < 1000; i++) {
        large[i * 19] = '\0';
        put(c, number(i), large);
        large[i * 19] = 'x';
        assert_true(cache_counts(c).bytes <= MOST);
        assert_true(has(c, number(i)) || i * 19 > MOST - 200);
        if (i * 19 > MOST - 300)
            break;
    }
    assert_true(cache_counts(c).evictions > 0);
    cache_clear(c);
    assert_int_equal(cache_counts(c).bytes, 0);
    cache_close(c);
}

/* A value that does not fit removes the old one of its key, which is out of date. */
TEST(a_value_too_large_removes_the_old_one)
{
    static _Alignas(max_align_t) char memory[CACHE_MEMORY(4, 100)];
    struct cache *open = cache_open(4, 1000), *in = cache_in(memory, sizeof memory, 4, 100);
    struct cache *const both[] = {open, in};
    for (int i = 0; i < 2; i++) {
        put(both[i], number(1), "old");
        put(both[i], number(2), "other");
        assert_null(cache_put(both[i], number(1), 1001));
        assert_null(cache_put(both[i], number(3), SIZE_MAX));
        assert_false(has(both[i], number(1)) || has(both[i], number(3)));
        assert_true(holds(both[i], number(2), "other"));
    }
    assert_non_null(cache_put(in, (struct cache_key){.text = STR("ten bytes.")}, 90));
    assert_null(cache_put(in, (struct cache_key){.text = STR("ten bytes.")}, 91));
    cache_close(open);
}

TEST(hits_and_misses_are_counted)
{
    struct cache *c = cache_open(4, 1000);
    has(c, number(1));
    put(c, number(1), "a");
    has(c, number(1));
    has(c, number(1));
    has(c, number(2));
    assert_int_equal(cache_counts(c).hits, 2);
    assert_int_equal(cache_counts(c).misses, 2);
    assert_true(has(c, number(1)));
    cache_reject(c, number(1)); /* that hit returned nothing */
    assert_int_equal(cache_counts(c).hits, 2);
    assert_int_equal(cache_counts(c).misses, 3);
    assert_false(has(c, number(1)));
    assert_int_equal(cache_counts(c).evictions, 0);
    cache_close(c);
}

TEST(in_memory_of_the_caller_it_stays_within_it)
{
    enum { ENTRIES = 5, MOST = 41, SIZE = CACHE_MEMORY(ENTRIES, MOST) };
    static _Alignas(max_align_t) char memory[SIZE + 64];
    memset(memory, 'x', sizeof memory);
    struct cache *c = cache_in(memory, SIZE, ENTRIES, MOST);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 20; i++) {
            char *room = cache_put(c, number(i), MOST);
            assert_non_null(room);
            assert_int_equal((uintptr_t)room % _Alignof(max_align_t), 0);
            memset(room, 'a' + i, MOST);
        }
        for (int i = 0; i < 20; i++) {
            struct str value;
            bool found = cache_find(c, number(i), &value);
            assert_int_equal(found, i >= 20 - ENTRIES);
            for (size_t j = 0; found && j < value.n; j++)
                assert_int_equal(value.p[j], 'a' + i);
        }
        if (round == 1)
            cache_clear(c);
    }
    for (int i = 0; i < 64; i++)
        assert_int_equal(memory[SIZE + i], 'x');
}

/* Against a plain list of the keys, ordered by last use. */
TEST(random_use_equals_a_plain_lru_list)
{
    enum { KEYS = 40, MOST = 16 };
    int order[MOST], n = 0, value_of[KEYS] = {0};
    uint32_t seed = 7;
    struct cache *c = cache_open(MOST, 1 << 20);
    for (int step = 1; step < 20000; step++) {
        seed = seed * 1664525 + 1013904223;
        int key = (int)(seed >> 8) % KEYS, what = (int)(seed >> 24) % 8, at = 0;
        struct str value;
        while (at < n && order[at] != key)
            at++;
        bool there = at < n;
        assert_int_equal(cache_find(c, number(key), &value), there);
        if (there) {
            int kept;
            assert_int_equal(value.n % 97, (size_t)value_of[key] % 97);
            memcpy(&kept, value.p, sizeof kept);
            assert_int_equal(kept, value_of[key]);
            memmove(order + at, order + at + 1, (size_t)(--n - at) * sizeof *order);
            if (what > 0) {
                memmove(order + 1, order, (size_t)n++ * sizeof *order);
                order[0] = key;
            } else {
                cache_drop(c, number(key));
            }
        }
        if (what < 5 && what > 0) {
            size_t size = sizeof step + (size_t)(step % 97 + 97 - (int)sizeof step) % 97;
            memcpy(cache_put(c, number(key), size), &step, sizeof step);
            value_of[key] = step;
            if (there)
                continue;
            n = n < MOST ? n + 1 : n;
            memmove(order + 1, order, (size_t)(n - 1) * sizeof *order);
            order[0] = key;
        }
    }
    assert_int_equal(cache_counts(c).entries, n);
    cache_close(c);
}
