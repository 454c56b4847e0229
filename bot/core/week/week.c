/* See week.h. */
#include "week.h"

#include "lobby.h"

/* The post of a week; a chat in which nothing happened reads nothing. */
enum verdict week_due(struct step *st)
{
    const struct week_facts *f = st->w->week;
    if (f->n_players == 0 && f->n_solvers == 0)
        return IGNORED;
    struct notice *notice = effect_notice(st->fx, NOTICE_WEEK, TO_HERE);
    notice->n = f->n_players > 0;
    notice->notify = f->n_players > 0;
    return TAKEN;
}
