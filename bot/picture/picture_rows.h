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
    int yaku, chart; /* width of the cards of a yaku, height of a chart */
};

static inline int plan_edge(const struct plan *plan)
{
    return layout_is_poster(plan->l) ? POSTER_EDGE : EDGE;
}

/* Empty if it has not so many. */
static inline struct str row_text(const struct layout_row *row, int i)
{
    return i < row->n_texts ? row->text[i] : STR("");
}

/* poster.c. Both words at their full sizes, with a gap, as a share of the room: 1 at most. */
double plan_share(struct paper_font left, struct str words, struct paper_font right,
                  struct str more, double room);
/* The least of such shares over all rows of the kind: names of one picture have one size. */
double plan_least(const struct plan *plan, enum layout_kind kind,
                  double (*share)(const struct plan *plan, const struct layout_row *row));

/* The same file. A height in units; a drawing, its upper edge at `top`. */
int splash_height(const struct plan *plan, const struct layout_row *row);
void splash_draw(const struct plan *plan, const struct layout_row *row, int top);
int face_height(const struct plan *plan, const struct layout_row *row);
void face_draw(const struct plan *plan, const struct layout_row *row, int top);
void result_draw(const struct plan *plan, const struct layout_row *row, int top);
int yaku_height(const struct plan *plan, const struct layout_row *row);
void yaku_draw(const struct plan *plan, const struct layout_row *row, int top);
int moment_height(const struct plan *plan, const struct layout_row *row);
void moment_draw(const struct plan *plan, const struct layout_row *row, int top);
int seals_height(const struct plan *plan, const struct layout_row *row);
void seals_draw(const struct plan *plan, const struct layout_row *row, int top);
void sign_draw(const struct plan *plan, const struct layout_row *row, int top);

/* chart.c */
int chart_height(const struct plan *plan, const struct layout_row *row);
void chart_draw(const struct plan *plan, const struct layout_row *row, int top);
int bracket_height(const struct plan *plan, const struct layout_row *row);
void bracket_draw(const struct plan *plan, const struct layout_row *row, int top);

#endif
