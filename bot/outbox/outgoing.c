/* See outgoing.h. */
#include "outgoing.h"

#include "pack.h"

enum {
    FORMAT = 5,
    FORMAT_WITHOUT_MATCH = 4,
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
    pack_number(ret, out->kind);
    pack_number(ret, out->where);
    pack_number(ret, (out->replace_only ? REPLACE_ONLY : 0u) | (out->notify ? NOTIFY : 0u) |
                         (out->alert ? ALERT : 0u) | (out->or_direct ? OR_DIRECT : 0u) |
                         (out->or_aloud ? OR_ALOUD : 0u) | (out->aside ? ASIDE : 0u) |
                         (out->named ? NAMED : 0u));
    pack_number(ret, (uint64_t)out->expires);
    pack_number(ret, (uint64_t)out->match);
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        pack_string(ret, strings[i]);
    pack_number(ret, news_at(out));
    if (news_at(out))
        pack_number(ret, out->news.n);
    pack_number(ret, (uint64_t)out->n_buttons);
    for (int i = 0; i < out->n_buttons; i++) {
        pack_string(ret, out->buttons[i].label);
        pack_string(ret, out->buttons[i].data);
        pack_number(ret, out->buttons[i].style);
        pack_number(ret, out->buttons[i].row_end);
    }
    for (int i = 0; i < out->n_articles; i++) { /* to the end; mostly there are none */
        const struct article *t = &out->articles[i];
        const struct str parts[] = {t->id, t->title, t->about, t->text, t->label};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            pack_string(ret, parts[k]);
    }
    return !ret->cut || err_set(err, "message: expected at most %zu bytes, got more", ret->cap);
}

/* ---- reading ---- */

/* As news_at(), then the length. */
static void read_news(struct unpacking *r, struct outgoing *out)
{
    size_t from = (size_t)unpack_number(r, out->text.n + 1);
    if (r->bad || from == 0)
        return;
    size_t n = (size_t)unpack_number(r, out->text.n + 1 - from);
    if (!r->bad)
        out->news = (struct str){out->text.p + from - 1, n};
}

static void read_buttons(struct unpacking *r, struct arena *a, struct outgoing *out)
{
    out->n_buttons = (int)unpack_number(r, MAX_BUTTONS);
    if (r->bad || out->n_buttons == 0)
        return;
    out->buttons = arena_array(a, struct button, (size_t)out->n_buttons);
    for (int i = 0; i < out->n_buttons; i++) {
        struct button *b = &out->buttons[i];
        b->label = unpack_string(r);
        b->data = unpack_string(r);
        b->style = (uint8_t)unpack_number(r, BUTTON_STYLES - 1);
        b->row_end = unpack_number(r, 1) != 0;
    }
}

static void read_articles(struct unpacking *r, struct arena *a, struct outgoing *out)
{
    if (r->bad || r->rest.n == 0)
        return;
    out->articles = arena_array(a, struct article, MAX_ARTICLES);
    while (!r->bad && r->rest.n > 0 && out->n_articles < MAX_ARTICLES) {
        struct article *t = &out->articles[out->n_articles++];
        struct str *parts[] = {&t->id, &t->title, &t->about, &t->text, &t->label};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            *parts[k] = unpack_string(r);
    }
}

bool outgoing_decode(struct str bytes, struct arena *a, struct outgoing *ret, struct err *err)
{
    struct outgoing out = {0};
    struct unpacking r = {bytes, false};
    struct str name,
        *strings[] = {&out.chat,     &out.to,        &name,        &out.slot,  &out.press,
                      &out.reply_to, &out.text,      &out.picture, &out.group, &out.group_slot,
                      &out.aloud,    &out.file_name, &out.file};
    uint64_t format = unpack_number(&r, FORMAT);
    if (r.bad || format < FORMAT_WITH_NAME)
        return err_set(err, "outbox row: expected format %d, got %d", FORMAT,
                       bytes.n ? (unsigned char)bytes.p[0] : 0);
    out.kind = (enum out_kind)unpack_number(&r, OUT_CLOSE);
    out.where = (enum out_where)unpack_number(&r, TO_DIRECT);
    unsigned flags = (unsigned)unpack_number(&r, ALL_FLAGS);
    out.replace_only = flags & REPLACE_ONLY;
    out.notify = flags & NOTIFY;
    out.alert = flags & ALERT;
    out.or_direct = flags & OR_DIRECT;
    out.or_aloud = flags & OR_ALOUD;
    out.aside = flags & ASIDE;
    out.named = flags & NAMED;
    out.expires = (int64_t)unpack_number(&r, INT64_MAX);
    if (format > FORMAT_WITHOUT_MATCH)
        out.match = (int64_t)unpack_number(&r, INT64_MAX);
    size_t n_strings = sizeof strings / sizeof *strings;
    if (format <= FORMAT_WITHOUT_NEWS)
        n_strings -= 2;
    for (size_t i = 0; i < n_strings; i++)
        if (strings[i] != &name || format == FORMAT_WITH_NAME)
            *strings[i] = unpack_string(&r);
    if (format > FORMAT_WITHOUT_NEWS)
        read_news(&r, &out);
    read_buttons(&r, a, &out);
    read_articles(&r, a, &out);
    if (r.bad || r.rest.n)
        return err_set(err, "outbox row: damaged at byte %zu of %zu", bytes.n - r.rest.n, bytes.n);
    *ret = out;
    return true;
}
