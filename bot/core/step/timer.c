/* The one timer of a session: setting it (timer_due.c has what happens when it fires). And orders
 * for work off the loop: the computer's move, a hint; the result comes back as an event. */
#include "turn.h"

#define WARNED_MS (2 * MINUTE_MS) /* what is left of a total clock: less ends without a warning */
#define IDLE_MS   (2 * MINUTE_MS) /* not heard of for longer: idle */

/* Thinking time of the computer: 2 to 5 s by the event's chance, so that it tells nothing about the
 * cards. */
enum { THINKING_MIN_MS = 2000, THINKING_SPREAD_MS = 3001 };

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

bool timer_pings(const struct session *s, int seat)
{
    const struct venue *v = &s->venue[s->player[seat].venue];
    return !session_by_computer(s, seat) && !v->one_post &&
           (!v->direct || !session_with_computer(s));
}

int64_t timer_idle_at(struct step *st, const struct session *s, int seat)
{
    int64_t idle = s->player[seat].heard + IDLE_MS;
    return absence_ring_at(&s->player[seat].absence, idle > st->e->now ? idle : st->e->now);
}

/* A warning comes when a quarter of the time is left, but not for short times; before quiet hours
 * if the time ends with them. Returns 0 for no warning. */
static int64_t warn_at(struct step *st, const struct session *s, int seat)
{
    int64_t deadline = session_deadline(s), time = session_time(s, seat);
    int64_t at = deadline - time / 4, now = st->e->now;
    const struct absence *absence = &s->player[seat].absence;
    at = absence_ring_at(absence, at > now ? at : now);
    if (at >= deadline)
        at = absence_before_quiet(absence, deadline);
    bool is_short = s->time.total_ms > 0 && time < WARNED_MS;
    return !is_short && at >= now ? at : 0;
}

void timer_turn(struct step *st, struct session *s)
{
    int seat = session_turn(s);
    if (session_by_computer(s, seat)) {
        timer_computer(st, s);
        job_move(st, s, seat);
        return;
    }
    bool clock = session_has_clock(s);
    int64_t warn = clock ? warn_at(st, s, seat) : 0, idle = timer_idle_at(st, s, seat);
    int64_t due = warn    ? warn
                  : clock ? session_deadline(s)
                          : absence_deadline(&s->player[seat].absence, s->moved, ABANDON_MS);
    if (s->ping.version == 0 && s->move.nudged == 0 && timer_pings(s, seat) && idle < due)
        timer_set(s, idle, TIMER_IDLE);
    else
        timer_set(s, due, warn ? TIMER_WARN : clock ? TIMER_TIME : TIMER_ABANDON);
}

void timer_close(struct session *s, enum session_end end)
{
    s->phase = SESSION_OVER;
    s->end = (uint8_t)end;
    s->ask.what = ASK_NONE;
    timer_set(s, 0, TIMER_NONE);
}
