/* Every field of a rule set is drawn by random_rules(), which the tests of scores, moves, records
 * and searches share, and changes a score or a move: a field that they do not draw is one that they
 * do not check. */
#include "match.h"
#include "rules_field.h"
#include "score.h"
#include "table.h"
#include "test.h"

#include <string.h>

/* Fields without an effect on a match that has begun, and why. */
static bool is_of_the_invitation(const struct rules_field *f)
{
    static const char *const paths[] = {
        "name",         "words",          "deck", /* for people */
        "players",      "rounds_allowed",         /* who and what may be chosen */
        "first_dealer",                           /* whom the bot has deal first */
        "purse",                                  /* with how much it begins */
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strcmp(f->path, paths[i]) == 0)
            return true;
    return false;
}

static bool is_checked(const struct rules_field *f)
{
    bool has_value = f->kind != RULES_OBJECT || f->at != 0;
    return has_value && !is_of_the_invitation(f);
}

/* True if rules that come from one preset differ in the field, or presets do and `any` is set. */
static bool is_drawn(const struct rules_field *f, bool any)
{
    struct rng c = rng_seed(1);
    struct rules r = random_rules(&c), other;
    for (int i = 0; i < 2000; i++) {
        other = random_rules(&c);
        if ((any || strcmp(r.name, other.name) == 0) &&
            rules_field_get(&r, f) != rules_field_get(&other, f))
            return true;
    }
    return false;
}

TEST(every_field_is_drawn)
{
    for (const struct rules_field *f = rules_fields; f->path; f++) {
        bool by_preset = strcmp(f->path, "rounds") == 0 || strcmp(f->path, "scoring") == 0;
        if (is_checked(f) && !is_drawn(f, by_preset))
            fail_msg("random_rules() draws no %s", f->path);
    }
}

static int any_value(const struct rules_field *f, const struct rules *r, struct rng *c)
{
    switch (f->kind) {
    case RULES_NUMBER:
        return f->least + (int)(rng_next(c) % (uint64_t)(f->most - f->least + 1));
    case RULES_CHOICE:
        return (int)(rng_next(c) % MAX_RULES_WORDS);
    default:
        return !rules_field_get(r, f);
    }
}

/* Another value of the field, or the same if that is not allowed beside the others. An object comes
 * or goes with its members. */
static struct rules changed(struct rules r, const struct rules_field *f, struct rng *c)
{
    struct rules other = r;
    int value = any_value(f, &r, c);
    if (f->kind == RULES_CHOICE && (f->words[value] == NULL || f->words[value][0] == '\0'))
        return r;
    rules_field_set(&other, f, value);
    for (const struct rules_field *m = rules_fields; f->kind == RULES_OBJECT && m->path; m++)
        if (rules_field_object(m) == f)
            rules_field_set(&other, m, value ? any_value(m, &other, c) : 0);
    return rules_check(&other) == NULL ? other : r;
}

static uint64_t mixed(uint64_t sum, int64_t x)
{
    return (sum ^ (uint64_t)x) * 0x9e3779b97f4a7c15u + (sum >> 29);
}

/* A deck whose months stay together: hands of whole months are rare otherwise. */
static void shuffle_months(struct rng *c, uint8_t ret[static N_CARDS])
{
    uint8_t deck[N_CARDS];
    int n = 0;
    shuffle(c, deck);
    for (int i = 0; i < N_CARDS; i++)
        for (int k = 0; deck[i] % 4 == 0 && k < 4; k++)
            ret[n++] = (uint8_t)(deck[i] + k);
}

/* Legal moves, scores and what random players make of a match with these rules. */
static uint64_t course(const struct rules *r, int players, uint64_t seed)
{
    struct rng c = rng_seed(seed);
    struct ruleset g;
    struct match m;
    uint8_t deck[N_CARDS];
    uint64_t sum = 0;
    ruleset_make(r, &g);
    match_start(r, players, (int)(seed % (uint64_t)players), &m);
    while (m.stage != MATCH_OVER && m.round_no < 4 && m.attempt < 20) {
        if (m.stage == MATCH_READY) {
            (seed % 4 == 0 ? shuffle_months : shuffle)(&c, deck);
            match_deal(&g, &m, deck, NULL);
            sum = mixed(sum, m.stage * 8 + m.dealer);
            continue;
        }
        struct move moves[MAX_MOVES];
        int n = round_legal(&g, &m.round, m.round.turn, moves);
        sum = mixed(sum, n * 8 + m.round.phase);
        struct move move = moves[rng_next(&c) % (uint64_t)n];
        sum = mixed(sum, (int64_t)(move.take * 64 + move.kind * 8) + move.card);
        match_apply(&g, &m, m.round.turn, move, NULL);
        for (int s = 0; s < players; s++)
            sum = mixed(sum, m.scores[s]);
    }
    return mixed(sum, m.stage * 8 + m.winner);
}

/* Scores of random piles, called and not. */
static uint64_t piles(const struct rules *r, uint64_t seed)
{
    struct rng c = rng_seed(seed);
    struct ruleset g;
    struct rules of_round = *r;
    uint64_t sum = 0;
    rules_in_round(&of_round, 1 + (int)(seed % N_MONTHS));
    ruleset_make(&of_round, &g);
    for (int i = 0; i < 200; i++) {
        cardset s = rng_next(&c) & ALL_CARDS;
        sum = mixed(sum, pile_base(&g, s, i & 1));
    }
    return sum;
}

TEST(every_field_changes_a_score_or_a_move)
{
    for (const struct rules_field *f = rules_fields; f->path; f++) {
        struct rng c = rng_seed(2);
        bool matters = !is_checked(f), of_rounds = strcmp(f->path, "rounds") == 0;
        for (uint64_t i = 0; i < 20000 && !matters; i++) {
            struct rules r = random_rules(&c), other = changed(r, f, &c);
            int players = f->players ? f->players : r.players_allowed >> 2 & 1 ? 2 : 3;
            if (memcmp(&r, &other, sizeof r) == 0 || !(r.players_allowed >> players & 1))
                continue;
            if (i & 1 && !of_rounds) /* soon over: ties, and what breaks them */
                r.rounds = other.rounds = 1;
            matters = piles(&r, i) != piles(&other, i) ||
                      course(&r, players, i) != course(&other, players, i);
        }
        if (!matters)
            fail_msg("%s changes no score and no move", f->path);
    }
}
