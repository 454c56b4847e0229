/* Rows of a picture: how high each is, and its drawing. A kind of row is a line of the table in
 * rows.c. */
#ifndef KOIKOI_ROWS_H
#define KOIKOI_ROWS_H

#include "layout.h"
#include "paper.h"

/* Height of the picture; 0 if it has no rows with cards or words. */
int rows_height(const struct layout *l);
bool rows_draw(const struct paper *p, const struct layout *l, struct err *err) MUST_CHECK;

#endif
