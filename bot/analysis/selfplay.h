/* Matches of the computer against itself, with complete records. Deterministic: the same rules,
 * players, seed and movers give the same bytes. Its seeds come from a counter, not from chance: the
 * decks can be checked like any other, but are no secret to whoever knows the seed. */
#ifndef KOIKOI_SELFPLAY_H
#define KOIKOI_SELFPLAY_H

#include "err.h"
#include "view.h"
#include "str.h"

/* Room for the longest match a rule set asks for, and a few extra rounds. */
enum { SELFPLAY_RECORD_MAX = 1024 * 1024 };

struct selfplay {
    const struct rules *rules;
    int players;
    struct str id;                        /* of the match */
    struct str names[MAX_PLAYERS];        /* in joining order */
    uint64_t seed;
    /* The move of who joined as number `who`, out of v->legal, or a resignation. `seed` differs
     * from one call to the next. */
    struct move (*choose)(void *arg, int who, const struct view *v, uint64_t seed);
    void *arg;
};

/* Plays one match; its record is appended to *ret_record, *ret_joined is who sat where. False if
 * the record was cut: the match has more rounds than fit. */
bool selfplay_match(const struct selfplay *s, struct buf *ret_record, struct match *ret,
                    uint8_t ret_joined[static MAX_PLAYERS]) MUST_CHECK;

/* `koikoi selfplay --rules R [--rounds N] --levels a,b --matches N --seed S --record DIR`; returns
 * the exit status. */
int selfplay_main(int argc, char **argv);

#endif
