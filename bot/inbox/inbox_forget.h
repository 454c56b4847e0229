/* What is kept of a person: listed for them to read, and taken away from them.
 *
 * Forgetting takes name, handle, network id, language, choices, badges, answers to puzzles and
 * private chat out of the store at once, and the name out of matches and their records in steps,
 * which go on where they were after a restart. Results stay for the opponents. A person with a
 * match that runs cannot be forgotten. Words typed for a shuffle stay: they are its proof. */
#ifndef KOIKOI_INBOX_FORGET_H
#define KOIKOI_INBOX_FORGET_H

#include "session.h"
#include "store_people.h"

/* JSON lines: handles, ratings, badges, counts, answers to puzzles, matches; 4 MB at most, of some
 * 18,000 matches, and then a line that says from which on they are left out. */
struct str forget_listing(struct store *s, struct arena *a, int64_t who);
/* Returns the number of matches that run: if there are any, nothing was changed. */
int forget_person(struct store *s, int64_t who, struct str name);
/* Takes the name of a person who is being forgotten out of a few matches. Returns true if there may
 * be more to do. */
bool forget_step(struct store *s, struct ruleset_cache *rulesets);

#endif
