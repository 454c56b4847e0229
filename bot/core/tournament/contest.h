/* Inside this room: shared by the files that open, answer and run a tournament. Calls go from
 * contest.c and contest_clock.c to contest_round.c. */
#ifndef KOIKOI_CONTEST_H
#define KOIKOI_CONTEST_H

#include "lobby.h"
#include "play.h"
#include "tournament_run.h"

#define JOINING_MS (7 * DAY_MS) /* from the opening to the start */
#define ROUND_MS   (7 * DAY_MS) /* of a round, if nothing else is asked for */

/* `due` of a tournament whose next step waits for no time; it does not move with the clock. */
enum { AT_ONCE = 1 };

/* A copy to work on; it will be saved. */
struct tournament_run *contest_change(struct step *st, const struct tournament_run *was);

/* ---- contest_open.c ---- */

/* "swiss 5 standard 3": opens a tournament of that format. */
enum verdict contest_open(struct step *st, enum tournament_format format, struct str words);
/* The chat of the event joins in. Returns false, after a refusal, if there are too many. */
bool contest_add_chat(struct step *st, struct tournament_run *run);

/* ---- contest_round.c ---- */

/* Everybody is there: seeds, and the first round. */
void contest_start(struct step *st, struct tournament_run *run);
/* A game has got its result, or somebody has left: what follows. */
void contest_follow(struct step *st, struct tournament_run *run);
/* When the timer fires next. */
void contest_set_due(struct tournament_run *run);
/* One page of it, to its chats. fresh: as a new message. */
struct notice *contest_show(struct step *st, const struct tournament_run *run,
                            enum tournament_page page, int round, bool fresh);
/* A line to its chats. */
struct notice *contest_announce(struct step *st, const struct tournament_run *run, enum text key,
                                const struct arg args[MAX_ARGS]);

#endif
