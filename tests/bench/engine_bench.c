/* How fast the engine is, one JSON object a figure: rounds a second through the public API, rounds a
 * second of the search's own playout, nanoseconds a pile. CPU time of one core, median of the runs.
 * Shuffling is part of a round; its generator is here because the engine has no chance of its own.
 *
 *     build/tests/bench/engine_bench [RUNS]
 */
#include "engine/presets.h"
#include "playout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_RUNS = 99, ROUNDS = 50000, PILES = 4096 };

static uint64_t state = 0x9e3779b97f4a7c15u;

static inline uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Fisher-Yates from deck[0] upward; one draw gives three places. A round of two sees 40 cards at most:
 * the rest stays as it lies. */
static inline void shuffle(uint8_t *deck)
{
    for (int i = 0; i < 42; i += 3) {
        uint64_t x = draw();
        for (int k = 0; k < 3; k++) {
            int j = i + k + (int)(((x & 0xffff) * (uint64_t)(N_CARDS - i - k)) >> 16);
            uint8_t card = deck[i + k];
            x >>= 20;
            deck[i + k] = deck[j];
            deck[j] = card;
        }
    }
}

static void new_deck(uint8_t *deck)
{
    for (int c = 0; c < N_CARDS; c++)
        deck[c] = (uint8_t)c;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static volatile int64_t sink;

/* One figure: `work` does `units` of something and is timed `runs` times. */
struct figure {
    char name[64];
    const char *unit;
    double target;                    /* 0: none */
    bool per_second;                  /* else nanoseconds a unit */
    int64_t units;
    void (*work)(const struct ruleset *g);
    const struct ruleset *g;
};

static double measure(const struct figure *f, int runs)
{
    double values[MAX_RUNS];

    for (int i = 0; i < runs; i++) {
        double start = cpu_seconds();
        f->work(f->g);
        double spent = cpu_seconds() - start;
        values[i] = f->per_second ? (double)f->units / spent : spent / (double)f->units * 1e9;
    }
    qsort(values, (size_t)runs, sizeof values[0], by_value);
    printf("{\"name\":\"%s\",\"median\":%.6g,\"best\":%.6g,\"unit\":\"%s\",\"runs\":%d,\"target\":", f->name,
           values[runs / 2], values[f->per_second ? runs - 1 : 0], f->unit, runs);
    printf(f->target > 0 ? "%g}\n" : "null}\n", f->target);
    fflush(stdout);
    return values[runs / 2];
}

static void api_rounds(const struct ruleset *g)
{
    uint8_t deck[N_CARDS];
    struct round r;
    struct move moves[MAX_MOVES];
    int64_t points = 0;

    new_deck(deck);
    for (int i = 0; i < ROUNDS; i++) {
        shuffle(deck);
        round_deal(g, 2, i & 1, deck, &r, NULL);
        while (r.phase != PHASE_OVER) {
            int n = round_legal(g, &r, r.turn, moves);
            int k = (int)(((draw() >> 32) * (uint64_t)n) >> 32);
            round_apply(g, &r, r.turn, moves[k], NULL);
        }
        points += r.result.points;
    }
    sink = points;
}

static void deals(const struct ruleset *g)
{
    uint8_t deck[N_CARDS];
    struct round r;

    new_deck(deck);
    for (int i = 0; i < ROUNDS; i++) {
        shuffle(deck);
        round_deal(g, 2, i & 1, deck, &r, NULL);
        sink = r.phase;
    }
}

/* The search's playout, from the deal: by chance, or as a simple player would. */
static struct playout_policy policy;

static void playouts(const struct ruleset *g)
{
    struct luck c = luck_seed(7);
    struct playout world;
    struct playout_end end;
    int64_t points = 0;

    for (int i = 0; i < ROUNDS; i++) {
        playout_deal(g, i & 1, &c, &world);
        playout_run(g, &policy, &c, &world, &end);
        points += end.points;
    }
    sink = points;
}

static cardset piles[PILES];

static void scores(const struct ruleset *g)
{
    int64_t sum = 0;

    for (int k = 0; k < 300; k++)
        for (int i = 0; i < PILES; i++)
            sum += score_base(g, piles[i]);
    sink = sum;
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 7;
    runs = runs < 1 ? 1 : runs > MAX_RUNS ? MAX_RUNS : runs;
    for (int i = 0; i < PILES; i++)
        piles[i] = draw() & draw() & ALL_CARDS;

    measure(&(struct figure){ "score_base", "ns/pile", 1.5, false, 300 * PILES, scores, preset(PRESET_STANDARD) }, runs);
    measure(&(struct figure){ "shuffle_and_deal", "ns/deal", 0, false, ROUNDS, deals, preset(PRESET_STANDARD) }, runs);
    for (int koikoi = 0; koikoi <= 256; koikoi += 128) {
        struct figure f = { .unit = "rounds/s", .per_second = true, .units = ROUNDS, .work = playouts,
                            .g = preset(PRESET_STANDARD), .target = koikoi == 128 ? 3e6 : 0 };
        policy = (struct playout_policy){ .koikoi = (uint8_t)(koikoi > 255 ? 255 : koikoi) };
        snprintf(f.name, sizeof f.name, "search_playout_koikoi_%d_of_256", koikoi);
        measure(&f, runs);
    }
    for (int p = N_PRESETS; p-- > 0; ) {
        struct figure f = { .unit = "rounds/s", .per_second = true, .units = ROUNDS, .work = api_rounds,
                            .g = preset(p), .target = p == PRESET_STANDARD ? 1.4e6 : 0 };
        snprintf(f.name, sizeof f.name, "api_playout_%s", presets[p].name);
        measure(&f, runs);
    }
    return 0;
}
