/* str_run(): the length of a run of ordinary bytes, compared with a test of each byte. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "rng.h"

static size_t run_by_hand(struct str s, unsigned char below, const char *none)
{
    size_t n = 0;
    while (n < s.n && (unsigned char)s.p[n] >= below && (s.p[n] == 0 || !strchr(none, s.p[n])))
        n++;
    return n;
}

TEST(str_run_stops_at_the_right_bytes_only)
{
    char room[24];
    for (size_t at = 0; at < sizeof room; at++)
        for (int c = 0; c < 256; c++) {
            memset(room, 'x', sizeof room);
            room[at] = (char)c;
            struct str s = {room, sizeof room};
            assert_int_equal(str_run(s, 0x20, "\"\\"), run_by_hand(s, 0x20, "\"\\"));
            assert_int_equal(str_run(s, 0, "<>&\""), run_by_hand(s, 0, "<>&\""));
            assert_int_equal(str_run(s, 8, ""), run_by_hand(s, 8, ""));
            assert_int_equal(str_run(s, 0x80, ""), run_by_hand(s, 0x80, ""));
        }
}

TEST(str_run_with_random_neighbours)
{
    static const char bytes[] = {1,    7,   8,          0x1f,       0x20, '"', '!', '#',
                                 '\\', ']', (char)0x80, (char)0xff, 'a',  'b', '<', '='};
    struct rng rng = rng_seed(7);
    char room[40];
    for (int i = 0; i < 200000; i++) {
        size_t n = rng_below(rng_next(&rng), sizeof room + 1);
        unsigned kinds = 1 + rng_below(rng_next(&rng), sizeof bytes), of = (unsigned)i;
        for (size_t k = 0; k < n; k++)
            room[k] = bytes[(of + rng_below(rng_next(&rng), kinds)) % sizeof bytes];
        struct str s = {room, n};
        assert_int_equal(str_run(s, 0x20, "\"\\"), run_by_hand(s, 0x20, "\"\\"));
        assert_int_equal(str_run(s, 8, "<"), run_by_hand(s, 8, "<"));
    }
}

TEST(the_host_of_a_url_is_found_behind_all_that_may_stand_around_it)
{
    static const struct {
        const char *url, *host;
    } cases[] = {{"https://hs.test/_matrix/x?a=b://c", "hs.test"},
                 {"https://hs.test:8448/x", "hs.test"},
                 {"https://[2001:db8::1]:8448/x", "2001:db8::1"},
                 {"https://[2001:db8::2]/x", "2001:db8::2"},
                 {"postgresql://ann:p@ss@a.test:5432,b.test/koikoi", "a.test"},
                 {"hs.test?x", "hs.test"},
                 {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str host = str_url_host(str_of(cases[i].url));
        assert_true(str_is(host, str_of(cases[i].host)));
    }
}

TEST(str_run_of_nothing_is_empty)
{
    assert_int_equal(str_run((struct str){0}, 0x20, "\""), 0);
    assert_int_equal(str_run(STR(""), 0, ""), 0);
}

/* ---- formats ---- */

#define PRINTS_AS_PRINTF(...)                                                                      \
    do {                                                                                           \
        for (size_t cap = 1; cap < sizeof wanted; cap++) {                                         \
            char room[sizeof wanted] = "";                                                         \
            struct buf b = {room, 0, cap, false};                                                  \
            int n = snprintf(wanted, cap, __VA_ARGS__);                                            \
            buf_print(&b, __VA_ARGS__);                                                            \
            assert_string_equal(room, wanted);                                                     \
            assert_int_equal(b.cut, (size_t)n >= cap);                                             \
            assert_int_equal(b.n, b.cut ? cap - 1 : (size_t)n);                                    \
        }                                                                                          \
    } while (0)

TEST(buffers_print_as_printf_does_at_every_size)
{
    char wanted[64];
    const struct str part = {"seven cranes", 5};
    PRINTS_AS_PRINTF("plain");
    PRINTS_AS_PRINTF("%s and %.*s, %s", "pine", STR_ARG(part), "");
    PRINTS_AS_PRINTF("%d %lld %zu %c", -7, (long long)INT64_MIN, sizeof part, 'x');
    PRINTS_AS_PRINTF("%d%% %05.1f|%3d|%-4s|%08x|%u", 12, 2.5, 4, "ab", 0xbeefu, 3u);
    PRINTS_AS_PRINTF("%s %ld %.3s", "before another", 5L, "behind");
    PRINTS_AS_PRINTF("%.*s|%.*s", 20, "short", 0, "none");
}
