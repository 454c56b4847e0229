/* Hints and match reviews. Chances are shown in whole percent. */
#include "present_bodies.h"

#include "hint.h"

static int64_t whole_percent(float share)
{
    return (int64_t)(share * 100 + (share < 0 ? -0.5f : 0.5f));
}

static struct str percent(const struct body *body, float share)
{
    return body_int(body, whole_percent(share));
}

static struct str signed_percent(const struct body *body, float share)
{
    return body_signed(body, whole_percent(share));
}

/* ---- a hint ---- */

void present_hint(struct body *body)
{
    struct hint h;
    if (hint_read(body->table->hint, &h))
        part_hint(body, &h);
}

/* ---- a match ---- */

/* What a call leads to. An outcome of 0 percent is left out or put in words; empty if both are. */
static struct str call_words(const struct body *body, const struct outlook *o)
{
    struct str word = body->words->word[WORD_KOIKOI];
    struct str won = percent(body, o->won), lost = percent(body, o->lost);
    struct str gain = body_coins(body, (int64_t)(o->gain + 0.5f));
    struct str risk = body_coins(body, (int64_t)(o->risk + 0.5f));
    bool wins = whole_percent(o->won) > 0, loses = whole_percent(o->lost) > 0;
    if (!wins && !loses)
        return (struct str){0};
    if (!loses)
        return TX(body, T_WHY_CALL_SAFE, word, won, gain);
    if (!wins)
        return TX(body, T_WHY_CALL_VAIN, word, lost, risk);
    return TX(body, T_WHY_CALL, word, won, gain, lost, risk);
}

/* What a call would have led to, or why a move was better. */
static struct str review_why(const struct body *body, const struct match_review_line *l)
{
    const struct reason *r = &l->reason;
    const struct part_why w = {r->kind,
                               r->seat,
                               r->yaku,
                               r->card,
                               (int)whole_percent(r->chance),
                               (int)whole_percent(r->instead)};
    return l->decision ? call_words(body, &l->koikoi) : part_why_words(body, &w);
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

static struct str player_words(const struct body *body, const struct match_review *l, int seat)
{
    const struct match_review_player *p = &l->player[seat];
    struct str name = body_name(body, seat), n = body_int(body, p->decisions);
    struct str accuracy = percent(body, p->accuracy);
    if (p->decisions == 0)
        return TX(body, T_REVIEW_PLAYER_NONE, name);
    if (whole_percent(p->lost) == 0)
        return TN(body, T_REVIEW_PLAYER_CLEAN, p->decisions, name, accuracy, n);
    return TN(body, T_REVIEW_PLAYER, p->decisions, name, accuracy, n, percent(body, p->lost));
}

static void put_players(struct body *body, const struct match_review *l)
{
    for (int s = 0; s < l->players; s++)
        body_line(body, player_words(body, l, s));
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
