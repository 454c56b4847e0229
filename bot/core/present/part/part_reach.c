/* How a player can be shown their cards or asked a question. See part.h. */
#include "part.h"

bool part_moves_in_open(const struct body *body)
{
    const struct table *t = body->table;
    if (body_can(body, CAN_ONE_POST))
        return true;
    return t->view.stage == MATCH_PLAYING && body_can(body, CAN_POPUP) && !t->at.direct &&
           !t->player[t->view.turn].computer && !t->player[t->view.turn].gone &&
           t->player[t->view.turn].account == body->network->account &&
           t->player[t->view.turn].channel == CHANNEL_POPUP;
}

bool part_asks_by_popup(const struct body *body)
{
    const struct table *t = body->table;
    if (body_can(body, CAN_ONE_POST))
        return !body->w->reachable;
    return body->e->press.n > 0 && body_can(body, CAN_POPUP) && t->view.seat >= 0 &&
           t->player[t->view.seat].channel == CHANNEL_POPUP && !body->e->direct;
}

bool part_popup_only(const struct body *body)
{
    int channel = CHANNEL_WHISPER;
    for (int i = 0; body->table && i < body->table->players; i++) {
        const struct player_seen *p = &body->table->player[i];
        if (p->account == body->e->account && p->id.n > 0 && str_is(p->id, body->e->from.id))
            channel = p->channel;
    }
    bool unseen = body_can(body, CAN_WHISPER) && channel < CHANNEL_POPUP;
    return body->e->pressed && body_can(body, CAN_POPUP) && !body->e->direct && !unseen &&
           body_can(body, CAN_DIRECT) && !body->w->reachable;
}
