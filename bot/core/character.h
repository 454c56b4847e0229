/* Whom the computer plays as: a few named opponents, each a level and a manner. What they are
 * called and say stands in the catalogues, seven sentences each in the order below; a new one is a
 * row in character.c and its sentences in text.def. */
#ifndef KOIKOI_CHARACTER_H
#define KOIKOI_CHARACTER_H

#include "search.h"
#include "text.h"

enum manner { MANNER_NAME, MANNER_MANNER, MANNER_GREETING, MANNER_KOIKOI, MANNER_WIN, MANNER_LOSS,
              MANNER_DRAW, N_MANNERS };
enum { NO_CHARACTER, N_CHARACTERS = 6 };         /* a character is 1 ... N_CHARACTERS - 1 */

struct character {
    const char *key;                    /* in settings and records, and what can be typed in any
                                           language */
    uint8_t level;                      /* enum level, unless another is asked for */
    uint16_t first;                     /* enum text: its MANNER_NAME */
};
extern const struct character characters[N_CHARACTERS];     /* [NO_CHARACTER] is empty */

/* By key, or by name in any language; the last word of a name is enough. NO_CHARACTER if it is
 * none. `word` folded. */
int character_find(const struct languages *all, struct arena *a, struct str word);
static inline enum text character_text(int character, enum manner m)
{
    return (enum text)(characters[character].first + m);
}

#endif
