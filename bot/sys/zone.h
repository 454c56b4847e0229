/* Offsets of time zones: "UTC", "+03:00", "-5", "UTC+2", or a name of the time zone database
 * ("Europe/Warsaw"), from the machine's files. For the loop's thread alone. */
#ifndef KOIKOI_ZONE_H
#define KOIKOI_ZONE_H

#include "cache.h"
#include "str.h"

/* Seconds east of UTC at a moment, within 14 hours. Returns false if the zone is unknown. Empty is
 * UTC. */
bool zone_offset(struct str zone, int64_t unix_ms, int32_t *ret);
/* The same from a cache, which keeps each answer for a minute: offsets change at whole minutes, and
 * a new file of a zone counts a minute later. */
bool zone_offset_cached(struct cache *cache, struct str zone, int64_t unix_ms, int32_t *ret);
/* The offset now, and the next change within 200 days, to the minute; change 0: none. */
struct zone_change {
    int32_t offset, later_offset;
    int64_t change; /* unix ms */
};
/* From a cache, which keeps each answer for a day; it is new at once when the change comes. */
bool zone_change_cached(struct cache *cache, struct str zone, int64_t unix_ms,
                        struct zone_change *ret);

#endif
