/* Rounds of a tournament: what follows a result, in the same step. */
#include "contest.h"

struct notice *contest_show(struct step *st, const struct tournament_run *run,
                            enum tournament_page page, int round, bool fresh)
{
    struct notice *notice = effect_notice(st->fx, NOTICE_TOURNAMENT, TO_TOURNAMENT);
    notice->tournament.run = run;
    notice->rules = &run->rules; /* whose words are used */
    notice->n = page;
    notice->tournament.round = round;
    notice->fresh = fresh;
    return notice;
}

struct notice *contest_announce(struct step *st, const struct tournament_run *run, enum text key,
                                const struct arg args[MAX_ARGS])
{
    struct notice *notice = notice_line(st, TO_TOURNAMENT, key, args);
    notice->tournament.run = run;
    notice->fresh = true;
    return notice;
}

/* A quarter of the round before its end. */
static int64_t reminder_at(const struct tournament_run *run)
{
    return run->ends - run->round_ms / 4;
}

void contest_set_due(struct tournament_run *run)
{
    if (run->t.stage != STAGE_RUNNING)
        run->due = run->t.stage == STAGE_OPEN ? run->ends : 0;
    else if (tournament_next_to_begin(&run->t))
        run->due = AT_ONCE;
    else
        run->due = run->reminded ? run->ends : reminder_at(run);
}

static void finish(struct step *st, struct tournament_run *run)
{
    run->t.stage = STAGE_OVER;
    run->ends = st->e->now;
    contest_set_due(run);
    contest_show(st, run, TOURNAMENT_RESULT, run->t.round, true)->notify = true;
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
    contest_set_due(run);
    contest_show(st, run, TOURNAMENT_ROUND, run->t.round, true)->notify = true;
}

void contest_start(struct step *st, struct tournament_run *run)
{
    run->t.stage = STAGE_RUNNING;
    tournament_seed(&run->t);
    contest_show(st, run, TOURNAMENT_OPENING, 0, false);
    next_round(st, run);
}

void contest_follow(struct step *st, struct tournament_run *run)
{
    contest_show(st, run, TOURNAMENT_ROUND, run->t.round, false);
    if (!tournament_round_over(&run->t))
        contest_set_due(run);
    else if (tournament_is_over(&run->t))
        finish(st, run);
    else
        next_round(st, run);
}
