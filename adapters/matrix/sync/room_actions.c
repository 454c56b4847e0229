/* See room_actions.h. After a transient error or a rate limit the action stays first in line. A
 * refusal drops it, and so do too many attempts: a room out of reach must not keep us from reading
 * all others.
 */
#include "room_actions.h"

#include "names.h"
#include "poll_errors.h"

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
    wire_request_json(a, ret, cJSON_CreateObject());
}

static void ask_about(struct matrix *m, struct arena *a, struct str room, const char *what,
                      struct request *ret)
{
    wire_request_in_room(m, a, "GET", room, str_of(what), what, ret);
}

static void ask_end(struct matrix *m, struct arena *a, struct str room, const char *what,
                    struct request *ret)
{
    wire_request_in_room(m, a, "POST", room, str_of(what), what, ret);
    wire_request_json(a, ret, cJSON_CreateObject());
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
    struct room *room;
    switch (t->kind) {
    case ACTION_JOIN:
        ask_join(m, a, t->room, t->at, ret);
        return;
    case ACTION_FOLLOW:
        ask_join(m, a, t->to, t->at, ret);
        return;
    case ACTION_LEAVE:
        ask_end(m, a, t->room, "leave", ret);
        return;
    case ACTION_FORGET:
        ask_end(m, a, t->room, "forget", ret);
        return;
    case ACTION_PROVE:
        ask_about(m, a, t->to, "state/m.room.create/", ret);
        return;
    case ACTION_LOOK:
        ask_about(m, a, t->room, "state/m.room.create/", ret);
        return;
    case ACTION_NAMES:
        ask_about(m, a, t->room, "joined_members", ret);
        return;
    case ACTION_TRACE:
        ask_about(m, a, t->room, "state/m.room.tombstone/", ret);
        return;
    case ACTION_FILL:
        ask_page(m, a, t, ret);
        return;
    default: /* ACTION_DIRECT */
        room = rooms_get(m->known, t->room);
        if (room)
            rooms_set(m->known, &room->with, t->who);
        wire_request(m, a, "PUT",
                     arena_print(a, "/_matrix/client/v3/user/%.*s/account_data/m.direct",
                                 STR_ARG(wire_escape(a, m->session.user))),
                     "m.direct", ret);
        wire_request_json(a, ret, rooms_directs(m->known, a));
    }
}

static void after_join(struct sync_events *g, struct room_action t)
{
    struct matrix_session *s = g->next;
    struct room *room = rooms_get(g->m->known, t.room);
    if (s->n_fresh < MAX_FRESH)
        s->fresh[s->n_fresh++] = t.kind == ACTION_FOLLOW ? t.to : t.room;
    t.tries = 0;
    if (t.kind == ACTION_FOLLOW) {
        t.kind = ACTION_PROVE;
        cursor_add_action_first(s, t);
        return;
    }
    if (room)
        rooms_set(g->m->known, &room->inviter, t.who);
    if (t.direct) {
        t.kind = ACTION_DIRECT;
        cursor_add_action_first(s, t);
    }
    t.kind = ACTION_LOOK;
    cursor_add_action_first(s, t);
}

/* `to` takes the place of `room`, which both of them say. */
static void move_on(struct sync_events *g, const struct room_action *t)
{
    struct matrix *m = g->m;
    struct room *old = rooms_find(m->known, t->room);
    struct str with = old ? arena_str(g->a, old->with) : STR("");
    if (old)
        rooms_set(m->known, &old->moved, t->to);
    struct room *room = rooms_get(m->known, t->to);
    struct update *u = sync_events_add(g);
    u->kind = UPDATE_MOVED;
    u->id = arena_print(g->a, "moved:%.*s", STR_ARG(t->room));
    u->chat = t->room;
    u->text = t->to;
    u->direct = with.n > 0;
    cursor_add_action_first(g->next, (struct room_action){.kind = ACTION_LEAVE, .room = t->room});
    if (room)
        room->followed = true;
    if (room && with.n > 0) {
        rooms_set(m->known, &room->with, with);
        cursor_add_action_first(
            g->next, (struct room_action){.kind = ACTION_DIRECT, .room = t->to, .who = with});
    }
}

/* The new room must name the old one as its predecessor; else the tombstone is not believed. */
static void after_proof(struct sync_events *g, const struct room_action *t, const cJSON *o)
{
    if (wire_is_str(wire_at(o, "predecessor"), "room_id", t->room)) {
        move_on(g, t);
        return;
    }
    cursor_add_action_first(g->next, (struct room_action){.kind = ACTION_LEAVE, .room = t->to});
    g->batch->note = STR("a room says it was replaced by one that does not know it; left alone");
}

/* An invited bot stays out of spaces. A room that was upgraded invites its members anew, if only
 * the invited may join: the bot looks at where it came from. */
static void after_look(struct sync_events *g, const struct room_action *t, const cJSON *o)
{
    struct str old_id = wire_str(g->a, wire_at(o, "predecessor"), "room_id");
    struct room *room = rooms_get(g->m->known, t->room), *old = NULL;
    if (wire_is(o, "type", "m.space")) {
        struct event_context at = {room, NULL, NULL};
        if (room)
            *sync_events_add(g) =
                matrix_read_rights(g->a, room, "space", matrix_read_sender(g->a, &at, t->who));
        cursor_add_action_first(g->next,
                                (struct room_action){.kind = ACTION_LEAVE, .room = t->room});
        return;
    }
    if (wire_is_room_id(old_id) && !str_is(old_id, t->room))
        old = rooms_find(g->m->known, old_id);
    if (old && old->joined)
        cursor_add_action_first(
            g->next, (struct room_action){.kind = ACTION_TRACE, .room = old_id, .to = t->room});
}

/* The old room must name the new one as its replacement; else anybody could make a room that takes
 * over a season. */
static void after_trace(struct sync_events *g, const struct room_action *t, const cJSON *o)
{
    if (wire_is_str(o, "replacement_room", t->to))
        move_on(g, t);
}

/* A command whose names are looked up in `o`; without an answer they stay unknown. */
static void after_names(struct sync_events *g, const struct room_action *t, const cJSON *o)
{
    struct room *room = rooms_get(g->m->known, t->room);
    cJSON *event = wire_parse(t->event);
    struct event_context at = {room, NULL, NULL};
    struct update update;
    if (room && event && matrix_read_event(g->m, g->a, &at, event, &update)) {
        const cJSON *joined = wire_at(o, "joined"), *sender = NULL;
        sender = wire_at(joined, arena_str(g->a, update.from.id).p);
        struct str name = wire_name(g->a, sender, "display_name");
        if (name.n > 0)
            update.from.name = name;
        names_resolve(g->m, g->a, joined, &update);
        *sync_events_add(g) = update;
    }
    cJSON_Delete(event);
}

/* A page of a gap; if it has an `end`, another follows. A page may be empty and not the last, but
 * MAX_TRIES empty ones in a row end the reading. */
static void read_page(struct sync_events *g, struct room_action t, const cJSON *o)
{
    struct room *room = rooms_get(g->m->known, t.room);
    const cJSON *chunk = wire_at(o, "chunk");
    if (!room)
        return;
    struct event_context at = {room, wire_at(o, "state"), chunk};
    struct str end = wire_str(g->a, o, "end");
    struct room_action rest = t;
    rest.at = end;
    rest.tries = cJSON_GetArraySize(chunk) > 0 ? 0 : t.tries + 1;
    if (wire_is_token(end) && !str_is(end, t.at) && !str_is(end, t.to) && rest.tries < MAX_TRIES) {
        cursor_add_action_first(g->next, rest);
    }
    sync_events_read(g, &at, chunk, 0);
}

static void after_action(struct sync_events *g, const struct room_action *t, const cJSON *o)
{
    switch (t->kind) {
    case ACTION_JOIN:
    case ACTION_FOLLOW:
        after_join(g, *t);
        return;
    case ACTION_LEAVE:
        cursor_add_action(g->next, (struct room_action){.kind = ACTION_FORGET, .room = t->room});
        return;
    case ACTION_PROVE:
        after_proof(g, t, o);
        return;
    case ACTION_LOOK:
        after_look(g, t, o);
        return;
    case ACTION_NAMES:
        after_names(g, t, o);
        return;
    case ACTION_TRACE:
        after_trace(g, t, o);
        return;
    case ACTION_FILL:
        read_page(g, *t, o);
        return;
    default:
        return;
    }
}

bool room_actions_read(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct matrix_session *next, struct batch *ret, struct err *err)
{
    if (next->n_actions == 0)
        return poll_errors_retry(m, "nothing to do", reply, &(struct wire_error){0}, ret, err);
    struct room_action t = next->actions[0];
    struct wire_error error = wire_error_of(a, reply);
    if (error.token)
        return poll_errors_token_lost(m, &error, next, ret, err);
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
    if (wire_is_good(reply) && !o)
        error.transient = true;
    bool again = error.limit || (error.transient && t.tries + 1 < MAX_TRIES);
    if (again) {
        struct err ignored = {.text = ""};
        next->actions[0].tries += error.limit ? 0 : 1;
        (void)!poll_errors_retry(m, "todo", reply, &error, ret, &ignored);
        return true; /* the count is stored */
    }
    struct sync_events g = sync_events_begin(m, a, next, ret);
    cursor_drop_action(next);
    if (o || t.kind == ACTION_NAMES)
        after_action(&g, &t, o);
    else if (t.kind != ACTION_TRACE || reply->status != 404) /* no tombstone yet */
        ret->note = arena_print(a, "a request about a room was refused: %d %.*s", reply->status,
                                STR_ARG(error.code));
    cJSON_Delete(o);
    return true;
}
