/* Notices of one sentence: a line to some audience, an answer to the sender, an announcement to the
 * table. */
#include "step_internal.h"

struct notice *notice_line(struct step *st, enum audience to, enum text key,
                           const struct arg args[MAX_ARGS])
{
    struct notice *notice = effect_notice(st->fx, NOTICE_LINE, to);
    notice->key = key;
    memcpy(notice->arg, args, sizeof notice->arg);
    for (int i = 0; i < MAX_ARGS; i++) { /* they may point into a session that goes away */
        notice->arg[i].s = arena_str(st->fx->arena, notice->arg[i].s);
        notice->arg[i].id = arena_str(st->fx->arena, notice->arg[i].id);
    }
    return notice;
}

enum verdict notice_refuse(struct step *st, enum text key, const struct arg args[MAX_ARGS])
{
    notice_line(st, TO_ASKER, key, args);
    return REFUSED;
}

enum verdict notice_answer(struct step *st, enum text key, const struct arg args[MAX_ARGS])
{
    notice_line(st, TO_ASKER, key, args);
    return TAKEN;
}

struct notice *notice_announce(struct step *st, const struct session *s, enum text key,
                               const struct arg args[MAX_ARGS], uint64_t buttons)
{
    struct notice *notice = notice_line(st, TO_TABLE, key, args);
    notice->table = step_table(st, s, SEAT_PUBLIC);
    notice->notify = true;
    notice->verbs = buttons;
    return notice;
}

bool notice_closed(struct step *st)
{
    if (st->w->draining)
        notice_refuse(st, T_DRAINING, NO_ARGS);
    return st->w->draining;
}

void notice_hello(struct step *st)
{
    bool screen = st->w->can_here & CAN_NUMBER; /* one person alone, or a few who sit together */
    bool invited = st->e->verb == VERB_JOINED;  /* it may be unable to read */
    if ((st->e->direct || screen) && !invited) {
        effect_notice(st->fx, NOTICE_DOOR, st->e->direct ? TO_HERE : TO_ASKER);
        return;
    }
    notice_line(
        st, TO_HERE, T_HELLO,
        ARGS(arg_in_group(VERB_CHALLENGE), arg_command(VERB_HELP), arg_command(VERB_RULES)));
}
