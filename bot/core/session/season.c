/* See season.h. */
#include "season.h"

/* ---- dates ----
 *
 * Days are counted from 1970-01-01; inside the arithmetic years begin in March, so that a leap day
 * is the last day of its year. */

enum { DAY_S = 86400 };

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
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    return (days * DAY_S - offset) * 1000;
}

/* ---- seasons ---- */

/* part: of the year, or the number of one by hand. */
static void write_key(struct season_key *ret, int year, int part, enum season_length length)
{
    *ret = (struct season_key){0};
    struct buf b = {ret->text, 0, sizeof ret->text - 1, false};
    if (length != SEASON_HAND && year < 10000 && year >= 1000)
        buf_int(&b, year);
    if (length == SEASON_HAND)
        buf_print(&b, "S%d", part);
    else if (length == SEASON_QUARTER)
        buf_print(&b, "-Q%d", part);
    else if (length == SEASON_MONTH)
        buf_print(&b, "-%02d", part);
}

void season_at(int64_t unix_ms, int32_t offset, enum season_length length, struct season_key *ret)
{
    struct date d = date_at(unix_ms, offset);
    write_key(ret, d.year, length == SEASON_MONTH ? d.month : (d.month + 2) / 3, length);
}

void season_by_hand(int number, struct season_key *ret)
{
    write_key(ret, 0, number, SEASON_HAND);
}

void season_all(struct season_key *ret)
{
    *ret = (struct season_key){SEASON_ALL};
}

enum season_length season_parts(const struct season_key *key, int *ret_year, int *ret_part)
{
    struct str part, year = str_cut(str_of(key->text), '-', &part);
    bool by_hand = year.p[0] == 'S', quarter = part.n > 0 && part.p[0] == 'Q';
    int64_t y = 0, n = 0;
    str_int(by_hand ? str_skip(year, 1) : year, by_hand ? &n : &y);
    str_int(str_skip(part, quarter), &n);
    *ret_year = (int)y;
    *ret_part = (int)n;
    return by_hand      ? SEASON_HAND
           : quarter    ? SEASON_QUARTER
           : part.n > 0 ? SEASON_MONTH
                        : SEASON_YEAR;
}

void season_before(const struct season_key *key, struct season_key *ret)
{
    int year, part;
    if (season_is_all(key)) {
        *ret = *key;
        return;
    }
    enum season_length length = season_parts(key, &year, &part);
    if (length == SEASON_HAND) {
        season_by_hand(part > 1 ? part - 1 : part, ret);
        return;
    }
    if (length == SEASON_YEAR || --part == 0) {
        year--;
        part = length == SEASON_MONTH ? 12 : 4;
    }
    write_key(ret, year, part, length);
}

int64_t season_end(const struct season_key *key, int32_t offset)
{
    int year, part;
    if (season_is_all(key))
        return INT64_MAX;
    enum season_length length = season_parts(key, &year, &part);
    if (length == SEASON_HAND)
        return INT64_MAX;
    int month = length == SEASON_YEAR ? 13 : length == SEASON_QUARTER ? 3 * part + 1 : part + 1;
    return month > 12 ? date_ms(year + 1, 1, 1, offset) : date_ms(year, month, 1, offset);
}

/* A number of so many digits, in those limits. */
static bool read_part(struct str s, size_t digits, int least, int most, int *ret)
{
    int64_t n;
    if (s.n == 0 || s.n != digits || s.p[0] == '-' || !str_int(s, &n) || n < least || n > most)
        return false;
    *ret = (int)n;
    return true;
}

bool season_read(struct str s, struct season_key *ret)
{
    struct str behind, head = str_cut(s, '-', &behind);
    int year, part;
    char first = s.n > 0 ? s.p[0] : ' ', kind = behind.n > 0 ? behind.p[0] : ' ';
    if ((first == 'S' || first == 's') &&
        read_part(str_skip(s, 1), s.n - 1, 1, SEASONS_BY_HAND, &part))
        season_by_hand(part, ret);
    else if (!read_part(head, 4, 1000, 9999, &year))
        return false;
    else if (head.n == s.n)
        write_key(ret, year, 0, SEASON_YEAR);
    else if ((kind == 'Q' || kind == 'q') && read_part(str_skip(behind, 1), 1, 1, 4, &part))
        write_key(ret, year, part, SEASON_QUARTER);
    else if (read_part(behind, 2, 1, 12, &part))
        write_key(ret, year, part, SEASON_MONTH);
    else
        return false;
    return true;
}

/* ---- as a number: year and part in decimal digits ---- */

enum { CODE_ALL = 1, CODE_YEAR = 100, CODE_QUARTER = 20, CODE_HAND = 10000000 };

int64_t season_code(const struct season_key *key)
{
    int year, part;
    if (season_is_all(key))
        return CODE_ALL;
    enum season_length length = season_parts(key, &year, &part);
    if (length == SEASON_HAND)
        return CODE_HAND + part;
    return (int64_t)year * CODE_YEAR + part + (length == SEASON_QUARTER ? CODE_QUARTER : 0);
}

bool season_of_code(int64_t code, struct season_key *ret)
{
    int year = (int)(code % CODE_HAND / CODE_YEAR), part = (int)(code % CODE_YEAR);
    if (code == CODE_ALL)
        season_all(ret);
    else if (code > CODE_HAND && code <= CODE_HAND + SEASONS_BY_HAND)
        season_by_hand((int)(code - CODE_HAND), ret);
    else if (code < 0 || code >= CODE_HAND || year < 1000 || year > 9999)
        return false;
    else if (part == 0)
        write_key(ret, year, 0, SEASON_YEAR);
    else if (part > CODE_QUARTER && part <= CODE_QUARTER + 4)
        write_key(ret, year, part - CODE_QUARTER, SEASON_QUARTER);
    else if (part <= 12)
        write_key(ret, year, part, SEASON_MONTH);
    else
        return false;
    return true;
}
