/* See beacon_wait.h. The round is asked for as soon as it is published, and again and again until
 * it comes (event BEACON) or the wait is over; the timer of the session does that, so that a
 * restart changes nothing. */
#include "beacon_wait.h"

enum {
    WAIT_MS = 10 * 1000, /* from the moment in which the last player is ready */
    AGAIN_MS = 2000,
    SPREAD_MS = 300 /* what a round needs to reach the servers that hand it out */
};

void beacon_seal(struct step *st, struct session *s)
{
    const struct beacon_chain *chain = st->w->beacon;
    step_seed(st->e, CHANCE_NEXT, &s->next_seed);
    s->beacon.next = chain ? beacon_round_after(chain, st->e->now) : 0;
    s->beacon.until = 0;
    if (s->beacon.next)
        NAME_PUT(s->beacon.url, str_of(chain->url));
}

/* Orders the look-up of the round; its value comes back as an event. */
static void order_round(struct step *st, const struct session *s)
{
    st->fx->think = true;
    st->fx->job = (struct job_effect){
        .kind = JOB_BEACON, .no = s->no, .version = s->version, .round = s->beacon.next};
}

bool beacon_wait(struct step *st, struct session *s)
{
    const struct beacon_chain *chain = st->w->beacon;
    struct beacon_rounds *b = &s->beacon;
    int64_t now = st->e->now;
    if (b->next == 0 || !chain || strcmp(chain->url, b->url) != 0)
        return false;
    if (b->until == 0)
        b->until = now + WAIT_MS;
    int64_t ask = beacon_published(chain, b->next) + SPREAD_MS;
    if (now >= b->until || ask >= b->until)
        return false;
    for (int i = 0; i < s->players; i++)
        s->player[i].ready = true;
    if (ask > now) {
        timer_set(s, ask, TIMER_BEACON);
        return true;
    }
    order_round(st, s);
    timer_set(s, now + AGAIN_MS < b->until ? now + AGAIN_MS : b->until, TIMER_BEACON);
    return true;
}
