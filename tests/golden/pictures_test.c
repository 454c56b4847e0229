/* Pictures as people see them: a story with all kinds of them, played in nine languages with both decks
 * and long names in four scripts. Every line of words stays on the picture, can be read on a phone, lies
 * over no other line, has a contrast of 4.5 to what is below it, and signs that the faces have. The words
 * beside a picture say as much: its numbers, its words, and its cards.
 *
 *     SHEETS=folder tests/golden/pictures_test    also draws LANGUAGE-DECK.png there: all pictures,
 *                                                 as wide as on a phone
 */
#include "engine/stride.h"
#include "engine/test.h"
#include "fixture/scratch.h"
#include "golden/chat_input.h"

#include <cairo.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "paper.h"
#include "picture.h"
#include "texts.h"

static const char *const languages[] = {"en", "de", "es", "fr", "ja", "pl", "pt", "ru", "zh"};
static const struct {
    const char *deck, *rules, *rounds, *few; /* of a long match, of a short one */
} decks_shown[] = {{"hanafuda", "sensei", "12", "3"}, {"okoshki", "okoshki", "6", "6"}};
enum { LANGUAGES = sizeof languages / sizeof *languages, DECKS = 2, MOST_PICTURES = 100 };

/* Names as the story has them, and those that they are shown with: 14 columns each. */
static const char *const names[][2] = {{"Alice", "Wilhelmina W."},
                                       {"Bob", "Щукарёв-Жмырь"},
                                       {"Carol", "さくらこ・ゆり"},
                                       {"Dora", "歐陽慕容司徒氏"}};

/* ---- lines of words ---- */

struct set_line {
    double left, top, right, bottom; /* pixels */
    char text[64];
};
static struct set_line line[256];
static int n_lines;
static const char *where; /* the layout that is drawn */

static double linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double light(double r, double g, double b)
{
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/* Of what is below the words, before they are drawn: the mean of its contrasts. */
static double contrast(const struct paper *p, struct colour c, const struct set_line *w)
{
    double mine = light(c.r, c.g, c.b), sum = 0;
    int n = 0, stride = paint->cairo_image_surface_get_stride(p->surface);
    paint->cairo_surface_flush(p->surface);
    const uint8_t *data = paint->cairo_image_surface_get_data(p->surface);
    for (int y = (int)w->top; y < (int)w->bottom; y += 2)
        for (int x = (int)w->left; x < (int)w->right; x += 2) {
            if (x < 0 || y < 0 || x >= PAPER_PIXELS || y >= p->height)
                continue;
            const uint8_t *at = data + (ptrdiff_t)y * stride + (ptrdiff_t)x * 4;
            double other = light(at[2] / 255.0, at[1] / 255.0, at[0] / 255.0);
            sum += (fmax(mine, other) + 0.05) / (fmin(mine, other) + 0.05);
            n++;
        }
    return n ? sum / n : 99;
}

/* Where the words will be: of a line that is too wide, where it will be once it is made smaller. */
static struct set_line words_at(struct paper_font font, struct str text, double x, double y,
                                double *ret_share)
{
    double scale = (double)PAPER_PIXELS / PAPER_WIDTH, width = paper_text_width(font, text);
    double share = font.room > 0 && width > font.room ? font.room / width : 1;
    double left = x - (int)font.align * width * share / 2;
    struct set_line w = {.left = left * scale,
                         .top = (y - 0.72 * font.size * share) * scale,
                         .right = (left + width * share) * scale,
                         .bottom = (y + 0.12 * font.size * share) * scale};
    snprintf(w.text, sizeof w.text, "%.*s", (int)text.n, text.p);
    *ret_share = share;
    return w;
}

static bool overlap(const struct set_line *a, const struct set_line *b)
{
    return a->left < b->right - 1 && b->left < a->right - 1 && a->top < b->bottom - 1 &&
           b->top < a->bottom - 1;
}

/* ---- signs ---- */

enum { SIGNS = 0x30000 };
static bool has_face[SIGNS];

/* What the faces of pictures have, as fontconfig lists it: "20-7e a0-109 10c ..." */
static void read_faces(void)
{
    FILE *f = popen("for f in 'PT Sans' 'PT Serif' 'Droid Sans Fallback' AoyagiKouzanFontT; do "
                    "fc-list -f '%{charset}\n' \"$f\"; done",
                    "r");
    unsigned from, to;
    assert_non_null(f);
    for (int n; (n = fscanf(f, "%x-%x", &from, &to)) > 0;)
        for (unsigned c = from; c <= (n > 1 ? to : from) && c < SIGNS; c++)
            has_face[c] = true;
    assert_int_equal(pclose(f), 0);
    assert_true(has_face['a'] && has_face[0x82b1]);
}

/* The first sign that no font has, which would be a box; else 0. */
static unsigned boxed(struct str text)
{
    for (size_t i = 0; i < text.n;) {
        unsigned char first = (unsigned char)text.p[i++];
        unsigned c = first < 0x80   ? first
                     : first < 0xe0 ? first & 0x1f
                     : first < 0xf0 ? first & 0x0f
                                    : first & 0x07;
        while (i < text.n && ((unsigned char)text.p[i] & 0xc0) == 0x80)
            c = c << 6 | ((unsigned char)text.p[i++] & 0x3f);
        if (c >= SIGNS || !has_face[c])
            return c;
    }
    return 0;
}

/* ---- each line ---- */

static int faults;

static void fault(const char *what, const char *words, const char *more)
{
    faults++;
    print_error("%s: \"%s\"%s in\n%s\n\n", what, words, more, where);
}

void __real_paper_text(struct paper *p, struct paper_font font, struct str text, double x,
                       double y);
void __wrap_paper_text(struct paper *p, struct paper_font font, struct str text, double x,
                       double y);
void __wrap_paper_text(struct paper *p, struct paper_font font, struct str text, double x, double y)
{
    const double smallest = 18, shortest = 0.6, least = 4.5; /* units, a share, a contrast */
    double share;
    struct set_line w;
    if (text.n == 0)
        return;
    w = words_at(font, text, x, y, &share);
    if (w.left < 0 || w.top < 0 || w.right > PAPER_PIXELS || w.bottom > p->height)
        fault("outside", w.text, "");
    if (boxed(text))
        fault("a sign that no face has", w.text, "");
    if (share < shortest || share * font.size < smallest)
        fault("small", w.text, "");
    if (contrast(p, font.colour, &w) < least)
        fault("pale", w.text, "");
    for (int i = 0; i < n_lines; i++)
        if (overlap(&w, &line[i]))
            fault("over each other", w.text, line[i].text);
    line[n_lines++] = w;
    __real_paper_text(p, font, text, x, y);
}

/* ---- the story ---- */

static char layout[MOST_PICTURES][LAYOUT_BYTES];
static int n_layouts, left_out;

static struct str replace(struct str s, const char *old, const char *with, struct arena *a)
{
    struct buf b = {arena_room(a, LAYOUT_BYTES), 0, LAYOUT_BYTES, false};
    size_t n = strlen(old);
    for (size_t i = 0; i < s.n;)
        if (str_starts(str_skip(s, i), str_of(old))) {
            buf_put(&b, str_of(with));
            i += n;
        } else {
            buf_char(&b, s.p[i++]);
        }
    return buf_str(&b);
}

/* The rows of a table without its words and cards: those alike are shown once. Of a poster all. */
static void kind_of(struct str text, struct buf *ret)
{
    bool poster = memmem(text.p, text.n, "\nsign\t", 6) != NULL;
    for (struct str rest = text; rest.n > 0 && !poster;) {
        struct str words, row = str_cut(rest, '\n', &rest);
        row = str_cut(row, '\t', &words);
        buf_put(ret, str_cut(row, ' ', &words));
        buf_char(ret, ' ');
    }
    if (poster)
        buf_put(ret, text);
}

static bool is_new(struct str text)
{
    static char kinds[MOST_PICTURES][LAYOUT_BYTES];
    struct buf b = BUF(kinds[n_layouts]);
    kind_of(text, &b);
    buf_char(&b, 0);
    assert_false(b.cut);
    for (int i = 0; i < n_layouts; i++)
        if (strcmp(kinds[i], kinds[n_layouts]) == 0)
            return false;
    return true;
}

/* Bytes of a blank or of punctuation that the words begin with; 0: of neither. */
static size_t between(struct str words)
{
    static const char *const signs[] = {"·",  "▸",  "✓",  "×",  "→",  "–",  "「",
                                        "」", "、", "。", "，", "：", "（", "）"};
    if ((words.p[0] & 0x80) == 0)
        return !isalnum((unsigned char)words.p[0]);
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (str_starts(words, str_of(signs[k])))
            return strlen(signs[k]);
    return 0;
}

/* The next number, or run of letters and signs of any script; numbers end words. */
static struct str next_word(struct str *words)
{
    size_t n = 0;
    while (words->n > 0 && between(*words))
        *words = str_skip(*words, between(*words));
    struct str word = *words;
    bool number = word.n > 0 && isdigit((unsigned char)word.p[0]);
    while (n < word.n && !between(str_skip(word, n)) &&
           (isdigit((unsigned char)word.p[n]) != 0) == number)
        n++;
    word.n = n;
    *words = str_skip(*words, n);
    return word;
}

/* Numbers as such, words also as a part of longer ones. */
static bool has_word(struct str words, struct str word)
{
    if (!isdigit((unsigned char)word.p[0]))
        return memmem(words.p, words.n, word.p, word.n);
    for (struct str w = next_word(&words); w.n > 0; w = next_word(&words))
        if (str_is(w, word))
            return true;
    return false;
}

static bool has_digit(struct str words)
{
    for (size_t i = 0; i < words.n; i++)
        if (isdigit((unsigned char)words.p[i]))
            return true;
    return false;
}

/* Keys of stamps and portraits, and what only says what the numbers beside it are. */
static bool is_heading(const struct layout_row *row, int text)
{
    switch (row->kind) {
    case LAYOUT_TITLE:
    case LAYOUT_LINE:
        return true;
    case LAYOUT_HEAD: /* the words of a puzzle ask for the move; it has no number */
        return text == 1 && !memchr(row->text[0].p, '#', row->text[0].n);
    case LAYOUT_NOTE:
        return !has_digit(row->text[text]);
    case LAYOUT_MOMENT:
    case LAYOUT_SPLASH:
    case LAYOUT_FACE:
        return text == 0;
    case LAYOUT_RESULT:
        return text != 1 || row->n_texts < 4; /* a draw has no total */
    case LAYOUT_YAKU:
        return text == 2;
    case LAYOUT_SEALS:
        return text % 2 == 0;
    default:
        return false;
    }
}

/* A picture says nothing that the words beside it leave out. They have each of its numbers, and each of
 * its words but headings; not the points of a curve, a legend, the bot's name and link. */
static void compare_words(struct arena *a, struct str text, struct str picture)
{
    struct layout l;
    struct err err;
    struct str all = text_fold(a, text);
    OK(layout_read(picture, &l, &err));
    for (int i = 0; i < l.n_rows; i++)
        for (int k = 0; k < l.row[i].n_texts; k++) {
            const struct layout_row *row = &l.row[i];
            struct str rest = text_fold(a, row->text[k]);
            if (row->kind == LAYOUT_SIGN || row->kind == LAYOUT_CURVE || row->kind == LAYOUT_LEGEND)
                continue;
            for (struct str w = next_word(&rest); w.n > 0; w = next_word(&rest))
                if ((has_digit(w) || !is_heading(row, k)) && !has_word(all, w)) {
                    left_out++;
                    print_error("the words leave out \"%.*s\" of \"%.*s\" in\n%.*s\n%.*s\n\n",
                                STR_ARG(w), STR_ARG(row->text[k]), STR_ARG(picture), STR_ARG(text));
                }
        }
}

/* ---- the cards of a picture, in the words beside it ---- */

static struct languages catalogues;

static struct arena *kept;

FIXTURE(setup)
{
    struct err err;
    kept = arena_open((size_t)1 << 24);
    return texts_load(STR(""), STR("en"), true, kept, &catalogues, &err) ? 0 : -1;
}

FIXTURE(teardown)
{
    arena_close(kept);
    return 0;
}

/* How many cards of each month and kind. */
struct card_count {
    int n, signed_cards;
    int of[N_MONTHS][CARD_PLAIN + 1];
};

static void tally_card(struct card_count *t, int month, int kind)
{
    t->n++;
    t->signed_cards += kind != CARD_PLAIN;
    t->of[month][kind]++;
}

static struct card_count tally_of(const struct layout *l, const struct layout_row *row)
{
    struct card_count t = {0};
    for (int i = 0; i < row->n_cards; i++) {
        int card = layout_card_of(l, row, i)->card;
        tally_card(&t, card_month(card), (int)card_kind(card));
    }
    return t;
}

/* True if `all` has the cards of `some`; with `whole` no others. */
static bool has_cards(const struct card_count *all, const struct card_count *some, bool whole)
{
    for (int m = 0; m < N_MONTHS; m++)
        for (int k = 0; k <= CARD_PLAIN; k++)
            if (all->of[m][k] < some->of[m][k])
                return false;
    return !whole || all->n == some->n;
}

/* "11🐾": a month and the sign of a kind. Returns false for other words. */
static bool read_short(const struct texts *t, struct arena *a, struct str word,
                       struct card_count *ret)
{
    size_t digits = 0;
    int64_t month;
    while (digits < word.n && isdigit((unsigned char)word.p[digits]))
        digits++;
    if (!str_int((struct str){word.p, digits}, &month) || month < 1 || month > N_MONTHS)
        return false;
    for (int k = 0; k <= CARD_PLAIN; k++) {
        struct str sign = text_make(t, a, (enum text)(T_GLYPH_BRIGHT + k), 0, NULL, 0);
        if (str_is(str_skip(word, digits), text_fold(a, sign))) {
            tally_card(ret, (int)month - 1, k);
            return true;
        }
    }
    return false;
}

enum { MOST_LISTS = 64 };

/* The lists of cards in short, "1☀ 5 5", each line by itself. */
static int read_lists(const struct texts *t, struct arena *a, struct str text,
                      struct card_count ret[static MOST_LISTS])
{
    static const char *const ends[] = {"：", ":", "、", "，", ","};
    int n = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        text = replace(text, ends[i], " · ", a);
    while (text.n > 0) {
        struct str of_line = str_cut(text, '\n', &text);
        bool open = false;
        while (of_line.n > 0 && n < MOST_LISTS) {
            struct str word = text_fold(a, str_cut(of_line, ' ', &of_line));
            if (!open)
                ret[n] = (struct card_count){0};
            bool card = word.n > 0 && read_short(t, a, word, &ret[n]);
            n += open && !card;
            open = card;
        }
        n += open;
    }
    assert_true(n < MOST_LISTS);
    return n;
}

/* True if the words have a card by name: with its month, or by itself if no other is called so. */
static bool is_named(const struct words *w, struct arena *a, struct str folded, int card)
{
    const struct str called[] = {w->named[card], w->taken[card], w->card[card]};
    int same = 0;
    for (int c = 0; c < N_CARDS; c++)
        same += str_is(w->card[c], w->card[card]);
    for (int i = 0; i < (same > 1 ? 2 : 3); i++) {
        struct str name = text_fold(a, called[i]);
        if (memmem(folded.p, folded.n, name.p, name.n))
            return true;
    }
    return false;
}

static void card_fault(const char *what, int card, struct str text, struct str picture)
{
    char code[CARD_CODE_SIZE] = "";
    if (card >= 0)
        (void)card_code(card, code);
    left_out++;
    print_error("%s %s in\n%.*s\n%.*s\n\n", what, code, STR_ARG(picture), STR_ARG(text));
}

/* Of a row: each card by its name, or all as a list in short. A splash stands in for a board, whose words
 * have all captures. Rows that are not on a poster show which cards a set is of: its name says so. */
static void compare_row(const struct texts *t, struct arena *a, const struct layout *l, int r,
                        struct str text, struct str picture)
{
    const struct layout_row *row = &l->row[r];
    const struct words *w = words_for(t, str_of(l->deck));
    struct str folded = text_fold(a, text);
    struct card_count list[MOST_LISTS], mine = tally_of(l, row);
    bool listed = row->kind == LAYOUT_PILE || row->kind == LAYOUT_SPLASH ||
                  (row->kind == LAYOUT_YAKU && layout_is_poster(l));
    bool told = false, named = true;
    int n = read_lists(t, a, text, list);
    for (int i = 0; i < n; i++)
        told |= has_cards(&list[i], &mine, row->kind != LAYOUT_SPLASH);
    for (int i = 0; i < row->n_cards; i++) {
        int card = layout_card_of(l, row, i)->card;
        bool one = is_named(w, a, folded, card);
        named &= one;
        if (!listed && row->kind != LAYOUT_YAKU && !one)
            card_fault("the words leave out the card", card, text, picture);
    }
    if (listed && row->n_cards > 0 && !told && !named)
        card_fault("the words leave out the cards of a row", -1, text, picture);
}

/* No list has cards that are not in a row; beside a table, no other card is named. */
static void compare_others(const struct texts *t, struct arena *a, const struct layout *l,
                           struct str text, struct str picture)
{
    const struct words *w = words_for(t, str_of(l->deck));
    struct card_count list[MOST_LISTS];
    struct str rest = text_fold(a, text);
    bool drawn[N_CARDS] = {0}, table = l->n_cards > 0 && !layout_is_poster(l);
    int n = read_lists(t, a, text, list);
    for (int i = 0; i < n; i++) {
        bool shown = list[i].signed_cards == 0; /* may be numbers */
        for (int r = 0; r < l->n_rows; r++) {
            struct card_count mine = tally_of(l, &l->row[r]);
            shown |= l->row[r].kind == LAYOUT_SPLASH || has_cards(&list[i], &mine, true);
        }
        if (!shown)
            card_fault("the words have a list of other cards", -1, text, picture);
    }
    for (int i = 0; i < l->n_cards; i++)
        drawn[l->card[i].card] = true;
    for (int card = 0; card < N_CARDS; card++)
        if (drawn[card]) {
            rest = replace(rest, arena_str(a, text_fold(a, w->named[card])).p, "|", a);
            rest = replace(rest, arena_str(a, text_fold(a, w->taken[card])).p, "|", a);
        }
    for (int card = 0; table && card < N_CARDS; card++) {
        struct str name = text_fold(a, w->named[card]), taken = text_fold(a, w->taken[card]);
        if (!drawn[card] &&
            (memmem(rest.p, rest.n, name.p, name.n) || memmem(rest.p, rest.n, taken.p, taken.n)))
            card_fault("the words have the other card", card, text, picture);
    }
}

static void compare_cards(const char *language, struct str text, struct str picture)
{
    struct arena *a = arena_open((size_t)1 << 26);
    const struct texts *t = texts_find(&catalogues, str_of(language));
    struct layout l;
    struct err err;
    assert_non_null(t);
    OK(layout_read(picture, &l, &err));
    text = text_unmarked(a, text);
    for (int r = 0; r < l.n_rows; r++)
        compare_row(t, a, &l, r, text, picture);
    compare_others(t, a, &l, text, picture);
    arena_close(a);
}

/* What people send on says whose it is, and where that is found. */
static void check_sign(struct str picture)
{
    struct layout l;
    struct err err;
    bool sent_on = false;
    OK(layout_read(picture, &l, &err));
    for (int r = 0; r < l.n_rows; r++) {
        uint8_t k = l.row[r].kind;
        sent_on |= k == LAYOUT_RESULT || k == LAYOUT_SPLASH || k == LAYOUT_CURVE ||
                   k == LAYOUT_TABLE || k == LAYOUT_BRACKET || k == LAYOUT_FACE ||
                   k == LAYOUT_MOMENT || k == LAYOUT_SEALS;
    }
    const struct layout_row *last = &l.row[l.n_rows - 1];
    if (sent_on && (!layout_is_poster(&l) || last->n_texts < 2 || last->text[0].n == 0 ||
                    last->text[1].n == 0))
        card_fault("no name or no link", -1, STR(""), picture);
}

static void take_pictures(struct chat_harness *s, const char *language)
{
    const struct sent_message *sent;
    int n = chat_harness_sent(s, &sent);
    for (int i = 0; i < n; i++) {
        struct str text = sent[i].out.picture;
        assert_true(n_layouts < MOST_PICTURES);
        if (text.n == 0 || !is_new(text))
            continue;
        compare_words(s->arena, sent[i].out.text, text);
        check_sign(text);
        compare_cards(language, sent[i].out.text, text);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            text = replace(text, names[k][0], names[k][1], s->arena);
        struct buf b = BUF(layout[n_layouts]);
        buf_put(&b, text);
        buf_char(&b, 0);
        assert_false(b.cut);
        n_layouts++;
    }
    chat_harness_forget(s);
}

static void play(const char *language, int deck)
{
    static struct chat_run p;
    static char story[16 * 1024];
    FILE *f = fopen("tests/golden/language/pictures.story", "r");
    assert_non_null(f);
    size_t n = fread(story, 1, sizeof story, f);
    fclose(f);
    p = (struct chat_run){.file = "pictures.story", .harness = chat_harness_open(DEFAULT_CAN)};
    struct str all = {story, n};
    all = replace(all, "LANGUAGE", language, p.harness->arena);
    all = replace(all, "RULES", decks_shown[deck].rules, p.harness->arena);
    all = replace(all, "LONG", decks_shown[deck].rounds, p.harness->arena);
    all = replace(all, "SHORT", decks_shown[deck].few, p.harness->arena);
    n_layouts = 0;
    while (all.n > 0) {
        struct str now = str_cut(all, '\n', &all);
        p.line_no++;
        if (now.n == 0 || now.p[0] == '#' || chat_setting(&p, now))
            continue;
        chat_input(&p, now);
        take_pictures(p.harness, language);
    }
    chat_harness_close(p.harness);
}

/* ---- sheets ---- */

enum { PHONE = 360, COLUMNS = 3, SHEET_HIGH = 1080, SHEET_GAP = 8 };

struct png_left {
    struct str rest;
};

static cairo_status_t give_bytes(void *from, unsigned char *ret, unsigned n)
{
    struct png_left *r = from;
    if (n > r->rest.n)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(ret, r->rest.p, n);
    r->rest = str_skip(r->rest, n);
    return CAIRO_STATUS_SUCCESS;
}

/* Column by column, sheet by sheet. */
struct sheet {
    char name[64];
    cairo_surface_t *surface;
    cairo_t *pen;
    int no, column, top;
};

static void close_sheet(struct sheet *s)
{
    char path[512];
    if (!s->pen)
        return;
    snprintf(path, sizeof path, "%s/%s-%d.png", getenv("SHEETS"), s->name, s->no);
    assert_int_equal(cairo_surface_write_to_png(s->surface, path), CAIRO_STATUS_SUCCESS);
    cairo_destroy(s->pen);
    cairo_surface_destroy(s->surface);
    s->pen = NULL;
    s->no++;
}

static void put_on_sheet(struct sheet *s, struct str png)
{
    struct png_left from = {png};
    cairo_surface_t *image = cairo_image_surface_create_from_png_stream(give_bytes, &from);
    double scale = (double)PHONE / cairo_image_surface_get_width(image);
    int high = (int)(cairo_image_surface_get_height(image) * scale) + SHEET_GAP;
    if (s->pen && s->top + high > SHEET_HIGH) {
        s->top = 0;
        if (++s->column == COLUMNS)
            close_sheet(s);
    }
    if (!s->pen) {
        s->column = s->top = 0;
        s->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, COLUMNS * (PHONE + SHEET_GAP),
                                                SHEET_HIGH);
        s->pen = cairo_create(s->surface);
        cairo_set_source_rgb(s->pen, 1, 1, 1);
        cairo_paint(s->pen);
    }
    cairo_save(s->pen);
    cairo_translate(s->pen, s->column * (PHONE + SHEET_GAP), s->top);
    cairo_scale(s->pen, scale, scale);
    cairo_set_source_surface(s->pen, image, 0, 0);
    cairo_paint(s->pen);
    cairo_restore(s->pen);
    cairo_surface_destroy(image);
    s->top += high;
}

static void look(const char *language, int deck)
{
    static char png[JOB_RESULT];
    struct err err;
    struct decks *decks = decks_open(STR(""));
    struct sheet sheet = {.no = 1};
    snprintf(sheet.name, sizeof sheet.name, "%s-%s", language, decks_shown[deck].deck);
    print_message("%s: %d pictures\n", sheet.name, n_layouts);
    for (int i = 0; i < n_layouts; i++) {
        struct picture_ask ask;
        struct buf b = {png, 0, sizeof png, false};
        where = layout[i];
        n_lines = 0;
        if (!picture_ask(decks, str_of(layout[i]), &ask, &err))
            fail_msg("%s\n%s", err.text, layout[i]);
        OK(picture_draw(&ask, &b, &err));
        if (getenv("SHEETS"))
            put_on_sheet(&sheet, buf_str(&b));
    }
    close_sheet(&sheet);
    decks_close(decks);
}

/* Draws what was played last. */
TEST(words_fit_and_are_read)
{
    faults = 0;
    read_faces();
    const int tried = getenv("SHEETS") ? 1 : stride(7, 1);
    for (int i = 0; i < LANGUAGES; i += tried)
        for (int deck = 0; deck < DECKS; deck++)
            if (getenv("SHEETS") ||
                (i + deck) % DECKS == 0) { /* one deck each takes half a minute */
                play(languages[i], deck);
                look(languages[i], deck);
            }
    assert_int_equal(faults, 0);
    assert_int_equal(left_out, 0);
}

TESTS_WITH(setup, teardown)
