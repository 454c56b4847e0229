/* Style of a catalogue: what its parts `style` and `glossary` promise holds in every sentence. The
 * parts are described in README.md of config/texts; a catalogue without them is not checked. */
#ifndef KOIKOI_TEXTS_STYLE_H
#define KOIKOI_TEXTS_STYLE_H

#include "text.h"

/* `t` is all of the catalogue in `bytes`, read. Calls `note` with each finding: the sentence, the
 * rule, and the place; they stand until it returns. */
void texts_style_check(struct str bytes, const struct texts *t,
                       void (*note)(void *to, const char *where, const char *what,
                                    struct str found),
                       void *to);

#endif
