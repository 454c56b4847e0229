/* See selfplay.h: one match. */
#include "selfplay.h"

#include "record.h"

/* splitmix64. */
static uint64_t mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static struct seed fresh_seed(uint64_t *state)
{
    struct seed s;
    for (int i = 0; i < SEED_SIZE; i += 8) {
        uint64_t v = mix(state);
        memcpy(s.at + i, &v, 8);
    }
    return s;
}

/* Round 0: the seats. */
static void take_seats(const struct selfplay *s, uint64_t *state, struct record_head *ret)
{
    uint8_t deck[N_CARDS];
    *ret = (struct record_head){
        .id = s->id, .rules = s->rules, .players = s->players, .seed = fresh_seed(state)};
    for (int i = 0; i < s->players; i++)
        ret->clients[i] = s->names[i];
    chance_shuffle(&ret->seed, s->id, 0, 1, s->players, ret->clients, NO_BEACON, deck);
    chance_seats((enum first_dealer)s->rules->first_dealer, s->players, deck, &ret->seats);
    for (int p = 0; p < s->players; p++)
        ret->names[p] = s->names[ret->seats.joined[p]];
}

/* The deal that m waits for. */
static void shuffle(const struct record_head *h, const struct match *m, uint64_t *state,
                    struct record_deal *ret, uint8_t ret_deck[static N_CARDS])
{
    *ret = (struct record_deal){.round = m->round_no,
                                .attempt = m->attempt,
                                .dealer = m->dealer,
                                .players = m->players,
                                .seed = fresh_seed(state),
                                .deck = ret_deck};
    for (int p = 0; p < m->players; p++)
        ret->clients[p] = h->names[p];
    chance_shuffle(&ret->seed, h->id, ret->round, ret->attempt, m->players, ret->clients, NO_BEACON,
                   ret_deck);
}

static void play_deal(const struct selfplay *s, const struct ruleset *g,
                      const struct record_head *h, uint64_t *state, struct match *m,
                      struct buf *record)
{
    struct round_log log = {.n = 0};
    struct record_deal d;
    uint8_t deck[N_CARDS];
    struct view v;
    shuffle(h, m, state, &d, deck);
    record_deal(record, s->rules, &d);
    match_deal(g, m, deck, &log);
    record_log(record, m, &d, &log, LEAVE_RESIGN, false);
    while (m->stage == MATCH_PLAYING) {
        int seat = m->round.turn;
        log.n = 0;
        view_of(g, m, seat, &v);
        enum illegal no =
            match_apply(g, m, seat, s->choose(s->arg, h->seats.joined[seat], &v, mix(state)), &log);
        if (no != LEGAL) { /* a bug of ours */
            fprintf(stderr, "selfplay: %s\n", record_illegal_text(no));
            abort();
        }
        record_log(record, m, &d, &log, LEAVE_RESIGN, false);
    }
}

bool selfplay_match(const struct selfplay *s, struct buf *ret_record, struct match *ret,
                    uint8_t ret_joined[static MAX_PLAYERS])
{
    uint64_t state = s->seed;
    struct record_head head;
    struct ruleset g;
    ruleset_make(s->rules, &g);
    take_seats(s, &state, &head);
    record_match(ret_record, &head);
    match_start(s->rules, s->players, head.seats.dealer, ret);
    while (ret->stage == MATCH_READY)
        play_deal(s, &g, &head, &state, ret, ret_record);
    memcpy(ret_joined, head.seats.joined, MAX_PLAYERS);
    return !ret_record->cut;
}
