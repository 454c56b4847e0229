/* Pictures of a table: what a seat, or everybody, sees of it. See layout_table.h. */
#include "layout_table.h"

#include "choice.h"

/* Every card that this one could take from the field. */
static cardset captures(const struct view *v, int card)
{
    cardset takes[N_CARDS], all = 0;
    int n = round_takes(&v->rules, v->field, card, false, takes);
    for (int i = 0; i < n; i++)
        all |= takes[i];
    return all;
}

static void set_number(struct layout_card *c, int number)
{
    if (c->n_numbers < LAYOUT_NUMBERS)
        c->number[c->n_numbers++] = (uint8_t)number;
}

/* Captures as everybody sees them; the row of a seat without any is left out if all have none. */
void layout_piles(struct layout *l, const struct view *v, const struct str *names)
{
    cardset any = 0;
    for (int i = 0; i < v->players; i++)
        any |= v->taken[i];
    for (int i = 0; any && i < v->players; i++) {
        layout_row(l, LAYOUT_PILE);
        layout_cards(l, v->taken[i]);
        layout_text(l, names[i]);
    }
}

/* On the turn of the hand's owner each card has the numbers of the hand cards that can take it. */
static void put_field(struct layout *l, const struct view *v)
{
    layout_row(l, LAYOUT_FIELD);
    if (v->turn != v->seat) {
        layout_cards(l, v->field);
        return;
    }
    for (cardset field = v->field; field; field = set_rest(field)) {
        struct layout_card *c = layout_card(l, set_first(field));
        int number = 0;
        for (cardset hand = v->hand; c && hand; hand = set_rest(hand)) {
            number++;
            if (captures(v, set_first(hand)) & CARD(c->card))
                set_number(c, number);
        }
    }
}

static void put_hand(struct layout *l, const struct view *v)
{
    int number = 0;
    layout_row(l, LAYOUT_HAND);
    for (cardset rest = v->hand; rest; rest = set_rest(rest)) {
        struct layout_card *c = layout_card(l, set_first(rest));
        if (!c)
            return;
        set_number(c, ++number);
        c->marked = captures(v, c->card) != 0;
    }
}

/* Numbers as the message counts its choices: of two equal plains only one is offered. */
static void put_choices(struct layout *l, const struct view *v)
{
    int number = 0;
    layout_row(l, LAYOUT_FIELD);
    layout_cards(l, v->field);
    const struct layout_row *row = &l->row[l->n_rows - 1];
    for (int i = 0; i < v->n_legal; i++) {
        const struct move *m = &v->legal[i];
        if (m->kind != MOVE_CHOOSE || choice_repeats(v->legal, i))
            continue;
        number++;
        for (int k = 0; k < row->n_cards; k++) {
            struct layout_card *c = &l->card[row->first + k];
            if (m->take & CARD(c->card)) {
                set_number(c, number);
                c->marked = true;
            }
        }
    }
    layout_row(l, LAYOUT_DRAWN);
    layout_cards(l, CARD(v->drawn));
}

static void put_plain(struct layout *l, enum layout_kind kind, cardset cards)
{
    if (!cards)
        return;
    layout_row(l, kind);
    layout_cards(l, cards);
}

static void put_legend(struct layout *l, struct str legend)
{
    const struct layout_row *field = &l->row[l->n_rows - 1];
    bool numbered = false;
    for (int i = 0; i < field->n_cards; i++)
        numbered |= layout_card_of(l, field, i)->n_numbers > 0;
    if (!numbered || legend.n == 0)
        return;
    layout_row(l, LAYOUT_LEGEND);
    layout_text(l, legend);
}

void layout_table(struct layout *l, const struct view *v, struct str legend)
{
    if (v->stage != MATCH_PLAYING) {
        put_plain(l, LAYOUT_FIELD, v->field);
        put_plain(l, LAYOUT_HAND, v->hand);
    } else if (v->phase == PHASE_DRAW && v->turn == v->seat) {
        put_choices(l, v);
        put_plain(l, LAYOUT_HAND, v->hand);
    } else {
        if (v->field) {
            put_field(l, v);
            put_legend(l, legend);
        }
        if (v->hand)
            put_hand(l, v);
    }
}
