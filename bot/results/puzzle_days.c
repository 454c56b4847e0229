/* See puzzle_days.h. */
#include "puzzle_days.h"

#include "store_puzzle.h"
#include "zone.h"

static const int64_t DAY_MS = 24 * 3600 * (int64_t)1000, MINUTE_MS = 60 * 1000;

static int64_t offset_ms(struct str zone, int64_t unix_ms)
{
    int32_t offset;
    return zone_offset(zone, unix_ms, &offset) ? offset * (int64_t)1000 : 0;
}

/* The moment of a local time of a day; the offset is that of the moment itself, where it has
 * one. */
static int64_t moment_of(struct str zone, int64_t day, int minute)
{
    int64_t local = day * DAY_MS + minute * MINUTE_MS;
    int64_t first = local - offset_ms(zone, local);
    return local - offset_ms(zone, first);
}

static int64_t day_at(struct str zone, int64_t unix_ms)
{
    int64_t local = unix_ms + offset_ms(zone, unix_ms);
    return local / DAY_MS - (local % DAY_MS < 0);
}

void puzzle_calendar_at(const struct chat_settings *settings, int64_t now,
                        struct puzzle_calendar *ret)
{
    struct str zone = str_of(settings->zone);
    int minute = settings->puzzle - 1;
    *ret = (struct puzzle_calendar){.today = day_at(zone, now)};
    if (minute < 0)
        return;
    ret->passed = moment_of(zone, ret->today, minute) <= now;
    ret->next = moment_of(zone, ret->today + ret->passed, minute);
}

bool puzzle_record_load(struct store *s, struct arena *a, int64_t who, int64_t day,
                        struct puzzle_record *ret, struct err *err)
{
    struct puzzle_answers all;
    int64_t run = 0, newer = day;
    bool unbroken = true;
    *ret = (struct puzzle_record){0};
    if (!store_puzzle_answers(s, a, who, day, &all, err))
        return false;
    for (int i = 0; i < all.n; i++) {
        const struct puzzle_answer *x = &all.at[i];
        if (x->day == newer) /* by another handle, later */
            continue;
        bool joins = x->day == newer - 1;
        newer = x->day;
        run = !x->solved ? 0 : joins ? run + 1 : 1;
        unbroken = unbroken && joins && x->solved;
        ret->run = unbroken ? run : ret->run;
        ret->longest = run > ret->longest ? run : ret->longest;
        ret->answered++;
        ret->solved += x->solved;
    }
    return true;
}
