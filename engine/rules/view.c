/* See view.h. Each field is copied by name, so that hidden hands and the order of the stock, which
 * are not named here, cannot leak. */
#include "view.h"

#include <string.h>

/* The running or last deal, if there was one. */
static void see_round(const struct ruleset *g, const struct round *r, int seat, struct view *v)
{
    struct move legal[MAX_MOVES];
    v->phase = r->phase;
    v->turn = r->turn;
    v->drawn = r->drawn;
    v->void_why = r->void_why;
    v->void_by = r->void_by;
    v->table_brights = r->table_brights;
    v->hand = seat >= 0 ? r->hand[seat] : 0;
    v->field = r->field;
    v->stock_size = (uint8_t)(N_CARDS - r->next);
    for (int p = 0; p < r->players; p++) {
        v->taken[p] = r->taken[p];
        v->hand_size[p] = (uint8_t)set_count(r->hand[p]);
        v->koikoi[p] = r->koikoi[p];
        v->last_decision[p] = r->last_decision[p];
        v->played[p] = r->played[p];
    }
    v->n_seen = r->n_seen;
    memcpy(v->seen, r->seen, r->n_seen * sizeof r->seen[0]);
    if (seat < 0)
        return;
    v->n_legal = (uint8_t)round_legal(g, r, seat, legal);
    for (int i = 0; i < v->n_legal; i++) { /* into cleared memory, so that no padding leaks */
        v->legal[i].kind = legal[i].kind;
        v->legal[i].card = legal[i].card;
        v->legal[i].take = legal[i].take;
    }
}

void view_of(const struct ruleset *g, const struct match *m, int seat, struct view *ret)
{
    struct view *v = ret;
    memset(v, 0, sizeof *v);
    v->rules = g->rules;
    rules_in_round(&v->rules, match_dealt_round(m));
    v->seat = (int8_t)seat;
    v->stage = m->stage;
    v->players = m->players;
    v->dealer = m->dealer;
    v->round_no = m->round_no;
    v->attempt = m->attempt;
    v->winner = m->winner;
    v->why = m->why;
    v->drawn = CARD_NONE;
    v->void_by = -1;
    v->phase = PHASE_OVER;
    memcpy(v->scores, m->scores, sizeof v->scores);
    if (m->round.players != 0)
        see_round(g, &m->round, seat, v);
    if (m->round.players != 0 && m->round.result.why != WHY_NONE)
        v->result = m->last;
}
