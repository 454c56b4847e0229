/* Why a move is the best, in words: for hints, reviews and puzzles. See part.h. */
#include "part.h"

#include "review.h"

struct str part_move_words(const struct draft *d, struct move m)
{
    switch ((enum move_kind)m.kind) {
    case MOVE_STOP:
        return d->words->word[WORD_STOP];
    case MOVE_KOIKOI:
        return d->words->word[WORD_KOIKOI];
    case MOVE_DECLARE:
        return TX(d, T_MOVE_DECLARE);
    case MOVE_REDEAL:
        return TX(d, T_MOVE_REDEAL);
    case MOVE_PLAY:
    case MOVE_CHOOSE:
    case MOVE_RESIGN:
        break;
    }
    return m.take ? TX(d, T_MOVE_TAKES, draft_card(d, m.card), draft_cards(d, m.take))
                  : TX(d, T_MOVE_LAYS, draft_card(d, m.card));
}

struct str part_why_words(const struct draft *d, const struct part_why *w)
{
    if (w->kind < REASON_COMPLETES || w->kind > REASON_BLOCKS || w->seat >= d->table->players)
        return (struct str){0};
    struct str yaku = d->words->yaku[w->yaku], name = draft_name(d, w->seat);
    struct str card = w->card < N_CARDS ? draft_card(d, w->card) : (struct str){0};
    struct str instead = draft_int(d, w->instead), chance = draft_int(d, w->chance);
    switch ((enum reason_kind)w->kind) {
    case REASON_COMPLETES:
        return TX(d, T_WHY_COMPLETES, card, yaku);
    case REASON_TAKES:
        return TX(d, T_WHY_TAKES, card, yaku, instead, chance);
    case REASON_HOLDS:
        return TX(d, T_WHY_HOLDS, card, yaku, instead, chance);
    case REASON_DENIES:
        return TX(d, T_WHY_DENIES, card, name, yaku, instead, chance);
    case REASON_GIVES:
        return TX(d, T_WHY_GIVES, card, name, yaku, instead, chance);
    case REASON_BLOCKS:
        return TX(d, T_WHY_BLOCKS, name, yaku, instead, chance);
    default:
        return TX(d, T_WHY_BUILDS, yaku, instead, chance);
    }
}

/* An outcome of 0 percent is left out or put in words. */
static struct str koikoi_words(const struct draft *d, const struct hint *h)
{
    struct str word = d->words->word[WORD_KOIKOI], win = draft_int(d, h->koikoi_win);
    struct str won = draft_int(d, h->won), gain = draft_coins(d, h->gain);
    struct str lost = draft_int(d, h->lost), risk = draft_coins(d, h->risk);
    if (h->won == 0 && h->lost == 0)
        return TX(d, T_HINT, word, win);
    if (h->lost == 0)
        return TX(d, T_HINT_KOIKOI_SAFE, word, win, won, gain);
    if (h->won == 0)
        return TX(d, T_HINT_KOIKOI_VAIN, word, win, lost, risk);
    return TX(d, T_HINT_KOIKOI, word, win, won, gain, lost, risk);
}

static void put_calls(struct draft *d, const struct hint *h)
{
    const struct str stop = d->words->word[WORD_STOP];
    SAY(d, T_HINT_STOP, stop, draft_coins(d, h->stop_gain), draft_int(d, h->stop_win));
    draft_line(d, koikoi_words(d, h));
}

/* What is lacking for a yaku, in cards; a long list is counted. `n` of them are enough if there are
 * more. */
static struct str lacking_words(const struct draft *d, const struct reach *r)
{
    enum { FEW = 3 };
    int n = set_count(r->missing);
    return n <= FEW ? draft_cards(d, r->missing) : TN(d, T_HINT_STILL, n, draft_int(d, n));
}

/* Returns false if there is no plan. */
static bool put_plan(struct draft *d, const struct hint *h, struct move m)
{
    struct reach r;
    const struct view *v = &d->table->view;
    if (h->plan_chance == 0 || !review_lacks(v, m, v->seat, (enum yaku)h->plan, &r))
        return false;
    struct str yaku = d->words->yaku[h->plan], chance = draft_int(d, h->plan_chance);
    struct str cards = lacking_words(d, &r);
    int n = r.need - r.have;
    draft_line(d, n < set_count(r.missing)
                      ? TX(d, T_HINT_PLAN_SOME, yaku, chance, draft_int(d, n), cards)
                      : TX(d, T_HINT_PLAN, yaku, chance, cards));
    return true;
}

static void put_threat(struct draft *d, const struct hint *h, struct move m)
{
    struct reach r;
    const struct view *v = &d->table->view;
    if (h->threat_chance == 0 || h->threat_seat >= v->players || h->threat_seat == v->seat ||
        !review_lacks(v, m, h->threat_seat, (enum yaku)h->threat, &r))
        return;
    struct str name = draft_name(d, h->threat_seat), yaku = d->words->yaku[h->threat];
    struct str chance = draft_int(d, h->threat_chance), cards = lacking_words(d, &r);
    int n = r.need - r.have;
    draft_line(d, n < set_count(r.missing)
                      ? TX(d, T_HINT_THREAT_SOME, name, yaku, chance, draft_int(d, n), cards)
                      : TX(d, T_HINT_THREAT, name, yaku, chance, cards));
}

static struct str worth_words(const struct draft *d, const struct hint *h)
{
    struct str move = part_move_words(d, h->best), win = draft_int(d, h->win);
    if (h->next < 0)
        return TX(d, T_HINT, move, win);
    return h->next < h->win ? TX(d, T_HINT_NEXT, move, win, draft_int(d, h->next))
                            : TX(d, T_HINT_EVEN, move, win);
}

/* Three sentences at most. */
void part_hint(struct draft *d, const struct hint *h)
{
    const struct move call = {.kind = MOVE_KOIKOI, .card = CARD_NONE};
    if (h->decision) {
        put_calls(d, h);
        if (!put_plan(d, h, call))
            put_threat(d, h, call);
        return;
    }
    const struct part_why w = {h->kind, h->seat, h->yaku, h->card, h->chance, h->instead};
    struct str line = worth_words(d, h), why = part_why_words(d, &w);
    draft_line(d, why.n > 0 ? draft_join(d, line, TX(d, T_DASH), why) : line);
    (void)put_plan(d, h, h->best);
    put_threat(d, h, h->best);
}
