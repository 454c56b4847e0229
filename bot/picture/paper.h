/* Paper: the surface of one picture while it is drawn, and what can be put on it: cards, words,
 * numbers. Words are set by librsvg in the fonts of the system; numbers on cards are strokes of our
 * own.
 *
 *     paper_open(&paper, deck, height, &err), paper_put_card(...), paper_text(...)
 *     paper_png(&paper, &buf, &err)
 *     paper_close(&paper)
 */
#ifndef KOIKOI_PAPER_H
#define KOIKOI_PAPER_H

#include "deck.h"
#include "painting.h"

/* Places and sizes are in units; a picture is as wide as PAPER_WIDTH units, or PAPER_PIXELS. Cards
 * are rendered once, PAPER_CARD wide, and drawn smaller from there. */
enum { PAPER_WIDTH = 720, PAPER_PIXELS = 540, PAPER_CARD = 172 };

struct colour {
    double r, g, b;
};
extern const struct colour paper_felt, paper_hand, paper_bright, paper_dark, paper_pale, paper_dim;

struct paper {
    const struct deck *deck;
    cairo_surface_t *surface;
    cairo_t *pen;
    int height; /* pixels */
};

bool paper_open(struct paper *p, const struct deck *deck, int height, struct err *err) MUST_CHECK;
void paper_close(struct paper *p);
/* Appends a PNG, below 80 KB where it can be. */
bool paper_png(const struct paper *p, struct buf *ret, struct err *err) MUST_CHECK;

/* Height of a card of this width. */
int paper_card_height(int width);
bool paper_put_card(const struct paper *p, int card, double x, double y, int width,
                    struct err *err) MUST_CHECK;
void paper_box(const struct paper *p, struct colour c, double x, double y, double width,
               double height);
/* Points are pairs of x and y. */
void paper_line(const struct paper *p, struct colour c, double width, const double *points, int n);
void paper_disc(const struct paper *p, struct colour c, double x, double y, double radius);
/* 1 to 99, its middle at x, y; `size`: the height of a digit. */
void paper_number(const struct paper *p, struct colour c, int number, double x, double y,
                  double size);

enum paper_align { PAPER_LEFT, PAPER_RIGHT, PAPER_MIDDLE };
struct paper_font {
    int size; /* units */
    bool bold;
    enum paper_align align;
    struct colour colour;
    int room; /* the widest that it may be; wider text becomes smaller. 0: no limit */
};
/* One line of text with its baseline at y. */
bool paper_text(const struct paper *p, struct paper_font font, struct str text, double x, double y,
                struct err *err) MUST_CHECK;

#endif
