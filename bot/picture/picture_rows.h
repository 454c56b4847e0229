/* Rows of a picture that are drawn in files of their own, and what all rows know. */
#ifndef KOIKOI_PICTURE_ROWS_H
#define KOIKOI_PICTURE_ROWS_H

#include "layout.h"
#include "paper.h"

/* Units. */
enum {
    EDGE = 10,        /* left and right of words */
    POSTER_EDGE = 42, /* the same within the frame of a poster */
    POSTER_TOP = 32,
    GAP = 6, /* between cards */
    RESULT_HIGH = 112,
    SIGN_HIGH = 40
};

/* How the cards of the field, or those of the hand, lie on the table. */
struct grid {
    int lines, columns, card_w, card_h;
};

/* What the rows of one picture have in common. */
struct plan {
    const struct layout *l;
    struct paper *paper; /* NULL while heights are reckoned */
    struct grid field, hand;
};

static inline int plan_edge(const struct plan *plan)
{
    return layout_is_poster(plan->l) ? POSTER_EDGE : EDGE;
}

/* poster.c. A height in units; a drawing, its upper edge at `top`. */
int splash_height(const struct plan *plan, const struct layout_row *row);
void splash_draw(const struct plan *plan, const struct layout_row *row, int top);
void result_draw(const struct plan *plan, const struct layout_row *row, int top);
int yaku_height(const struct plan *plan, const struct layout_row *row);
void yaku_draw(const struct plan *plan, const struct layout_row *row, int top);
int seals_height(const struct plan *plan, const struct layout_row *row);
void seals_draw(const struct plan *plan, const struct layout_row *row, int top);
void sign_draw(const struct plan *plan, const struct layout_row *row, int top);

/* chart.c */
int chart_height(const struct plan *plan, const struct layout_row *row);
void chart_draw(const struct plan *plan, const struct layout_row *row, int top);

#endif
