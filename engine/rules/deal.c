/* Dealing: the places of cards in the shuffled deck, and deals that are over at once. */
#include "round_internal.h"
#include "round.h"

#include <string.h>

/* Deals packets in turn, by the rule set, until every hand and the table are complete. */
void deal_slots(const struct rules *r, int players, uint8_t ret[static N_CARDS])
{
    uint8_t order[MAX_PLAYERS + 1], left[SLOT_STOCK] = {0};
    int n = 0, at = 0, dealt = players * r->hand[players] + r->table[players];

    for (int i = 0; i < players; i++) {
        order[n++] = (uint8_t)(r->deal_order == DEAL_OTHERS_DEALER_TABLE ? (i + 1) % players : i);
        left[i] = r->hand[players];
    }
    order[n++] = SLOT_TABLE;
    left[SLOT_TABLE] = r->table[players];
    memset(ret, SLOT_STOCK, N_CARDS);
    for (int i = 0; at < dealt; i = (i + 1) % n)
        for (int k = 0; k < r->deal_packet && left[order[i]] > 0; k++, left[order[i]]--)
            ret[at++] = order[i];
}

void deal_places(const struct rules *r, int players, uint8_t ret[static N_CARDS])
{
    uint8_t slots[N_CARDS];
    int n = 0;

    deal_slots(r, players, slots);
    for (int slot = 0; slot <= SLOT_STOCK; slot++)
        for (int i = 0; i < N_CARDS; i++)
            if (slots[i] == slot)
                ret[n++] = (uint8_t)i;
}

void deal_order(const struct rules *r, int players, int dealer, const uint8_t deck[static N_CARDS],
                uint8_t ret_hands[MAX_PLAYERS][N_CARDS], uint8_t ret_table[N_CARDS])
{
    uint8_t slots[N_CARDS];
    int n[SLOT_STOCK] = {0};

    deal_slots(r, players, slots);
    for (int i = 0; i < N_CARDS && slots[i] != SLOT_STOCK; i++) {
        int slot = slots[i], at = n[slot]++;
        if (slot == SLOT_TABLE && ret_table != NULL)
            ret_table[at] = deck[i];
        if (slot != SLOT_TABLE && ret_hands != NULL)
            ret_hands[(dealer + slot) % players][at] = deck[i];
    }
}

static void log_end(const struct round *r, struct round_log *log)
{
    if (log == NULL)
        return;
    log->n = 1;
    log->at[0] = (struct log_line){.kind = r->void_why != VOID_NONE ? LOG_VOID : LOG_END,
                                   .seat = r->void_by,
                                   .card = CARD_NONE,
                                   .what = r->void_why};
}

/* Automatic hand yaku: one owner wins, several leave the round undecided. */
static void automatic(const struct ruleset *g, struct round *r)
{
    int owners = 0, owner = 0;

    for (int p = 0; p < r->players; p++)
        if (hand_yaku_of(g, r->hand[p]) != HAND_NONE) {
            owners++;
            owner = p;
        }
    if (owners == 1)
        round_win_by_hand(g, r, owner);
    else if (owners > 1)
        round_end(r, WHY_HAND_YAKU_TIE);
}

/* A month in one hand, by the first seat from the dealer that has one. */
static bool four_in_a_hand(struct round *r)
{
    for (int i = 0; i < r->players; i++) {
        int seat = (r->dealer + i) % r->players;
        if (pile_months(r->hand[seat]) == 0)
            continue;
        r->void_why = VOID_HAND_FOUR;
        r->void_by = (int8_t)seat;
        r->phase = PHASE_OVER;
        return true;
    }
    return false;
}

/* Checks the rare ends of a deal. Returns true if it is over. */
static bool over_at_once(const struct ruleset *g, struct round *r)
{
    if (g->rules.table_four == TABLE_FOUR_REDEAL && pile_months(r->field) != 0) {
        r->void_why = VOID_TABLE_FOUR;
        r->phase = PHASE_OVER;
    } else if (g->rules.hand_four == HAND_FOUR_REDEAL && four_in_a_hand(r)) {
        return true;
    } else if (g->rules.has_hand_yaku && g->rules.claim == CLAIM_AUTOMATIC) {
        automatic(g, r);
    }
    return r->phase == PHASE_OVER;
}

HOT_INLINE cardset gather(const uint8_t *deck, const uint8_t *place, int n)
{
    cardset s = 0;

    for (int i = 0; i < n; i++)
        s |= CARD(deck[place[i]]);
    return s;
}

/* The cards at n places of the deck; the loop for eight, the usual number, is unrolled. */
HOT_INLINE cardset cards_at(const uint8_t *deck, const uint8_t *place, int n)
{
    return n == 8 ? gather(deck, place, 8) : gather(deck, place, n);
}

HOT_INLINE void deal(const struct ruleset *g, int players, int dealer, const uint8_t *deck,
                     struct round *r)
{
    const uint8_t *place = g->place[players];
    int size = g->rules.hand[players], table = g->rules.table[players];

    memset(r, 0, sizeof *r);
    memcpy(r->deck, deck, N_CARDS);
    r->turn = r->dealer = (uint8_t)dealer;
    r->players = (uint8_t)players;
    r->next = (uint8_t)(players * size + table);
    r->drawn = CARD_NONE;
    r->void_by = -1;
    for (int i = 0, seat = dealer; i < players; i++, place += size) {
        cardset hand = cards_at(deck, place, size);
        r->hand[seat] = hand;
        r->may_redeal[seat] = g->rules.hand_four == HAND_FOUR_MAY_REDEAL && pile_months(hand) != 0;
        seat = seat + 1 == players ? 0 : seat + 1;
    }
    r->field = cards_at(deck, place, table);
    r->table_brights = (uint8_t)set_count(r->field & set_brights & ~CARD(RAINMAN));
}

HOT_CLONES void round_deal(const struct ruleset *g, int players, int dealer,
                           const uint8_t deck[static N_CARDS], struct round *ret,
                           struct round_log *ret_log)
{
    deal(g, players, dealer, deck, ret);
    if (over_at_once(g, ret))
        log_end(ret, ret_log);
    else if (ret_log != NULL)
        ret_log->n = 0;
}
