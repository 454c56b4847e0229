/* Days of puzzles: when a chat gets its next one by the clock of its zone, and how many days in a
 * row a person has solved.
 *
 *     puzzle_calendar_at(&settings, now)
 *     puzzle_record_load(store, arena, person, day)
 */
#ifndef KOIKOI_INBOX_PUZZLE_H
#define KOIKOI_INBOX_PUZZLE_H

#include "arena.h"
#include "chat_settings.h"
#include "puzzle.h"

struct store;

struct puzzle_calendar {
    int64_t today; /* by the clock of the zone, counted from 1970-01-01 */
    bool passed;   /* today's time has come */
    int64_t next;  /* unix ms: the next time after now; 0: the chat gets none */
};
/* A time that daylight saving leaves out comes an hour off; one that it repeats comes once. */
struct puzzle_calendar puzzle_calendar_at(const struct chat_settings *settings, int64_t now);

/* Of the days before `day`. Its run ends the day before, or another one before. */
struct puzzle_record puzzle_record_load(struct store *s, struct arena *a, int64_t who, int64_t day);

#endif
