/* Tournaments in chats, inside a step. Calls go from tournament_command.c to tournament_due.c. */
#ifndef KOIKOI_TOURNAMENT_STEP_H
#define KOIKOI_TOURNAMENT_STEP_H

#include "lobby.h"
#include "play.h"
#include "tournament_run.h"

/* A copy to work on; it will be saved. */
struct tournament_run *tournament_change(struct step *st, const struct tournament_run *was);
/* Everybody is there: seeds, and the first round. */
void tournament_start(struct step *st, struct tournament_run *run);
/* A game has got its result, or somebody has left: what follows. */
void tournament_follow(struct step *st, struct tournament_run *run);
/* One page of it, to its chats. fresh: as a new message. */
struct notice *tournament_show(struct step *st, const struct tournament_run *run,
                               enum tournament_page page, int round, bool fresh);
/* A line to its chats. */
#define tournament_announce(st, run, key, ...)                                                     \
    tournament_announce_with(st, run, key, ARGS(__VA_ARGS__))
void tournament_announce_with(struct step *st, const struct tournament_run *run, enum text key,
                              const struct arg args[MAX_ARGS]);

#endif
