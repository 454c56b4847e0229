/* See plain_player.h. Playouts finish the round greedily: capture the card of greatest fixed
 * weight, else lay down the one of least; stop at a new yaku unless it is cheap and early. */
#include "plain_player.h"
#include "pile.h"

#include <string.h>

static const uint8_t weight[N_CARDS] = {
    20, 6, 1, 1, 5,  6, 1, 1, 20, 6, 1, 1, 5, 4, 1, 1, 5,  4, 1, 1, 8,  6, 1, 1,
    8,  4, 1, 1, 20, 5, 1, 1, 20, 6, 1, 1, 8, 6, 1, 1, 12, 5, 4, 1, 20, 1, 1, 1,
};

static uint32_t below(uint64_t *s, uint32_t n)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return (uint32_t)(((*s >> 32) * n) >> 32);
}

static inline int weigh(cardset s)
{
    int sum = 0;
    for (; s; s = set_rest(s))
        sum += weight[set_first(s)];
    return sum;
}

static inline cardset dearest(cardset same)
{
    cardset low = same & -same;
    if (set_count(same) != 2)
        return same;
    return weigh(low) >= weigh(same ^ low) ? low : same ^ low;
}

/* Where cards capture only their own month, and must, a drawn card needs no list of moves. */
static int simple_move(const struct ruleset *g, const struct round *r, const struct move *moves,
                       int n)
{
    int best = 0, most = -1000;
    if (r->phase == PHASE_DECIDE && n > 1) {
        bool cheap = pile_base(g, r->taken[r->turn], r->koikoi[r->turn] > 0) < 3 &&
                     set_count(r->hand[r->turn]) >= 5;
        return moves[0].kind == (cheap ? MOVE_KOIKOI : MOVE_STOP) ? 0 : 1;
    }
    for (int i = 0; i < n; i++) {
        int worth = 1000;
        if (moves[i].kind == MOVE_PLAY || moves[i].kind == MOVE_CHOOSE)
            worth = moves[i].take ? weigh(moves[i].take | CARD(moves[i].card))
                                  : -(int)weight[moves[i].card];
        if (worth > most) {
            most = worth;
            best = i;
        }
    }
    return best;
}

/* A whole turn in the common case: a play and a draw. Leaves decisions to round_apply(). */
static inline void lay(struct round *r, int card)
{
    cardset take = dearest(r->field & card_month_set(card));
    if (take) {
        r->field &= ~take;
        r->taken[r->turn] |= take | CARD(card);
    } else {
        r->field |= CARD(card);
    }
}

static inline int simple_card(const struct round *r)
{
    int best = -1, most = -1000;
    for (cardset h = r->hand[r->turn]; h; h = set_rest(h)) {
        int card = set_first(h);
        cardset take = dearest(r->field & card_month_set(card));
        int worth = take ? weigh(take) + weight[card] : -(int)weight[card];
        if (worth > most) {
            most = worth;
            best = card;
        }
    }
    return best;
}

/* Plays from the start of a turn to the end of the round. */
static inline void finish(const struct ruleset *g, struct round *r)
{
    while (r->phase == PHASE_HAND) {
        int card = simple_card(r), seat = r->turn;
        cardset before = r->taken[seat];
        r->hand[seat] &= ~CARD(card);
        r->played[seat] = true;
        lay(r, card);
        if (r->next < N_CARDS)
            lay(r, r->deck[r->next++]);
        if (r->taken[seat] != before &&
            pile_base(g, r->taken[seat], r->koikoi[seat] > 0) > r->last_decision[seat].base) {
            r->phase = PHASE_DECIDE;
            return;
        }
        r->turn = (uint8_t)(1 - seat);
        if (r->hand[r->turn] == 0) {
            r->phase = PHASE_OVER; /* exhausted; this player does not count oya-kan */
            r->result.winner = -1;
        }
    }
}

static int play_out(const struct ruleset *g, struct round *r, int me)
{
    struct move moves[MAX_MOVES];
    while (r->phase != PHASE_OVER) {
        if (r->phase == PHASE_HAND && g->forced_own_month && g->base_decides) {
            finish(g, r);
            continue;
        }
        int n = round_legal(g, r, r->turn, moves);
        round_apply(g, r, r->turn, moves[simple_move(g, r, moves, n)], NULL);
    }
    if (r->void_why != VOID_NONE || r->result.winner < 0)
        return 0;
    return r->result.winner == me ? r->result.points : -r->result.points;
}

/* A world with the opponent's hand and the stock dealt at random. */
static void guess(const struct view *v, uint64_t *chance, struct round *r)
{
    int me = v->seat, n = 0;
    cardset unseen = ALL_CARDS & ~(v->hand | v->field | v->taken[0] | v->taken[1]);
    uint8_t card[N_CARDS];
    if (v->drawn < N_CARDS)
        unseen &= ~CARD(v->drawn);
    for (; unseen; unseen = set_rest(unseen))
        card[n++] = (uint8_t)set_first(unseen);
    for (int i = n - 1; i > 0; i--) {
        int j = (int)below(chance, (uint32_t)i + 1);
        uint8_t t = card[i];
        card[i] = card[j];
        card[j] = t;
    }
    r->hand[1 - me] = 0;
    for (int i = 0; i < v->hand_size[1 - me]; i++)
        r->hand[1 - me] |= CARD(card[i]);
    memcpy(r->deck + r->next, card + v->hand_size[1 - me], (size_t)(N_CARDS - r->next));
}

struct move plain_player(const struct ruleset *g, const struct view *v, int worlds, uint64_t seed)
{
    struct round now = {.phase = v->phase,
                        .turn = v->turn,
                        .players = v->players,
                        .dealer = v->dealer,
                        .drawn = v->drawn,
                        .void_by = -1,
                        .table_brights = v->table_brights,
                        .next = (uint8_t)(N_CARDS - v->stock_size),
                        .field = v->field};
    uint64_t chance = seed * 2 + 1;
    long sum[MAX_MOVES] = {0};
    int best = 0;
    memcpy(now.taken, v->taken, sizeof now.taken);
    memcpy(now.koikoi, v->koikoi, sizeof now.koikoi);
    memcpy(now.played, v->played, sizeof now.played);
    memcpy(now.last_decision, v->last_decision, sizeof now.last_decision);
    now.hand[v->seat] = v->hand;
    for (int i = 0; i < v->n_legal; i++)
        now.may_redeal[v->seat] |= v->legal[i].kind == MOVE_REDEAL;
    for (int w = 0; w < worlds && v->n_legal > 1; w++) {
        guess(v, &chance, &now);
        for (int i = 0; i < v->n_legal; i++) {
            struct round r = now;
            round_apply(g, &r, v->seat, v->legal[i], NULL);
            sum[i] += play_out(g, &r, v->seat);
        }
    }
    for (int i = 1; i < v->n_legal; i++)
        if (sum[i] > sum[best])
            best = i;
    return v->legal[best];
}
