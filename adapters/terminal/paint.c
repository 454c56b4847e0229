/* Marked text as terminal text, wrapped between words.
 *
 * Marks nest, so a small stack holds the open ones; when one closes, the style is reset and the
 * open ones are set again. Without colour they leave no trace, but a choice keeps its [number].
 * Each line ends with a reset: lines have prefixes, and a terminal cut off inside a message keeps
 * no colour.
 *
 * A terminal would cut inside words. A continued line is indented a little below its beginning.
 * Columns are counted as the terminal counts them; our colour codes take none. A word longer than
 * the screen is left to the terminal.
 */
#include <wchar.h>

#include "terminal.h"
#include "utf8.h"

enum { DEEPEST = 8, OUT_MAX = 256 * 1024, NARROWEST = 20, DEEPEST_INDENT = 24 };

/* SGR parameters (select graphic rendition) of each mark. */
static const char *const mark_styles[] = {
    [MARK_BOLD] = "1", [MARK_CODE] = "36", [MARK_QUIET] = "2", [MARK_TIME] = "4",
    [MARK_NAME] = "1", [MARK_TABLE] = "",  [MARK_FOLD] = "2",
};
static const char *const button_styles[] = {
    [BUTTON_PLAIN] = "",    [BUTTON_TAKE] = "32", [BUTTON_YAKU] = "1;34",
    [BUTTON_DANGER] = "31", [BUTTON_LINK] = "4",
};

struct painter {
    struct buf out;
    struct str prefix;
    bool colour, line_begun;
    int depth;
    unsigned char open[DEEPEST];
};

static void put_style(struct painter *p, const char *sgr)
{
    if (p->colour && sgr && *sgr)
        buf_print(&p->out, "\033[%sm", sgr);
}

static void put_open_styles(struct painter *p)
{
    put_style(p, "0");
    for (int i = 0; i < p->depth && i < DEEPEST; i++)
        put_style(p, mark_styles[p->open[i]]);
}

static void begin_line(struct painter *p)
{
    if (p->line_begun)
        return;
    p->line_begun = true;
    buf_put(&p->out, p->prefix);
    if (p->depth > 0)
        put_open_styles(p);
}

static void end_line(struct painter *p)
{
    begin_line(p);
    if (p->depth > 0)
        put_style(p, "0");
    buf_char(&p->out, '\n');
    p->line_begun = false;
}

static void put_point(struct painter *p, uint32_t point)
{
    char bytes[UTF8_LONGEST];
    if (point == '\n') {
        end_line(p);
    } else if (!utf8_is_control(point)) {
        begin_line(p);
        buf_put(&p->out, (struct str){bytes, utf8_put(point, bytes)});
    }
}

/* A time in the zone of this machine, to the minute. */
static void paint_time(struct painter *p, struct str digits)
{
    int64_t seconds = 0;
    struct tm tm;
    char text[32];
    if (!str_int(digits, &seconds))
        return;
    time_t t = (time_t)seconds;
    if (localtime_r(&t, &tm) && strftime(text, sizeof text, "%Y-%m-%d %H:%M", &tm) > 0) {
        begin_line(p);
        buf_put(&p->out, str_of(text));
    }
}

static void open_mark(struct painter *p, unsigned char mark, struct str *rest)
{
    begin_line(p);
    if (p->depth < DEEPEST)
        p->open[p->depth] = mark;
    p->depth++;
    put_style(p, mark_styles[mark]);
    if (mark == MARK_NAME) /* the hidden part, ahead of the text: the id */
        str_cut(*rest, MARK_NAME, rest);
    if (mark == MARK_TIME) {
        size_t n = 0;
        while (n < rest->n && rest->p[n] != MARK_END)
            n++;
        paint_time(p, (struct str){rest->p, n});
        *rest = str_skip(*rest, n);
    }
}

struct str terminal_paint(struct arena *turn, struct str prefix, struct str text, bool colour)
{
    size_t cap = 4 * text.n + 4096 < OUT_MAX ? 4 * text.n + 4096 : OUT_MAX;
    struct painter p = {
        .out = {arena_alloc(turn, cap), 0, cap - 1, false}, .prefix = prefix, .colour = colour};
    while (text.n > 0) {
        unsigned char c = (unsigned char)text.p[0];
        if (c >= MARK_BOLD && c <= MARK_LAST && c != MARK_END) {
            text = str_skip(text, 1);
            open_mark(&p, c, &text);
        } else if (c == MARK_END) {
            text = str_skip(text, 1);
            if (p.depth > 0) {
                p.depth--;
                put_open_styles(&p);
            }
        } else {
            put_point(&p, utf8_next(&text));
        }
    }
    p.depth = p.depth > 0 ? 1 : 0;
    if (p.line_begun || p.out.n == 0)
        end_line(&p);
    if (p.out.cut) { /* too long: cut at a character */
        p.out.cap++;
        p.out.n = utf8_cut(buf_str(&p.out), cap - 8, false).n;
        buf_char(&p.out, '\n');
    }
    return buf_str(&p.out);
}

struct str terminal_paint_buttons(struct arena *turn, struct str prefix,
                                  const struct button *buttons, int n, bool letters, bool colour)
{
    size_t cap = 1;
    for (int i = 0; i < n; i++)
        cap += buttons[i].label.n + prefix.n + 48;
    struct painter p = {
        .out = {arena_alloc(turn, cap), 0, cap, false}, .prefix = prefix, .colour = colour};
    for (int i = 0; i < n; i++) {
        if (buttons[i].label.n == 0) /* its number stands in the text */
            continue;
        if (p.line_begun)
            buf_put(&p.out, STR("  "));
        begin_line(&p);
        put_style(&p, "7");
        if (letters)
            buf_print(&p.out, "[%c]", 'a' + i % 26);
        else
            buf_print(&p.out, "[%d]", i + 1);
        put_style(&p, "0");
        buf_char(&p.out, ' ');
        put_style(&p,
                  button_styles[buttons[i].style <= BUTTON_LINK ? buttons[i].style : BUTTON_PLAIN]);
        for (struct str label = buttons[i].label; label.n > 0;) {
            uint32_t point = utf8_next(&label);
            put_point(&p, point == '\n' ? ' ' : point);
        }
        put_style(&p, "0");
        if (buttons[i].row_end || i == n - 1)
            end_line(&p);
    }
    return buf_str(&p.out);
}

/* ---- lines that fit the screen ---- */

int terminal_paint_columns(struct str text)
{
    int n = 0;
    while (text.n > 0) {
        if (text.p[0] == '\033') {
            size_t i = 1;
            while (i < text.n && !(text.p[i] >= 'A' && text.p[i] <= 'z' && text.p[i] != '['))
                i++;
            text = str_skip(text, i < text.n ? i + 1 : i);
            continue;
        }
        int width = wcwidth((wchar_t)utf8_next(&text));
        n += width > 0 ? width : 0;
    }
    return n;
}

/* The part of *rest before the next gap; *rest then begins with that gap. */
static struct str next_part(struct str *rest, struct str gap)
{
    size_t n = 0;
    while (n < rest->n && (n == 0 || !str_starts((struct str){rest->p + n, rest->n - n}, gap)))
        n++;
    struct str part = {rest->p, n};
    *rest = str_skip(*rest, n);
    return part;
}

/* The bytes of a line that go into one row: as many parts as fit, at least one. In a list the row
 * ends behind an entry rather than inside the next, unless half of it would be empty. */
static size_t row_bytes(struct str line, struct str gap, int columns)
{
    size_t fit = 0, entries = 0;
    int column = 0, at_entry = 0;
    for (struct str rest = line; rest.n > 0;) {
        struct str part = next_part(&rest, gap);
        column += terminal_paint_columns(part);
        if (fit > 0 && column > columns)
            return at_entry > columns / 2 ? entries : fit;
        fit = line.n - rest.n;
        if (part.n >= 2 && memcmp(part.p + part.n - 2, "\xC2\xB7", 2) == 0) {
            entries = fit;
            at_entry = column;
        }
    }
    return line.n;
}

static void wrap_line(struct buf *out, struct str line, struct str gap, int indent, int columns)
{
    int set_in = 0;
    do {
        for (int i = 0; i < set_in; i++)
            buf_char(out, ' ');
        size_t n = row_bytes(line, gap, columns - set_in);
        buf_put(out, (struct str){line.p, n});
        buf_char(out, '\n');
        line = str_skip(line, n);
        line = str_skip(line, line.n > 0 ? gap.n : 0);
        set_in = indent;
    } while (line.n > 0);
}

struct str terminal_paint_wrap(struct arena *turn, struct str text, struct str prefix, bool choices,
                               int columns)
{
    if (columns < NARROWEST || text.n == 0)
        return text;
    struct str gap = choices ? STR("  ") : STR(" ");
    int indent = terminal_paint_columns(prefix) + 2;
    if (indent > DEEPEST_INDENT || indent > columns / 2)
        indent = 2;
    size_t cap = text.n + 1;
    for (size_t i = 0; i < text.n; i++)
        cap += text.p[i] == ' ' ? (size_t)indent + 1 : 0;
    struct buf out = {arena_alloc(turn, cap), 0, cap, false};
    while (text.n > 0) {
        struct str line = str_cut(text, '\n', &text);
        wrap_line(&out, line, gap, indent, columns);
    }
    return buf_str(&out);
}
