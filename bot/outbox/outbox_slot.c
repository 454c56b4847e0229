/* Slots: which message takes the place of which, and what it takes over. */
#include "outbox_internal.h"

#include "outgoing.h"

struct str outbox_lane_key(struct arena *a, const struct outgoing *out)
{
    if (out->kind == OUT_ANSWER)
        return arena_print(a, "!%.*s", STR_ARG(out->press));
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

/* A message that may only replace another takes the place of one that was never sent: so it becomes
 * a new message itself. */
void outbox_inherit(struct outbox *o, int account, const struct row *old, struct outgoing *out)
{
    struct outgoing was;
    struct err err;
    if (!outgoing_decode(row_bytes(old), o->staging, &was, &err))
        return;
    outbox_carry_news(o, account, &was, out);
    if (!out->replace_only || was.kind != OUT_POST || was.replace_only)
        return;
    out->replace_only = out->kind != OUT_POST;
    out->notify |= was.notify;
    out->press = out->press.n ? out->press : was.press;
    out->reply_to = out->reply_to.n ? out->reply_to : was.reply_to;
}
