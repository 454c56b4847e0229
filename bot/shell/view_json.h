/* Views and moves as the engine protocol writes them. README.md, "Engine protocol". */
#ifndef KOIKOI_VIEW_JSON_H
#define KOIKOI_VIEW_JSON_H

#include "json.h"
#include "view.h"

/* The fields of a state without its braces. all: NULL for what v's seat may see; the match v was
 * made from to show everybody's cards. */
void view_write(struct buf *b, const struct view *v, const struct match *all);
void move_write(struct buf *b, struct move m);
/* *ret_take_given: whether `take` was there. */
bool move_read(const cJSON *v, struct move *ret, bool *ret_take_given, struct err *err) MUST_CHECK;

/* A state of one seat, from elsewhere: refused unless a round played by its rules could look so.
 * ret has at least one legal move then. *ret_over is set, beside the error, where the fault is only
 * that nothing is to be done. folder: where the rule sets are. */
bool view_read(const cJSON *v, struct str folder, struct view *ret, bool *ret_over,
               struct err *err) MUST_CHECK;

#endif
