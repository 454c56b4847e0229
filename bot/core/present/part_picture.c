/* Pictures of a hand, of a board, of the ends of a round and of a match, of a review, of a season.
 * Each shows what the text beside it says; the words are the same. See part.h. */
#include "part.h"
#include "seasons.h"

#include "review.h"

static struct str plain(const struct draft *d, struct str s)
{
    return draft_unmarked(d, s);
}

static struct str plain_name(const struct draft *d, int seat)
{
    return plain(d, draft_name(d, seat));
}

static void add_words(struct layout *l, enum layout_kind kind, struct str left, struct str right)
{
    layout_row(l, kind);
    layout_text(l, left);
    if (right.n > 0)
        layout_text(l, right);
}

/* ---- a table ---- */

static void add_piles(const struct draft *d, struct layout *l)
{
    const struct view *v = &d->table->view;
    struct str names[MAX_PLAYERS];
    for (int i = 0; i < v->players; i++) {
        struct str name = i == v->seat ? plain(d, TX(d, T_YOU)) : plain_name(d, i);
        names[i] = v->koikoi[i] ? TX(d, T_PICTURE_CALLS, name, draft_int(d, v->koikoi[i])) : name;
    }
    layout_piles(l, v, names);
}

void part_picture_hand(struct draft *d)
{
    const struct view *v = &d->table->view;
    struct str legend = {0};
    struct layout l;
    if (!draft_can(d, CAN_PICTURE) || !(v->field | v->hand))
        return;
    if (v->round_no == 1 && !v->played[v->seat]) /* once is enough */
        legend = TX(d, T_PICTURE_LEGEND);
    layout_open(&l, v->rules.deck);
    add_piles(d, &l);
    layout_table(&l, v, legend);
    draft_picture(d, &l);
}

void part_picture_board(struct draft *d)
{
    const struct view *v = &d->table->view;
    struct layout l;
    if (!draft_can(d, CAN_PICTURE) || !d->at->board_picture)
        return;
    layout_open(&l, v->rules.deck);
    add_words(&l, LAYOUT_LINE, plain(d, draft_scores(d)), (struct str){0});
    add_piles(d, &l);
    layout_row(&l, LAYOUT_FIELD);
    layout_cards(&l, v->field);
    draft_picture(d, &l);
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
static void add_yaku(const struct draft *d, struct layout *l, const struct round_summary *n)
{
    const struct view *v = &d->table->view;
    if (n->why == WHY_HAND_YAKU) {
        add_words(l, LAYOUT_YAKU, d->words->hand_yaku[n->hand], draft_int(d, n->base));
        layout_cards(l, d->notice->shown[n->winner]);
        return;
    }
    for (int y = 0; y < N_YAKU; y++) {
        int need;
        cardset pool = yaku_cards(&v->rules, (enum yaku)y, &need), pile = v->taken[n->winner];
        if (n->worth[y] == 0)
            continue;
        add_words(l, LAYOUT_YAKU, d->words->yaku[y], draft_int(d, n->worth[y]));
        layout_cards(l, y == YAKU_HIKI ? complete_months(pile) : pool & pile);
    }
}

/* "5 + 1 = 6", each factor, the whole. */
static void add_pay(const struct draft *d, struct layout *l, const struct round_summary *n)
{
    int64_t full = n->base;
    struct score s = {.base = n->base};
    memcpy(s.worth, n->worth, sizeof s.worth);
    if (n->why != WHY_HAND_YAKU && draft_is_sum(s.worth))
        add_words(l, LAYOUT_LINE, TX(d, T_PICTURE_SUM), draft_int(d, n->base));
    for (int m = 0; m < N_MULTIPLIERS; m++) {
        if (n->x[m] <= 1)
            continue;
        full *= n->x[m];
        add_words(l, LAYOUT_LINE, TX(d, (enum text)(T_X_SEVEN_PLUS + m)),
                  TX(d, T_PICTURE_TIMES, draft_int(d, n->x[m])));
    }
    add_words(l, LAYOUT_TITLE, TX(d, T_PICTURE_TOTAL), draft_coins(d, full));
    if (n->points < full)
        add_words(l, LAYOUT_NOTE, plain(d, TX(d, T_PAID_CAPPED, draft_coins(d, n->points))),
                  (struct str){0});
}

void part_picture_round(struct draft *d, const struct round_summary *n)
{
    struct layout l;
    bool won = n->why == WHY_STOP || n->why == WHY_HAND_YAKU;
    if (!draft_can(d, CAN_PICTURE) || !won || n->winner < 0)
        return;
    layout_open(&l, d->table->rules.deck);
    add_words(&l, LAYOUT_TITLE,
              TX(d, T_PICTURE_ROUND, plain_name(d, n->winner), draft_int(d, n->round)),
              (struct str){0});
    add_yaku(d, &l, n);
    add_pay(d, &l, n);
    add_words(&l, LAYOUT_LINE, plain(d, draft_scores(d)), (struct str){0});
    draft_picture(d, &l);
}

/* ---- the end of a match ---- */

/* Scores after each round, from the start on: "50 62 38". */
static struct str score_series(const struct draft *d, int seat)
{
    const struct notice *notice = d->notice;
    struct buf b = {arena_room(d->a, LAYOUT_BYTES), 0, LAYOUT_BYTES, false};
    buf_int(&b, rules_start_score(&d->table->rules));
    for (int i = 0; i < notice->rounds.n; i++) {
        buf_char(&b, ' ');
        buf_int(&b, notice->rounds.at[i].scores[seat]);
    }
    return buf_str(&b);
}

/* The round that was worth most; NULL if all were drawn. */
static const struct round_summary *best_round(const struct notice *notice)
{
    const struct round_summary *best = NULL;
    for (int i = 0; i < notice->rounds.n; i++)
        if (notice->rounds.at[i].winner >= 0 &&
            (!best || notice->rounds.at[i].points > best->points))
            best = &notice->rounds.at[i];
    return best;
}

static void add_scores(const struct draft *d, struct layout *l)
{
    const struct table *t = d->table;
    layout_row(l, LAYOUT_CURVE);
    for (int i = 0; i < t->players; i++) {
        layout_text(l, TX(d, T_NAME_SCORE, plain_name(d, i), draft_int(d, t->view.scores[i])));
        layout_text(l, score_series(d, i));
    }
}

static void add_chances(const struct draft *d, struct layout *l)
{
    struct str series[MAX_PLAYERS];
    if (!part_chances(d, series))
        return;
    add_words(l, LAYOUT_NOTE, TX(d, T_PICTURE_CHANCES), (struct str){0});
    layout_row(l, LAYOUT_CURVE);
    for (int i = 0; i < d->table->players; i++) {
        layout_text(l, plain_name(d, i));
        layout_text(l, series[i]);
    }
}

/* The round that moved the chances most, else the one that was worth most: in words, and with its
 * cards if they are still on the table. */
static void add_best(const struct draft *d, struct layout *l)
{
    const struct notice *notice = d->notice;
    struct part_moment m;
    struct str moved = {0};
    const struct round_summary *best = best_round(notice);
    if (part_moment(d, &m) && m.round->winner == m.seat) {
        best = m.round;
        moved = TX(d, T_PICTURE_MOVED, draft_int(d, m.before), draft_int(d, m.after));
    }
    if (!best)
        return;
    add_words(l, LAYOUT_LINE,
              TX(d, T_PICTURE_BEST, draft_int(d, best->round), plain_name(d, best->winner)),
              TX(d, T_PICTURE_PLUS, draft_int(d, best->points)));
    if (moved.n > 0)
        add_words(l, LAYOUT_NOTE, TX(d, T_PICTURE_MOVED_HEAD), moved);
    bool last = best == &notice->rounds.at[notice->rounds.n - 1];
    if (last && (best->why == WHY_STOP || best->why == WHY_HAND_YAKU)) {
        add_yaku(d, l, best);
        return;
    }
    struct score s = {.base = best->base};
    memcpy(s.worth, best->worth, sizeof s.worth);
    if (best->why == WHY_STOP)
        add_words(l, LAYOUT_NOTE, plain(d, draft_yaku(d, s.worth)), (struct str){0});
}

void part_picture_match(struct draft *d)
{
    const struct table *t = d->table;
    struct layout l;
    if (!draft_can(d, CAN_PICTURE) || d->notice->rounds.n == 0)
        return;
    layout_open(&l, t->rules.deck);
    add_words(&l, LAYOUT_TITLE,
              t->view.winner >= 0 ? TX(d, T_PICTURE_MATCH, plain_name(d, t->view.winner))
                                  : TX(d, T_PICTURE_DRAW),
              (struct str){0});
    add_words(&l, LAYOUT_NOTE, TX(d, T_PICTURE_BY_ROUND), (struct str){0});
    add_scores(d, &l);
    add_chances(d, &l);
    add_best(d, &l);
    draft_picture(d, &l);
}

/* ---- a review: chances to win, round by round ---- */

static void put_percent(struct buf *b, float chance)
{
    if (b->n > 0)
        buf_char(b, ' ');
    buf_print(b, "%d %%", (int)(100 * chance + 0.5f));
}

/* "52 % 89 % 100 %" */
static struct str chance_series(const struct draft *d, const struct match_review *review, int seat)
{
    struct buf b = {arena_room(d->a, LAYOUT_BYTES), 0, LAYOUT_BYTES, false};
    put_percent(&b, review->round[0].start[seat]);
    for (int i = 0; i < review->n_rounds; i++)
        put_percent(&b, match_review_after(review, i, seat));
    return buf_str(&b);
}

void part_picture_review(struct draft *d)
{
    const struct match_review *review = d->notice->review;
    struct layout l;
    if (!draft_can(d, CAN_PICTURE) || !review || review->n_rounds < 2)
        return;
    layout_open(&l, d->table->rules.deck);
    add_words(&l, LAYOUT_LINE, TX(d, T_PICTURE_CHANCES), (struct str){0});
    layout_row(&l, LAYOUT_CURVE);
    for (int i = 0; i < review->players; i++) {
        layout_text(&l, plain_name(d, i));
        layout_text(&l, chance_series(d, review, i));
    }
    draft_picture(d, &l);
}

/* ---- a season ---- */

static void add_stand(const struct draft *d, struct layout *l, const struct stand *s)
{
    layout_row(l, LAYOUT_TABLE);
    layout_text(l, draft_int(d, s->place));
    layout_text(l, plain(d, s->name));
    layout_text(l, draft_int(d, s->won));
    layout_text(l, draft_int(d, s->drawn));
    layout_text(l, draft_int(d, s->lost));
    layout_text(l, draft_signed(d, s->points));
}

static void add_columns(const struct draft *d, struct layout *l)
{
    static const enum text names[] = {T_PICTURE_WON, T_PICTURE_DRAWN, T_PICTURE_LOST,
                                      T_PICTURE_POINTS};
    layout_row(l, LAYOUT_TABLE);
    layout_text(l, (struct str){0});
    layout_text(l, (struct str){0});
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        layout_text(l, TX(d, names[i]));
}

void part_picture_season(struct draft *d, struct str head)
{
    const struct board_facts *f = d->notice->seasons->board;
    struct layout l;
    if (!draft_can(d, CAN_PICTURE) || f->n == 0)
        return;
    layout_open(&l, d->w->bot->n_presets > 0 ? d->w->bot->presets[0].deck : "hanafuda");
    add_words(&l, LAYOUT_LINE, plain(d, head), (struct str){0});
    add_columns(d, &l);
    for (int i = 0; i < f->n; i++)
        add_stand(d, &l, &f->at[i]);
    if (f->own)
        add_stand(d, &l, f->own);
    draft_picture(d, &l);
}
