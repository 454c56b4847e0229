/* Trainer of the residual nets: writes engine/player/nets/PRESET_residual.inc. `make nets` runs it.
 *
 *     train_residual play PRESET FROM TO > FILE      positions of rounds FROM ... TO - 1
 *     train_residual learn PRESET FILE... > PRESET_residual.inc
 *
 * A player as level `master`, without residuals, plays itself. Of each choice a second search with
 * other chance measures what it gains over the policy's, the advantage; and playouts with the hand
 * that the opponent really holds, what the belief about it misses. The target of a move is what the
 * belief misses and the sum of all later advantages of the round, own less the opponent's (see
 * search_residual.h). In every other round the policy plays up to a random choice, which is made at
 * random, so that moves are seen that a good player avoids. There the belief misses less, as it
 * knows how the policy plays: these rounds get a level of their own, which the net does not keep.
 *
 * A round depends on its number, SEED and the preset alone, and what is learned on the files in
 * their order: neither reads a clock or calls a function of libm whose last bit a library may
 * choose. stderr shows how much of the targets of rounds not learned from the net explains.
 */
#include "engine/positions.h"
#include "engine/presets.h"
#include "nets.h"
#include "search_level.h"
#include "search_residual.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEED = 31,
    VISITS = 4000,
    VISITS_OF_TWO = 800, /* of the choice and the policy's */
    VISITS_OF_ONE = 128, /* where they are the same */
    PEEKS = 128,         /* playouts with the opponent's hand */
    A_ROUND = 48,
    PASSES = 2,
    BATCH = 20000, /* samples between two looks at the mean of the weights */
    HELD_OUT = 16  /* one round of so many is not learned from */
};
static const float first_rate = 1e-3f, most_points = 20;
static const float settled = 0.0002f; /* see struct habits */
/* Pulls the weights of features towards 0: most differ little. */
static const float decay = 0.003f;

/* ---- Playing --------------------------------------------------------------------------------- */

/* Features of these rounds alone: own cards in hand, by the kind of the move. */
enum {
    BY_POLICY = N_RESIDUAL_FEATURES,
    N_ALL_FEATURES = BY_POLICY + RESIDUAL_DEALER - RESIDUAL_LEFT
};

struct residual_sample {
    uint16_t feature[MAX_RESIDUAL_FEATURES + 1], n;
    int32_t round;
    float target;
};

struct residual_player {
    const struct ruleset *g;
    const struct call_net *calls;
    struct habits habits;
    struct rng chance;
};

static struct move searched(struct residual_player *p, const struct view *v, uint32_t visits,
                            struct advice *ret)
{
    const struct budget budget = {.visits = visits};

    search_as(p->g, v, &p->habits, &budget, rng_next(&p->chance), ret);
    return ret->move;
}

/* Mean points of the seat to move after a move, with the hands as they are and a stock by chance,
 * all seats by the policy. */
static float with_these_hands(struct residual_player *p, const struct round *now,
                              const struct view *v, struct move made)
{
    float sum = 0;

    for (int k = 0; k < PEEKS; k++) {
        struct round r = *now;
        rng_shuffle(&p->chance, r.deck + r.next, N_CARDS - r.next);
        round_apply(p->g, &r, now->turn, made, NULL);
        playout_finish(p->g, p->calls, &r);
        sum += r.void_why == VOID_NONE ? points_of(v, &r.result) : 0;
    }
    return sum / PEEKS;
}

struct residual_choice {
    int seat;
    float gained, missed;          /* over the policy; by the belief */
    struct residual_sample sample; /* n 0: nothing follows the move */
};

/* Measures a choice made instead of the policy's. */
static void measure(struct residual_player *p, const struct round *now, const struct view *v,
                    struct move made, struct move policy, struct residual_choice *ret)
{
    struct view two = *v;
    struct advice advice;

    two.n_legal = same_move(made, policy) ? 1 : 2;
    two.legal[0] = made;
    two.legal[1] = policy;
    searched(p, &two, two.n_legal == 1 ? VISITS_OF_ONE : VISITS_OF_TWO, &advice);
    ret->gained = two.n_legal == 1 ? 0 : advice.at[0].value - advice.at[1].value;
    ret->missed = with_these_hands(p, now, v, made) - advice.at[0].value;
}

static void put_features(const struct residual_player *p, const struct view *v, struct move made,
                         bool by_policy, struct residual_sample *ret)
{
    ret->n = (uint16_t)residual_features(p->g, v, made, ret->feature);
    for (int i = 0, n = ret->n; i < n && by_policy; i++)
        if (ret->feature[i] >= RESIDUAL_LEFT && ret->feature[i] < RESIDUAL_DEALER)
            ret->feature[ret->n++] = (uint16_t)(BY_POLICY + ret->feature[i] - RESIDUAL_LEFT);
}

/* Plays a round and notes its moves from the first choice that is searched, or made at random, on. */
static int play(struct residual_player *p, int32_t round, struct residual_choice *ret)
{
    int random = rng_below(rng_next(&p->chance), 2) ? (int)rng_below(rng_next(&p->chance), 16) : -1;
    struct advice advice;
    struct match m;
    struct view v;
    int n = 0;

    match_dealt(p->g, &p->chance, round & 1, &m);
    for (int k = 0; m.stage == MATCH_PLAYING && n < A_ROUND; k++) {
        int seat = m.round.turn;
        view_of(p->g, &m, seat, &v);
        struct move policy = v.legal[playout_pick(p->g, p->calls, &m.round, v.legal, v.n_legal)],
                    made = policy;
        bool choice = v.n_legal > 1, noted = k > random || (choice && k == random);
        if (choice && k == random)
            made = v.legal[rng_below(rng_next(&p->chance), v.n_legal)];
        else if (choice && k > random)
            made = searched(p, &v, VISITS, &advice);
        if (noted) {
            struct residual_choice *c = &ret[n++];
            *c = (struct residual_choice){.seat = seat};
            measure(p, &m.round, &v, made, k > random ? policy : made, c);
            put_features(p, &v, made, random >= 0, &c->sample);
            c->sample.round = round;
        }
        k -= !choice;
        match_apply(p->g, &m, seat, made, NULL);
    }
    return n;
}

static int play_all(const struct ruleset *g, long from, long to)
{
    struct residual_player p = {
        .g = g, .calls = call_net_for(g, 2), .habits = habits[LEVEL_MASTER]};
    struct residual_choice choices[A_ROUND];

    p.habits.residual = p.habits.weighs = p.habits.calls_for_match = false;
    p.habits.settled = settled;
    for (long round = from; round < to; round++) {
        p.chance = rng_seed((uint64_t)round * 7919 + SEED);
        float later = 0; /* of seat 0 */
        for (int i = play(&p, (int32_t)round, choices) - 1; i >= 0; i--) {
            struct residual_choice *c = &choices[i];
            c->sample.target = c->missed + (c->seat == 0 ? later : -later);
            later += c->seat == 0 ? c->gained : -c->gained;
            if (c->sample.n && fwrite(&c->sample, sizeof c->sample, 1, stdout) != 1)
                return perror("train_residual"), 1;
        }
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

/* ---- Learning -------------------------------------------------------------------------------- */

enum { HIDDEN = NET_HIDDEN };
struct residual_weights {
    float start[HIDDEN + 1], row[N_ALL_FEATURES][HIDDEN + 1], weight[HIDDEN];
};
enum { N_NUMBERS = sizeof(struct residual_weights) / sizeof(float) };
static struct residual_weights now, mean, squares;

static float reckon(const struct residual_weights *l, const struct residual_sample *s,
                    float *ret_hidden)
{
    float sum[HIDDEN + 1], ret;

    memcpy(sum, l->start, sizeof sum);
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k <= HIDDEN; k++)
            sum[k] += l->row[s->feature[i]][k];
    ret = sum[HIDDEN];
    for (int k = 0; k < HIDDEN; k++) {
        ret_hidden[k] = sum[k] > 0 ? sum[k] : 0;
        ret += ret_hidden[k] * l->weight[k];
    }
    return ret;
}

/* One gradient step of a number, with a step size of its own. */
static void step(float *x, float *square, float slope, float rate)
{
    *square += 0.001f * (slope * slope - *square);
    *x -= rate * slope / (sqrtf(*square) + 1e-3f);
}

static void learn(const struct residual_sample *s, float rate)
{
    float hidden[HIDDEN], slope[HIDDEN + 1];
    float error = reckon(&now, s, hidden) - fminf(fmaxf(s->target, -most_points), most_points);

    for (int k = 0; k < HIDDEN; k++)
        slope[k] = hidden[k] > 0 ? error * now.weight[k] : 0;
    slope[HIDDEN] = error;
    for (int k = 0; k < HIDDEN; k++)
        step(&now.weight[k], &squares.weight[k], error * hidden[k], rate);
    for (int k = 0; k <= HIDDEN; k++)
        step(&now.start[k], &squares.start[k], slope[k], rate);
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k <= HIDDEN; k++) {
            float *x = &now.row[s->feature[i]][k];
            step(x, &squares.row[s->feature[i]][k], slope[k] + decay * *x, rate);
        }
}

static void begin(struct rng *chance)
{
    for (int i = 0; i < N_NUMBERS; i++)
        ((float *)&squares)[i] = 1;
    for (int i = 0; i < N_ALL_FEATURES; i++)
        for (int k = 0; k < HIDDEN; k++)
            now.row[i][k] = (rng_fraction(chance) - 0.5f) * 0.2f;
    for (int k = 0; k < HIDDEN; k++) {
        now.start[k] = rng_fraction(chance) * 0.2f;
        now.weight[k] = (rng_fraction(chance) - 0.5f) * 0.5f;
    }
    mean = now;
}

/* Steps of one size for a tenth of the way, then down to a 50th in equal parts. */
static void train(struct residual_sample **order, long n, struct rng *chance)
{
    long total = PASSES * n, done = 0;

    for (int pass = 0; pass < PASSES; pass++) {
        for (long i = n - 1; i > 0; i--) {
            long j = (long)(rng_next(chance) % (uint64_t)(i + 1));
            struct residual_sample *t = order[i];
            order[i] = order[j];
            order[j] = t;
        }
        for (long i = 0; i < n; i++, done++) {
            float part = (float)done / (float)total;
            learn(order[i], first_rate * (part < 0.1f ? 1 : 1.02f - part) * (1 - part));
            if (done % BATCH == 0)
                for (int k = 0; k < N_NUMBERS; k++)
                    ((float *)&mean)[k] += 0.1f * (((float *)&now)[k] - ((float *)&mean)[k]);
        }
    }
}

/* ---- Files ----------------------------------------------------------------------------------- */

static int whole(float x)
{
    return (int)lrintf(fminf(fmaxf(x * RESIDUAL_UNIT, INT16_MIN), INT16_MAX));
}

static void print_row(const float *row)
{
    printf("{{%d", whole(row[0]));
    for (int k = 1; k < HIDDEN; k++)
        printf(",%d", whole(row[k]));
    printf("},%d}", whole(row[HIDDEN]));
}

static void print(const struct rules *r, long samples)
{
    printf("/* Generated by `make nets`: %ld positions, seed %d. Do not edit. */\n"
           ".learned_from = 0x%016" PRIx64 ", /* %s */\n.start = ",
           samples, SEED, net_rules_hash(r), r->name);
    print_row(mean.start);
    printf(",\n.weight = {%d", whole(mean.weight[0]));
    for (int k = 1; k < HIDDEN; k++)
        printf(",%d", whole(mean.weight[k]));
    printf("},\n.row = {\n");
    for (int i = 0; i < N_RESIDUAL_FEATURES; i++) {
        print_row(mean.row[i]);
        printf(i % 2 ? ",\n" : ",");
    }
    printf("\n},\n");
}

/* Correlation of the net with the targets of rounds not learned from, and both sizes. */
static void report(struct residual_sample **at, long n)
{
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;

    for (long i = 0; i < n; i++) {
        float hidden[HIDDEN];
        double a = (double)reckon(&mean, at[i], hidden), b = (double)at[i]->target;
        x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
    }
    double a = xx / (double)n - x / (double)n * x / (double)n,
           b = yy / (double)n - y / (double)n * y / (double)n,
           both = xy / (double)n - x / (double)n * y / (double)n;
    fprintf(stderr,
            "%ld positions not learned from: correlation %.3f, slope %.3f, net %.3f, target %.3f "
            "points\n",
            n, both / sqrt(a * b), both / a, sqrt(a), sqrt(b));
}

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* Appends the samples of a file; *at has room for *room. Returns how many there are then. */
static long read_file(const char *path, struct residual_sample **at, long n, long *room)
{
    FILE *f = fopen(path, "rb");

    if (f == NULL)
        fail(path);
    for (;; n++) {
        if (n == *room) {
            *room = 2 * *room + BATCH;
            struct residual_sample *more = realloc(*at, (size_t)*room * sizeof **at);
            if (more == NULL)
                fail(path);
            *at = more;
        }
        if (fread(&(*at)[n], sizeof **at, 1, f) != 1)
            break;
    }
    fclose(f);
    return n;
}

static int learn_all(int which, char **files, int n_files)
{
    struct residual_sample *samples = NULL;
    long n = 0, room = 0, learned = 0, held = 0;
    struct rng chance = rng_seed(SEED);

    for (int i = 0; i < n_files; i++)
        n = read_file(files[i], &samples, n, &room);
    struct residual_sample **order = malloc((size_t)(n + 1) * sizeof(*order));
    if (order == NULL)
        fail("train_residual");
    for (long i = 0; i < n; i++)
        order[samples[i].round % HELD_OUT ? learned++ : n - ++held] = &samples[i];
    begin(&chance);
    train(order, learned, &chance);
    report(order + learned, held);
    print(&presets[which], learned);
    free(order);
    free(samples);
    return 0;
}

int main(int argc, char **argv)
{
    int which = 0;

    while (which < N_PRESETS && argc > 2 && strcmp(presets[which].name, argv[2]) != 0)
        which++;
    if (argc == 5 && which < N_PRESETS && strcmp(argv[1], "play") == 0)
        return play_all(preset(which), strtol(argv[3], NULL, 10), strtol(argv[4], NULL, 10));
    if (argc > 3 && which < N_PRESETS && strcmp(argv[1], "learn") == 0)
        return learn_all(which, argv + 3, argc - 3);
    fprintf(stderr, "usage: train_residual play PRESET FROM TO | learn PRESET FILE...\n");
    return 2;
}
