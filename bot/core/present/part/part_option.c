/* The moves of a seat as answers to choose from: in lessons and puzzles. See part.h. */
#include "part.h"

#include "choice.h"

struct round_result part_pay_of(const struct body *body)
{
    const struct view *v = &body->table->view;
    struct round_result pay = v->result;
    if (pay.why != WHY_NONE)
        return pay;
    struct score score;
    struct calls calls = {.players = v->players, .table_brights = v->table_brights};
    memcpy(calls.koikoi, v->koikoi, sizeof calls.koikoi);
    score_pile(body_ruleset(body), v->taken[v->seat], v->koikoi[v->seat] > 0, &score);
    score_pay(body_ruleset(body), &calls, v->seat, &score, true, &pay);
    return pay;
}

static bool has_choice(const struct view *v, const struct move *m)
{
    int same = 0;
    for (int i = 0; i < v->n_legal; i++)
        same += !choice_repeats(v->legal, i) && v->legal[i].kind == MOVE_PLAY &&
                v->legal[i].card == m->card;
    return same > 1;
}

struct str part_option_label(const struct body *body, const struct move *m)
{
    switch ((enum move_kind)m->kind) {
    case MOVE_STOP:
        return TX(body, T_BUTTON_STOP, body->words->word[WORD_STOP],
                  body_coins(body, part_pay_of(body).points));
    case MOVE_KOIKOI:
        return TX(body, T_BUTTON_KOIKOI, body->words->word[WORD_KOIKOI]);
    case MOVE_CHOOSE:
        return body_label(body, set_first(m->take));
    default:
        return has_choice(&body->table->view, m)
                   ? body_join(body, body_label(body, m->card), TX0(body, T_ARROW),
                               body_label(body, set_first(m->take)))
                   : body_label(body, m->card);
    }
}

static struct str option_line(const struct body *body, int number, const struct move *m)
{
    struct str n = body_int(body, number);
    if (m->kind == MOVE_PLAY)
        return TX(body, T_HAND_LINE, n, body_card_alone(body, m->card), part_move_of(body, m).line);
    return TX(body, T_CHOICE_LINE, n,
              m->kind == MOVE_CHOOSE ? part_move_of(body, m).line : part_option_label(body, m));
}

void part_options(struct body *body, enum verb verb)
{
    const struct view *v = &body->table->view;
    int n = 0;
    if (!body->poll && v->phase == PHASE_HAND)
        body_line(body, TX0(body, T_YOUR_CARDS));
    for (int i = 0; i < v->n_legal; i++) {
        const struct move *m = &v->legal[i];
        if (choice_repeats(v->legal, i))
            continue;
        struct str line = option_line(body, ++n, m), label = part_option_label(body, m);
        if (!body->poll)
            body_line(body, line);
        if (!body->poll && !body_can(body, CAN_NUMBER))
            label = TX(body, T_BUTTON_NUMBERED, body_int(body, n), label);
        body_button(body, body->poll ? line : label, verb, n, BUTTON_PLAIN);
    }
    body_row(body);
}
