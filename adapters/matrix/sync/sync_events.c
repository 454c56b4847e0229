/* See sync_events.h. */
#include "sync_events.h"

#include "names.h"
#include "sealed_event.h"

struct sync_events sync_events_begin(struct matrix *m, struct arena *a, struct matrix_session *next,
                                     struct batch *ret)
{
    return (struct sync_events){.m = m, .a = a, .next = next, .batch = ret};
}

static void note_rest(struct sync_events *g)
{
    g->batch->note = STR("an answer has more events than a homeserver sends; the rest is not read");
}

bool sync_events_count(struct sync_events *g)
{
    if (g->n_events < MAX_EVENTS && g->batch->n < MAX_BATCH) {
        g->n_events++;
        return true;
    }
    note_rest(g);
    return false;
}

struct update *sync_events_add(struct sync_events *g)
{
    struct batch *b = g->batch;
    if (b->n == MAX_BATCH) {
        note_rest(g);
        g->spare = (struct update){0};
        return &g->spare;
    }
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

void sync_events_add_joined(struct sync_events *g, const struct room *room, struct str when)
{
    struct update *u = sync_events_add(g);
    u->kind = UPDATE_JOINED;
    u->chat = arena_str(g->a, room->id);
    u->chat_name = arena_str(g->a, room->name);
    u->direct = room->with.n > 0;
    u->id = arena_print(g->a, "joined:%.*s:%.*s", STR_ARG(room->id), STR_ARG(when));
}

/* The bot says hello where it may write from now on. */
static void read_state(struct sync_events *g, struct room *room, const cJSON *event)
{
    struct str self = g->m->session.user;
    bool before = room_may_write(room, self);
    room_read_state(g->m->known, g->a, self, room, event);
    if (!before && !room->encrypted && room_may_write(room, self))
        sync_events_add_joined(g, room, wire_id(g->a, event, "event_id"));
}

/* A third person in a private chat sees what is written there: it is a private chat no longer, in
 * m.direct neither. */
static void read_company(struct sync_events *g, struct room *room, const cJSON *event)
{
    struct str who = wire_id(g->a, event, "state_key");
    const cJSON *content = wire_at(event, "content");
    bool in = wire_is(content, "membership", "join") || wire_is(content, "membership", "invite");
    if (room->with.n == 0 || !in || !wire_is(event, "type", "m.room.member") ||
        str_is(who, room->with) || str_is(who, g->m->session.user))
        return;
    rooms_set(g->m->known, &room->with, STR(""));
    cursor_add_action(
        g->next, (struct room_action){.kind = ACTION_DIRECT, .room = arena_str(g->a, room->id)});
    struct update *u = sync_events_add(g);
    *u = matrix_read_rights(g->a, room, "crowded", (struct sender){0});
    u->id = wire_id(g->a, event, "event_id");
}

/* The room was replaced. Counts only if the sender has the power; ACTION_PROVE then checks that the
 * new room names the old one. */
static void read_tombstone(struct sync_events *g, const struct room *room, const cJSON *event)
{
    struct str by = wire_id(g->a, event, "sender");
    struct str to = wire_id(g->a, wire_at(event, "content"), "replacement_room");
    if (wire_is(event, "state_key", "") && wire_is_room_id(to) && wire_is_user_id(by) &&
        !str_is(to, room->id) && room_level(room, by) >= room->tombstone)
        cursor_add_action(g->next, (struct room_action){.kind = ACTION_FOLLOW,
                                                        .room = arena_str(g->a, room->id),
                                                        .to = to,
                                                        .at = wire_server_of(by)});
}

/* A command with a name in it waits until the members are known. */
static bool ask_names(struct sync_events *g, const cJSON *event, const struct update *u)
{
    struct str server;
    if (!names_are_typed(u))
        return false;
    cJSON *copy = cJSON_Duplicate(event, true);
    cJSON_DeleteItemFromObjectCaseSensitive(copy, "unsigned");
    struct room_action action = {.kind = ACTION_NAMES,
                                 .room = str_cut(u->chat, ' ', &server),
                                 .event = wire_print(g->a, copy)};
    return cursor_add_action(g->next, action);
}

void sync_events_take(struct sync_events *g, const struct event_context *at, const cJSON *event)
{
    struct update update;
    if (matrix_read_event(g->m, g->a, at, event, &update) && !ask_names(g, event, &update))
        *sync_events_add(g) = update;
}

void sync_events_read(struct sync_events *g, const struct event_context *at, const cJSON *events,
                      int first)
{
    const cJSON *event;
    int i = 0;
    cJSON_ArrayForEach(event, events)
    {
        if (i++ < first)
            continue;
        if (!sync_events_count(g))
            return;
        struct update update;
        cJSON *opened = NULL;
        enum sealed_event is = sealed_event_open(g->m, g->a, at->room, event, &opened, &update);
        if (is == SEALED_SAY)
            *sync_events_add(g) = update;
        if (is != SEALED_READ)
            continue;
        sync_events_take(g, at, opened ? opened : event);
        cJSON_Delete(opened);
        if (wire_is(event, "type", "m.room.tombstone"))
            read_tombstone(g, at->room, event);
        if (wire_at(event, "state_key")) {
            read_company(g, at->room, event);
            read_state(g, at->room, event);
        }
    }
}
