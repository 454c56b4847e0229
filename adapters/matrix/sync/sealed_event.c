/* See sealed_event.h. Reactions are never sealed, nor is state. "unread TAB room" holds whose event
 * was said to be unreadable there. */
#include "sealed_event.h"

#include "seal.h"

enum { WAITING_MOST = 200 };

static bool is_for_seals_only(const cJSON *event)
{
    static const char *const types[] = {"m.room.message", "org.matrix.msc3381.poll.response",
                                        "m.poll.response"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (wire_is(event, "type", types[i]))
            return true;
    return false;
}

static const char *unread_name(struct arena *a, const struct room *room)
{
    return arena_print(a, "unread\t%.*s", STR_ARG(room->id)).p;
}

bool sealed_event_unread(struct matrix *m, struct arena *a, struct room *room, const cJSON *event,
                         struct update *ret)
{
    const char *name = unread_name(a, room);
    struct str id = wire_id(a, event, "event_id"), who = wire_id(a, event, "sender");
    struct event_context at = {room, NULL, NULL};
    if (seal_value(m, a, name).n > 0 || !wire_is_user_id(who) || !wire_is_event_id(id))
        return false;
    seal_set_value(m, name, who);
    *ret = matrix_read_rights(a, room, "unread", matrix_read_sender(a, &at, who));
    ret->id = arena_print(a, "unread:%.*s", STR_ARG(id));
    ret->direct = room->with.n > 0;
    return true;
}

void sealed_event_opened(struct matrix *m, struct arena *a, const struct room *room,
                         const cJSON *event)
{
    const char *name = unread_name(a, room);
    struct str who = seal_value(m, a, name);
    if (who.n > 0 && wire_is_str(event, "sender", who))
        seal_remove_value(m, name);
}

void sealed_event_keep(struct matrix *m, struct arena *a, const char *name, int64_t since,
                       bool told, const cJSON *event)
{
    cJSON *kept = cJSON_CreateObject();
    cJSON_AddNumberToObject(kept, "since", (double)since);
    cJSON_AddBoolToObject(kept, "told", told);
    cJSON_AddItemReferenceToObject(kept, "event", (cJSON *)(uintptr_t)event);
    seal_set_value(m, name, wire_print(a, kept));
}

static void wait_for_key(struct matrix *m, struct arena *a, const struct room *room,
                         const cJSON *event)
{
    struct str id = wire_id(a, event, "event_id");
    if (m->turn.waiting >= WAITING_MOST || !wire_is_event_id(id))
        return;
    struct str name = arena_print(a, "wait\t%.*s\t%.*s", STR_ARG(room->id), STR_ARG(id));
    sealed_event_keep(m, a, name.p, m->now, false, event);
    m->turn.waiting++;
    m->turn.young++;
}

enum sealed_event sealed_event_open(struct matrix *m, struct arena *a, struct room *room,
                                    const cJSON *event, cJSON **ret, struct update *ret_said)
{
    if (!m->seal)
        return SEALED_READ;
    if (!wire_is(event, "type", "m.room.encrypted"))
        return room->encrypted && is_for_seals_only(event) ? SEALED_SKIP : SEALED_READ;
    room->encrypted = true;
    bool wait = false;
    struct str why;
    if (wire_is_str(event, "sender", m->session.user))
        return SEALED_SKIP;
    *ret = seal_read(m, a, room->id, event, &wait, &why);
    if (*ret) {
        sealed_event_opened(m, a, room, event);
        return SEALED_READ;
    }
    if (!wait)
        return sealed_event_unread(m, a, room, event, ret_said) ? SEALED_SAY : SEALED_SKIP;
    wait_for_key(m, a, room, event);
    return SEALED_SKIP;
}
