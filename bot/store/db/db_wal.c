/* See db_wal.h. The format is described in https://sqlite.org/fileformat2.html#walformat: a header,
 * then frames of 24 bytes and a page, each with a checksum over all before it. Every commit is
 * synced before the next transaction is written, so a frame behind a commit proves that commit
 * complete. */
#include "db_wal.h"

#include <stdint.h>
#include <stdio.h>

#include "alloc.h"

enum { HEADER = 32, FRAME = 24, PAGE_MOST = 65536 };
static const uint32_t magic = 0x377f0682; /* the lowest bit: checksums of big-endian words */

struct wal {
    FILE *file;
    bool big_endian;
    uint32_t page, salt[2], sum[2];
};

static uint32_t big(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t little(const unsigned char *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void add(struct wal *w, const unsigned char *p, size_t n)
{
    uint32_t (*word)(const unsigned char *) = w->big_endian ? big : little;
    for (size_t i = 0; i + 8 <= n; i += 8) {
        w->sum[0] += word(p + i) + w->sum[1];
        w->sum[1] += word(p + i + 4) + w->sum[0];
    }
}

static bool read_header(struct wal *w)
{
    unsigned char h[HEADER];
    if (fread(h, 1, HEADER, w->file) != HEADER || (big(h) & ~1u) != magic)
        return false;
    w->big_endian = big(h) & 1;
    w->page = big(h + 8);
    w->salt[0] = big(h + 16);
    w->salt[1] = big(h + 20);
    add(w, h, 24);
    return w->page >= 512 && w->page <= PAGE_MOST && (w->page & (w->page - 1)) == 0 &&
           w->sum[0] == big(h + 24) && w->sum[1] == big(h + 28);
}

/* Whether a frame that holds, or a broken one and its commit, is followed by more of this log. */
static bool frames_sound(struct wal *w, unsigned char *frame)
{
    bool holds = true, committed = false;
    while (fread(frame, 1, FRAME + w->page, w->file) == FRAME + w->page) {
        bool ours = big(frame + 8) == w->salt[0] && big(frame + 12) == w->salt[1];
        if (holds) {
            add(w, frame, 8);
            add(w, frame + FRAME, w->page);
            holds = ours && w->sum[0] == big(frame + 16) && w->sum[1] == big(frame + 20);
        } else if (committed && ours) {
            return false;
        }
        committed |= !holds && ours && big(frame + 4) != 0;
    }
    return true;
}

bool db_wal_sound(const char *path)
{
    struct wal w = {.file = fopen(path, "rbe")};
    if (!w.file)
        return true;
    bool some = fseek(w.file, 0, SEEK_END) == 0 && ftell(w.file) > HEADER;
    rewind(w.file);
    bool sound = !some || read_header(&w);
    if (some && sound) {
        unsigned char *frame = alloc_room(FRAME + PAGE_MOST);
        sound = frames_sound(&w, frame);
        free(frame);
    }
    fclose(w.file);
    return sound;
}
