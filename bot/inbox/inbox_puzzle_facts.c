/* Facts about puzzles: the collection, answers, the day that is open in a chat; and the effects of
 * an answer and of a chat's settings. */
#include "inbox_internal.h"

#include "embedded.h"
#include "puzzle_days.h"
#include "puzzle_file.h"
#include "store_puzzle.h"

#include <assert.h>

enum { MOST_SOLVERS = 20 };

static struct str collection(void)
{
    return embedded_find(STR("puzzles.jsonl"));
}

int puzzle_total(void)
{
    return puzzle_file_count(collection());
}

/* ---- facts ---- */

/* The collection is built in, and each line of it was tested: one that cannot be read is a bug. */
static const struct puzzle *puzzle_at(struct turn *t, int place)
{
    struct puzzle *p = arena_new(t->in->turn, struct puzzle);
    struct err err;
    bool readable = puzzle_file_read(puzzle_file_line(collection(), place), p, &err);
    assert(readable);
    (void)readable;
    return p;
}

/* The people of the chat who solved it, and their runs of days up to it. */
static bool load_solvers(struct turn *t, struct puzzle_of_day *d)
{
    struct store *store = t->in->parts.store;
    struct solver_rows all;
    struct puzzle_record record;
    if (!store_puzzle_solvers(store, t->in->turn, d->day, t->chat.id, MOST_SOLVERS, &all, t->err))
        return false;
    struct puzzle_solver *at = arena_array(t->in->turn, struct puzzle_solver, (size_t)all.n);
    for (int i = 0; i < all.n; i++) {
        if (!puzzle_record_load(store, t->in->turn, all.at[i].who, d->day + 1, &record, t->err))
            return false;
        at[i] = (struct puzzle_solver){text_clean(t->in->turn, all.at[i].name, NAME_COLUMNS),
                                       record.run};
    }
    d->n_solvers = all.n;
    d->solver = at;
    return true;
}

bool facts_puzzle_of_day(struct turn *t, const struct puzzle_asked *asked,
                         struct puzzle_of_day *ret)
{
    struct store *store = t->in->parts.store;
    struct puzzle_answer mine = {0};
    bool found = false;
    *ret = (struct puzzle_of_day){.day = asked->day, .puzzle = puzzle_at(t, asked->place)};
    if (asked->day == 0)
        return true;
    if (t->me.who > 0 && !store_puzzle_answer(store, asked->day, t->me.who, &mine, &found, t->err))
        return false;
    if (found && mine.answer >= 1 && mine.answer <= ret->puzzle->view.n_legal)
        ret->answer = (int)mine.answer;
    return store_puzzle_count(store, asked->day, &ret->answered, &ret->solved, t->err) &&
           load_solvers(t, ret);
}

/* The day whose puzzle is open in the chat: the one that stands there, else today. */
static int64_t current_day(const struct puzzle_post *post, const struct puzzle_calendar *calendar)
{
    bool stands = post->due > 0 && post->day >= calendar->today - 1;
    return stands ? post->day : calendar->today;
}

bool facts_puzzle(struct turn *t)
{
    struct puzzle_facts *f = arena_new(t->in->turn, struct puzzle_facts);
    struct puzzle_calendar calendar;
    struct puzzle_post post;
    struct puzzle_asked asked;
    if (!store_puzzle_post(t->in->parts.store, t->chat.id, &post, t->err))
        return false;
    puzzle_calendar_at(&t->world.chat.settings, t->event.now, &calendar);
    f->total = puzzle_total();
    f->current = current_day(&post, &calendar);
    puzzle_asked(&t->world, &t->event, t->in->turn, f->current, f->total, &asked);
    t->world.puzzle = f;
    return facts_puzzle_of_day(t, &asked, &f->asked);
}

/* Without the day that is open where the sender asks. */
bool facts_puzzle_record(struct turn *t, int64_t who, struct puzzle_record *ret)
{
    struct puzzle_calendar calendar;
    struct puzzle_post post;
    puzzle_calendar_at(&t->world.chat.settings, t->event.now, &calendar);
    return store_puzzle_post(t->in->parts.store, t->chat.id, &post, t->err) &&
           puzzle_record_load(t->in->parts.store, t->in->turn, who, current_day(&post, &calendar),
                              ret, t->err);
}

/* ---- effects ---- */

bool settle_puzzle(struct turn *t, const struct puzzle_effects *fx)
{
    if (!fx)
        return true;
    const struct puzzle_answer answer = {.day = fx->day,
                                         .handle = t->me.id,
                                         .answer = fx->answer,
                                         .chat = t->chat.id,
                                         .at = t->event.now,
                                         .solved = fx->solved};
    return store_add_puzzle_answer(t->in->parts.store, &answer, t->err);
}

bool puzzles_follow_settings(struct turn *t, const struct chat_settings *next)
{
    struct puzzle_calendar calendar;
    struct puzzle_post post;
    if (!store_puzzle_post(t->in->parts.store, t->chat.id, &post, t->err))
        return false;
    puzzle_calendar_at(next, t->event.now, &calendar);
    bool known = post.due > 0 || post.day > 0;
    post.due = calendar.next;
    return (post.due == 0 && !known) || store_set_puzzle_post(t->in->parts.store, &post, t->err);
}
