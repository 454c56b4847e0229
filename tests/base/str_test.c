/* A run of bytes that need no attention is as long as one sees who looks at each byte. */
#include "shell/scratch.h"

#include "luck.h"

static size_t run_by_hand(struct str s, unsigned char below, const char *none)
{
    size_t n = 0;
    while (n < s.n && (unsigned char)s.p[n] >= below && (s.p[n] == 0 || !strchr(none, s.p[n])))
        n++;
    return n;
}

static void every_byte_at_every_place_ends_a_run_or_not(void **state)
{
    (void)state;
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

static void whatever_stands_beside_it(void **state)
{
    (void)state;
    static const char bytes[] = {1,    7,   8,          0x1f,       0x20, '"', '!', '#',
                                 '\\', ']', (char)0x80, (char)0xff, 'a',  'b', '<', '='};
    struct luck luck = luck_seed(7);
    char room[40];
    for (int i = 0; i < 200000; i++) {
        size_t n = luck_below(luck_next(&luck), sizeof room + 1);
        unsigned kinds = 1 + luck_below(luck_next(&luck), sizeof bytes), of = (unsigned)i;
        for (size_t k = 0; k < n; k++)
            room[k] = bytes[(of + luck_below(luck_next(&luck), kinds)) % sizeof bytes];
        struct str s = {room, n};
        assert_int_equal(str_run(s, 0x20, "\"\\"), run_by_hand(s, 0x20, "\"\\"));
        assert_int_equal(str_run(s, 8, "<"), run_by_hand(s, 8, "<"));
    }
}

static void nothing_is_no_run(void **state)
{
    (void)state;
    assert_int_equal(str_run((struct str){0}, 0x20, "\""), 0);
    assert_int_equal(str_run(STR(""), 0, ""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_at_every_place_ends_a_run_or_not),
        cmocka_unit_test(whatever_stands_beside_it),
        cmocka_unit_test(nothing_is_no_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
