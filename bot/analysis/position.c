/* See position.h. */
#include "position.h"

#include "replay.h"

#include <stdlib.h>

enum { NAMES_BYTES = 1024 };

struct walk {
    int64_t wanted;
    struct position at; /* the wanted one, once it was met */
    struct match deal;  /* as it stood before a deal, with the round that is over */
    int n, round_begins, last_begins;
};

/* A position was met; `begins`: with it a round begins. */
static void pass_position(struct walk *w, const struct match *m, bool begins)
{
    if (begins) {
        w->last_begins = w->round_begins;
        w->round_begins = w->n;
        if (w->at.next_round == 0 && w->n > w->wanted)
            w->at.next_round = w->n;
    }
    if (w->n == w->wanted) {
        w->at.match = *m;
        w->at.step = w->n;
        w->at.round_begins = w->n > w->round_begins ? w->round_begins : w->last_begins;
    }
    w->n++;
}

/* The end of the round before is a position of its own. */
static bool on_deal(void *arg, const struct ruleset *g, const struct match *m, struct err *err)
{
    struct walk *w = arg;
    (void)g;
    (void)err;
    w->deal = *m;
    if (w->n > 0)
        pass_position(w, m, false);
    w->deal.stage = MATCH_READY;
    return true;
}

static bool on_move(void *arg, const struct ruleset *g, const struct match *m, int seat,
                    struct move mv, bool hinted, struct err *err)
{
    struct walk *w = arg;
    (void)g;
    (void)seat;
    (void)mv;
    (void)hinted;
    (void)err;
    pass_position(w, m, w->deal.stage == MATCH_READY);
    w->deal.stage = MATCH_PLAYING;
    return true;
}

static bool on_takeback(void *arg, const struct match *m, struct err *err)
{
    (void)arg;
    (void)m;
    (void)err;
    return true;
}

bool position_at(struct str record, int64_t step, struct arena *a, const struct position **ret,
                 struct err *err)
{
    char names[NAMES_BYTES];
    struct buf b = BUF(names);
    struct walk *w = calloc(1, sizeof *w);
    struct match end;
    struct rules rules;
    int line;
    if (!w)
        return err_set(err, "no memory");
    w->wanted = step < 0 ? 0 : step;
    const struct replay_watch watch = {on_deal, on_move, on_takeback, w};
    bool good = replay_watched(record, &watch, &end, &rules, &b, &line, err);
    if (good) {
        struct position *position = arena_new(a, struct position);
        if (w->wanted > w->n)
            w->wanted = w->n;
        pass_position(w, &end, false);
        *position = w->at;
        position->last = w->n - 1;
        *ret = position;
    }
    free(w);
    return good;
}
