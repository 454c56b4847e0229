/* See shelf.h. */
#include "shell/shelf.h"

struct arena *shelf_arena;
struct store *shelf;

static bool take_down(void)
{
    struct err err;
    return store_open(scratch_file("store.db"), &shelf, &err);
}

int shelf_setup(void **state)
{
    (void)state;
    shelf_arena = arena_open(1 << 24);
    return !scratch_open() || !take_down();
}

int shelf_teardown(void **state)
{
    (void)state;
    store_close(shelf);
    arena_close(shelf_arena);
    scratch_close();
    return 0;
}

void shelf_again(void)
{
    store_close(shelf);
    assert_true(take_down());
}
