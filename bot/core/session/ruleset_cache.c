/* See ruleset_cache.h. The key is the rules as bytes: two that differ in padding alone are kept
 * twice, which is only slower. */
#include "ruleset_cache.h"

const struct ruleset *ruleset_cache_get(struct ruleset_cache *c, const struct rules *r)
{
    const struct cache_key key = {.text = {(const char *)r, sizeof *r}};
    struct str found;
    if (!c->cache)
        c->cache = cache_in(c->memory, sizeof c->memory, RULESET_CACHE_SLOTS,
                            sizeof(struct rules) + sizeof(struct ruleset));
    if (cache_find(c->cache, key, &found))
        return (const struct ruleset *)(const void *)found.p;
    struct ruleset *g = cache_put(c->cache, key, sizeof *g);
    ruleset_make(r, g);
    return g;
}
