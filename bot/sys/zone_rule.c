/* See zone_rule.h. The grammar is that of POSIX, with the times of day of RFC 9636 (-167 ... 167
 * hours):
 *
 *     std offset [dst [offset] , start [/time] , end [/time]]
 *
 * Offsets count hours west of Greenwich. A date is Jn (day 1 ... 365, 29 February never counted), n
 * (day 0 ... 365), or Mm.w.d (day d of week w of month m; week 5 is the last). A time is that of
 * the clocks that the change ends, 02:00 if it is left out. */
#include "zone_rule.h"

#include <assert.h>

enum { HOUR = 3600, DAY = 24 * HOUR, OFFSET_HOURS = 24, TIME_HOURS = 167 };

enum date_form { JULIAN, JULIAN_0, MONTH };

struct zone_date {
    enum date_form form;
    int day, week, month;
    int32_t time; /* seconds after midnight, any sign */
};

struct rule {
    int32_t std, dst; /* seconds east */
    bool has_dst;
    struct zone_date start, end;
};

/* ---- reading ---- */

static bool skip_char(struct str *s, char c)
{
    if (s->n == 0 || s->p[0] != c)
        return false;
    *s = str_skip(*s, 1);
    return true;
}

static bool digit(struct str s)
{
    return s.n > 0 && s.p[0] >= '0' && s.p[0] <= '9';
}

static bool read_int(struct str *s, int most, int *ret)
{
    if (!digit(*s))
        return false;
    for (*ret = 0; digit(*s) && *ret <= most; *s = str_skip(*s, 1))
        *ret = *ret * 10 + (s->p[0] - '0');
    return *ret <= most;
}

/* "CET", or "<+0330>". */
static bool read_name(struct str *s)
{
    size_t n = 0;
    bool quoted = skip_char(s, '<');
    for (; n < s->n; n++) {
        char c = s->p[n];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!letter && !(quoted && ((c >= '0' && c <= '9') || c == '+' || c == '-')))
            break;
    }
    *s = str_skip(*s, n);
    return n >= 3 && (!quoted || skip_char(s, '>'));
}

/* "-3:30:15", in seconds. */
static bool read_time(struct str *s, int most_hours, int32_t *ret)
{
    int hours, minutes = 0, seconds = 0;
    bool minus = skip_char(s, '-');
    if (!minus)
        skip_char(s, '+');
    if (!read_int(s, most_hours, &hours))
        return false;
    if (skip_char(s, ':') &&
        (!read_int(s, 59, &minutes) || (skip_char(s, ':') && !read_int(s, 59, &seconds))))
        return false;
    *ret = (hours * HOUR + minutes * 60 + seconds) * (minus ? -1 : 1);
    return true;
}

static bool read_day(struct str *s, struct zone_date *ret)
{
    if (skip_char(s, 'J')) {
        ret->form = JULIAN;
        return read_int(s, 365, &ret->day) && ret->day >= 1;
    }
    if (!skip_char(s, 'M')) {
        ret->form = JULIAN_0;
        return read_int(s, 365, &ret->day);
    }
    ret->form = MONTH;
    return read_int(s, 12, &ret->month) && ret->month >= 1 && skip_char(s, '.') &&
           read_int(s, 5, &ret->week) && ret->week >= 1 && skip_char(s, '.') &&
           read_int(s, 6, &ret->day);
}

static bool read_date(struct str *s, struct zone_date *ret)
{
    *ret = (struct zone_date){.time = 2 * HOUR};
    return skip_char(s, ',') && read_day(s, ret) &&
           (!skip_char(s, '/') || read_time(s, TIME_HOURS, &ret->time));
}

static bool read_rule(struct str s, struct rule *ret)
{
    int32_t west;
    *ret = (struct rule){0};
    if (!read_name(&s) || !read_time(&s, OFFSET_HOURS, &west))
        return false;
    ret->std = -west;
    if (s.n == 0)
        return true;
    ret->has_dst = true;
    ret->dst = ret->std + HOUR;
    if (!read_name(&s))
        return false;
    if (s.n > 0 && s.p[0] != ',') {
        if (!read_time(&s, OFFSET_HOURS, &west))
            return false;
        ret->dst = -west;
    }
    return read_date(&s, &ret->start) && read_date(&s, &ret->end) && s.n == 0;
}

/* ---- the calendar ---- */

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Days from 1 January 1970 to 1 January of the year. */
static int64_t days_before_year(int64_t year)
{
    int64_t y = year - 1;
    return 365 * (year - 1970) + (floor_div(y, 4) - floor_div(y, 100) + floor_div(y, 400)) -
           (1969 / 4 - 1969 / 100 + 1969 / 400);
}

static int64_t year_of(int64_t days)
{
    int64_t year = 1970 + floor_div(days, 366);
    while (days_before_year(year + 1) <= days)
        year++;
    while (days_before_year(year) > days)
        year--;
    return year;
}

/* `month`: 1 ... 13, the first of the next year. */
static int days_before_month(int month, bool leap)
{
    static const int days[13] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    assert(month >= 1 && month <= 13);
    return days[month - 1] + (leap && month > 2);
}

/* The date in that year, in days since 1970. */
static int64_t day_of(const struct zone_date *d, int64_t year)
{
    bool leap = is_leap(year);
    int64_t first = days_before_year(year);
    if (d->form == JULIAN)
        return first + d->day - 1 + (leap && d->day >= 60);
    if (d->form == JULIAN_0)
        return first + d->day;
    int64_t month = first + days_before_month(d->month, leap),
            next = first + days_before_month(d->month + 1, leap);
    int64_t weekday = (month + 4) - floor_div(month + 4, 7) * 7; /* 1 January 1970: a Thursday */
    int64_t day = month + (d->day - weekday + 7) % 7 + 7 * (d->week - 1);
    return day < next ? day : day - 7;
}

/* ---- the answer ---- */

/* The last change at or before the moment decides. Changes of the years beside are looked at too,
 * for a time of day may lead into another year. Daylight saving time that ends when it begins again
 * lasts all year. */
bool zone_rule_offset(struct str rule, int64_t unix_s, int32_t *ret)
{
    struct rule r;
    if (!read_rule(rule, &r))
        return false;
    int64_t year = year_of(floor_div(unix_s, DAY)), last = INT64_MIN;
    int32_t offset = r.std;
    for (int64_t y = year - 1; r.has_dst && y <= year + 1; y++) {
        int64_t start = day_of(&r.start, y) * DAY + r.start.time - r.std,
                end = day_of(&r.end, y) * DAY + r.end.time - r.dst;
        if (end <= unix_s && end > last) {
            last = end;
            offset = r.std;
        }
        if (start <= unix_s && start >= last) {
            last = start;
            offset = r.dst;
        }
    }
    *ret = offset;
    return true;
}
