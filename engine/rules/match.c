/* See match.h. */
#include "match.h"
#include "capture.h"

#include <assert.h>
#include <string.h>

void match_start(const struct rules *r, int players, int dealer, struct match *ret)
{
    memset(ret, 0, sizeof *ret);
    ret->stage = MATCH_READY;
    ret->players = (uint8_t)players;
    ret->round_no = ret->attempt = 1;
    ret->dealer = (uint8_t)dealer;
    ret->winner = -1;
    for (int p = 0; p < players; p++)
        ret->scores[p] = rules_start_score(r);
}

int match_leader(const struct match *m, unsigned seats)
{
    int best = -1;
    bool alone = false;
    for (int p = 0; p < m->players; p++) {
        if ((seats >> p & 1) == 0)
            continue;
        if (best < 0 || m->scores[p] > m->scores[best]) {
            best = p;
            alone = true;
        } else if (m->scores[p] == m->scores[best]) {
            alone = false;
        }
    }
    return alone ? best : -1;
}

unsigned match_contenders(const struct match *m)
{
    return ((1u << m->players) - 1) & ~(unsigned)m->gone;
}

static void end_match(struct match *m, enum match_why why, int winner)
{
    m->stage = MATCH_OVER;
    m->why = (uint8_t)why;
    m->winner = (int8_t)winner;
}

/* Transfers the points, capped by the loser's purse where coins change hands. */
static void settle(const struct rules *r, struct match *m)
{
    int winner = m->last.winner;
    if (winner < 0)
        return;
    if (r->scoring == SCORING_COINS) {
        int loser = 1 - winner;
        if (m->last.points > m->scores[loser])
            m->last.points = m->scores[loser];
        m->scores[loser] -= m->last.points;
    }
    m->scores[winner] += m->last.points;
    m->rounds_won[winner]++;
}

int match_next_dealer(const struct rules *r, int players, int dealer, int winner)
{
    if (winner >= 0)
        return winner;
    return r->drawn_dealer == DRAWN_CHANGES ? (dealer + 1) % players : dealer;
}

/* Follows up every deal and move: a void deal is dealt again, a finished round counted. */
static void advance(const struct rules *r, struct match *m)
{
    if (m->round.phase != PHASE_OVER)
        return;
    m->stage = MATCH_READY;
    if (m->round.void_why != VOID_NONE) {
        m->attempt++;
        return;
    }
    m->last = m->round.result;
    settle(r, m);
    int first = match_leader(m, match_contenders(m));
    bool extra = r->tie_break == TIE_EXTRA_ROUND && first < 0 && m->round_no < LAST_ROUND;
    if (r->scoring == SCORING_COINS && (m->scores[0] == 0 || m->scores[1] == 0)) {
        end_match(m, MATCH_BANKRUPT, first);
    } else if (m->round_no < r->rounds || extra) {
        m->dealer = (uint8_t)match_next_dealer(r, m->players, m->dealer, m->last.winner);
        m->round_no++;
        m->attempt = 1;
    } else {
        end_match(m, MATCH_ROUNDS, first);
    }
}

void match_deal(const struct ruleset *g, struct match *m, const uint8_t deck[static N_CARDS],
                struct round_log *ret_log)
{
    assert(m->stage == MATCH_READY);
    struct ruleset room;
    g = ruleset_in_round(g, m->round_no, &room);
    round_deal(g, m->players, m->dealer, deck, &m->round, ret_log);
    m->stage = MATCH_PLAYING;
    advance(&g->rules, m);
}

enum illegal match_apply(const struct ruleset *g, struct match *m, int seat, struct move mv,
                         struct round_log *ret_log)
{
    if (m->stage != MATCH_PLAYING)
        return ILLEGAL_OVER;
    if (mv.kind == MOVE_RESIGN) {
        match_leave(g, m, seat, ret_log);
        return LEGAL;
    }
    struct ruleset room;
    g = ruleset_in_round(g, m->round_no, &room);
    enum illegal no = round_apply(g, &m->round, seat, mv, ret_log);
    if (no == LEGAL)
        advance(&g->rules, m);
    return no;
}

int match_dealt_round(const struct match *m)
{
    bool left = m->why == MATCH_LEAVE || m->why == MATCH_AGREED;
    bool between = m->stage == MATCH_READY || (left && m->last.why != WHY_LEAVE);
    return between && m->attempt == 1 && m->round_no > 1 ? m->round_no - 1 : m->round_no;
}

/* Breaks off a running round, which pays nothing. */
static void break_off(const struct ruleset *g, struct match *m, int seat, struct round_log *ret_log)
{
    round_apply(g, &m->round, seat, (struct move){.kind = MOVE_RESIGN, .card = CARD_NONE}, ret_log);
    m->last = m->round.result;
}

void match_leave(const struct ruleset *g, struct match *m, int seat, struct round_log *ret_log)
{
    assert(m->stage != MATCH_OVER);
    round_log_one(ret_log, LOG_LEAVE, seat, 0);
    if (m->stage == MATCH_PLAYING)
        break_off(g, m, seat, ret_log);
    end_match(m, MATCH_LEAVE, match_leader(m, match_contenders(m) & ~(1u << seat)));
}

void match_go_on(struct match *m, int seat, struct round_log *ret_log)
{
    assert(m->stage != MATCH_OVER && m->players == 3 && m->gone == 0);
    m->gone = (uint8_t)(1u << seat);
    round_log_one(ret_log, LOG_LEAVE, seat, 1);
}

void match_agree(const struct ruleset *g, struct match *m, int seat, struct round_log *ret_log)
{
    assert(m->stage != MATCH_OVER);
    bool running = m->stage == MATCH_PLAYING;
    if (running)
        break_off(g, m, seat, ret_log);
    if (!running || ret_log == NULL)
        round_log_one(ret_log, LOG_AGREE, seat, 0);
    else
        ret_log->at[0].kind = LOG_AGREE;
    end_match(m, MATCH_AGREED, -1);
}

bool match_take_back(const struct ruleset *g, struct match *m, int seat, int n_seen,
                     struct round_log *ret_log)
{
    int lines = m->round.n_seen - n_seen;
    assert(m->stage == MATCH_PLAYING);
    struct ruleset room;
    if (!round_rewind(ruleset_in_round(g, m->round_no, &room), &m->round, n_seen))
        return false;
    round_log_one(ret_log, LOG_TAKEBACK, seat, lines);
    return true;
}

/* ---- Lots ------------------------------------------------------------------------------------ */

/* Precedence of lots: the earlier month, then the card of more points. */
static int lot_rank(int card)
{
    return card_month(card) * 32 - card_points(card);
}

void lots_draw(const uint8_t deck[static N_CARDS], int players,
               uint8_t ret_order[static MAX_PLAYERS], uint8_t ret_lots[static MAX_PLAYERS])
{
    uint8_t lot[MAX_PLAYERS], order[MAX_PLAYERS] = {0};
    int next = players;
    bool tied = true;
    memcpy(lot, deck, (size_t)players);
    while (tied) {
        bool again[MAX_PLAYERS] = {false};
        tied = false;
        for (int i = 0; i < players; i++)
            for (int j = 0; j < players; j++)
                again[i] = again[i] || (i != j && lot_rank(lot[i]) == lot_rank(lot[j]));
        for (int i = 0; i < players; i++)
            if (again[i]) {
                lot[i] = deck[next++];
                tied = true;
            }
    }
    for (int i = 0; i < players; i++) {
        int seat = 0;
        for (int j = 0; j < players; j++)
            seat += lot_rank(lot[j]) < lot_rank(lot[i]);
        order[seat] = (uint8_t)i;
    }
    for (int s = 0; s < players; s++) {
        ret_order[s] = order[s];
        ret_lots[s] = lot[order[s]];
    }
}
