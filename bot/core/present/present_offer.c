/* A challenge with its terms and commitments, and the start of its match with the lots. */
#include "present_bodies.h"

static struct str computer_name(const struct body *body, int seat)
{
    struct str level = part_level(body, body->table->player[seat].level);
    int character = body->table->player[seat].character;
    return character ? TX(body, T_CHARACTER_LEVEL, body_computer(body, character), level)
                     : TX(body, T_COMPUTER_LEVEL, level);
}

static bool is_open(const struct table *t, int seat)
{
    return !t->player[seat].computer && t->player[seat].name.n == 0;
}

static struct str guest_names(const struct body *body)
{
    struct str list = {0};
    if (body->table->players == 3 && is_open(body->table, 1) && is_open(body->table, 2))
        return TX0(body, T_ANY_TWO);
    for (int i = 1; i < body->table->players; i++) {
        struct str name =
            is_open(body->table, i) ? TX0(body, T_ANYONE)
            : body->table->player[i].computer
                ? computer_name(body, i)
                : body_mention(body, body->table->player[i].name, body->table->player[i].id);
        list = body_join(body, list, TX0(body, T_AND), name);
    }
    return list;
}

static void put_fine_print(struct body *body)
{
    const struct table *t = body->table;
    body_fold(body, TX0(body, T_OFFER_FOLD));
    part_pay(body, &t->rules);
    if (!t->again && t->lots_commit[0])
        body_line(body, TX(body, T_LOTS_SEALED, str_of(t->lots_commit)));
    part_seal_next(body, 1);
    body_unfold(body);
}

void present_offer(struct body *body)
{
    const struct table *t = body->table;
    bool open = false, people = false;
    for (int i = 1; i < t->players; i++) {
        open |= is_open(t, i);
        people |= !t->player[i].computer;
    }
    bool seeks = t->search && open;
    body_line(body, seeks ? TX(body, T_SEEK_HEAD, body_name(body, 0), body_int(body, t->no))
                          : TX(body, T_OFFER_HEAD, body_name(body, 0), guest_names(body),
                               body_int(body, t->no)));
    body_line(body, seeks      ? TX(body, T_SEEK_HOW, body_command(body, VERB_CANCEL))
                    : t->again ? TX(body, T_OFFER_AGAIN, body_name(body, t->first),
                                    body->words->word[WORD_DEALER])
                               : TX0(body, T_OFFER_PITCH));
    part_terms(body, &t->rules);
    if (seeks && t->any_rules)
        body_line(body, TX0(body, T_SEEK_OPEN));
    if (t->casual)
        body_line(body, TX0(body, T_OFFER_CASUAL));
    if (t->search && (!open || t->at.direct) && !t->again) {
        put_fine_print(body);
        if (open)
            body_button(body, TX0(body, T_BUTTON_WITHDRAW), VERB_CANCEL, 0, BUTTON_PLAIN);
        return;
    }
    if (!body_can(body, CAN_BUTTONS))
        body_line(body, !people
                            ? TX(body, T_OFFER_HOW_COMPUTER, body_command(body, VERB_READY),
                                 body_command(body, VERB_RULES))
                            : TX(body, T_OFFER_HOW, body_command(body, VERB_ACCEPT),
                                 body_command(body, VERB_DECLINE), body_command(body, VERB_RULES)));
    if (!body_can(body, CAN_BUTTONS) && people && body_can(body, CAN_REACT))
        body_line(body, TX0(body, T_OFFER_REACT));
    if (t->by_code)
        body_line(body, TX(body, T_OFFER_CODE, join_code_write(body->network->key, t->no, body->a),
                           body_command(body, VERB_JOIN)));
    else if (open && !seeks && t->players == 2 && !body_can(body, CAN_ONE_POST))
        body_line(body, TX(body, T_OFFER_ALONE, body_command(body, VERB_CHALLENGE)));
    put_fine_print(body);
    body_button(body, TX0(body, people ? T_BUTTON_ACCEPT : T_BUTTON_START), VERB_ACCEPT, 0,
                BUTTON_TAKE);
    if (people && !open &&
        body_can(body, CAN_ONE_POST)) /* a popup has no buttons to give a reason */
        body_button(body, TX0(body, T_BUTTON_DECLINE_INLINE), VERB_DECLINE, 1, BUTTON_PLAIN);
    else if (people && !open)
        body_button(body, TX0(body, T_BUTTON_DECLINE), VERB_DECLINE, 0, BUTTON_PLAIN);
    body_button(body, TX0(body, T_BUTTON_HOW), VERB_RULES, 0, BUTTON_PLAIN);
}

/* The deal waits for both: its seal is read here first. */
static void put_first_deal(struct body *body)
{
    body_line(body, TX(body, T_FIRST_DEAL, body_command(body, VERB_READY),
                       body_time(body, body->table->due)));
    body_fold(body, TX0(body, T_SEALS_FOLD));
    part_seal_next(body, body->table->view.round_no);
    body_unfold(body);
    body_button(body, TX0(body, T_BUTTON_READY), VERB_READY, 0, BUTTON_TAKE);
}

void present_start(struct body *body)
{
    const struct table *t = body->table;
    struct str lots = {0}, order = {0};
    for (int i = 0; i < t->players; i++) {
        if (t->player[i].lot != CARD_NONE)
            lots =
                body_join(body, lots, TX0(body, T_DOT),
                          TX(body, T_LOT, body_name(body, i), body_card(body, t->player[i].lot)));
        order = body_join(body, order, TX0(body, T_DASH), body_name(body, i));
    }
    body_line(body, TX(body, T_STARTED, body_names(body)));
    if (t->tournament)
        body_line(body, TX(body, T_TOURNAMENT_MATCH, body_int(body, t->tournament)));
    if (lots.n > 0)
        body_line(body, TX(body, T_LOTS, lots));
    body_line(body, TX(body, T_FIRST_DEALER, body_name(body, t->view.dealer),
                       body->words->word[WORD_DEALER]));
    if (t->players > 2)
        body_line(body, TX(body, T_SEAT_ORDER, order));
    for (int i = 0; i < t->players; i++)
        body_character_says(body, i, MANNER_GREETING);
    if (t->tournament) /* no challenge has shown its seal */
        put_first_deal(body);
    if (!t->lots_seed[0])
        return;
    body_fold(body, TX0(body, T_SEALS_FOLD));
    body_line(body, TX(body, T_LOTS_SEED, str_of(t->lots_seed)));
    body_unfold(body);
}
