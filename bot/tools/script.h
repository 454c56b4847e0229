/* Test driver: a conversation at the terminal, played from a file and checked. The format of
 * scripts is in README.md of tests/terminal.
 *
 * The daemon runs as usual, with the terminal as its only network, in a state directory of its own
 * that is removed at the end. Its clock moves only by the script, and its random numbers come from
 * the script's seed, so a script always plays the same. The output goes to `transcript`, as it
 * stood on the screen.
 */
#ifndef KOIKOI_SCRIPT_H
#define KOIKOI_SCRIPT_H

#include <stdio.h>

#include "err.h"
#include "str.h"

/* Returns false at the first wrong line or failed expectation; *err names file, line, what was
 * expected and what came. */
bool script_run(struct str path, FILE *transcript, struct err *err) MUST_CHECK;

#endif
