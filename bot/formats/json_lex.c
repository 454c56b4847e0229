/* Recursive descent by the grammar of RFC 8259; builds no tree. See json_lex.h. */
#include "json_lex.h"

#include "json.h"

struct json_lex json_lex_open(struct str bytes)
{
    return (struct json_lex){bytes.p, bytes.p, bytes.p + bytes.n, NULL, NULL, 0};
}

static bool fault(struct json_lex *l, const char *why)
{
    l->why = why;
    return false;
}

static bool next_is(const struct json_lex *l, char c)
{
    return l->p < l->end && *l->p == c;
}

void json_lex_space(struct json_lex *l)
{
    while (next_is(l, ' ') || next_is(l, '\t') || next_is(l, '\n') || next_is(l, '\r'))
        l->p++;
}

/* One character beyond ASCII, shortest form, no surrogate, at most U+10FFFF (RFC 3629). */
static bool lex_utf8(struct json_lex *l)
{
    const unsigned char *s = (const unsigned char *)l->p;
    int more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : 1;
    if (s[0] < 0xc2 || s[0] > 0xf4 || l->end - l->p <= more)
        return fault(l, "not UTF-8");
    for (int i = 1; i <= more; i++)
        if ((s[i] & 0xc0) != 0x80)
            return fault(l, "not UTF-8");
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return fault(l, "not UTF-8");
    l->p += 1 + more;
    return true;
}

static bool lex_escape(struct json_lex *l)
{
    static const char simple[] = "\"\\/bfnrt";
    const char *p = l->p + 1;
    if (p < l->end && *p != '\0' && strchr(simple, *p)) {
        l->p += 2;
        return true;
    }
    if (l->end - l->p < 6 || *p != 'u')
        return fault(l, "an unknown escape");
    for (int i = 2; i < 6; i++)
        if (l->p[i] == '\0' || !strchr("0123456789abcdefABCDEF", l->p[i]))
            return fault(l, "an unknown escape");
    if (!l->zero && memcmp(l->p, "\\u0000", 6) == 0)
        l->zero = l->p;
    l->p += 6;
    return true;
}

static bool lex_string(struct json_lex *l)
{
    l->p++;
    while (l->p < l->end && *l->p != '"') {
        unsigned char c = (unsigned char)*l->p;
        if (c < 0x20)
            return fault(l, "a control byte in a string");
        if (c == '\\' ? !lex_escape(l) : c >= 0x80 ? !lex_utf8(l) : false)
            return false;
        if (c != '\\' && c < 0x80)
            l->p++;
    }
    if (l->p == l->end)
        return fault(l, "a string has no end");
    l->p++;
    return true;
}

static bool lex_digits(struct json_lex *l)
{
    const char *from = l->p;
    while (l->p < l->end && *l->p >= '0' && *l->p <= '9')
        l->p++;
    return l->p > from || fault(l, "a digit is missing");
}

static bool lex_number(struct json_lex *l)
{
    if (next_is(l, '-'))
        l->p++;
    if (next_is(l, '0'))
        l->p++;
    else if (!lex_digits(l))
        return false;
    if (next_is(l, '.')) {
        l->p++;
        if (!lex_digits(l))
            return false;
    }
    if (next_is(l, 'e') || next_is(l, 'E')) {
        l->p++;
        if (next_is(l, '+') || next_is(l, '-'))
            l->p++;
        return lex_digits(l);
    }
    return true;
}

bool json_lex_key(struct json_lex *l, struct str *ret_key)
{
    json_lex_space(l);
    if (!next_is(l, '"'))
        return fault(l, "a field name in quotes is missing");
    const char *from = l->p + 1;
    if (!lex_string(l))
        return false;
    *ret_key = (struct str){from, (size_t)(l->p - 1 - from)};
    json_lex_space(l);
    if (!next_is(l, ':'))
        return fault(l, "a colon is missing");
    l->p++;
    return true;
}

/* The members of a list or an object, from its bracket to `close`. */
static bool lex_members(struct json_lex *l, char close)
{
    struct str key;
    l->p++;
    json_lex_space(l);
    if (next_is(l, close)) {
        l->p++;
        return true;
    }
    for (;;) {
        if ((close == '}' && !json_lex_key(l, &key)) || !json_lex_value(l))
            return false;
        json_lex_space(l);
        if (next_is(l, close)) {
            l->p++;
            return true;
        }
        if (!next_is(l, ','))
            return fault(l, close == '}' ? "a comma or } is missing" : "a comma or ] is missing");
        l->p++;
    }
}

static bool lex_word(struct json_lex *l, struct str word)
{
    if (!str_starts((struct str){l->p, (size_t)(l->end - l->p)}, word))
        return fault(l, "a value is missing");
    l->p += word.n;
    return true;
}

bool json_lex_value(struct json_lex *l)
{
    bool ok;
    json_lex_space(l);
    if (l->p == l->end)
        return fault(l, "a value is missing");
    switch (*l->p) {
    case '{':
    case '[':
        if (++l->depth > JSON_DEPTH)
            return fault(l, "too deeply nested");
        ok = lex_members(l, *l->p == '{' ? '}' : ']');
        l->depth--;
        return ok;
    case '"':
        return lex_string(l);
    case 't':
        return lex_word(l, STR("true"));
    case 'f':
        return lex_word(l, STR("false"));
    case 'n':
        return lex_word(l, STR("null"));
    default:
        return *l->p == '-' || (*l->p >= '0' && *l->p <= '9') ? lex_number(l)
                                                              : fault(l, "a value is missing");
    }
}

void json_lex_place(const struct json_lex *l, const char *at, int *ret_line, int *ret_column)
{
    *ret_line = 1;
    *ret_column = 1;
    for (const char *p = l->start; p < at; p++) {
        bool end = *p == '\n';
        *ret_line += end;
        *ret_column = end ? 1 : *ret_column + 1;
    }
}
