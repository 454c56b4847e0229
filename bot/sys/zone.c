/* See zone.h. A TZif file (RFC 9636) is a header, then for 32 and again for 64 bits: moments, the
 * kind of time that begins at each, the kinds. A footer has the rule for all that comes after the
 * last moment: that is after 2037 in a "fat" file, and in a "slim" one since the rule was last
 * changed by law. */
#include "zone.h"

#include "file.h"
#include "zone_rule.h"

#include <stdio.h>

enum { MOST_S = 14 * 3600, MOST_BYTES = 64 * 1024 };

static int64_t big(const unsigned char *p, int bytes)
{
    uint64_t v = bytes == 8 && p[0] & 0x80 ? ~(uint64_t)0 : 0;
    for (int i = 0; i < bytes; i++)
        v = v << 8 | p[i];
    return bytes == 4 ? (int32_t)(uint32_t)v : (int64_t)v;
}

struct zone_block {
    const unsigned char *moments, *kinds_at, *kinds;
    int64_t n_moments, n_kinds;
    size_t size;
    int width;
};

/* The block that the bytes begin with. Returns false if its counts do not fit them. */
static bool block(struct str s, int width, struct zone_block *ret)
{
    const unsigned char *p = (const unsigned char *)s.p;
    if (s.n < 44 || memcmp(p, "TZif", 4) != 0)
        return false;
    int64_t utc = big(p + 20, 4), std = big(p + 24, 4), leaps = big(p + 28, 4),
            moments = big(p + 32, 4), kinds = big(p + 36, 4), chars = big(p + 40, 4);
    if (utc < 0 || std < 0 || leaps < 0 || moments < 0 || kinds < 1 || chars < 0 ||
        moments > 5000 || kinds > 256 || leaps > 5000 || chars > 5000 || utc > 256 || std > 256)
        return false;
    size_t size =
        44 + (size_t)(moments * (width + 1) + kinds * 6 + chars + leaps * (width + 4) + std + utc);
    if (size > s.n)
        return false;
    *ret = (struct zone_block){
        p + 44, p + 44 + moments * width, p + 44 + moments * (width + 1), moments, kinds, size,
        width};
    return true;
}

/* The offset by the table of a block; false if it names a kind that the block does not have. */
static bool table_offset(const struct zone_block *b, int64_t unix_s, int32_t *ret)
{
    int64_t kind = 0;
    for (int64_t i = 0; i < b->n_moments && big(b->moments + i * b->width, b->width) <= unix_s; i++)
        kind = b->kinds_at[i];
    if (kind >= b->n_kinds)
        return false;
    *ret = (int32_t)big(b->kinds + 6 * kind, 4);
    return true;
}

static bool is_after_table(const struct zone_block *b, int64_t unix_s)
{
    return b->n_moments == 0 || big(b->moments + (b->n_moments - 1) * b->width, b->width) <= unix_s;
}

bool zone_file_offset(struct str bytes, int64_t unix_s, int32_t *ret)
{
    struct zone_block b;
    struct str rule = {0};
    int32_t offset;
    if (!block(bytes, 4, &b))
        return false;
    if (bytes.p[4] >= '2') {
        bytes = str_skip(bytes, b.size);
        if (!block(bytes, 8, &b))
            return false;
        struct str footer = str_skip(bytes, b.size);
        if (footer.n < 2 || footer.p[0] != '\n' || footer.p[footer.n - 1] != '\n')
            return false;
        rule = (struct str){footer.p + 1, footer.n - 2};
    }
    bool good = rule.n > 0 && is_after_table(&b, unix_s) ? zone_rule_offset(rule, unix_s, &offset)
                                                         : table_offset(&b, unix_s, &offset);
    if (!good || offset < -MOST_S || offset > MOST_S)
        return false;
    *ret = offset;
    return true;
}

/* "+03:00", "-5", "UTC+2". */
static bool fixed(struct str s, int32_t *ret)
{
    int64_t hours, minutes = 0;
    if (str_starts(s, STR("UTC")) || str_starts(s, STR("utc")))
        s = str_skip(s, 3);
    if (s.n == 0) {
        *ret = 0;
        return true;
    }
    if (s.p[0] != '+' && s.p[0] != '-')
        return false;
    struct str rest, head = str_cut(str_skip(s, 1), ':', &rest);
    if (head.n < 1 || head.n > 2 || !str_int(head, &hours) || hours < 0)
        return false;
    if (rest.n > 0 && (rest.n != 2 || !str_int(rest, &minutes) || minutes < 0 || minutes > 59))
        return false;
    int64_t east = (hours * 60 + minutes) * 60;
    if (east > MOST_S)
        return false;
    *ret = (int32_t)(s.p[0] == '-' ? -east : east);
    return true;
}

bool zone_offset(struct str zone, int64_t unix_ms, int32_t *ret)
{
    char path[128];
    struct err err;
    struct str bytes;
    if (fixed(zone, ret))
        return true;
    if (zone.n > 40 || zone.p[0] < 'A' || zone.p[0] > 'Z')
        return false;
    for (size_t i = 0; i < zone.n; i++) { /* a name, never a path out of the folder */
        char c = zone.p[i];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (!letter && c != '/' && c != '_' && c != '-' && c != '+')
            return false;
    }
    snprintf(path, sizeof path, "/usr/share/zoneinfo/%.*s", STR_ARG(zone));
    if (!file_read(path, MOST_BYTES, &bytes, &err))
        return false;
    bool good = zone_file_offset(bytes, unix_ms / 1000, ret);
    file_free(bytes);
    return good;
}

bool zone_offset_cached(struct cache *cache, struct str zone, int64_t unix_ms, int32_t *ret)
{
    enum { MINUTE_MS = 60000, UNKNOWN = INT32_MIN };
    const struct cache_key key = {.no = unix_ms / MINUTE_MS, .text = zone};
    struct str kept;
    int32_t offset = UNKNOWN;
    if (cache_find(cache, key, &kept)) {
        memcpy(&offset, kept.p, sizeof offset);
    } else {
        (void)zone_offset(zone, unix_ms, &offset);
        void *room = cache_put(cache, key, sizeof offset);
        if (room)
            memcpy(room, &offset, sizeof offset);
    }
    if (offset == UNKNOWN)
        return false;
    *ret = offset;
    return true;
}

/* The first minute in (from, to] at which the offset is another one than at `from`. */
static int64_t bisect(struct str zone, int32_t offset, int64_t from, int64_t to)
{
    enum { MINUTE_MS = 60000 };
    while (to - from > MINUTE_MS) {
        int64_t middle = from + (to - from) / 2 / MINUTE_MS * MINUTE_MS;
        int32_t then = offset;
        (void)zone_offset(zone, middle, &then);
        if (then == offset)
            from = middle;
        else
            to = middle;
    }
    return to;
}

bool zone_change(struct str zone, int64_t unix_ms, struct zone_change *ret)
{
    enum { WEEKS = 28 };
    static const int64_t week = (int64_t)7 * 24 * 3600 * 1000;
    struct zone_change found = {0};
    int64_t from = unix_ms - (unix_ms % 60000 + 60000) % 60000;
    if (!zone_offset(zone, unix_ms, &found.offset))
        return false;
    for (int i = 0; i < WEEKS && !found.change; i++, from += week) {
        int32_t then = found.offset;
        if (!zone_offset(zone, from + week, &then) || then == found.offset)
            continue;
        found.change = bisect(zone, found.offset, from, from + week);
        if (!zone_offset(zone, found.change, &found.later_offset))
            return false;
    }
    *ret = found;
    return true;
}

bool zone_change_cached(struct cache *cache, struct str zone, int64_t unix_ms,
                        struct zone_change *ret)
{
    static const int64_t day = (int64_t)24 * 3600 * 1000;
    const struct cache_key key = {.no = -1 - unix_ms / day, .text = zone};
    struct str kept;
    struct zone_change found;
    if (cache_find(cache, key, &kept) && kept.n == sizeof found) {
        memcpy(&found, kept.p, sizeof found);
        if (!found.change || unix_ms < found.change) {
            *ret = found;
            return true;
        }
    }
    if (!zone_change(zone, unix_ms, &found))
        return false;
    void *room = cache_put(cache, key, sizeof found);
    if (room)
        memcpy(room, &found, sizeof found);
    *ret = found;
    return true;
}
