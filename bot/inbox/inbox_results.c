/* Results of matches that end, for bot/results: the rows of a match from its effects and its
 * record, the places of its players; which season of a chat is open. */
#include "inbox_internal.h"

#include "record_rounds.h"
#include "seasons.h"
#include "season_table.h"

#include <assert.h>

enum { DAY_S = 24 * 3600 };

/* ---- the rows of a match ---- */

static int64_t local_day(int64_t unix_ms, int32_t offset)
{
    int64_t s = unix_ms / 1000 + offset;
    return s / DAY_S - (s % DAY_S < 0);
}

static struct str yaku_counts(struct arena *a, const struct figures_of_seat *f)
{
    enum { LIST_SIZE = 512 };
    struct buf b = {arena_alloc(a, LIST_SIZE), 0, LIST_SIZE, false};
    for (int y = 0; y < N_YAKU; y++)
        if (f->yaku[y] > 0)
            buf_print(&b, "%s%s=%d", b.n ? " " : "", yaku_key((enum yaku)y), f->yaku[y]);
    return buf_str(&b);
}

static struct str best_hand(struct arena *a, const struct figures_of_seat *f)
{
    enum { HAND_BYTES = 256 };
    struct buf b = {arena_alloc(a, HAND_BYTES), 0, HAND_BYTES, false};
    return f->dearest.points > 0 ? hand_won_write(&f->dearest, &b) : STR("");
}

/* What does not depend on the chat. */
static struct played played_of(struct turn *t, const struct result_effect *r,
                               const struct record_figures *figures, struct str rules)
{
    const struct figures_of_seat *f = &figures->seat[r->seat];
    return (struct played){.session = r->no,
                           .seat = r->seat,
                           .at = t->event.now,
                           .casual = r->casual,
                           .rateable = !r->casual && figures->moved,
                           .won = r->won,
                           .drawn = r->drawn,
                           .lost = r->lost,
                           .gave_up = r->gave_up,
                           .points = r->points,
                           .rounds = figures->rounds,
                           .rounds_won = f->won,
                           .calls = f->calls,
                           .calls_won = f->calls_won,
                           .calls_paid = f->calls_paid,
                           .best = f->dearest.points,
                           .accuracy = NO_ACCURACY,
                           .rules = rules,
                           .best_hand = best_hand(t->in->turn, f),
                           .yaku = yaku_counts(t->in->turn, f)};
}

/* Keys of the seasons of other lengths that the moment falls into: they may be asked for later. */
static struct str other_seasons(struct turn *t, const struct season_running *now)
{
    struct str list = {0};
    for (int length = 0; length < N_SEASONS_OF_DATE; length++) {
        struct season_key key;
        season_at(t->event.now, now->offset, (enum season_length)length, &key);
        if (!str_is(str_of(key.text), str_of(now->key.text)))
            list = arena_print(t->in->turn, "%.*s%s%s", STR_ARG(list), list.n ? " " : "", key.text);
    }
    return list;
}

static bool settings_of(struct turn *t, int64_t id, struct chat_settings *ret)
{
    struct chat chat;
    bool found;
    chat_settings_default(ret);
    if (!store_chat_by_id(t->in->parts.store, t->in->turn, id, &chat, &found, t->err))
        return false;
    if (found)
        chat_settings_read(chat.settings, ret);
    return true;
}

/* ---- one chat ---- */

static struct season_due due_of(int64_t chat, const struct season_running *now, struct str season)
{
    return (struct season_due){chat, now->ends == INT64_MAX ? 0 : now->ends, season};
}

static bool places(struct turn *t, int64_t chat, struct str season, const struct played *rows,
                   const int64_t *who, int n, int64_t *ret)
{
    memset(ret, 0, sizeof *ret * (size_t)n);
    return rows[0].casual ||
           season_table_places(t->in->parts.store, t->in->turn, chat, season, n, who, ret, t->err);
}

/* Adds the match to the results of a chat. results[0 ... n - 1] are those of that chat. */
static bool settle_chat(struct turn *t, struct played *rows, const int64_t *who, int n,
                        struct result_effect *results)
{
    struct store *store = t->in->parts.store;
    struct chat_settings settings;
    struct season_running now;
    struct results_news news;
    int64_t was[MAX_PLAYERS], is[MAX_PLAYERS], chat = results[0].chat;
    if (!settings_of(t, chat, &settings))
        return false;
    season_now(&settings, t->event.now, &now);
    struct str season = arena_str(t->in->turn, str_of(now.key.text));
    for (int i = 0; i < n; i++) {
        rows[i].chat = chat;
        rows[i].day = local_day(t->event.now, now.offset);
        rows[i].season = season;
        rows[i].also = other_seasons(t, &now);
    }
    const struct season_due due = due_of(chat, &now, season);
    if (!places(t, chat, season, rows, who, n, was) ||
        !results_add(store, t->in->turn, rows, n, &news, t->err) ||
        !places(t, chat, season, rows, who, n, is) ||
        (!rows[0].casual && !store_open_season(store, &due, t->err)))
        return false;
    for (int i = 0; i < n; i++) {
        results[i].was = was[i];
        results[i].place = is[i];
        results[i].rated = news.rated;
        results[i].over_limit = news.over_limit;
        results[i].rating = news.rating[i];
    }
    return true;
}

/* The match once for all chats, in quarters of UTC. Ratings move there if everybody wants it. */
static bool settle_everywhere(struct turn *t, struct played *rows, const int64_t *who, int n)
{
    static const struct chat_settings everywhere = {.season = SEASON_QUARTER};
    struct season_running now;
    struct results_news news;
    season_now(&everywhere, t->event.now, &now);
    for (int i = 0; i < n; i++) {
        struct person person;
        struct person_prefs prefs = {0};
        bool found = false;
        rows[i].chat = EVERY_CHAT;
        rows[i].day = local_day(t->event.now, 0);
        rows[i].season = arena_str(t->in->turn, str_of(now.key.text));
        rows[i].also = (struct str){0};
        if (who[i] > 0 &&
            !store_person_by_id(t->in->parts.store, t->in->turn, who[i], &person, &found, t->err))
            return false;
        if (found)
            person_prefs_read(person.prefs, &prefs);
        rows[i].rateable &= prefs.rated_everywhere;
    }
    return results_add(t->in->parts.store, t->in->turn, rows, n, &news, t->err);
}

/* ---- badges ---- */

static bool made_yaku(const struct played *p, struct str key)
{
    for (struct str rest = p->yaku, word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        struct str count;
        if (str_is(str_cut(word, '=', &count), key))
            return true;
    }
    return false;
}

static bool earns(const struct badge_rule *rule, const struct played *p,
                  const struct result_row *all)
{
    switch (rule->kind) {
    case BADGE_BY_STREAK:
        return all->streak >= rule->n;
    case BADGE_BY_POINTS:
        return p->best >= rule->n;
    case BADGE_BY_YAKU:
        return made_yaku(p, str_of(yaku_key((enum yaku)rule->n)));
    case BADGE_BY_SEASONS: /* at the end of the season */
    case BADGE_NEVER:
        break;
    }
    return false;
}

static bool settle_badges(struct turn *t, const struct played *rows, const int64_t *who, int n,
                          struct result_effect *results)
{
    struct store *store = t->in->parts.store;
    for (int i = 0; i < n; i++) {
        struct result_row all;
        bool is_new;
        if (rows[i].casual || who[i] == 0)
            continue;
        if (!store_result(store, t->in->turn, EVERY_CHAT, STR(SEASON_ALL), rows[i].person, &all,
                          t->err))
            return false;
        for (int b = 0; b < N_BADGES; b++) {
            const struct badge_row badge = {str_of(badges[b].key), results[i].chat, rows[i].session,
                                            t->event.now};
            if (!earns(&t->in->badges.rule[b], &rows[i], &all))
                continue;
            if (!store_add_badge(store, who[i], &badge, &is_new, t->err))
                return false;
            results[i].badges |= is_new ? 1u << b : 0;
        }
    }
    return true;
}

/* ---- effects ---- */

/* The rules of the match, by name. */
static struct str rules_of(const struct effects *fx, int64_t no)
{
    for (int i = 0; i < fx->n_saves; i++)
        if (fx->save[i]->no == no)
            return str_of(fx->save[i]->rules.name);
    return STR("");
}

/* The handle of a seat; all zero for the computer. That of a forgotten person has no network id. */
static bool played_by(struct turn *t, const struct result_effect *r, struct person *ret)
{
    struct store *store = t->in->parts.store;
    const struct sender from = {.id = r->who.id};
    bool found;
    if (r->who.id.n > 0)
        return store_person(store, t->in->turn, r->who.account, &from, ret, t->err);
    return r->person == 0 || store_person_by_id(store, t->in->turn, r->person, ret, &found, t->err);
}

bool results_settle(struct turn *t, struct effects *fx)
{
    struct store *store = t->in->parts.store;
    struct played rows[MAX_PLAYERS];
    int64_t who[MAX_PLAYERS];
    struct record_figures figures;
    struct str record;
    int n = 0;
    if (fx->n_results == 0)
        return true;
    if (!store_record(store, t->in->turn, fx->result[0].no, &record, t->err))
        return false;
    record_figures_read(record, &figures);
    while (n < fx->n_results && fx->result[n].venue == fx->result[0].venue)
        n++;
    assert(n <= MAX_PLAYERS);
    for (int i = 0; i < n; i++) {
        const struct result_effect *r = &fx->result[i];
        struct person p = {0};
        if (!played_by(t, r, &p))
            return false;
        rows[i] = played_of(t, r, &figures, rules_of(fx, r->no));
        rows[i].person = p.id;
        who[i] = p.who;
    }
    for (int i = 0; i + n <= fx->n_results; i += n)
        if (!settle_chat(t, rows, who, n, &fx->result[i]))
            return false;
    return settle_everywhere(t, rows, who, n) && settle_badges(t, rows, who, n, fx->result);
}

bool results_review(struct turn *t, const struct session *s, const struct match_review *review)
{
    int64_t accuracy[MAX_PLAYERS] = {0};
    for (int i = 0; i < review->players; i++)
        accuracy[i] = (int64_t)(review->player[i].accuracy * 1000 + 0.5f);
    for (int i = 0; i <= s->n_more; i++)
        if (!results_reviewed(t->in->parts.store, t->in->turn, s->venue[i].chat, s->no, accuracy,
                              t->err))
            return false;
    return results_reviewed(t->in->parts.store, t->in->turn, EVERY_CHAT, s->no, accuracy, t->err);
}

/* The season that ran is left open no longer. One by hand ends now, which posts its table; another
 * goes on under its own key, and is asked for by that. */
bool results_follow_settings(struct turn *t, const struct chat_settings *next)
{
    struct store *store = t->in->parts.store;
    struct season_running was, now;
    struct standings any;
    season_now(&t->world.chat.settings, t->event.now, &was);
    season_now(next, t->event.now, &now);
    struct str old = arena_str(t->in->turn, str_of(was.key.text));
    struct str season = arena_str(t->in->turn, str_of(now.key.text));
    const struct season_due ended = {t->chat.id, t->event.now, old},
                            due = due_of(t->chat.id, &now, season);
    if (!str_is(old, season)) {
        bool by_hand = t->world.chat.settings.season == SEASON_HAND;
        if (!store_standings(store, t->in->turn, t->chat.id, old, 1, &any, t->err) ||
            (any.n > 0 && by_hand && !store_open_season(store, &ended, t->err)) ||
            (!by_hand && !store_drop_season(store, t->chat.id, old, t->err)))
            return false;
    }
    return store_standings(store, t->in->turn, t->chat.id, season, 1, &any, t->err) &&
           (any.n == 0 || store_open_season(store, &due, t->err));
}
