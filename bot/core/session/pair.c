/* See pair.h. Bytes that would break the line are written %XX. */
#include "pair.h"

#include "chance.h"
#include "utf8.h"

/* ---- numbers of any size ---- */

static int64_t int_get(const void *base, const struct pair *f)
{
    const char *p = (const char *)base + f->offset;
    union {
        int64_t i64;
        uint32_t u32;
        int32_t i32;
        uint16_t u16;
        int16_t i16;
        uint8_t u8;
        int8_t i8;
        bool b;
    } v = {0};
    memcpy(&v, p, f->size);
    if (f->size == 8)
        return v.i64;
    if (f->size == 4)
        return f->min < 0 ? (int64_t)v.i32 : (int64_t)v.u32;
    if (f->size == 2)
        return f->min < 0 ? v.i16 : v.u16;
    return f->min < 0 ? v.i8 : v.u8;
}

static void int_set(void *base, const struct pair *f, int64_t n)
{
    union {
        int64_t i64;
        uint32_t u32;
        uint16_t u16;
        uint8_t u8;
        bool b;
    } v = {0};
    if (f->size == 8)
        v.i64 = n;
    else if (f->size == 4)
        v.u32 = (uint32_t)n;
    else if (f->size == 2)
        v.u16 = (uint16_t)n;
    else if (f->kind == PAIR_BOOL)
        v.b = n != 0;
    else
        v.u8 = (uint8_t)n;
    memcpy((char *)base + f->offset, &v, f->size);
}

/* ---- text ---- */

static void put_quoted(struct buf *b, struct str s)
{
    static const char hex[] = "0123456789ABCDEF";
    static const bool breaks[256] = {[0 ... ' '] = true, ['%'] = true, [0x7F] = true};
    size_t from = 0;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (!breaks[c])
            continue;
        buf_put(b, (struct str){s.p + from, i - from});
        buf_put(b, (struct str){(char[]){'%', hex[c >> 4], hex[c & 15]}, 3});
        from = i + 1;
    }
    buf_put(b, str_skip(s, from));
}

/* "p1.name": of the second player; part 0: of the session itself. */
static void put_key(struct buf *b, char part, int i, const char *name)
{
    buf_char(b, ' ');
    if (part) {
        buf_char(b, part);
        buf_int(b, i);
        buf_char(b, '.');
    }
    buf_put(b, str_of(name));
    buf_char(b, '=');
}

void pair_put_text(struct buf *b, const char *name, struct str text)
{
    put_key(b, 0, 0, name);
    put_quoted(b, text);
}

void pair_put(struct buf *b, const void *base, char part, int i, const struct pair *f)
{
    static const struct seed no_seed;
    const char *p = (const char *)base + f->offset;
    if (f->kind == PAIR_TEXT && p[0]) {
        put_key(b, part, i, f->name);
        put_quoted(b, str_of(p));
    } else if (f->kind == PAIR_SEED && memcmp(p, &no_seed, sizeof no_seed) != 0) {
        struct seed seed;
        char hex[SEED_HEX_SIZE];
        memcpy(&seed, p, sizeof seed);
        chance_hex(&seed, hex);
        put_key(b, part, i, f->name);
        buf_put(b, str_of(hex));
    } else if ((f->kind == PAIR_INT || f->kind == PAIR_BOOL) && int_get(base, f) != 0) {
        put_key(b, part, i, f->name);
        buf_int(b, int_get(base, f));
    }
}

static int upper_hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool pair_read_text(struct str s, char *ret, size_t size, struct str *ret_text)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '%') {
            int high = i + 1 < s.n ? upper_hex_digit(s.p[i + 1]) : -1;
            int low = i + 2 < s.n ? upper_hex_digit(s.p[i + 2]) : -1;
            if (high < 0 || low < 0 || high * 16 + low == 0)
                return false;
            c = (char)(high * 16 + low);
            i += 2;
        } else if ((unsigned char)c <= ' ' || c == 0x7F) {
            return false;
        }
        if (n + 1 >= size)
            return false;
        ret[n++] = c;
    }
    ret[n] = '\0';
    *ret_text = (struct str){ret, n};
    return true;
}

static bool read_seed(struct str value, char *ret)
{
    struct seed seed;
    if (!chance_read_seed(value, &seed))
        return false;
    memcpy(ret, &seed, sizeof seed);
    return true;
}

bool pair_read(void *base, const struct pair *f, struct str value)
{
    char *at = (char *)base + f->offset;
    struct str s;
    int64_t n;
    switch (f->kind) {
    case PAIR_TEXT:
        return pair_read_text(value, at, f->size, &s) && s.n > 0 && utf8_ok(s);
    case PAIR_SEED:
        return read_seed(value, at);
    case PAIR_INT:
    case PAIR_BOOL:
        break;
    }
    if (!str_int(value, &n) || n < f->min || n > f->max)
        return false;
    int_set(base, f, n);
    return true;
}
