/* Tips: in a match against the computer the first capture, set, koi-koi and doubling of a person
 * are explained to them once, under their hand. A tip stands until their next move. */
#ifndef KOIKOI_TIP_H
#define KOIKOI_TIP_H

#include "step_internal.h"

/* After a step: adds what happened to the sender for the first time, if a match went on. */
void tip_add(struct step *st);

#endif
