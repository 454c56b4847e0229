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

static void put_calls(struct body *body, const struct hint *h)
{
    const struct str stop = body->words->word[WORD_STOP], koikoi = body->words->word[WORD_KOIKOI];
    body_line(body, TX(body, T_HINT_STOP, stop, body_coins(body, h->stop_gain),
                       body_int(body, h->stop_win)));
    body_line(body,
              TX(body, T_HINT_KOIKOI, koikoi, body_int(body, h->koikoi_win), body_int(body, h->won),
                 body_coins(body, h->gain), body_int(body, h->lost), body_coins(body, h->risk)));
}

void part_hint(struct body *body, const struct hint *h)
{
    if (h->decision) {
        put_calls(body, h);
        return;
    }
    const struct part_why w = {h->kind, h->seat, h->yaku, h->card, h->chance, h->instead};
    struct str line = TX(body, T_HINT, part_move_words(body, h->best), body_int(body, h->win)),
               why = part_why_words(body, &w);
    body_line(body, why.n > 0 ? body_join(body, line, TX0(body, T_DASH), why) : line);
}
