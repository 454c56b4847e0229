/* One more entry of the inbox: the operator has something to say to a chat. */
#include "inbox_operator.h"

#include "store_operator.h"

/* In the arena of the turn, which a new turn resets. */
static bool next_announcement(struct inbox *in, struct announcement *ret, bool *ret_found,
                              struct err *err)
{
    return store_announcement(in->parts.store, in->turn, clock_now(in->parts.clock), ret, ret_found,
                              err);
}

/* The row goes in the transaction that has the message. */
bool inbox_announcements(struct inbox *in, struct err *err)
{
    struct store *store = in->parts.store;
    struct announcement next;
    struct turn *t;
    bool found;
    arena_reset(in->turn);
    if (!next_announcement(in, &next, &found, err))
        return false;
    if (!found)
        return true;
    if (!turn_begin_in(in, next.chat, &t, err))
        return false;
    if (!t) /* its network is not configured now: the news would be old */
        return store_drop_announcement(store, &next, err);
    if (!next_announcement(in, &next, &found, err) || !store_drop_announcement(store, &next, err))
        return false;
    t->event.verb = VERB_ANNOUNCED;
    t->event.words = next.text;
    return facts_chat(t, t->event.chat, (struct str){0}, t->event.direct) && settle_event(t);
}

bool inbox_put_off_announcement(struct inbox *in, int64_t ms, struct err *err)
{
    struct announcement next;
    bool found;
    arena_reset(in->turn);
    return next_announcement(in, &next, &found, err) &&
           (!found || store_put_off_announcement(in->parts.store, &next, ms, err));
}
