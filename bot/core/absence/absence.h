/* Absence: the vacation of a person and their quiet hours. On vacation the clocks of their moves
 * stand still. In quiet hours they get nothing that rings, and no time of theirs ends.
 *
 * All times are unix ms. The quiet hours carry the offset of their zone and its next change, so
 * that they are right on both sides of it. */
#ifndef KOIKOI_ABSENCE_H
#define KOIKOI_ABSENCE_H

#include "str.h"

struct absence {
    int64_t vacation_from, vacation_until; /* the vacation; equal: none */
    uint16_t quiet_from, quiet_to;         /* minutes after midnight; equal: none */
    int32_t offset, later_offset;          /* of their zone, seconds: before and after `change` */
    int64_t change;                        /* 0: none is known */
};

/* For /quiet: the zone it names, else the sender's, else the chat's; and its offsets. */
struct absence_facts {
    struct str zone;
    struct absence offsets;
};

enum { DAY_MINUTES = 24 * 60 };

bool absence_on_vacation(const struct absence *a, int64_t ms);
/* End of the quiet hours that the moment lies in; 0: it lies in none. */
int64_t absence_quiet_end(const struct absence *a, int64_t ms);
/* The first moment from `ms` on at which a message may ring. */
int64_t absence_ring_at(const struct absence *a, int64_t ms);
/* The last minute before the quiet hours that end at `end`; 0: none end then. */
int64_t absence_before_quiet(const struct absence *a, int64_t end);
/* End of a time of so many ms that begins at `from`: a vacation does not count, and an end in quiet
 * hours moves to their end. */
int64_t absence_deadline(const struct absence *a, int64_t from, int64_t ms);
/* The part of from ... to that is no vacation. */
int64_t absence_spent(const struct absence *a, int64_t from, int64_t to);

#endif
