/* The 48 flower cards, and sets of them.
 *
 * A card is its place in the canonical order: by month (0 = pine ... 11 = paulownia), and inside a
 * month bright, animal, ribbon, plain, plain number. So card = 4 * month + place, and every set of
 * cards is one 64-bit number whose bit c stands for card c. Source: the deck of the rules page,
 * README.md of this folder, section "The deck".
 */
#ifndef KOIKOI_CARD_H
#define KOIKOI_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { N_CARDS = 48, N_MONTHS = 12, CARD_NONE = 255, CARD_CODE_SIZE = 5 };

typedef uint64_t cardset;

enum card_kind { CARD_BRIGHT, CARD_ANIMAL, CARD_RIBBON, CARD_PLAIN };

/* Cards that rules name, by their index. */
enum card_name {
    CRANE = 0,        /* 1b  */
    CURTAIN = 8,      /* 3b  */
    BUTTERFLIES = 20, /* 6a  */
    BOAR = 24,        /* 7a  */
    MOON = 28,        /* 8b  */
    SAKE = 32,        /* 9a  */
    DEER = 36,        /* 10a */
    RAINMAN = 40,     /* 11b */
    LIGHTNING = 43,   /* 11p */
    PHOENIX = 44      /* 12b */
};

#define CARD(c)   ((cardset)1 << (c))
#define ALL_CARDS ((CARD(N_CARDS)) - 1)

/* Cards that make a yaku together: the dry brights are all but the rain man. */
#define SET_WILLOW      ((cardset)15 << 40)
#define SET_DRY_BRIGHTS (CARD(CRANE) | CARD(CURTAIN) | CARD(MOON) | CARD(PHOENIX))
#define SET_INOSHIKACHO (CARD(BOAR) | CARD(DEER) | CARD(BUTTERFLIES))
#define SET_POETRY      (CARD(1) | CARD(5) | CARD(9))
#define SET_BLUE        (CARD(21) | CARD(33) | CARD(37))

/* by kind; sake is an animal */
extern const cardset set_brights, set_animals, set_ribbons, set_plains;

static inline int card_month(int card)
{
    return card >> 2;
} /* 0 ... 11 */
static inline cardset month_set(int month)
{
    return (cardset)15 << (4 * month);
}
static inline cardset card_month_set(int card)
{
    return (cardset)15 << (card & 60);
}
static inline int set_first(cardset s)
{
    return __builtin_ctzll(s);
} /* s must not be empty */
static inline cardset set_rest(cardset s)
{
    return s & (s - 1);
} /* without the first */

/* Written out, so that no compiler calls its library; with the instruction it compiles to that. */
static inline int set_count(cardset s)
{
    s -= (s >> 1) & 0x5555555555555555u;
    s = (s & 0x3333333333333333u) + ((s >> 2) & 0x3333333333333333u);
    s = (s + (s >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)((s * 0x0101010101010101u) >> 56);
}

/* A count as a feature: all from `most` on are one. */
static inline int at_most(int x, int most)
{
    return x < most ? x : most;
}

enum card_kind card_kind(int card);
int card_points(int card); /* 20, 10, 5, 1; used only for drawing lots */

/* Writes the code ("1b" ... "12p3") with its NUL; returns its length. */
int card_code(int card, char ret_code[static CARD_CODE_SIZE]);
/* Parses exactly n bytes as one code, lower case only. Returns CARD_NONE if they are not one. */
int card_read(const char *code, size_t n);

/* Attributes of the functions in which a search spends its time.
 *
 * HOT_CLONES lets the compiler make a function twice, for any x86-64 and for those that count bits
 * by one instruction (x86-64-v3); the loader picks one. HOT_INLINE inlines a function into each
 * clone of its callers. HOT_WIDE_CLONES adds a third, for those with vectors of 512 bits
 * (x86-64-v4). All clones give the same results: the Makefile forbids fused multiply-add.
 *
 * Its effect on one core by `make bench`: 700,000 playouts a second instead of 620,000 (standard),
 * 530,000 instead of 447,000 (mongolopedia).
 */
#ifdef HOT_CLONES
/* Set from outside: analysers need one function, not its clones. */
#elif defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && __GNUC__ >= 12 &&        \
    !defined(__SANITIZE_THREAD__)
#define HOT_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#define HOT_WIDE_CLONES                                                                            \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HOT_CLONES
#endif
#ifndef HOT_WIDE_CLONES
#define HOT_WIDE_CLONES HOT_CLONES
#endif
#define HOT_INLINE static inline __attribute__((always_inline))

#endif
