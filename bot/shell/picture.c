/* See picture.h. From top to bottom: the field, the drawn card in a frame, and on a darker ground
 * the hand. Five cards a row and rows of one length, as far as it goes, in the middle. Under a card
 * that has a number it stands; marked, on a bright disc. */
#include "picture.h"

#include <assert.h>
#include <sodium.h>

#include "painting.h"

enum {
    A_ROW = 5,
    GAP = 10,
    CARD_W = 132,
    CARD_H = 211,
    STRIDE = CARD_W * 4,
    FRAME = 5,   /* around the drawn card */
    DISC = 16,   /* radius */
    NUMBER = 40, /* height of the line of numbers */
    BAND = 14    /* between the field and the hand */
};
_Static_assert(A_ROW *CARD_W + (A_ROW + 1) * GAP == PICTURE_WIDTH, "five cards fill a row");

static const double FELT[] = {0.20, 0.40, 0.33}, HAND_FELT[] = {0.12, 0.25, 0.21},
                    BRIGHT[] = {0.98, 0.80, 0.30}, DARK[] = {0.10, 0.12, 0.11},
                    PALE[] = {0.90, 0.93, 0.91};

/* ---- where things lie ---- */

struct part {
    int top, rows, a_row, row_height, height;
};

/* A card's corner, and the middle of its number. */
struct spot {
    int x, y, number_x, number_y;
};

static bool has_numbers(const struct spread *s, enum spread_row row)
{
    for (int i = 0; i < s->n[row]; i++)
        if (s->at[row][i].number > 0)
            return true;
    return false;
}

static struct part part_of(const struct spread *s, enum spread_row row, int top)
{
    struct part p = {.top = top, .rows = (s->n[row] + A_ROW - 1) / A_ROW};
    p.a_row = p.rows ? (s->n[row] + p.rows - 1) / p.rows : 0;
    p.row_height = CARD_H + GAP + (has_numbers(s, row) ? NUMBER : 0);
    p.height = p.rows ? p.rows * p.row_height + GAP : 0;
    return p;
}

static void lay_out(const struct spread *s, struct part ret[static SPREAD_ROWS], int *ret_height)
{
    int top = 0;
    for (int row = 0; row < SPREAD_ROWS; row++) {
        if (row == SPREAD_HAND && top > 0 && s->n[row] > 0)
            top += BAND;
        ret[row] = part_of(s, (enum spread_row)row, top);
        top += ret[row].height;
    }
    *ret_height = top;
}

static struct spot spot_of(const struct part *p, int n, int i)
{
    int line = i / p->a_row, first = line * p->a_row;
    int here = n - first < p->a_row ? n - first : p->a_row;
    int left = (PICTURE_WIDTH - here * CARD_W - (here - 1) * GAP) / 2;
    struct spot at = {.x = left + (i - first) * (CARD_W + GAP),
                      .y = p->top + GAP + line * p->row_height};
    at.number_x = at.x + CARD_W / 2;
    at.number_y = at.y + CARD_H + NUMBER / 2;
    return at;
}

/* ---- a card ---- */

static bool fail(GError *why, int card, struct err *err)
{
    char code[CARD_CODE_SIZE];
    (void)card_code(card, code);
    err_set(err, "picture: %s.svg: %s", code, why ? why->message : "cannot be drawn");
    paint->g_clear_error(&why);
    return false;
}

static bool render(struct str svg, int card, uint8_t *pixels, struct err *err)
{
    GError *why = NULL;
    RsvgHandle *handle = paint->rsvg_handle_new_from_data((const guint8 *)svg.p, svg.n, &why);
    if (!handle)
        return fail(why, card, err);
    cairo_surface_t *paper = paint->cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_ARGB32,
                                                                        CARD_W, CARD_H, STRIDE);
    cairo_t *pen = paint->cairo_create(paper);
    RsvgRectangle all = {0, 0, CARD_W, CARD_H};
    bool good = paint->rsvg_handle_render_document(handle, pen, &all, &why) &&
                paint->cairo_status(pen) == CAIRO_STATUS_SUCCESS;
    paint->cairo_destroy(pen);
    paint->cairo_surface_finish(paper);
    paint->cairo_surface_destroy(paper);
    paint->g_object_unref(handle);
    return good || fail(why, card, err);
}

static const uint8_t *image_of(const struct deck *d, int card, struct err *err)
{
    const uint8_t *known = deck_image(d, card);
    if (known)
        return known;
    uint8_t *pixels = calloc(CARD_H, STRIDE);
    assert(pixels);
    if (!render(deck_svg(d, card), card, pixels, err)) {
        free(pixels);
        return NULL;
    }
    return deck_keep(d, card, pixels);
}

static bool put_card(cairo_t *pen, const struct deck *d, int card, int x, int y, struct err *err)
{
    const uint8_t *image = image_of(d, card, err);
    if (!image)
        return false;
    cairo_surface_t *s = paint->cairo_image_surface_create_for_data(
        (uint8_t *)(uintptr_t)image, CAIRO_FORMAT_ARGB32, CARD_W, CARD_H, STRIDE);
    paint->cairo_set_source_surface(pen, s, x, y);
    paint->cairo_paint(pen);
    paint->cairo_set_source_rgb(pen, 0, 0, 0); /* lets go of the surface */
    paint->cairo_surface_destroy(s);
    return true;
}

/* ---- numbers ---- */

/* One stroke each, in a box of 5 by 8: x and y of its points in turn. */
static const char *const digits[] = {
    "104051574818070110",         "123038",   "01104051530858",
    "01104051534424445557481807", "48400555", "500003435457481807",
    "514010010718485755441405",   "005028",   "14030110405153441405071848575544",
    "071848575140100103144453"};

static void colour(cairo_t *pen, const double *c)
{
    paint->cairo_set_source_rgb(pen, c[0], c[1], c[2]);
}

static void put_digit(cairo_t *pen, int digit, double x, double y, double size)
{
    for (const char *at = digits[digit]; *at; at += 2)
        paint->cairo_line_to(pen, x + (at[0] - '0') * size / 8, y + (at[1] - '0') * size / 8);
    paint->cairo_stroke(pen);
}

static void put_number(cairo_t *pen, const struct spread_card *c, int x, int y)
{
    enum { SIZE = 16, WIDTH = SIZE * 5 / 8, BETWEEN = 5 };
    double left = c->number < 10 ? x - WIDTH / 2.0 : x - WIDTH - BETWEEN / 2.0;
    if (c->marked) {
        colour(pen, BRIGHT);
        paint->cairo_arc(pen, x, y, DISC, 0, 6.2831853);
        paint->cairo_fill(pen);
    }
    colour(pen, c->marked ? DARK : PALE);
    paint->cairo_set_line_width(pen, 3);
    paint->cairo_set_line_cap(pen, CAIRO_LINE_CAP_ROUND);
    paint->cairo_set_line_join(pen, CAIRO_LINE_JOIN_ROUND);
    if (c->number >= 10) {
        put_digit(pen, c->number / 10, left, y - SIZE / 2.0, SIZE);
        left += WIDTH + BETWEEN;
    }
    put_digit(pen, c->number % 10, left, y - SIZE / 2.0, SIZE);
}

/* ---- the whole ---- */

static void put_ground(cairo_t *pen, const struct part *hand, int height)
{
    colour(pen, FELT);
    paint->cairo_paint(pen);
    if (hand->rows == 0)
        return;
    colour(pen, HAND_FELT);
    paint->cairo_rectangle(pen, 0, hand->top, PICTURE_WIDTH, height - hand->top);
    paint->cairo_fill(pen);
}

static void put_frame(cairo_t *pen, const struct spot *at)
{
    colour(pen, BRIGHT);
    paint->cairo_rectangle(pen, at->x - FRAME, at->y - FRAME, CARD_W + 2 * FRAME,
                           CARD_H + 2 * FRAME);
    paint->cairo_fill(pen);
}

static bool put_all(cairo_t *pen, const struct picture_ask *ask,
                    const struct part part[static SPREAD_ROWS], struct err *err)
{
    const struct spread *s = &ask->spread;
    for (int row = 0; row < SPREAD_ROWS; row++)
        for (int i = 0; i < s->n[row]; i++) {
            const struct spread_card *c = &s->at[row][i];
            struct spot at = spot_of(&part[row], s->n[row], i);
            if (row == SPREAD_DRAWN)
                put_frame(pen, &at);
            if (!put_card(pen, ask->deck, c->card, at.x, at.y, err))
                return false;
            if (c->number > 0)
                put_number(pen, c, at.number_x, at.number_y);
        }
    return true;
}

static cairo_status_t put_bytes(void *arg, const unsigned char *bytes, unsigned n)
{
    struct buf *b = arg;
    buf_put(b, (struct str){(const char *)bytes, n});
    return b->cut ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

bool picture_draw(const struct picture_ask *ask, struct buf *ret, struct err *err)
{
    struct buf before = *ret;
    struct part part[SPREAD_ROWS];
    int height;
    lay_out(&ask->spread, part, &height);
    if (height == 0)
        return err_set(err, "picture: there is no card");
    if (!painting_load(err))
        return false;
    cairo_surface_t *paper =
        paint->cairo_image_surface_create(CAIRO_FORMAT_RGB24, PICTURE_WIDTH, height);
    cairo_t *pen = paint->cairo_create(paper);
    put_ground(pen, &part[SPREAD_HAND], height);
    bool good = put_all(pen, ask, part, err);
    paint->cairo_destroy(pen);
    if (good &&
        paint->cairo_surface_write_to_png_stream(paper, put_bytes, ret) != CAIRO_STATUS_SUCCESS) {
        *ret = before;
        good = err_set(err, "picture: larger than %zu bytes", ret->cap);
    }
    paint->cairo_surface_destroy(paper);
    return good;
}

bool picture_ask(struct decks *d, struct str line, struct picture_ask *ret, struct err *err)
{
    struct picture_ask ask = {0};
    if (!spread_read(line, &ask.spread, err) ||
        !decks_find(d, str_of(ask.spread.deck), &ask.deck, err))
        return false;
    *ret = ask;
    return true;
}

void picture_name(const struct picture_ask *ask, char ret[static PICTURE_NAME_SIZE])
{
    crypto_generichash_state state;
    uint8_t hash[(PICTURE_NAME_SIZE - 1) / 2], version = PICTURE_VERSION;
    const struct spread *s = &ask->spread;
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    crypto_generichash_update(&state, &version, 1);
    for (int row = 0; row < SPREAD_ROWS; row++) {
        uint8_t n = (uint8_t)s->n[row];
        crypto_generichash_update(&state, &n, 1);
        for (int i = 0; i < n; i++) {
            const struct spread_card *c = &s->at[row][i];
            uint8_t how[] = {c->number, c->marked};
            crypto_generichash_update(&state, how, sizeof how);
            crypto_generichash_update(&state, deck_mark(ask->deck, c->card), DECK_MARK);
        }
    }
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(ret, PICTURE_NAME_SIZE, hash, sizeof hash);
}

/* ---- the job ---- */

static const struct str PNG = {"\x89PNG", 4};

void picture_run(struct str input, const struct job_pace *pace, struct buf *ret)
{
    struct picture_ask ask;
    struct err err;
    (void)pace;
    assert(input.n == sizeof ask);
    memcpy(&ask, input.p, sizeof ask);
    if (!picture_draw(&ask, ret, &err))
        buf_put(ret, str_of(err.text));
}

bool picture_of_job(struct str output, struct str *ret, struct err *err)
{
    if (!str_starts(output, PNG))
        return err_set(err, "%.*s", STR_ARG(output));
    *ret = output;
    return true;
}
