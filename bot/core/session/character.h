/* Characters of the computer: named opponents, each with a level and a manner. Their names are in
 * the catalogues, and six sentences each in the order below. To add one: a row in character.c, its
 * name and its sentences in the catalogues. */
#ifndef KOIKOI_CHARACTER_H
#define KOIKOI_CHARACTER_H

#include "search.h"
#include "text.h"

enum manner {
    MANNER_MANNER,
    MANNER_GREETING,
    MANNER_KOIKOI,
    MANNER_WIN,
    MANNER_LOSS,
    MANNER_DRAW,
    N_MANNERS
};
enum { NO_CHARACTER, N_CHARACTERS = 6 }; /* a character is 1 ... N_CHARACTERS - 1 */

struct character {
    const char *key; /* in settings and records; may be typed in any language */
    uint8_t level;   /* enum level; a challenge may choose another */
    uint16_t first;  /* enum text: its MANNER_MANNER */
};
extern const struct character characters[N_CHARACTERS]; /* [NO_CHARACTER] is empty */
_Static_assert((int)N_CHARACTERS <= (int)MAX_CHARACTERS, "the catalogues have room for each name");

/* By key, or by name in any language; the last word of a name is enough. Returns NO_CHARACTER if
 * not found. `word` folded. */
int character_find(const struct languages *all, struct arena *a, struct str word);
static inline enum text character_text(int character, enum manner m)
{
    return (enum text)(characters[character].first + m);
}

#endif
