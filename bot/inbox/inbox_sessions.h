/* Cache of parsed sessions, keyed by the stored line: 1,024 sessions, 8 MB. A lookup brings the
 * line that the store has now and compares all its bytes, so an entry cannot be stale and is never
 * invalidated: a change that was rolled back, or made by another process, is another line.
 *
 *     struct cache *c = session_cache_open();
 *     session_cache_find(c, no, line, &session)      false: parse it, then
 *     session_cache_put(c, no, line, &session)       also after writing
 *     cache_close(c)
 */
#ifndef KOIKOI_INBOX_SESSIONS_H
#define KOIKOI_INBOX_SESSIONS_H

#include "cache.h"
#include "session.h"

struct cache *session_cache_open(void);
/* *ret is what session_read() would make of the line; untouched if it is not found. */
bool session_cache_find(struct cache *c, int64_t no, struct str line, struct session *ret);
void session_cache_put(struct cache *c, int64_t no, struct str line, const struct session *s);

#endif
