/* How far each player is towards yaku: what a board shows in place of a list of captures. See
 * part.h. */
#include "part.h"

#include "review.h"

/* A yaku that a seat lacks and can still make. */
struct yaku_progress {
    int yaku;
    struct reach reach;
};

static bool is_bright_yaku(int y)
{
    return y == YAKU_GOKO || y == YAKU_SHIKO || y == YAKU_AME_SHIKO || y == YAKU_SANKO;
}

static int lacks(const struct yaku_progress *p)
{
    return p->reach.need - p->reach.have;
}

/* Of the yaku of brights only the nearest counts, and a set of three from its second card on. */
static bool is_telling(const struct yaku_progress *all, int n, const struct yaku_progress *r)
{
    enum { TRIO = 3 };
    if (r->reach.have == 0)
        return false;
    if (!is_bright_yaku(r->yaku))
        return r->reach.need != TRIO || lacks(r) == 1;
    for (int i = 0; i < n; i++)
        if (is_bright_yaku(all[i].yaku) &&
            (lacks(&all[i]) < lacks(r) || (lacks(&all[i]) == lacks(r) && &all[i] > r)))
            return false;
    return true;
}

/* The nearest first, then the dearest. Returns their number. */
static int all_progress(const struct view *v, int seat, struct yaku_progress ret[static N_YAKU])
{
    struct yaku_progress all[N_YAKU];
    int n = 0, k = 0;
    for (int y = 0; y < N_YAKU; y++) {
        all[n].yaku = y;
        n += review_reach(v, seat, (enum yaku)y, &all[n].reach);
    }
    for (int i = 0; i < n; i++) {
        if (!is_telling(all, n, &all[i]))
            continue;
        int at = k++;
        for (; at > 0 && lacks(&ret[at - 1]) > lacks(&all[i]); at--)
            ret[at] = ret[at - 1];
        ret[at] = all[i];
    }
    return k;
}

/* "moon viewing" of "moon viewing (tsukimi)". */
static struct str short_name(const struct body *body, int y)
{
    struct str name = body->words->yaku[y];
    for (size_t i = 1; i + 1 < name.n; i++)
        if (name.p[i] == ' ' && name.p[i + 1] == '(')
            return (struct str){name.p, i};
    return name;
}

static struct str made(const struct body *body, int seat)
{
    struct score score;
    struct str list = {0};
    score_pile(body_ruleset(body), body->table->view.taken[seat],
               body->table->view.koikoi[seat] > 0, &score);
    for (int y = 0; y < N_YAKU; y++)
        if (score.worth[y] > 0)
            list = body_join(
                body, list, TX0(body, T_PLUS),
                TX(body, T_YAKU_WORTH, short_name(body, y), body_int(body, score.worth[y])));
    return list;
}

static struct str progress(const struct body *body, int seat)
{
    struct yaku_progress r[N_YAKU];
    int n = all_progress(&body->table->view, seat, r);
    struct str list = made(body, seat);
    if (list.n > 0)
        list = TX(body, T_PROGRESS_HAS, list);
    for (int i = 0; i < n; i++)
        list = body_join(body, list, TX0(body, T_DOT),
                         TX(body, T_PROGRESS, short_name(body, r[i].yaku),
                            body_int(body, r[i].reach.have), body_int(body, r[i].reach.need)));
    return list.n > 0 ? list : TX0(body, T_PROGRESS_NONE);
}

void part_captures(struct body *body)
{
    const struct view *v = &body->table->view;
    for (int i = 0; i < body->table->players; i++) {
        struct str calls =
            v->koikoi[i] ? TX(body, T_CALLS, body_int(body, v->koikoi[i])) : (struct str){0};
        struct str name = i == v->seat ? TX0(body, T_YOU) : body_name(body, i);
        body_line(body, TX(body, T_CAPTURES, name, calls, body_int(body, v->hand_size[i]),
                           progress(body, i)));
    }
}

void part_near(struct body *body, int seat)
{
    enum { NEAR = 2, FEW = 3 };
    const struct view *v = &body->table->view;
    struct yaku_progress r[N_YAKU];
    int n = all_progress(v, seat, r);
    for (int i = 0; i < n && lacks(&r[i]) <= NEAR; i++) {
        struct str name = TX(body, T_YAKU_WORTH, short_name(body, r[i].yaku),
                             body_int(body, v->rules.yaku[r[i].yaku]));
        struct str have = body_int(body, r[i].reach.have), need = body_int(body, r[i].reach.need);
        body_line(body, set_count(r[i].reach.missing) <= FEW
                            ? TX(body, T_YAKU_LACKS, name, have, need,
                                 body_cards(body, r[i].reach.missing))
                            : TX(body, T_YAKU_COUNT, name, have, need));
    }
}
