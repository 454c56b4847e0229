/* Arena: zeroed memory, reset as a whole, with no growth from turn to turn. */
#include "engine/test.h"
#include "arena.h"

TEST(pieces_are_zeroed_aligned_and_do_not_overlap)
{
    struct arena *a = arena_open(1 << 24);
    unsigned char *piece[500];
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < 500; i++) {
            size_t n = (size_t)(i % 7 == 0 ? 40000 : i + 1);
            piece[i] = arena_alloc(a, n);
            assert_int_equal((uintptr_t)piece[i] % _Alignof(max_align_t), 0);
            for (size_t k = 0; k < n; k++)
                assert_int_equal(piece[i][k], 0);
            memset(piece[i], i & 0xff, n);
        }
        for (int i = 0; i < 500; i++)
            assert_int_equal(piece[i][i % 7 == 0 ? 39999 : i], i & 0xff);
        arena_reset(a);
        assert_int_equal(arena_used(a), 0);
    }
    arena_close(a);
}

/* The ceiling is just above the need of one turn: bytes left over by a turn would hit it. */
TEST(turns_with_large_and_small_pieces_do_not_add_up)
{
    struct arena *a = arena_open(2 << 20);
    for (int turn = 0; turn < 1000; turn++) {
        for (int i = 0; i < 5; i++) {
            arena_alloc(a, 50000);
            arena_alloc(a, 260000);
            arena_alloc(a, 10);
        }
        arena_reset(a);
    }
    arena_close(a);
}
