/* Rule options: fields of a rule set by name, as typed behind a challenge ("yaku.tsukimi=0",
 * "exhausted=oya_kan") and as shown where a table differs from its preset. Names and values are
 * those of the rule-set format (README.md of bot/formats); the rows are in rules_field.c. */
#ifndef KOIKOI_RULES_OPTION_H
#define KOIKOI_RULES_OPTION_H

#include "cache.h"
#include "rules.h"
#include "str.h"

enum { RULES_ALLOWED_SIZE = 96 };

enum rules_option_error { RULES_OPTION_OK, RULES_OPTION_UNKNOWN, RULES_OPTION_VALUE };
/* Sets one option. Only on RULES_OPTION_VALUE, appends the values it takes to ret_allowed
 * ("none|add|absorb", "0-100"; at most RULES_ALLOWED_SIZE bytes; nothing where it is a word). */
enum rules_option_error rules_option_set(struct rules *r, struct str name, struct str value,
                                         struct buf *ret_allowed);

/* Appends the value of the i-th option; nothing where the object it belongs to is null. Returns
 * false behind the last. */
bool rules_option_at(const struct rules *r, int i, struct str *ret_name, struct buf *ret_value);

/* The i-th word that a language may have its own for: names of options, but for rounds,
 * then values. Returns NULL behind the last. A value may come twice. */
const char *rules_option_word(int i);

/* Rules as one number below RULES_PACKED_END, for a button: their rounds, and at most three options
 * in which they differ from their preset. Returns false if they differ in more. */
#define RULES_PACKED_END ((int64_t)1 << 57)
bool rules_option_pack(const struct rules *r, const struct rules *preset, int64_t *ret);
/* The other way, from the preset. Returns false for what rules_option_pack() did not make. */
bool rules_option_unpack(int64_t packed, const struct rules *preset, struct rules *ret);

/* Cache of rule-set tables, so that those of a match are made once and not at every event. It
 * changes no answer. Filled with zeros it is empty; its owner keeps it between events, at one place
 * in memory (it holds pointers into itself). One thread. */
enum { RULESET_CACHE_SLOTS = 32 };

struct ruleset_cache {
    struct cache *cache; /* in `memory`; NULL: not used yet */
    _Alignas(max_align_t) char memory[CACHE_MEMORY(RULESET_CACHE_SLOTS,
                                                   sizeof(struct rules) + sizeof(struct ruleset))];
};

/* r must have passed rules_check(), and may be the `rules` of an earlier answer. The answer stands
 * until RULESET_CACHE_SLOTS other rule sets have been asked for: hold it while one event is
 * handled, not longer. */
const struct ruleset *ruleset_cache_get(struct ruleset_cache *c, const struct rules *r);

#endif
