/* See gather.h. */
#include "gather.h"

struct gather gather_begin(struct matrix *m, struct arena *a, struct session *next,
                           struct batch *ret)
{
    return (struct gather){m, a, next, ret, 0};
}

struct update *gather_add(struct gather *g)
{
    struct batch *b = g->batch;
    if (b->n == g->cap) {
        int cap = g->cap > 0 ? 2 * g->cap : 8;
        struct update *at = arena_array(g->a, struct update, (size_t)cap);
        if (b->n > 0)
            memcpy(at, b->at, (size_t)b->n * sizeof *at);
        b->at = at;
        g->cap = cap;
    }
    struct update *u = &b->at[b->n++];
    *u = (struct update){0};
    return u;
}

/* A room was replaced by another. Only somebody with the power to do so is believed; that the new
 * room knows of the old one is checked once it is joined. */
static void hear_tombstone(struct gather *g, const struct room *room, const cJSON *event)
{
    struct str by = wire_str(g->a, event, "sender");
    struct str to = wire_str(g->a, wire_at(event, "content"), "replacement_room");
    if (wire_is(event, "state_key", "") && is_room_id(to) && is_user_id(by) &&
        !str_is(to, room->id) && room_level(room, by) >= room->tombstone)
        todo_add(g->next, (struct todo){.kind = TODO_FOLLOW,
                                        .room = arena_str(g->a, room->id),
                                        .to = to,
                                        .at = server_of(by)});
}

void gather_events(struct gather *g, const struct scene *at, const cJSON *events, int first)
{
    const cJSON *event;
    int i = 0;
    cJSON_ArrayForEach(event, events)
    {
        if (i++ < first)
            continue;
        struct update heard;
        if (hear_event(g->m, g->a, at, event, &heard))
            *gather_add(g) = heard;
        if (wire_is(event, "type", "m.room.tombstone"))
            hear_tombstone(g, at->room, event);
        if (wire_at(event, "state_key"))
            room_state(g->m->known, g->a, g->m->session.user, at->room, event);
    }
}
