/* A round, move by move: decisions, ends, refusals. Each test sets up its own deal; expectations
 * come from the rules page. */
#include "test.h"
#include "presets.h"
#include "rounds.h"
#include "table.h"

#include <string.h>

/* ---- Deciding -------------------------------------------------------------------------------- */

/* Seat 0 captures moon and sake in its first turn: tsukimi. */
static struct round tsukimi_at_once(const struct ruleset *g)
{
    struct round r = dealt(g, "9p1 2a 3b 4a 5a 6a 7a 12b", "1r 2r 3r 4r 5r 6r 7r 12p1",
                           "9a 8b 1p1 10a 10r 11r 11a 12p2", "8p1 1p2 2p1 10p1");
    plays(g, &r, "9p1=9a");
    return r;
}

TEST(both_phases_come_before_the_decision)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = tsukimi_at_once(g);
    assert_int_equal(r.phase, PHASE_DECIDE);
    assert_int_equal(r.turn, 0);
    assert_int_equal(count_legal(g, &r), 2);
    assert_true(is_legal(g, &r, 0, "koikoi") && is_legal(g, &r, 0, "stop"));
    assert_int_equal(does(g, &r, "2a"), ILLEGAL_PHASE);
    assert_int_equal(does(g, &r, "/2a=2r"), ILLEGAL_PHASE);
}

TEST(a_stop_needs_a_decision)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = dealt(g, calm0, calm1, "1p1 9r 9p1 10a 10r 11r 12b 12p2", NULL);
    assert_int_equal(does(g, &r, "stop"), ILLEGAL_PHASE);
    assert_int_equal(does(g, &r, "koikoi"), ILLEGAL_PHASE);
    assert_int_equal(round_apply(g, &r, 1, move_of("1r=1p1"), NULL), ILLEGAL_NOT_YOUR_TURN);
}

TEST(a_stop_pays_the_counted_worth)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = tsukimi_at_once(g);
    struct round_log log;
    assert_int_equal(round_apply(g, &r, 0, move_of("stop"), &log), LEGAL);
    assert_int_equal(r.phase, PHASE_OVER);
    assert_int_equal(r.result.why, WHY_STOP);
    assert_int_equal(r.result.winner, 0);
    assert_int_equal(r.result.score.worth[YAKU_TSUKIMI], 5);
    assert_int_equal(r.result.points, 5);
    assert_int_equal(log.n, 2);
    assert_int_equal(log.at[0].kind, LOG_DECIDE);
    assert_int_equal(log.at[0].what, MOVE_STOP);
    assert_int_equal(log.at[0].score.worth[YAKU_TSUKIMI], 5);
    assert_int_equal(log.at[1].kind, LOG_END);
    assert_int_equal(round_apply(g, &r, 0, move_of("stop"), NULL), ILLEGAL_OVER);
    assert_int_equal(count_legal(g, &r), 0);
}

TEST(koikoi_goes_on_and_keeps_the_count)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = tsukimi_at_once(g);
    struct round_log log;
    assert_int_equal(round_apply(g, &r, 0, move_of("koikoi"), &log), LEGAL);
    assert_int_equal(log.n, 1);
    assert_int_equal(log.at[0].what, MOVE_KOIKOI);
    assert_int_equal(r.koikoi[0], 1);
    assert_int_equal(r.last_decision[0].worth[YAKU_TSUKIMI], 5);
    assert_int_equal(r.turn, 1);
    assert_int_equal(does(g, &r, "1r=1p1"), LEGAL); /* nothing new for seat 1 */
    assert_int_equal(r.turn, 0);
    assert_int_equal(does(g, &r, "2a"), LEGAL); /* nor for seat 0: no second question */
    assert_int_equal(r.turn, 1);
}

TEST(a_new_yaku_is_asked_about_though_the_sum_falls)
{
    const struct ruleset *g = under("mongolopedia wild_lightning=off");
    /* Tsukimi 3 first; then Lightning makes it nothing while it is the tenth plain: kasu 1. */
    struct round r = dealt(g, "8p1 9a 1p1 2p1 3p1 4p1 5p1 11r", "1b 2a 3b 4a 5a 6a 7a 12b",
                           "8b 9p1 1p2 2p2 3p2 4p2 11p 12p1", "6p1 6r 7p1 7r 10p1 10r 8p2 8a 12p2");
    plays(g, &r, "8p1=8b 1b=1p2 9a=9p1");
    assert_int_equal(r.phase, PHASE_DECIDE);
    plays(g, &r, "koikoi");
    r.taken[0] = set_of(
        "8b 9a 8p1 10p1 10p2 12p3 6p2 7p2 5p2 2p2"); /* later: nine plains with the sake cup */
    r.field = set_of("11p");
    r.next = N_CARDS;
    r.turn = 0;
    assert_int_equal(pile_base(g, r.taken[0], r.koikoi[0] > 0), 3);
    plays(g, &r, "11r=11p");
    assert_int_equal(pile_base(g, r.taken[0], r.koikoi[0] > 0), 1);
    assert_int_equal(r.phase, PHASE_DECIDE);
}

/* Plays a round to its last card, by the first legal move each time; koi-koi at each decision. */
static void play_out(const struct ruleset *g, struct round *r)
{
    struct move moves[MAX_MOVES];
    while (r->phase != PHASE_OVER) {
        assert_true(round_legal(g, r, r->turn, moves) > 0);
        assert_int_equal(round_apply(g, r, r->turn, moves[0], NULL), LEGAL);
    }
}

TEST(koikoi_is_offered_with_no_card_left_in_hand)
{
    const struct ruleset *g = under("mongolopedia hand.2=1");
    struct round r = dealt(g, "9p1", "1r", "9a 8b 2p1 10a 10r 4r 4a 12p2", "8p1 5a");
    plays(g, &r, "9p1=9a");
    assert_int_equal(r.hand[0], 0);
    assert_int_equal(r.phase, PHASE_DECIDE);
    assert_true(is_legal(g, &r, 0, "koikoi"));
    plays(g, &r, "koikoi");
    assert_int_equal(does(g, &r, "1r"), LEGAL); /* exhausted: oya-kan, called by the dealer */
    assert_int_equal(r.result.why, WHY_OYA_KAN);
}

TEST(oya_kan_is_a_flat_six_for_the_dealer_without_multiplier)
{
    const struct ruleset *g = under("mongolopedia hand.2=1 multipliers.table_brights=on");
    struct round_log log;
    struct round r = dealt(g, "1r", "9p1", "9a 8b 2p1 10a 10r 4r 4a 12p2", "5a 8p1");
    plays(g, &r, "1r 9p1=9a");
    assert_int_equal(round_apply(g, &r, 1, move_of("koikoi"), &log),
                     LEGAL); /* seat 1 calls, the dealer wins */
    assert_int_equal(log.n, 2);
    assert_int_equal(log.at[1].kind, LOG_END);
    ended(&r.result, WHY_OYA_KAN, 0, 6);
    assert_int_equal(r.result.score.base, 6);
    for (int y = 0; y < N_YAKU; y++)
        assert_int_equal(r.result.score.worth[y], 0);
    for (int m = 0; m < N_MULTIPLIERS; m++)
        assert_int_equal(r.result.x[m], 1);
}

TEST(exhausted_is_a_draw_without_a_call_or_without_oya_kan)
{
    const struct ruleset *g = under("mongolopedia hand.2=1"),
                         *draw = under("mongolopedia hand.2=1 exhausted=draw");
    struct round r = dealt(g, "1r", "3r", "9a 8b 2p1 10a 10r 4r 4a 12p2", "5a 6a");
    play_out(g, &r);
    ended(&r.result, WHY_EXHAUSTED, -1, 0);
    r = dealt(draw, "1r", "9p1", "9a 8b 2p1 10a 10r 4r 4a 12p2", "5a 8p1");
    play_out(draw, &r);
    assert_int_equal(r.koikoi[1], 1);
    assert_int_equal(r.result.why, WHY_EXHAUSTED);
}

TEST(with_three_players_the_round_goes_on_when_the_stock_is_empty)
{
    struct rules w = wild();
    for (int y = 0; y < N_YAKU; y++)
        w.yaku[y] = 0; /* no decision ever */
    const struct ruleset *g = ready(0, &w);
    struct rng c = rng_seed(5);
    struct round r;
    do {
        uint8_t deck[N_CARDS];
        shuffle(&c, deck);
        round_deal(g, 3, 1, deck, &r, NULL);
    } while (r.phase == PHASE_OVER);
    assert_int_equal(N_CARDS - r.next, 19);
    play_out(g, &r);
    int plays = 0, draws = 0;
    for (int i = 0; i < r.n_seen; i++) {
        plays += (r.seen[i].seat_kind & 15) == SEEN_PLAY;
        draws += (r.seen[i].seat_kind & 15) == SEEN_DRAW;
    }
    assert_int_equal(plays, 21);
    assert_int_equal(draws, 19);
    assert_int_equal(r.result.why, WHY_EXHAUSTED);
}

/* Every public move is in the log under the seat that made it. */
TEST(the_log_of_moves_seen_names_the_seats)
{
    struct rng c = rng_seed(12);
    struct move moves[MAX_MOVES];
    int calls[MAX_PLAYERS] = {0};
    for (int i = 0; i < 300; i++) {
        const struct ruleset *g = preset(PRESET_MONGOLOPEDIA);
        uint8_t deck[N_CARDS];
        struct round r;
        shuffle(&c, deck);
        round_deal(g, 3, i % 3, deck, &r, NULL);
        while (r.phase != PHASE_OVER) {
            int seat = r.turn, before = r.n_seen, n = round_legal(g, &r, seat, moves);
            int pick = r.phase == PHASE_DECIDE ? 0 : (int)(rng_next(&c) % (unsigned)n);
            assert_int_equal(round_apply(g, &r, seat, moves[pick], NULL), LEGAL);
            for (int k = before; k < r.n_seen; k++) {
                assert_int_equal(r.seen[k].seat_kind >> 4, seat);
                calls[seat] += (r.seen[k].seat_kind & 15) == SEEN_KOIKOI;
            }
        }
    }
    for (int seat = 0; seat < MAX_PLAYERS; seat++)
        assert_true(calls[seat] > 10);
}

TEST(three_players_move_in_seat_order_from_the_dealer)
{
    struct rules w = wild();
    const struct ruleset *g = ready(0, &w);
    struct round r = dealt3(g,
                            (const char *const[]){"1b 2a 3b 4a 5a 6a 7a", "1r 2r 3r 4r 5r 6r 7r",
                                                  "1p1 2p1 3p1 4p1 5p1 6p1 7p1"},
                            "8b 9a 10a 12b 8a 9r 10r 12p1", "1p2 2p2 3p2 4p2");
    assert_int_equal(r.turn, 0);
    plays(g, &r, "2a");
    assert_int_equal(r.turn, 1);
    plays(g, &r, "3r");
    assert_int_equal(r.turn, 2);
}

/* ---- Moves from outside ---------------------------------------------------------------------- */

TEST(a_take_left_out_is_filled_in_where_there_is_one_answer)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = dealt(g, calm0, calm1, "1p1 2p1 2p2 10a 10r 11r 12b 12p2", "12p1 9p2");
    struct move m = move_of("1b");
    assert_int_equal(round_complete(g, &r, 0, false, &m), LEGAL);
    assert_true(m.take == set_of("1p1"));
    m = move_of("3b");
    assert_int_equal(round_complete(g, &r, 0, false, &m), LEGAL);
    assert_true(m.take == 0);
    m = move_of("2a");
    assert_int_equal(round_complete(g, &r, 0, false, &m), ILLEGAL_MUST_CHOOSE);
    m = move_of("2a=2p1");
    assert_int_equal(round_complete(g, &r, 0, true, &m), LEGAL);
    assert_int_equal(round_complete(g, &r, 1, true, &m), ILLEGAL_NOT_YOUR_TURN);
    m = move_of("9a");
    assert_int_equal(round_complete(g, &r, 0, false, &m), ILLEGAL_NOT_IN_HAND);
    m = move_of("/=12b");
    assert_int_equal(round_complete(g, &r, 0, true, &m), ILLEGAL_PHASE);
    plays(g, &r, "1b=1p1");
    assert_int_equal(round_complete(g, &r, 0, true, &m), LEGAL);
    assert_int_equal(m.card, r.drawn);
    assert_int_equal(round_complete(g, &r, 0, false, &m), ILLEGAL_MUST_CHOOSE);
    assert_int_equal(does(g, &r, "/=12b"), LEGAL); /* the drawn card may go unnamed */
    m = move_of("koikoi");
    assert_int_equal(round_complete(g, &r, 0, false, &m), LEGAL);
    round_apply(g, &r, 0, move_of("resign"), NULL);
    m = move_of("1r");
    assert_int_equal(round_complete(g, &r, 1, false, &m), ILLEGAL_OVER);
}

TEST(anyone_may_resign_but_it_is_never_listed)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = dealt(g, calm0, calm1, "1p1 9r 9p1 10a 10r 11r 12b 12p2", NULL);
    struct round_log log;
    assert_false(is_legal(g, &r, 0, "resign"));
    assert_int_equal(round_apply(g, &r, 1, move_of("resign"), &log), LEGAL);
    ended(&r.result, WHY_LEAVE, -1, 0);
    assert_int_equal(log.n, 2);
    assert_int_equal(log.at[0].kind, LOG_LEAVE);
    assert_int_equal(log.at[0].seat, 1);
    assert_int_equal(round_apply(g, &r, 1, move_of("resign"), NULL), ILLEGAL_OVER);
}

TEST(nonsense_is_refused_and_changes_nothing)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = dealt(g, calm0, calm1, "1p1 9r 9p1 10a 10r 11r 12b 12p2", NULL), before = r;
    struct round_log log = {.n = 77};
    assert_int_equal(round_apply(g, &r, 0, (struct move){.kind = 99}, &log), ILLEGAL_PHASE);
    assert_int_equal(
        round_apply(g, &r, 0, (struct move){.kind = MOVE_PLAY, .card = CARD_NONE}, &log),
        ILLEGAL_NOT_IN_HAND);
    assert_int_equal(round_apply(g, &r, 0, (struct move){.kind = MOVE_PLAY, .card = 47}, &log),
                     ILLEGAL_NOT_IN_HAND);
    assert_int_equal(log.n, 77);
    assert_memory_equal(&before, &r, sizeof r);
}

TEST(the_log_tells_a_turn)
{
    const struct ruleset *g = preset(PRESET_STANDARD);
    struct round r = dealt(g, calm0, calm1, "1p1 9r 9p1 10a 10r 11r 12b 12p2", "3p1 12p1");
    struct round_log log;
    assert_int_equal(round_apply(g, &r, 0, move_of("1b=1p1"), &log), LEGAL);
    assert_int_equal(log.n, 2);
    assert_int_equal(log.at[0].kind, LOG_PLAY);
    assert_true(log.at[0].take == set_of("1p1") && CARD(log.at[0].card) == set_of("1b"));
    assert_int_equal(log.at[1].kind, LOG_DRAW);
    assert_true(log.at[1].take == 0 && CARD(log.at[1].card) == set_of("3p1"));
    assert_int_equal(round_apply(g, &r, 1, move_of("1r"), &log), LEGAL);
    assert_int_equal(log.n, 1); /* the draw waits */
    assert_int_equal(round_apply(g, &r, 1, move_of("/12p1=12b"), &log), LEGAL);
    logged(&log, 1, LOG_DRAW);
    assert_int_equal(log.at[0].seat, 1);
}

/* ---- Properties ------------------------------------------------------------------------------ */

static cardset unseen_stock(const struct round *r)
{
    cardset s = r->drawn == CARD_NONE ? 0 : CARD(r->drawn);
    for (int i = r->next; i < N_CARDS; i++)
        s |= CARD(r->deck[i]);
    return s;
}

/* Hands, piles, field and stock are always the deck, each card once. */
static void check_cards(const struct round *r)
{
    cardset all = r->field | unseen_stock(r);
    int n = set_count(r->field) + set_count(unseen_stock(r));
    for (int p = 0; p < MAX_PLAYERS; p++) {
        all |= r->hand[p] | r->taken[p];
        n += set_count(r->hand[p]) + set_count(r->taken[p]);
    }
    assert_true(all == ALL_CARDS);
    assert_int_equal(n, N_CARDS);
}

static bool listed(const struct move *moves, int n, struct move m)
{
    for (int i = 0; i < n; i++)
        if (moves[i].kind == m.kind && moves[i].card == m.card && moves[i].take == m.take)
            return true;
    return false;
}

/* Any one-card move, half of them nonsense: accepted exactly if it is listed; a refusal changes
 * nothing. */
static void check_refusal(const struct ruleset *g, const struct round *r, struct rng *c)
{
    struct move moves[MAX_MOVES];
    int seat = (int)(rng_next(c) % r->players), n = round_legal(g, r, seat, moves);
    struct move m = {.kind = (uint8_t)(rng_next(c) % MOVE_RESIGN), .card = CARD_NONE};
    struct round copy = *r;
    if (m.kind == MOVE_PLAY)
        m.card = (uint8_t)(rng_next(c) % N_CARDS);
    if (m.kind == MOVE_CHOOSE)
        m.card = r->drawn;
    if (m.kind <= MOVE_CHOOSE && rng_next(c) % 2)
        m.take = CARD(rng_next(c) % N_CARDS);
    bool accepted = round_apply(g, &copy, seat, m, NULL) == LEGAL;
    assert_int_equal(accepted, listed(moves, n, m));
    if (!accepted)
        assert_memory_equal(&copy, r, sizeof copy);
}

TEST(no_card_is_lost_and_only_listed_moves_are_accepted)
{
    struct rng c = rng_seed(41);
    for (int i = 0; i < 3000; i++) {
        struct rules rules = random_rules(&c);
        const struct ruleset *g = ready(0, &rules);
        int players = (rules.players_allowed >> 3 & 1) != 0 && i % 2 ? 3 : 2;
        uint8_t deck[N_CARDS];
        struct round r;
        struct move moves[MAX_MOVES];
        shuffle(&c, deck);
        round_deal(g, players, i % players, deck, &r, NULL);
        while (r.phase != PHASE_OVER) {
            check_cards(&r);
            check_refusal(g, &r, &c);
            int n = round_legal(g, &r, r.turn, moves);
            assert_in_range(n, 1, MAX_MOVES);
            assert_int_equal(round_apply(g, &r, r.turn, moves[rng_next(&c) % (uint64_t)n], NULL),
                             LEGAL);
        }
        check_cards(&r);
        long product = r.result.score.base + r.result.added;
        for (int m = 0; m < N_MULTIPLIERS; m++)
            product *= r.result.x[m];
        assert_int_equal(r.result.points, r.result.winner < 0    ? 0
                                          : product < POINTS_MAX ? product
                                                                 : POINTS_MAX);
    }
}
