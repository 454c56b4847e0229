/* A challenge with its terms and commitments, and the start of its match with the lots. */
#include "page.h"
#include "part.h"

static struct str computer_name(const struct draft *d, int seat)
{
    struct str level = part_level(d, d->table->player[seat].level);
    int character = d->table->player[seat].character;
    return character ? TX(d, T_CHARACTER_LEVEL, draft_computer(d, character), level)
                     : TX(d, T_COMPUTER_LEVEL, level);
}

static bool is_open(const struct table *t, int seat)
{
    return !t->player[seat].computer && t->player[seat].name.n == 0;
}

static struct str guest_names(const struct draft *d)
{
    struct str list = {0};
    if (d->table->players == 3 && is_open(d->table, 1) && is_open(d->table, 2))
        return TX(d, T_ANY_TWO);
    for (int i = 1; i < d->table->players; i++) {
        struct str name = is_open(d->table, i)           ? TX(d, T_ANYONE)
                          : d->table->player[i].computer ? computer_name(d, i)
                                                         : draft_mention(d, i);
        draft_add(d, &list, T_AND, name);
    }
    return list;
}

static void put_fine_print(struct draft *d)
{
    const struct table *t = d->table;
    draft_fold(d, T_OFFER_FOLD);
    part_pay(d, &t->rules);
    if (!t->again && t->lots_commit[0])
        SAY(d, T_LOTS_SEALED, str_of(t->lots_commit));
    part_seal_next(d, 1);
    draft_unfold(d);
}

void page_offer(struct draft *d)
{
    const struct table *t = d->table;
    bool open = false, people = false;
    for (int i = 1; i < t->players; i++) {
        open |= is_open(t, i);
        people |= !t->player[i].computer;
    }
    bool seeks = t->search && open;
    draft_line(d, seeks
                      ? TX(d, T_SEEK_HEAD, draft_name(d, 0), draft_int(d, t->no))
                      : TX(d, T_OFFER_HEAD, draft_name(d, 0), guest_names(d), draft_int(d, t->no)));
    draft_line(d, seeks ? TX(d, T_SEEK_HOW, draft_command(d, VERB_CANCEL))
                  : t->again
                      ? TX(d, T_OFFER_AGAIN, draft_name(d, t->first), d->words->word[WORD_DEALER])
                      : TX(d, T_OFFER_PITCH));
    part_terms(d, &t->rules);
    if (seeks && t->any_rules)
        SAY(d, T_SEEK_OPEN);
    if (t->casual)
        SAY(d, T_OFFER_CASUAL);
    if (t->search && (!open || d->at->direct) && !t->again) {
        put_fine_print(d);
        if (open)
            draft_press(d, T_BUTTON_WITHDRAW, VERB_CANCEL, 0, BUTTON_PLAIN);
        return;
    }
    if (!draft_can(d, CAN_BUTTONS))
        draft_line(d, !people ? TX(d, T_OFFER_HOW_COMPUTER, draft_command(d, VERB_READY),
                                   draft_command(d, VERB_RULES))
                              : TX(d, T_OFFER_HOW, draft_command(d, VERB_ACCEPT),
                                   draft_command(d, VERB_DECLINE), draft_command(d, VERB_RULES)));
    if (!draft_can(d, CAN_BUTTONS) && people && draft_can(d, CAN_REACT))
        SAY(d, T_OFFER_REACT);
    if (t->by_code)
        SAY(d, T_OFFER_CODE, join_code_write(d->network->key, VERB_JOIN, t->no, d->a),
            draft_command(d, VERB_JOIN));
    else if (open && !seeks && t->players == 2 && !draft_can(d, CAN_ONE_POST))
        SAY(d, T_OFFER_ALONE, draft_command(d, VERB_CHALLENGE));
    put_fine_print(d);
    draft_button(d, TX(d, people ? T_BUTTON_ACCEPT : T_BUTTON_START), VERB_ACCEPT, 0, BUTTON_TAKE);
    if (people && !open && draft_can(d, CAN_ONE_POST)) /* a popup has no buttons to give a reason */
        draft_press(d, T_BUTTON_DECLINE_INLINE, VERB_DECLINE, 1, BUTTON_PLAIN);
    else if (people && !open)
        draft_press(d, T_BUTTON_DECLINE, VERB_DECLINE, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_HOW, VERB_RULES, 0, BUTTON_PLAIN);
}

/* The deal waits for both: its seal is read here first. */
static void put_first_deal(struct draft *d)
{
    SAY(d, T_FIRST_DEAL, draft_command(d, VERB_READY), draft_time(d, d->table->due));
    draft_fold(d, T_SEALS_FOLD);
    part_seal_next(d, d->table->view.round_no);
    draft_unfold(d);
    draft_press(d, T_BUTTON_READY, VERB_READY, 0, BUTTON_TAKE);
}

void page_start(struct draft *d)
{
    const struct table *t = d->table;
    struct str lots = {0}, order = {0};
    for (int i = 0; i < t->players; i++) {
        if (t->player[i].lot != CARD_NONE)
            draft_add(d, &lots, T_DOT,
                      TX(d, T_LOT, draft_name(d, i), draft_card(d, t->player[i].lot)));
        draft_add(d, &order, T_DASH, draft_name(d, i));
    }
    SAY(d, T_STARTED, draft_names(d));
    if (t->tournament)
        SAY(d, T_TOURNAMENT_MATCH, draft_int(d, t->tournament));
    if (lots.n > 0)
        SAY(d, T_LOTS, lots);
    SAY(d, T_FIRST_DEALER, draft_name(d, t->view.dealer), d->words->word[WORD_DEALER]);
    if (t->players > 2)
        SAY(d, T_SEAT_ORDER, order);
    for (int i = 0; i < t->players; i++)
        draft_character_says(d, i, MANNER_GREETING);
    if (t->tournament) /* no challenge has shown its seal */
        put_first_deal(d);
    if (!t->lots_seed[0])
        return;
    draft_fold(d, T_SEALS_FOLD);
    SAY(d, T_LOTS_SEED, str_of(t->lots_seed));
    draft_unfold(d);
}
