/* See log.h. A line is written with one call, so that lines do not mix. Whoever reads them may have
 * stopped (a pager, a paused container's log): the loop does not wait for that, and lines are lost. */
#include "log.h"

#include <poll.h>
#include <stdarg.h>
#include <unistd.h>

#include "alloc.h"
#include "utf8.h"

static enum log_level least = LOG_WARN;
static enum log_format chosen = LOG_TEXT;
static const char *const names[] = {"", "error", "warn", "info", "debug"};

void log_open(enum log_level level)
{
    least = level;
}

bool log_wants(enum log_level level)
{
    return level <= least;
}

void log_set_format(enum log_format format)
{
    chosen = format;
}

bool log_format_of(struct str name, enum log_format *ret)
{
    static const char *const formats[] = {"text", "logfmt", "json"};
    for (int i = LOG_TEXT; i <= LOG_JSON; i++)
        if (str_is(name, str_of(formats[i]))) {
            *ret = (enum log_format)i;
            return true;
        }
    return false;
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

/* Between quotes, if it must be. Text has no escapes: a quote becomes another one. */
static void put_value(struct buf *b, struct str v, enum log_format form, bool number)
{
    int64_t n;
    bool json = form == LOG_JSON, quoted = (json && !(number && str_int(v, &n))) || v.n == 0;
    bool whole = utf8_ok(v);
    for (size_t i = 0; i < v.n; i++)
        quoted |= strchr(" \"=\\", v.p[i]) != NULL;
    if (quoted)
        buf_char(b, '"');
    for (size_t i = 0; i < v.n; i++) {
        unsigned char c = (unsigned char)v.p[i];
        bool special = c == '"' || c == '\\';
        if (c < 0x20 || c == 0x7f || (c >= 0x80 && json && !whole)) {
            buf_char(b, '?');
        } else if (form == LOG_TEXT) {
            buf_char(b, c == '"' ? '\'' : (char)c);
        } else {
            if (special)
                buf_char(b, '\\');
            buf_char(b, (char)c);
        }
    }
    if (quoted)
        buf_char(b, '"');
}

static void put_pair(struct buf *b, enum log_format form, const char *key, struct str value)
{
    size_t before = b->n;
    bool number = key[0] == '#';
    key += number;
    if (form == LOG_JSON)
        buf_print(b, "%s\"%s\":", b->n > 1 ? "," : "", key);
    else
        buf_print(b, "%s%s=", b->n > 0 ? " " : "", key);
    put_value(b, value, form, number);
    if (form == LOG_JSON && b->cut) {
        b->n = before;
        b->cut = false;
    }
}

static void put_head(struct buf *b, enum log_format form, const char *level, const char *event)
{
    char time[32];
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t n = strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(time + n, sizeof time - n, ".%03ldZ", now.tv_nsec / 1000000);
    if (form == LOG_TEXT) {
        buf_print(b, "%s %s %s", time, level, event);
        return;
    }
    if (form == LOG_JSON)
        buf_char(b, '{');
    put_pair(b, form, "time", str_of(time));
    put_pair(b, form, "level", str_of(level));
    put_pair(b, form, "event", str_of(event));
}

enum { LINE = 2048, END = 2 /* bytes that are kept for the end of the line */ };

static struct str make_line(char line[static LINE], enum log_format form, enum log_level level,
                            const char *event, va_list args)
{
    struct buf b = {line, 0, LINE - END, false};
    put_head(&b, form, names[level], event);
    for (const char *key; (key = va_arg(args, const char *));)
        put_pair(&b, form, key, str_of(va_arg(args, const char *)));
    b.cap += END;
    b.cut = false;
    buf_put(&b, form == LOG_JSON ? STR("}\n") : STR("\n"));
    return buf_str(&b);
}

static char last_error[LINE];

struct str log_last_error(void)
{
    return str_trim(str_of(last_error));
}

static int n_lost; /* lines, since one was taken */

/* A pipe or socket that can be written to takes a whole line. */
static bool is_taken(void)
{
    struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};
    return poll(&p, 1, 0) != 0;
}

static void put_line(struct str line)
{
    char n[24];
    if (n_lost > 0 && is_taken()) {
        snprintf(n, sizeof n, "%d", n_lost);
        n_lost = 0;
        log_line(LOG_WARN, "log_lost", "#lines", n, "why", "its reader took none", NULL);
    }
    if (is_taken())
        fwrite(line.p, 1, line.n, stderr);
    else
        n_lost++;
}

void log_line(enum log_level level, const char *event, ...)
{
    char line[LINE];
    va_list args;
    va_start(args, event);
    if (level == LOG_ERROR) {
        va_list again;
        va_copy(again, args);
        struct str s = make_line(last_error, LOG_TEXT, level, event, again);
        last_error[s.n - 1] = '\0';
        va_end(again);
    }
    if (log_wants(level)) {
        put_line(make_line(line, chosen, level, event, args));
    }
    va_end(args);
}

void log_hold(struct log_held *h, enum log_level level, const char *event, ...)
{
    if (!log_wants(level))
        return;
    if (h->cap - h->n < LINE) {
        h->cap = (h->cap + LINE) * 2;
        h->text = alloc_grow(h->text, h->cap);
    }
    va_list args;
    va_start(args, event);
    h->n += make_line(h->text + h->n, chosen, level, event, args).n;
    va_end(args);
}

void log_release(struct log_held *h)
{
    for (struct str line, rest = {h->text, h->n}; rest.n > 0;) {
        line = str_cut(rest, '\n', &rest);
        line.n++;
        put_line(line);
    }
    h->n = 0;
}
