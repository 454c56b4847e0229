/* Catalogue lookup, placeholders, and text from outside. utf8proc knows Unicode (folding, widths,
 * character boundaries); utf8.c decodes bytes. See text.h. */
#include "text.h"

#include "adapter.h"
#include "utf8.h"

#include <assert.h>
#include <utf8proc.h>

#define TEXT(key, name, args, inline_key)   [T_##key] = {name, args, T_##inline_key, false},
#define PLURAL(key, name, args, inline_key) [T_##key] = {name, args, T_##inline_key, true},
static const struct {
    const char *name, *args;
    enum text inline_key;
    bool plural;
} rows[N_TEXTS] = {
#include "text.def"
};
#undef TEXT
#undef PLURAL

const char *const word_names[N_WORDS] = {"bright", "animal", "ribbon", "plain",
                                         "stop",   "koikoi", "dealer"};

const char *text_name(enum text key)
{
    return rows[key].name;
}
const char *text_args(enum text key)
{
    return rows[key].args;
}
enum text text_inline(enum text key)
{
    return rows[key].inline_key;
}
bool text_is_plural(enum text key)
{
    return rows[key].plural;
}

const struct texts *texts_typed(const struct texts *t)
{
    if (!t->typed && t->read)
        t->read(t->unread);
    return t;
}

static const struct texts *whole(const struct texts *t)
{
    while (t->read)
        t->read(t->unread);
    return t;
}

const struct texts *texts_find(const struct languages *all, struct str language)
{
    struct str rest, base = str_cut(language, '-', &rest);
    for (int i = 0; i < all->n; i++)
        if (str_is(all->at[i]->language, language))
            return whole(all->at[i]);
    for (int i = 0; i < all->n; i++)
        if (str_is(all->at[i]->language, base))
            return whole(all->at[i]);
    return NULL;
}

const struct texts *texts_for(const struct languages *all, struct str language)
{
    const struct texts *found = texts_find(all, language);
    return found ? found : whole(all->at[0]);
}

const struct words *words_for(const struct texts *t, struct str name)
{
    for (int i = 0; i < t->n_words; i++)
        if (str_is(t->words[i].name, name))
            return &t->words[i];
    return &t->words[0];
}

/* Returns the argument for {name}, or NULL. `names` are separated by single blanks. */
static const struct str *arg_of(struct str name, const char *names, const struct str *args, int n)
{
    for (int i = 0; i < n && *names; i++) {
        size_t same = 0;
        while (same < name.n && names[same] == name.p[same])
            same++;
        if (same == name.n && (names[same] == ' ' || names[same] == '\0'))
            return &args[i];
        while (*names && *names++ != ' ')
            ;
    }
    return NULL;
}

/* Cuts the next piece off the pattern: an argument, or the text up to the next brace. */
static inline struct str next_piece(struct str *pattern, const char *names, const struct str *args,
                                    int n)
{
    struct str s = *pattern, rest;
    if (s.p[0] == '{') {
        struct str inner = str_cut(str_skip(s, 1), '}', &rest);
        const struct str *arg = inner.n > 0 ? arg_of(inner, names, args, n) : NULL;
        if (arg) {
            *pattern = rest;
            return *arg;
        }
    }
    const char *brace = s.n > 1 ? memchr(s.p + 1, '{', s.n - 1) : NULL;
    size_t length = brace ? (size_t)(brace - s.p) : s.n;
    *pattern = str_skip(s, length);
    return (struct str){s.p, length};
}

struct str text_fill(struct arena *a, struct str pattern, const char *names, const struct str *args,
                     int n_args)
{
    enum { PIECES = 32 }; /* the last one is the rest, filled by recursion */
    struct str piece[PIECES];
    if (pattern.n == 0 || !memchr(pattern.p, '{', pattern.n))
        return pattern;
    size_t length = 0;
    int n = 0;
    for (; pattern.n > 0 && n < PIECES; n++) {
        piece[n] = n < PIECES - 1 ? next_piece(&pattern, names, args, n_args)
                                  : text_fill(a, pattern, names, args, n_args);
        length += piece[n].n;
    }
    struct buf b = {arena_room(a, length + 1), 0, length, false};
    for (int i = 0; i < n; i++)
        buf_put(&b, piece[i]);
    return buf_str(&b);
}

struct str text_form(const struct texts *t, enum text key, enum plural form)
{
    if (t->written[key].n > 0)
        t->read_text(t->unread, key);
    return t->text[key][form];
}

struct str text_make(const struct texts *t, struct arena *a, enum text key, int64_t n,
                     const struct str *args, int n_args)
{
    enum plural form = rows[key].plural ? plural_of(t->language, n < 0 ? -n : n) : PLURAL_OTHER;
    struct str pattern = text_form(t, key, form);
    if (!pattern.p)
        return t->english ? text_make(t->english, a, key, n, args, n_args) : STR("");
    return text_fill(a, pattern, rows[key].args, args, n_args);
}

/* ---- names and texts from outside ---- */

static void put_point(struct buf *b, utf8proc_int32_t c)
{
    char bytes[UTF8_LONGEST];
    buf_put(b, (struct str){bytes, utf8_put((uint32_t)c, bytes)});
}

static bool is_visible(utf8proc_int32_t c)
{
    if (c >= ' ' && c <= '~')
        return true;
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CF: /* but see is_spelling() */
        return false;
    default:
        return true;
    }
}

bool text_is_plain(struct str s)
{
    while (s.n > 0) {
        utf8proc_category_t k = utf8proc_category((utf8proc_int32_t)utf8_next(&s));
        bool letter = k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO,
             mark = k == UTF8PROC_CATEGORY_MN || k == UTF8PROC_CATEGORY_MC;
        if (!letter && !mark && k != UTF8PROC_CATEGORY_ND && k != UTF8PROC_CATEGORY_ZS)
            return false;
    }
    return true;
}

/* Blanks, and the letters and signs that are drawn as nothing: fillers of Hangul, the empty Braille
 * cell, the place of an object, the empty note head. */
static bool is_blank(utf8proc_int32_t c)
{
    if (c > ' ' && c <= '~')
        return false;
    utf8proc_category_t k = utf8proc_category(c);
    bool drawn = c != 0x115F && c != 0x1160 && c != 0x3164 && c != 0xFFA0 && c != 0x2800 &&
                 c != 0xFFFC && c != 0x1D159;
    return !drawn || k == UTF8PROC_CATEGORY_ZS || k == UTF8PROC_CATEGORY_ZL ||
           k == UTF8PROC_CATEGORY_ZP || (c >= '\t' && c <= '\r');
}

static bool is_mark(utf8proc_int32_t c)
{
    utf8proc_category_t k = c < 0x80 ? UTF8PROC_CATEGORY_CN : utf8proc_category(c);
    return k == UTF8PROC_CATEGORY_MN || k == UTF8PROC_CATEGORY_ME || k == UTF8PROC_CATEGORY_MC;
}

static bool is_tag(utf8proc_int32_t c)
{
    return c >= 0xE0020 && c <= 0xE007F;
}

/* Invisible characters that belong to what stands before them: the joiner of emoji and letters, the
 * non-joiner of the scripts that write with it (never in Latin, where it would only make two names
 * that look the same), and the tags of a flag. */
static bool is_spelling(utf8proc_int32_t before, utf8proc_int32_t c)
{
    utf8proc_category_t k = utf8proc_category(before);
    bool letter = before >= 0x0590 && (k == UTF8PROC_CATEGORY_LO || is_mark(before));
    return c == 0x200D || (c == 0x200C && letter) ||
           (is_tag(c) && (before == 0x1F3F4 || is_tag(before)));
}

/* True if c begins a character behind `before`. */
static bool starts(utf8proc_int32_t before, utf8proc_int32_t c, utf8proc_int32_t *state)
{
    if (before >= 0x80 || c >= 0x80)
        return utf8proc_grapheme_break_stateful(before, c, state);
    *state = 0; /* read anew from what stands before */
    return true;
}

struct str text_clean(struct arena *a, struct str s, int columns)
{
    enum { MARKS = 3, TAGS = 7 };
    struct buf b = {arena_alloc(a, 4 * s.n + 2), 0, 4 * s.n + 1, false};
    utf8proc_int32_t before = 0, state = 0;
    int wide = 0, marks = 0, tags = 0;
    size_t whole = 0; /* length up to the last whole character */
    bool blank = false, visible = false;
    while (s.n > 0) {
        utf8proc_int32_t c = (utf8proc_int32_t)utf8_next(&s);
        if (is_blank(c)) {
            blank = b.n > 0;
            continue;
        }
        marks = is_mark(c) ? marks + 1 : 0;
        tags = is_tag(c) ? tags + 1 : 0;
        if (!(is_visible(c) || is_spelling(before, c)) || marks > MARKS || tags > TAGS)
            continue;
        int width = c < 0x80 ? 1 : utf8proc_charwidth(c);
        bool starts_character = before == 0 || starts(before, c, &state);
        if (starts_character)
            whole = b.n;
        if (wide + width + blank > columns) {
            b.n = whole;
            break;
        }
        if (blank)
            buf_char(&b, ' ');
        wide += width + blank;
        blank = false;
        put_point(&b, c);
        before = c;
        visible |= width > 0 && marks == 0;
    }
    while (b.n > 0 && b.p[b.n - 1] == ' ')
        b.n--;
    if (before == 0x200C && b.n > 3)
        b.n -= 3;
    return visible ? buf_str(&b) : STR("?");
}

int text_columns(struct str s)
{
    int wide = 0;
    while (s.n > 0)
        wide += utf8proc_charwidth((utf8proc_int32_t)utf8_next(&s));
    return wide;
}

/* Fast path: for ASCII, folding is lower case and single blanks. False: not ASCII. */
static bool fold_ascii(struct arena *a, struct str s, struct str *ret)
{
    if (!utf8_is_ascii(s))
        return false;
    struct buf b = {arena_alloc(a, s.n + 1), 0, s.n + 1, false};
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            if (b.n > 0 && b.p[b.n - 1] != ' ')
                buf_char(&b, ' ');
        } else if (c != '\0') {
            buf_char(&b, c >= 'A' && c <= 'Z' ? (char)(c + 32) : c);
        }
    }
    if (b.n > 0 && b.p[b.n - 1] == ' ')
        b.n--;
    *ret = buf_str(&b);
    return true;
}

struct str text_fold(struct arena *a, struct str s)
{
    struct str plain;
    if (fold_ascii(a, s, &plain))
        return plain;
    struct buf in = {arena_alloc(a, 3 * s.n + 1), 0, 3 * s.n, false};
    while (s.n > 0) { /* utf8proc stops at invalid UTF-8 */
        utf8proc_int32_t c = (utf8proc_int32_t)utf8_next(&s);
        if (c != 0 && utf8proc_category(c) != UTF8PROC_CATEGORY_CF)
            put_point(&in, c);
    }
    utf8proc_option_t how =
        UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)in.p;
    utf8proc_ssize_t n = utf8proc_decompose(bytes, (utf8proc_ssize_t)in.n, NULL, 0, how);
    if (n <= 0)
        return (struct str){in.p, 0};
    utf8proc_int32_t *points = arena_array(a, utf8proc_int32_t, (size_t)n + 1);
    utf8proc_decompose(bytes, (utf8proc_ssize_t)in.n, points, n, how);
    n = utf8proc_reencode(points, n, how);
    struct buf b = {arena_alloc(a, (size_t)n + 1), 0, (size_t)n, false};
    struct str rest = {(char *)points, (size_t)n};
    for (struct str word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        if (b.n > 0)
            buf_char(&b, ' ');
        buf_put(&b, word);
    }
    return buf_str(&b);
}

/* ---- limits ---- */

static bool opens_mark(utf8proc_int32_t c)
{
    return c >= MARK_BOLD && c <= MARK_LAST && c != MARK_END;
}

int text_units(struct str s, bool utf16)
{
    int units = 0;
    while (s.n > 0) {
        uint32_t c = utf8_next(&s);
        if (c < MARK_BOLD || c > MARK_LAST)
            units += utf16 && c > 0xFFFF ? 2 : 1;
    }
    return units;
}

struct str text_cut(struct arena *a, struct str s, int most, bool utf16)
{
    utf8proc_int32_t before = 0, state = 0;
    int units = 0, open = 0, open_whole = 0, open_line = 0;
    size_t whole = 0, line = 0;
    if (most <= 0 || s.n <= (size_t)most || text_units(s, utf16) <= most)
        return s;
    for (struct str rest = s; rest.n > 0;) {
        size_t at = s.n - rest.n;
        utf8proc_int32_t c = (utf8proc_int32_t)utf8_next(&rest);
        if (before == 0 || utf8proc_grapheme_break_stateful(before, c, &state)) {
            whole = at;
            open_whole = open;
        }
        if (c == '\n') {
            line = at + 1;
            open_line = open;
        }
        if (c == MARK_END || opens_mark(c)) {
            open += c == MARK_END ? -(open > 0) : 1;
        } else if ((units += utf16 && c > 0xFFFF ? 2 : 1) > most - 1) {
            break; /* room for the ellipsis */
        }
        before = c;
    }
    if (line > whole / 4 * 3) { /* prefer a line boundary */
        whole = line;
        open_whole = open_line;
    }
    struct buf b = {arena_alloc(a, whole + 4 + (size_t)open_whole), 0,
                    whole + 3 + (size_t)open_whole, false};
    buf_put(&b, (struct str){s.p, whole});
    buf_put(&b, STR("…"));
    for (; open_whole > 0; open_whole--)
        buf_char(&b, MARK_END);
    return buf_str(&b);
}

struct str text_unmarked(struct arena *a, struct str s)
{
    struct buf b = {arena_alloc(a, s.n + 1), 0, s.n, false};
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == MARK_NAME)
            while (++i < s.n && s.p[i] != MARK_NAME)
                continue;
        else if (s.p[i] < MARK_BOLD || s.p[i] > MARK_LAST)
            buf_char(&b, s.p[i]);
    }
    return buf_str(&b);
}
