/* The updates of one answer, as they are found. */
#ifndef KOIKOI_MATRIX_GATHER_H
#define KOIKOI_MATRIX_GATHER_H

#include "cursor.h"
#include "hear.h"

struct gather {
    struct matrix *m;
    struct arena *a;
    struct session *next;
    struct batch *batch;
    int cap;
};

struct gather gather_begin(struct matrix *m, struct arena *a, struct session *next,
                           struct batch *ret);
struct update *gather_add(struct gather *g);              /* zeroed, at the end of the batch */
/* Events of a room in their order, from number `first` on: what they say, and what they change. */
void gather_events(struct gather *g, const struct scene *at, const cJSON *events, int first);

#endif
