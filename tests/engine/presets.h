/* The presets as C values, written from the rules page. A test compares the JSON files with
 * them. */
#ifndef KOIKOI_TESTS_PRESETS_H
#define KOIKOI_TESTS_PRESETS_H

#include "rules.h"

enum {
    PRESET_SENSEI,
    PRESET_MONGOLOPEDIA,
    PRESET_OKOSHKI,
    PRESET_STANDARD,
    N_FIRST_PRESETS, /* those the policy was tuned under, and of the first fingerprint */
    PRESET_CONSOLE = N_FIRST_PRESETS,
    PRESET_STEAM,
    N_PRESETS
};

extern const struct rules presets[N_PRESETS];

/* The preset's rule set, prepared for its default number of rounds. */
const struct ruleset *preset(int which);

/* PRESET_...; N_PRESETS if none has that name. */
int preset_named(const char *name);

#endif
