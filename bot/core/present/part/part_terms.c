/* The terms of a match: rules, clock, doublings, house rules. See part.h. */
#include "part.h"

#include "rules_option.h"
#include "search.h"

struct str part_level(const struct body *body, int level)
{
    _Static_assert(T_LEVEL_MASTER - T_LEVEL_BEGINNER == LEVEL_MASTER, "a text for each level");
    return TX0(body, (enum text)(T_LEVEL_BEGINNER + level));
}

struct str part_doublings(const struct body *body, const struct rules *r)
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
            list =
                body_join(body, list, TX0(body, T_DOT), TX0(body, (enum text)(T_X_SEVEN_PLUS + m)));
    return list;
}

struct str part_changes(const struct body *body, const struct rules *r, const struct rules *preset)
{
    struct str list = {0}, name, same;
    for (int i = 0;; i++) {
        char mine[64], theirs[64];
        struct buf a = BUF(mine), b = BUF(theirs);
        if (!rules_option_at(r, i, &name, &a) || !rules_option_at(preset, i, &same, &b))
            return list;
        if (a.n == 0 || str_is(buf_str(&a), buf_str(&b)) || str_is(name, STR("rounds")))
            continue;
        if (body->table && body->table->again && str_is(name, STR("first_dealer")))
            continue; /* set by the rematch, not by a player; the offer names the dealer */
        struct str value = arena_str(body->a, buf_str(&a));
        list = body_join(body, list, TX0(body, T_DOT), TX(body, T_RULE_OPTION, name, value));
    }
}

struct str part_factors(const struct body *body, int added, const uint32_t x[static N_MULTIPLIERS])
{
    struct str list = {0};
    if (added > 0)
        list = TX(body, T_ADDED, TX0(body, T_X_CALL_BONUS), body_int(body, added));
    for (int m = 0; m < N_MULTIPLIERS; m++)
        if (x[m] > 1)
            list = body_join(body, list, STR(" "),
                             TX(body, T_FACTOR, TX0(body, (enum text)(T_X_SEVEN_PLUS + m)),
                                body_int(body, x[m])));
    return list;
}

/* The time that so many rounds take people who answer at once: about three minutes a round. */
static struct str playing_time(const struct body *body, int rounds)
{
    enum { ROUND_MINUTES = 3, STEP_MINUTES = 5 };
    int minutes = (rounds * ROUND_MINUTES + STEP_MINUTES - 1) / STEP_MINUTES * STEP_MINUTES;
    return TN(body, T_MINUTES, minutes, body_int(body, minutes));
}

struct str part_clock(const struct body *body, int64_t move_ms, int64_t total_ms, int64_t gain_ms)
{
    if (total_ms == 0)
        return move_ms ? TX(body, T_CLOCK, body_span(body, move_ms)) : TX0(body, T_NO_CLOCK);
    return gain_ms ? TX(body, T_CLOCK_GAIN, body_span(body, total_ms), body_span(body, gain_ms))
                   : TX(body, T_CLOCK_TOTAL, body_span(body, total_ms));
}

void part_terms(struct body *body, const struct rules *r)
{
    const struct rules *preset = NULL;
    for (int i = 0; i < body->w->n_presets; i++)
        if (strcmp(body->w->presets[i].name, r->name) == 0)
            preset = &body->w->presets[i];
    struct str clock =
        part_clock(body, body->table->clock_ms, body->table->total_ms, body->table->gain_ms);
    struct str rounds = TN(body, T_ROUNDS, r->rounds, body_int(body, r->rounds));
    struct str length = playing_time(body, r->rounds);
    if (r->scoring == SCORING_COINS)
        body_line(body, TX(body, T_OFFER_COINS, str_of(r->name), rounds, length,
                           body_coins(body, rules_start_score(r)), clock));
    else
        body_line(body, TX(body, T_OFFER_POINTS, str_of(r->name), rounds, length, clock));
    struct str changes = preset ? part_changes(body, r, preset) : (struct str){0};
    if (changes.n > 0)
        body_line(body, TX(body, T_OFFER_CHANGES, changes));
}

void part_pay(struct body *body, const struct rules *r)
{
    struct str seven = body_int(body, r->seven_points), x = body_int(body, r->seven_x);
    if (r->has_seven_plus)
        body_line(body, r->seven_min_yaku > 1 ? TN(body, T_RULE_SEVEN_FROM, r->seven_min_yaku,
                                                   body_int(body, r->seven_min_yaku), seven, x)
                                              : TX(body, T_RULE_SEVEN, seven, x));
    if (r->own_koikoi != DOUBLING_NONE)
        body_line(body,
                  TX0(body, r->own_koikoi == DOUBLING_ONCE ? T_RULE_OWN_ONCE : T_RULE_OWN_EACH));
    if (r->opponent_koikoi != DOUBLING_NONE)
        body_line(body, TX0(body, r->opponent_koikoi == DOUBLING_ONCE ? T_RULE_OPPONENT_ONCE
                                                                      : T_RULE_OPPONENT_EACH));
    if (r->any_koikoi != DOUBLING_NONE)
        body_line(body,
                  TX0(body, r->any_koikoi == DOUBLING_ONCE ? T_RULE_ANY_ONCE : T_RULE_ANY_PLUS));
    if (r->table_brights)
        body_line(body, TX0(body, T_RULE_TABLE_BRIGHTS));
    if (r->call_bonus != CALL_BONUS_NONE)
        body_line(body, TX0(body, T_RULE_CALL_BONUS));
}
