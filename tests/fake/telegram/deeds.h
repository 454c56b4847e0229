/* What people do, turned into updates for the bot. Privacy mode holds: in a group the bot hears
 * commands, replies to it and mentions of it only, unless it is an administrator. */
#ifndef FAKE_DEEDS_H
#define FAKE_DEEDS_H

#include "world.h"

enum deed_as { AS_SELF, AS_ANONYMOUS, AS_HIDDEN /* an ephemeral command */ };

void deed_say(struct chat *c, int64_t person, int64_t thread, const char *words, enum deed_as as);
/* late: the network has already forgotten the tap when the bot answers it. */
struct tap *deed_press(struct chat *c, int64_t person, const struct message *m, const char *data,
                       bool late);
void deed_standing(struct chat *c, int64_t person, enum standing now);
void deed_block(int64_t person);
/* The group becomes a supergroup with another id; returns that chat. */
struct chat *deed_migrate(struct chat *c, int64_t person, int64_t new_id);

#endif
