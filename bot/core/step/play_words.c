/* See play_words.h. */
#include "play_words.h"

#include "choice.h"

/* ---- a card by its typed name: "crane", "sake", "8 geese", "pine ribbon", "plum" ---- */

static bool has_word(struct arena *a, struct str text, struct str word)
{
    struct str rest = text_fold(a, text);
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest))
        if (str_is(w, word))
            return true;
    return false;
}

/* Every word must be one of the card's words, or the number of its month. */
static bool card_fits(const struct typed_move *y, int card, struct str name)
{
    struct arena *a = y->st->fx->arena;
    const struct words *w = y->w;
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

/* Plains of one month, which play alike, count as one card. */
static enum find find_card(const struct typed_move *y, cardset among, struct str folded, int *ret)
{
    int found = CARD_NONE;
    for (cardset rest = among; folded.n > 0 && rest; rest = set_rest(rest)) {
        int card = set_first(rest);
        if (!card_fits(y, card, folded))
            continue;
        if (found != CARD_NONE && (card_month(found) != card_month(card) ||
                                   card_kind(found) != CARD_PLAIN || card_kind(card) != CARD_PLAIN))
            return FIND_MANY;
        if (found == CARD_NONE)
            found = card;
    }
    if (found == CARD_NONE)
        return FIND_NONE;
    *ret = found;
    return FIND_ONE;
}

/* ---- what is typed ---- */

static int nth(cardset cards, int64_t n)
{
    for (; cards && n > 1; n--)
        cards = set_rest(cards);
    return cards && n == 1 ? set_first(cards) : CARD_NONE;
}

/* One card among some, as typed: a number, a code, words. */
static enum find one_of(const struct typed_move *y, cardset among, struct str words, int *ret)
{
    int64_t n;
    int card = card_read(words.p, words.n);
    if (card != CARD_NONE) {
        *ret = card;
        return among & CARD(card) ? FIND_ONE : FIND_NONE;
    }
    if (str_int(words, &n)) {
        *ret = nth(among, n);
        return *ret != CARD_NONE ? FIND_ONE : FIND_NONE;
    }
    return find_card(y, among, words, ret);
}

int play_words_plays(const struct move *legal, int n, int card, struct move *ret)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if ((legal[i].kind == MOVE_PLAY || legal[i].kind == MOVE_CHOOSE) && legal[i].card == card)
            ret[k++] = legal[i];
    return k;
}

const struct move *play_words_numbered(const struct move *plays, int n, int64_t number)
{
    for (int i = 0; i < n; i++)
        if (!choice_repeats(plays, i) && --number == 0)
            return &plays[i];
    return NULL;
}

enum find play_words_capture(const struct typed_move *y, const struct move *plays, int n,
                             struct str words, struct move *ret)
{
    int64_t number;
    cardset all = 0;
    int card;
    if (str_int(words, &number)) {
        const struct move *play = play_words_numbered(plays, n, number);
        if (play)
            *ret = *play;
        return play ? FIND_ONE : FIND_NONE;
    }
    for (int i = 0; i < n; i++)
        all |= plays[i].take;
    enum find found = one_of(y, all, words, &card);
    if (found != FIND_ONE)
        return found;
    for (int i = 0; i < n; i++)
        if (plays[i].take & CARD(card)) {
            *ret = plays[i];
            return FIND_ONE;
        }
    return FIND_NONE;
}

static struct str without_arrow(struct str s)
{
    static const char *const arrows[] = {"->", "→", ">", "=", "takes ", "x "};
    enum { N_ARROWS = sizeof arrows / sizeof *arrows };
    s = str_trim(s);
    for (int i = 0; i < N_ARROWS;) {
        bool found = str_starts(s, str_of(arrows[i]));
        if (found)
            s = str_trim(str_skip(s, strlen(arrows[i])));
        i = found ? 0 : i + 1;
    }
    return s;
}

/* "1 1" is a card and what it takes, although "1 pine" is a card's name and folds to begin like
 * it. */
static bool several_numbers(struct str words)
{
    bool blank = false;
    for (size_t i = 0; i < words.n; i++) {
        if (words.p[i] != ' ' && (words.p[i] < '0' || words.p[i] > '9'))
            return false;
        blank |= words.p[i] == ' ';
    }
    return blank;
}

/* "6 peony" or "6. peony", as a hand is printed: true if the card in that place has that name. */
static bool as_printed(const struct typed_move *y, cardset among, struct str words, int *ret_card,
                       struct str *ret_target)
{
    int64_t place, digits;
    int card, named;
    struct str rest = words, number = str_word(&rest);
    if (number.n > 0 && number.p[number.n - 1] == '.')
        number.n--;
    if (!str_int(number, &place) || (card = nth(among, place)) == CARD_NONE)
        return false;
    rest = str_trim(rest);
    for (size_t n = rest.n; n > 0; n--) {
        struct str head = {rest.p, n};
        if ((n < rest.n && rest.p[n] != ' ') || several_numbers(head) || str_int(head, &digits) ||
            find_card(y, CARD(card), head, &named) != FIND_ONE)
            continue;
        *ret_card = card;
        *ret_target = without_arrow(str_skip(rest, n));
        return true;
    }
    return false;
}

enum find play_words_card(const struct typed_move *y, cardset among, struct str words,
                          int *ret_card, struct str *ret_target)
{
    enum find best = FIND_NONE;
    int64_t number;
    if (as_printed(y, among, words, ret_card, ret_target))
        return FIND_ONE;
    for (size_t n = words.n; n > 0; n--) {
        if (n < words.n && words.p[n] != ' ')
            continue;
        struct str head = {words.p, n};
        if (best == FIND_MANY && str_int(head, &number)) /* of a month, not a place */
            return FIND_MANY;
        enum find found = several_numbers(head) ? FIND_NONE : one_of(y, among, head, ret_card);
        if (found == FIND_ONE) {
            *ret_target = without_arrow(str_skip(words, n));
            return FIND_ONE;
        }
        if (found == FIND_MANY && best != FIND_MANY)
            *ret_target = head;
        if (found == FIND_MANY)
            best = FIND_MANY;
    }
    return best;
}

struct typed_move play_words_of(struct step *st, const struct session *s)
{
    int seat = step_seat(st, s);
    const struct venue *v = &s->venue[seat < 0 ? 0 : s->player[seat].venue];
    struct str own = str_of(st->w->me.prefs.language);
    const struct texts *t = texts_for(st->w->bot->languages, own.n > 0 ? own : str_of(v->language));
    return (struct typed_move){st, words_for(t, str_of(s->rules.words))};
}

struct str play_words_places(const struct typed_move *y, cardset held, struct str words)
{
    struct str list = {0};
    int place = 0, card;
    for (cardset rest = held; rest; rest = set_rest(rest)) {
        place++;
        if (one_of(y, rest & -rest, words, &card) == FIND_ONE)
            list = arena_print(y->st->fx->arena, "%.*s%s%d", STR_ARG(list), list.n > 0 ? ", " : "",
                               place);
    }
    return list;
}
