/* Ways that Telegram refused: a hidden message to somebody who has tapped nothing, in a group where
 * the bot is no administrator, or a private chat that was never opened. Telegram refuses such a
 * message again each time, so it is not sent: it goes the next way at once. A way is tried again
 * after a day, when the bot's rights in the chat change, and when the person writes there. In
 * memory alone: after a restart each is tried once more. */
#include "send.h"

enum { CLOSED_MS = 24 * 3600 * 1000 };

/* The right to send it comes from the bot's rights or from what the person did long ago: a press or
 * a hidden command is a right of its own. */
static bool by_right(const struct outgoing *out, const struct send_plan *plan)
{
    bool sends = plan->action == SEND_NEW || plan->action == SEND_PROBE;
    return sends && (plan->hidden ? out->press.n == 0 : out->where == TO_DIRECT);
}

/* The way there; NULL if it is not known to be closed. A clock that was set back closes none for
 * longer. */
static struct closed_way *find_way(struct telegram *t, int64_t chat, struct str person)
{
    for (int i = 0; i < KNOWN_CLOSED; i++) {
        struct closed_way *way = &t->closed[i];
        if (way->chat == chat && str_is(person, str_of(way->person)) && way->until > t->now &&
            way->until - t->now <= CLOSED_MS)
            return way;
    }
    return NULL;
}

bool tg_closed(struct telegram *t, const struct outgoing *out, const struct send_plan *plan)
{
    return by_right(out, plan) && find_way(t, plan->to.chat, out->to);
}

void tg_closed_add(struct telegram *t, const struct outgoing *out, const struct send_plan *plan)
{
    struct closed_way way = {.chat = plan->to.chat, .until = t->now + CLOSED_MS};
    if (!by_right(out, plan) || out->to.n >= sizeof way.person || tg_closed(t, out, plan))
        return;
    memcpy(way.person, out->to.p, out->to.n);
    t->closed[t->closed_next] = way;
    t->closed_next = (t->closed_next + 1) % KNOWN_CLOSED;
}

void tg_closed_forget(struct telegram *t, int64_t chat)
{
    for (int i = 0; i < KNOWN_CLOSED; i++)
        if (t->closed[i].chat == chat)
            t->closed[i] = (struct closed_way){0};
}
