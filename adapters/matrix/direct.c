/* See direct.h. People's clients make private chats encrypted, servers seldom do: so the chat is
 * made by the bot, as private_chat (in new rooms trusted_private_chat would make the guest an
 * owner), noted in m.direct, and used for ever, because servers allow few new rooms. Where a server
 * encrypts whatever is made as a private chat, a second one is made by the public preset, closed to
 * all but the invited: if that is encrypted, too, it is used all the same, to write in it; what is
 * said there is heard as reactions, and in the group.
 *
 * A lost answer to createRoom makes no second room: the next sync shows the first one, with our own
 * direct invitation in it, before the send is tried again.
 */
#include "direct.h"

static const char ROOM_NAME[] = "Koi-Koi";

/* A private chat that somebody else has made and that cannot be read is left to its maker. */
static bool of_use(const struct room *room)
{
    return !room || !room->encrypted || room->ours;
}

enum say_step direct_next(struct matrix *m, const struct outgoing *out, struct progress *p)
{
    if (p->abandon)
        return SAY_ABANDON;
    if (p->room.n == 0 && !p->renew && is_room_id(out->direct_chat) &&
        of_use(rooms_find(m->known, out->direct_chat)))
        p->room = out->direct_chat;
    struct room *room = p->room.n == 0 ? rooms_with(m->known, out->to) : NULL;
    if (room && of_use(room))
        p->room = room->id;
    if (p->room.n == 0)
        return m->synced ? SAY_CREATE : SAY_WAIT;
    if (p->made && !p->open)
        return SAY_CLOSED;
    room = rooms_find(m->known, p->room);
    bool unnoted = room && room->ours && !room->noted; /* made, and that was never answered */
    if ((p->made || unnoted) && !p->noted)
        return SAY_NOTE;
    if (p->in)
        return SAY_EVENT;
    if (!room || !room->with_known || !str_is(room->with, out->to))
        return SAY_MEMBER;
    return room->with_in ? SAY_EVENT : SAY_INVITE;
}

static void add_state(cJSON *list, const char *type, const char *key, const char *value)
{
    cJSON *event = cJSON_CreateObject();
    cJSON_AddStringToObject(event, "type", type);
    cJSON_AddStringToObject(event, "state_key", "");
    cJSON_AddStringToObject(cJSON_AddObjectToObject(event, "content"), key, value);
    cJSON_AddItemToArray(list, event);
}

static cJSON *new_room(struct arena *a, struct str to, bool other_way)
{
    cJSON *body = cJSON_CreateObject();
    cJSON_AddStringToObject(body, "preset", other_way ? "public_chat" : "private_chat");
    cJSON_AddStringToObject(body, "visibility", "private");
    cJSON_AddStringToObject(body, "name", ROOM_NAME);
    cJSON_AddTrueToObject(body, "is_direct");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(body, "invite"),
                         cJSON_CreateString(arena_str(a, to).p));
    if (other_way) {
        cJSON *state = cJSON_AddArrayToObject(body, "initial_state");
        add_state(state, "m.room.join_rules", "join_rule", "invite");
        add_state(state, "m.room.guest_access", "guest_access", "forbidden");
        add_state(state, "m.room.history_visibility", "history_visibility", "invited");
    }
    return body;
}

static void ask_room(struct matrix *m, struct arena *a, const char *method, struct str room,
                     struct str what, struct request *ret)
{
    request_to(m, a, method,
               arena_print(a, "/_matrix/client/v3/rooms/%.*s/%.*s", STR_ARG(url_escape(a, room)),
                           STR_ARG(what)),
               "private chat", ret);
}

void direct_ask(struct matrix *m, struct arena *a, const struct outgoing *out,
                const struct progress *p, enum say_step step, struct request *ret)
{
    cJSON *body = NULL;
    struct room *room;
    switch (step) {
    case SAY_MEMBER:
        ask_room(m, a, "GET", p->room,
                 arena_print(a, "state/m.room.member/%.*s", STR_ARG(url_escape(a, out->to))), ret);
        return;
    case SAY_CLOSED:
        ask_room(m, a, "GET", p->room, STR("state/m.room.encryption/"), ret);
        return;
    case SAY_INVITE:
        ask_room(m, a, "POST", p->room, STR("invite"), ret);
        body = cJSON_CreateObject();
        wire_put(body, "user_id", out->to);
        break;
    case SAY_ABANDON:
        ask_room(m, a, "POST", p->room, STR("leave"), ret);
        body = cJSON_CreateObject();
        break;
    case SAY_NOTE:
        room = rooms_get(m->known, p->room);
        if (room)
            rooms_keep(m->known, &room->with, out->to);
        request_to(m, a, "PUT",
                   arena_print(a, "/_matrix/client/v3/user/%.*s/account_data/m.direct",
                               STR_ARG(url_escape(a, m->session.user))),
                   "m.direct", ret);
        body = rooms_directs(m->known, a);
        break;
    default:
        request_to(m, a, "POST", STR("/_matrix/client/v3/createRoom"), "createRoom", ret);
        body = new_room(a, out->to, p->other_way || m->forced);
    }
    request_json(a, ret, body);
}

static bool unreachable(struct arena *a, const struct reply *reply, struct receipt *ret)
{
    struct trouble t = trouble_of(a, reply);
    ret->kind = NEVER;
    ret->why = NEVER_UNREACHABLE;
    ret->note = arena_print(a, "no private chat: %d %.*s", reply->status, STR_ARG(t.code));
    return false;
}

static bool did_create(struct matrix *m, struct arena *a, const struct outgoing *out,
                       struct progress *p, const struct reply *reply, struct receipt *ret)
{
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    p->room = wire_str(a, o, "room_id");
    cJSON_Delete(o);
    if (!is_room_id(p->room))
        return unreachable(a, reply, ret);
    struct room *room = rooms_get(m->known, p->room);
    if (room) {
        rooms_keep(m->known, &room->with, out->to);
        room->joined = room->with_known = room->with_in = true;
    }
    p->made = p->in = true;
    return true;
}

/* A forced encryption is escaped once; if the other way is closed as well, the room is taken as it
 * is. */
static bool did_look(struct matrix *m, struct progress *p, const struct reply *reply)
{
    struct room *room = rooms_find(m->known, p->room);
    p->open = true;
    if (!is_good(reply))
        return true;
    if (room)
        room->encrypted = true;
    if (!m->forced && !p->other_way)
        p->abandon = true;
    m->forced = true;
    return true;
}

static bool did_abandon(struct matrix *m, struct progress *p)
{
    struct room *room = rooms_find(m->known, p->room);
    if (room) {
        room->joined = false;
        rooms_keep(m->known, &room->with, STR(""));
    }
    *p = (struct progress){.other_way = true, .renew = true};
    return true;
}

static bool did_look_for(struct matrix *m, const struct outgoing *out, struct progress *p,
                         const struct reply *reply)
{
    if (reply->status == 403) { /* we are not in it ourselves */
        struct room *room = rooms_find(m->known, p->room);
        if (room)
            room->joined = false;
        *p = (struct progress){.renew = true};
        return true;
    }
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    p->in = wire_is(o, "membership", "join") || wire_is(o, "membership", "invite");
    cJSON_Delete(o);
    struct room *room = rooms_get(m->known, p->room);
    if (!room)
        return true;
    rooms_keep(m->known, &room->with, out->to);
    room->joined = room->with_known = true;
    room->with_in = p->in;
    return true;
}

bool direct_did(struct matrix *m, struct arena *a, const struct outgoing *out, struct progress *p,
                enum say_step step, const struct reply *reply, struct receipt *ret)
{
    struct room *room;
    switch (step) {
    case SAY_MEMBER:
        return did_look_for(m, out, p, reply);
    case SAY_CREATE:
        return did_create(m, a, out, p, reply, ret);
    case SAY_CLOSED:
        return did_look(m, p, reply);
    case SAY_ABANDON:
        return did_abandon(m, p);
    case SAY_NOTE:
        room = rooms_find(m->known, p->room);
        if (room)
            room->noted = is_good(reply);
        return p->noted = true;
    default: /* SAY_INVITE */
        if (!is_good(reply))
            return unreachable(a, reply, ret);
        room = rooms_find(m->known, p->room);
        if (room)
            room->with_in = true;
        return p->in = true;
    }
}
