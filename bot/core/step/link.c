/* Persons with handles on several networks. /link, in private, gives a code; /link CODE on the
 * other network makes both handles one person: one place on each scoreboard, one seat at a table,
 * playable from either handle.
 *
 * Results stay with the handle that made them, and are added up when a scoreboard is read. So
 * /unlink restores what was.
 *
 * A code works once, for LINK_MS, and is shown to its owner alone. A person who has it can become
 * its owner: a code typed in a group is void, and after WRONG_CODES wrong ones a handle must
 * wait. */
#include "keyword.h"
#include "link.h"
#include "turn.h"

#define LINK_MS (10 * MINUTE_MS) /* life of a code for linking */
enum { WRONG_CODES = 5 };

/* "k7qfm-2xa9d": 50 bits of the event's chance. */
static struct str new_code(struct step *st)
{
    enum { CODE_CHARS = 10, CODE_SIZE = CODE_CHARS + 2 };
    static const char digits[] = "abcdefghijkmnpqrstuvwxyz23456789";
    char text[CODE_SIZE];
    struct buf b = BUF(text);
    for (int i = 0; i < CODE_CHARS; i++) {
        if (i == CODE_CHARS / 2)
            buf_char(&b, '-');
        buf_char(&b, digits[st->e->chance[CHANCE_ID + i] & 31]);
    }
    return arena_str(st->fx->arena, buf_str(&b));
}

static enum verdict ask_code(struct step *st)
{
    const struct link_effects *link = st->fx->link =
        STEP_NEW(st, struct link_effects, .kind = LINK_CODE, .code = new_code(st),
                 .expires = st->e->now + LINK_MS);
    return notice_answer(
        st, T_LINK_CODE,
        ARGS(arg_str(link->code), arg_command(VERB_LINK), arg_int(LINK_MS / MINUTE_MS)));
}

/* A refused code; if it was valid, it is void from now on. */
static enum verdict refuse_code(struct step *st, enum text key, const struct arg args[MAX_ARGS])
{
    st->fx->link =
        STEP_NEW(st, struct link_effects, .kind = LINK_WRONG, .person = st->w->link->owner);
    return notice_refuse(st, key, args);
}

static void inform_owner(struct step *st, enum text key, const struct arg args[MAX_ARGS])
{
    struct notice *notice = notice_line(st, TO_HANDLE, key, args);
    notice->handle = st->w->link->whose;
    notice->notify = true;
}

enum verdict people_link(struct step *st)
{
    const struct link_facts *f = st->w->link;
    bool typed = st->e->words.n > 0;
    if (st->w->me.person == 0)
        return notice_refuse(st, T_ANONYMOUS, NO_ARGS);
    if (!st->e->direct && typed)
        return refuse_code(st, T_LINK_SHOWN, ARGS(arg_command(VERB_LINK)));
    if (!st->e->direct)
        return notice_refuse(st, T_LINK_PRIVATE, ARGS(arg_command(VERB_LINK)));
    if (f->wrong >= WRONG_CODES)
        return notice_refuse(st, T_LINK_LATER, NO_ARGS);
    if (!typed)
        return ask_code(st);
    if (f->owner == 0)
        return refuse_code(st, T_LINK_BAD, ARGS(arg_command(VERB_LINK)));
    if (f->owner == st->w->me.person)
        return notice_refuse(st, T_LINK_SELF, ARGS(arg_command(VERB_LINK)));
    if (f->same_network)
        return notice_refuse(st, T_LINK_SAME_NETWORK, NO_ARGS);
    if (f->both)
        return notice_refuse(st, T_LINK_BOTH, ARGS(arg_int(f->both), arg_command(VERB_LINK)));
    st->fx->link = STEP_NEW(st, struct link_effects, .kind = LINK_JOIN, .person = f->owner,
                            .other = st->w->me.person);
    inform_owner(st, T_LINKED,
                 ARGS(arg_str(st->e->from.name), arg_str(f->here), arg_command(VERB_UNLINK)));
    return notice_answer(st, T_LINKED,
                         ARGS(arg_str(f->name), arg_str(f->there), arg_command(VERB_UNLINK)));
}

enum verdict people_unlink(struct step *st)
{
    const struct link_facts *f = st->w->link;
    if (!f->linked)
        return notice_refuse(st, T_UNLINK_NONE, ARGS(arg_command(VERB_LINK)));
    st->fx->link = STEP_NEW(st, struct link_effects, .kind = LINK_PART, .person = st->w->me.person,
                            .other = f->own);
    return notice_answer(st, T_UNLINKED, ARGS(arg_command(VERB_LINK)));
}

/* ---- what is kept of a person: /mydata shows it, /forget takes their name out of it, in private
 * ---- */

static bool refuse_in_group(struct step *st)
{
    if (st->w->me.person == 0)
        notice_refuse(st, T_ANONYMOUS, NO_ARGS);
    else if (!st->e->direct)
        notice_refuse(st, T_IN_PRIVATE, NO_ARGS);
    return st->w->me.person == 0 || !st->e->direct;
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
    if (st->w->mine.n > 0)
        return notice_refuse(st, T_FORGET_RUNNING,
                             ARGS(arg_command(VERB_GAMES), arg_command(VERB_RESIGN)));
    if (keyword_find(st->w->bot->languages, st->fx->arena, st->e->words) != KEYWORD_ON)
        return notice_answer(st, T_FORGET_SURE,
                             ARGS(arg_command(VERB_FORGET), arg_command(VERB_MYDATA)));
    st->fx->forget = true;
    return notice_answer(st, T_FORGOTTEN, NO_ARGS);
}
