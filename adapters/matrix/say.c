/* See say.h. Every event is put with a transaction id made of the account's birth, the row and the
 * part, so that a repeated request is the same event: exactly once, for as long as the server
 * remembers (a day).
 *
 * What is sent for what:
 *
 *     text                      m.room.message, m.notice; m.text with m.mentions if it shall notify
 *     the same slot again           m.replace of the first event of the slot; a new event if it shall notify,
 *                                   which an edit does not
 *     buttons in a private chat     one poll (MSC3381): its question is the text, its answers the buttons.
 *                                   A poll that has votes cannot be changed in clients, so the next
 *                                   menu is a new poll; an old vote is stale by its data
 *     a picture               m.image with the text as caption; ahead of a poll by itself. Its name
 *                                   is the address it was uploaded to, and its size: see content.h
 *
 * A post is named by its event id; "poll:" and "image:" before it say that it cannot become a text.
 */
#include "say.h"

#include "content.h"
#include "direct.h"

static const struct str POLL = {"poll:", 5}, IMAGE = {"image:", 6};
enum { NOT_READY_MS = 500, LATER_LOCKED_MS = 5 * 60 * 1000, FOLLOW_MS = 1000, SHUT_MS = 5000 };

/* ---- what to do ---- */

/* Where it goes: a room, and perhaps a thread in it. */
struct place {
    struct str room, thread;
};

static struct place place_of(const struct outgoing *out, const struct progress *p)
{
    struct place at;
    at.room = str_cut(out->where == TO_CHAT ? out->chat : p->room, ' ', &at.thread);
    return at;
}

static bool is_private(const struct matrix *m, const struct outgoing *out, struct str room)
{
    const struct room *known = rooms_find(m->known, room);
    return out->where != TO_CHAT || (known && known->with.n > 0);
}

static int poll_answers(const struct outgoing *out)
{
    int n = 0;
    for (int i = 0; i < out->n_buttons && n < POLL_ANSWERS; i++)
        n += out->buttons[i].style != BUTTON_LINK && out->buttons[i].label.n > 0;
    return n;
}

static bool is_poll(const struct matrix *m, const struct outgoing *out, struct str room)
{
    return m->polls && out->kind == OUT_POST && poll_answers(out) > 0 && is_private(m, out, room);
}

static struct str picture_of(const struct outgoing *out, const struct progress *p)
{
    if (str_is(p->picture, STR("-")))
        return STR("");
    return p->picture.n > 0 ? p->picture : out->picture_file;
}

static struct str event_of(struct str post)
{
    if (str_starts(post, POLL))
        return str_skip(post, POLL.n);
    return str_starts(post, IMAGE) ? str_skip(post, IMAGE.n) : post;
}

/* Its bytes are still to be brought. */
static bool to_upload(const struct matrix *m, const struct outgoing *out, const struct progress *p)
{
    return m->pictures && out->picture_bytes.n > 0 && p->picture.n == 0 && out->picture_file.n == 0;
}

/* The event that this one replaces: what stands must be of the same kind, and an edit notifies
 * nobody. */
static struct str replaced(const struct matrix *m, const struct outgoing *out,
                           const struct progress *p, struct str room)
{
    bool pictured = to_upload(m, out, p) || picture_of(out, p).n > 0;
    if (out->notify || is_poll(m, out, room) || !is_event_id(event_of(out->post)))
        return STR("");
    bool image = str_starts(out->post, IMAGE), text = out->post.p[0] == '$';
    return (pictured ? image : text) ? event_of(out->post) : STR("");
}

static enum say_step next_step(struct matrix *m, const struct outgoing *out, struct progress *p)
{
    if (!matrix_ready(m))
        return SAY_WAIT;
    if (out->kind == OUT_ANSWER)
        return SAY_NOTHING;
    if (out->kind == OUT_ERASE)
        return is_event_id(event_of(out->post)) ? SAY_REDACT : SAY_NOTHING;
    if (out->where != TO_CHAT) {
        enum say_step step = direct_next(m, out, p);
        if (step == SAY_NOTE && m->noting != 0 && m->noting != out->row)
            return SAY_QUEUE;
        if (step != SAY_EVENT)
            return step;
    }
    struct str room = place_of(out, p).room;
    bool other_kind = !is_poll(m, out, room) && replaced(m, out, p, room).n == 0;
    if (out->replace_only && other_kind)
        return SAY_NOTHING;
    if (to_upload(m, out, p))
        return SAY_UPLOAD;
    return picture_of(out, p).n > 0 && !p->image && is_poll(m, out, room) ? SAY_IMAGE : SAY_EVENT;
}

/* ---- requests ---- */

static void put_event(struct matrix *m, struct arena *a, const struct outgoing *out,
                      struct str room, const char *type, cJSON *content, char part,
                      struct request *ret)
{
    struct sealed sealed = seal_close(m, room, type, content);
    struct str path = arena_print(a, "/_matrix/client/v3/rooms/%.*s/send/%s/k%lld.%lld%c",
                                  STR_ARG(url_escape(a, room)), sealed.type,
                                  (long long)m->session.born, (long long)out->row, part);
    request_to(m, a, "PUT", path, sealed.type, ret);
    request_json(a, ret, sealed.content);
}

static void ask_event(struct matrix *m, struct arena *a, const struct outgoing *out,
                      const struct progress *p, bool image_alone, struct request *ret)
{
    struct place at = place_of(out, p);
    struct wording w = {.out = out,
                        .text = mark_read(a, out->text),
                        .picture = picture_of(out, p),
                        .replaces = replaced(m, out, p, at.room),
                        .answers = event_of(out->reply_to),
                        .thread = at.thread};
    if (image_alone)
        put_event(m, a, out, at.room, "m.room.message", content_image(&w), 'i', ret);
    else if (is_poll(m, out, at.room))
        put_event(m, a, out, at.room, "org.matrix.msc3381.poll.start", content_poll(a, &w), 'p',
                  ret);
    else
        put_event(m, a, out, at.room, "m.room.message", content_message(a, &w), 'e', ret);
}

static void ask_redaction(struct matrix *m, struct arena *a, const struct outgoing *out,
                          struct request *ret)
{
    struct str rest,
        room = out->where == TO_CHAT || out->direct_chat.n == 0 ? out->chat : out->direct_chat;
    room = str_cut(room, ' ', &rest);
    request_to(m, a, "PUT",
               arena_print(a, "/_matrix/client/v3/rooms/%.*s/redact/%.*s/k%lld.%lldr",
                           STR_ARG(url_escape(a, room)),
                           STR_ARG(url_escape(a, event_of(out->post))), (long long)m->session.born,
                           (long long)out->row),
               "redact", ret);
    request_json(a, ret, cJSON_CreateObject());
}

void say_send(struct matrix *m, struct arena *a, const struct outgoing *out, struct request *ret)
{
    struct progress p = progress_read(out->progress);
    enum say_step step = next_step(m, out, &p);
    m->flight[out->row % FLIGHTS] = (struct flight){out->row, (int)step};
    *ret = (struct request){.kind = REQUEST_NONE};
    switch (step) {
    case SAY_NOTHING:
        ret->kind = REQUEST_DONE, ret->what = STR("nothing");
        return;
    case SAY_WAIT:
    case SAY_QUEUE:
        return;
    case SAY_NOTE:
        m->noting = out->row;
        break;
    case SAY_UPLOAD:
        request_to(m, a, "POST",
                   arena_print(a, "/_matrix/media/v3/upload?filename=%s", PICTURE_NAME), "upload",
                   ret);
        request_header(ret, STR("Content-Type"), STR("image/png"));
        ret->body = out->picture_bytes;
        ret->unpaced = true;
        return;
    case SAY_IMAGE:
    case SAY_EVENT:
        ask_event(m, a, out, &p, step == SAY_IMAGE, ret);
        return;
    case SAY_REDACT:
        ask_redaction(m, a, out, ret);
        return;
    default:
        break;
    }
    direct_ask(m, a, out, &p, step, ret);
    ret->unpaced = step != SAY_CREATE; /* which servers count like an event */
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
                  const struct trouble *t, struct receipt *ret)
{
    ret->kind = LATER;
    ret->wait_ms = t->wait_ms > 0 ? t->wait_ms : 0;
    ret->note = arena_print(a, "%s: %d %.*s", what, reply->status, STR_ARG(t->code));
}

/* True if it is to be tried again: no answer, a limit, a session that has to be renewed. */
static bool put_off(struct matrix *m, struct arena *a, enum say_step step,
                    const struct reply *reply, const struct trouble *t, struct receipt *ret)
{
    if (t->token) {
        m->checked = false; /* poll() finds out what is wrong */
        later(a, "access token", reply, t, ret);
        ret->all_chats = true;
    } else if (t->limit) {
        later(a, "limit", reply, t, ret);
        ret->all_chats = step >= SAY_IMAGE; /* rooms and uploads have limits of their own */
    } else if (str_is(t->code, STR("M_USER_LOCKED")) || str_is(t->code, STR("M_USER_SUSPENDED"))) {
        later(a, "account", reply, t, ret);
        ret->wait_ms = LATER_LOCKED_MS;
        ret->all_chats = true;
    } else if (t->weather) {
        later(a, "homeserver", reply, t, ret);
    } else {
        return false;
    }
    return true;
}

/* A room that is closed may have been replaced: the news of that is given a moment to come, and
 * then time to be followed. */
static bool has_moved(const struct matrix *m, struct str id, const struct reply *reply,
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
    for (int i = 0; i < m->session.n_todo; i++)
        following |=
            str_is(m->session.todo[i].room, id) &&
            (m->session.todo[i].kind == TODO_FOLLOW || m->session.todo[i].kind == TODO_PROVE);
    if (room->shut == 0)
        room->shut = reply->now;
    if (!following && reply->now - room->shut >= SHUT_MS)
        return false;
    *ret = (struct receipt){.kind = LATER, .wait_ms = FOLLOW_MS, .note = STR("the room is closed")};
    return true;
}

static void refused(struct arena *a, const struct reply *reply, const struct trouble *t,
                    struct receipt *ret)
{
    ret->kind = NEVER;
    ret->why = reply->status == 403 || reply->status == 404 ? NEVER_UNREACHABLE : NEVER_OTHER;
    ret->note = arena_print(a, "refused: %d %.*s", reply->status, STR_ARG(t->code));
}

static void did_upload(struct arena *a, const struct outgoing *out, struct progress *p,
                       const struct reply *reply, struct receipt *ret)
{
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str mxc = wire_str(a, o, "content_uri");
    cJSON_Delete(o);
    p->picture = STR("-");
    if (is_plain(mxc) && str_starts(mxc, STR("mxc://")))
        p->picture = ret->picture_file = content_picture(a, mxc, out->picture_bytes);
    more(a, p, ret);
}

static void did_event(const struct matrix *m, struct arena *a, const struct outgoing *out,
                      struct progress *p, const struct reply *reply, struct receipt *ret)
{
    cJSON *o = wire_parse(reply->body);
    struct str event = wire_str(a, o, "event_id"), room = place_of(out, p).room;
    cJSON_Delete(o);
    if (!is_event_id(event)) { /* not a homeserver that speaks */
        ret->kind = LATER;
        ret->note = STR("an answer without an event id");
        return;
    }
    ret->kind = SENT;
    bool poll = is_poll(m, out, room), image = !poll && picture_of(out, p).n > 0;
    ret->post = replaced(m, out, p, room).n > 0 ? out->post
                : poll                          ? arena_print(a, "poll:%.*s", STR_ARG(event))
                : image                         ? arena_print(a, "image:%.*s", STR_ARG(event))
                                                : event;
    ret->picture_file = picture_of(out, p);
    if (out->where != TO_CHAT)
        ret->direct_chat = p->room;
}

void say_receipt(struct matrix *m, struct arena *a, const struct outgoing *out,
                 const struct reply *reply, struct receipt *ret)
{
    struct progress p = progress_read(out->progress);
    struct flight flight = m->flight[out->row % FLIGHTS];
    *ret = (struct receipt){.kind = SENT};
    if (flight.row != out->row || flight.step == SAY_WAIT) {
        *ret = (struct receipt){.kind = LATER,
                                .wait_ms = NOT_READY_MS,
                                .all_chats = true,
                                .note = STR("not logged in yet")};
        return;
    }
    if (m->noting == out->row)
        m->noting = 0;
    enum say_step step = (enum say_step)flight.step;
    if (step == SAY_QUEUE) {
        *ret = (struct receipt){.kind = LATER,
                                .wait_ms = NOT_READY_MS,
                                .note = STR("another private chat is being noted")};
        return;
    }
    struct trouble t = trouble_of(a, reply);
    if (step == SAY_UPLOAD && t.limit) { /* cards in words now are better than a picture later */
        p.picture = STR("-");
        more(a, &p, ret);
        return;
    }
    if (step == SAY_NOTHING || put_off(m, a, step, reply, &t, ret))
        return;
    if (out->where != TO_CHAT)
        (void)direct_next(m, out, &p); /* for p.room */
    bool about_room = step >= SAY_MEMBER && step <= SAY_NOTE;
    if (about_room) {
        if (direct_did(m, a, out, &p, step, reply, ret))
            more(a, &p, ret);
    } else if (step == SAY_UPLOAD) {
        did_upload(a, out, &p, reply, ret);
    } else if (!is_good(reply)) {
        if (out->where != TO_CHAT || !has_moved(m, place_of(out, &p).room, reply, ret))
            refused(a, reply, &t, ret);
    } else if (step == SAY_IMAGE) {
        p.image = true;
        more(a, &p, ret);
    } else if (step == SAY_EVENT) {
        did_event(m, a, out, &p, reply, ret);
    }
}
