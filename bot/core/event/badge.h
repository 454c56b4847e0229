/* Badges: what a player may be proud of. Each is earned once, and told once, in the chat where it
 * happened. What earns one is in config/badges.json. To add one: a row here, its name in the
 * catalogues (badge_NAME), a row there. */
#ifndef KOIKOI_BADGE_H
#define KOIKOI_BADGE_H

#include "rules.h"
#include "text.h"

enum badge { BADGE_GOKO, BADGE_SHIKO, BADGE_HUNDRED, BADGE_RUN, BADGE_CHAMPION, N_BADGES };
extern const struct badge_row_of {
    const char *key; /* in config/badges.json and the store */
    enum text text;
} badges[N_BADGES];

/* What earns it. */
enum badge_kind {
    BADGE_NEVER,
    BADGE_BY_STREAK,  /* n matches won in a row */
    BADGE_BY_POINTS,  /* n points in one round */
    BADGE_BY_SEASONS, /* a season won */
    BADGE_BY_YAKU     /* a round won with this yaku: n */
};
struct badge_rules {
    struct badge_rule {
        enum badge_kind kind;
        int64_t n;
    } rule[N_BADGES];
};

/* Returns N_BADGES if not found. */
enum badge badge_find(struct str key);

#endif
