/* Actions on rooms: see sync.c. After a transient error or a rate limit an action has a pause and
 * goes to the end of the line, but for a gap, which must be read before what follows. A refusal
 * drops it, and so do too many attempts, and a gap a long wait. What asks other servers, which may
 * hang, runs beside the polls: a room out of reach must not keep us from reading all others.
 */
#include "polled.h"

/* An event has at most 64 KiB. */
enum { MAX_TRIES = 5, PAGE = 100, PAGE_BYTES = 16 * 1024 * 1024 };
/* A pause after the first error, and four times as much after each more; of those beside, whose
 * servers are gone for long. */
enum {
    LIMIT_MS = 1000,
    UNTIMED_MS = 10 * 1000, /* a rate limit that names no time */
    PAUSE_MS = 5 * 1000,
    PAUSE_BESIDE_MS = 60 * 1000,
    AHEAD_MS = 10 * 1000,  /* the longest that one may hold up a sync */
    GAP_MS = 2 * 60 * 1000 /* and that a gap may by a wait that the server asks for */
};

#define PAGE_FILTER "{\"lazy_load_members\":true,\"types\":[" TIMELINE_TYPES "]}"

static void after_join(struct polled *p, const struct room_action *joined)
{
    struct room_action t = *joined;
    struct matrix_session *s = p->next;
    struct room *room = rooms_get(p->m->known, t.kind == ACTION_FOLLOW ? t.to : t.room);
    if (room)
        room->joined = true;
    if (s->n_fresh < MAX_FRESH)
        s->fresh[s->n_fresh++] = t.kind == ACTION_FOLLOW ? t.to : t.room;
    t.tries = 0;
    if (t.kind == ACTION_FOLLOW) {
        t.kind = ACTION_PROVE;
        cursor_add_action_first(s, t);
        return;
    }
    if (room)
        rooms_set(p->m->known, &room->inviter, t.who);
    if (t.direct) {
        t.kind = ACTION_PAIR;
        cursor_add_action_first(s, t);
    }
    t.kind = ACTION_LOOK;
    cursor_add_action_first(s, t);
}

/* `to` takes the place of `room`, which both of them say. */
static void move_on(struct polled *p, const struct room_action *t)
{
    struct matrix *m = p->m;
    struct room *old = rooms_find(m->known, t->room);
    struct str with = old ? arena_str(p->a, old->with) : STR("");
    if (old)
        rooms_set(m->known, &old->moved, t->to);
    struct room *room = rooms_get(m->known, t->to);
    struct update *u = polled_add(p);
    u->kind = UPDATE_MOVED;
    u->id = arena_print(p->a, "moved:%.*s", STR_ARG(t->room));
    u->chat = t->room;
    u->text = t->to;
    u->direct = with.n > 0;
    cursor_add_action_first(p->next, (struct room_action){.kind = ACTION_LEAVE, .room = t->room});
    if (room)
        room->followed = true;
    if (room && with.n > 0) {
        rooms_set(m->known, &room->with, with);
        cursor_add_action_first(
            p->next, (struct room_action){.kind = ACTION_DIRECT, .room = t->to, .who = with});
    }
}

/* The new room must name the old one as its predecessor; else the tombstone is not believed. */
static void after_proof(struct polled *p, const struct room_action *t)
{
    if (json_is_str(json_at(p->answer, "predecessor"), "room_id", t->room)) {
        move_on(p, t);
        return;
    }
    cursor_add_action_first(p->next, (struct room_action){.kind = ACTION_LEAVE, .room = t->to});
    p->batch->note = STR("a room says it was replaced by one that does not know it; left alone");
}

/* An invited bot stays out of spaces. A room that was upgraded invites its members anew, if only
 * the invited may join: the bot looks at where it came from. */
static void after_look(struct polled *p, const struct room_action *t)
{
    struct str old_id = wire_str(p->a, json_at(p->answer, "predecessor"), "room_id");
    struct room *room = rooms_get(p->m->known, t->room), *old = NULL;
    if (json_is(p->answer, "type", "m.space")) {
        struct event_context at = {.room = room};
        if (room)
            *polled_add(p) = read_rights(p->a, room, "space", read_sender(p->a, &at, t->who));
        cursor_add_action_first(p->next,
                                (struct room_action){.kind = ACTION_LEAVE, .room = t->room});
        return;
    }
    if (wire_is_room_id(old_id) && !str_is(old_id, t->room))
        old = rooms_find(p->m->known, old_id);
    if (old && old->joined)
        cursor_add_action_first(
            p->next, (struct room_action){.kind = ACTION_TRACE, .room = old_id, .to = t->room});
}

/* An invitation to a private chat is a hint: where others are it is a room like any other. */
static void after_pair(struct polled *p, const struct room_action *t)
{
    struct room_action next = {.kind = ACTION_DIRECT, .room = t->room, .who = t->who};
    struct room *room = rooms_get(p->m->known, t->room);
    if (room && room_read_members(p->m->known, p->a, room, p->answer) &&
        room_is_pair(room, p->m->session.user, t->who)) {
        cursor_add_action_first(p->next, next);
        private_chat_moves(p, rooms_left_by(p->m->known, t->who), room);
    }
}

/* The old room must name the new one as its replacement; else anybody could make a room that takes
 * over a season. */
static void after_trace(struct polled *p, const struct room_action *t)
{
    if (json_is_str(p->answer, "replacement_room", t->to))
        move_on(p, t);
}

/* A command whose names are looked up in the answer; without an answer they stay unknown. */
static void after_names(struct polled *p, const struct room_action *t)
{
    struct event_context at = {.room = rooms_get(p->m->known, t->room)};
    struct json event = json_open(t->event, JSON_LOOSE);
    struct update update;
    if (at.room && event.at && read_event(p->m, p->a, &at, event, &update)) {
        struct json joined = json_at(p->answer, "joined");
        struct json sender = json_at(joined, arena_str(p->a, update.from.id).p);
        struct str name = wire_name(p->a, sender, "display_name");
        if (name.n > 0)
            update.from.name = name;
        names_resolve(p->m, p->a, joined, &update);
        if (!read_is_for_another(at.room, &update))
            *polled_add(p) = update;
    }
    json_free(event);
}

/* A page of a gap; if it has an `end`, another follows. A page may be empty and not the last, but
 * MAX_TRIES empty ones in a row end the reading. */
static void read_page(struct polled *p, const struct room_action *t)
{
    struct room *room = rooms_get(p->m->known, t->room);
    struct json o = p->answer, chunk = json_at(o, "chunk");
    if (!room)
        return;
    struct event_context at = {room, json_at(o, "state"), chunk};
    struct str end = wire_str(p->a, o, "end");
    struct room_action rest = *t;
    rest.at = end;
    rest.tries = json_count(chunk) > 0 ? 0 : t->tries + 1;
    if (wire_is_token(end) && !str_is(end, t->at) && !str_is(end, t->to) && rest.tries < MAX_TRIES)
        cursor_add_action_first(p->next, rest);
    events_read(p, &at, chunk, 0);
}

static void after_leave(struct polled *p, const struct room_action *t)
{
    cursor_add_action(p->next, (struct room_action){.kind = ACTION_FORGET, .room = t->room});
}

static const struct {
    const char *below; /* the request, below its room */
    void (*after)(struct polled *p, const struct room_action *t);
    bool beside;
} KINDS[N_ACTIONS] = {
    [ACTION_JOIN] = {NULL, after_join, true},
    [ACTION_FOLLOW] = {NULL, after_join, true},
    [ACTION_LEAVE] = {"leave", after_leave, true},
    [ACTION_FORGET] = {"forget", NULL, true},
    [ACTION_FILL] = {NULL, read_page, false},
    [ACTION_PROVE] = {"state/m.room.create/", after_proof, false},
    [ACTION_LOOK] = {"state/m.room.create/", after_look, false},
    [ACTION_PAIR] = {"members?not_membership=leave", after_pair, false},
    [ACTION_NAMES] = {"joined_members", after_names, true},
    [ACTION_TRACE] = {"state/m.room.tombstone/", after_trace, false},
};

static void ask(struct matrix *m, struct arena *a, const struct room_action *t, struct request *ret)
{
    bool follow = t->kind == ACTION_FOLLOW, post = t->kind == ACTION_LEAVE;
    post |= t->kind == ACTION_FORGET;
    if (t->kind == ACTION_JOIN || follow) {
        struct str room = wire_escape(a, follow ? t->to : t->room);
        struct str path = arena_print(a, "/_matrix/client/v3/join/%.*s", STR_ARG(room));
        if (t->at.n > 0)
            path = arena_print(a, "%.*s?via=%.*s", STR_ARG(path), STR_ARG(wire_escape(a, t->at)));
        wire_request(m, a, "POST", path, "join", ret);
        wire_request_empty(a, ret);
    } else if (t->kind == ACTION_FILL) {
        struct str query =
            arena_print(a, "messages?dir=f&limit=%d&from=%.*s&to=%.*s&filter=%.*s", PAGE,
                        STR_ARG(wire_escape(a, t->at)), STR_ARG(wire_escape(a, t->to)),
                        STR_ARG(wire_escape(a, STR(PAGE_FILTER))));
        wire_request_in_room(m, a, "GET", t->room, query, "messages", ret);
        ret->answer_bytes = PAGE_BYTES;
    } else if (t->kind == ACTION_DIRECT) {
        rooms_ask_directs(m, a, t->room, t->who, ret);
    } else {
        const char *below = KINDS[t->kind].below;
        wire_request_in_room(m, a, post ? "POST" : "GET", t->kind == ACTION_PROVE ? t->to : t->room,
                             str_of(below), below, ret);
        if (post)
            wire_request_empty(a, ret);
    }
}

/* The first action of either kind that is due; -1 if not found. */
static int next_action(const struct matrix *m, bool beside)
{
    const struct matrix_session *s = &m->session;
    for (int i = 0; i < s->n_actions; i++)
        if (KINDS[s->actions[i].kind].beside == beside && s->actions[i].due <= m->now)
            return i;
    return -1;
}

bool room_actions_poll(struct matrix *m, struct arena *a, struct request *ret)
{
    int i = next_action(m, false);
    if (i < 0)
        return false;
    m->step = STEP_ACTION;
    m->action = i;
    ask(m, a, &m->session.actions[i], ret);
    if (m->session.actions[i].kind != ACTION_FILL)
        ret->timeout_ms = AHEAD_MS;
    return true;
}

bool room_actions_beside(void *account, struct arena *a, struct request *ret)
{
    struct matrix *m = account;
    int i = m->checked && m->directs_known ? next_action(m, true) : -1;
    if (i < 0)
        return false;
    const struct room_action *t = &m->session.actions[i];
    m->beside.kind = (int)t->kind;
    snprintf(m->beside.room, sizeof m->beside.room, "%.*s", STR_ARG(t->room));
    ask(m, a, t, ret);
    return true;
}

/* Reads the answer to action i. */
static bool read_action(struct polled *p, int i)
{
    struct matrix_session *next = p->next;
    struct room_action t = next->actions[i];
    bool beside = KINDS[t.kind].beside;
    if (p->error.token)
        return polled_token_lost(p);
    if (wire_is_good(p->reply) && !p->answer.at)
        p->error.transient = true;
    cursor_drop_action(next, i);
    t.due = 0;
    bool too_long = t.kind == ACTION_FILL && p->error.wait_ms > GAP_MS;
    if (!too_long && (p->error.limit || (p->error.transient && t.tries + 1 < MAX_TRIES))) {
        int64_t pause = beside ? PAUSE_BESIDE_MS : PAUSE_MS;
        if (p->error.limit)
            pause = p->error.wait_ms > 0 ? LIMIT_MS : UNTIMED_MS;
        pause <<= 2 * t.tries;
        t.due = p->m->now + (p->error.wait_ms > pause ? p->error.wait_ms : pause);
        t.tries += p->error.limit ? 0 : 1;
        if (t.kind != ACTION_FILL)
            return cursor_add_action(next, t);
        (void)polled_retry(p, "a gap"); /* no error: the count is stored */
        t.due = 0;
        return cursor_add_action_first(next, t);
    }
    if (p->answer.at || t.kind == ACTION_NAMES) {
        if (KINDS[t.kind].after)
            KINDS[t.kind].after(p, &t);
    } else if (t.kind != ACTION_TRACE || p->reply->status != 404) { /* no tombstone yet */
        p->batch->note = arena_print(p->a, "a request about a room was refused: %d %.*s",
                                     p->reply->status, STR_ARG(p->error.code));
    }
    return true;
}

bool room_actions_read(struct polled *p)
{
    return p->m->action < p->next->n_actions ? read_action(p, p->m->action)
                                             : polled_retry(p, "nothing to do");
}

/* A sync may have shown that it is done. */
bool room_actions_read_beside(struct polled *p)
{
    struct matrix *m = p->m;
    for (int i = 0; i < p->next->n_actions; i++)
        if ((int)p->next->actions[i].kind == m->beside.kind &&
            str_is(p->next->actions[i].room, str_of(m->beside.room)))
            return read_action(p, i);
    return true;
}

bool room_actions_joined(struct polled *p, struct json rooms)
{
    struct matrix_session *next = p->next;
    bool found = false;
    for (struct json o = json_first(rooms); o.at; o = json_next(o))
        for (int i = next->n_actions - 1; i >= 0; i--) {
            struct room_action t = next->actions[i];
            bool join = t.kind == ACTION_JOIN && str_is(t.room, json_name(o));
            if (!join && !(t.kind == ACTION_FOLLOW && str_is(t.to, json_name(o))))
                continue;
            cursor_drop_action(next, i);
            t.due = 0;
            after_join(p, &t);
            found = true;
            break;
        }
    return found;
}
