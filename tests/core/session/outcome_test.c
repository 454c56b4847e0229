/* Outcomes: what a finished match was for each seat, by how it ended. */
#include "engine/test.h"
#include "session.h"

/* A finished match. winner: a seat, -1 none; left: the seat that ended it by leaving, -1 none;
 * gone: the seat that was left before, -1 none. */
static struct session finished(int players, enum match_why why, int winner, int left, int gone)
{
    struct session s = {.players = (uint8_t)players, .left = (int8_t)left};
    s.match.players = (uint8_t)players;
    s.match.stage = MATCH_OVER;
    s.match.why = (uint8_t)why;
    s.match.winner = (int8_t)winner;
    s.match.gone = gone < 0 ? 0 : (uint8_t)(1u << gone);
    return s;
}

/* One letter a seat: w, d, l; capital if by forfeit. */
static void outcomes_are(const struct session *s, const char *wanted)
{
    char found[MAX_PLAYERS + 1] = {0};
    for (int i = 0; i < s->players; i++) {
        struct match_outcome o = outcome_of(s, i);
        assert_int_equal(o.won + o.drawn + o.lost, 1);
        found[i] = (char)((o.won ? 'w' : o.lost ? 'l' : 'd') - (o.forfeit ? 'a' - 'A' : 0));
    }
    assert_string_equal(found, wanted);
}

TEST(matches_that_are_played_out)
{
    struct session s = finished(2, MATCH_ROUNDS, 1, -1, -1);
    outcomes_are(&s, "lw");
    s = finished(2, MATCH_ROUNDS, -1, -1, -1);
    outcomes_are(&s, "dd");
    s = finished(3, MATCH_ROUNDS, 2, -1, -1);
    outcomes_are(&s, "llw");
    s = finished(2, MATCH_BANKRUPT, 0, -1, -1);
    outcomes_are(&s, "wl");
    s = finished(3, MATCH_AGREED, -1, -1, -1);
    outcomes_are(&s, "ddd");
}

TEST(those_who_leave_lose)
{
    struct session s = finished(2, MATCH_LEAVE, 1, 0, -1);
    outcomes_are(&s, "LW");
    s = finished(3, MATCH_LEAVE, 1, 0, -1); /* of three alone */
    outcomes_are(&s, "LWd");
    s = finished(3, MATCH_LEAVE, -1, 2, -1); /* at level scores too */
    outcomes_are(&s, "ddL");
}

TEST(those_who_left_have_lost_at_the_end_too)
{
    struct session s = finished(3, MATCH_ROUNDS, 2, 0, 0);
    outcomes_are(&s, "Llw"); /* the two others played it out */
    s = finished(3, MATCH_ROUNDS, -1, 0, 0);
    outcomes_are(&s, "Ldd");
    s = finished(3, MATCH_AGREED, -1, 1, 1);
    outcomes_are(&s, "dLd");
    s = finished(3, MATCH_LEAVE, 2, 1, 0); /* a second one leaves */
    outcomes_are(&s, "LLW");
}
