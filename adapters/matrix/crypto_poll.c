/* Requests of the machine between two syncs: see crypto.h. The first time, before anything else:
 *
 *     look      what the server has of this user: keys of this very device that the store does not
 *               know mean that the store was lost; they must not be written over. With a password
 *               the bot logs in as another device then. A store without keys gets none before that
 *     recover   with recovery_key, the identity that was made in a client is taken over, from the
 *               account's secret storage
 *     sign      our device keys, the identity if it is new, its signature of our device
 *
 * then whatever the machine wants sent. An identity that is there and that we have no seeds of is
 * replaced only with the account's password.
 */
#include "alloc.h"
#include "crypto.h"

enum crypto_phase {
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
static void open_machine(struct matrix *m, struct arena *a)
{
    struct err err = {.text = ""};
    bool stored = false, looked = m->keys.phase == PHASE_LOOK;
    if (!crypto_stored(m, a, &stored, &err) || ((stored || looked) && !crypto_open(m, a, &err))) {
        snprintf(m->keys.trouble, sizeof m->keys.trouble, "%s", err.text);
        return;
    }
    if (!m->crypto) {
        m->keys.phase = PHASE_LOOK;
        return;
    }
    m->keys.waiting = 0;
    crypto_list(m, "wait\t", &m->keys.waiting, count);
    m->keys.young = m->keys.waiting;
    m->keys.cancels = 0;
    crypto_list(m, "cancel\t", &m->keys.cancels, count);
    m->keys.ready = str_is(crypto_value(m, a, "signed"), STR("yes"));
    m->keys.phase = m->keys.ready ? PHASE_RUN : PHASE_LOOK;
}

static void ask(struct matrix *m, struct arena *a, const struct crypto_request *r,
                struct request *ret)
{
    snprintf(m->keys.id, sizeof m->keys.id, "%.*s", STR_ARG(r->id));
    snprintf(m->keys.kind, sizeof m->keys.kind, "%.*s", STR_ARG(r->kind));
    wire_request(m, a, arena_str(a, r->method).p, r->path, arena_str(a, r->kind).p, ret);
    if (r->body.n > 0) {
        wire_request_header(ret, STR("Content-Type"), STR("application/json"));
        ret->body = r->body;
    }
}

static struct crypto_request account_data(const struct matrix *m, struct arena *a, struct str type)
{
    return (struct crypto_request){
        .kind = STR("account_data"), .method = STR("GET"), .path = wire_account_data(m, a, type)};
}

static struct crypto_request look(const struct matrix *m, struct arena *a)
{
    struct buf b = wire_object(a, m->session.user.n);
    JSON_PUT(&b, "'device_keys':{$:[]}}", m->session.user);
    return (struct crypto_request){.id = STR("look"),
                                   .kind = STR("keys_query"),
                                   .method = STR("POST"),
                                   .path = STR("/_matrix/client/v3/keys/query"),
                                   .body = buf_str(&b)};
}

/* The requests that sign this device, in order. If the server has our identity its keys are not
 * uploaded again, which would ask for the password. */
static struct json first_signature(const struct matrix *m)
{
    struct json o = json_first(json_at(m->keys.queue, "requests"));
    while (o.at && m->keys.known && json_is(o, "kind", "signing_keys"))
        o = json_next(o);
    return o;
}

static struct json next_signature(const struct matrix *m, struct json o)
{
    do
        o = json_next(o);
    while (o.at && m->keys.known && json_is(o, "kind", "signing_keys"));
    return o;
}

/* The one that is due; with the password if the server has asked for it. */
static struct crypto_request ask_signature(struct matrix *m, struct arena *a)
{
    struct json o = first_signature(m);
    for (int i = 0; i < m->keys.at && o.at; i++)
        o = next_signature(m, o);
    struct crypto_request r = crypto_request_of(a, o);
    if (!str_is(r.kind, STR("signing_keys")) || !m->keys.session)
        return r;
    struct str body = {r.body.p, r.body.n - 1}; /* without its brace */
    struct buf b = wire_object(a, body.n + m->password.n + m->session.user.n + ID_BYTES);
    b.n = 0;
    buf_put(&b, body);
    JSON_PUT(&b,
             "'auth':{'type':'m.login.password','session':$,'password':$,"
             "'identifier':{'type':'m.id.user','user':$}}}",
             str_of(m->keys.session), m->password, m->session.user);
    r.body = buf_str(&b);
    return r;
}

/* The first comparison that is to be cancelled: "cancel TAB user or room TAB device TAB flow". With
 * `flow`, the one of it. */
struct cancelled {
    struct arena *a;
    struct str flow, name, rest, device, found; /* rest: the user or room */
};

static void find_cancelled(void *to, struct str name, struct str value)
{
    struct cancelled *c = to;
    struct str rest, flow;
    (void)value;
    (void)str_cut(name, '\t', &rest);
    struct str who = str_cut(rest, '\t', &rest), device = str_cut(rest, '\t', &flow);
    if (c->name.n > 0 || (c->flow.n > 0 && !str_is(flow, c->flow)))
        return;
    c->name = arena_str(c->a, name);
    c->rest = arena_str(c->a, who);
    c->device = arena_str(c->a, device);
    c->found = arena_str(c->a, flow);
}

static struct crypto_request cancel_request(struct matrix *m, struct arena *a)
{
    struct cancelled c = {.a = a};
    crypto_list(m, "cancel\t", &c, find_cancelled);
    bool own = c.device.n > 0;
    struct str flow = wire_escape(a, c.found);
    struct crypto_request r = {.id = c.found, .method = STR("PUT")};
    struct buf b = wire_object(a, 2 * c.name.n);
    if (c.name.n == 0)
        return r;
    r.kind = STR("cancel");
    if (own) {
        r.path = arena_print(a, "/_matrix/client/v3/sendToDevice/m.key.verification.cancel/k%.*s",
                             STR_ARG(flow));
        JSON_PUT(&b, "'messages':{$:{$:{'transaction_id':$", c.rest, c.device, c.found);
    } else {
        r.path =
            arena_print(a, "/_matrix/client/v3/rooms/%.*s/send/m.key.verification.cancel/k%.*s",
                        STR_ARG(wire_escape(a, c.rest)), STR_ARG(flow));
        JSON_PUT(&b, "'m.relates_to':{'rel_type':'m.reference','event_id':$}", c.found);
    }
    JSON_PUT(&b, "'code':'m.user','reason':'the device of a program, signed by its account'@",
             own ? STR("}}}}") : STR("}"));
    r.body = buf_str(&b);
    return r;
}

/* Refused or not: they can end it themselves. */
static void was_cancelled(struct matrix *m, struct arena *a)
{
    struct cancelled c = {.a = a, .flow = str_of(m->keys.id)};
    crypto_list(m, "cancel\t", &c, find_cancelled);
    if (c.name.n > 0)
        crypto_remove_value(m, c.name.p);
    m->keys.cancels--;
}

static struct crypto_request next_request(struct matrix *m, struct arena *a)
{
    struct err err;
    struct crypto_request r = {0};
    switch (m->keys.phase) {
    case PHASE_LOOK:
        return look(m, a);
    case PHASE_STORAGE:
        return account_data(m, a, STR("m.secret_storage.default_key"));
    case PHASE_STORAGE_KEY:
        return account_data(
            m, a,
            arena_print(a, "m.secret_storage.key.%.*s", STR_ARG(crypto_value(m, a, "storage"))));
    case PHASE_SEEDS:
        return account_data(m, a, str_of(SEEDS[m->keys.at]));
    case PHASE_SIGN:
        return ask_signature(m, a);
    default: /* of the machine's own */
        if (m->keys.refused || m->key_row != 0)
            return r;
        if (m->keys.cancels > 0 && (r = cancel_request(m, a)).kind.n > 0)
            return r;
        m->keys.cancels = 0;
        struct buf b = wire_object(a, 0);
        struct json o = crypto_call(m, "requests", &b, &err);
        r = crypto_first_request(a, o);
        json_free(o);
        return r;
    }
}

bool crypto_poll(struct matrix *m, struct arena *a, struct request *ret)
{
    if (m->keys.again > 0 && m->now >= m->keys.again) {
        json_free(m->keys.queue);
        free(m->keys.session);
        m->keys = (struct crypto_progress){0};
    }
    if (m->keys.off || m->keys.trouble[0] || m->session.device.n == 0 || !crypto_wanted(m))
        return false;
    if (!m->crypto && m->keys.phase != PHASE_LOOK)
        open_machine(m, a);
    if (!m->crypto && m->keys.phase != PHASE_LOOK)
        return false;
    struct crypto_request r = next_request(m, a);
    if (r.kind.n == 0)
        return false;
    m->step = STEP_KEYS;
    if (crypto_unstored(m) && m->keys.phase != PHASE_LOOK)
        *ret = (struct request){.kind = REQUEST_NONE}; /* once it is stored */
    else {
        m->key_row = KEY_POLL;
        ask(m, a, &r, ret);
    }
    return true;
}

/* ---- answers ---- */

/* Encryption cannot be used: with e2ee = auto the bot plays without. */
static bool give_up(struct polled *p, const char *why)
{
    crypto_close(p->m);
    p->m->keys.off = true;
    if (str_is(p->m->e2ee, STR("yes")))
        return polled_fatal(p, "%s", why);
    p->batch->note = arena_print(p->a, "no encryption: %s", why);
    return true;
}

/* The same on the word of a server, which may have been that of something in between: it is asked
 * again after an hour. */
static bool give_up_for_now(struct polled *p, const char *why)
{
    enum { AGAIN_MS = 3600 * 1000 };
    p->m->keys.again = p->reply->now + AGAIN_MS;
    return give_up(p, why);
}

/* ---- what the host can do ---- */

bool crypto_renews(const struct matrix *m)
{
    return m->password.n > 0 && m->token.n == 0 && !m->oauth;
}

static const char *another_device(const struct matrix *m)
{
    return m->token.n > 0
               ? "the token of another device, from a login of its own, in [matrix] token"
               : "another device in [matrix] device";
}

/* It replaces an identity. */
static const char *or_password(const struct matrix *m)
{
    return m->token.n > 0 && m->password.n == 0 ? ", or the account's password in [matrix] password"
                                                : "";
}

struct str crypto_advice_lost(const struct matrix *m, struct arena *a, const char *device)
{
    struct str lost = arena_print(
        a,
        "the server has keys of the device %s that this store does not have: it was lost%s. Bring "
        "the store and its key file back from a backup, or",
        device, m->token.n > 0 ? ", or the token is that of a client" : "");
    if (crypto_renews(m))
        return arena_print(a, "%.*s the daemon logs in as another device", STR_ARG(lost));
    bool key = m->recovery_key.n > 0 || m->password.n > 0;
    return arena_print(a, "%.*s give %s%s%s", STR_ARG(lost), another_device(m),
                       key ? ""
                           : ", and the key of the account's identity in [matrix] recovery_key",
                       key ? "" : or_password(m));
}

struct str crypto_advice_identity(const struct matrix *m, struct arena *a)
{
    return arena_print(a,
                       "the account has an identity that this store has no key of: give it in "
                       "[matrix] recovery_key%s; if nobody has it, make a new identity in a client",
                       or_password(m));
}

struct str crypto_advice_unsigned(const struct matrix *m, struct arena *a, const char *device)
{
    return arena_print(a,
                       "the device %s is not signed by the account's identity, so clients do not "
                       "read it: give the identity's key in [matrix] recovery_key, and %s",
                       device, another_device(m));
}

static bool machine_answered(struct polled *p)
{
    struct matrix *m = p->m;
    struct err why = {.text = ""};
    if (crypto_answered(m, p->a, str_of(m->keys.id), str_of(m->keys.kind), p->reply->body, &why))
        return true;
    m->keys.refused = true;
    p->error = (struct wire_error){0};
    (void)polled_retry(p, "keys");
    return err_set(p->err, "%s", why.text);
}

/* `known`: the server has our identity. */
static bool begin_signing(struct polled *p, bool known)
{
    struct matrix *m = p->m;
    struct buf b = wire_object(p->a, 0);
    struct json o = crypto_call(m, "identity", &b, p->err);
    if (!o.at)
        return false;
    json_free(m->keys.queue);
    m->keys.queue = o;
    m->keys.known = known;
    m->keys.at = 0;
    m->keys.phase = PHASE_SIGN;
    return true;
}

static struct str own_ed25519(struct matrix *m, struct arena *a, bool *ret_identity)
{
    struct err err;
    struct buf b = wire_object(a, 0);
    struct json o = m->crypto ? crypto_call(m, "status", &b, &err) : (struct json){0};
    struct str key = wire_str(a, o, "ed25519");
    *ret_identity = json_bool(o, "identity");
    json_free(o);
    return key;
}

/* Clients never believe in other keys of a device that they know. */
static bool take_another_device(struct polled *p)
{
    struct matrix *m = p->m;
    struct matrix_session *next = p->next;
    p->batch->note =
        arena_print(p->a, "the keys of the device %.*s are lost; logging in as another one",
                    STR_ARG(m->session.device));
    crypto_close(m);
    m->keys = (struct crypto_progress){0};
    m->checked = false;
    next->renewed = m->now / 1000;
    next->access = next->refresh = next->device = STR("");
    next->logged_in = next->tried = next->tries = 0;
    return true;
}

static bool read_look(struct polled *p)
{
    struct matrix *m = p->m;
    struct arena *a = p->a;
    bool ours = false;
    const char *user = arena_str(a, m->session.user).p, *device = arena_str(a, m->session.device).p;
    struct str own = own_ed25519(m, a, &ours);
    struct json o = p->answer;
    struct json keys = json_in(o, "device_keys", user, device, "keys", NULL);
    struct str theirs = wire_str(a, keys, arena_print(a, "ed25519:%s", device).p);
    bool identity = json_in(o, "master_keys", user, NULL).at;
    if (theirs.n > 0 && !str_is(theirs, own) && crypto_renews(m))
        return take_another_device(p);
    if (theirs.n > 0 && !str_is(theirs, own))
        return give_up(p, crypto_advice_lost(m, a, device).p);
    if (!m->crypto)
        open_machine(m, a);
    if (!m->crypto || !machine_answered(p))
        return m->keys.trouble[0] ? err_set(p->err, "%s", m->keys.trouble) : false;
    (void)own_ed25519(m, a, &ours); /* an identity that is another on the server is ours no more */
    if (identity && !ours && m->recovery_key.n > 0) {
        m->keys.phase = PHASE_STORAGE;
        m->keys.at = 0;
        return true;
    }
    if (identity && !ours && m->password.n == 0)
        return give_up(p, crypto_advice_identity(m, a).p);
    return begin_signing(p, identity && ours);
}

/* A value that was an answer of the server, as one JSON value and nothing behind it. */
static struct str kept_json(struct matrix *m, struct arena *a, const char *name)
{
    struct json o = json_open(crypto_value(m, a, name), JSON_LOOSE);
    struct str text = o.at ? json_print(a, o) : STR("null");
    json_free(o);
    return text;
}

static bool recovered(struct polled *p)
{
    struct matrix *m = p->m;
    struct err why = {.text = ""};
    struct str id = crypto_value(m, p->a, "storage"), key = kept_json(m, p->a, "storage-key");
    struct str seeds[N_SEEDS];
    size_t texts = m->recovery_key.n + id.n + key.n;
    for (int i = 0; i < N_SEEDS; i++) {
        seeds[i] = kept_json(m, p->a, SEEDS[i]);
        texts += seeds[i].n;
    }
    struct buf b = wire_object(p->a, texts);
    json_put_open(&b, "secrets", '{');
    for (int i = 0; i < N_SEEDS; i++) {
        json_put_name(&b, SEEDS[i]);
        buf_put(&b, seeds[i]);
    }
    buf_char(&b, '}');
    JSON_PUT(&b, "'recovery_key':$,'key_id':$,'key':@", m->recovery_key, id, key);
    struct json o = crypto_call(m, "recover", &b, &why);
    bool good = json_bool(o, "identity");
    json_free(o);
    for (int i = 0; i < N_SEEDS; i++)
        crypto_remove_value(m, SEEDS[i]);
    if (good)
        return begin_signing(p, true);
    return give_up(p, arena_print(p->a,
                                  "[matrix] recovery_key: does not open the account's "
                                  "identity%s%s",
                                  why.text[0] ? ": " : "", why.text)
                          .p);
}

static bool read_storage(struct polled *p)
{
    struct matrix *m = p->m;
    if (!wire_is_good(p->reply))
        return give_up(p, "[matrix] recovery_key: the account has no secret storage for it");
    if (m->keys.phase == PHASE_STORAGE) {
        crypto_set_value(m, "storage", wire_id(p->a, p->answer, "key"));
        m->keys.phase = PHASE_STORAGE_KEY;
    } else if (m->keys.phase == PHASE_STORAGE_KEY) {
        crypto_set_value(m, "storage-key", p->reply->body);
        m->keys.phase = PHASE_SEEDS;
    } else {
        crypto_set_value(m, SEEDS[m->keys.at++], p->reply->body);
        if (m->keys.at == N_SEEDS)
            return recovered(p);
    }
    return true;
}

/* The server asks for the password before it replaces an identity. */
static bool read_question(struct polled *p)
{
    struct matrix *m = p->m;
    struct json o = json_open(p->reply->body, JSON_LOOSE);
    struct str session = wire_id(p->a, o, "session");
    json_free(o);
    if (session.n == 0 || m->password.n == 0 || m->keys.session)
        return give_up(
            p, arena_print(p->a,
                           "the server does not let the bot sign its device%s: make an identity of "
                           "the account in a client, and give its key in [matrix] recovery_key%s",
                           m->password.n > 0 ? " with this password" : "", or_password(m))
                   .p);
    m->keys.session = alloc_text(session);
    return true;
}

static bool read_signature(struct polled *p)
{
    struct matrix *m = p->m;
    int n = 0;
    if (!wire_is_good(p->reply))
        return give_up_for_now(
            p, arena_print(p->a, "the server refused %s: %d", m->keys.kind, p->reply->status).p);
    if (!machine_answered(p))
        return false;
    for (struct json o = first_signature(m); o.at; o = next_signature(m, o))
        n++;
    if (++m->keys.at < n)
        return true;
    crypto_set_value(m, "signed", STR("yes"));
    m->keys.phase = PHASE_RUN;
    m->keys.ready = true;
    return true;
}

bool crypto_poll_read(struct polled *p)
{
    struct matrix *m = p->m;
    if (m->key_row == KEY_POLL)
        m->key_row = 0;
    if (!m->crypto && m->keys.phase != PHASE_LOOK)
        return true;
    p->batch->busy = m->keys.phase != PHASE_RUN; /* each step of the start is another question */
    if (p->error.token)
        return polled_token_lost(p);
    if (m->keys.phase == PHASE_SIGN && p->reply->status == 401 &&
        strcmp(m->keys.kind, "signing_keys") == 0) /* a 401 without a code */
        return read_question(p);
    if (polled_may_retry(p))
        return polled_retry(p, "keys");
    if (m->keys.phase == PHASE_SIGN)
        return read_signature(p);
    if (m->keys.phase >= PHASE_STORAGE && m->keys.phase <= PHASE_SEEDS)
        return read_storage(p);
    if (strcmp(m->keys.kind, "cancel") == 0) {
        was_cancelled(m, p->a);
        return true;
    }
    if (!wire_is_good(p->reply)) {
        m->keys.refused = true;
        if (m->keys.phase == PHASE_LOOK)
            return give_up_for_now(p, "the server has no end-to-end encryption");
        return true;
    }
    return m->keys.phase == PHASE_LOOK ? read_look(p) : machine_answered(p);
}
