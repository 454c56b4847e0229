/* Plays a match record again through the engine and compares every field of every line with what
 * the rules make of it; the shuffles are checked too (verify.h). */
#ifndef KOIKOI_REPLAY_H
#define KOIKOI_REPLAY_H

#include "err.h"
#include "match.h"
#include "str.h"

#include <stdio.h>

/* out (may be NULL) gets the match as a person would note it down, as far as it is right. On
 * failure *ret_line is the first wrong line (one behind the last if the record stops short) and err
 * says what is wrong with it, without the number. */
bool replay_record(struct str record, FILE *out, int *ret_line, struct err *err) MUST_CHECK;

/* Looks on while a record is played again: before each deal, and before each move of a player (what
 * follows by itself is none). hinted: the record says that it was made after a hint. A watcher that
 * answers false ends it there, with err set. */
struct replay_watch {
    bool (*deal)(void *arg, const struct ruleset *g, const struct match *m, struct err *err);
    bool (*move)(void *arg, const struct ruleset *g, const struct match *m, int seat,
                 struct move mv, bool hinted, struct err *err);
    void *arg;
};
/* The same check of the game, watched; shuffles are not looked at. *ret_end is the match as it
 * ended; names: the players by seat, appended to `ret_names` one a line. */
bool replay_watched(struct str record, const struct replay_watch *watch, struct match *ret_end,
                    struct rules *ret_rules, struct buf *ret_names, int *ret_line,
                    struct err *err) MUST_CHECK;

#endif
