/* The four presets as C values, written from the rules page. A test compares the JSON files with
 * them. */
#ifndef KOIKOI_TESTS_PRESETS_H
#define KOIKOI_TESTS_PRESETS_H

#include "rules.h"

enum { PRESET_SENSEI, PRESET_MONGOLOPEDIA, PRESET_OKOSHKI, PRESET_STANDARD, N_PRESETS };

extern const struct rules presets[N_PRESETS];

/* The preset's rule set made ready, with the number of rounds it starts with. */
const struct ruleset *preset(int which);

#endif
