/* The machine's clock and its random bytes, and the waits that are counted by them. */
#include "engine/test.h"

#include <string.h>

#include "clock.h"

enum { SHORT = 32, DRAWS = 200, MOST = 3000, UNTOUCHED = 0xa5 };

static void draw(uint8_t *ret, size_t n)
{
    clock_of_machine.chance(clock_of_machine.arg, ret, n);
}

/* Whoever sees two equal draws knows cards that nobody may know. */
TEST(chance_is_never_drawn_twice)
{
    static uint8_t drawn[DRAWS][SHORT];
    for (int i = 0; i < DRAWS; i++) {
        draw(drawn[i], SHORT);
        for (int k = 0; k < i; k++)
            assert_memory_not_equal(drawn[i], drawn[k], SHORT);
    }
}

TEST(any_number_of_bytes_is_drawn)
{
    static const size_t sizes[] = {1, 31, 255, 256, 511, 512, 513, 1024, MOST};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint8_t bytes[MOST + 1], touched[MOST] = {0};
        for (int again = 0; again < 8; again++) { /* a byte keeps its value 1 time in 256 */
            memset(bytes, UNTOUCHED, sizeof bytes);
            draw(bytes, sizes[i]);
            assert_int_equal(bytes[sizes[i]], UNTOUCHED);
            for (size_t k = 0; k < sizes[i]; k++)
                touched[k] |= bytes[k] != UNTOUCHED;
        }
        for (size_t k = 0; k < sizes[i]; k++)
            assert_true(touched[k]);
    }
}

TEST(a_wait_doubles_with_each_failure_up_to_its_most)
{
    static const struct {
        int64_t times, wait;
    } rows[] = {{0, 1000}, {1, 2000}, {2, 4000}, {5, 32000}, {6, 60000}, {7, 60000}, {1000, 60000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(clock_doubled(1000, rows[i].times, 60000), rows[i].wait);
    assert_int_equal(clock_doubled(90000, 0, 60000), 60000);
}

TEST(what_is_counted_never_goes_back)
{
    int64_t mono = clock_mono(&clock_of_machine), awake = clock_awake_ms(), cpu = clock_cpu_us();
    assert_true(mono > 0 && awake > 0 && cpu >= 0);
    assert_true(clock_mono(&clock_of_machine) >= mono);
    assert_true(clock_awake_ms() >= awake);
    assert_true(clock_cpu_us() >= cpu);
}
