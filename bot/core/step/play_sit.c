/* Players around the cards: ready for the next round, the cut of a deal, its beacon, nudging,
 * resigning, claiming and waiting. */
#include "play.h"

#define NUDGE_MS  ((int64_t)HOUR_MS) /* between two nudges */
#define RESIGN_MS (5 * MINUTE_MS)    /* a second /resign confirms the first */

/* ---- between rounds ---- */

enum verdict play_ready(struct step *st, const struct session *s)
{
    int seat;
    if (s->phase == SESSION_OFFERED)
        return lobby_accept(st, s);
    if (!play_must_sit(st, s, &seat))
        return REFUSED;
    if (s->ask.what == ASK_GO_ON)
        return play_choose_first(st, s);
    if (s->match.stage != MATCH_READY)
        return refuse(st, T_ROUND_RUNS, arg_int(s->match.round_no));
    if (s->player[seat].ready)
        return refuse(st, T_READY_AGAIN, arg_time(s->due));
    struct session *next = step_change(st, s);
    next->player[seat].ready = true;
    for (int i = 0; i < next->players; i++)
        if (!next->player[i].ready)
            return answer(st, T_READY_NOTED, arg_seat(next, i), arg_time(next->due));
    play_deal(st, next);
    return TAKEN;
}

enum verdict play_cut(struct step *st, const struct session *s)
{
    int seat = step_seat(st, s);
    if (seat < 0 || s->phase == SESSION_OVER)
        return notice_not_theirs(st, s);
    if (s->phase == SESSION_PLAYING && (s->match.stage != MATCH_READY || s->beacon.until))
        return refuse(st, T_CUT_LATER, arg_command(VERB_CUT));
    if (st->e->words.n == 0)
        return refuse(st, T_CUT_WHAT, arg_command(VERB_CUT));
    struct session *next = step_change(st, s);
    NAME_PUT(next->player[seat].cut, text_clean(st->fx->arena, st->e->words, CUT_SIZE - 1));
    return answer(st, T_CUT_DONE, arg_str(str_of(next->player[seat].cut)),
                  arg_int(s->phase == SESSION_OFFERED ? 1 : s->match.round_no));
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
    int seat = step_seat(st, s), turn = session_turn(s);
    int64_t now = st->e->now;
    if (s->phase == SESSION_OVER)
        return refuse(st, T_MATCH_OVER, arg_command(VERB_CHALLENGE));
    if (turn < 0)
        return refuse(st, T_NUDGE_NO_TURN);
    if (seat < 0)
        return notice_not_theirs(st, s);
    if (turn == seat)
        return refuse(st, T_NUDGE_SELF, arg_command(VERB_HAND));
    if (session_by_computer(s, turn))
        return refuse(st, T_NOT_YOUR_TURN_EVER, arg_seat(s, turn));
    const struct absence *absence = &s->player[turn].absence;
    if (absence_ring_at(absence, now) > now)
        return refuse(st, absence_on_vacation(absence, now) ? T_NUDGE_VACATION : T_NUDGE_QUIET,
                      arg_seat(s, turn), arg_time(absence_ring_at(absence, now)));
    if (s->move.nudged && now < s->move.nudged + NUDGE_MS)
        return refuse(st, T_NUDGE_EARLY, arg_seat(s, turn), arg_time(s->move.nudged + NUDGE_MS));
    struct session *next = step_change(st, s);
    next->move.nudged = now;
    struct notice *notice =
        announce(st, next, BUTTON_OF(VERB_HAND), T_NUDGED, arg_seat(s, turn), arg_seat(s, seat));
    step_posts_add(st, next, POSTED_REMINDER, notice);
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
        struct notice *notice = notice_line(st, TO_ASKER, T_RESIGN_SURE, arg_command(VERB_RESIGN));
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
        return refuse(st, T_NUDGE_SELF, arg_command(VERB_HAND));
    if (!s->move.overdue || turn < 0)
        return turn >= 0 && session_deadline(s)
                   ? refuse(st, T_CLAIM_EARLY, arg_seat(s, turn), arg_time(session_deadline(s)))
                   : refuse(st, T_CLAIM_NO_CLOCK);
    if (turn == seat)
        return refuse(st, T_CLAIM_OWN);
    play_leave_table(st, step_change(st, s), turn, true);
    return TAKEN;
}

enum verdict play_wait(struct step *st, const struct session *s)
{
    int seat, turn = session_turn(s);
    if (!play_must_sit(st, s, &seat))
        return REFUSED;
    if (!s->move.overdue || turn < 0 || turn == seat)
        return refuse(st, T_WAIT_NOTHING);
    struct session *next = step_change(st, s);
    next->move.overdue = false;
    next->moved = st->e->now;
    next->player[turn].time_left = next->time.total_ms;
    timer_turn(st, next);
    inform(st, next, T_WAITING, arg_seat(s, seat), arg_seat(s, turn),
           arg_time(session_deadline(next)))
        ->notify = true;
    return TAKEN;
}
