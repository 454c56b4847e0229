/* Running matches, inside a step: what handlers call to change one (and is TAKEN), and to show it.
 * From the top down: play_move.c, play_sit.c, play.c. */
#ifndef KOIKOI_PLAY_H
#define KOIKOI_PLAY_H

#include "turn.h"

#define OFFER_MS  DAY_MS          /* life of a challenge */
#define PAUSE_MS  (3 * MINUTE_MS) /* between rounds */
#define CHOOSE_MS DAY_MS          /* to choose whether to play on without one of three */

/* ---- play.c ---- */

/* Seals the coming deal: its seed, and the round of the beacon if there is one. */
void play_seal(struct step *st, struct session *s);
/* All seats are taken: draws the lots and deals. */
enum verdict play_start(struct step *st, struct session *s);
/* The same, but the first deal waits as the later ones do, with its seal in the message: no
 * challenge has shown it. */
void play_open(struct step *st, struct session *s);
/* The match goes on from a position of another, as it stands in the session; `lines`, `anew`: see
 * struct record_effect. */
enum verdict play_from(struct step *st, struct session *s, int lines, const struct seed *anew);
/* Deals the next round or attempt; once the beacon's round is here, if one is named. */
enum verdict play_deal(struct step *st, struct session *s);
enum verdict play_deal_mixed(struct step *st, struct session *s, struct str beacon);
/* Makes a legal move of a seat, with all that follows. */
enum verdict play_make(struct step *st, struct session *s, int seat, struct move m);

/* The board, for everyone. */
struct notice *play_board(struct step *st, const struct session *s);
/* The hand of a seat, to its owner. fresh: as a new message; asked: the owner asked for it. */
void play_hand(struct step *st, const struct session *s, int seat, bool fresh, bool asked);
/* In a new message; the one before loses its buttons. */
void play_hand_anew(struct step *st, struct session *s, int seat);
/* Pings the player to move, who is idle. */
void play_ping(struct step *st, struct session *s);
/* Takes the ping away once its player has moved. */
/* Board, ping and hands once more, for a venue that lost its messages. */
void play_show_again(struct step *st, const struct session *s, int venue);

/* A seat leaves, and the match is over; or the two others play on. */
enum verdict play_leave(struct step *st, struct session *s, int seat, bool timeout);
void play_go_on(struct step *st, struct session *s, int seat);
/* All agree to a draw, this seat last. */
enum verdict play_agree(struct step *st, struct session *s, int seat);
/* Back to where the round had seen so many events; a decision of this seat comes next. */
enum verdict play_take_back(struct step *st, struct session *s, int seat, int n_seen);

/* ---- play_sit.c ---- */

/* A refusal while they choose. */
enum verdict play_choose_first(struct step *st, const struct session *s);

/* ---- play_move.c ---- */

/* True, and a refusal, if the sender cannot move now. */
bool play_out_of_turn(struct step *st, const struct session *s, int *ret_seat);
/* True if the words name a card of the hand of the player to move. */
bool play_names(struct step *st, const struct session *s);

#endif
