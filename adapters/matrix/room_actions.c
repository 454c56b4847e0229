/* Actions on rooms between two syncs: see sync.h. After a transient error or a rate limit the
 * action stays first in line. A refusal drops it, and so do too many attempts: a room out of reach
 * must not keep us from reading all others.
 */
#include "sync.h"

/* An event has at most 64 KiB. */
enum { MAX_TRIES = 5, PAGE = 100, PAGE_BYTES = 16 * 1024 * 1024 };

#define PAGE_FILTER                                                                                \
    "{\"lazy_load_members\":true,\"types\":[\"m.room.message\",\"m.room.encrypted\","              \
    "\"m.reaction\",\"m.room.member\",\"m.room.name\",\"m.room.power_levels\","                    \
    "\"m.room.encryption\",\"m.room.tombstone\",\"org.matrix.msc3381.poll.response\","             \
    "\"m.poll.response\"]}"

static void ask_join(struct matrix *m, struct arena *a, struct str room, struct str via,
                     struct request *ret)
{
    struct str path = arena_print(a, "/_matrix/client/v3/join/%.*s", STR_ARG(wire_escape(a, room)));
    if (via.n > 0)
        path = arena_print(a, "%.*s?via=%.*s", STR_ARG(path), STR_ARG(wire_escape(a, via)));
    wire_request(m, a, "POST", path, "join", ret);
    wire_request_empty(a, ret);
}

static void ask_page(struct matrix *m, struct arena *a, const struct room_action *t,
                     struct request *ret)
{
    struct str query = arena_print(a, "messages?dir=f&limit=%d&from=%.*s&to=%.*s&filter=%.*s", PAGE,
                                   STR_ARG(wire_escape(a, t->at)), STR_ARG(wire_escape(a, t->to)),
                                   STR_ARG(wire_escape(a, STR(PAGE_FILTER))));
    wire_request_in_room(m, a, "GET", t->room, query, "messages", ret);
    ret->answer_bytes = PAGE_BYTES;
}

void room_actions_poll(struct matrix *m, struct arena *a, const struct room_action *t,
                       struct request *ret)
{
    static const char *const below[N_ACTIONS] = {[ACTION_LEAVE] = "leave",
                                                 [ACTION_FORGET] = "forget",
                                                 [ACTION_PROVE] = "state/m.room.create/",
                                                 [ACTION_LOOK] = "state/m.room.create/",
                                                 [ACTION_NAMES] = "joined_members",
                                                 [ACTION_TRACE] = "state/m.room.tombstone/"};
    switch (t->kind) {
    case ACTION_JOIN:
        ask_join(m, a, t->room, t->at, ret);
        return;
    case ACTION_FOLLOW:
        ask_join(m, a, t->to, t->at, ret);
        return;
    case ACTION_LEAVE:
    case ACTION_FORGET:
        wire_request_in_room(m, a, "POST", t->room, str_of(below[t->kind]), below[t->kind], ret);
        wire_request_empty(a, ret);
        return;
    case ACTION_PROVE:
    case ACTION_LOOK:
    case ACTION_NAMES:
    case ACTION_TRACE:
        wire_request_in_room(m, a, "GET", t->kind == ACTION_PROVE ? t->to : t->room,
                             str_of(below[t->kind]), below[t->kind], ret);
        return;
    case ACTION_FILL:
        ask_page(m, a, t, ret);
        return;
    default: /* ACTION_DIRECT */
        rooms_ask_directs(m, a, t->room, t->who, ret);
    }
}

static void after_join(struct polled *p, struct room_action t)
{
    struct matrix_session *s = p->next;
    struct room *room = rooms_get(p->m->known, t.room);
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
        t.kind = ACTION_DIRECT;
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
static void after_proof(struct polled *p, const struct room_action *t, struct json o)
{
    if (json_is_str(json_at(o, "predecessor"), "room_id", t->room)) {
        move_on(p, t);
        return;
    }
    cursor_add_action_first(p->next, (struct room_action){.kind = ACTION_LEAVE, .room = t->to});
    p->batch->note = STR("a room says it was replaced by one that does not know it; left alone");
}

/* An invited bot stays out of spaces. A room that was upgraded invites its members anew, if only
 * the invited may join: the bot looks at where it came from. */
static void after_look(struct polled *p, const struct room_action *t, struct json o)
{
    struct str old_id = wire_str(p->a, json_at(o, "predecessor"), "room_id");
    struct room *room = rooms_get(p->m->known, t->room), *old = NULL;
    if (json_is(o, "type", "m.space")) {
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

/* The old room must name the new one as its replacement; else anybody could make a room that takes
 * over a season. */
static void after_trace(struct polled *p, const struct room_action *t, struct json o)
{
    if (json_is_str(o, "replacement_room", t->to))
        move_on(p, t);
}

/* A command whose names are looked up in `o`; without an answer they stay unknown. */
static void after_names(struct polled *p, const struct room_action *t, struct json o)
{
    struct event_context at = {.room = rooms_get(p->m->known, t->room)};
    struct json event = json_open(t->event, JSON_LOOSE);
    struct update update;
    if (at.room && event.at && read_event(p->m, p->a, &at, event, &update)) {
        struct json joined = json_at(o, "joined");
        struct json sender = json_at(joined, arena_str(p->a, update.from.id).p);
        struct str name = wire_name(p->a, sender, "display_name");
        if (name.n > 0)
            update.from.name = name;
        names_resolve(p->m, p->a, joined, &update);
        *polled_add(p) = update;
    }
    json_free(event);
}

/* A page of a gap; if it has an `end`, another follows. A page may be empty and not the last, but
 * MAX_TRIES empty ones in a row end the reading. */
static void read_page(struct polled *p, struct room_action t, struct json o)
{
    struct room *room = rooms_get(p->m->known, t.room);
    struct json chunk = json_at(o, "chunk");
    if (!room)
        return;
    struct event_context at = {room, json_at(o, "state"), chunk};
    struct str end = wire_str(p->a, o, "end");
    struct room_action rest = t;
    rest.at = end;
    rest.tries = json_count(chunk) > 0 ? 0 : t.tries + 1;
    if (wire_is_token(end) && !str_is(end, t.at) && !str_is(end, t.to) && rest.tries < MAX_TRIES) {
        cursor_add_action_first(p->next, rest);
    }
    events_read(p, &at, chunk, 0);
}

static void after_action(struct polled *p, const struct room_action *t, struct json o)
{
    switch (t->kind) {
    case ACTION_JOIN:
    case ACTION_FOLLOW:
        after_join(p, *t);
        return;
    case ACTION_LEAVE:
        cursor_add_action(p->next, (struct room_action){.kind = ACTION_FORGET, .room = t->room});
        return;
    case ACTION_PROVE:
        after_proof(p, t, o);
        return;
    case ACTION_LOOK:
        after_look(p, t, o);
        return;
    case ACTION_NAMES:
        after_names(p, t, o);
        return;
    case ACTION_TRACE:
        after_trace(p, t, o);
        return;
    case ACTION_FILL:
        read_page(p, *t, o);
        return;
    default:
        return;
    }
}

bool room_actions_read(struct polled *p)
{
    struct matrix_session *next = p->next;
    if (next->n_actions == 0)
        return polled_retry(p, "nothing to do");
    struct room_action t = next->actions[0];
    if (p->error.token)
        return polled_token_lost(p);
    struct json o = wire_answer(p->reply);
    if (wire_is_good(p->reply) && !o.at)
        p->error.transient = true;
    bool again = p->error.limit || (p->error.transient && t.tries + 1 < MAX_TRIES);
    if (again) {
        next->actions[0].tries += p->error.limit ? 0 : 1;
        (void)polled_retry(p, "action on a room"); /* no error: the count is stored */
        json_free(o);
        return true;
    }
    cursor_drop_action(next);
    if (o.at || t.kind == ACTION_NAMES)
        after_action(p, &t, o);
    else if (t.kind != ACTION_TRACE || p->reply->status != 404) /* no tombstone yet */
        p->batch->note = arena_print(p->a, "a request about a room was refused: %d %.*s",
                                     p->reply->status, STR_ARG(p->error.code));
    json_free(o);
    return true;
}
