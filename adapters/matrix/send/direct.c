/* See direct.h. Clients encrypt the private chats that people create; servers seldom encrypt those
 * that a bot creates. So the bot creates the chat, as private_chat (in new rooms
 * trusted_private_chat would make the guest an owner), writes it into m.direct, and keeps it for
 * ever, because servers allow few new rooms. If a server encrypts every private_chat, the bot
 * creates a second one by the public preset, closed to all but the invited, and takes the
 * invitation to the first one back: once the bot has left, nobody can accept it. If the second is
 * encrypted too, the bot uses it all the same: it can write there, and reads reactions and the
 * group.
 *
 * A lost answer to createRoom creates no second room: the next sync shows the first one, with our
 * own direct invitation in it, before the send is retried.
 */
#include "direct.h"

static const char ROOM_NAME[] = "Koi-Koi", WHAT[] = "private chat";

/* False for a room that is no private chat with them any more, and, without encryption, for an
 * encrypted one created by another person. */
static bool is_usable(const struct matrix *m, const struct room *room, struct str to)
{
    return !room || (str_is(room->with, to) && (!room->encrypted || room->ours || m->seal));
}

enum send_step direct_next(struct matrix *m, const struct outgoing *out, struct progress *p)
{
    if (p->abandon)
        return p->in ? SEND_KICK : SEND_ABANDON;
    if (p->room.n == 0 && !p->renew && wire_is_room_id(out->direct_chat) &&
        is_usable(m, rooms_find(m->known, out->direct_chat), out->to))
        p->room = out->direct_chat;
    struct room *room = p->room.n == 0 ? rooms_with(m->known, out->to) : NULL;
    if (room && is_usable(m, room, out->to))
        p->room = room->id;
    if (p->room.n == 0 && !m->synced)
        return SEND_WAIT;
    if (p->room.n == 0)
        return p->public_preset || m->encrypts_directs ? SEND_CREATE_PUBLIC : SEND_CREATE;
    if (p->made && !p->open)
        return SEND_CHECK_ENCRYPTION;
    room = rooms_find(m->known, p->room);
    bool not_noted = room && room->ours && !room->noted; /* created, but the answer was lost */
    if ((p->made || not_noted) && !p->noted)
        return SEND_NOTE_DIRECT;
    if (p->in)
        return SEND_EVENT;
    if (!room || !room->with_known || !str_is(room->with, out->to))
        return SEND_MEMBER;
    return room->with_in ? SEND_EVENT : SEND_INVITE;
}

static void add_state(cJSON *list, const char *type, const char *key, const char *value)
{
    cJSON *event = cJSON_CreateObject();
    cJSON_AddStringToObject(event, "type", type);
    cJSON_AddStringToObject(event, "state_key", "");
    cJSON_AddStringToObject(cJSON_AddObjectToObject(event, "content"), key, value);
    cJSON_AddItemToArray(list, event);
}

static cJSON *create_body(struct arena *a, struct str to, bool public_preset, bool sealed)
{
    cJSON *body = cJSON_CreateObject();
    cJSON_AddStringToObject(body, "preset", public_preset ? "public_chat" : "private_chat");
    cJSON_AddStringToObject(body, "visibility", "private");
    cJSON_AddStringToObject(body, "name", ROOM_NAME);
    cJSON_AddTrueToObject(body, "is_direct");
    /* a third person would see the hands */
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(body, "power_level_content_override"), "invite",
                            LEVEL_OWNER);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(body, "invite"),
                         cJSON_CreateString(arena_str(a, to).p));
    cJSON *state = public_preset || sealed ? cJSON_AddArrayToObject(body, "initial_state") : NULL;
    if (sealed)
        add_state(state, "m.room.encryption", "algorithm", "m.megolm.v1.aes-sha2");
    if (public_preset) {
        add_state(state, "m.room.join_rules", "join_rule", "invite");
        add_state(state, "m.room.guest_access", "guest_access", "forbidden");
        add_state(state, "m.room.history_visibility", "history_visibility", "invited");
    }
    return body;
}

void direct_request(struct matrix *m, struct arena *a, const struct outgoing *out,
                    const struct progress *p, enum send_step step, struct request *ret)
{
    cJSON *body = NULL;
    struct room *room;
    switch (step) {
    case SEND_MEMBER:
        wire_request_in_room(
            m, a, "GET", p->room,
            arena_print(a, "state/m.room.member/%.*s", STR_ARG(wire_escape(a, out->to))), WHAT,
            ret);
        return;
    case SEND_CHECK_ENCRYPTION:
        wire_request_in_room(m, a, "GET", p->room, STR("state/m.room.encryption/"), WHAT, ret);
        return;
    case SEND_INVITE:
    case SEND_KICK:
        wire_request_in_room(m, a, "POST", p->room,
                             step == SEND_INVITE ? STR("invite") : STR("kick"), WHAT, ret);
        body = cJSON_CreateObject();
        wire_put(body, "user_id", out->to);
        break;
    case SEND_ABANDON:
        wire_request_in_room(m, a, "POST", p->room, STR("leave"), WHAT, ret);
        body = cJSON_CreateObject();
        break;
    case SEND_NOTE_DIRECT:
        room = rooms_get(m->known, p->room);
        if (room)
            rooms_set(m->known, &room->with, out->to);
        wire_request(m, a, "PUT",
                     arena_print(a, "/_matrix/client/v3/user/%.*s/account_data/m.direct",
                                 STR_ARG(wire_escape(a, m->session.user))),
                     "m.direct", ret);
        body = rooms_directs(m->known, a);
        break;
    default:
        wire_request(m, a, "POST", STR("/_matrix/client/v3/createRoom"), "createRoom", ret);
        body = create_body(a, out->to, step == SEND_CREATE_PUBLIC, p->able);
    }
    wire_request_json(a, ret, body);
}

static bool unreachable(struct arena *a, const struct reply *reply, struct receipt *ret)
{
    struct wire_error t = wire_error_of(a, reply);
    ret->kind = NEVER;
    ret->why = NEVER_UNREACHABLE;
    ret->note = arena_print(a, "no private chat: %d %.*s", reply->status, STR_ARG(t.code));
    return false;
}

static bool read_created(struct matrix *m, struct arena *a, const struct outgoing *out,
                         struct progress *p, bool public_preset, const struct reply *reply,
                         struct receipt *ret)
{
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
    p->room = wire_str(a, o, "room_id");
    cJSON_Delete(o);
    if (!wire_is_room_id(p->room))
        return unreachable(a, reply, ret);
    struct room *room = rooms_get(m->known, p->room);
    if (room) {
        rooms_set(m->known, &room->with, out->to);
        room->joined = room->with_known = room->with_in = true;
    }
    p->made = p->in = true;
    p->public_preset = public_preset;
    return true;
}

/* An encrypted room is abandoned once, for one by the public preset; the second is kept as it
 * is. */
static bool read_encryption(struct matrix *m, struct progress *p, const struct reply *reply)
{
    struct room *room = rooms_find(m->known, p->room);
    p->open = true;
    if (!wire_is_good(reply))
        return true;
    if (room)
        room->encrypted = true;
    if (m->seal)
        return true;
    p->abandon = !p->public_preset;
    m->encrypts_directs = true;
    return true;
}

static bool read_abandoned(struct matrix *m, struct progress *p)
{
    struct room *room = rooms_find(m->known, p->room);
    if (room) {
        room->joined = false;
        rooms_set(m->known, &room->with, STR(""));
    }
    *p = (struct progress){.public_preset = true, .renew = true};
    return true;
}

static bool read_member(struct matrix *m, const struct outgoing *out, struct progress *p,
                        const struct reply *reply)
{
    if (reply->status == 403) { /* the bot is not a member itself */
        struct room *room = rooms_find(m->known, p->room);
        if (room)
            room->joined = false;
        *p = (struct progress){.renew = true};
        return true;
    }
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
    p->in = wire_is(o, "membership", "join") || wire_is(o, "membership", "invite");
    cJSON_Delete(o);
    struct room *room = rooms_get(m->known, p->room);
    if (!room)
        return true;
    rooms_set(m->known, &room->with, out->to);
    room->joined = room->with_known = true;
    room->with_in = p->in;
    return true;
}

bool direct_read(struct matrix *m, struct arena *a, const struct outgoing *out, struct progress *p,
                 enum send_step step, const struct reply *reply, struct receipt *ret)
{
    struct room *room;
    switch (step) {
    case SEND_MEMBER:
        return read_member(m, out, p, reply);
    case SEND_CREATE:
    case SEND_CREATE_PUBLIC:
        return read_created(m, a, out, p, step == SEND_CREATE_PUBLIC, reply, ret);
    case SEND_CHECK_ENCRYPTION:
        return read_encryption(m, p, reply);
    case SEND_KICK:
        p->in = false;
        return true;
    case SEND_ABANDON:
        return read_abandoned(m, p);
    case SEND_NOTE_DIRECT:
        room = rooms_find(m->known, p->room);
        if (room)
            room->noted = wire_is_good(reply);
        return p->noted = true;
    default: /* SEND_INVITE */
        if (!wire_is_good(reply))
            return unreachable(a, reply, ret);
        room = rooms_find(m->known, p->room);
        if (room)
            room->with_in = true;
        return p->in = true;
    }
}
