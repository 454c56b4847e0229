/* The champion of a week, and the table of a chat's solvers. */
#include "week.h"

#include "page.h"

enum { NAME = 1 << 1, NAME_WIDE = 14, PODIUM = 3 };

static void put_players(struct draft *d, const struct week_facts *f)
{
    struct draft_cells *rows = arena_array(d->a, struct draft_cells, (size_t)f->n_players + 1);
    struct str first = {0};
    int n = 0;
    for (; n < f->n_players && f->player[n].place == 1; n++)
        draft_add(d, &first, T_AND, f->player[n].name);
    SAY(d, T_WEEK_HEAD);
    SAY_N(d, T_WEEK_WON, n, first);
    rows[0] = (struct draft_cells){
        {STR("#"), TX(d, T_BOARD_NAME), TX(d, T_BOARD_WON_DRAWN_LOST), TX(d, T_BOARD_POINTS)}};
    for (int i = 0; i < f->n_players; i++) {
        const struct stand *p = &f->player[i];
        rows[i + 1] =
            (struct draft_cells){{draft_int(d, p->place), text_clean(d->a, p->name, NAME_WIDE),
                                  draft_sums(d, p->tally.won, p->tally.drawn, p->tally.lost),
                                  draft_signed(d, p->tally.points)}};
    }
    draft_table(d, rows, f->n_players + 1, NAME, -1, false);
    for (int i = 0; i < f->n_players && f->player[i].place <= PODIUM; i++) {
        const struct stand *p = &f->player[i];
        if (draft_can(d, CAN_PICTURE))
            draft_line(d, part_hand_won_words(d, p->name, p->best_hand, p->best));
    }
}

/* A poster of the players: the champion, with those behind, the best hand of the first three. */
static void put_picture(struct draft *d, const struct week_facts *f)
{
    struct layout l;
    if (!draft_can(d, CAN_PICTURE))
        return;
    part_poster(d, &l);
    part_poster_title(d, &l, TX(d, T_WEEK_HEAD));
    for (int i = 0; i < f->n_players; i++) {
        const struct stand *p = &f->player[i];
        part_place(d, &l, p->place, true, text_clean(d->a, p->name, NAME_WIDE),
                   draft_sums(d, p->tally.won, p->tally.drawn, p->tally.lost), (struct str){0},
                   draft_signed(d, p->tally.points));
        if (p->place <= PODIUM)
            part_hand_won(d, &l, STR(""), p->best_hand, p->best);
    }
    part_poster_end(d, &l);
}

/* "12 (4)": so many, the last of them on so many days in a row. */
static struct str with_run(const struct draft *d, int64_t n, int64_t run)
{
    return run > 1 ? arena_print(d->a, "%lld (%lld)", (long long)n, (long long)run)
                   : draft_int(d, n);
}

static void put_solvers(struct draft *d, const struct week_facts *f)
{
    struct draft_cells *rows = arena_array(d->a, struct draft_cells, (size_t)f->n_solvers + 1);
    rows[0] = (struct draft_cells){{STR("#"), TX(d, T_BOARD_NAME)}};
    for (int k = 0; k < f->n_runs; k++)
        rows[0].at[2 + k] = TX(d, f->run_head[k]);
    for (int i = 0; i < f->n_solvers; i++) {
        const struct week_solver *s = &f->solver[i];
        rows[i + 1] =
            (struct draft_cells){{draft_int(d, i + 1), text_clean(d->a, s->name, NAME_WIDE)}};
        for (int k = 0; k < f->n_runs; k++)
            if (s->of[k].days)
                rows[i + 1].at[2 + k] = with_run(d, s->of[k].days, s->of[k].run);
    }
    SAY(d, T_WEEK_SOLVERS);
    draft_table(d, rows, f->n_solvers + 1, NAME, -1, false);
    SAY(d, T_WEEK_LEGEND);
}

void page_week(struct draft *d)
{
    const struct week_facts *f = d->w->week;
    if (d->notice->n) {
        put_players(d, f);
        put_picture(d, f);
    }
    if (f->n_solvers > 0)
        put_solvers(d, f);
}
