/* See photo.h. It reads only the head of a file, which holds the size that the network checks. */
#include "photo.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 10 << 20, MOST_SIDES = 10000, MOST_RATIO = 20, LARGEST = 1280, SMALLEST = 90 };

static struct photo *all;
static size_t n_all;

static int number_at(const unsigned char *p)
{
    return p[0] > 0 ? MOST_SIDES : p[1] << 16 | p[2] << 8 | p[3];
}

/* Width and height of a PNG. Returns false if it is not one. */
static bool read_png(const char *bytes, size_t n, int *width, int *height)
{
    const unsigned char *p = (const unsigned char *)bytes;
    static const char end[] = "IEND\xae\x42\x60\x82";
    if (n < 45 || memcmp(p, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) != 0 ||
        memcmp(p + n - 8, end, 8) != 0)
        return false;
    *width = number_at(p + 16);
    *height = number_at(p + 20);
    return *width > 0 && *height > 0;
}

const char *photo_take(const char *bytes, size_t n, const struct photo **ret)
{
    struct photo one = {.bytes = n};
    struct text_buffer id = {0}, small = {0};
    if (n == 0)
        return "file must be non-empty";
    if (n > MOST_BYTES)
        return "file is too big";
    if (!read_png(bytes, n, &one.width, &one.height))
        return "IMAGE_PROCESS_FAILED";
    int longer = one.width > one.height ? one.width : one.height;
    int shorter = one.width > one.height ? one.height : one.width;
    if (longer + shorter > MOST_SIDES || longer > shorter * MOST_RATIO)
        return "PHOTO_INVALID_DIMENSIONS";
    text_print(&id, "photo%zu", n_all + 1);
    text_print(&small, "photo%zus", n_all + 1);
    one.id = id.p;
    one.small_id = small.p;
    if ((n_all & (n_all - 1)) == 0)
        all = must(realloc(all, (n_all ? n_all * 2 : 1) * sizeof *all));
    all[n_all] = one;
    *ret = &all[n_all++];
    return NULL;
}

const struct photo *photo_known(const char *file_id)
{
    for (size_t i = 0; i < n_all; i++)
        if (strcmp(all[i].id, file_id) == 0 || strcmp(all[i].small_id, file_id) == 0)
            return &all[i];
    return NULL;
}

static void put_size(struct text_buffer *t, const struct photo *p, const char *id, int most)
{
    int longer = p->width > p->height ? p->width : p->height;
    int width = longer > most ? p->width * most / longer : p->width;
    int height = longer > most ? p->height * most / longer : p->height;
    text_put(t, "{\"file_id\":");
    text_json(t, id);
    text_print(t, ",\"file_unique_id\":\"unique-%s\",\"width\":%d,\"height\":%d,\"file_size\":%zu}",
               id, width > 0 ? width : 1, height > 0 ? height : 1, p->bytes);
}

void photo_json(struct text_buffer *t, const char *file_id)
{
    const struct photo *p = photo_known(file_id);
    text_put(t, "[");
    put_size(t, p, p->small_id, SMALLEST);
    text_put(t, ",");
    put_size(t, p, p->id, LARGEST);
    text_put(t, "]");
}
