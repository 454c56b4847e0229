/* /rating: in this chat, over all chats, and whether one takes part. */
#include "page.h"

#include "seasons.h"

void page_rating(struct draft *d)
{
    const struct figures *f = d->notice->seasons->figures;
    struct str where = d->e->direct ? TX(d, T_EVERYWHERE) : draft_chat_name(d);
    if (d->notice->n != RATING_ASKED) {
        SAY(d, d->notice->n == RATING_JOINED ? T_RATING_ON : T_RATING_OFF);
        return;
    }
    if (!f->everywhere)
        draft_line(d, f->sums.rated
                          ? TX(d, T_RATING_HERE, f->name, draft_rating(d, &f->sums.rating), where)
                          : TX(d, T_RATING_NONE, f->name, where));
    draft_line(d, f->rated_everywhere ? TX(d, T_RATING_WORLD, draft_rating(d, &f->world))
                                      : TX(d, T_RATING_WORLD_NONE));
    SAY(d, T_RATING_HOW, draft_command(d, VERB_RATING));
}
