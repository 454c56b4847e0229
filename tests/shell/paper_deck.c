/* See paper_deck.h. */
#include "shell/paper_deck.h"

#include <sys/stat.h>

#include "shell/scratch.h"

#include "card.h"

uint32_t paper_colour(int card)
{
    return (uint32_t)(card * 5 << 16 | (255 - card * 5) << 8 | 0xc8);
}

void paper_card(const char *name, int card, const char *svg)
{
    char code[CARD_CODE_SIZE], path[256];
    (void)card_code(card, code);
    snprintf(path, sizeof path, "decks/%s/%s.svg", name, code);
    scratch_write(path, svg);
}

struct str paper_deck(const char *name)
{
    char folder[256];
    struct str decks = scratch_file("decks");
    (void)mkdir(decks.p, 0700);
    snprintf(folder, sizeof folder, "%s/%s", decks.p, name);
    (void)mkdir(folder, 0700);
    for (int card = 0; card < N_CARDS; card++) {
        char svg[256];
        snprintf(svg, sizeof svg,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 160 256\">"
                 "<rect width=\"160\" height=\"256\" fill=\"#%06x\"/></svg>",
                 (unsigned)paper_colour(card));
        paper_card(name, card, svg);
    }
    return decks;
}
