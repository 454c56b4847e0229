/* Running matches, inside a step: what handlers call to change one, and to show it. From the top
 * down: play_sit.c and play_move.c, play_ask.c, play_break.c, play.c, play_auto.c. */
#ifndef KOIKOI_PLAY_H
#define KOIKOI_PLAY_H

#include "turn.h"

/* ---- play.c ---- */

/* Seals the coming deal: its seed, and the round of the beacon if there is one. */
void beacon_seal(struct step *st, struct session *s);
/* True if the coming deal has to wait; the timer is set then, and all players are ready. */
bool beacon_wait(struct step *st, struct session *s);

/* All seats are taken: draws the lots and deals. */
void play_start(struct step *st, struct session *s);
/* The same, but the first deal waits as the later ones do, with its seal in the message: no
 * challenge has shown it. */
void play_open(struct step *st, struct session *s);
/* Deals the next round or attempt; once the beacon's round is here, if one is named. */
void play_deal(struct step *st, struct session *s);
void play_deal_mixed(struct step *st, struct session *s, struct str beacon);
/* Makes a legal move of a seat, with all that follows. */
void play_make(struct step *st, struct session *s, int seat, struct move m);
/* After any change of the match: the record, what is shown, what comes next. `mover` made a move,
 * -1 for anything else. */
void play_follow(struct step *st, const struct session *before, struct session *s, int mover,
                 const struct round_log *log);
/* The lines of a change for the record. */
void play_log(struct step *st, const struct session *before, const struct session *s,
              const struct round_log *log);

/* The board, for everyone. */
struct notice *play_board(struct step *st, const struct session *s);
/* The hand of a seat, to its owner. fresh: as a new message; asked: the owner asked for it. */
void play_hand(struct step *st, const struct session *s, int seat, bool fresh, bool asked);
/* Tells the player to move, who is away, that it is their turn. */
void play_tell(struct step *st, struct session *s);
/* Takes the ping away once its player has moved. */
void play_quiet(struct step *st, struct session *s);
/* Board, ping and hands once more, for a venue that lost its messages. */
void play_show_again(struct step *st, const struct session *s, int venue);

/* Makes the moves that follow by themselves; *log gets their lines behind those that it has. */
void play_auto(const struct ruleset *g, struct session *s, struct round_log *log);
/* Takes the move that the player to move has kept. Returns false without one, or if it can no
 * longer be made. */
bool play_auto_kept(struct step *st, struct session *s, struct move *ret);

/* A seat leaves, and the match is over. */
void play_leave(struct step *st, struct session *s, int seat, bool timeout);
/* The same, but the two others play on. */
void play_go_on(struct step *st, struct session *s, int seat);
/* No seat moves until the others have chosen whether to play on. */
void play_stop_for_choice(struct step *st, struct session *s);
/* All agree to a draw, this seat last. */
void play_agree(struct step *st, struct session *s, int seat);
/* Back to where the round had seen so many events; a decision of this seat comes next. */
void play_take_back(struct step *st, struct session *s, int seat, int n_seen);

/* ---- play_ask.c ---- */

/* A seat leaves; of three, the others are asked whether they play on. */
void play_leave_table(struct step *st, struct session *s, int seat, bool timeout);
/* A refusal while they choose. */
enum verdict play_choose_first(struct step *st, const struct session *s);
/* True if the sender sits in a match that has begun; else a refusal. */
bool play_must_sit(struct step *st, const struct session *s, int *ret_seat);

/* ---- play_move.c ---- */

/* True, and a refusal, if the sender cannot move now. */
bool play_out_of_turn(struct step *st, const struct session *s, int *ret_seat);

/* True if the words name a card of the hand of the player to move. */
bool play_names(struct step *st, const struct session *s);

#endif
