/* A rule set as plain data: every knob, no code. README.md of this folder says what each means.
 *
 * Calling sequence: fill `struct rules` (the shell does it from JSON), rules_check() once, then
 * ruleset_make() once; every other engine function takes the `struct ruleset`, never changes it,
 * and can share it among any number of rounds and threads.
 */
#ifndef KOIKOI_RULES_H
#define KOIKOI_RULES_H

#include "card.h"

enum { MAX_PLAYERS = 3, MIN_PLAYERS = 2, MAX_ROUNDS = 48, MAX_ROUND_CHOICES = 8, MAX_WORTH = 100,
       MAX_PURSE = 10000, RULES_NAME_SIZE = 32, RULES_WORD_SIZE = 24 };

/* The order names the bright yaku that counts when two are worth the same. */
enum yaku { YAKU_GOKO, YAKU_SHIKO, YAKU_AME_SHIKO, YAKU_SANKO, YAKU_TSUKIMI, YAKU_HANAMI,
            YAKU_INOSHIKACHO, YAKU_AKATAN, YAKU_AOTAN, YAKU_TANE, YAKU_TANZAKU, YAKU_KASU,
            YAKU_HIKI, N_YAKU };
enum hand_yaku { HAND_NONE, HAND_DOUBLE_FOUR, HAND_FOUR, HAND_PAIRS, N_HAND_YAKU };

enum scoring { SCORING_COINS, SCORING_POINTS };
enum deal_order { DEAL_OTHERS_DEALER_TABLE, DEAL_PLAYERS_TABLE, DEAL_DEALER_OTHERS_TABLE };
enum first_dealer { FIRST_LOTS, FIRST_CHALLENGER, FIRST_RANDOM };
enum tie_break { TIE_NONE, TIE_EXTRA_ROUND };
enum table_four { TABLE_FOUR_REDEAL, TABLE_FOUR_KEEP };
enum hand_four { HAND_FOUR_NONE, HAND_FOUR_MAY_REDEAL };
enum claim { CLAIM_DECLARED, CLAIM_AUTOMATIC };
enum capture { CAPTURE_FORCED, CAPTURE_OPTIONAL };
enum exhausted { EXHAUSTED_DRAW, EXHAUSTED_OYA_KAN };
enum doubling { DOUBLING_NONE, DOUBLING_ONCE, DOUBLING_EACH, DOUBLING_PLUS_ONE_EACH };
enum rain { RAIN_NONE, RAIN_RAINMAN, RAIN_RAINMAN_OR_LIGHTNING };
/* Where the deal puts a card; 0 is the dealer, 1 and 2 the seats after the dealer. */
enum slot { SLOT_TABLE = MAX_PLAYERS, SLOT_STOCK };

enum trio_extra { TRIO_NONE, TRIO_ADD, TRIO_ABSORB };

struct rules {
    char    name[RULES_NAME_SIZE];
    uint8_t players_allowed;                    /* bit n: n players may sit down */
    uint8_t rounds;                             /* the number chosen, 1 ... MAX_ROUNDS */
    uint8_t n_rounds_allowed, rounds_allowed[MAX_ROUND_CHOICES];
    uint8_t scoring;                            /* enum scoring */
    bool    has_purse;
    uint8_t n_purse, purse_rounds[MAX_ROUND_CHOICES];   /* purse[i] for purse_rounds[i] rounds */
    int16_t purse[MAX_ROUND_CHOICES];
    /* by number of players; 0 = not given */
    uint8_t hand[MAX_PLAYERS + 1], table[MAX_PLAYERS + 1];
    uint8_t deal_packet, deal_order, first_dealer, tie_break, table_four, hand_four;
    bool    has_hand_yaku;
    uint8_t hand_yaku[N_HAND_YAKU];             /* worth by enum hand_yaku; 0 = off */
    uint8_t claim;                              /* enum claim */
    bool    hand_yaku_multiplied;
    uint8_t capture;
    bool    wild_lightning;
    uint8_t exhausted;
    bool    has_seven_plus;
    uint8_t seven_points, seven_min_yaku, seven_x;
    uint8_t own_koikoi, opponent_koikoi, any_koikoi;         /* enum doubling */
    bool    table_brights;
    uint8_t yaku[N_YAKU];                       /* worth; 0 = off */
    uint8_t rain_cancels, viewing_both;
    bool    viewing_with_brights;
    bool    sake_is_plain;
    uint8_t trio_extra;
    char    words[RULES_WORD_SIZE], deck[RULES_WORD_SIZE];
};

/* Checks ranges and what must fit together. NULL if good, else the name of the first offending
 * field as FORMATS writes it ("multipliers.seven_plus.x"), a constant. */
const char *rules_check(const struct rules *r);

/* What a seat starts the match with: the purse for the rounds chosen, else 0. */
int rules_start_score(const struct rules *r);

/* `struct rules` and the tables made from it for speed. About 5 kB, flat, copyable. All but
 * `rules` is the engine's own: pile.h says how the tables are read. */
struct ruleset {
    struct rules rules;
    /* a card takes in its own month, and must: no list of takes needed */
    bool     forced_own_month;
    bool     base_decides;            /* a yaku is new or dearer exactly where the base has grown */
    bool     rest_decides;  /* the same but for brights and viewings, which rain may end */
    bool     bmi2;                    /* how tables are read: pile.h */
    uint8_t  hiki;
    cardset  plains;                  /* what counts as a plain */
    cardset  wild;                    /* Lightning where it is wild, else nothing */
    uint16_t plain_value[16][32], bright_value[128], animal_value[512], ribbon_value[1024];
    /* plain_value: by whole months, 0 where they count for nothing, and by plains */
    uint64_t bright_parts[128];       /* what bright_value adds up, apart: pile_parts_by() */
    /* By players: where in the deck the dealer's hand comes from, then that of each seat after,
     * then the table. */
    uint8_t  place[MAX_PLAYERS + 1][N_CARDS];
};

/* Who gets deck[i]: 0 the dealer, 1 and 2 the seats after the dealer, SLOT_TABLE, SLOT_STOCK. */
void deal_slots(const struct rules *r, int players, uint8_t ret[static N_CARDS]);

/* r must have passed rules_check(). */
void ruleset_make(const struct rules *r, struct ruleset *ret);
/* With the way of reading tables chosen by the caller, where the machine leaves a choice: true
 * needs bits_are_fast(). No answer of the engine depends on it. */
void ruleset_make_by(bool bmi2, const struct rules *r, struct ruleset *ret);

const char *yaku_key(enum yaku y);              /* "goko" ... "hiki" */
const char *hand_yaku_key(enum hand_yaku h);    /* "four" "pairs" "double_four" */

#endif
