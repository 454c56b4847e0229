/* Files with secrets that anybody on the machine may read or change: those that options with
 * secrets came from, the store (hands, names, private chats) and its log. */
#ifndef KOIKOI_EXPOSED_H
#define KOIKOI_EXPOSED_H

#include "config.h"

enum { EXPOSED_MOST = CONFIG_SECRET_FILES + 3 };

/* Returns how many; their paths are in the arena. */
int exposed_files(const struct config *c, struct arena *a, const char *ret[static EXPOSED_MOST]);

#endif
