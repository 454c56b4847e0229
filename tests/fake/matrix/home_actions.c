/* Actions of people, as by their own clients, and what a test may inspect. See home.h. */
#include "home_internal.h"

#include <assert.h>

enum { OWNER = 100, ADMIN = 50 };

const char *home_room(struct home *h, const char *user, const char *name, const char *state)
{
    HOLD(&h->lock);
    struct mx_room *room = home_new_room(h, user, NULL);
    cJSON *list = state ? cJSON_Parse(state) : NULL;
    home_create_state(h, room, "public_chat", list);
    home_add(h, room, user, "m.room.name", "", js_make("{'name':%s}", name));
    cJSON_Delete(list);
    return room->id;
}

static void member(struct home *h, const char *by, const char *id, const char *who,
                   const char *membership, bool direct)
{
    HOLD(&h->lock);
    struct mx_room *room = home_find_room(h, id);
    assert(room);
    home_set_member(h, room, by, who, membership, direct);
}

void home_invites(struct home *h, const char *user, const char *room, const char *who, bool direct)
{
    member(h, user, room, who, "invite", direct);
}

void home_joins(struct home *h, const char *user, const char *room)
{
    member(h, user, room, user, "join", false);
}

void home_leaves(struct home *h, const char *user, const char *room)
{
    member(h, user, room, user, "leave", false);
}

const char *home_sends_event(struct home *h, const char *user, const char *id, const char *type,
                             const char *key, cJSON *content)
{
    HOLD(&h->lock);
    struct mx_room *room = home_find_room(h, id);
    assert(room);
    if (home_may(h, room, user, key))
        return home_add(h, room, user, type, key, content)->id;
    cJSON_Delete(content);
    return NULL;
}

const char *home_says(struct home *h, const char *user, const char *room, const char *text)
{
    return home_sends_event(h, user, room, "m.room.message", NULL,
                            js_make("{'msgtype':'m.text','body':%s}", text));
}

static const char *room_of(struct home *h, const char *event)
{
    HOLD(&h->lock);
    int i = home_number(h, event);
    assert(i >= 0);
    return h->event[i].room->id;
}

void home_votes(struct home *h, const char *user, const char *poll, const char *answer)
{
    home_sends_event(h, user, room_of(h, poll), "org.matrix.msc3381.poll.response", NULL,
                     js_make("{'m.relates_to':{'rel_type':'m.reference','event_id':%s},"
                             "'org.matrix.msc3381.poll.response':{'answers':[%s]}}",
                             poll, answer));
}

static bool has_reacted(struct home *h, const char *user, const char *post, const char *key)
{
    for (int i = 0; i < home_events(h); i++) {
        struct home_event e = home_event(h, i);
        if (strcmp(e.type, "m.reaction") == 0 && strcmp(e.sender, user) == 0 && !e.redacted &&
            strcmp(js_text(e.content, "m.relates_to/event_id"), post) == 0 &&
            strcmp(js_text(e.content, "m.relates_to/key"), key) == 0)
            return true;
    }
    return false;
}

/* The server refuses the same reaction a second time; so it is not sent. */
void home_reacts(struct home *h, const char *user, const char *post, const char *key)
{
    if (has_reacted(h, user, post, key))
        return;
    home_sends_event(
        h, user, room_of(h, post), "m.reaction", NULL,
        js_make("{'m.relates_to':{'rel_type':'m.annotation','event_id':%s,'key':%s}}", post, key));
}

const char *home_upgrades(struct home *h, const char *user, const char *id)
{
    HOLD(&h->lock);
    struct mx_room *old = home_find_room(h, id);
    assert(old && home_level(h, old, user) >= OWNER);
    struct mx_room *room = home_new_room(h, user, old->id);
    home_create_state(h, room, "public_chat", NULL);
    const struct mx_event *name = home_state(h, old, "m.room.name", "", h->n_events);
    if (name)
        home_add(h, room, user, "m.room.name", "", cJSON_Duplicate(name->content, true));
    home_add(h, old, user, "m.room.tombstone", "",
             js_make("{'replacement_room':%s,'body':'This room has been replaced'}", room->id));
    const struct mx_event *levels = home_state(h, old, "m.room.power_levels", "", h->n_events);
    cJSON *closed = cJSON_Duplicate(levels->content, true);
    cJSON_ReplaceItemInObjectCaseSensitive(closed, "events_default", cJSON_CreateNumber(ADMIN));
    home_add(h, old, user, "m.room.power_levels", "", closed);
    return room->id;
}

/* ---- inspection ---- */

int home_events(struct home *h)
{
    HOLD(&h->lock);
    return h->n_events;
}

struct home_event home_event(struct home *h, int i)
{
    HOLD(&h->lock);
    const struct mx_event *e = &h->event[i];
    return (struct home_event){.id = e->id,
                               .room = e->room ? e->room->id : "",
                               .sender = e->sender,
                               .type = e->type,
                               .key = e->key,
                               .txn = e->txn,
                               .content = e->content,
                               .at = e->at,
                               .redacted = e->redacted};
}

const char *home_membership(struct home *h, const char *id, const char *user)
{
    HOLD(&h->lock);
    struct mx_room *room = home_find_room(h, id);
    return room ? home_member(h, room, user, h->n_events) : "leave";
}

const char *home_room_id(struct home *h, int i)
{
    HOLD(&h->lock);
    return i < h->n_rooms ? h->room[i].id : NULL;
}
