/* A person sits down: under which name, where their hand is shown, and in which chat. */
#include "lobby.h"

void lobby_sit(struct player *p, int64_t person, const struct sender *who)
{
    p->person = person;
    NAME_PUT(p->id, who->id);
    NAME_PUT(p->handle, who->handle);
    if (who->id.n > 0) {
        NAME_PUT(p->name, who->name);
    } else { /* has never spoken: only "@bo" is known */
        p->name[0] = '@';
        name_put(p->name + 1, sizeof p->name - 1, who->handle);
    }
}

enum channel lobby_channel(uint32_t can)
{
    return can & CAN_WHISPER ? CHANNEL_WHISPER : can & CAN_DIRECT ? CHANNEL_DIRECT : CHANNEL_POPUP;
}

/* Where there is but one message, the private chat is tried once it is known to be open. */
enum channel lobby_channel_here(const struct world *w)
{
    return w->can_here & CAN_ONE_POST ? CHANNEL_POPUP : lobby_channel(w->can);
}

/* What was found out about a person's hand where they last played in this chat, if that is not long
 * ago. */
static const struct player *remembered(const struct step *st, int64_t person)
{
    const struct player *found = NULL;
    for (int i = -1; i < st->w->n_here; i++) {
        const struct session *s = i < 0 ? st->w->last : st->w->here[i];
        int seat = s && person ? session_seat(s, person) : -1;
        const struct player *p = seat >= 0 ? &s->player[seat] : NULL;
        if (p && p->account == st->e->account && session_venue(s, p->venue)->chat == st->w->chat &&
            p->lowered && st->e->now < p->lowered + REMEMBER_MS &&
            (!found || p->lowered > found->lowered))
            found = p;
    }
    return found;
}

void lobby_recall(const struct step *st, struct player *p)
{
    const struct player *was = remembered(st, p->person);
    if (was && was->channel > p->channel) {
        p->channel = was->channel;
        p->lowered = was->lowered;
    }
}

void lobby_player(struct step *st, struct player *p)
{
    *p = (struct player){
        .lot = CARD_NONE, .account = st->e->account, .channel = (uint8_t)lobby_channel_here(st->w)};
}

void lobby_venue(struct step *st, struct venue *ret)
{
    const struct event *e = st->e;
    *ret = (struct venue){.chat = st->w->chat,
                          .account = e->account,
                          .utc_offset = st->w->utc_offset,
                          .season = st->w->settings.season,
                          .direct = e->direct,
                          .one_post = (st->w->can_here & CAN_ONE_POST) != 0};
    NAME_PUT(ret->chat_key, e->chat);
    NAME_PUT(ret->chat_name, e->chat_name);
    NAME_PUT(ret->language, str_of(st->w->settings.language));
}
