/* Views and moves as JSON. The format is in README.md of formats, "Engine protocol". */
#ifndef KOIKOI_VIEW_JSON_H
#define KOIKOI_VIEW_JSON_H

#include "json.h"
#include "view.h"

/* Appends the fields of a state, without its braces. all: NULL for what v's seat may see; the match
 * that v was made from, to show all cards. */
void view_write(struct buf *b, const struct view *v, const struct match *all);
void view_write_move(struct buf *b, struct move m);
/* *ret_take_given: whether the move has `take`. */
bool view_read_move(const cJSON *v, struct move *ret, bool *ret_take_given,
                    struct err *err) MUST_CHECK;

/* Reads the state of one seat from an untrusted source. Fails unless a round by its rules could
 * look so; on success ret has at least one legal move. *ret_over is true, beside the error, if the
 * only fault is that the seat has no move. folder: where the rule sets are. */
bool view_read(const cJSON *v, struct str folder, struct view *ret, bool *ret_over,
               struct err *err) MUST_CHECK;

#endif
