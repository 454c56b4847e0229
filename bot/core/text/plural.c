/* Plural forms by language, one row a group of languages. Source: Unicode CLDR, language plural
 * rules, for whole numbers. A language without a row has one form for all numbers. */
#include "text.h"

const char *const plural_names[N_PLURALS] = {"zero", "one", "two", "few", "many", "other"};

enum plural_rule {
    ALWAYS_OTHER,
    ONE_IS_ONE,
    ONE_AND_MILLIONS,
    ZERO_AND_ONE,
    ZERO_ONE_AND_MILLIONS,
    SLAVIC_EAST,
    POLISH,
    CZECH,
    ARABIC,
    LITHUANIAN,
    SLOVENE,
    ROMANIAN
};

static const struct {
    const char *languages;
    enum plural_rule rule;
    unsigned set;
} rows[] = {
#define SET(c) (1u << PLURAL_##c)
    {"en de nl sv da nb nn no fi et hu el bg tr eu gl af eo ka kk uz az", ONE_IS_ONE,
     SET(ONE) | SET(OTHER)},
    {"es it ca pt-PT", ONE_AND_MILLIONS, SET(ONE) | SET(MANY) | SET(OTHER)},
    {"hy hi bn fa", ZERO_AND_ONE, SET(ONE) | SET(OTHER)},
    {"fr pt", ZERO_ONE_AND_MILLIONS, SET(ONE) | SET(MANY) | SET(OTHER)},
    {"ru uk be sr hr bs", SLAVIC_EAST, SET(ONE) | SET(FEW) | SET(MANY)},
    {"pl", POLISH, SET(ONE) | SET(FEW) | SET(MANY)},
    {"cs sk", CZECH, SET(ONE) | SET(FEW) | SET(OTHER)},
    {"ar", ARABIC, SET(ZERO) | SET(ONE) | SET(TWO) | SET(FEW) | SET(MANY) | SET(OTHER)},
    {"lt", LITHUANIAN, SET(ONE) | SET(FEW) | SET(OTHER)},
    {"sl", SLOVENE, SET(ONE) | SET(TWO) | SET(FEW) | SET(OTHER)},
    {"ro", ROMANIAN, SET(ONE) | SET(FEW) | SET(OTHER)},
    {"ja zh ko vi th id ms", ALWAYS_OTHER, SET(OTHER)},
};

static int code_row(struct str code)
{
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        struct str list = str_of(rows[i].languages);
        for (struct str word = str_word(&list); word.n > 0; word = str_word(&list))
            if (str_is(word, code))
                return i;
    }
    return -1;
}

/* The row of the whole code ("pt-PT"), else that of the language in it ("pt"). */
static int language_row(struct str language)
{
    struct str rest, base = str_cut(language, '-', &rest);
    int row = code_row(language);
    return row < 0 ? code_row(base) : row;
}

unsigned plural_set(struct str language)
{
    int row = language_row(language);
    return row < 0 ? SET(OTHER) : rows[row].set;
}

static bool in_range(int64_t n, int64_t low, int64_t high)
{
    return n >= low && n <= high;
}

/* "un millón de ...": a number of whole millions. */
static bool is_millions(int64_t n)
{
    return n != 0 && n % 1000000 == 0;
}

enum plural plural_of(struct str language, int64_t n)
{
    int row = language_row(language);
    int64_t d = n % 10, h = n % 100;
    switch (row < 0 ? ALWAYS_OTHER : rows[row].rule) {
    case ONE_IS_ONE:
        return n == 1 ? PLURAL_ONE : PLURAL_OTHER;
    case ONE_AND_MILLIONS:
        return n == 1 ? PLURAL_ONE : is_millions(n) ? PLURAL_MANY : PLURAL_OTHER;
    case ZERO_AND_ONE:
        return n <= 1 ? PLURAL_ONE : PLURAL_OTHER;
    case ZERO_ONE_AND_MILLIONS:
        return n <= 1 ? PLURAL_ONE : is_millions(n) ? PLURAL_MANY : PLURAL_OTHER;
    case SLAVIC_EAST:
        return d == 1 && h != 11                           ? PLURAL_ONE
               : in_range(d, 2, 4) && !in_range(h, 12, 14) ? PLURAL_FEW
                                                           : PLURAL_MANY;
    case POLISH:
        return n == 1                                      ? PLURAL_ONE
               : in_range(d, 2, 4) && !in_range(h, 12, 14) ? PLURAL_FEW
                                                           : PLURAL_MANY;
    case CZECH:
        return n == 1 ? PLURAL_ONE : in_range(n, 2, 4) ? PLURAL_FEW : PLURAL_OTHER;
    case ARABIC:
        return n == 0               ? PLURAL_ZERO
               : n == 1             ? PLURAL_ONE
               : n == 2             ? PLURAL_TWO
               : in_range(h, 3, 10) ? PLURAL_FEW
               : h >= 11            ? PLURAL_MANY
                                    : PLURAL_OTHER;
    case LITHUANIAN:
        return d == 1 && !in_range(h, 11, 19)   ? PLURAL_ONE
               : d >= 2 && !in_range(h, 11, 19) ? PLURAL_FEW
                                                : PLURAL_OTHER;
    case SLOVENE:
        return h == 1              ? PLURAL_ONE
               : h == 2            ? PLURAL_TWO
               : in_range(h, 3, 4) ? PLURAL_FEW
                                   : PLURAL_OTHER;
    case ROMANIAN:
        return n == 1 ? PLURAL_ONE : n == 0 || in_range(h, 1, 19) ? PLURAL_FEW : PLURAL_OTHER;
    case ALWAYS_OTHER:
        break;
    }
    return PLURAL_OTHER;
}
