/* The board: the public view of a running match. Where a player has only popups, its buttons are
 * their moves too. */
#include "page.h"
#include "part.h"

#include "choice.h"

/* ---- moves as buttons of the board ---- */

static void put_choice_buttons(struct draft *d, const struct view *v)
{
    cardset takes[N_CARDS];
    int n = choice_takes(&v->rules, v->field, v->drawn, true, takes);
    for (int i = 0; i < n; i++)
        draft_button(d, takes[i] ? draft_label(d, set_first(takes[i])) : TX(d, T_BUTTON_LAY),
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
static void put_letter_buttons(struct draft *d, const struct view *v)
{
    int n = most_targets(v);
    draft_row(d);
    for (int i = 1; n > 1 && i <= n && i <= DRAFT_LETTERS; i++)
        draft_button(d, draft_letter(d, i), VERB_PLAY, INDEX_TARGET + i, BUTTON_PLAIN);
}

/* The question before the player to move, as far as it is public. */
static void put_open_question(struct draft *d, const struct view *v)
{
    struct score score;
    if (v->phase == PHASE_DRAW)
        SAY(d, T_OPEN_DREW, draft_name(d, v->turn), draft_card(d, v->drawn));
    if (v->phase != PHASE_DECIDE)
        return;
    score_pile(draft_ruleset(d), v->taken[v->turn], v->koikoi[v->turn] > 0, &score);
    SAY(d, T_OPEN_DECIDE, draft_name(d, v->turn), draft_yaku(d, score.worth));
}

/* Hand cards by their numbers, which reveal nothing; a drawn card and a yaku are public. */
static void put_open_moves(struct draft *d)
{
    const struct view *v = &d->table->view;
    if (draft_can(d, CAN_DIRECT))
        draft_press(d, T_BUTTON_OPEN, VERB_START, 0, BUTTON_LINK);
    draft_row(d);
    if (v->stage == MATCH_PLAYING)
        put_open_question(d, v);
    if (v->stage != MATCH_PLAYING)
        return;
    if (v->phase == PHASE_HAND) {
        for (int i = 1; i <= v->hand_size[v->turn]; i++)
            draft_button(d, draft_int(d, i), VERB_PLAY, i, BUTTON_PLAIN);
        put_letter_buttons(d, v);
    } else if (v->phase == PHASE_DRAW) {
        put_choice_buttons(d, v);
    } else if (v->phase == PHASE_DECIDE) {
        draft_button(d, d->words->word[WORD_STOP], VERB_STOP, 0, BUTTON_TAKE);
        draft_button(d, TX(d, T_BUTTON_KOIKOI, d->words->word[WORD_KOIKOI]), VERB_KOIKOI, 0,
                     BUTTON_DANGER);
    }
    draft_row(d);
}

/* ---- the board ---- */

void page_board(struct draft *d)
{
    const struct view *v = &d->table->view;
    part_picture_board(d);
    part_head(d);
    part_events(d);
    part_field(d);
    part_captures(d);
    if (v->stage == MATCH_PLAYING && d->table->phase == SESSION_PLAYING)
        SAY(d, T_BOARD_FOOT, part_turn(d), draft_int(d, v->stock_size));
    else
        draft_line(d, part_turn(d));
    if (d->table->phase != SESSION_PLAYING)
        return;
    part_times(d);
    if (d->notice->kind == NOTICE_PING && d->notice->notify)
        part_ping(d, d->notice->seat);
    draft_press(d, T_BUTTON_HAND, VERB_HAND, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_YAKU, VERB_YAKU, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_SCORE, VERB_SCORE, 0, BUTTON_PLAIN);
    if (draft_can(d, CAN_QUERY))
        draft_press(d, T_BUTTON_QUERY, VERB_NONE, 0, BUTTON_QUERY);
    if (part_moves_in_open(d))
        put_open_moves(d);
}
