/* See scene.h. */
#include "scene.h"

#include "choice.h"
#include "review.h"

#include <assert.h>

/* ---- how far a seat is ---- */

static bool is_bright_yaku(int y)
{
    return y == YAKU_GOKO || y == YAKU_SHIKO || y == YAKU_AME_SHIKO || y == YAKU_SANKO;
}

static int lacks(const struct scene_near *p)
{
    return p->need - p->have;
}

/* Of the yaku of brights only the nearest counts, and a set of three from its second card on. */
static bool is_telling(const struct scene_near *all, int n, const struct scene_near *p)
{
    enum { TRIO = 3 };
    if (p->have == 0)
        return false;
    if (!is_bright_yaku(p->yaku))
        return p->need != TRIO || lacks(p) == 1;
    for (int i = 0; i < n; i++)
        if (is_bright_yaku(all[i].yaku) &&
            (lacks(&all[i]) < lacks(p) || (lacks(&all[i]) == lacks(p) && &all[i] > p)))
            return false;
    return true;
}

/* The nearest first, then the dearest. */
static void add_near(const struct view *v, int seat, struct scene_seat *at)
{
    struct scene_near all[N_YAKU];
    struct reach r;
    int n = 0;
    for (int y = 0; y < N_YAKU; y++)
        if (review_reach(v, seat, (enum yaku)y, &r))
            all[n++] = (struct scene_near){(uint8_t)y, (uint8_t)r.have, (uint8_t)r.need, r.missing};
    for (int i = 0; i < n; i++) {
        if (!is_telling(all, n, &all[i]))
            continue;
        int k = at->n_near++;
        for (; k > 0 && lacks(&at->near[k - 1]) > lacks(&all[i]); k--)
            at->near[k] = at->near[k - 1];
        at->near[k] = all[i];
    }
}

/* ---- cards and moves ---- */

static void add_move(struct scene *s, const struct view *v, const struct ruleset *g, struct move m,
                     int legal)
{
    assert(s->n_all < SCENE_MOVES);
    struct scene_move *to = &s->move[s->n_all++];
    *to = (struct scene_move){.move = m, .legal = (int16_t)legal};
    if (s->seat < 0 || m.take == 0)
        return;
    const struct score *was = &s->at[s->seat].score;
    struct score now;
    score_pile(g, v->taken[s->seat] | m.take | CARD(m.card), v->koikoi[s->seat] > 0, &now);
    for (int y = 0; y < N_YAKU; y++)
        if (now.worth[y] > was->worth[y]) {
            to->makes[y] = now.worth[y];
            to->makes_any = true;
        }
}

/* What a card of the hand, or the drawn one, can do: its legal moves, else those it would have. */
static struct scene_card card_of(struct scene *s, const struct view *v, const struct ruleset *g,
                                 int card, bool drawn)
{
    struct scene_card c = {.card = (uint8_t)card};
    enum move_kind kind = drawn ? MOVE_CHOOSE : MOVE_PLAY;
    cardset takes[N_CARDS];
    int n = round_takes(&v->rules, v->field, card, drawn, takes);
    for (int i = 0; i < n; i++)
        c.reach |= takes[i];
    for (int i = 0; i < s->n_moves; i++)
        if (s->move[i].move.kind == kind && s->move[i].move.card == card)
            c.first = c.n++ ? c.first : (uint16_t)i;
    if (c.n > 0)
        return c;
    c.first = (uint16_t)s->n_all;
    c.n = (uint16_t)choice_takes(&v->rules, v->field, card, drawn, takes);
    for (int i = 0; i < c.n; i++)
        add_move(s, v, g, (struct move){(uint8_t)kind, (uint8_t)card, takes[i]}, -1);
    return c;
}

static void add_cards(struct scene *s, const struct view *v, const struct ruleset *g)
{
    for (int i = 0; i < v->n_legal; i++)
        if (!choice_repeats(v->legal, i))
            add_move(s, v, g, v->legal[i], i);
    s->n_moves = s->n_all;
    for (cardset rest = v->hand; rest; rest = set_rest(rest))
        s->hand[s->n_hand++] = card_of(s, v, g, set_first(rest), false);
    if (s->dealt && v->phase == PHASE_DRAW)
        s->drawn = card_of(s, v, g, v->drawn, true);
}

/* ---- what happened ---- */

static void add_acts(struct scene *s, const struct view *v, const struct ruleset *g)
{
    int first = v->n_seen;
    while (first > 0 &&
           v->seen[first - 1].seat_kind >> 4 == v->seen[v->n_seen - 1].seat_kind >> 4) {
        first--;
        if ((v->seen[first].seat_kind & 15) == SEEN_PLAY)
            break;
    }
    for (int i = first; i < v->n_seen && s->n_acts < SCENE_ACTS; i++) {
        const struct seen *e = &v->seen[i];
        uint8_t kind = e->seat_kind & 15;
        s->act[s->n_acts++] = (struct scene_act){e->seat_kind >> 4, kind, e->card,
                                                 kind == SEEN_KOIKOI ? 0 : seen_take(*e)};
        s->moved |= kind == SEEN_KOIKOI ? 0 : seen_take(*e) | CARD(e->card);
    }
    if (s->n_acts == 0)
        return;
    int seat = s->act[0].seat;
    struct score was;
    score_pile(g, v->taken[seat] & ~s->moved, v->koikoi[seat] > 0, &was);
    for (int y = 0; y < N_YAKU; y++)
        if (s->at[seat].score.worth[y] > was.worth[y])
            s->made[y] = s->at[seat].score.worth[y];
}

/* Between rounds, and after the end, the round that was played. */
static int round_shown(const struct view *v)
{
    bool left = v->stage == MATCH_OVER && (v->why == MATCH_LEAVE || v->why == MATCH_AGREED) &&
                v->result.why != WHY_LEAVE;
    bool ended = (v->stage == MATCH_READY || left) && v->attempt == 1 && v->round_no > 1;
    return v->round_no - ended;
}

void scene_make(const struct table *t, const struct ruleset *g, struct scene *ret)
{
    const struct view *v = &t->view;
    const bool dealt = v->stage == MATCH_PLAYING && t->phase == SESSION_PLAYING; /* else closed */
    *ret = (struct scene){.seat = v->seat,
                          .dealt = dealt,
                          .mine = dealt && v->turn == v->seat,
                          .players = v->players,
                          .turn = v->turn,
                          .dealer = v->dealer,
                          .phase = v->phase,
                          .stock_size = v->stock_size,
                          .round = round_shown(v),
                          .rounds = v->rules.rounds,
                          .deadline = t->deadline,
                          .field = v->field};
    for (int i = 0; i < v->players; i++) {
        struct scene_seat *at = &ret->at[i];
        *at = (struct scene_seat){.pile = v->taken[i],
                                  .hand_size = v->hand_size[i],
                                  .calls = v->koikoi[i],
                                  .points = v->scores[i],
                                  .time_left = t->player[i].time_left};
        score_pile(g, v->taken[i], v->koikoi[i] > 0, &at->score);
        add_near(v, i, at);
    }
    add_cards(ret, v, g);
    add_acts(ret, v, g);
    ret->stop = v->result;
    if (v->seat >= 0 && ret->stop.why == WHY_NONE) {
        struct calls calls = {.players = v->players, .table_brights = v->table_brights};
        memcpy(calls.koikoi, v->koikoi, sizeof calls.koikoi);
        score_pay(g, &calls, v->seat, &ret->at[v->seat].score, true, &ret->stop);
    }
}
