/* See zone.h. A TZif file (RFC 8536) is a header, then for 32 and again for 64 bits: moments, the
 * kind of time that begins at each, the kinds. What comes after the last moment stands in a rule in
 * its footer, which only few zones still need within our years: files keep moments up to 2037. */
#include "zone.h"

#include "file.h"

#include <stdio.h>

static int64_t big(const unsigned char *p, int bytes)
{
    uint64_t v = bytes == 8 && p[0] & 0x80 ? ~(uint64_t)0 : 0;
    for (int i = 0; i < bytes; i++)
        v = v << 8 | p[i];
    return bytes == 4 ? (int32_t)(uint32_t)v : (int64_t)v;
}

struct part {
    const unsigned char *moments, *kinds_at, *kinds;
    int64_t n_moments, n_kinds;
    size_t size;
    int width;
};

/* The block of a file that begins at p; false if it does not hold together. */
static bool block(struct str s, int width, struct part *ret)
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
    *ret = (struct part){
        p + 44, p + 44 + moments * width, p + 44 + moments * (width + 1), moments, kinds, size,
        width};
    return true;
}

static bool offset_in(struct str bytes, int64_t unix_s, int32_t *ret)
{
    struct part b;
    if (!block(bytes, 4, &b))
        return false;
    if (((const unsigned char *)bytes.p)[4] >= '2' && !block(str_skip(bytes, b.size), 8, &b))
        return false;
    int64_t kind = 0;
    for (int64_t i = 0; i < b.n_moments && big(b.moments + i * b.width, b.width) <= unix_s; i++)
        kind = b.kinds_at[i];
    if (kind >= b.n_kinds)
        return false;
    *ret = (int32_t)big(b.kinds + 6 * kind, 4);
    return *ret >= -14 * 3600 && *ret <= 14 * 3600;
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
    if (head.n < 1 || head.n > 2 || !str_int(head, &hours) || hours < 0 || hours > 14)
        return false;
    if (rest.n > 0 && (rest.n != 2 || !str_int(rest, &minutes) || minutes < 0 || minutes > 59))
        return false;
    *ret = (int32_t)((hours * 60 + minutes) * 60 * (s.p[0] == '-' ? -1 : 1));
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
    if (!file_read(path, 64 * 1024, &bytes, &err))
        return false;
    bool good = offset_in(bytes, unix_ms / 1000, ret);
    file_free(bytes);
    return good;
}
