/* Deals as they seldom come: the daemon linked with this has four of a month on the table in the first deal of a match,
 * for any rule set whose last four cards before the stock include four for the table. All else is the daemon as it is, but
 * its records do not verify.
 *
 * Linked with --wrap=chance_shuffle; the program that people run has no such door. */
#include "card.h"
#include "chance.h"

#include <stddef.h>

enum { FIRST = 20 }; /* the last cards that are dealt for two players, packets of four or eight */

void __real_chance_shuffle(const struct seed *s, struct str match_id, int round, int attempt,
                           int players, const struct str *client, uint8_t ret_deck[static N_CARDS]);
void __wrap_chance_shuffle(const struct seed *s, struct str match_id, int round, int attempt,
                           int players, const struct str *client, uint8_t ret_deck[static N_CARDS]);

void __wrap_chance_shuffle(const struct seed *s, struct str match_id, int round, int attempt,
                           int players, const struct str *client, uint8_t ret_deck[static N_CARDS])
{
    __real_chance_shuffle(s, match_id, round, attempt, players, client, ret_deck);
    if (round != 1 || attempt != 1)
        return;
    int first = ret_deck[FIRST] & ~3; /* the four cards of a month stand together */
    for (int i = 0; i < 4; i++) {
        int at = 0;
        while (ret_deck[at] != first + i)
            at++;
        ret_deck[at] = ret_deck[FIRST + i];
        ret_deck[FIRST + i] = (uint8_t)(first + i);
    }
}
