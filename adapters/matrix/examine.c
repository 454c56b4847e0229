/* koikoi doctor for Matrix. One question after the other:
 *
 *     where is the homeserver, does it answer, does its clock agree with ours
 *     who are we, for how long
 *     is a private chat encrypted although nobody asked for it
 *     how much may be said at once, and how fast after that
 *
 * The last two are found out in a room of its own, with nobody else in it, that is left and forgotten at the end.
 * With a password the doctor logs in as a device of its own and logs out again: the daemon's session is not
 * touched. Beside a running daemon it uses up what the account may say at once, for a minute.
 */
#include "examine.h"

#include "finding.h"
#include "room.h"

enum exam_step {
    EXAM_BEGIN,
    EXAM_FIND,
    EXAM_VERSIONS,
    EXAM_METADATA,
    EXAM_FLOWS,
    EXAM_LOGIN,
    EXAM_WHOAMI,
    EXAM_ROOM,
    EXAM_CLOSED,
    EXAM_SAY,
    EXAM_LEAVE,
    EXAM_FORGET,
    EXAM_LOGOUT,
    EXAM_END
};
enum { SAID_MOST = 24, MINUTE_MS = 60000, SHORT_LIFE_S = 24 * 3600, TRIES = 4 };

static const char DEVICE[] = "KOIKOI-DOCTOR";

/* ---- questions ---- */

static void ask(struct matrix *m, struct arena *a, enum exam_step step, const char *method,
                struct str path, struct request *next)
{
    m->exam.step = (int)step;
    request_to(m, a, method, path, "doctor", next);
}

static void ask_login(struct matrix *m, struct arena *a, struct request *next)
{
    ask(m, a, EXAM_LOGIN, "POST", STR("/_matrix/client/v3/login"), next);
    cJSON *body = cJSON_CreateObject(), *who = cJSON_AddObjectToObject(body, "identifier");
    cJSON_AddStringToObject(body, "type", "m.login.password");
    cJSON_AddStringToObject(who, "type", "m.id.user");
    wire_put(who, "user", m->user);
    wire_put(body, "password", m->password);
    cJSON_AddStringToObject(body, "device_id", DEVICE);
    cJSON_AddStringToObject(body, "initial_device_display_name", DEVICE);
    cJSON_AddTrueToObject(body, "refresh_token");
    request_json(a, next, body);
}

static void ask_room(struct matrix *m, struct arena *a, struct request *next)
{
    ask(m, a, EXAM_ROOM, "POST", STR("/_matrix/client/v3/createRoom"), next);
    cJSON *body = cJSON_CreateObject();
    cJSON_AddStringToObject(body, "preset", "private_chat");
    cJSON_AddStringToObject(body, "visibility", "private");
    cJSON_AddStringToObject(body, "name", DEVICE);
    cJSON_AddTrueToObject(body, "is_direct");
    request_json(a, next, body);
}

static void ask_in_room(struct matrix *m, struct arena *a, enum exam_step step, const char *method,
                        struct str what, struct request *next)
{
    struct str room = url_escape(a, m->exam.room);
    ask(m, a, step, method,
        arena_print(a, "/_matrix/client/v3/rooms/%.*s/%.*s", STR_ARG(room), STR_ARG(what)), next);
    if (strcmp(method, "POST") == 0)
        request_json(a, next, cJSON_CreateObject());
}

static void ask_say(struct matrix *m, struct arena *a, struct request *next)
{
    struct str what =
        arena_print(a, "send/m.room.message/doctor%lld.%d", (long long)m->exam.began, m->exam.said);
    ask_in_room(m, a, EXAM_SAY, "PUT", what, next);
    cJSON *content = cJSON_CreateObject();
    cJSON_AddStringToObject(content, "msgtype", "m.notice");
    cJSON_AddStringToObject(content, "body", DEVICE);
    cJSON_AddObjectToObject(content, "m.mentions");
    request_json(a, next, content);
}

/* What remains when the room is gone: our own session, if there is one. */
static void ask_logout(struct matrix *m, struct arena *a, struct request *next)
{
    if (m->token.n > 0 || m->session.access.n == 0) {
        m->exam.step = EXAM_END;
        return;
    }
    ask(m, a, EXAM_LOGOUT, "POST", STR("/_matrix/client/v3/logout"), next);
    request_json(a, next, cJSON_CreateObject());
}

static void ask_versions(struct matrix *m, struct arena *a, struct str base, struct request *next)
{
    while (base.n > 0 && base.p[base.n - 1] == '/')
        base.n--;
    m->session.base = arena_str(m->own, base);
    ask(m, a, EXAM_VERSIONS, "GET", STR("/_matrix/client/versions"), next);
}

static void begin(struct matrix *m, struct arena *a, struct request *next)
{
    m->session = (struct session){.access = m->token};
    struct str name = m->homeserver.n > 0 ? m->homeserver : server_of(m->user);
    if (is_url(name)) {
        ask_versions(m, a, name, next);
        return;
    }
    m->exam.step = EXAM_FIND;
    *next = (struct request){.kind = REQUEST_HTTP, .method = "GET", .what = STR("well-known")};
    next->url = arena_print(a, "https://%.*s/.well-known/matrix/client", STR_ARG(name));
    next->follow = true;
}

/* ---- answers ---- */

static void found_server(struct matrix *m, struct arena *a, const struct reply *reply,
                         struct request *next, struct findings *ret)
{
    struct str name = m->homeserver.n > 0 ? m->homeserver : server_of(m->user);
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str base = wire_str(a, wire_at(o, "m.homeserver"), "base_url");
    cJSON_Delete(o);
    if (is_url(base)) {
        finding_add(
            ret, FOUND_FINE,
            arena_print(a, "%.*s says that its homeserver is %.*s", STR_ARG(name), STR_ARG(base)));
        ask_versions(m, a, base, next);
    } else if (reply->status == 404) {
        finding_add(
            ret, FOUND_ADVICE,
            arena_print(
                a, "%.*s has no .well-known/matrix/client: it is taken for the homeserver itself",
                STR_ARG(name)));
        ask_versions(m, a, arena_print(a, "https://%.*s", STR_ARG(name)), next);
    } else {
        finding_add(
            ret, FOUND_WRONG,
            arena_print(
                a, "%.*s does not say where its homeserver is (%d): give the URL in homeserver",
                STR_ARG(name), reply->status));
    }
}

static void found_versions(struct matrix *m, struct arena *a, const struct reply *reply,
                           struct request *next, struct findings *ret)
{
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    const cJSON *list = wire_at(o, "versions");
    int n = cJSON_GetArraySize(list);
    struct str last = wire_text(a, cJSON_GetArrayItem(list, n - 1));
    cJSON_Delete(o);
    if (n == 0) {
        finding_add(
            ret, FOUND_WRONG,
            arena_print(a,
                        "no Matrix homeserver answers at %.*s (%d): is it up, is homeserver right?",
                        STR_ARG(m->session.base), reply->status));
        return;
    }
    finding_add(
        ret, FOUND_FINE,
        arena_print(a, "%.*s speaks Matrix up to %.*s", STR_ARG(m->session.base), STR_ARG(last)));
    finding_clock(ret, a, reply, "the homeserver's");
    ask(m, a, EXAM_METADATA, "GET", STR("/_matrix/client/v1/auth_metadata"), next);
}

static void found_metadata(struct matrix *m, struct arena *a, const struct reply *reply,
                           struct request *next, struct findings *ret)
{
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    bool modern = o != NULL;
    bool grant = is_url(wire_str(a, o, "device_authorization_endpoint"));
    cJSON_Delete(o);
    if (m->token.n == 0 && m->oauth) {
        if (grant)
            finding_add(ret, FOUND_FINE,
                        STR("the device grant is offered; koikoi run shows a page and a code "
                            "if it has no session, then it renews its tokens by itself"));
        else
            finding_add(ret, FOUND_WRONG,
                        STR("the homeserver does not offer the OAuth device grant: use a "
                            "password or a token"));
        return;
    }
    if (modern && m->token.n > 0)
        finding_add(ret, FOUND_ADVICE,
                    STR("this server has OAuth: tokens copied from a client die within "
                        "hours; set oauth = yes, or have its admin issue a lasting one"));
    if (m->token.n > 0)
        ask(m, a, EXAM_WHOAMI, "GET", STR("/_matrix/client/v3/account/whoami"), next);
    else
        ask(m, a, EXAM_FLOWS, "GET", STR("/_matrix/client/v3/login"), next);
}

static void found_flows(struct matrix *m, struct arena *a, const struct reply *reply,
                        struct request *next, struct findings *ret)
{
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    const cJSON *flow;
    bool password = false;
    cJSON_ArrayForEach(flow, wire_at(o, "flows")) password |=
        wire_is(flow, "type", "m.login.password");
    cJSON_Delete(o);
    if (password)
        ask_login(m, a, next);
    else
        finding_add(ret, FOUND_WRONG,
                    STR("the homeserver offers no login by password: set oauth = yes, or give "
                        "a token"));
}

static void found_life(struct arena *a, int64_t life, bool refresh, struct findings *ret)
{
    life = (life + 500) / 1000; /* seconds */
    if (life == 0)
        finding_add(ret, FOUND_FINE, STR("its access tokens do not expire"));
    else if (refresh)
        finding_add(ret, FOUND_FINE,
                    arena_print(a,
                                "its access tokens live for %lld s and are renewed by themselves",
                                (long long)life));
    else
        finding_add(
            ret, life < SHORT_LIFE_S ? FOUND_WRONG : FOUND_ADVICE,
            arena_print(a,
                        "its access tokens live for %lld s and cannot be renewed: the password is "
                        "needed again and again, and servers allow few logins",
                        (long long)life));
}

static void found_login(struct matrix *m, struct arena *a, const struct reply *reply,
                        struct request *next, struct findings *ret)
{
    struct trouble t = trouble_of(a, reply);
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str access = wire_str(a, o, "access_token"), refresh = wire_str(a, o, "refresh_token");
    int64_t life = wire_int(o, "expires_in_ms");
    cJSON_Delete(o);
    if (!is_plain(access)) {
        if (t.limit)
            finding_add(ret, FOUND_ADVICE,
                        STR("too many logins for now: ask again in some minutes"));
        else
            finding_add(
                ret, FOUND_WRONG,
                arena_print(a, "the login of %.*s is refused (%d %.*s): is the password right?",
                            STR_ARG(m->user), reply->status, STR_ARG(t.code)));
        return;
    }
    m->session.access = arena_str(m->own, access);
    found_life(a, life, refresh.n > 0, ret);
    ask(m, a, EXAM_WHOAMI, "GET", STR("/_matrix/client/v3/account/whoami"), next);
}

static void found_self(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct request *next, struct findings *ret)
{
    struct trouble t = trouble_of(a, reply);
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str user = wire_str(a, o, "user_id"), device = wire_str(a, o, "device_id");
    bool guest = wire_true(o, "is_guest");
    cJSON_Delete(o);
    if (!is_user_id(user)) {
        finding_add(ret, FOUND_WRONG,
                    arena_print(a, "the access token is not taken (%d %.*s): make a new one",
                                reply->status, STR_ARG(t.code)));
        return;
    }
    if (is_user_id(m->user) && !str_is(m->user, user))
        finding_add(ret, FOUND_WRONG,
                    arena_print(a, "the access token is that of %.*s, not of %.*s", STR_ARG(user),
                                STR_ARG(m->user)));
    else if (guest)
        finding_add(ret, FOUND_WRONG,
                    arena_print(a, "%.*s is a guest: make a user", STR_ARG(user)));
    else
        finding_add(
            ret, FOUND_FINE,
            arena_print(a, "we are %.*s, on the device %.*s", STR_ARG(user), STR_ARG(device)));
    ask_room(m, a, next);
}

static void found_room(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct request *next, struct findings *ret)
{
    struct trouble t = trouble_of(a, reply);
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str room = wire_str(a, o, "room_id");
    cJSON_Delete(o);
    if (is_room_id(room)) {
        m->exam.room = arena_str(m->own, room);
        ask_in_room(m, a, EXAM_CLOSED, "GET", STR("state/m.room.encryption/"), next);
        return;
    }
    if (t.limit)
        finding_add(
            ret, FOUND_ADVICE,
            arena_print(a,
                        "no more rooms may be made for %lld s: hands of new players wait for "
                        "that long",
                        (long long)(t.wait_ms + 999) / 1000));
    else
        finding_add(
            ret, FOUND_WRONG,
            arena_print(a,
                        "it may not make rooms (%d %.*s), so it can show nobody their hand: let it",
                        reply->status, STR_ARG(t.code)));
    ask_logout(m, a, next);
}

static void found_closed(struct matrix *m, struct arena *a, const struct reply *reply,
                         struct request *next, struct findings *ret)
{
    if (is_good(reply))
        finding_add(
            ret, FOUND_ADVICE,
            STR("the homeserver encrypts private chats by itself, and the bot has no keys: it "
                "makes "
                "them by the public preset, closed to all but the invited; better, set "
                "encryption_enabled_by_default_for_room_type to off"));
    else
        finding_add(ret, FOUND_FINE, STR("private chats that the bot makes are not encrypted"));
    m->exam.said = 0;
    ask_say(m, a, next);
}

/* The first refusal comes when `said` events have gone, and the next may go once the first is forgotten, that
 * long after it: between the two answers and the wait passes as much time as the server counts. */
static void found_limit(struct matrix *m, struct arena *a, const struct reply *reply,
                        const struct trouble *t, struct findings *ret)
{
    cJSON *o = wire_parse(reply->body);
    int64_t exact = wire_int(o, "retry_after_ms"), wait = exact > 0 ? exact : t->wait_ms;
    cJSON_Delete(o);
    int64_t each = wait + m->exam.last - m->exam.began;
    long long minute = each > 0 ? (MINUTE_MS + each / 2) / each : MINUTE_MS;
    bool too_fast = m->pace == 0 || m->pace > minute, too_many = m->burst > m->exam.said;
    if (too_fast || too_many)
        finding_add(
            ret, FOUND_ADVICE,
            arena_print(
                a,
                "the server takes %d events at once and then %lld a minute: set pace = %lld "
                "and burst = %d, or have its admin lift the limit of this user",
                m->exam.said, minute, minute, m->exam.said));
    else
        finding_add(
            ret, FOUND_FINE,
            arena_print(a,
                        "the server takes %d events at once and then %lld a minute; ours is "
                        "%lld a minute",
                        m->exam.said, minute, (long long)m->pace));
}

static void found_said(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct request *next, struct findings *ret)
{
    struct trouble t = trouble_of(a, reply);
    int most = m->burst + 2 < SAID_MOST ? (int)m->burst + 2 : SAID_MOST;
    if (is_good(reply)) {
        m->exam.began = m->exam.said++ == 0 ? reply->now : m->exam.began;
        m->exam.last = reply->now;
    }
    if (is_good(reply) && m->exam.said < most) {
        ask_say(m, a, next);
        return;
    }
    if (t.limit)
        found_limit(m, a, reply, &t, ret);
    else if (is_good(reply))
        finding_add(ret, m->pace > 0 ? FOUND_ADVICE : FOUND_FINE,
                    arena_print(a, "%d events at once met no limit%s", m->exam.said,
                                m->pace > 0 ? ": with pace = 0 nobody waits for ours" : ""));
    else
        finding_add(ret, FOUND_WRONG,
                    arena_print(a, "it may not speak in its own room (%d %.*s)", reply->status,
                                STR_ARG(t.code)));
    ask_in_room(m, a, EXAM_LEAVE, "POST", STR("leave"), next);
}

void matrix_examine(struct matrix *m, struct arena *a, const struct reply *reply,
                    struct request *next, struct findings *ret)
{
    static void (*const found[])(struct matrix *, struct arena *, const struct reply *,
                                 struct request *, struct findings *) = {
        [EXAM_FIND] = found_server,       [EXAM_VERSIONS] = found_versions,
        [EXAM_METADATA] = found_metadata, [EXAM_FLOWS] = found_flows,
        [EXAM_LOGIN] = found_login,       [EXAM_WHOAMI] = found_self,
        [EXAM_ROOM] = found_room,         [EXAM_CLOSED] = found_closed,
        [EXAM_SAY] = found_said,          [EXAM_END] = NULL,
    };
    if (!reply) {
        begin(m, a, next);
        return;
    }
    struct trouble t = trouble_of(a, reply);
    switch (m->exam.step) {
    case EXAM_LEAVE:
        if (t.limit && ++m->exam.tries < TRIES) { /* leaving is an event, too */
            ret->wait_ms = t.wait_ms;
            ask_in_room(m, a, EXAM_LEAVE, "POST", STR("leave"), next);
        } else {
            ask_in_room(m, a, EXAM_FORGET, "POST", STR("forget"), next);
        }
        return;
    case EXAM_FORGET:
        ask_logout(m, a, next);
        return;
    case EXAM_LOGOUT:
        return;
    default:
        if (found[m->exam.step])
            found[m->exam.step](m, a, reply, next, ret);
    }
}
