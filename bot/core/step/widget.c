/* The table beside a room's messages. /widget shows it there, for all: an act of the network, which
 * answers whether the asker and the bot have the power for it; the command is then handled once more,
 * with that answer. It is the network that knows the powers, so no one needs to be an admin besides.
 * /widget off takes the table away.
 *
 * What a network gives the page proves a person, but others may have got it too. So each browser shows
 * a code, and counts once its person has written /widget CODE in any chat: see bot/web/web_frame.c. */
#include "turn.h"

#include "command.h"

/* A window of the sender, by the code that it shows. */
static enum verdict confirm(struct step *st)
{
    if (!st->w->window)
        return refuse(st, T_PAGE_WIDGET_CODE_BAD, arg_command(VERB_WIDGET));
    st->fx->window = st->e->words;
    return answer(st, T_PAGE_WIDGET_CONFIRMED, arg_str(st->e->words));
}

/* What the network has answered. */
static enum verdict placed(struct step *st, bool off)
{
    const struct lacking l = st->e->lacking;
    if (st->e->placed == PLACED_YES && off)
        return answer(st, T_PAGE_WIDGET_GONE);
    if (st->e->placed == PLACED_YES) {
        notice_line(st, TO_HERE, T_PAGE_WIDGET_PLACED, arg_private(VERB_TABLE));
        return TAKEN;
    }
    if (l.needs == l.has)
        return refuse(st, T_PAGE_WIDGET_FAILED, arg_command(VERB_WIDGET));
    if (l.theirs)
        return refuse(st, T_PAGE_WIDGET_POWER_THEIRS, arg_int(l.needs), arg_int(l.has));
    return refuse(st, T_PAGE_WIDGET_POWER, arg_int(l.needs), arg_int(l.has),
                  arg_command(VERB_WIDGET));
}

/* Digits alone: anything else is an option of the command. */
bool widget_is_code(struct str words)
{
    int64_t code;
    return words.n == WIDGET_CODE && words.p[0] != '-' && str_int(words, &code);
}

enum verdict widget_command(struct step *st)
{
    const struct event *e = st->e;
    bool off = step_keyword(st, e->words) == KEYWORD_OFF;
    if (widget_is_code(e->words))
        return confirm(st);
    if (e->placed != PLACED_UNASKED)
        return placed(st, off);
    if (!(st->w->chat.can & CAN_WIDGET))
        return refuse(st, T_PAGE_WIDGET_CANNOT, arg_private(VERB_TABLE));
    if (!str_starts(st->w->bot->pages, STR("https://"))) /* clients show no other in theirs */
        return refuse(st, T_PAGE_WIDGET_PAGES);
    st->fx->widget = off ? WIDGET_TAKEN_AWAY : WIDGET_SHOWN;
    return TAKEN;
}
