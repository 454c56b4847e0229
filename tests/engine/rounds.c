/* See rounds.h. */
#include "rounds.h"
#include "test.h"

#include "notation.h"
#include "presets.h"
#include "table.h"

#include <string.h>

const char *const calm0 = "1b 2a 3b 4a 5a 6a 7a 8a", *const calm1 = "1r 2r 3r 4r 5r 6r 7r 8b";

struct rules wild(void)
{
    struct rules r = presets[PRESET_MONGOLOPEDIA];
    r.has_hand_yaku = false;
    memset(r.hand_yaku, 0, sizeof r.hand_yaku);
    r.claim = CLAIM_DECLARED;
    return r;
}

struct round dealt(const struct ruleset *g, const char *hand0, const char *hand1, const char *table,
                   const char *stock)
{
    uint8_t deck[N_CARDS];
    struct round r;
    deck_of(&g->rules, 2, 0, (const char *const[]){hand0, hand1}, table, stock, deck);
    round_deal(g, 2, 0, deck, &r, NULL);
    return r;
}

struct round dealt3(const struct ruleset *g, const char *const *hands, const char *table,
                    const char *stock)
{
    uint8_t deck[N_CARDS];
    struct round r;
    deck_of(&g->rules, 3, 0, hands, table, stock, deck);
    round_deal(g, 3, 0, deck, &r, NULL);
    return r;
}

enum illegal does(const struct ruleset *g, struct round *r, const char *move)
{
    struct round before = *r;
    enum illegal no = round_apply(g, r, r->turn, move_of(move), NULL);
    if (no != LEGAL)
        assert_memory_equal(&before, r, sizeof before);
    return no;
}

void plays(const struct ruleset *g, struct round *r, const char *moves)
{
    char move[NOTATION_MOVE_MAX];
    for (size_t n; *moves; moves += n + (moves[n] == ' ')) {
        n = strcspn(moves, " ");
        memcpy(move, moves, n);
        move[n] = '\0';
        assert_same(does(g, r, move), LEGAL, move);
    }
}

bool is_legal(const struct ruleset *g, const struct round *r, int seat, const char *move)
{
    struct move moves[MAX_MOVES], want = move_of(move);
    for (int n = round_legal(g, r, seat, moves); n > 0; n--)
        if (moves[n - 1].kind == want.kind && moves[n - 1].card == want.card &&
            moves[n - 1].take == want.take)
            return true;
    return false;
}

int count_legal(const struct ruleset *g, const struct round *r)
{
    struct move moves[MAX_MOVES];
    return round_legal(g, r, r->turn, moves);
}

void deal_next(const struct ruleset *g, struct match *m, struct rng *c)
{
    uint8_t deck[N_CARDS];
    shuffle(c, deck);
    match_deal(g, m, deck, NULL);
}

void logged(const struct round_log *log, int n, ...)
{
    va_list kinds;
    assert_int_equal(log->n, n);
    va_start(kinds, n);
    for (int i = 0; i < n; i++)
        assert_int_equal(log->at[i].kind, va_arg(kinds, int));
    va_end(kinds);
}

void ended(const struct round_result *r, enum round_why why, int winner, int points)
{
    assert_int_equal(r->why, why);
    assert_int_equal(r->winner, winner);
    assert_int_equal(r->points, points);
}
