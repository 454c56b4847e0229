/* Marked text as the two bodies of a message. */
#ifndef KOIKOI_MATRIX_MARKUP_H
#define KOIKOI_MATRIX_MARKUP_H

#include "matrix.h"

enum { MAX_NAMED = 16 };

struct rendered {
    struct str plain; /* for screen readers, notifications and old clients */
    struct str html;  /* empty if the text has no mark */
    int n_named;
    struct str named[MAX_NAMED]; /* ids of the people in the text, each once */
};
struct rendered markup_render(struct arena *a, struct str text);

#endif
