/* Persons with handles on several networks. /link, in private, gives a code; /link CODE on the
 * other network makes both handles one person: one place on each scoreboard, one seat at a table,
 * playable from either handle.
 *
 * Results stay with the handle that made them, and are added up when a scoreboard is read. So
 * /unlink restores what was.
 *
 * A code works once, for LINK_MS, and is shown to its owner alone. A person who has it can become
 * its owner: a code typed in a group is void, and after WRONG_CODES wrong ones a handle must
 * wait.
 *
 * And what is kept of a person: /mydata shows it, /forget takes their name out of it. */
#include "turn.h"

#define LINK_MS (10 * MINUTE_MS)
enum { WRONG_CODES = 5, ROOM_BYTES = 16 };

/* A refused code; if it was valid, it is void from now on. */
static enum verdict refuse_code(struct step *st, enum text key)
{
    st->fx->link =
        STEP_NEW(st, struct link_effects, .kind = LINK_WRONG, .person = st->w->link->owner);
    return refuse(st, key, arg_command(VERB_LINK));
}

/* "/link new": links to pages that were given out end. In private those by which browsers became the
 * sender's; at a table those to it; in a room of the pages the room's own. */
static enum verdict renew(struct step *st, const struct session *s)
{
    bool direct = st->e->direct, room = !direct && (st->w->can & CAN_SCENE);
    int seat = s ? step_seat(st, s) : -1;
    if (seat < 0 && !direct)
        return st->fits.n > 1 ? step_which_match(st) : refuse(st, T_PAGE_NEW_PLAYERS);
    struct link_effects *new = STEP_NEW(st, struct link_effects, .kind = LINK_NEW);
    st->fx->link = new;
    if (seat >= 0) {
        struct session *next = step_change(st, s);
        next->links++;
        if (next->phase == SESSION_PLAYING && effect_watched(next))
            notice_show(st, NOTICE_WATCH, TO_TABLE, next, SEAT_PUBLIC);
    }
    if (room) {
        char name[2 * ROOM_BYTES];
        struct buf b = BUF(name);
        buf_hex(&b, st->e->chance + CHANCE_NEXT, ROOM_BYTES);
        new->room = arena_str(st->fx->arena, buf_str(&b));
        return answer(st, T_PAGE_NEW_ROOM,
                      arg_str(arena_print(st->fx->arena, "%.*s/r/%.*s", STR_ARG(st->w->bot->pages),
                                          STR_ARG(new->room))));
    }
    if (!direct)
        return answer(st, T_PAGE_NEW_TABLE, arg_int(s->no));
    new->person = st->w->me.person;
    answer(st, T_PAGE_NEW_OWN);
    query_ticket(st);
    return TAKEN;
}

enum verdict people_link(struct step *st, const struct session *s)
{
    const struct link_facts *f = st->w->link;
    const struct arg link = arg_command(VERB_LINK), unlink = arg_command(VERB_UNLINK);
    int64_t me = st->w->me.person;
    bool typed = st->e->words.n > 0;
    if (typed && step_keyword(st, text_fold(st->fx->arena, st->e->words)) == KEYWORD_NEW_LINK)
        return renew(st, s);
    if (!st->e->direct)
        return typed ? refuse_code(st, T_LINK_SHOWN) : refuse(st, T_LINK_PRIVATE, link);
    if (f->wrong >= WRONG_CODES)
        return refuse(st, T_LINK_LATER);
    if (!typed) { /* "k7qfm-2xa9d": 50 bits of the event's chance */
        enum { CODE_CHARS = 10, CODE_SIZE = CODE_CHARS + 2 };
        static const char digits[] = "abcdefghijkmnpqrstuvwxyz23456789";
        char text[CODE_SIZE];
        struct buf b = BUF(text);
        for (int i = 0; i < CODE_CHARS; i++) {
            if (i == CODE_CHARS / 2)
                buf_char(&b, '-');
            buf_char(&b, digits[st->e->chance[CHANCE_ID + i] & 31]);
        }
        struct str code = arena_str(st->fx->arena, buf_str(&b));
        st->fx->link = STEP_NEW(st, struct link_effects, .kind = LINK_CODE, .code = code,
                                .expires = st->e->now + LINK_MS);
        return answer(st, T_LINK_CODE, arg_str(code), link, arg_int(LINK_MS / MINUTE_MS));
    }
    if (f->owner == 0)
        return refuse_code(st, T_LINK_BAD);
    if (f->owner == me)
        return refuse(st, T_LINK_SELF, link);
    if (f->same_network)
        return refuse(st, T_LINK_SAME_NETWORK);
    if (f->both)
        return refuse(st, T_LINK_BOTH, arg_int(f->both), link);
    st->fx->link =
        STEP_NEW(st, struct link_effects, .kind = LINK_JOIN, .person = f->owner, .other = me);
    struct notice *notice =
        notice_line(st, TO_HANDLE, T_LINKED, arg_str(st->e->from.name), arg_str(f->here), unlink);
    notice->handle = f->whose;
    notice->notify = true;
    return answer(st, T_LINKED, arg_str(f->name), arg_str(f->there), unlink);
}

enum verdict people_unlink(struct step *st)
{
    const struct link_facts *f = st->w->link;
    if (!f->linked)
        return refuse(st, T_UNLINK_NONE, arg_command(VERB_LINK));
    st->fx->link = STEP_NEW(st, struct link_effects, .kind = LINK_PART, .person = st->w->me.person,
                            .other = f->own);
    return answer(st, T_UNLINKED, arg_command(VERB_LINK));
}

/* ---- what is kept ---- */

enum verdict people_mydata(struct step *st)
{
    if (!st->e->direct)
        return refuse(st, T_IN_PRIVATE);
    effect_notice(st->fx, NOTICE_MYDATA, TO_ASKER)->text = st->w->record;
    return TAKEN;
}

enum verdict people_forget(struct step *st)
{
    if (!st->e->direct)
        return refuse(st, T_IN_PRIVATE);
    if (st->w->mine.n > 0)
        return refuse(st, T_FORGET_RUNNING, arg_command(VERB_GAMES), arg_command(VERB_RESIGN));
    if (step_keyword(st, st->e->words) != KEYWORD_ON)
        return answer(st, T_FORGET_SURE, arg_command(VERB_FORGET), arg_command(VERB_MYDATA));
    st->fx->forget = true;
    return answer(st, T_FORGOTTEN);
}
