/* See seal.h. Names in the vault begin with user and device: another device has another machine. */
#include "seal.h"

#include "alloc.h"
#include "seal_library.h"

enum { NAME_MOST = 2048 };

struct matrix_seal {
    const struct seal_library *library;
    struct olm *olm;
    struct vault *vault;
    char *prefix; /* "USER TAB DEVICE TAB " */
};

/* ---- the library's store ---- */

/* The name in the vault; empty if it is too long. */
static struct str full_name(const struct matrix_seal *s, const char *name, size_t n,
                            char room[NAME_MOST])
{
    struct buf b = {room, 0, NAME_MOST, false};
    buf_put(&b, str_of(s->prefix));
    buf_put(&b, (struct str){name, n});
    return b.cut ? STR("") : buf_str(&b);
}

struct passing {
    const struct matrix_seal *s;
    void *to;
    olm_each *each;
};

static void pass(void *at, struct str name, struct str value)
{
    struct passing *p = at;
    struct str own = str_skip(name, strlen(p->s->prefix));
    p->each(p->to, own.p, own.n, value.p, value.n);
}

static bool keep_get(void *at, const char *name, size_t n, void *to, olm_each *each)
{
    struct matrix_seal *s = at;
    char room[NAME_MOST];
    struct err err;
    struct str full = full_name(s, name, n, room);
    struct passing p = {s, to, each};
    return full.n == 0 || s->vault->get(s->vault, full, &p, pass, &err);
}

static bool keep_list(void *at, const char *prefix, size_t n, void *to, olm_each *each)
{
    struct matrix_seal *s = at;
    char room[NAME_MOST];
    struct err err;
    struct str full = full_name(s, prefix, n, room);
    struct passing p = {s, to, each};
    return full.n == 0 || s->vault->list(s->vault, full, &p, pass, &err);
}

static void keep_put(void *at, const char *name, size_t n, const char *value, size_t value_n)
{
    struct matrix_seal *s = at;
    char room[NAME_MOST];
    struct str full = full_name(s, name, n, room);
    if (full.n > 0)
        s->vault->put(s->vault, full, (struct str){value, value_n});
}

static void keep_remove(void *at, const char *name, size_t n)
{
    struct matrix_seal *s = at;
    char room[NAME_MOST];
    struct str full = full_name(s, name, n, room);
    if (full.n > 0)
        s->vault->remove(s->vault, full);
}

/* ---- values of the adapter's own ---- */

struct arena_value {
    struct arena *a;
    struct str *ret;
};

static void take_value(void *to, struct str name, struct str value)
{
    struct arena_value *v = to;
    (void)name;
    *v->ret = arena_str(v->a, value);
}

static struct str own_name(const struct matrix_seal *s, const char *name, char room[NAME_MOST])
{
    struct buf b = {room, 0, NAME_MOST, false};
    buf_put(&b, str_of(s->prefix));
    buf_put(&b, STR("own\t"));
    buf_put(&b, str_of(name));
    return b.cut ? STR("") : buf_str(&b);
}

struct str seal_value(struct matrix *m, struct arena *a, const char *name)
{
    struct err err;
    char room[NAME_MOST];
    struct str value = {0};
    struct arena_value to = {a, &value};
    struct vault *v = m->seal->vault;
    if (!v->get(v, own_name(m->seal, name, room), &to, take_value, &err))
        return STR("");
    return value;
}

void seal_set_value(struct matrix *m, const char *name, struct str value)
{
    char room[NAME_MOST];
    struct str full = own_name(m->seal, name, room);
    if (full.n > 0)
        m->seal->vault->put(m->seal->vault, full, value);
}

void seal_remove_value(struct matrix *m, const char *name)
{
    char room[NAME_MOST];
    struct str full = own_name(m->seal, name, room);
    if (full.n > 0)
        m->seal->vault->remove(m->seal->vault, full);
}

struct own_passing {
    size_t skip;
    void *to;
    seal_each *each;
};

static void pass_own(void *at, struct str name, struct str value)
{
    struct own_passing *p = at;
    p->each(p->to, str_skip(name, p->skip), value);
}

void seal_list(struct matrix *m, const char *prefix, void *to, seal_each *each)
{
    struct err err;
    char room[NAME_MOST];
    struct vault *v = m->seal->vault;
    struct own_passing p = {own_name(m->seal, "", room).n, to, each};
    (void)!v->list(v, own_name(m->seal, prefix, room), &p, pass_own, &err);
}

/* ---- opening ---- */

bool seal_available(void)
{
    return seal_library();
}

bool seal_wanted(const struct matrix *m)
{
    return m->vault && !str_is(m->e2ee, STR("no")) && seal_library();
}

/* Takes an answer of the library apart; it is freed. NULL, with *err, if it is an error. */
static cJSON *take_answer(const struct seal_library *library, const char *what, char *text,
                          struct err *err)
{
    cJSON *o = cJSON_Parse(text);
    library->koikoi_olm_free(text);
    const char *error = cJSON_GetStringValue(wire_at(o, "error"));
    if (o && !error)
        return o;
    (void)err_set(err, "encryption: %s: %s", what, error ? error : "no answer of the library");
    cJSON_Delete(o);
    return NULL;
}

bool seal_stored(struct matrix *m, struct arena *a, bool *ret, struct err *err)
{
    struct str value = {0};
    struct arena_value to = {a, &value};
    struct str name =
        arena_print(a, "%.*s\t%.*s\taccount", STR_ARG(m->session.user), STR_ARG(m->session.device));
    if (!m->vault->get(m->vault, name, &to, take_value, err))
        return false;
    *ret = value.n > 0;
    return true;
}

bool seal_open(struct matrix *m, struct arena *a, struct err *err)
{
    const struct matrix_session *session = &m->session;
    struct matrix_seal *s = alloc_zeroed(sizeof *s);
    struct str prefix =
        arena_print(a, "%.*s\t%.*s\t", STR_ARG(session->user), STR_ARG(session->device));
    s->library = seal_library();
    s->vault = m->vault;
    s->prefix = alloc_text(prefix);
    struct olm_keep keep = {s, keep_get, keep_put, keep_remove, keep_list};
    m->seal = s;
    cJSON *o = take_answer(s->library, "opening",
                           s->library->koikoi_olm_open(&keep, arena_str(a, session->user).p,
                                                       arena_str(a, session->device).p, &s->olm),
                           err);
    if (!o) {
        seal_close(m);
        return false;
    }
    cJSON_Delete(o);
    return true;
}

void seal_close(struct matrix *m)
{
    struct matrix_seal *s = m->seal;
    if (!s)
        return;
    if (s->olm)
        s->library->koikoi_olm_close(s->olm);
    free(s->prefix);
    free(s);
    m->seal = NULL;
}

bool seal_unstored(const struct matrix *m)
{
    return m->seal && m->seal->vault->unstored(m->seal->vault);
}

/* ---- calls ---- */

cJSON *seal_call(struct matrix *m, const char *what, cJSON *args, struct err *err)
{
    struct matrix_seal *s = m->seal;
    char *text = cJSON_PrintUnformatted(args);
    cJSON_Delete(args);
    char *answer = s->library->koikoi_olm_call(s->olm, what, text);
    cJSON_free(text);
    return take_answer(s->library, what, answer, err);
}

struct seal_request seal_first_request(struct arena *a, const cJSON *answer)
{
    const cJSON *o = cJSON_GetArrayItem(wire_at(answer, "requests"), 0);
    struct seal_request r = {.id = wire_str(a, o, "id"), .kind = wire_str(a, o, "kind")};
    r.method = wire_str(a, o, "method");
    r.path = wire_str(a, o, "path");
    if (o)
        r.body = wire_print(a, cJSON_Duplicate(wire_at(o, "body"), true));
    return r;
}

static cJSON *users_of(struct arena *a, struct str users)
{
    cJSON *list = cJSON_CreateArray();
    for (struct str user; (user = str_word(&users)).n > 0;)
        cJSON_AddItemToArray(list, cJSON_CreateString(arena_str(a, user).p));
    return list;
}

void seal_sync(struct matrix *m, const cJSON *sync)
{
    static const char *const parts[] = {"to_device", "device_lists", "device_one_time_keys_count",
                                        "device_unused_fallback_key_types", "next_batch"};
    struct err err;
    cJSON *args = cJSON_CreateObject();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const cJSON *part = wire_at(sync, parts[i]);
        if (part)
            cJSON_AddItemReferenceToObject(args, parts[i], (cJSON *)(uintptr_t)part);
    }
    cJSON *o = seal_call(m, "sync", args, &err);
    cJSON_Delete(o);
}

cJSON *seal_read(struct matrix *m, struct arena *a, struct str room, const cJSON *event,
                 bool *ret_wait, struct str *ret_why)
{
    struct err err = {.text = ""};
    cJSON *args = cJSON_CreateObject();
    wire_put(args, "room", room);
    cJSON_AddItemReferenceToObject(args, "event", (cJSON *)(uintptr_t)event);
    cJSON *o = seal_call(m, "open", args, &err);
    *ret_wait = wire_true(o, "wait");
    *ret_why = o ? wire_str(a, o, "why") : arena_str(a, str_of(err.text));
    cJSON *plain = cJSON_DetachItemFromObjectCaseSensitive(o, "event");
    cJSON_Delete(o);
    return plain;
}

void seal_forget(struct matrix *m, struct str room)
{
    struct err err;
    if (!m->seal)
        return;
    cJSON *args = cJSON_CreateObject();
    wire_put(args, "room", room);
    cJSON_Delete(seal_call(m, "forget", args, &err));
}

bool seal_answered(struct matrix *m, struct str id, struct str kind, struct str body,
                   struct err *err)
{
    cJSON *args = cJSON_CreateObject();
    wire_put(args, "id", id);
    wire_put(args, "kind", kind);
    wire_put(args, "body", body);
    cJSON *o = seal_call(m, "answered", args, err);
    cJSON_Delete(o);
    return o;
}

bool seal_share(struct matrix *m, struct arena *a, struct str room, struct str users,
                struct seal_request *ret, struct err *err)
{
    cJSON *args = cJSON_CreateObject();
    wire_put(args, "room", room);
    cJSON_AddItemToObject(args, "users", users_of(a, users));
    cJSON *o = seal_call(m, "share", args, err);
    *ret = seal_first_request(a, o);
    cJSON_Delete(o);
    return o;
}

bool seal_able(struct matrix *m, struct arena *a, struct str user, struct seal_request *ret,
               bool *ret_able, struct err *err)
{
    cJSON *args = cJSON_CreateObject();
    cJSON_AddItemToObject(args, "users", users_of(a, user));
    cJSON *o = seal_call(m, "able", args, err);
    *ret = seal_first_request(a, o);
    *ret_able = wire_true(o, "able");
    cJSON_Delete(o);
    return o;
}

bool seal_content(struct matrix *m, struct arena *a, struct str room, const char *type,
                  cJSON *content, struct str *ret, struct err *err)
{
    cJSON *args = cJSON_CreateObject();
    wire_put(args, "room", room);
    cJSON_AddStringToObject(args, "type", type);
    cJSON_AddItemToObject(args, "content", content);
    cJSON *o = seal_call(m, "seal", args, err);
    if (o)
        *ret = wire_print(a, cJSON_DetachItemFromObjectCaseSensitive(o, "content"));
    cJSON_Delete(o);
    return o;
}

bool seal_file(struct matrix *m, struct arena *a, struct str bytes, struct str *ret,
               struct str *ret_info, struct err *err)
{
    const struct seal_library *library = m->seal->library;
    char *sealed = arena_room(a, bytes.n + 1);
    cJSON *o = take_answer(library, "a picture",
                           library->koikoi_olm_seal_file(bytes.p, bytes.n, sealed), err);
    if (!o)
        return false;
    *ret = (struct str){sealed, bytes.n};
    *ret_info = wire_print(a, o);
    return true;
}
