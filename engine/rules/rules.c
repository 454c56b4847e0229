/* Rule sets: their check, and the tables made from them for speed. The range of each field is in
 * rules_field.c; the checks across fields are here. */
#include "rules.h"
#include "rules_field.h"
#include "score.h"

#include <string.h>

const char *yaku_key(enum yaku y)
{
    static const char *const keys[N_YAKU] = {
        "goko",   "shiko", "ame_shiko", "sanko",   "tsukimi", "hanami", "inoshikacho",
        "akatan", "aotan", "tane",      "tanzaku", "kasu",    "hiki"};
    return keys[y];
}

const char *hand_yaku_key(enum hand_yaku h)
{
    static const char *const keys[N_HAND_YAKU] = {"none", "double_four", "four", "pairs"};
    return keys[h];
}

static bool has(const uint8_t *list, int n, int value)
{
    for (int i = 0; i < n; i++)
        if (list[i] == value)
            return true;
    return false;
}

static int purse_for(const struct rules *r, int rounds)
{
    for (int i = 0; i < r->n_purse; i++)
        if (r->purse_rounds[i] == rounds)
            return r->purse[i];
    return -1;
}

static bool round_list_is_good(const struct rules *r)
{
    if (r->n_rounds_allowed < 1 || r->n_rounds_allowed > MAX_ROUND_CHOICES)
        return false;
    for (int i = 0; i < r->n_rounds_allowed; i++) {
        int n = r->rounds_allowed[i];
        if (n < 1 || n > MAX_ROUNDS || has(r->rounds_allowed, i, n))
            return false;
    }
    return true;
}

static bool purse_is_good(const struct rules *r)
{
    if (!r->has_purse)
        return r->scoring != SCORING_COINS && r->n_purse == 0;
    if (r->n_purse < 1 || r->n_purse > MAX_ROUND_CHOICES)
        return false;
    for (int i = 0; i < r->n_purse; i++) {
        int lowest = r->scoring == SCORING_COINS ? 1 : 0;
        if (r->purse_rounds[i] < 1 || r->purse_rounds[i] > MAX_ROUNDS || r->purse[i] < lowest ||
            r->purse[i] > MAX_PURSE || has(r->purse_rounds, i, r->purse_rounds[i]))
            return false;
    }
    if (r->scoring == SCORING_COINS)
        for (int i = 0; i < r->n_rounds_allowed; i++)
            if (purse_for(r, r->rounds_allowed[i]) < 0)
                return false;
    return true;
}

/* Coins are for two. */
static bool players_are_good(const struct rules *r)
{
    const uint8_t two = 1 << 2, three = 1 << 3;
    if (r->scoring == SCORING_COINS)
        return r->players_allowed == two;
    return r->players_allowed != 0 && (r->players_allowed & ~(two | three)) == 0;
}

static bool field_is_good(const struct rules *r, const struct rules_field *f)
{
    const char *word = (const char *)r + f->at;
    switch (f->kind) {
    case RULES_WORD:
        return rules_is_word(word, strnlen(word, (size_t)f->most), (size_t)f->most - 1);
    case RULES_PLAYERS:
        return players_are_good(r);
    case RULES_ROUND_LIST:
        return round_list_is_good(r);
    case RULES_PURSE:
        return purse_is_good(r);
    case RULES_OBJECT:
        return true;
    case RULES_NUMBER:
    case RULES_CHOICE:
    case RULES_SWITCH:
        break;
    }
    int value = rules_field_get(r, f);
    if (!rules_field_is_on(r, f))
        return value == 0;
    if (f->kind == RULES_CHOICE)
        return value < MAX_RULES_WORDS && f->words[value] && f->words[value][0] != '\0';
    if (f->kind == RULES_NUMBER && value == 0 && f->players != 0)
        return (r->players_allowed >> f->players & 1) == 0;
    return f->kind == RULES_SWITCH || (value >= f->least && value <= f->most);
}

const char *rules_check(const struct rules *r)
{
    for (const struct rules_field *f = rules_fields; f->path; f++)
        if (!field_is_good(r, f))
            return f->path;
    if (!has(r->rounds_allowed, r->n_rounds_allowed, r->rounds))
        return "rounds";
    if (r->hand_yaku[HAND_NONE] != 0)
        return "hand_yaku";
    for (int n = 0; n <= MAX_PLAYERS; n++) {
        bool allowed = (r->players_allowed >> n & 1) != 0;
        if (r->hand[n] > N_CARDS)
            return "hand";
        if (r->table[n] > N_CARDS)
            return "table";
        if (allowed && n * r->hand[n] + r->table[n] > N_CARDS)
            return "hand";
        if (allowed && r->table_four == TABLE_FOUR_REDEAL && r->table[n] > MAX_TABLE_REDEALT)
            return "table";
    }
    return NULL;
}

int rules_start_score(const struct rules *r)
{
    int purse = r->has_purse ? purse_for(r, r->rounds) : -1;
    return purse < 0 ? 0 : purse;
}

void rules_in_round(struct rules *r, int round_no)
{
    bool asked = r->month_of_round > 0 || r->viewing_season != IN_SEASON_ANY;
    r->month = (uint8_t)(asked ? (round_no - 1) % N_MONTHS + 1 : 0);
}

const struct ruleset *ruleset_in_round(const struct ruleset *g, int round_no, struct ruleset *room)
{
    struct rules r = g->rules;
    rules_in_round(&r, round_no);
    if (r.month == g->rules.month)
        return g;
    ruleset_make(&r, room);
    return room;
}

/* The next subset of mask after s in counting order; 0 after the last. */
static cardset next_subset(cardset s, cardset mask)
{
    return (s - mask) & mask;
}

_Static_assert((int)MAX_WORTH < 128 && 8 * ((int)YAKU_HANAMI + 1) <= (int)PILE_OTHERS,
               "see pile_part_is_new()");

/* Brights and viewings: their worth, and it in parts, a byte a yaku; the sum is subtracted from the
 * others'. */
static void fill_brights(const struct rules *r, bool called, uint16_t *ret_table,
                         uint64_t *ret_parts)
{
    cardset pile = 0;
    do {
        struct score s = {0};
        uint64_t parts = 0;
        group_brights(r, pile, called, &s);
        group_sum(&s);
        for (int y = YAKU_GOKO; y <= YAKU_HANAMI; y++)
            parts |= (uint64_t)s.worth[y] << 8 * y;
        ret_table[pile_brights(pile)] = s.base;
        ret_parts[pile_brights(pile)] = parts - ((uint64_t)s.base << PILE_OTHERS);
        pile = next_subset(pile, PILE_BRIGHTS);
    } while (pile != 0);
}

/* Animals or ribbons: their worth depends on the number of cards and on which of two trios are
 * complete, so each such class is scored once. */
static void fill_trios(const struct rules *r, bool animals, uint16_t *ret_table)
{
    const cardset cards = animals ? PILE_ANIMALS : PILE_RIBBONS,
                  one = animals ? SET_INOSHIKACHO : SET_POETRY,
                  two = animals ? SET_INOSHIKACHO : SET_BLUE;
    uint16_t worth[64] = {0};
    uint64_t known = 0;
    cardset pile = 0;
    do {
        unsigned trio_class =
            (unsigned)set_count(pile) | ((pile & one) == one) << 4 | ((pile & two) == two) << 5;
        if (!(known >> trio_class & 1)) {
            struct score s = {0};
            if (animals)
                group_animals(r, pile, &s);
            else
                group_ribbons(r, pile, &s);
            group_sum(&s);
            worth[trio_class] = s.base;
            known |= (uint64_t)1 << trio_class;
        }
        ret_table[animals ? pile_animals(pile) : pile_ribbons(pile)] = worth[trio_class];
        pile = next_subset(pile, cards);
    } while (pile != 0);
}

/* True if a further card never lowers the worth of brights and viewings, and keeps it equal only if
 * no yaku is new. Then a comparison of sums shows whether a player may decide: one who has called,
 * as before that every yaku is new. */
static bool brights_decide(const struct rules *r)
{
    struct score of[128] = {0};
    cardset pile = 0;
    do {
        struct score *s = &of[pile_brights(pile)];
        group_brights(r, pile, true, s);
        group_sum(s);
        for (cardset less = pile; less != 0; less = set_rest(less)) {
            const struct score *before = &of[pile_brights(pile ^ (less & -less))];
            if (s->base < before->base || (s->base == before->base && score_is_new(s, before)))
                return false;
        }
        pile = next_subset(pile, PILE_BRIGHTS);
    } while (pile != 0);
    return true;
}

/* The same for animals and ribbons, without a search: an absorbing trio must be worth more than the
 * count yaku, or the trio's extra, that it ends. */
static bool trios_decide(const struct rules *r)
{
    const uint8_t *w = r->yaku;
    const uint8_t pairs[][2] = {
        {YAKU_INOSHIKACHO, YAKU_TANE}, {YAKU_AKATAN, YAKU_TANZAKU}, {YAKU_AOTAN, YAKU_TANZAKU}};
    if (r->trio_extra != TRIO_ABSORB)
        return true;
    for (int i = 0; i < 3; i++)
        if (w[pairs[i][0]] != 0 && (w[pairs[i][0]] < 3 || w[pairs[i][0]] + 2 < w[pairs[i][1]]))
            return false;
    return true;
}

/* Deals packets in turn, by the rule set, until every hand and the table are complete. */
void deal_slots(const struct rules *r, int players, uint8_t ret[static N_CARDS])
{
    uint8_t order[MAX_PLAYERS + 1], left[SLOT_STOCK] = {0};
    int n = 0, at = 0, dealt = players * r->hand[players] + r->table[players];
    for (int i = 0; i < players; i++) {
        order[n++] = (uint8_t)(r->deal_order == DEAL_OTHERS_DEALER_TABLE ? (i + 1) % players : i);
        left[i] = r->hand[players];
    }
    order[n++] = SLOT_TABLE;
    left[SLOT_TABLE] = r->table[players];
    memset(ret, SLOT_STOCK, N_CARDS);
    for (int i = 0; at < dealt; i = (i + 1) % n)
        for (int k = 0; k < r->deal_packet && left[order[i]] > 0; k++, left[order[i]]--)
            ret[at++] = order[i];
}

void ruleset_make(const struct rules *r, struct ruleset *ret)
{
    struct ruleset *g = ret;
    memset(g, 0, sizeof *g);
    g->rules = *r;
    g->forced_own_month = !r->wild_lightning && r->capture == CAPTURE_FORCED;
    g->wild = r->wild_lightning ? CARD(LIGHTNING) : 0;
    g->hiki = r->yaku[YAKU_HIKI];
    g->plains = set_plains | (r->sake_is_plain ? CARD(SAKE) : 0);
    for (int n = 0; n < 32; n++) {
        struct score s = {0};
        group_plains(r, n, &s);
        for (int months = 0; months < 16; months++)
            g->plain_value[months][n] = (uint16_t)(s.worth[YAKU_KASU] + g->hiki * months);
    }
    for (int called = 0; called < 2; called++)
        fill_brights(r, called, g->bright_value[called], g->bright_parts[called]);
    fill_trios(r, true, g->animal_value);
    fill_trios(r, false, g->ribbon_value);
    g->by_name = r->rain_cancels == RAIN_WILLOW || r->viewing_beside || r->month_of_round > 0 ||
                 r->viewing_season != IN_SEASON_ANY;
    g->rest_decides = !g->by_name && trios_decide(r);
    g->base_decides = g->rest_decides && brights_decide(r);
    for (int players = MIN_PLAYERS; players <= MAX_PLAYERS; players++) {
        uint8_t slots[N_CARDS];
        int n = 0;
        if (!(r->players_allowed >> players & 1))
            continue;
        deal_slots(r, players, slots);
        for (int slot = 0; slot <= SLOT_STOCK; slot++)
            for (int i = 0; i < N_CARDS; i++)
                if (slots[i] == slot)
                    g->place[players][n++] = (uint8_t)i;
    }
}
