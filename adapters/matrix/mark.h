/* Text with marks -> the two bodies of a message. */
#ifndef KOIKOI_MATRIX_MARK_H
#define KOIKOI_MATRIX_MARK_H

#include "matrix.h"

enum { MAX_NAMED = 16 };

struct marked {
    struct str plain;           /* for screen readers, notifications and old clients */
    struct str html;            /* empty if there was no mark */
    int n_named;
    struct str named[MAX_NAMED];   /* network ids in the text, each once */
};
struct marked mark_read(struct arena *a, struct str text);

#endif
