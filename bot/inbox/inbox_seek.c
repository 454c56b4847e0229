/* Facts and effects of searches for an opponent: those that wait, and the people who want to read
 * of them. */
#include "inbox_internal.h"

#include "store_played.h"
#include "store_seek.h"

#define AN_HOUR_MS ((int64_t)3600 * 1000)
enum { UNRATED = 1500 };

/* ---- searches ---- */

static bool waits(const struct session *s)
{
    return s->search.on && s->phase == SESSION_OFFERED && s->player[1].person == 0;
}

static struct seek_row seek_row_of(struct turn *t, const struct session *s)
{
    struct arena *a = t->in->turn;
    struct seek_row row = {.session = s->no,
                           .person = s->player[0].person,
                           .points = s->search.points,
                           .at = s->created};
    if (!s->search.any_rules)
        row.rules = arena_print(a, "%s %d", s->rules.name, s->rules.rounds);
    if (!s->search.any_clock)
        row.clock = arena_print(a, "%lld %lld+%lld", (long long)s->time.move_ms,
                                (long long)s->time.total_ms, (long long)s->time.gain_ms);
    return row;
}

bool settle_seek(struct turn *t, const struct session *s)
{
    if (!s->search.on)
        return true;
    const struct seek_row row = seek_row_of(t, s);
    return waits(s) ? store_put_seek(t->in->parts.store, &row, t->err)
                    : store_drop_seek(t->in->parts.store, s->no, t->err);
}

static bool points_of(struct turn *t, int64_t who, uint16_t *ret)
{
    struct rating_row rating;
    bool found = false;
    if (who &&
        !store_rating_of(t->in->parts.store, t->in->turn, EVERY_CHAT, who, &rating, &found, t->err))
        return false;
    int64_t points = found ? rating.points / 1000 : UNRATED;
    *ret = (uint16_t)(points < 0 ? 0 : points > UINT16_MAX ? UINT16_MAX : points);
    return true;
}

bool facts_seek_ids(struct turn *t, struct ids *ret)
{
    const struct session *own = t->event.verb == VERB_SEEK_AGAIN ? t->world.named : NULL;
    struct seek_row like = {.person = t->me.who};
    if (own)
        like = seek_row_of(t, own);
    else if (!points_of(t, t->me.who, &t->seek.points))
        return false;
    if (!own)
        like.points = t->seek.points;
    return store_seeks(t->in->parts.store, t->in->turn, &like, MAX_SEEKS, ret, t->err);
}

/* ---- watchers ---- */

/* The handle that can be written to: of this network, or of another one. */
static bool reach(struct turn *t, int64_t who, struct watcher *ret, bool *ret_found)
{
    struct people handles;
    struct str app = {0};
    *ret_found = false;
    if (!store_handles(t->in->parts.store, t->in->turn, who, &handles, t->err))
        return false;
    for (int i = 0; i < handles.n; i++) {
        const struct person *p = &handles.at[i];
        bool first = !*ret_found || p->account == t->account->id;
        if (p->id == who)
            person_prefs_read(p->prefs, &ret->prefs);
        if (!first || !p->reachable || p->network_id.n == 0 || !turn_account(t->in, p->account))
            continue;
        *ret_found = true;
        ret->handle = (struct handle){p->account, p->network_id, p->name};
        app = p->language;
    }
    facts_language(t, app, &ret->prefs);
    facts_offsets(t, &ret->prefs);
    return true;
}

static bool is_among(const struct ids *ids, int64_t id)
{
    for (int i = 0; i < ids->n; i++)
        if (ids->at[i] == id)
            return true;
    return false;
}

bool facts_watchers(struct turn *t)
{
    struct store *store = t->in->parts.store;
    int64_t chat = t->event.direct ? ANY_CHAT : t->chat.id;
    struct ids ids, watched;
    bool found, any = t->event.verb == VERB_SEEK;
    if (t->event.verb == VERB_NOTIFY) {
        bool good =
            t->me.who == 0 || store_watches(store, t->in->turn, t->me.who, &watched, t->err);
        t->seek.watches = good && t->me.who && is_among(&watched, chat);
        return good;
    }
    if (t->event.direct && !any)
        return true;
    if (!store_watchers(store, t->in->turn, t->event.direct ? -1 : chat, any, t->me.who,
                        t->event.now - AN_HOUR_MS, 4 * MAX_WATCHERS, &ids, t->err))
        return false;
    for (int i = 0; i < ids.n && t->seek.n_watchers < MAX_WATCHERS; i++) {
        struct watcher *watcher = &t->seek.watcher[t->seek.n_watchers];
        *watcher = (struct watcher){.person = ids.at[i]};
        if (!reach(t, ids.at[i], watcher, &found) ||
            !store_watches(store, t->in->turn, ids.at[i], &watched, t->err))
            return false;
        watcher->here = is_among(&watched, chat);
        t->seek.n_watchers += found;
    }
    return true;
}

bool settle_watch(struct turn *t, const struct seek_effects *watch)
{
    struct store *store = t->in->parts.store;
    int64_t chat = t->event.direct ? ANY_CHAT : t->chat.id;
    if (!watch)
        return true;
    for (int i = 0; i < watch->n_notified; i++)
        if (!store_watcher_told(store, watch->notified[i], t->event.now, t->err))
            return false;
    return watch->watch == WATCH_STAYS ||
           store_watch(store, t->me.who, chat, watch->watch == WATCH_ON, t->err);
}
