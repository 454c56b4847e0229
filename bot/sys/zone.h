/* Offsets of time zones: "UTC", "+03:00", "-5", "UTC+2", or a name of the time zone database
 * ("Europe/Warsaw"), read from the machine's files. */
#ifndef KOIKOI_ZONE_H
#define KOIKOI_ZONE_H

#include "cache.h"
#include "str.h"

/* Seconds east of UTC at a moment, within 14 hours. Returns false if the zone is unknown, or its
 * file says something else than RFC 9636 allows. Empty is UTC. */
bool zone_offset(struct str zone, int64_t unix_ms, int32_t *ret);
/* The same from a cache, which keeps each answer for a minute: offsets change at whole minutes, and
 * a new file of a zone counts a minute later. */
bool zone_offset_cached(struct cache *cache, struct str zone, int64_t unix_ms, int32_t *ret);
/* The offset now, and the next change within 200 days, to the minute; change 0: there is none. */
struct zone_change {
    int32_t offset, later_offset;
    int64_t change; /* unix ms */
};
bool zone_change(struct str zone, int64_t unix_ms, struct zone_change *ret);
/* The same from a cache, which keeps each answer for a day; it is new at once when the change
 * comes. */
bool zone_change_cached(struct cache *cache, struct str zone, int64_t unix_ms,
                        struct zone_change *ret);
/* zone_offset() for the bytes of a TZif file, "fat" or "slim". */
bool zone_file_offset(struct str bytes, int64_t unix_s, int32_t *ret);

#endif
