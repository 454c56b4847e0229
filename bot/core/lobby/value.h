/* Values of options: "24h", "6", a list of what is allowed. Shared by challenge_options.c and
 * settings.c. */
#ifndef KOIKOI_VALUE_H
#define KOIKOI_VALUE_H

#include "step_internal.h"

/* A clock: for one move, -1 not given; or for the match, and what a turn adds. */
struct clock_value {
    int64_t move_ms, total_ms, gain_ms;
};

/* "30m", "24h", "2d" as ms, one minute to 30 days; 0 for "none". Returns -1 for anything else. */
int64_t value_span(struct step *st, struct str s);
/* "24h" for one move, "10m+20s" for the match and after each turn, "none". */
bool value_clock(struct step *st, struct str s, struct clock_value *ret);
bool value_number(struct str s, int64_t low, int64_t high, int64_t *ret);
/* Keys of characters and "none", blank and comma between them. */
struct str value_characters(struct step *st);
/* "beginner, easy ..." */
struct str value_levels(struct step *st);

/* True if the rule set may be played with its number of rounds. */
bool value_rounds_ok(const struct rules *r);

/* Refusals; all return false. The second argument of the sentence is the help command, what is
 * allowed, or the allowed numbers of rounds. */
bool value_refuse(struct step *st, enum text key, struct str word);
bool value_refuse_for(struct step *st, struct str name, struct arg allowed);
bool value_refuse_rounds(struct step *st, const struct rules *r);

#endif
