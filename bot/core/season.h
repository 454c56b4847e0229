/* Seasons: pieces of the calendar in a chat's own time. Keys sort by time: "2026-Q4", "2026-11",
 * "2026". */
#ifndef KOIKOI_SEASON_H
#define KOIKOI_SEASON_H

#include <stdbool.h>
#include <stdint.h>
#include "str.h"

enum season_length { SEASON_QUARTER, SEASON_MONTH, SEASON_YEAR, N_SEASON_LENGTHS };
struct season_key { char text[12]; };

/* month 1 ... 12; weekday 0 = Sunday */
struct date { int year, month, day, hour, minute, weekday; };
/* The date on the wall of a place `offset` seconds east of UTC. Source: the proleptic Gregorian
 * calendar. */
struct date date_at(int64_t unix_ms, int32_t offset);
int64_t date_ms(int year, int month, int day, int32_t offset);      /* midnight there, unix ms */

void season_at(int64_t unix_ms, int32_t offset, enum season_length length, struct season_key *ret);
void season_before(const struct season_key *key, struct season_key *ret);
/* Of a key that season_at or season_read made: its length, its year, and which quarter (1 ... 4) or
 * month (1 ... 12) of it; 0 for a year. */
enum season_length season_parts(const struct season_key *key, int *ret_year, int *ret_part);
/* The first moment after it, unix ms. */
int64_t season_end(const struct season_key *key, int32_t offset);
/* "2026-q3" or "2026-Q3", "2026-07", "2026"; false if it is none. */
bool season_read(struct str s, struct season_key *ret);

#endif
