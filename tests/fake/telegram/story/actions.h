/* Actions of people as updates for the bot. In privacy mode, unless it is an administrator, the bot
 * gets commands, replies to it and mentions of it only. */
#ifndef FAKE_ACTIONS_H
#define FAKE_ACTIONS_H

#include "fake/telegram/world.h"

enum action_as { AS_SELF, AS_ANONYMOUS, AS_HIDDEN /* an ephemeral command */ };

void action_say(struct tg_chat *c, int64_t person, int64_t thread, const char *words,
                enum action_as as);
/* late: the tap expires before the bot answers it. */
struct tap *action_press(struct tg_chat *c, int64_t person, const struct tg_message *m,
                         const char *data, bool late);
void action_standing(struct tg_chat *c, int64_t person, enum tg_standing now);
void action_block(int64_t person);
/* Turns the group into a supergroup with another id. Returns that chat. */
struct tg_chat *action_migrate(struct tg_chat *c, int64_t person, int64_t new_id);

#endif
