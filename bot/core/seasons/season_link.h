/* Links to seasons of chats. The number of one is the chat and season_code(). */
#ifndef KOIKOI_SEASON_LINK_H
#define KOIKOI_SEASON_LINK_H

#include "world.h"

int64_t season_link_no(int64_t chat, const struct season_key *season);
/* Returns false for a number of no season. */
bool season_of_link(int64_t no, int64_t *ret_chat, struct season_key *ret);

#endif
