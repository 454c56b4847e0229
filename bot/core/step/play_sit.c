/* Players around the cards: ready for the next round, the cut of a deal, its beacon, nudging,
 * resigning, claiming and waiting. */
#include "play.h"

#define NUDGE_MS  ((int64_t)HOUR_MS) /* between two nudges */
#define RESIGN_MS (5 * MINUTE_MS)    /* a second /resign confirms the first */

/* ---- between rounds ---- */

enum verdict play_ready(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me.person);
    if (s->phase == SESSION_OFFERED)
        return lobby_accept(st, s);
    if (s->phase == SESSION_OVER)
        return notice_refuse(st, T_MATCH_OVER, ARGS(arg_command(VERB_CHALLENGE)));
    if (seat < 0)
        return notice_refuse(st, T_NOT_YOUR_MATCH,
                             ARGS(arg_seat(s, 0), arg_seat(s, 1), arg_command(VERB_CHALLENGE)));
    if (s->ask.what == ASK_GO_ON)
        return play_choose_first(st, s);
    if (s->match.stage != MATCH_READY)
        return notice_refuse(st, T_ROUND_RUNS, ARGS(arg_int(s->match.round_no)));
    if (s->player[seat].ready)
        return notice_refuse(st, T_READY_AGAIN, ARGS(arg_time(s->due)));
    struct session *next = step_change(st, s);
    next->player[seat].ready = true;
    for (int i = 0; i < next->players; i++)
        if (!next->player[i].ready) {
            notice_answer(st, T_READY_NOTED, ARGS(arg_seat(next, i), arg_time(next->due)));
            return TAKEN;
        }
    play_deal(st, next);
    return TAKEN;
}

enum verdict play_cut(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me.person);
    if (seat < 0 || s->phase == SESSION_OVER)
        return notice_refuse(st, T_NOT_YOUR_MATCH,
                             ARGS(arg_seat(s, 0), arg_seat(s, 1), arg_command(VERB_CHALLENGE)));
    if (s->phase == SESSION_PLAYING && (s->match.stage != MATCH_READY || s->beacon.until))
        return notice_refuse(st, T_CUT_LATER, ARGS(arg_command(VERB_CUT)));
    struct str text = text_clean(st->fx->arena, st->e->words, CUT_SIZE - 1);
    if (st->e->words.n == 0)
        return notice_refuse(st, T_CUT_WHAT, ARGS(arg_command(VERB_CUT)));
    struct session *next = step_change(st, s);
    NAME_PUT(next->player[seat].cut, text);
    notice_answer(st, T_CUT_DONE,
                  ARGS(arg_str(str_of(next->player[seat].cut)),
                       arg_int(s->phase == SESSION_OFFERED ? 1 : s->match.round_no)));
    return TAKEN;
}

enum verdict play_beacon(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_PLAYING || !s->beacon.until || st->e->version != s->version)
        return IGNORED;
    play_deal_mixed(st, step_change(st, s), st->e->words);
    return TAKEN;
}

/* ---- a slow player ---- */

enum verdict play_nudge(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me.person), turn = session_turn(s);
    if (s->phase == SESSION_OVER)
        return notice_refuse(st, T_MATCH_OVER, ARGS(arg_command(VERB_CHALLENGE)));
    if (turn < 0)
        return notice_refuse(st, T_NUDGE_NO_TURN, NO_ARGS);
    if (seat < 0)
        return notice_refuse(st, T_NOT_YOUR_MATCH,
                             ARGS(arg_seat(s, 0), arg_seat(s, 1), arg_command(VERB_CHALLENGE)));
    if (turn == seat)
        return notice_refuse(st, T_NUDGE_SELF, ARGS(arg_command(VERB_HAND)));
    if (session_by_computer(s, turn))
        return notice_refuse(st, T_NOT_YOUR_TURN_EVER, ARGS(arg_seat(s, turn)));
    const struct absence *absence = &s->player[turn].absence;
    if (absence_ring_at(absence, st->e->now) > st->e->now)
        return notice_refuse(
            st, absence_on_vacation(absence, st->e->now) ? T_NUDGE_VACATION : T_NUDGE_QUIET,
            ARGS(arg_seat(s, turn), arg_time(absence_ring_at(absence, st->e->now))));
    if (s->move.nudged && st->e->now < s->move.nudged + NUDGE_MS)
        return notice_refuse(st, T_NUDGE_EARLY,
                             ARGS(arg_seat(s, turn), arg_time(s->move.nudged + NUDGE_MS)));
    struct session *next = step_change(st, s);
    next->move.nudged = st->e->now;
    step_posts_add(st, next, POSTED_REMINDER,
                   notice_announce(st, next, T_NUDGED, ARGS(arg_seat(s, turn), arg_seat(s, seat)),
                                   BUTTON_OF(VERB_HAND)));
    return TAKEN;
}

/* ---- resign, claim, wait ---- */

enum verdict play_resign(struct step *st, const struct session *s)
{
    int seat;
    if (!play_must_sit(st, s, &seat))
        return REFUSED;
    if (s->ask.what == ASK_GO_ON)
        return play_choose_first(st, s);
    struct session *next = step_change(st, s);
    int64_t asked = s->player[seat].resign_asked;
    if (asked == 0 || st->e->now >= asked + RESIGN_MS) {
        next->player[seat].resign_asked = st->e->now;
        struct notice *notice =
            notice_line(st, TO_ASKER, T_RESIGN_SURE, ARGS(arg_command(VERB_RESIGN)));
        notice->verbs = BUTTON_OF(VERB_RESIGN);
        notice->table = step_table(st, next, SEAT_PUBLIC);
        return TAKEN;
    }
    play_leave_table(st, next, seat, false);
    return TAKEN;
}

enum verdict play_claim(struct step *st, const struct session *s)
{
    int seat, turn = session_turn(s);
    if (!play_must_sit(st, s, &seat))
        return REFUSED;
    if (!s->move.overdue && turn == seat)
        return notice_refuse(st, T_NUDGE_SELF, ARGS(arg_command(VERB_HAND)));
    if (!s->move.overdue || turn < 0)
        return turn >= 0 && session_deadline(s)
                   ? notice_refuse(st, T_CLAIM_EARLY,
                                   ARGS(arg_seat(s, turn), arg_time(session_deadline(s))))
                   : notice_refuse(st, T_CLAIM_NO_CLOCK, NO_ARGS);
    if (turn == seat)
        return notice_refuse(st, T_CLAIM_OWN, NO_ARGS);
    play_leave_table(st, step_change(st, s), turn, true);
    return TAKEN;
}

enum verdict play_wait(struct step *st, const struct session *s)
{
    int seat, turn = session_turn(s);
    if (!play_must_sit(st, s, &seat))
        return REFUSED;
    if (!s->move.overdue || turn < 0 || turn == seat)
        return notice_refuse(st, T_WAIT_NOTHING, NO_ARGS);
    struct session *next = step_change(st, s);
    next->move.overdue = false;
    next->moved = st->e->now;
    next->player[turn].time_left = next->time.total_ms;
    timer_turn(st, next);
    struct notice *notice =
        notice_line(st, TO_TABLE, T_WAITING,
                    ARGS(arg_seat(s, seat), arg_seat(s, turn), arg_time(session_deadline(next))));
    notice->table = step_table(st, next, SEAT_PUBLIC);
    notice->notify = true;
    return TAKEN;
}
