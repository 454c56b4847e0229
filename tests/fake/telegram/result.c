/* See result.h. */
#include "result.h"

#include "api.h"
#include "fake/telegram/bot/crash.h"
#include "options.h"
#include "fake/telegram/http/wire.h"

#include <math.h>

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

double result_percentile_ms(uint32_t *us, int64_t n, double p)
{
    if (n == 0)
        return 0;
    qsort(us, (size_t)n, sizeof *us, by_value);
    return us[(int64_t)ceil(p * (double)n) - 1] / 1000.0;
}

void result_begin(struct text_buffer *t)
{
    text_put(t, "{\"label\":");
    text_json(t, opt.label);
    text_put(t, ",");
}

void result_print(struct text_buffer *t)
{
    text_print(
        t,
        "\"connections\":%llu,\"polls\":%lld,\"updates_per_poll\":%.1f,\"sends\":%lld,"
        "\"edits\":%lld,"
        "\"erased\":%lld,\"answers\":%lld,\"pictures\":%lld,\"bytes\":%lld,\"refused\":%lld,",
        (unsigned long long)wire_connections(), (long long)counts.polls,
        counts.full_polls ? (double)counts.handed / (double)counts.full_polls : 0,
        (long long)counts.sends, (long long)counts.edits, (long long)counts.erased,
        (long long)counts.answers, (long long)counts.pictures, (long long)counts.bytes,
        (long long)counts.refused);
    text_print(
        t,
        "\"n_429\":%lld,\"early_429\":%lld,\"resent_429\":%lld,\"n_502\":%lld,\"resets\":%lld,"
        "\"cuts\":%lld,\"doubled_updates\":%lld,\"swapped_polls\":%lld,\"ordered_deaths\":%lld,"
        "\"brought\":%lld,\"side_by_side\":%lld,"
        "\"refused_hooks\":%lld}",
        (long long)counts.n_429, (long long)counts.early_429, (long long)counts.resent_429,
        (long long)counts.n_502, (long long)counts.resets, (long long)counts.cuts,
        (long long)counts.doubled, (long long)counts.swapped, (long long)crash_count(),
        (long long)counts.webhook_read, (long long)counts.side_by_side,
        (long long)counts.refused_hooks);
    puts(t->p);
}
