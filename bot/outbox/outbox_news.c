/* News: the lines of a board that tell what happened. A board whose turn has not come leaves its
 * news to the newer one that takes its place, and to the boards of other matches that go before
 * it. */
#include "outbox_internal.h"

#include "outgoing.h"

/* The most bytes that surely fit the network's limit, which counts no more than bytes. */
static size_t text_most(const struct account *to, const struct outgoing *out)
{
    int most = to->limits.text_chars;
    if (out->picture.n && to->limits.caption_chars && (!most || to->limits.caption_chars < most))
        most = to->limits.caption_chars;
    return most ? (size_t)most : OUTGOING_MOST / 4;
}

/* The lines of `old` that `now` does not begin with: a board of the same turn tells them again. */
static struct str untold(struct str old, struct str now)
{
    for (size_t i = 0; i < old.n; i++)
        if (old.p[i] == '\n' && str_starts(now, str_skip(old, i)) &&
            (now.n == old.n - i || now.p[old.n - i] == '\n' || now.p[old.n - i] == ' '))
            return (struct str){old.p, i};
    return old;
}

/* Text without its first line, which begins with '\n'. */
static struct str without_line(struct str s)
{
    size_t n = 1;
    while (n < s.n && s.p[n] != '\n')
        n++;
    return str_skip(s, n < s.n ? n : s.n);
}

void outbox_carry_news(struct outbox *o, int account, const struct outgoing *was,
                       struct outgoing *out)
{
    if (was->news.n == 0 || !out->news.p)
        return;
    size_t most = text_most(&o->parts.accounts[account], out);
    struct str more = untold(was->news, out->news), text = out->text;
    while (more.n && text.n + more.n > most)
        more = without_line(more);
    size_t at = (size_t)(out->news.p - text.p);
    char *all = arena_alloc(o->staging, text.n + more.n + 1);
    struct buf b = {all, 0, text.n + more.n + 1, false};
    buf_put(&b, (struct str){text.p, at});
    buf_put(&b, more);
    buf_put(&b, str_skip(text, at));
    out->text = buf_str(&b);
    out->news = (struct str){all + at, more.n + out->news.n};
}

/* The head and the news of a board that waits; empty if it has none. */
static struct str waiting_news(const struct row *r, struct arena *turn)
{
    struct outgoing out;
    struct err err;
    if (!outgoing_decode(row_bytes(r), turn, &out, &err) || out.kind != OUT_POST || out.news.n == 0)
        return STR("");
    return (struct str){out.text.p, (size_t)(out.news.p + out.news.n - out.text.p)};
}

/* Each after an empty line; empty if no other board waits. */
static struct str news_of_others(const struct outbox *o, const struct row *r, struct arena *turn,
                                 const struct outgoing *out)
{
    struct str all = STR("");
    size_t most = text_most(account_of(o, r->lane), out);
    if (!lane_is_board(r->lane, r) || out->kind != OUT_POST ||
        !lane_shares_boards(&o->lanes, r->lane, r, outbox_now(o)))
        return all;
    for (const struct row *other = r->lane->first; other; other = other->next) {
        if (other == r || !other->has_news || !lane_is_board(r->lane, other) || row_busy(other) ||
            str_is(row_slot(other), row_slot(r)))
            continue;
        struct str more = waiting_news(other, turn);
        if (more.n && out->text.n + all.n + more.n + 2 <= most)
            all = arena_print(turn, "%.*s\n\n%.*s", STR_ARG(all), STR_ARG(more));
    }
    return all;
}

void outbox_add_waiting_news(const struct outbox *o, struct row *r, struct arena *turn,
                             struct outgoing *out)
{
    if (!r->maybe_sent)
        row_set(&r->others, news_of_others(o, r, turn, out));
    if (r->others)
        out->text = arena_print(turn, "%.*s%s", STR_ARG(out->text), r->others);
}
