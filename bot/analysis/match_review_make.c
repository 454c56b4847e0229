/* See match_review_make.h. A replay keeps the view of each decision; then each view is searched. */
#include "match_review_make.h"

#include "alloc.h"
#include "equity.h"
#include "hint.h"
#include "record_read.h"
#include "replay.h"

#include <assert.h>

enum { VISITS_IN_ALL = 3000 * 1000, VISITS_LEAST = 200, HINT_VISITS = 4000, CHAT_VISITS = 1000 };

struct decision {
    struct view view;
    struct move made;
    bool hinted;
    int step, move; /* its place in the replay, and in its round */
};

struct review_input {
    int n, room;
    struct decision *at;
    int n_rounds, steps, moves; /* positions of the replay so far; moves of the round */
    struct match_review_round round[REVIEW_ROUNDS];
};

/* ---- decisions ---- */

/* True if there was more than one move, equal plains counting as one. */
static bool is_choice(const struct view *v)
{
    for (int i = 1; i < v->n_legal; i++)
        if (!review_alike(v->legal[0], v->legal[i]))
            return true;
    return false;
}

/* The chances before a deal: the worth of the match if the round is dealt again. */
static bool note_round(struct review_input *to, const struct ruleset *g, const struct match *m,
                       struct err *err)
{
    struct match_review_round *r = &to->round[to->n_rounds];
    if (m->attempt > 1)
        return true;
    if (to->n_rounds == REVIEW_ROUNDS)
        return err_set(err, "expected at most %d rounds, got more", REVIEW_ROUNDS);
    *r = (struct match_review_round){.round = m->round_no};
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

static bool note_move(struct review_input *to, const struct replay_event *e, struct err *err)
{
    const struct match *m = e->match;
    struct view v;
    if (m->round.turn != e->seat) /* a redeal called out of turn: a right, no move */
        return true;
    if (m->gone >> e->seat & 1) /* the computer plays for a player who left */
        return true;
    view_of(e->ruleset, m, e->seat, &v);
    if (!is_choice(&v))
        return true;
    if (to->n == REVIEW_LINES)
        return err_set(err, "expected at most %d decisions, got more", REVIEW_LINES);
    if (to->n == to->room) {
        to->room = to->room ? 2 * to->room : 64;
        to->at = alloc_grow(to->at, (size_t)to->room * sizeof *to->at);
    }
    to->at[to->n++] = (struct decision){v, e->move, e->hinted, to->steps, to->moves + 1};
    return true;
}

static bool watch_decisions(void *arg, const struct replay_event *e, struct err *err)
{
    struct review_input *to = arg;
    const struct match *m = e->match;
    if (e->what == REPLAY_DEAL) { /* the end of the round before is a position */
        to->steps += to->steps > 0;
        to->moves = 0;
        return note_round(to, e->ruleset, m, err);
    }
    if (e->what == REPLAY_MOVE) {
        bool good = note_move(to, e, err);
        to->steps++;
        to->moves++;
        return good;
    }
    /* decisions that were taken back do not count */
    while (to->n > 0 && to->at[to->n - 1].view.round_no == m->round_no &&
           to->at[to->n - 1].view.attempt == m->attempt &&
           to->at[to->n - 1].view.n_seen >= m->round.n_seen)
        to->n--;
    return true;
}

/* ---- the review ---- */

static void review_decision(const struct decision *d, uint32_t visits, uint64_t seed,
                            struct match_review_line *ret)
{
    struct review r;
    review_move(&d->view, d->made, visits, seed, &r);
    *ret = (struct match_review_line){.round = d->view.round_no,
                                      .move = (uint16_t)d->move,
                                      .step = d->step,
                                      .seat = (uint8_t)d->view.seat,
                                      .hinted = d->hinted,
                                      .decision = r.decision,
                                      .made = d->made,
                                      .best = d->view.legal[r.best],
                                      .loss = r.loss,
                                      .spread = r.spread,
                                      .win = r.advice.at[r.best].win,
                                      .stop = r.stop.win,
                                      .points = r.points,
                                      .koikoi = r.koikoi,
                                      .reason = r.reason};
}

/* Returns false if how->spent stopped it. */
static bool review_decisions(const struct review_input *g, const struct match_review_how *how,
                             struct match_review *l)
{
    uint32_t share = g->n ? (uint32_t)(VISITS_IN_ALL / g->n) : 0, visits = how->visits;
    if (visits > share)
        visits = share > VISITS_LEAST ? share : VISITS_LEAST;
    for (int i = 0; i < g->n; i++) {
        if (how->spent && how->spent(how->arg))
            return false;
        review_decision(&g->at[i], visits, how->seed + (uint64_t)i * 16, &l->at[i]);
        if (how->progress)
            how->progress(how->arg, i + 1, g->n);
    }
    return true;
}

static bool match_review_of(const struct review_input *g, const struct match_review_how *how,
                            const struct match *end, const struct rules *rules,
                            struct match_review **ret, struct err *err)
{
    struct match_review *l = alloc_zeroed(REVIEW_SIZE(g->n));
    l->players = end->players;
    l->winner = end->winner;
    /* what was broken off, or went on with another player, has no shares of play and cards */
    l->why = end->why == MATCH_AGREED || end->gone ? MATCH_LEAVE : end->why;
    l->rounds = rules->rounds;
    l->n = g->n;
    l->n_rounds = g->n_rounds;
    memcpy(l->round, g->round, sizeof l->round);
    if (!review_decisions(g, how, l)) {
        free(l);
        return err_set(err, "stopped");
    }
    match_review_sum(l);
    *ret = l;
    return true;
}

bool match_review_make(struct str record, const struct match_review_how *how,
                       struct match_review **ret, struct match *ret_end, struct rules *ret_rules,
                       struct buf *ret_names, int *ret_line, struct err *err)
{
    struct review_input *g = alloc_zeroed(sizeof *g);
    bool good =
        replay_watched(record, watch_decisions, g, ret_end, ret_rules, ret_names, ret_line, err) &&
        match_review_of(g, how, ret_end, ret_rules, ret, err);
    free(g->at);
    free(g);
    return good;
}

/* ---- jobs ---- */

void match_review_hint_job(struct str input, const struct job_pace *pace, struct buf *ret)
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

void match_review_job(struct str input, const struct job_pace *pace, struct buf *ret)
{
    const struct match_review_how how = {
        .visits = CHAT_VISITS, .seed = 1, .spent = pace->spent, .arg = pace->arg};
    struct match_review *l = NULL;
    struct match end;
    struct rules rules;
    struct err err = {""};
    char names[4 * 1024];
    struct buf b = BUF(names);
    int line = 0;
    if (!match_review_make(input, &how, &l, &end, &rules, &b, &line, &err))
        return;
    buf_put(ret, (struct str){(const char *)l, REVIEW_SIZE(l->n)});
    free(l);
}

/* ---- cache: a value is the time of the request, then the review once it has come ---- */

struct cached_review {
    _Alignas(max_align_t) int64_t asked; /* 0: it is not being made */
};

static struct cache_key key_of(int64_t session)
{
    return (struct cache_key){.no = session};
}

struct cache *review_cache_open(void)
{
    return cache_open(REVIEW_CACHE_SLOTS,
                      REVIEW_CACHE_SLOTS *
                          (REVIEW_SIZE(REVIEW_LINES) + sizeof(struct cached_review) + 256));
}

const struct match_review *review_cache_find(struct cache *c, int64_t session, int64_t now,
                                             bool *ret_coming)
{
    struct str value;
    struct cached_review head;
    *ret_coming = false;
    if (!cache_find(c, key_of(session), &value))
        return NULL;
    if (value.n > sizeof head)
        return (const struct match_review *)(const void *)(value.p + sizeof head);
    memcpy(&head, value.p, sizeof head);
    *ret_coming = head.asked > 0 && now >= head.asked && now < head.asked + REVIEW_WAIT_MS;
    return NULL;
}

void review_cache_ask(struct cache *c, int64_t session, int64_t now)
{
    struct str value;
    if (cache_find(c, key_of(session), &value) && value.n > sizeof(struct cached_review))
        return; /* it is there already */
    *(struct cached_review *)cache_put(c, key_of(session), sizeof(struct cached_review)) =
        (struct cached_review){now};
}

const struct match_review *review_cache_put(struct cache *c, int64_t session, struct str bytes)
{
    struct match_review head;
    cache_drop(c, key_of(session)); /* its job has ended, whatever the result */
    if (bytes.n < sizeof head)
        return NULL;
    memcpy(&head, bytes.p, sizeof head);
    if (head.n < 0 || head.n > REVIEW_LINES || bytes.n != REVIEW_SIZE(head.n))
        return NULL;
    char *room = cache_put(c, key_of(session), sizeof(struct cached_review) + bytes.n);
    *(struct cached_review *)(void *)room = (struct cached_review){0};
    memcpy(room + sizeof(struct cached_review), bytes.p, bytes.n);
    return (const struct match_review *)(const void *)(room + sizeof(struct cached_review));
}
