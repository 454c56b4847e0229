/* See pack.h. The rows of a PNG are packed without filters: indexes have no order that one could
 * use. Level 5 packs a hand in 3 ms, 2 % larger than zlib's own choice does in 6. Four lines of each
 * sixteen, packed by level 1 in 0.5 ms, tell what level 5 makes of all of them. */
#include "pack.h"

#include <assert.h>
#include <zlib.h>

#include "alloc.h"

enum { FAST = 1, GOOD = 5, WINDOW = 15, MEMORY = 9 };

/* Into `room` bytes. */
static void pack_open(z_stream *z, int level, uint8_t *packed, size_t room)
{
    *z = (z_stream){.next_out = packed, .avail_out = (uInt)room};
    int ok = deflateInit2(z, level, Z_DEFLATED, WINDOW, MEMORY, Z_DEFAULT_STRATEGY);
    assert(ok == Z_OK);
}

/* A PNG's line says first how it is filtered; the palette has a zero there. */
static void pack_lines(z_stream *z, const struct palette *p, int first, int n)
{
    z->next_in = p->indexes + first * palette_line(p);
    z->avail_in = (uInt)(n * palette_line(p));
    (void)deflate(z, Z_NO_FLUSH);
}

/* More than any packing needs. */
static size_t most_of(int width, int lines)
{
    return compressBound((uLong)(width + 1) * (uLong)lines);
}

size_t pack_png_size(const struct palette *p, int near)
{
    enum { LINES = 4, EVERY = 16, SHARE = 74 }; /* percent of it, as measured on hands */
    int seen = 0;
    size_t room = most_of(p->width, p->height / EVERY * LINES + LINES);
    uint8_t *packed = alloc_room(room);
    z_stream z;
    pack_open(&z, FAST, packed, room);
    for (int y = (EVERY - LINES) / 2; y + LINES <= p->height; y += EVERY, seen += LINES) {
        palette_lines(p, near, y, LINES);
        pack_lines(&z, p, y, LINES);
    }
    (void)deflate(&z, Z_FINISH);
    size_t n = z.total_out;
    deflateEnd(&z);
    free(packed);
    return seen ? n * (size_t)p->height / (size_t)seen * SHARE / 100 : n;
}

static void put_number(struct buf *b, uint32_t v)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_char(b, (char)(v >> shift & 255));
}

static void put_chunk(struct buf *b, const char *type, const uint8_t *data, size_t n)
{
    put_number(b, (uint32_t)n);
    size_t from = b->n;
    buf_put(b, str_of(type));
    buf_put(b, (struct str){(const char *)data, n});
    put_number(b, b->cut ? 0 : (uint32_t)crc32(0, (uint8_t *)b->p + from, (uInt)(b->n - from)));
}

bool pack_png(const struct palette *p, struct buf *ret)
{
    enum { DEPTH = 8, INDEXED = 3 };
    uint8_t head[13] = {0, 0, 0, 0, 0, 0, 0, 0, DEPTH, INDEXED};
    size_t room = most_of(p->width, p->height);
    uint8_t *rows = alloc_room(room);
    struct buf b = *ret;
    z_stream z;
    pack_open(&z, GOOD, rows, room);
    pack_lines(&z, p, 0, p->height);
    int ok = deflate(&z, Z_FINISH);
    assert(ok == Z_STREAM_END);
    for (int i = 0; i < 4; i++) {
        head[i] = (uint8_t)(p->width >> (24 - 8 * i));
        head[4 + i] = (uint8_t)(p->height >> (24 - 8 * i));
    }
    buf_put(&b, STR("\x89PNG\r\n\x1a\n"));
    put_chunk(&b, "IHDR", head, sizeof head);
    put_chunk(&b, "PLTE", p->map, (size_t)p->n * CHANNELS);
    put_chunk(&b, "IDAT", rows, z.total_out);
    put_chunk(&b, "IEND", rows, 0);
    deflateEnd(&z);
    free(rows);
    if (!b.cut)
        *ret = b;
    return !b.cut;
}

size_t pack_bytes(const uint8_t *bytes, size_t n, uint8_t **ret)
{
    uLongf size = compressBound((uLong)n);
    uint8_t *packed = alloc_room(size);
    int ok = compress2(packed, &size, bytes, (uLong)n, FAST);
    assert(ok == Z_OK);
    *ret = packed;
    return size;
}

void unpack_bytes(struct str packed, uint8_t *ret, size_t n)
{
    uLongf size = (uLongf)n;
    int ok = uncompress(ret, &size, (const uint8_t *)packed.p, (uLong)packed.n);
    assert(ok == Z_OK && size == n);
}
