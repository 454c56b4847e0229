/* Rules in pages: how a turn goes, the sets with their cards, what this table does. */
#include "present_bodies.h"

#include "review.h"

static void put_rules_of_play(struct body *body, const struct rules *r)
{
    body_line(body, TX0(body, r->capture == CAPTURE_FORCED ? T_RULE_FORCED : T_RULE_OPTIONAL));
    if (r->wild_lightning)
        body_line(body, TX(body, T_RULE_WILD, body_card(body, LIGHTNING)));
    if (r->table_four == TABLE_FOUR_REDEAL)
        body_line(body, TX0(body, T_RULE_TABLE_FOUR));
    if (r->hand_four == HAND_FOUR_MAY_REDEAL)
        body_line(body, TX(body, T_RULE_HAND_FOUR, body_command(body, VERB_REDEAL)));
    if (r->hand_four == HAND_FOUR_REDEAL)
        body_line(body, TX0(body, T_RULE_HAND_FOUR_AT_ONCE));
    body_line(body, TX0(body, r->exhausted == EXHAUSTED_OYA_KAN        ? T_RULE_OYA_KAN
                              : r->exhausted == EXHAUSTED_DEALER_POINT ? T_RULE_DEALER_POINT
                                                                       : T_RULE_EXHAUSTED));
    if (r->koikoi_limit > 0)
        body_line(body,
                  TN(body, T_RULE_KOIKOI_LIMIT, r->koikoi_limit, body_int(body, r->koikoi_limit)));
    if (r->drawn_dealer == DRAWN_CHANGES)
        body_line(body, TX0(body, T_RULE_DRAWN_CHANGES));
    if (r->tie_break == TIE_EXTRA_ROUND)
        body_line(body, TX0(body, T_RULE_EXTRA));
    body_line(body,
              TX0(body, body->table->again ? T_RULE_FIRST_AGAIN
                                           : (enum text)(T_RULE_FIRST_LOTS + r->first_dealer)));
}

/* "boar, deer, butterflies 5: 6 peony butterflies · ..."; of many cards only how many. */
static struct str set_line(const struct body *body, const struct rules *r, int y)
{
    enum { MOST_NAMED = 10 };
    int need;
    cardset pool = yaku_cards(r, (enum yaku)y, &need);
    struct str name = TX(body, T_YAKU_WORTH, body->words->yaku[y], body_int(body, r->yaku[y]));
    if (need == 0)
        return TX(body, T_RULE_SET_MONTH, name);
    if (y == YAKU_AME_SHIKO)
        return TX(body, T_RULE_SET_WITH, name, body_card(body, RAINMAN), body_int(body, need - 1),
                  body_cards(body, pool & ~CARD(RAINMAN)));
    if (set_count(pool) > MOST_NAMED)
        return TX(body, T_RULE_SET_KIND, name, body_int(body, need), body->words->word[WORD_PLAIN]);
    return need == set_count(pool)
               ? TX(body, T_RULE_SET, name, body_cards(body, pool))
               : TX(body, T_RULE_SET_SOME, name, body_int(body, need), body_cards(body, pool));
}

static void put_sets(struct body *body, const struct rules *r)
{
    body_line(body, TX0(body, T_RULE_YAKU));
    for (int y = 0; y < N_YAKU; y++)
        if (r->yaku[y] > 0)
            body_line(body, set_line(body, r, y));
}

/* The name beside `drawn` cards: how many of them it takes. */
static struct str drawn_name(const struct body *body, int y, int need, int drawn)
{
    struct str name = body->words->yaku[y];
    if (y == YAKU_AME_SHIKO)
        return TX(body, T_RULE_SETS_WITH, name, body_label(body, RAINMAN),
                  body_int(body, need - 1));
    return need < drawn ? TX(body, T_RULE_SETS_ANY, name, body_int(body, need)) : name;
}

/* The sets as a picture, but for those of most of the deck. */
void present_sets(struct body *body)
{
    enum { MOST_DRAWN = 10 };
    const struct rules *r = body->notice->rules;
    struct layout l;
    int need;
    body_line(body, TX(body, T_RULE_SETS_OF, str_of(r->name)));
    layout_open(&l, r->deck);
    for (int y = 0; y < N_YAKU; y++) {
        cardset cards = yaku_cards(r, (enum yaku)y, &need);
        if (r->yaku[y] == 0 || need == 0 || set_count(cards) > MOST_DRAWN)
            continue;
        layout_row(&l, LAYOUT_YAKU);
        layout_cards(&l, cards);
        layout_text(&l, drawn_name(body, y, need, set_count(cards)));
        layout_text(&l, body_int(body, r->yaku[y]));
    }
    body_picture(body, &l);
}

static void put_rules_of_yaku(struct body *body, const struct rules *r)
{
    struct str hand = {0};
    for (int h = 1; r->has_hand_yaku && h < N_HAND_YAKU; h++)
        if (r->hand_yaku[h] > 0)
            hand = body_join(
                body, hand, TX0(body, T_DOT),
                TX(body, T_YAKU_WORTH, body->words->hand_yaku[h], body_int(body, r->hand_yaku[h])));
    if (hand.n > 0)
        body_line(body, r->claim == CLAIM_DECLARED
                            ? TX(body, T_RULE_HAND_DECLARED, hand, body_command(body, VERB_DECLARE))
                            : TX(body, T_RULE_HAND_AUTOMATIC, hand));
    if (r->yaku[YAKU_TANE] > 0 && r->yaku[YAKU_TANZAKU] > 0 && r->yaku[YAKU_KASU] > 0)
        body_line(body, TX(body, T_RULE_COUNT, body->words->yaku[YAKU_TANE],
                           body->words->yaku[YAKU_TANZAKU], body->words->yaku[YAKU_KASU]));
    body_line(body,
              TX(body, r->sake_is_plain ? T_RULE_SAKE : T_RULE_SAKE_NOT, body_card(body, SAKE)));
    if (r->trio_extra != TRIO_NONE)
        body_line(body,
                  TX0(body, r->trio_extra == TRIO_ADD ? T_RULE_TRIO_ADD : T_RULE_TRIO_ABSORB));
    if (r->both_ribbons > 0)
        body_line(body, TX(body, T_RULE_BOTH_RIBBONS, body->words->yaku[YAKU_AKATAN],
                           body->words->yaku[YAKU_AOTAN], body_int(body, r->both_ribbons)));
    if (r->rain_cancels != RAIN_NONE)
        body_line(body,
                  TX0(body, r->rain_cancels == RAIN_RAINMAN ? T_RULE_RAIN : T_RULE_RAIN_LIGHTNING));
    if (r->viewing_both > 0)
        body_line(body, TX(body, T_RULE_BOTH, body_int(body, r->viewing_both)));
    if (r->viewing_after_koikoi > 0)
        body_line(body, TX(body, T_RULE_AFTER_KOIKOI, body_int(body, r->viewing_after_koikoi)));
    if (!r->viewing_with_brights)
        body_line(body, TX0(body, T_RULE_NOT_WITH_BRIGHTS));
}

/* ---- what a rule set does differently ---- */

static void put_all(struct body *body, const struct rules *r)
{
    if (r->scoring == SCORING_COINS)
        body_line(body, TX(body, T_RULE_COINS, body_coins(body, rules_start_score(r))));
    put_rules_of_play(body, r);
    put_rules_of_yaku(body, r);
    part_pay(body, r);
}

/* What `put` says of these rules, a line each, in the words of `body`. */
static struct str rules_in_lines(const struct body *body, const struct rules *r,
                                 void (*put)(struct body *body, const struct rules *r))
{
    struct body said = *body;
    struct table table = {.rules = *r};
    said.text = (struct buf){arena_room(body->a, BODY_BYTES), 0, BODY_BYTES, false};
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

void present_differences(struct body *body, const struct rules *r, const struct rules *usual)
{
    struct str known = rules_in_lines(body, usual, put_all), worths = {0};
    struct str here = rules_in_lines(body, r, put_all);
    for (struct str rest = here; rest.n > 0;) {
        struct str line = str_cut(rest, '\n', &rest);
        if (!has_line(known, line))
            body_line(body, line);
    }
    for (struct str rest = rules_in_lines(body, usual, part_pay); rest.n > 0;) {
        struct str line = str_cut(rest, '\n', &rest);
        if (!has_line(here, line))
            body_line(body, TX(body, T_RULE_NOT_HERE, line));
    }
    for (int y = 0; y < N_YAKU; y++)
        if (r->yaku[y] > 0 && r->yaku[y] != usual->yaku[y])
            worths =
                body_join(body, worths, TX0(body, T_DOT),
                          TX(body, T_YAKU_WORTH, body->words->yaku[y], body_int(body, r->yaku[y])));
    if (worths.n > 0)
        body_line(body, TX(body, T_RULE_WORTHS, worths));
}

/* ---- pages ---- */

/* How a turn goes. */
static void put_turn(struct body *body)
{
    const struct words *w = body->words;
    body_line(body, TX0(body, T_TURN_HEAD));
    body_line(body, TX0(body, T_TURN_1));
    body_line(body, TX0(body, T_TURN_2));
    body_line(body, TX0(body, T_TURN_3));
    body_line(body, TX(body, T_TURN_4, w->word[WORD_STOP], w->word[WORD_KOIKOI]));
    body_line(body, TX0(body, T_TURN_5));
}

static void put_table_rules(struct body *body, const struct rules *r)
{
    const struct notice *notice = body->notice;
    struct str rounds = TN(body, T_ROUNDS, r->rounds, body_int(body, r->rounds));
    body_line(body, TX(body, T_RULE_HEAD, str_of(r->name), rounds));
    if (r->scoring == SCORING_COINS)
        body_line(body, TX(body, T_RULE_COINS, body_coins(body, rules_start_score(r))));
    else
        body_line(body, TX0(body, T_RULE_POINTS));
    put_rules_of_play(body, r);
    part_pay(body, r);
    struct str changes = notice->versus ? part_changes(body, r, notice->versus) : (struct str){0};
    if (changes.n > 0)
        body_line(body, TX(body, T_RULE_CHANGED, str_of(r->name), changes));
    body_line(body, TX(body, T_RULE_OTHERS, notice->text, body_command(body, VERB_RULES)));
}

/* The ways to the other pages: buttons, else commands. */
static void put_pages(struct body *body, const struct rules *r)
{
    static const enum text labels[N_RULES_PAGES] = {
        [RULES_TURN] = T_BUTTON_TURN, [RULES_SETS] = T_BUTTON_SETS, [RULES_TABLE] = T_BUTTON_TABLE};
    const struct notice *notice = body->notice;
    struct str command = body_command(body, VERB_RULES);
    int preset = 0;
    for (int i = 0; !notice->table && i < body->w->n_presets; i++)
        if (strcmp(body->w->presets[i].name, r->name) == 0)
            preset = i + 1;
    if (!body_can(body, CAN_BUTTONS))
        body_line(body, TX(body, T_RULE_PAGES,
                           preset ? body_join(body, command, STR(" "), str_of(r->name)) : command));
    body->table = notice->table;
    if (notice->n == RULES_TURN && !body_can(body, CAN_BUTTONS))
        body_line(body, TX(body, T_DOOR_LEARN_HOW, body_command(body, VERB_TUTORIAL)));
    if (notice->n == RULES_TURN) {
        body_button(body, TX0(body, T_BUTTON_LEARN), VERB_TUTORIAL, 0, BUTTON_PLAIN);
        body_row(body);
    }
    for (int page = RULES_TURN; page < N_RULES_PAGES; page++)
        if (page != notice->n)
            body_button(body, TX0(body, labels[page]), VERB_RULES, page + preset * N_RULES_PAGES,
                        BUTTON_PLAIN);
}

void present_rules(struct body *body)
{
    const struct notice *notice = body->notice;
    const struct rules *r = notice->rules;
    struct table *table = arena_new(body->a, struct table);
    if (body->table)
        *table = *body->table;
    table->rules = *r;
    body->table = table;
    if (notice->n == RULES_TURN)
        put_turn(body);
    else if (notice->n == RULES_TABLE)
        put_table_rules(body, r);
    else {
        put_sets(body, r);
        put_rules_of_yaku(body, r);
    }
    put_pages(body, r);
    body->table = notice->table;
}
