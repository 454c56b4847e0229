/* A search as a challenge: it asks nobody by name, and where it cannot be answered it can be taken back. */
#include "page.h"

void seek_offer(struct draft *d, struct offer *o)
{
    const struct table *t = d->table;
    if (!t->strangers)
        return;
    o->elsewhere = (!o->open || d->at->direct) && !t->again;
    if (!o->open)
        return;
    SAY(d, T_SEEK_HEAD, draft_name(d, 0), draft_int(d, t->no));
    SAY(d, T_SEEK_HOW, draft_command(d, VERB_CANCEL));
    o->said = true;
    if (t->any_rules)
        o->more = TX(d, T_SEEK_OPEN);
}
