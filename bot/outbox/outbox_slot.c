/* The place of a message: its lane, and its slot, by which a newer one takes the place of an older
 * one.
 *
 * News are the lines of a board that tell what happened. A board whose turn has not come leaves its
 * news to the newer one that takes its place, and to the boards of other matches that go before it.
 *
 * The log has a line on each thing that happens to a row: account, chat, match, row, how often it
 * was tried and how long it has waited since it was pushed, or since the first of those that it
 * replaces; never its text.
 *
 *     sent            debug   the network took it at the first attempt
 *     sent_again      debug   at a later one; with maybe_sent=yes it may stand there twice
 *     sent_in_part    debug   one call of several
 *     replaced        debug   a newer row of its slot took its place
 *     send_later      info    refused for now, or no answer; why
 *     paused          info    the network asks for a pause: in that chat, or in all
 *     send_never      info    refused for good; why
 */
#include "outbox_internal.h"

#include <stdio.h>

#include "outgoing.h"

/* ---- its lane and its slot ---- */

enum lane_kind outbox_lane_kind(const struct outbox *o, int account, struct str key, bool answer)
{
    const struct account *a = &o->parts.accounts[account];
    if (answer)
        return LANE_OF_PRESS;
    if (str_starts(key, STR("@")) ||
        (a->adapter->one_reader && a->adapter->one_reader(a->state, key)))
        return LANE_OF_PERSON;
    return LANE_OF_GROUP;
}

struct str outbox_lane_key(struct arena *a, const struct outgoing *out)
{
    if (out->kind == OUT_ANSWER)
        return arena_print(a, "!%.*s", STR_ARG(out->press));
    if (out->kind == OUT_TYPING)
        return arena_print(a, "!typing\n%.*s", STR_ARG(out->chat.n ? out->chat : out->to));
    if (out->kind == OUT_ASK) /* beside all that is said there */
        return arena_print(a, "!%.*s\n%.*s", STR_ARG(out->to), STR_ARG(out->chat));
    return out->chat.n ? out->chat : arena_print(a, "@%.*s", STR_ARG(out->to));
}

/* Only messages that stand in the same chat, for the same person, replace one another. */
struct str outbox_full_slot(struct arena *a, const struct outgoing *out)
{
    if (out->slot.n == 0 || out->where == TO_CHAT)
        return out->slot;
    return arena_print(a, "%.*s\n%.*s", STR_ARG(out->slot), STR_ARG(out->to));
}

/* A row that has been begun, or may have arrived, stays: its receipt is still needed. So does one
 * whose picture is being drawn: under a stream of newer rows none would ever be sent. So does an
 * erasure before a post: the post is then a new message, at the bottom of the chat. And so does a
 * board before an erasure: the board that follows carries its news. */
bool outbox_replaceable(const struct row *r, struct str slot, const struct outgoing *by)
{
    bool moves_down = by->kind == OUT_POST ? r->erases : by->kind == OUT_ERASE && r->has_news;
    return by->kind != OUT_CLOSE && !r->closes && !r->replaced_by && !moves_down && !row_busy(r) &&
           r->state != ROW_DRAWING && !r->progress && !r->maybe_sent && str_is(row_slot(r), slot);
}

/* ---- its news ---- */

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

/* Adds the news of an unsent message to the one that takes its place: the latest lines, if not all
 * of them fit. No other message tells them. */
static void carry_news(struct outbox *o, int account, const struct outgoing *was,
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

/* A message that may only replace another takes the place of one that was never sent: so it becomes
 * a new message itself. */
void outbox_inherit(struct outbox *o, int account, const struct row *old, struct outgoing *out)
{
    struct outgoing was;
    struct err err;
    if (!outgoing_decode(row_bytes(old), o->staging, &was, &err))
        return;
    carry_news(o, account, &was, out);
    if (!out->replace_only || was.kind != OUT_POST || was.replace_only)
        return;
    out->replace_only = out->kind != OUT_POST;
    out->notify |= was.notify;
    out->press = out->press.n ? out->press : was.press;
    out->reply_to = out->reply_to.n ? out->reply_to : was.reply_to;
}

/* The head and the news of each other board that waits, after an empty line. */
static struct str news_of_others(const struct outbox *o, const struct row *r, struct arena *turn,
                                 const struct outgoing *out)
{
    struct str all = STR("");
    size_t most = text_most(account_of(o, r->lane), out);
    if (!lane_is_board(r->lane, r) || out->kind != OUT_POST ||
        !lane_shares_boards(&o->lanes, r->lane, r, outbox_now(o)))
        return all;
    for (const struct row *other = r->lane->first; other; other = other->next) {
        struct outgoing was;
        struct err err;
        if (other == r || !other->has_news || !lane_is_board(r->lane, other) || row_busy(other) ||
            str_is(row_slot(other), row_slot(r)) ||
            !outgoing_decode(row_bytes(other), turn, &was, &err) || was.kind != OUT_POST ||
            was.news.n == 0)
            continue;
        struct str more = {was.text.p, (size_t)(was.news.p + was.news.n - was.text.p)};
        if (out->text.n + all.n + more.n + 2 <= most)
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

/* ---- its lines in the log ---- */

void outbox_log(const struct outbox *o, const struct row *r, enum log_level level,
                const char *event, struct str why)
{
    char chat[128], reason[200], row[24], tries[24], match[24], waited[24];
    struct str key = lane_key(r->lane);
    if (!log_wants(level))
        return;
    snprintf(chat, sizeof chat, "%.*s", (int)(key.n < 127 ? key.n : 127), key.p);
    snprintf(reason, sizeof reason, "%.*s", (int)(why.n < 199 ? why.n : 199), why.n ? why.p : "");
    snprintf(row, sizeof row, "%lld", (long long)r->id);
    snprintf(tries, sizeof tries, "%lld", (long long)r->tries);
    snprintf(match, sizeof match, "%lld", (long long)r->match);
    snprintf(waited, sizeof waited, "%lld", (long long)(r->since ? outbox_now(o) - r->since : 0));
    /* the list of pairs ends early if there is no reason */
    log_line(level, event, "account", account_of(o, r->lane)->name.p, "chat", chat, "#match", match,
             "#row", row, "#tries", tries, "#waited_ms", waited, "maybe_sent",
             r->maybe_sent ? "yes" : "no", why.n ? "why" : NULL, reason, NULL);
}

void outbox_log_pause(const struct outbox *o, const struct row *r, bool all_chats, int64_t ms)
{
    char chat[128] = "all", text[24];
    struct str key = lane_key(r->lane);
    if (!all_chats)
        snprintf(chat, sizeof chat, "%.*s", (int)(key.n < 127 ? key.n : 127), key.p);
    snprintf(text, sizeof text, "%lld", (long long)ms);
    log_line(LOG_INFO, "paused", "account", account_of(o, r->lane)->name.p, "chat", chat, "#ms",
             text, NULL);
}
