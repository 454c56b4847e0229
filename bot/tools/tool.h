/* What the host's commands share: their exit status, the sentence of a failure, and the argument that
 * names a configuration. */
#ifndef KOIKOI_TOOL_H
#define KOIKOI_TOOL_H

#include "err.h"
#include "str.h"

enum tool_status { TOOL_GOOD = 0, TOOL_BAD = 1, TOOL_MISUSED = 2 };

/* Prints "koikoi COMMAND: why" on standard error. Returns TOOL_BAD. */
int tool_failed(const char *command, const struct err *err);

/* Takes "--config FILE" or "--config=FILE" off the arguments, wherever it stands. Returns the
 * number of those that are left, -1 if FILE is missing. */
int tool_take_config(int argc, char **argv, struct str *ret_file) MUST_CHECK;

#endif
