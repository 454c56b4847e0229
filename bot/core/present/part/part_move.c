/* A move in words: what it takes, and the yaku it would make. See part.h. */
#include "part.h"

/* The yaku that capturing `more` would add or raise; empty if none. */
static struct str new_yaku(const struct body *body, cardset more)
{
    const struct view *v = &body->table->view;
    bool called = v->koikoi[v->seat] > 0;
    struct score was, now;
    struct str list = {0};
    score_pile(body_ruleset(body), v->taken[v->seat], called, &was);
    score_pile(body_ruleset(body), v->taken[v->seat] | more, called, &now);
    for (int y = 0; y < N_YAKU; y++)
        if (now.worth[y] > was.worth[y])
            list = body_join(
                body, list, TX0(body, T_PLUS),
                TX(body, T_YAKU_WORTH, body->words->yaku[y], body_int(body, now.worth[y])));
    return list;
}

/* The cards without the numbers of their months: those stand beside the numbers of a list. */
static struct str cards_alone(const struct body *body, cardset cards)
{
    struct str list = {0};
    for (cardset rest = cards; rest; rest = set_rest(rest))
        list = body_join(body, list, TX0(body, T_DOT), body_card_alone(body, set_first(rest)));
    return list;
}

struct str part_capture(const struct body *body, const struct move *m)
{
    struct str yaku = new_yaku(body, m->take | CARD(m->card)), cards = cards_alone(body, m->take);
    return yaku.n > 0 ? TX(body, T_CAPTURE_YAKU, cards, yaku) : cards;
}

struct part_move part_move_of(const struct body *body, const struct move *m)
{
    struct part_move o = {.style = BUTTON_PLAIN};
    if (m->take == 0) {
        o.line = TX0(body, T_LAYS_DOWN);
        return o;
    }
    o.yaku = new_yaku(body, m->take | CARD(m->card));
    o.line = TX(body, T_TAKES, part_capture(body, m));
    o.style = o.yaku.n > 0 ? BUTTON_YAKU : BUTTON_TAKE;
    return o;
}

struct str part_declare(const struct body *body)
{
    const struct view *v = &body->table->view;
    enum hand_yaku h = hand_yaku_of(body_ruleset(body), v->hand);
    return TX(body, T_BUTTON_DECLARE, body->words->hand_yaku[h],
              body_coins(body, v->rules.hand_yaku[h]));
}
