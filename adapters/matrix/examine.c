/* koikoi doctor for Matrix: one question after the other.
 *
 *     where is the homeserver, does it answer, does its clock agree with ours
 *     who are we, for how long
 *     the keys that the server has of our device
 *     name and picture, which are set if that was asked for; else how to set them
 *
 * With a password the doctor logs in as a device of its own and logs out again, so the daemon's
 * session is untouched. It makes no room and sends no event. */
#include "crypto.h"

#define EXAM_DEVICE "KOIKOI-DOCTOR"
enum { SHORT_LIFE_S = 24 * 3600 };

/* The question whose answer comes next. */
enum exam_step {
    EXAM_FIND,
    EXAM_VERSIONS,
    EXAM_METADATA,
    EXAM_FLOWS,
    EXAM_LOGIN,
    EXAM_WHOAMI,
    EXAM_KEYS,
    EXAM_PROFILE,
    EXAM_UPLOAD,
    EXAM_PICTURE,
    EXAM_NAME,
    EXAM_POSITION,
    EXAM_LOGOUT
};

/* An answer, what it shows, and the next question. */
struct exam_turn {
    struct matrix *m;
    struct arena *a;
    const struct reply *reply;
    struct json answer; /* no value if it is not good */
    struct wire_error error;
    struct request *next;
    struct findings *found;
};
#define SAY(kind, ...) finding_add(t->found, t->a, FOUND_##kind, __VA_ARGS__)

/* ---- questions ---- */

static void ask(struct exam_turn *t, enum exam_step step, const char *method, struct str path)
{
    t->m->exam = (int)step;
    wire_request(t->m, t->a, method, path, "doctor", t->next);
}

static void ask_versions(struct exam_turn *t, struct str base)
{
    t->m->session.base = arena_str(t->m->own, wire_without_slash(base));
    ask(t, EXAM_VERSIONS, "GET", STR("/_matrix/client/versions"));
}

static struct str profile_path(struct exam_turn *t, const char *field)
{
    return arena_print(t->a, "/_matrix/client/v3/profile/%.*s%s%s",
                       STR_ARG(wire_escape(t->a, t->m->session.user)), *field ? "/" : "", field);
}

static void ask_profile(struct exam_turn *t)
{
    const struct exam *asked = t->m->asked;
    if (!asked || !asked->set_profile) {
        ask(t, EXAM_PROFILE, "GET", profile_path(t, ""));
        return;
    }
    ask(t, EXAM_UPLOAD, "POST", STR("/_matrix/media/v3/upload?filename=koikoi.png"));
    wire_request_header(t->next, STR("Content-Type"), STR("image/png"));
    t->next->body = asked->picture;
}

static void ask_field(struct exam_turn *t, enum exam_step step, const char *field, struct str value)
{
    struct buf b = wire_object(t->a, value.n);
    ask(t, step, "PUT", profile_path(t, field));
    json_put_str(&b, field, value);
    wire_request_json(t->next, &b);
}

/* What the server has of the user, whose device the bot is `device`. */
static void ask_account(struct exam_turn *t, struct str user, struct str device)
{
    struct matrix *m = t->m;
    m->session.user = arena_str(m->own, user);
    m->session.device = arena_str(m->own, device);
    if (str_is(m->e2ee, STR("no")) || !crypto_available()) {
        ask_profile(t);
        return;
    }
    struct buf b = wire_object(t->a, user.n);
    JSON_PUT(&b, "'device_keys':{$:[]}", m->session.user);
    ask(t, EXAM_KEYS, "POST", STR("/_matrix/client/v3/keys/query"));
    wire_request_json(t->next, &b);
}

/* The session of the daemon; empty if there is none. */
static struct matrix_session *kept_session(struct exam_turn *t)
{
    struct matrix_session *kept = arena_new(t->a, struct matrix_session);
    if (t->m->asked)
        cursor_read(t->m, t->a, t->m->asked->cursor, kept);
    return kept;
}

/* Does the server know the position of the bot's last sync? It counts for any device of the user. */
static bool ask_position(struct exam_turn *t)
{
    static const char nothing[] =
        "{\"room\":{\"rooms\":[]},\"presence\":{\"types\":[]},\"account_data\":{\"types\":[]}}";
    struct matrix_session *kept = kept_session(t);
    if (kept->since.n == 0)
        return false;
    ask(t, EXAM_POSITION, "GET",
        arena_print(t->a, "/_matrix/client/v3/sync?timeout=0&filter=%.*s&since=%.*s",
                    STR_ARG(wire_escape(t->a, str_of(nothing))),
                    STR_ARG(wire_escape(t->a, kept->since))));
    return true;
}

static void log_out(struct exam_turn *t)
{
    if (t->m->token.n > 0)
        return;
    ask(t, EXAM_LOGOUT, "POST", STR("/_matrix/client/v3/logout"));
    wire_request_empty(t->a, t->next);
}

static void finish(struct exam_turn *t)
{
    if (!ask_position(t))
        log_out(t);
}

static void found_position(struct exam_turn *t)
{
    int status = t->reply->status;
    if (status >= 400 && status < 500 && !t->error.limit && !t->error.token)
        SAY(WRONG,
            "the homeserver does not know the position of the bot's last sync (%d %.*s): it was "
            "restored or moved. After three refusals the bot begins anew, with its rooms and "
            "matches; what was said meanwhile is lost",
            status, STR_ARG(t->error.code));
    else if (t->answer.at)
        SAY(FINE, "the homeserver knows the position of the bot's last sync");
    log_out(t);
}

/* ---- the server ---- */

/* The status that came, or why none did. */
static struct str answer_of(const struct exam_turn *t)
{
    struct str why = t->reply->why;
    return t->reply->status == 0 && why.n > 0 ? why : arena_print(t->a, "%d", t->reply->status);
}

static void found_server(struct exam_turn *t)
{
    struct str name = wire_server(t->m);
    struct str base = wire_str(t->a, json_at(t->answer, "m.homeserver"), "base_url");
    if (wire_is_url(base)) {
        SAY(FINE, "%.*s says that its homeserver is %.*s", STR_ARG(name), STR_ARG(base));
        ask_versions(t, base);
    } else if (t->reply->status == 404) {
        SAY(ADVICE, "%.*s has no .well-known/matrix/client: it is taken for the homeserver itself",
            STR_ARG(name));
        ask_versions(t, arena_print(t->a, "https://%.*s", STR_ARG(name)));
    } else {
        SAY(WRONG, "%.*s does not say where its homeserver is (%.*s): give the URL in homeserver",
            STR_ARG(name), STR_ARG(answer_of(t)));
    }
}

static void found_versions(struct exam_turn *t)
{
    const struct matrix *m = t->m;
    struct json list = json_at(t->answer, "versions");
    struct str last = {0};
    for (struct json v = json_first(list); v.at; v = json_next(v))
        last = wire_str(t->a, v, NULL);
    if (json_count(list) == 0) {
        SAY(WRONG, "no Matrix homeserver answers at %.*s (%.*s): is it up, is homeserver right?",
            STR_ARG(m->session.base), STR_ARG(answer_of(t)));
        return;
    }
    SAY(FINE, "%.*s speaks Matrix up to %.*s", STR_ARG(m->session.base), STR_ARG(last));
    finding_clock(t->found, t->a, t->reply, "the homeserver's");
    if (!str_is(m->e2ee, STR("no")) && crypto_available())
        SAY(FINE, "encrypted rooms can be played in");
    else if (!str_is(m->e2ee, STR("no")))
        SAY(ADVICE, "encrypted rooms cannot be read: libkoikoi_olm.so is not beside the program; "
                    "make crypto builds it, e2ee = no does without");
    ask(t, EXAM_METADATA, "GET", STR("/_matrix/client/v1/auth_metadata"));
}

static void found_metadata(struct exam_turn *t)
{
    const struct matrix *m = t->m;
    bool grant = wire_is_url(wire_str(t->a, t->answer, "device_authorization_endpoint"));
    if (m->token.n == 0 && m->oauth) {
        if (grant)
            SAY(FINE, "the device grant is offered; koikoi run shows a page and a code if it has "
                      "no session, then it renews its tokens by itself");
        else
            SAY(WRONG, "the homeserver does not offer the OAuth device grant: use a password or a "
                       "token");
        return;
    }
    if (t->answer.at && m->token.n > 0)
        SAY(ADVICE, "this server has OAuth: tokens copied from a client die within hours; set "
                    "oauth = yes in place of the token, or have its admin issue a lasting one");
    if (m->token.n > 0)
        ask(t, EXAM_WHOAMI, "GET", STR("/_matrix/client/v3/account/whoami"));
    else
        ask(t, EXAM_FLOWS, "GET", STR("/_matrix/client/v3/login"));
}

/* ---- who we are ---- */

static void found_flows(struct exam_turn *t)
{
    if (!auth_offers_password(t->answer)) {
        SAY(WRONG, "the homeserver offers no login by password: set oauth = yes, or give a token");
        return;
    }
    ask(t, EXAM_LOGIN, "POST", STR("/_matrix/client/v3/login"));
    auth_login_body(t->m, t->a, STR(EXAM_DEVICE), t->next);
}

static void found_life(struct exam_turn *t, int64_t life, bool refresh)
{
    life = (life + 500) / 1000; /* seconds */
    if (life == 0)
        SAY(FINE, "its access tokens do not expire");
    else if (refresh)
        SAY(FINE, "its access tokens live for %lld s and are renewed by themselves",
            (long long)life);
    else
        finding_add(t->found, t->a, life < SHORT_LIFE_S ? FOUND_WRONG : FOUND_ADVICE,
                    "its access tokens live for %lld s and cannot be renewed: the password is "
                    "needed again and again, and servers allow few logins",
                    (long long)life);
}

static void found_login(struct exam_turn *t)
{
    struct matrix *m = t->m;
    struct str access = wire_str(t->a, t->answer, "access_token");
    if (!wire_is_plain(access) && t->error.limit) {
        SAY(ADVICE, "too many logins for now: ask again in some minutes");
    } else if (!wire_is_plain(access)) {
        SAY(WRONG, "the login of %.*s is refused (%d %.*s): is the password right?",
            STR_ARG(m->user), t->reply->status, STR_ARG(t->error.code));
    } else {
        m->session.access = arena_str(m->own, access);
        found_life(t, json_number(t->answer, "expires_in_ms"),
                   wire_str(t->a, t->answer, "refresh_token").n > 0);
        ask(t, EXAM_WHOAMI, "GET", STR("/_matrix/client/v3/account/whoami"));
    }
}

static void found_self(struct exam_turn *t)
{
    struct matrix *m = t->m;
    struct str user = wire_str(t->a, t->answer, "user_id"),
               device = wire_str(t->a, t->answer, "device_id");
    bool guest = json_bool(t->answer, "is_guest");
    if (!wire_is_user_id(user)) {
        SAY(WRONG, "the access token is not taken (%d %.*s): make a new one", t->reply->status,
            STR_ARG(t->error.code));
        return;
    }
    if (wire_is_user_id(m->user) && !str_is(m->user, user))
        SAY(WRONG, "the access token is that of %.*s, not of %.*s", STR_ARG(user),
            STR_ARG(m->user));
    else if (guest)
        SAY(WRONG, "%.*s is a guest: make a user", STR_ARG(user));
    else
        SAY(FINE, "we are %.*s, on the device %.*s", STR_ARG(user), STR_ARG(device));
    if (guest) {
        finish(t);
        return;
    }
    if (m->pace > 0) /* else the server's limit is known to be lifted */
        SAY(FINE,
            "we send %lld events a minute at most, as a stock Synapse allows; to lift it: "
            "curl -X POST -H 'Authorization: Bearer ADMIN_TOKEN' "
            "-d '{\"messages_per_second\":0,\"burst_count\":0}' "
            "%.*s/_synapse/admin/v1/users/%.*s/override_ratelimit, then set pace = 0",
            (long long)m->pace, STR_ARG(m->session.base), STR_ARG(user));
    struct str daemons = kept_session(t)->device; /* perhaps not that of the options any more */
    ask_account(t, user, m->token.n > 0 ? device : daemons.n > 0 ? daemons : m->device);
}

/* ---- the account ---- */

/* True if the identity that the server has of the user has signed the device. */
static bool is_signed(struct json o, const char *user, const char *device)
{
    struct json signatures = json_in(o, "device_keys", user, device, "signatures", user, NULL);
    struct json key = json_first(json_in(o, "self_signing_keys", user, "keys", NULL));
    for (; key.at; key = json_next(key))
        if (json_at(signatures, json_name(key).p).at)
            return true;
    return false;
}

static void found_keys(struct exam_turn *t)
{
    const struct matrix *m = t->m;
    const char *user = m->session.user.p, *device = m->session.device.p;
    struct json o = t->answer;
    bool here = m->asked && m->asked->has_keys;
    bool there = json_in(o, "device_keys", user, device, NULL).at;
    bool identity = json_in(o, "master_keys", user, NULL).at;
    if (!o.at)
        SAY(ADVICE, "the homeserver has no end-to-end encryption: encrypted rooms cannot be "
                    "played in");
    else if (there && !here)
        finding_add(t->found, t->a, crypto_renews(m) ? FOUND_ADVICE : FOUND_WRONG, "%s",
                    crypto_advice_lost(m, t->a, device).p);
    else if (there && !is_signed(o, user, device))
        SAY(WRONG, "%s", crypto_advice_unsigned(m, t->a, device).p);
    else if (!there && identity && m->recovery_key.n == 0 && m->password.n == 0)
        SAY(WRONG, "%s", crypto_advice_identity(m, t->a).p);
    else if (!there && identity && m->recovery_key.n == 0)
        SAY(ADVICE, "the account has an identity that was made in a client: with its key in "
                    "[matrix] recovery_key it is kept, without it is replaced");
    else if (there)
        SAY(FINE, "the device %s is signed: clients read what it says", device);
    ask_profile(t);
}

static void found_profile(struct exam_turn *t)
{
    struct str name = wire_name(t->a, t->answer, "displayname"),
               picture = wire_id(t->a, t->answer, "avatar_url");
    if (name.n > 0 && picture.n > 0)
        SAY(FINE, "people see it as %.*s, with a picture", STR_ARG(name));
    else
        SAY(ADVICE, "%.*s has no %s: koikoi doctor --set-profile sets name and picture",
            STR_ARG(t->m->session.user), name.n > 0 ? "picture" : "name");
    finish(t);
}

/* A step of setting the profile; a refusal ends it. */
static void found_set(struct exam_turn *t)
{
    const struct exam *asked = t->m->asked;
    const char *what = t->m->exam == EXAM_NAME ? "name" : "picture";
    if (!wire_is_good(t->reply)) {
        SAY(WRONG, "the homeserver does not take the account's %s (%d %.*s)%s", what,
            t->reply->status, STR_ARG(t->error.code),
            t->error.limit ? ": ask again in some minutes" : "");
        finish(t);
    } else if (t->m->exam == EXAM_UPLOAD) {
        ask_field(t, EXAM_PICTURE, "avatar_url", wire_id(t->a, t->answer, "content_uri"));
    } else if (t->m->exam == EXAM_PICTURE) {
        ask_field(t, EXAM_NAME, "displayname", asked->name);
    } else {
        SAY(FINE, "people see it as %.*s from now on, with a picture", STR_ARG(asked->name));
        finish(t);
    }
}

void matrix_exam(void *account, const struct exam *exam)
{
    ((struct matrix *)account)->asked = exam;
}

void matrix_examine(void *account, struct arena *a, const struct reply *reply, struct request *next,
                    struct findings *ret)
{
    static void (*const read[])(struct exam_turn * t) = {
        [EXAM_FIND] = found_server, [EXAM_VERSIONS] = found_versions,
        [EXAM_FLOWS] = found_flows, [EXAM_METADATA] = found_metadata,
        [EXAM_LOGIN] = found_login, [EXAM_WHOAMI] = found_self,
        [EXAM_KEYS] = found_keys,   [EXAM_PROFILE] = found_profile,
        [EXAM_UPLOAD] = found_set,  [EXAM_PICTURE] = found_set,
        [EXAM_NAME] = found_set,    [EXAM_POSITION] = found_position,
        [EXAM_LOGOUT] = NULL,
    };
    struct exam_turn t = {.m = account, .a = a, .reply = reply, .next = next, .found = ret};
    if (!reply) {
        t.m->session = (struct matrix_session){.access = t.m->token};
        t.m->exam = EXAM_FIND;
        if (wire_is_url(wire_server(t.m)))
            ask_versions(&t, wire_server(t.m));
        else
            wire_request_find(t.m, a, next);
        return;
    }
    if (!read[t.m->exam])
        return;
    t.answer = wire_answer(reply);
    t.error = wire_error_of(a, reply);
    read[t.m->exam](&t);
    json_free(t.answer);
}
