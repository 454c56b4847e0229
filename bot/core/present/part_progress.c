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
static struct str short_name(const struct draft *d, int y)
{
    struct str name = d->words->yaku[y];
    for (size_t i = 1; i + 1 < name.n; i++)
        if (name.p[i] == ' ' && name.p[i + 1] == '(')
            return (struct str){name.p, i};
    return name;
}

static struct str made(const struct draft *d, int seat)
{
    struct score score;
    struct str list = {0};
    score_pile(draft_ruleset(d), d->table->view.taken[seat], d->table->view.koikoi[seat] > 0,
               &score);
    for (int y = 0; y < N_YAKU; y++)
        if (score.worth[y] > 0)
            draft_add(d, &list, T_PLUS,
                      TX(d, T_YAKU_WORTH, short_name(d, y), draft_int(d, score.worth[y])));
    return list;
}

static struct str progress(const struct draft *d, int seat)
{
    struct yaku_progress r[N_YAKU];
    int n = all_progress(&d->table->view, seat, r);
    struct str list = made(d, seat);
    if (list.n > 0)
        list = TX(d, T_PROGRESS_HAS, list);
    for (int i = 0; i < n; i++)
        draft_add(d, &list, T_DOT,
                  TX(d, T_PROGRESS, short_name(d, r[i].yaku), draft_int(d, r[i].reach.have),
                     draft_int(d, r[i].reach.need)));
    return list.n > 0 ? list : TX(d, T_PROGRESS_NONE);
}

void part_captures(struct draft *d)
{
    const struct view *v = &d->table->view;
    for (int i = 0; i < d->table->players; i++) {
        struct str calls =
            v->koikoi[i] ? TX(d, T_CALLS, draft_int(d, v->koikoi[i])) : (struct str){0};
        struct str name = i == v->seat ? TX(d, T_YOU) : draft_name(d, i);
        SAY(d, T_CAPTURES, name, calls, draft_int(d, v->hand_size[i]), progress(d, i));
    }
}

void part_near(struct draft *d, int seat)
{
    enum { NEAR = 2, FEW = 3 };
    const struct view *v = &d->table->view;
    struct yaku_progress r[N_YAKU];
    int n = all_progress(v, seat, r);
    for (int i = 0; i < n && lacks(&r[i]) <= NEAR; i++) {
        struct str name =
            TX(d, T_YAKU_WORTH, short_name(d, r[i].yaku), draft_int(d, v->rules.yaku[r[i].yaku]));
        struct str have = draft_int(d, r[i].reach.have), need = draft_int(d, r[i].reach.need);
        draft_line(d, set_count(r[i].reach.missing) <= FEW ? TX(d, T_YAKU_LACKS, name, have, need,
                                                                draft_cards(d, r[i].reach.missing))
                                                           : TX(d, T_YAKU_COUNT, name, have, need));
    }
}
