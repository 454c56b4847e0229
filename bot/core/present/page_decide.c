/* Stop or koi-koi: what stopping pays now, what calling may win and cost. A section of a hand. */
#include "page.h"
#include "part.h"

static bool opponents_can_play(const struct view *v)
{
    for (int i = 0; i < v->players; i++)
        if (i != v->seat && v->hand_size[i] > 0)
            return true;
    return false;
}

static int calls_made(const struct view *v)
{
    int n = 0;
    for (int i = 0; i < v->players; i++)
        n += v->koikoi[i];
    return n;
}

static void put_koikoi_means(struct draft *d, const struct score *score)
{
    const struct view *v = &d->table->view;
    const struct rules *r = &v->rules;
    int left = set_count(v->hand);
    if (left > 0 && (r->own_koikoi != DOUBLING_NONE || r->any_koikoi != DOUBLING_NONE))
        SAY(d, T_DECIDE_OWN);
    if (left > 0 && r->call_bonus != CALL_BONUS_NONE)
        SAY(d, T_DECIDE_BONUS);
    if (r->koikoi_limit > 0 && calls_made(v) + 1 == r->koikoi_limit)
        SAY(d, T_DECIDE_LIMIT, d->words->word[WORD_KOIKOI]);
    if (opponents_can_play(v) &&
        (r->opponent_koikoi != DOUBLING_NONE || r->any_koikoi != DOUBLING_NONE))
        SAY(d, T_DECIDE_OTHER);
    if (left == 0)
        SAY(d, T_DECIDE_LAST);
    if (left == 0 && r->exhausted == EXHAUSTED_OYA_KAN)
        SAY(d, T_DECIDE_OYA_KAN, d->words->word[WORD_DEALER], draft_coins(d, OYA_KAN_POINTS));
    if (left > 0 && r->has_seven_plus && score->base < r->seven_points &&
        score->n_yaku >= r->seven_min_yaku)
        SAY_N(d, T_DECIDE_SEVEN, r->seven_points - score->base,
              draft_int(d, r->seven_points - score->base), draft_int(d, r->seven_points),
              draft_int(d, r->seven_x));
}

/* In coin matches the payer pays at most what they own. */
static int64_t can_pay(const struct view *v, int64_t points)
{
    int64_t purse = v->rules.scoring == SCORING_COINS ? v->scores[1 - v->seat] : points;
    return points < purse ? points : purse;
}

/* What stopping now pays. */
struct stop_stake {
    struct score score;
    struct round_result pay;
    int64_t gain; /* of pay.points, what the other owns */
};

static struct stop_stake stop_stake(const struct draft *d)
{
    const struct view *v = &d->table->view;
    const struct ruleset *g = draft_ruleset(d);
    struct stop_stake s = {0};
    struct calls calls = {.players = v->players, .table_brights = v->table_brights};
    memcpy(calls.koikoi, v->koikoi, sizeof calls.koikoi);
    score_pile(g, v->taken[v->seat], v->koikoi[v->seat] > 0, &s.score);
    score_pay(g, &calls, v->seat, &s.score, true, &s.pay);
    s.gain = can_pay(v, s.pay.points);
    return s;
}

void page_decide(struct draft *d)
{
    const struct view *v = &d->table->view;
    struct stop_stake s = stop_stake(d);
    struct str now = draft_coins(d, s.gain), word = d->words->word[WORD_STOP];
    struct str factors = part_factors(d, s.pay.added, s.pay.x);
    SAY(d, T_DECIDE, draft_yaku(d, s.score.worth), draft_coins(d, s.score.base));
    draft_line(d, factors.n ? TX(d, T_DECIDE_STOP_TIMES, word, now, draft_int(d, s.score.base),
                                 factors, draft_int(d, s.pay.points))
                            : TX(d, T_DECIDE_STOP, word, now));
    if (s.gain < s.pay.points)
        SAY(d, T_PAID_CAPPED, now);
    SAY(d, T_DECIDE_KOIKOI, d->words->word[WORD_KOIKOI]);
    put_koikoi_means(d, &s.score);
    bool numbered = !draft_can(d, CAN_BUTTONS);
    for (int i = v->n_legal - 1; i >= 0; i--) { /* the engine has koi-koi first */
        bool stop = v->legal[i].kind == MOVE_STOP;
        if (!stop && v->legal[i].kind != MOVE_KOIKOI)
            continue;
        struct str number = draft_int(d, stop ? 1 : 2),
                   label = stop ? TX(d, T_BUTTON_STOP, word, now)
                                : TX(d, T_BUTTON_KOIKOI, d->words->word[WORD_KOIKOI]);
        if (numbered)
            label = TX(d, T_CHOICE_LINE, number, label);
        if (numbered && !d->poll)
            draft_line(d, label);
        draft_button(d, label, VERB_MOVE, i, stop ? BUTTON_TAKE : BUTTON_DANGER);
    }
    draft_row(d);
    if (numbered && !d->poll)
        SAY(d, T_HOW_DECIDE, draft_command(d, VERB_STOP), draft_command(d, VERB_KOIKOI));
}

void page_decide_short(struct draft *d)
{
    struct stop_stake s = stop_stake(d);
    SAY(d, T_DECIDE_STOP, d->words->word[WORD_STOP], draft_coins(d, s.gain));
    put_koikoi_means(d, &s.score);
    struct str yaku = draft_yaku(d, s.score.worth);
    draft_line(d, draft_is_sum(s.score.worth) ? TX(d, T_PAID, yaku, draft_int(d, s.score.base))
                                              : yaku);
}
