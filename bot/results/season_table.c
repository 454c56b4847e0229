/* See season_table.h. */
#include "season_table.h"

#include "store.h"
#include "zone.h"

#include <limits.h>
#include <stdlib.h>

enum { CHAMPIONS = 8, CALLS_LEAST = 5, RUN_LEAST = 3 };

/* ---- which season ---- */

int64_t season_end_in(struct str zone, const struct season_key *key)
{
    int32_t offset = 0;
    int64_t end = season_end(key, 0);
    if (end == INT64_MAX)
        return end;
    if (!zone_offset(zone, end, &offset))
        offset = 0;
    end = season_end(key, offset);
    int32_t then = offset;
    if (zone_offset(zone, end, &then) && then != offset)
        end = season_end(key, then);
    return end;
}

void season_now(const struct chat_settings *settings, int64_t now, struct season_running *ret)
{
    struct str zone = str_of(settings->zone);
    *ret = (struct season_running){0};
    if (!zone_offset(zone, now, &ret->offset))
        ret->offset = 0;
    chat_settings_season(settings, now, ret->offset, &ret->key);
    ret->ends = season_end_in(zone, &ret->key);
}

/* ---- order ---- */

/* A table while it is put in order: level[] are wins less losses against those with as many matches
 * won, known between `from` and `to` of the groups that were settled. */
struct ranking {
    struct store *store;
    struct arena *arena;
    int64_t chat;
    struct str season;
    int n;
    struct ranked {
        struct standing s;
        int64_t level;
    } * at;
};

static int compare(int64_t a, int64_t b)
{
    return (a < b) - (a > b);
}

static int by_level(const struct ranked *a, const struct ranked *b)
{
    int order = compare(a->level, b->level);
    order = order ? order : compare(a->s.tally.points, b->s.tally.points);
    return order ? order : -compare(a->s.tally.lost, b->s.tally.lost);
}

/* Equals keep the order of the store: by name. */
static int by_level_and_row(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    int order = by_level(a, b);
    return order ? order : -compare(a->s.place, b->s.place);
}

static bool ranking_read(struct ranking *t, struct err *err)
{
    struct standings all;
    if (!store_standings(t->store, t->arena, t->chat, t->season, INT_MAX, &all, err))
        return false;
    t->n = all.n;
    t->at = arena_array(t->arena, struct ranked, (size_t)all.n);
    for (int i = 0; i < all.n; i++) {
        t->at[i].s = all.at[i];
        t->at[i].s.place = i + 1;
    }
    return true;
}

static bool is_in(const struct ranking *t, int from, int to, int64_t person)
{
    for (int i = from; i < to; i++)
        if (t->at[i].s.person == person)
            return true;
    return false;
}

/* Orders rows from ... to - 1, which have equally many matches won. */
static bool settle_group(struct ranking *t, int from, int to, struct err *err)
{
    struct pairings met;
    for (int i = from; i < to && to - from > 1; i++) {
        if (!store_pairings(t->store, t->arena, t->chat, t->season, t->at[i].s.person, 0, INT_MAX,
                            &met, err))
            return false;
        t->at[i].level = 0;
        for (int k = 0; k < met.n; k++)
            if (is_in(t, from, to, met.at[k].other))
                t->at[i].level += met.at[k].tally.won - met.at[k].tally.lost;
    }
    qsort(t->at + from, (size_t)(to - from), sizeof *t->at, by_level_and_row);
    for (int i = from; i < to; i++)
        t->at[i].s.place =
            i > from && by_level(&t->at[i - 1], &t->at[i]) == 0 ? t->at[i - 1].s.place : i + 1;
    return true;
}

/* Puts rows from ... to - 1, and those level with them, into their order. */
static bool settle(struct ranking *t, int from, int to, struct err *err)
{
    while (from > 0 && from < t->n && t->at[from - 1].s.tally.won == t->at[from].s.tally.won)
        from--;
    for (int end; from < to && from < t->n; from = end) {
        for (end = from + 1; end < t->n && t->at[end].s.tally.won == t->at[from].s.tally.won;)
            end++;
        if (!settle_group(t, from, end, err))
            return false;
    }
    return true;
}

static int ranked_at(const struct ranking *t, int64_t person)
{
    for (int i = 0; person && i < t->n; i++)
        if (t->at[i].s.person == person)
            return i;
    return -1;
}

bool season_table_places(struct store *s, struct arena *a, int64_t chat, struct str season, int n,
                         const int64_t *person, int64_t *ret, struct err *err)
{
    struct ranking t = {s, a, chat, season, 0, NULL};
    if (!ranking_read(&t, err))
        return false;
    for (int i = 0; i < n; i++) {
        int row = ranked_at(&t, person[i]);
        if (row >= 0 && !settle(&t, row, row + 1, err))
            return false;
        row = ranked_at(&t, person[i]); /* settling moved it */
        ret[i] = row >= 0 ? t.at[row].s.place : 0;
    }
    return true;
}

/* ---- a page ---- */

static struct stand stand_of(const struct standing *s)
{
    return (struct stand){.place = s->place,
                          .person = s->person,
                          .won = s->tally.won,
                          .drawn = s->tally.drawn,
                          .lost = s->tally.lost,
                          .points = s->tally.points,
                          .calls = s->tally.calls,
                          .calls_won = s->tally.calls_won,
                          .best = s->best,
                          .longest = s->longest,
                          .best_hand = s->best_hand,
                          .name = s->name};
}

static struct stand stand_of_closed(const struct season_row *r)
{
    struct stand stand = stand_of(&r->s);
    stand.rating = (struct rating){r->rating, r->deviation, 0};
    stand.rated = r->deviation > 0;
    return stand;
}

static bool load_ratings(const struct ranking *t, int from, int to, struct stand *at,
                         const struct season_asked *asked, struct err *err)
{
    for (int i = from; i < to; i++) {
        int64_t matches;
        if (!results_rating(t->store, t->arena, t->chat, t->at[i].s.person,
                            str_of(asked->running.text), asked->now, &at[i - from].rating, &matches,
                            &at[i - from].rated, err))
            return false;
    }
    return true;
}

static void choose_honours(const struct stand *all, int n, struct board_facts *ret)
{
    for (int i = 0; i < n; i++) {
        const struct stand *s = &all[i];
        if (s->best > 0 && (!ret->best || s->best > ret->best->best))
            ret->best = s;
        const struct stand *c = ret->caller;
        if (s->calls >= CALLS_LEAST && s->calls_won > 0 &&
            (!c || s->calls_won * c->calls > c->calls_won * s->calls))
            ret->caller = s;
        if (s->longest >= RUN_LEAST && (!ret->run || s->longest > ret->run->longest))
            ret->run = s;
    }
}

static int first_of_page(int page, int n, struct board_facts *ret)
{
    ret->pages = n > 0 ? (n + BOARD_ROWS - 1) / BOARD_ROWS : 1;
    ret->page = page < 0 ? 0 : page >= ret->pages ? ret->pages - 1 : page;
    return ret->page * BOARD_ROWS;
}

/* The rows of all[] that this page shows, and the asker's. */
static void choose_rows(const struct stand *all, int n, int from, int64_t asker,
                        struct board_facts *ret)
{
    ret->at = all + from;
    ret->n = n - from < BOARD_ROWS ? n - from : BOARD_ROWS;
    for (int i = 0; asker && i < n; i++)
        if ((i < from || i >= from + ret->n) && all[i].person == asker)
            ret->own = &all[i];
    choose_honours(all, n, ret);
}

static bool load_running(struct ranking *t, const struct season_asked *asked,
                         struct board_facts *ret, struct err *err)
{
    if (!ranking_read(t, err))
        return false;
    int from = first_of_page(asked->page, t->n, ret), own = ranked_at(t, asked->asker);
    int to = from + BOARD_ROWS < t->n ? from + BOARD_ROWS : t->n;
    if (!settle(t, from, to, err) || (own >= 0 && !settle(t, own, own + 1, err)))
        return false;
    own = ranked_at(t, asked->asker);
    struct stand *all = arena_array(t->arena, struct stand, (size_t)t->n);
    for (int i = 0; i < t->n; i++)
        all[i] = stand_of(&t->at[i].s);
    if (!load_ratings(t, from, to, all + from, asked, err) ||
        (own >= 0 && !load_ratings(t, own, own + 1, all + own, asked, err)))
        return false;
    choose_rows(all, t->n, from, asked->asker, ret);
    return true;
}

static void load_closed(struct arena *a, const struct season_rows *rows,
                        const struct season_asked *asked, struct board_facts *ret)
{
    struct stand *all = arena_array(a, struct stand, (size_t)rows->n);
    for (int i = 0; i < rows->n; i++)
        all[i] = stand_of_closed(&rows->at[i]);
    choose_rows(all, rows->n, first_of_page(asked->page, rows->n, ret), asked->asker, ret);
}

static bool load_champions(struct store *s, struct arena *a, int64_t chat, struct board_facts *ret,
                           struct err *err)
{
    struct champions list;
    if (!store_champions(s, a, chat, CHAMPIONS, &list, err))
        return false;
    struct champion_seen *at = arena_array(a, struct champion_seen, (size_t)list.n);
    for (int i = 0; i < list.n; i++)
        if (season_read(list.at[i].season, &at[ret->n_champions].season))
            at[ret->n_champions++].name = list.at[i].name;
    ret->champions = at;
    return true;
}

bool season_table_load(struct store *s, struct arena *a, const struct season_asked *asked,
                       struct board_facts *ret, struct err *err)
{
    struct ranking t = {s, a, asked->chat, arena_str(a, str_of(asked->key.text)), 0, NULL};
    struct season_rows closed;
    *ret = (struct board_facts){.season = asked->key, .asker = asked->asker};
    ret->open = asked->ends == INT64_MAX;
    ret->ends = asked->ends > asked->now && !ret->open ? asked->ends : 0;
    if (season_is_all(&asked->key) && !load_champions(s, a, asked->chat, ret, err))
        return false;
    if (!store_season_rows(s, a, asked->chat, t.season, &closed, err))
        return false;
    if (closed.n == 0)
        return load_running(&t, asked, ret, err);
    ret->open = false;
    load_closed(a, &closed, asked, ret);
    return true;
}

/* ---- the end of a season ---- */

static bool keep_row(const struct ranking *t, int row, const struct season_asked *asked,
                     struct err *err)
{
    const struct standing *s = &t->at[row].s;
    struct season_row kept = {.row = row, .closed = asked->now, .s = *s};
    struct rating rating;
    int64_t matches;
    bool found;
    if (!results_rating(t->store, t->arena, t->chat, s->person, t->season, asked->now, &rating,
                        &matches, &found, err))
        return false;
    if (found) {
        kept.rating = rating.points;
        kept.deviation = rating.deviation;
    }
    return store_add_season_row(t->store, t->chat, t->season, &kept, err);
}

bool season_table_close(struct store *s, struct arena *a, const struct season_asked *asked,
                        struct board_facts *ret, bool *ret_news, struct err *err)
{
    struct ranking t = {s, a, asked->chat, arena_str(a, str_of(asked->key.text)), 0, NULL};
    struct season_rows closed;
    if (!store_drop_season(s, asked->chat, t.season, err) ||
        !store_season_rows(s, a, asked->chat, t.season, &closed, err))
        return false;
    *ret_news = false;
    if (closed.n > 0)
        return true;
    if (!ranking_read(&t, err) || !settle(&t, 0, t.n, err))
        return false;
    for (int i = 0; i < t.n; i++)
        if (!keep_row(&t, i, asked, err))
            return false;
    *ret_news = t.n > 0;
    return season_table_load(s, a, asked, ret, err);
}
