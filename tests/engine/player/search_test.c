/* The computer player under every rule set: what it may do, what it may know, and which moves a
 * good player expects of it. */
#include "test.h"
#include "search.h"
#include "positions.h"
#include "presets.h"
#include "search_level.h"
#include "sprt.h"
#include "stride.h"
#include "table.h"

#include <math.h>
#include <string.h>

static bool is_legal(const struct view *v, struct move m)
{
    for (int i = 0; i < v->n_legal; i++)
        if (same_move(v->legal[i], m))
            return true;
    return false;
}

static void look(const struct ruleset *g, const struct match *m, struct view *ret)
{
    view_of(g, m, m->round.turn, ret);
    assert_true(ret->n_legal > 0);
}

/* ---- Every rule set, every phase, every level ------------------------------------------------ */

TEST(every_answer_is_a_legal_move)
{
    struct budget b = {.visits = 60};
    struct advice a;
    struct match m;
    struct view v;
    int seen[4] = {0};
    for (int t = 0; t < N_RULE_CASES; t++)
        for (int moves = t % stride(2, 1); moves < 22; moves += stride(2, 1)) {
            const struct ruleset *g = &rule_case(t)->g;
            if (!position(g, rule_case(t)->players, (uint64_t)(100 * t + moves), moves, &m))
                continue;
            look(g, &m, &v);
            seen[v.phase]++;
            for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++) {
                search(&v, l, &b, 5, &a);
                assert_true(is_legal(&v, a.move));
                assert_int_equal(a.n, v.n_legal);
                for (int i = 0; i < a.n; i++) {
                    assert_true(same_move(a.at[i].move, v.legal[i]));
                    assert_true(isfinite(a.at[i].value) && a.at[i].win >= 0 && a.at[i].win <= 1);
                    assert_true(l < LEVEL_HARD || a.at[i].win <= a.win);
                }
            }
        }
    assert_true(seen[PHASE_HAND] > 50 && seen[PHASE_DRAW] > 5 && seen[PHASE_DECIDE] > 5);
}

/* Random rule sets: every level, from the deal on. */
TEST(any_rule_set_can_be_played)
{
    struct budget b = {.visits = 12};
    struct rng rng = rng_seed(4);
    struct advice a;
    struct match m;
    struct view v;
    int asked = 0;
    for (int i = 0; i < 60; i++) {
        struct rules r = random_rules(&rng);
        struct ruleset g;
        int players = r.players_allowed & 1 << 3 && i % 2 ? 3 : r.players_allowed & 1 << 2 ? 2 : 3;
        ruleset_make(&r, &g);
        if (!position(&g, players, (uint64_t)i, 0, &m))
            continue;
        for (; m.stage == MATCH_PLAYING; asked++) {
            look(&g, &m, &v);
            search(&v, (enum level)(asked % N_LEVELS), &b, (uint64_t)i, &a);
            assert_int_equal(match_apply(&g, &m, m.round.turn, a.move, NULL), LEGAL);
        }
    }
    assert_true(asked > 500);
}

/* Whole rounds, so that it also meets its own positions. */
TEST(every_level_plays_a_round_to_its_end)
{
    struct budget b = {.visits = 40};
    struct advice a;
    struct match m;
    struct view v;
    for (int t = 0; t < N_RULE_CASES; t++)
        for (uint64_t seed = 0; seed < 2; seed++) {
            const struct ruleset *g = &rule_case(t)->g;
            if (!position(g, rule_case(t)->players, seed, 0, &m))
                continue;
            while (m.stage == MATCH_PLAYING) {
                look(g, &m, &v);
                search(&v, (enum level)((m.round.turn + (int)seed) % N_LEVELS), &b, seed, &a);
                assert_int_equal(match_apply(g, &m, m.round.turn, a.move, NULL), LEGAL);
            }
        }
}

TEST(same_arguments_same_answer)
{
    struct budget b = {.visits = 400};
    struct advice one, two;
    struct match m;
    struct view v;
    for (int t = 0; t < N_RULE_CASES; t++)
        for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++) {
            const struct ruleset *g = &rule_case(t)->g;
            if (!position(g, rule_case(t)->players, 7, 4, &m))
                continue;
            look(g, &m, &v);
            search(&v, l, &b, 3, &one);
            search(&v, l, &b, 3, &two);
            assert_memory_equal(&one, &two, sizeof one);
        }
}

/* Rotates the other players' cards and the stock, without a change for the seat's view. */
static void shift_hidden(struct match *m, int seat, int by)
{
    uint8_t card[N_CARDS], moved[N_CARDS];
    struct round *r = &m->round;
    int n = 0, at = 0;
    for (int s = 0; s < r->players; s++)
        for (cardset h = s == seat ? 0 : r->hand[s]; h; h = set_rest(h))
            card[n++] = (uint8_t)set_first(h);
    for (int i = r->next; i < N_CARDS; i++)
        card[n++] = r->deck[i];
    for (int i = 0; i < n; i++)
        moved[i] = card[(i + by) % n];
    for (int s = 0; s < r->players; s++) {
        int held = set_count(r->hand[s]);
        r->hand[s] = s == seat ? r->hand[s] : 0;
        for (int i = 0; s != seat && i < held; i++)
            r->hand[s] |= CARD(moved[at++]);
    }
    for (int i = r->next; i < N_CARDS; i++)
        r->deck[i] = moved[at++];
}

TEST(hidden_cards_do_not_change_advice)
{
    struct budget b = {.visits = 300};
    struct advice one, two;
    struct match m, other;
    struct view v, w;
    int compared = 0;
    for (int t = 0; t < N_RULE_CASES; t++)
        for (int moves = 1; moves < 14; moves += 4) {
            const struct ruleset *g = &rule_case(t)->g;
            if (!position(g, rule_case(t)->players, (uint64_t)moves, moves, &m))
                continue;
            other = m;
            shift_hidden(&other, m.round.turn, 5);
            assert_memory_not_equal(&m, &other, sizeof m);
            look(g, &m, &v);
            look(g, &other, &w);
            for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++, compared++) {
                search(&v, l, &b, 9, &one);
                search(&w, l, &b, 9, &two);
                assert_memory_equal(&one, &two, sizeof one);
            }
        }
    assert_true(compared > 100);
}

static struct view early_view(void)
{
    struct match m;
    struct view v;
    assert_true(position(preset(PRESET_STANDARD), 2, 2, 0, &m));
    look(preset(PRESET_STANDARD), &m, &v);
    return v;
}

TEST(a_budget_of_playouts_is_kept)
{
    static const uint32_t visits[] = {1, 30, 500, 3000};
    struct advice a;
    struct view v = early_view();
    for (size_t i = 0; i < 4; i++)
        for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++) {
            search(&v, l, &(struct budget){.visits = visits[i]}, 1, &a);
            /* each move is tried once, even with fewer playouts than moves */
            assert_true(a.playouts <= visits[i] || a.playouts == v.n_legal);
            assert_true(a.playouts >= v.n_legal);
        }
}

/* After the least number of worlds hardly any two first moves can be told apart: they differ by a
 * few per cent of the match, and the standard error is as large. So nearly every search uses the
 * further worlds it is allowed. */
TEST(close_moves_are_looked_at_to_the_end_of_the_budget)
{
    const uint32_t worlds = 192;
    uint32_t looked_at = 0, moves = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        struct advice a;
        struct match m;
        struct view v;
        if (!position(preset(PRESET_STANDARD), 2, seed, 0, &m))
            continue;
        look(preset(PRESET_STANDARD), &m, &v);
        search(&v, LEVEL_MASTER, &(struct budget){.visits = worlds * v.n_legal}, seed, &a);
        looked_at += a.playouts;
        moves += a.n;
    }
    assert_true(moves > 150);
    assert_true(looked_at > moves * worlds * 3 / 4);
}

/* At most 512 fresh worlds tell what a move is worth, however many playouts are allowed: more would only
 * take time. */
TEST(fresh_worlds_have_a_ceiling)
{
    enum { FRESH = 512 };
    struct advice a;
    struct view v = early_view();
    struct habits all = habits[LEVEL_MASTER];
    all.settled = 0; /* it uses what it is allowed */
    v.n_legal = 2;
    for (uint32_t worlds = FRESH / 2; worlds <= 4 * FRESH; worlds *= 2) {
        search_as(preset(PRESET_STANDARD), &v, &all,
                  &(struct budget){.visits = worlds * 4 * v.n_legal}, 1, &a);
        for (int i = 0; i < a.n; i++)
            assert_int_equal(a.at[i].visits, worlds < FRESH ? worlds : FRESH);
    }
}

static bool enough(void *arg)
{
    return ++*(int *)arg >= 3;
}

TEST(a_budget_of_time_is_asked_and_kept)
{
    int asked = 0;
    struct advice a;
    struct view v = early_view();
    search(&v, LEVEL_MASTER, &(struct budget){.visits = 1000000, .spent = enough, .arg = &asked}, 1,
           &a);
    assert_int_equal(asked, 4); /* once while it told what the moves are worth */
    assert_true(a.playouts < 2000);
}

/* What a search of few playouts says of the move that it chooses, less what many say of that move
 * alone: by how much its luck is taken for strength. */
static void luck_of_the_chosen(bool weighs, struct sample *ret)
{
    const struct ruleset *g = preset(PRESET_MONGOLOPEDIA);
    struct habits few = habits[LEVEL_MASTER];
    struct advice said, is;
    struct match m;
    struct view v;
    *ret = (struct sample){0};
    few.weighs = weighs;
    for (uint64_t seed = 0; seed < (uint64_t)stride(90, 300); seed++) {
        if (!position(g, 2, seed, (int)(seed % 6), &m))
            continue;
        look(g, &m, &v);
        if (v.n_legal < 3)
            continue;
        search_as(g, &v, &few, &(struct budget){.visits = 40U * v.n_legal}, seed, &said);
        v.n_legal = 1;
        v.legal[0] = said.move;
        search_as(g, &v, &habits[LEVEL_MASTER], &(struct budget){0}, seed + 1000, &is);
        sample_add(ret, (double)(said.value - is.value));
    }
}

TEST(the_chosen_move_is_not_worth_its_luck)
{
    struct sample by_choice, anew;
    luck_of_the_chosen(false, &by_choice);
    luck_of_the_chosen(true, &anew);
    assert_true(anew.n > stride(60, 200));
    assert_true(sample_mean(&by_choice) > 2 * sample_interval(&by_choice));
    assert_true(fabs(sample_mean(&anew)) < sample_interval(&anew));
}

/* With the last cards and empty piles nobody can win, so the round is worth nothing. The player counts
 * 0.3 points less than it sees where a round goes on past its turn. */
TEST(what_goes_on_past_a_turn_counts_less)
{
    const struct setup last_cards = {
        .hand = "2p1", .field = "5p1 6p1 7p1", .others_cards = 1, .round_no = 3};
    struct habits by_policy = habits[LEVEL_MASTER];
    struct advice seen, said;
    struct view v;
    by_policy.values = false;
    setup_view(preset(PRESET_STANDARD), &last_cards, &v);
    search_as(preset(PRESET_STANDARD), &v, &by_policy, &(struct budget){0}, 1, &seen);
    search_as(preset(PRESET_STANDARD), &v, &habits[LEVEL_MASTER], &(struct budget){0}, 1, &said);
    assert_true(fabsf(seen.value) < 1e-6f);
    assert_true(fabsf(said.value + 0.3f) < 1e-4f);
    assert_true(said.win < seen.win - 0.001f && said.win > seen.win - 0.02f);
}

TEST(levels_have_names)
{
    for (enum level l = LEVEL_BEGINNER; l < N_LEVELS; l++)
        assert_int_equal(level_read(level_key(l), strlen(level_key(l))), l);
    assert_string_equal(level_key(LEVEL_BEGINNER), "beginner");
    assert_string_equal(level_key(LEVEL_MASTER), "master");
    assert_int_equal(level_read("grandmaster", 11), -1);
    assert_int_equal(level_read("", 0), -1);
}

/* The rules of a preset with purses: more than a purse holds is never expected, whatever the value
 * net of these rules was learned for. */
TEST(no_purse_is_expected_to_pay_more_than_it_holds)
{
    struct view v = early_view();
    struct advice a;
    v.rules.scoring = SCORING_COINS;
    v.scores[0] = v.scores[1] = 2;
    for (uint64_t seed = 0; seed < 10; seed++) {
        search(&v, LEVEL_MASTER, &(struct budget){.visits = 800}, seed, &a);
        for (int i = 0; i < a.n; i++)
            assert_true(fabsf(a.at[i].value) <= 2);
    }
}

/* In the last round a stop that wins the match is made, and one that loses it is not. */
TEST(a_won_match_is_not_put_at_risk)
{
    struct setup s = {.hand = "1r 4p1",
                      .field = "6p1 10p1",
                      .own = "7a 10a 6a 2r 2p1",
                      .other = "1b 1p1 3r 3p1 5r 5p1 9r 9p1",
                      .others_cards = 2,
                      .round_no = 12,
                      .phase = PHASE_DECIDE};
    static const int scores[2][2] = {{20, 5}, {5, 11}};
    struct advice a;
    struct view v;
    for (int lost = 0; lost < 2; lost++) {
        memcpy(s.scores, scores[lost], sizeof s.scores);
        setup_view(preset(PRESET_STANDARD), &s, &v);
        search(&v, LEVEL_MASTER, &(struct budget){.visits = 2000}, 1, &a);
        assert_int_equal(a.move.kind, lost ? MOVE_KOIKOI : MOVE_STOP);
    }
}
