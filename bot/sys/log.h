/* Log: one line per event on standard error, with UTC time, level, event name and key=value pairs.
 * Values with blanks are quoted, control bytes become '?'. Never log a token, a URL, a hand or what
 * people wrote. */
#ifndef KOIKOI_LOG_H
#define KOIKOI_LOG_H

#include "str.h"

enum log_level { LOG_NOTHING, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Drops lines above `least` from now on; the default is LOG_WARN. */
void log_open(enum log_level least);
/* "error", "warn", "info", "debug"; returns false for anything else. */
bool log_level_of(struct str name, enum log_level *ret);
/* True if lines of that level are written: asked where it costs something to make one. */
bool log_wants(enum log_level level);
/* log_line(LOG_WARN, "poll_failed", "account", name, "why", err.text, NULL): pairs of C strings. */
void log_line(enum log_level level, const char *event, ...) __attribute__((sentinel));

#endif
