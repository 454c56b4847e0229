/* Reader of catalogues: config/texts/LANGUAGE.json becomes struct texts. The format is in README.md
 * of config/texts.
 *
 * What a catalogue lacks stands there in English, and is a warning. What it has must hold: every
 * sentence with exactly its placeholders, a plural one in exactly the forms of its language.
 */
#ifndef KOIKOI_TEXTS_H
#define KOIKOI_TEXTS_H

#include "err.h"
#include "text.h"

/* What was found, a line each: "texts.days: the form \"other\" is missing". */
struct texts_lines {
    struct buf text;
    int n;
};
struct texts_found {
    struct texts_lines faults, warnings;
};

/* Reads all of a catalogue and finds what is wrong with it; strings live in `a`. */
const struct texts *texts_check(struct str bytes, struct arena *a, struct texts_found *ret);
/* Opens the built-in catalogues, which a test has checked, and those in `folder` (empty: none),
 * which replace built-in ones. `fallback` comes first in the list. A file with a fault is an error
 * if `strict`; else it is left out, with a line in the log.
 *
 * Of a built-in catalogue only its name is read, but for English; texts_typed(), texts_find() and,
 * a sentence at a time, text_form() read the rest into `process`, which must live as long as the
 * list. */
bool texts_load(struct str folder, struct str fallback, bool strict, struct arena *process,
                struct languages *ret, struct err *err) MUST_CHECK;

#endif
