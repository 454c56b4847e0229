/* Pictures of a hand, of a board, of the ends of a round and of a match, of a review, of a season.
 * Each shows what the text beside it says; the words are the same. See part.h. */
#include "part.h"

#include "review.h"

static struct str plain(const struct body *body, struct str s)
{
    return body_unmarked(body, s);
}

static struct str plain_name(const struct body *body, int seat)
{
    return plain(body, body_name(body, seat));
}

static void add_words(struct layout *l, enum layout_kind kind, struct str left, struct str right)
{
    layout_row(l, kind);
    layout_text(l, left);
    if (right.n > 0)
        layout_text(l, right);
}

/* ---- a table ---- */

static void add_piles(const struct body *body, struct layout *l)
{
    const struct view *v = &body->table->view;
    struct str names[MAX_PLAYERS];
    for (int i = 0; i < v->players; i++) {
        struct str name = i == v->seat ? plain(body, TX0(body, T_YOU)) : plain_name(body, i);
        names[i] =
            v->koikoi[i] ? TX(body, T_PICTURE_CALLS, name, body_int(body, v->koikoi[i])) : name;
    }
    layout_piles(l, v, names);
}

void part_picture_hand(struct body *body)
{
    const struct view *v = &body->table->view;
    struct str legend = {0};
    struct layout l;
    if (!body_can(body, CAN_PICTURE) || !(v->field | v->hand))
        return;
    if (v->round_no == 1 && !v->played[v->seat]) /* once is enough */
        legend = TX0(body, T_PICTURE_LEGEND);
    layout_open(&l, v->rules.deck);
    add_piles(body, &l);
    layout_table(&l, v, legend);
    body_picture(body, &l);
}

void part_picture_board(struct body *body)
{
    const struct view *v = &body->table->view;
    struct layout l;
    if (!body_can(body, CAN_PICTURE) || !body->table->at.board_picture)
        return;
    layout_open(&l, v->rules.deck);
    add_words(&l, LAYOUT_LINE, plain(body, body_scores(body)), (struct str){0});
    add_piles(body, &l);
    layout_row(&l, LAYOUT_FIELD);
    layout_cards(&l, v->field);
    body_picture(body, &l);
}

/* ---- the end of a round ---- */

static cardset complete_months(cardset pile)
{
    cardset all = 0;
    for (int m = 0; m < N_MONTHS; m++)
        if ((pile & month_set(m)) == month_set(m))
            all |= month_set(m);
    return all;
}

/* The winner's yaku with their cards; nothing if the pile is of another round than `n`. */
static void add_yaku(const struct body *body, struct layout *l, const struct round_summary *n)
{
    const struct view *v = &body->table->view;
    if (n->why == WHY_HAND_YAKU) {
        add_words(l, LAYOUT_YAKU, body->words->hand_yaku[n->hand], body_int(body, n->base));
        layout_cards(l, body->notice->shown[n->winner]);
        return;
    }
    for (int y = 0; y < N_YAKU; y++) {
        int need;
        cardset pool = yaku_cards(&v->rules, (enum yaku)y, &need), pile = v->taken[n->winner];
        if (n->worth[y] == 0)
            continue;
        add_words(l, LAYOUT_YAKU, body->words->yaku[y], body_int(body, n->worth[y]));
        layout_cards(l, y == YAKU_HIKI ? complete_months(pile) : pool & pile);
    }
}

/* "5 + 1 = 6", each factor, the whole. */
static void add_pay(const struct body *body, struct layout *l, const struct round_summary *n)
{
    int64_t full = n->base;
    struct score s = {.base = n->base};
    memcpy(s.worth, n->worth, sizeof s.worth);
    if (n->why != WHY_HAND_YAKU && body_is_sum(&s))
        add_words(l, LAYOUT_LINE, TX0(body, T_PICTURE_SUM), body_int(body, n->base));
    for (int m = 0; m < N_MULTIPLIERS; m++) {
        if (n->x[m] <= 1)
            continue;
        full *= n->x[m];
        add_words(l, LAYOUT_LINE, TX0(body, (enum text)(T_X_SEVEN_PLUS + m)),
                  TX(body, T_PICTURE_TIMES, body_int(body, n->x[m])));
    }
    add_words(l, LAYOUT_TITLE, TX0(body, T_PICTURE_TOTAL), body_coins(body, full));
    if (n->points < full)
        add_words(l, LAYOUT_NOTE, plain(body, TX(body, T_PAID_CAPPED, body_coins(body, n->points))),
                  (struct str){0});
}

void part_picture_round(struct body *body, const struct round_summary *n)
{
    struct layout l;
    bool won = n->why == WHY_STOP || n->why == WHY_HAND_YAKU;
    if (!body_can(body, CAN_PICTURE) || !won || n->winner < 0)
        return;
    layout_open(&l, body->table->rules.deck);
    add_words(&l, LAYOUT_TITLE,
              TX(body, T_PICTURE_ROUND, plain_name(body, n->winner), body_int(body, n->round)),
              (struct str){0});
    add_yaku(body, &l, n);
    add_pay(body, &l, n);
    add_words(&l, LAYOUT_LINE, plain(body, body_scores(body)), (struct str){0});
    body_picture(body, &l);
}

/* ---- the end of a match ---- */

/* Scores after each round, from the start on: "50 62 38". */
static struct str score_series(const struct body *body, int seat)
{
    const struct notice *notice = body->notice;
    struct buf b = {arena_room(body->a, LAYOUT_BYTES), 0, LAYOUT_BYTES, false};
    buf_int(&b, rules_start_score(&body->table->rules));
    for (int i = 0; i < notice->n_notes; i++) {
        buf_char(&b, ' ');
        buf_int(&b, notice->notes[i].scores[seat]);
    }
    return buf_str(&b);
}

/* The round that was worth most; NULL if all were drawn. */
static const struct round_summary *best_round(const struct notice *notice)
{
    const struct round_summary *best = NULL;
    for (int i = 0; i < notice->n_notes; i++)
        if (notice->notes[i].winner >= 0 && (!best || notice->notes[i].points > best->points))
            best = &notice->notes[i];
    return best;
}

static void add_scores(const struct body *body, struct layout *l)
{
    const struct table *t = body->table;
    layout_row(l, LAYOUT_CURVE);
    for (int i = 0; i < t->players; i++) {
        layout_text(l,
                    TX(body, T_NAME_SCORE, plain_name(body, i), body_int(body, t->view.scores[i])));
        layout_text(l, score_series(body, i));
    }
}

static void add_chances(const struct body *body, struct layout *l)
{
    struct str series[MAX_PLAYERS];
    if (!part_chances(body, series))
        return;
    add_words(l, LAYOUT_NOTE, TX0(body, T_PICTURE_CHANCES), (struct str){0});
    layout_row(l, LAYOUT_CURVE);
    for (int i = 0; i < body->table->players; i++) {
        layout_text(l, plain_name(body, i));
        layout_text(l, series[i]);
    }
}

/* The round that moved the chances most, else the one that was worth most: in words, and with its
 * cards if they are still on the table. */
static void add_best(const struct body *body, struct layout *l)
{
    const struct notice *notice = body->notice;
    struct part_moment m;
    struct str moved = {0};
    const struct round_summary *best = best_round(notice);
    if (part_moment(body, &m) && m.round->winner == m.seat) {
        best = m.round;
        moved = TX(body, T_PICTURE_MOVED, body_int(body, m.before), body_int(body, m.after));
    }
    if (!best)
        return;
    add_words(l, LAYOUT_LINE,
              TX(body, T_PICTURE_BEST, body_int(body, best->round), plain_name(body, best->winner)),
              TX(body, T_PICTURE_PLUS, body_int(body, best->points)));
    if (moved.n > 0)
        add_words(l, LAYOUT_NOTE, TX0(body, T_PICTURE_MOVED_HEAD), moved);
    bool last = best == &notice->notes[notice->n_notes - 1];
    if (last && (best->why == WHY_STOP || best->why == WHY_HAND_YAKU)) {
        add_yaku(body, l, best);
        return;
    }
    struct score s = {.base = best->base};
    memcpy(s.worth, best->worth, sizeof s.worth);
    if (best->why == WHY_STOP)
        add_words(l, LAYOUT_NOTE, plain(body, body_yaku(body, &s)), (struct str){0});
}

void part_picture_match(struct body *body)
{
    const struct table *t = body->table;
    struct layout l;
    if (!body_can(body, CAN_PICTURE) || body->notice->n_notes == 0)
        return;
    layout_open(&l, t->rules.deck);
    add_words(&l, LAYOUT_TITLE,
              t->view.winner >= 0 ? TX(body, T_PICTURE_MATCH, plain_name(body, t->view.winner))
                                  : TX0(body, T_PICTURE_DRAW),
              (struct str){0});
    add_words(&l, LAYOUT_NOTE, TX0(body, T_PICTURE_BY_ROUND), (struct str){0});
    add_scores(body, &l);
    add_chances(body, &l);
    add_best(body, &l);
    body_picture(body, &l);
}

/* ---- a review: chances to win, round by round ---- */

static void put_percent(struct buf *b, float chance)
{
    if (b->n > 0)
        buf_char(b, ' ');
    buf_print(b, "%d %%", (int)(100 * chance + 0.5f));
}

/* "52 % 89 % 100 %" */
static struct str chance_series(const struct body *body, const struct match_review *review,
                                int seat)
{
    struct buf b = {arena_room(body->a, LAYOUT_BYTES), 0, LAYOUT_BYTES, false};
    put_percent(&b, review->round[0].start[seat]);
    for (int i = 0; i < review->n_rounds; i++)
        put_percent(&b, match_review_after(review, i, seat));
    return buf_str(&b);
}

void part_picture_review(struct body *body)
{
    const struct match_review *review = body->notice->match_review;
    struct layout l;
    if (!body_can(body, CAN_PICTURE) || !review || review->n_rounds < 2)
        return;
    layout_open(&l, body->table->rules.deck);
    add_words(&l, LAYOUT_LINE, TX0(body, T_PICTURE_CHANCES), (struct str){0});
    layout_row(&l, LAYOUT_CURVE);
    for (int i = 0; i < review->players; i++) {
        layout_text(&l, plain_name(body, i));
        layout_text(&l, chance_series(body, review, i));
    }
    body_picture(body, &l);
}

/* ---- a season ---- */

static void add_stand(const struct body *body, struct layout *l, const struct stand *s)
{
    layout_row(l, LAYOUT_TABLE);
    layout_text(l, body_int(body, s->place));
    layout_text(l, plain(body, s->name));
    layout_text(l, body_int(body, s->won));
    layout_text(l, body_int(body, s->drawn));
    layout_text(l, body_int(body, s->lost));
    layout_text(l, body_signed(body, s->points));
}

static void add_columns(const struct body *body, struct layout *l)
{
    static const enum text names[] = {T_PICTURE_WON, T_PICTURE_DRAWN, T_PICTURE_LOST,
                                      T_PICTURE_POINTS};
    layout_row(l, LAYOUT_TABLE);
    layout_text(l, (struct str){0});
    layout_text(l, (struct str){0});
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        layout_text(l, TX0(body, names[i]));
}

void part_picture_season(struct body *body, struct str head)
{
    const struct board_facts *f = body->notice->board;
    struct layout l;
    if (!body_can(body, CAN_PICTURE) || f->n == 0)
        return;
    layout_open(&l, body->w->n_presets > 0 ? body->w->presets[0].deck : "hanafuda");
    add_words(&l, LAYOUT_LINE, plain(body, head), (struct str){0});
    add_columns(body, &l);
    for (int i = 0; i < f->n; i++)
        add_stand(body, &l, &f->at[i]);
    if (f->own)
        add_stand(body, &l, f->own);
    body_picture(body, &l);
}
