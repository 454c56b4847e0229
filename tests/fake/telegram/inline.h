/* Inline mode and guest mode: people ask the bot for something to say in any chat, choose one of
 * its answers, and the bot may edit what was said, wherever it is. */
#ifndef FAKE_INLINE_H
#define FAKE_INLINE_H

#include "say.h"

extern bool inline_feedback; /* the bot is told what was chosen */

/* "@koikoi_bot words", typed and not sent. */
void inline_ask(struct chat *c, int64_t person, const char *words);
/* The first answer to this person's last question whose title passes is said; false: there is none
 * yet. */
bool inline_say(struct chat *c, int64_t person, bool (*passes)(void *, const char *title),
                void *with);
/* A message that mentions the bot, in a chat that it is not in. */
void inline_mention(struct chat *c, int64_t person, const char *words);

void inline_answer(struct call *c);       /* answerInlineQuery */
void inline_answer_guest(struct call *c); /* answerGuestQuery */

#endif
