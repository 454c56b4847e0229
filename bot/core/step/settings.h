/* Settings of a chat as buttons. A button of /settings carries the setting (its version, from 1; 0 is the
 * list of all) and the value (its index, from 1; 0 shows the setting), as places in the lists here.
 *
 *     n = setting_words(world, &settings, i, arena, words)   what may be chosen, as it may be typed
 *     setting_word(world, &settings, i, arena)               what holds now
 *     settings_pressed(world, event, arena)                  a press as words: "rules=okoshki"
 */
#ifndef KOIKOI_SETTINGS_H
#define KOIKOI_SETTINGS_H

#include "world.h"

enum setting {
    SETTING_RULES,
    SETTING_ROUNDS,
    SETTING_CLOCK,
    SETTING_SEASON,
    SETTING_LANGUAGE,
    SETTING_OPPONENT,
    SETTING_TIPS,
    SETTING_BOARD,
    SETTING_PUZZLE,
    SETTING_DUEL,
    SETTING_CHAMPION,
    SETTING_WATCH,
    SETTING_SEEK,
    SETTING_ZONE,
    N_SETTINGS
};
extern const char *const setting_names[N_SETTINGS]; /* as they are typed */

enum { SETTING_WORDS = 32 };
/* Returns their number. The words live in `a`, or for ever. */
int setting_words(const struct world *w, const struct chat_settings *c, enum setting which,
                  struct arena *a, struct str ret[static SETTING_WORDS]);
struct str setting_word(const struct world *w, const struct chat_settings *c, enum setting which,
                        struct arena *a);
/* The clock that a word of SETTING_CLOCK means; NULL if its list has no such word. */
const struct time_control *setting_clock(struct str word);
/* Empty: the press changes nothing. */
struct str settings_pressed(const struct world *w, const struct event *e, struct arena *a);

#endif
