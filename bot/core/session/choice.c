/* See choice.h. The engine lists moves by card, and captures by month: equal choices are
 * neighbours. */
#include "choice.h"

#include "notation.h"

/* One plain each, of one month. */
static bool alike(cardset a, cardset b)
{
    return set_count(a) == 1 && set_count(b) == 1 &&
           card_month(set_first(a)) == card_month(set_first(b)) && (a & set_plains) &&
           (b & set_plains);
}

bool choice_repeats(const struct move *legal, int i)
{
    const struct move *now = &legal[i], *before = i > 0 ? now - 1 : NULL;
    return before && before->kind == now->kind && before->card == now->card &&
           alike(before->take, now->take);
}

bool choice_is_one(const struct move *legal, int n)
{
    for (int i = 1; i < n; i++)
        if (!choice_repeats(legal, i))
            return false;
    return true;
}

int choice_find(const struct move *legal, int n, struct move m)
{
    int i = 0;
    while (i < n && (legal[i].kind != m.kind || legal[i].card != m.card || legal[i].take != m.take))
        i++;
    return i;
}

bool choice_read(const char *text, struct move *ret)
{
    return text[0] && notation_read_move(text, strlen(text), ret) < 0;
}

int choice_options(const struct move *legal, int n, uint8_t ret[static MAX_MOVES])
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (!choice_repeats(legal, i))
            ret[k++] = (uint8_t)i;
    return k;
}

int choice_takes(const struct rules *r, cardset field, int card, bool drawn,
                 cardset ret[static N_CARDS])
{
    int all = round_takes(r, field, card, drawn, ret), n = 0;
    for (int i = 0; i < all; i++)
        if (n == 0 || !alike(ret[n - 1], ret[i]))
            ret[n++] = ret[i];
    return n;
}
