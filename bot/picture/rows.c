/* Drawing of rows; see rows.h. The cards of the table are as large as they can be: the number of
 * columns is chosen so that they come out largest on a phone. */
#include "rows_internal.h"

#include <assert.h>

enum {
    NUMBER = 38,
    DISC = 16,
    TAG = 17, /* radius of a number on a field card */
    FRAME = 5
};

struct row_drawing {
    int (*height)(const struct plan *plan, const struct layout_row *row);
    bool (*draw)(const struct paper *p, const struct plan *plan, const struct layout_row *row,
                 int top, struct err *err);
    bool hand_ground;
};

/* ---- cards of the table ---- */

static bool is_numbered_below(const struct plan *plan, const struct layout_row *row)
{
    for (int i = 0; i < row->n_cards; i++)
        if (layout_card_of(plan->l, row, i)->n_numbers > 0)
            return row->kind == LAYOUT_HAND;
    return false;
}

static int lines_of(const struct plan *plan, const struct layout_row *row)
{
    return (row->n_cards + plan->columns - 1) / plan->columns;
}

static int table_height(const struct plan *plan, const struct layout_row *row)
{
    int line = plan->card_h + GAP + (is_numbered_below(plan, row) ? NUMBER : 0);
    return row->n_cards ? lines_of(plan, row) * line + GAP : 0;
}

/* Below a card of the hand. */
static void put_number(const struct paper *p, const struct layout_card *c, int x, int y)
{
    enum { SIZE = 20 };
    if (c->marked)
        paper_disc(p, paper_bright, x, y, DISC);
    paper_number(p, c->marked ? paper_dark : paper_pale, c->number[0], x, y, SIZE);
}

/* On the lower edge of a card of the field. */
static void put_tags(const struct paper *p, const struct layout_card *c, int x, int y, int width)
{
    enum { SIZE = 18, STEP = 2 * TAG + 4 };
    int most = width / STEP, n = c->n_numbers;
    for (int i = 0; i < n; i++) {
        int line = i / most, here = n - line * most < most ? n - line * most : most;
        double tag_x = x + width / 2.0 + (i % most - (here - 1) / 2.0) * STEP;
        double tag_y = y - TAG - 6 - line * STEP;
        paper_disc(p, paper_dark, tag_x, tag_y, TAG + 3);
        paper_disc(p, paper_bright, tag_x, tag_y, TAG);
        paper_number(p, paper_dark, c->number[i], tag_x, tag_y, SIZE);
    }
}

static bool draw_table_card(const struct paper *p, const struct plan *plan,
                            const struct layout_row *row, const struct layout_card *c, int x, int y,
                            struct err *err)
{
    if (row->kind == LAYOUT_DRAWN)
        paper_box(p, paper_bright, x - FRAME, y - FRAME, plan->card_w + 2 * FRAME,
                  plan->card_h + 2 * FRAME);
    if (!paper_put_card(p, c->card, x, y, plan->card_w, err))
        return false;
    if (c->n_numbers > 0 && row->kind == LAYOUT_HAND)
        put_number(p, c, x + plan->card_w / 2, y + plan->card_h + NUMBER / 2);
    else
        put_tags(p, c, x, y + plan->card_h, plan->card_w);
    return true;
}

/* Lines of equal length where possible, centred. */
static bool draw_table(const struct paper *p, const struct plan *plan, const struct layout_row *row,
                       int top, struct err *err)
{
    if (row->n_cards == 0)
        return true;
    int lines = lines_of(plan, row), a_line = (row->n_cards + lines - 1) / lines;
    int line_h = (table_height(plan, row) - GAP) / lines;
    for (int i = 0; i < row->n_cards; i++) {
        int line = i / a_line, first = line * a_line;
        int here = row->n_cards - first < a_line ? row->n_cards - first : a_line;
        int left = (PAPER_WIDTH - here * plan->card_w - (here - 1) * GAP) / 2;
        if (!draw_table_card(p, plan, row, layout_card_of(plan->l, row, i),
                             left + (i - first) * (plan->card_w + GAP), top + GAP + line * line_h,
                             err))
            return false;
    }
    return true;
}

/* ---- captures ---- */

enum { PILE_CARD = 46, PILE_NAME = 30, PILE_STEP = 31, PILE_PLAIN_STEP = 9, PILE_GAP = 10 };

static int pile_height(const struct plan *plan, const struct layout_row *row)
{
    bool shared = row > plan->l->row && row[-1].kind == LAYOUT_PILE;
    return shared ? 0 : PILE_NAME + paper_card_height(PILE_CARD) + GAP + 4;
}

/* Index of the row among its neighbours of the same kind, and their number. */
static int among_piles(const struct plan *plan, const struct layout_row *row, int *ret_n)
{
    const struct layout_row *first = row, *end = plan->l->row + plan->l->n_rows;
    while (first > plan->l->row && first[-1].kind == LAYOUT_PILE)
        first--;
    int n = 0;
    while (first + n < end && first[n].kind == LAYOUT_PILE)
        n++;
    *ret_n = n;
    return (int)(row - first);
}

/* Where each card of a pile lies, from 0: brights, animals, ribbons side by side, plains in a heap.
 * Returns the width of all. */
static int lay_pile(const struct plan *plan, const struct layout_row *row, int card[], double at[],
                    double *ret_step)
{
    int n = 0;
    double x = 0, step = *ret_step;
    for (int kind = CARD_BRIGHT; kind <= CARD_PLAIN; kind++) {
        double by = kind == CARD_PLAIN ? step * PILE_PLAIN_STEP / PILE_STEP : step;
        int before = n;
        for (int i = 0; i < row->n_cards; i++) {
            int c = layout_card_of(plan->l, row, i)->card;
            if ((int)card_kind(c) != kind)
                continue;
            if (n == before && n > 0)
                x += PILE_CARD - by + PILE_GAP * step / PILE_STEP - (step - by);
            card[n] = c;
            at[n++] = x;
            x += by;
        }
        if (n > before)
            x += step - by;
    }
    return n ? (int)(at[n - 1] + PILE_CARD) : 0;
}

static bool draw_pile(const struct paper *p, const struct plan *plan, const struct layout_row *row,
                      int top, struct err *err)
{
    int n, me = among_piles(plan, row, &n), card[N_CARDS];
    double at[N_CARDS], step = PILE_STEP;
    assert(n > 0); /* this row is one of them */
    int left = EDGE + me * PAPER_WIDTH / n, room = PAPER_WIDTH / n - 2 * EDGE;
    top -= me > 0 ? PILE_NAME + paper_card_height(PILE_CARD) + GAP + 4 : 0;
    struct paper_font font = {22, true, PAPER_LEFT, paper_pale, room};
    if (row->n_texts > 0 && !paper_text(p, font, row->text[0], left, top + 24, err))
        return false;
    while (lay_pile(plan, row, card, at, &step) > room && step > 4)
        step -= 0.5;
    for (int i = 0; i < row->n_cards; i++)
        if (!paper_put_card(p, card[i], left + (int)at[i], top + PILE_NAME, PILE_CARD, err))
            return false;
    return true;
}

/* ---- yaku ---- */

enum { YAKU_CARD = 108, YAKU_NAME = 44 };

static int yaku_height(const struct plan *plan, const struct layout_row *row)
{
    (void)plan;
    return YAKU_NAME + (row->n_cards ? paper_card_height(YAKU_CARD) + 2 * GAP : 0);
}

static bool draw_yaku(const struct paper *p, const struct plan *plan, const struct layout_row *row,
                      int top, struct err *err)
{
    struct paper_font name = {28, true, PAPER_LEFT, paper_pale, PAPER_WIDTH * 3 / 4};
    struct paper_font worth = {30, true, PAPER_RIGHT, paper_bright, PAPER_WIDTH / 4 - 3 * EDGE};
    if (row->n_texts > 0 && !paper_text(p, name, row->text[0], EDGE, top + 33, err))
        return false;
    if (row->n_texts > 1 && !paper_text(p, worth, row->text[1], PAPER_WIDTH - EDGE, top + 33, err))
        return false;
    double room = PAPER_WIDTH - 2 * EDGE - YAKU_CARD, step = YAKU_CARD + GAP;
    if (row->n_cards > 1 && step * (row->n_cards - 1) > room)
        step = room / (row->n_cards - 1);
    for (int i = 0; i < row->n_cards; i++)
        if (!paper_put_card(p, layout_card_of(plan->l, row, i)->card, EDGE + (int)(i * step),
                            top + YAKU_NAME, YAKU_CARD, err))
            return false;
    return true;
}

/* ---- words ---- */

struct words_style {
    int size, height;
    bool bold;
};
static const struct words_style title_style = {36, 58, true}, line_style = {28, 44, false},
                                note_style = {22, 34, false};

static struct words_style style_of(const struct layout_row *row)
{
    return row->kind == LAYOUT_TITLE  ? title_style
           : row->kind == LAYOUT_LINE ? line_style
                                      : note_style;
}

static int words_height(const struct plan *plan, const struct layout_row *row)
{
    (void)plan;
    return style_of(row).height;
}

static bool draw_words(const struct paper *p, const struct plan *plan, const struct layout_row *row,
                       int top, struct err *err)
{
    (void)plan;
    struct words_style s = style_of(row);
    bool two = row->n_texts > 1 && row->text[1].n > 0, legend = row->kind == LAYOUT_LEGEND;
    int room = PAPER_WIDTH - 2 * EDGE, left = EDGE, base = top + s.height / 2 + s.size * 3 / 8;
    struct paper_font font = {s.size, s.bold, PAPER_LEFT,
                              row->kind == LAYOUT_NOTE || legend ? paper_dim : paper_pale,
                              two ? room * 3 / 4 : room};
    if (legend) {
        paper_disc(p, paper_bright, EDGE + 11, top + s.height / 2.0, 11);
        paper_number(p, paper_dark, 1, EDGE + 11, top + s.height / 2.0, 12);
        left += 30;
        font.room -= 30;
    }
    if (row->n_texts > 0 && !paper_text(p, font, row->text[0], left, base, err))
        return false;
    font.align = PAPER_RIGHT;
    font.room = room / 4;
    font.bold = true;
    font.colour = paper_bright;
    return !two || paper_text(p, font, row->text[1], PAPER_WIDTH - EDGE, base, err);
}

/* ---- tables ---- */

enum { TABLE_LINE = 46 };

static int line_height(const struct plan *plan, const struct layout_row *row)
{
    (void)plan, (void)row;
    return TABLE_LINE;
}

/* The first column is a place, the second a name, the others are numbers. */
static bool draw_line(const struct paper *p, const struct plan *plan, const struct layout_row *row,
                      int top, struct err *err)
{
    enum { PLACE = 56, COLUMN = 92 };
    (void)plan;
    bool odd = (row - plan->l->row) % 2;
    int base = top + TABLE_LINE / 2 + 10;
    if (odd)
        paper_box(p, paper_hand, 0, top, PAPER_WIDTH, TABLE_LINE);
    for (int i = 0; i < row->n_texts; i++) {
        bool number = i != 1;
        double x = i == 0   ? PLACE - EDGE
                   : i == 1 ? PLACE + EDGE
                            : PAPER_WIDTH - EDGE - (row->n_texts - 1 - i) * COLUMN;
        struct paper_font font = {
            26, i == 1, number ? PAPER_RIGHT : PAPER_LEFT, i == 0 ? paper_dim : paper_pale,
            i == 1 ? PAPER_WIDTH - PLACE - 2 * EDGE - (row->n_texts - 2) * COLUMN : COLUMN - EDGE};
        if (!paper_text(p, font, row->text[i], x, base, err))
            return false;
    }
    return true;
}

/* ---- the whole ---- */

static const struct row_drawing row_kinds[LAYOUT_KINDS] = {
    [LAYOUT_TITLE] = {words_height, draw_words, false},
    [LAYOUT_LINE] = {words_height, draw_words, false},
    [LAYOUT_NOTE] = {words_height, draw_words, false},
    [LAYOUT_LEGEND] = {words_height, draw_words, true},
    [LAYOUT_PILE] = {pile_height, draw_pile, false},
    [LAYOUT_FIELD] = {table_height, draw_table, false},
    [LAYOUT_DRAWN] = {table_height, draw_table, false},
    [LAYOUT_HAND] = {table_height, draw_table, true},
    [LAYOUT_YAKU] = {yaku_height, draw_yaku, false},
    [LAYOUT_TABLE] = {line_height, draw_line, false},
    [LAYOUT_CURVE] = {row_chart_height, row_chart_draw, false},
};

static int height_of(const struct plan *plan)
{
    int height = 0;
    for (int i = 0; i < plan->l->n_rows; i++)
        height += row_kinds[plan->l->row[i].kind].height(plan, &plan->l->row[i]);
    return height;
}

static struct plan plan_with(const struct layout *l, int columns)
{
    int width = (PAPER_WIDTH - (columns - 1) * GAP) / columns;
    width = width > PAPER_CARD ? PAPER_CARD : width;
    return (struct plan){l, columns, width, paper_card_height(width)};
}

/* A phone shows a picture 300 points wide and at most 400 high. */
static struct plan plan_of(const struct layout *l)
{
    enum { FEWEST = 4, MOST = 5, WIDE = 300, HIGH = 400 };
    struct plan best = plan_with(l, FEWEST);
    double largest = 0;
    for (int columns = FEWEST; columns <= MOST; columns++) {
        struct plan plan = plan_with(l, columns);
        int height = height_of(&plan);
        double scale =
            height * WIDE > HIGH * PAPER_WIDTH ? (double)HIGH / height : (double)WIDE / PAPER_WIDTH;
        if (plan.card_w * scale > largest) {
            largest = plan.card_w * scale;
            best = plan;
        }
    }
    return best;
}

int rows_height(const struct layout *l)
{
    struct plan plan = plan_of(l);
    return height_of(&plan);
}

bool rows_draw(const struct paper *p, const struct layout *l, struct err *err)
{
    struct plan plan = plan_of(l);
    int top = 0;
    for (int i = 0; i < l->n_rows; i++) {
        const struct layout_row *row = &l->row[i];
        const struct row_drawing *kind = &row_kinds[row->kind];
        int height = kind->height(&plan, row);
        if (kind->hand_ground)
            paper_box(p, paper_hand, 0, top, PAPER_WIDTH, height);
        if (!kind->draw(p, &plan, row, top, err))
            return false;
        top += height;
    }
    return true;
}
