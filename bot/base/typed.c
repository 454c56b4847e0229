/* See typed.h. The zeros are those of Unicode's class Nd: the nine other digits follow each. */
#include "typed.h"

#include "utf8.h"

static const uint32_t zeros[] = {
    0x0660,  0x06F0,  0x07C0,  0x0966,  0x09E6,  0x0A66,  0x0AE6,  0x0B66,  0x0BE6,  0x0C66,
    0x0CE6,  0x0D66,  0x0DE6,  0x0E50,  0x0ED0,  0x0F20,  0x1040,  0x1090,  0x17E0,  0x1810,
    0x1946,  0x19D0,  0x1A80,  0x1A90,  0x1B50,  0x1BB0,  0x1C40,  0x1C50,  0xA620,  0xA8D0,
    0xA900,  0xA9D0,  0xA9F0,  0xAA50,  0xABF0,  0xFF10,  0x104A0, 0x10D30, 0x11066, 0x110F0,
    0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950,
    0x11C50, 0x11D50, 0x11DA0, 0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC,
    0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0, 0x10D40, 0x116D0, 0x116DA, 0x11BF0, 0x11DE0,
    0x11F50, 0x16D70, 0x1CCF0, 0x1E4F0, 0x1E5F1};

static const struct {
    uint32_t first, last; /* the signs for 1, 2, ... */
} enclosed[] = {{0x2460, 0x2473}, {0x2474, 0x2487}, {0x2488, 0x249B}, {0x2776, 0x277F},
                {0x2780, 0x2789}, {0x278A, 0x2793}, {0x24F5, 0x24FE}};

enum { N_ZEROS = sizeof zeros / sizeof *zeros, N_ENCLOSED = sizeof enclosed / sizeof *enclosed };
enum { KEYCAP = 0x20E3, KEYCAP_TEN = 0x1F51F, FULL_WIDTH = 0xFF00 - 0x20 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool begins_with_letter(struct str s) /* of any alphabet */
{
    char c = s.n > 0 ? (char)(s.p[0] | 0x20) : ' ';
    return (c >= 'a' && c <= 'z') || (s.n > 0 && (unsigned char)s.p[0] >= 0x80);
}

/* ---- single signs ---- */

/* The number of a sign that is not ASCII. Negative for any other sign. */
static int number_of(uint32_t c)
{
    for (int i = 0; i < N_ZEROS; i++)
        if (c >= zeros[i] && c < zeros[i] + 10)
            return (int)(c - zeros[i]);
    for (int i = 0; i < N_ENCLOSED; i++)
        if (c >= enclosed[i].first && c <= enclosed[i].last)
            return 1 + (int)(c - enclosed[i].first);
    return c == KEYCAP_TEN ? 10 : -1;
}

static bool is_blank(uint32_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 || c == 0x202F || c == 0x3000 ||
           (c >= 0x2000 && c <= 0x200A);
}

/* `as_typed`: its bytes, which stay where they are no UTF-8. */
static void put_sign(struct buf *b, uint32_t c, struct str as_typed)
{
    bool behind_digit = b->n > 0 && is_digit(b->p[b->n - 1]);
    int number = c < 0x80 ? -1 : number_of(c);
    if ((behind_digit && (c == KEYCAP || c == 0xFE0E || c == 0xFE0F)) || c == 0x200E ||
        c == 0x200F || c == 0x061C)
        return;
    if (number >= 0) {
        buf_int(b, number);
    } else if (c >= 0x80 && is_blank(c)) {
        buf_char(b, ' ');
    } else if (c >= 0xFF01 && c <= 0xFF5E) {
        buf_char(b, (char)(c - FULL_WIDTH));
    } else {
        buf_put(b, as_typed);
    }
}

/* ---- words ---- */

/* Length of what may stand behind a number in a list or in speech; 0 for anything else. */
static size_t tail_at(struct str s)
{
    static const char *const tails[] = {".", ")",  "]",  ":",  ",",  ";",  "!",
                                        "?", "。", "、", "番", "号", "號", "번"};
    for (size_t i = 0; s.n > 0 && i < sizeof tails / sizeof *tails; i++)
        if (str_starts(s, str_of(tails[i])))
            return strlen(tails[i]);
    return 0;
}

/* "三", "十二", "二十三" at the start of *s, which moves behind it. Returns -1 without one. */
static int read_kanji(struct str *s)
{
    static const char *const signs[] = {"零", "一", "二", "三", "四", "五",
                                        "六", "七", "八", "九", "十"};
    enum { TEN = 10, N_SIGNS = sizeof signs / sizeof *signs };
    int tens = -1, ones = -1;
    for (struct str rest = *s; rest.n > 0; *s = rest) {
        int sign = 0;
        while (sign < N_SIGNS && !str_starts(rest, str_of(signs[sign])))
            sign++;
        bool fits = sign == TEN ? tens < 0 : sign < TEN && ones < 0;
        if (!fits)
            break;
        rest = str_skip(rest, strlen(signs[sign]));
        if (sign == TEN) {
            tens = ones < 0 ? 1 : ones;
            ones = -1;
        } else {
            ones = sign;
        }
    }
    return tens < 0 ? ones : TEN * tens + (ones < 0 ? 0 : ones);
}

static void put_word(struct buf *b, struct str word)
{
    struct str rest = str_skip(word, word.n > 0 && (word.p[0] == '(' || word.p[0] == '['));
    bool hash = rest.n > 1 && rest.p[0] == '#';
    rest = str_skip(rest, hash);
    if (rest.n == 0 || !(is_digit(rest.p[0]) || (unsigned char)rest.p[0] >= 0x80)) {
        buf_put(b, word);
        return;
    }
    size_t n = 0;
    while (n < rest.n && is_digit(rest.p[n]))
        n++;
    struct str digits = {rest.p, n};
    rest = str_skip(rest, n);
    int kanji = n == 0 ? read_kanji(&rest) : -1;
    struct str behind = rest;
    for (size_t tail; (tail = tail_at(behind)) > 0;)
        behind = str_skip(behind, tail);
    bool name = n > 0 && behind.n < rest.n && begins_with_letter(behind);
    if ((n == 0 && kanji < 0) || (behind.n > 0 && !name)) {
        buf_put(b, word);
        return;
    }
    if (hash)
        buf_char(b, '#');
    if (n > 0)
        buf_put(b, digits);
    else
        buf_int(b, kanji);
    if (name) { /* its stop gave room for the blank */
        buf_char(b, ' ');
        buf_put(b, behind);
    }
}

struct str typed_plain(struct arena *a, struct str s)
{
    struct buf signs = {arena_alloc(a, s.n + 1), 0, s.n, false};
    bool plain = utf8_is_ascii(s);
    for (struct str rest = s; !plain && rest.n > 0; s = rest) { /* at most its own bytes each */
        uint32_t sign = utf8_next(&rest);
        put_sign(&signs, sign, (struct str){s.p, s.n - rest.n});
    }
    struct str in = plain ? s : buf_str(&signs);
    struct buf b = {arena_alloc(a, in.n + 1), 0, in.n, false};
    for (struct str rest = in; rest.n > 0;) {
        struct str before = rest, word = str_word(&rest);
        buf_put(&b, (struct str){before.p, word.n > 0 ? (size_t)(word.p - before.p) : before.n});
        put_word(&b, word);
    }
    return buf_str(&b);
}

static struct str skip_blanks(struct str s)
{
    for (struct str next = s; s.n > 0 && is_blank(utf8_next(&next)); s = next)
        ;
    return s;
}

struct str typed_word(struct str *rest)
{
    struct str from = skip_blanks(*rest), end = from;
    for (struct str next = end; end.n > 0 && !is_blank(utf8_next(&next)); end = next)
        ;
    *rest = skip_blanks(end);
    return (struct str){from.p, from.n - end.n};
}
