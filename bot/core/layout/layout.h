/* Layout: the rows of one picture, from top to bottom, each of cards and words. It is made from
 * views and finished rounds alone, so it holds no card that its reader may not see. The outbox
 * stores it as text until the picture is drawn.
 *
 *     layout_open(&layout, deck)                             in present
 *     layout_row(&layout, LAYOUT_LINE), layout_text(...), layout_card(...)
 *     layout_write(&layout, &buf)
 *     layout_read(text, &layout, &err)                       in the room that draws
 *
 * The text:
 *
 *     layout = deck *(LF row)
 *     deck   = 1 to 23 of a-z 0-9 _ -                        named by the rule set
 *     row    = kind [" " card *("," card)] *(TAB words)      kind: its name in layout.c
 *     card   = code *("#" number) ["!"]                      number: 1 to 48; "!": marked
 *
 * No card comes twice on the table, which is all rows but LAYOUT_YAKU and LAYOUT_MOMENT, nor twice
 * in one row.
 *
 * A picture that people send on, a poster, has LAYOUT_SIGN as its last row. A stamp is the key of a
 * yaku (yaku_key()), "koikoi", "win", "draw", "first", "second" or "third"; empty where a game has
 * names of its own.
 */
#ifndef KOIKOI_LAYOUT_H
#define KOIKOI_LAYOUT_H

#include "err.h"
#include "str.h"
#include "view.h"

enum layout_kind {
    LAYOUT_TITLE,  /* words at the left, words at the right; large */
    LAYOUT_HEAD,   /* above a table: its round, what its reader has to know first */
    LAYOUT_LINE,   /* the same, in the size of text */
    LAYOUT_NOTE,   /* the same, small */
    LAYOUT_LEGEND, /* small words that explain the mark */
    LAYOUT_PILE,   /* captures, with their owner's name and what is near; neighbours lie side by
                      side. Here and on the field a mark is the last move */
    LAYOUT_FIELD,
    LAYOUT_DRAWN, /* one card, behind those of the field */
    LAYOUT_HAND,
    LAYOUT_YAKU,    /* cards of a yaku, its name, its worth, the key of its stamp, whose it is */
    LAYOUT_MOMENT,  /* what decided: a heading, a name, figures; its cards */
    LAYOUT_TABLE,   /* one line of a table: the words of its columns */
    LAYOUT_CURVE,   /* a chart: a name and its numbers, the next name and its numbers, ... */
    LAYOUT_BRACKET, /* a round of a knock-out: both names of its first game, of the next, ...;
                       neighbours are its rounds, side by side */
    LAYOUT_SPLASH,  /* a call or a yaku, as large as it is loud: the key of its stamp, its word, a
                      sentence, a list, what is at stake; its cards */
    LAYOUT_FACE,    /* a character of the computer: its key, a name, words below it, what it says */
    LAYOUT_RESULT,  /* who has won: the key of a stamp, a name, words below it, a total */
    LAYOUT_SEALS,   /* factors: a figure and its name, the next figure and its name, ... */
    LAYOUT_SIGN,    /* the last row of a poster: who drew it, where that is found */
    LAYOUT_KINDS
};
enum {
    LAYOUT_BYTES = 4096, /* of the longest text */
    LAYOUT_MOST_ROWS = 48,
    LAYOUT_MOST_CARDS = 4 * N_CARDS,
    LAYOUT_MOST_TEXTS = 16, /* in a row */
    LAYOUT_NUMBERS = 8      /* on a card */
};

struct layout_card {
    uint8_t card, n_numbers, number[LAYOUT_NUMBERS];
    bool marked;
};
struct layout_row {
    uint8_t kind, n_cards, n_texts;
    uint16_t first; /* index of its first card */
    struct str text[LAYOUT_MOST_TEXTS];
};
/* Words are not copied: they live as long as what they were made from. */
struct layout {
    char deck[RULES_WORD_SIZE];
    int n_rows, n_cards;
    struct layout_row row[LAYOUT_MOST_ROWS];
    struct layout_card card[LAYOUT_MOST_CARDS];
};

void layout_open(struct layout *l, const char *deck);
/* Adds an empty row; cards and words go to the last one. Beyond the ceilings nothing is added. */
void layout_row(struct layout *l, enum layout_kind kind);
void layout_text(struct layout *l, struct str words);
/* Adds a row of these words. */
void layout_words(struct layout *l, enum layout_kind kind, const struct str *words, int n);
#define LAYOUT_ADD(l, kind, ...)                                                                   \
    layout_words((l), (kind), (const struct str[]){__VA_ARGS__},                                   \
                 (int)(sizeof((struct str[]){__VA_ARGS__}) / sizeof(struct str)))
bool layout_is_poster(const struct layout *l);
struct layout_card *layout_card(struct layout *l, int card); /* NULL if there is no room */
void layout_cards(struct layout *l, cardset cards);          /* in canonical order */
/* Of a row, by number from 0. */
const struct layout_card *layout_card_of(const struct layout *l, const struct layout_row *row,
                                         int i);

/* Control characters among words become spaces. */
void layout_write(const struct layout *l, struct buf *ret);
/* Accepts only what layout_write() could have written. *ret is untouched on failure. */
bool layout_read(struct str text, struct layout *ret, struct err *err) MUST_CHECK;

#endif
