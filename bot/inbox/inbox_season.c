/* The scoreboard of a chat, and its seasons: which one runs, when it ends, and what is kept of it
 * then; the facts of /board, and the timer. See inbox_results.h. */
#include "inbox_features.h"

#include "inbox_shown.h"
#include "season_link.h"
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

struct season_running season_now(const struct chat_settings *settings, int64_t now)
{
    struct str zone = str_of(settings->zone);
    struct season_running r = {0};
    if (!zone_offset(zone, now, &r.offset))
        r.offset = 0;
    chat_settings_season(settings, now, r.offset, &r.key);
    r.ends = season_end_in(zone, &r.key);
    return r;
}

struct season_running season_everywhere(int64_t now)
{
    static const struct chat_settings everywhere = {.season = SEASON_QUARTER};
    return season_now(&everywhere, now);
}

struct season_due season_due_of(int64_t chat, const struct season_running *now, struct str season)
{
    return (struct season_due){chat, now->ends == INT64_MAX ? 0 : now->ends, season};
}

/* ---- order ---- */

/* A table while it is put in order: level[] are wins less losses against those with as many matches
 * won, known between `from` and `to` of the groups that were put in order. */
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

static struct ranking ranking_read(struct store *s, struct arena *a, int64_t chat,
                                   struct str season)
{
    struct standings all = store_standings(s, a, chat, season, INT_MAX);
    struct ranking t = {s, a, chat, season, all.n, arena_array(a, struct ranked, (size_t)all.n)};
    for (int i = 0; i < all.n; i++) {
        t.at[i].s = all.at[i];
        t.at[i].s.place = i + 1;
    }
    return t;
}

static int ranked_at(const struct ranking *t, int from, int to, int64_t person)
{
    for (int i = from; person && i < to; i++)
        if (t->at[i].s.person == person)
            return i;
    return -1;
}

/* Orders rows from ... to - 1, which have equally many matches won. */
static void order_group(struct ranking *t, int from, int to)
{
    for (int i = from; i < to && to - from > 1; i++) {
        struct pairings met =
            store_pairings(t->store, t->arena, t->chat, t->season, t->at[i].s.person, 0, INT_MAX);
        t->at[i].level = 0;
        for (int k = 0; k < met.n; k++)
            if (ranked_at(t, from, to, met.at[k].other) >= 0)
                t->at[i].level += met.at[k].tally.won - met.at[k].tally.lost;
    }
    qsort(t->at + from, (size_t)(to - from), sizeof *t->at, by_level_and_row);
    for (int i = from; i < to; i++)
        t->at[i].s.place =
            i > from && by_level(&t->at[i - 1], &t->at[i]) == 0 ? t->at[i - 1].s.place : i + 1;
}

/* Puts rows from ... to - 1, and those level with them, into their order. */
static void order_rows(struct ranking *t, int from, int to)
{
    while (from > 0 && from < t->n && t->at[from - 1].s.tally.won == t->at[from].s.tally.won)
        from--;
    for (int end; from < to && from < t->n; from = end) {
        for (end = from + 1; end < t->n && t->at[end].s.tally.won == t->at[from].s.tally.won;)
            end++;
        order_group(t, from, end);
    }
}

/* The row of a person, in its place; -1: none. */
static int order_person(struct ranking *t, int64_t person)
{
    int row = ranked_at(t, 0, t->n, person);
    if (row >= 0)
        order_rows(t, row, row + 1);
    return ranked_at(t, 0, t->n, person); /* that moved it */
}

void season_table_places(struct store *s, struct arena *a, int64_t chat, struct str season, int n,
                         const int64_t *person, int64_t *ret)
{
    struct ranking t = ranking_read(s, a, chat, season);
    for (int i = 0; i < n; i++) {
        int row = order_person(&t, person[i]);
        ret[i] = row >= 0 ? t.at[row].s.place : 0;
    }
}

/* ---- a page ---- */

struct stand season_stand(const struct standing *s)
{
    return (struct stand){.place = s->place,
                          .person = s->person,
                          .tally = s->tally,
                          .best = s->best,
                          .longest = s->longest,
                          .best_hand = s->best_hand,
                          .name = s->name};
}

static int first_of_page(int page, int n, struct board_facts *ret)
{
    ret->pages = n > 0 ? (n + BOARD_ROWS - 1) / BOARD_ROWS : 1;
    ret->page = page < 0 ? 0 : page >= ret->pages ? ret->pages - 1 : page;
    return ret->page * BOARD_ROWS;
}

/* The rows of all[] that this page shows, the asker's, and the honours. */
static void choose_rows(const struct stand *all, int n, int from, int64_t asker,
                        struct board_facts *ret)
{
    ret->at = all + from;
    ret->n = n - from < BOARD_ROWS ? n - from : BOARD_ROWS;
    for (int i = 0; asker && i < n; i++)
        if ((i < from || i >= from + ret->n) && all[i].person == asker)
            ret->own = &all[i];
    for (int i = 0; i < n; i++) {
        const struct stand *s = &all[i], *c = ret->caller;
        if (s->best > 0 && (!ret->best || s->best > ret->best->best))
            ret->best = s;
        if (s->tally.calls >= CALLS_LEAST && s->tally.calls_won > 0 &&
            (!c || s->tally.calls_won * c->tally.calls > c->tally.calls_won * s->tally.calls))
            ret->caller = s;
        if (s->longest >= RUN_LEAST && (!ret->run || s->longest > ret->run->longest))
            ret->run = s;
    }
}

static void load_running(struct ranking *t, const struct season_asked *asked,
                         struct board_facts *ret)
{
    int from = first_of_page(asked->page, t->n, ret);
    int to = from + BOARD_ROWS < t->n ? from + BOARD_ROWS : t->n;
    order_rows(t, from, to);
    int own = order_person(t, asked->asker);
    struct stand *all = arena_array(t->arena, struct stand, (size_t)t->n);
    for (int i = 0; i < t->n; i++) {
        all[i] = season_stand(&t->at[i].s);
        if ((i >= from && i < to) || i == own)
            all[i].rated = rating_of(t->store, t->arena, t->chat, t->at[i].s.person,
                                     str_of(asked->running.text), asked->now, &all[i].rating);
    }
    choose_rows(all, t->n, from, asked->asker, ret);
}

struct board_facts season_table_load(struct store *s, struct arena *a,
                                     const struct season_asked *asked)
{
    struct board_facts board = {.season = asked->key, .asker = asked->asker};
    struct str season = arena_str(a, str_of(asked->key.text));
    bool open = asked->ends == INT64_MAX;
    board.ends = asked->ends > asked->now && !open ? asked->ends : 0;
    if (season_is_all(&asked->key)) {
        struct champions list = store_champions(s, a, asked->chat, CHAMPIONS);
        struct champion_seen *at = arena_array(a, struct champion_seen, (size_t)list.n);
        for (int i = 0; i < list.n; i++)
            if (season_read(list.at[i].season, &at[board.n_champions].season))
                at[board.n_champions++].name = list.at[i].name;
        board.champions = at;
    }
    struct season_rows closed = store_season_rows(s, a, asked->chat, season);
    if (closed.n > 0) {
        struct stand *all = arena_array(a, struct stand, (size_t)closed.n);
        for (int i = 0; i < closed.n; i++) {
            const struct season_row *r = &closed.at[i];
            all[i] = season_stand(&r->s);
            all[i].rating = (struct rating){r->rating, r->deviation, 0};
            all[i].rated = r->deviation > 0;
        }
        int from = first_of_page(asked->page, closed.n, &board);
        choose_rows(all, closed.n, from, asked->asker, &board);
        return board;
    }
    struct ranking t = ranking_read(s, a, asked->chat, season);
    board.open = open;
    load_running(&t, asked, &board);
    return board;
}

static void load_asked(struct turn *t)
{
    struct season_asked asked = {.chat = t->chat.id,
                                 .asker = t->me.who,
                                 .now = t->event.now,
                                 .page =
                                     t->event.pressed ? (int)(t->event.index % BOARD_PICTURE) : 0};
    t->seasons.board = NULL;
    if (!seasons_asked(&t->world, &t->event, t->arena, &asked.key))
        return;
    struct board_facts *board = arena_new(t->arena, struct board_facts);
    asked.running = season_now(&t->world.chat.settings, t->event.now).key;
    asked.ends = season_end_in(str_of(t->world.chat.settings.zone), &asked.key);
    *board = season_table_load(t->store, t->arena, &asked);
    t->seasons.board = board;
}

/* ---- its page ---- */

/* The table of a link, and the name of its chat. Returns false if that does not let others read it. */
static bool find_season(struct inbox *in, int64_t no, const struct scene_reader *reader,
                        struct board_facts *ret, struct str *ret_name)
{
    struct season_asked asked = {.now = reader->now};
    if (!season_of_link(no, &asked.chat, &asked.key))
        return false;
    struct turn *t = turn_begin_in(in, asked.chat);
    if (!t || !chat_settings_share(&t->world.chat.settings, t->world.can, t->event.direct))
        return false;
    const struct chat *chat = store_chat_by_id(t->store, reader->arena, asked.chat);
    *ret_name = chat ? arena_str(reader->arena, chat->name) : STR("");
    asked.running = season_now(&t->world.chat.settings, asked.now).key;
    asked.ends = season_end_in(str_of(t->world.chat.settings.zone), &asked.key);
    *ret = season_table_load(t->store, t->arena, &asked);
    return true;
}

static bool preview(struct turn *t, int64_t no, struct scene_reader *reader,
                    struct scene_preview *ret)
{
    struct board_facts board;
    struct str name;
    bool found = find_season(t->in, no, reader, &board, &name);
    if (found)
        scene_season_preview(reader, &board, name, ret);
    return found;
}

static bool document(struct turn *t, int64_t no, struct scene_reader *reader, struct str *ret)
{
    struct board_facts board;
    struct str name;
    bool found = find_season(t->in, no, reader, &board, &name);
    if (found)
        *ret = scene_season(reader, &board, name);
    return found;
}

/* ---- the end of a season ---- */

bool season_table_close(struct store *s, struct arena *a, const struct season_asked *asked,
                        struct board_facts *ret)
{
    struct str season = arena_str(a, str_of(asked->key.text));
    store_drop_season(s, asked->chat, season);
    if (store_season_rows(s, a, asked->chat, season).n > 0)
        return false;
    struct ranking t = ranking_read(s, a, asked->chat, season);
    order_rows(&t, 0, t.n);
    for (int i = 0; i < t.n; i++) {
        struct season_row row = {
            .chat = t.chat, .season = season, .row = i, .closed = asked->now, .s = t.at[i].s};
        struct rating rating;
        if (rating_of(s, a, t.chat, row.s.person, season, asked->now, &rating)) {
            row.rating = rating.points;
            row.deviation = rating.deviation;
        }
        store_add_season_row(s, &row);
    }
    *ret = season_table_load(s, a, asked);
    return t.n > 0;
}

/* The season that ran is left open no longer. One by hand ends now, which posts its table; another
 * goes on under its own key, and is asked for by that. */
static void follow(struct turn *t, const struct chat_settings *next)
{
    struct season_running was = season_now(&t->world.chat.settings, t->event.now),
                          now = season_now(next, t->event.now);
    struct str old = arena_str(t->arena, str_of(was.key.text));
    struct str season = arena_str(t->arena, str_of(now.key.text));
    const struct season_due ended = {t->chat.id, t->event.now, old},
                            due = season_due_of(t->chat.id, &now, season);
    bool by_hand = t->world.chat.settings.season == SEASON_HAND, changes = !str_is(old, season);
    if (changes && !by_hand)
        store_drop_season(t->store, t->chat.id, old);
    if (changes && by_hand && store_standings(t->store, t->arena, t->chat.id, old, 1).n > 0)
        store_open_season(t->store, &ended);
    if (store_standings(t->store, t->arena, t->chat.id, season, 1).n > 0)
        store_open_season(t->store, &due);
}

/* ---- its timer ---- */

static struct turn *due_turn(struct inbox *in, int64_t put_off)
{
    struct season_asked asked = {.now = clock_now(in->parts.clock)};
    arena_reset(in->turn);
    const struct season_due *due = store_season_due(in->parts.store, in->turn, asked.now);
    if (!due)
        return NULL;
    if (put_off) {
        store_open_season(in->parts.store,
                          &(struct season_due){due->chat, asked.now + put_off, due->season});
        return NULL;
    }
    asked.chat = due->chat;
    if (!season_read(due->season, &asked.key)) {
        store_drop_season(in->parts.store, due->chat, due->season);
        return NULL;
    }
    asked.running = asked.key;
    struct turn *t = turn_begin_in(in, asked.chat);
    if (!t) /* its network is not configured now */
        return due_turn(in, DAY_MS);
    struct board_facts *board = arena_new(t->arena, struct board_facts);
    if (!season_table_close(t->store, t->arena, &asked, board))
        return NULL;
    for (int i = 0; i < board->n && board->at[i].place == 1; i++)
        (void)store_add_badge(t->store, board->at[i].person,
                              &(struct badge_row){.name = str_of(badges[BADGE_CHAMPION].key),
                                                  .chat = t->chat.id,
                                                  .at = t->event.now});
    t->event.verb = VERB_SEASON_OVER;
    t->seasons.board = board;
    return t;
}

const struct inbox_feature inbox_season = {
    .facts = FACT_STANDINGS,
    .load = load_asked,
    .follow = follow,
    .date = "season",
    .due = due_turn,
    .shared = {.what = "season", .document = "table", .preview = preview, .read = document}};
