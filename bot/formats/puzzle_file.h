/* Puzzles as JSON, a line each: config/puzzles.jsonl, made by `make puzzles`.
 *
 *     {"puzzle":1,"view":{a state of the engine protocol},"best":{a move},"win":[58,41],
 *      "missed_by":"normal","reason":{"kind":"denies","seat":1,"yaku":"sanko","card":"8b",
 *      "chance":12,"instead":41}}
 *
 * `view` is what one seat sees. `win` has a number for each legal move, in the engine's order. A
 * choice between stop and koi-koi has, instead of a reason, "calls" with the numbers of both. */
#ifndef KOIKOI_PUZZLE_FILE_H
#define KOIKOI_PUZZLE_FILE_H

#include "err.h"
#include "puzzle.h"

/* Reads one line. Rule sets are the built-in ones. */
bool puzzle_file_read(struct str line, struct puzzle *ret, struct err *err) MUST_CHECK;
/* The line of a puzzle, by its place from 0, in the bytes of the file; empty if not found. */
struct str puzzle_file_line(struct str file, int place);
/* The number of lines. */
int puzzle_file_count(struct str file);

#endif
