/* Makes engine/equity_rounds.c: counts how rounds end under each preset.
 *
 *     make equity ROUNDS=200000            writes the file
 *
 * The tuned policy plays itself, calling koi-koi as learned, dealer and seats as in a match: the
 * winner deals next.
 */
#include "equity.h"
#include "engine/positions.h"
#include "engine/presets.h"
#include "search_call.h"
#include "search_world.h"

#include <inttypes.h>

struct kind {
    int preset, players;
};
static const struct kind kinds[] = {{PRESET_SENSEI, 2},
                                    {PRESET_MONGOLOPEDIA, 2},
                                    {PRESET_MONGOLOPEDIA, 3},
                                    {PRESET_OKOSHKI, 2},
                                    {PRESET_STANDARD, 2}};

static int pick(const struct ruleset *g, const struct call_net *net, const struct round *r,
                const struct move *moves, int n)
{
    if (net == NULL || r->phase != PHASE_DECIDE || r->hand[r->turn] == 0)
        return policy_pick(g, &policy_tuned, r, moves, n);
    return moves[0].kind == (call_is_better(net, g, r) ? MOVE_KOIKOI : MOVE_STOP) ? 0 : 1;
}

static void count(const struct ruleset *g, struct luck *chance, uint32_t rounds,
                  struct equity_rounds *e)
{
    const struct call_net *net = call_net_for(g, e->players);
    struct move moves[MAX_MOVES];
    uint8_t deck[N_CARDS];
    struct round r;
    int dealer = 0;

    while (e->rounds < rounds) {
        deck_by_chance(chance, deck);
        round_deal(g, e->players, dealer, deck, &r, NULL);
        while (r.phase != PHASE_OVER) {
            int n = round_legal(g, &r, r.turn, moves);
            round_apply(g, &r, r.turn, moves[pick(g, net, &r, moves, n)], NULL);
        }
        if (r.void_why != VOID_NONE)
            continue;
        e->rounds++;
        int p = r.result.points < EQUITY_POINTS ? r.result.points : EQUITY_POINTS - 1;
        e->nobody += r.result.winner < 0;
        if (r.result.winner >= 0)
            (r.result.winner == dealer ? e->dealer : e->other)[p]++;
        dealer = r.result.winner < 0 ? dealer : r.result.winner;
    }
}

static void print_counts(const char *name, const uint32_t *n)
{
    int column = 0;

    printf("        .%s = {", name);
    for (int p = 0; p < EQUITY_POINTS; p++)
        if (n[p] > 0)
            printf("%s[%d] = %" PRIu32 ",", column++ % 7 == 0 ? "\n            " : " ", p, n[p]);
    printf("\n        },\n");
}

static void print(const struct equity_rounds *e, const struct rules *r)
{
    printf("    {\n        .name = \"%s\", .players = %d, .rounds = %" PRIu32 ", .nobody = %" PRIu32
           ",\n",
           e->name, e->players, e->rounds, e->nobody);
    printf("        .rules = { .own_koikoi = %d, .opponent_koikoi = %d, .any_koikoi = %d, "
           ".has_seven_plus = %d,\n"
           "                   .seven_min_yaku = %d, .wild_lightning = %d, .hand_yaku_multiplied = "
           "%d,\n"
           "                   .trio_extra = %d, .yaku = { [YAKU_TSUKIMI] = %d, [YAKU_HIKI] = %d } "
           "},\n",
           r->own_koikoi, r->opponent_koikoi, r->any_koikoi, r->has_seven_plus, r->seven_min_yaku,
           r->wild_lightning, r->hand_yaku_multiplied, r->trio_extra, r->yaku[YAKU_TSUKIMI],
           r->yaku[YAKU_HIKI]);
    print_counts("dealer", e->dealer);
    print_counts("other", e->other);
    printf("    },\n");
}

int main(int argc, char **argv)
{
    uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 200000;
    struct luck chance = luck_seed(20);

    printf("/* How rounds end, from the dealer's side. Made by `make equity ROUNDS=%" PRIu32
           "`. */\n"
           "#include \"equity.h\"\n\nconst struct equity_rounds equity_rounds[] = {\n",
           rounds);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct ruleset *g = preset(kinds[i].preset);
        struct equity_rounds e = {.name = g->rules.name, .players = (uint8_t)kinds[i].players};
        count(g, &chance, rounds, &e);
        print(&e, &g->rules);
    }
    printf("};\nconst int n_equity_rounds = sizeof equity_rounds / sizeof *equity_rounds;\n");
}
