/* Stop or koi-koi: what stopping pays now, what calling may win and cost. A section of a hand. */
#include "present_bodies.h"

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

static void put_koikoi_means(struct body *body, const struct score *score)
{
    const struct view *v = &body->table->view;
    const struct rules *r = &v->rules;
    int left = set_count(v->hand);
    if (left > 0 && (r->own_koikoi != DOUBLING_NONE || r->any_koikoi != DOUBLING_NONE))
        body_line(body, TX0(body, T_DECIDE_OWN));
    if (left > 0 && r->call_bonus != CALL_BONUS_NONE)
        body_line(body, TX0(body, T_DECIDE_BONUS));
    if (r->koikoi_limit > 0 && calls_made(v) + 1 == r->koikoi_limit)
        body_line(body, TX(body, T_DECIDE_LIMIT, body->words->word[WORD_KOIKOI]));
    if (opponents_can_play(v) &&
        (r->opponent_koikoi != DOUBLING_NONE || r->any_koikoi != DOUBLING_NONE))
        body_line(body, TX0(body, T_DECIDE_OTHER));
    if (left == 0)
        body_line(body, TX0(body, T_DECIDE_LAST));
    if (left == 0 && r->exhausted == EXHAUSTED_OYA_KAN)
        body_line(body, TX(body, T_DECIDE_OYA_KAN, body->words->word[WORD_DEALER],
                           body_coins(body, OYA_KAN_POINTS)));
    if (left > 0 && r->has_seven_plus && score->base < r->seven_points &&
        score->n_yaku >= r->seven_min_yaku)
        body_line(body, TN(body, T_DECIDE_SEVEN, r->seven_points - score->base,
                           body_int(body, r->seven_points - score->base),
                           body_int(body, r->seven_points), body_int(body, r->seven_x)));
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

static struct stop_stake stop_stake(const struct body *body)
{
    const struct view *v = &body->table->view;
    const struct ruleset *g = body_ruleset(body);
    struct stop_stake s = {0};
    struct calls calls = {.players = v->players, .table_brights = v->table_brights};
    memcpy(calls.koikoi, v->koikoi, sizeof calls.koikoi);
    score_pile(g, v->taken[v->seat], v->koikoi[v->seat] > 0, &s.score);
    score_pay(g, &calls, v->seat, &s.score, true, &s.pay);
    s.gain = can_pay(v, s.pay.points);
    return s;
}

void present_decide(struct body *body)
{
    const struct view *v = &body->table->view;
    struct stop_stake s = stop_stake(body);
    struct str now = body_coins(body, s.gain), word = body->words->word[WORD_STOP];
    struct str factors = part_factors(body, s.pay.added, s.pay.x);
    body_line(body, TX(body, T_DECIDE, body_yaku(body, &s.score), body_coins(body, s.score.base)));
    body_line(body, factors.n
                        ? TX(body, T_DECIDE_STOP_TIMES, word, now, body_int(body, s.score.base),
                             factors, body_int(body, s.pay.points))
                        : TX(body, T_DECIDE_STOP, word, now));
    if (s.gain < s.pay.points)
        body_line(body, TX(body, T_PAID_CAPPED, now));
    body_line(body, TX(body, T_DECIDE_KOIKOI, body->words->word[WORD_KOIKOI]));
    put_koikoi_means(body, &s.score);
    bool numbered = !body_can(body, CAN_BUTTONS);
    for (int i = v->n_legal - 1; i >= 0; i--) { /* the engine has koi-koi first */
        bool stop = v->legal[i].kind == MOVE_STOP;
        if (!stop && v->legal[i].kind != MOVE_KOIKOI)
            continue;
        struct str number = body_int(body, stop ? 1 : 2),
                   label = stop ? TX(body, T_BUTTON_STOP, word, now)
                                : TX(body, T_BUTTON_KOIKOI, body->words->word[WORD_KOIKOI]);
        if (numbered)
            label = TX(body, T_CHOICE_LINE, number, label);
        if (numbered && !body->poll)
            body_line(body, label);
        body_button(body, label, VERB_MOVE, i, stop ? BUTTON_TAKE : BUTTON_DANGER);
    }
    body_row(body);
    if (numbered && !body->poll)
        body_line(body, TX(body, T_HOW_DECIDE, body_command(body, VERB_STOP),
                           body_command(body, VERB_KOIKOI)));
}

void present_decide_short(struct body *body)
{
    struct stop_stake s = stop_stake(body);
    body_line(body,
              TX(body, T_DECIDE_STOP, body->words->word[WORD_STOP], body_coins(body, s.gain)));
    put_koikoi_means(body, &s.score);
    struct str yaku = body_yaku(body, &s.score);
    body_line(body,
              body_is_sum(&s.score) ? TX(body, T_PAID, yaku, body_int(body, s.score.base)) : yaku);
}
