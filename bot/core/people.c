/* One person, several networks. Whoever plays on two of them asks for a code on one (/link, in
 * private) and types it on the other (/link CODE): from then on both handles are one person. It has
 * one place on each scoreboard, and at a table one seat: what is played from one handle can be
 * played on from the other.
 *
 * Nothing that was played is rewritten: results stay with the handle that made them and are added
 * up when a scoreboard is read. So /unlink parts them again as they were.
 *
 * A code is for one person, works once, for ten minutes, and is said to nobody else. Whoever holds
 * it can become its owner, so one that was shown to a group is void, and who types wrong ones must
 * wait. */
#include "stepping.h"

/* "k7qfm-2xa9d": 50 bits of the event's chance. */
static struct str new_code(struct step *st)
{
    static const char digits[] = "abcdefghijkmnpqrstuvwxyz23456789";
    char text[12];
    struct buf b = BUF(text);
    for (int i = 0; i < 10; i++) {
        if (i == 5)
            buf_char(&b, '-');
        buf_char(&b, digits[st->e->chance[CHANCE_ID + i] & 31]);
    }
    return arena_str(st->fx->arena, buf_str(&b));
}

static enum verdict ask_code(struct step *st)
{
    struct link_effect *link = &st->fx->link;
    *link = (struct link_effect){
        .kind = LINK_CODE, .code = new_code(st), .expires = st->e->now + LINK_MS};
    return answer(st, T_LINK_CODE,
                  ARGS(a_str(link->code), a_alias(VERB_LINK), a_int(LINK_MS / MINUTE_MS)));
}

/* A code was typed in vain; if it was somebody's, it is void now. */
static enum verdict in_vain(struct step *st, enum text key, const struct arg args[MAX_ARGS])
{
    st->fx->link = (struct link_effect){.kind = LINK_WRONG, .person = st->w->link.owner};
    return refuse(st, key, args);
}

static void tell_owner(struct step *st, enum text key, const struct arg args[MAX_ARGS])
{
    struct say *say = say_line(st, TO_HANDLE, key, args);
    say->handle = st->w->link.whose;
    say->notify = true;
}

enum verdict people_link(struct step *st)
{
    const struct link_facts *f = &st->w->link;
    bool typed = st->e->words.n > 0;
    if (st->w->me == 0)
        return refuse(st, T_ANONYMOUS, NO_ARGS);
    if (!st->e->direct && typed)
        return in_vain(st, T_LINK_SHOWN, ARGS(a_alias(VERB_LINK)));
    if (!st->e->direct)
        return refuse(st, T_LINK_PRIVATE, ARGS(a_alias(VERB_LINK)));
    if (f->wrong >= WRONG_CODES)
        return refuse(st, T_LINK_LATER, NO_ARGS);
    if (!typed)
        return ask_code(st);
    if (f->owner == 0)
        return in_vain(st, T_LINK_BAD, ARGS(a_alias(VERB_LINK)));
    if (f->owner == st->w->me)
        return refuse(st, T_LINK_SELF, ARGS(a_alias(VERB_LINK)));
    if (f->same_network)
        return refuse(st, T_LINK_SAME_NETWORK, NO_ARGS);
    if (f->both)
        return refuse(st, T_LINK_BOTH, ARGS(a_int(f->both), a_alias(VERB_LINK)));
    st->fx->link = (struct link_effect){.kind = LINK_JOIN, .person = f->owner, .other = st->w->me};
    tell_owner(st, T_LINKED, ARGS(a_str(st->e->from.name), a_str(f->here), a_alias(VERB_UNLINK)));
    return answer(st, T_LINKED, ARGS(a_str(f->name), a_str(f->there), a_alias(VERB_UNLINK)));
}

enum verdict people_unlink(struct step *st)
{
    const struct link_facts *f = &st->w->link;
    if (!f->linked)
        return refuse(st, T_UNLINK_NONE, ARGS(a_alias(VERB_LINK)));
    st->fx->link = (struct link_effect){.kind = LINK_PART, .person = st->w->me, .other = f->own};
    return answer(st, T_UNLINKED, ARGS(a_alias(VERB_LINK)));
}
