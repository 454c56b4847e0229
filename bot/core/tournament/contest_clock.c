/* What happens in a tournament by itself: its timer fires, and a match of it ends. A timer does one
 * thing: it begins one match, decides one whose time is up, reminds, or closes what was never
 * started. So every step is small, and a daemon that is stopped in between goes on with the next
 * one. */
#include "contest.h"

#include "session.h"

/* ---- a game begins ---- */

/* Who went on vacation after joining: both read once why a clock stands still. */
static void tell_vacations(struct step *st, const struct session *s)
{
    for (int i = 0; i < s->players; i++) {
        const struct absence *absence = &s->player[i].absence;
        if (absence_on_vacation(absence, st->e->now))
            notice_announce(st, s, T_VACATION_TOLD,
                            ARGS(arg_seat(s, i), arg_time(absence->away_until)), 0)
                ->notify = false;
    }
}

static void begin_game(struct step *st, struct tournament_run *run, struct tournament_game *g)
{
    const struct tournament_seat *seat = run->next;
    struct session *s = arena_new(st->fx->arena, struct session);
    s->rules = run->rules;
    s->time = run->time;
    s->players = 2;
    s->tournament = run->t.no;
    s->venue[0] = seat[0].venue;
    if (seat[1].venue.chat != seat[0].venue.chat)
        s->venue[++s->n_more] = seat[1].venue;
    for (int i = 0; i < 2; i++) {
        s->player[i] = seat[i].player;
        s->player[i].lot = CARD_NONE;
        s->player[i].joined = true;
        s->player[i].channel = (uint8_t)channel_best(seat[i].can);
    }
    s->player[1].venue = s->n_more;
    lobby_begin(st, s);
    struct session *begun = step_change(st, s);
    play_open(st, begun);
    tell_vacations(st, begun);
    run->begins = 1 + (int)(g - run->t.game);
}

/* ---- a game is decided ---- */

/* Nothing has been heard from the player since the match began. */
static bool never_came(const struct session *s, int seat)
{
    return s->player[seat].heard == 0;
}

/* One of them is no more: the bot has forgotten them at their own wish. */
static bool decide_absent(const struct tournament_run *run, struct tournament_game *g)
{
    bool first = run->t.entrant[g->first].out, second = run->t.entrant[g->second].out;
    if (!first && !second)
        return false;
    g->unplayed = true;
    g->result = first && second ? GAME_NEITHER : first ? GAME_SECOND : GAME_FIRST;
    return true;
}

/* A match that was not played to its end counts as it stands; who never came has lost. */
static void decide_unfinished(const struct session *s, struct tournament_game *g)
{
    bool first = never_came(s, 0), second = never_came(s, 1);
    const int32_t *scores = s->match.scores;
    g->unplayed = first || second;
    if (first || second)
        g->result = first && second ? GAME_NEITHER : first ? GAME_SECOND : GAME_FIRST;
    else
        g->result = scores[0] > scores[1]   ? GAME_FIRST
                    : scores[0] < scores[1] ? GAME_SECOND
                                            : GAME_DRAW;
}

static void decide_game(const struct session *s, struct tournament_game *g)
{
    if (s->end != END_PLAYED) {
        decide_unfinished(s, g);
        return;
    }
    struct match_outcome o = outcome_of(s, 0);
    g->result = o.won ? GAME_FIRST : o.drawn ? GAME_DRAW : GAME_SECOND;
    g->unplayed = o.forfeit && never_came(s, o.won ? 1 : 0);
}

/* The time of the round is up. Where one player never came the match is a forfeit as any other;
 * else it is closed as it stands. */
static void close_match(struct step *st, const struct session *was)
{
    struct session *s = step_change(st, was);
    bool first = never_came(s, 0), second = never_came(s, 1);
    struct tournament_game g = {0};
    if (first != second) {
        play_leave(st, s, first ? 0 : 1, true);
        return;
    }
    timer_close(s, END_ABANDONED);
    s->version++;
    play_quiet(st, s);
    decide_unfinished(s, &g);
    struct notice *notice = notice_announce(st, s,
                                            g.result == GAME_NEITHER ? T_TOURNAMENT_NEITHER
                                            : g.result == GAME_DRAW  ? T_TOURNAMENT_LEVEL
                                                                     : T_TOURNAMENT_LEADS,
                                            ARGS(arg_seat(s, g.result == GAME_SECOND ? 1 : 0)), 0);
    notice->seals = true;
}

/* Ends the next game whose time is up; a match that is no more, since it was damaged, is a draw. */
static void close_game(struct step *st, struct tournament_run *run, struct tournament_game *g)
{
    const struct session *s = st->w->named;
    run->due = AT_ONCE; /* others may be open */
    if (s && s->no == g->session && s->phase == SESSION_PLAYING) {
        close_match(st, s);
        return;
    }
    if (s && s->no == g->session && !session_live(s))
        decide_game(s, g);
    else
        g->result = GAME_DRAW;
    contest_follow(st, run);
}

/* ---- events ---- */

static void remind(struct step *st, struct tournament_run *run)
{
    run->reminded = true;
    contest_set_due(run);
    contest_show(st, run, TOURNAMENT_REMINDER, run->t.round, true);
}

enum verdict tournament_due(struct step *st)
{
    const struct tournament_run *was = st->w->tournament;
    if (!was || was->due == 0 || was->due > st->e->now)
        return IGNORED;
    struct tournament_run *run = contest_change(st, was);
    struct tournament_game *waits = tournament_next_to_begin(&run->t),
                           *open = tournament_next_open(&run->t);
    if (run->t.stage == STAGE_OPEN) {
        run->t.stage = STAGE_CANCELLED;
        run->ends = st->e->now;
        contest_set_due(run);
        contest_announce(st, run, T_TOURNAMENT_EXPIRED, ARGS(arg_int(run->t.no)));
    } else if (waits && decide_absent(run, waits)) {
        contest_follow(st, run);
    } else if (waits && run->next) {
        begin_game(st, run, waits);
        waits->session = -1; /* its number is known when the match is saved */
        contest_set_due(run);
    } else if (waits &&
               st->e->now < run->ends) { /* one of them plays on a network that is not there */
        run->due = st->e->now + HOUR_MS;
    } else if (waits) {
        waits->unplayed = true;
        waits->result = GAME_NEITHER;
        contest_follow(st, run);
    } else if (open && st->e->now >= run->ends) {
        close_game(st, run, open);
    } else if (open) {
        remind(st, run);
    } else {
        contest_follow(st, run);
    }
    return TAKEN;
}

enum verdict tournament_result(struct step *st)
{
    const struct session *s = st->w->named;
    const struct tournament_run *was = st->w->tournament;
    if (!was || !s || was->t.stage != STAGE_RUNNING || session_live(s))
        return IGNORED;
    for (int i = 0; i < was->t.n_games; i++) {
        if (was->t.game[i].session != s->no || was->t.game[i].result != GAME_OPEN)
            continue;
        struct tournament_run *run = contest_change(st, was);
        decide_game(s, &run->t.game[i]);
        contest_follow(st, run);
        return TAKEN;
    }
    return IGNORED;
}
