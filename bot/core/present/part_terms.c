/* The terms of a match: rules, clock, doublings, house rules. See part.h. */
#include "part.h"

#include "rules_option.h"
#include "search.h"

struct str part_level(const struct draft *d, int level)
{
    _Static_assert(T_LEVEL_MASTER - T_LEVEL_BEGINNER == LEVEL_MASTER, "a text for each level");
    return TX(d, (enum text)(T_LEVEL_BEGINNER + level));
}

struct str part_doublings(const struct draft *d, const struct rules *r)
{
    struct str list = {0};
    const bool on[N_MULTIPLIERS] = {r->has_seven_plus,
                                    r->own_koikoi != DOUBLING_NONE,
                                    r->opponent_koikoi != DOUBLING_NONE,
                                    r->any_koikoi != DOUBLING_NONE,
                                    r->table_brights,
                                    r->call_bonus != CALL_BONUS_NONE};
    for (int m = 0; m < N_MULTIPLIERS; m++)
        if (on[m])
            draft_add(d, &list, T_DOT, TX(d, (enum text)(T_X_SEVEN_PLUS + m)));
    return list;
}

struct str part_changes(const struct draft *d, const struct rules *r, const struct rules *preset)
{
    struct str list = {0}, name, same;
    for (int i = 0;; i++) {
        char mine[64], theirs[64];
        struct buf a = BUF(mine), b = BUF(theirs);
        if (!rules_option_at(r, i, &name, &a) || !rules_option_at(preset, i, &same, &b))
            return list;
        if (a.n == 0 || str_is(buf_str(&a), buf_str(&b)) || str_is(name, STR("rounds")))
            continue;
        if (d->table && d->table->again && str_is(name, STR("first_dealer")))
            continue; /* set by the rematch, not by a player; the offer names the dealer */
        struct str value = arena_str(d->a, buf_str(&a));
        draft_add(d, &list, T_DOT, TX(d, T_RULE_OPTION, name, value));
    }
}

struct str part_factors(const struct draft *d, int added, const uint32_t x[static N_MULTIPLIERS])
{
    struct str list = {0};
    if (added > 0)
        list = TX(d, T_ADDED, TX(d, T_X_CALL_BONUS), draft_int(d, added));
    for (int m = 0; m < N_MULTIPLIERS; m++)
        if (x[m] > 1)
            list = draft_join(
                d, list, STR(" "),
                TX(d, T_FACTOR, TX(d, (enum text)(T_X_SEVEN_PLUS + m)), draft_int(d, x[m])));
    return list;
}

/* The time that so many rounds take people who answer at once: about three minutes a round. */
static struct str playing_time(const struct draft *d, int rounds)
{
    enum { ROUND_MINUTES = 3, STEP_MINUTES = 5 };
    int minutes = (rounds * ROUND_MINUTES + STEP_MINUTES - 1) / STEP_MINUTES * STEP_MINUTES;
    return TN(d, T_MINUTES, minutes, draft_int(d, minutes));
}

struct str part_clock(const struct draft *d, int64_t move_ms, int64_t total_ms, int64_t gain_ms)
{
    if (total_ms == 0)
        return move_ms ? TX(d, T_CLOCK, draft_span(d, move_ms)) : TX(d, T_NO_CLOCK);
    return gain_ms ? TX(d, T_CLOCK_GAIN, draft_span(d, total_ms), draft_span(d, gain_ms))
                   : TX(d, T_CLOCK_TOTAL, draft_span(d, total_ms));
}

const struct rules *part_preset(const struct draft *d, const struct rules *r)
{
    for (int i = 0; i < d->w->bot->n_presets; i++)
        if (strcmp(d->w->bot->presets[i].name, r->name) == 0)
            return &d->w->bot->presets[i];
    return NULL;
}

void part_terms(struct draft *d, const struct rules *r)
{
    const struct rules *preset = part_preset(d, r);
    struct str clock =
        part_clock(d, d->table->time.move_ms, d->table->time.total_ms, d->table->time.gain_ms);
    struct str rounds = TN(d, T_ROUNDS, r->rounds, draft_int(d, r->rounds));
    struct str length = playing_time(d, r->rounds);
    if (r->scoring == SCORING_COINS)
        SAY(d, T_OFFER_COINS, str_of(r->name), rounds, length, draft_coins(d, rules_start_score(r)),
            clock);
    else
        SAY(d, T_OFFER_POINTS, str_of(r->name), rounds, length, clock);
    struct str changes = preset ? part_changes(d, r, preset) : (struct str){0};
    if (changes.n > 0)
        SAY(d, T_OFFER_CHANGES, changes);
}

void part_pay(struct draft *d, const struct rules *r)
{
    struct str seven = draft_int(d, r->seven_points), x = draft_int(d, r->seven_x);
    if (r->has_seven_plus)
        draft_line(d, r->seven_min_yaku > 1 ? TN(d, T_RULE_SEVEN_FROM, r->seven_min_yaku,
                                                 draft_int(d, r->seven_min_yaku), seven, x)
                                            : TX(d, T_RULE_SEVEN, seven, x));
    if (r->own_koikoi != DOUBLING_NONE)
        SAY(d, r->own_koikoi == DOUBLING_ONCE ? T_RULE_OWN_ONCE : T_RULE_OWN_EACH);
    if (r->opponent_koikoi != DOUBLING_NONE)
        SAY(d, r->opponent_koikoi == DOUBLING_ONCE ? T_RULE_OPPONENT_ONCE : T_RULE_OPPONENT_EACH);
    if (r->any_koikoi != DOUBLING_NONE)
        SAY(d, r->any_koikoi == DOUBLING_ONCE ? T_RULE_ANY_ONCE : T_RULE_ANY_PLUS);
    if (r->table_brights)
        SAY(d, T_RULE_TABLE_BRIGHTS);
    if (r->call_bonus != CALL_BONUS_NONE)
        SAY(d, T_RULE_CALL_BONUS);
}
