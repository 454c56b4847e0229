/* The teacher: moves that any good player would choose, and whether the reasons it gives are
 * true. */
#include "test.h"
#include "review_worlds.h"
#include "positions.h"
#include "presets.h"
#include "stride.h"
#include "table.h"

#include <math.h>
#include <string.h>

enum { VISITS = 600 };

/* Reviews the move in this setup. */
static void review_setup(int which, const struct setup *s, const char *made, struct view *ret_view,
                         struct review *ret)
{
    setup_view(preset(which), s, ret_view);
    review_move(ret_view, move_of(made), VISITS, 1, ret);
}

static int index_in(const struct view *v, const char *move)
{
    struct move m = move_of(move);
    for (int i = 0; i < v->n_legal; i++)
        if (v->legal[i].card == m.card && v->legal[i].take == m.take)
            return i;
    fail_msg("%s is not legal here", move);
    return -1;
}

static cardset gained(struct move m)
{
    return m.take ? m.take | CARD(m.card) : 0;
}

/* ---- What is lacking ------------------------------------------------------------------------- */

/* Three dry brights and a fourth are four brights; with the rainman they are the rainy four. */
TEST(four_brights_are_one_yaku)
{
    struct setup s = {.hand = "12p1 4p1",
                      .field = "12b 5p1",
                      .own = "1b 1p1 8b 8p1",
                      .other = "7r 7p1",
                      .dealer = 1,
                      .others_cards = 2,
                      .round_no = 12};
    struct view v;
    struct reach r;
    setup_view(preset(PRESET_STANDARD), &s, &v);
    assert_false(review_lacks(&v, move_of("12p1=12b"), 0, YAKU_AME_SHIKO, &r));
    assert_true(review_lacks(&v, move_of("12p1=12b"), 0, YAKU_SHIKO, &r));
    assert_int_equal(r.have, 3);
    assert_int_equal(r.need, 4);
    assert_int_equal(r.missing, set_of("3b"));
    v.taken[0] |= set_of("11b 11p");
    assert_false(review_lacks(&v, move_of("12p1=12b"), 0, YAKU_SHIKO, &r));
    assert_true(review_lacks(&v, move_of("4p1"), 0, YAKU_AME_SHIKO, &r));
    assert_int_equal(r.missing, set_of("3b 12b"));
}

/* A turn in mid-match with that pile; the wisteria ribbon on the field is open to the hand. */
static void view_with_pile(int which, const char *own, struct view *ret)
{
    const struct setup s = {.hand = "4p1 7p1",
                            .field = "4r 12p1",
                            .own = own,
                            .other = "11a 11r",
                            .dealer = 1,
                            .others_cards = 2,
                            .round_no = 1,
                            .scores = {50, 50}};
    setup_view(preset(which), &s, ret);
}

/* Under `standard` cards of a kind beyond its trio add to it, and five of them pay nothing beside it;
 * elsewhere five ribbons pay, and where the trio pays nothing. */
TEST(a_trio_that_takes_in_further_cards_leaves_no_count)
{
    static const char poetry[] = "1r 1p1 2r 2p1 3r 3p1 5r 5p1";
    static const int presets_that_pay[] = {PRESET_SENSEI, PRESET_MONGOLOPEDIA};
    struct view v;
    struct reach r;
    view_with_pile(PRESET_STANDARD, poetry, &v);
    assert_false(review_reach(&v, 0, YAKU_TANZAKU, &r));
    assert_true(review_reach(&v, 0, YAKU_TANE, &r));
    view_with_pile(PRESET_STANDARD, "6r 6p1 9r 9p1 10r 10p1 5r 5p1", &v);
    assert_false(review_reach(&v, 0, YAKU_TANZAKU, &r));
    v.rules.yaku[YAKU_AOTAN] = 0;
    assert_true(review_reach(&v, 0, YAKU_TANZAKU, &r));
    view_with_pile(PRESET_STANDARD, "6a 6p1 7a 7p2 10a 10p1 2a 2p1 1r 1p1", &v);
    assert_false(review_reach(&v, 0, YAKU_TANE, &r));
    assert_true(review_reach(&v, 0, YAKU_TANZAKU, &r));
    for (int i = 0; i < 2; i++) {
        view_with_pile(presets_that_pay[i], poetry, &v);
        assert_true(review_reach(&v, 0, YAKU_TANZAKU, &r));
        assert_int_equal(r.have, 4);
    }
}

/* Under `mongolopedia` the rain man cancels both viewings, under `standard` neither. */
TEST(a_viewing_in_the_rain_is_out_of_reach)
{
    static const int rules[] = {PRESET_MONGOLOPEDIA, PRESET_STANDARD};
    struct view v;
    struct reach r;
    for (int i = 0; i < 2; i++) {
        view_with_pile(rules[i], "8b 8p1 11b 11p", &v);
        assert_int_equal(review_reach(&v, 0, YAKU_TSUKIMI, &r), i);
        view_with_pile(rules[i], "8b 8p1", &v);
        assert_true(review_reach(&v, 0, YAKU_TSUKIMI, &r));
        assert_int_equal(r.missing, set_of("9a"));
    }
}

/* ---- Obvious moves --------------------------------------------------------------------------- */

/* Last card of the last round, tied score: the third poetry ribbon on the field wins the match; the
 * plain beside it does not. */
#define RIBBON                                                                                     \
    {                                                                                              \
        .hand = "3p1", .field = "3r 3p2 9p1 10p1", .own = "1r 1p1 2r 2p1", .other = "11r 11a",     \
        .dealer = 1, .others_cards = 1, .round_no = 12, .scores = {                                \
            10,                                                                                    \
            10                                                                                     \
        }                                                                                          \
    }
static const struct setup ribbon = RIBBON;

/* What a move lost, and why: the best move captures `takes` (empty: nothing), the reason names that
 * card of a seat's yaku. */
TEST(a_worse_move_is_told_what_it_missed)
{
    static const struct {
        struct setup setup;
        const char *made, *takes;
        float loss; /* at least */
        enum reason_kind kind;
        int seat;
        const char *card;
        enum yaku yaku, or_yaku;
    } rows[] = {
        {RIBBON, "3p1=3p2", "3r", 0.1f, REASON_COMPLETES, 0, "3r", YAKU_AKATAN, YAKU_AKATAN},
        /* ahead in the last round; the opponent has the moon and a chrysanthemum that captures the
         * cup */
        {{.hand = "9p1 4p1 5p1",
          .field = "9a 6p1 12p1",
          .own = "12p2 12p3",
          .other = "8b 8p1 3b 3p1",
          .dealer = 1,
          .others_cards = 3,
          .round_no = 12,
          .scores = {13, 10}},
         "4p1",
         "9a",
         0.05f,
         REASON_DENIES,
         1,
         "9a",
         YAKU_TSUKIMI,
         YAKU_HANAMI},
        /* the moon is this seat's last bright and must not be laid down before the cup's owner */
        {{.hand = "8b 4p1 5p1",
          .field = "6p1 12p1 10p1",
          .own = "12p2 12p3",
          .other = "9a 9p1",
          .others_hand = "8p1 8p2 2p1",
          .dealer = 1,
          .others_cards = 3,
          .round_no = 12,
          .scores = {13, 10}},
         "8b",
         "",
         0.03f,
         REASON_GIVES,
         1,
         "8b",
         YAKU_TSUKIMI,
         YAKU_TSUKIMI},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct review r;
        struct view v;
        review_setup(PRESET_STANDARD, &rows[i].setup, rows[i].made, &v, &r);
        struct move best = v.legal[r.best], made = move_of(rows[i].made);
        assert_true(best.take == set_of(rows[i].takes));
        assert_true(best.card != made.card || best.take != made.take);
        assert_true(r.loss > rows[i].loss);
        assert_same(r.reason.kind, rows[i].kind, rows[i].made);
        assert_same(r.reason.seat, rows[i].seat, rows[i].made);
        assert_same(r.reason.card, set_first(set_of(rows[i].card)), rows[i].made);
        assert_true(r.reason.yaku == rows[i].yaku || r.reason.yaku == rows[i].or_yaku);
        assert_true(rows[i].seat == 0 ? r.reason.chance > r.reason.instead
                                      : r.reason.chance < r.reason.instead);
        if (r.reason.kind == REASON_COMPLETES)
            assert_true(r.reason.chance > 0.99f && r.reason.instead < 0.9f);
    }
}

TEST(the_best_move_loses_nothing)
{
    struct review r;
    struct view v;
    review_setup(PRESET_STANDARD, &ribbon, "3p1=3r", &v, &r);
    assert_int_equal(r.best, r.made);
    assert_true(r.loss == 0);
    assert_int_equal(r.reason.kind, REASON_NONE);
    assert_true(r.spread > 0.1f);
}

/* Two plain cherries can capture the ribbon: which one plays is one choice. */
TEST(equal_plains_are_one_choice)
{
    struct setup s = ribbon;
    struct review r, other;
    struct view v;
    s.hand = "3p1 3p2 5p1";
    s.field = "3r 9p1 10p1";
    s.others_cards = 3;
    review_setup(PRESET_STANDARD, &s, "3p1=3r", &v, &r);
    review_setup(PRESET_STANDARD, &s, "3p2=3r", &v, &other);
    assert_true(r.loss == 0 && other.loss == 0);
    assert_true(review_alike(move_of("3p1=3r"), move_of("3p2=3r")));
    assert_false(review_alike(move_of("3p1=3r"), move_of("3p1")));
    assert_false(review_alike(move_of("9a=9r"), move_of("9p1=9r")));
}

/* The opponent needs one more plain. Capturing the cuckoo leaves no capture. Only this seat could
 * get the plain that captures the cuckoo, so the review must not say that it was kept from the
 * opponent. */
TEST(a_card_of_the_own_hand_is_no_denial)
{
    struct setup s = {.hand = "4p1 5a",
                      .field = "4a 6a",
                      .own = "12p2 12p3",
                      .other = "8p1 8p2 7p1 7p2 3p1 3p2 2p1 2p2 1p1",
                      .others_hand = "4p2 10a",
                      .dealer = 1,
                      .others_cards = 2,
                      .round_no = 12,
                      .scores = {10, 10}};
    struct review_worlds w;
    struct reason why;
    struct view v;
    setup_view(preset(PRESET_STANDARD), &s, &v);
    review_worlds_make(&v, 1, &w);
    review_reason(&w, index_in(&v, "4p1=4a"), index_in(&v, "5a"), 1000, &why);
    assert_int_equal(why.seat, 1);
    assert_int_equal(why.yaku, YAKU_KASU);
    assert_int_equal(why.kind, REASON_BLOCKS);
    assert_int_equal(why.card, CARD_NONE);
}

/* The fifth ribbon beside the poetry ribbons: a yaku under `sensei`, none under `standard`. Nor is it
 * one while the third poetry ribbon lies on the field and no other seat can take it. */
TEST(what_a_trio_takes_in_is_no_reason)
{
    const struct setup later = {.hand = "3p1 7p1 12p1",
                                .field = "3r 7r 11r",
                                .own = "1r 1p1 2r 2p1 5r 5p1 3b 3p2",
                                .other = "8a 8p1 9p1 9p2",
                                .dealer = 1,
                                .others_cards = 3,
                                .round_no = 1};
    static const int rules[] = {PRESET_SENSEI, PRESET_STANDARD};
    struct reason why[2];
    struct review_worlds w;
    struct review hint;
    struct view v;
    for (int i = 0; i < 2; i++) {
        view_with_pile(rules[i], "1r 1p1 2r 2p1 3r 3p1 5r 5p1", &v);
        review_worlds_make(&v, 1, &w);
        review_reason(&w, index_in(&v, "4p1=4r"), index_in(&v, "7p1"), 1000, &why[i]);
    }
    assert_int_equal(why[0].kind, REASON_COMPLETES);
    assert_int_equal(why[0].yaku, YAKU_TANZAKU);
    assert_int_not_equal(why[1].yaku, YAKU_TANZAKU);
    setup_view(preset(PRESET_STANDARD), &later, &v);
    review_hint(&v, VISITS, 1, &hint);
    assert_int_not_equal(hint.reason.yaku, YAKU_TANZAKU);
    assert_int_not_equal(hint.plan.yaku, YAKU_TANZAKU);
}

/* Five points win the match now; koi-koi can only lose it. */
TEST(stop_and_koikoi_are_weighed)
{
    struct setup s = {.hand = "4a 5a 6a 12b",
                      .field = "8b 9p1 10p1",
                      .own = "1r 1p1 2r 2p1 3r 3p1",
                      .other = "11a 11r",
                      .dealer = 1,
                      .others_cards = 4,
                      .round_no = 12,
                      .scores = {40, 10},
                      .phase = PHASE_DECIDE};
    struct review r;
    struct view v;
    review_setup(PRESET_STANDARD, &s, "koikoi", &v, &r);
    assert_true(r.decision);
    assert_true(r.stop.win > 0.99f && r.stop.won > 0.99f && r.stop.lost == 0);
    assert_true(r.stop.gain == 5); /* akatan, nothing doubled */
    assert_true(r.koikoi.won + r.koikoi.lost <= 1.001f && r.koikoi.lost > 0.01f);
    assert_true(r.koikoi.gain >= 5); /* piles only grow */
    assert_true(r.koikoi.risk >= 2); /* at least one point, doubled by the call */
    s.scores[0] = 10;                /* 5 more are behind 18: stopping loses */
    s.scores[1] = 18;
    review_setup(PRESET_STANDARD, &s, "stop", &v, &r);
    assert_true(r.stop.win < 0.01f && r.koikoi.win > 0.05f);
    assert_true(r.loss > 0.05f);
    assert_int_equal(r.reason.kind, REASON_KOIKOI);
}

TEST(a_hint_is_beside_something_worse)
{
    struct review r;
    struct view v;
    setup_view(preset(PRESET_STANDARD), &ribbon, &v);
    review_hint(&v, VISITS, 1, &r);
    assert_int_equal(v.legal[r.best].take, set_of("3r"));
    assert_true(r.made != r.best && r.loss == 0);
    assert_int_equal(r.reason.kind, REASON_COMPLETES);
    v.n_legal = 1; /* a single legal move: no comparison */
    review_hint(&v, VISITS, 1, &r);
    assert_int_equal(r.made, r.best);
    assert_int_equal(r.reason.kind, REASON_NONE);
}

/* ---- True reasons, everywhere ---------------------------------------------------------------- */

static void check_reason(const struct view *v, const struct review *r)
{
    const struct reason *why = &r->reason;
    struct move best = v->legal[r->best], made = v->legal[r->made];
    bool own = why->seat == v->seat;
    int need;
    assert_true(r->loss >= 0.01f && r->best != r->made);
    if (why->kind == REASON_STOP || why->kind == REASON_KOIKOI) {
        assert_int_equal(best.kind, why->kind == REASON_STOP ? MOVE_STOP : MOVE_KOIKOI);
        return;
    }
    assert_in_range(why->seat, 0, v->players - 1);
    assert_true(v->rules.yaku[why->yaku] > 0);
    assert_true(own ? why->chance >= why->instead + 0.049f : why->chance <= why->instead - 0.049f);
    assert_true(own == (why->kind >= REASON_COMPLETES && why->kind <= REASON_BUILDS));
    if (why->card != CARD_NONE) {
        cardset pool = yaku_cards(&v->rules, (enum yaku)why->yaku, &need);
        assert_true(why->yaku == YAKU_HIKI || (pool & CARD(why->card)));
        assert_false(v->taken[why->seat] & CARD(why->card));
    }
    if (why->kind == REASON_TAKES || why->kind == REASON_DENIES)
        assert_true(gained(best) & ~gained(made) & CARD(why->card));
    if (why->kind == REASON_DENIES) /* no opponent could have had a card of this hand */
        assert_true(best.take & CARD(why->card));
    if (why->kind == REASON_HOLDS || why->kind == REASON_GIVES)
        assert_true(made.take == 0 && made.card == why->card && best.card != why->card);
}

static void check_review(const struct view *v, const struct review *r)
{
    float total = r->koikoi.won + r->koikoi.lost;
    assert_true(r->loss >= 0 && r->loss <= r->spread && r->spread <= 1);
    assert_int_equal(r->advice.n, v->n_legal);
    assert_int_equal(r->decision, v->phase == PHASE_DECIDE);
    assert_true(total >= 0 && total <= 1.001f);
    if (r->reason.kind != REASON_NONE)
        check_reason(v, r);
}

/* Every rule set, two and three players, from the deal to the last cards. */
TEST(reviews_hold_under_every_rule_set)
{
    struct review r, again;
    struct match m;
    struct view v;
    int reasons = 0, decisions = 0, threes = 0;
    for (int t = 0; t < N_RULE_CASES; t++)
        for (int moves = 0; moves < 24; moves += stride(5, 2)) {
            const struct ruleset *g = &rule_case(t)->g;
            if (!position(g, rule_case(t)->players, (uint64_t)(70 * t + moves), moves, &m))
                continue;
            view_of(g, &m, m.round.turn, &v);
            struct move made = v.legal[v.n_legal - 1];
            review_move(&v, made, 200, 5, &r);
            check_review(&v, &r);
            review_move(&v, made, 200, 5, &again);
            assert_memory_equal(&r, &again, sizeof r);
            reasons += r.reason.kind != REASON_NONE;
            decisions += r.decision;
            threes += v.players == 3;
        }
    assert_true(reasons > 5 && decisions > 3 && threes > 5);
}

/* With the hidden cards exchanged the view is the same, and so must be every word of the
 * teacher. */
TEST(nothing_hidden_shows_in_a_review)
{
    struct review r, other;
    struct match m;
    struct view v, w;
    int compared = 0;
    for (int t = 0; t < N_RULE_CASES; t++) {
        const struct ruleset *g = &rule_case(t)->g;
        if (!position(g, rule_case(t)->players, (uint64_t)t, 3, &m) || m.round.next >= N_CARDS - 1)
            continue;
        int seat = m.round.turn, next = (seat + 1) % rule_case(t)->players;
        view_of(g, &m, seat, &v);
        int theirs = set_first(m.round.hand[next]);
        m.round.hand[next] ^= CARD(theirs) | CARD(m.round.deck[m.round.next]);
        m.round.deck[m.round.next] = m.round.deck[N_CARDS - 1];
        m.round.deck[N_CARDS - 1] = (uint8_t)theirs;
        view_of(g, &m, seat, &w);
        review_hint(&v, 200, 9, &r);
        review_hint(&w, 200, 9, &other);
        assert_memory_equal(&r, &other, sizeof r);
        review_move(&v, v.legal[0], 200, 9, &r);
        review_move(&w, w.legal[0], 200, 9, &other);
        assert_memory_equal(&r, &other, sizeof r);
        compared++;
    }
    assert_true(compared >= 8);
}
