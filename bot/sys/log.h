/* One line an event on standard error: UTC time, level, what happened, then key=value. Values with
 * blanks are quoted, control bytes are shown as '?'. Never a token, a URL, a hand or what people
 * wrote. */
#ifndef KOIKOI_LOG_H
#define KOIKOI_LOG_H

#include "str.h"

enum log_level { LOG_NOTHING, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Lines above `least` are dropped; LOG_WARN until it is called. Nothing is ever said at
 * LOG_NOTHING. */
void log_open(enum log_level least);
/* "error", "warn", "info", "debug"; false for anything else. */
bool log_level_of(struct str name, enum log_level *ret);
/* log_line(LOG_WARN, "poll_failed", "account", name, "why", err.text, NULL): pairs of C strings. */
void log_line(enum log_level level, const char *event, ...) __attribute__((sentinel));

#endif
