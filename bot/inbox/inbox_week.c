/* The champion of a week, and the solvers of a chat: facts, the settings, the timer. */
#include "inbox_features.h"

#include <stdlib.h>

enum { ROWS_SHOWN = 10, WEEK_DAYS = 7, SOLVERS_DAYS = 60 };

static int by_runs(const void *left, const void *right)
{
    const struct week_solver *a = left, *b = right;
    int64_t of_a = 0, of_b = 0, all_a = 0, all_b = 0;
    for (int i = 0; i < MAX_RUNS; i++) {
        of_a += a->of[i].run, of_b += b->of[i].run;
        all_a += a->of[i].days, all_b += b->of[i].days;
    }
    return of_a != of_b ? (of_a < of_b) - (of_a > of_b) : (all_a < all_b) - (all_a > all_b);
}

static void load_solvers(struct turn *t, int64_t today, struct week_facts *f)
{
    struct named_rows people =
        store_daily_people(t->store, t->arena, t->chat.id, today - SOLVERS_DAYS);
    struct week_solver *at = arena_array(t->arena, struct week_solver, (size_t)people.n);
    for (int k = 0; t->in->features[k]; k++)
        if (t->in->features[k]->run && f->n_runs < MAX_RUNS)
            f->run_head[f->n_runs++] = t->in->features[k]->run_head;
    for (int i = 0; i < people.n; i++) {
        struct week_solver s = {.name = turn_name(t, people.at[i].name)};
        bool any = false;
        for (int k = 0, n = 0; n < f->n_runs; k++)
            if (t->in->features[k]->run) {
                s.of[n] = t->in->features[k]->run(t, people.at[i].who);
                any |= s.of[n++].days > 0;
            }
        if (any)
            at[f->n_solvers++] = s;
    }
    if (f->n_solvers > 0)
        qsort(at, (size_t)f->n_solvers, sizeof *at, by_runs);
    f->n_solvers = f->n_solvers < ROWS_SHOWN ? f->n_solvers : ROWS_SHOWN;
    f->solver = at;
}

/* The solvers of the chat. */
static void load_asked(struct turn *t)
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
    struct stand *at = arena_array(t->arena, struct stand, (size_t)all.n);
    for (int i = 0; i < all.n; i++) {
        at[i] = season_stand(&all.at[i]);
        at[i].name = turn_name(t, all.at[i].name);
    }
    f->n_players = all.n;
    f->player = at;
}

static const struct daily_kind kind = {&week_posts, offsetof(struct chat_settings, champion), 7, 4};

static struct turn *due_turn(struct inbox *in, int64_t put_off)
{
    int64_t today, before;
    struct turn *t = daily_due_turn(in, &kind, put_off, &today, &before);
    if (!t)
        return NULL;
    struct week_facts *f = arena_new(t->arena, struct week_facts);
    load_players(t, today, f);
    load_solvers(t, today, f);
    t->event.verb = VERB_WEEK_DUE;
    t->world.week = f;
    return t;
}

const struct inbox_feature inbox_week = {
    .facts = FACT_SOLVERS, .load = load_asked, .daily = &kind, .date = "week", .due = due_turn};
