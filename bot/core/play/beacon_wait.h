/* The seal of a deal, and the deal that waits for the round of the public beacon which its seal
 * names. For the files of the step and the lobby. */
#ifndef KOIKOI_BEACON_WAIT_H
#define KOIKOI_BEACON_WAIT_H

#include "step_internal.h"

/* Seals the coming deal: its seed, and the round of the beacon if there is one. */
void beacon_seal(struct step *st, struct session *s);
/* True if the coming deal has to wait; the timer is set then, and all players are ready. */
bool beacon_wait(struct step *st, struct session *s);

#endif
