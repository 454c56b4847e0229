/* See tip.h. */
#include "tip.h"

/* The session as it was before this event. Returns NULL for a new one. */
static const struct session *before_event(const struct world *w, int64_t no)
{
    for (int i = 0; i < w->n_here; i++)
        if (w->here[i]->no == no)
            return w->here[i];
    for (int i = 0; i < w->n_mine; i++)
        if (w->mine[i]->no == no)
            return w->mine[i];
    return w->named && w->named->no == no ? w->named : NULL;
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

static void show_tips(struct effects *fx, struct session *s, int seat, unsigned tips)
{
    s->player[seat].tips = (uint8_t)tips;
    for (int i = 0; i < fx->n_tables; i++)
        if (str_is(fx->table[i]->match_id, str_of(s->id)))
            fx->table[i]->player[seat].tips = (uint8_t)tips;
}

void tip_add(struct step *st)
{
    struct effects *fx = st->fx;
    for (int i = 0; i < fx->n_saves; i++) {
        struct session *s = fx->save[i];
        const struct session *before = before_event(st->w, s->no);
        int seat = st->w->me ? session_seat(s, st->w->me) : -1;
        if (seat < 0 || !before || before->version == s->version || !session_with_computer(s))
            continue;
        struct person_prefs *prefs = &fx->prefs;
        if (!fx->set_prefs)
            *prefs = st->w->prefs;
        unsigned tips = 0;
        if (!st->w->settings.tips_off && s->phase == SESSION_PLAYING &&
            s->match.stage == MATCH_PLAYING)
            tips = happening(step_ruleset(st, s), &s->match.round, seat) & ~(unsigned)prefs->tips;
        show_tips(fx, s, seat, tips);
        if (tips) {
            prefs->tips |= (uint8_t)tips;
            fx->set_prefs = true;
        }
    }
}
