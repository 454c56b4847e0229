/* Word wrap. A terminal would cut inside words. A continued line is indented a little below its
 * beginning.
 *
 * Columns are counted as the terminal counts them; our colour codes take none. A word longer than
 * the screen is left to the terminal.
 */
#include <wchar.h>

#include "terminal.h"
#include "utf8.h"

enum { NARROWEST = 20, DEEPEST_INDENT = 24 };

int terminal_wrap_columns(struct str text)
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
        column += terminal_wrap_columns(part);
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

struct str terminal_wrap(struct arena *turn, struct str text, struct str prefix, bool choices,
                         int columns)
{
    if (columns < NARROWEST || text.n == 0)
        return text;
    struct str gap = choices ? STR("  ") : STR(" ");
    int indent = terminal_wrap_columns(prefix) + 2;
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
