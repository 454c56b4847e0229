/* Cards as players type them: by number, code or name, in the words of their language.
 *
 *     y = play_words_of(step, session)
 *     play_words_card(&y, hand, words, &card, &target)      "sake moon": the card, and what is left
 *     n = play_words_plays(legal, n, card, plays)           what it can do
 *     play_words_capture(&y, plays, n, target, &move)       which of it is meant
 */
#ifndef KOIKOI_PLAY_WORDS_H
#define KOIKOI_PLAY_WORDS_H

#include "turn.h"

struct typed_move {
    struct step *st;
    const struct words *w;
};

enum find { FIND_ONE, FIND_NONE, FIND_MANY };

/* In the language of the sender. */
struct typed_move play_words_of(struct step *st, const struct session *s);
/* Splits "sake moon" into card and target: the longest head that names one card of the set is the
 * card. FIND_MANY: ret_target is the longest head that names several. */
enum find play_words_card(const struct typed_move *y, cardset among, struct str words,
                          int *ret_card, struct str *ret_target);
/* The places of the cards that the words fit: "2, 3, 4". */
struct str play_words_places(const struct typed_move *y, cardset held, struct str words);

/* The legal plays of `card`, in the order shown. */
int play_words_plays(const struct move *legal, int n, int card, struct move *ret);
/* The n-th play as shown: plays that differ only in equal plains count as one. Returns NULL if not
 * found. */
const struct move *play_words_numbered(const struct move *plays, int n, int64_t number);
/* The play that takes the named card; any of the cards of a capture names it. */
enum find play_words_capture(const struct typed_move *y, const struct move *plays, int n,
                             struct str words, struct move *ret);

#endif
