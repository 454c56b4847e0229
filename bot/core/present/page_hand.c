/* A hand: one player's cards with what each can do, and the question what a card takes. */
#include "page.h"
#include "part.h"

#include "choice.h"

/* A button of a numbered list, labelled with its number. One that makes a yaku names it, and gets a
 * row of its own. */
static void put_list_button(struct draft *d, int number, struct str label, struct str yaku,
                            enum verb v, int index, enum button_style style)
{
    if (!draft_can(d, CAN_NUMBER))
        label = TX(d, T_BUTTON_NUMBERED, draft_int(d, number), label);
    if (yaku.n > 0) {
        draft_row(d);
        draft_add(d, &label, T_ARROW, yaku);
    }
    draft_button(d, label, v, index, style);
    if (yaku.n > 0)
        draft_row(d);
}

/* A line of a numbered list and its button; in a poll the line is the answer. */
static void put_list_option(struct draft *d, int number, struct str mark, struct part_move o,
                            struct str label, int index)
{
    struct str line = TX(d, T_CHOICE_LINE, mark, o.line);
    if (d->poll) {
        draft_button(d, line, VERB_MOVE, index, o.style);
        return;
    }
    draft_line(d, line);
    put_list_button(d, number, label, o.yaku, VERB_MOVE, index, o.style);
}

/* What a card of the hand can do: "takes A", "takes A or B", "takes any one of the 8 cards". */
static struct str card_use(const struct draft *d, int card)
{
    enum { MOST_NAMED = 3 };
    const struct view *v = &d->table->view;
    cardset takes[N_CARDS];
    struct str list = {0};
    int n = choice_takes(&v->rules, v->field, card, false, takes), taking = 0;
    for (int i = 0; i < n; i++)
        taking += takes[i] != 0;
    if (taking > MOST_NAMED)
        return TX(d, T_TAKES_ANY, draft_int(d, taking));
    for (int i = 0; i < n; i++) {
        struct move m = {MOVE_PLAY, (uint8_t)card, takes[i]};
        if (takes[i])
            draft_add(d, &list, T_OR, part_capture(d, &m));
    }
    if (list.n > 0)
        list = TX(d, T_TAKES, list);
    return taking < n ? draft_join(d, list, TX(d, T_OR), TX(d, T_LAYS_DOWN)) : list;
}

/* A card of the hand, with its number and what it can do. */
static struct str card_line(const struct draft *d, int number, int card)
{
    return TX(d, T_HAND_LINE, draft_int(d, number), draft_card_alone(d, card), card_use(d, card));
}

static void put_cards_held(struct draft *d)
{
    const struct view *v = &d->table->view;
    if (v->hand)
        SAY(d, T_CARDS_HELD, draft_cards(d, v->hand));
}

/* The numbered hand. A poll lists its answers itself, so there the hand is left out, or is one line
 * if the answers are something else; so it is beside another numbered list. */
static void put_hand(struct draft *d, bool answers)
{
    const struct view *v = &d->table->view;
    int number = 0;
    bool other_list = v->phase == PHASE_DECIDE && !draft_can(d, CAN_BUTTONS),
         unnumbered = (d->poll || other_list) && v->turn == v->seat;
    if (unnumbered && !answers)
        put_cards_held(d);
    if (unnumbered || !v->hand)
        return;
    SAY(d, T_YOUR_CARDS);
    for (cardset rest = v->hand; rest; rest = set_rest(rest))
        draft_line(d, card_line(d, ++number, set_first(rest)));
}

/* One button a card, in the order of the list. A card with several captures opens the question
 * which (present_targets). */
static void put_card_buttons(struct draft *d)
{
    const struct view *v = &d->table->view;
    int number = 0;
    for (cardset rest = v->hand; rest; rest = set_rest(rest)) {
        int card = set_first(rest), plays = 0, at = 0;
        enum button_style style = BUTTON_PLAIN;
        struct str yaku = {0}, label = draft_label(d, card);
        number++;
        for (int i = 0; i < v->n_legal; i++) {
            if (v->legal[i].kind != MOVE_PLAY || v->legal[i].card != card ||
                choice_repeats(v->legal, i))
                continue;
            struct part_move o = part_move_of(d, &v->legal[i]);
            style = o.style > style ? o.style : style;
            yaku = o.yaku;
            at = plays++ ? at : i;
        }
        if (d->poll && plays > 0)
            draft_button(d, card_line(d, number, card), plays == 1 ? VERB_MOVE : VERB_PLAY,
                         plays == 1 ? at : number, style);
        else if (plays == 1)
            put_list_button(d, number, label, yaku, VERB_MOVE, at, style);
        else if (plays > 1)
            put_list_button(d, number, TX(d, T_BUTTON_MORE, label), (struct str){0}, VERB_PLAY,
                            number, style);
    }
    draft_row(d);
}

/* True if the owner can tap a card of this hand while another player thinks. An old button leads
 * nowhere, so the network must be able to take it away; a poll would be a message of its own. */
static bool can_choose_ahead(const struct draft *d)
{
    const struct view *v = &d->table->view;
    return v->turn != v->seat && v->hand && !d->poll && draft_can(d, CAN_BUTTONS) &&
           draft_can(d, CAN_EDIT);
}

/* Cards to keep for the owner's turn, one button for each capture; the one that takes the kept card
 * back is in a row of its own. */
static void put_ahead_buttons(struct draft *d)
{
    enum { MOST_CAPTURES = 3 };
    const struct view *v = &d->table->view;
    int number = 0, kept = d->table->ahead - 1;
    for (cardset rest = v->hand; rest; rest = set_rest(rest)) {
        int card = set_first(rest), at = INDEX_AHEAD + N_CARDS * card;
        cardset takes[N_CARDS];
        int n = choice_takes(&v->rules, v->field, card, false, takes);
        struct str label = TX(d, T_BUTTON_NUMBERED, draft_int(d, ++number), draft_label(d, card));
        for (int i = 0; card != kept && n <= MOST_CAPTURES && i < n; i++) {
            struct str take = takes[i] ? draft_label(d, set_first(takes[i])) : TX(d, T_BUTTON_LAY);
            draft_button(d, n == 1 ? label : draft_join(d, label, TX(d, T_ARROW), take), VERB_PLAY,
                         at + i, BUTTON_PLAIN);
        }
    }
    draft_row(d);
    if (kept >= 0)
        draft_button(d, TX(d, T_BUTTON_AHEAD_BACK, draft_label(d, kept)), VERB_PLAY,
                     set_count(v->hand & (CARD(kept) - 1)) + 1, BUTTON_PLAIN);
    draft_row(d);
}

static void put_choices(struct draft *d)
{
    const struct view *v = &d->table->view;
    SAY(d, T_YOU_DREW, draft_card(d, v->drawn));
    for (int i = 0, number = 0; i < v->n_legal; i++) {
        if (choice_repeats(v->legal, i))
            continue;
        struct part_move o = part_move_of(d, &v->legal[i]);
        number++;
        put_list_option(d, number, draft_int(d, number), o,
                        draft_label(d, set_first(v->legal[i].take)), i);
    }
    draft_row(d);
    if (!draft_can(d, CAN_BUTTONS))
        SAY(d, T_HOW_CHOOSE, draft_command(d, VERB_PLAY));
}

static void put_declare_and_redeal(struct draft *d)
{
    const struct view *v = &d->table->view;
    for (int i = 0; i < v->n_legal; i++) {
        if (v->legal[i].kind == MOVE_DECLARE) {
            enum hand_yaku h = hand_yaku_of(draft_ruleset(d), v->hand);
            SAY(d, T_MAY_DECLARE, d->words->hand_yaku[h], draft_coins(d, v->rules.hand_yaku[h]),
                draft_command(d, VERB_DECLARE));
            draft_button(d, part_declare(d), VERB_MOVE, i, BUTTON_YAKU);
            draft_row(d);
        } else if (v->legal[i].kind == MOVE_REDEAL) {
            SAY(d, T_MAY_REDEAL, draft_command(d, VERB_REDEAL));
            draft_press(d, T_BUTTON_REDEAL, VERB_REDEAL, 0, BUTTON_PLAIN);
            draft_row(d);
        }
    }
}

static struct str opponent_names(const struct draft *d, int seat)
{
    struct str list = {0};
    for (int i = 0; i < d->table->players; i++)
        if (i != seat)
            draft_add(d, &list, T_AND, draft_name(d, i));
    return list;
}

static void put_hand_line(struct draft *d, bool codes)
{
    const struct view *v = &d->table->view;
    bool now = v->turn == v->seat && v->phase == PHASE_HAND;
    struct str list = {0}, no = draft_int(d, d->table->no);
    int number = 0;
    for (cardset rest = v->hand; rest; rest = set_rest(rest)) {
        char code[CARD_CODE_SIZE];
        (void)card_code(set_first(rest), code);
        struct str card = codes ? arena_str(d->a, str_of(code)) : draft_label(d, set_first(rest));
        list =
            draft_join(d, list, STR(", "), TX(d, T_HAND_SHORT_CARD, draft_int(d, ++number), card));
    }
    draft_line(d, !v->hand ? TX(d, T_HAND_SHORT_NONE, no)
                           : TX(d, now ? T_HAND_SHORT_TAP : T_HAND_SHORT, no, list));
}

/* A hand for a popup: numbers and names or, if those are too long, numbers and codes. Never a hand
 * with cards missing. In phase decide, the decision instead. */
void page_hand_short(struct draft *d)
{
    int most = d->network->limits.popup_chars;
    const struct view *v = &d->table->view;
    if (v->turn == v->seat && v->phase == PHASE_DECIDE) { /* the board has its buttons */
        page_decide_short(d);
        return;
    }
    put_hand_line(d, false);
    if (most > 0 && text_units(buf_str(&d->text), d->network->limits.counts_utf16) > most) {
        d->text.n = 0;
        put_hand_line(d, true);
    }
}

/* True if the owner sees a new board just above: the hand does not repeat it. */
static bool stands_beside_board(const struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct table *t = d->table;
    return !draft_can(d, CAN_EDIT) && !d->at->direct &&
           t->player[notice->seat].channel == CHANNEL_WHISPER && notice->n == 0 &&
           t->view.stage == MATCH_PLAYING && t->view.turn == notice->seat &&
           t->view.phase == PHASE_HAND;
}

/* The hint that was given, or the button that asks for one (matches against the computer). */
static void put_hint(struct draft *d)
{
    const struct view *v = &d->table->view;
    page_hint(d);
    if (d->table->computer && d->table->hint.n == 0 && v->turn == v->seat && v->n_legal > 1)
        draft_press(d, T_BUTTON_HINT, VERB_HINT, 0, BUTTON_PLAIN);
}

static void put_head(struct draft *d)
{
    const struct table *t = d->table;
    if (d->at->direct)
        part_head(d);
    else
        SAY(d, T_HAND_HEAD, draft_rounds(d), opponent_names(d, d->notice->seat),
            d->at->chat_name.n ? d->at->chat_name : TX(d, T_THE_GROUP), draft_int(d, t->no));
}

/* "Which does it take?": the captures of one card. */
void page_targets(struct draft *d)
{
    const struct view *v = &d->table->view;
    int number = 0;
    bool by_letter = part_asks_by_popup(d), in_hand = d->notice->audience == TO_SEAT;
    if (in_hand) {
        part_picture_hand(d);
        put_head(d);
        part_field(d);
    } else if (d->table->many) {
        draft_line(d, draft_names(d));
    }
    SAY(d, T_WHICH_TARGET, draft_card(d, d->notice->card));
    for (int i = 0; i < v->n_legal; i++) {
        const struct move *m = &v->legal[i];
        if ((m->kind != MOVE_PLAY && m->kind != MOVE_CHOOSE) || m->card != d->notice->card ||
            choice_repeats(v->legal, i))
            continue;
        struct part_move o = part_move_of(d, m);
        number++;
        put_list_option(d, number, by_letter ? draft_letter(d, number) : draft_int(d, number), o,
                        m->take ? draft_label(d, set_first(m->take)) : TX(d, T_BUTTON_LAY), i);
    }
    if (by_letter)
        SAY(d, T_TARGETS_INLINE);
    if (!draft_can(d, CAN_BUTTONS))
        SAY(d, T_HOW_TARGET, draft_command(d, VERB_PLAY));
    if (!in_hand)
        return;
    draft_row(d);
    draft_press(d, T_BUTTON_ANOTHER, VERB_PLAY, INDEX_ANOTHER, BUTTON_PLAIN);
    put_cards_held(d);
    part_captures(d);
}

void page_hand(struct draft *d)
{
    const struct table *t = d->table;
    const struct view *v = &t->view;
    bool beside_board = stands_beside_board(d);
    if (!d->poll || v->stage == MATCH_PLAYING)
        part_picture_hand(d);
    put_head(d);
    if (!beside_board) {
        part_events(d);
        part_field(d);
    }
    if (v->stage != MATCH_PLAYING) {
        if (d->at->direct)
            part_captures(d);
        draft_line(d, part_turn(d));
        return;
    }
    bool mine = v->turn == v->seat;
    if (mine && v->phase == PHASE_DRAW) { /* one numbered list only: the captures */
        put_choices(d);
        put_cards_held(d);
        part_captures(d);
        page_tips(d);
        put_hint(d);
        return;
    }
    if (mine && v->phase == PHASE_DECIDE)
        page_decide(d);
    if (t->lost)
        SAY(d, t->taken_back ? T_AHEAD_DROPPED : T_AHEAD_LOST, draft_card(d, t->lost - 1));
    if (!mine && t->ahead)
        SAY(d, T_AHEAD_HAND, draft_card(d, t->ahead - 1));
    put_hand(d, v->phase == PHASE_HAND);
    if (mine && v->phase == PHASE_HAND)
        put_card_buttons(d);
    if (!beside_board)
        part_captures(d);
    put_declare_and_redeal(d);
    page_tips(d);
    put_hint(d);
    if (!mine)
        draft_line(d, part_turn(d));
    if (!mine && !beside_board)
        part_times(d);
    if (!mine && can_choose_ahead(d)) {
        if (!t->ahead && v->round_no == 1) /* once is enough */
            SAY(d, T_AHEAD_OFFER);
        put_ahead_buttons(d);
    }
    if (!mine)
        return;
    if (v->phase == PHASE_HAND)
        draft_line(d, draft_can(d, CAN_BUTTONS) ? TX(d, T_YOUR_MOVE)
                                                : TX(d, T_HOW_PLAY, draft_command(d, VERB_PLAY)));
    if (!beside_board)
        part_times(d);
}
