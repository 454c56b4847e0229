/* Actions of people, as by their own clients, and what a test may inspect. See home.h. */
#include "home_internal.h"

#include <assert.h>

enum { OWNER = 100, ADMIN = 50 };

const char *home_room(struct home *h, const char *user, const char *name, const char *state)
{
    pthread_mutex_lock(&h->lock);
    struct mx_room *room = home_new_room(h, user, NULL);
    cJSON *list = state ? cJSON_Parse(state) : NULL;
    home_create_state(h, room, "public_chat", list);
    home_add(h, room, user, "m.room.name", "", home_object("name", name));
    cJSON_Delete(list);
    pthread_mutex_unlock(&h->lock);
    return room->id;
}

static void member(struct home *h, const char *by, const char *id, const char *who,
                   const char *membership, bool direct)
{
    pthread_mutex_lock(&h->lock);
    struct mx_room *room = home_find_room(h, id);
    assert(room);
    home_set_member(h, room, by, who, membership, direct);
    pthread_mutex_unlock(&h->lock);
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
    const char *event = NULL;
    pthread_mutex_lock(&h->lock);
    struct mx_room *room = home_find_room(h, id);
    assert(room);
    if (home_may(h, room, user, key))
        event = home_add(h, room, user, type, key, content)->id;
    else
        cJSON_Delete(content);
    pthread_mutex_unlock(&h->lock);
    return event;
}

const char *home_says(struct home *h, const char *user, const char *room, const char *text)
{
    cJSON *content = home_object("msgtype", "m.text");
    cJSON_AddStringToObject(content, "body", text);
    return home_sends_event(h, user, room, "m.room.message", NULL, content);
}

static const char *room_of(struct home *h, const char *event)
{
    pthread_mutex_lock(&h->lock);
    int i = home_number(h, event);
    assert(i >= 0);
    const char *room = h->event[i].room->id;
    pthread_mutex_unlock(&h->lock);
    return room;
}

static cJSON *about(const char *relation, const char *event)
{
    cJSON *content = cJSON_CreateObject(), *to = cJSON_AddObjectToObject(content, "m.relates_to");
    cJSON_AddStringToObject(to, "rel_type", relation);
    cJSON_AddStringToObject(to, "event_id", event);
    return content;
}

void home_votes(struct home *h, const char *user, const char *poll, const char *answer)
{
    cJSON *content = about("m.reference", poll);
    cJSON *vote = cJSON_AddObjectToObject(content, "org.matrix.msc3381.poll.response");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(vote, "answers"), cJSON_CreateString(answer));
    home_sends_event(h, user, room_of(h, poll), "org.matrix.msc3381.poll.response", NULL, content);
}

static bool has_reacted(struct home *h, const char *user, const char *post, const char *key)
{
    for (int i = 0; i < home_events(h); i++) {
        struct home_event e = home_event(h, i);
        const cJSON *relation = cJSON_GetObjectItemCaseSensitive(e.content, "m.relates_to");
        if (strcmp(e.type, "m.reaction") == 0 && strcmp(e.sender, user) == 0 && !e.redacted &&
            strcmp(home_text(relation, "event_id"), post) == 0 &&
            strcmp(home_text(relation, "key"), key) == 0)
            return true;
    }
    return false;
}

/* The server refuses the same reaction a second time; so it is not sent. */
void home_reacts(struct home *h, const char *user, const char *post, const char *key)
{
    if (has_reacted(h, user, post, key))
        return;
    cJSON *content = about("m.annotation", post);
    cJSON_AddStringToObject(cJSON_GetObjectItemCaseSensitive(content, "m.relates_to"), "key", key);
    home_sends_event(h, user, room_of(h, post), "m.reaction", NULL, content);
}

const char *home_upgrades(struct home *h, const char *user, const char *id)
{
    pthread_mutex_lock(&h->lock);
    struct mx_room *old = home_find_room(h, id);
    assert(old && home_level(h, old, user) >= OWNER);
    struct mx_room *room = home_new_room(h, user, old->id);
    home_create_state(h, room, "public_chat", NULL);
    const struct mx_event *name = home_state(h, old, "m.room.name", "", h->n_events);
    if (name)
        home_add(h, room, user, "m.room.name", "", cJSON_Duplicate(name->content, true));
    cJSON *tombstone = home_object("replacement_room", room->id);
    cJSON_AddStringToObject(tombstone, "body", "This room has been replaced");
    home_add(h, old, user, "m.room.tombstone", "", tombstone);
    const struct mx_event *levels = home_state(h, old, "m.room.power_levels", "", h->n_events);
    cJSON *closed = cJSON_Duplicate(levels->content, true);
    cJSON_ReplaceItemInObjectCaseSensitive(closed, "events_default", cJSON_CreateNumber(ADMIN));
    home_add(h, old, user, "m.room.power_levels", "", closed);
    pthread_mutex_unlock(&h->lock);
    return room->id;
}

/* ---- inspection ---- */

int home_events(struct home *h)
{
    pthread_mutex_lock(&h->lock);
    int n = h->n_events;
    pthread_mutex_unlock(&h->lock);
    return n;
}

struct home_event home_event(struct home *h, int i)
{
    pthread_mutex_lock(&h->lock);
    const struct mx_event *e = &h->event[i];
    struct home_event seen = {e->id,      e->room ? e->room->id : "",
                              e->sender,  e->type,
                              e->key,     e->txn,
                              e->content, e->at,
                              e->redacted};
    pthread_mutex_unlock(&h->lock);
    return seen;
}

const char *home_membership(struct home *h, const char *id, const char *user)
{
    pthread_mutex_lock(&h->lock);
    struct mx_room *room = home_find_room(h, id);
    const char *membership = room ? home_member(h, room, user, h->n_events) : "leave";
    pthread_mutex_unlock(&h->lock);
    return membership;
}

const char *home_room_id(struct home *h, int i)
{
    pthread_mutex_lock(&h->lock);
    const char *id = i < h->n_rooms ? h->room[i].id : NULL;
    pthread_mutex_unlock(&h->lock);
    return id;
}
