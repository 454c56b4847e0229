/* The steps to a private chat with one person. Clients encrypt the private chats that people
 * create; servers seldom encrypt those that a bot creates. So the bot creates the chat, as
 * private_chat (in new rooms trusted_private_chat would make the guest an owner), writes it into
 * m.direct, and keeps it for ever, because servers allow few new rooms. If a server encrypts every
 * private_chat, the bot creates a second one by the public preset, closed to all but the invited,
 * and takes the invitation to the first one back: it could not be accepted once the bot has left. If
 * the second is encrypted too, the bot uses it all the same: it can write there, and reads
 * reactions and the group.
 *
 * A lost answer to createRoom creates no second room: the next sync shows the first one, with our
 * own direct invitation in it, before the send is retried.
 *
 * Flags, m.direct and our memory are hints of what is a private chat. Each message for one person
 * alone asks who is there first, also one to a chat in which a match is played; where others are,
 * it is not sent, and another private chat takes its place.
 */
#include "send.h"

#include <sodium.h>

static const char ROOM_NAME[] = "Koi-Koi", WHAT[] = "private chat";

/* False for a room that is no private chat with them any more, and, without encryption, for an
 * encrypted one created by another person. */
static bool is_usable(const struct matrix *m, const struct room *room, struct str to)
{
    return !room || (str_is(room->with, to) && !room->crowded && !room->deaf &&
                     (!room->encrypted || room->ours || m->crypto));
}

bool direct_is_private(const struct sending *s)
{
    const struct outgoing *out = s->out;
    const struct room *room = rooms_find(s->m->known, content_place(s).room);
    return out->where != TO_CHAT ||
           (out->kind == OUT_POST && (out->alone || (room && room->with.n > 0)));
}

/* Whom a private message is for. */
static struct str reader_of(const struct sending *s, const struct room *room)
{
    return s->out->to.n > 0 || !room ? s->out->to : room->with;
}

bool direct_looked(const struct sending *s, const struct room *room)
{
    const struct send_flight *flight = send_flight_of(s->m, s->out->row);
    return room && room->members_known && flight->row == s->out->row && flight->looked &&
           flight->members_turn == room->members_turn;
}

/* In a private chat: who is there, and their person is. */
static enum send_step look(const struct sending *s, const struct room *room)
{
    struct str reader = reader_of(s, room);
    if (!direct_looked(s, room))
        return SEND_MEMBERS;
    bool in = s->progress.in || reader.n == 0 || room_in_words(room->members, reader);
    return in ? SEND_EVENT : SEND_INVITE;
}

enum send_step direct_next(struct sending *s)
{
    struct matrix *m = s->m;
    const struct outgoing *out = s->out;
    struct progress *p = &s->progress;
    if (out->where == TO_CHAT) { /* of a match in it */
        p->room = content_place(s).room;
        return look(s, rooms_find(m->known, p->room));
    }
    if (p->abandon)
        return p->in ? SEND_KICK : SEND_ABANDON;
    struct room *room = rooms_with(m->known, out->to);
    const struct room *last = rooms_find(m->known, out->direct_chat);
    bool left = last && last->left && room && !room->left;
    if (p->room.n == 0 && !p->renew && wire_is_room_id(out->direct_chat) &&
        is_usable(m, last, out->to) && !left)
        p->room = out->direct_chat;
    if (p->room.n > 0)
        room = NULL;
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
    return look(s, room);
}

/* ---- requests ---- */

static const struct menu_entry *commands_of(const struct matrix *m, int *ret_n)
{
    *ret_n = 0;
    return m->menu ? m->menu->list(m->menu->arg, 0, ret_n) : NULL;
}

/* Commands as state (MSC4391): clients that know it offer them, others ignore it. All of a
 * command's words are one argument. */
static void put_commands(struct buf *b, const struct matrix *m)
{
    int n;
    const struct menu_entry *at = commands_of(m, &n);
    for (int i = 0; i < n; i++) {
        const struct menu_entry *e = &at[i];
        crypto_hash_sha256_state sha;
        uint8_t hash[crypto_hash_sha256_BYTES];
        char key[sodium_base64_ENCODED_LEN(sizeof hash, sodium_base64_VARIANT_ORIGINAL)];
        if (e->about.n == 0)
            continue;
        crypto_hash_sha256_init(&sha);
        crypto_hash_sha256_update(&sha, (const uint8_t *)e->command.p, e->command.n);
        crypto_hash_sha256_update(&sha, (const uint8_t *)m->session.user.p, m->session.user.n);
        crypto_hash_sha256_final(&sha, hash);
        sodium_bin2base64(key, sizeof key, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL);
        JSON_PUT(b,
                 "{'type':'org.matrix.msc4391.command_description','state_key':$,'content':{"
                 "'command':$,'description':{'m.text':[{'body':$}]},"
                 "'fi.mau.tail_parameter':'" COMMAND_WORDS "','parameters':["
                 "{'key':'" COMMAND_WORDS "','optional':true,"
                 "'schema':{'schema_type':'primitive','type':'string'}}]}}",
                 str_of(key), e->command, e->about);
    }
}

static size_t commands_size(const struct matrix *m)
{
    enum { AROUND = 512 };
    size_t size = 0;
    int n;
    const struct menu_entry *at = commands_of(m, &n);
    for (int i = 0; i < n; i++)
        size += AROUND + at[i].about.n * 6;
    return size;
}

#define PUT_STATE(b, type, content)                                                                \
    JSON_PUT((b), "{'type':'" type "','state_key':'','content':{" content "}}")
static void put_room(struct buf *b, const struct matrix *m, struct str to, bool public_preset,
                     bool encrypted)
{
    JSON_PUT(b, "'preset':$,'visibility':'private','name':$,'is_direct':true",
             public_preset ? STR("public_chat") : STR("private_chat"), str_of(ROOM_NAME));
    json_put_open(b, "power_level_content_override", '{'); /* a third person would see the hands */
    json_put_int(b, "invite", LEVEL_OWNER);
    JSON_PUT(b, "},'invite':[$]", to);
    if (!public_preset && !encrypted && !m->menu)
        return;
    json_put_open(b, "initial_state", '[');
    if (encrypted)
        PUT_STATE(b, "m.room.encryption", "'algorithm':'m.megolm.v1.aes-sha2'");
    if (public_preset) {
        PUT_STATE(b, "m.room.join_rules", "'join_rule':'invite'");
        PUT_STATE(b, "m.room.guest_access", "'guest_access':'forbidden'");
        PUT_STATE(b, "m.room.history_visibility", "'history_visibility':'invited'");
    }
    put_commands(b, m);
    buf_char(b, ']');
}

void direct_request(const struct sending *s, struct request *ret)
{
    struct matrix *m = s->m;
    struct arena *a = s->a;
    struct str room = s->progress.room, to = reader_of(s, rooms_find(m->known, room));
    struct buf b = wire_object(a, to.n + commands_size(m));
    switch (s->step) {
    case SEND_CHECK_ENCRYPTION:
        wire_request_in_room(m, a, "GET", content_place(s).room, STR("state/m.room.encryption/"),
                             WHAT, ret);
        return;
    case SEND_NOTE_DIRECT:
        rooms_ask_directs(m, a, room, to, ret);
        return;
    case SEND_INVITE:
    case SEND_KICK:
        wire_request_in_room(m, a, "POST", room,
                             s->step == SEND_INVITE ? STR("invite") : STR("kick"), WHAT, ret);
        json_put_str(&b, "user_id", to);
        break;
    case SEND_ABANDON:
        wire_request_in_room(m, a, "POST", room, STR("leave"), WHAT, ret);
        break;
    default:
        wire_request(m, a, "POST", STR("/_matrix/client/v3/createRoom"), "createRoom", ret);
        put_room(&b, m, to, s->step == SEND_CREATE_PUBLIC, s->progress.able);
    }
    wire_request_json(ret, &b);
}

/* ---- answers ---- */

static bool unreachable(struct sending *s)
{
    s->receipt->kind = NEVER;
    s->receipt->why = NEVER_UNREACHABLE;
    s->receipt->note =
        arena_print(s->a, "no private chat: %d %.*s", s->reply->status, STR_ARG(s->error.code));
    return false;
}

static bool read_created(struct sending *s)
{
    struct progress *p = &s->progress;
    p->room = wire_str(s->a, s->answer, "room_id");
    if (!wire_is_room_id(p->room))
        return unreachable(s);
    struct room *room = rooms_get(s->m->known, p->room);
    if (room) {
        rooms_set(s->m->known, &room->with, s->out->to);
        room->joined = room->ours = true;
    }
    p->made = p->in = true;
    p->public_preset = s->step == SEND_CREATE_PUBLIC;
    return true;
}

/* Only the server's word that there is no such state makes a room plain. One that we have made and
 * that is encrypted is abandoned once, for one by the public preset; the second is kept as it
 * is. */
static bool read_encryption(struct sending *s)
{
    struct progress *p = &s->progress;
    struct room *room = rooms_get(s->m->known, content_place(s).room);
    bool encrypted = wire_is_good(s->reply);
    if (!room || (!encrypted && !wire_says_none(s->reply, &s->error)))
        return unreachable(s);
    room->encrypted |= encrypted;
    room->plain = !room->encrypted;
    p->open = p->made;
    if (!encrypted || !p->made || s->m->crypto)
        return true;
    p->abandon = !p->public_preset;
    s->m->encrypts_directs = true;
    return true;
}

/* Who is there. The bot may not be a member itself, or the server does not know the room; a list too
 * large to read has others in it. A room that this row has made is not made a second time. */
static bool read_company(struct sending *s)
{
    struct matrix *m = s->m;
    struct send_flight *flight = send_flight_of(m, s->out->row);
    struct room *room = rooms_get(m->known, s->progress.room);
    bool here = s->out->where == TO_CHAT;
    bool large = s->reply->too_large, gone = !wire_is_good(s->reply) && !large;
    if (!room || (gone && here))
        return unreachable(s);
    struct str reader = reader_of(s, room);
    if (gone) {
        room->joined = false;
    } else if (!large && !room_read_members(m->known, s->a, room, s->answer)) {
        s->receipt->kind = LATER;
        s->receipt->note = STR("an answer without the members of a room");
        return false;
    } else {
        room->crowded = large || !room_is_pair(room, m->session.user, reader);
    }
    room->members_known &= room->members_turn == flight->members_turn;
    flight->looked = !gone && !room->crowded;
    if (flight->looked && !here) {
        rooms_set(m->known, &room->with, reader);
        room->joined = true;
    }
    if (room->crowded && here) {
        s->receipt->kind = NEVER;
        s->receipt->note = STR("others are in the private chat");
        return false;
    }
    if (!flight->looked && s->progress.made)
        return unreachable(s);
    if (!flight->looked)
        s->progress = (struct progress){.renew = true};
    return true;
}

bool direct_read(struct sending *s)
{
    struct progress *p = &s->progress;
    struct room *room = rooms_find(s->m->known, p->room);
    switch (s->step) {
    case SEND_MEMBERS:
        return read_company(s);
    case SEND_CREATE:
    case SEND_CREATE_PUBLIC:
        return read_created(s);
    case SEND_CHECK_ENCRYPTION:
        return read_encryption(s);
    case SEND_KICK:
        p->in = false;
        return true;
    case SEND_ABANDON:
        if (room) {
            room->joined = false;
            rooms_set(s->m->known, &room->with, STR(""));
        }
        *p = (struct progress){.public_preset = true, .renew = true};
        return true;
    case SEND_NOTE_DIRECT:
        if (room)
            room->noted = wire_is_good(s->reply);
        return p->noted = true;
    default: /* SEND_INVITE */
        if (wire_is_good(s->reply))
            return p->in = true;
        /* in a room of somebody else the bot may lack the right; in its own it is the person's
         * no */
        if (!room || room->ours || s->out->where == TO_CHAT ||
            str_is(s->error.code, STR("M_INVITE_BLOCKED")))
            return unreachable(s);
        rooms_set(s->m->known, &room->with, STR(""));
        *p = (struct progress){.renew = true};
        return true;
    }
}
