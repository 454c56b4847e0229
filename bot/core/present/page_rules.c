/* Rules in words: the terms of a match, and their pages: how a turn goes, the sets with their cards,
 * what this table does. The sentence of each field is in part_rules.c. */
#include "page.h"

#include "review.h"
#include "search.h"

/* ---- terms ---- */

struct str part_level(const struct draft *d, int level)
{
    _Static_assert(T_LEVEL_MASTER - T_LEVEL_BEGINNER == LEVEL_MASTER, "a text for each level");
    return TX(d, (enum text)(T_LEVEL_BEGINNER + level));
}

struct str part_doublings(const struct draft *d, const struct rules *r)
{
    struct str list = {0};
    const bool on[N_MULTIPLIERS] = {r->has_seven_plus,
                                    r->own_koikoi != DOUBLING_NONE,
                                    r->opponent_koikoi != DOUBLING_NONE,
                                    r->any_koikoi != DOUBLING_NONE,
                                    r->table_brights,
                                    r->call_bonus != CALL_BONUS_NONE};
    for (int m = 0; m < N_MULTIPLIERS; m++)
        if (on[m])
            draft_add(d, &list, T_DOT, TX(d, (enum text)(T_X_SEVEN_PLUS + m)));
    return list;
}

struct str part_clock(const struct draft *d, int64_t move_ms, int64_t total_ms, int64_t gain_ms)
{
    if (total_ms == 0)
        return move_ms ? TX(d, T_CLOCK, draft_span(d, move_ms)) : TX(d, T_NO_CLOCK);
    return gain_ms ? TX(d, T_CLOCK_GAIN, draft_span(d, total_ms), draft_span(d, gain_ms))
                   : TX(d, T_CLOCK_TOTAL, draft_span(d, total_ms));
}

const struct rules *part_preset(const struct draft *d, const struct rules *r)
{
    for (int i = 0; i < d->w->bot->n_presets; i++)
        if (strcmp(d->w->bot->presets[i].name, r->name) == 0)
            return &d->w->bot->presets[i];
    return NULL;
}

void part_terms(struct draft *d, const struct rules *r)
{
    /* the time that people take who answer at once: about three minutes a round, in steps of five */
    const int minutes = (r->rounds * 3 + 4) / 5 * 5;
    const struct rules *preset = part_preset(d, r);
    const struct table *t = d->table;
    struct str clock = part_clock(d, t->time.move_ms, t->time.total_ms, t->time.gain_ms);
    struct str name = str_of(r->name), rounds = part_rounds(d, r);
    struct str length = TN(d, T_MINUTES, minutes, draft_int(d, minutes));
    struct str changes = preset ? part_changes(d, r, preset) : STR("");
    if (r->scoring == SCORING_COINS)
        SAY(d, T_OFFER_COINS, name, rounds, length, draft_coins(d, rules_start_score(r)), clock);
    else
        SAY(d, T_OFFER_POINTS, name, rounds, length, clock);
    SAY_IF(d, changes.n > 0, T_OFFER_CHANGES, changes);
}

/* Those of the fields that say something, a line each. */
static void put_fields(struct draft *d, const struct rules *r, const char *const *path)
{
    for (; *path; path++)
        draft_line(d, part_rule(d, r, *path));
}

void part_pay(struct draft *d, const struct rules *r)
{
    static const char *const fields[] = {"multipliers.seven_plus",
                                         "multipliers.own_koikoi",
                                         "multipliers.opponent_koikoi",
                                         "multipliers.any_koikoi",
                                         "multipliers.table_brights",
                                         "call_bonus",
                                         NULL};
    put_fields(d, r, fields);
}

/* ---- sentences of rules ---- */

static void put_rules_of_play(struct draft *d, const struct rules *r)
{
    static const char *const fields[] = {"capture",      "wild_lightning", "table_four",
                                         "hand_four",    "exhausted",      "koikoi_limit",
                                         "drawn_dealer", "tie_break",      NULL};
    put_fields(d, r, fields);
    draft_line(d, d->table->again ? TX(d, T_RULE_FIRST_AGAIN) : part_rule(d, r, "first_dealer"));
}

/* "boar, deer, butterflies 5: 6 peony butterflies · ..."; of many cards only how many. */
static struct str set_line(const struct draft *d, const struct rules *r, int y)
{
    enum { MOST_NAMED = 10 };
    int need;
    cardset pool = yaku_cards(r, (enum yaku)y, &need);
    struct str name = draft_worth(d, d->words->yaku[y], r->yaku[y]);
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

/* The sets as a picture, but for those of most of the deck; beside them what they are called, and
 * how many of the cards they take. */
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
        struct str name = d->words->yaku[y];
        if (r->yaku[y] == 0 || need == 0 || set_count(cards) > MOST_DRAWN)
            continue;
        if (y == YAKU_AME_SHIKO)
            name = TX(d, T_RULE_SETS_WITH, name, draft_label(d, RAINMAN), draft_int(d, need - 1));
        else if (need < set_count(cards))
            name = TX(d, T_RULE_SETS_ANY, name, draft_int(d, need));
        part_layout_line(&l, LAYOUT_YAKU, name, draft_int(d, r->yaku[y]));
        layout_cards(&l, cards);
    }
    draft_picture(d, &l);
}

/* ---- the cards ---- */

/* "crane☀ · poetry ribbon🎀 · plain ×2" */
static struct str month_line(const struct draft *d, cardset cards)
{
    struct str list = {0};
    while (cards) {
        int card = set_first(cards), same = 0;
        struct str name = TX(d, T_CARD_ALONE, d->words->card[card], draft_sign(d, card_kind(card)));
        for (cardset rest = cards; rest; rest = set_rest(rest))
            if (str_is(d->words->card[set_first(rest)], d->words->card[card])) {
                cards &= ~CARD(set_first(rest));
                same++;
            }
        draft_add(d, &list, T_DOT,
                  same > 1 ? draft_join(d, name, STR(" ×"), draft_int(d, same)) : name);
    }
    return list;
}

/* The kinds, with their signs in words and their marks on pictures. */
static void put_kinds(struct draft *d, struct layout *l)
{
    SAY(d, T_CARDS_HEAD);
    for (int kind = CARD_BRIGHT; kind <= CARD_PLAIN; kind++) {
        const cardset groups[] = {set_brights, set_animals, set_ribbons, set_plains};
        struct str name = d->words->word[WORD_BRIGHT + kind];
        struct str n = draft_int(d, set_count(groups[kind]));
        SAY(d, T_CARDS_KIND, TX(d, T_CARD_ALONE, name, draft_sign(d, (enum card_kind)kind)), n,
            TX(d, (enum text)(T_CARDS_MARK_BRIGHT + kind)));
        if (kind == CARD_PLAIN)
            continue;
        part_layout_line(l, LAYOUT_YAKU, name, n);
        layout_cards(l, groups[kind]);
    }
    SAY_IF(d, !draft_can(d, CAN_BUTTONS), T_CARDS_HOW, draft_command(d, VERB_CARDS));
}

/* The kinds of cards, then the months with their cards, six a page; a deck with names of its own
 * explains itself. */
void page_cards(struct draft *d)
{
    enum { HALF = N_MONTHS / 2 };
    const struct rules *r = d->notice->rules;
    int page = (int)(d->notice->n % N_CARDS_PAGES), first = (page - 1) * HALF;
    struct layout l;
    layout_open(&l, r->deck);
    if (page == CARDS_KINDS)
        put_kinds(d, &l);
    for (int month = first; page != CARDS_KINDS && month < first + HALF; month++) {
        cardset cards = month_set(month);
        SAY(d, T_CARDS_MONTH, draft_int(d, month + 1), d->words->month[month],
            month_line(d, cards));
        part_layout_line(&l, LAYOUT_YAKU, d->words->month[month], draft_int(d, month + 1));
        layout_cards(&l, cards);
    }
    if (page != CARDS_KINDS && str_is(str_of(r->deck), STR("hanafuda")))
        SAY(d, page == CARDS_FIRST_HALF ? T_CARDS_NAMES_1 : T_CARDS_NAMES_2);
    draft_picture(d, &l);
    d->press_no = d->notice->post;
    part_pages(d, page, N_CARDS_PAGES, VERB_CARDS, d->notice->n - page);
}

static void put_rules_of_yaku(struct draft *d, const struct rules *r)
{
    static const char *const fields[] = {"sake_is_plain",
                                         "trio_extra",
                                         "both_ribbons",
                                         "yaku.month_of_round",
                                         "viewing.rain_cancels",
                                         "viewing.alone",
                                         "viewing.season",
                                         "viewing.both",
                                         "viewing.after_koikoi",
                                         "viewing.with_brights",
                                         NULL};
    draft_line(d, part_rule(d, r, "hand_yaku"));
    SAY_IF(d, r->yaku[YAKU_TANE] > 0 && r->yaku[YAKU_TANZAKU] > 0 && r->yaku[YAKU_KASU] > 0,
           T_RULE_COUNT, d->words->yaku[YAKU_TANE], d->words->yaku[YAKU_TANZAKU],
           d->words->yaku[YAKU_KASU]);
    put_fields(d, r, fields);
}

/* ---- pages ---- */

/* What this table does. */
static void put_table_rules(struct draft *d, const struct rules *r)
{
    const struct rules *versus = d->notice->versus;
    struct str changes = versus ? part_changes(d, r, versus) : STR("");
    SAY(d, T_RULE_HEAD, str_of(r->name), part_rounds(d, r));
    draft_line(d, r->scoring == SCORING_COINS
                      ? TX(d, T_RULE_COINS, draft_coins(d, rules_start_score(r)))
                      : TX(d, T_RULE_POINTS));
    put_rules_of_play(d, r);
    part_pay(d, r);
    SAY_IF(d, changes.n > 0, T_RULE_CHANGED, str_of(r->name), changes);
    SAY(d, T_RULE_OTHERS, d->notice->text, draft_command(d, VERB_RULES));
}

/* The ways to the other pages: buttons, else commands. */
static void put_pages(struct draft *d, const struct rules *r)
{
    static const enum text labels[N_RULES_PAGES] = {
        [RULES_TURN] = T_BUTTON_TURN, [RULES_SETS] = T_BUTTON_SETS, [RULES_TABLE] = T_BUTTON_TABLE};
    const struct notice *notice = d->notice;
    const struct rules *known = notice->table ? NULL : part_preset(d, r);
    struct str command = draft_command(d, VERB_RULES);
    int preset = known ? (int)(known - d->w->bot->presets) + 1 : 0;
    bool buttons = draft_can(d, CAN_BUTTONS);
    SAY_IF(d, !buttons, T_RULE_PAGES,
           preset ? draft_join(d, command, STR(" "), str_of(r->name)) : command);
    if (notice->n == RULES_TURN) {
        SAY_IF(d, !buttons, T_DOOR_LEARN_HOW, draft_command(d, VERB_TUTORIAL));
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
    if (notice->n == RULES_TURN) { /* how a turn goes */
        SAY(d, T_TURN_HEAD);
        SAY(d, T_TURN_1);
        SAY(d, T_TURN_2);
        SAY(d, T_TURN_3);
        SAY(d, T_TURN_4, d->words->word[WORD_STOP], d->words->word[WORD_KOIKOI]);
        SAY(d, T_TURN_5);
    } else if (notice->n == RULES_TABLE) {
        put_table_rules(d, r);
    } else {
        SAY(d, T_RULE_YAKU);
        for (int y = 0; y < N_YAKU; y++)
            if (r->yaku[y] > 0)
                draft_line(d, set_line(d, r, y));
        put_rules_of_yaku(d, r);
    }
    d->table = notice->table;
    put_pages(d, r);
}
