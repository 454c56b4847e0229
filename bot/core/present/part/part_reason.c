/* Why a move is the best, in words: for hints, reviews and puzzles. See part.h. */
#include "part.h"

#include "review.h"

struct str part_move_words(const struct body *body, struct move m)
{
    switch ((enum move_kind)m.kind) {
    case MOVE_STOP:
        return body->words->word[WORD_STOP];
    case MOVE_KOIKOI:
        return body->words->word[WORD_KOIKOI];
    case MOVE_DECLARE:
        return TX0(body, T_MOVE_DECLARE);
    case MOVE_REDEAL:
        return TX0(body, T_MOVE_REDEAL);
    case MOVE_PLAY:
    case MOVE_CHOOSE:
    case MOVE_RESIGN:
        break;
    }
    return m.take ? TX(body, T_MOVE_TAKES, body_card(body, m.card), body_cards(body, m.take))
                  : TX(body, T_MOVE_LAYS, body_card(body, m.card));
}

struct str part_why_words(const struct body *body, const struct part_why *w)
{
    if (w->kind < REASON_COMPLETES || w->kind > REASON_BLOCKS || w->seat >= body->table->players)
        return (struct str){0};
    struct str yaku = body->words->yaku[w->yaku], name = body_name(body, w->seat);
    struct str card = w->card < N_CARDS ? body_card(body, w->card) : (struct str){0};
    struct str instead = body_int(body, w->instead), chance = body_int(body, w->chance);
    switch ((enum reason_kind)w->kind) {
    case REASON_COMPLETES:
        return TX(body, T_WHY_COMPLETES, card, yaku);
    case REASON_TAKES:
        return TX(body, T_WHY_TAKES, card, yaku, instead, chance);
    case REASON_HOLDS:
        return TX(body, T_WHY_HOLDS, card, yaku, instead, chance);
    case REASON_DENIES:
        return TX(body, T_WHY_DENIES, card, name, yaku, instead, chance);
    case REASON_GIVES:
        return TX(body, T_WHY_GIVES, card, name, yaku, instead, chance);
    case REASON_BLOCKS:
        return TX(body, T_WHY_BLOCKS, name, yaku, instead, chance);
    default:
        return TX(body, T_WHY_BUILDS, yaku, instead, chance);
    }
}

/* An outcome of 0 percent is left out or put in words. */
static struct str koikoi_words(const struct body *body, const struct hint *h)
{
    struct str word = body->words->word[WORD_KOIKOI], win = body_int(body, h->koikoi_win);
    struct str won = body_int(body, h->won), gain = body_coins(body, h->gain);
    struct str lost = body_int(body, h->lost), risk = body_coins(body, h->risk);
    if (h->won == 0 && h->lost == 0)
        return TX(body, T_HINT, word, win);
    if (h->lost == 0)
        return TX(body, T_HINT_KOIKOI_SAFE, word, win, won, gain);
    if (h->won == 0)
        return TX(body, T_HINT_KOIKOI_VAIN, word, win, lost, risk);
    return TX(body, T_HINT_KOIKOI, word, win, won, gain, lost, risk);
}

static void put_calls(struct body *body, const struct hint *h)
{
    const struct str stop = body->words->word[WORD_STOP];
    body_line(body, TX(body, T_HINT_STOP, stop, body_coins(body, h->stop_gain),
                       body_int(body, h->stop_win)));
    body_line(body, koikoi_words(body, h));
}

/* What is lacking for a yaku, in cards; a long list is counted. `n` of them are enough if there are
 * more. */
static struct str lacking_words(const struct body *body, const struct reach *r)
{
    enum { FEW = 3 };
    int n = set_count(r->missing);
    return n <= FEW ? body_cards(body, r->missing) : TN(body, T_HINT_STILL, n, body_int(body, n));
}

/* Returns false if there is no plan. */
static bool put_plan(struct body *body, const struct hint *h, struct move m)
{
    struct reach r;
    const struct view *v = &body->table->view;
    if (h->plan_chance == 0 || !review_lacks(v, m, v->seat, (enum yaku)h->plan, &r))
        return false;
    struct str yaku = body->words->yaku[h->plan], chance = body_int(body, h->plan_chance);
    struct str cards = lacking_words(body, &r);
    int n = r.need - r.have;
    body_line(body, n < set_count(r.missing)
                        ? TX(body, T_HINT_PLAN_SOME, yaku, chance, body_int(body, n), cards)
                        : TX(body, T_HINT_PLAN, yaku, chance, cards));
    return true;
}

static void put_threat(struct body *body, const struct hint *h, struct move m)
{
    struct reach r;
    const struct view *v = &body->table->view;
    if (h->threat_chance == 0 || h->threat_seat >= v->players || h->threat_seat == v->seat ||
        !review_lacks(v, m, h->threat_seat, (enum yaku)h->threat, &r))
        return;
    struct str name = body_name(body, h->threat_seat), yaku = body->words->yaku[h->threat];
    struct str chance = body_int(body, h->threat_chance), cards = lacking_words(body, &r);
    int n = r.need - r.have;
    body_line(body, n < set_count(r.missing)
                        ? TX(body, T_HINT_THREAT_SOME, name, yaku, chance, body_int(body, n), cards)
                        : TX(body, T_HINT_THREAT, name, yaku, chance, cards));
}

static struct str worth_words(const struct body *body, const struct hint *h)
{
    struct str move = part_move_words(body, h->best), win = body_int(body, h->win);
    if (h->next < 0)
        return TX(body, T_HINT, move, win);
    return h->next < h->win ? TX(body, T_HINT_NEXT, move, win, body_int(body, h->next))
                            : TX(body, T_HINT_EVEN, move, win);
}

/* Three sentences at most. */
void part_hint(struct body *body, const struct hint *h)
{
    const struct move call = {.kind = MOVE_KOIKOI, .card = CARD_NONE};
    if (h->decision) {
        put_calls(body, h);
        if (!put_plan(body, h, call))
            put_threat(body, h, call);
        return;
    }
    const struct part_why w = {h->kind, h->seat, h->yaku, h->card, h->chance, h->instead};
    struct str line = worth_words(body, h), why = part_why_words(body, &w);
    body_line(body, why.n > 0 ? body_join(body, line, TX0(body, T_DASH), why) : line);
    (void)put_plan(body, h, h->best);
    put_threat(body, h, h->best);
}
