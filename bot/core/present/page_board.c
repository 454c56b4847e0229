/* The board: the public view of a running match. Where a player has only popups, its buttons are
 * their moves too. */
#include "page.h"

#include "choice.h"
#include "text.h"

enum { BOARD_LINES = 6 }; /* in words: what stands above the fold, or lines of any length */

/* What the player to move is asked in the open, two lines of a phone at most; empty while they choose a
 * card of the hand. */
static struct str question(const struct draft *d, struct str name)
{
    enum { TWO_LINES = 2 * PART_LINE - 18 }; /* words are not broken */
    const struct scene *s = draft_scene(d);
    if (!part_moves_in_open(d) || !s->dealt || s->phase == PHASE_HAND)
        return STR("");
    if (s->phase == PHASE_DRAW)
        return TX(d, T_OPEN_DREW, name, draft_card_taken(d, s->drawn.card));
    int used = text_columns(draft_unmarked(d, TX(d, T_OPEN_DECIDE, name, STR(""))));
    return TX(d, T_OPEN_DECIDE, name,
              part_worth_list(d, s->at[s->turn].score.worth, TWO_LINES - used));
}

static struct str stock(const struct draft *d)
{
    return TX(d, T_BOARD_STOCK, draft_int(d, draft_scene(d)->stock_size));
}

static void board_screen(struct draft *d)
{
    part_screen(d, NULL);
}

/* ---- on a phone: six lines, and a fold ---- */

/* "Ann 12: koi-koi ×1 · ⏱ 9:12 · moon viewing 1/2": as much as a line holds. */
static void put_player(struct draft *d, int seat)
{
    const struct scene_seat *at = &draft_scene(d)->at[seat];
    struct str name = draft_short_score(d, seat), left = part_time_left(d, seat), list = {0};
    if (left.n > 0)
        list = TX(d, T_TIMES, left);
    if (at->calls > 0)
        list = draft_join(d, TX(d, T_CALLS, draft_int(d, at->calls)), STR(""), list);
    int used = text_columns(draft_unmarked(d, TX(d, T_SCREEN_NEAR, name, list)));
    struct str near = part_near_list(d, seat, PART_LINE - used - text_columns(TX(d, T_DOT)));
    if (left.n > 0 && near.n > 0)
        near = draft_join(d, TX(d, T_DOT), STR(""), near);
    if (list.n == 0 && near.n == 0)
        near = TX(d, T_PROGRESS_NONE);
    SAY(d, T_SCREEN_NEAR, name, draft_join(d, list, STR(""), near));
}

/* "1☀ 3🎀 8, +2": the field by months and signs, as much as a line holds. */
static void put_field(struct draft *d)
{
    cardset rest = draft_scene(d)->field, shown = 0;
    struct str line = TX(d, T_FIELD_SHORT, draft_cards_short(d, rest));
    for (bool fits = true; fits && rest;) {
        shown |= CARD(set_first(rest));
        rest = set_rest(rest);
        struct str list = draft_cards_short(d, shown);
        int n = set_count(rest);
        if (n > 0)
            draft_add(d, &list, T_COMMA, TN(d, T_SCREEN_MORE, n, draft_int(d, n)));
        list = TX(d, T_FIELD_SHORT, list);
        fits = text_columns(draft_unmarked(d, list)) <= PART_LINE;
        line = fits ? list : line;
    }
    draft_line(d, line);
}

/* Round, field, what just happened, a line for each player, and whose move it is, or what they are
 * asked, which may be two lines. Of field and events the fold has what there is no room for. */
static void board_brief(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    struct str name = part_turn_name(d, draft_short_name(d, s->turn)), asked = question(d, name);
    int room = BOARD_LINES - 1 - s->players - (asked.n > 0 ? 2 : 1);
    SAY(d, T_BOARD_HEAD, draft_rounds(d), stock(d), draft_int(d, d->table->no));
    if (s->dealt && room > (part_has_news(d) ? 1 : 0)) {
        put_field(d);
        room--;
    }
    (void)part_news(d, asked.n > 0, room);
    for (int i = 0; i < s->players; i++)
        put_player(d, i);
    draft_line(d, asked.n > 0 ? asked : part_turn_of(d, name));
    part_screen_fold(d);
    part_field(d);
}

/* ---- elsewhere: six lines ---- */

/* Whose move it is, what is left of the stock and of clocks. */
static struct str foot(const struct draft *d)
{
    const struct scene *s = draft_scene(d);
    struct str line = part_turn_of(d, part_turn_name(d, draft_name(d, s->turn)));
    struct str times = part_times_left(d);
    if (s->dealt && d->table->phase == SESSION_PLAYING)
        draft_add(d, &line, T_DOT, stock(d));
    if (times.n > 0)
        draft_add(d, &line, T_DOT, times);
    return line;
}

/* What happened, then what is asked: lines. *ret_told: the bytes of the first. */
static struct str news(struct draft *d, size_t *ret_told)
{
    size_t before = d->text.n, begins = before + (before > 0);
    part_events(d);
    *ret_told = d->text.n > begins ? d->text.n - begins : 0;
    draft_line(d, question(d, draft_name(d, draft_scene(d)->turn)));
    struct str lines = arena_str(d->a, str_skip(buf_str(&d->text), begins));
    d->text.n = before;
    d->has_news = false;
    return lines;
}

/* A call and a yaku that was made have lines of their own, as long as there is room. */
static void put_news(struct draft *d, struct str lines, size_t told, int most)
{
    const char *told_end = lines.p + told;
    size_t before = d->text.n;
    if (told == 0)
        part_name_news(d, before);
    for (struct str rest = lines; rest.n > 0; most--) {
        struct str line = str_cut(rest, '\n', &rest);
        if (most > 0)
            draft_line(d, line);
        else
            buf_put(&d->text, draft_join(d, TX(d, T_NEXT), STR(""), line));
        if (line.p + line.n == told_end)
            part_name_news(d, before);
    }
}

/* The foot goes up to the head if it has no line of its own. */
static void board_open(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    int room = BOARD_LINES - 1 - s->dealt - s->players, n = 0;
    size_t told;
    struct str lines = news(d, &told);
    for (size_t i = 0; i < lines.n; i++)
        n += i == 0 || lines.p[i] == '\n';
    struct str head =
        TX(d, T_BOARD_HEAD, draft_rounds(d), draft_scores(d), draft_int(d, d->table->no));
    if (n >= room)
        draft_add(d, &head, T_DOT, foot(d));
    draft_line(d, head);
    put_news(d, lines, told, room);
    part_field(d);
    part_captures(d);
    if (n < room)
        draft_line(d, foot(d));
}

static void board_foot(struct draft *d)
{
    draft_line(d, foot(d));
}

/* ---- buttons ---- */

static void board_buttons(struct draft *d)
{
    draft_press(d, T_BUTTON_HAND, VERB_HAND, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_YAKU, VERB_YAKU, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_SCORE, VERB_SCORE, 0, BUTTON_PLAIN);
    if (draft_can(d, CAN_QUERY))
        draft_press(d, T_BUTTON_QUERY, VERB_NONE, 0, BUTTON_QUERY);
    if (draft_can(d, CAN_APP))
        draft_press(d, T_BUTTON_APP, VERB_NONE, 0, BUTTON_APP);
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
    struct str koikoi = d->words->word[WORD_KOIKOI];
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
        for (int i = 0; i < s->drawn.n; i++) {
            cardset take = s->move[s->drawn.first + i].move.take;
            draft_button(d, take ? draft_label(d, set_first(take)) : TX(d, T_BUTTON_LAY), VERB_PLAY,
                         i + 1, BUTTON_TAKE);
        }
    } else if (s->phase == PHASE_DECIDE) {
        draft_button(d, d->words->word[WORD_STOP], VERB_STOP, 0, BUTTON_TAKE);
        draft_button(d, TX(d, T_BUTTON_KOIKOI, koikoi), VERB_KOIKOI, 0, BUTTON_DANGER);
    }
    draft_row(d);
}

const struct page_part page_board[] = {
    {part_picture_board, 0, IF_BRIEF},
    /* lines of a phone, and a fold with all of it */
    {board_screen, IF_SCREEN, IF_BRIEF},
    {part_head, IF_SCREEN, IF_BRIEF},
    {board_brief, IF_FOLDED, IF_BRIEF | IF_SCREEN},
    {part_events, IF_FOLDED, IF_BRIEF},
    {part_field, IF_SCREEN, IF_BRIEF},
    {part_captures, IF_FOLDED, IF_BRIEF},
    {board_foot, IF_SCREEN, IF_BRIEF},
    {part_screen_end, IF_FOLDED, IF_BRIEF},
    /* all of it */
    {board_open, 0, IF_BRIEF | IF_FOLDED},
    {part_events, IF_BRIEF, 0},
    {board_buttons, IF_RUNS, IF_BRIEF},
    {board_moves, IF_RUNS, IF_BRIEF},
    {0},
};
