/* Pages of people: /stats, /versus, /history, and /rating, which also says who takes part in the
 * rating over all chats. */
#include "keyword.h"
#include "step_internal.h"

/* Numbers of posts that can be leafed through: they fit a button. */
enum { POSTS = 1000000 };

/* No figures: the name is unknown, or the sender is anonymous. */
static enum verdict refuse_unknown(struct step *st)
{
    return st->w->people.unknown.n > 0
               ? notice_refuse(
                     st, T_NO_SUCH_PLAYER,
                     ARGS(arg_str(text_clean(st->fx->arena, st->w->people.unknown, NAME_COLUMNS))))
               : notice_refuse(st, T_ANONYMOUS, NO_ARGS);
}

/* In a group everybody may read it, where it was asked. */
static struct notice *page(struct step *st, enum notice_kind kind)
{
    struct notice *notice = effect_notice(st->fx, kind, TO_HERE);
    notice->people = &st->w->people;
    return notice;
}

enum verdict people_stats(struct step *st)
{
    if (!st->w->people.figures)
        return refuse_unknown(st);
    page(st, NOTICE_STATS);
    return TAKEN;
}

enum verdict people_versus(struct step *st)
{
    if (st->w->people.unknown.n > 0 || st->w->me == 0)
        return refuse_unknown(st);
    if (!st->w->people.versus)
        return notice_refuse(st, T_VERSUS_WHOM, ARGS(arg_command(VERB_VERSUS)));
    page(st, NOTICE_VERSUS);
    return TAKEN;
}

/* Older matches are an edit of the same message. */
enum verdict people_history(struct step *st)
{
    if (!st->w->people.history)
        return refuse_unknown(st);
    struct notice *notice = page(st, NOTICE_HISTORY);
    notice->post =
        st->e->pressed && st->e->index > 0 ? st->e->index : 1 + st->e->now / 1000 % POSTS;
    return TAKEN;
}

enum verdict people_rating(struct step *st)
{
    enum keyword word = keyword_find(st->w->languages, st->fx->arena, st->e->words);
    if (!st->w->people.figures)
        return refuse_unknown(st);
    if (word == KEYWORD_ON || word == KEYWORD_OFF) {
        st->fx->set_prefs = true;
        st->fx->prefs = st->w->prefs;
        st->fx->prefs.rated_everywhere = word == KEYWORD_ON;
    }
    page(st, NOTICE_RATING)->n = word == KEYWORD_ON    ? RATING_JOINED
                                 : word == KEYWORD_OFF ? RATING_LEFT
                                                       : RATING_ASKED;
    return TAKEN;
}
