/* The teacher's words: a hint under a hand, and a match looked at again. Chances are shown in whole
 * percent; what they are of is said beside them. */
#include "page.h"

#include "hint.h"

static struct str percent(const struct page *pg, float share)
{
    return page_int(pg, (int64_t)(share * 100 + (share < 0 ? -0.5f : 0.5f)));
}

static struct str signed_percent(const struct page *pg, float share)
{
    return page_signed(pg, (int64_t)(share * 100 + (share < 0 ? -0.5f : 0.5f)));
}

static struct str move_text(const struct page *pg, struct move m)
{
    switch ((enum move_kind)m.kind) {
    case MOVE_STOP:
        return pg->words->word[WORD_STOP];
    case MOVE_KOIKOI:
        return pg->words->word[WORD_KOIKOI];
    case MOVE_DECLARE:
        return TX0(pg, T_MOVE_DECLARE);
    case MOVE_REDEAL:
        return TX0(pg, T_MOVE_REDEAL);
    case MOVE_PLAY:
    case MOVE_CHOOSE:
    case MOVE_RESIGN:
        break;
    }
    return m.take ? TX(pg, T_MOVE_TAKES, page_card(pg, m.card), page_cards(pg, m.take))
                  : TX(pg, T_MOVE_LAYS, page_card(pg, m.card));
}

struct why {
    int kind, seat, yaku, card, chance, instead;
};

/* The reason in words; empty if there is none that words add to. */
static struct str why_text(const struct page *pg, const struct why *w)
{
    if (w->kind < REASON_COMPLETES || w->kind > REASON_BLOCKS || w->seat >= pg->table->players)
        return (struct str){0};
    struct str yaku = pg->words->yaku[w->yaku], name = page_name(pg, w->seat);
    struct str card = w->card < N_CARDS ? page_card(pg, w->card) : (struct str){0};
    struct str instead = page_int(pg, w->instead), chance = page_int(pg, w->chance);
    switch ((enum reason_kind)w->kind) {
    case REASON_COMPLETES:
        return TX(pg, T_WHY_COMPLETES, card, yaku);
    case REASON_TAKES:
        return TX(pg, T_WHY_TAKES, card, yaku, instead, chance);
    case REASON_HOLDS:
        return TX(pg, T_WHY_HOLDS, card, yaku, instead, chance);
    case REASON_DENIES:
        return TX(pg, T_WHY_DENIES, card, name, yaku, instead, chance);
    case REASON_GIVES:
        return TX(pg, T_WHY_GIVES, card, name, yaku, instead, chance);
    case REASON_BLOCKS:
        return TX(pg, T_WHY_BLOCKS, name, yaku, instead, chance);
    default:
        return TX(pg, T_WHY_BUILDS, yaku, instead, chance);
    }
}

/* ---- a hint ---- */

void present_hint(struct page *pg)
{
    struct hint h;
    if (!hint_read(pg->table->hint, &h))
        return;
    if (h.decision) {
        const struct word_of {
            struct str stop, koikoi;
        } w = {pg->words->word[WORD_STOP], pg->words->word[WORD_KOIKOI]};
        page_line(
            pg, TX(pg, T_HINT_STOP, w.stop, page_coins(pg, h.stop_gain), page_int(pg, h.stop_win)));
        page_line(pg,
                  TX(pg, T_HINT_KOIKOI, w.koikoi, page_int(pg, h.koikoi_win), page_int(pg, h.won),
                     page_coins(pg, h.gain), page_int(pg, h.lost), page_coins(pg, h.risk)));
        return;
    }
    const struct why w = {h.kind, h.seat, h.yaku, h.card, h.chance, h.instead};
    struct str line = TX(pg, T_HINT, move_text(pg, h.best), page_int(pg, h.win)),
               why = why_text(pg, &w);
    page_line(pg, why.n > 0 ? page_join(pg, line, TX0(pg, T_DASH), why) : line);
}

/* ---- a match ---- */

static struct str line_text(const struct page *pg, const struct lesson_line *l)
{
    struct str name = page_name(pg, l->seat), made = move_text(pg, l->made);
    const struct reason *r = &l->reason;
    const struct why w = {r->kind,
                          r->seat,
                          r->yaku,
                          r->card,
                          (int)(r->chance * 100 + 0.5f),
                          (int)(r->instead * 100 + 0.5f)};
    struct str why = why_text(pg, &w), best = move_text(pg, l->best), line;
    if (l->loss < 0.005f)
        line = TX(pg, T_REVIEW_LINE, name, made);
    else
        line = TX(pg, T_REVIEW_LOSS, name, made, percent(pg, l->loss),
                  why.n > 0 ? page_join(pg, best, TX0(pg, T_DASH), why) : best);
    return l->hinted ? page_join(pg, line, STR(" "), TX0(pg, T_REVIEW_HINTED)) : line;
}

static void players(struct page *pg, const struct lesson *l)
{
    for (int s = 0; s < l->players; s++) {
        const struct lesson_player *p = &l->player[s];
        page_line(pg, p->decisions == 0 ? TX(pg, T_REVIEW_PLAYER_NONE, page_name(pg, s))
                                        : TN(pg, T_REVIEW_PLAYER, p->decisions, page_name(pg, s),
                                             percent(pg, p->accuracy), page_int(pg, p->decisions),
                                             percent(pg, p->lost)));
    }
    for (int s = 0; s < l->players && l->why != MATCH_LEAVE; s++)
        page_line(pg, TX(pg, T_REVIEW_LUCK, page_name(pg, s), signed_percent(pg, l->player[s].play),
                         signed_percent(pg, l->player[s].cards)));
}

static void moments(struct page *pg, const struct lesson *l)
{
    page_line(pg, TX0(pg, l->n_moments ? T_REVIEW_MOMENTS : T_REVIEW_NO_MOMENTS));
    for (int i = 0; i < l->n_moments; i++) {
        const struct lesson_line *line = &l->at[l->moment[i]];
        page_line(pg, TX(pg, T_REVIEW_MOMENT, page_int(pg, i + 1), page_int(pg, line->round),
                         line_text(pg, line)));
    }
}

/* The round that moved the chances most, told of who gained by it. */
static void turning(struct page *pg, const struct lesson *l)
{
    int i = l->turning, who = 0;
    if (i < 0)
        return;
    for (int s = 1; s < l->players; s++)
        if (lesson_after(l, i, s) - l->round[i].start[s] >
            lesson_after(l, i, who) - l->round[i].start[who])
            who = s;
    page_line(pg, TX(pg, T_REVIEW_TURNING, page_int(pg, l->round[i].round), page_name(pg, who),
                     percent(pg, l->round[i].start[who]), percent(pg, lesson_after(l, i, who))));
}

static void round_button(struct page *pg, const struct lesson *l, int64_t i)
{
    if (i >= 0 && i < l->n_rounds)
        page_button(pg, TX(pg, T_BUTTON_REVIEW_ROUND, page_int(pg, l->round[i].round)), VERB_REVIEW,
                    i + 1, BUTTON_PLAIN);
}

static void whole_match(struct page *pg, const struct lesson *l)
{
    int first = l->turning > 0 ? l->turning : 0; /* the page to begin with */
    if (pg->table->many)
        page_line(pg, page_names(pg));
    page_line(pg, TX(pg, T_REVIEW_HEAD, page_scores(pg)));
    players(pg, l);
    moments(pg, l);
    turning(pg, l);
    if (l->n_rounds == 0)
        return;
    page_line(pg, TX(pg, T_REVIEW_MORE, page_command(pg, VERB_REVIEW), page_int(pg, first + 1)));
    round_button(pg, l, first);
}

static void one_round(struct page *pg, const struct lesson *l, int i)
{
    struct str chances = {0};
    bool any = false;
    for (int s = 0; s < l->players; s++)
        chances =
            page_join(pg, chances, TX0(pg, T_DOT),
                      TX(pg, T_REVIEW_CHANCE, page_name(pg, s), percent(pg, l->round[i].start[s])));
    page_line(pg, TX(pg, T_REVIEW_ROUND, page_int(pg, l->round[i].round), chances));
    for (int k = 0; k < l->n; k++) {
        if (l->at[k].round != l->round[i].round)
            continue;
        any = true;
        page_line(pg, line_text(pg, &l->at[k]));
    }
    if (!any)
        page_line(pg, TX0(pg, T_REVIEW_ROUND_NONE));
    round_button(pg, l, i - 1);
    round_button(pg, l, i + 1);
}

/* say->n: 0 the whole match, else a round by its place. */
void present_review(struct page *pg)
{
    const struct say *say = pg->say;
    if (say->n == 0)
        whole_match(pg, say->lesson);
    else
        one_round(pg, say->lesson, (int)say->n - 1);
}
