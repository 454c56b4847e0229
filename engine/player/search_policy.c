/* See search_policy.h. The worth of cards to each side, and of a move. */
#include "search_policy.h"
#include "pile.h"

#include <string.h>

#include "nets/policy.inc"

/* Cards whose worth does not depend on the pile: all of a class are missing, or none. */
enum {
    DRY_BRIGHT,
    THE_CURTAIN,
    THE_MOON,
    THE_RAINMAN,
    THE_SAKE,
    OF_INO,
    OTHER_ANIMAL,
    OF_POETRY,
    OF_BLUE,
    OTHER_RIBBON,
    A_PLAIN,
    THE_LIGHTNING
};
static const uint8_t class_of[N_CARDS] = {
    DRY_BRIGHT,   OF_POETRY,    A_PLAIN,      A_PLAIN, /* pine */
    OTHER_ANIMAL, OF_POETRY,    A_PLAIN,      A_PLAIN, /* plum */
    THE_CURTAIN,  OF_POETRY,    A_PLAIN,      A_PLAIN, /* cherry */
    OTHER_ANIMAL, OTHER_RIBBON, A_PLAIN,      A_PLAIN, /* wisteria */
    OTHER_ANIMAL, OTHER_RIBBON, A_PLAIN,      A_PLAIN, /* iris */
    OF_INO,       OF_BLUE,      A_PLAIN,      A_PLAIN, /* peony */
    OF_INO,       OTHER_RIBBON, A_PLAIN,      A_PLAIN, /* bush clover */
    THE_MOON,     OTHER_ANIMAL, A_PLAIN,      A_PLAIN, /* pampas grass */
    THE_SAKE,     OF_BLUE,      A_PLAIN,      A_PLAIN, /* chrysanthemum */
    OF_INO,       OF_BLUE,      A_PLAIN,      A_PLAIN, /* maple */
    THE_RAINMAN,  OTHER_ANIMAL, OTHER_RIBBON, THE_LIGHTNING,
    DRY_BRIGHT,   A_PLAIN,      A_PLAIN,      A_PLAIN, /* paulownia */
};

/* Worth of one missing card of a trio: 0 once an opponent holds one of its cards. */
HOT_INLINE float trio_worth(const struct stage_policy *s, int worth, cardset trio, cardset pile,
                            cardset gone)
{
    int held = set_count(pile & trio);
    return worth == 0 || (gone & trio) || held == 3 ? 0 : (float)worth * s->trio[held];
}

/* Worth of the next bright, and of the rain man beside it. */
HOT_INLINE void bright_worths(const struct ruleset *g, const struct stage_policy *s, cardset pile,
                              cardset gone, float *ret_dry, float *ret_rain)
{
    const struct rules *r = &g->rules;
    int dry = set_count(pile & SET_DRY_BRIGHTS), dry_open = 4 - set_count(gone & SET_DRY_BRIGHTS);
    bool rain = (pile & CARD(RAINMAN)) != 0, rain_open = !(gone & CARD(RAINMAN));
    int held = dry + rain;
    int three = r->yaku[YAKU_SANKO] ? r->yaku[YAKU_SANKO] : r->yaku[YAKU_AME_SHIKO];
    *ret_dry = *ret_rain = 0;
    if (dry_open < 3)
        return;
    int next = three;
    if (dry == 3)
        next = r->yaku[YAKU_SHIKO] > three ? r->yaku[YAKU_SHIKO] - three : 0;
    if (dry == 3 && rain && r->yaku[YAKU_GOKO] > r->yaku[YAKU_AME_SHIKO])
        next = r->yaku[YAKU_GOKO] - r->yaku[YAKU_AME_SHIKO];
    *ret_dry = (float)next * s->bright[held < 3 ? held : 3];
    if (rain_open)
        *ret_rain = *ret_dry * s->rain;
}

HOT_INLINE void viewing_worths(const struct rules *r, const struct stage_policy *s, cardset pile,
                               bool called, cardset gone, float *own)
{
    bool rained = score_rained(r, pile);
    static const uint8_t brights[2] = {MOON, CURTAIN};
    static const uint8_t classes[2] = {THE_MOON, THE_CURTAIN};
    const int worth[2] = {score_viewing(r, YAKU_TSUKIMI, called) * score_season(r, YAKU_TSUKIMI),
                          score_viewing(r, YAKU_HANAMI, called) * score_season(r, YAKU_HANAMI)};
    for (int i = 0; i < 2 && !rained; i++) {
        cardset both = CARD(brights[i]) | CARD(SAKE);
        if (worth[i] == 0 || (gone & both) || (pile & both) == both)
            continue;
        float w = (float)worth[i] * s->viewing[(pile & both) != 0];
        own[classes[i]] += w;
        own[THE_SAKE] += w;
    }
}

/* What a ribbon trio is worth beyond its own points beside the other. */
HOT_INLINE int more_for_both(const struct rules *r, cardset pile, cardset other)
{
    return (pile & other) == other ? r->both_ribbons : 0;
}

/* Worth of an open card of each class to the holder of `pile`; gone: captured by the opponents. */
HOT_INLINE void worths(const struct ruleset *g, const struct stage_policy *s, cardset pile,
                       bool called, cardset gone, float ret[static N_CLASSES])
{
    const struct rules *r = &g->rules;
    int a = set_count(pile & set_animals), b = set_count(pile & set_ribbons),
        n = set_count(pile & g->plains);
    bool ino = (pile & SET_INOSHIKACHO) == SET_INOSHIKACHO && r->yaku[YAKU_INOSHIKACHO];
    bool trio = ((pile & SET_POETRY) == SET_POETRY && r->yaku[YAKU_AKATAN]) ||
                ((pile & SET_BLUE) == SET_BLUE && r->yaku[YAKU_AOTAN]);
    float animal = r->yaku[YAKU_TANE] ? s->animals[a < 5 ? a : 5] : 0;
    float ribbon = r->yaku[YAKU_TANZAKU] ? s->ribbons[b < 5 ? b : 5] : 0;
    float plain = r->yaku[YAKU_KASU] ? s->plains[n < 10 ? n : 10] : 0;
    if (ino && r->trio_extra != TRIO_NONE)
        animal = s->animals[5];
    if (trio && r->trio_extra != TRIO_NONE)
        ribbon = s->ribbons[5];
    bright_worths(g, s, pile, gone, &ret[DRY_BRIGHT], &ret[THE_RAINMAN]);
    ret[THE_CURTAIN] = ret[THE_MOON] = ret[DRY_BRIGHT];
    ret[THE_SAKE] = animal + (r->sake_is_plain ? plain : 0);
    ret[OTHER_ANIMAL] = animal;
    ret[OF_INO] = animal + trio_worth(s, r->yaku[YAKU_INOSHIKACHO], SET_INOSHIKACHO, pile, gone);
    ret[OF_POETRY] = ribbon + trio_worth(s, r->yaku[YAKU_AKATAN] + more_for_both(r, pile, SET_BLUE),
                                         SET_POETRY, pile, gone);
    ret[OF_BLUE] = ribbon + trio_worth(s, r->yaku[YAKU_AOTAN] + more_for_both(r, pile, SET_POETRY),
                                       SET_BLUE, pile, gone);
    ret[OTHER_RIBBON] = ribbon;
    ret[A_PLAIN] = ret[THE_LIGHTNING] = plain;
    viewing_worths(r, s, pile, called, gone, ret);
}

HOT_INLINE void month_worths(const struct ruleset *g, const struct stage_policy *s, cardset pile,
                             cardset gone, float ret[static N_MONTHS])
{
    for (int m = 0; m < N_MONTHS; m++) {
        int held = set_count(pile & month_set(m));
        ret[m] =
            gone & month_set(m) || held == 4 ? 0 : (float)g->rules.yaku[YAKU_HIKI] * s->month[held];
    }
}

struct appraisal {
    const struct stage_policy *s;
    const struct ruleset *g;
    float own[N_CLASSES], other[N_CLASSES]; /* worth of an open card by its class */
    float own_month[N_MONTHS],
        other_month[N_MONTHS]; /* and more where four of a month are a yaku */
    bool months, called;
    bool rival_called;
    float finish; /* worth of a yaku gained at once */
    int base;
    cardset hand, field, pile, unseen;
};

HOT_INLINE void look(const struct ruleset *g, const struct policy *p, const struct sight *at,
                     struct appraisal *ret)
{
    cardset gone = at->pile | (at->others & ~at->rival);
    ret->s = &p->stage[policy_stage(at->hand)];
    ret->g = g;
    ret->hand = at->hand;
    ret->field = at->field;
    ret->pile = at->pile;
    ret->unseen = ALL_CARDS & ~(at->hand | at->field | at->pile | at->others);
    ret->called = at->called;
    ret->base = pile_base(g, at->pile, at->called);
    worths(g, ret->s, at->pile, at->called, at->others, ret->own);
    worths(g, ret->s, at->rival, at->rival_called, gone, ret->other);
    if (at->rival_called)
        for (int i = 0; i < N_CLASSES; i++)
            ret->other[i] *= 1 + ret->s->danger;
    ret->rival_called = at->rival_called;
    ret->finish = ret->s->finish[at->called ? 2 : at->rival_called ? 1 : 0];
    ret->months = g->rules.yaku[YAKU_HIKI] > 0;
    if (ret->months) {
        month_worths(g, ret->s, at->pile, at->others, ret->own_month);
        month_worths(g, ret->s, at->rival, gone, ret->other_month);
    }
}

HOT_INLINE float own_worth(const struct appraisal *o, int card)
{
    return o->own[class_of[card]] + (o->months ? o->own_month[card_month(card)] : 0);
}

HOT_INLINE float other_worth(const struct appraisal *o, int card)
{
    return o->other[class_of[card]] + (o->months ? o->other_month[card_month(card)] : 0);
}

HOT_INLINE int unseen_of_month(const struct appraisal *o, int card)
{
    int n = set_count(o->unseen & card_month_set(card));
    return n < 3 ? n : 3;
}

/* Worth of all these cards: a share of an opponent's worth and a share of the own. */
HOT_INLINE float shares(const struct appraisal *o, cardset cards, float of_other, float of_own)
{
    float sum = 0;
    for (; cards; cards = set_rest(cards)) {
        int c = set_first(cards);
        sum += of_other * other_worth(o, c) + of_own * own_worth(o, c);
    }
    return sum;
}

/* Worth of capturing these cards from the field: own gain and denial. */
HOT_INLINE float taking(const struct appraisal *o, cardset take)
{
    float sum = shares(o, o->unseen & card_month_set(set_first(take)), o->s->spoil, o->s->miss);
    for (cardset t = take; t; t = set_rest(t)) {
        int c = set_first(t), u = unseen_of_month(o, c);
        sum += own_worth(o, c) * o->s->gain[u] + o->s->deny * other_worth(o, c) * o->s->keep[u];
    }
    return sum;
}

/* Worth of the yaku that these cards gain at once. */
HOT_INLINE float completing(const struct appraisal *o, cardset gained)
{
    int more = pile_base(o->g, o->pile | gained, o->called) - o->base;
    return more <= 0 ? 0 : o->s->complete * (float)more + o->finish;
}

HOT_INLINE float play_score(const struct appraisal *o, int card, cardset take)
{
    int u = unseen_of_month(o, card);
    if (take) {
        float done = completing(o, take | CARD(card));
        float sum = taking(o, take) + own_worth(o, card) * o->s->gain[u] + o->s->capture + done;
        return done != 0 && u == 0 && !o->rival_called ? sum * (1 - o->s->calm) : sum;
    }
    float sum = -other_worth(o, card) * o->s->expose[u] - own_worth(o, card) * o->s->forgo[u];
    cardset beside = o->hand & card_month_set(card) & ~CARD(card);
    if (beside)
        sum += o->s->pair + shares(o, beside, 0, o->s->bait);
    return sum + shares(o, o->unseen & card_month_set(card), -o->s->lure, o->s->await);
}

HOT_CLONES void policy_scores(const struct ruleset *g, const struct policy *p,
                              const struct sight *sight, const struct move *moves, int n,
                              float *ret_score)
{
    struct appraisal o;
    look(g, p, sight, &o);
    for (int i = 0; i < n; i++)
        ret_score[i] =
            moves[i].kind == MOVE_PLAY
                ? play_score(&o, moves[i].card, moves[i].take)
                : taking(&o, moves[i].take) + completing(&o, moves[i].take | CARD(moves[i].card));
}

/* ---- On a round ------------------------------------------------------------------------------ */

struct sight policy_sight(const struct round *r)
{
    int seat = r->turn, next = seat + 1 == r->players ? 0 : seat + 1;
    struct sight at = {.hand = r->hand[seat],
                       .field = r->field,
                       .pile = r->taken[seat],
                       .rival = r->taken[next],
                       .called = r->koikoi[seat] > 0,
                       .rival_called = r->koikoi[next] > 0};
    for (int s = 0; s < r->players; s++)
        at.others |= s == seat ? 0 : r->taken[s];
    return at;
}

int policy_pays(const struct ruleset *g, const struct round *r)
{
    struct calls calls = {.players = r->players, .table_brights = r->table_brights};
    struct round_result result;
    struct score score;
    memcpy(calls.koikoi, r->koikoi, sizeof calls.koikoi);
    score_pile(g, r->taken[r->turn], r->koikoi[r->turn] > 0, &score);
    score_pay(g, &calls, r->turn, &score, true, &result);
    return result.points;
}

/* The sum that decides koi-koi: see struct policy. */
HOT_CLONES static float koikoi_sum(const struct ruleset *g, const struct policy *p,
                                   const struct round *r, int others_called)
{
    struct sight at = policy_sight(r);
    int pays = policy_pays(g, r);
    float own = 0, other = 0;
    struct appraisal o;
    look(g, p, &at, &o);
    for (cardset t = o.hand | o.field | o.unseen; t; t = set_rest(t)) {
        int c = set_first(t);
        bool held = (CARD(c) & o.hand) != 0, lies = (CARD(c) & o.field) != 0;
        own += (held ? p->in_hand : lies ? p->on_field : 1) * own_worth(&o, c);
        other += held ? 0 : (lies ? p->on_field : 1) * other_worth(&o, c);
    }
    return p->koikoi + p->hand_left * (float)set_count(o.hand) + p->own_outlook * own -
           p->other_outlook * other - p->pays * (float)(pays < 30 ? pays : 30) +
           (others_called > 0 ? p->other_called : 0) + (r->koikoi[r->turn] > 0 ? p->own_called : 0);
}

/* Without a card in hand only the dealer's payment for an exhausted round is left to win. */
static bool calls_koikoi(const struct ruleset *g, const struct policy *p, const struct round *r)
{
    int others_called = 0, left = 0;
    for (int s = 0; s < r->players; s++) {
        others_called += s == r->turn ? 0 : r->koikoi[s];
        left += set_count(r->hand[s]);
    }
    if (r->hand[r->turn] == 0)
        return left == 0 && g->rules.exhausted == EXHAUSTED_OYA_KAN && r->turn == r->dealer &&
               policy_pays(g, r) < OYA_KAN_POINTS;
    return koikoi_sum(g, p, r, others_called) > 0;
}

int policy_pick(const struct ruleset *g, const struct policy *p, const struct round *r,
                const struct move *moves, int n)
{
    float score[MAX_MOVES];
    int skip = moves[0].kind == MOVE_REDEAL && n > 1, best = 0;
    if (r->phase == PHASE_DECIDE && n > 1) {
        enum move_kind kind = calls_koikoi(g, p, r) ? MOVE_KOIKOI : MOVE_STOP;
        return moves[0].kind == kind ? 0 : 1;
    }
    if (moves[0].kind == MOVE_DECLARE || n == 1)
        return 0;
    struct sight at = policy_sight(r);
    policy_scores(g, p, &at, moves + skip, n - skip, score);
    for (int i = 1; i < n - skip; i++)
        best = score[i] > score[best] ? i : best;
    return skip + best;
}
