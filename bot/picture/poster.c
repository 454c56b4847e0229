/* Rows of posters, the pictures that people send on: a call as a splash, who has won, yaku with their
 * stamps, factors as seals, who drew it. The design is in config/decks/README.md. */
#include <assert.h>

#include "picture_rows.h"

/* ---- stamps ---- */

/* What is written on a stamp, from top to bottom. */
static const struct {
    const char *key, *signs;
} stamps[] = {
    {"koikoi", "こいこい"}, {"goko", "五光"},      {"shiko", "四光"},    {"ame_shiko", "雨四光"},
    {"sanko", "三光"},      {"tsukimi", "月見酒"}, {"hanami", "花見酒"}, {"inoshikacho", "猪鹿蝶"},
    {"akatan", "赤短"},     {"aotan", "青短"},     {"tane", "タネ"},     {"tanzaku", "短冊"},
    {"kasu", "カス"},       {"hiki", "月札"},      {"four", "手四"},     {"double_four", "手四"},
    {"pairs", "手札"},      {"win", "勝"},         {"first", "一"},      {"second", "二"},
    {"third", "三"},        {"draw", "引分"},
};

enum { SIGN_BYTES = 3 }; /* of each of these signs, in UTF-8 */

/* Empty if there is no stamp of that key. */
static struct str stamp_of(const struct layout_row *row, int text)
{
    for (size_t i = 0; text < row->n_texts && i < sizeof stamps / sizeof *stamps; i++)
        if (str_is(row->text[text], str_of(stamps[i].key)))
            return str_of(stamps[i].signs);
    return STR("");
}

/* A red seal with the signs below each other, in a box. */
static void put_stamp(struct paper *p, struct str signs, int x, int y, int width, int height)
{
    int n = (int)(signs.n / SIGN_BYTES), room = (height - 12) / (n > 0 ? n : 1);
    int size = room < width - 8 ? room : width - 8;
    struct paper_font brush = {size, true, PAPER_MIDDLE, paper_ink, 0, PAPER_BRUSH};
    paper_box(p, paper_red, x, y, width, height);
    paper_box(p, paper_ink, x + 3, y + 3, width - 6, height - 6);
    paper_box(p, paper_red, x + 5, y + 5, width - 10, height - 10);
    for (int i = 0; i < n; i++) {
        struct str sign = {signs.p + (ptrdiff_t)i * SIGN_BYTES, SIGN_BYTES};
        int middle = y + height / 2 + (2 * i - n + 1) * size / 2;
        paper_text(p, brush, sign, x + width / 2.0, middle + size * 0.375);
    }
}

static void put_seal(struct paper *p, struct str words, int x, int y, int radius)
{
    struct paper_font font = {radius, true, PAPER_MIDDLE, paper_ink, 2 * radius - 8, PAPER_DISPLAY};
    paper_disc(p, paper_gold, x, y, radius + 3);
    paper_disc(p, paper_red, x, y, radius);
    paper_text(p, font, words, x, y + radius * 0.375);
}

static struct str text_of(const struct layout_row *row, int i)
{
    return i < row->n_texts ? row->text[i] : STR("");
}

/* Cards from left to right, over each other where they need more than the room. Returns the width. */
static int put_cards(const struct plan *plan, const struct layout_row *row, int x, int y, int width,
                     int room)
{
    double step = width + GAP;
    int n = row->n_cards;
    if (n > 1 && step * (n - 1) + width > room)
        step = (double)(room - width) / (n - 1);
    for (int i = 0; i < n && plan->paper; i++)
        paper_put_card(plan->paper, layout_card_of(plan->l, row, i)->card, x + (int)(i * step), y,
                       width);
    return n > 0 ? (int)(step * (n - 1)) + width : 0;
}

/* ---- a splash ---- */

enum {
    SUN = 140, /* radius */
    SUN_AT = 150,
    SPLASH_WORD = 346, /* base of the sentence, */
    SPLASH_LIST = 386, /* of the list below it, */
    SPLASH_CARDS = 410,
    SPLASH_CARD = 116
};

int splash_height(const struct plan *plan, const struct layout_row *row)
{
    (void)plan;
    return SPLASH_CARDS + (row->n_cards ? paper_card_height(SPLASH_CARD) + GAP : 0);
}

void splash_draw(const struct plan *plan, const struct layout_row *row, int top)
{
    enum { WIDE = 620, ROOM = PAPER_WIDTH - 2 * POSTER_EDGE, MIDDLE = PAPER_WIDTH / 2 };
    struct paper *p = plan->paper;
    struct str signs = stamp_of(row, 0);
    struct paper_font brush = {150, true, PAPER_MIDDLE, paper_ink, WIDE, PAPER_BRUSH};
    struct paper_font word = {84, true, PAPER_MIDDLE, paper_ink, ROOM, PAPER_DISPLAY};
    struct paper_font line = {44, true, PAPER_MIDDLE, paper_bright, ROOM, PAPER_DISPLAY};
    struct paper_font list = {27, false, PAPER_MIDDLE, paper_pale, ROOM, PAPER_TEXT};
    paper_disc(p, paper_red, MIDDLE, top + SUN_AT, SUN);
    if (str_is(text_of(row, 0), STR("koikoi")))
        paper_art(p, "koikoi", MIDDLE - WIDE / 2.0, top + SUN_AT - 77, WIDE, 154);
    else if (signs.n > 0)
        paper_text(p, brush, signs, MIDDLE, top + SUN_AT + 54);
    else
        paper_text(p, word, text_of(row, 1), MIDDLE, top + SUN_AT + 30);
    int lower = text_of(row, 3).n ? 0 : (SPLASH_LIST - SPLASH_WORD) / 2; /* without a list */
    paper_text(p, line, text_of(row, 2), MIDDLE, top + SPLASH_WORD + lower);
    paper_text(p, list, text_of(row, 3), MIDDLE, top + SPLASH_LIST);
    if (row->n_texts > 4)
        put_seal(p, row->text[4], PAPER_WIDTH - POSTER_EDGE - 50, top + 54, 46);
    struct plan unseen = {.l = plan->l};
    int wide = put_cards(&unseen, row, 0, 0, SPLASH_CARD, ROOM);
    put_cards(plan, row, (PAPER_WIDTH - wide) / 2, top + SPLASH_CARDS, SPLASH_CARD, ROOM);
}

/* ---- who has won ---- */

void result_draw(const struct plan *plan, const struct layout_row *row, int top)
{
    enum { SIDE = 92 };
    struct paper *p = plan->paper;
    struct str signs = stamp_of(row, 0);
    int edge = plan_edge(plan), left = edge + (signs.n ? SIDE + 22 : 0);
    int right = PAPER_WIDTH - edge, room = right - left, total = text_of(row, 3).n ? room / 3 : 0;
    struct paper_font name = {46,           true, PAPER_LEFT, paper_ink, room - total - 2 * EDGE,
                              PAPER_DISPLAY};
    struct paper_font below = {27, false, PAPER_LEFT, paper_pale, room, PAPER_TEXT};
    struct paper_font sum = {48, true, PAPER_RIGHT, paper_bright, total, PAPER_DISPLAY};
    if (signs.n)
        put_stamp(p, signs, edge, top + 4, SIDE, SIDE);
    paper_text(p, name, text_of(row, 1), left, top + 50);
    paper_text(p, below, text_of(row, 2), left, top + 88);
    paper_text(p, sum, text_of(row, 3), right, top + 50);
}

/* ---- yaku ---- */

enum { YAKU_CARD = 108, YAKU_SMALL = 84, YAKU_LARGE = 132, YAKU_NAME = 46, STAMP = 66 };

/* Two yaku on a poster are as large as they can be; among more, and elsewhere, cards are smaller. */
static int yaku_card(const struct plan *plan)
{
    int n = 0;
    for (int i = 0; i < plan->l->n_rows; i++)
        n += plan->l->row[i].kind == LAYOUT_YAKU;
    if (!layout_is_poster(plan->l))
        return YAKU_CARD;
    return n > 3 ? YAKU_SMALL : n > 2 ? YAKU_CARD : n == 2 ? YAKU_LARGE : PAPER_CARD;
}

int yaku_height(const struct plan *plan, const struct layout_row *row)
{
    return YAKU_NAME + (row->n_cards ? paper_card_height(yaku_card(plan)) + 2 * GAP : 0);
}

void yaku_draw(const struct plan *plan, const struct layout_row *row, int top)
{
    struct paper *p = plan->paper;
    struct str signs = stamp_of(row, 2);
    bool poster = layout_is_poster(plan->l);
    int card = yaku_card(plan), edge = plan_edge(plan), right = PAPER_WIDTH - edge;
    int left = edge + (signs.n && row->n_cards ? STAMP + 14 : 0);
    struct paper_font name = {30,
                              true,
                              PAPER_LEFT,
                              paper_pale,
                              (right - edge) * 3 / 4,
                              poster ? PAPER_DISPLAY : PAPER_TEXT};
    struct paper_font worth = {34,
                               true,
                               PAPER_RIGHT,
                               paper_bright,
                               (right - edge) / 4 - GAP,
                               poster ? PAPER_DISPLAY : PAPER_TEXT};
    paper_text(p, name, text_of(row, 0), edge, top + 33);
    paper_text(p, worth, text_of(row, 1), right, top + 33);
    if (left > edge)
        put_stamp(p, signs, edge, top + YAKU_NAME, STAMP, paper_card_height(card));
    put_cards(plan, row, left, top + YAKU_NAME, card, right - left);
}

/* ---- factors ---- */

enum { SEAL = 26, SEAL_LINE = 66 };

int seals_height(const struct plan *plan, const struct layout_row *row)
{
    (void)plan;
    return (row->n_texts / 2 + 1) / 2 * SEAL_LINE;
}

/* Two in a line. */
void seals_draw(const struct plan *plan, const struct layout_row *row, int top)
{
    int edge = plan_edge(plan), half = PAPER_WIDTH / 2 - edge, room = half - 2 * SEAL - 24;
    struct paper_font font = {25, false, PAPER_LEFT, paper_pale, room, PAPER_TEXT};
    if (row->n_texts == 2)
        font.room += half;
    for (int i = 0; i + 1 < row->n_texts; i += 2) {
        int x = edge + i / 2 % 2 * half, y = top + i / 4 * SEAL_LINE + SEAL_LINE / 2;
        put_seal(plan->paper, row->text[i], x + SEAL + 3, y, SEAL);
        paper_text(plan->paper, font, row->text[i + 1], x + 2 * SEAL + 20, y + 9);
    }
}

/* ---- who drew it ---- */

void sign_draw(const struct plan *plan, const struct layout_row *row, int top)
{
    enum { SIDE = 30 };
    static const struct str flower = STR("花");
    int edge = plan_edge(plan), right = PAPER_WIDTH - edge;
    struct paper_font font = {21, true, PAPER_RIGHT, paper_dim, (right - edge) / 2, PAPER_TEXT};
    struct paper_font link = {21, false, PAPER_LEFT, paper_dim, (right - edge) / 2, PAPER_TEXT};
    put_stamp(plan->paper, flower, right - SIDE, top + 8, SIDE, SIDE);
    paper_text(plan->paper, font, text_of(row, 0), right - SIDE - 12, top + 31);
    paper_text(plan->paper, link, text_of(row, 1), edge, top + 31);
}
