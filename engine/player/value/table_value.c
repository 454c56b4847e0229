/* See table_value.h. */
#include "table_value.h"
#include "value_groups.h"

#include <stdlib.h>
#include <string.h>

/* ---- Features -------------------------------------------------------------------------------- */

int value_context(int rounds, int lead)
{
    static const uint8_t edge[] = {1, 2, 4, 6, 8, 11, 16, 22, 31, 40};
    enum { EDGES = sizeof edge / sizeof *edge };
    int n = 0;

    if (rounds >= VALUE_ROUNDS)
        return 0;
    while (n < EDGES && abs(lead) >= edge[n])
        n++;
    return 1 + rounds * VALUE_LEADS + EDGES + (lead < 0 ? -n : n);
}

struct value_voids value_voids_of(const struct seen *seen, int n, cardset field)
{
    struct value_voids ret = {0};

    for (int i = n - 1; i >= 0; i--) {
        int kind = seen[i].seat_kind & 15;
        cardset take = kind == SEEN_KOIKOI ? 0 : seen_take(seen[i]);
        if (kind != SEEN_KOIKOI)
            field ^= take_moves(CARD(seen[i].card), take);
        if (kind == SEEN_PLAY && take == 0)
            ret.of[seen[i].seat_kind >> 4] |= whole_months(field);
    }
    return ret;
}

void value_features(const struct ruleset *g, const struct value_table *t,
                    uint16_t ret[static VALUE_ACTIVE])
{
    all_features(g, t, ret);
}

/* ---- The net --------------------------------------------------------------------------------- */

/* So many numbers at a time: compilers make no vectors of these loops by themselves. */
enum { LANES = 32, N_LANES = VALUE_HIDDEN / LANES };
typedef int16_t lanes __attribute__((vector_size(2 * LANES), may_alias));

/* The first layer: a sum of rows. */
struct layer {
    lanes hidden[N_LANES];
    int32_t direct;
};

HOT_INLINE void add_feature(const struct value_net *net, struct layer *l, int feature)
{
    int at = net->rows->row_of[feature];
    const lanes *row = (const lanes *)net->rows->row[at].hidden;

    l->direct += net->file->direct[at];
    for (int v = 0; v < N_LANES; v++)
        l->hidden[v] += row[v];
}

HOT_INLINE void exchange(const struct value_net *net, struct layer *l, int feature, int before)
{
    int at = net->rows->row_of[feature], was = net->rows->row_of[before];
    const lanes *now = (const lanes *)net->rows->row[at].hidden,
                *then = (const lanes *)net->rows->row[was].hidden;

    l->direct += net->file->direct[at] - net->file->direct[was];
    for (int v = 0; v < N_LANES; v++)
        l->hidden[v] += now[v] - then[v];
}

/* Fixed-point 1 of a result. */
enum { RESULT_UNIT = VALUE_HIDDEN_UNIT * VALUE_SECOND_UNIT * VALUE_OUT_UNIT };

HOT_INLINE int64_t result(const struct value_layers *s, const struct layer *l)
{
    const lanes nothing = {0};
    int16_t on[VALUE_HIDDEN];
    int64_t ret = (int64_t)l->direct * (RESULT_UNIT / VALUE_DIRECT_UNIT);

    for (int v = 0; v < N_LANES; v++) {
        lanes x = (l->hidden[v] & (l->hidden[v] > nothing)) / (VALUE_ROW_UNIT / VALUE_HIDDEN_UNIT);
        memcpy(on + v * LANES, &x, sizeof x);
    }
    for (int j = 0; j < VALUE_SECOND; j++) {
        int32_t sum = 0;
        for (int k = 0; k < VALUE_HIDDEN; k++)
            sum += (int32_t)on[k] * s->second[j][k];
        sum += s->bias[j];
        ret += (int64_t)(sum > 0 ? sum : 0) * s->out[j];
    }
    return ret;
}

/* The first layer of a table, and its features. */
HOT_INLINE void sum_up(const struct value_net *net, const struct ruleset *g,
                       const struct value_table *t, uint16_t *ret_feature, struct layer *ret)
{
    *ret = (struct layer){.direct = 0};
    all_features(g, t, ret_feature);
    for (int i = 0; i < VALUE_ACTIVE; i++)
        add_feature(net, ret, ret_feature[i]);
}

HOT_WIDE_CLONES float value_after(const struct value_net *net, const struct ruleset *g,
                                  const struct round *r, const struct value_voids *voids,
                                  int context, struct move move)
{
    struct value_table t = value_table_of(r, value_moment_of(move.kind), voids);
    uint16_t feature[VALUE_ACTIVE];
    struct layer l;

    t.context = context;
    value_make(g, &t, move);
    sum_up(net, g, &t, feature, &l);
    return (float)result(&net->file->stack[value_stack_of(&t)], &l) / (float)RESULT_UNIT;
}

/* What the table is worth after each of n plays or choices, in units of RESULT_UNIT. */
static HOT_WIDE_CLONES void each_worth(const struct value_net *net, const struct ruleset *g,
                                       const struct round *r, const struct value_voids *voids,
                                       int context, const struct move *moves, int n, int64_t *ret)
{
    struct value_table before = value_table_of(r, value_moment_of(moves[0].kind), voids);
    uint16_t feature[VALUE_ACTIVE], group[VALUE_GROUPS];
    const struct value_layers *stack = &net->file->stack[value_stack_of(&before)];
    struct layer all;

    before.context = context;
    sum_up(net, g, &before, feature, &all);
    for (int i = 0; i < n; i++) {
        struct value_table t = before;
        struct layer l = all;
        value_lay(&t, moves[i]);
        for (cardset c = moves[i].take | CARD(moves[i].card); c;) {
            int m = card_month(set_first(c));
            exchange(net, &l, month_table(&t, m), feature[m]);
            c &= ~month_set(m);
        }
        value_groups(g, &t, group);
        for (int k = 0; k < VALUE_GROUPS; k++)
            if (group[k] != feature[N_MONTHS + k])
                exchange(net, &l, group[k], feature[N_MONTHS + k]);
        ret[i] = result(stack, &l);
    }
}

int value_pick(const struct value_net *net, const struct ruleset *g, const struct round *r,
               const struct value_voids *voids, int context, const struct move *moves, int n,
               float *ret_worth)
{
    int64_t worth[MAX_MOVES], most = INT64_MIN;
    int best = 0;

    each_worth(net, g, r, voids, context, moves, n, worth);
    for (int i = 0; i < n; i++)
        if (worth[i] > most) {
            most = worth[i];
            best = i;
        }
    *ret_worth = (float)most / (float)RESULT_UNIT;
    return best;
}

void value_of_each(const struct value_net *net, const struct ruleset *g, const struct round *r,
                   const struct value_voids *voids, int context, const struct move *moves, int n,
                   float *ret)
{
    int64_t worth[MAX_MOVES];

    each_worth(net, g, r, voids, context, moves, n, worth);
    for (int i = 0; i < n; i++)
        ret[i] = (float)worth[i] / (float)RESULT_UNIT;
}

/* ---- Which net ------------------------------------------------------------------------------- */

/* The files, and where the rows begin in those that have some. */
#define NET(preset)                                                                                \
    extern const struct value_file preset##_net;                                                   \
    __asm__(".section .rodata\n.balign 64\n" #preset "_net:\n.incbin "                             \
            "\"engine/player/value/nets/" #preset ".net\"\n.previous\n")
#define ROWS_OF(preset) ((const struct value_rows *)(&preset##_net + 1))
NET(standard);
NET(console);
NET(okoshki);

const struct value_net *value_net_for(uint64_t rules)
{
    static const struct value_net nets[] = {{&standard_net, ROWS_OF(standard)},
                                            {&console_net, ROWS_OF(console)},
                                            {&okoshki_net, ROWS_OF(standard)}};

    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
        if (nets[i].file->learned_from == rules)
            return &nets[i];
    return NULL;
}
