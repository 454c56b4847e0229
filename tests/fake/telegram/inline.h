/* Inline and guest mode: people query the bot in any chat and send one of its answers; the bot may
 * edit that message, wherever it is. */
#ifndef FAKE_INLINE_H
#define FAKE_INLINE_H

#include "send.h"

extern bool inline_feedback; /* the bot is told of chosen answers */

/* An inline query: "@koikoi_bot words", typed and not sent. */
void inline_ask(struct tg_chat *c, int64_t person, const char *words);
/* Sends the first answer to this person's last query whose title passes. Returns false if there is
 * none yet. */
bool inline_say(struct tg_chat *c, int64_t person, bool (*passes)(void *, const char *title),
                void *with);
/* A message that mentions the bot in a chat where it is no member. */
void inline_mention(struct tg_chat *c, int64_t person, const char *words);

void inline_answer(struct tg_call *c);       /* answerInlineQuery */
void inline_answer_guest(struct tg_call *c); /* answerGuestQuery */

#endif
