/* The one timer of a session: setting it (timer_due.c has what happens when it fires). And orders
 * for work off the loop: the computer's move, a hint; the result comes back as an event. */
#include "turn.h"

#define WARNED_MS (2 * MINUTE_MS) /* what is left of a total clock: less ends without a warning */
#define IDLE_MS   (2 * MINUTE_MS) /* not heard of for longer: idle */

/* Thinking time of the computer: 0.6 to 1.6 s by the event's chance alone, so that it tells nothing
 * about the cards. A search takes a tenth of a second. */
enum { THINKING_MIN_MS = 600, THINKING_SPREAD_MS = 1001 };

void job_move(struct step *st, const struct session *s, int seat)
{
    struct job_effect *job = STEP_NEW(st, struct job_effect, .view = &step_table(st, s, seat)->view,
                                      .level = s->player[seat].level, .version = s->version);
    memcpy(&job->seed, st->e->chance + CHANCE_SEARCH, sizeof job->seed);
    st->fx->job = job;
}

/* The seed is public data: equal questions get equal hints, whatever cards are hidden. */
void job_hint(struct step *st, const struct session *s)
{
    st->fx->job = STEP_NEW(st, struct job_effect, .kind = JOB_HINT, .no = s->no,
                           .view = &step_table(st, s, session_turn(s))->view, .version = s->version,
                           .seed = str_hash(str_of(s->id)) + s->version);
}

void timer_set(struct session *s, int64_t due, enum timer timer)
{
    s->due = due;
    s->timer = (uint8_t)timer;
}

void timer_computer(struct step *st, struct session *s)
{
    const uint8_t *chance = st->e->chance + CHANCE_DELAY;
    int64_t thinking = THINKING_MIN_MS + (chance[0] | chance[1] << 8) % THINKING_SPREAD_MS;
    timer_set(s, st->e->now + thinking, TIMER_COMPUTER);
}

/* Its timer is due, or waits for an answer that was lost and asked for again. */
bool timer_paused(const struct step *st, const struct session *s)
{
    return st->e->now >= s->due || s->due - s->moved >= THINKING_MIN_MS + THINKING_SPREAD_MS;
}

bool timer_pings(const struct session *s, int seat)
{
    const struct venue *v = &s->venue[s->player[seat].venue];
    return !session_by_computer(s, seat) && !v->one_post && !session_apart(s, seat) &&
           (!v->direct || !session_with_computer(s));
}

int64_t timer_idle_at(struct step *st, const struct session *s, int seat)
{
    int64_t idle = s->player[seat].heard + IDLE_MS;
    return absence_ring_at(&s->player[seat].absence, idle > st->e->now ? idle : st->e->now);
}

/* A warning comes when a quarter of the time is left, but not for short times; before quiet hours
 * if the time ends with them. */
void timer_turn(struct step *st, struct session *s)
{
    int seat = session_turn(s);
    if (session_by_computer(s, seat)) {
        timer_computer(st, s);
        job_move(st, s, seat);
        return;
    }
    const struct absence *absence = &s->player[seat].absence;
    int64_t now = st->e->now, deadline = session_deadline(s), time = session_time(s, seat);
    int64_t quarter = deadline - time / 4, idle = timer_idle_at(st, s, seat);
    int64_t warn = absence_ring_at(absence, quarter > now ? quarter : now);
    if (idle <= now) /* they are called with their hand; once more if that brings nothing */
        idle = absence_ring_at(absence, now + IDLE_MS);
    if (warn >= deadline)
        warn = absence_before_quiet(absence, deadline);
    bool clock = deadline > 0, is_short = s->time.total_ms > 0 && time < WARNED_MS;
    bool warns = clock && !is_short && warn > 0 && warn >= now;
    int64_t due = warns ? warn : clock ? deadline : absence_deadline(absence, s->moved, ABANDON_MS);
    if (s->ping.version == 0 && s->move.nudged == 0 && timer_pings(s, seat) && idle < due)
        timer_set(s, idle, TIMER_IDLE);
    else
        timer_set(s, due, warns ? TIMER_WARN : clock ? TIMER_TIME : TIMER_ABANDON);
}

bool timer_stands(const struct session *s)
{
    return session_turn(s) >= 0 && session_has_clock(s) && s->timer == TIMER_ABANDON &&
           !s->move.overdue;
}

void timer_close(struct session *s, enum session_end end)
{
    s->phase = SESSION_OVER;
    s->end = (uint8_t)end;
    s->ask.what = ASK_NONE;
    timer_set(s, 0, TIMER_NONE);
}
