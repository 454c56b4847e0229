/* Takes the name of a player out of a record. */
#ifndef KOIKOI_RECORD_FORGET_H
#define KOIKOI_RECORD_FORGET_H

#include "arena.h"

/* Returns the lines with another name for the seat, and for its place in the order of joining;
 * lines that do not begin with the head of a match are returned as they are. */
struct str record_forget(struct arena *a, struct str lines, int seat, int joined, struct str name);

#endif
