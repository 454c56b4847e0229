/* See outgoing.h. */
#include "outgoing.h"

enum {
    FORMAT = 4,
    FORMAT_WITHOUT_NEWS = 3, /* and without a file */
    FORMAT_WITH_NAME = 2     /* the receiver's name stood behind `to`, too */
};
enum {
    REPLACE_ONLY = 1,
    NOTIFY = 2,
    ALERT = 4,
    OR_DIRECT = 8,
    OR_ALOUD = 16,
    ASIDE = 32,
    NAMED = 64,
    ALL_FLAGS = 127
};

static void write_number(struct buf *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        buf_char(b, (char)(v | 0x80));
    buf_char(b, (char)v);
}

static void write_string(struct buf *b, struct str s)
{
    write_number(b, s.n);
    buf_put(b, s);
}

/* 1 + where the news begins in the text; 0: it has none. */
static size_t news_at(const struct outgoing *out)
{
    uintptr_t news = (uintptr_t)out->news.p, text = (uintptr_t)out->text.p;
    bool within = out->news.p && news >= text && news + out->news.n <= text + out->text.n;
    return within ? news - text + 1 : 0;
}

bool outgoing_encode(const struct outgoing *out, struct buf *ret, struct err *err)
{
    const struct str strings[] = {out->chat,       out->to,    out->slot,      out->press,
                                  out->reply_to,   out->text,  out->picture,   out->group,
                                  out->group_slot, out->aloud, out->file_name, out->file};
    buf_char(ret, FORMAT);
    write_number(ret, out->kind);
    write_number(ret, out->where);
    write_number(ret, (out->replace_only ? REPLACE_ONLY : 0u) | (out->notify ? NOTIFY : 0u) |
                          (out->alert ? ALERT : 0u) | (out->or_direct ? OR_DIRECT : 0u) |
                          (out->or_aloud ? OR_ALOUD : 0u) | (out->aside ? ASIDE : 0u) |
                          (out->named ? NAMED : 0u));
    write_number(ret, (uint64_t)out->expires);
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        write_string(ret, strings[i]);
    write_number(ret, news_at(out));
    if (news_at(out))
        write_number(ret, out->news.n);
    write_number(ret, (uint64_t)out->n_buttons);
    for (int i = 0; i < out->n_buttons; i++) {
        write_string(ret, out->buttons[i].label);
        write_string(ret, out->buttons[i].data);
        write_number(ret, out->buttons[i].style);
        write_number(ret, out->buttons[i].row_end);
    }
    for (int i = 0; i < out->n_articles; i++) { /* to the end; mostly there are none */
        const struct article *t = &out->articles[i];
        const struct str parts[] = {t->id, t->title, t->about, t->text, t->label};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            write_string(ret, parts[k]);
    }
    return !ret->cut || err_set(err, "message: expected at most %zu bytes, got more", ret->cap);
}

/* ---- reading ---- */

struct reader {
    struct str rest;
    bool bad;
};

static uint64_t read_varint(struct reader *r, uint64_t most)
{
    uint64_t v = r->rest.n ? (unsigned char)r->rest.p[0] : 0x80;
    if (v < 0x80 && v <= most) { /* most are of one byte */
        r->rest = str_skip(r->rest, 1);
        return v;
    }
    v = 0;
    for (int shift = 0; r->rest.n && shift < 64; shift += 7) {
        unsigned char c = (unsigned char)r->rest.p[0];
        uint64_t bits = c & 0x7f;
        r->rest = str_skip(r->rest, 1);
        if (shift == 63 && bits > 1)
            break;
        v |= bits << shift;
        if (c & 0x80)
            continue;
        if ((c == 0 && shift > 0) || v > most) /* a longer form than needed, or too much */
            break;
        return v;
    }
    r->bad = true;
    return 0;
}

static struct str read_string(struct reader *r)
{
    size_t n = (size_t)read_varint(r, r->rest.n);
    if (r->bad || n > r->rest.n) {
        r->bad = true;
        return STR("");
    }
    struct str s = {r->rest.p, n};
    r->rest = str_skip(r->rest, n);
    return s;
}

/* As news_at(), then the length. */
static void read_news(struct reader *r, struct outgoing *out)
{
    size_t from = (size_t)read_varint(r, out->text.n + 1);
    if (r->bad || from == 0)
        return;
    size_t n = (size_t)read_varint(r, out->text.n + 1 - from);
    if (!r->bad)
        out->news = (struct str){out->text.p + from - 1, n};
}

static void read_buttons(struct reader *r, struct arena *a, struct outgoing *out)
{
    out->n_buttons = (int)read_varint(r, MAX_BUTTONS);
    if (r->bad || out->n_buttons == 0)
        return;
    out->buttons = arena_array(a, struct button, (size_t)out->n_buttons);
    for (int i = 0; i < out->n_buttons; i++) {
        struct button *b = &out->buttons[i];
        b->label = read_string(r);
        b->data = read_string(r);
        b->style = (uint8_t)read_varint(r, BUTTON_STYLES - 1);
        b->row_end = read_varint(r, 1) != 0;
    }
}

static void read_articles(struct reader *r, struct arena *a, struct outgoing *out)
{
    if (r->bad || r->rest.n == 0)
        return;
    out->articles = arena_array(a, struct article, MAX_ARTICLES);
    while (!r->bad && r->rest.n > 0 && out->n_articles < MAX_ARTICLES) {
        struct article *t = &out->articles[out->n_articles++];
        struct str *parts[] = {&t->id, &t->title, &t->about, &t->text, &t->label};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            *parts[k] = read_string(r);
    }
}

bool outgoing_decode(struct str bytes, struct arena *a, struct outgoing *ret, struct err *err)
{
    struct outgoing out = {0};
    struct reader r = {bytes, false};
    struct str name,
        *strings[] = {&out.chat,     &out.to,        &name,        &out.slot,  &out.press,
                      &out.reply_to, &out.text,      &out.picture, &out.group, &out.group_slot,
                      &out.aloud,    &out.file_name, &out.file};
    uint64_t format = read_varint(&r, FORMAT);
    if (r.bad || format < FORMAT_WITH_NAME)
        return err_set(err, "outbox row: expected format %d, got %d", FORMAT,
                       bytes.n ? (unsigned char)bytes.p[0] : 0);
    out.kind = (enum out_kind)read_varint(&r, OUT_CLOSE);
    out.where = (enum out_where)read_varint(&r, TO_DIRECT);
    unsigned flags = (unsigned)read_varint(&r, ALL_FLAGS);
    out.replace_only = flags & REPLACE_ONLY;
    out.notify = flags & NOTIFY;
    out.alert = flags & ALERT;
    out.or_direct = flags & OR_DIRECT;
    out.or_aloud = flags & OR_ALOUD;
    out.aside = flags & ASIDE;
    out.named = flags & NAMED;
    out.expires = (int64_t)read_varint(&r, INT64_MAX);
    size_t n_strings = sizeof strings / sizeof *strings;
    if (format <= FORMAT_WITHOUT_NEWS)
        n_strings -= 2;
    for (size_t i = 0; i < n_strings; i++)
        if (strings[i] != &name || format == FORMAT_WITH_NAME)
            *strings[i] = read_string(&r);
    if (format > FORMAT_WITHOUT_NEWS)
        read_news(&r, &out);
    read_buttons(&r, a, &out);
    read_articles(&r, a, &out);
    if (r.bad || r.rest.n)
        return err_set(err, "outbox row: damaged at byte %zu of %zu", bytes.n - r.rest.n, bytes.n);
    *ret = out;
    return true;
}
