/* See date.h. Days are counted from 1970-01-01; inside the arithmetic years begin in March, so that
 * a leap day is the last day of its year. */
#include "date.h"

enum { DAY_S = 86400 };

static int64_t days_of(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

struct date date_at(int64_t unix_ms, int32_t offset)
{
    int64_t s = unix_ms / 1000 - (unix_ms % 1000 < 0) + offset;
    int64_t days = s / DAY_S - (s % DAY_S < 0), left = s - days * DAY_S;
    int64_t z = days + 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t of_era = z - era * 146097;
    int64_t y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * y + y / 4 - y / 100);
    int64_t m = (5 * of_year + 2) / 153;
    struct date d = {.day = (int)(of_year - (153 * m + 2) / 5 + 1),
                     .month = (int)(m < 10 ? m + 3 : m - 9)};
    d.year = (int)(y + era * 400 + (d.month <= 2));
    d.hour = (int)(left / 3600);
    d.minute = (int)(left / 60 % 60);
    d.weekday = (int)(((days + 4) % 7 + 7) % 7);
    return d;
}

int64_t date_ms(int year, int month, int day, int32_t offset)
{
    return (days_of(year, month, day) * DAY_S - offset) * 1000;
}
