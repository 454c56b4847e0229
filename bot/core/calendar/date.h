/* Dates of the proleptic Gregorian calendar, some seconds east of UTC. */
#ifndef KOIKOI_DATE_H
#define KOIKOI_DATE_H

#include <stdbool.h>
#include <stdint.h>

/* month 1 ... 12; weekday 0 = Sunday */
struct date {
    int year, month, day, hour, minute, weekday;
};

/* The local date and time where clocks are `offset` seconds ahead of UTC. */
struct date date_at(int64_t unix_ms, int32_t offset);
/* Midnight there, unix ms. */
int64_t date_ms(int year, int month, int day, int32_t offset);

#endif
