/* Our marked text as Telegram shows it: see send.h. A stack holds the open marks. Monospaced text
 * allows no other formatting, so marks inside it are dropped. A time appears twice: the reader's
 * app shows it in their zone and as a countdown; the text inside the tag, in UTC, is for apps that
 * do neither. */
#include "send.h"

#include "utf8.h"

enum { MAX_OPEN = 16, TIME_UNITS = 24 };
#define ENOUGH SIZE_MAX /* room for all of it: no counting */

struct html_writer {
    struct buf out;
    bool html;
    size_t left;                 /* UTF-16 units that still fit, or ENOUGH */
    const char *close[MAX_OPEN]; /* the closing tag of each open mark, or NULL */
    int open;
    bool mono, full;
};

static void put_escaped(struct buf *out, struct str s)
{
    for (size_t n; s.n > 0; s = str_skip(s, n)) {
        n = str_run(s, 0, "<>&\"");
        buf_put(out, (struct str){s.p, n});
        if (n == s.n)
            return;
        char c = s.p[n++];
        buf_put(out, c == '<'   ? STR("&lt;")
                     : c == '>' ? STR("&gt;")
                     : c == '&' ? STR("&amp;")
                                : STR("&quot;"));
    }
}

/* The beginning of s that fits into *left UTF-16 units. */
static struct str fitting(struct str s, size_t *left)
{
    struct str rest = s;
    while (rest.n > 0) {
        struct str before = rest;
        if ((unsigned char)rest.p[0] < 0x80 && *left > 0) { /* the usual case */
            rest = (struct str){rest.p + 1, rest.n - 1};
            --*left;
            continue;
        }
        size_t units = utf8_next(&rest) > 0xFFFF ? 2 : 1;
        if (units > *left)
            return (struct str){s.p, s.n - before.n};
        *left -= units;
    }
    return s;
}

static void put_seen(struct html_writer *w, struct str s)
{
    if (w->full)
        return;
    struct str seen = w->left == ENOUGH ? s : fitting(s, &w->left);
    if (w->html)
        put_escaped(&w->out, seen);
    else
        buf_put(&w->out, seen);
    if (seen.n < s.n) {
        buf_put(&w->out, STR("…"));
        w->full = true;
    }
}

static void push(struct html_writer *w, const char *open, const char *close)
{
    bool shown = w->html && !w->mono && !w->full && w->open < MAX_OPEN;
    if (shown)
        buf_put(&w->out, str_of(open));
    if (w->open < MAX_OPEN)
        w->close[w->open] = shown ? close : NULL;
    w->open++;
}

static void pop(struct html_writer *w)
{
    if (w->open == 0)
        return;
    w->open--;
    const char *close = w->open < MAX_OPEN ? w->close[w->open] : NULL;
    if (!close)
        return;
    buf_put(&w->out, str_of(close));
    if (strcmp(close, "</code>") == 0 || strcmp(close, "</pre>") == 0)
        w->mono = false;
}

static void write_time(struct html_writer *w, struct str digits)
{
    int64_t at;
    struct tm t;
    char shown[40];
    if (!str_int(digits, &at) || at < 0)
        return;
    time_t seconds = (time_t)at;
    if (!gmtime_r(&seconds, &t) || strftime(shown, sizeof shown, "%Y-%m-%d %H:%M UTC", &t) == 0)
        return;
    bool live = w->html && !w->mono && w->left > TIME_UNITS;
    if (live)
        buf_print(&w->out, "<tg-time unix=\"%lld\" format=\"wt\">", (long long)at);
    put_seen(w, str_of(shown));
    if (!live)
        return;
    buf_print(&w->out, "</tg-time> <tg-time unix=\"%lld\" format=\"r\">", (long long)at);
    put_seen(w, STR("⏳"));
    buf_put(&w->out, STR("</tg-time>"));
}

/* s, behind MARK_NAME: the id, MARK_NAME, the name, MARK_END. Returns the rest. */
static struct str write_name(struct html_writer *w, struct str s)
{
    struct str name, id = str_cut(s, MARK_NAME, &name);
    int64_t n;
    bool link = w->html && !w->mono && !w->full && str_int(id, &n) && n > 0;
    if (link)
        buf_print(&w->out, "<a href=\"tg://user?id=%.*s\">", STR_ARG(id));
    struct str rest;
    put_seen(w, str_cut(name, MARK_END, &rest));
    if (link)
        buf_put(&w->out, STR("</a>"));
    return rest;
}

static struct str put_mark(struct html_writer *w, char mark, struct str s)
{
    struct str rest;
    switch (mark) {
    case MARK_BOLD:
        push(w, "<b>", "</b>");
        break;
    case MARK_QUIET:
        push(w, "<i>", "</i>");
        break;
    case MARK_CODE:
    case MARK_TABLE:
        push(w, mark == MARK_CODE ? "<code>" : "<pre>", mark == MARK_CODE ? "</code>" : "</pre>");
        w->mono = w->html;
        break;
    case MARK_FOLD:
        push(w, "<blockquote expandable>", "</blockquote>");
        break;
    case MARK_TIME:
        write_time(w, str_cut(s, MARK_END, &rest));
        return rest;
    case MARK_NAME:
        return write_name(w, s);
    case MARK_END:
        pop(w);
        break;
    }
    return s;
}

/* `left`: units before the ellipsis, or ENOUGH. */
static struct str written(struct arena *a, struct str s, size_t left, bool html)
{
    size_t marks = 0;
    for (size_t i = 0; (i += str_run(str_skip(s, i), MARK_LAST + 1, "")) < s.n; i++)
        marks++;
    size_t cap = s.n * 6 + 256 + marks * 96;
    struct html_writer w = {.out = {arena_room(a, cap), 0, cap, false}, .html = html, .left = left};
    while (s.n > 0 && !w.full) {
        size_t n = 0; /* up to the first mark */
        while ((n += str_run(str_skip(s, n), MARK_LAST + 1, "")) < s.n && s.p[n] < MARK_BOLD)
            n++;
        put_seen(&w, (struct str){s.p, n});
        s = str_skip(s, n);
        if (s.n > 0)
            s = put_mark(&w, s.p[0], str_skip(s, 1));
    }
    while (w.open > 0)
        pop(&w);
    return buf_str(&w.out);
}

/* The value of `left` for a text. One that must be cut needs a unit for the ellipsis. A text never
 * has more units than bytes. */
static size_t room(struct arena *a, struct str marked, size_t most)
{
    size_t times = 0;
    for (struct str rest = marked; rest.n > 0; times++)
        str_cut(rest, MARK_TIME, &rest);
    if (marked.n + times * TIME_UNITS <= most)
        return ENOUGH;
    return utf8_count(written(a, marked, ENOUGH, false), true) <= most ? most : most - 1;
}

struct str tg_html(struct arena *a, struct str marked, size_t most)
{
    return written(a, marked, room(a, marked, most), true);
}

struct str tg_html_plain(struct arena *a, struct str marked, size_t most)
{
    return written(a, marked, room(a, marked, most), false);
}
