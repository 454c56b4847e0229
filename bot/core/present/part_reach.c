/* How a player can be shown their cards or asked a question. See part.h. */
#include "part.h"

bool part_moves_in_open(const struct draft *d)
{
    const struct table *t = d->table;
    if (draft_can(d, CAN_ONE_POST))
        return true;
    return t->view.stage == MATCH_PLAYING && draft_can(d, CAN_POPUP) && !d->at->direct &&
           !t->player[t->view.turn].computer && !t->player[t->view.turn].gone &&
           t->player[t->view.turn].account == d->network->account &&
           t->player[t->view.turn].channel == CHANNEL_POPUP;
}

bool part_asks_by_popup(const struct draft *d)
{
    const struct table *t = d->table;
    if (draft_can(d, CAN_ONE_POST))
        return !d->w->me.reachable;
    return d->e->press.n > 0 && draft_can(d, CAN_POPUP) && t->view.seat >= 0 &&
           t->player[t->view.seat].channel == CHANNEL_POPUP && !d->e->direct;
}

bool part_popup_only(const struct draft *d)
{
    int channel = CHANNEL_WHISPER;
    for (int i = 0; d->table && i < d->table->players; i++) {
        const struct player_seen *p = &d->table->player[i];
        if (p->account == d->e->account && p->id.n > 0 && str_is(p->id, d->e->from.id))
            channel = p->channel;
    }
    bool unseen = draft_can(d, CAN_WHISPER) && channel < CHANNEL_POPUP;
    return d->e->pressed && draft_can(d, CAN_POPUP) && !d->e->direct && !unseen &&
           draft_can(d, CAN_DIRECT) && !d->w->me.reachable;
}
