/* Pages about results in a large chat: 500 people, 20,000 matches. One line of JSON a page: the
 * median and the worst time of the processor for it, in ms, over everybody's question once.
 *
 *     results_bench          all of it
 *     results_bench 1        a tenth of the people and matches, to see that it runs
 */
#include "fixture/scratch.h"
#include "inbox_results.h"
#include "rng.h"
#include "store.h"

#include <stdlib.h>
#include <time.h>

enum { CHAT = 1, PEOPLE = 500, MATCHES = 20000, AT_ONCE = 500, ARENA_BYTES = 64 << 20 };
static const int64_t START = INT64_C(1791000000000), HOUR = 3600 * 1000; /* October 2026 */

static struct store *store;
static struct arena *turn;
static struct err err;
static int people, matches;
static int64_t who[PEOPLE];

static void must(bool good)
{
    if (!good) {
        fprintf(stderr, "results_bench: %s\n", err.text);
        exit(1);
    }
}

static double ms_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Some play much more than others, and the strong win more often. */
static int somebody(struct rng *rng)
{
    int a = (int)rng_below(rng_next(rng), (unsigned)people);
    int b = (int)rng_below(rng_next(rng), (unsigned)people);
    return a < b ? a : b;
}

static void play(struct rng *rng, int no)
{
    struct played rows[2];
    int one = somebody(rng), other = somebody(rng);
    if (one == other)
        other = (one + 1) % people;
    int won = (int)rng_below(rng_next(rng), 100) < 50 + (one - other) * 40 / people ? 0 : 1;
    for (int i = 0; i < 2; i++) {
        int64_t points = (int64_t)rng_below(rng_next(rng), 60);
        rows[i] = (struct played){.chat = CHAT,
                                  .session = no + 1,
                                  .seat = i,
                                  .person = who[i == 0 ? one : other],
                                  .at = START + no * HOUR / 12,
                                  .day = (START + no * HOUR / 12) / (24 * HOUR),
                                  .rateable = 1,
                                  .tally.won = won == i,
                                  .tally.lost = won != i,
                                  .tally.points = won == i ? points : -points,
                                  .tally.rounds = 6,
                                  .tally.rounds_won = 2 + (won == i),
                                  .tally.calls = 2,
                                  .tally.calls_won = won == i,
                                  .best = points,
                                  .accuracy = NO_ACCURACY,
                                  .season = STR("2026-Q4"),
                                  .also = STR("2026-11 2026"),
                                  .rules = STR("sensei"),
                                  .best_hand = STR("sanko=5 x=2"),
                                  .yaku = STR("sanko=1 tane=2 kasu=1")};
    }
    results_add(store, turn, rows, 2);
}

static void fill(void)
{
    struct rng rng = rng_seed(7);
    store_begin(store);
    if (store_chat(store, turn, 1, STR("tea"), STR("Tea"), false).id != CHAT)
        must(err_set(&err, "expected chat %d", CHAT));
    for (int i = 0; i < people; i++) {
        struct person p;
        struct str id = arena_print(turn, "p%d", i);
        struct sender s = {.id = id, .name = arena_print(turn, "Person %d", i), .handle = id};
        p = store_person(store, turn, 1, &s);
        who[i] = p.id;
    }
    for (int i = 0; i < matches; i++) {
        play(&rng, i);
        arena_reset(turn);
        if (i % AT_ONCE == AT_ONCE - 1) {
            must(store_commit(store, &err));
            store_begin(store);
        }
    }
    must(store_commit(store, &err));
}

/* ---- pages ---- */

static struct figures_asked asked_by(int64_t person)
{
    return (struct figures_asked){CHAT, person, STR("2026-Q4"), START + matches * HOUR / 12};
}

static void board(int64_t person, int i)
{
    struct season_asked asked = {.chat = CHAT,
                                 .asker = person,
                                 .now = START + matches * HOUR / 12,
                                 .page = i % (people / BOARD_ROWS)};
    must(season_read(STR("2026-Q4"), &asked.key));
    asked.running = asked.key;
    asked.ends = asked.now + HOUR;
    season_table_load(store, turn, &asked);
}

static void stats(int64_t person, int i)
{
    (void)i;
    const struct figures_asked asked = asked_by(person);
    figures_load(store, turn, &asked);
}

static void history(int64_t person, int i)
{
    (void)i;
    const struct figures_asked asked = asked_by(person);
    figures_history(store, turn, &asked, 0, INT64_MAX);
}

static void versus(int64_t person, int i)
{
    const struct figures_asked asked = asked_by(person);
    int64_t other = who[(i + 1) % people];
    figures_versus(store, turn, &asked, other);
    figures_history(store, turn, &asked, other, INT64_MAX);
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, void (*page)(int64_t person, int i))
{
    double ms[PEOPLE];
    for (int i = 0; i < people; i++) {
        arena_reset(turn);
        double start = ms_now();
        page(who[i], i);
        ms[i] = ms_now() - start;
    }
    qsort(ms, (size_t)people, sizeof *ms, by_time);
    printf("{\"bench\":\"results\",\"page\":\"%s\",\"people\":%d,\"matches\":%d,\"p50_ms\":%.2f,"
           "\"p99_ms\":%.2f,\"max_ms\":%.2f}\n",
           name, people, matches, ms[people / 2], ms[people * 99 / 100], ms[people - 1]);
}

int main(int argc, char **argv)
{
    (void)argv;
    int64_t counted;
    people = argc > 1 ? PEOPLE / 10 : PEOPLE;
    matches = argc > 1 ? MATCHES / 10 : MATCHES;
    turn = arena_open(ARENA_BYTES);
    if (!scratch_open() || !store_open(scratch_store(), &store, &err))
        must(false);
    double start = ms_now();
    fill();
    printf("{\"bench\":\"results\",\"page\":\"end of a match\",\"mean_ms\":%.3f}\n",
           (ms_now() - start) / matches);
    measure("board", board);
    measure("stats", stats);
    measure("history", history);
    measure("versus", versus);
    start = ms_now();
    store_begin(store);
    counted = results_recount(store);
    must(store_commit(store, &err));
    printf("{\"bench\":\"results\",\"page\":\"recount\",\"matches\":%lld,\"ms\":%.0f}\n",
           (long long)counted, ms_now() - start);
    store_close(store);
    scratch_close();
    return 0;
}
