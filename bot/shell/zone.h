/* What the clocks on the wall of a place say: "UTC", "+03:00", "-5", or a name of the time zone
 * database ("Europe/Warsaw"), read from the machine's files. */
#ifndef KOIKOI_ZONE_H
#define KOIKOI_ZONE_H

#include "str.h"

/* Seconds east of UTC at a moment; false if the zone is not known. Empty is UTC. */
bool zone_offset(struct str zone, int64_t unix_ms, int32_t *ret);

#endif
