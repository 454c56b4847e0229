/* Replay of a match record: plays it through the engine, compares every field of every line with
 * the engine's value, and checks the shuffles (verify.h). */
#ifndef KOIKOI_REPLAY_H
#define KOIKOI_REPLAY_H

#include "err.h"
#include "match.h"
#include "str.h"

#include <stdio.h>

/* out (may be NULL) gets the match as text, up to the first wrong line. On failure *ret_line is
 * that line (one behind the last if the record stops short) and err its fault, without a
 * number. */
bool replay_record(struct str record, FILE *out, int *ret_line, struct err *err) MUST_CHECK;

/* Calls during a replay: before each deal, before each move of a player (not before draws that
 * resolve by themselves), and after moves of the round were taken back. hinted: the record says
 * that the move was made after a hint. A call that returns false, with err set, ends the replay. */
struct replay_watch {
    bool (*deal)(void *arg, const struct ruleset *g, const struct match *m, struct err *err);
    bool (*move)(void *arg, const struct ruleset *g, const struct match *m, int seat,
                 struct move mv, bool hinted, struct err *err);
    bool (*takeback)(void *arg, const struct match *m, struct err *err);
    void *arg;
};
/* The same with calls, and without a check of the shuffles. *ret_end is the finished match;
 * ret_names gets the names of the players by seat, one a line. */
bool replay_watched(struct str record, const struct replay_watch *watch, struct match *ret_end,
                    struct rules *ret_rules, struct buf *ret_names, int *ret_line,
                    struct err *err) MUST_CHECK;

#endif
