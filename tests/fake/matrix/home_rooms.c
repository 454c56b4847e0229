/* Rooms, their members and power levels. */
#include "home_internal.h"

#include <assert.h>

enum { LEVEL_OWNER = 100, LEVEL_ADMIN = 50, LEVEL_ABOVE_ALL = 1000000 };

/* ---- look-ups ---- */

struct user *home_find_user(struct home *h, const char *id)
{
    for (int i = 0; i < h->n_users; i++)
        if (strcmp(h->user[i].id, id) == 0)
            return &h->user[i];
    return NULL;
}

struct mx_room *home_find_room(struct home *h, const char *id)
{
    for (int i = 0; i < h->n_rooms; i++)
        if (strcmp(h->room[i].id, id) == 0)
            return &h->room[i];
    return NULL;
}

struct mx_event *home_state(struct home *h, const struct mx_room *room, const char *type,
                            const char *key, int end)
{
    for (int i = end - 1; i >= 0; i--) {
        struct mx_event *e = &h->event[i];
        if (e->room == room && e->key && strcmp(e->key, key) == 0 && strcmp(e->type, type) == 0)
            return e;
    }
    return NULL;
}

const char *home_member(struct home *h, const struct mx_room *room, const char *user, int end)
{
    const struct mx_event *e = home_state(h, room, "m.room.member", user, end);
    return e ? home_text(e->content, "membership") : "leave";
}

int home_number(struct home *h, const char *event_id)
{
    for (int i = h->n_events - 1; i >= 0; i--)
        if (strcmp(h->event[i].id, event_id) == 0)
            return i;
    return -1;
}

cJSON *home_client_event(const struct home *h, const struct mx_event *e, const struct token *reader)
{
    cJSON *o = cJSON_CreateObject(), *more;
    cJSON_AddStringToObject(o, "event_id", e->id);
    cJSON_AddStringToObject(o, "room_id", e->room->id);
    cJSON_AddStringToObject(o, "sender", e->sender);
    cJSON_AddStringToObject(o, "type", e->type);
    if (e->key)
        cJSON_AddStringToObject(o, "state_key", e->key);
    if (e->redacts)
        cJSON_AddStringToObject(o, "redacts", e->redacts);
    cJSON_AddNumberToObject(o, "origin_server_ts", (double)e->at);
    cJSON_AddItemToObject(o, "content",
                          e->redacted ? cJSON_CreateObject() : cJSON_Duplicate(e->content, true));
    more = cJSON_AddObjectToObject(o, "unsigned");
    cJSON_AddNumberToObject(more, "age", (double)(home_now(h) - e->at));
    if (e->before)
        cJSON_AddItemToObject(more, "prev_content", cJSON_Duplicate(e->before, true));
    if (e->txn && reader && e->device && strcmp(e->device, reader->device) == 0 &&
        strcmp(e->sender, reader->user->id) == 0)
        cJSON_AddStringToObject(more, "transaction_id", e->txn);
    return o;
}

/* ---- changes ---- */

struct mx_event *home_add(struct home *h, struct mx_room *room, const char *sender,
                          const char *type, const char *key, cJSON *content)
{
    assert(h->n_events < MOST_EVENTS);
    const struct mx_event *before =
        key && room ? home_state(h, room, type, key, h->n_events) : NULL;
    struct mx_event *e = &h->event[h->n_events++];
    struct user *user = home_find_user(h, sender);
    uint64_t own = str_hash(str_of(sender)) + (uint64_t)++user->n_events;
    *e = (struct mx_event){.id = home_name(h, "$", own),
                           .room = room,
                           .sender = home_keep(h, sender),
                           .type = home_keep(h, type),
                           .key = key ? home_keep(h, key) : NULL,
                           .content = content,
                           .before = before ? before->content : NULL,
                           .at = home_now(h)};
    serve_wake(h->serve);
    return e;
}

cJSON *home_object(const char *key, const char *value)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, key, value);
    return o;
}

void home_set_member(struct home *h, struct mx_room *room, const char *sender, const char *who,
                     const char *membership, bool direct)
{
    cJSON *content = home_object("membership", membership);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(who + 1, ":"), who + 1);
    name[0] &= (char)~0x20; /* "Ann" */
    cJSON_AddStringToObject(content, "displayname", name);
    if (direct)
        cJSON_AddTrueToObject(content, "is_direct");
    home_add(h, room, sender, "m.room.member", who, content);
}

static bool is_new(const char *version)
{
    return strtol(version, NULL, 10) >= 12;
}

struct mx_room *home_new_room(struct home *h, const char *creator, const char *from)
{
    assert(h->n_rooms < MOST_ROOMS);
    struct mx_room *room = &h->room[h->n_rooms++];
    room->version = h->setup.version;
    room->creator = home_keep(h, creator);
    room->id = home_secret(h, "!");
    if (!is_new(room->version))
        room->id = home_print(h, "%.19s:koi.test", room->id);
    cJSON *content = home_object("room_version", room->version);
    if (!is_new(room->version))
        cJSON_AddStringToObject(content, "creator", creator);
    if (from)
        cJSON_AddItemToObject(content, "predecessor", home_object("room_id", from));
    home_add(h, room, creator, "m.room.create", "", content);
    home_set_member(h, room, creator, creator, "join", false);
    content = cJSON_CreateObject();
    cJSON *users = cJSON_AddObjectToObject(content, "users");
    if (!is_new(room->version))
        cJSON_AddNumberToObject(users, creator, LEVEL_OWNER);
    cJSON_AddNumberToObject(content, "users_default", 0);
    cJSON_AddNumberToObject(content, "events_default", 0);
    cJSON_AddNumberToObject(content, "state_default", LEVEL_ADMIN);
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(content, "events"), "m.room.tombstone",
                            is_new(room->version) ? 1.5 * LEVEL_OWNER : LEVEL_OWNER);
    home_add(h, room, creator, "m.room.power_levels", "", content);
    return room;
}

int64_t home_level(struct home *h, const struct mx_room *room, const char *user)
{
    const struct mx_event *e = home_state(h, room, "m.room.power_levels", "", h->n_events);
    const cJSON *users = cJSON_GetObjectItemCaseSensitive(e->content, "users");
    const cJSON *own = cJSON_GetObjectItemCaseSensitive(users, user);
    if (is_new(room->version) && strcmp(room->creator, user) == 0)
        return LEVEL_ABOVE_ALL;
    if (!own)
        own = cJSON_GetObjectItemCaseSensitive(e->content, "users_default");
    return own ? (int64_t)own->valuedouble : 0;
}

bool home_may(struct home *h, const struct mx_room *room, const char *user, bool state)
{
    const struct mx_event *e = home_state(h, room, "m.room.power_levels", "", h->n_events);
    const cJSON *needed =
        cJSON_GetObjectItemCaseSensitive(e->content, state ? "state_default" : "events_default");
    return strcmp(home_member(h, room, user, h->n_events), "join") == 0 &&
           home_level(h, room, user) >= (int64_t)needed->valuedouble;
}

void home_create_state(struct home *h, struct mx_room *room, const char *preset, const cJSON *extra)
{
    bool open = strcmp(preset, "public_chat") == 0;
    home_add(h, room, room->creator, "m.room.join_rules", "",
             home_object("join_rule", open ? "public" : "invite"));
    if ((h->setup.encrypts && !open) || h->setup.encrypts_all)
        home_add(h, room, room->creator, "m.room.encryption", "",
                 home_object("algorithm", "m.megolm.v1.aes-sha2"));
    const cJSON *one;
    cJSON_ArrayForEach(one, extra)
        home_add(h, room, room->creator, home_text(one, "type"), home_text(one, "state_key"),
                 cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(one, "content"), true));
}
