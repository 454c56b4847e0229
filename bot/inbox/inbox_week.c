/* The champion of a week, and the solvers of a chat: facts, the settings, the timer. */
#include "inbox_features.h"

#include "week.h"

#include <stdlib.h>

enum { ROWS_SHOWN = 10, WEEK_DAYS = 7, SOLVERS_DAYS = 60 };

static int by_runs(const void *left, const void *right)
{
    const struct week_solver *a = left, *b = right;
    int64_t of_a = a->puzzle_run + a->duel_run, of_b = b->puzzle_run + b->duel_run;
    int64_t all_a = a->solved + a->duels, all_b = b->solved + b->duels;
    return of_a != of_b ? (of_a < of_b) - (of_a > of_b) : (all_a < all_b) - (all_a > all_b);
}

static void load_solvers(struct turn *t, int64_t today, struct week_facts *f)
{
    struct solver_rows people =
        store_daily_people(t->store, t->arena, t->chat.id, today - SOLVERS_DAYS);
    struct week_solver *at = arena_array(t->arena, struct week_solver, (size_t)people.n);
    for (int i = 0; i < people.n; i++) {
        struct puzzle_record p = facts_puzzle_record(t, people.at[i].who);
        struct week_solver s = {
            .solved = p.solved, .puzzle_run = p.run, .name = turn_name(t, people.at[i].name)};
        s.duel_run = duel_run(t, t->chat.id, people.at[i].who, &s.duels);
        if (s.solved > 0 || s.duels > 0)
            at[f->n_solvers++] = s;
    }
    if (f->n_solvers > 0)
        qsort(at, (size_t)f->n_solvers, sizeof *at, by_runs);
    f->n_solvers = f->n_solvers < ROWS_SHOWN ? f->n_solvers : ROWS_SHOWN;
    f->solver = at;
}

void facts_solvers(struct turn *t)
{
    const struct chat_settings *settings = &t->world.chat.settings;
    struct week_facts *f = arena_new(t->arena, struct week_facts);
    load_solvers(t, day_calendar_at(settings, settings->champion, t->event.now).today, f);
    t->world.week = f;
}

static void load_players(struct turn *t, int64_t today, struct week_facts *f)
{
    struct standings all = store_standings_of_days(t->store, t->arena, t->chat.id,
                                                   today - WEEK_DAYS, today, ROWS_SHOWN);
    struct week_player *at = arena_array(t->arena, struct week_player, (size_t)all.n);
    for (int i = 0; i < all.n; i++)
        at[i] = (struct week_player){.place = all.at[i].place,
                                     .won = all.at[i].tally.won,
                                     .drawn = all.at[i].tally.drawn,
                                     .lost = all.at[i].tally.lost,
                                     .points = all.at[i].tally.points,
                                     .best = all.at[i].best,
                                     .best_hand = all.at[i].best_hand,
                                     .name = turn_name(t, all.at[i].name)};
    f->n_players = all.n;
    f->player = at;
}

struct turn *week_due_turn(struct inbox *in, int64_t put_off)
{
    int64_t today, before;
    struct turn *t = daily_due_turn(in, DAILY_WEEK, put_off, &today, &before);
    if (!t)
        return NULL;
    struct week_facts *f = arena_new(t->arena, struct week_facts);
    load_players(t, today, f);
    load_solvers(t, today, f);
    t->event.verb = VERB_WEEK_DUE;
    t->world.week = f;
    return t;
}
