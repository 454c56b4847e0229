/* A conversation at the terminal, played from a file and checked: README.md of tests/terminal says
 * how one is written.
 *
 * The daemon runs as it always does, with the terminal as its only network, over a state directory
 * of its own that is removed at the end. But its clock stands still unless the script moves it, and
 * its chance comes from the script's seed, so a script that was played is the same for ever. What
 * was said goes to `transcript`, as it stood on the screen.
 */
#ifndef KOIKOI_SCRIPT_H
#define KOIKOI_SCRIPT_H

#include <stdio.h>

#include "err.h"
#include "str.h"

/* False at the first line that is wrong or not met; *err names file, line, what was expected and
 * what was seen. */
bool script_run(struct str path, FILE *transcript, struct err *err) MUST_CHECK;

#endif
