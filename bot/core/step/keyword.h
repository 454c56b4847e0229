/* Keywords: words that mean something behind a command: "computer", "open", "last", the reasons to
 * decline, and commands that do not exist but are often tried. The catalogues have them in every
 * language; the English words always work. To add one: a row in keyword.def, and its words under
 * `options` in the catalogues. The source is command.c. */
#ifndef KOIKOI_KEYWORD_H
#define KOIKOI_KEYWORD_H

#include "text.h"

enum keyword {
    KEYWORD_NONE,
#define KEYWORD(id, name) KEYWORD_##id,
#include "keyword.def"
    N_KEYWORDS,
    KEYWORD_GUESSED = KEYWORD_RESULTS,
    KEYWORD_GUESSED_LAST = KEYWORD_TONGUE
};
extern const char *const keyword_names[N_KEYWORDS]; /* in catalogues; "computer" ... */

/* The keyword these words are, as a whole. Returns KEYWORD_NONE if not found. */
enum keyword keyword_find(const struct languages *all, struct arena *a, struct str words);
/* True if the folded words are that one, whatever else they may be. */
bool keyword_is(const struct languages *all, struct str folded, enum keyword k);
/* True if the last of the words is this keyword, which is cut off. */
bool keyword_cut(const struct languages *all, struct arena *a, struct str *words, enum keyword k);
/* The English name of an option, or of its value, from the word of any language: "rounds" for
 * "rondas". Other words stay as they are. */
struct str keyword_option(const struct languages *all, struct arena *a, struct str word);

#endif
