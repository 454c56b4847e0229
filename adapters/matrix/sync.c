/* Polls once there is a token. The initial sync sets the position; only invites in it are acted on.
 * The first sync of a process asks for full state, which brings back names, power levels and
 * encryption.
 *
 * A timeline with a gap is not read. Instead ACTION_FILL reads the gap and all behind it in order,
 * page by page, with /messages from the end of the last sync. No sync follows until that is done,
 * so updates are complete and in order, and each page is stored as it comes.
 */
#include "polled.h"

#include "crypto.h"

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

/* `true` to have the names of all who speak, also those that were sent before, and the number of
 * events of a room's timeline. With `true` Synapse names all who speak in device_lists as well, so
 * that their keys would be looked up after each message. */
#define FILTER                                                                                     \
    "{\"presence\":{\"not_types\":[\"*\"]},\"account_data\":{\"types\":[\"m.direct\"]},"           \
    "\"room\":{\"account_data\":{\"not_types\":[\"*\"]},\"ephemeral\":{\"not_types\":[\"*\"]},"    \
    "\"state\":{\"lazy_load_members\":true,\"include_redundant_members\":%s,\"types\":["           \
    "\"m.room.create\",\"m.room.name\",\"m.room.power_levels\",\"m.room.encryption\","             \
    "\"m.room.tombstone\",\"m.room.member\",\"m.room.history_visibility\"]},"                      \
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
    if (wait > 0 && m->keys.young > 0)
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
    ret->idle = m->synced;
    ret->answer_bytes = SYNC_BYTES;
}

void sync_poll(struct matrix *m, struct arena *a, struct request *ret)
{
    if (!m->directs_known) {
        m->step = STEP_DIRECTS;
        wire_request_direct(m, a, "GET", ret);
    } else if (crypto_poll(m, a, ret)) {
        return;
    } else if (!room_actions_poll(m, a, ret)) {
        ask_sync(m, a, ret);
    }
}

/* ---- answers ---- */

/* True after some refusals in a row of what we ask by a stored word. */
static bool is_refused_for_good(struct polled *p)
{
    enum { MOST = 3 };
    p->m->unknown = wire_refuses(p->reply, &p->error) ? p->m->unknown + 1 : 0;
    return p->m->unknown >= MOST;
}

/* A hint, which a server may have none of, or refuse. */
static bool read_directs(struct polled *p)
{
    if (p->error.token)
        return polled_token_lost(p);
    bool none = p->reply->status == 404 || is_refused_for_good(p);
    if (!none && (!wire_is_good(p->reply) || json_kind(p->answer) != JSON_OBJECT))
        return polled_retry(p, "m.direct");
    p->m->unknown = 0;
    rooms_read_directs(p->m->known, p->a, p->answer);
    p->m->directs_known = true;
    return true;
}

/* The number of events up to the one by which the bot joined; 0 if not found. */
static int behind_own_join(const struct polled *p, struct json events)
{
    int i = 0, behind = 0;
    for (struct json event = json_first(events); event.at; event = json_next(event)) {
        i++;
        struct json before = json_in(event, "unsigned", "prev_content", NULL);
        if (wire_is_member(event) && json_is_str(event, "state_key", p->m->session.user) &&
            json_is(json_at(event, "content"), "membership", "join") &&
            !json_is(before, "membership", "join"))
            behind = i;
    }
    return behind;
}

/* Leaves a room when the last other member leaves it. (In a room that is just being created there
 * is no other member yet.) */
static void leave_if_empty(struct polled *p, const struct room *room, struct json o)
{
    struct json summary = json_at(o, "summary"), joined = json_at(summary, "m.joined_member_count");
    struct json event = json_first(json_in(o, "timeline", "events", NULL));
    while (event.at && !(wire_is_member(event) && wire_is_out(event)))
        event = json_next(event);
    if (!event.at || json_kind(joined) != JSON_NUMBER ||
        json_number(summary, "m.joined_member_count") > 1 ||
        json_number(summary, "m.invited_member_count") > 0 || room->with.n > 0)
        return;
    if (!cursor_add_action(
            p->next, (struct room_action){.kind = ACTION_LEAVE, .room = arena_str(p->a, room->id)}))
        return;
    struct update *u = polled_add(p);
    u->kind = UPDATE_LEFT;
    u->chat = arena_str(p->a, room->id);
    u->id = arena_print(p->a, "empty:%.*s:%.*s", STR_ARG(room->id), STR_ARG(p->m->session.since));
}

/* More members than two, by the room's summary, which lacks what has not changed. */
static void read_company(struct room *room, struct json summary)
{
    struct json joined = json_at(summary, "m.joined_member_count");
    if (room->with.n > 0 && json_kind(joined) == JSON_NUMBER)
        room->crowded = json_number(summary, "m.joined_member_count") +
                            json_number(summary, "m.invited_member_count") >
                        2;
}

static void read_joined(struct polled *p, struct json o)
{
    struct matrix *m = p->m;
    struct str id = json_name(o), since = m->session.since;
    struct room *room = wire_is_room_id(id) ? rooms_get(m->known, id) : NULL;
    if (!room)
        return;
    bool known = room->joined, plain = room->plain, fresh = false;
    bool wrote = !known || room_may_write(room, m->session.user);
    room->plain = false; /* until all is read here */
    if (!polled_count(p))
        return;
    for (int i = 0; i < p->next->n_fresh && !fresh; i++) {
        fresh = str_is(p->next->fresh[i], id);
        if (fresh)
            p->next->fresh[i] = p->next->fresh[--p->next->n_fresh];
    }
    room->joined = true;
    read_company(room, json_at(o, "summary"));
    struct json timeline = json_at(o, "timeline"), events = json_at(timeline, "events");
    struct json state = json_in(o, "state", "events", NULL), event = json_first(state);
    for (; event.at && polled_count(p); event = json_next(event))
        room_read_state(m->known, p->a, m->session.user, room, event);
    bool whole = !event.at;
    struct event_context at = {room, state, events};
    int first = since.n == 0 ? json_count(events) : behind_own_join(p, events);
    /* the state at our join, in an initial sync all that is newer than `state`: a private chat may
     * have its encryption there */
    event = json_first(events);
    for (int i = 0; event.at && i < first; event = json_next(event), i++) {
        bool sets = json_at(event, "state_key").at;
        whole &= !sets || polled_count(p);
        if (sets && whole)
            room_read_state(m->known, p->a, m->session.user, room, event);
    }
    bool arrived = fresh || first > 0 || (m->synced && !known);
    bool gap = json_bool(timeline, "limited") && !arrived;
    bool all = since.n == 0 || !m->synced || arrived; /* its state, not what has changed alone */
    room->plain = !room->encrypted && whole && (all || (plain && !gap));
    if (since.n == 0)
        return;
    /* it may have been replaced while its invitation waited */
    bool replaced = arrived && events_replaced(p, room, state, -1);
    replaced |= arrived && events_replaced(p, room, events, first);
    if (arrived)
        crypto_return(m, p->a, id);
    if (arrived && !room->ours && !room->followed && !replaced)
        events_joined(p, &at);
    else if (!arrived)
        events_may_write(p, &at, wrote, since);
    if (gap && !cursor_add_action(p->next, (struct room_action){.kind = ACTION_FILL,
                                                                .room = arena_str(p->a, id),
                                                                .at = since,
                                                                .to = p->next->since})) {
        p->batch->note = STR("too many gaps at once; old messages of some rooms are not read");
        gap = false;
    }
    if (!gap)
        events_read(p, &at, events, first);
    leave_if_empty(p, room, o);
}

static void read_left(struct polled *p, struct json o)
{
    struct str id = json_name(o), self = p->m->session.user;
    struct room *room = wire_is_room_id(id) ? rooms_find(p->m->known, id) : NULL;
    if (room) {
        room->joined = false;
        crypto_leave(p->m, p->a, room->id);
    }
    if (!room || p->m->session.since.n == 0 || !polled_count(p))
        return;
    struct json event = json_first(json_in(o, "timeline", "events", NULL));
    for (; event.at; event = json_next(event)) {
        struct json before = json_in(event, "unsigned", "prev_content", NULL);
        struct str who = wire_id(p->a, event, "sender");
        if (!wire_is_member(event) || str_is(who, self) || !json_is_str(event, "state_key", self) ||
            json_is(before, "membership", "invite"))
            continue;
        struct update *u = polled_add(p);
        u->kind = UPDATE_LEFT;
        u->chat = arena_str(p->a, id);
        u->id = wire_id(p->a, event, "event_id");
        cursor_add_action(p->next,
                          (struct room_action){.kind = ACTION_FORGET, .room = arena_str(p->a, id)});
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

/* True if that person has invited us into a day's rooms already. */
static bool invites_too_often(struct matrix *m, struct str who)
{
    enum {
        ROOMS_A_DAY = 20,
        DAY_MS = 24 * 3600 * 1000,
        MOST = sizeof m->invited / sizeof *m->invited
    };
    uint64_t hash = str_hash(who);
    int64_t day = m->now / DAY_MS;
    struct invited *found = NULL;
    for (int i = 0; i < MOST && !found; i++)
        if (m->invited[i].who == hash && m->invited[i].day == day)
            found = &m->invited[i];
    if (!found) {
        found = &m->invited[m->n_invited++ % MOST];
        *found = (struct invited){.who = hash, .day = day};
    }
    return ++found->n > ROOMS_A_DAY;
}

static void read_invited(struct polled *p, struct json o)
{
    struct str id = json_name(o);
    if (p->next->n_actions == MAX_ACTIONS) {
        p->batch->note = STR("too many invites at once; the rest is left standing");
        return;
    }
    if (!wire_is_room_id(id))
        return;
    struct room_action action = {.kind = ACTION_JOIN, .room = arena_str(p->a, id)};
    struct json event = json_first(json_in(o, "invite_state", "events", NULL));
    for (; event.at; event = json_next(event)) {
        if (json_is(event, "type", "m.room.create"))
            action.to = wire_id(p->a, json_in(event, "content", "predecessor", NULL), "room_id");
        if (!wire_is_member(event) || !json_is_str(event, "state_key", p->m->session.user))
            continue;
        action.who = wire_id(p->a, event, "sender");
        action.direct = json_bool(json_at(event, "content"), "is_direct");
    }
    if (!wire_is_user_id(action.who))
        return;
    action.at = wire_server_of(action.who);
    if (!allowed(p->m, id, action.who) || rooms_joined(p->m->known) >= p->m->rooms ||
        invites_too_often(p->m, action.who))
        action.kind = ACTION_LEAVE;
    /* ahead of an invitation to the room that replaces this one, so that matches move step by
     * step */
    int i = 0;
    while (i < p->next->n_actions && !(p->next->actions[i].kind == ACTION_JOIN &&
                                       str_is(p->next->actions[i].to, action.room)))
        i++;
    cursor_add_action_at(p->next, i, action);
}

/* The member event of `who`, among the first ones; no value if not found. */
static struct json member_in(struct json events, struct str who)
{
    struct json event = json_first(events);
    for (int i = 0; event.at && i < MEMBERS; i++, event = json_next(event))
        if (wire_is_member(event) && json_is_str(event, "state_key", who))
            return event;
    return (struct json){0};
}

/* Notes the names of those who speak. True if one was never sent; if `all`, it has none. */
static bool lacks_names(struct matrix *m, struct arena *a, struct json o, bool all)
{
    struct str id = json_name(o), name;
    struct room *room = wire_is_room_id(id) ? rooms_find(m->known, id) : NULL;
    struct json events = json_in(o, "timeline", "events", NULL), event = json_first(events);
    for (int i = 0; room && event.at && i < TIMELINE; i++, event = json_next(event)) {
        struct str who = wire_id(a, event, "sender");
        struct json member = member_in(events, who);
        if (!member.at)
            member = member_in(json_in(o, "state", "events", NULL), who);
        if (!wire_is_user_id(who) || str_is(who, m->session.user) ||
            (!member.at && room_name_of(room, who, &name)))
            continue;
        if (!member.at && !all)
            return true;
        name = wire_member_name(a, member);
        if (name.n > 0 || !wire_is_out(member))
            room_set_name(m->known, a, room, who, name);
    }
    return false;
}

static void read_rooms(struct polled *p, struct json rooms,
                       void (*read_room)(struct polled *p, struct json o))
{
    for (struct json o = json_first(rooms); o.at; o = json_next(o))
        if (json_name(o).n > 0)
            read_room(p, o);
}

/* A server that was restored or moved may not know the position of the last sync. After some
 * refusals a first sync finds a new one; rooms, matches and what is on its way stay. */
static bool loses_place(struct polled *p)
{
    struct matrix *m = p->m;
    int status = p->reply->status;
    if (m->session.since.n == 0 || !is_refused_for_good(p))
        return false;
    m->unknown = m->lost = 0;
    p->next->since = STR("");
    p->batch->note =
        arena_print(p->a,
                    "the homeserver does not know where we stopped reading (%d %.*s); we read on "
                    "from now, what was said meanwhile is lost",
                    status, STR_ARG(p->error.code));
    return true;
}

static bool read_sync(struct polled *p)
{
    struct matrix *m = p->m;
    if (p->error.token)
        return polled_token_lost(p);
    struct json o = p->answer, rooms = json_at(o, "rooms");
    struct str since = wire_str(p->a, o, "next_batch");
    if (!wire_is_token(since) && loses_place(p))
        return true;
    if (!wire_is_token(since)) {
        m->sync_short |= p->reply->too_large || (wire_is_good(p->reply) && !o.at);
        return polled_retry(p, "sync");
    }
    m->unknown = 0;
    bool names = asks_names(m);
    m->sync_short = m->sync_names = false;
    struct json room = json_first(json_at(rooms, "join"));
    for (; room.at; room = json_next(room))
        m->sync_names |= lacks_names(m, p->a, room, names);
    if (room_actions_joined(p, json_at(rooms, "join")))
        return true;
    if (m->sync_names)
        return true; /* the same sync once more */
    bool moved = !str_is(since, p->next->since);
    p->next->since = since;
    events_take_waiting(p, o);
    struct json event = json_first(json_in(o, "account_data", "events", NULL));
    for (; event.at; event = json_next(event))
        if (json_is(event, "type", "m.direct"))
            rooms_read_directs(m->known, p->a, json_at(event, "content"));
    if (moved) /* else a server that repeats itself has them joined or left without end */
        read_rooms(p, json_at(rooms, "invite"), read_invited);
    read_rooms(p, json_at(rooms, "join"), read_joined);
    read_rooms(p, json_at(rooms, "leave"), read_left);
    events_crowded(p);
    m->synced = true;
    return true;
}

bool sync_read(struct polled *p)
{
    struct matrix *m = p->m;
    if (m->step == STEP_DIRECTS)
        return read_directs(p);
    if (m->keys.trouble[0] && !m->keys.off)
        return polled_fatal(p, "%s", m->keys.trouble);
    if (m->step == STEP_KEYS)
        return crypto_poll_read(p);
    if (m->step == STEP_ACTION)
        return room_actions_read(p);
    return read_sync(p);
}
