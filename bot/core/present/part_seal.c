/* Commitments of deals, and the rounds of a public beacon that their seals name. See part.h. */
#include "part.h"

void part_seal(struct draft *d)
{
    const struct table *t = d->table;
    if (t->view.stage != MATCH_PLAYING || t->phase != SESSION_PLAYING || !t->deal_commit[0])
        return;
    draft_fold(d, T_SEALS_FOLD);
    SAY(d, T_DEAL_SEALED, draft_int(d, t->view.round_no), str_of(t->deal_commit));
    part_beacon(d);
    draft_unfold(d);
}

void part_seal_next(struct draft *d, int round)
{
    SAY(d, T_DEAL_SEALED, draft_int(d, round), str_of(d->table->next_commit));
    part_beacon_next(d);
}

void part_beacon(struct draft *d)
{
    const struct beacon_seen *b = &d->table->beacon;
    if (b->deal && b->value.n)
        SAY(d, T_VERIFY_BEACON, draft_int(d, b->deal), b->value, b->url);
    else if (b->deal)
        SAY(d, T_VERIFY_NO_BEACON, draft_int(d, b->deal), b->url);
}

void part_beacon_next(struct draft *d)
{
    const struct beacon_seen *b = &d->table->beacon;
    if (b->next)
        SAY(d, T_DEAL_BEACON, draft_int(d, b->next), b->url);
}

void part_seals(struct draft *d)
{
    const struct table *t = d->table;
    bool next = t->next_commit[0] && t->phase == SESSION_PLAYING;
    if (!t->deal_seed[0] && !next)
        return;
    draft_fold(d, T_SEALS_FOLD);
    if (t->deal_seed[0])
        SAY(d, T_DEAL_SEED, str_of(t->deal_seed), draft_command(d, VERB_VERIFY));
    if (next)
        part_seal_next(d, t->view.round_no);
    draft_unfold(d);
}
