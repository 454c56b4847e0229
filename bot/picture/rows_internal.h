/* Shared by the files that draw rows: rows.c, row_chart.c. */
#ifndef KOIKOI_ROWS_INTERNAL_H
#define KOIKOI_ROWS_INTERNAL_H

#include "rows.h"

enum {
    EDGE = 10, /* left and right of words */
    GAP = 6    /* between cards */
};

/* What the rows of one picture have in common. */
struct plan {
    const struct layout *l;
    int columns, card_w, card_h; /* of the table */
};

int row_chart_height(const struct plan *plan, const struct layout_row *row);
/* A curve for each series of numbers, and the names below. */
bool row_chart_draw(const struct paper *p, const struct plan *plan, const struct layout_row *row,
                    int top, struct err *err);

#endif
