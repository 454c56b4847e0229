/* See send.h. Every event has a transaction id made of the account's birth, the row and the part,
 * so a repeated request is the same event: exactly once, for as long as the server remembers (a
 * day).
 *
 *     text                        m.room.message, as m.notice; as m.text with m.mentions to notify
 *     the same slot again         m.replace of the slot's first event; to notify, a new event, because
 *                                 an edit notifies no one
 *     buttons in a private chat   one poll (MSC3381): the text is the question, the buttons the answers.
 *                                 Clients cannot change a poll that has votes, so the next menu is a
 *                                 new poll; its data make a vote in an old one stale
 *     OUT_CLOSE                   the end of a poll; other messages have no buttons
 *     a picture                   m.image with the text as caption, or an event of its own ahead of a
 *                                 poll. content_picture() makes its name
 *     a file                      m.file with the text as caption
 *
 * The id of a post is its event id; behind "poll:" or "image:" it cannot become a text. Words after
 * that are the ids to which people react: of the poll or picture itself, and of the picture above a
 * poll.
 */
#include "send.h"

#include "content.h"
#include "direct.h"
#include "room_event.h"
#include "sealed.h"

enum { NOT_READY_MS = 500, LATER_LOCKED_MS = 5 * 60 * 1000, FOLLOW_MS = 1000, SHUT_MS = 5000 };

/* True if there is a session to send with. */
static bool is_ready(const struct matrix *m)
{
    return m->checked && m->directs_known && m->session.born > 0 && m->session.access.n > 0;
}

/* ---- the next step ---- */

static enum send_step next_step(struct matrix *m, const struct outgoing *out, struct progress *p)
{
    if (!is_ready(m))
        return SEND_WAIT;
    if (out->kind == OUT_ANSWER)
        return SEND_NOTHING;
    if (out->kind == OUT_CLOSE)
        return room_event_is_post_of_poll(out->post) ? SEND_POLL_END : SEND_NOTHING;
    if (out->kind == OUT_ERASE)
        return wire_is_event_id(room_event_id(out->post)) ? SEND_REDACT : SEND_NOTHING;
    if (out->where != TO_CHAT) {
        enum send_step step = direct_next(m, out, p);
        if (step == SEND_NOTE_DIRECT && m->direct_row != 0 && m->direct_row != out->row)
            return SEND_QUEUE;
        if (step != SEND_EVENT)
            return step;
    }
    struct str room = room_event_place(out, p).room;
    bool other_kind =
        !room_event_is_poll(m, out, room) && room_event_replaced(m, out, p, room).n == 0;
    if (out->replace_only && other_kind)
        return SEND_NOTHING;
    if (room_event_uploads(m, out, p))
        return SEND_UPLOAD;
    return room_event_picture(out, p).n > 0 && p->image.n == 0 && room_event_is_poll(m, out, room)
               ? SEND_IMAGE
               : SEND_EVENT;
}

/* ---- requests ---- */

static void ask_event(struct matrix *m, struct arena *a, const struct outgoing *out,
                      const struct progress *p, bool image_alone, struct request *ret)
{
    struct str room = room_event_place(out, p).room;
    struct room_event event = room_event_make(m, a, out, p, image_alone);
    bool sealed = p->sealed.n > 0;
    const char *type = sealed ? "m.room.encrypted" : event.type;
    struct str path = arena_print(a, "/_matrix/client/v3/rooms/%.*s/send/%s/k%lld.%lld%c",
                                  STR_ARG(wire_escape(a, room)), type, (long long)m->session.born,
                                  (long long)out->row, event.part);
    wire_request(m, a, "PUT", path, type, ret);
    wire_request_json(a, ret, event.content);
    if (sealed)
        ret->body = p->sealed;
}

static void ask_upload(struct matrix *m, struct arena *a, const struct outgoing *out,
                       struct str room, struct request *ret)
{
    bool file = out->file.n > 0;
    struct str name = wire_escape(a, file ? out->file_name : STR(PICTURE_NAME));
    wire_request(m, a, "POST",
                 arena_print(a, "/_matrix/media/v3/upload?filename=%.*s", STR_ARG(name)), "upload",
                 ret);
    wire_request_header(ret, STR("Content-Type"),
                        file ? STR("application/octet-stream") : STR("image/png"));
    ret->body = file ? out->file : out->picture_bytes;
    ret->unpaced = true;
    sealed_upload(m, a, out, room, ret);
}

static void ask_redaction(struct matrix *m, struct arena *a, const struct outgoing *out,
                          const struct progress *p, struct request *ret)
{
    wire_request(m, a, "PUT",
                 arena_print(a, "/_matrix/client/v3/rooms/%.*s/redact/%.*s/k%lld.%lldr",
                             STR_ARG(wire_escape(a, room_event_place(out, p).room)),
                             STR_ARG(wire_escape(a, room_event_id(out->post))),
                             (long long)m->session.born, (long long)out->row),
                 "redact", ret);
    wire_request_json(a, ret, cJSON_CreateObject());
}

void matrix_send(void *account, struct arena *a, const struct outgoing *out, struct request *ret)
{
    struct matrix *m = account;
    struct progress p = progress_read(out->progress);
    struct seal_request keys;
    enum send_step step = next_step(m, out, &p);
    step = sealed_next(m, a, out, &p, room_event_place(out, &p).room, step, &keys);
    m->flight[out->row % FLIGHTS] = (struct send_flight){.row = out->row, .step = (int)step};
    *ret = (struct request){.kind = REQUEST_NONE};
    switch (step) {
    case SEND_NOTHING:
        ret->kind = REQUEST_DONE, ret->what = STR("nothing");
        return;
    case SEND_STORED:
    case SEND_FRESH:
    case SEND_SEAL:
        ret->kind = REQUEST_DONE, ret->what = STR("seal");
        return;
    case SEND_MEMBERS:
    case SEND_KEYS:
        sealed_request(m, a, out, room_event_place(out, &p).room, step, &keys, ret);
        return;
    case SEND_WAIT:
    case SEND_QUEUE:
        return;
    case SEND_NOTE_DIRECT:
        m->direct_row = out->row;
        break;
    case SEND_UPLOAD:
        ask_upload(m, a, out, room_event_place(out, &p).room, ret);
        return;
    case SEND_IMAGE:
    case SEND_EVENT:
    case SEND_POLL_END:
        ask_event(m, a, out, &p, step == SEND_IMAGE, ret);
        return;
    case SEND_REDACT:
        ask_redaction(m, a, out, &p, ret);
        return;
    default:
        break;
    }
    direct_request(m, a, out, &p, step, ret);
    /* servers count a new room as an event */
    ret->unpaced = step != SEND_CREATE && step != SEND_CREATE_PUBLIC;
}

/* ---- answers ---- */

static void more(struct arena *a, const struct progress *p, struct receipt *ret)
{
    ret->kind = MORE;
    ret->progress = progress_write(a, p);
    if (p->room.n > 0)
        ret->direct_chat = p->room;
}

static void later(struct arena *a, const char *what, const struct reply *reply,
                  const struct wire_error *t, struct receipt *ret)
{
    ret->kind = LATER;
    ret->wait_ms = t->wait_ms > 0 ? t->wait_ms : 0;
    ret->note = arena_print(a, "%s: %d %.*s", what, reply->status, STR_ARG(t->code));
}

/* True, with a receipt LATER, for no answer, a rate limit, or a token to be refreshed. */
static bool retry_later(struct matrix *m, struct arena *a, enum send_step step,
                        const struct reply *reply, const struct wire_error *t, struct receipt *ret)
{
    if (t->token) {
        m->checked = false; /* the next poll asks whoami */
        later(a, "access token", reply, t, ret);
        ret->all_chats = true;
    } else if (t->limit) {
        later(a, "limit", reply, t, ret);
        ret->all_chats = step >= SEND_IMAGE; /* rooms and uploads have limits of their own */
    } else if (str_is(t->code, STR("M_USER_LOCKED")) || str_is(t->code, STR("M_USER_SUSPENDED"))) {
        later(a, "account", reply, t, ret);
        ret->wait_ms = LATER_LOCKED_MS;
        ret->all_chats = true;
    } else if (t->transient) {
        later(a, "homeserver", reply, t, ret);
    } else {
        return false;
    }
    return true;
}

/* A closed room may have been replaced: waits a moment for the tombstone, then until the bot has
 * joined the new room. */
static bool room_moved(const struct matrix *m, struct str id, const struct reply *reply,
                       struct receipt *ret)
{
    struct room *room = rooms_find(m->known, id);
    if (!room || reply->status != 403)
        return false;
    if (room->moved.n > 0) {
        *ret = (struct receipt){.kind = NEVER,
                                .why = NEVER_MOVED,
                                .chat = room->moved,
                                .note = STR("the room was replaced")};
        return true;
    }
    bool following = false;
    for (int i = 0; i < m->session.n_actions; i++)
        following |= str_is(m->session.actions[i].room, id) &&
                     (m->session.actions[i].kind == ACTION_FOLLOW ||
                      m->session.actions[i].kind == ACTION_PROVE);
    if (room->shut == 0 || room->shut > reply->now) /* the clock was set back */
        room->shut = reply->now;
    if (!following && reply->now - room->shut >= SHUT_MS)
        return false;
    *ret = (struct receipt){.kind = LATER, .wait_ms = FOLLOW_MS, .note = STR("the room is closed")};
    return true;
}

static void refused(struct arena *a, const struct reply *reply, const struct wire_error *t,
                    struct receipt *ret)
{
    ret->kind = NEVER;
    ret->why = reply->status == 403 || reply->status == 404 ? NEVER_UNREACHABLE : NEVER_OTHER;
    ret->note = arena_print(a, "refused: %d %.*s", reply->status, STR_ARG(t->code));
}

/* A picture that is refused is left out; a message about a file is nothing without it. */
static void read_upload(struct matrix *m, struct arena *a, const struct outgoing *out,
                        struct progress *p, const struct reply *reply, const struct wire_error *t,
                        struct receipt *ret)
{
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str mxc = wire_str(a, o, "content_uri");
    cJSON_Delete(o);
    bool good = wire_is_plain(mxc) && str_starts(mxc, STR("mxc://"));
    p->picture = STR("-");
    struct str name = out->file.n > 0 ? mxc : content_picture(a, mxc, out->picture_bytes);
    const char *keys = m->flight[out->row % FLIGHTS].file;
    if (good)
        p->picture = keys[0] ? arena_print(a, "%.*s;%s", STR_ARG(name), keys) : name;
    if (good && out->file.n == 0 && !keys[0])
        ret->picture_file = name;
    if (!good && out->file.n > 0)
        refused(a, reply, t, ret);
    else
        more(a, p, ret);
}

static struct str poll_post(struct arena *a, struct str poll, struct str image)
{
    return arena_print(a, "poll:%.*s %.*s%s%.*s", STR_ARG(poll), STR_ARG(poll),
                       image.n > 0 ? " " : "", STR_ARG(image));
}

/* The id of the new event; the picture of a poll is the first of two. */
static void read_event_id(const struct matrix *m, struct arena *a, const struct outgoing *out,
                          enum send_step step, struct progress *p, const struct reply *reply,
                          struct receipt *ret)
{
    cJSON *o = wire_parse(reply->body);
    struct str event = wire_str(a, o, "event_id"), room = room_event_place(out, p).room;
    cJSON_Delete(o);
    if (!wire_is_event_id(event)) { /* not the answer of a homeserver */
        ret->kind = LATER;
        ret->note = STR("an answer without an event id");
        return;
    }
    if (step == SEND_IMAGE) {
        p->image = event;
        p->sealed = p->sealed_for = STR("");
        more(a, p, ret);
        return;
    }
    ret->kind = SENT;
    bool poll = room_event_is_poll(m, out, room), image = !poll && room_event_picture(out, p).n > 0;
    ret->post = room_event_replaced(m, out, p, room).n > 0 ? out->post
                : poll                                     ? poll_post(a, event, p->image)
                : image ? arena_print(a, "image:%.*s %.*s", STR_ARG(event), STR_ARG(event))
                        : event;
    bool kept = out->file.n == 0 && p->sealed.n == 0; /* a sealed one is sealed anew each time */
    ret->picture_file = kept ? room_event_picture(out, p) : STR("");
    if (out->where != TO_CHAT)
        ret->direct_chat = p->room;
}

/* A step of the seal was done: the row goes on, with the ciphertext of its next event if that was
 * the step. */
static void read_sealed(struct matrix *m, struct arena *a, const struct outgoing *out,
                        struct progress *p, enum send_step step, const struct reply *reply,
                        struct receipt *ret)
{
    struct str room = room_event_place(out, p).room;
    struct err err = {.text = ""};
    struct room_event event = {0};
    if (step == SEND_SEAL)
        event = room_event_make(m, a, out, p, next_step(m, out, p) == SEND_IMAGE);
    bool good = step == SEND_SEAL ? sealed_make(m, a, room, event.type, event.content, p, &err)
                                  : sealed_read(m, a, out, room, step, reply, &err);
    if (good) {
        more(a, p, ret);
        ret->picture_refused = step == SEND_FRESH;
        return;
    }
    ret->kind = LATER;
    ret->note = arena_str(a, str_of(err.text));
}

void matrix_receipt(void *account, struct arena *a, const struct outgoing *out,
                    const struct reply *reply, struct receipt *ret)
{
    struct matrix *m = account;
    struct progress p = progress_read(out->progress);
    struct send_flight flight = m->flight[out->row % FLIGHTS];
    *ret = (struct receipt){.kind = SENT};
    if (flight.row != out->row || flight.step == SEND_WAIT) {
        *ret = (struct receipt){.kind = LATER,
                                .wait_ms = NOT_READY_MS,
                                .all_chats = true,
                                .note = STR("not logged in yet")};
        return;
    }
    if (m->direct_row == out->row)
        m->direct_row = 0;
    enum send_step step = (enum send_step)flight.step;
    if (step == SEND_QUEUE) {
        *ret = (struct receipt){.kind = LATER,
                                .wait_ms = NOT_READY_MS,
                                .note = STR("another row notes a private chat or shares keys")};
        return;
    }
    struct wire_error t = wire_error_of(a, reply);
    if (m->key_row == out->row)
        m->key_row = 0;
    bool done = step >= SEND_STORED && step <= SEND_SEAL; /* without a request */
    if (step == SEND_UPLOAD && t.limit &&
        out->file.n == 0) { /* the cards as text now, not as a picture later */
        p.picture = STR("-");
        more(a, &p, ret);
        return;
    }
    if (step == SEND_NOTHING || (!done && retry_later(m, a, step, reply, &t, ret)))
        return;
    if (out->where != TO_CHAT)
        (void)direct_next(m, out, &p); /* for p.room */
    bool about_room = step >= SEND_MEMBER && step <= SEND_NOTE_DIRECT;
    if (about_room) {
        if (direct_read(m, a, out, &p, step, reply, ret))
            more(a, &p, ret);
    } else if (done || (step <= SEND_KEYS && wire_is_good(reply))) {
        read_sealed(m, a, out, &p, step, reply, ret);
    } else if (step == SEND_UPLOAD) {
        read_upload(m, a, out, &p, reply, &t, ret);
    } else if (!wire_is_good(reply)) {
        if (out->where != TO_CHAT || !room_moved(m, room_event_place(out, &p).room, reply, ret))
            refused(a, reply, &t, ret);
    } else if (step == SEND_IMAGE || step == SEND_EVENT) {
        read_event_id(m, a, out, step, &p, reply, ret);
    }
}
