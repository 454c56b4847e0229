/* See spread.h. */
#include "spread.h"

#include "choice.h"

/* ---- from a view ---- */

static bool can_take(const struct view *v, int card)
{
    cardset takes[N_CARDS];
    return round_takes(&v->rules, v->field, card, false, takes) > 0 && takes[0] != 0;
}

static void put_cards(struct spread *s, enum spread_row row, cardset cards)
{
    for (cardset rest = cards; rest; rest = set_rest(rest))
        s->at[row][s->n[row]++] = (struct spread_card){.card = (uint8_t)set_first(rest)};
}

/* The choices as the message counts them: of two equal plains only one is offered. */
static void number_choices(const struct view *v, struct spread *s)
{
    int number = 0;
    for (int i = 0; i < v->n_legal; i++) {
        const struct move *m = &v->legal[i];
        if (m->kind != MOVE_CHOOSE || choice_repeats(v->legal, i))
            continue;
        number++;
        for (int k = 0; k < s->n[SPREAD_FIELD]; k++) {
            struct spread_card *c = &s->at[SPREAD_FIELD][k];
            if (m->take & CARD(c->card)) {
                c->number = (uint8_t)number;
                c->marked = true;
            }
        }
    }
}

static void number_hand(const struct view *v, struct spread *s)
{
    for (int i = 0; i < s->n[SPREAD_HAND]; i++) {
        struct spread_card *c = &s->at[SPREAD_HAND][i];
        c->number = (uint8_t)(i + 1);
        c->marked = can_take(v, c->card);
    }
}

void spread_of(const struct view *v, struct spread *ret)
{
    *ret = (struct spread){0};
    memcpy(ret->deck, v->rules.deck, sizeof ret->deck);
    put_cards(ret, SPREAD_FIELD, v->field);
    put_cards(ret, SPREAD_HAND, v->hand);
    if (v->stage != MATCH_PLAYING)
        return;
    if (v->phase == PHASE_DRAW && v->turn == v->seat) {
        put_cards(ret, SPREAD_DRAWN, CARD(v->drawn));
        number_choices(v, ret);
    } else {
        number_hand(v, ret);
    }
}

/* ---- as a line ---- */

void spread_write(const struct spread *s, struct buf *ret)
{
    buf_print(ret, "hand %s ", s->deck);
    for (int row = 0; row < SPREAD_ROWS; row++) {
        if (row > 0)
            buf_char(ret, '|');
        for (int i = 0; i < s->n[row]; i++) {
            const struct spread_card *c = &s->at[row][i];
            char code[CARD_CODE_SIZE];
            (void)card_code(c->card, code);
            buf_print(ret, "%s%s", i > 0 ? "," : "", code);
            if (c->number > 0)
                buf_print(ret, "#%d", c->number);
            if (c->marked)
                buf_char(ret, '!');
        }
    }
}

static bool read_deck(struct str word, struct spread *s, struct err *err)
{
    bool good = word.n > 0 && word.n < sizeof s->deck;
    for (size_t i = 0; good && i < word.n; i++) {
        char c = word.p[i];
        good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }
    if (!good)
        return err_set(err, "picture: \"%.*s\" is no name of a deck",
                       (int)(word.n < 60 ? word.n : 60), word.n ? word.p : "");
    memcpy(s->deck, word.p, word.n);
    return true;
}

static bool read_card(struct str word, cardset *seen, struct spread_card *ret, struct err *err)
{
    struct str whole = word, number;
    int64_t n = 0;
    *ret = (struct spread_card){0};
    if (word.n > 0 && word.p[word.n - 1] == '!') {
        ret->marked = true;
        word.n--;
    }
    bool numbered = word.n > 0 && memchr(word.p, '#', word.n);
    struct str code = str_cut(word, '#', &number);
    int card = code.n > 0 ? card_read(code.p, code.n) : CARD_NONE;
    bool good = card != CARD_NONE && (!numbered || (str_int(number, &n) && n >= 1 && n <= N_CARDS &&
                                                    number.p[0] >= '1' && number.p[0] <= '9'));
    if (!good)
        return err_set(err, "picture: \"%.*s\" is no card", (int)(whole.n < 60 ? whole.n : 60),
                       whole.n ? whole.p : "");
    if (*seen & CARD(card))
        return err_set(err, "picture: %.*s comes twice", STR_ARG(code));
    *seen |= CARD(card);
    ret->card = (uint8_t)card;
    ret->number = (uint8_t)n;
    return true;
}

/* Of the rest of the line: a row, up to its bar; the last one has none. */
static bool read_row(struct str *rest, enum spread_row row, cardset *seen, struct spread *s,
                     struct err *err)
{
    bool last = row == SPREAD_ROWS - 1;
    if (last == (rest->n > 0 && memchr(rest->p, '|', rest->n) != NULL))
        return err_set(err, "picture: not three rows of cards");
    struct str cards = last ? *rest : str_cut(*rest, '|', rest);
    if (cards.n == 0)
        return true;
    if (cards.p[cards.n - 1] == ',')
        return err_set(err, "picture: a row ends with a comma");
    while (cards.n > 0)
        if (!read_card(str_cut(cards, ',', &cards), seen, &s->at[row][s->n[row]], err))
            return false;
        else
            s->n[row]++;
    return row != SPREAD_DRAWN || s->n[row] == 1 || err_set(err, "picture: two drawn cards");
}

bool spread_read(struct str line, struct spread *ret, struct err *err)
{
    struct spread s = {0};
    struct str rest = line;
    cardset seen = 0;
    if (!str_starts(line, STR("hand ")))
        return err_set(err, "picture: it does not begin with \"hand\"");
    rest = str_skip(rest, 5);
    if (!read_deck(str_cut(rest, ' ', &rest), &s, err))
        return false;
    for (int row = 0; row < SPREAD_ROWS; row++)
        if (!read_row(&rest, (enum spread_row)row, &seen, &s, err))
            return false;
    *ret = s;
    return true;
}
