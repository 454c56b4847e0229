/* Hints and match reviews. Chances are shown in whole percent. */
#include "page.h"
#include "part.h"

#include "hint.h"

static int64_t whole_percent(float share)
{
    return (int64_t)(share * 100 + (share < 0 ? -0.5f : 0.5f));
}

static struct str percent(const struct draft *d, float share)
{
    return draft_int(d, whole_percent(share));
}

static struct str signed_percent(const struct draft *d, float share)
{
    return draft_signed(d, whole_percent(share));
}

/* ---- a hint ---- */

void page_hint(struct draft *d)
{
    struct hint h;
    if (hint_read(d->table->hint, &h))
        part_hint(d, &h);
}

/* ---- a match ---- */

/* What a call leads to. An outcome of 0 percent is left out or put in words; empty if both are. */
static struct str call_words(const struct draft *d, const struct outlook *o)
{
    struct str word = d->words->word[WORD_KOIKOI];
    struct str won = percent(d, o->won), lost = percent(d, o->lost);
    struct str gain = draft_coins(d, (int64_t)(o->gain + 0.5f));
    struct str risk = draft_coins(d, (int64_t)(o->risk + 0.5f));
    bool wins = whole_percent(o->won) > 0, loses = whole_percent(o->lost) > 0;
    if (!wins && !loses)
        return (struct str){0};
    if (!loses)
        return TX(d, T_WHY_CALL_SAFE, word, won, gain);
    if (!wins)
        return TX(d, T_WHY_CALL_VAIN, word, lost, risk);
    return TX(d, T_WHY_CALL, word, won, gain, lost, risk);
}

/* What a call would have led to, or why a move was better. */
static struct str review_why(const struct draft *d, const struct match_review_line *l)
{
    const struct reason *r = &l->reason;
    const struct part_why w = {r->kind,
                               r->seat,
                               r->yaku,
                               r->card,
                               (int)whole_percent(r->chance),
                               (int)whole_percent(r->instead)};
    return l->decision ? call_words(d, &l->koikoi) : part_why_words(d, &w);
}

static struct str review_line(const struct draft *d, const struct match_review_line *l)
{
    struct str name = draft_name(d, l->seat), made = part_move_words(d, l->made);
    struct str best = part_move_words(d, l->best), why = review_why(d, l);
    struct str loss = percent(d, l->loss), line;
    if (why.n > 0)
        draft_add(d, &best, T_DASH, why);
    int64_t points = (int64_t)(l->points > 0 ? l->points + 0.5f : 0);
    if (l->loss < 0.005f)
        line = TX(d, T_REVIEW_LINE, name, made);
    else if (points > 0)
        line = TX(d, T_REVIEW_LOSS_POINTS, name, made, loss, draft_coins(d, points), best);
    else
        line = TX(d, T_REVIEW_LOSS, name, made, loss, best);
    return l->hinted ? draft_join(d, line, STR(" "), TX(d, T_REVIEW_HINTED)) : line;
}

static struct str player_words(const struct draft *d, const struct match_review *l, int seat)
{
    const struct match_review_player *p = &l->player[seat];
    struct str name = draft_name(d, seat), n = draft_int(d, p->decisions);
    struct str accuracy = percent(d, p->accuracy);
    if (p->decisions == 0)
        return TX(d, T_REVIEW_PLAYER_NONE, name);
    if (whole_percent(p->lost) == 0)
        return TN(d, T_REVIEW_PLAYER_CLEAN, p->decisions, name, accuracy, n);
    return TN(d, T_REVIEW_PLAYER, p->decisions, name, accuracy, n, percent(d, p->lost));
}

static void put_players(struct draft *d, const struct match_review *l)
{
    for (int s = 0; s < l->players; s++)
        draft_line(d, player_words(d, l, s));
    for (int s = 0; s < l->players && l->why != MATCH_LEAVE; s++)
        SAY(d, T_REVIEW_CARDS, draft_name(d, s), signed_percent(d, l->player[s].play),
            signed_percent(d, l->player[s].cards));
}

static void put_moments(struct draft *d, const struct match_review *l)
{
    SAY(d, l->n_moments ? T_REVIEW_MOMENTS : T_REVIEW_NO_MOMENTS);
    for (int i = 0; i < l->n_moments; i++) {
        const struct match_review_line *line = &l->at[l->moment[i]];
        SAY(d, T_REVIEW_MOMENT, draft_int(d, i + 1), draft_int(d, line->round),
            review_line(d, line));
    }
}

/* The round that moved the chances most, for the player who gained by it. */
static void put_turning_round(struct draft *d, const struct match_review *l)
{
    int i = l->turning, who = 0;
    if (i < 0)
        return;
    for (int s = 1; s < l->players; s++)
        if (match_review_after(l, i, s) - l->round[i].start[s] >
            match_review_after(l, i, who) - l->round[i].start[who])
            who = s;
    SAY(d, T_REVIEW_TURNING, draft_int(d, l->round[i].round), draft_name(d, who),
        percent(d, l->round[i].start[who]), percent(d, match_review_after(l, i, who)));
}

static void put_round_button(struct draft *d, const struct match_review *l, int64_t i)
{
    if (i >= 0 && i < l->n_rounds)
        draft_button(d, TX(d, T_BUTTON_REVIEW_ROUND, draft_int(d, l->round[i].round)), VERB_REVIEW,
                     i + 1, BUTTON_PLAIN);
}

static void put_match_review(struct draft *d, const struct match_review *l)
{
    int first = l->turning > 0 ? l->turning : 0; /* the round to begin with */
    if (d->table->many)
        draft_line(d, draft_names(d));
    part_picture_review(d);
    SAY(d, T_REVIEW_HEAD, draft_scores(d));
    put_players(d, l);
    put_moments(d, l);
    put_turning_round(d, l);
    if (l->n_rounds == 0)
        return;
    SAY(d, T_REVIEW_MORE, draft_command(d, VERB_REVIEW), draft_int(d, first + 1));
    put_round_button(d, l, first);
}

static void put_round_review(struct draft *d, const struct match_review *l, int i)
{
    struct str chances = {0};
    bool any = false;
    for (int s = 0; s < l->players; s++)
        draft_add(d, &chances, T_DOT,
                  TX(d, T_REVIEW_CHANCE, draft_name(d, s), percent(d, l->round[i].start[s])));
    SAY(d, T_REVIEW_ROUND, draft_int(d, l->round[i].round), chances);
    for (int k = 0; k < l->n; k++) {
        if (l->at[k].round != l->round[i].round)
            continue;
        any = true;
        draft_line(d, review_line(d, &l->at[k]));
    }
    if (!any)
        SAY(d, T_REVIEW_ROUND_NONE);
    put_round_button(d, l, i - 1);
    put_round_button(d, l, i + 1);
}

/* notice->n: 0 is the whole match, else a round by its place from 1. */
void page_review(struct draft *d)
{
    const struct notice *notice = d->notice;
    if (notice->n == 0)
        put_match_review(d, notice->review);
    else
        put_round_review(d, notice->review, (int)notice->n - 1);
}
