/* A store on the shelf: cmocka's set-up for tests that need one, new for each test in a folder of
 * its own. */
#ifndef KOIKOI_TEST_SHELF_H
#define KOIKOI_TEST_SHELF_H

#include "shell/scratch.h"

#include "store.h"

extern struct arena *shelf_arena;       /* lives as long as the test */
extern struct store *shelf;

int shelf_setup(void **state);
int shelf_teardown(void **state);
/* Closes and opens it. */
void shelf_again(void);

#endif
