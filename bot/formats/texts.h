/* Reader of catalogues: config/texts/LANGUAGE.json becomes struct texts. The format is in README.md
 * of config/texts.
 *
 * A catalogue must have every sentence of English, with exactly its placeholders, plural ones in
 * exactly the forms of its language; the word set "standard" must be complete. The first fault is
 * an error that names the language, the key and the reason.
 */
#ifndef KOIKOI_TEXTS_H
#define KOIKOI_TEXTS_H

#include "err.h"
#include "text.h"

/* Reads one catalogue; strings live in `process`. */
bool texts_read(struct str bytes, struct arena *process, struct texts *ret,
                struct err *err) MUST_CHECK;
/* All faults of a catalogue, a line each, and how many; for those who write one. */
struct str texts_check(struct str bytes, struct arena *a, int *ret_n);
/* Reads the built-in catalogues and those in `folder`, which replace built-in ones. `fallback`
 * comes first in the list. folder may be empty. */
bool texts_load(struct str folder, struct str fallback, struct arena *process,
                struct languages *ret, struct err *err) MUST_CHECK;

#endif
