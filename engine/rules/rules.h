/* Rule set as plain data. The meaning of each field is in README.md of the engine; its name, range
 * and words are a row in rules_field.c.
 *
 * Calling sequence: fill `struct rules` (from JSON: bot/formats), rules_check() once, then
 * ruleset_make() once. All other engine functions only read the `struct ruleset`, so any number of
 * rounds and threads can share it.
 */
#ifndef KOIKOI_RULES_H
#define KOIKOI_RULES_H

#include "card.h"

enum {
    MAX_PLAYERS = 3,
    MIN_PLAYERS = 2,
    MAX_ROUNDS = 48,
    MAX_ROUND_CHOICES = 8,
    MAX_WORTH = 100,
    MAX_PURSE = 10000,
    MAX_TABLE_REDEALT = 29, /* so one deal in eight stands; of 37 four are always of a month */
    RULES_NAME_SIZE = 32,
    RULES_WORD_SIZE = 24
};

/* The order breaks ties between bright yaku of equal worth. */
enum yaku {
    YAKU_GOKO,
    YAKU_SHIKO,
    YAKU_AME_SHIKO,
    YAKU_SANKO,
    YAKU_TSUKIMI,
    YAKU_HANAMI,
    YAKU_INOSHIKACHO,
    YAKU_AKATAN,
    YAKU_AOTAN,
    YAKU_TANE,
    YAKU_TANZAKU,
    YAKU_KASU,
    YAKU_HIKI,
    N_YAKU
};
enum hand_yaku { HAND_NONE, HAND_DOUBLE_FOUR, HAND_FOUR, HAND_PAIRS, N_HAND_YAKU };

enum scoring { SCORING_COINS, SCORING_POINTS };
enum deal_order { DEAL_OTHERS_DEALER_TABLE, DEAL_PLAYERS_TABLE, DEAL_DEALER_OTHERS_TABLE };
enum first_dealer { FIRST_LOTS, FIRST_CHALLENGER, FIRST_RANDOM };
enum tie_break { TIE_NONE, TIE_EXTRA_ROUND };
enum table_four { TABLE_FOUR_REDEAL, TABLE_FOUR_KEEP };
enum hand_four { HAND_FOUR_NONE, HAND_FOUR_MAY_REDEAL, HAND_FOUR_REDEAL };
enum claim { CLAIM_DECLARED, CLAIM_AUTOMATIC };
enum capture { CAPTURE_FORCED, CAPTURE_OPTIONAL };
enum exhausted { EXHAUSTED_DRAW, EXHAUSTED_OYA_KAN, EXHAUSTED_DEALER_POINT, EXHAUSTED_BEST_YAKU };
enum doubling { DOUBLING_NONE, DOUBLING_ONCE, DOUBLING_EACH, DOUBLING_PLUS_ONE_EACH };
enum drawn_dealer { DRAWN_STAYS, DRAWN_CHANGES };
enum call_bonus { CALL_BONUS_NONE, CALL_BONUS_STEPS };
enum rain { RAIN_NONE, RAIN_RAINMAN, RAIN_RAINMAN_OR_LIGHTNING, RAIN_WILLOW };
enum in_season { IN_SEASON_ANY, IN_SEASON_DOUBLE, IN_SEASON_ONLY };
/* Destination of a card in the deal; 0 is the dealer, 1 and 2 the seats after the dealer. */
enum slot { SLOT_TABLE = MAX_PLAYERS, SLOT_STOCK };

enum trio_extra { TRIO_NONE, TRIO_ADD, TRIO_ABSORB };

struct rules {
    char name[RULES_NAME_SIZE];
    uint8_t players_allowed; /* bit n: n players may play */
    uint8_t rounds;          /* the chosen number, 1 ... MAX_ROUNDS */
    uint8_t n_rounds_allowed, rounds_allowed[MAX_ROUND_CHOICES];
    uint8_t scoring; /* enum scoring */
    bool has_purse;
    uint8_t n_purse, purse_rounds[MAX_ROUND_CHOICES]; /* purse[i] for purse_rounds[i] rounds */
    int16_t purse[MAX_ROUND_CHOICES];
    /* by number of players; 0 = not given */
    uint8_t hand[MAX_PLAYERS + 1], table[MAX_PLAYERS + 1];
    uint8_t deal_packet, deal_order, first_dealer, tie_break, table_four, hand_four;
    bool has_hand_yaku;
    uint8_t hand_yaku[N_HAND_YAKU]; /* worth by enum hand_yaku; 0 = off */
    uint8_t claim;                  /* enum claim */
    bool hand_yaku_multiplied;
    uint8_t capture;
    bool wild_lightning;
    uint8_t exhausted;
    bool has_seven_plus;
    uint8_t seven_points, seven_min_yaku, seven_x;
    uint8_t own_koikoi, opponent_koikoi, any_koikoi; /* enum doubling */
    bool table_brights;
    uint8_t yaku[N_YAKU]; /* worth; 0 = off */
    uint8_t rain_cancels, viewing_both;
    bool viewing_with_brights;
    bool sake_is_plain;
    uint8_t trio_extra;
    char words[RULES_WORD_SIZE], deck[RULES_WORD_SIZE];
    /* Younger than the format: 0 keeps the meaning a rule set had without them. */
    uint8_t koikoi_limit; /* calls a round by all players together; 0 = any number */
    uint8_t drawn_dealer, call_bonus;
    uint8_t both_ribbons;         /* worth of akatan and aotan together, beside their own */
    uint8_t viewing_after_koikoi; /* worth of a viewing once its owner has called; 0 = as before */
    uint8_t viewing_season;       /* enum in_season; tsukimi's month is 8, hanami's 3 */
    bool viewing_beside;          /* a viewing counts only beside another set */
    uint8_t month_of_round;       /* worth of the four cards of the month of the round; 0 = off */
    /* No field: the month of the round that these rules are for, 1 ... 12, where worths depend on
     * it; else 0. See rules_in_round(). */
    uint8_t month;
};

/* Checks ranges and combinations of fields. Returns NULL if valid, else the path of the first wrong
 * field ("multipliers.seven_plus.x"), a constant. */
const char *rules_check(const struct rules *r);

/* Starting score of a seat: the purse for the chosen rounds, else 0. */
int rules_start_score(const struct rules *r);

/* Sets r->month if a worth depends on it: round 1 is January, 13 again. */
void rules_in_round(struct rules *r, int round_no);

/* `struct rules` with the tables made from it for speed. About 5 kB, flat, copyable. All but
 * `rules` is private to the engine: pile.h reads the tables. */
struct ruleset {
    struct rules rules;
    /* a card captures its own month, and must: no list of captures needed */
    bool forced_own_month;
    bool base_decides; /* a yaku is new or more valuable exactly if the base has grown */
    bool rest_decides; /* the same without brights and viewings, which rain may end */
    bool by_name;      /* a worth depends on more than its own group: score_pile() says it */
    uint8_t hiki;
    cardset plains; /* cards that count as plains */
    cardset wild;   /* Lightning if it is wild, else nothing */
    /* bright_value: by whether the owner of the pile has called koi-koi, and by brights */
    uint16_t bright_value[2][128], animal_value[512], ribbon_value[1024];
    /* by complete months, 0 if they do not count, and by plains */
    uint16_t plain_value[16][32];
    uint64_t bright_parts[2][128]; /* parts of bright_value: see pile_parts() */
    /* By players: places in the deck of the dealer's hand, then of each following seat's, then of
     * the table. */
    uint8_t place[MAX_PLAYERS + 1][N_CARDS];
};

/* Destination of deck[i]: 0 the dealer, 1 and 2 the seats after the dealer, SLOT_TABLE,
 * SLOT_STOCK. */
void deal_slots(const struct rules *r, int players, uint8_t ret[static N_CARDS]);

/* r must have passed rules_check(). */
void ruleset_make(const struct rules *r, struct ruleset *ret);

/* The rule set in that round: g itself, or what is made in *room if a worth depends on the month. */
const struct ruleset *ruleset_in_round(const struct ruleset *g, int round_no, struct ruleset *room);

const char *yaku_key(enum yaku y);           /* "goko" ... "hiki" */
const char *hand_yaku_key(enum hand_yaku h); /* "four" "pairs" "double_four" */

#endif
