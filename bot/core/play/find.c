/* Card search by typed names: "crane", "sake", "8 geese", "pine ribbon", "plum". Every word must be
 * one of the card's words; plains of one month, which play alike, count as one card. */
#include "play_words.h"

static bool has_word(struct arena *a, struct str text, struct str word)
{
    struct str rest = text_fold(a, text);
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (str_is(w, word))
            return true;
    return false;
}

static bool card_fits(struct arena *a, const struct words *w, int card, struct str name)
{
    char month[4];
    struct buf b = BUF(month);
    buf_int(&b, card_month(card) + 1);
    for (struct str word = str_word(&name); word.n > 0; word = str_word(&name))
        if (!str_is(word, buf_str(&b)) && !has_word(a, w->card[card], word) &&
            !has_word(a, w->month[card_month(card)], word) &&
            !has_word(a, w->word[WORD_BRIGHT + card_kind(card)], word))
            return false;
    return true;
}

static bool equal_plains(int a, int b)
{
    return card_month(a) == card_month(b) && card_kind(a) == CARD_PLAIN &&
           card_kind(b) == CARD_PLAIN;
}

enum find find_card(struct arena *a, const struct words *w, cardset among, struct str folded,
                    int *ret)
{
    int found = CARD_NONE;
    for (cardset rest = among; folded.n > 0 && rest; rest = set_rest(rest)) {
        int card = set_first(rest);
        if (!card_fits(a, w, card, folded))
            continue;
        if (found != CARD_NONE && !equal_plains(found, card))
            return FIND_MANY;
        if (found == CARD_NONE)
            found = card;
    }
    if (found == CARD_NONE)
        return FIND_NONE;
    *ret = found;
    return FIND_ONE;
}
