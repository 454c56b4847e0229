/* Self-play: matches of the computer against itself, with complete records. Deterministic: the same
 * rules, players, seed and movers give the same bytes. Server seeds come from a counter, so decks
 * can be checked like any other but are known to anyone who knows the seed. */
#ifndef KOIKOI_SELFPLAY_H
#define KOIKOI_SELFPLAY_H

#include "err.h"
#include "view.h"
#include "str.h"

/* Bytes of the longest match of a rule set, with a few extra rounds. */
enum { SELFPLAY_RECORD_MAX = 1024 * 1024 };

struct selfplay {
    const struct rules *rules;
    int players;
    struct str id;                 /* of the match */
    struct str names[MAX_PLAYERS]; /* in joining order */
    uint64_t seed;
    /* Returns a move of v->legal, or a resignation, for the player who joined as number `who`.
     * `seed` differs from call to call. */
    struct move (*choose)(void *arg, int who, const struct view *v, uint64_t seed);
    void *arg;
};

/* Plays one match and appends its record to *ret_record; *ret_joined is the joining number by seat.
 * Returns false if the record did not fit. */
bool selfplay_match(const struct selfplay *s, struct buf *ret_record, struct match *ret,
                    uint8_t ret_joined[static MAX_PLAYERS]) MUST_CHECK;

#endif
