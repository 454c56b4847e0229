/* Rare deal for the daemon: four cards of a month lie on the table in the first deal of a match,
 * whatever its rule set. The records of these matches do not verify; all else is the daemon as it
 * is.
 *
 * Linked with --wrap=chance_shuffle; the product is not. */
#include "card.h"
#include "chance.h"

#include <stddef.h>

/* Cards of the table as indices into the deck: two players with packets of four or eight, two
 * players with packets of two, three players with packets of two. */
enum { A_MONTH = 4 };
static const uint8_t table[][A_MONTH] = {{20, 21, 22, 23}, {4, 5, 10, 11}, {6, 7, 14, 15}};

void __real_chance_shuffle(const struct seed *s, struct str match_id, int round, int attempt,
                           int players, const struct str *client, struct str beacon,
                           uint8_t ret_deck[static N_CARDS]);
void __wrap_chance_shuffle(const struct seed *s, struct str match_id, int round, int attempt,
                           int players, const struct str *client, struct str beacon,
                           uint8_t ret_deck[static N_CARDS]);

/* Moves the four cards of one month to these places of the deck: of the month now at place[0]. */
static void bring_together(uint8_t deck[static N_CARDS], const uint8_t place[static A_MONTH])
{
    int first = deck[place[0]] & ~3; /* the four cards of a month stand together */
    for (int i = 0; i < A_MONTH; i++) {
        int at = 0;
        while (deck[at] != first + i)
            at++;
        deck[at] = deck[place[i]];
        deck[place[i]] = (uint8_t)(first + i);
    }
}

void __wrap_chance_shuffle(const struct seed *s, struct str match_id, int round, int attempt,
                           int players, const struct str *client, struct str beacon,
                           uint8_t ret_deck[static N_CARDS])
{
    __real_chance_shuffle(s, match_id, round, attempt, players, client, beacon, ret_deck);
    if (round != 1 || attempt != 1)
        return;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++)
        bring_together(ret_deck, table[t]);
}
