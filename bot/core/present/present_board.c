/* The board: the public view of a running match. Where a player has only popups, its buttons are
 * their moves too. */
#include "present_bodies.h"

#include "choice.h"

/* ---- moves as buttons of the board ---- */

static void put_choice_buttons(struct body *body, const struct view *v)
{
    cardset takes[N_CARDS];
    int n = choice_takes(&v->rules, v->field, v->drawn, true, takes);
    for (int i = 0; i < n; i++)
        body_button(body,
                    takes[i] ? body_label(body, set_first(takes[i])) : TX0(body, T_BUTTON_LAY),
                    VERB_PLAY, i + 1, BUTTON_TAKE);
}

/* The most choices that one hand card can have, from public knowledge: an open card is in no
 * hand. */
static int most_targets(const struct view *v)
{
    cardset open = v->field, takes[N_CARDS];
    int most = 0;
    for (int i = 0; i < v->players; i++)
        open |= v->taken[i];
    for (int card = 0; card < N_CARDS; card++) {
        int n = open & CARD(card) ? 0 : choice_takes(&v->rules, v->field, card, false, takes);
        most = n > most ? n : most;
    }
    return most;
}

/* Lettered buttons: the answers to "what does it take?". They do not depend on the hands, so they
 * reveal nothing. */
static void put_letter_buttons(struct body *body, const struct view *v)
{
    int n = most_targets(v);
    body_row(body);
    for (int i = 1; n > 1 && i <= n && i <= BODY_LETTERS; i++)
        body_button(body, body_letter(body, i), VERB_PLAY, INDEX_TARGET + i, BUTTON_PLAIN);
}

/* The question before the player to move, as far as it is public. */
static void put_open_question(struct body *body, const struct view *v)
{
    struct score score;
    if (v->phase == PHASE_DRAW)
        body_line(body, TX(body, T_OPEN_DREW, body_name(body, v->turn), body_card(body, v->drawn)));
    if (v->phase != PHASE_DECIDE)
        return;
    score_pile(body_ruleset(body), v->taken[v->turn], v->koikoi[v->turn] > 0, &score);
    body_line(body, TX(body, T_OPEN_DECIDE, body_name(body, v->turn), body_yaku(body, &score)));
}

/* Hand cards by their numbers, which reveal nothing; a drawn card and a yaku are public. */
static void put_open_moves(struct body *body)
{
    const struct view *v = &body->table->view;
    if (body_can(body, CAN_DIRECT))
        body_button(body, TX0(body, T_BUTTON_OPEN), VERB_START, 0, BUTTON_LINK);
    body_row(body);
    if (v->stage == MATCH_PLAYING)
        put_open_question(body, v);
    if (v->stage != MATCH_PLAYING)
        return;
    if (v->phase == PHASE_HAND) {
        for (int i = 1; i <= v->hand_size[v->turn]; i++)
            body_button(body, body_int(body, i), VERB_PLAY, i, BUTTON_PLAIN);
        put_letter_buttons(body, v);
    } else if (v->phase == PHASE_DRAW) {
        put_choice_buttons(body, v);
    } else if (v->phase == PHASE_DECIDE) {
        body_button(body, body->words->word[WORD_STOP], VERB_STOP, 0, BUTTON_TAKE);
        body_button(body, TX(body, T_BUTTON_KOIKOI, body->words->word[WORD_KOIKOI]), VERB_KOIKOI, 0,
                    BUTTON_DANGER);
    }
    body_row(body);
}

/* ---- the board ---- */

void present_board(struct body *body)
{
    const struct view *v = &body->table->view;
    part_picture_board(body);
    part_head(body);
    part_events(body);
    part_field(body);
    part_captures(body);
    if (v->stage == MATCH_PLAYING && body->table->phase == SESSION_PLAYING)
        body_line(body, TX(body, T_BOARD_FOOT, part_turn(body), body_int(body, v->stock_size)));
    else
        body_line(body, part_turn(body));
    if (body->table->phase != SESSION_PLAYING)
        return;
    part_times(body);
    if (body->notice->kind == NOTICE_BOARD && body->notice->notify)
        part_ping(body, body->notice->seat);
    body_button(body, TX0(body, T_BUTTON_HAND), VERB_HAND, 0, BUTTON_PLAIN);
    body_button(body, TX0(body, T_BUTTON_YAKU), VERB_YAKU, 0, BUTTON_PLAIN);
    body_button(body, TX0(body, T_BUTTON_SCORE), VERB_SCORE, 0, BUTTON_PLAIN);
    if (body_can(body, CAN_QUERY))
        body_button(body, TX0(body, T_BUTTON_QUERY), VERB_NONE, 0, BUTTON_QUERY);
    if (part_moves_in_open(body))
        put_open_moves(body);
}
