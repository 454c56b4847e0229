/* See lesson_make.h. The record is played again once, and the view of each decision kept; then they
 * are looked at one by one. */
#include "lesson_make.h"

#include "equity.h"
#include "hint.h"
#include "record_read.h"
#include "replay.h"

#include <assert.h>
#include <stdlib.h>

enum { VISITS_IN_ALL = 3000 * 1000, VISITS_LEAST = 200, HINT_VISITS = 4000, CHAT_VISITS = 1000 };

struct decision {
    struct view view;
    struct move made;
    bool hinted;
};

struct gathering {
    int n, room;
    struct decision *at;
    int n_rounds;
    struct lesson_round round[LESSON_ROUNDS];
};

/* ---- what there was to decide ---- */

/* Chances before a deal: what the match is worth if the round is dealt again. */
static bool on_deal(void *arg, const struct ruleset *g, const struct match *m, struct err *err)
{
    struct gathering *to = arg;
    struct lesson_round *r = &to->round[to->n_rounds];

    if (m->attempt > 1)
        return true;
    if (to->n_rounds == LESSON_ROUNDS)
        return err_set(err, "a match of more than %d rounds is not reviewed", LESSON_ROUNDS);
    *r = (struct lesson_round){.round = m->round_no};
    for (int s = 0; s < m->players; s++) {
        struct view v;
        struct stakes stakes;
        view_of(g, m, s, &v);
        stakes_make(&v, &stakes);
        r->start[s] = stakes.again;
    }
    to->n_rounds++;
    return true;
}

/* True if there was more than one thing to do, equal plains being one. */
static bool is_choice(const struct view *v)
{
    for (int i = 1; i < v->n_legal; i++)
        if (!review_alike(v->legal[0], v->legal[i]))
            return true;
    return false;
}

static bool on_move(void *arg, const struct ruleset *g, const struct match *m, int seat,
                    struct move mv, bool hinted, struct err *err)
{
    struct gathering *to = arg;
    struct view v;

    if (m->round.turn != seat) /* a redeal called out of turn: a right, no move */
        return true;
    view_of(g, m, seat, &v);
    if (!is_choice(&v))
        return true;
    if (to->n == LESSON_LINES)
        return err_set(err, "a match of more than %d decisions is not reviewed", LESSON_LINES);
    if (to->n == to->room) {
        to->room = to->room ? 2 * to->room : 64;
        struct decision *more = realloc(to->at, (size_t)to->room * sizeof *more);
        if (!more)
            return err_set(err, "no memory");
        to->at = more;
    }
    to->at[to->n++] = (struct decision){v, mv, hinted};
    return true;
}

/* ---- the lesson ---- */

static void look_at(const struct decision *d, uint32_t visits, uint64_t seed,
                    struct lesson_line *ret)
{
    struct review r;

    review_move(&d->view, d->made, visits, seed, &r);
    *ret = (struct lesson_line){.round = d->view.round_no,
                                .seat = (uint8_t)d->view.seat,
                                .hinted = d->hinted,
                                .decision = r.decision,
                                .made = d->made,
                                .best = d->view.legal[r.best],
                                .loss = r.loss,
                                .spread = r.spread,
                                .win = r.advice.at[r.best].win,
                                .stop = r.stop.win,
                                .koikoi = r.koikoi.win,
                                .reason = r.reason};
}

/* False if it was told to give up. */
static bool look_at_all(const struct gathering *g, const struct lesson_how *how, struct lesson *l)
{
    uint32_t share = g->n ? (uint32_t)(VISITS_IN_ALL / g->n) : 0, visits = how->visits;

    if (visits > share)
        visits = share > VISITS_LEAST ? share : VISITS_LEAST;
    for (int i = 0; i < g->n; i++) {
        if (how->spent && how->spent(how->arg))
            return false;
        look_at(&g->at[i], visits, how->seed + (uint64_t)i * 16, &l->at[i]);
        if (how->progress)
            how->progress(how->arg, i + 1, g->n);
    }
    return true;
}

static bool lesson_of(const struct gathering *g, const struct lesson_how *how,
                      const struct match *end, const struct rules *rules, struct lesson **ret,
                      struct err *err)
{
    struct lesson *l = calloc(1, LESSON_SIZE(g->n));

    if (!l)
        return err_set(err, "no memory");
    l->players = end->players;
    l->winner = end->winner;
    l->why = end->why;
    l->rounds = rules->rounds;
    l->n = g->n;
    l->n_rounds = g->n_rounds;
    memcpy(l->round, g->round, sizeof l->round);
    if (!look_at_all(g, how, l)) {
        free(l);
        return err_set(err, "given up");
    }
    lesson_sum(l);
    *ret = l;
    return true;
}

bool lesson_make(struct str record, const struct lesson_how *how, struct lesson **ret,
                 struct match *ret_end, struct rules *ret_rules, struct buf *ret_names,
                 int *ret_line, struct err *err)
{
    struct gathering *g = calloc(1, sizeof *g);

    if (!g)
        return err_set(err, "no memory");
    const struct replay_watch watch = {on_deal, on_move, g};
    bool good = replay_watched(record, &watch, ret_end, ret_rules, ret_names, ret_line, err) &&
                lesson_of(g, how, ret_end, ret_rules, ret, err);
    free(g->at);
    free(g);
    return good;
}

/* ---- jobs ---- */

void lesson_hint_job(struct str input, const struct job_pace *pace, struct buf *ret)
{
    struct hint_ask ask;
    struct review r;
    struct hint hint;

    assert(input.n == sizeof ask);
    memcpy(&ask, input.p, sizeof ask);
    if (pace->spent(pace->arg))
        return;
    review_hint(&ask.view, HINT_VISITS, ask.seed, &r);
    hint_of(&ask.view, &r, &hint);
    hint_write(&hint, ret);
}

void lesson_job(struct str input, const struct job_pace *pace, struct buf *ret)
{
    const struct lesson_how how = {
        .visits = CHAT_VISITS, .seed = 1, .spent = pace->spent, .arg = pace->arg};
    struct lesson *l = NULL;
    struct match end;
    struct rules rules;
    struct err err;
    char names[4 * 1024];
    struct buf b = BUF(names);
    int line = 0;

    if (!lesson_make(input, &how, &l, &end, &rules, &b, &line, &err))
        return;
    buf_put(ret, (struct str){(const char *)l, LESSON_SIZE(l->n)});
    free(l);
}
