/* Figures of people (bot/core/event/figures.h), from the store. */
#ifndef KOIKOI_INBOX_FIGURES_H
#define KOIKOI_INBOX_FIGURES_H

#include "seasons.h"

struct store;

struct figures_asked {
    int64_t chat; /* EVERY_CHAT: of all chats */
    int64_t who;
    struct str season; /* the running one of that chat */
    int64_t now;
};
struct figures figures_load(struct store *s, struct arena *a, const struct figures_asked *asked);
struct versus figures_versus(struct store *s, struct arena *a, const struct figures_asked *asked,
                             int64_t other);
/* Matches with a number below `below`; with other > 0 those of the two alone. */
enum { HISTORY_ROWS = 6 };
struct history figures_history(struct store *s, struct arena *a, const struct figures_asked *asked,
                               int64_t other, int64_t below);

#endif
