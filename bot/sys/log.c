/* See log.h. A line is written with one call, so that lines do not mix. */
#include "log.h"

#include <stdarg.h>

static enum log_level least = LOG_WARN;
static const char *const names[] = {"", "error", "warn", "info", "debug"};

void log_open(enum log_level level)
{
    least = level;
}

bool log_wants(enum log_level level)
{
    return level <= least;
}

bool log_level_of(struct str name, enum log_level *ret)
{
    for (int i = LOG_ERROR; i <= LOG_DEBUG; i++)
        if (str_is(name, str_of(names[i]))) {
            *ret = (enum log_level)i;
            return true;
        }
    return false;
}

static void put_value(struct buf *b, struct str v)
{
    bool plain = v.n > 0;
    for (size_t i = 0; i < v.n; i++)
        plain = plain && v.p[i] != ' ' && v.p[i] != '"' && v.p[i] != '=';
    if (!plain)
        buf_char(b, '"');
    for (size_t i = 0; i < v.n; i++) {
        unsigned char c = (unsigned char)v.p[i];
        buf_char(b, c < 0x20 || c == 0x7f ? '?' : c == '"' ? '\'' : (char)c);
    }
    if (!plain)
        buf_char(b, '"');
}

void log_line(enum log_level level, const char *event, ...)
{
    if (!log_wants(level))
        return;
    char line[2048];
    struct buf b = {line, 0, sizeof line - 1, false};
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    buf_print(&b, "%04d-%02d-%02dT%02d:%02d:%02d.%03ldZ %s %s", utc.tm_year + 1900, utc.tm_mon + 1,
              utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, now.tv_nsec / 1000000, names[level],
              event);
    va_list args;
    va_start(args, event);
    for (const char *key; (key = va_arg(args, const char *));) {
        const char *value = va_arg(args, const char *);
        buf_print(&b, " %s=", key);
        put_value(&b, str_of(value));
    }
    va_end(args);
    b.cap++;
    b.p[b.n++] = '\n';
    fwrite(b.p, 1, b.n, stderr);
}
