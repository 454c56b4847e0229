/* The cursor of the account. Members have the names of the fields, but for "todo", the actions;
 * numbers are unix ms. A newer program may add members; "v" changes only when an old program could
 * not continue from the line. */
#include "field.h"
#include "wire.h"

enum { CURSOR_VERSION = 1 };
#define NUMBER_MOST    INT64_C(9000000000000000)

#define TEXT(member)   FIELD_STR(matrix_session, #member, member)
#define NUMBER(member) FIELD_INT(matrix_session, #member, member, -NUMBER_MOST, NUMBER_MOST)

static const char *const ACTIONS[N_ACTIONS + 1] = {
    [ACTION_NONE] = "",         [ACTION_JOIN] = "join",     [ACTION_LEAVE] = "leave",
    [ACTION_FORGET] = "forget", [ACTION_DIRECT] = "direct", [ACTION_FILL] = "fill",
    [ACTION_FOLLOW] = "follow", [ACTION_PROVE] = "prove",   [ACTION_LOOK] = "look",
    [ACTION_TRACE] = "trace",   [ACTION_PAIR] = "pair",     [ACTION_NAMES] = "names",
};
static const struct field_row action_rows[] = {
    FIELD_WORD(room_action, "do", kind, ACTIONS),
    FIELD_STR(room_action, "room", room),
    FIELD_STR(room_action, "who", who),
    FIELD_STR(room_action, "at", at),
    FIELD_STR(room_action, "to", to),
    FIELD_STR(room_action, "event", event),
    FIELD_BOOL(room_action, "direct", direct),
    FIELD_INT(room_action, "tries", tries, 0, NUMBER_MOST),
    FIELD_INT(room_action, "due", due, 0, NUMBER_MOST),
};
static const struct field_table actions = FIELD_TABLE(room_action, action_rows);
static const struct field_row id_rows[] = {{.kind = FIELD_IS_STR, .size = sizeof(struct str)}};
static const struct field_table ids = {id_rows, 1, sizeof(struct str)};
static const struct field_row rows[] = {
    TEXT(setup),
    TEXT(base),
    TEXT(user),
    TEXT(device),
    TEXT(access),
    TEXT(refresh),
    TEXT(client),
    TEXT(token_url),
    TEXT(device_url),
    TEXT(register_url),
    TEXT(code),
    TEXT(since),
    NUMBER(born),
    NUMBER(expires),
    NUMBER(life),
    NUMBER(logged_in),
    NUMBER(early),
    NUMBER(tried),
    NUMBER(tries),
    NUMBER(renewed),
    NUMBER(interval),
    NUMBER(code_expires),
    FIELD_MANY(matrix_session, LIST, "todo", actions, n_actions, MAX_ACTIONS, &actions),
    FIELD_MANY(matrix_session, LIST, "fresh", fresh, n_fresh, MAX_FRESH, &ids),
    FIELD_MANY(matrix_session, LIST, "silent", silent, n_silent, MAX_FRESH, &ids),
};
static const struct field_table table = FIELD_TABLE(matrix_session, rows);

void cursor_read(const struct matrix *m, struct arena *a, struct str cursor,
                 struct matrix_session *ret)
{
    struct matrix_session *s = ret;
    /* a session belongs to one account on one server; the password may change and it stays */
    struct str all = arena_print(a, "%.*s\n%.*s\n%.*s\n%.*s\n%d", STR_ARG(m->homeserver),
                                 STR_ARG(m->user), STR_ARG(m->token), STR_ARG(m->device), m->oauth);
    struct str setup = arena_print(a, "%016llx", (unsigned long long)str_hash(all));
    struct json o = json_open(cursor, JSON_LOOSE);
    int n = 0;
    *s = (struct matrix_session){0};
    int64_t born = json_number(o, "born");
    if (json_number(o, "v") == CURSOR_VERSION && json_is_str(o, "setup", setup))
        field_read_json(o, &table, s, a);
    json_free(o);
    if (!wire_is_token(s->since))
        s->since = STR("");
    for (int i = 0; i < s->n_actions; i++) {
        struct room_action t = s->actions[i];
        bool pages = t.kind != ACTION_FILL || (wire_is_token(t.at) && wire_is_token(t.to));
        if (t.kind != ACTION_NONE && pages)
            s->actions[n++] = t;
    }
    s->n_actions = n;
    s->setup = setup;
    s->born = born;
}

struct str cursor_write(struct arena *a, const struct matrix_session *s)
{
    struct buf b = wire_object(a, field_packed_most(&table, s));
    json_put_int(&b, "v", CURSOR_VERSION);
    field_put_json(&b, &table, s);
    buf_char(&b, '}');
    return buf_str(&b);
}

bool cursor_add_action_at(struct matrix_session *s, int i, struct room_action action)
{
    if (s->n_actions == MAX_ACTIONS)
        return false;
    memmove(&s->actions[i + 1], &s->actions[i], (size_t)(s->n_actions - i) * sizeof s->actions[0]);
    s->actions[i] = action;
    s->n_actions++;
    return true;
}

bool cursor_add_action(struct matrix_session *s, struct room_action action)
{
    return cursor_add_action_at(s, s->n_actions, action);
}

bool cursor_add_action_first(struct matrix_session *s, struct room_action action)
{
    return cursor_add_action_at(s, 0, action);
}

void cursor_drop_action(struct matrix_session *s, int i)
{
    s->n_actions--;
    memmove(&s->actions[i], &s->actions[i + 1], (size_t)(s->n_actions - i) * sizeof s->actions[0]);
}
