/* See sync.h. The initial sync only shows where we are: nothing in it is acted on but invites. The
 * first sync of a process asks for full state, so that names, powers and encryption are known
 * again.
 *
 * A timeline with a gap is left alone; instead the gap and all behind it are read in order, page by
 * page, with /messages from where the last sync had ended. Until that is done nothing else is asked
 * for, so that what is passed on is whole and in order, and each page is stored as it comes.
 */
#include "sync.h"

#include "login.h"
#include "todo.h"

enum { LONG_POLL_MS = 30 * 1000, GRACE_MS = 30 * 1000, FIRST_MS = 5 * 60 * 1000 };

#define TIMELINE_TYPES                                                                             \
    "\"m.room.message\",\"m.room.encrypted\",\"m.reaction\",\"m.room.member\",\"m.room.name\","    \
    "\"m.room.power_levels\",\"m.room.encryption\",\"m.room.tombstone\","                          \
    "\"org.matrix.msc3381.poll.response\",\"m.poll.response\""
static const char FILTER[] =
    "{\"presence\":{\"not_types\":[\"*\"]},\"account_data\":{\"types\":[\"m.direct\"]},"
    "\"room\":{\"account_data\":{\"not_types\":[\"*\"]},\"ephemeral\":{\"not_types\":[\"*\"]},"
    "\"state\":{\"lazy_load_members\":true,\"include_redundant_members\":true,\"types\":["
    "\"m.room.create\",\"m.room.name\",\"m.room.power_levels\",\"m.room.encryption\","
    "\"m.room.member\"]},"
    "\"timeline\":{\"limit\":50,\"lazy_load_members\":true,\"types\":[" TIMELINE_TYPES "]}}}";

static void ask_news(struct matrix *m, struct arena *a, struct request *ret)
{
    const struct session *s = &m->session;
    int64_t wait = m->synced ? LONG_POLL_MS : 0;
    if (s->expires > 0 && s->expires - m->now < wait)
        wait = s->expires > m->now ? (s->expires - m->now) / 2 : 0;
    /* The first sync of all never waits. Servers answer the same request the same for a while, even
     * if all was lost meanwhile: what has happened since would pass for news. So it is a request of
     * its own. */
    if (s->since.n == 0)
        wait = 1 + s->born % LONG_POLL_MS;
    struct str path = arena_print(a,
                                  "/_matrix/client/v3/sync?set_presence=offline&timeout=%lld"
                                  "&filter=%.*s",
                                  (long long)wait, STR_ARG(url_escape(a, str_of(FILTER))));
    if (s->since.n > 0)
        path = arena_print(a, "%.*s&since=%.*s%s", STR_ARG(path), STR_ARG(url_escape(a, s->since)),
                           m->synced ? "" : "&full_state=true");
    m->step = STEP_SYNC;
    request_to(m, a, "GET", path, "sync", ret);
    ret->timeout_ms = m->synced ? (int)wait + GRACE_MS : FIRST_MS;
}

void sync_poll(struct matrix *m, struct arena *a, struct request *ret)
{
    if (!m->directs_known) {
        m->step = STEP_DIRECTS;
        request_to(m, a, "GET",
                   arena_print(a, "/_matrix/client/v3/user/%.*s/account_data/m.direct",
                               STR_ARG(url_escape(a, m->session.user))),
                   "m.direct", ret);
    } else if (m->session.n_todo > 0) {
        m->step = STEP_TODO;
        todo_poll(m, a, &m->session.todo[0], ret);
    } else {
        ask_news(m, a, ret);
    }
}

static bool read_directs(struct matrix *m, struct arena *a, const struct reply *reply,
                         struct session *next, struct batch *ret, struct err *err)
{
    struct trouble t = trouble_of(a, reply);
    if (t.token)
        return login_lost(m, &t, next, ret, err);
    if (!is_good(reply) && reply->status != 404)
        return login_failed(m, "m.direct", reply, &t, ret, err);
    cJSON *content = wire_parse(reply->body);
    if (is_good(reply))
        rooms_hear_directs(m->known, a, content);
    cJSON_Delete(content);
    m->directs_known = true;
    return true;
}

static bool fresh_take(struct session *s, struct str room)
{
    for (int i = 0; i < s->n_fresh; i++)
        if (str_is(s->fresh[i], room)) {
            s->fresh[i] = s->fresh[--s->n_fresh];
            return true;
        }
    return false;
}

/* The event with which the bot came into the room: its place behind it, 0 if it is not here. */
static int behind_own_join(const struct gather *g, const cJSON *events)
{
    const cJSON *event;
    int i = 0, behind = 0;
    cJSON_ArrayForEach(event, events)
    {
        i++;
        const cJSON *before = wire_in(event, "unsigned", "prev_content", NULL);
        if (wire_is(event, "type", "m.room.member") &&
            str_is(wire_str(g->a, event, "state_key"), g->m->session.user) &&
            wire_is(wire_at(event, "content"), "membership", "join") &&
            !wire_is(before, "membership", "join"))
            behind = i;
    }
    return behind;
}

/* Whoever asked us in, if the invitation is among the events. */
static struct sender inviter(const struct gather *g, const struct scene *at)
{
    const cJSON *event;
    struct str who = {0};
    cJSON_ArrayForEach(event, at->more)
    {
        if (wire_is(event, "type", "m.room.member") &&
            str_is(wire_str(g->a, event, "state_key"), g->m->session.user) &&
            wire_is(wire_at(event, "content"), "membership", "invite"))
            who = wire_str(g->a, event, "sender");
    }
    return is_user_id(who) ? hear_sender(g->a, at, who) : (struct sender){0};
}

static void say_joined(struct gather *g, const struct scene *at)
{
    struct room *room = at->room;
    struct update *u = gather_add(g);
    u->kind = UPDATE_JOINED;
    u->chat = arena_str(g->a, room->id);
    u->chat_name = arena_str(g->a, room->name);
    u->direct = room->with.n > 0;
    u->id = arena_print(g->a, "joined:%.*s:%.*s", STR_ARG(room->id), STR_ARG(g->m->session.since));
    struct update closed;
    if (room->encrypted && hear_encrypted(g->a, room, inviter(g, at), &closed))
        *gather_add(g) = closed;
}

static bool somebody_left(const cJSON *events)
{
    const cJSON *event;
    cJSON_ArrayForEach(event, events)
    {
        const cJSON *content = wire_at(event, "content");
        if (wire_is(event, "type", "m.room.member") &&
            (wire_is(content, "membership", "leave") || wire_is(content, "membership", "ban")))
            return true;
    }
    return false;
}

/* The last of the others is gone: so are we. (A room that is just being made has nobody in it
 * either.) */
static void leave_if_empty(struct gather *g, const struct room *room, const cJSON *o)
{
    const cJSON *summary = wire_at(o, "summary"),
                *joined = wire_at(summary, "m.joined_member_count");
    if (!somebody_left(wire_in(o, "timeline", "events", NULL)) || !cJSON_IsNumber(joined) ||
        wire_int(summary, "m.joined_member_count") > 1 ||
        wire_int(summary, "m.invited_member_count") > 0 || room->with.n > 0)
        return;
    if (!todo_add(g->next, (struct todo){.kind = TODO_LEAVE, .room = arena_str(g->a, room->id)}))
        return;
    struct update *u = gather_add(g);
    u->kind = UPDATE_LEFT;
    u->chat = arena_str(g->a, room->id);
    u->id = arena_print(g->a, "empty:%.*s:%.*s", STR_ARG(room->id), STR_ARG(g->m->session.since));
}

static void read_joined(struct gather *g, const cJSON *o)
{
    struct matrix *m = g->m;
    struct str id = str_of(o->string), since = m->session.since;
    struct room *room = is_room_id(id) ? rooms_get(m->known, id) : NULL;
    if (!room)
        return;
    bool known = room->joined, fresh = fresh_take(g->next, id);
    room->joined = true;
    const cJSON *timeline = wire_at(o, "timeline"), *events = wire_at(timeline, "events"), *event;
    const cJSON *state = wire_in(o, "state", "events", NULL);
    cJSON_ArrayForEach(event, state) room_state(m->known, g->a, m->session.user, room, event);
    if (since.n == 0)
        return; /* the initial sync */
    struct scene at = {room, state, events};
    int first = behind_own_join(g, events);
    bool arrived = fresh || first > 0 || (m->synced && !known);
    bool gap = wire_true(timeline, "limited") && !arrived;
    int i = 0;
    cJSON_ArrayForEach(event, events) /* what the room was when we came: its name and so on */
        if (i++ < first) room_state(m->known, g->a, m->session.user, room, event);
    if (arrived && !room->ours && !room->followed)
        say_joined(g, &at);
    if (gap && !todo_add(g->next, (struct todo){.kind = TODO_FILL,
                                                .room = arena_str(g->a, id),
                                                .at = since,
                                                .to = g->next->since})) {
        g->batch->note = STR("too many gaps at once; old messages of some rooms are not read");
        gap = false;
    }
    if (!gap)
        gather_events(g, &at, events, first);
    leave_if_empty(g, room, o);
}

static void read_left(struct gather *g, const cJSON *o)
{
    struct str id = str_of(o->string), self = g->m->session.user;
    struct room *room = is_room_id(id) ? rooms_find(g->m->known, id) : NULL;
    if (room)
        room->joined = false;
    if (!room || g->m->session.since.n == 0)
        return;
    const cJSON *event;
    cJSON_ArrayForEach(event, wire_in(o, "timeline", "events", NULL))
    {
        const cJSON *before = wire_in(event, "unsigned", "prev_content", NULL);
        struct str who = wire_str(g->a, event, "sender");
        if (!wire_is(event, "type", "m.room.member") || str_is(who, self) ||
            !str_is(wire_str(g->a, event, "state_key"), self) ||
            wire_is(before, "membership", "invite"))
            continue;
        struct update *u = gather_add(g);
        u->kind = UPDATE_LEFT;
        u->chat = arena_str(g->a, id);
        u->id = wire_str(g->a, event, "event_id");
        todo_add(g->next, (struct todo){.kind = TODO_FORGET, .room = arena_str(g->a, id)});
    }
}

/* The allow-list names users, servers or rooms; an empty one lets everybody in. */
static bool allowed(const struct matrix *m, struct str room, struct str who)
{
    struct str rest = m->allow;
    if (str_trim(rest).n == 0)
        return true;
    for (struct str word; (word = str_word(&rest)).n > 0;) {
        if (word.p[word.n - 1] == ',')
            word.n--;
        if (str_is(word, who) || str_is(word, server_of(who)) || str_is(word, room))
            return true;
    }
    return false;
}

static void read_invited(struct gather *g, const cJSON *o)
{
    struct str id = str_of(o->string);
    const cJSON *event;
    struct todo todo = {.kind = TODO_JOIN, .room = arena_str(g->a, id)};
    cJSON_ArrayForEach(event, wire_in(o, "invite_state", "events", NULL))
    {
        if (!wire_is(event, "type", "m.room.member") ||
            !str_is(wire_str(g->a, event, "state_key"), g->m->session.user))
            continue;
        todo.who = wire_str(g->a, event, "sender");
        todo.direct = wire_true(wire_at(event, "content"), "is_direct");
    }
    if (!is_room_id(id) || !is_user_id(todo.who))
        return;
    todo.at = server_of(todo.who);
    if (!allowed(g->m, id, todo.who) || rooms_joined(g->m->known) >= g->m->rooms)
        todo.kind = TODO_LEAVE;
    if (!todo_add(g->next, todo))
        g->batch->note = STR("too many invites at once; the rest is left standing");
}

static bool read_news(struct matrix *m, struct arena *a, const struct reply *reply,
                      struct session *next, struct batch *ret, struct err *err)
{
    struct trouble t = trouble_of(a, reply);
    if (t.token)
        return login_lost(m, &t, next, ret, err);
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str since = wire_str(a, o, "next_batch");
    if (!is_plain(since)) {
        cJSON_Delete(o);
        return login_failed(m, "sync", reply, &t, ret, err);
    }
    next->since = since;
    struct gather g = gather_begin(m, a, next, ret);
    const cJSON *event, *room, *rooms = wire_at(o, "rooms");
    cJSON_ArrayForEach(
        event, wire_in(o, "account_data", "events", NULL)) if (wire_is(event, "type", "m.direct"))
        rooms_hear_directs(m->known, a, wire_at(event, "content"));
    cJSON_ArrayForEach(room, wire_at(rooms, "invite")) if (room->string) read_invited(&g, room);
    cJSON_ArrayForEach(room, wire_at(rooms, "join")) if (room->string) read_joined(&g, room);
    cJSON_ArrayForEach(room, wire_at(rooms, "leave")) if (room->string) read_left(&g, room);
    cJSON_Delete(o);
    m->synced = true;
    return true;
}

bool sync_read(struct matrix *m, struct arena *a, const struct reply *reply, struct session *next,
               struct batch *ret, struct err *err)
{
    if (m->step == STEP_DIRECTS)
        return read_directs(m, a, reply, next, ret, err);
    if (m->step == STEP_TODO)
        return todo_read(m, a, reply, next, ret, err);
    return read_news(m, a, reply, next, ret, err);
}
