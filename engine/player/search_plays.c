/* See search_plays.h. */
#include "search_plays.h"

#include "exact_math.h"
#include "nets.h"

#include <math.h>

static const struct play_weights learned = {
#include "nets/plays.inc"
};

/* Share of plays that follow no style. */
static const float slip = 0.1f;

int play_features(const struct sight *at, const struct move *m,
                  uint8_t ret[static MAX_PLAY_FEATURES])
{
    cardset month = card_month_set(m->card);
    cardset unseen = ALL_CARDS & ~(at->hand | at->field | at->pile | at->others);
    int hidden = at_most(set_count(unseen & month), PLAY_UNSEEN - 1), n = 0;
    int beside = at_most(set_count(at->hand & month & ~CARD(m->card)), PLAY_BESIDE - 1);
    int kind = (int)card_kind(m->card), stage = policy_stage(at->hand);
    if (m->take) {
        int best = CARD_PLAIN;
        for (cardset take = m->take; take; take = set_rest(take))
            best = at_most((int)card_kind(set_first(take)), best);
        ret[n++] = (uint8_t)(PLAY_WITH + kind);
        ret[n++] = (uint8_t)(PLAY_BEST + best);
        ret[n++] = (uint8_t)(PLAY_LEAVES + hidden);
        ret[n++] = (uint8_t)(PLAY_TAKES + beside);
        if (set_count(m->take) > 1)
            ret[n++] = PLAY_MANY;
        if (stage != 1)
            ret[n++] = stage == 0 ? PLAY_EARLY : PLAY_LATE;
        return n;
    }
    ret[n++] = (uint8_t)(PLAY_LAYS + kind);
    ret[n++] = (uint8_t)(PLAY_OFFERS + hidden);
    ret[n++] = (uint8_t)(PLAY_KEEPS + beside);
    if (kind == CARD_PLAIN)
        ret[n++] = (uint8_t)(PLAY_PLAIN + stage);
    if (CARD(m->card) & (CARD(CURTAIN) | CARD(MOON) | CARD(SAKE)))
        ret[n++] = PLAY_VIEWING;
    return n;
}

static float with_slips(double chance, int n)
{
    return (float)exact_log((1 - (double)slip) * chance + (double)slip / n);
}

float plays_log_chance_of_call(float gain)
{
    return with_slips(1 / (1 + exact_exp((double)-(learned.call + learned.call_gain * gain))), 2);
}

/* That of moves[made] among plays with these sums. */
static float log_share(const float *sum, int n, int made)
{
    float best = -INFINITY;
    double all = 0;
    for (int i = 0; i < n; i++)
        best = fmaxf(sum[i], best);
    for (int i = 0; i < n; i++)
        all += exact_exp((double)(sum[i] - best));
    return with_slips(exact_exp((double)(sum[made] - best)) / all, n);
}

void plays_log_chance(const struct ruleset *g, const struct sight *at, const struct move *moves,
                      int n, int made, const float *worth, float ret[static N_STYLES])
{
    const int stage = policy_stage(at->hand), cards = at_most(set_count(at->hand), PLAY_CARDS - 1);
    float score[MAX_MOVES], sum[N_STYLES][MAX_MOVES];
    uint8_t feature[MAX_PLAY_FEATURES];
    policy_scores(g, &policy_tuned, at, moves, n, score);
    for (int i = 0; i < n; i++) {
        int n_features = play_features(at, &moves[i], feature);
        for (int s = 0; s < N_STYLES; s++) {
            const struct style_weights *w = &learned.style[s];
            if (worth == NULL && s != STYLE_POLICY)
                continue;
            sum[s][i] = score[i] * w->score[stage];
            if (worth != NULL)
                sum[s][i] += worth[i] * w->worth[cards];
            for (int k = 0; k < n_features; k++)
                sum[s][i] += w->of[feature[k]];
        }
    }
    float by_policy = log_share(sum[STYLE_POLICY], n, made);
    for (int s = 0; s < N_STYLES; s++)
        ret[s] = worth == NULL || s == STYLE_POLICY ? by_policy : log_share(sum[s], n, made);
}
