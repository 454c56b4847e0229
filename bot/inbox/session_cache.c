/* See session_cache.h. A value is the session, then its line. */
#include "session_cache.h"

enum { MOST_SESSIONS = 1024, MOST_BYTES = 8 * 1024 * 1024 };

struct cache *session_cache_open(void)
{
    return cache_open(MOST_SESSIONS, MOST_BYTES);
}

bool session_cache_find(struct cache *c, int64_t no, struct str line, struct session *ret)
{
    const struct cache_key key = {.no = no};
    struct str value;
    if (!cache_find(c, key, &value))
        return false;
    if (!str_is(line, str_skip(value, sizeof *ret))) {
        cache_reject(c, key);
        return false;
    }
    memcpy(ret, value.p, sizeof *ret);
    return true;
}

/* Zeroes the parts that a line does not hold, as reading does. */
static void clear_unwritten(struct session *s)
{
    for (int i = s->players; i < MAX_PLAYERS; i++)
        memset(&s->player[i], 0, sizeof s->player[i]);
    for (int i = s->n_more; i < MAX_VENUES - 1; i++)
        memset(&s->venue[1 + i], 0, sizeof s->venue[1 + i]);
}

void session_cache_put(struct cache *c, int64_t no, struct str line, const struct session *s)
{
    struct session *kept = cache_put(c, (struct cache_key){.no = no}, sizeof *kept + line.n);
    if (!kept)
        return;
    *kept = *s;
    clear_unwritten(kept);
    memcpy(kept + 1, line.p, line.n);
}
