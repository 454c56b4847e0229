/* Charts: curves of series of numbers, as rows of a picture. */
#include "rows_internal.h"

enum { CHART = 260, CHART_NAME = 38, CHART_MOST = 512, PAD = 16 };
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

int row_chart_height(const struct plan *plan, const struct layout_row *row)
{
    (void)plan;
    return CHART + 2 * GAP + (row->n_texts + 1) / 2 * CHART_NAME;
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

static double place_of(const struct series *s, int i)
{
    double width = PAPER_WIDTH - 4 * EDGE;
    return 2 * EDGE + (s->n > 1 ? width * i / (s->n - 1) : width / 2);
}

/* A line for each number. */
static void draw_grid(const struct paper *p, const struct series *s, double top)
{
    for (int i = 0; i < s->n; i++)
        paper_box(p, paper_felt, place_of(s, i) - 1, top + PAD, 2, CHART - 2 * PAD);
}

static void draw_curve(const struct paper *p, struct colour c, const struct series *s, double top,
                       double low, double high)
{
    double points[2 * CHART_MOST], height = CHART - 2 * PAD;
    for (int i = 0; i < s->n; i++) {
        points[2 * i] = place_of(s, i);
        points[2 * i + 1] = top + PAD + height * (high - s->at[i]) / (high - low);
    }
    paper_line(p, c, 5, points, s->n);
    if (s->n > 0)
        paper_disc(p, c, points[2 * s->n - 2], points[2 * s->n - 1], 8);
}

bool row_chart_draw(const struct paper *p, const struct plan *plan, const struct layout_row *row,
                    int top, struct err *err)
{
    double low, high;
    (void)plan;
    paper_box(p, paper_hand, EDGE, top + GAP, PAPER_WIDTH - 2 * EDGE, CHART);
    find_range(row, &low, &high);
    for (int i = 1; i < row->n_texts; i += 2) {
        struct series s;
        struct colour c = curve_colours[i / 2 % 4];
        int y = top + GAP + CHART + i / 2 * CHART_NAME;
        struct paper_font font = {26, true, PAPER_LEFT, c, PAPER_WIDTH - 2 * EDGE - 40};
        read_series(row->text[i], &s);
        if (i == 1)
            draw_grid(p, &s, top + GAP);
        draw_curve(p, c, &s, top + GAP, low, high);
        paper_disc(p, c, EDGE + 12, y + CHART_NAME / 2.0 + 2, 8);
        if (!paper_text(p, font, row->text[i - 1], EDGE + 34, y + CHART_NAME / 2.0 + 11, err))
            return false;
    }
    return true;
}
