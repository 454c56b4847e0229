/* See seal_poll.h. The first time, before anything else:
 *
 *     look      what the server has of this user: keys of this very device that the store does not
 *               know mean that the store was lost; they must not be written over. A store without
 *               keys gets none before that
 *     recover   with recovery_key, the identity that was made in a client is taken over, from the
 *               account's secret storage
 *     sign      our device keys, the identity if it is new, its signature of our device
 *
 * then whatever the machine wants sent. An identity that is there and that we have no seeds of is
 * replaced only with the account's password.
 */
#include "seal_poll.h"

#include "alloc.h"
#include "poll_errors.h"
#include "seal.h"

enum seal_phase {
    PHASE_CLOSED,
    PHASE_LOOK,
    PHASE_STORAGE, /* which key the secret storage has */
    PHASE_STORAGE_KEY,
    PHASE_SEEDS, /* the three of them */
    PHASE_SIGN,
    PHASE_RUN
};

static const char *const SEEDS[] = {"m.cross_signing.master", "m.cross_signing.self_signing",
                                    "m.cross_signing.user_signing"};
enum { N_SEEDS = sizeof SEEDS / sizeof *SEEDS };

static void count(void *to, struct str name, struct str value)
{
    (void)name;
    (void)value;
    ++*(int *)to;
}

/* A new store looks first. */
static void open_seal(struct matrix *m, struct arena *a)
{
    struct err err = {.text = ""};
    bool stored = false, looked = m->turn.phase == PHASE_LOOK;
    if (!seal_stored(m, a, &stored, &err) || ((stored || looked) && !seal_open(m, a, &err))) {
        snprintf(m->turn.trouble, sizeof m->turn.trouble, "%s", err.text);
        return;
    }
    if (!m->seal) {
        m->turn.phase = PHASE_LOOK;
        return;
    }
    m->turn.waiting = 0;
    seal_list(m, "wait\t", &m->turn.waiting, count);
    m->turn.young = m->turn.waiting;
    m->turn.ready = str_is(seal_value(m, a, "signed"), STR("yes"));
    m->turn.phase = m->turn.ready ? PHASE_RUN : PHASE_LOOK;
}

static void keep_request(struct matrix *m, const struct seal_request *r)
{
    snprintf(m->turn.id, sizeof m->turn.id, "%.*s", STR_ARG(r->id));
    snprintf(m->turn.kind, sizeof m->turn.kind, "%.*s", STR_ARG(r->kind));
}

static void ask(struct matrix *m, struct arena *a, const struct seal_request *r,
                struct request *ret)
{
    keep_request(m, r);
    wire_request(m, a, arena_str(a, r->method).p, r->path, arena_str(a, r->kind).p, ret);
    if (r->body.n > 0) {
        wire_request_header(ret, STR("Content-Type"), STR("application/json"));
        ret->body = r->body;
    }
}

static struct seal_request account_data(const struct matrix *m, struct arena *a, struct str type)
{
    struct seal_request r = {.kind = STR("account_data"), .method = STR("GET")};
    r.path = arena_print(a, "/_matrix/client/v3/user/%.*s/account_data/%.*s",
                         STR_ARG(wire_escape(a, m->session.user)), STR_ARG(wire_escape(a, type)));
    return r;
}

static struct seal_request look(const struct matrix *m, struct arena *a)
{
    struct seal_request r = {.id = STR("look"),
                             .kind = STR("keys_query"),
                             .method = STR("POST"),
                             .path = STR("/_matrix/client/v3/keys/query")};
    cJSON *body = cJSON_CreateObject();
    cJSON_AddArrayToObject(cJSON_AddObjectToObject(body, "device_keys"),
                           arena_str(a, m->session.user).p);
    r.body = wire_print(a, body);
    return r;
}

/* The next request that signs this device; with the password if the server has asked for it. */
static struct seal_request next_signature(struct matrix *m, struct arena *a)
{
    const cJSON *o = cJSON_GetArrayItem(m->turn.queue, m->turn.at);
    struct seal_request r = {.id = wire_str(a, o, "id"), .kind = wire_str(a, o, "kind")};
    r.method = wire_str(a, o, "method");
    r.path = wire_str(a, o, "path");
    cJSON *body = cJSON_Duplicate(wire_at(o, "body"), true);
    if (str_is(r.kind, STR("signing_keys")) && m->turn.session) {
        cJSON *auth = cJSON_AddObjectToObject(body, "auth");
        cJSON_AddStringToObject(auth, "type", "m.login.password");
        cJSON_AddStringToObject(auth, "session", m->turn.session);
        wire_put(auth, "password", m->password);
        cJSON *who = cJSON_AddObjectToObject(auth, "identifier");
        cJSON_AddStringToObject(who, "type", "m.id.user");
        wire_put(who, "user", m->session.user);
    }
    r.body = wire_print(a, body);
    return r;
}

static struct seal_request next_of_machine(struct matrix *m, struct arena *a)
{
    struct err err;
    struct seal_request r = {0};
    if (m->turn.refused || m->key_row != 0)
        return r;
    cJSON *o = seal_call(m, "requests", cJSON_CreateObject(), &err);
    r = seal_first_request(a, o);
    cJSON_Delete(o);
    return r;
}

static struct seal_request next_request(struct matrix *m, struct arena *a)
{
    switch (m->turn.phase) {
    case PHASE_LOOK:
        return look(m, a);
    case PHASE_STORAGE:
        return account_data(m, a, STR("m.secret_storage.default_key"));
    case PHASE_STORAGE_KEY:
        return account_data(
            m, a,
            arena_print(a, "m.secret_storage.key.%.*s", STR_ARG(seal_value(m, a, "storage"))));
    case PHASE_SEEDS:
        return account_data(m, a, str_of(SEEDS[m->turn.at]));
    case PHASE_SIGN:
        return next_signature(m, a);
    default:
        return next_of_machine(m, a);
    }
}

bool seal_poll(struct matrix *m, struct arena *a, struct request *ret)
{
    if (m->turn.off || m->turn.trouble[0] || m->session.device.n == 0 || !seal_wanted(m))
        return false;
    if (!m->seal && m->turn.phase != PHASE_LOOK)
        open_seal(m, a);
    if (!m->seal && m->turn.phase != PHASE_LOOK)
        return false;
    struct seal_request r = next_request(m, a);
    if (r.kind.n == 0)
        return false;
    m->step = STEP_SEAL;
    if (seal_unstored(m) && m->turn.phase != PHASE_LOOK)
        *ret = (struct request){.kind = REQUEST_NONE}; /* once it is stored */
    else {
        m->key_row = KEY_POLL;
        ask(m, a, &r, ret);
    }
    return true;
}

/* ---- answers ---- */

/* Encryption cannot be used: with e2ee = auto the bot plays without. */
static bool give_up(struct matrix *m, struct arena *a, struct batch *ret, struct err *err,
                    const char *why)
{
    seal_close(m);
    m->turn.off = true;
    if (str_is(m->e2ee, STR("yes"))) {
        (void)err_set(err, "%s", why);
        return poll_errors_fatal(ret);
    }
    ret->note = arena_print(a, "no encryption: %s", why);
    return true;
}

static bool machine_answered(struct matrix *m, const struct reply *reply, struct batch *ret,
                             struct err *err)
{
    struct err why = {.text = ""};
    if (seal_answered(m, str_of(m->turn.id), str_of(m->turn.kind), reply->body, &why))
        return true;
    m->turn.refused = true;
    struct wire_error none = {0};
    (void)poll_errors_retry(m, "keys", reply, &none, ret, err);
    return err_set(err, "%s", why.text);
}

/* `known`: the server has our identity, so its keys are not uploaded again, which would ask for the
 * password. */
static bool begin_signing(struct matrix *m, bool known, struct err *err)
{
    cJSON *o = seal_call(m, "identity", cJSON_CreateObject(), err);
    if (!o)
        return false;
    cJSON *requests = cJSON_GetObjectItemCaseSensitive(o, "requests");
    for (int i = cJSON_GetArraySize(requests) - 1; i >= 0 && known; i--)
        if (wire_is(cJSON_GetArrayItem(requests, i), "kind", "signing_keys"))
            cJSON_DeleteItemFromArray(requests, i);
    cJSON_Delete(m->turn.queue);
    m->turn.queue = cJSON_DetachItemFromObjectCaseSensitive(o, "requests");
    m->turn.at = 0;
    m->turn.phase = PHASE_SIGN;
    cJSON_Delete(o);
    return true;
}

static struct str own_ed25519(struct matrix *m, struct arena *a, bool *ret_identity)
{
    struct err err;
    cJSON *o = m->seal ? seal_call(m, "status", cJSON_CreateObject(), &err) : NULL;
    struct str key = wire_str(a, o, "ed25519");
    *ret_identity = wire_true(o, "identity");
    cJSON_Delete(o);
    return key;
}

static bool read_look(struct matrix *m, struct arena *a, const struct reply *reply,
                      struct batch *ret, struct err *err)
{
    bool ours = false;
    const char *user = arena_str(a, m->session.user).p, *device = arena_str(a, m->session.device).p;
    struct str own = own_ed25519(m, a, &ours);
    cJSON *o = wire_parse(reply->body);
    const cJSON *keys = wire_in(o, "device_keys", user, device, "keys", NULL);
    struct str theirs = wire_str(a, keys, arena_print(a, "ed25519:%s", device).p);
    bool identity = wire_in(o, "master_keys", user, NULL);
    cJSON_Delete(o);
    if (theirs.n > 0 && !str_is(theirs, own))
        return give_up(m, a, ret, err,
                       arena_print(a,
                                   "the server has keys of the device %s that this store does not "
                                   "have: it was lost. Bring the store and its key file back from "
                                   "a backup, or give another device in [matrix] device",
                                   device)
                           .p);
    if (!m->seal)
        open_seal(m, a);
    if (!m->seal || !machine_answered(m, reply, ret, err))
        return m->turn.trouble[0] ? err_set(err, "%s", m->turn.trouble) : false;
    (void)own_ed25519(m, a, &ours); /* an identity that is another on the server is ours no more */
    if (identity && !ours && m->recovery_key.n > 0) {
        m->turn.phase = PHASE_STORAGE;
        m->turn.at = 0;
        return true;
    }
    if (identity && !ours && m->password.n == 0)
        return give_up(m, a, ret, err,
                       "the account has an identity that was made in a client: give its key in "
                       "[matrix] recovery_key");
    return begin_signing(m, identity && ours, err);
}

static bool recovered(struct matrix *m, struct arena *a, struct batch *ret, struct err *err)
{
    struct err why = {.text = ""};
    cJSON *args = cJSON_CreateObject(), *secrets = cJSON_AddObjectToObject(args, "secrets");
    wire_put(args, "recovery_key", m->recovery_key);
    wire_put(args, "key_id", seal_value(m, a, "storage"));
    cJSON_AddItemToObject(args, "key", wire_parse(seal_value(m, a, "storage-key")));
    for (int i = 0; i < N_SEEDS; i++)
        cJSON_AddItemToObject(secrets, SEEDS[i], wire_parse(seal_value(m, a, SEEDS[i])));
    cJSON *o = seal_call(m, "recover", args, &why);
    bool good = wire_true(o, "identity");
    cJSON_Delete(o);
    for (int i = 0; i < N_SEEDS; i++)
        seal_remove_value(m, SEEDS[i]);
    if (good)
        return begin_signing(m, true, err);
    return give_up(m, a, ret, err,
                   arena_print(a, "[matrix] recovery_key: does not open the account's identity%s%s",
                               why.text[0] ? ": " : "", why.text)
                       .p);
}

static bool read_storage(struct matrix *m, struct arena *a, const struct reply *reply,
                         struct batch *ret, struct err *err)
{
    if (!wire_is_good(reply))
        return give_up(m, a, ret, err,
                       "[matrix] recovery_key: the account has no secret storage for it");
    cJSON *o = wire_parse(reply->body);
    struct str id = wire_id(a, o, "key");
    cJSON_Delete(o);
    if (m->turn.phase == PHASE_STORAGE) {
        seal_set_value(m, "storage", id);
        m->turn.phase = PHASE_STORAGE_KEY;
    } else if (m->turn.phase == PHASE_STORAGE_KEY) {
        seal_set_value(m, "storage-key", reply->body);
        m->turn.phase = PHASE_SEEDS;
    } else {
        seal_set_value(m, SEEDS[m->turn.at++], reply->body);
        if (m->turn.at == N_SEEDS)
            return recovered(m, a, ret, err);
    }
    return true;
}

/* The server asks for the password before it replaces an identity. */
static bool read_question(struct matrix *m, struct arena *a, const struct reply *reply,
                          struct batch *ret, struct err *err)
{
    cJSON *o = wire_parse(reply->body);
    struct str session = wire_id(a, o, "session");
    cJSON_Delete(o);
    if (session.n == 0 || m->password.n == 0 || m->turn.session)
        return give_up(m, a, ret, err,
                       "the server does not let the bot sign its device: reset the account's "
                       "identity in a client, or give its key in [matrix] recovery_key");
    m->turn.session = alloc_text(session);
    return true;
}

/* A 401 without a code. */
static bool is_question(const struct matrix *m, const struct reply *reply)
{
    return m->turn.phase == PHASE_SIGN && reply->status == 401 &&
           strcmp(m->turn.kind, "signing_keys") == 0;
}

static bool read_signature(struct matrix *m, struct arena *a, const struct reply *reply,
                           struct batch *ret, struct err *err)
{
    if (!wire_is_good(reply))
        return give_up(m, a, ret, err,
                       arena_print(a, "the server refused %s: %d", m->turn.kind, reply->status).p);
    if (!machine_answered(m, reply, ret, err))
        return false;
    if (++m->turn.at < cJSON_GetArraySize(m->turn.queue))
        return true;
    seal_set_value(m, "signed", STR("yes"));
    m->turn.phase = PHASE_RUN;
    m->turn.ready = true;
    return true;
}

bool seal_poll_read(struct matrix *m, struct arena *a, const struct reply *reply,
                    struct matrix_session *next, struct batch *ret, struct err *err)
{
    struct wire_error t = wire_error_of(a, reply);
    if (m->key_row == KEY_POLL)
        m->key_row = 0;
    if (!m->seal && m->turn.phase != PHASE_LOOK)
        return true;
    ret->busy = m->turn.phase != PHASE_RUN; /* each step of the start is another question */
    if (t.token)
        return poll_errors_token_lost(m, &t, next, ret, err);
    if (is_question(m, reply))
        return read_question(m, a, reply, ret, err);
    if (t.transient || t.limit)
        return poll_errors_retry(m, "keys", reply, &t, ret, err);
    if (m->turn.phase == PHASE_SIGN)
        return read_signature(m, a, reply, ret, err);
    if (m->turn.phase >= PHASE_STORAGE && m->turn.phase <= PHASE_SEEDS)
        return read_storage(m, a, reply, ret, err);
    if (!wire_is_good(reply)) {
        m->turn.refused = true;
        if (m->turn.phase == PHASE_LOOK)
            return give_up(m, a, ret, err, "the server has no end-to-end encryption");
        return true;
    }
    if (m->turn.phase == PHASE_LOOK)
        return read_look(m, a, reply, ret, err);
    return machine_answered(m, reply, ret, err);
}
