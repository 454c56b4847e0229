/* Rules in pages: how a turn goes, the sets with their cards, what this table does. */
#include "page.h"
#include "part.h"

#include "review.h"

static void put_rules_of_play(struct draft *d, const struct rules *r)
{
    SAY(d, r->capture == CAPTURE_FORCED ? T_RULE_FORCED : T_RULE_OPTIONAL);
    if (r->wild_lightning)
        SAY(d, T_RULE_WILD, draft_card(d, LIGHTNING));
    if (r->table_four == TABLE_FOUR_REDEAL)
        SAY(d, T_RULE_TABLE_FOUR);
    if (r->hand_four == HAND_FOUR_MAY_REDEAL)
        SAY(d, T_RULE_HAND_FOUR, draft_command(d, VERB_REDEAL));
    if (r->hand_four == HAND_FOUR_REDEAL)
        SAY(d, T_RULE_HAND_FOUR_AT_ONCE);
    SAY(d, r->exhausted == EXHAUSTED_OYA_KAN        ? T_RULE_OYA_KAN
           : r->exhausted == EXHAUSTED_DEALER_POINT ? T_RULE_DEALER_POINT
                                                    : T_RULE_EXHAUSTED);
    if (r->koikoi_limit > 0)
        SAY_N(d, T_RULE_KOIKOI_LIMIT, r->koikoi_limit, draft_int(d, r->koikoi_limit));
    if (r->drawn_dealer == DRAWN_CHANGES)
        SAY(d, T_RULE_DRAWN_CHANGES);
    if (r->tie_break == TIE_EXTRA_ROUND)
        SAY(d, T_RULE_EXTRA);
    SAY(d, d->table->again ? T_RULE_FIRST_AGAIN : (enum text)(T_RULE_FIRST_LOTS + r->first_dealer));
}

/* "boar, deer, butterflies 5: 6 peony butterflies · ..."; of many cards only how many. */
static struct str set_line(const struct draft *d, const struct rules *r, int y)
{
    enum { MOST_NAMED = 10 };
    int need;
    cardset pool = yaku_cards(r, (enum yaku)y, &need);
    struct str name = TX(d, T_YAKU_WORTH, d->words->yaku[y], draft_int(d, r->yaku[y]));
    if (need == 0)
        return TX(d, T_RULE_SET_MONTH, name);
    if (y == YAKU_AME_SHIKO)
        return TX(d, T_RULE_SET_WITH, name, draft_card(d, RAINMAN), draft_int(d, need - 1),
                  draft_cards(d, pool & ~CARD(RAINMAN)));
    if (set_count(pool) > MOST_NAMED)
        return TX(d, T_RULE_SET_KIND, name, draft_int(d, need), d->words->word[WORD_PLAIN]);
    return need == set_count(pool)
               ? TX(d, T_RULE_SET, name, draft_cards(d, pool))
               : TX(d, T_RULE_SET_SOME, name, draft_int(d, need), draft_cards(d, pool));
}

static void put_sets(struct draft *d, const struct rules *r)
{
    SAY(d, T_RULE_YAKU);
    for (int y = 0; y < N_YAKU; y++)
        if (r->yaku[y] > 0)
            draft_line(d, set_line(d, r, y));
}

/* The name beside `drawn` cards: how many of them it takes. */
static struct str drawn_name(const struct draft *d, int y, int need, int drawn)
{
    struct str name = d->words->yaku[y];
    if (y == YAKU_AME_SHIKO)
        return TX(d, T_RULE_SETS_WITH, name, draft_label(d, RAINMAN), draft_int(d, need - 1));
    return need < drawn ? TX(d, T_RULE_SETS_ANY, name, draft_int(d, need)) : name;
}

/* The sets as a picture, but for those of most of the deck. */
void page_sets(struct draft *d)
{
    enum { MOST_DRAWN = 10 };
    const struct rules *r = d->notice->rules;
    struct layout l;
    int need;
    SAY(d, T_RULE_SETS_OF, str_of(r->name));
    layout_open(&l, r->deck);
    for (int y = 0; y < N_YAKU; y++) {
        cardset cards = yaku_cards(r, (enum yaku)y, &need);
        if (r->yaku[y] == 0 || need == 0 || set_count(cards) > MOST_DRAWN)
            continue;
        layout_row(&l, LAYOUT_YAKU);
        layout_cards(&l, cards);
        layout_text(&l, drawn_name(d, y, need, set_count(cards)));
        layout_text(&l, draft_int(d, r->yaku[y]));
    }
    draft_picture(d, &l);
}

static void put_rules_of_yaku(struct draft *d, const struct rules *r)
{
    struct str hand = {0};
    for (int h = 1; r->has_hand_yaku && h < N_HAND_YAKU; h++)
        if (r->hand_yaku[h] > 0)
            draft_add(d, &hand, T_DOT,
                      TX(d, T_YAKU_WORTH, d->words->hand_yaku[h], draft_int(d, r->hand_yaku[h])));
    if (hand.n > 0)
        draft_line(d, r->claim == CLAIM_DECLARED
                          ? TX(d, T_RULE_HAND_DECLARED, hand, draft_command(d, VERB_DECLARE))
                          : TX(d, T_RULE_HAND_AUTOMATIC, hand));
    if (r->yaku[YAKU_TANE] > 0 && r->yaku[YAKU_TANZAKU] > 0 && r->yaku[YAKU_KASU] > 0)
        SAY(d, T_RULE_COUNT, d->words->yaku[YAKU_TANE], d->words->yaku[YAKU_TANZAKU],
            d->words->yaku[YAKU_KASU]);
    SAY(d, r->sake_is_plain ? T_RULE_SAKE : T_RULE_SAKE_NOT, draft_card(d, SAKE));
    if (r->trio_extra != TRIO_NONE)
        SAY(d, r->trio_extra == TRIO_ADD ? T_RULE_TRIO_ADD : T_RULE_TRIO_ABSORB);
    if (r->both_ribbons > 0)
        SAY(d, T_RULE_BOTH_RIBBONS, d->words->yaku[YAKU_AKATAN], d->words->yaku[YAKU_AOTAN],
            draft_int(d, r->both_ribbons));
    if (r->rain_cancels != RAIN_NONE)
        SAY(d, r->rain_cancels == RAIN_RAINMAN ? T_RULE_RAIN : T_RULE_RAIN_LIGHTNING);
    if (r->viewing_both > 0)
        SAY(d, T_RULE_BOTH, draft_int(d, r->viewing_both));
    if (r->viewing_after_koikoi > 0)
        SAY(d, T_RULE_AFTER_KOIKOI, draft_int(d, r->viewing_after_koikoi));
    if (!r->viewing_with_brights)
        SAY(d, T_RULE_NOT_WITH_BRIGHTS);
}

/* ---- what a rule set does differently ---- */

static void put_all(struct draft *d, const struct rules *r)
{
    if (r->scoring == SCORING_COINS)
        SAY(d, T_RULE_COINS, draft_coins(d, rules_start_score(r)));
    put_rules_of_play(d, r);
    put_rules_of_yaku(d, r);
    part_pay(d, r);
}

/* What `put` says of these rules, a line each, in the words of `d`. */
static struct str rules_in_lines(const struct draft *d, const struct rules *r,
                                 void (*put)(struct draft *d, const struct rules *r))
{
    struct draft said = *d;
    struct table table = {.rules = *r};
    said.text = (struct buf){arena_room(d->a, DRAFT_BYTES), 0, DRAFT_BYTES, false};
    said.table = &table;
    put(&said, r);
    return buf_str(&said.text);
}

static bool has_line(struct str lines, struct str line)
{
    for (struct str rest = lines; rest.n > 0;)
        if (str_is(str_cut(rest, '\n', &rest), line))
            return true;
    return false;
}

void page_differences(struct draft *d, const struct rules *r, const struct rules *usual)
{
    struct str known = rules_in_lines(d, usual, put_all), worths = {0};
    struct str here = rules_in_lines(d, r, put_all);
    for (struct str rest = here; rest.n > 0;) {
        struct str line = str_cut(rest, '\n', &rest);
        if (!has_line(known, line))
            draft_line(d, line);
    }
    for (struct str rest = rules_in_lines(d, usual, part_pay); rest.n > 0;) {
        struct str line = str_cut(rest, '\n', &rest);
        if (!has_line(here, line))
            SAY(d, T_RULE_NOT_HERE, line);
    }
    for (int y = 0; y < N_YAKU; y++)
        if (r->yaku[y] > 0 && r->yaku[y] != usual->yaku[y])
            draft_add(d, &worths, T_DOT,
                      TX(d, T_YAKU_WORTH, d->words->yaku[y], draft_int(d, r->yaku[y])));
    if (worths.n > 0)
        SAY(d, T_RULE_WORTHS, worths);
}

/* ---- pages ---- */

/* How a turn goes. */
static void put_turn(struct draft *d)
{
    const struct words *w = d->words;
    SAY(d, T_TURN_HEAD);
    SAY(d, T_TURN_1);
    SAY(d, T_TURN_2);
    SAY(d, T_TURN_3);
    SAY(d, T_TURN_4, w->word[WORD_STOP], w->word[WORD_KOIKOI]);
    SAY(d, T_TURN_5);
}

static void put_table_rules(struct draft *d, const struct rules *r)
{
    const struct notice *notice = d->notice;
    struct str rounds = TN(d, T_ROUNDS, r->rounds, draft_int(d, r->rounds));
    SAY(d, T_RULE_HEAD, str_of(r->name), rounds);
    if (r->scoring == SCORING_COINS)
        SAY(d, T_RULE_COINS, draft_coins(d, rules_start_score(r)));
    else
        SAY(d, T_RULE_POINTS);
    put_rules_of_play(d, r);
    part_pay(d, r);
    struct str changes = notice->versus ? part_changes(d, r, notice->versus) : (struct str){0};
    if (changes.n > 0)
        SAY(d, T_RULE_CHANGED, str_of(r->name), changes);
    SAY(d, T_RULE_OTHERS, notice->text, draft_command(d, VERB_RULES));
}

/* The ways to the other pages: buttons, else commands. */
static void put_pages(struct draft *d, const struct rules *r)
{
    static const enum text labels[N_RULES_PAGES] = {
        [RULES_TURN] = T_BUTTON_TURN, [RULES_SETS] = T_BUTTON_SETS, [RULES_TABLE] = T_BUTTON_TABLE};
    const struct notice *notice = d->notice;
    struct str command = draft_command(d, VERB_RULES);
    int preset = 0;
    for (int i = 0; !notice->table && i < d->w->bot->n_presets; i++)
        if (strcmp(d->w->bot->presets[i].name, r->name) == 0)
            preset = i + 1;
    if (!draft_can(d, CAN_BUTTONS))
        SAY(d, T_RULE_PAGES, preset ? draft_join(d, command, STR(" "), str_of(r->name)) : command);
    d->table = notice->table;
    if (notice->n == RULES_TURN && !draft_can(d, CAN_BUTTONS))
        SAY(d, T_DOOR_LEARN_HOW, draft_command(d, VERB_TUTORIAL));
    if (notice->n == RULES_TURN) {
        draft_press(d, T_BUTTON_LEARN, VERB_TUTORIAL, 0, BUTTON_PLAIN);
        draft_row(d);
    }
    for (int page = RULES_TURN; page < N_RULES_PAGES; page++)
        if (page != notice->n)
            draft_press(d, labels[page], VERB_RULES, page + preset * N_RULES_PAGES, BUTTON_PLAIN);
}

void page_rules(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct rules *r = notice->rules;
    struct table *table = arena_new(d->a, struct table);
    if (d->table)
        *table = *d->table;
    table->rules = *r;
    d->table = table;
    if (notice->n == RULES_TURN)
        put_turn(d);
    else if (notice->n == RULES_TABLE)
        put_table_rules(d, r);
    else {
        put_sets(d, r);
        put_rules_of_yaku(d, r);
    }
    put_pages(d, r);
    d->table = notice->table;
}
