/* Pictures of a hand and of a board, as layouts. Each shows what the text beside it says; the words
 * are the same. See part_picture.h. */
#include "part_picture.h"

void part_layout_line(struct layout *l, enum layout_kind kind, struct str left, struct str right)
{
    layout_row(l, kind);
    layout_text(l, left);
    if (right.n > 0)
        layout_text(l, right);
}

/* ---- a table ---- */

/* "Round 1 of 3 · #12", and whose move it is. */
static void add_head(const struct draft *d, struct layout *l)
{
    const struct scene *s = draft_scene(d);
    struct str turn = !s->dealt ? part_turn(d)
                      : s->mine ? TX(d, T_YOUR_MOVE)
                                : TX(d, T_TO_MOVE, draft_short_name(d, s->turn));
    struct str round = draft_rounds(d);
    if (d->table->no) /* a puzzle has none */
        round =
            draft_join(d, round, TX(d, T_DOT), arena_print(d->a, "#%lld", (long long)d->table->no));
    part_layout_line(l, LAYOUT_HEAD, draft_unmarked(d, round), draft_unmarked(d, turn));
}

/* "▸ Bo 12 · koi-koi ×1": the one to move is pointed at. */
static struct str pile_name(const struct draft *d, int seat)
{
    const struct scene *s = draft_scene(d);
    struct str name = seat == s->seat ? TX(d, T_YOU) : draft_short_name(d, seat);
    name = TX(d, T_NAME_SCORE, draft_unmarked(d, name), draft_int(d, s->at[seat].points));
    if (s->at[seat].calls)
        name = TX(d, T_PICTURE_CALLS, name, draft_int(d, s->at[seat].calls));
    return s->dealt && seat == s->turn ? draft_join(d, STR("▸"), STR(" "), name) : name;
}

/* Captures, with the cards of the last move marked. `names`: what stands for names and figures, or
 * NULL. */
static void add_pile(const struct draft *d, struct layout *l, int seat, const struct str *names,
                     int side_by_side)
{
    enum { COLUMNS = 36 }; /* of what is near, in a whole row */
    const struct scene *s = draft_scene(d);
    layout_row(l, LAYOUT_PILE);
    for (cardset rest = s->at[seat].pile; rest; rest = set_rest(rest)) {
        struct layout_card *c = layout_card(l, set_first(rest));
        if (c)
            c->marked = (s->moved & CARD(c->card)) != 0;
    }
    layout_text(l, names ? names[seat] : pile_name(d, seat));
    struct str near = names ? STR("") : part_near_list(d, seat, COLUMNS / side_by_side);
    if (near.n > 0)
        layout_text(l, draft_unmarked(d, near));
}

static void add_others(const struct draft *d, struct layout *l, const struct str *names,
                       int nearest)
{
    const struct scene *s = draft_scene(d);
    for (int i = 0; i < s->players; i++)
        if (i != nearest)
            add_pile(d, l, i, names, s->players - 1);
}

static void set_number(struct layout_card *c, int number)
{
    if (c->n_numbers < LAYOUT_NUMBERS)
        c->number[c->n_numbers++] = (uint8_t)number;
}

/* The card whose captures are asked for: the drawn one, or one of the hand. CARD_NONE: none. */
static int asked_card(const struct draft *d)
{
    const struct scene *s = draft_scene(d);
    return d->page == NOTICE_TARGETS           ? d->notice->card
           : s->mine && s->phase == PHASE_DRAW ? s->drawn.card
                                               : CARD_NONE;
}

/* Returns true if a card of the field has the number of a hand card. */
static bool add_field(const struct draft *d, struct layout *l)
{
    const struct scene *s = draft_scene(d);
    bool chooses = s->mine && s->phase == PHASE_DRAW, numbered = false;
    int asked = asked_card(d);
    if (s->field || chooses)
        layout_row(l, LAYOUT_FIELD);
    for (cardset rest = s->field; rest; rest = set_rest(rest)) {
        struct layout_card *c = layout_card(l, set_first(rest));
        if (c)
            c->marked = (s->moved & CARD(c->card)) != 0;
        for (int i = 0, n = 1; c && asked != CARD_NONE && i < s->n_moves; i++)
            if (s->move[i].move.card == asked) {
                if (s->move[i].move.take & CARD(c->card))
                    set_number(c, n);
                n++;
            }
        for (int i = 0; c && s->mine && asked == CARD_NONE && i < s->n_hand; i++)
            if (s->hand[i].reach & CARD(c->card)) {
                set_number(c, i + 1);
                numbered = true;
            }
    }
    if (chooses) {
        layout_row(l, LAYOUT_DRAWN);
        layout_cards(l, CARD(s->drawn.card));
    }
    return numbered;
}

void part_layout_table(const struct draft *d, struct layout *l, const struct str *names,
                       struct str legend)
{
    const struct scene *s = draft_scene(d);
    bool any = !names;
    int nearest = s->seat >= 0 ? s->seat : s->players - 1;
    for (int i = 0; i < s->players; i++)
        any |= s->at[i].pile != 0;
    if (!names)
        add_head(d, l);
    if (any)
        add_others(d, l, names, nearest);
    bool numbered = add_field(d, l);
    if (any)
        add_pile(d, l, nearest, names, 1);
    if (numbered && legend.n > 0) {
        layout_row(l, LAYOUT_LEGEND);
        layout_text(l, legend);
    }
    if (s->n_hand > 0)
        layout_row(l, LAYOUT_HAND);
    for (int i = 0; i < s->n_hand; i++) {
        struct layout_card *c = layout_card(l, s->hand[i].card);
        if (!c || asked_card(d) != CARD_NONE || !s->dealt)
            continue;
        set_number(c, i + 1);
        c->marked = s->hand[i].reach != 0;
    }
}

bool part_has_cards(const struct draft *d)
{
    const struct view *v = &d->table->view;
    cardset all = v->field | v->hand;
    for (int i = 0; i < v->players; i++)
        all |= v->taken[i];
    return all != 0;
}

void part_picture_hand(struct draft *d)
{
    const struct view *v = &d->table->view;
    struct layout l;
    if (!draft_can(d, CAN_PICTURE) || !part_has_cards(d))
        return;
    bool first = v->round_no == 1 && !v->played[v->seat]; /* once is enough */
    layout_open(&l, v->rules.deck);
    part_layout_table(d, &l, NULL, first ? TX(d, T_PICTURE_LEGEND) : STR(""));
    draft_picture(d, &l);
}

void part_picture_board(struct draft *d)
{
    struct layout l;
    if (!draft_can(d, CAN_PICTURE) || !d->at->board_picture || !part_has_cards(d))
        return;
    layout_open(&l, d->table->view.rules.deck);
    if (!part_splash(d, &l))
        part_layout_table(d, &l, NULL, STR(""));
    draft_picture(d, &l);
}
