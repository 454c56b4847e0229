/* Rows of posters, the pictures that people send on: a call as a splash, who has won, yaku with their
 * stamps, factors as seals, who drew it. The design is in config/decks/README.md. */
#include <assert.h>
#include <stdio.h>

#include "picture_rows.h"

/* ---- words of one size ---- */

/* No line of a table is wider than its signs would be as broad as these; so most need no measuring. */
static double widest(struct paper_font font, struct str words)
{
    double width = 0;
    for (size_t i = 0; i < words.n; i++) {
        unsigned char c = (unsigned char)words.p[i];
        width += c < 0x80 ? 0.62 : c < 0xC0 ? 0 : c < 0xE0 ? 0.8 : 1;
    }
    return width * font.size;
}

double plan_share(struct paper_font left, struct str words, struct paper_font right,
                  struct str more, double room)
{
    enum { BETWEEN = 24 };
    double both = widest(left, words) + widest(right, more);
    room -= BETWEEN;
    if (both > room)
        both = paper_text_width(left, words) + paper_text_width(right, more);
    return both > room ? room / both : 1;
}

double plan_least(const struct plan *plan, enum layout_kind kind,
                  double (*share)(const struct plan *plan, const struct layout_row *row))
{
    double least = 1;
    for (int i = 0; i < plan->l->n_rows; i++)
        if (plan->l->row[i].kind == kind) {
            double one = share(plan, &plan->l->row[i]);
            least = one < least ? one : least;
        }
    return least;
}

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
    {"third", "三"},        {"draw", "引分"},      {"hundred", "百"},    {"run", "連"},
    {"champion", "冠"},
};

enum { SIGN_BYTES = 3 }; /* of each of these signs, in UTF-8 */

/* Empty if there is no stamp of that key. */
static struct str signs_of(struct str key)
{
    for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++)
        if (str_is(key, str_of(stamps[i].key)))
            return str_of(stamps[i].signs);
    return STR("");
}

static struct str stamp_of(const struct layout_row *row, int text)
{
    return text < row->n_texts ? signs_of(row->text[text]) : STR("");
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

/* A figure, or the key of a stamp. */
static void put_seal(struct paper *p, struct str words, int x, int y, int radius)
{
    struct str signs = signs_of(words);
    struct paper_font font = {radius, true, PAPER_MIDDLE, paper_ink, 2 * radius - 8, PAPER_DISPLAY};
    paper_disc(p, paper_gold, x, y, radius + 3);
    paper_disc(p, paper_red, x, y, radius);
    if (signs.n > 0) {
        font.face = PAPER_BRUSH;
        font.size = radius * 6 / 5;
        words = signs;
    }
    paper_text(p, font, words, x, y + font.size * 0.375);
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

/* One line, or two of about the same length if it would not fit in one: broken at a blank, or behind a
 * sign of Chinese or Japanese punctuation. Returns their number, 0 for no words. */
static int split_lines(struct str words, struct paper_font font, struct str ret[static 2])
{
    static const char *const stops[] = {"、", "。", "，", "！", "？"};
    size_t best = 0, next = 0;
    for (size_t i = 0; i < words.n; i++) {
        bool blank = words.p[i] == ' ', stop = false;
        for (size_t k = 0; k < sizeof stops / sizeof *stops; k++)
            stop |= str_starts(str_skip(words, i), str_of(stops[k]));
        size_t end = stop ? i + SIGN_BYTES : i,
               off = end * 2 > words.n ? end * 2 - words.n : words.n - end * 2;
        size_t best_off = best * 2 > words.n ? best * 2 - words.n : words.n - best * 2;
        if ((blank || stop) && end < words.n && off < best_off) {
            best = end;
            next = end + blank;
        }
    }
    ret[0] = words;
    if (best == 0 || paper_text_width(font, words) <= font.room)
        return words.n > 0;
    ret[0].n = best;
    ret[1] = str_skip(words, next);
    return 2;
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
    if (str_is(row_text(row, 0), STR("koikoi")))
        paper_art(p, "koikoi", MIDDLE - WIDE / 2.0, top + SUN_AT - 77, WIDE, 154);
    else if (signs.n > 0)
        paper_text(p, brush, signs, MIDDLE, top + SUN_AT + 54);
    else
        paper_text(p, word, row_text(row, 1), MIDDLE, top + SUN_AT + 30);
    int lower = row_text(row, 3).n ? 0 : (SPLASH_LIST - SPLASH_WORD) / 2; /* without a list */
    paper_text(p, line, row_text(row, 2), MIDDLE, top + SPLASH_WORD + lower);
    paper_text(p, list, row_text(row, 3), MIDDLE, top + SPLASH_LIST);
    if (row->n_texts > 4)
        put_seal(p, row->text[4], PAPER_WIDTH - POSTER_EDGE - 50, top + 54, 46);
    struct plan unseen = {.l = plan->l};
    int wide = put_cards(&unseen, row, 0, 0, SPLASH_CARD, ROOM);
    put_cards(plan, row, (PAPER_WIDTH - wide) / 2, top + SPLASH_CARDS, SPLASH_CARD, ROOM);
}

/* ---- faces ---- */

enum { FACE_LARGE = 212, FACE_SMALL = 112, FACE_GAP = 24 };

/* One that a poster presents alone is large. */
static int face_side(const struct plan *plan, const struct layout_row *row)
{
    return plan->l->n_rows == 2 && row_text(row, 1).n > 0 ? FACE_LARGE : FACE_SMALL;
}

int face_height(const struct plan *plan, const struct layout_row *row)
{
    return face_side(plan, row) + 2 * GAP;
}

/* What is said, in a bubble whose tail points to the left. */
static void put_bubble(struct paper *p, struct str words, int x, int middle, int room)
{
    enum { LINE_HIGH = 34, PAD = 18, ROUND = 20, TAIL = 20 };
    struct paper_font font = {26, false, PAPER_LEFT, paper_dark, room - TAIL - 2 * PAD, PAPER_TEXT};
    struct str line[2];
    int n = split_lines(words, font, line), high = n * LINE_HIGH + PAD;
    const double half = ROUND / 2.0, left = x + TAIL + half, right = x + room - half;
    const double up = middle - high / 2.0 + half, low = middle + high / 2.0 - half;
    const double edge[] = {left, up, right, up, right, low, left, low, left, up};
    const double tail[] = {left, middle - 8, x + 4, middle + 6, left, middle + 8};
    paper_box(p, paper_ink, left, up, right - left, low - up);
    paper_line(p, paper_ink, ROUND, edge, 5);
    paper_line(p, paper_ink, 8, tail, 3);
    for (int i = 0; i < n; i++)
        paper_text(p, font, line[i], x + TAIL + PAD,
                   middle - (n - 1) * LINE_HIGH / 2.0 + i * LINE_HIGH + 9);
}

/* A portrait; beside it a name with words below it, or what its owner says, or all of it. */
void face_draw(const struct plan *plan, const struct layout_row *row, int top)
{
    struct paper *p = plan->paper;
    int side = face_side(plan, row), edge = plan_edge(plan), left = edge + side + FACE_GAP;
    int room = PAPER_WIDTH - edge - left, middle = top + GAP + side / 2;
    bool large = side == FACE_LARGE, says = row_text(row, 3).n > 0, named = row_text(row, 1).n > 0;
    struct paper_font name = {large ? 50 : 34, true, PAPER_LEFT, paper_ink, room, PAPER_DISPLAY};
    struct paper_font below = {27, false, PAPER_LEFT, paper_pale, room, PAPER_TEXT};
    struct str line[2];
    char key[16];
    snprintf(key, sizeof key, "%.*s", STR_ARG(row_text(row, 0)));
    paper_art(p, key, edge, top + GAP, side, side);
    if (named) {
        int n = split_lines(row_text(row, 2), below, line);
        int base = says ? top + 46 : middle - n * 15 + (large ? 8 : 6);
        paper_text(p, name, row_text(row, 1), left, base);
        for (int i = 0; i < n; i++)
            paper_text(p, below, line[i], left, base + 42 + i * 34);
    }
    if (says)
        put_bubble(p, row_text(row, 3), left - FACE_GAP, named ? top + side - 44 : middle,
                   room + FACE_GAP);
}

/* ---- who has won ---- */

enum { WINNER_SIDE = 92, WINNER_NAME = 44, WINNER_SUM = 46 };

static int result_left(const struct plan *plan, const struct layout_row *row)
{
    return plan_edge(plan) + (stamp_of(row, 0).n ? WINNER_SIDE + 22 : 0);
}

static struct paper_font display(double size, enum paper_align align, struct colour c)
{
    return (struct paper_font){(int)size, true, align, c, 0, PAPER_DISPLAY};
}

static double result_share(const struct plan *plan, const struct layout_row *row)
{
    return plan_share(display(WINNER_NAME, PAPER_LEFT, paper_ink), row_text(row, 1),
                      display(WINNER_SUM, PAPER_RIGHT, paper_bright), row_text(row, 3),
                      PAPER_WIDTH - plan_edge(plan) - result_left(plan, row));
}

void result_draw(const struct plan *plan, const struct layout_row *row, int top)
{
    struct paper *p = plan->paper;
    struct str signs = stamp_of(row, 0);
    int left = result_left(plan, row), right = PAPER_WIDTH - plan_edge(plan);
    double share = plan_least(plan, LAYOUT_RESULT, result_share);
    int base = top + (row_text(row, 2).n ? 50 : 64);
    struct paper_font below = {27, false, PAPER_LEFT, paper_pale, right - left, PAPER_TEXT};
    if (signs.n)
        put_stamp(p, signs, plan_edge(plan), top + 4, WINNER_SIDE, WINNER_SIDE);
    paper_text(p, display(WINNER_NAME * share, PAPER_LEFT, paper_ink), row_text(row, 1), left,
               base);
    paper_text(p, below, row_text(row, 2), left, top + 88);
    paper_text(p, display(WINNER_SUM * share, PAPER_RIGHT, paper_bright), row_text(row, 3), right,
               base);
}

/* ---- yaku ---- */

enum { YAKU_CARD = 108, YAKU_BESIDE = 120, YAKU_NAME = 46, STAMP = 66, COLUMN_GAP = 24 };

/* Where a yaku stands among its neighbours. */
struct column {
    int place, columns, left, width;
};

/* Neighbours of a poster stand side by side: two in a line, or three. */
static struct column column_of(const struct plan *plan, const struct layout_row *row)
{
    const struct layout_row *first = row, *end = plan->l->row + plan->l->n_rows;
    struct column c = {.columns = 1};
    int beside = 0;
    while (first > plan->l->row && first[-1].kind == LAYOUT_YAKU)
        first--;
    while (first + beside < end && first[beside].kind == LAYOUT_YAKU)
        beside++;
    if (layout_is_poster(plan->l))
        c.columns = beside == 3 || beside > 4 ? 3 : beside > 1 ? 2 : 1;
    c.place = (int)(row - first) % c.columns;
    c.width = (PAPER_WIDTH - 2 * plan_edge(plan) - (c.columns - 1) * COLUMN_GAP) / c.columns;
    c.left = plan_edge(plan) + c.place * (c.width + COLUMN_GAP);
    return c;
}

static int yaku_card(const struct plan *plan, const struct layout_row *row)
{
    const int most = column_of(plan, row).columns > 1 ? YAKU_BESIDE : PAPER_CARD;
    if (!layout_is_poster(plan->l))
        return YAKU_CARD;
    return plan->yaku < most ? plan->yaku : most;
}

static int yaku_line(const struct plan *plan, const struct layout_row *row)
{
    return YAKU_NAME + (row->n_cards ? paper_card_height(yaku_card(plan, row)) + 2 * GAP : 0);
}

/* The first of a line has the height of its highest. */
int yaku_height(const struct plan *plan, const struct layout_row *row)
{
    const struct layout_row *end = plan->l->row + plan->l->n_rows;
    const struct column c = column_of(plan, row);
    int height = 0;
    for (int i = 0; c.place == 0 && i < c.columns; i++)
        if (row + i < end && row[i].kind == LAYOUT_YAKU && yaku_line(plan, row + i) > height)
            height = yaku_line(plan, row + i);
    return height;
}

/* In one line, or in two small ones; an owner above the name, or before it where no other yaku stands
 * beside. The room of a line is the font's; below an owner it is `lower`, the owner's `upper`. Returns
 * true if an owner stands above. */
static bool put_yaku_name(struct paper *p, struct paper_font font, int upper, int lower, bool alone,
                          const struct layout_row *row, int x, int top)
{
    enum { TWO = 20, FIRST = 17, SECOND = 40, ONE = 33, BETWEEN = 14 };
    struct str name = row_text(row, 0), owner = row_text(row, 3), line[2] = {owner, name};
    struct paper_font first = font;
    double before = owner.n ? paper_text_width(font, owner) + BETWEEN : 0;
    bool fits = alone && before + paper_text_width(font, name) <= font.room;
    if (owner.n)
        first.colour = paper_dim;
    if (owner.n && fits) {
        paper_text(p, first, owner, x, top + ONE);
        paper_text(p, font, name, x + before, top + ONE);
        return false;
    }
    if (!owner.n && split_lines(name, font, line) < 2) {
        paper_text(p, font, name, x, top + ONE);
        return false;
    }
    first.size = font.size = TWO;
    first.room = owner.n ? upper : font.room;
    font.room = owner.n ? lower : font.room;
    paper_text(p, first, line[0], x, top + FIRST);
    paper_text(p, font, line[1], x, top + SECOND);
    return owner.n > 0;
}

void yaku_draw(const struct plan *plan, const struct layout_row *row, int top)
{
    enum { SMALL = 24, LARGE = 30, WORTH = 34, LOWER = 7, RAISED = 12 };
    struct paper *p = plan->paper;
    struct str signs = stamp_of(row, 2);
    const struct column c = column_of(plan, row);
    bool alone = c.columns == 1, narrow = c.columns == 3;
    enum paper_face face = layout_is_poster(plan->l) ? PAPER_DISPLAY : PAPER_TEXT;
    int card = yaku_card(plan, row), right = c.left + c.width,
        worth_room = c.width / (alone    ? 4
                                : narrow ? 3
                                         : 5);
    int left = c.left + (signs.n && row->n_cards && c.columns < 3 ? STAMP + 14 : 0);
    struct paper_font name = {alone ? LARGE : SMALL,
                              true,
                              PAPER_LEFT,
                              paper_pale,
                              c.width - worth_room - GAP * !alone,
                              face};
    struct paper_font worth = {alone ? WORTH : narrow ? SMALL : LARGE,
                               true,
                               PAPER_RIGHT,
                               paper_bright,
                               worth_room - GAP,
                               face};
    int high = yaku_height(plan, row - c.place);
    top -= c.place > 0 ? high : 0;
    bool above = put_yaku_name(p, name, narrow ? c.width : name.room, narrow ? name.room : c.width,
                               alone, row, c.left, top);
    paper_text(p, worth, row_text(row, 1), right,
               top + 33 +
                   (narrow  ? LOWER
                    : above ? -RAISED
                            : 0));
    if (left > c.left || (signs.n && row->n_cards == 0 && high > YAKU_NAME))
        put_stamp(p, signs, c.left, top + YAKU_NAME, STAMP, paper_card_height(card));
    put_cards(plan, row, left, top + YAKU_NAME, card, right - left);
}

/* ---- what decided ---- */

enum { MOMENT_LINES = 112 };

int moment_height(const struct plan *plan, const struct layout_row *row)
{
    int cards = row->n_cards ? paper_card_height(yaku_card(plan, row)) : 0;
    return (cards > MOMENT_LINES ? cards : MOMENT_LINES) + 2 * GAP;
}

/* Cards, beside them a heading, a name and figures. */
void moment_draw(const struct plan *plan, const struct layout_row *row, int top)
{
    enum { BESIDE = 20, HEADING = 24, NAME = 30, FIGURES = 34, LINE_HIGH = 40 };
    struct paper *p = plan->paper;
    int edge = plan_edge(plan), room = PAPER_WIDTH - 2 * edge;
    int middle = top + moment_height(plan, row) / 2, card = yaku_card(plan, row);
    int wide = put_cards(plan, row, edge, middle - paper_card_height(card) / 2, card, room / 2);
    int left = edge + (wide ? wide + BESIDE : 0);
    room -= left - edge;
    struct paper_font heading = {HEADING, false, PAPER_LEFT, paper_dim, room, PAPER_TEXT};
    struct paper_font name = {NAME, true, PAPER_LEFT, paper_pale, room, PAPER_DISPLAY};
    struct paper_font figures = {FIGURES, true, PAPER_LEFT, paper_bright, room, PAPER_DISPLAY};
    paper_text(p, heading, row_text(row, 0), left, middle - LINE_HIGH + 8);
    paper_text(p, name, row_text(row, 1), left, middle + 10);
    paper_text(p, figures, row_text(row, 2), left, middle + LINE_HIGH + 12);
}

/* ---- factors ---- */

enum { SEAL = 26, SEAL_LINE = 66 };

int seals_height(const struct plan *plan, const struct layout_row *row)
{
    (void)plan;
    return (row->n_texts / 2 + 1) / 2 * SEAL_LINE;
}

/* Two beside each other; a name that is long in two lines. */
void seals_draw(const struct plan *plan, const struct layout_row *row, int top)
{
    enum { LINE_HIGH = 27 };
    int edge = plan_edge(plan), half = PAPER_WIDTH / 2 - edge, room = half - 2 * SEAL - 34;
    struct paper_font font = {25, false, PAPER_LEFT, paper_pale, room, PAPER_TEXT};
    if (row->n_texts == 2)
        font.room += half;
    for (int i = 0; i + 1 < row->n_texts; i += 2) {
        struct str line[2];
        int x = edge + i / 2 % 2 * half, y = top + i / 4 * SEAL_LINE + SEAL_LINE / 2;
        int n = split_lines(row->text[i + 1], font, line);
        put_seal(plan->paper, row->text[i], x + SEAL + 3, y, SEAL);
        for (int k = 0; k < n; k++)
            paper_text(plan->paper, font, line[k], x + 2 * SEAL + 20,
                       y + 9 + k * LINE_HIGH - (n - 1) * LINE_HIGH / 2.0);
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
    paper_text(plan->paper, font, row_text(row, 0), right - SIDE - 12, top + 31);
    paper_text(plan->paper, link, row_text(row, 1), edge, top + 31);
}
