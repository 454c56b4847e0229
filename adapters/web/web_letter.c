/* A message as JSON. Its text becomes runs of one style each, so that a page puts text nodes and
 * never markup. See README.md. */
#include "web.h"

#include "json.h"

enum { RUN_DEPTH = 8, LETTER_BYTES = 64 * 1024 };

/* The letter of each mark in the styles of a run. The title of a fold is 'f', what it hides 'F'. */
static const char styles[] = {
    [MARK_BOLD] = 'b', [MARK_CODE] = 'c',  [MARK_QUIET] = 'q', [MARK_TIME] = 'w',
    [MARK_NAME] = 'n', [MARK_TABLE] = 't', [MARK_FOLD] = 'f'};

/* The open marks, outermost first. */
struct run {
    char open[RUN_DEPTH];
    int depth;
};

static void put_run(struct buf *b, const struct run *r, struct str text)
{
    int n = r->depth < RUN_DEPTH ? r->depth : RUN_DEPTH;
    if (text.n == 0)
        return;
    json_put_open(b, NULL, '[');
    json_put_str(b, NULL, (struct str){r->open, (size_t)n});
    json_put_str(b, NULL, text);
    buf_char(b, ']');
}

static void open_mark(struct run *r, unsigned char mark)
{
    if (r->depth < RUN_DEPTH)
        r->open[r->depth] = styles[mark];
    r->depth++;
}

/* In a fold the first line is its title. */
static int title_of(const struct run *r)
{
    for (int i = 0; i < r->depth && i < RUN_DEPTH; i++)
        if (r->open[i] == 'f')
            return i;
    return -1;
}

static void put_runs(struct buf *b, struct str text)
{
    struct run r = {.depth = 0};
    size_t from = 0;
    json_put_open(b, "text", '[');
    for (size_t i = 0; i <= text.n; i++) {
        unsigned char c = i < text.n ? (unsigned char)text.p[i] : MARK_END;
        bool mark = c >= MARK_BOLD && c <= MARK_LAST, line = c == '\n' && title_of(&r) >= 0;
        if (!mark && !line)
            continue;
        put_run(b, &r, (struct str){text.p + from, i - from});
        from = i + mark;
        if (line)
            r.open[title_of(&r)] = 'F';
        else if (c == MARK_END)
            r.depth -= r.depth > 0;
        else
            open_mark(&r, c);
        if (c == MARK_NAME) { /* the id is for networks that notify */
            while (from < text.n && text.p[from] != MARK_NAME)
                from++;
            i = from;
            from++;
        }
    }
    buf_char(b, ']');
}

static void put_buttons(struct buf *b, const struct outgoing *out)
{
    static const char *const names[BUTTON_STYLES] = {[BUTTON_PLAIN] = "",
                                                     [BUTTON_TAKE] = "take",
                                                     [BUTTON_YAKU] = "yaku",
                                                     [BUTTON_DANGER] = "danger"};
    json_put_open(b, "buttons", '[');
    for (int i = 0; i < out->n_buttons; i++) {
        const struct button *button = &out->buttons[i];
        bool pressed = button->style < BUTTON_STYLES && names[button->style];
        if (!pressed) /* one that leads to where the reader is */
            continue;
        json_put_open(b, NULL, '{');
        json_put_str(b, "text", button->label);
        json_put_str(b, "press", button->data);
        json_put_str(b, "style", str_of(names[button->style]));
        json_put_bool(b, "row", button->row_end);
        buf_char(b, '}');
    }
    buf_char(b, ']');
}

struct str web_letter(struct arena *a, const struct outgoing *out, struct str slot)
{
    struct buf b = {arena_room(a, LETTER_BYTES), 0, LETTER_BYTES, false};
    json_put_open(&b, NULL, '{');
    json_put_str(&b, "slot", slot);
    json_put_str(&b, "who", STR(""));
    json_put_bool(&b, "popup", out->kind == OUT_ANSWER);
    json_put_bool(&b, "gone", out->kind == OUT_ERASE);
    put_runs(&b, out->kind == OUT_ERASE ? STR("") : out->text);
    put_buttons(&b, out);
    buf_char(&b, '}');
    return b.cut ? STR("{}") : buf_str(&b);
}
