/* Commands of the operator: /status, /drain, /announce, /ban, /unban, /end. Only they arrive here:
 * for anybody else command_read() knows no such command. */
#include "operator.h"

#include "keyword.h"
#include "turn.h"
#include "utf8.h"

enum { ANNOUNCEMENT_CHARS = 1000 };

static struct operator_effects *order(struct step *st, enum operator_order what, bool on)
{
    struct operator_effects *ret =
        STEP_NEW(st, struct operator_effects, .order = (uint8_t)what, .on = on);
    st->fx->operates = ret;
    return ret;
}

enum verdict operator_status(struct step *st)
{
    const struct operator_facts *f = st->w->operates;
    notice_answer(st, T_STATUS,
                  ARGS(arg_str(STR(KOIKOI_VERSION)), arg_int(f->running), arg_int(f->chats),
                       arg_int(f->waiting), arg_int(f->quarantined), arg_int(f->n_banned)));
    if (st->w->draining)
        return notice_answer(st, T_DRAIN_ON, ARGS(arg_command(VERB_DRAIN)));
    return notice_answer(st, T_STATUS_COMMANDS,
                         ARGS(arg_command(VERB_DRAIN), arg_command(VERB_ANNOUNCE),
                              arg_command(VERB_BAN), arg_command(VERB_UNBAN),
                              arg_command(VERB_END)));
}

enum verdict operator_drain(struct step *st)
{
    bool off = keyword_find(st->w->bot->languages, st->fx->arena, st->e->words) == KEYWORD_OFF;
    order(st, ORDER_DRAIN, !off);
    return off ? notice_answer(st, T_DRAIN_OFF, NO_ARGS)
               : notice_answer(st, T_DRAIN_ON, ARGS(arg_command(VERB_DRAIN)));
}

/* ---- announcements ---- */

enum verdict operator_announce(struct step *st)
{
    struct str text = str_trim(st->e->words);
    if (text.n == 0)
        return notice_refuse(st, T_ANNOUNCE_HOW, ARGS(arg_command(VERB_ANNOUNCE)));
    if (utf8_cut(text, ANNOUNCEMENT_CHARS, false).n < text.n)
        return notice_refuse(st, T_ANNOUNCE_LONG, ARGS(arg_int(ANNOUNCEMENT_CHARS)));
    order(st, ORDER_ANNOUNCE, true)->text = text;
    return notice_answer(st, T_ANNOUNCE_SENT, ARGS(arg_int(st->w->operates->recent)));
}

enum verdict operator_announced(struct step *st)
{
    notice_line(st, TO_HERE, T_ANNOUNCEMENT, ARGS(arg_str(st->e->words)))->notify = true;
    return TAKEN;
}

/* ---- bans ---- */

/* Returns false, and has said why, if not exactly one person is named. */
static bool named(struct step *st, enum verb verb)
{
    const struct operator_facts *f = st->w->operates;
    if (st->e->unnamed.n > 0) {
        notice_refuse(st, T_NAME_UNKNOWN, ARGS(arg_str(st->e->unnamed)));
        return false;
    }
    if (st->e->n_mentions == 1 && st->w->mention[0].person != 0)
        return true;
    notice_refuse(st, T_BAN_WHOM, ARGS(arg_command(verb)));
    if (f->n_banned > 0)
        notice_refuse(st, T_BAN_LIST, ARGS(arg_str(f->names)));
    return false;
}

static struct arg named_arg(const struct step *st)
{
    return arg_name(st->e->mention[0].name, st->e->mention[0].id);
}

enum verdict operator_ban(struct step *st)
{
    if (!named(st, VERB_BAN))
        return REFUSED;
    if (st->w->mention[0].person == st->w->me.person)
        return notice_refuse(st, T_BAN_SELF, NO_ARGS);
    order(st, ORDER_BAN, true)->person = st->w->mention[0].person;
    return notice_answer(st, T_BAN_DONE, ARGS(named_arg(st), arg_command(VERB_UNBAN)));
}

enum verdict operator_unban(struct step *st)
{
    if (!named(st, VERB_UNBAN))
        return REFUSED;
    if (!st->w->operates->banned)
        return notice_refuse(st, T_BAN_NONE, ARGS(named_arg(st)));
    order(st, ORDER_BAN, false)->person = st->w->mention[0].person;
    return notice_answer(st, T_UNBAN_DONE, ARGS(named_arg(st)));
}

enum verdict operator_banned(struct step *st)
{
    order(st, ORDER_BAN_TOLD, true)->person = st->w->me.person;
    return notice_refuse(st, T_BANNED, NO_ARGS);
}

/* ---- the end of a match ---- */

enum verdict operator_end(struct step *st)
{
    const struct session *was = st->w->named;
    if (st->e->no == 0)
        return notice_refuse(st, T_END_WHICH, ARGS(arg_command(VERB_END)));
    if (!was || !session_live(was))
        return notice_refuse(st, T_END_NONE, ARGS(arg_int(st->e->no)));
    struct session *s = step_change(st, was);
    bool offered = s->phase == SESSION_OFFERED;
    timer_close(s, offered ? END_EXPIRED : END_ABANDONED);
    s->version++;
    struct notice *notice =
        offered ? notice_announce(st, s, T_END_OFFER, ARGS(arg_seat(s, 0)), 0)
                : notice_announce(st, s, T_END_MATCH, ARGS(arg_seat(s, 0), arg_seat(s, 1)), 0);
    notice->seals = !offered; /* as after an abandoned match */
    if (session_venue_of(s, st->w->chat.id) >= 0)
        return TAKEN;
    return notice_answer(st, T_END_DONE, ARGS(arg_int(s->no)));
}
