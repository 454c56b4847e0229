/* Tests that are found by themselves, with cmocka and the headers it needs.
 *
 *     TEST(a_stop_pays_the_counted_worth)
 *     {
 *         assert_int_equal(r.result.points, 5);
 *     }
 *     FIXTURE(setup)                                  int setup(void **state), as cmocka has them
 *     {
 *         return 0;
 *     }
 *     TEST_WITH(a_row_is_kept, setup, teardown)
 *     {
 *     }
 *     TEST_IF(condition, a_lease_ends, setup, teardown)     where it holds as the program starts
 *     TESTS_WITH(open_all, close_all)                 once, before the first test and after the last
 *
 * They run in the order of the file. Its main() is in test.c.
 */
#ifndef KOIKOI_TESTS_TEST_H
#define KOIKOI_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void test_add(const struct CMUnitTest *test);
void test_around(CMFixtureFunction setup, CMFixtureFunction teardown);

#define TEST_IF(condition, name, setup, teardown)                                                  \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        if (condition)                                                                             \
            test_add(&(const struct CMUnitTest){#name, name, setup, teardown, NULL});              \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)
#define TEST_WITH(name, setup, teardown) TEST_IF(true, name, setup, teardown)
#define TEST(name)                       TEST_WITH(name, NULL, NULL)
#define FIXTURE(name)                    static int name(__attribute__((unused)) void **state)
#define TESTS_WITH(setup, teardown)                                                                \
    __attribute__((constructor)) static void around_tests(void)                                    \
    {                                                                                              \
        test_around(setup, teardown);                                                              \
    }

#endif
