/* The knobs of a rule set by name, as people type them behind a challenge ("yaku.tsukimi=0",
 * "exhausted=oya_kan") and as differences are told. The names and values are those of the rule set
 * format (README.md of bot/shell). */
#ifndef KOIKOI_KNOB_H
#define KOIKOI_KNOB_H

#include "rules.h"
#include "str.h"

enum knob_error { KNOB_OK, KNOB_UNKNOWN, KNOB_VALUE };
/* Sets one; on KNOB_VALUE *ret_allowed says what may stand there ("none|add|absorb", "0-100"). */
enum knob_error knob_set(struct rules *r, struct str name, struct str value,
                         struct str *ret_allowed);

/* The i-th knob's name and its value as text, empty where the object it belongs to is off; false
 * behind the last. */
bool knob_at(const struct rules *r, int i, struct str *ret_name, struct buf *ret_value);

#endif
