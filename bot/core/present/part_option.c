/* The moves of a seat as answers to choose from: in lessons and puzzles. See part.h. */
#include "part.h"

#include "choice.h"

struct round_result part_pay_of(const struct draft *d)
{
    const struct view *v = &d->table->view;
    struct round_result pay = v->result;
    if (pay.why != WHY_NONE)
        return pay;
    struct score score;
    struct calls calls = {.players = v->players, .table_brights = v->table_brights};
    memcpy(calls.koikoi, v->koikoi, sizeof calls.koikoi);
    score_pile(draft_ruleset(d), v->taken[v->seat], v->koikoi[v->seat] > 0, &score);
    score_pay(draft_ruleset(d), &calls, v->seat, &score, true, &pay);
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

struct str part_option_label(const struct draft *d, const struct move *m)
{
    switch ((enum move_kind)m->kind) {
    case MOVE_STOP:
        return TX(d, T_BUTTON_STOP, d->words->word[WORD_STOP],
                  draft_coins(d, part_pay_of(d).points));
    case MOVE_KOIKOI:
        return TX(d, T_BUTTON_KOIKOI, d->words->word[WORD_KOIKOI]);
    case MOVE_CHOOSE:
        return draft_label(d, set_first(m->take));
    default:
        return has_choice(&d->table->view, m)
                   ? draft_join(d, draft_label(d, m->card), TX(d, T_ARROW),
                                draft_label(d, set_first(m->take)))
                   : draft_label(d, m->card);
    }
}

static struct str option_line(const struct draft *d, int number, const struct move *m)
{
    struct str n = draft_int(d, number);
    if (m->kind == MOVE_PLAY)
        return TX(d, T_HAND_LINE, n, draft_card_alone(d, m->card), part_move_of(d, m).line);
    return TX(d, T_CHOICE_LINE, n,
              m->kind == MOVE_CHOOSE ? part_move_of(d, m).line : part_option_label(d, m));
}

void part_options(struct draft *d, enum verb verb)
{
    const struct view *v = &d->table->view;
    int n = 0;
    if (!d->poll && v->phase == PHASE_HAND)
        SAY(d, T_YOUR_CARDS);
    for (int i = 0; i < v->n_legal; i++) {
        const struct move *m = &v->legal[i];
        if (choice_repeats(v->legal, i))
            continue;
        struct str line = option_line(d, ++n, m), label = part_option_label(d, m);
        if (!d->poll)
            draft_line(d, line);
        if (!d->poll && !draft_can(d, CAN_NUMBER))
            label = TX(d, T_BUTTON_NUMBERED, draft_int(d, n), label);
        draft_button(d, d->poll ? line : label, verb, n, BUTTON_PLAIN);
    }
    draft_row(d);
}
