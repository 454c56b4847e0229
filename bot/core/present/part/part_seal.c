/* Commitments of deals, and the rounds of a public beacon that their seals name. See part.h. */
#include "part.h"

void part_seal(struct body *body)
{
    const struct table *t = body->table;
    if (t->view.stage != MATCH_PLAYING || t->phase != SESSION_PLAYING || !t->deal_commit[0])
        return;
    body_fold(body, TX0(body, T_SEALS_FOLD));
    body_line(body,
              TX(body, T_DEAL_SEALED, body_int(body, t->view.round_no), str_of(t->deal_commit)));
    part_beacon(body);
    body_unfold(body);
}

void part_seal_next(struct body *body, int round)
{
    body_line(body,
              TX(body, T_DEAL_SEALED, body_int(body, round), str_of(body->table->next_commit)));
    part_beacon_next(body);
}

void part_beacon(struct body *body)
{
    const struct beacon_seen *b = &body->table->beacon;
    if (b->deal && b->value.n)
        body_line(body, TX(body, T_VERIFY_BEACON, body_int(body, b->deal), b->value, b->url));
    else if (b->deal)
        body_line(body, TX(body, T_VERIFY_NO_BEACON, body_int(body, b->deal), b->url));
}

void part_beacon_next(struct body *body)
{
    const struct beacon_seen *b = &body->table->beacon;
    if (b->next)
        body_line(body, TX(body, T_DEAL_BEACON, body_int(body, b->next), b->url));
}

void part_seals(struct body *body)
{
    const struct table *t = body->table;
    bool next = t->next_commit[0] && t->phase == SESSION_PLAYING;
    if (!t->deal_seed[0] && !next)
        return;
    body_fold(body, TX0(body, T_SEALS_FOLD));
    if (t->deal_seed[0])
        body_line(body,
                  TX(body, T_DEAL_SEED, str_of(t->deal_seed), body_command(body, VERB_VERIFY)));
    if (next)
        part_seal_next(body, t->view.round_no);
    body_unfold(body);
}
