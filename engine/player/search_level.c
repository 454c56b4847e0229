/* The levels. A weaker one errs as people do: it overlooks matches, is greedy for brights, ignores
 * what it lays down for its opponents or what they collect, and calls koi-koi too often. The only
 * randomness is which matches it overlooks. */
#include "search_level.h"

#include <string.h>

/* Weighs single cards: brights, then animals, then ribbons. */
#define GREEDY                                                                                     \
    {                                                                                              \
        .bright = {.6f, .6f, .8f, .8f}, .rain = 1, .animals = {1, 1, 1, 1, 1, 1},                  \
        .ribbons = {.5f, .5f, .5f, .5f, .5f, .5f},                                                 \
        .plains = {.1f, .1f, .1f, .1f, .1f, .1f, .1f, .1f, .1f, .1f, .1f}, .gain = {1, 1, 1, 1},   \
        .forgo = {.2f, .2f, .2f, .2f}, .capture = 1                                                \
    }
static const struct policy policy_greedy = {
    .stage = {GREEDY, GREEDY, GREEDY},
    .koikoi = -.7f,
    .hand_left = 1,
};

/* Collects own yaku, ignores the opponents'. */
#define COLLECT(deny_, expose_)                                                                    \
    {                                                                                              \
        .trio = {.3f, .6f, 1}, .viewing = {.3f, 1}, .bright = {.4f, .5f, 1, 1}, .rain = .5f,       \
        .animals = {.2f, .2f, .3f, .5f, 1, 1}, .ribbons = {.2f, .2f, .2f, .4f, 1, 1},              \
        .plains = {.1f, .1f, .1f, .1f, .1f, .1f, .2f, .2f, .4f, 1, 1},                             \
        .month = {.1f, .2f, .4f, 1}, .gain = {1, 1, 1, 1}, .deny = deny_, .keep = {0, .5f, 1, 1},  \
        .expose = {0, .5f * expose_, expose_, expose_}, .forgo = {.5f, .5f, .5f, .5f},             \
        .capture = .5f, .complete = 1                                                              \
    }
static const struct policy policy_collect = {
    .stage = {COLLECT(0, 0), COLLECT(0, 0), COLLECT(0, 0)},
    .koikoi = -3.2f,
    .hand_left = 1,
};

/* The same, and considers what the opponents need. */
static const struct policy policy_watch = {
    .stage = {COLLECT(.6f, .5f), COLLECT(.6f, .5f), COLLECT(.6f, .5f)},
    .koikoi = -4.2f,
    .hand_left = 1,
};

const struct habits habits[N_LEVELS] = {
    [LEVEL_BEGINNER] = {.key = "beginner",
                        .visits = 60,
                        .policy = &policy_greedy,
                        .overlooks = .83f},
    [LEVEL_EASY] = {.key = "easy", .visits = 60, .policy = &policy_collect, .overlooks = .5f},
    [LEVEL_NORMAL] = {.key = "normal", .visits = 60, .policy = &policy_watch, .overlooks = .18f},
    [LEVEL_HARD] =
        {.key = "hard", .visits = 250, .thinks = true, .match = true, .settled = 0.0002f},
    [LEVEL_MASTER] = {.key = "master",
                      .visits = 60000,
                      .thinks = true,
                      .inference = .9f,
                      .match = true,
                      .longer = true,
                      .calls = true,
                      .calls_for_match = true,
                      .values = true,
                      .weighs = true,
                      .settled = 0.00001f},
};

const char *level_key(enum level l)
{
    return habits[l].key;
}

uint32_t level_visits(enum level l)
{
    return habits[l].visits;
}

int level_read(const char *s, size_t n)
{
    for (int l = 0; l < N_LEVELS; l++)
        if (strlen(habits[l].key) == n && memcmp(habits[l].key, s, n) == 0)
            return l;
    return -1;
}

/* True if it notices that this card could capture those: the same all through a turn. */
static bool notices(const struct habits *h, const struct move *m, uint64_t seed)
{
    struct rng r = rng_seed(seed ^ m->take ^ (uint64_t)m->card << 56);
    return m->kind != MOVE_PLAY || m->take == 0 || ((m->take | CARD(m->card)) & set_brights) != 0 ||
           rng_fraction(&r) >= h->overlooks;
}

int habit_pick(const struct ruleset *g, const struct habits *h, const struct view *v,
               const struct round *world, uint64_t seed)
{
    struct move seen[MAX_MOVES];
    uint8_t at[MAX_MOVES];
    int n = 0;
    for (int i = 0; i < v->n_legal; i++)
        if (notices(h, &v->legal[i], seed)) {
            at[n] = (uint8_t)i;
            seen[n++] = v->legal[i];
        }
    return n == 0 ? 0 : at[policy_pick(g, h->policy, world, seen, n)];
}
