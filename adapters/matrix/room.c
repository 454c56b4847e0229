/* See room.h. The table lives in an arena of its own; once replaced strings have filled it, the
 * live ones are copied into a new arena. */
#include "room.h"

#include "alloc.h"

#include <assert.h>

enum { ARENA_CEILING = 256 * 1024 * 1024, TIDY_AT = 4 * 1024 * 1024 };

struct rooms {
    struct arena *arena;
    struct room *at;
    int n, cap;
    int32_t *slot; /* hash table of 2 * cap indices, -1 = free */
    size_t clean;  /* bytes in use right after the last tidying */
    size_t bytes;  /* of strings, with those replaced since then */
};

static void rooms_make(struct rooms *rs, int cap)
{
    rs->arena = arena_open(ARENA_CEILING);
    rs->at = arena_array(rs->arena, struct room, (size_t)cap);
    rs->slot = arena_array(rs->arena, int32_t, 2 * (size_t)cap);
    memset(rs->slot, -1, 2 * (size_t)cap * sizeof *rs->slot);
    rs->cap = cap;
    rs->n = 0;
}

static int32_t *slot_of(const struct rooms *rs, struct str id)
{
    uint64_t size = 2 * (uint64_t)rs->cap;
    for (uint64_t i = str_hash(id) % size;; i = (i + 1) % size)
        if (rs->slot[i] < 0 || str_is(rs->at[rs->slot[i]].id, id))
            return &rs->slot[i];
}

struct rooms *rooms_open(void)
{
    struct rooms *rs = alloc_zeroed(sizeof *rs);
    rooms_make(rs, 64);
    return rs;
}

void rooms_close(struct rooms *rs)
{
    if (!rs)
        return;
    arena_close(rs->arena);
    free(rs);
}

static struct str keep(struct rooms *rs, struct str s)
{
    if (s.n == 0 || rs->bytes + s.n > ROOM_BYTES)
        return STR("");
    rs->bytes += s.n + sizeof(max_align_t); /* with the NUL and the padding of the arena */
    return arena_str(rs->arena, s);
}

void rooms_set(struct rooms *rs, struct str *field, struct str value)
{
    if (!str_is(*field, value))
        *field = keep(rs, value);
}

/* Copies the table into one for `cap` rooms. */
static void rooms_move(struct rooms *rs, int cap)
{
    struct rooms old = *rs;
    rooms_make(rs, cap);
    rs->bytes = 0;
    for (int i = 0; i < old.n; i++) {
        struct room *r = &rs->at[i];
        *r = old.at[i];
        struct str *const texts[] = {&r->id,    &r->name,    &r->with,  &r->creators, &r->levels,
                                     &r->names, &r->inviter, &r->moved, &r->members,  &r->bots};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            *texts[k] = keep(rs, *texts[k]);
        *slot_of(rs, r->id) = i;
        rs->n++;
    }
    arena_close(old.arena);
    rs->clean = arena_used(rs->arena);
}

void rooms_tidy(struct rooms *rs)
{
    if (arena_used(rs->arena) > 2 * rs->clean + TIDY_AT)
        rooms_move(rs, rs->cap);
}

struct room *rooms_find(struct rooms *rs, struct str id)
{
    int32_t i = *slot_of(rs, id);
    return i < 0 ? NULL : &rs->at[i];
}

struct room *rooms_get(struct rooms *rs, struct str id)
{
    struct room *known = rooms_find(rs, id);
    if (known || rs->n == MAX_ROOMS || rs->bytes + id.n > ROOM_BYTES)
        return known;
    if (rs->n == rs->cap)
        rooms_move(rs, 2 * rs->cap);
    assert(rs->at && rs->n < rs->cap);
    *slot_of(rs, id) = rs->n;
    struct room *r = &rs->at[rs->n++];
    *r = (struct room){
        .id = keep(rs, id), .state_default = LEVEL_ADMIN, .tombstone = 2 * LEVEL_ADMIN};
    return r;
}

struct room *rooms_with(struct rooms *rs, struct str user)
{
    struct room *best = NULL;
    for (int i = 0; i < rs->n; i++)
        if (rs->at[i].joined && !rs->at[i].crowded && !rs->at[i].deaf &&
            str_is(rs->at[i].with, user) &&
            (!best || (best->left && !rs->at[i].left) ||
             (best->left == rs->at[i].left && best->encrypted &&
              (!rs->at[i].encrypted || rs->at[i].ours))))
            best = &rs->at[i];
    return best;
}

struct room *rooms_left_by(struct rooms *rs, struct str user)
{
    for (int i = 0; i < rs->n; i++)
        if (rs->at[i].joined && rs->at[i].left && str_is(rs->at[i].with, user))
            return &rs->at[i];
    return NULL;
}

struct room *rooms_crowded(struct rooms *rs)
{
    for (int i = 0; i < rs->n; i++)
        if (rs->at[i].crowded && rs->at[i].with.n > 0)
            return &rs->at[i];
    return NULL;
}

int rooms_joined(const struct rooms *rs)
{
    int n = 0;
    for (int i = 0; i < rs->n; i++)
        n += rs->at[i].joined;
    return n;
}

static int by_person(const void *a, const void *b)
{
    const struct room *x = *(const struct room *const *)a, *y = *(const struct room *const *)b;
    size_t n = x->with.n < y->with.n ? x->with.n : y->with.n;
    int order = memcmp(x->with.p, y->with.p, n);
    return order != 0 ? order : (x->with.n > y->with.n) - (x->with.n < y->with.n);
}

void rooms_ask_directs(struct matrix *m, struct arena *a, struct str room_id, struct str with,
                       struct request *ret)
{
    struct rooms *rs = m->known;
    struct room *room = rooms_get(rs, room_id);
    if (room)
        rooms_set(rs, &room->with, with);
    const struct room **list = arena_array(a, const struct room *, (size_t)rs->n + 1);
    size_t n = 0, texts = 0;
    for (int i = 0; i < rs->n; i++)
        if (rs->at[i].with.n > 0) {
            texts += rs->at[i].with.n + rs->at[i].id.n + 2;
            list[n++] = &rs->at[i];
        }
    qsort(list, n, sizeof *list, by_person);
    struct buf b = wire_object(a, texts);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || !str_is(list[i]->with, list[i - 1]->with))
            json_put_open(&b, arena_str(a, list[i]->with).p, '[');
        json_put_str(&b, NULL, list[i]->id);
        if (i + 1 == n || !str_is(list[i]->with, list[i + 1]->with))
            buf_char(&b, ']');
    }
    wire_request_direct(m, a, "PUT", ret);
    wire_request_json(ret, &b);
}

void rooms_read_directs(struct rooms *rs, struct arena *a, struct json content)
{
    for (struct json ids = json_first(content); ids.at; ids = json_next(ids)) {
        struct str user = json_name(ids);
        if (!wire_is_user_id(user) || json_kind(ids) != JSON_LIST)
            continue;
        for (struct json id = json_first(ids); id.at; id = json_next(id)) {
            struct str room_id = wire_str(a, id, NULL);
            struct room *room = wire_is_room_id(room_id) ? rooms_get(rs, room_id) : NULL;
            if (!room)
                continue;
            rooms_set(rs, &room->with, user);
            room->noted = true;
        }
    }
}

/* Numbers in power levels of old rooms may be strings. */
static int64_t level_of(struct json v, const char *key, int64_t fallback)
{
    enum { MOST = 1000000000 };
    enum json_kind kind = json_kind(json_at(v, key));
    int64_t level = fallback;
    if (kind == JSON_NUMBER)
        return json_clamp(v, key, -MOST, MOST);
    if (kind == JSON_STRING && !str_int(json_str(v, key), &level))
        level = fallback;
    return level;
}

static void read_levels(struct rooms *rs, struct arena *a, struct room *room, struct json content)
{
    struct json events = json_at(content, "events"), users = json_at(content, "users");
    size_t size = 1;
    room->users_default = level_of(content, "users_default", 0);
    room->state_default = level_of(content, "state_default", LEVEL_ADMIN);
    room->tombstone = level_of(events, "m.room.tombstone", room->state_default);
    room->widget = level_of(events, WIDGET_TYPE, room->state_default);
    room->message = level_of(events, "m.room.message", level_of(content, "events_default", 0));
    for (struct json user = json_first(users); user.at; user = json_next(user))
        size += json_name(user).n + 24;
    if (size > 2 * MAX_LEVELS)
        return;
    struct buf b = {arena_alloc(a, size), 0, size, false};
    for (struct json user = json_first(users); user.at; user = json_next(user))
        if (wire_is_user_id(json_name(user))) /* items of a list have no names */
            buf_print(&b, "%.*s %lld\n", STR_ARG(json_name(user)),
                      (long long)level_of(user, NULL, room->users_default));
    rooms_set(rs, &room->levels, buf_str(&b));
}

/* Before version 12 the creator is a user in the power levels; since then the creator and
 * additional creators are above all levels. */
static void read_create(struct rooms *rs, struct arena *a, struct str self, struct room *room,
                        struct json event)
{
    room->ours = str_is(wire_id(a, event, "sender"), self);
    struct json content = json_at(event, "content");
    struct str version = wire_str(a, content, "room_version");
    int64_t number = 0;
    if (!str_int(version, &number) || number < 12) {
        if (room->levels.n == 0)
            rooms_set(rs, &room->levels,
                      arena_print(a, "%.*s 100\n", STR_ARG(wire_id(a, event, "sender"))));
        return;
    }
    struct json others = json_at(content, "additional_creators");
    struct str maker = wire_id(a, event, "sender");
    size_t size = maker.n + 1;
    for (struct json more = json_first(others); more.at; more = json_next(more))
        size += json_str(more, NULL).n + 1;
    if (size > MAX_LEVELS)
        size = MAX_LEVELS;
    struct buf all = {arena_alloc(a, size), 0, size, false};
    buf_put(&all, maker);
    for (struct json more = json_first(others); more.at; more = json_next(more)) {
        struct str who = json_str(more, NULL);
        if (wire_is_user_id(who) && all.n + 1 + who.n <= size) {
            buf_char(&all, ' ');
            buf_put(&all, who);
        }
    }
    rooms_set(rs, &room->creators, buf_str(&all));
}

bool room_in_words(struct str list, struct str word)
{
    for (struct str one; (one = str_word(&list)).n > 0;)
        if (str_is(one, word))
            return true;
    return false;
}

/* The rest of the line that begins with the user; false if not found. */
static bool find_line(struct str lines, struct str user, struct str *ret)
{
    while (lines.n > 0) {
        struct str rest, line = str_cut(lines, '\n', &lines);
        if (str_is(str_cut(line, ' ', &rest), user)) {
            *ret = rest;
            return true;
        }
    }
    return false;
}

bool room_name_of(const struct room *room, struct str user, struct str *ret)
{
    return find_line(room->names, user, ret);
}

bool room_name_is_shared(const struct room *room, struct str user, struct str name)
{
    struct str lines = room->names, other;
    while (lines.n > 0) {
        struct str line = str_cut(lines, '\n', &lines), who = str_cut(line, ' ', &other);
        if (!str_is(who, user) && str_is(other, name))
            return true;
    }
    return false;
}

void room_add_bot(struct rooms *rs, struct arena *a, struct room *room, struct str user)
{
    if (!room_in_words(room->bots, user) && room->bots.n + user.n < MAX_BOTS)
        rooms_set(rs, &room->bots, arena_print(a, "%.*s%.*s ", STR_ARG(room->bots), STR_ARG(user)));
}

void room_set_name(struct rooms *rs, struct arena *a, struct room *room, struct str user,
                   struct str name)
{
    struct str before, rest;
    name = str_cut(name, '\n', &rest);
    if (!wire_is_user_id(user) || (room_name_of(room, user, &before) && str_is(before, name)))
        return;
    size_t size = room->names.n + user.n + name.n + 3;
    rest = size > MAX_NAMES ? STR("") : room->names;
    struct buf b = {arena_alloc(a, size), 0, size, false};
    while (rest.n > 0) {
        struct str old, line = str_cut(rest, '\n', &rest), who = str_cut(line, ' ', &old);
        if (!str_is(who, user))
            buf_print(&b, "%.*s\n", STR_ARG(line));
    }
    buf_print(&b, "%.*s %.*s\n", STR_ARG(user), STR_ARG(name));
    rooms_set(rs, &room->names, buf_str(&b));
}

const char *const ROOM_VISIBILITIES[4] = {"shared", "invited", "joined", "world_readable"};

/* Encryption is for good; when keys are changed may be set anew. */
static void read_encryption(struct room *room, struct json content)
{
    enum { MOST = 10000 };
    room->encrypted = true;
    room->plain = false;
    room->rotation_ms = json_clamp(content, "rotation_period_ms", 0, INT64_MAX);
    room->rotation_messages = json_clamp(content, "rotation_period_msgs", 0, MOST);
}

static void read_visibility(struct room *room, struct json content)
{
    for (size_t i = 0; i < sizeof ROOM_VISIBILITIES / sizeof *ROOM_VISIBILITIES; i++)
        if (json_is(content, "history_visibility", ROOM_VISIBILITIES[i]))
            room->visibility = (uint8_t)(i + 1);
}

static void read_member(struct rooms *rs, struct arena *a, struct str self, struct room *room,
                        struct json event)
{
    struct json content = json_at(event, "content");
    struct str who = wire_id(a, event, "state_key");
    if (str_is(who, self)) {
        room->joined = json_is(content, "membership", "join");
        return;
    }
    bool in = wire_is_in(event);
    room->members_known &= room_in_words(room->members, who) == in;
    room->members_turn++;
    if (room->with.n == 0 && in && json_bool(content, "is_direct") &&
        str_is(wire_id(a, event, "sender"), self))
        rooms_set(rs, &room->with, who); /* created by us; the answer was lost */
    if (str_is(room->with, who))
        room->left = !in;
}

bool room_read_members(struct rooms *rs, struct arena *a, struct room *room, struct json answer)
{
    struct json chunk = json_at(answer, "chunk");
    size_t size = 1;
    for (struct json event = json_first(chunk); event.at; event = json_next(event))
        size += json_str(event, "state_key").n + 1;
    struct buf b = {arena_room(a, size), 0, size, false};
    for (struct json event = json_first(chunk); event.at; event = json_next(event)) {
        struct str who = wire_id(a, event, "state_key");
        if (!wire_is_user_id(who) || !wire_is_in(event))
            continue;
        buf_put(&b, who);
        buf_char(&b, ' ');
    }
    rooms_set(rs, &room->members, buf_str(&b));
    room->members_known = room->members.n > 0;
    return room->members_known;
}

bool room_is_pair(const struct room *room, struct str self, struct str with)
{
    bool pair = room->members_known;
    struct str rest = room->members;
    for (struct str who; (who = str_word(&rest)).n > 0;)
        pair &= str_is(who, self) || str_is(who, with);
    return pair;
}

void room_read_state(struct rooms *rs, struct arena *a, struct str self, struct room *room,
                     struct json event)
{
    struct json content = json_at(event, "content");
    if (wire_is_member(event))
        read_member(rs, a, self, room, event);
    else if (!json_is(event, "state_key", ""))
        return;
    else if (json_is(event, "type", "m.room.name"))
        rooms_set(rs, &room->name, wire_name(a, content, "name"));
    else if (json_is(event, "type", "m.room.encryption"))
        read_encryption(room, content);
    else if (json_is(event, "type", "m.room.history_visibility"))
        read_visibility(room, content);
    else if (json_is(event, "type", "m.room.power_levels"))
        read_levels(rs, a, room, content);
    else if (json_is(event, "type", "m.room.create"))
        read_create(rs, a, self, room, event);
}

int64_t room_level(const struct room *room, struct str user)
{
    struct str level;
    int64_t n;
    if (room_in_words(room->creators, user))
        return LEVEL_CREATOR;
    return find_line(room->levels, user, &level) && str_int(level, &n) ? n : room->users_default;
}

bool room_may_write(const struct room *room, struct str user)
{
    return room_level(room, user) >= room->message;
}
