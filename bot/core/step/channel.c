/* Channels a player's hand can be shown by: which is best on a network, which failed lately. */
#include "step_internal.h"

enum channel channel_best(uint32_t can)
{
    return can & CAN_WHISPER ? CHANNEL_WHISPER : can & CAN_DIRECT ? CHANNEL_DIRECT : CHANNEL_POPUP;
}

/* Where all is one message, the private chat is tried once it is known to be open. */
enum channel channel_here(const struct world *w)
{
    return w->can_here & CAN_ONE_POST ? CHANNEL_POPUP : channel_best(w->can);
}

/* The player's seat in the match of this chat whose channel failed last, within REMEMBER_MS.
 * Returns NULL if none failed. */
static const struct player *failed_lately(const struct step *st, int64_t person)
{
    const struct player *found = NULL;
    for (int i = -1; i < st->w->n_here; i++) {
        const struct session *s = i < 0 ? st->w->last : st->w->here[i];
        int seat = s && person ? session_seat(s, person) : -1;
        const struct player *p = seat >= 0 ? &s->player[seat] : NULL;
        if (p && p->account == st->e->account && session_venue(s, p->venue)->chat == st->w->chat &&
            p->channel_failed_at && st->e->now < p->channel_failed_at + REMEMBER_MS &&
            (!found || p->channel_failed_at > found->channel_failed_at))
            found = p;
    }
    return found;
}

void channel_recall(const struct step *st, struct player *p)
{
    const struct player *was = failed_lately(st, p->person);
    if (was && was->channel > p->channel) {
        p->channel = was->channel;
        p->channel_failed_at = was->channel_failed_at;
    }
}
