/* Scenes: what they say of a table, and that they hold no card that their reader may not see. */
#include "engine/test.h"
#include "fixture/session_fixture.h"
#include "engine/world.h"

#include "scene.h"

static struct scene scene_of(const struct session *s, int seat)
{
    struct ruleset g;
    struct scene scene;
    struct table t = {.players = s->players, .phase = SESSION_PLAYING, .rules = s->rules};
    ruleset_make(&s->rules, &g);
    view_of(&g, &s->match, seat, &t.view);
    scene_make(&t, &g, &scene);
    return scene;
}

TEST(each_card_has_its_captures)
{
    struct session s = session_fixture_dealt("sensei", 2, "1b 2r 3p1 5a 8b 9a 10p1 12b",
                                             "11p 3b 8p1 5p1 3r 6a 7p1 9r", "4a");
    struct scene at = scene_of(&s, 0);
    assert_true(at.dealt && at.mine && at.n_hand == 8 && at.round == 1);
    const struct scene_card *nothing = &at.hand[0], *either = &at.hand[2], *moon = &at.hand[4];
    assert_int_equal(nothing->n, 1);
    assert_true(at.move[nothing->first].move.take == 0 && nothing->reach == 0);
    assert_int_equal(either->n, 2);
    assert_true(either->reach == set_of("3b 3r"));
    assert_true(at.move[either->first].move.take == set_of("3b"));
    assert_true(at.move[moon->first].move.take == set_of("8p1"));
    for (int i = 0; i < at.n_moves; i++)
        assert_int_equal(at.move[i].legal, i);
    struct scene other = scene_of(&s, 1);
    assert_true(!other.mine && other.n_moves == 0 && other.n_hand == 8);
    for (int i = 0; i < other.n_all; i++)
        assert_int_equal(other.move[i].legal, -1);
}

/* Both moon viewing cards in one capture. */
TEST(a_move_names_the_yaku_that_it_makes)
{
    struct session s = session_fixture_dealt("sensei", 2, "9a 1b 2r 4p1 5a 6a 7p1 12b",
                                             "9p1 8p1 3b 3r 5p1 10p1 11p 11b", "8b");
    struct ruleset g;
    ruleset_make(&s.rules, &g);
    s.match.round.taken[0] |= CARD(set_first(set_of("8b")));
    struct scene at = scene_of(&s, 0);
    const struct scene_move *takes = NULL;
    for (int i = 0; i < at.n_moves; i++)
        if (at.move[i].move.card == set_first(set_of("9a")))
            takes = &at.move[i];
    assert_non_null(takes);
    assert_true(takes->makes_any && takes->makes[YAKU_TSUKIMI] == s.rules.yaku[YAKU_TSUKIMI]);
    assert_int_equal(at.at[0].n_near > 0, true);
}

static bool same_scene(const struct scene *a, const struct scene *b)
{
    bool same = a->n_hand == b->n_hand && a->n_moves == b->n_moves && a->n_all == b->n_all &&
                a->n_acts == b->n_acts && a->field == b->field && a->drawn.card == b->drawn.card &&
                a->turn == b->turn && a->phase == b->phase && a->stock_size == b->stock_size &&
                a->stop.points == b->stop.points;
    for (int i = 0; same && i < a->n_all; i++)
        same = a->move[i].move.card == b->move[i].move.card &&
               a->move[i].move.take == b->move[i].move.take &&
               memcmp(a->move[i].makes, b->move[i].makes, sizeof a->move[i].makes) == 0;
    for (int i = 0; same && i < a->n_hand; i++)
        same = a->hand[i].card == b->hand[i].card && a->hand[i].reach == b->hand[i].reach;
    for (int i = 0; same && i < a->players; i++) {
        same = a->at[i].pile == b->at[i].pile && a->at[i].n_near == b->at[i].n_near &&
               a->at[i].hand_size == b->at[i].hand_size;
        for (int k = 0; same && k < a->at[i].n_near; k++)
            same = a->at[i].near[k].yaku == b->at[i].near[k].yaku &&
                   a->at[i].near[k].missing == b->at[i].near[k].missing;
    }
    return same;
}

/* All cards that a scene shows as being somewhere. */
static cardset cards_shown(const struct scene *s)
{
    cardset all = s->field;
    for (int i = 0; i < s->n_hand; i++)
        all |= CARD(s->hand[i].card);
    for (int i = 0; i < s->players; i++)
        all |= s->at[i].pile;
    for (int i = 0; i < s->n_all; i++)
        all |= s->move[i].move.take |
               (s->move[i].move.card < N_CARDS ? CARD(s->move[i].move.card) : 0);
    return all;
}

/* Random matches for two and three: of worlds that a seat, or the public, cannot tell apart, the
 * scenes are the same, and name no hidden card. */
TEST(scene_holds_no_hidden_card)
{
    struct rng c = {5};
    int scenes = 0, differed = 0;
    for (int i = 0; i < 40; i++) {
        struct session s = session_fixture_shuffled(i, i & 1, &c);
        while (s.match.stage == MATCH_PLAYING) {
            int seat = (int)(rng_next(&c) % (uint64_t)(s.players + 1)) - 1;
            struct session other = s;
            other.match = other_world(&s.match, seat, &c);
            struct scene seen = scene_of(&s, seat), again = scene_of(&other, seat);
            cardset hidden = 0;
            for (int k = s.match.round.next; k < N_CARDS; k++)
                hidden |= CARD(s.match.round.deck[k]);
            for (int k = 0; k < s.players; k++) {
                hidden |= k == seat ? 0 : s.match.round.hand[k];
                differed += other.match.round.hand[k] != s.match.round.hand[k];
            }
            assert_true(same_scene(&seen, &again));
            assert_true((cards_shown(&seen) & hidden) == 0);
            scenes++;
            session_fixture_any_move(&s, &c);
        }
    }
    assert_true(scenes > 300 && differed > 300);
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
