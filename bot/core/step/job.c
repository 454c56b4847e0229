/* Orders for work off the loop: the computer's move, a hint, the review of a match. The result
 * comes back as an event. A step orders one piece of work at most. */
#include "step_internal.h"

void job_move(struct step *st, const struct session *s, int seat)
{
    const struct table *t = step_table(st, s, seat);
    struct job_effect *job = &st->fx->job;
    st->fx->think = true;
    *job = (struct job_effect){
        .view = &t->view, .level = s->player[seat].level, .version = s->version};
    memcpy(&job->seed, st->e->chance + CHANCE_SEARCH, sizeof job->seed);
}

/* The seed is public data: equal questions get equal hints, whatever cards are hidden. */
void job_hint(struct step *st, const struct session *s)
{
    const struct table *t = step_table(st, s, session_turn(s));
    st->fx->think = true;
    st->fx->job = (struct job_effect){.kind = JOB_HINT,
                                      .no = s->no,
                                      .view = &t->view,
                                      .version = s->version,
                                      .seed = str_hash(str_of(s->id)) + s->version};
}

void job_review(struct step *st, const struct session *s)
{
    st->fx->think = true;
    st->fx->job = (struct job_effect){.kind = JOB_REVIEW, .no = s->no, .version = s->version};
}
