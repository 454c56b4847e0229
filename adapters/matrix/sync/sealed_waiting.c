/* See sealed_waiting.h. An event that has waited YOUNG_MS is said to be unreadable; one that has
 * waited an hour is given up. */
#include "sealed_waiting.h"

#include "seal.h"
#include "sealed_event.h"

enum { YOUNG_MS = 60 * 1000, WAIT_MOST_MS = 3600 * 1000 };

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

static void say(struct sync_events *g, struct room *room, struct str name, const cJSON *kept)
{
    struct update said;
    const cJSON *event = wire_at(kept, "event");
    if (wire_true(kept, "told"))
        return;
    if (sealed_event_unread(g->m, g->a, room, event, &said))
        *sync_events_add(g) = said;
    sealed_event_keep(g->m, g->a, name.p, wire_int(kept, "since"), true, event);
}

/* True if it waits no longer. */
static bool read_again(struct sync_events *g, struct str name, const cJSON *kept)
{
    struct matrix *m = g->m;
    const cJSON *event = wire_at(kept, "event");
    struct room *room = room_of(g, name);
    int64_t waited = m->now - wire_int(kept, "since");
    bool wait = false;
    struct str why;
    if (!room)
        return waited > WAIT_MOST_MS;
    cJSON *opened = seal_read(m, g->a, room->id, event, &wait, &why);
    if (opened) {
        struct event_context at = {room, NULL, NULL};
        sealed_event_opened(m, g->a, room, event);
        sync_events_take(g, &at, opened);
        cJSON_Delete(opened);
        return true;
    }
    bool young = wait && waited <= YOUNG_MS;
    m->turn.young += young;
    if (!young)
        say(g, room, name, kept);
    return !wait || waited > WAIT_MOST_MS;
}

void sealed_waiting_read(struct sync_events *g, const cJSON *sync)
{
    enum { MOST = 256 };
    struct matrix *m = g->m;
    if (!m->seal)
        return;
    m->turn.refused = false;
    m->turn.young = 0;
    seal_sync(m, sync);
    if (m->turn.waiting == 0)
        return;
    struct waiting_names w = {.a = g->a, .cap = MOST};
    w.name = arena_array(g->a, struct str, MOST);
    w.value = arena_array(g->a, struct str, MOST);
    seal_list(m, "wait\t", &w, collect);
    m->turn.waiting = w.n;
    for (int i = 0; i < w.n; i++) {
        cJSON *kept = wire_parse(w.value[i]);
        bool over = read_again(g, w.name[i], kept);
        cJSON_Delete(kept);
        if (!over)
            continue;
        seal_remove_value(m, w.name[i].p);
        m->turn.waiting--;
    }
}
