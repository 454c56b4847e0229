/* Notices that many handlers make: a line to some audience, an answer to the sender, an announcement
 * to the table; and messages whose buttons go dead: each gets its number when it is made, and loses
 * its buttons with the step after which they are dead, or when a newer one of its kind takes its
 * place. */
#include "turn.h"

struct arg arg_seat(const struct session *s, int seat)
{
    const struct player *p = &s->player[seat];
    return (struct arg){.kind = ARG_NAME,
                        .n = session_by_computer(s, seat) ? 1 + p->character : 0,
                        .s = str_of(p->name),
                        .id = str_of(p->id),
                        .account = p->account,
                        .known = s->search.on ? 1 + p->venue : 0};
}

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
    bool screen = st->w->chat.can & CAN_NUMBER; /* one person alone, or a few who sit together */
    bool invited = st->e->verb == VERB_JOINED;  /* it may be unable to read */
    if ((st->e->direct || screen) && !invited) {
        effect_notice(st->fx, NOTICE_DOOR, st->e->direct ? TO_HERE : TO_ASKER);
        return;
    }
    notice_line(
        st, TO_HERE, T_HELLO,
        ARGS(arg_in_group(VERB_CHALLENGE), arg_command(VERB_HELP), arg_command(VERB_RULES)));
}

/* ---- buttons that go dead ---- */

/* True if the buttons of messages of this kind are dead by now. */
static bool is_dead(const struct session *s, enum posted kind)
{
    bool runs = s->phase == SESSION_PLAYING;
    switch (kind) {
    case POSTED_OFFER:
        return s->phase != SESSION_OFFERED;
    case POSTED_PAUSE:
        return !runs || s->match.stage != MATCH_READY;
    case POSTED_QUESTION:
        return !runs || s->ask.what == ASK_NONE;
    case POSTED_TIME:
        return !runs || !s->move.overdue;
    case POSTED_REMINDER:
    case N_POSTED:
        break;
    }
    return !runs;
}

/* True if one more notice fits into this step; else the buttons wait for a later one. */
static bool has_room(const struct step *st)
{
    return st->fx->n_notices < MAX_NOTICES && st->fx->n_tables < MAX_TABLES;
}

static void close_one(struct step *st, struct session *s, enum posted kind)
{
    if (s->posts.standing[kind] == 0 || !has_room(st))
        return;
    struct notice *notice = effect_notice(st->fx, NOTICE_CLOSE, TO_TABLE);
    notice->table = step_table(st, s, SEAT_PUBLIC);
    notice->posted = s->posts.standing[kind];
    s->posts.standing[kind] = 0;
}

void step_posts_add(struct step *st, struct session *s, enum posted kind, struct notice *notice)
{
    close_one(st, s, kind);
    notice->posted = s->posts.standing[kind] = ++s->posts.n;
}

void step_posts_again(const struct session *s, enum posted kind, struct notice *notice)
{
    notice->posted = s->posts.standing[kind];
}

void step_posts_close_hand(struct step *st, const struct session *s, int seat)
{
    if (!has_room(st))
        return;
    struct notice *notice = effect_notice(st->fx, NOTICE_CLOSE, TO_SEAT);
    notice->seat = (int8_t)seat;
    notice->table = step_table(st, s, seat);
}

/* The board and the hands of a match that was given up, which no result replaces. */
static void close_table(struct step *st, const struct session *s)
{
    if (!has_room(st))
        return;
    effect_notice(st->fx, NOTICE_CLOSE, TO_TABLE)->table = step_table(st, s, SEAT_PUBLIC);
    for (int i = 0; i < s->players && s->match.stage == MATCH_PLAYING; i++)
        if (!session_by_computer(s, i))
            step_posts_close_hand(st, s, i);
}

void step_posts_close(struct step *st)
{
    for (int i = 0; i < st->fx->n_saves; i++) {
        struct session *s = st->fx->save[i];
        for (int kind = 0; kind < N_POSTED; kind++)
            if (is_dead(s, (enum posted)kind))
                close_one(st, s, (enum posted)kind);
        if (s->end == END_ABANDONED && s->match.players > 0)
            close_table(st, s);
    }
}
