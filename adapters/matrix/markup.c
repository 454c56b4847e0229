/* Marked text as the two bodies of a message. The HTML has only tags that every client shows:
 * strong, code, em, pre, br and links to people; and details, whose text stands open where a client
 * does not know it. A name is a pill in the HTML and bare in the plain body; m.mentions notifies,
 * not the pill. Open marks are closed at the end. */
#include "send.h"

enum { MAX_DEPTH = 8, GROWTH = 8 };

static const struct {
    struct str open, close;
} TAGS[] = {
    [MARK_BOLD] = {{"<strong>", 8}, {"</strong>", 9}},
    [MARK_CODE] = {{"<code>", 6}, {"</code>", 7}},
    [MARK_QUIET] = {{"<em>", 4}, {"</em>", 5}},
    [MARK_TABLE] = {{"<pre><code>", 11}, {"</code></pre>", 13}},
    [MARK_END] = {{"", 0}, {"", 0}},
    [MARK_FOLD] = {{"<details><summary>", 18}, {"</details>", 10}},
};

struct markup_writer {
    struct arena *a;
    struct buf plain, html;
    struct rendered out;
    int depth, table;
    bool in_summary; /* the title of a fold */
    uint8_t open[MAX_DEPTH];
};

static void put_html(struct markup_writer *w, char c)
{
    switch (c) {
    case '<':
        buf_put(&w->html, STR("&lt;"));
        break;
    case '>':
        buf_put(&w->html, STR("&gt;"));
        break;
    case '&':
        buf_put(&w->html, STR("&amp;"));
        break;
    case '"':
        buf_put(&w->html, STR("&quot;"));
        break;
    case '\n':
        buf_put(&w->html, w->in_summary  ? STR("</summary>")
                          : w->table > 0 ? STR("\n")
                                         : STR("<br>"));
        w->in_summary = false;
        break;
    default:
        buf_char(&w->html, c);
    }
}

static void put_text(struct markup_writer *w, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        if ((unsigned char)text.p[i] < ' ' && text.p[i] != '\n')
            continue;
        buf_char(&w->plain, text.p[i]);
        put_html(w, text.p[i]);
    }
}

static void put_name(struct markup_writer *w, struct str id, struct str name)
{
    bool person = wire_is_user_id(id), seen = false;
    for (int i = 0; i < w->out.n_named; i++)
        seen |= str_is(w->out.named[i], id);
    if (person && !seen && w->out.n_named < MAX_NAMED)
        w->out.named[w->out.n_named++] = id;
    if (person) {
        buf_put(&w->html, STR("<a href=\"https://matrix.to/#/"));
        buf_put(&w->html, wire_escape(w->a, id));
        buf_put(&w->html, STR("\">"));
    }
    put_text(w, name.n > 0 ? name : id);
    if (person)
        buf_put(&w->html, STR("</a>"));
}

/* A time, in UTC. */
static void put_time(struct markup_writer *w, struct str seconds)
{
    int64_t n;
    struct tm tm;
    if (!str_int(seconds, &n) || n < 0 || n > INT64_C(253402300799))
        return;
    time_t when = (time_t)n;
    gmtime_r(&when, &tm);
    put_text(w, arena_print(w->a, "%04d-%02d-%02d %02d:%02d UTC", tm.tm_year + 1900, tm.tm_mon + 1,
                            tm.tm_mday, tm.tm_hour, tm.tm_min));
}

static void close_mark(struct markup_writer *w)
{
    if (w->depth == 0)
        return;
    uint8_t mark = w->open[--w->depth];
    w->table -= mark == MARK_TABLE;
    if (mark == MARK_FOLD && w->in_summary) {
        buf_put(&w->html, STR("</summary>"));
        w->in_summary = false;
    }
    buf_put(&w->html, TAGS[mark].close);
}

static struct str render_mark(struct markup_writer *w, struct str text)
{
    unsigned char mark = (unsigned char)text.p[0];
    text = str_skip(text, 1);
    if (mark == MARK_END) {
        close_mark(w);
    } else if (mark == MARK_TIME) {
        put_time(w, str_cut(text, MARK_END, &text));
    } else if (mark == MARK_NAME) {
        struct str id = str_cut(text, MARK_NAME, &text);
        put_name(w, id, str_cut(text, MARK_END, &text));
    } else if (w->depth < MAX_DEPTH) {
        w->open[w->depth++] = mark;
        w->table += mark == MARK_TABLE;
        w->in_summary |= mark == MARK_FOLD;
        buf_put(&w->html, TAGS[mark].open);
    }
    return text;
}

struct rendered markup_render(struct arena *a, struct str text)
{
    size_t marks = 0;
    for (size_t i = 0; i < text.n; i++)
        marks += (unsigned char)text.p[i] <= MARK_LAST && text.p[i] != 0;
    /* The longest mark is a pill: its tags, and an id of the text in which each byte becomes
     * three. */
    size_t cap = GROWTH * text.n + marks * 64 + 64;
    struct markup_writer w = {.a = a,
                              .plain = {arena_alloc(a, cap), 0, cap, false},
                              .html = {arena_alloc(a, cap), 0, cap, false}};
    while (text.n > 0) {
        size_t n = 0;
        while (n < text.n && ((unsigned char)text.p[n] > MARK_LAST || text.p[n] == 0))
            n++;
        put_text(&w, (struct str){text.p, n});
        text = str_skip(text, n);
        if (text.n > 0)
            text = render_mark(&w, text);
    }
    while (w.depth > 0)
        close_mark(&w);
    w.out.plain = buf_str(&w.plain);
    w.out.html = marks > 0 ? buf_str(&w.html) : STR("");
    return w.out;
}
