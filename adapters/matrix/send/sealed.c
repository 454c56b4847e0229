/* See sealed.h. Only one row at a time shares keys. The ciphertext is made once, stored in the row
 * with the ratchet that made it, and sent from there: a repeat sends the same bytes under the same
 * transaction id. */
#include "sealed.h"

enum { MEMBERS_BYTES = 16 * 1024 * 1024 };

/* True until it is known which rooms are encrypted and whether we can write there. */
static bool is_early(const struct matrix *m)
{
    return !m->turn.off && seal_wanted(m) && !(m->synced && m->seal && m->turn.ready);
}

static enum send_step keys_step(struct matrix *m, const struct outgoing *out,
                                const struct seal_request *keys)
{
    if (str_is(keys->kind, STR("to_device")) && seal_unstored(m))
        return SEND_STORED;
    m->key_row = out->row;
    return SEND_KEYS;
}

static enum send_step next_for_person(struct matrix *m, struct arena *a, const struct outgoing *out,
                                      struct progress *p, struct seal_request *ret)
{
    struct err err;
    if (m->key_row != 0 && m->key_row != out->row)
        return SEND_QUEUE;
    if (!seal_able(m, a, out->to, ret, &p->able, &err))
        return SEND_CREATE;
    return ret->kind.n > 0 ? keys_step(m, out, ret) : SEND_CREATE;
}

enum send_step sealed_next(struct matrix *m, struct arena *a, const struct outgoing *out,
                           struct progress *p, struct str room_id, enum send_step step,
                           struct seal_request *ret)
{
    struct err err;
    if (step < SEND_MEMBER || step == SEND_REDACT)
        return step;
    if (is_early(m))
        return SEND_WAIT;
    if (m->seal && step == SEND_CREATE)
        return next_for_person(m, a, out, p, ret);
    struct room *room = rooms_find(m->known, room_id);
    if (!m->seal || step < SEND_UPLOAD || !room || !room->encrypted)
        return step;
    if (out->picture_file.n > 0 && p->picture.n == 0)
        return SEND_FRESH;
    if (step == SEND_UPLOAD || (p->sealed.n > 0 && str_is(p->sealed_for, room_id)))
        return step;
    p->sealed = p->sealed_for = STR("");
    if (m->key_row != 0 && m->key_row != out->row)
        return SEND_QUEUE;
    if (!room->members_known)
        return SEND_MEMBERS;
    if (!seal_share(m, a, room_id, room->members, ret, &err))
        return SEND_SEAL; /* which reports the failure */
    return ret->kind.n > 0 ? keys_step(m, out, ret) : SEND_SEAL;
}

void sealed_request(struct matrix *m, struct arena *a, const struct outgoing *out, struct str room,
                    enum send_step step, const struct seal_request *keys, struct request *ret)
{
    struct send_flight *flight = &m->flight[out->row % FLIGHTS];
    if (step == SEND_MEMBERS) {
        const struct room *known = rooms_find(m->known, room);
        flight->members_turn = known ? known->members_turn : 0;
        wire_request(m, a, "GET",
                     arena_print(a, "/_matrix/client/v3/rooms/%.*s/members?not_membership=leave",
                                 STR_ARG(wire_escape(a, room))),
                     "members", ret);
        ret->answer_bytes = MEMBERS_BYTES;
    } else {
        snprintf(flight->key_id, sizeof flight->key_id, "%.*s", STR_ARG(keys->id));
        snprintf(flight->key_kind, sizeof flight->key_kind, "%.*s", STR_ARG(keys->kind));
        wire_request(m, a, arena_str(a, keys->method).p, keys->path, flight->key_kind, ret);
        wire_request_header(ret, STR("Content-Type"), STR("application/json"));
        ret->body = keys->body;
    }
    ret->unpaced = true;
}

/* The list is of no use if somebody came or went while it was under way. */
static bool read_members(struct matrix *m, struct arena *a, struct str room_id, int turn,
                         const struct reply *reply, struct err *err)
{
    cJSON *o = wire_parse(reply->body);
    const cJSON *event, *chunk = wire_at(o, "chunk");
    struct room *room = rooms_find(m->known, room_id);
    struct buf b = {arena_alloc(a, reply->body.n + 1), 0, reply->body.n, false};
    cJSON_ArrayForEach(event, chunk)
    {
        const cJSON *content = wire_at(event, "content");
        struct str who = wire_id(a, event, "state_key");
        if (!wire_is_user_id(who) ||
            !(wire_is(content, "membership", "join") || wire_is(content, "membership", "invite")))
            continue;
        buf_put(&b, who);
        buf_char(&b, ' ');
    }
    bool good = cJSON_IsArray(chunk) && room;
    cJSON_Delete(o);
    if (!good)
        return err_set(err, "members: expected a list of events, got something else");
    rooms_set(m->known, &room->members, buf_str(&b));
    room->members_known = room->members.n > 0 && room->members_turn == turn;
    return room->members.n > 0 || err_set(err, "members: expected some, got none");
}

bool sealed_read(struct matrix *m, struct arena *a, const struct outgoing *out, struct str room,
                 enum send_step step, const struct reply *reply, struct err *err)
{
    const struct send_flight *flight = &m->flight[out->row % FLIGHTS];
    if (step == SEND_MEMBERS)
        return read_members(m, a, room, flight->members_turn, reply, err);
    if (step == SEND_KEYS)
        return seal_answered(m, str_of(flight->key_id), str_of(flight->key_kind), reply->body, err);
    return true;
}

bool sealed_make(struct matrix *m, struct arena *a, struct str room, const char *type,
                 cJSON *content, struct progress *p, struct err *err)
{
    p->sealed_for = room;
    return seal_content(m, a, room, type, content, &p->sealed, err);
}

void sealed_upload(struct matrix *m, struct arena *a, const struct outgoing *out,
                   struct str room_id, struct request *ret)
{
    struct send_flight *flight = &m->flight[out->row % FLIGHTS];
    const struct room *room = rooms_find(m->known, room_id);
    struct str sealed, keys;
    struct err err;
    if (!m->seal || !room || !room->encrypted)
        return;
    if (!seal_file(m, a, ret->body, &sealed, &keys, &err) || keys.n >= sizeof flight->file) {
        *ret = (struct request){.kind = REQUEST_NONE};
        return;
    }
    snprintf(flight->file, sizeof flight->file, "%.*s", STR_ARG(keys));
    ret->body = sealed;
    ret->headers[ret->n_headers - 1].value = STR("application/octet-stream");
}
