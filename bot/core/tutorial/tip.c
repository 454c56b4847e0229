/* Tips: in a match against the computer the first capture, set, koi-koi and doubling of a person
 * are explained to them once, under their hand. A tip stands until their next move. */
#include "turn.h"

/* The session as it was before this event. Returns NULL for a new one. */
static const struct session *before_event(const struct world *w, int64_t no)
{
    for (int i = 0; i < w->here.n; i++)
        if (w->here.at[i]->no == no)
            return w->here.at[i];
    for (int i = 0; i < w->mine.n; i++)
        if (w->mine.at[i]->no == no)
            return w->mine.at[i];
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

/* Adds what happened to the sender for the first time, if a match went on. */
void tip_add(struct step *st)
{
    struct effects *fx = st->fx;
    for (int i = 0; i < fx->n_saves; i++) {
        struct session *s = fx->save[i];
        const struct session *before = before_event(st->w, s->no);
        int seat = st->w->me.person ? session_seat(s, st->w->me.person) : -1;
        if (seat < 0 || !before || before->version == s->version || !session_with_computer(s))
            continue;
        const struct person_prefs *prefs = fx->prefs ? fx->prefs : &st->w->me.prefs;
        unsigned tips = 0;
        if (!st->w->chat.settings.tips_off && s->phase == SESSION_PLAYING &&
            s->match.stage == MATCH_PLAYING)
            tips = happening(step_ruleset(st, s), &s->match.round, seat) & ~(unsigned)prefs->tips;
        show_tips(fx, s, seat, tips);
        if (tips)
            step_prefs(st)->tips |= (uint8_t)tips;
    }
}
