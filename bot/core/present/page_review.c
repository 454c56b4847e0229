/* Finished matches: their review, with chances in whole percent, and their replay. */
#include "page.h"
#include "part_picture.h"

static int64_t whole_percent(float share)
{
    return (int64_t)(share * 100 + (share < 0 ? -0.5f : 0.5f));
}

static struct str percent(const struct draft *d, float share)
{
    return draft_int(d, whole_percent(share));
}

/* ---- a decision ---- */

/* What a call leads to. An outcome of 0 percent is left out or put in words; empty if both are. */
static struct str call_words(const struct draft *d, const struct outlook *o)
{
    struct str word = d->words->word[WORD_KOIKOI];
    struct str won = percent(d, o->won), lost = percent(d, o->lost);
    struct str gain = draft_coins(d, (int64_t)(o->gain + 0.5f));
    struct str risk = draft_coins(d, (int64_t)(o->risk + 0.5f));
    bool wins = whole_percent(o->won) > 0, loses = whole_percent(o->lost) > 0;
    return wins && loses ? TX(d, T_WHY_CALL, word, won, gain, lost, risk)
           : wins        ? TX(d, T_WHY_CALL_SAFE, word, won, gain)
           : loses       ? TX(d, T_WHY_CALL_VAIN, word, lost, risk)
                         : STR("");
}

/* The move and, if another was better, which one and why; or what a call would have led to. */
struct str part_decision(const struct draft *d, const struct match_review_line *l)
{
    const struct reason *r = &l->reason;
    const struct part_why w = {r->kind,
                               r->seat,
                               r->yaku,
                               r->card,
                               (int)whole_percent(r->chance),
                               (int)whole_percent(r->instead)};
    struct str why = l->decision ? call_words(d, &l->koikoi) : part_why_words(d, &w);
    struct str name = draft_name(d, l->seat), made = part_move_words(d, l->made);
    struct str best = part_move_words(d, l->best), loss = percent(d, l->loss), line;
    int64_t points = (int64_t)(l->points > 0 ? l->points + 0.5f : 0);
    if (why.n > 0)
        draft_add(d, &best, T_BECAUSE, why);
    if (l->loss < 0.005f)
        line = TX(d, T_REVIEW_LINE, name, made);
    else if (points > 0)
        line = TX(d, T_REVIEW_LOSS_POINTS, name, made, loss, draft_coins(d, points), best);
    else
        line = TX(d, T_REVIEW_LOSS, name, made, loss, best);
    return l->hinted ? draft_join(d, line, STR(" "), TX(d, T_REVIEW_HINTED)) : line;
}

/* "▶ 1": the replay at that decision; without buttons "▶ 1: /replay #12 7". */
static void put_steps(struct draft *d, const struct match_review *l)
{
    struct str typed = {0};
    for (int i = 0; i < l->n_moments; i++) {
        int step = l->at[l->moment[i]].step;
        struct str label = draft_join(d, TX(d, T_BUTTON_STEP_ON), STR(" "), draft_int(d, i + 1));
        struct str command = draft_command(d, VERB_REPLAY);
        draft_button(d, label, VERB_REPLAY, step, BUTTON_PLAIN);
        draft_add(d, &typed, T_DOT,
                  TX(d, T_SETTING, label,
                     arena_print(d->a, "%.*s #%lld %d", STR_ARG(command), (long long)d->table->no,
                                 step)));
    }
    if (typed.n > 0 && !draft_can(d, CAN_BUTTONS))
        draft_line(d, typed);
}

static void put_round_button(struct draft *d, const struct match_review *l, int64_t i)
{
    if (i >= 0 && i < l->n_rounds)
        draft_button(d, TX(d, T_BUTTON_REVIEW_ROUND, draft_int(d, l->round[i].round)), VERB_REVIEW,
                     i + 1, BUTTON_PLAIN);
}

/* ---- the match ---- */

/* Chances to win, round by round: "52 % 89 % 100 %". */
static void put_picture(struct draft *d, const struct match_review *l)
{
    struct layout to;
    if (!draft_can(d, CAN_PICTURE) || l->n_rounds < 2)
        return;
    part_poster(d, &to);
    LAYOUT_ADD(&to, LAYOUT_LINE, TX(d, T_PICTURE_CHANCES));
    layout_row(&to, LAYOUT_CURVE);
    for (int s = 0; s < l->players; s++) {
        struct buf b = {arena_room(d->a, LAYOUT_BYTES), 0, LAYOUT_BYTES, false};
        buf_print(&b, "%d %%", (int)whole_percent(l->round[0].start[s]));
        for (int i = 0; i < l->n_rounds; i++)
            buf_print(&b, " %d %%", (int)whole_percent(match_review_after(l, i, s)));
        layout_text(&to, draft_plain_name(d, s));
        layout_text(&to, buf_str(&b));
    }
    part_poster_end(d, &to);
}

static void put_players(struct draft *d, const struct match_review *l)
{
    for (int s = 0; s < l->players; s++) {
        const struct match_review_player *p = &l->player[s];
        struct str name = draft_name(d, s), n = draft_int(d, p->decisions);
        struct str accuracy = percent(d, p->accuracy), lost = percent(d, p->lost);
        if (p->decisions == 0)
            SAY(d, T_REVIEW_PLAYER_NONE, name);
        else if (p->decisions < MATCH_REVIEW_FEW)
            SAY_N(d, T_REVIEW_PLAYER_FEW, p->decisions, name, n);
        else
            SAY_N(d, T_REVIEW_PLAYER, p->decisions, name, accuracy, n, lost);
    }
    for (int s = 0; s < l->players && l->why != MATCH_LEAVE; s++)
        SAY(d, T_REVIEW_CARDS, draft_name(d, s), draft_signed(d, whole_percent(l->player[s].play)),
            draft_signed(d, whole_percent(l->player[s].cards)));
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

static void put_match_review(struct draft *d, const struct match_review *l)
{
    int first = l->turning > 0 ? l->turning : 0; /* the round to begin with */
    part_many(d);
    put_picture(d, l);
    SAY(d, T_REVIEW_HEAD, draft_scores(d));
    put_players(d, l);
    SAY(d, l->n_moments ? T_REVIEW_MOMENTS : T_REVIEW_NO_MOMENTS);
    for (int i = 0; i < l->n_moments; i++) {
        const struct match_review_line *line = &l->at[l->moment[i]];
        SAY(d, T_REVIEW_MOMENT, draft_int(d, i + 1), draft_int(d, line->round),
            draft_int(d, line->move), part_decision(d, line));
    }
    put_steps(d, l);
    draft_row(d);
    put_turning_round(d, l);
    if (l->n_rounds == 0)
        return;
    SAY(d, T_REVIEW_MORE, draft_command(d, VERB_REVIEW), draft_int(d, first + 1));
    put_round_button(d, l, first);
}

/* notice->n: 0 is the whole match, else a round by its place from 1. */
void page_review(struct draft *d)
{
    const struct match_review *l = d->notice->review;
    int i = (int)d->notice->n - 1;
    struct str chances = {0};
    bool any = false;
    if (i < 0) {
        put_match_review(d, l);
        return;
    }
    for (int s = 0; s < l->players; s++)
        draft_add(d, &chances, T_DOT,
                  TX(d, T_REVIEW_CHANCE, draft_name(d, s), percent(d, l->round[i].start[s])));
    SAY(d, T_REVIEW_ROUND, draft_int(d, l->round[i].round), chances);
    for (int k = 0; k < l->n; k++)
        if (l->at[k].round == l->round[i].round) {
            any = true;
            draft_line(d, part_decision(d, &l->at[k]));
        }
    SAY_IF(d, !any, T_REVIEW_ROUND_NONE);
    put_round_button(d, l, i - 1);
    put_round_button(d, l, i + 1);
}

/* ---- a replay ---- */

static void put_jump(struct draft *d, enum text label, int step)
{
    draft_press(d, label, VERB_REPLAY, step, BUTTON_PLAIN);
}

/* Where the same can be stepped through in a browser, if pages are served. */
struct str part_link(const struct draft *d, const char *what, int64_t no, int renewed)
{
    struct str pages = d->w->bot->pages;
    struct str path = pages.n > 0 ? share_write(d->network->key, what, no, renewed, d->a) : STR("");
    return path.n > 0 ? arena_print(d->a, "%.*s/%.*s", STR_ARG(pages), STR_ARG(path)) : path;
}

void part_replay_link(struct draft *d, int step)
{
    const struct table *t = d->table;
    struct str link = t->duel ? STR("") : part_link(d, "replay", t->no, t->links);
    SAY_IF(d, link.n > 0, T_PAGE_REPLAY_LINK, arena_print(d->a, "%.*s/%d", STR_ARG(link), step));
}

/* A step: what has just happened, the field, both hands, and buttons that lead on. */
void page_replay(struct draft *d)
{
    const struct position *p = d->notice->position;
    const struct match *m = &p->match;
    part_head(d);
    SAY(d, T_REPLAY_STEP, draft_int(d, p->step), draft_int(d, p->last));
    part_events(d);
    d->has_news = false;
    part_field(d);
    for (int i = 0; i < m->players && m->stage == MATCH_PLAYING; i++)
        SAY(d, T_REPLAY_HAND, draft_name(d, i), draft_cards(d, m->round.hand[i]));
    part_captures(d);
    part_turn_line(d);
    if (p->step > 0) {
        put_jump(d, T_BUTTON_ROUND_BACK, p->round_begins);
        put_jump(d, T_BUTTON_STEP_BACK, p->step - 1);
    }
    if (p->step < p->last) {
        put_jump(d, T_BUTTON_STEP_ON, p->step + 1);
        put_jump(d, T_BUTTON_ROUND_ON, p->next_round ? p->next_round : p->last);
    }
    SAY_IF(d, !draft_can(d, CAN_BUTTONS), T_REPLAY_HOW, draft_command(d, VERB_REPLAY),
           draft_int(d, d->table->no), draft_int(d, p->step + 1));
    part_replay_link(d, p->step);
}
