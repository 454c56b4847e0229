/* Trainer of the value nets: writes engine/player/nets/PRESET.net. `make nets` runs it.
 *
 *     train_value PRESET [ROUNDS] > PRESET.net
 *     train_value PRESET [ROUNDS] from OTHER         goes on from another preset's net
 *     train_value PRESET [ROUNDS] sharing OTHER      and shares its hidden units, which stay
 *
 * The net plays itself in rounds of two: each seat makes the move after which the net holds the
 * table worth most, calls koi-koi where that is worth more than the stop, and now and then moves by
 * chance. Each table is then drawn towards what came: in part the round's result, in part what the
 * net said at the seat's next move (temporal differences, TD(lambda); after a move by chance only
 * the latter). Half of the rounds are played for points. The others belong to a match with few
 * rounds to come, and count as the chance to win it that they leave (equity.h), in units in which
 * results scatter as points do.
 *
 * Two processes learn from rounds of their own and meet after each batch at the mean of both; the
 * mean of all states, later ones more, is the result. It depends on ROUNDS and SEED alone: nothing
 * reads a clock or calls a function of libm whose last bit a library may choose. stderr shows its
 * advantage over the policy, in points a round.
 */
#include "engine/value_learn.h"
#include "engine/positions.h"
#include "engine/presets.h"
#include "exact_math.h"
#include "nets.h"
#include "search_policy.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 64000000, SEED = 1, BATCH = 2500, LEARNERS = 2, DEALS = 20000, MOST_MOVES = 128 };
static const float first_rate = 1.2e-3f, later_rate = 0.5e-3f; /* of a net that goes on */
static const float lambda = 0.3f, by_chance = 0.04f;
static const double held = 0.3, last_part = 0.02; /* of the way the rate stays; it ends at */

struct learner {
    struct value_learned now;
    struct rng chance;
    bool keep_hidden; /* they are another net's */
};

/* ---- A choice -------------------------------------------------------------------------------- */

/* A table after a move of a seat. */
struct stop_or_table {
    uint16_t feature[VALUE_ACTIVE];
    float worth; /* of the best move there */
    int stack;
    int seat;   /* -1: nothing to learn from */
    bool tried; /* made by chance */
    bool stopped;
};

/* Worth of moves of one kind, and the tables that they leave. Returns the stack of these tables. */
static int weigh(const struct value_weights *w, const struct ruleset *g, const struct round *r,
                 const struct value_voids *voids, const struct value_terms *terms,
                 const struct move *moves, int n, uint16_t (*ret_feature)[VALUE_ACTIVE], float *ret)
{
    struct value_table before = value_table_of(r, value_moment_of(moves[0].kind), voids);
    uint16_t shared[VALUE_ACTIVE];
    struct value_sums sums;
    int stack = value_stack_of(&before);
    before.context = value_context(terms->rounds, r->turn == 0 ? terms->lead : -terms->lead);
    value_learned_features(g, &before, shared);
    value_sums_of(w, shared, &sums);
    for (int i = 0; i < n; i++) {
        struct value_table t = before;
        value_make(g, &t, moves[i]);
        value_learned_features(g, &t, ret_feature[i]);
        ret[i] = value_worth_of(w, &sums, stack, shared, ret_feature[i]);
    }
    return stack;
}

static int decide(const struct value_weights *w, const struct ruleset *g, const struct round *r,
                  const struct value_voids *voids, const struct value_terms *terms,
                  const struct move *moves, struct rng *chance, struct stop_or_table *ret)
{
    int call = moves[0].kind == MOVE_KOIKOI ? 0 : 1;
    uint16_t feature[1][VALUE_ACTIVE];
    float worth, pays = value_of_result(terms, r->turn, policy_pays(g, r));
    int stack = weigh(w, g, r, voids, terms, &moves[call], 1, feature, &worth);
    bool better = worth > pays, tried = chance && rng_fraction(chance) < 2 * by_chance;
    bool calls = better != tried;
    if (calls || tried) {
        *ret = (struct stop_or_table){.worth = better ? worth : pays,
                                      .stack = stack,
                                      .seat = r->turn,
                                      .tried = tried,
                                      .stopped = !calls};
        memcpy(ret->feature, feature[0], sizeof feature[0]);
    }
    return calls ? call : 1 - call;
}

/* The move of the seat to move; chance NULL: none is made by chance. */
static int pick(const struct value_weights *w, const struct ruleset *g, const struct round *r,
                const struct value_voids *voids, const struct value_terms *terms,
                const struct move *moves, int n, struct rng *chance, struct stop_or_table *ret)
{
    uint16_t feature[MAX_MOVES][VALUE_ACTIVE];
    float worth[MAX_MOVES] = {0};
    int best = 0;
    ret->seat = -1;
    if (moves[0].kind == MOVE_DECLARE || moves[0].kind == MOVE_REDEAL)
        return policy_pick(g, &policy_tuned, r, moves, n);
    if (r->phase == PHASE_DECIDE) {
        if (n == 1 || r->hand[r->turn] == 0)
            return policy_pick(g, &policy_tuned, r, moves, n);
        return decide(w, g, r, voids, terms, moves, chance, ret);
    }
    int stack = weigh(w, g, r, voids, terms, moves, n, feature, worth);
    for (int i = 1; i < n; i++)
        best = worth[i] > worth[best] ? i : best;
    int made = best;
    if (n > 1 && chance && rng_fraction(chance) < by_chance)
        made = (int)rng_below(rng_next(chance), (unsigned)n);
    *ret = (struct stop_or_table){
        .worth = worth[best], .stack = stack, .seat = r->turn, .tried = made != best};
    memcpy(ret->feature, feature[made], sizeof feature[made]);
    return made;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* Points, or one of the last rounds of a match with a lead about normal. */
static struct value_terms terms_by_chance(struct rng *chance, int dealer)
{
    struct value_terms ret = {.rounds = VALUE_ROUNDS, .dealer = dealer};
    float lead = -6;
    if (!rng_below(rng_next(chance), 2))
        return ret;
    ret.rounds = (int)rng_below(rng_next(chance), VALUE_ROUNDS);
    for (int i = 0; i < 12; i++)
        lead += rng_fraction(chance);
    ret.lead = (int)lrintf(fminf(fmaxf(lead * 14, -VALUE_MOST_LEAD), VALUE_MOST_LEAD));
    return ret;
}

static int points_of_seat_0(const struct round_result *result)
{
    return result->winner < 0 ? 0 : result->winner == 0 ? result->points : -result->points;
}

static void play_and_learn(struct learner *l, const struct ruleset *g, int dealer, float rate)
{
    struct stop_or_table at[MOST_MOVES];
    struct value_terms terms = terms_by_chance(&l->chance, dealer);
    struct move moves[MAX_MOVES];
    struct value_voids voids = {0};
    uint8_t deck[N_CARDS];
    struct round r;
    int n = 0;
    do {
        deck_by_chance(&l->chance, deck);
        round_deal(g, 2, dealer, deck, &r, NULL);
    } while (r.phase == PHASE_OVER);
    while (r.phase != PHASE_OVER) {
        int n_moves = round_legal(g, &r, r.turn, moves);
        int made = pick(&l->now.weights, g, &r, &voids, &terms, moves, n_moves, &l->chance, &at[n]);
        n += at[n].seat >= 0;
        value_see(&voids, &r, moves[made]);
        round_apply(g, &r, r.turn, moves[made], NULL);
    }
    int points = points_of_seat_0(&r.result);
    float came[2] = {value_of_result(&terms, 0, points), value_of_result(&terms, 1, -points)};
    for (int i = n - 1; i >= 0; i--) {
        float *x = &came[at[i].seat];
        if (!at[i].stopped)
            value_learn(&l->now, at[i].feature, at[i].stack, *x, rate, l->keep_hidden);
        *x = at[i].tried ? at[i].worth : lambda * *x + (1 - lambda) * at[i].worth;
    }
}

/* Points of the net on seat `mine` against the policy, which calls koi-koi by its own net. */
static int against_policy(const struct value_weights *w, const struct ruleset *g, int mine,
                          int dealer, const uint8_t *deck)
{
    const struct value_terms points = {.rounds = VALUE_ROUNDS};
    const struct call_net *calls = call_net_for(g, 2);
    struct value_voids voids = {0};
    struct stop_or_table unused;
    struct move moves[MAX_MOVES];
    struct round r;
    round_deal(g, 2, dealer, deck, &r, NULL);
    while (r.phase != PHASE_OVER) {
        int n = round_legal(g, &r, r.turn, moves);
        int made = r.turn == mine ? pick(w, g, &r, &voids, &points, moves, n, NULL, &unused)
                                  : playout_pick(g, calls, &r, moves, n);
        value_see(&voids, &r, moves[made]);
        round_apply(g, &r, r.turn, moves[made], NULL);
    }
    return mine == 0 ? points_of_seat_0(&r.result) : -points_of_seat_0(&r.result);
}

static double gain(const struct value_weights *w, const struct ruleset *g)
{
    struct rng chance = rng_seed(77);
    uint8_t deck[N_CARDS];
    double sum = 0;
    for (int i = 0; i < DEALS; i++) {
        deck_by_chance(&chance, deck);
        sum += against_policy(w, g, 0, i & 1, deck) + against_policy(w, g, 1, i & 1, deck);
    }
    return sum / (2 * DEALS);
}

/* ---- Learners -------------------------------------------------------------------------------- */

/* What both processes see. */
struct shared {
    pthread_barrier_t barrier;
    float first_rate;
    struct learner learner[LEARNERS];
};

/* Half of the numbers of both learners become their mean. */
static void meet(struct shared *s, int half)
{
    float *a = (float *)&s->learner[0].now, *b = (float *)&s->learner[1].now;
    size_t n = sizeof s->learner[0].now / sizeof(float);
    pthread_barrier_wait(&s->barrier);
    for (size_t i = half ? n / 2 : 0; i < (half ? n : n / 2); i++)
        a[i] = b[i] = (a[i] + b[i]) / 2;
    pthread_barrier_wait(&s->barrier);
}

/* Constant steps at first, then smaller ones. */
static float rate_at(double part, float first)
{
    double size = part < held ? 1 : exact_exp((part - held) / (1 - held) * exact_log(last_part));
    return (float)((double)first * size);
}

static void train(struct shared *s, int k, const struct ruleset *g, long batches,
                  struct value_weights *ret_mean)
{
    for (long b = 0; b < batches; b++) {
        float rate = rate_at((double)b / (double)batches, s->first_rate);
        for (int i = 0; i < BATCH; i++)
            play_and_learn(&s->learner[k], g, i & 1, rate);
        meet(s, k);
        float share = 1 / (40 + (float)b / 10);
        const float *now = (const float *)&s->learner[0].now.weights;
        for (size_t i = 0; i < sizeof *ret_mean / sizeof(float) && k == 0; i++)
            ((float *)ret_mean)[i] += (now[i] - ((float *)ret_mean)[i]) * share;
    }
}

static struct shared *share(void)
{
    pthread_barrierattr_t attributes;
    struct shared *s =
        mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED || pthread_barrierattr_init(&attributes) != 0 ||
        pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) != 0 ||
        pthread_barrier_init(&s->barrier, &attributes, LEARNERS) != 0) {
        perror("train_value");
        exit(1);
    }
    return s;
}

int main(int argc, char **argv)
{
    static struct value_weights mean;
    const char *name = argc > 1 ? argv[1] : "standard";
    long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    int how = rounds > 0 ? 3 : 2, which = preset_named(name);
    long batches = (rounds > 0 ? rounds : ROUNDS) / BATCH / LEARNERS;
    bool sharing = argc > how && strcmp(argv[how], "sharing") == 0;
    const struct value_net *from = NULL;
    struct rng chance = rng_seed(SEED);
    struct shared *s = share();
    if (argc > how + 1 && (sharing || strcmp(argv[how], "from") == 0)) {
        int other = preset_named(argv[how + 1]);
        from = other < N_PRESETS ? value_net_for(net_rules_hash(&presets[other])) : NULL;
    }
    if (which == N_PRESETS || batches < 1 || (argc > how && from == NULL) ||
        (sharing && from->file->shared_rows != 0))
        return fprintf(stderr,
                       "usage: train_value PRESET [ROUNDS] [from|sharing OTHER], at least %d "
                       "rounds, OTHER a preset with a net of rows\n",
                       BATCH * LEARNERS),
               2;
    value_learn_begin(preset(which), &chance, &s->learner[0].now);
    if (from != NULL)
        value_learn_from(from, &s->learner[0].now);
    s->first_rate = from ? later_rate : first_rate;
    mean = s->learner[0].now.weights;
    s->learner[1] = s->learner[0];
    for (int k = 0; k < LEARNERS; k++) {
        s->learner[k].chance = rng_seed(1000 + (uint64_t)k);
        s->learner[k].keep_hidden = sharing;
    }
    pid_t other = fork();
    if (other < 0)
        return perror("train_value"), 1;
    train(s, other == 0, preset(which), batches, &mean);
    if (other == 0)
        _exit(0);
    waitpid(other, NULL, 0);
    double won = gain(&mean, preset(which));
    fprintf(stderr, "%s: %ld rounds, %+.3f points a round\n", name, batches * BATCH * LEARNERS,
            won);
    if (!value_print(&presets[which], &mean, batches * BATCH * LEARNERS, SEED, won,
                     sharing ? from->rows : NULL))
        return perror("train_value"), 1;
    return 0;
}
