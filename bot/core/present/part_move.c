/* A move in words: what it takes, and the yaku it would make. See part.h. */
#include "part.h"

/* The yaku that capturing `more` would add or raise; empty if none. */
static struct str new_yaku(const struct draft *d, cardset more)
{
    const struct view *v = &d->table->view;
    bool called = v->koikoi[v->seat] > 0;
    struct score was, now;
    struct str list = {0};
    score_pile(draft_ruleset(d), v->taken[v->seat], called, &was);
    score_pile(draft_ruleset(d), v->taken[v->seat] | more, called, &now);
    for (int y = 0; y < N_YAKU; y++)
        if (now.worth[y] > was.worth[y])
            draft_add(d, &list, T_PLUS,
                      TX(d, T_YAKU_WORTH, d->words->yaku[y], draft_int(d, now.worth[y])));
    return list;
}

/* The cards without the numbers of their months: those stand beside the numbers of a list. */
static struct str cards_alone(const struct draft *d, cardset cards)
{
    struct str list = {0};
    for (cardset rest = cards; rest; rest = set_rest(rest))
        draft_add(d, &list, T_DOT, draft_card_alone(d, set_first(rest)));
    return list;
}

struct str part_capture(const struct draft *d, const struct move *m)
{
    struct str yaku = new_yaku(d, m->take | CARD(m->card)), cards = cards_alone(d, m->take);
    return yaku.n > 0 ? TX(d, T_CAPTURE_YAKU, cards, yaku) : cards;
}

struct part_move part_move_of(const struct draft *d, const struct move *m)
{
    struct part_move o = {.style = BUTTON_PLAIN};
    if (m->take == 0) {
        o.line = TX(d, T_LAYS_DOWN);
        return o;
    }
    o.yaku = new_yaku(d, m->take | CARD(m->card));
    o.line = TX(d, T_TAKES, part_capture(d, m));
    o.style = o.yaku.n > 0 ? BUTTON_YAKU : BUTTON_TAKE;
    return o;
}

struct str part_declare(const struct draft *d)
{
    const struct view *v = &d->table->view;
    enum hand_yaku h = hand_yaku_of(draft_ruleset(d), v->hand);
    return TX(d, T_BUTTON_DECLARE, d->words->hand_yaku[h], draft_coins(d, v->rules.hand_yaku[h]));
}
