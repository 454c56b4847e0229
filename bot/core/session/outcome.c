/* See outcome.h. */
#include "outcome.h"

struct match_outcome outcome_of(const struct session *s, int seat)
{
    const struct match *m = &s->match;
    bool broken_off = m->why == MATCH_LEAVE,
         left = (broken_off && s->left == seat) || session_gone(s, seat);
    struct match_outcome o = {.won = m->winner == seat};
    o.lost = left || (!o.won && m->winner >= 0 && !broken_off);
    o.drawn = !o.won && !o.lost;
    o.forfeit = left || (o.won && broken_off);
    return o;
}
