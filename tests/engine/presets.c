/* See presets.h. */
#include "presets.h"

#include <string.h>

#define TWO   (1 << 2)
#define THREE (1 << 3)

const struct rules presets[N_PRESETS] =
    {
        [PRESET_SENSEI] =
            {
                .name = "sensei",
                .players_allowed = TWO,
                .rounds = 12,
                .n_rounds_allowed = 3,
                .rounds_allowed = {3, 6, 12},
                .scoring = SCORING_COINS,
                .has_purse = true,
                .n_purse = 3,
                .purse_rounds = {3, 6, 12},
                .purse = {25, 50, 100},
                .hand = {[2] = 8},
                .table = {[2] = 8},
                .deal_packet = 4,
                .deal_order = DEAL_OTHERS_DEALER_TABLE,
                .has_hand_yaku = true,
                .hand_yaku = {[HAND_DOUBLE_FOUR] = 14, [HAND_FOUR] = 6, [HAND_PAIRS] = 6},
                .claim = CLAIM_DECLARED,
                .hand_yaku_multiplied = true,
                .has_seven_plus = true,
                .seven_points = 7,
                .seven_min_yaku = 1,
                .seven_x = 2,
                .own_koikoi = DOUBLING_EACH,
                .opponent_koikoi = DOUBLING_ONCE,
                .yaku = {10, 8, 7, 5, 5, 5, 5, 5, 5, 1, 1, 1, 0},
                .viewing_with_brights = true,
                .sake_is_plain = true,
                .words = "sensei",
                .deck = "hanafuda",
            },
        [PRESET_MONGOLOPEDIA] =
            {
                .name = "mongolopedia",
                .players_allowed = TWO | THREE,
                .rounds = 12,
                .n_rounds_allowed = 2,
                .rounds_allowed = {6, 12},
                .scoring = SCORING_POINTS,
                .hand = {[2] = 8, [3] = 7},
                .table = {[2] = 8, [3] = 8},
                .deal_packet = 2,
                .deal_order = DEAL_PLAYERS_TABLE,
                .has_hand_yaku = true,
                .hand_yaku = {[HAND_FOUR] = 6, [HAND_PAIRS] = 6},
                .claim = CLAIM_AUTOMATIC,
                .wild_lightning = true,
                .exhausted = EXHAUSTED_OYA_KAN,
                .has_seven_plus = true,
                .seven_points = 7,
                .seven_min_yaku = 2,
                .seven_x = 2,
                .opponent_koikoi = DOUBLING_ONCE,
                .any_koikoi = DOUBLING_PLUS_ONE_EACH,
                .yaku = {10, 8, 7, 6, 3, 3, 5, 5, 5, 1, 1, 1, 4},
                .rain_cancels = RAIN_RAINMAN_OR_LIGHTNING,
                .viewing_with_brights = true,
                .sake_is_plain = true,
                .trio_extra = TRIO_ADD,
                .words = "mongolopedia",
                .deck = "hanafuda",
            },
        [PRESET_OKOSHKI] =
            {
                .name = "okoshki",
                .players_allowed = TWO,
                .rounds = 6,
                .n_rounds_allowed = 1,
                .rounds_allowed = {6},
                .scoring = SCORING_POINTS,
                .hand = {[2] = 8},
                .table = {[2] = 8},
                .deal_packet = 8,
                .deal_order = DEAL_DEALER_OTHERS_TABLE,
                .tie_break = TIE_EXTRA_ROUND,
                .hand_four = HAND_FOUR_MAY_REDEAL,
                .any_koikoi = DOUBLING_ONCE,
                .yaku = {10, 8, 7, 6, 3, 3, 5, 5, 5, 1, 1, 1, 0},
                .viewing_with_brights = true,
                .words = "okoshki",
                .deck = "okoshki",
            },
        [PRESET_STANDARD] =
            {
                .name = "standard",
                .players_allowed = TWO,
                .rounds = 12,
                .n_rounds_allowed = 3,
                .rounds_allowed = {3, 6, 12},
                .scoring = SCORING_POINTS,
                .hand = {[2] = 8},
                .table = {[2] = 8},
                .deal_packet = 4,
                .deal_order = DEAL_OTHERS_DEALER_TABLE,
                .has_hand_yaku = true,
                .hand_yaku = {[HAND_FOUR] = 6, [HAND_PAIRS] = 6},
                .claim = CLAIM_AUTOMATIC,
                .has_seven_plus = true,
                .seven_points = 7,
                .seven_min_yaku = 1,
                .seven_x = 2,
                .opponent_koikoi = DOUBLING_ONCE,
                .yaku = {10, 8, 7, 5, 5, 5, 5, 5, 5, 1, 1, 1, 0},
                .viewing_with_brights = true,
                .sake_is_plain = true,
                .trio_extra = TRIO_ABSORB,
                .words = "standard",
                .deck = "hanafuda",
            },
        [PRESET_CONSOLE] =
            {
                .name = "console",
                .players_allowed = TWO,
                .rounds = 12,
                .n_rounds_allowed = 8,
                .rounds_allowed = {1, 2, 3, 4, 6, 8, 10, 12},
                .scoring = SCORING_POINTS,
                .hand = {[2] = 8},
                .table = {[2] = 8},
                .deal_packet = 4,
                .deal_order = DEAL_OTHERS_DEALER_TABLE,
                .first_dealer = FIRST_RANDOM,
                .hand_four = HAND_FOUR_REDEAL,
                .has_seven_plus = true,
                .seven_points = 7,
                .seven_min_yaku = 1,
                .seven_x = 2,
                .opponent_koikoi = DOUBLING_ONCE,
                .yaku = {10, 8, 7, 5, 5, 5, 5, 5, 5, 1, 1, 1, 0},
                .viewing_with_brights = true,
                .sake_is_plain = true,
                .trio_extra = TRIO_ABSORB,
                .koikoi_limit = 1,
                .drawn_dealer = DRAWN_CHANGES,
                .words = "standard",
                .deck = "hanafuda",
            },
        [PRESET_STEAM] =
            {
                .name = "steam",
                .players_allowed = TWO,
                .rounds = 8,
                .n_rounds_allowed = 2,
                .rounds_allowed = {6, 8},
                .scoring = SCORING_COINS,
                .has_purse = true,
                .n_purse = 2,
                .purse_rounds = {6, 8},
                .purse = {30, 30},
                .hand = {[2] = 8},
                .table = {[2] = 8},
                .deal_packet = 4,
                .deal_order = DEAL_OTHERS_DEALER_TABLE,
                .first_dealer = FIRST_RANDOM,
                .hand_four = HAND_FOUR_REDEAL,
                .exhausted = EXHAUSTED_DEALER_POINT,
                .yaku = {10, 8, 7, 5, 1, 1, 5, 5, 5, 1, 1, 1, 0},
                .viewing_with_brights = true,
                .viewing_after_koikoi = 3,
                .sake_is_plain = true,
                .call_bonus = CALL_BONUS_STEPS,
                .both_ribbons = 10,
                .words = "standard",
                .deck = "hanafuda",
            },
};

const struct ruleset *preset(int which)
{
    static struct ruleset sets[N_PRESETS];
    static bool made[N_PRESETS];
    if (!made[which])
        ruleset_make(&presets[which], &sets[which]);
    made[which] = true;
    return &sets[which];
}

int preset_named(const char *name)
{
    int which = 0;
    while (which < N_PRESETS && strcmp(presets[which].name, name) != 0)
        which++;
    return which;
}
