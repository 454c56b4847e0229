/* A player of the arena that is another program: it is started once and asked one `advise` line of
 * the engine protocol a move, with the view of its seat. It never hears of hidden cards. */
#ifndef KOIKOI_TESTS_ARENA_PROGRAM_H
#define KOIKOI_TESTS_ARENA_PROGRAM_H

#include "err.h"
#include "str.h"
#include "view.h"

#include <stdio.h>
#include <sys/types.h>

struct arena_program {
    struct str command; /* for /bin/sh; at most 1,000 bytes */
    int64_t visits, ms; /* its budget; 0 = its own */
    pid_t pid;          /* 0 = not started */
    FILE *to, *from;
    int64_t id;
};

bool arena_program_start(struct arena_program *p, struct err *err) MUST_CHECK;
/* False if it does not answer with a move. self: a struct arena_program. */
bool arena_program_pick(void *self, const struct ruleset *g, const struct view *v, uint64_t seed,
                        struct move *ret);
void arena_program_stop(struct arena_program *p);

#endif
