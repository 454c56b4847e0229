/* Round: one deal, from the first packet to its end. A flat value: copy it to branch, compare it,
 * save it.
 *
 *     round_deal(g, players, dealer, deck, &r)          may be void or over at once: look at phase
 *     while (r.phase != PHASE_OVER) {
 *         n = round_legal(g, &r, seat, moves);           the moves of the seat to move (r.turn)
 *         round_apply(g, &r, seat, moves[i], &log);
 *     }
 *     r.result, r.void_why
 *
 * No move needs randomness: the deck is shuffled before. No function prints, waits or allocates.
 */
#ifndef KOIKOI_ROUND_H
#define KOIKOI_ROUND_H

#include "score.h"

enum phase { PHASE_HAND, PHASE_DRAW, PHASE_DECIDE, PHASE_OVER };
enum void_why { VOID_NONE, VOID_TABLE_FOUR, VOID_HAND_FOUR };
enum move_kind {
    MOVE_PLAY,
    MOVE_CHOOSE,
    MOVE_KOIKOI,
    MOVE_STOP,
    MOVE_DECLARE,
    MOVE_REDEAL,
    MOVE_RESIGN
};
enum { MAX_MOVES = 128, MAX_LOG = 8, MAX_SEEN = 96 };

struct move {
    uint8_t kind; /* enum move_kind */
    uint8_t card; /* MOVE_PLAY: the hand card; MOVE_CHOOSE: the drawn card; else CARD_NONE */
    cardset take; /* captured field cards; 0 = laid down */
};

/* Public moves, oldest first, 3 bytes each, for the computer player's inference. */
enum seen_kind { SEEN_PLAY, SEEN_DRAW, SEEN_KOIKOI };
/* seat << 4 | kind; took: see seen_take */
struct seen {
    uint8_t seat_kind;
    uint8_t card;
    uint8_t took;
};

struct round {
    uint8_t phase, turn, players, dealer;
    uint8_t next;          /* index in deck of the next stock card; the stock has 48 - next cards */
    uint8_t drawn;         /* PHASE_DRAW: the card that waits for a choice, else CARD_NONE */
    uint8_t void_why;      /* enum void_why */
    int8_t void_by;        /* seat that was dealt the four (hand_four), else -1 */
    uint8_t table_brights; /* dry brights dealt to the table */
    bool may_redeal[MAX_PLAYERS]; /* four of a month in the dealt hand, before its first card */
    bool played[MAX_PLAYERS];     /* has played its first hand card */
    bool declared;                /* the winning hand yaku was declared, not automatic */
    uint8_t koikoi[MAX_PLAYERS];  /* calls in this round */
    cardset hand[MAX_PLAYERS], taken[MAX_PLAYERS], field;
    uint8_t deck[N_CARDS]; /* the whole deck; dealt cards first */
    /* counted yaku after the last koi-koi, as that call made them worth; all 0 = never */
    struct score last_decision[MAX_PLAYERS];
    /* pile at the last koi-koi; 0 = never or unknown; used for speed only */
    cardset decided[MAX_PLAYERS];
    struct round_result result; /* all 0 while it runs */
    uint8_t n_seen;
    struct seen seen[MAX_SEEN];
};

/* Captured cards of an entry: seen.took has a bit for each place of the card's own month, or is 16
 * + the one card of another month that Lightning captured or that captured Lightning. */
static inline cardset seen_take(struct seen s)
{
    return s.took >= 16 ? CARD(s.took - 16) : (cardset)s.took << (s.card & ~3);
}

/* Events as the record writes them: a turn has at most play, draw, end. */
enum log_kind {
    LOG_VOID,
    LOG_PLAY,
    LOG_DRAW,
    LOG_DECIDE,
    LOG_DECLARE,
    LOG_LEAVE,
    LOG_END,
    LOG_AGREE,   /* the players agree to a draw */
    LOG_TAKEBACK /* the last lines of the deal do not count */
};
struct log_line {
    uint8_t kind; /* enum log_kind */
    int8_t seat;
    uint8_t card; /* LOG_PLAY, LOG_DRAW */
    /* LOG_DECIDE: enum move_kind; LOG_DECLARE: enum hand_yaku; LOG_VOID: enum void_why;
     * LOG_LEAVE: 1 if the others play on; LOG_TAKEBACK: how many lines */
    uint8_t what;
    cardset take;
    struct score score; /* LOG_DECIDE: the counted yaku at that moment */
};
struct round_log {
    uint8_t n;
    struct log_line at[MAX_LOG];
};

/* Reason of a refused move, which changed nothing. */
enum illegal {
    LEGAL,
    ILLEGAL_OVER,
    ILLEGAL_NOT_YOUR_TURN,
    ILLEGAL_PHASE,
    ILLEGAL_NOT_IN_HAND,
    ILLEGAL_TAKE,
    ILLEGAL_MUST_CHOOSE,
    ILLEGAL_NO_HAND_YAKU,
    ILLEGAL_NO_REDEAL,
    ILLEGAL_NO_CALL
};

/* Destinations of the cards: hands and table in the order of the deal (README.md, "Round"). Any
 * ret_ may be NULL. */
void deal_order(const struct rules *r, int players, int dealer, const uint8_t deck[static N_CARDS],
                uint8_t ret_hands[MAX_PLAYERS][N_CARDS], uint8_t ret_table[N_CARDS]);

/* deck: a permutation of 0 ... 47, dealt from deck[0] upward. ret_log (may be NULL) gets LOG_VOID
 * or LOG_END if the deal is over at once. */
void round_deal(const struct ruleset *g, int players, int dealer,
                const uint8_t deck[static N_CARDS], struct round *ret, struct round_log *ret_log);

/* Lists the legal moves of one seat: all if it is to move, a possible redeal if not; never a
 * resignation. Order: declare, redeal, plays by card and capture as in round_takes(); koi-koi
 * (while koikoi_limit allows), stop. Returns their number. */
int round_legal(const struct ruleset *g, const struct round *r, int seat,
                struct move ret[static MAX_MOVES]);

/* Makes a move; ret_log (may be NULL) gets its events. The draw after a play resolves by itself
 * unless it needs a choice. MOVE_RESIGN is legal for any seat until the round is over and ends it
 * with WHY_LEAVE. */
enum illegal round_apply(const struct ruleset *g, struct round *r, int seat, struct move m,
                         struct round_log *ret_log);

/* Completes a move without its `take` (take_given false) if only one capture is possible. */
enum illegal round_complete(const struct ruleset *g, const struct round *r, int seat,
                            bool take_given, struct move *m);

/* The ways to play `card` onto `field` from the hand (or from the stock if drawn): each a set of
 * captured cards, ordered by their first card; 0 = laid down, last. At most N_CARDS. Also used to
 * show players the captures of a card. */
int round_takes(const struct rules *r, cardset field, int card, bool drawn,
                cardset ret[static N_CARDS]);

#endif
