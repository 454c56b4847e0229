/* Commands of the operator: /status, /drain, /announce, /ban, /unban, /end. Only they arrive here:
 * for anybody else command_read() knows no such command. */
#include "operator.h"

#include "lobby.h"
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
    const struct arg drain = arg_command(VERB_DRAIN);
    answer(st, T_STATUS, arg_str(STR(KOIKOI_VERSION)), arg_int(f->running), arg_int(f->chats),
           arg_int(f->waiting), arg_int(f->quarantined), arg_int(f->n_banned));
    return st->w->draining
               ? answer(st, T_DRAIN_ON, drain)
               : answer(st, T_STATUS_COMMANDS, drain, arg_command(VERB_ANNOUNCE),
                        arg_command(VERB_BAN), arg_command(VERB_UNBAN), arg_command(VERB_END));
}

enum verdict operator_drain(struct step *st)
{
    bool off = step_keyword(st, st->e->words) == KEYWORD_OFF;
    order(st, ORDER_DRAIN, !off);
    return off ? answer(st, T_DRAIN_OFF) : answer(st, T_DRAIN_ON, arg_command(VERB_DRAIN));
}

/* ---- announcements ---- */

enum verdict operator_announce(struct step *st)
{
    struct str text = str_trim(st->e->words);
    if (text.n == 0)
        return refuse(st, T_ANNOUNCE_HOW, arg_command(VERB_ANNOUNCE));
    if (utf8_cut(text, ANNOUNCEMENT_CHARS, false).n < text.n)
        return refuse(st, T_ANNOUNCE_LONG, arg_int(ANNOUNCEMENT_CHARS));
    order(st, ORDER_ANNOUNCE, true)->text = text;
    return answer(st, T_ANNOUNCE_SENT, arg_int(st->w->operates->recent));
}

enum verdict operator_announced(struct step *st)
{
    notice_line(st, TO_HERE, T_ANNOUNCEMENT, arg_str(st->e->words))->notify = true;
    return TAKEN;
}

/* ---- bans ---- */

/* Returns false, after a refusal, if not exactly one person is named. */
static bool names_one(struct step *st, enum verb verb)
{
    const struct operator_facts *f = st->w->operates;
    if (st->e->unnamed.n > 0)
        return deny(st, T_NAME_UNKNOWN, arg_str(st->e->unnamed));
    if (st->e->n_mentions == 1 && st->w->mention[0].person != 0)
        return true;
    refuse(st, T_BAN_WHOM, arg_command(verb));
    if (f->n_banned > 0)
        refuse(st, T_BAN_LIST, arg_str(f->names));
    return false;
}

enum verdict operator_ban(struct step *st)
{
    const struct sender *who = &st->e->mention[0];
    if (!names_one(st, VERB_BAN))
        return REFUSED;
    if (st->w->mention[0].person == st->w->me.person)
        return refuse(st, T_BAN_SELF);
    order(st, ORDER_BAN, true)->person = st->w->mention[0].person;
    answer(st, T_BAN_DONE, arg_name(who->name, who->id), arg_command(VERB_UNBAN));
    return st->w->operates->matches.n > 0
               ? answer(st, T_BAN_MATCHES, arg_name(who->name, who->id),
                        arg_str(st->w->operates->matches), arg_command(VERB_END))
               : TAKEN;
}

enum verdict operator_unban(struct step *st)
{
    const struct sender *who = &st->e->mention[0];
    if (!names_one(st, VERB_UNBAN))
        return REFUSED;
    if (!st->w->operates->banned)
        return refuse(st, T_BAN_NONE, arg_name(who->name, who->id));
    order(st, ORDER_BAN, false)->person = st->w->mention[0].person;
    return answer(st, T_UNBAN_DONE, arg_name(who->name, who->id));
}

enum verdict operator_banned(struct step *st)
{
    order(st, ORDER_BAN_TOLD, true)->person = st->w->me.person;
    return refuse(st, T_BANNED);
}

/* ---- the end of a match ---- */

static void end_offer(struct step *st, struct session *s)
{
    timer_close(s, END_EXPIRED);
    announce(st, s, 0, T_END_OFFER, arg_seat(s, 0));
}

enum verdict operator_banned_offer(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->e->shift);
    if (s->phase != SESSION_OFFERED)
        return IGNORED;
    if (s->lobby && seat > 0) /* another's: the others still wait */
        return lobby_leave(st, s, seat);
    end_offer(st, step_change(st, s));
    return TAKEN;
}

enum verdict operator_end(struct step *st)
{
    const struct session *was = st->w->named;
    if (st->e->no == 0)
        return refuse(st, T_END_WHICH, arg_command(VERB_END));
    if (!was || !session_live(was))
        return refuse(st, T_END_NONE, arg_int(st->e->no));
    struct session *s = step_change(st, was);
    if (s->phase == SESSION_OFFERED) {
        end_offer(st, s);
    } else { /* as after an abandoned match */
        timer_close(s, END_ABANDONED);
        s->version++;
        announce(st, s, 0, T_END_MATCH, arg_seat(s, 0), arg_seat(s, 1))->seals = true;
    }
    return session_venue_of(s, st->w->chat.id) >= 0 ? TAKEN
                                                    : answer(st, T_END_DONE, arg_int(s->no));
}
