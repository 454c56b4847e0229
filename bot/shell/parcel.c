/* See parcel.h. */
#include "parcel.h"

enum { FORMAT = 2 };
enum {
    REPLACE_ONLY = 1,
    NOTIFY = 2,
    ALERT = 4,
    OR_DIRECT = 8,
    OR_ALOUD = 16,
    ASIDE = 32,
    ALL_FLAGS = 63
};

static void put_number(struct buf *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        buf_char(b, (char)(v | 0x80));
    buf_char(b, (char)v);
}

static void put_string(struct buf *b, struct str s)
{
    put_number(b, s.n);
    buf_put(b, s);
}

bool parcel_pack(const struct outgoing *out, struct buf *ret, struct err *err)
{
    const struct str strings[] = {out->chat,  out->to,         out->to_name, out->slot,
                                  out->press, out->reply_to,   out->text,    out->picture,
                                  out->group, out->group_slot, out->aloud};
    buf_char(ret, FORMAT);
    put_number(ret, out->kind);
    put_number(ret, out->where);
    put_number(ret, (out->replace_only ? REPLACE_ONLY : 0u) | (out->notify ? NOTIFY : 0u) |
                        (out->alert ? ALERT : 0u) | (out->or_direct ? OR_DIRECT : 0u) |
                        (out->or_aloud ? OR_ALOUD : 0u) | (out->aside ? ASIDE : 0u));
    put_number(ret, (uint64_t)out->expires);
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        put_string(ret, strings[i]);
    put_number(ret, (uint64_t)out->n_buttons);
    for (int i = 0; i < out->n_buttons; i++) {
        put_string(ret, out->buttons[i].label);
        put_string(ret, out->buttons[i].data);
        put_number(ret, out->buttons[i].style);
        put_number(ret, out->buttons[i].row_end);
    }
    for (int i = 0; i < out->n_articles; i++) { /* to the end; mostly there are none */
        const struct article *t = &out->articles[i];
        const struct str parts[] = {t->id, t->title, t->about, t->text, t->label};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            put_string(ret, parts[k]);
    }
    return !ret->cut || err_set(err, "a message of more than %zu bytes", ret->cap);
}

/* ---- reading ---- */

struct reader {
    struct str rest;
    bool bad;
};

static uint64_t get_number(struct reader *r, uint64_t most)
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

static struct str get_string(struct reader *r)
{
    size_t n = (size_t)get_number(r, r->rest.n);
    if (r->bad || n > r->rest.n) {
        r->bad = true;
        return STR("");
    }
    struct str s = {r->rest.p, n};
    r->rest = str_skip(r->rest, n);
    return s;
}

static void get_buttons(struct reader *r, struct arena *a, struct outgoing *out)
{
    out->n_buttons = (int)get_number(r, MAX_BUTTONS);
    if (r->bad || out->n_buttons == 0)
        return;
    out->buttons = arena_array(a, struct button, (size_t)out->n_buttons);
    for (int i = 0; i < out->n_buttons; i++) {
        struct button *b = &out->buttons[i];
        b->label = get_string(r);
        b->data = get_string(r);
        b->style = (uint8_t)get_number(r, BUTTON_QUERY);
        b->row_end = get_number(r, 1) != 0;
    }
}

static void get_articles(struct reader *r, struct arena *a, struct outgoing *out)
{
    if (r->bad || r->rest.n == 0)
        return;
    out->articles = arena_array(a, struct article, MAX_ARTICLES);
    while (!r->bad && r->rest.n > 0 && out->n_articles < MAX_ARTICLES) {
        struct article *t = &out->articles[out->n_articles++];
        struct str *parts[] = {&t->id, &t->title, &t->about, &t->text, &t->label};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            *parts[k] = get_string(r);
    }
}

bool parcel_open(struct str bytes, struct arena *a, struct outgoing *ret, struct err *err)
{
    struct outgoing out = {0};
    struct reader r = {bytes, false};
    struct str *strings[] = {&out.chat,  &out.to,         &out.to_name, &out.slot,
                             &out.press, &out.reply_to,   &out.text,    &out.picture,
                             &out.group, &out.group_slot, &out.aloud};
    if (get_number(&r, FORMAT) != FORMAT || r.bad)
        return err_set(err, "an outbox row of an unknown format");
    out.kind = (enum out_kind)get_number(&r, OUT_ANSWER);
    out.where = (enum out_where)get_number(&r, TO_DIRECT);
    unsigned flags = (unsigned)get_number(&r, ALL_FLAGS);
    out.replace_only = flags & REPLACE_ONLY;
    out.notify = flags & NOTIFY;
    out.alert = flags & ALERT;
    out.or_direct = flags & OR_DIRECT;
    out.or_aloud = flags & OR_ALOUD;
    out.aside = flags & ASIDE;
    out.expires = (int64_t)get_number(&r, INT64_MAX);
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        *strings[i] = get_string(&r);
    get_buttons(&r, a, &out);
    get_articles(&r, a, &out);
    if (r.bad || r.rest.n)
        return err_set(err, "a damaged outbox row (at byte %zu of %zu)", bytes.n - r.rest.n,
                       bytes.n);
    *ret = out;
    return true;
}
