/* Log: one line per event on standard error, with UTC time, level, event name and pairs of key and
 * value. Never log a token, a URL, a hand or what people wrote.
 *
 *     text      2026-11-22T18:05:00.123Z warn poll_failed account=telegram why="no answer"
 *     logfmt    time=2026-11-22T18:05:00.123Z level=warn event=poll_failed account=telegram ...
 *     json      {"time":"2026-11-22T18:05:00.123Z","level":"warn","event":"poll_failed", ...}
 *
 * Control bytes become '?'. A line has at most 2 KiB: of a longer one the rest is missing, in JSON
 * whole pairs. */
#ifndef KOIKOI_LOG_H
#define KOIKOI_LOG_H

#include "str.h"

enum log_level { LOG_NOTHING, LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

enum log_format { LOG_TEXT, LOG_LOGFMT, LOG_JSON };

/* The default is LOG_TEXT. */
void log_set_format(enum log_format format);
/* "text", "logfmt", "json"; returns false for anything else. */
bool log_format_of(struct str name, enum log_format *ret);
/* Drops lines above `least` from now on; the default is LOG_WARN. */
void log_open(enum log_level least);
/* "error", "warn", "info", "debug"; returns false for anything else. */
bool log_level_of(struct str name, enum log_level *ret);
/* True if lines of that level are written: asked where it costs something to make one. */
bool log_wants(enum log_level level);
/* log_line(LOG_WARN, "poll_failed", "account", name, "#ms", "250", NULL): pairs of C strings. A key
 * that begins with '#' has a whole number: in JSON it stands without quotes. */
void log_line(enum log_level level, const char *event, ...) __attribute__((sentinel));

/* The last line of LOG_ERROR, as text, for `koikoi doctor`; empty before the first. Stands
 * until the next. */
struct str log_last_error(void);

/* Lines on what is not durable yet. Zeroed is empty; cut back to fewer bytes, it forgets what was
 * undone; log_release() writes them. The owner frees `text`. */
struct log_held {
    char *text;
    size_t n, cap;
};
void log_hold(struct log_held *h, enum log_level level, const char *event, ...)
    __attribute__((sentinel));
void log_release(struct log_held *h);

#endif
