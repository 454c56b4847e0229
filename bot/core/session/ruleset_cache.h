/* Cache of rule-set tables, so that those of a match are made once and not at every event. It
 * changes no answer. Filled with zeros it is empty; its owner keeps it between events, at one place
 * in memory (it holds pointers into itself). One thread. */
#ifndef KOIKOI_RULESET_CACHE_H
#define KOIKOI_RULESET_CACHE_H

#include "cache.h"
#include "rules.h"

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
