/* Catalogues: config/texts/LANGUAGE.json -> struct texts. README.md, "Texts", is the format.
 *
 * A catalogue must have every sentence of bot/core/text.def, with exactly its placeholders, plural
 * ones in exactly the forms of its language; the word set "standard" must be whole. A fault is one
 * error that names the language, the key and the reason, and nothing starts.
 */
#ifndef KOIKOI_TEXTS_H
#define KOIKOI_TEXTS_H

#include "err.h"
#include "text.h"

/* One catalogue; strings live in `process`. */
bool texts_read(struct str bytes, struct arena *process, struct texts *ret,
                struct err *err) MUST_CHECK;
/* All built-in ones, and those in `folder` (which win); `fallback` comes first. folder may be
 * empty. */
bool texts_load(struct str folder, struct str fallback, struct arena *process,
                struct languages *ret, struct err *err) MUST_CHECK;

#endif
