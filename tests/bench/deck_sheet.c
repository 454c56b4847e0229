/* A sheet with all cards of a deck, two months a row, as a PNG on standard output; `make
 * deck-sheet` draws each deck with it. Of a file, that drawing alone, a square; `make refresh` draws
 * the picture of the accounts.
 *
 *     build/tests/bench/deck_sheet hanafuda 132 > sheet.png     the width of a card in pixels
 *     build/tests/bench/deck_sheet profile.svg 256 > profile.png
 */
#include "deck.h"
#include "file.h"
#include "paper.h"

#include <stdio.h>
#include <stdlib.h>

enum { A_ROW = 8, GAP = 8 };

static cairo_status_t put_bytes(void *arg, const unsigned char *bytes, unsigned n)
{
    return fwrite(bytes, 1, n, arg) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static bool put_card(cairo_t *pen, struct str svg, RsvgRectangle at)
{
    GError *why = NULL;
    RsvgHandle *handle = paint->rsvg_handle_new_from_data((const guint8 *)svg.p, svg.n, &why);
    bool good = handle && paint->rsvg_handle_render_document(handle, pen, &at, &why);
    if (handle)
        paint->g_object_unref(handle);
    paint->g_clear_error(&why);
    return good;
}

static bool put_file(const char *path, int side, struct err *err)
{
    struct str svg;
    if (!file_read(path, DECK_SVG_MOST, &svg, err))
        return false;
    cairo_surface_t *paper = paint->cairo_image_surface_create(CAIRO_FORMAT_RGB24, side, side);
    cairo_t *pen = paint->cairo_create(paper);
    bool good =
        put_card(pen, svg, (RsvgRectangle){0, 0, side, side}) &&
        paint->cairo_surface_write_to_png_stream(paper, put_bytes, stdout) == CAIRO_STATUS_SUCCESS;
    paint->cairo_destroy(pen);
    paint->cairo_surface_destroy(paper);
    file_free(svg);
    return good;
}

static bool put_sheet(const struct deck *deck, int width)
{
    int height = width * 8 / 5, step = width + GAP;
    cairo_surface_t *paper = paint->cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, A_ROW * step + GAP, (height + GAP) * N_CARDS / A_ROW + GAP);
    cairo_t *pen = paint->cairo_create(paper);
    bool good = true;
    paint->cairo_set_source_rgb(pen, 0.20, 0.40, 0.33);
    paint->cairo_paint(pen);
    for (int card = 0; card < N_CARDS; card++) {
        RsvgRectangle at = {GAP + card % A_ROW * step,
                            GAP + (double)(card / A_ROW) * (height + GAP), width, height};
        good &= put_card(pen, deck_svg(deck, card), at);
    }
    paint->cairo_destroy(pen);
    good = good && paint->cairo_surface_write_to_png_stream(paper, put_bytes, stdout) ==
                       CAIRO_STATUS_SUCCESS;
    paint->cairo_surface_destroy(paper);
    return good;
}

int main(int argc, char **argv)
{
    struct err err = {"expected a deck or a file .svg, and a width, 20 to 400"};
    struct decks *decks = decks_open(STR("config/decks"));
    const struct deck *deck;
    int width = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0;
    bool good = width >= 20 && width <= 400 && painting_load(&err);
    if (good && strstr(argv[1], ".svg"))
        good = put_file(argv[1], width, &err);
    else
        good = good && decks_find(decks, str_of(argv[1]), &deck, &err) && put_sheet(deck, width);
    if (!good)
        fprintf(stderr, "deck_sheet: %s\n", err.text);
    decks_close(decks);
    return good ? 0 : 1;
}
