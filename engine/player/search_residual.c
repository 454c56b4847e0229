/* See search_residual.h. */
#include "search_residual.h"
#include "pile.h"

enum { MOST_LEFT = 8 };
enum after { AFTER_PLAY, AFTER_CHOICE, AFTER_CALL };

int residual_features(const struct ruleset *g, const struct view *v, struct move m,
                      uint16_t ret[static MAX_RESIDUAL_FEATURES])
{
    int me = (uint8_t)v->seat, other = 1 - me;
    struct call_sight at = {.hand = v->hand,
                            .field = v->field,
                            .own = v->taken[me],
                            .other = v->taken[other],
                            .calls = v->koikoi[me],
                            .other_calls = v->koikoi[other],
                            .base = v->last_decision[me].base,
                            .other_base = v->last_decision[other].base};
    enum after after;

    if (m.kind == MOVE_KOIKOI) {
        after = AFTER_CALL;
        at.base = pile_base(g, at.own, at.calls > 0);
        at.calls++;
    } else if (m.kind == MOVE_PLAY || m.kind == MOVE_CHOOSE) {
        after = m.kind == MOVE_PLAY ? AFTER_PLAY : AFTER_CHOICE;
        at.hand &= ~CARD(m.card);
        at.field &= ~m.take;
        *(m.take ? &at.own : &at.field) |= m.take | CARD(m.card);
    } else {
        return 0;
    }
    at.called = at.calls > 0;
    int n = call_table_features(g, &at, ret);
    ret[n++] = (uint16_t)(RESIDUAL_LEFT + (MOST_LEFT + 1) * (int)after +
                          at_most(set_count(at.hand), MOST_LEFT));
    if (v->dealer == me)
        ret[n++] = RESIDUAL_DEALER;
    return n;
}

static float says(const struct residual_net *net, const struct ruleset *g, const struct view *v,
                  struct move m)
{
    uint16_t feature[MAX_RESIDUAL_FEATURES];
    int n = residual_features(g, v, m, feature);

    if (n == 0)
        return 0;
    return (float)net_sum(&net->start, net->row, net->weight, RESIDUAL_UNIT, feature, n) /
           RESIDUAL_UNIT;
}

/* Share of what a net says between two cards of one position. It is learned from one move a
 * position, so less surely: README.md, "Trained numbers". */
static const float contrast = 0.5f;

void residuals(const struct residual_net *net, const struct ruleset *g, const struct view *v,
               float ret[static MAX_MOVES])
{
    float mean = 0;

    for (int i = 0; i < v->n_legal; i++) {
        ret[i] = says(net, g, v, v->legal[i]);
        mean += ret[i] / (float)v->n_legal;
    }
    for (int i = 0; v->phase != PHASE_DECIDE && i < v->n_legal; i++)
        ret[i] = mean + contrast * (ret[i] - mean);
}

static const struct residual_net nets[] = {
    {
#include "nets/standard_residual.inc"
    },
    {
#include "nets/console_residual.inc"
    },
};

const struct residual_net *residual_net_for(const struct ruleset *g, int players)
{
    uint64_t rules = net_rules_hash(&g->rules);

    for (size_t i = 0; players == 2 && i < sizeof nets / sizeof *nets; i++)
        if (nets[i].learned_from == rules)
            return &nets[i];
    return NULL;
}
