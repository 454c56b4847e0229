/* Memory of trees that go as a whole. */
#include "pool.h"

#include "engine/test.h"

TEST(pieces_of_a_pool_stay_until_it_goes)
{
    enum { N = 3000 };
    struct pool one = {0}, other = {0};
    char *at[2][N];
    pool_expect(&one, 100);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 2; k++) {
            size_t n = 1 + (size_t)i * 37 % 700 + (i == 1000 ? 200000 : 0);
            pool_fill(k ? &other : &one);
            at[k][i] = pool_take(n);
            assert_int_equal((uintptr_t)at[k][i] % _Alignof(max_align_t), 0);
            memset(at[k][i], i + k, n);
            pool_give(at[k][i]);
            pool_fill(NULL);
        }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 2; k++)
            assert_int_equal((unsigned char)at[k][i][i * 37 % 700], (unsigned char)(i + k));
    pool_free(&one);
    pool_free(&other);
    pool_free(&other);
}

TEST(outside_of_a_pool_it_is_malloc)
{
    char *p = pool_take(5);
    memcpy(p, "four", 5);
    pool_give(p);
    pool_give(NULL);
}
