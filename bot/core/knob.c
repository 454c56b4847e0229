/* See knob.h. One row a knob. Objects that may be absent are reached by their own row, "null" or
 * the number that switches them on. */
#include "knob.h"

#include <stddef.h>

enum kind { NUMBER, CHOICE, SWITCH, WORD, PURSE };
struct knob {
    const char *name;
    enum kind kind;
    size_t offset;
    const char *allowed; /* choices, by value; of a number its range */
    int max;
    size_t needs; /* offset of the bool that must be true with it; 0 = none */
};

#define AT(f) offsetof(struct rules, f)
#define HAND  AT(has_hand_yaku)
#define SEVEN AT(has_seven_plus)
static const struct knob knobs[] = {
    {"rounds", NUMBER, AT(rounds), "1-48", MAX_ROUNDS, 0},
    {"scoring", CHOICE, AT(scoring), "coins|points", 1, 0},
    {"purse", PURSE, AT(has_purse), "1-10000|null", MAX_PURSE, 0},
    {"hand.2", NUMBER, AT(hand[2]), "1-20", 20, 0},
    {"hand.3", NUMBER, AT(hand[3]), "1-14", 14, 0},
    {"table.2", NUMBER, AT(table[2]), "1-24", 24, 0},
    {"table.3", NUMBER, AT(table[3]), "1-24", 24, 0},
    {"deal.packet", NUMBER, AT(deal_packet), "1-24", 24, 0},
    {"deal.order", CHOICE, AT(deal_order), "others_dealer_table|players_table|dealer_others_table",
     2, 0},
    {"first_dealer", CHOICE, AT(first_dealer), "lots|challenger|random", 2, 0},
    {"tie_break", CHOICE, AT(tie_break), "none|extra_round", 1, 0},
    {"table_four", CHOICE, AT(table_four), "redeal|keep", 1, 0},
    {"hand_four", CHOICE, AT(hand_four), "none|may_redeal", 1, 0},
    {"hand_yaku", SWITCH, HAND, "null", 1, 0},
    {"hand_yaku.four", NUMBER, AT(hand_yaku[HAND_FOUR]), "0-100", MAX_WORTH, HAND},
    {"hand_yaku.pairs", NUMBER, AT(hand_yaku[HAND_PAIRS]), "0-100", MAX_WORTH, HAND},
    {"hand_yaku.double_four", NUMBER, AT(hand_yaku[HAND_DOUBLE_FOUR]), "0-100", MAX_WORTH, HAND},
    {"hand_yaku.claim", CHOICE, AT(claim), "declared|automatic", 1, HAND},
    {"hand_yaku.multiplied", SWITCH, AT(hand_yaku_multiplied), "true|false", 1, HAND},
    {"capture", CHOICE, AT(capture), "forced|optional", 1, 0},
    {"wild_lightning", SWITCH, AT(wild_lightning), "true|false", 1, 0},
    {"exhausted", CHOICE, AT(exhausted), "draw|oya_kan", 1, 0},
    {"multipliers.seven_plus", SWITCH, SEVEN, "null", 1, 0},
    {"multipliers.seven_plus.points", NUMBER, AT(seven_points), "1-100", MAX_WORTH, SEVEN},
    {"multipliers.seven_plus.min_yaku", NUMBER, AT(seven_min_yaku), "1-20", 20, SEVEN},
    {"multipliers.seven_plus.x", NUMBER, AT(seven_x), "2-10", 10, SEVEN},
    {"multipliers.own_koikoi", CHOICE, AT(own_koikoi), "none|double_once|double_each", 2, 0},
    {"multipliers.opponent_koikoi", CHOICE, AT(opponent_koikoi), "none|double_once|double_each", 2,
     0},
    {"multipliers.any_koikoi", CHOICE, AT(any_koikoi), "none|double_once|plus_one_each", 2, 0},
    {"multipliers.table_brights", SWITCH, AT(table_brights), "true|false", 1, 0},
    {"yaku.goko", NUMBER, AT(yaku[YAKU_GOKO]), "0-100", MAX_WORTH, 0},
    {"yaku.shiko", NUMBER, AT(yaku[YAKU_SHIKO]), "0-100", MAX_WORTH, 0},
    {"yaku.ame_shiko", NUMBER, AT(yaku[YAKU_AME_SHIKO]), "0-100", MAX_WORTH, 0},
    {"yaku.sanko", NUMBER, AT(yaku[YAKU_SANKO]), "0-100", MAX_WORTH, 0},
    {"yaku.tsukimi", NUMBER, AT(yaku[YAKU_TSUKIMI]), "0-100", MAX_WORTH, 0},
    {"yaku.hanami", NUMBER, AT(yaku[YAKU_HANAMI]), "0-100", MAX_WORTH, 0},
    {"yaku.inoshikacho", NUMBER, AT(yaku[YAKU_INOSHIKACHO]), "0-100", MAX_WORTH, 0},
    {"yaku.akatan", NUMBER, AT(yaku[YAKU_AKATAN]), "0-100", MAX_WORTH, 0},
    {"yaku.aotan", NUMBER, AT(yaku[YAKU_AOTAN]), "0-100", MAX_WORTH, 0},
    {"yaku.tane", NUMBER, AT(yaku[YAKU_TANE]), "0-100", MAX_WORTH, 0},
    {"yaku.tanzaku", NUMBER, AT(yaku[YAKU_TANZAKU]), "0-100", MAX_WORTH, 0},
    {"yaku.kasu", NUMBER, AT(yaku[YAKU_KASU]), "0-100", MAX_WORTH, 0},
    {"yaku.hiki", NUMBER, AT(yaku[YAKU_HIKI]), "0-100", MAX_WORTH, 0},
    {"viewing.rain_cancels", CHOICE, AT(rain_cancels), "none|rainman|rainman_or_lightning", 2, 0},
    {"viewing.both", NUMBER, AT(viewing_both), "0-100", MAX_WORTH, 0},
    {"viewing.with_brights", SWITCH, AT(viewing_with_brights), "true|false", 1, 0},
    {"sake_is_plain", SWITCH, AT(sake_is_plain), "true|false", 1, 0},
    {"trio_extra", CHOICE, AT(trio_extra), "none|add|absorb", 2, 0},
    {"words", WORD, AT(words), "", RULES_WORD_SIZE, 0},
    {"deck", WORD, AT(deck), "", RULES_WORD_SIZE, 0},
};
enum { N_KNOBS = sizeof knobs / sizeof *knobs };

/* The value that `word` names in "none|add|absorb", -1 if none. */
static int choice_of(const char *allowed, struct str word)
{
    struct str rest = str_of(allowed);
    for (int i = 0; rest.n > 0; i++)
        if (str_is(str_cut(rest, '|', &rest), word) && word.n > 0)
            return i;
    return -1;
}

/* Calls by anyone are not doubled each: the value behind has the place of that. */
static int any_calls(const struct knob *k, int value, int from, int to)
{
    return k->offset == AT(any_koikoi) && value == from ? to : value;
}

/* What belongs to an object goes with it. */
static void clear(struct rules *r, size_t object)
{
    if (object == HAND) {
        memset(r->hand_yaku, 0, sizeof r->hand_yaku);
        r->claim = CLAIM_DECLARED;
        r->hand_yaku_multiplied = false;
    } else if (object == SEVEN) {
        r->seven_points = r->seven_min_yaku = r->seven_x = 0;
    }
}

static bool set_switch(struct rules *r, const struct knob *k, struct str value)
{
    bool object = k->offset == HAND || k->offset == SEVEN;
    bool off = str_is(value, STR("false")) || str_is(value, STR("off")) ||
               str_is(value, STR("no")) || str_is(value, STR("null"));
    bool on = str_is(value, STR("true")) || str_is(value, STR("on")) || str_is(value, STR("yes"));

    if (!off && (!on || object))
        return false;
    if (k->needs)
        *(bool *)((char *)r + k->needs) = true;
    *(bool *)((char *)r + k->offset) = on;
    if (off)
        clear(r, k->offset);
    return true;
}

/* One purse, whatever number of rounds is chosen. */
static bool set_purse(struct rules *r, struct str value)
{
    int64_t coins = 0;
    bool none = str_is(value, STR("null"));

    if (!none && (!str_int(value, &coins) || coins < 1 || coins > MAX_PURSE))
        return false;
    r->has_purse = !none;
    r->n_purse = none ? 0 : r->n_rounds_allowed;
    memset(r->purse_rounds, 0, sizeof r->purse_rounds);
    memset(r->purse, 0, sizeof r->purse);
    for (int i = 0; i < r->n_purse; i++) {
        r->purse_rounds[i] = r->rounds_allowed[i];
        r->purse[i] = (int16_t)coins;
    }
    return true;
}

static bool set_number(struct rules *r, const struct knob *k, struct str value)
{
    struct str rest;
    int64_t n = -1, least = 0;

    if (k->kind == CHOICE)
        n = any_calls(k, choice_of(k->allowed, value), 2, DOUBLING_PLUS_ONE_EACH);
    else if (!str_int(value, &n) || !str_int(str_cut(str_of(k->allowed), '-', &rest), &least) ||
             n < least || n > k->max)
        n = -1;
    if (n < 0)
        return false;
    if (k->needs)
        *(bool *)((char *)r + k->needs) = true;
    *((uint8_t *)r + k->offset) = (uint8_t)n;
    return true;
}

static bool set(struct rules *r, const struct knob *k, struct str value)
{
    switch (k->kind) {
    case SWITCH:
        return set_switch(r, k, value);
    case PURSE:
        return set_purse(r, value);
    case NUMBER:
    case CHOICE:
        return set_number(r, k, value);
    case WORD:
        break;
    }
    if (value.n == 0 || value.n >= RULES_WORD_SIZE)
        return false;
    memset((char *)r + k->offset, 0, RULES_WORD_SIZE);
    memcpy((char *)r + k->offset, value.p, value.n);
    return true;
}

/* Switching a whole object on by one of its fields gives the others the usual values. */
static void fill(struct rules *r, const struct knob *k)
{
    if (k->needs == SEVEN && !r->has_seven_plus) {
        r->seven_points = 7;
        r->seven_min_yaku = 1;
        r->seven_x = 2;
    }
}

enum knob_error knob_set(struct rules *r, struct str name, struct str value,
                         struct str *ret_allowed)
{
    for (int i = 0; i < N_KNOBS; i++) {
        if (!str_is(name, str_of(knobs[i].name)))
            continue;
        struct rules next = *r;
        *ret_allowed = str_of(knobs[i].allowed);
        fill(&next, &knobs[i]);
        if (!set(&next, &knobs[i], value))
            return KNOB_VALUE;
        *r = next;
        return KNOB_OK;
    }
    return KNOB_UNKNOWN;
}

static void purse_text(const struct rules *r, struct buf *b)
{
    for (int i = 0; i < r->n_purse; i++) {
        if (i > 0 && r->purse[i] == r->purse[0])
            continue;
        if (i > 0)
            buf_char(b, '/');
        buf_int(b, r->purse[i]);
    }
    if (!r->has_purse)
        buf_put(b, STR("null"));
}

static void choice_text(const struct knob *k, int value, struct buf *b)
{
    struct str rest = str_of(k->allowed), word = {0};

    for (int n = any_calls(k, value, DOUBLING_PLUS_ONE_EACH, 2); n >= 0; n--)
        word = str_cut(rest, '|', &rest);
    buf_put(b, word);
}

bool knob_at(const struct rules *r, int i, struct str *ret_name, struct buf *ret_value)
{
    if (i >= N_KNOBS)
        return false;
    const struct knob *k = &knobs[i];
    const char *at = (const char *)r + k->offset;
    *ret_name = str_of(k->name);
    if (k->needs && !*(const bool *)((const char *)r + k->needs))
        return true;
    switch (k->kind) {
    case WORD:
        buf_put(ret_value, str_of(at));
        break;
    case NUMBER:
        buf_int(ret_value, *(const uint8_t *)at);
        break;
    case SWITCH:
        buf_put(ret_value, *(const bool *)at                         ? STR("true")
                           : k->offset == HAND || k->offset == SEVEN ? STR("null")
                                                                     : STR("false"));
        break;
    case PURSE:
        purse_text(r, ret_value);
        break;
    case CHOICE:
        choice_text(k, *(const uint8_t *)at, ret_value);
    }
    return true;
}
