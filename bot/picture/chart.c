/* Charts: a curve of numbers for each name, above the numbers of the rounds and beside a scale. */
#include <stdio.h>

#include "picture_rows.h"

enum {
    CHART = 220,
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
    (void)plan;
    return CHART + ROUNDS + 2 * GAP + (row->n_texts / 2 + 1) / 2 * CHART_NAME;
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

/* The least step of 1, 2, 5, 10, 20 ... that leaves `most` steps at most. */
static int step_of(double range, int most)
{
    int step = 1;
    for (int k = 0; range / step > most; k++)
        step = k % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

static void draw_scale(struct paper *p, const struct plot *f, int n)
{
    enum { LINES = 4, LABELS = 12 };
    int by = step_of(f->high - f->low, LINES), rounds = step_of(n, LABELS);
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
    struct plot f = {.left = edge + SCALE, .top = top + GAP + PAD, .height = CHART - 2 * PAD};
    struct series s = {0};
    f.width = PAPER_WIDTH - edge - f.left - 2 * EDGE;
    find_range(row, &f.low, &f.high);
    paper_box(p, paper_hand, edge, top + GAP, PAPER_WIDTH - 2 * edge, CHART + ROUNDS);
    if (row->n_texts > 1)
        read_series(row->text[1], &s);
    draw_scale(p, &f, s.n);
    for (int i = 1; i < row->n_texts; i += 2) {
        struct colour c = curve_colours[i / 2 % 4];
        int line = i / 4, x = edge + i / 2 % 2 * half;
        double y = top + 2 * GAP + CHART + ROUNDS + (line + 0.5) * CHART_NAME;
        struct paper_font font = {26, true, PAPER_LEFT, c, half - 44, PAPER_TEXT};
        read_series(row->text[i], &s);
        draw_curve(p, c, &s, &f);
        paper_disc(p, c, x + 12, y, 9);
        paper_text(p, font, row->text[i - 1], x + 32, y + 9);
    }
}
