/* From marked text to what a terminal shows.
 *
 * Marks nest, so a small stack remembers which are open; when one closes, colours are reset and
 * those still open are said again. Without colour they leave no trace, but a choice keeps its
 * [number]. Each line is closed with a reset: lines are prefixed, and a terminal that is cut off in
 * the middle of a message keeps no colour.
 */
#include "terminal.h"
#include "utf8.h"

enum { DEEPEST = 8, OUT_MAX = 256 * 1024 };

/* Select-graphic-rendition parameters of each mark. */
static const char *const looks[] = {
    [MARK_BOLD] = "1", [MARK_CODE] = "36", [MARK_QUIET] = "2",
    [MARK_TIME] = "4", [MARK_NAME] = "1",  [MARK_TABLE] = "",
};
static const char *const button_looks[] = {
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

static void look(struct painter *p, const char *sgr)
{
    if (p->colour && sgr && *sgr)
        buf_print(&p->out, "\033[%sm", sgr);
}

static void look_again(struct painter *p)
{
    look(p, "0");
    for (int i = 0; i < p->depth && i < DEEPEST; i++)
        look(p, looks[p->open[i]]);
}

static void begin_line(struct painter *p)
{
    if (p->line_begun)
        return;
    p->line_begun = true;
    buf_put(&p->out, p->prefix);
    if (p->depth > 0)
        look_again(p);
}

static void end_line(struct painter *p)
{
    begin_line(p);
    if (p->depth > 0)
        look(p, "0");
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

/* A time for this screen: its own zone, to the minute. */
static void put_time(struct painter *p, struct str digits)
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

/* What a mark carries before its shown text: the id of a name, the digits of a time. */
static struct str mark_head(struct str *rest, char until)
{
    return str_cut(*rest, until, rest);
}

static void open_mark(struct painter *p, unsigned char mark, struct str *rest)
{
    begin_line(p);
    if (p->depth < DEEPEST)
        p->open[p->depth] = mark;
    p->depth++;
    look(p, looks[mark]);
    if (mark == MARK_NAME)
        (void)mark_head(rest, MARK_NAME);
    if (mark == MARK_TIME) {
        size_t n = 0;
        while (n < rest->n && rest->p[n] != MARK_END)
            n++;
        put_time(p, (struct str){rest->p, n});
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
        if (c >= MARK_BOLD && c <= MARK_TABLE) {
            text = str_skip(text, 1);
            open_mark(&p, c, &text);
        } else if (c == MARK_END) {
            text = str_skip(text, 1);
            if (p.depth > 0) {
                p.depth--;
                look_again(&p);
            }
        } else {
            put_point(&p, utf8_next(&text));
        }
    }
    p.depth = p.depth > 0 ? 1 : 0;
    if (p.line_begun || p.out.n == 0)
        end_line(&p);
    if (p.out.cut) { /* a monster: whole characters, then its end */
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
        if (p.line_begun)
            buf_put(&p.out, STR("  "));
        begin_line(&p);
        look(&p, "7");
        if (letters)
            buf_print(&p.out, "[%c]", 'a' + i % 26);
        else
            buf_print(&p.out, "[%d]", i + 1);
        look(&p, "0");
        buf_char(&p.out, ' ');
        look(&p, button_looks[buttons[i].style <= BUTTON_LINK ? buttons[i].style : BUTTON_PLAIN]);
        for (struct str label = buttons[i].label; label.n > 0;) {
            uint32_t point = utf8_next(&label);
            put_point(&p, point == '\n' ? ' ' : point);
        }
        look(&p, "0");
        if (buttons[i].row_end || i == n - 1)
            end_line(&p);
    }
    return buf_str(&p.out);
}
