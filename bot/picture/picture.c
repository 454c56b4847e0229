/* Pictures: the drawing of each kind of row, names, and drawing as a job; see picture.h. The cards
 * of the table are as large as they can be in a picture that leaves room on a phone for what stands
 * under it. */
#include "picture.h"

#include <assert.h>
#include <sodium.h>

#include "picture_rows.h"

_Static_assert((int)PICTURE_WIDTH == (int)PAPER_PIXELS, "a picture is as wide as its paper");

enum {
    NUMBER = 38,
    DISC = 16,
    TAG = 17, /* radius of a number on a field card */
    FRAME = 5,
    TABLE_HIGH = 676, /* of a picture with a table: 338 of the 360 points that a phone is wide */
    POSTER_HIGH = 760 /* of a poster with yaku or a chart: 380 points */
};

/* A kind of row: its height, or what reckons it; its drawing. */
struct row_drawing {
    int height;
    int (*height_of)(const struct plan *plan, const struct layout_row *row);
    void (*draw)(const struct plan *plan, const struct layout_row *row, int top);
    bool hand_ground;
};

/* ---- cards of the table ---- */

static const struct layout_row *row_beside(const struct plan *plan, const struct layout_row *row,
                                           int by, enum layout_kind kind)
{
    ptrdiff_t i = row - plan->l->row + by;
    return i >= 0 && i < plan->l->n_rows && plan->l->row[i].kind == kind ? row + by : NULL;
}

/* The drawn card lies behind the cards of the field. */
static int cells_of(const struct plan *plan, const struct layout_row *row)
{
    const struct layout_row *field = row_beside(plan, row, -1, LAYOUT_FIELD);
    if (row->kind == LAYOUT_DRAWN && field)
        return 0;
    return row->n_cards + (row->kind == LAYOUT_FIELD && row_beside(plan, row, 1, LAYOUT_DRAWN));
}

static const struct grid *grid_of(const struct plan *plan, const struct layout_row *row)
{
    return row->kind == LAYOUT_HAND ? &plan->hand : &plan->field;
}

static int line_height(const struct plan *plan, const struct layout_row *row)
{
    bool numbered = false;
    for (int i = 0; i < row->n_cards && row->kind == LAYOUT_HAND; i++)
        numbered |= layout_card_of(plan->l, row, i)->n_numbers > 0;
    return grid_of(plan, row)->card_h + GAP + (numbered ? NUMBER : 0);
}

static int table_height(const struct plan *plan, const struct layout_row *row)
{
    return cells_of(plan, row) ? grid_of(plan, row)->lines * line_height(plan, row) + GAP : 0;
}

/* On the lower edge of a card of the field. */
static void put_tags(struct paper *p, const struct layout_card *c, int x, int y, int width)
{
    enum { SIZE = 18, STEP = 2 * TAG + 4 };
    int most = width > STEP ? width / STEP : 1, n = c->n_numbers;
    for (int i = 0; i < n; i++) {
        int line = i / most, here = n - line * most < most ? n - line * most : most;
        double tag_x = x + width / 2.0 + (i % most - (here - 1) / 2.0) * STEP;
        double tag_y = y - TAG - 6 - line * STEP;
        paper_disc(p, paper_dark, tag_x, tag_y, TAG + 3);
        paper_disc(p, paper_bright, tag_x, tag_y, TAG);
        paper_number(p, paper_dark, c->number[i], tag_x, tag_y, SIZE);
    }
}

/* A card with a bright edge. */
static void put_framed(struct paper *p, int card, int x, int y, int width, int frame)
{
    if (frame > 0)
        paper_box(p, paper_bright, x - frame, y - frame, width + 2 * frame,
                  paper_card_height(width) + 2 * frame);
    paper_put_card(p, card, x, y, width);
}

static void draw_table_card(const struct plan *plan, const struct layout_row *row,
                            const struct layout_card *c, int x, int y)
{
    const struct grid *g = grid_of(plan, row);
    struct paper *p = plan->paper;
    bool framed = row->kind == LAYOUT_DRAWN || (row->kind == LAYOUT_FIELD && c->marked);
    put_framed(p, c->card, x, y, g->card_w, framed ? FRAME : 0);
    if (c->n_numbers == 0 || row->kind != LAYOUT_HAND) {
        put_tags(p, c, x, y + g->card_h, g->card_w);
        return;
    }
    int middle = x + g->card_w / 2, below = y + g->card_h + NUMBER / 2;
    if (c->marked)
        paper_disc(p, paper_bright, middle, below, DISC);
    paper_number(p, c->marked ? paper_dark : paper_pale, c->number[0], middle, below, 20);
}

/* Lines of equal length where possible, centred. */
static void draw_table(const struct plan *plan, const struct layout_row *row, int top)
{
    const struct grid *g = grid_of(plan, row);
    int cells = cells_of(plan, row), a_line = cells > 0 ? (cells + g->lines - 1) / g->lines : 0;
    int line_h = line_height(plan, row);
    for (int i = 0; i < cells; i++) {
        int line = i / a_line, first = line * a_line;
        int here = cells - first < a_line ? cells - first : a_line;
        int left = (PAPER_WIDTH - here * g->card_w - (here - 1) * GAP) / 2;
        const struct layout_row *of = i < row->n_cards ? row : row + 1;
        draw_table_card(plan, of, layout_card_of(plan->l, of, i < row->n_cards ? i : 0),
                        left + (i - first) * (g->card_w + GAP), top + GAP + line * line_h);
    }
}

/* ---- captures ---- */

enum {
    PILE_CARD = 54,
    PILE_NAME = 34,
    PILE_STEP = 38,
    PILE_PLAIN_STEP = 11,
    PILE_GAP = 12,
    PILE_EDGE = 3
};

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

/* Neighbours lie side by side; one line of words while they have no card. */
static int pile_height(const struct plan *plan, const struct layout_row *row)
{
    int n, cards = 0, me = among_piles(plan, row, &n);
    for (int i = 0; i < n; i++)
        cards += row[i - me].n_cards;
    return me > 0 ? 0 : PILE_NAME + (cards ? paper_card_height(PILE_CARD) + GAP + 4 : 0);
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

/* Units of a pile among so many side by side. */
static int pile_room(int me, int n)
{
    return PAPER_WIDTH / n - (me + 1 < n ? 3 : 2) * EDGE;
}

/* A name, and what is near. */
static void pile_fonts(double share, struct paper_font ret[static 2])
{
    ret[0] = (struct paper_font){(int)(24 * share), true, PAPER_LEFT, paper_pale, 0, PAPER_TEXT};
    ret[1] = (struct paper_font){(int)(20 * share), false, PAPER_RIGHT, paper_pale, 0, PAPER_TEXT};
}

static double pile_share(const struct plan *plan, const struct layout_row *row)
{
    struct paper_font font[2];
    int n, me = among_piles(plan, row, &n);
    pile_fonts(1, font);
    return plan_share(font[0], row_text(row, 0), font[1], row_text(row, 1), pile_room(me, n));
}

/* The owner's name, at the right what is near; below them the cards. */
static void draw_pile(const struct plan *plan, const struct layout_row *row, int top)
{
    int n, me = among_piles(plan, row, &n), card[N_CARDS];
    double at[N_CARDS], step = PILE_STEP;
    assert(n > 0); /* this row is one of them */
    int left = EDGE + me * PAPER_WIDTH / n;
    int room = pile_room(me, n);
    top -= pile_height(plan, row - me) * (me > 0);
    struct paper_font font[2];
    pile_fonts(plan_least(plan, LAYOUT_PILE, pile_share), font);
    paper_text(plan->paper, font[0], row_text(row, 0), left, top + 25);
    paper_text(plan->paper, font[1], row_text(row, 1), left + room, top + 25);
    while (lay_pile(plan, row, card, at, &step) > room && step > 4)
        step -= 0.5;
    for (int i = 0; i < row->n_cards; i++) {
        bool last = false;
        for (int k = 0; k < row->n_cards; k++)
            last |= layout_card_of(plan->l, row, k)->card == card[i] &&
                    layout_card_of(plan->l, row, k)->marked;
        put_framed(plan->paper, card[i], left + (int)at[i], top + PILE_NAME, PILE_CARD,
                   last ? PILE_EDGE : 0);
    }
}

/* ---- words ---- */

enum { TITLE = 58, LINE = 44, NOTE = 34, HEAD = 40 }; /* heights */

static void draw_words(const struct plan *plan, const struct layout_row *row, int top)
{
    bool title = row->kind == LAYOUT_TITLE, line = row->kind == LAYOUT_LINE,
         legend = row->kind == LAYOUT_LEGEND;
    int height = title ? TITLE : line ? LINE : NOTE, size = title ? 36 : line ? 28 : 22;
    bool two = row->n_texts > 1 && row->text[1].n > 0;
    int edge = plan_edge(plan), room = PAPER_WIDTH - 2 * edge, left = edge;
    int base = top + height / 2 + size * 3 / 8;
    struct paper_font font = {size,
                              title,
                              PAPER_LEFT,
                              title || line ? paper_pale : paper_dim,
                              two ? room * 3 / 4 : room,
                              title ? PAPER_DISPLAY : PAPER_TEXT};
    if (legend) {
        paper_disc(plan->paper, paper_bright, EDGE + 11, top + height / 2.0, 11);
        paper_number(plan->paper, paper_dark, 1, EDGE + 11, top + height / 2.0, 12);
        left += 30;
        font.room -= 30;
    }
    if (row->n_texts > 0)
        paper_text(plan->paper, font, row->text[0], left, base);
    font.align = PAPER_RIGHT;
    font.room = room / 4;
    font.bold = true;
    font.colour = paper_bright;
    if (two)
        paper_text(plan->paper, font, row->text[1], PAPER_WIDTH - edge, base);
}

/* The line above a table: which round it is, and what its reader has to know first. */
static void draw_head(const struct plan *plan, const struct layout_row *row, int top)
{
    struct paper_font left = {24, false, PAPER_LEFT, paper_pale, PAPER_WIDTH * 11 / 20, PAPER_TEXT};
    struct paper_font right = {24,        true, PAPER_RIGHT, paper_bright, PAPER_WIDTH * 8 / 20,
                               PAPER_TEXT};
    paper_box(plan->paper, paper_hand, 0, top, PAPER_WIDTH, HEAD - 4);
    if (row->n_texts > 0)
        paper_text(plan->paper, left, row->text[0], EDGE, top + 26);
    if (row->n_texts > 1)
        paper_text(plan->paper, right, row->text[1], PAPER_WIDTH - EDGE, top + 26);
}

/* ---- tables ---- */

enum { TABLE_LINE = 46 };

/* The first column is a place, the second a name, the others are figures. */
static void draw_line(const struct plan *plan, const struct layout_row *row, int top)
{
    enum { PLACE = 46, SUMS = 116, RATING = 156, TOTAL = 96 };
    static const int widths[][3] = {{0}, {TOTAL}, {RATING, TOTAL}, {SUMS, RATING, TOTAL}};
    int edge = plan_edge(plan), right = PAPER_WIDTH - edge, base = top + TABLE_LINE / 2 + 9;
    int columns = row->n_texts > 2 ? row->n_texts - 2 : 0, figures = 0;
    columns = columns < 3 ? columns : 3;
    for (int i = 0; i < columns; i++)
        figures += widths[columns][i];
    int name = right - edge - PLACE - 2 * EDGE - figures;
    double column = right - EDGE - figures;
    if ((row - plan->l->row) % 2)
        paper_box(plan->paper, paper_hand, edge, top, right - edge, TABLE_LINE);
    for (int i = 0; i < row->n_texts && i < columns + 2; i++) {
        int width = i > 1 ? widths[columns][i - 2] : PLACE;
        double x = i == 0 ? edge + PLACE - EDGE : i == 1 ? edge + PLACE + EDGE : (column += width);
        struct paper_font font = {25,
                                  i == 1,
                                  i == 1 ? PAPER_LEFT : PAPER_RIGHT,
                                  i == 0 ? paper_dim : paper_pale,
                                  i == 1 ? name : width - EDGE,
                                  PAPER_TEXT};
        paper_text(plan->paper, font, row->text[i], x, base);
    }
}

/* ---- the whole ---- */

static const struct row_drawing row_kinds[LAYOUT_KINDS] = {
    [LAYOUT_TITLE] = {TITLE, .draw = draw_words},
    [LAYOUT_LINE] = {LINE, .draw = draw_words},
    [LAYOUT_NOTE] = {NOTE, .draw = draw_words},
    [LAYOUT_LEGEND] = {NOTE, .draw = draw_words, .hand_ground = true},
    [LAYOUT_HEAD] = {HEAD, .draw = draw_head},
    [LAYOUT_PILE] = {.height_of = pile_height, .draw = draw_pile},
    [LAYOUT_FIELD] = {.height_of = table_height, .draw = draw_table},
    [LAYOUT_DRAWN] = {.height_of = table_height, .draw = draw_table},
    [LAYOUT_HAND] = {.height_of = table_height, .draw = draw_table, .hand_ground = true},
    [LAYOUT_YAKU] = {.height_of = yaku_height, .draw = yaku_draw},
    [LAYOUT_MOMENT] = {.height_of = moment_height, .draw = moment_draw},
    [LAYOUT_TABLE] = {TABLE_LINE, .draw = draw_line},
    [LAYOUT_CURVE] = {.height_of = chart_height, .draw = chart_draw},
    [LAYOUT_BRACKET] = {.height_of = bracket_height, .draw = bracket_draw},
    [LAYOUT_SPLASH] = {.height_of = splash_height, .draw = splash_draw},
    [LAYOUT_FACE] = {.height_of = face_height, .draw = face_draw},
    [LAYOUT_RESULT] = {RESULT_HIGH, .draw = result_draw},
    [LAYOUT_SEALS] = {.height_of = seals_height, .draw = seals_draw},
    [LAYOUT_SIGN] = {SIGN_HIGH, .draw = sign_draw},
};

static int row_height(const struct plan *plan, const struct layout_row *row)
{
    const struct row_drawing *kind = &row_kinds[row->kind];
    return kind->height_of ? kind->height_of(plan, row) : kind->height;
}

static int height_of(const struct plan *plan)
{
    int height = layout_is_poster(plan->l) ? 2 * POSTER_TOP : 0;
    for (int i = 0; i < plan->l->n_rows; i++)
        height += row_height(plan, &plan->l->row[i]);
    return height;
}

static int most_cells(const struct plan *plan, bool hand)
{
    int most = 0;
    for (int i = 0; i < plan->l->n_rows; i++) {
        const struct layout_row *row = &plan->l->row[i];
        bool table = row->kind == LAYOUT_FIELD || row->kind == LAYOUT_DRAWN;
        if ((hand && row->kind == LAYOUT_HAND) || (!hand && table)) {
            int n = cells_of(plan, row);
            most = n > most ? n : most;
        }
    }
    return most;
}

/* So many cells in so many lines, as wide as the picture allows and at most `widest`. */
static struct grid grid_with(int cells, int lines, int widest)
{
    int columns = cells > 0 ? (cells + lines - 1) / lines : 1;
    int width = (PAPER_WIDTH - (columns + 1) * GAP) / columns;
    width = width < widest ? width : widest;
    return (struct grid){lines, columns, width, paper_card_height(width)};
}

/* The smaller of the two widths counts most. */
static int worth_of(const struct plan *plan, int hand, int field)
{
    int h = plan->hand.card_w, f = plan->field.card_w;
    return (hand ? h : 0) + (field ? f : 0) + 3 * (field == 0 || (hand && h < f) ? h : f);
}

/* A chart and the cards of yaku are as large as they can be in a poster of that height, else in one
 * half as high again; a longer one has small ones. */
static void fit_poster(struct plan *plan)
{
    static const struct {
        int chart, narrowest;
    } tries[] = {{220, PAPER_CARD}, {160, 64}, {120, 40}};
    enum { STEP = 4 };
    for (int most = POSTER_HIGH; most < 2 * POSTER_HIGH; most += POSTER_HIGH / 2)
        for (size_t k = 0; k < sizeof tries / sizeof *tries; k++)
            for (plan->yaku = PAPER_CARD; plan->yaku >= tries[k].narrowest; plan->yaku -= STEP) {
                plan->chart = tries[k].chart;
                if (height_of(plan) <= most)
                    return;
            }
}

/* The cards of a table are as large as they can be in a picture of that height: those of the hand,
 * and those of the field in the room that is left. */
static struct plan plan_of(const struct layout *l)
{
    enum { WIDEST = 120, NARROWEST = 40, STEP = 8, HAND_LINES = 2, FIELD_LINES = 4 };
    struct plan plan = {.l = l}, best;
    fit_poster(&plan);
    int hand = most_cells(&plan, true), field = most_cells(&plan, false), most = 0;
    plan.hand = grid_with(hand, HAND_LINES, NARROWEST);
    plan.field = grid_with(field, FIELD_LINES, NARROWEST);
    best = plan;
    for (int lines = 0; lines < HAND_LINES * FIELD_LINES && hand + field > 0; lines++)
        for (int h = WIDEST; h >= NARROWEST; h -= STEP)
            for (int f = WIDEST; f >= NARROWEST; f -= STEP) {
                plan.hand = grid_with(hand, lines / FIELD_LINES + 1, h);
                plan.field = grid_with(field, lines % FIELD_LINES + 1, f);
                if (plan.hand.card_w <= h - STEP || plan.field.card_w <= f - STEP)
                    continue; /* the next step is the same */
                int worth = worth_of(&plan, hand, field);
                if (worth > most && height_of(&plan) <= TABLE_HIGH) {
                    most = worth;
                    best = plan;
                }
            }
    return best;
}

int picture_height(const struct layout *l)
{
    struct plan plan = plan_of(l);
    return paper_pixels(height_of(&plan));
}

bool picture_draw(const struct picture_ask *ask, struct buf *ret, struct err *err)
{
    const struct layout *l = &ask->layout;
    struct paper paper;
    struct plan plan = plan_of(l);
    int height = height_of(&plan), top = 0;
    if (height == 0)
        return err_set(err, "picture: there is no card");
    if (!paper_open(&paper, ask->deck, height, err))
        return false;
    plan.paper = &paper;
    if (layout_is_poster(l)) {
        paper_ground(&paper);
        top = POSTER_TOP;
    }
    for (int i = 0; i < l->n_rows; i++, top += height) {
        const struct row_drawing *kind = &row_kinds[l->row[i].kind];
        height = row_height(&plan, &l->row[i]);
        if (kind->hand_ground)
            paper_box(&paper, paper_hand, 0, top, PAPER_WIDTH, height);
        kind->draw(&plan, &l->row[i], top);
    }
    bool good = paper_png(&paper, ret, err);
    paper_close(&paper);
    return good;
}

bool picture_ask(struct decks *d, struct str text, struct picture_ask *ret, struct err *err)
{
    struct picture_ask ask = {0};
    if (!layout_read(text, &ask.layout, err) ||
        !decks_find(d, str_of(ask.layout.deck), &ask.deck, err))
        return false;
    *ret = ask;
    return true;
}

/* ---- names ---- */

static void hash_row(crypto_generichash_state *state, const struct picture_ask *ask,
                     const struct layout_row *row)
{
    uint8_t head[] = {row->kind, row->n_cards, row->n_texts};
    crypto_generichash_update(state, head, sizeof head);
    for (int i = 0; i < row->n_cards; i++) {
        const struct layout_card *c = layout_card_of(&ask->layout, row, i);
        uint8_t kind = (uint8_t)card_kind(c->card); /* captures are sorted by it */
        uint8_t marked = c->marked;
        crypto_generichash_update(state, &kind, 1);
        crypto_generichash_update(state, &c->n_numbers, 1);
        crypto_generichash_update(state, c->number, c->n_numbers);
        crypto_generichash_update(state, &marked, 1);
        crypto_generichash_update(state, deck_mark(ask->deck, c->card), DECK_MARK);
    }
    for (int i = 0; i < row->n_texts; i++) {
        uint32_t n = (uint32_t)row->text[i].n;
        crypto_generichash_update(state, (const uint8_t *)&n, sizeof n);
        crypto_generichash_update(state, (const uint8_t *)row->text[i].p, n);
    }
}

void picture_name(const struct picture_ask *ask, char ret[static PICTURE_NAME_SIZE])
{
    crypto_generichash_state state;
    uint8_t hash[(PICTURE_NAME_SIZE - 1) / 2], version = PICTURE_VERSION;
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    crypto_generichash_update(&state, &version, 1);
    for (int i = 0; i < ask->layout.n_rows; i++)
        hash_row(&state, ask, &ask->layout.row[i]);
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(ret, PICTURE_NAME_SIZE, hash, sizeof hash);
}

/* ---- the job: its input is the deck, and the text of the layout ---- */

bool picture_order(struct decks *d, struct str text, struct arena *a, struct str *ret_input,
                   char ret_name[static PICTURE_NAME_SIZE], struct err *err)
{
    struct picture_ask ask;
    if (!picture_ask(d, text, &ask, err))
        return false;
    picture_name(&ask, ret_name);
    char *input = arena_room(a, sizeof ask.deck + text.n);
    memcpy(input, &ask.deck, sizeof ask.deck);
    memcpy(input + sizeof ask.deck, text.p, text.n);
    *ret_input = (struct str){input, sizeof ask.deck + text.n};
    return true;
}

static const struct str PNG = {"\x89PNG", 4};

void picture_run(struct str input, const struct job_pace *pace, struct buf *ret)
{
    struct picture_ask ask;
    struct err err;
    (void)pace;
    assert(input.n > sizeof ask.deck);
    memcpy(&ask.deck, input.p, sizeof ask.deck);
    if (!layout_read(str_skip(input, sizeof ask.deck), &ask.layout, &err) ||
        !picture_draw(&ask, ret, &err))
        buf_put(ret, str_of(err.text));
}

void pictures_warm(struct decks *d, struct work *drawing, struct arena *a)
{
    enum { AT_ONCE = 6 }; /* cards, some 30 ms */
    for (int first = 0; first < N_CARDS; first += AT_ONCE) {
        char text[128], code[CARD_CODE_SIZE], name[PICTURE_NAME_SIZE];
        struct buf line = {text, 0, sizeof text, false};
        struct str input;
        struct err err;
        buf_put(&line, STR("hanafuda\nlegend\t1\nhand "));
        for (int c = first; c < first + AT_ONCE; c++) {
            (void)card_code(c, code);
            buf_print(&line, "%s%s", c > first ? "," : "", code);
        }
        if (picture_order(d, buf_str(&line), a, &input, name, &err))
            work_push(drawing, &(struct job){.run = picture_run, .input = input, .patient = true});
    }
    work_commit(drawing);
}

bool picture_of_job(struct str output, struct str *ret, struct err *err)
{
    if (!str_starts(output, PNG))
        return err_set(err, "%.*s", STR_ARG(output));
    *ret = output;
    return true;
}
