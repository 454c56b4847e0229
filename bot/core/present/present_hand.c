/* A hand: one player's cards with what each can do, and the question what a card takes. */
#include "present_bodies.h"

#include "choice.h"

/* A button of a numbered list, labelled with its number. One that makes a yaku names it, and gets a
 * row of its own. */
static void put_list_button(struct body *body, int number, struct str label, struct str yaku,
                            enum verb v, int index, enum button_style style)
{
    if (!body_can(body, CAN_NUMBER))
        label = TX(body, T_BUTTON_NUMBERED, body_int(body, number), label);
    if (yaku.n > 0) {
        body_row(body);
        label = body_join(body, label, TX0(body, T_ARROW), yaku);
    }
    body_button(body, label, v, index, style);
    if (yaku.n > 0)
        body_row(body);
}

/* A line of a numbered list and its button; in a poll the line is the answer. */
static void put_list_option(struct body *body, int number, struct str mark, struct part_move o,
                            struct str label, int index)
{
    struct str line = TX(body, T_CHOICE_LINE, mark, o.line);
    if (body->poll) {
        body_button(body, line, VERB_MOVE, index, o.style);
        return;
    }
    body_line(body, line);
    put_list_button(body, number, label, o.yaku, VERB_MOVE, index, o.style);
}

/* What a card of the hand can do: "takes A", "takes A or B", "takes any one of the 8 cards". */
static struct str card_use(const struct body *body, int card)
{
    enum { MOST_NAMED = 3 };
    const struct view *v = &body->table->view;
    cardset takes[N_CARDS];
    struct str list = {0};
    int n = choice_takes(&v->rules, v->field, card, false, takes), taking = 0;
    for (int i = 0; i < n; i++)
        taking += takes[i] != 0;
    if (taking > MOST_NAMED)
        return TX(body, T_TAKES_ANY, body_int(body, taking));
    for (int i = 0; i < n; i++) {
        struct move m = {MOVE_PLAY, (uint8_t)card, takes[i]};
        if (takes[i])
            list = body_join(body, list, TX0(body, T_OR), part_capture(body, &m));
    }
    if (list.n > 0)
        list = TX(body, T_TAKES, list);
    return taking < n ? body_join(body, list, TX0(body, T_OR), TX0(body, T_LAYS_DOWN)) : list;
}

/* A card of the hand, with its number and what it can do. */
static struct str card_line(const struct body *body, int number, int card)
{
    return TX(body, T_HAND_LINE, body_int(body, number), body_card_alone(body, card),
              card_use(body, card));
}

static void put_cards_held(struct body *body)
{
    const struct view *v = &body->table->view;
    if (v->hand)
        body_line(body, TX(body, T_CARDS_HELD, body_cards(body, v->hand)));
}

/* The numbered hand. A poll lists its answers itself, so there the hand is left out, or is one line
 * if the answers are something else; so it is beside another numbered list. */
static void put_hand(struct body *body, bool answers)
{
    const struct view *v = &body->table->view;
    int number = 0;
    bool other_list = v->phase == PHASE_DECIDE && !body_can(body, CAN_BUTTONS),
         unnumbered = (body->poll || other_list) && v->turn == v->seat;
    if (unnumbered && !answers)
        put_cards_held(body);
    if (unnumbered || !v->hand)
        return;
    body_line(body, TX0(body, T_YOUR_CARDS));
    for (cardset rest = v->hand; rest; rest = set_rest(rest))
        body_line(body, card_line(body, ++number, set_first(rest)));
}

/* One button a card, in the order of the list. A card with several captures opens the question
 * which (present_targets). */
static void put_card_buttons(struct body *body)
{
    const struct view *v = &body->table->view;
    int number = 0;
    for (cardset rest = v->hand; rest; rest = set_rest(rest)) {
        int card = set_first(rest), plays = 0, at = 0;
        enum button_style style = BUTTON_PLAIN;
        struct str yaku = {0}, label = body_label(body, card);
        number++;
        for (int i = 0; i < v->n_legal; i++) {
            if (v->legal[i].kind != MOVE_PLAY || v->legal[i].card != card ||
                choice_repeats(v->legal, i))
                continue;
            struct part_move o = part_move_of(body, &v->legal[i]);
            style = o.style > style ? o.style : style;
            yaku = o.yaku;
            at = plays++ ? at : i;
        }
        if (body->poll && plays > 0)
            body_button(body, card_line(body, number, card), plays == 1 ? VERB_MOVE : VERB_PLAY,
                        plays == 1 ? at : number, style);
        else if (plays == 1)
            put_list_button(body, number, label, yaku, VERB_MOVE, at, style);
        else if (plays > 1)
            put_list_button(body, number, TX(body, T_BUTTON_MORE, label), (struct str){0},
                            VERB_PLAY, number, style);
    }
    body_row(body);
}

/* True if the owner can tap a card of this hand while another player thinks. An old button leads
 * nowhere, so the network must be able to take it away; a poll would be a message of its own. */
static bool can_choose_ahead(const struct body *body)
{
    const struct view *v = &body->table->view;
    return v->turn != v->seat && v->hand && !body->poll && body_can(body, CAN_BUTTONS) &&
           body_can(body, CAN_EDIT);
}

/* Cards to keep for the owner's turn, one button for each capture; the one that takes the kept card
 * back is in a row of its own. */
static void put_ahead_buttons(struct body *body)
{
    enum { MOST_CAPTURES = 3 };
    const struct view *v = &body->table->view;
    int number = 0, kept = body->table->ahead - 1;
    for (cardset rest = v->hand; rest; rest = set_rest(rest)) {
        int card = set_first(rest), at = INDEX_AHEAD + N_CARDS * card;
        cardset takes[N_CARDS];
        int n = choice_takes(&v->rules, v->field, card, false, takes);
        struct str label =
            TX(body, T_BUTTON_NUMBERED, body_int(body, ++number), body_label(body, card));
        for (int i = 0; card != kept && n <= MOST_CAPTURES && i < n; i++) {
            struct str take =
                takes[i] ? body_label(body, set_first(takes[i])) : TX0(body, T_BUTTON_LAY);
            body_button(body, n == 1 ? label : body_join(body, label, TX0(body, T_ARROW), take),
                        VERB_PLAY, at + i, BUTTON_PLAIN);
        }
    }
    body_row(body);
    if (kept >= 0)
        body_button(body, TX(body, T_BUTTON_AHEAD_BACK, body_label(body, kept)), VERB_PLAY,
                    set_count(v->hand & (CARD(kept) - 1)) + 1, BUTTON_PLAIN);
    body_row(body);
}

static void put_choices(struct body *body)
{
    const struct view *v = &body->table->view;
    body_line(body, TX(body, T_YOU_DREW, body_card(body, v->drawn)));
    for (int i = 0, number = 0; i < v->n_legal; i++) {
        if (choice_repeats(v->legal, i))
            continue;
        struct part_move o = part_move_of(body, &v->legal[i]);
        number++;
        put_list_option(body, number, body_int(body, number), o,
                        body_label(body, set_first(v->legal[i].take)), i);
    }
    body_row(body);
    if (!body_can(body, CAN_BUTTONS))
        body_line(body, TX(body, T_HOW_CHOOSE, body_command(body, VERB_PLAY)));
}

static void put_declare_and_redeal(struct body *body)
{
    const struct view *v = &body->table->view;
    for (int i = 0; i < v->n_legal; i++) {
        if (v->legal[i].kind == MOVE_DECLARE) {
            enum hand_yaku h = hand_yaku_of(body_ruleset(body), v->hand);
            body_line(body, TX(body, T_MAY_DECLARE, body->words->hand_yaku[h],
                               body_coins(body, v->rules.hand_yaku[h]),
                               body_command(body, VERB_DECLARE)));
            body_button(body, part_declare(body), VERB_MOVE, i, BUTTON_YAKU);
            body_row(body);
        } else if (v->legal[i].kind == MOVE_REDEAL) {
            body_line(body, TX(body, T_MAY_REDEAL, body_command(body, VERB_REDEAL)));
            body_button(body, TX0(body, T_BUTTON_REDEAL), VERB_REDEAL, 0, BUTTON_PLAIN);
            body_row(body);
        }
    }
}

static struct str opponent_names(const struct body *body, int seat)
{
    struct str list = {0};
    for (int i = 0; i < body->table->players; i++)
        if (i != seat)
            list = body_join(body, list, TX0(body, T_AND), body_name(body, i));
    return list;
}

static void put_hand_line(struct body *body, bool codes)
{
    const struct view *v = &body->table->view;
    bool now = v->turn == v->seat && v->phase == PHASE_HAND;
    struct str list = {0}, no = body_int(body, body->table->no);
    int number = 0;
    for (cardset rest = v->hand; rest; rest = set_rest(rest)) {
        char code[CARD_CODE_SIZE];
        (void)card_code(set_first(rest), code);
        struct str card =
            codes ? arena_str(body->a, str_of(code)) : body_label(body, set_first(rest));
        list = body_join(body, list, STR(", "),
                         TX(body, T_HAND_SHORT_CARD, body_int(body, ++number), card));
    }
    body_line(body, !v->hand ? TX(body, T_HAND_SHORT_NONE, no)
                             : TX(body, now ? T_HAND_SHORT_TAP : T_HAND_SHORT, no, list));
}

/* A hand for a popup: numbers and names or, if those are too long, numbers and codes. Never a hand
 * with cards missing. In phase decide, the decision instead. */
void present_hand_short(struct body *body)
{
    int most = body->network->limits.popup_chars;
    const struct view *v = &body->table->view;
    if (v->turn == v->seat && v->phase == PHASE_DECIDE) { /* the board has its buttons */
        present_decide_short(body);
        return;
    }
    put_hand_line(body, false);
    if (most > 0 && text_units(buf_str(&body->text), body->network->limits.counts_utf16) > most) {
        body->text.n = 0;
        put_hand_line(body, true);
    }
}

/* True if the owner sees a new board just above: the hand does not repeat it. */
static bool stands_beside_board(const struct body *body)
{
    const struct notice *notice = body->notice;
    const struct table *t = body->table;
    return !body_can(body, CAN_EDIT) && !t->at.direct &&
           t->player[notice->seat].channel == CHANNEL_WHISPER && notice->n == 0 &&
           t->view.stage == MATCH_PLAYING && t->view.turn == notice->seat &&
           t->view.phase == PHASE_HAND;
}

/* The hint that was given, or the button that asks for one (matches against the computer). */
static void put_hint(struct body *body)
{
    const struct view *v = &body->table->view;
    present_hint(body);
    if (body->table->computer && body->table->hint.n == 0 && v->turn == v->seat && v->n_legal > 1)
        body_button(body, TX0(body, T_BUTTON_HINT), VERB_HINT, 0, BUTTON_PLAIN);
}

static void put_head(struct body *body)
{
    const struct table *t = body->table;
    if (t->at.direct)
        part_head(body);
    else
        body_line(body,
                  TX(body, T_HAND_HEAD, body_rounds(body), opponent_names(body, body->notice->seat),
                     t->at.chat_name.n ? t->at.chat_name : TX0(body, T_THE_GROUP),
                     body_int(body, t->no)));
}

/* "Which does it take?": the captures of one card. */
void present_targets(struct body *body)
{
    const struct view *v = &body->table->view;
    int number = 0;
    bool by_letter = part_asks_by_popup(body), in_hand = body->notice->audience == TO_SEAT;
    if (in_hand) {
        part_picture_hand(body);
        put_head(body);
        part_field(body);
    } else if (body->table->many) {
        body_line(body, body_names(body));
    }
    body_line(body, TX(body, T_WHICH_TARGET, body_card(body, body->notice->card)));
    for (int i = 0; i < v->n_legal; i++) {
        const struct move *m = &v->legal[i];
        if ((m->kind != MOVE_PLAY && m->kind != MOVE_CHOOSE) || m->card != body->notice->card ||
            choice_repeats(v->legal, i))
            continue;
        struct part_move o = part_move_of(body, m);
        number++;
        put_list_option(
            body, number, by_letter ? body_letter(body, number) : body_int(body, number), o,
            m->take ? body_label(body, set_first(m->take)) : TX0(body, T_BUTTON_LAY), i);
    }
    if (by_letter)
        body_line(body, TX0(body, T_TARGETS_INLINE));
    if (!body_can(body, CAN_BUTTONS))
        body_line(body, TX(body, T_HOW_TARGET, body_command(body, VERB_PLAY)));
    if (!in_hand)
        return;
    body_row(body);
    body_button(body, TX0(body, T_BUTTON_ANOTHER), VERB_PLAY, INDEX_ANOTHER, BUTTON_PLAIN);
    put_cards_held(body);
    part_captures(body);
}

void present_hand(struct body *body)
{
    const struct table *t = body->table;
    const struct view *v = &t->view;
    bool beside_board = stands_beside_board(body);
    if (!body->poll || v->stage == MATCH_PLAYING)
        part_picture_hand(body);
    put_head(body);
    if (!beside_board) {
        part_events(body);
        part_field(body);
    }
    if (v->stage != MATCH_PLAYING) {
        if (t->at.direct)
            part_captures(body);
        body_line(body, part_turn(body));
        return;
    }
    bool mine = v->turn == v->seat;
    if (mine && v->phase == PHASE_DRAW) { /* one numbered list only: the captures */
        put_choices(body);
        put_cards_held(body);
        part_captures(body);
        present_tips(body);
        put_hint(body);
        return;
    }
    if (mine && v->phase == PHASE_DECIDE)
        present_decide(body);
    if (t->lost)
        body_line(body, TX(body, t->taken_back ? T_AHEAD_DROPPED : T_AHEAD_LOST,
                           body_card(body, t->lost - 1)));
    if (!mine && t->ahead)
        body_line(body, TX(body, T_AHEAD_HAND, body_card(body, t->ahead - 1)));
    put_hand(body, v->phase == PHASE_HAND);
    if (mine && v->phase == PHASE_HAND)
        put_card_buttons(body);
    if (!beside_board)
        part_captures(body);
    put_declare_and_redeal(body);
    present_tips(body);
    put_hint(body);
    if (!mine)
        body_line(body, part_turn(body));
    if (!mine && !beside_board)
        part_times(body);
    if (!mine && can_choose_ahead(body)) {
        if (!t->ahead && v->round_no == 1) /* once is enough */
            body_line(body, TX0(body, T_AHEAD_OFFER));
        put_ahead_buttons(body);
    }
    if (!mine)
        return;
    if (v->phase == PHASE_HAND)
        body_line(body, body_can(body, CAN_BUTTONS)
                            ? TX0(body, T_YOUR_MOVE)
                            : TX(body, T_HOW_PLAY, body_command(body, VERB_PLAY)));
    if (!beside_board)
        part_times(body);
}
