/* See crypto.h. Names in the vault begin with user and device: another device has another
 * machine. */
#include "crypto.h"

#include "alloc.h"
#include "olm/olm.h"

#include <dlfcn.h>

enum { NAME_MOST = 2048 };

/* ---- the library: loaded once, on the thread of the loop, when encryption is first asked for ----
 */

struct olm_library {
#define X(result, name, parameters) result(*name) parameters;
    OLM_CALLS(X)
#undef X
};

static bool find_calls(void *library, struct olm_library *ret)
{
    static const struct {
        const char *name;
        size_t at;
    } calls[] = {
#define X(result, name, parameters) {#name, offsetof(struct olm_library, name)},
        OLM_CALLS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        void *call = dlsym(library, calls[i].name);
        if (!call)
            return false;
        memcpy((char *)ret + calls[i].at, &call, sizeof call);
    }
    return ret->koikoi_olm_version() == OLM_VERSION;
}

/* NULL if it is not found, or is of another version. */
static const struct olm_library *olm_library(void)
{
    static const char *const places[] = {"$ORIGIN/libkoikoi_olm.so",
                                         "$ORIGIN/../lib/koikoi/libkoikoi_olm.so"};
    static bool looked, good;
    static struct olm_library found;
    for (size_t i = 0; !looked && !good && i < sizeof places / sizeof *places; i++) {
        void *library = dlopen(places[i], RTLD_NOW | RTLD_LOCAL);
        good = library && find_calls(library, &found);
        if (library && !good)
            dlclose(library);
    }
    looked = true;
    return good ? &found : NULL;
}

bool crypto_available(void)
{
    return olm_library();
}

bool crypto_wanted(const struct matrix *m)
{
    return m->vault && !str_is(m->e2ee, STR("no")) && olm_library();
}

/* ---- the library's store ---- */

struct matrix_crypto {
    const struct olm_library *library;
    struct olm *olm;
    struct vault *vault;
    char *prefix; /* "USER TAB DEVICE TAB " */
};

/* The name in the vault, of the library's value or of one of our own; empty if it is too long. */
static struct str full_name(const struct matrix_crypto *s, const char *own, struct str name,
                            char room[NAME_MOST])
{
    struct buf b = {room, 0, NAME_MOST, false};
    buf_put(&b, str_of(s->prefix));
    buf_put(&b, str_of(own));
    buf_put(&b, name);
    return b.cut ? STR("") : buf_str(&b);
}

/* Passes values on, without the first `skip` bytes of their names. */
struct passing {
    size_t skip;
    void *to;
    olm_each *library;
    vault_each *own;
};

static void pass(void *at, struct str name, struct str value)
{
    struct passing *p = at;
    struct str rest = str_skip(name, p->skip);
    if (p->library)
        p->library(p->to, rest.p, rest.n, value.p, value.n);
    else
        p->own(p->to, rest, value);
}

/* What the library reads, by one of the two ways of the vault. */
static bool keep_read(struct matrix_crypto *s, struct str name, void *to, olm_each *each,
                      bool (*read)(struct vault *v, struct str name, void *to, vault_each *each,
                                   struct err *err))
{
    char room[NAME_MOST];
    struct err err;
    struct str full = full_name(s, "", name, room);
    struct passing p = {.skip = strlen(s->prefix), .to = to, .library = each};
    return full.n == 0 || read(s->vault, full, &p, pass, &err);
}

static bool keep_get(void *at, const char *name, size_t n, void *to, olm_each *each)
{
    struct matrix_crypto *s = at;
    return keep_read(s, (struct str){name, n}, to, each, s->vault->get);
}

static bool keep_list(void *at, const char *prefix, size_t n, void *to, olm_each *each)
{
    struct matrix_crypto *s = at;
    return keep_read(s, (struct str){prefix, n}, to, each, s->vault->list);
}

static void keep_put(void *at, const char *name, size_t n, const char *value, size_t value_n)
{
    struct matrix_crypto *s = at;
    char room[NAME_MOST];
    struct str full = full_name(s, "", (struct str){name, n}, room);
    if (full.n > 0)
        s->vault->put(s->vault, full, (struct str){value, value_n});
}

static void keep_remove(void *at, const char *name, size_t n)
{
    struct matrix_crypto *s = at;
    char room[NAME_MOST];
    struct str full = full_name(s, "", (struct str){name, n}, room);
    if (full.n > 0)
        s->vault->remove(s->vault, full);
}

/* ---- values of the adapter's own ---- */

static const char OWN[] = "own\t";

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

struct str crypto_value(struct matrix *m, struct arena *a, const char *name)
{
    struct err err;
    char room[NAME_MOST];
    struct str value = {0};
    struct arena_value to = {a, &value};
    struct vault *v = m->crypto->vault;
    if (!v->get(v, full_name(m->crypto, OWN, str_of(name), room), &to, take_value, &err))
        return STR("");
    return value;
}

void crypto_set_value(struct matrix *m, const char *name, struct str value)
{
    char room[NAME_MOST];
    struct str full = full_name(m->crypto, OWN, str_of(name), room);
    if (full.n > 0)
        m->crypto->vault->put(m->crypto->vault, full, value);
}

void crypto_remove_value(struct matrix *m, const char *name)
{
    char room[NAME_MOST];
    struct str full = full_name(m->crypto, OWN, str_of(name), room);
    if (full.n > 0)
        m->crypto->vault->remove(m->crypto->vault, full);
}

void crypto_list(struct matrix *m, const char *prefix, void *to, vault_each *each)
{
    struct err err;
    char room[NAME_MOST];
    struct vault *v = m->crypto->vault;
    struct passing p = {.skip = full_name(m->crypto, OWN, STR(""), room).n, .to = to, .own = each};
    (void)!v->list(v, full_name(m->crypto, OWN, str_of(prefix), room), &p, pass, &err);
}

/* ---- opening ---- */

/* Takes an answer of the library apart and frees it. No value, with *err, if it is an error. */
static struct json take_answer(const struct olm_library *library, const char *what, char *text,
                               struct err *err)
{
    struct json o = json_open(str_of(text), JSON_LOOSE);
    library->koikoi_olm_free(text);
    bool error = json_at(o, "error").at;
    if (o.at && !error)
        return o;
    (void)err_set(err, "encryption: %s: %s", what,
                  error ? json_str(o, "error").p : "no answer of the library");
    json_free(o);
    return (struct json){0};
}

bool crypto_stored(struct matrix *m, struct arena *a, bool *ret, struct err *err)
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

bool crypto_open(struct matrix *m, struct arena *a, struct err *err)
{
    const struct matrix_session *session = &m->session;
    struct matrix_crypto *s = alloc_zeroed(sizeof *s);
    struct str prefix =
        arena_print(a, "%.*s\t%.*s\t", STR_ARG(session->user), STR_ARG(session->device));
    s->library = olm_library();
    s->vault = m->vault;
    s->prefix = alloc_text(prefix);
    struct olm_keep keep = {s, keep_get, keep_put, keep_remove, keep_list};
    m->crypto = s;
    struct json o =
        take_answer(s->library, "opening",
                    s->library->koikoi_olm_open(&keep, arena_str(a, session->user).p,
                                                arena_str(a, session->device).p, &s->olm),
                    err);
    bool good = o.at;
    json_free(o);
    if (!good)
        crypto_close(m);
    return good;
}

void crypto_close(struct matrix *m)
{
    struct matrix_crypto *s = m->crypto;
    if (!s)
        return;
    if (s->olm)
        s->library->koikoi_olm_close(s->olm);
    free(s->prefix);
    free(s);
    m->crypto = NULL;
}

bool crypto_unstored(const struct matrix *m)
{
    return m->crypto && m->crypto->vault->unstored(m->crypto->vault);
}

/* ---- calls ---- */

struct json crypto_call(struct matrix *m, const char *what, struct buf *args, struct err *err)
{
    struct matrix_crypto *s = m->crypto;
    buf_char(args, '}');
    char *text = alloc_text(buf_str(args));
    char *answer = s->library->koikoi_olm_call(s->olm, what, text);
    free(text);
    return take_answer(s->library, what, answer, err);
}

struct crypto_request crypto_request_of(struct arena *a, struct json o)
{
    struct crypto_request r = {.id = wire_str(a, o, "id"), .kind = wire_str(a, o, "kind")};
    r.method = wire_str(a, o, "method");
    r.path = wire_str(a, o, "path");
    if (json_at(o, "body").at)
        r.body = json_print(a, json_at(o, "body"));
    return r;
}

struct crypto_request crypto_first_request(struct arena *a, struct json answer)
{
    return crypto_request_of(a, json_first(json_at(answer, "requests")));
}

static void put_users(struct buf *b, struct str users)
{
    json_put_open(b, "users", '[');
    for (struct str user; (user = str_word(&users)).n > 0;)
        json_put_str(b, NULL, user);
    buf_char(b, ']');
}

void crypto_cancel(struct matrix *m, struct arena *a, struct str user_or_room, struct str device,
                   struct str flow)
{
    enum { MOST = 32 };
    if (!m->crypto || m->keys.cancels == MOST || flow.n == 0)
        return;
    m->keys.cancels++;
    crypto_set_value(m,
                     arena_print(a, "cancel\t%.*s\t%.*s\t%.*s", STR_ARG(user_or_room),
                                 STR_ARG(device), STR_ARG(flow))
                         .p,
                     STR("yes"));
}

void crypto_sync(struct matrix *m, struct arena *a, struct json sync)
{
    static const char *const names[] = {"to_device", "device_lists", "device_one_time_keys_count",
                                        "device_unused_fallback_key_types", "next_batch"};
    enum { N = sizeof names / sizeof *names };
    struct str parts[N] = {{0}};
    struct err err;
    size_t bytes = 0;
    for (int i = 0; i < N; i++) {
        struct json part = json_at(sync, names[i]);
        if (part.at)
            parts[i] = json_print(a, part);
        bytes += parts[i].n;
    }
    struct buf b = wire_object(a, bytes);
    for (int i = 0; i < N; i++) {
        if (parts[i].n == 0)
            continue;
        json_put_name(&b, names[i]);
        buf_put(&b, parts[i]);
    }
    json_free(crypto_call(m, "sync", &b, &err));
    struct json event = json_first(json_in(sync, "to_device", "events", NULL));
    for (; event.at; event = json_next(event)) {
        struct json content = json_at(event, "content");
        if (json_is(event, "type", "m.key.verification.request"))
            crypto_cancel(m, a, wire_id(a, event, "sender"), wire_id(a, content, "from_device"),
                          wire_id(a, content, "transaction_id"));
    }
}

struct json crypto_decrypt(struct matrix *m, struct arena *a, struct str room, struct json event,
                           bool *ret_wait)
{
    struct err err;
    struct str text = json_print(a, event);
    struct buf b = wire_object(a, room.n + text.n);
    JSON_PUT(&b, "'room':$,'event':@", room, text);
    struct json o = crypto_call(m, "open", &b, &err);
    *ret_wait = json_bool(o, "wait");
    return o;
}

/* ---- rooms that were left: "left TAB room" is when ---- */

static void forget(struct matrix *m, struct arena *a, struct str room, bool keys)
{
    struct err err;
    struct buf b = wire_object(a, room.n);
    json_put_str(&b, "room", room);
    json_put_bool(&b, "keys", keys);
    json_free(crypto_call(m, "forget", &b, &err));
}

struct long_left {
    struct arena *a;
    int64_t before;
    int n;
    struct str room[16];
};

static void collect_left(void *to, struct str name, struct str value)
{
    struct long_left *l = to;
    struct str room;
    int64_t when = 0;
    (void)str_cut(name, '\t', &room);
    bool full = l->n == sizeof l->room / sizeof *l->room;
    if (!full && str_int(value, &when) && when < l->before)
        l->room[l->n++] = arena_str(l->a, room);
}

static const char *left_name(struct arena *a, struct str room)
{
    return arena_print(a, "left\t%.*s", STR_ARG(room)).p;
}

void crypto_leave(struct matrix *m, struct arena *a, struct str room)
{
    const int64_t month_ms = 30 * 24 * 3600 * (int64_t)1000;
    struct long_left gone = {.a = a, .before = m->now - month_ms};
    if (!m->crypto)
        return;
    forget(m, a, room, false);
    crypto_set_value(m, left_name(a, room), arena_print(a, "%lld", (long long)m->now));
    crypto_list(m, "left\t", &gone, collect_left);
    for (int i = 0; i < gone.n; i++) {
        forget(m, a, gone.room[i], true);
        crypto_remove_value(m, left_name(a, gone.room[i]));
    }
}

void crypto_return(struct matrix *m, struct arena *a, struct str room)
{
    if (m->crypto)
        crypto_remove_value(m, left_name(a, room));
}

bool crypto_answered(struct matrix *m, struct arena *a, struct str id, struct str kind,
                     struct str body, struct err *err)
{
    struct buf b = wire_object(a, id.n + kind.n + body.n);
    JSON_PUT(&b, "'id':$,'kind':$,'body':$", id, kind, body);
    struct json o = crypto_call(m, "answered", &b, err);
    bool good = o.at;
    json_free(o);
    return good;
}

bool crypto_share(struct matrix *m, struct arena *a, const struct room *room, struct str users,
                  struct crypto_request *ret, struct err *err)
{
    struct buf b = wire_object(a, room->id.n + 2 * users.n);
    json_put_str(&b, "room", room->id);
    put_users(&b, users);
    json_put_open(&b, "rules", '{');
    json_put_int(&b, "period", room->rotation_ms);
    json_put_int(&b, "messages", room->rotation_messages);
    if (room->visibility > 0)
        json_put_str(&b, "visibility", str_of(ROOM_VISIBILITIES[room->visibility - 1]));
    buf_char(&b, '}');
    struct json o = crypto_call(m, "share", &b, err);
    bool good = o.at;
    *ret = crypto_first_request(a, o);
    json_free(o);
    return good;
}

bool crypto_able(struct matrix *m, struct arena *a, struct str user, struct crypto_request *ret,
                 bool *ret_able, struct err *err)
{
    struct buf b = wire_object(a, 2 * user.n);
    put_users(&b, user);
    struct json o = crypto_call(m, "able", &b, err);
    bool good = o.at;
    *ret = crypto_first_request(a, o);
    *ret_able = json_bool(o, "able");
    json_free(o);
    return good;
}

bool crypto_encrypt(struct matrix *m, struct arena *a, struct str room, const char *type,
                    struct str content, struct str *ret, struct err *err)
{
    struct buf b = wire_object(a, room.n + content.n);
    JSON_PUT(&b, "'room':$,'type':$,'content':@", room, str_of(type), content);
    struct json o = crypto_call(m, "seal", &b, err);
    bool good = o.at;
    if (good)
        *ret = json_print(a, json_at(o, "content"));
    json_free(o);
    return good;
}

bool crypto_encrypt_file(struct matrix *m, struct arena *a, struct str bytes, struct str *ret,
                         struct str *ret_info, struct err *err)
{
    const struct olm_library *library = m->crypto->library;
    char *encrypted = arena_room(a, bytes.n + 1);
    struct json o = take_answer(library, "a picture",
                                library->koikoi_olm_seal_file(bytes.p, bytes.n, encrypted), err);
    bool good = o.at;
    if (good) {
        *ret = (struct str){encrypted, bytes.n};
        *ret_info = json_print(a, o);
    }
    json_free(o);
    return good;
}
