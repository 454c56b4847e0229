/* Loads the figures of people (bot/core/seasons/seasons.h) from the store. */
#ifndef KOIKOI_FIGURES_LOAD_H
#define KOIKOI_FIGURES_LOAD_H

#include "chat_settings.h"
#include "seasons.h"
#include "season_table.h"

struct figures_asked {
    int64_t chat; /* EVERY_CHAT: of all chats */
    int64_t who;
    struct str season; /* the running one of that chat */
    int64_t now;
};
bool figures_load(struct store *s, struct arena *a, const struct figures_asked *asked,
                  struct figures *ret, struct err *err) MUST_CHECK;
bool figures_versus(struct store *s, struct arena *a, const struct figures_asked *asked,
                    int64_t other, struct versus *ret, struct err *err) MUST_CHECK;
/* Matches with a number below `below`; with other > 0 those of the two alone. */
enum { HISTORY_ROWS = 6 };
bool figures_history(struct store *s, struct arena *a, const struct figures_asked *asked,
                     int64_t other, int64_t below, struct history *ret, struct err *err) MUST_CHECK;

#endif
