/* /notify: whether the sender is told when somebody looks for a game, in this chat or, in private,
 * anywhere. */
#include "keyword.h"
#include "step_internal.h"

enum verdict seek_notify(struct step *st)
{
    enum keyword word = keyword_find(st->w->languages, st->fx->arena, st->e->words);
    bool direct = st->e->direct;
    if (st->w->me == 0)
        return notice_refuse(st, T_ANONYMOUS, NO_ARGS);
    if (word == KEYWORD_OFF) {
        st->fx->watch.kind = WATCH_OFF;
        return notice_answer(st, T_NOTIFY_OFF, NO_ARGS);
    }
    if (word != KEYWORD_ON && !st->w->watches)
        return notice_answer(st, direct ? T_NOTIFY_HOW_ANY : T_NOTIFY_HOW,
                             ARGS(arg_command(VERB_NOTIFY)));
    if (!direct && !st->w->reachable)
        return notice_refuse(st, T_NOTIFY_CLOSED, ARGS(arg_command(VERB_START)));
    st->fx->watch.kind = WATCH_ON;
    return notice_answer(st, direct ? T_NOTIFY_ON_ANY : T_NOTIFY_ON,
                         ARGS(arg_command(VERB_NOTIFY)));
}
