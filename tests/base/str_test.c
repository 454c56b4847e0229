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

TEST(str_run_of_nothing_is_empty)
{
    assert_int_equal(str_run((struct str){0}, 0x20, "\""), 0);
    assert_int_equal(str_run(STR(""), 0, ""), 0);
}
