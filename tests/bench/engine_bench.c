/* How fast the engine is, one JSON object a figure: rounds a second through the public API,
 * rounds a second of the search's own playout, nanoseconds a pile, and what knobs cost. CPU time
 * of one core; the median of the runs and the best of them, which is what a machine that others
 * use says most truly. machine_ghz_effective is what that core did meanwhile in a loop of known
 * length: a figure belongs to it. Shuffling is part of a round; its generator is here because
 * the engine has no chance of its own.
 *
 *     build/tests/bench/engine_bench [RUNS]
 *
 * A knob's figure is the time of a step with the knob, over that of `standard` in runs in between.
 * Both sides go on as long as they may, so that the rounds compared are of one length: what a
 * rule pays for decides when people stop, and that is not the engine's doing. Nor is it that a
 * rule has more to be done: whole months give eight decisions where there were five, and where a
 * card may lie down half as many moves again are listed. So what is counted is what was done: for
 * the public API moves made and moves listed, for the playout turns and decisions, one of which
 * takes about as long as the other. Steps a round with the knob over those
 * without are the figure's "work"; work * median is what a round costs. mongolopedia turns five
 * knobs at once: it has no target, each of them has.
 */
#include "engine/presets.h"
#include "playout.h"

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

/* Fisher-Yates from deck[0] upward; one draw gives four places. A round of two sees 40 cards at
 * most: the rest stays as it lies. */
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

/* ---- What is timed: each returns how many units it did --------------------------------------- */

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

/* The search's playout, from the deal. Both sides play by chance; a coin calls koi-koi unless
 * told otherwise. */
static struct playout_policy policy = {.koikoi = 128};

/* Plays ROUNDS; the number of turns comes from the cards that left the stock. Whoever decides
 * calls koi-koi, or stops once. */
static int64_t playout_steps(const struct ruleset *g)
{
    struct luck c = luck_seed(7);
    struct playout world;
    struct playout_end end;
    int64_t points = 0, n = 0;

    for (int i = 0; i < ROUNDS; i++) {
        playout_deal(g, i & 1, &c, &world);
        playout_run(g, &policy, &c, &world, &end);
        points += end.points;
        n += world.next + world.koikoi[0] + world.koikoi[1] + (end.why == WHY_STOP);
    }
    sink = points;
    return n - (int64_t)ROUNDS * (2 * g->rules.hand[2] + g->rules.table[2]);
}

static int64_t playouts(const struct ruleset *g)
{
    playout_steps(g);
    return ROUNDS;
}

static cardset piles[PILES];
static uint16_t bases[PILES];

static int64_t batches(const struct ruleset *g)
{
    for (int k = 0; k < TIMES; k++) {
        score_bases(g, piles, PILES, bases);
        sink = bases[k];
    }
    return (int64_t)TIMES * PILES;
}

static int64_t scores(const struct ruleset *g)
{
    int64_t sum = 0;

    for (int k = 0; k < TIMES; k++)
        for (int i = 0; i < PILES; i++)
            sum += score_base(g, piles[i]);
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
    double per;       /* units in so many nanoseconds; 0: nanoseconds a unit */
    double work_done; /* units over those compared with; 0: nothing is compared */
};

static int64_t units; /* of the last work timed */

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

/* A unit with the knob over a unit of `standard`, in turns: the ratio of the bests, and of the
 * medians. */
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

/* `standard` with one knob turned. */
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
    N_KNOBS
};

static struct rules turned(int knob)
{
    struct rules r = presets[PRESET_STANDARD];

    switch (knob) {
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

static const char *const knobs[N_KNOBS] = {"hiki",         "oya_kan",          "rain",
                                           "viewing_both", "viewing_apart",    "hand_yaku_declared",
                                           "pairs_off",    "capture_optional", "wild_lightning",
                                           "may_redeal",   "trio_add",         "multipliers"};

static void costs(int runs)
{
    always_koikoi = true; /* rounds of one length whatever the rules pay for */
    policy.koikoi = 255;
    for (int p = 0; p < N_PRESETS; p++) {
        double target = p == PRESET_MONGOLOPEDIA ? 0 : 1.1;
        compare("api_step", presets[p].name, api_steps, &presets[p], target, runs);
        compare("playout_step", presets[p].name, playout_steps, &presets[p], target, runs);
    }
    for (int k = 0; k < N_KNOBS; k++) {
        struct rules r = turned(k);
        compare("api_step", knobs[k], api_steps, &r, 1.1, runs);
        compare("playout_step", knobs[k], playout_steps, &r, 1.1, runs);
        compare("score", knobs[k], batches, &r, 1.1, runs);
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
        {"score_bases", "ns/pile", batches, g, 1.5, 0, 0},
        {"score_base", "ns/pile", scores, g, 0, 0, 0}, /* one by one */
        {"shuffle_and_deal", "ns/deal", deals, g, 0, 0, 0},
        {"search_playout", "rounds/s", playouts, g, 3e6, 1e9, 0},
        {"api_playout_standard", "rounds/s", api_rounds, g, 1.4e6, 1e9, 0},
        {"api_playout_okoshki", "rounds/s", api_rounds, preset(PRESET_OKOSHKI), 0, 1e9, 0},
        {"api_playout_mongolopedia", "rounds/s", api_rounds, preset(PRESET_MONGOLOPEDIA), 0, 1e9,
         0},
        {"api_playout_sensei", "rounds/s", api_rounds, preset(PRESET_SENSEI), 0, 1e9, 0},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        measure(&figures[i], runs);
    for (int koikoi = 0; koikoi <= 255; koikoi += 255) {
        policy.koikoi = (uint8_t)koikoi;
        measure(&(struct figure){koikoi == 0 ? "search_playout_stop_at_once"
                                             : "search_playout_always_koikoi",
                                 "rounds/s", playouts, g, 0, 1e9, 0},
                runs);
    }
    costs(runs);
    return 0;
}
