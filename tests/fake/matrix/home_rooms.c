/* Rooms, their members and power levels; calls of the bot in rooms, and their rate limits. */
#include "home_internal.h"

#include <assert.h>

enum { LEVEL_OWNER = 100, LEVEL_ADMIN = 50, LEVEL_ABOVE_ALL = 1000000 };
/* Requests sent before the client read the refusal do not count as early. */
enum { IN_FLIGHT_MS = 250 };
static const double ROOMS_PER_SECOND = 0.016, ROOMS_BURST = 10;

/* ---- look-ups ---- */

struct user *home_find_user(struct home *h, const char *id)
{
    for (int i = 0; i < h->n_users; i++)
        if (strcmp(h->user[i].id, id) == 0)
            return &h->user[i];
    return NULL;
}

struct mx_room *home_find_room(struct home *h, const char *id)
{
    for (int i = 0; i < h->n_rooms; i++)
        if (strcmp(h->room[i].id, id) == 0)
            return &h->room[i];
    return NULL;
}

struct mx_event *home_state(struct home *h, const struct mx_room *room, const char *type,
                            const char *key, int end)
{
    for (int i = end - 1; i >= 0; i--) {
        struct mx_event *e = &h->event[i];
        if (e->room == room && e->key && strcmp(e->key, key) == 0 && strcmp(e->type, type) == 0)
            return e;
    }
    return NULL;
}

const char *home_member(struct home *h, const struct mx_room *room, const char *user, int end)
{
    const struct mx_event *e = home_state(h, room, "m.room.member", user, end);
    return e ? js_text(e->content, "membership") : "leave";
}

bool home_is_in(struct home *h, const struct mx_room *room, const char *user)
{
    return strcmp(home_member(h, room, user, h->n_events), "join") == 0;
}

int home_number(struct home *h, const char *event_id)
{
    for (int i = h->n_events - 1; i >= 0; i--)
        if (strcmp(h->event[i].id, event_id) == 0)
            return i;
    return -1;
}

cJSON *home_client_event(const struct home *h, const struct mx_event *e, const struct token *reader)
{
    bool own = e->txn && reader && e->device && strcmp(e->device, reader->device) == 0 &&
               strcmp(e->sender, reader->user->id) == 0;
    cJSON *o = js_make("{'event_id':%s,'room_id':%s,'sender':%s,'type':%s,'content':%p,"
                       "'origin_server_ts':%lld,'unsigned':{'age':%lld}}",
                       e->id, e->room->id, e->sender, e->type,
                       e->redacted ? NULL : (const void *)e->content, (long long)e->at,
                       (long long)(home_now(h) - e->at));
    cJSON *more = cJSON_GetObjectItemCaseSensitive(o, "unsigned");
    if (e->key)
        cJSON_AddStringToObject(o, "state_key", e->key);
    if (e->redacts)
        cJSON_AddStringToObject(o, "redacts", e->redacts);
    if (e->before)
        cJSON_AddItemToObject(more, "prev_content", cJSON_Duplicate(e->before, true));
    if (own)
        cJSON_AddStringToObject(more, "transaction_id", e->txn);
    return o;
}

/* ---- changes ---- */

struct mx_event *home_add(struct home *h, struct mx_room *room, const char *sender,
                          const char *type, const char *key, cJSON *content)
{
    assert(h->n_events < MOST_EVENTS);
    const struct mx_event *before =
        key && room ? home_state(h, room, type, key, h->n_events) : NULL;
    struct mx_event *e = &h->event[h->n_events++];
    struct user *user = home_find_user(h, sender);
    uint64_t own = str_hash(str_of(sender)) + (uint64_t)++user->n_events;
    *e = (struct mx_event){.id = home_name(h, "$", own),
                           .room = room,
                           .sender = home_keep(h, sender),
                           .type = home_keep(h, type),
                           .key = key ? home_keep(h, key) : NULL,
                           .content = content,
                           .before = before ? before->content : NULL,
                           .at = home_now(h)};
    serve_wake(h->serve);
    return e;
}

void home_set_member(struct home *h, struct mx_room *room, const char *sender, const char *who,
                     const char *membership, bool direct)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(who + 1, ":"), who + 1);
    name[0] &= (char)~0x20; /* "Ann" */
    home_add(h, room, sender, "m.room.member", who,
             js_make("{'membership':%s,'displayname':%s%-s}", membership, name,
                     direct ? ",\"is_direct\":true" : ""));
}

static bool is_new(const char *version)
{
    return strtol(version, NULL, 10) >= 12;
}

struct mx_room *home_new_room(struct home *h, const char *creator, const char *from)
{
    assert(h->n_rooms < MOST_ROOMS);
    struct mx_room *room = &h->room[h->n_rooms++];
    room->version = h->setup.version;
    room->creator = home_keep(h, creator);
    room->id = home_secret(h, "!");
    if (!is_new(room->version))
        room->id = home_print(h, "%.19s:koi.test", room->id);
    bool new = is_new(room->version);
    cJSON *content = js_make("{'room_version':%s}", room->version);
    if (!new)
        cJSON_AddStringToObject(content, "creator", creator);
    if (from)
        cJSON_AddItemToObject(content, "predecessor", js_make("{'room_id':%s}", from));
    home_add(h, room, creator, "m.room.create", "", content);
    home_set_member(h, room, creator, creator, "join", false);
    content = js_make("{'users':{},'users_default':0,'events_default':0,'state_default':%d,"
                      "'events':{'m.room.tombstone':%d}}",
                      LEVEL_ADMIN, new ? LEVEL_OWNER * 3 / 2 : LEVEL_OWNER);
    if (!new)
        cJSON_AddNumberToObject(cJSON_GetObjectItem(content, "users"), creator, LEVEL_OWNER);
    home_add(h, room, creator, "m.room.power_levels", "", content);
    return room;
}

int64_t home_level(struct home *h, const struct mx_room *room, const char *user)
{
    const struct mx_event *e = home_state(h, room, "m.room.power_levels", "", h->n_events);
    const cJSON *own = js_at(js_at(e->content, "users"), user);
    if (is_new(room->version) && strcmp(room->creator, user) == 0)
        return LEVEL_ABOVE_ALL;
    return own ? (int64_t)own->valuedouble : js_number(e->content, "users_default");
}

bool home_may(struct home *h, const struct mx_room *room, const char *user, bool state)
{
    const struct mx_event *e = home_state(h, room, "m.room.power_levels", "", h->n_events);
    return home_is_in(h, room, user) &&
           home_level(h, room, user) >=
               js_number(e->content, state ? "state_default" : "events_default");
}

void home_create_state(struct home *h, struct mx_room *room, const char *preset, const cJSON *extra)
{
    bool open = strcmp(preset, "public_chat") == 0;
    home_add(h, room, room->creator, "m.room.join_rules", "",
             js_make("{'join_rule':%s}", open ? "public" : "invite"));
    if ((h->setup.encrypts && !open) || h->setup.encrypts_all)
        home_add(h, room, room->creator, "m.room.encryption", "",
                 js_make("{'algorithm':'m.megolm.v1.aes-sha2'}"));
    const cJSON *one;
    cJSON_ArrayForEach(one, extra)
        home_add(h, room, room->creator, js_text(one, "type"), js_text(one, "state_key"),
                 cJSON_Duplicate(js_at(one, "content"), true));
}

/* ---- limits ---- */

/* Takes one from the bucket. If it is empty, refuses the call with the time to wait and returns
 * false. */
static bool take_from(struct mx_call *c, struct mx_bucket *b, double per_second, double burst)
{
    int64_t now = home_now(c->h);
    if (per_second <= 0)
        return true;
    if (!b->filled)
        *b = (struct mx_bucket){burst, now, b->refused_at, b->until, true};
    b->left += (double)(now - b->at) / 1000 * per_second;
    b->at = now;
    if (b->left > burst)
        b->left = burst;
    if (b->left >= 1) {
        b->left -= 1;
        return true;
    }
    int64_t wait = (int64_t)((1 - b->left) / per_second * 1000) + 1;
    call_refuse(c, 429, "M_LIMIT_EXCEEDED", "Too Many Requests");
    cJSON_AddNumberToObject(c->answer, "retry_after_ms", (double)wait);
    snprintf(c->header, sizeof c->header, "Retry-After: %lld\r\n", (long long)(wait + 999) / 1000);
    b->refused_at = now;
    b->until = now + wait;
    c->h->count.limited++;
    return false;
}

static bool take_event(struct mx_call *c)
{
    struct mx_bucket *b = &c->token->user->events;
    int64_t now = home_now(c->h);
    if (now < b->until && now > b->refused_at + IN_FLIGHT_MS)
        c->h->count.early++;
    return take_from(c, b, c->h->setup.per_second, c->h->setup.burst);
}

/* ---- endpoints ---- */

static void invite(struct mx_call *c, struct mx_room *room, const char *who, bool direct)
{
    struct user *user = home_find_user(c->h, who);
    if (!user)
        call_refuse(c, 400, "M_BAD_JSON", "Not a user id of this server");
    else if (user->blocks)
        call_refuse(c, 403, "M_INVITE_BLOCKED", "This user has blocked invites");
    else
        home_set_member(c->h, room, c->token->user->id, who, "invite", direct);
}

void do_create(struct mx_call *c)
{
    struct home *h = c->h;
    const char *preset = js_text(c->body, "preset"), *me = c->token->user->id;
    const cJSON *invited = js_at(c->body, "invite"), *who;
    if (!take_event(c) || !take_from(c, &c->token->user->rooms,
                                     h->setup.per_second > 0 ? ROOMS_PER_SECOND : 0, ROOMS_BURST))
        return;
    cJSON_ArrayForEach(who, invited)
    {
        struct user *user = home_find_user(h, who->valuestring);
        if (user && user->blocks) {
            call_refuse(c, 403, "M_INVITE_BLOCKED", "This user has blocked invites");
            return;
        }
    }
    if (strcmp(preset, "private_chat") != 0 && strcmp(preset, "public_chat") != 0)
        home_problem(h, "createRoom with the preset \"%s\"", preset);
    struct mx_room *room = home_new_room(h, me, NULL);
    h->count.rooms_made++;
    home_create_state(h, room, preset, js_at(c->body, "initial_state"));
    if (*js_text(c->body, "name"))
        home_add(h, room, me, "m.room.name", "", js_make("{'name':%s}", js_text(c->body, "name")));
    cJSON_ArrayForEach(who, invited)
        invite(c, room, who->valuestring, js_true(c->body, "is_direct"));
    if (c->status == 200)
        c->answer = js_make("{'room_id':%s}", room->id);
}

/* The room of the path if the caller is a member; else refuses and returns NULL. */
static struct mx_room *own_room(struct mx_call *c)
{
    struct mx_room *room = home_find_room(c->h, c->part[0]);
    if (room && home_is_in(c->h, room, c->token->user->id))
        return room;
    call_refuse(c, 403, "M_FORBIDDEN", "User not in room");
    return NULL;
}

void do_join(struct mx_call *c)
{
    struct mx_room *room = home_find_room(c->h, c->part[0]);
    const char *me = c->token->user->id;
    bool found = false; /* a server finds its way into a room through those who are in */
    for (int i = 0; i < c->h->n_users && room; i++)
        found |= home_is_in(c->h, room, c->h->user[i].id);
    if (!found) {
        call_refuse(c, 404, "M_NOT_FOUND", "No known servers");
        return;
    }
    const char *was = home_member(c->h, room, me, c->h->n_events);
    const struct mx_event *rule = home_state(c->h, room, "m.room.join_rules", "", c->h->n_events);
    bool open = rule && strcmp(js_text(rule->content, "join_rule"), "public") == 0;
    if (strcmp(was, "ban") == 0 || (strcmp(was, "leave") == 0 && !open)) {
        call_refuse(c, 403, "M_FORBIDDEN", "You are not invited to this room.");
        return;
    }
    if (strcmp(was, "join") != 0)
        home_set_member(c->h, room, me, me, "join", false);
    c->answer = js_make("{'room_id':%s}", room->id);
}

void do_invite(struct mx_call *c)
{
    struct mx_room *room = own_room(c);
    if (room)
        invite(c, room, js_text(c->body, "user_id"), false);
}

/* Takes no event of the limit. */
void do_typing(struct mx_call *c)
{
    if (own_room(c) && strcmp(c->part[1], c->token->user->id) != 0)
        call_refuse(c, 403, "M_FORBIDDEN", "Cannot set another user's typing state");
}

void do_leave(struct mx_call *c)
{
    struct mx_room *room = home_find_room(c->h, c->part[0]);
    const char *me = c->token->user->id;
    const char *was = room ? home_member(c->h, room, me, c->h->n_events) : "leave";
    if (strcmp(was, "leave") == 0)
        call_refuse(c, 403, "M_FORBIDDEN", "User not in room");
    else if (strcmp(was, "invite") == 0 || take_event(c))
        home_set_member(c->h, room, me, me, "leave", false);
}

/* Takes an invitation back, or puts a member out. */
void do_kick(struct mx_call *c)
{
    struct mx_room *room = own_room(c);
    const char *who = js_text(c->body, "user_id");
    if (!room)
        return;
    if (strcmp(home_member(c->h, room, who, c->h->n_events), "leave") == 0 ||
        !home_may(c->h, room, c->token->user->id, true) ||
        home_level(c->h, room, c->token->user->id) <= home_level(c->h, room, who))
        call_refuse(c, 403, "M_FORBIDDEN", "You cannot kick that user");
    else if (take_event(c))
        home_set_member(c->h, room, c->token->user->id, who, "leave", false);
}

void do_forget(struct mx_call *c)
{
    struct mx_room *room = home_find_room(c->h, c->part[0]);
    if (room && home_is_in(c->h, room, c->token->user->id))
        call_refuse(c, 400, "M_UNKNOWN", "User is in the room");
}

/* The event of an earlier request with this transaction id, from the same device in the same room.
 * Returns NULL if it is new. */
static struct mx_event *put_before(struct mx_call *c, const struct mx_room *room, const char *type,
                                   const char *txn)
{
    for (int i = c->h->n_events - 1; i >= 0; i--) {
        struct mx_event *e = &c->h->event[i];
        if (e->txn && e->room == room && strcmp(e->txn, txn) == 0 && strcmp(e->type, type) == 0 &&
            strcmp(e->device, c->token->device) == 0)
            return e;
    }
    return NULL;
}

static void put(struct mx_call *c, struct mx_room *room, const char *type, const char *txn,
                const char *redacts)
{
    struct home *h = c->h;
    struct mx_event *e = put_before(c, room, type, txn);
    if (e) {
        h->count.repeated++;
        if (!cJSON_Compare(e->content, c->body, true))
            home_problem(h, "transaction %s came again as something else", txn);
    } else if (!take_event(c)) {
        return;
    } else if (!home_may(h, room, c->token->user->id, false)) {
        call_refuse(c, 403, "M_FORBIDDEN", "You don't have permission to post that to the room.");
        return;
    } else {
        check_content(c, room, type, c->body);
        e = home_add(h, room, c->token->user->id, type, NULL, cJSON_Duplicate(c->body, true));
        e->txn = home_keep(h, txn);
        e->device = c->token->device;
        e->redacts = redacts;
        h->count.sent++;
    }
    c->answer = js_make("{'event_id':%s}", e->id);
}

void do_send(struct mx_call *c)
{
    struct mx_room *room = own_room(c);
    if (room)
        put(c, room, c->part[1], c->part[2], NULL);
}

void do_redact(struct mx_call *c)
{
    struct mx_room *room = own_room(c);
    int target = room ? home_number(c->h, c->part[1]) : -1;
    if (room && (target < 0 || c->h->event[target].room != room)) {
        call_refuse(c, 404, "M_NOT_FOUND", "Could not find event");
        return;
    }
    if (room)
        put(c, room, "m.room.redaction", c->part[2], home_keep(c->h, c->part[1]));
    if (room && c->status == 200)
        c->h->event[target].redacted = true;
}

void do_state(struct mx_call *c)
{
    struct mx_room *room = own_room(c);
    struct mx_event *e =
        room ? home_state(c->h, room, c->part[1], c->part[2], c->h->n_events) : NULL;
    if (e)
        c->answer = cJSON_Duplicate(e->content, true);
    else if (room)
        call_refuse(c, 404, "M_NOT_FOUND", "Event not found.");
}

void do_members(struct mx_call *c)
{
    struct home *h = c->h;
    struct mx_room *room = own_room(c);
    const char *without = call_field(c, c->asked->query, "not_membership");
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; room && i < h->n_users; i++) {
        const struct mx_event *e = home_state(h, room, "m.room.member", h->user[i].id, h->n_events);
        if (e && (!without || strcmp(js_text(e->content, "membership"), without) != 0))
            cJSON_AddItemToArray(list, home_client_event(h, e, c->token));
    }
    if (room)
        c->answer = js_make("{'chunk':%p}", (void *)list);
    cJSON_Delete(list);
}

/* A new address, still without bytes. */
static struct media *reserve(struct home *h)
{
    struct media *m = &h->media[h->n_media++ % MOST_MEDIA];
    *m = (struct media){.mxc = home_secret(h, "mxc://koi.test/")};
    return m;
}

static struct media *find_media(struct home *h, const char *mxc)
{
    for (int i = 0; i < h->n_media && i < MOST_MEDIA; i++)
        if (strcmp(h->media[i].mxc, mxc) == 0)
            return &h->media[i];
    return NULL;
}

void do_reserve(struct mx_call *c)
{
    c->answer = js_make("{'content_uri':%s}", reserve(c->h)->mxc);
}

/* Without an address in its path it gets a new one. */
void do_upload(struct mx_call *c)
{
    struct home *h = c->h;
    struct str bytes = {c->asked->body, c->asked->n};
    struct media *m = c->part[1]
                          ? find_media(h, home_print(h, "mxc://%s/%s", c->part[0], c->part[1]))
                          : reserve(h);
    if (!m || m->hash) {
        call_refuse(c, m ? 409 : 404, m ? "M_CANNOT_OVERWRITE_MEDIA" : "M_NOT_FOUND", "Not here");
        return;
    }
    if (!str_starts(bytes, STR("\x89PNG\r\n\x1a\n")) && !str_starts(bytes, STR("{\"t\":\"match\"")))
        home_problem(h, "an upload that is neither a picture nor a record");
    uint64_t hash = str_hash(bytes);
    bool known = false;
    for (int i = 0; i < h->n_media && i < MOST_MEDIA; i++)
        known |= h->media[i].hash == hash;
    h->count.uploads++;
    h->count.doubled += known;
    m->hash = hash;
    if (c->part[1])
        c->answer = cJSON_CreateObject();
    else
        c->answer = js_make("{'content_uri':%s}", m->mxc);
}

void do_profile(struct mx_call *c)
{
    const struct user *user = home_find_user(c->h, c->part[0]);
    if (!user) {
        call_refuse(c, 404, "M_NOT_FOUND", "Profile was not found");
        return;
    }
    c->answer = js_make("{'displayname':%s}", user->name);
    if (*user->picture)
        cJSON_AddStringToObject(c->answer, "avatar_url", user->picture);
}

bool home_names_media(struct home *h, const char *mxc)
{
    struct media *m = find_media(h, mxc);
    if (m)
        m->named = true;
    return m != NULL;
}

int home_awaited(const struct home *h)
{
    int n = 0;
    for (int i = 0; i < h->n_media && i < MOST_MEDIA; i++)
        n += h->media[i].named && !h->media[i].hash;
    return n;
}

void do_set_profile(struct mx_call *c)
{
    struct user *user = c->token->user;
    const char *value = js_text(c->body, c->part[1]);
    if (strcmp(c->part[0], user->id) != 0)
        call_refuse(c, 403, "M_FORBIDDEN", "Cannot set the profile of other users.");
    else if (strcmp(c->part[1], "displayname") == 0)
        user->name = home_keep(c->h, value);
    else if (strcmp(c->part[1], "avatar_url") == 0) {
        if (!home_names_media(c->h, value))
            home_problem(c->h, "a picture of the account that was not uploaded: %s", value);
        user->picture = home_keep(c->h, value);
    } else
        home_problem(c->h, "a field of the profile that is not known: %s", c->part[1]);
}

struct home_profile home_profile(struct home *h, const char *user)
{
    HOLD(&h->lock);
    const struct user *u = home_find_user(h, user);
    return (struct home_profile){u->name, u->picture};
}
