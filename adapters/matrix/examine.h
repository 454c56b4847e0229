/* koikoi doctor for Matrix: see adapter.examine. */
#ifndef KOIKOI_MATRIX_EXAMINE_H
#define KOIKOI_MATRIX_EXAMINE_H

#include "wire.h"

void matrix_exam(void *account, const struct exam *exam);
void matrix_examine(void *account, struct arena *a, const struct reply *reply, struct request *next,
                    struct findings *ret);

#endif
