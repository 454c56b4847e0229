/* Parts that several bodies share: the layer between draft.h and page.h. A part_*.c calls
 * draft_* and other parts, never a present_*.c.
 */
#ifndef KOIKOI_PART_H
#define KOIKOI_PART_H

#include "draft.h"
#include "hint.h"

/* ---- the table as all players see it (part_table.c) ---- */

struct str part_turn(const struct draft *d); /* "Ann to move (until 18:40)" */
void part_times(struct draft *d);            /* what is left of total clocks, if there are any */
void part_ping(struct draft *d, int seat);   /* "Ann, your move": mentions them */
void part_head(struct draft *d);             /* round and scores */
void part_events(struct draft *d);           /* what happened since a turn last began */
/* What a press did, to the player of that seat, who pressed: "You laid down iris. You drew …" */
void part_answer(struct draft *d, const struct round_log *log, int seat);
void part_field(struct draft *d); /* while a round runs */

/* ---- seals and beacon (part_seal.c) ---- */

void part_seal(struct draft *d);                 /* commitment of the running deal, if any */
void part_seal_next(struct draft *d, int round); /* of the coming one */
/* The seed of the deal that is over, and the commitment of the next one, folded. */
void part_seals(struct draft *d);
/* The beacon's round that is mixed into the last deal, or was missing; and the one that the seal of
 * the coming deal names. Nothing without a beacon. */
void part_beacon(struct draft *d);
void part_beacon_next(struct draft *d);

/* ---- how far each player is (part_progress.c) ---- */

/* A line for each player: yaku made, then what is nearest: "animals 4/5 · moon viewing 1/2". */
void part_captures(struct draft *d);
/* A line for each yaku that one or two cards would make, with the cards. */
void part_near(struct draft *d, int seat);

/* ---- the terms of a match (part_terms.c) ---- */

struct str part_level(const struct draft *d, int level); /* of the computer: "easy" */
void part_terms(struct draft *d, const struct rules *r); /* rounds, purse, clock, house rules */
/* "24 hours a move", "10 minutes each, 20 seconds more a turn" */
struct str part_clock(const struct draft *d, int64_t move_ms, int64_t total_ms, int64_t gain_ms);
/* The preset that rules were made from, by name; or NULL. */
const struct rules *part_preset(const struct draft *d, const struct rules *r);
void part_pay(struct draft *d, const struct rules *r); /* what multiplies a win, a line each */
/* "seven or more · opponent's koi-koi", as the rules have them. Empty: the rules double nothing. */
struct str part_doublings(const struct draft *d, const struct rules *r);
/* "opponent's koi-koi ×2 · seven or more ×2", as they applied. Empty: none above 1. */
struct str part_factors(const struct draft *d, int added, const uint32_t x[static N_MULTIPLIERS]);
/* The fields in which rules differ from their preset. Empty: none. */
struct str part_changes(const struct draft *d, const struct rules *r, const struct rules *preset);

/* ---- a move in words, for its player (part_move.c) ---- */

struct part_move {
    struct str line; /* "takes 8 moon for tsukimi 5" */
    struct str yaku; /* the yaku that it would make; may be empty */
    enum button_style style;
};
/* "pampas moon for moon viewing 5" */
struct str part_capture(const struct draft *d, const struct move *m);
struct part_move part_move_of(const struct draft *d, const struct move *m);
struct str part_declare(const struct draft *d); /* "Declare pairs: 6" */

/* ---- why a move is the best (part_reason.c) ---- */

/* A reason as numbers: see struct reason. Chances are percents. */
struct part_why {
    int kind, seat, yaku, card, chance, instead;
};
/* "Play pine: takes crane", "Stop" */
struct str part_move_words(const struct draft *d, struct move m);
/* Empty for kinds without words. */
struct str part_why_words(const struct draft *d, const struct part_why *w);
/* The move, its chance beside the next best one's and the reason, or both calls with their numbers;
 * then the plan and the threat, with the cards that they lack. The view is the hint's. */
void part_hint(struct draft *d, const struct hint *h);

/* ---- an answer to choose (part_option.c) ---- */

/* "crane", "geese → moon", "Stop: 5 points". */
struct str part_option_label(const struct draft *d, const struct move *m);
/* How the round pays: as it ended, or as it would if the seat stopped now. */
struct round_result part_pay_of(const struct draft *d);
/* The seat's moves that look different, numbered from 1: lines and buttons of that verb, or the
 * answers of a poll. */
void part_options(struct draft *d, enum verb verb);

/* ---- pictures, where the network shows them (part_picture.c) ---- */

/* Field, hand and captures of the seat. It stays between rounds, where messages are edited: an edit
 * cannot turn a picture into a plain text. */
void part_picture_hand(struct draft *d);
/* Field and captures, in a chat that wants them as a picture. */
void part_picture_board(struct draft *d);
/* The winner's yaku with their cards, and what they pay; none for a round without a stop. */
void part_picture_round(struct draft *d, const struct round_summary *n);
void part_picture_match(struct draft *d);  /* scores and chances by round, the best one */
void part_picture_review(struct draft *d); /* chances to win, round by round */
void part_picture_season(struct draft *d, struct str head); /* the table below its first line */

/* ---- chances to win a finished match, round by round (part_chances.c) ---- */

/* The round that moved the chances most; percent of the player who gained by it. */
struct part_moment {
    const struct round_summary *round;
    int seat, before, after;
};
/* These return false if there is no curve: few rounds, very many, or a match broken off. */
bool part_moment(const struct draft *d, struct part_moment *ret);
bool part_chances(const struct draft *d, struct str ret[static MAX_PLAYERS]); /* "52 % 89 %" */
void part_moment_line(struct draft *d); /* in the words of the review; or nothing */

/* ---- results (part_results.c) ---- */

struct str part_rating(const struct draft *d, const struct rating *r);       /* "1534 ±62" */
struct str part_season(const struct draft *d, const struct season_key *key); /* "March 2026" */
struct str part_hand_won(const struct draft *d, struct str hand); /* "goko + hanami ×4" */

/* ---- how a player can be reached (part_reach.c) ---- */

/* True if popups are the only view that the player to move has of their cards. Their moves are
 * then buttons of the board, by numbers that reveal nothing. */
bool part_moves_in_open(const struct draft *d);
/* True if the question what a card takes is asked in a popup, which has no buttons: lettered
 * buttons of the board answer it. */
bool part_asks_by_popup(const struct draft *d);
/* True if only a popup reaches the sender of this press: the network shows them nothing ephemeral
 * here, and their private chat is closed. */
bool part_popup_only(const struct draft *d);

#endif
