/* See test.h. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_TESTS = 256 };

static struct CMUnitTest tests[MOST_TESTS];
static size_t n_tests;
static CMFixtureFunction before, after;

void test_add(const struct CMUnitTest *test)
{
    if (n_tests == MOST_TESTS) {
        fprintf(stderr, "more than %d tests in a file\n", MOST_TESTS);
        abort();
    }
    tests[n_tests++] = *test;
}

void test_around(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    before = setup;
    after = teardown;
}

int main(void)
{
    return _cmocka_run_group_tests("tests", tests, n_tests, before, after);
}
