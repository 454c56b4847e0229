/* What happens in a tournament by itself: its timer fires, a match of it ends, and what follows a
 * result, in the same step. A timer does one thing: it begins one match, decides one whose time is
 * up, reminds, or closes what was never started. So every step is small, and a daemon that is
 * stopped in between goes on with the next one. */
#include "tournament_step.h"

/* `due` of a tournament whose next step waits for no time; it does not move with the clock. */
enum { AT_ONCE = 1 };

struct tournament_run *tournament_change(struct step *st, const struct tournament_run *was)
{
    struct tournament_run *run = arena_new(st->fx->arena, struct tournament_run);
    *run = *was;
    st->fx->tournament = run;
    return run;
}

/* ---- what its chats read ---- */

struct notice *tournament_show(struct step *st, const struct tournament_run *run,
                               enum tournament_page page, int round, bool fresh)
{
    struct notice *notice = effect_notice(st->fx, NOTICE_TOURNAMENT, TO_CHATS);
    notice->tournament.run = run;
    notice->chats = (struct chats){run->n_chats, run->at};
    notice->rules = &run->rules; /* whose words are used */
    notice->n = page;
    notice->tournament.round = round;
    notice->fresh = fresh;
    return notice;
}

void tournament_announce_with(struct step *st, const struct tournament_run *run, enum text key,
                              const struct arg args[MAX_ARGS])
{
    struct notice *notice = notice_with(st, TO_CHATS, key, args);
    notice->chats = (struct chats){run->n_chats, run->at};
    notice->fresh = true;
}

/* ---- rounds ---- */

/* When the timer fires next; a round's reminder comes a quarter of it before its end. */
static void set_due(struct tournament_run *run)
{
    if (run->t.stage != STAGE_RUNNING)
        run->due = run->t.stage == STAGE_OPEN ? run->ends : 0;
    else if (tournament_next_to_begin(&run->t))
        run->due = AT_ONCE;
    else
        run->due = run->reminded ? run->ends : run->ends - run->round_ms / 4;
}

static void finish(struct step *st, struct tournament_run *run)
{
    run->t.stage = STAGE_OVER;
    run->ends = st->e->now;
    set_due(run);
    tournament_show(st, run, TOURNAMENT_RESULT, run->t.round, true)->notify = true;
}

/* Rounds in which everybody's game is decided at once, since others have left, pass by. */
static void next_round(struct step *st, struct tournament_run *run)
{
    do
        tournament_pair(&run->t);
    while (tournament_round_over(&run->t) && !tournament_is_over(&run->t));
    if (tournament_is_over(&run->t)) {
        finish(st, run);
        return;
    }
    run->ends = st->e->now + run->round_ms;
    run->reminded = false;
    set_due(run);
    tournament_show(st, run, TOURNAMENT_ROUND, run->t.round, true)->notify = true;
}

void tournament_start(struct step *st, struct tournament_run *run)
{
    run->t.stage = STAGE_RUNNING;
    tournament_seed(&run->t);
    tournament_show(st, run, TOURNAMENT_OPENING, 0, false);
    next_round(st, run);
}

void tournament_follow(struct step *st, struct tournament_run *run)
{
    tournament_show(st, run, TOURNAMENT_ROUND, run->t.round, false);
    if (!tournament_round_over(&run->t))
        set_due(run);
    else if (tournament_is_over(&run->t))
        finish(st, run);
    else
        next_round(st, run);
}

/* ---- a game begins ---- */

/* Both read once why a clock stands still: a player went on vacation after joining. */
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
    s = step_change(st, s);
    play_open(st, s);
    for (int i = 0; i < s->players; i++) {
        const struct absence *absence = &s->player[i].absence;
        if (absence_on_vacation(absence, st->e->now))
            inform(st, s, T_VACATION_TOLD, arg_seat(s, i), arg_time(absence->vacation_until));
    }
    run->begins = 1 + (int)(g - run->t.game);
}

/* ---- a game is decided ---- */

/* Decides a game of which one player or both are not there. Returns false if both are. */
static bool decide_absent(struct tournament_game *g, bool first, bool second)
{
    if (!first && !second)
        return false;
    g->unplayed = true;
    g->result = first && second ? GAME_NEITHER : first ? GAME_SECOND : GAME_FIRST;
    return true;
}

/* A match that was not played to its end counts as it stands. A player of whom nothing has been
 * heard since it began never came, and has lost. */
static void decide_game(const struct session *s, struct tournament_game *g)
{
    const int32_t *scores = s->match.scores;
    struct match_outcome o = outcome_of(s, 0);
    bool first = s->player[0].heard == 0, second = s->player[1].heard == 0;
    if (s->end == END_PLAYED) {
        g->result = o.won ? GAME_FIRST : o.drawn ? GAME_DRAW : GAME_SECOND;
        g->unplayed = o.forfeit && (o.won ? second : first);
        return;
    }
    g->unplayed = false;
    if (!decide_absent(g, first, second))
        g->result = scores[0] > scores[1]   ? GAME_FIRST
                    : scores[0] < scores[1] ? GAME_SECOND
                                            : GAME_DRAW;
}

/* The time of the round is up. Where one player never came the match is a forfeit as any other;
 * else it is closed as it stands. */
static void close_match(struct step *st, const struct session *was)
{
    struct session *s = step_change(st, was);
    bool first = s->player[0].heard == 0, second = s->player[1].heard == 0;
    struct tournament_game g = {0};
    if (first != second) {
        play_leave(st, s, first ? 0 : 1, true);
        return;
    }
    timer_close(s, END_ABANDONED);
    s->version++;
    play_quiet(st, s);
    decide_game(s, &g);
    announce(st, s, 0,
             g.result == GAME_NEITHER ? T_TOURNAMENT_NEITHER
             : g.result == GAME_DRAW  ? T_TOURNAMENT_LEVEL
                                      : T_TOURNAMENT_LEADS,
             arg_seat(s, g.result == GAME_SECOND ? 1 : 0))
        ->seals = true;
}

/* Ends the next game whose time is up; a match that is no more, since it was damaged, is a draw. */
static void close_game(struct step *st, struct tournament_run *run, struct tournament_game *g)
{
    const struct session *s = st->w->named;
    bool found = s && s->no == g->session;
    run->due = AT_ONCE; /* others may be open */
    if (found && s->phase == SESSION_PLAYING) {
        close_match(st, s);
        return;
    }
    if (found && !session_live(s))
        decide_game(s, g);
    else
        g->result = GAME_DRAW;
    tournament_follow(st, run);
}

/* ---- events ---- */

enum verdict tournament_due(struct step *st)
{
    const struct tournament_run *was = st->w->tournament;
    int64_t now = st->e->now;
    if (!was || was->due == 0 || was->due > now)
        return IGNORED;
    struct tournament_run *run = tournament_change(st, was);
    struct tournament *t = &run->t;
    struct tournament_game *waits = tournament_next_to_begin(t), *open = tournament_next_open(t);
    if (t->stage == STAGE_OPEN) {
        t->stage = STAGE_CANCELLED;
        run->ends = now;
        set_due(run);
        tournament_announce(st, run, T_TOURNAMENT_EXPIRED, arg_int(t->no));
    } else if (waits &&
               decide_absent(waits, t->entrant[waits->first].out, t->entrant[waits->second].out)) {
        tournament_follow(st, run); /* the bot has forgotten them at their own wish */
    } else if (waits && run->next) {
        begin_game(st, run, waits);
        waits->session = -1; /* its number is known when the match is saved */
        set_due(run);
    } else if (waits && now < run->ends) { /* one of them plays on a network that is not there */
        run->due = now + HOUR_MS;
    } else if (waits) {
        decide_absent(waits, true, true);
        tournament_follow(st, run);
    } else if (open && now >= run->ends) {
        close_game(st, run, open);
    } else if (open) {
        run->reminded = true;
        set_due(run);
        tournament_show(st, run, TOURNAMENT_REMINDER, t->round, true);
    } else {
        tournament_follow(st, run);
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
        struct tournament_run *run = tournament_change(st, was);
        decide_game(s, &run->t.game[i]);
        tournament_follow(st, run);
        return TAKEN;
    }
    return IGNORED;
}
