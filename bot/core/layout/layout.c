/* Building a layout, and its form as text. See layout.h. */
#include "layout.h"

#include <assert.h>

static const char *const kinds[LAYOUT_KINDS] = {
    [LAYOUT_TITLE] = "title",     [LAYOUT_HEAD] = "head",     [LAYOUT_LINE] = "line",
    [LAYOUT_NOTE] = "note",       [LAYOUT_LEGEND] = "legend", [LAYOUT_PILE] = "pile",
    [LAYOUT_FIELD] = "field",     [LAYOUT_DRAWN] = "drawn",   [LAYOUT_HAND] = "hand",
    [LAYOUT_YAKU] = "yaku",       [LAYOUT_TABLE] = "table",   [LAYOUT_CURVE] = "curve",
    [LAYOUT_BRACKET] = "bracket", [LAYOUT_SPLASH] = "splash", [LAYOUT_FACE] = "face",
    [LAYOUT_RESULT] = "result",   [LAYOUT_SEALS] = "seals",   [LAYOUT_SIGN] = "sign",
    [LAYOUT_MOMENT] = "moment",
};

/* ---- building ---- */

void layout_open(struct layout *l, const char *deck)
{
    *l = (struct layout){0};
    size_t n = strlen(deck);
    memcpy(l->deck, deck, n < sizeof l->deck ? n : sizeof l->deck - 1);
}

static struct layout_row *last_row(struct layout *l)
{
    assert(l->n_rows > 0);
    return &l->row[l->n_rows - 1];
}

void layout_row(struct layout *l, enum layout_kind kind)
{
    if (l->n_rows < LAYOUT_MOST_ROWS)
        l->row[l->n_rows++] =
            (struct layout_row){.kind = (uint8_t)kind, .first = (uint16_t)l->n_cards};
}

void layout_text(struct layout *l, struct str words)
{
    struct layout_row *row = last_row(l);
    if (row->n_texts < LAYOUT_MOST_TEXTS)
        row->text[row->n_texts++] = words;
}

void layout_words(struct layout *l, enum layout_kind kind, const struct str *words, int n)
{
    layout_row(l, kind);
    for (int i = 0; i < n; i++)
        layout_text(l, words[i]);
}

bool layout_is_poster(const struct layout *l)
{
    return l->n_rows > 0 && l->row[l->n_rows - 1].kind == LAYOUT_SIGN;
}

struct layout_card *layout_card(struct layout *l, int card)
{
    if (l->n_cards == LAYOUT_MOST_CARDS)
        return NULL;
    last_row(l)->n_cards++;
    struct layout_card *c = &l->card[l->n_cards++];
    *c = (struct layout_card){.card = (uint8_t)card};
    return c;
}

void layout_cards(struct layout *l, cardset cards)
{
    for (cardset rest = cards; rest; rest = set_rest(rest))
        (void)layout_card(l, set_first(rest));
}

const struct layout_card *layout_card_of(const struct layout *l, const struct layout_row *row,
                                         int i)
{
    return &l->card[row->first + i];
}

/* ---- as text ---- */

static void write_words(struct str words, struct buf *ret)
{
    for (size_t i = 0; i < words.n; i++)
        buf_char(ret, (unsigned char)words.p[i] < ' ' ? ' ' : words.p[i]);
}

static void write_card(const struct layout_card *c, struct buf *ret)
{
    char code[CARD_CODE_SIZE];
    (void)card_code(c->card, code);
    buf_put(ret, str_of(code));
    for (int i = 0; i < c->n_numbers; i++)
        buf_print(ret, "#%d", c->number[i]);
    if (c->marked)
        buf_char(ret, '!');
}

void layout_write(const struct layout *l, struct buf *ret)
{
    buf_put(ret, str_of(l->deck));
    for (int r = 0; r < l->n_rows; r++) {
        const struct layout_row *row = &l->row[r];
        buf_print(ret, "\n%s", kinds[row->kind]);
        for (int i = 0; i < row->n_cards; i++) {
            buf_char(ret, i > 0 ? ',' : ' ');
            write_card(layout_card_of(l, row, i), ret);
        }
        for (int i = 0; i < row->n_texts; i++) {
            buf_char(ret, '\t');
            write_words(row->text[i], ret);
        }
    }
}

/* ---- from text ---- */

enum { SHOWN = 60 }; /* bytes of a wrong word in an error */

static int shown(struct str word)
{
    return (int)(word.n < SHOWN ? word.n : SHOWN);
}

static bool read_deck(struct str word, struct layout *l, struct err *err)
{
    bool good = word.n > 0 && word.n < sizeof l->deck;
    for (size_t i = 0; good && i < word.n; i++) {
        char c = word.p[i];
        good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }
    if (!good)
        return err_set(err, "picture: deck: expected 1 to 23 of a-z 0-9 _ -, got \"%.*s\"",
                       shown(word), word.n ? word.p : "");
    memcpy(l->deck, word.p, word.n);
    return true;
}

static bool read_digits(struct str word, uint8_t *ret)
{
    int64_t n;
    bool good = str_int(word, &n) && n >= 1 && n <= N_CARDS && word.p[0] >= '1' && word.p[0] <= '9';
    *ret = good ? (uint8_t)n : 0;
    return good;
}

/* "3b#1#4!" */
static bool read_card_word(struct str word, struct layout_card *ret)
{
    struct layout_card c = {0};
    struct str rest = word;
    c.marked = rest.n > 0 && rest.p[rest.n - 1] == '!';
    rest.n -= c.marked;
    bool more = rest.n > 0 && memchr(rest.p, '#', rest.n);
    struct str code = str_cut(rest, '#', &rest);
    int card = code.n > 0 ? card_read(code.p, code.n) : CARD_NONE;
    bool good = card != CARD_NONE;
    while (good && more) {
        more = rest.n > 0 && memchr(rest.p, '#', rest.n);
        good = c.n_numbers < LAYOUT_NUMBERS &&
               read_digits(str_cut(rest, '#', &rest), &c.number[c.n_numbers]);
        c.n_numbers++;
    }
    c.card = (uint8_t)card;
    *ret = c;
    return good;
}

/* `seen`: the cards that may not come again. */
static bool read_cards(struct str cards, struct layout *l, cardset *seen, struct err *err)
{
    if (cards.n == 0 || cards.p[cards.n - 1] == ',')
        return err_set(err, "picture: expected a card after the last comma or space of a row");
    while (cards.n > 0) {
        struct layout_card c, *added;
        struct str word = str_cut(cards, ',', &cards);
        if (!read_card_word(word, &c))
            return err_set(err, "picture: card: expected CODE[#NUMBER][!], got \"%.*s\"",
                           shown(word), word.n ? word.p : "");
        if (*seen & CARD(c.card))
            return err_set(err, "picture: card %.*s comes twice", shown(word), word.p);
        *seen |= CARD(c.card);
        added = layout_card(l, c.card);
        if (!added)
            return err_set(err, "picture: expected at most %d cards, got more", LAYOUT_MOST_CARDS);
        *added = c;
    }
    return true;
}

static bool read_kind(struct str word, uint8_t *ret)
{
    for (int k = 0; k < LAYOUT_KINDS; k++)
        if (str_is(word, str_of(kinds[k]))) {
            *ret = (uint8_t)k;
            return true;
        }
    return false;
}

static bool read_words(struct str words, struct layout *l, struct err *err)
{
    for (bool more = true; more;) {
        more = words.n > 0 && memchr(words.p, '\t', words.n);
        struct str one = str_cut(words, '\t', &words);
        if (one.n > 0 && str_run(one, ' ', "") < one.n)
            return err_set(err, "picture: words: expected no control character");
        if (last_row(l)->n_texts == LAYOUT_MOST_TEXTS)
            return err_set(err, "picture: expected at most %d words in a row, got more",
                           LAYOUT_MOST_TEXTS);
        layout_text(l, one);
    }
    return true;
}

static bool read_row(struct str line, struct layout *l, cardset *table, struct err *err)
{
    uint8_t kind;
    bool worded = line.n > 0 && memchr(line.p, '\t', line.n);
    struct str words, cards, head = str_cut(line, '\t', &words);
    bool carded = head.n > 0 && memchr(head.p, ' ', head.n);
    struct str name = str_cut(head, ' ', &cards);
    if (!read_kind(name, &kind))
        return err_set(err,
                       "picture: row: expected \"field\", \"hand\" or another kind, got \"%.*s\"",
                       shown(name), name.n ? name.p : "");
    if (l->n_rows == LAYOUT_MOST_ROWS)
        return err_set(err, "picture: expected at most %d rows, got more", LAYOUT_MOST_ROWS);
    layout_row(l, (enum layout_kind)kind);
    cardset own = 0;
    bool free = kind == LAYOUT_YAKU || kind == LAYOUT_MOMENT;
    if (carded && !read_cards(cards, l, free ? &own : table, err))
        return false;
    if (kind == LAYOUT_DRAWN && last_row(l)->n_cards != 1)
        return err_set(err, "picture: expected one drawn card, got %d", last_row(l)->n_cards);
    return !worded || read_words(words, l, err);
}

bool layout_read(struct str text, struct layout *ret, struct err *err)
{
    struct layout l = {0};
    struct str rest;
    cardset table = 0;
    bool more = text.n > 0 && memchr(text.p, '\n', text.n);
    if (!read_deck(str_cut(text, '\n', &rest), &l, err))
        return false;
    while (more) {
        more = rest.n > 0 && memchr(rest.p, '\n', rest.n);
        if (!read_row(str_cut(rest, '\n', &rest), &l, &table, err))
            return false;
    }
    *ret = l;
    return true;
}
