/* Speed of the engine, one JSON object a figure: rounds a second through the public API,
 * nanoseconds a pile and a deal, and what rule options cost. (How many rounds the search of the
 * computer player finishes: search_bench.c.)
 *
 *     build/tests/bench/engine_bench [RUNS]
 *
 * CPU time of one core: the median and the best of the runs; on a shared machine the best is more
 * reliable. machine_ghz_effective is the clock of that core in a loop of known length, measured in
 * the same run. A round includes its shuffle; the generator stands here because the engine has no
 * randomness of its own.
 *
 * The cost of an option is the time of a step with it over that of `standard`, in runs in between.
 * A step is a move made or a move listed, as options change how many there are. Both sides always
 * call koi-koi, so that the compared rounds have one length. `work` is steps a round over those of
 * `standard`; work * median is what a round costs. mongolopedia turns five options at once and has
 * no target; each of the five has one.
 */
#include "engine/presets.h"
#include "round.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_RUNS = 99, ROUNDS = 10000, PILES = 4096, TIMES = 60 };

static uint64_t state = 0x9e3779b97f4a7c15u;

static inline uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Fisher-Yates from deck[0] upward; one draw gives four positions. A round for two uses at most 40
 * cards: the rest is not shuffled. */
static inline void shuffle(uint8_t *deck)
{
    for (int i = 0; i < 40; i += 4) {
        uint64_t x = draw();
        for (int k = i; k < i + 4; k++, x >>= 16) {
            int j = k + (int)(((x & 0xffff) * (uint64_t)(N_CARDS - k)) >> 16);
            uint8_t card = deck[k];
            deck[k] = deck[j];
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

/* ---- Timed functions: each returns its number of units --------------------------------------- */

static int64_t steps;      /* moves made and listed */
static bool always_koikoi; /* whenever it may be called; else by chance */

static int64_t api_rounds(const struct ruleset *g)
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
            round_apply(g, &r, r.turn, moves[always_koikoi && r.phase == PHASE_DECIDE ? 0 : k],
                        NULL);
            steps += 1 + n;
        }
        points += r.result.points;
    }
    sink = points;
    return ROUNDS;
}

static int64_t api_steps(const struct ruleset *g)
{
    int64_t before = steps;
    api_rounds(g);
    return steps - before;
}

static int64_t deals(const struct ruleset *g)
{
    uint8_t deck[N_CARDS];
    struct round r;
    new_deck(deck);
    for (int i = 0; i < ROUNDS; i++) {
        shuffle(deck);
        round_deal(g, 2, i & 1, deck, &r, NULL);
        sink = r.phase;
    }
    return ROUNDS;
}

static cardset piles[PILES];

static int64_t scores(const struct ruleset *g)
{
    int64_t sum = 0;
    for (int k = 0; k < TIMES; k++)
        for (int i = 0; i < PILES; i++)
            sum += pile_base(g, piles[i], false);
    sink = sum;
    return (int64_t)TIMES * PILES;
}

/* Multiplications that wait for each other take three cycles each on every x86-64 of these
 * years. */
static int64_t cycles(const struct ruleset *g)
{
    enum { STEPS = 200000 };
    uint64_t x = 3;
    (void)g;
    for (int i = 0; i < STEPS; i++) {
        x *= 0x9e3779b97f4a7c15u;
        __asm__ volatile("" : "+r"(x));
    }
    sink = (int64_t)x;
    return 3 * STEPS;
}

/* ---- Figures --------------------------------------------------------------------------------- */

struct figure {
    const char *name, *unit;
    int64_t (*work)(const struct ruleset *g);
    const struct ruleset *g;
    double target;    /* 0: none */
    double per;       /* unit in that many nanoseconds; 0: nanoseconds a unit */
    double work_done; /* units compared with the baseline; 0: no comparison */
};

static int64_t units; /* of the last timed run */

static double nanoseconds(int64_t (*work)(const struct ruleset *g), const struct ruleset *g)
{
    double start = cpu_seconds();
    units = work(g);
    return (cpu_seconds() - start) * 1e9 / (double)units;
}

static void print(const struct figure *f, double median, double best, int runs)
{
    printf("{\"name\":\"%s\",\"median\":%.6g,\"best\":%.6g,\"unit\":\"%s\",\"runs\":%d,", f->name,
           median, best, f->unit, runs);
    if (f->work_done > 0)
        printf("\"work\":%.3f,", f->work_done);
    printf("\"target\":");
    printf(f->target > 0 ? "%g}\n" : "null}\n", f->target);
    fflush(stdout);
}

static void measure(const struct figure *f, int runs)
{
    double ns[MAX_RUNS];
    for (int i = 0; i < runs; i++)
        ns[i] = nanoseconds(f->work, f->g);
    qsort(ns, (size_t)runs, sizeof ns[0], by_value);
    double median = ns[runs / 2], best = ns[0];
    print(f, f->per > 0 ? f->per / median : median, f->per > 0 ? f->per / best : best, runs);
}

/* Time of a unit with the option over a unit of `standard`, measured in turn: ratios of the bests
 * and of the medians. */
static void compare(const char *what, const char *name, int64_t (*work)(const struct ruleset *g),
                    const struct rules *r, double target, int runs)
{
    double ns[2][MAX_RUNS];
    int64_t did[2] = {0};
    struct ruleset g;
    char full[96];
    snprintf(full, sizeof full, "%s_cost_%s", what, name);
    ruleset_make(r, &g);
    for (int i = 0; i < runs; i++) {
        ns[0][i] = nanoseconds(work, preset(PRESET_STANDARD));
        did[0] += units;
        ns[1][i] = nanoseconds(work, &g);
        did[1] += units;
    }
    for (int k = 0; k < 2; k++)
        qsort(ns[k], (size_t)runs, sizeof ns[k][0], by_value);
    print(&(struct figure){.name = full,
                           .unit = "x standard",
                           .target = target,
                           .work_done = (double)did[1] / (double)did[0]},
          ns[1][runs / 2] / ns[0][runs / 2], ns[1][0] / ns[0][0], runs);
}

/* `standard` with one option changed. */
enum {
    HIKI,
    OYA_KAN,
    RAIN,
    BOTH,
    APART,
    DECLARED,
    PAIRS_OFF,
    OPTIONAL,
    WILD,
    REDEAL,
    ADD,
    ALL_DOUBLE,
    N_RULES_OPTIONS
};

static struct rules turned(int rules_option)
{
    struct rules r = presets[PRESET_STANDARD];
    switch (rules_option) {
    case HIKI:
        r.yaku[YAKU_HIKI] = 4;
        break;
    case OYA_KAN:
        r.exhausted = EXHAUSTED_OYA_KAN;
        break;
    case RAIN:
        r.rain_cancels = RAIN_RAINMAN_OR_LIGHTNING;
        break;
    case BOTH:
        r.viewing_both = 8;
        break;
    case APART:
        r.viewing_with_brights = false;
        break;
    case DECLARED:
        r.claim = CLAIM_DECLARED;
        break;
    case PAIRS_OFF:
        r.hand_yaku[HAND_PAIRS] = 0;
        break;
    case OPTIONAL:
        r.capture = CAPTURE_OPTIONAL;
        break;
    case WILD:
        r.wild_lightning = true;
        break;
    case REDEAL:
        r.hand_four = HAND_FOUR_MAY_REDEAL;
        break;
    case ADD:
        r.trio_extra = TRIO_ADD;
        break;
    case ALL_DOUBLE:
        r.own_koikoi = DOUBLING_EACH, r.any_koikoi = DOUBLING_PLUS_ONE_EACH, r.table_brights = true;
        break;
    }
    return r;
}

static const char *const options[N_RULES_OPTIONS] = {
    "hiki",         "oya_kan",          "rain",
    "viewing_both", "viewing_apart",    "hand_yaku_declared",
    "pairs_off",    "capture_optional", "wild_lightning",
    "may_redeal",   "trio_add",         "multipliers"};

static void costs(int runs)
{
    always_koikoi = true;
    for (int p = 0; p < N_PRESETS; p++) {
        double target = p == PRESET_MONGOLOPEDIA ? 0 : 1.1;
        compare("api_step", presets[p].name, api_steps, &presets[p], target, runs);
    }
    for (int k = 0; k < N_RULES_OPTIONS; k++) {
        struct rules r = turned(k);
        compare("api_step", options[k], api_steps, &r, 1.1, runs);
        compare("score", options[k], scores, &r, 1.1, runs);
    }
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 15;
    const struct ruleset *g = preset(PRESET_STANDARD);
    runs = runs < 1 ? 1 : runs > MAX_RUNS ? MAX_RUNS : runs;
    for (int i = 0; i < PILES; i++)
        piles[i] = draw() & draw() & ALL_CARDS;
    const struct figure figures[] = {
        {"machine_ghz_effective", "GHz", cycles, g, 0, 1, 0},
        {"score_base", "ns/pile", scores, g, 0, 0, 0},
        {"shuffle_and_deal", "ns/deal", deals, g, 0, 0, 0},
        {"api_playout_standard", "rounds/s", api_rounds, g, 1.4e6, 1e9, 0},
        {"api_playout_okoshki", "rounds/s", api_rounds, preset(PRESET_OKOSHKI), 0, 1e9, 0},
        {"api_playout_mongolopedia", "rounds/s", api_rounds, preset(PRESET_MONGOLOPEDIA), 0, 1e9,
         0},
        {"api_playout_sensei", "rounds/s", api_rounds, preset(PRESET_SENSEI), 0, 1e9, 0},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        measure(&figures[i], runs);
    costs(runs);
    return 0;
}
