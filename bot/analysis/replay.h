/* What a match record shows: the match played again, its shuffles checked, its positions.
 *
 * A replay plays the record through the engine, compares every field of every line with the
 * engine's value, and checks the shuffles. */
#ifndef KOIKOI_REPLAY_H
#define KOIKOI_REPLAY_H

#include "arena.h"
#include "err.h"
#include "match.h"
#include "str.h"
#include "table.h"

#include <stdio.h>

/* out (may be NULL) gets the match as text, up to the first wrong line. On failure *ret_line is
 * that line (one behind the last if the record stops short) and err its fault, without a
 * number. */
bool replay_record(struct str record, FILE *out, int *ret_line, struct err *err) MUST_CHECK;

/* What happens in a replay: before each deal, before each move of a player (not before draws that
 * resolve by themselves), and after moves of the round were taken back. */
struct replay_event {
    enum { REPLAY_DEAL, REPLAY_MOVE, REPLAY_TAKEBACK } what;
    const struct ruleset *ruleset;
    const struct match *match;
    int seat; /* this and those below: of a move */
    struct move move;
    bool hinted; /* the record says that it was made after a hint */
    int line;    /* of the record, from 1 */
};
/* Returns false, with err, to end the replay. */
typedef bool replay_watch(void *arg, const struct replay_event *e, struct err *err);
/* The same with calls, and without a check of the shuffles. *ret_end is the finished match;
 * ret_names gets the names of the players by seat, one a line. */
bool replay_watched(struct str record, replay_watch *watch, void *arg, struct match *ret_end,
                    struct rules *ret_rules, struct buf *ret_names, int *ret_line,
                    struct err *err) MUST_CHECK;

/* Positions of a finished match, from 0: as it stood before each move, and at the end of each round,
 * after so many lines of the record; `begins`: with it a round begins. On failure some have been
 * called already. */
typedef void replay_each(void *arg, const struct match *m, int n, int lines, bool begins);
bool replay_positions(struct str record, replay_each *each, void *arg, struct err *err) MUST_CHECK;

/* Plays the record of a finished match up to position `step`: how it stood before each move, and at
 * the end of each round; one that is too great is the last. *ret lives in the arena. */
bool replay_position(struct str record, int64_t step, struct arena *a, const struct position **ret,
                     struct err *err) MUST_CHECK;

/* Checks the shuffles alone: lots, commitments, seeds, decks (README.md of bot/formats, "Fair
 * shuffle"). out (may be NULL) gets a line for each good shuffle, with who cut it, and what that
 * proves. On failure *ret_line is the first wrong line and err its fault, without the number. */
bool verify_record(struct str record, FILE *out, int *ret_line, struct err *err) MUST_CHECK;

#endif
