/* Pairing of searches: the nearest rating first, a range that grows with the time that somebody has
 * waited; never oneself, nobody on vacation, no terms that do not agree. */
#include "engine/test.h"
#include "fixture/session_fixture.h"

#include "seek.h"
#include "step.h"

#define MINUTE_MS ((int64_t)60 * 1000)
#define NOW       ((int64_t)1795262400000)

/* The search of a person with these points, that has waited so long. */
static struct session *waiting(int64_t person, int points, int64_t waited)
{
    struct session *s = arena_new(session_fixture_arena, struct session);
    *s = session_fixture_match(session_fixture_rules("standard"), 2);
    s->no = s->venue[0].chat = person;
    s->phase = SESSION_OFFERED;
    s->timer = TIMER_SEEK;
    s->created = NOW - waited;
    s->due = NOW;
    s->time.move_ms = 86400000;
    s->strangers = true;
    s->seek_points = (uint16_t)points;
    s->player[0].person = person;
    s->player[0].joined = true;
    s->player[1] = (struct player){.lot = CARD_NONE};
    return s;
}

/* Whom search `own` meets when its timer fires: the person, 0 for nobody. */
static int64_t met(struct session *own, int n, struct session *const *others)
{
    struct seek_facts facts = {.n = n};
    struct world w = {.bot = &session_fixture_bot, .named = own, .seek = &facts};
    struct event e = {.verb = VERB_SEEK_AGAIN, .no = own->no, .now = NOW};
    struct effects fx = {.arena = session_fixture_arena};
    for (int i = 0; i < n; i++)
        facts.at[i] = others[i];
    assert_int_equal(bot_step(&w, &e, &fx), TAKEN);
    if (fx.n_saves == 1)
        return 0;
    assert_int_equal(fx.n_saves, 2);
    assert_int_equal(fx.save[0]->phase, SESSION_PLAYING);
    assert_int_equal(fx.save[0]->n_more, 1);
    assert_int_equal(fx.save[1]->phase, SESSION_OVER);
    for (int i = 0; i < 2; i++)
        if (fx.save[0]->player[i].person != own->player[0].person)
            return fx.save[0]->player[i].person;
    return -1;
}

static int64_t met_one(struct session *own, struct session *other)
{
    return met(own, 1, &other);
}

TEST(near_ratings_meet_at_once)
{
    assert_int_equal(met_one(waiting(1, 1500, 0), waiting(2, 1600, 0)), 2);
    assert_int_equal(met_one(waiting(1, 1500, 0), waiting(2, 1400, 0)), 2);
    assert_int_equal(met_one(waiting(1, 1500, 0), waiting(2, 1601, 0)), 0);
}

TEST(the_range_grows_with_the_longer_wait)
{
    assert_int_equal(met_one(waiting(1, 1500, 5 * MINUTE_MS), waiting(2, 1700, 0)), 2);
    assert_int_equal(met_one(waiting(1, 1500, 0), waiting(2, 1700, 5 * MINUTE_MS)), 2);
    assert_int_equal(met_one(waiting(1, 1500, 5 * MINUTE_MS - 1), waiting(2, 1700, 0)), 0);
    assert_int_equal(met_one(waiting(1, 900, 29 * MINUTE_MS), waiting(2, 2400, 0)), 0);
    assert_int_equal(met_one(waiting(1, 900, 30 * MINUTE_MS), waiting(2, 2400, 0)), 2);
}

TEST(the_first_that_suits_is_taken)
{
    struct session *others[] = {waiting(2, 1500, 0), waiting(3, 1510, 0)};
    others[0]->rules.rounds = 3;
    others[1]->rules.rounds = 6;
    struct session *own = waiting(1, 1500, 0);
    own->rules.rounds = 6;
    assert_int_equal(met(own, 2, others), 3);
}

TEST(nobody_meets_themselves)
{
    struct session *other = waiting(1, 1500, 0);
    other->no = 7;
    assert_int_equal(met_one(waiting(1, 1500, 0), other), 0);
}

TEST(nobody_on_vacation_is_paired)
{
    struct session *own = waiting(1, 1500, 0), *other = waiting(2, 1500, 0);
    other->player[0].absence =
        (struct absence){.vacation_from = NOW - 1, .vacation_until = NOW + 1};
    assert_int_equal(met_one(own, other), 0);
    other->player[0].absence.vacation_until = NOW;
    assert_int_equal(met_one(own, other), 2);
}

TEST(a_search_that_was_met_or_withdrawn_is_not_met_again)
{
    struct session *other = waiting(2, 1500, 0);
    other->phase = SESSION_OVER;
    assert_int_equal(met_one(waiting(1, 1500, 0), other), 0);
}

TEST(clocks_and_rules_must_agree_unless_left_open)
{
    struct session *own = waiting(1, 1500, 0), *other = waiting(2, 1500, 0);
    other->time.move_ms = 0;
    other->time.total_ms = 600000;
    assert_int_equal(met_one(own, other), 0);
    own->any_clock = true;
    assert_int_equal(met_one(own, other), 2);
    other->rules = *session_fixture_rules("okoshki");
    assert_int_equal(met_one(own, other), 0);
    own->any_rules = true;
    assert_int_equal(met_one(own, other), 2);
}

TEST(a_search_that_meets_nobody_waits_on)
{
    const struct seek_facts none = {0};
    struct world w = {.bot = &session_fixture_bot, .seek = &none};
    struct event e = {.verb = VERB_SEEK_AGAIN, .now = NOW};
    struct effects fx = {.arena = session_fixture_arena};
    w.named = waiting(1, 1500, 10 * MINUTE_MS);
    assert_int_equal(bot_step(&w, &e, &fx), TAKEN);
    assert_int_equal(fx.save[0]->timer, TIMER_SEEK);
    assert_int_equal(fx.save[0]->due, NOW + 5 * MINUTE_MS);
    assert_int_equal(fx.n_notices, 0);
    fx = (struct effects){.arena = session_fixture_arena};
    w.named = waiting(1, 1500, 30 * MINUTE_MS);
    assert_int_equal(bot_step(&w, &e, &fx), TAKEN);
    assert_int_equal(fx.save[0]->timer, TIMER_EXPIRE);
    assert_int_equal(fx.save[0]->due, NOW - 30 * MINUTE_MS + 24 * 60 * MINUTE_MS);
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
