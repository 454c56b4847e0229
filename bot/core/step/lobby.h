/* Challenges, inside a step: what is shared by those who make and accept one. */
#ifndef KOIKOI_LOBBY_H
#define KOIKOI_LOBBY_H

#include "turn.h"

/* Returns false, after a refusal, if the chat or the person may have no further match. */
bool lobby_room(struct step *st);
/* True, and a refusal, while the sender is on vacation. */
bool lobby_on_vacation(struct step *st);
/* Refuses to answer a challenge that is no longer open: the sender plays in it, others do, or it is
 * over. Names no player, since the button may have been forwarded. */
enum verdict lobby_not_open(struct step *st, const struct session *s);
/* Opens a challenge: seals the lots and the first deal, starts its timer. */
void lobby_begin(struct step *st, struct session *s);
/* Shows the challenge in one venue, or all of them (only -1). */
struct notice *lobby_offer(struct step *st, struct session *s, int only);

/* Empty seats, in the chat of the event. */
void lobby_seats(struct step *st, struct session *s);
/* Puts this person on the seat; the bot may never have heard of them. */
void lobby_sit(struct player *p, int64_t person, const struct sender *who);
/* The sender sits down on that seat. */
void lobby_take_seat(struct step *st, struct player *p, int venue);
/* A seat whose player has agreed to play, just now. */
void lobby_agree(struct step *st, struct player *p);
/* The chat of the event as a venue. */
void lobby_venue(struct step *st, struct venue *ret);

#endif
