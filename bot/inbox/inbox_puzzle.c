/* Puzzles: how many days in a row a person has solved; facts: the collection, answers, the day that
 * is open in a chat; effects of an answer; the timer: a chat's puzzle of the day. */
#include "inbox_puzzle.h"

#include "choice.h"
#include "embedded.h"
#include "puzzle_file.h"
#include "inbox_features.h"
#include "store_puzzle.h"

#include <assert.h>

struct puzzle_record puzzle_record_load(struct store *s, struct arena *a, int64_t who, int64_t day)
{
    struct puzzle_answers all = store_puzzle_answers(s, a, who, day);
    struct puzzle_record r = {0};
    int64_t run = 0, newer = day;
    bool unbroken = true;
    for (int i = 0; i < all.n; i++) {
        const struct puzzle_answer *x = &all.at[i];
        if (x->day == newer) /* by another handle, later */
            continue;
        bool joins = x->day == newer - 1;
        newer = x->day;
        run = !x->solved ? 0 : joins ? run + 1 : 1;
        unbroken = unbroken && joins && x->solved;
        r.run = unbroken ? run : r.run;
        r.longest = run > r.longest ? run : r.longest;
        r.answered++;
        r.solved += x->solved;
    }
    return r;
}

/* ---- facts ---- */

static struct str collection(void)
{
    return embedded_find(STR("puzzles.jsonl"));
}

/* One puzzle, with what people made of it: those of the chat who solved it, and their runs of days
 * up to it. */
static struct puzzle_of_day load_day(struct turn *t, struct puzzle_asked asked)
{
    enum { MOST_SOLVERS = 20 };
    /* the collection is built in, and each line of it was tested: one that cannot be read is a bug */
    struct puzzle *p = arena_new(t->arena, struct puzzle);
    struct err err;
    bool readable = puzzle_file_read(puzzle_file_line(collection(), asked.place), p, &err);
    assert(readable);
    (void)readable;
    struct puzzle_of_day d = {.day = asked.day, .puzzle = p};
    if (asked.day == 0)
        return d;
    const struct puzzle_answer *mine =
        t->me.who ? store_puzzle_answer(t->store, t->arena, asked.day, t->me.who) : NULL;
    if (mine && mine->answer >= 1 && mine->answer <= d.puzzle->view.n_legal)
        d.answer = (int)mine->answer;
    struct puzzle_count count = store_puzzle_count(t->store, asked.day);
    d.answered = count.answered;
    d.solved = count.solved;
    struct named_rows all =
        store_puzzle_solvers(t->store, t->arena, asked.day, t->chat.id, MOST_SOLVERS);
    struct puzzle_solver *at = arena_array(t->arena, struct puzzle_solver, (size_t)all.n);
    for (int i = 0; i < all.n; i++)
        at[i] = (struct puzzle_solver){
            turn_name(t, all.at[i].name),
            puzzle_record_load(t->store, t->arena, all.at[i].who, asked.day + 1).run};
    d.n_solvers = all.n;
    d.solver = at;
    return d;
}

/* The day whose puzzle is open in the chat: the one that stands there, else today. */
static int64_t current_day(struct turn *t)
{
    struct daily_post post = store_daily_post(t->store, &puzzle_posts, t->chat.id);
    int64_t today =
        day_calendar_at(&t->world.chat.settings, t->world.chat.settings.puzzle, t->event.now).today;
    bool stands = post.due > 0 && post.day >= today - 1;
    return stands ? post.day : today;
}

/* Without the day that is open where the sender asks. */
static struct puzzle_record record_of(struct turn *t, int64_t who)
{
    return puzzle_record_load(t->store, t->arena, who, current_day(t));
}

static void load_asked(struct turn *t)
{
    struct puzzle_facts *f = arena_new(t->arena, struct puzzle_facts);
    struct puzzle_asked asked;
    t->world.puzzle = f;
    if (t->seasons.figures) /* a line of a card */
        f->record = record_of(t, t->seasons.person);
    if (t->event.verb != VERB_PUZZLE)
        return;
    f->total = puzzle_file_count(collection());
    f->current = current_day(t);
    puzzle_asked(&t->world, &t->event, t->arena, f->current, f->total, &asked);
    f->asked = load_day(t, asked);
}

static struct day_run run_of(struct turn *t, int64_t who)
{
    struct puzzle_record r = record_of(t, who);
    return (struct day_run){r.solved, r.run};
}

/* ---- effects ---- */

static void settle(struct turn *t, struct effects *fx)
{
    if (fx->puzzle)
        store_add_puzzle_answer(t->store, &(struct puzzle_answer){.day = fx->puzzle->day,
                                                                  .handle = t->me.id,
                                                                  .answer = fx->puzzle->answer,
                                                                  .chat = t->chat.id,
                                                                  .at = t->event.now,
                                                                  .solved = fx->puzzle->solved});
}

/* "/puzzle all" */
static void reads(struct turn *t)
{
    struct event *e = &t->event;
    if (e->verb == VERB_PUZZLE &&
        keyword_find(&t->in->languages, t->arena, str_trim(e->words)) == KEYWORD_ALL)
        e->verb = VERB_PUZZLE_SOLVERS;
}

static void list(struct store *s, struct arena *a, int64_t who, struct buf *b)
{
    struct puzzle_answers all = store_puzzle_answers(s, a, who, INT64_MAX);
    for (int i = 0; i < all.n; i++)
        buf_print(b, "{\"t\":\"puzzle\",\"day\":%lld,\"at\":%lld,\"answer\":%lld}\n",
                  (long long)all.at[i].day, (long long)all.at[i].at, (long long)all.at[i].answer);
}

/* ---- its page ---- */

/* By its number, for a reader with a day of their own: that of a chat without settings. */
static struct puzzle_of_day *find_puzzle(struct turn *t, int64_t no)
{
    struct puzzle_asked asked;
    struct puzzle_of_day *d = arena_new(t->arena, struct puzzle_of_day);
    puzzle_of_version(no, puzzle_file_count(collection()), &asked);
    *d = load_day(t, asked);
    return d;
}

static void seat_reader(struct turn *t, const struct puzzle_of_day *d, struct scene_reader *reader)
{
    struct effects *fx = arena_new(reader->arena, struct effects);
    fx->arena = reader->arena;
    struct table *table = puzzle_table(fx, &t->in->rulesets, d);
    table->player[table->view.seat].name =
        text_make(texts_for(&t->in->languages, reader->language), reader->arena, T_YOU, 0, NULL, 0);
    reader->table = table;
}

static bool preview(struct turn *t, int64_t no, struct scene_reader *reader,
                    struct scene_preview *ret)
{
    const struct puzzle_of_day *d = find_puzzle(t, no);
    seat_reader(t, d, reader);
    puzzle_preview(reader, d, ret);
    return true;
}

/* chosen: from 1, of one whose solution follows at once; 0: none. */
static void write_puzzle(struct turn *t, int64_t no, int chosen, struct scene_reader *r,
                         struct str *ret)
{
    const struct puzzle_of_day *d = find_puzzle(t, no);
    int64_t current = current_day(t);
    uint32_t any = (uint32_t)(r->now / 1000 + no);
    uint8_t option[MAX_MOVES];
    int n = choice_options(d->puzzle->view.legal, d->puzzle->view.n_legal, option);
    int answer = d->answer;
    if (answer == 0 && d->day < current && chosen >= 1 && chosen <= n)
        answer = option[chosen - 1] + 1;
    seat_reader(t, d, r);
    r->version = answer ? 2 : 1;
    *ret = puzzle_scene(r, d, answer, d->day < current,
                        PUZZLE_PRACTICE +
                            puzzle_for_practice(current, any, puzzle_file_count(collection())));
}

static bool document(struct turn *t, int64_t no, struct scene_reader *reader, struct str *ret)
{
    write_puzzle(t, no, 0, reader, ret);
    return true;
}

static bool pressed(struct turn *t, const struct press *p, struct scene_reader *reader,
                    struct str *ret)
{
    bool answers =
        p->verb == VERB_PUZZLE && p->index > 0 && p->index < PUZZLE_ANOTHER && p->version > 0;
    if (answers)
        write_puzzle(t, p->version, (int)p->index, reader, ret);
    return answers;
}

/* ---- its timer ---- */

static const struct daily_kind kind = {&puzzle_posts, offsetof(struct chat_settings, puzzle), 1, 0};

static struct turn *due_turn(struct inbox *in, int64_t put_off)
{
    int64_t today, before;
    struct turn *t = daily_due_turn(in, &kind, put_off, &today, &before);
    if (!t)
        return NULL;
    struct puzzle_facts *f = arena_new(t->arena, struct puzzle_facts);
    f->total = puzzle_file_count(collection());
    f->current = today;
    f->asked = load_day(t, (struct puzzle_asked){today, puzzle_place_of_day(today, f->total)});
    if (before)
        f->before =
            load_day(t, (struct puzzle_asked){before, puzzle_place_of_day(before, f->total)});
    t->event.verb = VERB_PUZZLE_DUE;
    t->world.puzzle = f;
    return t;
}

const struct inbox_feature inbox_puzzle = {.reads = reads,
                                           .facts = FACT_PUZZLE | FACT_FIGURES,
                                           .load = load_asked,
                                           .settle = settle,
                                           .daily = &kind,
                                           .date = "puzzle",
                                           .due = due_turn,
                                           .list = list,
                                           .run_head = T_WEEK_PUZZLES,
                                           .run = run_of,
                                           .shared = {.what = "puzzle",
                                                      .document = "scene",
                                                      .open = true,
                                                      .preview = preview,
                                                      .read = document,
                                                      .pressed = pressed}};
