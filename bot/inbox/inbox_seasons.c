/* Two more entries of the inbox, by the calendar: a season of a chat has ended, and its puzzle of
 * the day is due. */
#include "inbox_internal.h"

#include "puzzle_days.h"
#include "season_table.h"
#include "store_puzzle.h"

static const int64_t DAY_MS = 24 * 3600 * (int64_t)1000;

bool inbox_put_off_season(struct inbox *in, int64_t ms, struct err *err)
{
    struct season_due due;
    bool found;
    int64_t now = clock_now(in->parts.clock);
    if (!store_season_due(in->parts.store, in->turn, now, &due, &found, err))
        return false;
    due.due = now + ms;
    return !found || store_open_season(in->parts.store, &due, err);
}

static bool champion(struct turn *t, int64_t person)
{
    const struct badge_row badge = {str_of(badges[BADGE_CHAMPION].key), t->chat.id, 0,
                                    t->event.now};
    bool is_new;
    return store_add_badge(t->in->parts.store, person, &badge, &is_new, t->err);
}

static bool close_season(struct turn *t, const struct season_asked *asked, struct err *err)
{
    struct board_facts *board = arena_new(t->in->turn, struct board_facts);
    bool is_news;
    if (!facts_chat(t, t->event.chat, (struct str){0}, t->event.direct) ||
        !season_table_close(t->in->parts.store, t->in->turn, asked, board, &is_news, err))
        return false;
    for (int i = 0; is_news && i < board->n && board->at[i].place == 1; i++)
        if (!champion(t, board->at[i].person))
            return false;
    t->event.verb = VERB_SEASON_OVER;
    t->seasons.board = board;
    return !is_news || settle_event(t);
}

bool inbox_seasons(struct inbox *in, struct err *err)
{
    struct season_due due;
    struct season_asked asked = {.now = clock_now(in->parts.clock)};
    struct turn *t;
    bool found;
    if (!store_season_due(in->parts.store, in->turn, asked.now, &due, &found, err))
        return false;
    if (!found)
        return true;
    asked.chat = due.chat;
    if (!season_read(due.season, &asked.key))
        return store_drop_season(in->parts.store, due.chat, due.season, err);
    asked.running = asked.key;
    if (!turn_begin_in(in, due.chat, &t, err))
        return false;
    /* its network is not configured now */
    return t ? close_season(t, &asked, err) : inbox_put_off_season(in, DAY_MS, err);
}

/* ---- puzzles ---- */

bool inbox_put_off_puzzle(struct inbox *in, int64_t ms, struct err *err)
{
    struct puzzle_post post;
    bool found;
    int64_t now = clock_now(in->parts.clock);
    if (!store_puzzle_due(in->parts.store, now, &post, &found, err))
        return false;
    post.due = now + ms;
    return !found || store_set_puzzle_post(in->parts.store, &post, err);
}

static bool post_day(struct turn *t, int64_t before, int64_t day)
{
    struct puzzle_facts *f = arena_new(t->in->turn, struct puzzle_facts);
    f->total = puzzle_total();
    f->current = day;
    const struct puzzle_asked today = {day, puzzle_place_of_day(day, f->total)},
                              last = {before, puzzle_place_of_day(before, f->total)};
    t->event.verb = VERB_PUZZLE_DUE;
    t->world.puzzle = f;
    return facts_puzzle_of_day(t, &today, &f->asked) &&
           (before == 0 || facts_puzzle_of_day(t, &last, &f->before)) && settle_event(t);
}

/* A day is posted on that day alone, and once. */
static bool due_in_chat(struct turn *t, struct puzzle_post *post)
{
    struct puzzle_calendar calendar;
    int64_t before = post->day;
    puzzle_calendar_at(&t->world.chat.settings, t->event.now, &calendar);
    bool posts = calendar.next > 0 && calendar.passed && calendar.today > before;
    post->due = calendar.next;
    post->day = posts ? calendar.today : before;
    return store_set_puzzle_post(t->in->parts.store, post, t->err) &&
           (!posts || post_day(t, before, calendar.today));
}

bool inbox_puzzles(struct inbox *in, struct err *err)
{
    struct puzzle_post post;
    struct turn *t;
    bool found;
    if (!store_puzzle_due(in->parts.store, clock_now(in->parts.clock), &post, &found, err))
        return false;
    if (!found)
        return true;
    if (!turn_begin_in(in, post.chat, &t, err))
        return false;
    if (!t) /* its network is not configured now */
        return inbox_put_off_puzzle(in, DAY_MS, err);
    return facts_chat(t, t->event.chat, (struct str){0}, t->event.direct) && due_in_chat(t, &post);
}
