/* Before the cards: a challenge with its terms and seals, and the lots that were drawn. */
#include "page.h"

#include "search.h"

static struct str sealed(const struct page *pg, enum text key, const char *commit)
{
    return commit[0] ? TX(pg, key, str_of(commit)) : (struct str){0};
}

static struct str computer(const struct page *pg, int seat)
{
    struct str level = str_of(level_key((enum level)pg->table->player[seat].level));
    int character = pg->table->player[seat].character;
    return character ? TX(pg, T_CHARACTER_LEVEL, page_computer(pg, character), level)
                     : TX(pg, T_COMPUTER_LEVEL, level);
}

static bool is_open(const struct table *t, int seat)
{
    return !t->player[seat].computer && t->player[seat].name.n == 0;
}

static struct str guests(const struct page *pg)
{
    struct str list = {0};
    if (pg->table->players == 3 && is_open(pg->table, 1) && is_open(pg->table, 2))
        return TX0(pg, T_ANY_TWO);
    for (int i = 1; i < pg->table->players; i++) {
        struct str name =
            is_open(pg->table, i) ? TX0(pg, T_ANYONE)
            : pg->table->player[i].computer
                ? computer(pg, i)
                : page_mention(pg, pg->table->player[i].name, pg->table->player[i].id);
        list = page_join(pg, list, TX0(pg, T_AND), name);
    }
    return list;
}

void present_terms(struct page *pg, const struct rules *r)
{
    const struct rules *preset = NULL;
    for (int i = 0; i < pg->w->n_presets; i++)
        if (strcmp(pg->w->presets[i].name, r->name) == 0)
            preset = &pg->w->presets[i];
    struct str clock = pg->table->clock_ms ? TX(pg, T_CLOCK, page_span(pg, pg->table->clock_ms))
                                           : TX0(pg, T_NO_CLOCK);
    struct str rounds = TN(pg, T_ROUNDS, r->rounds, page_int(pg, r->rounds));
    if (r->scoring == SCORING_COINS)
        page_line(pg, TX(pg, T_OFFER_COINS, str_of(r->name), rounds,
                         page_coins(pg, rules_start_score(r)), clock));
    else
        page_line(pg, TX(pg, T_OFFER_POINTS, str_of(r->name), rounds, clock));
    struct str doublings = present_doublings(pg, r);
    if (doublings.n > 0)
        page_line(pg, TX(pg, T_OFFER_DOUBLINGS, doublings));
    struct str changes = preset ? present_changes(pg, r, preset) : (struct str){0};
    if (changes.n > 0)
        page_line(pg, TX(pg, T_OFFER_CHANGES, changes));
}

void present_offer(struct page *pg)
{
    const struct table *t = pg->table;
    bool open = false, people = false;
    for (int i = 1; i < t->players; i++) {
        open |= is_open(t, i);
        people |= !t->player[i].computer;
    }
    page_line(pg, TX(pg, T_OFFER_HEAD, page_name(pg, 0), guests(pg), page_int(pg, t->no)));
    present_terms(pg, &t->rules);
    page_line(pg, t->again
                      ? TX(pg, T_OFFER_AGAIN, page_name(pg, t->first), pg->words->word[WORD_DEALER])
                      : sealed(pg, T_LOTS_SEALED, t->lots_commit));
    page_line(pg, TX(pg, T_DEAL_SEALED, page_int(pg, 1), str_of(t->next_commit)));
    if (!page_can(pg, CAN_BUTTONS))
        page_line(pg, !people ? TX(pg, T_OFFER_HOW_COMPUTER, page_command(pg, VERB_READY),
                                   page_command(pg, VERB_RULES))
                              : TX(pg, T_OFFER_HOW, page_command(pg, VERB_ACCEPT),
                                   page_command(pg, VERB_DECLINE), page_command(pg, VERB_RULES)));
    if (t->by_code)
        page_line(pg, TX(pg, T_OFFER_CODE, join_write(pg->place->key, t->no, pg->a),
                         page_command(pg, VERB_JOIN)));
    else if (open && t->players == 2 && !page_can(pg, CAN_ONE_POST))
        page_line(pg, TX(pg, T_OFFER_ALONE, page_command(pg, VERB_CHALLENGE)));
    page_button(pg, TX0(pg, people ? T_BUTTON_ACCEPT : T_BUTTON_START), VERB_ACCEPT, 0,
                BUTTON_TAKE);
    if (people && !open && page_can(pg, CAN_ONE_POST)) /* a popup cannot ask why */
        page_button(pg, TX0(pg, T_BUTTON_DECLINE_THERE), VERB_DECLINE, 1, BUTTON_PLAIN);
    else if (people && !open)
        page_button(pg, TX0(pg, T_BUTTON_DECLINE), VERB_DECLINE, 0, BUTTON_PLAIN);
    page_button(pg, TX0(pg, T_BUTTON_RULES), VERB_RULES, 0, BUTTON_PLAIN);
}

void present_start(struct page *pg)
{
    const struct table *t = pg->table;
    struct str lots = {0}, order = {0};
    for (int i = 0; i < t->players; i++) {
        if (t->player[i].lot != CARD_NONE)
            lots = page_join(pg, lots, TX0(pg, T_DOT),
                             TX(pg, T_LOT, page_name(pg, i), page_card(pg, t->player[i].lot)));
        order = page_join(pg, order, TX0(pg, T_DASH), page_name(pg, i));
    }
    page_line(pg, TX(pg, T_STARTED, page_names(pg)));
    if (lots.n > 0)
        page_line(pg, TX(pg, T_LOTS, lots));
    page_line(pg,
              TX(pg, T_FIRST_DEALER, page_name(pg, t->view.dealer), pg->words->word[WORD_DEALER]));
    if (t->players > 2)
        page_line(pg, TX(pg, T_SEAT_ORDER, order));
    page_line(pg, t->lots_seed[0] ? TX(pg, T_LOTS_SEED, str_of(t->lots_seed)) : (struct str){0});
    for (int i = 0; i < t->players; i++)
        page_says(pg, i, MANNER_GREETING);
}
