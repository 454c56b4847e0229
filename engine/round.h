/* One deal, from the first packet to its end. A flat value: copy it to branch, compare it, save it.
 *
 *     round_deal(g, players, dealer, deck, &r)          may be void or over at once: look at phase
 *     while (r.phase != PHASE_OVER) {
 *         n = round_legal(g, &r, seat, moves);           the moves of the seat to move (r.turn)
 *         round_apply(g, &r, seat, moves[i], &log);
 *     }
 *     r.result, r.void_why
 *
 * No move needs chance: the deck was shuffled before. Nothing here prints, waits or allocates.
 */
#ifndef KOIKOI_ROUND_H
#define KOIKOI_ROUND_H

#include "score.h"

enum phase { PHASE_HAND, PHASE_DRAW, PHASE_DECIDE, PHASE_OVER };
enum void_why { VOID_NONE, VOID_TABLE_FOUR, VOID_HAND_FOUR };
enum move_kind { MOVE_PLAY, MOVE_CHOOSE, MOVE_KOIKOI, MOVE_STOP, MOVE_DECLARE, MOVE_REDEAL,
                 MOVE_RESIGN };
enum { MAX_MOVES = 128, MAX_LOG = 8, MAX_SEEN = 96 };

struct move {
    uint8_t kind;                 /* enum move_kind */
    uint8_t card;  /* MOVE_PLAY: the hand card; MOVE_CHOOSE: the drawn card; else CARD_NONE */
    cardset take;                 /* field cards taken; 0 = lay down */
};

/* What has been seen by everyone, oldest first: 3 bytes an entry, for the computer player's
 * inference. */
enum seen_kind { SEEN_PLAY, SEEN_DRAW, SEEN_KOIKOI };
/* seat << 4 | kind; took: see seen_take */
struct seen { uint8_t seat_kind; uint8_t card; uint8_t took; };

struct round {
    uint8_t phase, turn, players, dealer;
    uint8_t next;  /* index in deck of the next stock card; stock size is 48 - next */
    uint8_t drawn;                /* PHASE_DRAW: the card waiting for a choice, else CARD_NONE */
    uint8_t void_why;             /* enum void_why */
    int8_t  void_by;              /* seat that called it (hand_four), else -1 */
    uint8_t table_brights;        /* dry brights dealt to the table */
    bool    may_redeal[MAX_PLAYERS];     /* four of a month in the dealt hand, no card played yet */
    bool    played[MAX_PLAYERS];  /* has played a first hand card */
    bool    declared;             /* the hand yaku that won was declared, not automatic */
    uint8_t koikoi[MAX_PLAYERS];  /* calls in this round */
    cardset hand[MAX_PLAYERS], taken[MAX_PLAYERS], field;
    uint8_t deck[N_CARDS];        /* the whole order; dealt cards first */
    struct score last_decision[MAX_PLAYERS];  /* counted yaku at the last koi-koi; all 0 = never */
    /* pile at the last koi-koi; 0 = never or not known: asked for speed only */
    cardset decided[MAX_PLAYERS];
    struct round_result result;   /* all 0 while it runs */
    uint8_t n_seen;
    struct seen seen[MAX_SEEN];
};

/* The cards an entry took: seen.took has a bit for each place of the card's own month, or is 16
 * + the one card of another month that Lightning took or that took Lightning. */
static inline cardset seen_take(struct seen s)
{
    return s.took >= 16 ? CARD(s.took - 16) : (cardset)s.took << (s.card & ~3);
}

/* What happened, as the record writes it: a turn is at most play, draw, end. */
enum log_kind { LOG_VOID, LOG_PLAY, LOG_DRAW, LOG_DECIDE, LOG_DECLARE, LOG_LEAVE, LOG_END };
struct log_line {
    uint8_t kind;                 /* enum log_kind */
    int8_t  seat;
    uint8_t card;                 /* LOG_PLAY, LOG_DRAW */
    /* LOG_DECIDE: enum move_kind; LOG_DECLARE: enum hand_yaku; LOG_VOID: enum void_why */
    uint8_t what;
    cardset take;
    struct score score;           /* LOG_DECIDE: the counted yaku at that moment */
};
struct round_log { uint8_t n; struct log_line at[MAX_LOG]; };

/* Why a move was refused. Nothing changed. */
enum illegal { LEGAL, ILLEGAL_OVER, ILLEGAL_NOT_YOUR_TURN, ILLEGAL_PHASE, ILLEGAL_NOT_IN_HAND,
               ILLEGAL_TAKE, ILLEGAL_MUST_CHOOSE, ILLEGAL_NO_HAND_YAKU, ILLEGAL_NO_REDEAL };

/* Where the cards go: hands and table in the order dealt (README.md, "Round"). Any ret_ may be
 * NULL. */
void deal_order(const struct rules *r, int players, int dealer, const uint8_t deck[static N_CARDS],
                uint8_t ret_hands[MAX_PLAYERS][N_CARDS], uint8_t ret_table[N_CARDS]);

/* deck: a permutation of 0 ... 47, dealt from deck[0] upward. ret_log (NULL: not wanted) gets
 * LOG_VOID or LOG_END if the deal is over at once. */
void round_deal(const struct ruleset *g, int players, int dealer,
                const uint8_t deck[static N_CARDS],
                struct round *ret, struct round_log *ret_log);

/* Legal moves of one seat: all of them if it is to move, a redeal it may call if not; never a
 * resign. Order: declare, redeal, then plays by card and take as round_takes() has them;
 * koi-koi, stop. Returns how many. */
int round_legal(const struct ruleset *g, const struct round *r, int seat,
                struct move ret[static MAX_MOVES]);

/* Makes a move; ret_log (NULL: not wanted) gets its lines. The draw after a play resolves by
 * itself unless it needs a choice. MOVE_RESIGN is legal for any seat until the round is over and
 * ends it with WHY_LEAVE. */
enum illegal round_apply(const struct ruleset *g, struct round *r, int seat, struct move m,
                         struct round_log *ret_log);

/* A move with its `take` left out (take_given false): filled in where there is one answer. */
enum illegal round_complete(const struct ruleset *g, const struct round *r, int seat,
                            bool take_given,
                            struct move *m);

/* The ways `card` could go onto `field` from the hand (or from the stock if drawn): each a set
 * of taken cards, by their first card; 0 = lay down, last. At most N_CARDS. Also used to show
 * players what a card would take. */
int round_takes(const struct rules *r, cardset field, int card, bool drawn,
                cardset ret[static N_CARDS]);

#endif
