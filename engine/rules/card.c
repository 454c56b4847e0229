/* See card.h. The deck as tables: kind and code of each card. */
#include "card.h"

#include <string.h>

/* Kinds by place in the month; most months share one of these rows. */
static const char kinds[N_MONTHS][5] = {
    "brpp", "arpp", "brpp", "arpp", "arpp", "arpp", "arpp", "bapp", "arpp", "arpp", "barp", "bppp",
};

const cardset set_brights =
    CARD(CRANE) | CARD(CURTAIN) | CARD(MOON) | CARD(RAINMAN) | CARD(PHOENIX);
const cardset set_animals = CARD(4) | CARD(12) | CARD(16) | CARD(BUTTERFLIES) | CARD(BOAR) |
                            CARD(29) | CARD(SAKE) | CARD(DEER) | CARD(41);
const cardset set_ribbons = CARD(1) | CARD(5) | CARD(9) | CARD(13) | CARD(17) | CARD(21) |
                            CARD(25) | CARD(33) | CARD(37) | CARD(42);
const cardset set_plains = 0x3 * CARD(2) | 0x3 * CARD(6) | 0x3 * CARD(10) | 0x3 * CARD(14) |
                           0x3 * CARD(18) | 0x3 * CARD(22) | 0x3 * CARD(26) | 0x3 * CARD(30) |
                           0x3 * CARD(34) | 0x3 * CARD(38) | CARD(LIGHTNING) | 0x7 * CARD(45);

enum card_kind card_kind(int card)
{
    switch (kinds[card >> 2][card & 3]) {
    case 'b':
        return CARD_BRIGHT;
    case 'a':
        return CARD_ANIMAL;
    case 'r':
        return CARD_RIBBON;
    default:
        return CARD_PLAIN;
    }
}

int card_points(int card)
{
    static const int points[] = {
        [CARD_BRIGHT] = 20, [CARD_ANIMAL] = 10, [CARD_RIBBON] = 5, [CARD_PLAIN] = 1};
    return points[card_kind(card)];
}

int card_code(int card, char ret_code[static CARD_CODE_SIZE])
{
    const char *month = kinds[card >> 2];
    int place = card & 3, n = 0, number = card_month(card) + 1;
    if (number >= 10)
        ret_code[n++] = '1';
    ret_code[n++] = (char)('0' + number % 10);
    ret_code[n++] = month[place];
    if (month[place] == 'p' && month[2] == 'p') /* several plains: numbered */
        ret_code[n++] = (char)('0' + place - (month[1] == 'p' ? 0 : 1));
    ret_code[n] = '\0';
    return n;
}

int card_read(const char *code, size_t n)
{
    size_t digits = n > 2 && code[1] >= '0' && code[1] <= '9' ? 2 : 1;
    if (n <= digits || n >= CARD_CODE_SIZE)
        return CARD_NONE;
    int month = digits == 2 ? (code[0] - '0') * 10 + code[1] - '0' : code[0] - '0';
    if (month < 1 || month > N_MONTHS)
        return CARD_NONE;
    for (int card = 4 * month - 4; card < 4 * month; card++) {
        char have[CARD_CODE_SIZE];
        if ((size_t)card_code(card, have) == n && memcmp(have, code, n) == 0)
            return card;
    }
    return CARD_NONE;
}
