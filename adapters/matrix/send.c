/* The steps of a send: see send.h. Every event has a transaction id made of the account's birth,
 * the row and the part, so a repeated request is the same event: exactly once, for as long as the
 * server remembers (a day).
 *
 *     text                  m.room.message, as m.notice; as m.text with m.mentions to notify
 *     the same slot again   m.replace of the slot's first event; to notify, a new event: an edit
 *                           notifies no one
 *     buttons, privately    one poll (MSC3381): the text is the question, the buttons the answers.
 *                           Clients cannot change a poll that has votes, so the next menu is a new
 *                           poll; its data make a vote in an old one stale
 *     OUT_CLOSE             a redaction of the poll; other messages have no buttons. The end of a
 *                           poll would leave its question ("Your move.") and, in some clients,
 *                           show all of it once more below. Without limits, a poll that a new one
 *                           takes the place of goes behind it
 *     a picture             m.image with the text as caption, or an event of its own ahead of a
 *                           poll. content_picture_name() makes its name. Its address is reserved
 *                           first (MSC2246) and its bytes are uploaded last: the server makes
 *                           thumbnails before it answers, and lets whoever asks for the picture wait
 *     a file                m.file with the text as caption
 *
 * The id of a post is its event id; behind "poll:" or "image:" it cannot become a text. Words after
 * that are the ids to which people react: of the poll or picture itself, and of the picture above a
 * poll.
 */
#include "send.h"
#include "widget.h"

#include <ctype.h>

enum { ALL_WAIT_MS = 2 * 60 * 1000, AGAIN_MS = 30 * 1000 };
static const struct str MXC = {"mxc://", 6};
enum { NOT_READY_MS = 500, LATER_LOCKED_MS = 5 * 60 * 1000, FOLLOW_MS = 1000, SHUT_MS = 5000 };

/* ---- progress: words with blanks between them; "on" is always the first ---- */

/* A flag is its word; a text stands behind its word, and the last one has all that follows. */
static const struct {
    struct str word;
    bool text;
    size_t offset;
} WORDS[] = {
    {{"room=", 5}, true, offsetof(struct progress, room)},
    {{"picture=", 8}, true, offsetof(struct progress, picture)},
    {{"image=", 6}, true, offsetof(struct progress, image)},
    {{"made", 4}, false, offsetof(struct progress, made)},
    {{"open", 4}, false, offsetof(struct progress, open)},
    {{"noted", 5}, false, offsetof(struct progress, noted)},
    {{"in", 2}, false, offsetof(struct progress, in)},
    {{"abandon", 7}, false, offsetof(struct progress, abandon)},
    {{"other", 5}, false, offsetof(struct progress, public_preset)},
    {{"renew", 5}, false, offsetof(struct progress, renew)},
    {{"bare", 4}, false, offsetof(struct progress, bare)},
    {{"anew", 4}, false, offsetof(struct progress, anew)},
    {{"reserved", 8}, false, offsetof(struct progress, reserved)},
    {{"said", 4}, false, offsetof(struct progress, said)},
    {{"before=", 7}, true, offsetof(struct progress, before)},
    {{"for=", 4}, true, offsetof(struct progress, encrypted_for)},
    {{"sealed=", 7}, true, offsetof(struct progress, encrypted)},
};
enum { N_WORDS = sizeof WORDS / sizeof *WORDS };

static struct progress read_progress(struct str text)
{
    struct progress p = {0};
    for (struct str word; (word = str_word(&text)).n > 0;)
        for (int i = 0; i < N_WORDS; i++) {
            void *member = (char *)&p + WORDS[i].offset;
            if (!WORDS[i].text && str_is(word, WORDS[i].word))
                *(bool *)member = true;
            if (!WORDS[i].text || !str_starts(word, WORDS[i].word))
                continue;
            if (i == N_WORDS - 1) {
                word.n += text.n;
                text.n = 0;
            }
            *(struct str *)member = str_skip(word, WORDS[i].word.n);
        }
    return p;
}

static struct str write_progress(struct arena *a, struct progress p)
{
    struct str s = STR("on");
    if (p.encrypted.n == 0)
        p.encrypted_for = STR("");
    for (int i = 0; i < N_WORDS; i++) {
        const void *member = (const char *)&p + WORDS[i].offset;
        struct str text = WORDS[i].text ? *(const struct str *)member : STR("");
        if (text.n > 0 || (!WORDS[i].text && *(const bool *)member))
            s = arena_print(a, "%.*s %.*s%.*s", STR_ARG(s), STR_ARG(WORDS[i].word), STR_ARG(text));
    }
    return s;
}

/* ---- the next step ---- */

static enum send_step next_step(struct sending *s)
{
    struct matrix *m = s->m;
    const struct outgoing *out = s->out;
    bool ready = m->checked && m->directs_known && m->session.born > 0 && m->session.access.n > 0;
    if (!ready)
        return SEND_WAIT;
    if (s->progress.said && s->progress.reserved && out->picture_bytes.n > 0)
        return SEND_FILL;
    if (s->progress.said)
        return s->progress.before.n > 0 ? SEND_REDACT : SEND_NOTHING;
    if (out->kind == OUT_ANSWER)
        return SEND_NOTHING;
    if (out->kind == OUT_CLOSE)
        return content_is_post_of_poll(out->post) ? SEND_REDACT : SEND_NOTHING;
    if (out->kind == OUT_ERASE)
        return wire_is_event_id(content_event_id(out->post)) ? SEND_REDACT : SEND_NOTHING;
    if (out->kind == OUT_TYPING)
        return wire_is_room_id(content_place(s).room) ? SEND_TYPING : SEND_NOTHING;
    if (out->kind == OUT_WIDGET)
        return widget_may(s) ? SEND_WIDGET : SEND_NOTHING;
    bool poll = content_is_poll(s);
    if (out->replace_only && !poll && content_replaced(s).n == 0)
        return SEND_NOTHING;
    const struct send_flight *flight = send_flight_of(m, out->row);
    if (s->progress.anew && !(flight->row == out->row && flight->paused))
        return SEND_PAUSE;
    if (direct_is_private(s)) {
        enum send_step step = direct_next(s);
        if (step == SEND_NOTE_DIRECT && m->direct_row != 0 && m->direct_row != out->row)
            return SEND_QUEUE;
        if (step != SEND_EVENT)
            return step;
    }
    if (content_uploads(s))
        return out->file.n > 0 || m->reserves_none ? SEND_UPLOAD : SEND_RESERVE;
    return content_picture(s).n > 0 && s->progress.image.n == 0 && poll ? SEND_IMAGE : SEND_EVENT;
}

/* ---- requests ---- */

static void ask_event(const struct sending *s, struct request *ret)
{
    struct room_event event = content_event(s, s->step == SEND_IMAGE);
    bool encrypted = s->progress.encrypted.n > 0;
    const char *type = encrypted ? "m.room.encrypted" : event.type;
    struct str below = arena_print(
        s->a, "send/%s/k%lld.%lld%c%s", type, (long long)s->m->session.born, (long long)s->out->row,
        s->progress.anew ? toupper(event.part) : event.part, s->progress.bare ? "b" : "");
    wire_request_in_room(s->m, s->a, "PUT", content_place(s).room, below, type, ret);
    wire_request_header(ret, STR("Content-Type"), STR("application/json"));
    ret->body = encrypted ? s->progress.encrypted : event.content;
}

/* "mxc://server/id#800,612,45123" as a part of a path. */
static struct str media_path(struct arena *a, struct str picture)
{
    struct str id, sizes,
        server = str_cut(str_skip(str_cut(picture, '#', &sizes), MXC.n), '/', &id);
    return arena_print(a, "/%.*s/%.*s", STR_ARG(wire_escape(a, server)),
                       STR_ARG(wire_escape(a, id)));
}

static void ask_upload(const struct sending *s, struct request *ret)
{
    const struct outgoing *out = s->out;
    bool file = out->file.n > 0, fill = s->step == SEND_FILL;
    struct str name = wire_escape(s->a, file ? out->file_name : STR(PICTURE_NAME));
    struct str at = fill ? media_path(s->a, s->progress.picture) : STR("");
    wire_request(
        s->m, s->a, fill ? "PUT" : "POST",
        arena_print(s->a, "/_matrix/media/v3/upload%.*s?filename=%.*s", STR_ARG(at), STR_ARG(name)),
        "upload", ret);
    wire_request_header(ret, STR("Content-Type"),
                        file ? STR("application/octet-stream") : STR("image/png"));
    ret->body = file ? out->file : out->picture_bytes;
    ret->unpaced = true;
    if (!fill)
        encrypted_upload(s, ret);
}

static void ask_typing(const struct sending *s, struct request *ret)
{
    enum { MOST_MS = 60 * 1000 };
    int64_t left = s->out->expires - s->m->now;
    struct str who = wire_escape(s->a, s->m->session.user);
    struct buf b = wire_object(s->a, 0);
    json_put_bool(&b, "typing", true);
    json_put_int(&b, "timeout", left > 0 && left < MOST_MS ? left : MOST_MS);
    wire_request_in_room(s->m, s->a, "PUT", content_place(s).room,
                         arena_print(s->a, "typing/%.*s", STR_ARG(who)), "typing", ret);
    wire_request_json(ret, &b);
    ret->unpaced = true;
}

/* A poll stays what it is; the next one is a new message. */
bool matrix_edits(void *account, const struct outgoing *out)
{
    const struct sending s = {.m = account, .out = out};
    return content_is_poll(&s) || !content_is_post_of_poll(out->post);
}

void matrix_send(void *account, struct arena *a, const struct outgoing *out, struct request *ret)
{
    struct matrix *m = account;
    struct sending s = {.m = m, .a = a, .out = out, .progress = read_progress(out->progress)};
    struct str event, below;
    struct send_flight *flight = send_flight_of(m, out->row);
    s.step = encrypted_next(&s, next_step(&s));
    bool same = flight->row == out->row;
    bool looked = same && flight->looked && s.step != SEND_MEMBERS && s.step != SEND_PAUSE;
    *flight = (struct send_flight){.row = out->row,
                                   .turn = ++m->turns,
                                   .busy = true,
                                   .step = (int)s.step,
                                   .looked = looked,
                                   .paused = s.step == SEND_PAUSE || (same && flight->paused),
                                   .members_turn = looked ? flight->members_turn : 0};
    *ret = (struct request){.kind = REQUEST_NONE};
    switch (s.step) {
    case SEND_NOTHING:
        *ret = (struct request){.kind = REQUEST_DONE, .what = STR("nothing")};
        return;
    case SEND_STORED:
    case SEND_FRESH:
    case SEND_ENCRYPT:
        *ret = (struct request){.kind = REQUEST_DONE, .what = STR("encryption")};
        return;
    case SEND_MEMBERS:
    case SEND_KEYS:
        encrypted_request(&s, ret);
        return;
    case SEND_WAIT:
    case SEND_QUEUE:
    case SEND_PAUSE:
    case SEND_BARRED:
        return;
    case SEND_RESERVE:
        wire_request(m, a, "POST", STR("/_matrix/media/v1/create"), "create", ret);
        wire_request_empty(a, ret);
        ret->unpaced = true;
        return;
    case SEND_FILL:
    case SEND_UPLOAD:
        ask_upload(&s, ret);
        return;
    case SEND_IMAGE:
    case SEND_EVENT:
        ask_event(&s, ret);
        return;
    case SEND_TYPING:
        ask_typing(&s, ret);
        return;
    case SEND_WIDGET:
        widget_request(&s, ret);
        return;
    case SEND_REDACT:
        event = wire_escape(a, s.progress.said ? s.progress.before : content_event_id(out->post));
        below = arena_print(a, "redact/%.*s/k%lld.%lldr", STR_ARG(event),
                            (long long)m->session.born, (long long)out->row);
        wire_request_in_room(m, a, "PUT", content_place(&s).room, below, "redact", ret);
        wire_request_empty(a, ret);
        return;
    default: /* of a private chat */
        if (s.step == SEND_NOTE_DIRECT)
            m->direct_row = out->row;
        direct_request(&s, ret);
        /* servers count a new room as an event */
        ret->unpaced = s.step != SEND_CREATE && s.step != SEND_CREATE_PUBLIC;
    }
}

/* ---- answers ---- */

static void more(struct sending *s)
{
    s->receipt->kind = MORE;
    s->receipt->repeats = s->step == SEND_MEMBERS || s->step == SEND_IMAGE || s->step == SEND_FILL;
    s->receipt->progress = write_progress(s->a, s->progress);
    if (s->progress.room.n > 0 && s->out->where != TO_CHAT)
        s->receipt->direct_chat = s->progress.room;
}

/* Until then somebody may come into a private chat. */
static void later(struct sending *s, const char *what)
{
    send_flight_of(s->m, s->out->row)->looked = false;
    s->receipt->kind = LATER;
    s->receipt->wait_ms = s->error.wait_ms > 0 ? s->error.wait_ms : 0;
    if (s->reply->status == 0 && s->reply->why.n > 0)
        s->receipt->note = arena_print(s->a, "%s: %.*s", what, STR_ARG(s->reply->why));
    else
        s->receipt->note =
            arena_print(s->a, "%s: %d %.*s", what, s->reply->status, STR_ARG(s->error.code));
}

/* True, with a receipt LATER, for no answer, a rate limit, or a token to be refreshed. */
static bool retry_later(struct sending *s)
{
    struct str code = s->error.code;
    if (s->error.token) {
        s->m->checked = false; /* the next poll asks whoami */
        later(s, "access token");
        s->receipt->all_chats = true;
    } else if (s->error.limit) {
        later(s, "limit");
        /* rooms and uploads have limits of their own; so long a wait is hardly the account's */
        s->receipt->all_chats = s->step >= SEND_IMAGE && s->error.wait_ms <= ALL_WAIT_MS;
    } else if (str_is(code, STR("M_USER_LOCKED")) || str_is(code, STR("M_USER_SUSPENDED"))) {
        later(s, "account");
        s->receipt->wait_ms = LATER_LOCKED_MS;
        s->receipt->all_chats = true;
    } else if (s->error.transient) {
        later(s, "homeserver");
    } else {
        return false;
    }
    return true;
}

/* A closed room may have been replaced: waits a moment for the tombstone, then until the bot has
 * joined the new room. */
static bool room_moved(struct sending *s)
{
    const struct matrix_session *session = &s->m->session;
    struct str id = content_place(s).room;
    struct room *room = rooms_find(s->m->known, id);
    int64_t now = s->reply->now;
    if (!room || s->reply->status != 403)
        return false;
    if (room->moved.n > 0) {
        *s->receipt = (struct receipt){.kind = NEVER,
                                       .why = NEVER_MOVED,
                                       .chat = room->moved,
                                       .note = STR("the room was replaced")};
        return true;
    }
    bool following = false;
    for (int i = 0; i < session->n_actions; i++)
        following |=
            str_is(session->actions[i].room, id) &&
            (session->actions[i].kind == ACTION_FOLLOW || session->actions[i].kind == ACTION_PROVE);
    if (room->shut == 0 || room->shut > now) /* the clock was set back */
        room->shut = now;
    if (!following && now - room->shut >= SHUT_MS)
        return false;
    *s->receipt =
        (struct receipt){.kind = LATER, .wait_ms = FOLLOW_MS, .note = STR("the room is closed")};
    return true;
}

static bool is_event(const struct sending *s)
{
    return s->step == SEND_IMAGE || s->step == SEND_EVENT;
}

/* True if the event that was refused names what the server may not know any more: a message that it
 * answers, a thread, a picture. It goes at once without them, the picture as new bytes if there are
 * any. (An edit of what the server does not know becomes a new message by itself.) */
static bool sent_bare(struct sending *s)
{
    struct progress *p = &s->progress;
    bool pictured = content_picture(s).n > 0, stored = pictured && p->picture.n == 0;
    bool related = s->step == SEND_EVENT && !content_is_poll(s) &&
                   (s->out->reply_to.n > 0 || content_place(s).thread.n > 0);
    if (!is_event(s) || p->bare || content_replaced(s).n > 0 || !(pictured || related))
        return false;
    p->bare = true;
    p->encrypted = p->encrypted_for = STR("");
    if (pictured && !stored)
        p->picture = STR("-");
    more(s);
    s->receipt->picture_refused = stored;
    return true;
}

/* A first refusal may pass: a filter of words, a server in repair. The event goes once more, later,
 * under another transaction id; a room that is closed to the bot stays closed. */
static bool sent_anew(struct sending *s)
{
    struct progress *p = &s->progress;
    int status = s->reply->status;
    bool passes = status == 400 || (status == 403 && s->out->where != TO_CHAT);
    if (!is_event(s) || p->anew || !passes || content_replaced(s).n > 0)
        return false;
    p->anew = true;
    p->encrypted = p->encrypted_for = STR("");
    more(s);
    return true;
}

static void refused(struct sending *s)
{
    enum { TOO_LARGE = 413 }; /* the message's own fault */
    bool away = (is_event(s) && s->reply->status != TOO_LARGE) || s->step < SEND_FILL;
    s->receipt->kind = NEVER;
    s->receipt->why = is_event(s) && content_replaced(s).n > 0 ? NEVER_GONE
                      : away || s->out->where != TO_CHAT       ? NEVER_UNREACHABLE
                                                               : NEVER_OTHER;
    s->receipt->note =
        arena_print(s->a, "refused: %d %.*s", s->reply->status, STR_ARG(s->error.code));
}

static struct str answered_address(struct sending *s)
{
    struct str mxc = wire_str(s->a, s->answer, "content_uri");
    return wire_is_plain(mxc) && str_starts(mxc, MXC) ? mxc : STR("");
}

/* A server that reserves no address is asked to upload ahead, from now on. */
static void read_reserve(struct sending *s)
{
    struct str mxc = answered_address(s);
    s->m->reserves_none |= mxc.n == 0;
    s->progress.reserved = mxc.n > 0;
    if (mxc.n > 0)
        s->progress.picture = content_picture_name(s->a, mxc, s->out->picture_bytes);
    more(s);
}

/* Message and bytes are there: other messages may show the picture, unless it is encrypted. */
static void all_said(struct sending *s)
{
    struct str keys, picture = str_cut(content_picture(s), ';', &keys);
    s->receipt->kind = SENT;
    if (keys.n == 0)
        s->receipt->picture_file = picture;
}

/* The bytes are there, perhaps by an attempt whose answer was lost. A refusal leaves the words. */
static void read_fill(struct sending *s)
{
    enum { OVERWRITES = 409 };
    struct progress *p = &s->progress;
    p->reserved = false;
    if (!wire_is_good(s->reply) && s->reply->status != OVERWRITES)
        p->picture = STR("-");
    if (p->before.n > 0)
        more(s);
    else
        all_said(s);
}

/* A picture that is refused is left out; a message about a file is nothing without it. */
static void read_upload(struct sending *s)
{
    const struct outgoing *out = s->out;
    struct str mxc = answered_address(s);
    bool good = mxc.n > 0;
    struct str name = out->file.n > 0 ? mxc : content_picture_name(s->a, mxc, out->picture_bytes);
    const char *keys = send_flight_of(s->m, out->row)->file;
    s->progress.picture = STR("-");
    if (good)
        s->progress.picture = keys[0] ? arena_print(s->a, "%.*s;%s", STR_ARG(name), keys) : name;
    if (good && out->file.n == 0 && !keys[0])
        s->receipt->picture_file = name;
    if (!good && out->file.n > 0)
        refused(s);
    else
        more(s);
}

/* The id of the new event; the picture of a poll is the first of two. */
static void read_event_id(struct sending *s)
{
    struct progress *p = &s->progress;
    struct str event = wire_str(s->a, s->answer, "event_id"), id = event;
    if (!wire_is_event_id(event)) { /* not the answer of a homeserver */
        s->receipt->kind = LATER;
        s->receipt->note = STR("an answer without an event id");
        return;
    }
    if (s->step == SEND_IMAGE) {
        p->image = event;
        p->encrypted = p->encrypted_for = STR("");
        more(s);
        return;
    }
    if (content_replaced(s).n > 0)
        id = s->out->post;
    else if (content_is_poll(s))
        id = arena_print(s->a, "poll:%.*s %.*s%s%.*s", STR_ARG(event), STR_ARG(event),
                         p->image.n > 0 ? " " : "", STR_ARG(p->image));
    else if (content_picture(s).n > 0)
        id = arena_print(s->a, "image:%.*s %.*s", STR_ARG(event), STR_ARG(event));
    s->receipt->post = id;
    if (s->m->pace == 0 && content_replaced(s).n == 0 && content_is_post_of_poll(s->out->post))
        p->before = content_event_id(s->out->post);
    /* an encrypted one is encrypted anew each time */
    if (s->out->file.n == 0 && p->encrypted.n == 0 && !p->reserved)
        s->receipt->picture_file = content_picture(s);
    p->said = p->reserved || p->before.n > 0;
    p->encrypted = p->encrypted_for = STR("");
    s->receipt->kind = SENT;
    if (p->said)
        more(s);
    if (s->out->where != TO_CHAT)
        s->receipt->direct_chat = p->room;
}

/* A step ahead of an encrypted event was done: the row goes on, with the ciphertext of its next
 * event if that was the step. */
static void read_encryption(struct sending *s)
{
    struct err err = {.text = ""};
    struct room_event event = {0};
    if (s->step == SEND_ENCRYPT)
        event = content_event(s, next_step(s) == SEND_IMAGE);
    if (encrypted_read(s, event.type, event.content, &err)) {
        more(s);
        s->receipt->picture_refused = s->step == SEND_FRESH;
        return;
    }
    s->receipt->kind = LATER;
    s->receipt->note = arena_str(s->a, str_of(err.text));
}

/* The answer to the step of this row. */
static void read_step(struct sending *s)
{
    const struct outgoing *out = s->out;
    bool done = s->step >= SEND_STORED && s->step <= SEND_ENCRYPT; /* without a request */
    bool uploads = s->step == SEND_UPLOAD || s->step == SEND_RESERVE;
    if (uploads && s->error.limit && out->file.n == 0) {
        s->progress.picture = STR("-"); /* the cards as text now, not as a picture later */
        more(s);
        return;
    }
    if (out->kind == OUT_WIDGET) {
        if (s->step == SEND_NOTHING || !retry_later(s))
            widget_read(s);
        return;
    }
    if (s->step == SEND_FILL || s->step == SEND_RESERVE) {
        if (!retry_later(s))
            s->step == SEND_FILL ? read_fill(s) : read_reserve(s);
        return;
    }
    if (s->progress.said) { /* it stands, whatever became of the poll before it */
        if (!s->error.limit || !retry_later(s))
            all_said(s);
        return;
    }
    bool for_one = direct_is_private(s);
    bool unread = s->step == SEND_MEMBERS && s->reply->too_large;
    if (s->step == SEND_NOTHING || s->step == SEND_TYPING || (!done && !unread && retry_later(s)))
        return;
    if (for_one)
        (void)direct_next(s); /* for progress.room */
    bool closed = s->step == SEND_CHECK_ENCRYPTION && !for_one && !wire_is_good(s->reply) &&
                  !wire_says_none(s->reply, &s->error);
    if ((s->step >= SEND_INVITE && s->step <= SEND_NOTE_DIRECT && !closed) ||
        (s->step == SEND_MEMBERS && for_one)) {
        if (direct_read(s))
            more(s);
    } else if (done || (s->step <= SEND_KEYS && wire_is_good(s->reply))) {
        read_encryption(s);
    } else if (s->step == SEND_UPLOAD) {
        read_upload(s);
    } else if (!wire_is_good(s->reply)) {
        if (!sent_bare(s) && !sent_anew(s) && (out->where != TO_CHAT || !room_moved(s)))
            refused(s);
    } else if (is_event(s)) {
        read_event_id(s);
    }
}

void matrix_receipt(void *account, struct arena *a, const struct outgoing *out,
                    const struct reply *reply, struct receipt *ret)
{
    struct matrix *m = account;
    struct send_flight *flight = send_flight_of(m, out->row);
    struct sending s = {.m = m,
                        .a = a,
                        .out = out,
                        .step = (enum send_step)flight->step,
                        .progress = read_progress(out->progress),
                        .reply = reply,
                        .receipt = ret};
    *ret = (struct receipt){.kind = SENT};
    bool known = flight->row == out->row;
    if (known)
        flight->busy = false;
    if (!known || s.step == SEND_WAIT) {
        *ret = (struct receipt){.kind = LATER,
                                .wait_ms = NOT_READY_MS,
                                .all_chats = true,
                                .note = STR("not logged in yet")};
        return;
    }
    if (m->direct_row == out->row)
        m->direct_row = 0;
    if (s.step == SEND_PAUSE) {
        *ret = (struct receipt){
            .kind = LATER, .wait_ms = AGAIN_MS, .note = STR("refused; it goes once more")};
        return;
    }
    if (s.step == SEND_BARRED && out->where != TO_CHAT) { /* another chat takes its place */
        s.progress = (struct progress){.renew = true};
        more(&s);
        return;
    }
    if (s.step == SEND_BARRED) {
        ret->kind = NEVER;
        ret->note = STR("the private chat is encrypted, and libkoikoi_olm.so is not there");
        return;
    }
    if (s.step == SEND_QUEUE) {
        *ret = (struct receipt){.kind = LATER,
                                .wait_ms = NOT_READY_MS,
                                .note = STR("another row notes a private chat or shares keys")};
        return;
    }
    s.error = wire_error_of(a, reply);
    if (m->key_row == out->row)
        m->key_row = 0;
    s.answer = wire_answer(reply);
    read_step(&s);
    json_free(s.answer);
}
