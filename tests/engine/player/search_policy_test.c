/* The policy's scores: a yaku that cannot be made any more is worth nothing. */
#include "nets.h"
#include "presets.h"
#include "search_policy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

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
static void a_bright_is_worth_little_once_two_others_are_gone(void **state)
{
    float open, one, two;
    (void)state;
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

static void a_viewing_is_worth_nothing_once_its_bright_is_gone(void **state)
{
    float open, one, none;
    (void)state;
    open = sake_is_worth(0);
    one = sake_is_worth(CARD(MOON));
    none = sake_is_worth(CARD(MOON) | CARD(CURTAIN));
    assert_true(one < open - 0.01f);
    assert_true(none < one - 0.01f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bright_is_worth_little_once_two_others_are_gone),
        cmocka_unit_test(a_viewing_is_worth_nothing_once_its_bright_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
