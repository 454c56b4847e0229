/* Commands for a host who wants to know how the daemon is and what it holds, beside the running
 * daemon: see tool.h. */
#include "tool.h"

#include <stdio.h>
#include <time.h>

#include "http.h"
#include "session.h"
#include "store_quarantine.h"

enum { PAGE = 256, TIME_SIZE = 24 };

/* "2026-11-22 18:05:00", UTC; "-" for 0 */
static const char *time_text(int64_t unix_ms, char ret[static TIME_SIZE])
{
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm utc;
    if (unix_ms <= 0 || !gmtime_r(&seconds, &utc) ||
        strftime(ret, TIME_SIZE, "%Y-%m-%d %H:%M:%S", &utc) == 0)
        snprintf(ret, TIME_SIZE, "-");
    return ret;
}

/* The last line of a list, unless the store failed. */
static enum tool_status print_count(const struct tool *t, const char *what, int64_t n)
{
    if (store_failed(t->store))
        return TOOL_BAD;
    printf("%s: %lld\n", what, (long long)n);
    return TOOL_GOOD;
}

enum tool_status health_main(struct tool *t)
{
    enum { PATIENCE_MS = 5000 };
    struct str said;
    bool absent;
    bool good = tool_ask(t, PATIENCE_MS, "health", &said, &absent);
    if (good || said.n)
        printf("%.*s\n", STR_ARG(good ? STR("ok") : said));
    if (said.n)
        t->err = (struct err){""}; /* it is the answer */
    return good ? TOOL_GOOD : TOOL_BAD;
}

enum tool_status status_main(struct tool *t)
{
    enum { PATIENCE_MS = 5000 };
    struct str said;
    bool absent;
    if (!tool_ask(t, PATIENCE_MS, "status", &said, &absent))
        return TOOL_BAD;
    printf("%.*s", STR_ARG(said));
    return TOOL_GOOD;
}

/* ---- matches ---- */

static void print_match(const struct session_row *row, struct ruleset_cache *rulesets)
{
    struct session s;
    char due[TIME_SIZE];
    const char *wrong = row->damaged ? "its checksum" : session_read(row->line, rulesets, &s);
    if (wrong) {
        printf("#%lld  damaged: %s\n", (long long)row->id, wrong);
        return;
    }
    const char *state = s.phase == SESSION_OFFERED ? "challenge"
                        : s.move.overdue           ? "out of time"
                                                   : "playing";
    /* of a match the end of the time for the move: its timer may be an earlier one, of a warning */
    int64_t until = s.phase == SESSION_PLAYING ? session_deadline(&s) : row->due;
    printf("#%lld  %s  %s  until %s  in \"%s\" ", (long long)row->id, state, s.rules.name,
           time_text(until, due), s.venue[0].chat_name);
    for (int i = 0; i < s.players; i++)
        printf("%s%s", i ? " – " : " ", s.player[i].name[0] ? s.player[i].name : "?");
    if (s.phase == SESSION_PLAYING)
        printf("  round %d of %d", s.match.round_no, s.rules.rounds);
    printf("\n");
}

enum tool_status matches_main(struct tool *t)
{
    struct ruleset_cache rulesets = {0};
    struct session_rows rows = {.n = PAGE};
    int64_t n = 0;
    if (!tool_open(t, store_open_to_read))
        return TOOL_BAD;
    for (int64_t after = 0; rows.n == PAGE; n += rows.n) {
        arena_reset(t->scratch);
        rows = store_live_sessions(t->store, t->scratch, after, PAGE);
        for (int i = 0; i < rows.n; i++) {
            print_match(&rows.at[i], &rulesets);
            after = rows.at[i].id;
        }
    }
    return print_count(t, "running matches", n);
}

/* ---- outbox ---- */

enum tool_status outbox_main(struct tool *t)
{
    struct waiting_messages rows = {.n = PAGE};
    int64_t n = 0;
    char time[TIME_SIZE];
    if (!tool_open(t, store_open_to_read))
        return TOOL_BAD;
    for (int64_t after = 0; rows.n == PAGE; n += rows.n) {
        arena_reset(t->scratch);
        rows = store_waiting_messages(t->store, t->scratch, after, PAGE);
        for (int i = 0; i < rows.n; i++) {
            const struct waiting_message *m = &rows.at[i];
            printf("%lld  %.*s  %.*s  %.*s  tries %lld%s  not before %s  %lld bytes\n",
                   (long long)m->id, STR_ARG(m->account), STR_ARG(m->lane),
                   STR_ARG(m->slot.n ? m->slot : STR("-")), (long long)m->tries,
                   m->attempted ? " (may have arrived)" : "", time_text(m->not_before, time),
                   (long long)m->bytes);
            after = m->id;
        }
    }
    return print_count(t, "waiting messages", n);
}

/* ---- quarantine ---- */

static bool print_quarantine(struct tool *t, int64_t id)
{
    struct quarantined_rows rows = {.n = PAGE};
    int64_t n = 0;
    char time[TIME_SIZE];
    (void)id;
    for (int64_t after = 0; rows.n == PAGE; n += rows.n) {
        arena_reset(t->scratch);
        rows = store_quarantined(t->store, t->scratch, after, PAGE);
        for (int i = 0; i < rows.n; i++) {
            const struct quarantined *q = &rows.at[i];
            printf("%lld  %s  %.*s  %.*s  %zu bytes%s\n", (long long)q->id, time_text(q->at, time),
                   STR_ARG(q->account.n ? q->account : STR("match")), STR_ARG(q->why), q->raw.n,
                   q->again ? "  waits to be tried again" : "");
            after = q->id;
        }
    }
    return print_count(t, "rows in quarantine", n) == TOOL_GOOD;
}

/* Returns NULL if there is no such row. */
static const struct quarantined *find_quarantined(struct tool *t, int64_t id)
{
    arena_reset(t->scratch);
    struct quarantined_rows rows = store_quarantined(t->store, t->scratch, id - 1, 1);
    return rows.n > 0 && rows.at[0].id == id ? &rows.at[0] : NULL;
}

static bool no_row(struct tool *t, int64_t id)
{
    return err_set(&t->err, "there is no row %lld", (long long)id);
}

static bool show_quarantined(struct tool *t, int64_t id)
{
    const struct quarantined *row = find_quarantined(t, id);
    if (!row)
        return no_row(t, id);
    fwrite(row->raw.p, 1, row->raw.n, stdout);
    putchar('\n');
    return true;
}

static bool drop_quarantined(struct tool *t, int64_t id)
{
    if (!store_drop_quarantined(t->store, id))
        return no_row(t, id);
    printf("dropped %lld\n", (long long)id);
    return true;
}

static bool retry_quarantined(struct tool *t, int64_t id)
{
    enum { LOOKS = 250, LOOK_MS = 20, PATIENCE_MS = 10000 };
    struct str said; /* of no interest: a question wakes the daemon, which looks for rows */
    bool absent;
    struct http *http; /* waits */
    if (!store_want_again(t->store, id))
        return no_row(t, id);
    if (store_failed(t->store) || !http_open(&http, &t->err))
        return false;
    const struct quarantined *row = find_quarantined(t, id);
    for (int looks = 0; looks < LOOKS && row && row->again; looks++) {
        if (!tool_ask(t, PATIENCE_MS, "health", &said, &absent)) {
            t->err = (struct err){""}; /* the next one tries it */
            break;
        }
        if (looks > 0) /* it may be busy, or wait for a store that failed */
            http_wait(http, NULL, 0, LOOK_MS);
        row = find_quarantined(t, id);
    }
    http_close(http);
    if (store_failed(t->store))
        return false;
    if (row && !row->again)
        return err_set(&t->err, "%lld could not be handled: %.*s", (long long)id,
                       STR_ARG(row->why));
    printf(row ? "%lld waits: the daemon that has the store, or has it next, tries it\n"
               : "handled %lld\n",
           (long long)id);
    return true;
}

enum tool_status quarantine_main(struct tool *t)
{
    static const struct {
        const char *word;
        int arguments;
        tool_opener *open;
        bool (*act)(struct tool *t, int64_t id);
    } acts[] = {{"", 0, store_open_to_read, print_quarantine},
                {"", 1, store_open_to_read, show_quarantined},
                {"drop", 2, store_open_beside, drop_quarantined},
                {"again", 2, store_open_beside, retry_quarantined}};
    const char *word = t->argc == 2 ? t->argv[0] : "";
    int64_t id = 0;
    if (t->argc > 0 && (!str_int(str_of(t->argv[t->argc - 1]), &id) || id < 1))
        return TOOL_USAGE;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (acts[i].arguments == t->argc && strcmp(acts[i].word, word) == 0)
            return tool_open(t, acts[i].open) && acts[i].act(t, id) ? TOOL_GOOD : TOOL_BAD;
    return TOOL_USAGE;
}
