/* See reaction.h. */
#include "reaction.h"

enum { MAX_DIGITS = 2 };

bool reaction_is_number(struct str s)
{
    if (s.n == 0 || s.n > MAX_DIGITS)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return true;
}

/* Digits followed by U+20E3, perhaps with U+FE0F between; or the one emoji for ten. */
static struct str number_of(struct str key)
{
    static const struct str TEN = {"\xf0\x9f\x94\x9f", 4}, KEYCAP = {"\xe2\x83\xa3", 3};
    static const struct str VARIANT = {"\xef\xb8\x8f", 3};
    if (str_is(key, TEN))
        return STR("10");
    size_t n = 0;
    while (n < key.n && key.p[n] >= '0' && key.p[n] <= '9')
        n++;
    struct str digits = {key.p, n}, rest = str_skip(key, n);
    if (str_starts(rest, VARIANT))
        rest = str_skip(rest, VARIANT.n);
    if (rest.n > 0 && !str_is(rest, KEYCAP))
        return STR("");
    return reaction_is_number(digits) ? digits : STR("");
}

/* Signs that mean a word, by their first character: a skin tone or U+FE0F may follow. */
static struct str word_of(struct str key)
{
    static const struct {
        struct str sign, word;
    } SIGNS[] = {
        {{"\xf0\x9f\x91\x8d", 4}, {"yes", 3}},   {{"\xe2\x9c\x85", 3}, {"yes", 3}},
        {{"\xe2\x9c\x94", 3}, {"yes", 3}},       {{"\xe2\x98\x91", 3}, {"yes", 3}},
        {{"\xf0\x9f\x91\x8e", 4}, {"no", 2}},    {{"\xe2\x9d\x8c", 3}, {"no", 2}},
        {{"\xf0\x9f\x94\x81", 4}, {"again", 5}}, {{"\xf0\x9f\x94\x84", 4}, {"again", 5}},
    };
    enum { LONGEST = 12 };
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++)
        if (str_starts(key, SIGNS[i].sign) && key.n <= LONGEST)
            return SIGNS[i].word;
    return STR("");
}

bool reaction_read(struct arena *a, const cJSON *content, struct update *u)
{
    const cJSON *relation = wire_at(content, "m.relates_to");
    if (!wire_is(relation, "rel_type", "m.annotation"))
        return false;
    struct str key = wire_str(a, relation, "key"), number = number_of(key);
    u->kind = UPDATE_TEXT;
    u->reacted = true;
    u->post = wire_id(a, relation, "event_id");
    u->text = number.n == 0 ? word_of(key)
              : u->direct   ? number
                            : arena_print(a, "/play %.*s", STR_ARG(number));
    return u->text.n > 0;
}
