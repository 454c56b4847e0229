/* A challenge with its terms and commitments, the reasons to decline it, and the start of its match
 * with the lots. */
#include "page.h"

static bool is_open(const struct table *t, int seat)
{
    return !t->player[seat].computer && t->player[seat].name.n == 0;
}

static struct str guest_names(const struct draft *d)
{
    const struct table *t = d->table;
    struct str list = {0};
    if (t->players == 3 && is_open(t, 1) && is_open(t, 2))
        return TX(d, T_ANY_TWO);
    for (int i = 1; i < t->players; i++) {
        const struct player_seen *p = &t->player[i];
        struct str level = p->computer ? part_level(d, p->level) : (struct str){0};
        draft_add(d, &list, T_AND,
                  is_open(t, i)  ? TX(d, T_ANYONE)
                  : !p->computer ? draft_mention(d, i)
                  : p->character ? TX(d, T_CHARACTER_LEVEL, draft_computer(d, p->character), level)
                                 : TX(d, T_COMPUTER_LEVEL, level));
    }
    return list;
}

/* How to answer; open: a seat waits for anyone, people: some guest is no computer. */
static void put_how(struct draft *d, bool open, bool people)
{
    const struct table *t = d->table;
    struct str rules = draft_command(d, VERB_RULES);
    bool buttons = draft_can(d, CAN_BUTTONS);
    if (!buttons && !people)
        SAY(d, T_OFFER_HOW_COMPUTER, draft_command(d, VERB_READY), rules);
    else if (!buttons)
        SAY(d, T_OFFER_HOW, draft_command(d, VERB_ACCEPT), draft_command(d, VERB_DECLINE), rules);
    SAY_IF(d, !buttons && people && draft_can(d, CAN_REACT), T_OFFER_REACT);
    if (t->by_code)
        SAY(d, T_OFFER_CODE, join_code_write(d->network->key, VERB_JOIN, t->no, d->a),
            draft_command(d, VERB_JOIN));
    else if (open && !t->search && t->players == 2 && !draft_can(d, CAN_ONE_POST))
        SAY(d, T_OFFER_ALONE, draft_command(d, VERB_CHALLENGE));
}

void page_offer(struct draft *d)
{
    const struct table *t = d->table;
    bool open = false, people = false;
    for (int i = 1; i < t->players; i++) {
        open |= is_open(t, i);
        people |= !t->player[i].computer;
    }
    struct str no = draft_int(d, t->no);
    bool seeks = t->search && open,
         answered_elsewhere = t->search && (!open || d->at->direct) && !t->again;
    draft_line(d, seeks ? TX(d, T_SEEK_HEAD, draft_name(d, 0), no)
                        : TX(d, T_OFFER_HEAD, draft_name(d, 0), guest_names(d), no));
    draft_line(d, seeks ? TX(d, T_SEEK_HOW, draft_command(d, VERB_CANCEL))
                  : t->again
                      ? TX(d, T_OFFER_AGAIN, draft_name(d, t->first), d->words->word[WORD_DEALER])
                      : TX(d, T_OFFER_PITCH));
    part_terms(d, &t->rules);
    SAY_IF(d, seeks && t->any_rules, T_SEEK_OPEN);
    SAY_IF(d, t->casual, T_OFFER_CASUAL);
    if (!answered_elsewhere)
        put_how(d, open, people);
    draft_fold(d, T_OFFER_FOLD);
    part_pay(d, &t->rules);
    SAY_IF(d, !t->again && t->lots_commit[0], T_LOTS_SEALED, str_of(t->lots_commit));
    part_seal_next(d, 1);
    draft_unfold(d);
    if (answered_elsewhere) {
        if (open)
            draft_press(d, T_BUTTON_WITHDRAW, VERB_CANCEL, 0, BUTTON_PLAIN);
        return;
    }
    draft_press(d, people ? T_BUTTON_ACCEPT : T_BUTTON_START, VERB_ACCEPT, 0, BUTTON_TAKE);
    if (people && !open) /* in inline mode at once: a popup has no buttons for a reason */
        draft_press(d, T_BUTTON_DECLINE, VERB_DECLINE, draft_can(d, CAN_ONE_POST), BUTTON_PLAIN);
    draft_press(d, T_BUTTON_HOW, VERB_RULES, 0, BUTTON_PLAIN);
}

void page_decline(struct draft *d)
{
    bool computer = false;
    if (part_popup_only(d)) { /* a popup has no buttons */
        SAY(d, T_DECLINE_BY_WORDS, draft_name(d, 0), draft_command(d, VERB_DECLINE));
        return;
    }
    SAY(d, T_WHY_DECLINE, draft_name(d, 0));
    for (int i = 0; i < d->table->players; i++)
        computer |= d->table->player[i].computer;
    for (int i = 0; i < 7; i++)
        if (computer || T_REASON_NONE + i != T_REASON_NO_COMPUTER)
            draft_press(d, (enum text)(T_REASON_NONE + i), VERB_DECLINE, i + 1, BUTTON_PLAIN);
}

/* ---- the start ---- */

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
    SAY_IF(d, t->tournament, T_TOURNAMENT_MATCH, draft_int(d, t->tournament));
    SAY_IF(d, lots.n > 0, T_LOTS, lots);
    SAY(d, T_FIRST_DEALER, draft_name(d, draft_scene(d)->dealer), d->words->word[WORD_DEALER]);
    SAY_IF(d, t->players > 2, T_SEAT_ORDER, order);
    for (int i = 0; i < t->players; i++)
        draft_character_says(d, i, MANNER_GREETING);
    if (t->tournament) { /* no challenge has shown the seal of the first deal: it waits for both */
        SAY(d, T_FIRST_DEAL, draft_command(d, VERB_READY), draft_time(d, t->due));
        draft_fold(d, T_SEALS_FOLD);
        part_seal_next(d, t->view.round_no);
        draft_unfold(d);
        draft_press(d, T_BUTTON_READY, VERB_READY, 0, BUTTON_TAKE);
    }
    if (!t->lots_seed[0])
        return;
    draft_fold(d, T_SEALS_FOLD);
    SAY(d, T_LOTS_SEED, str_of(t->lots_seed));
    draft_unfold(d);
}
