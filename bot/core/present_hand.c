/* What one player sees: their hand, what each card can do, and what a card takes. */
#include "choice.h"
#include "page.h"

/* The names of yaku that `more` would make new, empty if none. */
static struct str new_yaku(const struct page *pg, cardset more)
{
    const struct view *v = &pg->table->view;
    struct score was, now;
    struct str list = {0};
    score_pile(page_ruleset(pg), v->taken[v->seat], &was);
    score_pile(page_ruleset(pg), v->taken[v->seat] | more, &now);
    for (int y = 0; y < N_YAKU; y++)
        if (now.worth[y] > was.worth[y])
            list = page_join(pg, list, TX0(pg, T_PLUS),
                             TX(pg, T_YAKU_WORTH, pg->words->yaku[y], page_int(pg, now.worth[y])));
    return list;
}

struct option_text {
    struct str line, yaku; /* what it makes new; may be empty */
    enum button_style style;
};

static struct option_text option(const struct page *pg, const struct move *m)
{
    struct option_text o = {.style = BUTTON_PLAIN};
    if (m->take == 0) {
        o.line = TX0(pg, T_LAYS_DOWN);
        return o;
    }
    o.yaku = new_yaku(pg, m->take | CARD(m->card));
    o.line = TX(pg, T_TAKES, page_cards(pg, m->take));
    o.style = BUTTON_TAKE;
    if (o.yaku.n > 0) {
        o.line = TX(pg, T_TAKES_YAKU, page_cards(pg, m->take), o.yaku);
        o.style = BUTTON_YAKU;
    }
    return o;
}

/* A button of a numbered list, with the number it has there; one that makes a yaku names it, and
 * has a row to itself. */
static void list_button(struct page *pg, int number, struct str label, struct str yaku, enum verb v,
                        int index, enum button_style style)
{
    if (!page_can(pg, CAN_NUMBER))
        label = TX(pg, T_BUTTON_NUMBERED, page_int(pg, number), label);
    if (yaku.n > 0) {
        page_row(pg);
        label = page_join(pg, label, TX0(pg, T_ARROW), yaku);
    }
    page_button(pg, label, v, index, style);
    if (yaku.n > 0)
        page_row(pg);
}

/* One of a numbered list. A poll shows its answers as a list of their own: there the line is the
 * answer. */
static void list_option(struct page *pg, int number, struct str mark, struct option_text o,
                        struct str label, int index)
{
    struct str line = TX(pg, T_CHOICE_LINE, mark, o.line);
    if (pg->poll) {
        page_button(pg, line, VERB_MOVE, index, o.style);
        return;
    }
    page_line(pg, line);
    list_button(pg, number, label, o.yaku, VERB_MOVE, index, o.style);
}

struct str present_option(const struct page *pg, const struct move *m)
{
    return option(pg, m).line;
}

/* A card of the hand, with its number and what it can do. */
static struct str card_line(const struct page *pg, int number, int card)
{
    const struct view *v = &pg->table->view;
    cardset takes[N_CARDS];
    struct str line = {0};
    int n = choice_takes(&v->rules, v->field, card, false, takes);
    for (int i = 0; i < n; i++) {
        struct move m = {MOVE_PLAY, (uint8_t)card, takes[i]};
        line = page_join(pg, line, TX0(pg, T_OR), option(pg, &m).line);
    }
    return TX(pg, T_HAND_LINE, page_int(pg, number), page_card(pg, card), line);
}

static void cards_held(struct page *pg)
{
    const struct view *v = &pg->table->view;
    if (v->hand)
        page_line(pg, TX(pg, T_CARDS_HELD, page_cards(pg, v->hand)));
}

/* The hand by numbers; in a poll, where its cards are the answers or others are, in one line or
 * none. */
static void cards(struct page *pg, bool answers)
{
    const struct view *v = &pg->table->view;
    int number = 0;
    if (pg->poll && !answers && v->turn == v->seat)
        cards_held(pg);
    if ((pg->poll && v->turn == v->seat) || !v->hand)
        return;
    page_line(pg, TX0(pg, T_YOUR_CARDS));
    for (cardset rest = v->hand; rest; rest = set_rest(rest))
        page_line(pg, card_line(pg, ++number, set_first(rest)));
}

/* One button a card, in the order of the list; where a card has a choice of what to take, the next
 * message asks. */
static void card_buttons(struct page *pg)
{
    const struct view *v = &pg->table->view;
    int number = 0;
    for (cardset rest = v->hand; rest; rest = set_rest(rest)) {
        int card = set_first(rest), plays = 0, at = 0;
        enum button_style style = BUTTON_PLAIN;
        struct str yaku = {0}, label = page_label(pg, card);
        number++;
        for (int i = 0; i < v->n_legal; i++) {
            if (v->legal[i].kind != MOVE_PLAY || v->legal[i].card != card ||
                choice_repeats(v->legal, i))
                continue;
            struct option_text o = option(pg, &v->legal[i]);
            style = o.style > style ? o.style : style;
            yaku = o.yaku;
            at = plays++ ? at : i;
        }
        if (pg->poll && plays > 0)
            page_button(pg, card_line(pg, number, card), plays == 1 ? VERB_MOVE : VERB_PLAY,
                        plays == 1 ? at : number, style);
        else if (plays == 1)
            list_button(pg, number, label, yaku, VERB_MOVE, at, style);
        else if (plays > 1)
            list_button(pg, number, TX(pg, T_BUTTON_MORE, label), (struct str){0}, VERB_PLAY,
                        number, style);
    }
    page_row(pg);
}

/* What one card could take. */
void present_targets(struct page *pg)
{
    const struct view *v = &pg->table->view;
    int number = 0;
    bool there = present_asks_by_popup(pg);
    page_line(pg, TX(pg, T_WHICH_TARGET, page_card(pg, (int)pg->say->n)));
    for (int i = 0; i < v->n_legal; i++) {
        const struct move *m = &v->legal[i];
        if ((m->kind != MOVE_PLAY && m->kind != MOVE_CHOOSE) || m->card != pg->say->n ||
            choice_repeats(v->legal, i))
            continue;
        struct option_text o = option(pg, m);
        number++;
        list_option(pg, number, there ? page_letter(pg, number) : page_int(pg, number), o,
                    m->take ? page_label(pg, set_first(m->take)) : TX0(pg, T_BUTTON_LAY), i);
    }
    if (there)
        page_line(pg, TX0(pg, T_TARGETS_ELSEWHERE));
    if (!page_can(pg, CAN_BUTTONS))
        page_line(pg, TX(pg, T_HOW_TARGET, page_command(pg, VERB_PLAY)));
}

static void choices(struct page *pg)
{
    const struct view *v = &pg->table->view;
    page_line(pg, TX(pg, T_YOU_DREW, page_card(pg, v->drawn)));
    for (int i = 0, number = 0; i < v->n_legal; i++) {
        if (choice_repeats(v->legal, i))
            continue;
        struct option_text o = option(pg, &v->legal[i]);
        number++;
        list_option(pg, number, page_int(pg, number), o,
                    page_label(pg, set_first(v->legal[i].take)), i);
    }
    page_row(pg);
    if (!page_can(pg, CAN_BUTTONS))
        page_line(pg, TX(pg, T_HOW_CHOOSE, page_command(pg, VERB_PLAY)));
}

struct str present_declare(const struct page *pg)
{
    const struct view *v = &pg->table->view;
    enum hand_yaku h = hand_yaku_of(page_ruleset(pg), v->hand);
    return TX(pg, T_BUTTON_DECLARE, pg->words->hand_yaku[h], page_coins(pg, v->rules.hand_yaku[h]));
}

static void extras(struct page *pg)
{
    const struct view *v = &pg->table->view;
    for (int i = 0; i < v->n_legal; i++) {
        if (v->legal[i].kind == MOVE_DECLARE) {
            enum hand_yaku h = hand_yaku_of(page_ruleset(pg), v->hand);
            page_line(pg,
                      TX(pg, T_MAY_DECLARE, pg->words->hand_yaku[h],
                         page_coins(pg, v->rules.hand_yaku[h]), page_command(pg, VERB_DECLARE)));
            page_button(pg, present_declare(pg), VERB_MOVE, i, BUTTON_YAKU);
            page_row(pg);
        } else if (v->legal[i].kind == MOVE_REDEAL) {
            page_line(pg, TX(pg, T_MAY_REDEAL, page_command(pg, VERB_REDEAL)));
            page_button(pg, TX0(pg, T_BUTTON_REDEAL), VERB_REDEAL, 0, BUTTON_PLAIN);
            page_row(pg);
        }
    }
}

static struct str others(const struct page *pg, int seat)
{
    struct str list = {0};
    for (int i = 0; i < pg->table->players; i++)
        if (i != seat)
            list = page_join(pg, list, TX0(pg, T_AND), page_name(pg, i));
    return list;
}

static void hand_in_line(struct page *pg, bool codes)
{
    const struct view *v = &pg->table->view;
    bool now = v->turn == v->seat && v->phase == PHASE_HAND;
    struct str list = {0}, no = page_int(pg, pg->table->no);
    int number = 0;
    for (cardset rest = v->hand; rest; rest = set_rest(rest)) {
        char code[CARD_CODE_SIZE];
        (void)card_code(set_first(rest), code);
        struct str card = codes ? arena_str(pg->a, str_of(code)) : page_label(pg, set_first(rest));
        list =
            page_join(pg, list, STR(", "), TX(pg, T_HAND_SHORT_CARD, page_int(pg, ++number), card));
    }
    page_line(pg, !v->hand ? TX(pg, T_HAND_SHORT_NONE, no)
                           : TX(pg, now ? T_HAND_SHORT_TAP : T_HAND_SHORT, no, list));
}

/* As much as a popup holds: numbers and names, or numbers and codes, never a hand with cards
 * missing; or what is to be decided. */
void present_hand_short(struct page *pg)
{
    int most = pg->place->limits.popup_chars;
    const struct view *v = &pg->table->view;
    if (v->turn == v->seat && v->phase == PHASE_DECIDE) { /* its buttons stand on the board */
        present_decide_short(pg);
        return;
    }
    hand_in_line(pg, false);
    if (most > 0 && text_units(buf_str(&pg->body), pg->place->limits.counts_utf16) > most) {
        pg->body.n = 0;
        hand_in_line(pg, true);
    }
}

/* True if a new board stands just above, for the same eyes: what it shows is not said twice. */
static bool beside_board(const struct page *pg)
{
    const struct say *say = pg->say;
    const struct table *t = pg->table;
    return !page_can(pg, CAN_EDIT) && !t->at.direct &&
           t->player[say->seat].channel == CHANNEL_WHISPER && say->n == 0 &&
           t->view.stage == MATCH_PLAYING && t->view.turn == say->seat &&
           t->view.phase == PHASE_HAND;
}

/* What was answered, or where to ask: in matches with the computer, for who is to move. */
static void ask_teacher(struct page *pg)
{
    const struct view *v = &pg->table->view;
    present_hint(pg);
    if (pg->table->computer && pg->table->hint.n == 0 && v->turn == v->seat && v->n_legal > 1)
        page_button(pg, TX0(pg, T_BUTTON_HINT), VERB_HINT, 0, BUTTON_PLAIN);
}

/* The cards as a picture. A message that has shown them goes on to between rounds, where it can:
 * turned into a text it would have to be taken away and said anew. */
static void show(struct page *pg)
{
    const struct view *v = &pg->table->view;
    struct spread s;
    struct buf line = {arena_room(pg->a, SPREAD_LINE), 0, SPREAD_LINE, false};
    if (!page_can(pg, CAN_PICTURE) || (pg->poll && v->stage != MATCH_PLAYING) ||
        !(v->field | v->hand))
        return;
    spread_of(v, &s);
    spread_write(&s, &line);
    pg->picture = buf_str(&line);
}

void present_hand(struct page *pg)
{
    const struct table *t = pg->table;
    const struct view *v = &t->view;
    show(pg);
    if (t->at.direct)
        present_head(pg);
    else
        page_line(pg, TX(pg, T_HAND_HEAD, page_rounds(pg), others(pg, pg->say->seat),
                         t->at.chat_name.n ? t->at.chat_name : TX0(pg, T_THE_GROUP),
                         page_int(pg, t->no)));
    if (!beside_board(pg)) {
        present_events(pg);
        present_field(pg);
    }
    if (t->at.direct)
        present_captures(pg);
    if (v->stage != MATCH_PLAYING) {
        page_line(pg, present_turn(pg));
        return;
    }
    bool mine = v->turn == v->seat;
    if (mine && v->phase == PHASE_DRAW) { /* one list of numbers: what is taken */
        choices(pg);
        cards_held(pg);
        ask_teacher(pg);
        return;
    }
    if (mine && v->phase == PHASE_DECIDE)
        present_decide(pg);
    cards(pg, v->phase == PHASE_HAND);
    if (mine && v->phase == PHASE_HAND)
        card_buttons(pg);
    extras(pg);
    ask_teacher(pg);
    if (!mine)
        page_line(pg, present_turn(pg));
    else if (v->phase == PHASE_HAND)
        page_line(pg, page_can(pg, CAN_BUTTONS) ? TX0(pg, T_YOUR_MOVE)
                                                : TX(pg, T_HOW_PLAY, page_command(pg, VERB_PLAY)));
}
