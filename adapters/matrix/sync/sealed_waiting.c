/* See sealed_waiting.h. An event that has waited an hour is given up. */
#include "sealed_waiting.h"

#include "seal.h"

enum { WAIT_MOST_MS = 3600 * 1000 };

struct waiting_names {
    struct arena *a;
    int n, cap;
    struct str *name, *value;
};

static void collect(void *to, struct str name, struct str value)
{
    struct waiting_names *w = to;
    if (w->n == w->cap)
        return;
    w->name[w->n] = arena_str(w->a, name);
    w->value[w->n++] = arena_str(w->a, value);
}

/* "wait TAB room TAB event id" */
static struct room *room_of(const struct sync_events *g, struct str name)
{
    struct str rest, id;
    str_cut(name, '\t', &rest);
    id = str_cut(rest, '\t', &rest);
    return rooms_find(g->m->known, id);
}

/* True if it waits no longer. */
static bool read_again(struct sync_events *g, struct str name, struct str value)
{
    cJSON *kept = wire_parse(value);
    struct room *room = room_of(g, name);
    bool wait = false, over = g->m->now - wire_int(kept, "since") > WAIT_MOST_MS;
    struct str why = {0};
    cJSON *opened =
        room ? seal_read(g->m, g->a, room->id, wire_at(kept, "event"), &wait, &why) : NULL;
    struct event_context at = {room, NULL, NULL};
    struct update update;
    if (opened && matrix_read_event(g->m, g->a, &at, opened, &update))
        *sync_events_add(g) = update;
    if (!opened && over)
        g->batch->note =
            arena_print(g->a, "an encrypted message was never opened: %.*s", STR_ARG(why));
    cJSON_Delete(kept);
    bool done = opened || over || (room && !wait);
    cJSON_Delete(opened);
    return done;
}

void sealed_waiting_read(struct sync_events *g, const cJSON *sync)
{
    enum { MOST = 256 };
    struct matrix *m = g->m;
    if (!m->seal)
        return;
    m->turn.refused = false;
    seal_sync(m, sync);
    if (m->turn.waiting == 0)
        return;
    struct waiting_names w = {.a = g->a, .cap = MOST};
    w.name = arena_array(g->a, struct str, MOST);
    w.value = arena_array(g->a, struct str, MOST);
    seal_list(m, "wait\t", &w, collect);
    m->turn.waiting = w.n;
    for (int i = 0; i < w.n; i++) {
        if (!read_again(g, w.name[i], w.value[i]))
            continue;
        seal_remove_value(m, w.name[i].p);
        m->turn.waiting--;
    }
}
