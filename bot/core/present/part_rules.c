/* What a rule set does, a sentence a field. The pages of the rules say those that hold, the terms of a
 * match those in which it differs from its preset. A field that people should read of has its row here. */
#include "page.h"
#include "rules_field.h"
#include "rules_option.h"

#define SILENT T_DOT /* no sentence of a rule: this value says nothing */

/* By value; a number says its sentence, with itself in it, unless it is 0. */
static const struct {
    const char *path;
    enum text says[MAX_RULES_WORDS];
} rows[] = {
    {"first_dealer", {T_RULE_FIRST_LOTS, T_RULE_FIRST_CHALLENGER, T_RULE_FIRST_RANDOM}},
    {"tie_break", {SILENT, T_RULE_EXTRA}},
    {"table_four", {T_RULE_TABLE_FOUR, SILENT}},
    {"hand_four", {SILENT, T_RULE_HAND_FOUR, T_RULE_HAND_FOUR_AT_ONCE}},
    {"hand_yaku.multiplied", {SILENT, T_RULE_HAND_MULTIPLIED}},
    {"capture", {T_RULE_FORCED, T_RULE_OPTIONAL}},
    {"wild_lightning", {SILENT, T_RULE_WILD}},
    {"exhausted", {T_RULE_EXHAUSTED, T_RULE_OYA_KAN, T_RULE_DEALER_POINT, T_RULE_BEST_YAKU}},
    {"multipliers.own_koikoi", {SILENT, T_RULE_OWN_ONCE, T_RULE_OWN_EACH}},
    {"multipliers.opponent_koikoi", {SILENT, T_RULE_OPPONENT_ONCE, T_RULE_OPPONENT_EACH}},
    {"multipliers.any_koikoi", {SILENT, T_RULE_ANY_ONCE, SILENT, T_RULE_ANY_PLUS}},
    {"multipliers.table_brights", {SILENT, T_RULE_TABLE_BRIGHTS}},
    {"yaku.month_of_round", {SILENT, T_RULE_MONTH_OF_ROUND}},
    {"viewing.rain_cancels", {SILENT, T_RULE_RAIN, T_RULE_RAIN_LIGHTNING, T_RULE_RAIN_WILLOW}},
    {"viewing.both", {SILENT, T_RULE_BOTH}},
    {"viewing.with_brights", {T_RULE_NOT_WITH_BRIGHTS, SILENT}},
    {"viewing.after_koikoi", {SILENT, T_RULE_AFTER_KOIKOI}},
    {"viewing.alone", {T_RULE_VIEWING_BESIDE, SILENT}},
    {"viewing.season", {SILENT, T_RULE_VIEWING_DOUBLE, T_RULE_VIEWING_ONLY}},
    {"sake_is_plain", {T_RULE_SAKE_NOT, T_RULE_SAKE}},
    {"trio_extra", {SILENT, T_RULE_TRIO_ADD, T_RULE_TRIO_ABSORB}},
    {"koikoi_limit", {SILENT, T_RULE_KOIKOI_LIMIT}},
    {"drawn_dealer", {SILENT, T_RULE_DRAWN_CHANGES}},
    {"call_bonus", {SILENT, T_RULE_CALL_BONUS}},
    {"both_ribbons", {SILENT, T_RULE_BOTH_RIBBONS}},
    {"hand.2", {SILENT, T_RULE_HAND_SIZE}},
    {"hand.3", {SILENT, T_RULE_HAND_SIZE}},
    {"table.2", {SILENT, T_RULE_TABLE_SIZE}},
    {"table.3", {SILENT, T_RULE_TABLE_SIZE}},
    {"deal.packet", {SILENT, T_RULE_DEAL}},
    {"deal.order", {T_RULE_DEAL, T_RULE_DEAL, T_RULE_DEAL}},
};

/* The sentence with what stands in it beside the number. */
static struct str filled(const struct draft *d, const struct rules *r, enum text says, int n)
{
    const struct str number = draft_int(d, n);
    switch (says) {
    case SILENT:
        return STR("");
    case T_RULE_WILD:
        return TX(d, says, draft_card(d, LIGHTNING));
    case T_RULE_HAND_FOUR:
        return TX(d, says, draft_command(d, VERB_REDEAL));
    case T_RULE_SAKE:
        return TX(d, says, draft_card(d, SAKE), d->words->word[WORD_ANIMAL],
                  d->words->word[WORD_PLAIN]);
    case T_RULE_SAKE_NOT:
        return TX(d, says, draft_card(d, SAKE), d->words->word[WORD_ANIMAL]);
    case T_RULE_BOTH_RIBBONS:
        return TX(d, says, d->words->yaku[YAKU_AKATAN], d->words->yaku[YAKU_AOTAN],
                  draft_int(d, r->both_ribbons));
    default:
        return TN(d, says, n, number);
    }
}

static struct str hand_yaku(const struct draft *d, const struct rules *r)
{
    struct str list = {0};
    for (int h = 1; r->has_hand_yaku && h < N_HAND_YAKU; h++)
        if (r->hand_yaku[h] > 0)
            draft_add(d, &list, T_DOT, draft_worth(d, d->words->hand_yaku[h], r->hand_yaku[h]));
    return list.n == 0 ? STR("")
           : r->claim == CLAIM_DECLARED
               ? TX(d, T_RULE_HAND_DECLARED, list, draft_command(d, VERB_DECLARE))
               : TX(d, T_RULE_HAND_AUTOMATIC, list);
}

static struct str seven_plus(const struct draft *d, const struct rules *r)
{
    struct str seven = draft_int(d, r->seven_points), x = draft_int(d, r->seven_x);
    return !r->has_seven_plus      ? STR("")
           : r->seven_min_yaku > 1 ? TN(d, T_RULE_SEVEN_FROM, r->seven_min_yaku,
                                        draft_int(d, r->seven_min_yaku), seven, x)
                                   : TX(d, T_RULE_SEVEN, seven, x);
}

struct str part_rounds(const struct draft *d, const struct rules *r)
{
    return TN(d, T_ROUNDS, r->rounds, draft_int(d, r->rounds));
}

struct str part_rule(const struct draft *d, const struct rules *r, const char *path)
{
    const struct str name = str_of(path);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_is(name, str_of(rows[i].path))) {
            const struct rules_field *f = rules_field_find(path);
            int n = rules_field_get(r, f), value = f->kind == RULES_NUMBER ? n > 0 : n;
            return filled(d, r, rows[i].says[value], n);
        }
    if (str_starts(name, STR("hand_yaku")))
        return hand_yaku(d, r);
    return str_starts(name, STR("multipliers.seven_plus")) ? seven_plus(d, r) : STR("");
}

/* ---- in what a table differs ---- */

/* A sentence as a part of a list. */
static struct str without_stop(struct str s)
{
    static const struct str stops[] = {{".", 1}, {"。", 3}};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        if (s.n > stops[i].n && str_is(str_skip(s, s.n - stops[i].n), stops[i]))
            s.n -= stops[i].n;
    return s;
}

/* What the rules do in that field, or what they do not that the preset does. */
static struct str change_of(const struct draft *d, const struct rules *r,
                            const struct rules *preset, struct str path, struct str value)
{
    for (int y = 0; y < N_YAKU; y++)
        if (str_is(path, arena_print(d->a, "yaku.%s", yaku_key((enum yaku)y))))
            return TX(d, T_SETTING, d->words->yaku[y], value);
    if (str_is(path, STR("rounds")))
        return part_rounds(d, r);
    if (str_is(path, STR("words")) || str_is(path, STR("deck")))
        return TX(d, path.p[0] == 'w' ? T_RULE_WORDS : T_RULE_DECK, value);
    if (str_is(path, STR("hand_yaku")) && !r->has_hand_yaku)
        return TX(d, T_RULE_HAND_NONE);
    struct str says = part_rule(d, r, path.p), usual = part_rule(d, preset, path.p);
    if (says.n > 0 || usual.n == 0)
        return without_stop(says);
    return TX(d, T_RULE_NOT, without_stop(usual));
}

/* A sentence may be that of several fields. */
static bool is_said(const struct str said[MAX_RULES_FIELDS], int n, struct str change)
{
    while (n > 0 && !str_is(said[n - 1], change))
        n--;
    return n > 0;
}

/* The scoring and the purse stand beside it in any case. */
struct str part_changes(const struct draft *d, const struct rules *r, const struct rules *preset)
{
    struct str list = {0}, name, same, said[MAX_RULES_FIELDS];
    int n = 0;
    const bool house = !memchr(preset->rounds_allowed, r->rounds, preset->n_rounds_allowed);
    for (int i = 0;; i++) {
        char mine[64], theirs[64];
        struct buf a = BUF(mine), b = BUF(theirs);
        if (!rules_option_at(r, i, &name, &a) || !rules_option_at(preset, i, &same, &b))
            return list;
        if (a.n == 0 || str_is(buf_str(&a), buf_str(&b)) || (!house && str_is(name, STR("rounds"))))
            continue; /* of an object that is null, which says so */
        if (d->table && d->table->again && str_is(name, STR("first_dealer")))
            continue; /* set by the rematch, not by a player; the offer names the dealer */
        struct str change = change_of(d, r, preset, name, arena_str(d->a, buf_str(&a)));
        if (change.n > 0 && !is_said(said, n, change))
            draft_add(d, &list, T_DOT, said[n++] = change);
    }
}
