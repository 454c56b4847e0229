/* The question of a turn: stop or koi-koi? What stopping pays now, and what playing on may bring
 * and cost. */
#include "page.h"

static bool others_can_play(const struct view *v)
{
    for (int i = 0; i < v->players; i++)
        if (i != v->seat && v->hand_size[i] > 0)
            return true;
    return false;
}

/* What playing on may bring and cost. */
static void koikoi_means(struct page *pg, const struct score *score)
{
    const struct view *v = &pg->table->view;
    const struct rules *r = &v->rules;
    int left = set_count(v->hand);
    if (left > 0 && (r->own_koikoi != DOUBLING_NONE || r->any_koikoi != DOUBLING_NONE))
        page_line(pg, TX0(pg, T_DECIDE_OWN));
    if (others_can_play(v) &&
        (r->opponent_koikoi != DOUBLING_NONE || r->any_koikoi != DOUBLING_NONE))
        page_line(pg, TX0(pg, T_DECIDE_OTHER));
    page_line(pg, left ? TN(pg, T_DECIDE_LEFT, left, page_int(pg, left)) : TX0(pg, T_DECIDE_LAST));
    if (left == 0 && r->exhausted == EXHAUSTED_OYA_KAN)
        page_line(
            pg, TX(pg, T_DECIDE_OYA_KAN, page_name(pg, v->dealer), page_coins(pg, OYA_KAN_POINTS)));
    if (left > 0 && r->has_seven_plus && score->base < r->seven_points &&
        score->n_yaku >= r->seven_min_yaku)
        page_line(pg, TN(pg, T_DECIDE_SEVEN, r->seven_points - score->base,
                         page_int(pg, r->seven_points - score->base), page_int(pg, r->seven_points),
                         page_int(pg, r->seven_x)));
}

/* Where coins change hands nobody pays more than they own. */
static int64_t can_pay(const struct view *v, int64_t points)
{
    int64_t purse = v->rules.scoring == SCORING_COINS ? v->scores[1 - v->seat] : points;
    return points < purse ? points : purse;
}

/* What stopping now pays. */
struct stake {
    struct score score;
    struct round_result pay;
    int64_t gain; /* of pay.points, what the other owns */
};

static struct stake stake_of(const struct page *pg)
{
    const struct view *v = &pg->table->view;
    const struct ruleset *g = page_ruleset(pg);
    struct stake s = {0};
    struct calls calls = {.players = v->players, .table_brights = v->table_brights};
    memcpy(calls.koikoi, v->koikoi, sizeof calls.koikoi);
    score_pile(g, v->taken[v->seat], &s.score);
    score_pay(g, &calls, v->seat, &s.score, true, &s.pay);
    s.gain = can_pay(v, s.pay.points);
    return s;
}

void present_decide(struct page *pg)
{
    const struct view *v = &pg->table->view;
    struct stake s = stake_of(pg);
    struct str now = page_coins(pg, s.gain), word = pg->words->word[WORD_STOP];
    struct str base = page_int(pg, s.score.base), factors = present_factors(pg, s.pay.x);
    page_line(pg, TX(pg, T_DECIDE, page_yaku(pg, &s.score), page_coins(pg, s.score.base)));
    page_line(pg, factors.n ? TX(pg, T_DECIDE_STOP_TIMES, word, now, base, factors)
                            : TX(pg, T_DECIDE_STOP, word, now));
    if (s.gain < s.pay.points)
        page_line(pg, TX(pg, T_PAID_CAPPED, now));
    page_line(pg, TX(pg, T_DECIDE_KOIKOI, pg->words->word[WORD_KOIKOI]));
    koikoi_means(pg, &s.score);
    for (int i = v->n_legal - 1; i >= 0; i--) { /* the engine has koi-koi first */
        bool stop = v->legal[i].kind == MOVE_STOP;
        if (!stop && v->legal[i].kind != MOVE_KOIKOI)
            continue;
        page_button(pg,
                    stop ? TX(pg, T_BUTTON_STOP, word, now)
                         : TX(pg, T_BUTTON_KOIKOI, pg->words->word[WORD_KOIKOI]),
                    VERB_MOVE, i, stop ? BUTTON_TAKE : BUTTON_DANGER);
    }
    page_row(pg);
    if (!page_can(pg, CAN_BUTTONS))
        page_line(pg,
                  TX(pg, T_HOW_DECIDE, page_command(pg, VERB_STOP), page_command(pg, VERB_KOIKOI)));
}

void present_decide_short(struct page *pg)
{
    struct stake s = stake_of(pg);
    page_line(pg, TX(pg, T_DECIDE_STOP, pg->words->word[WORD_STOP], page_coins(pg, s.gain)));
    koikoi_means(pg, &s.score);
    page_line(pg, TX(pg, T_PAID, page_yaku(pg, &s.score), page_int(pg, s.score.base)));
}
