/* See absence.h. */
#include "absence.h"

#define MINUTE_MS ((int64_t)60 * 1000)
#define HOUR_MS   (60 * MINUTE_MS)
#define DAY_MS    (DAY_MINUTES * MINUTE_MS)

bool absence_on_vacation(const struct absence *a, int64_t ms)
{
    return ms >= a->vacation_from && ms < a->vacation_until;
}

static int64_t offset_at(const struct absence *a, int64_t ms)
{
    return 1000 * (int64_t)(a->change && ms >= a->change ? a->later_offset : a->offset);
}

int64_t absence_quiet_end(const struct absence *a, int64_t ms)
{
    if (a->quiet_from == a->quiet_to)
        return 0;
    int64_t local = ms + offset_at(a, ms);
    int64_t since_midnight = (local % DAY_MS + DAY_MS) % DAY_MS, midnight = local - since_midnight;
    int64_t from = a->quiet_from * MINUTE_MS, to = a->quiet_to * MINUTE_MS;
    bool over_midnight = from > to, evening = since_midnight >= from;
    bool quiet = over_midnight ? evening || since_midnight < to : evening && since_midnight < to;
    if (!quiet)
        return 0;
    /* The offset at the end may differ from the one now; a local time that a change of the clocks
     * skips is the moment of the change. */
    int64_t end = midnight + to + (over_midnight && evening ? DAY_MS : 0);
    int64_t at = end - offset_at(a, ms), later = end - 1000 * (int64_t)a->later_offset;
    if (!a->change || ms >= a->change || at < a->change)
        return at;
    return later > a->change ? later : a->change;
}

int64_t absence_before_quiet(const struct absence *a, int64_t end)
{
    int64_t length = (a->quiet_to - a->quiet_from + DAY_MINUTES) % DAY_MINUTES * MINUTE_MS;
    if (absence_quiet_end(a, end - 1) != end)
        return 0;
    int64_t at = end - length - MINUTE_MS;
    return absence_quiet_end(a, at) ? at - HOUR_MS : at; /* the clocks change in between */
}

int64_t absence_ring_at(const struct absence *a, int64_t ms)
{
    if (absence_on_vacation(a, ms))
        ms = a->vacation_until;
    int64_t end = absence_quiet_end(a, ms);
    return end ? end : ms;
}

int64_t absence_deadline(const struct absence *a, int64_t from, int64_t ms)
{
    int64_t end = from + ms, begins = a->vacation_from > from ? a->vacation_from : from;
    if (a->vacation_until > begins && begins < end)
        end += a->vacation_until - begins;
    int64_t quiet_end = absence_quiet_end(a, end);
    return quiet_end ? quiet_end : end;
}

int64_t absence_spent(const struct absence *a, int64_t from, int64_t to)
{
    int64_t begins = a->vacation_from > from ? a->vacation_from : from,
            back = a->vacation_until < to ? a->vacation_until : to;
    return to - from - (back > begins ? back - begins : 0);
}
