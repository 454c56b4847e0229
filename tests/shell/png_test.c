/* Pixels as PNG, read back by another program's reader: few colours are kept as they are, many are shown by near
 * ones, and what is too large is none. */
#include "shell/scratch.h"

#include <cairo.h>

#include "png.h"

enum { W = 320, H = 240 };

static uint32_t pixels[W * H];
static char bytes[1 << 20];
static int area;

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

/* The largest difference in any channel of any pixel, and of any in the first so many columns. */
static int written_and_read(int width, int height, int columns, int *ret_area)
{
    struct buf b = BUF(bytes);
    assert_true(png_write(pixels, width, height, &b));
    struct reading from = {buf_str(&b)};
    cairo_surface_t *s = cairo_image_surface_create_from_png_stream(give_bytes, &from);
    assert_int_equal(cairo_surface_status(s), CAIRO_STATUS_SUCCESS);
    assert_int_equal(from.rest.n, 0);
    assert_int_equal(cairo_image_surface_get_width(s), width);
    assert_int_equal(cairo_image_surface_get_height(s), height);
    int most = 0;
    *ret_area = 0;
    for (int i = 0; i < width * height; i++) {
        uint32_t p;
        memcpy(&p,
               cairo_image_surface_get_data(s) +
                   (ptrdiff_t)(i / width) * cairo_image_surface_get_stride(s) +
                   (ptrdiff_t)(i % width) * 4,
               sizeof p);
        for (int shift = 0; shift < 24; shift += 8) {
            int d = abs((int)(p >> shift & 255) - (int)(pixels[i] >> shift & 255));
            most = d > most ? d : most;
            *ret_area = i % width < columns && d > *ret_area ? d : *ret_area;
        }
    }
    cairo_surface_destroy(s);
    return most;
}

static void few_colours_are_kept(void **state)
{
    (void)state;
    for (int n = 1; n <= 256; n *= 2) {
        for (int i = 0; i < W * H; i++)
            pixels[i] = 0xff000000u | (uint32_t)(i % n) * 0x00fedcu;
        assert_int_equal(written_and_read(W, H, 0, &area), 0);
    }
}

static void one_pixel_is_a_picture(void **state)
{
    (void)state;
    pixels[0] = 0x123456;
    assert_int_equal(written_and_read(1, 1, 0, &area), 0);
    assert_int_equal(written_and_read(1, H, 0, &area), 0);
}

/* Large areas are as they were, however many colours there are at the edges. */
static void areas_are_kept_and_edges_are_near(void **state)
{
    (void)state;
    for (int i = 0; i < W * H; i++) {
        int x = i % W, y = i / W;
        pixels[i] = x < 100 ? 0xd0202a : x >= 220 ? 0xfbf3e4 : 0;
        if (x >= 100 && x < 220) /* from one to the other, a little different in each row */
            pixels[i] = (uint32_t)((0xd0 + (0xfb - 0xd0) * (x - 100) / 120) << 16 |
                                   (0x20 + (0xf3 - 0x20) * (x - 100) / 120) << 8 |
                                   ((0x2a + (0xe4 - 0x2a) * (x - 100) / 120) ^ (y & 7)));
    }
    assert_in_range(written_and_read(W, H, 100, &area), 1, 24);
    assert_int_equal(area, 0);
}

static void more_colours_than_can_be_told_apart(void **state)
{
    (void)state;
    for (int i = 0; i < W * H; i++)
        pixels[i] = (uint32_t)i * 2654435761u >> 8;
    assert_in_range(written_and_read(W, H, 0, &area), 1, 255);
}

static void the_same_is_always_the_same(void **state)
{
    static char again[1 << 20];
    (void)state;
    for (int i = 0; i < W * H; i++)
        pixels[i] = (uint32_t)(i * 7919 % 5000) * 3301u & 0xffffff;
    struct buf one = BUF(bytes), two = BUF(again);
    assert_true(png_write(pixels, W, H, &one));
    assert_true(png_write(pixels, W, H, &two));
    assert_true(str_is(buf_str(&one), buf_str(&two)));
}

static void what_does_not_fit_is_not_begun(void **state)
{
    (void)state;
    struct buf b = {bytes, 0, 200, false};
    buf_put(&b, STR("before"));
    for (int i = 0; i < W * H; i++)
        pixels[i] = (uint32_t)i * 2654435761u >> 8;
    assert_false(png_write(pixels, W, H, &b));
    assert_true(str_is(buf_str(&b), STR("before")));
    assert_false(b.cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_colours_are_kept),
        cmocka_unit_test(one_pixel_is_a_picture),
        cmocka_unit_test(areas_are_kept_and_edges_are_near),
        cmocka_unit_test(more_colours_than_can_be_told_apart),
        cmocka_unit_test(the_same_is_always_the_same),
        cmocka_unit_test(what_does_not_fit_is_not_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
