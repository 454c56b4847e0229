/* Arena: computer players against each other on the same deals from both seats.
 *
 *     make arena ARENA='--rules standard --pairs 500 master plain'
 *     make arena ARENA='--pairs 20 beginner easy normal'              every pair of them
 *     make arena ARENA="master:ms=300 'run:./koikoi engine'"     a program that speaks the protocol
 *
 * A player is a level (beginner ... master), plain (the plain Monte-Carlo player), or run:COMMAND,
 * a program that answers `advise` lines of the engine protocol. After a last colon stands its
 * budget: visits=N playouts, or ms=N. One line of JSON a pair of players goes to standard output.
 * Its fair_ numbers have the luck of the cards taken out, by `--worlds N` playouts a card (96; 0:
 * none). `--low 50 --high 53` ends a duel as soon as it is settled which of these two percentages
 * the first player's fair_percent is nearer to (5 % error either way); `--pairs` is then the most.
 * Intervals are half-widths at 95 %, over pairs of matches.
 */
#include "engine/arena_match.h"
#include "fixture/match/arena_program.h"
#include "engine/plain_player.h"
#include "ruleset_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { MAX_ENTRANTS = 16 };

struct entrant {
    struct arena_player player;
    struct arena_level level;
    struct arena_program program;
    int worlds; /* of the plain player */
    int64_t ms;
    struct timespec end;
};

static bool rang(void *arg)
{
    const struct entrant *e = arg;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > e->end.tv_sec ||
           (now.tv_sec == e->end.tv_sec && now.tv_nsec >= e->end.tv_nsec);
}

static bool timed_pick(void *self, const struct ruleset *g, const struct view *v, uint64_t seed,
                       struct move *ret)
{
    struct entrant *e = self;
    clock_gettime(CLOCK_MONOTONIC, &e->end);
    int64_t nanoseconds = e->end.tv_nsec + e->ms * 1000000;
    e->end.tv_sec += nanoseconds / 1000000000;
    e->end.tv_nsec = nanoseconds % 1000000000;
    return arena_level_pick(&e->level, g, v, seed, ret);
}

static bool plain_pick(void *self, const struct ruleset *g, const struct view *v, uint64_t seed,
                       struct move *ret)
{
    const struct entrant *e = self;
    *ret = plain_player(g, v, e->worlds, seed);
    return true;
}

/* Cuts "visits=N" or "ms=N" behind the last colon off `word`. The other result is 0. */
static void read_bound(struct str *word, int64_t *ret_visits, int64_t *ret_ms)
{
    for (size_t i = word->n; i > 0; i--) {
        if (word->p[i - 1] != ':')
            continue;
        struct str bound = str_skip(*word, i), name = str_cut(bound, '=', &bound);
        int64_t n = 0;
        if (!str_int(bound, &n) || n < 1)
            return;
        *ret_visits = str_is(name, STR("visits")) ? n : 0;
        *ret_ms = str_is(name, STR("ms")) ? n : 0;
        if (*ret_visits || *ret_ms)
            word->n = i - 1;
        return;
    }
}

static bool read_entrant(const char *text, struct entrant *e, struct err *err)
{
    struct str word = str_of(text);
    int64_t visits = 0;
    read_bound(&word, &visits, &e->ms);
    e->player = (struct arena_player){.name = text, .self = e};
    if (str_starts(word, STR("run:"))) {
        e->program =
            (struct arena_program){.command = str_skip(word, 4), .visits = visits, .ms = e->ms};
        e->player.pick = arena_program_pick;
        e->player.self = &e->program;
        return arena_program_start(&e->program, err);
    }
    if (str_is(word, STR("plain"))) {
        e->worlds = visits ? (int)visits : 1000;
        e->player.pick = plain_pick;
        return true;
    }
    int level = level_read(word.p, word.n);
    if (level < 0)
        return err_set(err, "%s: neither a level nor plain nor run:COMMAND", text);
    e->level = (struct arena_level){(enum level)level, {.visits = (uint32_t)visits}};
    if (e->ms)
        e->level.budget = (struct budget){UINT32_MAX, rang, e};
    e->player.pick = e->ms ? timed_pick : arena_level_pick;
    e->player.self = e->ms ? (void *)e : &e->level;
    return true;
}

struct settings {
    struct str rules, version;
    int64_t rounds, pairs, seed, worlds, low, high; /* low, high: percent */
    int n;
    struct entrant at[MAX_ENTRANTS];
};

static void print(const struct ruleset *g, const struct entrant *a, const struct entrant *b,
                  const struct settings *s, const struct arena_table *t)
{
    static const char *const verdicts[] = {"open", "low", "high"};
    putchar('{');
    if (s->version.n)
        printf("\"version\":\"%.*s\",", STR_ARG(s->version));
    printf("\"rules\":\"%s\",\"rounds\":%d,\"a\":\"%s\",\"b\":\"%s\",\"seed\":%" PRIu64
           ",\"matches\":%d,"
           "\"wins\":%d,\"draws\":%d,\"losses\":%d,\"forfeits\":%d,\"win_percent\":%.1f,\"win_"
           "interval\":%.1f,"
           "\"points_a_round\":%.2f,\"points_interval\":%.2f,\"fair_percent\":%.1f,"
           "\"fair_interval\":%.1f,\"fair_points_a_match\":%.2f,\"fair_points_interval\":%.2f,"
           "\"sprt\":\"%s\",\"ms_a_move\":[%.2f,%.2f]}\n",
           g->rules.name, g->rules.rounds, a->player.name, b->player.name, (uint64_t)s->seed,
           t->matches, t->wins, t->draws, t->losses, t->forfeits, 100 * t->win_rate,
           100 * t->win_interval, t->points, t->points_interval, 100 * t->fair_rate,
           100 * t->fair_interval, t->fair_points, t->fair_points_interval, verdicts[t->verdict],
           1e3 * a->player.seconds / (double)a->player.moves,
           1e3 * b->player.seconds / (double)b->player.moves);
    fflush(stdout);
}

static bool read_settings(int argc, char **argv, struct settings *s, struct err *err)
{
    for (int i = 1; i < argc; i++) {
        struct str word = str_of(argv[i]), value = str_of(i + 1 < argc ? argv[i + 1] : "");
        int64_t *number = str_is(word, STR("--rounds"))   ? &s->rounds
                          : str_is(word, STR("--pairs"))  ? &s->pairs
                          : str_is(word, STR("--seed"))   ? &s->seed
                          : str_is(word, STR("--worlds")) ? &s->worlds
                          : str_is(word, STR("--low"))    ? &s->low
                          : str_is(word, STR("--high"))   ? &s->high
                                                          : NULL;
        if (number != NULL) {
            if (!str_int(value, number) || *number < 0)
                return err_set(err, "%s wants a number", argv[i]);
            i++;
        } else if (str_is(word, STR("--rules")) || str_is(word, STR("--version"))) {
            *(str_is(word, STR("--rules")) ? &s->rules : &s->version) = value;
            i++;
        } else if (s->n == MAX_ENTRANTS) {
            return err_set(err, "at most %d players", MAX_ENTRANTS);
        } else if (!read_entrant(argv[i], &s->at[s->n++], err)) {
            return false;
        }
    }
    return s->n >= 2 && s->pairs > 1
               ? true
               : err_set(err, "usage: arena [--rules R] [--rounds N] "
                              "[--pairs N] [--seed N] [--worlds N] [--low PERCENT "
                              "--high PERCENT] [--version NAME] PLAYER "
                              "PLAYER ...");
}

static bool choose_rules(const struct settings *s, struct ruleset *ret, struct err *err)
{
    struct rules r;
    if (!ruleset_file_find(STR(""), s->rules, &r, err))
        return false;
    if (s->rounds) { /* any number: strengths are compared by matches of one length */
        r.rounds = r.rounds_allowed[0] = (uint8_t)s->rounds;
        r.n_rounds_allowed = 1;
    }
    const char *wrong = s->rounds > MAX_ROUNDS ? "rounds" : rules_check(&r);
    if (wrong != NULL)
        return err_set(err, "--rounds: %s", wrong);
    ruleset_make(&r, ret);
    return true;
}

int main(int argc, char **argv)
{
    static struct settings s = {.rules = {"standard", 8}, .pairs = 50, .seed = 1, .worlds = 96};
    struct err err = {""};
    struct ruleset g;
    if (!read_settings(argc, argv, &s, &err) || !choose_rules(&s, &g, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    const struct arena_terms terms = {.pairs = (int)s.pairs,
                                      .seed = (uint64_t)s.seed,
                                      .worlds = (int)s.worlds,
                                      .low = (double)s.low / 100,
                                      .high = (double)s.high / 100};
    for (int i = 0; i < s.n; i++)
        for (int j = i + 1; j < s.n; j++) {
            struct arena_table t;
            s.at[i].player.seconds = s.at[j].player.seconds = 0;
            s.at[i].player.moves = s.at[j].player.moves = 0;
            arena_duel(&g, &s.at[i].player, &s.at[j].player, &terms, &t);
            print(&g, &s.at[i], &s.at[j], &s, &t);
        }
    for (int i = 0; i < s.n; i++)
        arena_program_stop(&s.at[i].program);
    return 0;
}
