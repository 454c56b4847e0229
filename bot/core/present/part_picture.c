/* Pictures of a hand, of a board, of the ends of a round and of a match, as layouts. Each shows what
 * the text beside it says; the words are the same. See part.h. */
#include "part.h"

void part_layout_line(struct layout *l, enum layout_kind kind, struct str left, struct str right)
{
    layout_row(l, kind);
    layout_text(l, left);
    if (right.n > 0)
        layout_text(l, right);
}

static void add_scores_line(const struct draft *d, struct layout *l)
{
    part_layout_line(l, LAYOUT_LINE, draft_unmarked(d, draft_scores(d)), STR(""));
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
    enum { COLUMNS = 38 }; /* of what is near, in a whole row */
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
    part_layout_table(d, &l, NULL, STR(""));
    draft_picture(d, &l);
}

/* ---- the end of a round ---- */

/* The winner's yaku with their cards; nothing if the pile is of another round than `n`. */
static void add_yaku(const struct draft *d, struct layout *l, const struct round_summary *n)
{
    const struct view *v = &d->table->view;
    cardset pile = v->taken[n->winner], months = 0;
    int need;
    if (n->why == WHY_HAND_YAKU) {
        part_layout_line(l, LAYOUT_YAKU, d->words->hand_yaku[n->hand], draft_int(d, n->base));
        layout_cards(l, d->notice->shown[n->winner]);
        return;
    }
    for (int m = 0; m < N_MONTHS; m++)
        if ((pile & month_set(m)) == month_set(m))
            months |= month_set(m);
    for (int y = 0; y < N_YAKU; y++) {
        cardset pool = yaku_cards(&v->rules, (enum yaku)y, &need);
        if (n->worth[y] == 0)
            continue;
        part_layout_line(l, LAYOUT_YAKU, d->words->yaku[y], draft_int(d, n->worth[y]));
        layout_cards(l, y == YAKU_HIKI ? months : pool & pile);
    }
}

/* Then "5 + 1 = 6", each factor, the whole. Nothing for a round without a stop. */
void part_picture_round(struct draft *d)
{
    const struct round_summary n = part_round_over(d);
    int64_t full = (n.base + n.added) * round_factor(&n);
    struct layout l;
    bool won = n.why == WHY_STOP || n.why == WHY_HAND_YAKU;
    if (!draft_can(d, CAN_PICTURE) || !won || n.winner < 0)
        return;
    layout_open(&l, d->table->rules.deck);
    part_layout_line(&l, LAYOUT_TITLE,
                     TX(d, T_PICTURE_ROUND, draft_plain_name(d, n.winner), draft_int(d, n.round)),
                     STR(""));
    add_yaku(d, &l, &n);
    if (n.why != WHY_HAND_YAKU && draft_is_sum(n.worth))
        part_layout_line(&l, LAYOUT_LINE, TX(d, T_PICTURE_SUM), draft_int(d, n.base));
    if (n.added > 0)
        part_layout_line(&l, LAYOUT_LINE, TX(d, T_X_CALL_BONUS),
                         TX(d, T_PICTURE_PLUS, draft_int(d, n.added)));
    for (int m = 0; m < N_MULTIPLIERS; m++) {
        if (n.x[m] <= 1)
            continue;
        part_layout_line(&l, LAYOUT_LINE, TX(d, (enum text)(T_X_SEVEN_PLUS + m)),
                         TX(d, T_PICTURE_TIMES, draft_int(d, n.x[m])));
    }
    part_layout_line(&l, LAYOUT_TITLE, TX(d, T_PICTURE_TOTAL), draft_coins(d, full));
    if (n.points < full)
        part_layout_line(&l, LAYOUT_NOTE,
                         draft_unmarked(d, TX(d, T_PAID_CAPPED, draft_coins(d, n.points))),
                         STR(""));
    add_scores_line(d, &l);
    draft_picture(d, &l);
}

/* ---- the end of a match ---- */

/* The round that moved the chances most, else the one that was worth most: in words, and with its
 * cards if they are still on the table. */
static void add_best(const struct draft *d, struct layout *l)
{
    const struct notice *notice = d->notice;
    const struct round_summary *best = NULL, *last = &notice->rounds.at[notice->rounds.n - 1];
    struct part_moment m;
    struct str moved = {0};
    for (const struct round_summary *n = notice->rounds.at; n <= last; n++)
        if (n->winner >= 0 && (!best || n->points > best->points))
            best = n;
    if (part_moment(d, &m) && m.round->winner == m.seat) {
        best = m.round;
        moved = TX(d, T_PICTURE_MOVED, draft_int(d, m.before), draft_int(d, m.after));
    }
    if (!best)
        return;
    part_layout_line(
        l, LAYOUT_LINE,
        TX(d, T_PICTURE_BEST, draft_int(d, best->round), draft_plain_name(d, best->winner)),
        TX(d, T_PICTURE_PLUS, draft_int(d, best->points)));
    if (moved.n > 0)
        part_layout_line(l, LAYOUT_NOTE, TX(d, T_PICTURE_MOVED_HEAD), moved);
    if (best == last && (best->why == WHY_STOP || best->why == WHY_HAND_YAKU))
        add_yaku(d, l, best);
    else if (best->why == WHY_STOP)
        part_layout_line(l, LAYOUT_NOTE, draft_unmarked(d, draft_yaku(d, best->worth)), STR(""));
}

/* Scores and chances by round, the best one. */
void part_picture_match(struct draft *d)
{
    const struct table *t = d->table;
    struct str chances[MAX_PLAYERS];
    struct layout l;
    if (!draft_can(d, CAN_PICTURE) || d->notice->rounds.n == 0)
        return;
    layout_open(&l, t->rules.deck);
    part_layout_line(&l, LAYOUT_TITLE,
                     t->view.winner >= 0
                         ? TX(d, T_PICTURE_MATCH, draft_plain_name(d, t->view.winner))
                         : TX(d, T_PICTURE_DRAW),
                     STR(""));
    part_layout_line(&l, LAYOUT_NOTE, TX(d, T_PICTURE_BY_ROUND), STR(""));
    layout_row(&l, LAYOUT_CURVE);
    for (int i = 0; i < t->players; i++) {
        struct buf b = {arena_room(d->a, LAYOUT_BYTES), 0, LAYOUT_BYTES, false};
        buf_int(&b, rules_start_score(&t->rules)); /* then the scores after each round */
        for (int k = 0; k < d->notice->rounds.n; k++)
            buf_print(&b, " %d", d->notice->rounds.at[k].scores[i]);
        layout_text(&l, TX(d, T_NAME_SCORE, draft_plain_name(d, i),
                           draft_int(d, draft_scene(d)->at[i].points)));
        layout_text(&l, buf_str(&b));
    }
    if (part_chances(d, chances)) {
        part_layout_line(&l, LAYOUT_NOTE, TX(d, T_PICTURE_CHANCES), STR(""));
        layout_row(&l, LAYOUT_CURVE);
        for (int i = 0; i < t->players; i++) {
            layout_text(&l, draft_plain_name(d, i));
            layout_text(&l, chances[i]);
        }
    }
    add_best(d, &l);
    draft_picture(d, &l);
}
