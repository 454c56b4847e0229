/* Options of /challenge, as typed in any order behind it. */
#ifndef KOIKOI_CHALLENGE_OPTIONS_H
#define KOIKOI_CHALLENGE_OPTIONS_H

#include "step_internal.h"

struct challenge_options {
    struct rules rules;
    int64_t clock_ms;                         /* for one move; 0 none, -1 not given */
    int64_t total_ms, gain_ms;                /* for the match; 0 none */
    int players;                              /* 0 = not given */
    int computers, level;                     /* level -1 = not given */
    int n_characters, character[MAX_PLAYERS]; /* named computers, in order */
    int open;
    bool by_code, casual;
};
/* Returns false after a refusal. */
bool challenge_options_read(struct step *st, struct str words, struct challenge_options *ret);

#endif
