/* Makes engine/search_weights.c: tunes the policy's numbers by self-play.
 *
 *     make tune SECONDS=300 > new.c        then compare in the arena before taking it
 *
 * Again and again the numbers are shifted by chance, one way and the other, and the two play the
 * same deals from both sides. The numbers move towards the side that won, as far as it won. All
 * presets for two players take their turn; half of the deals are under `standard`.
 */
#include "engine/positions.h"
#include "engine/presets.h"
#include "search_world.h"

#include <math.h>

enum { PAIRS = 96, DEALS = 60, POINTS_TOP = 40 };

static struct luck chance = {1};

static float gauss(void)
{
    float u = luck_fraction(&chance) + 1e-7f, v = luck_fraction(&chance);
    return sqrtf(-2 * logf(u)) * cosf(6.2831853f * v);
}

/* Points seat 0 wins over seat 1 in one round. */
static int play(const struct ruleset *g, const struct policy *const *seat, int dealer,
                const uint8_t *deck)
{
    struct move moves[MAX_MOVES];
    struct round r;

    round_deal(g, 2, dealer, deck, &r, NULL);
    while (r.phase != PHASE_OVER) {
        int n = round_legal(g, &r, r.turn, moves);
        round_apply(g, &r, r.turn, moves[policy_pick(g, seat[r.turn], &r, moves, n)], NULL);
    }
    int points = r.result.points < POINTS_TOP ? r.result.points : POINTS_TOP;
    return r.result.winner < 0 ? 0 : r.result.winner == 0 ? points : -points;
}

/* Points a round a wins over b, every deal from both sides. */
static float margin(const struct policy *a, const struct policy *b, int deals, int which)
{
    const struct policy *ab[] = {a, b}, *ba[] = {b, a};
    uint8_t deck[N_CARDS];
    int sum = 0;

    for (int i = 0; i < deals; i++) {
        const struct ruleset *g = preset(which >= 0 ? which
                                         : i & 1    ? PRESET_STANDARD
                                                    : (i / 2) % N_PRESETS);
        deck_by_chance(&chance, deck);
        sum += play(g, ab, i & 1, deck) - play(g, ba, i & 1, deck);
    }
    return (float)sum / (float)(2 * deals);
}

/* What decides koi-koi is the sign of a sum: its numbers are kept to one size. */
static void rescale(struct policy *p)
{
    float *x = &p->koikoi, squares = 0;

    for (int i = 0; i < 7; i++)
        squares += x[i] * x[i];
    for (int i = 0; i < 7; i++)
        x[i] *= 8 / sqrtf(squares);
}

static void print(const struct policy *p, long seconds, int steps)
{
    const float *x = (const float *)p;

    printf("/* Made by `make tune SECONDS=%ld` (%d steps): the numbers of the policy. */\n"
           "#include \"search_policy.h\"\n\nconst struct policy policy_tuned = {\n    .stage = {\n",
           seconds, steps);
    static const struct {
        const char *name;
        int n;
    } row[] = {{"trio", 3},    {"viewing", 2}, {"bright", 4},  {"rain", 1},
               {"animals", 6}, {"ribbons", 6}, {"plains", 11}, {"month", 4},
               {"deny", 1},    {"gain", 4},    {"keep", 4},    {"expose", 4},
               {"forgo", 4},   {"capture", 1}, {"pair", 1},    {"complete", 1}};
    static const char *const tail[] = {"koikoi",        "hand_left", "own_outlook",
                                       "other_outlook", "pays",      "other_called",
                                       "own_called",    "in_hand",   "on_field"};
    for (int s = 0; s < N_STAGES; s++) {
        printf("        {\n");
        for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
            printf("            .%s = %s", row[i].name, row[i].n > 1 ? "{ " : "");
            for (int k = 0; k < row[i].n; k++)
                printf("%s%.3ff", k ? ", " : "", (double)*x++);
            printf("%s,\n", row[i].n > 1 ? " }" : "");
        }
        printf("        },\n");
    }
    printf("    },\n");
    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
        printf("    .%s = %.3ff,\n", tail[i], (double)*x++);
    printf("};\n");
}

int main(int argc, char **argv)
{
    long seconds = argc > 1 ? strtol(argv[1], NULL, 10) : 300;
    struct policy start = policy_tuned, now = start, up, down;
    float *x = (float *)&now, *u = (float *)&up, *d = (float *)&down;
    static float shift[PAIRS][N_POLICY_NUMBERS], step[N_POLICY_NUMBERS], scale[N_POLICY_NUMBERS];
    float won[PAIRS];
    clock_t end = clock() + seconds * CLOCKS_PER_SEC;
    int steps = 0;

    rescale(&now);
    while (clock() < end) {
        float size = 0;
        for (int i = 0; i < N_POLICY_NUMBERS; i++)
            scale[i] = 0.04f + 0.15f * fabsf(x[i]);
        for (int k = 0; k < PAIRS; k++) {
            for (int i = 0; i < N_POLICY_NUMBERS; i++) {
                shift[k][i] = gauss();
                u[i] = x[i] + scale[i] * shift[k][i];
                d[i] = x[i] - scale[i] * shift[k][i];
            }
            won[k] = margin(&up, &down, DEALS, -1);
            size += won[k] * won[k] / PAIRS;
        }
        float rate = 0.7f * (1.05f - (float)clock() / (float)end) / sqrtf(size);
        for (int i = 0; i < N_POLICY_NUMBERS; i++) {
            float slope = 0;
            for (int k = 0; k < PAIRS; k++)
                slope += won[k] * shift[k][i] / PAIRS;
            step[i] = 0.8f * step[i] + 0.2f * rate * slope;
            x[i] += scale[i] * step[i];
        }
        rescale(&now);
        if (++steps % 100 == 0)
            fprintf(stderr, "%d steps: %+.3f points a round over the start, standard\n", steps,
                    (double)margin(&now, &start, 10000, PRESET_STANDARD));
    }
    print(&now, seconds, steps);
}
