/* See sealed_event.h. Reactions are never sealed, nor is state. */
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

static void wait_for_key(struct matrix *m, struct arena *a, const struct room *room,
                         const cJSON *event)
{
    struct str id = wire_id(a, event, "event_id");
    if (m->turn.waiting >= WAITING_MOST || !wire_is_event_id(id))
        return;
    cJSON *kept = cJSON_CreateObject();
    cJSON_AddNumberToObject(kept, "since", (double)m->now);
    cJSON_AddItemReferenceToObject(kept, "event", (cJSON *)(uintptr_t)event);
    struct str name = arena_print(a, "wait\t%.*s\t%.*s", STR_ARG(room->id), STR_ARG(id));
    seal_set_value(m, name.p, wire_print(a, kept));
    m->turn.waiting++;
}

bool sealed_event_open(struct matrix *m, struct arena *a, struct room *room, const cJSON *event,
                       cJSON **ret)
{
    if (!m->seal)
        return true;
    if (!wire_is(event, "type", "m.room.encrypted"))
        return !room->encrypted || !is_for_seals_only(event);
    room->encrypted = true;
    bool wait = false;
    struct str why;
    if (wire_is_str(event, "sender", m->session.user))
        return false;
    *ret = seal_read(m, a, room->id, event, &wait, &why);
    if (!*ret && wait)
        wait_for_key(m, a, room, event);
    return *ret;
}
