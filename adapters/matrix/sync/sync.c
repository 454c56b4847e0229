/* See sync.h. The initial sync sets the position; only invites in it are acted on. The first sync
 * of a process asks for full state, which brings back names, power levels and encryption.
 *
 * A timeline with a gap is not read. Instead ACTION_FILL reads the gap and all behind it in order,
 * page by page, with /messages from the end of the last sync. No sync follows until that is done,
 * so updates are complete and in order, and each page is stored as it comes.
 */
#include "sync.h"

#include "poll_errors.h"
#include "room_actions.h"
#include "seal.h"
#include "seal_poll.h"
#include "sealed_waiting.h"

enum {
    LONG_POLL_MS = 30 * 1000,
    GRACE_MS = 30 * 1000,
    WAITING_MS = 3 * 1000,
    FIRST_MS = 5 * 60 * 1000,
    /* A sync has events of all rooms, and a first one their state. After one that was too large to
     * be read, each room sends one event alone; the others are then read page by page. */
    SYNC_BYTES = 32 * 1024 * 1024,
    TIMELINE = 50,
    TIMELINE_SHORT = 1,
    MEMBERS = 1000 /* looked at for a name, in one room */
};

#define TIMELINE_TYPES                                                                             \
    "\"m.room.message\",\"m.room.encrypted\",\"m.reaction\",\"m.room.member\",\"m.room.name\","    \
    "\"m.room.power_levels\",\"m.room.encryption\",\"m.room.tombstone\","                          \
    "\"org.matrix.msc3381.poll.response\",\"m.poll.response\""
/* `true` to have the names of all who speak, also those that were sent before, and the number of
 * events of a room's timeline. With `true` Synapse names all who speak in device_lists as well, so
 * that their keys would be looked up after each message. */
#define FILTER                                                                                     \
    "{\"presence\":{\"not_types\":[\"*\"]},\"account_data\":{\"types\":[\"m.direct\"]},"           \
    "\"room\":{\"account_data\":{\"not_types\":[\"*\"]},\"ephemeral\":{\"not_types\":[\"*\"]},"    \
    "\"state\":{\"lazy_load_members\":true,\"include_redundant_members\":%s,\"types\":["           \
    "\"m.room.create\",\"m.room.name\",\"m.room.power_levels\",\"m.room.encryption\","             \
    "\"m.room.member\"]},"                                                                         \
    "\"timeline\":{\"limit\":%d,\"lazy_load_members\":true,\"types\":[" TIMELINE_TYPES "]}}}"

/* A process knows the names that it was sent: at its first sync, and when somebody speaks whose
 * name went to an earlier process, they are sent again. */
static bool asks_names(const struct matrix *m)
{
    return !m->synced || m->sync_names;
}

static void ask_sync(struct matrix *m, struct arena *a, struct request *ret)
{
    const struct matrix_session *s = &m->session;
    int64_t wait = m->synced ? LONG_POLL_MS : 0;
    if (wait > 0 && m->turn.young > 0)
        wait = WAITING_MS; /* its key may open it without another word of the server */
    if (s->expires > 0 && s->expires - m->now < wait)
        wait = s->expires > m->now ? (s->expires - m->now) / 2 : 0;
    /* The initial sync never waits. Servers cache the answer to a request for a while, so after a
     * loss of all state the old answer would pass older events off as new: its URL is unique. */
    if (s->since.n == 0)
        wait = 1 + s->born % LONG_POLL_MS;
    struct str filter = arena_print(a, FILTER, asks_names(m) ? "true" : "false",
                                    m->sync_short ? TIMELINE_SHORT : TIMELINE);
    struct str path = arena_print(a,
                                  "/_matrix/client/v3/sync?set_presence=offline&timeout=%lld"
                                  "&filter=%.*s",
                                  (long long)wait, STR_ARG(wire_escape(a, filter)));
    if (s->since.n > 0)
        path = arena_print(a, "%.*s&since=%.*s%s", STR_ARG(path), STR_ARG(wire_escape(a, s->since)),
                           m->synced ? "" : "&full_state=true");
    m->step = STEP_SYNC;
    wire_request(m, a, "GET", path, "sync", ret);
    ret->timeout_ms = m->synced ? (int)wait + GRACE_MS : FIRST_MS;
    ret->answer_bytes = SYNC_BYTES;
}

void sync_poll(struct matrix *m, struct arena *a, struct request *ret)
{
    if (!m->directs_known) {
        m->step = STEP_DIRECTS;
        wire_request(m, a, "GET",
                     arena_print(a, "/_matrix/client/v3/user/%.*s/account_data/m.direct",
                                 STR_ARG(wire_escape(a, m->session.user))),
                     "m.direct", ret);
    } else if (seal_poll(m, a, ret)) {
        return;
    } else if (m->session.n_actions > 0) {
        m->step = STEP_ACTION;
        room_actions_poll(m, a, &m->session.actions[0], ret);
    } else {
        ask_sync(m, a, ret);
    }
}

static bool read_directs(struct matrix *m, struct arena *a, const struct reply *reply,
                         struct matrix_session *next, struct batch *ret, struct err *err)
{
    struct wire_error t = wire_error_of(a, reply);
    if (t.token)
        return poll_errors_token_lost(m, &t, next, ret, err);
    if (!wire_is_good(reply) && reply->status != 404)
        return poll_errors_retry(m, "m.direct", reply, &t, ret, err);
    cJSON *content = wire_parse(reply->body);
    if (wire_is_good(reply))
        rooms_read_directs(m->known, a, content);
    cJSON_Delete(content);
    m->directs_known = true;
    return true;
}

static bool fresh_remove(struct matrix_session *s, struct str room)
{
    for (int i = 0; i < s->n_fresh; i++)
        if (str_is(s->fresh[i], room)) {
            s->fresh[i] = s->fresh[--s->n_fresh];
            return true;
        }
    return false;
}

/* The number of events up to the one by which the bot joined; 0 if not found. */
static int behind_own_join(const struct sync_events *g, const cJSON *events)
{
    const cJSON *event;
    int i = 0, behind = 0;
    cJSON_ArrayForEach(event, events)
    {
        i++;
        const cJSON *before = wire_in(event, "unsigned", "prev_content", NULL);
        if (wire_is(event, "type", "m.room.member") &&
            wire_is_str(event, "state_key", g->m->session.user) &&
            wire_is(wire_at(event, "content"), "membership", "join") &&
            !wire_is(before, "membership", "join"))
            behind = i;
    }
    return behind;
}

/* The sender of our invite, as remembered, or if it is among the events. */
static struct sender inviter(const struct sync_events *g, const struct event_context *at)
{
    const cJSON *event;
    struct str who = arena_str(g->a, at->room->inviter);
    cJSON_ArrayForEach(event, at->more)
    {
        if (wire_is(event, "type", "m.room.member") &&
            wire_is_str(event, "state_key", g->m->session.user) &&
            wire_is(wire_at(event, "content"), "membership", "invite"))
            who = wire_id(g->a, event, "sender");
    }
    return wire_is_user_id(who) ? matrix_read_sender(g->a, at, who) : (struct sender){0};
}

/* A room where the bot cannot read or write gets no greeting: it would offer what cannot be. */
static void add_joined(struct sync_events *g, const struct event_context *at)
{
    struct room *room = at->room;
    struct update closed;
    if (!room_may_write(room, g->m->session.user))
        *sync_events_add(g) = matrix_read_rights(g->a, room, "mute", inviter(g, at));
    else if (!room->encrypted || g->m->seal)
        sync_events_add_joined(g, room, g->m->session.since);
    else if (matrix_read_encrypted(g->a, room, inviter(g, at), &closed))
        *sync_events_add(g) = closed;
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

/* Leaves a room when the last other member leaves it. (In a room that is just being created there
 * is no other member yet.) */
static void leave_if_empty(struct sync_events *g, const struct room *room, const cJSON *o)
{
    const cJSON *summary = wire_at(o, "summary"),
                *joined = wire_at(summary, "m.joined_member_count");
    if (!somebody_left(wire_in(o, "timeline", "events", NULL)) || !cJSON_IsNumber(joined) ||
        wire_int(summary, "m.joined_member_count") > 1 ||
        wire_int(summary, "m.invited_member_count") > 0 || room->with.n > 0)
        return;
    if (!cursor_add_action(
            g->next, (struct room_action){.kind = ACTION_LEAVE, .room = arena_str(g->a, room->id)}))
        return;
    struct update *u = sync_events_add(g);
    u->kind = UPDATE_LEFT;
    u->chat = arena_str(g->a, room->id);
    u->id = arena_print(g->a, "empty:%.*s:%.*s", STR_ARG(room->id), STR_ARG(g->m->session.since));
}

static void read_joined(struct sync_events *g, const cJSON *o)
{
    struct matrix *m = g->m;
    struct str id = str_of(o->string), since = m->session.since;
    struct room *room = wire_is_room_id(id) ? rooms_get(m->known, id) : NULL;
    if (!room)
        return;
    if (!sync_events_count(g))
        return;
    bool known = room->joined, fresh = fresh_remove(g->next, id);
    room->joined = true;
    const cJSON *timeline = wire_at(o, "timeline"), *events = wire_at(timeline, "events"), *event;
    const cJSON *state = wire_in(o, "state", "events", NULL);
    cJSON_ArrayForEach(event, state)
    {
        if (!sync_events_count(g))
            break;
        room_read_state(m->known, g->a, m->session.user, room, event);
    }
    if (since.n == 0)
        return; /* the initial sync */
    struct event_context at = {room, state, events};
    int first = behind_own_join(g, events);
    bool arrived = fresh || first > 0 || (m->synced && !known);
    bool gap = wire_true(timeline, "limited") && !arrived;
    int i = 0;
    cJSON_ArrayForEach(event, events) /* the state at our join: name and so on */
    {
        if (i++ >= first || !sync_events_count(g))
            break;
        room_read_state(m->known, g->a, m->session.user, room, event);
    }
    if (arrived && !room->ours && !room->followed)
        add_joined(g, &at);
    if (gap && !cursor_add_action(g->next, (struct room_action){.kind = ACTION_FILL,
                                                                .room = arena_str(g->a, id),
                                                                .at = since,
                                                                .to = g->next->since})) {
        g->batch->note = STR("too many gaps at once; old messages of some rooms are not read");
        gap = false;
    }
    if (!gap)
        sync_events_read(g, &at, events, first);
    leave_if_empty(g, room, o);
}

static void read_left(struct sync_events *g, const cJSON *o)
{
    struct str id = str_of(o->string), self = g->m->session.user;
    struct room *room = wire_is_room_id(id) ? rooms_find(g->m->known, id) : NULL;
    if (room) {
        room->joined = false;
        seal_forget(g->m, room->id);
    }
    if (!room || g->m->session.since.n == 0 || !sync_events_count(g))
        return;
    const cJSON *event;
    cJSON_ArrayForEach(event, wire_in(o, "timeline", "events", NULL))
    {
        const cJSON *before = wire_in(event, "unsigned", "prev_content", NULL);
        struct str who = wire_id(g->a, event, "sender");
        if (!wire_is(event, "type", "m.room.member") || str_is(who, self) ||
            !wire_is_str(event, "state_key", self) || wire_is(before, "membership", "invite"))
            continue;
        struct update *u = sync_events_add(g);
        u->kind = UPDATE_LEFT;
        u->chat = arena_str(g->a, id);
        u->id = wire_id(g->a, event, "event_id");
        cursor_add_action(g->next,
                          (struct room_action){.kind = ACTION_FORGET, .room = arena_str(g->a, id)});
    }
}

/* The allow-list holds users, servers and rooms; an empty one allows all. */
static bool allowed(const struct matrix *m, struct str room, struct str who)
{
    struct str rest = m->allow;
    if (str_trim(rest).n == 0)
        return true;
    for (struct str word; (word = str_word(&rest)).n > 0;) {
        if (word.p[word.n - 1] == ',')
            word.n--;
        if (str_is(word, who) || str_is(word, wire_server_of(who)) || str_is(word, room))
            return true;
    }
    return false;
}

static void read_invited(struct sync_events *g, const cJSON *o)
{
    struct str id = str_of(o->string);
    if (g->next->n_actions == MAX_ACTIONS) {
        g->batch->note = STR("too many invites at once; the rest is left standing");
        return;
    }
    if (!wire_is_room_id(id))
        return;
    const cJSON *event;
    struct room_action action = {.kind = ACTION_JOIN, .room = arena_str(g->a, id)};
    cJSON_ArrayForEach(event, wire_in(o, "invite_state", "events", NULL))
    {
        if (!wire_is(event, "type", "m.room.member") ||
            !wire_is_str(event, "state_key", g->m->session.user))
            continue;
        action.who = wire_id(g->a, event, "sender");
        action.direct = wire_true(wire_at(event, "content"), "is_direct");
    }
    if (!wire_is_user_id(action.who))
        return;
    action.at = wire_server_of(action.who);
    if (!allowed(g->m, id, action.who) || rooms_joined(g->m->known) >= g->m->rooms)
        action.kind = ACTION_LEAVE;
    cursor_add_action(g->next, action);
}

/* The member event of `who`, among the first ones; NULL if not found. */
static const cJSON *member_in(const cJSON *events, struct str who)
{
    const cJSON *event = cJSON_GetArrayItem(events, 0);
    for (int i = 0; event && i < MEMBERS; i++, event = event->next)
        if (wire_is(event, "type", "m.room.member") && wire_is_str(event, "state_key", who))
            return event;
    return NULL;
}

/* Notes the names of those who speak. True if one was never sent; if `all`, it has none. */
static bool lacks_names(struct matrix *m, struct arena *a, const cJSON *o, bool all)
{
    struct str id = str_of(o->string), name;
    struct room *room = wire_is_room_id(id) ? rooms_find(m->known, id) : NULL;
    const cJSON *event = cJSON_GetArrayItem(wire_in(o, "timeline", "events", NULL), 0),
                *events = wire_in(o, "timeline", "events", NULL);
    for (int i = 0; room && event && i < TIMELINE; i++, event = event->next) {
        struct str who = wire_id(a, event, "sender");
        const cJSON *member = member_in(events, who);
        if (!member)
            member = member_in(wire_in(o, "state", "events", NULL), who);
        if (!wire_is_user_id(who) || str_is(who, m->session.user) ||
            (!member && room_name_of(room, who, &name)))
            continue;
        if (!member && !all)
            return true;
        name = wire_name(a, wire_at(member, "content"), "displayname");
        room_set_name(m->known, a, room, who, name);
    }
    return false;
}

static bool read_sync(struct matrix *m, struct arena *a, const struct reply *reply,
                      struct matrix_session *next, struct batch *ret, struct err *err)
{
    struct wire_error t = wire_error_of(a, reply);
    if (t.token)
        return poll_errors_token_lost(m, &t, next, ret, err);
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str since = wire_str(a, o, "next_batch");
    if (!wire_is_token(since)) {
        cJSON_Delete(o);
        m->sync_short |= reply->too_large || (wire_is_good(reply) && !o);
        return poll_errors_retry(m, "sync", reply, &t, ret, err);
    }
    bool names = asks_names(m);
    m->sync_short = m->sync_names = false;
    const cJSON *event, *room, *rooms = wire_at(o, "rooms");
    cJSON_ArrayForEach(room, wire_at(rooms, "join")) m->sync_names |=
        lacks_names(m, a, room, names);
    if (m->sync_names) {
        cJSON_Delete(o);
        return true; /* the same sync once more */
    }
    next->since = since;
    struct sync_events g = sync_events_begin(m, a, next, ret);
    sealed_waiting_read(&g, o);
    cJSON_ArrayForEach(
        event, wire_in(o, "account_data", "events", NULL)) if (wire_is(event, "type", "m.direct"))
        rooms_read_directs(m->known, a, wire_at(event, "content"));
    cJSON_ArrayForEach(room, wire_at(rooms, "invite")) if (room->string) read_invited(&g, room);
    cJSON_ArrayForEach(room, wire_at(rooms, "join")) if (room->string) read_joined(&g, room);
    cJSON_ArrayForEach(room, wire_at(rooms, "leave")) if (room->string) read_left(&g, room);
    cJSON_Delete(o);
    m->synced = true;
    return true;
}

bool sync_read(struct matrix *m, struct arena *a, const struct reply *reply,
               struct matrix_session *next, struct batch *ret, struct err *err)
{
    if (m->step == STEP_DIRECTS)
        return read_directs(m, a, reply, next, ret, err);
    if (m->turn.trouble[0] && !m->turn.off) {
        (void)err_set(err, "%s", m->turn.trouble);
        return poll_errors_fatal(ret);
    }
    if (m->step == STEP_SEAL)
        return seal_poll_read(m, a, reply, next, ret, err);
    if (m->step == STEP_ACTION)
        return room_actions_read(m, a, reply, next, ret, err);
    return read_sync(m, a, reply, next, ret, err);
}
