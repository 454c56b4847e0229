/* The events of a room, and the encrypted ones that waited for a key: see sync.c. Reactions are
 * never encrypted, nor is state. "unread TAB room" holds whose event was said to be unreadable
 * there. An event that has waited YOUNG_MS is said to be unreadable; one that has waited an hour is
 * given up. */
#include "crypto.h"
#include "polled.h"

enum { WAITING_MOST = 200, YOUNG_MS = 60 * 1000, WAIT_MOST_MS = 3600 * 1000 };

static const char *unread_name(struct arena *a, const struct room *room)
{
    return arena_print(a, "unread\t%.*s", STR_ARG(room->id)).p;
}

/* True if the person has no device that reads what is encrypted, as far as is known: what is said in
 * the room does not reach them either. */
static bool is_unable(struct polled *p, struct str who)
{
    struct crypto_request first;
    struct err err;
    bool able = true;
    return crypto_able(p->m, p->a, who, &first, &able, &err) && first.kind.n == 0 && !able;
}

/* Says that an event cannot be opened, unless one in this room was said and its sender's next one
 * has not been opened since. Whoever cannot read there hears it in another private chat. */
static void say_unread(struct polled *p, struct room *room, struct json event)
{
    const char *name = unread_name(p->a, room);
    struct str id = wire_id(p->a, event, "event_id"), who = wire_id(p->a, event, "sender");
    struct event_context at = {.room = room};
    if (crypto_value(p->m, p->a, name).n > 0 || !wire_is_user_id(who) || !wire_is_event_id(id))
        return;
    bool unable = is_unable(p, who);
    crypto_set_value(p->m, name, who);
    room->deaf |= unable && str_is(room->with, who);
    struct update *u = polled_add(p);
    *u = read_rights(p->a, room, unable ? "unable" : "unread", read_sender(p->a, &at, who));
    u->id = arena_print(p->a, "unread:%.*s", STR_ARG(id));
    u->direct = room->with.n > 0;
}

static void was_opened(struct polled *p, struct room *room, struct json event)
{
    const char *name = unread_name(p->a, room);
    struct str who = crypto_value(p->m, p->a, name);
    if (who.n > 0 && json_is_str(event, "sender", who)) {
        crypto_remove_value(p->m, name);
        room->deaf = false;
    }
}

/* An event that waits: {since, told, event}, under "wait TAB room TAB event id". */
static void keep_event(struct polled *p, const char *name, int64_t since, bool told,
                       struct json event)
{
    struct str text = json_print(p->a, event);
    struct buf b = wire_object(p->a, text.n);
    json_put_int(&b, "since", since);
    json_put_bool(&b, "told", told);
    json_put_name(&b, "event");
    buf_put(&b, text);
    buf_char(&b, '}');
    crypto_set_value(p->m, name, buf_str(&b));
}

/* True if the event is to be read: what was encrypted in it, if *ret is set, which json_free frees;
 * else as it is. False: its key has not come and it waits in the vault; or it never opens, which is
 * said; or somebody sent in the clear what is encrypted in this room. What looks encrypted in a
 * plain room is not: only the room's state makes it encrypted. */
static bool open_event(struct polled *p, struct room *room, struct json event, struct json *ret)
{
    struct matrix *m = p->m;
    bool wait = false;
    *ret = (struct json){0};
    if (!m->crypto)
        return true;
    if (!json_is(event, "type", "m.room.encrypted"))
        return !room->encrypted ||
               !(json_is(event, "type", "m.room.message") || wire_is_vote(event));
    if (!room->encrypted || json_is_str(event, "sender", m->session.user))
        return false;
    *ret = crypto_decrypt(m, p->a, room->id, event, &wait);
    bool opened = json_at(*ret, "event").at, again = json_bool(*ret, "again");
    if (opened) {
        was_opened(p, room, event);
        return true;
    }
    json_free(*ret);
    *ret = (struct json){0};
    struct str id = wire_id(p->a, event, "event_id");
    if (again)
        return false; /* somebody sent another event's ciphertext once more */
    if (!wait) {
        say_unread(p, room, event);
    } else if (m->keys.waiting < WAITING_MOST && wire_is_event_id(id)) {
        struct str name = arena_print(p->a, "wait\t%.*s\t%.*s", STR_ARG(room->id), STR_ARG(id));
        keep_event(p, name.p, m->now, false, event);
        m->keys.waiting++;
        m->keys.young++;
    }
    return false;
}

/* ---- those that waited ---- */

struct waiting_names {
    struct arena *a;
    int n, cap;
    struct str *name, *value;
};

static void collect(void *to, struct str name, struct str value)
{
    struct waiting_names *w = to;
    if (w->n == w->cap)
        return;
    w->name[w->n] = arena_str(w->a, name);
    w->value[w->n++] = arena_str(w->a, value);
}

/* True if it waits no longer. */
static bool read_again(struct polled *p, struct str name, struct json kept)
{
    struct matrix *m = p->m;
    struct str rest;
    struct json event = json_at(kept, "event");
    int64_t since = json_number(kept, "since"), waited = m->now - since;
    bool wait = false;
    str_cut(name, '\t', &rest); /* "wait TAB room TAB event id" */
    struct room *room = rooms_find(m->known, str_cut(rest, '\t', &rest));
    if (!room)
        return waited > WAIT_MOST_MS;
    struct json answer = crypto_decrypt(m, p->a, room->id, event, &wait);
    struct json opened = json_at(answer, "event");
    bool good = opened.at, again = json_bool(answer, "again");
    if (good) {
        struct event_context at = {.room = room};
        was_opened(p, room, event);
        read_take(p, &at, opened);
    }
    json_free(answer);
    if (good || again)
        return true;
    bool young = wait && waited <= YOUNG_MS;
    m->keys.young += young;
    if (!young && !json_bool(kept, "told")) {
        say_unread(p, room, event);
        keep_event(p, name.p, since, true, event);
    }
    return !wait || waited > WAIT_MOST_MS;
}

void events_take_waiting(struct polled *p, struct json sync)
{
    enum { MOST = 256 };
    struct matrix *m = p->m;
    if (!m->crypto)
        return;
    m->keys.refused = false;
    m->keys.young = 0;
    crypto_sync(m, p->a, sync);
    if (m->keys.waiting == 0)
        return;
    struct waiting_names w = {.a = p->a, .cap = MOST};
    w.name = arena_array(p->a, struct str, MOST);
    w.value = arena_array(p->a, struct str, MOST);
    crypto_list(m, "wait\t", &w, collect);
    m->keys.waiting = w.n;
    for (int i = 0; i < w.n; i++) {
        struct json kept = json_open(w.value[i], JSON_LOOSE);
        bool over = read_again(p, w.name[i], kept);
        json_free(kept);
        if (!over)
            continue;
        crypto_remove_value(m, w.name[i].p);
        m->keys.waiting--;
    }
}

/* ---- a timeline ---- */

/* A third person in a private chat sees what is written there: it is a private chat no longer, in
 * m.direct neither. `when` makes the update's id unique. */
static void say_crowded(struct polled *p, struct room *room, struct str when)
{
    rooms_set(p->m->known, &room->with, STR(""));
    room->crowded = false;
    cursor_add_action(
        p->next, (struct room_action){.kind = ACTION_DIRECT, .room = arena_str(p->a, room->id)});
    struct update *u = polled_add(p);
    *u = read_rights(p->a, room, "crowded", (struct sender){0});
    u->id = when;
}

static void read_company(struct polled *p, struct room *room, struct json event)
{
    struct str who = wire_id(p->a, event, "state_key");
    if (room->with.n > 0 && wire_is_in(event) && wire_is_member(event) &&
        !str_is(who, room->with) && !str_is(who, p->m->session.user))
        say_crowded(p, room, wire_id(p->a, event, "event_id"));
}

void private_chat_moves(struct polled *p, struct room *left, const struct room *to)
{
    if (!left || !to || left == to)
        return;
    struct update *u = polled_add(p);
    u->kind = UPDATE_MOVED;
    u->id = arena_print(p->a, "moved:%.*s:%.*s", STR_ARG(left->id), STR_ARG(to->id));
    u->chat = arena_str(p->a, left->id);
    u->text = arena_str(p->a, to->id);
    u->direct = true;
    rooms_set(p->m->known, &left->with, STR(""));
    cursor_add_action(
        p->next, (struct room_action){.kind = ACTION_LEAVE, .room = arena_str(p->a, left->id)});
}

void events_crowded(struct polled *p)
{
    for (struct room *room; (room = rooms_crowded(p->m->known));)
        say_crowded(p, room,
                    arena_print(p->a, "crowded:%.*s:%.*s", STR_ARG(room->id),
                                STR_ARG(p->m->session.since)));
}

/* ---- a greeting, and the right to write ---- */

/* The sender of our invite, as remembered, or if it is among the events. */
static struct sender inviter(const struct polled *p, const struct event_context *at)
{
    struct str who = arena_str(p->a, at->room->inviter);
    for (struct json event = json_first(at->more); event.at; event = json_next(event)) {
        if (wire_is_member(event) && json_is_str(event, "state_key", p->m->session.user) &&
            json_is(json_at(event, "content"), "membership", "invite"))
            who = wire_id(p->a, event, "sender");
    }
    return wire_is_user_id(who) ? read_sender(p->a, at, who) : (struct sender){0};
}

/* The rooms that wait for a greeting; of too many the first gives way. */
static void add_silent(struct matrix_session *s, struct str room)
{
    if (s->n_silent == MAX_FRESH)
        memmove(s->silent, s->silent + 1, (size_t)--s->n_silent * sizeof *s->silent);
    s->silent[s->n_silent++] = room;
}

static bool drop_silent(struct matrix_session *s, struct str room)
{
    for (int i = 0; i < s->n_silent; i++)
        if (str_is(s->silent[i], room)) {
            s->silent[i] = s->silent[--s->n_silent];
            return true;
        }
    return false;
}

void events_joined(struct polled *p, const struct event_context *at)
{
    struct room *room = at->room;
    struct update closed;
    (void)drop_silent(p->next, room->id);
    if (!room_may_write(room, p->m->session.user)) {
        struct update *u = polled_add(p);
        *u = read_rights(p->a, room, "mute", inviter(p, at));
        u->id = arena_print(p->a, "%.*s:%.*s", STR_ARG(u->id), STR_ARG(p->m->session.since));
        add_silent(p->next, arena_str(p->a, room->id));
    } else if (!room->encrypted || p->m->crypto) {
        polled_add_joined(p, room, p->m->session.since);
    } else if (read_encrypted(p->a, room, inviter(p, at), &closed)) {
        *polled_add(p) = closed;
    }
}

void events_may_write(struct polled *p, const struct event_context *at, bool before,
                      struct str when)
{
    struct room *room = at->room;
    if (!room->joined || !room_may_write(room, p->m->session.user))
        return;
    if (drop_silent(p->next, room->id)) {
        events_joined(p, at);
    } else if (!before) {
        struct update *u = polled_add(p);
        *u = read_rights(p->a, room, "write", (struct sender){0});
        u->id = arena_print(p->a, "%.*s:%.*s", STR_ARG(u->id), STR_ARG(when));
        u->direct = room->with.n > 0;
    }
}

/* ---- its state ---- */

/* The room was replaced. Counts only if the sender has the power; ACTION_PROVE then checks that the
 * new room names the old one. */
static bool read_tombstone(struct polled *p, const struct room *room, struct json event)
{
    struct str by = wire_id(p->a, event, "sender");
    struct str to = wire_id(p->a, json_at(event, "content"), "replacement_room");
    bool counts = json_is(event, "type", "m.room.tombstone") && json_is(event, "state_key", "") &&
                  wire_is_room_id(to) && wire_is_user_id(by) && !str_is(to, room->id) &&
                  room_level(room, by) >= room->tombstone;
    return counts &&
           cursor_add_action(p->next, (struct room_action){.kind = ACTION_FOLLOW,
                                                           .room = arena_str(p->a, room->id),
                                                           .to = to,
                                                           .at = wire_server_of(by)});
}

bool events_replaced(struct polled *p, const struct room *room, struct json events, int n)
{
    bool found = false;
    struct json event = json_first(events);
    for (int i = 0; event.at && !found && i != n; event = json_next(event), i++)
        found = read_tombstone(p, room, event);
    return found;
}

void events_read(struct polled *p, const struct event_context *at, struct json events, int first)
{
    int i = 0;
    for (struct json event = json_first(events); event.at; event = json_next(event)) {
        struct json opened;
        if (i++ < first)
            continue;
        if (!polled_count(p)) {
            at->room->plain = false; /* the rest may encrypt it */
            return;
        }
        if (!open_event(p, at->room, event, &opened))
            continue;
        read_take(p, at, opened.at ? json_at(opened, "event") : event);
        json_free(opened);
        (void)read_tombstone(p, at->room, event);
        if (json_at(event, "state_key").at) {
            struct str self = p->m->session.user;
            bool before = room_may_write(at->room, self);
            read_company(p, at->room, event);
            room_read_state(p->m->known, p->a, self, at->room, event);
            if (at->room->left && wire_is_member(event) &&
                json_is_str(event, "state_key", at->room->with)) {
                /* the person of a private chat has left it, and may have another with us */
                struct room *other = rooms_with(p->m->known, at->room->with);
                private_chat_moves(p, at->room, other && !other->left ? other : NULL);
            }
            events_may_write(p, at, before, wire_id(p->a, event, "event_id"));
        }
    }
}
