/* koikoi doctor for Matrix: one question after the other.
 *
 *     where is the homeserver, does it answer, does its clock agree with ours
 *     who are we, for how long
 *     are our keys the server's; name and picture: see examine_account.c
 *
 * With a password the doctor logs in as a device of its own and logs out again, so the daemon's
 * session is untouched. It makes no room and sends no event.
 */
#include "examine.h"

#include "examine_account.h"
#include "finding.h"
#include "seal.h"
#include "auth/login.h"

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
    EXAM_ACCOUNT,
    EXAM_LOGOUT
};

/* ---- questions ---- */

static void ask_server(struct matrix *m, struct arena *a, enum exam_step step, const char *method,
                       struct str path, struct request *next)
{
    m->exam = (int)step;
    wire_request(m, a, method, path, "doctor", next);
}

static void ask_login(struct matrix *m, struct arena *a, struct request *next)
{
    ask_server(m, a, EXAM_LOGIN, "POST", STR("/_matrix/client/v3/login"), next);
    login_body(m, a, STR(EXAM_DEVICE), next);
}

static void finish(struct matrix *m, struct arena *a, struct request *next)
{
    if (m->token.n > 0)
        return;
    ask_server(m, a, EXAM_LOGOUT, "POST", STR("/_matrix/client/v3/logout"), next);
    wire_request_json(a, next, cJSON_CreateObject());
}

static void ask_versions(struct matrix *m, struct arena *a, struct str base, struct request *next)
{
    while (base.n > 0 && base.p[base.n - 1] == '/')
        base.n--;
    m->session.base = arena_str(m->own, base);
    ask_server(m, a, EXAM_VERSIONS, "GET", STR("/_matrix/client/versions"), next);
}

static void begin(struct matrix *m, struct arena *a, struct request *next)
{
    m->session = (struct matrix_session){.access = m->token};
    struct str name = m->homeserver.n > 0 ? m->homeserver : wire_server_of(m->user);
    if (wire_is_url(name)) {
        ask_versions(m, a, name, next);
        return;
    }
    m->exam = EXAM_FIND;
    *next = (struct request){.kind = REQUEST_HTTP, .method = "GET", .what = STR("well-known")};
    next->url = arena_print(a, "https://%.*s/.well-known/matrix/client", STR_ARG(name));
    next->follow = true;
}

/* ---- answers ---- */

static void found_server(struct matrix *m, struct arena *a, const struct reply *reply,
                         struct request *next, struct findings *ret)
{
    struct str name = m->homeserver.n > 0 ? m->homeserver : wire_server_of(m->user);
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str base = wire_str(a, wire_at(o, "m.homeserver"), "base_url");
    cJSON_Delete(o);
    if (wire_is_url(base)) {
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

static void found_encryption(const struct matrix *m, struct findings *ret)
{
    if (str_is(m->e2ee, STR("no")))
        return;
    if (seal_available())
        finding_add(ret, FOUND_FINE, STR("encrypted rooms can be played in"));
    else
        finding_add(ret, FOUND_ADVICE,
                    STR("encrypted rooms cannot be read: libkoikoi_olm.so is not beside the "
                        "program; make crypto builds it, e2ee = no does without"));
}

static void found_versions(struct matrix *m, struct arena *a, const struct reply *reply,
                           struct request *next, struct findings *ret)
{
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
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
    found_encryption(m, ret);
    ask_server(m, a, EXAM_METADATA, "GET", STR("/_matrix/client/v1/auth_metadata"), next);
}

static void found_metadata(struct matrix *m, struct arena *a, const struct reply *reply,
                           struct request *next, struct findings *ret)
{
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
    bool modern = o != NULL;
    bool grant = wire_is_url(wire_str(a, o, "device_authorization_endpoint"));
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
        ask_server(m, a, EXAM_WHOAMI, "GET", STR("/_matrix/client/v3/account/whoami"), next);
    else
        ask_server(m, a, EXAM_FLOWS, "GET", STR("/_matrix/client/v3/login"), next);
}

static void found_flows(struct matrix *m, struct arena *a, const struct reply *reply,
                        struct request *next, struct findings *ret)
{
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
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
    struct wire_error t = wire_error_of(a, reply);
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str access = wire_str(a, o, "access_token"), refresh = wire_str(a, o, "refresh_token");
    int64_t life = wire_int(o, "expires_in_ms");
    cJSON_Delete(o);
    if (!wire_is_plain(access)) {
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
    ask_server(m, a, EXAM_WHOAMI, "GET", STR("/_matrix/client/v3/account/whoami"), next);
}

/* With a pace of our own the server's limit is not known to be lifted. */
static void found_pace(const struct matrix *m, struct arena *a, struct str user,
                       struct findings *ret)
{
    if (m->pace == 0)
        return;
    finding_add(
        ret, FOUND_FINE,
        arena_print(a,
                    "we send %lld events a minute at most, as a stock Synapse allows; to lift it: "
                    "curl -X POST -H 'Authorization: Bearer ADMIN_TOKEN' "
                    "-d '{\"messages_per_second\":0,\"burst_count\":0}' "
                    "%.*s/_synapse/admin/v1/users/%.*s/override_ratelimit, then set pace = 0",
                    (long long)m->pace, STR_ARG(m->session.base), STR_ARG(user)));
}

static void found_self(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct request *next, struct findings *ret)
{
    struct wire_error t = wire_error_of(a, reply);
    cJSON *o = wire_is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str user = wire_str(a, o, "user_id"), device = wire_str(a, o, "device_id");
    bool guest = wire_true(o, "is_guest");
    cJSON_Delete(o);
    if (!wire_is_user_id(user)) {
        finding_add(ret, FOUND_WRONG,
                    arena_print(a, "the access token is not taken (%d %.*s): make a new one",
                                reply->status, STR_ARG(t.code)));
        return;
    }
    if (wire_is_user_id(m->user) && !str_is(m->user, user))
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
    if (guest)
        finish(m, a, next);
    else {
        found_pace(m, a, user, ret);
        examine_account_begin(m, a, user, m->token.n > 0 ? device : m->device, next);
        m->exam = EXAM_ACCOUNT;
    }
}

static void found_account(struct matrix *m, struct arena *a, const struct reply *reply,
                          struct request *next, struct findings *ret)
{
    if (!examine_account_read(m, a, reply, next, ret))
        finish(m, a, next);
}

void matrix_exam(void *account, const struct exam *exam)
{
    ((struct matrix *)account)->asked = exam;
}

void matrix_examine(void *account, struct arena *a, const struct reply *reply, struct request *next,
                    struct findings *ret)
{
    struct matrix *m = account;
    static void (*const found[])(struct matrix *, struct arena *, const struct reply *,
                                 struct request *, struct findings *) = {
        [EXAM_FIND] = found_server,       [EXAM_VERSIONS] = found_versions,
        [EXAM_METADATA] = found_metadata, [EXAM_FLOWS] = found_flows,
        [EXAM_LOGIN] = found_login,       [EXAM_WHOAMI] = found_self,
        [EXAM_ACCOUNT] = found_account,   [EXAM_LOGOUT] = NULL,
    };
    if (!reply)
        begin(m, a, next);
    else if (found[m->exam])
        found[m->exam](m, a, reply, next, ret);
}
