/* The bot as one pure function of its arguments.
 *
 *     command_read(...)                    what was typed or pressed -> event.verb
 *     (fetch the facts of commands[verb])  -> world
 *     step_pick(&world, &event)            the session meant, for the facts that need one
 *     bot_step(&world, &event, &effects)   what follows
 *     present(&effects, ...)               the words
 *
 * The world stays as it is, but for the cache of rule sets: sessions are copied before they are
 * changed. A refused event saves nothing. A refusal is one notice to the sender.
 */
#ifndef KOIKOI_STEP_H
#define KOIKOI_STEP_H

#include "keyword.h"
#include "command.h"
#include "effect.h"
#include "world.h"

/* Returns the session an event is about, NULL if none fits, or several fit equally well. */
const struct session *step_pick(const struct world *w, const struct event *e);

enum verdict { TAKEN, REFUSED, IGNORED };
enum verdict bot_step(const struct world *w, const struct event *e, struct effects *fx);

/* Commands that people guess, and where their answer sends them. */
struct guess {
    enum keyword word;
    enum text key;
    bool named; /* the sentence begins with the word */
    enum verb go[MAX_ARGS - 1];
};
extern const struct guess step_guesses[];
extern const int n_step_guesses;

#endif
