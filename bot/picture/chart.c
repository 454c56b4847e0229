/* Charts: a curve of numbers for each name, above the numbers of the rounds and beside a scale; the
 * bracket of a knock-out. */
#include <stdio.h>

#include "picture_rows.h"

enum {
    CHART_NAME = 38,
    CHART_MOST = 512,
    PAD = 18,
    SCALE = 64, /* left of the curves */
    ROUNDS = 30 /* below them */
};
static const struct colour curve_colours[] = {
    {0.98, 0.80, 0.30}, {0.55, 0.80, 0.98}, {0.98, 0.55, 0.50}, {0.94, 0.96, 0.93}};

struct series {
    int n;
    double at[CHART_MOST];
};

static void read_series(struct str words, struct series *ret)
{
    ret->n = 0;
    for (struct str word = str_word(&words); word.n > 0 && ret->n < CHART_MOST;
         word = str_word(&words)) {
        int64_t v;
        if (str_int(word, &v))
            ret->at[ret->n++] = (double)v;
    }
}

int chart_height(const struct plan *plan, const struct layout_row *row)
{
    return plan->chart + ROUNDS + 3 * GAP + (row->n_texts / 2 + 1) / 2 * CHART_NAME;
}

static void find_range(const struct layout_row *row, double *ret_low, double *ret_high)
{
    struct series s;
    bool any = false;
    *ret_low = *ret_high = 0;
    for (int i = 1; i < row->n_texts; i += 2) {
        read_series(row->text[i], &s);
        for (int k = 0; k < s.n; k++, any = true) {
            *ret_low = !any || s.at[k] < *ret_low ? s.at[k] : *ret_low;
            *ret_high = !any || s.at[k] > *ret_high ? s.at[k] : *ret_high;
        }
    }
    if (*ret_high - *ret_low < 1)
        *ret_high = *ret_low + 1;
}

/* The room of the curves, in units. */
struct plot {
    double left, top, width, height, low, high;
};

static double x_of(const struct plot *f, int i, int n)
{
    return f->left + (n > 1 ? f->width * i / (n - 1) : f->width / 2);
}

static double y_of(const struct plot *f, double value)
{
    return f->top + f->height * (f->high - value) / (f->high - f->low);
}

static void draw_curve(struct paper *p, struct colour c, const struct series *s,
                       const struct plot *f)
{
    double points[2 * CHART_MOST];
    for (int i = 0; i < s->n; i++) {
        points[2 * i] = x_of(f, i, s->n);
        points[2 * i + 1] = y_of(f, s->at[i]);
    }
    paper_line(p, c, 6, points, s->n);
    for (int i = 0; i < s->n; i++)
        paper_disc(p, c, points[2 * i], points[2 * i + 1], i + 1 < s->n ? 5 : 9);
}

static void put_number(struct paper *p, enum paper_align align, int number, double x, double y)
{
    char digits[16];
    struct paper_font font = {21, false, align, paper_pale, SCALE - GAP, PAPER_TEXT};
    snprintf(digits, sizeof digits, "%d", number);
    paper_text(p, font, str_of(digits), x, y);
}

/* The least round step that leaves `most` steps at most: so fine that a low chart has some, too. */
static int step_of(double range, int most)
{
    static const int tenths[] = {10, 15, 20, 25, 30, 40, 50};
    enum { N = sizeof tenths / sizeof *tenths };
    for (int k = 0, unit = 1;; unit *= ++k % N == 0 ? 10 : 1) {
        int step = tenths[k % N] * unit / 10;
        if (tenths[k % N] * unit % 10 == 0 && range / step <= most)
            return step;
    }
}

static void draw_scale(struct paper *p, const struct plot *f, int n)
{
    enum { LINES = 5, LABELS = 12, APART = 24 };
    int lines = (int)(f->height / APART); /* so that numbers do not touch */
    int by = step_of(f->high - f->low, lines < LINES ? lines : LINES), rounds = step_of(n, LABELS);
    for (int v = ((int)f->low - by) / by * by; v <= f->high; v += by) {
        double y = y_of(f, v);
        if (v < f->low)
            continue;
        paper_box(p, paper_felt, f->left, y - 1, f->width, 2);
        put_number(p, PAPER_RIGHT, v, f->left - 16, y + 8);
    }
    for (int i = 0; i < n; i++)
        if (i > 0 && i % rounds == 0)
            put_number(p, PAPER_MIDDLE, i, x_of(f, i, n), f->top + f->height + PAD + ROUNDS - 8);
}

void chart_draw(const struct plan *plan, const struct layout_row *row, int top)
{
    struct paper *p = plan->paper;
    int edge = plan_edge(plan), half = PAPER_WIDTH / 2 - edge;
    struct plot f = {.left = edge + SCALE, .top = top + GAP + PAD, .height = plan->chart - 2 * PAD};
    struct series s = {0};
    f.width = PAPER_WIDTH - edge - f.left - 2 * EDGE;
    find_range(row, &f.low, &f.high);
    paper_box(p, paper_hand, edge, top + GAP, PAPER_WIDTH - 2 * edge, plan->chart + ROUNDS);
    if (row->n_texts > 1)
        read_series(row->text[1], &s);
    draw_scale(p, &f, s.n);
    for (int i = 1; i < row->n_texts; i += 2) {
        struct colour c = curve_colours[i / 2 % 4];
        int line = i / 4, x = edge + i / 2 % 2 * half;
        double y = top + 2 * GAP + plan->chart + ROUNDS + (line + 0.5) * CHART_NAME;
        struct paper_font font = {26, true, PAPER_LEFT, c, half - 44, PAPER_TEXT};
        read_series(row->text[i], &s);
        draw_curve(p, c, &s, &f);
        paper_disc(p, c, x + 12, y, 9);
        paper_text(p, font, row->text[i - 1], x + 32, y + 9);
    }
}

/* ---- a bracket ---- */

enum {
    GAME = 96,
    NAME_LINE = 36,
    TIE = 22
}; /* a game and its gap, a name, the lines between rounds */

/* The first of the rounds beside this one; their number. */
static const struct layout_row *first_round(const struct plan *plan, const struct layout_row *row,
                                            int *ret_n)
{
    const struct layout_row *end = plan->l->row + plan->l->n_rows, *first = row;
    int n = 0;
    while (first > plan->l->row && first[-1].kind == LAYOUT_BRACKET)
        first--;
    while (first + n < end && first[n].kind == LAYOUT_BRACKET)
        n++;
    *ret_n = n;
    return first;
}

int bracket_height(const struct plan *plan, const struct layout_row *row)
{
    int n;
    return first_round(plan, row, &n) == row ? row->n_texts / 2 * GAME : 0;
}

/* True if that player of a game plays in the next round too; of the last one, has won. */
static bool goes_on(const struct plan *plan, const struct layout_row *row, bool last, int game,
                    struct str name)
{
    for (int i = 0; last && i < plan->l->n_rows; i++)
        if (plan->l->row[i].kind == LAYOUT_RESULT && plan->l->row[i].n_texts > 1)
            return str_is(plan->l->row[i].text[1], name);
    return !last && (str_is(row[1].text[game], name) || str_is(row[1].text[game ^ 1], name));
}

/* Both names of a game; who goes on is bright. */
static void draw_game(const struct plan *plan, const struct layout_row *row, bool last, int game,
                      double left, double middle, int room)
{
    for (int k = 0; k < 2; k++) {
        struct str name = row->text[2 * game + k];
        bool on = name.n > 0 && goes_on(plan, row, last, game, name);
        struct paper_font font = {
            24, on, PAPER_LEFT, on ? paper_bright : paper_pale, room - 2 * EDGE, PAPER_TEXT};
        double y = middle + (k - 1) * NAME_LINE;
        paper_box(plan->paper, paper_hand, left, y + k, room, NAME_LINE - 1);
        paper_text(plan->paper, font, name, left + EDGE, y + 26);
    }
}

void bracket_draw(const struct plan *plan, const struct layout_row *row, int top)
{
    int n, edge = plan_edge(plan), games = row->n_texts / 2;
    const struct layout_row *first = first_round(plan, row, &n);
    int round = (int)(row - first), all = bracket_height(plan, first);
    int wide = (PAPER_WIDTH - 2 * edge + TIE) / (n > 0 ? n : 1), room = wide - TIE;
    double left = edge + round * wide, half = games > 0 ? all / (2.0 * games) : 0;
    top -= round > 0 ? all : 0;
    for (int g = 0; g < games; g++) {
        double middle = top + half * (2 * g + 1), right = left + room + TIE / 2.0;
        const double before[] = {left - TIE / 2.0, middle, left, middle};
        const double tie[] = {left + room, middle,
                              right,       middle,
                              right,       games > 1 ? middle + (g % 2 ? -half : half) : middle};
        if (round > 0)
            paper_line(plan->paper, paper_gold, 3, before, 2);
        if (round + 1 < n)
            paper_line(plan->paper, paper_gold, 3, tie, 3);
        draw_game(plan, row, round + 1 == n, g, left, middle, room);
    }
}
