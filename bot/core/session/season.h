/* Dates; and seasons: quarters, months or years in a chat's local time, or as long as an admin
 * likes. Keys: "2026-Q4", "2026-11", "2026", "S3" for the third by hand, "all" for every match. */
#ifndef KOIKOI_SEASON_H
#define KOIKOI_SEASON_H

#include "str.h"

/* Dates of the proleptic Gregorian calendar, some seconds east of UTC. */
/* month 1 ... 12; weekday 0 = Sunday */
struct date {
    int year, month, day, hour, minute, weekday;
};

/* The local date and time where clocks are `offset` seconds ahead of UTC. */
struct date date_at(int64_t unix_ms, int32_t offset);
/* Midnight there, unix ms. */
int64_t date_ms(int year, int month, int day, int32_t offset);

enum season_length {
    SEASON_QUARTER,
    SEASON_MONTH,
    SEASON_YEAR,
    SEASON_HAND,
    N_SEASON_LENGTHS,
    N_SEASONS_OF_DATE = SEASON_HAND /* those that follow from the date come first */
};
#define SEASON_ALL "all"
enum { SEASONS_BY_HAND = 9999 };
struct season_key {
    char text[12];
};

/* Of a length that follows from the date. */
void season_at(int64_t unix_ms, int32_t offset, enum season_length length, struct season_key *ret);
void season_by_hand(int number, struct season_key *ret); /* 1 ... SEASONS_BY_HAND */
void season_all(struct season_key *ret);
static inline bool season_is_all(const struct season_key *key)
{
    return key->text[0] == 'a';
}
/* The first by hand, and "all", have none before: *ret is the same then. */
void season_before(const struct season_key *key, struct season_key *ret);
/* Length, year, and quarter (1 ... 4), month (1 ... 12) or number of a valid key but "all"; part 0
 * for a year, year 0 for one by hand. */
enum season_length season_parts(const struct season_key *key, int *ret_year, int *ret_part);
/* The first moment after it, unix ms; INT64_MAX for one by hand and "all". */
int64_t season_end(const struct season_key *key, int32_t offset);
/* The key as a number, for buttons; 0 stands for none. */
int64_t season_code(const struct season_key *key);
bool season_of_code(int64_t code, struct season_key *ret);
/* "2026-q3" or "2026-Q3", "2026-07", "2026", "s3". Returns false for anything else, *ret
 * untouched. */
bool season_read(struct str s, struct season_key *ret);

#endif
