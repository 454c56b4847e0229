/* Facts and effects of searches for an opponent: those that wait, and the people who want to read
 * of them. */
#include "inbox_features.h"

#include "json.h"
#include "seek.h"
#include "store_seek.h"

#include <assert.h>

#define AN_HOUR_MS ((int64_t)3600 * 1000)
enum { UNRATED = 1500 };
static_assert((int)MAX_SEEKS <= (int)FEATURE_SESSIONS, "the turn has room for them");

/* ---- searches ---- */

static struct seek_row seek_row_of(struct turn *t, const struct session *s)
{
    struct seek_row row = {.session = s->no,
                           .person = s->player[0].person,
                           .points = s->seek_points,
                           .at = s->created};
    if (!s->any_rules)
        row.rules = arena_print(t->arena, "%s %d", s->rules.name, s->rules.rounds);
    if (!s->any_clock)
        row.clock = arena_print(t->arena, "%lld %lld+%lld", (long long)s->time.move_ms,
                                (long long)s->time.total_ms, (long long)s->time.gain_ms);
    return row;
}

/* A search waits from now on, or not any more. */
static void settle_search(struct turn *t, const struct session *s)
{
    if (!s->strangers)
        return;
    const struct seek_row row = seek_row_of(t, s);
    if (s->phase == SESSION_OFFERED && s->player[1].person == 0)
        store_put_seek(t->store, &row);
    else
        store_drop_seek(t->store, s->no);
}

static void load_searches(struct turn *t, struct seek_facts *f)
{
    const struct session *own = t->event.verb == VERB_SEEK_AGAIN ? t->world.named : NULL;
    if (!own) {
        const struct rating_row *rating =
            t->me.who ? store_rating_of(t->store, t->arena, EVERY_CHAT, t->me.who) : NULL;
        int64_t points = rating ? rating->points / 1000 : UNRATED;
        f->points = (uint16_t)(points < 0 ? 0 : points > UINT16_MAX ? UINT16_MAX : points);
    }
    const struct seek_row like =
        own ? seek_row_of(t, own) : (struct seek_row){.person = t->me.who, .points = f->points};
    struct ids ids = store_seeks(t->store, t->arena, &like, MAX_SEEKS);
    for (int i = 0; i < ids.n && f->n < MAX_SEEKS; i++) {
        const struct session *s = facts_session(t, ids.at[i]);
        if (s)
            f->at[f->n++] = s;
    }
}

/* ---- watchers ---- */

/* Finds the handle that can be written to: of this network, or of another one. */
static bool reach(struct turn *t, int64_t who, struct watcher *ret)
{
    struct people handles = store_handles(t->store, t->arena, who);
    struct str app = {0};
    bool found = false;
    for (int i = 0; i < handles.n; i++) {
        const struct person *p = &handles.at[i];
        bool first = !found || p->account == t->account->id;
        if (p->id == who)
            person_prefs_read(p->prefs, &ret->prefs);
        if (!first || !p->reachable || p->network_id.n == 0 || !turn_account(t->in, p->account))
            continue;
        found = true;
        ret->handle = (struct handle){p->account, p->network_id, p->name};
        app = p->language;
    }
    facts_language(t, app, &ret->prefs);
    facts_offsets(t, &ret->prefs);
    return found;
}

static bool watches(struct turn *t, int64_t who, int64_t chat)
{
    struct ids ids = store_watches(t->store, t->arena, who);
    for (int i = 0; i < ids.n; i++)
        if (ids.at[i] == chat)
            return true;
    return false;
}

static void load_watchers(struct turn *t, struct seek_facts *f)
{
    int64_t chat = t->event.direct ? ANY_CHAT : t->chat.id;
    bool any = t->event.verb == VERB_SEEK;
    if (t->event.verb == VERB_NOTIFY) {
        f->watches = t->me.who && watches(t, t->me.who, chat);
        return;
    }
    if (t->event.direct && !any)
        return;
    struct ids ids = store_watchers(t->store, t->arena, t->event.direct ? -1 : chat, any, t->me.who,
                                    t->event.now - AN_HOUR_MS, 4 * MAX_WATCHERS);
    for (int i = 0; i < ids.n && f->n_watchers < MAX_WATCHERS; i++) {
        struct watcher *watcher = &f->watcher[f->n_watchers];
        *watcher = (struct watcher){.person = ids.at[i], .here = watches(t, ids.at[i], chat)};
        f->n_watchers += reach(t, ids.at[i], watcher);
    }
}

static void settle_watch(struct turn *t, const struct seek_effects *watch)
{
    for (int i = 0; i < watch->n_notified; i++)
        store_watcher_read(t->store, watch->notified[i], t->event.now);
    if (watch->watch != WATCH_STAYS)
        store_watch(t->store, t->me.who, t->event.direct ? ANY_CHAT : t->chat.id,
                    watch->watch == WATCH_ON);
}

/* ---- both ---- */

static void load(struct turn *t)
{
    struct seek_facts *f = arena_new(t->arena, struct seek_facts);
    t->world.seek = f;
    if (commands[t->event.verb].facts & FACT_SEEKS)
        load_searches(t, f);
    if (commands[t->event.verb].facts & FACT_WATCHERS)
        load_watchers(t, f);
}

static void settle(struct turn *t, struct effects *fx)
{
    for (int i = 0; i < fx->n_saves; i++)
        settle_search(t, fx->save[i]);
    if (fx->seek)
        settle_watch(t, fx->seek);
}

static void list(struct store *s, struct arena *a, int64_t who, struct buf *b)
{
    struct ids seeks = store_seeks_of(s, a, who);
    struct ids watches = store_watches(s, a, who);
    for (int i = 0; i < seeks.n; i++)
        buf_print(b, "{\"t\":\"search\",\"no\":%lld}\n", (long long)seeks.at[i]);
    for (int i = 0; i < watches.n; i++) { /* where they want to hear of a game somebody looks for */
        bool any = watches.at[i] == ANY_CHAT;
        const struct chat *chat = any ? NULL : store_chat_by_id(s, a, watches.at[i]);
        buf_print(b, "{\"t\":\"notify\",\"anywhere\":%s", any ? "true" : "false");
        json_put_str(b, "chat", chat ? chat->name : STR(""));
        buf_put(b, STR("}\n"));
    }
}

const struct inbox_feature inbox_seek = {.facts = FACT_SEEKS | FACT_WATCHERS,
                                         .load = load,
                                         .settle = settle,
                                         .timer = TIMER_SEEK,
                                         .timed = VERB_SEEK_AGAIN,
                                         .banned = store_drop_watches,
                                         .joined = store_join_watches,
                                         .list = list};
