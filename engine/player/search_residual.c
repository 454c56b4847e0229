/* See search_residual.h. */
#include "search_residual.h"
#include "nets.h"
#include "pile.h"

enum { BASES = 16, MOST_LEFT = 8 };
enum after { AFTER_PLAY, AFTER_CHOICE, AFTER_CALL };

static int at_most(int x, int most)
{
    return x < most ? x : most;
}

int residual_features(const struct ruleset *g, const struct view *v, struct move m,
                      uint16_t ret[static MAX_RESIDUAL_FEATURES])
{
    int me = (uint8_t)v->seat, other = 1 - me, calls = v->koikoi[me];
    int last = v->last_decision[me].base;
    struct call_sight at = {.hand = v->hand,
                            .field = v->field,
                            .own = v->taken[me],
                            .other = v->taken[other],
                            .other_called = v->koikoi[other] > 0};
    enum after after;

    if (m.kind == MOVE_KOIKOI) {
        after = AFTER_CALL;
        last = pile_base(g, at.own, calls > 0);
        calls++;
    } else if (m.kind == MOVE_PLAY || m.kind == MOVE_CHOOSE) {
        after = m.kind == MOVE_PLAY ? AFTER_PLAY : AFTER_CHOICE;
        at.hand &= ~CARD(m.card);
        at.field &= ~m.take;
        *(m.take ? &at.own : &at.field) |= m.take | CARD(m.card);
    } else {
        return 0;
    }
    at.called = calls > 0;
    int n = call_table_features(g, &at, ret);
    ret[n++] = (uint16_t)(RESIDUAL_CALLS + at_most(calls, 2));
    ret[n++] = (uint16_t)(RESIDUAL_CALLS + 3 + at_most(v->koikoi[other], 2));
    ret[n++] = (uint16_t)(RESIDUAL_BASE + at_most(last, BASES - 1));
    ret[n++] = (uint16_t)(RESIDUAL_BASE + BASES + at_most(v->last_decision[other].base, BASES - 1));
    ret[n++] = (uint16_t)(RESIDUAL_LEFT + (MOST_LEFT + 1) * (int)after +
                          at_most(set_count(at.hand), MOST_LEFT));
    if (v->dealer == me)
        ret[n++] = RESIDUAL_DEALER;
    return n;
}

float residual_of(const struct residual_net *net, const struct ruleset *g, const struct view *v,
                  struct move m)
{
    uint16_t feature[MAX_RESIDUAL_FEATURES];
    int n = residual_features(g, v, m, feature);
    int32_t hidden[RESIDUAL_HIDDEN], direct = net->start.direct;
    int64_t sum = 0;

    if (n == 0)
        return 0;
    for (int k = 0; k < RESIDUAL_HIDDEN; k++)
        hidden[k] = net->start.hidden[k];
    for (int i = 0; i < n; i++) {
        const struct residual_row *row = &net->row[feature[i]];
        for (int k = 0; k < RESIDUAL_HIDDEN; k++)
            hidden[k] += row->hidden[k];
        direct += row->direct;
    }
    for (int k = 0; k < RESIDUAL_HIDDEN; k++)
        sum += (int64_t)(hidden[k] > 0 ? hidden[k] : 0) * net->weight[k];
    int64_t worth = sum / RESIDUAL_UNIT + direct;
    return (float)worth / RESIDUAL_UNIT;
}

static const struct residual_net nets[] = {
    {
#include "nets/standard_residual.inc"
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
