/* Inside the lobby: shared by the files that make, answer and repeat a challenge. What the verbs do
 * is in stepping.h. */
#ifndef KOIKOI_LOBBY_H
#define KOIKOI_LOBBY_H

#include "stepping.h"

/* False: no more matches here, or not for this person; it was said why. */
bool lobby_room(struct step *st);
/* From now on it can be answered: seals lots and first deal, and lets the time run. */
void lobby_begin(struct step *st, struct session *s);
/* Shows the challenge in one venue, or all of them (only -1). */
void lobby_offer(struct step *st, struct session *s, int only);

/* An empty seat, in the chat of the event. */
void lobby_player(struct step *st, struct player *p);
/* The seat is for this person, who may not have spoken yet. */
void lobby_sit(struct player *p, int64_t person, const struct sender *who);
/* Their hand begins with the way that worked where they last played in this chat. */
void lobby_recall(const struct step *st, struct player *p);
/* The best way to show a hand in the chat of the event. */
enum channel lobby_channel_here(const struct world *w);

#endif
