/* What is kept of a person: /mydata shows it, /forget takes their name out of it. Both in
 * private. */
#include "keyword.h"
#include "step_internal.h"

static bool refuse_in_group(struct step *st)
{
    if (st->w->me == 0)
        notice_refuse(st, T_ANONYMOUS, NO_ARGS);
    else if (!st->e->direct)
        notice_refuse(st, T_IN_PRIVATE, NO_ARGS);
    return st->w->me == 0 || !st->e->direct;
}

enum verdict people_mydata(struct step *st)
{
    if (refuse_in_group(st))
        return REFUSED;
    effect_notice(st->fx, NOTICE_MYDATA, TO_ASKER)->text = st->w->record;
    return TAKEN;
}

enum verdict people_forget(struct step *st)
{
    if (refuse_in_group(st))
        return REFUSED;
    if (st->w->n_mine > 0)
        return notice_refuse(st, T_FORGET_RUNNING,
                             ARGS(arg_command(VERB_GAMES), arg_command(VERB_RESIGN)));
    if (keyword_find(st->w->languages, st->fx->arena, st->e->words) != KEYWORD_ON)
        return notice_answer(st, T_FORGET_SURE,
                             ARGS(arg_command(VERB_FORGET), arg_command(VERB_MYDATA)));
    st->fx->forget = true;
    return notice_answer(st, T_FORGOTTEN, NO_ARGS);
}
