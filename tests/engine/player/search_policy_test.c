/* The policy's scores: a yaku that cannot be made any more is worth nothing, a card that invites what
 * an opponent needs is laid last. */
#include "test.h"
#include "nets.h"
#include "presets.h"
#include "search_policy.h"

#include <math.h>

enum { PINE_RIBBON = CRANE + 1, CHERRY_PLAIN = CURTAIN + 2, IRIS_PLAIN = 18 };

/* Score of capturing the curtain while the opponents hold `others`. */
static float curtain_is_worth(cardset others)
{
    struct sight sight = {.hand = CARD(CHERRY_PLAIN) | CARD(IRIS_PLAIN),
                          .field = CARD(CURTAIN),
                          .pile = CARD(PINE_RIBBON),
                          .others = others};
    struct move take = {.kind = MOVE_PLAY, .card = CHERRY_PLAIN, .take = CARD(CURTAIN)};
    float score;
    policy_scores(preset(PRESET_STANDARD), &policy_tuned, &sight, &take, 1, &score);
    return score;
}

/* sanko needs three of the four dry brights: it survives the loss of one, not of two. */
TEST(a_bright_is_worth_little_once_two_others_are_gone)
{
    float open, one, two;
    open = curtain_is_worth(0);
    one = curtain_is_worth(CARD(CRANE));
    two = curtain_is_worth(CARD(CRANE) | CARD(PHOENIX));
    assert_true(fabsf(one - open) < 1e-4f);
    assert_true(two < one - 0.01f);
}

/* Score of capturing the sake cup while the opponents hold `others`. */
static float sake_is_worth(cardset others)
{
    struct sight sight = {.hand = CARD(SAKE + 2) | CARD(IRIS_PLAIN),
                          .field = CARD(SAKE),
                          .pile = CARD(PINE_RIBBON),
                          .others = others};
    struct move take = {.kind = MOVE_PLAY, .card = SAKE + 2, .take = CARD(SAKE)};
    float score;
    policy_scores(preset(PRESET_STANDARD), &policy_tuned, &sight, &take, 1, &score);
    return score;
}

TEST(a_viewing_is_worth_nothing_once_its_bright_is_gone)
{
    float open, one, none;
    open = sake_is_worth(0);
    one = sake_is_worth(CARD(MOON));
    none = sake_is_worth(CARD(MOON) | CARD(CURTAIN));
    assert_true(one < open - 0.01f);
    assert_true(none < one - 0.01f);
}

/* Score of laying a plain pampas grass beside an opponent who holds the sake cup. */
static float pampas_is_laid_at(bool moon_is_open, bool rival_called)
{
    struct sight sight = {.hand = CARD(MOON + 2) | CARD(IRIS_PLAIN),
                          .field = CARD(PINE_RIBBON),
                          .pile = moon_is_open ? 0 : CARD(MOON),
                          .rival = CARD(SAKE),
                          .others = CARD(SAKE),
                          .rival_called = rival_called};
    struct move lay = {.kind = MOVE_PLAY, .card = MOON + 2};
    float score;
    policy_scores(preset(PRESET_STANDARD), &policy_tuned, &sight, &lay, 1, &score);
    return score;
}

TEST(a_card_that_invites_the_moon_is_laid_last)
{
    assert_true(pampas_is_laid_at(true, false) < pampas_is_laid_at(false, false) - 1);
}

TEST(the_more_so_once_the_opponent_has_called)
{
    assert_true(pampas_is_laid_at(true, true) < pampas_is_laid_at(true, false) - 1);
}
