/* See search_world.h. */
#include "search_world.h"

#include "exact_math.h"
#include "nets.h"
#include "search_call.h"
#include "search_plays.h"

#include <string.h>

/* ---- Belief ---------------------------------------------------------------------------------- */

/* A play or a call of another seat, with the table as it was then. */
struct moment {
    int seat;
    bool call;
    uint8_t card; /* of a play, as is take */
    cardset take, field, taken[MAX_PLAYERS];
    cardset played_since; /* from that seat's hand, this play included */
    uint8_t koikoi[MAX_PLAYERS];
    struct value_voids voids; /* before it */
};

/* Walks the log backwards from the present table; the newest move comes first. */
static int moments(const struct view *v, struct moment *ret)
{
    cardset since[MAX_PLAYERS] = {0};
    struct moment now = {.field = v->field};
    int n = 0;
    memcpy(now.taken, v->taken, sizeof now.taken);
    memcpy(now.koikoi, v->koikoi, sizeof now.koikoi);
    for (int i = v->n_seen - 1; i >= 0; i--) {
        struct seen e = v->seen[i];
        int kind = e.seat_kind & 15;
        now.seat = e.seat_kind >> 4;
        now.call = kind == SEEN_KOIKOI;
        now.card = e.card;
        now.take = now.call ? 0 : seen_take(e);
        if (now.call) {
            now.koikoi[now.seat]--;
        } else {
            now.field ^= take_moves(CARD(e.card), now.take);
            now.taken[now.seat] &= ~take_wins(CARD(e.card), now.take);
        }
        if (kind == SEEN_PLAY)
            since[now.seat] |= CARD(e.card);
        now.played_since = since[now.seat];
        if (kind != SEEN_DRAW && now.seat != v->seat) {
            now.voids = value_voids_of(v->seen, i, now.field);
            ret[n++] = now;
        }
    }
    return n;
}

/* The round as it was then; without the hand. Of the piles at calls before it the last ones are
 * known. */
static struct round round_then(const struct view *v, const struct moment *m)
{
    struct round r = {.phase = m->call ? PHASE_DECIDE : PHASE_HAND,
                      .players = v->players,
                      .turn = (uint8_t)m->seat,
                      .dealer = v->dealer,
                      .table_brights = v->table_brights,
                      .field = m->field};
    for (int s = 0; s < v->players; s++) {
        r.taken[s] = m->taken[s];
        r.koikoi[s] = m->koikoi[s];
        if (r.koikoi[s] > 0)
            r.last_decision[s] = v->last_decision[s];
    }
    return r;
}

/* Log-likelihood of the play seen if r has the hand, by each style. */
static void log_chance(const struct ruleset *g, const struct match_value *value,
                       const struct moment *m, const struct round *r, float *ret)
{
    const struct sight at = policy_sight(r);
    struct move moves[MAX_MOVES];
    cardset takes[N_CARDS];
    float worths[MAX_MOVES], *worth = value->net != NULL ? worths : NULL;
    int n = 0, made = 0;
    for (cardset left = at.hand; left; left = set_rest(left)) {
        int card = set_first(left), n_takes = round_takes(&g->rules, m->field, card, false, takes);
        for (int i = 0; i < n_takes && n < MAX_MOVES; i++, n++) {
            moves[n] = (struct move){.kind = MOVE_PLAY, .card = (uint8_t)card, .take = takes[i]};
            if (card == m->card && takes[i] == m->take)
                made = n;
        }
    }
    if (worth != NULL)
        value_of_each(value->net, g, r, &m->voids, value->context[m->seat], moves, n, worth);
    plays_log_chance(g, &at, moves, n, made, worth, ret);
}

/* Lists all possible hands if they fit; for two players only. Returns their number. */
static int every_hand(const struct view *v, struct belief *b)
{
    int other = v->seat == 0 ? 1 : 0, size = v->hand_size[other], of = set_count(b->unseen), n = 0;
    uint8_t card[N_CARDS];
    double ways = 1;
    for (int i = 0; i < size; i++)
        ways = ways * (of - i) / (i + 1);
    if (v->players != 2 || ways > N_HANDS)
        return 0;
    for (cardset s = b->unseen; s; s = set_rest(s))
        card[n++] = (uint8_t)set_first(s);
    uint64_t pick = ((uint64_t)1 << size) - 1; /* every subset of `size`, by its bits */
    for (n = 0; n < (int)(ways + 0.5); n++) {
        b->hand[n][v->seat] = v->hand;
        b->hand[n][other] = 0;
        for (uint64_t p = pick; p; p &= p - 1)
            b->hand[n][other] |= CARD(card[__builtin_ctzll(p)]);
        uint64_t low = pick & -pick, up = pick + low;
        pick = low ? (((pick ^ up) >> 2) / low) | up : 0;
    }
    return n;
}

static void chance_hands(const struct view *v, cardset unseen, struct rng *rng, cardset *ret)
{
    for (int s = 0; s < v->players; s++) {
        ret[s] = s == v->seat ? v->hand : 0;
        for (int k = s == v->seat ? 0 : v->hand_size[s]; k > 0; k--) {
            unsigned place = rng_below(rng_next(rng), (unsigned)set_count(unseen));
            cardset from = unseen;
            for (; place > 0; place--)
                from = set_rest(from);
            ret[s] |= from & -from;
            unseen &= ~(from & -from);
        }
    }
}

struct match_value match_value_of(const struct view *v)
{
    int rounds = v->rules.rounds > v->round_no ? v->rules.rounds - v->round_no : 0;
    struct match_value ret = {.net = NULL};
    if (v->players != 2 || v->rules.scoring != SCORING_POINTS)
        return ret;
    ret.net = value_net_for(net_rules_hash(&v->rules));
    for (int s = 0; s < 2; s++)
        ret.context[s] = value_context(rounds, v->scores[s] - v->scores[1 - s]);
    return ret;
}

/* Adds what a play or a call makes likely to the log-likelihoods of all hands, by style. */
static void heed(const struct ruleset *g, const struct view *v, const struct match_value *value,
                 const struct call_net *calls, const struct moment *m, const struct belief *b,
                 float (*sum)[N_STYLES])
{
    struct round r = round_then(v, m);
    float more[N_STYLES];
    for (int i = 0; i < b->n; i++) {
        r.hand[m->seat] = b->hand[i][m->seat] | m->played_since;
        if (m->call) {
            /* a call without a card says nothing of the hand */
            bool says = calls != NULL && r.hand[m->seat] != 0;
            float by_all = says ? plays_log_chance_of_call(call_gain(calls, g, &r)) : 0;
            for (int s = 0; s < N_STYLES; s++)
                more[s] = by_all;
        } else {
            log_chance(g, value, m, &r, more);
        }
        for (int s = 0; s < N_STYLES; s++)
            sum[i][s] += more[s];
    }
}

/* Logarithm of the mean of exponentials. */
static float log_of_mean(const float *x)
{
    double most = (double)x[0], sum = 0;
    for (int s = 1; s < N_STYLES; s++)
        most = (double)x[s] > most ? (double)x[s] : most;
    for (int s = 0; s < N_STYLES; s++)
        sum += exact_exp((double)x[s] - most);
    return (float)(most + exact_log(sum / N_STYLES));
}

void belief_make(const struct ruleset *g, const struct view *v, float inference, struct rng *rng,
                 struct belief *ret)
{
    struct moment seen[MAX_SEEN];
    int n_seen = inference > 0 ? moments(v, seen) : 0;
    const struct call_net *calls = n_seen > 0 ? call_net_for(g, v->players) : NULL;
    const struct match_value value =
        n_seen > 0 ? match_value_of(v) : (struct match_value){.net = NULL};
    float log_chances[N_HANDS][N_STYLES] = {{0}}, most = -1e30f, sum = 0;
    ret->unseen = ALL_CARDS & ~(v->hand | v->field | (v->drawn < N_CARDS ? CARD(v->drawn) : 0));
    for (int s = 0; s < v->players; s++)
        ret->unseen &= ~v->taken[s];
    ret->n = every_hand(v, ret);
    ret->whole = ret->n > 0;
    if (!ret->whole)
        for (; ret->n < (inference > 0 ? N_HANDS : FEW_HANDS); ret->n++)
            chance_hands(v, ret->unseen, rng, ret->hand[ret->n]);
    for (int k = 0; k < n_seen; k++)
        heed(g, v, &value, calls, &seen[k], ret, log_chances);
    for (int i = 0; i < ret->n; i++) {
        ret->upto[i] = inference * log_of_mean(log_chances[i]);
        most = ret->upto[i] > most ? ret->upto[i] : most;
    }
    for (int i = 0; i < ret->n; i++)
        ret->upto[i] = sum += (float)exact_exp(ret->upto[i] - most);
    for (int i = 0; i < ret->n; i++)
        ret->upto[i] /= sum;
    ret->upto[ret->n - 1] = 1;
}

/* ---- Worlds ---------------------------------------------------------------------------------- */

static int hand_at(const struct belief *b, float fraction)
{
    int low = 0, high = b->n - 1;
    while (low < high) {
        int mid = (low + high) / 2;
        if (b->upto[mid] > fraction)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

void world_draw(const struct view *v, const struct belief *b, float fraction, struct rng *rng,
                struct round *ret)
{
    const cardset *hands = b->hand[hand_at(b, fraction)];
    cardset stock = b->unseen;
    int n = 0;
    memset(ret, 0, sizeof *ret);
    ret->phase = v->phase;
    ret->turn = v->turn;
    ret->players = v->players;
    ret->dealer = v->dealer;
    ret->drawn = v->drawn;
    ret->void_by = -1;
    ret->table_brights = v->table_brights;
    ret->field = v->field;
    for (int s = 0; s < v->players; s++) {
        ret->hand[s] = hands[s];
        ret->taken[s] = v->taken[s];
        ret->played[s] = v->played[s];
        ret->koikoi[s] = v->koikoi[s];
        ret->last_decision[s] = v->last_decision[s];
        if (s != v->seat)
            stock &= ~hands[s];
    }
    for (int i = 0; i < v->n_legal; i++)
        ret->may_redeal[v->seat] |= v->legal[i].kind == MOVE_REDEAL;
    ret->n_seen = v->n_seen;
    ret->next = (uint8_t)(N_CARDS - v->stock_size);
    uint8_t *deck = ret->deck + ret->next;
    for (; stock; stock = set_rest(stock))
        deck[n++] = (uint8_t)set_first(stock);
    rng_shuffle(rng, deck, n);
}
