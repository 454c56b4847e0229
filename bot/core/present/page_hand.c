/* A hand: one player's cards with what each can do, the decision between stop and koi-koi, and the
 * question what a card takes. */
#include "page.h"

#include <limits.h>

/* ---- numbered lists ---- */

/* A button of a numbered list, labelled with its number. One that makes a yaku names it, and gets a
 * row of its own. Under a picture, which has the numbers, a card is its number alone; where people type
 * numbers the line of the list is enough. */
static void put_list_button(struct draft *d, int number, struct str label, struct str yaku,
                            enum verb v, int index, enum button_style style)
{
    if (part_on_screen(d)) {
        draft_button(d, draft_int(d, number), v, index, style);
        return;
    }
    if (draft_can(d, CAN_NUMBER)) {
        draft_button(d, STR(""), v, index, style);
        return;
    }
    label = TX(d, T_BUTTON_NUMBERED, draft_int(d, number), label);
    if (yaku.n > 0) {
        draft_row(d);
        label = draft_join(d, label, TX(d, T_ARROW), yaku);
    }
    draft_button(d, label, v, index, style);
    if (yaku.n > 0)
        draft_row(d);
}

static enum button_style style_of(const struct scene_move *m)
{
    return m->makes_any ? BUTTON_YAKU : m->move.take ? BUTTON_TAKE : BUTTON_PLAIN;
}

/* "→ moon", "→ moon: moon viewing 5" */
static struct str choice_label(const struct draft *d, const struct scene_move *m)
{
    struct str to = m->move.take ? draft_label(d, set_first(m->move.take)) : TX(d, T_BUTTON_LAY);
    struct str yaku = part_worth_list(d, m->makes, INT_MAX);
    if (yaku.n > 0)
        to = TX(d, T_SETTING, to, yaku);
    return draft_join(d, str_trim(TX(d, T_ARROW)), STR(" "), to);
}

/* A line of a numbered list and its button; in a poll the line is the answer. Under a picture, which
 * has the numbers, a button names its card if there are few. */
static void put_list_option(struct draft *d, int number, struct str mark,
                            const struct scene_move *m)
{
    enum { FEW = 3 };
    struct str line = TX(d, T_CHOICE_LINE, mark, part_move(d, m));
    struct str label = m->move.take ? draft_label(d, set_first(m->move.take)) : TX(d, T_BUTTON_LAY);
    if (d->poll) {
        draft_button(d, line, VERB_MOVE, m->legal, style_of(m));
        return;
    }
    draft_line(d, line);
    const struct scene *s = draft_scene(d);
    int choices = 0;
    for (int i = 0; i < s->n_moves; i++)
        choices += s->move[i].move.card == m->move.card;
    if (part_on_screen(d) && choices <= FEW)
        draft_button(d, choice_label(d, m), VERB_MOVE, m->legal, style_of(m));
    else
        put_list_button(d, number, label, draft_yaku(d, m->makes), VERB_MOVE, m->legal,
                        style_of(m));
}

/* ---- around the cards ---- */

static void hand_picture(struct draft *d)
{
    if (!d->poll || draft_scene(d)->dealt)
        part_picture_hand(d);
}

static void hand_head(struct draft *d)
{
    struct str others = {0}, scores = {0};
    for (int i = 0; i < d->table->players; i++) {
        draft_add(d, &scores, T_DASH, draft_short_score(d, i)); /* the head has the whole names */
        if (i != d->notice->seat)
            draft_add(d, &others, T_AND, draft_name(d, i));
    }
    if (d->at->direct)
        part_head(d);
    else
        SAY(d, T_HAND_HEAD, draft_rounds(d), others,
            d->at->chat_name.n ? d->at->chat_name : TX(d, T_THE_GROUP), draft_int(d, d->table->no));
    if (d->picture.n > 0 && !d->at->direct)
        draft_line(d, scores);
}

/* Between rounds: where no board beside them has them, or the picture does. */
static void hand_captures(struct draft *d)
{
    if (d->at->direct || d->picture.n > 0)
        part_captures(d);
}

static void hand_held(struct draft *d)
{
    cardset hand = d->table->view.hand;
    SAY_IF(d, hand, T_CARDS_HELD, draft_cards(d, hand));
}

/* The hint that was given. */
static void hand_hint_words(struct draft *d)
{
    struct hint h;
    if (hint_read(d->table->hint, &h))
        part_hint(d, &h);
}

/* The same, or the button that asks for one (matches against the computer). */
static void hand_hint(struct draft *d)
{
    const struct table *t = d->table;
    if (!part_on_screen(d))
        hand_hint_words(d);
    if (t->computer && !t->duel && t->hint.n == 0 && t->view.turn == t->view.seat &&
        t->view.n_legal > 1)
        draft_press(d, T_BUTTON_HINT, VERB_HINT, 0, BUTTON_PLAIN);
}

/* ---- the cards ---- */

/* What a card of the hand can do: "takes A", "takes A or B", "takes any one of the 8 cards"; with
 * its number. */
static struct str card_line(const struct draft *d, int number, const struct scene_card *card)
{
    enum { MOST_NAMED = 3 };
    const struct scene_move *moves = &draft_scene(d)->move[card->first];
    struct str use = {0};
    int taking = 0;
    for (int i = 0; i < card->n; i++)
        taking += moves[i].move.take != 0;
    for (int i = 0; i < card->n && taking <= MOST_NAMED; i++)
        if (moves[i].move.take)
            draft_add(d, &use, T_OR, part_capture(d, &moves[i]));
    if (use.n > 0)
        use = TX(d, T_TAKES, use);
    if (taking > MOST_NAMED)
        use = TX(d, T_TAKES_ANY, draft_int(d, taking));
    else if (taking < card->n)
        draft_add(d, &use, T_OR, TX(d, T_LAYS_DOWN));
    return TX(d, T_HAND_LINE, draft_int(d, number), draft_card_alone(d, card->card, false), use);
}

/* The button of a card that can be played. With several captures it opens the question which
 * (NOTICE_TARGETS). */
static void put_card_button(struct draft *d, int number, const struct scene_card *card)
{
    const struct scene_move *moves = &draft_scene(d)->move[card->first];
    bool one = card->n == 1;
    enum verb verb = one ? VERB_MOVE : VERB_PLAY;
    int index = one ? moves[0].legal : number;
    enum button_style style = BUTTON_PLAIN;
    struct str label = draft_label(d, card->card);
    for (int i = 0; i < card->n; i++)
        style = style_of(&moves[i]) > style ? style_of(&moves[i]) : style;
    if (d->poll)
        draft_button(d, card_line(d, number, card), verb, index, style);
    else
        put_list_button(d, number, one ? label : TX(d, T_BUTTON_MORE, label),
                        one ? draft_yaku(d, moves[0].makes) : STR(""), verb, index, style);
}

/* The cards in numbered lines; two a line where the number typed is the button, so that board and
 * hand of a move stay on one screen. */
static void card_lines(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    const int abreast = draft_can(d, CAN_NUMBER) ? 2 : 1;
    struct str line = {0};
    for (int i = 0; i < s->n_hand; i++) {
        draft_add(d, &line, T_DOT, card_line(d, i + 1, &s->hand[i]));
        if ((i + 1) % abreast > 0 && i + 1 < s->n_hand)
            continue;
        draft_line(d, line);
        line = (struct str){0};
    }
}

/* The numbered hand, each card with its button. A poll lists its answers itself, so there the hand
 * is left out, or is one line if the answers are something else; so it is beside another numbered
 * list. */
static void hand_cards(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    bool plays = s->mine && s->phase == PHASE_HAND,
         typed = !draft_can(d, CAN_BUTTONS) || draft_can(d, CAN_NUMBER),
         other_list = s->phase == PHASE_DECIDE && typed,
         unnumbered = s->mine && (d->poll || other_list);
    if (unnumbered && !plays)
        hand_held(d);
    if (!unnumbered && s->n_hand > 0) {
        SAY_IF(d, !draft_can(d, CAN_NUMBER), T_YOUR_CARDS);
        card_lines(d);
    }
    for (int i = 0; plays && i < s->n_hand; i++)
        put_card_button(d, i + 1, &s->hand[i]);
    draft_row(d);
}

/* The captures that the drawn card can choose from. */
static void hand_choices(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    SAY(d, T_YOU_DREW, draft_card_taken(d, s->drawn.card));
    for (int i = 0; i < s->n_moves; i++)
        put_list_option(d, i + 1, draft_int(d, i + 1), &s->move[i]);
    draft_row(d);
    SAY_IF(d, !draft_can(d, CAN_BUTTONS), T_HOW_CHOOSE, draft_command(d, VERB_PLAY));
}

/* A hand yaku to declare, a deal to redeal. */
static void hand_declare(struct draft *d)
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

static void hand_how(struct draft *d)
{
    draft_line(d, draft_can(d, CAN_BUTTONS) ? TX(d, T_YOUR_MOVE)
                                            : TX(d, T_HOW_PLAY, draft_command(d, VERB_PLAY)));
}

/* ---- a card kept for the owner's turn ---- */

/* What was kept, or what was kept and is no more. */
static void hand_kept(struct draft *d)
{
    const struct table *t = d->table;
    SAY_IF(d, t->lost, t->taken_back ? T_AHEAD_DROPPED : T_AHEAD_LOST, draft_card(d, t->lost - 1));
    SAY_IF(d, !draft_scene(d)->mine && t->ahead, T_AHEAD_HAND, draft_card(d, t->ahead - 1));
}

/* ---- the lines under a picture ---- */

/* What stands under the picture in place of what is near. */
static void screen_words(struct draft *d)
{
    hand_kept(d);
    tutorial_tips(d);
    hand_hint_words(d);
}

static void hand_screen(struct draft *d)
{
    part_screen(d, screen_words);
}

static void targets_screen(struct draft *d)
{
    SAY(d, T_WHICH_TARGET, draft_label(d, d->notice->card));
    draft_fold(d, T_ALL_IN_WORDS);
}

/* A button for each capture of a card to keep. */
static void put_captures_ahead(struct draft *d, struct str label, const struct scene_card *c)
{
    const struct scene_move *moves = &draft_scene(d)->move[c->first];
    for (int k = 0; k < c->n; k++)
        draft_button(d,
                     c->n == 1 ? label : draft_join(d, label, STR(" "), choice_label(d, &moves[k])),
                     VERB_PLAY, INDEX_AHEAD + N_CARDS * c->card + k, BUTTON_PLAIN);
}

/* Under a picture, where a card is its number: one with several captures asks for more words, unless
 * there is room for them below the numbers. */
static void put_numbers_ahead(struct draft *d, int kept)
{
    enum { ROOM = 2 };
    const struct scene *s = draft_scene(d);
    int several = kept >= 0 ? ROOM : 0;
    for (int i = 0; i < s->n_hand; i++) {
        const struct scene_card *c = &s->hand[i];
        several += c->n > 1 ? c->n : 0;
        if (c->card != kept && c->n > 1)
            draft_button(d, draft_int(d, i + 1), VERB_PLAY, i + 1, BUTTON_PLAIN);
        else if (c->card != kept)
            put_captures_ahead(d, draft_int(d, i + 1), c);
    }
    draft_row(d);
    for (int i = 0; several <= ROOM && i < s->n_hand; i++)
        if (s->hand[i].n > 1)
            put_captures_ahead(d, draft_int(d, i + 1), &s->hand[i]);
}

/* Cards to keep, one button for each capture; the one that takes the kept card back is in a row of
 * its own. An old button leads nowhere, so the network must be able to take it away; a poll would
 * be a message of its own. */
static void hand_choose_ahead(struct draft *d)
{
    enum { MOST_CAPTURES = 3 };
    const struct scene *s = draft_scene(d);
    int kept = d->table->ahead - 1, kept_number = 0;
    bool on_screen = part_on_screen(d);
    if (s->n_hand == 0 || d->poll || !draft_can(d, CAN_BUTTONS) || !draft_can(d, CAN_EDIT))
        return;
    if (kept < 0 && s->round == 1) /* once is enough */
        SAY(d, T_AHEAD_OFFER);
    for (int i = 0; i < s->n_hand; i++) {
        const struct scene_card *c = &s->hand[i];
        kept_number = c->card == kept ? i + 1 : kept_number;
        if (!on_screen && c->card != kept && c->n <= MOST_CAPTURES)
            put_captures_ahead(
                d, TX(d, T_BUTTON_NUMBERED, draft_int(d, i + 1), draft_label(d, c->card)), c);
    }
    if (on_screen)
        put_numbers_ahead(d, kept);
    draft_row(d);
    if (kept >= 0)
        draft_button(d, TX(d, T_BUTTON_AHEAD_BACK, draft_label(d, kept)), VERB_PLAY, kept_number,
                     BUTTON_PLAIN);
    draft_row(d);
}

/* ---- stop or koi-koi ---- */

static void hand_decide(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    const struct round_result *stop = &s->stop;
    struct str now = draft_coins(d, part_stop_gain(d)), word = d->words->word[WORD_STOP];
    struct str factors = part_factors(d, stop->added, stop->x);
    struct str koikoi = d->words->word[WORD_KOIKOI], base = draft_int(d, stop->score.base);
    SAY_IF(d, !part_on_screen(d), T_DECIDE, draft_yaku(d, stop->score.worth),
           draft_coins(d, stop->score.base));
    draft_line(d, factors.n ? TX(d, T_DECIDE_STOP_TIMES, word, now, base, factors,
                                 draft_int(d, stop->points))
                            : TX(d, T_DECIDE_STOP, word, now));
    SAY_IF(d, part_stop_gain(d) < stop->points, T_PAID_CAPPED, now);
    SAY(d, T_DECIDE_KOIKOI, koikoi);
    part_koikoi_means(d);
    bool numbered = !draft_can(d, CAN_BUTTONS);
    for (int i = s->n_moves - 1; i >= 0; i--) { /* the engine has koi-koi first */
        const struct scene_move *m = &s->move[i];
        bool stops = m->move.kind == MOVE_STOP;
        if (!stops && m->move.kind != MOVE_KOIKOI)
            continue;
        struct str label = stops ? TX(d, T_BUTTON_STOP, word, now) : TX(d, T_BUTTON_KOIKOI, koikoi);
        if (numbered)
            label = TX(d, T_CHOICE_LINE, draft_int(d, stops ? 1 : 2), label);
        if (numbered && !d->poll)
            draft_line(d, label);
        draft_button(d, label, VERB_MOVE, m->legal, stops ? BUTTON_TAKE : BUTTON_DANGER);
    }
    draft_row(d);
    SAY_IF(d, numbered && !d->poll, T_HOW_DECIDE, draft_command(d, VERB_STOP),
           draft_command(d, VERB_KOIKOI));
}

/* ---- a hand in a popup ---- */

/* Numbers and names or, if those are too long, numbers and codes; never a hand with cards missing.
 * In a decision, first what the board does not show, last what may be cut. */
void page_hand_short(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    struct str no = draft_int(d, d->table->no);
    if (s->mine && s->phase == PHASE_DECIDE) { /* the board has its buttons */
        const struct score *score = &s->stop.score;
        struct str yaku = draft_yaku(d, score->worth);
        SAY(d, T_DECIDE_STOP, d->words->word[WORD_STOP], draft_coins(d, part_stop_gain(d)));
        part_koikoi_means(d);
        draft_line(d, draft_is_sum(score->worth) ? TX(d, T_PAID, yaku, draft_int(d, score->base))
                                                 : yaku);
        return;
    }
    for (int codes = 0; codes < 2; codes++) {
        struct str list = {0};
        for (int i = 0; i < s->n_hand; i++) {
            char code[CARD_CODE_SIZE];
            (void)card_code(s->hand[i].card, code);
            struct str card =
                codes ? arena_str(d->a, str_of(code)) : draft_label(d, s->hand[i].card);
            list = draft_join(d, list, TX(d, T_COMMA),
                              TX(d, T_HAND_SHORT_CARD, draft_int(d, i + 1), card));
        }
        bool taps = s->turn == s->seat && s->phase == PHASE_HAND;
        d->text.n = 0;
        draft_line(d, s->n_hand == 0 ? TX(d, T_HAND_SHORT_NONE, no)
                                     : TX(d, taps ? T_HAND_SHORT_TAP : T_HAND_SHORT, no, list));
        if (draft_fits(d, buf_str(&d->text), d->network->limits.popup_chars))
            return;
    }
}

/* ---- which does it take? ---- */

/* The captures of one card. */
static void put_targets(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    bool by_letter = part_asks_by_popup(d);
    int number = 0;
    SAY(d, T_WHICH_TARGET, draft_card(d, d->notice->card));
    for (int i = 0; i < s->n_moves; i++) {
        const struct scene_move *m = &s->move[i];
        if ((m->move.kind != MOVE_PLAY && m->move.kind != MOVE_CHOOSE) ||
            m->move.card != d->notice->card)
            continue;
        number++;
        put_list_option(d, number, by_letter ? part_letter(d, number) : draft_int(d, number), m);
    }
    SAY_IF(d, by_letter, T_TARGETS_INLINE);
    SAY_IF(d, !draft_can(d, CAN_BUTTONS), T_HOW_TARGET, draft_command(d, VERB_PLAY));
    if (d->notice->audience == TO_SEAT) {
        draft_row(d);
        draft_press(d, T_BUTTON_ANOTHER, VERB_PLAY, INDEX_ANOTHER, BUTTON_PLAIN);
    }
}

static void hand_page(struct draft *d)
{
    if (d->w->bot->pages.n > 0 && !draft_can(d, CAN_SCENE))
        draft_press(d, T_PAGE_BUTTON, VERB_TABLE, 0, BUTTON_PLAIN);
}

const struct page_part page_hand[] = {
    {hand_picture, 0, 0},
    {hand_screen, IF_SCREEN, 0},
    {hand_head, 0, 0},
    {part_events, 0, IF_BESIDE},
    {part_field, 0, IF_BESIDE | IF_SCREEN},
    /* between rounds */
    {hand_captures, 0, IF_DEALT},
    {part_turn_line, 0, IF_DEALT},
    /* the drawn card can take one or the other: this is the numbered list */
    {hand_choices, IF_CHOOSES, 0},
    {hand_held, IF_CHOOSES, 0},
    {part_spare, IF_CHOOSES | IF_SCREEN, 0},
    {part_field, IF_CHOOSES | IF_SCREEN, 0},
    {part_captures, IF_CHOOSES, 0},
    {tutorial_tips, IF_CHOOSES, IF_SCREEN},
    {hand_hint, IF_CHOOSES, 0},
    /* else the hand is */
    {hand_decide, IF_DECIDES, 0},
    {hand_kept, IF_LISTS, IF_SCREEN},
    {hand_cards, IF_LISTS, 0},
    {part_spare, IF_LISTS | IF_SCREEN, 0},
    {part_field, IF_LISTS | IF_SCREEN, 0},
    {part_captures, IF_LISTS, IF_BESIDE},
    {hand_declare, IF_LISTS, 0},
    {tutorial_tips, IF_LISTS, IF_SCREEN},
    {hand_hint, IF_LISTS, 0},
    {part_turn_line, IF_WAITS, IF_SCREEN},
    {part_times, IF_WAITS, 0},
    {hand_choose_ahead, IF_WAITS, 0},
    {hand_how, IF_PLAYS, IF_SCREEN},
    {part_times, IF_LISTS | IF_MINE, IF_BESIDE},
    {part_screen_end, IF_SCREEN, 0},
    {hand_page, IF_DIRECT, 0},
    {0},
};

const struct page_part page_targets[] = {
    {part_picture_hand, IF_SEAT, 0},
    {targets_screen, IF_SEAT | IF_SCREEN, 0},
    {hand_head, IF_SEAT, 0},
    {part_field, IF_SEAT, IF_SCREEN},
    {part_many, 0, IF_SEAT},
    {put_targets, 0, 0},
    {hand_held, IF_SEAT, 0},
    {part_spare, IF_SEAT | IF_SCREEN, 0},
    {part_field, IF_SEAT | IF_SCREEN, 0},
    {part_captures, IF_SEAT, 0},
    {part_screen_end, IF_SEAT | IF_SCREEN, 0},
    {0},
};

void page_caption(struct draft *d)
{
    struct str news = {d->text.p + d->news, d->news_end - d->news};
    struct str head = draft_join(d, TX(d, T_YOUR_MOVE), STR("\n"), draft_rounds(d));
    if (d->poll && d->picture.n > 0 && draft_scene(d)->mine)
        d->out.caption = draft_unmarked(d, draft_join(d, head, STR(""), news));
}
