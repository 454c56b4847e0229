/* See cursor.h. The members have the names of the fields; numbers are unix ms. A newer program may
 * add members; "v" changes only when an old program could not go on with what is written. */
#include "cursor.h"

#include <stddef.h>

enum { CURSOR_VERSION = 1 };

static const struct {
    const char *key;
    size_t offset;
} TEXTS[] = {
    {"setup", offsetof(struct session, setup)},
    {"base", offsetof(struct session, base)},
    {"user", offsetof(struct session, user)},
    {"device", offsetof(struct session, device)},
    {"access", offsetof(struct session, access)},
    {"refresh", offsetof(struct session, refresh)},
    {"client", offsetof(struct session, client)},
    {"token_url", offsetof(struct session, token_url)},
    {"device_url", offsetof(struct session, device_url)},
    {"register_url", offsetof(struct session, register_url)},
    {"code", offsetof(struct session, code)},
    {"since", offsetof(struct session, since)},
};
static const struct {
    const char *key;
    size_t offset;
} NUMBERS[] = {
    {"born", offsetof(struct session, born)},
    {"expires", offsetof(struct session, expires)},
    {"life", offsetof(struct session, life)},
    {"logged_in", offsetof(struct session, logged_in)},
    {"tried", offsetof(struct session, tried)},
    {"tries", offsetof(struct session, tries)},
    {"interval", offsetof(struct session, interval)},
    {"code_expires", offsetof(struct session, code_expires)},
};
static const char *const TODO_NAMES[N_TODOS] = {
    [TODO_JOIN] = "join",     [TODO_LEAVE] = "leave", [TODO_FORGET] = "forget",
    [TODO_DIRECT] = "direct", [TODO_FILL] = "fill",   [TODO_FOLLOW] = "follow",
    [TODO_PROVE] = "prove",
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static struct str *text_at(struct session *s, size_t i)
{
    return (struct str *)((char *)s + TEXTS[i].offset);
}

static int64_t *number_at(struct session *s, size_t i)
{
    return (int64_t *)((char *)s + NUMBERS[i].offset);
}

/* A session belongs to one account on one server; the password may change and the session stays. */
static struct str setup_of(const struct matrix *m, struct arena *a)
{
    struct str all = arena_print(a, "%.*s\n%.*s\n%.*s\n%.*s\n%d", STR_ARG(m->homeserver),
                                 STR_ARG(m->user), STR_ARG(m->token), STR_ARG(m->device), m->oauth);
    return arena_print(a, "%016llx", (unsigned long long)str_hash(all));
}

static void todos_read(const cJSON *list, struct arena *a, struct session *s)
{
    const cJSON *o;
    cJSON_ArrayForEach(o, list)
    {
        for (int kind = 0; kind < N_TODOS; kind++)
            if (wire_is(o, "do", TODO_NAMES[kind]))
                todo_add(s, (struct todo){.kind = (enum todo_kind)kind,
                                          .room = wire_str(a, o, "room"),
                                          .who = wire_str(a, o, "who"),
                                          .at = wire_str(a, o, "at"),
                                          .to = wire_str(a, o, "to"),
                                          .direct = wire_true(o, "direct"),
                                          .tries = wire_int(o, "tries")});
    }
}

void cursor_read(const struct matrix *m, struct arena *a, struct str cursor, struct session *ret)
{
    *ret = (struct session){0};
    struct str setup = setup_of(m, a);
    cJSON *o = wire_parse(cursor);
    int64_t born = wire_int(o, "born");
    if (wire_int(o, "v") == CURSOR_VERSION && str_is(wire_str(a, o, "setup"), setup)) {
        for (size_t i = 0; i < LENGTH(TEXTS); i++)
            *text_at(ret, i) = wire_str(a, o, TEXTS[i].key);
        for (size_t i = 0; i < LENGTH(NUMBERS); i++)
            *number_at(ret, i) = wire_int(o, NUMBERS[i].key);
        todos_read(wire_at(o, "todo"), a, ret);
        const cJSON *room;
        cJSON_ArrayForEach(room, wire_at(o, "fresh")) if (ret->n_fresh < MAX_FRESH)
            ret->fresh[ret->n_fresh++] = wire_text(a, room);
    }
    cJSON_Delete(o);
    ret->setup = setup;
    ret->born = born;
}

static cJSON *todos_write(const struct session *s)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < s->n_todo; i++) {
        const struct todo *t = &s->todo[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "do", TODO_NAMES[t->kind]);
        wire_put(o, "room", t->room);
        if (t->who.n > 0)
            wire_put(o, "who", t->who);
        if (t->at.n > 0)
            wire_put(o, "at", t->at);
        if (t->to.n > 0)
            wire_put(o, "to", t->to);
        if (t->direct)
            cJSON_AddTrueToObject(o, "direct");
        if (t->tries > 0)
            cJSON_AddNumberToObject(o, "tries", (double)t->tries);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

struct str cursor_write(struct arena *a, const struct session *session)
{
    struct session s = *session;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "v", CURSOR_VERSION);
    for (size_t i = 0; i < LENGTH(TEXTS); i++)
        if (text_at(&s, i)->n > 0)
            wire_put(o, TEXTS[i].key, *text_at(&s, i));
    for (size_t i = 0; i < LENGTH(NUMBERS); i++)
        if (*number_at(&s, i) != 0)
            cJSON_AddNumberToObject(o, NUMBERS[i].key, (double)*number_at(&s, i));
    if (s.n_todo > 0)
        cJSON_AddItemToObject(o, "todo", todos_write(&s));
    if (s.n_fresh > 0) {
        cJSON *list = cJSON_AddArrayToObject(o, "fresh");
        for (int i = 0; i < s.n_fresh; i++) {
            struct str room = arena_str(a, s.fresh[i]);
            cJSON_AddItemToArray(list, cJSON_CreateString(room.p));
        }
    }
    return wire_take(a, o);
}

bool todo_add(struct session *s, struct todo todo)
{
    if (s->n_todo == MAX_TODO)
        return false;
    s->todo[s->n_todo++] = todo;
    return true;
}

bool todo_first(struct session *s, struct todo todo)
{
    if (s->n_todo == MAX_TODO)
        return false;
    memmove(&s->todo[1], &s->todo[0], (size_t)s->n_todo * sizeof s->todo[0]);
    s->todo[0] = todo;
    s->n_todo++;
    return true;
}

void todo_drop(struct session *s)
{
    s->n_todo--;
    memmove(&s->todo[0], &s->todo[1], (size_t)s->n_todo * sizeof s->todo[0]);
}
