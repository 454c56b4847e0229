/* See look_main.h. */
#include "look_main.h"

#include <stdio.h>
#include <time.h>

#include "config.h"
#include "health.h"
#include "http.h"
#include "session.h"
#include "store.h"
#include "store_look.h"
#include "tool.h"

enum {
    ARENA_BYTES = 256 << 20,
    PAGE = 256,
    TIME_SIZE = 24,
    PATIENCE_MS = 10000,
    LOOKS = 250,
    LOOK_MS = 20
};

/* A store that is open to be read, or to be written to beside the daemon. */
struct look {
    struct arena *a;
    struct config config;
    struct store *store;
    struct err err;
};

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

typedef bool opener(struct str where, struct store **ret, struct err *err);

static bool look_open(struct look *l, struct str file, opener *open)
{
    *l = (struct look){.a = arena_open(ARENA_BYTES)};
    return config_load(file, STR(""), l->a, &l->config, &l->err) &&
           open(l->config.store, &l->store, &l->err);
}

/* Prints the failure, if there was one. */
static int look_close(struct look *l, const char *command, bool good)
{
    int status = good ? TOOL_GOOD : tool_failed(command, &l->err);
    store_close(l->store);
    arena_close(l->a);
    return fflush(stdout) == 0 ? status : TOOL_BAD;
}

/* ---- matches ---- */

static const char *state_text(const struct session *s)
{
    if (s->phase == SESSION_OFFERED)
        return "challenge";
    return s->move.overdue ? "out of time" : "playing";
}

static void print_match(const struct session_row *row, struct ruleset_cache *rulesets)
{
    struct session s;
    char due[TIME_SIZE];
    const char *wrong = row->damaged ? "its checksum" : session_read(row->line, rulesets, &s);
    if (wrong) {
        printf("#%lld  damaged: %s\n", (long long)row->id, wrong);
        return;
    }
    printf("#%lld  %s  %s  until %s  in \"%s\" ", (long long)row->id, state_text(&s), s.rules.name,
           time_text(row->due, due), s.venue[0].chat_name);
    for (int i = 0; i < s.players; i++)
        printf("%s%s", i ? " – " : " ", s.player[i].name[0] ? s.player[i].name : "?");
    if (s.phase == SESSION_PLAYING)
        printf("  round %d of %d", s.match.round_no, s.rules.rounds);
    printf("\n");
}

static bool print_matches(struct look *l, int64_t *ret_n)
{
    struct ruleset_cache rulesets = {0};
    struct session_rows rows = {0};
    int64_t after = 0;
    do {
        arena_reset(l->a);
        if (!store_live_sessions(l->store, l->a, after, PAGE, &rows, &l->err))
            return false;
        for (int i = 0; i < rows.n; i++)
            print_match(&rows.at[i], &rulesets);
        after = rows.n ? rows.at[rows.n - 1].id : after;
        *ret_n += rows.n;
    } while (rows.n == PAGE);
    return true;
}

int matches_main(int argc, char **argv)
{
    struct str file = {0};
    struct look look;
    int64_t n = 0;
    if (tool_take_config(argc, argv, &file) != 1) {
        fprintf(stderr, "usage: koikoi matches [--config FILE]\n");
        return TOOL_MISUSED;
    }
    bool good = look_open(&look, file, store_open_to_read) && print_matches(&look, &n);
    if (good)
        printf("running matches: %lld\n", (long long)n);
    return look_close(&look, "matches", good);
}

/* ---- outbox ---- */

static bool print_outbox(struct look *l, int64_t *ret_n)
{
    struct waiting_messages rows = {0};
    int64_t after = 0;
    char time[TIME_SIZE];
    do {
        arena_reset(l->a);
        if (!store_waiting_messages(l->store, l->a, after, PAGE, &rows, &l->err))
            return false;
        for (int i = 0; i < rows.n; i++) {
            const struct waiting_message *m = &rows.at[i];
            printf("%lld  %.*s  %.*s  %.*s  tries %lld%s  not before %s  %lld bytes\n",
                   (long long)m->id, STR_ARG(m->account), STR_ARG(m->lane),
                   STR_ARG(m->slot.n ? m->slot : STR("-")), (long long)m->tries,
                   m->attempted ? " (may have arrived)" : "", time_text(m->not_before, time),
                   (long long)m->bytes);
        }
        after = rows.n ? rows.at[rows.n - 1].id : after;
        *ret_n += rows.n;
    } while (rows.n == PAGE);
    return true;
}

int outbox_main(int argc, char **argv)
{
    struct str file = {0};
    struct look look;
    int64_t n = 0;
    if (tool_take_config(argc, argv, &file) != 1) {
        fprintf(stderr, "usage: koikoi outbox [--config FILE]\n");
        return TOOL_MISUSED;
    }
    bool good = look_open(&look, file, store_open_to_read) && print_outbox(&look, &n);
    if (good)
        printf("waiting messages: %lld\n", (long long)n);
    return look_close(&look, "outbox", good);
}

/* ---- quarantine ---- */

static bool print_quarantine(struct look *l, int64_t *ret_n)
{
    struct quarantined_rows rows = {0};
    int64_t after = 0;
    char time[TIME_SIZE];
    do {
        arena_reset(l->a);
        if (!store_quarantined(l->store, l->a, after, PAGE, &rows, &l->err))
            return false;
        for (int i = 0; i < rows.n; i++)
            printf("%lld  %s  %.*s  %.*s  %zu bytes%s\n", (long long)rows.at[i].id,
                   time_text(rows.at[i].at, time),
                   STR_ARG(rows.at[i].account.n ? rows.at[i].account : STR("match")),
                   STR_ARG(rows.at[i].why), rows.at[i].raw.n,
                   rows.at[i].again ? "  waits to be tried again" : "");
        after = rows.n ? rows.at[rows.n - 1].id : after;
        *ret_n += rows.n;
    } while (rows.n == PAGE);
    return true;
}

static bool find_quarantined(struct look *l, int64_t id, struct quarantined *ret, bool *ret_found)
{
    struct quarantined_rows rows;
    arena_reset(l->a);
    if (!store_quarantined(l->store, l->a, id - 1, 1, &rows, &l->err))
        return false;
    *ret_found = rows.n > 0 && rows.at[0].id == id;
    if (*ret_found)
        *ret = rows.at[0];
    return true;
}

static bool no_row(struct look *l, int64_t id)
{
    return err_set(&l->err, "there is no row %lld", (long long)id);
}

static bool show_quarantined(struct look *l, int64_t id)
{
    struct quarantined row;
    bool found;
    if (!find_quarantined(l, id, &row, &found))
        return false;
    if (!found)
        return no_row(l, id);
    fwrite(row.raw.p, 1, row.raw.n, stdout);
    putchar('\n');
    return true;
}

static bool drop_quarantined(struct look *l, int64_t id)
{
    bool found = false;
    if (!store_drop_quarantined(l->store, id, &found, &l->err))
        return false;
    if (!found)
        return no_row(l, id);
    printf("dropped %lld\n", (long long)id);
    return true;
}

/* Wakes the daemon of this configuration, which looks whether a row waits for it; it answers once a
 * turn of its loop. Returns false if there is none. */
static bool wake_daemon(const struct look *l)
{
    char line[HEALTH_LINE];
    struct err ignored;
    struct arena *a = arena_open(1 << 16);
    bool woken = health_ask(arena_print(a, "%.*s/" HEALTH_SOCKET, STR_ARG(l->config.state_dir)).p,
                            PATIENCE_MS, line, &ignored);
    arena_close(a);
    return woken;
}

static bool retry_quarantined(struct look *l, int64_t id)
{
    struct quarantined row = {.again = true};
    struct http *http; /* waits */
    bool found = false;
    if (!store_want_again(l->store, id, &found, &l->err))
        return false;
    if (!found)
        return no_row(l, id);
    if (!http_open(&http, &l->err))
        return false;
    bool good = true;
    for (int looks = 0; looks < LOOKS && good && found && row.again && wake_daemon(l); looks++) {
        if (looks > 0) /* it may be busy, or wait for a store that failed */
            http_wait(http, NULL, 0, LOOK_MS);
        good = find_quarantined(l, id, &row, &found);
    }
    http_close(http);
    if (!good)
        return false;
    if (found && !row.again)
        return err_set(&l->err, "%lld could not be handled: %.*s", (long long)id, STR_ARG(row.why));
    printf(found ? "%lld waits: the daemon that has the store, or has it next, tries it\n"
                 : "handled %lld\n",
           (long long)id);
    return true;
}

int quarantine_main(int argc, char **argv)
{
    static const struct {
        const char *word;
        opener *open;
        bool (*act)(struct look *l, int64_t id);
    } acts[] = {{"drop", store_open_beside, drop_quarantined},
                {"again", store_open_beside, retry_quarantined},
                {"", store_open_to_read, show_quarantined}};
    struct str file = {0};
    struct look look;
    int64_t id = 0, n = 0;
    int left = tool_take_config(argc, argv, &file), act = 0;
    const char *word = left == 3 ? argv[1] : "";
    while (act < 2 && strcmp(acts[act].word, word) != 0)
        act++;
    bool understood = left >= 1 && left <= 3 && strcmp(acts[act].word, word) == 0;
    if (!understood || (left > 1 && (!str_int(str_of(argv[left - 1]), &id) || id < 1))) {
        fprintf(stderr, "usage: koikoi quarantine [--config FILE] [ID | again ID | drop ID]\n");
        return TOOL_MISUSED;
    }
    bool good = look_open(&look, file, acts[act].open) &&
                (id > 0 ? acts[act].act(&look, id) : print_quarantine(&look, &n));
    if (good && id == 0)
        printf("rows in quarantine: %lld\n", (long long)n);
    return look_close(&look, "quarantine", good);
}
