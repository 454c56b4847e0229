/* Around the cards: ready for the next round, cutting a deal, leaving, claiming and waiting. */
#include "stepping.h"

/* ---- between rounds ---- */

enum verdict play_ready(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me);
    if (s->phase == SESSION_OFFERED)
        return lobby_accept(st, s);
    if (s->phase == SESSION_OVER)
        return refuse(st, T_MATCH_OVER, ARGS(a_alias(VERB_CHALLENGE)));
    if (seat < 0)
        return refuse(st, T_NOT_YOUR_MATCH,
                      ARGS(a_seat(s, 0), a_seat(s, 1), a_alias(VERB_CHALLENGE)));
    if (s->match.stage != MATCH_READY)
        return refuse(st, T_ROUND_RUNS, ARGS(a_int(s->match.round_no)));
    if (s->player[seat].ready)
        return refuse(st, T_READY_AGAIN, ARGS(a_time(s->due)));
    struct session *next = step_change(st, s);
    next->player[seat].ready = true;
    NAME_PUT(next->player[seat].event, st->e->id);
    for (int i = 0; i < next->players; i++)
        if (!next->player[i].ready) {
            answer(st, T_READY_NOTED, ARGS(a_seat(next, i), a_time(next->due)));
            return TAKEN;
        }
    play_deal(st, next);
    return TAKEN;
}

enum verdict play_cut(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me);
    if (seat < 0 || s->phase == SESSION_OVER)
        return refuse(st, T_NOT_YOUR_MATCH,
                      ARGS(a_seat(s, 0), a_seat(s, 1), a_alias(VERB_CHALLENGE)));
    if (s->phase == SESSION_PLAYING && s->match.stage != MATCH_READY)
        return refuse(st, T_CUT_LATER, ARGS(a_alias(VERB_CUT)));
    struct str text = text_clean(st->fx->arena, st->e->words, CUT_SIZE - 1);
    if (st->e->words.n == 0)
        return refuse(st, T_CUT_WHAT, ARGS(a_alias(VERB_CUT)));
    struct session *next = step_change(st, s);
    NAME_PUT(next->player[seat].cut, text);
    answer(st, T_CUT_DONE,
           ARGS(a_str(str_of(next->player[seat].cut)),
                a_int(s->phase == SESSION_OFFERED ? 1 : s->match.round_no)));
    return TAKEN;
}

/* ---- leaving ---- */

static bool must_sit(struct step *st, const struct session *s, int *ret_seat)
{
    *ret_seat = session_seat(s, st->w->me);
    if (s->phase == SESSION_OVER)
        refuse(st, T_MATCH_OVER, ARGS(a_alias(VERB_CHALLENGE)));
    else if (*ret_seat < 0)
        refuse(st, T_NOT_YOUR_MATCH, ARGS(a_seat(s, 0), a_seat(s, 1), a_alias(VERB_CHALLENGE)));
    else if (s->phase == SESSION_OFFERED)
        refuse(st, T_NOT_BEGUN, NO_ARGS);
    else
        return true;
    return false;
}

enum verdict play_resign(struct step *st, const struct session *s)
{
    int seat;
    if (!must_sit(st, s, &seat))
        return REFUSED;
    struct session *next = step_change(st, s);
    if (s->resign_asked != seat) {
        next->resign_asked = (int8_t)seat;
        struct say *say = say_line(st, TO_ASKER, T_RESIGN_SURE, ARGS(a_alias(VERB_RESIGN)));
        say->verbs = (uint64_t)1 << VERB_RESIGN;
        say->table = step_table(st, next, SEAT_PUBLIC);
        return TAKEN;
    }
    play_leave(st, next, seat, false);
    return TAKEN;
}

enum verdict play_claim(struct step *st, const struct session *s)
{
    int seat, turn = session_turn(s);
    if (!must_sit(st, s, &seat))
        return REFUSED;
    if (!s->overdue && turn == seat)
        return refuse(st, T_NUDGE_SELF, ARGS(a_alias(VERB_HAND)));
    if (!s->overdue || turn < 0)
        return turn >= 0 && knock_deadline(s)
                   ? refuse(st, T_CLAIM_EARLY, ARGS(a_seat(s, turn), a_time(knock_deadline(s))))
                   : refuse(st, T_CLAIM_NO_CLOCK, NO_ARGS);
    if (turn == seat)
        return refuse(st, T_CLAIM_OWN, NO_ARGS);
    play_leave(st, step_change(st, s), turn, true);
    return TAKEN;
}

enum verdict play_wait(struct step *st, const struct session *s)
{
    int seat, turn = session_turn(s);
    if (!must_sit(st, s, &seat))
        return REFUSED;
    if (!s->overdue || turn < 0 || turn == seat)
        return refuse(st, T_WAIT_NOTHING, NO_ARGS);
    struct session *next = step_change(st, s);
    next->overdue = false;
    next->moved = st->e->now;
    knock_turn(st, next);
    struct say *say =
        say_line(st, TO_TABLE, T_WAITING,
                 ARGS(a_seat(s, seat), a_seat(s, turn), a_time(knock_deadline(next))));
    say->table = step_table(st, next, SEAT_PUBLIC);
    say->notify = true;
    return TAKEN;
}
