/* Table of the functions of librsvg, cairo and libpng, loaded with dlopen() when the first picture
 * is drawn. With what they depend on they are forty libraries: linked, they cost each start 20 ms,
 * a third of its time, and 8 MB of memory, also where no picture is ever drawn.
 *
 *     painting_load(&err)              in each function that begins a picture
 *     paint->cairo_create(surface)     the functions by their own names; `paint` is NULL before
 */
#ifndef KOIKOI_PAINTING_H
#define KOIKOI_PAINTING_H

#include <cairo.h>
#include <librsvg/rsvg.h>
#include <png.h>

#include "err.h"

#define PAINTING_CALLS(X)                                                                          \
    X(cairo_arc)                                                                                   \
    X(cairo_create)                                                                                \
    X(cairo_destroy)                                                                               \
    X(cairo_fill)                                                                                  \
    X(cairo_identity_matrix)                                                                       \
    X(cairo_image_surface_create)                                                                  \
    X(cairo_image_surface_create_for_data)                                                         \
    X(cairo_image_surface_get_data)                                                                \
    X(cairo_image_surface_get_stride)                                                              \
    X(cairo_line_to)                                                                               \
    X(cairo_new_path)                                                                              \
    X(cairo_paint)                                                                                 \
    X(cairo_rectangle)                                                                             \
    X(cairo_restore)                                                                               \
    X(cairo_save)                                                                                  \
    X(cairo_scale)                                                                                 \
    X(cairo_set_line_cap)                                                                          \
    X(cairo_set_line_join)                                                                         \
    X(cairo_set_line_width)                                                                        \
    X(cairo_set_source_rgb)                                                                        \
    X(cairo_set_source_surface)                                                                    \
    X(cairo_status)                                                                                \
    X(cairo_stroke)                                                                                \
    X(cairo_surface_destroy)                                                                       \
    X(cairo_surface_finish)                                                                        \
    X(cairo_surface_flush)                                                                         \
    X(cairo_surface_write_to_png_stream)                                                           \
    X(cairo_translate)                                                                             \
    X(g_clear_error)                                                                               \
    X(g_object_unref)                                                                              \
    X(png_image_write_to_memory)                                                                   \
    X(rsvg_handle_get_geometry_for_element)                                                        \
    X(rsvg_handle_new_from_data)                                                                   \
    X(rsvg_handle_render_document)

struct painting {
#define X(name) __typeof__(&(name)) name;
    PAINTING_CALLS(X)
#undef X
};
extern const struct painting *paint;

/* On any thread. Fails if the libraries are not installed. */
bool painting_load(struct err *err) MUST_CHECK;

#endif
