/* See table_value.h. */
#include "table_value.h"

#include <stdlib.h>
#include <string.h>

/* ---- Features -------------------------------------------------------------------------------- */

/* Where a card can be had, as a number of three bits: own pile 0, other pile 1, own hand with its
 * month on the field 2 or without 3, field with its month in hand 4 or without 5, unseen with its
 * month in hand or on the field 6 or without 7. A set for each bit. */
struct value_reach {
    cardset bit[3], hand_months, field_months, unseen;
};

HOT_INLINE struct value_reach value_reach_of(const struct value_table *t)
{
    cardset hand = whole_months(t->hand), field = whole_months(t->field);
    cardset unseen = ALL_CARDS & ~(t->hand | t->field | t->own | t->other);
    cardset near = unseen & (hand | field), far = unseen & ~(hand | field);
    return (struct value_reach){.bit = {t->other | (t->hand & ~field) | (t->field & ~hand) | far,
                                        t->hand | near | far, t->field | near | far},
                                .hand_months = hand,
                                .field_months = field,
                                .unseen = unseen};
}

HOT_INLINE int reach_at(const struct value_reach *r, int card)
{
    return (int)(r->bit[0] >> card & 1) + 2 * (int)(r->bit[1] >> card & 1) +
           4 * (int)(r->bit[2] >> card & 1);
}

/* Holders of three cards in base 4: none, own pile, other pile, own hand. */
HOT_INLINE int trio_of(const struct value_table *t, int a, int b, int c)
{
    const int card[3] = {a, b, c};
    int ret = 0;
    for (int i = 0; i < 3; i++)
        ret = 4 * ret + (int)(t->own >> card[i] & 1) + 2 * (int)(t->other >> card[i] & 1) +
              3 * (int)(t->hand >> card[i] & 1);
    return ret;
}

HOT_INLINE int reached_trio(const struct value_reach *r, int a, int b, int c)
{
    return reach_at(r, a) * 64 + reach_at(r, b) * 8 + reach_at(r, c);
}

/* Places of a month's cards in base 5: unseen, hand, field, own pile, other pile; and whether the
 * other seat is void in the month: its unseen cards, if any, are in the stock. */
HOT_INLINE int month_table(const struct value_table *t, int month)
{
    static const uint8_t in_base_5[16] = {0,   1,   5,   6,   25,  26,  30,  31,
                                          125, 126, 130, 131, 150, 151, 155, 156};
    int at = 4 * month;
    cardset in_stock = t->other_void & ~(t->hand | t->field | t->own | t->other);
    return VALUE_MONTHS + month * MONTH_FEATURES + ((in_stock >> at & 15) != 0 ? MONTH_TABLES : 0) +
           in_base_5[t->hand >> at & 15] + 2 * in_base_5[t->field >> at & 15] +
           3 * in_base_5[t->own >> at & 15] + 4 * in_base_5[t->other >> at & 15];
}

/* All groups but the months. */
HOT_INLINE void value_groups(const struct ruleset *g, const struct value_table *t, uint16_t *ret)
{
    static const uint8_t bright[6] = {CRANE, CURTAIN, MOON, RAINMAN, PHOENIX, SAKE};
    static const uint8_t reached[8] = {0, 1, 2, 3, 2, 3, 3, 3};
    const struct value_reach r = value_reach_of(t);
    cardset at_hand = (t->hand & r.field_months) | (t->field & r.hand_months),
            open = t->field | (r.unseen & r.field_months);
    int animals = at_most(set_count(t->own & set_animals), 7),
        others_animals = at_most(set_count(t->other & set_animals), 7);
    int ribbons = at_most(set_count(t->own & set_ribbons), 7),
        others_ribbons = at_most(set_count(t->other & set_ribbons), 7);
    int plains = at_most(set_count(t->own & g->plains), 12),
        others_plains = at_most(set_count(t->other & g->plains), 12);
    int brights = 0, reached_brights = 0;
    for (int i = 0; i < 6; i++)
        brights =
            3 * brights + (int)(t->own >> bright[i] & 1) + 2 * (int)(t->other >> bright[i] & 1);
    for (int i = 0; i < 5; i++)
        reached_brights = 4 * reached_brights + reached[reach_at(&r, bright[i])];
    int ino = trio_of(t, BOAR, DEER, BUTTERFLIES), poetry = trio_of(t, 1, 5, 9),
        blue = trio_of(t, 21, 33, 37);
    int calls = at_most(t->calls, 2) * 3 + at_most(t->other_calls, 2);
    const int at[VALUE_GROUPS] = {
        VALUE_BRIGHTS + brights,
        VALUE_TRIOS + ino * 8 + animals,
        VALUE_TRIOS + TRIO_COUNTS + ino * 8 + others_animals,
        VALUE_TRIOS + 2 * TRIO_COUNTS + poetry * 8 + ribbons,
        VALUE_TRIOS + 3 * TRIO_COUNTS + poetry * 8 + others_ribbons,
        VALUE_TRIOS + 4 * TRIO_COUNTS + blue * 8 + ribbons,
        VALUE_TRIOS + 5 * TRIO_COUNTS + blue * 8 + others_ribbons,
        VALUE_PLAINS + plains * 13 + others_plains,
        VALUE_ANIMALS + animals * 8 + others_animals,
        VALUE_RIBBONS + ribbons * 8 + others_ribbons,
        VALUE_CALLS + (calls * 3 + t->after) * 18 + at_most(t->left, 8) * 2 + t->dealer,
        VALUE_BASES + at_most(pile_base(g, t->own, t->calls > 0), 15) * 16 + at_most(t->base, 15),
        VALUE_OTHER_BASES + at_most(pile_base(g, t->other, t->other_calls > 0), 15) * 16 +
            at_most(t->other_base, 15),
        VALUE_REACH + reached_trio(&r, BOAR, DEER, BUTTERFLIES),
        VALUE_REACH + 512 + reached_trio(&r, 1, 5, 9),
        VALUE_REACH + 1024 + reached_trio(&r, 21, 33, 37),
        VALUE_VIEWINGS + reach_at(&r, CURTAIN) * 8 + reach_at(&r, SAKE),
        VALUE_VIEWINGS + 64 + reach_at(&r, MOON) * 8 + reach_at(&r, SAKE),
        VALUE_REACHED_BRIGHTS + reached_brights,
        VALUE_AT_HAND + animals * 4 + at_most(set_count(at_hand & set_animals), 3),
        VALUE_AT_HAND + 32 + ribbons * 4 + at_most(set_count(at_hand & set_ribbons), 3),
        VALUE_AT_HAND + 64 + plains * 5 + at_most(set_count(at_hand & g->plains) / 2, 4),
        VALUE_OPEN + others_animals * 4 + at_most(set_count(open & set_animals), 3),
        VALUE_OPEN + 32 + others_ribbons * 4 + at_most(set_count(open & set_ribbons), 3),
        VALUE_OPEN + 64 + others_plains * 5 + at_most(set_count(open & g->plains) / 3, 4),
        VALUE_CONTEXT + t->context};

    for (int i = 0; i < VALUE_GROUPS; i++)
        ret[i] = (uint16_t)at[i];
}

HOT_INLINE void all_features(const struct ruleset *g, const struct value_table *t, uint16_t *ret)
{
    for (int m = 0; m < N_MONTHS; m++)
        ret[m] = (uint16_t)month_table(t, m);
    value_groups(g, t, ret + N_MONTHS);
}

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

/* The files, and where the rows begin in those that have some. On a big-endian machine they are
 * written to, once. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NET_SECTION ".section .rodata\n"
#else
#define NET_SECTION ".data\n"
#endif
#define NET(preset)                                                                                \
    extern struct value_file preset##_net, preset##_net_end;                                       \
    __asm__(NET_SECTION ".balign 64\n" #preset "_net:\n.incbin "                                   \
                        "\"engine/player/nets/" #preset ".net\"\n" #preset                         \
                        "_net_end:\n.previous\n")
#define ROWS_OF(preset) ((const struct value_rows *)(&preset##_net + 1))
NET(standard);
NET(console);
NET(okoshki);

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
static void turn_net(struct value_file *file, const struct value_file *end)
{
    value_turn_file(file);
    value_turn(file + 1, (size_t)((const char *)end - (const char *)(file + 1)), sizeof(int16_t));
}

/* Before main(), since searches read the nets on several threads. */
static __attribute__((constructor)) void turn_nets(void)
{
    turn_net(&standard_net, &standard_net_end);
    turn_net(&console_net, &console_net_end);
    turn_net(&okoshki_net, &okoshki_net_end);
}
#endif

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
