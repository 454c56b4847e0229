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
        r->id = keep(rs, r->id);
        r->name = keep(rs, r->name);
        r->with = keep(rs, r->with);
        r->creators = keep(rs, r->creators);
        r->levels = keep(rs, r->levels);
        r->names = keep(rs, r->names);
        r->inviter = keep(rs, r->inviter);
        r->moved = keep(rs, r->moved);
        r->members = keep(rs, r->members);
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
        if (rs->at[i].joined && str_is(rs->at[i].with, user) &&
            (!best || (best->encrypted && (!rs->at[i].encrypted || rs->at[i].ours))))
            best = &rs->at[i];
    return best;
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

cJSON *rooms_directs(const struct rooms *rs, struct arena *a)
{
    const struct room **list = arena_array(a, const struct room *, (size_t)rs->n + 1);
    size_t n = 0;
    for (int i = 0; i < rs->n; i++)
        if (rs->at[i].with.n > 0)
            list[n++] = &rs->at[i];
    qsort(list, n, sizeof *list, by_person);
    cJSON *content = cJSON_CreateObject(), *ids = NULL;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || !str_is(list[i]->with, list[i - 1]->with))
            ids = cJSON_AddArrayToObject(content, arena_str(a, list[i]->with).p);
        cJSON_AddItemToArray(ids, cJSON_CreateString(arena_str(a, list[i]->id).p));
    }
    return content;
}

void rooms_read_directs(struct rooms *rs, struct arena *a, const cJSON *content)
{
    const cJSON *ids, *id;
    cJSON_ArrayForEach(ids, content)
    {
        struct str user = str_of(ids->string);
        if (!wire_is_user_id(user) || !cJSON_IsArray(ids))
            continue;
        cJSON_ArrayForEach(id, ids)
        {
            struct str room_id = wire_text(a, id);
            struct room *room = wire_is_room_id(room_id) ? rooms_get(rs, room_id) : NULL;
            if (!room)
                continue;
            rooms_set(rs, &room->with, user);
            room->noted = true;
        }
    }
}

/* Numbers in power levels of old rooms may be strings. */
static int64_t level_of(const cJSON *n, int64_t fallback)
{
    enum { MOST = 1000000000 };
    int64_t level = fallback;
    if (cJSON_IsNumber(n))
        level = n->valuedouble < -MOST  ? -MOST
                : n->valuedouble > MOST ? MOST
                                        : (int64_t)n->valuedouble;
    else if (cJSON_IsString(n) && !str_int(str_of(n->valuestring), &level))
        level = fallback;
    return level;
}

static int64_t level_in(const cJSON *o, const char *key, int64_t fallback)
{
    return level_of(wire_at(o, key), fallback);
}

static void read_levels(struct rooms *rs, struct arena *a, struct room *room, const cJSON *content)
{
    room->users_default = level_in(content, "users_default", 0);
    room->state_default = level_in(content, "state_default", LEVEL_ADMIN);
    room->tombstone = level_in(wire_at(content, "events"), "m.room.tombstone", room->state_default);
    room->message = level_in(wire_at(content, "events"), "m.room.message",
                             level_in(content, "events_default", 0));
    const cJSON *users = wire_at(content, "users"), *user;
    size_t size = 1;
    cJSON_ArrayForEach(user, users) size += str_of(user->string).n + 24;
    if (size > 2 * MAX_LEVELS)
        return;
    struct buf b = {arena_alloc(a, size), 0, size, false};
    cJSON_ArrayForEach(user, users) /* items of a list have no names */
    {
        if (wire_is_user_id(str_of(user->string)))
            buf_print(&b, "%s %lld\n", user->string,
                      (long long)level_of(user, room->users_default));
    }
    rooms_set(rs, &room->levels, buf_str(&b));
}

/* Before version 12 the creator is a user in the power levels; since then the creator and
 * additional creators are above all levels. */
static void read_create(struct rooms *rs, struct arena *a, struct str self, struct room *room,
                        const cJSON *event)
{
    room->ours = str_is(wire_id(a, event, "sender"), self);
    const cJSON *content = wire_at(event, "content");
    struct str version = wire_str(a, content, "room_version");
    int64_t number = 0;
    if (!str_int(version, &number) || number < 12) {
        if (room->levels.n == 0)
            rooms_set(rs, &room->levels,
                      arena_print(a, "%.*s 100\n", STR_ARG(wire_id(a, event, "sender"))));
        return;
    }
    const cJSON *more, *others = wire_at(content, "additional_creators");
    struct str maker = wire_id(a, event, "sender");
    size_t size = maker.n + 1;
    cJSON_ArrayForEach(more, others) size += str_of(cJSON_GetStringValue(more)).n + 1;
    if (size > MAX_LEVELS)
        size = MAX_LEVELS;
    struct buf all = {arena_alloc(a, size), 0, size, false};
    buf_put(&all, maker);
    cJSON_ArrayForEach(more, others)
    {
        struct str who = str_of(cJSON_GetStringValue(more));
        if (wire_is_user_id(who) && all.n + 1 + who.n <= size) {
            buf_char(&all, ' ');
            buf_put(&all, who);
        }
    }
    rooms_set(rs, &room->creators, buf_str(&all));
}

bool room_has_member(const struct room *room, struct str user)
{
    struct str rest = room->members;
    for (struct str who; (who = str_word(&rest)).n > 0;)
        if (str_is(who, user))
            return true;
    return false;
}

bool room_name_of(const struct room *room, struct str user, struct str *ret)
{
    struct str rest = room->names;
    while (rest.n > 0) {
        struct str name, line = str_cut(rest, '\n', &rest), who = str_cut(line, ' ', &name);
        if (str_is(who, user)) {
            *ret = name;
            return true;
        }
    }
    return false;
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

static void read_member(struct rooms *rs, struct arena *a, struct str self, struct room *room,
                        const cJSON *event)
{
    const cJSON *content = wire_at(event, "content");
    struct str who = wire_id(a, event, "state_key");
    if (str_is(who, self)) {
        room->joined = wire_is(content, "membership", "join");
        return;
    }
    bool in = wire_is(content, "membership", "join") || wire_is(content, "membership", "invite");
    room->members_known &= room_has_member(room, who) == in;
    room->members_turn++;
    if (room->with.n == 0 && in && wire_true(content, "is_direct") &&
        str_is(wire_id(a, event, "sender"), self))
        rooms_set(rs, &room->with, who); /* created by us; the answer was lost */
    if (str_is(room->with, who)) {
        room->with_known = true;
        room->with_in = in;
    }
}

void room_read_state(struct rooms *rs, struct arena *a, struct str self, struct room *room,
                     const cJSON *event)
{
    const cJSON *content = wire_at(event, "content");
    if (wire_is(event, "type", "m.room.member"))
        read_member(rs, a, self, room, event);
    else if (!wire_is(event, "state_key", ""))
        return;
    else if (wire_is(event, "type", "m.room.name"))
        rooms_set(rs, &room->name, wire_name(a, content, "name"));
    else if (wire_is(event, "type", "m.room.encryption"))
        room->encrypted = true;
    else if (wire_is(event, "type", "m.room.power_levels"))
        read_levels(rs, a, room, content);
    else if (wire_is(event, "type", "m.room.create"))
        read_create(rs, a, self, room, event);
}

int64_t room_level(const struct room *room, struct str user)
{
    struct str rest = room->creators;
    for (struct str who; (who = str_word(&rest)).n > 0;)
        if (str_is(who, user))
            return LEVEL_CREATOR;
    rest = room->levels;
    while (rest.n > 0) {
        struct str level, line = str_cut(rest, '\n', &rest), who = str_cut(line, ' ', &level);
        int64_t n;
        if (str_is(who, user) && str_int(level, &n))
            return n;
    }
    return room->users_default;
}

bool room_may_write(const struct room *room, struct str user)
{
    return room_level(room, user) >= room->message;
}
