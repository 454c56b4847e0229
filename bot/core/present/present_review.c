/* Hints and match reviews. Chances are shown in whole percent. */
#include "present_bodies.h"

#include "hint.h"

static struct str percent(const struct body *body, float share)
{
    return body_int(body, (int64_t)(share * 100 + (share < 0 ? -0.5f : 0.5f)));
}

static struct str signed_percent(const struct body *body, float share)
{
    return body_signed(body, (int64_t)(share * 100 + (share < 0 ? -0.5f : 0.5f)));
}

/* ---- a hint ---- */

void present_hint(struct body *body)
{
    struct hint h;
    if (hint_read(body->table->hint, &h))
        part_hint(body, &h);
}

/* ---- a match ---- */

/* What a call would have led to, or why a move was better. */
static struct str review_why(const struct body *body, const struct match_review_line *l)
{
    const struct reason *r = &l->reason;
    const struct part_why w = {r->kind,
                               r->seat,
                               r->yaku,
                               r->card,
                               (int)(r->chance * 100 + 0.5f),
                               (int)(r->instead * 100 + 0.5f)};
    const struct outlook *o = &l->koikoi;
    if (!l->decision)
        return part_why_words(body, &w);
    return TX(body, T_WHY_CALL, body->words->word[WORD_KOIKOI], percent(body, o->won),
              body_coins(body, (int64_t)(o->gain + 0.5f)), percent(body, o->lost),
              body_coins(body, (int64_t)(o->risk + 0.5f)));
}

static struct str review_line(const struct body *body, const struct match_review_line *l)
{
    struct str name = body_name(body, l->seat), made = part_move_words(body, l->made);
    struct str best = part_move_words(body, l->best), why = review_why(body, l);
    struct str loss = percent(body, l->loss), line;
    if (why.n > 0)
        best = body_join(body, best, TX0(body, T_DASH), why);
    int64_t points = (int64_t)(l->points > 0 ? l->points + 0.5f : 0);
    if (l->loss < 0.005f)
        line = TX(body, T_REVIEW_LINE, name, made);
    else if (points > 0)
        line = TX(body, T_REVIEW_LOSS_POINTS, name, made, loss, body_coins(body, points), best);
    else
        line = TX(body, T_REVIEW_LOSS, name, made, loss, best);
    return l->hinted ? body_join(body, line, STR(" "), TX0(body, T_REVIEW_HINTED)) : line;
}

static void put_players(struct body *body, const struct match_review *l)
{
    for (int s = 0; s < l->players; s++) {
        const struct match_review_player *p = &l->player[s];
        body_line(body, p->decisions == 0
                            ? TX(body, T_REVIEW_PLAYER_NONE, body_name(body, s))
                            : TN(body, T_REVIEW_PLAYER, p->decisions, body_name(body, s),
                                 percent(body, p->accuracy), body_int(body, p->decisions),
                                 percent(body, p->lost)));
    }
    for (int s = 0; s < l->players && l->why != MATCH_LEAVE; s++)
        body_line(body, TX(body, T_REVIEW_CARDS, body_name(body, s),
                           signed_percent(body, l->player[s].play),
                           signed_percent(body, l->player[s].cards)));
}

static void put_moments(struct body *body, const struct match_review *l)
{
    body_line(body, TX0(body, l->n_moments ? T_REVIEW_MOMENTS : T_REVIEW_NO_MOMENTS));
    for (int i = 0; i < l->n_moments; i++) {
        const struct match_review_line *line = &l->at[l->moment[i]];
        body_line(body, TX(body, T_REVIEW_MOMENT, body_int(body, i + 1),
                           body_int(body, line->round), review_line(body, line)));
    }
}

/* The round that moved the chances most, for the player who gained by it. */
static void put_turning_round(struct body *body, const struct match_review *l)
{
    int i = l->turning, who = 0;
    if (i < 0)
        return;
    for (int s = 1; s < l->players; s++)
        if (match_review_after(l, i, s) - l->round[i].start[s] >
            match_review_after(l, i, who) - l->round[i].start[who])
            who = s;
    body_line(body, TX(body, T_REVIEW_TURNING, body_int(body, l->round[i].round),
                       body_name(body, who), percent(body, l->round[i].start[who]),
                       percent(body, match_review_after(l, i, who))));
}

static void put_round_button(struct body *body, const struct match_review *l, int64_t i)
{
    if (i >= 0 && i < l->n_rounds)
        body_button(body, TX(body, T_BUTTON_REVIEW_ROUND, body_int(body, l->round[i].round)),
                    VERB_REVIEW, i + 1, BUTTON_PLAIN);
}

static void put_match_review(struct body *body, const struct match_review *l)
{
    int first = l->turning > 0 ? l->turning : 0; /* the round to begin with */
    if (body->table->many)
        body_line(body, body_names(body));
    part_picture_review(body);
    body_line(body, TX(body, T_REVIEW_HEAD, body_scores(body)));
    put_players(body, l);
    put_moments(body, l);
    put_turning_round(body, l);
    if (l->n_rounds == 0)
        return;
    body_line(body,
              TX(body, T_REVIEW_MORE, body_command(body, VERB_REVIEW), body_int(body, first + 1)));
    put_round_button(body, l, first);
}

static void put_round_review(struct body *body, const struct match_review *l, int i)
{
    struct str chances = {0};
    bool any = false;
    for (int s = 0; s < l->players; s++)
        chances = body_join(
            body, chances, TX0(body, T_DOT),
            TX(body, T_REVIEW_CHANCE, body_name(body, s), percent(body, l->round[i].start[s])));
    body_line(body, TX(body, T_REVIEW_ROUND, body_int(body, l->round[i].round), chances));
    for (int k = 0; k < l->n; k++) {
        if (l->at[k].round != l->round[i].round)
            continue;
        any = true;
        body_line(body, review_line(body, &l->at[k]));
    }
    if (!any)
        body_line(body, TX0(body, T_REVIEW_ROUND_NONE));
    put_round_button(body, l, i - 1);
    put_round_button(body, l, i + 1);
}

/* notice->n: 0 is the whole match, else a round by its place from 1. */
void present_review(struct body *body)
{
    const struct notice *notice = body->notice;
    if (notice->n == 0)
        put_match_review(body, notice->match_review);
    else
        put_round_review(body, notice->match_review, (int)notice->n - 1);
}
