/* See transcript.h. */
#include "golden/transcript.h"

#include "command.h"

#include <assert.h>
#include <ctype.h>

#define THIS_VERSION "koikoi " KOIKOI_VERSION

/* ---- text ---- */

static size_t digits_at(struct str s)
{
    size_t n = 0;
    while (n < s.n && isdigit((unsigned char)s.p[n]))
        n++;
    return n;
}

void transcript_text(struct buf *b, struct str s)
{
    struct str rest;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        size_t hex = 0;
        while (i + hex < s.n && isxdigit((unsigned char)s.p[i + hex]) && hex < 65)
            hex++;
        size_t digits = i > 0 && isdigit((unsigned char)s.p[i - 1]) ? 0 : digits_at(str_skip(s, i));
        struct str behind = str_skip(s, i + digits);
        if (digits > 0 && (str_starts(behind, STR(" %")) || str_starts(behind, STR("%")))) {
            buf_put(b, STR("<n>"));
            i += digits - 1;
            continue;
        }
        if (str_starts(str_skip(s, i), STR(THIS_VERSION))) {
            buf_put(b, STR("koikoi <version>"));
            i += sizeof THIS_VERSION - 2;
        } else if (hex == 64) {
            buf_put(b, STR("<hash>"));
            i += 63;
        } else if (c == '\n') {
            buf_put(b, STR("\n    "));
        } else if (c == MARK_CODE &&
                   chat_harness_is_code(str_cut(str_skip(s, i + 1), MARK_END, &rest))) {
            buf_put(b, STR("<code>"));
            i = (size_t)(rest.p - s.p) - 1;
        } else if (c == MARK_NAME) {
            buf_char(b, '@');
            while (++i < s.n && s.p[i] != MARK_NAME)
                continue;
        } else if (c == MARK_TIME) {
            buf_put(b, STR("@"));
        } else if (c == MARK_FOLD) {
            buf_put(b, STR("▸ "));
        } else if (c < MARK_BOLD || c > MARK_LAST) {
            buf_char(b, c);
        }
    }
}

/* ---- messages ---- */

static void put_articles(struct buf *b, const struct outgoing *o)
{
    for (int i = 0; i < o->n_articles; i++) {
        const struct article *it = &o->articles[i];
        buf_print(b, "offers %.*s: ", STR_ARG(o->to));
        transcript_text(b, it->title);
        if (it->about.n > 0)
            buf_put(b, STR(" / "));
        transcript_text(b, it->about);
        buf_put(b, STR("\n    "));
        transcript_text(b, it->text);
        if (it->label.n > 0)
            buf_print(b, "\n    [%.*s]", STR_ARG(it->label));
        buf_char(b, '\n');
    }
}

/* "group edits: ": where a message goes. */
static void put_address(struct buf *b, const struct sent_message *sent)
{
    const struct outgoing *o = &sent->out;
    if (o->kind == OUT_ANSWER)
        buf_print(b, "popup %.*s", STR_ARG(o->to));
    else if (o->where == TO_DIRECT)
        buf_print(b, "to %.*s", STR_ARG(o->to));
    else if (o->where == TO_WHISPER)
        buf_print(b, "alone %.*s", STR_ARG(o->to));
    else if (str_starts(o->chat, STR("dm-")))
        buf_print(b, "to %.*s", STR_ARG(str_skip(o->chat, 3)));
    else
        buf_put(b, str_is(o->chat, STR("tea")) ? STR("group") : o->chat);
    buf_put(b, sent->edit ? STR(" edits: ") : STR(": "));
}

/* "<board #1>"; adds nothing for other messages. A board or hand is known by its slot, a challenge
 * by the button that accepts it, a record by being equal to a stored one. */
static bool put_tag(struct buf *b, struct chat_harness *s, const struct outgoing *o)
{
    struct str rest, kind = str_cut(o->slot, ':', &rest), no = str_cut(rest, ':', &rest);
    struct press press;
    if (o->kind != OUT_POST)
        return false;
    if (o->n_buttons > 0 && chat_harness_read_press(s, o->buttons[0].data, &press) &&
        press.verb == VERB_ACCEPT)
        buf_print(b, "<challenge #%lld>", (long long)press.no);
    else if (str_is(kind, STR("board")) || str_is(kind, STR("hand")))
        buf_print(b, "<%.*s #%.*s>", STR_ARG(kind), STR_ARG(no));
    else if (str_starts(o->text, STR("{\"t\":")) && chat_harness_is_record(s, o->text))
        buf_put(b, STR("<record>"));
    else
        return false;
    return true;
}

/* The layout of a picture, a row a line: "{title Bo wins round 1 | +12}". */
static void put_picture(struct buf *b, struct str layout)
{
    struct str row, rest = layout;
    (void)str_cut(rest, '\n', &rest); /* the deck */
    while (rest.n > 0) {
        row = str_cut(rest, '\n', &rest);
        buf_put(b, STR("\n    {"));
        for (bool first = true; first || row.n > 0; first = false) {
            if (!first)
                buf_put(b, STR(" | "));
            transcript_text(b, str_cut(row, '\t', &row));
        }
        buf_char(b, '}');
    }
}

static void put_message(struct transcript *t, struct buf *b, struct chat_harness *s,
                        const struct sent_message *sent)
{
    const struct outgoing *o = &sent->out;
    put_articles(b, o);
    if (sent->dropped || (o->kind == OUT_ANSWER && o->text.n == 0))
        return;
    if (o->kind == OUT_ASK) {
        buf_print(b, "asks about %.*s\n", STR_ARG(o->to));
        return;
    }
    if (o->kind == OUT_ERASE || o->kind == OUT_CLOSE) {
        bool erases = o->kind == OUT_ERASE;
        struct str rest, what = erases ? str_cut(o->slot, ':', &rest) : o->slot;
        buf_print(b, "%s %.*s\n", erases ? "erases" : "closes", STR_ARG(what));
        return;
    }
    assert(t->n_messages < TRANSCRIPT_MESSAGES);
    size_t at = b->n;
    put_address(b, sent);
    struct buf brief = BUF(t->message[t->n_messages].brief);
    buf_put(&brief, (struct str){b->p + at, b->n - at});
    if (put_tag(&brief, s, o)) {
        assert(!brief.cut && brief.n < TRANSCRIPT_SHORT);
        brief.p[brief.n] = '\0';
        t->message[t->n_messages++].at = at;
    }
    transcript_text(b, o->text);
    if (o->file.n > 0)
        buf_print(b, "\n    {file %.*s%s}", STR_ARG(o->file_name),
                  chat_harness_is_record(s, str_trim(o->file)) ? ": the record" : "");
    for (int i = 0; i < o->n_buttons && (o->where != TO_DIRECT || o->file.n == 0); i++) {
        bool first = i == 0 || o->buttons[i - 1].row_end;
        buf_print(b, "%s[%.*s]", first ? "\n    " : " ", STR_ARG(o->buttons[i].label));
    }
    put_picture(b, o->picture);
    if (s->sounds && o->notify)
        buf_put(b, STR("\n    {rings}"));
    buf_char(b, '\n');
}

/* A record does not count: it is a file, or asked for. */
static bool shows_code(struct str s)
{
    enum { LONG = 32 };
    int depth = 0; /* of marks in a fold */
    for (size_t i = 0, hex = 0; i < s.n && s.p[0] != '{'; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == MARK_NAME)
            while (++i < s.n && s.p[i] != MARK_NAME)
                continue;
        if (c == MARK_END && depth > 0)
            depth--;
        else if (c == MARK_FOLD || (depth > 0 && c >= MARK_BOLD && c <= MARK_LAST))
            depth++;
        hex = isxdigit(c) ? hex + 1 : 0;
        if (hex == LONG && depth == 0)
            return true;
    }
    return false;
}

void transcript_take(struct transcript *t, struct chat_harness *s)
{
    const struct sent_message *sent;
    struct buf b = BUF(t->text);
    int n = chat_harness_sent(s, &sent);
    t->n_messages = 0;
    t->has_code = false;
    for (int i = 0; i < n; i++) {
        put_message(t, &b, s, &sent[i]);
        t->has_code |= shows_code(sent[i].out.text);
    }
    t->n = b.n;
    assert(!b.cut);
    chat_harness_forget(s);
}

bool transcript_is_brief(const struct transcript *t, const char *line, struct str wanted)
{
    for (int i = 0; i < t->n_messages; i++)
        if (t->text + t->message[i].at == line)
            return str_is(wanted, str_of(t->message[i].brief));
    return false;
}
