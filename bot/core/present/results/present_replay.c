/* A step of a finished match: what has just happened, the field, both hands, and buttons that lead
 * on. */
#include "present_bodies.h"

#include "figures.h"

static void put_hands(struct body *body, const struct match *m)
{
    for (int i = 0; i < m->players && m->stage == MATCH_PLAYING; i++)
        body_line(body,
                  TX(body, T_REPLAY_HAND, body_name(body, i), body_cards(body, m->round.hand[i])));
}

static void put_jump(struct body *body, enum text label, int step)
{
    body_button(body, TX0(body, label), VERB_REPLAY, step, BUTTON_PLAIN);
}

void present_replay(struct body *body)
{
    const struct position *p = body->notice->position;
    part_head(body);
    body_line(body, TX(body, T_REPLAY_STEP, body_int(body, p->step), body_int(body, p->last)));
    part_events(body);
    body->has_news = false;
    part_field(body);
    put_hands(body, &p->match);
    part_captures(body);
    body_line(body, part_turn(body));
    if (p->step > 0) {
        put_jump(body, T_BUTTON_ROUND_BACK, p->round_begins);
        put_jump(body, T_BUTTON_STEP_BACK, p->step - 1);
    }
    if (p->step < p->last) {
        put_jump(body, T_BUTTON_STEP_ON, p->step + 1);
        put_jump(body, T_BUTTON_ROUND_ON, p->next_round ? p->next_round : p->last);
    }
    if (!body_can(body, CAN_BUTTONS))
        body_line(body, TX(body, T_REPLAY_HOW, body_command(body, VERB_REPLAY),
                           body_int(body, body->table->no), body_int(body, p->step + 1)));
}
