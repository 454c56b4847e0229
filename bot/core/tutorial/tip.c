/* Tips: in a match against the computer the first capture, set, koi-koi and doubling of a person
 * are explained to them once, under their hand. A tip stands until their next move. */
#include "turn.h"

/* True if the match has changed by this event, and is no new one. */
static bool goes_on(const struct world *w, const struct session *s)
{
    const struct session *before = w->named && w->named->no == s->no ? w->named : NULL;
    for (int i = 0; i < w->mine.n; i++)
        before = w->mine.at[i]->no == s->no ? w->mine.at[i] : before;
    for (int i = 0; i < w->here.n; i++)
        before = w->here.at[i]->no == s->no ? w->here.at[i] : before;
    return before && before->version != s->version;
}

/* True if a win of this pile, stopped now, would be multiplied. */
static bool is_multiplied(const struct ruleset *g, const struct round *r, int seat)
{
    struct score score;
    struct round_result pay;
    struct calls calls = {.players = r->players, .table_brights = r->table_brights};
    memcpy(calls.koikoi, r->koikoi, sizeof calls.koikoi);
    score_pile(g, r->taken[seat], r->koikoi[seat] > 0, &score);
    score_pay(g, &calls, seat, &score, true, &pay);
    return pay.points > score.base;
}

/* What happens to this seat now, as bits of enum tip. */
static unsigned happening(const struct ruleset *g, const struct round *r, int seat)
{
    bool decides = r->phase == PHASE_DECIDE && r->turn == seat, called = false;
    for (int i = 0; i < r->players; i++)
        called |= r->koikoi[i] > 0;
    return (r->taken[seat] != 0) << TIP_CAPTURE | decides << TIP_YAKU | called << TIP_KOIKOI |
           (decides && is_multiplied(g, r, seat)) << TIP_DOUBLING;
}

/* Adds what happened to the sender for the first time, if a match went on. */
void tip_add(struct step *st)
{
    struct effects *fx = st->fx;
    for (int i = 0; i < fx->n_saves; i++) {
        struct session *s = fx->save[i];
        const struct person_prefs *prefs = fx->prefs ? fx->prefs : &st->w->me.prefs;
        int seat = step_seat(st, s);
        unsigned tips = 0;
        if (seat < 0 || !session_with_computer(s) || !goes_on(st->w, s))
            continue;
        if (!st->w->chat.settings.tips_off && s->phase == SESSION_PLAYING &&
            s->match.stage == MATCH_PLAYING)
            tips = happening(step_ruleset(st, s), &s->match.round, seat) & ~(unsigned)prefs->tips;
        s->player[seat].tips = (uint8_t)tips;
        for (int t = 0; t < fx->n_tables; t++)
            if (str_is(fx->table[t]->match_id, str_of(s->id)))
                fx->table[t]->player[seat].tips = (uint8_t)tips;
        if (tips)
            step_prefs(st)->tips |= (uint8_t)tips;
    }
}
