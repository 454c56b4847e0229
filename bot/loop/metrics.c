/* See metrics.h. */
#include "metrics.h"

static void number(struct buf *b, const char *name, const char *kind, const char *about, int64_t n)
{
    buf_print(b, "# HELP koikoi_%s %s\n# TYPE koikoi_%s %s\nkoikoi_%s %lld\n", name, about, name,
              kind, name, (long long)n);
}

static void caches(struct buf *b, const struct metrics *m, const char *name, const char *kind,
                   const char *about, int64_t (*number_of)(const struct cache_counts *))
{
    buf_print(b, "# HELP koikoi_cache_%s %s\n# TYPE koikoi_cache_%s %s\n", name, about, name, kind);
    for (int i = 0; i < METRICS_CACHES; i++)
        if (m->cache[i].name)
            buf_print(b, "koikoi_cache_%s{cache=\"%s\"} %lld\n", name, m->cache[i].name,
                      (long long)number_of(&m->cache[i].counts));
}

static int64_t hits(const struct cache_counts *c)
{
    return c->hits;
}
static int64_t misses(const struct cache_counts *c)
{
    return c->misses;
}
static int64_t evictions(const struct cache_counts *c)
{
    return c->evictions;
}
static int64_t bytes(const struct cache_counts *c)
{
    return (int64_t)c->bytes;
}

struct str metrics_write(const struct metrics *m, struct arena *a)
{
    enum { ROOM = 8192, ROOM_ACCOUNT = 256 };
    size_t cap = ROOM + METRICS_ACCOUNTS * ROOM_ACCOUNT;
    struct buf b = {arena_alloc(a, cap), 0, cap, false};
    number(&b, "updates_total", "counter", "Updates heard and stored.", m->updates);
    number(&b, "store_failures_total", "counter", "Attempts to store that failed.",
           m->store_failures);
    number(&b, "store_up", "gauge", "1 if the store takes what it is given.", m->store_up);
    number(&b, "messages_waiting", "gauge", "Messages their network has not taken yet.",
           m->waiting);
    number(&b, "messages_in_flight", "gauge", "Messages under way.", m->in_flight);
    number(&b, "jobs", "gauge", "Computations that wait or run.", m->jobs);
    caches(&b, m, "hits_total", "counter", "Look-ups that were found.", hits);
    caches(&b, m, "misses_total", "counter", "Look-ups that were not found.", misses);
    caches(&b, m, "evictions_total", "counter", "Entries that made room for others.", evictions);
    caches(&b, m, "bytes", "gauge", "Memory of the entries.", bytes);
    buf_put(&b, STR("# HELP koikoi_account_up 1 if the network answered last time.\n"
                    "# TYPE koikoi_account_up gauge\n"));
    for (int i = 0; i < m->n_accounts; i++)
        buf_print(&b, "koikoi_account_up{account=\"%s\"} %d\n", m->account[i].name,
                  m->account[i].up);
    buf_put(&b, STR("# HELP koikoi_account_silent_seconds Since the network last answered.\n"
                    "# TYPE koikoi_account_silent_seconds gauge\n"));
    for (int i = 0; i < m->n_accounts; i++)
        if (m->account[i].silent_ms >= 0)
            buf_print(&b, "koikoi_account_silent_seconds{account=\"%s\"} %lld\n",
                      m->account[i].name, (long long)m->account[i].silent_ms / 1000);
    return buf_str(&b);
}

const char *metrics_trouble(const struct metrics *m)
{
    int well = 0;
    for (int i = 0; i < m->n_accounts; i++)
        well += m->account[i].up;
    if (!m->store_up)
        return "the store takes nothing\n";
    return well == 0 ? "no network answers\n" : NULL;
}
