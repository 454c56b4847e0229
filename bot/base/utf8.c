/* See utf8.h. The ranges are those of the Unicode standard, table 3-7 (well-formed byte
 * sequences). */
#include "utf8.h"

uint32_t utf8_next(struct str *rest)
{
    const unsigned char *p = (const unsigned char *)rest->p;
    size_t n = rest->n;
    if (p[0] < 0x80) {
        *rest = (struct str){rest->p + 1, n - 1};
        return p[0];
    }
    size_t len = p[0] >= 0xC2 && p[0] < 0xE0   ? 2
                 : p[0] >= 0xE0 && p[0] < 0xF0 ? 3
                 : p[0] >= 0xF0 && p[0] < 0xF5 ? 4
                                               : 0;
    uint32_t point = len == 2 ? p[0] & 0x1Fu : len == 3 ? p[0] & 0x0Fu : p[0] & 0x07u;
    bool good = len > 0 && len <= n;
    for (size_t i = 1; good && i < len; i++) {
        good = (p[i] & 0xC0) == 0x80;
        point = point << 6 | (p[i] & 0x3Fu);
    }
    if (good &&
        ((len == 3 && point < 0x800) || (len == 4 && (point < 0x10000 || point > 0x10FFFF)) ||
         (point >= 0xD800 && point < 0xE000)))
        good = false;
    *rest = str_skip(*rest, good ? len : 1);
    return good ? point : UTF8_BAD;
}

size_t utf8_put(uint32_t point, char ret[static UTF8_LONGEST])
{
    if (point < 0x80) {
        ret[0] = (char)point;
        return 1;
    }
    size_t len = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--, point >>= 6)
        ret[i] = (char)(0x80 | (point & 0x3F));
    ret[0] = (char)((len == 2 ? 0xC0 : len == 3 ? 0xE0 : 0xF0) | point);
    return len;
}

bool utf8_ok(struct str s)
{
    while (s.n > 0) {
        struct str before = s;
        if (utf8_next(&s) == UTF8_BAD &&
            !(before.n >= 3 && memcmp(before.p, "\xEF\xBF\xBD", 3) == 0))
            return false;
    }
    return true;
}

bool utf8_is_ascii(struct str s)
{
    const uint64_t highs = 0x8080808080808080u;
    uint64_t all = 0, w;
    size_t i = 0;
    for (; i + sizeof w <= s.n; i += sizeof w) {
        memcpy(&w, s.p + i, sizeof w);
        all |= w;
    }
    for (; i < s.n; i++)
        all |= (unsigned char)s.p[i];
    return !(all & highs);
}

bool utf8_is_control(uint32_t point)
{
    return (point < 0x20 && point != '\n') || (point >= 0x7F && point < 0xA0) ||
           (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

struct str utf8_clean(struct arena *a, struct str s)
{
    char *p = arena_alloc(a, 3 * s.n + 1); /* a bad byte becomes three */
    size_t n = 0;
    while (s.n > 0) {
        uint32_t point = utf8_next(&s);
        if (!utf8_is_control(point)) {
            char bytes[UTF8_LONGEST];
            size_t len = utf8_put(point, bytes);
            memcpy(p + n, bytes, len);
            n += len;
        }
    }
    return (struct str){p, n};
}

static size_t units(uint32_t point, bool utf16)
{
    return utf16 && point >= 0x10000 ? 2 : 1;
}

size_t utf8_count(struct str s, bool utf16)
{
    size_t n = 0;
    while (s.n > 0)
        n += units(utf8_next(&s), utf16);
    return n;
}

/* Points that cling to what stands before them. */
static bool clings(uint32_t point)
{
    return (point >= 0x0300 && point <= 0x036F) || point == 0x200D /* joiner */ ||
           (point >= 0xFE00 && point <= 0xFE0F) /* variation selectors */ ||
           (point >= 0x1F3FB && point <= 0x1F3FF) /* skin tones */ ||
           (point >= 0x20D0 && point <= 0x20FF) || (point >= 0xE0020 && point <= 0xE007F);
}

struct str utf8_cut(struct str s, size_t most, bool utf16)
{
    struct str rest = s;
    size_t n = 0, good = 0; /* good: bytes up to the last place where a cut is clean */
    size_t fits = 0;        /* bytes of the points that fit: for a first character that does not */
    uint32_t before = 0;
    while (rest.n > 0) {
        size_t at = s.n - rest.n;
        uint32_t point = utf8_next(&rest);
        if (!clings(point) && before != 0x200D)
            good = at;
        n += units(point, utf16);
        if (n > most)
            return (struct str){s.p, good > 0 ? good : fits};
        fits = s.n - rest.n;
        before = point;
    }
    return s;
}
