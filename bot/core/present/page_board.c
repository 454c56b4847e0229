/* The board: the public view of a running match. Where a player has only popups, its buttons are
 * their moves too. */
#include "page.h"

#include "choice.h"

static void board_foot(struct draft *d)
{
    if (draft_scene(d)->dealt && d->table->phase == SESSION_PLAYING)
        SAY(d, T_BOARD_FOOT, part_turn(d), draft_int(d, draft_scene(d)->stock_size));
    else
        part_turn_line(d);
}

static void board_screen(struct draft *d)
{
    part_screen(d, NULL);
}

/* The board stands in for a ping. */
static void board_ping(struct draft *d)
{
    SAY_IF(d, d->notice->kind == NOTICE_PING && d->notice->notify, T_PING,
           draft_mention(d, d->notice->seat));
}

static void board_buttons(struct draft *d)
{
    draft_press(d, T_BUTTON_HAND, VERB_HAND, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_YAKU, VERB_YAKU, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_SCORE, VERB_SCORE, 0, BUTTON_PLAIN);
    if (draft_can(d, CAN_QUERY))
        draft_press(d, T_BUTTON_QUERY, VERB_NONE, 0, BUTTON_QUERY);
}

/* The most choices that one hand card can have, from public knowledge: an open card is in no
 * hand. */
static int most_targets(const struct scene *s, const struct rules *r)
{
    cardset open = s->field, takes[N_CARDS];
    int most = 0;
    for (int i = 0; i < s->players; i++)
        open |= s->at[i].pile;
    for (int card = 0; card < N_CARDS; card++) {
        int n = open & CARD(card) ? 0 : choice_takes(r, s->field, card, false, takes);
        most = n > most ? n : most;
    }
    return most;
}

/* Hand cards by their numbers, and what they take by letters: neither depends on the hands, so they
 * reveal nothing. A drawn card and a yaku are public. */
static void board_moves(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    struct str name = draft_name(d, s->turn), koikoi = d->words->word[WORD_KOIKOI];
    if (!part_moves_in_open(d))
        return;
    if (draft_can(d, CAN_DIRECT))
        draft_press(d, T_BUTTON_OPEN, VERB_START, 0, BUTTON_LINK);
    draft_row(d);
    if (!s->dealt)
        return;
    if (s->phase == PHASE_HAND) {
        int letters = most_targets(s, &d->table->view.rules);
        for (int i = 1; i <= s->at[s->turn].hand_size; i++)
            draft_button(d, draft_int(d, i), VERB_PLAY, i, BUTTON_PLAIN);
        draft_row(d);
        for (int i = 1; letters > 1 && i <= letters && i <= PART_LETTERS; i++)
            draft_button(d, part_letter(d, i), VERB_PLAY, INDEX_TARGET + i, BUTTON_PLAIN);
    } else if (s->phase == PHASE_DRAW) {
        SAY(d, T_OPEN_DREW, name, draft_card_taken(d, s->drawn.card));
        for (int i = 0; i < s->drawn.n; i++) {
            cardset take = s->move[s->drawn.first + i].move.take;
            draft_button(d, take ? draft_label(d, set_first(take)) : TX(d, T_BUTTON_LAY), VERB_PLAY,
                         i + 1, BUTTON_TAKE);
        }
    } else if (s->phase == PHASE_DECIDE) {
        SAY(d, T_OPEN_DECIDE, name, draft_yaku(d, s->at[s->turn].score.worth));
        draft_button(d, d->words->word[WORD_STOP], VERB_STOP, 0, BUTTON_TAKE);
        draft_button(d, TX(d, T_BUTTON_KOIKOI, koikoi), VERB_KOIKOI, 0, BUTTON_DANGER);
    }
    draft_row(d);
}

const struct page_part page_board[] = {
    {part_picture_board, 0, IF_BRIEF},
    {board_screen, IF_SCREEN, IF_BRIEF},
    {part_head, 0, IF_BRIEF},
    {part_events, 0, 0},
    {part_field, 0, IF_BRIEF},
    {part_captures, 0, IF_BRIEF},
    {board_foot, 0, IF_BRIEF},
    {part_times, IF_RUNS, IF_BRIEF},
    {part_screen_end, IF_SCREEN, IF_BRIEF},
    {board_ping, IF_RUNS, 0},
    {board_buttons, IF_RUNS, IF_BRIEF},
    {board_moves, IF_RUNS, IF_BRIEF},
    {0},
};
