/* See cursor.h. Members have the names of the fields, but for "todo", the actions; numbers are unix
 * ms. A newer program may add members; "v" changes only when an old program could not continue from
 * the line. */
#include "cursor.h"

#include <stddef.h>

enum { CURSOR_VERSION = 1 };

static const struct {
    const char *key;
    size_t offset;
} TEXTS[] = {
    {"setup", offsetof(struct matrix_session, setup)},
    {"base", offsetof(struct matrix_session, base)},
    {"user", offsetof(struct matrix_session, user)},
    {"device", offsetof(struct matrix_session, device)},
    {"access", offsetof(struct matrix_session, access)},
    {"refresh", offsetof(struct matrix_session, refresh)},
    {"client", offsetof(struct matrix_session, client)},
    {"token_url", offsetof(struct matrix_session, token_url)},
    {"device_url", offsetof(struct matrix_session, device_url)},
    {"register_url", offsetof(struct matrix_session, register_url)},
    {"code", offsetof(struct matrix_session, code)},
    {"since", offsetof(struct matrix_session, since)},
};
static const struct {
    const char *key;
    size_t offset;
} NUMBERS[] = {
    {"born", offsetof(struct matrix_session, born)},
    {"expires", offsetof(struct matrix_session, expires)},
    {"life", offsetof(struct matrix_session, life)},
    {"logged_in", offsetof(struct matrix_session, logged_in)},
    {"early", offsetof(struct matrix_session, early)},
    {"tried", offsetof(struct matrix_session, tried)},
    {"tries", offsetof(struct matrix_session, tries)},
    {"interval", offsetof(struct matrix_session, interval)},
    {"code_expires", offsetof(struct matrix_session, code_expires)},
};
static const char *const ACTION_KEYS[N_ACTIONS] = {
    [ACTION_JOIN] = "join",     [ACTION_LEAVE] = "leave", [ACTION_FORGET] = "forget",
    [ACTION_DIRECT] = "direct", [ACTION_FILL] = "fill",   [ACTION_FOLLOW] = "follow",
    [ACTION_PROVE] = "prove",   [ACTION_LOOK] = "look",   [ACTION_TRACE] = "trace",
    [ACTION_NAMES] = "names",
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static struct str *text_at(struct matrix_session *s, size_t i)
{
    return (struct str *)((char *)s + TEXTS[i].offset);
}

static int64_t *number_at(struct matrix_session *s, size_t i)
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

static struct room_action read_action(const cJSON *o, struct arena *a, int kind)
{
    return (struct room_action){.kind = (enum room_action_kind)kind,
                                .room = wire_str(a, o, "room"),
                                .who = wire_str(a, o, "who"),
                                .at = wire_str(a, o, "at"),
                                .to = wire_str(a, o, "to"),
                                .event = wire_str(a, o, "event"),
                                .direct = wire_true(o, "direct"),
                                .tries = wire_int(o, "tries")};
}

static void read_actions(const cJSON *list, struct arena *a, struct matrix_session *s)
{
    const cJSON *o;
    cJSON_ArrayForEach(o, list)
    {
        for (int kind = 0; kind < N_ACTIONS; kind++) {
            if (!wire_is(o, "do", ACTION_KEYS[kind]))
                continue;
            struct room_action action = read_action(o, a, kind);
            if (kind != ACTION_FILL || (wire_is_token(action.at) && wire_is_token(action.to)))
                cursor_add_action(s, action);
        }
    }
}

void cursor_read(const struct matrix *m, struct arena *a, struct str cursor,
                 struct matrix_session *ret)
{
    *ret = (struct matrix_session){0};
    struct str setup = setup_of(m, a);
    cJSON *o = wire_parse(cursor);
    int64_t born = wire_int(o, "born");
    if (wire_int(o, "v") == CURSOR_VERSION && str_is(wire_str(a, o, "setup"), setup)) {
        for (size_t i = 0; i < LENGTH(TEXTS); i++)
            *text_at(ret, i) = wire_str(a, o, TEXTS[i].key);
        for (size_t i = 0; i < LENGTH(NUMBERS); i++)
            *number_at(ret, i) = wire_int(o, NUMBERS[i].key);
        if (!wire_is_token(ret->since))
            ret->since = STR("");
        read_actions(wire_at(o, "todo"), a, ret);
        const cJSON *room;
        cJSON_ArrayForEach(room, wire_at(o, "fresh")) if (ret->n_fresh < MAX_FRESH)
            ret->fresh[ret->n_fresh++] = wire_text(a, room);
    }
    cJSON_Delete(o);
    ret->setup = setup;
    ret->born = born;
}

static cJSON *write_actions(const struct matrix_session *s)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < s->n_actions; i++) {
        const struct room_action *t = &s->actions[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "do", ACTION_KEYS[t->kind]);
        wire_put(o, "room", t->room);
        if (t->who.n > 0)
            wire_put(o, "who", t->who);
        if (t->at.n > 0)
            wire_put(o, "at", t->at);
        if (t->to.n > 0)
            wire_put(o, "to", t->to);
        if (t->event.n > 0)
            wire_put(o, "event", t->event);
        if (t->direct)
            cJSON_AddTrueToObject(o, "direct");
        if (t->tries > 0)
            cJSON_AddNumberToObject(o, "tries", (double)t->tries);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

struct str cursor_write(struct arena *a, const struct matrix_session *session)
{
    struct matrix_session s = *session;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "v", CURSOR_VERSION);
    for (size_t i = 0; i < LENGTH(TEXTS); i++)
        if (text_at(&s, i)->n > 0)
            wire_put(o, TEXTS[i].key, *text_at(&s, i));
    for (size_t i = 0; i < LENGTH(NUMBERS); i++)
        if (*number_at(&s, i) != 0)
            cJSON_AddNumberToObject(o, NUMBERS[i].key, (double)*number_at(&s, i));
    if (s.n_actions > 0)
        cJSON_AddItemToObject(o, "todo", write_actions(&s));
    if (s.n_fresh > 0) {
        cJSON *list = cJSON_AddArrayToObject(o, "fresh");
        for (int i = 0; i < s.n_fresh; i++) {
            struct str room = arena_str(a, s.fresh[i]);
            cJSON_AddItemToArray(list, cJSON_CreateString(room.p));
        }
    }
    return wire_print(a, o);
}

bool cursor_add_action(struct matrix_session *s, struct room_action action)
{
    if (s->n_actions == MAX_ACTIONS)
        return false;
    s->actions[s->n_actions++] = action;
    return true;
}

bool cursor_add_action_first(struct matrix_session *s, struct room_action action)
{
    if (s->n_actions == MAX_ACTIONS)
        return false;
    memmove(&s->actions[1], &s->actions[0], (size_t)s->n_actions * sizeof s->actions[0]);
    s->actions[0] = action;
    s->n_actions++;
    return true;
}

void cursor_drop_action(struct matrix_session *s)
{
    s->n_actions--;
    memmove(&s->actions[0], &s->actions[1], (size_t)s->n_actions * sizeof s->actions[0]);
}
