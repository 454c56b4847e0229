/* See metrics.h. */
#include "metrics.h"

static void number(struct buf *b, const char *name, const char *kind, const char *about, int64_t n)
{
    buf_print(b, "# HELP koikoi_%s %s\n# TYPE koikoi_%s %s\nkoikoi_%s %lld\n", name, about, name,
              kind, name, (long long)n);
}

struct str metrics_write(const struct metrics *m, struct arena *a)
{
    enum { ROOM = 4096, ROOM_ACCOUNT = 256 };
    size_t cap = ROOM + METRICS_ACCOUNTS * ROOM_ACCOUNT;
    struct buf b = {arena_alloc(a, cap), 0, cap, false};
    number(&b, "updates_total", "counter", "Updates heard and stored.", m->updates);
    number(&b, "store_failures_total", "counter", "Attempts to store that failed.",
           m->store_failures);
    number(&b, "store_up", "gauge", "1 if the store takes what it is given.", m->store_well);
    number(&b, "messages_waiting", "gauge", "Messages their network has not taken yet.",
           m->waiting);
    number(&b, "messages_in_flight", "gauge", "Messages under way.", m->in_flight);
    number(&b, "jobs", "gauge", "Computations that wait or run.", m->jobs);
    buf_put(&b, STR("# HELP koikoi_account_up 1 if the network answered last time.\n"
                    "# TYPE koikoi_account_up gauge\n"));
    for (int i = 0; i < m->n_accounts; i++)
        buf_print(&b, "koikoi_account_up{account=\"%s\"} %d\n", m->account[i].name,
                  m->account[i].well);
    buf_put(&b, STR("# HELP koikoi_account_silent_seconds Since the network last answered.\n"
                    "# TYPE koikoi_account_silent_seconds gauge\n"));
    for (int i = 0; i < m->n_accounts; i++)
        if (m->account[i].silent_ms >= 0)
            buf_print(&b, "koikoi_account_silent_seconds{account=\"%s\"} %lld\n",
                      m->account[i].name, (long long)m->account[i].silent_ms / 1000);
    return buf_str(&b);
}

const char *metrics_ill(const struct metrics *m)
{
    int well = 0;
    for (int i = 0; i < m->n_accounts; i++)
        well += m->account[i].well;
    if (!m->store_well)
        return "the store takes nothing\n";
    return well == 0 ? "no network answers\n" : NULL;
}
