/* Pictures of hands, looked at as a player would: which cards are there and in what order, what
 * stands under them; and what cannot be drawn says why. */
#include "shell/paper_deck.h"
#include "shell/scratch.h"

#include <cairo.h>
#include <poll.h>

#include "picture.h"

#define LINE "hand paper 3b,3r,5p1,6a,7p1,8b||1b#1,2r#2,3p1#3!,5a#4!,8p1#5!,9a#6,10p1#7,12b#8"

static struct err err;
static struct decks *decks;

static int setup(void **state)
{
    (void)state;
    if (!scratch_open())
        return 1;
    decks = decks_open(paper_deck("paper"));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
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

struct box {
    int left, top, right, bottom, n; /* right and bottom are inside; n pixels were found */
};

static void grow(struct box *b, int x, int y)
{
    if (b->n++ == 0)
        *b = (struct box){x, y, x, y, 1};
    b->left = x < b->left ? x : b->left;
    b->right = x > b->right ? x : b->right;
    b->top = y < b->top ? y : b->top;
    b->bottom = y > b->bottom ? y : b->bottom;
}

static struct box box_of_colour(const struct image *i, uint32_t colour)
{
    struct box b = {0};
    for (int y = 0; y < i->height; y++)
        for (int x = 0; x < i->width; x++)
            if (pixel(i, x, y) == colour)
                grow(&b, x, y);
    return b;
}

static struct box box_of_card(const struct image *i, const char *code)
{
    return box_of_colour(i, paper_colour(card_read(code, strlen(code))));
}

/* Where two pictures of one size differ. */
static struct box difference(const char *one, const char *other)
{
    struct image a = image_of(drawn_into(0, one)), b = image_of(drawn_into(1, other));
    struct box d = {0};
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

/* ---- what is there ---- */

static void it_is_as_wide_as_a_telephone_and_small(void **state)
{
    (void)state;
    struct str png = drawn_into(0, LINE);
    struct image i = image_of(png);
    assert_int_equal(i.width, PICTURE_WIDTH);
    assert_in_range(i.height, i.width / 2, i.width * 2);
    assert_true(png.n < 400 * 1000);
    cairo_surface_destroy(i.surface);
}

/* Every card of the line, whole, and not one more. */
static void all_its_cards_are_there_and_no_other(void **state)
{
    (void)state;
    struct spread s;
    cardset there = 0;
    struct image i = image_of(drawn_into(0, LINE));
    OK(spread_read(str_of(LINE), &s, &err));
    for (int row = 0; row < SPREAD_ROWS; row++)
        for (int k = 0; k < s.n[row]; k++)
            there |= CARD(s.at[row][k].card);
    for (int card = 0; card < N_CARDS; card++) {
        struct box b = box_of_colour(&i, paper_colour(card));
        if (!(there & CARD(card))) {
            assert_int_equal(b.n, 0);
            continue;
        }
        int width = b.right - b.left + 1, height = b.bottom - b.top + 1;
        assert_true(b.n > 100 * 160 && b.n >= (width - 2) * (height - 2));
        assert_in_range(height * 100 / width, 155, 165); /* 160 by 256 */
    }
    cairo_surface_destroy(i.surface);
}

/* Read like a page: the field, the drawn card, the hand. */
static void they_lie_in_the_order_of_the_line(void **state)
{
    (void)state;
    static const char *const codes[] = {"1b", "2a", "3b", "4a", "5a",
                                        "6a", "7a", "8b", "9a", "10a"};
    struct image i = image_of(drawn_into(0, "hand paper 1b,2a,3b,4a,5a,6a#1!,7a#2!|8b|9a,10a"));
    struct box before = box_of_card(&i, codes[0]);
    for (size_t k = 1; k < sizeof codes / sizeof *codes; k++) {
        struct box b = box_of_card(&i, codes[k]);
        assert_true(b.n > 0);
        assert_true(b.top > before.bottom || (b.top == before.top && b.left > before.right));
        before = b;
    }
    assert_true(box_of_card(&i, "8b").top > box_of_card(&i, "7a").bottom);
    assert_true(box_of_card(&i, "9a").top > box_of_card(&i, "8b").bottom);
    cairo_surface_destroy(i.surface);
}

static void a_hand_alone_and_a_field_alone_are_pictures(void **state)
{
    (void)state;
    struct image hand = image_of(drawn_into(0, "hand paper ||1b#1")),
                 field = image_of(drawn_into(1, "hand paper 1b||"));
    assert_true(box_of_card(&hand, "1b").n > 0);
    assert_true(box_of_card(&field, "1b").n > 0);
    cairo_surface_destroy(hand.surface);
    cairo_surface_destroy(field.surface);
}

static void all_cards_at_once_are_a_picture(void **state)
{
    char line[SPREAD_LINE];
    struct buf b = BUF(line);
    (void)state;
    struct spread s = {.deck = "paper"};
    for (int card = 0; card < N_CARDS; card++)
        s.at[SPREAD_FIELD][s.n[SPREAD_FIELD]++] = (struct spread_card){(uint8_t)card, 0, false};
    spread_write(&s, &b);
    buf_char(&b, 0);
    struct image i = image_of(drawn_into(0, line));
    for (int card = 0; card < N_CARDS; card++)
        assert_true(box_of_colour(&i, paper_colour(card)).n > 100 * 160);
    cairo_surface_destroy(i.surface);
}

/* ---- numbers and marks ---- */

enum { SPOT = 60 };
struct spot {
    uint32_t pixel[SPOT * SPOT];
};

/* What lies just below a card, in the middle. */
static struct spot below(const struct image *i, struct box card)
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
static void numbers_stand_under_their_cards(void **state)
{
    static struct spot spots[N_CARDS + 1];
    (void)state;
    for (int n = 0; n <= N_CARDS; n++) {
        char line[64];
        snprintf(line, sizeof line, n ? "hand paper ||1b#1,2r#%d" : "hand paper ||1b#1,2r", n);
        struct image i = image_of(drawn_into(0, line));
        spots[n] = below(&i, box_of_card(&i, "2r"));
        cairo_surface_destroy(i.surface);
        for (int m = 0; m < n; m++)
            assert_memory_not_equal(&spots[n], &spots[m], sizeof spots[n]);
    }
}

static struct box ribbon_with_number_two(void)
{
    struct image i = image_of(drawn_into(0, "hand paper 3b||1b#1,2r#2"));
    struct box card = box_of_card(&i, "2r");
    cairo_surface_destroy(i.surface);
    return card;
}

/* It is what differs from a card without one: below the card, in its middle, large enough to be
 * read. */
static void a_number_is_where_it_is_looked_for(void **state)
{
    (void)state;
    struct box card = ribbon_with_number_two();
    struct box d = difference("hand paper 3b||1b#1,2r", "hand paper 3b||1b#1,2r#8");
    assert_true(d.n > 40);
    assert_true(d.top > card.bottom && d.bottom < card.bottom + SPOT);
    assert_in_range((d.left + d.right) / 2, (card.left + card.right) / 2 - 2,
                    (card.left + card.right) / 2 + 2);
    assert_in_range(d.bottom - d.top, 14, 40);
}

static void a_mark_is_seen_and_covers_no_card(void **state)
{
    (void)state;
    struct box card = ribbon_with_number_two();
    struct box d = difference("hand paper 3b||1b#1,2r#2", "hand paper 3b||1b#1,2r#2!");
    assert_true(d.n > 300);
    assert_true(d.top > card.bottom && d.left > card.left && d.right < card.right);
}

static void the_drawn_card_is_framed(void **state)
{
    (void)state;
    struct image i = image_of(drawn_into(0, "hand paper 3b#1!,3r#2!|3p1|1b"));
    struct box drawn = box_of_card(&i, "3p1"), hand = box_of_card(&i, "1b");
    uint32_t around = pixel(&i, drawn.left - 3, drawn.top + 20);
    assert_int_equal(around, pixel(&i, drawn.right + 3, drawn.bottom - 20));
    assert_int_not_equal(around, pixel(&i, 0, drawn.top + 20));
    assert_int_not_equal(around, pixel(&i, hand.left - 3, hand.top + 20));
    cairo_surface_destroy(i.surface);
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

static void one_name_is_one_picture(void **state)
{
    (void)state;
    static const char *const lines[] = {
        LINE,
        "hand paper 3b||1b#1,2r#2",
        "hand paper 3b||1b#1,2r#3",
        "hand paper 3b||1b#1,2r#2!",
        "hand paper 3b||1b#1,2a#2",
        "hand paper 3b,1b||2r#2",
        "hand paper 3b|1b|2r#2",
        "hand paper 3b|2r|1b#2",
        "hand paper ||3b,1b#1,2r#2",
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
static void drawing_is_always_the_same(void **state)
{
    (void)state;
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
static void a_name_is_of_what_is_drawn(void **state)
{
    (void)state;
    static const char white[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 160 256\">"
                                "<rect width=\"160\" height=\"256\" fill=\"white\"/></svg>";
    char before[PICTURE_NAME_SIZE];
    memcpy(before, name_of(0, "hand paper 8p1||1b"), sizeof before);
    paper_card("paper", card_read("8p1", 3), white);
    paper_card("paper", card_read("8p2", 3), white);
    decks_close(decks);
    decks = decks_open(scratch_file("decks"));
    assert_string_not_equal(before, name_of(0, "hand paper 8p1||1b"));
    assert_string_equal(name_of(0, "hand paper 8p2||1b"), name_of(1, "hand paper 8p1||1b"));
    assert_true(str_is(drawn_into(0, "hand paper 8p2||1b"), drawn_into(1, "hand paper 8p1||1b")));
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

static void what_cannot_be_drawn_says_why(void **state)
{
    static char large[DECK_SVG_MOST + 2];
    (void)state;
    memset(large, ' ', sizeof large - 1);
    refused("board 1b", "does not begin with \"hand\"");
    refused("hand paper 1x||", "\"1x\" is no card");
    refused("hand cardboard 1b||", "deck cardboard: there is no 1b.svg");
    refused("hand paper ||", "there is no card");
    paper_deck("torn");
    unlink(scratch_file("decks/torn/5a.svg").p);
    refused("hand torn 1b||", "deck torn: there is no 5a.svg");
    paper_deck("burnt");
    paper_card("burnt", card_read("2r", 2), "<svg");
    assert_true(drawn_into(1, "hand burnt 1b||").n > 0);
    refused("hand burnt 1b,2r||", "2r.svg");
    paper_deck("large");
    paper_card("large", 0, large);
    refused("hand large 2r||", "larger than");
}

static void a_picture_that_has_no_room_is_none(void **state)
{
    (void)state;
    struct picture_ask ask;
    struct buf b = {bytes[0], 0, 1000, false};
    OK(picture_ask(decks, STR(LINE), &ask, &err));
    assert_false(picture_draw(&ask, &b, &err));
    assert_int_equal(b.n, 0);
    assert_non_null(strstr(err.text, "larger than 1000"));
}

/* ---- as a job ---- */

/* Several threads draw with one new deck at once: each gets the same picture. */
static void threads_may_draw_at_once(void **state)
{
    (void)state;
    enum { JOBS = 8 };
    struct work *work;
    struct picture_ask ask;
    struct arena *turn = arena_open(1 << 24);
    OK(picture_ask(decks, STR(LINE), &ask, &err));
    OK(work_open(4, 0, &work, &err));
    for (int i = 0; i < JOBS; i++)
        work_push(work, &(struct job){.run = picture_run,
                                      .session = i + 1,
                                      .input = {(const char *)&ask, sizeof ask}});
    work_commit(work);
    struct str right = drawn_into(0, LINE);
    for (int n = 0; n < JOBS;) {
        struct job_done done;
        struct str png;
        struct pollfd ready = {.fd = work_fd(work), .events = POLLIN};
        if (!work_take(work, turn, &done)) {
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

static void a_job_that_fails_brings_its_reason(void **state)
{
    (void)state;
    struct picture_ask ask;
    struct str png;
    struct buf b = {bytes[0], 0, JOB_RESULT, false};
    paper_deck("burnt");
    paper_card("burnt", card_read("2r", 2), "<svg");
    OK(picture_ask(decks, STR("hand burnt 2r||"), &ask, &err));
    picture_run((struct str){(const char *)&ask, sizeof ask}, NULL, &b);
    assert_false(picture_of_job(buf_str(&b), &png, &err));
    assert_non_null(strstr(err.text, "2r.svg"));
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(it_is_as_wide_as_a_telephone_and_small),
        T(all_its_cards_are_there_and_no_other),
        T(they_lie_in_the_order_of_the_line),
        T(a_hand_alone_and_a_field_alone_are_pictures),
        T(all_cards_at_once_are_a_picture),
        T(numbers_stand_under_their_cards),
        T(a_number_is_where_it_is_looked_for),
        T(a_mark_is_seen_and_covers_no_card),
        T(the_drawn_card_is_framed),
        T(one_name_is_one_picture),
        T(drawing_is_always_the_same),
        T(a_name_is_of_what_is_drawn),
        T(what_cannot_be_drawn_says_why),
        T(a_picture_that_has_no_room_is_none),
        T(threads_may_draw_at_once),
        T(a_job_that_fails_brings_its_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
