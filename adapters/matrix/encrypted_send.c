/* The steps ahead of an event in an encrypted room. Only one row at a time shares keys. The
 * ciphertext is made once, stored in the row with the ratchet that made it, and sent from there: a
 * repeat sends the same bytes under the same transaction id. */
#include "send.h"

enum { MEMBERS_BYTES = 16 * 1024 * 1024 };

static struct send_flight *flight_of(const struct sending *s)
{
    return send_flight_of(s->m, s->out->row);
}

static bool is_queued(const struct sending *s)
{
    return s->m->key_row != 0 && s->m->key_row != s->out->row;
}

static enum send_step keys_step(struct sending *s)
{
    if (str_is(s->keys.kind, STR("to_device")) && crypto_unstored(s->m))
        return SEND_STORED;
    s->m->key_row = s->out->row;
    return SEND_KEYS;
}

/* The one rule of what may go where, whatever else was believed of the room. Words, and pictures of
 * them, go once it is known whether the room is encrypted; those for one person alone only where
 * their row has just seen who is there, and in the clear into an encrypted room only if we made it
 * for want of another. */
static enum send_step may_go(const struct sending *s, enum send_step step)
{
    const struct matrix *m = s->m;
    const struct room *room = rooms_find(m->known, content_place(s).room);
    bool alone = direct_is_private(s);
    if (step < SEND_RESERVE || step > SEND_EVENT)
        return step;
    if (!room || (!room->encrypted && !room->plain))
        return alone || m->crypto ? SEND_CHECK_ENCRYPTION : step;
    if (alone && !direct_looked(s, room))
        return SEND_MEMBERS;
    bool secret =
        s->out->where != TO_CHAT || s->out->alone; /* else it may be "I cannot read here" */
    if (secret && room->encrypted && !m->crypto && !room->ours && !s->progress.made)
        return m->synced ? SEND_BARRED : SEND_WAIT; /* a sync says who made it */
    return step;
}

static enum send_step next_of_keys(struct sending *s, enum send_step step)
{
    struct matrix *m = s->m;
    struct progress *p = &s->progress;
    struct err err;
    if (step < SEND_INVITE || step == SEND_REDACT)
        return step;
    /* until it is known which rooms are encrypted and whether we can write there */
    if (!m->keys.off && crypto_wanted(m) && !(m->synced && m->crypto && m->keys.ready))
        return SEND_WAIT;
    if (m->crypto && step == SEND_CREATE) {
        if (is_queued(s))
            return SEND_QUEUE;
        bool asked = crypto_able(m, s->a, s->out->to, &s->keys, &p->able, &err);
        return asked && s->keys.kind.n > 0 ? keys_step(s) : SEND_CREATE;
    }
    struct str room_id = content_place(s).room;
    struct room *room = rooms_find(m->known, room_id);
    if (!m->crypto || step < SEND_RESERVE || !room || !room->encrypted)
        return step;
    if (s->out->picture_file.n > 0 && p->picture.n == 0)
        return SEND_FRESH;
    if (step == SEND_RESERVE) /* its keys would be lost between the event and the bytes */
        return SEND_UPLOAD;
    if (step == SEND_UPLOAD || (p->encrypted.n > 0 && str_is(p->encrypted_for, room_id)))
        return step;
    p->encrypted = p->encrypted_for = STR("");
    if (is_queued(s))
        return SEND_QUEUE;
    if (!room->members_known)
        return SEND_MEMBERS;
    if (!crypto_share(m, s->a, room, room->members, &s->keys, &err))
        return SEND_ENCRYPT; /* which reports the failure */
    return s->keys.kind.n > 0 ? keys_step(s) : SEND_ENCRYPT;
}

enum send_step encrypted_next(struct sending *s, enum send_step step)
{
    return may_go(s, next_of_keys(s, step));
}

void encrypted_request(const struct sending *s, struct request *ret)
{
    struct send_flight *flight = flight_of(s);
    const struct crypto_request *keys = &s->keys;
    if (s->step == SEND_MEMBERS) {
        struct str room = content_place(s).room;
        const struct room *known = rooms_find(s->m->known, room);
        flight->members_turn = known ? known->members_turn : 0;
        wire_request_in_room(s->m, s->a, "GET", room, STR("members?not_membership=leave"),
                             "members", ret);
        ret->answer_bytes = MEMBERS_BYTES;
    } else {
        snprintf(flight->key_id, sizeof flight->key_id, "%.*s", STR_ARG(keys->id));
        snprintf(flight->key_kind, sizeof flight->key_kind, "%.*s", STR_ARG(keys->kind));
        wire_request(s->m, s->a, arena_str(s->a, keys->method).p, keys->path, flight->key_kind,
                     ret);
        wire_request_header(ret, STR("Content-Type"), STR("application/json"));
        ret->body = keys->body;
    }
    ret->unpaced = true;
}

/* The list is of no use if somebody came or went while it was under way. */
static bool read_members(struct sending *s, struct err *err)
{
    struct room *room = rooms_find(s->m->known, content_place(s).room);
    if (!room || !room_read_members(s->m->known, s->a, room, s->answer))
        return err_set(err, "members: expected a list of events, got something else");
    room->members_known = room->members_turn == flight_of(s)->members_turn;
    return true;
}

bool encrypted_read(struct sending *s, const char *type, struct str content, struct err *err)
{
    const struct send_flight *flight = flight_of(s);
    struct progress *p = &s->progress;
    if (s->step == SEND_MEMBERS)
        return read_members(s, err);
    if (s->step == SEND_KEYS)
        return crypto_answered(s->m, s->a, str_of(flight->key_id), str_of(flight->key_kind),
                               s->reply->body, err);
    if (s->step != SEND_ENCRYPT)
        return true;
    p->encrypted_for = content_place(s).room;
    return crypto_encrypt(s->m, s->a, p->encrypted_for, type, content, &p->encrypted, err);
}

void encrypted_upload(const struct sending *s, struct request *ret)
{
    struct send_flight *flight = flight_of(s);
    const struct room *room = rooms_find(s->m->known, content_place(s).room);
    struct str encrypted, keys;
    struct err err;
    if (!s->m->crypto || !room || !room->encrypted)
        return;
    if (!crypto_encrypt_file(s->m, s->a, ret->body, &encrypted, &keys, &err) ||
        keys.n >= sizeof flight->file) {
        *ret = (struct request){.kind = REQUEST_NONE};
        return;
    }
    snprintf(flight->file, sizeof flight->file, "%.*s", STR_ARG(keys));
    ret->body = encrypted;
    ret->headers[ret->n_headers - 1].value = STR("application/octet-stream");
}
