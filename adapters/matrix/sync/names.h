/* People that a command names as they are called ("@bo", "@Bo Peep"), not by a pill or a whole user
 * id: looked up among the members of the room. */
#ifndef KOIKOI_MATRIX_NAMES_H
#define KOIKOI_MATRIX_NAMES_H

#include "wire.h"

/* True if the update is a command of a room with such a name in it. */
bool names_are_typed(const struct update *u);
/* Replaces each by the id of the one member it fits, who is then mentioned. `joined`: the answer to
 * /joined_members, may be NULL. The first name that fits no member, or several, becomes u->unnamed.
 */
void names_resolve(const struct matrix *m, struct arena *a, const cJSON *joined, struct update *u);

#endif
