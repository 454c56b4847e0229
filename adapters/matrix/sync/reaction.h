/* Reactions that mean something: numbers, and signs for yes, no and again. */
#ifndef KOIKOI_MATRIX_REACTION_H
#define KOIKOI_MATRIX_REACTION_H

#include "wire.h"

/* Fills text, post and kind by u->direct. False if the reaction means nothing. */
bool reaction_read(struct arena *a, const cJSON *content, struct update *u);
/* True for a number that a message alone can be. */
bool reaction_is_number(struct str s);

#endif
