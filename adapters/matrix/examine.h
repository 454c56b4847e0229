/* koikoi doctor for this network: see adapter.examine. */
#ifndef KOIKOI_MATRIX_EXAMINE_H
#define KOIKOI_MATRIX_EXAMINE_H

#include "wire.h"

void matrix_examine(struct matrix *m, struct arena *a, const struct reply *reply,
                    struct request *next, struct findings *ret);

#endif
