/* See field.h. */
#include "field.h"

#include "utf8.h"

static const void *member_of(const void *base, const struct field_row *f)
{
    return (const char *)base + f->at;
}

static void *own_member_of(void *base, const struct field_row *f)
{
    return (char *)base + f->at;
}

static int64_t get_number(const void *base, const struct field_row *f)
{
    const void *p = member_of(base, f);
    switch (f->size) {
    case 1:
        return f->least < 0 ? *(const int8_t *)p : *(const uint8_t *)p;
    case 2:
        return f->least < 0 ? *(const int16_t *)p : *(const uint16_t *)p;
    case 4:
        return f->least < 0 ? *(const int32_t *)p : (int64_t) * (const uint32_t *)p;
    default:
        return *(const int64_t *)p;
    }
}

static void set_number(void *base, const struct field_row *f, int64_t n)
{
    void *p = own_member_of(base, f);
    if (f->size == 1)
        *(uint8_t *)p = (uint8_t)n;
    else if (f->size == 2)
        *(uint16_t *)p = (uint16_t)n;
    else if (f->size == 4)
        *(uint32_t *)p = (uint32_t)n;
    else
        *(int64_t *)p = n;
}

static int get_count(const void *base, const struct field_row *f)
{
    return *(const int *)(const void *)((const char *)base + f->count);
}

static void set_count(void *base, const struct field_row *f, int n)
{
    *(int *)(void *)((char *)base + f->count) = n;
}

/* ---- a line ---- */

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

static void put_key(struct buf *b, const char *prefix, const char *name)
{
    buf_char(b, ' ');
    buf_put(b, str_of(prefix));
    buf_put(b, str_of(name));
    buf_char(b, '=');
}

void field_put_text(struct buf *b, const char *name, struct str text)
{
    put_key(b, "", name);
    put_quoted(b, text);
}

static bool is_zero(const char *p, size_t n)
{
    while (n > 0 && *p == 0)
        p++, n--;
    return n == 0;
}

void field_put_line(struct buf *b, const struct field_table *of, const void *from,
                    const char *prefix, bool zeros)
{
    for (int i = 0; i < of->n; i++) {
        const struct field_row *f = &of->at[i];
        const char *p = member_of(from, f);
        if (!zeros && is_zero(p, f->kind == FIELD_IS_TEXT ? 1 : f->size))
            continue;
        put_key(b, prefix, f->name);
        if (f->kind == FIELD_IS_TEXT)
            put_quoted(b, str_of(p));
        else if (f->kind == FIELD_IS_HEX)
            buf_hex(b, p, f->size);
        else
            buf_int(b, get_number(from, f));
    }
}

const struct field_row *field_find(const struct field_table *of, struct str name)
{
    for (int i = 0; i < of->n; i++)
        if (str_is(name, str_of(of->at[i].name)))
            return &of->at[i];
    return NULL;
}

static int upper_hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool field_read_text(struct str s, char *ret, size_t size, struct str *ret_text)
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

bool field_read(const struct field_row *f, void *into, struct str value)
{
    char room[FIELD_TEXT_SIZE];
    struct str s;
    int64_t n;
    if (f->kind == FIELD_IS_HEX)
        return str_hex(value, own_member_of(into, f), f->size);
    if (f->kind == FIELD_IS_TEXT) {
        if (!field_read_text(value, room, f->size, &s) || s.n == 0 || !utf8_ok(s))
            return false;
        memcpy(own_member_of(into, f), s.p, s.n + 1);
        return true;
    }
    if (!str_int(value, &n) || n < f->least || n > f->most)
        return false;
    set_number(into, f, n);
    return true;
}

/* ---- packed ---- */

static void pack_number(struct buf *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        buf_char(b, (char)(v | 0x80));
    buf_char(b, (char)v);
}

uint64_t unpack_number(struct unpacking *u, uint64_t most)
{
    uint64_t v = u->rest.n ? (unsigned char)u->rest.p[0] : 0x80;
    if (v < 0x80 && v <= most) { /* most are of one byte */
        u->rest = str_skip(u->rest, 1);
        return v;
    }
    v = 0;
    for (int shift = 0; u->rest.n && shift < 64; shift += 7) {
        unsigned char c = (unsigned char)u->rest.p[0];
        uint64_t bits = c & 0x7f;
        u->rest = str_skip(u->rest, 1);
        if (shift == 63 && bits > 1)
            break;
        v |= bits << shift;
        if (c & 0x80)
            continue;
        if ((c == 0 && shift > 0) || v > most) /* a longer form than needed, or too much */
            break;
        return v;
    }
    u->bad = true;
    return 0;
}

static struct str unpack_string(struct unpacking *u)
{
    size_t n = (size_t)unpack_number(u, u->rest.n);
    if (u->bad || n > u->rest.n) {
        u->bad = true;
        return STR("");
    }
    struct str s = {u->rest.p, n};
    u->rest = str_skip(u->rest, n);
    return s;
}

/* The number of rows from i on that are one number: bools in a row, or one row. */
static int run_of_bools(const struct field_table *of, int i)
{
    int n = i;
    while (n < of->n && of->at[n].kind == FIELD_IS_BOOL)
        n++;
    return n - i;
}

static bool is_in_format(const struct field_row *f, int format)
{
    return format >= f->since && (f->until == 0 || format <= f->until);
}

/* The members of a list, from the first. */
static const char *members_of(const void *base, const struct field_row *f)
{
    const void *p = member_of(base, f);
    return f->kind == FIELD_IS_LIST ? p : *(const char *const *)p;
}

static const struct str *whole_of(const void *base, const struct field_row *f)
{
    return (const void *)((const char *)base + f->count);
}

static void pack_part(struct buf *b, struct str part, struct str whole)
{
    uintptr_t from = (uintptr_t)part.p, start = (uintptr_t)whole.p;
    bool within = part.p && from >= start && from + part.n <= start + whole.n;
    pack_number(b, within ? from - start + 1 : 0);
    if (within)
        pack_number(b, part.n);
}

static struct str unpack_part(struct unpacking *u, struct str whole)
{
    size_t from = (size_t)unpack_number(u, whole.n + 1);
    if (u->bad || from == 0)
        return (struct str){0};
    size_t n = (size_t)unpack_number(u, whole.n + 1 - from);
    if (u->bad)
        return STR("");
    return (struct str){whole.p + from - 1, n};
}

void field_pack(struct buf *b, const struct field_table *of, const void *from)
{
    for (int i = 0; i < of->n; i++) {
        const struct field_row *f = &of->at[i];
        int count, bools = run_of_bools(of, i);
        uint64_t bits = 0;
        switch (f->kind) {
        case FIELD_IS_BOOL:
            for (int k = 0; k < bools; k++)
                bits |= (uint64_t)get_number(from, f + k) << k;
            pack_number(b, bits);
            i += bools - 1;
            break;
        case FIELD_IS_STR: {
            const struct str *s = member_of(from, f);
            pack_number(b, s->n);
            buf_put(b, *s);
            break;
        }
        case FIELD_IS_STRUCT:
            field_pack(b, f->of, member_of(from, f));
            break;
        case FIELD_IS_LIST:
        case FIELD_IS_ARRAY:
        case FIELD_IS_REST:
            count = get_count(from, f);
            if (f->kind != FIELD_IS_REST)
                pack_number(b, (uint64_t)count);
            for (int k = 0; k < count; k++)
                field_pack(b, f->of, members_of(from, f) + (size_t)k * f->of->size);
            break;
        case FIELD_IS_PART:
            pack_part(b, *(const struct str *)member_of(from, f), *whole_of(from, f));
            break;
        case FIELD_IS_GONE:
            break;
        default:
            pack_number(b, (uint64_t)get_number(from, f));
        }
    }
}

size_t field_packed_most(const struct field_table *of, const void *from)
{
    enum { NUMBER_MOST = 10 };
    size_t n = 0;
    for (int i = 0; i < of->n; i++) {
        const struct field_row *f = &of->at[i];
        bool list = f->kind >= FIELD_IS_LIST && f->kind <= FIELD_IS_REST;
        n += NUMBER_MOST;
        if (f->kind == FIELD_IS_STR)
            n += ((const struct str *)member_of(from, f))->n;
        else if (f->kind == FIELD_IS_STRUCT)
            n += field_packed_most(f->of, member_of(from, f));
        for (int k = 0; list && k < get_count(from, f); k++)
            n += field_packed_most(f->of, members_of(from, f) + (size_t)k * f->of->size);
    }
    return n;
}

static void unpack_list(struct unpacking *u, const struct field_row *f, void *into)
{
    bool rest = f->kind == FIELD_IS_REST;
    int n = 0, count = (int)(rest ? f->most : (int64_t)unpack_number(u, (uint64_t)f->most));
    char *at = own_member_of(into, f);
    if (u->bad || count == 0 || (rest && u->rest.n == 0))
        return;
    if (f->kind != FIELD_IS_LIST) {
        char *array = arena_alloc_array(u->arena, f->of->size, (size_t)count);
        *(char **)(void *)at = array;
        at = array;
    }
    for (; n < count && !u->bad && !(rest && u->rest.n == 0); n++)
        field_unpack(u, f->of, at + (size_t)n * f->of->size);
    set_count(into, f, n);
}

void field_unpack(struct unpacking *u, const struct field_table *of, void *into)
{
    for (int i = 0; i < of->n && !u->bad; i++) {
        const struct field_row *f = &of->at[i];
        int bools = run_of_bools(of, i);
        uint64_t bits;
        if (!is_in_format(f, u->format))
            continue;
        switch (f->kind) {
        case FIELD_IS_BOOL:
            bits = unpack_number(u, ((uint64_t)1 << bools) - 1);
            for (int k = 0; k < bools; k++)
                set_number(into, f + k, bits >> k & 1);
            i += bools - 1;
            break;
        case FIELD_IS_STR:
            *(struct str *)own_member_of(into, f) = unpack_string(u);
            break;
        case FIELD_IS_STRUCT:
            field_unpack(u, f->of, own_member_of(into, f));
            break;
        case FIELD_IS_LIST:
        case FIELD_IS_ARRAY:
        case FIELD_IS_REST:
            unpack_list(u, f, into);
            break;
        case FIELD_IS_PART:
            *(struct str *)own_member_of(into, f) = unpack_part(u, *whole_of(into, f));
            break;
        case FIELD_IS_GONE:
            (void)unpack_string(u);
            break;
        default:
            set_number(into, f, (int64_t)unpack_number(u, (uint64_t)f->most));
        }
    }
}

/* ---- JSON ---- */

/* A list of strings has the members' one row without a name. */
static bool is_plain_list(const struct field_row *f)
{
    return f->kind == FIELD_IS_LIST && !f->of->at[0].name;
}

void field_put_json(struct buf *b, const struct field_table *of, const void *from)
{
    for (int i = 0; i < of->n; i++) {
        const struct field_row *f = &of->at[i];
        const void *p = member_of(from, f);
        int64_t n = f->kind <= FIELD_IS_WORD ? get_number(from, f) : 0;
        if (f->kind == FIELD_IS_BOOL && n) {
            json_put_bool(b, f->name, true);
        } else if (f->kind == FIELD_IS_WORD && n) {
            json_put_str(b, f->name, str_of(f->words[n]));
        } else if (f->kind == FIELD_IS_INT && n) {
            json_put_int(b, f->name, n);
        } else if (f->kind == FIELD_IS_STR && ((const struct str *)p)->n > 0) {
            json_put_str(b, f->name, *(const struct str *)p);
        } else if (f->kind == FIELD_IS_LIST && get_count(from, f) > 0) {
            json_put_open(b, f->name, '[');
            for (int k = 0; k < get_count(from, f); k++) {
                if (!is_plain_list(f))
                    json_put_open(b, NULL, '{');
                field_put_json(b, f->of, (const char *)p + (size_t)k * f->of->size);
                if (!is_plain_list(f))
                    buf_char(b, '}');
            }
            buf_char(b, ']');
        }
    }
}

void field_read_json(struct json v, const struct field_table *of, void *into, struct arena *a)
{
    for (int i = 0; i < of->n; i++) {
        const struct field_row *f = &of->at[i];
        char *p = own_member_of(into, f);
        int n = 0;
        if (!json_at(v, f->name).at)
            continue;
        if (f->kind == FIELD_IS_BOOL) {
            set_number(into, f, json_bool(v, f->name));
        } else if (f->kind == FIELD_IS_WORD) {
            set_number(into, f, json_word(v, f->name, f->words));
        } else if (f->kind == FIELD_IS_INT) {
            set_number(into, f, json_int(v, f->name, f->least, f->most));
        } else if (f->kind == FIELD_IS_STR) {
            *(struct str *)(void *)p = utf8_clean(a, json_str(v, f->name));
        } else if (f->kind == FIELD_IS_LIST) {
            struct json m = json_first(json_at(v, f->name));
            for (; m.at && n < f->most; m = json_next(m))
                field_read_json(m, f->of, p + (size_t)n++ * f->of->size, a);
            set_count(into, f, n);
        }
    }
}
