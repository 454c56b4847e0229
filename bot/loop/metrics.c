/* See metrics.h. */
#include "metrics.h"

#include <stdio.h>
#include <sys/stat.h>

#include "embedded.h"
#include "loop_internal.h"

enum { METRICS_LABEL = 64 };

static void number(struct buf *b, const char *name, const char *kind, const char *about, int64_t n)
{
    buf_print(b, "# HELP koikoi_%s %s\n# TYPE koikoi_%s %s\nkoikoi_%s %lld\n", name, about, name,
              kind, name, (long long)n);
}

/* The lines of one histogram; `label` is empty or account="telegram". */
static void histogram(struct buf *b, const char *name, const char *label, const struct histogram *h)
{
    const char *open = *label ? "{" : "", *close = *label ? "}" : "", *and = *label ? "," : "";
    int64_t n = 0;
    for (int i = 0; i < HISTOGRAM_BOUNDS; i++) {
        n += h->up_to[i];
        buf_print(b, "koikoi_%s_bucket{%s%sle=\"%g\"} %lld\n", name, label, and,
                  histogram_bound_ms[i] / 1000.0, (long long)n);
    }
    buf_print(b, "koikoi_%s_bucket{%s%sle=\"+Inf\"} %lld\n", name, label, and, (long long)h->n);
    buf_print(b, "koikoi_%s_sum%s%s%s %.3f\n", name, open, label, close, (double)h->sum_ms / 1000);
    buf_print(b, "koikoi_%s_count%s%s%s %lld\n", name, open, label, close, (long long)h->n);
}

static void head(struct buf *b, const char *name, const char *kind, const char *about)
{
    buf_print(b, "# HELP koikoi_%s %s\n# TYPE koikoi_%s %s\n", name, about, name, kind);
}

static void caches(struct buf *b, const struct metrics *m)
{
    static const struct {
        const char *name, *kind, *about;
    } rows[] = {{"cache_hits_total", "counter", "Look-ups that were found."},
                {"cache_misses_total", "counter", "Look-ups that were not found."},
                {"cache_evictions_total", "counter", "Entries that made room for others."},
                {"cache_bytes", "gauge", "Memory of the entries."}};
    for (int k = 0; k < 4; k++) {
        head(b, rows[k].name, rows[k].kind, rows[k].about);
        for (int i = 0; i < METRICS_CACHES; i++) {
            const struct cache_counts *c = &m->cache[i].counts;
            const int64_t n[] = {c->hits, c->misses, c->evictions, (int64_t)c->bytes};
            if (m->cache[i].name)
                buf_print(b, "koikoi_%s{cache=\"%s\"} %lld\n", rows[k].name, m->cache[i].name,
                          (long long)n[k]);
        }
    }
}

static void accounts(struct buf *b, const struct metrics *m)
{
    head(b, "account_up", "gauge", "1 if the network answered last time.");
    for (int i = 0; i < m->n_accounts; i++)
        buf_print(b, "koikoi_account_up{account=\"%s\"} %d\n", m->account[i].name,
                  m->account[i].up);
    head(b, "account_silent_seconds", "gauge", "Since the network last answered.");
    for (int i = 0; i < m->n_accounts; i++)
        if (m->account[i].silent_ms >= 0)
            buf_print(b, "koikoi_account_silent_seconds{account=\"%s\"} %lld\n", m->account[i].name,
                      (long long)m->account[i].silent_ms / 1000);
}

static void sends(struct buf *b, const struct metrics *m)
{
    head(b, "sends_total", "counter", "Sends, by what the network made of them.");
    for (int i = 0; i < m->n_accounts; i++) {
        const struct metrics_account *a = &m->account[i];
        const struct {
            const char *result;
            int64_t n;
        } rows[] = {
            {"sent", a->sent}, {"in_part", a->in_part}, {"later", a->later}, {"never", a->never}};
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            buf_print(b, "koikoi_sends_total{account=\"%s\",result=\"%s\"} %lld\n", a->name,
                      rows[k].result, (long long)rows[k].n);
    }
    head(b, "rate_limited_total", "counter", "Sends that the network refused as too many (429).");
    for (int i = 0; i < m->n_accounts; i++)
        buf_print(b, "koikoi_rate_limited_total{account=\"%s\"} %lld\n", m->account[i].name,
                  (long long)m->account[i].limited);
    head(b, "answer_delay_seconds", "histogram", "From what was heard to its answer, delivered.");
    for (int i = 0; i < m->n_accounts; i++) {
        char label[METRICS_LABEL];
        snprintf(label, sizeof label, "account=\"%s\"", m->account[i].name);
        histogram(b, "answer_delay_seconds", label, &m->account[i].delay);
    }
}

static void jobs(struct buf *b, const struct metrics *m)
{
    number(b, "jobs", "gauge", "Computations that wait or run.", m->jobs);
    head(b, "thinking_seconds", "histogram", "Computations: moves, hints, reviews.");
    histogram(b, "thinking_seconds", "", &m->thinking);
    head(b, "drawing_seconds", "histogram", "Pictures drawn.");
    histogram(b, "drawing_seconds", "", &m->drawing);
}

struct str metrics_write(const struct metrics *m, struct arena *a)
{
    enum { ROOM = 16 * 1024, ROOM_ACCOUNT = 4096 };
    size_t cap = ROOM + METRICS_ACCOUNTS * ROOM_ACCOUNT;
    struct buf b = {arena_alloc(a, cap), 0, cap, false};
    head(&b, "build_info", "gauge", "1, with what the program is.");
    buf_print(&b, "koikoi_build_info{version=\"%s\",commit=\"%.*s\",schema=\"%d\"} 1\n", m->version,
              STR_ARG(m->commit), m->schema);
    number(&b, "start_time_seconds", "gauge", "When the daemon started, unix time.",
           m->started / 1000);
    number(&b, "updates_total", "counter", "Updates heard and stored.", m->updates);
    if (m->running >= 0)
        number(&b, "matches_running", "gauge", "Matches and challenges that run.", m->running);
    number(&b, "matches_begun_total", "counter", "Matches that began.", m->begun);
    number(&b, "matches_finished_total", "counter", "Matches that ended.", m->finished);
    number(&b, "store_failures_total", "counter", "Attempts to store that failed.",
           m->store_failures);
    number(&b, "store_up", "gauge", "1 if the store takes what it is given.", m->store_up);
    if (m->pages_us >= 0) {
        head(&b, "pages_cpu_seconds_total", "counter",
             "Processor time of pages and their streams.");
        buf_print(&b, "koikoi_pages_cpu_seconds_total %.3f\n", (double)m->pages_us / 1e6);
    }
    if (m->store_bytes >= 0)
        number(&b, "store_bytes", "gauge", "Size of the store's files.", m->store_bytes);
    number(&b, "messages_waiting", "gauge", "Messages their network has not taken yet.",
           m->waiting);
    number(&b, "messages_in_flight", "gauge", "Messages under way.", m->in_flight);
    jobs(&b, m);
    caches(&b, m);
    accounts(&b, m);
    sends(&b, m);
    return buf_str(&b);
}

/* ---- of the running daemon ---- */

/* -1 if the store is no file. */
static int64_t store_bytes(const struct loop *l)
{
    const struct str path = l->parts.config->store;
    const char *const ends[] = {"", "-wal"};
    int64_t n = -1;
    for (int i = 0; i < 2; i++) {
        char name[4096];
        struct stat st;
        snprintf(name, sizeof name, "%.*s%s", STR_ARG(path), ends[i]);
        if (stat(name, &st) == 0)
            n = (n < 0 ? 0 : n) + st.st_size;
    }
    return n;
}

static int64_t running(const struct loop *l)
{
    struct err err;
    int64_t n = l->waiting.retry_at ? -1 : store_running(l->store);
    return l->waiting.retry_at || store_take_failure(l->store, &err) ? -1 : n;
}

void metrics_count(const struct loop *l, struct metrics *ret)
{
    const struct inbox_caches in = inbox_caches(l->inbox);
    *ret = (struct metrics){.version = KOIKOI_VERSION,
                            .commit = embedded_commit(),
                            .schema = store_schema_newest(),
                            .started = l->started,
                            .running = running(l),
                            .begun = l->counts.begun,
                            .finished = l->counts.finished,
                            .store_bytes = store_bytes(l),
                            .thinking = work_times(l->work),
                            .pages_us = l->serving.web ? l->serving.pages_us : -1,
                            .updates = l->n_updates,
                            .store_failures = l->n_failures,
                            .store_up = l->waiting.retry_at == 0 && l->standby.ours,
                            .waiting = outbox_waiting(l->outbox),
                            .in_flight = outbox_in_flight(l->outbox),
                            .jobs = work_waiting(l->work),
                            .cache = {{"rows", store_cache(l->store)},
                                      {"rulesets", in.rulesets},
                                      {"sessions", in.sessions},
                                      {"reviews", in.reviews}}};
    if (l->drawing)
        ret->drawing = work_times(l->drawing);
    for (int i = 0; i < l->polling.n && i < METRICS_ACCOUNTS; i++) {
        const struct poller *p = &l->polling.at[i];
        const struct outbox_counts *c = outbox_counts(l->outbox, i);
        if (!p->account->away)
            ret->account[ret->n_accounts++] =
                (struct metrics_account){.name = p->account->name.p,
                                         .up = !p->dead && !p->failing,
                                         .silent_ms = p->heard ? loop_mono(l) - p->heard : -1,
                                         .sent = c->sent,
                                         .in_part = c->in_part,
                                         .later = c->later,
                                         .never = c->never,
                                         .limited = c->limited,
                                         .delay = c->delay};
    }
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
