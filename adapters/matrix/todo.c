/* See todo.h. Weather and limits leave a thing first in line; a refusal ends it, and so do too many
 * attempts, because a room that cannot be reached must not keep us from hearing all others. */
#include "todo.h"

#include "login.h"

enum { MAX_TRIES = 5, PAGE = 100 };

#define PAGE_FILTER                                                                                \
    "{\"lazy_load_members\":true,\"types\":[\"m.room.message\",\"m.room.encrypted\","              \
    "\"m.reaction\",\"m.room.member\",\"m.room.name\",\"m.room.power_levels\","                    \
    "\"m.room.encryption\",\"m.room.tombstone\",\"org.matrix.msc3381.poll.response\","             \
    "\"m.poll.response\"]}"

static void ask_join(struct matrix *m, struct arena *a, struct str room, struct str via,
                     struct request *ret)
{
    struct str path = arena_print(a, "/_matrix/client/v3/join/%.*s", STR_ARG(url_escape(a, room)));
    if (via.n > 0)
        path = arena_print(a, "%.*s?via=%.*s", STR_ARG(path), STR_ARG(url_escape(a, via)));
    request_to(m, a, "POST", path, "join", ret);
    request_json(a, ret, cJSON_CreateObject());
}

static void ask_room(struct matrix *m, struct arena *a, const char *method, struct str room,
                     const char *what, struct request *ret)
{
    request_to(
        m, a, method,
        arena_print(a, "/_matrix/client/v3/rooms/%.*s/%s", STR_ARG(url_escape(a, room)), what),
        what, ret);
    if (strcmp(method, "POST") == 0)
        request_json(a, ret, cJSON_CreateObject());
}

static void ask_page(struct matrix *m, struct arena *a, const struct todo *t, struct request *ret)
{
    struct str query = arena_print(a, "messages?dir=f&limit=%d&from=%.*s&to=%.*s&filter=%.*s", PAGE,
                                   STR_ARG(url_escape(a, t->at)), STR_ARG(url_escape(a, t->to)),
                                   STR_ARG(url_escape(a, STR(PAGE_FILTER))));
    ask_room(m, a, "GET", t->room, query.p, ret);
    ret->what = STR("messages");
}

void todo_poll(struct matrix *m, struct arena *a, const struct todo *t, struct request *ret)
{
    struct room *room;
    switch (t->kind) {
    case TODO_JOIN:
        ask_join(m, a, t->room, t->at, ret);
        return;
    case TODO_FOLLOW:
        ask_join(m, a, t->to, t->at, ret);
        return;
    case TODO_LEAVE:
        ask_room(m, a, "POST", t->room, "leave", ret);
        return;
    case TODO_FORGET:
        ask_room(m, a, "POST", t->room, "forget", ret);
        return;
    case TODO_PROVE:
        ask_room(m, a, "GET", t->to, "state/m.room.create/", ret);
        return;
    case TODO_FILL:
        ask_page(m, a, t, ret);
        return;
    default: /* TODO_DIRECT */
        room = rooms_get(m->known, t->room);
        if (room)
            rooms_keep(m->known, &room->with, t->who);
        request_to(m, a, "PUT",
                   arena_print(a, "/_matrix/client/v3/user/%.*s/account_data/m.direct",
                               STR_ARG(url_escape(a, m->session.user))),
                   "m.direct", ret);
        request_json(a, ret, rooms_directs(m->known, a));
    }
}

static void did_join(struct gather *g, struct todo t)
{
    struct session *s = g->next;
    if (s->n_fresh < MAX_FRESH)
        s->fresh[s->n_fresh++] = t.kind == TODO_FOLLOW ? t.to : t.room;
    if (t.kind == TODO_FOLLOW) {
        t.kind = TODO_PROVE;
        t.tries = 0;
        todo_first(s, t);
    } else if (t.direct) {
        t.kind = TODO_DIRECT;
        t.tries = 0;
        todo_first(s, t);
    }
}

/* The new room must name the old one; else somebody only says that we have moved. */
static void did_prove(struct gather *g, const struct todo *t, const cJSON *o)
{
    struct matrix *m = g->m;
    const cJSON *before = wire_at(o, "predecessor");
    if (!str_is(wire_str(g->a, before, "room_id"), t->room)) {
        todo_first(g->next, (struct todo){.kind = TODO_LEAVE, .room = t->to});
        g->batch->note =
            STR("a room says it was replaced by one that does not know it; left alone");
        return;
    }
    struct room *old = rooms_find(m->known, t->room);
    struct str with = old ? arena_str(g->a, old->with) : STR("");
    if (old)
        rooms_keep(m->known, &old->moved, t->to);
    struct room *room = rooms_get(m->known, t->to);
    struct update *u = gather_add(g);
    u->kind = UPDATE_MOVED;
    u->id = arena_print(g->a, "moved:%.*s", STR_ARG(t->room));
    u->chat = t->room;
    u->text = t->to;
    u->direct = with.n > 0;
    todo_first(g->next, (struct todo){.kind = TODO_LEAVE, .room = t->room});
    if (room)
        room->followed = true;
    if (room && with.n > 0) {
        rooms_keep(m->known, &room->with, with);
        todo_first(g->next, (struct todo){.kind = TODO_DIRECT, .room = t->to, .who = with});
    }
}

/* A page of a gap; there is more if it says where it ends. A page may be empty and not the last,
 * but a server that gives one empty page after another is not believed for ever. */
static void did_page(struct gather *g, struct todo t, const cJSON *o)
{
    struct room *room = rooms_get(g->m->known, t.room);
    const cJSON *chunk = wire_at(o, "chunk");
    if (!room)
        return;
    struct scene at = {room, wire_at(o, "state"), chunk};
    struct str end = wire_str(g->a, o, "end");
    struct todo rest = t;
    rest.at = end;
    rest.tries = cJSON_GetArraySize(chunk) > 0 ? 0 : t.tries + 1;
    if (is_plain(end) && !str_is(end, t.at) && !str_is(end, t.to) && rest.tries < MAX_TRIES) {
        todo_first(g->next, rest);
    }
    gather_events(g, &at, chunk, 0);
}

static void done(struct gather *g, const struct todo *t, const cJSON *o)
{
    switch (t->kind) {
    case TODO_JOIN:
    case TODO_FOLLOW:
        did_join(g, *t);
        return;
    case TODO_LEAVE:
        todo_add(g->next, (struct todo){.kind = TODO_FORGET, .room = t->room});
        return;
    case TODO_PROVE:
        did_prove(g, t, o);
        return;
    case TODO_FILL:
        did_page(g, *t, o);
        return;
    default:
        return;
    }
}

bool todo_read(struct matrix *m, struct arena *a, const struct reply *reply, struct session *next,
               struct batch *ret, struct err *err)
{
    if (next->n_todo == 0)
        return login_failed(m, "nothing to do", reply, &(struct trouble){0}, ret, err);
    struct todo t = next->todo[0];
    struct trouble trouble = trouble_of(a, reply);
    if (trouble.token)
        return login_lost(m, &trouble, next, ret, err);
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    if (is_good(reply) && !o)
        trouble.weather = true;
    bool again = trouble.limit || (trouble.weather && t.tries + 1 < MAX_TRIES);
    if (again) {
        struct err ignored = {.text = ""};
        next->todo[0].tries += trouble.limit ? 0 : 1;
        (void)!login_failed(m, "todo", reply, &trouble, ret, &ignored);
        return true; /* the count is stored */
    }
    struct gather g = gather_begin(m, a, next, ret);
    todo_drop(next);
    if (o)
        done(&g, &t, o);
    else
        ret->note = arena_print(a, "a request about a room was refused: %d %.*s", reply->status,
                                STR_ARG(trouble.code));
    cJSON_Delete(o);
    return true;
}
