/* Moves in words: what they take and make, as answers to choose from, and why one is the best. See
 * part.h. */
#include "part.h"

#include "review.h"

/* ---- a move ---- */

struct str part_capture(const struct draft *d, const struct scene_move *m)
{
    struct str cards = {0}, yaku = draft_yaku(d, m->makes);
    for (cardset rest = m->move.take; rest; rest = set_rest(rest)) /* without the months' numbers */
        draft_add(d, &cards, T_DOT, draft_card_alone(d, set_first(rest), true));
    return yaku.n > 0 ? TX(d, T_CAPTURE_YAKU, cards, yaku) : cards;
}

struct str part_move(const struct draft *d, const struct scene_move *m)
{
    return m->move.take ? TX(d, T_TAKES, part_capture(d, m)) : TX(d, T_LAYS_DOWN);
}

struct str part_letter(const struct draft *d, int n)
{
    return arena_print(d->a, "%c", 'A' + n - 1);
}

struct str part_declare(const struct draft *d)
{
    const struct view *v = &d->table->view;
    enum hand_yaku h = hand_yaku_of(draft_ruleset(d), v->hand);
    return TX(d, T_BUTTON_DECLARE, d->words->hand_yaku[h], draft_coins(d, v->rules.hand_yaku[h]));
}

/* ---- stop or koi-koi ---- */

void part_koikoi_means(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    const struct rules *r = &d->table->view.rules;
    const struct score *score = &s->at[s->seat].score;
    bool others_play = false;
    int calls = 0, lacks = r->seven_points - score->base;
    for (int i = 0; i < s->players; i++) {
        others_play |= i != s->seat && s->at[i].hand_size > 0;
        calls += s->at[i].calls;
    }
    SAY_IF(d, s->n_hand > 0 && (r->own_koikoi != DOUBLING_NONE || r->any_koikoi != DOUBLING_NONE),
           T_DECIDE_OWN);
    SAY_IF(d, s->n_hand > 0 && r->call_bonus != CALL_BONUS_NONE, T_DECIDE_BONUS);
    SAY_IF(d, r->koikoi_limit > 0 && calls + 1 == r->koikoi_limit, T_DECIDE_LIMIT,
           d->words->word[WORD_KOIKOI]);
    SAY_IF(d,
           others_play && (r->opponent_koikoi != DOUBLING_NONE || r->any_koikoi != DOUBLING_NONE),
           T_DECIDE_OTHER);
    SAY_IF(d, s->n_hand == 0, T_DECIDE_LAST);
    SAY_IF(d, s->n_hand == 0 && r->exhausted == EXHAUSTED_OYA_KAN, T_DECIDE_OYA_KAN,
           d->words->word[WORD_DEALER], draft_coins(d, OYA_KAN_POINTS));
    if (s->n_hand > 0 && r->has_seven_plus && lacks > 0 && score->n_yaku >= r->seven_min_yaku)
        SAY_N(d, T_DECIDE_SEVEN, lacks, draft_int(d, lacks), draft_int(d, r->seven_points),
              draft_int(d, r->seven_x));
}

int64_t part_stop_gain(const struct draft *d)
{
    const struct view *v = &d->table->view;
    int64_t points = draft_scene(d)->stop.points;
    int64_t purse = v->rules.scoring == SCORING_COINS ? v->scores[1 - v->seat] : points;
    return points < purse ? points : purse;
}

/* ---- an answer ---- */

struct str part_option_label(const struct draft *d, const struct scene_move *m)
{
    const struct scene *s = draft_scene(d);
    switch ((enum move_kind)m->move.kind) {
    case MOVE_STOP:
        return TX(d, T_BUTTON_STOP, d->words->word[WORD_STOP], draft_coins(d, s->stop.points));
    case MOVE_KOIKOI:
        return TX(d, T_BUTTON_KOIKOI, d->words->word[WORD_KOIKOI]);
    case MOVE_CHOOSE:
        return draft_label(d, set_first(m->move.take));
    default:
        break;
    }
    int same = 0;
    for (int i = 0; i < s->n_moves; i++)
        same += s->move[i].move.kind == MOVE_PLAY && s->move[i].move.card == m->move.card;
    struct str card = draft_label(d, m->move.card);
    return same > 1 ? draft_join(d, card, TX(d, T_ARROW), draft_label(d, set_first(m->move.take)))
                    : card;
}

void part_options(struct draft *d, enum verb verb)
{
    const struct scene *s = draft_scene(d);
    SAY_IF(d, !d->poll && s->phase == PHASE_HAND, T_YOUR_CARDS);
    for (int i = 0; i < s->n_moves; i++) {
        const struct scene_move *m = &s->move[i];
        struct str number = draft_int(d, i + 1), label = part_option_label(d, m), line;
        if (m->move.kind == MOVE_PLAY)
            line = TX(d, T_HAND_LINE, number, draft_card_alone(d, m->move.card, false),
                      part_move(d, m));
        else
            line =
                TX(d, T_CHOICE_LINE, number, m->move.kind == MOVE_CHOOSE ? part_move(d, m) : label);
        if (!d->poll)
            draft_line(d, line);
        if (!d->poll && !draft_can(d, CAN_NUMBER))
            label = TX(d, T_BUTTON_NUMBERED, number, label);
        draft_button(d, d->poll ? line : label, verb, i + 1, BUTTON_PLAIN);
    }
    draft_row(d);
}

/* ---- why a move is the best: for hints, reviews and puzzles ---- */

struct str part_move_words(const struct draft *d, struct move m)
{
    if (m.kind == MOVE_STOP || m.kind == MOVE_KOIKOI)
        return d->words->word[m.kind == MOVE_STOP ? WORD_STOP : WORD_KOIKOI];
    if (m.kind == MOVE_DECLARE || m.kind == MOVE_REDEAL)
        return TX(d, m.kind == MOVE_DECLARE ? T_MOVE_DECLARE : T_MOVE_REDEAL);
    return m.take ? TX(d, T_MOVE_TAKES, draft_card(d, m.card), draft_cards_taken(d, m.take))
                  : TX(d, T_MOVE_LAYS, draft_card(d, m.card));
}

struct str part_why_words(const struct draft *d, const struct part_why *w)
{
    int k = w->kind;
    if (k < REASON_COMPLETES || k > REASON_BLOCKS || w->seat >= d->table->players)
        return STR("");
    struct str yaku = d->words->yaku[w->yaku], name = draft_name(d, w->seat);
    struct str card = w->card < N_CARDS ? draft_card(d, w->card) : STR("");
    struct str instead = draft_int(d, w->instead), chance = draft_int(d, w->chance);
    return k == REASON_COMPLETES ? TX(d, T_WHY_COMPLETES, card, yaku)
           : k == REASON_TAKES   ? TX(d, T_WHY_TAKES, card, yaku, instead, chance)
           : k == REASON_HOLDS   ? TX(d, T_WHY_HOLDS, card, yaku, instead, chance)
           : k == REASON_DENIES  ? TX(d, T_WHY_DENIES, card, name, yaku, instead, chance)
           : k == REASON_GIVES   ? TX(d, T_WHY_GIVES, card, name, yaku, instead, chance)
           : k == REASON_BLOCKS  ? TX(d, T_WHY_BLOCKS, name, yaku, instead, chance)
                                 : TX(d, T_WHY_BUILDS, yaku, instead, chance);
}

/* Both calls with their numbers. An outcome of 0 percent is left out or put in words. */
static void put_calls(struct draft *d, const struct hint *h)
{
    struct str word = d->words->word[WORD_KOIKOI], win = draft_int(d, h->koikoi_win);
    struct str won = draft_int(d, h->won), gain = draft_coins(d, h->gain);
    struct str lost = draft_int(d, h->lost), risk = draft_coins(d, h->risk);
    SAY(d, T_HINT_STOP, d->words->word[WORD_STOP], draft_coins(d, h->stop_gain),
        draft_int(d, h->stop_win));
    if (h->won == 0 && h->lost == 0)
        SAY(d, T_HINT, word, win);
    else if (h->lost == 0)
        SAY(d, T_HINT_KOIKOI_SAFE, word, win, won, gain);
    else if (h->won == 0)
        SAY(d, T_HINT_KOIKOI_VAIN, word, win, lost, risk);
    else
        SAY(d, T_HINT_KOIKOI, word, win, won, gain, lost, risk);
}

/* A yaku that is in reach of a seat after the move, and what is lacking for it, in cards; a long
 * list is counted. Some of them are enough if there are more than it needs. Returns false if it is
 * out of reach. */
static bool put_reach(struct draft *d, struct move m, int seat, int yaku, int chance)
{
    enum { FEW = 3 };
    const struct view *v = &d->table->view;
    struct reach r;
    if (chance == 0 || !review_lacks(v, m, seat, (enum yaku)yaku, &r))
        return false;
    int n = r.need - r.have, missing = set_count(r.missing);
    struct str name = d->words->yaku[yaku], percent = draft_int(d, chance), need = draft_int(d, n);
    struct str cards = missing <= FEW ? draft_cards(d, r.missing)
                                      : TN(d, T_HINT_STILL, missing, draft_int(d, missing));
    if (seat != v->seat)
        draft_line(d,
                   n < missing
                       ? TX(d, T_HINT_THREAT_SOME, draft_name(d, seat), name, percent, need, cards)
                       : TX(d, T_HINT_THREAT, draft_name(d, seat), name, percent, cards));
    else
        draft_line(d, n < missing ? TX(d, T_HINT_PLAN_SOME, name, percent, need, cards)
                                  : TX(d, T_HINT_PLAN, name, percent, cards));
    return true;
}

/* Three sentences at most. */
void part_hint(struct draft *d, const struct hint *h)
{
    const struct move move =
        h->decision ? (struct move){.kind = MOVE_KOIKOI, .card = CARD_NONE} : h->best;
    const struct part_why w = {h->kind, h->seat, h->yaku, h->card, h->chance, h->instead};
    if (h->decision) {
        put_calls(d, h);
    } else {
        struct str words = part_move_words(d, h->best), win = draft_int(d, h->win);
        struct str line = h->next < 0        ? TX(d, T_HINT, words, win)
                          : h->next < h->win ? TX(d, T_HINT_NEXT, words, win, draft_int(d, h->next))
                                             : TX(d, T_HINT_EVEN, words, win);
        struct str why = part_why_words(d, &w);
        if (why.n > 0)
            draft_add(d, &line, T_BECAUSE, why);
        draft_line(d, line);
    }
    const struct view *v = &d->table->view;
    bool planned = put_reach(d, move, v->seat, h->plan, h->plan_chance);
    if ((!planned || !h->decision) && h->threat_seat < v->players && h->threat_seat != v->seat)
        (void)put_reach(d, move, h->threat_seat, h->threat, h->threat_chance);
}
