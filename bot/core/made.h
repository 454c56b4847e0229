/* The tables of the rule sets that were asked for last, so that a rule set's are made once and not
 * by every event. Filled with zeros it is empty; whoever owns it keeps it between events. What it
 * remembers changes no answer, only how soon it comes. One thread at a time. */
#ifndef KOIKOI_MADE_H
#define KOIKOI_MADE_H

#include "rules.h"

enum { MADE_SLOTS = 32 };

struct made {
    uint64_t clock;                     /* calls so far */
    uint64_t used[MADE_SLOTS];          /* when last; 0 = empty */
    struct ruleset at[MADE_SLOTS];
};

/* r must have passed rules_check(), and may be the `rules` of an earlier answer. The answer stands
 * until MADE_SLOTS other rule sets have been asked for: hold it while one match is dealt with, not
 * longer. */
const struct ruleset *made_ruleset(struct made *m, const struct rules *r);

#endif
