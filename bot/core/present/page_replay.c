/* A step of a finished match: what has just happened, the field, both hands, and buttons that lead
 * on. */
#include "page.h"
#include "part.h"

#include "seasons.h"

static void put_hands(struct draft *d, const struct match *m)
{
    for (int i = 0; i < m->players && m->stage == MATCH_PLAYING; i++)
        SAY(d, T_REPLAY_HAND, draft_name(d, i), draft_cards(d, m->round.hand[i]));
}

static void put_jump(struct draft *d, enum text label, int step)
{
    draft_press(d, label, VERB_REPLAY, step, BUTTON_PLAIN);
}

void page_replay(struct draft *d)
{
    const struct position *p = d->notice->position;
    part_head(d);
    SAY(d, T_REPLAY_STEP, draft_int(d, p->step), draft_int(d, p->last));
    part_events(d);
    d->has_news = false;
    part_field(d);
    put_hands(d, &p->match);
    part_captures(d);
    draft_line(d, part_turn(d));
    if (p->step > 0) {
        put_jump(d, T_BUTTON_ROUND_BACK, p->round_begins);
        put_jump(d, T_BUTTON_STEP_BACK, p->step - 1);
    }
    if (p->step < p->last) {
        put_jump(d, T_BUTTON_STEP_ON, p->step + 1);
        put_jump(d, T_BUTTON_ROUND_ON, p->next_round ? p->next_round : p->last);
    }
    if (!draft_can(d, CAN_BUTTONS))
        SAY(d, T_REPLAY_HOW, draft_command(d, VERB_REPLAY), draft_int(d, d->table->no),
            draft_int(d, p->step + 1));
}
