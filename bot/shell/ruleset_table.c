/* Every field of a rule set; a new knob is a new row. See ruleset_table.h. */
#include "ruleset_table.h"

#define AT(member) offsetof(struct rules, member)

static const char *const scoring[] = {"coins", "points", NULL};
static const char *const order[] = {"others_dealer_table", "players_table", "dealer_others_table",
                                    NULL};
static const char *const first[] = {"lots", "challenger", "random", NULL};
static const char *const tie[] = {"none", "extra_round", NULL};
static const char *const table_four[] = {"redeal", "keep", NULL};
static const char *const hand_four[] = {"none", "may_redeal", NULL};
static const char *const claim[] = {"declared", "automatic", NULL};
static const char *const capture[] = {"forced", "optional", NULL};
static const char *const exhausted[] = {"draw", "oya_kan", NULL};
static const char *const calls[] = {"none", "double_once", "double_each", NULL};
static const char *const any_calls[] = {"none", "double_once", "", "plus_one_each", NULL};
static const char *const rain[] = {"none", "rainman", "rainman_or_lightning", NULL};
static const char *const trio[] = {"none", "add", "absorb", NULL};

static const struct ruleset_field deal[] = {
    {.key = "packet", .kind = WHOLE, .at = AT(deal_packet), .size_or_low = 1, .high = N_CARDS},
    {.key = "order", .kind = CHOICE, .at = AT(deal_order), .choices = order},
    {.key = NULL},
};

#define WORTH(name, member)                                                                        \
    {                                                                                              \
        .key = name, .kind = WHOLE, .at = AT(member), .high = MAX_WORTH                            \
    }

static const struct ruleset_field hand_yaku[] = {
    WORTH("four", hand_yaku[HAND_FOUR]),
    WORTH("pairs", hand_yaku[HAND_PAIRS]),
    WORTH("double_four", hand_yaku[HAND_DOUBLE_FOUR]),
    {.key = "claim", .kind = CHOICE, .at = AT(claim), .choices = claim},
    {.key = "multiplied", .kind = BOOL, .at = AT(hand_yaku_multiplied)},
    {.key = NULL},
};

static const struct ruleset_field seven_plus[] = {
    {.key = "points", .kind = WHOLE, .at = AT(seven_points), .size_or_low = 1, .high = MAX_WORTH},
    {.key = "min_yaku", .kind = WHOLE, .at = AT(seven_min_yaku), .size_or_low = 1, .high = N_CARDS},
    {.key = "x", .kind = WHOLE, .at = AT(seven_x), .size_or_low = 2, .high = MAX_WORTH},
    {.key = NULL},
};

static const struct ruleset_field multipliers[] = {
    {.key = "seven_plus",
     .kind = OBJECT,
     .at = AT(has_seven_plus),
     .inner = seven_plus,
     .missing = NULLABLE},
    {.key = "own_koikoi", .kind = CHOICE, .at = AT(own_koikoi), .choices = calls},
    {.key = "opponent_koikoi", .kind = CHOICE, .at = AT(opponent_koikoi), .choices = calls},
    {.key = "any_koikoi", .kind = CHOICE, .at = AT(any_koikoi), .choices = any_calls},
    {.key = "table_brights", .kind = BOOL, .at = AT(table_brights)},
    {.key = NULL},
};

static const struct ruleset_field yaku[] = {
    WORTH("goko", yaku[YAKU_GOKO]),
    WORTH("shiko", yaku[YAKU_SHIKO]),
    WORTH("ame_shiko", yaku[YAKU_AME_SHIKO]),
    WORTH("sanko", yaku[YAKU_SANKO]),
    WORTH("tsukimi", yaku[YAKU_TSUKIMI]),
    WORTH("hanami", yaku[YAKU_HANAMI]),
    WORTH("inoshikacho", yaku[YAKU_INOSHIKACHO]),
    WORTH("akatan", yaku[YAKU_AKATAN]),
    WORTH("aotan", yaku[YAKU_AOTAN]),
    WORTH("tane", yaku[YAKU_TANE]),
    WORTH("tanzaku", yaku[YAKU_TANZAKU]),
    WORTH("kasu", yaku[YAKU_KASU]),
    WORTH("hiki", yaku[YAKU_HIKI]),
    {.key = NULL},
};

static const struct ruleset_field viewing[] = {
    {.key = "rain_cancels", .kind = CHOICE, .at = AT(rain_cancels), .choices = rain},
    WORTH("both", viewing_both),
    {.key = "with_brights", .kind = BOOL, .at = AT(viewing_with_brights)},
    {.key = NULL},
};

const struct ruleset_field ruleset_table[] = {
    {.key = "name", .kind = TEXT, .at = AT(name), .size_or_low = RULES_NAME_SIZE},
    {.key = "players", .kind = PLAYERS, .at = AT(players_allowed)},
    {.key = "rounds", .kind = WHOLE, .at = AT(rounds), .size_or_low = 1, .high = MAX_ROUNDS},
    {.key = "rounds_allowed", .kind = ROUND_LIST},
    {.key = "scoring", .kind = CHOICE, .at = AT(scoring), .choices = scoring},
    {.key = "purse", .kind = PURSE, .missing = NULLABLE},
    {.key = "hand", .kind = SIZES, .at = AT(hand)},
    {.key = "table", .kind = SIZES, .at = AT(table)},
    {.key = "deal", .kind = OBJECT, .inner = deal},
    {.key = "first_dealer", .kind = CHOICE, .at = AT(first_dealer), .choices = first},
    {.key = "tie_break", .kind = CHOICE, .at = AT(tie_break), .choices = tie},
    {.key = "table_four", .kind = CHOICE, .at = AT(table_four), .choices = table_four},
    {.key = "hand_four", .kind = CHOICE, .at = AT(hand_four), .choices = hand_four},
    {.key = "hand_yaku",
     .kind = OBJECT,
     .at = AT(has_hand_yaku),
     .inner = hand_yaku,
     .missing = NULLABLE},
    {.key = "capture", .kind = CHOICE, .at = AT(capture), .choices = capture},
    {.key = "wild_lightning", .kind = BOOL, .at = AT(wild_lightning)},
    {.key = "exhausted", .kind = CHOICE, .at = AT(exhausted), .choices = exhausted},
    {.key = "multipliers", .kind = OBJECT, .inner = multipliers},
    {.key = "yaku", .kind = OBJECT, .inner = yaku},
    {.key = "viewing", .kind = OBJECT, .inner = viewing},
    {.key = "sake_is_plain", .kind = BOOL, .at = AT(sake_is_plain)},
    {.key = "trio_extra", .kind = CHOICE, .at = AT(trio_extra), .choices = trio},
    {.key = "words",
     .kind = TEXT,
     .at = AT(words),
     .size_or_low = RULES_WORD_SIZE,
     .missing = DEFAULTED,
     .fallback = "standard"},
    {.key = "deck",
     .kind = TEXT,
     .at = AT(deck),
     .size_or_low = RULES_WORD_SIZE,
     .missing = DEFAULTED,
     .fallback = "hanafuda"},
    {.key = NULL},
};
