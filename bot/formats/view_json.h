/* Views and moves as JSON. The format is in README.md, "Engine protocol". */
#ifndef KOIKOI_VIEW_JSON_H
#define KOIKOI_VIEW_JSON_H

#include "json.h"
#include "view.h"

/* Appends the fields of a state, without its braces. all: NULL for what v's seat may see; the match
 * that v was made from, to show all cards. */
void view_write(struct buf *b, const struct view *v, const struct match *all);
void view_write_move(struct buf *b, const char *name, struct move m);
/* *ret_take_given: whether the move has `take`. */
struct move view_read_move(struct json v, const char *key, bool *ret_take_given);
/* The place of a move among v's legal ones, -1 for another. */
int view_legal_place(const struct view *v, struct move m);

/* Reads the state of one seat, a field of v, from an untrusted source. It has a fault unless a
 * round by its rules could look so; without one ret has at least one legal move. *ret_over is true,
 * beside the fault, if the only one is that the seat has no move. folder: where the rule sets
 * are. */
void view_read(struct json v, const char *key, struct str folder, struct view *ret, bool *ret_over);

#endif
