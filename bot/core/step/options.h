/* Values of options ("24h", "6", a list of what is allowed), and the options of /challenge, typed
 * in any order behind it. */
#ifndef KOIKOI_OPTIONS_H
#define KOIKOI_OPTIONS_H

#include "turn.h"

/* "30m", "24h", "2d" as ms, one minute to 30 days; 0 for "none". Returns -1 for anything else. */
int64_t value_span(struct step *st, struct str s);
/* "24h" for one move, "10m+20s" for the match and after each turn, "none". */
bool value_clock(struct step *st, struct str s, struct time_control *ret);
bool value_number(struct str s, int64_t low, int64_t high, int64_t *ret);
/* True if the rule set may be played with its number of rounds. */
bool value_rounds_ok(const struct rules *r);
/* Appends to a list, with a comma between. */
struct str value_list(struct step *st, struct str list, struct str item);

/* Refusals; all return false. The second argument of the sentence is the help command, what is
 * allowed, or the allowed numbers of rounds. */
bool value_refuse(struct step *st, enum text key, struct str word);
bool value_refuse_for(struct step *st, struct str name, struct arg allowed);
bool value_refuse_clock(struct step *st);
bool value_refuse_rounds(struct step *st, const struct rules *r);

struct challenge_options {
    struct rules rules;
    struct time_control time;                 /* move_ms -1: not given */
    int players;                              /* 0 = not given */
    int computers, level;                     /* level -1 = not given */
    int n_characters, character[MAX_PLAYERS]; /* named computers, in order */
    int open;
    bool by_code, casual;
};
/* Returns false after a refusal. */
bool challenge_options_read(struct step *st, struct str words, struct challenge_options *ret);

#endif
