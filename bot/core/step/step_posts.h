/* Messages whose buttons go dead, inside a step: see posts.h. */
#ifndef KOIKOI_STEP_POSTS_H
#define KOIKOI_STEP_POSTS_H

#include "step_internal.h"

/* This notice is the newest of its kind; the one before loses its buttons. */
void step_posts_add(struct step *st, struct session *s, enum posted kind, struct notice *notice);
/* The same message in one more chat. */
void step_posts_again(const struct session *s, enum posted kind, struct notice *notice);
void step_posts_close_hand(struct step *st, const struct session *s, int seat);
/* The end of a step: whatever went dead in it loses its buttons. */
void step_posts_close(struct step *st);

#endif
