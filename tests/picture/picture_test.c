/* Pictures of hands, looked at as a player would: which cards are there and in what order, what
 * stands under them; and what cannot be drawn says why. */
#include "engine/test.h"
#include "engine/stride.h"
#include "fixture/paper_deck.h"
#include "fixture/random_layout.h"
#include "fixture/scratch.h"

#include <cairo.h>
#include <glob.h>
#include <librsvg/rsvg.h>
#include <math.h>
#include <poll.h>

#include "embedded.h"
#include "engine/presets.h"
#include "engine/table.h"
#include "paper.h"
#include "picture.h"
#include "review.h"

#define LINE                                                                                       \
    "paper\nfield 3b,3r,5p1,6a,7p1,8b\nhand 1b#1,2r#2,3p1#3!,5a#4!,8p1#5!,9a#6,10p1#7,12b#8"

static struct err err;
static struct decks *decks;

FIXTURE(setup)
{
    if (!scratch_open())
        return 1;
    decks = decks_open(paper_deck("paper"));
    return 0;
}

FIXTURE(teardown)
{
    decks_close(decks);
    scratch_close();
    return 0;
}

/* ---- pixels ---- */

struct image {
    int width, height;
    cairo_surface_t *surface;
};

struct reading {
    struct str rest;
};

static cairo_status_t give_bytes(void *from, unsigned char *ret, unsigned n)
{
    struct reading *r = from;
    if (n > r->rest.n)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(ret, r->rest.p, n);
    r->rest = str_skip(r->rest, n);
    return CAIRO_STATUS_SUCCESS;
}

static char bytes[2][JOB_RESULT];

/* Into one of two places, so that two pictures can be compared. */
static struct str drawn_into(int place, const char *line)
{
    struct picture_ask ask;
    struct buf b = {bytes[place], 0, JOB_RESULT, false};
    OK(picture_ask(decks, str_of(line), &ask, &err));
    OK(picture_draw(&ask, &b, &err));
    return buf_str(&b);
}

static struct image image_of(struct str png)
{
    struct reading from = {png};
    struct image i = {.surface = cairo_image_surface_create_from_png_stream(give_bytes, &from)};
    assert_int_equal(cairo_surface_status(i.surface), CAIRO_STATUS_SUCCESS);
    i.width = cairo_image_surface_get_width(i.surface);
    i.height = cairo_image_surface_get_height(i.surface);
    return i;
}

static uint32_t pixel(const struct image *i, int x, int y)
{
    uint32_t p;
    memcpy(&p,
           cairo_image_surface_get_data(i->surface) +
               (ptrdiff_t)y * cairo_image_surface_get_stride(i->surface) + (ptrdiff_t)x * 4,
           sizeof p);
    return p & 0xffffff;
}

struct bounds {
    int left, top, right, bottom, n; /* right and bottom are inside; n pixels were found */
};

static void grow(struct bounds *b, int x, int y)
{
    if (b->n++ == 0)
        *b = (struct bounds){x, y, x, y, 1};
    b->left = x < b->left ? x : b->left;
    b->right = x > b->right ? x : b->right;
    b->top = y < b->top ? y : b->top;
    b->bottom = y > b->bottom ? y : b->bottom;
}

static struct bounds box_of_colour(const struct image *i, uint32_t colour)
{
    struct bounds b = {0};
    for (int y = 0; y < i->height; y++)
        for (int x = 0; x < i->width; x++)
            if (pixel(i, x, y) == colour)
                grow(&b, x, y);
    return b;
}

static struct bounds box_of_card(const struct image *i, const char *code)
{
    return box_of_colour(i, paper_colour(card_read(code, strlen(code))));
}

/* Where two pictures of one size differ. */
static struct bounds difference(const char *one, const char *other)
{
    struct image a = image_of(drawn_into(0, one)), b = image_of(drawn_into(1, other));
    struct bounds d = {0};
    assert_int_equal(a.width, b.width);
    assert_int_equal(a.height, b.height);
    for (int y = 0; y < a.height; y++)
        for (int x = 0; x < a.width; x++)
            if (pixel(&a, x, y) != pixel(&b, x, y))
                grow(&d, x, y);
    cairo_surface_destroy(a.surface);
    cairo_surface_destroy(b.surface);
    return d;
}

/* ---- the decks ---- */

enum { MARGIN = 40, CARD_W = 160, CARD_H = 256, CORNER = 11 };

/* True if a pixel of the paper lies on the card, whose corners are round. */
static bool lies_on_card(int x, int y)
{
    int left = x - MARGIN, top = y - MARGIN;
    int dx = left < CORNER             ? CORNER - left - 1
             : left >= CARD_W - CORNER ? left - CARD_W + CORNER
                                       : 0;
    int dy = top < CORNER ? CORNER - top - 1 : top >= CARD_H - CORNER ? top - CARD_H + CORNER : 0;
    enum { EDGE = 3 }; /* half of the frame's width is outside its corner */
    return left >= 0 && left < CARD_W && top >= 0 && top < CARD_H &&
           dx * dx + dy * dy <= (CORNER + EDGE) * (CORNER + EDGE);
}

static cairo_surface_t *with_margin(struct str svg)
{
    RsvgHandle *handle = rsvg_handle_new_from_data((const guint8 *)svg.p, svg.n, NULL);
    assert_non_null(handle);
    cairo_surface_t *paper =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CARD_W + 2 * MARGIN, CARD_H + 2 * MARGIN);
    cairo_t *pen = cairo_create(paper);
    RsvgRectangle at = {MARGIN, MARGIN, CARD_W, CARD_H};
    assert_true(rsvg_handle_render_document(handle, pen, &at, NULL));
    cairo_destroy(pen);
    g_object_unref(handle);
    cairo_surface_flush(paper);
    return paper;
}

/* Branches and wings end at the frame: other programs may show the drawings in other places. */
TEST_WITH(nothing_is_drawn_outside_a_card, setup, teardown)
{
    static const char *const names[] = {"hanafuda", "okoshki"};
    struct decks *built_in = decks_open(STR(""));
    for (int i = 0; i < 2 * N_CARDS; i += stride(3, 1)) {
        const struct deck *deck;
        int card = i / 2;
        OK(decks_find(built_in, str_of(names[i % 2]), &deck, &err));
        cairo_surface_t *paper = with_margin(deck_svg(deck, card));
        for (int y = 0; y < CARD_H + 2 * MARGIN; y++)
            for (int x = 0; x < CARD_W + 2 * MARGIN; x++) {
                const unsigned char *at = cairo_image_surface_get_data(paper) +
                                          (ptrdiff_t)y * cairo_image_surface_get_stride(paper) +
                                          (ptrdiff_t)x * 4;
                if (!lies_on_card(x, y) && at[3] > 0)
                    fail_msg("%s, card %d, is drawn at %d,%d", names[i % 2], card, x - MARGIN,
                             y - MARGIN);
            }
        cairo_surface_destroy(paper);
    }
    decks_close(built_in);
}

/* Portraits as small as beside a name: the pixels of each two differ. */
TEST(faces_are_told_apart)
{
    enum { SIDE = 28, FACES = 5, MEAN = 30 };
    static const char *const keys[FACES] = {"mei", "taro", "ume", "ren", "kuro"};
    static uint8_t face[FACES][SIDE * SIDE * 4];
    for (int i = 0; i < FACES; i++) {
        char path[32];
        snprintf(path, sizeof path, "art/%s.svg", keys[i]);
        struct str svg = embedded_find(str_of(path));
        RsvgHandle *handle = rsvg_handle_new_from_data((const guint8 *)svg.p, svg.n, NULL);
        assert_non_null(handle);
        cairo_surface_t *s =
            cairo_image_surface_create_for_data(face[i], CAIRO_FORMAT_ARGB32, SIDE, SIDE, SIDE * 4);
        cairo_t *pen = cairo_create(s);
        RsvgRectangle all = {0, 0, SIDE, SIDE};
        assert_true(rsvg_handle_render_document(handle, pen, &all, NULL));
        cairo_destroy(pen);
        cairo_surface_destroy(s);
        g_object_unref(handle);
        for (int k = 0; k < i; k++) {
            long sum = 0;
            for (size_t at = 0; at < sizeof face[i]; at++)
                sum += abs(face[i][at] - face[k][at]);
            if (sum < (long)sizeof face[i] * MEAN)
                fail_msg("%s and %s: %ld", keys[i], keys[k], sum / (long)sizeof face[i]);
        }
    }
}

/* ---- what is there ---- */

TEST_WITH(picture_is_of_its_width_and_small, setup, teardown)
{
    struct str png = drawn_into(0, LINE);
    struct image i = image_of(png);
    assert_int_equal(i.width, PICTURE_WIDTH);
    assert_in_range(i.height, i.width / 2, i.width * 2);
    assert_true(png.n < 40 * 1000);
    cairo_surface_destroy(i.surface);
}

/* Of every deck, from the first turn to the last. */
TEST_WITH(hands_are_below_40_kb, setup, teardown)
{
    static const char *const names[] = {"hanafuda", "okoshki"};
    struct rng c = {5};
    for (int i = 0; i < 2; i++)
        for (int turns = i; turns < 8; turns += stride(2, 1)) {
            char text[LAYOUT_BYTES];
            struct buf b = BUF(text);
            random_layout(names[i], turns, &c, &b);
            size_t n = drawn_into(0, text).n;
            if (n > 40 * 1000)
                fail_msg("%zu bytes: %s", n, text);
        }
}

/* Every card of the line, whole, and not one more. */
TEST_WITH(picture_shows_its_cards_and_no_other, setup, teardown)
{
    struct layout s;
    cardset there = 0;
    struct image i = image_of(drawn_into(0, LINE));
    OK(layout_read(str_of(LINE), &s, &err));
    for (int k = 0; k < s.n_cards; k++)
        there |= CARD(s.card[k].card);
    for (int card = 0; card < N_CARDS; card++) {
        struct bounds b = box_of_colour(&i, paper_colour(card));
        if (!(there & CARD(card))) {
            assert_int_equal(b.n, 0);
            continue;
        }
        int width = b.right - b.left + 1, height = b.bottom - b.top + 1;
        assert_true(b.n > 60 * 96 && b.n >= (width - 2) * (height - 2));
        assert_in_range(height * 100 / width, 155, 165); /* 160 by 256 */
    }
    cairo_surface_destroy(i.surface);
}

/* Read like a page: the field, the drawn card, the hand. */
TEST_WITH(cards_lie_in_the_order_of_the_line, setup, teardown)
{
    static const char *const codes[] = {"1b", "2a", "3b", "4a", "5a",
                                        "6a", "7a", "8b", "9a", "10a"};
    struct image i =
        image_of(drawn_into(0, "paper\nfield 1b,2a,3b,4a,5a,6a#1!,7a#2!\ndrawn 8b\nhand 9a,10a"));
    struct bounds before = box_of_card(&i, codes[0]);
    for (size_t k = 1; k < sizeof codes / sizeof *codes; k++) {
        struct bounds b = box_of_card(&i, codes[k]);
        assert_true(b.n > 0);
        assert_true(b.top > before.bottom || (b.top == before.top && b.left > before.right));
        before = b;
    }
    assert_true(box_of_card(&i, "9a").top > box_of_card(&i, "8b").bottom);
    cairo_surface_destroy(i.surface);
}

TEST_WITH(a_hand_alone_and_a_field_alone_are_pictures, setup, teardown)
{
    struct image hand = image_of(drawn_into(0, "paper\nhand 1b#1")),
                 field = image_of(drawn_into(1, "paper\nfield 1b"));
    assert_true(box_of_card(&hand, "1b").n > 0);
    assert_true(box_of_card(&field, "1b").n > 0);
    cairo_surface_destroy(hand.surface);
    cairo_surface_destroy(field.surface);
}

TEST_WITH(all_cards_at_once_are_a_picture, setup, teardown)
{
    char line[LAYOUT_BYTES];
    struct buf b = BUF(line);
    struct layout l;
    layout_open(&l, "paper");
    layout_row(&l, LAYOUT_FIELD);
    layout_cards(&l, ALL_CARDS);
    layout_write(&l, &b);
    buf_char(&b, 0);
    struct image i = image_of(drawn_into(0, line));
    for (int card = 0; card < N_CARDS; card++)
        assert_true(box_of_colour(&i, paper_colour(card)).n > 36 * 57);
    cairo_surface_destroy(i.surface);
}

/* Cards in twenty sizes would take twice as much as may be kept. What is drawn then is right all the same. */
TEST_WITH(cards_kept_stay_below_12_mb, setup, teardown)
{
    enum { MOST = 12 << 20, STEP = 8 };
    const struct deck *deck;
    size_t drawn = 0, highest = 0;
    OK(decks_find(decks, STR("paper"), &deck, &err));
    struct str before = drawn_into(0, LINE);
    for (int width = 20; width < PAPER_CARD; width += STEP) {
        struct paper p;
        OK(paper_open(&p, deck, PAPER_CARD * 2, &err));
        for (int card = 0; card < N_CARDS; card++) {
            int pixels = paper_pixels(width);
            paper_put_card(&p, card, 0, 0, width);
            drawn += (size_t)pixels * (size_t)paper_card_height(pixels) * 4;
            highest = decks_image_bytes(decks) > highest ? decks_image_bytes(decks) : highest;
        }
        paper_close(&p);
    }
    assert_true(drawn > 2 * MOST);
    assert_in_range(highest, MOST / 2, MOST);
    assert_true(str_is(before, drawn_into(1, LINE)));
}

/* The left end of the ink of a line that is put at the middle of a paper, in units. */
static double ink_begins(const struct deck *deck, struct paper_font font, const char *text)
{
    enum { HEIGHT = 100, BASELINE = 60 };
    struct paper p;
    struct bounds ink = {0};
    struct buf b = {bytes[0], 0, JOB_RESULT, false};
    OK(paper_open(&p, deck, HEIGHT, &err));
    paper_text(&p, font, str_of(text), PAPER_WIDTH / 2.0, BASELINE);
    OK(paper_png(&p, &b, &err));
    paper_close(&p);
    struct image i = image_of(buf_str(&b));
    for (int k = 0; k < i.width * i.height; k++)
        if (pixel(&i, k % i.width, k / i.width) != pixel(&i, 0, 0))
            grow(&ink, k % i.width, k / i.width);
    cairo_surface_destroy(i.surface);
    assert_true(ink.n > 0);
    return (double)ink.left * PAPER_WIDTH / PAPER_PIXELS;
}

/* A full-width bracket or stop fills one half of its square: the middle is that of the ink, whether the
 * sign stands alone or at one end of a line. */
TEST_WITH(full_width_signs_are_centred_by_their_ink, setup, teardown)
{
    static const struct {
        const char *text;
        double quarters; /* of a square, to the right */
    } rows[] = {{"「", -1},    {"『", -1},    {"（", -1}, {"」", 1},    {"』", 1},
                {"）", 1},     {"。", 1},     {"、", 1},  {"「月", -1}, {"月」", 1},
                {"「月」", 0}, {"月「月", 0}, {"月", 0},  {"Moon", 0}};
    const struct deck *deck;
    OK(decks_find(decks, STR("paper"), &deck, &err));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct paper_font font = {.size = 40, .colour = paper_bright};
        double begins[3]; /* by enum paper_align */
        for (font.align = PAPER_LEFT; font.align <= PAPER_RIGHT; font.align++)
            begins[font.align] = ink_begins(deck, font, rows[i].text);
        double off = begins[PAPER_MIDDLE] - (begins[PAPER_LEFT] + begins[PAPER_RIGHT]) / 2;
        if (fabs(off - rows[i].quarters * font.size / 4) > 3)
            fail_msg("%s lies %.1f units off", rows[i].text, off);
    }
}

/* ---- examples ---- */

/* Mean of a channel over a square of pixels. */
static int mean_of(const struct image *i, int left, int top, int side, int shift)
{
    int sum = 0;
    for (int k = 0; k < side * side; k++)
        sum += (int)(pixel(i, left + k % side, top + k / side) >> shift & 255);
    return sum / (side * side);
}

static struct str example(const char *path, const char *end, char *room, size_t size)
{
    char name[128];
    snprintf(name, sizeof name, "%.*s%s", (int)(strlen(path) - strlen(".layout")), path, end);
    FILE *f = fopen(name, "rb");
    if (!f)
        fail_msg("%s: not found; make refresh draws it", name);
    struct str all = {room, fread(room, 1, size, f)};
    fclose(f);
    return all;
}

/* The pictures of the pages look as the program draws them now, whatever packs them. */
TEST(examples_are_what_is_drawn)
{
    enum { SIDE = 6, TOLERANCE = 12 };
    static char kept[JOB_RESULT], text[LAYOUT_BYTES];
    struct decks *built_in = decks_open(STR(""));
    glob_t found;
    assert_int_equal(glob("config/decks/*.layout", 0, NULL, &found), 0);
    for (size_t f = 0; f < found.gl_pathc; f++) {
        struct picture_ask ask;
        struct buf b = {bytes[0], 0, JOB_RESULT, false};
        OK(picture_ask(built_in, str_trim(example(found.gl_pathv[f], ".layout", text, sizeof text)),
                       &ask, &err));
        OK(picture_draw(&ask, &b, &err));
        struct image now = image_of(buf_str(&b)),
                     then = image_of(example(found.gl_pathv[f], ".png", kept, sizeof kept));
        assert_int_equal(now.height, then.height);
        for (int y = 0; y + SIDE <= now.height; y += SIDE)
            for (int x = 0; x + SIDE <= now.width; x += SIDE)
                for (int shift = 0; shift <= 16; shift += 8)
                    if (abs(mean_of(&now, x, y, SIDE, shift) - mean_of(&then, x, y, SIDE, shift)) >
                        TOLERANCE)
                        fail_msg("%s at %d,%d; make refresh draws it", found.gl_pathv[f], x, y);
        cairo_surface_destroy(now.surface);
        cairo_surface_destroy(then.surface);
    }
    globfree(&found);
    decks_close(built_in);
}

/* ---- numbers and marks ---- */

enum { SPOT = 60 };
struct spot {
    uint32_t pixel[SPOT * SPOT];
};

/* What lies just below a card, in the middle. */
static struct spot below(const struct image *i, struct bounds card)
{
    struct spot s;
    int left = (card.left + card.right + 1 - SPOT) / 2;
    for (int k = 0; k < SPOT * SPOT; k++) {
        int y = card.bottom + 1 + k / SPOT;
        s.pixel[k] = y < i->height ? pixel(i, left + k % SPOT, y) : 0;
    }
    return s;
}

/* Each number looks different from every other. */
TEST_WITH(numbers_stand_under_their_cards, setup, teardown)
{
    static struct spot spots[N_CARDS + 1];
    for (int n = 0; n <= N_CARDS; n++) {
        char line[64];
        snprintf(line, sizeof line, n ? "paper\nhand 1b#1,2r#%d" : "paper\nhand 1b#1,2r", n);
        struct image i = image_of(drawn_into(0, line));
        spots[n] = below(&i, box_of_card(&i, "2r"));
        cairo_surface_destroy(i.surface);
        for (int m = 0; m < n; m++)
            assert_memory_not_equal(&spots[n], &spots[m], sizeof spots[n]);
    }
}

static struct bounds ribbon_with_number_two(void)
{
    struct image i = image_of(drawn_into(0, "paper\nfield 3b\nhand 1b#1,2r#2"));
    struct bounds card = box_of_card(&i, "2r");
    cairo_surface_destroy(i.surface);
    return card;
}

/* It is what differs from a card without one: below the card, in its middle, large enough to be
 * read. */
TEST_WITH(numbers_are_found_where_tests_look, setup, teardown)
{
    struct bounds card = ribbon_with_number_two();
    struct bounds d =
        difference("paper\nfield 3b\nhand 1b#1,2r", "paper\nfield 3b\nhand 1b#1,2r#8");
    assert_true(d.n > 40);
    assert_true(d.top > card.bottom && d.bottom < card.bottom + SPOT);
    assert_in_range((d.left + d.right) / 2, (card.left + card.right) / 2 - 2,
                    (card.left + card.right) / 2 + 2);
    assert_in_range(d.bottom - d.top, 14, 40);
}

TEST_WITH(mark_is_visible_and_covers_no_card, setup, teardown)
{
    struct bounds card = ribbon_with_number_two();
    struct bounds d =
        difference("paper\nfield 3b\nhand 1b#1,2r#2", "paper\nfield 3b\nhand 1b#1,2r#2!");
    assert_true(d.n > 300);
    assert_true(d.top > card.bottom && d.left > card.left && d.right < card.right);
}

TEST_WITH(the_drawn_card_is_framed, setup, teardown)
{
    struct image i = image_of(drawn_into(0, "paper\nfield 3b#1!,3r#2!\ndrawn 3p1\nhand 1b"));
    struct bounds drawn = box_of_card(&i, "3p1"), hand = box_of_card(&i, "1b");
    uint32_t around = pixel(&i, drawn.left - 3, drawn.top + 20);
    assert_int_equal(around, pixel(&i, drawn.right + 3, drawn.bottom - 20));
    assert_int_not_equal(around, pixel(&i, 0, drawn.top + 20));
    assert_int_not_equal(around, pixel(&i, hand.left - 3, hand.top + 20));
    cairo_surface_destroy(i.surface);
}

/* ---- other rows ---- */

TEST_WITH(captures_and_yaku_show_their_cards, setup, teardown)
{
    struct image i = image_of(drawn_into(
        0, "paper\npile 1b,2a\tYou\npile 3b\tBo\nyaku 7a,6a,10a\tboar-deer-butterflies\t5"));
    static const char *const codes[] = {"1b", "2a", "3b", "6a", "7a", "10a"};
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++) {
        struct bounds b = box_of_card(&i, codes[k]);
        assert_true(b.n > 20 * 32);
    }
    assert_true(box_of_card(&i, "3b").left > box_of_card(&i, "2a").right);
    assert_true(box_of_card(&i, "7a").top > box_of_card(&i, "1b").bottom);
    assert_int_equal(box_of_card(&i, "8b").n, 0);
    cairo_surface_destroy(i.surface);
}

/* However many there are, they stay on the picture. */
TEST_WITH(many_captures_fit, setup, teardown)
{
    struct image i = image_of(drawn_into(
        0, "paper\npile\tBo\npile 1b,3b,8b,11b,12b,2a,4a,5a,6a,7a,8a,9a,10a,11a,1r,2r,3r,4r,5r,6r,"
           "7r,9r,10r,11r,1p1,1p2,2p1,2p2,3p1,3p2,4p1,4p2,5p1,5p2,6p1,6p2,7p1,7p2,8p1,8p2\tYou"));
    struct bounds first = box_of_card(&i, "1b"), last = box_of_card(&i, "8p2");
    assert_true(first.left >= i.width / 2 && last.right < i.width);
    assert_true(last.n > 20 * 32); /* on top of the others */
    cairo_surface_destroy(i.surface);
}

TEST_WITH(words_and_curves_are_drawn, setup, teardown)
{
    static const char *const lines[][2] = {
        {"paper\ntitle\t", "paper\ntitle\tBo wins"},
        {"paper\nline\tx\t12", "paper\nline\tx\t13"},
        {"paper\nnote\tx", "paper\nnote\ty"},
        {"paper\nlegend\tx", "paper\nlegend\ty"},
        {"paper\ntable\t1\tBo\t3", "paper\ntable\t1\tBo\t4"},
        {"paper\ncurve\tBo\t0 5 9", "paper\ncurve\tBo\t0 9 5"},
        {"paper\ncurve\tBo\t0", "paper\ncurve\tBo\t"},
        {"paper\nline\t<&>\"", "paper\nline\t"},
        {"paper\nsplash 1b\tgoko\tx\ty\tz\t5", "paper\nsplash 1b\tsanko\tx\ty\tz\t5"},
        {"paper\nsplash 1b\t\tx\ty\tz\t5", "paper\nsplash 1b\t\tw\ty\tz\t5"},
        {"paper\nsplash 1b\tkoikoi\tx\ty\tz\t5", "paper\nsplash 1b\tkoikoi\tx\ty\tz\t6"},
        {"paper\nresult\twin\tBo\tx\t9", "paper\nresult\tdraw\tBo\tx\t9"},
        {"paper\nseals\trun\tx", "paper\nseals\tchampion\tx"},
        {"paper\nbracket\tAnn\tBo\tCy\tDi\nbracket\tAnn\tCy",
         "paper\nbracket\tAnn\tBo\tCy\tDi\nbracket\tBo\tCy"},
        {"paper\nface\tmei\tBo\tx", "paper\nface\tume\tBo\tx"},
        {"paper\nface\tmei\t\t\tx", "paper\nface\tmei\t\t\ty"},
        {"paper\nyaku 1b\tx\t5\tgoko", "paper\nyaku 1b\tx\t5\tkasu"},
        {"paper\nyaku 1b\tx\t5\tgoko\nyaku\ty\t5\thiki\nsign\tz",
         "paper\nyaku 1b\tx\t5\tgoko\nyaku\ty\t5\t\nsign\tz"}, /* without cards a stamp stands alone */
        {"paper\nmoment 1b,1r\tx\ty\tz", "paper\nmoment 1b,2a\tx\ty\tz"},
        {"paper\nmoment\tx\ty\t1", "paper\nmoment\tx\ty\t2"},
        {"paper\nseals\t×2\tseven", "paper\nseals\t×3\tseven"},
        {"paper\nline\tx\nsign\t@koikoi", "paper\nline\tx\nsign\t@other"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct bounds d = difference(lines[i][0], lines[i][1]);
        assert_true(d.n > 10);
    }
}

/* The loudest picture of every set, in both decks. */
TEST_WITH(splashes_are_below_45_kb, setup, teardown)
{
    static const char *const names[] = {"hanafuda", "okoshki"};
    const struct rules *r = &preset(0)->rules;
    for (int i = 0; i < 2; i++)
        for (int y = i; y < N_YAKU; y += stride(2, 1)) {
            char text[LAYOUT_BYTES];
            struct buf b = BUF(text);
            struct layout l;
            int need;
            layout_open(&l, names[i]);
            layout_row(&l, LAYOUT_SPLASH);
            layout_text(&l, i ? STR("") : str_of(yaku_key((enum yaku)y)));
            for (int k = 0; k < 3; k++)
                layout_text(&l, STR("Żaneta Święcicka-Wójcik: деревянный дом!"));
            layout_text(&l, STR("×4"));
            layout_cards(&l, y == YAKU_HIKI ? (cardset)month_set(0)
                                            : yaku_cards(r, (enum yaku)y, &need));
            layout_row(&l, LAYOUT_SIGN);
            layout_text(&l, STR("@koikoi_bot"));
            layout_write(&l, &b);
            buf_char(&b, 0);
            struct str png = drawn_into(0, text);
            struct image image = image_of(png);
            assert_int_equal(image.width, PICTURE_WIDTH);
            if (png.n > 45 * 1000)
                fail_msg("%zu bytes: %s", png.n, text);
            cairo_surface_destroy(image.surface);
        }
}

/* ---- colours ---- */

static double linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double light_of(struct colour c)
{
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

/* By WCAG 2: at least 4.5 for what is read, on each ground that it stands on. */
TEST(words_have_contrast)
{
    const struct colour words[] = {paper_pale, paper_dim, paper_bright};
    const struct colour grounds[] = {paper_felt, paper_hand, paper_warp, paper_weft};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        for (size_t g = 0; g < sizeof grounds / sizeof *grounds; g++)
            assert_true(light_of(words[w]) + 0.05 >= 4.5 * (light_of(grounds[g]) + 0.05));
    assert_true(light_of(paper_ink) + 0.05 >= 4.5 * (light_of(paper_red) + 0.05));
    assert_true(light_of(paper_bright) + 0.05 >= 4.5 * (light_of(paper_dark) + 0.05));
}

/* Long words become smaller, and so end before the picture does. */
TEST_WITH(long_words_fit, setup, teardown)
{
    struct bounds d =
        difference("paper\ntitle\t", "paper\ntitle\tA very long name that does not end "
                                     "here but goes on, and on, and on, and wins");
    assert_true(d.n > 500 && d.right < PICTURE_WIDTH - 4);
}

/* ---- names ---- */

static const char *name_of(int place, const char *line)
{
    static char names[2][PICTURE_NAME_SIZE];
    struct picture_ask ask;
    OK(picture_ask(decks, str_of(line), &ask, &err));
    picture_name(&ask, names[place]);
    return names[place];
}

/* A row is the first words' alone unless others stand at its right. */
TEST_WITH(words_have_their_row_to_themselves, setup, teardown)
{
    static const char *const kinds[] = {"title", "line", "note", "legend"};
    const char *words =
        "many words, which are as wide as a row of a picture and made smaller for it";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char alone[256], empty[300], beside[300];
        snprintf(alone, sizeof alone, "paper\n%s\t%s", kinds[i], words);
        snprintf(empty, sizeof empty, "%s\t", alone);
        snprintf(beside, sizeof beside, "%s\t12", alone);
        assert_int_equal(difference(alone, empty).n, 0);
        assert_true(difference(alone, beside).left < PAPER_PIXELS / 2);
    }
}

TEST_WITH(equal_names_mean_equal_bytes, setup, teardown)
{
    static const char *const lines[] = {
        LINE,
        "paper\nfield 3b\nhand 1b#1,2r#2",
        "paper\nfield 3b\nhand 1b#1,2r#3",
        "paper\nfield 3b\nhand 1b#1,2r#2!",
        "paper\nfield 3b\nhand 1b#1,2a#2",
        "paper\nfield 3b,1b\nhand 2r#2",
        "paper\nfield 3b\ndrawn 1b\nhand 2r#2",
        "paper\nfield 3b\ndrawn 2r\nhand 1b#2",
        "paper\nhand 3b,1b#1,2r#2",
    };
    enum { N = sizeof lines / sizeof *lines };
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++) {
            bool same = strcmp(name_of(0, lines[a]), name_of(1, lines[b])) == 0;
            assert_int_equal(same, a == b);
            if (a < b)
                assert_false(str_is(drawn_into(0, lines[a]), drawn_into(1, lines[b])));
        }
}

/* Drawn again, with everything made anew, it is the same to the last byte: a name stands for it
 * after a restart. */
TEST_WITH(drawing_is_always_the_same, setup, teardown)
{
    struct str first = drawn_into(0, LINE);
    char name[PICTURE_NAME_SIZE];
    memcpy(name, name_of(0, LINE), sizeof name);
    assert_true(str_is(first, drawn_into(1, LINE)));
    decks_close(decks);
    decks = decks_open(paper_deck("paper"));
    assert_true(str_is(first, drawn_into(1, LINE)));
    assert_string_equal(name, name_of(0, LINE));
}

/* Another drawing of a card is another picture; two cards that are drawn alike have pictures
 * alike. */
TEST_WITH(name_depends_on_all_that_is_drawn, setup, teardown)
{
    static const char white[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 160 256\">"
                                "<rect width=\"160\" height=\"256\" fill=\"white\"/></svg>";
    char before[PICTURE_NAME_SIZE];
    memcpy(before, name_of(0, "paper\nfield 8p1\nhand 1b"), sizeof before);
    paper_card("paper", card_read("8p1", 3), white);
    paper_card("paper", card_read("8p2", 3), white);
    decks_close(decks);
    decks = decks_open(scratch_file("decks"));
    assert_string_not_equal(before, name_of(0, "paper\nfield 8p1\nhand 1b"));
    assert_string_equal(name_of(0, "paper\nfield 8p2\nhand 1b"),
                        name_of(1, "paper\nfield 8p1\nhand 1b"));
    assert_true(str_is(drawn_into(0, "paper\nfield 8p2\nhand 1b"),
                       drawn_into(1, "paper\nfield 8p1\nhand 1b")));
}

/* ---- what cannot be drawn ---- */

static void refused(const char *line, const char *why)
{
    struct picture_ask ask;
    struct buf b = {bytes[0], 0, JOB_RESULT, false};
    err.text[0] = '\0';
    if (picture_ask(decks, str_of(line), &ask, &err) && picture_draw(&ask, &b, &err))
        fail_msg("\"%s\" was drawn", line);
    if (!strstr(err.text, why))
        fail_msg("\"%s\": %s", line, err.text);
    assert_int_equal(b.n, 0);
}

TEST_WITH(failed_drawing_gives_the_reason, setup, teardown)
{
    static char large[DECK_SVG_MOST + 2];
    memset(large, ' ', sizeof large - 1);
    refused("paper\nboard 1b", "got \"board\"");
    refused("paper\nfield 1x", "got \"1x\"");
    refused("cardboard\nfield 1b", "deck cardboard: there is no 1b.svg");
    refused("paper", "there is no card");
    paper_deck("torn");
    unlink(scratch_file("decks/torn/5a.svg").p);
    refused("torn\nfield 1b", "deck torn: there is no 5a.svg");
    paper_deck("burnt");
    paper_card("burnt", card_read("2r", 2), "<svg");
    assert_true(drawn_into(1, "burnt\nfield 1b").n > 0);
    refused("burnt\nfield 1b,2r", "2r.svg");
    paper_deck("large");
    paper_card("large", 0, large);
    refused("large\nfield 2r", "larger than");
}

TEST_WITH(buffer_too_small_is_an_error, setup, teardown)
{
    struct picture_ask ask;
    struct buf b = {bytes[0], 0, 1000, false};
    OK(picture_ask(decks, STR(LINE), &ask, &err));
    assert_false(picture_draw(&ask, &b, &err));
    assert_int_equal(b.n, 0);
    assert_non_null(strstr(err.text, "larger than 1000"));
}

/* ---- as a job ---- */

/* Several threads draw with one new deck at once: each gets the same picture. */
TEST_WITH(threads_may_draw_at_once, setup, teardown)
{
    enum { JOBS = 8 };
    struct work *work;
    struct str input;
    char name[PICTURE_NAME_SIZE];
    struct arena *turn = arena_open(1 << 24);
    OK(picture_order(decks, STR(LINE), turn, &input, name, &err));
    OK(work_open(4, 0, &work, &err));
    for (int i = 0; i < JOBS; i++)
        work_push(work, &(struct job){.run = picture_run, .session = i + 1, .input = input});
    work_commit(work);
    struct str right = drawn_into(0, LINE);
    for (int n = 0; n < JOBS;) {
        struct job_done done;
        struct str png;
        struct pollfd ready = {.fd = work_fd(work), .events = POLLIN};
        if (!work_next(work, turn, &done)) {
            poll(&ready, 1, 10000);
            continue;
        }
        OK(picture_of_job(done.output, &png, &err));
        assert_true(str_is(png, right));
        n++;
    }
    work_close(work);
    arena_close(turn);
}

/* The first hand after a start finds each of its cards, whichever they are. */
TEST_WITH(idle_time_renders_every_card_of_the_usual_deck, setup, teardown)
{
    struct work *work;
    const struct deck *deck;
    struct arena *turn = arena_open(1 << 20);
    OK(work_open(1, 0, &work, &err));
    pictures_warm(decks, work, turn);
    while (work_waiting(work) > 0) {
        struct job_done done;
        struct str png;
        struct pollfd ready = {.fd = work_fd(work), .events = POLLIN};
        poll(&ready, 1, 10000);
        while (work_next(work, turn, &done))
            OK(picture_of_job(done.output, &png, &err));
    }
    OK(decks_find(decks, STR("hanafuda"), &deck, &err));
    for (int card = 0; card < N_CARDS; card++)
        assert_true(deck_image(deck, card, paper_pixels(PAPER_CARD)).n > 0);
    work_close(work);
    arena_close(turn);
}

TEST_WITH(a_job_that_fails_brings_its_reason, setup, teardown)
{
    struct str png, input;
    char name[PICTURE_NAME_SIZE];
    struct arena *turn = arena_open(1 << 20);
    struct buf b = {bytes[0], 0, JOB_RESULT, false};
    paper_deck("burnt");
    paper_card("burnt", card_read("2r", 2), "<svg");
    OK(picture_order(decks, STR("burnt\nfield 2r"), turn, &input, name, &err));
    picture_run(input, NULL, &b);
    assert_false(picture_of_job(buf_str(&b), &png, &err));
    assert_non_null(strstr(err.text, "2r.svg"));
    arena_close(turn);
}
