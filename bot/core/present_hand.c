/* What one player sees: their hand, what each card can do, and the questions of their turn. */
#include "page.h"

/* The names of yaku that `more` would make new, empty if none. */
static struct str new_yaku(const struct page *pg, const struct ruleset *g, cardset more)
{
    const struct view *v = &pg->table->view;
    struct score was, now;
    struct str list = {0};
    score_pile(g, v->taken[v->seat], &was);
    score_pile(g, v->taken[v->seat] | more, &now);
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

static struct option_text option(const struct page *pg, const struct ruleset *g,
                                 const struct move *m)
{
    struct option_text o = {.style = BUTTON_PLAIN};
    if (m->take == 0) {
        o.line = TX0(pg, T_LAYS_DOWN);
        return o;
    }
    o.yaku = new_yaku(pg, g, m->take | CARD(m->card));
    o.line = TX(pg, T_TAKES, page_cards(pg, m->take));
    o.style = BUTTON_TAKE;
    if (o.yaku.n > 0) {
        o.line = TX(pg, T_TAKES_YAKU, page_cards(pg, m->take), o.yaku);
        o.style = BUTTON_YAKU;
    }
    return o;
}

/* A button of a numbered list, with the number it has there; one that makes a yaku names it, and has a row
 * to itself. */
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

/* One of a numbered list. A poll shows its answers as a list of their own: there the line is the answer. */
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
    return option(pg, made_ruleset(pg->w->made, &pg->table->view.rules), m).line;
}

/* A card of the hand, with its number and what it can do. */
static struct str card_line(const struct page *pg, const struct ruleset *g, int number, int card)
{
    const struct view *v = &pg->table->view;
    cardset takes[N_CARDS];
    struct str line = {0};
    int n = round_takes(&v->rules, v->field, card, false, takes);
    for (int i = 0; i < n; i++) {
        struct move m = {MOVE_PLAY, (uint8_t)card, takes[i]};
        if (i > 0 && step_alike(takes[i - 1], takes[i]))
            continue;
        line = page_join(pg, line, TX0(pg, T_OR), option(pg, g, &m).line);
    }
    return TX(pg, T_HAND_LINE, page_int(pg, number), page_card(pg, card), line);
}

static void cards_held(struct page *pg)
{
    const struct view *v = &pg->table->view;
    if (v->hand)
        page_line(pg, TX(pg, T_CARDS_HELD, page_cards(pg, v->hand)));
}

/* The hand by numbers; in a poll, where its cards are the answers or others are, in one line or none. */
static void cards(struct page *pg, const struct ruleset *g, bool answers)
{
    const struct view *v = &pg->table->view;
    int number = 0;
    if (pg->poll && !answers && v->turn == v->seat)
        cards_held(pg);
    if ((pg->poll && v->turn == v->seat) || !v->hand)
        return;
    page_line(pg, TX0(pg, T_YOUR_CARDS));
    for (cardset rest = v->hand; rest; rest = set_rest(rest))
        page_line(pg, card_line(pg, g, ++number, set_first(rest)));
}

/* One button a card, in the order of the list; where a card has a choice of what to take, the next message
 * asks. */
static void card_buttons(struct page *pg, const struct ruleset *g)
{
    const struct view *v = &pg->table->view;
    int number = 0;
    for (cardset rest = v->hand; rest; rest = set_rest(rest)) {
        int card = set_first(rest), plays = 0, at = 0;
        enum button_style style = BUTTON_PLAIN;
        struct str yaku = {0}, label = page_label(pg, card);
        number++;
        for (int i = 0; i < v->n_legal; i++) {
            if (v->legal[i].kind != MOVE_PLAY || v->legal[i].card != card)
                continue;
            if (plays > 0 && step_alike(v->legal[i - 1].take, v->legal[i].take))
                continue;
            struct option_text o = option(pg, g, &v->legal[i]);
            style = o.style > style ? o.style : style;
            yaku = o.yaku;
            at = plays++ ? at : i;
        }
        if (pg->poll && plays > 0)
            page_button(pg, card_line(pg, g, number, card), plays == 1 ? VERB_MOVE : VERB_PLAY,
                        plays == 1 ? at : number, style);
        else if (plays == 1)
            list_button(pg, number, label, yaku, VERB_MOVE, at, style);
        else if (plays > 1)
            list_button(pg, number, TX(pg, T_BUTTON_MORE, label), (struct str){0}, VERB_PLAY,
                        number, style);
    }
    page_row(pg);
}

/* True if it differs from the move before it only in which of two equal plains it takes. */
static bool same_choice(const struct view *v, int i)
{
    const struct move *now = &v->legal[i], *before = i > 0 ? now - 1 : NULL;
    return before && before->card == now->card && step_alike(before->take, now->take);
}

/* What one card could take. */
void present_targets(struct page *pg, const struct say *say)
{
    const struct view *v = &pg->table->view;
    const struct ruleset *g = made_ruleset(pg->w->made, &v->rules);
    int number = 0;
    bool there = present_asks_by_popup(pg);
    page_line(pg, TX(pg, T_WHICH_TARGET, page_card(pg, (int)say->n)));
    for (int i = 0; i < v->n_legal; i++) {
        const struct move *m = &v->legal[i];
        if ((m->kind != MOVE_PLAY && m->kind != MOVE_CHOOSE) || m->card != say->n ||
            same_choice(v, i))
            continue;
        struct option_text o = option(pg, g, m);
        number++;
        list_option(pg, number, there ? page_letter(pg, number) : page_int(pg, number), o,
                    m->take ? page_label(pg, set_first(m->take)) : TX0(pg, T_BUTTON_LAY), i);
    }
    if (there)
        page_line(pg, TX0(pg, T_TARGETS_ELSEWHERE));
    if (!page_can(pg, CAN_BUTTONS))
        page_line(pg, TX(pg, T_HOW_TARGET, page_command(pg, VERB_PLAY)));
}

static void choices(struct page *pg, const struct ruleset *g)
{
    const struct view *v = &pg->table->view;
    page_line(pg, TX(pg, T_YOU_DREW, page_card(pg, v->drawn)));
    for (int i = 0, number = 0; i < v->n_legal; i++) {
        if (same_choice(v, i))
            continue;
        struct option_text o = option(pg, g, &v->legal[i]);
        number++;
        list_option(pg, number, page_int(pg, number), o,
                    page_label(pg, set_first(v->legal[i].take)), i);
    }
    page_row(pg);
    if (!page_can(pg, CAN_BUTTONS))
        page_line(pg, TX(pg, T_HOW_CHOOSE, page_command(pg, VERB_PLAY)));
}

static bool others_can_play(const struct view *v)
{
    for (int i = 0; i < v->players; i++)
        if (i != v->seat && v->hand_size[i] > 0)
            return true;
    return false;
}

/* What playing on may bring and cost. */
static void koikoi_means(struct page *pg, const struct score *score)
{
    const struct view *v = &pg->table->view;
    const struct rules *r = &v->rules;
    int left = set_count(v->hand);
    if (left > 0 && (r->own_koikoi != DOUBLING_NONE || r->any_koikoi != DOUBLING_NONE))
        page_line(pg, TX0(pg, T_DECIDE_OWN));
    if (others_can_play(v) &&
        (r->opponent_koikoi != DOUBLING_NONE || r->any_koikoi != DOUBLING_NONE))
        page_line(pg, TX0(pg, T_DECIDE_OTHER));
    page_line(pg, left ? TN(pg, T_DECIDE_LEFT, left, page_int(pg, left)) : TX0(pg, T_DECIDE_LAST));
    if (left == 0 && r->exhausted == EXHAUSTED_OYA_KAN)
        page_line(
            pg, TX(pg, T_DECIDE_OYA_KAN, page_name(pg, v->dealer), page_coins(pg, OYA_KAN_POINTS)));
    if (left > 0 && r->has_seven_plus && score->base < r->seven_points &&
        score->n_yaku >= r->seven_min_yaku)
        page_line(pg, TN(pg, T_DECIDE_SEVEN, r->seven_points - score->base,
                         page_int(pg, r->seven_points - score->base), page_int(pg, r->seven_points),
                         page_int(pg, r->seven_x)));
}

/* Where coins change hands nobody pays more than they own. */
static int64_t can_pay(const struct view *v, int64_t points)
{
    int64_t purse = v->rules.scoring == SCORING_COINS ? v->scores[1 - v->seat] : points;
    return points < purse ? points : purse;
}

/* What stopping now pays. */
struct stake {
    struct score score;
    struct round_result pay;
    int64_t gain; /* of pay.points, what the other owns */
};

static struct stake stake_of(const struct view *v, const struct ruleset *g)
{
    struct stake s = {0};
    struct calls calls = {.players = v->players, .table_brights = v->table_brights};
    memcpy(calls.koikoi, v->koikoi, sizeof calls.koikoi);
    score_pile(g, v->taken[v->seat], &s.score);
    score_pay(g, &calls, v->seat, &s.score, true, &s.pay);
    s.gain = can_pay(v, s.pay.points);
    return s;
}

static void decision(struct page *pg, const struct ruleset *g)
{
    const struct view *v = &pg->table->view;
    struct stake s = stake_of(v, g);
    struct str now = page_coins(pg, s.gain), word = pg->words->word[WORD_STOP];
    struct str base = page_int(pg, s.score.base), factors = present_factors(pg, s.pay.x);
    page_line(pg, TX(pg, T_DECIDE, page_yaku(pg, &s.score), page_coins(pg, s.score.base)));
    page_line(pg, factors.n ? TX(pg, T_DECIDE_STOP_TIMES, word, now, base, factors)
                            : TX(pg, T_DECIDE_STOP, word, now));
    if (s.gain < s.pay.points)
        page_line(pg, TX(pg, T_PAID_CAPPED, now));
    page_line(pg, TX(pg, T_DECIDE_KOIKOI, pg->words->word[WORD_KOIKOI]));
    koikoi_means(pg, &s.score);
    for (int i = v->n_legal - 1; i >= 0; i--) { /* the engine has koi-koi first */
        bool stop = v->legal[i].kind == MOVE_STOP;
        if (!stop && v->legal[i].kind != MOVE_KOIKOI)
            continue;
        page_button(pg,
                    stop ? TX(pg, T_BUTTON_STOP, word, now)
                         : TX(pg, T_BUTTON_KOIKOI, pg->words->word[WORD_KOIKOI]),
                    VERB_MOVE, i, stop ? BUTTON_TAKE : BUTTON_DANGER);
    }
    page_row(pg);
    if (!page_can(pg, CAN_BUTTONS))
        page_line(pg,
                  TX(pg, T_HOW_DECIDE, page_command(pg, VERB_STOP), page_command(pg, VERB_KOIKOI)));
}

/* The same where little fits: what the board does not tell comes first, and what may be cut last. */
static void decision_short(struct page *pg, const struct ruleset *g)
{
    struct stake s = stake_of(&pg->table->view, g);
    page_line(pg, TX(pg, T_DECIDE_STOP, pg->words->word[WORD_STOP], page_coins(pg, s.gain)));
    koikoi_means(pg, &s.score);
    page_line(pg, TX(pg, T_PAID, page_yaku(pg, &s.score), page_int(pg, s.score.base)));
}

struct str present_declare(const struct page *pg)
{
    const struct view *v = &pg->table->view;
    enum hand_yaku h = hand_yaku_of(made_ruleset(pg->w->made, &v->rules), v->hand);
    return TX(pg, T_BUTTON_DECLARE, pg->words->hand_yaku[h], page_coins(pg, v->rules.hand_yaku[h]));
}

static void extras(struct page *pg, const struct ruleset *g)
{
    const struct view *v = &pg->table->view;
    for (int i = 0; i < v->n_legal; i++) {
        if (v->legal[i].kind == MOVE_DECLARE) {
            enum hand_yaku h = hand_yaku_of(g, v->hand);
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

static void hand_in_line(struct page *pg, const struct say *say, bool codes)
{
    struct str list = {0};
    int number = 0;
    for (cardset rest = say->table->view.hand; rest; rest = set_rest(rest)) {
        char code[CARD_CODE_SIZE];
        (void)card_code(set_first(rest), code);
        struct str card = codes ? arena_str(pg->a, str_of(code)) : page_label(pg, set_first(rest));
        list =
            page_join(pg, list, STR(", "), TX(pg, T_HAND_SHORT_CARD, page_int(pg, ++number), card));
    }
    if (!say->table->view.hand) {
        page_line(pg, TX(pg, T_HAND_SHORT_NONE, page_int(pg, say->table->no)));
        return;
    }
    const struct view *v = &say->table->view;
    bool now = v->turn == v->seat && v->phase == PHASE_HAND;
    page_line(pg,
              TX(pg, now ? T_HAND_SHORT_TAP : T_HAND_SHORT, page_int(pg, say->table->no), list));
}

/* As much as a popup holds: numbers and names, or numbers and codes, never a hand with cards missing; or what
 * is to be decided. */
void present_hand_short(struct page *pg, const struct say *say)
{
    int most = pg->place->limits.popup_chars;
    const struct view *v = &say->table->view;
    if (v->turn == v->seat && v->phase == PHASE_DECIDE) { /* its buttons stand on the board */
        decision_short(pg, made_ruleset(pg->w->made, &v->rules));
        return;
    }
    hand_in_line(pg, say, false);
    if (most > 0 && text_units(buf_str(&pg->body), pg->place->limits.counts_utf16) > most) {
        pg->body.n = 0;
        hand_in_line(pg, say, true);
    }
}

/* True if a new board stands just above, for the same eyes: what it shows is not said twice. */
static bool beside_board(const struct page *pg, const struct say *say)
{
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

/* The cards as a picture. A message that has shown them goes on to between rounds, where it can: turned into a
 * text it would have to be taken away and said anew. */
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

void present_hand(struct page *pg, const struct say *say)
{
    const struct table *t = pg->table;
    const struct view *v = &t->view;
    const struct ruleset *g = made_ruleset(pg->w->made, &v->rules);
    show(pg);
    if (t->at.direct)
        present_head(pg);
    else
        page_line(pg, TX(pg, T_HAND_HEAD, page_rounds(pg), others(pg, say->seat),
                         t->at.chat_name.n ? t->at.chat_name : TX0(pg, T_THE_GROUP),
                         page_int(pg, t->no)));
    if (!beside_board(pg, say)) {
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
        choices(pg, g);
        cards_held(pg);
        ask_teacher(pg);
        return;
    }
    if (mine && v->phase == PHASE_DECIDE)
        decision(pg, g);
    cards(pg, g, v->phase == PHASE_HAND);
    if (mine && v->phase == PHASE_HAND)
        card_buttons(pg, g);
    extras(pg, g);
    ask_teacher(pg);
    if (!mine)
        page_line(pg, present_turn(pg));
    else if (v->phase == PHASE_HAND)
        page_line(pg, page_can(pg, CAN_BUTTONS) ? TX0(pg, T_YOUR_MOVE)
                                                : TX(pg, T_HOW_PLAY, page_command(pg, VERB_PLAY)));
}
